package storage

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"holt/server/tables/room"
)

// BenchmarkOpen opens and closes a directory with different numbers of tables, of ten entries each.
func BenchmarkOpen(b *testing.B) {
	for _, tables := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("tables=%d", tables), func(b *testing.B) {
			db := openDir(b, b.TempDir())
			for n := range tables {
				fill(b, db, n, 10)
			}
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				again, err := Open(b.Context(), db.dir, Options{})
				if err != nil {
					b.Fatal(err)
				}
				if err := again.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLoad opens a table as a room does when somebody comes back to it: from its last
// snapshot. Since then other tables have written as much as recent holds.
func BenchmarkLoad(b *testing.B) {
	for _, length := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("length=%d", length), func(b *testing.B) {
			db := openDir(b, b.TempDir())
			fill(b, db, 1, length)
			if err := db.SaveSnapshot(b.Context(), tableID(1), room.Position(length-1_000),
				noise(100_000), 0); err != nil {
				b.Fatal(err)
			}
			if err := limit(db, limits{rows: usual.rows,
				bytes: usual.bytes, few: usual.few}); err != nil {
				b.Fatal(err)
			}
			for n := range usual.rows {
				fill(b, db, 2+n, 1)
			}
			if rows := rowsOf(b, db, "recent"); rows < usual.rows {
				b.Fatalf("recent holds %d rows", rows)
			}
			b.ReportAllocs()
			for b.Loop() {
				l, err := db.Load(b.Context(), tableID(1), 0)
				if err != nil || len(l.Entries) != 1_000 {
					b.Fatal(len(l.Entries), err)
				}
			}
		})
	}
}

// BenchmarkReplay loads a log of a million entries that has no snapshot.
func BenchmarkReplay(b *testing.B) {
	db := openDir(b, b.TempDir())
	const rows = 1_000_000
	fill(b, db, 1, rows)
	b.ReportAllocs()
	for b.Loop() {
		l, err := db.Load(b.Context(), tableID(1), 0)
		if err != nil || len(l.Entries) != rows {
			b.Fatal(len(l.Entries), err)
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkBackup copies, checks and flushes a database with a log of a million entries.
func BenchmarkBackup(b *testing.B) {
	db := openDir(b, b.TempDir())
	const rows = 1_000_000
	fill(b, db, 1, rows)
	dir := b.TempDir()
	for n := 0; b.Loop(); n++ {
		if err := db.Backup(b.Context(), filepath.Join(dir, fmt.Sprint(n))); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// fill creates table n with a log of the given number of entries.
func fill(b *testing.B, db *DB, n, entries int) {
	b.Helper()
	mustCreate(b, db, n)
	const batch = 10_000
	body := slices.Repeat([][]byte{noise(entrySize)}, min(entries, batch))
	for at := 0; at < entries; at += len(body) {
		a := room.Append{Table: tableID(n), Expect: room.Position(at),
			Entries: body[:min(len(body), entries-at)]}
		if err := db.Append(b.Context(), a); err != nil {
			b.Fatal(err)
		}
	}
}
