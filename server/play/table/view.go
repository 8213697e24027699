package table

import (
	"cmp"
	"iter"
	"slices"
	"sort"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// A version is the number of entries that its view was shown, shifted left by markShift. The low
// bits count the rejects of one client for one piece since that entry (T14), up to markRejects. So
// the version of a reject is fresh though the reject is not recorded, and it lies below the version
// of every later entry. After a reject that gets the last of these versions, an entry for its view
// follows (OpRenew). Versions have 53 bits, so a view can have 2^37 entries.
const (
	markShift   = 16
	markRejects = 1<<markShift - 1
)

// view maps the generations of the table to the versions of one view (T21). Entries that the view
// is not shown do not count.
type view struct {
	seat   id.Seat // 0: the public view, which spectators share
	runs   []Run
	loaded id.Version // its last version when the table was rebuilt from its log
}

// Run says that the N generations from Gen on were shown as the numbers from Num on.
type Run struct {
	Gen id.Generation
	Num uint64
	N   uint64
}

func newView(seat id.Seat) *view { return &view{seat: seat} }

// show counts the entry of generation g as shown.
func (v *view) show(g id.Generation) {
	if len(v.runs) == 0 {
		v.runs = append(v.runs, Run{Gen: g, Num: 1, N: 1})
		return
	}
	last := &v.runs[len(v.runs)-1]
	if last.Gen+id.Generation(last.N) == g {
		last.N++
		return
	}
	v.runs = append(v.runs, Run{Gen: g, Num: last.Num + last.N, N: 1})
}

// mark returns the version of the latest entry up to generation g that the view was shown.
func (v *view) mark(g id.Generation) id.Version {
	i := len(v.runs) - 1
	if i < 0 {
		return 0
	}
	if v.runs[i].Gen > g {
		i = v.runOf(g)
	}
	if i < 0 {
		return 0
	}
	return v.runs[i].mark(g)
}

// mark returns the version of the latest entry of the run up to generation g. g must not lie before
// the run.
func (r *Run) mark(g id.Generation) id.Version {
	return id.Version(r.Num+min(uint64(g-r.Gen), r.N-1)) << markShift
}

// now returns the version of the latest entry that the view was shown.
func (v *view) now() id.Version {
	if len(v.runs) == 0 {
		return 0
	}
	r := v.runs[len(v.runs)-1]
	return id.Version(r.Num+r.N-1) << markShift
}

// compact keeps the runs to which a referenced generation belongs, and all from told on. So their
// number is bounded by the number of pieces and not by the length of the game. referenced must
// ascend.
func (v *view) compact(referenced []id.Generation, told id.Generation) {
	recent := max(v.runOf(told), 0)
	kept := make([]Run, 0, len(referenced)+len(v.runs)-recent)
	for _, g := range referenced {
		i := v.runOf(g)
		if i >= recent {
			break
		}
		if i >= 0 && (len(kept) == 0 || kept[len(kept)-1].Gen != v.runs[i].Gen) {
			kept = append(kept, v.runs[i])
		}
	}
	v.runs = append(kept, v.runs[recent:]...)
}

// runOf returns the index of the run to which g belongs or which is the last one before g; -1 if
// all runs come later.
func (v *view) runOf(g id.Generation) int { return runOf(v.runs, g) }

func runOf(runs []Run, g id.Generation) int {
	return sort.Search(len(runs), func(i int) bool { return runs[i].Gen > g }) - 1
}

// maxRuns is the least number of runs of a view that are compacted; four more are allowed for each
// piece.
const maxRuns = 4096

// Compact bounds what the table keeps of its past. All clients must have received the entries up to
// generation told. The versions of these entries become inexact, unless a piece refers to them.
func (t *Table) Compact(told id.Generation) {
	var referenced []id.Generation
	for _, v := range t.everyView() {
		if len(v.runs) < maxRuns+4*len(t.pieces) {
			continue
		}
		if referenced == nil {
			for _, p := range t.pieces {
				referenced = append(referenced, p.public.Gen, p.public.Other, p.state.ZGen, p.shed)
				for _, l := range p.views {
					referenced = append(referenced, l.Gen, l.Other)
				}
			}
			slices.Sort(referenced)
		}
		v.compact(referenced, told)
	}
}

// view returns the view of a seat. Spectators share one view, which is also that of a client
// without a seat.
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

// ViewOf returns the name of a seat's view. Two seats with the same name are shown the same.
func (t *Table) ViewOf(seat id.Seat) id.Seat { return t.view(seat).seat }

// VersionAt returns the version of the latest entry up to generation g that the view of seat was
// shown.
func (t *Table) VersionAt(seat id.Seat, g id.Generation) id.Version { return t.view(seat).mark(g) }

// Versions returns a value that computes VersionAt for the view of a seat and ascending
// generations. It must not be used any more when something was recorded.
func (t *Table) Versions(seat id.Seat) Versions { return Versions{runs: t.view(seat).runs, at: -1} }

// Versions computes versions of entries in a view.
type Versions struct {
	runs []Run
	at   int // the index in runs of the last generation, -1 at the start
}

// At returns the version of the latest entry up to generation g that the view was shown. g must not
// descend from call to call.
func (m *Versions) At(g id.Generation) id.Version {
	if m.at < 0 {
		m.at = runOf(m.runs, g)
	}
	for m.at+1 < len(m.runs) && m.runs[m.at+1].Gen <= g {
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
	// What an unknown piece of a set is, its owner knows alone (T38).
	if t.isOpened(seat, s.Owner) && !t.kinds[s.Kind].Unknown && !t.inContainer(s) {
		return false
	}
	if s.Owner != 0 {
		return s.Owner != seat && !s.Team.Has(seat)
	}
	return t.isBack(s)
}

// mask returns s as a seat may know it.
func (t *Table) mask(s State, seat id.Seat) State {
	s.Home, s.Native, s.Since, s.Part = 0, false, 0, 0
	if t.concealed(&s, seat) {
		s.Kind, s.Face = t.kinds[s.Kind].Mask, t.backOf(&s)
	}
	return s
}

// Shown is a piece as a view shows it. It is comparable.
type Shown struct {
	Name     id.Piece
	Version  id.Version
	Kind     uint32
	X, Y     int32
	Angle    int32
	Face     int32
	Z        zlevel.Level
	ZVersion id.Version
	Pinned   bool
	Locked   bool
	Gone     bool
	Holder   id.Seat
	Owner    id.Seat
	Team     Team
	Value    int32
	Text     string
	// Renamed is the new name of the piece (T21). 0: it keeps its name.
	Renamed id.Piece
	Set     uint32 // its number, 0: none (T37)
	// IsClock says that the piece has the state of a clock (T27). Clock is then what is sent of it,
	// which may be zero.
	IsClock bool
	Clock   Clock
	Curves  Curves // what changes by itself (K16)
}

func (t *Table) show(v *view, name id.Piece, gen id.Generation, s *State) Shown {
	kind, face := s.Kind, s.Face
	if t.concealed(s, v.seat) { // as mask does
		kind, face = t.kinds[kind].Mask, t.backOf(s)
	}
	return Shown{
		Name: name, Version: v.mark(gen), Kind: kind, X: s.X, Y: s.Y, Angle: s.Angle, Face: face,
		Z: s.Z, ZVersion: v.mark(s.ZGen), Pinned: s.Pinned, Locked: s.Locked, Gone: s.Gone,
		Holder: s.Holder, Owner: s.Owner, Team: s.Team, Value: s.Value, Text: s.Text,
		Set: t.numberOf(s.Set), IsClock: t.kinds[kind].hasClock(), Clock: s.Clock.shown(),
		Curves: t.kinds[kind].curves(s),
	}
}

// Shows returns e as the view of seat shows it: the piece before, zero if the view did not see it,
// and after, with Gone set if the view does not see it any more (T21). It reports false if the view
// is not shown e at all.
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

// SeesAfter reports whether the view of seat sees the piece of e after e.
func (t *Table) SeesAfter(e *Entry, seat id.Seat) bool {
	return e.OfPiece() && t.sees(&e.After, t.view(seat).seat)
}

// Notice returns what the view of seat is sent of an entry that is a notice (T28): the name of the
// piece, 0 if the view does not see it; the count, 0 if it is kept back (T29); and whether the view
// is shown the faces (T31).
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

// All returns every piece that the view of seat sees, as it is shown to c, in the order of their
// names. Mark is the least version with which c may tag: that of the latest update that c did not
// make, and not below c's floor (T5, T14). So c can tell whether there is an update that it was not
// shown (S5).
func (t *Table) All(seat id.Seat, c id.Client) []Shown {
	all := make([]Shown, 0, len(t.pieces))
	for s := range t.Each(seat, c) {
		all = append(all, *s)
	}
	return all
}

// Each goes through what All returns. A value is valid until the next one.
func (t *Table) Each(seat id.Seat, c id.Client) iter.Seq[*Shown] {
	v := t.view(seat)
	var floors map[id.OID]id.Version
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
			s = t.show(v, p.name, l.Gen, &p.state)
			if s.Version = v.mark(l.notBy(c)); len(floors) > 0 {
				s.Version = max(s.Version, floors[p.oid])
			}
			if !yield(&s) {
				return
			}
		}
	}
}
