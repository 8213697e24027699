package table_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// The kinds of the tables in these tests.
const (
	kindBoard uint32 = iota
	kindToken        // three faces
	kindBack         // the mask of the cards, which have two backs
	kindAce
	kindKing // two fronts
	kindQueen
	kindJack // four fronts
	kindHand
	kindJoker // secret like a card, with another mask
	kindBlueBack
	kindChessClock // two sides, five minutes, and two seconds for a move
	kindStopwatch  // one side, counts up
	kindDeck       // holds cards, draws from the top
	kindBag        // holds all that is light, draws at random, does not show how many
	kindScreen     // a hand that does not show how many lie in it
	kindDie
	kindCounter
	kindChip // currency, concealed in hands
	kindNote
	kindLabel
	kindMarker
	kindBox     // holds jokers; only hosts may look in
	kindUnknown // a card of a guest set whose kind the table does not know yet
	kindGlass   // an hourglass, concealed in hands
	kindCoin    // two faces, for everybody to see
	kindButton  // turns coins and tokens, and counts; concealed in hands
	kindDealer  // gathers, shuffles, deals, lays a card on the token, rolls, and passes the turn
	kindPile    // a zone: three cards at most, face down
	kindRow     // a zone: any pieces side by side, face up
	kindMat     // a zone: coins and red cards in a grid, as they are
	kindStock   // a supply of tokens
	kindMint    // a supply of chips; world has none
	kindBare    // a supply of a kind that the table does not have; world has none
	kindAsker   // asks how many, what, who and which chips
	kindRack    // a hand that shows the backs of what lies on it
	kindCount
)

// glassRuns is how long the sand of an hourglass runs, in milliseconds.
const glassRuns int32 = 5000

// cooldown is how long a die cannot be rolled again.
const cooldown id.Millis = 1000

var kinds = []table.Kind{
	kindBoard:    {Width: 6000, Height: 6000, Faces: 1, Heavy: true},
	kindToken:    {Width: 400, Height: 400, Faces: 3},
	kindBack:     {Width: 635, Height: 889, Faces: 2},
	kindAce:      {Width: 635, Height: 889, Faces: 3, Secret: true, Mask: kindBack},
	kindKing:     {Width: 635, Height: 889, Faces: 4, Secret: true, Mask: kindBack},
	kindQueen:    {Width: 635, Height: 889, Faces: 3, Secret: true, Mask: kindBack},
	kindJack:     {Width: 635, Height: 889, Faces: 6, Secret: true, Mask: kindBack},
	kindHand:     {Width: 6000, Height: 2000, Faces: 1, Heavy: true, Hand: true},
	kindJoker:    {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: kindBlueBack},
	kindBlueBack: {Width: 635, Height: 889, Faces: 1},
	kindChessClock: {
		Width: 1200, Height: 600, Faces: 1,
		Clock: table.ClockKind{Sides: 2, Initial: 300_000, Increment: 2000},
	},
	kindStopwatch: {Width: 600, Height: 600, Faces: 1, Clock: table.ClockKind{Sides: 1, Up: true}},
	kindDeck: {
		Width: 700, Height: 950, Faces: 1, Heavy: true, Peek: table.RightPlayers,
		Container: table.ContainerKind{Holds: true, Masked: true, Takes: kindBack},
	},
	kindBag: {
		Width: 900, Height: 900, Faces: 1, Heavy: true, Uncounted: true,
		Container: table.ContainerKind{Holds: true, Random: true},
	},
	kindScreen: {Width: 3000, Height: 1500, Faces: 1, Heavy: true, Hand: true, Uncounted: true},
	kindDie: {Width: 160, Height: 160, Faces: 6, Private: true, Die: table.DieKind{
		Rolls: true, Cooldown: cooldown,
	}},
	kindCounter: {Width: 500, Height: 300, Faces: 1, Counter: table.CounterKind{
		Counts: true, Min: -20, Max: 100, Initial: 40,
	}},
	kindChip:   {Width: 390, Height: 390, Faces: 1, Private: true, Currency: 100},
	kindNote:   {Width: 1500, Height: 1500, Faces: 1, Text: true, InitialText: "rules of the house"},
	kindLabel:  {Width: 900, Height: 300, Faces: 1, Seat: table.SeatLabel},
	kindMarker: {Width: 300, Height: 300, Faces: 1, Seat: table.SeatTurn},
	kindBox: {
		Width: 700, Height: 950, Faces: 1, Heavy: true, Peek: table.RightHost,
		Container: table.ContainerKind{Holds: true, Masked: true, Takes: kindBlueBack},
	},
	kindUnknown: {Width: 635, Height: 889, Faces: 3, Secret: true, Mask: kindBack, Unknown: true},
	kindGlass: {
		Width: 500, Height: 800, Faces: 1, Private: true,
		Hourglass: table.HourglassKind{Duration: glassRuns},
	},
	kindCoin: {Width: 250, Height: 250, Faces: 2},
	kindButton: {Width: 600, Height: 300, Faces: 1, Private: true, Button: table.ButtonKind{
		Presses: true, Who: table.RightPlayers, Cooldown: cooldown, Steps: []table.Step{
			{Do: table.DoFlip, Kind: kindCoin}, {Do: table.DoRotate, Kind: kindCoin, By: 9000},
			{Do: table.DoRotate, Kind: kindToken, By: 35_000}, {Do: table.DoAdd, Kind: kindCounter, N: 7},
		},
	}},
	kindDealer: {Width: 600, Height: 300, Faces: 1, Heavy: true, Button: table.ButtonKind{
		Presses: true, Who: table.RightPlayers, Cooldown: cooldown, Steps: []table.Step{
			{Do: table.DoRecall, Kind: kindDeck}, {Do: table.DoShuffle, Kind: kindDeck},
			{Do: table.DoDeal, Kind: kindDeck, N: 2},
			{Do: table.DoMove, Kind: kindDeck, N: 1, To: kindToken},
			{Do: table.DoMove, Kind: kindDeck, N: 2, To: kindRow, Face: -1},
			{Do: table.DoMove, Kind: kindBag, N: 2, To: kindCoin, Face: -1},
			{Do: table.DoRoll, Kind: kindDie}, {Do: table.DoFace, Kind: kindToken, N: 2},
			{Do: table.DoFlip, Kind: kindCoin}, {Do: table.DoPass, Kind: kindMarker},
			{Do: table.DoReset, Kind: kindChessClock}, {Do: table.DoPause, Kind: kindStopwatch},
			{Do: table.DoSort, Kind: kindRow}, {Do: table.DoSort, Kind: kindMat},
			{Do: table.DoSort, Kind: kindPile},
			{Do: table.DoStart, Kind: kindChessClock}, {Do: table.DoStart, Kind: kindStopwatch, N: 1},
			when(
				table.Condition{Of: table.FactPieces, Kind: kindBack, InZone: true, Zone: kindRow,
					Is: table.GreaterOrEqual, N: 2},
				[]table.Step{{Do: table.DoAdd, Kind: kindCounter, N: 3}},
				when(table.Condition{Of: table.FactPieces, Any: true, Is: table.Less, N: 40},
					[]table.Step{{Do: table.DoAdd, Kind: kindCounter, N: -1}})),
			when(table.Condition{Of: table.FactHolds, Kind: kindDeck, Is: table.LessOrEqual, N: 4},
				[]table.Step{{Do: table.DoMove, Kind: kindBox, N: 1, To: kindRow, Face: -1}}),
			when(table.Condition{Of: table.FactValue, Kind: kindCounter, Is: table.Greater, N: 45},
				[]table.Step{{Do: table.DoSet, Kind: kindCounter, N: 40}},
				table.Step{Do: table.DoRotate, Kind: kindToken, By: 9000}),
			{Do: table.DoEach, Then: []table.Step{
				{Do: table.DoMove, Kind: kindBox, N: 1, To: kindHand, Face: -1},
				{Do: table.DoDeal, Kind: kindDeck, N: 1},
				when(table.Condition{Of: table.FactPieces, Any: true, InZone: true, Zone: kindMat,
					Is: table.Less, N: 3}, []table.Step{{Do: table.DoAdd, Kind: kindCounter, N: 1}}),
			}},
		},
	}},
	kindPile: {Width: 1200, Height: 1400, Faces: 1, Heavy: true, Zone: table.ZoneKind{
		Lay: table.LayPile, Chooses: true, Takes: []uint32{kindBack}, Most: 3, Turns: table.TurnDown,
	}},
	kindRow: {Width: 3000, Height: 1000, Faces: 1, Heavy: true, Zone: table.ZoneKind{
		Lay: table.LayRow, Gap: 700, Turns: table.TurnUp,
	}},
	kindMat: {Width: 2000, Height: 2000, Faces: 1, Heavy: true, Zone: table.ZoneKind{
		Lay: table.LayGrid, Gap: 600, Down: 900, Chooses: true, Takes: []uint32{kindCoin, kindBack},
	}},
	kindStock: {Width: 800, Height: 800, Faces: 1, Heavy: true, Supply: table.SupplyKind{
		Gives: true, Known: true, Of: kindToken,
	}},
	kindMint: {Width: 800, Height: 600, Faces: 1, Heavy: true, Supply: table.SupplyKind{
		Gives: true, Known: true, Of: kindChip,
	}},
	kindRack: {
		Width: 6000, Height: 2000, Faces: 1, Heavy: true, Hand: true, Rack: true,
		Cells: []table.Cell{{X: -2000, Y: -450}, {X: -1300, Y: -450}, {X: -2000, Y: 450}},
	},
	kindBare: {Width: 800, Height: 600, Faces: 1, Heavy: true, Supply: table.SupplyKind{Gives: true}},
	kindAsker: {Width: 600, Height: 300, Faces: 1, Button: table.ButtonKind{
		Presses: true, Who: table.RightPlayers, Cooldown: cooldown,
		Asks: []table.Question{
			{For: table.AnswerNumber, Low: 1, High: 3}, {For: table.AnswerNumber, High: 2},
			{For: table.AnswerSeat}, {For: table.AnswerPiece, Known: true, Kind: kindChip},
		},
		Steps: []table.Step{
			{Do: table.DoAdd, Kind: kindCounter, Uses: table.Uses{N: 1}, At: 5},
			{Do: table.DoRotate, Kind: kindChip, By: 9000, Uses: table.Uses{Piece: 4}, At: 6},
			{Do: table.DoMove, Kind: kindBox, To: kindChip, Face: -1,
				Uses: table.Uses{N: 1, Onto: 4}, At: 7},
			{Do: table.DoIf, If: table.Condition{Of: table.FactAnswer, N: 1}, Uses: table.Uses{Of: 2},
				Then: []table.Step{{Do: table.DoRotate, Kind: kindToken, By: 9000, At: 9}},
				Else: []table.Step{{Do: table.DoRoll, Kind: kindDie, At: 10}}, At: 8},
			{Do: table.DoEach, Uses: table.Uses{Seat: 3}, At: 11, Then: []table.Step{
				{Do: table.DoDeal, Kind: kindDeck, Uses: table.Uses{N: 1}, At: 12},
				{Do: table.DoRecall, Kind: kindBox, At: 13},
			}},
		},
	}},
}

// when returns a step that does the steps then if a condition holds, and else the others.
func when(c table.Condition, then []table.Step, otherwise ...table.Step) table.Step {
	return table.Step{Do: table.DoIf, If: c, Then: then, Else: otherwise}
}

// config is what all tables of the tests have in common. Each has lots of its own.
var config = table.Config{Kinds: kinds, Width: 20_000, Height: 20_000, Sets: true}

// lots draws names, each only once, so no name ever means two pieces.
type lots struct {
	rnd   *rand.Rand
	drawn map[int]bool
}

func newLots(seed uint64) *lots { return &lots{rnd: seeded(seed ^ 0x10ad5), drawn: map[int]bool{}} }

// IntN returns a number from 0 to n-1 that it has not returned before.
func (l *lots) IntN(n int) int {
	for {
		if v := l.rnd.IntN(n); !l.drawn[v] {
			l.drawn[v] = true
			return v
		}
	}
}

// configured returns the configuration of a table with lots of its own.
func configured(seed uint64) table.Config {
	cfg := config
	cfg.RandomNames = newLots(seed)
	return cfg
}

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

// The places of the hands of the first and the second seat.
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
		at(kindJoker, 500, 500, 1), at(kindChessClock, 4000, 0, 0),
		at(kindStopwatch, 4000, 2000, 0),
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

// seeded returns a source of randomness that depends only on the seed.
func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }
