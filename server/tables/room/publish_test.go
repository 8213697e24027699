package room

import (
	"flag"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

var publishSeed = flag.Uint64("publishseed", 0, "seed of TestPublish; 0: 1 to 3")

// folding are the operations of which several in a tick are published as one (S10.5, S10.6, T60.4).
var folding = []table.Op{table.OpMove, table.OpRotate, table.OpPivot}

// TestPublish compares, over random histories, the frames that clients get with frames that are
// made for each of them alone.
func TestPublish(t *testing.T) {
	seeds := []uint64{*publishSeed}
	if *publishSeed == 0 {
		seeds = []uint64{1, 2, 3}
	}
	met, ran := map[string]int{}, 0
	for _, seed := range seeds {
		// Clauses: S4.1, T10.10, T10.13, T24.9, T26.9
		t.Run("T21, T22, T26, T28, T29, S4 each client gets frames as if alone", func(t *testing.T) {
			ran++
			t.Logf("-run TestPublish -publishseed %d", seed)
			synctest.Test(t, func(t *testing.T) {
				publishHistory(t, mathrand.New(mathrand.NewPCG(seed, 0)), met)
			})
		})
	}
	for _, what := range []string{
		"update", "ack", "reject", "seat", "shuffled", "full", "both", "parted", "folded", "holds",
		"notice", "faces", "blind ack", "renamed",
	} {
		if met[what] < 5 && len(seeds) > 1 && ran == len(seeds) { // -run may leave some out
			t.Errorf("the histories have %d of %s: too few", met[what], what)
		}
	}
}

func publishHistory(t *testing.T, rnd *mathrand.Rand, met map[string]int) {
	h := newHistory(t, rnd)
	h.met = met
	for range 800 {
		for range 1 + rnd.IntN(12) {
			h.happen()
		}
		h.tell()
	}
}

// tell ends a tick, and compares what each client gets with what it would get alone.
func (h *history) tell() {
	w := h.recorded
	h.recorded = work{}
	h.publishedGen = h.table.Gen()
	var want [][]*holtpb.Frame
	for _, g := range h.guests {
		want = append(want, h.alone(&w, g.attached))
	}
	(&publication{
		room: h.room, work: &w, now: h.cfg.Now(), counts: h.applyCounts(w.entries),
	}).publish()
	synctest.Wait()
	for i, g := range h.guests {
		h.compare(g, g.take(h.t), want[i])
	}
	if h.t.Failed() {
		h.t.FailNow()
	}
}

// TestPublishLongerMarks makes the versions of views a byte longer at different entries of one
// tick. Each client still gets the right frames.
func TestPublishLongerMarks(t *testing.T) {
	t.Run("S4.1, T21 each client gets the same frames as if it were alone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := newHistory(t, mathrand.New(mathrand.NewPCG(1, 0)))
			for seat := id.Seat(2); seat <= 4; seat++ { // so many are shown to each alone
				for i := range 1 + int32(seat) {
					h.send(h.guests[seat], table.Update{
						Op: table.OpFlip, Has: table.HasPiece | table.HasTag | table.HasFace,
						Piece: h.piece(kindAce, seat),
						Tag:   h.table.VersionAt(seat, h.table.Gen()), Face: (i + 1) % 2,
					})
				}
			}
			const longer = id.Version(1 << 28) // takes a byte more as a varint than lower ones
			for h.table.VersionAt(1, h.table.Gen()) < longer-12<<16 {
				h.drag(h.guests[h.rnd.IntN(5)])
				h.tell()
			}
			begin := map[id.Version]bool{}
			for seat := range id.Seat(4) {
				begin[h.table.VersionAt(seat+1, h.table.Gen())] = true
			}
			for i := range 24 {
				h.drag(h.guests[i%5])
			}
			first, last := slices.Max(slices.Collect(maps.Keys(begin))),
				h.table.VersionAt(1, h.table.Gen())
			if len(begin) < 4 || first >= longer || last < longer {
				t.Fatalf("versions from %v to %d: their own entries do not make them longer",
					begin, last)
			}
			h.tell()
		})
	})
}

// alone returns the frames that a client should get, made for it alone from what the table says.
func (h *history) alone(w *work, a *attached) []*holtpb.Frame {
	var frames []*holtpb.Frame
	f := &holtpb.Frame{
		Time: uint64(h.cfg.Now()), Mark: uint64(h.table.VersionAt(a.seat, h.publishedGen)),
	}
	before, folded := h.folds(w)
	for i := range w.items {
		it := &w.items[i]
		switch {
		case it.full == a:
			full, err := wire.DecodeFrame(it.frame)
			if err != nil {
				h.t.Fatal(err)
			}
			frames, f.Events = append(frames, full), nil
		case it.entry >= 0:
			e := &w.entries[it.entry]
			if e.Client != a.id && folded[i] {
				continue
			}
			if first, ok := before[i]; ok && e.Client != a.id {
				h.met["folded"]++
				whole := *e
				whole.Before, e = first, &whole
			}
			f.Events = append(f.Events, h.entryAlone(e, a)...)
			if e.Op == table.OpShuffle && !e.Notice && e.Client != (id.Client{}) &&
				e.Client != a.id {
				f.Events = append(f.Events, h.shuffleAlone(w.entries[:it.entry+1], a)...)
			}
		case it.event != nil && (it.to == (id.Client{}) || it.to == a.id):
			f.Events = append(f.Events, it.event)
		}
	}
	f.Events = append(f.Events, h.holdsAlone(w)...)
	if len(f.GetEvents()) > 0 {
		frames = append(frames, f)
	}
	return frames
}

// holdsAlone returns what everybody gets at the end of a tick: how many pieces lie now in the hands
// and containers which pieces have left or entered, except for those that are not counted (T29).
func (h *history) holdsAlone(w *work) (events []*holtpb.Event) {
	touched := map[id.Piece]bool{}
	for i := range w.entries {
		e := &w.entries[i]
		if e.After.Gone {
			e.After.In = 0
		}
		if e.Who == nil && e.Before.In != e.After.In {
			touched[e.Before.In], touched[e.After.In] = true, true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(touched)) {
		s, there := h.table.Look(name)
		if !there || s.Kind == kindBag || s.Kind == kindPouch {
			continue
		}
		m := &holtpb.Holds{Piece: uint32(name)}
		for _, t := range h.table.Counts() {
			if t.Piece == name {
				m.Kinds, m.Counts = append(m.Kinds, t.Sort), append(m.Counts, uint32(t.Count))
			}
		}
		events = append(events, &holtpb.Event{Event: &holtpb.Event_Holds{Holds: m}})
	}
	return events
}

// folds returns which items a later one stands for, and for the later ones the state before all
// that they stand for (S10).
func (h *history) folds(w *work) (before map[int]table.State, folded map[int]bool) {
	before, folded = map[int]table.State{}, map[int]bool{}
	ways := map[int][]table.State{} // the states in between, of items that are published together
	for j, it := range w.items {
		if it.entry < 0 {
			continue
		}
		e := &w.entries[it.entry]
		for i := j - 1; i >= 0; i-- {
			was := w.items[i]
			if was.full != nil ||
				was.event.GetReject() != nil &&
					was.event.GetReject().GetPiece().GetId() == uint32(e.Name) {
				break
			}
			if was.entry < 0 || w.entries[was.entry].Name != e.Name {
				continue
			}
			o := &w.entries[was.entry]
			first, ok := before[i]
			if !ok {
				first = o.Before
			}
			alike := slices.Contains(folding, e.Op) && e.Op == o.Op &&
				e.Client == o.Client && e.Seat == o.Seat && !e.Server && !o.Server
			secret := e.After.In != 0 || first.In != 0
			away := first.X != e.After.X || first.Y != e.After.Y || first.Angle != e.After.Angle
			way := append(slices.Clone(ways[i]), o.After)
			// A client that knows a part of the way must get every field that is different now.
			away = away && !slices.ContainsFunc(way, func(s table.State) bool {
				return s.X != first.X && e.After.X == first.X ||
					s.Y != first.Y && e.After.Y == first.Y ||
					s.Angle != first.Angle && e.After.Angle == first.Angle
			})
			if alike && !secret && away && o.After.ZGen == first.ZGen {
				before[j], folded[i], ways[j] = first, true, way
			}
			break
		}
	}
	return before, folded
}

// entryAlone returns what a client gets of an entry: an update, or the ack of its own, or both
// (T17).
func (h *history) entryAlone(e *table.Entry, a *attached) []*holtpb.Event {
	if e.Who != nil {
		return []*holtpb.Event{wire.SeatEvent(e.Who, h.presence(e.Who.Seat))}
	}
	own := e.Client == a.id
	switch {
	case e.Fact != nil && (e.To == 0 || e.To == a.seat):
		f, err := fairness.DecodeFact(e.Fact)
		if err != nil {
			h.t.Fatal(err)
		}
		return []*holtpb.Event{wire.FairEvent(f)}
	case e.Fact != nil:
		return nil
	case e.Notice:
		return h.noticeAlone(e, a, own)
	}
	var events []*holtpb.Event
	before, after, shown := h.table.Shows(e, a.seat)
	if shown && (!own || e.Server) {
		events = append(events, updateEvent(e, &before, &after))
	}
	if !own {
		return events
	}
	filled := &holtpb.Piece{Id: uint32(e.Name), Mark: uint64(h.table.VersionAt(a.seat, e.Gen))}
	switch {
	case shown && !e.Server:
		filled = wire.PieceFilled(&before, &after)
		if e.Before.In != e.After.In {
			filled.Angle = proto.Uint32(uint32(after.Angle)) // whatever the update said (T23)
		}
	case e.Made && !shown:
		filled = nil
	}
	return append(events, wire.AckEvent(e, filled))
}

// noticeAlone returns what a client gets of an action that leaves no other trace (T28, T31).
func (h *history) noticeAlone(e *table.Entry, a *attached, own bool) []*holtpb.Event {
	n := &holtpb.Notice{By: uint32(e.Seat), Op: holtpb.Op(e.Op), Count: uint32(e.Count)}
	if seen(&e.Before, a.seat) {
		n.Piece = uint32(e.Name)
	}
	if e.Before.Kind == kindBag {
		n.Count = 0
	}
	if e.Op == table.OpShow {
		n.Seat = uint32(e.To)
	}
	events := []*holtpb.Event{{Event: &holtpb.Event_Notice{Notice: n}}}
	if e.To == a.seat {
		f := &holtpb.Faces{By: n.By, Op: n.Op, Piece: n.Piece, Kinds: e.Faces}
		if e.Op == table.OpShow {
			f.Face = uint32(e.Before.Face)
		}
		events = append(events, &holtpb.Event{Event: &holtpb.Event_Faces{Faces: f}})
	}
	if own {
		events = append(events, wire.AckEvent(e, nil))
	}
	return events
}

// seen reports whether a seat sees a piece at all (T21, T23, T29).
func seen(s *table.State, seat id.Seat) bool {
	return s.In == 0 || s.Owner != 0 && (s.Owner == seat || s.Team.Has(seat))
}

// shuffleAlone returns what a client gets of the shuffle at the end of the entries: the pieces that
// its seat sees (T26).
func (h *history) shuffleAlone(entries []table.Entry, a *attached) []*holtpb.Event {
	last := entries[len(entries)-1]
	var names []uint32
	for i := len(entries) - 1; i >= 0; i-- {
		e := &entries[i]
		if e.Op != table.OpShuffle || i < len(entries)-1 && e.Client != (id.Client{}) {
			break
		}
		if seen(&e.After, a.seat) {
			names = append(names, uint32(e.Name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Reverse(names)
	return []*holtpb.Event{{Event: &holtpb.Event_Shuffled{
		Shuffled: &holtpb.Shuffled{By: uint32(last.Seat), Pieces: names},
	}}}
}

func (h *history) compare(g *listener, got, want []*holtpb.Frame) {
	h.t.Helper()
	if !slices.EqualFunc(got, want, func(a, b *holtpb.Frame) bool { return proto.Equal(a, b) }) {
		a, b := parted(flat(got), flat(want))
		h.t.Errorf("seat %v gets\n%v, alone it would get\n%v", g.seat, a, b)
	}
	for _, f := range got {
		h.meet(f)
	}
	if h.table.VersionAt(g.seat, h.publishedGen) != h.table.VersionAt(0, h.publishedGen) {
		h.met["parted"]++
	}
}

// flat returns the parts of frames, in order.
func flat(frames []*holtpb.Frame) (all []proto.Message) {
	for _, f := range frames {
		all = append(all, &holtpb.Frame{Time: f.GetTime(), Mark: f.GetMark()})
		for _, e := range f.GetEvents() {
			all = append(all, e)
		}
	}
	return all
}

// parted returns the rest of two lists from their first difference on, but only a few of each.
func parted(a, b []proto.Message) (restA, restB []proto.Message) {
	i := 0
	for i < len(a) && i < len(b) && proto.Equal(a[i], b[i]) {
		i++
	}
	const few = 3
	return a[i:min(i+few, len(a))], b[i:min(i+few, len(b))]
}

// meet counts what the history has shown.
func (h *history) meet(f *holtpb.Frame) {
	var last *holtpb.Event
	for _, e := range f.GetEvents() {
		switch {
		case e.GetUpdate() != nil:
			h.met["update"]++
		case e.GetReject() != nil:
			h.met["reject"]++
		case e.GetSeat() != nil:
			h.met["seat"]++
		case e.GetShuffled() != nil:
			h.met["shuffled"]++
		case e.GetFull() != nil:
			h.met["full"]++
		case e.GetHolds() != nil:
			h.met["holds"]++
		case e.GetNotice() != nil:
			h.met["notice"]++
		case e.GetFaces() != nil:
			h.met["faces"]++
		case e.GetAck() != nil:
			h.met["ack"]++
			if e.GetAck().GetPiece() == nil {
				h.met["blind ack"]++
			} else if last.GetUpdate().GetPiece().GetId() == e.GetAck().GetPiece().GetId() {
				h.met["both"]++
			}
		}
		if e.GetUpdate().GetPiece().GetRenamed() != 0 || e.GetAck().GetPiece().GetRenamed() != 0 {
			h.met["renamed"]++
		}
		last = e
	}
}

// updateEvent returns the event of an update as a message.
func updateEvent(e *table.Entry, before, after *table.Shown) *holtpb.Event {
	p := wire.PieceChange(before, after)
	if before.Name == 0 {
		p.Kind = proto.Uint32(after.Kind)
	}
	return &holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{
		Piece: p, By: uint32(e.Seat), Op: holtpb.Op(e.Op),
	}}}
}
