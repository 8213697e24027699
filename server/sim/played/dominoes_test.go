package played

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"holt/server/play/table"
)

// The names of the pieces of dominoes.
const (
	dominoesRound = "New round"
	dominoesYard  = "Boneyard"
)

const (
	dominoesStay = 2   // how many tiles stay in the boneyard
	dominoesStep = 600 // how far the tiles of the line lie apart
)

// tile is a tile of dominoes. At angle 0 its first number lies below the second one.
type tile [2]int

func (d tile) pips() int { return d[0] + d[1] }

func (d tile) has(n int) bool { return d[0] == n || d[1] == n }

// dominoes is what the players of dominoes know of their game. The players are clockwise there.
type dominoes struct {
	*evening
	tiles  int   // how many there are
	dealt  int32 // how many each player gets
	hands  [][]tile
	points []int
	spots  [][3]int32 // of the line: x, y, and 1 or −1 if it goes to the right or to the left there
	line   []tile     // from its lower end; the half towards that end is the first one
	first  int        // the number of the spot of the lower end
}

// TestDominoes lets three players play until somebody has 100 points, and with -short one round.
// Two players play one round with the tiles of double nine.
func TestDominoes(t *testing.T) {
	rounds := 1
	if !testing.Short() {
		rounds = 60
	}
	t.Run("double six", func(t *testing.T) {
		playDominoes(t, "Double six", 28, 5, rounds, "Ada", "Ben", "Cleo")
	})
	t.Run("double nine", func(t *testing.T) {
		playDominoes(t, "Double nine", 55, 9, 1, "Ada", "Ben")
	})
}

// playDominoes plays with so many tiles, of which each player gets some, until somebody has 100
// points, but at most so many rounds.
func playDominoes(t *testing.T, setup string, tiles, dealt, rounds int, nicks ...string) {
	t.Helper()
	d := &dominoes{
		evening: open(t, "dominoes", setupOf(t, "dominoes", setup), nicks...),
		tiles:   tiles, dealt: int32(dealt), points: make([]int, len(nicks)),
	}
	d.players = d.clockwise()
	d.layOut()
	round, begins := 0, -1
	for ; round < rounds && slices.Max(d.points) < 100; round++ {
		d.deal()
		d.play(begins)
		begins = d.count(round)
	}
	for i, p := range d.players {
		sum := 0
		for row := range round {
			n, _ := strconv.Atoi(d.players[0].scored(row, int(p.seat.Number)-1))
			sum += n
		}
		if sum != d.points[i] {
			t.Errorf("%s has %d points, and %d on the score sheet", p.nick, d.points[i], sum)
		}
	}
	if rounds > 1 && slices.Max(d.points) < 100 {
		t.Errorf("after %d rounds the points are %v", round, d.points)
	}
	t.Logf("%d rounds, points %v, %d positions compared", round, d.points, d.turns)
}

// layOut finds room for the line: rows across the table, alternately to the right and to the left.
func (d *dominoes) layOut() {
	d.t.Helper()
	p := d.players[0]
	info := p.View().Info
	heavy := p.all(func(s table.Shown) bool { return d.game.Kinds[s.Kind].Weight == "heavy" })
	isFree := func(x, y int32) bool {
		return !slices.ContainsFunc(heavy, func(s table.Shown) bool {
			width, height := d.extent(s)
			return 2*max(s.X-x, x-s.X) < width+dominoesStep && 2*max(s.Y-y, y-s.Y) < height+dominoesStep
		})
	}
	way := int32(1)
	for y := -info.Height/2 + dominoesStep; y < info.Height/2-dominoesStep/2; y += dominoesStep {
		for x := -info.Width/2 + dominoesStep; x < info.Width/2-dominoesStep/2; x += dominoesStep {
			if isFree(way*x, y) {
				d.spots = append(d.spots, [3]int32{way * x, y, way})
			}
		}
		way = -way
	}
	if need := d.tiles + len(d.players) + 1; len(d.spots) < need {
		d.t.Fatalf("a line of %d tiles has room on the table, not of %d", len(d.spots), need)
	}
}

// spot returns the spot with a number. The line may go on from the last one to the first one.
func (d *dominoes) spot(number int) [3]int32 {
	n := len(d.spots)
	return d.spots[(number%n+n)%n]
}

// tile returns what a tile is whose front a player sees.
func (d *dominoes) tile(s table.Shown) (is tile, ok bool) {
	name := d.nameOf(s)
	if n, err := fmt.Sscanf(name, "Double %d", &is[0]); n == 1 && err == nil {
		return tile{is[0], is[0]}, true
	}
	if !strings.Contains(name, " and ") {
		return is, false
	}
	_, err := fmt.Sscanf(name, "%d and %d", &is[0], &is[1])
	d.must(err)
	return is, true
}

// rack returns the tiles on a player's own rack.
func (d *dominoes) rack(p *player) (all []tile) {
	d.t.Helper()
	for _, s := range p.inHand() {
		is, ok := d.tile(s)
		if !ok {
			d.t.Fatalf("%s does not see the front of %+v", p.nick, s)
		}
		all = append(all, is)
	}
	return all
}

// deal lets the host begin a round.
func (d *dominoes) deal() {
	d.t.Helper()
	host := slices.IndexFunc(d.players, func(p *player) bool { return p.seat.Number == 1 })
	d.players[host].press(dominoesRound, d.dealt)
	d.agree()
	d.hands, d.line, d.first = make([][]tile, len(d.players)), nil, len(d.spots)/2
	for i, p := range d.players {
		d.hands[i] = d.rack(p)
	}
	d.compare()
}

// play plays a round until somebody has no tiles, or nobody can play. If nobody begins, who has the
// highest double does, or else the tile with the most pips.
func (d *dominoes) play(begins int) {
	d.t.Helper()
	if turn := begins; turn >= 0 {
		d.lay(turn, d.hands[turn][d.rnd.IntN(len(d.hands[turn]))], true)
	} else {
		var best tile
		begins, best = d.highest()
		d.lay(begins, best, true)
	}
	passes := 0
	n := len(d.players)
	for turn := (begins + 1) % n; passes < n; turn = (turn + 1) % n {
		passes++
		if d.turn(turn) {
			passes = 0
		}
		d.agree()
		d.compare()
		if len(d.hands[turn]) == 0 {
			return
		}
	}
}

// highest returns who has the tile that begins, and the tile.
func (d *dominoes) highest() (who int, best tile) {
	value := func(of tile) int {
		if of[0] == of[1] {
			return 100 + of[0]
		}
		return of.pips()
	}
	who = -1
	for i, hand := range d.hands {
		for _, is := range hand {
			if who < 0 || value(is) > value(best) {
				who, best = i, is
			}
		}
	}
	return who, best
}

// turn lets a player play a tile, after drawing until they can. It reports false if they pass.
func (d *dominoes) turn(who int) bool {
	d.t.Helper()
	p := d.players[who]
	for {
		var fits []tile
		low, high := d.line[0][0], d.line[len(d.line)-1][1]
		for _, is := range d.rack(p) {
			if is.has(low) || is.has(high) {
				fits = append(fits, is)
			}
		}
		if len(fits) > 0 {
			is := fits[d.rnd.IntN(len(fits))]
			atHigh := is.has(high) && (!is.has(low) || d.rnd.IntN(2) == 0)
			d.lay(who, is, atHigh)
			return true
		}
		if p.holds(p.one(dominoesYard).Name) <= dominoesStay {
			return false
		}
		d.draw(who)
	}
}

// draw lets a player draw a tile onto their rack.
func (d *dominoes) draw(who int) {
	d.t.Helper()
	p := d.players[who]
	had := d.rack(p)
	p.drawOne(p.one(dominoesYard))
	d.agree()
	now := d.rack(p)
	for _, is := range now {
		if !slices.Contains(had, is) {
			d.hands[who] = append(d.hands[who], is)
		}
	}
	d.compare()
}

// lay lets a player lay a tile at one end of the line.
func (d *dominoes) lay(who int, is tile, atHigh bool) {
	d.t.Helper()
	p := d.players[who]
	laid, at := is, d.first
	switch {
	case len(d.line) == 0:
		d.line = []tile{laid}
	case atHigh:
		if at += len(d.line); d.line[len(d.line)-1][1] != laid[0] {
			laid[0], laid[1] = laid[1], laid[0]
		}
		d.line = append(d.line, laid)
	default:
		if d.first--; d.line[0][0] != laid[1] {
			laid[0], laid[1] = laid[1], laid[0]
		}
		d.line, at = slices.Insert(d.line, 0, laid), d.first
	}
	d.hands[who] = slices.DeleteFunc(d.hands[who], func(o tile) bool { return o == is })
	spot := d.spot(at)
	for _, s := range p.inHand() {
		if o, _ := d.tile(s); o == is {
			p.drag(s.Name, spot[0], spot[1])
		}
	}
	for _, s := range p.at(spot[0], spot[1], 50) {
		angle := int32(0) // of a double, which lies across
		if is[0] != is[1] {
			if angle = 9000; (laid == is) != (spot[2] > 0) {
				angle = 27000
			}
		}
		if s.Angle != angle {
			p.do(table.Update{
				Op: table.OpRotate, Has: table.HasPiece | table.HasAngle, Piece: s.Name, Angle: angle,
			})
		}
	}
}

// count lets some lay open what they have left, and gives the winner the points of the round. It
// returns who has won, −1 if nobody has.
func (d *dominoes) count(round int) (winner int) {
	d.t.Helper()
	pips := make([]int, len(d.players))
	for i, hand := range d.hands {
		if len(hand) > 0 && d.rnd.IntN(2) == 0 {
			d.layOpen(i)
		}
		for _, is := range hand {
			pips[i] += is.pips()
		}
	}
	winner = slices.IndexFunc(d.hands, func(hand []tile) bool { return len(hand) == 0 })
	if winner < 0 {
		least := slices.Min(pips)
		winner = slices.Index(pips, least)
		if slices.Contains(pips[winner+1:], least) {
			return -1
		}
	}
	won := -2 * pips[winner]
	for _, n := range pips {
		won += n
	}
	d.points[winner] += won
	d.players[winner].score(round, int(d.players[winner].seat.Number)-1, won)
	return winner
}

// layOpen lets a player drag their tiles off their rack, and another one look at them.
func (d *dominoes) layOpen(who int) {
	d.t.Helper()
	p, spot := d.players[who], d.spot(d.first-2-who)
	p.carry(spot[0], spot[1], p.inHand()...)
	d.agree()
	all := d.players[(who+1)%len(d.players)].at(spot[0], spot[1], 50)
	for _, s := range all {
		if is, ok := d.tile(s); !ok || !slices.Contains(d.hands[who], is) {
			d.t.Fatalf("%s has laid open the %s", p.nick, d.nameOf(s))
		}
	}
	if len(all) != len(d.hands[who]) {
		d.t.Fatalf("%s has laid open %d tiles, not %d", p.nick, len(all), len(d.hands[who]))
	}
}

// compare checks that everybody has the tiles that they should, and that the line is that of the
// game: halves that touch have the same number, and doubles lie across.
func (d *dominoes) compare() {
	d.t.Helper()
	d.checkHands(func(p *player) int { return len(d.hands[slices.Index(d.players, p)]) })
	rest := d.tiles - len(d.line)
	for i, p := range d.players {
		rest -= len(d.hands[i])
		for _, is := range d.rack(p) {
			if !slices.Contains(d.hands[i], is) {
				d.t.Fatalf("%s has %v, and not %v", p.nick, is, d.hands[i])
			}
		}
	}
	p := d.players[d.turns%len(d.players)]
	if n := p.holds(p.one(dominoesYard).Name); n != rest {
		d.t.Fatalf("the boneyard has %d tiles, not %d", n, rest)
	}
	for i, is := range d.line {
		if laid := d.laid(p, d.spot(d.first+i)); laid != is || i > 0 && d.line[i-1][1] != laid[0] {
			d.t.Fatalf("%v lies at place %d of the line %v", laid, i, d.line)
		}
	}
}

// laid returns the tile that lies at a spot of the line, with its half towards the lower end first.
func (d *dominoes) laid(p *player, spot [3]int32) tile {
	d.t.Helper()
	all := p.at(spot[0], spot[1], 50)
	if len(all) != 1 {
		d.t.Fatalf("%s sees %d pieces at a place of the line", p.nick, len(all))
	}
	is, ok := d.tile(all[0])
	switch isDouble := is[0] == is[1]; {
	case !ok, isDouble != (all[0].Angle%18000 == 0):
		d.t.Fatalf("%s sees the %s at the angle %d", p.nick, d.nameOf(all[0]), all[0].Angle)
	case !isDouble && (all[0].Angle == 9000) != (spot[2] > 0):
		return tile{is[1], is[0]}
	}
	return is
}
