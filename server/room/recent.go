package room

import (
	"slices"
	"sort"

	"holt/server/id"
	"holt/server/table"
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
	floor   id.Generation // those up to here are forgotten
	entries int
	bytes   int
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
	for i := range entries {
		e := &entries[i]
		if commonEntry(t, e) {
			h.kept = append(h.kept, kept{entry: *e})
			h.common, h.bytes = h.common+1, h.bytes+sizeOf(entries[i:i+1])
			if h.common > 2*historyKept || h.bytes > historyBytes {
				h.forget()
			}
			continue
		}
		seats := t.Apart(e)
		if e.Client != (id.Client{}) { // its maker has to be told that it counts
			seats = append(seats, e.Seat)
		}
		slices.Sort(seats)
		if seats = slices.Compact(seats); len(seats) > 0 {
			h.kept = append(h.kept, kept{entry: *e, seats: seats})
			h.count(e, seats)
		}
	}
}

// count counts an entry for the seats that alone are told of it.
func (h *recent) count(e *table.Entry, seats []id.Seat) {
	for _, seat := range slices.Clone(seats) {
		own := h.own[seat]
		if own == nil {
			own = &ownHistory{}
			h.own[seat] = own
		}
		own.entries, own.bytes = own.entries+1, own.bytes+own.size(e)
		if own.entries > 2*ownKept || own.bytes > ownBytes {
			h.forgetOf(seat, own)
		}
	}
}

func (*ownHistory) size(e *table.Entry) int { return sizeOf([]table.Entry{*e}) }

// forget forgets what was told first, until there is room for as much again of what everybody is told.
func (h *recent) forget() {
	n := 0
	for ; h.common > historyKept || h.bytes > historyBytes/2; n++ {
		k := &h.kept[n]
		h.floor = k.entry.Gen
		if k.seats == nil {
			h.common, h.bytes = h.common-1, h.bytes-sizeOf([]table.Entry{k.entry})
		}
		for _, seat := range k.seats {
			own := h.own[seat]
			if own.entries, own.bytes = own.entries-1, own.bytes-own.size(&k.entry); own.entries == 0 {
				delete(h.own, seat)
			}
		}
	}
	h.kept = slices.Delete(h.kept, 0, n)
}

// forgetOf forgets what one seat was told first of what not everybody is told.
func (h *recent) forgetOf(seat id.Seat, own *ownHistory) {
	for i := range h.kept {
		if own.entries <= ownKept && own.bytes <= ownBytes/2 {
			break
		}
		k := &h.kept[i]
		at, told := slices.BinarySearch(k.seats, seat)
		if !told {
			continue
		}
		own.floor, own.entries, own.bytes = k.entry.Gen, own.entries-1, own.bytes-own.size(&k.entry)
		k.seats = slices.Delete(k.seats, at, at+1)
	}
	h.kept = slices.DeleteFunc(h.kept, func(k kept) bool { return k.seats != nil && len(k.seats) == 0 })
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
		if k.seats == nil || slices.Contains(k.seats, seat) || slices.Contains(k.seats, view) {
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
