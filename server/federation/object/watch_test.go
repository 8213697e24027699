package object

import (
	"encoding/binary"
	"slices"

	"holt/server/id"
)

// This file has what the simulation checks whenever something is stored: no object is lost, none
// has two owners, and no call is carried out twice.

// absentee is an object that a host could not reach.
type absentee struct {
	box int
	oid id.OID
}

// waits[n] is after how many minutes a host asks again for an object that was unreachable n times
// in a row (O17).
var waits = []id.Millis{0, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 7 * 24 * 60}

// missed checks that a host waits for an unreachable object exactly as long as it should (O17).
func (w *world) missed(i int, x Write) {
	key, now := absentee{i, x.OID}, max(0, w.now+w.boxes[i].skew)
	old := w.aways[key]
	if x.Value == nil {
		delete(w.aways, key)
		return
	}
	var a absence
	if err := decode(x.Value, &a); err != nil {
		panic(err)
	}
	w.aways[key] = a
	wait := waits[min(int(a.Failures), len(waits)-1)] * 60_000
	switch {
	case a.Until != now+wait:
		w.fail("O17: %s is unreachable for %d for the %dth time, until %d from now", x.OID, i,
			a.Failures, a.Until-now)
	case a.Failures == 1: // for the first time, or since it came back
	case a.Failures == old.Failures && a.Until >= old.Until,
		a.Failures != old.Failures && a.Failures != old.Failures+1:
		w.fail("O17: %s is unreachable for %d: %+v after %+v", x.OID, i, a, old)
	case a.Failures > old.Failures && now < old.Until:
		w.fail("O17: %s is asked for by %d before its time", x.OID, i)
	}
}

func parseHead(b []byte) *head {
	h := &head{}
	if err := decode(b, h); err != nil {
		panic(err)
	}
	return h
}

// served checks that no other host serves an object that a host serves (O8, O10), and that nothing
// moves that must not (O5).
func (w *world) served(i int, x Write) {
	h := parseHead(x.Value)
	if h.Class.Fixed() && x.OID.Creator() != w.boxes[i].id {
		w.fail("O5: %s of class %d is at %d", x.OID, h.Class, i)
	}
	if h.State != here || h.Life < w.boxes[i].life {
		return
	}
	for j, b := range w.boxes {
		v := b.disk.values[Heads][x.OID]
		if j == i || v == nil {
			continue
		}
		if o := parseHead(v); o.State == here && o.Life >= b.life && !w.pastOf(i, h.Term, o.Term) &&
			!w.pastOf(j, o.Term, h.Term) {
			w.fail("O10: %s is served by %d in term %d and by %d in term %d", x.OID, i,
				h.Term, j, o.Term)
		}
	}
}

// pastOf returns whether a host may serve an object in a term while another host serves it in a
// different one: others have gone on without that host, and no move reaches the newer term (O41).
func (w *world) pastOf(i int, term, now Term) bool { return w.outcast[i] && outdated(term, now) }

// once checks that nothing was carried out twice (O14).
func (w *world) once(x Write) {
	if w.lax {
		return
	}
	b := &body{}
	if err := decode(x.Value, b); err != nil {
		panic(err)
	}
	seen, last := map[uint64]bool{}, map[uint64]uint64{}
	for c := b.Content; len(c) >= 8; c = c[8:] {
		tag := binary.LittleEndian.Uint64(c)
		if seen[tag] {
			w.fail("O14: call %d of %s was carried out twice", tag, x.OID)
		}
		seen[tag] = true
		if from := tag >> 56; tag < last[from] {
			w.fail("O15: call %d of %s was carried out after %d of the same host", tag,
				x.OID, last[from])
		}
		last[tag>>56] = tag
	}
}

// flush makes the oldest batch of a host durable, and sends the messages that waited for that, but
// no more than most.
func (w *world) flush(i, most int) {
	b := w.boxes[i]
	if len(b.batches) == 0 {
		return
	}
	x := b.batches[0]
	b.batches = b.batches[1:]
	var gone []id.OID
	for _, y := range x.step.Writes {
		if y.Space != Heads {
			continue
		}
		if y.Value == nil {
			if was := b.durable[y.OID]; was != nil {
				gone = append(gone, y.OID)
				w.gaveBack(i, y.OID, was)
			}
			delete(b.durable, y.OID)
			continue
		}
		h := parseHead(y.Value)
		b.durable[y.OID] = h
		w.tenured(i, y.OID, h)
		w.refers(i, y.OID, h)
	}
	for _, y := range x.step.Writes {
		if y.Space == Helds && y.Value != nil && w.dead[y.OID] && !w.lax && w.disasters == nil {
			w.fail("O29: %d gets a reference to %s, which is deleted", i, y.OID)
		}
	}
	for n, s := range x.step.Sends {
		if n >= most {
			break
		}
		w.post(i, s)
	}
	if len(gone) > 0 {
		w.vanished(gone, x.step.Events)
	}
	if most < len(x.step.Sends) {
		return // it crashes now
	}
	for _, e := range x.step.Events {
		w.event(i, e)
	}
}

// tenured checks that terms rise, and that each has one owner (O10).
func (w *world) tenured(i int, oid id.OID, h *head) {
	if h.State != here || h.Life < w.boxes[i].life {
		return
	}
	if w.disasters != nil {
		delete(w.disasters.unborn, oid)
	}
	if h.Term < w.terms[oid] && !w.pastOf(i, h.Term, w.terms[oid]) && !w.begun(i, oid, h.Term) {
		w.fail("O10: %s at %d in term %d after %d", oid, i, h.Term, w.terms[oid])
	}
	w.terms[oid] = max(h.Term, w.terms[oid])
	if o, ok := w.owners[tenure{oid, h.Term}]; ok && o != i {
		w.fail("O10: %s in term %d at %d and %d", oid, h.Term, i, o)
	}
	w.owners[tenure{oid, h.Term}] = i
}

// begun returns whether a tenure has begun before. A restored host may have forgotten a later term
// (O11).
func (w *world) begun(i int, oid id.OID, term Term) bool {
	o, ok := w.owners[tenure{oid, term}]
	return w.disasters != nil && ok && o == i
}

// reachable returns what any root reaches, through all durable copies and all messages under way.
func (w *world) reachable() map[id.OID]bool {
	seen := map[id.OID]bool{}
	var queue []id.OID
	push := func(o id.OID) {
		if !seen[o] {
			seen[o] = true
			queue = append(queue, o)
		}
	}
	for _, b := range w.boxes {
		for oid, h := range b.durable {
			if h.root() {
				push(oid)
			}
		}
	}
	for len(queue) > 0 {
		o := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, b := range w.boxes {
			if h := b.durable[o]; h != nil {
				for _, ref := range h.Refs {
					push(ref)
				}
			}
		}
	}
	return seen
}

func (w *world) exists(oid id.OID) bool {
	for _, b := range w.boxes {
		if b.durable[oid] != nil {
			return true
		}
	}
	return false
}

// refers checks that no needed object refers to a deleted one (O29).
func (w *world) refers(i int, oid id.OID, h *head) {
	if w.lax || w.disasters != nil ||
		!slices.ContainsFunc(h.Refs, func(ref id.OID) bool { return w.dead[ref] }) {
		return
	}
	if w.reachable()[oid] {
		w.fail("O29: %s at %d is needed, and refers to deleted objects: %v", oid, i, h.Refs)
	}
}

// vanished checks that objects that were given up were collected, and are not needed (O29).
func (w *world) vanished(gone []id.OID, said []Event) {
	if w.lax || w.disasters != nil {
		return
	}
	for _, e := range said {
		if d, ok := e.(Deleted); ok {
			// a host that has not heard yet that it was moved may have a copy
			w.collected[d.OID] = true
		}
	}
	var lost []id.OID
	for _, oid := range gone {
		if !w.exists(oid) {
			lost = append(lost, oid)
			w.dead[oid] = true
			if !w.collected[oid] {
				w.fail("O29: %s was not collected, and is nowhere", oid)
			}
		}
	}
	if len(lost) == 0 {
		return
	}
	reachable := w.reachable()
	for _, oid := range lost {
		if reachable[oid] {
			w.fail("O29: %s is needed and deleted", oid)
		}
		for i, b := range w.boxes {
			if b.disk.values[Helds][oid] != nil {
				w.fail("O29: %s is held by %d and deleted", oid, i)
			}
		}
		for _, p := range w.net {
			if w.carries(p, oid) {
				w.fail("O29: %s is on its way from %d to %d and deleted", oid, p.from, p.to)
			}
		}
	}
}

// carries returns whether a packet passes a reference on that its receiver would accept.
func (w *world) carries(p packet, oid id.OID) bool {
	m, err := ReadMessage(p.b)
	if err != nil {
		w.fail("under way: %v", err)
		return false
	}
	var ps []Passed
	switch b := m.Body.(type) {
	case *Call:
		ps = b.Passed
	case *Offer:
		ps = b.Passed
	case *Give:
		ps = b.Passed
	case *Answer:
		if m.Process == w.boxes[p.to].host.self.Process &&
			w.boxes[p.to].host.asks[m.Number] != nil {
			ps = b.Passed
		}
	}
	for _, x := range ps {
		if x.OID == oid && x.Number > 0 {
			d := w.boxes[p.to].host.disowned.peek(oid)
			return d == nil || x.Number > d.Number
		}
	}
	return false
}
