package room_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// tokenMark returns the mark of the first token in a new full state of a client.
func tokenMark(p *player) uint64 { return p.reopenForFull().GetPieces()[tokenOne-1].GetMark() }

func TestFullState(t *testing.T) {
	in(t).Run("S2.3 the full state of an empty table comes, too", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		for _, piece := range []id.Piece{hand, tokenOne, tokenTwo, ace} {
			ada.mustSend(ada.make(table.OpDelete, piece))
			ada.events()
		}
		full := r.open(r.host.Session).events()[0].GetFull()
		if full == nil || len(full.GetPieces()) != 0 || full.GetEpoch() == 0 {
			t.Errorf("it is %v", full)
		}
	})
	in(t).Run("S5.20 the mark of a piece is of the latest update by somebody else", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		ada.mustSend(ada.move(tokenOne, 1, 1))
		ada.events()
		bob.events()
		bob.mustSend(bob.move(tokenOne, 2, 2))
		ada.events()
		bob.events()
		byBob := uint64(ada.versions[tokenOne])
		ada.mustSend(ada.move(tokenOne, 3, 3))
		ada.events()
		bob.events()
		if own := uint64(ada.versions[tokenOne]); own <= byBob {
			t.Fatalf("her own move has the version %d, his %d", own, byBob)
		}
		if got := tokenMark(ada); got != byBob {
			t.Errorf("the mark is %d for her, want that of his move, %d", got, byBob)
		}
		byAda := uint64(bob.versions[tokenOne])
		if got := tokenMark(bob); got != byAda {
			t.Errorf("the mark is %d for him, want that of her move, %d", got, byAda)
		}
	})
	in(t).Run("S5.20 the mark of a piece is the floor after a reject", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		bob.mustSend(bob.make(table.OpGrab, tokenOne))
		ada.events()
		bob.events()
		grab := uint64(ada.versions[tokenOne])
		ada.mustSend(ada.move(tokenOne, 3, 3))
		var floor uint64
		for _, e := range ada.events() {
			floor = max(floor, e.GetReject().GetPiece().GetMark())
		}
		if floor <= grab {
			t.Fatalf("the floor is %d, and the version of the grab %d", floor, grab)
		}
		if got := tokenMark(ada); got != floor {
			t.Errorf("the mark is %d, want the floor %d", got, floor)
		}
	})
	atCards(t).Run("S5.8 64 entries for one seat alone are kept", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		p.ada.mustSend(p.ada.make(table.OpGrab, p.ada.card()))
		p.readAll()
		back := room.Hello{Client: p.tab.id, Epoch: p.tab.epoch, Version: p.tab.version}
		for i := range 64 {
			p.ada.mustSend(p.ada.turn(p.ada.card(), int32(100*(i+1))))
			p.ada.events()
		}
		p.tab.cut()
		p.tab.come(back)
		if first := p.tab.events()[0]; first.GetResumed() == nil {
			t.Errorf("the stream begins with %T", first.GetEvent())
		}
	})
}

func TestTurnsInATick(t *testing.T) {
	in(t).Run("S10.6 turns of a piece within a tick are published as one", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		bob.frames()
		ada.mustSend(ada.turn(tokenOne, 100), ada.turn(tokenTwo, 500), ada.turn(tokenOne, 200),
			ada.turn(tokenOne, 300))
		events := bob.events()
		if got := updates(events); !slices.Equal(got, []uint32{uint32(tokenTwo), uint32(tokenOne)}) {
			t.Fatalf("bob gets updates of %v", got)
		}
		if p := events[1].GetUpdate().GetPiece(); p.GetAngle() != 300 {
			t.Errorf("the piece is sent as %v", p)
		}
		if got := acks(ada.events()); !slices.Equal(got, []uint64{1, 2, 3, 4}) {
			t.Errorf("acks %v", got)
		}
	})
}

// goodbye returns the last event of a client's stream if it is a Going.
func goodbye(p *player) *holtpb.Going {
	events := p.events()
	if len(events) == 0 {
		return nil
	}
	return events[len(events)-1].GetGoing()
}

func TestStreamsThatComeBackSoon(t *testing.T) {
	in(t).Run("S19.10 a commit that fails for a known reason ends streams with a Going of less than 0.5 s", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		r.store.failWith(&room.Trouble{Reason: "its disk is full", Err: errDisk})
		if err := ada.send(ada.move(tokenOne, 1, 1)); !errors.Is(err, room.ErrStorage) {
			t.Errorf("error %v", err)
		}
		for _, p := range []*player{ada, bob} {
			if g := goodbye(p); g == nil || g.GetFinal() || g.GetAfterMs() >= 500 {
				t.Errorf("the last event is %v", g)
			}
		}
	})
	in(t).Run("S21.11 when the table takes another epoch its streams get a Going of less than 0.5 s, and 1001", func(t *testing.T, r *rig) {
		r.stop()
		r.store.serverLife = lifeOf(1)
		r.start()
		ada := r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.move(tokenOne, 1, 1))
		ada.events()
		sent := ada.lastSent()
		r.stop()
		r.store.mu.Lock()
		r.store.serverLife, r.store.lives = lifeOf(2), map[room.ServerLife]room.Lineage{}
		r.store.tables[r.host.Table].epochIsNew = false
		r.store.mu.Unlock()
		r.start()
		bob := r.open(r.seat(r.invites.Player, "Bob").Session)
		eve := r.open(r.seat(r.invites.Spectator, "Eve").Session)
		bob.events()
		eve.events()
		ada.comeBack(room.Hello{Epoch: sent.Epoch, Version: sent.Version, Life: sent.Life})
		for _, p := range []*player{bob, eve} {
			if g := goodbye(p); g == nil || g.GetFinal() || g.GetAfterMs() >= 500 ||
				p.line.code != stream.CodeGoingAway {
				t.Errorf("the last event is %v, the code %d", g, p.line.code)
			}
		}
	})
}

func TestDamagedTableIsRefused(t *testing.T) {
	in(t).Run("S22.1 every request for a damaged table is refused", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.moveOften(10)
		r.changeStored(func(s *stored) {
			s.snapshot, s.at = nil, 0
			s.log[len(s.log)-3] = s.log[len(s.log)-3][:1]
		})
		ctx, s := t.Context(), r.host.Session
		for name, request := range map[string]func() error{
			"read":       func() error { _, err := r.rooms.Read(ctx, s); return err },
			"update":     func() error { return r.rooms.Update(ctx, s, wire.Batch{Client: ada.id}) },
			"components": func() error { _, err := r.rooms.Components(ctx, s); return err },
			"operate":    func() error { return r.rooms.Operate(ctx, s, room.Operations{}) },
			"stream": func() error {
				_, err := r.rooms.Open(ctx, s, room.Hello{Client: ada.id}, &memoryCarrier{closed: make(chan struct{})})
				return err
			},
			"a seat": func() error {
				_, err := r.rooms.TakeSeat(ctx, r.invites.Player, room.Person{Nick: "Eve"})
				return err
			},
			"a copy": func() error { _, _, _, err := r.rooms.Copy(ctx, s); return err },
		} {
			if err := request(); !errors.Is(err, room.ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
		}
		<-time.After(time.Second)
	})
}
