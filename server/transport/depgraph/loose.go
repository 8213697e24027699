package depgraph

import "slices"

// loose has the unguaranteed messages that wait for guaranteed ones, in the order in which they came (D15).
type loose[M any] struct {
	execute func(key uint64, m M) // set at construction
	waiting []waitingLoose[M]     // at most MaxLoose; what lies behind its length has room for dependencies
}

// waitingLoose waits for deps. The last of them has not been executed; others may have been.
type waitingLoose[M any] struct {
	key     uint64
	since   Instant
	deps    []uint64
	message M
}

// add executes the message, or keeps it if one of deps has not been executed. It throws away an older one of the
// same key.
func (l *loose[M]) add(now Instant, key uint64, deps []uint64, m M, executed func(uint64) bool) {
	if key != 0 {
		if i := slices.IndexFunc(l.waiting, func(w waitingLoose[M]) bool { return w.key == key }); i >= 0 {
			l.remove(i)
		}
	}
	if !slices.ContainsFunc(deps, func(d uint64) bool { return !executed(d) }) {
		l.execute(key, m)
		return
	}
	if len(l.waiting) == MaxLoose {
		l.remove(0)
	}
	l.waiting = slices.Grow(l.waiting, 1)[:len(l.waiting)+1]
	w := &l.waiting[len(l.waiting)-1]
	w.key, w.since, w.message, w.deps = key, now, m, append(w.deps[:0], deps...)
	w.prune(executed)
}

// prune takes off the dependencies at the end that have been executed.
func (w *waitingLoose[M]) prune(executed func(uint64) bool) {
	for len(w.deps) > 0 && executed(w.deps[len(w.deps)-1]) {
		w.deps = w.deps[:len(w.deps)-1]
	}
}

// release executes what waited for number and waits for nothing any more.
func (l *loose[M]) release(number uint64, executed func(uint64) bool) {
	for i := 0; i < len(l.waiting); i++ {
		w := &l.waiting[i]
		if w.deps[len(w.deps)-1] != number {
			continue
		}
		if w.prune(executed); len(w.deps) == 0 {
			key, m := w.key, w.message
			l.remove(i)
			l.execute(key, m)
			i = -1 // the function may have added
		}
	}
}

// expire throws away what has waited for LooseTimeout.
func (l *loose[M]) expire(now Instant) {
	for len(l.waiting) > 0 && now >= l.waiting[0].since+LooseTimeout {
		l.remove(0)
	}
}

// remove takes one out and leaves its room for dependencies behind the others.
func (l *loose[M]) remove(i int) {
	room := l.waiting[i].deps[:0]
	copy(l.waiting[i:], l.waiting[i+1:])
	last := len(l.waiting) - 1
	l.waiting[last] = waitingLoose[M]{deps: room}
	l.waiting = l.waiting[:last]
}
