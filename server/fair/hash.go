package fair

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"

	"holt/server/id"
)

// The labels that begin what is hashed (F1). None begins another one.
const (
	labelSeed    = "holt.fair/1 seed"
	labelCommit  = "holt.fair/1 commit"
	labelEntropy = "holt.fair/1 entropy"
	labelClosing = "holt.fair/1 closing"
	labelPool    = "holt.fair/1 pool"
	labelDraw    = "holt.fair/1 draw"
	labelSeal    = "holt.fair/1 seal"
	labelEnd     = "holt.fair/1 end"
)

// message is what is hashed, or an encoding: fields one after the other, numbers big-endian.
type message []byte

func (m message) bytes(b []byte) message { return append(m, b...) }
func (m message) u8(n uint8) message     { return append(m, n) }
func (m message) u32(n uint32) message   { return binary.BigEndian.AppendUint32(m, n) }
func (m message) u64(n uint64) message   { return binary.BigEndian.AppendUint64(m, n) }

// u32s is a list of numbers behind their count.
func (m message) u32s(list []uint32) message {
	m = m.u32(uint32(len(list))) //nolint:gosec // lists are bounded by MaxThings
	for _, n := range list {
		m = m.u32(n)
	}
	return m
}

// of begins a message about a round of a table.
func of(label string, table id.OID, round Round) message {
	return message(label).bytes(table[:]).u32(uint32(round))
}

func (m message) sum() Digest { return sha256.Sum256(m) }

func (m message) mac(key []byte) (d Digest) {
	h := hmac.New(sha256.New, key)
	h.Write(m)
	h.Sum(d[:0])
	return d
}

// SeedOf derives the seed of a round from the secret of the table. The epoch is in it so that a history that was
// restored does not draw again what was drawn before (F2).
func SeedOf(secret *Secret, table id.OID, epoch id.Epoch, round Round) Seed {
	return Seed(of(labelSeed, table, round).u64(uint64(epoch)).mac(secret[:]))
}

// Commitment is what the table publishes of a seed before it uses it (F2).
func (s *Seed) Commitment(table id.OID, round Round) Digest {
	return of(labelCommit, table, round).bytes(s[:]).sum()
}

// Commitment is what a client publishes of its entropy before it tells it (F3). The seat is in it so that nobody
// can contribute what another has committed to.
func (e *Entropy) Commitment(table id.OID, round Round, mix Mix, seat id.Seat) Digest {
	return of(labelEntropy, table, round).u32(uint32(mix)).u32(uint32(seat)).bytes(e[:]).sum()
}

// firstPool is the pool before anybody has contributed (F5).
func firstPool(commitment Digest) Digest {
	return message(labelPool).bytes(commitment[:]).sum()
}

// end condenses a whole round: its last pool, and the last number and seal of each audience (F10).
func end(table id.OID, round Round, pool Digest, heads heads) Digest {
	m := of(labelEnd, table, round).bytes(pool[:]).u32(uint32(len(heads))) //nolint:gosec // at most MaxAudiences
	for _, h := range heads {
		m = m.u32(uint32(h.audience)).u32(uint32(h.number)).bytes(h.seal[:])
	}
	return m.sum()
}
