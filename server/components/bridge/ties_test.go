package bridge

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

var tieSeed = flag.Uint64("tieseed", 0, "seed of the only party of TestTies; 0 plays many")

// shorter orders data by length first.
func shorter(a, b []byte) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b))
}

// guest is an engine at a bridge of a party. It merges by its own comparator.
type guest struct {
	bridge *Bridge
	engine *crdt.Replica
	frames []*holtpb.Frame // to the bridge
	down   [][]byte        // to the engine
	ups    [][]byte        // to the bridge
	down1  crdt.FlatDecoder
	zero   map[crdt.Entity]bool // keys to which it has written with the timestamp 0
}

// party is a room with several engines, which order data in different ways and write the same keys.
type party struct {
	t      *testing.T
	name   string
	rnd    *rand.Rand
	room   *crdt.Replica
	guests []*guest
	ties   int
}

const tieKey = 7 // a foreign component

func newParty(t *testing.T, seed uint64) *party {
	p := &party{
		t: t, name: fmt.Sprintf("-run TestTies -tieseed %d", seed),
		rnd:  rand.New(rand.NewPCG(seed, 1)),
		room: crdt.New(crdt.Config{Sets: schema.Sets, Both: schema.Both}),
	}
	allowed := crdt.Op{
		Kind: crdt.Put, Component: schema.Foreign, Timestamp: 1,
		Data: schema.Encode(&componentpb.Foreign{Allowed: true}),
	}
	p.room.Merge(allowed)
	for i := range 3 {
		compare, offset := shorter, []uint16{MaxOffset, 16_384, 0}[p.rnd.IntN(3)]
		if i == 2 {
			compare = bytes.Compare
		}
		g := &guest{
			bridge: New(Config{
				Form: Flat, Length: i < 2, Offset: offset, Random: p.rnd.Uint32,
			}),
			engine: crdt.New(crdt.Config{Sets: schema.Sets, Both: schema.Both, Compare: compare}),
			down1:  crdt.FlatDecoder{Zero: true},
			zero:   map[crdt.Entity]bool{},
		}
		g.frames = []*holtpb.Frame{{Events: []*holtpb.Event{
			{Event: &holtpb.Event_Full{Full: &holtpb.Full{Components: encoded(allowed)}}},
		}}}
		p.guests = append(p.guests, g)
	}
	return p
}

func (p *party) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("%s: %v", p.name, err)
	}
}

func (p *party) data() []byte {
	b := bytes.Repeat([]byte{7}, 1+p.rnd.IntN(3))
	b[0] = byte(9 - len(b)) // the shorter, the greater by bytes
	if p.rnd.IntN(4) == 0 {
		b[0] = byte(p.rnd.IntN(10))
	}
	return b
}

// write makes an engine write, and send what it writes.
func (p *party) write(g *guest) {
	wire := g.bridge.edge.outward(crdt.Op{Kind: crdt.Put, Component: tieKey,
		Entity: schema.FirstForeign + crdt.Entity(p.rnd.IntN(2))}).Entity
	var op crdt.Op
	var err error
	switch n := p.rnd.IntN(8); {
	case n == 0 && g.engine.Timestamp(wire, tieKey) == 0 && !g.zero[wire]:
		op = crdt.Op{Kind: crdt.Put, Entity: wire, Component: tieKey, Data: p.data()}
		g.engine.Merge(op)
		g.zero[wire] = true
	case n == 1:
		op, err = g.engine.Delete(wire, tieKey)
	default:
		op, err = g.engine.Put(wire, tieKey, p.data())
	}
	p.must(err)
	message, err := crdt.AppendFlat(nil, &op)
	p.must(err)
	g.ups = append(g.ups, message)
}

// carry delivers the first message of a random queue of an engine.
func (p *party) carry(g *guest) bool {
	for _, q := range p.rnd.Perm(3) {
		switch {
		case q == 0 && len(g.frames) > 0:
			out, err := g.bridge.FromView(g.frames[0])
			p.must(err)
			g.frames, g.down = g.frames[1:], append(g.down, out...)
		case q == 1 && len(g.down) > 0:
			p.must(g.down1.Push(g.down[0], func(op crdt.Op) {
				if state, ok := g.engine.State(op.Entity, op.Component); ok &&
					state.Timestamp == op.Timestamp && !bytes.Equal(state.Data, op.Data) {
					p.ties++
				}
				g.engine.Merge(op)
			}))
			g.down = g.down[1:]
		case q == 2 && len(g.ups) > 0 && g.bridge.Synchronised():
			taken, err := g.bridge.FromReplica(g.ups[0], now)
			p.must(err)
			g.ups, g.down = g.ups[1:], append(g.down, taken.Answer...)
			p.operate(g, taken.Ops)
		default:
			continue
		}
		return true
	}
	return false
}

// operate merges operations in the room, which sends what had an effect to everybody, and now and
// then refuses one.
func (p *party) operate(from *guest, ops []crdt.Op) {
	for _, op := range ops {
		if p.rnd.IntN(10) == 0 {
			from.frames = append(from.frames, &holtpb.Frame{Events: []*holtpb.Event{{
				Event: &holtpb.Event_Refused{Refused: &holtpb.Refused{
					Entity: uint64(op.Entity), Component: op.Component, Timestamp: op.Timestamp,
					Reason: holtpb.Refusal(schema.Full),
				}},
			}}})
			continue
		}
		if p.room.Merge(op).Outcome != crdt.Applied {
			continue
		}
		for _, g := range p.guests {
			g.frames = append(g.frames, &holtpb.Frame{Events: []*holtpb.Event{
				{Event: &holtpb.Event_Components{Components: encoded(op)}},
			}})
		}
	}
}

func (p *party) quiet() {
	for range 100_000 {
		if !slices.ContainsFunc(p.guests, p.carry) {
			return
		}
	}
	p.t.Fatalf("%s: it does not settle", p.name)
}

// check compares what the engines have with the room.
func (p *party) check() {
	p.t.Helper()
	for i, g := range p.guests {
		if !g.bridge.Settled() {
			p.t.Fatalf("%s: engine %d has pending operations: %v", p.name, i, g.bridge.sent)
		}
		for e := schema.FirstForeign; e < schema.FirstForeign+2; e++ {
			wire := g.bridge.edge.outward(crdt.Op{Kind: crdt.Put, Entity: e}).Entity
			want, has := p.room.Get(e, tieKey)
			got, ok := g.engine.Get(wire, tieKey)
			if ok != has || !bytes.Equal(got, want) {
				p.t.Fatalf("%s: engine %d has %x (%v) under %d, the room %x (%v)",
					p.name, i, got, ok, wire, want, has)
			}
		}
	}
}

// TestTies shows that engines of different comparators end with what the room has, by bytes, if
// their bridges know how they compare.
// Clauses: C3.9, C19.55, C19.56, C19.57, C19.65, C19.66
func TestTies(t *testing.T) {
	t.Run("C3, C19 engines that compare lengths and engines that compare bytes agree",
		func(t *testing.T) {
			first, n := *tieSeed, 1
			if first == 0 {
				if first, n = 1, 20_000; testing.Short() {
					n = 2000
				}
			}
			ties := 0
			for i := range uint64(n) {
				p := newParty(t, first+i)
				for range 3 {
					for range 40 {
						g := p.guests[p.rnd.IntN(len(p.guests))]
						if p.rnd.IntN(3) == 0 {
							p.write(g)
						} else {
							p.carry(g)
						}
					}
					p.quiet()
					p.check()
				}
				ties += p.ties
			}
			t.Logf("%d parties, %d ties reached an engine", n, ties)
			if n > 1 && ties < n/2 {
				t.Errorf("it covers little: %d ties", ties)
			}
		})
}
