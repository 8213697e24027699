package object

import (
	"holt/server/heap"
	"holt/server/id"
)

// clock knows the time since the process began, and the timers that wait. Its time does not run
// backwards when the host's clock is set back.
type clock struct {
	elapsed id.Millis
	last    id.Millis
	begun   bool
	waiting heap.Heap[timer]
	count   uint64
}

// never is a time before all others.
const never id.Millis = -1 << 40

// advance adds the time by which the host's clock has moved forward. If the host's clock was set
// back, time goes on from its new position.
func (c *clock) advance(now id.Millis) {
	if c.begun && now > c.last {
		c.elapsed += now - c.last
	}
	c.last, c.begun = now, true
}

// after calls do when d milliseconds have passed.
func (c *clock) after(d id.Millis, do func()) {
	c.count++
	c.waiting.Push(timer{at: c.elapsed + d, count: c.count, do: do})
}

// run calls the timers that are due.
func (c *clock) run() {
	for len(c.waiting) > 0 && c.waiting[0].at <= c.elapsed {
		c.waiting.Pop().do()
	}
}

func (c *clock) wake() (id.Millis, bool) {
	if len(c.waiting) == 0 {
		return 0, false
	}
	return max(0, c.waiting[0].at-c.elapsed), true
}

type timer struct {
	at    id.Millis
	count uint64
	do    func()
}

// Before reports whether a timer is due before another one; timers of one time are in the order in
// which they were made.
func (t timer) Before(u timer) bool {
	return t.at < u.at || t.at == u.at && t.count < u.count
}
