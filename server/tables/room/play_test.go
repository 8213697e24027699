package room

import (
	"context"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// recordingCarrier is a carrier that keeps what is written.
type recordingCarrier struct {
	mu     sync.Mutex
	frames [][]byte
}

func (e *recordingCarrier) Write(_ context.Context, frames [][]byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.frames = append(e.frames, frames...)
	return nil
}

func (*recordingCarrier) Close(stream.Code, string) {}

// take returns the frames that have come since the last call.
func (e *recordingCarrier) take(t *testing.T) []*holtpb.Frame {
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

// listener is a client that receives frames.
type listener struct {
	*attached
	*recordingCarrier
	session Session
	seq     id.ClientSeq
}

// history is a parlour in which things happen. In a row of their own, behind that of the tokens,
// lie a deck, a bag, a hand without an owner that does not show how many pieces lie in it, and a
// die.
type history struct {
	*bareRoom
	t      *testing.T
	rnd    *mathrand.Rand
	guests []*listener
	met    map[string]int
	made   byte
}

func newHistory(t *testing.T, rnd *mathrand.Rand) *history {
	h := &history{bareRoom: newParlour(t, 4), t: t, rnd: rnd, met: map[string]int{}}
	watcher, _ := h.table.Sit(table.SeatInfo{Nick: "watcher", Role: table.RoleSpectator}, 1)
	// All hands are taken.
	late, _ := h.table.Sit(table.SeatInfo{Nick: "late", Role: table.RoleHost}, 1)
	for i, seat := range []id.Seat{1, 1, 2, 3, 4, watcher, watcher, late} {
		who, _ := h.table.Seat(seat)
		e := &recordingCarrier{}
		s := stream.Open(e, stream.Handlers{Ready: func() {}, Ended: func(error) {}})
		t.Cleanup(func() { s.Closed(context.Canceled); <-s.Done() })
		s.Synchronise(nil)
		a := &attached{id: id.Client{2, byte(i)}, seat: seat, stream: s}
		h.clients[a.id] = a
		h.seatStreams.opened(seat, false)
		h.guests = append(h.guests, &listener{
			attached: a, recordingCarrier: e, session: Session{Seat: seat, Role: who.Role},
		})
	}
	for i, kind := range []uint32{kindDeck, kindBag, kindPouch, kindDie} {
		h.send(h.guests[0], table.Update{
			Op: table.OpAdd, Has: table.HasKind | table.HasXY, Kind: kind, X: int32(i) * spacing,
			Y: boxesY,
		})
	}
	h.table.Take()
	h.recorded, h.counts, h.publishedGen = work{}, newPieceCounts(h.table), h.table.Gen()
	synctest.Wait()
	for _, g := range h.guests {
		g.take(t)
	}
	return h
}

// happen makes one thing happen in the room.
func (h *history) happen() {
	g := h.guests[h.rnd.IntN(len(h.guests))]
	switch n := h.rnd.IntN(100); {
	case n < 2:
		who, _ := h.table.Seat(g.seat)
		h.recorded.queueEvent(id.Client{}, wire.SeatEvent(&who, h.presence(g.seat)))
	case n < 4:
		if g.stream.Desync() {
			h.queueFullState(g.attached, 1)
		}
	case n < 5 && len(h.table.Seats()) < 20:
		h.table.Sit(table.SeatInfo{
			Nick: fmt.Sprint("guest ", len(h.table.Seats())), Role: table.RolePlayer,
		}, 1)
		h.recorded.record(h.table.Take())
	case g.session.Role == table.RoleSpectator:
	case n < 12:
		for range 3 {
			h.drag(g)
		}
	case n < 36:
		h.handle(g)
	default:
		h.play(g)
	}
}

// drag makes a client move or rotate a token.
func (h *history) drag(g *listener) {
	all := h.table.All(g.seat, g.attached.id)
	i := slices.IndexFunc(all, func(p table.Shown) bool { return p.Kind == kindToken })
	u := table.Update{
		Op: table.OpMove, Has: table.HasPiece | table.HasTag | table.HasXY, Piece: all[i].Name,
		Tag: all[i].Version, X: h.rnd.Int32N(3), Y: tokensY,
	}
	if h.rnd.IntN(4) == 0 {
		u.Op, u.Has, u.Angle = table.OpRotate, table.HasPiece|table.HasTag|table.HasAngle,
			h.rnd.Int32N(2)
	} else if h.rnd.IntN(4) == 0 {
		u.Op, u.Has, u.Angle = table.OpPivot, u.Has|table.HasAngle, h.rnd.Int32N(2)
	}
	h.send(g, u)
}

// send makes a client post an update.
func (h *history) send(g *listener, u table.Update) {
	h.made++
	g.seq++
	u.Seq = g.seq
	if err := h.update(g.session,
		wire.Batch{Client: g.attached.id, Epoch: h.row.Epoch, Updates: []table.Update{u}},
		[]id.OID{{9, h.made, byte(g.seq >> 8), byte(g.seq), g.attached.id[1]}}, nil); err != nil {
		h.t.Fatal(err)
	}
}

// play makes a client do something to a piece, mostly something that is allowed.
func (h *history) play(g *listener) {
	all := h.table.All(g.seat, g.attached.id)
	p := all[h.rnd.IntN(len(all))]
	u := table.Update{Has: table.HasPiece | table.HasTag, Piece: p.Name, Tag: p.Version}
	if p.Kind == kindBack || p.Kind == kindAce || p.Kind == kindKing {
		u.Face = h.rnd.Int32N(2)
	}
	u.X, u.Y = h.rnd.Int32N(6)*spacing+h.rnd.Int32N(3), []int32{0, tokensY, boxesY}[h.rnd.IntN(3)]
	if h.rnd.IntN(10) == 0 {
		u.Tag = 1 << 16 // the first version that exists
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
		u.Op, u.Has, u.Kind = table.OpAdd, table.HasKind|table.HasXY,
			[]uint32{kindToken, kindAce, kindKing}[h.rnd.IntN(3)]
	case n < 17 && len(all) > 20:
		u.Op = table.OpDelete
	default:
		u.Op, u.Has, u.Pieces = table.OpShuffle, table.HasPieces, h.cards(g.seat, all)
		if len(u.Pieces) < table.MinShuffle {
			return
		}
	}
	h.send(g, u)
}

// handle makes a client do something to a hand or a container, roll the die, or show somebody a
// card.
func (h *history) handle(g *listener) {
	all := h.table.All(g.seat, g.attached.id)
	of := func(kinds ...uint32) table.Shown {
		found := slices.DeleteFunc(slices.Clone(all), func(p table.Shown) bool {
			return !slices.Contains(kinds, p.Kind)
		})
		if len(found) == 0 {
			return table.Shown{}
		}
		return found[h.rnd.IntN(len(found))]
	}
	box, hand, card, die := of(kindDeck, kindBag), of(kindHand, kindPouch),
		of(kindBack, kindAce, kindKing), of(kindDie)
	u := table.Update{Has: table.HasPiece, Piece: box.Name}
	switch n := h.rnd.IntN(16); {
	case n < 4:
		u.Op = table.OpDraw
		if h.rnd.IntN(2) == 0 {
			u.Has, u.X, u.Y = u.Has|table.HasXY|table.HasHold, h.rnd.Int32N(6)*spacing, tokensY
		}
	case n < 5:
		u.Op, u.Has, u.N = []table.Op{table.OpDeal, table.OpPeek}[h.rnd.IntN(2)], u.Has|table.HasN,
			1+h.rnd.Int32N(2)
	case n < 6:
		u.Op = []table.Op{table.OpRecall, table.OpCut, table.OpShuffle}[h.rnd.IntN(3)]
	case n < 9:
		u.Op, u.Has, u.Into, u.Piece, u.Tag = table.OpStow, u.Has|table.HasTag|table.HasInto,
			u.Piece, card.Name, card.Version
	case n < 12:
		u.Op, u.Has, u.Piece, u.Seat = table.OpShow, u.Has|table.HasSeat, card.Name,
			1+id.Seat(h.rnd.IntN(4))
	case n < 13:
		u.Op, u.Piece = table.OpRoll, die.Name
	case n < 14:
		u.Op, u.Piece = []table.Op{table.OpClaim, table.OpLeave}[h.rnd.IntN(2)], hand.Name
	default:
		u.Op, u.Has = []table.Op{table.OpGive, table.OpShare, table.OpUnshare}[h.rnd.IntN(3)],
			u.Has|table.HasSeat
		u.Piece, u.Seat = hand.Name, 1+id.Seat(h.rnd.IntN(4))
	}
	// Otherwise no piece of its kind is left.
	if u.Piece != 0 && (u.Has&table.HasInto == 0 || u.Into != 0) {
		h.send(g, u)
	}
}

// cards returns cards for a shuffle: those in a hand, those outside, or both.
func (h *history) cards(seat id.Seat, all []table.Shown) []id.Piece {
	from := h.rnd.IntN(3)
	var names []id.Piece
	for _, p := range all {
		free := p.Kind >= kindBack && p.Kind <= kindKing && (p.Holder == 0 || p.Holder == seat)
		if free && (p.Owner == seat && from != 0 || p.Owner == 0 && from != 1) {
			names = append(names, p.Name)
		}
	}
	return names
}
