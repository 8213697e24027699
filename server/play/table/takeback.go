package table

import (
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// Reshuffle is a shuffle that is part of an undo: of a container, or of listed pieces.
type Reshuffle struct {
	box    *piece
	listed []*piece
	first  int32 // the back of the undo if nothing of it was recorded before, else 0
}

// TakeBack undoes a gesture and returns the shuffles that must follow at once, each by Reshuffle.
// oids are u.Makes new identifiers. Nothing may have been recorded since Undoable returned u.
func (t *Table) TakeBack(u *Undo, now id.Millis, oids []id.OID) []Reshuffle {
	first := u.back
	record := func(e *Entry) {
		e.At, e.Op, e.Seat, e.Server, e.Count = now, OpUndo, u.Seat, true, first
		first = 0
		t.record(*e)
	}
	again := map[*change]*piece{}
	for _, c := range u.changes {
		if c.again != nil {
			c.p = again[c.again]
		}
		if c.p == nil {
			t.bringBack(c.change, oids[0], record)
			c.p = t.pieces[oids[0]]
			again[c.change], oids = c.p, oids[1:]
		} else {
			t.changeBack(c, record)
		}
		if p := t.settled(c, now); p != nil && t.kind(p).Hand {
			t.keepIn(p, record)
			// As if it was moved there: what lies there comes into it.
			hands{}.follow(t, p, done{
				op: OpUndo, has: HasXY, was: c.after, by: u.Seat, now: now,
			})
		}
	}
	var more []Reshuffle
	for _, box := range u.boxes {
		more = append(more, Reshuffle{box: box, first: first})
		first = 0
	}
	if len(u.listed) > 0 {
		more = append(more, Reshuffle{listed: u.listed, first: first})
	}
	return more
}

// keepIn moves what lies in a hand that has gone back to free places of the hand if it does not
// cover it any more. Otherwise it would come out, and where somebody has put which card in their
// hand would be to be seen.
func (t *Table) keepIn(h *piece, record func(*Entry)) {
	in := t.holds[h.name]
	if in == nil || !t.ownedHand(h) {
		return
	}
	var out []*piece
	for _, o := range in.orders() {
		for p := range o.upwards(nil) {
			if s := p.state; s.Holder == 0 && t.settleIn(&s) && s.In != h.name {
				out = append(out, p)
			}
		}
	}
	slices.SortFunc(out, t.byDrawing)
	for _, p := range out {
		s := p.state
		s.X, s.Y = t.slot(h, t.kind(p))
		record(&Entry{Piece: p.oid, Name: p.name, Before: p.state, After: s})
	}
}

// settled puts the level of a piece right after its undo, and returns the piece; nil if it is gone.
func (t *Table) settled(c undoing, now id.Millis) *piece {
	p := c.p
	if p == nil || p.state.Gone {
		return nil
	}
	if p.state.In == 0 {
		t.settle(p, now)
	}
	t.shorten(p, now)
	return p
}

// bringBack makes a piece again that is gone. A hand, a container, or a piece with an
// attachment gets its name back, by which others refer to it. Other pieces get a new one.
func (t *Table) bringBack(c *change, oid id.OID, record func(*Entry)) {
	s := c.before
	s.Holder, s.ZGen = 0, zGenSelf
	if t.isOnRack(&s) && !t.backOnRack(&s) {
		s.Face = 1
	}
	if !t.bare(&s) {
		s.Since = HiddenEver
	}
	t.atHand(&s, &c.before)
	name := c.name
	if !t.keepsName(s.Kind, name) || t.names[name] != nil {
		name = t.randomName()
	}
	var above []*piece
	if !t.inContainer(&s) {
		s.Z, above = t.levelBack(&s, c, nil)
	}
	record(&Entry{Made: true, Piece: oid, Name: name, After: s})
	lift(above, record)
}

// changeBack undoes a change of a piece that is still there.
func (t *Table) changeBack(c undoing, record func(*Entry)) {
	p, b := c.p, &c.before
	s := p.state
	s.Holder = 0
	var above []*piece
	switch {
	case c.made:
		s.Gone = true
	case t.inContainer(b):
		was := s
		t.stow(&s, t.names[b.In])
		s.Face, s.Value, s.Text, s.Home = b.Face, b.Value, b.Text, b.Home
		t.relevel(&s, &was, false)
	default:
		s.X, s.Y, s.Angle, s.Face = b.X, b.Y, b.Angle, b.Face
		s.Pinned, s.Locked, s.Owner, s.Team, s.In = b.Pinned, b.Locked, b.Owner, b.Team, b.In
		s.Value, s.Text, s.Home = b.Value, b.Text, b.Home
		if s.In != p.state.In { // somebody may have rolled it out of sight (T32.4)
			s = t.kind(p).ability().moved(s)
		}
		if !c.withHand {
			t.atHand(&s, b)
		}
		if t.isOnRack(&s) && !t.backOnRack(&s) {
			s.Face = 1
		}
		// Levels of two orders may be equal by chance.
		if b.Z != c.after.Z || b.ZGen != c.after.ZGen || b.In != c.after.In || s.In != p.state.In {
			s.Z, above = t.levelBack(&s, c.change, p)
			s.ZGen = zGenSelf
		}
	}
	e := &Entry{Piece: p.oid, Name: p.name, Before: p.state, After: s}
	record(e)
	lift(above, record)
	if c.made && t.kinds[s.Kind].Hand {
		t.followHand(p, t.at)
	}
}

// atHand gives a piece that comes back into a hand to its owner and team. It puts it to where it
// lay there, or, if the hand lies elsewhere, to a free place in it.
func (t *Table) atHand(s, b *State) {
	if !t.inHand(b) {
		return
	}
	h := t.names[b.In]
	if h == nil {
		return
	}
	s.Owner, s.Team = h.state.Owner, h.state.Team
	if !t.covers(h, b.X, b.Y) {
		s.X, s.Y = t.slot(h, &t.kinds[s.Kind])
	}
}

// maxLifted is the most pieces of one level that an undo lifts over a piece that goes below them.
const maxLifted = 64

// levelBack returns the level that gives p, or a piece that is made again if p is nil, its place in
// the drawing order again. Others of the same level that lay above it have to be lifted over it, in
// their order. If these are more than maxLifted, it gets a level below theirs where there is one.
func (t *Table) levelBack(s *State, c *change, p *piece) (z zlevel.Level, lift []*piece) {
	z = c.before.Z
	o := t.stack(s)
	for q := range o.upwardsFrom(&piece{state: State{Z: z}}) {
		if q.state.Z != z {
			break
		}
		if q != p && q.trace.rank > c.rankBefore {
			lift = append(lift, q)
		}
	}
	if len(lift) <= maxLifted {
		return z, lift
	}
	var floor zlevel.Level
	for under := range o.downwards(lift[0]) {
		if under != p {
			floor = under.state.Z
			break
		}
	}
	if floor != z {
		if z, err := zlevel.Between(floor, z); err == nil {
			return z, nil
		}
	}
	return z, lift[:maxLifted]
}

// lift brings pieces above all others of the same level, in their order.
func lift(pieces []*piece, record func(*Entry)) {
	for _, q := range pieces {
		s := q.state
		s.ZGen = zGenSelf
		record(&Entry{Piece: q.oid, Name: q.name, Before: q.state, After: s})
	}
}

// Reshuffle does one of the shuffles that belong to an undo. The outcome has its random draw.
func (t *Table) Reshuffle(r *Reshuffle, by id.Seat, in Inputs) Outcome {
	u := Update{Op: OpShuffle}
	j := t.begin(By{Seat: by}, &u, in, nil)
	defer j.end()
	if r.box == nil {
		j.shuffleAgain(r.listed, r.first)
		return Outcome{Verdict: Recorded, Chance: j.drawn}
	}
	if r.first != 0 {
		s := r.box.state
		t.record(Entry{
			At: in.Now, Op: OpUndo, Seat: by, Server: true, Piece: r.box.oid, Name: r.box.name,
			Before: s, After: s, Notice: true, Count: r.first,
		})
	}
	j.p = r.box
	out := j.shuffleAll()
	out.Chance = j.drawn
	return out
}

// shuffleAgain deals the kinds of pieces that lie open out among them.
func (j *judging) shuffleAgain(pieces []*piece, first int32) {
	j.dealOut(pieces, func(i int, p *piece, after State) {
		e := Entry{At: j.in.Now, Op: OpUndo, Seat: j.by.Seat, Server: true, Piece: p.oid, Name: p.name,
			Before: p.state, After: after}
		if i == 0 {
			e.Count = first
		}
		j.t.record(e)
	})
}
