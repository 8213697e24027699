package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/web"
)

// recorder is a table with a long log.
type recorder struct {
	*stack
	host       seat
	epoch      uint64
	deck, chip uint64
	version    uint64 // version of the chip
	seq        int
}

// newRecorder returns a table of cards.
func newRecorder(t testing.TB) *recorder {
	t.Helper()
	r := &recorder{stack: newStack(t, func(c *web.Config) {
		c.Limits.Updates = web.Rate{PerSecond: 1e9, Burst: 1 << 30}
		c.Limits.Exports = web.Rate{PerSecond: 1e9, Burst: 1 << 30}
	})}
	r.host = r.open("cards")
	var state struct {
		Epoch  uint64
		Pieces []struct {
			ID, Mark uint64
			Pinned   bool
		}
		Holds []struct{ Piece uint64 }
	}
	r.get(r.host.api(""), r.host.bearer()...).json(t, &state)
	r.epoch = state.Epoch
	r.deck = state.Holds[0].Piece
	for _, p := range state.Pieces {
		if !p.Pinned {
			r.chip, r.version = p.ID, p.Mark
		}
	}
	return r
}

// play shuffles the deck, 54 entries and more, and moves a piece 200 times.
func (r *recorder) play() {
	r.Helper()
	var all strings.Builder
	r.seq++
	fmt.Fprintf(&all, `{"seq":%d,"piece":%d,"op":"shuffle"}`, r.seq, r.deck)
	for range 200 {
		r.seq++
		fmt.Fprintf(&all, `,{"seq":%d,"piece":%d,"tag":%d,"op":"move","x":%d,"y":0}`, r.seq, r.chip,
			r.version, r.seq%1000)
	}
	body := fmt.Sprintf(`{"client":%q,"epoch":%d,"updates":[%s]}`, clientID, r.epoch, all.String())
	if a := r.post(r.host.api("/updates"), body,
		r.host.bearer()...); a.StatusCode != http.StatusAccepted {
		r.Fatalf("%s %s", a.Status, a.body)
	}
}

// fetch requests the export without a network, and returns the status, the entity tag and the
// length.
func (r *recorder) fetch(tag string) (status int, etag string, bytes int64) {
	r.Helper()
	req := httptest.NewRequestWithContext(r.Context(), http.MethodGet, r.host.api("/fairness"), nil)
	req.Header.Set("Authorization", "Bearer "+r.host.Token)
	if tag != "" {
		req.Header.Set("If-None-Match", tag)
	}
	w := &discarding{header: http.Header{}}
	r.web.ServeHTTP(w, req)
	return w.status, w.header.Get("ETag"), w.bytes
}

// discarding is a response writer that counts the bytes and drops them.
type discarding struct {
	header http.Header
	status int
	bytes  int64
}

func (d *discarding) Header() http.Header { return d.header }
func (d *discarding) WriteHeader(s int)   { d.status = s }
func (d *discarding) Write(b []byte) (int, error) {
	d.bytes += int64(len(b))
	return len(b), nil
}

// BenchmarkFairness exports a table with 100,000 entries, of which every 200th shuffles a deck.
func BenchmarkFairness(b *testing.B) {
	r := newRecorder(b)
	for range 100_000 / 256 {
		r.play()
	}
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		table, err := id.ParseOID(r.host.Table)
		r.must(err)
		for range b.N {
			rooms := room.New(r.cfg) // they have read nothing yet
			e, _, err := rooms.Fairness(b.Context(), room.Session{Table: table, Seat: 1})
			r.must(err)
			r.must(e.Write(io.Discard))
		}
	})
	for _, c := range []struct {
		name  string
		again func() string // runs before each request; returns the entity tag to send
	}{
		{"unchanged", func() string { return "" }},
		{"after a shuffle and 200 moves", func() string { r.play(); return "" }},
		{"not modified", func() string { _, tag, _ := r.fetch(""); return tag }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var bytes int64
			for range b.N {
				b.StopTimer()
				tag := c.again()
				b.StartTimer()
				_, _, bytes = r.fetch(tag)
			}
			b.ReportMetric(float64(bytes), "bytes")
		})
	}
}
