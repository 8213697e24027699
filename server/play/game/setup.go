package game

import (
	"encoding/json"
	"fmt"
	"slices"
)

// MaxSetups is the most set-ups that a game may have beside its first one.
const MaxSetups = 8

// MaxSetupName is the most characters of the name of a set-up.
const MaxSetupName = 60

// Setup is a set-up of a game: its pieces without those of some kinds.
type Setup struct {
	Name    string // empty: it is the first one, and the game gives it no name
	Players Range  // for so many; zero: the game does not say
	Without []int  // kinds, by their indices in Game.Kinds
	// Steps are what the server does when the table is set up that way, as a button does it (T88).
	Steps []Step
}

// AllSetups returns the set-ups of a game, the first one first.
func (g *Game) AllSetups() []Setup { return append([]Setup{g.First}, g.Setups...) }

// FirstPlayers returns for how many players the first set-up is: for so many as the game, unless it
// says something else. Zero: neither says it.
func (g *Game) FirstPlayers() Range {
	if g.First.Players.Most > 0 {
		return g.First.Players
	}
	return g.About.Players
}

// EncodeSteps returns the steps of a set-up as they stand in the game file; nil if there are none.
func EncodeSteps(steps []Step) []byte {
	if len(steps) == 0 {
		return nil
	}
	return encoded(catalogSteps(steps))
}

// ReadSteps reads what EncodeSteps has returned.
func ReadSteps(doc []byte) (steps []Step, err error) {
	var items []json.RawMessage
	if len(doc) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(doc, &items); err != nil {
		return nil, fmt.Errorf("steps of a set-up: %w", err)
	}
	for i, item := range items {
		r, v := readDocument(item)
		steps = append(steps, readStep(r, v, fmt.Sprintf("step %d", i), 0, nil))
		if r.err != nil {
			return nil, r.err
		}
	}
	return steps, nil
}

// readSetupSteps reads the steps of a set-up, and checks that its pieces can have them.
func readSetupSteps(o object, where string, g *Game, without []int) (steps []Step) {
	if !o.has("steps") {
		return nil
	}
	steps = readSteps(o, "steps", where, 0, nil)
	if o.r.err != nil {
		return nil
	}
	outside := object{r: o.r}
	checkSteps(g.Kinds, without, steps, o.get("steps"), where, outside.fail)
	return steps
}

// readFirst reads what a game file says of its first set-up. g must have its kinds and pieces.
func readFirst(root object, g *Game) (s Setup) {
	if root.has("setup") {
		s.Name = root.text("setup", MaxSetupName)
	}
	s.Players = readSetupPlayers(root)
	if root.has("without") {
		s.Without = readWithout(root, g)
	}
	s.Steps = readSetupSteps(root, "", g, s.Without)
	return s
}

// readSetupPlayers reads for how many players a set-up is.
func readSetupPlayers(o object) Range {
	if !o.has("players") {
		return Range{}
	}
	o.want("players", anArray)
	return o.between("players", MaxPlayers)
}

// readWithout reads the names of the kinds whose pieces a set-up lacks.
func readWithout(o object, g *Game) (without []int) {
	for _, name := range o.list("without", 1, MaxKinds) {
		kind := slices.IndexFunc(g.Kinds, func(k Kind) bool { return k.Name == name.text })
		switch {
		case name.kind != aText:
			o.fail(name, "without: want %s, not %s", aText, name.kind)
		case kind < 0:
			o.fail(name, "without: there is no kind %q", name.text)
		case g.Kinds[kind].Container.Holds():
			o.fail(name, "without: %q is a container, which stays", name.text)
		case !slices.ContainsFunc(g.Pieces, func(p Placement) bool { return p.Kind == kind }):
			o.fail(name, "without: no piece is a %q", name.text)
		default:
			without = append(without, kind)
		}
	}
	return without
}

// readSetups reads the other set-ups of a game file. g must have its kinds, its pieces and its
// first set-up.
func readSetups(root object, g *Game) (all []Setup) {
	if !root.has("setups") {
		return nil
	}
	for i, v := range root.list("setups", 1, MaxSetups) {
		o := root.r.object(v, fmt.Sprintf("set-up %d", i), "name", "players", "without",
			"steps")
		s := Setup{Name: o.text("name", MaxSetupName), Players: readSetupPlayers(o)}
		for _, other := range append(all, g.First) {
			if other.Name == s.Name {
				o.fail(o.get("name"), "two set-ups are called %q", s.Name)
			}
		}
		// Otherwise it would be the first one again.
		if o.has("without") || !o.has("steps") {
			s.Without = readWithout(o, g)
		}
		s.Steps = readSetupSteps(o, o.where+": ", g, s.Without)
		if root.r.err != nil {
			return nil
		}
		all = append(all, s)
	}
	return all
}
