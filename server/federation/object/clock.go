package object

import (
	"container/heap"

	"holt/server/id"
)

// clock knows the time since the process began, and the timers that wait. Its time does not run
// backwards when the host's clock is set back.
type clock struct {
	elapsed id.Millis
	last    id.Millis
	begun   bool
	waiting timers
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
	heap.Push(&c.waiting, timer{at: c.elapsed + d, count: c.count, do: do})
}

// run calls the timers that are due.
func (c *clock) run() {
	for len(c.waiting) > 0 && c.waiting[0].at <= c.elapsed {
		t := heap.Pop(&c.waiting).(timer) //nolint:errcheck // nothing else is in the heap
		t.do()
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

// timers is a heap by time; timers of one time are in the order in which they were made.
type timers []timer

func (t timers) Len() int { return len(t) }
func (t timers) Less(i, j int) bool {
	return t[i].at < t[j].at || t[i].at == t[j].at && t[i].count < t[j].count
}
func (t timers) Swap(i, j int) { t[i], t[j] = t[j], t[i] }

// Push is for container/heap.
func (t *timers) Push(x any) { *t = append(*t, x.(timer)) } //nolint:errcheck // x is a timer

// Pop is for container/heap.
func (t *timers) Pop() any {
	last := (*t)[len(*t)-1]
	(*t)[len(*t)-1] = timer{}
	*t = (*t)[:len(*t)-1]
	return last
}
