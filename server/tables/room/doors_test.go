package room_test

import (
	"bytes"
	"errors"
	"testing"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
)

// aDoor returns a door as the component has it.
func aDoor(title string) []byte {
	return schema.Encode(&componentpb.Door{Title: title, Seal: "c2VhbA"})
}

// Clauses: O49.1, O49.5, O49.10, O50.1
func TestDoors(t *testing.T) {
	atCards(t).Run("O49 doors", func(t *testing.T, r *rig) {
		p := r.party()
		const most = 64 // as O49.10 says
		ctx, host := t.Context(), p.ada.session
		set := func(s room.Session, piece id.Piece, door []byte) error {
			_, err := r.rooms.SetDoor(ctx, s, piece, door)
			return err
		}
		if err := set(p.bob.session, tokenLeft, aDoor("x")); !errors.Is(err, room.ErrRole) {
			t.Errorf("O49.1 a player makes a door: %v", err)
		}
		if err := set(host, table.MaxRandomName-1, aDoor("x")); !errors.Is(err, room.ErrNoDoor) {
			t.Errorf("a door of nothing: %v", err)
		}
		if err := set(host, tokenLeft, []byte("x")); err == nil {
			t.Error("C14.5 a door that says nothing")
		}
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		card := id.Piece(p.ada.hand(anyCard)[0].GetId())
		if err := set(host, card, aDoor("x")); !errors.Is(err, room.ErrDoorHidden) {
			t.Errorf("O49.5 a door of a card in a hand: %v", err)
		}
		if err := set(host, tokenLeft, aDoor("the cellar")); err != nil {
			t.Fatal(err)
		}
		got, err := r.rooms.Door(ctx, p.bob.session, tokenLeft)
		if err != nil || !bytes.Equal(got, aDoor("the cellar")) {
			t.Errorf("O50.1 bob sees %q: %v", got, err)
		}
		if _, err := r.rooms.Door(ctx, p.bob.session, card); !errors.Is(err, room.ErrNoDoor) {
			t.Errorf("O50.1 bob opens what he does not see: %v", err)
		}
		r.stop()
		r.start()
		p.ada.reopen(0)
		if got, err := r.rooms.Door(ctx, host, tokenLeft); err != nil || len(got) == 0 {
			t.Errorf("O49 after a restart: %q, %v", got, err)
		}
		shut := aDoor("the attic")
		if err := r.rooms.NoteDoor(ctx, host, tokenLeft, shut, shut); err != nil {
			t.Fatal(err)
		}
		if got, _ := r.rooms.Door(ctx, host, tokenLeft); bytes.Equal(got, shut) {
			t.Error("O50.6 what is said of another door changes this one")
		}

		for range most {
			u := p.ada.make(table.OpCopy, tokenLeft)
			u.Has |= table.HasXY
			p.ada.mustSend(u)
		}
		p.readAll()
		made, err := 0, error(nil)
		for name := range p.ada.sight.pieces {
			if name == tokenLeft || name == tokenRight {
				continue
			}
			if err = set(host, name, aDoor("x")); errors.Is(err, room.ErrDoors) {
				break
			} else if err == nil {
				made++
			}
		}
		if doors, _ := r.rooms.Doors(ctx, host.Table); len(doors) != most ||
			!errors.Is(err, room.ErrDoors) {
			t.Errorf("O49.10 the table has %d doors, made %d: %v", len(doors), made, err)
		}
		if err := set(host, tokenLeft, aDoor("elsewhere")); err != nil {
			t.Errorf("O49.1 a door is led elsewhere: %v", err)
		}
		if _, err := r.rooms.RemoveDoor(ctx, p.bob.session, tokenLeft); !errors.Is(err, room.ErrRole) {
			t.Errorf("O49.1 a player ends a door: %v", err)
		}
		if before, err := r.rooms.RemoveDoor(ctx, host, tokenLeft); err != nil || len(before) == 0 {
			t.Errorf("O49.1 the host ends a door: %q, %v", before, err)
		}
		if _, err := r.rooms.RemoveDoor(ctx, host, tokenLeft); !errors.Is(err, room.ErrNoDoor) {
			t.Errorf("a door that was ended: %v", err)
		}
	})
}
