package endpoint

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net/netip"
	"testing"
	"time"

	"holt/server/transport/connection"
)

// inbox keeps what arrives on a connection between servers.
type inbox struct {
	come  chan []byte
	ended chan *connection.CloseError // capacity 1: a connection ends once
}

func newInbox() *inbox {
	return &inbox{come: make(chan []byte, 64), ended: make(chan *connection.CloseError, 1)}
}

func (i *inbox) handlers() Handlers {
	return Handlers{
		Execute: func(m Message) error { i.come <- m.Bytes; return nil },
		Ended:   func(err *connection.CloseError) { i.ended <- err },
	}
}

// proof returns the TLS configuration of a server, with its certificate, that requests the other
// server's.
func proof(t *testing.T) *tls.Config {
	t.Helper()
	p, err := newPinned(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{ServerProtocol},
		Certificates: []tls.Certificate{p.certificate},
		ClientAuth:   tls.RequireAnyClientCert, InsecureSkipVerify: true,
		SessionTicketsDisabled: true,
	}
}

func (w *world) say(c *Conn, msg []byte) {
	w.Helper()
	var fault error
	if err := c.Use(func(core *connection.Conn, now time.Duration) {
		fault = core.Send(now, msg, nil, nil)
	}); err != nil || fault != nil {
		w.Fatal(err, fault)
	}
}

func TestServers(t *testing.T) {
	t.Run("O33.1 servers connect on the clients' socket, with larger messages", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			t := w.T
			there := newInbox()
			conns := make(chan *Conn, 1)
			w.listener.host.Servers = &Servers{TLS: proof(t), Open: func(
				state tls.ConnectionState, from netip.Addr, c *Conn,
			) (Handlers, error) {
				if len(state.PeerCertificates) != 1 || !from.IsValid() {
					t.Errorf("%d certificates, from %v", len(state.PeerCertificates), from)
				}
				conns <- c
				return there.handlers(), nil
			}}
			here := newInbox()
			c, err := w.dialer().DialServer(t.Context(), quicAddress.String(), proof(t),
				func(*Conn) Handlers { return here.handlers() })
			if err != nil {
				t.Fatal(err)
			}
			large := bytes.Repeat([]byte("large"), 1<<18)[:1<<20]
			w.say(c, large)
			other := <-conns
			w.say(other, large)
			if !bytes.Equal(<-there.come, large) || !bytes.Equal(<-here.come, large) {
				t.Error("an unexpected message arrived")
			}
			if err := other.Use(func(core *connection.Conn, now time.Duration) {
				if err := core.Send(now, make([]byte, betweenServers.Message+1), nil,
					nil); !errors.Is(err, connection.ErrTooLarge) {
					t.Errorf("too large: %v", err)
				}
			}); err != nil {
				t.Error(err)
			}
			c.Close(connection.CodeDone, "that is all")
			if err := <-there.ended; err.Code != connection.CodeDone ||
				err.Reason != "that is all" || !err.Remote {
				t.Errorf("it ended by %v", err)
			}
			c.Wait()
		})
	})
	t.Run("O33 a refused server is informed, and leaves nothing behind", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			t := w.T
			w.listener.host.Servers = &Servers{TLS: proof(t), Open: func(
				tls.ConnectionState, netip.Addr, *Conn,
			) (Handlers, error) {
				return Handlers{}, errors.New("too many")
			}}
			var said *connection.CloseError
			_, err := w.dialer().DialServer(t.Context(), quicAddress.String(), proof(t),
				func(*Conn) Handlers { return newInbox().handlers() })
			if !errors.As(err, &said) || said.Code != connection.CodeRefused {
				t.Errorf("it gets %v", err)
			}
			if n := w.listener.Counts().Open; n != 0 {
				t.Errorf("%d are open", n)
			}
		})
	})
	t.Run("O33.6 without a taker or a certificate there is no connection", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			t := w.T
			if _, err := w.dialer().DialServer(t.Context(),
				quicAddress.String(), proof(t), nil); err == nil {
				t.Error("there is one to a host that takes none")
			}
			opened := 0
			w.listener.host.Servers = &Servers{TLS: proof(t), Open: func(
				tls.ConnectionState, netip.Addr, *Conn,
			) (Handlers, error) {
				opened++
				return newInbox().handlers(), nil
			}}
			nameless := proof(t)
			nameless.Certificates = nil
			if _, err := w.dialer().DialServer(t.Context(),
				quicAddress.String(), nameless, nil); err == nil || opened != 0 {
				t.Errorf("there is one without a certificate: %v, %d", err, opened)
			}
		})
	})
	t.Run("O33.3 a server that asks for something else is refused", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			t := w.T
			w.listener.host.Servers = &Servers{TLS: proof(t), Open: func(
				tls.ConnectionState, netip.Addr, *Conn,
			) (Handlers, error) {
				t.Error("it was admitted")
				return newInbox().handlers(), nil
			}}
			for _, h := range []connection.Hello{
				{Takes: betweenServers, Request: "ticket=x"}, {Takes: betweenServers},
				{Takes: betweenServers, Resume: make([]byte, connection.TokenSize)},
			} {
				d := w.dialer()
				s, err := d.Socket()
				if err != nil {
					t.Fatal(err)
				}
				p, err := quicTo(t.Context(), s, quicAddress, proof(t))
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				if _, err := handshake(ctx, p, h); err == nil {
					t.Errorf("%+v is admitted", h)
				}
				cancel()
			}
		})
	})
}
