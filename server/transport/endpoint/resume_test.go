package endpoint

import (
	"errors"
	"testing"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"

	"holt/server/tables/stream"
	"holt/server/transport/connection"
)

func TestResumption(t *testing.T) {
	for _, way := range [][2]string{{Plain, QUIC}, {QUIC, Plain}, {QUIC, QUIC}, {Plain, Plain}} {
		// Clauses: D21.1, D21.4
		t.Run("D21 a connection goes on by "+way[1]+" when "+way[0]+" is silent", func(t *testing.T) {
			inWorld(t, Bounds{}, func(w *world) {
				g := w.dial(way[0], "x")
				old := g.conn.path.remote()
				mine := ""
				// record the address of the client
				w.road.losing(0, func(p simnet.Packet) bool {
					if mine == "" && addressOf(p.To) == old {
						mine = p.From.String()
					}
					return false
				})
				g.play(1, 50)
				w.road.losing(0, func(p simnet.Packet) bool {
					return p.From.String() == mine || p.To.String() == mine
				})
				for n := range 50 {
					g.ping(uint64(51 + n))
					w.pass(10 * time.Millisecond)
				}
				if told, _ := g.heard(); told > 52 {
					w.Fatalf("got %d by a dead line", told)
				}
				if err := w.dialer().Resume(w.Context(), g.conn, w.target(way[1])); err != nil {
					w.Fatal(err)
				}
				w.pass(2 * time.Second)
				g.play(101, 50)
				if told, version := g.heard(); told != 150 || version != 151 {
					w.Errorf("got %d updates of 150, all up to %d", told, version)
				}
				if c := w.listener.Counts(); c.Opened != 1 || c.Resumed != 1 ||
					len(w.host.all()) != 1 {
					w.Errorf("counts %+v", c)
				}
				g.leave()
			})
		})
	}
	// Clauses: D20.3
	// Clauses: D21.2, D21.3, D21.10, D29.26
	t.Run("D21, D29 a token is valid until the next one is used", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			g := w.dial(QUIC, "x")
			g.play(1, 3)
			first := g.conn.token
			if err := w.dialer().Resume(w.Context(), g.conn, w.target(QUIC)); err != nil {
				w.Fatal(err)
			}
			g.play(4, 3)
			second := g.conn.token
			if first == second {
				w.Error("the Welcome has given the same token again")
			}
			g.conn.token = first
			err := w.dialer().Resume(w.Context(), g.conn, w.target(QUIC))
			var said *connection.CloseError
			if !errors.As(err, &said) || said.Code != connection.CodeNoConnection {
				w.Errorf("the first token is answered by %v", err)
			}
			g.conn.token = second
			g.play(7, 3) // the attempt has not touched the connection
			if err := w.dialer().Resume(w.Context(), g.conn, w.target(Plain)); err != nil {
				w.Errorf("the second token: %v", err)
			}
			g.play(10, 3)
			if told, _ := g.heard(); told != 12 {
				w.Errorf("got %d of 12", told)
			}
			g.leave()
		})
	})
	t.Run("D21.9, D21.10 a connection without a path is kept for 10 s", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			for _, after := range []time.Duration{9 * time.Second, 11 * time.Second} {
				g := w.dial(QUIC, "x")
				g.play(1, 3)
				g.conn.path.close(0, "") // as when the machine sleeps, but the server gets an error
				w.pass(after)
				hosted := w.host.last(w)
				err := w.dialer().Resume(w.Context(), g.conn, w.target(QUIC))
				if after < 10*time.Second {
					if g.play(4, 3); err != nil {
						w.Errorf("after %v: %v", after, err)
					}
					g.leave()
					continue
				}
				var said *connection.CloseError
				if !errors.As(err, &said) || said.Code != connection.CodeNoConnection {
					w.Errorf("after %v: %v", after, err)
				}
				if err := <-hosted.ended; err == nil || errors.Is(err, stream.ErrLeft) {
					w.Errorf("the stream has ended with %v: it broke", err)
				}
				g.leave()
			}
		})
	})
	t.Run("D21 nobody resumes by guessing", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			g := w.dial(QUIC, "x")
			own := g.conn.token
			for bit := range 8 {
				g.conn.token = own
				g.conn.token[bit] ^= 1 << bit
				if err := w.dialer().Resume(w.Context(), g.conn, w.target(QUIC)); err == nil {
					w.Error("another token is valid, too")
				}
			}
			g.conn.token = own
			g.leave()
		})
	})
}

func TestClosing(t *testing.T) {
	for _, way := range ways {
		// Clauses: D29.22
		t.Run("D29 an orderly close delivers all by "+way.name+" with 10 % loss", func(t *testing.T) {
			inWorld(t, Bounds{}, func(w *world) {
				g, err := way.open(w, "x")
				if err != nil {
					w.Fatal(err)
				}
				w.road.losing(0.1, nil)
				hosted := w.host.last(w)
				for n := range 100 {
					hosted.tell(uint64(n + 1))
				}
				hosted.client.Close(nil, stream.CodeTakenOver,
					"another stream of this client took over")
				end := <-g.ended
				if told, _ := g.heard(); told != 100 || end.Code != connection.CodeTaken ||
					!end.Remote || end.Reason != "another stream of this client took over" {
					w.Errorf("got %d of 100; ended by %v", told, end)
				}
				if err := <-hosted.ended; err != nil {
					w.Errorf("the stream has ended with %v", err)
				}
				g.conn.Wait()
			})
		})
		t.Run("D29.21 a fault ends it at once by "+way.name, func(t *testing.T) {
			inWorld(t, Bounds{}, func(w *world) {
				g, err := way.open(w, "x")
				if err != nil {
					w.Fatal(err)
				}
				start := time.Now()
				w.host.last(w).client.Abort(stream.CodeInternal, "broken")
				if end := <-g.ended; end.Code != connection.Code(stream.CodeInternal) ||
					end.Reason != "broken" || time.Since(start) > 2*latency {
					w.Errorf("after %v ended by %v", time.Since(start), end)
				}
				g.conn.Wait()
			})
		})
		t.Run("D14, S9.3 a forbidden message ends it by "+way.name, func(t *testing.T) {
			inWorld(t, Bounds{}, func(w *world) {
				g, err := way.open(w, "x")
				if err != nil {
					w.Fatal(err)
				}
				err = g.conn.Use(func(core *connection.Conn, now time.Duration) {
					if err := core.Send(now, []byte{0xff, 0xff}, nil, nil); err != nil {
						w.Error(err)
					}
				})
				if end := <-g.ended; err != nil || end.Code != connection.CodeProtocol ||
					!end.Remote {
					w.Errorf("ended by %v, %v", end, err)
				}
				g.conn.Wait()
			})
		})
	}
	t.Run("D29.16 a close by plain UDP is confirmed after a round trip", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			for _, loss := range []int{0, 2} { // in percent of packets
				g := w.dial(Plain, "x")
				g.play(1, 3)
				w.road.losing(0, losingFirst(loss, connection.KindClose))
				start := time.Now()
				g.leave()
				if took := time.Since(start); took > time.Duration(loss)*500*time.Millisecond+
					3*latency {
					w.Errorf("%d lost: it took %v", loss, took)
				}
			}
		})
	})
	t.Run("D29.13 a lost Close is repeated when packets still come", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			g := w.dial(Plain, "x")
			g.play(1, 3)
			w.road.losing(0, losingFirst(2, connection.KindClose))
			w.host.last(w).client.Abort(stream.CodeInternal, "broken")
			g.ping(4)
			w.pass(300 * time.Millisecond)
			select {
			case end := <-g.ended:
				if end.Code != connection.Code(stream.CodeInternal) {
					w.Errorf("ended by %v", end)
				}
			default:
				w.Error("the client does not know that the connection has ended")
			}
			g.conn.Wait()
		})
	})
	t.Run("D29.15 a lost Close is repeated to a silent end", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			g := w.dial(Plain, "x")
			g.play(1, 3)
			w.road.losing(0, losingFirst(2, connection.KindClose))
			start := time.Now()
			w.host.last(w).client.Close(nil, stream.CodeTakenOver, "")
			if end := <-g.ended; end.Code != connection.CodeTaken ||
				time.Since(start) > 1200*time.Millisecond {
				w.Errorf("after %v ended by %v", time.Since(start), end)
			}
			g.conn.Wait()
		})
	})
	t.Run("D29 a dead line ends the stream within the timeout", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			g := w.dial(QUIC, "x")
			g.play(1, 3)
			w.road.losing(1, nil)
			start := time.Now()
			if err := <-w.host.last(w).ended; err == nil || errors.Is(err, stream.ErrLeft) {
				w.Errorf("the stream has ended with %v", err)
			}
			if took := time.Since(start); took > 11*time.Second {
				w.Errorf("noticed after %v", took)
			}
			<-g.ended
			g.conn.Wait()
		})
	})
	t.Run("D29 an ended connection leaves nothing behind", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			for i := range 60 {
				g, err := ways[i%3].open(w, "x")
				if err != nil {
					w.Fatal(err)
				}
				g.play(1, 2)
				switch i / 3 % 4 {
				case 0:
					g.conn.Close(connection.CodeDone, "")
				case 1:
					w.host.last(w).client.Close(nil, stream.CodeTakenOver, "")
				case 2:
					w.host.last(w).client.Abort(stream.CodeInternal, "")
				case 3: // the path ends without an error
					g.conn.path.close(0, "")
				}
				<-g.ended
				g.conn.Wait()
			}
			w.pass(time.Minute)
			l := w.listener
			l.mu.Lock()
			members, tokens := len(l.members), len(l.tokens)
			l.mu.Unlock()
			l.plain.mu.Lock()
			paths := len(l.plain.paths)
			l.plain.mu.Unlock()
			if inside := l.admission.inside(); members+tokens+paths+inside > 0 ||
				l.quic.unproven.Load() != 0 {
				w.Errorf("%d connections, %d tokens, %d paths, %d inside, %d unproven", members,
					tokens, paths, inside, l.quic.unproven.Load())
			}
			if c := l.Counts(); c.Opened != 60 {
				w.Errorf("counts %+v", c)
			}
		})
	})
	t.Run("D29 a server that stops informs everybody", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			var all []*guest
			for _, way := range ways {
				g, err := way.open(w, "x")
				if err != nil {
					w.Fatal(err)
				}
				g.play(1, 2)
				all = append(all, g)
			}
			w.stop()
			for i, g := range all {
				if end := <-g.ended; end.Code != connection.CodeGoing || !end.Remote {
					w.Errorf("by %s ended by %v", ways[i].name, end)
				}
				g.conn.Wait()
			}
			if _, err := w.dialer().Dial(w.Context(), w.target(QUIC), "x",
				w.guest().handlers()); err == nil {
				w.Error("somebody has come in")
			}
		})
	})
}
