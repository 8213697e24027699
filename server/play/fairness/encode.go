package fairness

import (
	"bytes"
	"fmt"

	"holt/server/id"
)

// Encode returns s for a snapshot:
//
//	1B version, 16B table, 4B round, 8B epoch, 32B commitment, 4B mixes done, 32B pool,
//	1B phase, 4B count of shares, each: 4B seat, 16B client, 32B hash, 1B revealed,
//	32B entropy (zero if not revealed),
//	4B count of audiences, each: 4B audience, 4B number, 32B seal,
//	4B count of sealed rounds, each: 4B round, 8B epoch, 32B commitment
//
// If the open round is of version 2, so is the encoding. It has 32B line before the count of sealed
// rounds, and each of these has in addition 1B keyed, 32B sum, 32B end (zero if it is not keyed).
//
// The result contains no secret of the table, and only entropy that was revealed. Equal states have
// equal bytes.
func (s *State) Encode() []byte {
	m := &s.mixing
	v := byte(version)
	if s.bound {
		v = version2
	}
	b := message{v}.bytes(m.table[:]).u32(uint32(m.round)).
		u64(uint64(s.epoch)).bytes(s.commitment[:])
	b = b.u32(uint32(m.mixed)).bytes(m.pool[:]).u8(uint8(m.phase))
	b = b.u32(uint32(len(m.shares))) //nolint:gosec // at most MaxShares
	for i := range m.shares {
		h := &m.shares[i]
		b = b.u32(uint32(h.seat)).bytes(h.client[:]).bytes(h.hash[:]).
			flag(h.revealed).bytes(h.entropy[:])
	}
	b = b.u32(uint32(len(s.heads))) //nolint:gosec // at most MaxAudiences
	for _, h := range s.heads {
		b = b.u32(uint32(h.audience)).u32(uint32(h.number)).bytes(h.seal[:])
	}
	if s.bound {
		b = b.bytes(s.line[:])
	}
	b = b.u32(uint32(len(s.sealed))) //nolint:gosec // at most MaxSealed
	for _, r := range s.sealed {
		b = b.u32(uint32(r.Round)).u64(uint64(r.Epoch)).bytes(r.Commitment[:])
		if s.bound {
			b = b.flag(r.EndNeedsSeed).bytes(r.Sum[:]).bytes(r.End[:])
		}
	}
	return b
}

// DecodeState reads what Encode returns, and nothing else: each state has one encoding. Errors wrap
// ErrEncoding.
func DecodeState(b []byte) (*State, error) {
	r := decoder{rest: b}
	v := r.u8()
	if r.err == nil && v != version && v != version2 {
		return nil, fmt.Errorf("%w: version %d", ErrEncoding, v)
	}
	s := &State{bound: v == version2}
	m := &s.mixing
	m.table, m.round, s.epoch, s.commitment = id.OID(r.take(16)), Round(r.u32()), id.Epoch(r.u64()),
		r.hash()
	m.mixed, m.pool, m.phase = Mix(r.u32()), r.hash(), Phase(r.u8())
	for range r.count(MaxShares) {
		m.shares = append(m.shares, r.share(m))
	}
	for range r.count(MaxAudiences) {
		s.heads = append(s.heads, head{Audience(r.u32()), Number(r.u32()), r.hash()})
	}
	if s.bound {
		s.line = r.hash()
	}
	for range r.count(MaxSealed) {
		s.sealed = append(s.sealed, r.sealed(s.bound))
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	if !s.sound() {
		return nil, fmt.Errorf("%w: no state that can be", ErrEncoding)
	}
	return s, nil
}

// flag appends a byte that is 1 for yes and 0 for no.
func (m message) flag(yes bool) message {
	if yes {
		return m.u8(1)
	}
	return m.u8(0)
}

// sealed reads a sealed round, in the encoding of version 2 if bound is set.
func (d *decoder) sealed(bound bool) Sealed {
	r := Sealed{Round: Round(d.u32()), Epoch: id.Epoch(d.u64()), Commitment: d.hash()}
	if !bound {
		return r
	}
	keyed := d.u8()
	r.EndNeedsSeed, r.Sum, r.End = keyed == 1, d.hash(), d.hash()
	if keyed > 1 || !r.EndNeedsSeed && (r.Sum != Digest{} || r.End != Digest{}) {
		d.fail("an end that cannot be")
	}
	return r
}

// share reads a share of the current mix.
func (d *decoder) share(m *mixing) share {
	h := share{seat: id.Seat(d.u32()), client: id.Client(d.take(16)), hash: d.hash()}
	revealed := d.u8()
	h.revealed, h.entropy = revealed == 1, Entropy(d.hash())
	told := h.entropy.Commitment(m.table, m.round, m.mixed+1, h.seat) == h.hash
	if revealed > 1 || h.revealed && !told || !h.revealed && h.entropy != (Entropy{}) {
		d.fail("a share that cannot be")
	}
	return h
}

// sound reports whether Apply could have led to s, as far as s shows that.
func (s *State) sound() bool {
	m := &s.mixing
	if m.round == 0 {
		return !s.bound && bytes.Equal(s.Encode(), NewState(m.table).Encode())
	}
	clients := map[id.Client]bool{}
	for i := range m.shares {
		clients[m.shares[i].client] = true
		if m.phase == Collecting && m.shares[i].revealed {
			return false
		}
	}
	for i, h := range s.heads {
		if h.number == 0 || i > 0 && s.heads[i-1].audience >= h.audience {
			return false
		}
	}
	for i, r := range s.sealed {
		if r.Round == 0 || r.Round >= m.round || i > 0 && s.sealed[i-1].Round+1 != r.Round {
			return false
		}
		if i > 0 && s.sealed[i-1].EndNeedsSeed && !r.EndNeedsSeed ||
			i == len(s.sealed)-1 && r.EndNeedsSeed != s.bound {
			return false
		}
	}
	if n := len(s.sealed); n > 0 && s.sealed[n-1].Round != m.round-1 {
		return false
	}
	return len(clients) == len(m.shares) &&
		(m.phase == Collecting || m.phase == Revealing && len(m.shares) > 0) &&
		(m.mixed > 0 || m.pool == firstPool(s.commitment))
}
