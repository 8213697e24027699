package sim

import (
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// authors edit the game while others play: the host, who has two clients, and Bob. They add kinds,
// pieces of these, and cards into decks, and save the game.
type authors struct {
	*host
	rnd     *mathrand.Rand
	numbers map[string][]uint32 // of the kinds that were answered
	pieces  int                 // that lay on the table before
	saved   int
}

// begin lets them edit.
func (a *authors) begin(guests []*simClient) {
	a.t.Helper()
	a.numbers = map[string][]uint32{}
	host := guests[0].session
	for _, g := range guests[1:3] { // of the host, and of Bob
		if err := a.rooms.LetEdit(a.t.Context(), host, g.session.Seat, true); err != nil {
			a.t.Fatal(err)
		}
	}
	a.pieces, _ = a.count()
}

// count returns how many pieces a spectator sees and counts, and the names of the kinds.
func (a *authors) count() (pieces int, kinds []string) {
	a.t.Helper()
	eve, err := a.rooms.TakeSeat(a.t.Context(), a.watch, room.Person{Nick: "Eve"})
	if err != nil {
		a.t.Fatal(err)
	}
	f, err := a.rooms.Read(a.t.Context(), eve.Session)
	if err != nil {
		a.t.Fatal(err)
	}
	v := f.GetEvents()[0].GetFull()
	doc, err := a.rooms.Blob(a.t.Context(), room.Hash(v.GetTable().GetCatalog()))
	if err != nil {
		a.t.Fatal(err)
	}
	all, err := game.ParseCatalog(doc.Data)
	if err != nil {
		a.t.Fatal(err)
	}
	for i := range all {
		kinds = append(kinds, all[i].Name)
	}
	for _, p := range v.GetPieces() {
		if pieces++; int(p.GetKind()) >= len(kinds) {
			a.t.Errorf("T100 a piece is of kind %d, and there are %d", p.GetKind(), len(kinds))
		}
	}
	for _, h := range v.GetHolds() {
		for _, n := range h.GetCounts() {
			pieces += int(n)
		}
	}
	return pieces, kinds
}

// act makes an author do something. Requests find the server whatever the network of the streams.
func (a *authors) act(guests []*simClient) {
	a.t.Helper()
	g := guests[a.rnd.IntN(3)]
	name := fmt.Sprint("Tile ", a.rnd.IntN(3))
	switch n := a.rnd.IntN(8); {
	case n < 2:
		numbers, err := a.rooms.AddKinds(a.t.Context(), g.session, madeGame(a.t, name),
			room.ChangedKinds{})
		if err != nil {
			a.t.Fatal(err)
		}
		if was := a.numbers[name]; was != nil && !slices.Equal(was, numbers) {
			a.t.Errorf("T100.3 the kinds were %v and are %v", was, numbers)
		}
		a.numbers[name] = numbers
	case n < 3:
		p, err := a.rooms.SaveGame(a.t.Context(), g.session, &room.Saving{Name: "Saved"})
		if err != nil {
			a.t.Errorf("T102 it is not saved: %v", err)
			return
		}
		a.saved++
		if n := len(p.Game.Kinds); n != simKinds+3*len(a.numbers) {
			a.t.Errorf("T102.1 %d kinds are saved, of %d tiles", n, len(a.numbers))
		}
	case n < 6:
		g.addTo(deck, backKind+1+a.rnd.Uint32N(2))
	case a.numbers[name] == nil:
	case n < 7: // a tile, or the box
		g.addTo(0, a.numbers[name][a.rnd.IntN(3)])
	default: // into one of the boxes, which may hold other tiles
		if box := g.ofKind(a.numbers[name][2]); box != 0 {
			g.addTo(box, a.numbers[name][1])
		}
	}
}

// compare checks that everything that was added is there once.
func (a *authors) compare(guests []*simClient) {
	a.t.Helper()
	want := a.pieces
	for _, g := range guests {
		want += g.added
	}
	pieces, kinds := a.count()
	if pieces != want {
		a.t.Errorf("T10.18 a spectator counts %d pieces, and there should be %d", pieces, want)
	}
	if len(kinds) != simKinds+3*len(a.numbers) {
		a.t.Errorf("T100.3 there are kinds %q, and %d tiles were added", kinds, len(a.numbers))
	}
	for name, numbers := range a.numbers {
		if int(numbers[0]) >= len(kinds) || kinds[numbers[0]] != name {
			a.t.Errorf("T100.1 %s should have the number %d of %q", name, numbers[0], kinds)
		}
	}
}

// simKinds is how many kinds simGame has.
const simKinds = 7

// addTo makes an update that adds a piece, into a container if that is not 0.
func (g *simClient) addTo(box id.Piece, kind uint32) {
	if g.pieces == nil || len(g.pending) > 20 {
		return
	}
	g.seq++
	u := table.Update{Seq: g.seq, Op: table.OpAdd, Has: table.HasKind | table.HasXY, Kind: kind,
		X: g.rnd.Int32N(8000) - 4000, Y: 2500}
	if box != 0 {
		u.Has, u.Into = u.Has|table.HasInto, box
	}
	g.pending = append(g.pending, pendingUpdate{Update: u})
}

// ofKind returns a piece of a kind that the client shows, 0 if there is none.
func (g *simClient) ofKind(kind uint32) (found id.Piece) {
	for name, p := range g.pieces {
		if p.GetKind() == kind && (found == 0 || name < found) {
			found = name
		}
	}
	return found
}

// TestCutsOfAuthors is TestCuts while two people edit the game, with three clients, and one plays.
// What they add is there once, whatever is cut, and everybody shows the same.
// Clauses: T10.18, T100.1, T100.3, T101.1, T102.1
func TestCutsOfAuthors(t *testing.T) {
	first, n := *cutSeed, 1
	if first == 0 {
		first, n = firstSeed("schedules"), *schedules
		switch {
		case first != 1: // somebody wants so many
		case testing.Short():
			n = min(n, 20)
		default:
			n = min(n, 200)
		}
	}
	t.Logf("%d schedules; of the first: -run TestCutsOfAuthors -cutseed %d", n, first)
	var all cuts
	for i := range uint64(n) {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			all.play(t, &host{t: t, dir: dir}, mathrand.New(mathrand.NewPCG(first+i, 0)), false, true)
		})
		if t.Failed() {
			t.Fatalf("-run TestCutsOfAuthors -cutseed %d", first+i)
		}
	}
	t.Logf("%d cuts, %d restarts, %d times resumed, %d pieces added", all.cuts, all.restarts,
		all.resumed, all.added)
	if n >= 40 && (all.cuts < n || all.added < n || all.resumed < n) {
		t.Errorf("it covers little: %+v", all)
	}
}
