package fairness

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math/bits"
	"strconv"

	"holt/server/id"
)

// DrawRand gives the random numbers of one draw (F7), and the fact of the draw when it is done. It
// computes nothing before the first number is asked for, so an update that could draw and does not
// costs nothing. It is not safe for concurrent use.
type DrawRand struct {
	key   drawKey
	block uint32
	words [8]uint32
	left  int // unused words
	mac   hash.Hash
}

// drawKey has everything on which the numbers of a draw depend.
type drawKey struct {
	table    id.OID
	round    Round
	seed     *Seed
	pool     Digest
	mix      Mix
	audience Audience
	number   Number
	last     Digest // the seal of the draw before

	// The seal depends on these as well (F16), but not the outcome: otherwise the server could try
	// several times.
	bound bool // the round is of version 2
	line  Digest
	at    id.Millis
}

// IntN returns a random number from 0 to n-1, each with the same probability. It panics unless n is
// from 1 to 2^31.
func (r *DrawRand) IntN(n int) int {
	if n < 1 || n > MaxSides {
		panic("fair: IntN of " + strconv.Itoa(n))
	}
	if n == 1 {
		return 0
	}
	mask := uint32(1)<<bits.Len32(uint32(n-1)) - 1
	for {
		if k := int(r.word() & mask); k < n {
			return k
		}
	}
}

// word returns the next 32 bits.
func (r *DrawRand) word() uint32 {
	if r.mac == nil {
		l := &r.key
		key := of(labelDraw, l.table, l.round).bytes(l.pool[:]).
			u32(uint32(l.audience)).u32(uint32(l.number)).mac(l.seed[:])
		r.mac = hmac.New(sha256.New, key[:])
	}
	if r.left == 0 {
		r.mac.Reset()
		r.mac.Write(message(nil).u32(r.block))
		var sum Digest
		r.mac.Sum(sum[:0])
		for i := range r.words {
			r.words[i] = binary.BigEndian.Uint32(sum[4*i:])
		}
		r.block++
		r.left = len(r.words)
	}
	w := r.words[len(r.words)-r.left]
	r.left--
	return w
}

// Record returns the fact of the draw, which must be recorded at server time at. what, seat,
// pieces, inputs and outputs are those of a Record. The error is a FaultRecord if such a draw is
// impossible. It is a FaultOutcome if the outputs do not follow from these random numbers (F8),
// since nobody could verify such a draw.
func (r *DrawRand) Record(
	at id.Millis, what DrawKind, seat id.Seat, pieces []id.OID, inputs, outputs []uint32,
) (Drawn, error) {
	l := r.key
	l.at = at
	record := Record{
		Audience: l.audience, Number: l.number, Mix: l.mix, Kind: what, Seat: seat,
		Pieces: pieces, Inputs: inputs, Outputs: outputs,
	}
	if err := record.check(); err != nil {
		return Drawn{}, err
	}
	if _, err := l.verify(&record); err != nil {
		return Drawn{}, err
	}
	return Drawn{Round: l.round, Record: record, Seal: l.seal(&record)}, nil
}

// verify checks the outputs of a record that has passed check. On a difference it returns the
// position of the output, from 1.
func (l drawKey) verify(record *Record) (position int, err error) {
	for i, want := range record.outcome(&DrawRand{key: l}) {
		if record.Outputs[i] != want {
			return i + 1, numbers(FaultOutcome, want, record.Outputs[i])
		}
	}
	return 0, nil
}

// seal returns the digest that binds the table to a record and reveals nothing of it (F9).
func (l drawKey) seal(record *Record) Digest {
	if !l.bound {
		m := of(labelSeal, l.table, l.round).bytes(l.pool[:]).bytes(l.last[:])
		return record.append(m).mac(l.seed[:])
	}
	m := of(labelSealed, l.table, l.round).
		bytes(l.pool[:]).bytes(l.line[:]).bytes(l.last[:]).time(l.at)
	return record.append(m).mac(l.seed[:])
}
