package fair

import (
	"cmp"
	"slices"
	"strconv"

	"holt/server/id"
)

// State is what a table has to know of its rounds in order to go on: the round that is open, its mix and its draws, and
// which earlier rounds are sealed. It is not the history. Live and replayed facts go through the same Apply. A State is
// not safe for concurrent use.
type State struct {
	epoch      id.Epoch // in which the round was opened
	commitment Digest
	mixing     mixing // its round is 0 before the first
	heads      heads  // of the round
	sealed     []Sealed
}

// Sealed is an earlier round whose seed has not been told.
type Sealed struct {
	Round      Round
	Epoch      id.Epoch
	Commitment Digest
}

// ToldShare is a share of the mix under way.
type ToldShare struct {
	Seat     id.Seat
	Hash     Digest
	Revealed bool
	Entropy  Entropy // zero if it was not revealed
}

// NewState returns the state of a table that has not opened a round.
func NewState(table id.OID) *State { return &State{mixing: mixing{table: table}} }

// Round returns the round that is open, 0 before the first, and the epoch in which it was opened. In another epoch a
// new one has to be opened before anything is drawn (F2).
func (s *State) Round() (Round, id.Epoch) { return s.mixing.round, s.epoch }

// Commitment returns the commitment of the round that is open.
func (s *State) Commitment() Digest { return s.commitment }

// Pool returns the pool that draws use now, and the mix that made it: 0 if none has.
func (s *State) Pool() (Mix, Digest) { return s.mixing.mixed, s.mixing.pool }

// Phase returns what the mix under way waits for, and how many shares it has.
func (s *State) Phase() (phase Phase, shares int) { return s.mixing.phase, len(s.mixing.shares) }

// Waiting returns how many shares of the mix under way are not revealed yet.
func (s *State) Waiting() int { return len(s.mixing.withheld()) }

// Share returns the number of the share that a client has committed to in the mix under way; not ok if it has none.
func (s *State) Share(client id.Client) (number Share, ok bool) {
	i := slices.IndexFunc(s.mixing.shares, func(s share) bool { return s.client == client })
	return Share(i + 1), i >= 0 //nolint:gosec // at most MaxShares
}

// ShareOf returns the number of the share of the mix under way that a seat has committed to with this entropy, whichever of its
// clients did; not ok if there is none.
func (s *State) ShareOf(seat id.Seat, e Entropy) (number Share, ok bool) {
	m := &s.mixing
	return s.committed(seat, e.Commitment(m.table, m.round, m.mixed+1, seat))
}

func (s *State) committed(seat id.Seat, hash Digest) (number Share, ok bool) {
	i := slices.IndexFunc(s.mixing.shares, func(s share) bool { return s.seat == seat && s.hash == hash })
	return Share(i + 1), i >= 0 //nolint:gosec // at most MaxShares
}

// Shares returns the shares of the mix under way as everybody may know them, in the order of their commitments: those who
// come in the middle of a mix are told.
func (s *State) Shares() []ToldShare {
	list := make([]ToldShare, len(s.mixing.shares))
	for i, h := range s.mixing.shares {
		list[i] = ToldShare{Seat: h.seat, Hash: h.hash, Revealed: h.revealed, Entropy: h.entropy}
	}
	return list
}

// Admits reports whether a table takes another share of a seat in the mix under way: the first one of a
// seat while there is room at all, further ones up to SeatShares, as long as KeptShares are left for
// seats that have none yet (F15). Apply does not ask: logs and exports may be older than the rule.
func (s *State) Admits(seat id.Seat) bool {
	m, own := &s.mixing, 0
	for i := range m.shares {
		if m.shares[i].seat == seat {
			own++
		}
	}
	if own == 0 {
		return len(m.shares) < MaxShares
	}
	return own < SeatShares && len(m.shares) < MaxShares-KeptShares
}

// Sealed returns the earlier rounds whose seeds have not been told, the first one first. They belong to s.
func (s *State) Sealed() []Sealed { return s.sealed }

// Due returns those of the sealed rounds that may be told when what has been hidden for longest, from anybody, has been
// hidden since this round (F12): all before it. The round that is open is never among them.
func (s *State) Due(hidden Round) []Sealed {
	n, _ := slices.BinarySearchFunc(s.sealed, hidden, func(a Sealed, r Round) int { return cmp.Compare(a.Round, r) })
	return s.sealed[:n]
}

// Open returns the fact that ends the round that is open, if there is one, and begins the next with a seed. It has to be
// the one of SeedOf for round+1.
func (s *State) Open(seed *Seed, epoch id.Epoch) Opened {
	m := &s.mixing
	f := Opened{Round: m.round + 1, Epoch: epoch, Commitment: seed.Commitment(m.table, m.round+1)}
	if m.round > 0 {
		f.Before = end(m.table, m.round, m.pool, s.heads)
	}
	return f
}

// Close returns the fact that ends taking commitments for the mix under way.
func (s *State) Close() Closed {
	return Closed{Round: s.mixing.round, Mix: s.mixing.mixed + 1, Closing: s.mixing.closing()}
}

// Mix returns the fact that ends the mix under way with the shares that were revealed.
func (s *State) Mix() Mixed {
	m := &s.mixing
	return Mixed{Round: m.round, Mix: m.mixed + 1, Withheld: m.withheld(), Pool: m.next()}
}

// Rand returns the random numbers of the next draw of an audience, of the round that is open. Rand.Record makes the
// fact when they were used; as long as it is not applied the next Rand has the same numbers. The seed is kept until then.
func (s *State) Rand(seed *Seed, audience Audience) *Rand {
	last := s.heads.of(audience, s.commitment)
	return &Rand{lot: lot{
		table: s.mixing.table, round: s.mixing.round, seed: seed, pool: s.mixing.pool, mix: s.mixing.mixed,
		audience: audience, number: last.number + 1, last: last.seal,
	}}
}

// Apply carries a fact out. What cannot be is refused with an *Error that says what is wrong (F13), and then s is as it was.
// Outcomes and seals are not checked here but when they are made (Rand.Record) and by Verify.
func (s *State) Apply(f Fact) error {
	m := &s.mixing
	if err := s.ofRound(f); err != nil {
		return err
	}
	switch f := f.(type) {
	case Opened:
		return s.open(f)
	case Committed:
		if err := m.due(f.Kind(), f.Mix); err != nil {
			return err
		}
		if n, twice := s.Share(f.Client); twice {
			return &Error{FaultTwice, "one share of each client", "another one after share " + strconv.Itoa(int(n))}
		}
		if n, twice := s.committed(f.Seat, f.Hash); twice {
			return &Error{FaultTwice, "each share once", "share " + strconv.Itoa(int(n)) + " again"}
		}
		return m.commit(share{seat: f.Seat, client: f.Client, hash: f.Hash})
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
	case Drawn:
		return s.draw(&f)
	case Told:
		return s.tell(&f)
	default:
		return &Error{FaultPhase, "a fact", "none"}
	}
}

// ofRound checks that a fact is about the round that it can be about.
func (s *State) ofRound(f Fact) error {
	var got Round
	want := s.mixing.round
	switch f := f.(type) {
	case Opened:
		want, got = s.mixing.round+1, f.Round
	case Committed:
		got = f.Round
	case Closed:
		got = f.Round
	case Revealed:
		got = f.Round
	case Mixed:
		got = f.Round
	case Drawn:
		got = f.Round
	case Told:
		got = f.Round
		if len(s.sealed) == 0 {
			return &Error{FaultRound, "none", strconv.Itoa(int(got))}
		}
		want = s.sealed[0].Round // F11: in their order
	}
	if got != want || want == 0 {
		return numbers(FaultRound, want, got)
	}
	return nil
}

func (s *State) open(f Opened) error {
	if len(s.sealed) == MaxSealed {
		return numbers(FaultFull, MaxSealed, len(s.sealed)+1)
	}
	m := &s.mixing
	var before Digest
	if m.round > 0 {
		before = end(m.table, m.round, m.pool, s.heads)
	}
	if f.Before != before {
		return &Error{FaultEnd, before.String(), f.Before.String()}
	}
	if m.round > 0 {
		s.sealed = append(s.sealed, Sealed{Round: m.round, Epoch: s.epoch, Commitment: s.commitment})
	}
	s.epoch, s.commitment, s.heads = f.Epoch, f.Commitment, nil
	s.mixing = begin(m.table, f.Round, f.Commitment)
	return nil
}

func (s *State) draw(f *Drawn) error {
	if err := f.Record.check(); err != nil {
		return err
	}
	return s.heads.follow(&f.Record, f.Seal, s.commitment, s.mixing.mixed)
}

func (s *State) tell(f *Told) error {
	if want, got := s.sealed[0].Commitment, f.Seed.Commitment(s.mixing.table, f.Round); got != want {
		return &Error{FaultCommitment, want.String(), got.String()}
	}
	s.sealed = slices.Delete(s.sealed, 0, 1)
	return nil
}
