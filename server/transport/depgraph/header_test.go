package depgraph

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// headerRows are headers in wire form, for a receiver with that floor. err is what is wrong.
var headerRows = []struct {
	name   string
	floor  uint64
	bytes  string
	number uint64
	deps   []uint64
	rest   string
	err    error
}{
	{"the first message", 0, "0000", 0, nil, "", nil},
	{"two bytes when all dependencies are executed", 3, "0007ff", 7, nil, "ff", nil},
	{"one dependency", 3, "80070004", 7, []uint64{4}, "", nil},
	{"three dependencies", 3, "8007800380040005cafe", 7, []uint64{3, 4, 5}, "cafe", nil},
	{"dependencies below the floor", 7, "800780030004", 7, []uint64{3, 4}, "", nil},
	{"a dependency twice, in any order", 3, "8007800580040005", 7, []uint64{5, 4, 5}, "", nil},
	{"the highest number before the wrap", 32767, "7fff", 32767, nil, "", nil},
	{"the lowest number after the wrap", 32767, "0000", 32768, nil, "", nil},
	{"a dependency across the wrap", 32760, "80027fff", 32770, []uint64{32767}, "", nil},
	{"the last message of the window", 100_000, "269f", 108_191, nil, "", nil},
	{"the first beyond the window", 100_000, "26a0", 0, nil, "", ErrProtocol},
	{"the last number above", 100_000, "469f80", 0, nil, "", ErrProtocol},
	{"the last number below", 100_000, "46a0", 83_616, nil, "", nil},
	{"a late copy", 100_000, "069f", 99_999, nil, "", nil},
	{"below the first message", 0, "7fff", 0, nil, "", ErrProtocol},
	{"below the first message, later", 5, "7ffb", 0, nil, "", ErrProtocol},
	{"nothing", 0, "", 0, nil, "", ErrProtocol},
	{"half a number", 0, "00", 0, nil, "", ErrProtocol},
	{"a missing dependency", 0, "8001", 0, nil, "", ErrProtocol},
	{"half a dependency", 0, "800100", 0, nil, "", ErrProtocol},
	{"a list that goes on", 0, "80028001", 0, nil, "", ErrProtocol},
	{"a dependency on itself", 5, "80070007", 0, nil, "", ErrProtocol},
	{"a dependency on a later message", 5, "80070008", 0, nil, "", ErrProtocol},
	{"the dependency furthest below", 10_000, "a7110712", 10_001, []uint64{1810}, "", nil},
	{"a dependency too far below", 10_000, "a7110711", 0, nil, "", ErrProtocol},
	{"a dependency below the first message", 0, "800a7fff", 0, nil, "", ErrProtocol},
	{"64 dependencies", 100, "80c8" + manyDeps(64), 200, upTo(100, 164), "", nil},
	{"65 dependencies", 100, "80c8" + manyDeps(65), 0, nil, "", ErrBounds},
	{"a list without an end", 100, "80c8" + manyDeps(65) + "8001", 0, nil, "", ErrBounds},
}

// manyDeps is a list of n dependencies from number 100 on.
func manyDeps(n int) string { return hex.EncodeToString(AppendDeps(nil, upTo(100, 100+uint64(n)))) }

// upTo returns the numbers from first to end-1.
func upTo(first, end uint64) (numbers []uint64) {
	for n := first; n < end; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}

func unhex(t testing.TB, s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestHeader(t *testing.T) {
	for _, row := range headerRows {
		// Clauses: D3.1, D6.1, D6.3, D6.4, D6.5, D6.6, D6.7
		t.Run("D6 "+row.name, func(t *testing.T) {
			b := unhex(t, row.bytes)
			h, rest, err := ReadHeader(b, row.floor, nil)
			if !errors.Is(err, row.err) || (err == nil) != (row.err == nil) {
				t.Fatalf("error %v, want %v", err, row.err)
			}
			if err != nil {
				return
			}
			if h.Number != row.number || !slices.Equal(h.Deps, row.deps) ||
				!bytes.Equal(rest, unhex(t, row.rest)) {
				t.Fatalf("read %+v and left %x", h, rest)
			}
			if got := AppendHeader(nil, h); !bytes.Equal(got, b[:len(b)-len(rest)]) ||
				len(got) != h.Size() {
				t.Fatalf("wrote %x, size %d", got, h.Size())
			}
		})
	}
	t.Run("D6.6 a receiver reads what a sender writes", rapid.MakeCheck(func(t *rapid.T) {
		floor := rapid.Uint64Range(0, 1<<40).Draw(t, "floor")
		first := floor - min(floor, rapid.Uint64Range(0, 16_384).Draw(t, "late"))
		h := Header{Number: first + rapid.Uint64Range(0, floor-first+Window-1).Draw(t, "ahead")}
		for _, back := range rapid.SliceOfNDistinct(rapid.Uint64Range(1, Window-1), 0,
			MaxDependencies, rapid.ID).Draw(t, "back") {
			if back <= h.Number {
				h.Deps = append(h.Deps, h.Number-back)
			}
		}
		slices.Sort(h.Deps)
		got, rest, err := ReadHeader(append(AppendHeader(nil, h), 1, 2, 3), floor, nil)
		if err != nil || got.Number != h.Number || !slices.Equal(got.Deps, h.Deps) ||
			len(rest) != 3 {
			t.Fatalf("%+v at floor %d: %+v, %v", h, floor, got, err)
		}
	}))
}

// depsRows are lists of dependencies without a number, for a receiver with that floor.
var depsRows = []struct {
	name  string
	floor uint64
	bytes string
	deps  []uint64
	rest  string
	err   error
}{
	{"one", 5, "0003", []uint64{3}, "", nil},
	{"two, and what follows", 32_768, "ffff000242", []uint64{32_767, 32_770}, "42", nil},
	{"none", 5, "", nil, "", ErrProtocol},
	{"no end", 5, "8003", nil, "", ErrProtocol},
	{"beyond the window", 0, "2000", nil, "", ErrProtocol},
	{"before the first message", 0, "7000", nil, "", ErrProtocol},
	{"64", 100, manyDeps(64), upTo(100, 164), "", nil},
	{"65", 100, manyDeps(65), nil, "", ErrBounds},
}

func TestDeps(t *testing.T) {
	for _, row := range depsRows {
		t.Run("D6 D14 "+row.name, func(t *testing.T) {
			deps, rest, err := ReadDeps(unhex(t, row.bytes), row.floor, nil)
			if !errors.Is(err, row.err) || (err == nil) != (row.err == nil) {
				t.Fatalf("error %v, want %v", err, row.err)
			}
			if !slices.Equal(deps, row.deps) || !bytes.Equal(rest, unhex(t, row.rest)) {
				t.Fatalf("read %v and left %x", deps, rest)
			}
		})
	}
}

func TestUnwrap(t *testing.T) {
	t.Run("D6.3 a number is the nearest to the floor", rapid.MakeCheck(func(t *rapid.T) {
		floor := rapid.OneOf(rapid.Uint64Range(0, 40_000), rapid.Uint64()).Draw(
			t, "floor") & (1<<53 - 1)
		w := rapid.Uint16().Draw(t, "wire")
		n, err := unwrap(w, floor)
		if err != nil {
			// The only number so close to the floor would be negative.
			if ahead := (uint64(w) - floor) & within; floor >= 16_384 || ahead < 16_384 ||
				32_768-ahead <= floor {
				t.Fatalf("%d at floor %d: %v", w, floor, err)
			}
			return
		}
		if n%32_768 != uint64(w)%32_768 || n+16_384 < floor || n > floor+16_383 {
			t.Fatalf("%d at floor %d is read as %d", w, floor, n)
		}
	}))
}
