package fairness

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"holt/server/id"
)

// State is what a table must know of its rounds to go on: the open round with its mix and its
// draws, and which earlier rounds are sealed. It is not the history. Live and replayed facts go
// through the same Apply. A State is not safe for concurrent use.
type State struct {
	epoch      id.Epoch // the epoch in which the round was opened
	commitment Digest
	mixing     mixing // its round is 0 before the first
	heads      heads  // of the round
	sealed     []Sealed
	bound      bool   // the round is of version 2
	line       Digest // of the round (F16); zero in version 1
}

// Sealed is an earlier round whose seed has not been published.
type Sealed struct {
	Round      Round
	Epoch      id.Epoch
	Commitment Digest
	// EndNeedsSeed says that the next round is of version 2. Then the end of this round is End,
	// which must follow from Sum and the seed (F10).
	EndNeedsSeed bool
	Sum, End     Digest
}

// PublicShare is a share of the current mix.
type PublicShare struct {
	Seat     id.Seat
	Hash     Digest
	Revealed bool
	Entropy  Entropy // zero if it was not revealed
}

// NewState returns the state of a table that has not opened a round.
func NewState(table id.OID) *State { return &State{mixing: mixing{table: table}} }

// Round returns the open round, 0 before the first, and the epoch in which it was opened. In
// another epoch a new round must be opened before the next draw (F2).
func (s *State) Round() (Round, id.Epoch) { return s.mixing.round, s.epoch }

// Commitment returns the commitment of the open round.
func (s *State) Commitment() Digest { return s.commitment }

// Pool returns the pool that draws use now, and the mix that made it, 0 for none.
func (s *State) Pool() (Mix, Digest) { return s.mixing.mixed, s.mixing.pool }

// Phase returns what the current mix waits for, and the number of its shares.
func (s *State) Phase() (phase Phase, shares int) { return s.mixing.phase, len(s.mixing.shares) }

// Waiting returns how many shares of the current mix are not revealed yet.
func (s *State) Waiting() int { return len(s.mixing.withheld()) }

// Share returns the number of the share that a client has committed to in the current mix. It
// reports false if there is none.
func (s *State) Share(client id.Client) (number Share, ok bool) {
	i := slices.IndexFunc(s.mixing.shares, func(s share) bool { return s.client == client })
	return Share(i + 1), i >= 0 //nolint:gosec // at most MaxShares
}

// ShareOf returns the number of the share in the current mix to which any client of a seat has
// committed with this entropy. It reports false if there is none.
func (s *State) ShareOf(seat id.Seat, e Entropy) (number Share, ok bool) {
	m := &s.mixing
	return s.committed(seat, e.Commitment(m.table, m.round, m.mixed+1, seat))
}

func (s *State) committed(seat id.Seat, hash Digest) (number Share, ok bool) {
	i := slices.IndexFunc(s.mixing.shares, func(s share) bool {
		return s.seat == seat && s.hash == hash
	})
	return Share(i + 1), i >= 0 //nolint:gosec // at most MaxShares
}

// Shares returns the public part of the shares of the current mix, in the order of their
// commitments, for clients that come in the middle of a mix.
func (s *State) Shares() []PublicShare {
	list := make([]PublicShare, len(s.mixing.shares))
	for i, h := range s.mixing.shares {
		list[i] = PublicShare{Seat: h.seat, Hash: h.hash, Revealed: h.revealed, Entropy: h.entropy}
	}
	return list
}

// Admits reports whether a table takes another share of a seat in the current mix. It takes the
// first one of a seat while there is room at all. It takes further ones up to SeatShares, while
// KeptShares are left for seats that have none yet (F15). Apply does not check this: logs and
// exports may be older than the rule.
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

// Sealed returns the earlier rounds whose seeds have not been published, in their order. The caller
// must not change them.
func (s *State) Sealed() []Sealed { return s.sealed }

// Due returns the sealed rounds that may be published (F12). hidden is the round since which the
// longest hidden thing is hidden; all earlier rounds may be published. The open round is never
// among them.
func (s *State) Due(hidden Round) []Sealed {
	n, _ := slices.BinarySearchFunc(s.sealed, hidden, func(a Sealed, r Round) int {
		return cmp.Compare(a.Round, r)
	})
	return s.sealed[:n]
}

// Open returns the fact that ends the open round, if there is one, and begins the next one. seed
// must be that of SeedOf for round+1. last is the seed of the open round; it is not used before the
// first round.
func (s *State) Open(seed, last *Seed, epoch id.Epoch, bound *Bound) Opened {
	m := &s.mixing
	f := Opened{Round: m.round + 1, Epoch: epoch, Commitment: seed.Commitment(m.table, m.round+1),
		Bound: bound}
	if m.round > 0 {
		f.Before = last.end(s.sum())
	}
	return f
}

// sum returns the hash of the open round as it is now.
func (s *State) sum() Digest {
	return sumOf(s.mixing.table, s.mixing.round, s.mixing.pool, s.line, s.heads)
}

// Bound reports whether the open round binds names and times, which means that it is of version 2.
func (s *State) Bound() bool { return s.bound }

// Close returns the fact that ends the commitments of the current mix.
func (s *State) Close() Closed {
	return Closed{Round: s.mixing.round, Mix: s.mixing.mixed + 1, Closing: s.mixing.closing()}
}

// Mix returns the fact that ends the current mix with the revealed shares.
func (s *State) Mix() Mixed {
	m := &s.mixing
	return Mixed{Round: m.round, Mix: m.mixed + 1, Withheld: m.withheld(), Pool: m.next()}
}

// Rand returns the random numbers of the next draw of an audience in the open round. After their
// use, [DrawRand.Record] makes the fact. Until that fact is applied, Rand returns the same numbers
// again. The result keeps the pointer seed.
func (s *State) Rand(seed *Seed, audience Audience) *DrawRand {
	last := s.heads.of(audience, s.commitment)
	return &DrawRand{key: drawKey{
		table: s.mixing.table, round: s.mixing.round, seed: seed, pool: s.mixing.pool,
		mix: s.mixing.mixed, audience: audience, number: last.number + 1, last: last.seal,
		bound: s.bound, line: s.line,
	}}
}

// Apply carries out a fact that was recorded at server time at. It refuses an impossible fact with
// an *Error that says what is wrong (F13), and then does not change s. It does not check outcomes
// and seals: Rand.Record does when they are made, and Verify does afterwards.
func (s *State) Apply(at id.Millis, f Fact) error {
	if err := s.ofRound(f); err != nil {
		return err
	}
	if err := s.carryOut(at, f); err != nil {
		return err
	}
	switch f.(type) {
	case Opened, Drawn:
	default:
		if s.bound {
			s.line = s.line.follow(at, f)
		}
	}
	return nil
}

// carryOut does what a fact of the right round says, except for the line.
func (s *State) carryOut(at id.Millis, f Fact) error {
	m := &s.mixing
	switch f := f.(type) {
	case Opened:
		return s.open(at, f)
	case Committed:
		if err := m.due(f.Kind(), f.Mix); err != nil {
			return err
		}
		if n, twice := s.Share(f.Client); twice {
			return &Error{FaultTwice, "one share of each client",
				"another one after share " + strconv.Itoa(int(n))}
		}
		if n, twice := s.committed(f.Seat, f.Hash); twice {
			return &Error{FaultTwice, "each share once", "share " + strconv.Itoa(int(n)) + " again"}
		}
		return m.commit(share{seat: f.Seat, client: f.Client, hash: f.Hash})
	case Closed, Revealed, Mixed:
		return m.apply(f)
	case Drawn:
		return s.draw(&f)
	case Published:
		return s.publish(&f)
	case SeatNamed, CatalogChanged, Undone, Rewound:
		return checkBinding(s.bound, f)
	default:
		return &Error{FaultPhase, "a fact", "none"}
	}
}

// ofRound checks that a fact is about the right round.
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
	case SeatNamed:
		got = f.Round
	case CatalogChanged:
		got = f.Round
	case Undone:
		got = f.Round
	case Rewound:
		got = f.Round
	case Published:
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

func (s *State) open(at id.Millis, f Opened) error {
	if len(s.sealed) == MaxSealed {
		return numbers(FaultFull, MaxSealed, len(s.sealed)+1)
	}
	if s.bound && f.Bound == nil {
		return &Error{FaultVersion, "2", "1"}
	}
	if f.Bound != nil {
		if err := f.Bound.check(); err != nil {
			return err
		}
	}
	m := &s.mixing
	ended := Sealed{
		Round: m.round, Epoch: s.epoch, Commitment: s.commitment, EndNeedsSeed: f.Bound != nil,
	}
	var before Digest
	switch {
	// The end is checked when the seed is published.
	case m.round > 0 && ended.EndNeedsSeed:
		ended.Sum, ended.End, before = s.sum(), f.Before, f.Before
	case m.round > 0:
		before = end(m.table, m.round, m.pool, s.heads)
	}
	if f.Before != before {
		return &Error{FaultEnd, before.String(), f.Before.String()}
	}
	if m.round > 0 {
		s.sealed = append(s.sealed, ended)
	}
	s.epoch, s.commitment, s.heads = f.Epoch, f.Commitment, nil
	s.mixing = begin(m.table, f.Round, f.Commitment)
	if s.bound = f.Bound != nil; s.bound {
		s.line = f.line(m.table, at)
	}
	return nil
}

// check returns an error unless seats can have these names.
func (b *Bound) check() error {
	if len(b.Seats) > MaxAudiences {
		return numbers(FaultFull, MaxAudiences, len(b.Seats))
	}
	if !b.ascends() {
		return &Error{FaultRecord, "seats in ascending order", "another order"}
	}
	for i := range b.Seats {
		if err := checkName(b.Seats[i].Name); err != nil {
			return err
		}
	}
	return nil
}

// checkName returns an error unless a seat can have this name.
func checkName(name string) error {
	if len(name) > MaxName {
		return numbers(FaultFull, MaxName, len(name))
	}
	if !utf8.ValidString(name) {
		return &Error{FaultRecord, "a name", "bytes that are no text"}
	}
	return nil
}

// checkBinding returns an error if a round cannot have this fact about names. A bound round is of
// version 2.
func checkBinding(bound bool, f Fact) error {
	if !bound {
		return &Error{FaultVersion, "no " + f.Kind().String() + " in version 1", f.Kind().String()}
	}
	switch f := f.(type) {
	case SeatNamed:
		return checkName(f.Name)
	case Undone:
		return f.check()
	case Rewound:
		return f.check()
	}
	return nil
}

// check returns an error if there can be no such draw in the round of f.
func (f Undone) check() error {
	if f.Of == 0 || f.Of > f.Round || f.Number == 0 {
		return &Error{FaultRound, "a draw up to round " + strconv.Itoa(int(f.Round)),
			"draw " + strconv.Itoa(int(f.Number)) + " of round " + strconv.Itoa(int(f.Of))}
	}
	return nil
}

// check returns an error if no save point of that round can have been made before f.
func (f Rewound) check() error {
	if f.Of == 0 || f.Of > f.Round {
		return numbers(FaultRound, f.Round, f.Of)
	}
	return nil
}

func (s *State) draw(f *Drawn) error {
	if err := f.Record.check(); err != nil {
		return err
	}
	return s.heads.follow(&f.Record, f.Seal, s.commitment, s.mixing.mixed)
}

func (s *State) publish(f *Published) error {
	if want, got := s.sealed[0].Commitment,
		f.Seed.Commitment(s.mixing.table, f.Round); got != want {
		return &Error{FaultCommitment, want.String(), got.String()}
	}
	if r := &s.sealed[0]; r.EndNeedsSeed {
		if got := f.Seed.end(r.Sum); got != r.End {
			return &Error{FaultEnd, r.End.String(), got.String()}
		}
	}
	s.sealed = slices.Delete(s.sealed, 0, 1)
	return nil
}
