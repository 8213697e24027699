package crdt

// Entity is what components belong to. Its number says how it is deleted (C5).
type Entity uint64

// Class is a range of entities that are deleted in the same way.
type Class uint8

// The classes of entities.
const (
	// Versioned entities are below 2^32: 65,536 times a version, plus a number. Deleting one
	// deletes the lower versions of its number, too.
	Versioned Class = iota
	// Named entities, from 2^32, are deleted one by one.
	Named
	// Timed entities, from 2^52, are ordered by a time. The lowest TimedBits bits tell apart those
	// of one time and are not all zero. A number in which they are all zero is not an entity:
	// deleting it deletes all that are lower.
	Timed

	classes = iota
)

const (
	// FirstNamed is the lowest Named entity.
	FirstNamed Entity = 1 << 32
	// FirstTimed is the lowest Timed entity.
	FirstTimed Entity = 1 << 52
	// TimedBits is the number of bits that tell apart Timed entities of one time.
	TimedBits = 20

	versionBits = 16
)

// Class returns the class of e.
func (e Entity) Class() Class {
	switch {
	case e < FirstNamed:
		return Versioned
	case e < FirstTimed:
		return Named
	default:
		return Timed
	}
}

// number returns the number of a Versioned entity.
func (e Entity) number() uint16 { return uint16(e & (1<<versionBits - 1)) }

// version returns the version of a Versioned entity.
func (e Entity) version() uint16 {
	return uint16(e >> versionBits) //nolint:gosec // of a number below 2^32
}

// versioned returns a Versioned entity.
func versioned(number, version uint16) Entity {
	return Entity(version)<<versionBits | Entity(number)
}

// isFloor reports whether deleting e deletes all lower Timed entities.
func (e Entity) isFloor() bool { return e >= FirstTimed && e&(1<<TimedBits-1) == 0 }
