package table_test

import (
	"fmt"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// The pieces of world that lie open, by name: the heavy ones come first.
const (
	worldBoard id.Piece = iota + 1
	worldHandOne
	worldHandTwo
	worldHandThree // a screen
	worldDeck
	worldBox
	worldBag
	worldDealer
	worldPile
	worldRow
	worldMat
	worldStock
	worldToken
	worldDieOne
	worldDieTwo
	worldCounter
	worldChips // three heaps, side by side
	worldChipsTwo
	worldChipsThree
	worldNote
	worldLabel
	worldMarker
	worldCard // ace, king, queen, jack
	worldCardTwo
	worldCardThree
	worldCardFour
	worldClock
	worldGlass
	worldCoin
	worldButton
	worldAsker
	worldOpen = iota
)

// How many pieces lie in the containers of world.
const (
	inDeck = 12 // three of each kind of card, from the ace up
	inBox  = 3
	inBag  = 6
)

// Where the containers, the zones and the supply of world lie, and its screen.
const (
	worldDeckX int32 = 3000
	worldBoxX  int32 = 4500
	worldBagX  int32 = 6000
	screenX    int32 = -6000

	zoneX int32 = -3500
	pileY int32 = -3000
	rowY  int32 = 3000
	matY  int32 = 6000

	stockX int32 = -3500
	stockY int32 = -6000
)

// world returns the pieces of a table with at least one of each kind.
func world() []table.Place {
	at := func(kind uint32, x, y, face int32) table.Place {
		return table.Place{State: table.State{Kind: kind, X: x, Y: y, Face: face}}
	}
	places := []table.Place{
		at(kindBoard, 0, 0, 0), at(kindHand, 0, handOneY, 0), at(kindHand, 0, handTwoY, 0),
		at(kindScreen, screenX, 0, 0), at(kindDeck, worldDeckX, 0, 0), at(kindBox, worldBoxX, 0, 0),
		at(kindBag, worldBagX, 0, 0), at(kindDealer, 6500, 4000, 0),
		at(kindPile, zoneX, pileY, 0), at(kindRow, zoneX, rowY, 0), at(kindMat, zoneX, matY, 0),
		at(kindStock, stockX, stockY, 0),
		at(kindToken, -1000, 0, 0), at(kindDie, -1000, 1000, 0), at(kindDie, -500, 1000, 3),
		at(kindCounter, 0, -1000, 0), at(kindChip, 1000, 1500, 0), at(kindChip, 1500, 1500, 0),
		at(kindChip, 2000, 1500, 0),
		at(kindNote, 7000, 5000, 0), at(kindLabel, 0, 5000, 0), at(kindMarker, 1000, 5000, 0),
		at(kindAce, 0, 0, 1), at(kindKing, 0, 0, 1), at(kindQueen, 0, 0, 1), at(kindJack, 0, 0, 1),
		at(kindChessClock, 4000, 3000, 0), at(kindGlass, 5000, 3000, 0),
		at(kindCoin, 5500, 3000, 1), at(kindButton, 6500, 3000, 0),
		at(kindAsker, 7500, 3000, 0),
	}
	inside := func(container id.Piece, kind uint32, face int32) {
		p := at(kind, 0, 0, face)
		p.In = int(container)
		places = append(places, p)
	}
	for i := range uint32(inDeck) {
		inside(worldDeck, kindAce+i/3, 1)
	}
	for range inBox {
		inside(worldBox, kindJoker, 1)
	}
	for i, kind := range []uint32{kindToken, kindChip, kindDie, kindAce, kindJoker, kindToken} {
		inside(worldBag, kind, []int32{2, 0, 4, 1, 1, 0}[i])
	}
	for i := range places {
		places[i].OID = oid(uint64(i + 1))
	}
	return places
}

// newWorld returns a server with the pieces of world and the seats of newServer.
func newWorld(t testing.TB, seed uint64) *server { return serve(t, seed, world()) }

// newRackWorld is newWorld, but where the seed is odd the hands of the first two seats are racks
// (T96).
func newRackWorld(t testing.TB, seed uint64) *server {
	places := world()
	for i := range places {
		if p := &places[i].State; p.Kind == kindHand && seed%2 == 1 {
			p.Kind = kindRack
		}
	}
	was := config.Attached
	config.Attached = worldAttached
	defer func() { config.Attached = was }()
	return serve(t, seed, places)
}

// worldAttached is what is attached in the random games (T97): two pieces to the board, and one to
// one of them.
var worldAttached = []table.Attachment{
	{Piece: worldDealer, To: worldBoard}, {Piece: worldBox, To: worldDealer},
	{Piece: worldStock, To: worldBoard},
}

// TestWorld shows that the pieces of world have the kinds and places that their names say.
func TestWorld(t *testing.T) {
	s := newWorld(t, 1)
	for name, kind := range map[id.Piece]uint32{
		worldBoard: kindBoard, worldHandThree: kindScreen, worldDeck: kindDeck, worldBox: kindBox,
		worldBag: kindBag, worldDieTwo: kindDie, worldChipsThree: kindChip, worldMarker: kindMarker,
		worldCard: kindAce, worldCardFour: kindJack, worldClock: kindChessClock,
		worldPile: kindPile, worldRow: kindRow, worldMat: kindMat,
		worldStock: kindStock,
		worldGlass: kindGlass, worldCoin: kindCoin, worldButton: kindButton,
		worldAsker: kindAsker,
	} {
		if got := s.state(name).Kind; got != kind {
			t.Errorf("piece %d is of kind %d, want %d", name, got, kind)
		}
	}
	want := fmt.Sprint([]table.Tally{
		{Piece: worldDeck, Sort: kindBack + 1, Count: inDeck},
		{Piece: worldBox, Sort: kindBlueBack + 1, Count: inBox},
	})
	if got := fmt.Sprint(s.table.Counts()); got != want {
		t.Errorf("T29: sent was %s, want %s", got, want)
	}
	if n := len(s.states(worldBag)); n != inBag {
		t.Errorf("%d pieces lie in the bag, want %d", n, inBag)
	}
	if one, two, three := s.state(worldHandOne).Owner, s.state(worldHandTwo).Owner,
		s.state(worldHandThree).Owner; one != 1 || two != 2 || three != 3 {
		t.Errorf("T23: the hands are of seats %d, %d and %d", one, two, three)
	}
}
