package sim

import (
	"flag"
	"math"
	mathrand "math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

var (
	cutSeed   = flag.Uint64("cutseed", 0, "seed of the only schedule of TestCuts")
	schedules = flag.Int("schedules", 1000, "schedules of TestCuts")
)

// TestCuts makes four clients play while their networks fail, for a second to an hour, noticed by
// the server or not, and the server is started again. Nobody reloads anything by hand: a client
// that finds a network again opens a stream. In the end each of them shows what the server shows,
// as a client does that was never cut off.
func TestCuts(t *testing.T) {
	first, n := *cutSeed, 1
	if first == 0 {
		first, n = firstSeed("schedules"), *schedules
		if testing.Short() {
			n = min(n, 100)
		}
	}
	t.Run("S5, S8, S14, T8.7 after any cuts all clients show the same", func(t *testing.T) {
		t.Logf("%d schedules; of the first: -run TestCuts -cutseed %d", n, first)
		var all cuts
		seeds := []uint64{4430166106701980921} // an ack that comes after updates made after it
		for i := range uint64(n) {
			seeds = append(seeds, first+i)
		}
		for i, seed := range seeds {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				all.play(t, &host{t: t, dir: dir}, mathrand.New(mathrand.NewPCG(seed, 0)),
					i > 0, false) // the first one is older than the chat
			})
			if t.Failed() {
				t.Fatalf("-run TestCuts -cutseed %d", seed)
			}
		}
		t.Logf("%d cuts, %d restarts, %d times resumed, %d full states, %d updates recorded, "+
			"%d lines in logs", all.cuts, all.restarts, all.resumed, all.fulls, all.recorded, all.lines)
		if n >= 100 && (all.cuts < n || all.restarts < n/10 || all.resumed < n || all.fulls < n ||
			all.recorded < 10*n || all.lines < n) {
			t.Errorf("it covers little: %+v", all)
		}
	})
}

// cuts counts what has happened.
type cuts struct{ cuts, restarts, resumed, fulls, recorded, lines, added int }

// play plays one schedule. With chat, people also write lines, and with edits two of them edit.
func (c *cuts) play(t *testing.T, h *host, rnd *mathrand.Rand, chat, edits bool) {
	h.start()
	defer func() { h.stop() }()
	guests := h.party(rnd)
	made := authors{host: h, rnd: rnd}
	if edits {
		made.begin(guests)
	}
	for range 150 {
		g := guests[rnd.IntN(len(guests))]
		switch n := rnd.IntN(100); {
		case n < 3:
			c.cuts++
			g.lose(outage(rnd))
		case n < 4 && rnd.IntN(4) == 0:
			c.restarts++
			h.stop()
			h.start()
		case n < 10:
			g.carry()
		case n < 50:
			g.act()
		case n < 52:
			<-time.After(outage(rnd) / 4)
		case n < 56 && chat:
			g.say()
		case n < 66 && edits:
			made.act(guests)
		default:
			<-time.After(time.Duration(rnd.Int64N(int64(50 * time.Millisecond))))
		}
		synctest.Wait()
		for _, g := range guests {
			g.step(h.rooms)
		}
	}
	for _, g := range guests {
		g.until = time.Time{}.Add(time.Nanosecond) // the network is back, for good
	}
	settle(t, h, guests)
	for _, g := range guests {
		compare(t, h, g)
		c.lines += compareChats(t, h, g, guests)
		c.recorded += g.recorded
		c.added += g.added
		c.resumed += g.resumed
		c.fulls += g.fulls
	}
	if edits {
		made.compare(guests)
	}
}

// outage returns for how long a network fails: from a second to an hour, short and long times
// equally often.
func outage(rnd *mathrand.Rand) time.Duration {
	return time.Duration(float64(time.Second) * math.Pow(3600, rnd.Float64()))
}
