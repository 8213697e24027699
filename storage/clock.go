package storage

import "time"

// clock is the time by which the writer records log lengths and checks where its files are. Tests
// use a clock that stands still until they set it.
type clock interface {
	now() time.Time
	newTimer(d time.Duration) timer
}

// timer is a *time.Timer whose channel C is returned by fired.
type timer interface {
	fired() <-chan time.Time
	Reset(d time.Duration) bool
	Stop() bool
}

// machineClock is the clock of the machine.
type machineClock struct{}

func (machineClock) now() time.Time { return time.Now() }

func (machineClock) newTimer(d time.Duration) timer { return machineTimer{time.NewTimer(d)} }

type machineTimer struct{ *time.Timer }

func (t machineTimer) fired() <-chan time.Time { return t.Timer.C }
