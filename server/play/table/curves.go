package table

import (
	"iter"

	"holt/server/id"
	"holt/server/play/curve"
)

// Property is a property of a piece that changes by itself (K16). The numbers are part of the
// protocol.
type Property uint8

// The properties of pieces.
const (
	PropertyCooldown Property = 1 // of a die or a button: milliseconds until it is ready (T32, T84)
	PropertySide1    Property = 2 // of a clock or an hourglass: what side 1 has (T27, T59)
	PropertySide2    Property = 3
	PropertyTurn     Property = 4 // of a clock with two sides: the side whose turn it is; 0: none
)

// maxCurves is the greatest number of properties of a piece that change by themselves.
const maxCurves = 3

// Curves are what changes by itself of a piece that a view is shown: one open segment for each of
// its properties (K16). The zero value stands for a piece of which nothing does. It is comparable.
type Curves struct {
	From id.Millis // the first instant of all of them; 0 if nothing goes on
	List [maxCurves]Curve
}

// Curve is the curve of one property, as one open segment. It is a timer if Max is not 0, or Rate.
// Otherwise it is a step, or a timer that stays at 0, which is the same.
type Curve struct {
	Property Property
	Start    int32
	Rate     int8
	Max      int32
}

// Segment returns the segment of a curve that begins at from (K16). Its version is that of the only
// segment of its curve: updates of the piece order what follows.
func (c *Curve) Segment(from id.Millis) curve.Segment {
	s := curve.Segment{
		Version: curve.Version{Tick: max(from, 1)}, From: from, To: curve.Forever, Kind: curve.Step,
		Start: curve.Value{c.Start},
	}
	if c.Rate != 0 || c.Max != 0 {
		s.Kind, s.Rate, s.Max = curve.Timer, c.Rate, c.Max
	}
	return s
}

// NewCurves returns the curves of a piece that a client was sent. It reports false if they are more
// than a piece can have, or if one is not a segment.
func NewCurves(from id.Millis, list []Curve) (c Curves, ok bool) {
	if len(list) > maxCurves {
		return Curves{}, false
	}
	for i := range list {
		if s := list[i].Segment(from); list[i].Property == 0 || s.Check() != nil {
			return Curves{}, false
		}
	}
	c.From = from
	copy(c.List[:], list)
	return c, true
}

// All returns the curves, in the order of their properties. They are copies: a pointer into c would
// move everything that holds c to the heap.
func (c *Curves) All() iter.Seq[Curve] {
	return func(yield func(Curve) bool) {
		for _, of := range c.List {
			if of.Property == 0 || !yield(of) {
				return
			}
		}
	}
}

// curves returns what changes by itself of a piece of the kind that a view is shown.
func (k *Kind) curves(s *State) Curves {
	cooldown := max(k.Die.Cooldown, k.Button.Cooldown) // a kind has one of them
	switch {
	case cooldown > 0 && s.Rolled != 0:
		length := int32(cooldown) //nolint:gosec // at most a minute
		return Curves{From: s.Rolled, List: [maxCurves]Curve{
			{Property: PropertyCooldown, Start: length, Rate: -1, Max: length},
		}}
	case k.Clock.Sides != 0:
		return k.Clock.curves(&s.Clock)
	case k.Hourglass.Duration != 0:
		return s.Clock.sand()
	default:
		return Curves{}
	}
}

// curves returns the curves of a clock (K13, T27).
func (k *ClockKind) curves(c *Clock) (all Curves) {
	for side := uint8(1); side <= k.Sides; side++ {
		left := c.Left[side-1]
		of := Curve{Property: PropertySide1 + Property(side-1), Start: left, Max: left}
		switch runs := c.Running == side; {
		case runs && k.Up:
			of.Rate, of.Max = 1, curve.MaxValue
		case runs:
			of.Rate = -1
		}
		all.List[side-1] = of
	}
	if k.Sides == 2 {
		all.List[2] = Curve{Property: PropertyTurn, Start: int32(c.Running)}
	}
	all.From = c.shown().Since
	return all
}

// sand returns the curves of an hourglass: what runs out of its upper bulb and into the lower one
// (T59).
func (c *Clock) sand() (all Curves) {
	for i, left := range c.Left {
		all.List[i] = Curve{Property: PropertySide1 + Property(i), Start: left, Max: left}
	}
	if c.Running != 0 {
		upper, lower := &all.List[c.Running-1], &all.List[2-c.Running]
		upper.Rate = -1
		lower.Rate, lower.Max = 1, lower.Start+upper.Start
	}
	all.From = c.shown().Since
	return all
}
