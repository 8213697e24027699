package web_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
	"holt/server/transport/connection"
	"holt/server/transport/depgraph"
	"holt/server/transport/endpoint"
	"holt/web"
)

// upstream sends batches as they come on a stream by datagrams.
type upstream struct {
	*stack
	receive func(m *holtpb.Updates, answer func(*holtpb.Event))
	answers chan *holtpb.Answer
	last    uint64
}

// upstream returns a stream of a seat.
func (s *stack) upstream(k seat) *upstream {
	s.Helper()
	return &upstream{
		stack: s, receive: s.web.Upward(s.session(k)), answers: make(chan *holtpb.Answer, 1000),
	}
}

func (s *stack) session(k seat) room.Session {
	s.Helper()
	of, err := id.ParseOID(k.Table)
	s.must(err)
	session, err := s.rooms.Authenticate(s.Context(), of, k.Token)
	s.must(err)
	return session
}

// sends gives it a batch. The answer comes later.
func (u *upstream) sends(m *holtpb.Updates) uint64 {
	u.last++
	m.Request = u.last
	u.receive(m, func(e *holtpb.Event) { u.answers <- e.GetAnswer() })
	return u.last
}

// asks sends a batch and waits for the answer.
func (u *upstream) asks(m *holtpb.Updates) *holtpb.Answer {
	u.Helper()
	want := u.sends(m)
	a := <-u.answers
	if a.GetRequest() != want {
		u.Fatalf("the answer is to %d, want %d", a.GetRequest(), want)
	}
	return a
}

// want checks an answer.
func (u *upstream) want(a *holtpb.Answer, status int, code string) {
	u.Helper()
	var p struct {
		Code   string
		Status int
	}
	if a.GetProblem() != "" {
		u.must(json.Unmarshal([]byte(a.GetProblem()), &p))
	} else {
		p.Status = http.StatusAccepted
	}
	if int(a.GetStatus()) != status || p.Status != status || p.Code != code {
		u.Fatalf("the answer is %v, want %d %s", a, status, code)
	}
}

// stateOf returns the epoch, the version and the number of pieces of a table.
func (s *stack) stateOf(k seat) (state struct {
	Epoch, Mark uint64
	Life        string
	Pieces      []struct{ ID, Mark uint64 }
}) {
	s.Helper()
	a := s.get(k.api(""), k.bearer()...)
	if a.StatusCode != http.StatusOK {
		s.Fatalf("read: %s %s", a.Status, a.body)
	}
	a.json(s, &state)
	return state
}

// sample is a request by either way.
type sample struct {
	name, query, body string
}

func samplesFor(epoch, mark uint64, life string) []sample {
	updates := func(us string) string {
		return fmt.Sprintf(`{"client":%q,"epoch":%d,"updates":[%s]}`, clientID, epoch, us)
	}
	add := `{"seq":%d,"op":"add","kind":0,"x":0,"y":0}`
	return []sample{
		{"a batch", "", addBatch(epoch, 1)},
		{"the same again", "", addBatch(epoch, 1)},
		{"another update by the same sequence", "", strings.Replace(
			addBatch(epoch, 1), `"x":0`, `"x":1`, 1)},
		{"a sequence far ahead", "", addBatch(epoch, 2000)},
		{"one below it", "", addBatch(epoch, 1990)},
		{"one too far below it", "", addBatch(epoch, 1000)},
		{"a sequence twice", "", updates(fmt.Sprintf(add+","+add, 2001, 2001))},
		{"no JSON", "", "{"},
		{"nothing", "", ""},
		{"an unknown field", "", `{"what":1}`},
		{"a null", "", strings.Replace(addBatch(epoch, 2), `"x":0`, `"x":null`, 1)},
		{"no updates", "", updates("")},
		{"an impossible value", "", strings.Replace(addBatch(epoch, 2), `"x":0`, `"x":2000000`, 1)},
		{"an unknown operation", "", strings.Replace(addBatch(epoch, 2), "add", "paint", 1)},
		{"an unknown piece", "", updates(`{"seq":2002,"op":"grab","piece":9000,"tag":65536}`)},
		{"a tag from the future", "", updates(`{"seq":2002,"op":"grab","piece":1,"tag":6553600}`)},
		{"another epoch", "", addBatch(epoch+1, 2)},
		{"a life without a version", "life=" + life, addBatch(epoch, 2)},
		{"a version without a life", "mark=1", addBatch(epoch, 2)},
		{"a life that is none", "life=00&mark=1", addBatch(epoch, 2)},
		{"a version that is none", fmt.Sprintf("life=%s&mark=%d", life, uint64(1)<<60),
			addBatch(epoch, 2)},
		{"a version", fmt.Sprintf("life=%s&mark=%d", life, mark), addBatch(epoch, 2003)},
		{"not UTF-8", "", "{\"client\":\"\xff\"}"},
	}
}

// message returns a sample as a message.
func (s *sample) message(t testing.TB) *holtpb.Updates {
	t.Helper()
	m := &holtpb.Updates{Batch: []byte(s.body), Alone: true}
	q, err := url.ParseQuery(s.query)
	if err != nil {
		t.Fatal(err)
	}
	if m.Life, err = hex.DecodeString(q.Get("life")); err != nil {
		t.Fatal(err)
	}
	if q.Has("mark") {
		if _, err := fmt.Sscan(q.Get("mark"), &m.Mark); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestUpward(t *testing.T) {
	// Clauses: D39.2, D40.1, D40.2
	t.Run("D39, D40 twins: a message is answered as a request by HTTP is", func(t *testing.T) {
		s := newStack(t)
		byHTTP, byMessage := s.open("chess"), s.open("chess")
		u := s.upstream(byMessage)
		one, two := s.stateOf(byHTTP), s.stateOf(byMessage)
		first := samplesFor(one.Epoch, one.Mark, one.Life)
		for i, second := range samplesFor(two.Epoch, two.Mark, two.Life) {
			path := byHTTP.api("/updates")
			if first[i].query != "" {
				path += "?" + first[i].query
			}
			want := s.post(path, first[i].body, byHTTP.bearer()...)
			got := u.asks(second.message(t))
			document := got.GetProblem()
			if document == "" {
				document = "{}"
			}
			if int(got.GetStatus()) != want.StatusCode ||
				strings.TrimSpace(want.body) != document {
				t.Errorf("%s: the message is answered by\n%d %s, the request by\n%d %s", second.name,
					got.GetStatus(), document, want.StatusCode, want.body)
			}
		}
		if a, b := s.stateOf(byHTTP), s.stateOf(byMessage); len(a.Pieces) != len(b.Pieces) ||
			a.Mark != b.Mark {
			t.Errorf("%d pieces at %d by HTTP, %d at %d by messages", len(a.Pieces), a.Mark,
				len(b.Pieces), b.Mark)
		}
		spectator := s.join(byMessage, byMessage.Invites.Spectator, "Eve")
		e := s.upstream(spectator)
		e.want(e.asks(&holtpb.Updates{Batch: []byte(addBatch(two.Epoch, 1)), Alone: true}),
			http.StatusForbidden, "role")
	})
	t.Run("D40.3 what follows a refused request waits until its client knows", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		state := s.stateOf(k)
		u := s.upstream(k)
		add := func(seq int) *holtpb.Updates {
			return &holtpb.Updates{Batch: []byte(addBatch(state.Epoch, seq))}
		}
		u.want(u.asks(add(1)), http.StatusAccepted, "")
		refused := u.sends(&holtpb.Updates{Batch: []byte("{")})
		u.sends(add(2))
		for range 2 { // in any order
			if a := <-u.answers; a.GetRequest() == refused {
				u.want(a, http.StatusBadRequest, "malformed")
			} else {
				u.want(a, http.StatusFailedDependency, "dependency")
			}
		}
		u.want(u.asks(add(3)), http.StatusFailedDependency, "dependency")
		if n := len(s.stateOf(k).Pieces); n != len(state.Pieces)+1 {
			t.Errorf("%d pieces were added, want 1", n-len(state.Pieces))
		}
		alone := add(2)
		alone.Alone = true
		u.want(u.asks(alone), http.StatusAccepted, "")
		u.want(u.asks(add(3)), http.StatusAccepted, "")
	})
	t.Run("D40.3 one that was sent alone and comes late ends no refusal", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		state := s.stateOf(k)
		u := s.upstream(k)
		add := func(seq int, number uint64, alone bool) *holtpb.Answer {
			u.last = number - 1
			return u.asks(&holtpb.Updates{Batch: []byte(addBatch(state.Epoch, seq)), Alone: alone})
		}
		u.last = 1
		u.want(u.asks(&holtpb.Updates{Batch: []byte("{")}), http.StatusBadRequest, "malformed")
		u.want(add(1, 1, true), http.StatusFailedDependency, "dependency")
		u.want(add(3, 3, false), http.StatusFailedDependency, "dependency")
		u.want(add(1, 4, true), http.StatusAccepted, "")
		u.want(add(3, 5, false), http.StatusAccepted, "")
	})
	// Clauses: D40.4
	t.Run("D40 rates and Retry-After are those of HTTP", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) {
			c.Limits.Updates = web.Rate{PerSecond: 1, Burst: 3}
		})
		k := s.open("chess")
		state := s.stateOf(k)
		u := s.upstream(k)
		for seq := range 3 {
			u.want(u.asks(&holtpb.Updates{
				Batch: []byte(addBatch(state.Epoch, seq+1)), Alone: true,
			}), http.StatusAccepted, "")
		}
		a := u.asks(&holtpb.Updates{Batch: []byte(addBatch(state.Epoch, 4)), Alone: true})
		u.want(a, http.StatusTooManyRequests, "too-fast")
		if a.GetRetryAfter() == 0 {
			t.Error("no Retry-After")
		}
	})
	t.Run("D39 no more than 64 batches of a stream wait", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		state := s.stateOf(k)
		u := s.upstream(k)
		for seq := range 900 {
			u.sends(&holtpb.Updates{Batch: []byte(addBatch(state.Epoch, seq+1))})
		}
		refused := false
		taken := 0
		for range 900 {
			switch a := <-u.answers; a.GetStatus() {
			case http.StatusAccepted:
				taken++
			case http.StatusServiceUnavailable, http.StatusFailedDependency:
				refused = true
			default:
				t.Fatalf("answer %v", a)
			}
		}
		if n := len(s.stateOf(k).Pieces) - len(state.Pieces); n != taken {
			t.Errorf("%d were accepted, and %d pieces were added; refused: %v", taken, n, refused)
		}
	})
	t.Run("T10.18, D39.3 a sequence that comes both ways is one update", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		state := s.stateOf(k)
		const n = 40
		s.post(k.api("/updates"), addBatch(state.Epoch, 1), k.bearer()...)
		order := rand.New(rand.NewPCG(1, 2)).Perm(n)
		var both sync.WaitGroup
		both.Go(func() {
			u := s.upstream(k)
			for _, seq := range order {
				u.asks(&holtpb.Updates{Batch: []byte(addBatch(state.Epoch, seq+1)), Alone: true})
			}
		})
		both.Go(func() {
			for seq := range n {
				s.post(k.api("/updates"), addBatch(state.Epoch, seq+1), k.bearer()...)
			}
		})
		both.Wait()
		if got := len(s.stateOf(k).Pieces) - len(state.Pieces); got != n {
			t.Errorf("%d pieces were added, want %d", got, n)
		}
	})
	t.Run("D39.1, D40.1 updates go up by QUIC", func(t *testing.T) {
		s := newDatagramStack(t)
		k := s.open("chess")
		state := s.stateOf(k)
		c, err := s.dialDatagrams(s.offer(k), endpoint.QUIC, "client="+clientID)
		s.must(err)
		c.frame()
		for seq, status := range []uint32{http.StatusAccepted, http.StatusUnprocessableEntity} {
			batch := addBatch(state.Epoch, seq+1)
			if seq > 0 {
				batch = strings.Replace(batch, `"x":0`, `"x":2000000`, 1)
			}
			c.says(&holtpb.Up{Up: &holtpb.Up_Updates{Updates: &holtpb.Updates{
				Request: uint64(seq + 7), Batch: []byte(batch), Alone: true,
			}}})
			for answered := false; !answered; {
				for _, e := range c.frame().GetEvents() {
					if a := e.GetAnswer(); a != nil {
						answered = true
						if a.GetRequest() != uint64(seq+7) || a.GetStatus() != status {
							t.Errorf("answer %v, want %d", a, status)
						}
					}
				}
			}
		}
	})
	t.Run("D39.9 an Up with updates has nothing else", func(t *testing.T) {
		s := newDatagramStack(t)
		k := s.open("chess")
		updates := encoded(t, &holtpb.Up{Up: &holtpb.Up_Updates{Updates: &holtpb.Updates{Request: 1}}})
		away := encoded(t, &holtpb.Up{Up: &holtpb.Up_Away{Away: &holtpb.Away{}}})
		for _, msg := range [][]byte{slices.Concat(updates, away), slices.Concat(away, updates)} {
			c, err := s.dialDatagrams(s.offer(k), endpoint.QUIC, "client="+otherClientID)
			s.must(err)
			c.frame()
			c.sends(msg)
			if end := <-c.ended; end.Code != connection.CodeProtocol {
				t.Errorf("the connection was ended with %v", end)
			}
		}
	})
	t.Run("D39.6, S9.5 not on a WebSocket, and not without a number", func(t *testing.T) {
		s := newDatagramStack(t)
		k := s.open("chess")
		socket := s.stream(k, clientID)
		msg, err := wire.EncodeUp(&holtpb.Up{Up: &holtpb.Up_Updates{
			Updates: &holtpb.Updates{Request: 1},
		}})
		s.must(err)
		socket.write(masked(fin|opBinary, msg))
		if code := socket.closed(); code != 1002 {
			t.Errorf("the WebSocket was closed with %d", code)
		}
		c, err := s.dialDatagrams(s.offer(k), endpoint.QUIC, "client="+otherClientID)
		s.must(err)
		c.frame()
		c.sends([]byte{8<<3 | 2, 0})
		if end := <-c.ended; end.Code != connection.CodeProtocol {
			t.Errorf("the connection was ended with %v", end)
		}
	})
}

// says sends a message.
func (c *dgClient) says(up *holtpb.Up) {
	c.Helper()
	msg, err := wire.EncodeUp(up)
	if err != nil {
		c.Fatal(err)
	}
	if !c.sends(msg) {
		c.Fatal("the connection is closing")
	}
}

// sends gives it bytes as a guaranteed message, as soon as there is room. It returns false if the
// connection is closing.
func (c *dgClient) sends(msg []byte) bool {
	for {
		changed := c.conn.Changed()
		var fault error
		err := c.conn.Use(func(core *connection.Conn, now time.Duration) {
			fault = core.Send(now, msg, nil, new(depgraph.Handle))
		})
		if err != nil || fault == nil {
			return err == nil
		}
		<-changed
	}
}

// FuzzUpdates sends any bytes as a batch, as a message and by HTTP. The answers are the same, and
// never a fault of the server.
func FuzzUpdates(f *testing.F) {
	wide := web.Rate{PerSecond: 1e9, Burst: 1 << 30}
	s := newServer(f, func(c *web.Config) {
		c.Limits = web.Limits{Tables: wide, Daily: wide, Updates: wide}
	})
	t := httptest.NewServer(s.web)
	defer t.Close()
	s.URL = t.URL
	a, b := s.open("chess"), s.open("chess")
	one, two := s.stateOf(a), s.stateOf(b)
	u := s.upstream(b)
	first := fmt.Sprintf(`"epoch":%d`, one.Epoch)
	for _, seed := range samplesFor(one.Epoch, one.Mark, one.Life) {
		f.Add([]byte(strings.ReplaceAll(seed.body, first, `"epoch":EPOCH`)))
	}
	f.Fuzz(func(t *testing.T, batch []byte) {
		batchFor := func(epoch uint64) string {
			return strings.ReplaceAll(string(batch), "EPOCH", fmt.Sprint(epoch))
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, a.api("/updates"),
			strings.NewReader(batchFor(one.Epoch)))
		r.Host = "holt.test"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+a.Token)
		w := httptest.NewRecorder()
		s.web.ServeHTTP(w, r)
		u.sends(&holtpb.Updates{Batch: []byte(batchFor(two.Epoch)), Alone: true})
		got := <-u.answers
		if w.Code >= http.StatusInternalServerError || int(got.GetStatus()) != w.Code {
			t.Errorf("%d by HTTP, %d by a message: %s %s", w.Code, got.GetStatus(), w.Body,
				got.GetProblem())
		}
	})
}
