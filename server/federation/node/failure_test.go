package node_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

func TestFailures(t *testing.T) {
	t.Run("O19.1 due work is done despite impossible calls", func(t *testing.T) {
		p, ada, _, v := withVillain(t) // v never answers
		person, set, _ := ada.owned()
		given := make(chan error, 1)
		go func() { given <- ada.world.Give(t.Context(), set, v.self()) }()
		p.await("the end of the request", func() bool {
			ada.ahead.Add(1000)
			p.must(ada.world.Found(t.Context(), person, object.Person)) // it exists already
			select {
			case err := <-given:
				if err == nil {
					t.Error("nobody has answered, and it has succeeded")
				}
				return true
			default:
				return false
			}
		})
	})
}

// Clauses: T40.15
func TestT41PlaceIsCut(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	_, set, _ := ada.owned()
	p.must(ada.world.Give(t.Context(), set, ben.self()))
	ada.stop()
	p.await("the connection to end", func() bool { return !ben.reaches(ada) })
	on := ben.mint()
	var absent *room.Unreachable
	if _, err := ben.world.Hold(t.Context(),
		room.Session{Table: on, Seat: 1}, set); !errors.As(err, &absent) {
		t.Fatalf("it is held: %v", err)
	}
	if all, err := ben.world.Guests(t.Context(), on); err != nil ||
		!slices.Equal(all, []id.OID{set}) {
		t.Errorf("it is not known as possibly given: %v, %v", all, err)
	}
	ada.start()
	p.together(ada, ben)
	p.await("the owner to learn it",
		func() bool { return ben.world.Release(t.Context(), on, set, nil) == nil })
	if all, err := ben.world.Guests(t.Context(), on); err != nil || len(all) > 0 {
		t.Errorf("it still counts as lying there: %v, %v", all, err)
	}
	if g, err := ben.world.Hold(t.Context(),
		room.Session{Table: ben.mint(), Seat: 1}, set); err != nil || len(g.Parts) != cards+2 {
		t.Errorf("on another table: %d parts, %v", len(g.Parts), err)
	}
}

// Clauses: O4.7, O38.11, O38.12, T41.3
func TestO38Recall(t *testing.T) {
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	_, set, c := ada.owned()
	on, _ := ada.visit(ben, set)
	ben.stop()
	at := room.Session{Table: ada.mint(), Seat: 1}
	var refusal *room.Refusal
	if _, err := ada.world.Hold(t.Context(), at, set); !errors.As(err, &refusal) {
		t.Fatalf("it lies on two tables: %v", err)
	}
	p.must(ada.world.Recall(t.Context(), set))
	if g, err := ada.world.Hold(t.Context(), at, set); err != nil || len(g.Parts) != len(c.Parts) {
		t.Fatalf("%d parts, %v", len(g.Parts), err)
	}
	ben.start()
	p.together(ada, ben)
	if _, err := ben.world.Reveal(t.Context(), on, set, []uint32{1}); !errors.As(err, &refusal) {
		t.Errorf("the table that lost it can reveal it: %v", err)
	}
	p.must(ben.world.Release(t.Context(), on, set, nil))
	if _, err := ada.world.Reveal(t.Context(), at.Table, set, []uint32{1}); err != nil {
		t.Errorf("it no longer lies where it was put: %v", err)
	}
}

// Clauses: T41.7
func TestT41CrashWhilePlaced(t *testing.T) {
	batches := 5
	if testing.Short() {
		batches = 2
	}
	for who := range 2 {
		for after := range batches {
			title := fmt.Sprintf(
				"T41 O10 a crash while a set is put on a table: server %d, batch %d", who, after,
			)
			t.Run(title, func(t *testing.T) {
				p := newPlace(t, "Ada", "Ben")
				ada, ben := p.servers[0], p.servers[1]
				_, set, c := ada.owned()
				p.must(ada.world.Give(t.Context(), set, ben.self()))
				victim := p.servers[who]
				victim.stop()
				victim.dies = &cord{left: 1 << 30}
				victim.start()
				p.together(ada, ben)
				victim.dies.mu.Lock()
				victim.dies.left = after
				victim.dies.mu.Unlock()
				on := ben.mint()
				world, held := ben.world, make(chan error, 1)
				go func() {
					_, err := world.Hold(t.Context(), room.Session{Table: on, Seat: 1}, set)
					held <- err
				}()
				p.await("the set on the table, or the end of the server",
					func() bool { return len(held) > 0 || victim.dies.isDead() })
				victim.stop()
				victim.dies = nil
				victim.start()
				p.together(ada, ben)
				<-held
				// Whether the set was given or not, the table did not record it. The room does this
				// when it is used again.
				all, err := ben.world.Guests(t.Context(), on)
				p.must(err)
				for _, set := range all {
					p.await("the owner to learn it",
						func() bool { return ben.world.Release(t.Context(), on, set, nil) == nil })
				}
				p.must(ada.world.Give(t.Context(), set, ben.self()))
				again := ben.mint()
				if g, err := ben.world.Hold(t.Context(), room.Session{Table: again, Seat: 1},
					set); err != nil || len(g.Parts) != len(c.Parts) {
					t.Fatalf("on another table: %d parts, %v", len(g.Parts), err)
				}
				p.must(ben.world.Release(t.Context(), again, set, nil))
				if _, err := ada.world.Hold(t.Context(),
					room.Session{Table: ada.mint(), Seat: 1}, set); err != nil {
					t.Errorf("at home: %v", err)
				}
			})
		}
	}
}
