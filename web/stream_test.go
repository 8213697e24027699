package web_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
)

const otherClientID = "r83vEjRWeJCrze8SNFZ4kA"

func TestStreamRefusals(t *testing.T) {
	s := newStack(t)
	host := s.open("chess")
	path := host.api("/stream?client=" + clientID)
	upgrade := header{"Connection", "keep-alive, Upgrade", "Upgrade", "websocket",
		"Sec-WebSocket-Version", "13",
		"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol", "holt.v1"}
	with := func(change ...string) header {
		h := append(header{}, upgrade...)
		for i := 0; i < len(h); i += 2 {
			if h[i] == change[0] {
				h[i+1] = change[1]
			}
		}
		return append(h, host.bearer()...)
	}
	for _, c := range []struct {
		name, path string
		header     header
		status     int
		code       string
	}{
		{"S1.4 no WebSocket", path, host.bearer(), 400, "malformed"},
		{"S1.5 no subprotocol", path, with("Sec-WebSocket-Protocol", "chat"), 400, "malformed"},
		{"S1 another version", path, with("Sec-WebSocket-Version", "8"), 400, "malformed"},
		{"S1 an invalid key", path, with("Sec-WebSocket-Key", "short"), 400, "malformed"},
		{"S1.4 no token", path, upgrade, 401, "no-seat"},
		{"S1.7 no client", host.api("/stream"), with("", ""), 400, "malformed"},
		{"S1 a client out of form", host.api("/stream?client=x"), with("", ""), 422,
			"impossible-value"},
		{"S1.9 seq is not a number", path + "&seq=x", with("", ""), 400, "malformed"},
		{"S1.10 seq is zero", path + "&seq=0", with("", ""), 422, "impossible-value"},
		{"S1.9 attempt is not a number", path + "&attempt=", with("", ""), 400, "malformed"},
		{"S1.10 attempt is too large", path + "&attempt=9007199254740992", with("", ""), 422,
			"impossible-value"},
		{"S1.10 attempt is far too large", path + "&attempt=99999999999999999999", with("", ""), 422,
			"impossible-value"},
		{"S1.8 a version without an epoch", path + "&mark=65536", with("", ""), 400, "malformed"},
		{"S1.8 an epoch without a version", path + "&epoch=1", with("", ""), 400, "malformed"},
		{"S1.10 a version of zero", path + "&epoch=1&mark=0", with("", ""), 422, "impossible-value"},
		{"S1.4 no such table", "/api/v1/tables/0123456789abcdef0123456789abcdef/stream?client=" +
			clientID, with("", ""), 404, "no-table"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkProblem(t, s.get(c.path, c.header...), c.status, c.code)
		})
	}
}

func TestStream(t *testing.T) {
	s := newStack(t)

	// Clauses: S1.1, S1.2, S2.2, S3.1
	t.Run("S5 the full state comes first, and an ack follows an update", func(t *testing.T) {
		k := s.open("chess")
		c := s.streamRaw(k, clientID)
		full := c.frame().GetEvents()[0].GetFull()
		if len(full.GetPieces()) < 33 || full.GetYou() != 1 || full.GetEpoch() == 0 {
			t.Fatalf("the full state of a chess table: %v", full)
		}
		a := s.post(k.api("/updates"), addBatch(full.GetEpoch(), 1), k.bearer()...)
		if a.StatusCode != http.StatusAccepted || strings.TrimSpace(a.body) != "{}" {
			t.Fatalf("update: %s %s", a.Status, a.body)
		}
		ack := c.ack()
		if ack.GetSeq() != 1 || ack.GetMade() == 0 {
			t.Errorf("ack: %v", ack)
		}
	})

	for _, c := range []struct {
		name string
		send []byte
		code int
	}{
		{"S9.2 an unmasked frame", []byte{fin | opBinary, 1, 0}, 1002},
		{"S9.6 a text message", masked(fin|opText, []byte("hello")), 1003},
		{"S9.3 garbage", masked(fin|opBinary, []byte{0xff, 0xff, 0xff}), 1002},
		{"S9.7 too large a message", masked(fin|opBinary, make([]byte, 4097)), 1009},
		{"S9.7 too large in pieces", bytes.Join([][]byte{
			masked(opBinary, make([]byte, 3000)), masked(fin|opContinuation, make([]byte, 3000)),
		}, nil), 1009},
		{"S9.2 a continuation of nothing", masked(fin|opContinuation, []byte{1}), 1002},
		{"S9.2 a reserved opcode", masked(fin|5, []byte{1}), 1002},
		{"S9.2 a reserved bit", masked(fin|0x40|opBinary, []byte{1}), 1002},
		{"S9.2 a ping in pieces", masked(opPing, []byte{1}), 1002},
		{"S9.2 a ping that is too long", masked(fin|opPing, make([]byte, 126)), 1002},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := s.stream(s.open("chess"), clientID)
			client.write(c.send)
			if code := client.closed(); code != c.code {
				t.Errorf("closed with %d, want %d", code, c.code)
			}
		})
	}

	t.Run("S9.12 resync, cut in pieces with a ping between them", func(t *testing.T) {
		c := s.stream(s.open("chess"), clientID)
		m := resync(t)
		c.write(masked(opBinary, m[:1]))
		c.write(masked(fin|opPing, []byte("between")))
		c.write(masked(fin|opContinuation, m[1:]))
		if op, payload := c.control(); op != opPong || string(payload) != "between" {
			t.Errorf("got opcode %d %q, want the pong", op, payload)
		}
		if full := c.frame().GetEvents()[0].GetFull(); full == nil {
			t.Error("no full state")
		}
	})

	t.Run("S1 a message that came with the handshake is not lost", func(t *testing.T) {
		k := s.open("chess")
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		s.must(err)
		early := masked(fin|opPing, []byte("early"))
		c, _, _ := dial(t, conn, k.api("/stream?client="+clientID), k.bearer(), early...)
		if op, payload := c.control(); op != opPong || string(payload) != "early" {
			t.Errorf("got opcode %d %q, want the pong", op, payload)
		}
	})

	t.Run("S8.1 a second stream of a client takes over", func(t *testing.T) {
		k := s.open("chess")
		first := s.stream(k, clientID)
		second := s.stream(k, clientID)
		third := s.stream(k, otherClientID)
		if code := first.closed(); code != 4001 {
			t.Errorf("the first was closed with %d", code)
		}
		second.write(masked(fin|opPing, nil))
		if op, _ := second.control(); op != opPong {
			t.Errorf("the second got opcode %d, want a pong", op)
		}
		third.write(masked(fin|opPing, nil))
		if op, _ := third.control(); op != opPong {
			t.Errorf("another client got opcode %d, want a pong", op)
		}
	})

	t.Run("S8.4 a bad handshake takes nothing over", func(t *testing.T) {
		k := s.open("chess")
		first := s.stream(k, clientID)
		checkProblem(t, s.get(k.api("/stream?client="+clientID), k.bearer()...), 400, "malformed")
		first.write(masked(fin|opPing, nil))
		if op, _ := first.control(); op != opPong {
			t.Errorf("got opcode %d, want a pong", op)
		}
	})

	t.Run("a client that closes gets its code back", func(t *testing.T) {
		c := s.stream(s.open("chess"), clientID)
		c.write(masked(fin|opClose, binary.BigEndian.AppendUint16(nil, 1000)))
		if op, payload := c.control(); op != opClose || binary.BigEndian.Uint16(payload) != 1000 {
			t.Errorf("got opcode %d % x", op, payload)
		}
		if _, _, err := c.tryMessage(); err == nil {
			t.Error("the connection is still open")
		}
	})

	t.Run("S1.2, S1.3 the cookie opens a stream from the server's own pages only", func(t *testing.T) {
		k := s.open("chess")
		cookie := "holt_" + k.Table + "=" + k.Token
		for origin, want := range map[string]int{s.URL: 101, "https://evil.example": 403,
			"": 403, "null": 403} {
			h := header{"Cookie", cookie}
			if origin != "" {
				h = append(h, "Origin", origin)
			}
			conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
			s.must(err)
			text := handshake(k.api("/stream?client="+clientID), strings.TrimPrefix(s.URL, "http://"),
				append(h, "Sec-WebSocket-Protocol", "holt.v1"))
			if got := statusOf(t, conn, text); got != want {
				t.Errorf("origin %q: %d, want %d", origin, got, want)
			}
		}
	})
}

// A program without a stream continues after a reject that it could not read, with a new client id
// (http.md).
func TestProgramWithoutStream(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	type piece struct {
		ID, Mark uint64
		X        int
	}
	read := func() (epoch uint64, last piece) {
		var view struct {
			Epoch  uint64
			Pieces []piece
		}
		s.get(k.api(""), k.bearer()...).json(t, &view)
		return view.Epoch, view.Pieces[len(view.Pieces)-1]
	}
	move := func(client string, seq, x int) {
		t.Helper()
		epoch, p := read()
		a := s.post(k.api("/updates"), fmt.Sprintf(`{"client":%q,"epoch":%d,`+
			`"updates":[{"seq":%d,"op":"move","piece":%d,"tag":%d,"x":%d,"y":0}]}`,
			client, epoch, seq, p.ID, p.Mark, x), k.bearer()...)
		if a.StatusCode != http.StatusAccepted {
			t.Fatal(a.Status, a.body)
		}
	}
	move(clientID, 1, 999_999) // off the table: T14
	move(clientID, 2, 123)
	if _, p := read(); p.X == 123 {
		t.Error("T14 recorded below the floor of a reject")
	}
	move(otherClientID, 1, 123)
	if _, p := read(); p.X != 123 {
		t.Errorf("the piece is at %d", p.X)
	}
}

func TestStreamsEndWithTheServer(t *testing.T) {
	s := newStack(t)
	c := s.stream(s.open("chess"), clientID)
	s.must(s.rooms.Shutdown(t.Context()))
	going := c.frame().GetEvents()[0].GetGoing()
	if going == nil || going.GetFinal() {
		t.Errorf("S2 no event before the end: %v", going)
	}
	if code := c.closed(); code != 1001 {
		t.Errorf("closed with %d, want 1001", code)
	}
	s.must(s.web.Shutdown(t.Context()))
}
