package node_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/tables/room"
)

// latencies are durations of one kind of operation.
type latencies []time.Duration

// time runs f and adds its duration.
func (l *latencies) time(f func()) {
	at := time.Now()
	f()
	*l = append(*l, time.Since(at))
}

// report reports the median and the 99th percentile, as metrics whose names begin with name.
func (l latencies) report(b *testing.B, name string) {
	slices.Sort(l)
	b.ReportMetric(float64(l[len(l)/2].Nanoseconds())/1e3, name+"p50-µs")
	b.ReportMetric(float64(l[len(l)*99/100].Nanoseconds())/1e3, name+"p99-µs")
}

// echo is a machine that answers every message. The round trip is its cost.
type echo struct {
	*server
	back chan struct{} // capacity 1: an answer has come
}

func (e *echo) Up(id.HostID)   {}
func (e *echo) Down(id.HostID) {}

func (e *echo) Receive(host id.HostID, m peer.Message) {
	if m.Request {
		_ = e.links.Send(host, peer.Message{Bytes: m.Bytes})
		return
	}
	e.back <- struct{}{}
}

// BenchmarkRoundTrip sends messages between two servers on one machine and back, without objects:
// the minimum for a call elsewhere.
func BenchmarkRoundTrip(b *testing.B) {
	p := newPlace(b, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	var ends [2]*echo
	for i, s := range p.servers {
		s.stop()
		ends[i] = &echo{server: s, back: make(chan struct{}, 1)}
		s.machine = ends[i]
		s.start()
	}
	p.together(ada, ben)
	p.unlimited()
	var took latencies
	for b.Loop() {
		took.time(func() {
			p.must(ada.links.Send(ben.self(), peer.Message{Request: true, Bytes: []byte{1}}))
			<-ends[0].back
		})
	}
	took.report(b, "")
}

// BenchmarkCommit writes as many bytes as a deck has to the disk: the minimum for a call that
// changes something.
func BenchmarkCommit(b *testing.B) {
	s := newPlace(b, "Ada").servers[0]
	_, set, _ := s.owned()
	body, err := s.db.ObjectValue(b.Context(), object.Bodies, set)
	p := s.place
	p.must(err)
	b.SetBytes(int64(len(body)))
	var took latencies
	for b.Loop() {
		body[0]++ // unchanged content is not written
		took.time(func() {
			p.must(s.db.KeepObjects(b.Context(),
				[]object.Write{{Space: object.Bodies, OID: set, Value: body}}, nil))
		})
	}
	took.report(b, "")
}

// unlimited raises the limits, so that the servers can ask each other as fast as possible.
func (p *place) unlimited() {
	limits := peer.DefaultLimits
	limits.PerSecond = 100_000
	for _, s := range p.servers {
		for _, other := range p.servers {
			if other != s {
				p.must(s.links.SetLimits(p.Context(), other.self(), limits))
			}
		}
	}
}

// visiting is a deck of one server on a table of another one.
type visiting struct {
	*place
	host    *server // the table's server
	on, set id.OID
	seq     id.ClientSeq
}

// newVisiting puts a deck of the first server on a table of the second one. If moves is set the
// deck moves there. Otherwise it is called at home.
func newVisiting(b *testing.B, moves bool) *visiting {
	p := newPlace(b, "Ada", "Ben")
	p.unlimited()
	ada, ben := p.servers[0], p.servers[1]
	ada.stop()
	ada.lazy = 1 << 30 // it does not move
	ada.start()
	p.together(ada, ben)
	_, set, _ := ada.owned()
	on, _ := ada.visit(ben, set)
	if moves {
		p.must(ada.world.Move(b.Context(), set, ben.self()))
		ada.await("the set to move",
			func() bool { return ben.owns(set) && ben.keeps(object.Moves) == 0 })
	}
	return &visiting{place: p, host: ben, on: on, set: set}
}

// look asks what a card is, which changes nothing.
func (v *visiting) look() {
	_, err := v.host.world.Reveal(v.Context(), v.on, v.set, []uint32{rand.Uint32N(cards) + 1})
	v.must(err)
}

// roll rolls the die of the deck, which is stored.
func (v *visiting) roll() {
	v.seq++
	_, err := v.host.world.Roll(v.Context(),
		room.Request{Table: v.on, Set: v.set, Client: id.Client{1}, Seq: v.seq}, die, [32]byte{1})
	v.must(err)
}

// BenchmarkCall calls a deck of 54 cards from its table, on the server where it is, and on another
// one that knows where it is (warm). The calls are looks, which change nothing, and rolls of its
// die. cold is a look by a server whose cache is wrong: it asks the creator, which answers where
// the deck is now.
func BenchmarkCall(b *testing.B) {
	for _, at := range []struct {
		name string
		home bool
	}{{"local", true}, {"warm", false}} {
		for _, does := range []struct {
			name string
			call func(*visiting)
		}{{"look", (*visiting).look}, {"roll", (*visiting).roll}} {
			b.Run(at.name+"/"+does.name, func(b *testing.B) {
				v := newVisiting(b, at.home)
				does.call(v) // the first call of a process is stored
				var took latencies
				b.ReportAllocs()
				for b.Loop() {
					took.time(func() { does.call(v) })
				}
				took.report(b, "")
			})
		}
	}
	b.Run("cold/look", func(b *testing.B) {
		p := newPlace(b, "Ada", "Ben", "Cem")
		p.unlimited()
		ada, ben, cem := p.servers[0], p.servers[1], p.servers[2]
		bens := ben.person()
		var took latencies
		for b.Loop() {
			b.StopTimer()
			_, set, _ := ada.owned()
			on, _ := ada.visit(cem, set)
			p.must(ada.world.Give(b.Context(), set, ben.self()))
			p.must(ben.world.Put(b.Context(), bens, set))
			p.must(ada.world.Move(b.Context(), set, ben.self()))
			p.await("the set to move", func() bool {
				return ben.owns(set) && !ada.owns(set) && ben.keeps(object.Moves) == 0
			})
			v := &visiting{place: p, host: cem, on: on, set: set}
			b.StartTimer()
			took.time(v.look)
		}
		took.report(b, "")
	})
}

// counting is a machine that counts the messages that arrive.
type counting struct {
	*server
	messages, bytes *atomic.Int64
}

func (c counting) Up(host id.HostID)   { c.world.Up(host) }
func (c counting) Down(host id.HostID) { c.world.Down(host) }

func (c counting) Receive(host id.HostID, m peer.Message) {
	c.messages.Add(1)
	c.bytes.Add(int64(len(m.Bytes)))
	c.world.Receive(host, m)
}

// BenchmarkMigration moves a deck of 54 cards to another server and back, with everything that is
// stored and sent for that. Its kinds and pictures are sent only once.
func BenchmarkMigration(b *testing.B) {
	p := newPlace(b, "Ada", "Ben")
	p.unlimited()
	ada, ben := p.servers[0], p.servers[1]
	var messages, bytes atomic.Int64
	commits := func() (n int) {
		for _, s := range p.servers {
			s.dies.mu.Lock()
			n -= s.dies.left
			s.dies.mu.Unlock()
		}
		return n
	}
	for _, s := range p.servers {
		s.stop()
		s.dies, s.machine = &cord{left: 1 << 40}, counting{s, &messages, &bytes}
		s.start()
	}
	p.together(ada, ben)
	_, set, _ := ada.owned()
	table, _ := ada.visit(ben, set)
	move := func(from, to *server) {
		for from.world.Move(b.Context(), set, to.self()) != nil { // it has not quite arrived yet
			runtime.Gosched()
		}
	}
	there := func() { move(ada, ben) }
	back := func() { move(ben, ada) }
	there()
	back()
	var took latencies
	messages.Store(0)
	bytes.Store(0)
	before := commits()
	for b.Loop() {
		took.time(there)
		took.time(back)
	}
	took.report(b, "")
	n := float64(len(took))
	b.ReportMetric(float64(messages.Load())/n, "messages/move")
	b.ReportMetric(float64(bytes.Load())/n, "B/move")
	b.ReportMetric(float64(commits()-before)/n, "commits/move")
	// Each arrival starts a call, and unfinished ones may fill the window of calls (O14): wait for
	// an answer.
	p.await("an answer", func() bool {
		_, err := ben.world.Reveal(b.Context(), table, set, []uint32{1})
		return err == nil
	})
}

// BenchmarkLink links eight servers, each with each, and measures the memory that an end of an idle
// connection needs.
func BenchmarkLink(b *testing.B) {
	const count = 8
	var bytes, goroutines float64
	ends := 0
	for b.Loop() {
		var servers []*server
		for range count {
			servers = append(servers, newPlace(b, "Ada").servers[0])
		}
		before, _ := memory()
		running := runtime.NumGoroutine()
		for i, s := range servers {
			for _, other := range servers[:i] {
				s.link(s, other, everything)
			}
		}
		after, _ := memory()
		bytes += after - before
		goroutines += float64(runtime.NumGoroutine() - running)
		ends += count * (count - 1)
	}
	b.ReportMetric(bytes/float64(ends), "heap-B/end")
	b.ReportMetric(goroutines/float64(ends), "goroutines/end")
}
