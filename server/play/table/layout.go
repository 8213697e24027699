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
// game began with, and what somebody adds who edits it, everybody may know who edits it.
func (t *Table) blur(e *Entry) {
	b, a := &e.Before, &e.After
	ofGame := e.Op == OpAdd && (e.Seat == 0 || t.Edits(e.Seat))
	switch {
	case e.Notice, !a.Set.IsZero():
	case e.Made && !ofGame && !t.bare(a):
		t.blurred[t.lookOf(a.Kind)] = true
	case !e.Made && a.Gone && !t.bare(b):
		t.blurred[t.lookOf(b.Kind)] = true
	}
}

// hiding is what is hidden of one look, and was set up in no container.
type hiding struct {
	kinds  []uint32
	onSite []*Laid        // places on the table, from the undermost
	held   map[*piece]int // how many come into which containers, or lie in which hands
	aside  int            // how many have no place
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
	// unknown says that not everybody knows what there is.
	unknown bool
}

// Layout returns how the pieces lie, heavy ones first and each from the undermost, so that it tells
// nothing that is hidden (T102). What everybody sees lies where it lies; if home is set, only what
// was set up in no container. Of the rest, what was set up in a container is in it, and everything
// else is dealt out again among the places of pieces that look the same; in a hand these are in a
// row. What containers hold follows all that lies on the table, ordered by kind. Guest sets are
// left out, and currency in hands. Layout reports false if not everybody knows what there is:
// something was deleted, or made, while it was hidden.
func (t *Table) Layout(home bool) (all []Laid, known bool) {
	l := &layout{t: t, home: home, inside: map[*piece][]uint32{}, rows: map[*piece][]*Laid{},
		hidden: map[Look]*hiding{}}
	l.findBoxes()
	for i, o := range []*order{&t.heavy, &t.light} {
		for p := range o.upwards(nil) {
			t.looks++
			l.layOpen(i, p)
		}
	}
	for _, p := range t.sorted() {
		t.looks++
		if s := &p.state; s.In != 0 && !s.Gone && s.Set.IsZero() && !l.goesHome(p) {
			l.hide(p)
		}
	}
	for _, of := range slices.SortedFunc(maps.Keys(l.hidden), Look.compare) {
		if l.unknown = l.unknown || !t.tracked || t.blurred[of]; !l.unknown {
			l.deal(of)
		}
	}
	if l.unknown {
		return nil, false
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

// layOpen lays down a piece that lies on the table.
func (l *layout) layOpen(weight int, p *piece) {
	s := &p.state
	if !s.Set.IsZero() || (l.home || !l.t.bare(s)) && l.goesHome(p) {
		return
	}
	at := &Laid{Kind: s.Kind, X: s.X, Y: s.Y, Angle: s.Angle, Face: s.Face, Pinned: s.Pinned,
		Locked: s.Locked, In: -1, Name: p.name}
	l.onSite[weight] = append(l.onSite[weight], at)
	if l.t.bare(s) {
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

// goesHome puts a piece into the container in which it was set up, and reports whether there is
// one.
func (l *layout) goesHome(p *piece) bool {
	home := l.t.names[p.state.Home]
	if !p.state.Native || !slices.Contains(l.boxes, home) {
		return false
	}
	l.unknown = l.unknown || home.spoiled
	l.inside[home] = append(l.inside[home], p.state.Kind)
	return true
}

// hide notes a piece that lies in a hand or in a container and was set up in none that is there. It
// comes into its home if everybody may know how many pieces belong there, stays in a hand that is
// counted, or comes into the only container that takes it. Otherwise it is laid aside.
func (l *layout) hide(p *piece) {
	if l.t.kind(p).Currency != 0 && l.t.inHand(&p.state) {
		return // nobody counts how many heaps there are
	}
	of, s := l.of(p.state.Kind), &State{Kind: p.state.Kind}
	of.kinds = append(of.kinds, s.Kind)
	var takes []*piece
	for _, box := range l.boxes {
		if l.t.takes(box, s) {
			takes = append(takes, box)
		}
	}
	home, in := l.t.names[p.state.Home], l.t.names[p.state.In]
	switch {
	case slices.Contains(takes, home) && !l.t.kind(home).Uncounted:
		of.held[home]++
	case slices.Contains(l.hands, in):
		of.held[in]++
	case len(takes) == 1:
		of.held[takes[0]]++
	default:
		of.aside++
	}
}

// deal deals the kinds of one look out among their places. Which piece had which place is not to be
// seen from the result.
func (l *layout) deal(key Look) {
	of := l.hidden[key]
	slices.Sort(of.kinds)
	for _, box := range l.boxes {
		n := of.held[box]
		l.inside[box] = append(l.inside[box], of.kinds[:n]...)
		of.kinds = of.kinds[n:]
	}
	weight := 1
	if key.Heavy {
		weight = 0
	}
	lay := func(kind uint32) *Laid {
		at := &Laid{Kind: kind, Face: l.inBox(kind), In: -1}
		l.onSite[weight] = append(l.onSite[weight], at)
		return at
	}
	for _, hand := range l.hands {
		n := of.held[hand]
		for _, kind := range of.kinds[:n] {
			l.rows[hand] = append(l.rows[hand], lay(kind))
		}
		of.kinds = of.kinds[n:]
	}
	for i, at := range of.onSite {
		at.Kind = of.kinds[i]
	}
	for _, kind := range of.kinds[len(of.onSite):] { // in the middle of the table
		lay(kind)
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
