package fairness

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"testing"

	"holt/server/id"
)

var (
	aTable  = id.OID{0xde, 0xad, 0xbe, 0xef, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	aSecret = Secret{7, 7, 7}
	aDeck   = id.OID{1}
	aDie    = id.OID{2}
	aBag    = id.OID{3}
)

const anEpoch id.Epoch = 4711

// entropyOf returns entropy that is always the same for the same arguments.
func entropyOf(seat id.Seat, n int) Entropy {
	return sha256.Sum256([]byte("entropy " + seat.String() + " " + strconv.Itoa(n)))
}

func clientOf(seat id.Seat) id.Client { return id.Client{byte(seat >> 8), byte(seat), 1} }

// play is a table in use, as a room would run it: its facts are applied, encoded, decoded and
// collected.
type play struct {
	t     testing.TB
	state *State
	log   *Exporter
	facts []Fact
	times []id.Millis // of facts
	notes Notes       // those of a client that sees everything
	now   id.Millis
	epoch id.Epoch
	n     int      // how much entropy has been drawn
	first bool     // its rounds are of version 1
	bound Bound    // what the next round binds
	grown []string // kinds that have been added
}

// newPlay returns a table whose rounds are of version 2.
func newPlay(t testing.TB) *play {
	bound := Bound{
		Catalog: Digest{0xca, 7}, Kinds: 2,
		Names: KindNames([]string{"Ace of spades", "Two of spades"}),
		Seats: []Seat{{1, "Anna"}, {2, "Ben"}, {3, "Cleo"}},
	}
	return &play{
		bound: bound,
		t:     t, state: NewState(aTable), log: NewExporter(aTable), notes: Notes{Table: aTable},
		now: 1_750_000_000_000, epoch: anEpoch,
	}
}

// do records a fact.
func (p *play) do(f Fact) {
	p.t.Helper()
	p.now += 250
	if err := p.state.Apply(p.now, f); err != nil {
		p.t.Fatalf("%s: %v", f.Kind(), err)
	}
	if err := p.log.Add(p.now, f); err != nil {
		p.t.Fatal(err)
	}
	p.facts, p.times = append(p.facts, f), append(p.times, p.now)
	p.note(f)
}

func (p *play) note(f Fact) {
	if f, opened := f.(Opened); opened {
		p.notes.Rounds = append(p.notes.Rounds,
			NotedRound{Round: f.Round, Commitment: f.Commitment, Before: &f.Before})
		return
	}
	n := &p.notes.Rounds[len(p.notes.Rounds)-1]
	switch f := f.(type) {
	case Closed:
		n.Closings = append(n.Closings, NotedMix{f.Mix, f.Closing})
	case Mixed:
		n.Pools = append(n.Pools, NotedMix{f.Mix, f.Pool})
	case Drawn:
		n.Seals = append(n.Seals, NotedSeal{f.Record.Audience, f.Record.Number, f.Seal})
	}
}

func (p *play) seed(r Round) *Seed {
	s := SeedOf(&aSecret, aTable, p.epoch, r)
	return &s
}

func (p *play) current() *Seed {
	r, _ := p.state.Round()
	return p.seed(r)
}

func (p *play) open() {
	p.do(p.opening())
}

// opening is the fact that opens the next round.
func (p *play) opening() Opened {
	r, _ := p.state.Round()
	bound := p.bound
	bound.Seats = slices.Clone(p.bound.Seats)
	f := p.state.Open(p.seed(r+1), p.seed(r), p.epoch, &bound)
	if !p.first {
		return f
	}
	f.Bound = nil
	if m := &p.state.mixing; r > 0 {
		f.Before = end(m.table, m.round, m.pool, p.state.heads)
	}
	return f
}

// name gives a seat a name.
func (p *play) name(seat id.Seat, name string) {
	r, _ := p.state.Round()
	p.do(SeatNamed{Round: r, Seat: seat, Name: name})
	i, known := slices.BinarySearchFunc(p.bound.Seats, seat, func(s Seat, n id.Seat) int {
		return int(s.Seat) - int(n)
	})
	if known {
		p.bound.Seats[i].Name = name
		return
	}
	p.bound.Seats = slices.Insert(p.bound.Seats, i, Seat{seat, name})
}

// grow gives the table a catalogue with more kinds.
func (p *play) grow(catalog byte, kinds ...string) {
	r, _ := p.state.Round()
	p.bound.Catalog, p.bound.Kinds = Digest{0xca, catalog}, p.bound.Kinds+uint32(len(kinds))
	for _, name := range kinds {
		p.bound.Names = p.bound.Names.kind(name)
	}
	p.grown = append(p.grown, kinds...)
	p.do(CatalogChanged{
		Round: r, Catalog: p.bound.Catalog, Kinds: p.bound.Kinds, Names: p.bound.Names,
	})
}

// publishSeed reveals the first sealed round.
func (p *play) publishSeed() {
	r := p.state.Sealed()[0].Round
	p.do(Published{Round: r, Seed: *p.seed(r)})
}

// mix makes seats contribute. Those in silent commit and do not reveal.
func (p *play) mix(seats []id.Seat, silent ...id.Seat) {
	p.t.Helper()
	round, _ := p.state.Round()
	done, _ := p.state.Pool()
	entropy := map[id.Seat]Entropy{}
	for _, seat := range seats {
		e := entropyOf(seat, p.n)
		p.n++
		entropy[seat] = e
		p.do(Committed{
			Round: round, Mix: done + 1, Seat: seat, Client: clientOf(seat),
			Hash: e.Commitment(aTable, round, done+1, seat),
		})
		if seat == 1 {
			n := &p.notes.Rounds[len(p.notes.Rounds)-1]
			n.Shares = append(n.Shares, NotedShare{done + 1, seat, e})
		}
	}
	p.do(p.state.Close())
	for _, seat := range slices.Backward(seats) {
		if slices.Contains(silent, seat) {
			continue
		}
		number, _ := p.state.Share(clientOf(seat))
		p.do(Revealed{Round: round, Mix: done + 1, Share: number, Entropy: entropy[seat]})
	}
	p.do(p.state.Mix())
}

// draw draws as a table does: with IntN alone.
func (p *play) draw(
	a Audience, what DrawKind, seat id.Seat, piece id.OID, inputs []uint32, n int,
) []uint32 {
	p.t.Helper()
	rand := p.state.Rand(p.current(), a)
	outputs := drawn(rand, what, inputs, n)
	fact, err := rand.Record(p.now+250, what, seat, []id.OID{piece}, inputs, outputs)
	if err != nil {
		p.t.Fatal(err)
	}
	p.do(fact)
	return outputs
}

// drawn is how a table draws. It is written from F8, not with the code that checks it.
func drawn(rand interface{ IntN(n int) int }, what DrawKind, inputs []uint32, n int) []uint32 {
	switch what {
	case Shuffle:
		out := slices.Clone(inputs)
		for last := len(out); last > 1; last-- {
			k := rand.IntN(last)
			out[last-1], out[k] = out[k], out[last-1]
		}
		return out
	case Draw:
		left, out := slices.Clone(inputs), []uint32{}
		for range n {
			k := rand.IntN(len(left))
			out = append(out, left[k])
			left = append(slices.Clone(left[:k]), left[k+1:]...)
		}
		return out
	case Cut:
		return []uint32{uint32(rand.IntN(int(inputs[0])-1)) + 1}
	default:
		return []uint32{uint32(rand.IntN(int(inputs[0])))}
	}
}

// upTo returns the numbers from 0 to n-1, each the given number of times.
func upTo(n, times int) []uint32 {
	var list []uint32
	for i := range n {
		for range times {
			list = append(list, uint32(i))
		}
	}
	return list
}

// evening is a game of three rounds with every kind of fact. The first two rounds are revealed, the
// last one is sealed.
func evening(t testing.TB) *play { return newPlay(t).evening() }

// firstEvening is an evening whose rounds are of version 1.
func firstEvening(t testing.TB) *play {
	p := newPlay(t)
	p.first = true
	return p.evening()
}

// upgradedEvening is an evening whose first round is of version 1.
func upgradedEvening(t testing.TB) *play {
	p := newPlay(t)
	p.first = true
	p.open()
	p.mix([]id.Seat{1, 2})
	p.draw(Everybody, Roll, 1, aDie, []uint32{6}, 0)
	p.draw(2, Roll, 2, aDie, []uint32{20}, 0)
	p.first = false
	p.open()
	p.name(4, "Dora")
	p.publishSeed()
	p.mix([]id.Seat{4, 1})
	p.draw(Everybody, Roll, 4, aDie, []uint32{6}, 0)
	p.draw(4, Roll, 4, aDie, []uint32{20}, 0)
	p.open()
	p.publishSeed()
	p.bound.Seats = append(p.bound.Seats, Seat{5, "Eli"}) // no round has recorded this seat yet
	p.grown = append(p.grown, "Joker")
	return p
}

func (p *play) evening() *play {
	p.open()
	p.draw(Everybody, Shuffle, 0, aDeck, upTo(12, 1), 0) // before anybody has contributed
	p.mix([]id.Seat{1, 2, 3})
	p.draw(Everybody, Shuffle, 1, aDeck, upTo(13, 2), 0)
	p.draw(Everybody, Cut, 2, aDeck, []uint32{26}, 0)
	p.draw(Everybody, Roll, 2, aDie, []uint32{6}, 0)
	p.draw(2, Roll, 2, aDie, []uint32{20}, 0) // behind a screen
	p.mix([]id.Seat{3, 1}, 3)
	p.draw(Everybody, Draw, 3, aBag, []uint32{2, 2, 2, 5, 9, 9}, 4)
	p.draw(2, Roll, 2, aDie, []uint32{20}, 0)
	p.draw(Everybody, Place, 1, aDeck, []uint32{27}, 0)
	if !p.first {
		p.name(4, "Dörte <&> \u2302 example.org")
		p.grow(8, "Joker", "", "König")
		p.draw(Everybody, Roll, 4, aDie, []uint32{6}, 0)
	}
	p.open()
	p.mix([]id.Seat{2, 1})
	p.draw(Everybody, Shuffle, 1, aDeck, upTo(20, 1), 0)
	p.publishSeed()
	if !p.first {
		p.name(2, "Benny")
	}
	p.open()
	p.mix([]id.Seat{1})
	p.draw(Everybody, Roll, 1, aDie, []uint32{2}, 0)
	p.draw(1, Roll, 1, aDie, []uint32{100}, 0)
	p.publishSeed()
	return p
}
