package crdt

import (
	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of the fields (component.proto, C8).
const (
	messageOperations protowire.Number = 1
	messageDigest     protowire.Number = 15

	operationType      protowire.Number = 1
	operationEntity    protowire.Number = 2
	operationComponent protowire.Number = 3
	operationTimestamp protowire.Number = 4
	operationData      protowire.Number = 5

	digestSums protowire.Number = 1
	digestAsks protowire.Number = 2
)

// AppendOp appends an operation that passes Check to the bytes of a WireMessage (C8). Messages may
// be joined end to end.
func AppendOp(b []byte, op *Op) []byte {
	b = protowire.AppendTag(b, messageOperations, protowire.BytesType)
	b = protowire.AppendVarint(b, uint64(operationSize(op))) //nolint:gosec // not negative
	return appendOperation(b, op)
}

// AppendDigest appends a digest to the bytes of a WireMessage (C20). asks says whether the receiver
// should answer with its own digest.
func AppendDigest(b []byte, d *Digest, asks bool) []byte {
	size := protowire.SizeTag(digestSums) + protowire.SizeBytes(DigestSize)
	if asks {
		size += protowire.SizeTag(digestAsks) + protowire.SizeVarint(1)
	}
	b = protowire.AppendTag(b, messageDigest, protowire.BytesType)
	b = protowire.AppendVarint(b, uint64(size)) //nolint:gosec // not negative
	b = protowire.AppendTag(b, digestSums, protowire.BytesType)
	b = protowire.AppendBytes(b, d.Bytes())
	if asks {
		b = protowire.AppendTag(b, digestAsks, protowire.VarintType)
		b = protowire.AppendVarint(b, 1)
	}
	return b
}

// appendOperation appends a ComponentOperation: its fields in the order of their numbers, without
// those that are zero. The same bytes are hashed (C20).
func appendOperation(b []byte, op *Op) []byte {
	b = appendNumber(b, operationType, uint64(op.Kind))
	b = appendNumber(b, operationEntity, uint64(op.Entity))
	b = appendNumber(b, operationComponent, uint64(op.Component))
	b = appendNumber(b, operationTimestamp, uint64(op.Timestamp))
	if op.hasData() {
		b = protowire.AppendTag(b, operationData, protowire.BytesType)
		b = protowire.AppendBytes(b, op.Data)
	}
	return b
}

// operationSize returns how many bytes appendOperation appends.
func operationSize(op *Op) int {
	size := numberSize(uint64(op.Kind)) + numberSize(uint64(op.Entity)) +
		numberSize(uint64(op.Component)) + numberSize(uint64(op.Timestamp))
	if op.hasData() {
		size += tagSize + protowire.SizeBytes(len(op.Data))
	}
	return size
}

// hasData reports whether op has data, which may be empty.
func (op *Op) hasData() bool { return op.Kind == Put || op.Kind == Append }

// tagSize is the size of the tags of an operation's fields: their numbers are below 16.
const tagSize = 1

func appendNumber(b []byte, field protowire.Number, v uint64) []byte {
	if v == 0 {
		return b
	}
	b = protowire.AppendTag(b, field, protowire.VarintType)
	return protowire.AppendVarint(b, v)
}

func numberSize(v uint64) int {
	if v == 0 {
		return 0
	}
	return tagSize + protowire.SizeVarint(v)
}
