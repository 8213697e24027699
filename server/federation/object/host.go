package object

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"holt/server/id"
)

// Config says what a host is and what it may ask of its program. The functions are pure for as long as an input is worked on.
type Config struct {
	Self   id.GWID
	Store  Store
	Sign   func(message []byte) []byte
	Verify func(host id.GWID, message, signature []byte) bool
	Link   func(host id.GWID) Link
	Class  func(c Class) Behaviour // nil: none such here
	// Wants reports whether an object may move here (O12). nil: every one may.
	Wants func(from id.GWID, e *Envelope) bool
	// Cache is how many objects are kept in memory; 0: 8,192.
	Cache int
	// Lazy is at how many calls in a row from one host a move is proposed; 0: 8 (O13).
	Lazy int
	// Suspect is above which distance an object is suspect; 0: 4 (O27).
	Suspect int
	// Linked returns all hosts that are linked, paused or not. nil: none.
	Linked func() []id.GWID
	// Restored says that the store is a backup (O11). It is to be said until the step of Open is durable.
	Restored bool
	// Hear is for how many milliseconds a host that starts waits for what linked ones remember of it (O48). 0: nobody is asked, and nothing is
	// remembered of others.
	Hear id.Millis
}

// defaultSuspect is above which distance an object is suspect (O27): measured, docs/performance.md.
const defaultSuspect = 4

// Send is a message to another host.
type Send struct {
	To      id.GWID
	Message Message
}

// Step is what comes of an input. The writes are one batch, kept whole or not at all. The messages are sent and the events are
// given to the program when the batch and all batches of earlier steps are durable; the next input may come before.
type Step struct {
	Writes []Write
	Sends  []Send
	Events []Event
}

// Host is the machine of one host. It is not safe for concurrent use. After an error it is of no use any more: what is durable
// is the truth, and Open begins with that.
type Host struct {
	// Set at construction.
	cfg  Config
	self *self

	// What is kept.
	heads    *shelf[head, *head]
	bodies   *shelf[body, *body]
	moves    *shelf[whereabouts, *whereabouts]
	forwards *shelf[whereabouts, *whereabouts]
	helds    *shelf[held, *held]
	disowned *shelf[disowned, *disowned]
	debts    *shelf[debt, *debt]
	aways    *shelf[absence, *absence]
	selves   *shelf[self, *self]
	copies   *shelf[frozen, *frozen]
	starts   *shelf[start, *start]
	marks    *shelf[Trace, *Trace]

	// What is forgotten when the host stops.
	clock                                          // time that does not run backwards, and what waits for it
	peers     map[id.GWID]*peer                    // who was heard of
	asks      map[uint64]*ask                      // requests without an answer, by number
	next      uint64                               // the number of the next request or call
	calls     map[id.OID][]*outing                 // own calls elsewhere without an answer, by number
	hints     hints                                // owners of what is not held
	away      absences                             // what could not be reached
	lazy      map[id.OID]*habit                    // who calls what
	moved     map[id.OID]id.Millis                 // when it moved here last, by the time that does not run backwards
	busy      map[id.OID]int                       // how much is going on with it
	fresh     map[id.OID]uint64                    // in which round it came into the hands of the program
	going     map[id.OID]*going                    // what is between two owners
	evict     []eviction                           // what is to move to whom as soon as there is room
	underWay  int                                  // evictions
	gathered  id.Millis                            // when pings were sent last
	evicting  map[id.OID]bool                      // what is in evict or under way from there
	orphans   map[id.OID]bool                      // what waits for the quarantine
	kept      map[id.OID]bool                      // those of them that are there, and wait for the others
	voided    map[id.OID]whereabouts               // those of them in whose place another copy is served
	regaining map[id.OID][]func(Refusal, *Failure) // what it is registered for again
	nimby     map[id.OID]uint8                     // distances of what was found nimby in the round before
	round     *round                               // that is going on
	debtors
	survey survey
	traces traces

	// The input that is worked on.
	moment Moment
	drawn  uint64
	step   Step
	fault  error
}

var (
	selfKey = id.OID{15: 1}
)

// Open makes the machine of a host from what is kept, which is nothing at first.
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
		cfg: cfg, gathered: never, peers: map[id.GWID]*peer{}, asks: map[uint64]*ask{}, next: 1, calls: map[id.OID][]*outing{},
		hints: newHints(), away: newAbsences(), lazy: map[id.OID]*habit{}, moved: map[id.OID]id.Millis{},
		busy: map[id.OID]int{}, fresh: map[id.OID]uint64{}, going: map[id.OID]*going{}, nimby: map[id.OID]uint8{},
		evicting: map[id.OID]bool{}, orphans: map[id.OID]bool{}, kept: map[id.OID]bool{}, voided: map[id.OID]whereabouts{},
		regaining: map[id.OID][]func(Refusal, *Failure){},
		survey:    survey{asking: map[id.GWID]bool{}, confirming: map[id.OID]bool{}, late: map[id.GWID]*late{}},
		debtors:   debtors{paying: map[id.OID]bool{}},
	}
	h.heads = newShelf[head](h, Heads, cfg.Cache)
	h.bodies = newShelf[body](h, Bodies, cfg.Cache/16)
	h.moves = newShelf[whereabouts](h, Moves, cfg.Cache/16)
	h.forwards = newShelf[whereabouts](h, Forwards, cfg.Cache/4)
	h.helds = newShelf[held](h, Helds, cfg.Cache)
	h.disowned = newShelf[disowned](h, Disowned, cfg.Cache/16)
	h.debts = newShelf[debt](h, Debts, cfg.Cache/16)
	h.aways = newShelf[absence](h, Aways, cfg.Cache/16)
	h.selves = newShelf[self](h, Selves, 16)
	h.copies = newShelf[frozen](h, Copies, 16)
	h.starts = newShelf[start](h, Starts, 16)
	h.marks = newShelf[Trace](h, Traces, cfg.Cache/16)
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
		// More often than this no host was started since its backup: what was asked then is not taken for what is asked now.
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

// input works on one input.
func (h *Host) input(m Moment, work func()) (Step, error) {
	if h.fault != nil {
		return Step{}, h.fault
	}
	h.clock.advance(m.Now)
	m.Now = max(m.Now, 0) // by a clock that was never set: no time before 1970 is written down
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

// fail ends the machine: what it has computed is not to be kept.
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

// number returns the number of a request or call.
func (h *Host) number() uint64 {
	h.next++
	return h.next
}

// link returns what a host may do here.
func (h *Host) link(host id.GWID) Link { return h.cfg.Link(host) }

// Tick does what is due. It is to be called when Wake says so.
func (h *Host) Tick(m Moment) (Step, error) { return h.input(m, func() {}) }

// Wake returns after how many milliseconds Tick is to be called, if nothing else happens before; ok is false if nothing waits.
func (h *Host) Wake() (after id.Millis, ok bool) { return h.clock.wake() }

// Up says that there is a connection to a host: it has come back, or was never away (O18).
func (h *Host) Up(m Moment, host id.GWID) (Step, error) {
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

// Down says that there has been no connection to a host for a while: it is waited for as briefly as one that is silent, by what was asked
// already, too (O19).
func (h *Host) Down(m Moment, host id.GWID) (Step, error) {
	return h.input(m, func() {
		h.peer(host).silent = h.elapsed - silence
		h.hasten(host)
	})
}

// ErrWentBack says that the host is of no use any more: see WentBack.
var ErrWentBack = errors.New("the folder went back to an older state")

// ErrExists says that there is an object already, here or elsewhere.
var ErrExists = errors.New("there is one")

// Create makes an object that is here, in term 1. oid was never used before, and this host is its creator. Each reference
// must be to an object that this host owns or holds. The error is ErrExists if it was made before.
func (h *Host) Create(m Moment, oid id.OID, class Class, kinds []Kind, content []byte, refs []id.OID) (Step, error) {
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

// Throw throws a table or person away: it is empty from now on, and needed by nobody but those who hold references to it.
func (h *Host) Throw(m Moment, oid id.OID) (Step, error) {
	hd := h.heads.get(oid)
	if hd == nil || !hd.Class.Fixed() {
		return Step{}, fmt.Errorf("throw %s away: it is no table or person of %s", oid, h.cfg.Self)
	}
	return h.input(m, func() {
		hd.Thrown, hd.Refs = true, nil
		h.heads.put(oid, hd)
		if b := h.bodies.get(oid); b != nil {
			b.Content, b.Kinds = nil, nil
			h.bodies.put(oid, b)
		}
	})
}

func (h *Host) creatable(oid id.OID, class Class, kinds []Kind, content []byte, set []id.OID) error {
	switch {
	case h.fault != nil:
		return h.fault
	case oid.Creator() != h.cfg.Self || !class.valid():
		return fmt.Errorf("create object %s of class %d: not of %s", oid, class, h.cfg.Self)
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

// fits reports whether an object of this size goes into an envelope with the answers that are kept (O3).
func fits(kinds, content, refs, holders int) bool {
	const each = 40 // bytes of a holder at most, and what else there is of each
	return refs <= MaxRefs && holders <= MaxHolders &&
		kinds*len(Kind{})+content+refs*len(id.OID{})+holders*each <= MaxEnvelope-maxKept-16<<10
}

// has reports whether an object is here or held here, so that it may be referred to.
func (h *Host) has(oid id.OID) bool {
	if h.condemned(oid) {
		return false
	}
	if hd := h.heads.get(oid); hd != nil && hd.State != arriving {
		return true
	}
	return h.helds.get(oid) != nil
}

// freshen keeps a reference in the hands of the program for a round.
func (h *Host) freshen(oid id.OID) { h.fresh[oid] = h.self.Round }

// hold keeps what is worked on from the collection; the function that it returns lets go.
func (h *Host) hold(oid id.OID) (release func()) {
	h.busy[oid]++
	return func() {
		if h.busy[oid]--; h.busy[oid] == 0 {
			delete(h.busy, oid)
		}
	}
}

// Hold keeps an object that this host has from the collection until the program releases it or the host stops.
func (h *Host) Hold(oid id.OID) (release func(), ok bool) {
	if h.fault != nil || !h.has(oid) {
		return nil, false
	}
	return h.hold(oid), true
}
