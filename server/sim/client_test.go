package sim

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"holt/server/components/replica"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// latency is the greatest delay of a link, each way.
const latency = 300 * time.Millisecond

// line is the path of a guest to the server, and carries its stream.
type line interface {
	stream.Carrier
	// arrived returns the frames that have come by now, and whether the line still works.
	arrived() (frames [][]byte, up bool)
	// busy reports whether something is on its way that will arrive.
	busy() bool
	// halfOpen leaves it half open: nothing arrives any more, and neither end notices that.
	halfOpen()
}

// link is a line on which frames arrive late, in order.
type link struct {
	rnd *rand.Rand // Guarded by mu.

	mu     sync.Mutex
	frames []arrival
	last   time.Time
	closed bool
	stuck  bool // half open: nothing arrives any more, and neither end notices that
}

type arrival struct {
	at    time.Time
	bytes []byte
}

func (l *link) Write(_ context.Context, frames [][]byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return context.Canceled
	}
	for _, b := range frames {
		at := time.Now().Add(time.Duration(l.rnd.Int64N(int64(latency))))
		if at.Before(l.last) {
			at = l.last
		}
		l.last = at
		l.frames = append(l.frames, arrival{at, b})
	}
	return nil
}

func (l *link) Close(stream.Code, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

func (l *link) halfOpen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stuck = true
}

func (l *link) busy() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.stuck && len(l.frames) > 0
}

func (l *link) arrived() (frames [][]byte, up bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stuck {
		return nil, true
	}
	now := time.Now()
	for len(l.frames) > 0 && !l.frames[0].at.After(now) {
		frames = append(frames, l.frames[0].bytes)
		l.frames = l.frames[1:]
	}
	return frames, !l.closed
}

// simClient is a client written from stream.md. It keeps what the server has sent, and applies its
// own updates when they are acknowledged. It reports nothing: the test compares its state in the
// end.
type simClient struct {
	// Set at construction.
	t           *testing.T
	session     room.Session
	id          id.Client
	rnd         *rand.Rand
	byDatagrams bool // frames come to it by datagrams

	line         line
	stream       *stream.Stream
	synchronised bool
	attempt      uint64
	epoch        id.Epoch
	version      id.Version // the version of the last frame that had one
	until        time.Time  // there is no network before
	pieces       map[id.Piece]*holtpb.Piece
	holds        map[id.Piece]*holtpb.Holds
	seq          id.ClientSeq
	pending      []pendingUpdate // in the order of their sequences
	posting      chan error      // nil: no batch is under way
	sent         id.ClientSeq    // the last sequence of a batch that was answered or is under way
	posted       id.ClientSeq    // the last sequence that was ever in a batch
	conflicts    int
	rejects      int
	recorded     int
	fulls        int
	resumed      int
	repeated     int // updates that were sent again
	chat         chatter
	parts        *replica.View // what it got of components; nil: it ignores them
	ops          map[id.ClientSeq]table.Op
	written      int // operations on components
	added        int // pieces
}

// pendingUpdate is a pending update. Once posted, it is posted again unchanged, whatever the name
// of the piece is by then (T10, T21).
type pendingUpdate struct {
	table.Update
	piece id.Piece // by its present name
}

// tagged reports whether a server update of the piece puts it in conflict.
func (n *pendingUpdate) tagged() bool { return n.Has&table.HasTag != 0 }

func (g *simClient) connect(rooms *room.Rooms) {
	if rnd := rand.New(rand.NewPCG(g.rnd.Uint64(), 0)); g.byDatagrams {
		g.line = newDatagrams(g.t, rnd)
	} else {
		g.line = &link{rnd: rnd}
	}
	g.attempt++
	h := room.Hello{Client: g.id, Attempt: g.attempt, Epoch: g.epoch, Version: g.version}
	if g.rnd.IntN(8) == 0 {
		h.Epoch, h.Version = 0, 0
	}
	if len(g.pending) > 0 {
		h.Seq = g.pending[0].Seq
	}
	c, err := rooms.Open(context.Background(), g.session, h, g.line)
	if err != nil {
		g.t.Fatalf("seat %v: %v", g.session.Seat, err)
	}
	g.stream, g.synchronised = c, false
}

// lose takes the network away for a while. The network tells the server, or the server finds out.
func (g *simClient) lose(d time.Duration) {
	g.until = time.Now().Add(d)
	if g.rnd.IntN(2) == 0 {
		g.cut()
		return
	}
	g.line.halfOpen()
}

// carry sends where a piece that the guest holds is seen (S12).
func (g *simClient) carry() {
	for name, p := range g.pieces {
		if p.GetHolder() != uint32(g.session.Seat) || !g.synchronised {
			continue
		}
		m := &holtpb.Motion{
			Pieces: []uint32{uint32(name)}, X: []int32{g.rnd.Int32N(10_000) - 5000},
			Y: []int32{g.rnd.Int32N(10_000) - 5000},
		}
		b, err := wire.EncodeUp(&holtpb.Up{Up: &holtpb.Up_Motion{Motion: m}})
		if err == nil {
			err = g.stream.Receive(b)
		}
		if err != nil {
			g.t.Errorf("seat %v carries: %v", g.session.Seat, err)
		}
		return
	}
}

// cut breaks the stream, as a network does.
func (g *simClient) cut() {
	g.line.Close(0, "")
	g.stream.Closed(context.Canceled)
	<-g.stream.Done()
}

// step reads what has come and sends what waits. It reports whether anything is under way.
func (g *simClient) step(rooms *room.Rooms) bool {
	if time.Now().Before(g.until) {
		return true
	}
	if !g.until.IsZero() {
		g.until = time.Time{}
		g.connect(rooms) // it takes over
	}
	frames, up := g.line.arrived()
	for _, b := range frames {
		f, err := wire.DecodeFrame(b)
		if err != nil {
			g.t.Fatal(err)
		}
		g.read(f)
	}
	if !up && len(frames) == 0 {
		g.connect(rooms)
	}
	g.answered()
	if g.synchronised && g.posting == nil {
		g.post(rooms)
	}
	return len(frames) > 0 || g.line.busy() || g.posting != nil || len(g.pending) > 0 ||
		!g.synchronised
}

// post sends what was not sent since the last full state, after a delay.
func (g *simClient) post(rooms *room.Rooms) {
	var batch []table.Update
	for _, u := range g.pending {
		if u.Seq > g.sent {
			batch = append(batch, u.Update)
		}
	}
	if len(batch) == 0 {
		return
	}
	g.sent = batch[len(batch)-1].Seq
	g.posted = max(g.posted, g.sent)
	answer := make(chan error, 1)
	g.posting = answer
	b := wire.Batch{Client: g.id, Epoch: g.epoch, Updates: batch}
	delay := time.Duration(g.rnd.Int64N(int64(latency)))
	go func() {
		<-time.After(delay)
		answer <- rooms.Update(context.Background(), g.session, b)
	}()
}

// answered processes the answer to a batch. A batch that found no server is sent again when the
// state is known.
func (g *simClient) answered() {
	if g.posting == nil {
		return
	}
	select {
	case err := <-g.posting:
		g.posting = nil
		switch {
		case errors.Is(err, room.ErrStopping):
			g.sent = 0
		case err != nil:
			g.t.Fatalf("seat %v: %v", g.session.Seat, err)
		}
	default:
	}
}

// read processes a frame as a whole (S4, S5).
func (g *simClient) read(f *holtpb.Frame) {
	acked := map[id.ClientSeq]bool{}
	for _, e := range f.GetEvents() {
		if a := e.GetAck(); a != nil {
			acked[id.ClientSeq(a.GetSeq())] = true
		}
		g.onChat(e)
	}
	if f.GetMark() != 0 {
		if f.GetMark() < uint64(g.version) {
			g.t.Errorf("S4 a frame is complete up to %d, after one up to %d", f.GetMark(), g.version)
		}
		g.version = id.Version(f.GetMark())
	}
	for _, e := range f.GetEvents() {
		switch {
		case e.GetFull() != nil:
			g.fulls++
			g.onFull(f, acked)
			g.onComponents(e)
			return
		case e.GetResumed() != nil:
			g.resumed++
			g.synchronised, g.sent = true, 0 // pending updates are sent again
		case e.GetUpdate() != nil && g.knows(e.GetUpdate().GetPiece(), f):
			g.repeated++ // it was ahead of its version when its last stream ended (D35)
			continue
		case e.GetUpdate() != nil:
			g.onUpdate(e.GetUpdate().GetPiece(), acked)
		case e.GetHolds() != nil:
			g.onHolds(e.GetHolds())
		case e.GetAck() != nil:
			g.onAck(e.GetAck())
		case e.GetReject() != nil:
			g.onReject(e.GetReject())
		}
		g.onComponents(e)
	}
}

// knows reports whether an update repeats what the guest knows. That may happen to a guest whose
// frames come by datagrams, when it resumes (D35).
func (g *simClient) knows(p *holtpb.Piece, f *holtpb.Frame) bool {
	was := g.pieces[id.Piece(p.GetId())]
	if !g.byDatagrams || f.GetEvents()[0].GetResumed() == nil || p.GetMark() > was.GetMark() {
		return false
	}
	if p.GetGone() || p.GetRenamed() != 0 || p.Owner != nil || p.Team != nil {
		g.t.Errorf("D33 the client got events ahead of its version: %v", p)
	}
	return true
}

func (g *simClient) onFull(f *holtpb.Frame, acked map[id.ClientSeq]bool) {
	old := g.pieces
	full := f.GetEvents()[0].GetFull()
	if g.epoch != 0 && g.epoch != id.Epoch(full.GetEpoch()) {
		g.t.Errorf("the epoch has changed")
	}
	g.epoch, g.synchronised, g.sent = id.Epoch(full.GetEpoch()), true, 0
	g.pieces = map[id.Piece]*holtpb.Piece{}
	g.holds = map[id.Piece]*holtpb.Holds{}
	for _, p := range full.GetPieces() {
		g.pieces[id.Piece(p.GetId())] = p
	}
	for _, h := range full.GetHolds() {
		g.onHolds(h)
	}
	marks := map[id.Piece]uint64{}
	last := map[id.Piece]id.ClientSeq{}
	for _, e := range f.GetEvents()[1:] {
		if a := e.GetAck(); a != nil {
			p := id.Piece(a.GetPiece().GetId())
			marks[p] = max(marks[p], a.GetPiece().GetMark())
		}
	}
	for _, u := range g.pending {
		if acked[u.Seq] {
			g.noteRecorded(&u)
			if u.tagged() {
				last[u.piece] = u.Seq
			}
		}
	}
	g.pending = slices.DeleteFunc(g.pending, func(u pendingUpdate) bool {
		p, was := g.pieces[u.piece], old[u.piece]
		switch {
		case acked[u.Seq]:
			return true
		case !u.tagged():
			return false
		case p == nil, u.Seq < last[u.piece], p.GetMark() > max(was.GetMark(), marks[u.piece]):
			g.conflicts++
			return true
		}
		return false
	})
}

func (g *simClient) onUpdate(p *holtpb.Piece, acked map[id.ClientSeq]bool) {
	name := id.Piece(p.GetId())
	if g.pieces[name] == nil {
		g.pieces[name] = &holtpb.Piece{}
	}
	if p.GetMark() <= g.pieces[name].GetMark() {
		g.t.Errorf("T21 the version of piece %d goes from %d to %d", name, g.pieces[name].GetMark(),
			p.GetMark())
	}
	merge(g.pieces[name], p)
	g.pending = slices.DeleteFunc(g.pending, func(u pendingUpdate) bool {
		if u.piece != name || acked[u.Seq] || !u.tagged() {
			return false
		}
		g.conflicts++
		return true
	})
	if p.GetGone() {
		delete(g.pieces, name)
		delete(g.holds, name)
	}
	g.rename(name, id.Piece(p.GetRenamed()))
}

// merge puts the fields of p over those of a piece. A field that comes complete replaces the old
// one.
func merge(to, p *holtpb.Piece) {
	if p.Team != nil {
		to.Team = nil
	}
	proto.Merge(to, p)
}

// rename gives a piece its new name, if it has one (T21).
func (g *simClient) rename(old, name id.Piece) {
	p := g.pieces[old]
	if name == 0 || p == nil {
		return
	}
	delete(g.pieces, old)
	p.Id, p.Renamed = uint32(name), nil
	g.pieces[name] = p
	for i := range g.pending {
		if u := &g.pending[i]; u.piece == old {
			u.piece = name
			if u.Seq > g.posted {
				u.Piece = name
			}
		}
	}
}

func (g *simClient) onHolds(h *holtpb.Holds) {
	g.holds[id.Piece(h.GetPiece())] = h
	if len(h.GetKinds()) == 0 {
		delete(g.holds, id.Piece(h.GetPiece()))
	}
}

func (g *simClient) onAck(a *holtpb.Ack) {
	u, ok := g.take(id.ClientSeq(a.GetSeq()))
	if !ok {
		return
	}
	g.noteRecorded(&u)
	p := g.pieces[u.piece]
	if p == nil {
		return
	}
	f := a.GetPiece()
	if id.Piece(f.GetId()) == u.piece && f.GetMark() <= p.GetMark() {
		// It changed nothing that the client does not know: what was sent since lies above it (S5).
		return
	}
	apply(p, &u.Update, g.session.Seat)
	if id.Piece(f.GetId()) == u.piece {
		merge(p, f)
		g.rename(u.piece, id.Piece(f.GetRenamed()))
	}
}

// noteRecorded counts an update that was recorded.
func (g *simClient) noteRecorded(u *pendingUpdate) {
	g.recorded++
	if u.Op == table.OpAdd {
		g.added++
	}
}

func (g *simClient) onReject(r *holtpb.Reject) {
	g.rejects++
	_, ok := g.take(id.ClientSeq(r.GetSeq()))
	name := id.Piece(r.GetPiece().GetId())
	p := g.pieces[name]
	fresh := r.GetPiece().GetMark() > p.GetMark()
	if p == nil || !fresh && !ok {
		return
	}
	g.pieces[name] = r.GetPiece()
	g.pieces[name].Mark = max(p.GetMark(), r.GetPiece().GetMark())
	if fresh {
		g.pending = slices.DeleteFunc(g.pending, func(u pendingUpdate) bool {
			return u.piece == name && u.tagged()
		})
	}
}

// take removes the note of a sequence.
func (g *simClient) take(seq id.ClientSeq) (pendingUpdate, bool) {
	i, ok := slices.BinarySearchFunc(g.pending, seq, func(u pendingUpdate, s id.ClientSeq) int {
		return cmp.Compare(u.Seq, s)
	})
	if !ok {
		return pendingUpdate{}, false
	}
	u := g.pending[i]
	g.pending = slices.Delete(g.pending, i, i+1)
	return u, true
}

// apply does to a piece what a client knows that its update did (T24).
func apply(p *holtpb.Piece, u *table.Update, seat id.Seat) {
	if u.Op.Blind() {
		return
	}
	if u.Has&table.HasXY != 0 {
		p.X, p.Y = proto.Int32(u.X), proto.Int32(u.Y)
	}
	if u.Has&table.HasAngle != 0 {
		p.Angle = proto.Uint32(uint32(u.Angle))
	}
	switch u.Op {
	case table.OpGrab, table.OpWrest:
		p.Holder = proto.Uint32(uint32(seat))
	case table.OpRelease:
		p.Holder = proto.Uint32(0)
	default: // the server fills in the rest
	}
}

// act makes an update at random.
func (g *simClient) act() {
	if g.pieces == nil || len(g.pending) > 20 {
		return
	}
	names := make([]id.Piece, 0, len(g.pieces))
	for name := range g.pieces {
		names = append(names, name)
	}
	slices.Sort(names)
	name := names[g.rnd.IntN(len(names))]
	g.seq++
	u := table.Update{
		Seq: g.seq, Has: table.HasPiece | table.HasTag, Piece: name,
		Tag: id.Version(g.pieces[name].GetMark()),
	}
	u.X, u.Y = int32(g.rnd.IntN(10_000)-5000), []int32{-4000, 0, 1000}[g.rnd.IntN(3)]
	switch n := g.rnd.IntN(24); {
	case n < 7:
		u.Op, u.Has = table.OpMove, u.Has|table.HasXY
	case n < 10:
		u.Op = table.OpGrab
	case n < 13:
		u.Op, u.Has = table.OpRelease, u.Has|table.HasXY
	case n < 15:
		u.Op = table.OpWrest
	case n < 16:
		u.Op = table.OpRaise
	case n < 17:
		u.Op = table.OpLower
	case n < 18:
		u.Op, u.Has, u.Angle = table.OpRotate, u.Has|table.HasAngle, int32(g.rnd.IntN(4))*9000
		if g.rnd.IntN(2) == 0 {
			u.Op, u.Has = table.OpPivot, u.Has|table.HasXY
		}
	case n < 19:
		u.Op, u.Has = table.OpFlip, u.Has|table.HasFace // face 0 turns a card up
	case n < 20:
		u.Op, u.Has, u.Piece, u.Tag = table.OpShuffle, table.HasPieces, 0, 0
		u.Pieces = g.cards(names)
		if len(u.Pieces) < table.MinShuffle {
			g.seq--
			return
		}
	default:
		g.useDeck(&u)
	}
	g.pending = append(g.pending, pendingUpdate{Update: u, piece: u.Piece})
	if g.ops != nil {
		g.ops[u.Seq] = u.Op
	}
}

// cards returns the pieces that are cards.
func (g *simClient) cards(names []id.Piece) (cards []id.Piece) {
	for _, name := range names {
		if k := g.pieces[name].GetKind(); k >= backKind && k < deckKind {
			cards = append(cards, name)
		}
	}
	return cards
}

// useDeck makes u an update of the deck, or one that puts a card there.
func (g *simClient) useDeck(u *table.Update) {
	name, tag := u.Piece, u.Tag
	u.Piece, u.Tag, u.Has = deck, 0, table.HasPiece
	switch n := g.rnd.IntN(11); {
	case n < 3:
		u.Op = table.OpDraw
	case n < 5:
		u.Op, u.Has = table.OpDraw, u.Has|table.HasXY|table.HasHold
	case n < 6:
		u.Op = table.OpDeal
	case n < 7:
		u.Op = table.OpShuffle
	case n < 8:
		u.Op = table.OpRecall
	case n < 9:
		u.Op, u.Piece, u.Tag, u.Into, u.Has = table.OpStow, name, tag, deck,
			table.HasPiece|table.HasTag|table.HasInto
	case n < 10:
		u.Op, u.Piece = table.OpRun, dealer
	default:
		u.Op, u.Piece, u.Tag, u.Has, u.X, u.Y = table.OpRelease, name, tag,
			table.HasPiece|table.HasTag|table.HasXY, 4000, 2000
	}
}
