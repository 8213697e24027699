package endpoint

import (
	"testing"
	"time"

	"holt/server/transport/connection"
)

func TestStatelessReset(t *testing.T) {
	// ends kills the server and starts it again with a key. It returns how and after how long the
	// connection of a client ends, which sends something if say is set.
	ends := func(w *world, g *guest, key *[32]byte, say bool) (*connection.CloseError, time.Duration) {
		w.kill()
		w.resetKey = key
		w.begin(Bounds{})
		start := time.Now()
		if say {
			g.ping(100)
		}
		err := <-g.ended
		g.conn.Wait()
		return err, time.Since(start)
	}
	for _, c := range []struct {
		name string
		key  *[32]byte
		say  bool
		code connection.Code
		most time.Duration
	}{
		{"an active client soon notices that the server restarted", &[32]byte{1}, true,
			connection.CodeNoConnection, 8 * latency},
		{"an idle client notices it by the keepalive", &[32]byte{1}, false, connection.CodeNoConnection,
			connection.DefaultKeepalive + 2*latency + time.Millisecond},
		{"with another key a client notices it by silence", &[32]byte{2}, true,
			connection.CodeSilent, time.Minute},
	} {
		// Clauses: D21.11, D21.13
		t.Run("D21 "+c.name, func(t *testing.T) {
			inWorld(t, Bounds{}, func(w *world) {
				g := w.dial(QUIC, "x")
				g.play(1, 3)
				err, took := ends(w, g, c.key, c.say)
				if err.Code != c.code || took > c.most {
					w.Errorf("after %v: %v", took, err)
				}
			})
		})
	}
}
