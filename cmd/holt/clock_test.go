package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
	"holt/static"
	"holt/storage"
)

func TestClock(t *testing.T) {
	const start = 1_780_000_000_000 * time.Millisecond
	for _, c := range []struct {
		name   string
		wall   []int       // the machine's clock at each second, in ms since start
		now    []id.Millis // in ms since start
		steady []id.Millis
	}{
		{"K1.4 it is the machine's", []int{0, 1000, 2000}, []id.Millis{0, 1000, 2000},
			[]id.Millis{0, 1000, 2000}},
		{"K1.5 now follows only when the machine's clock is ahead", []int{0, 5000, 6000},
			[]id.Millis{0, 5000, 6000}, []id.Millis{0, 1000, 2000}},
		{"K1.6 now goes on when the machine's clock is set back", []int{0, 1000, -3_600_000, -3_599_000},
			[]id.Millis{0, 1000, 2000, 3000}, []id.Millis{0, 1000, 2000, 3000}},
		{"K1 now is the machine's clock again when that is ahead", []int{0, -5000, 1500, 4000},
			[]id.Millis{0, 1000, 2000, 4000}, []id.Millis{0, 1000, 2000, 3000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := 0
			clock := clockOf(func() (wall, elapsed time.Duration) {
				return start + time.Duration(c.wall[i])*time.Millisecond,
					time.Duration(i) * time.Second
			})
			for i = range c.wall {
				if got := clock.now() - id.Millis(start.Milliseconds()); got != c.now[i] {
					t.Errorf("after %d s it shows %d, want %d", i, got, c.now[i])
				}
				if got := clock.steady() - id.Millis(start.Milliseconds()); got != c.steady[i] {
					t.Errorf("after %d s tables have %d, want %d", i, got, c.steady[i])
				}
			}
		})
	}
	t.Run("K1.1, K1.2 it tells the time", func(t *testing.T) {
		before := id.Millis(time.Now().UnixMilli())
		clock := newClock()
		for _, got := range []id.Millis{clock.now(), clock.steady()} {
			if got < before || got > id.Millis(time.Now().UnixMilli()) {
				t.Errorf("it shows %d, after %d", got, before)
			}
		}
	})
}

// machine is a machine whose clock can be set.
type machine struct{ wall, elapsed atomic.Int64 } // nanoseconds

func (m *machine) read() (wall, elapsed time.Duration) {
	return time.Duration(m.wall.Load()), time.Duration(m.elapsed.Load())
}

func (m *machine) pass(d time.Duration) {
	m.wall.Add(int64(d))
	m.elapsed.Add(int64(d))
}

// The machine's clock is set while Ada thinks for a minute. Her chess clock loses that minute, and
// nothing else.
func TestFindingR10ChessClock(t *testing.T) {
	for name, step := range map[string]time.Duration{"ahead": 3 * time.Hour, "back": -3 * time.Hour,
		"not at all": 0} {
		t.Run("K1.5, K13 set "+name, func(t *testing.T) {
			m := &machine{}
			m.wall.Store(int64(1_780_000_000 * time.Second))
			rooms := roomsAt(t, tableTime(m.read))
			taken, _, err := rooms.Create(t.Context(),
				room.NewTableRequest{Game: "chess", Host: room.Person{Nick: "Ada"}})
			if err != nil {
				t.Fatal(err)
			}
			play := func(seq id.ClientSeq, op table.Op) *holtpb.Clock {
				t.Helper()
				epoch, clock := readClock(t, rooms, taken.Session)
				u := table.Update{Seq: seq, Has: table.HasPiece | table.HasTag | table.HasSide,
					Piece: id.Piece(clock.GetId()), Tag: id.Version(clock.GetMark()), Op: op, Side: 1}
				if err := rooms.Update(t.Context(), taken.Session, wire.Batch{Client: id.Client{1},
					Epoch: epoch, Updates: []table.Update{u}}); err != nil {
					t.Fatal(err)
				}
				_, clock = readClock(t, rooms, taken.Session)
				return clock.GetClock()
			}
			began := play(1, table.OpStart)
			m.pass(30 * time.Second)
			m.wall.Add(int64(step))
			m.pass(30 * time.Second)
			ended := play(2, table.OpPress)
			// She got the increment.
			if lost := began.GetLeft1() - ended.GetLeft1(); lost != 60_000-2000 {
				t.Errorf("she has lost %d ms", lost)
			}
			if ended.GetRunning() != 2 || ended.GetSince() != began.GetSince()+60_000 {
				t.Errorf("the other side runs since %d, hers had since %d", ended.GetSince(),
					began.GetSince())
			}
		})
	}
}

// roomsAt returns the rooms of a new server that uses the clock now.
func roomsAt(t *testing.T, now func() id.Millis) *room.Rooms {
	t.Helper()
	db, err := storage.Open(t.Context(), t.TempDir(), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	shelf, err := game.LoadShelf(static.Files)
	if err != nil {
		t.Fatal(err)
	}
	minter, key, err := openIdentity(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	rooms := room.New(room.Config{Store: db, Minter: minter, Shelf: shelf, InviteKey: key, Now: now,
		Random: rand.Reader, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		if err := rooms.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return rooms
}

// readClock returns the current state of a table's chess clock.
func readClock(t *testing.T, rooms *room.Rooms, s room.Session) (id.Epoch, *holtpb.Piece) {
	t.Helper()
	f, err := rooms.Read(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	full := f.GetEvents()[0].GetFull()
	for _, p := range full.GetPieces() {
		if p.GetClock() != nil && p.GetPinned() {
			return id.Epoch(full.GetEpoch()), p
		}
	}
	t.Fatal("there is no clock")
	return 0, nil
}
