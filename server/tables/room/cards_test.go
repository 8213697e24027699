package room_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// The kinds of the game of cards. The royal cards come before the plain ones.
const (
	cardsHand uint32 = iota
	cardsPouch
	cardsDeck
	cardsBag
	cardsToken
	cardsBack
	cardsRoyal
	cardsPlain  = cardsRoyal + royals
	cardsDie    = cardsPlain + plains
	cardsNote   = cardsDie + 1
	cardsChips  = cardsDie + 2
	cardsGlass  = cardsDie + 3
	cardsDealer = cardsDie + 4
	cardsCount  = cardsDie + 5

	cardsUnknown = cardsCount // once there is a guest set (T38)
)

// How many cards there are.
const (
	royals = 8
	plains = 16
)

// The pieces of the game of cards: two hands; a pouch, which is a hand that does not show how many
// pieces lie in it; a deck; a bag, which does not show that either; tokens and dice. What lies in
// the pouch is hidden as soon as somebody claims the pouch, and is renamed.
const (
	handNorth id.Piece = iota + 1
	handSouth
	pouch
	deck
	bag
	tokenLeft
	tokenRight
	openDie
	pouchDie
	pouchNote
	pouchChips
	openGlass
	pouchGlass
	dealer // a button: gathers, shuffles, deals one each, empties the bag, and rolls
)

// Where they lie. Between the deck and the bag there is room for cards.
const (
	northY int32 = -5000
	southY int32 = 5000
	pouchX int32 = -4500
	deckX  int32 = -2000
	bagX   int32 = 2000
)

// cardsGame returns the file of the game. order has the kinds of the cards, from the bottom of the
// deck up.
func cardsGame(t *testing.T, order []uint32) string {
	t.Helper()
	type object = map[string]any
	faces := func(n int) (all []object) {
		for i := range n {
			all = append(all, object{"name": fmt.Sprint(i), "art": "a.svg"})
		}
		return all
	}
	kind := func(name, shape, weight string, width, height, n int, more object) object {
		k := object{
			"name": name, "width": width, "height": height, "shape": shape, "weight": weight,
			"faces": faces(n),
		}
		for key, v := range more {
			k[key] = v
		}
		return k
	}
	shown := object{"x": 10, "y": 10, "width": 100, "height": 100}
	kinds := make([]object, cardsCount)
	kinds[cardsHand] = kind("Hand", "rect", "heavy", 5000, 1200, 1, object{"hand": true})
	kinds[cardsPouch] = kind("Pouch", "rect", "heavy", 2000, 1200, 1, object{
		"hand": true, "counted": false,
	})
	kinds[cardsDeck] = kind("Deck", "rect", "heavy", 700, 950, 1, object{
		"container": object{"draws": "top", "takes": "Back"}, "peek": "players",
	})
	kinds[cardsBag] = kind("Bag", "rect", "heavy", 900, 900, 1, object{
		"container": object{"draws": "random"}, "counted": false,
	})
	kinds[cardsToken] = kind("Token", "round", "light", 400, 400, 1, nil)
	kinds[cardsBack] = kind("Back", "card", "light", 635, 889, 1, nil)
	kinds[cardsDie] = kind("Die", "rect", "light", 300, 300, 6, object{
		"private": true, "die": object{"cooldown": 100},
	})
	kinds[cardsNote] = kind("Note", "rect", "light", 300, 300, 1, object{
		"private": true, "text": object{"initial": ""}, "display": shown,
	})
	kinds[cardsChips] = kind("Chips", "round", "light", 300, 300, 1, object{
		"private": true, "currency": object{"initial": 100}, "display": shown,
	})
	kinds[cardsGlass] = kind("Hourglass", "rect", "light", 300, 480, 1, object{
		"private": true, "hourglass": object{"duration": 10_000},
	})
	kinds[cardsDealer] = kind("Dealer", "rect", "light", 300, 300, 1, object{
		"button": object{"steps": []object{
			{"do": "recall", "kind": "Deck"}, {"do": "shuffle", "kind": "Deck"},
			{"do": "deal", "kind": "Deck", "n": 1},
			{"do": "move", "kind": "Bag", "n": 2, "to": "Token"}, {"do": "roll", "kind": "Die"},
		}},
	})
	names := make([]string, cardsCount)
	for k := cardsRoyal; k < cardsDie; k++ {
		names[k] = fmt.Sprint("Card ", k)
		kinds[k] = kind(names[k], "card", "light", 635, 889, 2, object{
			"secret": true, "mask": "Back", "peek": "players",
		})
	}
	var holds []string
	for _, k := range order {
		holds = append(holds, names[k])
	}
	at := func(kind string, x, y int32) object { return object{"kind": kind, "x": x, "y": y} }
	full := at("Deck", deckX, 0)
	full["holds"] = holds
	file, err := json.Marshal(object{
		"format": "holt.game/2", "id": "test", "name": "Cards", "summary": "Cards.", "order": 1,
		"table": object{"width": 12000, "height": 12000, "surface": "felt"}, "kinds": kinds,
		"pieces": []object{
			at("Hand", 0, northY), at("Hand", 0, southY), at("Pouch", pouchX, northY), full,
			at("Bag", bagX, 0),
			at("Token", -500, 3000), at("Token", 500, 3000), at("Die", 0, 3500),
			at("Die", pouchX-600, northY), at("Note", pouchX, northY),
			at("Chips", pouchX+600, northY),
			at("Hourglass", 1500, 3500), at("Hourglass", pouchX-300, northY),
			at("Dealer", 5000, 5000),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(file)
}

// atCards runs tests at a table of cards. The deck is full, its top card is plain and the one below
// it royal.
func atCards(t *testing.T) bubble {
	t.Helper()
	var order []uint32
	for k := cardsRoyal; k < cardsDie; k++ {
		order = append(order, k)
	}
	order[cardsPlain-cardsRoyal-1], order[len(order)-2] = order[len(order)-2],
		order[cardsPlain-cardsRoyal-1]
	return bubble{t: t, game: cardsGame(t, order), random: rand.Reader}
}

// The two top cards of that deck.
const (
	first  = cardsDie - 1
	second = cardsPlain - 1
)

// party has the players at a table of cards: ada has a hand and the pouch, bob a hand, and dan
// none. Eve is a spectator.
type party struct {
	*rig
	ada, tab, bob, dan, eve *player // tab is another client of ada's
}

// all returns all of them, by name.
func (p *party) all() map[string]*player {
	return map[string]*player{
		"ada": p.ada, "her other tab": p.tab, "bob": p.bob, "dan": p.dan, "eve": p.eve,
	}
}

// others returns those who do not see into ada's hand.
func (p *party) others() map[string]*player {
	return map[string]*player{"bob": p.bob, "dan": p.dan, "eve": p.eve}
}

// readAll makes everybody read what has come.
func (p *party) readAll() {
	p.t.Helper()
	for _, who := range p.all() {
		who.frames()
	}
}

// party seats the players.
func (r *rig) party() *party {
	r.t.Helper()
	p := &party{
		rig: r, ada: r.open(r.host.Session), tab: r.open(r.host.Session),
		bob: r.open(r.seat(r.invites.Player, "Bob").Session),
	}
	p.ada.frames()
	p.ada.mustSend(p.ada.blind(table.OpClaim, pouch))
	p.dan, p.eve = r.open(r.seat(r.invites.Player, "Dan").Session),
		r.open(r.seat(r.invites.Spectator, "Eve").Session)
	p.readAll()
	return p
}

// draw returns an update that draws n cards into the hand.
func (p *player) draw(n int32) table.Update {
	u := p.blind(table.OpDraw, deck)
	u.Has, u.N = u.Has|table.HasN, n
	return u
}

// drawOut returns an update that draws a card which the player then holds.
func (p *player) drawOut(x, y int32) table.Update {
	u := p.blind(table.OpDraw, deck)
	u.Has, u.X, u.Y = u.Has|table.HasXY|table.HasHold, x, y
	return u
}

// isCard reports whether a kind is that of a card, as somebody sees it.
func isCard(kind uint32) bool { return kind >= cardsBack && kind < cardsDie }

// blind returns an update that needs no tag (T28).
func (p *player) blind(op table.Op, piece id.Piece) table.Update {
	u := p.make(op, piece)
	u.Has, u.Tag = table.HasPiece, 0
	return u
}

// flip returns an update that turns a piece over.
func (p *player) flip(piece id.Piece, face int32) table.Update {
	u := p.make(table.OpFlip, piece)
	u.Has, u.Face = u.Has|table.HasFace, face
	return u
}

// turn returns an update that rotates a piece.
func (p *player) turn(piece id.Piece, angle int32) table.Update {
	u := p.make(table.OpRotate, piece)
	u.Has, u.Angle = u.Has|table.HasAngle, angle
	return u
}

// pivot returns an update that puts a piece elsewhere and turns it there.
func (p *player) pivot(piece id.Piece, x, y, angle int32) table.Update {
	u := p.move(piece, x, y)
	u.Op, u.Has, u.Angle = table.OpPivot, u.Has|table.HasAngle, angle
	return u
}

// put returns an update that puts down what the player holds.
func (p *player) put(piece id.Piece, x, y int32) table.Update {
	u := p.move(piece, x, y)
	u.Op = table.OpRelease
	return u
}

// stow returns an update that puts a piece into a container: 1 on top, -1 at the bottom, 0 at
// random.
func (p *player) stow(piece, into id.Piece, at int32) table.Update {
	u := p.make(table.OpStow, piece)
	u.Has, u.Into, u.At = u.Has|table.HasInto|table.HasAt, p.name(into), at
	return u
}

// shuffleOf returns an update that shuffles cards on the table, or in a hand.
func (p *player) shuffleOf(pieces []id.Piece) table.Update {
	u := p.make(table.OpShuffle, 0)
	u.Has, u.Tag, u.Pieces = table.HasPieces, 0, pieces
	return u
}

// hand returns the cards that the player has in their hand, or in their pouch.
func (p *player) hand(is func(kind uint32) bool) []*holtpb.Piece {
	return p.sight.all(func(q *holtpb.Piece) bool {
		return q.GetOwner() == uint32(p.session.Seat) && isCard(q.GetKind()) && is(q.GetKind())
	})
}

func isRoyal(kind uint32) bool { return kind >= cardsRoyal && kind < cardsPlain }
func isPlain(kind uint32) bool { return kind >= cardsPlain && kind < cardsDie }
func anyCard(uint32) bool      { return true }

// lying returns the cards that lie front down on the table.
func (p *player) lying() []*holtpb.Piece {
	return p.sight.all(func(q *holtpb.Piece) bool {
		return q.GetOwner() == 0 && q.GetKind() == cardsBack && q.GetHolder() == 0
	})
}

// names returns the names of pieces.
func names(pieces []*holtpb.Piece) (all []id.Piece) {
	for _, p := range pieces {
		all = append(all, id.Piece(p.GetId()))
	}
	return all
}
