package played

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"holt/server/play/table"
)

// liarsMarker is the name of the turn marker of liar's dice.
const liarsMarker = "Turn marker"

// bid says that there are at least so many dice of a number.
type bid struct{ many, of int }

// liarsDice is what the players of liar's dice know of their game. The players are clockwise there.
type liarsDice struct {
	*evening
	dice [][]int // what each player has behind their screen
	lost int
}

// TestLiarsDice lets four players bid and doubt until only one of them has dice.
func TestLiarsDice(t *testing.T) {
	d := &liarsDice{evening: open(t, "liars-dice", 0, "Ada", "Ben", "Cleo", "Dan")}
	d.players = d.clockwise()
	d.dice = make([][]int, 4)
	for i, p := range d.players {
		if d.dice[i] = d.behind(p); len(d.dice[i]) != 5 {
			t.Fatalf("%s has the dice %v", p.nick, d.dice[i])
		}
	}
	d.compare()
	begins, rounds := d.rnd.IntN(4), 0
	for ; d.left() > 1; rounds++ {
		if rounds > 0 && testing.Short() {
			break
		}
		begins = d.round(begins)
	}
	if all := len(slices.Concat(d.dice...)); all+d.lost != 20 || d.lost != rounds {
		t.Errorf("after %d rounds %d dice are lost, and there are %v", rounds, d.lost, d.dice)
	}
	t.Logf("%d rounds, dice %v, %d positions compared", rounds, d.dice, d.turns)
}

// left returns how many players have dice.
func (d *liarsDice) left() (n int) {
	for _, dice := range d.dice {
		n += min(len(dice), 1)
	}
	return n
}

// next returns the next player clockwise who has dice.
func (d *liarsDice) next(who int) int {
	for who = (who + 1) % 4; len(d.dice[who]) == 0; {
		who = (who + 1) % 4
	}
	return who
}

// number returns what a die shows.
func (d *liarsDice) number(s table.Shown) int {
	d.t.Helper()
	n, err := strconv.Atoi(d.nameOf(s))
	d.must(err)
	return n
}

// behind returns what the dice behind a player's own screen show, ascending.
func (d *liarsDice) behind(p *player) (all []int) {
	d.t.Helper()
	for _, s := range p.inHand() {
		all = append(all, d.number(s))
	}
	slices.Sort(all)
	return all
}

// round plays a round, and returns who begins the next one.
func (d *liarsDice) round(begins int) int {
	d.t.Helper()
	d.roll()
	who, last := begins, begins
	d.players[0].assign(liarsMarker, d.players[who])
	var said bid
	for {
		higher, doubts := d.decide(who, said)
		if doubts {
			break
		}
		d.players[who].say(fmt.Sprintf("%d × %d", higher.many, higher.of))
		said, last = higher, who
		who = d.next(who)
		d.players[last].assign(liarsMarker, d.players[who])
		d.agree()
		d.compare()
	}
	loser := last
	if d.show(said.of) >= said.many {
		loser = who
	}
	d.lose(loser)
	if len(d.dice[loser]) > 0 || d.left() == 1 {
		return loser
	}
	return d.next(loser)
}

// roll lets everybody roll all their dice, together or one after the other.
func (d *liarsDice) roll() {
	d.t.Helper()
	d.clock.Add((5 * time.Second).Milliseconds()) // the last roll was some time ago
	for i, p := range d.players {
		var all []table.Update
		oneByOne := d.rnd.IntN(2) == 0
		for _, s := range p.inHand() {
			if oneByOne {
				p.roll(s.Name)
				continue
			}
			all = append(all, table.Update{Op: table.OpRoll, Has: table.HasPiece, Piece: s.Name})
		}
		p.doAll(all...)
		d.agree()
		if rolled := d.behind(p); len(rolled) == len(d.dice[i]) {
			d.dice[i] = rolled
		}
	}
	d.compare()
}

// decide lets a player bid or doubt. They know their own dice, and how many the others have.
func (d *liarsDice) decide(who int, said bid) (higher bid, doubts bool) {
	p := d.players[who]
	var mine [7]int
	for _, n := range d.behind(p) {
		mine[n]++
	}
	others := 0
	for _, o := range d.players {
		if o != p {
			others += p.holds(p.handOf(o).Name)
		}
	}
	likely := func(of int) int { return mine[1] + mine[of] + (others+2)/3 }
	switch {
	case said.many == 0:
		return bid{1 + d.rnd.IntN(2), 2 + d.rnd.IntN(5)}, false
	case said.many > likely(said.of) || said.many > others+len(d.behind(p)) || d.rnd.IntN(8) == 0:
		return bid{}, true
	case said.of < 6 && d.rnd.IntN(2) == 0:
		return bid{said.many, said.of + 1 + d.rnd.IntN(6-said.of)}, false
	}
	return bid{said.many + 1, 2 + d.rnd.IntN(5)}, false
}

// say writes a line into the chat. It waits while the chat cools down.
func (p *player) say(line string) {
	p.e.t.Helper()
	u := table.Update{Op: table.OpSay, Has: table.HasText, Text: line}
	p.check(&u, p.onceCool(u))
}

// show lets everybody drag their dice out before their screen, counts those of a number and the
// ones, and lets everybody drag their dice back.
func (d *liarsDice) show(of int) (many int) {
	d.t.Helper()
	var places [4][2]int32
	for i, p := range d.players {
		screen := p.handOf(p)
		width, height := d.extent(screen)
		x, y := screen.X, screen.Y
		if width > height {
			y -= sign(y) * (height/2 + 400)
		} else {
			x -= sign(x) * (width/2 + 400)
		}
		places[i] = [2]int32{x, y}
		p.carry(x, y, p.inHand()...)
	}
	d.agree()
	d.checkHands(func(*player) int { return 0 })
	for i := range d.players {
		var shown []int
		for _, s := range d.players[(i+1)%4].diceAt(places[i]) {
			shown = append(shown, d.number(s))
		}
		if slices.Sort(shown); !slices.Equal(shown, d.dice[i]) {
			d.t.Fatalf("%s shows %v, not %v", d.players[i].nick, shown, d.dice[i])
		}
		for _, n := range shown {
			if n == of || n == 1 {
				many++
			}
		}
	}
	for i, p := range d.players {
		screen := p.handOf(p)
		p.carry(screen.X, screen.Y, p.diceAt(places[i])...)
	}
	d.agree()
	d.compare()
	return many
}

// diceAt returns the dice that lie openly at a place.
func (p *player) diceAt(place [2]int32) []table.Shown {
	return slices.DeleteFunc(p.at(place[0], place[1], 20), func(s table.Shown) bool {
		return !p.e.game.Kinds[s.Kind].Die.Rolls
	})
}

func sign(n int32) int32 {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// lose lets a player put a die into the middle of the table.
func (d *liarsDice) lose(who int) {
	d.t.Helper()
	p := d.players[who]
	die := p.inHand()[0]
	n := slices.Index(d.dice[who], d.number(die))
	d.dice[who] = slices.Delete(d.dice[who], n, n+1)
	p.carry(0, 0, die)
	d.lost++
	d.agree()
	d.compare()
}

// compare checks that everybody has the dice that they should, that only they see them, and that
// the lost ones lie in the middle.
func (d *liarsDice) compare() {
	d.t.Helper()
	d.checkHands(func(p *player) int { return len(d.dice[slices.Index(d.players, p)]) })
	for i, p := range d.players {
		if mine := d.behind(p); !slices.Equal(mine, d.dice[i]) {
			d.t.Fatalf("%s has %v, not %v", p.nick, mine, d.dice[i])
		}
		if n := len(p.diceAt([2]int32{0, 0})); n != d.lost {
			d.t.Fatalf("%s sees %d dice in the middle, not %d", p.nick, n, d.lost)
		}
	}
}
