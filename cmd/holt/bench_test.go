package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"holt/server/bench"
	"holt/server/client"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// running is a server in this process, as holt serve runs it.
type running struct {
	url    string
	stop   context.CancelFunc
	status chan int
	log    *bytes.Buffer // read after the server has stopped
}

// startServer serves the data directory dir until stop is called or the test ends. listen is its
// address, or "" for a free port. flags are further flags of holt serve.
func startServer(t *testing.T, dir, listen string, flags ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r := &running{stop: stop, status: make(chan int, 1), log: &bytes.Buffer{}}
	out, in := io.Pipe()
	std := streams{In: strings.NewReader(""), Out: in, Err: r.log}
	go func() {
		args := append([]string{"serve", "--listen", listen, "--data", dir, "--log-format", "json",
			"--log-level", "warn", "--compress", "late"}, flags...)
		r.status <- run(ctx, args, std, nil)
		_ = in.Close()
	}()
	t.Cleanup(func() {
		stop()
		_ = out.Close()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url, found := strings.CutPrefix(strings.TrimSpace(line), "Holt is serving ")
	if err != nil || !found {
		t.Fatalf("holt serve said %q (%v) and ended with %d:\n%s", line, err, <-r.status, r.log)
	}
	r.url = url
	return r
}

// end stops the server and checks that it stopped gracefully.
func (r *running) end(t *testing.T) {
	t.Helper()
	r.stop()
	if status := <-r.status; status != exitOK {
		t.Fatalf("holt serve ended with %d:\n%s", status, r.log)
	}
}

func TestBench(t *testing.T) {
	s := startServer(t, t.TempDir(), "127.0.0.1:0")
	play := func(t *testing.T, args ...string) (bench.Report, string) {
		t.Helper()
		var out, said bytes.Buffer
		args = append([]string{"bench", "--url", s.url, "--seconds", "0.5",
			"--rate", "60", "--json"}, args...)
		if status := run(t.Context(), args, streams{Out: &out, Err: &said}, nil); status != exitOK {
			t.Fatalf("status %d: %s\n%s", status, said.String(), out.String())
		}
		var report bench.Report
		if err := json.Unmarshal(out.Bytes(), &report); err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		return report, out.String()
	}
	// playUntil plays again until a run shows enough: on a busy machine half a second may pass
	// before anybody does much. Every run must be without a fault.
	type shows func(*bench.Report) bool
	playUntil := func(t *testing.T, enough shows, args ...string) (r bench.Report, text string) {
		t.Helper()
		for range 20 {
			if r, text = play(t, args...); enough(&r) {
				break
			}
		}
		return r, text
	}
	moved := func(r *bench.Report) bool { return r.Moves.Recorded > 0 }
	t.Run("every recorded move reaches every other player, and all agree", func(t *testing.T) {
		r, text := playUntil(t, moved, "--players", "5", "--pieces", "80")
		m := r.Moves
		if m.Recorded == 0 || m.Recorded != m.Sent || m.Received+m.Folded != 4*m.Recorded ||
			r.Latency.Count != m.Received {
			t.Errorf("moves %+v, latency %+v", m, r.Latency)
		}
		if r.Pieces != 80 || r.Seats != 5 || r.Compared != 5 || r.ReadBack != 5 ||
			r.Join.FullBytes == 0 || r.Down.PerMove == 0 {
			t.Errorf("%s", text)
		}
		if r.Latency.P50 <= 0 || r.Latency.P50 > r.Latency.P99 || r.Latency.P99 > r.Latency.Max {
			t.Errorf("latency %+v", r.Latency)
		}
	})
	t.Run("T6, T11 and T14: players lose moves only in conflicts over pieces", func(t *testing.T) {
		met := func(r *bench.Report) bool {
			return r.Updates.Rejects+r.Updates.Conflicts > 0 && r.Moves.Refused > 0
		}
		r, text := playUntil(t, met,
			"--players", "6", "--pieces", "0", "--conflict", "1", "--game", "chess")
		u := r.Updates
		if u.Rejects+u.Conflicts == 0 || r.Moves.Refused == 0 || u.Refused != 0 {
			t.Errorf("nobody met anybody:\n%s", text)
		}
		if r.Moves.Sent != r.Moves.Recorded+r.Moves.Refused {
			t.Errorf("moves %+v", r.Moves)
		}
	})
	t.Run("T21 and T22: views of a game with secrets agree in what they may show", func(t *testing.T) {
		r, text := playUntil(t, moved,
			"--players", "4", "--pieces", "90", "--game", "cards", "--conflict", "0.3")
		if r.Moves.Recorded == 0 || r.Compared != 4 {
			t.Error(text)
		}
	})
	t.Run("S12 players who drag by motion record only grabs and releases", func(t *testing.T) {
		dragged := func(r *bench.Report) bool {
			return r.Motion != nil && r.Motion.Planned > 0 && r.Updates.Acks > 0
		}
		r, text := playUntil(t, dragged, "--players", "3", "--motion")
		if r.Motion == nil || r.Reconnect != nil || r.Motion.Planned == 0 || r.Updates.Acks == 0 ||
			r.Moves != (bench.Moves{}) || !r.Config.Motion {
			t.Error(text)
		}
	})
	t.Run("C17 players who write, too", func(t *testing.T) {
		wrote := func(r *bench.Report) bool {
			return moved(r) && r.Writes != nil && r.Writes.Received > 0
		}
		r, text := playUntil(t, wrote, "--players", "3", "--writers", "1", "--seconds", "1")
		if w := r.Writes; w == nil || w.Sent == 0 || w.Lost > 0 || w.Received == 0 ||
			r.Moves.Recorded == 0 || r.Config.Writers != 1 {
			t.Error(text)
		}
	})
	t.Run("S5 with cuts every move comes as an update or in a full state", func(t *testing.T) {
		r, text := playUntil(t, moved, "--players", "3", "--reconnect")
		m := r.Moves
		if r.Reconnect == nil || r.Motion != nil || m.Recorded == 0 ||
			m.Received+m.Folded+m.Covered != 2*m.Recorded || !r.Config.Reconnect {
			t.Error(text)
		}
	})
	t.Run("people get a table", func(t *testing.T) {
		var out, said bytes.Buffer
		args := []string{"bench", "--url", s.url, "--seconds", "0.1", "--players", "2"}
		if status := run(t.Context(), args, streams{Out: &out, Err: &said},
			nil); status != exitOK || !strings.Contains(out.String(), "0 divergences") {
			t.Errorf("status %d, %q:\n%s", status, said.String(), out.String())
		}
	})
	s.end(t)
}

func TestBenchIsRefused(t *testing.T) {
	for name, row := range map[string]struct {
		args []string
		says string
	}{
		"another machine":  {[]string{"--url", "http://table.example"}, "--i-own-this-server"},
		"too long":         {[]string{"--url", "http://127.0.0.1:1", "--seconds", "601"}, "seconds"},
		"too many players": {[]string{"--url", "http://127.0.0.1:1", "--players", "2001"}, "players"},
		"too many writers": {[]string{"--url", "http://127.0.0.1:1", "--writers", "2"}, "writers"},
		"motion and cuts": {
			[]string{"--url", "http://127.0.0.1:1", "--motion", "--reconnect"}, "one at a time",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var said bytes.Buffer
			status := run(t.Context(), append([]string{"bench"}, row.args...),
				streams{Out: io.Discard, Err: &said}, nil)
			if status != exitUsage || !strings.Contains(said.String(), row.says) {
				t.Errorf("status %d: %s", status, said.String())
			}
		})
	}
	t.Run("an unreachable server", func(t *testing.T) {
		var said bytes.Buffer
		if status := run(t.Context(), []string{"bench", "--url", "http://127.0.0.1:1"},
			streams{Out: io.Discard, Err: &said}, nil); status != exitFault {
			t.Errorf("status %d: %s", status, said.String())
		}
	})
}

// guest is a client at a table of a server, with the events that it got.
type guest struct {
	*client.Client
	seat client.Seat

	mu sync.Mutex
	// Guarded by mu.
	events []client.Event
	lost   int           // streams that have ended
	more   chan struct{} // capacity 1: something has happened
	ended  chan error
}

// sit makes a client for a seat and runs it until the test ends.
func sit(t *testing.T, s *client.Server, seat client.Seat) *guest {
	t.Helper()
	g := &guest{seat: seat, more: make(chan struct{}, 1), ended: make(chan error, 1)}
	c, err := client.New(client.Config{Server: s, Seat: seat, Handle: g.note})
	if err != nil {
		t.Fatal(err)
	}
	g.Client = c
	ctx, cancel := context.WithCancel(context.Background())
	go func() { g.ended <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-g.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the client of seat %d ended: %v", seat.Number, err)
		}
	})
	g.until(t, func(e *client.Event) bool { return e.Kind == client.Synchronised })
	return g
}

func (g *guest) note(e *client.Event) {
	g.mu.Lock()
	g.events = append(g.events, *e)
	if e.Kind == client.Lost {
		g.lost++
	}
	g.mu.Unlock()
	select {
	case g.more <- struct{}{}:
	default:
	}
}

// until waits for an event, drops all events before it, and returns it.
func (g *guest) until(t *testing.T, wanted func(*client.Event) bool) client.Event {
	t.Helper()
	enough := time.NewTimer(5 * time.Minute)
	defer enough.Stop()
	for {
		g.mu.Lock()
		for i := range g.events {
			if e := g.events[i]; wanted(&e) {
				g.events = g.events[i+1:]
				g.mu.Unlock()
				return e
			}
		}
		seen := len(g.events)
		g.mu.Unlock()
		select {
		case <-g.more:
		case <-enough.C:
			t.Fatalf("seat %d waits in vain; %d events since", g.seat.Number, seen)
		}
	}
}

// outcome waits for the outcome of an update.
func (g *guest) outcome(t *testing.T, seq uint64, want client.EventKind) client.Event {
	t.Helper()
	e := g.until(t, func(e *client.Event) bool { return uint64(e.Seq) == seq && e.Seq != 0 })
	if e.Kind != want {
		t.Fatalf("update %d: %v (%v, reason %d), want %v", seq, e.Kind, e.Err, e.Reason, want)
	}
	return e
}

// change posts u and returns its sequence.
func (g *guest) change(t *testing.T, u table.Update) uint64 {
	t.Helper()
	seq, err := g.Do(u)
	if err != nil {
		t.Fatal(err)
	}
	return uint64(seq)
}

// pawn returns a piece that can be moved.
func (g *guest) pawn(t *testing.T) table.Shown {
	t.Helper()
	for _, p := range g.View().Pieces {
		if !p.Pinned && !p.Locked {
			return p
		}
	}
	t.Fatal("nothing can be moved")
	return table.Shown{}
}

func move(p table.Shown, x, y int32) table.Update {
	return table.Update{Op: table.OpMove, Piece: p.Name,
		Has: table.HasPiece | table.HasXY, X: x, Y: y}
}

// two returns two clients of different seats at a table of chess.
func two(t *testing.T, url string) (ada, ben *guest) {
	t.Helper()
	s, err := client.NewServer(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	host, invites, err := s.CreateTable(t.Context(), "chess", "", client.Person{Nick: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	seat, err := s.TakeSeat(t.Context(), host.Table, invites.Player, client.Person{Nick: "Ben"})
	if err != nil {
		t.Fatal(err)
	}
	return sit(t, s, host), sit(t, s, seat)
}

func TestClientOfTheProtocol(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, dir, ownAddress(t)) // the server is started again at this address
	ada, ben := two(t, s.url)
	pawn := ada.pawn(t)
	sees := func(g *guest, x, y int32) {
		t.Helper()
		g.until(t, func(e *client.Event) bool {
			return e.Kind == client.Updated && e.Piece.X == x && e.Piece.Y == y
		})
	}
	t.Run("T10 a move is acknowledged, and seen by the other client", func(t *testing.T) {
		ada.outcome(t, ada.change(t, move(pawn, 100, 100)), client.Acked)
		sees(ben, 100, 100)
	})
	t.Run("T14 an update of a piece held by somebody else is rejected", func(t *testing.T) {
		ben.outcome(t,
			ben.change(t, table.Update{Op: table.OpGrab, Piece: pawn.Name, Has: table.HasPiece}),
			client.Acked)
		ada.until(t, func(e *client.Event) bool {
			return e.Kind == client.Updated && e.Piece.Holder == ben.seat.Number
		})
		e := ada.outcome(t, ada.change(t, move(pawn, 200, 200)), client.Rejected)
		if e.Reason != table.ReasonHeld || e.By != ben.seat.Number {
			t.Errorf("reason %d by seat %d", e.Reason, e.By)
		}
		ben.outcome(t,
			ben.change(t, table.Update{Op: table.OpRelease, Piece: pawn.Name, Has: table.HasPiece}),
			client.Acked)
		ada.until(t, func(e *client.Event) bool {
			return e.Kind == client.Updated && e.Piece.Holder == 0
		})
	})
	t.Run("T15.17 an invalid update is refused, and the client goes on", func(t *testing.T) {
		var p *client.Problem
		e := ada.outcome(t,
			ada.change(t, table.Update{Op: table.OpFlip, Piece: pawn.Name,
				Has: table.HasPiece | table.HasFace, Face: 7}),
			client.Refused)
		if !errors.As(e.Err, &p) || p.Status != 422 || p.Code != "impossible-value" ||
			p.Update == nil || *p.Update != 0 {
			t.Errorf("%v", e.Err)
		}
		ada.until(t, func(e *client.Event) bool { return e.Kind == client.Synchronised })
		ada.outcome(t, ada.change(t, move(pawn, 300, 300)), client.Acked)
		sees(ben, 300, 300)
	})
	t.Run("S5 a cut stream resumes, and nothing is missed", func(t *testing.T) {
		ben.Cut(0)
		seq := ada.change(t, move(pawn, 400, 400))
		ben.until(t, func(e *client.Event) bool { return e.Kind == client.Lost })
		e := ben.until(t, func(e *client.Event) bool {
			return e.Kind == client.Synchronised || e.Kind == client.Resumed
		})
		if e.Kind != client.Resumed {
			t.Error("it begins with the full state")
		}
		ada.outcome(t, seq, client.Acked)
		sees(ben, 400, 400)
	})
	t.Run("S5 or it gets the full state", func(t *testing.T) {
		ben.ForceFull()
		ben.Cut(0)
		ben.until(t, func(e *client.Event) bool { return e.Kind == client.Lost })
		e := ben.until(t, func(e *client.Event) bool {
			return e.Kind == client.Synchronised || e.Kind == client.Resumed
		})
		if e.Kind != client.Synchronised {
			t.Error("it is taken up")
		}
		ada.outcome(t, ada.change(t, move(pawn, 450, 450)), client.Acked)
		sees(ben, 450, 450)
	})
	t.Run("S12, S13 motion and cursors are seen on their way", func(t *testing.T) {
		ada.outcome(t,
			ada.change(t, table.Update{Op: table.OpGrab, Piece: pawn.Name, Has: table.HasPiece}),
			client.Acked)
		ben.until(t, func(e *client.Event) bool {
			return e.Kind == client.Updated && e.Piece.Holder == ada.seat.Number
		})
		if err := errors.Join(
			ada.Carry(t.Context(), 0, client.Place{Piece: pawn.Name, X: 470, Y: 480}),
			ada.Point(t.Context(), 0, -50, -60)); err != nil {
			t.Fatal(err)
		}
		e := ben.until(t, func(e *client.Event) bool { return e.Kind == client.Moved })
		if s := e.Segments[0]; s.X1 != 470 || s.Y1 != 480 || s.X0 != 450 || s.From > e.Time {
			t.Errorf("it moves %+v", e)
		}
		e = ben.until(t, func(e *client.Event) bool { return e.Kind == client.Pointed })
		if s := e.Segments[0]; s.ID != uint32(ada.seat.Number) || s.X1 != -50 || s.Y1 != -60 {
			t.Errorf("she points %+v", e)
		}
		ada.outcome(t,
			ada.change(t, table.Update{Op: table.OpRelease, Piece: pawn.Name, Has: table.HasPiece}),
			client.Acked)
	})
	t.Run("S11 an away client is shown as away", func(t *testing.T) {
		ada.SetAway(t.Context(), true)
		ben.until(t, func(e *client.Event) bool {
			if e.Kind != client.SeatChanged || e.By != ada.seat.Number {
				return false
			}
			who, ok := ben.Who(e.By)
			return ok && who.Presence == holtpb.Presence_PRESENCE_AWAY
		})
	})
	whole := t // the restarted server outlives its subtest
	t.Run("T19 clients resume after a restart, with updates made meanwhile", func(t *testing.T) {
		s.end(t)
		seq := ada.change(t, move(pawn, 500, 500))
		s = startServer(whole, dir, strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/"))
		ada.outcome(t, seq, client.Acked)
		ben.until(t, func(e *client.Event) bool {
			return e.Kind == client.Synchronised || e.Kind == client.Resumed
		})
		ada.outcome(t, ada.change(t, move(pawn, 600, 600)), client.Acked)
		sees(ben, 600, 600)
	})
	t.Run("S8 of two lives of a client, the one with a late stream is refused", func(t *testing.T) {
		server, err := client.NewServer(s.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		opened := make(chan struct{}, 1)
		handle := func(e *client.Event) {
			if e.Kind == client.Synchronised {
				opened <- struct{}{}
			}
		}
		cfg := client.Config{
			Server: server, Seat: ada.seat, Client: [16]byte{1}, Handle: handle,
		}
		first, err := client.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		second, err := client.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		over := make(chan error, 1)
		go func() { over <- first.Run(ctx) }()
		select {
		case <-opened:
		case <-ctx.Done():
			t.Fatal("the first stream was never opened")
		}
		var p *client.Problem
		if err := second.Run(ctx); !errors.As(err, &p) || p.Status != 409 || p.Code != "attempt" {
			t.Errorf("the second ended with %v", err)
		}
		cancel()
		<-over
	})
}
