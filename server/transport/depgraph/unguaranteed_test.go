package depgraph

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestUnguaranteed(t *testing.T) {
	t.Run("D15.5 a message without dependencies is executed at once", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 0)
		l.loosely(0, 1, "a")
		l.loosely(0, 1, "b", 0)
		l.want("0 a b", 1)
	})
	t.Run("D15 it is executed directly after its last dependency", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 3, 1)
		l.loosely(0, 0, "a", 0, 1)
		l.loosely(0, 0, "b", 3)
		l.add(10, 0)
		l.want("0", 1)
		l.add(20, 1)
		l.want("1 a 3 b", 2)
	})
	t.Run("D15.5 some of its dependencies may have been executed", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 0)
		l.add(0, 2)
		l.loosely(0, 0, "a", 0, 1, 2)
		l.want("0 2", 1)
		l.add(0, 1)
		l.want("1 a", 3)
	})
	t.Run("D15.6 a waiting message is replaced by a waiting one of its key", func(t *testing.T) {
		l := newLine(t, 1000)
		l.loosely(0, 7, "a", 0)
		l.loosely(0, 8, "b", 0)
		l.loosely(0, 7, "c", 0)
		l.add(0, 0)
		l.want("0 b c", 1)
	})
	t.Run("D15.6 a waiting message is replaced by a ready one of its key", func(t *testing.T) {
		l := newLine(t, 1000)
		l.loosely(0, 7, "a", 0)
		l.loosely(0, 7, "b")
		l.add(0, 0)
		l.want("b 0", 1)
	})
	t.Run("D15.9 without a key none is replaced", func(t *testing.T) {
		l := newLine(t, 1000)
		l.loosely(0, 0, "a", 0)
		l.loosely(0, 0, "b", 0)
		l.add(0, 0)
		l.want("0 a b", 1)
	})
	t.Run("D15 64 wait, the newest", func(t *testing.T) {
		l := newLine(t, 1000)
		var want []string
		for i := range 100 {
			l.loosely(0, uint64(i), fmt.Sprint("m", i), 0)
			want = append(want, fmt.Sprint("m", i))
		}
		l.add(0, 0)
		l.want("0 "+strings.Join(want[100-MaxUnguaranteed:], " "), 1)
	})
	t.Run("D15.8 it is dropped after 250 ms", func(t *testing.T) {
		l := newLine(t, 1000)
		l.loosely(0, 0, "a", 0)
		l.loosely(1, 0, "b", 0)
		if at, ok := l.Deadline(); !ok || at != 250*millisecond {
			t.Fatalf("deadline %d, %t", at, ok)
		}
		if err := l.Expire(250 * millisecond); err != nil {
			t.Fatal(err)
		}
		if at, ok := l.Deadline(); !ok || at != 251*millisecond {
			t.Fatalf("deadline %d, %t", at, ok)
		}
		l.add(250, 0)
		l.want("0 b", 1)
		if at, ok := l.Deadline(); ok {
			t.Fatalf("deadline %d, and nothing waits", at)
		}
	})
	t.Run("D15.8 it is dropped after 250 ms without a call in between", func(t *testing.T) {
		l := newLine(t, 1000)
		l.loosely(0, 0, "a", 0)
		l.add(250, 0)
		l.want("0", 1)
	})
	t.Run("D15 the earlier of two deadlines counts", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 1, 0)
		l.loosely(10_740, 0, "a", 0)
		if at, ok := l.Deadline(); !ok || at != 10_990*millisecond {
			t.Fatalf("deadline %d, %t", at, ok)
		}
		l.loosely(10_800, 1, "b", 0)
		if err := l.Expire(10_990 * millisecond); err != nil {
			t.Fatal(err)
		}
		if at, ok := l.Deadline(); !ok || at != 11_000*millisecond {
			t.Fatalf("deadline %d, %t", at, ok)
		}
	})
	t.Run("D15 it waits for unknown messages, and takes no place in the graph", func(t *testing.T) {
		l := newLine(t, 1000)
		l.loosely(0, 0, "a", 5)
		if l.Waiting() != 0 || l.graph.top != 0 {
			t.Fatal("it takes a place")
		}
		l.add(0, 5)
		l.want("5 a", 0)
	})
	t.Run("D14 its dependencies are bounded", func(t *testing.T) {
		l := newLine(t, 1000)
		if err := l.AddUnguaranteed(0, 0,
			slices.Repeat([]uint64{1}, 65), "a"); !errors.Is(err, ErrBounds) {
			t.Fatal(err)
		}
		if err := l.AddUnguaranteed(0, 0, []uint64{Window}, "a"); !errors.Is(err, ErrProtocol) {
			t.Fatal(err)
		}
		l.loosely(0, 0, "b", upTo(Window-64, Window)...)
		l.want("", 0)
	})
	t.Run("D15 the executing function may add messages", func(t *testing.T) {
		var log []string
		var r *Receiver[string]
		r = NewReceiver(1000, func(number uint64, _ string) { log = append(log, fmt.Sprint(number)) },
			func(_ uint64, m string) {
				log = append(log, m)
				if len(m) > 1 {
					return
				}
				for _, d := range []uint64{0, 1} {
					if err := r.AddUnguaranteed(0, 0, []uint64{d}, m+fmt.Sprint(d)); err != nil {
						t.Fatal(err)
					}
				}
			})
		for _, m := range []string{"a", "b"} {
			if err := r.AddUnguaranteed(0, 0, []uint64{0}, m); err != nil {
				t.Fatal(err)
			}
		}
		for n := range uint64(2) {
			if err := r.Add(0, Header{n, nil}, 1, ""); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(log, " "); got != "0 a a0 b b0 1 a1 b1" {
			t.Fatal(got)
		}
	})
}
