package fairness

import (
	"slices"
	"strconv"
	"strings"

	"holt/server/id"
)

// Phase says what a mix waits for.
type Phase uint8

// The phases.
//
//	            commit            reveal
//	             ┌──┐              ┌──┐
//	             │  ▼              │  ▼
//	open ──▶ Collecting ──close──▶ Revealing
//	             ▲                     │
//	             └─────────mix─────────┘
//
// Draws are made in both phases, with the pool of the last mix.
const (
	Collecting Phase = 1
	Revealing  Phase = 2
)

// share is a contribution to the current mix.
type share struct {
	seat     id.Seat
	client   id.Client // not in exports
	hash     Digest
	entropy  Entropy
	revealed bool
}

// mixing brings entropy into the pool of one round (F3 to F5). State and verifier share this code.
type mixing struct {
	table id.OID
	round Round

	phase  Phase
	mixed  Mix    // the number of finished mixes
	pool   Digest // the pool after them
	shares []share
}

// begin returns the mixing of a round with this commitment.
func begin(table id.OID, round Round, commitment Digest) mixing {
	return mixing{table: table, round: round, phase: Collecting, pool: firstPool(commitment)}
}

// due checks that a fact of this kind may come now, and that it is about the current mix.
func (m *mixing) due(kind Kind, mix Mix) error {
	var want []Kind
	switch {
	case m.phase == Revealing:
		want = []Kind{KindRevealed, KindMixed}
	case len(m.shares) == 0:
		want = []Kind{KindCommitted}
	default:
		want = []Kind{KindCommitted, KindClosed}
	}
	if !slices.Contains(want, kind) {
		names := make([]string, 0, 3)
		for _, k := range append(want, KindDrawn) {
			names = append(names, k.String())
		}
		return &Error{FaultPhase, strings.Join(names, ", "), kind.String()}
	}
	if mix != m.mixed+1 {
		return numbers(FaultMix, m.mixed+1, mix)
	}
	return nil
}

// apply carries out a fact of a mix, except a commitment.
func (m *mixing) apply(f Fact) error {
	switch f := f.(type) {
	case Closed:
		if err := m.due(f.Kind(), f.Mix); err != nil {
			return err
		}
		return m.close(f.Closing)
	case Revealed:
		if err := m.due(f.Kind(), f.Mix); err != nil {
			return err
		}
		return m.reveal(f.Share, f.Entropy)
	case Mixed:
		if err := m.due(f.Kind(), f.Mix); err != nil {
			return err
		}
		return m.mix(f.Withheld, f.Pool)
	}
	return nil
}

func (m *mixing) commit(s share) error {
	if len(m.shares) == MaxShares {
		return numbers(FaultFull, MaxShares, len(m.shares)+1)
	}
	m.shares = append(m.shares, s)
	return nil
}

// closing returns the hash of the commitments, which a close states (F4).
func (m *mixing) closing() Digest {
	b := of(labelClosing, m.table, m.round).u32(uint32(m.mixed + 1)).
		u32(uint32(len(m.shares))) //nolint:gosec // at most MaxShares
	for i := range m.shares {
		b = b.u32(uint32(m.shares[i].seat)).bytes(m.shares[i].hash[:])
	}
	return b.sum()
}

func (m *mixing) close(closing Digest) error {
	if want := m.closing(); closing != want {
		return &Error{FaultClosing, want.String(), closing.String()}
	}
	m.phase = Revealing
	return nil
}

func (m *mixing) reveal(number Share, e Entropy) error {
	if number == 0 || int(number) > len(m.shares) {
		return &Error{FaultShare, "1 to " + strconv.Itoa(len(m.shares)), strconv.Itoa(int(number))}
	}
	s := &m.shares[number-1]
	if s.revealed {
		return &Error{FaultTwice, "one revelation of share " + strconv.Itoa(int(number)),
			"another one"}
	}
	if got := e.Commitment(m.table, m.round, m.mixed+1, s.seat); got != s.hash {
		return &Error{FaultEntropy, s.hash.String(), got.String()}
	}
	s.entropy, s.revealed = e, true
	return nil
}

// withheld returns the shares that were not revealed, ascending; never nil.
func (m *mixing) withheld() []Share {
	list := []Share{}
	for i := range m.shares {
		if !m.shares[i].revealed {
			list = append(list, Share(i+1))
		}
	}
	return list
}

// next returns the pool that follows with the revealed shares (F5).
func (m *mixing) next() Digest {
	closing := m.closing()
	b := message(labelPool).bytes(m.pool[:]).bytes(closing[:])
	for i := range m.shares {
		if s := &m.shares[i]; s.revealed {
			b = b.u32(uint32(i + 1)).bytes(s.entropy[:])
		}
	}
	return b.sum()
}

func (m *mixing) mix(withheld []Share, pool Digest) error {
	if want := m.withheld(); !slices.Equal(withheld, want) {
		return &Error{FaultWithheld, listed(want), listed(withheld)}
	}
	if want := m.next(); pool != want {
		return &Error{FaultPool, want.String(), pool.String()}
	}
	m.phase, m.mixed, m.pool, m.shares = Collecting, m.mixed+1, pool, nil
	return nil
}

// numbers returns an error about a number.
func numbers[W, G ~int | ~int64 | ~uint32](f Fault, want W, got G) error {
	return &Error{f, strconv.FormatInt(int64(want), 10), strconv.FormatInt(int64(got), 10)}
}

// listed writes numbers for people: "1, 4", or "none".
func listed[N ~uint32](list []N) string {
	if len(list) == 0 {
		return "none"
	}
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = strconv.FormatUint(uint64(n), 10)
	}
	return strings.Join(texts, ", ")
}
