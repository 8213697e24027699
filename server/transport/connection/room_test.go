package connection

import (
	"testing"
	"time"

	"holt/server/transport/simline"
)

// TestRoom shows that players have space enough, although D14 counts more than the bytes of what
// waits.
func TestRoom(t *testing.T) {
	line := simline.Config{Delay: 100 * ms, Jitter: 20 * ms, Loss: 0.02}
	run := func(t *testing.T, takes Limits, per time.Duration, size, among int) (most int) {
		l := newLink(t, 5, Path{Largest: UDPSize}, line, line)
		for _, e := range l.ends {
			e.conn = NewConn(Config{
				Path: Path{Largest: UDPSize}, Takes: takes, PeerLimits: takes, Keepalive: 500 * ms,
				Execute: e.execute, Unguaranteed: e.executeUnguaranteed,
			})
		}
		e := l.ends[0]
		for n := 0; l.now < 20*time.Second; n++ {
			if !e.send(size, n%among) {
				t.Fatalf("after %v there is no room: %d bytes are not acknowledged", l.now,
					e.conn.Stats().Waiting)
			}
			most = max(most, e.conn.Stats().Waiting)
			e.flush()
			l.run(l.now + per)
		}
		if other := l.ends[1]; most == 0 || other.count < e.sent*9/10 {
			t.Fatalf("%d of %d messages were executed, %d bytes waited", other.count, e.sent, most)
		}
		t.Logf("%d messages, at most %d bytes", e.sent, most)
		return most
	}
	t.Run("D3, D14 200 dependent messages a second fit on a lossy 100 ms line", func(t *testing.T) {
		if most := run(t, FromClient, 5*ms, 60, 1); most > int(FromClient.Window)/4 {
			t.Errorf("%d bytes were not acknowledged", most)
		}
	})
	t.Run("D3, D14 20 moving pieces take less than the server's bound per client", func(t *testing.T) {
		if most := run(t, FromServer, 2500*time.Microsecond, 80, 20); most > 256<<10/2 {
			t.Errorf("%d bytes were not acknowledged", most)
		}
	})
}
