package room_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// TestOwnerCalls shows in which order an owner is asked, and what a table does with a set that it
// was given and cannot have.
func TestOwnerCalls(t *testing.T) {
	atCards(t).Run("T39.2 an owner is asked one question after the other", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		release := r.line.stop()
		defer release()
		p.bob.mustSend(p.bob.blind(table.OpShuffle, deck), p.bob.blind(table.OpShuffle, deck))
		p.ada.mustSend(p.ada.blind(table.OpShuffle, deck))
		synctest.Wait()
		if n := r.line.count("shuffle"); n != 1 {
			t.Errorf("the owner is asked for %d shuffles at once", n)
		}
		release()
		if got := acks(p.bob.events()); !slices.Equal(got, []uint64{1, 2}) {
			t.Errorf("acknowledged is %v", got)
		}
		if n := r.line.count("shuffle"); n != 3 {
			t.Errorf("the owner was asked for %d shuffles", n)
		}
	})
	atCards(t).Run("T39.10 writing is recorded before the owner has it", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.move(pouchNote, 0, 0))
		p.ada.events()
		p.ada.mustSend(p.ada.take(pouchNote))
		p.ada.events()
		set := r.only()
		p.ada.mustSend(p.ada.place(set, 0, 0))
		note := made(t, p.ada.events())
		p.readAll()
		release := r.line.stop()
		defer release()
		u := p.ada.make(table.OpWrite, note)
		u.Has, u.Text = u.Has|table.HasText, "mine"
		p.ada.mustSend(u)
		if got := acks(p.ada.events()); len(got) != 1 {
			t.Errorf("acknowledged is %v while the owner has not answered", got)
		}
		written := slices.ContainsFunc(p.bob.events(), func(e *holtpb.Event) bool {
			return e.GetUpdate().GetPiece().GetText() == "mine"
		})
		if !written {
			t.Error("bob does not see the text")
		}
		release()
		synctest.Wait()
		if c, _, _ := r.owner.Contents(set); len(c.Parts) != 1 || c.Parts[0].Text != "mine" {
			t.Errorf("the owner has %+v", c.Parts)
		}
	})
	for what, spoil := range map[string]func(g *room.Guest){
		"its art is missing": func(g *room.Guest) { g.Art = nil },
		"its kinds are no JSON": func(g *room.Guest) {
			g.Kinds = slices.Clone(g.Kinds)
			g.Kinds[0] = []byte("{")
		},
		"a part has no kind": func(g *room.Guest) {
			g.Parts = slices.Clone(g.Parts)
			g.Parts[0].Kind = room.Hash{1}
		},
	} {
		// Clauses: T41.5, T41.6
		atCards(t).Run("T41.5, T41.6 a set that is not in order is given back: "+
			what, func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.take(deck))
			p.ada.events()
			set := r.only()
			on := false
			r.line.gives(func(g *room.Guest) error {
				_, at, _ := r.owner.Contents(set)
				on = at == r.host.Table
				spoil(g)
				return nil
			})
			p.ada.mustSend(p.ada.place(set, 0, 0))
			if got := rejected(p.ada.events()); len(got) != 1 || !on {
				t.Errorf("it is rejected for %v; the owner has given it: %t", got, on)
			}
			<-time.After(time.Minute)
			if _, at, ok := r.owner.Contents(set); !ok || !at.IsZero() {
				t.Errorf("its owner believes it to be on %v", at)
			}
			r.line.gives(nil)
			p.ada.mustSend(p.ada.place(set, 0, 0))
			if got := rejected(p.ada.events()); got != nil {
				t.Errorf("in order it is rejected for %v", got)
			}
		})
	}
	atCards(t).Run("T41.8 a set is not placed before its return is known", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(deck))
		p.ada.events()
		set := r.only()
		r.line.gives(func(*room.Guest) error { // it cannot be reached from now on
			away := &room.Unreachable{Reason: table.AwayOwner}
			r.owner.SetUnreachable(set, away)
			return away
		})
		wantRejected(t, p.ada, holtpb.Reason_REASON_AWAY, p.ada.place(set, 0, 0))
		r.line.gives(nil)
		asked := r.line.count("hold")
		r.owner.SetUnreachable(set, nil)
		wantRejected(t, p.ada, holtpb.Reason_REASON_AWAY, p.ada.place(set, 0, 0))
		if n := r.line.count("hold"); n != asked {
			t.Errorf("the owner was asked %d times for the set", n-asked)
		}
		if err := r.rooms.SetChanged(
			t.Context(), room.SetEvent{Table: r.host.Table, Set: set},
		); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Minute)
		if _, at, ok := r.owner.Contents(set); !ok || !at.IsZero() {
			t.Errorf("its owner believes it to be on %v", at)
		}
		p.ada.mustSend(p.ada.place(set, 0, 0))
		if got := rejected(p.ada.events()); got != nil {
			t.Errorf("then it is rejected for %v", got)
		}
	})
	atCards(t).Run("T42.10 a deleted table gives back what it still owes", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada, p.bob)
		r.owner.SetUnreachable(set, &room.Unreachable{Reason: table.AwayOwner})
		p.ada.mustSend(p.ada.take(deck))
		if got := rejected(p.ada.events()); got != nil {
			t.Fatalf("the set is not taken off the table: %v", got)
		}
		if err := r.rooms.Delete(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, at, _ := r.owner.Contents(set); at != r.host.Table {
			t.Fatalf("its owner believes it to be on %v", at)
		}
		r.owner.SetUnreachable(set, nil)
		if err := r.rooms.SetChanged(
			t.Context(), room.SetEvent{Table: r.host.Table, Set: set},
		); err != nil {
			t.Fatal(err)
		}
		r.wantNothingLeft()
		if _, at, ok := r.owner.Contents(set); !ok || !at.IsZero() {
			t.Errorf("its owner believes it to be on %v", at)
		}
	})
}
