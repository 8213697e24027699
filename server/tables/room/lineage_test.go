package room_test

import (
	"errors"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

func lifeOf(n byte) room.ServerLife { return room.ServerLife{n} }

// TestLineage shows that a server recognises a folder that was put back to an older state by what
// clients say of it.
func TestLineage(t *testing.T) {
	// now makes the server begin its second life. l is what it then knows of the first one.
	now := func(r *rig, l *room.Lineage) {
		r.stop()
		r.store.mu.Lock()
		r.store.serverLife, r.store.lives = lifeOf(2), map[room.ServerLife]room.Lineage{}
		if l != nil {
			r.store.lives[lifeOf(1)] = *l
		}
		r.store.tables[r.host.Table].epochIsNew = false
		r.store.mu.Unlock()
		r.start()
	}
	begin := func(r *rig) (ada *player) {
		r.stop()
		r.store.serverLife = lifeOf(1)
		r.start()
		ada = r.open(r.host.Session)
		if life := room.ServerLife(ada.events()[0].GetFull().GetLife()); life != lifeOf(1) {
			r.t.Fatalf("the life is %v", life)
		}
		ada.mustSend(ada.move(tokenOne, 1, 1))
		ada.events()
		return ada
	}
	for name, row := range map[string]struct {
		lineage *room.Lineage
		told    func(ada *player) room.LastSent
		lost    bool
	}{
		"a server life of the folder": {&room.Lineage{
			Known: true, Last: 1 << 62,
		}, (*player).lastSent, false},
		"a server life that the folder does not have": {nil, (*player).lastSent, true},
		"a position beyond the log": {&room.Lineage{
			Known: true, Last: 1 << 62,
		}, (*player).beyond, true},
		"a position beyond the entries of that life": {&room.Lineage{
			Known: true, Last: 3,
		}, (*player).lastSent, true},
		"a server life that never existed": {nil, func(p *player) room.LastSent {
			told := p.lastSent()
			told.Life[0] = 0xff
			return told
		}, false},
	} {
		// Clauses: S21.3, S21.6, S21.8, S21.12
		in(t).Run("S21 a client that resumes with "+name, func(t *testing.T, r *rig) {
			ada := begin(r)
			told, epoch := row.told(ada), ada.epoch
			now(r, row.lineage)
			events := ada.comeBack(room.Hello{Epoch: told.Epoch, Version: told.Version, Life: told.Life})
			switch full := events[0].GetFull(); {
			case !row.lost && full != nil && id.Epoch(full.GetEpoch()) != epoch:
				t.Error("the table has another epoch")
			case row.lost && (full == nil || id.Epoch(full.GetEpoch()) == epoch):
				t.Errorf("she gets %v", events)
			case full == nil && room.ServerLife(events[0].GetResumed().GetLife()) != lifeOf(2):
				t.Error("she does not get the life")
			}
		})
		// Clauses: S21.7, S21.12
		in(t).Run("S21 an update sent with "+name, func(t *testing.T, r *rig) {
			ada := begin(r)
			told := row.told(ada)
			now(r, row.lineage)
			u := ada.move(tokenTwo, 9, 9)
			err := r.rooms.Update(t.Context(), r.host.Session, wire.Batch{
				Client: ada.id, Epoch: told.Epoch, Life: told.Life, Version: told.Version,
				Updates: []table.Update{u},
			})
			if errors.Is(err, room.ErrEpoch) != row.lost {
				t.Errorf("error %v", err)
			}
			x := r.open(r.host.Session).events()[0].GetFull().GetPieces()[tokenTwo-1].GetX()
			if (x == 9) == row.lost {
				t.Errorf("x is %d", x)
			}
		})
	}
	in(t).Run("S21.8, S21.9 the epoch changes once in a server life", func(t *testing.T, r *rig) {
		ada := begin(r)
		told := ada.lastSent()
		now(r, nil)
		bob := r.open(r.seat(r.invites.Player, "Bob").Session)
		bob.events()
		first := ada.comeBack(room.Hello{
			Epoch: told.Epoch, Version: told.Version, Life: told.Life,
		})[0].GetFull().GetEpoch()
		if bob.line.code == 0 {
			t.Error("bob goes on in an old epoch")
		}
		again := ada.comeBack(room.Hello{
			Epoch: id.Epoch(first), Version: told.Version, Life: told.Life,
		})[0].GetFull().GetEpoch()
		if again != first {
			t.Error("it takes a third epoch")
		}
	})
	in(t).Run("S21.10 a spectator's claim changes nothing", func(t *testing.T, r *rig) {
		ada := begin(r)
		told := ada.lastSent()
		now(r, nil)
		eve := r.open(r.seat(r.invites.Spectator, "Eve").Session)
		if full := eve.comeBack(room.Hello{
			Epoch: told.Epoch, Version: told.Version, Life: told.Life,
		})[0].GetFull(); full == nil ||
			id.Epoch(full.GetEpoch()) != told.Epoch {
			t.Errorf("she gets %v", full)
		}
	})
}

// lastSent returns what a client of the first life says that it was sent last.
func (p *player) lastSent() room.LastSent {
	return room.LastSent{Epoch: p.epoch, Life: lifeOf(1), Version: p.version}
}

// beyond returns lastSent with a later version, which the server never sent.
func (p *player) beyond() room.LastSent {
	told := p.lastSent()
	told.Version += 1 << 20
	return told
}
