package table

import (
	"cmp"
	"maps"
	"slices"

	"holt/server/id"
)

// How the pieces of a table lie can be saved as a set-up of its game (T102).

// Laid is a piece of a layout.
type Laid struct {
	Kind              uint32
	X, Y, Angle, Face int32
	Pinned, Locked    bool
	In                int      // the index of the container in which it lies; -1: on the table
	Name              id.Piece // of what everybody sees; else 0
}

// Look is what everybody knows of a piece whose front is hidden.
type Look struct {
	Mask  uint32 // its mask; or its kind, if that has none
	Heavy bool
}

func (l Look) compare(other Look) int {
	if l.Mask == other.Mask && l.Heavy != other.Heavy {
		if l.Heavy {
			return 1
		}
		return -1
	}
	return cmp.Compare(l.Mask, other.Mask)
}

// lookOf returns what everybody knows of a piece of a kind.
func (t *Table) lookOf(kind uint32) Look {
	return Look{Mask: t.seenAs(kind), Heavy: t.kinds[kind].Heavy}
}

// blur notes if an entry makes or deletes a piece while not everybody knows what it is. What the
// game began with, and what somebody adds into a container (T101), everybody may know who edits it.
// An undo of that leaves what was. Of currency nobody counts the heaps in hands. A rewind brings
// back what was known at the save point (applyRewound).
func (t *Table) blur(e *Entry) {
	b, a := &e.Before, &e.After
	ofGame := e.Op == OpAdd && (e.Seat == 0 || a.Native)
	switch {
	case e.Notice, !a.Set.IsZero(), t.kinds[a.Kind].Currency != 0, e.unmakes():
	case e.Made && !ofGame && !t.bare(a):
		t.blurred[t.lookOf(a.Kind)] = true
	case !e.Made && a.Gone && !t.bare(b):
		t.blurred[t.lookOf(b.Kind)] = true
	}
}

// blurredLooks returns the looks of which not everybody knows what there is, sorted.
func (t *Table) blurredLooks() []Look {
	return slices.SortedFunc(maps.Keys(t.blurred), Look.compare)
}

// setBlurred makes these the looks of which not everybody knows what there is.
func (t *Table) setBlurred(all []Look) {
	clear(t.blurred)
	for _, of := range all {
		t.blurred[of] = true
	}
}

// hiding is what is hidden of one look.
type hiding struct {
	kinds  []uint32       // of what is hidden
	onSite []*Laid        // places on the table, from the undermost
	held   map[*piece]int // how many lie in hands and in containers that are counted
}

// origin is where the pieces of one look come from.
type origin struct {
	boxes  map[*piece][]uint32 // the kinds that were set up in containers that are there
	others int                 // how many were set up in none of them
}

// layout is the state of one call of Layout.
type layout struct {
	t      *Table
	home   bool                // everything that was set up in a container goes back there
	boxes  []*piece            // the containers, from the undermost
	hands  []*piece            // the hands that are counted, from the undermost
	onSite [2][]*Laid          // what lies on the table: heavy pieces, and light ones
	inside map[*piece][]uint32 // the kinds in the containers
	rows   map[*piece][]*Laid  // what lies in the hands
	hidden map[Look]*hiding
	from   map[Look]*origin
}

// dropped is the In of a place that nothing has.
const dropped = -2

// Layout returns how the pieces lie, heavy ones first and each from the undermost, so that it tells
// nothing that is hidden (T102). What everybody sees lies where it lies; if home is set, only what
// does not come from a container. Of the rest, each container gets what was set up in it, as far as
// that is there, and everything else is dealt out again among the places of pieces that look the
// same; in a hand these are in a row. What containers hold follows all that lies on the table,
// ordered by kind. Guest sets are left out, and currency in hands. Layout reports false if not
// everybody knows what there is: something was deleted, or made, while it was hidden.
//
// Nobody may know which of two pieces that look the same was set up where. So nothing in the result
// depends on that.
func (t *Table) Layout(home bool) (all []Laid, known bool) {
	l := &layout{t: t, home: home, inside: map[*piece][]uint32{}, rows: map[*piece][]*Laid{},
		hidden: map[Look]*hiding{}, from: map[Look]*origin{}}
	l.findBoxes()
	l.findOrigins()
	for i, o := range []*order{&t.heavy, &t.light} {
		for p := range o.upwards(nil) {
			t.looks++
			l.layOpen(i, p)
		}
	}
	for _, p := range t.sorted() {
		t.looks++
		if s := &p.state; s.In != 0 && !s.Gone && s.Set.IsZero() {
			l.hide(p)
		}
	}
	for _, of := range slices.SortedFunc(maps.Keys(l.hidden), Look.compare) {
		if !l.knows(of) {
			return nil, false
		}
		l.deal(of)
	}
	l.layRows()
	return l.listed(), true
}

// findBoxes finds the containers and the hands.
func (l *layout) findBoxes() {
	t := l.t
	for p := range t.heavy.upwards(nil) {
		t.looks++
		switch k := t.kind(p); {
		case !p.state.Set.IsZero() || !t.bare(&p.state):
		case k.Container.Holds:
			l.boxes = append(l.boxes, p)
		case k.Hand && !k.Uncounted:
			l.hands = append(l.hands, p)
		}
	}
}

// findOrigins finds out where the pieces of each look come from.
func (l *layout) findOrigins() {
	for _, p := range l.t.sorted() {
		l.t.looks++
		s := &p.state
		if s.Gone || !s.Set.IsZero() {
			continue
		}
		of := l.t.lookOf(s.Kind)
		if l.from[of] == nil {
			l.from[of] = &origin{boxes: map[*piece][]uint32{}}
		}
		from := l.from[of]
		if box := l.t.names[s.Home]; s.Native && slices.Contains(l.boxes, box) {
			from.boxes[box] = append(from.boxes[box], s.Kind)
		} else {
			from.others++
		}
	}
}

// knows reports whether everybody knows which pieces of a look there are, so that it is known what
// is hidden: those that are not open.
func (l *layout) knows(of Look) bool {
	from := l.from[of]
	for box := range from.boxes {
		if box.spoiled {
			return false
		}
	}
	return from.others == 0 || l.t.tracked && !l.t.blurred[of]
}

// layOpen lays down a piece that lies on the table.
func (l *layout) layOpen(weight int, p *piece) {
	s := &p.state
	if !s.Set.IsZero() {
		return
	}
	isBare := l.t.bare(s)
	if home := l.t.names[s.Home]; l.home && isBare && s.Native && slices.Contains(l.boxes, home) &&
		l.from[l.t.lookOf(s.Kind)].others == 0 {
		l.inside[home] = append(l.inside[home], s.Kind)
		return
	}
	at := &Laid{Kind: s.Kind, X: s.X, Y: s.Y, Angle: s.Angle, Face: s.Face, Pinned: s.Pinned,
		Locked: s.Locked, In: -1, Name: p.name}
	l.onSite[weight] = append(l.onSite[weight], at)
	if isBare {
		return
	}
	at.Name, at.Face = 0, l.t.backOf(s)+1
	of := l.of(s.Kind)
	of.kinds, of.onSite = append(of.kinds, s.Kind), append(of.onSite, at)
}

// of returns what is hidden and looks like a piece of a kind.
func (l *layout) of(kind uint32) *hiding {
	key := l.t.lookOf(kind)
	if l.hidden[key] == nil {
		l.hidden[key] = &hiding{held: map[*piece]int{}}
	}
	return l.hidden[key]
}

// hide notes a piece that lies in a hand or in a container.
func (l *layout) hide(p *piece) {
	if l.t.kind(p).Currency != 0 && l.t.inHand(&p.state) {
		return // nobody counts how many heaps there are
	}
	of := l.of(p.state.Kind)
	of.kinds = append(of.kinds, p.state.Kind)
	if in := l.t.names[p.state.In]; in != nil && !l.t.kind(in).Uncounted {
		of.held[in]++
	}
}

// deal deals what is hidden of one look out among its places. First each container gets what was
// set up in it, then the places on the table, the hands, and the containers if none of the look
// was set up in one. Which piece had which place is not to be seen from the result.
func (l *layout) deal(key Look) {
	of, from := l.hidden[key], l.from[key]
	slices.Sort(of.kinds)
	for _, box := range l.boxes {
		for _, kind := range from.boxes[box] {
			if i, ok := slices.BinarySearch(of.kinds, kind); ok {
				of.kinds = slices.Delete(of.kinds, i, i+1)
				l.inside[box] = append(l.inside[box], kind)
			}
		}
	}
	for _, at := range of.onSite {
		if at.In = dropped; len(of.kinds) > 0 {
			at.In, at.Kind, of.kinds = -1, of.kinds[0], of.kinds[1:]
		}
	}
	take := func(from *piece) []uint32 {
		n := min(of.held[from], len(of.kinds))
		kinds := of.kinds[:n]
		of.kinds = of.kinds[n:]
		return kinds
	}
	for _, hand := range l.hands {
		for _, kind := range take(hand) {
			l.rows[hand] = append(l.rows[hand], l.lay(key, kind))
		}
	}
	if len(from.boxes) == 0 {
		for _, box := range l.boxes {
			l.inside[box] = append(l.inside[box], take(box)...)
		}
	}
	l.layAside(key, of.kinds)
}

// lay lays a piece of a look in the middle of the table.
func (l *layout) lay(key Look, kind uint32) *Laid {
	weight := 1
	if key.Heavy {
		weight = 0
	}
	at := &Laid{Kind: kind, Face: l.inBox(kind), In: -1}
	l.onSite[weight] = append(l.onSite[weight], at)
	return at
}

// layAside puts what has no other place into the first container that takes it, or in the middle of
// the table.
func (l *layout) layAside(key Look, kinds []uint32) {
	for _, kind := range kinds {
		i := slices.IndexFunc(l.boxes, func(box *piece) bool {
			return l.t.takes(box, &State{Kind: kind})
		})
		if i >= 0 {
			l.inside[l.boxes[i]] = append(l.inside[l.boxes[i]], kind)
		} else {
			l.lay(key, kind)
		}
	}
}

// layRows lays what lies in a hand side by side, along the hand.
func (l *layout) layRows() {
	for hand, row := range l.rows {
		is := &hand.state
		turns := quarters(is.Angle)
		width := l.t.kind(hand).Width
		step := width / int32(len(row)) //nolint:gosec // at most MaxPieces
		step = min(step, l.t.kinds[row[0].Kind].Width+rowGap)
		along := -step * int32(len(row)-1) / 2 //nolint:gosec // as above
		for _, at := range row {
			dx, dy := turn(along, 0, turns)
			at.X, at.Y, at.Angle = is.X+dx, is.Y+dy, upright(hand)
			along += step
		}
	}
}

// rowGap is the gap between pieces that are laid side by side.
const rowGap = 100

// inBox returns the face of a piece that nobody sees.
func (l *layout) inBox(kind uint32) int32 {
	if l.t.kinds[kind].Secret {
		return 1
	}
	return 0
}

// listed returns all that was laid down.
func (l *layout) listed() (all []Laid) {
	at := map[id.Piece]int{}
	for _, p := range slices.Concat(l.onSite[0], l.onSite[1]) {
		if p.In == dropped {
			continue
		}
		if p.Name != 0 {
			at[p.Name] = len(all)
		}
		all = append(all, *p)
	}
	for _, box := range l.boxes {
		slices.Sort(l.inside[box])
		for _, kind := range l.inside[box] {
			all = append(all, Laid{Kind: kind, X: box.state.X, Y: box.state.Y, Angle: box.state.Angle,
				Face: l.inBox(kind), In: at[box.name]})
		}
	}
	return all
}
