package bridge

import (
	"holt/server/components/crdt"
	"holt/server/components/schema"
)

// MaxOffset is the greatest offset of the numbers of entities (C19.58). With it the numbers that
// the replica chooses begin at 512, and there are as many as without an offset.
const MaxOffset = 1<<versionBits - firstMade

const (
	firstTurned = 512                          // lower numbers are the same with every offset
	turned      = 1<<versionBits - firstTurned // how many numbers go round
)

// edge translates between the numbers that this package uses and those that travel.
type edge struct {
	offset uint32
	crc    bool // components have the CRC-32 of their names (C19.64)
}

// outward returns an operation for the replica as it travels.
func (x edge) outward(op crdt.Op) crdt.Op { return x.translate(op, x.offset) }

// inward returns an operation of the replica as this package sees it.
func (x edge) inward(op crdt.Op) crdt.Op { return x.translate(op, turned-x.offset) }

func (x edge) translate(op crdt.Op, by uint32) crdt.Op {
	version, number := parts(op.Entity)
	if x.offset > 0 && op.Entity.Class() == crdt.Versioned && number >= firstTurned {
		op.Entity = versioned(version, uint16(firstTurned+(uint32(number)-firstTurned+by)%turned))
	}
	if x.crc && op.Kind != crdt.DeleteEntity {
		op.Component = schema.SwapNumber(op.Component)
	}
	return op
}
