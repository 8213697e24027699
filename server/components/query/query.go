// Package query answers the questions of components about places (docs/protocol/component.md, C18):
// which pieces lie under a place, and how far apart two spots are. It uses only what the view of
// the asking seat sees, so an answer reveals nothing more than a look at the table.
//
// The package computes, and changes nothing. Rolls and shuffles are questions, too, but they are
// operations of the table: its owner answers them.
package query

import (
	"fmt"
	"iter"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
)

// Table is what answers need of a table: all pieces that the view of a seat sees, the uppermost
// first, and one of them by its identifier.
type Table interface {
	Visible(seat id.Seat) iter.Seq[table.Sight]
	SightOf(seat id.Seat, name id.Piece) (table.Sight, bool)
}

// Answer returns the data of the component that answers op: a put of HitTest or Measure on the
// entity of a seat, whose data has been checked (C14). kinds is the table's catalogue. It fails if
// op is not such a question.
func Answer(t Table, kinds []game.Kind, op *crdt.Op) ([]byte, error) {
	seat, ok := schema.SeatOf(op.Entity)
	if !ok || op.Kind != crdt.Put {
		return nil, fmt.Errorf("answer component %d of entity %d: it is not a question of a seat",
			op.Component, op.Entity)
	}
	switch op.Component {
	case schema.HitTest:
		q, err := schema.Decode[componentpb.HitTest](op.Data)
		if err != nil {
			return nil, fmt.Errorf("answer: %w", err)
		}
		return schema.Encode(hitTest(t, kinds, seat, q, op.Timestamp)), nil
	case schema.Measure:
		q, err := schema.Decode[componentpb.Measure](op.Data)
		if err != nil {
			return nil, fmt.Errorf("answer: %w", err)
		}
		return schema.Encode(measure(t, seat, q, op.Timestamp)), nil
	}
	return nil, fmt.Errorf("answer component %d: it is not a question about places", op.Component)
}

func hitTest(
	t Table, kinds []game.Kind, seat id.Seat, q *componentpb.HitTest, of uint32,
) *componentpb.HitTestResult {
	answer := &componentpb.HitTestResult{Of: of}
	for _, name := range Under(t, kinds, seat, q.GetX(), q.GetY()) {
		answer.Pieces = append(answer.Pieces, uint32(name))
	}
	return answer
}

// Under returns the identifiers of the pieces under a place that the view of seat sees, the
// uppermost first, schema.MaxHits at most. A piece covers the shape in which it is drawn, turned as
// it lies: a rectangle, a circle, or a card with round corners.
func Under(t Table, kinds []game.Kind, seat id.Seat, x, y int32) []id.Piece {
	var found []id.Piece
	for s := range t.Visible(seat) {
		if covers(s, &kinds[s.Kind], x, y) {
			if found = append(found, s.Name); len(found) == schema.MaxHits {
				break
			}
		}
	}
	return found
}

func measure(t Table, seat id.Seat, q *componentpb.Measure, of uint32) *componentpb.MeasureResult {
	answer := &componentpb.MeasureResult{Of: of}
	ax, ay, here := place(t, seat, q.GetFrom())
	bx, by, there := place(t, seat, q.GetTo())
	if !here || !there {
		answer.Reason = uint32(table.ReasonGone)
		return answer
	}
	d := Distance(ax, ay, bx, by)
	answer.Distance = &d
	return answer
}

// place returns where a spot is. It returns false if the spot is a piece that the view of seat does
// not see.
func place(t Table, seat id.Seat, s *componentpb.Spot) (x, y int32, ok bool) {
	if s.GetPiece() == 0 {
		return s.GetX(), s.GetY(), true
	}
	at, ok := t.SightOf(seat, id.Piece(s.GetPiece()))
	return at.X, at.Y, ok
}
