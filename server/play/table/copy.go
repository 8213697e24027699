package table

import (
	"slices"

	"holt/server/id"
)

// InTheWay says why the state of a table cannot be copied (T57). It follows from what everybody at
// the table knows.
type InTheWay uint8

// The reasons.
const (
	NothingInTheWay   InTheWay = iota
	SetInTheWay                // a set of a person lies on the table, or is on its way
	CardInTheWay               // something lies or may lie in a hand, or a card lies front down
	ContainerInTheWay          // a container does not hold exactly what it was set up with
)

// Copy is a state of a table with which another table can be set up.
type Copy struct {
	Places []Place    // the undermost first
	Names  []id.Piece // the names of the pieces at these places; 0 for those in containers
	Stacks [][]int    // the places of each stack that must be shuffled
}

// Copy returns the state of the table, to set up another one with it (T57). A container has what it
// was set up with, in an order that reveals nothing of the order here: the caller that sets up the
// copy must shuffle the stacks. In the copy nobody holds or owns anything, and clocks stand. If
// something is in the way, Copy returns nil and the reason.
func (t *Table) Copy(now id.Millis) (*Copy, InTheWay) {
	if way := t.inTheWay(); way != NothingInTheWay {
		return nil, way
	}
	c, at := &Copy{}, map[id.Piece]int{}
	for _, o := range []*order{&t.heavy, &t.light} {
		for p := range o.upwards(nil) {
			c.Places = append(c.Places, t.copied(p, now))
			c.Names = append(c.Names, p.name)
			at[p.name] = len(c.Places)
		}
	}
	for i, name := range c.Names {
		c.Places[i].Home = at[t.names[name].state.Home]
		// Its home may be gone.
		c.Places[i].State.Native = c.Places[i].State.Native && c.Places[i].Home != 0
	}
	for i, name := range slices.Clone(c.Names) {
		if p := t.names[name]; t.kind(p).Container.Holds {
			c.fill(t, p, i+1)
		}
	}
	return c, NothingInTheWay
}

// copied returns the place of a piece that lies open on the table. Heavy ones keep their names, by
// which the catalogue refers to them: as hands of sides, and as what is attached.
func (t *Table) copied(p *piece, now id.Millis) Place {
	k, s := t.kind(p), &p.state
	c := s.own()
	c.X, c.Y, c.Angle, c.Pinned, c.Locked, c.Native = s.X, s.Y, s.Angle, s.Pinned, s.Locked, s.Native
	to := Place{Kept: true, State: k.ability().copied(k, c, now)}
	if k.Heavy && !drawn(p.name) {
		to.Name = p.name
	}
	return to
}

// fill adds what lies in a container, by its kinds alone.
func (c *Copy) fill(t *Table, container *piece, in int) {
	kinds := kindsOf(t.contents(container).all())
	slices.Sort(kinds)
	var stack []int
	for _, kind := range kinds {
		stack = append(stack, len(c.Places))
		c.Places = append(c.Places, Place{In: in, State: State{Kind: kind}})
		c.Names = append(c.Names, 0)
	}
	if !t.kind(container).Container.Random && len(stack) > 0 {
		c.Stacks = append(c.Stacks, stack)
	}
}

// inTheWay returns why the state of the table cannot be copied. It looks at each piece once.
func (t *Table) inTheWay() InTheWay {
	if len(t.sets) > 0 {
		return SetInTheWay
	}
	if t.curtained() {
		return CardInTheWay
	}
	for _, p := range t.pieces {
		t.looks++
		if !t.inContainer(&p.state) && !t.bare(&p.state) {
			return CardInTheWay
		}
	}
	for _, c := range t.containers.all {
		// Nobody knows whether it is empty.
		uncounted := t.kind(c).Uncounted
		if (uncounted || t.contents(c).n > 0) && !t.whole(c) {
			return ContainerInTheWay
		}
	}
	return NothingInTheWay
}
