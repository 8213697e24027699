package connection

import (
	"slices"
	"testing"
	"time"

	"holt/server/transport/simline"
)

// delays sends 200 messages a second over fifty pieces for a while, and returns how long they took,
// in ascending order.
func delays(t *testing.T, loss float64, one bool) []time.Duration {
	line := simline.Config{Delay: 50 * ms, Loss: loss}
	l := quietLink(t, udp, line, line)
	a, b := l.ends[0], l.ends[1]
	var took []time.Duration
	sent := map[uint64]time.Duration{}
	b.onExecute = func(number uint64, _ []byte) { took = append(took, l.now-sent[number]) }
	for range 12_000 {
		sent[a.sent] = l.now
		lane := int(a.sent*7) % lanes
		if one {
			lane = 0
		}
		if !a.send(40, lane) {
			t.Fatal("the window is full")
		}
		a.flush()
		l.run(l.now + 5*ms)
	}
	l.settle(5 * time.Second)
	slices.Sort(took)
	return took
}

func TestD5NothingElseIsHeldUp(t *testing.T) {
	at := func(took []time.Duration, share float64) time.Duration {
		return took[int(share*float64(len(took)))]
	}
	graph, channel := delays(t, 0.05, false), delays(t, 0.05, true)
	t.Logf("with 5 %% loss: by the graph p50 %v, p90 %v, p99 %v; "+
		"in one channel p50 %v, p90 %v, p99 %v",
		at(graph, 0.5), at(graph, 0.9), at(graph, 0.99), at(channel, 0.5), at(channel, 0.9),
		at(channel, 0.99))
	if p90 := at(graph, 0.9); p90 > 60*ms {
		t.Errorf("nine of ten messages take up to %v", p90)
	}
	if p90 := at(channel, 0.9); p90 < 120*ms {
		t.Errorf("in one channel nine of ten take up to %v: is anything lost at all?", p90)
	}
}
