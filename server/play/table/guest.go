package table

import (
	"fmt"
	"maps"
	"slices"

	"holt/server/id"
)

// MaxParts is the most parts that a set may have, the container included.
const MaxParts = 4096

// Away says why the owner of a set cannot be reached (T39). The numbers are those of the wire.
type Away uint8

// The reasons.
const (
	AwayNone     Away = 0 // the owner can be reached
	AwayCreator  Away = 1 // nobody knows where the owner is
	AwayOwner    Away = 2 // the owner does not answer
	AwayFrozen   Away = 3 // the set is in the middle of a move
	AwayStranger Away = 4 // the set belongs to a server that is not linked with this one
	AwayLost     Away = 5 // the owner has lost the set
)

var awayNames = [...]string{
	AwayNone: "", AwayCreator: "creator", AwayOwner: "owner", AwayFrozen: "frozen",
	AwayStranger: "stranger", AwayLost: "lost",
}

// String returns the reason as JSON has it (http.md), or "" if the owner can be reached.
func (a Away) String() string {
	if int(a) < len(awayNames) {
		return awayNames[a]
	}
	return "unknown"
}

// Stage says what the server still has to do for a set.
type Stage uint8

// The stages of a set. In the last one the set is forgotten.
const (
	StageHere   Stage = 0 // nothing: it lies on the table
	StageReturn Stage = 1 // it has left the table: inform its owner (T40)
	StageMake   Stage = 2 // pieces of the table have left it: make a set of them (T40)
	StageOver   Stage = 3 // nothing any more
)

// SetInfo is a set that is a guest on the table, or has left it (T37, T40).
type SetInfo struct {
	Set    id.OID
	Number uint32  // its number in all views, from 1; 0: no view knows it
	Seat   id.Seat // the seat that put it on the table, or took it off
	// Shuffles is the number of the last shuffle that the owner has reported. Kinds from before
	// that shuffle are worthless (T38).
	Shuffles uint64
	Away     Away
	Until    id.Millis // while it is away: when the owner is asked again; 0: unknown
	Stage    Stage
	Parts    []SetPart // after it has left: in order, the container first, then the undermost
}

// SetPart is a part of a set as it comes to a table or leaves it.
type SetPart struct {
	Part  uint32
	Kind  uint32 // 0 for a guest that leaves: its owner knows the kind
	Face  int32
	Value int32
	Text  string
}

// guest is a set, with the number of updates that wait for answers about it.
type guest struct {
	info   SetInfo
	asking int
}

// Sets returns the guests on the table and the sets for which the server still has something to do,
// in the order of their identifiers. The caller must not change their parts.
func (t *Table) Sets() []SetInfo { return t.everySet() }

// Set returns a set, or false if the table does not know it.
func (t *Table) Set(set id.OID) (SetInfo, bool) {
	g := t.sets[set]
	if g == nil {
		return SetInfo{}, false
	}
	return g.info, true
}

func (t *Table) everySet() []SetInfo {
	var all []SetInfo
	for _, set := range slices.SortedFunc(maps.Keys(t.sets), func(a, b id.OID) int {
		return slices.Compare(a[:], b[:])
	}) {
		all = append(all, t.sets[set].info)
	}
	return all
}

// numberOf returns the number of a set in views, 0 for none.
func (t *Table) numberOf(set id.OID) uint32 {
	if len(t.sets) == 0 {
		return 0
	}
	if g := t.sets[set]; g != nil {
		return g.info.Number
	}
	return 0
}

// isAway reports whether the owner of a set is away and must not be asked again yet. It reports
// false for the table's own pieces.
func (t *Table) isAway(set id.OID, now id.Millis) bool {
	g := t.sets[set]
	return g != nil && g.info.IsAway(now)
}

// IsAway reports whether the owner is away and must not be asked again yet (T39).
func (s *SetInfo) IsAway(now id.Millis) bool {
	return s.Away != AwayNone && (s.Until == 0 || now < s.Until)
}

// recordSet records the new state of a set.
func (t *Table) recordSet(op Op, info SetInfo, seat id.Seat, now id.Millis) {
	t.record(Entry{At: now, Op: op, Seat: seat, Server: true, Set: &info})
}

// setContinues returns an error if a recorded set does not follow from the state of the table.
func (t *Table) setContinues(info *SetInfo) error {
	switch g := t.sets[info.Set]; {
	case info.Set.IsZero():
		return fmt.Errorf("a set without an identifier")
	case g != nil && g.info.Number != info.Number,
		g == nil && info.Number != 0 && info.Number != t.lastSet+1:
		return fmt.Errorf("set %v has the number %d", info.Set, info.Number)
	case g == nil && info.Stage == StageOver:
		return fmt.Errorf("no set %v", info.Set)
	}
	return nil
}

func (t *Table) applySet(info SetInfo) {
	t.lastSet = max(t.lastSet, info.Number)
	switch g := t.sets[info.Set]; {
	case info.Stage == StageOver:
		delete(t.sets, info.Set)
	case g != nil:
		g.info = info
	default:
		t.sets[info.Set] = &guest{info: info}
	}
}

// SetAway records that the owner of a guest is away, or back (T39). It reports false and records
// nothing if that is known already, or if the set is not a guest.
func (t *Table) SetAway(set id.OID, away Away, until, now id.Millis) bool {
	g := t.sets[set]
	if away == AwayNone {
		until = 0
	}
	if g == nil || g.info.Stage != StageHere || g.info.Away == away && g.info.Until == until {
		return false
	}
	info := g.info
	info.Away, info.Until = away, until
	t.recordSet(OpGuest, info, 0, now)
	return true
}

// GiveBack records that a set must be given back that is not on the table, though its owner may
// believe so (T41).
func (t *Table) GiveBack(set id.OID, seat id.Seat, now id.Millis) {
	if t.sets[set] == nil {
		t.recordSet(OpErrand, SetInfo{Set: set, Seat: seat, Stage: StageReturn}, seat, now)
	}
}

// Finish records that nothing is left to do for a set that has left the table (T40).
func (t *Table) Finish(set id.OID, now id.Millis) {
	if g := t.sets[set]; g != nil && g.info.Stage != StageHere {
		info := g.info
		info.Stage, info.Parts = StageOver, nil
		t.recordSet(OpErrand, info, 0, now)
	}
}

// unknownOf returns the unknown kind of a mask. There is one if a set has come with secret kinds of
// that mask. Otherwise it returns the mask.
func (t *Table) unknownOf(mask uint32) uint32 {
	for i := range t.kinds {
		if t.kinds[i].Unknown && t.kinds[i].Mask == mask {
			return uint32(i)
		}
	}
	return mask
}

// anyUnknown reports whether the kind of any of the pieces is unknown.
func (t *Table) anyUnknown(pieces []*piece) bool {
	return slices.ContainsFunc(pieces, func(p *piece) bool { return t.kind(p).Unknown })
}

// unread reports whether somebody may see the front of a piece in that state while the table does
// not know it (T38).
func (t *Table) unread(s *State) bool {
	return t.kinds[s.Kind].Unknown && !s.Gone &&
		(t.inHand(s) || t.isOnRack(s) || t.open(s) && !t.isBack(s))
}

// homeOf returns the home of a copy. A copy of a part is the table's own and has no home (T37).
func (t *Table) homeOf(s *State) id.Piece {
	if s.Set.IsZero() {
		return s.Home
	}
	return 0
}

// Unread reports whether an entry lets somebody see the front of a part that the table does not
// know. Then the owner must be asked (T38).
func (t *Table) Unread(e *Entry) bool { return e.OfPiece() && t.unread(&e.After) }

// Wanted returns the parts of a guest whose kinds the owner must be asked for, ascending: those
// whose front somebody may see. With values it also returns the counters, whose values may have
// changed without the table.
func (t *Table) Wanted(set id.OID, values bool) []uint32 {
	g := t.sets[set]
	if g == nil || g.info.Stage != StageHere {
		return nil
	}
	var parts []uint32
	for _, p := range t.members[set].all() {
		s := &p.state
		if t.unread(s) || values && t.kinds[s.Kind].ability().isChangedByOwner() {
			parts = append(parts, s.Part)
		}
	}
	slices.Sort(parts)
	return parts
}

// Learn records what the owner of a guest has said of its parts, if somebody may still see it
// (T38). An answer from before a shuffle is ignored. Kinds are kinds of the table. Learn reports
// whether the answer is possible.
func (t *Table) Learn(set id.OID, shuffles uint64, parts []SetPart, now id.Millis) bool {
	g := t.sets[set]
	if g == nil || shuffles < g.info.Shuffles {
		return true
	}
	said := make(map[uint32]*SetPart, len(parts))
	for i := range parts {
		said[parts[i].Part] = &parts[i]
	}
	fits := true
	var of []*piece
	for _, p := range t.members[set].all() {
		if said[p.state.Part] != nil {
			of = append(of, p)
		}
	}
	slices.SortFunc(of, t.byPlace)
	for _, p := range of {
		s := p.state
		is := said[s.Part]
		switch k := &t.kinds[s.Kind]; {
		case t.unread(&s) && !t.stands(s.Kind, is.Kind):
			fits = false
		case t.unread(&s):
			s.Kind = is.Kind
		default:
			s = k.ability().learn(k, s, is)
		}
		if s != p.state {
			t.serve(p, OpReveal, 0, now, s)
		}
	}
	return fits
}

// stands reports whether the unknown kind may stand for kind.
func (t *Table) stands(unknown, kind uint32) bool {
	if int64(kind) >= int64(len(t.kinds)) {
		return false
	}
	k := &t.kinds[kind]
	return k.Secret && !k.Unknown && k.Mask == t.kinds[unknown].Mask
}
