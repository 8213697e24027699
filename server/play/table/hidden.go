package table

import (
	"slices"

	"holt/server/id"
)

// HiddenEver is the Since of a piece about which every round may reveal something (F12).
const HiddenEver uint32 = 1

// hiddenSince returns the Since of a piece after an entry (F12). Only a shuffle of a whole
// container gives a hidden piece a later round. A piece that comes to a place where not everybody
// can follow it gets HiddenEver. No round decides anything about the secret parts of a set (T38).
func (t *Table) hiddenSince(e *Entry) uint32 {
	after := &e.After
	switch {
	case t.bare(after), t.isSecretPart(after):
		return 0
	case e.Made && (e.Seat == 0 || after.Native): // by the game file or a set's owner
		return after.Since
	case t.inHand(after), t.isOnRack(after), e.Made, after.In != e.Before.In:
		return HiddenEver
	default:
		return after.Since
	}
}

// OldestHidden returns the first round that could reveal something that is hidden from somebody. It
// reports false if no round could (F12). The result does not depend on anything that a player can
// do unseen. It looks at each container once.
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

// oldestIn returns the earliest Since of what lies in a container, 0 for none. A bag has no order.
// So nothing in it is hidden while everybody knows its contents; otherwise every round may reveal
// something, because random draws have decided what no longer lies there. If a container was
// touched since its last shuffle, not everybody knows which of its pieces have moved. Then the
// whole container counts as HiddenEver, so that the publication of a seed does not depend on it.
func (t *Table) oldestIn(c *piece) (first uint32) {
	in := t.contents(c)
	if in.n > 0 && t.kind(c).Container.Random && !t.ofOthers(in.all()) {
		if t.whole(c) {
			return 0
		}
		return HiddenEver
	}
	for p := range in.upwards(nil) {
		since := p.state.Since
		if c.touched && !t.isSecretPart(&p.state) {
			return HiddenEver
		}
		if since != 0 && (first == 0 || since < first) {
			first = since
		}
	}
	return first
}

// curtained reports whether a hand with an owner is not counted. Such a hand may always hold
// something.
func (t *Table) curtained() bool {
	for _, h := range t.hands.all {
		if t.kind(h).Uncounted {
			return true
		}
	}
	return false
}

// veil adds by to the count of veiled pieces if a piece in that state is hidden outside containers.
func (t *Table) veil(s *State, by int) {
	if s.Since != 0 && !s.Gone && !t.inContainer(s) {
		t.veiled += by
	}
}

// whole reports whether everybody knows what lies in a container that stands open on the table,
// though not in which order: exactly what was set up in it, except what lies open elsewhere (F12).
// It looks once at each piece whose home it is.
func (t *Table) whole(c *piece) bool {
	if c.spoiled || !t.open(&c.state) {
		return false
	}
	own := map[uint32]int{} // how many were set up in it, by the kind as which everybody sees them
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
		// It came there later. A viewer of one like it elsewhere cannot tell which of them it is.
		default:
			adopted = true
			continue
		}
		own[t.seenAs(s.Kind)]++
	}
	if in != t.contents(c).n {
		return false
	}
	masked := t.kind(c).Container.Masked
	return !out && !c.loose && !adopted || (masked || !c.loose) && t.alone(own)
}

// alone reports whether no other pieces look like those that were counted.
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

// isSecretPart reports whether a piece in that state is a secret part of a set. No round decides
// anything about these (T38).
func (t *Table) isSecretPart(s *State) bool { return !s.Set.IsZero() && t.kinds[s.Kind].Secret }

// ofOthers reports whether any of the pieces is a secret part of a set.
func (t *Table) ofOthers(pieces []*piece) bool {
	return slices.ContainsFunc(pieces, func(p *piece) bool { return t.isSecretPart(&p.state) })
}

// disturb notes in containers how an entry about a piece changes what everybody knows of them
// (F12): something came in other than by a recall, or something was deleted while not everybody
// knew what it was or where it belonged.
func (t *Table) disturb(e *Entry) {
	b, a := &e.Before, &e.After
	var c *piece // the container into which it came, other than as it was set up
	if a.In != 0 && a.In != b.In && t.inContainer(a) {
		c = t.names[a.In]
	}
	if c != nil && !a.Gone && !(e.Made && a.Native && e.Client == (id.Client{})) {
		c.touched = true
	}
	switch {
	case e.Notice && e.Op == OpRecall:
		// That of a player may leave something in the hands of others (T30.30).
		if who, _ := t.Seat(e.Seat); e.Whole || who.Role.Hosts() {
			t.names[e.Name].loose = false
		}
	case e.Notice, e.Made && a.Native, e.unmakes():
	// A set leaves as a whole, and a merged heap goes on in the other one.
	case e.Op == OpTake && b.In != 0, e.Op == OpMerge:
	case a.Gone:
		t.spoil(b)
	case c != nil && e.Op != OpRecall:
		c.loose = true
	}
}

// unmakes reports whether an entry takes back that somebody added a piece into a container (T101).
// It lies there yet, so everybody knows that nothing else is gone.
func (e *Entry) unmakes() bool {
	b := &e.Before
	return e.Op == OpUndo && !e.Made && e.After.Gone && b.Native && b.In == b.Home
}

// spoil notes that a piece in that state was deleted. From then on nobody knows what belongs into
// the containers in which it could have been set up. That does not hold for a container if
// everybody saw what the piece was, and all pieces that look like it belong into that container.
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

// natives counts the pieces that were set up in a container: by the kind as which everybody sees
// them, and those that are not of a secret kind.
type natives struct {
	kinds map[uint32]int
	open  int
}

// bear adds by to the counts of what was set up in the home of a piece in that state.
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
	return s.Gone || t.open(s) && !t.isBack(s) && !t.isOnRack(s)
}
