package sim

import (
	"context"
	"testing"

	"holt/server/proto/holtpb"
)

// checkAfterCrash compares what the server shows after a kill with what was acknowledged before.
// Everything acknowledged must be there. Of the rest, each update is there completely or not at
// all. Nothing is there twice.
func (c *player) checkAfterCrash(t *testing.T, state tableJSON) {
	t.Helper()
	c.keep.Lock()
	defer c.keep.Unlock()
	if state.Epoch != c.epoch {
		t.Errorf("T19: the epoch is %d, was %d: a restart is not a restoration", state.Epoch, c.epoch)
	}
	places, at := index(state)
	for _, piece := range c.pieces {
		now, ok := places[piece]
		switch n := number(now); {
		case !ok:
			t.Errorf("piece %d is gone", piece)
		case n < c.moved[piece] && c.moved[piece] > 0:
			t.Errorf("piece %d is where move %d put it, but move %d was acknowledged", piece, n,
				c.moved[piece])
		case c.asked[piece] > 0 && n > c.asked[piece]:
			t.Errorf("piece %d is where nobody put it: %v", piece, now)
		}
	}
	for n := range c.added {
		if want := c.dying(n); at[n] != 1 && (!want || at[n] != 0) {
			t.Errorf("the piece added as %d, acknowledged, is there %d times", n, at[n])
		}
	}
	for n := range c.deleted {
		if at[n] != 0 {
			t.Errorf("the piece added as %d is there again after its deletion was acknowledged", n)
		}
	}
	for _, u := range c.unanswered {
		if u.Op == "add" && at[u.n] > 1 {
			t.Errorf("the piece added as %d, not acknowledged, is there %d times", u.n, at[u.n])
		}
	}
}

// dying reports whether the piece added as n is to be deleted. The lock is held.
func (c *player) dying(n int) bool {
	_, yes := c.deleting[c.added[n]]
	return yes
}

// checkAtRest compares the table with everything that was asked for, once all of it is answered.
func (c *player) checkAtRest(t *testing.T, state tableJSON) {
	t.Helper()
	places, at := index(state)
	for piece, n := range c.asked {
		if got := number(places[piece]); got != n {
			t.Errorf("piece %d is where move %d put it, want %d, the last one", piece, got, n)
		}
	}
	for n := range c.added {
		if at[n] != 1 {
			t.Errorf("the piece added as %d is there %d times", n, at[n])
		}
	}
	for n := range c.deleted {
		if at[n] != 0 {
			t.Errorf("the piece added as %d is there although it was deleted", n)
		}
	}
	mine := 0
	for n := range at {
		if n > c.first && n <= c.first+c.place {
			mine += at[n]
		}
	}
	if want := len(c.added) + len(c.asked); mine != want {
		t.Errorf("%d pieces lie where this client put some, want %d", mine, want)
	}
}

// index returns the place of each piece, and how many pieces lie at each numbered place.
func index(state tableJSON) (map[uint32]place, map[int]int) {
	places, at := map[uint32]place{}, map[int]int{}
	for _, p := range state.Pieces {
		places[p.ID] = p.place()
		at[number(p.place())]++
	}
	return places, at
}

// witness is a spectator: what was shown to anybody must survive, acknowledged or not. It knows
// deleted pieces by the numbers of their places, because the random name of one may be used again
// for another piece (T21).
type witness struct {
	table *crashTable
	token string
	// Owned by look while it runs, by the test otherwise.
	seen map[uint32]place
	gone map[int]bool
}

// seatWitness takes a spectator's seat.
func (c *crashTable) seatWitness() *witness {
	return &witness{
		table: c, token: c.seat(c.watches, "Watching"),
		seen: map[uint32]place{}, gone: map[int]bool{},
	}
}

// follow notes what the stream shows until the program dies.
func (w *witness) follow(ctx context.Context, t *testing.T, p *program) {
	stream, err :=
		dial(ctx, p, "/api/v1/tables/"+w.table.id+"/stream?client=d2l0bmVzc2VzIGRvIHNlZQ", w.token)
	if err != nil {
		return // it was killed before
	}
	defer stream.CloseNow()
	for {
		frame, err := receive(ctx, stream)
		if err != nil {
			return
		}
		for _, e := range frame.GetEvents() {
			switch e := e.GetEvent().(type) {
			case *holtpb.Event_Full:
				clear(w.seen)
				for _, piece := range e.Full.GetPieces() {
					w.note(t, piece)
				}
			case *holtpb.Event_Update:
				w.note(t, e.Update.GetPiece())
			}
		}
	}
}

func (w *witness) note(t *testing.T, piece *holtpb.Piece) {
	id := piece.GetId()
	at := w.seen[id]
	if piece.GetGone() {
		if n := number(at); n >= 0 {
			w.gone[n] = true
		}
		delete(w.seen, id)
		return
	}
	if piece.X != nil {
		at.x = piece.GetX()
	}
	if piece.Y != nil {
		at.y = piece.GetY()
	}
	w.seen[id] = at
	if w.gone[number(at)] {
		t.Errorf("piece %d is shown at %d, where one had been deleted", id, number(at))
	}
}

// checkAfterCrash checks that nothing which was seen was taken back. One client puts each piece to
// rising numbers, so a lower number than the one seen is an older state.
func (w *witness) checkAfterCrash(t *testing.T, state tableJSON) {
	t.Helper()
	places, at := index(state)
	for id, seen := range w.seen {
		if now, ok := places[id]; ok && number(now) < number(seen) {
			t.Errorf("piece %d was seen at %d and is now back at %d", id, number(seen), number(now))
		}
	}
	for n := range w.gone {
		if at[n] != 0 {
			t.Errorf("the piece added as %d was seen to be deleted and is there again", n)
		}
	}
}
