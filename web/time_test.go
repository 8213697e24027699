package web_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holt/web"
)

// pipes is a network in memory, for virtual time.
type pipes struct {
	ends   chan net.Conn // unbuffered: dial waits until the server accepts
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.ends:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// addressed gives one end of a pipe an address, which net/http passes on.
type addressed struct{ net.Conn }

func (addressed) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.ends <- addressed{server}
	return client
}

// virtual runs test with a complete server in a bubble of virtual time.
func virtual(t *testing.T, test func(t *testing.T, s *stack, p *pipes)) {
	t.Helper()
	virtualWith(t, func(*web.Config) {}, test)
}

// virtualWith is virtual with a changed configuration.
func virtualWith(t *testing.T, change func(*web.Config),
	test func(t *testing.T, s *stack, p *pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, func(c *web.Config) {
			unbundled(c) // esbuild leaves a goroutine asleep for a while
			change(c)
		})
		p := &pipes{ends: make(chan net.Conn), closed: make(chan struct{})}
		server := s.web.HTTP()
		served := make(chan error, 1) // Serve returns once
		go func() { served <- server.Serve(p) }()
		defer func() {
			s.must(server.Close())
			<-served
		}()
		test(t, s, p)
	})
}

// host creates a table over a pipe.
func (p *pipes) host(t *testing.T, s *stack) seat {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			return p.dial(), nil
		},
	}}
	res, err := client.Post("http://holt.test/api/v1/tables", "application/json",
		strings.NewReader(`{"game":"chess"}`))
	s.must(err)
	body, err := io.ReadAll(res.Body)
	s.must(err)
	s.must(res.Body.Close())
	var k seat
	answer{res, string(body)}.json(t, &k)
	return k
}

func (p *pipes) stream(t *testing.T, k seat) *wsClient {
	t.Helper()
	return p.streamOf(t, k, clientID)
}

func (p *pipes) streamOf(t *testing.T, k seat, client string) *wsClient {
	t.Helper()
	c, status, _ := dial(t, p.dial(), k.api("/stream?client="+client), k.bearer())
	if status != http.StatusSwitchingProtocols {
		t.Fatal(status)
	}
	if c.frame().GetEvents()[0].GetFull() == nil {
		t.Fatal("no full state")
	}
	return c
}

func TestKeepalive(t *testing.T) {
	t.Run("S6.2 a client that answers stays", func(t *testing.T) {
		virtual(t, func(t *testing.T, s *stack, p *pipes) {
			c := p.stream(t, p.host(t, s))
			last := time.Now()
			for range 20 {
				op, payload := c.control()
				if op != opPing {
					t.Fatalf("got opcode %d, want a ping", op)
				}
				// A ping waits for a second while data is being written.
				if after := time.Since(last); after < 15*time.Second || after > 16*time.Second {
					t.Fatalf("a ping after %v", after)
				}
				last = time.Now()
				c.write(masked(fin|opPong, payload))
			}
		})
	})
	t.Run("S6.3 a client that does not answer is closed with 4000", func(t *testing.T) {
		virtual(t, func(t *testing.T, s *stack, p *pipes) {
			c := p.stream(t, p.host(t, s))
			start := time.Now()
			if op, _ := c.control(); op != opPing {
				t.Fatalf("got opcode %d, want a ping", op)
			}
			if code := c.closed(); code != 4000 {
				t.Errorf("closed with %d", code)
			}
			if at := time.Since(start); at < 25*time.Second || at > 26*time.Second {
				t.Errorf("closed after %v, want 15 s and 10 s", at)
			}
		})
	})
	for _, k := range []web.Keepalive{{}, {Every: 5 * time.Second, Timeout: 2 * time.Second},
		{Every: 2 * time.Second, Timeout: 10 * time.Second}} {
		t.Run(fmt.Sprintf("S6.3 a vanished client is noticed in time: %+v", k), func(t *testing.T) {
			bound := cmp.Or(k.Every, 15*time.Second) + cmp.Or(k.Timeout, 10*time.Second)
			step := bound / 7
			if testing.Short() {
				step = bound / 3
			}
			for vanishes := time.Duration(0); vanishes < 2*bound; vanishes += step {
				virtualWith(t, func(c *web.Config) { c.Keepalive = k }, func(t *testing.T, s *stack, p *pipes) {
					c := p.stream(t, p.host(t, s))
					gone := time.Now().Add(vanishes)
					for {
						op, payload := c.control()
						if op == opClose {
							break
						}
						if time.Now().Before(gone) {
							c.write(masked(fin|opPong, payload))
						}
					}
					// A ping waits for a second while data is being written.
					if late := time.Since(gone); late < 0 || late > bound+2*time.Second {
						t.Errorf("gone after %v, noticed %v later, want %v at most",
							vanishes, late, bound)
					}
				})
			}
		})
	}
	t.Run("S7.6 a client that reads nothing is cut off after 30 s", func(t *testing.T) {
		virtual(t, func(t *testing.T, s *stack, p *pipes) {
			k := p.host(t, s)
			conn := p.dial()
			start := time.Now()
			// The pipe has no buffer. The handshake is answered, and the first frame is stuck.
			dial(t, conn, k.api("/stream?client="+clientID), k.bearer())
			synctest.Wait()
			<-time.After(29 * time.Second)
			if n, err := conn.Read(make([]byte, 1)); n != 1 || err != nil {
				t.Fatalf("after %v: %v", time.Since(start), err)
			}
			// The peer has read one byte of a chunk. That is not enough progress, so the bound
			// holds.
			<-time.After(2 * time.Second)
			rest, err := io.ReadAll(conn)
			if err != nil || len(rest) > 0 {
				t.Errorf("after %v %d more bytes came (%v)", time.Since(start), len(rest), err)
			}
		})
	})
}

func TestSlowRequests(t *testing.T) {
	for _, c := range []struct {
		name, sent string
		within     time.Duration
	}{
		{"a header that does not end", "GET / HTTP/1.1\r\nHost: holt.test\r\n", 11 * time.Second},
		{
			"a body that does not end",
			"POST /api/v1/tables HTTP/1.1\r\nHost: holt.test\r\n" +
				"Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{",
			36 * time.Second,
		},
		{"a connection without request", "", 11 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			virtual(t, func(t *testing.T, s *stack, p *pipes) {
				start := time.Now()
				conn := p.dial()
				if c.sent != "" {
					if _, err := conn.Write([]byte(c.sent)); err != nil {
						t.Fatal(err)
					}
				}
				got, err := io.ReadAll(conn)
				if err != nil || time.Since(start) > c.within {
					t.Errorf("still open after %v (%v)", time.Since(start), err)
				}
				if strings.Contains(string(got), " 200 ") ||
					strings.Contains(string(got), " 201 ") {
					t.Errorf("answered by %s", got)
				}
			})
		})
	}
	t.Run("a header without end in size", func(t *testing.T) {
		virtual(t, func(t *testing.T, s *stack, p *pipes) {
			conn := p.dial()
			go func() {
				_, _ = conn.Write([]byte("GET / HTTP/1.1\r\nHost: holt.test\r\nX: " +
					strings.Repeat("x", 100<<10) + "\r\n\r\n"))
			}()
			got, _ := io.ReadAll(conn)
			if !strings.HasPrefix(string(got), "HTTP/1.1 431 ") {
				t.Errorf("got %q", got)
			}
			_ = conn.Close()
		})
	})
}

func TestStopping(t *testing.T) {
	virtual(t, func(t *testing.T, s *stack, p *pipes) {
		c := p.stream(t, p.host(t, s))
		done := make(chan error, 1) // Shutdown returns once
		go func() { done <- s.rooms.Shutdown(t.Context()) }()
		if code := c.closed(); code != 1001 {
			t.Errorf("closed with %d", code)
		}
		s.must(<-done)
		start := time.Now()
		s.must(s.web.Shutdown(t.Context()))
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("the streams took %v to end", took)
		}
	})
}
