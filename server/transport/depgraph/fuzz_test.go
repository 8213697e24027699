package depgraph

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
)

// FuzzD6ReadHeader gives both readers what a hostile peer could send. Whatever they accept they
// read as it was meant.
func FuzzD6ReadHeader(f *testing.F) {
	for _, row := range headerRows {
		f.Add(unhex(f, row.bytes), row.floor)
	}
	f.Fuzz(func(t *testing.T, b []byte, floor uint64) {
		floor &= 1<<53 - 1
		h, rest, err := ReadHeader(b, floor, nil)
		if err != nil {
			if !errors.Is(err, ErrProtocol) && !errors.Is(err, ErrBounds) {
				t.Fatal(err)
			}
		} else {
			if h.Number >= floor+Window || h.Number+modulus/2 < floor ||
				len(h.Deps) > MaxDependencies {
				t.Fatalf("read %+v at floor %d", h, floor)
			}
			for _, d := range h.Deps {
				if d >= h.Number || h.Number-d >= Window {
					t.Fatalf("read %+v", h)
				}
			}
			if again := AppendHeader(nil, h); !bytes.Equal(append(again, rest...), b) {
				t.Fatalf("%x was read as %+v, which is %x", b, h, again)
			}
		}
		if deps, rest, err := ReadDeps(b, floor, nil); err == nil {
			if again := AppendDeps(nil, deps); !bytes.Equal(append(again, rest...), b) ||
				len(deps) > MaxDependencies {
				t.Fatalf("%x was read as %v, which is %x", b, deps, again)
			}
		}
	})
}

// FuzzD14Receiver plays a hostile sender. Whatever comes, each message is executed once, after the
// dependencies of its first arrival, and every bound holds.
//
// A step is 8 bytes: its kind (16 of them mean a part of a message only), a size or key,
// milliseconds (2 bytes), the distance of a number from the floor, and three dependencies before
// that number, as a byte each. Or the distance is doubled, to reach the end of the window.
func FuzzD14Receiver(f *testing.F) {
	f.Add([]byte("\x00\x10\x00\x00\x01\x01\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte(
		"\x00\x10\x00\x00\x05\x05\x02\x02\x01\x10\x00\x00" +
			"\x05\x01\x03\x00\x02\x00\xff\xff\x00\x00\x00\x00",
	))
	f.Add(slices.Repeat(
		[]byte("\x00\x01\x00\x01\x02\x01\x02\x00\x01\x07\x00\x09\x01\x00\x01\x02"), 20))
	f.Fuzz(func(t *testing.T, data []byte) {
		const window = 2000
		var (
			r     *Receiver[[]uint64]
			now   Instant
			done  = map[uint64]bool{}
			loose int
		)
		after := func(deps []uint64) {
			for _, d := range deps {
				if !r.Executed(d) {
					t.Fatalf("executed before %d", d)
				}
			}
		}
		r = NewReceiver(window, func(number uint64, deps []uint64) {
			if done[number] {
				t.Fatalf("%d is executed twice", number)
			}
			done[number] = true
			after(deps)
		}, func(_ uint64, deps []uint64) {
			after(deps)
			loose--
		})
		for ; len(data) >= 8; data = data[8:] {
			now += Instant(binary.BigEndian.Uint16(data[2:])) * millisecond / 16
			number := r.Floor() + uint64(data[4])
			if data[0]&8 != 0 {
				number = r.Floor() + uint64(data[4])*33
			}
			var deps []uint64
			for _, back := range data[5:8] {
				if back > 0 && uint64(back)-1 <= number {
					deps = append(deps, number-uint64(back)+1)
				}
			}
			var err error
			switch data[0] & 3 {
			case 0, 1:
				if data[0]&16 != 0 {
					err = r.Part(now, number)
					break
				}
				err = r.Add(now, Header{number, deps}, int(data[1]), deps)
			case 2:
				loose++
				err = r.AddUnguaranteed(now, uint64(data[1]), deps, deps)
			default:
				err = r.Expire(now)
			}
			if r.Waiting() > window || r.Waiting() < 0 ||
				len(r.unguaranteed.waiting) > min(loose, MaxUnguaranteed) || len(r.graph.nodes) > 2*Window {
				t.Fatal("a bound is broken")
			}
			if at, ok := r.Deadline(); ok && at > now+MissingTimeout {
				t.Fatalf("at %d it waits until %d", now, at)
			}
			if done[r.Floor()] {
				t.Fatalf("%d was executed, and the floor is there", r.Floor())
			}
			if err != nil {
				if !errors.Is(err, ErrProtocol) && !errors.Is(err, ErrBounds) &&
					!errors.Is(err, ErrExpired) {
					t.Fatal(err)
				}
				return
			}
		}
	})
}
