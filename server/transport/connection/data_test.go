package connection

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"holt/server/transport/depgraph"
)

func TestData(t *testing.T) {
	t.Run("D22.1 the beginning of a packet is read back", func(t *testing.T) {
		for _, d := range []data{
			{},
			{number: 0xffff, quiet: true},
			{number: 1, acks: true, ack: ack{latest: 2, delay: 3, floor: 0x7fff}},
			{number: 1, quiet: true, acks: true,
				ack: ack{latest: 0xffff, delay: 0xffff, floor: 4, size: 8, bits: 1<<64 - 1}},
			{number: 1, acks: true, ack: ack{size: 3, bits: 0x010203}},
		} {
			for _, named := range []bool{false, true} {
				if d.connection = 0; named {
					d.connection = 1<<63 + 5
				}
				p := appendData(nil, d, named)
				got, rest, err := readData(append(p, 1, 2), named)
				if err != nil || got != d || !bytes.Equal(rest, []byte{1, 2}) {
					t.Errorf("%+v, rest %x, %v; want %+v", got, rest, err, d)
				}
				cuts(t, p, len(p),
					func(p []byte) error { _, _, err := readData(p, named); return err })
				if most := startSize + nameSize + ackSize; len(p) > most {
					t.Errorf("it has %d bytes, more than %d", len(p), most)
				}
			}
		}
	})
	t.Run("D22 unknown flags, floors and bits are refused", func(t *testing.T) {
		good := appendData(nil, data{acks: true, ack: ack{size: 8}}, false)
		for name, change := range map[string]func(p []byte){
			"a flag":                 func(p []byte) { p[0] |= 4 },
			"another kind":           func(p []byte) { p[0] = 0x60 },
			"a floor with 16 bits":   func(p []byte) { p[7] |= 0x80 },
			"nine bytes for 64 bits": func(p []byte) { p[9] = 9 },
		} {
			p := append(bytes.Clone(good), 0, 0, 0)
			if change(p); !errors.Is(readDataError(p), ErrFormat) {
				t.Errorf("%s is accepted", name)
			}
		}
	})
}

func readDataError(p []byte) error {
	_, _, err := readData(p, false)
	return err
}

// readAll reads records at floor 100.
func readAll(p []byte) ([]record, error) {
	var r reader
	return r.read(p, 100)
}

func TestRecords(t *testing.T) {
	head := func(number uint64, deps ...uint64) []byte {
		return depgraph.AppendHeader(nil, depgraph.Header{Number: number, Deps: deps})
	}
	body := bytes.Repeat([]byte("abcdefgh"), 100)
	t.Run("D23.1 records are read back", func(t *testing.T) {
		var p []byte
		p = appendWhole(p, head(101), nil)
		p = appendWhole(p, head(103, 99, 101), body)
		p = append(p, 2*recordAsk+1)
		p = appendUnguaranteed(p, 0, nil, nil)
		p = appendUnguaranteed(p, 1<<32-1, []uint64{100, 101}, []byte("loose"))
		p = appendFragment(p, head(104, 103), body, 0, 320)
		p = appendFragment(p, head(105), body, 640, 800)
		want := []record{
			{kind: recordWhole,
				header: depgraph.Header{Number: 101, Deps: []uint64{}}, data: []byte{}},
			{kind: recordWhole,
				header: depgraph.Header{Number: 103, Deps: []uint64{99, 101}}, data: body},
			{kind: recordUnguaranteed, data: []byte{}},
			{kind: recordUnguaranteedDep, key: 1<<32 - 1, deps: []uint64{100, 101}, data: []byte("loose")},
			{kind: recordFragment, header: depgraph.Header{Number: 104, Deps: []uint64{103}},
				size: 800, from: 0, data: body[:320]},
			{kind: recordFragment, header: depgraph.Header{Number: 105, Deps: []uint64{}},
				size: 800, from: 640, data: body[640:]},
		}
		got, err := readAll(p)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
		ends := 0
		for n := range p { // nothing is missing where a record ends
			if _, err := readAll(p[:n]); err == nil {
				ends++
			} else if !errors.Is(err, ErrFormat) {
				t.Error(err)
			}
		}
		if ends != 7 {
			t.Errorf("%d beginnings are whole records, want 7", ends)
		}
	})
	t.Run("D23 a message of up to 61 bytes has three bytes of header", func(t *testing.T) {
		for _, n := range []int{0, 1, 61, 62} {
			got := len(appendWhole(nil, head(5), body[:n])) - n
			if want := 3 + n/62; got != want || got+n != wholeSize(head(5), body[:n]) {
				t.Errorf("%d bytes: %d of header, want %d", n, got, want)
			}
		}
	})
	t.Run("D23.2 invalid records are refused", func(t *testing.T) {
		for name, p := range map[string][]byte{
			"another kind":                     {9},
			"a length that is longer":          {0x80, 0},
			"a length beyond the packet":       {6, 0, 101},
			"a message without a number":       {2, 0},
			"an unguaranteed one beyond":       {3, 0, 5, 1, 2, 3, 4},
			"a list without an end":            {5, 0x80, 101},
			"a message that depends on itself": appendWhole(nil, []byte{0x80, 101, 0, 101}, nil),
			"a message too far above":          appendWhole(nil, head(100+depgraph.Window), nil),
		} {
			if got, err := readAll(p); !errors.Is(err, ErrFormat) {
				t.Errorf("%s: %+v %v", name, got, err)
			}
		}
	})
	t.Run("D22 a packet has at most 64 guaranteed messages and fragments", func(t *testing.T) {
		var p []byte
		for n := range uint64(maxRecords - 1) {
			p = append(appendUnguaranteed(appendWhole(p, head(101+n), nil), 1, nil, nil), 2*recordAsk+1)
		}
		p = appendFragment(p, head(200), body, 0, 16)
		if got, err := readAll(p); err != nil || len(got) != 2*maxRecords-1 {
			t.Errorf("%d records, %v", len(got), err)
		}
		if _, err := readAll(appendWhole(p, head(201), nil)); !errors.Is(err, errRecords) {
			t.Error(err)
		}
	})
	// Clauses: D25.1, D25.2, D25.3, D25.4, D25.8
	t.Run("D25 fragments begin and end with blocks of a cut message", func(t *testing.T) {
		fragment := func(size, block, length uint32) []byte {
			p := append([]byte{2*recordFragment + 1}, head(101)...)
			p = appendVarint(appendVarint(appendVarint(p, size), block), length)
			return append(p, make([]byte, length)...)
		}
		for _, good := range [][]byte{fragment(256, 0, 16), fragment(257, 16, 1),
			fragment(300, 0, 300), fragment(300, 18, 12)} {
			if _, err := readAll(good); err != nil {
				t.Errorf("%x: %v", good, err)
			}
		}
		for name, bad := range map[string][]byte{
			"empty":               fragment(256, 0, 0),
			"no block at its end": fragment(256, 0, 17),
			"beyond the end":      fragment(256, 15, 17),
			"after the end":       fragment(256, 16, 16),
			"far after the end":   fragment(256, 1<<28, 16),
			"of a small message":  fragment(255, 0, 16),
		} {
			if _, err := readAll(bad); !errors.Is(err, errFragment) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("D23 lists of dependencies share memory only on rereading", func(t *testing.T) {
		var deps []uint64
		for d := range uint64(depgraph.MaxDependencies) {
			deps = append(deps, 100+d)
		}
		var p []byte
		for n := range uint64(maxRecords) {
			p = appendWhole(p, head(1000+n, deps...), nil)
		}
		got, err := readAll(p)
		if err != nil || len(got) != maxRecords {
			t.Fatal(len(got), err)
		}
		for _, r := range got {
			if !reflect.DeepEqual(r.header.Deps, deps) {
				t.Errorf("%d depends on %v", r.header.Number, r.header.Deps)
			}
		}
	})
}

func TestFragmentEnd(t *testing.T) {
	t.Run("D25 a fragment fits into the room that it was cut for", func(t *testing.T) {
		head := depgraph.AppendHeader(nil, depgraph.Header{Number: 9, Deps: []uint64{1, 2, 3}})
		for _, size := range []uint32{256, 1000, 20_000, 3_000_000} {
			body := make([]byte, size)
			for from := uint32(0); from < size; from += blockSize * (1 + size/blockSize/40) {
				for room := 200; room < 1300; room += 31 {
					end := fragmentEnd(head, body, from, size, room)
					if end == from {
						if room > 256+blockSize+30 {
							t.Fatalf("no fragment fits into %d bytes", room)
						}
						continue
					}
					p := appendFragment(nil, head, body, from, end)
					if len(p) > room {
						t.Fatalf("size %d from %d: %d bytes in room for %d", size,
							from, len(p), room)
					}
					if r, err := readAll(p); err != nil || r[0].from != from ||
						len(r[0].data) != int(end-from) {
						t.Fatalf("size %d from %d: %v %v", size, from, r, err)
					}
				}
			}
		}
	})
}

func TestBlocks(t *testing.T) {
	t.Run("D25 repeated blocks are counted once", func(t *testing.T) {
		r := rand.New(rand.NewPCG(25, 1))
		for _, size := range []uint32{1, 16, 17, 1024, 1025, 16 * 64 * 3, 5000} {
			s := newBlocks(size)
			came := make([]bool, (size+blockSize-1)/blockSize)
			for range 200 {
				first := r.IntN(len(came))
				end := first + 1 + r.IntN(len(came)-first)
				from, to := uint32(first*blockSize), min(uint32(end*blockSize), size)
				fresh, all, left := false, true, 0
				for b := range came {
					if b >= first && b < end {
						fresh, all = fresh || !came[b], all && came[b]
					}
				}
				if got := s.has(from, to); got != all {
					t.Fatalf("size %d: %d to %d are there: %v", size, from, to, got)
				}
				if got := s.add(from, to); got != fresh {
					t.Fatalf("size %d: %d to %d are new: %v", size, from, to, got)
				}
				for b := range came {
					came[b] = came[b] || b >= first && b < end
					if !came[b] {
						left++
					}
				}
				if s.left != left {
					t.Fatalf("size %d: %d left, want %d", size, s.left, left)
				}
			}
		}
	})
}
