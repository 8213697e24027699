package world_test

import (
	"errors"
	"runtime"
	"testing"

	"holt/server/id"
	"holt/server/object"
	"holt/server/peer"
	"holt/server/room"
)

// echo is a machine that answers what it is sent: what it takes is the round trip.
type echo struct {
	*server
	back chan struct{} // of one
}

func (e *echo) Up(id.GWID)   {}
func (e *echo) Down(id.GWID) {}

func (e *echo) Receive(host id.GWID, m peer.Message) {
	if m.Request {
		_ = e.links.Send(host, peer.Message{Bytes: m.Bytes})
		return
	}
	e.back <- struct{}{}
}

// BenchmarkRoundTrip sends messages between two servers on one machine and back, without objects.
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
	for b.Loop() {
		p.must(ada.links.Send(ben.self(), peer.Message{Request: true, Bytes: []byte{1}}))
		<-ends[0].back
	}
}

// unlimited lets two servers ask each other as fast as they can.
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

// BenchmarkCall asks a deck what a card is: on a table of its own server; on one of another server, of which it is known where it is
// (warm); and on one of a third server, which has to ask the creator for that first (cold), and is refused, as it does not hold it.
func BenchmarkCall(b *testing.B) {
	visited := func(b *testing.B, lazy int) (s *server, on, set id.OID) {
		p := newPlace(b, "Ada", "Ben")
		p.unlimited()
		ada, ben := p.servers[0], p.servers[1]
		ada.stop()
		ada.lazy = lazy
		ada.start()
		p.together(ada, ben)
		_, set, _ = ada.owned()
		on, _ = ada.visit(ben, set)
		return ben, on, set
	}
	reveal := func(b *testing.B, s *server, on, set id.OID) {
		for b.Loop() {
			if _, err := s.world.Reveal(b.Context(), on, set, []uint32{7}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("local", func(b *testing.B) {
		s, on, set := visited(b, 1)
		if _, err := s.world.Reveal(b.Context(), on, set, []uint32{7}); err != nil {
			b.Fatal(err)
		}
		s.await("the set to move", func() bool { return s.owns(set) && s.keeps(object.Moves) == 0 })
		reveal(b, s, on, set)
	})
	b.Run("warm", func(b *testing.B) {
		s, on, set := visited(b, 1<<30)
		reveal(b, s, on, set)
	})
	b.Run("cold", func(b *testing.B) {
		p := newPlace(b, "Ada", "Ben", "Cem")
		p.unlimited()
		ada, ben, cem := p.servers[0], p.servers[1], p.servers[2]
		bens, on := ben.person(), cem.mint()
		for b.Loop() {
			b.StopTimer()
			_, set, _ := ada.owned()
			p.must(ada.world.Give(b.Context(), set, ben.self()))
			p.must(ben.world.Put(b.Context(), bens, set))
			p.must(ada.world.Move(b.Context(), set, ben.self()))
			p.must(ada.world.Give(b.Context(), set, cem.self()))
			p.await("the set to move", func() bool { return ben.owns(set) && !ada.owns(set) })
			b.StartTimer()
			var refusal *room.Refusal
			if _, err := cem.world.Reveal(b.Context(), on, set, []uint32{7}); !errors.As(err, &refusal) {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkMigration moves a deck of 54 cards to another server and back, with everything that is kept and said for that.
func BenchmarkMigration(b *testing.B) {
	p := newPlace(b, "Ada", "Ben")
	p.unlimited()
	ada, ben := p.servers[0], p.servers[1]
	_, set, _ := ada.owned()
	table, _ := ada.visit(ben, set)
	move := func(from, to *server) {
		for from.world.Move(b.Context(), set, to.self()) != nil { // it has not come here quite yet
			runtime.Gosched()
		}
	}
	for b.Loop() {
		move(ada, ben)
		move(ben, ada)
	}
	p.await("an answer", func() bool { // what was begun when it had come each time may fill the window of calls (O14)
		_, err := ben.world.Reveal(b.Context(), table, set, []uint32{1})
		return err == nil
	})
}
