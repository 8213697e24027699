package fairness

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"

	"holt/server/id"
)

// The labels with which hashed messages begin (F1). No label is a prefix of another one.
const (
	labelSeed    = "holt.fair/1 seed"
	labelCommit  = "holt.fair/1 commit"
	labelEntropy = "holt.fair/1 entropy"
	labelClosing = "holt.fair/1 closing"
	labelPool    = "holt.fair/1 pool"
	labelDraw    = "holt.fair/1 draw"
	labelSeal    = "holt.fair/1 seal"
	labelEnd     = "holt.fair/1 end"

	labelHead   = "holt.fair/2 head"
	labelLine   = "holt.fair/2 line"
	labelKind   = "holt.fair/2 kind"
	labelSealed = "holt.fair/2 seal"
	labelSum    = "holt.fair/2 sum"
	labelKeyed  = "holt.fair/2 end"
)

// message is a hashed message or an encoding: fields one after the other, numbers big-endian.
type message []byte

func (m message) bytes(b []byte) message { return append(m, b...) }
func (m message) u8(n uint8) message     { return append(m, n) }
func (m message) u32(n uint32) message   { return binary.BigEndian.AppendUint32(m, n) }
func (m message) u64(n uint64) message   { return binary.BigEndian.AppendUint64(m, n) }

// time appends a server time in milliseconds.
func (m message) time(at id.Millis) message {
	return m.u64(uint64(at)) //nolint:gosec // not before 1970
}

// u32s appends a list of numbers after their count.
func (m message) u32s(list []uint32) message {
	m = m.u32(uint32(len(list))) //nolint:gosec // lists are bounded by MaxThings
	for _, n := range list {
		m = m.u32(n)
	}
	return m
}

// text appends a text after its length in bytes.
func (m message) text(s string) message {
	m = m.u32(uint32(len(s))) //nolint:gosec // texts are bounded by MaxName, or by a file
	return append(m, s...)
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

// SeedOf derives the seed of a round from the secret of the table. It includes the epoch, so that a
// restored history does not repeat earlier draws (F2).
func SeedOf(secret *Secret, table id.OID, epoch id.Epoch, round Round) Seed {
	return Seed(of(labelSeed, table, round).u64(uint64(epoch)).mac(secret[:]))
}

// Commitment returns what the table publishes of a seed before it uses the seed (F2).
func (s *Seed) Commitment(table id.OID, round Round) Digest {
	return of(labelCommit, table, round).bytes(s[:]).sum()
}

// Commitment returns what a client publishes of its entropy before it reveals the entropy (F3). It
// includes the seat, so that nobody can contribute what somebody else has committed to.
func (e *Entropy) Commitment(table id.OID, round Round, mix Mix, seat id.Seat) Digest {
	return of(labelEntropy, table, round).u32(uint32(mix)).u32(uint32(seat)).bytes(e[:]).sum()
}

// firstPool returns the pool before anybody has contributed (F5).
func firstPool(commitment Digest) Digest {
	return message(labelPool).bytes(commitment[:]).sum()
}

// end returns the hash of a whole round as a next round of version 1 states it: the last pool, and
// the last number and seal of each audience (F10). Whoever knows these can compute it.
func end(table id.OID, round Round, pool Digest, heads heads) Digest {
	return of(labelEnd, table, round).bytes(pool[:]).heads(heads).sum()
}

// sumOf returns the hash of a whole round, from which its end in a next round of version 2 is
// computed (F10). line is zero for a round of version 1.
func sumOf(table id.OID, round Round, pool, line Digest, heads heads) Digest {
	return of(labelSum, table, round).bytes(pool[:]).bytes(line[:]).heads(heads).sum()
}

// end returns the end of the round of this seed (F10). Without the seed it reveals nothing of the
// sum.
func (s *Seed) end(sum Digest) Digest {
	return message(labelKeyed).bytes(sum[:]).mac(s[:])
}

// KindNames returns the hash of the names of kinds, in the order of their numbers (F16).
func KindNames(names []string) (d Digest) {
	for _, name := range names {
		d = d.kind(name)
	}
	return d
}

// kind returns the hash of the names with one more name.
func (d Digest) kind(name string) Digest { return message(labelKind).bytes(d[:]).text(name).sum() }

// line returns the first line of a round, which follows from its opening (F16).
func (f *Opened) line(table id.OID, at id.Millis) Digest {
	m := of(labelHead, table, f.Round).time(at).bytes(f.Commitment[:]).bytes(f.Before[:])
	return f.Bound.append(m).sum()
}

// follow returns the line after a public fact that is not a draw (F16). d is the line before it.
func (d Digest) follow(at id.Millis, f Fact) Digest {
	e := encoder{message(labelLine).bytes(d[:]).time(at).u8(uint8(f.Kind())), true}
	f.fields(&e)
	return e.sum()
}

// heads appends the last draws of audiences after their count.
func (m message) heads(heads heads) message {
	m = m.u32(uint32(len(heads))) //nolint:gosec // at most MaxAudiences
	for _, h := range heads {
		m = m.u32(uint32(h.audience)).u32(uint32(h.number)).bytes(h.seal[:])
	}
	return m
}
