package trace

import (
	"context"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
	"holt/server/transport/depgraph"
	"holt/server/transport/framing"
)

var (
	record = flag.String("record", "",
		"folder into which TestRecord writes what it has recorded; \".\" is this one")
	seconds = flag.Int("seconds", 2, "how long it plays, in virtual time")
)

const (
	warm = 3 * time.Second // meanwhile the stream is synchronised, before anything is recorded
	// settled is how long after it was made a message counts as executed in the recording. On the
	// lines on which recordings are played no message is under way for so long, except for a
	// connection that cannot keep up at all.
	settled = 2 * time.Second
)

// TestRecord plays at a table, over the real rooms and storage, and records what a spectator is
// sent.
func TestRecord(t *testing.T) {
	for name, play := range map[string]func(*party){Table: (*party).busy, Drags: (*party).drag} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var got Trace
			synctest.Test(t, func(t *testing.T) { got = watch(t, dir, play) })
			plausible(t, name, got)
			if *record == "" {
				return
			}
			f, err := os.Create(filepath.Join(*record, name+".trace"))
			if err == nil {
				err = got.Write(f)
			}
			if err == nil {
				err = f.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestRecordings checks that the recordings have the properties that their names promise.
func TestRecordings(t *testing.T) {
	for _, name := range []string{Table, Drags} {
		t.Run(name, func(t *testing.T) {
			got, err := Open(name)
			if err != nil {
				t.Fatal(err)
			}
			plausible(t, name, got)
			if last := got[len(got)-1].At; last < 19*time.Second {
				t.Errorf("it ends after %v", last)
			}
		})
	}
}

// plausible checks what a recording is made for: 200 messages a second about a number of pieces,
// each of which waits for the earlier messages about its pieces.
func plausible(t *testing.T, name string, got Trace) {
	t.Helper()
	if len(got) == 0 {
		t.Fatal("nothing was recorded")
	}
	last := map[int]int{}
	bytes, fences, early := 0, 0, 0
	for i, m := range got {
		bytes += m.Size
		if len(m.Deps) > 3 {
			fences++
		}
		for _, lane := range m.Lanes {
			if before, ok := last[lane]; ok && m.At-got[before].At < settled &&
				!reaches(got, i, before) {
				early++
			}
			last[lane] = i
		}
	}
	if early > 0 {
		t.Errorf("%d messages do not wait for earlier ones about their pieces", early)
	}
	rate := float64(len(got)) / got[len(got)-1].At.Seconds()
	if math.Abs(rate-200) > 20 {
		t.Errorf("%.0f messages a second, want 200", rate)
	}
	if name == Table && (fences < len(got)/500 || fences > len(got)/50) {
		t.Errorf("%d of %d messages wait for many", fences, len(got))
	}
	if len(last) < 8 || name == Table && len(last) < tokens {
		t.Errorf("they are about %d pieces", len(last))
	}
	t.Logf("%s: %d messages, %.0f a second, %.1f bytes, %d pieces, %d wait for more than three",
		name, len(got), rate, float64(bytes)/float64(len(got)), len(last), fences)
}

// reaches returns whether message i waits for message to, directly or by others.
func reaches(t Trace, i, to int) bool {
	for _, d := range t[i].Deps {
		if d == to || d > to && reaches(t, d, to) {
			return true
		}
	}
	return false
}

// watch makes a table, makes players play, and returns the recording.
func watch(t *testing.T, dir string, play func(*party)) Trace {
	p := newParty(t, dir)
	defer p.leave()
	begun := time.Now()
	r := &recorder{t: t, begun: begun, splitter: framing.NewSplitter(),
		sender: depgraph.NewSender(24 << 20), names: map[id.Piece]int{}}
	if _, err := p.rooms.Open(t.Context(), p.watcher,
		room.Hello{Client: id.Client{15: 99}, WithoutMotion: true}, r); err != nil {
		t.Fatal(err)
	}
	play(p)
	<-time.After(warm + time.Duration(*seconds)*time.Second)
	p.stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trace
}

// recorder is the carrier of a stream, and the connection of its splitter. A message counts as
// arrived when it is settled.
type recorder struct {
	t     *testing.T
	begun time.Time

	mu sync.Mutex
	// Guarded by mu.
	splitter *framing.Splitter
	sender   *depgraph.Sender
	trace    Trace
	made     []time.Time // each message, including those before the trace
	settled  uint64      // messages
	names    map[id.Piece]int
	cut      wire.Cut
}

func (r *recorder) Write(_ context.Context, frames [][]byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.settled < uint64(len(r.made)) && time.Since(r.made[r.settled]) >= settled {
		r.settled++
	}
	if err := r.sender.AcknowledgeBelow(r.settled); err != nil {
		r.t.Error(err)
	}
	for _, f := range frames {
		if err := r.splitter.Add(f); err != nil {
			r.t.Error(err)
		}
	}
	if all, err := r.splitter.Flush(0, r); !all || err != nil {
		r.t.Errorf("messages were not taken: %v", err)
	}
	return nil
}

func (*recorder) Close(stream.Code, string) {}

func (r *recorder) Send(_ time.Duration, msg []byte, deps []*depgraph.Handle,
	h *depgraph.Handle) error {
	r.sender.Begin()
	for _, d := range deps {
		if err := r.sender.Depend(d); err != nil {
			return err
		}
	}
	header, err := r.sender.End(h, len(msg))
	if err != nil {
		return err
	}
	now := time.Now()
	if since := now.Sub(r.begun); since >= warm {
		r.keep(msg, header)
	}
	r.made = append(r.made, now)
	return nil
}

// keep adds a message to the trace. Messages that were sent before have arrived.
func (r *recorder) keep(msg []byte, h depgraph.Header) {
	if err := r.cut.Read(msg); err != nil {
		r.t.Error(err)
	}
	first := h.Number - uint64(len(r.trace))
	m := Message{Size: len(msg)}
	if len(r.trace) > 0 {
		m.At = time.Since(r.made[first])
	}
	for _, part := range r.cut.Parts {
		for _, name := range part.Pieces {
			if _, ok := r.names[name]; !ok {
				r.names[name] = len(r.names)
			}
			m.Lanes = append(m.Lanes, r.names[name])
		}
	}
	slices.Sort(m.Lanes)
	m.Lanes = slices.Compact(m.Lanes)
	for _, d := range h.Deps {
		if d >= first {
			m.Deps = append(m.Deps, int(d-first))
		}
	}
	if err := r.trace.check(&m); err != nil {
		r.t.Error(err)
	}
	r.trace = append(r.trace, m)
}

func (r *recorder) SendUnguaranteed(time.Duration, uint32, []byte, []*depgraph.Handle) error {
	r.t.Error("something unguaranteed was sent to a client that does not look")
	return nil
}

func (*recorder) MaxUnguaranteed() int { return framing.MaxUnguaranteed }
