package sim

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// errDied is the error of a store whose process has died.
var errDied = errors.New("the process has died")

// mortal is a store whose process dies at a write: before it, or right behind it, when nobody has
// the answer yet. Afterwards nothing more is written.
type mortal struct {
	room.Store

	mu sync.Mutex
	// Guarded by mu.
	left   int  // writes until it dies; below 0: it lives
	behind bool // the last write is carried out
	writes int
	dead   bool
}

// write carries out a write, unless the process is dead.
func (m *mortal) write(run func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return errDied
	}
	m.writes++
	if m.left--; m.left != 0 {
		return run()
	}
	m.dead = true
	if m.behind {
		if err := run(); err != nil {
			return err
		}
	}
	return errDied
}

func (m *mortal) Append(ctx context.Context, a room.Append) error {
	return m.write(func() error { return m.Store.Append(ctx, a) })
}

func (m *mortal) SaveSnapshot(
	ctx context.Context, t id.OID, at room.Position, body []byte, logged int64,
) error {
	return m.write(func() error { return m.Store.SaveSnapshot(ctx, t, at, body, logged) })
}

func (m *mortal) Renew(ctx context.Context, t id.OID, epoch id.Epoch) error {
	return m.write(func() error { return m.Store.Renew(ctx, t, epoch) })
}

func (m *mortal) Touch(ctx context.Context, t id.OID, at id.Millis) error {
	return m.write(func() error { return m.Store.Touch(ctx, t, at) })
}

func (m *mortal) SweepErasure(
	ctx context.Context, e room.Erasure, rewrite room.Rewriter,
) (more bool, err error) {
	err = m.write(func() (err error) {
		more, err = m.Store.SweepErasure(ctx, e, rewrite)
		return err
	})
	return more, err
}

// summary says how the table looks to its host: what lies where, how full hands and decks are, and
// the names of the seats. Names of pieces are left out, because a piece that is made again gets
// another one.
func (g *longGame) summary() string {
	g.Helper()
	v := g.view(g.players[0])
	var all []string
	for _, p := range v.GetPieces() {
		all = append(all, fmt.Sprintf("%d at %d %d face %d of %d", p.GetKind(), p.GetX(), p.GetY(),
			p.GetFace(), p.GetOwner()))
	}
	for _, h := range v.GetHolds() {
		n := uint32(0)
		for _, count := range h.GetCounts() {
			n += count
		}
		all = append(all, fmt.Sprintf("%d in %d", n, h.GetPiece()))
	}
	slices.Sort(all)
	for _, s := range v.GetSeats() {
		all = append(all, fmt.Sprint(s.GetNick(), s.GetNumber(), s.GetLeft()))
	}
	return strings.Join(all, "\n")
}

// upheaval is a request that changes much of a table at once.
type upheaval struct {
	name string
	do   func(g *longGame) error // it may be repeated
	// knows says of the answer to a repetition whether the server knows that it is done.
	knows  func(error) bool
	renews bool // it gives the table another epoch
	once   bool // a repetition after a restart does nothing (T62.9)
}

// TestDeathAtEachWrite lets the process die at each write of a rewind, a rematch, an undo, an
// erasure, and of putting somebody out, before it and behind it. After the next start all of it is
// there or nothing, and all of it if it was answered. The request is sent again then, and is
// carried out once in all.
// Clauses: T71.8, T71.9, T72.1, T80.7
func TestDeathAtEachWrite(t *testing.T) {
	var save uint32
	var epoch id.Epoch
	rewind := func(q room.Rewind) func(g *longGame) error {
		return func(g *longGame) error {
			if q.Epoch = epoch; !q.Rematch {
				q.Save = save
			}
			_, err := g.rooms.Rewind(g.Context(), g.players[0].Session, q)
			return err
		}
	}
	succeeds := func(err error) bool { return err == nil }
	for _, c := range []upheaval{
		{name: "rewind", do: rewind(room.Rewind{Token: "r"}), renews: true, knows: succeeds},
		{name: "rematch", do: rewind(room.Rewind{Token: "r", Rematch: true}), renews: true,
			knows: succeeds},
		{name: "undo", once: true, do: func(g *longGame) error {
			_, err := g.rooms.Undo(g.Context(), g.players[0].Session, "u", room.Meant{})
			return err
		}, knows: func(err error) bool {
			no := &room.NoUndo{}
			return errors.As(err, &no) && no.Why == table.UndoNothing
		}},
		{name: "put out", do: func(g *longGame) error {
			host, ben := g.players[0].Session, g.players[1].Session
			_, err := g.rooms.PutOut(g.Context(), host, ben.Seat, room.HandsOnLeaving{})
			return err
		}, knows: func(err error) bool { return errors.Is(err, room.ErrOver) }},
		{name: "erase", do: func(g *longGame) error {
			ben := g.players[1].Session
			return g.rooms.Erase(g.Context(), ben, ben.Seat, room.HandsOnLeaving{})
		}, knows: func(err error) bool { return errors.Is(err, room.ErrNoSeat) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for left, finished := 1, false; !finished; left++ {
				for _, behind := range []bool{false, true} {
					g := newLongGame(t)
					g.play(5)
					var err error
					ada := g.players[0]
					if save, err = g.rooms.Save(t.Context(), ada.Session, "Point", "s"); err != nil {
						t.Fatal(err)
					}
					g.play(5)
					v := g.view(ada)
					epoch = id.Epoch(v.GetEpoch())
					g.do(ada, v.GetEpoch(), table.Update{
						Op: table.OpDraw, Has: table.HasPiece | table.HasN, Piece: eveningDeck, N: 2,
					})
					finished = dieOnce(t, g, &c, left, behind)
					g.stop()
				}
				if left > 50 {
					t.Fatal("it never ends")
				}
				if finished {
					t.Logf("%d writes", left-1)
				}
			}
		})
	}
}

// dieOnce lets the process die at a write of a change, starts it again and repeats the request. It
// reports whether the change was over before that.
func dieOnce(t *testing.T, g *longGame, c *upheaval, left int, behind bool) (finished bool) {
	t.Helper()
	what := fmt.Sprintf("%s, death at write %d (behind it: %v)", c.name, left, behind)
	before, was := g.summary(), g.view(g.players[0]).GetEpoch()
	m := &mortal{Store: g.kept.Store, left: left, behind: behind}
	g.kept.Store = m
	err := c.do(g)
	answered := err == nil
	if err := g.rooms.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	if finished = !m.dead; finished && !answered {
		t.Fatalf("%s: %v", what, err)
	}
	if err := g.db.Close(); err != nil {
		t.Fatal(err)
	}
	g.start()
	g.rooms.Sweep()
	now := g.summary()
	epoch := g.view(g.players[0]).GetEpoch()
	switch done := now != before; {
	case answered && !done:
		t.Errorf("%s: it was answered, and is not there", what)
	case c.renews && (epoch != was) != done:
		t.Errorf("%s: it is done: %v, and the epoch was %d and is %d", what, done, was, epoch)
	case done:
		if err := c.do(g); !c.knows(err) {
			t.Errorf("%s: the repetition gets %v", what, err)
		}
		if again := g.summary(); again != now {
			t.Errorf("%s: the repetition changes\n%s\nto\n%s", what, now, again)
		}
	case c.once:
		if err := c.do(g); !c.knows(err) || g.summary() != before {
			t.Errorf("%s: the repetition gets %v", what, err)
		}
	default:
		if err := c.do(g); err != nil {
			t.Errorf("%s: the repetition gets %v", what, err)
		}
		if g.summary() == before {
			t.Errorf("%s: the repetition changes nothing", what)
		}
	}
	for { // what is left to erase is erased at last (T80.7)
		all, err := g.db.Erasures(g.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 {
			return finished
		}
		runtime.Gosched()
	}
}
