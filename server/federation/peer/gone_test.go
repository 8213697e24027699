package peer

import (
	"testing"
	"time"
)

// TestGone shows when the machine of a host learns that another host is gone.
func TestGone(t *testing.T) {
	t.Run("O18.7 a host without a connection is gone after 2 s, and not before", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			pass(time.Minute)
			w.cut(b, true) // so that no other connection comes
			p := a.links.linkedHosts[b.self()]
			p.mu.Lock()
			c := p.now
			p.mu.Unlock()
			c.close("a test ends it")
			for a.network(b) != "" {
				pass(10 * time.Millisecond)
			}
			began := time.Now()
			a.machine.await(w, "down", func(r *recorder) bool { return r.downs == 1 })
			took := time.Since(began)
			if took < 1900*time.Millisecond || took > 2100*time.Millisecond {
				t.Errorf("the machine learns it after %v", took)
			}
			w.cut(b, false)
		})
	})
	t.Run("O18.8 a host is gone after 4 s of silence if something is on its way", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			pass(10 * time.Minute)
			w.cut(b, true)
			began := time.Now()
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("to nobody")}))
			a.machine.await(w, "down", func(r *recorder) bool { return r.downs == 1 })
			if took := time.Since(began); took < 4*time.Second || took > 5*time.Second {
				t.Errorf("the machine learns it after %v", took)
			}
			w.cut(b, false)
		})
	})
}
