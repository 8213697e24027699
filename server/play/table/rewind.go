package table

import (
	"cmp"
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// Save points (T70) and rewinds (T71). Position returns what a save point keeps. Rewind brings the
// pieces back to that by server updates, so that the history goes on: what was since stays in the
// log, and a rewind can be taken back by another one.

// OpRewind brings the pieces back to a save point. The server records it.
const OpRewind Op = 80

// SaveKind says why there is a save point. The numbers are those of the log and of the wire.
type SaveKind uint8

// The kinds of save points.
const (
	SaveNamed  SaveKind = 1 // a host made it
	SaveSetUp  SaveKind = 2 // the table was set up
	SaveAuto   SaveKind = 3 // by the server, every so often
	SaveBefore SaveKind = 4 // the state before a rewind
)

// Rewound is the mark of a rewind, the last of its entries about pieces.
type Rewound struct {
	Save uint32 // the number of the save point to which the table went back
	Kind SaveKind
	Name string    // of a named one
	Made id.Millis // when it was made
	// Boxes says what everybody knew of each container (F12).
	Boxes []BoxMark
	// Blurred are the looks of which not everybody knew what there is (T102), if Tracked.
	Blurred []Look
	Tracked bool
}

// BoxMark is what everybody knew of a container at a save point: PieceImage has the same.
type BoxMark struct {
	Piece          id.OID
	Loose, Spoiled bool
}

// HandsOf says whose the hands are after a rewind.
type HandsOf uint8

// The possibilities.
const (
	HandsAsSaved HandsOf = iota
	HandsKept            // those of whoever has the side of the game, or whose they are now
)

// Rewinding is a rewind that Rewindable has found possible.
type Rewinding struct {
	To    *Image
	Mark  Rewound
	By    id.Seat
	Hands HandsOf
	OIDs  []id.OID // new ones, for the pieces that are made again
}

// Position returns the pieces of the table for a save point, where ZGen says how many pieces of the
// same level lie below one. It reports false while a guest set lies on the table or is on its way:
// what its parts are is not the table's to keep.
func (t *Table) Position() (Image, bool) {
	if len(t.sets) > 0 {
		return Image{}, false
	}
	im := Image{Gen: t.gen, At: t.at, Pieces: make([]PieceImage, 0, len(t.pieces)),
		Tracked: t.tracked, Blurred: t.blurredLooks()}
	ranks := t.ranks()
	for _, p := range t.sorted() {
		s := p.state
		s.Holder, s.ZGen, s.Rolled = 0, ranks[p], 0
		im.Pieces = append(im.Pieces, PieceImage{
			OID: p.oid, Name: p.name, State: s, Loose: p.loose, Spoiled: p.spoiled,
		})
	}
	return im, true
}

// ranks returns how many pieces of the same level lie below a piece that lies in the open or in a
// hand, if any does.
func (t *Table) ranks() map[*piece]id.Generation {
	shared := make([]*piece, 0, len(t.pieces))
	for _, p := range t.pieces {
		if !t.inContainer(&p.state) {
			shared = append(shared, p)
		}
	}
	slices.SortFunc(shared, func(a, b *piece) int {
		x, y := &a.state, &b.state
		return cmp.Or(cmp.Compare(x.In, y.In), cmp.Compare(x.Z, y.Z), cmp.Compare(x.ZGen, y.ZGen))
	})
	ranks := map[*piece]id.Generation{}
	for i := 1; i < len(shared); i++ {
		if below := shared[i-1]; below.state.sameLevel(&shared[i].state) {
			ranks[shared[i]] = ranks[below] + 1
		}
	}
	return ranks
}

// sameLevel reports whether two pieces have the same level in the same hand or container, or in the
// open.
func (s *State) sameLevel(o *State) bool { return s.In == o.In && s.Z == o.Z }

// Rewindable reports whether the table can go back to a position: no guest set lies on the table,
// and the catalogue has all its kinds. makes is the most pieces that have to be made again.
func (t *Table) Rewindable(to *Image) (makes int, ok bool) {
	for i := range to.Pieces {
		p := &to.Pieces[i]
		if int64(p.State.Kind) >= int64(len(t.kinds)) || p.State.Gone || !p.State.Set.IsZero() {
			return 0, false
		}
		if is := t.pieces[p.OID]; is == nil || t.departs(is, p) {
			makes++
		}
	}
	return makes, len(t.sets) == 0
}

// rewinding is the state of one call of Rewind.
type rewinding struct {
	t      *Table
	r      *Rewinding
	now    id.Millis
	saved  map[id.OID]*PieceImage
	again  map[id.OID]*piece   // pieces that were made again, by what they were
	covers map[id.Piece]id.OID // hands and containers by their names at the save point
	made   int                 // how many OIDs are used
	begun  id.Generation       // that of the first entry
}

// Rewind brings all pieces back to a position and returns the shuffles that must follow at once,
// each by Reshuffle: that of every pile. Rewindable must have reported true, and r have as many
// OIDs, with nothing recorded since. Whatever comes out of sight of anybody gets a new name. Nobody
// holds anything then, and clocks stand. Seats that do not play any more get no hands back. The
// order of the entries that a view is shown follows from the levels that it saw.
func (t *Table) Rewind(r *Rewinding, now id.Millis) []Reshuffle {
	t.rewinds = true
	defer func() { t.rewinds = false }()
	w := rewinding{
		t: t, r: r, now: now, saved: map[id.OID]*PieceImage{}, covers: map[id.Piece]id.OID{},
		again: map[id.OID]*piece{}, begun: t.gen + 1,
	}
	for i := range r.To.Pieces {
		p := &r.To.Pieces[i]
		w.saved[p.OID] = p
		if t.kinds[p.State.Kind].covers() {
			w.covers[p.Name] = p.OID
		}
	}
	for i := range r.To.Pieces {
		saved := &r.To.Pieces[i]
		if p := t.broughtBack(saved); t.pieces[saved.OID] == nil && p != nil && w.saved[p.oid] == nil {
			w.again[saved.OID], w.saved[p.oid] = p, saved
		}
	}
	// What goes out of a hand is gone first, and made again where it was: so whoever sees into two
	// of three places cannot tell from the versions which of the others a piece has left.
	present := slices.Clone(t.sorted())
	owned := map[*piece]id.Seat{}
	for _, h := range t.hands.all {
		owned[h] = h.state.Owner
	}
	for _, p := range present {
		if saved := w.saved[p.oid]; !t.kind(p).covers() && (saved == nil || t.departs(p, saved)) {
			w.remove(p)
		}
	}
	order := t.inOrder(r.To)
	var out []*PieceImage
	for _, covers := range []bool{true, false} {
		for _, p := range order {
			switch {
			case t.kinds[p.State.Kind].covers() != covers:
			case !covers && w.isOut(p):
				out = append(out, p)
			default:
				w.bring(p)
			}
		}
	}
	slices.SortFunc(out, func(a, b *PieceImage) int {
		x, y := &a.State, &b.State
		return cmp.Or(cmp.Compare(x.X, y.X), cmp.Compare(x.Y, y.Y), cmp.Compare(a.Name, b.Name))
	})
	for _, p := range out {
		w.bring(p)
	}
	w.stack(order)
	for _, p := range present {
		if w.saved[p.oid] == nil && t.kind(p).covers() {
			w.remove(p)
		}
	}
	for _, h := range slices.Clone(t.hands.all) { // somebody may have held something over it
		t.followHand(h, now)
	}
	// Who does not play has no hand but one that is still theirs (T75.3).
	for _, h := range slices.Clone(t.hands.all) {
		if owner := h.state.Owner; owner != 0 && !t.plays(owner) && owned[h] != owner {
			t.leaveHand(h, owner, Ending{By: r.By, Hands: HandsBack}, now)
		}
	}
	return w.finish()
}

// broughtBack returns the hand or the container that was deleted since and brought back by an undo,
// with the same name; nil if there is none.
func (t *Table) broughtBack(saved *PieceImage) *piece {
	p := t.names[saved.Name]
	if p == nil || !t.kinds[saved.State.Kind].covers() || p.state.Kind != saved.State.Kind {
		return nil
	}
	return p
}

// departs reports whether a piece lies in a hand now in which it did not lie at the save point, or
// in one that others saw into.
func (t *Table) departs(p *piece, saved *PieceImage) bool {
	s := &p.state
	return t.inHand(s) && (s.In != saved.State.In || groupOf(s) != groupOf(&saved.State) ||
		s.Owner != saved.State.Owner)
}

// inOrder returns the pieces of a position: those that everybody saw, those in hands, hand by hand,
// and those in containers, each from the lowest level to the highest, and those of one level by
// their places. Who sees pieces sees all of that, so the order tells nobody anything.
func (t *Table) inOrder(im *Image) []*PieceImage {
	all := make([]*PieceImage, len(im.Pieces))
	for i := range im.Pieces {
		all[i] = &im.Pieces[i]
	}
	place := func(s *State) int {
		switch {
		case t.open(s):
			return 0
		case t.inHand(s):
			return 1
		default:
			return 2
		}
	}
	slices.SortFunc(all, func(a, b *PieceImage) int {
		x, y := &a.State, &b.State
		return cmp.Or(cmp.Compare(place(x), place(y)), cmp.Compare(x.In, y.In),
			cmp.Compare(x.Z, y.Z), cmp.Compare(x.ZGen, y.ZGen), cmp.Compare(x.X, y.X), cmp.Compare(x.Y, y.Y),
			cmp.Compare(a.Name, b.Name))
	})
	return all
}

// record records an entry of the rewind.
func (w *rewinding) record(e Entry) {
	e.At, e.Op, e.Seat, e.Server = w.now, OpRewind, w.r.By, true
	w.t.record(e)
}

// bring brings a piece back to what it was. It makes the piece again if that is gone.
func (w *rewinding) bring(saved *PieceImage) {
	t := w.t
	p := w.piece(saved.OID)
	var was State
	if p != nil {
		was = p.state
	}
	s := w.state(saved, p)
	if p == nil {
		s.ZGen = zGenSelf
		name := saved.Name
		// Others refer to it by its name.
		if !t.keepsName(s.Kind, name) || t.names[name] != nil || t.holds[name] != nil {
			name = t.randomName()
		}
		oid := w.r.OIDs[w.made]
		w.made++
		w.record(Entry{Made: true, Piece: oid, Name: name, After: s})
		w.again[saved.OID] = t.pieces[oid]
		return
	}
	// What lies concealed in the open is recorded in any case: whether a shuffle has made another of
	// it must not be seen in how much is logged.
	veiled := t.open(&s) && (!t.bare(&s) || t.open(&was) && !t.bare(&was) || t.isBack(&was))
	if s != was || veiled {
		w.record(Entry{Piece: p.oid, Name: p.name, Before: was, After: s})
	}
}

// state returns the state that a piece gets. p is the piece as it is now, nil if it is gone.
func (w *rewinding) state(saved *PieceImage, p *piece) State {
	t, s := w.t, saved.State
	k := &t.kinds[s.Kind]
	var was State
	if p != nil {
		was = p.state
	}
	s.Holder, s.Rolled, s.ZGen, s.Since = 0, was.Rolled, was.ZGen, 0
	s.In, s.Home = w.present(s.In), w.present(s.Home)
	s.Native = s.Native && s.Home != 0
	if k.hasClock() {
		s.Clock = k.ability().copied(k, s.own(), w.r.To.At).Clock
		if s.Clock.shown() == was.Clock.shown() {
			s.Clock = was.Clock
		}
	}
	switch {
	case k.Hand:
		w.setOwner(&s, p, saved.Name)
	case k.belongsToSeat() && s.Owner != 0 && !t.isInUse(s.Owner):
		s.Owner = was.Owner
	}
	if h := t.names[s.In]; s.In != 0 && t.inHand(&s) && h != nil {
		if s.Owner, s.Team = h.state.Owner, h.state.Team; s.Owner == 0 { // or those of now
			s.In = 0
		}
	}
	if t.isOnRack(&s) && !t.backOnRack(&s) { // the rack is nobody's now
		s.Face = 1
	}
	if saved.State.In != 0 && s.In == 0 {
		s.Owner, s.Team = 0, ""
		if k.Secret {
			s.Face = 1
		}
		// Its level in the hand would say how the hand was ordered.
		if z, err := t.uppermost(&s, p); err == nil {
			s.Z = z
		}
	}
	if t.inContainer(&s) {
		w.stow(&s, &was, p)
	} else if p != nil && !s.sameLevel(&was) {
		s.ZGen = zGenSelf
	}
	switch {
	case t.bare(&s):
	case p != nil && s.In == was.In && was.Since != 0:
		s.Since = was.Since
	default:
		s.Since = HiddenEver
	}
	return s
}

// isOut reports whether a piece lay in a hand that is nobody's now, or is gone: it was held when
// the hand was given up or deleted (T71.16). Hands must be what they were.
func (w *rewinding) isOut(saved *PieceImage) bool {
	if !w.t.inHand(&saved.State) {
		return false
	}
	h := w.t.names[w.present(saved.State.In)]
	return h == nil || h.state.Owner == 0
}

// stack puts the pieces of one level into the order that they had: that lies above which got its
// level later (T13).
func (w *rewinding) stack(saved []*PieceImage) {
	var stacks []*order
	levels := map[*order][]*piece{} // the pieces of the last level in each
	end := func(o *order) {
		w.setApart(o, levels[o])
		levels[o] = levels[o][:0]
	}
	for _, is := range saved {
		p := w.piece(is.OID)
		if w.t.inContainer(&p.state) {
			continue
		}
		o := w.t.stack(&p.state)
		same := levels[o]
		switch {
		case same == nil:
			stacks = append(stacks, o)
		case len(same) > 0 && same[0].state.Z != p.state.Z:
			end(o)
		}
		levels[o] = append(levels[o], p)
	}
	for _, o := range stacks {
		end(o)
	}
}

// setApart gives all but the lowest of pieces of one level, from below, levels of their own above
// it, unless their Z generations tell the order. All that the rewind changes has one version
// (T71.17).
func (w *rewinding) setApart(o *order, same []*piece) {
	ordered := true
	for i := 1; i < len(same); i++ {
		below := same[i-1].state.ZGen
		ordered = ordered && below < w.begun && below < same[i].state.ZGen
	}
	if ordered {
		return
	}
	next := zlevel.Level("")
	for p := range o.upwardsFrom(&piece{state: State{Z: same[0].state.Z}}) {
		if p.state.Z != same[0].state.Z {
			next = p.state.Z
			break
		}
	}
	levels, err := zlevel.SpreadBetween(same[0].state.Z, next, len(same)-1)
	for i, p := range same[1:] {
		s := p.state
		s.ZGen = zGenSelf
		if err == nil {
			s.Z = levels[i]
		}
		w.record(Entry{Piece: p.oid, Name: p.name, Before: p.state, After: s})
	}
}

// stow lays s into its container. What lies in the same one already stays at its level: the
// container is shuffled, or it has no order.
func (w *rewinding) stow(s, was *State, p *piece) {
	in, home := *s, s.Home
	w.t.stow(s, w.t.names[in.In])
	s.Home = home
	switch {
	case p == nil:
	case was.In == s.In && w.t.inContainer(was):
		s.Z = was.Z
	default:
		w.t.relevel(s, was, false)
	}
}

// present returns the name that a hand or a container has now, given its name at the save point; 0
// if it is not there.
func (w *rewinding) present(name id.Piece) id.Piece {
	if p := w.piece(w.covers[name]); name != 0 && p != nil {
		return p.name
	}
	return 0
}

// piece returns a piece of the save point as it is now; nil if it is not there yet.
func (w *rewinding) piece(saved id.OID) *piece {
	if p := w.again[saved]; p != nil {
		return p
	}
	return w.t.pieces[saved]
}

// setOwner decides whose a hand is. The hand of a side of the game that was nobody's stays with
// whoever has it now (T61), and so does that of somebody who does not play any more: people stay.
func (w *rewinding) setOwner(s *State, p *piece, name id.Piece) {
	for seat := range s.Team.Seats() {
		if !w.t.plays(seat) {
			s.Team = s.Team.without(seat)
		}
	}
	if p == nil {
		w.setOwnerAgain(s, name)
		return
	}
	if s.Owner != 0 {
		if is := &p.state; !w.t.plays(s.Owner) && is.Owner != 0 && is.Owner != s.Owner {
			s.Owner, s.Team = is.Owner, is.Team
		}
		return
	}
	side := slices.Index(w.t.sides, p.name) + 1
	seated := w.t.atSide(uint32(side)) //nolint:gosec // at most game.MaxSeats
	switch {
	case w.r.Hands == HandsKept && side > 0 && seated != 0 && seated != p.state.Owner:
		s.Owner, s.Team = seated, ""
	case w.r.Hands == HandsKept || side > 0:
		s.Owner, s.Team = p.state.Owner, p.state.Team
	}
}

// setOwnerAgain gives a hand that is made again with this name to whoever has its side, if hands
// are kept and they have none: the set-up of before may have been for fewer players (T78).
func (w *rewinding) setOwnerAgain(s *State, name id.Piece) {
	side := slices.Index(w.t.sides, name) + 1
	if w.r.Hands != HandsKept || s.Owner != 0 || side == 0 {
		return
	}
	seated := w.t.atSide(uint32(side)) //nolint:gosec // at most game.MaxSeats
	if w.t.firstHand(seated) == nil {
		s.Owner = seated
	}
}

// remove takes a piece off the table that was not there.
func (w *rewinding) remove(p *piece) {
	s := p.state
	s.Gone, s.Holder = true, 0
	w.record(Entry{Piece: p.oid, Name: p.name, Before: p.state, After: s})
}

// finish records the mark, and returns the shuffles.
func (w *rewinding) finish() (more []Reshuffle) {
	t := w.t
	var boxes []*piece
	mark := w.r.Mark
	mark.Boxes, mark.Tracked, mark.Blurred = nil, w.r.To.Tracked, w.r.To.Blurred
	for i := range w.r.To.Pieces {
		saved := &w.r.To.Pieces[i]
		if !t.kinds[saved.State.Kind].Container.Holds {
			continue
		}
		c := w.piece(saved.OID)
		mark.Boxes = append(mark.Boxes, BoxMark{c.oid, saved.Loose, saved.Spoiled})
		if !t.kind(c).Container.Random && (t.kind(c).Uncounted || t.contents(c).n >= MinShuffle) {
			boxes = append(boxes, c)
		}
	}
	w.record(Entry{Rewound: &mark})
	slices.SortFunc(boxes, byAge)
	for _, c := range boxes {
		more = append(more, Reshuffle{box: c})
	}
	return more
}

// applyRewound makes what everybody knows of the containers, and of what there is, what it was.
func (t *Table) applyRewound(r *Rewound) {
	for _, b := range r.Boxes {
		if c := t.pieces[b.Piece]; c != nil {
			c.loose, c.spoiled = b.Loose, b.Spoiled
		}
	}
	if r.Tracked {
		t.tracked = true
		t.setBlurred(r.Blurred)
	}
	t.forgetGestures()
}

// SwapSides gives each seat that has a side of the game the next one that is somebody's (T61). The
// hands follow with the rewind behind it, if that keeps them.
func (t *Table) SwapSides(by id.Seat, now id.Millis) {
	var seated []SeatInfo
	for i := range t.seats {
		if who := t.seats[i]; who.Plays() && who.Side != 0 {
			seated = append(seated, who)
		}
	}
	slices.SortFunc(seated, func(a, b SeatInfo) int { return cmp.Compare(a.Side, b.Side) })
	sides := make([]uint32, len(seated))
	for i := range seated {
		sides[i] = seated[i].Side
	}
	for i, who := range seated {
		who.Side = sides[(i+1)%len(sides)]
		t.recordSeat(who, by, now)
	}
}

// isInUse reports whether a seat has not ended.
func (t *Table) isInUse(seat id.Seat) bool {
	_, ok := t.seatInUse(seat)
	return ok
}
