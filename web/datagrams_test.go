package web_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"holt/server/proto/holtpb"
	"holt/server/transport/connection"
	"holt/server/transport/endpoint"
	"holt/server/transport/framing"
	"holt/web"
)

// newDatagramStack is newStack with datagrams, at ports of the loopback interface.
func newDatagramStack(t testing.TB, options ...func(*web.Config)) *stack {
	t.Helper()
	listen := func() net.PacketConn {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	certificates, err := endpoint.SelfSigned(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	l := endpoint.New(endpoint.Config{QUIC: listen(), Plain: listen(), Certificates: certificates,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	t.Cleanup(func() { // after the rooms, which end the streams
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := l.Shutdown(ctx); err != nil {
			t.Error(err)
		}
	})
	s := newStack(t, append(options, func(c *web.Config) { c.Datagrams = l })...)
	s.must(l.Serve(endpoint.Host{
		Open: s.web.OpenByDatagrams, Problem: s.web.ProblemCode, Origin: s.web.MayOpenSession,
	}))
	return s
}

// offer is the answer to a request for a ticket.
type offer struct {
	Ticket, WebTransport, QUIC, UDP string
	Hashes                          []string
}

// offer requests a ticket.
func (s *stack) offer(k seat) offer {
	s.Helper()
	a := s.post(k.api("/datagrams"), "", k.bearer()...)
	if a.StatusCode != http.StatusCreated {
		s.Fatalf("ticket: %s %s", a.Status, a.body)
	}
	var o offer
	a.json(s, &o)
	return o
}

// dgClient is a client of a stream by datagrams.
type dgClient struct {
	testing.TB
	conn   *endpoint.Conn
	frames chan *holtpb.Frame
	ended  chan *connection.CloseError

	mu     sync.Mutex
	joiner framing.Joiner
}

// dialDatagrams opens a stream.
func (s *stack) dialDatagrams(o offer, network, query string) (*dgClient, error) {
	s.Helper()
	c := &dgClient{TB: s.TB, frames: make(chan *holtpb.Frame, 100),
		ended: make(chan *connection.CloseError, 1)}
	to := endpoint.Target{Network: network, Address: o.QUIC, Hashes: o.Hashes}
	if network == endpoint.Plain {
		to.Address = o.UDP
	}
	var err error
	handlers := endpoint.Handlers{
		Execute: c.execute, Ended: func(err *connection.CloseError) { c.ended <- err },
	}
	query = "ticket=" + o.Ticket + "&" + query
	c.conn, err = new(endpoint.Dialer).Dial(s.Context(), to, query, handlers)
	if err == nil {
		s.Cleanup(func() {
			c.conn.Close(connection.CodeDone, "")
			c.conn.Wait()
		})
	}
	return c, err
}

func (c *dgClient) execute(m endpoint.Message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	join := func() ([]byte, error) { return c.joiner.Message(m.Number, m.Bytes) }
	if !m.Guaranteed {
		join = func() ([]byte, error) { return c.joiner.Unguaranteed(m.Bytes) }
	}
	b, err := join()
	if err == nil && b != nil {
		c.frames <- decoded(c, b)
	}
	return err
}

// frame waits for the next frame. The last one may have come together with the end.
func (c *dgClient) frame() *holtpb.Frame {
	c.Helper()
	select {
	case f := <-c.frames:
		return f
	case err := <-c.ended:
		c.ended <- err
		select {
		case f := <-c.frames:
			return f
		default:
			c.Fatalf("ended: %v", err)
		}
	}
	return nil
}

func TestDatagrams(t *testing.T) {
	s := newDatagramStack(t)
	k := s.open("chess")
	t.Run("D30.1, D30.3, D30.11 the offer lists all ways", func(t *testing.T) {
		o := s.offer(k)
		if len(o.Ticket) != 22 || len(o.Hashes) != 2 ||
			o.WebTransport != "https://"+o.QUIC+"/datagrams" ||
			!strings.HasPrefix(o.QUIC, "127.0.0.1:") || !strings.HasPrefix(o.UDP, "127.0.0.1:") {
			t.Errorf("offer %+v", o)
		}
		a := s.get("/t/"+k.Table, "Cookie", "holt_"+k.Table+"="+k.Token)
		if policy := a.Header.Get("Content-Security-Policy"); !strings.Contains(policy,
			" https://"+o.QUIC+";") {
			t.Errorf("the page may not go there: %s", policy)
		}
	})
	for _, network := range []string{endpoint.QUIC, endpoint.Plain} {
		// Clauses: D30.4, D30.10, D30.14
		t.Run("D30, D31 a ticket opens a stream by "+network+", once", func(t *testing.T) {
			o := s.offer(k)
			c, err := s.dialDatagrams(o, network, "client="+clientID)
			s.must(err)
			full := c.frame().GetEvents()[0].GetFull()
			if len(full.GetPieces()) < 33 || full.GetYou() != 1 {
				t.Fatalf("the full state of a chess table: %v", full)
			}
			s.post(k.api("/updates"), addBatch(full.GetEpoch(), 1), k.bearer()...)
			for range 2 { // the piece and then the ack, or both in one frame
				if e := c.frame().GetEvents(); e[len(e)-1].GetAck() != nil {
					break
				}
			}
			var said *connection.CloseError
			if _, err := s.dialDatagrams(o, network, "client="+otherClientID); !errors.As(
				err, &said) || said.Code != connection.CodeRefused || said.Reason != "no-seat" {
				t.Errorf("a second time: %v", err)
			}
		})
	}
	t.Run("D30.10, S1 a problem code names the fault in the query", func(t *testing.T) {
		for query, code := range map[string]string{
			"":                               "malformed",
			"client=x":                       "impossible-value",
			"client=" + clientID + "&mark=1": "malformed",
			"client=" + clientID + "&handover=1&attempt=0": "impossible-value",
			"client=%zz": "malformed",
		} {
			var said *connection.CloseError
			if _, err := s.dialDatagrams(s.offer(k), endpoint.QUIC, query); !errors.As(
				err, &said) || said.Code != connection.CodeRefused || said.Reason != code {
				t.Errorf("%q is answered by %v, not %s", query, err, code)
			}
		}
	})
	t.Run("D30.16, S8 WebSocket and datagram streams take over from each other", func(t *testing.T) {
		k := s.open("chess")
		socket := s.stream(k, clientID)
		c, err := s.dialDatagrams(s.offer(k), endpoint.QUIC, "client="+clientID)
		s.must(err)
		if code := socket.closed(); code != 4001 {
			t.Errorf("the WebSocket was closed with %d", code)
		}
		c.frame()
		s.stream(k, clientID)
		if end := <-c.ended; end.Code != connection.CodeTaken {
			t.Errorf("the connection was ended with %v", end)
		}
	})
	t.Run("D37.3, D37.8 a stream is handed over from a WebSocket", func(t *testing.T) {
		k := s.open("chess")
		socket := s.streamRaw(k, clientID)
		full := socket.frame()
		c, err := s.dialDatagrams(s.offer(k), endpoint.QUIC, "handover=1&client="+clientID)
		s.must(err)
		first := c.frame()
		if first.GetEvents()[0].GetResumed() == nil || first.GetMark() != full.GetMark() {
			t.Errorf("the new stream begins with %v", first)
		}
		if code := socket.closed(); code != 4001 {
			t.Errorf("the WebSocket was closed with %d", code)
		}
		var said *connection.CloseError
		if _, err := s.dialDatagrams(s.offer(k), endpoint.QUIC, "handover=1&client="+
			otherClientID); !errors.As(err, &said) || said.Reason != "handover" {
			t.Errorf("without a stream: %v", err)
		}
	})
	t.Run("D30.1 a ticket needs a seat", func(t *testing.T) {
		path := k.api("/datagrams")
		checkProblem(t, s.post(path, ""), http.StatusUnauthorized, "no-seat")
		checkProblem(t, s.post(path, "", "Cookie", "holt_"+k.Table+"="+k.Token),
			http.StatusForbidden, "origin")
		checkProblem(t, s.post(path, "", "Cookie", "holt_"+k.Table+"="+k.Token, "Origin",
			"https://elsewhere.example"), http.StatusForbidden, "origin")
		if a := s.post(path, "", "Cookie", "holt_"+k.Table+"="+k.Token,
			"Origin", s.URL); a.StatusCode != http.StatusCreated {
			t.Errorf("a page of the server: %s", a.Status)
		}
		checkProblem(t, s.get(path, k.bearer()...), http.StatusMethodNotAllowed, "method")
		checkProblem(t, newStack(t).post("/api/v1/tables/"+strings.Repeat("0", 32)+"/datagrams",
			"", k.bearer()...), http.StatusNotFound, "no-table")
	})
	t.Run("D30.15 tickets count as streams", func(t *testing.T) {
		s := newDatagramStack(t, func(c *web.Config) {
			c.Limits.Streams = web.Rate{PerSecond: 0.001, Burst: 3}
		})
		k := s.open("chess")
		for range 3 {
			s.offer(k)
		}
		a := s.post(k.api("/datagrams"), "", k.bearer()...)
		checkProblem(t, a, http.StatusTooManyRequests, "too-fast")
	})
	t.Run("D30.2, D30.9 a client by another host name learns that there are none", func(t *testing.T) {
		checkProblem(t, s.post(k.api("/datagrams"), "",
			append(k.bearer(), "Host", "table.example.org")...), http.StatusNotFound, "datagrams")
	})
}

func TestWithoutDatagrams(t *testing.T) {
	t.Run("D30.2 a server without datagrams says so", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		checkProblem(t, s.post(k.api("/datagrams"), "", k.bearer()...),
			http.StatusNotFound, "datagrams")
		if policy := s.get("/").Header.Get("Content-Security-Policy"); strings.Contains(
			policy, "https:") {
			t.Errorf("the page may go elsewhere: %s", policy)
		}
	})
}

func TestMayOpenSession(t *testing.T) {
	s := newStack(t)
	for _, c := range []struct {
		host, origin string
		may          bool
	}{
		{"127.0.0.1:4433", "http://127.0.0.1:8080", true},
		{"table.example.org:8443", "https://table.example.org", true},
		{"[::1]:4433", "http://[::1]:8080", true},
		{"127.0.0.1:4433", "http://localhost:8080", true},
		{"127.0.0.1:4433", "", true},
		{"192.0.2.7:4433", "http://localhost:8080", false},
		{"table.example.org:8443", "https://elsewhere.example", false},
		{"table.example.org:8443", "https://table.example.org.elsewhere.example", false},
		{"table.example.org:8443", "null", false},
		{"table.example.org:8443", "https://", false},
	} {
		t.Run("D30 a page of "+c.origin+" at "+c.host, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodConnect,
				"https://"+c.host+"/datagrams", nil)
			r.Host = c.host
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			if may := s.web.MayOpenSession(r); may != c.may {
				t.Errorf("may: %v", may)
			}
		})
	}
}
