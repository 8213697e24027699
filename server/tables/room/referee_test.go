package room_test

import (
	"errors"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// propose proposes a seat as a referee, and returns the number of the proposal.
func (r *rig) propose(by room.Session, seat id.Seat) uint32 {
	r.t.Helper()
	if err := r.rooms.ProposeReferee(r.t.Context(), by, seat); err != nil {
		r.t.Fatal(err)
	}
	for _, s := range r.open(by).events()[0].GetFull().GetSeats() {
		if s.GetId() == uint32(seat) {
			return s.GetProposal()
		}
	}
	return 0
}

// answer answers a proposal.
func (r *rig) answer(by room.Session, proposal uint32, agree bool) error {
	return r.rooms.AnswerReferee(r.t.Context(), by, proposal, agree)
}

// kindOf returns the kind as which events show a piece last; 0 if they do not show it.
func kindOf(events []*holtpb.Event, piece id.Piece) (kind uint32) {
	for _, e := range events {
		for _, p := range e.GetFull().GetPieces() {
			if p.GetId() == uint32(piece) {
				kind = p.GetKind()
			}
		}
		if u := e.GetUpdate(); u.GetPiece().GetId() == uint32(piece) && u.GetPiece().Kind != nil {
			kind = u.GetPiece().GetKind()
		}
	}
	return kind
}

// Clauses: T74.1, T74.2, T74.4, T74.5, T74.7, T74.8, T74.10, T74.11, T74.12
func TestT74Referee(t *testing.T) {
	in(t).Run("T74 from the proposal to the end", func(t *testing.T, r *rig) {
		ctx := t.Context()
		bob, eve := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Spectator, "Eve")
		dan := r.seat(r.invites.Spectator, "Dan")
		ada, watcher := r.open(r.host.Session), r.open(eve.Session)
		away := r.open(eve.Session)
		if got := kindOf(watcher.events(), ace); got != kindBack {
			t.Fatalf("a spectator sees kind %d", got)
		}
		away.events()
		away.cut()
		for name, err := range map[string]error{
			"by a player":    r.rooms.ProposeReferee(ctx, bob.Session, eve.Seat),
			"of a player":    r.rooms.ProposeReferee(ctx, r.host.Session, bob.Seat),
			"by a spectator": r.rooms.ProposeReferee(ctx, eve.Session, eve.Seat),
		} {
			if !errors.Is(err, room.ErrRole) {
				t.Errorf("T74.1 %s: %v", name, err)
			}
		}
		if err := r.rooms.ProposeReferee(ctx, r.host.Session, 99); !errors.Is(err, room.ErrOver) {
			t.Errorf("T74.1 of nobody: %v", err)
		}
		n := r.propose(r.host.Session, eve.Seat)
		if err := r.rooms.ProposeReferee(
			ctx, r.host.Session, dan.Seat,
		); !errors.Is(err, room.ErrProposed) {
			t.Errorf("T74.1 another one meanwhile: %v", err)
		}
		if _, _, err := r.rooms.MakeLink(
			ctx, r.host.Session, eve.Seat,
		); !errors.Is(err, room.ErrVisitor) {
			t.Errorf("T74.11 a link for who is proposed: %v", err)
		}
		if err := r.answer(eve.Session, n, true); !errors.Is(err, room.ErrRole) {
			t.Errorf("T74.2 a spectator agrees: %v", err)
		}
		if err := r.answer(bob.Session, n+1, true); !errors.Is(err, room.ErrNoProposal) {
			t.Errorf("T74.2 to another proposal: %v", err)
		}
		// All is kept over a restart.
		ada.cut()
		watcher.cut()
		r.stop()
		r.start()
		watcher = r.open(eve.Session)
		watcher.events()
		if err := r.answer(bob.Session, n, true); err != nil {
			t.Fatal(err)
		}
		events := watcher.events()
		if got := events[0].GetFull().GetSeats(); len(got) != 4 ||
			got[2].GetRole() != holtpb.Role_ROLE_REFEREE {
			t.Errorf("T74.4, T74.8 the referee gets %v", events)
		}
		if got := kindOf(events, ace); got != kindAce {
			t.Errorf("T74.8 the referee sees kind %d", got)
		}
		if got := kindOf(r.open(dan.Session).events(), ace); got != kindBack {
			t.Errorf("T74.7 a spectator sees kind %d", got)
		}
		if got := kindOf(away.comeBack(room.Hello{
			Epoch: away.epoch, Version: away.version,
		}), ace); got != kindAce {
			t.Errorf("T74.8 a stream from before is resumed: kind %d", got)
		}
		referee := r.again(eve)
		if referee.Role != table.RoleReferee {
			t.Errorf("T74.5 the role is %v", referee.Role)
		}
		i, err := r.rooms.Invite(ctx, r.invites.Player)
		if err != nil || len(i.Referees) != 1 || i.Referees[0] != "Eve" {
			t.Errorf("T74.12 the invite names %q, %v", i.Referees, err)
		}
		// What a referee may not do, and may.
		_, undo := r.rooms.Undo(ctx, referee, "t", room.Meant{})
		_, invites := r.rooms.Invites(ctx, referee)
		watcher.session = referee
		for name, err := range map[string]error{
			"moves":     watcher.send(watcher.move(tokenOne, 9, 9)),
			"undoes":    undo,
			"invites":   invites,
			"sits down": r.rooms.SitDown(ctx, referee, r.invites.Player),
			"gets up":   r.rooms.StandUp(ctx, referee, room.HandsOnLeaving{}),
			"proposes":  r.rooms.ProposeReferee(ctx, referee, dan.Seat),
		} {
			if !errors.Is(err, room.ErrRole) {
				t.Errorf("T74.10 a referee %s: %v", name, err)
			}
		}
		for _, role := range []table.Role{table.RolePlayer, table.RoleCohost, table.RoleHost} {
			if err := r.give(r.host.Session, eve.Seat, role); !errors.Is(err, room.ErrOver) {
				t.Errorf("T74.11 a referee becomes %v: %v", role, err)
			}
		}
		if _, _, err := r.rooms.MakeLink(
			ctx, r.host.Session, eve.Seat,
		); !errors.Is(err, room.ErrVisitor) {
			t.Errorf("T74.11 a link of the host: %v", err)
		}
		if _, _, err := r.rooms.MakeLink(ctx, referee, eve.Seat); err != nil {
			t.Errorf("T74.11 a link of one's own: %v", err)
		}
		ada = r.open(r.host.Session)
		ada.events()
		ada.setChat(1, &componentpb.Chat{Silent: true})
		ada.events()
		watcher.mustSend(watcher.say("offside", 0))
		if got := texts(saidIn(ada.events())); got != "3>0 offside" {
			t.Errorf("T74.10 the others read %q", got)
		}
		watcher.mustSend(watcher.say("psst", 1))
		if got := reasons(watcher.events()); len(got) != 1 {
			t.Errorf("T74.10 a referee whispers: %v", got)
		}
		r.stop()
		r.start()
		if got := kindOf(r.open(r.again(eve)).events(), ace); got != kindAce {
			t.Errorf("T74.5 after a restart the referee sees kind %d", got)
		}
	})
	in(t).Run("T74.3 a refusal, and somebody new", func(t *testing.T, r *rig) {
		bob, eve := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Spectator, "Eve")
		if err := r.answer(bob.Session, r.propose(r.host.Session, eve.Seat), false); err != nil {
			t.Fatal(err)
		}
		n := r.propose(r.host.Session, eve.Seat)
		r.seat(r.invites.Player, "Cid")
		if err := r.answer(bob.Session, n, true); !errors.Is(err, room.ErrNoProposal) {
			t.Errorf("T74.3 after somebody new: %v", err)
		}
		if s := r.again(eve); s.Role != table.RoleSpectator {
			t.Errorf("T74.3 there is a %v", s.Role)
		}
	})
}

// Clauses: T75.1, T75.2, T75.4, T75.5, T75.7
func TestT75StandUp(t *testing.T) {
	in(t).Run("T75 up and down", func(t *testing.T, r *rig) {
		ctx := t.Context()
		bob, eve := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Spectator, "Eve")
		ada, ben := r.open(r.host.Session), r.open(bob.Session)
		ada.events()
		ben.events()
		up := func(s room.Session) error { return r.rooms.StandUp(ctx, s, room.HandsOnLeaving{}) }
		if err := up(r.host.Session); !errors.Is(err, room.ErrLastHost) {
			t.Errorf("T75.2 the last host gets up: %v", err)
		}
		if err := up(eve.Session); !errors.Is(err, room.ErrRole) {
			t.Errorf("T75.1 a spectator gets up: %v", err)
		}
		ben.mustSend(ben.make(table.OpGrab, tokenOne))
		ben.events()
		if err := up(bob.Session); err != nil {
			t.Fatal(err)
		}
		if got := roles(ben.events()); got != "2 ROLE_SPECTATOR " {
			t.Errorf("T75.1 Bob gets %q", got)
		}
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, tokenOne))
		if got := acks(ada.events()); len(got) != 1 {
			t.Error("T75.1 Bob still holds the token")
		}
		stood := r.again(bob)
		ben.session = stood
		if err := ben.send(ben.move(tokenTwo, 1, 1)); !errors.Is(err, room.ErrRole) {
			t.Errorf("T75.1 who watches moves: %v", err)
		}
		if err := r.rooms.SitDown(ctx, eve.Session, ""); !errors.Is(err, room.ErrRole) {
			t.Errorf("T75.4 without an invite: %v", err)
		}
		if err := r.rooms.SitDown(ctx, eve.Session, r.invites.Spectator); !errors.Is(err, room.ErrRole) {
			t.Errorf("T75.4 with one to watch: %v", err)
		}
		ada.access(true, false, 1)
		ada.events()
		for name, err := range map[string]error{
			"who has played": r.rooms.SitDown(ctx, stood, ""),
			"by an invite":   r.rooms.SitDown(ctx, eve.Session, r.invites.Player),
		} {
			if !errors.Is(err, room.ErrClosed) {
				t.Errorf("T75.5 %s: %v", name, err)
			}
		}
		if err := r.give(r.host.Session, eve.Seat, table.RolePlayer); err != nil {
			t.Errorf("T75.5 a host says so: %v", err)
		}
		if s := r.again(eve); s.Role != table.RolePlayer {
			t.Errorf("T75.4 the role is %v", s.Role)
		}
		ada.access(false, false, 2)
		ada.events()
		if err := r.rooms.SitDown(ctx, stood, ""); err != nil {
			t.Errorf("T75.4 who has played: %v", err)
		}
		ben.session = r.again(bob)
		ben.events()
		ben.mustSend(ben.move(tokenTwo, 1, 1))
		if got := acks(ben.events()); len(got) != 1 {
			t.Errorf("T75.8 the stream does not go on: %v", got)
		}
		dan := r.seat(r.invites.Spectator, "Dan")
		if err := r.rooms.SitDown(ctx, dan.Session, r.invites.Player); err != nil {
			t.Errorf("T75.4 by an invite: %v", err)
		}
	})
	in(t).Run("T75.7 votes", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		bob, cid := r.open(r.seat(r.invites.Player, "Bob").Session),
			r.open(r.seat(r.invites.Player, "Cid").Session)
		r.open(r.seat(r.invites.Player, "Dan").Session)
		ada.cut()
		<-time.After(5*time.Minute + time.Second)
		if _, err := bob.vote(cid.session.Seat); err != nil {
			t.Fatal(err)
		}
		if got := vacant(cid.events()); len(got.GetVotes()) != 1 {
			t.Fatalf("%v", got)
		}
		if err := r.rooms.StandUp(t.Context(), bob.session, room.HandsOnLeaving{}); err != nil {
			t.Fatal(err)
		}
		if got := vacant(cid.events()); got == nil || len(got.GetVotes()) != 0 {
			t.Errorf("T75.7 votes are left: %v", got)
		}
	})
}

// Clauses: T75.9
func TestT75Links(t *testing.T) {
	in(t).Run("T75.9 one link is renewed", func(t *testing.T, r *rig) {
		ctx := t.Context()
		works := func(link string) bool {
			_, err := r.rooms.Invite(ctx, link)
			return err == nil
		}
		first := r.invites
		play, err := r.rooms.RenewInvites(ctx, r.host.Session, table.RolePlayer)
		if err != nil || play.Player == first.Player || play.Spectator != first.Spectator {
			t.Fatalf("T75.9 %+v, %v", play, err)
		}
		if works(first.Player) || !works(play.Player) || !works(first.Spectator) {
			t.Error("T75.9 the old link to play works, or another does not")
		}
		watch, err := r.rooms.RenewInvites(ctx, r.host.Session, table.RoleSpectator)
		if err != nil || watch.Player != play.Player || watch.Spectator == first.Spectator ||
			works(first.Spectator) || !works(watch.Spectator) {
			t.Errorf("T75.9 %+v, %v", watch, err)
		}
		r.stop()
		r.start()
		if shown, err := r.rooms.Invites(ctx, r.host.Session); err != nil || shown != watch {
			t.Errorf("T75.9 after a restart %+v, %v", shown, err)
		}
		both, err := r.rooms.RenewInvites(ctx, r.host.Session)
		if err != nil || both.Player == watch.Player || both.Spectator == watch.Spectator ||
			both.Spectator == first.Spectator {
			t.Errorf("T75.9 both: %+v, %v", both, err)
		}
	})
}
