package room_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
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
		change := func(n uint32) error {
			_, err := r.rooms.AddKinds(t.Context(), r.host.Session, packedKind(t, "New", 1),
				room.ChangedKinds{Numbers: []uint32{n}})
			return err
		}
		if err := change(kind); !errors.Is(err, room.ErrGuests) {
			t.Errorf("kind %d of set %v: %v", kind, set, err)
		}
		secret := 0
		for n, k := range kindsAt(t, r, r.store.tables[r.host.Table].row.Catalog) {
			if !k.Secret || k.Unknown {
				continue
			}
			secret++
			if err := change(uint32(n)); !errors.Is(err, room.ErrGuests) {
				t.Errorf("nobody has seen %q: %v", k.Name, err)
			}
		}
		if secret < 2 {
			t.Errorf("only %d kinds are secret", secret)
		}
	})
}

// TestT100OldKinds shows that what new kinds mean for buttons of old ones holds at once, as it does
// after a restart: no button acts on what looks like secret pieces (T84).
// Clauses: T3.1, T100.1
func TestT100OldKinds(t *testing.T) {
	const token = `{"name":"Token","width":400,"height":400,"shape":"round","weight":"light",
	   "faces":[{"name":"Token","art":"a.svg"}]}`
	with := in(t)
	with.game = `{"format":"holt.game/2","id":"test","name":"Test","summary":"A test.","order":1,
	 "table":{"width":10000,"height":10000,"surface":"felt"},
	 "kinds":[` + token + `,
	  {"name":"Turn","width":400,"height":400,"shape":"rect","weight":"light",
	   "button":{"steps":[{"do":"rotate","kind":"Token","by":9000}]},
	   "faces":[{"name":"Turn","art":"a.svg"}]}],
	 "pieces":[{"kind":"Token","x":0,"y":0},{"kind":"Turn","x":1000,"y":0}]}`
	with.Run("a kind becomes the mask of secret ones", func(t *testing.T, r *rig) {
		const button id.Piece = 2
		r.letEdit()
		angle := func() uint32 {
			ada := r.open(r.host.Session)
			ada.events()
			ada.mustSend(ada.blind(table.OpRun, button))
			ada.events()
			for _, p := range ada.reopenForFull().GetPieces() {
				if p.GetKind() == 0 {
					return p.GetAngle()
				}
			}
			t.Fatal("there is no token")
			return 0
		}
		if got := angle(); got != 9000 {
			t.Fatalf("the button turns the token to %d", got)
		}
		svg := []byte(
			`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>`)
		p, err := game.ReadLoose([]byte(`{"format":"holt.game/2","id":"one","name":"One",
		 "summary":"One kind.","table":{"width":6000,"height":4400,"surface":"slate"},
		 "kinds":[`+token+`,{"name":"Trap","width":400,"height":400,"shape":"round","weight":"light",
		   "secret":true,"mask":"Token","faces":[{"name":"Trap","art":"a.svg"},
		   {"name":"Token","art":"a.svg"}]}],"pieces":[]}`),
			game.Files{Art: func(string) ([]byte, error) { return svg, nil }})
		if err != nil {
			t.Fatal(err)
		}
		numbers, err := r.rooms.AddKinds(t.Context(), r.host.Session, p, room.ChangedKinds{})
		if err != nil || !slices.Equal(numbers, []uint32{0, 2}) {
			t.Fatalf("the kinds are %v, %v", numbers, err)
		}
		live := angle()
		r.stop()
		r.start()
		if later := angle(); live != 9000 || later != 9000 {
			t.Errorf("the button turns the token to %d, and after a restart to %d", live, later)
		}
	})
}

// TestT101UndoQuestion shows that a question about additions into a deck outlives a restart, also
// that of a kind that came while the table was used, and that the table can be saved afterwards.
// Clauses: T63.7, T63.19, T101.1, T102.5
func TestT101UndoQuestion(t *testing.T) {
	atCards(t).Run("they come out again, and nothing else", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		r.letEdit()
		save := func(what string) []byte {
			g, err := r.rooms.SaveGame(t.Context(), p.ada.session, &room.Saving{Name: "Saved"})
			if err != nil {
				t.Fatalf("%s it is not saved: %v", what, err)
			}
			file, err := g.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			return file
		}
		if _, err := r.rooms.AddKinds(t.Context(), p.ada.session, packedKind(t, "New", 1),
			room.ChangedKinds{}); err != nil {
			t.Fatal(err)
		}
		was, all := save("before"), p.eve.inDeck()
		var updates []table.Update
		for i := range uint32(40) { // those of one request are one gesture
			p.ada.seq++
			updates = append(updates, table.Update{Seq: p.ada.seq, Op: table.OpAdd,
				Has: table.HasKind | table.HasXY | table.HasInto, Kind: cardsRoyal + i%(royals+plains),
				Into: deck})
		}
		p.ada.mustSend(updates...)
		p.readAll()
		if n := p.eve.inDeck(); n != all+40 {
			t.Fatalf("in the deck lie %d cards, not %d", n, all+40)
		}
		if now := save("with them"); bytes.Equal(now, was) {
			t.Error("what was added is not saved")
		}
		q := p.ada.asks("one")
		if err := p.bob.agree(q, true); err != nil {
			t.Fatal(err)
		}
		r.stop()
		r.start()
		ada, bob, dan, eve := r.open(p.ada.session), r.open(p.bob.session), r.open(p.dan.session),
			r.open(p.eve.session)
		got := bob.wantState("bob", holtpb.QuestionState_QUESTION_STATE_OPEN)
		if got.GetId() != q || got.GetOp() != holtpb.Op_OP_ADD || len(got.GetGhosts()) != 0 {
			t.Errorf("after the restart bob gets %v", got)
		}
		<-time.After(11 * time.Second)
		if err := dan.agree(q, true); err != nil {
			t.Fatal(err)
		}
		ada.wantState("ada", holtpb.QuestionState_QUESTION_STATE_AGREED)
		if n := eve.inDeck(); n != all {
			t.Errorf("%d cards lie in the deck, want %d", n, all)
		}
		if now := save("afterwards"); !bytes.Equal(now, was) {
			t.Error("another game is saved than before")
		}
	})
}
