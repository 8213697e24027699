package table

import "holt/server/id"

// Conditions in the steps of buttons (T91).

// Fact says what a condition counts.
type Fact uint8

// What conditions count: numbers that everybody at the table knows.
const (
	FactValue  Fact = iota // the value of the uppermost counter of a kind
	FactPieces             // pieces that lie open
	FactHolds              // pieces in the uppermost container of a kind
	FactAnswer             // the answer of who presses (T95)
)

// Comparison says how a condition compares what it counts with its number.
type Comparison uint8

// The comparisons.
const (
	Equal Comparison = iota
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
)

// Condition decides which steps of a DoIf are done.
type Condition struct {
	Of     Fact
	Any    bool // of FactPieces: pieces of all kinds, and not of Kind alone
	Kind   uint32
	InZone bool   // of FactPieces: those in the uppermost zone of the kind Zone
	Zone   uint32 // a kind
	Is     Comparison
	N      int32

	Answer int32 // of FactAnswer, as soon as it is given
}

// holds reports whether the condition holds for a number.
func (c *Condition) holds(n int32) bool {
	switch c.Is {
	case Less:
		return n < c.N
	case LessOrEqual:
		return n <= c.N
	case Greater:
		return n > c.N
	case GreaterOrEqual:
		return n >= c.N
	default:
		return n == c.N
	}
}

// decide goes on with a press at a condition: with the steps of one of its lists. If what is to be
// counted does not lie there, it is with none.
func (t *Table) decide() Outcome {
	on := &t.pressed
	d := on.doings[0]
	on.doings = on.doings[1:]
	c := &d.steps[0].If
	n, known := t.counted(c, d.seat)
	r := on.resultOf(d.steps[0].At)
	r.did = r.did || known
	switch {
	case !known:
	case c.holds(n):
		on.doings = append(d.then, on.doings...)
	default:
		on.doings = append(d.otherwise, on.doings...)
	}
	return Outcome{Verdict: Recorded}
}

// counted returns what a condition counts. It reports false if there is no such counter, container
// or zone. It looks only at what everybody sees: pieces that lie open, where a secret piece counts
// as its mask whichever side is up, and containers that are counted.
func (t *Table) counted(c *Condition, seat id.Seat) (n int32, known bool) {
	switch c.Of {
	case FactValue:
		if p := t.topmost(c.Kind, seat); p != nil && t.kind(p).Counter.Counts {
			return p.state.Value, true
		}
		return 0, false
	case FactHolds:
		p := t.topmost(c.Kind, seat)
		if p != nil && t.kind(p).Container.Holds && !t.kind(p).Uncounted {
			return int32(t.contents(p).n), true //nolint:gosec // at most MaxPieces
		}
		return 0, false
	case FactAnswer:
		return c.Answer, true
	default:
	}
	var z *piece
	if c.InZone {
		if z = t.topmost(c.Zone, seat); z == nil {
			return 0, false
		}
	}
	t.looks += uint64(len(t.pieces))
	for _, p := range t.pieces {
		if s := &p.state; t.open(s) && s.Set.IsZero() && (c.Any || t.seenAs(s.Kind) == c.Kind) &&
			(z == nil || t.liesIn(z, p)) {
			n++
		}
	}
	return n, true
}

// liesIn reports whether a piece that lies open lies in a zone (T86.1).
func (t *Table) liesIn(z, p *piece) bool {
	s := &p.state
	_, _, in := t.inZone(z, s.X, s.Y)
	return in && s.Holder == 0 && !t.kind(p).Heavy
}

// topmost returns the uppermost piece of a kind that lies open, is meant for a seat, and is no part
// of a guest set; nil if there is none.
func (t *Table) topmost(kind uint32, seat id.Seat) (top *piece) {
	meant := t.meantFor(seat)
	t.looks += uint64(len(t.pieces))
	for _, p := range t.pieces {
		if p.state.Kind == kind && t.open(&p.state) && p.state.Set.IsZero() && meant.has(p) &&
			(top == nil || t.byDrawing(top, p) < 0) {
			top = p
		}
	}
	return top
}
