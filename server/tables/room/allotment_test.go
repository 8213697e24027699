package room_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// TestFindingS5Room makes ada write more or less on the cards in her hand. Nobody else can notice
// it by how much they can write, where all see it or where only they see it.
func TestFindingS5Room(t *testing.T) {
	answers := map[int]string{}
	for _, hidden := range []int{0, 100, 500, 900} {
		atCards(t).seeded(1).Run(fmt.Sprintf("C16 %d characters are hidden",
			hidden), func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.draw(2))
			p.ada.events()
			for _, c := range p.ada.hand(anyCard) {
				p.ada.operate(put(schema.EntityOfPiece(id.Piece(c.GetId())), schema.Remark, 1,
					text(strings.Repeat("x", hidden))))
			}
			public, own := p.bob.fillPublic(), p.bob.fillHand()
			if public < schema.MaxPublicBytes-2048 || own < schema.MaxHiddenBytes-4096 {
				t.Errorf("there is room for %d bytes and %d of his own", public, own)
			}
			answers[hidden] = fmt.Sprint(public, " bytes, and ", own, " of his own, and for ada ",
				p.ada.roomOn(tokenLeft))
		})
	}
	for hidden, got := range answers {
		if got != answers[0] {
			t.Errorf("C16 with %d hidden characters there is room for %s, with none for %s", hidden,
				got, answers[0])
		}
	}
}

// fits reports whether an operation is accepted.
func (p *player) fits(op crdt.Op) bool {
	p.t.Helper()
	p.operate(op)
	got := refusals(p.events())
	if len(got) > 0 && !slices.Equal(got, []holtpb.Refusal{holtpb.Refusal_REFUSAL_FULL}) {
		p.t.Fatalf("refused for %v", got)
	}
	return len(got) == 0
}

// fillPublic draws long lines until they are refused, then writes on a token. It returns how many
// bytes were accepted.
func (p *player) fillPublic() (bytes int) {
	p.t.Helper()
	now := schema.SecondAt(p.clock.now())
	points := &componentpb.Points{}
	for range 500 {
		points.X, points.Y = append(points.X, 1), append(points.Y, 1)
	}
	for stroke := uint32(1); ; stroke++ {
		e := schema.EntityOfStroke(now, stroke)
		ops := []crdt.Op{put(e, schema.Stroke, 1, &componentpb.Stroke{Width: 20})}
		for i := range uint32(256) {
			ops = append(ops, crdt.Op{
				Kind: crdt.Append, Entity: e, Component: schema.Points, Timestamp: i,
				Data: schema.Encode(points),
			})
		}
		p.operate(ops...)
		events := p.events()
		for _, op := range operations(p.t, events) {
			bytes += len(op.Data)
		}
		if len(refusals(events)) > 0 {
			return bytes + p.roomOn(tokenLeft)
		}
	}
}

// fillHand writes on the cards in the player's own hand until that is refused. It returns how many
// bytes were accepted.
func (p *player) fillHand() (bytes int) {
	p.t.Helper()
	p.mustSend(p.draw(20))
	p.events()
	long := put(0, schema.Remark, 1, text(strings.Repeat("😀", schema.MaxRemark)))
	for _, c := range p.hand(anyCard) {
		long.Entity = schema.EntityOfPiece(id.Piece(c.GetId()))
		if !p.fits(long) {
			return bytes + p.roomOn(id.Piece(c.GetId()))
		}
		bytes += len(long.Data)
	}
	p.t.Fatal("there is still room on all cards")
	return 0
}

// roomOn finds the longest remark that a piece still takes, and returns how many bytes it has.
func (p *player) roomOn(piece id.Piece) (bytes int) {
	p.t.Helper()
	e := schema.EntityOfPiece(piece)
	least, most := 0, schema.MaxRemark
	for least < most {
		n := (least + most + 1) / 2
		op := put(e, schema.Remark, 1, text(strings.Repeat("x", n)))
		if p.fits(op) {
			least, bytes = n, len(op.Data)
			p.fits(crdt.Op{Kind: crdt.Delete, Entity: e, Component: schema.Remark, Timestamp: 2})
		} else {
			most = n - 1
		}
	}
	return bytes
}

// TestC16Allotments checks that hidden data counts for the seat that wrote it last, until it is
// dropped.
func TestC16Allotments(t *testing.T) {
	long := strings.Repeat("😀", schema.MaxRemark)
	shared := func(r *rig) (p *party, cards []id.Piece) {
		p = r.party()
		share := p.ada.blind(table.OpShare, handNorth)
		share.Has, share.Seat = share.Has|table.HasSeat, p.bob.session.Seat
		p.ada.mustSend(share, p.ada.draw(20))
		p.readAll()
		return p, names(p.ada.hand(anyCard))
	}
	write := func(p *player, card id.Piece, at uint32) bool {
		return p.fits(put(schema.EntityOfPiece(card), schema.Remark, at, text(long)))
	}
	atCards(t).Run("C16.11 a seat fills only its own allotment", func(t *testing.T, r *rig) {
		p, cards := shared(r)
		n := 0
		for n < len(cards) && write(p.ada, cards[n], 1) {
			n++
		}
		if n != schema.MaxHiddenBytes/len(schema.Encode(text(long))) {
			t.Errorf("ada labels %d cards", n)
		}
		p.readAll()
		if !write(p.bob, cards[n], 1) {
			t.Error("bob finds no room")
		}
		p.readAll()
		if write(p.ada, cards[n+1], 1) {
			t.Error("ada finds room although nothing of hers was deleted")
		}
		if !write(p.bob, cards[0], 2) {
			t.Error("bob cannot replace ada's label")
		}
		p.readAll()
		if !write(p.ada, cards[n+1], 1) {
			t.Error("ada finds no room after her label was replaced")
		}
		p.ada.mustSend(p.ada.move(cards[1], 0, 0)) // its labels are dropped (C15)
		p.readAll()
		if !write(p.ada, cards[n+2], 1) {
			t.Error("ada finds no room after a card is played")
		}
	})
	atCards(t).Run("C16.11 allotments survive a restart", func(t *testing.T, r *rig) {
		p, cards := shared(r)
		write(p.ada, cards[0], 1)
		p.readAll()
		write(p.bob, cards[1], 1)
		for range 2 { // from the log, and from a snapshot
			r.stop()
			r.start()
			p = &party{
				rig: r, ada: r.open(p.ada.session), tab: r.open(p.ada.session),
				bob: r.open(p.bob.session), dan: r.open(p.dan.session), eve: r.open(p.eve.session),
			}
			p.readAll()
		}
		n := 2
		for n < len(cards) && write(p.ada, cards[n], 1) {
			n++
		}
		if most := schema.MaxHiddenBytes / len(schema.Encode(text(long))); n-1 != most {
			t.Errorf("ada has labelled %d cards, want %d", n-1, most)
		}
	})
}
