package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// Lineage is the part of a piece's history, as one view was shown it, that the judgement of updates
// needs (T5). Gen is the generation of the latest recorded update, and By is its client, or the
// zero client for a server update. Other is the generation of the latest update by anybody else
// than By. An update that a view is not shown is not in its lineage. It must not make an update
// stale whose sender could not know it, and it must not raise the version of the piece (T6, T21).
type Lineage struct {
	Gen, Other id.Generation
	By         id.Client
}

func (l *Lineage) add(gen id.Generation, by id.Client) {
	if by != l.By {
		l.Other, l.By = l.Gen, by
	}
	l.Gen = gen
}

// notBy returns the generation of the latest update that c did not make: U of T5. The zero client
// has made no update.
func (l Lineage) notBy(c id.Client) id.Generation {
	if l.By == c && c != (id.Client{}) {
		return l.Other
	}
	return l.Gen
}

// OwnLineage is the lineage of a piece in a view other than the public one.
type OwnLineage struct {
	View id.Seat
	Lineage
}

// lineage returns the lineage of p in a view, which is named by its seat.
func (p *piece) lineage(view id.Seat) Lineage {
	if i, own := p.ownAt(view); own {
		return p.views[i].Lineage
	}
	return p.public
}

// ownAt returns the index of the lineage of a view, or where it would be inserted, and whether it
// exists.
func (p *piece) ownAt(view id.Seat) (i int, own bool) {
	return slices.BinarySearchFunc(p.views, view, func(o OwnLineage, v id.Seat) int {
		return cmp.Compare(o.View, v)
	})
}

// setLineage sets the lineage of p in a view other than the public one.
func (p *piece) setLineage(view id.Seat, l Lineage) {
	i, own := p.ownAt(view)
	switch {
	case l == p.public && own:
		p.views = slices.Delete(p.views, i, i+1)
	case l == p.public:
	case own:
		p.views[i].Lineage = l
	default:
		p.views = slices.Insert(p.views, i, OwnLineage{view, l})
	}
}

// add adds an update that every view is shown.
func (p *piece) add(gen id.Generation, by id.Client) {
	p.public.add(gen, by)
	for i := range p.views {
		p.views[i].add(gen, by)
	}
	if len(p.views) > 0 {
		p.views = slices.DeleteFunc(p.views, func(o OwnLineage) bool {
			return o.Lineage == p.public
		})
	}
}

// count numbers e in each view that is sent anything of it, and adds e to the lineage of its piece
// where the piece changes (T21). p is nil if e is not about a piece. So a version says exactly what
// its view was sent (S5).
func (t *Table) count(e *Entry, p *piece) {
	if e.Op == OpRewind {
		if !t.rewindCounted {
			t.countAll(e)
		}
		t.rewindCounted = true
		defer func() { t.rewindCounted = e.Rewound == nil }() // the mark is the last entry
	}
	switch {
	case e.Fact != nil, e.Ops != nil, e.Chat != nil:
		for _, v := range t.everyView() {
			if t.IsSentTo(e, v.seat) {
				t.raise(v, e)
			}
		}
		return
	// Nobody is sent this entry.
	case e.Op == OpErrand:
		return
	case p == nil || e.Notice:
		t.countAll(e)
		return
	case t.common(e):
		if e.Made || t.changes(e) {
			t.countAll(e)
			p.add(e.Gen, e.author())
		}
		return
	}
	counted := e.Left.Piece != 0 || e.Entered.Piece != 0 // everybody learns the new numbers (T29)
	was := p.public
	told := t.tells(e, t.public.seat)
	p.public = t.countIn(t.public, e, was, told, counted)
	var seats [2 * (1 + MaxTeam)]id.Seat
	apart, own := t.appendApart(seats[:0], e), p.views
	slices.Sort(apart)
	var few [1 + MaxTeam]OwnLineage
	views := few[:0]
	for _, v := range t.views {
		if v == nil {
			continue
		}
		for len(own) > 0 && own[0].View < v.seat { // a view that does not exist any more
			views, own = append(views, own[0]), own[1:]
		}
		l, is := was, len(own) > 0 && own[0].View == v.seat
		if is {
			l, own = own[0].Lineage, own[1:]
		}
		for len(apart) > 0 && apart[0] < v.seat { // no view of its own, or a repetition
			apart = apart[1:]
		}
		switch {
		case len(apart) > 0 && apart[0] == v.seat:
			l = t.countIn(v, e, l, t.tells(e, v.seat), counted)
		case is:
			l = t.countIn(v, e, l, told, counted)
		default: // like the public one
			if told || counted {
				t.raise(v, e)
			}
			continue
		}
		if l != p.public {
			views = append(views, OwnLineage{v.seat, l})
		}
	}
	p.views = append(p.views[:0], append(views, own...)...)
}

// countIn numbers e in one view, if the view is sent anything of it. It returns the new lineage of
// the piece there.
func (t *Table) countIn(v *view, e *Entry, l Lineage, told, counted bool) Lineage {
	if told {
		l.add(e.Gen, e.author())
	}
	if told || counted {
		t.raise(v, e)
	}
	return l
}

// countAll numbers e in every view.
func (t *Table) countAll(e *Entry) {
	t.raise(t.public, e)
	for _, v := range t.views {
		if v != nil {
			t.raise(v, e)
		}
	}
}

// raise gives e the next version of a view. What a rewind changes has the version of its first
// entry, which every view gets: a full state follows, and its version must not say how much was
// changed (T71.17).
func (t *Table) raise(v *view, e *Entry) {
	if !t.rewindCounted {
		v.show(e.Gen)
	}
}

// tells reports whether a view is shown e: e changes something there, or was recorded for this
// view.
func (t *Table) tells(e *Entry, view id.Seat) bool {
	if e.Op == OpRenew {
		return view == e.Seat
	}
	saw, sees := !e.Made && t.sees(&e.Before, view), t.sees(&e.After, view)
	return saw != sees || sees && (e.NewName != 0 || t.differ(&e.Before, &e.After, view))
}

// differ reports whether a view that sees a piece is shown two different states. Most states differ
// in a field that is never masked, and then they need not be copied.
func (t *Table) differ(before, after *State, view id.Seat) bool {
	return before.ZGen != after.ZGen || before.X != after.X || before.Y != after.Y ||
		before.Owner != after.Owner ||
		t.mask(*before, view) != t.mask(*after, view)
}

// changes reports whether e, which is common, changes anything that a view is shown.
func (t *Table) changes(e *Entry) bool {
	if t.kinds[e.After.Kind].Secret {
		return t.tells(e, 0)
	}
	return e.Before != e.After
}

// common reports whether e looks the same in every view, or changes nothing in any view. That holds
// if the piece lies in no hand, on no rack and in no container, before and after. It also holds for
// a secret piece there, unless a referee sees its front.
func (t *Table) common(e *Entry) bool {
	if e.Op == OpRenew {
		return false
	}
	if len(t.referees) > 0 && (t.forReferees(&e.Before) || t.forReferees(&e.After)) {
		return false
	}
	if t.isOnRack(&e.Before) || t.isOnRack(&e.After) {
		return false
	}
	return t.open(&e.After) && (e.Made || t.open(&e.Before)) || e.After.Gone && t.open(&e.Before)
}
