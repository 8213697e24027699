package connection

import (
	"testing"
	"time"
)

// TestWindow shows what makes the window smaller (D27), at the limit of each rule.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		name                 string
		acked, lost          int
		limited              bool
		least, smoothed, was int // milliseconds, and bytes
		want                 int // bytes of the window afterwards
	}{
		{"one of five is lost", 48, 12, false, 50, 50, 10_000, 10_000},
		{"more than a fifth is lost", 47, 13, false, 50, 50, 10_000, 7_000},
		{"more than a fifth is lost of fewer than 60 packets", 46, 13, false, 50,
			50, 10_000, 10_000},
		{"one of 50 is lost, and something waits", 98, 2, true, 50, 80, 10_000, 10_000},
		{"more than one of 50 is lost, and something waits", 97, 3, true, 50, 80, 10_000, 7_000},
		{"more than one of 50 is lost, and nothing waits", 97, 3, false, 50, 80, 10_000, 10_000},
		{"more than one of 50 is lost, and the round trip is an eighth longer", 97, 3, true, 80,
			90, 10_000, 10_000},
		{"more than one of 50 is lost, and the round trip is over an eighth longer", 97, 3, true,
			80, 91, 10_000, 7_000},
		{"more than one of 50 is lost, and a short round trip is 5 ms longer", 97, 3, true, 10,
			15, 10_000, 10_000},
		{"more than one of 50 is lost, and a short round trip is 6 ms longer", 97, 3, true, 10,
			16, 10_000, 7_000},
		{"the round trip is 100 ms longer, and something waits", 10, 0, true, 300, 400, 10_000, 10_000},
		{"the round trip is 101 ms longer, and something waits", 10, 0, true, 300, 401, 10_000, 7_000},
		{"the round trip is 101 ms longer, and nothing waits", 10, 0, false, 300, 401, 10_000, 10_000},
		{"the round trip is four times as long, and something waits", 10, 0, true, 100,
			400, 10_000, 2_500},
		{"it is small already", 47, 13, false, 50, 50, 3_000, 2_400},
	} {
		// Clauses: D27.9, D27.10, D27.11, D27.12, D27.13, D27.14
		t.Run("D27 when "+c.name, func(t *testing.T) {
			f := newFlow(1200)
			f.window, f.acked, f.lost, f.limited, f.round = c.was, c.acked, c.lost, c.limited, 10
			f.least = time.Duration(c.least) * ms
			r := roundTrip{smoothed: time.Duration(c.smoothed) * ms}
			f.turn(9, 20, &r)
			if f.window != c.was {
				t.Fatalf("the window is %d before the round trip is over", f.window)
			}
			f.turn(10, 20, &r)
			if f.window != c.want {
				t.Errorf("the window is %d, not %d", f.window, c.want)
			}
			if f.filled != (c.want < c.was) {
				t.Errorf("it was full: %v", f.filled)
			}
		})
	}
	t.Run("D27.9 losses of several round trips add up to 60 packets", func(t *testing.T) {
		f, r := newFlow(1200), roundTrip{smoothed: 50 * ms}
		f.window = 10_000
		for round := range uint64(4) {
			f.acked, f.lost = f.acked+12, f.lost+4
			f.turn(10*round, 10*round+10, &r)
			if want := []int{10_000, 10_000, 10_000, 7_000}[round]; f.window != want {
				t.Errorf("after %d round trips the window is %d", round+1, f.window)
			}
		}
	})
}

func TestReceived(t *testing.T) {
	t.Run("D24.9 a late packet is reported until a report of it is acknowledged", func(t *testing.T) {
		var r received
		take := func(next uint64, numbers ...uint64) {
			for _, n := range numbers {
				r.take(0, n, true, next)
			}
		}
		tells := func(n uint64) bool {
			a := r.say(0, 0)
			return a.bits>>(r.next-2-n)&1 == 1
		}
		take(10, 0, 1, 3)
		r.known(10, 4) // it reported all of them
		if a := r.say(0, 0); a.size > 0 {
			t.Errorf("it keeps reporting what is known: %+v", a)
		}
		take(12, 2)
		if !tells(2) {
			t.Error("it does not report the late one")
		}
		r.known(11, 4) // sent before, and reported nothing of it
		if !tells(2) {
			t.Error("it counts one as reported that was not")
		}
		r.known(12, 4)
		if a := r.say(0, 0); a.size > 0 {
			t.Errorf("it keeps reporting: %+v", a)
		}
	})
}
