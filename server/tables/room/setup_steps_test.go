package room_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"holt/server/play/fairness"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// steppedGame is the game of cards with steps of its set-ups.
func steppedGame(t *testing.T) string {
	t.Helper()
	var order []uint32
	for i := range uint32(royals + plains) {
		order = append(order, cardsRoyal+i%(cardsDie-cardsRoyal))
	}
	return strings.Replace(cardsGame(t, order), `"pieces":`, `
		"steps": [{"do": "shuffle", "kind": "Deck"}, {"do": "rotate", "kind": "Token", "by": 9000}],
		"setups": [
			{"name": "Dealt", "steps": [{"do": "shuffle", "kind": "Deck"},
				{"do": "deal", "kind": "Deck", "n": 2}, {"do": "roll", "kind": "Die"}]},
			{"name": "No die", "without": ["Die"]}],
		"pieces":`, 1)
}

// turned returns the angle of a token.
func turned(t *testing.T, full *holtpb.Full) int32 {
	t.Helper()
	for _, p := range full.GetPieces() {
		if p.GetKind() == cardsToken {
			return int32(p.GetAngle())
		}
	}
	t.Fatal("no token lies on the table")
	return 0
}

// draws returns the draws of the exported rounds, by their rounds.
func (r *rig) draws() (all []string) {
	r.t.Helper()
	e, _ := r.exported()
	if _, err := fairness.Verify(e); err != nil {
		r.t.Errorf("the export does not verify: %v", err)
	}
	for i, round := range e.Rounds {
		for _, f := range round.Facts {
			if d, is := f.Fact.(fairness.Drawn); is {
				all = append(all, fmt.Sprint(i+1, " ", d.Record.Kind))
			}
		}
	}
	return all
}

// TestChosenSetup shows that a new table is set up as was chosen.
func TestChosenSetup(t *testing.T) {
	with := bubble{t: t, game: steppedGame(t), random: rand.Reader}
	made := func(r *rig, setup int) (*player, error) {
		taken, _, err := r.rooms.Create(r.t.Context(), room.NewTableRequest{
			Game: "test", Setup: setup, Host: room.Person{Nick: "Ada", Colour: 0xc0392b},
		})
		if err != nil {
			return nil, err
		}
		return r.open(taken.Session), nil
	}
	count := func(full *holtpb.Full, kind uint32) (n int) {
		for _, p := range full.GetPieces() {
			if p.GetKind() == kind {
				n++
			}
		}
		return n
	}
	// Clauses: T78.4, T88.1
	with.Run("T78.4 the chosen set-up lies there, with its steps", func(t *testing.T, r *rig) {
		first, err := made(r, 0)
		if err != nil {
			t.Fatal(err)
		}
		without, err := made(r, 2)
		if err != nil {
			t.Fatal(err)
		}
		one, two := first.reopenForFull(), without.reopenForFull()
		if count(one, cardsDie) == 0 || count(two, cardsDie) != 0 {
			t.Errorf("there are %d dice, and %d without them",
				count(one, cardsDie), count(two, cardsDie))
		}
		if turned(t, one) != 9000 || turned(t, two) == 9000 {
			t.Errorf("the tokens lie at %d and %d", turned(t, one), turned(t, two))
		}
	})
	with.Run("T78.4 a set-up that is not there is refused", func(t *testing.T, r *rig) {
		for _, n := range []int{-1, 3} {
			if _, err := made(r, n); !errors.Is(err, room.ErrNoSetup) {
				t.Errorf("the error of set-up %d is %v", n, err)
			}
		}
	})
}

// TestFirstSetup shows that the first set-up has its name and lacks the pieces of some kinds, which
// come with another set-up.
func TestFirstSetup(t *testing.T) {
	file := strings.Replace(steppedGame(t), `"setups":`, `"setup": "Plain", "without": ["Die"],
		"setups":`, 1)
	file = strings.Replace(file, `{"name": "No die", "without": ["Die"]}`,
		`{"name": "All", "without": ["Token"]}`, 1)
	// Clauses: G18.1, G18.2
	bubble{t: t, game: file, random: rand.Reader}.Run("G18", func(t *testing.T, r *rig) {
		dice := func(setup int) (n int) {
			taken, _, err := r.rooms.Create(r.t.Context(), room.NewTableRequest{
				Game: "test", Setup: setup, Host: room.Person{Nick: "Ada"},
			})
			if err != nil {
				t.Fatal(err)
			}
			p := r.open(taken.Session)
			for _, q := range p.reopenForFull().GetPieces() {
				if q.GetKind() == cardsDie {
					n++
				}
			}
			list, err := r.rooms.Saves(t.Context(), taken.Session)
			if err != nil || len(list.All) == 0 || !slices.ContainsFunc(list.All,
				func(s room.SaveInfo) bool { return s.Name == "Plain" }) {
				t.Errorf("G18.2: %+v, %v", list.All, err)
			}
			return n
		}
		if first, other := dice(0), dice(2); first != 0 || other == 0 {
			t.Errorf("G18.1: the first set-up has %d dice, another one %d", first, other)
		}
	})
}

// TestSetupSteps shows what the steps of set-ups do, and when.
func TestSetupSteps(t *testing.T) {
	with := bubble{t: t, game: steppedGame(t), random: rand.Reader}
	again := func(r *rig, of *player, q room.Rewind) *player {
		r.t.Helper()
		q.Epoch = of.epoch
		if _, err := r.rooms.Rewind(r.t.Context(), of.session, q); err != nil {
			r.t.Fatal(err)
		}
		return r.open(of.session)
	}
	// Clauses: T88.1, T88.4
	with.Run("T88.1 a new table has done the steps of the first set-up", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		if got := turned(t, ada.reopenForFull()); got != 9000 {
			t.Errorf("a token lies at %d", got)
		}
		if got := r.draws(); len(got) != 1 {
			t.Errorf("the draws are %v", got)
		}
		r.stop()
		r.start()
		ada = r.open(r.host.Session)
		if got := turned(t, ada.reopenForFull()); got != 9000 {
			t.Errorf("after a restart a token lies at %d", got)
		}
		ada = again(r, ada, room.Rewind{Save: 1, Token: "back"})
		if got := turned(t, ada.reopenForFull()); got != 0 {
			t.Errorf("T88.4 after a rewind to the set-up a token lies at %d", got)
		}
		ada = again(r, ada, room.Rewind{Rematch: true, Token: "again"})
		if got := turned(t, ada.reopenForFull()); got != 9000 {
			t.Errorf("after a rematch a token lies at %d", got)
		}
	})
	// Clauses: T88.2, T88.3
	with.Run("T88.2 a rematch deals to all, and a rewind takes it back", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		ada = again(r, ada, room.Rewind{Rematch: true, Save: 2, Token: "a"})
		bob = r.open(bob.session)
		state := func() string {
			full := bob.reopenForFull()
			return fmt.Sprint(len(bob.hand(isCard)), bob.inDeck(), turned(t, full))
		}
		want := fmt.Sprint(2, royals+plains-4, 0)
		if got := state(); got != want {
			t.Errorf("bob sees %s, want %s", got, want)
		}
		if got := len(r.draws()); got < 3 { // at first, the rematch, and a die
			t.Errorf("there are %d draws", got)
		}
		r.stop()
		r.start()
		ada, bob = r.open(ada.session), r.open(bob.session)
		if got := state(); got != want {
			t.Errorf("after a restart bob sees %s, want %s", got, want)
		}
		ada.events()
		list, err := r.rooms.Saves(t.Context(), ada.session)
		if err != nil {
			t.Fatal(err)
		}
		before := list.All[len(list.All)-1].ID
		again(r, ada, room.Rewind{Save: before, Token: "back"})
		bob = r.open(bob.session)
		if got, want := state(), fmt.Sprint(0, royals+plains, 9000); got != want {
			t.Errorf("after the rewind bob sees %s, want %s", got, want)
		}
	})
	// Clauses: T88.4
	with.Run("T88.4 a set-up without steps does none", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada = again(r, ada, room.Rewind{Rematch: true, Save: 3, Token: "a"})
		if got := turned(t, ada.reopenForFull()); got != 0 {
			t.Errorf("a token lies at %d", got)
		}
	})
}
