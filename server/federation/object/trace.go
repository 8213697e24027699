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

// A folder that was put back to what it was before looks to its host like any other: only linked hosts know better. So a host
// leaves them a trace of how far it has got, and asks for it when it starts and when a connection begins (O47, O48). Nobody else
// can make a trace, and each start of the host has random bytes: a trace that is not of the host's own past shows that its
// folder went back.

// Trace says how far a host had got: in which of its starts, and after how many batches of that one.
type Trace struct {
	Process uint64
	Start   [8]byte // drawn by lot
	Count   uint64  // of the batches that it had written in this start
	Proof   [16]byte
}

// start is how far a host has got in one of its starts.
type start struct {
	Lot   [8]byte
	Count uint64
}

const (
	// maxStarts is how many of its latest starts a host knows. A trace of an earlier one says nothing.
	maxStarts = 1024
	// maxDeferred is how many requests of one host wait until that host has said what it remembers. More are not heard: they come again.
	maxDeferred = 4 * maxPending
)

// traces is what a host does with traces while the process lasts.
type traces struct {
	key     []byte // of the proofs
	process uint64 // this one
	now     *start // of this process; nil: this host has nothing to do with traces
	oldest  uint64 // the first process that is known
	unkept  map[id.GWID]Trace
	// hearing: what linked hosts remember is waited for, before anything is done by which an object could be there twice.
	hearing bool
	back    bool // the folder went back: this process is over
}

// openTraces begins a start, and hears all linked hosts.
func (h *Host) openTraces() {
	if h.cfg.Hear <= 0 {
		return
	}
	sum := sha256.Sum256(h.cfg.Sign([]byte("holt trace 1\x00")))
	lot := h.random()
	h.traces = traces{key: sum[:], process: h.self.Process, now: &start{}, unkept: map[id.GWID]Trace{}}
	copy(h.traces.now.Lot[:], lot[:])
	// A start of the same number, which this host does not know any more, may have asked things that are answered yet.
	h.next = 1 + binary.BigEndian.Uint64(lot[8:])>>24
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

// forgetStarts lets go of the earliest starts.
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

// startKey is under which a start is kept: in the order of the starts.
func startKey(process uint64) (o id.OID) {
	binary.BigEndian.PutUint64(o[8:], process)
	return o
}

// traceKey is under which the trace of a host is kept.
func traceKey(host id.GWID) (o id.OID) {
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

// flushTraces counts a batch and keeps in it what is remembered of others, so that whatever a host has because of another one,
// it has together with the trace of that.
func (h *Host) flushTraces(w []Write) []Write {
	if h.traces.now == nil || len(w) == 0 {
		return w
	}
	h.traces.now.Count++
	h.starts.put(startKey(h.traces.process), h.traces.now)
	for _, host := range slices.SortedFunc(maps.Keys(h.traces.unkept), compareHosts) {
		t := h.traces.unkept[host]
		h.marks.put(traceKey(host), &t)
	}
	clear(h.traces.unkept)
	return h.marks.flush(h.starts.flush(w))
}

// leaveTraces puts this host's trace into the messages of a step: its batch is durable before they are sent.
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
			t = &Trace{Process: h.traces.process, Start: h.traces.now.Lot, Count: h.traces.now.Count}
			t.Proof = h.prove(t)
		}
		s.Message.Trace = t
	}
}

// memory returns what is remembered of a host, nil for nothing.
func (h *Host) memory(host id.GWID) *Trace {
	if t, ok := h.traces.unkept[host]; ok {
		return &t
	}
	return h.marks.get(traceKey(host))
}

// remember remembers the farthest trace of a host. It is kept with the next batch.
func (h *Host) remember(host id.GWID, t *Trace) {
	if h.traces.now == nil || t == nil {
		return
	}
	old := h.memory(host)
	if old == nil || t.Process > old.Process || t.Process == old.Process && t.Count > old.Count {
		h.traces.unkept[host] = *t
	}
}

// unready reports whether it is not known yet what has become of what this host has made: linked hosts are to say first what they
// remember of it (O47), or what they have (O11).
func (h *Host) unready() bool { return h.self.Survey || h.traces.hearing }

// minds reports whether a host is not told anything, nor obeyed, before it has said what it remembers.
func (h *Host) minds(host id.GWID) bool {
	return h.traces.now != nil && host != h.cfg.Self && (h.traces.hearing || !h.peer(host).recalled)
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
func (h *Host) recall(host id.GWID) {
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

// recalled takes what a host remembers of this one.
func (h *Host) recalled(host id.GWID, p *peer, t *Trace) {
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

// heardAll ends the time in which linked hosts are heard first.
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

// resumeTalk goes on with what has waited until a host had said what it remembers.
func (h *Host) resumeTalk(host id.GWID, p *peer) {
	waiting := p.deferred
	p.deferred = nil
	for _, msg := range waiting {
		h.request(p, host, msg)
	}
	h.repeat(host)
	h.wakeMoves(host)
}

// isPast reports whether a trace is of this host's own past, as far as it knows that. What somebody else has made up says nothing,
// and neither does a trace from before the last restore: more is not to be done about it.
func (h *Host) isPast(t *Trace) bool {
	proof := h.prove(t)
	if t.Process < max(h.self.Since, h.traces.oldest) || !hmac.Equal(proof[:], t.Proof[:]) {
		return true
	}
	s := h.starts.get(startKey(t.Process))
	if t.Process == h.traces.process {
		s = h.traces.now
	}
	return s != nil && s.Lot == t.Start && s.Count >= t.Count
}

// wentBack ends this process: the next one goes on as after a restore, and counts its starts from beyond the trace.
func (h *Host) wentBack(host id.GWID, t *Trace) {
	h.self.Back, h.self.Noticed, h.self.Witness = true, h.moment.Now, host
	h.self.Process = max(h.self.Process, t.Process)
	h.selves.put(selfKey, h.self)
	h.traces.back = true
	h.event(WentBack{By: host})
}

// Hearing reports whether linked hosts are still to say what they remember of this one: so long nothing is collected.
func (h *Host) Hearing() bool { return h.traces.hearing }

// WentBack returns when it was noticed last that the folder of the host went back, and by whom; 0 for never.
func (h *Host) WentBack() (at id.Millis, by id.GWID) { return h.self.Noticed, h.self.Witness }

func (h *Host) carryOutRecall(from id.GWID, answer func(Body)) {
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
	fixed(c, 1, s.Lot[:])
	number(c, 2, &s.Count, maxNumber)
}

// maybe codes a value that is nil when it is missing.
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
