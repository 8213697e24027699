package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/web"
)

func TestMessagesOfBridges(t *testing.T) {
	s := newStack(t)
	for _, form := range []string{"flat", "protobuf"} {
		// Clauses: C19.6
		t.Run("C19.6 all messages of a bridge are binary, in its form: "+form, func(t *testing.T) {
			k := s.open("chess")
			s.operate(k, titled("Thursday", 1))
			e := s.link(k, form)
			e.reads(e.has(0, schema.Title, 1, "Thursday")) // it fails on another opcode or form
			e.puts(schema.TheSheet, schema.Sheet, "points")
			other := s.link(k, form)
			other.reads(other.has(schema.TheSheet, schema.Sheet, 1, "points"))
			e.write(masked(fin|opText, flat(t, titled("Friday", 2))))
			if code := e.closed(); code != 1003 {
				t.Errorf("a text closes it with %d", code)
			}
			if title := schema.Encode(&componentpb.Text{Text: "Friday"}); strings.Contains(
				s.get(k.api("/components"), k.bearer()...).body, string(title)) {
				t.Error("the text counts")
			}
		})
	}
}

func TestBridgesAfterEachOther(t *testing.T) {
	s := newStack(t)
	for _, form := range []string{"flat", "protobuf"} {
		// Clauses: C19.14, C19.15, C19.16
		t.Run("C19.14, C19.15, C19.16 a replica comes back with nothing: "+form, func(t *testing.T) {
			ada := s.open("chess")
			bob := s.join(ada, ada.Invites.Player, "Bob")
			s.operate(ada, titled("Thursday", 1))
			first := s.link(bob, form)
			first.reads(first.has(0, schema.Title, 1, "Thursday"))
			first.puts(0, schema.Title, "Bob's")
			first.reads(first.has(0, schema.Title, 3, "Thursday")) // this bridge raises it by 2
			unsent := schema.Encode(&componentpb.Text{Text: "points"})
			if _, err := first.replica.Put(schema.TheSheet, schema.Sheet, unsent); err != nil {
				t.Fatal(err)
			}
			_ = first.conn.Close()
			second := s.link(bob, form)
			second.reads(second.has(0, schema.Title, 1, "Thursday"))
			if n := second.replica.Timestamp(schema.TheSheet, schema.Sheet); n != 0 {
				t.Errorf("what was not sent is there, with the timestamp %d", n)
			}
			second.puts(schema.TheSheet, schema.Sheet, "points")
			s.operate(ada, titled("Friday", 2))
			second.reads(second.has(0, schema.Title, 2, "Friday"))
			other := s.link(ada, form)
			other.reads(other.has(schema.TheSheet, schema.Sheet, 1, "points"))
		})
	}
}

func TestCorrectionsAreForOneBridge(t *testing.T) {
	s := newStack(t)
	t.Run("C19.25 no other client notices a correction", func(t *testing.T) {
		ada := s.open("chess")
		bob := s.join(ada, ada.Invites.Player, "Bob")
		s.operate(ada, titled("Thursday", 1))
		wrong, other := s.link(bob, "flat"), s.link(bob, "flat")
		other.reads(other.has(0, schema.Title, 1, "Thursday"))
		wrong.reads(wrong.has(0, schema.Title, 1, "Thursday"))
		page := s.stream(bob, clientID)
		wrong.puts(0, schema.Title, "Bob's")
		wrong.reads(wrong.has(0, schema.Title, 3, "Thursday"))
		s.operate(ada, titled("Friday", 2))
		other.reads(func() bool {
			if n := other.replica.Timestamp(0, schema.Title); n > 2 {
				t.Fatalf("another bridge gets the title with the timestamp %d", n)
			}
			return other.has(0, schema.Title, 2, "Friday")()
		})
		for {
			for _, e := range page.frame().GetEvents() {
				if e.GetRefused() != nil {
					t.Fatalf("a stream of the seat gets %v", e)
				}
				if b := e.GetComponents(); b != nil {
					if string(b) != wireMessage(titled("Friday", 2)) {
						t.Errorf("the stream gets %x", b)
					}
					return
				}
			}
		}
	})
}

func TestIdentitiesStayOnTheirBridge(t *testing.T) {
	s := newStack(t)
	t.Run("C19.42 an Identity goes nowhere but to its bridge", func(t *testing.T) {
		k := s.open("chess")
		e := s.link(k, "flat")
		var piece crdt.Entity
		e.reads(func() bool {
			for op := range e.replica.Ops() {
				if op.Component == schema.Identity {
					piece = op.Entity
				}
			}
			return piece != 0
		})
		data, _ := e.replica.Get(piece, schema.Identity)
		page := s.stream(k, clientID)
		other := s.link(k, "protobuf")
		e.says(crdt.Op{Kind: crdt.Put, Entity: piece, Component: schema.Identity, Timestamp: 9,
			Data: data})
		e.puts(schema.TheSheet, schema.Sheet, "points")
		other.reads(other.has(schema.TheSheet, schema.Sheet, 1, "points"))
		for op := range other.replica.Ops() {
			if op.Component == schema.Identity {
				t.Errorf("a bridge of protobuf form gets %+v", op)
			}
		}
		sheet := crdt.Op{Kind: crdt.Put, Entity: schema.TheSheet, Component: schema.Sheet,
			Timestamp: 1, Data: schema.Encode(&componentpb.Text{Text: "points"})}
		if stored := s.get(k.api("/components"), k.bearer()...).body; stored != wireMessage(sheet) {
			t.Errorf("stored is %q", stored)
		}
		for {
			for _, event := range page.frame().GetEvents() {
				if b := event.GetComponents(); b != nil {
					if string(b) != wireMessage(sheet) {
						t.Errorf("a stream gets %q", b)
					}
					return
				}
			}
		}
	})
}

func TestBridgesAreStreams(t *testing.T) {
	t.Run("C19.45 a bridge counts for the presence of its seat", func(t *testing.T) {
		s := newStack(t)
		ada := s.open("chess")
		page := s.stream(ada, clientID)
		bob := s.join(ada, ada.Invites.Player, "Bob")
		// until reads frames until others see that Bob has this presence.
		until := func(want holtpb.Presence) {
			t.Helper()
			for {
				for _, e := range page.frame().GetEvents() {
					if b := e.GetSeat(); b.GetNick() == "Bob" && b.GetPresence() == want {
						return
					}
				}
			}
		}
		until(holtpb.Presence_PRESENCE_GONE)
		e := s.link(bob, "flat")
		until(holtpb.Presence_PRESENCE_HERE)
		_ = e.conn.Close()
		until(holtpb.Presence_PRESENCE_LOST)
	})
	t.Run("C19.47 a bridge counts among the streams opened in a time", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) {
			c.Limits.Streams = web.Rate{PerSecond: 0.001, Burst: 3}
		})
		k := s.open("chess")
		s.link(k, "flat")
		s.stream(k, clientID)
		s.link(k, "protobuf")
		_, a := askLink(t, s.conn(), k, "form=flat&compare=bytes")
		checkProblem(t, a, http.StatusTooManyRequests, "too-fast")
		_, a = askLink(t, s.conn(), s.join(k, k.Invites.Player, "Bob"), "form=flat&compare=bytes")
		if a.StatusCode != http.StatusSwitchingProtocols {
			t.Errorf("another seat gets %s", a.Status)
		}
	})
	t.Run("C19.48 a bridge has the keepalive of a stream", func(t *testing.T) {
		virtual(t, func(t *testing.T, s *stack, p *pipes) {
			e := link(t, p.dial(), p.host(t, s), "protobuf")
			start := time.Now()
			op, payload := e.control()
			if after := time.Since(start); op != opPing || after < 15*time.Second ||
				after > 16*time.Second {
				t.Fatalf("opcode %d after %v", op, after)
			}
			e.write(masked(fin|opPong, payload))
			if op, _ = e.control(); op != opPing {
				t.Fatalf("opcode %d", op)
			}
			asked := time.Now()
			if code := e.closed(); code != 4000 {
				t.Errorf("without an answer it is closed with %d", code)
			}
			if after := time.Since(asked); after < 10*time.Second || after > 11*time.Second {
				t.Errorf("it is closed %v after the ping", after)
			}
		})
	})
}

// countingRooms has tables whose operations become durable when the channel is closed.
type countingRooms struct {
	web.Rooms
	began   chan struct{} // gets a value when operations have come
	durable chan struct{}
}

func (r countingRooms) Operate(ctx context.Context, s room.Session, m room.Operations) error {
	r.began <- struct{}{}
	<-r.durable
	return r.Rooms.Operate(ctx, s, m)
}

func TestBridgesWaitForTheDisk(t *testing.T) {
	t.Run("C19.52 no more of a bridge is read until operations are durable", func(t *testing.T) {
		var rooms countingRooms
		virtualWith(t, func(c *web.Config) {
			rooms = countingRooms{c.Rooms, make(chan struct{}, 4), make(chan struct{})}
			c.Rooms = rooms
		}, func(t *testing.T, s *stack, p *pipes) {
			e := link(t, p.dial(), p.host(t, s), "protobuf")
			sent := make(chan struct{})
			go func() {
				defer close(sent)
				for n := range uint32(3) {
					e.write(masked(fin|opBinary, []byte(wireMessage(titled("Thursday", n+1)))))
				}
				// too large for what the server reads ahead
				e.write(masked(fin|opBinary, []byte(wireMessage(crdt.Op{Kind: crdt.Put,
					Entity: schema.TheSheet, Component: schema.Sheet, Timestamp: 1,
					Data: make([]byte, 60_000)}))))
			}()
			synctest.Wait()
			if n := len(rooms.began); n != 1 {
				t.Errorf("%d messages were taken", n)
			}
			select {
			case <-sent:
				t.Error("all was read")
			default:
			}
			close(rooms.durable)
			for range 3 {
				<-rooms.began
			}
			<-sent
		})
	})
}

func TestEndsOfBridges(t *testing.T) {
	s := newStack(t) // the last row stops it
	for _, c := range []struct {
		what   string
		end    func(s *stack, host, k seat, e *engine)
		code   int
		status int // of the attempt to come back
	}{
		{"an invalid message", func(_ *stack, _, _ seat, e *engine) {
			e.write(masked(fin|opBinary, []byte{7, 0, 0, 0}))
		}, 1002, http.StatusSwitchingProtocols},
		{"a text", func(_ *stack, _, _ seat, e *engine) {
			e.write(masked(fin|opText, []byte("hello")))
		}, 1003, http.StatusSwitchingProtocols},
		{"a large message", func(_ *stack, _, _ seat, e *engine) {
			e.write(masked(fin|opBinary, make([]byte, 128<<10+1)))
		}, 1009, http.StatusSwitchingProtocols},
		{"the greatest timestamp, refused", func(_ *stack, _, _ seat, e *engine) {
			e.says(crdt.Op{Kind: crdt.Put, Component: 7, Timestamp: crdt.MaxTimestamp})
		}, 1008, http.StatusSwitchingProtocols},
		{"16 later streams of the seat", func(s *stack, _, k seat, _ *engine) {
			for range 16 {
				s.link(k, "flat")
			}
		}, 4001, http.StatusSwitchingProtocols},
		{"the seat ends", func(s *stack, _, k seat, _ *engine) {
			if a := s.endSeat(k, "me", "", k.bearer()...); a.StatusCode != http.StatusNoContent {
				s.Fatal(a.Status, a.body)
			}
		}, 4002, http.StatusUnauthorized},
		{"the table is deleted", func(s *stack, host, _ seat, _ *engine) {
			if a := s.do(s.request(http.MethodDelete, host.api(""), "", host.bearer()),
				nil); a.StatusCode != http.StatusNoContent {
				s.Fatal(a.Status, a.body)
			}
		}, 4004, http.StatusGone},
		{"the server stops", func(s *stack, _, _ seat, _ *engine) {
			s.must(s.rooms.Shutdown(s.Context()))
		}, 1001, http.StatusServiceUnavailable},
	} {
		// Clauses: C19.53, C19.54
		t.Run("C19.53, C19.54 "+c.what+" ends a bridge", func(t *testing.T) {
			ada := s.open("chess")
			bob := s.join(ada, ada.Invites.Player, "Bob")
			e := s.link(bob, "flat")
			c.end(s, ada, bob, e)
			if code := e.closed(); code != c.code {
				t.Errorf("it is closed with %d, want %d", code, c.code)
			}
			if _, a := askLink(t, s.conn(), bob, "form=flat&compare=bytes"); a.StatusCode != c.status {
				t.Errorf("who comes back gets %s", a.Status)
			}
		})
	}
}
