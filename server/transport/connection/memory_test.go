package connection

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"holt/server/transport/depgraph"
)

const (
	// mostHeld is the most that an end keeps for a client that sends what it likes, in bytes. It is
	// the window and half as much for what D14 does not count: the overhead of allocations, the
	// places of 8,192 messages, and unguaranteed messages.
	mostHeld = 640 << 10
	// crowd is the number of connections that are measured together.
	crowd = 4
)

// greed is a client that makes an end keep as much as possible.
type greed struct {
	name string
	// next returns the i-th record, and false if there are no more.
	next func(i uint64) ([]byte, bool)
}

// downFrom returns the numbers of n messages before number, in ascending order.
func downFrom(number, n uint64) (deps []uint64) {
	for d := number - min(n, number-1); d < number; d++ {
		deps = append(deps, d)
	}
	return deps
}

// greeds returns clients whose messages wait for message 0, which does not come, or for others that
// wait.
func greeds() (all []greed) {
	last := uint64(depgraph.Window - 1)
	for _, deps := range []uint64{1, 2, 3, 5, 16, 33, 64} {
		for _, size := range []int{0, 1, 9, 17, 33, 49, 65, 129, 257, 513, 1025} {
			all = append(all, greed{fmt.Sprintf(
				"%d dependencies and %d bytes each", deps, size,
			), func(i uint64) ([]byte, bool) {
				if i+deps > last {
					return nil, false
				}
				n := last - i
				return whole(n, make([]byte, size), downFrom(n, deps)...), true
			}})
		}
	}
	for _, size := range []int{256, 257, 513, 1025, 4096} {
		all = append(all, greed{fmt.Sprintf(
			"parts of messages of %d bytes", size,
		), func(i uint64) ([]byte, bool) {
			return fragment(last-i, make([]byte, size), 0, 16), i < last
		}})
	}
	// The message for which many waited has been executed, and a long one waits in its place.
	all = append(all, greed{"first many dependencies, then many bytes", func(i uint64) ([]byte, bool) {
		const many = 240
		switch {
		case i < many:
			return whole(200+i, nil, downFrom(65, 64)...), true
		case i < many+64:
			return whole(i-many+1, nil), true
		default:
			return whole(last-i, make([]byte, 1025), 0), i < last
		}
	}})
	return all
}

// play sends the client's records, at most count. It returns how many were accepted before the
// connection ended.
func (g greed) play(k *talk, count int) int {
	for i := range count {
		r, ok := g.next(uint64(i))
		if !ok || k.say(r) != nil {
			return i
		}
	}
	return count
}

// more sends what D14 does not count: places up to the end of the window, a packet with as many
// records as possible, and as many unguaranteed messages as may wait.
func (k *talk) more() error {
	const room = 1400 // bytes of a packet
	var deps []uint64
	for d := range uint64(depgraph.MaxDependencies) {
		deps = append(deps, depgraph.Window-1-depgraph.MaxDependencies+d)
	}
	if err := k.say(whole(depgraph.Window-1, nil)); err != nil {
		return err
	}
	if err := k.say(bytes.Repeat(appendUnguaranteed(nil, 0, nil, nil), room/3)); err != nil {
		return err
	}
	for range depgraph.MaxUnguaranteed {
		if err := k.say(appendUnguaranteed(nil, 0, append([]uint64{0}, deps[1:]...),
			make([]byte, room-2*len(deps)))); err != nil {
			return err
		}
	}
	return nil
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestMemory(t *testing.T) {
	for _, g := range greeds() {
		t.Run("D14 with "+g.name+" an end keeps only a bounded amount", func(t *testing.T) {
			// A first client sends too much, which shows how much a client may send.
			may := g.play(newTalk(t, Path{Largest: MaxSize}, FromClient), depgraph.Window)
			var all []*talk
			before := heapInUse()
			for range crowd {
				k := newTalk(t, Path{Largest: MaxSize}, FromClient)
				if n := g.play(k, may); n != may {
					t.Fatalf("%d of %d are taken: %v", n, may, k.conn.Err())
				}
				if err := k.more(); err != nil {
					t.Fatal(err)
				}
				k.got = nil
				all = append(all, k)
			}
			held := (heapInUse() - before) / crowd
			t.Logf("%d bytes of %d messages", held, may)
			if held > mostHeld {
				t.Errorf("%d bytes are kept of %d messages, more than %d", held, may, mostHeld)
			}
			runtime.KeepAlive(all)
		})
	}
}
