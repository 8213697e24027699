package table

import (
	"cmp"
	"iter"
	"slices"
	"sort"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// A mark is the number of entries that its view had been shown, shifted by markShift; the bits below count
// the rejects of one client for one piece since (T14), up to markRejects. So a reject's mark is fresh without
// being recorded, and lies below the mark of every later entry. A reject that gets the last of them is followed
// by an entry for its view (OpRenew). Marks are numbers of 53 bits: a view may be shown 2^37 entries.
const (
	markShift   = 16
	markRejects = 1<<markShift - 1
)

// view maps the generations of the table to the marks of one view (T21). Entries that a view is not shown
// do not count in it.
type view struct {
	seat   id.Seat // 0: spectators
	runs   []run
	loaded id.Mark // its last mark when the table was brought back from its log
}

// run says that generations from gen on, n of them, were shown as numbers from num on.
type run struct {
	gen id.Generation
	num uint64
	n   uint64
}

func newView(seat id.Seat) *view { return &view{seat: seat} }

// show counts the entry of generation g as shown.
func (v *view) show(g id.Generation) {
	if len(v.runs) == 0 {
		v.runs = append(v.runs, run{gen: g, num: 1, n: 1})
		return
	}
	last := &v.runs[len(v.runs)-1]
	if last.gen+id.Generation(last.n) == g {
		last.n++
		return
	}
	v.runs = append(v.runs, run{gen: g, num: last.num + last.n, n: 1})
}

// mark returns the mark of the latest entry up to generation g that the view was shown.
func (v *view) mark(g id.Generation) id.Mark {
	i := len(v.runs) - 1
	if i < 0 {
		return 0
	}
	if v.runs[i].gen > g {
		i = v.runOf(g)
	}
	if i < 0 {
		return 0
	}
	return v.runs[i].mark(g)
}

// mark returns the mark of the latest entry up to generation g, which the run has or which comes after it.
func (r *run) mark(g id.Generation) id.Mark {
	return id.Mark(r.num+min(uint64(g-r.gen), r.n-1)) << markShift
}

// now returns the mark of the latest entry that the view was shown.
func (v *view) now() id.Mark {
	if len(v.runs) == 0 {
		return 0
	}
	r := v.runs[len(v.runs)-1]
	return id.Mark(r.num+r.n-1) << markShift
}

// compact keeps the runs of which something is referenced exact, and all from told on, so that their number is
// bounded by the number of pieces and not by the length of the game. referenced rises.
func (v *view) compact(referenced []id.Generation, told id.Generation) {
	recent := max(v.runOf(told), 0)
	kept := make([]run, 0, len(referenced)+len(v.runs)-recent)
	for _, g := range referenced {
		i := v.runOf(g)
		if i >= recent {
			break
		}
		if i >= 0 && (len(kept) == 0 || kept[len(kept)-1].gen != v.runs[i].gen) {
			kept = append(kept, v.runs[i])
		}
	}
	v.runs = append(kept, v.runs[recent:]...)
}

// runOf returns the index of the run that g belongs to or follows, -1 if all come later.
func (v *view) runOf(g id.Generation) int { return runOf(v.runs, g) }

func runOf(runs []run, g id.Generation) int {
	return sort.Search(len(runs), func(i int) bool { return runs[i].gen > g }) - 1
}

// maxRuns is how many runs a view may have before they are compacted.
const maxRuns = 4096

// Compact bounds what the table keeps of its past. The marks of entries up to the generation told, which every
// client has been told, become inexact, unless a piece refers to them.
func (t *Table) Compact(told id.Generation) {
	var referenced []id.Generation
	for _, v := range t.everyView() {
		if len(v.runs) < maxRuns+4*len(t.pieces) {
			continue
		}
		if referenced == nil {
			for _, p := range t.pieces {
				referenced = append(referenced, p.public.gen, p.public.other, p.state.ZGen, p.shed)
				for _, l := range p.views {
					referenced = append(referenced, l.gen, l.other)
				}
			}
			slices.Sort(referenced)
		}
		v.compact(referenced, told)
	}
}

// view returns the view of a seat. Spectators share one, and so does whoever has no seat.
func (t *Table) view(seat id.Seat) *view {
	if seat >= 1 && int(seat) <= len(t.views) && t.views[seat-1] != nil {
		return t.views[seat-1]
	}
	return t.public
}

func (t *Table) everyView() []*view {
	all := []*view{t.public}
	for _, v := range t.views {
		if v != nil {
			all = append(all, v)
		}
	}
	return all
}

// ViewOf names the view that a seat has: two seats with the same name are shown the same.
func (t *Table) ViewOf(seat id.Seat) id.Seat { return t.view(seat).seat }

// MarkAt returns the mark of the latest entry up to generation g that the view of seat was shown.
func (t *Table) MarkAt(seat id.Seat, g id.Generation) id.Mark { return t.view(seat).mark(g) }

// Marks returns what MarkAt returns for the view of a seat, of generations that ascend. It must not be used any more when
// something was recorded.
func (t *Table) Marks(seat id.Seat) Marks { return Marks{runs: t.view(seat).runs, at: -1} }

// Marks are those of entries in a view.
type Marks struct {
	runs []run
	at   int // in runs: where the last generation belongs, -1 before there was one
}

// At returns the mark of the latest entry up to generation g that the view was shown. g must not be less than before.
func (m *Marks) At(g id.Generation) id.Mark {
	if m.at < 0 {
		m.at = runOf(m.runs, g)
	}
	for m.at+1 < len(m.runs) && m.runs[m.at+1].gen <= g {
		m.at++
	}
	if m.at < 0 {
		return 0
	}
	return m.runs[m.at].mark(g)
}

// concealed reports whether a seat is shown the mask in place of a piece in that state (T22, T23).
func (t *Table) concealed(s *State, seat id.Seat) bool {
	if !t.kinds[s.Kind].Secret {
		return false
	}
	if s.Owner != 0 {
		return s.Owner != seat && !s.Team.Has(seat)
	}
	return s.Face != 0
}

// mask returns s as a seat may know it.
func (t *Table) mask(s State, seat id.Seat) State {
	s.Home, s.Native, s.Since, s.Part = 0, false, 0, 0
	if t.concealed(&s, seat) {
		s.Kind = t.kinds[s.Kind].Mask
		s.Face = 0
	}
	return s
}

// Shown is a piece as a view shows it. It is comparable.
type Shown struct {
	Name   id.Piece
	Mark   id.Mark
	Kind   uint32
	X, Y   int32
	Angle  int32
	Face   int32
	Z      zlevel.Level
	ZMark  id.Mark
	Pinned bool
	Locked bool
	Gone   bool
	Holder id.Seat
	Owner  id.Seat
	Team   Team
	Value  int32
	Text   string
	// Renamed is what the piece is called from now on (T21), 0: as before.
	Renamed id.Piece
	Set     uint32 // by its number, 0: none (T37)
	// IsClock says that it is a clock (T27): then Clock is what is told of it, which may be zero.
	IsClock bool
	Clock   Clock
}

func (t *Table) show(v *view, name id.Piece, gen id.Generation, s *State) Shown {
	kind, face := s.Kind, s.Face
	if t.concealed(s, v.seat) { // as mask does
		kind, face = t.kinds[kind].Mask, 0
	}
	return Shown{
		Name: name, Mark: v.mark(gen), Kind: kind, X: s.X, Y: s.Y, Angle: s.Angle, Face: face, Z: s.Z,
		ZMark: v.mark(s.ZGen), Pinned: s.Pinned, Locked: s.Locked, Gone: s.Gone, Holder: s.Holder, Owner: s.Owner,
		Team: s.Team, Value: s.Value, Text: s.Text, Set: t.numberOf(s.Set),
		IsClock: t.kinds[kind].Clock.Sides != 0, Clock: s.Clock.shown(),
	}
}

// Shows returns e as the view of seat shows it: the piece before, zero if the view did not see it, and after, gone if it
// does not see it any more (T21). It reports false if the view is not shown e at all.
func (t *Table) Shows(e *Entry, seat id.Seat) (before, after Shown, ok bool) {
	if !e.OfPiece() {
		return Shown{}, Shown{}, false
	}
	v := t.view(seat)
	if !t.tells(e, v.seat) {
		return Shown{}, Shown{}, false
	}
	switch saw, sees := !e.Made && t.sees(&e.Before, v.seat), t.sees(&e.After, v.seat); {
	case !sees:
		before = t.show(v, e.Name, e.Gen, &e.Before)
		after = before
		after.Gone = true
		return before, after, true
	case !saw:
		return Shown{}, t.show(v, cmp.Or(e.NewName, e.Name), e.Gen, &e.After), true
	default:
		before, after = t.show(v, e.Name, e.Gen, &e.Before), t.show(v, e.Name, e.Gen, &e.After)
		after.Renamed = e.NewName
		return before, after, true
	}
}

// SeesAfter reports whether the view of seat sees the piece of e after it.
func (t *Table) SeesAfter(e *Entry, seat id.Seat) bool {
	return e.OfPiece() && t.sees(&e.After, t.view(seat).seat)
}

// Notice returns what the view of seat is told of an entry that is a notice (T28): what it calls the piece, 0 if it does not
// see it, how many, 0 if that is kept back (T29), and whether it is shown the faces (T31).
func (t *Table) Notice(e *Entry, seat id.Seat) (piece id.Piece, count int32, faces bool) {
	v := t.view(seat)
	if t.sees(&e.Before, v.seat) {
		piece = e.Name
	}
	if !t.kinds[e.Before.Kind].Uncounted {
		count = e.Count
	}
	return piece, count, e.To != 0 && e.To == v.seat
}

// All returns every piece that the view of seat sees, as it shows it to c, in the order of their names. The marks are
// the least with which c may tag: of the latest update that it did not make, and not below its floors (T5, T14). So c can
// tell whether there is one that it was not shown (S5).
func (t *Table) All(seat id.Seat, c id.Client) []Shown {
	all := make([]Shown, 0, len(t.pieces))
	for s := range t.Each(seat, c) {
		all = append(all, *s)
	}
	return all
}

// Each goes through what All returns. What it gives is good until the next one.
func (t *Table) Each(seat id.Seat, c id.Client) iter.Seq[*Shown] {
	v := t.view(seat)
	var floors map[id.OID]id.Mark
	if known := t.clients[c]; known != nil {
		floors = known.floors
	}
	return func(yield func(*Shown) bool) {
		var s Shown
		for _, p := range t.sorted() {
			if !t.sees(&p.state, v.seat) {
				continue
			}
			l := p.lineage(v.seat)
			s = t.show(v, p.name, l.gen, &p.state)
			if s.Mark = v.mark(l.notBy(c)); len(floors) > 0 {
				s.Mark = max(s.Mark, floors[p.oid])
			}
			if !yield(&s) {
				return
			}
		}
	}
}
