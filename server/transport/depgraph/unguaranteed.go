package depgraph

import "slices"

// unguaranteed has the unguaranteed messages that wait for guaranteed ones, in the order of their
// arrival (D15).
type unguaranteed[M any] struct {
	execute func(key uint64, m M) // set at construction
	// At most MaxUnguaranteed. The elements beyond its length keep memory for dependencies.
	waiting []waitingUnguaranteed[M]
}

// waitingUnguaranteed is an unguaranteed message that waits for deps. The last of deps has not been
// executed; others may have been.
type waitingUnguaranteed[M any] struct {
	key     uint64
	since   Instant
	deps    []uint64
	message M
}

// add executes the message, or keeps it if one of deps has not been executed. It drops an older
// message of the same key.
func (l *unguaranteed[M]) add(
	now Instant, key uint64, deps []uint64, m M, executed func(uint64) bool,
) {
	if key != 0 {
		if i := slices.IndexFunc(l.waiting, func(w waitingUnguaranteed[M]) bool {
			return w.key == key
		}); i >= 0 {
			l.remove(i)
		}
	}
	if !slices.ContainsFunc(deps, func(d uint64) bool { return !executed(d) }) {
		l.execute(key, m)
		return
	}
	if len(l.waiting) == MaxUnguaranteed {
		l.remove(0)
	}
	l.waiting = slices.Grow(l.waiting, 1)[:len(l.waiting)+1]
	w := &l.waiting[len(l.waiting)-1]
	w.key, w.since, w.message, w.deps = key, now, m, append(w.deps[:0], deps...)
	w.prune(executed)
}

// prune removes dependencies from the end while they are executed.
func (w *waitingUnguaranteed[M]) prune(executed func(uint64) bool) {
	for len(w.deps) > 0 && executed(w.deps[len(w.deps)-1]) {
		w.deps = w.deps[:len(w.deps)-1]
	}
}

// release executes the messages that waited for number and do not wait any more.
func (l *unguaranteed[M]) release(number uint64, executed func(uint64) bool) {
	for i := 0; i < len(l.waiting); i++ {
		w := &l.waiting[i]
		if w.deps[len(w.deps)-1] != number {
			continue
		}
		if w.prune(executed); len(w.deps) == 0 {
			key, m := w.key, w.message
			l.remove(i)
			l.execute(key, m)
			i = -1 // execute may have added messages
		}
	}
}

// expire drops messages that have waited for UnguaranteedTimeout.
func (l *unguaranteed[M]) expire(now Instant) {
	for len(l.waiting) > 0 && now >= l.waiting[0].since+UnguaranteedTimeout {
		l.remove(0)
	}
}

// remove removes a message, and keeps its memory for dependencies beyond the length.
func (l *unguaranteed[M]) remove(i int) {
	room := l.waiting[i].deps[:0]
	copy(l.waiting[i:], l.waiting[i+1:])
	last := len(l.waiting) - 1
	l.waiting[last] = waitingUnguaranteed[M]{deps: room}
	l.waiting = l.waiting[:last]
}
