package peer

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"holt/server/id"
)

func object(n byte) id.OID { return id.OID{1, 2, 3, 15: n} }

func TestLinksOnLoopback(t *testing.T) {
	t.Run("O33.1, O33.26, O33.27 three linked hosts exchange messages, each once", func(t *testing.T) {
		onLoopback(t, 3, func(w *world) {
			for i, a := range w.hosts {
				for _, b := range w.hosts[i+1:] {
					w.link(a, b, Visit)
				}
			}
			const n = 300
			for i := range n {
				for _, a := range w.hosts {
					for _, b := range w.hosts {
						if a != b {
							w.must(a.links.Send(b.self(), Message{About: object(byte(i % 5)),
								Request: i%2 == 0, Bytes: fmt.Appendf(nil, "%03d", i)}))
						}
					}
				}
			}
			for _, a := range w.hosts {
				for _, b := range w.hosts {
					if a == b {
						continue
					}
					a.machine.await(w, "all are there",
						func(r *recorder) bool { return len(r.got[b.self()]) >= n })
					for o := range byte(5) {
						if got := a.machine.texts(b.self(), object(o)); len(got) != n/5 ||
							!slices.IsSorted(got) {
							t.Errorf("of object %d has come %v", o, got)
						}
					}
					// It may be none for a moment, while one connection takes the place of another.
					// On a busy machine QUIC may have been silent for so long that the link uses
					// WebSocket. It tries QUIC again a minute later, and five minutes after that.
					for end := time.Now().Add(10 * time.Minute); a.network(b) == networkWeb; {
						if time.Now().After(end) {
							t.Fatal("it is a WebSocket, and stays one")
						}
						<-time.After(50 * time.Millisecond)
					}
				}
			}
		})
	})
	t.Run("O33.8 without UDP messages go by WebSocket", func(t *testing.T) {
		onLoopback(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			for _, h := range w.hosts {
				h.restartWithoutUDP()
			}
			w.link(a, b, Visit)
			big := make([]byte, MaxMessage)
			for i := range 3 {
				big[0] = byte(i)
				w.must(a.links.Send(b.self(), Message{Bytes: slices.Clone(big)}))
			}
			b.machine.await(w, "large messages",
				func(r *recorder) bool { return len(r.got[a.self()]) == 3 })
			for i, m := range b.machine.got[a.self()] {
				if len(m.Bytes) != MaxMessage || m.Bytes[0] != byte(i) {
					t.Errorf("%d bytes of message %d", len(m.Bytes), m.Bytes[0])
				}
			}
			if got := a.network(b); got == networkQUIC { // as above
				t.Errorf("the network is %s", got)
			}
			if err := a.links.Send(b.self(),
				Message{Bytes: make([]byte, MaxMessage+1)}); !errors.Is(err, ErrTooLarge) {
				t.Errorf("too large: %v", err)
			}
		})
	})
}
