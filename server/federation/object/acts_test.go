package object

import (
	"encoding/binary"
	"slices"

	"holt/server/id"
)

// This file has what people and programs do in the simulation.

// toy is the behaviour of the objects of a world.
type toy struct{}

func (toy) Invoke(i Invocation) Result {
	r := Result{Content: i.Content, Refs: i.Refs}
	switch i.Method {
	case "add":
		r.Changed, r.Content = true, append(slices.Clip(i.Content), i.Args...)
	case "lay":
		r.Changed, r.Refs = true, append(slices.Clip(i.Refs), i.Passed...)
		if len(setOf(r.Refs)) > 6 && i.Caller != hostID(0) {
			r.Refused = true
		}
	case "cut":
		if len(i.Refs) > 0 {
			at := int(i.Args[0]) % len(i.Refs)
			r.Changed, r.Refs = true, slices.Delete(slices.Clone(i.Refs), at, at+1)
		}
	case "kinds": // newer versions of its kinds
		r.Changed, r.Kinds = true, []Kind{{1}}
		copy(r.Kinds[0][1:], i.Args)
	case "big":
		r.Answer = make([]byte, 60<<10)
	case "show":
		if len(i.Refs) > 0 {
			r.Passed = i.Refs[int(i.Args[0])%len(i.Refs):][:1]
		}
	case "pull": // the reference is given away
		if len(i.Refs) > 0 {
			at := int(i.Args[0]) % len(i.Refs)
			r.Passed = i.Refs[at:][:1]
			r.Changed, r.Refs = true, slices.Delete(slices.Clone(i.Refs), at, at+1)
		}
	}
	return r
}

func (w *world) create(i int, class Class, refs ...id.OID) id.OID {
	b := w.boxes[i]
	b.minted++
	oid := id.OID{}
	copy(oid[:], b.id[:])
	binary.BigEndian.PutUint64(oid[8:], b.minted)
	w.class[oid] = class
	s, err := b.host.Create(w.moment(i), oid, class, nil, nil, refs)
	w.input(i, s, err)
	w.log("%d creates %s class %d %v", i, oid, class, refs)
	return oid
}

func (w *world) call(i int, oid id.OID, method string, args []byte, passed ...id.OID) Ticket {
	w.tickets++
	q := request{box: i, oid: oid, method: method}
	if method == "add" {
		q.tag = uint64(w.tickets) | uint64(i)<<56
		args = binary.LittleEndian.AppendUint64(nil, q.tag)
	}
	if method == "kinds" && args != nil {
		q.tag = uint64(w.tickets)
		args = binary.BigEndian.AppendUint64(nil, q.tag)
	}
	w.asked[w.tickets] = q
	s, err := w.boxes[i].host.Call(w.moment(i), w.tickets, oid, method, args, passed)
	if a, away := w.aways[absentee{i, oid}]; away && w.now+w.boxes[i].skew < a.Until &&
		a.Until <= w.now+w.boxes[i].skew+minute*waits[len(waits)-1] && w.waits(i, oid, s) {
		w.fail("O17: %d sends something for %s before %d: %+v", i, oid, a.Until, s)
	}
	w.log("%d calls %s of %s with %v", i, method, oid, passed)
	w.input(i, s, err)
	return w.tickets
}

// waits returns whether a step asks for an unreachable object.
func (w *world) waits(i int, oid id.OID, s Step) bool {
	return slices.ContainsFunc(s.Sends, func(x Send) bool {
		c, ok := x.Message.Body.(*Call)
		return ok && c.OID == oid && c.Number == w.boxes[i].host.next
	})
}

func (w *world) event(i int, e Event) {
	w.log("%d: %T %+v", i, e, e)
	if w.keep {
		w.events = append(w.events, e)
	}
	switch e := e.(type) {
	case Answered:
		w.answered(i, e)
	case Given:
		if w.given != nil {
			w.given(i, e.OID)
		} else if own := w.pick(i, func(_ id.OID, h *head) bool { return h.root() }); !own.IsZero() {
			w.call(i, own, "lay", nil, e.OID)
		}
	case Deleted:
		w.seen.deleted++
		if w.disasters != nil {
			w.collectedAt(i, e.OID)
		}
	case Arrived:
		w.seen.moves++
	case Offended:
		w.seen.offences++
	case Orphaned:
		if w.shelves != nil {
			w.shelves(i, e.OID)
		}
	case Superseded:
		if w.disasters != nil {
			w.superseded(e.OID)
		}
	case Proposed:
		if !w.declines && (w.accepts || w.r.IntN(2) == 0) {
			w.move(i, e.OID, e.To)
		}
	case WentBack:
		w.noticed(i)
	case Rounded:
		w.rounds[i]++
		w.seen.pinged += e.Pinged
		w.seen.checked += e.Checked
	}
}

func (w *world) move(i int, oid id.OID, to id.HostID) {
	w.tickets++
	s, err := w.boxes[i].host.Move(w.moment(i), w.tickets, oid, to)
	w.input(i, s, err)
}

func (w *world) answered(i int, e Answered) {
	q, ok := w.asked[e.Ticket]
	if !ok {
		return
	}
	delete(w.asked, e.Ticket)
	switch {
	case e.Failure != nil:
		w.seen.failures++
	case e.Refusal == Forgotten:
		w.fail("O14: call %d of %s at %d is forgotten", q.tag, q.oid, i)
	case e.Refusal != 0:
		w.seen.refusals++
	default:
		w.seen.answers++
		if q.method == "add" && !e.Refused &&
			(w.disasters == nil || e.Ticket > w.disasters.since[q.oid]) {
			if w.added[q.oid] == nil {
				w.added[q.oid] = map[uint64]bool{}
			}
			w.added[q.oid][q.tag] = true
		}
		if q.method == "kinds" && !e.Refused {
			w.seen.redrawn++
			if w.disasters == nil || e.Ticket > w.disasters.since[q.oid] {
				w.redrawn[q.oid] = max(w.redrawn[q.oid], q.tag)
			}
		}
		if len(e.Passed) > 0 && w.r.IntN(3) > 0 {
			if own := w.pick(i, func(_ id.OID, h *head) bool { return h.root() }); !own.IsZero() {
				w.call(i, own, "lay", nil, e.Passed...)
			}
		}
	}
}

// pick draws one of the objects that a host owns.
func (w *world) pick(i int, fits func(id.OID, *head) bool) id.OID {
	var some []id.OID
	for oid, v := range w.boxes[i].disk.values[Heads] {
		if h := parseHead(v); h.State == here && fits(oid, h) {
			some = append(some, oid)
		}
	}
	return w.draw(some)
}

// pickAny draws one of the objects that a host owns or refers to.
func (w *world) pickAny(i int) id.OID {
	var some []id.OID
	for oid := range w.boxes[i].disk.values[Heads] {
		some = append(some, oid)
	}
	for oid := range w.boxes[i].disk.values[Helds] {
		some = append(some, oid)
	}
	some = slices.DeleteFunc(setOf(some), func(o id.OID) bool { return !w.boxes[i].host.has(o) })
	return w.draw(some)
}

func (w *world) draw(some []id.OID) id.OID {
	if len(some) == 0 {
		return id.OID{}
	}
	slices.SortFunc(some, compare)
	return some[w.r.IntN(len(some))]
}
