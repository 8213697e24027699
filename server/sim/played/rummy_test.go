package played

import (
	"slices"
	"testing"

	"holt/server/play/game"
	"holt/server/play/table"
)

// The names of the pieces of rummy.
const (
	rummyDeck     = "Deck"
	rummyDiscards = "Discards"
	rummyMelds    = "Melds"
)

// rummyTurned is how often the stock is turned over in a hand at most: it may be that nobody can go
// out, as when each player has one card left and nothing can be laid off.
const rummyTurned = 2

// rummy is what the players of rummy know of their game. The players are clockwise there.
type rummy struct {
	*evening
	button   string // with which the host deals
	dealt    int    // how many cards each player gets
	hands    [][]card
	melded   []bool // who has melded or laid off in this hand
	melds    [][]card
	discards []card // the uppermost one is the last one
	stock    int    // how many cards it has
	known    []card // those of the stock that everybody has seen, the uppermost one first
	turned   int    // how often the stock has been turned over in this hand
	points   []int
}

// TestRummy lets three players play until somebody has 100 points, and with -short one hand. Two
// players play one hand.
func TestRummy(t *testing.T) {
	hands := 1
	if !testing.Short() {
		hands = 60
	}
	t.Run("3", func(t *testing.T) { playRummy(t, "Deal 7", 7, hands, "Ada", "Ben", "Cleo") })
	t.Run("2", func(t *testing.T) { playRummy(t, "Deal 10", 10, 1, "Ada", "Ben") })
}

// playRummy plays until somebody has 100 points, but at most so many hands. By a button each player
// gets so many cards.
func playRummy(t *testing.T, button string, dealt, hands int, nicks ...string) {
	t.Helper()
	r := &rummy{
		evening: open(t, "rummy", 0, nicks...), button: button, dealt: dealt,
		points: make([]int, len(nicks)),
	}
	r.players = r.clockwise()
	hand := 0
	for ; hand < hands && slices.Max(r.points) < 100; hand++ {
		r.deal()
		for who := (hand + 1) % len(nicks); r.turn(who); {
			who = (who + 1) % len(nicks)
		}
	}
	if hands > 1 && slices.Max(r.points) < 100 {
		t.Errorf("after %d hands the points are %v", hand, r.points)
	}
	t.Logf("%d hands, points %v, %d positions compared", hand, r.points, r.turns)
}

// deal lets the host deal.
func (r *rummy) deal() {
	r.t.Helper()
	host := slices.IndexFunc(r.players, func(p *player) bool { return p.seat.Number == 1 })
	r.players[host].press(r.button)
	r.agree()
	n := len(r.players)
	r.hands, r.melded, r.melds, r.known = make([][]card, n), make([]bool, n), nil, nil
	r.turned = 0
	for i, p := range r.players {
		r.hands[i] = r.cards(p.inHand())
		if len(r.hands[i]) != r.dealt {
			r.t.Fatalf("%s got %d cards", p.nick, len(r.hands[i]))
		}
	}
	r.discards = r.cards(r.players[0].cardsOn(r.players[0].one(rummyDiscards)))
	r.stock = 52 - n*r.dealt - 1
	r.compare()
}

// turn lets a player draw, meld, lay off and discard. It reports false if the hand is over: they go
// out, or there is nothing to draw from.
func (r *rummy) turn(who int) bool {
	r.t.Helper()
	p, before := r.players[who], r.melded[who]
	taken, fromDiscards, ok := r.draw(who)
	r.compare()
	if !ok {
		return false
	}
	for r.meld(who) || r.layOff(who) {
		r.melded[who] = true
	}
	mine := r.cards(p.inHand())
	if fromDiscards {
		mine = slices.DeleteFunc(mine, func(c card) bool { return c == taken })
	}
	if len(mine) > 0 {
		c := r.worst(mine)
		pile := p.one(rummyDiscards)
		p.carry(pile.X, pile.Y, p.held(c))
		r.leaves(who, c)
		r.discards = append(r.discards, c)
	}
	r.agree()
	r.compare()
	if len(r.hands[who]) > 0 {
		return true
	}
	won := 0
	for _, hand := range r.hands {
		for _, c := range hand {
			won += min(c.rank, 10)
		}
	}
	if !before {
		won *= 2
	}
	r.points[who] += won
	return false
}

// worst returns the card of a hand that goes least with the others, and now and then any.
func (r *rummy) worst(mine []card) card {
	r.rnd.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
	if r.rnd.IntN(4) == 0 {
		return mine[0]
	}
	goes := func(c card) (n int) {
		for _, o := range mine {
			if far := o.rank - c.rank; far == 0 || o.suit == c.suit && max(far, -far) <= 2 {
				n++
			}
		}
		return n
	}
	return slices.MinFunc(mine, func(a, b card) int { return goes(a) - goes(b) })
}

// draw lets a player draw the uppermost card of the discards if it is of use, and sometimes if it
// is not, or else that of the stock. It reports false if that cannot be turned over any more.
func (r *rummy) draw(who int) (taken card, fromDiscards, ok bool) {
	r.t.Helper()
	p := r.players[who]
	if n := len(r.discards); n > 0 {
		top := r.discards[n-1]
		with := append(r.cards(p.inHand()), top)
		mayTake := len(melds(with)) == 0 && len(r.layOffs(with)) == 0 && len(with) > 1 &&
			r.rnd.IntN(8) == 0
		if r.isOfUse(with, top) || mayTake {
			hand, pile := p.handOf(p), p.cardsOn(p.one(rummyDiscards))
			p.carry(hand.X, hand.Y, pile[n-1])
			r.discards, r.hands[who] = r.discards[:n-1], append(r.hands[who], top)
			r.agree()
			return top, true, true
		}
	}
	if r.stock == 0 {
		if r.turned == rummyTurned || len(r.discards) < 2 {
			return card{}, false, false
		}
		r.turnStock(p)
	}
	p.drawOne(p.one(rummyDeck))
	r.agree()
	for _, c := range r.cards(p.inHand()) {
		if !slices.Contains(r.hands[who], c) {
			taken = c
		}
	}
	if r.stock--; len(r.known) > 0 {
		if taken != r.known[0] {
			r.t.Fatalf("%s has drawn %v, not %v", p.nick, taken, r.known[0])
		}
		r.known = r.known[1:]
	}
	r.hands[who] = append(r.hands[who], taken)
	return taken, false, true
}

// isOfUse reports whether a card of a hand may be melded or laid off, at once and for sure.
func (r *rummy) isOfUse(hand []card, c card) bool {
	all := melds(hand)
	for _, i := range r.layOffs(hand) {
		all = append(all, []card{hand[i[0]]})
	}
	return len(all) == 1 && slices.Contains(all[0], c)
}

// turnStock puts the discards but the uppermost one under the deck, which is empty: the lowest one
// comes to lie on top.
func (r *rummy) turnStock(p *player) {
	r.t.Helper()
	n := len(r.discards) - 1
	var all []table.Update
	for _, s := range p.cardsOn(p.one(rummyDiscards))[:n] {
		all = append(all, table.Update{
			Op: table.OpStow, Has: table.HasPiece | table.HasInto | table.HasAt, Piece: s.Name,
			Into: p.one(rummyDeck).Name, At: -1,
		})
	}
	p.doAll(all...)
	r.turned++
	r.stock, r.known = n, slices.Clone(r.discards[:n])
	r.discards = r.discards[n:]
	r.agree()
	r.compare()
}

// melds returns the sets and runs that are in a hand, each as long as it can be.
func melds(hand []card) (all [][]card) {
	has := func(c card) bool { return slices.Contains(hand, c) }
	for rank := 1; rank <= 13; rank++ {
		set := slices.DeleteFunc(slices.Clone(hand), func(c card) bool { return c.rank != rank })
		if len(set) >= 3 {
			all = append(all, set)
		}
	}
	for _, c := range hand {
		if has(card{c.suit, c.rank - 1}) {
			continue
		}
		run := []card{c}
		for next := c; has(card{c.suit, next.rank + 1}); run = append(run, next) {
			next.rank++
		}
		if len(run) >= 3 {
			all = append(all, run)
		}
	}
	return all
}

// layOffs returns which cards of a hand may be added to which melds, by their indices.
func (r *rummy) layOffs(hand []card) (all [][2]int) {
	for i, c := range hand {
		for k, meld := range r.melds {
			isSet := meld[0].rank == meld[1].rank
			same := func(o card) bool { return o.suit == c.suit && max(o.rank-c.rank, c.rank-o.rank) == 1 }
			if isSet && c.rank == meld[0].rank || !isSet && slices.ContainsFunc(meld, same) {
				all = append(all, [2]int{i, k})
			}
		}
	}
	return all
}

// meld lets a player lay down a set or a run. It reports false if they have none.
func (r *rummy) meld(who int) bool {
	r.t.Helper()
	all := melds(r.cards(r.players[who].inHand()))
	if len(all) == 0 {
		return false
	}
	r.melds = append(r.melds, nil)
	for _, c := range all[r.rnd.IntN(len(all))] {
		r.lay(who, len(r.melds)-1, c)
	}
	return true
}

// layOff lets a player add a card to a meld. It reports false if they have none for it.
func (r *rummy) layOff(who int) bool {
	r.t.Helper()
	mine := r.cards(r.players[who].inHand())
	all := r.layOffs(mine)
	if len(all) == 0 {
		return false
	}
	of := all[r.rnd.IntN(len(all))]
	r.lay(who, of[1], mine[of[0]])
	return true
}

// rummyBlock is how many places of a row the first melds have.
const rummyBlock = 6

// lay lets a player add a card to a meld, at a place of its own if there is one.
func (r *rummy) lay(who, meld int, c card) {
	r.t.Helper()
	p := r.players[who]
	s := p.held(c)
	x, y, _ := r.placeOf(p, meld, len(r.melds[meld]))
	p.carry(x, y, s)
	r.leaves(who, c)
	r.melds[meld] = append(r.melds[meld], c)
}

// placeOf returns where a card of a meld is put down. It reports false if it may come to lie
// elsewhere, because the first places of other melds are there.
func (r *rummy) placeOf(p *player, meld, nth int) (x, y int32, own bool) {
	area := p.one(rummyMelds)
	of := r.game.Kinds[area.Kind]
	one := r.game.Kinds[slices.IndexFunc(r.game.Kinds, func(k game.Kind) bool { return k.Secret })]
	columns := int((of.Width-one.Width)/of.Zone.Gap) + 1
	rows := int((of.Height-one.Height)/of.Zone.Down) + 1
	blocks := columns / rummyBlock
	if meld >= blocks*rows || nth >= rummyBlock {
		return area.X, area.Y, false
	}
	column, row := meld%blocks*rummyBlock+nth, meld/blocks
	return area.X + int32(2*column-columns+1)*of.Zone.Gap/2,
		area.Y + int32(2*row-rows+1)*of.Zone.Down/2, true
}

// compareMelds checks that each card of the melds lies in its place, unless the places do not
// suffice.
func (r *rummy) compareMelds(p *player) {
	r.t.Helper()
	type place struct {
		x, y int32
		card card
	}
	var places []place
	for i, meld := range r.melds {
		for k, c := range meld {
			x, y, own := r.placeOf(p, i, k)
			if !own {
				return
			}
			places = append(places, place{x, y, c})
		}
	}
	for _, at := range places {
		if shown := r.cards(p.at(at.x, at.y, 20)); !slices.Equal(shown, []card{at.card}) {
			r.t.Fatalf("%s sees %v where %v was laid", p.nick, shown, at.card)
		}
	}
}

// leaves takes a card out of a hand in the model.
func (r *rummy) leaves(who int, c card) {
	r.hands[who] = slices.DeleteFunc(r.hands[who], func(o card) bool { return o == c })
}

// compare checks that the table shows the hands, the melds, the discards and the stock.
func (r *rummy) compare() {
	r.t.Helper()
	r.checkHands(func(p *player) int { return len(r.hands[slices.Index(r.players, p)]) })
	r.compareMelds(r.players[r.turns%len(r.players)])
	for i, p := range r.players {
		if mine := r.cards(p.inHand()); !sameCards(mine, r.hands[i]) {
			r.t.Fatalf("%s holds %v, not %v", p.nick, mine, r.hands[i])
		}
		if shown := r.cards(p.cardsOn(p.one(rummyDiscards))); !slices.Equal(shown, r.discards) {
			r.t.Fatalf("%s sees the discards %v, not %v", p.nick, shown, r.discards)
		}
		if shown := r.cards(p.cardsOn(p.one(rummyMelds))); !sameCards(
			shown, slices.Concat(r.melds...)) {
			r.t.Fatalf("%s sees the melds %v, not %v", p.nick, shown, r.melds)
		}
		if n := p.holds(p.one(rummyDeck).Name); n != r.stock {
			r.t.Fatalf("%s counts %d cards in the stock, not %d", p.nick, n, r.stock)
		}
	}
}
