package endpoint

import (
	"errors"
	"testing"
	"time"

	"holt/server/tables/stream"
	"holt/server/transport/connection"
)

// ways are all the ways by which a stream can come, each with a function that opens one.
var ways = []struct {
	name string
	open func(w *world, request string) (*guest, error)
}{
	{"QUIC", func(w *world, request string) (*guest, error) { return w.dial(QUIC, request), nil }},
	{"plain UDP", func(w *world, request string) (*guest, error) {
		return w.dial(Plain, request), nil
	}},
	{"WebTransport", func(w *world, request string) (*guest, error) {
		return w.browse(request, "https://holt.example")
	}},
}

func TestStreams(t *testing.T) {
	for _, way := range ways {
		// Clauses: D20.1
		t.Run("D16, D20 a stream comes by "+way.name, func(t *testing.T) {
			inWorld(t, Bounds{}, func(w *world) {
				g, err := way.open(w, "ticket=abc&client=def")
				if err != nil {
					w.Fatal(err)
				}
				if got := w.host.last(w).request; got != "ticket=abc&client=def" {
					w.Errorf("the request that came is %q", got)
				}
				g.play(1, 100)
				if told, version := g.heard(); !g.whole || told != 100 || version != 101 {
					w.Errorf("full state %v, %d updates, all up to %d", g.whole, told, version)
				}
				g.leave()
				w.pass(time.Second)
				if err := <-w.host.last(w).ended; !errors.Is(err, stream.ErrLeft) {
					w.Errorf("the stream has ended with %v", err)
				}
				if c := w.listener.Counts(); c.Open != 0 || c.Opened != 1 {
					w.Errorf("counts %+v", c)
				}
			})
		})
		t.Run("D4, D26 by "+way.name+" on a line with loss all arrives once", func(t *testing.T) {
			inWorld(t, Bounds{}, func(w *world) {
				g, err := way.open(w, "x")
				if err != nil {
					w.Fatal(err)
				}
				w.road.losing(0.1, nil)
				g.play(1, 500)
				w.road.losing(0, nil)
				w.pass(2 * time.Second)
				if told, version := g.heard(); told != 500 || version != 501 {
					w.Errorf("got %d updates of 500, all up to %d", told, version)
				}
				g.leave()
			})
		})
		t.Run("D29.12, D29.26, D30 a stream that is refused by "+way.name, func(t *testing.T) {
			inWorld(t, Bounds{}, func(w *world) {
				var err error
				switch way.name {
				case "WebTransport":
					_, err = w.browse("refuse", "https://holt.example")
				case "QUIC":
					_, err = w.dialer().Dial(w.Context(), w.target(QUIC), "refuse",
						w.guest().handlers())
				default:
					_, err = w.dialer().Dial(w.Context(), w.target(Plain), "refuse",
						w.guest().handlers())
				}
				var said *connection.CloseError
				if !errors.As(err, &said) || said.Code != connection.CodeRefused ||
					said.Reason != "role" {
					w.Errorf("refused with %v", err)
				}
				if c := w.listener.Counts(); c.Open != 0 || c.Refused != 1 {
					w.Errorf("counts %+v", c)
				}
			})
		})
	}
}
