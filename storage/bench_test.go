package storage

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"holt/server/tables/room"
)

// entrySize is about the size in bytes of an update of one piece in the log.
const entrySize = 120

func noise(size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

// BenchmarkAppend has n tables. Each has one writer, which sends its next entry when the last one
// is durable.
func BenchmarkAppend(b *testing.B) {
	for _, writers := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			db := openDir(b, b.TempDir())
			for n := range writers {
				mustCreate(b, db, n)
			}
			before := diskUse(b, db.dir)
			body := [][]byte{noise(entrySize)}
			took := make([][]time.Duration, writers)
			var wg sync.WaitGroup
			b.ResetTimer()
			for n := range writers {
				wg.Go(func() {
					for at := range b.N/writers + 1 {
						began := time.Now()
						a := room.Append{Table: tableID(n),
							Expect: room.Position(at), Entries: body}
						if err := db.Append(context.Background(), a); err != nil {
							b.Error(err)
							return
						}
						took[n] = append(took[n], time.Since(began))
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			all := slices.Concat(took...)
			slices.Sort(all)
			b.ReportMetric(float64(len(all))/b.Elapsed().Seconds(), "entries/s")
			b.ReportMetric(float64(all[len(all)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(float64(diskUse(b, db.dir)-before)/float64(len(all)), "B/entry")
		})
	}
}

// diskUse returns the size of the database in bytes, after a checkpoint of its write-ahead log.
func diskUse(b *testing.B, dir string) int64 {
	b.Helper()
	d := open(filepath.Join(dir, fileName), 1, writing)
	defer d.Close()
	if _, err := d.Exec("PRAGMA wal_checkpoint(FULL)"); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, fileName))
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

// BenchmarkSeatByToken measures the query with which every request begins.
func BenchmarkSeatByToken(b *testing.B) {
	db := openDir(b, b.TempDir())
	seat := room.SeatRow{Token: token("s"), Seat: 1}
	if err := db.CreateTable(b.Context(),
		room.NewTable{Row: rowOf(1), Seats: []room.SeatRow{seat}}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if got, err := db.SeatByToken(b.Context(), tableID(1), seat.Token); err != nil ||
			got != seat {
			b.Fatal(got, err)
		}
	}
}
