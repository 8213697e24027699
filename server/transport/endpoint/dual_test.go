package endpoint

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"testing"
	"time"

	"holt/server/transport/connection"
)

// TestSocketsForBothFamilies uses real sockets. That of the server accepts IPv4 and IPv6, like a
// socket that listens everywhere.
func TestSocketsForBothFamilies(t *testing.T) {
	for _, network := range []string{Plain, QUIC} {
		for _, at := range []string{"127.0.0.1", "::1"} {
			t.Run("D16 by "+network+" from "+at, func(t *testing.T) {
				if probe, err := net.ListenPacket("udp", net.JoinHostPort(at, "0")); err != nil {
					t.Skipf("this machine has no such address: %v", err)
				} else if err := probe.Close(); err != nil {
					t.Fatal(err)
				}
				socket, err := net.ListenPacket("udp", ":0")
				if err != nil {
					t.Fatal(err)
				}
				certificates, err := SelfSigned(time.Now)
				if err != nil {
					t.Fatal(err)
				}
				cfg := Config{Certificates: certificates, Log: slog.New(slog.DiscardHandler)}
				if cfg.QUIC = socket; network == Plain {
					cfg.QUIC, cfg.Plain = nil, socket
				}
				l, h := New(cfg), &host{}
				if err := l.Serve(Host{Open: h.open, Problem: error.Error,
					Origin: func(*http.Request) bool { return true }}); err != nil {
					t.Fatal(err)
				}
				hashes, err := l.Hashes()
				if err != nil {
					t.Fatal(err)
				}
				told := make(chan Message, 1)
				ended := make(chan struct{})
				c, err := new(Dialer).Dial(t.Context(), Target{
					Network: network, Hashes: hashes,
					Address: net.JoinHostPort(at,
						strconv.Itoa(int(addressOf(socket.LocalAddr()).Port()))),
				}, "x", Handlers{
					Execute: func(m Message) error { told <- m; return nil },
					Ended:   func(*connection.CloseError) { close(ended) },
				})
				if err != nil {
					t.Fatal(err)
				}
				if m := <-told; !m.Guaranteed || m.Number != 0 || len(m.Bytes) == 0 {
					t.Errorf("got %+v", m)
				}
				h.last(t).client.Close(nil, 1001, "the server is stopping")
				<-ended
				c.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				if err := l.Shutdown(ctx); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
