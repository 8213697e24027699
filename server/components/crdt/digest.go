package crdt

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"
)

// Buckets is the number of buckets of a digest (C20).
const Buckets = 256

// DigestSize is the length of a digest in bytes.
const DigestSize = Buckets * 8

// Digest says what a replica keeps, bucket by bucket: the sum of a bucket is the exclusive or of
// the first eight bytes, big-endian, of the SHA-256 of each operation in it (C20). It shows where
// replicas differ. It proves nothing against somebody who looks for operations that cancel each
// other out.
type Digest [Buckets]uint64

// Bytes returns the DigestSize bytes of d: its sums, big-endian.
func (d *Digest) Bytes() []byte {
	b := make([]byte, 0, DigestSize)
	for _, sum := range d {
		b = binary.BigEndian.AppendUint64(b, sum)
	}
	return b
}

// ErrDigest says that bytes are not a digest.
var ErrDigest = fmt.Errorf("a digest has %d bytes", DigestSize)

// set reads what Bytes has written. The error is ErrDigest.
func (d *Digest) set(b []byte) error {
	if len(b) != DigestSize {
		return ErrDigest
	}
	for i := range d {
		d[i] = binary.BigEndian.Uint64(b[8*i:])
	}
	return nil
}

// bucket returns the bucket of an operation, which depends on its key only.
func bucket(op *Op) int { return int((uint64(op.Entity) + 37*uint64(op.Component)) % Buckets) }

// sum returns the first eight bytes of the SHA-256 of an operation.
func (r *Replica) sum(op *Op) uint64 {
	r.scratch = appendOperation(r.scratch[:0], op)
	hash := sha256.Sum256(r.scratch)
	return binary.BigEndian.Uint64(hash[:])
}

// Digest returns the digest of what r keeps (C20). It keeps the sums of operations, so it hashes
// only what is new since the last call. Equal replicas have equal digests.
func (r *Replica) Digest() Digest {
	var d Digest
	add := func(op Op, sum *uint64) bool {
		if *sum == 0 {
			*sum = r.sum(&op)
		}
		d[bucket(&op)] ^= *sum
		return true
	}
	for _, b := range r.deleted.all() { // the order does not matter
		add(b.op(), &b.sum)
	}
	for e, b := range r.entities {
		b.each(e, add)
	}
	return d
}

// Differing returns the operations of r in the buckets in which d differs from the digest of r:
// what a replica with the digest d may lack (C20). They come in the order of Ops.
func (r *Replica) Differing(d *Digest) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		mine := r.Digest()
		if mine == *d {
			return
		}
		for op := range r.Ops() {
			if b := bucket(&op); mine[b] != d[b] && !yield(op) {
				return
			}
		}
	}
}
