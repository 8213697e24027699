package web_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"google.golang.org/protobuf/proto"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
	"holt/web"
)

// wireMessage encodes operations as a message.
func wireMessage(ops ...crdt.Op) string {
	var b []byte
	for i := range ops {
		b = crdt.AppendOp(b, &ops[i])
	}
	return string(b)
}

func titled(text string, timestamp uint32) crdt.Op {
	return crdt.Op{Kind: crdt.Put, Entity: schema.TheTable, Component: schema.Title,
		Timestamp: timestamp, Data: schema.Encode(&componentpb.Text{Text: text})}
}

func TestComponents(t *testing.T) {
	s := newStack(t)
	ada := s.open("chess")
	bob := s.join(ada, ada.Invites.Player, "Bob")
	eve := s.join(ada, ada.Invites.Spectator, "Eve")
	const typ = "application/x-protobuf"
	operate := func(k seat, body string) answer {
		return s.post(s.components(k), body, append(k.bearer(), "Content-Type", typ)...)
	}
	t.Run("C8.8, C17.21 a label is read by everybody, and may be written again", func(t *testing.T) {
		sent := wireMessage(titled("Thursday", 1), titled("Friday", 2))
		for range 2 {
			if a := operate(ada, sent); a.StatusCode != http.StatusNoContent || a.body != "" {
				t.Fatalf("%s %s", a.Status, a.body)
			}
			for _, k := range []seat{ada, bob, eve} {
				a := s.get(ada.api("/components"), k.bearer()...)
				if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != typ ||
					a.Header.Get("Cache-Control") != "no-store" ||
					a.body != wireMessage(titled("Friday", 2)) {
					t.Errorf("%s %v %q", a.Status, a.Header, a.body)
				}
			}
		}
		if a := operate(ada, s.get(ada.api("/components"), ada.bearer()...).body+
			wireMessage(titled("Saturday", 3))); a.StatusCode != http.StatusNoContent {
			t.Errorf("two files, joined: %s %s", a.Status, a.body)
		}
	})
	t.Run("C11.2 spectators and strangers write nothing", func(t *testing.T) {
		checkProblem(t, operate(eve, wireMessage(titled("x", 1))), http.StatusForbidden, "role")
		checkProblem(t, s.post(s.components(ada), wireMessage(), "Content-Type", typ),
			http.StatusUnauthorized, "no-seat")
		checkProblem(t, s.get(ada.api("/components")), http.StatusUnauthorized, "no-seat")
	})
	// Clauses: C12.4, C12.6, C17.11, C17.12, C17.13, C17.19, C17.20
	t.Run("C10, C12 an invalid batch is refused completely", func(t *testing.T) {
		before := s.get(ada.api("/components"), ada.bearer()...).body
		good := wireMessage(titled("good", 9))
		empty := titled("", 10)
		empty.Data = []byte{}
		a := operate(ada, good+wireMessage(empty))
		checkProblem(t, a, http.StatusUnprocessableEntity, "impossible-value")
		if !strings.Contains(a.body, "Title") || !strings.Contains(a.body, `"update":1`) {
			t.Errorf("it does not name it: %s", a.body)
		}
		checkProblem(t, operate(ada, good+"\x0a\xff\x01"), http.StatusBadRequest, "malformed")
		checkProblem(t, operate(ada, strings.Repeat(good, 1001)),
			http.StatusRequestEntityTooLarge, "too-large")
		checkProblem(t, operate(ada, string(bytes.Repeat([]byte{0x78, 1}, 140<<10))),
			http.StatusRequestEntityTooLarge, "too-large")
		checkProblem(t, s.post(s.components(ada)+"&client=me", good,
			append(ada.bearer(), "Content-Type", typ)...), http.StatusBadRequest, "malformed")
		checkProblem(t, s.post(s.components(ada), good, append(ada.bearer(), "Content-Type",
			"application/json")...), http.StatusUnsupportedMediaType, "content-type")
		for _, c := range []struct {
			query  string
			status int
			code   string
		}{
			{"", http.StatusBadRequest, "malformed"},
			{"?epoch=1", http.StatusBadRequest, "malformed"},
			{"?mark=65536", http.StatusBadRequest, "malformed"},
			{"?epoch=1&mark=x", http.StatusBadRequest, "malformed"},
			{"?epoch=0&mark=65536", http.StatusUnprocessableEntity, "impossible-value"},
			// The epoch is random, so it is not 1.
			{"?epoch=1&mark=65536", http.StatusConflict, "epoch"},
			{strings.Replace(strings.TrimPrefix(s.components(ada), ada.api("/components")),
				"mark=", "mark=9", 1), http.StatusUnprocessableEntity, "tag-from-the-future"},
		} {
			checkProblem(t, s.post(ada.api("/components")+c.query, good,
				append(ada.bearer(), "Content-Type", typ)...), c.status, c.code)
		}
		if after := s.get(ada.api("/components"), ada.bearer()...).body; after != before {
			t.Errorf("something of it counts: %q", after)
		}
	})
	t.Run("C11.5, C17.7 the stream of the named client gets the refusals", func(t *testing.T) {
		const client = "q83vEjRWeJCrze8SNFZ4kA"
		ws := s.stream(bob, client)
		if a := s.post(s.components(bob)+"&client="+client, wireMessage(titled("Bob's", 9)),
			append(bob.bearer(), "Content-Type", typ)...); a.StatusCode != http.StatusNoContent {
			t.Fatalf("%s %s", a.Status, a.body)
		}
		for {
			for _, e := range ws.frame().GetEvents() {
				if r := e.GetRefused(); r != nil {
					if r.GetComponent() != schema.Title || r.GetTimestamp() != 9 ||
						r.GetReason() != 1 {
						t.Errorf("%v", r)
					}
					return
				}
			}
		}
	})
}

func TestTooManyQuestions(t *testing.T) {
	t.Run("C18 a question about all pieces counts as fifty updates", func(t *testing.T) {
		s := newStack(t, func(cfg *web.Config) {
			cfg.Limits.Updates = web.Rate{PerSecond: 0.001, Burst: 120}
		})
		ada := s.open("chess")
		ask := func(number uint32, m proto.Message) answer {
			op := crdt.Op{Kind: crdt.Put, Entity: schema.EntityOfSeat(1), Component: number,
				Timestamp: 1, Data: schema.Encode(m)}
			return s.post(s.components(ada), wireMessage(op),
				append(ada.bearer(), "Content-Type", "application/x-protobuf")...)
		}
		for range 2 {
			if a := ask(schema.HitTest,
				&componentpb.HitTest{}); a.StatusCode != http.StatusNoContent {
				t.Fatalf("%s %s", a.Status, a.body)
			}
		}
		checkProblem(t, ask(schema.HitTest, &componentpb.HitTest{}),
			http.StatusTooManyRequests, "too-fast")
		if a := ask(schema.Measure, &componentpb.Measure{From: &componentpb.Spot{},
			To: &componentpb.Spot{}}); a.StatusCode != http.StatusNoContent {
			t.Errorf("a cheap one: %s %s", a.Status, a.body)
		}
	})
}

// slowRooms has tables whose operations on components become durable when the channel is closed.
type slowRooms struct {
	web.Rooms
	durable chan struct{}
}

func (r slowRooms) Operate(ctx context.Context, s room.Session, m room.Operations) error {
	<-r.durable
	return r.Rooms.Operate(ctx, s, m)
}

func TestOperationsWaitForTheDisk(t *testing.T) {
	t.Run("C17.15 operations are answered by 204 when they are durable", func(t *testing.T) {
		var durable chan struct{}
		virtualWith(t, func(c *web.Config) {
			durable = make(chan struct{}) // in the bubble
			c.Rooms = slowRooms{c.Rooms, durable}
		},
			func(t *testing.T, s *stack, p *pipes) {
				k := p.host(t, s)
				state := httptest.NewRecorder()
				s.web.ServeHTTP(state, s.request(http.MethodGet, k.api(""), "",
					append(k.bearer(), "Host", "holt.test")))
				var at struct{ Epoch, Mark uint64 }
				answer{state.Result(), state.Body.String()}.json(t, &at)
				r := s.request(http.MethodPost,
					fmt.Sprintf("%s?epoch=%d&mark=%d", k.api("/components"), at.Epoch, at.Mark),
					wireMessage(titled("Thursday", 1)),
					append(k.bearer(), "Host", "holt.test", "Content-Type", "application/x-protobuf"))
				w := httptest.NewRecorder()
				answered := make(chan struct{})
				go func() {
					defer close(answered)
					s.web.ServeHTTP(w, r)
				}()
				synctest.Wait()
				select {
				case <-answered:
					t.Errorf("it is answered before: %d", w.Code)
				default:
				}
				close(durable)
				<-answered
				if w.Code != http.StatusNoContent || w.Body.Len() > 0 {
					t.Errorf("the answer is %d %s", w.Code, w.Body)
				}
			})
	})
}
