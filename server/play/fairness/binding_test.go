package fairness

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
)

// TestF16Binding shows what seals, lines and pools of rounds of version 2 depend on (F16).
func TestF16Binding(t *testing.T) {
	roll := func(p *play, at id.Millis) Drawn {
		rand := p.state.Rand(p.current(), Everybody)
		f, err := rand.Record(at, Roll, 1, []id.OID{aDie}, []uint32{MaxSides},
			[]uint32{uint32(rand.IntN(MaxSides))})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	// Clauses: F9.6, F16.5, F16.10
	t.Run("F9, F16 a seal depends on the time and all names and times before", func(t *testing.T) {
		seals := map[Digest]bool{}
		for _, first := range []bool{false, true} {
			for _, change := range []func(p *play){
				func(*play) {},
				func(p *play) { p.bound.Seats[0].Name = "Mallory" },
				func(p *play) { p.bound.Catalog[0]++ },
				func(p *play) { p.bound.Names[0]++ },
				func(p *play) { p.bound.Kinds++ },
				func(p *play) { p.now++ },
			} {
				p := newPlay(t)
				p.first = first
				change(p)
				p.open()
				seals[roll(p, 7).Seal], seals[roll(p, 8).Seal] = true, true
				if first {
					continue
				}
				p.name(9, "Zoe")
				seals[roll(p, 7).Seal] = true
				p.grow(9, "Joker")
				seals[roll(p, 7).Seal] = true
			}
		}
		if len(seals) != 6*4+1 {
			t.Errorf("%d different seals, want %d, and one in version 1", len(seals), 6*4+1)
		}
	})
	t.Run("F16.12 names and times change no draw or pool", func(t *testing.T) {
		pools, outcomes := map[Digest]bool{}, map[uint32]bool{}
		for i, change := range []func(p *play){
			func(*play) {},
			func(p *play) { p.bound.Seats[0].Name = "Mallory" },
			func(p *play) { p.bound.Catalog[0]++ },
			func(p *play) { p.now++ },
			func(p *play) { p.first = true },
		} {
			p := newPlay(t)
			change(p)
			p.open()
			if !p.first {
				p.name(9, strings.Repeat("x", i))
			}
			p.mix([]id.Seat{1, 2})
			_, pool := p.state.Pool()
			pools[pool], outcomes[roll(p, id.Millis(i)).Record.Outputs[0]] = true, true
		}
		if len(pools) != 1 || len(outcomes) != 1 {
			t.Errorf("%d pools, %d outcomes", len(pools), len(outcomes))
		}
	})
	t.Run("F16.11 a draw published to some changes no line", func(t *testing.T) {
		p := newPlay(t)
		p.open()
		line := p.state.line
		p.draw(2, Roll, 2, aDie, []uint32{20}, 0)
		if p.state.line != line {
			t.Error("the line shows it")
		}
	})
	// Clauses: F17.1, F17.2, F17.3
	t.Run("F17 a draw that was taken back is marked", func(t *testing.T) {
		p := newPlay(t)
		p.first = true
		p.open()
		refused(t, p.state, Undone{Round: 1, Of: 1, Number: 1, Seat: 1}, FaultVersion)
		p.first = false
		p.open()
		p.draw(Everybody, Roll, 1, aDie, []uint32{6}, 0)
		for _, f := range []Undone{
			{Round: 2, Of: 3, Number: 1}, {Round: 2, Number: 1}, {Round: 2, Of: 2},
		} {
			refused(t, p.state, f, FaultRound)
		}
		p.do(Undone{Round: 2, Of: 2, Number: 1, Seat: 1})
		p.open()
		p.publishSeed()
		p.publishSeed()
		file := p.file()
		if _, _, unread, d := judge(file, nil); unread != "" || d != nil {
			t.Fatal(unread, d)
		}
		later := bytes.Replace(file, []byte(`"of":2`), []byte(`"of":3`), 1)
		if _, _, unread, d := judge(later, nil); unread != "" || d == nil || d.Fault != FaultRound {
			t.Errorf("a draw of a later round: %s, %v", unread, d)
		}
	})
	// Clauses: F18.2, F18.3
	t.Run("F18 a rewind is marked", func(t *testing.T) {
		p := newPlay(t)
		p.first = true
		p.open()
		refused(t, p.state, Rewound{Round: 1, Of: 1, Seat: 1}, FaultVersion)
		p.first = false
		p.open()
		for _, f := range []Rewound{{Round: 2, Of: 3}, {Round: 2}} {
			refused(t, p.state, f, FaultRound)
		}
		p.do(Rewound{Round: 2, Of: 1, Seat: 1})
		p.open()
		p.publishSeed()
		p.publishSeed()
		file := p.file()
		if _, _, unread, d := judge(file, nil); unread != "" || d != nil {
			t.Fatal(unread, d)
		}
		later := bytes.Replace(file, []byte(`"of":1`), []byte(`"of":3`), 1)
		if _, _, unread, d := judge(later, nil); unread != "" || d == nil || d.Fault != FaultRound {
			t.Errorf("a save point of a later round: %s, %v", unread, d)
		}
	})
	// Clauses: F16.3, F16.13
	t.Run("F16 a round of version 1 has no names, and none follows version 2", func(t *testing.T) {
		p := newPlay(t)
		p.first = true
		p.open()
		refused(t, p.state, SeatNamed{Round: 1, Seat: 1, Name: "Anna"}, FaultVersion)
		refused(t, p.state, CatalogChanged{Round: 1}, FaultVersion)
		p.first = false
		p.open()
		p.first = true
		refused(t, p.state, p.opening(), FaultVersion)
		refused(t, p.state, SeatNamed{Round: 1, Seat: 1, Name: "Anna"}, FaultRound)
	})
	t.Run("F15.9, F16.14 impossible names", func(t *testing.T) {
		p := newPlay(t)
		p.open()
		for name, want := range map[string]Fault{
			strings.Repeat("x", MaxName+1): FaultFull, "\xff": FaultRecord,
		} {
			refused(t, p.state, SeatNamed{Round: 1, Seat: 1, Name: name}, want)
			f := p.opening()
			f.Bound.Seats[0].Name = name
			refused(t, p.state, f, want)
		}
		f := p.opening()
		slices.Reverse(f.Bound.Seats)
		refused(t, p.state, f, FaultRecord)
		f.Bound.Seats = make([]Seat, MaxAudiences+1)
		refused(t, p.state, f, FaultFull)
		p.name(1, strings.Repeat("x", MaxName))
		if again, err := DecodeFact(EncodeFact(p.facts[len(p.facts)-1])); err != nil ||
			again != p.facts[len(p.facts)-1] {
			t.Errorf("the longest name: %v, %v", again, err)
		}
	})
	t.Run("F16 states with rounds of both versions are distinguished", func(t *testing.T) {
		p := upgradedEvening(t)
		replayed := NewState(aTable)
		for i, f := range p.facts {
			if err := replayed.Apply(p.times[i], f); err != nil {
				t.Fatalf("fact %d, %s: %v", i, f.Kind(), err)
			}
			snapshot := replayed.Encode()
			if want := byte(1); !replayed.Bound() && snapshot[0] != want {
				t.Errorf("a state of version 1 is encoded as %d", snapshot[0])
			}
			again, err := DecodeState(snapshot)
			if err != nil || !bytes.Equal(again.Encode(), snapshot) {
				t.Fatalf("snapshot after fact %d, %s: %v", i, f.Kind(), err)
			}
			replayed = again
		}
	})
}
