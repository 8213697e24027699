package query_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"holt/server/components/crdt"
	"holt/server/components/query"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
)

const (
	kindBoard uint32 = iota
	kindTile
	kindCoin
	kindCard // secret
	kindBack
	kindHand
	kindDeck
)

var kinds = []game.Kind{
	kindBoard: {Width: 6000, Height: 6000, Shape: "rect"},
	kindTile:  {Width: 401, Height: 200, Shape: "rect"},
	kindCoin:  {Width: 300, Height: 300, Shape: "round"},
	kindCard:  {Width: 600, Height: 900, Shape: "card"},
	kindBack:  {Width: 600, Height: 900, Shape: "card"},
	kindHand:  {Width: 3000, Height: 1000, Shape: "rect"},
	kindDeck:  {Width: 700, Height: 950, Shape: "rect"},
}

// lay returns a table with pieces in the given order, named from 1 on. The heavy ones come first.
// Seats 1 and 2 play and seat 3 is a spectator. A piece that lies over a hand is in the hand of
// seat 1. If the first piece is a deck, the last one lies in it.
func lay(states ...table.State) *table.Table {
	t := table.New(table.Config{
		Width: 20_000, Height: 20_000, RandomNames: rand.New(rand.NewPCG(1, 2)),
		Kinds: []table.Kind{
			kindBoard: {Width: 6000, Height: 6000, Faces: 1, Heavy: true},
			kindTile:  {Width: 401, Height: 200, Faces: 1},
			kindCoin:  {Width: 300, Height: 300, Faces: 1},
			kindCard:  {Width: 600, Height: 900, Faces: 2, Secret: true, Mask: kindBack},
			kindBack:  {Width: 600, Height: 900, Faces: 1},
			kindHand:  {Width: 3000, Height: 1000, Faces: 1, Heavy: true, Hand: true},
			kindDeck: {
				Width: 700, Height: 950, Faces: 1, Heavy: true,
				Container: table.ContainerKind{Holds: true, Masked: true, Takes: kindBack},
			},
		},
	})
	places := make([]table.Place, len(states))
	for i, s := range states {
		places[i] = table.Place{OID: id.OID{15: byte(i + 1)}, State: s}
	}
	if last := len(states) - 1; last >= 0 && states[0].Kind == kindDeck {
		places[last].In = 1
	}
	t.SetUp(places, 1)
	for _, role := range []table.Role{table.RoleHost, table.RolePlayer, table.RoleSpectator} {
		t.Sit(table.SeatInfo{Nick: "Ada", Role: role}, 1)
	}
	return t
}

func at(kind uint32, x, y, angle int32) table.State {
	return table.State{Kind: kind, X: x, Y: y, Angle: angle}
}

// TestC18Under shows which points lie under a piece of each shape, at the edges and turned (C18).
func TestC18Under(t *testing.T) {
	const far = table.MaxCoordinate
	for _, c := range []struct {
		name string
		is   table.State
		x, y int32
		want bool
	}{
		{"C18.13 the centre", at(kindTile, 100, 50, 0), 100, 50, true},
		{"C18.13 the right edge of an odd width, from within", at(kindTile, 0, 0, 0), 200, 0, true},
		{"C18.13 the right edge of an odd width, from without", at(kindTile, 0, 0, 0), 201, 0, false},
		{"C18.13 the lower edge belongs to it", at(kindTile, 0, 0, 0), 0, 100, true},
		{"C18.13 below it", at(kindTile, 0, 0, 0), 0, 101, false},
		{"C18.13 a corner", at(kindTile, 0, 0, 0), -200, -100, true},
		{"C18.13 by a quarter turn, above", at(kindTile, 0, 0, 9000), 0, -200, true},
		{"C18.13 by a quarter turn, at the side", at(kindTile, 0, 0, 9000), 101, 0, false},
		{"C18.13 by a half turn", at(kindTile, 0, 0, 18_000), 200, 100, true},
		{"C18.13 by three quarters", at(kindTile, 0, 0, 27_000), 100, 200, true},
		{"C18.13 clockwise: the right end goes down", at(kindTile, 0, 0, 3000), 150, 87, true},
		{"C18.13 clockwise: it does not go up", at(kindTile, 0, 0, 3000), 150, -87, false},
		{"C18.13 a coin", at(kindCoin, 0, 0, 0), 150, 0, true},
		{"C18.13 a coin has no corners", at(kindCoin, 0, 0, 0), 107, 107, false},
		{"C18.13 a coin is round all around", at(kindCoin, 0, 0, 4500), 106, 106, true},
		{"C18.13 the edge of a card", at(kindBack, 0, 0, 0), 300, 400, true},
		{"C18.13 the corner of a card", at(kindBack, 0, 0, 0), 300, 450, false},
		{"C18.13 the round of a card's corner", at(kindBack, 0, 0, 0), 290, 440, true},
		{"C18 from the other end of the table", at(kindTile, far, far, 0), -far, -far, false},
		{"C18 at the end of the table", at(kindTile, -far, far, 100), -far, far, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := len(query.Under(lay(c.is), kinds, 1, c.x, c.y)) == 1; got != c.want {
				t.Errorf("it lies there: %t, want %t", got, c.want)
			}
		})
	}
}

// TestC18UnderAnyAngle compares the answer with a rotation in the complex plane. Points close to an
// edge do not count.
// Clauses: C18.13
func TestC18UnderAnyAngle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.Int32Range(0, table.FullTurn-1).Draw(t, "angle")
		u, v := rapid.Int32Range(-400, 400).Draw(t, "u"), rapid.Int32Range(-400, 400).Draw(t, "v")
		// Clockwise, because y grows downwards.
		turn := cmplx.Exp(complex(0, float64(angle)*math.Pi/18_000))
		spot := complex(float64(u), float64(v)) * turn
		x, y := int32(math.Round(real(spot))), int32(math.Round(imag(spot)))
		// How far outside of the tile the point is.
		du, dv := math.Abs(float64(u))-200.5, math.Abs(float64(v))-100
		switch got := len(query.Under(
			lay(at(kindTile, 30, -70, angle)), kinds, 2, 30+x, -70+y,
		)) == 1; {
		case got && max(du, dv) > 1:
			t.Errorf("(%d, %d) lies under a tile turned by %d", u, v, angle)
		case !got && max(du, dv) < -1:
			t.Errorf("(%d, %d) does not lie under a tile turned by %d", u, v, angle)
		}
	})
}

// TestAnswers shows what is found at a place and how distances are measured, for a view that does
// not see everything (C15, C18).
func TestAnswers(t *testing.T) {
	question := func(seat id.Seat, q uint32, timestamp uint32, data []byte) *crdt.Op {
		return &crdt.Op{
			Kind: crdt.Put, Entity: schema.EntityOfSeat(seat), Component: q, Timestamp: timestamp,
			Data: data,
		}
	}
	hits := func(t *testing.T, on *table.Table, seat id.Seat, x, y int32) []uint32 {
		t.Helper()
		op := question(seat, schema.HitTest, 7, schema.Encode(&componentpb.HitTest{X: x, Y: y}))
		data, err := query.Answer(on, kinds, op)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Check(schema.Answer(op.Component), data); err != nil {
			t.Errorf("the answer is invalid: %v", err)
		}
		m, err := schema.Decode[componentpb.HitTestResult](data)
		if err != nil || m.GetOf() != 7 {
			t.Errorf("the answer is %v, %v, want one of question 7", m, err)
		}
		return m.GetPieces()
	}
	t.Run("C18.11 the topmost comes first", func(t *testing.T) {
		on := lay(at(kindBoard, 0, 0, 0), at(kindTile, 0, 0, 0), at(kindCoin, 10, 0, 0),
			at(kindCoin, 500, 0, 0), at(kindTile, -10, 0, 0))
		if got := hits(t, on, 1, 0, 0); !slices.Equal(got, []uint32{5, 3, 2, 1}) {
			t.Errorf("there lie %v", got)
		}
		if got := hits(t, on, 3, 0, 9000); got != nil {
			t.Errorf("beside the board lie %v", got)
		}
	})
	t.Run("C18.12 a hundred pieces at most", func(t *testing.T) {
		var many []table.State
		for range 120 {
			many = append(many, at(kindCoin, 0, 0, 0))
		}
		got := hits(t, lay(many...), 1, 0, 0)
		if len(got) != schema.MaxHits || got[0] != 120 || got[99] != 21 {
			t.Errorf("there lie %d pieces: %v", len(got), got)
		}
	})
	t.Run("C15, C18.10 pieces in a hand are found by its viewers", func(t *testing.T) {
		on := lay(at(kindHand, 0, 5000, 0), at(kindCard, 0, 5000, 0))
		mine, theirs, watched := hits(t, on, 1, 0, 5000), hits(t, on, 2, 0, 5000),
			hits(t, on, 3, 0, 5000)
		if len(mine) != 2 || mine[1] != 1 || mine[0] < uint32(table.MinRandomName) {
			t.Errorf("its owner finds %v", mine)
		}
		if !slices.Equal(theirs, []uint32{1}) || !slices.Equal(watched, []uint32{1}) {
			t.Errorf("the others find %v and %v, want the hand alone", theirs, watched)
		}
	})
	t.Run("C15, C18.10 pieces in a container are found by nobody", func(t *testing.T) {
		on := lay(at(kindDeck, 0, 0, 0), table.State{Kind: kindCard, Face: 1})
		for seat := id.Seat(1); seat <= 3; seat++ {
			if got := hits(t, on, seat, 0, 0); !slices.Equal(got, []uint32{1}) {
				t.Errorf("seat %d finds %v, want the deck", seat, got)
			}
		}
	})
	measured := func(
		t *testing.T, on *table.Table, seat id.Seat, from, to *componentpb.Spot,
	) *componentpb.MeasureResult {
		t.Helper()
		op := question(seat, schema.Measure, 1<<32-1,
			schema.Encode(&componentpb.Measure{From: from, To: to}))
		data, err := query.Answer(on, kinds, op)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Check(schema.Answer(op.Component), data); err != nil {
			t.Errorf("the answer is invalid: %v", err)
		}
		m, err := schema.Decode[componentpb.MeasureResult](data)
		if err != nil || m.GetOf() != 1<<32-1 {
			t.Errorf("the answer is %v, %v, want one of question 2^32-1", m, err)
		}
		return m
	}
	t.Run("C18.14 from the centre of a piece to a place", func(t *testing.T) {
		m := measured(t, lay(at(kindTile, 30, 40, 4500)), 3, &componentpb.Spot{Piece: 1},
			&componentpb.Spot{})
		if m.Distance == nil || m.GetDistance() != 50 || m.GetReason() != 0 {
			t.Errorf("it is %v, want 50", m)
		}
	})
	t.Run("C18.14 a distance of 0 counts, too", func(t *testing.T) {
		m := measured(t, lay(at(kindTile, 30, 40, 0)), 1, &componentpb.Spot{Piece: 1},
			&componentpb.Spot{X: 30, Y: 40})
		if m.Distance == nil || m.GetDistance() != 0 {
			t.Errorf("it is %v, want 0", m)
		}
	})
	t.Run("C15, C18.15 to a piece that the view does not see", func(t *testing.T) {
		on := lay(at(kindHand, 0, 5000, 0), at(kindCard, 0, 5000, 0))
		card := hits(t, on, 1, 0, 5000)[0]
		if m := measured(
			t, on, 1, &componentpb.Spot{Piece: card}, &componentpb.Spot{},
		); m.Distance == nil {
			t.Errorf("its owner learns %v", m)
		}
		for _, name := range []uint32{card, 77} {
			m := measured(t, on, 2, &componentpb.Spot{}, &componentpb.Spot{Piece: name})
			if m.Distance != nil || m.GetReason() != uint32(table.ReasonGone) {
				t.Errorf("of piece %d another player learns %v, want that it is gone", name, m)
			}
		}
	})
	t.Run("C18 other questions are not answered", func(t *testing.T) {
		on := lay()
		ask := func(e crdt.Entity, q uint32, kind crdt.Kind, data []byte) crdt.Op {
			return crdt.Op{Kind: kind, Entity: e, Component: q, Timestamp: 1, Data: data}
		}
		for _, op := range []crdt.Op{
			ask(schema.EntityOfSeat(1), schema.Roll, crdt.Put, nil),
			ask(schema.EntityOfSeat(1), schema.HitTestResult, crdt.Put, nil),
			ask(schema.EntityOfPiece(1), schema.HitTest, crdt.Put, nil),
			ask(schema.EntityOfSeat(1), schema.HitTest, crdt.Delete, nil),
			ask(schema.EntityOfSeat(1), schema.HitTest, crdt.Put, []byte{0xff}),
			ask(schema.EntityOfSeat(1), schema.Measure, crdt.Put, []byte{0xff}),
		} {
			if data, err := query.Answer(on, kinds, &op); err == nil {
				t.Errorf("%+v is answered by %x", op, data)
			}
		}
	})
}

// TestC18Distance shows that distances are rounded to the nearest unit, and the same in both
// directions (C18).
func TestC18Distance(t *testing.T) {
	for _, c := range []struct {
		ax, ay, bx, by int32
		want           uint32
	}{
		{0, 0, 0, 0, 0}, {0, 0, 1, 0, 1}, {0, 0, 1, 1, 1}, {0, 0, 1, 2, 2}, {0, 0, 2, 2, 3},
		{-3, 0, 0, -4, 5},
		{-1_000_000, -1_000_000, 1_000_000, 1_000_000, schema.MaxDistance},
		{1_000_000, 0, -1_000_000, 1, 2_000_000},
	} {
		// Clauses: C18.14
		t.Run(fmt.Sprintf("C18 from (%d, %d) to (%d, %d)", c.ax, c.ay, c.bx, c.by), func(t *testing.T) {
			if got := query.Distance(c.ax, c.ay, c.bx, c.by); got != c.want {
				t.Errorf("it is %d, want %d", got, c.want)
			}
		})
	}
	place := rapid.Int32Range(-table.MaxCoordinate, table.MaxCoordinate)
	t.Run("C18.14 it is rounded to the nearest unit, both ways", rapid.MakeCheck(func(t *rapid.T) {
		ax, ay, bx, by := place.Draw(t, "ax"), place.Draw(t, "ay"), place.Draw(t, "bx"),
			place.Draw(t, "by")
		d := int64(query.Distance(ax, ay, bx, by))
		dx, dy := int64(ax)-int64(bx), int64(ay)-int64(by)
		if square := 4 * (dx*dx + dy*dy); square >= (2*d+1)*(2*d+1) ||
			d > 0 && square < (2*d-1)*(2*d-1) {
			t.Errorf("%d is not the nearest to the root of %d / 4", d, square)
		}
		if back := query.Distance(bx, by, ax, ay); int64(back) != d {
			t.Errorf("it is %d, and %d back", d, back)
		}
	}))
}
