package node_test

import (
	"bufio"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

var objects = flag.Int("objects", 20_000, "how many sets BenchmarkLargeWorld makes")

const (
	// The machine keeps what it knows of largeCache objects in memory, and what calls need of a
	// sixteenth as many.
	largeCache = 1024
	perTable   = 100 // sets on each table
	makers     = 64  // tables that are created at the same time
)

// large is a server with many tables. On each lie as many sets of one piece.
type large struct {
	*server
	tables []id.OID
	sets   [][]id.OID
}

// counter returns a kind of piece.
func counter(t testing.TB) room.Contents {
	t.Helper()
	art := picture("counter")
	doc := version("Counter", "light", "", []room.Blob{art}, "")
	return room.Contents{Kinds: [][]byte{doc}, Art: []room.Blob{art},
		Parts: []room.Part{{Kind: sha256.Sum256(doc)}}}
}

// fill creates sets, and tables for them, until there are n.
func (l *large) fill(b *testing.B, n int) {
	c := counter(b)
	l.tables, l.sets = make([]id.OID, n/perTable), make([][]id.OID, n/perTable)
	next := make(chan int) // numbers of tables
	var making sync.WaitGroup
	for range makers {
		making.Go(func() {
			for i := range next {
				l.tables[i], l.sets[i] = l.lay(b, c)
			}
		})
	}
	for i := range l.tables {
		next <- i
	}
	close(next)
	making.Wait()
}

// lay creates a table with its sets.
func (l *large) lay(b *testing.B, c room.Contents) (table id.OID, sets []id.OID) {
	table = l.mint()
	on := room.Session{Table: table, Seat: 1}
	for range perTable {
		set := l.mint()
		if err := l.world.Make(b.Context(), on, set, c); err != nil {
			b.Error(err)
			return table, sets
		}
		if _, err := l.world.Hold(b.Context(), on, set); err != nil {
			b.Error(err)
			return table, sets
		}
		sets = append(sets, set)
	}
	return table, sets
}

// look asks a random set what its piece is.
func (l *large) look(b *testing.B) {
	i := rand.IntN(len(l.tables))
	set := l.sets[i][rand.IntN(perTable)]
	if _, err := l.world.Reveal(b.Context(), l.tables[i], set, []uint32{0}); err != nil {
		b.Fatal(err)
	}
}

// memory returns how many bytes of memory are in use after a garbage collection: those of Go's
// heap, and those of the process, or 0 if the system does not report them.
func memory() (heap, process float64) {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return float64(m.HeapAlloc), 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var kib float64
		if n, _ := fmt.Sscanf(s.Text(), "VmRSS: %f kB", &kib); n == 1 {
			process = kib * 1024
		}
	}
	return float64(m.HeapAlloc), process
}

// BenchmarkLargeWorld has more objects than the server may keep in memory (-args -objects). It
// creates them, starts with them, calls them in random order, and collects meanwhile.
func BenchmarkLargeWorld(b *testing.B) {
	l := &large{server: newPlace(b, "Ada").servers[0]}
	l.stop()
	l.cache = largeCache
	l.start()
	at := time.Now()
	l.fill(b, *objects)
	filled := time.Since(at)
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			l.stop() // the database brings its write-ahead log into its file
			b.StartTimer()
			l.start()
			l.look(b)
		}
		n := float64(len(l.tables) * perTable)
		b.ReportMetric(n/filled.Seconds(), "made/s")
		b.ReportMetric(float64(l.disk())/n, "disk-B/set")
		heap, process := memory()
		b.ReportMetric(heap/1e6, "MB-heap")
		b.ReportMetric(process/1e6, "MB-process")
	})
	b.Run("look", func(b *testing.B) {
		var took latencies
		for b.Loop() {
			took.time(func() { l.look(b) })
		}
		took.report(b, "")
	})
	b.Run("round", l.round)
	b.Run("throw", l.throw)
}

// disk returns the size of the server's files in bytes.
func (l *large) disk() (size int64) {
	l.must(filepath.Walk(l.dir, func(_ string, f os.FileInfo, err error) error {
		if err == nil && !f.IsDir() {
			size += f.Size()
		}
		return err
	}))
	return size
}

// round collects while calls ask one set after the other.
func (l *large) round(b *testing.B) {
	var took latencies
	var r object.Rounded
	deleted := 0
	for b.Loop() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			var err error
			if r, err = l.world.Collect(b.Context()); err != nil {
				b.Error(err)
			}
			deleted += r.Deleted
		}()
		for ended := false; !ended; {
			took.time(func() { l.look(b) })
			select {
			case <-done:
				ended = true
			default:
			}
		}
	}
	took.report(b, "look-")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1e3, "longest-look-ms")
	b.ReportMetric(float64(r.Objects), "objects")
	b.ReportMetric(float64(deleted), "deleted")
}

// throw deletes each tenth table, and collects the sets that lay on it.
func (l *large) throw(b *testing.B) {
	var left large
	left.server = l.server
	for i, table := range l.tables {
		if i%10 == 0 {
			l.must(l.world.Delete(b.Context(), table))
			continue
		}
		left.tables, left.sets = append(left.tables, table), append(left.sets, l.sets[i])
	}
	*l = left
	l.round(b)
}
