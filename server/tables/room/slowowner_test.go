package room_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/room/settest"
)

// slowOwner is the connection to an owner. It can make calls wait, and it counts them.
type slowOwner struct {
	*settest.Owner

	mu           sync.Mutex
	hold         chan struct{} // calls wait for it; nil: they do not wait
	losesAnswers bool          // the table does not get the answers to Hold
	asked        map[string]int
	given        func(*room.Guest) error // changes what the table gets from Hold; nil: nothing
}

// stop makes all calls wait from now on.
func (s *slowOwner) stop() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hold := make(chan struct{})
	s.hold = hold
	return sync.OnceFunc(func() {
		s.mu.Lock()
		s.hold = nil
		s.mu.Unlock()
		close(hold)
	})
}

// count returns how often something was called.
func (s *slowOwner) count(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[what]
}

func (s *slowOwner) wait(ctx context.Context, what string) error {
	s.mu.Lock()
	hold := s.hold
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[what]++
	s.mu.Unlock()
	return wait(ctx, hold)
}

func (s *slowOwner) Hold(ctx context.Context, by room.Session, set id.OID) (room.Guest, error) {
	if err := s.wait(ctx, "hold"); err != nil {
		return room.Guest{}, err
	}
	g, err := s.Owner.Hold(ctx, by, set)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.losesAnswers && err == nil {
		return room.Guest{}, &room.Unreachable{Reason: table.AwayOwner}
	}
	if s.given != nil && err == nil {
		err = s.given(&g)
	}
	return g, err
}

// gives lets f change what the table gets from Hold.
func (s *slowOwner) gives(f func(*room.Guest) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.given = f
}

// loseAnswers makes the table not learn, from now on, that it was given a set.
func (s *slowOwner) loseAnswers(deaf bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.losesAnswers = deaf
}

func (s *slowOwner) Release(ctx context.Context, from, set id.OID, parts []room.Part) error {
	if err := s.wait(ctx, "let go"); err != nil {
		return err
	}
	return s.Owner.Release(ctx, from, set, parts)
}

func (s *slowOwner) Make(ctx context.Context, by room.Session, set id.OID, c room.Contents) error {
	if err := s.wait(ctx, "make"); err != nil {
		return err
	}
	return s.Owner.Make(ctx, by, set, c)
}

func (s *slowOwner) Reveal(
	ctx context.Context, from, set id.OID, parts []uint32,
) (room.Revealed, error) {
	if err := s.wait(ctx, "reveal"); err != nil {
		return room.Revealed{}, err
	}
	return s.Owner.Reveal(ctx, from, set, parts)
}

func (s *slowOwner) Shuffle(
	ctx context.Context, r room.Request, parts []uint32, random [32]byte,
) (uint64, error) {
	if err := s.wait(ctx, "shuffle"); err != nil {
		return 0, err
	}
	return s.Owner.Shuffle(ctx, r, parts, random)
}

func (s *slowOwner) Write(ctx context.Context, r room.Request, part uint32, text string) error {
	if err := s.wait(ctx, "write"); err != nil {
		return err
	}
	return s.Owner.Write(ctx, r, part, text)
}

func (s *slowOwner) Roll(
	ctx context.Context, r room.Request, part uint32, random [32]byte,
) (int32, error) {
	if err := s.wait(ctx, "roll"); err != nil {
		return 0, err
	}
	return s.Owner.Roll(ctx, r, part, random)
}

// results returns the answers to questions that roll, in events.
func results(t *testing.T, events []*holtpb.Event) (all []*componentpb.RollResult) {
	t.Helper()
	for _, op := range operations(t, events) {
		if op.Component == schema.RollResult {
			m, err := schema.Decode[componentpb.RollResult](op.Data)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
		}
	}
	return all
}

func TestSlowOwner(t *testing.T) {
	atCards(t).Run("T41.7 a set goes back if the table does not know it", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(deck))
		p.ada.events()
		set := r.only()
		r.line.loseAnswers(true)
		wantRejected(t, p.ada, holtpb.Reason_REASON_AWAY, p.ada.place(set, 0, 0))
		if _, on, _ := r.owner.Contents(set); !on.IsZero() {
			t.Error("its owner still places it on the table")
		}
		r.line.loseAnswers(false)
		p.ada.mustSend(p.ada.place(set, 0, 0))
		if got := rejected(p.ada.events()); got != nil {
			t.Errorf("then it is rejected for %v", got)
		}
	})
	atCards(t).Run("T41.7 a set given before a crash goes back later", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(deck))
		p.ada.events()
		set := r.only()
		r.stop()
		// The table has not recorded it.
		if _, err := r.owner.Hold(t.Context(), r.host.Session, set); err != nil {
			t.Fatal(err)
		}
		r.start()
		p.ada.reopen(0)
		p.ada.events()
		if _, on, _ := r.owner.Contents(set); !on.IsZero() {
			t.Error("its owner still places it on the table")
		}
	})
	atCards(t).Run("T40.14 an owner is informed once at a time", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada)
		r.owner.SetUnreachable(set, &room.Unreachable{
			Reason: table.AwayOwner, Until: r.clock.now() + 60_000,
		})
		p.ada.mustSend(p.ada.take(deck))
		for range 20 {
			if err := r.rooms.SetChanged(
				t.Context(), room.SetEvent{Table: r.host.Table, Set: set},
			); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		before := r.line.count("let go")
		<-time.After(10 * time.Minute)
		synctest.Wait()
		if n := r.line.count("let go") - before; n == 0 || n > 11 {
			t.Errorf("in ten minutes it was asked %d times", n)
		}
	})
	// Clauses: T15.3, T39.1, T39.3, T39.4
	atCards(t).Run("T15, T39 nothing else waits for an owner", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		release := r.line.stop()
		defer release()
		p.bob.mustSend(p.bob.blind(table.OpShuffle, deck), p.bob.move(tokenLeft, 1, 1))
		p.ada.mustSend(p.ada.move(deck, 50, 50))
		if got := acks(p.bob.events()); !slices.Equal(got, []uint64{2}) {
			t.Errorf("acks during the request: %v", got)
		}
		release()
		if got := acks(p.bob.events()); !slices.Equal(got, []uint64{1}) {
			t.Errorf("acks after the answer: %v", got)
		}
	})
	// Clauses: T39.6
	atCards(t).Run("T10 a repeated request is sent to the owner once", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		release := r.line.stop()
		defer release()
		u := p.bob.blind(table.OpShuffle, deck)
		p.bob.mustSend(u)
		p.bob.mustSend(u)
		p.bob.frames()
		release()
		got := acks(p.bob.events())
		p.bob.mustSend(u)
		if again := acks(p.bob.events()); !slices.Equal(got, []uint64{1}) ||
			!slices.Equal(again, got) || r.line.count("shuffle") != 1 {
			t.Errorf("acks %v, then %v; it was asked %d times", got, again,
				r.line.count("shuffle"))
		}
	})
	// Clauses: T39.5, T39.11
	atCards(t).Run("T39 an owner silent for 10 s is unreachable", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		release := r.line.stop()
		defer release()
		p.bob.mustSend(p.bob.blind(table.OpShuffle, deck))
		<-time.After(9 * time.Second)
		if got := rejected(p.bob.events()); got != nil {
			t.Errorf("too early rejected: %v", got)
		}
		<-time.After(2 * time.Second)
		if got := rejected(
			p.bob.events(),
		); !slices.Equal(got, []holtpb.Reason{holtpb.Reason_REASON_AWAY}) {
			t.Errorf("rejected: %v", got)
		}
		if full := p.bob.reopenForFull(); full.GetSets()[0].GetAway() != holtpb.Absence_ABSENCE_OWNER {
			t.Errorf("sent was %v", full.GetSets())
		}
	})
	// Clauses: T38.1, T38.3
	atCards(t).Run("T38 only pieces that stay revealed are asked for", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		release := r.line.stop()
		defer release()
		p.bob.mustSend(p.bob.draw(1))
		p.bob.frames()
		unknown := p.bob.sight.all(func(q *holtpb.Piece) bool {
			return q.GetKind() == cardsUnknown
		})
		if len(unknown) != 1 {
			t.Fatalf("bob sees %v", unknown)
		}
		p.bob.mustSend(p.bob.stow(id.Piece(unknown[0].GetId()), deck, -1), p.bob.draw(2))
		p.bob.frames()
		release()
		p.bob.frames()
		if got := p.bob.kindsIn(); len(got) != 2 || slices.Contains(got, cardsUnknown) ||
			slices.Contains(got, first) {
			t.Errorf("bob sees %v", got)
		}
		for _, b := range r.store.tables[r.host.Table].log {
			if e := decoded(t, b); e.After.Kind == first && !e.After.Set.IsZero() {
				t.Errorf("the table knows a hidden card: %+v", e)
			}
		}
	})
	for _, at := range []int32{1, -1} {
		name := fmt.Sprintf("T30, T38 a guest card that was seen is not drawn sooner, stowed at %d", at)
		// Clauses: T38.4
		atCards(t).Run(name, func(t *testing.T, r *rig) {
			p := r.party()
			r.makeGuestSet(p.ada, p.bob)
			p.ada.mustSend(p.ada.draw(1))
			p.ada.frames()
			if got := p.ada.kindsIn(); !slices.Equal(got, []uint32{first}) {
				t.Fatalf("ada sees %v", got)
			}
			release := r.line.stop()
			defer release()
			p.ada.mustSend(p.ada.stow(id.Piece(p.ada.hand(anyCard)[0].GetId()), deck, at))
			p.bob.frames()
			p.bob.mustSend(p.bob.draw(1))
			p.bob.frames()
			if got := p.bob.kindsIn(); !slices.Equal(got, []uint32{cardsUnknown}) {
				t.Errorf("before the owner's answer bob sees %v", got)
			}
			release()
			p.bob.frames()
			want := second
			if at > 0 {
				want = first
			}
			if got := p.bob.kindsIn(); !slices.Equal(got, []uint32{want}) {
				t.Errorf("bob has drawn %v, want %d", got, want)
			}
		})
	}
	atCards(t).Run("T38.7 a draw in a shuffle gets the new order", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		release := r.line.stop()
		defer release()
		p.bob.mustSend(p.bob.blind(table.OpShuffle, deck), p.bob.draw(24))
		p.bob.frames()
		release()
		p.bob.frames()
		got := p.bob.kindsIn()
		for k := cardsRoyal; k < cardsDie; k++ {
			if len(got) != royals+plains || !slices.Contains(got, k) {
				t.Fatalf("the cards are %v", got)
			}
		}
	})
	// Clauses: T39.3, T39.17
	atCards(t).Run("C18, T39 a question waits for the owner's answer", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(openDie))
		p.ada.events()
		p.ada.mustSend(p.ada.place(r.only(), 0, 3500))
		die := schema.EntityOfPiece(made(t, p.ada.events()))
		p.readAll()
		release := r.line.stop()
		defer release()
		p.bob.operate(put(die, schema.Roll, 1, &componentpb.Roll{}))
		if got := results(t, p.eve.events()); len(got) != 0 {
			t.Fatalf("the die is rolled: %v", got)
		}
		release()
		for _, who := range []*player{p.bob, p.eve} {
			if got := results(t, who.events()); len(got) < 1 || got[len(got)-1].Face == nil ||
				got[len(got)-1].GetOf() != 1 {
				t.Errorf("the answer is %v", got)
			}
		}
	})
	atCards(t).Run("C15, C18 questions of a hidden die get no answer", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(openDie))
		p.ada.events()
		p.ada.mustSend(p.ada.place(r.only(), pouchX, northY))
		p.ada.events()
		die := p.ada.sight.all(func(q *holtpb.Piece) bool {
			return q.GetKind() == cardsDie && q.GetSet() != 0
		})
		p.readAll()
		release := r.line.stop()
		defer release()
		p.ada.operate(put(schema.EntityOfPiece(id.Piece(die[0].GetId())), schema.Roll, 1,
			&componentpb.Roll{}))
		give := p.ada.blind(table.OpGive, pouch)
		give.Has, give.Seat = give.Has|table.HasSeat, p.bob.session.Seat
		p.ada.mustSend(give)
		p.readAll()
		release()
		for who, one := range p.all() {
			if got := results(t, one.events()); len(got) > 0 {
				t.Errorf("%s gets the answer %v", who, got)
			}
		}
	})
	atCards(t).Run("T40.10 a set with a pending question stays", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		release := r.line.stop()
		defer release()
		p.bob.mustSend(p.bob.blind(table.OpShuffle, deck))
		wantRejected(t, p.ada, holtpb.Reason_REASON_SCATTERED, p.ada.take(deck))
		release()
		p.ada.frames()
		p.ada.mustSend(p.ada.take(deck))
		if got := rejected(p.ada.events()); got != nil {
			t.Errorf("it is rejected with %v", got)
		}
	})
	atCards(t).Run("T40.15 an unrecorded departure has not happened", func(t *testing.T, r *rig) {
		p := r.party()
		r.store.failWith(errors.New("disk full"))
		if err := p.ada.send(p.ada.take(deck)); !errors.Is(err, room.ErrStorage) {
			t.Fatalf("the answer is %v", err)
		}
		synctest.Wait()
		r.store.failWith(nil)
		if all := r.owner.Sets(); len(all) != 0 {
			t.Errorf("the sets are %v", all)
		}
		r.stop()
		r.start()
		p.ada.reopen(0)
		if !slices.ContainsFunc(p.ada.events()[0].GetFull().GetPieces(),
			func(q *holtpb.Piece) bool { return q.GetId() == uint32(deck) }) {
			t.Error("the deck is gone")
		}
	})
	atCards(t).Run("T41 a set from its owner that does not fit goes back", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(deck))
		p.ada.events()
		set := r.only()
		release := r.line.stop()
		defer release()
		p.ada.mustSend(p.ada.place(set, deckX, 0))
		// The same request twice: only one of them lays the set down.
		p.bob.mustSend(p.bob.place(set, deckX, 100))
		release()
		p.ada.frames()
		refused := append(rejected(p.ada.events()), rejected(p.bob.events())...)
		if full := p.bob.reopenForFull(); len(full.GetSets()) != 1 || len(refused) > 1 {
			t.Errorf("the sets are %v; refused is %v", full.GetSets(), refused)
		}
		if _, on, _ := r.owner.Contents(set); on != r.host.Table {
			t.Errorf("its owner places it on %v", on)
		}
	})
	atCards(t).Run("T39 a room that ends waits 1 s to 10 s for owners", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		release := r.line.stop()
		defer release()
		p.bob.mustSend(p.bob.blind(table.OpShuffle, deck))
		began := time.Now()
		r.stop()
		if took := time.Since(began); took < time.Second || took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
