package table

import "slices"

// The indexes of the table. With them an operation looks only at the pieces and hands that it
// concerns. They follow from the states of the pieces; place, withdraw and applyPiece keep them
// current. Their results have no order.

// bunch is a set of pieces that have something in common.
type bunch struct{ pieces []*piece }

// slot says where a piece is in a bunch.
type slot struct {
	of *bunch
	at int
}

// all returns the pieces of a bunch, which may be nil.
func (g *bunch) all() []*piece {
	if g == nil {
		return nil
	}
	return g.pieces
}

// join adds p to g. s is the slot that p has for bunches of this sort.
func (g *bunch) join(p *piece, s *slot) {
	*s = slot{of: g, at: len(g.pieces)}
	g.pieces = append(g.pieces, p)
}

// leave takes p out of the bunch of its slot at(p), if it is in one.
func leave(p *piece, at func(*piece) *slot) {
	s := at(p)
	g := s.of
	if g == nil {
		return
	}
	last := len(g.pieces) - 1
	moved := g.pieces[last]
	g.pieces[s.at], at(moved).at = moved, s.at
	g.pieces[last] = nil
	g.pieces = g.pieces[:last]
	*s = slot{}
}

func homeSlot(p *piece) *slot { return &p.byHome }
func setSlot(p *piece) *slot  { return &p.bySet }
func cellSlot(p *piece) *slot { return &p.byCell }

func rackSlot(p *piece) *slot { return &p.byRack }

// bunchOf returns the bunch of a key, and makes it if there is none.
func bunchOf[K comparable](all map[K]*bunch, key K) *bunch {
	g := all[key]
	if g == nil {
		g = &bunch{}
		all[key] = g
	}
	return g
}

// depart takes p out of the bunch of a key, and deletes the bunch if it is empty then.
func depart[K comparable](all map[K]*bunch, key K, p *piece, at func(*piece) *slot) {
	leave(p, at)
	if g := all[key]; g != nil && len(g.pieces) == 0 {
		delete(all, key)
	}
}

// index adds a piece in its current state to all indexes.
func (t *Table) index(p *piece) {
	s := &p.state
	if s.Home != 0 {
		bunchOf(t.homes, s.Home).join(p, &p.byHome)
	}
	if !s.Set.IsZero() {
		bunchOf(t.members, s.Set).join(p, &p.bySet)
	}
	if t.grounded(s) {
		bunchOf(t.ground, cellAt(s.X, s.Y)).join(p, &p.byCell)
	}
	if t.isOnRack(s) {
		t.racked.join(p, &p.byRack)
	}
	t.lengths.count(s, +1)
	t.bear(s, +1)
	t.alike[t.seenAs(s.Kind)]++
}

// unindex removes a piece in its current state from all indexes.
func (t *Table) unindex(p *piece) {
	s := &p.state
	depart(t.homes, s.Home, p, homeSlot)
	depart(t.members, s.Set, p, setSlot)
	depart(t.ground, cellAt(s.X, s.Y), p, cellSlot)
	leave(p, rackSlot)
	t.lengths.count(s, -1)
	t.bear(s, -1)
	t.alike[t.seenAs(s.Kind)]--
}

// reindex updates the indexes for a piece whose state has changed from was.
func (t *Table) reindex(p *piece, was *State) {
	s := &p.state
	if was.Home != s.Home {
		t.rehome(was, s)
		depart(t.homes, was.Home, p, homeSlot)
		if s.Home != 0 {
			bunchOf(t.homes, s.Home).join(p, &p.byHome)
		}
	}
	if was.Set != s.Set {
		depart(t.members, was.Set, p, setSlot)
		if !s.Set.IsZero() {
			bunchOf(t.members, s.Set).join(p, &p.bySet)
		}
	}
	from, to := cellAt(was.X, was.Y), cellAt(s.X, s.Y)
	if in, stays := p.byCell.of != nil, t.grounded(s); in != stays || stays && from != to {
		depart(t.ground, from, p, cellSlot)
		if stays {
			bunchOf(t.ground, to).join(p, &p.byCell)
		}
	}
	if in, stays := p.byRack.of != nil, t.isOnRack(s); in && !stays {
		leave(p, rackSlot)
	} else if stays && !in {
		t.racked.join(p, &p.byRack)
	}
	if was.Native != s.Native || was.Home != s.Home || was.Kind != s.Kind {
		t.bear(was, -1)
		t.bear(s, +1)
	}
	if len(was.Z) != len(s.Z) || len(was.Text) != len(s.Text) {
		t.lengths.count(was, -1)
		t.lengths.count(s, +1)
	}
}

// rehome counts a piece whose home has changed, where it lies. If it lies elsewhere now, it was
// counted already.
func (t *Table) rehome(was, s *State) {
	switch {
	case s.In == 0 || s.In != was.In:
	case s.Home == s.In:
		t.hold(s.In).native++
	case was.Home == s.In:
		t.hold(s.In).native--
	}
}

// lengths counts the pieces whose levels have many digits, which a respread may change (T13), and
// the bytes of texts.
type lengths struct {
	long int // levels with more digits than a crowd shares at least
	huge int // levels so long that one between two of them may be too long
	// wordy is the sum of the bytes of level and text of all pieces that have more than fewBytes of
	// them.
	wordy int
}

// A level is long above longDigits digits, and huge above hugeDigits. fewBytes is in bytes.
const (
	longDigits = 57
	hugeDigits = 192
	fewBytes   = 64
)

func (l *lengths) count(s *State, by int) {
	digits := s.Z.Digits()
	if n := len(s.Z) + len(s.Text); n > fewBytes {
		l.wordy += by * n
	}
	if digits > longDigits {
		l.long += by
	}
	if digits > hugeDigits {
		l.huge += by
	}
}

// cell names a square of the plane, whose side is 1<<cellBits table units.
type cell struct{ x, y int32 }

const cellBits = 12 // sides of 41 cm

func cellAt(x, y int32) cell { return cell{x >> cellBits, y >> cellBits} }

// grounded reports whether a piece in that state is in the index by place: it lies open on the
// table, and hands can gather it, other heaps of its currency can merge into it, or it can lie in a
// zone.
func (t *Table) grounded(s *State) bool {
	return t.open(s) &&
		(t.private(s.Kind) || t.kinds[s.Kind].merges() || t.zoned && !t.kinds[s.Kind].Heavy)
}

// near calls each with the bunches of all cells that a rectangle about a place touches. w and d are
// half its width and depth. The bunches may include pieces outside the rectangle.
func (t *Table) near(x, y, w, d int32, each func(*bunch)) {
	lo, hi := cellAt(x-w, y-d), cellAt(x+w, y+d)
	if n := int64(hi.x-lo.x+1) * int64(hi.y-lo.y+1); n > int64(len(t.ground)) {
		for c, g := range t.ground {
			if c.x >= lo.x && c.x <= hi.x && c.y >= lo.y && c.y <= hi.y {
				each(g)
			}
		}
		return
	}
	for cx := lo.x; cx <= hi.x; cx++ {
		for cy := lo.y; cy <= hi.y; cy++ {
			if g := t.ground[cell{cx, cy}]; g != nil {
				each(g)
			}
		}
	}
}

// cover finds the hands, the containers, or the zones that may lie over a place. A small cover has
// only the list.
type cover struct {
	all   []*piece          // the oldest first
	cells map[cell][]*piece // nil while there are at most coverFew pieces
	bits  uint              // the side of a cell is 1<<bits; no piece is wider or deeper
}

// coverFew is the greatest number of pieces without cells.
const coverFew = 8

// put adds a piece that is not in the cover.
func (c *cover) put(t *Table, p *piece) {
	i, _ := slices.BinarySearchFunc(c.all, p, byAge)
	c.all = slices.Insert(c.all, i, p)
	bits := max(bitsOf(t.extent(p)), c.bits, cellBits)
	switch {
	case len(c.all) <= coverFew:
		c.bits = bits
	case c.cells == nil || bits != c.bits:
		c.bits, c.cells = bits, map[cell][]*piece{}
		for _, q := range c.all {
			c.enter(t, q)
		}
	default:
		c.enter(t, p)
	}
}

// take removes a piece, if it is in the cover. Its place must still be the one with which it was
// added.
func (c *cover) take(t *Table, p *piece) {
	i, found := slices.BinarySearchFunc(c.all, p, byAge)
	if !found {
		return
	}
	c.all = slices.Delete(c.all, i, i+1)
	if len(c.all) <= coverFew {
		c.cells = nil
	}
	if c.cells == nil {
		return
	}
	for _, at := range c.under(t, p) {
		of := c.cells[at]
		if i := slices.Index(of, p); len(of) > 1 && i >= 0 {
			c.cells[at] = slices.Delete(of, i, i+1)
		} else {
			delete(c.cells, at)
		}
	}
}

func (c *cover) enter(t *Table, p *piece) {
	for _, at := range c.under(t, p) {
		c.cells[at] = append(c.cells[at], p)
	}
}

// under returns the cells that a piece touches, four at most.
func (c *cover) under(t *Table, p *piece) []cell {
	w, d := t.half(&p.state)
	x, y := p.state.X, p.state.Y
	lo, hi := cell{(x - w) >> c.bits, (y - d) >> c.bits}, cell{(x + w) >> c.bits, (y + d) >> c.bits}
	cells := make([]cell, 0, 4)
	for cx := lo.x; cx <= hi.x; cx++ {
		for cy := lo.y; cy <= hi.y; cy++ {
			cells = append(cells, cell{cx, cy})
		}
	}
	return cells
}

// at returns the pieces that may lie over a place. All pieces that do are among them.
func (c *cover) at(x, y int32) []*piece {
	if c.cells == nil {
		return c.all
	}
	return c.cells[cell{x >> c.bits, y >> c.bits}]
}

// extent returns the longer side of a piece, or the side of a square in which a zone lies.
func (t *Table) extent(p *piece) int32 {
	k := t.kind(p)
	if k.isZone() {
		return k.span()
	}
	return max(k.Width, k.Height)
}

// half returns half the width and half the depth of a hand, a container or a zone as it stands,
// rounded up. Zones stand at any angle.
func (t *Table) half(s *State) (w, d int32) {
	k := &t.kinds[s.Kind]
	if k.isZone() {
		half := (k.span() + 1) / 2
		return half, half
	}
	w, d = (k.Width+1)/2, (k.Height+1)/2
	if quarters(s.Angle)%2 == 1 {
		w, d = d, w
	}
	return w, d
}

// bitsOf returns the least b for which 1<<b is at least n+1. The one unit more is for rounding.
func bitsOf(n int32) (b uint) {
	for int64(1)<<b < int64(n)+1 {
		b++
	}
	return b
}

// Looks returns how many pieces the operations of the table have looked at since the table was
// made. It is a measure of work: sorting n pieces counts as n times the number of binary digits of
// n.
func (t *Table) Looks() uint64 { return t.looks }
