package curve

import (
	"cmp"
	"errors"
	"fmt"

	"holt/server/id"
)

// Bounds (K1, K3). With them every product in an evaluation fits into 53 bits, so that JavaScript
// can compute with ordinary numbers and gets the same integers.
const (
	// MaxTime is the last instant that a version, a start or a closed end may name, in the year
	// 10889.
	MaxTime id.Millis = 1<<48 - 1
	// Forever is the end of an open segment. No instant reaches it.
	Forever id.Millis = 1<<53 - 1
	// MaxSpan is the greatest length of a linear segment: 17 minutes.
	MaxSpan id.Millis = 1 << 20
	// MaxValue is the greatest component of a value, and -MaxValue the least. In milliseconds it is
	// 12 days.
	MaxValue int32 = 1 << 30
)

// Value is the value of a curve at an instant. The property says how many components it has and
// what they mean: x, y and angle of a motion, or the milliseconds of a timer. The other components
// are 0.
type Value [3]int32

// Version orders the segments of one curve (K2).
type Version struct {
	// Tick is the server time of the tick that made the segment, from 1 to MaxTime.
	Tick id.Millis `json:"tick"`
	// Seq orders the segments of one tick.
	Seq uint32 `json:"seq"`
}

// Compare returns -1 if v is older than w, 0 if they are the same, and +1 if v is newer.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Tick, w.Tick), cmp.Compare(v.Seq, w.Seq))
}

// Kind says how the value of a segment depends on time. The numbers are part of the protocol (K3).
type Kind uint8

// The kinds of segments.
const (
	Step   Kind = 1 // Start, all the time
	Linear Kind = 2 // from Start at From to End at To
	Timer  Kind = 3 // Start[0] at From, then Rate per millisecond, kept within Min and Max
)

// Segment is the unit in which a server sends a curve: the values at the instants from From on and
// before To. It never changes: where a newer segment covers it, it does not show (K6). Fields that
// a kind does not use are zero, so that segments with the same content are ==.
type Segment struct {
	Version Version   `json:"version"`
	From    id.Millis `json:"from"`
	To      id.Millis `json:"to"` // Forever for an open segment; a linear one cannot be open
	Kind    Kind      `json:"kind"`
	Start   Value     `json:"start"`
	End     Value     `json:"end"`  // for linear
	Rate    int8      `json:"rate"` // for timer: -1, 0 or +1
	Min     int32     `json:"min"`  // for timer
	Max     int32     `json:"max"`  // for timer
}

// The errors of Check. All of them wrap ErrSegment.
var (
	ErrSegment  = errors.New("not a segment of a curve")
	errVersion  = fmt.Errorf("%w: its tick is not from 1 to 2^48-1", ErrSegment)
	errInterval = fmt.Errorf("%w: it does not go from an instant to a later one", ErrSegment)
	errKind     = fmt.Errorf("%w: its kind is unknown", ErrSegment)
	errSpan     = fmt.Errorf("%w: it is linear and longer than 2^20 ms", ErrSegment)
	errValue    = fmt.Errorf("%w: a component is beyond 2^30", ErrSegment)
	errTimer    = fmt.Errorf("%w: its rate is not -1, 0 or 1, or its start is beyond its bounds",
		ErrSegment)
	errUnused = fmt.Errorf("%w: a field that its kind does not use is not zero", ErrSegment)
)

// Check returns an error, which wraps ErrSegment, if an honest server cannot have made s (K4). All
// other code of this package expects segments that have passed Check.
func (s *Segment) Check() error {
	switch {
	case s.Version.Tick < 1 || s.Version.Tick > MaxTime:
		return errVersion
	case s.From < 0 || s.From > MaxTime || s.To <= s.From || s.To > MaxTime && s.To != Forever:
		return errInterval
	case !inBounds(s.Start) || !inBounds(s.End) || !inBounds(Value{s.Min, s.Max}):
		return errValue
	}
	moves := s.End != Value{}
	clamped := s.Rate != 0 || s.Min != 0 || s.Max != 0
	switch s.Kind {
	case Step:
		if moves || clamped {
			return errUnused
		}
	case Linear:
		if clamped {
			return errUnused
		}
		if s.To-s.From > MaxSpan {
			return errSpan
		}
	case Timer:
		if moves || s.Start[1] != 0 || s.Start[2] != 0 {
			return errUnused
		}
		if s.Rate < -1 || s.Rate > 1 || s.Start[0] < s.Min || s.Start[0] > s.Max {
			return errTimer
		}
	default:
		return errKind
	}
	return nil
}

func inBounds(v Value) bool {
	for _, c := range v {
		if c < -MaxValue || c > MaxValue {
			return false
		}
	}
	return true
}

// compare is a total order of segments: by version, then by content, field by field (K2). It
// returns 0 only for equal segments.
func (s *Segment) compare(o *Segment) int {
	if c := s.Version.Compare(o.Version); c != 0 {
		return c
	}
	c := cmp.Or(cmp.Compare(s.From, o.From), cmp.Compare(s.To, o.To), cmp.Compare(s.Kind, o.Kind))
	for i := range s.Start {
		c = cmp.Or(c, cmp.Compare(s.Start[i], o.Start[i]))
	}
	for i := range s.End {
		c = cmp.Or(c, cmp.Compare(s.End[i], o.End[i]))
	}
	return cmp.Or(c, cmp.Compare(s.Rate, o.Rate), cmp.Compare(s.Min, o.Min),
		cmp.Compare(s.Max, o.Max))
}

// at returns the value at an instant from From to To, both included. At To it is the value to which
// the segment leads (K5).
func (s *Segment) at(t id.Millis) Value {
	switch s.Kind {
	case Linear:
		var v Value
		for i := range v {
			v[i] = between(s.Start[i], s.End[i], int64(t-s.From), int64(s.To-s.From))
		}
		return v
	case Timer:
		// At most 2^53 away from 2^30: no overflow.
		ms := int64(s.Start[0]) + int64(s.Rate)*int64(t-s.From)
		return Value{
			int32(min(max(ms, int64(s.Min)), int64(s.Max))), //nolint:gosec // from Min to Max
		}
	default:
		return s.Start
	}
}

// between returns a + (b-a)·part/whole, rounded to the nearest integer, halves away from a. The
// greatest intermediate number is 2·2^31·2^20 + 2^20.
func between(a, b int32, part, whole int64) int32 {
	way := 2 * (int64(b) - int64(a)) * part
	steps := (whole + way) / (2 * whole)
	if way < 0 {
		steps = (way - whole) / (2 * whole)
	}
	return int32(int64(a) + steps) //nolint:gosec // it lies from a to b
}
