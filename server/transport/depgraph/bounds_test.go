package depgraph

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestBounds(t *testing.T) {
	t.Run("D14.7 a graph has at most 8,192 nodes above the floor", func(t *testing.T) {
		l := newLine(t, 1<<20)
		for n := uint64(8191); n > 0; n-- { // each waits for message 0
			l.add(0, n, 0)
		}
		if err := l.Add(0, Header{8192, []uint64{0}}, 1, ""); !errors.Is(err, ErrProtocol) {
			t.Errorf("message 8,192 above the floor: %v", err)
		}
		if err := l.Part(0, 8192); !errors.Is(err, ErrProtocol) {
			t.Errorf("a part of message 8,192 above the floor: %v", err)
		}
		if n := len(l.graph.nodes); n > 8192 {
			t.Errorf("there is room for %d nodes", n)
		}
		l.log = nil
		if l.add(0, 0); len(l.log) != 8192 || l.Floor() != 8192 {
			t.Errorf("%d are executed, floor %d", len(l.log), l.Floor())
		}
	})
	t.Run("D15.7 64 unguaranteed messages are kept, and the oldest goes first", func(t *testing.T) {
		l := newLine(t, 1000)
		want := []string{"0"}
		for i := range 66 {
			name := fmt.Sprint("m", i)
			l.loosely(0, 0, name, 0)
			if i >= 2 {
				want = append(want, name)
			}
		}
		l.add(0, 0)
		l.want(strings.Join(want, " "), 1)
	})
}
