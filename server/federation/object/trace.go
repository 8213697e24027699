package object

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"holt/server/id"
)

// A folder that was put back to an older state looks to its host like any other. Only linked hosts
// know better. So a host sends them a trace of how far it has got, and asks for it when it starts
// and when a connection begins (O47, O48). Nobody else can make a trace, and each start of the host
// has random bytes. So a trace that is not of the host's own past shows that its folder went back.

// Trace says how far a host had got: in which of its starts, and after how many batches of that
// start.
type Trace struct {
	Process uint64
	Start   [8]byte // random
	Count   uint64  // of the batches that it had written in this start
	Proof   [16]byte
}

// start is how far a host has got in one of its starts.
type start struct {
	Random [8]byte
	Count  uint64
}

const (
	// maxStarts is of how many of its latest starts a host knows the counts. A trace of an earlier
	// start is ignored.
	maxStarts = 1024
	// maxDeferred is how many requests of one host wait until that host has said what it remembers.
	// More are dropped: the host repeats them.
	maxDeferred = 4 * maxPending
)

// traces is what a host knows of traces while the process lasts.
type traces struct {
	key     []byte // of the proofs
	process uint64 // this one
	// Of this process; nil: this host has nothing to do with traces.
	now    *start
	oldest uint64 // the first process whose count is known
	unkept map[id.HostID]Trace
	// hearing says that this host waits for what linked hosts remember, before it does anything by
	// which an object could be in two places.
	hearing bool
	back    bool // the folder went back: this process is over
}

// openTraces begins a start, and asks all linked hosts what they remember.
func (h *Host) openTraces() {
	if h.cfg.Hear <= 0 {
		return
	}
	sum := sha256.Sum256(h.cfg.Sign([]byte("holt trace 1\x00")))
	random := h.random()
	h.traces = traces{
		key: sum[:], process: h.self.Process, now: &start{}, unkept: map[id.HostID]Trace{},
	}
	copy(h.traces.now.Random[:], random[:])
	// An unknown earlier start may have had the same number. Its requests may still get answers, so
	// this start numbers its requests from a random number.
	h.next = 1 + binary.BigEndian.Uint64(random[8:])>>24
	h.forgetStarts()
	for _, host := range h.linked() {
		if h.link(host).Open {
			h.traces.hearing = true
			h.recall(host)
		}
	}
	if h.traces.hearing {
		h.clock.after(h.cfg.Hear, h.heardAll)
	}
}

// forgetStarts deletes the earliest starts, so that there is room for this one.
func (h *Host) forgetStarts() {
	var known []id.OID
	h.starts.scan(id.OID{}, func(oid id.OID, _ *start) bool {
		known = append(known, oid)
		return true
	})
	for len(known) >= maxStarts {
		h.starts.put(known[0], nil)
		known = known[1:]
	}
	h.traces.oldest = h.traces.process
	if len(known) > 0 {
		h.traces.oldest = binary.BigEndian.Uint64(known[0][8:])
	}
}

// startKey returns the key of a start in the space Starts. Keys are in the order of the starts.
func startKey(process uint64) (o id.OID) {
	binary.BigEndian.PutUint64(o[8:], process)
	return o
}

// traceKey returns the key of a host's trace in the space Traces.
func traceKey(host id.HostID) (o id.OID) {
	copy(o[:], host[:])
	return o
}

// prove returns the proof that a trace is this host's.
func (h *Host) prove(t *Trace) (proof [16]byte) {
	m := hmac.New(sha256.New, h.traces.key)
	m.Write(binary.BigEndian.AppendUint64(nil, t.Process))
	m.Write(t.Start[:])
	m.Write(binary.BigEndian.AppendUint64(nil, t.Count))
	copy(proof[:], m.Sum(nil))
	return proof
}

// flushTraces counts a batch, and adds the traces of others to it. So whatever a host has stored
// because of another host, it has stored together with that host's trace.
func (h *Host) flushTraces(w []Write) []Write {
	if h.traces.now == nil || len(w) == 0 {
		return w
	}
	h.traces.now.Count++
	h.starts.put(startKey(h.traces.process), h.traces.now)
	for _, host := range slices.SortedFunc(maps.Keys(h.traces.unkept), compareHosts) {
		t := h.traces.unkept[host]
		h.traceRecords.put(traceKey(host), &t)
	}
	clear(h.traces.unkept)
	return h.traceRecords.flush(h.starts.flush(w))
}

// leaveTraces puts this host's trace into the messages of a step. They are sent when its batch is
// durable.
func (h *Host) leaveTraces() {
	if h.traces.now == nil {
		return
	}
	var t *Trace
	for i := range h.step.Sends {
		s := &h.step.Sends[i]
		if !h.peer(s.To).recalled {
			continue
		}
		if t == nil {
			t = &Trace{
				Process: h.traces.process, Start: h.traces.now.Random, Count: h.traces.now.Count,
			}
			t.Proof = h.prove(t)
		}
		s.Message.Trace = t
	}
}

// memory returns the trace that is remembered of a host, or nil.
func (h *Host) memory(host id.HostID) *Trace {
	if t, ok := h.traces.unkept[host]; ok {
		return &t
	}
	return h.traceRecords.get(traceKey(host))
}

// remember remembers the farthest trace of a host. The next batch stores it.
func (h *Host) remember(host id.HostID, t *Trace) {
	if h.traces.now == nil || t == nil {
		return
	}
	old := h.memory(host)
	if old == nil || t.Process > old.Process || t.Process == old.Process && t.Count > old.Count {
		h.traces.unkept[host] = *t
	}
}

// unready reports whether this host does not know yet what has happened to the objects that it
// made: linked hosts must first say what they remember of it (O47), or what they have (O11).
func (h *Host) unready() bool { return h.self.Survey || h.traces.hearing }

// awaitsReport reports whether this host sends nothing to another one and carries out none of its
// requests, because that host has not said yet what it remembers (O48).
func (h *Host) awaitsReport(host id.HostID) bool {
	return h.traces.now != nil && host != h.me && (h.traces.hearing || !h.peer(host).recalled)
}

// isTraceBody reports whether a message is about traces.
func isTraceBody(b Body) bool {
	switch b.(type) {
	case *Recall, *Remembered:
		return true
	}
	return false
}

// recall asks a host what it remembers of this one.
func (h *Host) recall(host id.HostID) {
	p := h.peer(host)
	if h.traces.now == nil || p.recalling || p.recalled || !h.link(host).Open {
		return
	}
	p.recalling = true
	h.ask(host, &Recall{}, patience, func(b Body) {
		p.recalling = false
		if r, ok := b.(*Remembered); ok {
			h.recalled(host, p, r.Trace)
		}
	})
}

// recalled processes what a host remembers of this one.
func (h *Host) recalled(host id.HostID, p *peer, t *Trace) {
	if t != nil && !h.isPast(t) {
		h.wentBack(host, t)
		return
	}
	p.recalled = true
	if !h.traces.hearing {
		h.resumeTalk(host, p)
		return
	}
	for _, host := range h.linked() {
		if h.link(host).Open && !h.peer(host).recalled {
			return
		}
	}
	h.heardAll()
}

// heardAll ends the wait for linked hosts.
func (h *Host) heardAll() {
	if !h.traces.hearing || h.traces.back {
		return
	}
	h.traces.hearing = false
	for _, host := range h.linked() {
		if p := h.peer(host); p.recalled {
			h.resumeTalk(host, p)
		}
	}
}

// resumeTalk processes what has waited until a host had said what it remembers.
func (h *Host) resumeTalk(host id.HostID, p *peer) {
	waiting := p.deferred
	p.deferred = nil
	for _, msg := range waiting {
		h.request(p, host, msg)
	}
	h.repeat(host)
	h.wakeMoves(host)
}

// isPast reports whether a trace is of this host's own past, as far as it knows that. It also
// accepts a trace that this host did not make, and one from before its last restore: both are
// ignored (O47).
func (h *Host) isPast(t *Trace) bool {
	proof := h.prove(t)
	if t.Process < max(h.self.Since, h.traces.oldest) || !hmac.Equal(proof[:], t.Proof[:]) {
		return true
	}
	s := h.starts.get(startKey(t.Process))
	if t.Process == h.traces.process {
		s = h.traces.now
	}
	return s != nil && s.Random == t.Start && s.Count >= t.Count
}

// wentBack ends this process. The next one begins as after a restore, and counts its starts from
// beyond the trace.
func (h *Host) wentBack(host id.HostID, t *Trace) {
	h.self.Back, h.self.Noticed, h.self.Witness = true, h.moment.Now, host
	h.self.Process = max(h.self.Process, t.Process)
	h.selves.put(selfKey, h.self)
	h.traces.back = true
	h.event(WentBack{By: host})
}

// Hearing reports whether this host still waits for what linked hosts remember of it. Until then it
// collects nothing.
func (h *Host) Hearing() bool { return h.traces.hearing }

// WentBack returns when it was last noticed that the folder of the host went back, and the host
// that noticed it; 0 means never.
func (h *Host) WentBack() (at id.Millis, by id.HostID) { return h.self.Noticed, h.self.Witness }

func (*Recall) carryOut(h *Host, from id.HostID, answer reply) {
	answer(&Remembered{h.memory(from)})
}

func (t *Trace) code(c *coder) {
	number(c, 1, &t.Process, maxNumber)
	fixed(c, 2, t.Start[:])
	number(c, 3, &t.Count, maxNumber)
	fixed(c, 4, t.Proof[:])
	c.need(t.Process > 0 && t.Count > 0)
}

func (s *start) code(c *coder) {
	fixed(c, 1, s.Random[:])
	number(c, 2, &s.Count, maxNumber)
}

// maybe codes a value. A missing one is nil.
func maybe[T any, P interface {
	*T
	coded
}](c *coder, n protowire.Number, v **T) {
	switch {
	case !c.reading && *v != nil:
		c.inner(n, P(*v))
	case c.reading && c.next(n, protowire.BytesType):
		*v = new(T)
		c.within(P(*v))
	}
}
