package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"holt/server/id"
)

// NewestGesture returns the name of the newest gesture of a seat, 0 if none is kept.
func NewestGesture(t *Table, seat id.Seat) id.Generation {
	if a := t.gestures.actor(seat); a != nil && a.n > 0 {
		return a.newest().name
	}
	return 0
}

// KeptOf returns how many gestures of a seat are kept, and how many changes these have.
func KeptOf(t *Table, seat id.Seat) (gestures, changes, memory int) {
	if a := t.gestures.actor(seat); a != nil {
		return a.n, a.kept(), cap(a.changes)
	}
	return 0, 0, 0
}

// Actors returns of how many seats gestures are kept.
func Actors(t *Table) int { return len(t.gestures.actors) }

// Gestures returns what is kept of gestures, as text, without what only counts uses.
func Gestures(t *Table) string {
	var b strings.Builder
	g := &t.gestures
	actors := slices.Clone(g.actors)
	slices.SortFunc(actors, func(a, b *actor) int { return cmp.Compare(a.seat, b.seat) })
	for _, a := range actors {
		for i := range a.n {
			of := *a.at(i)
			all := a.changesOf(&of)
			of.from = 0
			fmt.Fprintf(&b, "seat %d: %+v\n", a.seat, of)
			for _, c := range all {
				fmt.Fprintf(&b, "  %+v\n", c)
			}
		}
	}
	for _, seat := range slices.Sorted(func(yield func(id.Seat) bool) {
		for seat := range g.crossings {
			if !yield(seat) {
				return
			}
		}
	}) {
		fmt.Fprintf(&b, "crossed %d: %d\n", seat, g.crossings[seat])
	}
	for _, p := range t.sorted() {
		fmt.Fprintf(&b, "%d: %d %d %v\n",
			p.name, p.trace.ident, p.trace.crossed, p.trace.heldIn != 0)
	}
	return b.String()
}

// Remakes reports whether an undo takes back that something was added, copied or deleted.
func Remakes(t *Table, u *Undo) bool {
	// What a gesture has made and deleted again is not among the changes that are undone, but what
	// it was split off is.
	if a := t.gestures.actor(u.Seat); a != nil {
		for i := range a.n {
			if of := a.at(i); of.name == u.Gesture && slices.ContainsFunc(a.changesOf(of),
				func(c change) bool { return c.made && c.after.Gone }) {
				return true
			}
		}
	}
	return u.Op == OpAdd || u.Op == OpCopy || slices.ContainsFunc(u.changes, func(c undoing) bool {
		return c.op == OpAdd || c.op == OpCopy || c.op == OpDelete || c.made && c.op != OpSplit
	})
}
