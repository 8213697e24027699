package table_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"holt/server/id"
	"holt/server/table"
	"holt/server/zlevel"
)

// The kinds of the tables in these tests.
const (
	kindBoard uint32 = iota
	kindToken        // three faces
	kindBack         // the mask of the cards
	kindAce
	kindKing
	kindQueen
	kindJack
	kindHand
	kindJoker // secret like a card, with another mask
	kindBlueBack
	kindChessClock // two sides, five minutes and two seconds a move
	kindStopwatch  // one side, counts up
	kindCount
)

var kinds = []table.Kind{
	kindBoard:    {Width: 6000, Height: 6000, Faces: 1, Heavy: true},
	kindToken:    {Width: 400, Height: 400, Faces: 3},
	kindBack:     {Width: 635, Height: 889, Faces: 1},
	kindAce:      {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: kindBack},
	kindKing:     {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: kindBack},
	kindQueen:    {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: kindBack},
	kindJack:     {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: kindBack},
	kindHand:     {Width: 6000, Height: 2000, Faces: 1, Heavy: true, Hand: true},
	kindJoker:    {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: kindBlueBack},
	kindBlueBack: {Width: 635, Height: 889, Faces: 1},
	kindChessClock: {
		Width: 1200, Height: 600, Faces: 1, Clock: table.ClockKind{Sides: 2, Initial: 300_000, Increment: 2000},
	},
	kindStopwatch: {Width: 600, Height: 600, Faces: 1, Clock: table.ClockKind{Sides: 1, Up: true}},
}

var config = table.Config{Kinds: kinds, Width: 20_000, Height: 20_000}

// The pieces of setUp, by name: the heavy ones come first.
const (
	board id.Piece = iota + 1
	handOne
	handTwo
	tokenOne
	tokenTwo
	tokenThree
	cardOne // cards lie face down in the middle: ace, king, queen, jack
	cardTwo
	cardThree
	cardFour
	joker
	chessClock
	stopwatch
	pieceCount = iota
)

// Where the hands lie, that of the first seat and that of the second.
const (
	handOneY int32 = -8000
	handTwoY int32 = 8000
)

// setUp returns the pieces of a table.
func setUp() []table.Place {
	at := func(kind uint32, x, y, face int32) table.Place {
		return table.Place{State: table.State{Kind: kind, X: x, Y: y, Face: face}}
	}
	places := []table.Place{
		at(kindBoard, 0, 0, 0), at(kindHand, 0, handOneY, 0), at(kindHand, 0, handTwoY, 0),
		at(kindToken, -1000, 0, 0), at(kindToken, 0, 1000, 0), at(kindToken, 1000, 0, 0),
		at(kindAce, 0, 0, 1), at(kindKing, 0, 0, 1), at(kindQueen, 0, 0, 1), at(kindJack, 0, 0, 1),
		at(kindJoker, 500, 500, 1), at(kindChessClock, 4000, 0, 0), at(kindStopwatch, 4000, 2000, 0),
	}
	for i := range places {
		places[i].OID = oid(uint64(i + 1))
	}
	return places
}

func oid(n uint64) (o id.OID) {
	binary.BigEndian.PutUint64(o[8:], n)
	return o
}

func clientID(n uint64) (c id.Client) {
	binary.BigEndian.PutUint64(c[8:], n)
	c[0] = 0xc1
	return c
}

func level(t testing.TB, text string) zlevel.Level {
	t.Helper()
	z, err := zlevel.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return z
}

// seeded returns a source of randomness that is a function of the seed.
func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// args is a shorthand for the arguments of an update.
type args func(*table.Update)

func at(x, y int32) args {
	return func(u *table.Update) { u.X, u.Y, u.Has = x, y, u.Has|table.HasXY }
}

func turned(angle int32) args {
	return func(u *table.Update) { u.Angle, u.Has = angle, u.Has|table.HasAngle }
}

func face(f int32) args {
	return func(u *table.Update) { u.Face, u.Has = f, u.Has|table.HasFace }
}

func z(l zlevel.Level) args {
	return func(u *table.Update) { u.Z, u.Has = l, u.Has|table.HasZ }
}

func kind(k uint32) args {
	return func(u *table.Update) { u.Kind, u.Has = k, u.Has|table.HasKind }
}

func pieces(p ...id.Piece) args {
	return func(u *table.Update) { u.Pieces, u.Has = p, u.Has|table.HasPieces }
}

func side(n uint8) args {
	return func(u *table.Update) { u.Side, u.Has = n, u.Has|table.HasSide }
}

func ms(n int32) args {
	return func(u *table.Update) { u.Ms, u.Has = n, u.Has|table.HasMs }
}

func increment(n int32) args {
	return func(u *table.Update) { u.Increment, u.Has = n, u.Has|table.HasIncrement }
}

func loose() args { return func(u *table.Update) { u.Has |= table.HasLoose } }
