package room_test

import (
	"bytes"
	"slices"
	"testing"
	"testing/synctest"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/proto/holtpb"
)

func TestLateLabels(t *testing.T) {
	atCards(t).Run("C15.8 a late label is refused under both identifiers", func(t *testing.T, r *rig) {
		p := r.party()
		version := p.ada.version // what she knows while the die lies on the table
		p.ada.mustSend(p.ada.move(openDie, 0, northY))
		p.readAll()
		renamed := p.ada.name(openDie)
		if renamed == openDie {
			t.Fatal("the die keeps its identifier: the test proves nothing")
		}
		for _, name := range []id.Piece{openDie, renamed} {
			late := p.ada.message(put(schema.EntityOfPiece(name), schema.Label, 1, text("six")))
			late.Version = version
			if err := r.rooms.Operate(t.Context(), p.ada.session, late); err != nil {
				t.Fatal(err)
			}
			events := p.ada.events()
			if got := refusals(events); !slices.Equal(got, []holtpb.Refusal{holtpb.Refusal_REFUSAL_GONE}) {
				t.Errorf("under %d she is refused with %v", name, got)
			}
			wantOps(t, "ada", events)
			wantOps(t, "her other tab", p.tab.events())
		}
		now := put(schema.EntityOfPiece(renamed), schema.Label, 1, text("lucky"))
		p.ada.operate(now)
		wantOps(t, "her other tab", p.tab.events(), now)
	})
}

func TestAnswersToOperations(t *testing.T) {
	atCards(t).Run("C17.15 the answer comes when operations are durable", func(t *testing.T, r *rig) {
		p := r.party()
		label := put(schema.EntityOfPiece(tokenLeft), schema.Label, 1, text("mine"))
		title := put(schema.TheTable, schema.Title, 1, text("Bob's")) // he may not write it
		before := r.store.length(r.host.Table)
		release := r.store.block()
		answer := make(chan error, 1) // it is answered once
		go func() { answer <- r.rooms.Operate(t.Context(), p.bob.session, p.bob.message(title, label)) }()
		p.bob.frames() // longer than a tick
		if len(answer) > 0 {
			t.Error("it is answered before its operations are durable")
		}
		if n := r.store.length(r.host.Table); n != before {
			t.Errorf("the log has %d entries, and had %d", n, before)
		}
		release()
		if err := <-answer; err != nil {
			t.Errorf("the answer is %v", err)
		}
		stored := false
		for _, b := range r.store.tables[r.host.Table].log[before:] {
			stored = stored || bytes.Contains(b, label.Data)
		}
		if !stored {
			t.Error("the label is not in the log")
		}
	})
	atCards(t).Run("C17.16 without a client nobody gets refused", func(t *testing.T, r *rig) {
		p := r.party()
		message := p.bob.message(put(schema.TheTable, schema.Title, 1, text("Bob's")))
		other := r.open(p.bob.session)
		other.events()
		message.Client = id.Client{}
		if err := r.rooms.Operate(t.Context(), p.bob.session, message); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for who, one := range map[string]*player{"bob": p.bob, "his other client": other, "ada": p.ada} {
			if got := refusals(one.events()); len(got) > 0 {
				t.Errorf("%s gets %v", who, got)
			}
		}
		message.Client = other.id
		if err := r.rooms.Operate(t.Context(), p.bob.session, message); err != nil {
			t.Fatal(err)
		}
		if got := refusals(other.events()); !slices.Equal(got,
			[]holtpb.Refusal{holtpb.Refusal_REFUSAL_NOT_ALLOWED}) {
			t.Errorf("named, the client gets %v", got)
		}
	})
}
