package played

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
)

// card is a card of a pack. In a rank 1 is the ace, 11 the jack, 12 the queen and 13 the king.
type card struct {
	suit string
	rank int
}

// setupOf returns the number of a set-up of a game of the shelf. Its name may be that of the first
// one.
func setupOf(t *testing.T, id, name string) int {
	t.Helper()
	games, err := shelf()
	if err != nil {
		t.Fatal(err)
	}
	g, _ := games.Game(id)
	all := []string{g.First.Name}
	for _, s := range g.Setups {
		all = append(all, s.Name)
	}
	i := slices.Index(all, name)
	if i < 0 {
		t.Fatalf("%s has the set-ups %q, and not %s", id, all, name)
	}
	return i
}

// named are the ranks that have names.
var named = map[string]int{"Ace": 1, "Jack": 11, "Queen": 12, "King": 13}

// card returns the card that a piece is, if it shows its front.
func (e *evening) card(s table.Shown) (c card, ok bool) {
	rank, suit, ok := strings.Cut(e.nameOf(s), " of ")
	if !ok {
		return card{}, false
	}
	c = card{suit: suit, rank: named[rank]}
	if c.rank == 0 {
		_, err := fmt.Sscan(rank, &c.rank)
		e.must(err)
	}
	return c, true
}

// cards returns the cards that pieces show. All of them have to show their fronts.
func (e *evening) cards(all []table.Shown) (cards []card) {
	e.t.Helper()
	for _, s := range all {
		c, ok := e.card(s)
		if !ok {
			e.t.Fatalf("%+v, a %s, shows no card", s, e.game.Kinds[s.Kind].Name)
		}
		cards = append(cards, c)
	}
	return cards
}

// sameCards reports whether there are the same cards in both lists, in any order.
func sameCards(a, b []card) bool {
	order := func(a, b card) int { return cmp.Or(cmp.Compare(a.suit, b.suit), a.rank-b.rank) }
	return slices.Equal(slices.SortedFunc(slices.Values(a), order),
		slices.SortedFunc(slices.Values(b), order))
}

// held returns the piece in a player's hand that is a certain card.
func (p *player) held(c card) table.Shown {
	p.e.t.Helper()
	for _, s := range p.inHand() {
		if is, ok := p.e.card(s); ok && is == c {
			return s
		}
	}
	p.e.t.Fatalf("%s does not hold %v", p.nick, c)
	return table.Shown{}
}

// isPrivate reports whether hands hide a piece: a card, a tile, or a die behind a screen.
func (e *evening) isPrivate(s table.Shown) bool {
	isMask := func(k game.Kind) bool { return k.Secret && k.Mask == int(s.Kind) }
	k := &e.game.Kinds[s.Kind]
	return k.Secret || k.Private || slices.ContainsFunc(e.game.Kinds, isMask)
}

// cardsOn returns the cards that lie openly on a zone, the lowest one first.
func (p *player) cardsOn(zone table.Shown) []table.Shown {
	all := p.all(func(s table.Shown) bool {
		return p.e.isPrivate(s) && s.Owner == 0 && p.e.covers(zone, s)
	})
	slices.SortFunc(all, func(a, b table.Shown) int { return cmp.Compare(a.Z, b.Z) })
	return all
}

// extent returns how wide and how high a piece is as it lies.
func (e *evening) extent(s table.Shown) (width, height int32) {
	k := &e.game.Kinds[s.Kind]
	if s.Angle%(table.FullTurn/2) != 0 {
		return k.Height, k.Width
	}
	return k.Width, k.Height
}

// handOf returns the hand of a player as p sees it.
func (p *player) handOf(of *player) table.Shown {
	p.e.t.Helper()
	hands := p.all(func(s table.Shown) bool {
		return p.e.game.Kinds[s.Kind].Hand && s.Owner == of.seat.Number
	})
	if len(hands) != 1 {
		p.e.t.Fatalf("%s sees %d hands of %s, not one", p.nick, len(hands), of.nick)
	}
	return hands[0]
}

// mine returns the piece of a kind that lies nearest to the player's own hand. A place that some
// set-ups lack has kinds of its own.
func (p *player) mine(kind string) table.Shown {
	p.e.t.Helper()
	hand := p.handOf(p)
	all := p.all(func(s table.Shown) bool {
		name := p.e.game.Kinds[s.Kind].Name
		return name == kind || strings.HasPrefix(name, kind+" of ")
	})
	return slices.MinFunc(all, func(a, b table.Shown) int {
		return cmp.Compare(distance(a, hand), distance(b, hand))
	})
}

func distance(a, b table.Shown) float64 {
	return math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y))
}

// clockwise returns the players in the order in which their hands lie round the table.
func (e *evening) clockwise() []*player {
	e.t.Helper()
	return slices.SortedFunc(slices.Values(e.players), func(a, b *player) int {
		at, bt := a.handOf(a), b.handOf(b)
		return cmp.Compare(math.Atan2(float64(at.Y), float64(at.X)),
			math.Atan2(float64(bt.Y), float64(bt.X)))
	})
}

// before returns a place so far from the middle of a piece, in the direction of the player's hand.
func (p *player) before(s table.Shown, far float64) (x, y int32) {
	hand := p.handOf(p)
	d := distance(hand, s)
	return s.X + int32(float64(hand.X-s.X)*far/d), s.Y + int32(float64(hand.Y-s.Y)*far/d)
}

// doAll does several things without waiting in between, and then waits until all have succeeded.
func (p *player) doAll(all ...table.Update) {
	p.e.t.Helper()
	seqs := make([]id.ClientSeq, len(all))
	for i, u := range all {
		seqs[i] = p.begin(u)
	}
	for i, seq := range seqs {
		p.check(&all[i], p.outcome(seq))
	}
}

// carry picks pieces up together and puts all of them down at one place, the first one first.
func (p *player) carry(x, y int32, pieces ...table.Shown) {
	p.e.t.Helper()
	var all []table.Update
	for _, s := range pieces {
		all = append(all, table.Update{Op: table.OpGrab, Has: table.HasPiece, Piece: s.Name})
	}
	for _, s := range pieces {
		all = append(all, table.Update{
			Op: table.OpRelease, Has: table.HasPiece | table.HasXY, Piece: s.Name, X: x, Y: y,
		})
	}
	p.doAll(all...)
}

// drawOne draws a piece into the player's own hand, by a drag or by a double-click.
func (p *player) drawOne(from table.Shown) {
	p.e.t.Helper()
	if hand := p.handOf(p); p.e.rnd.IntN(2) == 0 {
		p.draw(from.Name, 1, hand.X, hand.Y)
		return
	}
	p.do(table.Update{Op: table.OpDraw, Has: table.HasPiece, Piece: from.Name})
}

// turnOver turns pieces over, each to a face.
func (p *player) turnOver(face int32, pieces ...table.Shown) {
	p.e.t.Helper()
	var all []table.Update
	for _, s := range pieces {
		all = append(all, table.Update{
			Op: table.OpFlip, Has: table.HasPiece | table.HasFace, Piece: s.Name, Face: face,
		})
	}
	p.doAll(all...)
}

// assign gives the turn marker to somebody who does not have it.
func (p *player) assign(marker string, to *player) {
	p.e.t.Helper()
	if s := p.one(marker); s.Owner != to.seat.Number {
		p.do(table.Update{
			Op: table.OpAssign, Has: table.HasPiece | table.HasSeat, Piece: s.Name,
			Seat: to.seat.Number,
		})
	}
}

// checkHands checks that each hand has as many cards as the game says, that everybody knows so, and
// that nobody sees a front in the hand of somebody else.
func (e *evening) checkHands(count func(*player) int) {
	e.t.Helper()
	for _, p := range e.players {
		owned := p.all(func(s table.Shown) bool { return s.Owner != 0 && e.isPrivate(s) })
		for _, owner := range e.players {
			theirs := slices.DeleteFunc(slices.Clone(owned), func(s table.Shown) bool {
				return s.Owner != owner.seat.Number
			})
			p.checkHand(owner, theirs, count(owner))
		}
	}
}

// checkHand checks what a player sees and counts of a hand.
func (p *player) checkHand(owner *player, seen []table.Shown, want int) {
	p.e.t.Helper()
	hand := p.handOf(owner)
	n, most := p.holds(hand.Name), 0
	if p == owner {
		most = want
	}
	if p.e.game.Kinds[hand.Kind].Rack {
		n, most = len(seen), want
	}
	if n != want || len(seen) != most {
		p.e.t.Fatalf("%s counts %d pieces in the hand of %s and sees %d, not %d and %d", p.nick, n,
			owner.nick, len(seen), want, most)
	}
	for _, s := range seen {
		if p != owner && p.e.game.Kinds[s.Kind].Secret {
			p.e.t.Fatalf("%s sees that %s has the %s", p.nick, owner.nick, p.e.nameOf(s))
		}
	}
}
