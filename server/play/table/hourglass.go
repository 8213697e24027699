package table

import "holt/server/id"

// Hourglasses (T59).

// OpTurn turns an hourglass over.
const OpTurn Op = 59

// HourglassKind describes the hourglasses of a kind (T59). The zero value stands for a kind of
// other pieces.
type HourglassKind struct {
	Duration int32 // how long all its sand runs, in milliseconds, up to curve.MaxValue
}

func init() {
	define(rows{
		OpTurn: {Name: "turn", Traits: NeedsFree, Forms: []Form{{
			Required:  tagged,
			Condition: "an hourglass",
			Ack:       "`clock`",
			Rejects:   []Reason{ReasonHeld, ReasonLocked, ReasonNotAllowed},
		}}, change: (*judging).turnGlass},
	})
}

// turnGlass turns an hourglass over: what has run is left to run, and the other way round.
func (j *judging) turnGlass() Reason {
	if j.t.kinds[j.after.Kind].Hourglass.Duration == 0 {
		return ReasonNotAllowed
	}
	j.after.Clock = j.after.Clock.turned(j.in.Now)
	return reasonNone
}

// turned returns the state of an hourglass after it was turned over at server time now. Its bulbs
// are the sides of the clock: Left is the sand in each of them, and the upper one runs. An
// hourglass that nobody has turned yet lies with bulb 2 below.
func (c Clock) turned(now id.Millis) Clock {
	now = max(now, c.Since)
	upper := max(c.Running, 1)
	lower := 3 - upper
	run := int32(min(now-c.Since, id.Millis(c.Left[upper-1]))) //nolint:gosec // not above Left
	c.Left[upper-1] -= run
	c.Left[lower-1] += run
	c.Running, c.Since = lower, now
	return c
}

// hourglasses is the ability of hourglasses.
type hourglasses struct{ plain }

func (hourglasses) begin(k *Kind, s State, _ id.Millis) State {
	s.Clock = Clock{Initial: k.Hourglass.Duration}
	return settled(s)
}

func (hourglasses) copied(_ *Kind, s State, _ id.Millis) State { return settled(s) }

// The sand would reveal when the hourglass was turned where others did not see it (T59.6).
func (hourglasses) moved(s State) State { return settled(s) }

func (hourglasses) stowed(s State) State { return settled(s) }

// settled returns the state of an hourglass whose sand lies below.
func settled(s State) State {
	s.Clock = Clock{Initial: s.Clock.Initial, Left: [2]int32{1: s.Clock.Initial}}
	return s
}
