package room_test

import (
	"maps"

	"holt/server/play/table"
	"holt/server/tables/room"
)

// Twins that part put bob or dan out, or make them leave, log out and come back by a link. Somebody
// else takes the seat.

// partActs are the acts in which somebody goes.
func (g *twin) partActs() []act { return []act{{"part", g.endSeat}, {"move", g.moveByLink}} }

// endSeat ends the seat of bob or dan. Somebody of the same name takes a seat.
func (g *twin) endSeat() {
	name, nick, other := "bob", "Bob", g.dan
	if g.rnd.IntN(2) == 0 {
		name, nick, other = "dan", "Dan", g.bob
	}
	p := g.ready(g.who[name])
	hands := room.HandsOnLeaving{Hands: table.HandsTo(g.rnd.IntN(3))}
	if hands.Hands == table.HandsGiven {
		// Ada plays another card in each game, and it must come out of the same hand.
		hands.To = other.session.Seat
	}
	if g.rnd.IntN(2) == 0 {
		if err := g.rooms.Leave(g.t.Context(), p.session, hands); err != nil {
			g.t.Fatal(err)
		}
	} else {
		g.invites = g.putOut(p.session.Seat, hands)
	}
	g.pause()
	g.sitsDown(name, g.open(g.seat(g.invites.Player, nick).Session), p)
}

// moveByLink makes bob or dan go to another device by a link, their own or ada's.
func (g *twin) moveByLink() {
	name := []string{"bob", "dan"}[g.rnd.IntN(2)]
	p := g.ready(g.who[name])
	by := p.session
	if g.rnd.IntN(2) == 0 {
		by = g.ada.session
		if g.rnd.IntN(2) == 0 {
			if err := g.rooms.LogOut(g.t.Context(), p.session); err != nil {
				g.t.Fatal(err)
			}
		}
	}
	taken, err := g.rooms.UseLink(g.t.Context(), g.link(by, p.session.Seat))
	if err != nil {
		g.t.Fatal(err)
	}
	g.pause()
	g.sitsDown(name, g.open(taken.Session), p)
}

// sitsDown puts a player in the place of another one, with that one's name for the deck.
func (g *twin) sitsDown(name string, p, was *player) {
	p.frames()
	p.renamed = maps.Clone(was.renamed)
	g.who[name], g.lines[name] = p, append(g.lines[name], p.line)
	switch name {
	case "bob":
		g.bob = p
	default:
		g.dan = p
	}
}
