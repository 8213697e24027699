package bridge

import (
	"fmt"
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/play/table"
)

// Entities below 2^32 are 65,536 times a version, plus a number (C5). Numbers below firstGiven are
// those of the table (C13). In flat form, the bridge chooses numbers from firstGiven on, and the
// replica chooses from firstMade on, so they never choose the same.
const (
	versionBits = 16
	firstGiven  = 4096
	firstMade   = 32_768

	// lifeBits is the position of the lives of a piece in protobuf form: all names are below 2^21.
	lifeBits = 21
	_        = uint(1<<lifeBits - 1 - table.MaxRandomName)
)

// numbers maps entities to their numbers on a bridge, and back. An entity may have several numbers,
// one after the other: a replica accepts nothing for a number that it has deleted (C5).
//
// An entity has its number by rule or by choice. A rule computes the number from the entity and
// from its lives. A chosen number is stored here.
type numbers struct {
	form Form
	once bool // it gives each number once
	// lives counts, for each entity with numbers by rule, how many of its numbers have ended.
	lives   map[crdt.Entity]uint32
	endings int // of all entities
	// wire maps an entity with a chosen number to that number, and entity the reverse. In flat
	// form: pieces and strokes. In protobuf form: strokes that the replica has deleted and may not
	// delete.
	wire   map[crdt.Entity]crdt.Entity
	entity map[crdt.Entity]crdt.Entity

	versions map[uint16]uint32        // flat: the least version of a number that can be used
	living   map[uint16][]crdt.Entity // flat: the entities that have the number, in some version
	next     uint32                   // flat: the least number that was never chosen
	free     []uint16                 // flat: numbers that were chosen and have ended
	cleared  schema.Second            // protobuf: the replica has deleted all earlier strokes

	// Set at construction.
	draw func() uint32
	used func(crdt.Entity) bool // whether the view has, or had, a stroke
}

func newNumbers(
	form Form, once bool, draw func() uint32, used func(crdt.Entity) bool,
) *numbers {
	return &numbers{
		form:     form,
		once:     once,
		lives:    map[crdt.Entity]uint32{},
		wire:     map[crdt.Entity]crdt.Entity{},
		entity:   map[crdt.Entity]crdt.Entity{},
		versions: map[uint16]uint32{},
		living:   map[uint16][]crdt.Entity{},
		next:     firstGiven,
		draw:     draw,
		used:     used,
	}
}

// chosen reports whether an entity gets its number by choice and not by rule.
func (n *numbers) chosen(e crdt.Entity) bool { return n.form == Flat && e >= crdt.FirstNamed }

// has returns the number of an entity. ok is false if it has none.
func (n *numbers) has(e crdt.Entity) (wire crdt.Entity, ok bool) {
	if wire, ok := n.wire[e]; ok {
		return wire, true
	}
	if n.chosen(e) {
		return 0, false
	}
	switch life := crdt.Entity(n.lives[e]); e.Class() {
	case crdt.Versioned:
		if schema.IsForeignEntity(e) {
			return e, true
		}
		return e + life<<versionBits, true
	case crdt.Named:
		return e + life<<lifeBits, true
	default:
		return e, true
	}
}

// give returns the number of an entity. If the entity has none that the replica accepts, give
// chooses one. The error is ErrResetRequired.
func (n *numbers) give(e crdt.Entity) (crdt.Entity, error) {
	_, bound := n.wire[e]
	if made, ok := schema.SecondOf(e); ok && !bound && n.form == Protobuf &&
		(n.lives[e] > 0 || made < n.cleared) {
		return n.alias(e)
	}
	if wire, ok := n.has(e); ok {
		return wire, nil
	}
	for len(n.free) > 0 && !n.once {
		number := n.free[0]
		n.free = n.free[1:]
		if version := n.versions[number]; version < 1<<versionBits {
			return n.bind(e, versioned(version, number)), nil
		}
	}
	for n.next < firstMade {
		number := uint16(n.next)
		n.next++
		version := n.versions[number]
		if version < 1<<versionBits && (version == 0 || !n.once) {
			return n.bind(e, versioned(version, number)), nil
		}
	}
	return 0, fmt.Errorf("%w: it has no number for an entity", ErrResetRequired)
}

func versioned(version uint32, number uint16) crdt.Entity {
	return crdt.Entity(version)<<versionBits | crdt.Entity(number)
}

// parts returns the version and the number of an entity below 2^32.
func parts(wire crdt.Entity) (version uint32, number uint16) {
	//nolint:gosec // below 2^32; its lowest 16 bits
	return uint32(wire >> versionBits), uint16(wire & (1<<versionBits - 1))
}

// bind gives an entity a chosen number.
func (n *numbers) bind(e, wire crdt.Entity) crdt.Entity {
	n.wire[e], n.entity[wire] = wire, e
	if n.form == Flat {
		_, number := parts(wire)
		n.living[number] = append(n.living[number], e)
	}
	return wire
}

// unbind ends the chosen number of an entity for good.
func (n *numbers) unbind(e, wire crdt.Entity) {
	delete(n.wire, e)
	delete(n.entity, wire)
	if n.form == Protobuf {
		return
	}
	_, number := parts(wire)
	n.markUsedUp(wire)
	n.living[number] = slices.DeleteFunc(n.living[number], func(other crdt.Entity) bool {
		return other == e
	})
	if len(n.living[number]) == 0 {
		delete(n.living, number)
	}
	if number < firstMade {
		n.free = append(n.free, number)
	}
}

// markUsedUp records that the replica accepts nothing any more for that number and its lower
// versions.
func (n *numbers) markUsedUp(wire crdt.Entity) {
	version, number := parts(wire)
	n.versions[number] = max(n.versions[number], version+1)
}

// end removes an entity that is gone for good. It returns the number that the entity had. ok is
// false if it had none.
func (n *numbers) end(e crdt.Entity) (crdt.Entity, bool) {
	wire, ok := n.has(e)
	if _, bound := n.wire[e]; bound {
		n.unbind(e, wire)
	}
	return wire, ok
}

// renew ends the number of an entity, so that it gets another one the next time. It returns the
// number that has ended. ok is false if the entity had none. The error is ErrResetRequired.
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

// endLives records how many numbers of an entity have ended. The error is ErrResetRequired.
func (n *numbers) endLives(e crdt.Entity, ended uint32) error {
	n.lives[e] = ended
	if n.endings++; ended >= 1<<versionBits || n.endings > MaxLives {
		return fmt.Errorf("%w: too many entities were deleted on it alone", ErrResetRequired)
	}
	return nil
}

// alias gives a stroke, in protobuf form, another number than its own.
func (n *numbers) alias(e crdt.Entity) (crdt.Entity, error) {
	made, _ := schema.SecondOf(e)
	wire := n.stroke(max(made, n.cleared))
	// No other entity has this number.
	return n.bind(e, wire), n.endLives(wire, 1)
}

// stroke returns a number that no stroke has: a random one, or the next one that is free.
func (n *numbers) stroke(made schema.Second) crdt.Entity {
	for number := n.draw(); ; number++ {
		e := schema.EntityOfStroke(made, number)
		if schema.ClassOf(e) == schema.ClassStroke && !n.used(e) &&
			n.lives[e] == 0 && n.wire[e] == 0 {
			return e
		}
	}
}

// meaning says what a number that the replica uses means.
type meaning uint8

const (
	nothing meaning = iota // no entity has or had it
	over                   // its entity has been deleted on the bridge
	alive
)

// resolve returns the entity that has a number, and whether it has it now.
func (n *numbers) resolve(wire crdt.Entity) (crdt.Entity, meaning) {
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

// byRule returns the entity that has a number by rule, and in which of its lives. It is not for
// strokes.
func byRule(wire crdt.Entity) (e crdt.Entity, life uint32) {
	if wire.Class() == crdt.Versioned {
		version, number := parts(wire)
		return crdt.Entity(number), version
	}
	life = uint32((wire - crdt.FirstNamed) >> lifeBits) //nolint:gosec // 31 bits
	return wire - crdt.Entity(life)<<lifeBits, life
}

// lived compares a life with the count of those that have ended.
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

// strokesBefore returns the strokes made before a second that have chosen numbers, in order.
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

// upTo returns the entities that have, in flat form, that number in that version or a lower one, in
// order: those that are deleted when the replica deletes wire (C5).
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
