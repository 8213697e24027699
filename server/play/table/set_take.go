package table

import (
	"slices"

	"holt/server/id"
)

// How a set is taken off the table, and how pieces of the table become a set (T40).

func init() {
	define(rows{
		OpTake: {Name: "take", Traits: NeedsFree | NeedsUnpinned | MakesPiece | Fence, Forms: []Form{{
			Required:  blind,
			Condition: "who may, see T40",
			Ack:       "name of the container, or of the piece",
			Rejects: []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonNotAllowed, ReasonHidden,
				ReasonScattered, ReasonTableFull},
		}}, run: (*judging).take, weigh: (*weighing).take},
	})
}

// take judges the taking of a set off the table: a guest, or pieces of the table that become a set
// (T40).
func (j *judging) take() Outcome {
	t, s := j.t, j.p.state
	members, reason := j.membersToTake(&s)
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
		j.shuffleParts(info.Parts)
	}
	for i, p := range slices.Backward(members) { // the container is the last one
		after := p.state
		after.Gone = true
		t.record(j.about(p, after, i == 0 && j.by.Client != (id.Client{})))
	}
	t.recordSet(op, info, j.by.Seat, j.in.Now)
	return Outcome{Verdict: Recorded}
}

// shuffleParts brings the secret parts of a new set into an order that no round reveals. The order
// made by the table's random draws would become known when their seeds are revealed (F12).
func (j *judging) shuffleParts(parts []SetPart) {
	var secret []int
	for i := range parts {
		if i > 0 && j.t.kinds[parts[i].Kind].Secret {
			secret = append(secret, i)
		}
	}
	j.shuffleUnproved(len(secret), func(a, b int) {
		a, b = secret[a], secret[b]
		parts[a], parts[b] = parts[b], parts[a]
	})
	for i := range parts {
		parts[i].Part = uint32(i)
	}
}

// membersToTake returns the pieces that leave the table with the piece of the update. First comes
// the container, or the single piece; then what lies in it, the undermost first; then what lies
// elsewhere. If something is in the way, it returns the reason (T40).
func (j *judging) membersToTake(s *State) ([]*piece, Reason) {
	t, g := j.t, j.t.sets[s.Set]
	switch {
	case !t.bring, g != nil && g.info.Seat != j.by.Seat && !j.by.Role.Hosts(),
		g == nil && !j.by.Role.Hosts(), t.kinds[s.Kind].Hand:
		return nil, ReasonNotAllowed
	case g == nil && t.concealed(s, j.by.Seat):
		return nil, ReasonHidden
	case g != nil && g.asking > 0:
		return nil, ReasonScattered
	}
	members := j.setMembers(s)
	for i, p := range members {
		switch {
		case !j.isFree(p, members[0]):
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
		k := t.kind(p)
		needs[p.state.Kind] = true
		if k.Secret {
			needs[k.Mask] = true
		}
		size += partBytes + k.maxTextBytes()
	}
	return size <= maxSetBytes && len(needs) <= maxSetKinds
}

// setMembers returns the pieces that belong to one set with the piece of the update.
func (j *judging) setMembers(s *State) []*piece {
	t, first := j.t, j.p
	holds := t.kinds[s.Kind].Container.Holds
	var rest []*piece
	for _, p := range t.members[s.Set].all() {
		if t.kind(p).Container.Holds {
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

// isFree reports whether a piece lies in its container, or free and open on the table.
func (j *judging) isFree(p, container *piece) bool {
	s := &p.state
	held := s.Holder != 0 && s.Holder != j.by.Seat
	inside := p != container && s.In == container.name
	return inside || j.t.open(s) && j.t.handles(s, j.by.Seat) && !held && !s.Pinned && !s.Locked
}

// take weighs the taking of a set off the table.
func (w *weighing) take(_ *Update, p *piece) {
	if p == nil {
		return
	}
	n := 1 + len(w.t.members[p.state.Set].all())
	if p.state.Set.IsZero() {
		n = 1 + len(w.t.homes[p.name].all()) + w.t.contents(p).n
	}
	n = w.pieces(n)
	w.records(n)
	w.Entries++
	w.Bytes += entryBytes + n*partBytes + min(w.t.lengths.wordy+n*(fewBytes+w.text), n*MaxText)
	w.Looks += n + int(sorting(n))  //nolint:gosec // small
	w.Looks += n * len(w.t.natives) // a piece may be missed where it could have been set up (F12)
}
