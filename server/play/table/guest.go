package table

import (
	"fmt"
	"maps"
	"slices"

	"holt/server/id"
)

// MaxParts is how many parts a set may have, the container counted.
const MaxParts = 4096

// Away says why the owner of a set cannot be reached (T39). The numbers are those of the wire.
type Away uint8

// The reasons.
const (
	AwayNone     Away = 0 // it can
	AwayCreator  Away = 1 // nobody knows where it is
	AwayOwner    Away = 2 // it does not answer
	AwayFrozen   Away = 3 // it is in the middle of a move
	AwayStranger Away = 4 // it belongs to a server that is not linked with this one
	AwayLost     Away = 5 // its owner has lost it
)

var awayNames = [...]string{
	AwayNone: "", AwayCreator: "creator", AwayOwner: "owner", AwayFrozen: "frozen", AwayStranger: "stranger", AwayLost: "lost",
}

// String returns the reason as JSON has it (http.md); nothing if the owner can be reached.
func (a Away) String() string {
	if int(a) < len(awayNames) {
		return awayNames[a]
	}
	return "unknown"
}

// Stage says what is to be done for a set.
type Stage uint8

// The stages of a set. It ends in the last one, in which it is forgotten.
const (
	StageHere   Stage = 0 // nothing: it lies on the table
	StageReturn Stage = 1 // it has left the table, and its owner is to be told (T40)
	StageMake   Stage = 2 // pieces of the table have left it, and are to become a set (T40)
	StageOver   Stage = 3 // nothing any more
)

// SetInfo is a set that is a guest on the table, or has left it (T37, T40).
type SetInfo struct {
	Set    id.OID
	Number uint32  // what views call it, from 1; 0: no view has ever heard of it
	Seat   id.Seat // who put it on the table, or took it off
	// Shuffles is the last number of a shuffle that its owner has told: what was known before that is not known any more (T38).
	Shuffles uint64
	Away     Away
	Until    id.Millis // when it is away: when it is asked again; 0: it is not known
	Stage    Stage
	Parts    []SetPart // when it has left: in order, the container first, then the undermost
}

// SetPart is a part of a set as it comes to a table or leaves it.
type SetPart struct {
	Part  uint32
	Kind  uint32 // of a guest that leaves: 0, its owner knows
	Face  int32
	Value int32
	Text  string
}

// guest is a set, and how many updates wait for answers about it.
type guest struct {
	info   SetInfo
	asking int
}

// Extend adds kinds behind those that there are (T37).
func (t *Table) Extend(more []Kind) { t.kinds = append(slices.Clip(t.kinds), more...) }

// Sets returns the sets that are guests on the table, and those for which something is to be done, in the order of their
// identifiers. The caller must not change their parts.
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
	for _, set := range slices.SortedFunc(maps.Keys(t.sets), func(a, b id.OID) int { return slices.Compare(a[:], b[:]) }) {
		all = append(all, t.sets[set].info)
	}
	return all
}

// numberOf returns what views call a set, 0 for none.
func (t *Table) numberOf(set id.OID) uint32 {
	if len(t.sets) == 0 {
		return 0
	}
	if g := t.sets[set]; g != nil {
		return g.info.Number
	}
	return 0
}

// isAway reports whether the owner of a set cannot be reached, and is not to be asked again yet. That of the table's own pieces
// is here.
func (t *Table) isAway(set id.OID, now id.Millis) bool {
	g := t.sets[set]
	return g != nil && g.info.IsAway(now)
}

// IsAway reports whether the owner cannot be reached, and is not to be asked again yet (T39).
func (s *SetInfo) IsAway(now id.Millis) bool {
	return s.Away != AwayNone && (s.Until == 0 || now < s.Until)
}

// recordSet records a set as it is from now on.
func (t *Table) recordSet(op Op, info SetInfo, seat id.Seat, now id.Millis) {
	t.record(Entry{At: now, Op: op, Seat: seat, Server: true, Set: &info})
}

// setContinues returns an error if a set that was recorded does not follow from the table as it is.
func (t *Table) setContinues(info *SetInfo) error {
	switch g := t.sets[info.Set]; {
	case info.Set.IsZero():
		return fmt.Errorf("a set without an identifier")
	case g != nil && g.info.Number != info.Number, g == nil && info.Number != 0 && info.Number != t.lastSet+1:
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

// SetAway records that the owner of a guest cannot be reached, or can be again (T39). It reports false, and records nothing, if
// that is known already, or if it is no guest.
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

// GiveBack records that a set is to be given back that is not on the table, and that its owner may believe to be (T41).
func (t *Table) GiveBack(set id.OID, seat id.Seat, now id.Millis) {
	if t.sets[set] == nil {
		t.recordSet(OpErrand, SetInfo{Set: set, Seat: seat, Stage: StageReturn}, seat, now)
	}
}

// Finish records that what had to be done for a set that has left the table is done (T40).
func (t *Table) Finish(set id.OID, now id.Millis) {
	if g := t.sets[set]; g != nil && g.info.Stage != StageHere {
		info := g.info
		info.Stage, info.Parts = StageOver, nil
		t.recordSet(OpErrand, info, 0, now)
	}
}

// unknownOf returns the unknown kind of a mask. There is one if a set has come with secret kinds of that mask; else it returns
// the mask.
func (t *Table) unknownOf(mask uint32) uint32 {
	for i := range t.kinds {
		if t.kinds[i].Unknown && t.kinds[i].Mask == mask {
			return uint32(i)
		}
	}
	return mask
}

// anyUnknown reports whether it is not known of one of the pieces what it is.
func (t *Table) anyUnknown(pieces []*piece) bool {
	return slices.ContainsFunc(pieces, func(p *piece) bool { return t.kinds[p.state.Kind].Unknown })
}

// unread reports whether somebody may see the front of a piece in that state and the table does not know it (T38).
func (t *Table) unread(s *State) bool {
	return t.kinds[s.Kind].Unknown && !s.Gone && (t.inHand(s) || t.open(s) && s.Face == 0)
}

// homeOf returns the home of a copy: what is copied of a guest is the table's own and belongs nowhere (T37).
func (t *Table) homeOf(s *State) id.Piece {
	if s.Set.IsZero() {
		return s.Home
	}
	return 0
}

// Unread reports whether an entry lets somebody see the front of a piece of a set that the table does not know: then its owner
// is to be asked (T38).
func (t *Table) Unread(e *Entry) bool { return e.OfPiece() && t.unread(&e.After) }

// Wanted returns the parts of a guest of which the owner is to be asked what they are, ascending: those whose front somebody may
// see, and with values those that have a value, which may have changed without the table.
func (t *Table) Wanted(set id.OID, values bool) []uint32 {
	g := t.sets[set]
	if g == nil || g.info.Stage != StageHere {
		return nil
	}
	var parts []uint32
	for _, p := range t.members[set].all() {
		s := &p.state
		if k := &t.kinds[s.Kind]; t.unread(s) || values && k.Counter.Counts {
			parts = append(parts, s.Part)
		}
	}
	slices.Sort(parts)
	return parts
}

// Learn records what the owner of a guest has said of its parts, as far as somebody may still see it (T38). What was said before
// a shuffle is worth nothing. Kinds are kinds of the table. It reports whether what was said can be.
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
		case k.Counter.Counts && is.Value >= k.Counter.Min && is.Value <= k.Counter.Max:
			s.Value = is.Value
		}
		if s != p.state {
			t.serve(p, OpReveal, 0, now, s)
		}
	}
	return fits
}

// stands reports whether an unknown kind stands for a kind.
func (t *Table) stands(unknown, kind uint32) bool {
	if int64(kind) >= int64(len(t.kinds)) {
		return false
	}
	k := &t.kinds[kind]
	return k.Secret && !k.Unknown && k.Mask == t.kinds[unknown].Mask
}
