package sim

import (
	"context"
	"flag"
	mathrand "math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/client"
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
)

var (
	partSeed = flag.Uint64("partseed", 0, "seed of the only run of TestReplicas")
	parts    = flag.Int("parts", 24, "runs of TestReplicas")
)

// programs is how many replicas there are at a table of TestReplicas.
const programs = 20

// TestReplicas makes native replicas write while networks lose requests and answers, connections
// break, noticed or not, and the server is started again. When everything works again each replica
// opens a stream twice. Then all have the same.
func TestReplicas(t *testing.T) {
	first, n := *partSeed, 1
	if first == 0 {
		if first, n = firstSeed("parts"), *parts; testing.Short() {
			n = min(n, 2)
		}
	}
	t.Run("C4, C17, C20 after any loss all replicas agree in two rounds", func(t *testing.T) {
		t.Logf("%d runs; of the first: -run TestReplicas -partseed %d", n, first)
		var all replicaCounts
		for i := range uint64(n) {
			seed, dir := first+i, t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				h := &serverWithHTTP{host: host{t: t, dir: dir}, network: new(network)}
				all.play(h, mathrand.New(mathrand.NewPCG(seed, 0)), seed%2 == 0)
			})
			if t.Failed() {
				t.Fatalf("-run TestReplicas -partseed %d", seed)
			}
		}
		t.Logf("%d writes taken, %d replaced, %d refused; %d disconnections, %d restarts, %d streams",
			all.taken, all.overtaken, all.denied, all.disconnects, all.restarts, all.streams)
		if n >= 10 && (all.taken < 300*n || all.overtaken < 10*n || all.denied < n ||
			all.disconnects < 10*n || all.restarts < n) {
			t.Errorf("it covers little: %+v", all)
		}
	})
}

// firstSeed returns the first seed of a random test that got no seed. It is 1, so that each run
// plays the same. If the flag is set that says how much to play, it is random.
func firstSeed(howMuch string) uint64 {
	first := uint64(1)
	flag.Visit(func(f *flag.Flag) {
		if f.Name == howMuch {
			first = mathrand.Uint64()>>1 + 1
		}
	})
	return first
}

// replicaCounts counts what has happened.
type replicaCounts struct {
	taken, overtaken, denied, disconnects, restarts, streams, byDatagrams, byWebSocket int
}

// play plays one run. With cards, pieces go into hands, so that views differ.
func (c *replicaCounts) play(h *serverWithHTTP, rnd *mathrand.Rand, cards bool) {
	h.start()
	defer func() { h.stop() }()
	all := h.assemble(rnd)
	defer func() {
		for _, p := range all {
			p.end()
		}
	}()
	for i := range 1500 {
		p := all[rnd.IntN(programs)]
		switch n := rnd.IntN(400); {
		case i%500 == 250:
			c.restarts++
			h.stop()
			<-time.After(time.Duration(rnd.Int64N(int64(20 * time.Second))))
			h.start()
		case n < 8:
			c.disconnects++
			p.network.disconnect(n < 4)
		case n < 20:
			p.network.reconnect(false)
		case n < 40:
			<-time.After(time.Duration(rnd.Int64N(int64(time.Second))))
		case cards && n < 140: // only they have hands
			all[2*rnd.IntN(2)].toy()
		default:
			p.write(cards)
		}
	}
	for _, p := range all {
		p.network.reconnect(true)
	}
	for range 2 {
		h.round(all)
	}
	h.compare(all, cards)
	for _, p := range all {
		p.mu.Lock()
		c.taken, c.overtaken, c.denied, c.streams = c.taken+p.taken, c.overtaken+p.overtaken,
			c.denied+p.denied, c.streams+p.synchronised
		c.byDatagrams, c.byWebSocket = c.byDatagrams+p.opened[client.Datagrams],
			c.byWebSocket+p.opened[client.WebSocket]
		p.mu.Unlock()
	}
}

// assemble makes a table, and seats programs at it, one of them as a spectator.
func (h *serverWithHTTP) assemble(rnd *mathrand.Rand) []*replicaClient {
	h.t.Helper()
	ada, invites, err := h.rooms.Create(h.t.Context(), room.NewTableRequest{
		Game: "sim", Host: room.Person{Nick: "Ada"},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	all := []*replicaClient{h.seat(ada, rnd)}
	for len(all) < programs {
		invite := invites.Player
		if len(all) == 1 {
			invite = invites.Spectator
		}
		taken, err := h.rooms.TakeSeat(h.t.Context(), invite, room.Person{Nick: "Bob"})
		if err != nil {
			h.t.Fatal(err)
		}
		all = append(all, h.seat(taken, rnd))
	}
	for _, p := range all {
		p.network.lose()
	}
	return all
}

// round makes every program open a stream and send what it has, as an exchange of digests would
// (C20).
func (h *serverWithHTTP) round(all []*replicaClient) {
	h.t.Helper()
	before := make([]int, len(all))
	for i, p := range all {
		before[i] = p.streams()
		p.Cut(0)
	}
	for i, p := range all {
		for begun := time.Now(); ; <-time.After(100 * time.Millisecond) {
			if _, outstanding := p.Digest(); outstanding == 0 && p.streams() > before[i] {
				break
			}
			if time.Since(begun) > 2*time.Minute {
				_, outstanding := p.Digest()
				h.t.Fatalf("C17 seat %v has %d pending writes, %d streams have the full state",
					p.session.Seat, outstanding, p.streams()-before[i])
			}
		}
	}
}

// compare compares what each program has with what its seat may see, and with what the others have
// if all see the same.
func (h *serverWithHTTP) compare(all []*replicaClient, cards bool) {
	h.t.Helper()
	<-time.After(time.Second) // until what was sent in the last round is published
	synctest.Wait()
	first, _ := all[0].Digest()
	for _, p := range all {
		encoded, err := h.rooms.Components(context.Background(), p.session)
		if err != nil {
			h.t.Fatal(err)
		}
		m, err := crdt.Decode(encoded)
		if err != nil {
			h.t.Fatal(err)
		}
		truth := crdt.New(crdt.Config{Sets: schema.Sets})
		for op := range m.Ops() {
			truth.Merge(op)
		}
		got, _ := p.Digest()
		if want := truth.Digest(); got != want {
			h.t.Errorf("C20 seat %v has another digest than the server", p.session.Seat)
		}
		if !cards && got != first {
			h.t.Errorf("C20 seat %v has another digest than seat %v", p.session.Seat,
				all[0].session.Seat)
		}
	}
}

// TestBot shows what a bot can do: it asks what lies at a place and how far away that is, and waits
// for the answers.
func TestBot(t *testing.T) {
	t.Run("C18.5 a bot's question is answered, or expires without a server", func(t *testing.T) {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			h := &serverWithHTTP{host: host{t: t, dir: dir}, network: new(network)}
			h.start()
			defer func() { h.stop() }()
			taken, _, err := h.rooms.Create(t.Context(), room.NewTableRequest{
				Game: "sim", Host: room.Person{Nick: "Ada"},
			})
			if err != nil {
				t.Fatal(err)
			}
			bot := h.seat(taken, mathrand.New(mathrand.NewPCG(1, 0)))
			defer bot.end()
			synctest.Wait()
			seat := schema.EntityOfSeat(bot.View().You)
			answer, err := bot.Ask(t.Context(), seat, schema.HitTest,
				schema.Encode(&componentpb.HitTest{X: 1000, Y: 0}))
			if err != nil {
				t.Fatal(err)
			}
			under, err := schema.Decode[componentpb.HitTestResult](answer)
			if err != nil || len(under.GetPieces()) != 1 {
				t.Fatalf("under the place lies %v, %v", under, err)
			}
			token := under.GetPieces()[0]
			answer, err =
				bot.Ask(t.Context(), seat, schema.Measure, schema.Encode(&componentpb.Measure{
					From: &componentpb.Spot{Piece: token}, To: &componentpb.Spot{X: 4000, Y: 4000},
				}))
			if err != nil {
				t.Fatal(err)
			}
			if far, err := schema.Decode[componentpb.MeasureResult](answer); err != nil ||
				far.GetDistance() != 5000 {
				t.Errorf("it is as far as %v, %v", far, err)
			}
			bot.network.disconnect(true)
			start := time.Now()
			if _, err := bot.Ask(
				t.Context(), seat, schema.Measure, schema.Encode(&componentpb.Measure{
					From: &componentpb.Spot{X: 1}, To: &componentpb.Spot{X: 4},
				}),
			); err == nil || time.Since(start) != 10*time.Second {
				t.Errorf("after %v: %v", time.Since(start), err)
			}
			bot.network.reconnect(true)
			<-time.After(time.Minute)
			data, _ := bot.Component(seat, schema.MeasureResult)
			if late, err := schema.Decode[componentpb.MeasureResult](data); err != nil ||
				late.GetDistance() != 3 {
				t.Errorf("C4 the late one is %v, %v", late, err)
			}
		})
	})
}
