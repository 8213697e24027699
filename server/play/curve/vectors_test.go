package curve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"holt/server/id"
)

var update = flag.Bool("update", false, "write the vectors in docs/protocol/vectors")

// vectors are results on which the server and the page (static/js/parts/motion/curve.js) must
// agree.
type vectors struct {
	Check    []checkVector `json:"check"`
	Evaluate []evaluation  `json:"evaluate"`
	Curves   []curveVector `json:"curves"`
	Sides    []sideVector  `json:"sides"`
}

// sample is what a curve gives at an instant; null where it gives nothing.
type sample struct {
	T    id.Millis `json:"t"`
	At   *Value    `json:"at"`
	Hold *Value    `json:"hold"`
}

type evaluation struct {
	Segment Segment  `json:"segment"`
	Want    []sample `json:"want"`
}

// operation is what its one field says.
type operation struct {
	Add   *Segment   `json:"add,omitempty"`
	Merge []Segment  `json:"merge,omitempty"`
	Prune *id.Millis `json:"prune,omitempty"`
	After *id.Millis `json:"after,omitempty"`
}

type curveVector struct {
	Operations []operation   `json:"operations"`
	Floor      id.Millis     `json:"floor"`
	Dead       id.Millis     `json:"dead"`
	Pieces     []pieceVector `json:"pieces"`
	Want       []sample      `json:"want"`
}

type pieceVector struct {
	Start   id.Millis `json:"start"`
	End     id.Millis `json:"end"`
	Segment Segment   `json:"segment"`
}

type sideVector struct {
	Side    Side      `json:"side"`
	T       id.Millis `json:"t"`
	Left    int32     `json:"left"`
	Start   Side      `json:"start"`
	Press   Side      `json:"press"`
	Pause   Side      `json:"pause"`
	Segment Segment   `json:"segment"` // of version 1, 0
}

// TestVectors shows that the package computes what the vectors say, which the page must compute,
// too.
func TestVectors(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "protocol", "vectors", "curves.json")
	var got bytes.Buffer
	if err := json.NewEncoder(&got).Encode(computed()); err != nil {
		t.Fatal(err)
	}
	// One row a line, so that a change shows in a diff of this long file.
	text := bytes.ReplaceAll(got.Bytes(), []byte("},{\"name\""), []byte("},\n{\"name\""))
	for _, row := range []string{`"operations"`, `"side"`, `"segment"`} {
		text = bytes.ReplaceAll(text, []byte("]},{"+row), []byte("]},\n{"+row))
		text = bytes.ReplaceAll(text, []byte("}},{"+row), []byte("}},\n{"+row))
	}
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Error("K5 the vectors have changed; if they should, run go test -update")
	}
}

func computed() vectors {
	r := rand.New(rand.NewPCG(20, 2))
	v := vectors{Check: checks()}
	for range 60 {
		s := randomSegment(r, 1_700_000_000_000, int64(MaxSpan), MaxValue)
		v.Evaluate = append(v.Evaluate, evaluation{Segment: s, Want: samples(
			of(s), s.From-1, s.From, s.From+1,
			s.From+id.Millis(r.Int64N(min(int64(s.To-s.From), 1<<32))), s.To-1, s.To, s.To+1,
		)})
	}
	for range 60 {
		v.Curves = append(v.Curves, randomCurve(r))
	}
	long := curveVector{}
	// With the two steps that come too late these are more than MaxStretches.
	for _, s := range points(40) {
		long.Operations = append(long.Operations, operation{Add: &s})
	}
	for i := range 45 {
		from := id.Millis(1010 + 40*i)
		long.Operations = append(long.Operations, operation{Add: &Segment{
			Version: Version{9000, 0}, From: from, To: from + 5, Kind: Step,
		}})
	}
	v.Curves = append(v.Curves, played(long.Operations, 0, 1000, 1999, 2800, 2999, 3001, 9999))
	for i := range 24 {
		side := Side{
			Left: r.Int32N(9000), Increment: r.Int32N(3000), Running: i%3 > 0,
			Since: id.Millis(r.Int64N(9000)),
		}
		if i == 0 {
			side = Side{Left: MaxValue, Increment: MaxValue, Running: true}
		}
		t := id.Millis(r.Int64N(20_000))
		v.Sides = append(v.Sides, sideVector{
			Side: side, T: t, Left: side.LeftAt(t), Start: side.Start(t), Press: side.Press(t),
			Pause:   side.Pause(t),
			Segment: side.Segment(Version{Tick: 1}),
		})
	}
	return v
}

// randomCurve plays some operations, so close together that most of them matter.
func randomCurve(r *rand.Rand) curveVector {
	var ops []operation
	for range 1 + r.IntN(12) {
		t := id.Millis(r.Int64N(60))
		switch r.IntN(12) {
		case 0:
			ops = append(ops, operation{Prune: &t})
		case 1:
			ops = append(ops, operation{After: &t})
		case 2:
			ops = append(ops, operation{Merge: []Segment{
				randomSegment(r, 0, 50, 20), randomSegment(r, 0, 50, 20),
			}})
		default:
			s := randomSegment(r, 0, 50, 20)
			ops = append(ops, operation{Add: &s})
		}
	}
	return played(ops, 0, 9, 17, 25, 33, 41, 60, 200)
}

func played(ops []operation, at ...id.Millis) curveVector {
	c := new(Curve)
	for _, op := range ops {
		switch {
		case op.Add != nil:
			c.Merge(of(*op.Add))
		case op.Merge != nil:
			c.Merge(of(op.Merge...))
		case op.Prune != nil:
			c.Prune(*op.Prune)
		default:
			c.EndMotion(*op.After)
		}
	}
	v := curveVector{
		Operations: ops, Floor: c.Floor(), Dead: c.EndedAt(), Pieces: []pieceVector{},
		Want: samples(c, at...),
	}
	for _, p := range c.Stretches() {
		v.Pieces = append(v.Pieces, pieceVector(p))
	}
	return v
}

func samples(c *Curve, at ...id.Millis) []sample {
	var rows []sample
	for _, t := range at {
		row := sample{T: t}
		if v, ok := c.At(t); ok {
			row.At = &v
		}
		if v, ok := c.Hold(t); ok {
			row.Hold = &v
		}
		rows = append(rows, row)
	}
	return rows
}

// randomSegment returns a segment that passes Check, begins less than span after base and has
// values up to limit.
func randomSegment(r *rand.Rand, base id.Millis, span int64, limit int32) Segment {
	value := func() int32 { return int32(r.Int64N(2*int64(limit)+1)) - limit }
	s := Segment{
		Version: Version{Tick: 1 + id.Millis(r.Int64N(60)), Seq: r.Uint32N(3)},
		From:    base + id.Millis(r.Int64N(span)), Kind: Kind(1 + r.IntN(3)),
	}
	s.To = s.From + 1 + id.Millis(r.Int64N(span))
	if s.Kind != Linear && r.IntN(3) == 0 {
		s.To = Forever
	}
	s.Start = Value{value(), value(), value()}
	switch s.Kind {
	case Linear:
		s.End = Value{value(), value(), value()}
	case Timer:
		s.Start = Value{value()}
		s.Rate, s.Min = int8(r.IntN(3)-1),
			int32(max(-int64(limit), int64(s.Start[0])-r.Int64N(int64(limit))))
		s.Max = int32(min(int64(limit), int64(s.Start[0])+r.Int64N(int64(limit))))
	case Step:
	}
	return s
}

// FuzzK4AnySegmentIsCheckedOrMerged gives Add what a hostile peer could send. It shows that Add
// refuses the segment, or the laws of merging hold.
// Clauses: K4.1, K7.2
func FuzzK4AnySegmentIsCheckedOrMerged(f *testing.F) {
	var seed bytes.Buffer
	for _, s := range []Segment{aStep, aLinear, aTimer} {
		if err := binary.Write(&seed, binary.LittleEndian, s); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(seed.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		forwards, backwards := new(Curve), new(Curve)
		var segments []Segment
		for r := bytes.NewReader(data); len(segments) < 20; {
			var s Segment
			if binary.Read(r, binary.LittleEndian, &s) != nil {
				break
			}
			segments = append(segments, s)
		}
		for i := range segments {
			one, other := segments[i], segments[len(segments)-1-i]
			for c, s := range map[*Curve]Segment{forwards: one, backwards: other} {
				if err := c.Add(s); (err == nil) != (s.Check() == nil) ||
					err != nil && !errors.Is(err, ErrSegment) {
					t.Fatalf("Add of %+v: %v", s, err)
				}
			}
			for _, at := range []id.Millis{one.From, one.To, one.To - 1, 0, Forever} {
				if v, ok := forwards.Hold(at); ok && !inBounds(v) {
					t.Fatalf("at %d: %v", at, v)
				}
			}
		}
		if !forwards.Equal(backwards) {
			t.Fatalf("%s\n%s", forwards, backwards)
		}
	})
}
