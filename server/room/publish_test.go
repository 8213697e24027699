package room

import (
	"context"
	"flag"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/stream"
	"holt/server/table"
	"holt/server/wire"
	"holt/server/wire/holtpb"
)

var publishSeed = flag.Uint64("publishseed", 0, "seed of TestPublish; 0 draws three")

// TestPublish compares, over random histories, the frames that clients get with frames that are made for each of
// them alone.
func TestPublish(t *testing.T) {
	seeds := []uint64{*publishSeed}
	if *publishSeed == 0 {
		seeds = []uint64{1, mathrand.Uint64(), mathrand.Uint64()}
	}
	for _, seed := range seeds {
		t.Run("T21, T22, T26, S4 each client gets what it would get if it were told alone", func(t *testing.T) {
			t.Logf("-run TestPublish -publishseed %d", seed)
			synctest.Test(t, func(t *testing.T) { publishHistory(t, mathrand.New(mathrand.NewPCG(seed, 0))) })
		})
	}
}

func publishHistory(t *testing.T, rnd *mathrand.Rand) {
	h := newHistory(t, rnd)
	for range 400 {
		for range 1 + rnd.IntN(12) {
			h.happen()
		}
		w := h.next
		h.next = work{}
		h.shown = h.table.Gen()
		var want [][]*holtpb.Frame
		for _, g := range h.guests {
			want = append(want, h.alone(&w, g.attached))
		}
		(&publication{room: h.room, work: &w, now: h.cfg.Now()}).publish()
		synctest.Wait()
		for i, g := range h.guests {
			h.compare(g, g.take(t), want[i])
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	for _, what := range []string{"update", "ack", "reject", "seat", "shuffled", "full", "both", "parted", "folded"} {
		if h.met[what] < 5 {
			t.Errorf("the history has %d of %s: it shows little", h.met[what], what)
		}
	}
}

// ear is a carrier that keeps what is written.
type ear struct {
	mu     sync.Mutex
	frames [][]byte
}

func (e *ear) Write(_ context.Context, frames [][]byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.frames = append(e.frames, frames...)
	return nil
}

func (*ear) Close(stream.Code, string) {}

// take returns the frames that have come since the last call.
func (e *ear) take(t *testing.T) []*holtpb.Frame {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []*holtpb.Frame
	for _, b := range e.frames {
		f, err := wire.DecodeFrame(b)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	e.frames = nil
	return all
}

// listener is a client that hears.
type listener struct {
	*attached
	*ear
	session Session
	seq     id.ClientSeq
}

// history is a parlour in which things happen.
type history struct {
	*parlour
	t      *testing.T
	rnd    *mathrand.Rand
	guests []*listener
	met    map[string]int
	made   byte
}

func newHistory(t *testing.T, rnd *mathrand.Rand) *history {
	h := &history{parlour: newParlour(t, 4), t: t, rnd: rnd, met: map[string]int{}}
	watcher, _ := h.table.Sit(table.SeatInfo{Nick: "watcher", Role: table.RoleSpectator}, 1)
	late, _ := h.table.Sit(table.SeatInfo{Nick: "late", Role: table.RoleHost}, 1) // all hands are taken
	h.table.Take()
	for i, seat := range []id.Seat{1, 1, 2, 3, 4, watcher, watcher, late} {
		who, _ := h.table.Seat(seat)
		e := &ear{}
		s := stream.Open(e, stream.Handlers{Ready: func() {}, Ended: func(error) {}})
		t.Cleanup(func() { s.Closed(context.Canceled); <-s.Done() })
		s.Whole(nil)
		a := &attached{id: id.Client{2, byte(i)}, seat: seat, stream: s}
		h.clients[a.id] = a
		h.online[seat]++
		h.guests = append(h.guests, &listener{attached: a, ear: e, session: Session{Seat: seat, Role: who.Role}})
	}
	synctest.Wait()
	for _, g := range h.guests {
		g.take(t)
	}
	return h
}

// happen lets one thing happen to the room.
func (h *history) happen() {
	g := h.guests[h.rnd.IntN(len(h.guests))]
	switch n := h.rnd.IntN(100); {
	case n < 2:
		who, _ := h.table.Seat(g.seat)
		h.next.tell(id.Client{}, wire.SeatEvent(&who, h.presence(g.seat)))
	case n < 4:
		if g.stream.Desync() {
			h.makeWhole(g.attached, 1)
		}
	case n < 5 && len(h.table.Seats()) < 20:
		h.table.Sit(table.SeatInfo{Nick: fmt.Sprint("guest ", len(h.table.Seats())), Role: table.RolePlayer}, 1)
		h.next.record(h.table.Take())
	case g.session.Role != table.RoleSpectator && n < 12:
		for range 3 {
			h.drag(g)
		}
	case g.session.Role != table.RoleSpectator:
		h.play(g)
	}
}

// drag lets a client move or turn a token.
func (h *history) drag(g *listener) {
	all := h.table.All(g.seat, g.attached.id)
	i := slices.IndexFunc(all, func(p table.Shown) bool { return p.Kind == kindToken })
	g.seq++
	u := table.Update{Seq: g.seq, Op: table.OpMove, Has: table.HasPiece | table.HasTag | table.HasXY, Piece: all[i].Name, Tag: all[i].Mark, X: h.rnd.Int32N(3), Y: tokensY}
	if h.rnd.IntN(4) == 0 {
		u.Op, u.Has, u.Angle = table.OpRotate, table.HasPiece|table.HasTag|table.HasAngle, h.rnd.Int32N(2)
	}
	h.send(g, u)
}

// send lets a client post an update.
func (h *history) send(g *listener, u table.Update) {
	h.made++
	answer := make(chan error, 1)
	h.update(g.session, wire.Batch{Client: g.attached.id, Epoch: h.row.Epoch, Updates: []table.Update{u}}, []id.OID{{9, h.made, byte(g.seq >> 8), byte(g.seq), g.attached.id[1]}}, answer)
}

// play lets a client do something, mostly something that is allowed.
func (h *history) play(g *listener) {
	all := h.table.All(g.seat, g.attached.id)
	p := all[h.rnd.IntN(len(all))]
	g.seq++
	u := table.Update{Seq: g.seq, Has: table.HasPiece | table.HasTag, Piece: p.Name, Tag: p.Mark, Face: h.rnd.Int32N(2)}
	u.X, u.Y = h.rnd.Int32N(6)*spacing+h.rnd.Int32N(3), []int32{0, tokensY}[h.rnd.IntN(2)]
	if h.rnd.IntN(10) == 0 {
		u.Tag = 0
	}
	switch n := h.rnd.IntN(20); {
	case n < 6:
		u.Op, u.Has = table.OpMove, u.Has|table.HasXY
	case n < 9:
		u.Op, u.Has = table.OpFlip, u.Has|table.HasFace
	case n < 11:
		u.Op, u.Has = table.OpGrab, u.Has|table.HasLoose
	case n < 14:
		u.Op, u.Has = table.OpRelease, u.Has|table.HasXY
	case n < 15:
		u.Op = table.OpRaise
	case n < 16 && len(all) < 40:
		u.Op, u.Has, u.Kind = table.OpAdd, table.HasKind|table.HasXY, []uint32{kindToken, kindAce, kindKing}[h.rnd.IntN(3)]
	case n < 17 && len(all) > 20:
		u.Op = table.OpDelete
	default:
		u.Op, u.Has, u.Pieces = table.OpShuffle, table.HasPieces, h.cards(g.seat, all)
	}
	h.send(g, u)
}

// cards returns cards for a shuffle: those in a hand, those outside, or both.
func (h *history) cards(seat id.Seat, all []table.Shown) []id.Piece {
	from := h.rnd.IntN(3)
	var names []id.Piece
	for _, p := range all {
		free := p.Kind >= kindBack && (p.Holder == 0 || p.Holder == seat)
		if free && (p.Owner == seat && from != 0 || p.Owner == 0 && from != 1) {
			names = append(names, p.Name)
		}
	}
	return names
}

// alone returns the frames that a client is to get, made for it alone from what the table says.
func (h *history) alone(w *work, a *attached) []*holtpb.Frame {
	var frames []*holtpb.Frame
	f := &holtpb.Frame{Time: uint64(h.cfg.Now()), Mark: uint64(h.table.MarkAt(a.seat, h.shown))}
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
			if e.Op == table.OpShuffle && e.Client != (id.Client{}) && e.Client != a.id {
				f.Events = append(f.Events, h.shuffleAlone(w.entries[:it.entry+1], a)...)
			}
		case it.event != nil && (it.to == (id.Client{}) || it.to == a.id):
			f.Events = append(f.Events, it.event)
		}
	}
	if len(f.GetEvents()) > 0 {
		frames = append(frames, f)
	}
	return frames
}

// folds says which items are told with a later one, and what was before those that tell of earlier ones (S10).
func (h *history) folds(w *work) (before map[int]table.State, folded map[int]bool) {
	before, folded = map[int]table.State{}, map[int]bool{}
	for j, it := range w.items {
		if it.entry < 0 {
			continue
		}
		e := &w.entries[it.entry]
		for i := j - 1; i >= 0; i-- {
			was := w.items[i]
			if was.full != nil || was.event.GetReject() != nil && was.event.GetReject().GetPiece().GetId() == uint32(e.Name) {
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
			alike := (e.Op == table.OpMove || e.Op == table.OpRotate) && e.Op == o.Op && e.Client == o.Client && e.Seat == o.Seat && !e.Server && !o.Server
			secret := e.After.Kind >= kindAce && (e.After.Owner != 0 || first.Owner != 0)
			away := first.X != e.After.X || first.Y != e.After.Y || first.Angle != e.After.Angle
			if alike && !secret && away && o.After.ZGen == first.ZGen {
				before[j], folded[i] = first, true
			}
			break
		}
	}
	return before, folded
}

// entryAlone returns what a client is told of an entry: an update, or the ack of its own, or both (T17).
func (h *history) entryAlone(e *table.Entry, a *attached) []*holtpb.Event {
	if e.Who != nil {
		return []*holtpb.Event{wire.SeatEvent(e.Who, h.presence(e.Who.Seat))}
	}
	var events []*holtpb.Event
	before, after, shown := h.table.Shows(e, a.seat)
	own := e.Client == a.id
	if shown && (!own || e.Server) {
		events = append(events, wire.UpdateEvent(e, &before, &after))
	}
	if !own {
		return events
	}
	filled := &holtpb.Piece{Id: uint32(e.Name), Mark: uint64(h.table.MarkAt(a.seat, e.Gen))}
	if shown && !e.Server {
		filled = wire.PieceFilled(&before, &after)
	}
	return append(events, wire.AckEvent(e, filled))
}

// shuffleAlone returns what a client is told of the shuffle with which the entries end: the pieces that lie in
// nobody's hand or in that of its seat (T26).
func (h *history) shuffleAlone(entries []table.Entry, a *attached) []*holtpb.Event {
	last := entries[len(entries)-1]
	var names []uint32
	for i := len(entries) - 1; i >= 0; i-- {
		e := &entries[i]
		if e.Op != table.OpShuffle || i < len(entries)-1 && e.Client != (id.Client{}) {
			break
		}
		if e.After.Owner == 0 || e.After.Owner == a.seat {
			names = append(names, uint32(e.Name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Reverse(names)
	return []*holtpb.Event{{Event: &holtpb.Event_Shuffled{Shuffled: &holtpb.Shuffled{By: uint32(last.Seat), Pieces: names}}}}
}

func (h *history) compare(g *listener, got, want []*holtpb.Frame) {
	h.t.Helper()
	if !slices.EqualFunc(got, want, func(a, b *holtpb.Frame) bool { return proto.Equal(a, b) }) {
		h.t.Errorf("seat %v gets\n%v, alone it would get\n%v", g.seat, got, want)
	}
	for _, f := range got {
		h.meet(f)
	}
	if h.table.MarkAt(g.seat, h.shown) != h.table.MarkAt(0, h.shown) {
		h.met["parted"]++
	}
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
		case e.GetAck() != nil:
			h.met["ack"]++
			if last.GetUpdate().GetPiece().GetId() == e.GetAck().GetPiece().GetId() {
				h.met["both"]++
			}
		}
		last = e
	}
}
