package crdt

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// flatOps are operations at the bounds of flat framing.
var flatOps = []Op{
	put(0, 1, ""), put(7, 1, "a"), del(math.MaxUint32, MaxTimestamp), deleteEntity(0),
	deleteEntity(math.MaxUint32),
	app(5, 0, ""), app(6, 5, "\x00\xff"),
	{
		Kind: Put, Entity: math.MaxUint32, Component: math.MaxUint32, Timestamp: MaxTimestamp,
		Data: bytes.Repeat([]byte{7}, MaxData),
	},
}

// frames returns the frames of operations, and their texts.
func frames(t testing.TB, ops ...Op) (b []byte, want []string) {
	t.Helper()
	for _, op := range ops {
		var err error
		if b, err = AppendFlat(b, &op); err != nil {
			t.Fatal(err)
		}
		want = append(want, text(op))
	}
	return b, want
}

// pushed returns what a decoder finds in chunks.
func pushed(chunks ...[]byte) (got []string, err error) {
	var d FlatDecoder
	for _, chunk := range chunks {
		if err := d.Push(chunk, func(op Op) { got = append(got, text(op)) }); err != nil {
			return got, err
		}
	}
	return got, nil
}

// TestC9Frames shows that frames are encoded as C9 says, and decoded from any chunks.
func TestC9Frames(t *testing.T) {
	t.Run("C9.1, C9.2, C9.3 the bytes of frames", func(t *testing.T) {
		b, _ := frames(t,
			Op{Kind: Put, Entity: 0x010203, Component: 3020, Timestamp: 9, Data: []byte("hi")},
			del(7, 5), deleteEntity(versioned(3, 2)),
			Op{Kind: Append, Entity: 7, Component: pair, Timestamp: 0})
		want := "1a000000" + "01000000" + "03020100" + "cc0b0000" + "09000000" + "02000000" +
			"6869" +
			"14000000" + "02000000" + "07000000" + "01000000" + "05000000" +
			"0c000000" + "03000000" + "03000200" +
			"18000000" + "04000000" + "07000000" + "0a000000" + "00000000" + "00000000"
		if got := hex.EncodeToString(b); got != want {
			t.Errorf("got %s", got)
		}
	})
	t.Run("C9 frames are read back", func(t *testing.T) {
		b, want := frames(t, flatOps...)
		if got, err := pushed(b); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %d operations", err, len(got))
		}
	})
	t.Run("C9.5 cut at every byte", func(t *testing.T) {
		b, want := frames(t, flatOps[:7]...)
		for i := range b {
			if got, err := pushed(b[:i], b[i:]); err != nil || !slices.Equal(got, want) {
				t.Fatalf("cut at %d: %v, %q", i, err, got)
			}
		}
		var one [][]byte
		for i := range b {
			one = append(one, b[i:i+1])
		}
		if got, err := pushed(one...); err != nil || !slices.Equal(got, want) {
			t.Fatalf("byte by byte: %v, %q", err, got)
		}
	})
	t.Run("C9.5 an operation is complete with its last byte", func(t *testing.T) {
		b, want := frames(t, flatOps[1])
		for i := range b {
			if got, err := pushed(b[:i]); err != nil || len(got) > 0 {
				t.Fatalf("after %d bytes: %v, %q", i, err, got)
			}
		}
		if got, err := pushed(b); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, %q", err, got)
		}
	})
	t.Run("C9.4 other types are skipped", func(t *testing.T) {
		b, want := frames(t, flatOps[1])
		for _, unknown := range [][]byte{
			frame(8, 0), frame(8, 5), frame(9, 1<<31), frame(maxFrame, math.MaxUint32),
		} {
			if got, err := pushed(slices.Concat(unknown, b)); err != nil ||
				!slices.Equal(got, want) {
				t.Errorf("%x: %v, %q", unknown[:8], err, got)
			}
			if got, err := pushed(unknown[:5], unknown[5:], b); err != nil ||
				!slices.Equal(got, want) {
				t.Errorf("%x in two: %v, %q", unknown[:8], err, got)
			}
		}
	})
	t.Run("C10.2 entities from 2^32 have no frame", func(t *testing.T) {
		op := put(FirstNamed, 1, "a")
		if b, err := AppendFlat([]byte("x"), &op); !errors.Is(err, ErrNotFlat) || string(b) != "x" {
			t.Errorf("%v, %x", err, b)
		}
	})
}

// frame returns a frame of zeros, with a length and a type.
func frame(length int, kind uint32) []byte {
	b := make([]byte, max(length, 8))
	binary.LittleEndian.PutUint32(b, uint32(length))
	binary.LittleEndian.PutUint32(b[4:], kind)
	return b
}

// TestC9FramesThatAreRefused shows which frames are refused, and that nothing after them is decoded
// (C9).
func TestC9FramesThatAreRefused(t *testing.T) {
	long := frame(27, 1) // a claim of 3 bytes of data
	long[16], long[20] = 1, 3
	for _, row := range []struct {
		name  string
		bytes []byte
		want  error
	}{
		{"C9.6 a length of 0", frame(0, 1), ErrFrame},
		{"C9.6 a length of 7", frame(7, 1), ErrFrame},
		{"C9.6 a length of 65601", frame(65601, 9), ErrFrame},
		{"C9.6 a length of 2^32-1", []byte("\xff\xff\xff\xff"), ErrFrame},
		{"C9.7 a put without a body", frame(8, 1), ErrFrame},
		{"C9.7 a put that is too short", frame(23, 1), ErrFrame},
		{"C9.7 a put with more than its data", changed(long, 20, 2), ErrFrame},
		{"C9.7 a put with less than its data", changed(long, 20, 4), ErrFrame},
		{"C9.7 a put that claims 2^31 bytes of data", changed(long, 23, 0x80), ErrFrame},
		{"C9.7 an append that is too short", frame(23, 4), ErrFrame},
		{"C9.7 a delete that is too short", frame(19, 2), ErrFrame},
		{"C9.7 a delete that is too long", frame(21, 2), ErrFrame},
		{"C9.7 a delete entity that is too short", frame(8, 3), ErrFrame},
		{"C9.7 a delete entity that is too long", frame(16, 3), ErrFrame},
		{"C10.4 a put with the timestamp 0", changed(long, 16, 0), ErrTimestamp},
		{"C10.4 a delete with the timestamp 0", frame(20, 2), ErrTimestamp},
		{"C10.6 too much data", tooMuch(), ErrData},
	} {
		t.Run(row.name, func(t *testing.T) {
			good, want := frames(t, flatOps[1])
			for _, chunks := range [][][]byte{
				{slices.Concat(good, row.bytes, good)}, {good, row.bytes, good},
				{good, row.bytes[:3], row.bytes[3:], good},
				{good, row.bytes[:len(row.bytes)-1], row.bytes[len(row.bytes)-1:]},
			} {
				got, err := pushed(chunks...)
				if !errors.Is(err, row.want) || !slices.Equal(got, want) {
					t.Errorf("in %d chunks: %v, %q", len(chunks), err, got)
				}
			}
		})
	}
	t.Run("C9 nothing is read after an error", func(t *testing.T) {
		var d FlatDecoder
		good, _ := frames(t, flatOps[1])
		first := d.Push(frame(7, 1), func(Op) { t.Error("an operation") })
		if again := d.Push(good, func(Op) { t.Error("an operation") }); first == nil ||
			!errors.Is(again, first) {
			t.Errorf("%v, then %v", first, again)
		}
	})
}

func changed(b []byte, at int, to byte) []byte {
	b = slices.Clone(b)
	b[at] = to
	return b
}

// tooMuch returns a put with one byte of data more than C10 allows, in a frame of a valid length.
func tooMuch() []byte {
	b := frame(putHead+MaxData+1, 1)
	binary.LittleEndian.PutUint32(b[16:], 1)
	binary.LittleEndian.PutUint32(b[20:], MaxData+1)
	return b
}

// TestC9AnyChunks shows over random operations that chunks make no difference (C9).
// Clauses: C9.5
func TestC9AnyChunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []byte
		var want []string
		for range rapid.IntRange(0, 8).Draw(t, "operations") {
			op := randomOp(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") })
			if b, err := AppendFlat(all, &op); err == nil {
				all, want = b, append(want, text(op))
			}
		}
		var chunks [][]byte
		for rest := all; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "chunk")
			chunks, rest = append(chunks, rest[:n]), rest[n:]
		}
		if got, err := pushed(chunks...); err != nil || !slices.Equal(got, want) {
			t.Fatalf("C9 %v\n got %q\nwant %q", err, got, want)
		}
	})
}

// TestC10ADecoderKeepsOneFrameAtMost shows that a decoder keeps at most one frame in memory,
// whatever length is claimed (C10).
// Clauses: C10.8
func TestC10ADecoderKeepsOneFrameAtMost(t *testing.T) {
	var d FlatDecoder
	none := func(Op) {}
	if err := d.Push(frame(maxFrame, 9)[:10], none); err != nil {
		t.Fatal(err)
	}
	if cap(d.pending) > 64 {
		t.Errorf("C10 after 10 bytes that claim %d it keeps %d", maxFrame, cap(d.pending))
	}
	d = FlatDecoder{}
	whole := bytes.Repeat(frame(maxFrame, 9), 3)
	for i := range whole {
		if err := d.Push(whole[i:i+1], none); err != nil {
			t.Fatal(err)
		}
		if cap(d.pending) > 2*maxFrame {
			t.Fatalf("C10 it keeps %d", cap(d.pending))
		}
	}
	if cap(d.pending) > keptBuffer {
		t.Errorf("C10 between frames it keeps %d", cap(d.pending))
	}
	b, _ := frames(t, flatOps[1], flatOps[2], flatOps[3])
	if allocs := testing.AllocsPerRun(100, func() { _ = d.Push(b, none) }); allocs > 0 {
		t.Errorf("C10 whole frames cost %v allocations", allocs)
	}
}

// FuzzC9Flat cuts bytes in two places. It shows that the cuts make no difference, and that decoded
// operations are encoded again as they were and can be merged.
func FuzzC9Flat(f *testing.F) {
	for i := range flatOps[:7] {
		b, _ := frames(f, flatOps[i:7]...)
		f.Add(b, uint16(5), uint16(30))
	}
	f.Add(frame(16, 9), uint16(3), uint16(4))
	f.Add(frame(7, 1), uint16(1), uint16(2))
	f.Fuzz(func(t *testing.T, b []byte, one, two uint16) {
		i, j := int(one)%(len(b)+1), int(two)%(len(b)+1)
		i, j = min(i, j), max(i, j)
		want, wantErr := pushed(b)
		if got, err := pushed(b[:i], b[i:j], b[j:]); !errors.Is(err, wantErr) ||
			!slices.Equal(got, want) {
			t.Fatalf("%v, %q; whole: %v, %q", err, got, wantErr, want)
		}
		if wantErr != nil && !errors.Is(wantErr, ErrFrame) && !errors.Is(wantErr, ErrOp) {
			t.Fatal(wantErr)
		}
		r := New(Config{Sets: sets})
		var again []byte
		var d FlatDecoder
		_ = d.Push(b, func(op Op) {
			if err := op.Check(); err != nil {
				t.Fatal(err)
			}
			written, err := AppendFlat(nil, &op)
			if err != nil || !bytes.Contains(b, written) {
				t.Fatalf("%v: %s is not in the input", err, text(op))
			}
			again = append(again, written...)
			r.Merge(op)
		})
		if got, err := pushed(again); err != nil || !slices.Equal(got, want) {
			t.Fatalf("written again: %v, %q", err, got)
		}
	})
}
