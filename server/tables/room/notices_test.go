package room_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// noticed returns the notices in events, and the faces that they show.
func noticed(events []*holtpb.Event) (notices []*holtpb.Notice, faces []*holtpb.Faces) {
	for _, e := range events {
		if n := e.GetNotice(); n != nil {
			notices = append(notices, n)
		}
		if f := e.GetFaces(); f != nil {
			faces = append(faces, f)
		}
	}
	return notices, faces
}

// wantNotice checks that somebody gets one notice, and these faces or none.
func wantNotice(
	t *testing.T, who string, events []*holtpb.Event, want *holtpb.Notice, faces *holtpb.Faces,
) {
	t.Helper()
	notices, shown := noticed(events)
	if len(notices) != 1 || !proto.Equal(notices[0], want) {
		t.Errorf("T28 %s gets %v, want %v", who, notices, want)
	}
	if faces == nil && len(shown) > 0 ||
		faces != nil && (len(shown) != 1 || !proto.Equal(shown[0], faces)) {
		t.Errorf("T31 %s sees %v, want %v", who, shown, faces)
	}
}

// count returns an update of a container with a number.
func (p *player) count(op table.Op, piece id.Piece, n int32) table.Update {
	u := p.blind(op, piece)
	u.Has, u.N = u.Has|table.HasN, n
	return u
}

// show returns an update that shows a piece to a seat.
func (p *player) show(piece id.Piece, seat id.Seat) table.Update {
	u := p.blind(table.OpShow, piece)
	u.Has, u.Seat = u.Has|table.HasSeat, seat
	return u
}

func TestNotices(t *testing.T) {
	atCards(t).Run("T28.8 invisible acts are published as notices", func(t *testing.T, r *rig) {
		p := r.party()
		for _, c := range []struct {
			by    *player
			u     table.Update
			count uint32
		}{
			{p.ada, p.ada.draw(2), 2}, {p.dan, p.dan.count(table.OpDeal, deck, 3), 3},
			{p.bob, p.bob.count(table.OpCut, deck, 4), 16},
			{p.bob, p.bob.blind(table.OpShuffle, deck), 16},
			{p.ada, p.ada.count(table.OpPeek, deck, 2), 2},
			{p.ada, p.ada.blind(table.OpRecall, deck), 8},
		} {
			c.by.mustSend(c.u)
			want := &holtpb.Notice{
				By: uint32(c.by.session.Seat), Op: holtpb.Op(c.u.Op), Piece: uint32(deck),
				Count: c.count,
			}
			for who, one := range p.all() {
				events := one.events()
				if notices, _ := noticed(events); len(notices) != 1 ||
					!proto.Equal(notices[0], want) {
					t.Errorf("of %s %s gets %v, want %v", c.u.Op, who, notices, want)
				}
				if one == c.by && !slices.Equal(acks(events), []uint64{uint64(c.u.Seq)}) {
					t.Errorf("T28 its %s is acknowledged as %v", c.u.Op, acks(events))
				}
				if slices.ContainsFunc(events, func(e *holtpb.Event) bool {
					return e.GetShuffled() != nil
				}) {
					t.Errorf("T31 of %s %s gets a notice of a shuffle on the table: %v", c.u.Op, who,
						events)
				}
			}
		}
	})
	atCards(t).Run("T29.9, T30 notices of a bag have no number", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.stow(tokenLeft, bag, 1), p.ada.stow(tokenRight, bag, 1))
		p.readAll()
		p.bob.mustSend(p.bob.count(table.OpDraw, bag, 2))
		want := &holtpb.Notice{By: 2, Op: holtpb.Op_OP_DRAW, Piece: uint32(bag)}
		for who, one := range p.all() {
			wantNotice(t, who, one.events(), want, nil)
		}
	})
	atCards(t).Run("T31.5, T31.14 a viewer of a deck sees only the top", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.count(table.OpPeek, deck, 2))
		want := &holtpb.Notice{By: 1, Op: holtpb.Op_OP_PEEK, Piece: uint32(deck), Count: 2}
		faces := &holtpb.Faces{
			By: 1, Op: holtpb.Op_OP_PEEK, Piece: uint32(deck), Kinds: []uint32{first, second},
		}
		for who, one := range p.all() {
			if one.session.Seat != p.ada.session.Seat {
				wantNotice(t, who, one.events(), want, nil)
				continue
			}
			wantNotice(t, who, one.events(), want, faces)
		}
	})
	// Clauses: T31.6, T31.14
	atCards(t).Run("T31 only the viewer of a face-down card sees it", func(t *testing.T, r *rig) {
		p := r.party()
		p.dan.mustSend(p.dan.drawOut(0, 0))
		p.readAll()
		card := id.Piece(p.dan.sight.all(func(q *holtpb.Piece) bool {
			return q.GetHolder() == 3
		})[0].GetId())
		p.bob.mustSend(p.bob.blind(table.OpPeek, card))
		want := &holtpb.Notice{By: 2, Op: holtpb.Op_OP_PEEK, Piece: uint32(card), Count: 1}
		for who, one := range p.all() {
			faces := &holtpb.Faces{
				By: 2, Op: holtpb.Op_OP_PEEK, Piece: uint32(card), Kinds: []uint32{first},
			}
			if one != p.bob {
				faces = nil
			}
			wantNotice(t, who, one.events(), want, faces)
		}
		for who, one := range p.all() {
			if got := one.sight.pieces[card].GetKind(); got != cardsBack {
				t.Errorf("T31 a look is not part of the state: %s has it as %d", who, got)
			}
		}
	})
	// Clauses: T28.8, T28.9, T31.10
	atCards(t).Run("T28, T31 a shown hand card is seen by one seat", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		card := id.Piece(p.ada.hand(anyCard)[0].GetId())
		p.ada.mustSend(p.ada.show(card, p.dan.session.Seat))
		for who, one := range p.all() {
			want := &holtpb.Notice{
				By: 1, Op: holtpb.Op_OP_SHOW, Count: 1, Seat: uint32(p.dan.session.Seat),
			}
			var faces *holtpb.Faces
			switch one {
			case p.ada, p.tab:
				want.Piece = uint32(card)
			case p.dan:
				faces = &holtpb.Faces{By: 1, Op: holtpb.Op_OP_SHOW, Kinds: []uint32{first}}
			}
			wantNotice(t, who, one.events(), want, faces)
		}
	})
	// Clauses: T28.7, T28.10, T31.14
	atCards(t).Run("S5, T10 a notice is sent once, despite retries", func(t *testing.T, r *rig) {
		p := r.party()
		peek := p.bob.count(table.OpPeek, deck, 1)
		p.bob.mustSend(peek)
		p.readAll()
		p.bob.mustSend(peek)
		for who, one := range p.all() {
			notices, faces := noticed(one.events())
			if len(notices)+len(faces) > 0 {
				t.Errorf("T10 a retry is sent to %s as %v, %v", who, notices, faces)
			}
		}
		for who, one := range p.all() {
			one.cut()
			events := one.comeBack(room.Hello{Epoch: one.epoch, Version: one.version, Seq: 1})
			notices, faces := noticed(events)
			if events[0].GetResumed() == nil || len(notices)+len(faces) > 0 {
				t.Errorf("S5 on resume %s gets %v", who, events)
			}
			if one == p.bob && !slices.Contains(acks(events), uint64(peek.Seq)) {
				t.Errorf("S5 bob's look is acknowledged as %v", acks(events))
			}
		}
	})
	atCards(t).Run("S5.4, T28.10, T31 missed notices come on resume", func(t *testing.T, r *rig) {
		p := r.party()
		p.readAll()
		for _, restarted := range []bool{false, true} {
			version := p.bob.version
			p.bob.cut()
			p.ada.mustSend(p.ada.draw(1))
			p.readAll()
			p.ada.mustSend(p.ada.show(id.Piece(p.ada.hand(anyCard)[0].GetId()), p.bob.session.Seat))
			p.readAll()
			if restarted {
				r.store.mu.Lock()
				r.store.failSave = errDisk // no snapshot
				r.store.mu.Unlock()
				r.stop()
				r.start()
			}
			events := p.bob.comeBack(room.Hello{Epoch: p.bob.epoch, Version: version, Seq: 1})
			notices, faces := noticed(events)
			if events[0].GetResumed() == nil || len(notices) != 2 ||
				notices[0].GetOp() != holtpb.Op_OP_DRAW || notices[1].GetOp() != holtpb.Op_OP_SHOW {
				t.Errorf("restarted %v: bob gets %v", restarted, events)
			}
			if len(faces) != 1 || len(faces[0].GetKinds()) != 1 {
				t.Errorf("restarted %v: bob sees %v", restarted, faces)
			}
			p.bob.cut()
			events = p.bob.comeBack(room.Hello{Epoch: p.bob.epoch, Version: p.bob.version, Seq: 1})
			if notices, faces := noticed(events); events[0].GetResumed() == nil ||
				len(notices)+len(faces) > 0 {
				t.Errorf("restarted %v: bob, who had it, gets %v", restarted, events)
			}
			if restarted {
				continue
			}
			p.ada.reopen(0)
			p.readAll()
		}
	})
}
