package connection

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"holt/server/transport/depgraph"
)

const (
	// mostHeld is how many bytes an end keeps at most for a client that sends what it likes: the window, half as much again for what the
	// accounts of D14 do not see, such as how memory is dealt out, the places of 8,192 messages, and what is not guaranteed.
	mostHeld = 640 << 10
	// crowd is how many connections are weighed together.
	crowd = 4
)

// greed is a client that makes an end keep as much as it can.
type greed struct {
	name string
	// next returns the i-th record, and false if there are no more.
	next func(i uint64) ([]byte, bool)
}

// downFrom returns the numbers of n messages below one, ascending.
func downFrom(number, n uint64) (deps []uint64) {
	for d := number - min(n, number-1); d < number; d++ {
		deps = append(deps, d)
	}
	return deps
}

// greeds are clients whose messages wait for message 0, which does not come, or for others that wait.
func greeds() (all []greed) {
	last := uint64(depgraph.Window - 1)
	for _, deps := range []uint64{1, 2, 3, 5, 16, 33, 64} {
		for _, size := range []int{0, 1, 9, 17, 33, 49, 65, 129, 257, 513, 1025} {
			all = append(all, greed{fmt.Sprintf("%d dependencies and %d bytes each", deps, size), func(i uint64) ([]byte, bool) {
				if i+deps > last {
					return nil, false
				}
				n := last - i
				return whole(n, make([]byte, size), downFrom(n, deps)...), true
			}})
		}
	}
	for _, size := range []int{256, 257, 513, 1025, 4096} {
		all = append(all, greed{fmt.Sprintf("parts of messages of %d bytes", size), func(i uint64) ([]byte, bool) {
			return fragment(last-i, make([]byte, size), 0, 16), i < last
		}})
	}
	// What waited for many has been executed, and what is long waits in its place.
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

// play says what the client has to say, up to count records, and returns how many were taken before the connection ended.
func (g greed) play(k *talk, count int) int {
	for i := range count {
		r, ok := g.next(uint64(i))
		if !ok || k.say(r) != nil {
			return i
		}
	}
	return count
}

// more takes what has no account: places up to the end of the window, a packet of as many records as go in, and as many unguaranteed
// messages as wait.
func (k *talk) more() error {
	const room = 1400 // bytes of a packet
	var deps []uint64
	for d := range uint64(depgraph.MaxDependencies) {
		deps = append(deps, depgraph.Window-1-depgraph.MaxDependencies+d)
	}
	if err := k.say(whole(depgraph.Window-1, nil)); err != nil {
		return err
	}
	if err := k.say(bytes.Repeat(appendLoose(nil, 0, nil, nil), room/3)); err != nil {
		return err
	}
	for range depgraph.MaxLoose {
		if err := k.say(appendLoose(nil, 0, append([]uint64{0}, deps[1:]...),
			make([]byte, room-2*len(deps)))); err != nil {
			return err
		}
	}
	return nil
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestMemory(t *testing.T) {
	for _, g := range greeds() {
		t.Run("D14 with "+g.name+" an end keeps no more than it should", func(t *testing.T) {
			// How much it may say is found by one that says too much.
			may := g.play(newTalk(t, Path{Largest: MaxSize}, FromClient), depgraph.Window)
			var all []*talk
			before := heap()
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
			held := (heap() - before) / crowd
			t.Logf("%d bytes of %d messages", held, may)
			if held > mostHeld {
				t.Errorf("%d bytes are kept of %d messages, more than %d", held, may, mostHeld)
			}
			runtime.KeepAlive(all)
		})
	}
}
