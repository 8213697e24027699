package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/proto/holtpb"
)

// post posts JSON over a pipe.
func (p *pipes) post(s *stack, path, body string, h header) answer {
	s.Helper()
	conn := p.dial()
	defer func() { s.must(conn.Close()) }()
	text := strings.Builder{}
	fmt.Fprintf(
		&text,
		"POST %s HTTP/1.1\r\nHost: holt.test\r\nContent-Type: application/json\r\nContent-Length: %d\r\n",
		path, len(body),
	)
	for i := 0; i < len(h); i += 2 {
		fmt.Fprintf(&text, "%s: %s\r\n", h[i], h[i+1])
	}
	_, err := io.WriteString(conn, text.String()+"\r\n"+body)
	s.must(err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	s.must(err)
	b, err := io.ReadAll(res.Body)
	s.must(err)
	s.must(res.Body.Close())
	return answer{res, string(b)}
}

// join takes a seat over a pipe.
func (p *pipes) join(t *testing.T, s *stack, host seat, nick string) seat {
	t.Helper()
	var k seat
	p.post(s, host.api("/seats"), fmt.Sprintf(`{"invite":%q,"nick":%q}`,
		secretOf(host.Invites.Player), nick), nil).json(t, &k)
	return k
}

// knock requests a stream and closes the connection.
func (p *pipes) knock(s *stack, path string, h header) answer {
	s.Helper()
	conn := p.dial()
	defer func() { s.must(conn.Close()) }()
	_, err := io.WriteString(conn, handshake(path, "holt.test",
		append(header{"Sec-WebSocket-Protocol", "holt.v1"}, h...)))
	s.must(err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	s.must(err)
	s.must(res.Body.Close())
	return answer{Response: res}
}

// retryAfter returns how long to wait according to an answer, which must say so.
func retryAfter(t *testing.T, a answer) time.Duration {
	t.Helper()
	after, err := time.ParseDuration(a.Header.Get("Retry-After") + "s")
	if err != nil || after < time.Second || after > time.Minute {
		t.Fatalf("%s: Retry-After is %q", a.Status, a.Header.Get("Retry-After"))
	}
	return after
}

// listener reads a stream and keeps its events.
type listener struct {
	mu sync.Mutex
	// Guarded by mu.
	events []*holtpb.Event
	closed error
}

// listen reads c until it ends.
func listen(c *wsClient) *listener {
	l := &listener{}
	go func() {
		for {
			op, payload, err := c.tryMessage()
			l.mu.Lock()
			switch {
			case err != nil:
				l.closed = err
				l.mu.Unlock()
				return
			case op == opBinary:
				l.events = append(l.events, decoded(c, payload).GetEvents()...)
			case op == opPing:
				c.write(masked(fin|opPong, payload))
			}
			l.mu.Unlock()
		}
	}()
	return l
}

// heard returns the events since the last call.
func (l *listener) heard(t *testing.T) []*holtpb.Event {
	t.Helper()
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed != nil {
		t.Fatalf("the stream has ended: %v", l.closed)
	}
	heard := l.events
	l.events = nil
	return heard
}

// storm calls knock 100 times a second for ten seconds, and calm once a second meanwhile.
func storm(knock, calm func()) {
	for n := range 1000 {
		<-time.After(10 * time.Millisecond)
		knock()
		if n%100 == 50 {
			calm()
		}
	}
}

func TestStorms(t *testing.T) {
	// plays adds a player who moves a piece, and checks that it takes no longer than a tick or two.
	plays := func(t *testing.T, s *stack, p *pipes, k seat) func() {
		n := 0
		return func() {
			t.Helper()
			n++
			began := time.Now()
			conn := p.dial()
			defer func() { s.must(conn.Close()) }()
			client := fmt.Sprintf("%021dA", n)
			c, status, _ := dial(t, conn, k.api("/stream?client="+client), k.bearer())
			if status != http.StatusSwitchingProtocols {
				t.Fatalf("S9 another stream is refused: %d", status)
			}
			epoch := c.frame().GetEvents()[0].GetFull().GetEpoch()
			l := listen(c)
			batch := fmt.Sprintf(
				`{"client":%q,"epoch":%d,"updates":[{"seq":1,"op":"add","kind":0,"x":0,"y":0}]}`,
				client, epoch)
			if a := p.post(s, k.api("/updates"),
				batch, k.bearer()); a.StatusCode != http.StatusAccepted {
				t.Fatalf("S9 another update is refused: %s %s", a.Status, a.body)
			}
			for acked := false; !acked; {
				for _, e := range l.heard(t) {
					acked = acked || e.GetAck() != nil || e.GetReject() != nil
				}
				if took := time.Since(began); took > 100*time.Millisecond {
					t.Fatalf("S9 another client waits for %v", took)
				}
				if !acked {
					<-time.After(time.Millisecond)
				}
			}
		}
	}
	t.Run("S9 only a seat that opens a hundred streams a second is slowed down", func(t *testing.T) {
		virtual(t, func(t *testing.T, s *stack, p *pipes) {
			k := p.host(t, s)
			other := p.join(t, s, k, "Bob")
			calm := listen(p.streamOf(t, other, otherClientID))
			opened, refused := 0, 0
			storm(func() {
				switch a := p.knock(s,
					k.api("/stream?client="+clientID), k.bearer()); a.StatusCode {
				case http.StatusSwitchingProtocols:
					opened++
				case http.StatusTooManyRequests:
					refused++
					retryAfter(t, a)
				default:
					t.Fatal(a.Status)
				}
			}, plays(t, s, p, other))
			if opened < 60 || opened > 60+2*10+1 || refused != 1000-opened {
				t.Errorf("%d streams were opened and %d refused", opened, refused)
			}
			calm.heard(t) // it is still there
			again := p.knock(s, k.api("/stream?client="+clientID), k.bearer())
			if again.StatusCode == http.StatusTooManyRequests {
				<-time.After(retryAfter(t, again))
				again = p.knock(s, k.api("/stream?client="+clientID), k.bearer())
			}
			if again.StatusCode != http.StatusSwitchingProtocols {
				t.Errorf(
					"after the storm and the requested wait the seat is refused: %s",
					again.Status)
			}
		})
	})
	t.Run("S9 strangers do not lock a seat out at the same address", func(t *testing.T) {
		virtual(t, func(t *testing.T, s *stack, p *pipes) {
			k := p.host(t, s)
			wrong, slowed := 0, 0
			storm(func() {
				switch a := p.knock(s, k.api("/stream?client="+clientID),
					header{"Authorization", "Bearer wrong"}); a.StatusCode {
				case http.StatusUnauthorized:
					wrong++
				case http.StatusTooManyRequests:
					slowed++
					retryAfter(t, a)
				default:
					t.Fatal(a.Status)
				}
			}, plays(t, s, p, k))
			if wrong < 60 || wrong > 60+10+1 || slowed != 1000-wrong {
				t.Errorf("%d times no seat, %d times too fast", wrong, slowed)
			}
		})
	})
}

func TestHalfOpen(t *testing.T) {
	t.Run("S8.2 a half-open stream is taken over at once, unseen by others", func(t *testing.T) {
		virtual(t, func(t *testing.T, s *stack, p *pipes) {
			k := p.host(t, s)
			other := listen(p.streamOf(t, p.join(t, s, k, "Bob"), otherClientID))
			conn := p.dial()
			first, _, _ := dial(t, conn, k.api("/stream?attempt=1&client="+clientID), k.bearer())
			full := first.frame().GetEvents()[0].GetFull()
			other.heard(t)
			// From now on nothing comes through the first connection in either direction, and
			// neither end gets an error.
			piece := full.GetPieces()[len(full.GetPieces())-1]
			grab := fmt.Sprintf(
				`{"client":%q,"epoch":%d,"updates":[{"seq":1,"op":"grab","piece":%d,"tag":%d}]}`,
				clientID, full.GetEpoch(), piece.GetId(), piece.GetMark())
			if a := p.post(s, k.api("/updates"),
				grab, k.bearer()); a.StatusCode != http.StatusAccepted {
				t.Fatal(a.Status, a.body)
			}
			<-time.After(5 * time.Second)
			began := time.Now()
			second, status, _ := dial(t, p.dial(),
				k.api("/stream?attempt=2&seq=1&client="+clientID), k.bearer())
			if status != http.StatusSwitchingProtocols {
				t.Fatal(status)
			}
			events := second.frame().GetEvents()
			if events[0].GetFull() == nil || events[len(events)-1].GetAck().GetSeq() != 1 {
				t.Errorf("S5 the second stream begins with %v", events)
			}
			if took := time.Since(began); took > 25*time.Millisecond { // a tick (S10)
				t.Errorf("the second stream waits for the first one: %v", took)
			}
			mine := listen(second)
			if a := p.knock(s, k.api("/stream?attempt=1&client="+clientID),
				k.bearer()); a.StatusCode != http.StatusConflict {
				t.Errorf("S8 a late stream: %s", a.Status)
			}
			<-time.After(2 * time.Minute) // longer than anybody would wait for it
			if _, err := io.Copy(io.Discard, conn); err != nil {
				t.Errorf("the first connection is not closed: %v", err)
			}
			mine.heard(t)
			grabbed := false
			for _, e := range other.heard(t) {
				grabbed = grabbed || e.GetUpdate().GetOp() == holtpb.Op_OP_GRAB
				if e.GetSeat() != nil || e.GetUpdate() != nil &&
					e.GetUpdate().GetOp() != holtpb.Op_OP_GRAB {
					t.Errorf("S11 and S14: the other client gets %v", e)
				}
			}
			if !grabbed {
				t.Error("the other does not see the grab")
			}
		})
	})
}
