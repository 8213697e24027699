package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"

	"holt/scripts/bench/lines/trace"
)

func TestCoverage(t *testing.T) {
	for name, test := range map[string]struct {
		came [][2]int // offset and size
		want []int
	}{
		"in order":                {[][2]int{{0, 10}, {10, 5}, {15, 20}}, []int{7, 8, 9}},
		"all at once":             {[][2]int{{0, 35}}, []int{7, 8, 9}},
		"the last first":          {[][2]int{{15, 20}, {0, 15}}, []int{9, 7, 8}},
		"cut anywhere":            {[][2]int{{3, 10}, {0, 3}, {12, 3}, {15, 1}}, []int{7, 8}},
		"twice":                   {[][2]int{{0, 10}, {0, 10}, {5, 10}, {5, 10}}, []int{7, 8}},
		"never complete":          {[][2]int{{0, 9}, {16, 19}, {11, 4}}, nil},
		"beyond the sent bytes":   {[][2]int{{15, 1000}, {-5, 6}}, []int{9}},
		"nothing":                 {[][2]int{{0, 0}, {10, 0}}, nil},
		"byte by byte, backwards": {[][2]int{{14, 1}, {13, 1}, {12, 1}, {11, 1}, {10, 1}}, []int{8}},
	} {
		t.Run(name, func(t *testing.T) {
			var c coverage
			c.add(7, 10)
			c.add(8, 5)
			c.add(9, 20)
			var got []int
			for _, piece := range test.came {
				c.came(piece[0], piece[1], func(n int) { got = append(got, n) })
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("complete are %v, want %v", got, test.want)
			}
		})
	}
}

func TestFrames(t *testing.T) {
	for _, size := range []int{0, 1, 125, 126, 1000, 65_535, 65_536, 100_000} {
		m := bytes.Repeat([]byte{byte(size), 2}, size)[:size]
		b := appendFrame([]byte("x"), m)[1:]
		head := 2
		if size > 125 {
			head = 4
		}
		if size > 65_535 {
			head = 10
		}
		if len(b) != head+size {
			t.Errorf("a frame of %d bytes has %d", size, len(b))
		}
		r := bufio.NewReader(bytes.NewReader(append(b, b...)))
		for range 2 {
			if got, err := readFrame(r); err != nil || !bytes.Equal(got, m) {
				t.Errorf("of %d bytes %d are read: %v", size, len(got), err)
			}
		}
		if _, err := readFrame(r); !errors.Is(err, io.EOF) {
			t.Errorf("at the end: %v", err)
		}
	}
	for name, b := range map[string][]byte{
		"text":      {0x81, 1, 'x'},
		"too large": {0x82, 127, 0, 0, 0, 0, 0xff, 0, 0, 0},
	} {
		if _, err := readFrame(bufio.NewReader(bytes.NewReader(b))); !errors.Is(err, errFrame) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// segment is a packet of TCP as the watcher sees it.
func segment(sequence uint32, flags byte, payload int) []byte {
	const ip, tcp = 24, 32 // both have options
	p := make([]byte, ip+tcp+payload)
	p[0], p[9] = 0x40|ip/4, 6
	binary.BigEndian.PutUint16(p[2:], uint16(len(p)))
	binary.BigEndian.PutUint32(p[ip+4:], sequence)
	p[ip+12], p[ip+13] = tcp/4<<4, flags
	return p
}

func TestWatcher(t *testing.T) {
	const syn, ack = 0x02, 0x10
	first := uint32(1<<32 - 20) // numbers wrap soon
	watching := func() (*bout, *watcher) {
		b := newBout(three())
		w := watchTCP(b)
		b.sending(0, len(b.trace))
		for n := range b.trace {
			w.sending(n, 2+b.size(n)) // 22, 10 and 32 bytes
		}
		w.delivered(true, segment(first-1, syn|ack, 0))
		return b, w
	}
	arrived := func(b *bout) (all []int) {
		for n := range b.trace {
			if b.arrived[n] != 0 {
				all = append(all, n)
			}
		}
		return all
	}
	t.Run("messages have arrived when all their bytes have", func(t *testing.T) {
		b, w := watching()
		for _, step := range []struct {
			sequence uint32
			size     int
			want     []int
		}{
			{first, 21, nil},
			{first, 0, nil},
			{first + 32, 32, []int{2}}, // the one before it is lost
			{first + 21, 10, []int{0, 2}},
			{first, 32, []int{0, 1, 2}},
		} {
			w.delivered(true, segment(step.sequence, ack, step.size))
			if got := arrived(b); !slices.Equal(got, step.want) {
				t.Errorf("after %d bytes from %d on %v have arrived, want %v", step.size,
					step.sequence-first, got, step.want)
			}
		}
	})
	t.Run("upward, other and truncated packets are ignored", func(t *testing.T) {
		b, w := watching()
		w.delivered(false, segment(first, ack, 64))
		other := segment(first, ack, 64)
		other[9] = 17
		w.delivered(true, other)
		whole := segment(first, ack, 64)
		for n := range whole {
			w.delivered(true, whole[:n])
		}
		if got := arrived(b); got != nil {
			t.Errorf("%v have arrived", got)
		}
	})
}

func TestChannel(t *testing.T) {
	b := newBout(trace.Trace{{Size: 9, Lanes: []int{3, 5}}, {Size: 9}, {Size: 9, Lanes: []int{0}}})
	for n, want := range []int{4, 0, 1} {
		if got := b.channel(n); got != want {
			t.Errorf("message %d is in channel %d, want %d", n, got, want)
		}
	}
}
