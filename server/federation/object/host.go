package object

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"holt/server/id"
)

// Config says what a host is and what it asks of its program. The functions must be pure while the
// host processes an input.
type Config struct {
	Self   id.HostID
	Store  Store
	Sign   func(message []byte) []byte
	Verify func(host id.HostID, message, signature []byte) bool
	Link   func(host id.HostID) Link
	Class  func(c Class) Behaviour // nil: there is no such class here
	// Wants reports whether an object may move here (O12). If it is nil, every object may.
	Wants func(from id.HostID, e *Envelope) bool
	// Cache is how many objects are kept in memory. 0 means 8,192.
	Cache int
	// Lazy is after how many calls in a row from one host a move is proposed (O13). 0 means 8.
	Lazy int
	// Suspect is the distance above which a nimby object is suspect (O27). 0 means 4.
	Suspect int
	// Linked returns all hosts that are linked, paused or not. If it is nil, there are none.
	Linked func() []id.HostID
	// Restored says that the store is a backup (O11). It must be true until the step of an Open is
	// durable.
	Restored bool
	// Hear is for how many milliseconds a host that starts waits until the linked hosts have said
	// what they remember of it (O48). If it is 0, the host asks nobody and remembers nothing of
	// others.
	Hear id.Millis
}

// defaultSuspect is the distance above which a nimby object is suspect (O27). It is measured: see
// docs/performance.md.
const defaultSuspect = 4

// Send is a message to another host.
type Send struct {
	To      id.HostID
	Message Message
}

// Step is the outcome of an input. Its writes are one batch: they are stored whole or not at all.
// Once this batch and all batches of earlier steps are durable, the messages must be sent and the
// program gets the events. The next input may come before that.
type Step struct {
	Writes []Write
	Sends  []Send
	Events []Event
}

// Host is the state machine of one host. It is not safe for concurrent use. After an error it
// cannot be used any more: the stored state is the truth, and Open begins with it.
type Host struct {
	// Set at construction.
	cfg  Config
	me   id.HostID // this host
	self *self

	// What is stored.
	heads        *cache[head, *head]
	bodies       *cache[body, *body]
	moves        *cache[whereabouts, *whereabouts]
	forwards     *cache[whereabouts, *whereabouts]
	helds        *cache[reference, *reference]
	disowned     *cache[disowned, *disowned]
	debts        *cache[debt, *debt]
	aways        *cache[absence, *absence]
	selves       *cache[self, *self]
	copies       *cache[frozen, *frozen]
	starts       *cache[start, *start]
	traceRecords *cache[Trace, *Trace]

	// What is forgotten when the host stops.
	clock                             // a time that does not run backwards, and the timers
	peers   map[id.HostID]*peer       // hosts from which something was heard
	asks    map[uint64]*ask           // requests without an answer, by number
	next    uint64                    // the number of the next request or call
	calls   map[id.OID][]*pendingCall // own calls elsewhere without an answer
	hints   hints                     // owners of objects that are not held
	away    absences                  // objects that could not be reached
	streaks map[id.OID]*callStreak    // which host called an object last
	// When an object arrived here last, by the clock that does not run backwards.
	moved         map[id.OID]id.Millis
	busy          map[id.OID]int                       // how much is being done with an object
	fresh         map[id.OID]uint64                    // in which round a reference came
	movesUnderWay map[id.OID]*moveState                // objects between two owners
	evict         []eviction                           // moves that begin when there is room
	underWay      int                                  // the number of evictions under way
	gathered      id.Millis                            // when pings were sent last
	evicting      map[id.OID]bool                      // what is in evict or under way from there
	orphans       map[id.OID]bool                      // objects that wait for the quarantine
	kept          map[id.OID]bool                      // those that are already written
	voided        map[id.OID]whereabouts               // those that another copy has superseded
	regaining     map[id.OID][]func(Refusal, *Failure) // who waits for a new registration
	nimby         map[id.OID]uint8                     // distances of what the last round found nimby
	round         *round                               // the round that is going on
	debtors
	survey survey
	traces traces

	// The input that is being processed.
	moment Moment
	drawn  uint64
	step   Step
	fault  error
}

var (
	selfKey = id.OID{15: 1}
)

// Open makes a host from what is stored. A new host has an empty store.
func Open(cfg Config, m Moment) (*Host, Step, error) {
	if cfg.Cache == 0 {
		cfg.Cache = 8192
	}
	if cfg.Lazy == 0 {
		cfg.Lazy = 8
	}
	if cfg.Suspect == 0 {
		cfg.Suspect = defaultSuspect
	}
	h := &Host{
		cfg: cfg, me: cfg.Self, gathered: never, peers: map[id.HostID]*peer{},
		asks: map[uint64]*ask{}, next: 1, calls: map[id.OID][]*pendingCall{},
		hints: newHints(), away: absences{items: map[id.OID]*absence{}},
		streaks: map[id.OID]*callStreak{}, moved: map[id.OID]id.Millis{},
		busy: map[id.OID]int{}, fresh: map[id.OID]uint64{},
		movesUnderWay: map[id.OID]*moveState{}, nimby: map[id.OID]uint8{},
		evicting: map[id.OID]bool{}, orphans: map[id.OID]bool{},
		kept: map[id.OID]bool{}, voided: map[id.OID]whereabouts{},
		regaining: map[id.OID][]func(Refusal, *Failure){},
		survey: survey{
			asking: map[id.HostID]bool{}, confirming: map[id.OID]bool{}, late: map[id.HostID]*late{},
		},
		debtors: debtors{paying: map[id.OID]bool{}},
	}
	h.heads = newCache[head](h, Heads, cfg.Cache)
	h.bodies = newCache[body](h, Bodies, cfg.Cache/16)
	h.moves = newCache[whereabouts](h, Moves, cfg.Cache/16)
	h.forwards = newCache[whereabouts](h, Forwards, cfg.Cache/4)
	h.helds = newCache[reference](h, Helds, cfg.Cache)
	h.disowned = newCache[disowned](h, Disowned, cfg.Cache/16)
	h.debts = newCache[debt](h, Debts, cfg.Cache/16)
	h.aways = newCache[absence](h, Aways, cfg.Cache/16)
	h.selves = newCache[self](h, Selves, 16)
	h.copies = newCache[frozen](h, Copies, 16)
	h.starts = newCache[start](h, Starts, 16)
	h.traceRecords = newCache[Trace](h, Traces, cfg.Cache/16)
	s, err := h.input(m, h.open)
	if err != nil {
		return nil, Step{}, fmt.Errorf("open the objects of %s: %w", cfg.Self, err)
	}
	return h, s, nil
}

// open begins a process.
func (h *Host) open() {
	if h.self = h.selves.get(selfKey); h.self == nil {
		h.self = &self{Life: 1}
		if h.cfg.Restored {
			h.self.Life = 2
		}
	} else if h.self.Back || h.cfg.Restored {
		h.self.Life++
	}
	h.self.Process++
	if h.self.Back || h.cfg.Restored {
		// Since its backup no host was started more often than this. So answers to earlier requests
		// are not taken for answers to new ones.
		h.self.Process = h.freshCount(h.self.Process)
		h.self.Survey, h.self.Surveyed = true, nil
		h.self.Since, h.self.Back = h.self.Process, false
	}
	h.selves.put(selfKey, h.self)
	h.openTraces()
	h.openAbsences()
	if h.self.Survey {
		h.surveyAll()
	}
	h.moves.scan(id.OID{}, func(oid id.OID, _ *whereabouts) bool {
		h.resume(oid)
		return true
	})
}

// input processes one input.
func (h *Host) input(m Moment, work func()) (Step, error) {
	if h.fault != nil {
		return Step{}, h.fault
	}
	h.clock.advance(m.Now)
	// A clock that was never set may be below 0. No time before 1970 is written down.
	m.Now = max(m.Now, 0)
	h.moment, h.drawn, h.step = m, 0, Step{}
	work()
	if !h.traces.back {
		h.clock.run()
	}
	if !h.traces.back {
		h.evictNext()
	}
	w := h.step.Writes
	w = h.heads.flush(w)
	w = h.bodies.flush(w)
	w = h.moves.flush(w)
	w = h.forwards.flush(w)
	w = h.helds.flush(w)
	w = h.disowned.flush(w)
	w = h.debts.flush(w)
	w = h.aways.flush(w)
	w = h.copies.flush(w)
	h.step.Writes = h.flushTraces(h.selves.flush(w))
	h.leaveTraces()
	if h.fault != nil {
		return Step{}, h.fault
	}
	if h.traces.back {
		h.step.Sends, h.fault = nil, ErrWentBack
	}
	return h.step, nil
}

// fail ends the host: what it has computed must not be stored.
func (h *Host) fail(err error) {
	if h.fault == nil {
		h.fault = err
	}
}

// random returns bytes that were never used before.
func (h *Host) random() [32]byte {
	h.drawn++
	return sha256.Sum256(binary.BigEndian.AppendUint64(h.moment.Random[:], h.drawn))
}

func (h *Host) event(e Event) { h.step.Events = append(h.step.Events, e) }

// number returns the number of a new request or call.
func (h *Host) number() uint64 {
	h.next++
	return h.next
}

// link returns what a host may do here.
func (h *Host) link(host id.HostID) Link { return h.cfg.Link(host) }

// Tick does what is due. Call it when Wake says so.
func (h *Host) Tick(m Moment) (Step, error) { return h.input(m, func() {}) }

// Wake returns after how many milliseconds Tick must be called if there is no other input before.
// ok is false if nothing is due at any time.
func (h *Host) Wake() (after id.Millis, ok bool) { return h.clock.wake() }

// Up says that a connection to a host has begun: the host has come back, or was never gone (O18).
func (h *Host) Up(m Moment, host id.HostID) (Step, error) {
	return h.input(m, func() {
		p := h.peer(host)
		p.silent, p.recalled, p.deferred = never, false, nil
		h.recall(host)
		h.back(host)
		h.repeat(host)
		h.wakeMoves(host)
		h.pay()
		h.surveyHost(host)
	})
}

// Down says that there has been no connection to a host for a while. New and earlier requests to it
// wait only briefly from now on (O19).
func (h *Host) Down(m Moment, host id.HostID) (Step, error) {
	return h.input(m, func() {
		h.peer(host).silent = h.elapsed - silence
		h.shortenWaits(host)
	})
}

// ErrWentBack says that the host cannot be used any more: see WentBack.
var ErrWentBack = errors.New("the folder went back to an older state")

// ErrExists says that the object exists already, here or elsewhere.
var ErrExists = errors.New("there is one")

// Create makes an object that is here, in term 1. oid must never have been used before, and this
// host must be its creator. Each reference must be to an object that this host owns or holds. The
// error is ErrExists if the object was made before.
func (h *Host) Create(
	m Moment, oid id.OID, class Class, kinds []Kind, content []byte, refs []id.OID,
) (Step, error) {
	set := setOf(refs)
	if err := h.creatable(oid, class, kinds, content, set); err != nil {
		return Step{}, err
	}
	return h.input(m, func() {
		h.heads.put(oid, &head{Class: class, Term: 1, State: here, Refs: set, Life: h.self.Life})
		h.bodies.put(oid, &body{Kinds: kinds, Content: content})
		h.refer(oid, set)
		h.freshen(oid)
	})
}

// Delete deletes a table or person. It is empty and not a root from then on, and stays only for the
// hosts that hold references to it (O24). The error says that oid is not a table or person of this
// host.
func (h *Host) Delete(m Moment, oid id.OID) (Step, error) {
	hd := h.heads.get(oid)
	if hd == nil || !hd.Class.Fixed() {
		return Step{}, fmt.Errorf("throw %s away: it is no table or person of %s", oid, h.me)
	}
	return h.input(m, func() {
		hd.Deleted, hd.Refs = true, nil
		h.heads.put(oid, hd)
		if b := h.bodies.get(oid); b != nil {
			b.Content, b.Kinds = nil, nil
			h.bodies.put(oid, b)
		}
	})
}

func (h *Host) creatable(
	oid id.OID, class Class, kinds []Kind, content []byte, set []id.OID,
) error {
	switch {
	case h.fault != nil:
		return h.fault
	case !h.made(oid) || !class.valid():
		return fmt.Errorf("create object %s of class %d: not of %s", oid, class, h.me)
	case h.heads.get(oid) != nil || h.forwards.get(oid) != nil:
		return fmt.Errorf("create object %s: %w", oid, ErrExists)
	case len(kinds) > MaxKinds || !fits(len(kinds), len(content), len(set), 0):
		return fmt.Errorf("create object %s: too large", oid)
	}
	for _, ref := range set {
		if !h.has(ref) {
			return fmt.Errorf("create object %s: reference to %s, which is not here", oid, ref)
		}
	}
	return h.fault
}

// fits reports whether an object of this size fits into an envelope together with the answers that
// are kept (O3).
func fits(kinds, content, refs, holders int) bool {
	const each = 40 // bytes of a holder at most, with all that is kept of it
	return refs <= MaxRefs && holders <= MaxHolders &&
		kinds*len(Kind{})+content+refs*len(id.OID{})+holders*each <= MaxEnvelope-maxKept-16<<10
}

// has reports whether an object is here or held here, so that something may refer to it.
func (h *Host) has(oid id.OID) bool {
	if h.condemned(oid) {
		return false
	}
	return h.heads.get(oid).owned() || h.helds.get(oid) != nil
}

// made reports whether this host has made an object.
func (h *Host) made(oid id.OID) bool { return oid.Creator() == h.me }

// freshen protects a reference that the program has just got: the collection keeps it for a round.
func (h *Host) freshen(oid id.OID) { h.fresh[oid] = h.self.Round }

// hold protects an object from the collection until release is called.
func (h *Host) hold(oid id.OID) (release func()) {
	h.busy[oid]++
	return func() {
		if h.busy[oid]--; h.busy[oid] == 0 {
			delete(h.busy, oid)
		}
	}
}
