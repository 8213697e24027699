package endpoint

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/transport/connection"
)

// widest removes the packets that wait in a pipe, and returns the size of the largest one in bytes.
func (p *pipe) widest() (most int) {
	for len(p.in) > 0 {
		most = max(most, len(<-p.in))
	}
	return most
}

func TestWiderPaths(t *testing.T) {
	t.Run("D28.4 a path that takes more gets larger packets without loss", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b, pa, pb := newPair()
			pa.most.Store(1400)
			a.send(t, make([]byte, 200_000))
			<-time.After(time.Second)
			if n := b.count(); n != 1 {
				t.Fatalf("%d messages have come", n)
			}
			b.conn.turn <- struct{}{} // b accepts nothing meanwhile
			a.send(t, make([]byte, 10_000))
			synctest.Wait()
			if most := pb.widest(); most <= 1200 || most > 1400 {
				t.Errorf("the largest packet has %d bytes", most)
			}
			<-b.conn.turn
			a.conn.mu.Lock()
			lost := a.conn.core.Stats().Lost
			a.conn.mu.Unlock()
			if lost > 0 {
				t.Errorf("%d packets count as lost", lost)
			}
			part(a, b)
		})
	})
	t.Run("D28.4 packets over QUIC grow with the detected size of the path", func(t *testing.T) {
		socket := func() net.PacketConn {
			c, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		certificates, err := SelfSigned(time.Now)
		if err != nil {
			t.Fatal(err)
		}
		host, at := &host{}, socket()
		l := New(Config{QUIC: at, Certificates: certificates,
			Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
		hashes, err := l.Hashes()
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Serve(Host{Open: host.open, Problem: func(err error) string {
			return err.Error()
		}, Origin: func(*http.Request) bool { return false }}); err != nil {
			t.Fatal(err)
		}
		told := make(chan struct{}, 1)
		over := make(chan struct{})
		d := Dialer{Socket: func() (net.PacketConn, error) { return socket(), nil }}
		c, err := d.Dial(t.Context(), Target{
			Network: QUIC, Address: at.LocalAddr().String(), Hashes: hashes,
		}, "x", Handlers{
			Execute: func(Message) error {
				select {
				case told <- struct{}{}:
				default:
				}
				return nil
			},
			Ended: func(*connection.CloseError) { close(over) },
		})
		if err != nil {
			t.Fatal(err)
		}
		first := l.largest(t)
		for n := uint64(1); l.largest(t) <= first; n++ {
			if n == 10_000 {
				t.Fatalf("after 300 MB a packet still has room for %d bytes", first)
			}
			host.last(t).tellMuch(n, 30_000)
			select {
			case <-told:
			case <-over:
				t.Fatal(c.Err())
			}
		}
		c.Close(connection.CodeDone, "")
		<-over
		c.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := l.Shutdown(ctx); err != nil {
			t.Error(err)
		}
	})
}

// largest returns the size of the largest packets of the server's only connection.
func (l *Listener) largest(t *testing.T) (largest int) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for m := range l.members {
		if err := m.conn.Use(func(core *connection.Conn, _ time.Duration) {
			largest = core.MaxUnguaranteed()
		}); err != nil {
			t.Fatal(err)
		}
	}
	return largest
}
