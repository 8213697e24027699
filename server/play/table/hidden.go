package table

import "slices"

// HiddenEver is the Since of a piece about which every round may tell something (F12).
const HiddenEver uint32 = 1

// hiddenSince returns the Since of a piece after an entry (F12). A shuffle of a whole container is
// the only thing that gives a hidden piece a later round; whatever comes to a place where not
// everybody can follow it gets HiddenEver. No round decides anything about the secret parts of a
// set (T38).
func (t *Table) hiddenSince(e *Entry) uint32 {
	after := &e.After
	switch {
	case t.bare(after), t.secretly(after):
		return 0
	case e.Made && (e.Seat == 0 || after.Native): // as the game file or the owner of a set put it
		return after.Since
	case t.inHand(after), e.Made, after.In != e.Before.In:
		return HiddenEver
	default:
		return after.Since
	}
}

// OldestHidden returns the first round that could tell something about what is hidden from
// somebody; false if none could (F12). It depends on nothing that a player can do unseen. Its cost
// is that of one look at all containers.
func (t *Table) OldestHidden() (round uint32, found bool) {
	if t.veiled > 0 || t.curtained() {
		return HiddenEver, true
	}
	for _, c := range t.containers.all {
		first := t.oldestIn(c)
		if first != 0 && (!found || first < round) {
			round, found = first, true
		}
	}
	return round, found
}

// oldestIn returns the earliest Since of what lies in a container, 0 for none. A bag has no order:
// of what lies in it nothing is hidden while everybody knows what that is, and else every round may
// tell something, since lots have decided what lies there no more. A container that was touched since
// its last shuffle counts whole: which of its pieces have moved since is not known to everybody, so
// it must not depend on that when a seed is told.
func (t *Table) oldestIn(c *piece) (first uint32) {
	in := t.contents(c)
	if in.n > 0 && t.kinds[c.state.Kind].Container.Random && !t.ofOthers(in.all()) {
		if t.whole(c) {
			return 0
		}
		return HiddenEver
	}
	for p := range in.upwards(nil) {
		since := p.state.Since
		if c.touched && !t.secretly(&p.state) {
			return HiddenEver
		}
		if since != 0 && (first == 0 || since < first) {
			first = since
		}
	}
	return first
}

// curtained reports whether somebody has a hand of which nobody is told how much lies in it. It may
// always hold something.
func (t *Table) curtained() bool {
	for _, h := range t.hands.all {
		if t.kinds[h.state.Kind].Uncounted {
			return true
		}
	}
	return false
}

// veil counts a piece in that state in, or out, if it is hidden outside containers.
func (t *Table) veil(s *State, by int) {
	if s.Since != 0 && !s.Gone && !t.inContainer(s) {
		t.veiled += by
	}
}

// whole reports whether everybody knows what lies in a container that stands open on the table,
// though not in which order: exactly what was set up in it, but for what lies open elsewhere (F12).
// Its cost is that of one look at all that is at home there.
func (t *Table) whole(c *piece) bool {
	if c.spoiled || !t.open(&c.state) {
		return false
	}
	own := map[uint32]int{} // how many were set up in it, by what they are seen as
	in, out, adopted := 0, false, false
	for _, p := range t.homes[c.name].all() {
		t.looks++
		s := &p.state
		switch {
		case s.Native && s.In == c.name:
			in++
		case s.Native && t.bare(s):
			out = true
		case s.Native:
			return false
		default: // it came there later: who sees one like it elsewhere cannot tell which of them it is
			adopted = true
			continue
		}
		own[t.seenAs(s.Kind)]++
	}
	if in != t.contents(c).n {
		return false
	}
	masked := t.kinds[c.state.Kind].Container.Masked
	return !out && !c.loose && !adopted || (masked || !c.loose) && t.alone(own)
}

// alone reports whether there are no other pieces that are seen as those that were counted.
func (t *Table) alone(own map[uint32]int) bool {
	for kind, n := range own {
		if t.alike[kind] != n {
			return false
		}
	}
	return true
}

// seenAs returns the kind as which everybody sees a piece whose front is hidden.
func (t *Table) seenAs(kind uint32) uint32 {
	if k := &t.kinds[kind]; k.Secret {
		return k.Mask
	}
	return kind
}

// secretly reports whether a piece in that state is a secret part of a set: about these no round
// decides anything (T38).
func (t *Table) secretly(s *State) bool { return !s.Set.IsZero() && t.kinds[s.Kind].Secret }

// ofOthers reports whether there are secret parts of a set among pieces.
func (t *Table) ofOthers(pieces []*piece) bool {
	return slices.ContainsFunc(pieces, func(p *piece) bool { return t.secretly(&p.state) })
}

// disturb notes in containers what an entry about a piece does to what everybody knows of them
// (F12): what came in otherwise than by a recall, and what was deleted while not everybody knew
// what it was, or where it belonged.
func (t *Table) disturb(e *Entry) {
	b, a := &e.Before, &e.After
	var c *piece // into which it came
	if a.In != 0 && a.In != b.In && t.inContainer(a) {
		c = t.names[a.In]
	}
	if c != nil && !a.Gone && !(e.Made && a.Native) {
		c.touched = true
	}
	switch {
	case e.Notice && e.Op == OpRecall:
		t.names[e.Name].loose = false
	case e.Notice, e.Made && a.Native:
	case e.Op == OpTake && b.In != 0, e.Op == OpMerge: // a set leaves as a whole, and what was merged is in another heap
	case a.Gone:
		t.spoil(b)
	case c != nil && e.Op != OpRecall:
		c.loose = true
	}
}

// spoil notes that a piece in that state was deleted. Nobody knows any more what belongs into the
// containers whose it could have been, unless everybody saw what it was, and all that are seen as
// it is belong into the same one.
func (t *Table) spoil(s *State) {
	kind, bare, secret := t.seenAs(s.Kind), t.bare(s), t.kinds[s.Kind].Secret
	for name, n := range t.natives {
		t.looks++
		own, c := n.kinds[kind], t.names[name]
		could := own > 0 || !bare && !secret && n.open > 0
		if could && c != nil && !(bare && own == t.alike[kind]) {
			c.spoiled = true
		}
	}
}

// natives is how many pieces there are that were set up in a container, by what they are seen as, and how many of them are of no
// secret kind.
type natives struct {
	kinds map[uint32]int
	open  int
}

// bear counts a piece in that state among those that were set up in its home, or not any more.
func (t *Table) bear(s *State, by int) {
	if !s.Native {
		return
	}
	n := t.natives[s.Home]
	if n == nil {
		n = &natives{kinds: map[uint32]int{}}
		t.natives[s.Home] = n
	}
	if n.kinds[t.seenAs(s.Kind)] += by; n.kinds[t.seenAs(s.Kind)] == 0 {
		delete(n.kinds, t.seenAs(s.Kind))
	}
	if !t.kinds[s.Kind].Secret {
		n.open += by
	}
	if len(n.kinds) == 0 {
		delete(t.natives, s.Home)
	}
}

// bare reports whether everybody sees what a piece in that state is.
func (t *Table) bare(s *State) bool {
	return s.Gone || t.open(s) && (!t.kinds[s.Kind].Secret || s.Face == 0)
}
