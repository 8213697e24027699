package table

import "holt/server/id"

// lineage is what has to be known of the history of a piece, as one view has been shown it, to judge
// updates (T5): the generation of its latest recorded update, by whom that is (the zero client for the
// server), and the generation of the latest one by anybody else. An update that a view is not shown is
// not in its lineage: it must neither make an update stale whose sender could not know of it, nor move the
// mark of the piece (T6, T21).
type lineage struct {
	gen, other id.Generation
	by         id.Client
}

func (l *lineage) add(gen id.Generation, by id.Client) {
	if by != l.by {
		l.other, l.by = l.gen, by
	}
	l.gen = gen
}

// notBy returns the generation of the latest update that c did not make: U of T5. The zero client has made none.
func (l lineage) notBy(c id.Client) id.Generation {
	if l.by == c && c != (id.Client{}) {
		return l.other
	}
	return l.gen
}

// lineage returns the lineage of p in the view of that name.
func (p *piece) lineage(view id.Seat) lineage {
	if l, ok := p.views[view]; ok {
		return l
	}
	return p.public
}

// setLineage notes the lineage of p in a view other than the public one.
func (p *piece) setLineage(view id.Seat, l lineage) {
	if l == p.public {
		delete(p.views, view)
		return
	}
	if p.views == nil {
		p.views = map[id.Seat]lineage{}
	}
	p.views[view] = l
}

// add adds an update that every view is shown.
func (p *piece) add(gen id.Generation, by id.Client) {
	p.public.add(gen, by)
	for view, l := range p.views {
		l.add(gen, by)
		p.setLineage(view, l)
	}
}

// count numbers e in each view that is shown it, and adds it to the lineage of its piece there (T21). p is
// nil if e is about a seat.
func (t *Table) count(e *Entry, p *piece) {
	if p == nil || t.common(e) {
		if p != nil && !e.Made && e.Before == e.After {
			return
		}
		t.public.show(e.Gen)
		for _, v := range t.views {
			if v != nil {
				v.show(e.Gen)
			}
		}
		if p != nil {
			p.add(e.Gen, e.author())
		}
		return
	}
	public := p.public
	if t.tells(e, 0) {
		t.public.show(e.Gen)
		p.public.add(e.Gen, e.author())
	}
	for _, v := range t.views {
		if v == nil {
			continue
		}
		l, own := p.views[v.seat]
		if !own {
			l = public
		}
		if t.tells(e, v.seat) {
			v.show(e.Gen)
			l.add(e.Gen, e.author())
		}
		p.setLineage(v.seat, l)
	}
}

// countFact numbers a fact in each view that is told it, so that nobody who comes back is told it again (S5).
func (t *Table) countFact(e *Entry) {
	for _, v := range t.everyView() {
		if e.To == 0 || e.To == v.seat {
			v.show(e.Gen)
		}
	}
}

// tells reports whether a view is shown e: if it changes anything there, or was recorded for its sake.
func (t *Table) tells(e *Entry, view id.Seat) bool {
	if e.Op == OpRenew {
		return view == e.Seat
	}
	if e.Notice {
		return false
	}
	saw, sees := !e.Made && t.sees(&e.Before, view), t.sees(&e.After, view)
	return saw != sees || sees && (e.NewName != 0 || t.mask(e.Before, view) != t.mask(e.After, view))
}

// common reports whether e is shown to every view, or to none, because it changes nothing, and looks the same to all.
func (t *Table) common(e *Entry) bool {
	if e.Op == OpRenew || t.kinds[e.After.Kind].Secret {
		return false
	}
	return t.open(&e.After) && (e.Made || t.open(&e.Before)) || e.After.Gone && t.open(&e.Before)
}
