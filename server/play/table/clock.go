package table

import (
	"fmt"

	"holt/server/id"
	"holt/server/play/curve"
)

// Clocks (T27).

// ClockKind describes the clocks of a kind (T27). The zero value stands for a kind without a clock.
type ClockKind struct {
	Sides     uint8 // 1 or 2; 0: its pieces are not clocks
	Up        bool  // counts up what has passed, not down what is left
	Initial   int32 // the time of a new clock, in milliseconds, from 0 to curve.MaxValue
	Increment int32 // what a press in time adds, in milliseconds; 0 unless two sides count down
}

// Clock is the state of a clock (T27). It is zero for a piece that is not a clock. Times are in
// milliseconds.
type Clock struct {
	// Left is what each side had at Since, from 0 to curve.MaxValue: the time left, or the time
	// passed if the kind counts up.
	Left      [2]int32
	Initial   int32 // the time of each side after a reset
	Increment int32
	Running   uint8     // the side that runs, 1 or 2; 0: none
	Since     id.Millis // when a side was started, or the clock stopped or set; never goes back
}

func init() {
	define(rows{
		OpStart: {Name: "start", Traits: OfClock, Forms: []Form{{
			Required: tagged, Optional: HasSide,
			Condition: "a clock",
			Ack:       "`clock`",
			Rejects:   []Reason{ReasonLocked, ReasonClock},
		}}, checkPiece: (*Table).checkClock, change: (*judging).operateClock},
		OpPause: {Name: "pause", Traits: OfClock, Forms: []Form{{
			Required:  tagged,
			Condition: "a clock",
			Ack:       "`clock`",
			Rejects:   []Reason{ReasonLocked, ReasonClock},
		}}, checkPiece: (*Table).checkClock, change: (*judging).operateClock},
		OpPress: {Name: "press", Traits: OfClock, Forms: []Form{{
			Required:  tagged | HasSide,
			Condition: "a clock with two sides",
			Ack:       "`clock`",
			Rejects:   []Reason{ReasonLocked, ReasonClock},
		}}, checkPiece: (*Table).checkClock, change: (*judging).operateClock},
		OpSet: {Name: "set", Traits: OfClock, Forms: []Form{{
			Required: tagged | HasMs, Optional: HasIncrement,
			Condition: "a clock",
			Ack:       "`clock`",
			Rejects:   []Reason{ReasonLocked},
		}}, checkPiece: (*Table).checkClock, change: (*judging).operateClock},
		OpReset: {Name: "reset", Traits: OfClock, Forms: []Form{{
			Required:  tagged,
			Condition: "a clock",
			Ack:       "`clock`",
			Rejects:   []Reason{ReasonLocked},
		}}, checkPiece: (*Table).checkClock, change: (*judging).operateClock},
	})
}

// operateClock is the change of all operations of clocks.
func (j *judging) operateClock() (reason Reason) {
	k := &j.t.kinds[j.after.Kind].Clock
	j.after.Clock, reason = k.operate(j.after.Clock, j.u, j.in.Now)
	return reason
}

// increments reports whether a press may add time.
func (k *ClockKind) increments() bool { return k.Sides == 2 && !k.Up }

// made returns a new clock of the kind.
func (k *ClockKind) made(now id.Millis) Clock {
	return k.set(Clock{Initial: k.Initial, Increment: k.Increment}, now)
}

// set returns c with its initial time on all sides and none running.
func (k *ClockKind) set(c Clock, now id.Millis) Clock {
	c.Left = [2]int32{c.Initial}
	if k.Sides == 2 {
		c.Left[1] = c.Initial
	}
	c.Running, c.Since = 0, now
	return c
}

// stop returns c with no side running. end ends the turn of the side that ran: curve.Side.Press or
// curve.Side.Pause (K13). A side that counts up is converted to what is left of curve.MaxValue and
// back.
func (k *ClockKind) stop(c Clock, now id.Millis, end func(curve.Side, id.Millis) curve.Side) Clock {
	if c.Running == 0 {
		return c
	}
	left := &c.Left[c.Running-1]
	if k.Up {
		*left = curve.MaxValue - *left
	}
	*left = end(curve.Side{Left: *left, Increment: c.Increment, Running: true, Since: c.Since},
		now).Left
	if k.Up {
		*left = curve.MaxValue - *left
	}
	c.Running, c.Since = 0, now
	return c
}

// operate returns c after an operation at server time now, or the reason why that is impossible
// (T27).
func (k *ClockKind) operate(c Clock, u *Update, now id.Millis) (Clock, Reason) {
	was := c
	now = max(now, c.Since)
	switch u.Op {
	case OpStart:
		side := uint8(1)
		if u.Has&HasSide != 0 {
			side = u.Side
		}
		if c.Running == side {
			return c, ReasonClock
		}
		c = k.stop(c, now, curve.Side.Pause)
		c.Running, c.Since = side, now
	case OpPause:
		if c.Running == 0 {
			return c, ReasonClock
		}
		c = k.stop(c, now, curve.Side.Pause)
	case OpPress:
		other := 3 - u.Side
		if c.Running == other {
			return c, ReasonClock
		}
		c = k.stop(c, now, curve.Side.Press)
		c.Running, c.Since = other, now
	case OpSet:
		c.Initial = u.Ms
		if u.Has&HasIncrement != 0 {
			c.Increment = u.Increment
		}
		c = k.set(c, now)
	default: // OpReset
		c = k.set(c, now)
	}
	// Nobody learns since when a clock stands. So nothing has changed (T21.3).
	if c.shown() == was.shown() {
		return was, reasonNone
	}
	return c, reasonNone
}

// checkClock checks an operation of clocks against the kind of its piece (T15, T27). It reveals
// nothing of a concealed piece: everybody knows that a card is not a clock.
func (t *Table) checkClock(p *piece, _ id.Seat, u *Update) (code, detail string) {
	switch k := &t.kinds[p.state.Kind].Clock; {
	case k.Sides == 0:
		return CodeImpossible, fmt.Sprintf("piece %d is not a clock", u.Piece)
	case u.Op == OpPress && k.Sides != 2:
		return CodeImpossible,
			fmt.Sprintf("piece %d has one side, which is started and paused", u.Piece)
	case u.Has&HasSide != 0 && u.Side > k.Sides:
		return CodeImpossible, fmt.Sprintf("piece %d has no side %d", u.Piece, u.Side)
	case u.Has&HasIncrement != 0 && u.Increment != 0 && !k.increments():
		return CodeImpossible, fmt.Sprintf("piece %d gives no increments", u.Piece)
	}
	return "", ""
}

// shown returns c as clients get it: with Since only if a side runs.
func (c Clock) shown() Clock {
	if c.Running == 0 {
		c.Since = 0
	}
	return c
}

// clocks is the ability of clocks.
type clocks struct{ plain }

func (clocks) begin(k *Kind, s State, now id.Millis) State {
	s.Clock = k.Clock.made(now)
	return s
}

// A copy has what the clock shows now, and stands (T27.11).
func (clocks) copied(k *Kind, s State, now id.Millis) State {
	s.Clock = k.Clock.stop(s.Clock, max(now, s.Clock.Since), curve.Side.Pause)
	return s
}
