package web_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
)

// engine is a program with a replica and nothing else, at the far end of a link.
type engine struct {
	*wsClient
	flat    bool
	replica *crdt.Replica
	decoder crdt.FlatDecoder
	digest  *crdt.Digest // the latest one
}

// askLink requests a link over a connection.
func askLink(t testing.TB, conn net.Conn, k seat, query string, h ...string) (*wsClient, answer) {
	t.Helper()
	c := &wsClient{TB: t, conn: conn, r: bufio.NewReader(conn)}
	t.Cleanup(func() { _ = conn.Close() })
	c.write([]byte(handshake(k.api("/replica?"+query), "holt.test", append(k.bearer(), h...))))
	res, err := http.ReadResponse(c.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	a := answer{Response: res}
	if res.StatusCode != http.StatusSwitchingProtocols {
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		a.body = string(body)
	}
	return c, a
}

// link opens a link over a connection.
func link(t testing.TB, conn net.Conn, k seat, form string) *engine {
	t.Helper()
	c, a := askLink(t, conn, k, "form="+form+"&compare=bytes")
	if a.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(a.Status, a.body)
	}
	return &engine{wsClient: c, flat: form == "flat",
		replica: crdt.New(crdt.Config{Sets: schema.Sets})}
}

func (s *stack) link(k seat, form string) *engine {
	s.Helper()
	return link(s, s.conn(), k, form)
}

func (s *stack) conn() net.Conn {
	s.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	s.must(err)
	return conn
}

// reads merges what arrives, until the condition holds.
func (e *engine) reads(until func() bool) {
	e.Helper()
	for !until() {
		op, message := e.message()
		switch {
		case op == opPing:
			e.write(masked(fin|opPong, message))
		case op != opBinary:
			e.Fatalf("opcode %d: %q", op, message)
		case e.flat:
			if err := e.decoder.Push(message,
				func(op crdt.Op) { e.replica.Merge(op) }); err != nil {
				e.Fatal(err)
			}
		default:
			m, err := crdt.Decode(message)
			if err != nil {
				e.Fatal(err)
			}
			for op := range m.Ops() {
				e.replica.Merge(op)
			}
			if m.Digest != nil {
				e.digest = m.Digest
			}
		}
	}
}

// has returns whether a value has the given timestamp and text. An empty text stands for a deleted
// value.
func (e *engine) has(entity crdt.Entity, number, timestamp uint32, text string) func() bool {
	return func() bool {
		data, ok := e.replica.Get(entity, number)
		want := schema.Encode(&componentpb.Text{Text: text})
		return e.replica.Timestamp(entity, number) == timestamp && ok == (text != "") &&
			bytes.Equal(data, want)
	}
}

// says sends operations.
func (e *engine) says(ops ...crdt.Op) {
	e.Helper()
	var b []byte
	for i := range ops {
		if !e.flat {
			b = crdt.AppendOp(b, &ops[i])
			continue
		}
		var err error
		if b, err = crdt.AppendFlat(b, &ops[i]); err != nil {
			e.Fatal(err)
		}
	}
	e.write(masked(fin|opBinary, b))
}

// puts writes a text into the engine's own replica, and sends the operation.
func (e *engine) puts(entity crdt.Entity, number uint32, text string) {
	e.Helper()
	op, err := e.replica.Put(entity, number, schema.Encode(&componentpb.Text{Text: text}))
	if err != nil {
		e.Fatal(err)
	}
	e.says(op)
}

// components returns the address at which a program that has just read the table writes components.
func (s *stack) components(k seat) string {
	s.Helper()
	var state struct{ Epoch, Mark uint64 }
	s.get(k.api(""), k.bearer()...).json(s, &state)
	return fmt.Sprintf("%s?epoch=%d&mark=%d", k.api("/components"), state.Epoch, state.Mark)
}

func (s *stack) operate(k seat, ops ...crdt.Op) {
	s.Helper()
	a := s.post(s.components(k), wireMessage(ops...),
		append(k.bearer(), "Content-Type", "application/x-protobuf")...)
	if a.StatusCode != http.StatusNoContent {
		s.Fatalf("%s %s", a.Status, a.body)
	}
}

func TestReplicaRefusals(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	for _, c := range []struct {
		query  string
		status int
		code   string
	}{
		{"", 400, "malformed"},
		{"form=flat", 400, "malformed"},
		{"form=json&compare=bytes", 422, "impossible-value"},
		{"form=flat&compare=words", 422, "impossible-value"},
		{"form=flat&compare=length&offset=0", 422, "impossible-value"},
		{"form=flat&compare=length&offset=32769", 422, "impossible-value"},
		{"form=flat&compare=length&offset=x", 400, "malformed"},
		{"form=protobuf&compare=length&offset=1", 422, "impossible-value"},
		{"form=flat&compare=length&components=3001", 422, "impossible-value"},
		{"form=protobuf&compare=length&components=crc32", 422, "impossible-value"},
	} {
		// Clauses: C3.9, C19.2, C19.3, C19.58, C19.63
		t.Run("C3, C19 a link names its form and comparator: "+c.query, func(t *testing.T) {
			_, a := askLink(t, s.conn(), k, c.query)
			checkProblem(t, a, c.status, c.code)
		})
	}
	t.Run("C19.1 it is a WebSocket, authenticated by the token", func(t *testing.T) {
		checkProblem(t, s.get(k.api("/replica?form=flat&compare=bytes"), k.bearer()...),
			400, "malformed")
		checkProblem(t, s.get(k.api("/replica?form=flat&compare=bytes")), 401, "no-seat")
	})
	t.Run("C19.4, C19.5 it needs no subprotocol, and accepts its own", func(t *testing.T) {
		for offered, want := range map[string]string{"": "", "chat": "",
			"chat, holt.replica.v1": "holt.replica.v1"} {
			var h []string
			if offered != "" {
				h = []string{"Sec-WebSocket-Protocol", offered}
			}
			_, a := askLink(t, s.conn(), k, "form=flat&compare=bytes", h...)
			if got := a.Header.Get(
				"Sec-WebSocket-Protocol"); a.StatusCode != http.StatusSwitchingProtocols ||
				got != want {
				t.Errorf("%q is answered by %s %q", offered, a.Status, got)
			}
		}
	})
	for _, c := range []struct {
		name, form string
		send       []byte
		code       int
	}{
		{"C9.6 an invalid length", "flat", masked(fin|opBinary, []byte{7, 0, 0, 0}), 1002},
		{"C8, C19.7 an invalid message", "protobuf", masked(fin|opBinary, []byte{0x0a, 0xff}), 1002},
		{"C19 a text", "flat", masked(fin|opText, []byte("hello")), 1003},
		{"C19.9 more than 128 KiB", "protobuf", masked(fin|opBinary, make([]byte, 128<<10+1)), 1009},
		{"C19 the greatest timestamp, refused", "flat", masked(fin|opBinary,
			flat(t, crdt.Op{Kind: crdt.Put, Component: 7, Timestamp: crdt.MaxTimestamp})), 1008},
	} {
		t.Run(c.name+" ends the link", func(t *testing.T) {
			e := s.link(k, c.form)
			e.write(c.send)
			if code := e.closed(); code != c.code {
				t.Errorf("closed with %d, want %d", code, c.code)
			}
		})
	}
	// Clauses: C19.46, C19.50
	t.Run("C19 a table has 64 links at most, and a seat 16 with its streams", func(t *testing.T) {
		k := s.open("chess")
		var first *engine
		others := k
		for i := range 64 {
			if i > 0 && i%15 == 0 {
				others = s.join(k, k.Invites.Player, "Bot")
			}
			e := s.link(others, "flat")
			if i == 0 {
				first = e
			}
		}
		_, a := askLink(t, s.conn(), s.join(k, k.Invites.Player, "Bot"), "form=flat&compare=bytes")
		checkProblem(t, a, http.StatusServiceUnavailable, "busy")
		for i := range 2 { // the 16th and the 17th
			s.stream(k, fmt.Sprintf("q83vEjRWeJCrze8SNFZ4k%c", "AQ"[i]))
		}
		if code := first.closed(); code != 4001 {
			t.Errorf("S8 the first is closed with %d", code)
		}
	})
}

// flat returns an operation in flat form.
func flat(t *testing.T, op crdt.Op) []byte {
	t.Helper()
	b, err := crdt.AppendFlat(nil, &op)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestReplicas(t *testing.T) {
	s := newStack(t)
	for _, form := range []string{"flat", "protobuf"} {
		// Clauses: C11.3, C11.6, C19.11, C19.12
		t.Run("C19 two replicas and the page agree: "+form, func(t *testing.T) {
			ada := s.open("chess")
			bob := s.join(ada, ada.Invites.Player, "Bob")
			s.operate(ada, titled("Thursday", 1))
			host, guest := s.link(ada, form), s.link(bob, form)
			host.reads(host.has(0, schema.Title, 1, "Thursday"))
			guest.reads(guest.has(0, schema.Title, 1, "Thursday"))
			guest.puts(0, schema.Title, "Bob's")
			guest.reads(guest.has(0, schema.Title, 3, "Thursday"))
			host.puts(0, schema.Title, "Friday")
			guest.reads(guest.has(0, schema.Title, 4, "Friday"))
			guest.puts(schema.TheSheet, schema.Sheet, "points")
			host.reads(host.has(schema.TheSheet, schema.Sheet, 1, "points"))
			if stored := s.get(ada.api("/components"), ada.bearer()...).body; !strings.Contains(
				stored, "Friday") || !strings.Contains(stored, "points") {
				t.Errorf("stored is %q", stored)
			}
		})
	}
	t.Run("C9.5, C19.8 a flat link allows any division into messages", func(t *testing.T) {
		k := s.open("chess")
		e := s.link(k, "flat")
		title := titled("Sunday", 1)
		for _, b := range flat(t, title) {
			e.write(masked(fin|opBinary, []byte{b}))
		}
		other := s.link(k, "flat")
		other.reads(other.has(0, schema.Title, 1, "Sunday"))
	})
	t.Run("C15, C19.35 labels go with their piece", func(t *testing.T) {
		k := s.open("chess")
		e := s.link(k, "protobuf")
		const name = 12
		piece := schema.EntityOfPiece(name)
		e.puts(piece, schema.Label, "mine")
		var table struct {
			Epoch  uint64
			Pieces []struct{ ID, Mark uint64 }
		}
		s.get(k.api(""), k.bearer()...).json(t, &table)
		for _, p := range table.Pieces {
			if p.ID == name {
				batch := fmt.Sprintf(
					`{"client":%q,"epoch":%d,"updates":[{"seq":1,"piece":%d,"tag":%d,"op":"delete"}]}`, clientID,
					table.Epoch, name, p.Mark,
				)
				if a := s.post(k.api("/updates"),
					batch, k.bearer()...); a.StatusCode != http.StatusAccepted {
					t.Fatalf("%s %s", a.Status, a.body)
				}
			}
		}
		e.reads(func() bool { return e.replica.Deleted(piece) })
	})
	t.Run("C11, C19.19 a spectator reads, and their writes are corrected", func(t *testing.T) {
		ada := s.open("chess")
		s.operate(ada, titled("Monday", 3))
		e := s.link(s.join(ada, ada.Invites.Spectator, "Eve"), "flat")
		e.reads(e.has(0, schema.Title, 3, "Monday"))
		e.puts(schema.TheSheet, schema.Sheet, "mine")
		e.reads(e.has(schema.TheSheet, schema.Sheet, 2, ""))
	})
	// Clauses: C19.44, C20.7, C20.8
	t.Run("C19, C20 a digest is answered after the messages before it", func(t *testing.T) {
		k := s.open("chess")
		e := s.link(k, "protobuf")
		s.operate(k, titled("Tuesday", 1))
		op, err := e.replica.Put(schema.TheSheet, schema.Sheet,
			schema.Encode(&componentpb.Text{Text: "points"}))
		s.must(err)
		mine := crdt.New(crdt.Config{}).Digest()
		e.write(masked(fin|opBinary, crdt.AppendDigest([]byte(wireMessage(op)), &mine, true)))
		e.reads(func() bool { return e.digest != nil })
		if all := e.replica.Digest(); *e.digest != all {
			t.Error("the digests differ")
		}
	})
}

func TestSlowReplicas(t *testing.T) {
	t.Run("C19.49, S7 an engine that falls behind has to restart", func(t *testing.T) {
		virtual(t, func(t *testing.T, s *stack, p *pipes) {
			k := p.host(t, s)
			e := link(t, p.dial(), k, "protobuf")
			long := schema.Encode(&componentpb.Text{Text: strings.Repeat("x", 1000)})
			tells := link(t, p.dial(), k, "protobuf")
			for n := range uint32(1500) {
				tells.says(crdt.Op{Kind: crdt.Put, Entity: schema.EntityOfPiece(1),
					Component: schema.Remark, Timestamp: n + 1, Data: long})
				<-time.After(2 * time.Millisecond) // more than a tick
			}
			if code := e.closed(); code != 1013 {
				t.Errorf("closed with %d", code)
			}
		})
	})
	t.Run("C19.51 operations have the rate of updates, and a flood closes", func(t *testing.T) {
		virtual(t, func(t *testing.T, s *stack, p *pipes) {
			k := p.host(t, s)
			e := link(t, p.dial(), k, "flat")
			many := make([]crdt.Op, 9000)
			for i := range many {
				many[i] = crdt.Op{Kind: crdt.DeleteEntity, Entity: 40_000}
			}
			start := time.Now()
			e.says(many...)
			e.puts(schema.TheSheet, schema.Sheet, "points")
			other := link(t, p.dial(), k, "flat")
			other.reads(other.has(schema.TheSheet, schema.Sheet, 1, "points"))
			if took := time.Since(start); took < 2*time.Second || took > 4*time.Second {
				t.Errorf("9000 operations take %v", took)
			}
			e.says(many...)
			e.says(slices.Concat(many, many[:1900])...)
			if code := e.closed(); code != 1008 {
				t.Errorf("closed with %d", code)
			}
		})
	})
}
