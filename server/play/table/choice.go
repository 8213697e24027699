package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// Rounds (T76): each player chooses pieces of their own hands, and all are shown at once. The table
// knows of a choice only when it is shown.

// OpChoice shows a piece that somebody has chosen in a round. The server records it.
const OpChoice Op = 76

// InHands reports whether a seat may choose the pieces of those names: they lie in its hands, and
// belong to the table.
func (t *Table) InHands(seat id.Seat, names []id.Piece) bool {
	return !slices.ContainsFunc(names, func(n id.Piece) bool { return !t.isChoosable(seat, n) })
}

func (t *Table) isChoosable(seat id.Seat, name id.Piece) bool {
	p := t.names[name]
	return p != nil && p.name == name && !p.state.Gone &&
		(t.inHand(&p.state) || t.isOnRack(&p.state)) &&
		p.state.Owner == seat && p.state.Set.IsZero()
}

// ShowChosen lays the pieces of those names that are still in the hands of a seat front up before
// these hands, and returns their names. They have no order that tells how they lay in the hand.
func (t *Table) ShowChosen(seat id.Seat, names []id.Piece, now id.Millis) (shown []id.Piece) {
	var chosen []*piece
	for _, n := range names {
		if t.isChoosable(seat, n) {
			chosen = append(chosen, t.names[n])
		}
	}
	slices.SortFunc(chosen, func(a, b *piece) int {
		return cmp.Or(cmp.Compare(a.state.Kind, b.state.Kind), byName(a, b))
	})
	for i, p := range chosen {
		was, s := p.state, p.state
		hand := t.names[s.In]
		if s.In == 0 {
			hand = t.handAt(&s)
		}
		if hand == nil { // somebody holds it while the rack is gone
			continue
		}
		x, y, ok := t.placeBefore(hand, t.kind(p), i, len(chosen))
		if !ok {
			continue
		}
		s.X, s.Y, s.Owner, s.Team, s.In, s.Holder = x, y, 0, "", 0, 0
		if t.isBack(&s) {
			s.Face = 0
		}
		s = t.kind(p).ability().moved(s)
		t.relevel(&s, &was, false)
		t.serve(p, OpChoice, seat, now, s)
		t.settle(p, now)
		t.shorten(p, now)
		shown = append(shown, p.name)
	}
	return shown
}

// placeBefore returns a place before a hand, towards the middle of the table, for the i-th of n
// pieces of a kind that lie there in a row. It reports false if hands cover all of that.
func (t *Table) placeBefore(hand *piece, k *Kind, i, n int) (x, y int32, ok bool) {
	wide, deep := t.half(&hand.state)
	size := max(k.Width, k.Height)
	h := &hand.state
	along := int32(2*i-n+1) * (size + size/10) / 2 //nolint:gosec // few pieces
	dx, dy := int32(0), int32(1)
	if abs(h.X)*int64(t.height) > abs(h.Y)*int64(t.width) {
		dx, dy, deep = 1, 0, wide
	}
	if dx*h.X+dy*h.Y > 0 {
		dx, dy = -dx, -dy
	}
	for far := deep + size*3/4; far < deep+max(t.width, t.height); far += size / 2 {
		x, y = t.Within(h.X+dx*far+dy*along, h.Y+dy*far+dx*along)
		x, y = t.FreePlace(x, y, size)
		if !t.isUnderHand(x, y) {
			return x, y, true
		}
	}
	return 0, 0, false
}

// isUnderHand reports whether a hand that somebody owns covers a place.
func (t *Table) isUnderHand(x, y int32) bool {
	return slices.ContainsFunc(t.hands.at(x, y), func(h *piece) bool { return t.covers(h, x, y) })
}

func abs(v int32) int64 { return max(int64(v), -int64(v)) }

// Write records a line of the chat by a seat (T64) that the server writes for it. The text must be
// one that CheckChat accepts.
func (t *Table) Write(seat id.Seat, text string, now id.Millis) {
	t.record(Entry{
		At: now, Op: OpSay, Seat: seat, Server: true,
		Chat: &Chat{Line: t.randomLine(), By: seat, Text: text},
	})
}

// CheckChat reports whether a text can be a line of the chat (T64).
func CheckChat(text string) bool {
	code, _ := (&Update{Text: text}).checkChat()
	return code == ""
}
