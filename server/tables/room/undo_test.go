package room_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// partyWithoutPouch is a party at which nobody has a hand that is not counted.
func (r *rig) partyWithoutPouch() *party {
	r.t.Helper()
	p := r.party()
	p.ada.mustSend(p.ada.blind(table.OpLeave, pouch))
	<-time.After(time.Second)
	p.readAll()
	return p
}

// undo asks to undo, with a token.
func (p *player) undo(token string) (room.UndoAnswer, error) {
	return p.rooms.Undo(p.t.Context(), p.session, token, room.Meant{})
}

// asks is undo, which must lead to a question. It returns the number of that.
func (p *player) asks(token string) uint32 {
	p.t.Helper()
	a, err := p.undo(token)
	if err != nil || a.Undone || a.Question == 0 {
		p.t.Fatalf("T63 the answer is %+v, %v: want a question", a, err)
	}
	return a.Question
}

// agree answers a question.
func (p *player) agree(question uint32, yes bool) error {
	return p.rooms.AnswerUndo(p.t.Context(), p.session, question, yes)
}

// questions returns the questions in events.
func questions(events []*holtpb.Event) (all []*holtpb.Question) {
	for _, e := range events {
		if q := e.GetQuestion(); q != nil {
			all = append(all, q)
		}
	}
	return all
}

// wantState checks that a player gets a question last in a state.
func (p *player) wantState(who string, state holtpb.QuestionState) *holtpb.Question {
	p.t.Helper()
	all := questions(p.events())
	if len(all) == 0 || all[len(all)-1].GetState() != state {
		p.t.Errorf("T63 %s gets %v, want one in state %v", who, all, state)
		return nil
	}
	return all[len(all)-1]
}

// consent sets whose consent an undo needs.
func consent(of componentpb.Undo_Consent, timestamp uint32) crdt.Op {
	return put(schema.TheTable, schema.Undo, timestamp, &componentpb.Undo{Consent: of})
}

// Clauses: T63.1, T63.2, T63.3, T63.20, T63.21
func TestUndoAtOnce(t *testing.T) {
	in(t).Run("T63 a move goes back at once, and a repeated request undoes nothing",
		func(t *testing.T, r *rig) {
			ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
			ada.events()
			bob.events()
			ada.mustSend(ada.move(tokenOne, 100, 0))
			<-time.After(time.Second) // another batch
			ada.mustSend(ada.move(tokenOne, 200, 0))
			bob.events()
			a, err := ada.undo("one")
			if err != nil || !a.Undone || a.Op != table.OpMove || fmt.Sprint(a.Pieces) != "[2]" {
				t.Fatalf("the answer is %+v, %v", a, err)
			}
			if again, err := ada.undo("one"); err != nil || fmt.Sprint(again) != fmt.Sprint(a) {
				t.Errorf("the repeated request gets %+v, %v", again, err)
			}
			var got []string
			for _, e := range bob.events() {
				if u := e.GetUpdate(); u != nil {
					got = append(got, fmt.Sprint(u.GetOp(), u.GetBy(), u.GetPiece().GetX()))
				}
			}
			if fmt.Sprint(got) != "[OP_UNDO 1 100]" {
				t.Errorf("bob gets %v", got)
			}
			if _, err := ada.undo("two"); err != nil {
				t.Errorf("the move before: %v", err)
			}
			var no *room.NoUndo
			if _, err := ada.undo("three"); !errors.As(err, &no) || no.Why != table.UndoNothing {
				t.Errorf("nothing is left: %v", err)
			}
			eve := r.seat(r.invites.Spectator, "Eve")
			_, err = r.rooms.Undo(t.Context(), eve.Session, "x", room.Meant{})
			if !errors.Is(err, room.ErrRole) {
				t.Errorf("a spectator gets %v", err)
			}
			bob.mustSend(bob.move(tokenOne, 5, 5))
			ada.events()
			ada.mustSend(ada.move(tokenOne, 6, 6))
			bob.events()
			bob.mustSend(bob.move(tokenOne, 7, 7))
			if _, err := ada.undo("four"); !errors.As(err, &no) || no.Why != table.UndoChanged ||
				no.Piece != tokenOne {
				t.Errorf("changed by bob: %v", err)
			}
		})
	in(t).Run("T63.28 nothing but the gesture of the update that is meant is undone",
		func(t *testing.T, r *rig) {
			ada, tab := r.open(r.host.Session), r.open(r.host.Session)
			ada.events()
			tab.events()
			ada.mustSend(ada.turn(tokenOne, 100), ada.turn(tokenTwo, 100))
			meant := func(token string, who *player, seq id.ClientSeq) error {
				_, err := ada.rooms.Undo(t.Context(), ada.session, token, room.Meant{
					Client: who.id, Seq: seq,
				})
				return err
			}
			first, last := ada.seq-1, ada.seq
			tab.events()
			<-time.After(time.Second) // another batch
			tab.mustSend(tab.move(tokenOne, 200, 0))
			var no *room.NoUndo
			for token, err := range map[string]error{
				"what came before": meant("a", ada, last), "a later one": meant("b", tab, tab.seq+1),
				"the same number of another client": meant("c", ada, tab.seq),
			} {
				if !errors.As(err, &no) || no.Why != table.UndoNotMeant || no.Piece != 0 {
					t.Errorf("T63.28 %s: %v", token, err)
				}
			}
			if err := meant("d", tab, tab.seq); err != nil {
				t.Errorf("what the other tab did: %v", err)
			}
			if err := meant("e", ada, first-1); !errors.As(err, &no) || no.Why != table.UndoNotMeant {
				t.Errorf("T63.28 an earlier one: %v", err)
			}
			if err := meant("f", ada, first); err != nil {
				t.Errorf("any update of the gesture names it: %v", err)
			}
			if err := meant("g", ada, first); !errors.As(err, &no) || no.Why != table.UndoNothing {
				t.Errorf("it is undone: %v", err)
			}
		})
	in(t).Run("T62.9, T63.20 after a restart gestures are closed: no repetition undoes a second one",
		func(t *testing.T, r *rig) {
			ada := r.open(r.host.Session)
			ada.events()
			ada.mustSend(ada.move(tokenOne, 100, 0))
			<-time.After(time.Second) // another batch
			ada.mustSend(ada.move(tokenOne, 200, 0))
			if _, err := ada.undo("one"); err != nil {
				t.Fatal(err)
			}
			r.stop()
			r.start()
			var no *room.NoUndo
			if _, err := ada.undo("one"); !errors.As(err, &no) || no.Why != table.UndoNothing {
				t.Errorf("after a restart: %v", err)
			}
			if x := r.open(r.host.Session).reopenForFull().GetPieces()[1].GetX(); x != 100 {
				t.Errorf("the token lies at %d", x)
			}
		})
}

// wantIntoDeck checks that a view sees the pieces of a question go into the deck, and the deck
// itself.
func wantIntoDeck(t *testing.T, who string, q *holtpb.Question) {
	t.Helper()
	want := fmt.Sprint([]uint32{0}, q.GetPieces())
	pieces := []uint32{}
	for _, g := range q.GetGhosts() {
		if g.GetInto() != uint32(deck) || g.GetGoes() || g.GetX() != 0 || g.GetKind() != 0 {
			t.Errorf("T63.26 %s gets the ghost %v", who, g)
		}
		pieces = append(pieces, g.GetPiece())
	}
	if len(pieces) == 0 || fmt.Sprint(pieces[:1], pieces[1:]) != want {
		t.Errorf("T63.26 %s gets ghosts of %v, want %s", who, pieces, want)
	}
}

// Clauses: T63.4, T63.5, T63.6, T63.7, T63.8, T63.9, T63.10, T63.13, T63.26
func TestUndoQuestion(t *testing.T) {
	atCards(t).Run("T63 a draw goes back when all have agreed", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		all := p.bob.inDeck()
		p.readAll()
		p.ada.mustSend(p.ada.draw(2))
		p.readAll()
		q := p.ada.asks("one")
		if again := p.ada.asks("one"); again != q {
			t.Errorf("the repeated request asks %d, not %d", again, q)
		}
		for who, c := range p.all() {
			got := c.wantState(who, holtpb.QuestionState_QUESTION_STATE_OPEN)
			if got.GetBy() != 1 || got.GetOp() != holtpb.Op_OP_DRAW ||
				fmt.Sprint(got.GetAsked()) != "[2 3]" {
				t.Errorf("%s gets %v", who, got)
			}
			if sees := len(got.GetPieces()) > 0; sees != (c == p.ada || c == p.tab) {
				t.Errorf("T63.8 %s gets the pieces %v", who, got.GetPieces())
			}
			wantIntoDeck(t, who, got)
		}
		if err := p.eve.agree(q, true); !errors.Is(err, room.ErrRole) {
			t.Errorf("eve's answer: %v", err)
		}
		var no error
		if _, no = p.bob.undo("other"); no == nil {
			t.Error("bob has done nothing")
		}
		for range 2 {
			if err := p.bob.agree(q, true); err != nil {
				t.Errorf("bob's answer: %v", err)
			}
		}
		if got := p.dan.wantState("dan", holtpb.QuestionState_QUESTION_STATE_OPEN); fmt.Sprint(
			got.GetAgreed()) != "[2]" {
			t.Errorf("dan gets %v", got)
		} else {
			wantIntoDeck(t, "dan", got)
		}
		if n := p.eve.inDeck(); n != all-2 {
			t.Errorf("with one answer %d cards lie in the deck", n)
		}
		if err := p.dan.agree(q, true); err != nil {
			t.Errorf("dan's answer: %v", err)
		}
		over := p.bob.wantState("bob", holtpb.QuestionState_QUESTION_STATE_AGREED)
		if ghosts := over.GetGhosts(); len(ghosts) != 0 {
			t.Errorf("T63.26 behind the end bob sees %v", ghosts)
		}
		if n := p.eve.inDeck(); n != all {
			t.Errorf("%d cards lie in the deck, want %d", n, all)
		}
		if err := p.dan.agree(q, true); !errors.Is(err, room.ErrNoQuestion) {
			t.Errorf("the question is over: %v", err)
		}
	})
	atCards(t).Run("T63.7 how a question ends", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		ask := func(token string) uint32 {
			t.Helper()
			p.readAll()
			q := p.ada.asks(token)
			p.readAll()
			return q
		}
		p.ada.mustSend(p.ada.draw(1))
		if err := p.bob.agree(ask("refused"), false); err != nil {
			t.Fatal(err)
		}
		q := p.dan.wantState("dan", holtpb.QuestionState_QUESTION_STATE_REFUSED)
		if q.GetRefusedBy() != 2 {
			t.Errorf("refused by %d", q.GetRefusedBy())
		}
		ask("late")
		<-time.After(19 * time.Second)
		if got := questions(p.dan.events()); len(got) != 0 {
			t.Errorf("after 19 s: %v", got)
		}
		<-time.After(2 * time.Second)
		p.dan.wantState("dan", holtpb.QuestionState_QUESTION_STATE_TIMED_OUT)
		ask("withdrawn")
		if err := p.rooms.WithdrawUndo(t.Context(), p.bob.session); !errors.Is(err, room.ErrNoQuestion) {
			t.Errorf("bob withdraws: %v", err)
		}
		if err := p.rooms.WithdrawUndo(t.Context(), p.ada.session); err != nil {
			t.Fatal(err)
		}
		p.dan.wantState("dan", holtpb.QuestionState_QUESTION_STATE_WITHDRAWN)
		changed := ask("changed")
		p.bob.mustSend(p.bob.blind(table.OpDeal, deck)) // something comes into her hand
		p.dan.wantState("dan", holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE)
		if err := p.bob.agree(changed, true); !errors.Is(err, room.ErrNoQuestion) {
			t.Errorf("too late: %v", err)
		}
	})
	atCards(t).Run("T63.9 who leaves no longer counts", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		all := p.eve.inDeck()
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		q := p.ada.asks("one")
		p.bob.cut()
		if got := p.eve.wantState("eve", holtpb.QuestionState_QUESTION_STATE_OPEN); fmt.Sprint(
			got.GetAsked()) != "[3]" {
			t.Errorf("bob is lost: %v", got)
		}
		if err := p.dan.agree(q, true); err != nil {
			t.Fatal(err)
		}
		p.eve.wantState("eve", holtpb.QuestionState_QUESTION_STATE_AGREED)
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		p.ada.asks("two")
		p.dan.leave()
		p.eve.wantState("eve", holtpb.QuestionState_QUESTION_STATE_AGREED)
		p.ada.mustSend(p.ada.draw(1))
		if a, err := p.ada.undo("three"); err != nil || !a.Undone {
			t.Errorf("T63.5 nobody else is here: %+v, %v", a, err)
		}
		if n := p.eve.inDeck(); n != all {
			t.Errorf("%d cards lie in the deck, want %d", n, all)
		}
	})
	atCards(t).Run("T63.9 the question of who leaves is withdrawn", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		p.bob.mustSend(p.bob.draw(1))
		p.readAll()
		p.bob.asks("one")
		p.bob.leave()
		p.eve.wantState("eve", holtpb.QuestionState_QUESTION_STATE_WITHDRAWN)
	})
	atCards(t).Run("T63.10 one question at a time, also in full states", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		p.ada.mustSend(p.ada.draw(1))
		p.bob.mustSend(p.bob.draw(1))
		p.readAll()
		q := p.ada.asks("one")
		if _, err := p.bob.undo("one"); !errors.Is(err, room.ErrQuestion) {
			t.Errorf("a second question: %v", err)
		}
		p.dan.cut()
		p.dan.reopen(0)
		if got := questions(p.dan.events()); len(got) != 1 || got[0].GetId() != q ||
			got[0].GetState() != holtpb.QuestionState_QUESTION_STATE_OPEN {
			t.Errorf("dan gets %v", got)
		}
	})
}

// TestUndoQuestionAfterRestart shows that a question outlives a restart, even if the snapshot has
// its gesture already.
// Clauses: T63.19, T63.9, T63.20
func TestUndoQuestionAfterRestart(t *testing.T) {
	ask := func(r *rig) (p *party, all, q uint32) {
		p = r.partyWithoutPouch()
		all = p.eve.inDeck()
		p.ada.mustSend(p.ada.draw(2))
		p.readAll()
		q = p.ada.asks("one")
		if err := p.bob.agree(q, true); err != nil {
			r.t.Fatal(err)
		}
		return p, all, q
	}
	restart := func(r *rig, after time.Duration) {
		r.stop()
		<-time.After(after)
		r.start()
	}
	atCards(t).Run("T63.19 with its answers", func(t *testing.T, r *rig) {
		p, all, q := ask(r)
		restart(r, 25*time.Second)
		dan := r.open(p.dan.session)
		<-time.After(9 * time.Second)
		ada, bob := r.open(p.ada.session), r.open(p.bob.session)
		got := bob.wantState("bob", holtpb.QuestionState_QUESTION_STATE_OPEN)
		if got.GetId() != q || got.GetBy() != 1 || got.GetOp() != holtpb.Op_OP_DRAW ||
			fmt.Sprint(got.GetAsked(), got.GetAgreed()) != "[2 3] [2]" {
			t.Errorf("after the restart bob gets %v", got)
		}
		wantIntoDeck(t, "bob, after the restart,", got)
		if again := ada.asks("one"); again != q {
			t.Errorf("T63.20 the repeated request asks %d, not %d", again, q)
		}
		ada.cut() // in these seconds that is no absence yet
		ada.reopen(0)
		ada.events()
		<-time.After(5 * time.Second) // now it is known who is here
		if err := dan.agree(q, true); err != nil {
			t.Fatal(err)
		}
		ada.wantState("ada", holtpb.QuestionState_QUESTION_STATE_AGREED)
		if n := r.open(p.eve.session).inDeck(); n != all {
			t.Errorf("%d cards lie in the deck, want %d", n, all)
		}
		restart(r, 0)
		if got := questions(r.open(p.bob.session).events()); len(got) != 0 {
			t.Errorf("a question that has ended is open again: %v", got)
		}
	})
	atCards(t).Run("T63.19, T63.9 who does not come back does not count", func(t *testing.T, r *rig) {
		p, all, _ := ask(r)
		restart(r, 0)
		ada, eve := r.open(p.ada.session), r.open(p.eve.session)
		if n := eve.inDeck(); n != all-2 {
			t.Errorf("before anybody can be back %d cards lie in the deck", n)
		}
		ada.events()
		<-time.After(11 * time.Second)
		ada.wantState("ada", holtpb.QuestionState_QUESTION_STATE_AGREED)
		if n := eve.inDeck(); n != all {
			t.Errorf("%d cards lie in the deck, want %d", n, all)
		}
	})
	atCards(t).Run("T63.9 who asks does not come back", func(t *testing.T, r *rig) {
		p, _, _ := ask(r)
		restart(r, 0)
		dan := r.open(p.dan.session)
		<-time.After(11 * time.Second)
		dan.wantState("dan", holtpb.QuestionState_QUESTION_STATE_WITHDRAWN)
	})
	atCards(t).Run("T63.19 not after long", func(t *testing.T, r *rig) {
		p, _, q := ask(r)
		restart(r, 45*time.Second)
		dan := r.open(p.dan.session)
		if got := questions(dan.events()); len(got) != 0 {
			t.Errorf("after 45 s dan gets %v", got)
		}
		if err := dan.agree(q, true); !errors.Is(err, room.ErrNoQuestion) {
			t.Errorf("after 45 s: %v", err)
		}
	})
	atCards(t).Run("T62.9 the gesture goes back by the question alone", func(t *testing.T, r *rig) {
		p, _, q := ask(r)
		restart(r, 0)
		ada, dan := r.open(p.ada.session), r.open(p.dan.session)
		var no *room.NoUndo
		if _, err := ada.undo("two"); !errors.As(err, &no) || no.Why != table.UndoNothing {
			t.Errorf("T62.9 before the restart: %v", err)
		}
		ada.events()
		if err := dan.agree(q, false); err != nil {
			t.Fatal(err)
		}
		ada.wantState("ada", holtpb.QuestionState_QUESTION_STATE_REFUSED)
	})
}

// Clauses: T63.22
func TestUndoConsent(t *testing.T) {
	atCards(t).Run("T63.22 hosts decide whose consent is needed", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		p.bob.mayNot(holtpb.Refusal_REFUSAL_NOT_ALLOWED, consent(componentpb.Undo_CONSENT_OFF, 1))
		p.ada.operate(consent(componentpb.Undo_CONSENT_HOST, 1))
		p.ada.mustSend(p.ada.draw(1))
		if a, err := p.ada.undo("one"); err != nil || !a.Undone {
			t.Errorf("a host: %+v, %v", a, err)
		}
		p.readAll()
		p.bob.mustSend(p.bob.draw(1))
		p.readAll()
		q := p.bob.asks("one")
		if got := p.dan.wantState("dan", holtpb.QuestionState_QUESTION_STATE_OPEN); fmt.Sprint(
			got.GetAsked()) != "[1]" {
			t.Errorf("asked are %v", got.GetAsked())
		}
		if err := p.dan.agree(q, false); !errors.Is(err, room.ErrRole) {
			t.Errorf("dan is not asked: %v", err)
		}
		if err := p.ada.agree(q, true); err != nil {
			t.Fatal(err)
		}
		p.dan.wantState("dan", holtpb.QuestionState_QUESTION_STATE_AGREED)
		p.ada.operate(consent(componentpb.Undo_CONSENT_OFF, 2))
		p.ada.mustSend(p.ada.move(deck, 900, 900))
		if _, err := p.ada.undo("two"); !errors.Is(err, room.ErrUndoOff) {
			t.Errorf("off: %v", err)
		}
		r.stop()
		r.start()
		ada := r.open(r.host.Session)
		if _, err := ada.undo("three"); !errors.Is(err, room.ErrUndoOff) {
			t.Errorf("off, after a restart: %v", err)
		}
	})
}

// TestUndoConsentOfHosts shows what becomes of a question to hosts who are hosts no longer.
// Clauses: T63.22, T67.6
func TestUndoConsentOfHosts(t *testing.T) {
	const impossible = holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE
	// bob asks the hosts ada and dan.
	asking := func(t *testing.T, r *rig) (*party, uint32) {
		p := r.partyWithoutPouch()
		if err := r.give(r.host.Session, 3, table.RoleCohost); err != nil {
			t.Fatal(err)
		}
		p.ada.operate(consent(componentpb.Undo_CONSENT_HOST, 1))
		p.bob.mustSend(p.bob.draw(1))
		p.readAll()
		q := p.bob.asks("one")
		if got := p.eve.wantState("eve", holtpb.QuestionState_QUESTION_STATE_OPEN); fmt.Sprint(
			got.GetAsked()) != "[1 3]" {
			t.Fatalf("asked are %v", got.GetAsked())
		}
		return p, q
	}
	atCards(t).Run("T63.22 a host of several is not asked any more", func(t *testing.T, r *rig) {
		p, q := asking(t, r)
		if err := r.give(r.host.Session, 3, table.RolePlayer); err != nil {
			t.Fatal(err)
		}
		if got := p.eve.wantState("eve", holtpb.QuestionState_QUESTION_STATE_OPEN); fmt.Sprint(
			got.GetAsked()) != "[1]" {
			t.Errorf("asked are %v", got.GetAsked())
		}
		p.dan.session.Role = table.RolePlayer
		if err := p.dan.agree(q, true); !errors.Is(err, room.ErrRole) {
			t.Errorf("dan, who is no host any more, agrees: %v", err)
		}
		if err := p.ada.agree(q, true); err != nil {
			t.Fatal(err)
		}
		p.eve.wantState("eve", holtpb.QuestionState_QUESTION_STATE_AGREED)
	})
	atCards(t).Run("T63.22 it is not done when no host is left", func(t *testing.T, r *rig) {
		p, q := asking(t, r)
		if err := r.give(r.host.Session, 3, table.RolePlayer); err != nil {
			t.Fatal(err)
		}
		p.eve.wantState("eve", holtpb.QuestionState_QUESTION_STATE_OPEN)
		if err := r.give(r.host.Session, 2, table.RoleHost); err != nil {
			t.Fatal(err)
		}
		p.eve.wantState("eve", impossible)
		p.ada.session.Role, p.bob.session.Role = table.RolePlayer, table.RoleHost
		if err := p.ada.agree(q, true); !errors.Is(err, room.ErrNoQuestion) {
			t.Errorf("ada agrees to what is over: %v", err)
		}
		if a, err := p.bob.undo("two"); err != nil || !a.Undone {
			t.Errorf("bob, who is the host now: %+v, %v", a, err)
		}
	})
	atCards(t).Run("T67.6 who asks at a frozen table is a host", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		if err := r.give(r.host.Session, 2, table.RoleCohost); err != nil {
			t.Fatal(err)
		}
		p.bob.session.Role = table.RoleCohost
		p.bob.mustSend(p.bob.draw(1))
		p.ada.access(false, true, 1)
		p.readAll()
		p.bob.asks("one")
		p.eve.wantState("eve", holtpb.QuestionState_QUESTION_STATE_OPEN)
		if err := r.give(r.host.Session, 2, table.RolePlayer); err != nil {
			t.Fatal(err)
		}
		p.eve.wantState("eve", impossible)
	})
}

// TestUndoInHand shows that nobody learns of an undo of what was done in a hand.
// Clauses: T63.3, T63.18
func TestUndoInHand(t *testing.T) {
	atCards(t).Run("T63.18 within a hand nobody else is asked or told", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		card := p.ada.hand(func(uint32) bool { return true })[0]
		name := id.Piece(card.GetId())
		p.ada.events()
		p.ada.mustSend(p.ada.flip(name, 1))
		p.readAll()
		a, err := p.ada.undo("one")
		if err != nil || !a.Undone || a.Op != table.OpFlip {
			t.Fatalf("the answer is %+v, %v", a, err)
		}
		for who, c := range p.others() {
			if got := c.events(); len(got) != 0 {
				t.Errorf("%s gets %v", who, got)
			}
		}
		if len(p.tab.events()) == 0 {
			t.Error("her other tab gets nothing")
		}
	})
}

// Clauses: T63.15, F17.1
func TestUndoRoll(t *testing.T) {
	atCards(t).Run("F17.1 a roll that was undone is marked in the export", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		p.bob.mustSend(p.bob.blind(table.OpRoll, openDie))
		p.readAll()
		q := p.bob.asks("one")
		for _, who := range []*player{p.ada, p.dan} {
			if err := who.agree(q, true); err != nil {
				t.Fatal(err)
			}
		}
		p.eve.wantState("eve", holtpb.QuestionState_QUESTION_STATE_AGREED)
		e, _, err := r.rooms.Fairness(t.Context(), p.eve.session)
		if err != nil {
			t.Fatal(err)
		}
		var undone []fairness.Undone
		for _, round := range e.Rounds {
			for _, f := range round.Facts {
				if u, is := f.Fact.(fairness.Undone); is {
					undone = append(undone, u)
				}
			}
		}
		if len(undone) != 1 || undone[0].Number != 1 || undone[0].Seat != 2 {
			t.Errorf("marked are %+v", undone)
		}
		if _, err := fairness.Verify(e); err != nil {
			t.Errorf("the export: %v", err)
		}
	})
}
