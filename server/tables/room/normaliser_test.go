package room_test

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// normaliser removes from what a viewer got everything that may differ in two games: the random
// names of pieces; the seals of draws, which are random to anybody who does not know the seed; the
// end of a round, which contains them; for how long a client has to wait when the server stops;
// and, if the viewer has cards, which plain cards it may see.
type normaliser struct {
	names map[nameUse]uint32 // of pieces, and what they count as
	again repeats            // in this game
	// How often the names of the pieces that the viewer sees had been used before.
	sees   map[uint32]int
	plains bool      // the viewer may know plain cards
	at     id.Millis // when the frame was made
}

func newVeil(again repeats, plains bool) *normaliser {
	return &normaliser{
		names: map[nameUse]uint32{}, again: again, sees: map[uint32]int{}, plains: plains,
	}
}

// nameUse is a name, and how often it had been used before.
type nameUse struct {
	name   uint32
	before int
}

// repeats are the names that were used again, for other pieces, and when.
type repeats map[uint32][]id.Millis

// before returns how often a name had been used again by then.
func (r repeats) before(name uint32, at id.Millis) (n int) {
	for n < len(r[name]) && r[name][n] <= at {
		n++
	}
	return n
}

// maxRepeats is how many names may be used again in a game. A game draws some hundred out of two
// million: more is not chance.
const maxRepeats = 2

// repeats returns the names that were used again at the table, by its log.
func (r *rig) repeats() repeats {
	r.t.Helper()
	drawn, again, n := map[uint32]bool{}, repeats{}, 0
	for _, b := range r.store.tables[r.host.Table].log {
		e, err := wire.DecodeEntry(b)
		if err != nil {
			r.t.Fatal(err)
		}
		name := e.NewName
		if e.Made {
			name = e.Name
		}
		switch randomName := uint32(name); {
		case name < table.MinRandomName:
		case drawn[randomName]:
			again[randomName] = append(again[randomName], e.At)
			n++
		default:
			drawn[randomName] = true
		}
	}
	if n > maxRepeats {
		r.t.Errorf("T21 of %d identifiers %d had been used before: not random",
			len(drawn)+n, n)
	}
	return again
}

// name returns what a name counts as: random names are numbered as they come.
func (v *normaliser) name(name uint32) uint32 {
	if id.Piece(name) < table.MinRandomName {
		return name
	}
	n := v.use(name)
	as, ok := v.names[n]
	if !ok {
		as = uint32(table.MinRandomName) + uint32(len(v.names))
		v.names[n] = as
	}
	return as
}

// nameUse returns what a name means: the piece that the viewer sees under it, however often the
// name was used since, until the viewer learns that the piece has another name.
func (v *normaliser) use(name uint32) nameUse {
	if n, ok := v.sees[name]; ok {
		return nameUse{name, n}
	}
	return nameUse{name, v.again.before(name, v.at)}
}

// frame returns a frame without what may differ.
func (v *normaliser) frame(t *testing.T, raw []byte) *holtpb.Frame {
	t.Helper()
	f, err := wire.DecodeFrame(raw)
	if err != nil {
		t.Fatal(err)
	}
	v.at = id.Millis(f.GetTime())
	for _, e := range f.GetEvents() {
		switch m := e.GetEvent().(type) {
		case *holtpb.Event_Full:
			v.full(m.Full)
			m.Full.Components = v.components(t, m.Full.GetComponents(), func(a, b crdt.Op) int {
				return cmp.Compare(a.Entity, b.Entity)
			})
		case *holtpb.Event_Update:
			v.shown(m.Update.GetPiece())
		case *holtpb.Event_Ack:
			v.piece(m.Ack.GetPiece())
			m.Ack.Made = v.name(m.Ack.GetMade())
		case *holtpb.Event_Reject:
			if p := m.Reject.GetPiece(); p.GetGone() {
				p.Id = 0 // it repeats what the client said, which may have been a guess
			} else {
				v.shown(p)
			}
		case *holtpb.Event_Shuffled:
			v.all(m.Shuffled.GetPieces(), v.name)
		case *holtpb.Event_Motions:
			v.motions(m.Motions)
		case *holtpb.Event_Holds:
			m.Holds.Piece = v.name(m.Holds.GetPiece())
		case *holtpb.Event_Notice:
			m.Notice.Piece = v.name(m.Notice.GetPiece())
		case *holtpb.Event_Faces:
			m.Faces.Piece = v.name(m.Faces.GetPiece())
			v.all(m.Faces.GetKinds(), v.kind)
		case *holtpb.Event_Components:
			m.Components = v.components(t, m.Components, nil)
		case *holtpb.Event_Fair:
			clear(m.Fair.GetDrawn().GetSeal())
			clear(m.Fair.GetOpened().GetBefore())
		case *holtpb.Event_Going:
			m.Going.AfterMs = 0
		}
	}
	return f
}

// all replaces each of some numbers.
func (*normaliser) all(numbers []uint32, by func(uint32) uint32) {
	for i, n := range numbers {
		numbers[i] = by(n)
	}
}

func (v *normaliser) kind(k uint32) uint32 {
	if v.plains && isPlain(k) {
		return cardsPlain
	}
	return k
}

// shown is piece for what a viewer sees when they get it. A repeated ack may be of what they no
// longer see.
func (v *normaliser) shown(p *holtpb.Piece) {
	if p != nil {
		v.sees[p.GetId()] = v.use(p.GetId()).before
		v.piece(p)
	}
}

func (v *normaliser) piece(p *holtpb.Piece) {
	if p == nil {
		return
	}
	name := p.GetId()
	p.Id = v.name(name)
	if p.GetGone() || p.Renamed != nil {
		delete(v.sees, name)
	}
	if to := p.GetRenamed(); p.Renamed != nil {
		p.Renamed = proto.Uint32(v.name(to))
		v.sees[to] = v.use(to).before
	}
	if p.Kind != nil {
		p.Kind = proto.Uint32(v.kind(p.GetKind()))
	}
}

// full veils a full state, in which pieces stand in the order of their names. Those that are new to
// the viewer are numbered in the order of how they look.
func (v *normaliser) full(f *holtpb.Full) {
	clear(v.sees)
	looks := map[uint32][]byte{}
	for _, p := range f.GetPieces() {
		look := proto.CloneOf(p)
		look.Id = 0
		if p.Kind != nil {
			look.Kind = proto.Uint32(v.kind(p.GetKind()))
		}
		looks[p.GetId()], _ = proto.MarshalOptions{Deterministic: true}.Marshal(look)
	}
	for _, p := range slices.SortedFunc(slices.Values(f.GetPieces()), func(a, b *holtpb.Piece) int {
		return bytes.Compare(looks[a.GetId()], looks[b.GetId()])
	}) {
		v.shown(p)
	}
	slices.SortFunc(f.GetPieces(), func(a, b *holtpb.Piece) int {
		return cmp.Compare(a.GetId(), b.GetId())
	})
	for _, h := range f.GetHolds() {
		h.Piece = v.name(h.GetPiece())
	}
}

// components veils operations on components. It sorts those of a full state, which stand in the
// order of names.
func (v *normaliser) components(
	t *testing.T, encoded []byte, order func(a, b crdt.Op) int,
) (b []byte) {
	t.Helper()
	ops := opsOf(t, encoded)
	for i := range ops {
		if name, ok := schema.PieceOf(ops[i].Entity); ok {
			ops[i].Entity = schema.EntityOfPiece(id.Piece(v.name(uint32(name))))
		}
		if ops[i].Component == schema.HitTestResult && ops[i].Data != nil {
			hits, err := schema.Decode[componentpb.HitTestResult](ops[i].Data)
			if err != nil {
				t.Fatal(err)
			}
			v.all(hits.GetPieces(), v.name)
			ops[i].Data = schema.Encode(hits)
		}
	}
	if order != nil {
		slices.SortStableFunc(ops, order)
	}
	for i := range ops {
		b = crdt.AppendOp(b, &ops[i])
	}
	return b
}

// motions veils the columns of paths, whose names are written as differences.
func (v *normaliser) motions(p *holtpb.Paths) {
	name := uint32(0)
	for i, d := range p.GetIds() {
		name += d
		p.Ids[i] = v.name(name)
	}
}

// twinned checks that a viewer got the same in both games, and at least so many frames.
func twinned(t *testing.T, who string, first, second *played, least int) {
	t.Helper()
	one, other := timely(t, first.received[who]), timely(t, second.received[who])
	// Bob shares his hand with dan, and his hand is open.
	plains := who == "bob" || who == "dan" || who == "open"
	v := [2]*normaliser{newVeil(first.again, plains), newVeil(second.again, plains)}
	for i := range min(len(one), len(other)) {
		a, b := v[0].frame(t, one[i].frame), v[1].frame(t, other[i].frame)
		if one[i].at == other[i].at && len(one[i].frame) == len(other[i].frame) &&
			proto.Equal(a, b) {
			continue
		}
		restA, restB := parted(a, b)
		t.Errorf(
			"%s gets frame %d\nafter %v: %v\nand in the other game\nafter %v: %v\nafter %v",
			who, i, one[i].at, restA, other[i].at, restB, first.last(one[i].at))
		return
	}
	if len(one) != len(other) || len(one) < least {
		t.Errorf("%s gets %d frames, in the other game %d", who, len(one), len(other))
	}
}

// parted returns two frames without the events with which both begin.
func parted(a, b *holtpb.Frame) (restA, restB *holtpb.Frame) {
	n := 0
	for n < len(a.GetEvents()) && n < len(b.GetEvents()) &&
		proto.Equal(a.GetEvents()[n], b.GetEvents()[n]) {
		n++
	}
	a.Events, b.Events = a.GetEvents()[n:], b.GetEvents()[n:]
	return a, b
}

// timely returns frames without the empty ones that come at the same time as another one. If two
// timers go off at the same time, chance decides which comes first.
func timely(t *testing.T, all []receivedFrame) (left []receivedFrame) {
	t.Helper()
	for i, h := range all {
		f, err := wire.DecodeFrame(h.frame)
		if err != nil {
			t.Fatal(err)
		}
		twice := i > 0 && all[i-1].at == h.at || i+1 < len(all) && all[i+1].at == h.at
		if len(f.GetEvents()) > 0 || !twice {
			left = append(left, h)
		}
	}
	return left
}

// TestVeilOfNames checks that twins distinguish a name that stays with a piece from one that is
// used again.
func TestVeilOfNames(t *testing.T) {
	const stays, again = 20_000, 30_000
	v := newVeil(repeats{again: {200}}, false)
	at := func(at id.Millis, name uint32) uint32 {
		v.at = at
		return v.name(name)
	}
	t.Run("T21 an identifier drawn once counts as the same in all frames", func(t *testing.T) {
		if at(100, stays) != at(200, stays) {
			t.Error("it counts as two")
		}
	})
	t.Run("T21 an identifier drawn again counts as a new one from then on", func(t *testing.T) {
		if first := at(100, again); at(199, again) != first || at(200, again) == first {
			t.Error("it counts as the same, or as a new one too early")
		}
	})
	t.Run("T21 a visible piece keeps its identifier until it is reported gone", func(t *testing.T) {
		v.at = 100
		one := &holtpb.Piece{Id: again}
		v.shown(one)
		v.at = 300 // the frame has this piece, and the other one
		gone, other := &holtpb.Piece{Id: again, Gone: proto.Bool(true)}, &holtpb.Piece{Id: again}
		v.shown(gone)
		v.shown(other)
		if gone.GetId() != one.GetId() || other.GetId() == one.GetId() {
			t.Error("a hidden piece counts as a new one, or the new one as the same")
		}
	})
}
