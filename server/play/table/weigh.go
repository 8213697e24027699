package table

import (
	"math/bits"

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
	w.Entries, w.Looks = 2, len(t.pieces) // it may make somebody a referee (T74)
	w.log(2, nil)
	for _, p := range t.pieces {
		if p.state.Holder == seat || t.isTurnOf(seat, &p.state) {
			w.Entries++
			w.log(1, p)
			w.put(&Update{Op: OpRelease}, p)
			w.Looks += len(t.seats) // to pass on the turn
		}
	}
	for _, h := range t.hands.all {
		its := h.state.Owner == seat
		if its && e.Hands == HandsBack {
			n := w.pieces(t.numberIn(h.name))
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
	zones  int             // how many zones may lie elsewhere than now, or be new
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
	boxBytes   = 24
	lookBytes  = 12
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
	case e.Chat != nil:
		return headBytes + len(e.Chat.Text)
	case e.Rewound != nil:
		return headBytes + 2*stateBytes + len(e.Rewound.Boxes)*boxBytes +
			len(e.Rewound.Blurred)*lookBytes
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
	if p != nil && (u.Has&HasZ != 0 || u.Op == OpRaise || u.Op == OpLower) {
		w.raised(p)
	}
	// The level may be corrected (T25).
	if u.Has&HasZ != 0 {
		w.Entries++
		w.log(1, p)
	}
	if weigh := operations[u.Op].weigh; weigh != nil {
		weigh(w, u, p)
	}
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

// roundUp rounds n up to 64, 128, 256 and so on. Where the number of pieces is kept back, a weight
// must not reveal it: a weight decides what is refused, and could be found out by trying (T29).
func roundUp(n int) int { return 64 << max(0, bits.Len(uint(max(n-1, 0)))-6) }

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

// fall counts the looks when n pieces are put down at a place: at the hands and the zones there
// and, with into, at the containers.
func (w *weighing) fall(n int, x, y int32, into bool) {
	w.Looks += n * (2*len(w.t.hands.at(x, y)) + w.hands)
	w.zone(n, x, y)
	if into {
		w.Looks += n * (len(w.t.containers.at(x, y)) + w.hands)
	}
}

// about returns how many grounded pieces lie in the cells that a rectangle touches. w and d are
// half its width and depth.
func (t *Table) about(x, y, w, d int32) (n int) {
	t.near(x, y, w, d, func(g *bunch) { n += len(g.pieces) })
	return n
}

// numberIn returns how many pieces lie in a hand or a container.
func (t *Table) numberIn(name id.Piece) (n int) {
	if h := t.holds[name]; h != nil {
		for _, o := range h.orders() {
			n += o.n
		}
	}
	return n
}
