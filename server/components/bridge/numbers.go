package bridge

import (
	"fmt"
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/play/table"
)

// The numbers of entities below 2^32 on a link: 65,536 times a version, plus a number (C5). Those below firstGiven are the table's
// own (C13). On a flat link those from firstGiven on are given by the link, and those from firstMade on by the replica, so that
// the two never give the same.
const (
	versionBits = 16
	firstGiven  = 4096
	firstMade   = 32_768

	// lifeBits is where the lives of a piece count in protobuf form: all names are below.
	lifeBits = 21
	_        = uint(1<<lifeBits - 1 - table.MaxLot)
)

// numbers says what entities are called on a link. On its way an entity may have several numbers, one after the other: a
// replica never takes anything for a number that it has deleted (C5).
type numbers struct {
	form Form
	// lives counts how many numbers of an entity have ended, if it has numbers by rule.
	lives   map[crdt.Entity]uint32
	endings int // of them all
	// wire and entity are what entities are called that have a number by choice, and the reverse. Flat: pieces and strokes.
	// Protobuf: strokes that the replica has deleted though it may not.
	wire   map[crdt.Entity]crdt.Entity
	entity map[crdt.Entity]crdt.Entity

	versions map[uint16]uint32        // flat: the least version of a number that is still good
	living   map[uint16][]crdt.Entity // flat: the entities that have the number, in some version
	next     uint32                   // flat: the least number that was never given
	free     []uint16                 // flat: numbers that were given, and have ended
	cleared  schema.Second            // protobuf: the replica has deleted all strokes that were made before

	// Set at construction.
	draw func() uint32
	used func(crdt.Entity) bool // whether the view has been told of a stroke
}

func newNumbers(form Form, draw func() uint32, used func(crdt.Entity) bool) *numbers {
	return &numbers{
		form: form, lives: map[crdt.Entity]uint32{}, wire: map[crdt.Entity]crdt.Entity{}, entity: map[crdt.Entity]crdt.Entity{},
		versions: map[uint16]uint32{}, living: map[uint16][]crdt.Entity{}, next: firstGiven, draw: draw, used: used,
	}
}

// chosen reports whether an entity has a number by choice and not by rule.
func (n *numbers) chosen(e crdt.Entity) bool { return n.form == Flat && e >= crdt.FirstNamed }

// has returns what an entity is called; not ok if it has no number.
func (n *numbers) has(e crdt.Entity) (wire crdt.Entity, ok bool) {
	if wire, ok := n.wire[e]; ok {
		return wire, true
	}
	if n.chosen(e) {
		return 0, false
	}
	switch life := crdt.Entity(n.lives[e]); e.Class() {
	case crdt.Versioned:
		return e + life<<versionBits, true
	case crdt.Named:
		return e + life<<lifeBits, true
	default:
		return e, true
	}
}

// give is has, but gives the entity a number if it has none that the replica takes. The error is ErrAnew.
func (n *numbers) give(e crdt.Entity) (crdt.Entity, error) {
	_, bound := n.wire[e]
	if made, ok := schema.SecondOf(e); ok && !bound && n.form == Protobuf && (n.lives[e] > 0 || made < n.cleared) {
		return n.alias(e)
	}
	if wire, ok := n.has(e); ok {
		return wire, nil
	}
	for len(n.free) > 0 {
		number := n.free[0]
		n.free = n.free[1:]
		if version := n.versions[number]; version < 1<<versionBits {
			return n.bind(e, versioned(version, number)), nil
		}
	}
	for n.next < firstMade {
		number := uint16(n.next)
		n.next++
		if version := n.versions[number]; version < 1<<versionBits {
			return n.bind(e, versioned(version, number)), nil
		}
	}
	return 0, fmt.Errorf("%w: it has no number for an entity", ErrAnew)
}

func versioned(version uint32, number uint16) crdt.Entity {
	return crdt.Entity(version)<<versionBits | crdt.Entity(number)
}

// parts returns the version and the number of an entity below 2^32.
func parts(wire crdt.Entity) (version uint32, number uint16) {
	return uint32(wire >> versionBits), uint16(wire & (1<<versionBits - 1)) //nolint:gosec // below 2^32; its lowest 16 bits
}

// bind lets an entity have a number.
func (n *numbers) bind(e, wire crdt.Entity) crdt.Entity {
	n.wire[e], n.entity[wire] = wire, e
	if n.form == Flat {
		_, number := parts(wire)
		n.living[number] = append(n.living[number], e)
	}
	return wire
}

// unbind takes the number of an entity, which it has by choice, away for good.
func (n *numbers) unbind(e, wire crdt.Entity) {
	delete(n.wire, e)
	delete(n.entity, wire)
	if n.form == Protobuf {
		return
	}
	_, number := parts(wire)
	n.spoil(wire)
	n.living[number] = slices.DeleteFunc(n.living[number], func(other crdt.Entity) bool { return other == e })
	if len(n.living[number]) == 0 {
		delete(n.living, number)
	}
	if number < firstMade {
		n.free = append(n.free, number)
	}
}

// spoil says that the replica takes nothing any more for that number, nor for its lower versions.
func (n *numbers) spoil(wire crdt.Entity) {
	version, number := parts(wire)
	n.versions[number] = max(n.versions[number], version+1)
}

// end takes an entity off the link that has gone for good. It returns what it was called; not ok if it had no number.
func (n *numbers) end(e crdt.Entity) (crdt.Entity, bool) {
	wire, ok := n.has(e)
	if _, bound := n.wire[e]; bound {
		n.unbind(e, wire)
	}
	return wire, ok
}

// renew ends the number that an entity has, and lets it have another one the next time. It returns what it was called, and
// not ok if it had no number. The error is ErrAnew.
func (n *numbers) renew(e crdt.Entity) (wire crdt.Entity, ok bool, err error) {
	wire, ok = n.has(e)
	switch {
	case !ok:
		return 0, false, nil
	case n.chosen(e):
		n.unbind(e, wire)
		return wire, true, nil
	case e.Class() == crdt.Timed:
		n.unbind(e, wire)
		return wire, true, n.endLives(wire, 1)
	default:
		return wire, true, n.endLives(e, n.lives[e]+1)
	}
}

// endLives notes how many numbers of an entity have ended. The error is ErrAnew.
func (n *numbers) endLives(e crdt.Entity, ended uint32) error {
	n.lives[e] = ended
	if n.endings++; ended >= 1<<versionBits || n.endings > MaxLives {
		return fmt.Errorf("%w: too many entities were deleted on it alone", ErrAnew)
	}
	return nil
}

// alias gives a stroke, in protobuf form, another number than its own.
func (n *numbers) alias(e crdt.Entity) (crdt.Entity, error) {
	made, _ := schema.SecondOf(e)
	wire := n.stroke(max(made, n.cleared))
	return n.bind(e, wire), n.endLives(wire, 1) // nobody else is called so
}

// stroke returns a number that no stroke has: one drawn by lot, or the next one that is free.
func (n *numbers) stroke(made schema.Second) crdt.Entity {
	for lot := n.draw(); ; lot++ {
		e := schema.EntityOfStroke(made, lot)
		if schema.ClassOf(e) == schema.ClassStroke && !n.used(e) && n.lives[e] == 0 && n.wire[e] == 0 {
			return e
		}
	}
}

// meaning says what a number of the replica's means.
type meaning uint8

const (
	nothing meaning = iota // no entity has it, or had it
	over                   // its entity has been deleted on the link
	alive
)

// means returns the entity that is called so.
func (n *numbers) means(wire crdt.Entity) (crdt.Entity, meaning) {
	if e, ok := n.entity[wire]; ok {
		return e, alive
	}
	e := wire
	switch wire.Class() {
	case crdt.Versioned:
		e, version := byRule(wire)
		switch {
		case n.form == Protobuf || e < firstGiven:
			return e, lived(version, n.lives[e])
		case version < n.versions[uint16(e)]: //nolint:gosec // a number
			return 0, over
		}
		return 0, nothing
	case crdt.Named:
		e, life := byRule(wire)
		return e, lived(life, n.lives[e])
	default:
		if now, ok := n.has(e); ok && now != e || n.lives[wire] > 0 {
			return 0, over
		}
		return e, alive
	}
}

// byRule returns the entity that has a number by rule, and in which of its lives; of no stroke.
func byRule(wire crdt.Entity) (e crdt.Entity, life uint32) {
	if wire.Class() == crdt.Versioned {
		version, number := parts(wire)
		return crdt.Entity(number), version
	}
	life = uint32((wire - crdt.FirstNamed) >> lifeBits) //nolint:gosec // 31 bits
	return wire - crdt.Entity(life)<<lifeBits, life
}

// lived compares a life with how many are over.
func lived(life, ended uint32) meaning {
	switch {
	case life < ended:
		return over
	case life == ended:
		return alive
	default:
		return nothing
	}
}

// strokesBefore returns the strokes made before a second that have a number by choice, in order.
func (n *numbers) strokesBefore(until schema.Second) []crdt.Entity {
	var all []crdt.Entity
	for e := range n.wire {
		if made, ok := schema.SecondOf(e); ok && made < until {
			all = append(all, e)
		}
	}
	slices.Sort(all)
	return all
}

// upTo returns the entities that have, on a flat link, that number in that version or a lower one, in order: what goes when the
// replica deletes it (C5).
func (n *numbers) upTo(wire crdt.Entity) []crdt.Entity {
	_, number := parts(wire)
	var all []crdt.Entity
	for _, e := range n.living[number] {
		if n.wire[e] <= wire {
			all = append(all, e)
		}
	}
	slices.Sort(all)
	return all
}
