package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"holt/server/components/schema"
	"holt/server/federation/peer"
)

// sends posts that a piece goes through a door.
func (a *at) sends(door, piece uint64) answer {
	a.server.Helper()
	return a.posts(fmt.Sprintf("/doors/%d/send", door), map[string]any{"piece": piece})
}

// plain returns a piece that is not the deck.
func (a *at) plain() uint64 {
	a.server.Helper()
	deck := a.deck()
	for _, p := range a.sees().Pieces {
		if p.Set == 0 && (deck == nil || p.ID != deck.ID) {
			return p.ID
		}
	}
	a.server.Fatal("there is only a deck")
	return 0
}

// loose returns the deck of the table, which is not pinned.
func (a *at) loose() uint64 {
	a.server.Helper()
	deck := a.deck()
	if deck.Pinned {
		a.does(map[string]any{"op": "unpin", "piece": deck.ID, "tag": deck.Mark})
	}
	return deck.ID
}

type guestSeen struct {
	Sets []struct{ ID, By uint64 }
}

// guests returns the guest sets of a table, and by which seat each is there.
func (a *at) guests() (by []uint64) {
	a.server.Helper()
	var is guestSeen
	a.get("/api/v1/tables/"+a.table).json(a.server, &is)
	for _, s := range is.Sets {
		by = append(by, s.By)
	}
	return by
}

// stows puts the deck of a table into its host's bag, and returns the set.
func (a *at) stows() string {
	a.server.Helper()
	if got := a.posts("/bag", map[string]any{"do": "open"}); got.StatusCode != http.StatusOK {
		a.server.Fatal(got.body)
	}
	a.does(map[string]any{"op": "take", "piece": a.loose()})
	a.await("the deck in the bag", func() bool {
		b := a.bag()
		return len(b.Sets) == 1 && b.Sets[0].Place == "home"
	})
	return a.bag().Sets[0].Set
}

// puts lays a set out of the bag on the table, and returns its container.
func (a *at) puts(set string) (guest uint64) {
	a.server.Helper()
	if got := a.posts("/bag", map[string]any{"do": "bring", "set": set}); got.StatusCode !=
		http.StatusOK {
		a.server.Fatal(got.body)
	}
	a.does(map[string]any{"op": "place", "set": set, "x": 0, "y": 0})
	a.await("the set on the table", func() bool {
		for _, p := range a.sees().Pieces {
			if p.Set != 0 {
				guest = p.ID
			}
		}
		return guest != 0
	})
	return guest
}

// Clauses: O52.1, O52.3, O52.5, O52.7, O52.13
func TestSendHere(t *testing.T) {
	l := newLinked(t, "Ben's")
	host, first, firstInvite := l.hosted()
	ben := l.at(host, first, 1)
	second, invite := l.made(host)
	there := l.at(host, second, 1)
	door, deck := ben.plain(), ben.loose()
	refused(t, "no door", ben.sends(door, deck), 404, "no such door")
	var links struct{ Spectator string }
	host.get("/api/v1/tables/"+second+"/invites").json(l, &links)
	if got := ben.leads(door, "link", links.Spectator); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	refused(t, "O52.5 by a link to watch", ben.sends(door, deck), 403, "watches")
	if got := ben.leads(door, "link", invite); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	cleo := l.at(l.browser(), first, 2)
	cleo.submit(strings.TrimPrefix(firstInvite, l.URL),
		url.Values{"nick": {"Cleo"}, "colour": {"#2a8a5f"}})
	refused(t, "O52.1 a player sends the table's deck", cleo.sends(door, deck), 403, "Only hosts")
	refused(t, "the door itself", ben.sends(door, door), 403, "itself")
	refused(t, "a piece that is not there", ben.sends(door, 4000), 403, "not on the table")
	if ben.deck() == nil {
		t.Fatal("O52.5 what was refused has left the table")
	}
	if got := there.posts("/bag", map[string]any{"do": "open"}); got.StatusCode != http.StatusOK {
		t.Fatal(got.body) // from now on it is known who sits there
	}
	seats := strings.Count(there.get("/api/v1/tables/"+second).body, `"nick"`)
	if got := ben.sends(door, deck); got.StatusCode != http.StatusOK {
		t.Fatalf("O52.1 %s %s", got.Status, got.body)
	}
	if ben.deck() != nil {
		t.Error("O52.3 the deck lies on the first table, too")
	}
	if by := there.guests(); len(by) != 1 || by[0] != 1 {
		t.Errorf("O52.7 the guests of the other table are by %v", by)
	}
	if n := strings.Count(there.get("/api/v1/tables/"+second).body, `"nick"`); n != seats {
		t.Errorf("O52.7 the other table has %d seats, not %d", n, seats)
	}
	if b := ben.bag(); len(b.Sets) != 1 || b.Sets[0].Place != "other" {
		t.Errorf("O52.3 the bag: %+v", b)
	}
	if is := ben.door(door); is.GetState() != schema.DoorOpen {
		t.Errorf("O52.13 the door shows %v", is)
	}

	there.throws()
	token := ben.plain()
	if token == door {
		for _, p := range ben.sees().Pieces {
			if p.ID != door {
				token = p.ID
			}
		}
	}
	refused(t, "O52.5 a deleted table", ben.sends(door, token), 403, "thrown away")
	if is := ben.door(door); is.GetState() != schema.DoorGone {
		t.Errorf("O52.13 the door shows %v", is)
	}
	found := false
	for _, p := range ben.sees().Pieces {
		found = found || p.ID == token
	}
	if !found {
		t.Error("O52.5 what was not sent has left the table")
	}
}

// A player sends their own set to a table at which they have no seat, and gets it when they come.
// Clauses: O52.1, O52.2, O52.7, O52.8, O52.15
func TestSendOwn(t *testing.T) {
	l := newLinked(t, "Ben's")
	host, first, invite := l.hosted()
	ben := l.at(host, first, 1)
	second, _ := l.made(host)
	there := l.at(host, second, 1)
	own := l.browser()
	made := own.submit("/tables",
		url.Values{"game": {"cards"}, "nick": {"Cleo"}, "colour": {"#2a8a5f"}})
	mine := l.at(own, strings.TrimPrefix(made.Header.Get("Location"), "/t/"), 2)
	set := mine.stows()
	own.submit(strings.TrimPrefix(invite, l.URL),
		url.Values{"nick": {"Cleo"}, "colour": {"#2a8a5f"}})
	cleo := l.at(own, first, 3)
	if got := cleo.posts("/bag", map[string]any{"do": "open"}); got.StatusCode != http.StatusOK {
		t.Fatal(got.body)
	}
	guest := cleo.puts(set)
	door := ben.plain()
	if got := ben.leads(door, "table", second); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	cleo.does(map[string]any{"op": "draw", "piece": guest, "x": 3000, "y": 0})
	card := uint64(0)
	cleo.await("a card", func() bool {
		for _, p := range cleo.sees().Pieces {
			if p.Set != 0 && p.ID != guest {
				card = p.ID
			}
		}
		return card != 0
	})
	refused(t, "O52.2 one card of a set", cleo.sends(door, card), 403, "without its set")
	dan := l.at(l.browser(), first, 4)
	dan.submit(strings.TrimPrefix(invite, l.URL),
		url.Values{"nick": {"Dan"}, "colour": {"#2a8a5f"}})
	refused(t, "O52.1 somebody else's set", dan.sends(door, guest), 403, "Only hosts")
	for _, who := range []*at{ben, cleo} { // first the host
		if got := who.sends(door, guest); got.StatusCode != http.StatusOK {
			t.Fatalf("O52.1, O52.15 %s", got.body)
		}
		if b := cleo.bag(); len(b.Sets) != 1 || b.Sets[0].Place != "other" {
			t.Fatalf("O52.15 whose it is: %+v", b)
		}
		if who == cleo {
			break
		}
		for _, p := range there.sees().Pieces {
			if p.Set != 0 {
				there.does(map[string]any{"op": "take", "piece": p.ID})
			}
		}
		cleo.await("the deck in the bag", func() bool { return cleo.bag().Sets[0].Place == "home" })
		guest = cleo.puts(set)
	}
	if by := there.guests(); len(by) != 1 || by[0] != 0 {
		t.Fatalf("O52.7 nobody has put it there, and it is by %v", by)
	}
	if got := there.posts("/bag", map[string]any{"do": "open"}); got.StatusCode != http.StatusOK ||
		there.guests()[0] != 0 {
		t.Error("O52.8 it became somebody else's who opened their bag")
	}
	if _, got := cleo.opens(door); got.StatusCode != http.StatusOK {
		t.Fatal(got.body)
	}
	behind := l.at(own, second, 5)
	if b := behind.bag(); len(b.Sets) != 1 || b.Sets[0].Place != "table" {
		t.Errorf("O52.8 the bag: %+v", b)
	}
	if by := behind.guests(); len(by) != 1 || by[0] != 2 {
		t.Errorf("O52.8 it is by %v", by)
	}
	for _, p := range behind.sees().Pieces {
		if p.Set != 0 {
			behind.does(map[string]any{"op": "take", "piece": p.ID})
		}
	}
	behind.await("the deck in the bag", func() bool {
		b := behind.bag()
		return len(b.Sets) == 1 && b.Sets[0].Place == "home"
	})
}

// Clauses: O52.3, O52.4, O52.5, O52.6, O52.7, O52.9, O52.12, O52.13
func TestSendElsewhere(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	away.linkWith(home, peer.Visit|peer.Keep, everyRight)
	bens, far, invite := away.hosted()
	ben := away.at(bens, far, 1)
	host, first, back := home.hosted()
	ada := home.at(host, first, 1)
	door, deck := ada.plain(), ada.loose()
	var links struct{ Spectator string }
	bens.get("/api/v1/tables/"+far+"/invites").json(away, &links)
	ada.await("the door", func() bool { // the servers connect meanwhile
		return ada.leads(door, "link", links.Spectator).StatusCode == http.StatusCreated
	})
	refused(t, "O52.5 by a link to watch", ada.sends(door, deck), 403, "watches")
	if ada.deck() == nil {
		t.Fatal("O52.5 what was refused has left the table")
	}
	if got := ada.leads(door, "link", invite); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	refused(t, "O52.4, O52.9 without the right to bring", ada.sends(door, deck), 403,
		"Look for it in your bag")
	b := ada.bag()
	if len(b.Sets) != 1 || b.Sets[0].Place != "home" || ada.deck() != nil ||
		len(ben.guests()) != 0 {
		t.Fatalf("O52.4 the bag: %+v", b)
	}
	away.must(away.links.SetRights(t.Context(), home.links.Self(), everyRight))
	guest := ada.puts(b.Sets[0].Set)

	away.must(away.links.Pause(t.Context(), home.links.Self()))
	if got := ada.sends(door, guest); got.StatusCode == http.StatusOK ||
		strings.Contains(got.body, "bag") || len(ada.guests()) != 1 {
		t.Errorf("O52.5 to a server that does not answer: %s", got.body)
	}
	if is := ada.door(door); is.GetState() == schema.DoorOpen {
		t.Errorf("O52.13 the door shows %v", is)
	}
	away.must(away.links.Resume(t.Context(), home.links.Self()))
	backDoor := ben.plain()
	ben.await("the door back", func() bool {
		return ben.leads(backDoor, "link", back).StatusCode == http.StatusCreated
	})
	ada.await("the deck goes", func() bool {
		return ada.sends(door, guest).StatusCode == http.StatusOK
	})
	if len(ada.guests()) != 0 {
		t.Error("O52.3 it lies on the first table, too")
	}
	if by := ben.guests(); len(by) != 1 || by[0] != 0 {
		t.Fatalf("O52.3, O52.7 the guests of the other table are by %v", by)
	}
	if is := ada.door(door); is.GetState() != schema.DoorOpen {
		t.Errorf("O52.13 the door shows %v", is)
	}
	type placed struct {
		Pieces []struct {
			ID, Set uint64
			X, Y    int
		}
	}
	var is placed
	ben.get("/api/v1/tables/"+far).json(away, &is)
	at := map[bool][2]int{}
	for _, p := range is.Pieces {
		if p.Set != 0 || p.ID == backDoor {
			at[p.Set != 0] = [2]int{p.X, p.Y}
		}
	}
	if dx, dy := at[true][0]-at[false][0], at[true][1]-at[false][1]; dx*dx+dy*dy > 3000*3000 ||
		max(dx, -dx) < 600 && max(dy, -dy) < 600 {
		t.Errorf("O52.6 it lies at %v, and the door back at %v", at[true], at[false])
	}

	// Ada visits, and finds that the deck is hers. A host who is a visitor has no bag here for the
	// pieces of the table.
	visitor := home.visits(host, away, far, invite, 2)
	if b := visitor.bag(); len(b.Sets) != 1 || b.Sets[0].Place != "table" {
		t.Errorf("O52.8 the bag: %+v", b)
	}
	if by := ben.guests(); len(by) != 1 || by[0] != 2 {
		t.Errorf("O52.8 it is by %v", by)
	}
	// She sends it home, through the door back.
	for _, p := range visitor.sees().Pieces {
		if p.Set != 0 {
			guest = p.ID
		}
	}
	if got := visitor.sends(backDoor, guest); got.StatusCode != http.StatusOK {
		t.Fatalf("O52.1 home by the door: %s", got.body)
	}
	if by := ada.guests(); len(by) != 1 || by[0] != 1 || len(ben.guests()) != 0 {
		t.Errorf("O52.3 at home it is by %v", by)
	}
}

// A visitor's set goes to another table of the server that they visit, and not to a third server.
// Clauses: O52.5, O52.12
func TestSendOfVisitor(t *testing.T) {
	home, away, third := newLinked(t, "Ada's"), newLinked(t, "Ben's"), newLinked(t, "Cleo's")
	away.linkWith(home, everyRight, everyRight)
	away.linkWith(third, everyRight, everyRight)
	host, first, _ := home.hosted()
	set := home.at(host, first, 1).stows()
	bens, far, invite := away.hosted()
	ben := away.at(bens, far, 1)
	other, _ := away.made(bens)
	visitor := home.visits(host, away, far, invite, 2)
	guest := visitor.puts(set)
	door := ben.plain()
	_, _, thirdInvite := third.hosted()
	ben.await("the door", func() bool { // the servers connect meanwhile
		return ben.leads(door, "link", thirdInvite).StatusCode == http.StatusCreated
	})
	refused(t, "O52.12 to a third server", visitor.sends(door, guest), 403, "Only your own server")
	if len(ben.guests()) != 1 {
		t.Error("O52.5 what was refused has left the table")
	}
	if got := ben.leads(door, "table", other); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	if got := visitor.sends(door, guest); got.StatusCode != http.StatusOK {
		t.Fatalf("to another table there: %s", got.body)
	}
	if by := away.at(bens, other, 1).guests(); len(by) != 1 || by[0] != 0 {
		t.Errorf("O52.7 it is by %v", by)
	}
	if b := visitor.bag(); len(b.Sets) != 1 || b.Sets[0].Place != "other" {
		t.Errorf("the bag: %+v", b)
	}
}
