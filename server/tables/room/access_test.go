package room_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"holt/server/components/schema"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// access sets who may come to the table and who may move.
func (p *player) access(closed, frozen bool, timestamp uint32) {
	p.t.Helper()
	p.operate(put(schema.TheTable, schema.Access, timestamp,
		&componentpb.Access{Closed: closed, Frozen: frozen}))
}

// reasons returns why updates were rejected.
func reasons(events []*holtpb.Event) (all []holtpb.Reason) {
	for _, e := range events {
		if x := e.GetReject(); x != nil {
			all = append(all, x.GetReason())
		}
	}
	return all
}

// Clauses: T67.1, T67.2, T67.3
func TestT67Closed(t *testing.T) {
	in(t).Run("T67 nobody new", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		ada := r.open(r.host.Session)
		ada.events()
		ada.access(true, false, 1)
		ada.events()
		for _, link := range []string{r.invites.Player, r.invites.Spectator} {
			_, err := r.rooms.TakeSeat(t.Context(), link, room.Person{Nick: "Cid"})
			if !errors.Is(err, room.ErrClosed) {
				t.Errorf("T67.1 by a link: %v", err)
			}
			if i, err := r.rooms.Invite(t.Context(), link); err != nil || !i.Closed {
				t.Errorf("T67.1 the link says closed %v, %v", i.Closed, err)
			}
		}
		// T67.2
		ben := r.open(bob.Session)
		ben.events()
		ben.mustSend(ben.move(tokenOne, 5, 5))
		if got := acks(ben.events()); len(got) != 1 {
			t.Errorf("T67.2 who has a seat moves: %v", got)
		}
		link, _, err := r.rooms.MakeLink(t.Context(), bob.Session, bob.Seat)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.rooms.UseLink(t.Context(), link); err != nil {
			t.Errorf("T67.2 a link for a seat: %v", err)
		}
		r.stop()
		r.start()
		if _, err := r.rooms.TakeSeat(t.Context(), r.invites.Player,
			room.Person{Nick: "Cid"}); !errors.Is(err, room.ErrClosed) {
			t.Errorf("T67.3 after a restart: %v", err)
		}
		ada = r.open(r.host.Session)
		ada.events()
		ada.access(false, false, 2)
		r.seat(r.invites.Player, "Cid")
	})
}

// Clauses: T67.3, T67.4, T67.5, T67.6, T67.7, T67.8
func TestT67Frozen(t *testing.T) {
	in(t).Run("T67 nobody moves", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		bob.mustSend(bob.make(table.OpGrab, tokenOne))
		bob.events()
		ada.access(false, true, 1)
		dropped := false
		for _, e := range bob.events() {
			u := e.GetUpdate()
			dropped = dropped || u.GetPiece().Holder != nil && u.GetPiece().GetHolder() == 0
		}
		if !dropped {
			t.Error("T67.5 what Bob holds is not laid down")
		}
		release := func() table.Update {
			u := bob.move(tokenOne, 3, 3)
			u.Op = table.OpRelease
			return u
		}
		for op, u := range map[table.Op]func() table.Update{
			table.OpRelease: release,
			table.OpMove:    func() table.Update { return bob.move(tokenOne, 5, 5) },
			table.OpPin:     func() table.Update { return bob.make(table.OpPin, tokenOne) },
		} {
			bob.mustSend(u())
			got := reasons(bob.events())
			if len(got) != 1 || got[0] != holtpb.Reason_REASON_FROZEN {
				t.Errorf("T67.4 %v: rejected for %v", op, got)
			}
		}
		if _, err := bob.undo("one"); !errors.Is(err, room.ErrFrozen) {
			t.Errorf("T67.6 undo: %v", err)
		}
		bob.mustSend(bob.say("hello", 0))
		if got := reasons(bob.events()); len(got) != 0 {
			t.Errorf("T67.7 a line of chat is rejected for %v", got)
		}
		ada.events()
		ada.mustSend(ada.move(tokenOne, 7, 7))
		if got := acks(ada.events()); len(got) != 1 {
			t.Errorf("T67.4 the host does not move: %v", got)
		}
		if err := r.give(r.host.Session, bob.session.Seat, table.RoleCohost); err != nil {
			t.Fatal(err)
		}
		bob.events()
		bob.mustSend(bob.move(tokenOne, 9, 9))
		if got := acks(bob.events()); len(got) != 1 {
			t.Errorf("T67.4 a co-host does not move: %v", got)
		}
		if err := r.give(r.host.Session, bob.session.Seat, table.RolePlayer); err != nil {
			t.Fatal(err)
		}
		r.stop()
		r.start()
		bob.reopen(0)
		bob.events()
		bob.mustSend(bob.move(tokenOne, 11, 11))
		if got := reasons(bob.events()); len(got) != 1 {
			t.Errorf("T67.3 after a restart: rejected for %v", got)
		}
		ada = r.open(r.host.Session)
		ada.events()
		ada.access(false, false, 2)
		bob.events()
		bob.mustSend(bob.move(tokenOne, 12, 12))
		if got := acks(bob.events()); len(got) != 1 {
			t.Errorf("T67.4 when it is thawed: acks %v", got)
		}
	})
	atCards(t).Run("T67.6 a question about an undo ends", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		p.bob.mustSend(p.bob.blind(table.OpRoll, openDie))
		<-time.After(time.Second)
		p.readAll()
		p.bob.asks("one")
		p.readAll()
		p.ada.access(false, true, 1)
		p.bob.wantState("Bob", holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE)
	})
	atCards(t).Run("T67.8 a question that rolls", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.access(false, true, 1)
		p.readAll()
		e := schema.EntityOfPiece(openDie)
		p.bob.operate(put(e, schema.Roll, 1, &componentpb.Roll{}))
		answer := ""
		for _, e := range p.bob.events() {
			answer += string(e.GetComponents())
		}
		want := schema.Encode(&componentpb.RollResult{Of: 1, Reason: uint32(table.ReasonFrozen)})
		if !strings.Contains(answer, string(want)) {
			t.Errorf("T67.8 the answer is %q, want %q in it", answer, want)
		}
	})
}
