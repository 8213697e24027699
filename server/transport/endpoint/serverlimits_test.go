package endpoint

import (
	"crypto/tls"
	"errors"
	"net/netip"
	"testing"
	"time"

	"holt/server/transport/connection"
	"holt/server/transport/depgraph"
)

func TestServerLimits(t *testing.T) {
	t.Run("O33.4 servers take messages of 1.25 MiB and a window of 8 MiB", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			t := w.T
			there := newInbox()
			w.listener.host.Servers = &Servers{TLS: proof(t), Open: func(
				tls.ConnectionState, netip.Addr, *Conn,
			) (Handlers, error) {
				return there.handlers(), nil
			}}
			c, err := w.dialer().DialServer(t.Context(), quicAddress.String(), proof(t),
				func(*Conn) Handlers { return newInbox().handlers() })
			if err != nil {
				t.Fatal(err)
			}
			const size = 1<<20 + 1<<18
			if err := c.Use(func(core *connection.Conn, now time.Duration) {
				if err := core.Send(now, make([]byte, size+1), nil,
					nil); !errors.Is(err, connection.ErrTooLarge) {
					t.Errorf("a byte more: %v", err)
				}
				for i := range 6 { // 7.5 MiB
					if err := core.Send(now, make([]byte, size), nil, nil); err != nil {
						t.Errorf("message %d: %v", i+1, err)
					}
				}
				if err := core.Send(now, make([]byte, size), nil,
					nil); !errors.Is(err, depgraph.ErrWindow) {
					t.Errorf("beyond 8 MiB: %v", err)
				}
			}); err != nil {
				t.Fatal(err)
			}
			for range 6 {
				if got := len(<-there.come); got != size {
					t.Errorf("%d bytes have come", got)
				}
			}
			c.Close(connection.CodeDone, "that is all")
			<-there.ended
			c.Wait()
		})
	})
}
