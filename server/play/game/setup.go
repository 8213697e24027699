package game

import (
	"encoding/json"
	"fmt"
)

// MaxSetups is the most set-ups that a game may have beside its first one.
const MaxSetups = 8

// MaxSetupName is the most characters of the name of a set-up.
const MaxSetupName = 60

// Setup is another set-up of a game: its pieces without those of some kinds.
type Setup struct {
	Name    string
	Players Range // for so many; zero: the game does not say
	Without []int // kinds, by their indices in Game.Kinds
	// Steps are what the server does when the table is set up that way, as a button does it (T88).
	Steps []Step
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

// readSetups reads the set-ups of a game file. g must have its kinds and pieces.
func readSetups(root object, g *Game) (all []Setup) {
	if !root.has("setups") {
		return nil
	}
	kinds := make(map[string]int, len(g.Kinds))
	for i, k := range g.Kinds {
		kinds[k.Name] = i
	}
	placed := map[int]bool{}
	for _, p := range g.Pieces {
		placed[p.Kind] = true
	}
	for i, v := range root.list("setups", 1, MaxSetups) {
		o := root.r.object(v, fmt.Sprintf("set-up %d", i), "name", "players", "without",
			"steps")
		s := Setup{Name: o.text("name", MaxSetupName)}
		if o.has("players") {
			o.want("players", anArray)
			s.Players = o.between("players", MaxPlayers)
		}
		for _, other := range all {
			if other.Name == s.Name {
				o.fail(o.get("name"), "two set-ups are called %q", s.Name)
			}
		}
		var without []value
		if o.has("without") || !o.has("steps") { // otherwise it would be the first one again
			without = o.list("without", 1, MaxKinds)
		}
		for _, name := range without {
			switch kind, ok := kinds[name.text]; {
			case name.kind != aText:
				o.fail(name, "without: want %s, not %s", aText, name.kind)
			case !ok:
				o.fail(name, "without: there is no kind %q", name.text)
			case g.Kinds[kind].Hand || g.Kinds[kind].Container.Holds():
				o.fail(name, "without: %q is a hand or a container, which stay", name.text)
			case !placed[kind]:
				o.fail(name, "without: no piece is a %q", name.text)
			default:
				s.Without = append(s.Without, kind)
			}
		}
		s.Steps = readSetupSteps(o, o.where+": ", g, s.Without)
		if root.r.err != nil {
			return nil
		}
		all = append(all, s)
	}
	return all
}
