package crdt

import (
	"errors"
	"iter"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrMalformed says that bytes are not in protobuf encoding.
var ErrMalformed = errors.New("not in protobuf encoding")

// Message is a WireMessage that Decode has checked. It keeps the bytes from which it was read, and
// no more memory than that, whatever lengths they claim.
type Message struct {
	// Digest is the digest of the sender, or nil. Asks says whether the sender wants one in return
	// (C20).
	Digest *Digest
	Asks   bool
	// Len is the number of operations.
	Len int

	bytes []byte
	zero  bool // puts and deletes may have the timestamp 0
}

// Decode checks a whole WireMessage (C8, C10). It skips operations of unknown types, and unknown
// fields. The error is ErrMalformed or ErrDigest, or wraps ErrOp. The message keeps b, which must
// not be changed.
func Decode(b []byte) (Message, error) { return decode(b, false) }

// DecodeFromReplica is Decode for a message of a replica on a bridge: its puts and deletes may have
// the timestamp 0 (C10.9).
func DecodeFromReplica(b []byte) (Message, error) { return decode(b, true) }

func decode(b []byte, zero bool) (Message, error) {
	m := Message{bytes: b, zero: zero}
	hasDigest := false
	s := scanner{rest: b}
	for s.next() {
		switch {
		case s.is(messageOperations, protowire.BytesType):
			op, err := decodeOperation(s.bytes, zero)
			if err != nil {
				return Message{}, err
			}
			if op.Kind != 0 {
				m.Len++
			}
		case s.is(messageDigest, protowire.BytesType):
			hasDigest = true
			if err := m.decodeDigest(s.bytes); err != nil {
				return Message{}, err
			}
		}
	}
	switch {
	case s.err != nil:
		return Message{}, s.err
	case hasDigest && m.Digest == nil:
		return Message{}, ErrDigest
	}
	return m, nil
}

// Ops returns the operations, each of which passes Check. Their data is part of the bytes that
// Decode was given.
func (m *Message) Ops() iter.Seq[Op] {
	return func(yield func(Op) bool) {
		s := scanner{rest: m.bytes}
		for s.next() {
			if !s.is(messageOperations, protowire.BytesType) {
				continue
			}
			op, err := decodeOperation(s.bytes, m.zero)
			if err == nil && op.Kind != 0 && !yield(op) {
				return
			}
		}
	}
}

// decodeDigest reads a Digest, or the continuation of one that began in an earlier field (C20).
func (m *Message) decodeDigest(b []byte) error {
	s := scanner{rest: b}
	for s.next() {
		switch {
		case s.is(digestSums, protowire.BytesType):
			m.Digest = new(Digest)
			if err := m.Digest.set(s.bytes); err != nil {
				return err
			}
		case s.is(digestAsks, protowire.VarintType):
			m.Asks = s.varint != 0
		}
	}
	return s.err
}

// decodeOperation reads a ComponentOperation. Its Kind is 0 if it is of a type that is skipped.
// zero accepts the timestamp 0.
func decodeOperation(b []byte, zero bool) (Op, error) {
	var op Op
	hasData := false
	s := scanner{rest: b}
	for s.next() {
		switch n := s.varint; {
		case s.is(operationType, protowire.VarintType):
			op.Kind = 0
			//nolint:gosec // an int32, which is cut to its 32 bits
			if n = uint64(uint32(n)); n <= uint64(Append) {
				op.Kind = Kind(n)
			}
		case s.is(operationEntity, protowire.VarintType):
			if n > uint64(MaxEntity) {
				return Op{}, ErrEntity
			}
			op.Entity = Entity(n)
		case s.is(operationComponent, protowire.VarintType):
			if n > math.MaxUint32 {
				return Op{}, ErrComponent
			}
			op.Component = uint32(n)
		case s.is(operationTimestamp, protowire.VarintType):
			if n > uint64(MaxTimestamp) {
				return Op{}, ErrTimestamp
			}
			op.Timestamp = uint32(n)
		case s.is(operationData, protowire.BytesType):
			if len(s.bytes) > MaxData {
				return Op{}, ErrData
			}
			op.Data, hasData = s.bytes, true
		}
	}
	if s.err != nil || op.Kind == 0 {
		return Op{}, s.err
	}
	op.normalise(hasData)
	if err := op.check(zero); err != nil {
		return Op{}, err
	}
	return op, nil
}

// normalise clears what the kind of op does not use. A Put without data is a Delete (C8).
func (op *Op) normalise(hasData bool) {
	switch op.Kind {
	case DeleteEntity:
		*op = Op{Kind: DeleteEntity, Entity: op.Entity}
	case Put:
		if !hasData {
			op.Kind = Delete
		}
	case Delete:
		op.Data = nil
	case Append:
	}
}

// scanner iterates over the fields of a message. It takes one step per field and keeps nothing.
type scanner struct {
	rest []byte

	number protowire.Number
	kind   protowire.Type
	varint uint64 // of a field of protowire.VarintType
	bytes  []byte // of a field of protowire.BytesType
	err    error  // ErrMalformed
}

// next reads the next field, and reports whether there is one.
func (s *scanner) next() bool {
	if len(s.rest) == 0 || s.err != nil {
		return false
	}
	var number protowire.Number
	var kind protowire.Type
	n := 1
	if tag := s.rest[0]; 1<<3 <= tag && tag < 1<<7 { // a tag of one byte, as all that are known have
		number, kind = protowire.Number(tag>>3), protowire.Type(tag&7)
	} else if number, kind, n = protowire.ConsumeTag(s.rest); n < 0 ||
		number > protowire.MaxValidNumber {
		s.err = ErrMalformed
		return false
	}
	s.number, s.kind, s.varint, s.bytes = number, kind, 0, nil
	s.rest = s.rest[n:]
	switch kind {
	case protowire.VarintType:
		if len(s.rest) > 0 && s.rest[0] < 1<<7 {
			s.varint, n = uint64(s.rest[0]), 1
			break
		}
		s.varint, n = protowire.ConsumeVarint(s.rest)
	case protowire.BytesType:
		s.bytes, n = protowire.ConsumeBytes(s.rest)
	default:
		n = protowire.ConsumeFieldValue(number, kind, s.rest)
	}
	if n < 0 {
		s.err = ErrMalformed
		return false
	}
	s.rest = s.rest[n:]
	return true
}

func (s *scanner) is(number protowire.Number, kind protowire.Type) bool {
	return s.number == number && s.kind == kind
}
