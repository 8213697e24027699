package game

import (
	"fmt"
	"slices"
	"strconv"
)

// MaxSeats is the most seats that a game may have.
const MaxSeats = 32

// NoHand is the Hand of a seat without one.
const NoHand = -1

// Seat is a place at the table of a game: the side from which its player looks, as White looks at
// the chessboard from the south. The table gives the seats of a game to people as they come (T61).
type Seat struct {
	Name string
	// Angle is the side, in hundredths of a degree: that at which a card lies upright for whoever
	// sits there. 0 is the south, 9000 the west.
	Angle  int32
	Colour uint32 // 0xRRGGBB
	// Hand is the index in Game.Pieces of the hand that belongs to the seat, NoHand if it has none.
	Hand int
	// Pieces are the heavy pieces that belong to the seat (T92), by the names that they get on the
	// table: the first heavy piece of the game is 1.
	Pieces []int
}

// MaxSeatPieces is the most pieces that may belong to a seat.
const MaxSeatPieces = 16

// sides are the names of sides in game files, and their angles.
var sides = map[string]int32{"south": 0, "west": 9_000, "north": 18_000, "east": 27_000}

// catalogSeat is the form of a seat in catalogues (docs/protocol/http.md). The order of the fields
// is their order in the bytes, which have a hash. It must never change.
type catalogSeat struct {
	Name   string `json:"name"`
	Angle  int32  `json:"angle"`
	Colour string `json:"colour"`
	Hand   *int   `json:"hand,omitempty"`
	Pieces []int  `json:"pieces,omitempty"`
}

// catalogSeats returns the form of seats in a catalogue, nil if there are none.
func catalogSeats(seats []Seat) []catalogSeat {
	var all []catalogSeat
	for _, s := range seats {
		c := catalogSeat{
			Name: s.Name, Angle: s.Angle, Colour: fmt.Sprintf("#%06x", s.Colour), Pieces: s.Pieces,
		}
		if s.Hand != NoHand {
			c.Hand = &s.Hand
		}
		all = append(all, c)
	}
	return all
}

// readSeats reads the seats of a game file or a catalogue, if it has any. side, hand and piece read
// what the two write differently; piece returns the name of one of the pieces.
func readSeats(
	root object, sideField string, side func(object) int32, hand func(object) int,
	piece func(object, value) int,
) []Seat {
	if !root.has("seats") {
		return nil
	}
	var seats []Seat
	for i, v := range root.list("seats", 1, MaxSeats) {
		o := root.r.object(v, fmt.Sprintf("seat %d", i), "name", sideField, "colour", "hand",
			"pieces")
		s := Seat{
			Name: o.text("name", MaxName), Angle: side(o), Colour: o.colour("colour"), Hand: NoHand,
		}
		if o.has("hand") && o.r.err == nil {
			s.Hand = hand(o)
		}
		if o.has("pieces") {
			for _, v := range o.list("pieces", 1, MaxSeatPieces) {
				s.Pieces = append(s.Pieces, piece(o, v))
			}
			o.unshared(&s, seats)
		}
		for n, other := range seats {
			switch {
			case other.Name == s.Name:
				o.fail(o.get("name"), "%q is the name of seat %d", s.Name, n)
			case s.Hand != NoHand && other.Hand == s.Hand:
				o.fail(o.get("hand"), "hand: that of seat %d", n)
			}
		}
		if root.r.err != nil {
			return nil
		}
		seats = append(seats, s)
	}
	return seats
}

// readGameSeats reads the seats of a game file. places has, for each entry of its pieces, the index
// of its first piece in Game.Pieces. g must have its kinds and pieces.
func readGameSeats(root object, g *Game, places []int) []Seat {
	side := func(o object) int32 {
		v := o.get("side")
		if v.kind != aText {
			return o.integer("side", 0, FullTurn-1)
		}
		angle, ok := sides[v.text]
		if !ok {
			o.fail(v, `side: %q is not south, west, north or east`, v.text)
		}
		return angle
	}
	hand := func(o object) int {
		n := int(o.integer("hand", 0, MaxPieces-1))
		switch {
		case o.r.err != nil:
		case n >= len(places):
			o.fail(o.get("hand"), "hand: no piece %d", n)
		case !g.Kinds[g.Pieces[places[n]].Kind].Hand:
			o.fail(o.get("hand"), "hand: piece %d is not a hand", n)
		default:
			return places[n]
		}
		return NoHand
	}
	return readSeats(root, "side", side, hand, func(o object, v value) int {
		return pieceOfSeat(o, v, g, places)
	})
}

// pieceOfSeat reads the number of a piece of a game that belongs to a seat, and returns its name.
func pieceOfSeat(o object, v value, g *Game, places []int) int {
	n, err := strconv.Atoi(v.text)
	switch {
	case o.r.err != nil:
		return 0
	case v.kind != aNumber || err != nil || n < 0:
		o.fail(v, "pieces: want the number of a piece, not %s", orNothing(v.kind))
		return 0
	case n >= len(places):
		o.fail(v, "pieces: no piece %d", n)
		return 0
	}
	switch k := &g.Kinds[g.Pieces[places[n]].Kind]; {
	case k.Hand:
		o.fail(v, "pieces: piece %d is a hand, which belongs into hand", n)
	case k.Weight != "heavy":
		o.fail(v, "pieces: piece %d is light: only heavy pieces belong to a seat", n)
	}
	return heavyName(g, places[n])
}

// unshared fails if a piece belongs to a seat twice, or to another one, too.
func (o object) unshared(s *Seat, seats []Seat) {
	for i, name := range s.Pieces {
		v := o.get("pieces").items[i]
		if slices.Contains(s.Pieces[:i], name) {
			o.fail(v, "pieces: the same piece twice")
		}
		for n := range seats {
			if slices.Contains(seats[n].Pieces, name) {
				o.fail(v, "pieces: that of seat %d", n)
			}
		}
	}
}

// readCatalogSeats reads the seats of a catalogue.
func readCatalogSeats(root object) []Seat {
	return readSeats(root, "angle",
		func(o object) int32 { return o.integer("angle", 0, FullTurn-1) },
		func(o object) int { return int(o.integer("hand", 0, MaxPieces-1)) },
		func(o object, v value) int {
			n, err := strconv.Atoi(v.text)
			if v.kind != aNumber || err != nil || n < 1 || n > MaxPieces {
				o.fail(v, "pieces: want the names of pieces")
			}
			return n
		})
}

// colour returns a colour that is written "#rrggbb", in small letters.
func (o object) colour(name string) uint32 {
	v, ok := o.want(name, aText)
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(v.text[min(1, len(v.text)):], 16, 24)
	if err != nil || fmt.Sprintf("#%06x", n) != v.text {
		o.fail(v, `%s: %q is not a colour such as "#1a2b3c"`, name, v.text)
	}
	return uint32(n)
}
