package room_test

import (
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// TestSetUpByButton shows that a button of the host sets the table up again.
func TestSetUpByButton(t *testing.T) {
	begin := `"button":{"steps":[`
	with := bubble{t: t, random: rand.Reader}
	with.game = strings.Replace(steppedGame(t), begin, `"button":{"who":"host","steps":[
		{"do":"rotate","kind":"Token","by":4500},{"do":"roll","kind":"Die"},
		{"do":"set up","name":"Dealt"}],"_":[`, 1)
	if !strings.Contains(with.game, `"set up"`) {
		t.Fatal("the game has no such button")
	}
	from := strings.Index(with.game, `"_":[`)
	to := from + strings.Index(with.game[from:], `]`)
	with.game = strings.TrimSuffix(with.game[:from], ",") + with.game[to+1:]
	// Clauses: T93.1, T93.2, T93.3
	with.Run("T93 a press starts again with the set-up", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		wantRejected(t, bob, holtpb.Reason_REASON_NOT_ALLOWED, bob.blind(table.OpRun, dealer))
		if got := turned(t, bob.reopenForFull()); got != 9000 {
			t.Errorf("T93.3 a refused press has turned the token to %d", got)
		}
		was, before := ada.epoch, r.draws()
		ada.mustSend(ada.blind(table.OpRun, dealer))
		synctest.Wait()
		if !slices.ContainsFunc(ada.events(), func(e *holtpb.Event) bool { return e.GetAck() != nil }) {
			t.Error("T93.2 the press is not acknowledged before the stream ends")
		}
		of := func(draws []string, round string) (n int) {
			for _, d := range draws {
				if strings.HasPrefix(d, round) {
					n++
				}
			}
			return n
		}
		if got := r.draws(); of(got, "1 ") <= of(before, "1 ") || of(got, "2 ") == 0 {
			t.Errorf("T93.2 before the press: %v, and behind it: %v", before, got)
		}
		bob = r.open(bob.session)
		full := bob.reopenForFull()
		if got := len(bob.hand(isCard)); got != 2 || turned(t, full) != 0 {
			t.Errorf("T93.2 bob has %d cards, and the token is at %d", got, turned(t, full))
		}
		if bob.epoch == was {
			t.Error("T93.2 the epoch is the old one")
		}
		r.stop()
		r.start()
		bob = r.open(bob.session)
		bob.reopenForFull()
		if got := len(bob.hand(isCard)); got != 2 {
			t.Errorf("after a restart bob has %d cards", got)
		}
	})
	// Clauses: T93.2
	with.Run("T93.2 also a host whose token was renewed", func(t *testing.T, r *rig) {
		moved, err := r.rooms.UseLink(t.Context(), r.link(r.host.Session, r.host.Seat))
		if err != nil {
			t.Fatal(err)
		}
		ada := r.open(moved.Session)
		ada.events()
		was := ada.epoch
		ada.mustSend(ada.blind(table.OpRun, dealer))
		synctest.Wait()
		if again := r.open(moved.Session); again.reopenForFull() == nil || again.epoch == was {
			t.Error("the table is not set up again")
		}
	})
	// Clauses: T93.2
	with.Run("T93.2 two presses and a rewind at once are one set-up", func(t *testing.T, r *rig) {
		ada, cid := r.open(r.host.Session), r.open(r.host.Session)
		ada.events()
		cid.events()
		was := ada.epoch
		for _, p := range []*player{ada, cid} {
			p.post(p.blind(table.OpRun, dealer))
		}
		back := make(chan error, 1)
		go func() {
			_, err := r.rooms.Rewind(t.Context(), r.host.Session, room.Rewind{
				Token: "at once", Epoch: was, Rematch: true,
			})
			back <- err
		}()
		synctest.Wait()
		if err := <-back; err != nil && !errors.Is(err, room.ErrEpoch) {
			t.Error(err)
		}
		ada = r.open(r.host.Session)
		if ada.reopenForFull(); ada.epoch == was {
			t.Error("the epoch is the old one")
		}
	})
	// Clauses: T93.2
	with.Run("T93.2 whoever hears that it is done gets the new table", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		// The room is not ended in one go: let everybody else go on in between.
		r.log.onLine(func(line string) {
			if strings.Contains(line, "went back to a save point") {
				<-time.After(time.Millisecond)
			}
		})
		was := ada.epoch
		ada.mustSend(ada.blind(table.OpRun, dealer))
		frame, err := r.rooms.Read(t.Context(), r.host.Session)
		if err != nil {
			t.Fatal(err)
		}
		if id.Epoch(frame.GetEvents()[0].GetFull().GetEpoch()) == was {
			t.Error("the epoch is the old one")
		}
	})
	// Clauses: T93.4
	few := quotaOf(t, room.Quota{Rounds: 2})
	few.game = with.game
	few.Run("T93.4 what could not be set up is said", func(t *testing.T, r *rig) {
		said := func(of *player) bool {
			for _, e := range of.events() {
				n := e.GetNotice()
				if n.GetOp() == holtpb.Op_OP_RUN && n.GetBy() == 1 && n.GetCount() == 3 {
					return true
				}
			}
			return false
		}
		for range 5 { // there are only so many rounds of randomness at a time
			ada := r.open(r.host.Session)
			ada.events()
			was := ada.epoch
			ada.mustSend(ada.blind(table.OpRun, dealer))
			synctest.Wait()
			if now := r.open(r.host.Session); now.reopenForFull() != nil && now.epoch != was {
				continue
			}
			<-time.After(time.Second) // the next tick
			if !said(ada) {
				t.Error("nobody says that the table was not set up")
			}
			return
		}
		t.Error("the table was set up again and again")
	})
}
