package room_test

import (
	"crypto/rand"
	"errors"
	"slices"
	"testing"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
)

// atFullDeck runs a test at a table with a deck of so many cards.
func atFullDeck(t *testing.T, cards int, name string, f func(t *testing.T, r *rig, ada *player)) {
	t.Helper()
	order := make([]uint32, cards)
	for i := range order {
		order[i] = cardsRoyal + uint32(i)%(royals+plains)
	}
	bubble{
		t: t, game: cardsGame(t, order), random: rand.Reader,
	}.Run(name, func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		f(t, r, ada)
	})
}

// rest waits as long as a refusal asks for, in virtual time.
func rest(t *testing.T, err error) {
	t.Helper()
	var fast room.TooFast
	if !errors.As(err, &fast) || fast.After <= 0 {
		t.Fatalf("error %v, want one with the time to wait", err)
	}
	<-time.After(fast.After)
}

// TestFindingS1ShufflesOfAFullDeck posts a batch that once ended the server: 256 shuffles of 9,900
// cards. It is refused.
func TestFindingS1ShufflesOfAFullDeck(t *testing.T) {
	// Clauses: T49.1, T49.2
	atFullDeck(t, 9900, "T49 mass shuffles are refused", func(t *testing.T, r *rig, ada *player) {
		before := r.store.size()
		var all []table.Update
		for range 256 {
			all = append(all, ada.blind(table.OpShuffle, deck))
		}
		if err := ada.send(all...); !errors.Is(err, room.TooMuch{}) {
			t.Fatalf("error %v", err)
		}
		if told := ada.events(); len(told) != 0 || r.store.size() != before {
			t.Errorf("after a refusal %v is sent, %d bytes are stored", told,
				r.store.size()-before)
		}
		if err := ada.send(all[0]); err != nil {
			t.Fatalf("one shuffle: %v", err)
		}
		if n := r.store.size() - before; n == 0 || n > 150_000 {
			t.Errorf("a shuffle adds %d bytes to the log", n)
		}
		ada.frames()
		var err error
		for i := 1; i < len(all) && err == nil; i++ {
			err = ada.send(all[i])
		}
		rest(t, err)
		if err := ada.send(ada.blind(table.OpShuffle, deck)); err != nil {
			t.Errorf("after the wait: %v", err)
		}
	})
	atFullDeck(t, 9900, "T49 questions have the same limit", func(t *testing.T, r *rig, ada *player) {
		var ops []crdt.Op
		for i := range 1000 {
			ops = append(ops, put(schema.EntityOfPiece(deck), schema.Shuffle, uint32(i+1),
				&componentpb.Shuffle{}))
		}
		if err := r.rooms.Operate(
			t.Context(), ada.session, ada.message(ops...),
		); !errors.Is(err, room.TooMuch{}) {
			t.Errorf("error %v", err)
		}
	})
}

// TestT49HonestPlay does what people do; nothing of it is refused.
func TestT49HonestPlay(t *testing.T) {
	// Clauses: T49.4
	atFullDeck(t, 104, "T49 a deal every second is allowed", func(t *testing.T, r *rig, ada *player) {
		bob := r.open(r.seat(r.invites.Player, "Bob").Session)
		bob.frames()
		for range 60 {
			ada.mustSend(ada.blind(table.OpRecall, deck), ada.blind(table.OpShuffle, deck),
				ada.count(table.OpDeal, deck, 50))
			bob.mustSend(bob.blind(table.OpRecall, deck))
			ada.frames()
			bob.frames()
			<-time.After(time.Second)
		}
	})
	atFullDeck(t, 300, "T49 a drag of 200 pieces is allowed", func(t *testing.T, r *rig, ada *player) {
		for range 3 {
			u := ada.draw(100)
			u.Has |= table.HasXY
			ada.mustSend(u)
			ada.frames()
		}
		var open []table.Update
		for _, p := range ada.lying() {
			if isCard(p.GetKind()) && len(open) < 200 {
				open = append(open, ada.move(id.Piece(p.GetId()), 1000, 1000))
			}
		}
		for range 20 {
			grab, drop := slices.Clone(open), slices.Clone(open)
			for i := range open {
				grab[i] = ada.make(table.OpGrab, open[i].Piece)
				ada.seq++
				drop[i].Seq, drop[i].Op = ada.seq, table.OpRelease
			}
			ada.mustSend(grab...)
			ada.frames()
			for i := range drop {
				ada.seq++
				drop[i].Seq, drop[i].Tag = ada.seq, ada.versions[drop[i].Piece]
			}
			ada.mustSend(drop...)
			ada.frames()
			<-time.After(time.Second)
		}
	})
	// Clauses: T49.4
	atFullDeck(t, 9900, "T49 a large recall is allowed", func(t *testing.T, r *rig, ada *player) {
		for range 10 {
			u := ada.draw(100)
			u.Has |= table.HasXY
			ada.mustSend(u)
			<-time.After(time.Second)
		}
		ada.frames()
		ada.mustSend(ada.blind(table.OpRecall, deck))
	})
}

// TestFindingS9TableReads reads a large table again and again. Its reader has to wait, and nobody
// else.
func TestFindingS9TableReads(t *testing.T) {
	atFullDeck(t, 9900, "T49 reads cost the seat that reads", func(t *testing.T, r *rig, ada *player) {
		eve := r.seat(r.invites.Spectator, "Eve").Session
		var err error
		for n := 0; err == nil; n++ {
			if _, err = r.rooms.Read(t.Context(), eve); n == 100 {
				t.Fatal("a hundred reads of a large table at once")
			}
		}
		if _, err := r.rooms.Read(t.Context(), ada.session); err != nil {
			t.Errorf("somebody else: %v", err)
		}
		rest(t, err)
		if _, err := r.rooms.Read(t.Context(), eve); err != nil {
			t.Errorf("after the wait: %v", err)
		}
	})
}
