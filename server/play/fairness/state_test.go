package fairness

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"holt/server/id"
)

// refused fails unless a state refuses a fact with this fault and does not change.
func refused(t *testing.T, s *State, f Fact, want Fault) {
	t.Helper()
	before := s.Encode()
	var e *Error
	if err := s.Apply(1, f); !errors.Is(err, want) || !errors.As(err, &e) || e.Want == "" ||
		e.Got == "" {
		t.Errorf("%s: %v, want %v", f.Kind(), err, want)
	}
	if !bytes.Equal(before, s.Encode()) {
		t.Errorf("%s: refused, and yet the state has changed", f.Kind())
	}
}

// TestF2Rounds shows how rounds are opened, and that their seeds are secret and differ (F2).
func TestF2Rounds(t *testing.T) {
	p := newPlay(t)
	t.Run("F2.3 nothing is possible before a round was opened", func(t *testing.T) {
		for _, f := range []Fact{
			Committed{Mix: 1}, p.state.Close(), p.state.Mix(), Drawn{}, Published{},
		} {
			refused(t, p.state, f, FaultRound)
		}
	})
	p.open()
	t.Run("F2.3 the seed's commitment is published before the seed is used", func(t *testing.T) {
		opened, _ := p.facts[0].(Opened)
		if opened.Commitment != p.seed(1).Commitment(aTable, 1) ||
			opened.Commitment != p.state.Commitment() {
			t.Errorf("commitment %s", opened.Commitment)
		}
		if r, epoch := p.state.Round(); r != 1 || epoch != anEpoch {
			t.Errorf("round %d of epoch %d", r, epoch)
		}
	})
	t.Run("F2.4 seeds differ by secret, table, epoch and round", func(t *testing.T) {
		other, table := Secret{8}, aTable
		table[15]++
		seeds := map[Seed]bool{
			SeedOf(&aSecret, aTable, 1, 1): true, SeedOf(&other, aTable, 1, 1): true,
			SeedOf(&aSecret, table, 1, 1):  true,
			SeedOf(&aSecret, aTable, 2, 1): true, SeedOf(&aSecret, aTable, 1, 2): true,
		}
		if len(seeds) != 5 {
			t.Errorf("%d different seeds, want 5", len(seeds))
		}
	})
	t.Run("F2.2 rounds are opened one after the other", func(t *testing.T) {
		for _, r := range []Round{0, 1, 3} {
			f := p.opening()
			f.Round = r
			refused(t, p.state, f, FaultRound)
		}
	})
	t.Run("F2.5 secrets do not show in logs", func(t *testing.T) {
		if text := p.seed(1).String() + p.seed(1).GoString() +
			aSecret.String() + aSecret.GoString(); strings.ContainsAny(text, "0123456789") {
			t.Error(text)
		}
	})
}

// TestF3F4F5Mixing shows in which order seats commit and reveal, and what is refused (F3, F4, F5).
func TestF3F4F5Mixing(t *testing.T) {
	p := newPlay(t)
	p.open()
	one, two := entropyOf(1, 1), entropyOf(2, 2)
	commit := func(seat id.Seat, e Entropy) Committed {
		return Committed{
			Round: 1, Mix: 1, Seat: seat, Client: clientOf(seat),
			Hash: e.Commitment(aTable, 1, 1, seat),
		}
	}
	t.Run("F4.2 no close without a commitment", func(t *testing.T) {
		refused(t, p.state, p.state.Close(), FaultPhase)
	})
	p.do(commit(1, one))
	t.Run("F3.7 two commitments of one client", func(t *testing.T) {
		refused(t, p.state, commit(1, two), FaultTwice)
	})
	t.Run("F3.8 the same commitment of another client of the seat", func(t *testing.T) {
		f := commit(1, one)
		f.Client = clientOf(9)
		refused(t, p.state, f, FaultTwice)
	})
	t.Run("F4.11, F4.12 a share is found by its seat and content", func(t *testing.T) {
		if n, ok := p.state.ShareOf(1, one); n != 1 || !ok {
			t.Errorf("share %d, %t", n, ok)
		}
		for _, no := range []struct {
			seat    id.Seat
			entropy Entropy
		}{{1, two}, {2, one}, {2, two}} {
			if n, ok := p.state.ShareOf(no.seat, no.entropy); ok {
				t.Errorf("seat %d has share %d", no.seat, n)
			}
		}
	})
	t.Run("F3.3, F3.4, F3.5, F13.2 a commitment for another mix or round", func(t *testing.T) {
		for _, mix := range []Mix{0, 2} {
			f := commit(2, two)
			f.Mix = mix
			refused(t, p.state, f, FaultMix)
		}
		f := commit(2, two)
		f.Round = 2
		refused(t, p.state, f, FaultRound)
	})
	p.do(commit(2, two))
	copied := commit(3, one)
	// A seat that copies a commitment cannot reveal it.
	copied.Hash = commit(1, one).Hash
	p.do(copied)
	t.Run("F4.5 nothing is revealed or mixed before the close", func(t *testing.T) {
		refused(t, p.state, Revealed{Round: 1, Mix: 1, Share: 1, Entropy: one}, FaultPhase)
		refused(t, p.state, p.state.Mix(), FaultPhase)
	})
	t.Run("F4.3 a close for other commitments", func(t *testing.T) {
		f := p.state.Close()
		f.Closing[0]++
		refused(t, p.state, f, FaultClosing)
	})
	p.do(p.state.Close())
	t.Run("F4.4, F13.2 a commitment after the close", func(t *testing.T) {
		refused(t, p.state, commit(4, two), FaultPhase)
		refused(t, p.state, p.state.Close(), FaultPhase)
	})
	t.Run("F3.2, F4.6 a revealed share matches its seat's commitment", func(t *testing.T) {
		refused(t, p.state, Revealed{Round: 1, Mix: 1, Share: 1, Entropy: two}, FaultEntropy)
		refused(t, p.state, Revealed{Round: 1, Mix: 1, Share: 3, Entropy: one}, FaultEntropy)
		refused(t, p.state, Revealed{Round: 1, Mix: 1, Share: 0, Entropy: one}, FaultShare)
		refused(t, p.state, Revealed{Round: 1, Mix: 1, Share: 4, Entropy: one}, FaultShare)
		refused(t, p.state, Revealed{Round: 1, Mix: 2, Share: 1, Entropy: one}, FaultMix)
	})
	p.do(Revealed{Round: 1, Mix: 1, Share: 2, Entropy: two})
	t.Run("F3.6, F4 a client that joins midway can get the published facts", func(t *testing.T) {
		shares := p.state.Shares()
		if len(shares) != 3 || shares[0] != (PublicShare{Seat: 1, Hash: commit(1, one).Hash}) ||
			shares[1] != (PublicShare{
				Seat: 2, Hash: commit(2, two).Hash, Revealed: true, Entropy: two,
			}) {
			t.Errorf("%+v", shares)
		}
	})
	t.Run("F4.7 twice", func(t *testing.T) {
		refused(t, p.state, Revealed{Round: 1, Mix: 1, Share: 2, Entropy: two}, FaultTwice)
	})
	t.Run("F5.3, F5.4 a mix lists the withheld shares and the resulting pool", func(t *testing.T) {
		if n := p.state.Waiting(); n != 2 {
			t.Errorf("%d wait, want 2", n)
		}
		f := p.state.Mix()
		if len(f.Withheld) != 2 || f.Withheld[0] != 1 || f.Withheld[1] != 3 {
			t.Errorf("withheld %v", f.Withheld)
		}
		refused(t, p.state, Mixed{Round: 1, Mix: 1, Withheld: []Share{1}, Pool: f.Pool},
			FaultWithheld)
		f.Pool[31]++
		refused(t, p.state, f, FaultPool)
	})
	p.do(p.state.Mix())
	t.Run("F3.5, F5.8 the next mix begins", func(t *testing.T) {
		phase, shares := p.state.Phase()
		if mix, _ := p.state.Pool(); mix != 1 || phase != Collecting || shares != 0 {
			t.Errorf("mix %d, phase %d, %d shares", mix, phase, shares)
		}
		refused(t, p.state, commit(1, one), FaultMix)
	})
	t.Run("F5.4 every share, and each missing one, makes another pool", func(t *testing.T) {
		pools := map[Digest]bool{}
		for _, silent := range [][]id.Seat{{}, {1}, {2}, {1, 2}} {
			p := newPlay(t)
			p.open()
			_, first := p.state.Pool()
			p.mix([]id.Seat{1, 2}, silent...)
			_, pool := p.state.Pool()
			pools[first], pools[pool] = true, true
		}
		if len(pools) != 5 {
			t.Errorf("%d different pools, want 5", len(pools))
		}
	})
}

// TestF6Draws shows how draws are numbered and sealed, and that they go on during a mix (F6).
func TestF6Draws(t *testing.T) {
	p := newPlay(t)
	p.open()
	roll := func(a Audience) Drawn {
		rand := p.state.Rand(p.current(), a)
		f, err := rand.Record(1, Roll, 1, []id.OID{aDie}, []uint32{6},
			[]uint32{uint32(rand.IntN(6))})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first := roll(Everybody)
	t.Run("F6.8 an unrecorded draw is repeated with the same result", func(t *testing.T) {
		if again := roll(Everybody); again.Seal != first.Seal ||
			again.Record.Outputs[0] != first.Record.Outputs[0] {
			t.Errorf("%+v, then %+v", first, again)
		}
	})
	p.do(first)
	t.Run("F6.1 numbers have no gaps", func(t *testing.T) {
		refused(t, p.state, first, FaultNumber)
		later := roll(Everybody)
		later.Record.Number++
		refused(t, p.state, later, FaultNumber)
	})
	t.Run("F6.1, F6.2, F9.4 each audience has numbers and seals of its own", func(t *testing.T) {
		hidden := roll(5)
		if hidden.Record.Number != 1 || hidden.Seal == first.Seal {
			t.Errorf("%+v", hidden)
		}
		next := roll(Everybody)
		p.do(hidden)
		if after := roll(Everybody); after.Seal != next.Seal {
			t.Error("a draw published to some shows in the seals of the others")
		}
	})
	t.Run("F5.5, F6, F9.3 a draw uses the pool of the last mix", func(t *testing.T) {
		before := roll(Everybody)
		p.mix([]id.Seat{1})
		refused(t, p.state, before, FaultMix)
		after := roll(Everybody)
		if after.Record.Mix != 1 || after.Seal == before.Seal {
			t.Errorf("%+v", after.Record)
		}
	})
	t.Run("F5.6, F6 draws go on during a mix, and nobody waits", func(t *testing.T) {
		e := entropyOf(2, 9)
		p.do(Committed{
			Round: 1, Mix: 2, Seat: 2, Client: clientOf(2), Hash: e.Commitment(aTable, 1, 2, 2),
		})
		p.do(roll(Everybody))
		p.do(p.state.Close())
		p.do(roll(Everybody))
	})
}

// TestF11F12Revelation shows which seeds may be revealed, and in which order (F11, F12).
func TestF11F12Revelation(t *testing.T) {
	p := newPlay(t)
	p.open()
	t.Run("F11.1 the open round is not revealed", func(t *testing.T) {
		refused(t, p.state, Published{Round: 1, Seed: *p.seed(1)}, FaultRound)
	})
	for range 4 {
		p.open()
	}
	t.Run("F11.2 in order", func(t *testing.T) {
		refused(t, p.state, Published{Round: 2, Seed: *p.seed(2)}, FaultRound)
	})
	t.Run("F11.3 another seed", func(t *testing.T) {
		refused(t, p.state, Published{Round: 1, Seed: *p.seed(2)}, FaultCommitment)
	})
	t.Run("F12 all rounds before the first that hides something", func(t *testing.T) {
		for hidden, want := range map[Round]int{0: 0, 1: 0, 2: 1, 4: 3, 5: 4, 6: 4, 99: 4} {
			if due := p.state.Due(hidden); len(due) != want || want > 0 && due[0].Round != 1 {
				t.Errorf("hidden since round %d: %+v, want %d", hidden, due, want)
			}
		}
	})
	p.publishSeed()
	p.publishSeed()
	t.Run("F11 a revealed round is no longer sealed", func(t *testing.T) {
		if s := p.state.Sealed(); len(s) != 2 || s[0].Round != 3 || s[0].Epoch != anEpoch {
			t.Errorf("sealed: %+v", s)
		}
		if due := p.state.Due(4); len(due) != 1 || due[0].Round != 3 {
			t.Errorf("due: %+v", due)
		}
		refused(t, p.state, Published{Round: 1, Seed: *p.seed(1)}, FaultRound)
	})
}

// TestF10End shows how a round ends, and that only its seed leads to that end (F10).
func TestF10End(t *testing.T) {
	t.Run("F10.2 a round says how the previous one ended", func(t *testing.T) {
		ends := map[Digest]bool{}
		for i, more := range []func(*play){
			func(*play) {},
			func(p *play) { p.mix([]id.Seat{1}) },
			func(p *play) { p.draw(Everybody, Roll, 1, aDie, []uint32{6}, 0) },
			func(p *play) { p.draw(3, Roll, 1, aDie, []uint32{6}, 0) },
		} {
			p, first := newPlay(t), newPlay(t)
			first.first = true
			for _, p := range []*play{p, first} {
				p.open()
				more(p)
				ends[p.opening().Before] = true
			}
			if len(ends) != 2*(i+1) {
				t.Errorf("end %d is that of another one", i)
			}
			f := first.opening()
			f.Before[0]++
			refused(t, first.state, f, FaultEnd)
		}
	})
	// Clauses: F10.5, F10.6
	t.Run("F10 nobody computes an end without the seed; a wrong one is refused", func(t *testing.T) {
		for _, first := range []bool{true, false} {
			p := newPlay(t)
			p.first = first
			p.open()
			p.draw(Everybody, Roll, 1, aDie, []uint32{6}, 0)
			p.first = false
			f := p.opening()
			m := &p.state.mixing
			for what, known := range map[string]Digest{
				"as in version 1":   end(m.table, m.round, m.pool, p.state.heads),
				"without a key":     p.state.sum(),
				"under another key": p.seed(2).end(p.state.sum()),
			} {
				if f.Before == known {
					t.Errorf("the end is the one %s", what)
				}
			}
			f.Before[0]++
			p.do(f)
			refused(t, p.state, Published{Round: 1, Seed: *p.seed(1)}, FaultEnd)
		}
	})
	t.Run("F10.3 the first has no previous one", func(t *testing.T) {
		p := newPlay(t)
		f := p.opening()
		if f.Before != (Digest{}) {
			t.Errorf("before: %s", f.Before)
		}
		f.Before[5] = 1
		refused(t, p.state, f, FaultEnd)
	})
}

// TestF13Replay shows that a replayed history gives the same state (F13).
func TestF13Replay(t *testing.T) {
	t.Run("F13.1 a replay from bytes or any snapshot gives the same state", func(t *testing.T) {
		p := evening(t)
		replayed := NewState(aTable)
		for i, f := range p.facts {
			again, err := DecodeFact(EncodeFact(f))
			if err != nil || !bytes.Equal(EncodeFact(again), EncodeFact(f)) {
				t.Fatalf("fact %d, %s: %v", i, f.Kind(), err)
			}
			if err := replayed.Apply(p.times[i], again); err != nil {
				t.Fatalf("fact %d, %s: %v", i, f.Kind(), err)
			}
			snapshot := replayed.Encode()
			if replayed, err = DecodeState(snapshot); err != nil ||
				!bytes.Equal(replayed.Encode(), snapshot) {
				t.Fatalf("snapshot after fact %d, %s: %v", i, f.Kind(), err)
			}
		}
		if !bytes.Equal(replayed.Encode(), p.state.Encode()) {
			t.Error("the states differ")
		}
	})
	// Clauses: F13.2, F13.3
	t.Run("F13 any fact is executed or refused, and refused again", rapid.MakeCheck(func(t *rapid.T) {
		facts := evening(quiet{}).facts
		s := NewState(aTable)
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			before := s.Encode()
			f := facts[rapid.IntRange(0, len(facts)-1).Draw(t, "fact")]
			err := s.Apply(1, f)
			after := s.Encode()
			if err == nil == bytes.Equal(before, after) {
				t.Fatalf("%s: %v, changed: %v", f.Kind(), err, !bytes.Equal(before, after))
			}
			if again, err := DecodeState(after); err != nil || !bytes.Equal(again.Encode(), after) {
				t.Fatalf("after %s: %v", f.Kind(), err)
			}
		}
	}))
}

// quiet is a testing.TB for plays that cannot fail.
type quiet struct{ testing.TB }

func (quiet) Helper()               {}
func (quiet) Fatal(a ...any)        { panic(a) }
func (quiet) Fatalf(string, ...any) { panic("play") }

// TestF15Bounds shows the bounds on shares, sealed rounds and audiences (F15).
func TestF15Bounds(t *testing.T) {
	t.Run("F15.1 shares of a mix", func(t *testing.T) {
		p := newPlay(t)
		p.open()
		for seat := range id.Seat(MaxShares + 1) {
			f := Committed{Round: 1, Mix: 1, Seat: seat + 1, Client: clientOf(seat + 1)}
			if seat == MaxShares {
				refused(t, p.state, f, FaultFull)
				break
			}
			p.do(f)
		}
	})
	t.Run("F15.8 sealed rounds", func(t *testing.T) {
		p := newPlay(t)
		for range MaxSealed + 1 {
			p.open()
		}
		refused(t, p.state, p.opening(), FaultFull)
		p.publishSeed()
		p.open()
	})
	t.Run("F15.7 audiences", func(t *testing.T) {
		p := newPlay(t)
		p.open()
		for a := range Audience(MaxAudiences + 1) {
			f := Drawn{Round: 1, Record: Record{
				Audience: MaxAudiences - a, Number: 1, Kind: Roll, Pieces: []id.OID{aDie},
				Inputs: []uint32{6}, Outputs: []uint32{0},
			}}
			if a == MaxAudiences {
				f.Record.Audience = MaxAudiences + 1
				refused(t, p.state, f, FaultFull)
				break
			}
			p.do(f)
		}
		if again, err := DecodeState(p.state.Encode()); err != nil ||
			!bytes.Equal(again.Encode(), p.state.Encode()) {
			t.Errorf("the largest state: %v", err)
		}
	})
}

// TestFindingS6Shares shows that one seat cannot take all shares of a mix (F15).
func TestFindingS6Shares(t *testing.T) {
	commit := func(p *play, seat id.Seat, n int) {
		e := entropyOf(seat, n)
		f := Committed{
			Round: 1, Mix: 1, Seat: seat, Client: id.Client{byte(seat), byte(n)},
			Hash: e.Commitment(aTable, 1, 1, seat),
		}
		p.do(f)
	}
	begun := func(t *testing.T) *play {
		p := newPlay(t)
		p.open()
		return p
	}
	t.Run("F15.3 one seat has at most four shares", func(t *testing.T) {
		p := begun(t)
		for n := range SeatShares {
			if !p.state.Admits(1) {
				t.Fatalf("share %d is refused", n+1)
			}
			commit(p, 1, n)
		}
		if p.state.Admits(1) {
			t.Error("a fifth share is accepted")
		}
		if !p.state.Admits(2) {
			t.Error("another seat is locked out")
		}
	})
	t.Run("F15.4 half of the shares are kept for seats without one", func(t *testing.T) {
		p := begun(t)
		taken := 0
		for n := range SeatShares {
			for seat := id.Seat(1); seat <= 13; seat++ {
				if p.state.Admits(seat) {
					commit(p, seat, n)
					taken++
				}
			}
		}
		if taken != MaxShares-KeptShares {
			t.Errorf("13 seats with 4 streams each have placed %d shares, want %d",
				taken, MaxShares-KeptShares)
		}
		for seat := id.Seat(100); seat < 100+KeptShares; seat++ {
			if !p.state.Admits(seat) {
				t.Fatalf("seat %d is locked out", seat)
			}
			commit(p, seat, 0)
		}
		if p.state.Admits(200) {
			t.Error("there is room for more than 64")
		}
	})
}
