package sim

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"runtime"
	"testing"
	"testing/fstest"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
	"holt/storage"
)

// unsnapped is a store that keeps no snapshots.
type unsnapped struct{ room.Store }

func (unsnapped) SaveSnapshot(context.Context, id.OID, room.Position, []byte, int64) error {
	return nil
}

// BenchmarkLoadComponents opens a table after a million operations on 8,192 cells of a score sheet,
// a thousand in each of its entries. It measures from the disk until all components can be sent:
// from the log alone, and from a snapshot. It reports how much memory the rooms then take for each
// component.
func BenchmarkLoadComponents(b *testing.B) {
	const (
		messages = 1000
		each     = 1000
	)
	for _, snapshot := range []bool{false, true} {
		b.Run(fmt.Sprintf("snapshot=%v", snapshot), func(b *testing.B) {
			dir := b.TempDir()
			open := func() (*room.Rooms, *storage.DB) {
				db, err := storage.Open(b.Context(), dir, storage.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if snapshot {
					return benchRooms(b, db), db
				}
				return benchRooms(b, unsnapped{db}), db
			}
			stop := func(rooms *room.Rooms, db *storage.DB) {
				if err := rooms.Shutdown(context.Background()); err != nil {
					b.Fatal(err)
				}
				if err := db.Close(); err != nil {
					b.Fatal(err)
				}
			}
			rooms, db := open()
			taken, _, err := rooms.Create(b.Context(), room.NewTableRequest{
				Game: "sim", Host: room.Person{Nick: "Ada"},
			})
			if err != nil {
				b.Fatal(err)
			}
			whole, err := rooms.Read(b.Context(), taken.Session)
			if err != nil {
				b.Fatal(err)
			}
			told := room.Operations{
				Epoch:   id.Epoch(whole.GetEvents()[0].GetFull().GetEpoch()),
				Version: id.Version(whole.GetMark()),
			}
			for m := range messages {
				told.Ops = cells(m*each, each)
				if err := rooms.Operate(b.Context(), taken.Session, told); err != nil {
					b.Fatal(err)
				}
			}
			stop(rooms, db)
			rooms, db = open()
			for b.Loop() {
				b.StopTimer()
				stop(rooms, db)
				before := reachable()
				b.StartTimer()
				rooms, db = open()
				all, err := rooms.Components(b.Context(), taken.Session)
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				b.ReportMetric(float64(reachable()-before)/cellCount, "B/component")
				b.ReportMetric(float64(len(all))/1024, "KiB-told")
				b.StartTimer()
			}
			stop(rooms, db)
		})
	}
}

const cellCount = 256 * 32

// cells returns operations on the next cells, each above the last one there.
func cells(from, n int) []crdt.Op {
	ops := make([]crdt.Op, n)
	for i := range ops {
		at := from + i
		cell := at % cellCount
		ops[i] = crdt.Op{
			Kind: crdt.Put, Entity: schema.FirstRow + crdt.Entity(cell/32),
			Component: schema.FirstColumn + uint32(cell%32),
			Timestamp: uint32(1 + at/cellCount),
			Data:      schema.Encode(&componentpb.Text{Text: fmt.Sprintf("cell %7d", at)}),
		}
	}
	return ops
}

// reachable returns how many bytes are in use.
func reachable() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func benchRooms(b *testing.B, store room.Store) *room.Rooms {
	b.Helper()
	svg := []byte(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>`)
	shelf, err := game.LoadShelf(fstest.MapFS{
		"games/sim.json": {Data: []byte(simGame)}, "art/a.svg": {Data: svg},
	})
	if err != nil {
		b.Fatal(err)
	}
	now := func() id.Millis { return id.Millis(time.Now().UnixMilli()) }
	return room.New(room.Config{
		Store:  store,
		Minter: id.NewMinter(id.HostID{1}, now(), func(id.Millis) error { return nil }), Shelf: shelf,
		InviteKey: make([]byte, 32), Now: now, Random: rand.Reader,
		Log: slog.New(slog.DiscardHandler),
	})
}
