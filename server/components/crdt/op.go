package crdt

import (
	"errors"
	"fmt"
	"math"
)

// Bounds of operations (C10).
const (
	// MaxEntity is the greatest entity. A JavaScript number can hold it.
	MaxEntity Entity = 1<<53 - 1
	// MaxTimestamp is the greatest timestamp. A key that has it cannot be written any more (C1).
	MaxTimestamp uint32 = math.MaxUint32
	// MaxData is the greatest length of data, in bytes.
	MaxData = 65_536
)

// Kind says what an operation does. The numbers are those of both wire forms (C8, C9).
type Kind uint8

// The kinds of operations.
const (
	Put          Kind = 1 // sets a value
	Delete       Kind = 2 // deletes a value
	DeleteEntity Kind = 3 // deletes an entity and all it has, for good (C5)
	Append       Kind = 4 // adds an element to a set (C6)
)

// Op is an operation. Nothing else travels between replicas. Fields that a kind does not use are
// zero.
type Op struct {
	Kind   Kind
	Entity Entity
	// Component is the number of the value or set. For Put, Delete and Append.
	Component uint32
	// Timestamp is a Lamport timestamp of the key, at least 1, or at least 0 for an Append. For
	// Put, Delete and Append. On bridges a Put or Delete may have 0, too (C10.9).
	Timestamp uint32
	// Data is a value or an element. Nil is the same as empty. For Put and Append.
	Data []byte
}

// Errors of Check, of the decoders and of local writes. The others wrap ErrOp.
var (
	ErrOp        = errors.New("not an operation on components")
	ErrKind      = fmt.Errorf("%w: its type is unknown", ErrOp)
	ErrEntity    = fmt.Errorf("%w: its entity is not from 0 to 2^53-1", ErrOp)
	ErrComponent = fmt.Errorf("%w: its component is not from 0 to 2^32-1", ErrOp)
	ErrTimestamp = fmt.Errorf("%w: its timestamp is not from 1 to 2^32-1", ErrOp)
	ErrData      = fmt.Errorf("%w: it has more than 65536 bytes of data", ErrOp)
)

// Check returns an error, which wraps ErrOp, if op exceeds the bounds of C10.
func (op *Op) Check() error { return op.check(false) }

// check is Check. If zero is set, it accepts the timestamp 0 (C10.9).
func (op *Op) check(zero bool) error {
	switch {
	case op.Kind < Put || op.Kind > Append:
		return ErrKind
	case op.Entity > MaxEntity:
		return ErrEntity
	case op.Timestamp == 0 && !zero && (op.Kind == Put || op.Kind == Delete):
		return ErrTimestamp
	case len(op.Data) > MaxData:
		return ErrData
	}
	return nil
}
