package game

import "slices"

// A table of a game with set-ups of their own pieces (G25) begins with all pieces that one of its
// set-ups has. Each set-up then takes away what it lacks, and lays down the rest.

// Lying is how the pieces of a set-up lie: for each piece of the union the place that it has there,
// nil if the set-up lacks it.
type Lying []*Placement

// Union returns the pieces of all set-ups of a game, in drawing order, each once, and how they lie
// in each set-up, the first one first. The heavy pieces of the game are the first ones of the
// union, in their order. The nth light piece of a kind in a set-up is the nth one in the game. It
// returns the pieces of the game, and no set-ups, if none has pieces of its own.
func (g *Game) Union() (setups []Lying, pieces []Placement) {
	if !slices.ContainsFunc(g.Setups, func(of Setup) bool { return of.Pieces != nil }) {
		return nil, g.Pieces
	}
	u := union{g: g}
	for _, of := range g.AllSetups() {
		if of.Pieces == nil {
			u.asGame(&of)
		} else {
			u.own(&of)
		}
	}
	return u.inOrder()
}

// union is the state of Union. At first the pieces of the game come first, then those that only
// set-ups have.
type union struct {
	g      *Game
	more   []Placement
	setups []map[int]Placement // by the numbers of pieces; what is in a container has its number
}

func (u *union) heavy(kind int) bool { return u.g.Kinds[kind].Weight == "heavy" }

// asGame adds a set-up with the pieces of the game.
func (u *union) asGame(of *Setup) {
	lying := map[int]Placement{}
	for i, p := range u.g.Pieces {
		if !slices.Contains(of.Without, p.Kind) {
			lying[i] = p
		}
	}
	u.setups = append(u.setups, lying)
}

// own adds a set-up with pieces of its own.
func (u *union) own(of *Setup) {
	lying, number := map[int]Placement{}, make([]int, len(of.Pieces))
	free := map[int][]int{} // the light pieces of each kind, by their numbers
	heavies := map[int][]int{}
	for i, p := range slices.Concat(u.g.Pieces, u.more) {
		if !u.heavy(p.Kind) {
			free[p.Kind] = append(free[p.Kind], i)
		} else if i >= len(u.g.Pieces) {
			heavies[p.Kind] = append(heavies[p.Kind], i)
		}
	}
	for i, p := range of.Pieces {
		from := free
		if u.heavy(p.Kind) {
			from = heavies
		}
		switch {
		case of.Same[i] != Other:
			number[i] = of.Same[i]
		case len(from[p.Kind]) > 0:
			number[i], from[p.Kind] = from[p.Kind][0], from[p.Kind][1:]
		default:
			number[i] = len(u.g.Pieces) + len(u.more)
			u.more = append(u.more, Placement{Kind: p.Kind, X: p.X, Y: p.Y, Angle: p.Angle,
				Face: p.Face, In: NotIn})
		}
		if p.In != NotIn {
			p.In = number[p.In]
		}
		p.Group = 0 // containers are shuffled when the set-up is chosen
		lying[number[i]] = p
	}
	u.setups = append(u.setups, lying)
}

// inOrder returns the result: the heavy pieces first, so that those of the game keep their names.
func (u *union) inOrder() (setups []Lying, pieces []Placement) {
	all := slices.Concat(u.g.Pieces, u.more)
	sorted, now := inDrawingOrder(all, u.g.Kinds)
	for _, lying := range u.setups {
		row := make(Lying, len(all))
		for i, p := range lying {
			if p.In != NotIn {
				p.In = now[p.In]
			}
			row[now[i]] = &p
		}
		setups = append(setups, row)
	}
	return setups, sorted
}
