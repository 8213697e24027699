package room_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// rounds returns the rounds in events.
func rounds(events []*holtpb.Event) (all []*holtpb.Round) {
	for _, e := range events {
		if r := e.GetRound(); r != nil {
			all = append(all, r)
		}
	}
	return all
}

// round returns the last round that a player gets now.
func (p *player) round() *holtpb.Round {
	p.t.Helper()
	all := rounds(p.events())
	if len(all) == 0 {
		p.t.Errorf("T76 seat %d gets no round", p.session.Seat)
		return &holtpb.Round{}
	}
	return all[len(all)-1]
}

// begins starts a round of ada and bob, and returns its number.
func (p *party) begins() uint32 {
	p.t.Helper()
	q, err := p.rooms.BeginRound(p.t.Context(), p.ada.session, "Bids", []id.Seat{2, 1})
	if err != nil {
		p.t.Fatal(err)
	}
	return q
}

// choose says what a player has chosen.
func (p *player) choose(round uint32, text string, pieces ...id.Piece) error {
	return p.rooms.Choose(p.t.Context(), p.session, round, room.Choice{Pieces: pieces, Text: text})
}

// cards returns the cards in the own hand of a player, as the player names them; ascending.
func (p *player) cards() (all []id.Piece) {
	for _, piece := range p.reopenForFull().GetPieces() {
		if isCard(piece.GetKind()) && piece.GetOwner() == uint32(p.session.Seat) {
			all = append(all, id.Piece(piece.GetId()))
		}
	}
	slices.Sort(all)
	return all
}

// Clauses: T76.1, T76.2, T76.3, T76.4, T76.5, T76.6, T76.9
func TestRound(t *testing.T) {
	atCards(t).Run("T76 all choose, and everything is shown at once", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		p.ada.mustSend(p.ada.draw(2))
		p.bob.mustSend(p.bob.draw(1))
		adas, bobs := p.ada.cards(), p.bob.cards()
		p.ada.mustSend(p.ada.flip(adas[0], 1)) // it lies front down in the hand
		if len(adas) != 2 || len(bobs) != 1 {
			t.Fatalf("ada has %v, bob %v", adas, bobs)
		}
		p.readAll()
		q := p.begins()
		if _, err := r.rooms.BeginRound(t.Context(), p.bob.session, "", nil); !errors.Is(err,
			room.ErrRound) {
			t.Errorf("T76.1 a second round: %v", err)
		}
		for who, c := range p.all() {
			if got := c.round(); fmt.Sprint(got.GetAsked(), got.GetReady()) != "[1 2] []" ||
				got.GetBy() != 1 || got.GetTitle() != "Bids" {
				t.Errorf("T76.1 %s gets %v", who, got)
			}
		}
		for what, err := range map[string]error{
			"T76.1 a spectator begins": func() error {
				_, err := r.rooms.BeginRound(t.Context(), p.eve.session, "", nil)
				return err
			}(),
			"T76.2 who is not asked chooses": p.dan.choose(q, ""),
			"T76.4 dan ends it":              r.rooms.EndRound(t.Context(), p.dan.session, q, true),
		} {
			if !errors.Is(err, room.ErrRole) {
				t.Errorf("%s: %v", what, err)
			}
		}
		for what, pieces := range map[string][]id.Piece{
			"of another hand": bobs, "of the table": {tokenOne}, "of nobody": {99999},
		} {
			if err := p.ada.choose(q, "", pieces...); !errors.Is(err, room.ErrNotInHand) {
				t.Errorf("T76.2 a piece %s: %v", what, err)
			}
		}
		for _, text := range []string{" x", "a\nb", strings.Repeat("x", room.MaxAnswer+1)} {
			if err := p.ada.choose(q, text); !errors.Is(err, room.ErrAnswer) {
				t.Errorf("T76.2 the answer %q: %v", text, err)
			}
		}
		if err := p.ada.choose(q, "seven", adas...); err != nil {
			t.Fatal(err)
		}
		for who, c := range p.all() {
			got := c.round()
			own := fmt.Sprint(got.GetOwn().GetPieces(), got.GetOwn().GetText())
			if fmt.Sprint(got.GetReady()) != "[1]" || got.GetShown() != nil ||
				(own == fmt.Sprint(adas, "seven")) != (c == p.ada || c == p.tab) ||
				(got.GetOwn() != nil) != (c == p.ada || c == p.tab) {
				t.Errorf("T76.3 %s gets %v", who, got)
			}
		}
		if err := r.rooms.Unchoose(t.Context(), p.ada.session, q); err != nil {
			t.Fatal(err)
		}
		if got := p.dan.round(); len(got.GetReady()) != 0 {
			t.Errorf("T76.2 taken back: %v", got)
		}
		if err := p.ada.choose(q, "", adas[0]); err != nil {
			t.Fatal(err)
		}
		p.readAll()
		if err := p.bob.choose(q, "pass"); err != nil {
			t.Fatal(err)
		}
		events := p.dan.events()
		shown := rounds(events)
		if len(shown) != 1 || shown[0].GetState() != holtpb.RoundState_ROUND_STATE_SHOWN ||
			fmt.Sprint(shown[0].GetShown()[0].GetPieces(), shown[0].GetShown()[1].GetText()) !=
				fmt.Sprintf("[%d]pass", adas[0]) {
			t.Errorf("T76.4 dan gets %v; ada had %v", shown, adas)
		}
		var lines []string
		for _, e := range events {
			if u := e.GetUpdate(); u != nil && u.GetOp() == holtpb.Op_OP_CHOICE {
				if u.GetBy() != 1 || u.GetPiece().GetFace() != 0 || u.GetPiece().GetOwner() != 0 ||
					isCard(u.GetPiece().GetKind()) == (u.GetPiece().GetKind() == cardsBack) {
					t.Errorf("T76.5 dan sees %v", u)
				}
			}
			if said := e.GetSaid(); said != nil {
				lines = append(lines, fmt.Sprint(said.GetBy(), " ", said.GetText()))
			}
		}
		if fmt.Sprint(lines) != "[2 Bids — pass]" {
			t.Errorf("T76.6 dan reads %q", lines)
		}
		if n := len(p.ada.cards()); n != 1 {
			t.Errorf("T76.5 ada has %d cards left", n)
		}
		if a, err := p.bob.undo("x"); err != nil || a.Op != table.OpDraw {
			t.Errorf("T76.9 bob would take back %v, %v", a.Op, err)
		}
		if err := p.bob.choose(q, "late"); !errors.Is(err, room.ErrNoRound) {
			t.Errorf("T76.4 it is over: %v", err)
		}
		q, err := r.rooms.BeginRound(t.Context(), p.ada.session, "", []id.Seat{2})
		if err != nil {
			t.Fatal(err)
		}
		p.readAll()
		if err := p.bob.choose(q, "maybe"); err != nil {
			t.Fatal(err)
		}
		for _, e := range p.dan.events() {
			if said := e.GetSaid(); said != nil && said.GetText() != "maybe" {
				t.Errorf("T76.6 without a title dan reads %q", said.GetText())
			}
		}
	})
	atCards(t).Run("T76.4, T76.7 it ends early, with what there is or with nothing",
		func(t *testing.T, r *rig) {
			p := r.partyWithoutPouch()
			for _, show := range []bool{true, false} {
				p.readAll()
				q := p.begins()
				if err := p.ada.choose(q, "one"); err != nil {
					t.Fatal(err)
				}
				p.readAll()
				if err := r.rooms.EndRound(t.Context(), p.ada.session, q, show); err != nil {
					t.Fatal(err)
				}
				events := p.dan.events()
				said := slices.ContainsFunc(events, func(e *holtpb.Event) bool {
					return e.GetSaid().GetText() == "Bids — one"
				})
				want := holtpb.RoundState_ROUND_STATE_CANCELLED
				if show {
					want = holtpb.RoundState_ROUND_STATE_SHOWN
				}
				got := rounds(events)
				if said != show || len(got) != 1 || got[0].GetState() != want ||
					(len(got[0].GetShown()) == 1) != show {
					t.Errorf("T76.7 shown %v: %v, %v", show, said, got)
				}
			}
		})
	atCards(t).Run("T76.5 what has left the hand, or was shuffled there, stays",
		func(t *testing.T, r *rig) {
			p := r.partyWithoutPouch()
			p.ada.mustSend(p.ada.draw(2))
			adas := p.ada.cards()
			q := p.begins()
			if err := p.ada.choose(q, "", adas...); err != nil {
				t.Fatal(err)
			}
			p.ada.mustSend(p.ada.move(adas[0], 0, 0))
			p.readAll()
			if err := p.bob.choose(q, ""); err != nil {
				t.Fatal(err)
			}
			if got := p.dan.round().GetShown()[0].GetPieces(); fmt.Sprint(got) !=
				fmt.Sprintf("[%d]", adas[1]) {
				t.Errorf("T76.5 shown is %v, want %d", got, adas[1])
			}
		})
	atCards(t).Run("T76.10 who leaves for good is not waited for", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		q := p.begins()
		if err := p.ada.choose(q, "one"); err != nil {
			t.Fatal(err)
		}
		p.readAll()
		if err := r.rooms.Leave(t.Context(), p.bob.session, room.HandsOnLeaving{}); err != nil {
			t.Fatal(err)
		}
		if got := p.dan.round(); got.GetState() != holtpb.RoundState_ROUND_STATE_SHOWN ||
			len(got.GetShown()) != 1 {
			t.Errorf("T76.10 dan gets %v", got)
		}
	})
	atCards(t).Run("T76.10 who gets up is not waited for", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		q := p.begins()
		if err := p.ada.choose(q, "one"); err != nil {
			t.Fatal(err)
		}
		p.readAll()
		if err := r.rooms.StandUp(t.Context(), p.bob.session, room.HandsOnLeaving{}); err != nil {
			t.Fatal(err)
		}
		if got := p.dan.round(); got.GetState() != holtpb.RoundState_ROUND_STATE_SHOWN {
			t.Errorf("T76.10 dan gets %v", got)
		}
	})
}

// TestRoundIsKept shows that a round outlives a restart, and does not outlive a rewind.
// Clauses: T76.8, T76.10
func TestRoundIsKept(t *testing.T) {
	atCards(t).Run("T76.8 a round goes on after a restart", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		p.ada.mustSend(p.ada.draw(1))
		adas := p.ada.cards()
		q := p.begins()
		if err := p.ada.choose(q, "seven", adas...); err != nil {
			t.Fatal(err)
		}
		r.stop()
		<-time.After(time.Hour)
		r.start()
		ada, bob := r.open(p.ada.session), r.open(p.bob.session)
		if got := ada.round(); got.GetId() != q || got.GetOwn().GetText() != "seven" ||
			fmt.Sprint(got.GetOwn().GetPieces()) != fmt.Sprint(adas) {
			t.Errorf("T76.8 ada gets %v", got)
		}
		if got := bob.round(); fmt.Sprint(got.GetReady()) != "[1]" || got.GetOwn() != nil {
			t.Errorf("T76.8 bob gets %v", got)
		}
		if err := bob.choose(q, "eight"); err != nil {
			t.Fatal(err)
		}
		if got := bob.round().GetShown(); len(got) != 2 ||
			fmt.Sprint(got[0].GetPieces()) != fmt.Sprint(adas) {
			t.Errorf("T76.8 shown is %v", got)
		}
		r.stop()
		r.start()
		if got := rounds(r.open(p.bob.session).events()); len(got) != 0 {
			t.Errorf("T76.8 a round that is over is open again: %v", got)
		}
	})
	atCards(t).Run("T76.10 a rewind closes it", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		q := p.begins()
		if err := p.ada.choose(q, "seven"); err != nil {
			t.Fatal(err)
		}
		about, err := r.rooms.About(t.Context(), p.ada.session.Table)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.rooms.Rewind(t.Context(), p.ada.session, room.Rewind{
			Rematch: true, Token: "x", Epoch: about.Epoch,
		}); err != nil {
			t.Fatal(err)
		}
		if err := r.open(p.bob.session).choose(q, ""); !errors.Is(err, room.ErrNoRound) {
			t.Errorf("T76.10 after a rewind: %v", err)
		}
	})
}

// TestRoundTellsNothing shows that what somebody has chosen does not show before the end: whatever
// it is, everybody else gets the same bytes.
// Clauses: T76.3
func TestRoundTellsNothing(t *testing.T) {
	frames := map[string]string{}
	for _, what := range []string{"nothing", "a word", "a card", "another card", "all of it"} {
		atCards(t).seeded(7).Run(what, func(t *testing.T, r *rig) {
			p := r.partyWithoutPouch()
			p.ada.mustSend(p.ada.draw(2))
			adas := p.ada.cards()
			q := p.begins()
			p.readAll()
			var err error
			switch what {
			case "nothing":
				err = p.ada.choose(q, "")
			case "a word":
				err = p.ada.choose(q, "x")
			case "a card":
				err = p.ada.choose(q, "", adas[0])
			case "another card":
				err = p.ada.choose(q, "", adas[1])
			default:
				err = p.ada.choose(q, strings.Repeat("long ", 39)+"word", adas...)
			}
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, who := range []*player{p.bob, p.dan, p.eve} {
				for _, f := range who.frames() {
					b, err := proto.MarshalOptions{Deterministic: true}.Marshal(f)
					if err != nil {
						t.Fatal(err)
					}
					got += fmt.Sprintf("%x ", b)
				}
				got += "; "
			}
			frames[got] = what
		})
	}
	if len(frames) != 1 {
		t.Errorf("T76.3 others can tell choices apart: %v", frames)
	}
}
