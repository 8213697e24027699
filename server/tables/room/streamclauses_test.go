package room_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/fairness"
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
	in(t).Run("S5.20 a piece's mark is of the last update by another", func(t *testing.T, r *rig) {
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
	in(t).Run("S19.10 a failed commit sends a Going of less than 0.5 s", func(t *testing.T, r *rig) {
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
	in(t).Run("S21.11 a new epoch sends a Going below 0.5 s, and 1001", func(t *testing.T, r *rig) {
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
				_, err := r.rooms.Open(ctx, s, room.Hello{Client: ada.id}, &memoryCarrier{
					closed: make(chan struct{}),
				})
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

func TestOwnUpdatesInAFullState(t *testing.T) {
	atCards(t).Run("S5.21 own updates do not count in the mark", func(t *testing.T, r *rig) {
		p := r.party()
		markOf := func(one *player, piece id.Piece) uint64 {
			for _, q := range one.reopenForFull().GetPieces() {
				if q.GetId() == uint32(piece) {
					return q.GetMark()
				}
			}
			t.Fatalf("the full state does not have piece %d", piece)
			return 0
		}
		p.bob.mustSend(p.bob.move(openDie, 100, 3500), p.bob.move(handSouth, 0, southY+10))
		p.readAll()
		die, hand := uint64(p.dan.versions[openDie]), uint64(p.dan.versions[handSouth])
		p.dan.mustSend(p.dan.move(openDie, 200, 3500), p.dan.blind(table.OpRoll, openDie))
		p.bob.mustSend(p.bob.blind(table.OpLeave, handSouth))
		p.readAll()
		left := uint64(p.dan.versions[handSouth])
		p.dan.mustSend(p.dan.blind(table.OpClaim, handSouth))
		p.readAll()
		if own := uint64(p.dan.versions[openDie]); own <= die {
			t.Fatalf("his roll has the version %d, the move before it %d", own, die)
		}
		if own := uint64(p.dan.versions[handSouth]); own <= left || left <= hand {
			t.Fatalf("the versions of the hand are %d, %d and %d", hand, left, own)
		}
		rolled := uint64(p.bob.versions[openDie])
		if got := markOf(p.dan, openDie); got != die {
			t.Errorf("the mark of the die is %d, want %d", got, die)
		}
		if got := markOf(p.dan, handSouth); got != left {
			t.Errorf("the mark of the hand is %d, want %d", got, left)
		}
		if got := markOf(p.bob, openDie); got != rolled {
			t.Errorf("the mark of the die is %d for bob, want that of the roll, %d", got, rolled)
		}
	})
}

func TestRandomnessInAFullState(t *testing.T) {
	// Clauses: S17.1
	deal(t, "S17.1 a full state has the round and the mix", func(t *testing.T, d *dealing) {
		// check compares what a new full state says, and which of the shares are revealed.
		check := func(when string, round, mix uint32, revealing bool, shares ...bool) {
			t.Helper()
			got := d.eve.reopenForFull().GetRandomness()
			if got.GetRound() != round || got.GetMix() != mix || got.GetRevealing() != revealing ||
				len(got.GetCommitment()) != 32 || (len(got.GetClosing()) == 32) != revealing ||
				len(got.GetShares()) != len(shares) {
				t.Fatalf("%s: %v", when, got)
			}
			for i, w := range []*witness{d.ada, d.bob}[:len(shares)] {
				seat := w.session.Seat
				hash := w.entropy.Commitment(
					w.session.Table, fairness.Round(round), fairness.Mix(mix), seat)
				share := got.GetShares()[i]
				if share.GetSeat() != uint32(seat) || !bytes.Equal(share.GetHash(), hash[:]) ||
					bytes.Equal(share.GetEntropy(), w.entropy[:]) != shares[i] {
					t.Errorf("%s: share %d is %v", when, i, share)
				}
			}
		}
		check("at first", 1, 1, false)
		d.ada.contribute(1, 1, 1)
		check("with a share", 1, 1, false, false)
		d.bob.contribute(1, 1, 2)
		check("with two shares", 1, 1, false, false, false)
		<-time.After(time.Second)
		check("closed", 1, 1, true, false, false)
		d.bob.reveal(1, 1)
		check("with one revealed", 1, 1, true, false, true)
		d.ada.reveal(1, 1)
		check("mixed", 1, 2, false)
		d.openRound()
		check("in the next round", 2, 1, false)
	})
}

func TestSetsThatComeAndGo(t *testing.T) {
	atCards(t).Run("S18.5 sets that come and go are published", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(deck))
		p.readAll()
		set := r.only()
		// check compares the last set that everybody was sent.
		check := func(when string, is func(*holtpb.GuestSet) bool) {
			t.Helper()
			for who, one := range p.all() {
				var last *holtpb.GuestSet
				for _, e := range one.events() {
					if s := e.GetSet(); s != nil {
						last = s
					}
				}
				if last == nil || last.GetId() == 0 || !is(last) {
					t.Errorf("%s: %s gets %v", when, who, last)
				}
			}
		}
		p.ada.mustSend(p.ada.place(set, deckX, 0))
		check("it comes", func(s *holtpb.GuestSet) bool {
			return s.GetBy() == uint32(p.ada.session.Seat) && !s.GetGone() && s.GetAway() == 0
		})
		tell := func(away *room.Unreachable) {
			t.Helper()
			r.owner.SetUnreachable(set, away)
			if err := r.rooms.SetChanged(
				t.Context(), room.SetEvent{Table: r.host.Table, Set: set, Unreachable: away},
			); err != nil {
				t.Fatal(err)
			}
		}
		tell(&room.Unreachable{Reason: table.AwayFrozen})
		check("it is away", func(s *holtpb.GuestSet) bool {
			return s.GetAway() == holtpb.Absence_ABSENCE_FROZEN && !s.GetGone()
		})
		tell(nil)
		check("it is back", func(s *holtpb.GuestSet) bool { return s.GetAway() == 0 && !s.GetGone() })
		its := p.ada.sight.all(func(q *holtpb.Piece) bool { return q.GetSet() != 0 })
		if len(its) != 1 {
			t.Fatalf("of the set are %v", its)
		}
		p.ada.mustSend(p.ada.take(id.Piece(its[0].GetId())))
		check("it goes", (*holtpb.GuestSet).GetGone)
	})
}

func TestRolesOfSeats(t *testing.T) {
	in(t).Run("S20.11 no seat gets a reserved role, however it is taken", func(t *testing.T, r *rig) {
		check := func(s room.Session) {
			t.Helper()
			full := r.open(s).events()[0].GetFull()
			for _, seat := range full.GetSeats() {
				switch seat.GetRole() {
				case holtpb.Role_ROLE_HOST, holtpb.Role_ROLE_COHOST, holtpb.Role_ROLE_PLAYER,
					holtpb.Role_ROLE_SPECTATOR:
				default:
					t.Errorf("seat %d has the role %v", seat.GetId(), seat.GetRole())
				}
			}
		}
		ada := r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.make(table.OpDelete, ace)) // a table with hidden cards is not copied
		r.seat(r.invites.Player, "Bob")
		r.seat(r.invites.Spectator, "Eve")
		made, err := r.rooms.MakeHostLink(t.Context(), r.host.Table)
		if err != nil {
			t.Fatal(err)
		}
		moved, err := r.rooms.UseLink(t.Context(), made.Link)
		if err != nil {
			t.Fatal(err)
		}
		check(moved.Session)
		copied, _, _, err := r.rooms.Copy(t.Context(), moved.Session)
		if err != nil {
			t.Fatal(err)
		}
		check(copied.Session)
	})
}
