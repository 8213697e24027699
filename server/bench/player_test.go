package bench

import (
	"errors"
	"testing"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

func msec(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// pair returns two players of one party, each in a seat of their own, as after joining.
func pair(t *testing.T) (a, b *player) {
	t.Helper()
	server, err := client.NewServer("http://127.0.0.1:1", nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &run{
		start: time.Now(), complaints: map[string]int{}, tracks: []*track{nil, {}, {}},
		info: client.Info{Width: 8000, Height: 5000},
	}
	for i := range 2 {
		pl := &player{
			run: p, index: i, seat: client.Seat{Number: id.Seat(i + 1), Token: "x"},
			track: p.tracks[i+1], joined: make(chan struct{}), ended: make(chan struct{}),
			got:  map[id.Seat]numbers{},
			seqs: map[id.ClientSeq]int{},
		}
		if pl.client, err = client.New(client.Config{Server: server, Seat: pl.seat}); err != nil {
			t.Fatal(err)
		}
		p.players = append(p.players, pl)
		pl.handle(&client.Event{Kind: client.Opening})
		pl.frameOf(100, client.Event{Kind: client.Synchronised})
	}
	return p.players[0], p.players[1]
}

// later lets a millisecond pass, even if the machine's clock is coarser.
func (p *run) later() { p.start = p.start.Add(-time.Millisecond) }

// frameOf hands the player a frame, a millisecond after the last thing that happened.
func (p *player) frameOf(bytes int, events ...client.Event) {
	p.run.later()
	p.handle(&client.Event{Kind: client.Received, Bytes: bytes})
	for i := range events {
		p.handle(&events[i])
	}
}

// makes lets the player make a move of a drag with sequence seq, a millisecond after the last thing
// that happened. It returns the event by which another player sees it.
func (p *player) makes(drag uint64, seq id.ClientSeq) client.Event {
	p.run.later()
	n, x, y := p.track.stamp(moved{at: p.run.clock(), player: p.index, drag: drag}, 3000, 2000)
	p.seqs[seq] = n
	x, y = p.run.fromMiddle(x, y)
	return client.Event{
		Kind: client.Updated, Op: table.OpMove, By: p.seat.Number,
		Piece: table.Shown{Name: 5, X: x, Y: y},
	}
}

// TestPlayer shows what a player counts: deliveries, latencies, resumed streams, cuts and bytes.
func TestPlayer(t *testing.T) {
	acked := func(seq id.ClientSeq) *client.Event {
		return &client.Event{Kind: client.Acked, Op: table.OpMove, Seq: seq}
	}
	t.Run("a recorded and published move is delivered, with a latency", func(t *testing.T) {
		a, b := pair(t)
		told := a.makes(1, 1)
		b.frameOf(30, told)
		a.handle(acked(1))
		if d := a.run.deliveries(); d != (deliveries{}) {
			t.Errorf("%+v", d)
		}
		if n := a.run.latency.total.Load(); n != 1 || b.counts.received.Load() != 1 ||
			a.counts.recorded.Load() != 1 {
			t.Errorf("%d latencies, %d received, %d recorded, want 1 of each",
				n, b.counts.received.Load(), a.counts.recorded.Load())
		}
		if took := a.run.latency.quantile(1); took < time.Millisecond {
			t.Errorf("a move of a millisecond is measured as %v", took)
		}
	})
	t.Run("T10 repeated deliveries and published refused moves are found", func(t *testing.T) {
		a, b := pair(t)
		once, refused := a.makes(1, 1), a.makes(1, 2)
		b.frameOf(30, once)
		b.frameOf(60, once, refused)
		a.handle(acked(1))
		a.handle(&client.Event{Kind: client.Rejected, Op: table.OpMove, Seq: 2})
		a.handle(acked(2)) // of an update that is no longer pending
		if d, want := a.run.deliveries(), (deliveries{doubled: 2}); d != want {
			t.Errorf("%+v, want %+v", d, want)
		}
		if !a.interrupted.Load() {
			t.Error("T11 the drag goes on")
		}
	})
	t.Run("S5 moves of a resume have no latency, later ones have", func(t *testing.T) {
		a, b := pair(t)
		first, second, third := a.makes(1, 1), a.makes(1, 2), a.makes(1, 3)
		b.handle(&client.Event{Kind: client.Lost, Err: errors.New("reset by peer")})
		b.handle(&client.Event{Kind: client.Opening})
		b.frameOf(80, client.Event{Kind: client.Resumed}, first, second)
		if n := a.run.latency.total.Load(); n != 0 {
			t.Errorf("%d latencies, want none", n)
		}
		b.frameOf(30, third)
		if n := a.run.latency.total.Load(); n != 1 {
			t.Errorf("%d latencies, want 1", n)
		}
		if r := a.run.resumed.report(); r.TimeMs.Count != 1 || r.Bytes != 80 ||
			a.run.renewed.times.total.Load() != 0 {
			t.Errorf("taken up: %+v", r)
		}
	})
	t.Run("moves made before the player is back have no latency", func(t *testing.T) {
		a, b := pair(t)
		a.handle(&client.Event{Kind: client.Lost, Err: errors.New("reset by peer")})
		waits := a.makes(1, 1)
		a.handle(&client.Event{Kind: client.Opening})
		a.frameOf(20, client.Event{Kind: client.Resumed})
		b.frameOf(60, waits, a.makes(1, 2))
		if n := a.run.latency.total.Load(); n != 1 {
			t.Errorf("%d latencies, want that of the second alone", n)
		}
	})
	t.Run("S5 a full state covers missed moves, counted on a new stream", func(t *testing.T) {
		a, b := pair(t)
		a.makes(1, 1)
		a.handle(acked(1))
		if d := a.run.deliveries(); d.missing != 1 {
			t.Errorf("%+v, want one missing", d)
		}
		// The client asked for it on the same stream.
		b.frameOf(500, client.Event{Kind: client.Synchronised})
		if d := a.run.deliveries(); d != (deliveries{covered: 1}) {
			t.Errorf("%+v, want one covered", d)
		}
		if n := a.run.renewed.times.total.Load(); n != 0 {
			t.Errorf("%d came back, want none", n)
		}
		b.handle(&client.Event{Kind: client.Lost, Err: errors.New("reset by peer")})
		b.handle(&client.Event{Kind: client.Opening})
		b.frameOf(700, client.Event{Kind: client.Synchronised})
		if r := a.run.renewed.report(); r.TimeMs.Count != 1 || r.Bytes != 700 {
			t.Errorf("back with a full state: %+v", r)
		}
	})
	t.Run("an intended cut is not an error, any other is", func(t *testing.T) {
		a, _ := pair(t)
		a.cut.Store(true)
		a.handle(&client.Event{Kind: client.Lost, Err: errors.New("on purpose")})
		a.handle(&client.Event{Kind: client.Lost, Err: errors.New("by itself")})
		if c := a.run.complaints; len(c) != 1 || c["by itself"] != 1 ||
			a.counts.lost.Load() != 2 {
			t.Errorf("%v, %d lost", c, a.counts.lost.Load())
		}
	})
	t.Run("frames with only moves or only points are weighed", func(t *testing.T) {
		a, b := pair(t)
		points := client.Event{Kind: client.Moved, Segments: make([]wire.Segment, 4)}
		b.frameOf(50, a.makes(1, 1), a.makes(1, 2))
		b.frameOf(36, points)
		b.frameOf(99, a.makes(1, 3), points)
		b.frameOf(98, points, client.Event{Kind: client.SeatChanged})
		b.frameOf(97, client.Event{Kind: client.Updated, Op: table.OpGrab})
		b.frameOf(2)
		b.frameOf(2)
		if m, p := b.run.moveFrames.each(), b.run.pointFrames.each(); m != 25 || p != 9 {
			t.Errorf("a move has %v bytes, want 25; a point %v, want 9", m, p)
		}
		if n := b.counts.bytes.Load(); n != 100+50+36+99+98+97+4 || b.counts.frames.Load() != 8 {
			t.Errorf("%d bytes in %d frames", n, b.counts.frames.Load())
		}
	})
}

// TestSlots shows when points of motion are due, and that missed ones count as due.
func TestSlots(t *testing.T) {
	t.Run("S12 points lie at multiples of 50 ms", func(t *testing.T) {
		for at, want := range map[id.Millis]id.Millis{
			1000: 1000, 1024: 1000, 1025: 1050, 1049: 1050, 1051: 1050,
		} {
			if got := nearest(at); got != want {
				t.Errorf("nearest to %d: %d, want %d", at, got, want)
			}
		}
	})
	t.Run("missed ones count as due", func(t *testing.T) {
		for _, row := range []struct {
			last, at id.Millis
			want     uint64
		}{{0, 5000, 1}, {5000, 5050, 1}, {5000, 5200, 4}} {
			if got := due(row.last, row.at); got != row.want {
				t.Errorf("from %d to %d: %d, want %d", row.last, row.at, got, row.want)
			}
		}
	})
}
