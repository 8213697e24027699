package room_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// doorAt makes a token of the table a door.
func (r *rig) doorAt(p *player) {
	r.t.Helper()
	if _, err := r.rooms.SetDoor(
		r.t.Context(), p.session, tokenLeft, aDoor("Kniffel"),
	); err != nil {
		r.t.Fatal(err)
	}
}

// lay returns an update that lays the top card of the deck on the table, with a face up.
func (p *player) lay(x, face int32) table.Update {
	u := p.blind(table.OpDraw, deck)
	u.Has, u.X, u.Face = u.Has|table.HasXY|table.HasFace, x, face
	return u
}

// refusedFor reports whether an error is a refusal for a reason.
func refusedFor(err error, why table.Reason) bool {
	var refusal *room.Refusal
	return errors.As(err, &refusal) && refusal.Reason == why
}

func TestSend(t *testing.T) {
	atCards(t).Run("O52.14 a host who is a visitor", func(t *testing.T, r *rig) {
		p := r.party()
		r.doorAt(p.ada)
		s := p.ada.session
		if _, err := r.rooms.TakeToSend(t.Context(), s, tokenLeft, deck, s.Seat,
			false); !errors.Is(err, room.ErrNoBag) {
			t.Errorf("O52.14 the deck of the table goes: %v", err)
		}
		if all := r.owner.Sets(); len(all) != 0 {
			t.Errorf("O52.14 %d sets were made", len(all))
		}
		if _, err := r.rooms.TakeToSend(t.Context(), s, tokenLeft, deck, s.Seat, true); err != nil {
			t.Errorf("O52.1 a host at home: %v", err)
		}
	})
	// Clauses: O52.1
	atCards(t).Run("O52.1 an open card goes without its deck, a hidden one does not",
		func(t *testing.T, r *rig) {
			p := r.party()
			r.doorAt(p.ada)
			s := p.ada.session
			p.ada.mustSend(p.ada.lay(3000, 1), p.ada.lay(-3000, 0))
			p.ada.events()
			at := func(x int32) id.Piece {
				for _, q := range p.ada.sight.all(func(q *holtpb.Piece) bool {
					return q.GetX() == x && q.GetY() == 0
				}) {
					return id.Piece(q.GetId())
				}
				t.Fatalf("no card lies at %d", x)
				return 0
			}
			if _, err := r.rooms.TakeToSend(t.Context(), s, tokenLeft, at(3000), s.Seat,
				true); !refusedFor(err, table.ReasonHidden) {
				t.Errorf("O52.1 a card that nobody knows: %v", err)
			}
			set, err := r.rooms.TakeToSend(t.Context(), s, tokenLeft, at(-3000), s.Seat, true)
			if err != nil {
				t.Fatal(err)
			}
			if c, on, ok := r.owner.Contents(set); !ok || !on.IsZero() || len(c.Parts) != 1 {
				t.Errorf("O52.1 the set has %d parts, on %v", len(c.Parts), on)
			}
			if p.ada.sight.pieces[deck] == nil {
				t.Error("O52.1 the deck went, too")
			}
		})
	// Clauses: O52.15, O52.17
	atCards(t).Run("O52 guests and their doors", func(t *testing.T, r *rig) {
		p := r.party()
		r.doorAt(p.ada)
		r.makeGuestSet(p.ada, p.bob)
		ctx, s, guest := t.Context(), p.ada.session, p.ada.name(deck)
		if seat, err := r.rooms.SenderOf(ctx, s, guest); seat != s.Seat || err != nil {
			t.Errorf("O52.15 it is of seat %d: %v", seat, err)
		}
		if _, err := r.rooms.SenderOf(
			ctx, p.bob.session, p.bob.name(deck),
		); !refusedFor(err, table.ReasonNotAllowed) {
			t.Errorf("O52.1 somebody else's: %v", err)
		}
		// Meanwhile another one has put it there.
		if _, err := r.rooms.TakeToSend(ctx, s, tokenLeft, guest, p.bob.session.Seat,
			true); !refusedFor(err, table.ReasonGone) {
			t.Errorf("O52.15 as that of another seat: %v", err)
		}
		p.ada.mustSend(p.ada.lay(-3000, 0))
		p.ada.events()
		card := id.Piece(0)
		for _, q := range p.ada.sight.all(func(q *holtpb.Piece) bool {
			return q.GetX() == -3000 && q.GetSet() != 0
		}) {
			card = id.Piece(q.GetId())
		}
		if _, err := r.rooms.SetDoor(ctx, s, card, aDoor("Kniffel")); err != nil {
			t.Fatal(err)
		}
		if _, err := r.rooms.TakeToSend(ctx, s, card, guest, s.Seat,
			true); !errors.Is(err, room.ErrItself) {
			t.Errorf("O52.17 a set with its door: %v", err)
		}
	})
	// Clauses: O52.3, O52.4
	atCards(t).Run("O52.4 what a table does not take goes back", func(t *testing.T, r *rig) {
		p := r.party()
		r.doorAt(p.ada)
		ctx, s := t.Context(), p.ada.session
		set, err := r.rooms.TakeToSend(ctx, s, tokenLeft, deck, s.Seat, true)
		if err != nil {
			t.Fatal(err)
		}
		lies := func() bool {
			synctest.Wait()
			_, on, _ := r.owner.Contents(set)
			return !on.IsZero()
		}
		deliver := func() error {
			return r.rooms.Deliver(ctx, s.Table, room.Delivery{Set: set})
		}
		r.line.loseAnswers(true)
		if err := deliver(); err == nil || errors.Is(err, room.ErrInDoubt) || lies() {
			t.Errorf("O52.4 its owner does not answer: %v, and it lies there: %v", err, lies())
		}
		r.line.loseAnswers(false)
		if err := deliver(); err != nil || !lies() {
			t.Fatalf("O52.3 %v", err)
		}
		n := len(p.ada.reopenForFull().GetPieces())
		if err := deliver(); !refusedFor(err, table.ReasonNotAllowed) || !lies() {
			t.Errorf("a replay: %v", err)
		}
		if again := len(p.ada.reopenForFull().GetPieces()); again != n {
			t.Errorf("after a replay there are %d pieces, before %d", again, n)
		}
	})
	// Clauses: O52.16
	atCards(t).Run("O52.16 a table that ends meanwhile has not said", func(t *testing.T, r *rig) {
		p := r.party()
		r.doorAt(p.ada)
		s := p.ada.session
		set, err := r.rooms.TakeToSend(t.Context(), s, tokenLeft, deck, s.Seat, true)
		if err != nil {
			t.Fatal(err)
		}
		release := r.line.stop()
		defer release()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- r.rooms.Deliver(ctx, s.Table, room.Delivery{Set: set}) }()
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, room.ErrInDoubt) {
			t.Errorf("O52.16 %v", err)
		}
	})
}
