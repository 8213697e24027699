package game

import "fmt"

// readPlacements reads the pieces of a game file in the order of the file. It also returns where
// the pieces of each entry begin. It gives g what is foreign in them and what they lie on, if the
// file is of the second format: both by the places of pieces in placed, so that place has to change
// them. g must have its kinds and its table.
func readPlacements(root object, g *Game, of placeOf) (placed []Placement, entries []int) {
	r := root.r
	list := root.list("pieces", 0, MaxPieces)
	if r.err != nil {
		return nil, nil
	}
	var more, alone []string
	switch of {
	case ofFirst:
	case ofSecond:
		more, alone = []string{"foreign"}, []string{"on"}
	case ofSetup:
		alone = []string{"piece"}
	}
	p := placing{g: g, byName: make(map[string]int, len(g.Kinds))}
	for i, k := range g.Kinds {
		p.byName[k.Name] = i
	}
	for i, v := range list {
		where := fmt.Sprintf("piece %d", i)
		if of == ofSetup {
			where = root.where + ": " + where
		}
		entries = append(entries, len(p.placed))
		fields := append([]string{"x", "y", "angle", "face", "pinned", "locked", "shuffled"}, more...)
		if _, ok := v.members["stack"]; ok {
			p.stack(r.object(v, where, append(fields, "stack", "step")...))
			if o := (object{r: r, where: where, at: v.at, members: v.members}); of == ofSetup &&
				o.boolean("shuffled") {
				o.fail(o.get("shuffled"), "shuffled: of a set-up only what a container holds is shuffled")
			}
		} else {
			p.single(r.object(v, where, append(append(fields, "kind", "holds"), alone...)...))
		}
		if o := (object{r: r, where: where, at: v.at, members: v.members}); o.has("foreign") {
			g.Foreign.Pieces = put(g.Foreign.Pieces, entries[i], o.kept("foreign", MaxForeign))
		}
		if r.err != nil {
			return nil, nil
		}
	}
	if of != ofSetup {
		g.Attached = readAttached(r, g, list, p.placed, entries)
	}
	return p.placed, entries
}

// placeOf says where pieces stand: in a game file of the first format, or of the second one, or in
// a set-up.
type placeOf int

const (
	ofFirst placeOf = iota
	ofSecond
	ofSetup
)

// placing is the state of placing the pieces of one game.
type placing struct {
	g      *Game
	byName map[string]int
	placed []Placement
	groups int
}

// single places one piece and, if it is a container, what lies in it.
func (p *placing) single(o object) {
	at := p.spot(o)
	v, ok := o.want("kind", aText)
	switch {
	case !ok || !p.put(o, v, at):
	case o.has("holds"):
		p.fill(o, len(p.placed)-1)
	case o.has("shuffled"):
		o.fail(o.get("shuffled"), "only what a container holds, or a stack, is shuffled")
	}
}

// fill puts into a container what it holds, the first one at the bottom.
func (p *placing) fill(o object, in int) {
	box := p.placed[in]
	kind := &p.g.Kinds[box.Kind]
	if !kind.Container.Holds() {
		o.fail(o.get("holds"), "holds: %q is not a container", kind.Name)
		return
	}
	if kind.Container.Draws == drawsRandom && o.boolean("shuffled") {
		o.fail(o.get("shuffled"), "shuffled: %q draws at random, so what it holds has no order",
			kind.Name)
	}
	within := Placement{X: box.X, Y: box.Y, Angle: box.Angle, In: in, Group: p.group(o)}
	for _, v := range p.names(o, "holds") {
		inside, ok := p.byName[v.text]
		if ok && !kind.Container.takes(&p.g.Kinds[inside]) {
			o.fail(v, "%q does not go into %q", v.text, kind.Name)
		}
		within.Face = 0
		if ok && p.g.Kinds[inside].Secret {
			within.Face = 1 // front down (T29)
		}
		if !p.put(o, v, within) {
			return
		}
		if within.Group != 0 {
			p.checkAlike(o, v, p.placed[in+1].Kind, p.placed[len(p.placed)-1].Kind)
		}
	}
}

// names returns the names of kinds in a list, in which a deck stands for all its pieces.
func (p *placing) names(o object, field string) (all []value) {
	for i, v := range o.list(field, 1, MaxPieces) {
		where := fmt.Sprintf("%s: %s: entry %d", o.where, field, i)
		switch v.kind {
		case aText:
			all = append(all, v)
		case anObject:
			entry := o.r.object(v, where, "deck")
			d := p.g.decks[entry.text("deck", MaxName)]
			if d == nil {
				entry.fail(entry.get("deck"), "there is no deck %q", entry.get("deck").text)
				return nil
			}
			if d.size == 0 {
				entry.fail(entry.get("deck"), "the deck %q has no pieces", entry.get("deck").text)
			}
			for n, kind := range d.kinds {
				for range d.counts[n] {
					all = append(all, value{at: v.at, kind: aText, text: kind})
				}
			}
		default:
			o.fail(v, "%s: entry %d: want %s or a deck, not %s", field, i, aText, v.kind)
		}
		if len(all) > MaxPieces {
			o.fail(v, "there are more than %d pieces", MaxPieces)
		}
		if o.r.err != nil {
			return nil
		}
	}
	return all
}

// group returns the number of a new group for pieces that must be shuffled, 0 if they keep their
// order.
func (p *placing) group(o object) int {
	if !o.boolean("shuffled") {
		return 0
	}
	p.groups++
	return p.groups
}

// stack places pieces on top of each other, the first one at the bottom, each a step away from the
// one below.
func (p *placing) stack(o object) {
	at := p.spot(o)
	dx, dy := int32(0), int32(0)
	if o.has("step") {
		s := o.r.object(o.get("step"), o.where+": step", "x", "y")
		dx, dy = s.optional("x", -1000, 1000), s.optional("y", -1000, 1000)
	}
	at.Group = p.group(o)
	bottom := len(p.placed)
	for _, v := range p.names(o, "stack") {
		if !p.put(o, v, at) {
			return
		}
		at.X, at.Y = at.X+dx, at.Y+dy
		if at.Group != 0 {
			p.checkAlike(o, v, p.placed[bottom].Kind, p.placed[len(p.placed)-1].Kind)
		}
	}
}

// checkAlike fails unless kind b can take the place of kind a in a shuffled stack: otherwise the
// order of weights would depend on chance (T25), or the back would tell the cards apart (T26).
func (p *placing) checkAlike(o object, v value, a, b int) {
	ka, kb := p.g.Kinds[a], p.g.Kinds[b]
	if ka.Weight != kb.Weight || ka.Secret != kb.Secret || ka.Mask != kb.Mask {
		o.fail(v,
			"%q and %q cannot be shuffled together: weight, secrecy and mask must be the same",
			ka.Name, kb.Name)
	}
}

// spot reads the place, angle and face of pieces, and whether they are pinned or locked.
func (p *placing) spot(o object) Placement {
	return Placement{
		X:      o.integer("x", -p.g.Width/2, p.g.Width/2),
		Y:      o.integer("y", -p.g.Height/2, p.g.Height/2),
		Angle:  o.optional("angle", 0, FullTurn-1),
		Face:   int(o.optional("face", 0, MaxFaces-1)),
		Pinned: o.boolean("pinned"),
		Locked: o.boolean("locked"),
		In:     NotIn,
	}
}

// put adds a piece of the kind that v names. It reports whether there is no error.
func (p *placing) put(o object, v value, at Placement) bool {
	kind, ok := p.byName[v.text]
	faces := 0
	if ok {
		faces = len(p.g.Kinds[kind].Faces)
	}
	switch {
	case o.r.err != nil:
	case !ok:
		o.fail(v, "no kind %q", v.text)
	case at.Face >= faces:
		o.fail(o.get("face"), "face: %q has no face %d, the last one is %d", v.text, at.Face,
			faces-1)
	case abs(at.X) > p.g.Width/2 || abs(at.Y) > p.g.Height/2:
		o.fail(v, "stack: %q would lie outside the table, at x %d, y %d", v.text, at.X, at.Y)
	case len(p.placed) == MaxPieces:
		o.fail(v, "there are more than %d pieces", MaxPieces)
	default:
		at.Kind = kind
		p.placed = append(p.placed, at)
	}
	return o.r.err == nil
}

// inDrawingOrder returns the pieces with the heavy ones first (T25), and the new index of each.
func inDrawingOrder(pieces []Placement, kinds []Kind) (sorted []Placement, now []int) {
	heavy := func(i int) bool { return kinds[pieces[i].Kind].Weight == "heavy" }
	order := make([]int, 0, len(pieces)) // indices of pieces
	for _, first := range []bool{true, false} {
		for i := range pieces {
			if heavy(i) == first {
				order = append(order, i)
			}
		}
	}
	now = make([]int, len(pieces))
	for to, from := range order {
		now[from] = to
	}
	sorted = make([]Placement, len(pieces))
	for to, from := range order {
		sorted[to] = pieces[from]
		if in := pieces[from].In; in != NotIn {
			sorted[to].In = now[in]
		}
	}
	return sorted, now
}

func abs(n int32) int32 { return max(n, -n) }
