package peer

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"holt/server/id"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// flow sends a message every so often, and returns how many were accepted.
func flow(w *world, from, to *host, n int, every time.Duration,
	during func(i int)) (sent []string) {
	w.Helper()
	for i := range n {
		text := fmt.Sprintf("%05d", i)
		if err := from.links.Send(to.self(),
			Message{About: object(byte(i % 3)), Bytes: []byte(text)}); err != nil {
			w.Fatalf("message %d: %v", i, err)
		}
		sent = append(sent, text)
		during(i)
		pass(every)
	}
	return sent
}

// pass waits for virtual time to pass.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// wantOnce fails unless all messages have arrived, each once, and those of each object in their
// order.
func wantOnce(w *world, from, to *host, sent []string) {
	w.Helper()
	to.machine.await(w, "all is there",
		func(r *recorder) bool { return len(r.got[from.self()]) >= len(sent) })
	synctest.Wait()
	all := to.machine.texts(from.self(), id.OID{})
	slices.Sort(all)
	if !slices.Equal(all, sent) {
		w.Errorf("%d messages were sent, %d have come", len(sent), len(all))
	}
	for o := range byte(3) {
		if got := to.machine.texts(from.self(), object(o)); !slices.IsSorted(got) {
			w.Errorf("of object %d has come %v", o, got)
		}
	}
	if to.machine.overlaps > 0 {
		w.Errorf("%d messages of a host were received at the same time as another one",
			to.machine.overlaps)
	}
}

func TestLines(t *testing.T) {
	// Clauses: O33.8, O33.26
	t.Run("O33 when UDP fails midway, the WebSocket goes on without loss", func(t *testing.T) {
		for dialer := range 2 {
			inWorld(t, 2, func(w *world) {
				a, b := w.hosts[dialer], w.hosts[1-dialer]
				w.link(a, b, Visit)
				if a.network(b) != networkQUIC {
					t.Fatal("not by QUIC")
				}
				sent := flow(w, a, b, 600, 20*time.Millisecond, func(i int) {
					if i == 200 {
						w.shutUDP(b, true)
					}
				})
				wantOnce(w, a, b, sent)
				if a.network(b) != networkWeb || b.network(a) != networkWeb {
					t.Errorf("the networks are %s and %s", a.network(b), b.network(a))
				}
				if a.machine.downs+b.machine.downs != 0 {
					t.Errorf("the machines were notified %d and %d times that the other is down",
						a.machine.downs, b.machine.downs)
				}
			})
		}
	})
	t.Run("O15.6, O33.27 on a bad line messages keep their order per object", func(t *testing.T) {
		overtaken := 0
		for seed := range uint64(20) {
			inWorld(t, 2, func(w *world) {
				a, b := w.hosts[0], w.hosts[1]
				w.lossy(rand.New(rand.NewPCG(seed, 0)))
				w.link(a, b, Visit)
				sent := flow(w, a, b, 200, time.Millisecond, func(int) {})
				wantOnce(w, a, b, sent)
				if got := b.machine.texts(a.self(), id.OID{}); !slices.IsSorted(got) {
					overtaken++
				}
			})
		}
		if overtaken == 0 {
			t.Error("no message has overtaken one about another object")
		}
	})
	t.Run("O33.21 QUIC is used again when UDP works, without loss", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.shutUDP(b, true)
			w.link(a, b, Visit)
			if a.network(b) != networkWeb {
				t.Fatal("not by WebSocket")
			}
			w.shutUDP(b, false)
			sent := flow(w, a, b, 700, time.Second, func(int) {})
			wantOnce(w, a, b, sent)
			if a.network(b) != networkQUIC || b.network(a) != networkQUIC {
				t.Errorf("the networks are %s and %s", a.network(b), b.network(a))
			}
		})
	})
	t.Run("O33.15 concurrent calls of both sides make one connection", func(t *testing.T) {
		inWorld(t, 3, func(w *world) {
			a, b, c := w.hosts[0], w.hosts[1], w.hosts[2]
			w.link(a, b, Visit)
			w.link(c, b, Visit)
			for range 20 {
				w.cut(b, true)
				a.machine.await(w, "down", func(r *recorder) bool { return !r.up[b.self()] })
				c.machine.await(w, "down", func(r *recorder) bool { return !r.up[b.self()] })
				w.cut(b, false)
				for _, h := range []*host{a, c} {
					h.machine.await(w, "up again", func(r *recorder) bool { return r.up[b.self()] })
					b.machine.await(w, "up again", func(r *recorder) bool { return r.up[h.self()] })
				}
			}
			pass(time.Minute)
			if n := b.listener.Counts().Open + a.listener.Counts().Open +
				c.listener.Counts().Open; n != 2 {
				t.Errorf("there are %d connections", n)
			}
			wantOnce(w, a, b, flow(w, a, b, 50, time.Millisecond, func(int) {}))
			wantOnce(w, b, c, flow(w, b, c, 50, time.Millisecond, func(int) {}))
		})
	})
	t.Run("O33.15, O33.19 of two concurrent connections one stays", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			for range 5 {
				a.stop()
				b.stop()
				before := strings.Count(a.log.String()+b.log.String(), "a linked server is there")
				a.start()
				b.start()
				for _, h := range w.hosts {
					h.machine.await(w, "up", func(r *recorder) bool { return len(r.up) == 1 })
				}
				pass(time.Minute)
				if n := strings.Count(a.log.String()+b.log.String(),
					"a linked server is there") - before; n > 4 {
					t.Errorf("they had %d connections", n)
				}
				if n := a.listener.Counts().Open + b.listener.Counts().Open; n != 1 ||
					a.network(b) != networkQUIC {
					t.Errorf("%d connections have stayed, %q", n, a.network(b))
				}
			}
		})
	})
	// Clauses: O18.1, O18.2
	t.Run("O18 a returning host is reachable at once, and machines learn it", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("before")}))
			b.machine.await(w, "it is there",
				func(r *recorder) bool { return len(r.got[a.self()]) == 1 })
			b.stop()
			a.machine.await(w, "down", func(r *recorder) bool { return r.downs == 1 })
			pass(3 * time.Hour)
			ups := a.machine.ups
			began := time.Now()
			b.start()
			a.machine.await(w, "up", func(r *recorder) bool { return r.ups == ups+1 })
			if took := time.Since(began); took > time.Second {
				t.Errorf("it took %v", took)
			}
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("after")}))
			b.machine.await(w, "it is there",
				func(r *recorder) bool { return len(r.got[a.self()]) == 2 })
		})
	})
	t.Run("O18 a killed host is down after 4 s, and gets its messages later", func(t *testing.T) {
		for killed := range 2 {
			inWorld(t, 2, func(w *world) {
				a, b := w.hosts[0], w.hosts[1]
				if killed == 1 {
					a, b = b, a
				}
				w.link(w.hosts[0], w.hosts[1], Visit)
				pass(10 * time.Minute)
				w.cut(b, true)
				began := time.Now()
				w.must(a.links.Send(b.self(), Message{Bytes: []byte("to nobody")}))
				a.machine.await(w, "down", func(r *recorder) bool { return r.downs == 1 })
				if took := time.Since(began); took < goneAfter || took > goneAfter+time.Second {
					t.Errorf("it was noticed after %v", took)
				}
				w.cut(b, false)
				b.machine.await(w, "it has come",
					func(r *recorder) bool { return len(r.got[a.self()]) == 1 })
			})
		}
	})
	t.Run("O18.6 a killed host with a new life is reported as down and up", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			for range 5 {
				a.machine.mu.Lock()
				ups, downs := a.machine.ups, a.machine.downs
				a.machine.mu.Unlock()
				w.cut(b, true)
				b.stop()
				w.cut(b, false)
				b.start()
				a.machine.await(w, "down and up", func(r *recorder) bool {
					return r.ups == ups+1 && r.downs == downs+1 && r.up[b.self()]
				})
				b.machine.await(w, "up", func(r *recorder) bool { return r.up[a.self()] })
				pass(time.Minute)
			}
			if n := a.machine.ups; n != 6 {
				t.Errorf("up was reported %d times", n)
			}
		})
	})
	t.Run("O19 messages for a missing host wait 10 s, within bounds", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			b.stop()
			a.machine.await(w, "down", func(r *recorder) bool { return r.downs == 1 })
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("old")}))
			pass(maxWaiting)
			for i := range maxOutstanding {
				w.must(a.links.Send(b.self(), Message{Bytes: fmt.Appendf(nil, "%05d", i)}))
			}
			if err := a.links.Send(b.self(), Message{}); !errors.Is(err, ErrBusy) {
				t.Errorf("one too many: %v", err)
			}
			b.start()
			b.machine.await(w, "the others",
				func(r *recorder) bool { return len(r.got[a.self()]) == maxOutstanding })
			if got := b.machine.texts(a.self(), id.OID{}); slices.Contains(got, "old") {
				t.Error("a message that nobody waited for arrived")
			}
		})
	})
	// Clauses: O33.10, O33.13
	t.Run("O33 a host in the middle of a WebSocket sees and changes nothing", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			for _, h := range w.hosts {
				h.restartWithoutUDP()
			}
			spies := make(chan *spy, 16)
			w.onStreams = func(_ *host, c net.Conn) net.Conn {
				s := &spy{Conn: c}
				select {
				case spies <- s:
				default:
				}
				return s
			}
			w.link(a, b, Visit)
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("the ace of spades")}))
			b.machine.await(w, "it is there",
				func(r *recorder) bool { return len(r.got[a.self()]) == 1 })
			total := 0
			for range len(spies) {
				s := <-spies
				if s.saw("the ace of spades") || s.saw("host 0") {
					t.Error("the stream shows it")
				}
				total += s.total()
				s.spoil()
			}
			if total == 0 {
				t.Error("nobody was in the middle")
			}
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("spoilt")}))
			b.machine.await(w, "the other",
				func(r *recorder) bool { return len(r.got[a.self()]) == 2 })
			if got := b.machine.texts(a.self(), id.OID{}); got[1] != "spoilt" {
				t.Errorf("received %q", got)
			}
		})
	})
}
