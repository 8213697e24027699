package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"holt/server/proto/holtpb"
)

// BenchmarkReplay plays 2,000 gestures, with a shuffle of the deck after every hundredth. Then it
// opens the replay, and jumps to the middle: it reads what comes after that.
func BenchmarkReplay(b *testing.B) {
	r := newRecorder(b)
	readers := []seat{r.host}
	for n := range 30 { // each has a budget of its own
		readers = append(readers, r.join(r.host, r.host.Invites.Spectator, fmt.Sprint("Eve ", n)))
	}
	for range 20 {
		r.gestures(100)
	}
	next := 0
	page := func(b *testing.B, query string) *holtpb.Replay {
		for {
			next = (next + 1) % len(readers)
			k := readers[next]
			a := r.get(k.api("/replay"+query), k.bearer()...)
			if a.StatusCode == http.StatusTooManyRequests {
				b.StopTimer()
				<-time.After(time.Second)
				b.StartTimer()
				continue
			}
			var p holtpb.Replay
			if err := proto.Unmarshal([]byte(a.body), &p); err != nil || a.StatusCode != http.StatusOK {
				b.Fatal(a.Status, err)
			}
			b.ReportMetric(float64(len(a.body)), "B/page")
			return &p
		}
	}
	frames := page(b, "").GetFrames()
	middle := fmt.Sprint("?after=", frames[len(frames)/2].GetTime())
	for name, query := range map[string]string{"open": "", "jump": middle} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if p := page(b, query); len(p.GetFrames()) == 0 {
					b.Fatal("the page is empty")
				}
			}
		})
	}
}

// gestures shuffles the deck and moves a piece so many times, as people do: they grab it first.
func (r *recorder) gestures(n int) {
	r.Helper()
	var all strings.Builder
	r.seq++
	fmt.Fprintf(&all, `{"seq":%d,"piece":%d,"op":"shuffle"}`, r.seq, r.deck)
	for range n {
		r.seq += 2
		fmt.Fprintf(&all, `,{"seq":%d,"piece":%d,"tag":%d,"op":"grab"}`+
			`,{"seq":%d,"piece":%d,"tag":%d,"op":"release","x":%d,"y":0}`,
			r.seq-1, r.chip, r.version, r.seq, r.chip, r.version, r.seq%1000)
	}
	body := fmt.Sprintf(`{"client":%q,"epoch":%d,"updates":[%s]}`, clientID, r.epoch, all.String())
	if a := r.post(r.host.api("/updates"), body,
		r.host.bearer()...); a.StatusCode != http.StatusAccepted {
		r.Fatalf("%s %s", a.Status, a.body)
	}
}
