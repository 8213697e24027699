package endpoint

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"

	"holt/server/tables/stream"
	"holt/server/transport/connection"
)

var outages = flag.Int("outages", 3, "how many outages TestD29Outages makes of each sort")

// cuts are the directions in which a line is cut.
var cuts = []struct {
	name string
	lose func(p simnet.Packet) bool
}{
	{"both ways", func(simnet.Packet) bool { return true }},
	{"from the client", func(p simnet.Packet) bool { return !fromServer(p) }},
	{"from the server", fromServer},
}

func fromServer(p simnet.Packet) bool {
	from := addressOf(p.From)
	return from == quicAddress || from == plainAddress
}

// TestD29Outages measures how long after a line was cut each end notices it, and checks the bound:
// 10 s of silence (D29.9). Whoever notices first tells the other end, if its direction still works.
// Clauses: D29.1, D29.3, D29.11
func TestD29Outages(t *testing.T) {
	// What was under way at the cut still arrives, and so does the Close of the other end.
	const bound = 10*time.Second + 2*latency
	for _, way := range ways {
		for _, cut := range cuts {
			for _, busy := range []bool{false, true} {
				name := fmt.Sprintf("D29.9 both ends notice a cut in 10 s: %s, %s, busy %t", way.name,
					cut.name, busy)
				t.Run(name, func(t *testing.T) {
					var server, client []time.Duration
					for i := range *outages {
						rnd := rand.New(rand.NewPCG(uint64(i), 29))
						inWorld(t, Bounds{}, func(w *world) {
							g, err := way.open(w, "x")
							if err != nil {
								w.Fatal(err)
							}
							g.play(1, 3)
							// The phases of the keepalives at which the line is cut are spread evenly.
							after := time.Duration((float64(i) + rnd.Float64()) / float64(*outages) *
								float64(2*connection.DefaultKeepalive))
							s, c := w.outage(g, cut.lose, after, busy)
							server, client = append(server, s), append(client, c)
						})
					}
					for end, all := range map[string][]time.Duration{"server": server, "client": client} {
						slices.Sort(all)
						// An end has last heard something at most a keepalive before the cut.
						if all[0] < 10*time.Second-connection.DefaultKeepalive-2*latency ||
							all[len(all)-1] > bound {
							t.Errorf("the %s notices it after %v", end, all)
						}
						t.Logf("%s, %s, busy %t: %s %.1f / %.1f / %.1f s", way.name, cut.name, busy, end,
							all[0].Seconds(), all[len(all)/2].Seconds(), all[len(all)-1].Seconds())
					}
				})
			}
		}
	}
}

// outage cuts the line of a guest after some time, and returns when each end has noticed it. On a
// busy line the server has something to say every 100 ms, before the cut and after it.
func (w *world) outage(g *guest, lose func(p simnet.Packet) bool, after time.Duration,
	busy bool) (server, client time.Duration) {
	hosted := w.host.last(w)
	talking, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(talking)
		for n := uint64(100); busy; n++ {
			select {
			case <-time.After(100 * time.Millisecond):
				hosted.tell(n)
			case <-over:
				return
			}
		}
	}()
	w.pass(after)
	w.road.losing(0, lose)
	start := time.Now()
	heard := make(chan time.Duration, 1)
	go func() {
		<-g.ended
		heard <- time.Since(start)
	}()
	if err := <-hosted.ended; err == nil || errors.Is(err, stream.ErrLeft) {
		w.Errorf("the stream has ended with %v", err)
	}
	server = time.Since(start)
	client = <-heard
	close(over)
	<-talking
	w.road.losing(0, nil)
	g.conn.Wait()
	synctest.Wait()
	return server, client
}
