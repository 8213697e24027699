package room_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// packedKind returns a packed game with one kind. Its one face has so many bytes of text.
func packedKind(t *testing.T, name string, text int) *game.Packed {
	t.Helper()
	p, err := game.ReadLoose(fmt.Appendf(nil, `{
		"format": "holt.game/2", "id": "one", "name": "One", "summary": "One kind.",
		"table": {"width": 6000, "height": 4400, "surface": "slate"},
		"kinds": [{"name": %q, "width": 600, "height": 800, "shape": "card", "weight": "light",
			"faces": [{"name": "Front", "art": "a.svg"}]}], "pieces": []
	}`, name), game.Files{Art: func(string) ([]byte, error) {
		return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 8">`+
			`<desc>%s%0*d</desc><path d="M0 0h6v8z"/></svg>`, name, text, 0), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// letEdit lets the host of the table edit.
func (r *rig) letEdit() {
	r.t.Helper()
	if err := r.rooms.LetEdit(r.t.Context(), r.host.Session, r.host.Seat, true); err != nil {
		r.t.Fatal(err)
	}
}

func TestT100AddKinds(t *testing.T) {
	// Clauses: T100.2, T100.3
	in(t).Run("T100.2 kinds are durable before the answer", func(t *testing.T, r *rig) {
		r.letEdit()
		release := r.store.block()
		answered := make(chan []uint32, 1)
		go func() {
			numbers, err := r.rooms.AddKinds(t.Context(), r.host.Session, packedKind(t, "New", 1),
				room.ChangedKinds{})
			if err != nil {
				t.Error(err)
			}
			answered <- numbers
		}()
		synctest.Wait()
		if len(answered) > 0 {
			t.Error("it was answered before it was durable")
		}
		release()
		was := <-answered
		r.stop()
		r.start()
		now, err := r.rooms.AddKinds(t.Context(), r.host.Session, packedKind(t, "New", 1),
			room.ChangedKinds{})
		if err != nil || !slices.Equal(now, was) {
			t.Errorf("T100.3 after a restart its number is %v, not %v: %v", now, was, err)
		}
	})
	// Clauses: T100.4
	in(t).Run("T100.4 on a frozen table only hosts add kinds", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		if err := r.rooms.LetEdit(t.Context(), r.host.Session, bob.Seat, true); err != nil {
			t.Fatal(err)
		}
		r.letEdit()
		ada := r.open(r.host.Session)
		ada.events()
		ada.access(false, true, 1)
		ada.events()
		_, err := r.rooms.AddKinds(t.Context(), bob.Session, packedKind(t, "New", 1), room.ChangedKinds{})
		if !errors.Is(err, room.ErrFrozen) {
			t.Errorf("Bob: %v", err)
		}
		if _, err := r.rooms.AddKinds(t.Context(), r.host.Session,
			packedKind(t, "New", 1), room.ChangedKinds{}); err != nil {
			t.Errorf("the host: %v", err)
		}
	})
	// Clauses: T100.6
	limited := quotaOf(t, room.Quota{Seat: 200_000})
	limited.Run("T100.6 pictures count towards the quota of the seat", func(t *testing.T, r *rig) {
		r.letEdit()
		add := func(name string) error {
			_, err := r.rooms.AddKinds(t.Context(), r.host.Session,
				packedKind(t, name, 90_000), room.ChangedKinds{})
			return err
		}
		for i := range 20 {
			err := add(fmt.Sprintf("Card %d", i))
			var soon *room.TooSoon
			switch {
			case err == nil:
			case errors.As(err, &soon) && i >= 2 && i <= 4:
				return
			default:
				t.Fatalf("picture %d: %v", i, err)
			}
		}
		t.Error("there is no bound")
	})
}

// largeHand is the hand of the game of these tests, of another width, with kinds that it has, too.
func largeHand(t *testing.T, width int) *game.Packed {
	t.Helper()
	p, err := game.ReadLoose(fmt.Appendf(nil, `{
		"format": "holt.game/2", "id": "one", "name": "One", "summary": "One kind.",
		"table": {"width": 6000, "height": 4400, "surface": "slate"},
		"kinds": [{"name": "Hand", "width": %d, "height": 1000, "shape": "rect", "weight": "heavy",
			"hand": true, "faces": [{"name": "Hand", "layers": [{"colour": "#112233"}]}]},
			{"name": "Note", "width": 400, "height": 400, "shape": "rect", "weight": "light",
			"private": true, "faces": [{"name": "Note", "layers": [{"colour": "#112233"}]}]}],
		"pieces": []}`, width), game.Files{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestT104Change(t *testing.T) {
	// Clauses: T104.1, T104.2
	in(t).Run("T104.1 pieces are what they were, of a new size", func(t *testing.T, r *rig) {
		r.letEdit()
		ada := r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.blind(table.OpClaim, hand))
		ada.events()
		inHand := func(x int32) bool {
			t.Helper()
			ada.reopenForFull()
			ada.mustSend(ada.move(ace, x, -4000))
			full := ada.reopenForFull()
			for _, q := range full.GetPieces() {
				if k := q.GetKind(); k == kindAce || k == kindBack {
					return q.GetOwner() != 0
				}
			}
			t.Fatal("the card is gone")
			return false
		}
		if inHand(3000) {
			t.Fatal("the hand is too large from the beginning")
		}
		ada.events()
		numbers, err := r.rooms.AddKinds(t.Context(), r.host.Session, largeHand(t, 9000),
			room.ChangedKinds{Numbers: []uint32{0}})
		if err != nil || !slices.Equal(numbers, []uint32{0, 4}) {
			t.Fatalf("its kinds are %v: %v", numbers, err)
		}
		if !slices.ContainsFunc(ada.events(), func(e *holtpb.Event) bool {
			return e.GetTable() != nil
		}) {
			t.Error("T104.2 nobody hears of the new catalogue")
		}
		if !inHand(3500) {
			t.Error("T104.1 the hand is as small as before")
		}
		if inHand(4800) {
			t.Error("T104.1 the hand has no edge")
		}
		r.stop()
		r.start()
		names := ada.renamed
		ada = r.open(r.host.Session)
		ada.renamed = names
		if !inHand(3600) {
			t.Error("T104.1 after a restart the hand is as small as before")
		}
	})
	// Clauses: T104.5
	atCards(t).Run("T104.5 a kind of a guest set stays as it is", func(t *testing.T, r *rig) {
		p := r.party()
		r.letEdit()
		set := r.makeGuestSet(p.ada, p.bob)
		kind := uint32(0)
		for _, q := range p.ada.reopenForFull().GetPieces() {
			if q.GetSet() != 0 {
				kind = q.GetKind()
			}
		}
		_, err := r.rooms.AddKinds(t.Context(), r.host.Session, packedKind(t, "New", 1),
			room.ChangedKinds{Numbers: []uint32{kind}})
		if !errors.Is(err, room.ErrGuests) {
			t.Errorf("kind %d of set %v: %v", kind, set, err)
		}
	})
}
