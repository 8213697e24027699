package played

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"holt/server/play/table"
)

// The names of the pieces of cribbage.
const (
	cribbageDeal    = "Deal for 2"
	cribbageDeck    = "Deck"
	cribbageCrib    = "Crib"
	cribbageStarter = "Starter"
	cribbageTurnUp  = "Starter card" // the button
	cribbagePlayed  = "Cards played"
	cribbageCount   = "Count"
	cribbageBoard   = "Board"
	cribbageDealer  = "Dealer button"
)

// cribbageEnd is the hole with which a player wins.
const cribbageEnd = 121

// tracks are the tracks of the two players: their pegs and their holes.
var tracks = [2]struct{ peg, hole, first, second string }{
	{"Red peg", "r%d", "red a", "red b"}, {"Blue peg", "b%d", "blue a", "blue b"},
}

// cribbage is what the players of cribbage know of their game.
type cribbage struct {
	*evening
	hands   [2][]card
	played  [2][]card // what lies before each player
	crib    []card
	starter []card    // none or one
	pegs    [2][2]int // the holes of the peg behind and of the other one; −1 and 0 are the first two
	sum     int
	row     []card // what was played since the sum was 0
}

// TestCribbage lets two players play until one of them reaches hole 121, and with -short one hand.
func TestCribbage(t *testing.T) {
	if n := inCribbage([]card{{"spades", 7}, {"hearts", 8}, {"spades", 8}, {"clubs", 12}},
		card{"hearts", 9}, false); n != 12 {
		t.Fatalf("the example of the rules counts %d", n)
	}
	c := &cribbage{
		evening: open(t, "cribbage", setupOf(t, "cribbage", "2 players"), "Ada", "Ben"),
		pegs:    [2][2]int{{-1, 0}, {-1, 0}},
	}
	dealer, hand := c.cut(), 0
	for ; !c.isOver(); hand++ {
		if hand > 0 && testing.Short() {
			break
		}
		if hand > 100 {
			t.Fatalf("after %d hands the pegs are in %v", hand, c.pegs)
		}
		c.deal(dealer)
		c.play(dealer)
		c.count(dealer)
		dealer = 1 - dealer
	}
	t.Logf("%d hands, pegs %v, %d positions compared", hand, c.pegs, c.turns)
}

// isOver reports whether somebody has won.
func (c *cribbage) isOver() bool { return max(c.pegs[0][1], c.pegs[1][1]) == cribbageEnd }

// cut lets both players draw a card openly until one of them has the lower one and deals.
func (c *cribbage) cut() (dealer int) {
	c.t.Helper()
	for {
		var drawn [2]card
		for _, p := range c.players {
			row := p.mine(cribbagePlayed)
			p.do(table.Update{
				Op: table.OpDraw, Has: table.HasPiece | table.HasXY | table.HasFace,
				Piece: p.one(cribbageDeck).Name, X: row.X, Y: row.Y,
			})
		}
		c.agree()
		for i, p := range c.players {
			all := c.cards(c.players[1-i].cardsOn(p.mine(cribbagePlayed)))
			drawn[i] = all[len(all)-1]
		}
		if drawn[0].rank < drawn[1].rank {
			return 0
		} else if drawn[0].rank > drawn[1].rank {
			return 1
		}
	}
}

// deal lets the dealer deal, and both players lay two cards into the crib. Then the starter is
// turned up.
func (c *cribbage) deal(dealer int) {
	c.t.Helper()
	d := c.players[dealer]
	hand := d.handOf(d)
	width, _ := c.extent(hand)
	d.carry(hand.X+width, hand.Y, d.one(cribbageDealer))
	d.press(cribbageDeal)
	c.agree()
	c.played, c.crib, c.starter, c.sum, c.row = [2][]card{}, nil, nil, 0, nil
	for i, p := range c.players {
		c.hands[i] = c.cards(p.inHand())
		if len(c.hands[i]) != 6 {
			c.t.Fatalf("%s got %d cards", p.nick, len(c.hands[i]))
		}
	}
	c.compare()
	for i, p := range c.players {
		mine, crib := p.inHand(), p.one(cribbageCrib)
		c.rnd.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
		c.crib = append(c.crib, c.cards(mine[:2])...)
		c.hands[i] = c.cards(mine[2:])
		p.carry(crib.X, crib.Y, mine[:2]...)
	}
	c.agree()
	c.compare()
	d.press(cribbageTurnUp)
	c.agree()
	c.starter = c.cards(d.cardsOn(d.one(cribbageStarter)))
	if len(c.starter) != 1 {
		c.t.Fatalf("the starter is %v", c.starter)
	}
	if c.starter[0].rank == 11 {
		c.peg(dealer, 2)
	}
	c.agree()
	c.compare()
}

// cribbageValue returns how much a card counts.
func cribbageValue(c card) int { return min(c.rank, 10) }

// playable returns the cards with which a player does not go beyond 31.
func (c *cribbage) playable(who int) []card {
	return slices.DeleteFunc(c.cards(c.players[who].inHand()), func(o card) bool {
		return c.sum+cribbageValue(o) > 31
	})
}

// play lets the players lay their cards in turn, until all are played or somebody has won.
func (c *cribbage) play(dealer int) {
	c.t.Helper()
	who := 1 - dealer
	for !c.isOver() && len(c.hands[0])+len(c.hands[1]) > 0 {
		last := -1
		for !c.isOver() && len(c.playable(0))+len(c.playable(1)) > 0 {
			if all := c.playable(who); len(all) > 0 {
				c.lay(who, all[c.rnd.IntN(len(all))])
				last = who
			}
			who = 1 - who
		}
		if c.sum != 31 && !c.isOver() {
			c.peg(last, 1)
		}
		who = 1 - last
		c.players[last].add(-c.sum)
		c.sum, c.row = 0, nil
		c.agree()
		c.compare()
	}
}

// lay plays a card of a player, adds it to the sum, and pegs the points that it brings.
func (c *cribbage) lay(who int, o card) {
	c.t.Helper()
	p := c.players[who]
	row := p.mine(cribbagePlayed)
	p.drag(p.held(o).Name, row.X, row.Y)
	c.hands[who] = slices.DeleteFunc(c.hands[who], func(is card) bool { return is == o })
	c.played[who] = append(c.played[who], o)
	c.row = append(c.row, o)
	c.sum += cribbageValue(o)
	p.add(cribbageValue(o))
	c.peg(who, inPlay(c.row, c.sum))
	c.agree()
	c.compare()
}

// add adds to the sum that the counter shows.
func (p *player) add(n int) {
	p.e.t.Helper()
	p.do(table.Update{
		Op: table.OpCount, Has: table.HasPiece | table.HasN, Piece: p.one(cribbageCount).Name,
		N: int32(n),
	})
}

// inPlay returns the points of the last card that was played.
func inPlay(row []card, sum int) (points int) {
	if sum == 15 || sum == 31 {
		points = 2
	}
	same := 1
	for same < len(row) && row[len(row)-1-same].rank == row[len(row)-1].rank {
		same++
	}
	points += same * (same - 1)
	for n := len(row); n >= 3; n-- {
		ranks := ranksOf(row[len(row)-n:])
		isRun := true
		for i := range ranks[1:] {
			isRun = isRun && ranks[i+1] == ranks[i]+1
		}
		if isRun {
			return points + n
		}
	}
	return points
}

// ranksOf returns the ranks of cards, ascending.
func ranksOf(cards []card) (ranks []int) {
	for _, c := range cards {
		ranks = append(ranks, c.rank)
	}
	slices.Sort(ranks)
	return ranks
}

// count lets everybody count their cards: first who did not deal, then the dealer, then the crib.
func (c *cribbage) count(dealer int) {
	c.t.Helper()
	d := c.players[dealer]
	for _, who := range []int{1 - dealer, dealer} {
		if c.isOver() {
			return
		}
		c.peg(who, inCribbage(c.played[who], c.starter[0], false))
		c.agree()
		c.compare()
	}
	if c.isOver() {
		return
	}
	crib := d.one(cribbageCrib)
	d.turnOver(0, d.cardsOn(crib)...)
	c.agree()
	if shown := c.cards(c.players[1-dealer].cardsOn(crib)); !sameCards(shown, c.crib) {
		c.t.Fatalf("the crib is %v, not %v", shown, c.crib)
	}
	c.peg(dealer, inCribbage(c.crib, c.starter[0], true))
	c.agree()
	c.comparePegs()
}

// inCribbage returns the points of four cards and the starter.
func inCribbage(four []card, starter card, isCrib bool) (points int) {
	five := append(slices.Clone(four), starter)
	for some := range 1 << len(five) {
		var sum int
		var of []card
		for i, c := range five {
			if some>>i&1 == 1 {
				of, sum = append(of, c), sum+cribbageValue(c)
			}
		}
		if sum == 15 {
			points += 2
		}
		if len(of) == 2 && of[0].rank == of[1].rank {
			points += 2
		}
	}
	points += runs(ranksOf(five))
	isFlush := func(of []card) bool {
		return !slices.ContainsFunc(of, func(c card) bool { return c.suit != four[0].suit })
	}
	switch {
	case isFlush(five):
		points += 5
	case isFlush(four) && !isCrib:
		points += 4
	}
	if slices.Contains(four, card{starter.suit, 11}) {
		points++
	}
	return points
}

// runs returns the points of the longest run in ascending ranks, for each way to make it.
func runs(ranks []int) (points int) {
	for from := 0; from < len(ranks); {
		length, ways, times, i := 1, 1, 1, from+1
		for ; i < len(ranks) && ranks[i]-ranks[i-1] <= 1; i++ {
			if ranks[i] == ranks[i-1] {
				times++
				continue
			}
			length, ways, times = length+1, ways*times, 1
		}
		if length >= 3 {
			points += length * ways * times
		}
		from = i
	}
	return points
}

// peg moves the peg behind of a player in front of the other one.
func (c *cribbage) peg(who, points int) {
	c.t.Helper()
	if points == 0 || c.isOver() {
		return
	}
	p, pegs := c.players[who], &c.pegs[who]
	fromX, fromY := c.hole(who, pegs[0])
	pegs[0], pegs[1] = pegs[1], min(pegs[1]+points, cribbageEnd)
	toX, toY := c.hole(who, pegs[1])
	for _, s := range p.of(tracks[who].peg) {
		if s.X == fromX && s.Y == fromY {
			p.drag(s.Name, toX, toY)
			return
		}
	}
	c.t.Fatalf("%s has no peg in the hole behind", p.nick)
}

// hole returns where a hole of a player's track is.
func (c *cribbage) hole(who, n int) (x, y int32) {
	c.t.Helper()
	name := fmt.Sprintf(tracks[who].hole, n)
	switch n {
	case -1:
		name = tracks[who].first
	case 0:
		name = tracks[who].second
	}
	board := c.players[0].one(cribbageBoard)
	k := &c.game.Kinds[board.Kind]
	for _, at := range k.Snaps.Points {
		if at.Name == name {
			sin, cos := math.Sincos(float64(board.Angle) * math.Pi / 18000)
			right, down := float64(at.X-k.Width/2), float64(at.Y-k.Height/2)
			return board.X + int32(math.Round(right*cos-down*sin)),
				board.Y + int32(math.Round(right*sin+down*cos))
		}
	}
	c.t.Fatalf("the board has no hole %s", name)
	return 0, 0
}

// compare checks that the table shows the hands, the crib, the starter, the sum and the pegs.
func (c *cribbage) compare() {
	c.t.Helper()
	c.checkHands(func(p *player) int { return len(c.hands[slices.Index(c.players, p)]) })
	for i, p := range c.players {
		if mine := c.cards(p.inHand()); !sameCards(mine, c.hands[i]) {
			c.t.Fatalf("%s holds %v, not %v", p.nick, mine, c.hands[i])
		}
		for k, o := range c.players {
			if shown := c.cards(p.cardsOn(o.mine(cribbagePlayed))); !sameCards(shown, c.played[k]) {
				c.t.Fatalf("%s sees %v before %s, not %v", p.nick, shown, o.nick, c.played[k])
			}
		}
		crib := p.cardsOn(p.one(cribbageCrib))
		if len(crib) != len(c.crib) || slices.ContainsFunc(crib, func(s table.Shown) bool {
			return c.game.Kinds[s.Kind].Secret
		}) {
			c.t.Fatalf("%s sees the crib %v", p.nick, crib)
		}
		if shown := c.cards(p.cardsOn(p.one(cribbageStarter))); !slices.Equal(shown, c.starter) {
			c.t.Fatalf("%s sees the starter %v, not %v", p.nick, shown, c.starter)
		}
		if n := p.one(cribbageCount).Value; int(n) != c.sum {
			c.t.Fatalf("%s sees the count %d, not %d", p.nick, n, c.sum)
		}
	}
	c.comparePegs()
}

// comparePegs checks that each peg is in the hole where it should be.
func (c *cribbage) comparePegs() {
	c.t.Helper()
	for who := range c.players {
		var want [2]bool
		for _, s := range c.players[1-who].of(tracks[who].peg) {
			for i, n := range c.pegs[who] {
				if x, y := c.hole(who, n); s.X == x && s.Y == y {
					want[i] = true
				}
			}
		}
		if !want[0] || !want[1] {
			c.t.Fatalf("the pegs of %s are not in %v", c.players[who].nick, c.pegs[who])
		}
	}
}
