package room

import (
	"slices"
	"sort"

	"holt/server/id"
	"holt/server/play/table"
)

// How much a room keeps for clients that come back (S5), at least, once that much was published. It
// keeps at most about twice as much.
const (
	historyKept = 2048 // entries of which something is published to everybody
	// Bytes in those entries, at most, of operations on components, facts about randomness, lines
	// of chat and orders of containers.
	historyBytes = 8 << 20
	ownKept      = 64 // entries of which one seat gets something and not everybody
	// Bytes in those entries, at most.
	ownBytes = 64 << 10
)

// recent is what was published last. What everybody gets and what only some seats get is counted
// and forgotten separately. So what a view was sent decides whether it is synchronised by what it
// has missed or by a full state. Entries of which nobody gets anything are not kept.
type recent struct {
	kept   []keptEntry   // in the order of their generations
	floor  id.Generation // entries up to here are forgotten
	common int           // how many entries everybody gets
	bytes  int           // in those
	own    map[id.Seat]*ownHistory
}

// keptEntry is an entry, and the seats that get something of it; nil: everybody does.
type keptEntry struct {
	entry table.Entry
	seats []id.Seat
}

// ownHistory counts the entries of which a seat gets something and not everybody.
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

// newRecent returns the history of a table. told is what the log has after the snapshot. Nobody can
// have missed what came before the first seat.
func newRecent(t *table.Table, told []table.Entry) *recent {
	h := &recent{floor: t.Gen(), own: map[id.Seat]*ownHistory{}}
	if len(told) > 0 {
		told = told[max(slices.IndexFunc(told,
			func(e table.Entry) bool { return e.Who != nil && e.Who.Seat == 1 }), 0):]
		h.floor = told[0].Gen - 1
	}
	h.add(t, told)
	return h
}

// add adds what was published.
func (h *recent) add(t *table.Table, entries []table.Entry) {
	told := make([][]id.Seat, len(entries)) // nil: everybody
	for i := range entries {
		if e := &entries[i]; !commonEntry(t, e) {
			told[i] = recipientsOf(t, e)
		}
	}
	outdated, cut := outdated(told), false
	for i := range entries {
		e, seats := &entries[i], told[i]
		switch cut = h.count(e, seats) || cut; {
		case seats == nil:
			h.kept = append(h.kept, keptEntry{entry: *e})
			h.common, h.bytes = h.common+1, h.bytes+sizeOf(entries[i:i+1])
			if h.common > 2*historyKept || h.bytes > historyBytes {
				h.forget()
			}
		case len(seats) > 0 && !outdated[i]:
			h.kept = append(h.kept, keptEntry{entry: *e, seats: seats})
		}
	}
	if cut {
		h.dropForgotten()
	}
}

// outdated says of each entry that only some seats get whether each of these seats gets so many
// after it that the entry is forgotten in any case.
func outdated(told [][]id.Seat) []bool {
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

// recipientsOf returns the seats that get something of an entry of which not everybody does,
// ascending. It is never nil.
func recipientsOf(t *table.Table, e *table.Entry) []id.Seat {
	seats := append([]id.Seat{}, t.Apart(e)...)
	if e.Client != (id.Client{}) { // its maker has to learn that it is recorded
		seats = append(seats, e.Seat)
	}
	slices.Sort(seats)
	return slices.Compact(seats)
}

// count counts an entry for the seats that alone get something of it, and forgets their oldest
// entries when they have too many. It reports whether anything was forgotten; sift deletes that.
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

// forget forgets the oldest entries of the seat, until only the smaller amount is left.
func (o *ownHistory) forget() {
	n := 0
	for left := len(o.counts); left > ownKept || o.bytes > ownBytes/2; left-- {
		o.floor, o.bytes = o.counts[n].gen, o.bytes-o.counts[n].bytes
		n++
	}
	o.counts = slices.Delete(o.counts, 0, n)
}

// dropForgotten deletes the entries that are forgotten for all seats that got something of them.
func (h *recent) dropForgotten() {
	h.kept = slices.DeleteFunc(h.kept, func(k keptEntry) bool {
		return k.seats != nil &&
			!slices.ContainsFunc(k.seats, func(seat id.Seat) bool { return h.stillHas(&k, seat) })
	})
}

// stillHas reports whether a seat got something of an entry that not everybody got, and it is not
// forgotten for that seat.
func (h *recent) stillHas(k *keptEntry, seat id.Seat) bool {
	own := h.own[seat]
	return slices.Contains(k.seats, seat) && (own == nil || k.entry.Gen > own.floor)
}

// forget forgets the oldest entries, until only the smaller amount of what everybody gets is left.
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

// floorOf returns the generation up to which something that a view was sent may be forgotten.
func (h *recent) floorOf(view id.Seat) id.Generation {
	if own := h.own[view]; own != nil {
		return max(h.floor, own.floor)
	}
	return h.floor
}

// after returns the entries after a generation of which a seat with a view gets something.
func (h *recent) after(g id.Generation, seat, view id.Seat) []table.Entry {
	from := sort.Search(len(h.kept), func(i int) bool { return h.kept[i].entry.Gen > g })
	var all []table.Entry
	for i := range h.kept[from:] {
		k := &h.kept[from+i]
		if k.seats == nil || h.stillHas(k, seat) || h.stillHas(k, view) {
			all = append(all, k.entry)
		}
	}
	return all
}

// sizeOf returns how many bytes of entries historyBytes counts.
func sizeOf(entries []table.Entry) int {
	n := 0
	for i := range entries {
		e := &entries[i]
		n += len(e.Ops) + len(e.Fact) + 4*(len(e.Order)+len(e.Faces))
		if e.Chat != nil {
			n += len(e.Chat.Text)
		}
	}
	return n
}
