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

// Setup is a set-up of a game: its pieces without those of some kinds, or pieces of its own (G25).
type Setup struct {
	Name    string // empty: it is the first one, and the game gives it no name
	Players Range  // for so many; zero: the game does not say
	Without []int  // kinds, by their indices in Game.Kinds
	// Pieces are what lies there in place of the pieces of the game, in drawing order; nil: it has
	// none of its own. What is to be shuffled lies in containers.
	Pieces []Placement
	// Same has, for each of Pieces, the index in Game.Pieces of the heavy piece that it is, Other if
	// it is none of them or not heavy.
	Same []int
	// Steps are what the server does when the table is set up that way, as a button does it (T88).
	Steps []Step
}

// Other is the Same of a piece of a set-up that is no heavy piece of the game.
const Other = -1

// PiecesOf returns the pieces that lie on the table in a set-up, in drawing order.
func (g *Game) PiecesOf(of *Setup) []Placement {
	if of.Pieces != nil {
		return of.Pieces
	}
	return lacking(g.Pieces, of.Without)
}

// lacking returns pieces without those of some kinds. Containers stay, so only what lies in others
// loses its place: In counts the pieces that are left.
func lacking(pieces []Placement, without []int) []Placement {
	if len(without) == 0 {
		return pieces
	}
	left, now := []Placement{}, make([]int, len(pieces))
	for i, p := range pieces {
		now[i] = len(left)
		if slices.Contains(without, p.Kind) {
			continue
		}
		if p.In != NotIn {
			p.In = now[p.In]
		}
		left = append(left, p)
	}
	return left
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

// readPieces reads the pieces of a set-up that has its own (G25). places has, for each entry of the
// pieces of the game, the index of its first piece in Game.Pieces. It returns the kinds of which no
// piece lies there.
func (s *Setup) readPieces(o object, g *Game, places []int) (lacks []int) {
	own := &Game{Width: g.Width, Height: g.Height, Kinds: g.Kinds, decks: g.decks}
	list := o.list("pieces", 1, MaxPieces)
	entries := own.placeIn(o, ofSetup)
	if o.r.err != nil {
		return nil
	}
	s.Pieces, s.Same = own.Pieces, slices.Repeat([]int{Other}, len(own.Pieces))
	for i, v := range list {
		where := fmt.Sprintf("%s: piece %d", o.where, i)
		e := object{r: o.r, where: where, at: v.at, members: v.members}
		if !e.has("piece") {
			continue
		}
		n := int(e.integer("piece", 0, MaxPieces-1))
		at, is := entries[i], &g.Kinds[own.Pieces[entries[i]].Kind]
		switch {
		case o.r.err != nil:
			return nil
		case is.Weight != "heavy":
			e.fail(e.get("piece"), "piece: %q is light: only heavy pieces are those of the game", is.Name)
		case n >= len(places):
			e.fail(e.get("piece"), "piece: no piece %d", n)
		case g.Pieces[places[n]].Kind != own.Pieces[at].Kind:
			e.fail(e.get("piece"), "piece: piece %d is not a %q", n, is.Name)
		case slices.Contains(s.Same, places[n]):
			e.fail(e.get("piece"), "piece: piece %d twice", n)
		default:
			s.Same[at] = places[n]
		}
	}
	for kind := range g.Kinds {
		if !slices.ContainsFunc(s.Pieces, func(p Placement) bool { return p.Kind == kind }) {
			lacks = append(lacks, kind)
		}
	}
	return lacks
}

// checkUnion fails if the pieces of the game and those that only set-ups have are too many for one
// table.
func checkUnion(root object, g *Game) {
	if _, places := g.Union(); len(places) > MaxPieces && root.r.err == nil {
		root.fail(root.get("setups"), "setups: with those of the set-ups there are more than %d pieces",
			MaxPieces)
	}
}

// readSetups reads the other set-ups of a game file. g must have its kinds, its pieces and its
// first set-up. entries has, for each entry of pieces, the index of its first piece.
func readSetups(root object, g *Game, entries []int) (all []Setup) {
	if !root.has("setups") {
		return nil
	}
	for i, v := range root.list("setups", 1, MaxSetups) {
		o := root.r.object(v, fmt.Sprintf("set-up %d", i), "name", "players", "without", "pieces",
			"steps")
		s := Setup{Name: o.text("name", MaxSetupName), Players: readSetupPlayers(o)}
		for _, other := range append(all, g.First) {
			if other.Name == s.Name {
				o.fail(o.get("name"), "two set-ups are called %q", s.Name)
			}
		}
		lacks := s.Without
		switch {
		case o.has("pieces") && o.has("without"):
			o.fail(o.get("without"), "without: a set-up with pieces of its own has no other ones")
		case o.has("pieces"):
			lacks = s.readPieces(o, g, entries)
		case o.has("without") || !o.has("steps"): // otherwise it would be the first one again
			s.Without = readWithout(o, g)
			lacks = s.Without
		}
		s.Steps = readSetupSteps(o, o.where+": ", g, lacks)
		if root.r.err != nil {
			return nil
		}
		all = append(all, s)
	}
	return all
}
