package curve

import "holt/server/id"

// A clock that runs is one timer segment, open at its end: nothing is sent while it runs (K13). These make the
// segments; a clock that is stopped, set or started again gets another one, of a higher version.

// Countdown returns a timer that has left milliseconds at server time from, and stops at 0. left is from 0 to
// MaxValue. A die that cools down is one: it is ready at 0.
func Countdown(v Version, from id.Millis, left int32) Segment {
	return Segment{Version: v, From: from, To: Forever, Kind: Timer, Start: Value{left}, Rate: -1, Max: left}
}

// Stopwatch returns a timer that shows ms at server time from, counts up and stops at MaxValue. ms is from 0 to
// MaxValue.
func Stopwatch(v Version, from id.Millis, ms int32) Segment {
	return Segment{Version: v, From: from, To: Forever, Kind: Timer, Start: Value{ms}, Rate: 1, Max: MaxValue}
}

// Stopped returns a timer that shows ms from server time from on. ms is from 0 to MaxValue.
func Stopped(v Version, from id.Millis, ms int32) Segment {
	return Segment{Version: v, From: from, To: Forever, Kind: Timer, Start: Value{ms}, Max: ms}
}

// Side is one side of a chess clock.
type Side struct {
	// Left is what was left at Since, in milliseconds, from 0 to MaxValue.
	Left int32 `json:"left"`
	// Increment is what the player gets for each move in time, in milliseconds, from 0 to MaxValue.
	Increment int32     `json:"increment"`
	Running   bool      `json:"running"`
	Since     id.Millis `json:"since"` // the server time at which it was last started, stopped or set
}

// LeftAt returns the milliseconds that are left at server time t. Before Since it is what was left then.
func (s Side) LeftAt(t id.Millis) int32 {
	if !s.Running || t <= s.Since {
		return s.Left
	}
	return s.Left - int32(min(t-s.Since, id.Millis(s.Left))) //nolint:gosec // it lies from 0 to Left
}

// Fallen reports whether the flag has fallen at server time t: nothing is left.
func (s Side) Fallen(t id.Millis) bool { return s.LeftAt(t) == 0 }

// Start returns the side from t on when it is this player's turn. One that runs goes on.
func (s Side) Start(t id.Millis) Side {
	if s.Running {
		return s
	}
	s.Running, s.Since = true, t
	return s
}

// Press returns the side after its player has moved at t: it stops, and gets the increment unless the flag has
// fallen. One that does not run stays as it is: nobody gains by pressing twice.
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

// Pause returns the side stopped at t, without an increment.
func (s Side) Pause(t id.Millis) Side {
	if !s.Running {
		return s
	}
	s.Left, s.Running, s.Since = s.LeftAt(t), false, max(s.Since, t)
	return s
}

// Segment returns what the side shows from Since on.
func (s Side) Segment(v Version) Segment {
	if s.Running {
		return Countdown(v, s.Since, s.Left)
	}
	return Stopped(v, s.Since, s.Left)
}
