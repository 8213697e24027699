package table

import (
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// place judges the placing of a set on the table (T41). It asks the owner first.
func (j *judging) place() Outcome {
	if reason := j.placeable(j.u.Set, 1); reason != reasonNone {
		return j.reject(reason, 0)
	}
	j.ask = &Ask{Set: j.u.Set, What: AskHold}
	return j.defers()
}

// placeable returns the reason against placing a set with so many parts, if there is one.
func (j *judging) placeable(set id.OID, parts int) Reason {
	t := j.t
	switch {
	case !t.bring:
		return ReasonNotAllowed
	// The owner does not know yet that the set has left.
	case t.sets[set] != nil && t.sets[set].info.Stage == StageReturn:
		return ReasonAway
	case t.sets[set] != nil:
		return ReasonNotAllowed
	case parts > MaxPieces-len(t.pieces):
		return ReasonTableFull
	case !t.onTable(j.u.X, j.u.Y):
		return ReasonOffTable
	}
	return reasonNone
}

// lays puts a set on the table that its owner has given (T41).
func (j *judging) lays(set id.OID, a *Answer) Outcome {
	t, parts := j.t, a.Parts
	reason := j.placeable(set, len(parts))
	if reason == reasonNone && (!t.layable(parts) || len(j.in.OIDs) < len(parts)) {
		reason = ReasonNotAllowed
	}
	if reason != reasonNone {
		// The owner believes that the set is here.
		if t.sets[set] == nil {
			t.recordSet(OpErrand, SetInfo{Set: set, Seat: j.by.Seat, Shuffles: a.Shuffles,
				Stage: StageReturn, Parts: parts}, j.by.Seat, j.in.Now)
		}
		return j.reject(reason, 0)
	}
	t.recordSet(OpGuest, SetInfo{Set: set, Number: t.lastSet + 1, Seat: j.by.Seat,
		Shuffles: a.Shuffles}, j.by.Seat, j.in.Now)
	first := &parts[0]
	s := State{Kind: first.Kind, X: j.u.X, Y: j.u.Y, Face: first.Face, Set: set, Part: first.Part}
	t.furnish(&s, first, j.in.Now)
	z, err := t.top(t.kinds[s.Kind].Heavy, nil)
	if err != nil {
		// There is no level left. A respread comes long before that (T13).
		z = zlevel.Spread(1)[0]
	}
	s.Z = z
	j.in.OID = j.in.OIDs[0]
	j.lay(s, j.entry(Entry{}))
	j.fill(t.pieces[j.in.OID], parts[1:])
	return Outcome{Verdict: Recorded}
}

// fill puts the parts of a set into its container, the undermost first.
func (j *judging) fill(c *piece, parts []SetPart) {
	t := j.t
	levels := zlevel.Spread(len(parts))
	for i := range parts {
		part := &parts[i]
		s := State{Kind: part.Kind, Face: part.Face, Z: levels[i], ZGen: zGenSelf, Set: c.state.Set,
			Part: part.Part}
		t.furnish(&s, part, j.in.Now)
		t.stow(&s, c)
		s.Native = true
		t.record(Entry{
			At: j.in.Now, Op: OpPlace, Seat: j.by.Seat, Server: true, Made: true,
			Piece: j.in.OIDs[i+1], Name: t.lot(), After: s,
		})
	}
}

// furnish gives a part its own value and text, and whatever else its kind starts with.
func (t *Table) furnish(s *State, part *SetPart, now id.Millis) {
	k := &t.kinds[s.Kind]
	k.equip(s, now)
	if k.Counter.Counts || k.Currency != 0 {
		s.Value = part.Value
	}
	if k.Text {
		s.Text = part.Text
	}
}

// layable reports whether parts make a set that can lie on a table: one piece, or a container and
// parts that it takes.
func (t *Table) layable(parts []SetPart) bool {
	if len(parts) == 0 || len(parts) > MaxParts {
		return false
	}
	seen := map[uint32]bool{}
	for i := range parts {
		p := &parts[i]
		if int64(p.Kind) >= int64(len(t.kinds)) || seen[p.Part] {
			return false
		}
		seen[p.Part] = true
		k := &t.kinds[p.Kind]
		counts := k.Counter.Counts && (p.Value < k.Counter.Min || p.Value > k.Counter.Max) ||
			k.Currency != 0 && (p.Value < 1 || p.Value > MaxValue)
		switch {
		case k.Hand, p.Face < 0 ||
			p.Face >= k.Faces, counts, k.Text && (len(p.Text) > MaxText || !Plain(p.Text)):
			return false
		case i == 0 && len(parts) > 1 && !k.Container.Holds:
			return false
		case i > 0 && !t.takes(&piece{state: State{Kind: parts[0].Kind}}, &State{Kind: p.Kind}):
			return false
		}
	}
	return true
}

// take judges the taking of a set off the table: a guest, or pieces of the table that become a set
// (T40).
func (j *judging) take() Outcome {
	t, s := j.t, j.p.state
	members, reason := j.leaving(&s)
	if reason != reasonNone {
		return j.reject(reason, 0)
	}
	info := SetInfo{Set: j.in.OID, Seat: j.by.Seat, Stage: StageMake}
	op := OpErrand
	if g := t.sets[s.Set]; g != nil {
		info, op = g.info, OpGuest
		info.Stage, info.Away, info.Until = StageReturn, AwayNone, 0
	}
	for i, p := range members {
		part := t.partOf(p, len(members))
		if op != OpGuest {
			part.Part, part.Kind = uint32(i), p.state.Kind
		}
		info.Parts = append(info.Parts, part)
	}
	if op != OpGuest && slices.ContainsFunc(members, func(p *piece) bool {
		return p.state.Since != 0
	}) {
		j.disorder(info.Parts)
	}
	for i, p := range slices.Backward(members) { // the container is the last one
		after := p.state
		after.Gone = true
		e := Entry{At: j.in.Now, Op: OpTake, Seat: j.by.Seat, Server: true, Piece: p.oid,
			Name: p.name, Before: p.state, After: after}
		if i == 0 {
			e.Client, e.Seq, e.Digest = j.by.Client, j.u.Seq, j.u.digest()
		}
		t.record(e)
	}
	t.recordSet(op, info, j.by.Seat, j.in.Now)
	return Outcome{Verdict: Recorded}
}

// disorder brings the secret parts of a new set into an order that no round reveals. The order made
// by the table's random draws would become known when their seeds are revealed (F12).
func (j *judging) disorder(parts []SetPart) {
	var secret []int
	for i := range parts {
		if i > 0 && j.t.kinds[parts[i].Kind].Secret {
			secret = append(secret, i)
		}
	}
	j.mingle(len(secret), func(a, b int) {
		a, b = secret[a], secret[b]
		parts[a], parts[b] = parts[b], parts[a]
	})
	for i := range parts {
		parts[i].Part = uint32(i)
	}
}

// leaving returns the pieces that leave the table with the piece of the update. First comes the
// container, or the single piece; then what lies in it, the undermost first; then what lies
// elsewhere. If something is in the way, leaving returns the reason (T40).
func (j *judging) leaving(s *State) ([]*piece, Reason) {
	t, g := j.t, j.t.sets[s.Set]
	switch {
	case !t.bring, g != nil && g.info.Seat != j.by.Seat && j.by.Role != RoleHost,
		g == nil && j.by.Role != RoleHost, t.kinds[s.Kind].Hand:
		return nil, ReasonNotAllowed
	case g == nil && t.concealed(s, j.by.Seat):
		return nil, ReasonHidden
	case g != nil && g.asking > 0:
		return nil, ReasonScattered
	}
	members := j.together(s)
	for i, p := range members {
		switch {
		case !j.free(p, members[0]):
			return nil, ReasonScattered
		// A piece lies in the container and has another home (T40.9).
		case i > 0 && p.state.Home != members[0].name && g == nil:
			return nil, ReasonScattered
		}
	}
	if g == nil && !t.portable(members) || len(members) > MaxParts {
		return nil, ReasonTableFull
	}
	return members, reasonNone
}

// Bounds of what becomes a set, so that it fits into one object whatever is written on it later
// (O3).
const (
	maxSetBytes = 680_000 // of all parts; a part with a text counts with the longest text
	maxSetKinds = 254     // those of an object, less two: what a container takes, and one of it
	partBytes   = 24      // of a part without text
)

// portable reports whether pieces fit into one set.
func (t *Table) portable(members []*piece) bool {
	size, needs := 0, map[uint32]bool{}
	for _, p := range members {
		k := &t.kinds[p.state.Kind]
		needs[p.state.Kind] = true
		if k.Secret {
			needs[k.Mask] = true
		}
		if size += partBytes; k.Text {
			size += MaxText
		}
	}
	return size <= maxSetBytes && len(needs) <= maxSetKinds
}

// together returns the pieces that belong to one set with the piece of the update.
func (j *judging) together(s *State) []*piece {
	t, first := j.t, j.p
	holds := t.kinds[s.Kind].Container.Holds
	var rest []*piece
	for _, p := range t.members[s.Set].all() {
		if t.kinds[p.state.Kind].Container.Holds {
			first = p
		}
		rest = append(rest, p)
	}
	if s.Set.IsZero() && holds {
		rest = slices.Clone(t.homes[first.name].all())
		for p := range t.contents(first).upwards(nil) {
			if p.state.Home != first.name {
				rest = append(rest, p)
			}
		}
	}
	t.looks += uint64(len(rest)) + sorting(len(rest))
	rest = slices.DeleteFunc(rest, func(p *piece) bool { return p == first })
	slices.SortFunc(rest, func(a, b *piece) int {
		switch in, other := a.state.In == first.name, b.state.In == first.name; {
		case in && other && above(b, a), in && !other:
			return -1
		case in, other:
			return 1
		default:
			return t.byPlace(a, b)
		}
	})
	return append([]*piece{first}, rest...)
}

// free reports whether a piece lies in its container, or free and open on the table.
func (j *judging) free(p, container *piece) bool {
	s := &p.state
	held := s.Holder != 0 && s.Holder != j.by.Seat
	inside := p != container && s.In == container.name
	return inside || j.t.open(s) && !held && !s.Pinned && !s.Locked
}
