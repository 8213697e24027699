package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
)

// TestDatagrams shows that a stream by datagrams behaves as one by WebSocket, and how it survives
// losses, silence and restarts of the server.
func TestDatagrams(t *testing.T) {
	for _, by := range []Transport{Datagrams, PlainUDP} {
		atHarbour(t, fmt.Sprintf("D30.10, D31, D36 a stream by %v", by), func(t *testing.T, h *harbour) {
			c, events, leave := h.travels(t, by)
			v := <-h.arrived
			if q := v.query; q.Get("client") != (id.Client{1}).String() ||
				q.Get("attempt") != "1" || q.Has("mark") {
				t.Errorf("opened by %v", q)
			}
			v.says(frame(20, full(epoch, at(1, 10, 0, 0), at(2, 20, 50, 50))))
			v.says(frame(
				40, update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 1, Mark: 30, X: new(int32(3))}),
				update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 2, Mark: 40, X: new(int32(7))}),
			))
			if view := c.View(); view.Version != 40 || len(view.Pieces) != 2 ||
				view.Pieces[0].X != 3 || view.Pieces[1].X != 7 {
				t.Errorf("it displays %+v", view)
			}
			c.SetAway(t.Context(), true)
			if err := errors.Join(
				c.Carry(t.Context(), 0, Place{Piece: 1, X: 4}), c.Point(t.Context(), 0, 5, 6),
			); err != nil {
				t.Error(err)
			}
			c.SetAway(t.Context(), false)
			var aways []bool
			motions, cursors, pings := 0, 0, 0
			for _, up := range v.heard() {
				switch {
				case up.GetAway() != nil:
					aways = append(aways, up.GetAway().GetAway())
				case up.GetMotion() != nil:
					motions++
				case up.GetCursor() != nil:
					cursors++
				case up.GetPing() != nil:
					pings++
				}
			}
			if !slices.Equal(aways, []bool{true, false}) || motions != 1 || cursors != 1 ||
				pings == 0 {
				t.Errorf("it sends %v, %d times motion, %d cursors, %d pings",
					aways, motions, cursors, pings)
			}
			if got := events.opened(); !slices.Equal(got, []Transport{by}) {
				t.Errorf("streams came by %v", got)
			}
			if err := leave(); !errors.Is(err, context.Canceled) {
				t.Errorf("Run returned %v", err)
			}
			if err := <-v.ended; !errors.Is(err, stream.ErrLeft) {
				t.Errorf("the stream that was left ended with %v", err)
			}
		})
	}
	atHarbour(t, "D35, S5 a cut stream resumes where all was known", func(t *testing.T, h *harbour) {
		c, _, _ := h.travels(t, Datagrams)
		v := <-h.arrived
		v.says(frame(20, full(epoch, at(1, 10, 0, 0))))
		c.Cut(time.Second)
		if err := <-v.ended; err == nil || errors.Is(err, stream.ErrLeft) {
			t.Errorf("the stream that was cut ended with %v", err)
		}
		v = <-h.arrived
		if q := v.query; q.Get("attempt") != "2" || q.Get("mark") != "20" ||
			q.Get("epoch") != "77" {
			t.Errorf("opened by %v", q)
		}
	})
	atHarbour(t, "D36.1 messages to the server stay in order", func(t *testing.T, h *harbour) {
		c, _, _ := h.travels(t, PlainUDP)
		v := <-h.arrived
		v.says(frame(20, full(epoch)))
		h.delay(100 * time.Millisecond)
		c.SetAway(t.Context(), true)
		<-time.After(time.Millisecond)
		h.delay(0)
		c.SetAway(t.Context(), false)
		var aways []bool
		for _, up := range v.heard() {
			if a := up.GetAway(); a != nil {
				aways = append(aways, a.GetAway())
			}
		}
		if !slices.Equal(aways, []bool{true, false}) {
			t.Errorf("the server gets %v", aways)
		}
	})
	atHarbour(t, "D36.3 motion of many pieces arrives in parts", func(t *testing.T, h *harbour) {
		c, _, _ := h.travels(t, Datagrams)
		v := <-h.arrived
		v.says(frame(20, full(epoch, at(1, 10, 0, 0))))
		var places []Place
		for i := range id.Piece(450) {
			places = append(places, Place{Piece: 2_000_000 + i, X: -900_000, Y: 900_000})
		}
		if err := c.Carry(t.Context(), 1780000000000, places...); err != nil {
			t.Fatal(err)
		}
		var got []Place
		for _, up := range v.heard() {
			m := up.GetMotion()
			if n := len(m.GetPieces()); n > 50 {
				t.Errorf("%d pieces in one message", n)
			}
			for i, p := range m.GetPieces() {
				got = append(got, Place{id.Piece(p), m.GetX()[i], m.GetY()[i]})
			}
		}
		// Messages without dependencies arrive in any order.
		slices.SortFunc(got, func(a, b Place) int { return int(a.Piece) - int(b.Piece) })
		if !slices.Equal(got, places) {
			t.Errorf("%d places arrive of %d", len(got), len(places))
		}
	})
	atHarbour(t, "D21 a program uses another path when one is dead", func(t *testing.T, h *harbour) {
		c, events, _ := h.travels(t, Datagrams)
		v := <-h.arrived
		v.says(frame(20, full(epoch, at(1, 10, 0, 0))))
		h.freeze(true)
		v.says(frame(
			30, update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 1, Mark: 30, X: new(int32(3))}),
		))
		<-time.After(7 * time.Second) // by then the client has given up the path
		h.freeze(false)
		<-time.After(3 * time.Second)
		if view := c.View(); view.Version != 30 || len(events.opened()) != 1 ||
			h.listener.Counts().Resumed == 0 {
			t.Errorf("it displays %+v; streams came by %v; the listener counts %+v",
				view, events.opened(), h.listener.Counts())
		}
	})
	atHarbour(t, "D21 a program reconnects when the server forgot it", func(t *testing.T, h *harbour) {
		_, events, _ := h.travels(t, PlainUDP)
		v := <-h.arrived
		v.says(frame(20, full(epoch)))
		heard := time.Now()
		h.freeze(true)
		v.client.Abort(stream.CodeInternal, "") // the close does not reach the client
		<-time.After(5 * time.Second)
		h.freeze(false)
		v = <-h.arrived
		if took := time.Since(heard); took > 8*time.Second {
			t.Errorf("it took %v", took)
		}
		v.says(frame(30, resumed()))
		if by := events.opened(); len(by) != 2 {
			t.Errorf("streams came by %v", by)
		}
	})
	// Clauses: D21.11, D21.13
	atHarbour(t, "D21 a program comes back to a restarted server", func(t *testing.T, h *harbour) {
		c, events, _ := h.travels(t, Datagrams)
		v := <-h.arrived
		v.says(frame(20, full(epoch, at(1, 10, 0, 0))))
		h.freeze(true)
		h.end(0)
		h.begin()
		h.freeze(false)
		begun := time.Now()
		c.SetAway(t.Context(), true) // any message will do
		v = <-h.arrived
		if took := time.Since(begun); took > 500*time.Millisecond {
			t.Errorf("it took %v", took)
		}
		v.says(frame(30, resumed()))
		if got := events.opened(); !slices.Equal(got, []Transport{Datagrams, Datagrams}) {
			t.Errorf("streams came by %v", got)
		}
	})
	atHarbour(t, "D29 a refusal by the server is a problem", func(t *testing.T, h *harbour) {
		c, _, leave := h.travels(t, Datagrams)
		for range 6 {
			v := <-h.arrived
			v.says(frame(20, full(epoch)))
			c.Cut(0)
		}
		<-time.After(time.Second) // the server refuses the seventh attempt
		err := leave()
		var p *Problem
		if !errors.As(err, &p) || p.Code != "role" || p.Status != http.StatusForbidden {
			t.Errorf("Run returned %v", err)
		}
	})
	atHarbour(t, "S8, D29 a closed client does not come back", func(t *testing.T, h *harbour) {
		_, _, leave := h.travels(t, Datagrams)
		v := <-h.arrived
		v.says(frame(20, full(epoch)))
		v.client.Close(nil, stream.CodeTakenOver, "another stream took over")
		<-time.After(time.Second)
		if err := leave(); !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "4001") {
			t.Errorf("Run returned %v", err)
		}
	})
	in(t, "D30 a datagrams-only client learns of none", func(t *testing.T, b *booth) {
		c, err := New(Config{
			Server: b.server, Seat: Seat{Table: "ab", Token: "T"}, Transport: Datagrams,
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Run(t.Context()); !errors.Is(err, ErrNoDatagrams) {
			t.Errorf("Run returned %v", err)
		}
	})
}

// TestAuto shows how a client chooses between datagrams and a WebSocket, and how it changes over
// when a line goes silent (D38).
func TestAuto(t *testing.T) {
	// Clauses: D38.9, D38.10
	atHarbour(t, "D38 datagrams where they are available", func(t *testing.T, h *harbour) {
		_, events, _ := h.travels(t, Auto)
		v := <-h.arrived
		v.says(frame(20, full(epoch)))
		<-time.After(time.Minute)
		if got := events.opened(); !slices.Equal(got, []Transport{Datagrams}) {
			t.Errorf("streams came by %v", got)
		}
	})
	in(t, "D38 a WebSocket where they are not", func(t *testing.T, b *booth) {
		h := &harbour{booth: b, water: &water{}}
		c, events, _ := h.travels(t, Auto)
		b.visited().says(frame(20, full(epoch)))
		c.Cut(10 * time.Minute)
		b.visited().says(frame(20, resumed()))
		if got := events.opened(); !slices.Equal(got, []Transport{WebSocket, WebSocket}) ||
			!c.transportChoice.never {
			t.Errorf("streams came by %v", got)
		}
	})
	// Clauses: D38.13
	atHarbour(t, "D38 without UDP a WebSocket follows the head start", func(t *testing.T, h *harbour) {
		h.freeze(true)
		begun := time.Now()
		_, events, _ := h.travels(t, Auto)
		ws := h.visited()
		ws.says(frame(20, full(epoch)))
		if took := time.Since(begun); took != headStart {
			t.Errorf("it took %v", took)
		}
		if got := ws.query.Get("attempt"); got != "1" {
			t.Errorf("the WebSocket is attempt %s, and the server has seen none", got)
		}
		if got := events.opened(); !slices.Equal(got, []Transport{WebSocket}) {
			t.Errorf("streams came by %v", got)
		}
	})
	atHarbour(t, "D38 without UDP nobody waits for the head start", func(t *testing.T, h *harbour) {
		begun := time.Now()
		c, err := New(Config{
			Server: h.server, Seat: Seat{Table: "ab", Token: "T"}, Client: id.Client{1},
			Transport: Auto,
			Socket:    func() (net.PacketConn, error) { return nil, errors.New("not permitted") },
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() { over <- c.Run(ctx) }()
		h.visited().says(frame(20, full(epoch)))
		if took := time.Since(begun); took != 0 {
			t.Errorf("it took %v", took)
		}
		cancel()
		<-over
	})
	// Clauses: D38.10, D38.12, D38.13
	atHarbour(t, "D38 the faster transport alone has the stream", func(t *testing.T, h *harbour) {
		for _, row := range []struct {
			name string
			late time.Duration // delay of packets
			slow time.Duration // delay of answers to a request for a WebSocket
			want Transport
		}{
			{"packets take 100 ms", 100 * time.Millisecond, 0, Datagrams},
			{
				"QUIC takes longer than the head start, the WebSocket even longer",
				200 * time.Millisecond, time.Second, Datagrams,
			},
			{
				"QUIC takes longer than both", 400 * time.Millisecond, 100 * time.Millisecond,
				WebSocket,
			},
			{"UDP is dead and the WebSocket slow", time.Hour, 5 * time.Second, WebSocket},
		} {
			h.delay(row.late)
			h.slow = row.slow
			_, events, leave := h.travels(t, Auto)
			<-time.After(10 * time.Second)
			if got := events.opened(); !slices.Equal(got, []Transport{row.want}) {
				t.Errorf("%s: streams came by %v", row.name, got)
			}
			if streams := len(h.arrived) + len(h.opened); streams != 1 {
				t.Errorf("%s: the server has seen %d streams", row.name, streams)
			}
			for len(h.arrived) > 0 {
				<-h.arrived
			}
			for len(h.opened) > 0 {
				<-h.opened
			}
			_ = leave()
		}
	})
	atHarbour(t, "D38 a refusal by WebSocket ends the wait for QUIC", func(t *testing.T, h *harbour) {
		h.freeze(true)
		h.refuse = http.StatusForbidden
		begun := time.Now()
		_, _, leave := h.travels(t, Auto)
		<-time.After(headStart + time.Millisecond)
		err := leave()
		var p *Problem
		if !errors.As(err, &p) || p.Status != http.StatusForbidden ||
			time.Since(begun) > 2*headStart {
			t.Errorf("after %v Run returned %v", time.Since(begun), err)
		}
	})
	atHarbour(t, "D38 a silent line becomes a WebSocket within 2 s", func(t *testing.T, h *harbour) {
		c, events, _ := h.travels(t, Auto)
		v := <-h.arrived
		v.says(frame(20, full(epoch, at(1, 10, 0, 0))))
		h.freeze(true)
		begun := time.Now()
		ws := h.visited()
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("it took %v", took)
		}
		if q := ws.query; q.Get("mark") != "20" || q.Get("attempt") != "2" {
			t.Errorf("opened by %v", q)
		}
		ws.says(frame(30, resumed()))
		h.freeze(false)
		c.Cut(datagramsAgain[0])
		v = <-h.arrived
		v.says(frame(30, resumed()))
		if got := events.opened(); !slices.Equal(got,
			[]Transport{Datagrams, WebSocket, Datagrams}) {
			t.Errorf("streams came by %v", got)
		}
		if err := ws.ended; len(err) > 0 && websocket.CloseStatus(<-err) != -1 {
			t.Error("the WebSocket was not cut")
		}
	})
}

// TestChoosing shows when datagrams are tried again after a failure (D38).
func TestChoosing(t *testing.T) {
	t.Run("D38 datagrams are retried after one minute, after five, then never", func(t *testing.T) {
		var h transportChoice
		now := time.Duration(0)
		for _, wait := range datagramsAgain {
			if !h.datagrams(now) {
				t.Fatalf("they are not tried at %v", now)
			}
			h.failed(now, 0)
			if h.datagrams(now + wait - 1) {
				t.Errorf("they are tried before %v are over", wait)
			}
			now += wait
		}
		h.failed(now, 0)
		if h.datagrams(now + 1000*time.Hour) {
			t.Error("they are retried forever")
		}
	})
	t.Run("D38 a line that worked for a minute has not failed for good", func(t *testing.T) {
		h := transportChoice{failures: 2}
		h.failed(0, datagramsWorked)
		if h.datagrams(datagramsAgain[0]-1) || !h.datagrams(datagramsAgain[0]) {
			t.Errorf("%+v", h)
		}
	})
}

// TestTransports shows that transports and their names correspond.
func TestTransports(t *testing.T) {
	for of, name := range transportNames {
		got, err := ParseTransport(name)
		if err != nil || got != Transport(of) || got.String() != name {
			t.Errorf("%q is %v: %v", name, got, err)
		}
		var read Transport
		if text, err := got.MarshalText(); err != nil || read.UnmarshalText(text) != nil ||
			read != got {
			t.Errorf("%q as text is %q, read as %v", name, text, read)
		}
	}
	if got, err := ParseTransport("pigeon"); err == nil {
		t.Errorf("pigeons carry %v", got)
	}
	if got := Transport(9).String(); got != "unknown" {
		t.Errorf("an unknown one is %q", got)
	}
}
