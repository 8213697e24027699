package endpoint

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/tables/stream"
	"holt/server/transport/connection"
)

// pipe is a path that a test controls.
type pipe struct {
	out, in chan []byte
	closed  chan struct{}
	once    sync.Once
	most    atomic.Int64 // bytes of a packet
	fails   atomic.Bool  // what is sent
}

func newPipes() (a, b *pipe) {
	there, back := make(chan []byte, 1024), make(chan []byte, 1024)
	a = &pipe{out: there, in: back, closed: make(chan struct{})}
	b = &pipe{out: back, in: there, closed: make(chan struct{})}
	a.most.Store(1200)
	b.most.Store(1200)
	return a, b
}

func (p *pipe) send(b []byte) error {
	switch {
	case p.fails.Load():
		return net.ErrClosed
	case len(b) > int(p.most.Load()):
		return errTooLarge
	}
	select {
	case p.out <- append([]byte(nil), b...):
		return nil
	case <-p.closed:
		return net.ErrClosed
	}
}

func (p *pipe) receive() ([]byte, error) {
	select {
	case b := <-p.in:
		return b, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipe) largest() int                  { return int(p.most.Load()) }
func (p *pipe) proves() bool                  { return true }
func (p *pipe) carries(uint64)                {}
func (p *pipe) close(connection.Code, string) { p.once.Do(func() { close(p.closed) }) }
func (p *pipe) remote() netip.AddrPort        { return plainAddress }

// end is one end of a connection over a pipe, with what it received.
type end struct {
	conn  *Conn
	ended chan *connection.CloseError

	mu  sync.Mutex
	got []Message // guarded by mu
}

func newEnd(takes, theyTake connection.Limits) *end {
	e := &end{ended: make(chan *connection.CloseError, 1)}
	e.conn = newConn(connection.Config{
		Number: 1, Path: connection.Path{Largest: 1200}, Takes: takes, PeerLimits: theyTake,
		Keepalive: time.Second,
	}, Handlers{
		Execute: func(m Message) error {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.got = append(e.got, m)
			return nil
		},
		Ended: func(err *connection.CloseError) { e.ended <- err },
	})
	e.conn.running.Go(e.conn.run)
	return e
}

func (e *end) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.got)
}

// newPair returns two connected ends.
func newPair() (a, b *end, pa, pb *pipe) {
	limits := connection.Limits{Message: 1 << 20, Window: 2 << 20}
	a, b = newEnd(limits, limits), newEnd(limits, limits)
	pa, pb = newPipes()
	a.conn.enter(pa, nil)
	b.conn.enter(pb, nil)
	return a, b, pa, pb
}

func (e *end) send(t *testing.T, msg []byte) {
	t.Helper()
	var err error
	if useErr := e.conn.Use(func(core *connection.Conn, now time.Duration) {
		err = core.Send(now, msg, nil, nil)
	}); useErr != nil || err != nil {
		t.Errorf("send: %v, %v", useErr, err)
	}
}

// part closes both ends of a pair gracefully.
func part(a, b *end) {
	a.conn.Close(connection.CodeDone, "")
	<-a.ended
	<-b.ended
	a.conn.Wait()
	b.conn.Wait()
}

func TestConn(t *testing.T) {
	t.Run("D28.1, D28.3 what a path no longer takes is sent in smaller packets", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b, pa, _ := newPair()
			a.send(t, make([]byte, 100_000))
			synctest.Wait()
			pa.most.Store(600)
			a.send(t, make([]byte, 100_000))
			<-time.After(2 * time.Second)
			if n := b.count(); n != 2 {
				t.Errorf("%d of 2 messages have come", n)
			}
			part(a, b)
		})
	})
	t.Run("D21 a failing path is not used, and the connection waits for another", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b, pa, _ := newPair()
			pa.fails.Store(true)
			a.send(t, []byte("kept"))
			<-time.After(5 * time.Second)
			if a.conn.Err() != nil || b.count() != 0 {
				t.Fatalf("%v, %d messages", a.conn.Err(), b.count())
			}
			pa, pb := newPipes()
			a.conn.enter(pa, nil)
			b.conn.enter(pb, nil)
			<-time.After(time.Second)
			if b.count() != 1 {
				t.Errorf("%d messages have come", b.count())
			}
			part(a, b)
		})
	})
	t.Run("D21 without a path for 10 s it ends", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b, pa, pb := newPair()
			start := time.Now()
			pa.close(0, "")
			pb.close(0, "")
			if err := <-a.ended; err.Code != connection.CodeSilent ||
				time.Since(start) != 10*time.Second {
				t.Errorf("after %v: %v", time.Since(start), err)
			}
			<-b.ended
			a.conn.Wait()
			b.conn.Wait()
		})
	})
	t.Run("D29 without a path it ends gracefully within 1 s", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b, pa, pb := newPair()
			pa.close(0, "")
			synctest.Wait()
			a.send(t, []byte("no more can be sent"))
			start := time.Now()
			a.conn.Close(connection.CodeGoing, "")
			if err := <-a.ended; err.Code != connection.CodeGoing ||
				time.Since(start) > time.Second {
				t.Errorf("after %v: %v", time.Since(start), err)
			}
			pb.close(0, "")
			<-b.ended
			a.conn.Wait()
			b.conn.Wait()
		})
	})
	t.Run("D13 a waiting event delays only those after it", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b, _, _ := newPair()
			release, told := make(chan struct{}), make(chan struct{})
			first := true
			b.conn.handlers.Execute = func(Message) error {
				if first {
					first = false
					close(told)
					<-release
				}
				return nil
			}
			a.send(t, []byte("one"))
			<-told
			b.send(t, []byte("while b is busy with a message it can send"))
			<-time.After(100 * time.Millisecond)
			if a.count() != 1 {
				t.Errorf("%d messages have come", a.count())
			}
			close(release)
			part(a, b)
		})
	})
	t.Run("D29 an error of the message handler ends the connection", func(t *testing.T) {
		for _, c := range []struct {
			err  error
			code connection.Code
		}{
			{&connection.CloseError{Code: connection.Code(stream.CodeFlood), Reason: "enough"},
				connection.Code(stream.CodeFlood)},
			{errors.New("nonsense"), connection.CodeProtocol},
		} {
			synctest.Test(t, func(t *testing.T) {
				a, b, _, _ := newPair()
				b.conn.handlers.Execute = func(Message) error { return c.err }
				a.send(t, []byte("one"))
				if err := <-a.ended; err.Code != c.code || !err.Remote {
					t.Errorf("ended by %v", err)
				}
				<-b.ended
				if err := b.conn.Use(func(*connection.Conn, time.Duration) {
					t.Error("used")
				}); !errors.Is(err, ErrClosing) {
					t.Errorf("use after the end: %v", err)
				}
				a.conn.Wait()
				b.conn.Wait()
			})
		}
	})
	t.Run("D3 a sender that waits for room wakes on arrival and at the end", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b, _, _ := newPair()
			changed := a.conn.Changed()
			b.send(t, []byte("one"))
			<-changed
			changed = a.conn.Changed()
			a.conn.Close(connection.CodeDone, "")
			<-changed
			<-a.conn.Changed()
			<-a.ended
			<-b.ended
			a.conn.Wait()
			b.conn.Wait()
		})
	})
}
