package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nhooyr.io/websocket"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// booth is the server's end of streams in virtual time: a real WebSocket over connections in
// memory. The test decides what the server sends.
type booth struct {
	t       *testing.T
	server  *Server
	dialled chan net.Conn
	opened  chan *visit
	refuse  int          // status of answers to requests for a stream; 0: it opens them
	posted  atomic.Int32 // requests with updates
	mu      sync.Mutex
	batches [][]table.Update // that were posted, guarded by mu
	writes  chan []byte      // messages with operations on components
	told    chan string      // the epoch and the version that each of them names
	answers chan int         // the status of the answer to each; empty: 204
	offer   func() []byte    // the answer to a request for datagrams; nil: there are none
	slow    time.Duration    // how long it takes to open a stream
}

// visit is one stream at the booth.
type visit struct {
	booth *booth
	query url.Values
	at    time.Time
	ws    *websocket.Conn
	ups   chan *holtpb.Up // messages of the client, in order; the test reads them in time
	ended chan error
}

func newBooth(t *testing.T) *booth {
	b := &booth{
		t: t, dialled: make(chan net.Conn), opened: make(chan *visit, 100),
		writes: make(chan []byte, 100), told: make(chan string, 100), answers: make(chan int, 100),
	}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			near, far := net.Pipe()
			select {
			case b.dialled <- far:
				return near, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
	}
	var err error
	if b.server, err = NewServer(
		"http://table.example/", &http.Client{Transport: transport},
	); err != nil {
		t.Fatal(err)
	}
	serving := &http.Server{Handler: b, ReadHeaderTimeout: time.Minute}
	over := make(chan error, 1)
	l := &listener{conns: b.dialled, closed: make(chan struct{})}
	go func() { over <- serving.Serve(l) }()
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = serving.Close()
		if err := <-over; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return b
}

// listener accepts connections in memory.
type listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: "booth"} }

// ServeHTTP accepts updates, and opens streams.
func (b *booth) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/components") {
		b.take(w, r)
		return
	}
	if strings.HasSuffix(r.URL.Path, "/datagrams") {
		b.answerOffer(w)
		return
	}
	if r.Method == http.MethodPost {
		b.posted.Add(1)
		if body, err := io.ReadAll(r.Body); err == nil {
			batch, err := wire.DecodeBatch(body)
			if err != nil {
				b.t.Error(err)
			}
			b.mu.Lock()
			b.batches = append(b.batches, batch.Updates)
			b.mu.Unlock()
		}
		w.WriteHeader(http.StatusAccepted)
		return
	}
	v := &visit{
		booth: b, query: r.URL.Query(), at: time.Now(), ups: make(chan *holtpb.Up, 100),
		ended: make(chan error, 1),
	}
	if b.refuse != 0 {
		b.opened <- v
		w.WriteHeader(b.refuse)
		return
	}
	select {
	case <-time.After(b.slow):
	case <-r.Context().Done():
		return
	}
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{subprotocol}})
	if err != nil {
		b.t.Error(err)
		return
	}
	v.ws = ws
	b.opened <- v
	for {
		_, msg, err := ws.Read(context.Background())
		if err != nil {
			_ = ws.CloseNow()
			v.ended <- err
			return
		}
		up, err := wire.DecodeUp(msg)
		if err != nil {
			b.t.Error(err)
		}
		v.ups <- up
	}
}

// answerOffer answers a request for datagrams.
func (b *booth) answerOffer(w http.ResponseWriter) {
	if b.offer == nil {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(
			[]byte(`{"status":404,"code":"datagrams","title":"This server has no datagrams"}`),
		)
		return
	}
	_, _ = w.Write(b.offer())
}

// take accepts operations on components.
func (b *booth) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if want := (id.Client{1}).String(); err != nil || r.URL.Query().Get("client") != want ||
		r.Header.Get("Content-Type") != "application/x-protobuf" {
		b.t.Errorf("posted to %v with %v: %v", r.URL, r.Header, err)
	}
	b.writes <- body
	b.told <- r.URL.Query().Get("epoch") + " " + r.URL.Query().Get("mark")
	select {
	case status := <-b.answers:
		w.WriteHeader(status)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// visited waits for the next stream.
func (b *booth) visited() *visit { return <-b.opened }

// says sends a frame. The client may close the connection as soon as it has received it.
func (v *visit) says(f *holtpb.Frame) {
	v.booth.t.Helper()
	b, err := wire.EncodeFrame(f)
	if err == nil {
		err = v.ws.Write(context.Background(), websocket.MessageBinary, b)
	}
	if err != nil && !errors.Is(err, net.ErrClosed) {
		v.booth.t.Error(err)
	}
	synctest.Wait()
}

// heard returns the messages that have arrived from the client.
func (v *visit) heard() []*holtpb.Up {
	synctest.Wait()
	var ups []*holtpb.Up
	for {
		select {
		case up := <-v.ups:
			ups = append(ups, up)
		default:
			return ups
		}
	}
}

// closes ends the stream from the server's side.
func (v *visit) closes(code websocket.StatusCode) {
	_ = v.ws.Close(code, "")
	synctest.Wait()
}

// running runs a client at the booth until the test ends.
func (b *booth) running(t *testing.T) (c *Client, leave func() error) {
	t.Helper()
	c, err := New(Config{
		Server: b.server, Seat: Seat{Table: "ab", Token: "T"}, Client: id.Client{1},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- c.Run(ctx) }()
	leave = sync.OnceValue(func() error {
		cancel()
		return <-over
	})
	t.Cleanup(func() { _ = leave() })
	return c, leave
}

// in runs a test in virtual time.
func in(t *testing.T, name string, f func(t *testing.T, b *booth)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { f(t, newBooth(t)) })
	})
}

// TestStreams shows what a client says when it opens, uses and leaves a stream.
func TestStreams(t *testing.T) {
	// Clauses: S1.6
	in(t, "S8 each stream names itself and where the last one ended", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		want := func(v *visit, attempt, epoch, version, seq string) {
			t.Helper()
			q := v.query
			if q.Get("client") != (id.Client{1}).String() || q.Get("attempt") != attempt ||
				q.Get("epoch") != epoch || q.Get("mark") != version || q.Get("seq") != seq {
				t.Errorf("opened by %v; want attempt %q, epoch %q, version %q, seq %q",
					q, attempt, epoch, version, seq)
			}
		}
		v := b.visited()
		want(v, "1", "", "", "")
		v.says(frame(20, full(epoch, at(1, 10, 0, 0))))
		v.says(frame(0)) // a pong has no version
		c.Cut(0)
		v = b.visited()
		want(v, "2", "77", "20", "")
		if _, err := c.Do(moveTo(1, 5, 5)); err != nil {
			t.Fatal(err)
		}
		c.Cut(0)
		v = b.visited()
		want(v, "3", "77", "20", "1")
		v.says(frame(30, resumed()))
		c.ForceFull()
		c.Cut(0)
		v = b.visited()
		want(v, "4", "", "", "1")
		v.says(frame(30, full(epoch, at(1, 10, 0, 0))))
		v.says(frame(30, motionsOfUnequalLength()))
		v = b.visited()
		want(v, "5", "", "", "1")
	})
	in(t, "S5 nothing is posted before the full state", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		v := b.visited()
		v.says(frame(20, full(epoch, at(1, 10, 0, 0))))
		c.Cut(time.Second)
		if _, err := c.Do(moveTo(1, 5, 5)); err != nil {
			t.Fatal(err)
		}
		v = b.visited()
		synctest.Wait()
		if n := b.posted.Load(); n != 0 {
			t.Errorf("%d batches were posted before", n)
		}
		v.says(frame(20, resumed()))
		if n := b.posted.Load(); n != 1 {
			t.Errorf("%d batches were posted then", n)
		}
	})
	in(t, "S11, S14 a leaving client says so, a cut line does not", func(t *testing.T, b *booth) {
		c, leave := b.running(t)
		v := b.visited()
		c.Cut(0)
		if err := <-v.ended; websocket.CloseStatus(err) != -1 {
			t.Errorf("the line that was cut ended with %v", err)
		}
		v = b.visited()
		v.says(frame(20, full(epoch)))
		if err := leave(); !errors.Is(err, context.Canceled) {
			t.Errorf("Run returned %v", err)
		}
		if err := <-v.ended; websocket.CloseStatus(err) != websocket.StatusNormalClosure {
			t.Errorf("the stream that was left ended with %v", err)
		}
	})
	in(t, "S11 the away status is repeated on each stream", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		aways := func(v *visit) (said []bool) {
			for _, up := range v.heard() {
				if a := up.GetAway(); a != nil {
					said = append(said, a.GetAway())
				}
			}
			return said
		}
		v := b.visited()
		c.SetAway(t.Context(), true)
		v.says(frame(20, full(epoch)))
		if got := aways(v); !slices.Equal(got, []bool{true}) {
			t.Errorf("it sends %v", got)
		}
		c.SetAway(t.Context(), true)
		c.SetAway(t.Context(), false)
		if got := aways(v); !slices.Equal(got, []bool{false}) {
			t.Errorf("then it sends %v", got)
		}
		c.Cut(0)
		v = b.visited()
		v.says(frame(20, resumed()))
		if got := aways(v); len(got) != 0 {
			t.Errorf("on the next stream it sends %v", got)
		}
	})
	// Clauses: S9.1
	in(t, "S12, S13 motion and cursors go up in messages of valid size", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		v := b.visited()
		if err := c.Point(t.Context(), 5, 1, 2); !errors.Is(err, ErrNoStream) {
			t.Errorf("before the full state: %v", err)
		}
		v.says(frame(20, full(epoch)))
		v.heard()
		many := make([]Place, wire.MaxMotion+1)
		for i := range many {
			many[i] = Place{Piece: id.Piece(i + 1), X: int32(i), Y: -int32(i)}
		}
		if err := errors.Join(
			c.Carry(t.Context(), 1000, many...), c.Point(t.Context(), 2000, -3, 4),
		); err != nil {
			t.Fatal(err)
		}
		ups := v.heard()
		if len(ups) != 3 {
			t.Fatalf("%d messages", len(ups))
		}
		if m := ups[0].GetMotion(); m.GetAt() != 1000 || len(m.GetPieces()) != wire.MaxMotion ||
			m.GetPieces()[7] != 8 || m.GetX()[7] != 7 || m.GetY()[7] != -7 {
			t.Errorf("%v", m)
		}
		if m := ups[1].GetMotion(); len(m.GetPieces()) != 1 ||
			m.GetPieces()[0] != wire.MaxMotion+1 {
			t.Errorf("%v", m)
		}
		if m := ups[2].GetCursor(); m.GetAt() != 2000 || m.GetX() != -3 || m.GetY() != 4 {
			t.Errorf("%v", m)
		}
		if err := c.Carry(t.Context(), 0, Place{Piece: 1, X: 1 << 30}); err == nil {
			t.Error("a place beyond all bounds went up")
		}
	})
}

func motionsOfUnequalLength() *holtpb.Event {
	m := motions(1)
	m.GetMotions().X = nil
	return m
}

// TestPings shows that pongs tell the server's time, and that a pong for no ping is ignored.
func TestPings(t *testing.T) {
	in(t, "S15, K14 pongs give the time to within half the round trip", func(t *testing.T, b *booth) {
		const ahead = 1_780_000_000_000
		c, _ := b.running(t)
		v := b.visited()
		start := time.Now()
		server := func() int64 { return ahead + time.Since(start).Milliseconds() }
		v.says(frame(20, full(epoch)))
		if _, _, ok := c.ServerTime(); ok {
			t.Error("it knows the time before the first pong")
		}
		pinged := 0
		for over := time.After(2 * time.Minute); over != nil; {
			select {
			case up := <-v.ups:
				pinged++
				<-time.After(20 * time.Millisecond)
				pong := &holtpb.Event{
					Event: &holtpb.Event_Pong{Pong: &holtpb.Pong{Nonce: up.GetPing().GetNonce()}},
				}
				v.says(&holtpb.Frame{Time: uint64(server()), Events: []*holtpb.Event{pong}})
			case <-over:
				over = nil
			}
		}
		now, uncertainty, ok := c.ServerTime()
		if off := time.Duration(int64(now)-server()) * time.Millisecond; !ok ||
			off.Abs() > uncertainty || uncertainty > 20*time.Millisecond {
			t.Errorf("off by %v, and it claims %v at most", off, uncertainty)
		}
		if pinged < 5 || pinged > 8 {
			t.Errorf("%d pings in two minutes", pinged)
		}
	})
	in(t, "K14.8 an unrequested pong is ignored", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		v := b.visited()
		v.says(frame(20, full(epoch)))
		v.says(&holtpb.Frame{
			Time:   5,
			Events: []*holtpb.Event{{Event: &holtpb.Event_Pong{Pong: &holtpb.Pong{Nonce: 99}}}},
		})
		if _, _, ok := c.ServerTime(); ok {
			t.Error("it knows the time")
		}
	})
}

// gaps returns the times between n+1 attempts.
func (b *booth) gaps(n int) []time.Duration {
	var gaps []time.Duration
	for last := b.visited().at; len(gaps) < n; {
		v := b.visited()
		gaps = append(gaps, v.at.Sub(last))
		last = v.at
	}
	return gaps
}

// TestDelays shows how long a client waits before it opens a stream again (S6).
func TestDelays(t *testing.T) {
	// within checks that each gap lies between half of the wanted time and all of it.
	within := func(t *testing.T, gaps []time.Duration, want ...time.Duration) {
		t.Helper()
		for i, w := range want {
			if gaps[i] < w/2 || gaps[i] > w {
				t.Errorf("gap %d is %v, want %v to %v", i, gaps[i], w/2, w)
			}
		}
	}
	const s = time.Second
	in(t, "S6.7 they double up to 10 s", func(t *testing.T, b *booth) {
		b.refuse = http.StatusServiceUnavailable
		b.running(t)
		within(t, b.gaps(8), s/4, s/2, s, 2*s, 4*s, 8*s, 10*s, 10*s)
	})
	in(t, "S6.9 they restart when a stream has lasted for 10 s", func(t *testing.T, b *booth) {
		b.running(t)
		var gaps []time.Duration
		for _, lasts := range []time.Duration{s, s, s, 11 * s, s} {
			v := b.visited()
			<-time.After(lasts)
			ended := time.Now()
			v.closes(1011)
			next := b.visited()
			gaps = append(gaps, next.at.Sub(ended))
			b.opened <- next
		}
		within(t, gaps, s/4, s/2, s, s/4, s/2)
	})
	in(t, "S9 a client that sent far too much comes back slower", func(t *testing.T, b *booth) {
		b.running(t)
		v := b.visited()
		v.closes(websocket.StatusPolicyViolation)
		within(t, []time.Duration{b.visited().at.Sub(v.at)}, 10*s)
	})
	in(t, "S16.7 they are as long as the server says", func(t *testing.T, b *booth) {
		b.running(t)
		v := b.visited()
		v.says(frame(
			0, &holtpb.Event{Event: &holtpb.Event_Going{Going: &holtpb.Going{AfterMs: 1234}}},
		))
		v.closes(websocket.StatusGoingAway)
		if gap := b.visited().at.Sub(v.at); gap != 1234*time.Millisecond {
			t.Errorf("it comes back after %v", gap)
		}
	})
	in(t, "S6 a cut stream reopens as announced", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		for _, after := range []time.Duration{0, s, 0, time.Minute} {
			v := b.visited()
			synctest.Wait()
			cut := time.Now()
			c.Cut(after)
			next := b.visited()
			if gap := next.at.Sub(cut); gap != after {
				t.Errorf("%v after the cut, want %v", gap, after)
			}
			b.opened <- next
			<-v.ended
		}
	})
	in(t, "S6.5 a silent stream is given up after 40 s", func(t *testing.T, b *booth) {
		b.running(t)
		v := b.visited()
		<-time.After(30 * time.Second)
		v.says(frame(20, full(epoch)))
		silent := time.Now()
		within(t, []time.Duration{b.visited().at.Sub(silent) - 40*s}, s/4)
	})
	for code, back := range map[int]bool{
		1000: true, 1002: false, 1003: false, 1009: false, 4000: true, 4001: false, 4002: false,
		4004: false,
	} {
		in(t, "S6, S8, S20.7 close code "+strconv.Itoa(code), func(t *testing.T, b *booth) {
			_, leave := b.running(t)
			b.visited().closes(websocket.StatusCode(code))
			if back {
				b.visited()
				return
			}
			<-time.After(time.Minute)
			if err := leave(); !errors.Is(err, ErrClosed) {
				t.Errorf("Run returned %v", err)
			}
			if len(b.opened) != 0 {
				t.Error("it has come back")
			}
		})
	}
}
