package table_test

import (
	"reflect"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestT72SwapSides shows that each side goes to the next seat that has one.
// Clauses: T72.2
func TestT72SwapSides(t *testing.T) {
	cfg := configured(1)
	cfg.Sides = make([]id.Piece, 3)
	tab := table.New(cfg)
	for _, role := range []table.Role{
		table.RoleHost, table.RoleSpectator, table.RolePlayer, table.RolePlayer, table.RolePlayer,
	} {
		if _, ok := tab.Sit(table.SeatInfo{Nick: "Ada", Role: role}, 1); !ok {
			t.Fatal("the table is full")
		}
	}
	tab.SwapSides(1, 2)
	for i, want := range []uint32{2, 0, 3, 1, 0} {
		if got := tab.Seats()[i].Side; got != want {
			t.Errorf("T72.2 seat %d has side %d, want %d", i+1, got, want)
		}
	}
}

// TestT61Sides shows who has which side of a game of two.
// Clauses: T61.1, T61.2, T61.3
func TestT61Sides(t *testing.T) {
	cfg := configured(1)
	cfg.Sides = make([]id.Piece, 2)
	tab := table.New(cfg)
	sit := func(role table.Role) id.Seat {
		n, ok := tab.Sit(table.SeatInfo{Nick: "Ada", Role: role}, 1)
		if !ok {
			t.Fatal("the table is full")
		}
		return n
	}
	want := func(what string, sides ...uint32) {
		t.Helper()
		got := make([]uint32, 0, len(sides))
		for _, s := range tab.Seats() {
			got = append(got, s.Side)
		}
		if !reflect.DeepEqual(got, sides) {
			t.Errorf("%s: the seats have the sides %v, want %v", what, got, sides)
		}
	}
	host, watcher, ben, cara := sit(table.RoleHost), sit(table.RoleSpectator),
		sit(table.RolePlayer), sit(table.RolePlayer)
	want("T61.1 players get sides as they come", 1, 0, 2, 0)
	if !tab.TakeSide(ben, 1, 2) {
		t.Error("T61.3 Ben cannot swap sides")
	}
	want("T61.3 who had the side gets the other", 2, 0, 1, 0)
	tab.Take()
	if !tab.TakeSide(ben, 1, 2) || len(tab.Take()) > 0 {
		t.Error("T61.3 to take the own side is recorded")
	}
	for seat, side := range map[id.Seat]uint32{watcher: 1, cara: 1, ben: 3, host: 0} {
		if tab.TakeSide(seat, side, 2) {
			t.Errorf("T61.4 seat %d takes side %d", seat, side)
		}
	}
	tab.Appear(ben, "Benjamin", 1, 3)
	want("T61.2 a new name keeps the side", 2, 0, 1, 0)
	tab.Unseat(ben, table.Ending{By: ben}, 3)
	want("T61.2 the others keep theirs", 2, 0, 0, 0)
	if dan := sit(table.RolePlayer); dan != 5 {
		t.Fatalf("Dan has seat %d", dan)
	}
	want("T61.1 the side is free again", 2, 0, 0, 0, 1)
	tab.Unseat(5, table.Ending{By: host}, 4)
	if !tab.TakeSide(cara, 1, 4) {
		t.Error("T61.3 Cara cannot take a free side")
	}
	want("T61.3 a free side", 2, 0, 0, 1, 0)
}

// TestT61Hands shows which hand comes with a side.
// Clauses: T61.6, T61.7, T23.14
func TestT61Hands(t *testing.T) {
	for name, row := range map[string]struct {
		sides []id.Piece
		want  []id.Piece // the hands of three players as they come
	}{
		"T23.14 without sides the oldest comes first": {nil, []id.Piece{handOne, handTwo, 0}},
		"T61.6 the hand of a side comes with it": {
			[]id.Piece{handTwo, handOne}, []id.Piece{handTwo, handOne, 0},
		},
		"T61.6 even if another is older": {[]id.Piece{handTwo}, []id.Piece{handTwo, handOne, 0}},
		"T61.6 a side without a hand gets what is left": {
			[]id.Piece{0, handTwo}, []id.Piece{handOne, handTwo, 0},
		},
		"T61.7 the hand of a free side is kept for it": {
			[]id.Piece{0, handOne}, []id.Piece{handTwo, handOne, 0},
		},
		"T61.7 unless there is no other": {
			[]id.Piece{0, 0, 0, handOne}, []id.Piece{handTwo, handOne, 0},
		},
		"T61.6 what is no hand is not given": {
			[]id.Piece{board, 99}, []id.Piece{handOne, handTwo, 0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := configured(1)
			cfg.Sides = row.sides
			tab := table.New(cfg)
			tab.SetUp(setUp(), 1)
			for _, want := range row.want {
				seat, _ := tab.Sit(table.SeatInfo{Nick: "Ada", Role: table.RolePlayer}, 1)
				var got id.Piece
				for _, p := range tab.All(seat, id.Client{}) {
					if p.Owner == seat {
						got = p.Name
					}
				}
				if got != want {
					t.Errorf("seat %d has hand %d, want %d", seat, got, want)
				}
			}
		})
	}
}

// TestT90FreePlaces shows that whoever takes a free side gets its hand, unless something lies in
// the hand that they have.
// Clauses: T90.1, T90.2
func TestT90FreePlaces(t *testing.T) {
	sides := []id.Piece{worldHandOne, worldHandTwo, worldHandThree}
	start := func() (*table.Table, id.Seat, id.Seat) {
		cfg := configured(1)
		cfg.Sides = sides
		tab := table.New(cfg)
		tab.SetUp(world(), 1)
		ada, _ := tab.Sit(table.SeatInfo{Nick: "Ada", Role: table.RoleHost}, 1)
		ben, _ := tab.Sit(table.SeatInfo{Nick: "Ben", Role: table.RolePlayer}, 1)
		return tab, ada, ben
	}
	owners := func(tab *table.Table) (all [3]id.Seat) {
		for _, p := range tab.All(0, id.Client{}) {
			for i, hand := range sides {
				if p.Name == hand {
					all[i] = p.Owner
				}
			}
		}
		return all
	}
	tab, ada, ben := start()
	if got := owners(tab); got != [3]id.Seat{ada, ben, 0} {
		t.Fatalf("the hands are of %v", got)
	}
	if !tab.TakeSide(ada, 3, 2) || owners(tab) != [3]id.Seat{0, ben, ada} {
		t.Errorf("T90.1 the hands are of %v", owners(tab))
	}
	if !tab.TakeSide(ada, 1, 3) || owners(tab) != [3]id.Seat{0, ben, ada} {
		t.Errorf("T90.2 a hand that is not counted has changed: %v", owners(tab))
	}
	tab, ada, ben = start()
	if !tab.TakeSide(ada, 2, 2) || owners(tab) != [3]id.Seat{ada, ben, 0} {
		t.Errorf("T61.3 a swap has changed hands: %v", owners(tab))
	}
	tab, ada, ben = start()
	c := clientID(9)
	draw := table.Update{Seq: 1, Op: table.OpDraw, Has: table.HasPiece, Piece: worldDeck}
	out := tab.Apply(table.By{Client: c, Seat: ada, Role: table.RoleHost}, &draw,
		table.Inputs{Now: 3, OID: oid(5000), Rand: seeded(1), Unproved: seeded(1)})
	if out.Verdict != table.Recorded {
		t.Fatalf("the draw is %v", out)
	}
	if !tab.TakeSide(ada, 3, 4) || owners(tab) != [3]id.Seat{ada, ben, 0} {
		t.Errorf("T90.2 a hand with a card has changed: %v", owners(tab))
	}
}

// TestT98ChooseOnArrival shows which place somebody new gets who asks for one.
// Clauses: T98.1
func TestT98ChooseOnArrival(t *testing.T) {
	sides := []id.Piece{worldHandOne, worldHandTwo, worldHandThree}
	for name, row := range map[string]struct {
		role       table.Role
		asks, side uint32
		hand       id.Piece
	}{
		"T98.1 a free place, with its hand":     {table.RolePlayer, 3, 3, worldHandThree},
		"T98.1 one that somebody has":           {table.RolePlayer, 1, 2, worldHandTwo},
		"T98.1 one that the game does not have": {table.RolePlayer, 4, 2, worldHandTwo},
		"T98.1 any":                             {table.RolePlayer, 0, 2, worldHandTwo},
		"T98.1 who watches gets none":           {table.RoleSpectator, 3, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := configured(1)
			cfg.Sides = sides
			tab := table.New(cfg)
			tab.SetUp(world(), 1)
			tab.Sit(table.SeatInfo{Nick: "Ada", Role: table.RoleHost}, 1)
			seat, _ := tab.Sit(table.SeatInfo{Nick: "Ben", Role: row.role, Side: row.asks}, 1)
			if who, _ := tab.Seat(seat); who.Side != row.side {
				t.Errorf("the place is %d, want %d", who.Side, row.side)
			}
			for _, p := range tab.All(seat, id.Client{}) {
				if (p.Owner == seat) != (p.Name == row.hand) {
					t.Errorf("piece %d belongs to seat %d", p.Name, p.Owner)
				}
			}
		})
	}
}

// TestT98GiveSide shows what a host gives who gives somebody else a place.
// Clauses: T98.4, T98.5, T98.6
func TestT98GiveSide(t *testing.T) {
	sides := []id.Piece{worldHandOne, worldHandTwo, worldHandThree}
	cfg := configured(1)
	cfg.Sides = sides
	tab := table.New(cfg)
	tab.SetUp(world(), 1)
	sit := func(role table.Role) id.Seat {
		seat, _ := tab.Sit(table.SeatInfo{Nick: "Ada", Role: role}, 1)
		return seat
	}
	ada, ben, cara := sit(table.RoleHost), sit(table.RolePlayer), sit(table.RoleSpectator)
	want := func(what string, side uint32, by id.Seat, owners ...id.Seat) {
		t.Helper()
		if who, _ := tab.Seat(ben); who.Side != side || who.PlacedBy != by {
			t.Errorf("%s: Ben has side %d by %d", what, who.Side, who.PlacedBy)
		}
		for _, p := range tab.All(0, id.Client{}) {
			for i, hand := range sides {
				if p.Name == hand && p.Owner != owners[i] {
					t.Errorf("%s: hand %d belongs to seat %d", what, i+1, p.Owner)
				}
			}
		}
	}
	tab.Take()
	for seat, side := range map[id.Seat]uint32{ben: 1, cara: 3, 9: 3, ada: 4} {
		if tab.GiveSide(seat, side, ada, 2) {
			t.Errorf("T98.5 seat %d is given side %d", seat, side)
		}
	}
	if tab.GiveSide(ben, 0, ada, 2) || len(tab.Take()) > 0 {
		t.Error("T98.5 something was recorded")
	}
	if !tab.GiveSide(ben, 3, ada, 2) {
		t.Fatal("T98.4 Ben is not given side 3")
	}
	want("T98.4 the hand of the place comes with it", 3, ada, ada, 0, ben)
	if who := tab.Take()[0].Who; who == nil || who.PlacedBy != ada {
		t.Errorf("T98.6 the entry names %+v", who)
	}
	if !tab.GiveSide(ben, 3, ada, 2) || len(tab.Take()) > 0 {
		t.Error("the place that Ben has is given again")
	}
	if !tab.TakeSide(ben, 2, 3) {
		t.Fatal("Ben does not take side 2")
	}
	// The third hand is not counted, so Ben keeps it (T90.2).
	want("T98.6 who takes a place themselves", 2, 0, ada, 0, ben)
	tab.GiveSide(ben, 3, ada, 4)
	tab.SwapSides(ada, 5)
	if who, _ := tab.Seat(ben); who.PlacedBy != 0 {
		t.Errorf("T98.6 after a swap Ben has his place by %d", who.PlacedBy)
	}
}
