package table

import (
	"math/bits"
	"slices"

	"holt/server/id"
)

// Weight is an upper bound of what updates cost. It is computed before anything is done (T49).
type Weight struct {
	Entries int // entries that are recorded
	Looks   int // pieces that are looked at, see Table.Looks
	Bytes   int // bytes that are added to the log
	Written int // bytes of texts that are written: all tables wait while the disk takes them
}

// One unit is about the work of one entry.
const (
	looksPerUnit   = 64
	bytesPerUnit   = 256
	writtenPerUnit = 8
)

// Units returns a weight in units (T49).
func (w Weight) Units() int {
	return w.Entries + (w.Looks+looksPerUnit-1)/looksPerUnit +
		(w.Bytes+bytesPerUnit-1)/bytesPerUnit + w.Written/writtenPerUnit
}

// Weigh returns an upper bound of the cost of a batch that Check has accepted, including what is
// recorded about its randomness (docs/fairness.md). It changes nothing. It stops as soon as the
// weight exceeds most units, and then returns the weight so far. Questions to the owner of a set
// (T39) are not included.
func (t *Table) Weigh(seat id.Seat, batch []Update, most int) Weight {
	w := weighing{t: t, view: t.ViewOf(seat), seen: map[*piece]bool{}}
	for i := range batch {
		if w.update(&batch[i]); w.Units() > most {
			return w.Weight
		}
	}
	w.spread()
	return w.Weight
}

// WeighEnd is Weigh for the end of a seat (T51, T52).
func (t *Table) WeighEnd(seat id.Seat, e Ending, most int) Weight {
	w := weighing{t: t, view: t.ViewOf(seat), seen: map[*piece]bool{}}
	w.Entries, w.Looks = 1, len(t.pieces)
	w.log(1, nil)
	for _, p := range t.pieces {
		if p.state.Holder == seat ||
			t.kinds[p.state.Kind].Seat == SeatTurn && p.state.Owner == seat {
			w.Entries++
			w.log(1, p)
			w.put(&Update{Op: OpRelease}, p)
			w.Looks += len(t.seats) // to pass on the turn
		}
	}
	for _, h := range t.hands.all {
		its := h.state.Owner == seat
		if its && e.Hands == HandsBack {
			n := w.pieces(t.most(h.name))
			w.records(n)
			w.moves(n)
			w.Looks += int(sorting(n)) //nolint:gosec // small
		}
		if its || h.state.Team.Has(seat) {
			w.Entries++
			w.log(1, h)
			w.hand(h, h.state.X, h.state.Y)
		}
		if w.Units() > most {
			return w.Weight
		}
	}
	w.spread()
	return w.Weight
}

// weighing is a batch that is weighed. Updates may meet what earlier ones of the batch have
// changed, so it counts these changes.
type weighing struct {
	t    *Table
	view id.Seat
	Weight

	seen   map[*piece]bool // pieces that are moved
	moved  int             // how many pieces may lie elsewhere than now
	hands  int             // how many hands and containers may lie elsewhere than now, or be new
	made   int             // how many pieces are made
	turns  int             // levels that are set
	long   bool            // a level may become too long, so that a respread follows (T13)
	longer int             // how many levels given by the batch are long
	text   int             // bytes of the longest text that the batch gives
	level  int             // bytes of the longest level that the batch gives
}

// Upper bounds in bytes of the log: an entry without its states, a state without its text, level
// and team, a clock and a set in a state, one number in a list, and a seat in a team.
const (
	headBytes  = 105
	stateBytes = 80
	clockBytes = 45
	setBytes   = 24
	kindBytes  = 3
	seatBytes  = 3
	entryBytes = headBytes + 2*(stateBytes+clockBytes+setBytes)
)

// Size returns an upper bound of the bytes of an entry in the log.
func (e *Entry) Size() int {
	switch {
	case e.Who != nil:
		return headBytes + len(e.Who.Nick) + len(e.Who.Home)
	case e.Set != nil:
		n := headBytes + stateBytes
		for i := range e.Set.Parts {
			n += partBytes + len(e.Set.Parts[i].Text)
		}
		return n
	case e.Fact != nil || e.Ops != nil:
		return headBytes + len(e.Fact) + len(e.Ops)
	}
	n := headBytes + e.After.size() + kindBytes*(len(e.Order)+len(e.Faces))
	if !e.Made {
		n += e.Before.size()
	}
	return n
}

func (s *State) size() int {
	n := stateBytes + len(s.Z) + len(s.Text) + s.Team.Len()*seatBytes
	if s.Clock != (Clock{}) {
		n += clockBytes
	}
	if !s.Set.IsZero() {
		n += setBytes
	}
	return n
}

func (w *weighing) update(u *Update) {
	w.Entries++ // at least an entry behind a reject (T14)
	w.Written += len(u.Text)
	w.text, w.level = max(w.text, len(u.Text)), max(w.level, len(u.Z))
	if u.Has&HasZ != 0 {
		w.sets(1)
		if u.Z.Digits() > longDigits {
			w.longer++
		}
		w.long = w.long || u.Z.Digits() > hugeDigits
	}
	var p *piece
	if u.Has&HasPiece != 0 {
		p = w.t.find(u.Piece, w.view)
	}
	w.log(1, p)
	// The level may be corrected (T25).
	if u.Has&HasZ != 0 {
		w.Entries++
		w.log(1, p)
	}
	if weigh := weighs[u.Op]; weigh != nil {
		weigh(w, u, p)
	}
}

// weighs computes what an update costs beside its own entry. Operations without a function cost
// nothing else.
var weighs = [opEnd]func(w *weighing, u *Update, p *piece){
	OpRelease: (*weighing).put, OpMove: (*weighing).put, OpRotate: (*weighing).put,
	OpCopy: (*weighing).make, OpAdd: (*weighing).make, OpSplit: (*weighing).make,
	OpDelete: (*weighing).remove, OpRaise: (*weighing).turn, OpLower: (*weighing).turn,
	OpClaim: (*weighing).turnHand, OpLeave: (*weighing).turnHand, OpGive: (*weighing).turnHand,
	OpShare: (*weighing).turnHand, OpUnshare: (*weighing).turnHand, OpShuffle: (*weighing).shuffle,
	OpCut: (*weighing).shuffle, OpDraw: (*weighing).draw, OpDeal: (*weighing).deal,
	OpRecall: (*weighing).recall, OpPeek: (*weighing).peek, OpStow: (*weighing).stow,
	OpTake: (*weighing).take, OpRoll: (*weighing).roll, OpPass: (*weighing).pass,
}

// records counts n entries about any pieces on the table.
func (w *weighing) records(n int) {
	w.Entries += n
	words := w.t.lengths.wordy + n*(w.text+w.level)
	w.Bytes += n*(entryBytes+2*(fewBytes+MaxTeam*seatBytes)) + 2*min(words, n*(MaxText+maxLevel))
}

// maxLevel is the greatest length of a level in bytes.
const maxLevel = 1026

// log counts the bytes of n entries about one piece, which may be nil.
func (w *weighing) log(n int, p *piece) {
	of := w.text + w.level
	if p != nil {
		of = max(of, len(p.state.Text)+len(p.state.Z), w.text+len(p.state.Z),
			w.level+len(p.state.Text))
		of += p.state.Team.Len() * seatBytes
	}
	w.Bytes += n * (entryBytes + 2*(of+MaxTeam*seatBytes))
}

// fact counts the record of a draw with so many numbers.
func (w *weighing) fact(things int) {
	w.Entries++
	w.Bytes += entryBytes + things*kindBytes
}

// roughly rounds n up to 64, 128, 256 and so on. Where the number of pieces is kept back, a weight
// must not reveal it: a weight decides what is refused, and could be found out by trying (T29).
func roughly(n int) int { return 64 << max(0, bits.Len(uint(max(n-1, 0)))-6) }

// within returns how many pieces may lie in a container.
func (w *weighing) within(c *piece) int {
	n := w.t.contents(c).n
	if w.t.kinds[c.state.Kind].Uncounted {
		n = roughly(n)
	}
	return w.pieces(n)
}

// moves counts n pieces that come to lie elsewhere, each with a new level.
func (w *weighing) moves(n int) {
	w.moved += n
	w.sets(n)
}

// sets counts n levels that the table gives.
func (w *weighing) sets(n int) {
	w.turns += n
	w.long = w.long || w.t.lengths.huge > 0
}

// spread counts what respreads record: each piece with a long level once or twice, whatever the
// batch does (T13).
func (w *weighing) spread() {
	if !w.long {
		return
	}
	n := 2 * (w.t.lengths.long + w.longer + w.turns)
	w.records(n)
	w.Looks += 8 * n
}

// pieces returns an upper bound for a number of pieces that is n now.
func (w *weighing) pieces(n int) int { return min(n+w.moved, len(w.t.pieces)+w.made) }

// fall counts the looks when n pieces are put down at a place: at the hands there and, with into,
// at the containers.
func (w *weighing) fall(n int, x, y int32, into bool) {
	w.Looks += n * (2*len(w.t.hands.at(x, y)) + w.hands)
	if into {
		w.Looks += n * (len(w.t.containers.at(x, y)) + w.hands)
	}
}

// put weighs an update that may move its piece.
func (w *weighing) put(u *Update, p *piece) {
	if u.Op == OpRotate && (p == nil || !w.t.kinds[p.state.Kind].Hand) {
		return
	}
	if p == nil {
		return
	}
	k, more := &w.t.kinds[p.state.Kind], 0
	if u.Has&HasZ == 0 && p.state.In != 0 { // for the level out of the hand or container
		more++
	}
	if k.Secret { // for the face in a hand
		more++
	}
	w.Entries += more
	w.log(more, p)
	w.sets(more)
	x, y := p.state.X, p.state.Y
	if u.Has&HasXY != 0 {
		x, y = u.X, u.Y
	}
	w.fall(1, x, y, u.Op == OpRelease)
	if k.Hand || k.Container.Holds {
		w.hand(p, x, y)
		return
	}
	if !w.seen[p] {
		w.seen[p] = true
		w.moves(1)
	}
	if u.Op == OpRelease && k.Currency != 0 {
		w.merge(p, x, y)
	}
}

// merge counts the merge of a heap into another one.
func (w *weighing) merge(p *piece, x, y int32) {
	w.Entries += 2
	w.log(2, p)
	reach := w.t.extent(p)/2 + 1
	most := w.t.most(p.state.In)
	for _, c := range slices.Concat(w.t.hands.at(x, y), w.t.containers.at(x, y)) {
		most = max(most, w.t.most(c.name))
	}
	w.Looks += w.pieces(max(roughly(most), w.t.about(x, y, reach, reach)) + 1)
}

// about returns how many grounded pieces lie in the cells that a rectangle touches. w and d are
// half its width and depth.
func (t *Table) about(x, y, w, d int32) (n int) {
	t.near(x, y, w, d, func(g *bunch) { n += len(g.pieces) })
	return n
}

// most returns how many pieces lie in a hand or a container.
func (t *Table) most(name id.Piece) (n int) {
	if h := t.holds[name]; h != nil {
		for _, o := range h.orders() {
			n += o.n
		}
	}
	return n
}

// hand counts what follows when a hand comes to lie at a place, with what lies in it and under it.
func (w *weighing) hand(p *piece, x, y int32) {
	w.hands++
	if !w.t.kinds[p.state.Kind].Hand {
		return
	}
	half := w.t.extent(p)/2 + 1 // either way up
	under := w.t.beneath(x, y, half)
	in := w.t.most(p.name)
	n := in + under + w.moved
	// What lies in it was counted when it was moved before.
	if w.seen[p] {
		n, in = under+w.moved, 0
	}
	w.seen[p] = true
	n = min(n, len(w.t.pieces)+w.made)
	w.records(n)
	crowd := w.hands + max(w.crowd(p.state.X, p.state.Y, half), w.crowd(x, y, half))
	w.Looks += (n+w.t.about(x, y, half, half))*(2+2*crowd) +
		2*int(sorting(n)) //nolint:gosec // small
	w.moves(in + under)
}

// beneath returns how many grounded pieces lie in a square about a place. half is half its side.
func (t *Table) beneath(x, y, half int32) (n int) {
	t.near(x, y, half, half, func(g *bunch) {
		for _, p := range g.pieces {
			if dx, dy := p.state.X-x, p.state.Y-y; max(dx, -dx, dy, -dy) <= half {
				n++
			}
		}
	})
	return n
}

// crowd returns how many hands may lie over one place in a square.
func (w *weighing) crowd(x, y, half int32) (most int) {
	for _, dx := range []int32{-half, 0, half} {
		for _, dy := range []int32{-half, 0, half} {
			most = max(most, len(w.t.hands.at(x+dx, y+dy)))
		}
	}
	return most
}

// turnHand weighs an update that changes the owner or team of a hand, or deletes it.
func (w *weighing) turnHand(_ *Update, p *piece) {
	if p != nil {
		w.hand(p, p.state.X, p.state.Y)
	}
}

// remove weighs a deletion. It looks at all containers in which the piece could have been set up
// (F12).
func (w *weighing) remove(u *Update, p *piece) {
	w.Looks += len(w.t.natives)
	w.turnHand(u, p)
}

// turn weighs an update for which the table chooses a level.
func (w *weighing) turn(*Update, *piece) { w.sets(1) }

// make weighs an update that makes a piece.
func (w *weighing) make(u *Update, p *piece) {
	w.made++
	// The new piece, the change of the old one, and a corrected level or a face.
	w.Entries += 3
	w.log(3, p)
	if u.Op == OpAdd {
		w.Bytes += len(w.t.kinds[u.Kind].Written) * 6
	}
	w.moves(1)
	w.fall(1, u.X, u.Y, false)
	if p != nil && (w.t.kinds[p.state.Kind].Hand || w.t.kinds[p.state.Kind].Container.Holds) ||
		p == nil && w.t.coverer(u.Kind) {
		w.hands++
	}
}

// coverer reports whether pieces of a kind are hands or containers.
func (t *Table) coverer(kind uint32) bool {
	return t.kinds[kind].Hand || t.kinds[kind].Container.Holds
}

// shuffle weighs a shuffle or a cut.
func (w *weighing) shuffle(u *Update, p *piece) {
	n := len(u.Pieces)
	switch {
	case n > 0:
		w.records(n)
		w.Looks += n + 3*int(sorting(n)) //nolint:gosec // small
	case p == nil:
		return
	case u.Op == OpCut:
		n = w.within(p)
		w.Bytes += n * kindBytes
		w.Looks += 2 * n
		n = 1
	default:
		n = w.within(p)
		w.Bytes += n * kindBytes
		w.Looks += 2*n + len(w.t.homes[p.name].all()) + 2*int(sorting(n)) //nolint:gosec // small
		// Their kinds become unknown.
		if !p.state.Set.IsZero() {
			w.records(n)
		}
	}
	w.fact(2 * n)
}

// draw weighs a draw.
func (w *weighing) draw(u *Update, p *piece) {
	if p == nil {
		return
	}
	within, n := w.within(p), 1
	if u.Has&HasN != 0 {
		n = int(u.N)
	}
	n = min(n, within)
	w.Looks += 4*len(w.t.hands.all) + w.hands + n + 1
	switch {
	case u.Has&HasKind != 0:
		w.Looks += 2 * within
	case w.t.kinds[p.state.Kind].Container.Random:
		w.Looks += 2*within + int(sorting(within)) //nolint:gosec // small
		w.fact(within + n)
	}
	w.records(3 * n) // for each piece: the draw, a corrected level, and a face
	w.slots(n, n)
	w.moves(n)
	x, y := w.t.beside(p)
	if u.Has&HasXY != 0 {
		x, y = u.X, u.Y
	}
	w.fall(n, x, y, false)
}

// slots counts the looks for free places of n pieces that come into hands, at most each into one
// hand.
func (w *weighing) slots(n, each int) {
	most := 0
	for _, h := range w.t.hands.all {
		most = max(most, w.t.most(h.name))
	}
	w.Looks += n * int(sorting(w.pieces(roughly(most))+each)) //nolint:gosec // small
}

// deal weighs a deal.
func (w *weighing) deal(u *Update, p *piece) {
	if p == nil {
		return
	}
	each := 1
	if u.Has&HasN != 0 {
		each = int(u.N)
	}
	hands := min(len(w.t.hands.all)+w.hands, len(w.t.seats))
	within := w.within(p)
	n := min(each*hands, within)
	w.Looks += len(w.t.hands.all) + w.hands + n
	if w.t.kinds[p.state.Kind].Container.Random {
		w.Looks += within + int(sorting(within)) //nolint:gosec // small
		w.fact(within + n)
	}
	if !p.state.Set.IsZero() {
		w.Looks += within
	}
	w.records(n)
	w.slots(n, each)
	w.moves(n)
}

// recall weighs a recall.
func (w *weighing) recall(_ *Update, p *piece) {
	if p == nil {
		return
	}
	home, inside := len(w.t.homes[p.name].all()), 0
	if h := w.t.holds[p.name]; h != nil {
		inside = h.native
	}
	all, n := w.pieces(home), w.pieces(home-inside)
	w.records(n)
	w.Looks += all + int(sorting(n)) //nolint:gosec // small
	w.moves(n)
}

// peek weighs a look into a container.
func (w *weighing) peek(u *Update, _ *piece) {
	n := 1
	if u.Has&HasN != 0 {
		n = int(u.N)
	}
	w.Looks += n + 1
	w.Bytes += n * kindBytes
}

// stow weighs a stow.
func (w *weighing) stow(_ *Update, p *piece) {
	w.fact(2)
	if p != nil && !w.seen[p] {
		w.seen[p] = true
		w.moves(1)
	}
}

// take weighs the taking of a set off the table.
func (w *weighing) take(_ *Update, p *piece) {
	if p == nil {
		return
	}
	n := 1 + len(w.t.members[p.state.Set].all())
	if p.state.Set.IsZero() {
		n = 1 + len(w.t.homes[p.name].all()) + w.t.contents(p).n
	}
	n = w.pieces(n)
	w.records(n)
	w.Entries++
	w.Bytes += entryBytes + n*partBytes + min(w.t.lengths.wordy+n*(fewBytes+w.text), n*MaxText)
	w.Looks += n + int(sorting(n)) //nolint:gosec // small
}

// roll weighs a roll.
func (w *weighing) roll(*Update, *piece) { w.fact(2) }

// pass weighs the passing of a turn.
func (w *weighing) pass(*Update, *piece) { w.Looks += len(w.t.seats) }
