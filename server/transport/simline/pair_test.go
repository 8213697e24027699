package simline

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestPair(t *testing.T) {
	// both sends n packets each way and returns when those of each direction arrived, by number.
	both := func(p Pair, there, back int) (arrivals [2][]fate) {
		for side, n := range []int{there, back} {
			arrivals[side] = make([]fate, n)
			for i := range n {
				b := binary.BigEndian.AppendUint32(nil, uint32(i))
				p[side].Send(time.Duration(i)*ms, b)
			}
			for {
				at, _ := p[side].Arrival()
				b, ok := p[side].Receive(time.Hour, nil)
				if !ok {
					break
				}
				arrivals[side][binary.BigEndian.Uint32(b)] = fate(at)
			}
		}
		return arrivals
	}
	bad := Config{Delay: 20 * ms, Loss: 0.2, Jitter: 5 * ms}
	t.Run("each direction has its own properties", func(t *testing.T) {
		got := both(NewPair(bad, Config{Delay: 80 * ms}, 1), 1000, 1000)
		if n := count(got[0]); n < 150 || n > 250 {
			t.Errorf("%d of 1000 are lost there, want 200", n)
		}
		for i, at := range got[1] {
			if want := fate(time.Duration(i)*ms + 80*ms); at != want {
				t.Fatalf("packet %d comes back at %v, want %v", i, at, want)
			}
		}
	})
	t.Run("a direction does not depend on what is sent in the other", func(t *testing.T) {
		a, b := both(NewPair(bad, bad, 7), 1000, 1000), both(NewPair(bad, bad, 7), 10, 1000)
		if !slices.Equal(a[1], b[1]) {
			t.Error("fewer packets there change what happens back")
		}
		if slices.Equal(a[0], a[1]) {
			t.Error("the same happens in both directions")
		}
		if c := both(NewPair(bad, bad, 8), 1000, 1000); slices.Equal(a[0], c[0]) {
			t.Error("another seed does the same")
		}
	})
}

func TestConfigWith(t *testing.T) {
	t.Run("a description adds to a configuration", func(t *testing.T) {
		base := Config{Loss: 0.5, Overhead: 28, InOrder: true}
		got, err := base.With("delay=50ms, jitter=20ms,loss=2.5%,burst=100ms,late=3%,lateness=7ms," +
			"duplicate=1%,rate=16000,queue=4000,disorder")
		want := Config{Delay: 50 * ms, Jitter: 20 * ms, Loss: 0.025, Burst: 100 * ms, Late: 0.03,
			Lateness: 7 * ms, Duplicate: 0.01, Rate: 16000, Queue: 4000, Overhead: 28}
		if err != nil || got != want {
			t.Errorf("got %+v, %v", got, err)
		}
		if got, err := base.With(""); err != nil || got != base {
			t.Errorf("nothing: got %+v, %v", got, err)
		}
		if got, err := (Config{}).With("order"); err != nil || !got.InOrder {
			t.Errorf("order: got %+v, %v", got, err)
		}
	})
	for _, bad := range []string{
		"delay", "delay=x", "delay=-1ms", "delay=2h", "loss=5", "loss=101%", "loss=-1%", "loss=NaN%",
		"loss=%", "rate=x", "rate=-1", "queue=9999999999", "order=1", "speed=1", "late=1ms",
	} {
		t.Run("refused: "+bad, func(t *testing.T) {
			if got, err := (Config{}).With(bad); !errors.Is(err, ErrConfig) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}
