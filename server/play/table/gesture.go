package table

import (
	"slices"

	"holt/server/id"
)

// Gestures are what can be undone (T62, T63). They follow from the entries alone: trace goes
// through each entry that is applied, live or replayed.

// Bounds of what can be undone (T62.8). A gesture with more changes than ChangesKept cannot be.
const (
	GesturesKept = 32   // of a seat
	ChangesKept  = 1024 // pieces in the gestures of a seat
	ActorsKept   = 16   // seats whose gestures are kept: those that did something last
)

// gestures are the last gestures of the seats.
type gestures struct {
	actors []*actor // in no order
	used   uint64   // counts the uses of actors
	// since is the first generation since the table was loaded, 0 if it was not. What was begun
	// before is undone only by name (T62.9).
	since id.Generation
	// current is the actor to whose newest entry the next follow-ups belong; nil if to none. of is
	// the name of its gesture, gen the generation of its last entry, and at the server's time of
	// it.
	current *actor
	of      id.Generation
	gen     id.Generation
	at      id.Millis
	// led is the operation of the newest change that is not a follow-up of another one.
	led Op
	// crossings has for each seat when something last came into a hand of it or out of one.
	crossings map[id.Seat]id.Generation
	back      takingBack
}

// actor is a seat with its last gestures.
type actor struct {
	seat id.Seat
	used uint64
	// The gestures, as a ring: n of them, the oldest at first.
	ring     [GesturesKept]gesture
	first, n int
	changes  []change // of all gestures; those of one gesture are not always neighbours
	base     uint64   // the number of changes[0]
}

// gesture is what one client did from a grab to the matching release, or by one update, or by
// several alike of one batch (T62).
type gesture struct {
	name     id.Generation   // of its first entry: it names the gesture
	client   id.Client       // zero while no entry has acknowledged an update of it
	seqs     [2]id.ClientSeq // the first and the last update of it that was acknowledged
	op       Op
	at       id.Millis // of its last acknowledged update
	holds    int       // how many pieces its client still holds by it
	from     uint64    // the number of its first change
	changes  int
	notice   Op         // of its last notice; OpNone: it had none
	large    bool       // it has more changes than are kept
	facts    [][]byte   // about randomness, behind its entries
	crossed  []crossing // hands and containers between which pieces changed
	shuffled []id.OID   // containers whose order it changed
}

// change is what a gesture has done to a piece: from before, when it touched the piece first, to
// after. If it brought the piece out of everybody's sight and then out again, it has a change for
// each of the two: nobody may know that it was the same piece (T63.29).
type change struct {
	gesture       id.Generation
	oid           id.OID
	part          int      // counts the changes of the piece by this gesture, from 0
	was, name     id.Piece // before and after it
	before, after State
	shown         id.Generation // the first entry of it that others could notice; 0: there is none
	made          bool
	op            Op // the last one
	rolled        bool
	moved         bool // it was moved or turned itself, not with another piece (T97)
	// What ident of the piece was before, and is since.
	identBefore, ident id.Generation
	rankBefore         id.Generation // what rank of the piece was before
}

// crossing says that a gesture put something into the hands of a seat, or into a container, or took
// something out: the generation of the last such entry before, and its own.
type crossing struct {
	seat       id.Seat // 0: the container
	box        id.OID
	before, at id.Generation
}

// trace is what the gestures keep in a piece.
type trace struct {
	// ident is the generation of the last entry by which others lost sight of the piece, or by
	// which it was shuffled with others: from then on nobody may know whether it is the same.
	ident id.Generation
	// rank orders pieces of one level as their Z generations do (T13). But an undo, which sets the Z
	// generation, brings the rank back: so the order before it is still known.
	rank id.Generation
	// crossed is, for a container, that of the last entry by which something came into it or out of
	// it, or by which its order changed.
	crossed id.Generation
	gesture id.Generation // the last gesture that changed it
	at      uint64        // the number of the change
	heldIn  id.Generation // the gesture by which it is held
}

// takingBack is the undo that was recorded last.
type takingBack struct {
	changes []change
	gone    []int // changes whose pieces come back, in the order in which they do
}

// trace lets the gestures follow an entry. p is the piece of the entry, nil if it is about none.
func (t *Table) trace(e *Entry, p *piece) {
	g := &t.gestures
	var was trace
	if p != nil {
		was = p.trace
		if !e.Notice && e.After.ZGen == e.Gen {
			p.trace.rank = e.Gen
		}
	}
	switch {
	case e.Fact != nil:
		g.noteFact(e)
		return
	case p == nil:
		g.current = nil
		if e.Who != nil && e.Who.Left != 0 { // somebody else may get its number (T56)
			g.actors = slices.DeleteFunc(g.actors, func(a *actor) bool { return a.seat == e.Who.Seat })
		}
		return
	case e.Op == OpUndo:
		t.traceUndo(e, p, was.rank)
		return
	case e.Op == OpRewind: // its mark forgets all gestures
		t.dropHold(e, p)
		return
	case e.Op == OpRenew:
		return
	}
	if e.NewName != 0 || e.Op == OpShuffle && !e.Notice {
		p.trace.ident = e.Gen
	}
	of := t.gestureOf(e, p)
	t.dropHold(e, p)
	if of != nil {
		g.gen = e.Gen
		g.current.note(t, of, e, p, was)
	}
	if e.Order != nil || e.Before.In|e.After.In != 0 {
		t.traceCrossing(e, p, of)
	}
}

// noteFact keeps a fact about the draw of the current gesture, which comes right behind it.
func (g *gestures) noteFact(e *Entry) {
	if g.current == nil || e.Gen != g.gen+1 || e.At != g.at {
		return
	}
	if of := g.current.find(g.of); of != nil {
		g.gen = e.Gen
		of.facts = append(of.facts, e.Fact)
	}
}

// holding returns the actor and the gesture that hold the piece of an entry before it; nil if
// nobody does, or if that is not kept.
func (t *Table) holding(e *Entry, p *piece) (*actor, *gesture) {
	if e.Made || e.Before.Holder == 0 {
		return nil, nil
	}
	a := t.gestures.actor(e.Before.Holder)
	if a == nil {
		return nil, nil
	}
	of := a.find(p.trace.heldIn)
	return a, of
}

// dropHold notes that a piece is not held any more by the gesture that took it.
func (t *Table) dropHold(e *Entry, p *piece) {
	if e.Before.Holder == e.After.Holder && !e.After.Gone {
		return
	}
	if _, of := t.holding(e, p); of != nil && of.holds > 0 {
		of.holds--
	}
	p.trace.heldIn = 0
}

// follow lets the entries behind e belong to a gesture, too.
func (g *gestures) follow(a *actor, of *gesture, e *Entry) {
	g.current, g.of, g.gen, g.at = a, of.name, e.Gen-1, e.At
}

// gestureOf returns the gesture to which an entry about a piece belongs; nil if to none.
func (t *Table) gestureOf(e *Entry, p *piece) *gesture {
	g, signed := &t.gestures, e.Client != (id.Client{})
	switch {
	case e.Step:
		return t.gestureOfStep(e)
	// Clocks go on whatever is undone (T63.17).
	// Choices were made by several, and everybody has seen them by now (T76.9).
	case e.Op.has(OfClock), e.Op == OpTurn, e.Op == OpChoice, signed && e.Seat == 0:
		g.current = nil
		return nil
	case signed:
		a := g.actorFor(e.Seat)
		of := a.signed(e)
		g.follow(a, of, e)
		return of
	// The server lays the piece down for somebody who is not there: that ends the gesture.
	case e.Seat == 0 && e.Op == OpRelease:
		g.current = nil
		a, of := t.holding(e, p)
		if of != nil {
			g.follow(a, of, e)
		}
		return of
	// These come before the entry that acknowledges their update.
	case e.Seat != 0 && !e.Notice && e.Op.leads():
		a := g.actorFor(e.Seat)
		of := a.led(e)
		g.follow(a, of, e)
		return of
	case g.current != nil && e.Gen == g.gen+1 && e.At == g.at && !e.Notice &&
		(e.Op != OpReveal || p.state.Set.IsZero()):
		if of := g.current.find(g.of); of != nil {
			return of
		}
	}
	g.current = nil
	return nil
}

// gestureOfStep returns the gesture to which an entry of a step belongs: that of the press before
// it; nil if it belongs to none.
func (t *Table) gestureOfStep(e *Entry) *gesture {
	g := &t.gestures
	if g.current == nil || e.Gen != g.gen+1 {
		g.current = nil
		return nil
	}
	of := g.current.find(g.of)
	if of == nil || e.Op.has(OfClock) { // clocks go on whatever is undone (T63.17)
		g.gen = e.Gen
		return nil
	}
	return of
}

// leads reports whether the entries of an operation may come before the one that acknowledges the
// update.
func (o Op) leads() bool {
	switch o {
	case OpDraw, OpDeal, OpRecall, OpSplit, OpShuffle, OpPlace, OpTake:
		return true
	default:
		return false
	}
}

// actor returns what is kept of a seat; nil if nothing is.
func (g *gestures) actor(seat id.Seat) *actor {
	if g.current != nil && g.current.seat == seat {
		return g.current
	}
	for _, a := range g.actors {
		if a.seat == seat {
			return a
		}
	}
	return nil
}

// actorFor returns what is kept of a seat that has just done something. If there are too many
// seats, it forgets the one that did nothing for longest.
func (g *gestures) actorFor(seat id.Seat) *actor {
	g.used++
	a := g.actor(seat)
	switch {
	case a != nil:
	case len(g.actors) < ActorsKept:
		a = &actor{seat: seat}
		g.actors = append(g.actors, a)
	default:
		oldest := 0
		for i, other := range g.actors {
			if other.used < g.actors[oldest].used {
				oldest = i
			}
		}
		if a = g.actors[oldest]; g.current == a {
			g.current = nil
		}
		*a = actor{seat: seat}
	}
	a.used = g.used
	return a
}

// at returns a gesture by its place, the oldest first.
func (a *actor) at(i int) *gesture { return &a.ring[(a.first+i)%GesturesKept] }

// newest returns the newest gesture; nil if there is none.
func (a *actor) newest() *gesture {
	if a.n == 0 {
		return nil
	}
	return a.at(a.n - 1)
}

// find returns the gesture of that name; nil if it is not kept.
func (a *actor) find(name id.Generation) *gesture {
	if name == 0 {
		return nil
	}
	for i := a.n - 1; i >= 0; i-- {
		if of := a.at(i); of.name == name {
			return of
		}
	}
	return nil
}

// signed returns the gesture of an entry that acknowledges an update.
func (a *actor) signed(e *Entry) *gesture {
	last := a.newest()
	if last != nil && last.client == (id.Client{}) {
		if last.op == e.Op && last.at == e.At {
			last.client, last.seqs = e.Client, [2]id.ClientSeq{e.Seq, e.Seq}
			return last
		}
		a.drop() // what led to it was not an update
	}
	for i := a.n - 1; i >= 0; i-- {
		of := a.at(i)
		if of.client != e.Client {
			continue
		}
		if of.holds > 0 || of.op == e.Op && of.at == e.At {
			of.at, of.seqs[1] = e.At, e.Seq
			return of
		}
		break
	}
	of := a.begin(e)
	of.client, of.seqs = e.Client, [2]id.ClientSeq{e.Seq, e.Seq}
	return of
}

// led returns the gesture of an entry that comes before the one that acknowledges its update.
func (a *actor) led(e *Entry) *gesture {
	if last := a.newest(); last != nil {
		if last.op == e.Op && last.at == e.At {
			return last
		}
		if last.client == (id.Client{}) {
			a.drop()
		}
	}
	return a.begin(e)
}

// begin begins a gesture.
func (a *actor) begin(e *Entry) *gesture {
	if a.n == GesturesKept {
		a.forgetOldest()
	}
	a.n++
	of := a.newest()
	*of = gesture{name: e.Gen, op: e.Op, at: e.At, from: a.base + uint64(len(a.changes)),
		facts: of.facts[:0], crossed: of.crossed[:0], shuffled: of.shuffled[:0]}
	return of
}

// forgetOldest forgets the oldest gesture. What only it has changed is given up as soon as that
// pays.
func (a *actor) forgetOldest() {
	a.first, a.n = (a.first+1)%GesturesKept, a.n-1
	dead := uint64(len(a.changes))
	for i := range a.n {
		dead = min(dead, a.at(i).from-a.base)
	}
	if dead >= GesturesKept && dead >= uint64(len(a.changes))/2 {
		n := copy(a.changes, a.changes[dead:])
		clear(a.changes[n:])
		a.changes, a.base = a.changes[:n], a.base+dead
	}
}

// drop drops the newest gesture, with its changes if they are the last ones.
func (a *actor) drop() {
	of := a.newest()
	a.n--
	at := of.from - a.base
	for i := range a.n {
		if a.at(i).from > of.from {
			return
		}
	}
	for i := at; i < uint64(len(a.changes)); i++ {
		if a.changes[i].gesture != of.name {
			return
		}
	}
	clear(a.changes[at:])
	a.changes = a.changes[:at]
}

// note notes what an entry of a gesture has done to its piece. was is what was kept in the piece
// before.
func (a *actor) note(t *Table, of *gesture, e *Entry, p *piece, was trace) {
	if e.Notice {
		if e.Op != OpRun { // it says what was not done
			of.notice = e.Op
		}
		if e.Order != nil && !slices.Contains(of.shuffled, e.Piece) {
			of.shuffled = append(of.shuffled, e.Piece)
		}
		return
	}
	op := e.Op
	if g := &t.gestures; op == OpSettle { // it counts as what it follows
		op = g.led
	} else {
		g.led = op
	}
	if e.After.Holder == a.seat && !e.After.Gone && (e.Made || e.Before.Holder != a.seat) {
		of.holds++
		p.trace.heldIn = of.name
	}
	if p.trace.gesture == of.name && p.trace.at >= a.base {
		if c := &a.changes[p.trace.at-a.base]; !t.parts(c, e, p) {
			c.after, c.name, c.op, c.ident = e.After, p.name, op, p.trace.ident
			c.rolled, c.moved = c.rolled || e.Op == OpRoll, c.moved || e.moves()
			c.shows(t, e)
			return
		}
	}
	if of.changes == ChangesKept {
		of.large = true
		return
	}
	for a.n > 1 && a.kept() >= ChangesKept && a.at(0) != of {
		a.forgetOldest()
	}
	part := 0
	if !e.Made && !t.open(&e.Before) {
		for _, c := range a.changes {
			if c.gesture == of.name && c.oid == p.oid {
				part = c.part + 1
			}
		}
	}
	of.changes++
	p.trace.gesture, p.trace.at = of.name, a.base+uint64(len(a.changes))
	a.changes = append(a.changes, change{})
	c := &a.changes[len(a.changes)-1]
	c.gesture, c.oid, c.part, c.before, c.after = of.name, p.oid, part, e.Before, e.After
	c.was, c.name = e.Name, p.name
	c.made, c.op, c.rolled, c.moved = e.Made, op, e.Op == OpRoll, e.moves()
	c.identBefore, c.ident, c.rankBefore = was.ident, p.trace.ident, was.rank
	c.shows(t, e)
}

// shows notes whether an entry of a change is its first one that others could notice.
func (c *change) shows(t *Table, e *Entry) {
	if c.shown == 0 && (e.Made || e.After.Gone || t.open(&e.Before) || t.open(&e.After) ||
		e.Before.In != e.After.In) {
		c.shown = e.Gen
	}
}

// parts reports whether an entry about the piece of a change is the beginning of another change:
// the change brought it into a hand or a container, and there it is shuffled, or it comes out
// again.
func (t *Table) parts(c *change, e *Entry, p *piece) bool {
	came := c.made || c.part > 0 || c.before.In != c.after.In
	return came && !c.after.Gone && !t.open(&c.after) &&
		(e.After.Gone || e.After.In != c.after.In || p.trace.ident != c.ident)
}

// kept returns how many changes the gestures have.
func (a *actor) kept() (n int) {
	for i := range a.n {
		n += a.at(i).changes
	}
	return n
}

// changesOf returns the changes of a gesture, in the order in which it touched the pieces first.
func (a *actor) changesOf(of *gesture) []change {
	all := make([]change, 0, of.changes)
	for i := of.from - a.base; i < uint64(len(a.changes)); i++ {
		if a.changes[i].gesture == of.name {
			all = append(all, a.changes[i])
		}
	}
	return all
}

// boxOf returns the container in which a piece in that state lies; nil if in none.
func (t *Table) boxOf(s *State) *piece {
	if s.Gone || !t.inContainer(s) {
		return nil
	}
	return t.names[s.In]
}

// handOwner returns the seat in whose hand a piece in that state lies; 0 if in none.
func (t *Table) handOwner(s *State) id.Seat {
	if s.Gone || !t.inHand(s) {
		return 0
	}
	return s.Owner
}

// traceCrossing notes that a piece, or money, came into the hands of a seat, or a piece into a
// container, or out, or that the order in a container has changed. of is the gesture to which that
// belongs, or nil.
func (t *Table) traceCrossing(e *Entry, p *piece, of *gesture) {
	if e.Order != nil {
		t.cross(of, crossing{box: p.oid, at: e.Gen}, p)
		return
	}
	if e.Notice {
		return
	}
	var from, to id.Seat
	var out, into *piece
	if !e.Made {
		from, out = t.handOwner(&e.Before), t.boxOf(&e.Before)
	}
	to, into = t.handOwner(&e.After), t.boxOf(&e.After)
	// A heap in a hand whose value changes was split, or merged with another one: money came or went,
	// and others see that by the number of pieces there or by a heap on the table.
	money := from != 0 && t.kind(p).Currency != 0 && e.Before.Value != e.After.Value
	if from != to || money {
		t.cross(of, crossing{seat: from, at: e.Gen}, nil)
	}
	if from != to {
		t.cross(of, crossing{seat: to, at: e.Gen}, nil)
	}
	if out != into {
		t.cross(of, crossing{at: e.Gen}, out)
		t.cross(of, crossing{at: e.Gen}, into)
	}
}

// cross notes a crossing of a seat, or of the container box.
func (t *Table) cross(of *gesture, c crossing, box *piece) {
	switch {
	case box != nil:
		c.box, c.before, box.trace.crossed = box.oid, box.trace.crossed, c.at
	case c.seat != 0:
		if t.gestures.crossings == nil {
			t.gestures.crossings = map[id.Seat]id.Generation{}
		}
		c.before, t.gestures.crossings[c.seat] = t.gestures.crossings[c.seat], c.at
	default:
		return
	}
	if of == nil {
		return
	}
	for i := range of.crossed {
		if known := &of.crossed[i]; known.seat == c.seat && known.box == c.box {
			if known.at == c.before {
				known.at = c.at
			}
			return
		}
	}
	of.crossed = append(of.crossed, c)
}

// forgetGestures forgets all gestures: nothing from before a rewind can be undone.
func (t *Table) forgetGestures() { t.gestures = gestures{} }

// closeGestures says that what was begun until now is undone only by name (T62.9).
func (t *Table) closeGestures() { t.gestures.since, t.gestures.current = t.gen+1, nil }

// traceUndo lets the gestures follow an entry of an undo. The first one takes away the gesture that
// it undoes. From then on hands, containers and pieces count as they did before that gesture, where
// nothing has come in between. was is the rank of the piece before.
func (t *Table) traceUndo(e *Entry, p *piece, was id.Generation) {
	g := &t.gestures
	g.current = nil
	t.dropHold(e, p)
	if e.Count > 0 {
		g.back = takingBack{}
		if a := g.actor(e.Seat); a != nil {
			t.takeAway(a, e.Count, e.Gen)
		}
	}
	b := &g.back
	if e.After.ZGen == e.Gen && !e.Notice {
		p.trace.rank = b.rank(e, was)
	}
	switch i := slices.IndexFunc(b.changes, func(c change) bool { return c.oid == p.oid }); {
	case e.Made && len(b.gone) > 0:
		last := b.changes[b.gone[0]]
		b.gone = b.gone[1:]
		p.trace.ident = last.identBefore
		for i := range slices.Backward(b.changes) {
			if c := &b.changes[i]; c.oid == last.oid {
				c.oid = p.oid
				if c.ident == p.trace.ident {
					p.trace.ident = c.identBefore
				}
			}
		}
		g.replace(last.oid, p)
	case i < 0 && (e.NewName != 0 || e.Order != nil || e.Before.In != e.After.In):
		p.trace.ident = e.Gen // it stands in for a piece that was shuffled with others
	}
}

// rank returns the rank that a piece gets with an entry of the undo. What the gesture has changed
// gets back what it had. What is only lifted keeps its own. What stands in for another piece gets
// that of the place. was is the rank of the piece before.
func (b *takingBack) rank(e *Entry, was id.Generation) id.Generation {
	lifted := e.Before
	lifted.ZGen = e.Gen
	for _, own := range []bool{true, false} {
		for i := range b.changes {
			if c := &b.changes[i]; !c.made && c.before.sameLevel(&e.After) &&
				(own && c.oid == e.Piece || !own && c.before.X == e.After.X && c.before.Y == e.After.Y) {
				return c.rankBefore
			}
		}
		if lifted == e.After {
			return was
		}
	}
	return e.Gen
}

// takeAway takes away the gesture that an undo recorded from gen on undoes. back is its place among
// those that have changed something, the newest first.
func (t *Table) takeAway(a *actor, back int32, gen id.Generation) {
	g := &t.gestures
	of, all := a.undone(back)
	if of == nil {
		return
	}
	for _, c := range of.crossed {
		if box := t.pieces[c.box]; box != nil {
			box.trace.crossed = restored(box.trace.crossed, c, gen)
		} else if c.seat != 0 {
			g.crossings[c.seat] = restored(g.crossings[c.seat], c, gen)
		}
	}
	for _, c := range slices.Backward(all) {
		if p := t.pieces[c.oid]; p != nil && p.trace.ident == c.ident {
			p.trace.ident = c.identBefore
		}
	}
	g.back.changes = all
	for _, i := range t.backwards(all) {
		if c := &all[i]; c.after.Gone && !c.made {
			g.back.gone = append(g.back.gone, i)
		}
	}
	for i := range a.n {
		if a.at(i) == of {
			a.remove(i)
			return
		}
	}
}

// remove removes the gesture at a place.
func (a *actor) remove(i int) {
	if i == a.n-1 {
		a.drop()
		return
	}
	gone := *a.at(i)
	for ; i < a.n-1; i++ {
		*a.at(i) = *a.at(i + 1)
	}
	*a.at(i) = gesture{facts: gone.facts[:0], crossed: gone.crossed[:0], shuffled: gone.shuffled[:0]}
	a.n--
}

// restored returns a crossing that is now as it was before a gesture, if nothing else has crossed
// since.
func restored(now id.Generation, c crossing, gen id.Generation) id.Generation {
	if now == c.at {
		return c.before
	}
	return gen
}

// replace lets all gestures mean p where they mean a piece that is gone.
func (g *gestures) replace(gone id.OID, p *piece) {
	for _, a := range g.actors {
		for i := range a.changes {
			if c := &a.changes[i]; c.oid == gone {
				c.oid, c.name = p.oid, p.name
			}
		}
		for i := range a.n {
			of := a.at(i)
			for k := range of.crossed {
				if of.crossed[k].box == gone {
					of.crossed[k].box = p.oid
				}
			}
			for k := range of.shuffled {
				if of.shuffled[k] == gone {
					of.shuffled[k] = p.oid
				}
			}
		}
	}
}
