package curve

import "holt/server/id"

// A running clock is one timer segment that is open at its end, so that nothing is sent while it
// runs (K13). These functions make the segments. A clock that is stopped, set or started again gets
// another segment with a higher version.

// Countdown returns a timer that has left milliseconds at server time from, and stops at 0. left
// must be from 0 to MaxValue. A die that cools down is a countdown: it is ready at 0.
func Countdown(v Version, from id.Millis, left int32) Segment {
	return Segment{Version: v, From: from, To: Forever, Kind: Timer, Start: Value{left}, Rate: -1,
		Max: left}
}

// Stopwatch returns a timer that shows ms at server time from, counts up and stops at MaxValue. ms
// must be from 0 to MaxValue.
func Stopwatch(v Version, from id.Millis, ms int32) Segment {
	return Segment{Version: v, From: from, To: Forever, Kind: Timer, Start: Value{ms}, Rate: 1,
		Max: MaxValue}
}

// Stopped returns a timer that shows ms from server time from on. ms must be from 0 to MaxValue.
func Stopped(v Version, from id.Millis, ms int32) Segment {
	return Segment{Version: v, From: from, To: Forever, Kind: Timer, Start: Value{ms}, Max: ms}
}

// Side is one side of a chess clock.
type Side struct {
	// Left is what was left at Since, in milliseconds, from 0 to MaxValue.
	Left int32 `json:"left"`
	// Increment is added for each move in time, in milliseconds, from 0 to MaxValue.
	Increment int32     `json:"increment"`
	Running   bool      `json:"running"`
	Since     id.Millis `json:"since"` // the server time of the last start, stop or setting
}

// LeftAt returns the milliseconds that are left at server time t. Before Since it returns Left.
func (s Side) LeftAt(t id.Millis) int32 {
	if !s.Running || t <= s.Since {
		return s.Left
	}
	return s.Left - int32(min(t-s.Since, id.Millis(s.Left))) //nolint:gosec // from 0 to Left
}

// FlagFallen reports whether the flag has fallen at server time t: nothing is left.
func (s Side) FlagFallen(t id.Millis) bool { return s.LeftAt(t) == 0 }

// Start returns the side after its turn starts at t. A running side does not change.
func (s Side) Start(t id.Millis) Side {
	if s.Running {
		return s
	}
	s.Running, s.Since = true, t
	return s
}

// Press returns the side after its player has pressed at t: it stops, and gets the increment unless
// the flag has fallen. A side that does not run does not change, so nobody gains by pressing twice.
func (s Side) Press(t id.Millis) Side {
	if !s.Running {
		return s
	}
	s = s.Pause(t)
	if s.Left > 0 {
		s.Left += min(s.Increment, MaxValue-s.Left)
	}
	return s
}

// Pause returns the side stopped at t, without an increment. A side that does not run does not
// change.
func (s Side) Pause(t id.Millis) Side {
	if !s.Running {
		return s
	}
	s.Left, s.Running, s.Since = s.LeftAt(t), false, max(s.Since, t)
	return s
}

// Segment returns the segment of what the side shows from Since on.
func (s Side) Segment(v Version) Segment {
	if s.Running {
		return Countdown(v, s.Since, s.Left)
	}
	return Stopped(v, s.Since, s.Left)
}
