package played

import (
	"slices"
	"testing"

	"holt/server/play/table"
)

// The names of the pieces of hearts.
const (
	heartsDeal   = "Deal"
	heartsPlate  = "Passing"
	heartsPass   = "Cards to pass"
	heartsTrick  = "Trick"
	heartsWon    = "Tricks won"
	heartsMarker = "Turn marker"
)

// hearts is what the players of hearts know of their game. The players are clockwise there.
type hearts struct {
	*evening
	dealt  int      // how many cards each player gets
	lowest card     // the one that is led first
	hands  [][]card // what each player holds
	taken  [][]card // what each player has taken
	points []int
	trick  []card // what lies in the middle, the card that was led first
	broken bool   // a heart has been played
}

// heartsEnd is how many points end the game: that of the rules ends at 100, their short one at 50.
const heartsEnd = 50

// TestHearts plays a short game of hearts with four players, and with -short one hand of it. Three
// and five players play one hand each.
func TestHearts(t *testing.T) {
	short := 1
	if !testing.Short() {
		short = 50
	}
	t.Run("4", func(t *testing.T) {
		playHearts(t, "4 players", 13, card{"clubs", 2}, short, "Cleo", "Dan")
	})
	t.Run("3", func(t *testing.T) {
		playHearts(t, "3 players", 17, card{"clubs", 2}, 1, "Cleo")
	})
	t.Run("5", func(t *testing.T) {
		playHearts(t, "5 players", 10, card{"clubs", 3}, 1, "Cleo", "Dan", "Eve")
	})
}

// playHearts plays hearts with a set-up of the game until its end, but at most so many hands. It is
// told how many cards each player gets, and which one is led first.
func playHearts(
	t *testing.T, setup string, dealt int, lowest card, hands int, more ...string,
) {
	t.Helper()
	nicks := append([]string{"Ada", "Ben"}, more...)
	h := &hearts{
		evening: open(t, "hearts", setupOf(t, "hearts", setup), nicks...), dealt: dealt, lowest: lowest,
		points: make([]int, len(nicks)),
	}
	h.players = h.clockwise()
	hand := 0
	for ; hand < hands && slices.Max(h.points) < heartsEnd; hand++ {
		h.deal(hand)
		h.pass(hand)
		leader := slices.IndexFunc(h.hands, func(hand []card) bool {
			return slices.Contains(hand, lowest)
		})
		for trick := range dealt {
			leader = h.round(leader, trick == 0)
		}
		h.count()
	}
	if hands > 1 && slices.Max(h.points) < heartsEnd {
		t.Errorf("after %d hands the points are %v", hand, h.points)
	}
	t.Logf("%d hands, points %v, %d positions compared", hand, h.points, h.turns)
}

// deal lets the dealer deal, and everybody look at their cards.
func (h *hearts) deal(hand int) {
	h.t.Helper()
	n := len(h.players)
	h.players[hand%n].press(heartsDeal)
	h.agree()
	h.hands, h.taken, h.trick, h.broken = make([][]card, n), make([][]card, n), nil, false
	all := map[card]bool{}
	for i, p := range h.players {
		h.hands[i] = h.cards(p.inHand())
		for _, c := range h.hands[i] {
			all[c] = true
		}
	}
	if len(all) != n*h.dealt {
		h.t.Fatalf("%d cards have been dealt", len(all))
	}
	if to := h.players[0].one(heartsPlate).Value; int(to) != hand%4+1 {
		h.t.Fatalf("the plate shows %d in hand %d", to, hand+1)
	}
	h.compare()
}

// pass lets everybody pass three cards to the player that the plate names.
func (h *hearts) pass(hand int) {
	h.t.Helper()
	n := len(h.players)
	far := []int{1, n - 1, 2, 0}[hand%4]
	if far == 0 {
		return
	}
	passed := make([][]card, n)
	for i, p := range h.players {
		mine := p.inHand()
		h.rnd.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
		passed[i] = h.cards(mine[:3])
		h.hands[i] = slices.DeleteFunc(h.hands[i], func(c card) bool {
			return slices.Contains(passed[i], c)
		})
		pile := p.mine(heartsPass)
		p.carry(pile.X, pile.Y, mine[:3]...)
	}
	h.agree()
	h.compare()
	for i, from := range h.players {
		p := h.players[(i+far)%n]
		pile := h.hidden(p, from.mine(heartsPass), 3)
		hand := p.handOf(p)
		p.carry(hand.X, hand.Y, pile...)
		h.hands[(i+far)%n] = append(h.hands[(i+far)%n], passed[i]...)
	}
	h.agree()
	h.compare()
}

// hidden returns the cards of a pile. It fails if somebody sees the front of one.
func (h *hearts) hidden(p *player, pile table.Shown, n int) []table.Shown {
	h.t.Helper()
	all := p.cardsOn(pile)
	if len(all) != n {
		h.t.Fatalf("%s sees %d cards on a pile, not %d", p.nick, len(all), n)
	}
	for _, s := range all {
		if h.game.Kinds[s.Kind].Secret {
			h.t.Fatalf("%s sees the %s on a pile", p.nick, h.nameOf(s))
		}
	}
	return all
}

// round plays a trick, and returns who takes it.
func (h *hearts) round(leader int, first bool) (winner int) {
	h.t.Helper()
	h.players[0].assign(heartsMarker, h.players[leader])
	best := 0
	for i := range h.players {
		h.play((leader+i)%len(h.players), first)
		if c := h.trick[i]; c.suit == h.trick[0].suit && high(c) > high(h.trick[best]) {
			best = i
		}
	}
	winner = (leader + best) % len(h.players)
	p := h.players[winner]
	pile := p.mine(heartsWon)
	p.carry(pile.X, pile.Y, p.cardsOn(p.one(heartsTrick))...)
	h.taken[winner], h.trick = append(h.taken[winner], h.trick...), nil
	h.agree()
	h.compare()
	return winner
}

// high returns how high a card is: the ace is above the king.
func high(c card) int { return (c.rank+11)%13 + 2 }

// play lets a player lay a card into the middle.
func (h *hearts) play(seat int, first bool) {
	h.t.Helper()
	p := h.players[seat]
	mine := h.legal(h.cards(p.inHand()), first)
	c := mine[h.rnd.IntN(len(mine))]
	x, y := p.before(p.one(heartsTrick), 900)
	p.carry(x, y, p.held(c))
	h.trick = append(h.trick, c)
	h.broken = h.broken || c.suit == "hearts"
	h.hands[seat] = slices.DeleteFunc(h.hands[seat], func(o card) bool { return o == c })
	h.agree()
	h.compare()
}

// legal returns which cards of a hand may be played.
func (h *hearts) legal(mine []card, first bool) []card {
	prefer := func(is func(card) bool) {
		if some := slices.DeleteFunc(slices.Clone(mine), func(c card) bool { return !is(c) }); len(
			some) > 0 {
			mine = some
		}
	}
	switch {
	case len(h.trick) > 0:
		prefer(func(c card) bool { return c.suit == h.trick[0].suit })
		if first {
			prefer(func(c card) bool { return worth(c) == 0 })
		}
	case first:
		prefer(func(c card) bool { return c == h.lowest })
	case !h.broken:
		prefer(func(c card) bool { return c.suit != "hearts" })
	}
	return mine
}

// worth returns the points of a card.
func worth(c card) int {
	switch {
	case c.suit == "hearts":
		return 1
	case c == card{"spades", 12}:
		return 13
	}
	return 0
}

// count lets everybody turn over what they took and count it.
func (h *hearts) count() {
	h.t.Helper()
	got := make([]int, len(h.players))
	for i, p := range h.players {
		pile := p.mine(heartsWon)
		p.turnOver(0, h.hidden(p, pile, len(h.taken[i]))...)
		took := h.cards(p.cardsOn(pile))
		if !sameCards(took, h.taken[i]) {
			h.t.Fatalf("%s took %v, not %v", p.nick, took, h.taken[i])
		}
		for _, c := range took {
			got[i] += worth(c)
		}
	}
	h.agree()
	if moon := slices.Index(got, 26); moon >= 0 {
		for i := range got {
			got[i] = 26 - got[i]
		}
	}
	sum := 0
	for i := range got {
		h.points[i] += got[i]
		sum += got[i]
	}
	if sum != 26 && sum != (len(got)-1)*26 {
		h.t.Fatalf("a hand has the points %v", got)
	}
}

// compare checks that everybody holds what they should, and that the middle shows the trick.
func (h *hearts) compare() {
	h.t.Helper()
	h.checkHands(func(p *player) int { return len(h.hands[slices.Index(h.players, p)]) })
	for i, p := range h.players {
		if mine := h.cards(p.inHand()); !sameCards(mine, h.hands[i]) {
			h.t.Fatalf("%s holds %v, not %v", p.nick, mine, h.hands[i])
		}
		if shown := h.cards(p.cardsOn(p.one(heartsTrick))); !slices.Equal(shown, h.trick) {
			h.t.Fatalf("%s sees the trick %v, not %v", p.nick, shown, h.trick)
		}
		h.hidden(p, p.mine(heartsWon), len(h.taken[i]))
	}
}
