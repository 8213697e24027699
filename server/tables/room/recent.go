package room

import (
	"slices"
	"sort"

	"holt/server/id"
	"holt/server/play/table"
)

// How much a room keeps for clients that come back (S5), at least, as soon as there is so much; about twice as much at most.
const (
	historyKept  = 2048    // entries of which everybody is told something
	historyBytes = 8 << 20 // of operations on components, facts about randomness and orders of containers in them, at most
	ownKept      = 64      // entries of which one seat is told, and not everybody
	ownBytes     = 64 << 10
)

// recent is what has been told last. What is told to everybody and what is told to some seats alone is counted and forgotten
// apart: so it follows from what a view has been told whether it is made whole by what it has missed, or by a full state. Of
// what is told to nobody nothing is kept.
type recent struct {
	kept   []kept        // in the order of their generations
	floor  id.Generation // what lies up to here is forgotten
	common int           // entries of which everybody is told
	bytes  int           // in them
	own    map[id.Seat]*ownHistory
}

// kept is an entry, and the seats that are told of it; nil: everybody is told something.
type kept struct {
	entry table.Entry
	seats []id.Seat
}

// ownHistory counts the entries of which a seat is told and not everybody.
type ownHistory struct {
	floor  id.Generation // those up to here are forgotten
	counts []counted     // of the others, in the order of their generations
	bytes  int           // in them
}

// counted is an entry, and how many bytes it has.
type counted struct {
	gen   id.Generation
	bytes int
}

// newRecent returns the history of a table in which told is what lies in the log behind a snapshot. What was before the first
// seat nobody has missed.
func newRecent(t *table.Table, told []table.Entry) *recent {
	h := &recent{floor: t.Gen(), own: map[id.Seat]*ownHistory{}}
	if len(told) > 0 {
		told = told[max(slices.IndexFunc(told, func(e table.Entry) bool { return e.Who != nil && e.Who.Seat == 1 }), 0):]
		h.floor = told[0].Gen - 1
	}
	h.keep(t, told)
	return h
}

// keep adds what has been told.
func (h *recent) keep(t *table.Table, entries []table.Entry) {
	told := make([][]id.Seat, len(entries)) // nil: everybody
	for i := range entries {
		if e := &entries[i]; !commonEntry(t, e) {
			told[i] = tellsAlone(t, e)
		}
	}
	outrun, cut := outrun(told), false
	for i := range entries {
		e, seats := &entries[i], told[i]
		switch cut = h.count(e, seats) || cut; {
		case seats == nil:
			h.kept = append(h.kept, kept{entry: *e})
			h.common, h.bytes = h.common+1, h.bytes+sizeOf(entries[i:i+1])
			if h.common > 2*historyKept || h.bytes > historyBytes {
				h.forget()
			}
		case len(seats) > 0 && !outrun[i]:
			h.kept = append(h.kept, kept{entry: *e, seats: seats})
		}
	}
	if cut {
		h.sift()
	}
}

// outrun says of each entry, of which these seats alone are told, whether each of them is told of so many after it that it is
// forgotten in any case.
func outrun(told [][]id.Seat) []bool {
	all, after := make([]bool, len(told)), map[id.Seat]int{}
	for i := len(told) - 1; i >= 0; i-- {
		all[i] = true
		for _, seat := range told[i] {
			all[i] = all[i] && after[seat] > 2*ownKept
			after[seat]++
		}
	}
	return all
}

// tellsAlone returns the seats that are told of an entry of which not everybody is, ascending. It is never nil.
func tellsAlone(t *table.Table, e *table.Entry) []id.Seat {
	seats := append([]id.Seat{}, t.Apart(e)...)
	if e.Client != (id.Client{}) { // its maker has to be told that it counts
		seats = append(seats, e.Seat)
	}
	slices.Sort(seats)
	return slices.Compact(seats)
}

// count counts an entry for the seats that alone are told of it, and forgets what they were told first when that is too much. It
// reports whether anything was forgotten, which sift deletes.
func (h *recent) count(e *table.Entry, seats []id.Seat) (cut bool) {
	for _, seat := range seats {
		own := h.own[seat]
		if own == nil {
			own = &ownHistory{}
			h.own[seat] = own
		}
		n := sizeOf([]table.Entry{*e})
		own.counts, own.bytes = append(own.counts, counted{e.Gen, n}), own.bytes+n
		if len(own.counts) > 2*ownKept || own.bytes > ownBytes {
			own.forget()
			cut = true
		}
	}
	return cut
}

// forget forgets what the seat was told first, until there is room for as much again.
func (o *ownHistory) forget() {
	n := 0
	for left := len(o.counts); left > ownKept || o.bytes > ownBytes/2; left-- {
		o.floor, o.bytes = o.counts[n].gen, o.bytes-o.counts[n].bytes
		n++
	}
	o.counts = slices.Delete(o.counts, 0, n)
}

// sift deletes the entries that are forgotten for all who were told of them.
func (h *recent) sift() {
	h.kept = slices.DeleteFunc(h.kept, func(k kept) bool {
		return k.seats != nil && !slices.ContainsFunc(k.seats, func(seat id.Seat) bool { return h.knows(&k, seat) })
	})
}

// knows reports whether an entry of which a seat alone is told, with others perhaps, is not forgotten for it.
func (h *recent) knows(k *kept, seat id.Seat) bool {
	own := h.own[seat]
	return slices.Contains(k.seats, seat) && (own == nil || k.entry.Gen > own.floor)
}

// forget forgets what was told first, until there is room for as much again of what everybody is told.
func (h *recent) forget() {
	n := 0
	for ; h.common > historyKept || h.bytes > historyBytes/2; n++ {
		k := &h.kept[n]
		h.floor = k.entry.Gen
		if k.seats == nil {
			h.common, h.bytes = h.common-1, h.bytes-sizeOf([]table.Entry{k.entry})
		}
	}
	h.kept = slices.Delete(h.kept, 0, n)
	for seat, own := range h.own {
		for len(own.counts) > 0 && own.counts[0].gen <= h.floor {
			own.bytes -= own.counts[0].bytes
			own.counts = own.counts[1:]
		}
		if len(own.counts) == 0 && own.floor <= h.floor {
			delete(h.own, seat)
		}
	}
}

// floorOf returns the generation up to which something may be forgotten that a view was told.
func (h *recent) floorOf(view id.Seat) id.Generation {
	if own := h.own[view]; own != nil {
		return max(h.floor, own.floor)
	}
	return h.floor
}

// after returns the entries behind a generation of which a seat with a view is told.
func (h *recent) after(g id.Generation, seat, view id.Seat) []table.Entry {
	from := sort.Search(len(h.kept), func(i int) bool { return h.kept[i].entry.Gen > g })
	var all []table.Entry
	for i := range h.kept[from:] {
		k := &h.kept[from+i]
		if k.seats == nil || h.knows(k, seat) || h.knows(k, view) {
			all = append(all, k.entry)
		}
	}
	return all
}

// sizeOf returns how many bytes entries have that historyBytes counts.
func sizeOf(entries []table.Entry) int {
	n := 0
	for i := range entries {
		e := &entries[i]
		n += len(e.Ops) + len(e.Fact) + 4*(len(e.Order)+len(e.Faces))
	}
	return n
}
