package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// Undo (T63). Undoable judges whether the last gesture of a seat can be undone, and whether that
// needs consent. It decides by what everybody at the table knows, and by what the seat sees itself.
// TakeBack (takeback.go) undoes the gesture.

// OpUndo undoes a gesture. The server records it.
const OpUndo Op = 65

// Obstacle says why a gesture cannot be undone.
type Obstacle struct {
	Why   ObstacleKind
	Piece id.Piece // the piece that stands in the way, if the seat sees it; else 0
}

// ObstacleKind is the sort of an obstacle.
type ObstacleKind uint8

// The obstacles.
const (
	UndoNothing   ObstacleKind = iota + 1 // the seat has no gesture that could be undone
	UndoChanged                           // somebody has changed a piece since, or it is gone
	UndoHeld                              // somebody holds a piece
	UndoStays                             // what was done cannot be undone by its nature
	UndoTableFull                         // a piece would have to come back
	UndoNotMeant                          // the last gesture is not the one that is meant
)

// Undo is the undo of a gesture that is possible now. It is valid until something is recorded.
type Undo struct {
	Seat    id.Seat
	Gesture id.Generation // names the gesture: the generation of its first entry
	Op      Op            // the main operation of the gesture
	Pieces  []id.Piece    // the present names of the pieces that it changes back
	// AtOnce says that it told nobody anything, and needs nobody's consent. Inner says that it
	// happened in a hand of the seat: then nobody else learns of it.
	AtOnce, Inner bool
	Makes         int      // how many identifiers TakeBack needs
	Facts         [][]byte // about the randomness of the gesture
	Bytes         int      // about how many it adds to the log, at most
	Entries       int      // how many it records, at most, beside those of shuffles

	back    int32     // which one of the seat's gestures, 1 for the newest
	inner   []undoing // within hands; they come first, while the hands are where they are
	changes []undoing
	boxes   []*piece // to be shuffled, the oldest first
	listed  []*piece // to be shuffled among themselves
}

// undoing is the undo of one change.
type undoing struct {
	*change
	p        *piece  // the piece to be changed; nil: it comes back
	again    *change // the piece is the one that the undo of this change makes again, or nil
	withHand bool    // it lies in a hand that goes back with it
	// passed says that the gesture brought the piece into a hand or a container, and out again:
	// another undo puts it back there first (T63.29).
	passed bool
}

// zone says where a piece is.
type zone uint8

const (
	nowhere zone = iota
	onTable      // everybody sees it
	inAHand
	inABox
)

func (t *Table) zoneOf(s *State) zone {
	switch {
	case s.Gone:
		return nowhere
	case t.inHand(s):
		return inAHand
	case t.inContainer(s):
		return inABox
	default:
		return onTable
	}
}

// idle reports whether a change has changed nothing that is worth an undo. A piece that was only
// touched lies above others since, with what is attached to it (T97).
func (c *change) idle(op Op) bool {
	b, a := c.before, c.after
	if c.made || c.rolled || op == OpShuffle || a.Gone {
		return c.made && a.Gone
	}
	if op == OpGrab && !slices.Contains([]Op{OpRaise, OpLower, OpSetZ}, c.op) {
		b.Z = a.Z
	}
	b.ZGen, b.Since, b.Clock, b.Rolled, b.Kind, b.Home, b.Native =
		a.ZGen, a.Since, a.Clock, a.Rolled, a.Kind, a.Home, a.Native
	return a == b
}

// orders reports whether a change has changed at most how a piece lies in its hand. Pages lay the
// cards of a hand in a row by themselves.
func (c *change) orders(op Op) bool {
	b := &c.before
	if c.made || b.In == 0 || b.In != c.after.In {
		return false
	}
	placed := *c
	placed.before.X, placed.before.Y, placed.before.Angle = c.after.X, c.after.Y, c.after.Angle
	placed.before.Z = c.after.Z
	return placed.idle(op)
}

// undoable returns the newest gesture that has changed something, or the one of a name if that is
// not 0, and its changes; nil if there is none. The newest one is nil if it was begun before since.
// back counts the gestures from the newest to that one, but those that have changed nothing but the
// order of hands.
func (a *actor) undoable(
	name, since id.Generation,
) (of *gesture, all []change, back int32) {
	for i := a.n - 1; i >= 0; i-- {
		of := a.at(i)
		if of.client == (id.Client{}) {
			continue // a deferred update, or what was done when a seat ended
		}
		all := a.changesOf(of)
		idle := !slices.ContainsFunc(all, func(c change) bool {
			return !c.idle(of.op) && !c.orders(of.op)
		})
		if idle && of.holds == 0 && !of.large && of.notice == OpNone {
			continue
		}
		switch back++; {
		case of.name == name, name == 0 && of.name >= since:
			return of, all, back
		case name == 0:
			return nil, nil, 0
		}
	}
	return nil, nil, 0
}

// undone returns what undoable has returned for a gesture, by its place among those that have
// changed something, the newest first.
func (a *actor) undone(back int32) (*gesture, []change) {
	for i := a.n - 1; i >= 0; i-- {
		if of, all, n := a.undoable(a.at(i).name, 0); of == a.at(i) && n == back {
			return of, all
		}
	}
	return nil, nil
}

// backwards returns the places of changes in the order in which they are undone: first those of
// hands and containers, then the others, each from the last one that others could notice to the
// first one. Otherwise the order would tell what was done within a hand before.
func (t *Table) backwards(all []change) []int {
	var order []int
	for _, heavy := range []bool{true, false} {
		from := len(order)
		for i := len(all) - 1; i >= 0; i-- {
			if t.kinds[all[i].before.Kind].covers() == heavy {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order[from:], func(i, k int) int {
			return cmp.Compare(all[k].shown, all[i].shown)
		})
	}
	return order
}

// covers reports whether pieces of the kind are hands or containers.
func (k *Kind) covers() bool { return k.Hand || k.Container.Holds }

// judgingUndo is the state of one call of Undoable.
type judgingUndo struct {
	t    *Table
	seat id.Seat
	of   *gesture
	all  []change
	undo *Undo
	// public says that something of the gesture was to be seen outside the seat's hand. told says
	// that it may have told somebody something.
	public, told bool
}

// Undoable returns the undo of the last gesture of a seat, or what stands in its way (T63). It
// records nothing.
func (t *Table) Undoable(seat id.Seat) (*Undo, *Obstacle) { return t.UndoableGesture(seat, 0) }

// UndoableGesture is Undoable for a gesture of the seat that may not be the last one any more, and
// that may have been done before the table was loaded. name is the Gesture of an Undo; 0 means the
// last one.
func (t *Table) UndoableGesture(seat id.Seat, name id.Generation) (*Undo, *Obstacle) {
	a := t.gestures.actor(seat)
	if a == nil {
		return nil, &Obstacle{Why: UndoNothing}
	}
	of, all, back := a.undoable(name, t.gestures.since)
	if of == nil {
		return nil, &Obstacle{Why: UndoNothing}
	}
	j := judgingUndo{t: t, seat: seat, of: of, all: all, undo: &Undo{
		Seat: seat, Gesture: of.name, Op: of.op, Facts: of.facts, back: back,
	}}
	if of.op == OpGrab {
		j.undo.Op = OpMove
	}
	if o := j.judge(); o != nil {
		return nil, o
	}
	return j.undo, nil
}

// blocked returns an obstacle, with the name of the piece if the seat sees it.
func (j *judgingUndo) blocked(why ObstacleKind, p *piece) *Obstacle {
	o := &Obstacle{Why: why}
	if p != nil && j.t.sees(&p.state, j.t.ViewOf(j.seat)) {
		o.Piece = p.name
	}
	return o
}

// UndoesAnother reports whether Undoable is about another gesture of the seat than that of an
// update of a client (T63.28).
func (t *Table) UndoesAnother(seat id.Seat, of id.Client, seq id.ClientSeq) bool {
	a := t.gestures.actor(seat)
	if a == nil {
		return false
	}
	last, _, _ := a.undoable(0, t.gestures.since)
	return last != nil && (last.client != of || seq < last.seqs[0] || seq > last.seqs[1])
}

// known returns the piece of a change if the seat sees it and nobody has lost sight of it since;
// else nil.
func (j *judgingUndo) known(c *change) *piece {
	p := j.t.pieces[c.oid]
	if p == nil || p.trace.ident != c.ident || !j.t.sees(&c.after, j.t.ViewOf(j.seat)) {
		return nil
	}
	return p
}

func (j *judgingUndo) judge() *Obstacle {
	t, of, u := j.t, j.of, j.undo
	switch {
	case of.holds > 0:
		return j.blocked(UndoHeld, nil)
	case of.large, of.notice == OpPeek, of.notice == OpShow:
		return j.blocked(UndoStays, nil)
	}
	j.public = of.notice != OpNone
	j.told = j.public
	for _, i := range t.backwards(j.all) {
		if o := j.change(&j.all[i]); o != nil {
			return o
		}
	}
	for _, oid := range of.shuffled {
		c := t.pieces[oid]
		if c == nil || !t.open(&c.state) {
			return j.blocked(UndoChanged, c)
		}
		j.shuffles(c)
	}
	if o := j.listed(); o != nil {
		return o
	}
	for _, c := range u.boxes {
		if t.ofOthers(t.contents(c).all()) {
			return j.blocked(UndoStays, c)
		}
	}
	if len(u.inner)+len(u.changes) == 0 && len(u.boxes) == 0 && len(u.listed) == 0 {
		if j.public {
			return j.blocked(UndoStays, nil)
		}
		return j.blocked(UndoChanged, nil)
	}
	if len(t.pieces)+u.Makes > MaxPieces {
		return j.blocked(UndoTableFull, nil)
	}
	u.Inner = !j.public
	u.AtOnce = !j.told
	slices.SortFunc(u.boxes, byAge)
	u.changes = append(u.inner, u.changes...)
	u.Entries += 4*len(u.changes) + len(u.listed) + 1
	for i := range u.changes {
		c := u.changes[i].change
		u.Bytes += 2*(EntryBytes+len(c.before.Text)+len(c.after.Text)) + len(c.before.Z)
		if p := u.changes[i].p; p != nil && (c.before.In == 0 || t.holds[c.before.In] != nil) {
			_, lift := t.levelBack(&c.before, u.changes[i].change, p)
			u.Entries += len(lift)
			u.Bytes += 2 * EntryBytes * len(lift)
		}
		if t.kinds[c.before.Kind].Hand { // what lies in it follows
			u.Entries += t.numberIn(c.before.In) + len(t.pieces)/8
		}
	}
	for _, c := range u.boxes {
		u.Bytes += 3 * kindBytes * t.contents(c).n
	}
	return nil
}

// EntryBytes is about how many bytes an entry about a piece takes in the log.
const EntryBytes = 160

// shuffles notes that a container is shuffled by the undo.
func (j *judgingUndo) shuffles(c *piece) {
	if !j.t.kind(c).Container.Random && !slices.Contains(j.undo.boxes, c) {
		j.undo.boxes = append(j.undo.boxes, c)
	}
}

// ofHand returns the change of the hand in which a piece lies, if the gesture changed that hand, so
// that the hand goes back, too.
func (j *judgingUndo) ofHand(s *State) *change {
	for i := range j.all {
		if c := &j.all[i]; c.name == s.In && j.t.kinds[c.before.Kind].Hand && !c.made &&
			!c.idle(j.of.op) {
			return c
		}
	}
	return nil
}

// change judges the undo of one change.
func (j *judgingUndo) change(c *change) *Obstacle {
	t := j.t
	if c.idle(j.of.op) || c.op == OpShuffle {
		return nil
	}
	from, to := t.zoneOf(&c.before), t.zoneOf(&c.after)
	if c.made {
		from = nowhere
	}
	if from == inAHand && to == inAHand && c.before.In == c.after.In {
		if !j.inner(c) && c.before.Value != c.after.Value {
			return j.blocked(UndoChanged, j.known(c)) // a heap from which another one came
		}
		return nil
	}
	j.public = true
	if j.tells(c, from, to) {
		j.told = true
	}
	out := j.cameOut(c)
	if !c.made && c.part == 0 && c.before.Holder == j.seat ||
		!c.after.Gone && c.after.Holder != 0 && out == nil {
		return j.blocked(UndoStays, j.known(c)) // the gesture began before what is kept
	}
	if !c.after.Set.IsZero() && (from != onTable || to != onTable || !c.placesOnly()) {
		return j.blocked(UndoStays, j.known(c))
	}
	u, o := j.now(c, from, to, out)
	if o == nil {
		o = j.wasAt(&u, from)
	}
	if o != nil {
		return o
	}
	switch {
	case to == nowhere:
		if t.holds[c.name] != nil {
			return j.blocked(UndoHeld, nil) // somebody still holds what lay in that hand
		}
		j.undo.Makes++
	case u.p == nil && u.again == nil:
		return j.blocked(UndoStays, nil)
	case !u.passed && u.p.name != 0:
		j.undo.Pieces = append(j.undo.Pieces, u.p.name)
	}
	j.undo.changes = append(j.undo.changes, u)
	return nil
}

// cameOut returns the change by which a piece came out again of the hand or the container into
// which a change has brought it; nil if it did not come out.
func (j *judgingUndo) cameOut(c *change) (out *change) {
	if c.after.Gone || j.t.open(&c.after) {
		return nil
	}
	for i := range j.all {
		d := &j.all[i]
		if left := d.after.Gone || d.after.In != c.after.In; left && d.oid == c.oid &&
			d.part > c.part && (out == nil || d.part < out.part) {
			out = d
		}
	}
	return out
}

// placesOnly reports whether a change has changed nothing but how a piece lies.
func (c *change) placesOnly() bool {
	b, a := &c.before, &c.after
	return b.Face == a.Face && b.Value == a.Value && b.Text == a.Text && b.Kind == a.Kind &&
		!c.rolled
}

// inner adds the undo of what was done within a hand, if the seat sees it, and if the piece is
// still as it was left, and reports whether it is. What follows a hand to another owner or team
// goes back with the hand. It depends on what others do not see, so it is an obstacle only where
// value would be made or lost.
func (j *judgingUndo) inner(c *change) bool {
	t, view := j.t, j.t.ViewOf(j.seat)
	p := t.pieces[c.oid]
	if p == nil || c.rolled || c.before.Holder != 0 || !t.sees(&c.before, view) ||
		!t.sees(&c.after, view) || groupOf(&c.before) != groupOf(&c.after) ||
		p.trace.ident != c.ident || !sameAs(&p.state, &c.after) ||
		!c.after.Set.IsZero() {
		return false
	}
	j.undo.Pieces = append(j.undo.Pieces, p.name)
	j.undo.inner = append(j.undo.inner,
		undoing{change: c, p: p, withHand: j.ofHand(&c.before) != nil})
	return true
}

// sameAs reports whether a piece is as a gesture has left it, but for levels, clocks, and what
// nobody sees.
func sameAs(now, left *State) bool {
	return now.X == left.X && now.Y == left.Y && now.Angle == left.Angle && now.Face == left.Face &&
		now.Pinned == left.Pinned && now.Locked == left.Locked && now.Holder == left.Holder &&
		now.Owner == left.Owner && now.Team == left.Team && now.In == left.In &&
		now.Value == left.Value && now.Text == left.Text
}

// tells reports whether a change that everybody may know of may have told somebody something, or
// may do so when it is undone (T63.4). It depends on nothing that is hidden.
func (j *judgingUndo) tells(c *change, from, to zone) bool {
	k := &j.t.kinds[c.before.Kind]
	if c.made {
		k = &j.t.kinds[c.after.Kind]
	}
	switch {
	case from == inAHand, from == inABox, to == inAHand, to == inABox, c.rolled:
		return true
	case k.Secret && to == onTable && j.t.bare(&c.after) && (c.made || !j.t.bare(&c.before)):
		return true
	case k.Secret && c.before.Owner != c.after.Owner: // onto a rack, or off it (T96)
		return true
	case k.Hand:
		return !c.made && c.before.Owner != 0 || c.after.Owner != 0
	default:
		return false
	}
}

// now returns the undo of a change with its piece as it is now, or an obstacle if the piece is not
// as the gesture has left it. out is what cameOut returns.
func (j *judgingUndo) now(c *change, from, to zone, out *change) (undoing, *Obstacle) {
	t := j.t
	u := undoing{change: c, p: t.pieces[c.oid]}
	switch to {
	case nowhere:
		return undoing{change: c}, nil
	case inAHand:
		return j.inHand(c, from, out)
	case inABox:
		box := t.names[c.after.In]
		switch {
		case box == nil || !t.open(&box.state):
			return u, j.blocked(UndoChanged, box)
		case t.kind(box).Uncounted:
			return u, j.blocked(UndoStays, box)
		case !j.uncrossed(crossing{box: box.oid}, box.trace.crossed):
			return u, j.blocked(UndoChanged, box)
		case out != nil:
			return j.undoneFirst(c, out), nil
		case u.p == nil:
			return u, j.blocked(UndoChanged, box)
		}
		return u, nil
	case onTable:
	}
	switch p := u.p; {
	case p == nil || p.trace.ident != c.ident || !t.open(&p.state):
		return u, j.blocked(UndoChanged, j.known(c))
	case p.state.Holder != 0:
		return u, j.blocked(UndoHeld, p)
	case !sameAs(&p.state, &c.after), c.made && !t.isBare(p):
		return u, j.blocked(UndoChanged, p)
	}
	return u, nil
}

// undoneFirst returns the undo of a change with the piece that the undo of another change, out,
// has put back before.
func (j *judgingUndo) undoneFirst(c, out *change) undoing {
	u := undoing{change: c, passed: true}
	for _, first := range j.undo.changes {
		if first.change == out {
			if u.p, u.again = first.p, first.again; u.p == nil && u.again == nil {
				u.again = out
			}
		}
	}
	return u
}

// isBare reports whether nothing lies in a piece and nobody owns it, if it is a hand or a
// container.
func (t *Table) isBare(p *piece) bool {
	return !t.kind(p).covers() || t.holds[p.name] == nil && p.state.Owner == 0
}

// uncrossed reports whether nothing has crossed since the gesture.
func (j *judgingUndo) uncrossed(of crossing, last id.Generation) bool {
	return slices.ContainsFunc(j.of.crossed, func(c crossing) bool {
		return c.seat == of.seat && c.box == of.box && c.at == last
	})
}

// inHand returns the undo of a change that has put a piece into a hand. Nobody else knows what was
// done with it there. But everybody knows that nothing has come into the hands of that seat or out
// of them since. So the piece is there, or, if it was shuffled with others, one like it. out is
// what cameOut returns.
func (j *judgingUndo) inHand(c *change, from zone, out *change) (undoing, *Obstacle) {
	t, owner := j.t, c.after.Owner
	none := undoing{change: c}
	if from == inAHand && c.before.Owner == owner {
		return none, j.blocked(UndoStays, nil) // from one hand of the seat into another
	}
	// Of what is not counted not everybody knows whether anything has come or gone. Of several hands
	// not everybody knows in which one the piece is now.
	var only *piece
	for _, h := range t.hands.all {
		if h.state.Owner == owner {
			if only != nil || t.kind(h).Uncounted {
				return none, j.blocked(UndoStays, h)
			}
			only = h
		}
	}
	if !j.uncrossed(crossing{seat: owner}, t.gestures.crossings[owner]) {
		return none, j.blocked(UndoChanged, nil)
	}
	if out != nil {
		return j.undoneFirst(c, out), nil
	}
	p := t.pieces[c.oid]
	if p == nil || p.trace.ident != c.ident {
		p = j.standIn(c)
	}
	if p == nil {
		return none, j.blocked(UndoChanged, nil)
	}
	return undoing{change: c, p: p}, nil
}

// standIn returns a piece in the hands of a seat that is what the piece of a change was when it
// came there. Shuffles deal that out among the pieces there (T26). It is the piece itself if that
// can be: the owner may have seen it all the time, while others have lost sight of it.
func (j *judgingUndo) standIn(c *change) *piece {
	t := j.t
	fits := func(p *piece) bool {
		s := &p.state
		return s.Kind == c.after.Kind && s.Home == c.after.Home && s.Native == c.after.Native &&
			s.Value == c.after.Value &&
			!slices.ContainsFunc(j.undo.changes, func(u undoing) bool { return u.p == p }) &&
			!j.isLeft(p)
	}
	if p := t.pieces[c.oid]; p != nil && t.inHand(&p.state) &&
		p.state.Owner == c.after.Owner && fits(p) {
		return p
	}
	for _, h := range t.hands.all {
		in := t.holds[h.name]
		if h.state.Owner != c.after.Owner || in == nil {
			continue
		}
		for p := range in.order(groupOf(&h.state)).upwards(nil) {
			if fits(p) {
				return p
			}
		}
	}
	return nil
}

// isLeft reports whether the gesture has changed a piece, which is still the same.
func (j *judgingUndo) isLeft(p *piece) bool {
	return slices.ContainsFunc(j.all, func(c change) bool {
		return c.oid == p.oid && c.ident == p.trace.ident
	})
}

// wasAt returns an obstacle if a piece cannot come back to where it was before a change.
func (j *judgingUndo) wasAt(u *undoing, from zone) *Obstacle {
	t, c, p := j.t, u.change, u.p
	if u.passed && !t.sees(&c.after, t.ViewOf(j.seat)) {
		p = nil // otherwise the obstacle would say which one it is
	}
	switch from {
	case onTable:
		s := c.before
		if t.private(s.Kind) && !j.staysOpen(&s) {
			return j.blocked(UndoChanged, p)
		}
	case inAHand:
		if h := j.ofHand(&c.before); h != nil && h.before.Owner == c.before.Owner {
			return nil
		}
		h := t.names[c.before.In]
		if h == nil || h.name != c.before.In || !t.kind(h).Hand || h.state.Owner != c.before.Owner {
			return j.blocked(UndoChanged, h)
		}
	case inABox:
		box := t.names[c.before.In]
		if box == nil || box.name != c.before.In || !t.open(&box.state) || !t.takes(box, &c.before) {
			return j.blocked(UndoChanged, box)
		}
		j.shuffles(box)
	case nowhere:
	}
	return nil
}

// staysOpen reports whether a private piece in that state would lie open after the undo, on a rack
// of its owner if it lay on one, as far as the hands there stay. A hand that the gesture has
// changed goes back itself.
func (j *judgingUndo) staysOpen(s *State) bool {
	t := j.t
	isBack := !t.isOnRack(s)
	for _, h := range t.hands.at(s.X, s.Y) {
		t.looks++
		switch {
		case !t.covers(h, s.X, s.Y) || j.goesBack(h):
		case !t.isOnRack(s):
			if !t.kind(h).Rack || t.kinds[s.Kind].Secret {
				return false
			}
		case !t.kind(h).Rack || h.state.Owner != s.Owner:
			return false
		default:
			isBack = true
		}
	}
	return isBack || slices.ContainsFunc(j.all, func(c change) bool {
		return t.kinds[c.before.Kind].Rack && c.before.Owner == s.Owner && !c.made &&
			!c.idle(j.of.op) && t.covers(&piece{state: c.before}, s.X, s.Y)
	})
}

// goesBack reports whether the gesture has changed a hand, which goes back itself.
func (j *judgingUndo) goesBack(h *piece) bool {
	return slices.ContainsFunc(j.all, func(c change) bool {
		return c.oid == h.oid && !c.idle(j.of.op)
	})
}

// listed judges a shuffle of listed pieces: they are shuffled again if all still lie open.
func (j *judgingUndo) listed() *Obstacle {
	if j.of.op != OpShuffle || j.of.notice != OpNone {
		return nil
	}
	t := j.t
	for i := range j.all {
		c := &j.all[i]
		p := t.pieces[c.oid]
		switch {
		case !t.open(&c.before), !t.open(&c.after), !c.after.Set.IsZero():
			return j.blocked(UndoStays, j.known(c))
		case p == nil || p.trace.ident != c.ident || !sameAs(&p.state, &c.after):
			return j.blocked(UndoChanged, j.known(c))
		}
		j.undo.listed = append(j.undo.listed, p)
		j.undo.Pieces = append(j.undo.Pieces, p.name)
	}
	j.public, j.told = true, true
	return nil
}
