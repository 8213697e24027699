package played

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"holt/server/play/table"
)

// The names of the pieces of yacht.
const (
	yachtRoll   = "Roll"
	yachtRolls  = "Rolls"
	yachtKept   = "Kept dice"
	yachtTray   = "Tray"
	yachtNext   = "Next player"
	yachtMarker = "Turn marker"
)

// yachtCategories is how many categories the score sheet has, in the order of yachtPoints.
const yachtCategories = 12

// yacht is what the players of yacht know of their game.
type yacht struct {
	*evening
	points []map[int]int // what each player has written down, by category
}

// TestYacht lets three players fill all their categories, and with -short three of them.
func TestYacht(t *testing.T) {
	y := &yacht{evening: open(t, "yacht", 0, "Ada", "Ben", "Cleo")}
	for range y.players {
		y.points = append(y.points, map[int]int{})
	}
	y.players[0].assign(yachtMarker, y.players[0])
	turns := yachtCategories
	if testing.Short() {
		turns = 3
	}
	for range turns {
		for i := range y.players {
			y.turn(i)
		}
	}
	for i := range y.players {
		sum := 0
		for row := range yachtCategories {
			n, _ := strconv.Atoi(y.players[(i+1)%3].scored(row, i))
			sum += n
		}
		own := 0
		for n := range maps.Values(y.points[i]) {
			own += n
		}
		if own != sum || len(y.points[i]) != turns {
			t.Errorf("%s has %v, and %d on the score sheet", y.players[i].nick, y.points[i], sum)
		}
		t.Logf("%s has %d points", y.players[i].nick, sum)
	}
	t.Logf("%d positions compared", y.turns)
}

// dice returns the five dice, as a player sees them.
func (p *player) dice() []table.Shown {
	return p.all(func(s table.Shown) bool { return p.e.game.Kinds[s.Kind].Die.Rolls })
}

// kept returns those dice that lie in the row of the kept ones.
func (y *yacht) kept(p *player) []table.Shown {
	row := p.one(yachtKept)
	return slices.DeleteFunc(p.dice(), func(s table.Shown) bool { return !y.covers(row, s) })
}

// turn lets a player roll up to three times and fill a category.
func (y *yacht) turn(i int) {
	y.t.Helper()
	p := y.players[i]
	if s := p.one(yachtMarker); s.Owner != p.seat.Number {
		y.t.Fatalf("the turn marker is that of %d, not of %s", s.Owner, p.nick)
	}
	for rolls := int32(1); rolls <= 3; rolls++ {
		y.roll(p, rolls)
		if rolls == 3 || y.rnd.IntN(6) == 0 {
			break
		}
		y.choose(p)
		if len(y.kept(p)) == 5 {
			break
		}
	}
	if p.one(yachtRolls).Value == 3 && y.rnd.IntN(3) == 0 {
		y.rollInVain(p)
	}
	y.fill(i)
	p.back(y.kept(p)...)
	p.press(yachtNext)
	y.agree()
	if n, left := p.one(yachtRolls).Value, y.kept(p); n != 0 || len(left) > 0 {
		y.t.Fatalf("after a turn there are %d rolls and the kept dice %v", n, left)
	}
}

// rollInVain presses the button a fourth time, which does nothing.
func (y *yacht) rollInVain(p *player) {
	y.t.Helper()
	before := p.dice()
	o := p.onceCool(table.Update{
		Op: table.OpRun, Has: table.HasPiece, Piece: p.one(yachtRoll).Name,
	})
	if o.reason != table.ReasonEmpty {
		y.t.Fatalf("the fourth roll is %v %v %v", o.kind, o.reason, o.err)
	}
	y.agree()
	if diff := differs(before, p.dice()); diff != "" {
		y.t.Fatalf("the fourth roll has changed dice: %s", diff)
	}
}

// roll presses the button. What is kept does not roll.
func (y *yacht) roll(p *player, rolls int32) {
	y.t.Helper()
	still := y.kept(p)
	p.press(yachtRoll)
	y.agree()
	if n := p.one(yachtRolls).Value; n != rolls {
		y.t.Fatalf("after roll %d the counter shows %d", rolls, n)
	}
	for _, s := range still {
		if now, ok := p.Piece(s.Name); !ok || now.Face != s.Face || now.X != s.X || now.Y != s.Y {
			y.t.Fatalf("the %s was kept and shows %s", y.game.Kinds[s.Kind].Name, y.nameOf(now))
		}
	}
	if n := len(p.dice()); n != 5 {
		y.t.Fatalf("there are %d dice", n)
	}
}

// choose lets a player keep all dice of one number, or a few others, and put back the rest.
func (y *yacht) choose(p *player) {
	y.t.Helper()
	dice, row := p.dice(), p.one(yachtKept)
	some := y.rnd.Perm(5)[:3]
	wanted := dice[some[0]]
	wants := func(s table.Shown) bool { return s.Face == wanted.Face }
	if y.rnd.IntN(4) == 0 {
		wants = func(s table.Shown) bool {
			return slices.Contains(some, slices.IndexFunc(dice, func(o table.Shown) bool {
				return o.Name == s.Name
			}))
		}
	}
	for _, s := range dice {
		switch isKept := y.covers(row, s); {
		case wants(s) && !isKept:
			p.carry(row.X, row.Y, s)
		case !wants(s) && isKept:
			p.back(s)
		}
	}
	y.agree()
	for _, s := range p.dice() {
		if y.covers(row, s) != wants(s) {
			y.t.Fatalf("the %s lies in the wrong place", y.game.Kinds[s.Kind].Name)
		}
	}
}

// back puts dice back into the tray, side by side.
func (p *player) back(dice ...table.Shown) {
	p.e.t.Helper()
	tray := p.one(yachtTray)
	for i, s := range dice {
		p.carry(tray.X+int32(i)*500-1000, tray.Y+int32(p.e.rnd.IntN(1000))-500, s)
	}
}

// fill lets a player write down the points of a free category: the best one for these dice.
func (y *yacht) fill(i int) {
	y.t.Helper()
	p := y.players[i]
	var count [7]int
	for _, s := range p.dice() {
		n, err := strconv.Atoi(y.nameOf(s))
		y.must(err)
		count[n]++
	}
	best := -1
	for category := range yachtCategories {
		if _, full := y.points[i][category]; !full &&
			(best < 0 || yachtPoints(category, count) > yachtPoints(best, count)) {
			best = category
		}
	}
	y.points[i][best] = yachtPoints(best, count)
	p.score(best, i, y.points[i][best])
}

// yachtPoints returns the points of dice in a category, given how often each number is there.
func yachtPoints(category int, count [7]int) int {
	sum, yacht := 0, slices.Contains(count[:], 5)
	for n, times := range count {
		sum += n * times
	}
	straight := !slices.ContainsFunc(count[2:6], func(n int) bool { return n != 1 })
	switch {
	case category < 6:
		return (category + 1) * count[category+1]
	case category == 6 && slices.Contains(count[:], 3) && slices.Contains(count[:], 2),
		category == 10:
		return sum
	case category == 7 && (yacht || slices.Contains(count[:], 4)):
		return 4 * slices.IndexFunc(count[:], func(n int) bool { return n >= 4 })
	case category == 8 && straight && count[1] == 1, category == 9 && straight && count[6] == 1:
		return 30
	case category == 11 && yacht:
		return 50
	}
	return 0
}
