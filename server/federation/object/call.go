package object

import (
	"slices"

	"holt/server/id"
)

// callWindow is how many calls of one object a host may have without an answer at once (O14).
const callWindow = 16

// pendingCall is a call of this host to an object that may be elsewhere.
type pendingCall struct {
	number uint64
	ended  bool
}

// Call calls a method of an object. An Answered event ends it. passed are the references of the
// argument: to objects that this host owns or holds.
func (h *Host) Call(
	m Moment, t Ticket, oid id.OID, method string, args []byte, passed []id.OID,
) (Step, error) {
	return h.input(m, func() { h.call(t, oid, method, args, passed) })
}

func (h *Host) call(t Ticket, oid id.OID, method string, args []byte, passed []id.OID) {
	if len(h.calls[oid]) >= callWindow {
		h.conclude(t, oid, Busy, nil)
		return
	}
	if len(args) > MaxArgument || len(passed) > MaxPassed || len(method) > MaxMethod {
		h.conclude(t, oid, Large, nil)
		return
	}
	passed = setOf(passed)
	for _, ref := range append(slices.Clone(passed), oid) {
		if !h.has(ref) {
			h.conclude(t, oid, Forbidden, nil)
			return
		}
	}
	if f := h.absent(oid); f != nil {
		h.conclude(t, oid, 0, f)
		return
	}
	if h.regains(oid) {
		h.regain(oid, func(why Refusal, f *Failure) {
			switch {
			case f != nil:
				h.answered(t, oid, nil, f)
			case why != 0:
				h.answered(t, oid, &Refused{why}, nil)
			default:
				h.call(t, oid, method, args, passed)
			}
		})
		return
	}
	o := &pendingCall{number: h.number()}
	h.calls[oid] = append(h.calls[oid], o)
	releases := []func(){h.hold(oid)}
	for _, ref := range passed {
		releases = append(releases, h.hold(ref))
	}
	granted := map[id.HostID][]Passed{}
	h.reachBy(oid, func(to id.HostID, then func(Body, *Failure)) {
		ps, again := granted[to]
		send := func(ps []Passed) {
			granted[to] = ps
			c := &Call{OID: oid, Number: o.number, Method: method, Args: args, Passed: ps}
			c.After, c.Read = h.before(oid, o)
			if r := h.helds.get(oid); r != nil {
				c.Held = r.Number
			}
			then(c, nil)
		}
		if to == h.me {
			send(own(passed))
			return
		}
		if again && !slices.ContainsFunc(ps, func(p Passed) bool { return p.Number == 0 }) {
			delete(granted, to) // for the next try
			send(ps)
			return
		}
		h.grant(passed, to, 1, again, func(ps []Passed, refused Refusal, f *Failure) {
			switch {
			case f != nil:
				then(nil, f)
			case refused != 0:
				then(&Refused{refused}, nil)
			default:
				send(ps)
			}
		})
	}, func(b Body, f *Failure) {
		for _, release := range releases {
			release()
		}
		h.ended(oid, o)
		h.answered(t, oid, b, f)
	})
}

// own returns references that a host passes to itself: without numbers.
func own(refs []id.OID) []Passed {
	ps := make([]Passed, len(refs))
	for i, ref := range refs {
		ps[i].OID = ref
	}
	return ps
}

// before returns the last earlier call of the object that has no answer yet, or 0, and the call up
// to which all answers have arrived.
func (h *Host) before(oid id.OID, o *pendingCall) (after, read uint64) {
	read = o.number - 1
	for _, x := range h.calls[oid] {
		if x == o {
			break
		}
		if !x.ended {
			after = x.number
			read = min(read, x.number-1)
		}
	}
	return after, read
}

// ended removes a call from those without an answer.
func (h *Host) ended(oid id.OID, o *pendingCall) {
	o.ended = true
	h.calls[oid] = slices.DeleteFunc(h.calls[oid], func(x *pendingCall) bool { return x == o })
	if len(h.calls[oid]) == 0 {
		delete(h.calls, oid)
	}
}

// conclude reports the end of what the program has asked for, without a result.
func (h *Host) conclude(t Ticket, oid id.OID, why Refusal, f *Failure) {
	h.event(Answered{Ticket: t, OID: oid, Refusal: why, Failure: f})
}

// answered reports the end of a call to the program.
func (h *Host) answered(t Ticket, oid id.OID, b Body, f *Failure) {
	e := Answered{Ticket: t, OID: oid}
	if f != nil {
		e.Failure = h.missed(f)
		h.event(e)
		return
	}
	switch b := b.(type) {
	case *Answer:
		h.present(oid)
		e.Refused, e.Answer = b.Refused, b.Answer
		if strange := h.receive(b.Passed); len(strange) > 0 {
			e.Refusal = Lapsed
			break
		}
		for _, p := range b.Passed {
			e.Passed = append(e.Passed, p.OID)
			h.freshen(p.OID) // also an object that is here
		}
	case *Refused:
		e.Refusal = b.Why
		if b.Why == Unknown {
			h.event(Lost{oid})
		}
	default:
		e.Refusal = Forbidden
	}
	h.event(e)
}

// carryOutCall carries a call out, once (O14).
func (h *Host) carryOutCall(from id.HostID, process uint64, c *Call, answer reply) {
	w := &calling{h: h, from: from, process: process, c: c, answer: answer, random: h.random()}
	if !w.allowed() {
		return
	}
	if !h.take(from, c.Passed, answer) {
		return
	}
	w.release = h.hold(c.OID)
	w.run()
}

// calling is a call that is carried out here. If its answer contains references to objects
// elsewhere, they are registered first. To learn them the call is computed; it is computed again
// when they are registered.
type calling struct {
	h       *Host
	from    id.HostID
	process uint64
	c       *Call
	answer  reply
	random  [32]byte
	granted []Passed
	tries   int
	release func()
}

// allowed reports whether the call may be carried out, and otherwise answers it.
func (w *calling) allowed() bool {
	h := w.h
	hd := h.owned(w.c.OID, w.answer)
	if hd == nil {
		return false
	}
	if w.from != h.me {
		if e := hd.holder(w.from); (e == nil || w.c.Held < e.Since) &&
			!h.claims(w.c.OID, hd, w.from, w.c.Held) {
			h.refuseForbidden(w.from, w.answer)
			return false
		}
	}
	b := h.bodies.get(w.c.OID)
	if b == nil {
		h.fail(errMalformed)
		return false
	}
	k := b.of(w.from)
	fresh := k == nil || w.process > k.Process
	switch {
	case w.c.After > 0 && (fresh || w.from == h.me && w.c.Number > k.Last):
		// The call before it must be carried out first (O15).
		w.answer(&Refused{Busy})
		return false
	case fresh:
	case w.process < k.Process:
		w.answer(&Refused{Forgotten})
		return false
	case w.c.Number <= k.Last:
		for i := range k.Kept {
			if k.Kept[i].Number == w.c.Number {
				a := k.Kept[i].Answer
				w.answer(&a)
				return false
			}
		}
		w.answer(&Refused{Forgotten})
		return false
	case w.c.After > k.Last, k.bytes() > maxKeptEach:
		w.answer(&Refused{Busy})
		return false
	}
	return true
}

// end answers the call.
func (w *calling) end(b Body) {
	w.release()
	w.answer(b)
}

func (w *calling) run() {
	h := w.h
	hd, b := h.heads.get(w.c.OID), h.bodies.get(w.c.OID)
	does := h.cfg.Class(hd.Class)
	if does == nil || w.tries > 4 {
		w.end(&Refused{Busy})
		return
	}
	passed := make([]id.OID, len(w.c.Passed))
	for i, p := range w.c.Passed {
		passed[i] = p.OID
	}
	res := does.Invoke(Invocation{
		OID: w.c.OID, Caller: w.from, Method: w.c.Method, Args: w.c.Args, Passed: passed,
		Content: b.Content, Refs: hd.Refs, Now: h.moment.Now, Random: w.random,
	})
	res.Refs, res.Passed = setOf(res.Refs), setOf(res.Passed)
	if why := w.check(hd, b, &res); why != 0 {
		w.end(&Refused{why})
		return
	}
	var missing []id.OID
	if w.from != h.me {
		missing = notIn(w.granted, res.Passed)
	}
	if len(missing) == 0 {
		w.commit(hd, b, res)
		return
	}
	w.tries++
	h.grant(missing, w.from, 1, true, func(ps []Passed, refused Refusal, f *Failure) {
		switch {
		case refused != 0 || f != nil:
			w.end(&Refused{Busy})
		// The object is elsewhere by now, or the call was carried out meanwhile: allowed has
		// answered.
		case !w.allowed():
			w.release()
		default:
			w.granted = append(w.granted, ps...)
			w.run()
		}
	})
}

// check returns why a result is refused, or 0.
func (w *calling) check(hd *head, b *body, res *Result) Refusal {
	h := w.h
	if len(res.Answer) > MaxArgument || len(res.Passed) > MaxPassed {
		return Large
	}
	for _, ref := range res.Passed {
		if h.has(ref) {
			continue
		}
		if w.from != h.me {
			return Unknown
		}
		// One reference that cannot be confirmed must not keep the others from the caller.
		if hd.root() {
			h.missing(ref)
		}
	}
	if !res.Changed || res.Refused {
		return 0
	}
	if len(res.Kinds) > 0 && w.from != h.me {
		return Forbidden
	}
	kinds := max(len(b.Kinds), len(res.Kinds))
	if kinds > MaxKinds || !fits(kinds, len(res.Content), len(res.Refs), len(hd.Holders)) {
		return Large
	}
	for _, ref := range res.Refs {
		if _, had := find(hd.Refs, ref); !had && !h.has(ref) {
			return Unknown
		}
	}
	return 0
}

// commit applies the result: one batch contains the change and the answer that is kept (O14).
func (w *calling) commit(hd *head, b *body, res Result) {
	h, oid := w.h, w.c.OID
	a := Answer{Refused: res.Refused, Answer: res.Answer, Passed: own(res.Passed)}
	for i := range a.Passed {
		if j := slices.IndexFunc(w.granted, func(p Passed) bool {
			return p.OID == a.Passed[i].OID
		}); j >= 0 {
			a.Passed[i] = w.granted[j]
		}
	}
	changed := res.Changed && !res.Refused
	if changed {
		b.Content = res.Content
		if len(res.Kinds) > 0 {
			b.Kinds = res.Kinds
		}
		if !slices.Equal(hd.Refs, res.Refs) {
			hd.Refs = res.Refs
			h.heads.put(oid, hd)
			h.refer(oid, hd.Refs)
		}
	}
	first := false
	if w.from != h.me {
		first = w.keep(b, a)
	}
	if changed || first {
		h.bodies.put(oid, b)
	}
	h.touch(oid)
	w.end(&a)
	h.countCall(oid, hd, w.from)
}

// keep keeps an answer until the caller has read it. It reports whether the call is the first of a
// process of the caller. The host writes such a call down whatever it does, so that no call of an
// earlier process is carried out any more. Any other call that changes nothing is not written down:
// its answer is kept in memory, and written with the next change. If that answer is forgotten, the
// call may be carried out again (O14).
func (w *calling) keep(b *body, a Answer) (first bool) {
	k := b.of(w.from)
	if k == nil {
		if hd := w.h.heads.get(w.c.OID); len(b.Calls) >= MaxHolders {
			b.Calls = slices.DeleteFunc(
				b.Calls, func(c calls) bool { return hd.holder(c.Host) == nil },
			)
		}
		b.Calls = append(b.Calls, calls{Host: w.from})
		k = &b.Calls[len(b.Calls)-1]
	}
	if k.Process != w.process {
		first = true
		k.Process, k.Kept = w.process, nil
	}
	k.Last = w.c.Number
	k.Kept = slices.DeleteFunc(k.Kept, func(x kept) bool { return x.Number <= w.c.Read })
	k.Kept = append(k.Kept, kept{w.c.Number, a})
	if len(k.Kept) > callWindow {
		k.Kept = slices.Delete(k.Kept, 0, len(k.Kept)-callWindow)
	}
	b.forget()
	return first
}

// callStreak is the host that called an object last, and how often it did so in a row (O13).
type callStreak struct {
	host  id.HostID
	count int
}

// Bounds of lazy moving (O13): of how many objects the last callers are remembered, and for how
// many milliseconds after its arrival no move of an object is proposed.
const (
	maxStreaks           = 65_536
	lazyRest   id.Millis = 60_000
)

// countCall counts a call, and proposes a move when there are enough in a row (O13). If the object
// is nimby, used evicts it to the caller instead (O25).
func (h *Host) countCall(oid id.OID, hd *head, from id.HostID) {
	if hd.State != here {
		return
	}
	if _, nimby := h.nimby[oid]; nimby && from != h.me {
		h.evictTo(oid, from, false)
		return
	}
	b := h.streaks[oid]
	if b == nil || b.host != from {
		if len(h.streaks) >= maxStreaks {
			clear(h.streaks)
		}
		b = &callStreak{host: from}
		h.streaks[oid] = b
	}
	b.count++
	if from == h.me {
		delete(h.streaks, oid)
		return
	}
	if b.count < h.cfg.Lazy || hd.Class.Fixed() {
		return
	}
	if at, ok := h.moved[oid]; ok && h.elapsed-at < lazyRest {
		return
	}
	delete(h.streaks, oid)
	h.event(Proposed{oid, from})
}

// Find asks where an object is. An Answered event ends it.
func (h *Host) Find(m Moment, t Ticket, oid id.OID) (Step, error) {
	return h.input(m, func() {
		if f := h.absent(oid); f != nil {
			h.conclude(t, oid, 0, f)
			return
		}
		h.reach(oid, &Find{oid}, func(b Body, f *Failure) {
			if e, ok := b.(*Elsewhere); ok {
				h.present(oid)
				h.event(Answered{Ticket: t, OID: oid, Owner: e.Where.Owner})
				return
			}
			h.answered(t, oid, b, f)
		})
	})
}
