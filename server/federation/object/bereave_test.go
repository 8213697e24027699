package object

import (
	"encoding/binary"
	"maps"
	"slices"

	"holt/server/id"
)

// This file has what may be lost when disks go back or die (object.md). The model excuses that, and
// nothing else.

// thawing makes a host thaw a copy, if it may, and returns whether it has.
func (w *world) thawing(i int, oid id.OID) bool {
	v := w.boxes[i].disk.values[Copies][oid]
	c, ok := w.boxes[i].host.Copy(oid)
	s, err := w.boxes[i].host.Thaw(w.moment(i), oid)
	if err != nil {
		return false
	}
	if !ok || !c.Offered {
		w.fail("O41: %s is thawed, and was not offered", oid)
	}
	w.disasters.happened.thaws++
	w.outcast[indexOf(c.Owner)] = true
	f := &frozen{}
	if err := decode(v, f); err != nil {
		panic(err)
	}
	w.keepTags(oid, f.Content)
	w.input(i, s, nil)
	w.log("%d thaws %s", i, oid)
	return true
}

// bereave records what may be lost when an older disk replaces the state of a host.
func (w *world) bereave(i int, now, then *memory) {
	for oid, v := range now.values[Heads] {
		switch {
		case w.boxes[i].serves(parseHead(v)) || !w.liveBeside(oid, i):
			w.fallBack(oid, i, then)
		case !w.durableBeside(oid, i):
			w.disasters.unborn[oid] = w.tickets
		}
	}
	for oid := range now.values[Copies] {
		if now.values[Heads][oid] == nil && !w.exists(oid) {
			w.fallBack(oid, i, then)
		}
	}
	for oid, v := range then.values[Heads] {
		if delete(w.dead, oid); !w.liveBeside(oid, i) {
			w.fallBack(oid, i, then)
		}
		for _, ref := range append(parseHead(v).Refs, oid) {
			w.loosen(i, ref, now)
		}
	}
	for oid := range then.values[Helds] {
		w.loosen(i, oid, now)
	}
	for oid := range now.values[Disowned] { // it may be on its way here again
		w.loosen(i, oid, now)
	}
}

// loosen records the references that a host has again because of its backup, and had given up
// since.
func (w *world) loosen(i int, oid id.OID, now *memory) {
	if now.values[Heads][oid] != nil || now.values[Helds][oid] != nil {
		return
	}
	n, d := uint64(maxNumber), &disowned{}
	if v := now.values[Disowned][oid]; v != nil && decode(v, d) == nil {
		n = d.Number
	}
	w.disasters.loose[absentee{i, oid}] = max(n, w.disasters.loose[absentee{i, oid}])
}

// isLoose returns whether a host has a reference only because it went back to a time before it gave
// it up. The object may have been collected since, and its owner does not know the host as a
// holder.
func (w *world) isLoose(i int, oid id.OID) bool {
	b, r := w.boxes[i], &reference{}
	if v := b.disk.values[Helds][oid]; v != nil && decode(v, r) != nil {
		panic("held")
	}
	h := b.durable[oid]
	return (h == nil || !b.serves(h)) && r.Number <= w.disasters.loose[absentee{i, oid}]
}

// counts returns whether the copy of a host has to stay: the host serves it, or its creator says
// that it is this host's.
func (w *world) counts(j int, oid id.OID, h *head) bool {
	switch c := indexOf(oid.Creator()); {
	case h.Life < w.boxes[j].life || w.pastOf(j, h.Term, w.terms[oid]):
		return false
	case h.State == here, h.State == leaving && c == j:
		return true
	default:
		f := &whereabouts{}
		v := w.boxes[c].disk.values[Forwards][oid]
		return v != nil && decode(v, f) == nil && f.Owner == w.boxes[j].id
	}
}

// collectedAt records that a host has deleted an object that it owned. An older copy may be left at
// a host that had given the object up since its backup.
func (w *world) collectedAt(i int, oid id.OID) {
	if lost := w.disasters.mayLose[oid]; !w.liveBeside(oid, i) {
		w.fallBack(oid, i, newMemory())
		w.disasters.mayLose[oid] = lost
	}
}

// liveBeside returns whether another host serves an object, and not an old copy of it.
func (w *world) liveBeside(oid id.OID, i int) bool {
	for j, b := range w.boxes {
		v := b.disk.values[Heads][oid]
		if j == i || v == nil {
			continue
		}
		if h := parseHead(v); b.serves(h) && !w.pastOf(j, h.Term, w.terms[oid]) {
			return true
		}
	}
	return false
}

// durableBeside returns whether another host serves an object, and would do so after a crash.
func (w *world) durableBeside(oid id.OID, i int) bool {
	for j, b := range w.boxes {
		if h := b.durable[oid]; j != i && h != nil && b.serves(h) &&
			!w.pastOf(j, h.Term, w.terms[oid]) {
			return true
		}
	}
	return false
}

// unborn records what may be lost when a host forgets that it has received an object, and the host
// that sent it has gone back meanwhile: whatever the sender had carried out since its backup, and
// nothing that was asked later.
func (w *world) unborn(i int) {
	d := w.disasters
	for _, oid := range setOf(slices.Collect(maps.Keys(d.unborn))) {
		if w.liveBeside(oid, -1) {
			continue
		}
		before, last := d.since[oid], d.unborn[oid]
		delete(d.unborn, oid)
		w.fallBack(oid, i, w.boxes[i].disk)
		d.since[oid] = max(before, last)
	}
}

// serves returns whether a host serves its copy: the copy is not between two owners, and was
// confirmed since the host went back.
func (b *box) serves(h *head) bool { return h.State == here && h.Life >= b.life }

// fallBack records that the oldest of the other copies of an object may be all that is left. A copy
// may be an old one if its host has gone back and has not asked the creator yet, or if others went
// on without its host. Such a copy is dropped when its host learns of it.
func (w *world) fallBack(oid id.OID, i int, then *memory) {
	left := false
	look := func(m *memory, durable, counts bool) {
		if v := m.values[Bodies][oid]; v != nil && durable {
			left = left || counts
			w.keepOnly(oid, v)
		}
		if v := m.values[Copies][oid]; v != nil {
			f := &frozen{}
			if err := decode(v, f); err != nil {
				panic(err)
			}
			left = true
			w.keepTags(oid, f.Content)
		}
	}
	for j, b := range w.boxes {
		if j != i {
			h := b.durable[oid]
			look(b.disk, h != nil, h != nil && w.counts(j, oid, h))
		}
	}
	if look(then, true, true); !left {
		w.disasters.mayLose[oid] = true
		delete(w.added, oid)
		w.disasters.since[oid] = w.tickets
	}
}

// keepOnly drops acknowledged calls that are not in a body.
func (w *world) keepOnly(oid id.OID, v []byte) {
	b := &body{}
	if err := decode(v, b); err != nil {
		panic(err)
	}
	w.keepTags(oid, b.Content)
}

func (w *world) keepTags(oid id.OID, content []byte) {
	w.disasters.since[oid] = w.tickets
	in := map[uint64]bool{}
	for c := content; len(c) >= 8; c = c[8:] {
		in[binary.LittleEndian.Uint64(c)] = true
	}
	maps.DeleteFunc(w.added[oid], func(tag uint64, _ bool) bool { return !in[tag] })
}

// superseded records that calls may be lost that an old copy carried out before it learnt that it
// was superseded.
func (w *world) superseded(oid id.OID) {
	w.disasters.happened.superseded++
	w.keepServed(oid)
}

// gaveBack records that a host no longer has an object. A host that was given up may have given an
// old copy back to the creator, which serves another one. The host takes that for the end of the
// move, and does not learn that its copy is superseded.
func (w *world) gaveBack(i int, oid id.OID, was *head) {
	if w.disasters != nil && was.State == leaving && was.Peer == oid.Creator() &&
		w.pastOf(i, was.Term, w.terms[oid]) {
		w.keepServed(oid)
	}
}

// keepServed excuses all that is missing in the copy that the creator of an object serves.
func (w *world) keepServed(oid id.OID) {
	v := w.boxes[indexOf(oid.Creator())].disk.values[Bodies][oid]
	if v != nil {
		w.keepOnly(oid, v)
		return
	}
	w.disasters.since[oid] = w.tickets
	delete(w.added, oid)
}

// shelve keeps what a host puts into the quarantine. If another host has an older copy, that copy
// is what people can play with.
func (w *world) shelve(i int, oid id.OID) {
	_, voided := w.boxes[i].host.voided[oid]
	if voided && w.full() || !voided && w.r.IntN(8) == 0 {
		w.log("%d has no room for %s in its quarantine", i, oid)
		s, err := w.boxes[i].host.Spared(w.moment(i), oid)
		w.input(i, s, err)
		return
	}
	if !w.boxes[i].host.orphans[oid] {
		return // it was spared together with another one
	}
	w.disasters.shelved[oid] = true
	if v := w.boxes[i].disk.values[Heads][oid]; v != nil && parseHead(v).State != here &&
		w.disasters.removed[indexOf(oid.Creator())] {
		w.disasters.stranded[oid] = true
	}
	w.collectedAt(i, oid)
	s, err := w.boxes[i].host.Quarantined(w.moment(i), oid)
	w.input(i, s, err)
}

// droppedCopy records that a frozen copy was deleted. If it was the last one, nothing is left. That
// is allowed only when nothing at home needs the object (O40).
func (w *world) droppedCopy(oid id.OID) {
	for j, b := range w.boxes {
		if v := b.disk.values[Heads][oid]; v != nil && w.counts(j, oid, parseHead(v)) {
			return
		}
	}
	home := indexOf(oid.Creator())
	if v := w.boxes[home].disk.values[Heads][oid]; v != nil && parseHead(v).State == here {
		return // it has come home, and that host went back since and must confirm it
	}
	if w.neededAt(home, oid) {
		w.fail("O40: the last copy of %s is deleted while something at home needs it", oid)
	}
	w.disasters.mayLose[oid] = true
}

// neededAt returns whether a root of a host reaches an object through the objects of that host.
func (w *world) neededAt(i int, oid id.OID) bool {
	heads, seen := w.boxes[i].disk.values[Heads], map[id.OID]bool{}
	var queue []id.OID
	for o, v := range heads {
		if parseHead(v).root() {
			queue = append(queue, o)
		}
	}
	for len(queue) > 0 {
		o := queue[0]
		if queue = queue[1:]; seen[o] || heads[o] == nil {
			continue
		}
		seen[o] = true
		refs := parseHead(heads[o]).Refs
		if slices.Contains(refs, oid) {
			return true
		}
		queue = append(queue, refs...)
	}
	return false
}
