package table

import (
	"cmp"
	"maps"
	"slices"

	"holt/server/id"
	"holt/server/zlevel"
)

// follow records the server updates that an update of p by a seat calls for: its weight (T25), the hand
// it now lies in or, if it is a hand, what lies in it (T23), and short levels when one has grown long (T13).
func (t *Table) follow(p *piece, seat id.Seat, now id.Millis, u *Update) {
	k := &t.kinds[p.state.Kind]
	if u.Has&HasZ != 0 {
		t.settle(p, now)
	}
	if p.state.Z.Digits() > zlevel.RespreadDigits { // a level of the server's may be long, too
		t.respread(p, now)
	}
	switch {
	case t.ownedHand(p) && u.Has&(HasXY|HasAngle) != 0:
		t.gather(now)
	case k.Secret && u.Has&HasXY != 0:
		t.enter(p, seat, now)
	}
}

// serve records a server update of p.
func (t *Table) serve(p *piece, op Op, seat id.Seat, now id.Millis, after State) {
	t.record(Entry{At: now, Op: op, Seat: seat, Server: true, Piece: p.oid, Name: p.name, Before: p.state, After: after})
}

// enter gives a secret piece to the hand that its centre lies in, or to none. In a hand it is turned front up, for
// its owner, whoever dealt it; a hand that leaves it behind leaves it face down.
func (t *Table) enter(p *piece, seat id.Seat, now id.Millis) {
	s := p.state
	s.Owner = t.handAt(s.X, s.Y, s.Owner)
	switch s.Owner {
	case p.state.Owner:
		return
	case 0:
		if seat == 0 {
			s.Face = 1
		}
	default:
		s.Face = 0
	}
	t.serve(p, OpReveal, seat, now, s)
}

// handAt returns the owner of the uppermost owned hand over a point, 0 if there is none. A hand of owner
// comes first: nobody takes cards out of another's hand by laying their own over it.
func (t *Table) handAt(x, y int32, owner id.Seat) id.Seat {
	var top *piece
	for _, h := range t.hands {
		if !t.covers(h, x, y) {
			continue
		}
		if h.state.Owner == owner {
			return owner
		}
		if top == nil || above(h, top) {
			top = h
		}
	}
	if top == nil {
		return 0
	}
	return top.state.Owner
}

// covers reports whether a hand covers a point. Hands stand upright or lie on their side: their angle
// counts in quarter turns.
func (t *Table) covers(h *piece, x, y int32) bool {
	k := &t.kinds[h.state.Kind]
	w, d := k.Width, k.Height
	if quarter := (h.state.Angle + FullTurn/8) / (FullTurn / 4); quarter%2 == 1 {
		w, d = d, w
	}
	dx, dy := 2*(x-h.state.X), 2*(y-h.state.Y)
	return dx >= -w && dx <= w && dy >= -d && dy <= d
}

// gather lets every secret piece follow a hand that was moved or changed its owner.
func (t *Table) gather(now id.Millis) {
	var follow []*piece
	for _, p := range t.pieces {
		if s := &p.state; t.kinds[s.Kind].Secret && t.handAt(s.X, s.Y, s.Owner) != s.Owner {
			follow = append(follow, p)
		}
	}
	slices.SortFunc(follow, byName)
	for _, p := range follow {
		t.enter(p, 0, now)
	}
}

// sorted returns the pieces in the order of their names.
func (t *Table) sorted() []*piece { return slices.SortedFunc(maps.Values(t.pieces), byName) }

func byName(a, b *piece) int { return cmp.Compare(a.name, b.name) }

// top returns a level above all others of the weight class, p not counted.
func (t *Table) top(heavy bool, p *piece) (zlevel.Level, error) {
	if heavy {
		return zlevel.Between(t.heavy.highest(p), t.light.lowest(p))
	}
	return zlevel.Above(cmp.Or(t.light.highest(p), t.heavy.highest(p)))
}

// bottom returns a level below all others of the weight class, p not counted.
func (t *Table) bottom(heavy bool, p *piece) (zlevel.Level, error) {
	if heavy {
		return zlevel.Below(cmp.Or(t.heavy.lowest(p), t.light.lowest(p)))
	}
	return zlevel.Between(t.heavy.highest(p), t.light.lowest(p))
}

// settle puts the level of p right if it stands on the wrong side of the other weight class (T25).
func (t *Table) settle(p *piece, now id.Millis) {
	over, under := t.heavy.highest(p), t.light.lowest(p)
	if t.kinds[p.state.Kind].Heavy {
		if under == "" || p.state.Z < under {
			return
		}
	} else if p.state.Z > over {
		return
	}
	z, err := zlevel.Between(over, under)
	if err != nil {
		return // not so: over lies below under, and both have at most RespreadDigits
	}
	s := p.state
	s.Z, s.ZGen = z, zGenSelf
	t.serve(p, OpSettle, 0, now, s)
}
