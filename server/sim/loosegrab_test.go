package sim

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// TestLoose makes a player draw a card into their hand and grab it again before they can know what
// the server has made of that. The line holds everything back meanwhile, so the latency does not
// matter (T17).
func TestLoose(t *testing.T) {
	for name, play := range map[string]func(ada, bob *loosePlayer){
		// Clauses: T17.4, T17.5
		"T17 a card drawn, grabbed again at once and played, always works": func(ada, bob *loosePlayer) {
			for i := range 100 {
				ada.playAtOnce(cardFirst+id.Piece(i%3), bob)
			}
		},
		"T6 the same grab, not Loose, is discarded": func(ada, _ *loosePlayer) {
			ada.grabOrdinarily(cardFirst)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				h := &host{t: t, dir: dir}
				h.start()
				defer h.stop()
				play(seatLoosePlayers(t, h))
			})
		})
	}
}

// heldCarrier is a carrier that holds back what is written until it is opened.
type heldCarrier struct {
	mu   sync.Mutex
	held [][]byte
}

func (v *heldCarrier) Write(_ context.Context, frames [][]byte) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.held = append(v.held, frames...)
	return nil
}

func (*heldCarrier) Close(stream.Code, string) {}

// open returns what was held back.
func (v *heldCarrier) open() [][]byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	frames := v.held
	v.held = nil
	return frames
}

// loosePlayer is a client that reads its line only when the test says so.
type loosePlayer struct {
	t       *testing.T
	rooms   *room.Rooms
	session room.Session
	id      id.Client
	line    *heldCarrier
	epoch   id.Epoch
	seq     id.ClientSeq
	posted  map[id.ClientSeq]table.Update
	pieces  map[id.Piece]*holtpb.Piece
	renamed map[id.Piece]id.Piece
}

// seatLoosePlayers seats two players; each has a hand.
func seatLoosePlayers(t *testing.T, h *host) (ada, bob *loosePlayer) {
	t.Helper()
	taken, invites, err := h.rooms.Create(t.Context(), room.NewTableRequest{
		Game: "sim", Host: room.Person{Nick: "Ada"},
	})
	if err != nil {
		t.Fatal(err)
	}
	second, err := h.rooms.TakeSeat(t.Context(), invites.Player, room.Person{Nick: "Bob"})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]*loosePlayer, 2)
	for i, s := range []room.Session{taken.Session, second.Session} {
		d := &loosePlayer{
			t: t, rooms: h.rooms, session: s, id: id.Client{7, byte(i)}, line: &heldCarrier{},
			posted: map[id.ClientSeq]table.Update{}, pieces: map[id.Piece]*holtpb.Piece{},
			renamed: map[id.Piece]id.Piece{},
		}
		c, err := h.rooms.Open(t.Context(), s, room.Hello{Client: d.id}, d.line)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { <-c.Done() })
		d.read()
		all[i] = d
	}
	return all[0], all[1]
}

// read processes what the line has held back, and returns it.
func (d *loosePlayer) read() []*holtpb.Event {
	d.t.Helper()
	<-time.After(25 * time.Millisecond) // a tick (S10)
	synctest.Wait()
	var events []*holtpb.Event
	for _, b := range d.line.open() {
		f, err := wire.DecodeFrame(b)
		if err != nil {
			d.t.Fatal(err)
		}
		events = append(events, f.GetEvents()...)
	}
	for _, e := range events {
		for _, p := range e.GetFull().GetPieces() {
			d.pieces[id.Piece(p.GetId())] = p
		}
		if e.GetFull() != nil {
			d.epoch = id.Epoch(e.GetFull().GetEpoch())
		}
		// An ack does not repeat what the client has done itself.
		if u, own := d.posted[id.ClientSeq(e.GetAck().GetSeq())]; own {
			apply(d.pieces[d.call(u.Piece)], &u, d.session.Seat)
		}
		d.overlay(e.GetUpdate().GetPiece())
		d.overlay(e.GetAck().GetPiece())
		d.overlay(e.GetReject().GetPiece())
	}
	// Numbers, rounds of randomness and save points come, too, and do not matter here.
	return slices.DeleteFunc(events, func(e *holtpb.Event) bool {
		return e.GetHolds() != nil || e.GetFair() != nil || e.GetSaves() != nil
	})
}

func (d *loosePlayer) overlay(p *holtpb.Piece) {
	if p == nil {
		return
	}
	name := id.Piece(p.GetId())
	if d.pieces[name] == nil {
		d.pieces[name] = &holtpb.Piece{}
	}
	merge(d.pieces[name], p)
	if now := id.Piece(p.GetRenamed()); now != 0 {
		d.pieces[now], d.renamed[name] = d.pieces[name], now
		delete(d.pieces, name)
	}
	if p.GetGone() {
		delete(d.pieces, name)
	}
}

// call returns the present name of a piece that had this name before (T21).
func (d *loosePlayer) call(name id.Piece) id.Piece {
	for d.renamed[name] != 0 {
		name = d.renamed[name]
	}
	return name
}

// update makes an update, tagged with what the client knows.
func (d *loosePlayer) update(op table.Op, card id.Piece) table.Update {
	d.seq++
	return table.Update{
		Seq: d.seq, Op: op, Has: table.HasPiece | table.HasTag, Piece: card,
		Tag: id.Version(d.pieces[card].GetMark()),
	}
}

func (d *loosePlayer) put(op table.Op, card id.Piece, x, y int32) table.Update {
	u := d.update(op, card)
	u.Has, u.X, u.Y = u.Has|table.HasXY, x, y
	return u
}

// post sends a batch to the server. The answer is a status; the outcomes of the updates are in the
// stream.
func (d *loosePlayer) post(batch ...table.Update) {
	d.t.Helper()
	if err := d.rooms.Update(
		d.t.Context(), d.session, wire.Batch{Client: d.id, Epoch: d.epoch, Updates: batch},
	); err != nil {
		d.t.Fatal(err)
	}
	for _, u := range batch {
		d.posted[u.Seq] = u
	}
}

// outcome returns what the stream says of an update: "acked", the reason of a reject, or nothing.
func outcome(events []*holtpb.Event, u table.Update) string {
	for _, e := range events {
		switch {
		case id.ClientSeq(e.GetAck().GetSeq()) == u.Seq:
			return "acked"
		case id.ClientSeq(e.GetReject().GetSeq()) == u.Seq:
			return e.GetReject().GetReason().String()
		}
	}
	return ""
}

// Where the hand of the first seat and the pile lie, and where cards are played.
const (
	handX, handY = -2500, -4000
	pileX, pileY = 0, 1000
	playX, playY = 3000, 2000
)

// draw grabs a card from the pile and releases it into the hand. What the server makes of it stays
// in the line: the ack, and that the card is turned up there.
func (d *loosePlayer) draw(card id.Piece) {
	d.t.Helper()
	version, kind := d.pieces[card].GetMark(), d.pieces[card].GetKind()
	d.post(d.update(table.OpGrab, card), d.put(table.OpRelease, card, handX, handY))
	if p := d.pieces[card]; p.GetMark() != version || p.GetKind() != kind || p.GetOwner() != 0 {
		d.t.Fatalf("the line has let something through: %v", p)
	}
}

func (d *loosePlayer) playAtOnce(card id.Piece, other *loosePlayer) {
	card = d.call(card)
	d.draw(card)
	regrab := d.update(table.OpGrab, card)
	regrab.Has |= table.HasLoose
	d.post(regrab)
	events := d.read()
	if got := outcome(events, regrab); got != "acked" {
		d.t.Fatalf("T17 the Loose grab has the outcome %q", got)
	}
	before := events[len(events)-2].GetUpdate()
	if events[len(events)-1].GetAck().GetSeq() != uint64(regrab.Seq) ||
		before.GetOp() != holtpb.Op_OP_GRAB {
		d.t.Errorf("T17 it is sent as %v: want a server update, and the ack at once", events)
	}
	seat, was := uint32(d.session.Seat), card
	if card = d.call(card); card == was {
		d.t.Error("T21 the card has no new identifier in the hand")
	}
	if p := d.pieces[card]; p.GetHolder() != seat || p.GetOwner() != seat || p.GetFace() != 0 ||
		p.GetKind() == backKind {
		d.t.Errorf("T17, T23 the card is in hand as %v", p)
	}
	for _, e := range other.read() {
		if p := e.GetUpdate().GetPiece(); p.Kind != nil && p.GetKind() != backKind {
			d.t.Errorf("T22 before it is played others get %v", e)
		}
	}
	if other.pieces[was] != nil || other.pieces[card] != nil {
		d.t.Error("T21, T23 others see a card in a hand")
	}
	play := d.put(table.OpRelease, card, playX, playY)
	d.post(play)
	if got := outcome(d.read(), play); got != "acked" {
		d.t.Fatalf("T17 playing the card has the outcome %q", got)
	}
	other.read()
	p, seen := d.pieces[card], other.pieces[card]
	if p.GetHolder() != 0 || p.GetOwner() != 0 || p.GetX() != playX || p.GetFace() != 0 ||
		seen.GetKind() != p.GetKind() || seen.GetX() != playX {
		d.t.Errorf("T17 played, the card lies as %v; the other player sees %v", p, seen)
	}
	d.putBack(card)
}

// putBack lays a card face down on the pile.
func (d *loosePlayer) putBack(card id.Piece) {
	d.t.Helper()
	flip := d.update(table.OpFlip, card)
	flip.Has, flip.Face = flip.Has|table.HasFace, 1
	back := d.put(table.OpMove, card, pileX, pileY)
	d.post(flip, back)
	if got := outcome(d.read(), back); got != "acked" {
		d.t.Fatalf("putting the card back has the outcome %q", got)
	}
}

// grabOrdinarily does the same without saying that it may be too late.
func (d *loosePlayer) grabOrdinarily(card id.Piece) {
	d.draw(card)
	regrab := d.update(table.OpGrab, card)
	d.post(regrab)
	if got := outcome(d.read(), regrab); got != "" {
		d.t.Errorf("T6 it has the outcome %q", got)
	}
	if p := d.pieces[d.call(card)]; p.GetHolder() != 0 || p.GetOwner() != uint32(d.session.Seat) {
		d.t.Errorf("T6 the card lies as %v", p)
	}
}

// The kind that stands for a concealed card, and that of the deck, after the cards.
const (
	backKind = 2
	deckKind = 5
)
