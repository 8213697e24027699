package game

import "fmt"

// MaxSetups is the most set-ups that a game may have beside its first one.
const MaxSetups = 8

// MaxSetupName is the most characters of the name of a set-up.
const MaxSetupName = 60

// Setup is another set-up of a game: its pieces without those of some kinds.
type Setup struct {
	Name    string
	Players Range // for so many; zero: the game does not say
	Without []int // kinds, by their indices in Game.Kinds
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
		o := root.r.object(v, fmt.Sprintf("set-up %d", i), "name", "players", "without")
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
		for _, name := range o.list("without", 1, MaxKinds) {
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
		if root.r.err != nil {
			return nil
		}
		all = append(all, s)
	}
	return all
}
