package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"holt/server/transport/endpoint"
)

// These are pieces of a table of cards. Hands get their seats in this order.
const (
	cardsSecondHand = 2
	cardsDeck       = 10
	cardsInDeck     = 54
)

// evicted is a table of cards at which Ada, its host, puts out Ben, who has three cards in his
// hand.
type evicted struct {
	p          *program
	table      string
	ada, ben   string // their tokens
	old        string // the secret of the old invite for players
	seen       cardsView
	ticket     string // Ben's, for a stream by datagrams
	hand       string // the parameter hand of the request
	answered   bool   // with 200
	wantedHand int    // the seat that must get the hand; 0: none
}

type linksJSON struct{ Player, Spectator string }

// cardsView is a seat's view of a table.
type cardsView struct {
	Epoch, Mark uint64
	Life        string
	Seats       []struct{ ID, Left int }
	Pieces      []struct {
		ID, Set uint32
		Mark    uint64
		Owner   int
	}
	Holds []struct {
		Piece  uint32
		Counts []int
	}
}

// held returns how many pieces lie in a hand or a container, and the number of its owner.
func (v *cardsView) held(piece uint32) (count, owner int) {
	for _, h := range v.Holds {
		if h.Piece == piece {
			for _, n := range h.Counts {
				count += n
			}
		}
	}
	for _, p := range v.Pieces {
		if p.ID == piece {
			owner = p.Owner
		}
	}
	return count, owner
}

// markOf returns the version of a piece.
func (v *cardsView) markOf(piece uint32) uint64 {
	for _, p := range v.Pieces {
		if p.ID == piece {
			return p.Mark
		}
	}
	return 0
}

// guests returns the pieces of guest sets.
func (v *cardsView) guests() (all []uint32) {
	for _, p := range v.Pieces {
		if p.Set != 0 {
			all = append(all, p.ID)
		}
	}
	return all
}

// newEvicted creates the table, and Ben draws three cards.
func newEvicted(p *program, hand string, wanted int) *evicted {
	p.Helper()
	e := &evicted{p: p, hand: hand, wantedHand: wanted}
	var made struct {
		Table, Token string
		Invites      linksJSON
	}
	if status := ask(p.T, p.address+"api/v1/tables", "",
		`{"game":"cards","nick":"Ada"}`, &made); status != http.StatusCreated {
		p.Fatalf("create: %d", status)
	}
	e.table, e.ada, e.old = made.Table, made.Token, lastOf(made.Invites.Player)
	e.ben = e.join(e.old, http.StatusCreated)
	var offer struct{ Ticket string }
	if status := ask(p.T, e.path("/datagrams"), e.ben, "{}", &offer); status != http.StatusCreated {
		p.Fatalf("ticket: %d", status)
	}
	e.ticket, e.seen = offer.Ticket, e.view(e.ben)
	draw := fmt.Sprintf(
		`{"client":"q83vEjRWeJCrze8SNFZ4kA","epoch":%d,`+
			`"updates":[{"seq":1,"piece":%d,"op":"draw","n":3}]}`,
		e.seen.Epoch, cardsDeck,
	)
	if status := ask(p.T, e.path("/updates"), e.ben, draw, nil); status != http.StatusAccepted {
		p.Fatalf("draw: %d", status)
	}
	return e
}

func lastOf(link string) string { return link[strings.LastIndexByte(link, '/')+1:] }

func (e *evicted) path(rest string) string {
	return e.p.address + "api/v1/tables/" + e.table + rest
}

// join takes a seat, and returns its token.
func (e *evicted) join(invite string, want int) string {
	e.p.Helper()
	var taken struct{ Token string }
	if status := ask(e.p.T, e.path("/seats"), "",
		fmt.Sprintf(`{"invite":%q,"nick":"Ben"}`, invite), &taken); status != want {
		e.p.Errorf("a seat by an invite: %d, want %d", status, want)
	}
	return taken.Token
}

func (e *evicted) view(token string) (v cardsView) {
	e.p.Helper()
	if status := ask(e.p.T, e.path(""), token, "", &v); status != http.StatusOK {
		e.p.Errorf("%s: the table: %d", e.hand, status)
	}
	return v
}

// putOut puts Ben out, and records whether an answer came.
func (e *evicted) putOut() {
	r, err := http.NewRequest(http.MethodDelete, e.path("/seats/2?hand="+e.hand), nil)
	if err != nil {
		e.p.Error(err)
		return
	}
	r.Header.Set("Authorization", "Bearer "+e.ada)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return // the server was killed before
	}
	_ = res.Body.Close()
	e.answered = res.StatusCode == http.StatusOK
}

// check compares what the server shows after a kill with what it answered before, and returns
// whether Ben is out.
func (e *evicted) check() bool {
	e.p.Helper()
	v := e.view(e.ada)
	out := v.Seats[1].Left == 1
	if e.answered && !out {
		e.p.Errorf("%s: the host got the answer that Ben is out, and he is not", e.hand)
	}
	deck, _ := v.held(cardsDeck)
	hand, owner := v.held(cardsSecondHand)
	wantDeck, wantHand, wantOwner := cardsInDeck-3, 3, 2
	if out {
		wantOwner = e.wantedHand
	}
	if out && e.hand == "back" {
		wantDeck, wantHand = cardsInDeck, 0
	}
	if deck != wantDeck || hand != wantHand || owner != wantOwner {
		e.p.Errorf("%s: %d cards lie in the deck and %d in the hand of seat %d, want %d, %d, %d",
			e.hand, deck, hand, owner, wantDeck, wantHand, wantOwner)
	}
	var now linksJSON
	if status := ask(e.p.T, e.path("/invites"), e.ada, "", &now); status != http.StatusOK {
		e.p.Errorf("%s: invites: %d", e.hand, status)
	}
	if renewed := lastOf(now.Player) != e.old; renewed != out {
		e.p.Errorf("%s: Ben is out: %v, and the invites are new: %v", e.hand, out, renewed)
	}
	if !out {
		e.view(e.ben)
		e.join(e.old, http.StatusCreated)
		return false
	}
	e.shut()
	e.join(e.old, http.StatusGone)
	e.view(e.join(lastOf(now.Player), http.StatusCreated))
	return true
}

// route matches an address of a table in http.md.
var route = regexp.MustCompile("(?m)^\\| `(GET|POST|DELETE) /api/v1/tables/\\{table\\}([^`?]*)")

// shut tries Ben's token at every address of the table, for streams and links, and his ticket.
func (e *evicted) shut() {
	e.p.Helper()
	text, err := os.ReadFile("../../docs/protocol/http.md")
	if err != nil {
		e.p.Fatal(err)
	}
	routes := route.FindAllStringSubmatch(string(text), -1)
	if len(routes) < 15 {
		e.p.Errorf("only %d addresses are tried", len(routes))
	}
	for _, r := range routes {
		if r[1] == http.MethodPost && r[2] == "/seats" {
			continue // it takes an invite
		}
		e.refused(r[1], e.path(strings.ReplaceAll(r[2], "{seat}", "me")))
	}
	told := fmt.Sprintf("&epoch=%d&mark=%d&life=%s", e.seen.Epoch, e.seen.Mark, e.seen.Life)
	for _, door := range []string{"/stream?client=q83vEjRWeJCrze8SNFZ4kA",
		"/stream?client=q83vEjRWeJCrze8SNFZ4kA" + told, "/replica?form=flat&compare=bytes"} {
		options := &websocket.DialOptions{
			HTTPHeader:   http.Header{"Authorization": {"Bearer " + e.ben}},
			Subprotocols: []string{"holt.v1"},
		}
		//nolint:bodyclose // the library has closed it
		_, res, err := websocket.Dial(e.p.Context(),
			"ws"+strings.TrimPrefix(e.path(door), "http"), options)
		if err == nil || res == nil || res.StatusCode != http.StatusUnauthorized {
			e.p.Errorf("%s: %s: %v, %v", e.hand, door, res, err)
		}
	}
	var offer struct {
		QUIC   string
		Hashes []string
	}
	ask(e.p.T, e.path("/datagrams"), e.ada, "{}", &offer)
	to := endpoint.Target{Network: endpoint.QUIC, Address: offer.QUIC, Hashes: offer.Hashes}
	for range 10 { // on a busy machine the server may answer too late
		query := "client=q83vEjRWeJCrze8SNFZ4kA&ticket=" + e.ticket
		_, err = new(endpoint.Dialer).Dial(e.p.Context(), to, query, endpoint.Handlers{})
		if err == nil || strings.Contains(err.Error(), "no-seat") {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "no-seat") {
		e.p.Errorf("%s: the ticket: %v", e.hand, err)
	}
}

// refused checks that an address does not accept Ben's token.
func (e *evicted) refused(method, address string) {
	e.p.Helper()
	r, err := http.NewRequestWithContext(e.p.Context(), method, address, nil)
	if err != nil {
		e.p.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+e.ben)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		e.p.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusUnauthorized {
		e.p.Errorf("%s: %s %s: %s", e.hand, method, address, res.Status)
	}
}

// TestPutOutAndKilled kills the program before, while and after it answers a host who puts somebody
// out. After the next start an answered request holds completely, and an unanswered one completely
// or not at all.
func TestPutOutAndKilled(t *testing.T) {
	p := serving(t, t.TempDir(), "--listen", "127.0.0.1:0", "--limit-scale", "100",
		"--log-level", "error")
	const answered, first = -1, -2 // after all answers; with the first of them
	for _, after := range []time.Duration{answered, first, first, 0, time.Millisecond,
		2 * time.Millisecond, 4 * time.Millisecond} {
		t.Run("T51 the token is void, the hand is where chosen, links are new", func(t *testing.T) {
			all := []*evicted{newEvicted(p, "back", 0), newEvicted(p, "stay", 2),
				newEvicted(p, "give&to=1", 1)}
			var asking sync.WaitGroup
			answers := make(chan struct{}, len(all))
			for _, e := range all {
				asking.Go(func() {
					e.putOut()
					answers <- struct{}{}
				})
			}
			switch after {
			case answered:
				asking.Wait()
			case first:
				<-answers
			default:
				<-time.After(after)
			}
			p.end(os.Kill)
			asking.Wait()
			p.start()
			out := 0
			for _, e := range all {
				if after == answered && !e.answered {
					t.Errorf("%s: there was no answer", e.hand)
				}
				if e.check() {
					out++
				}
			}
			t.Logf("killed at %v: %d of %d are out", after, out, len(all))
		})
	}
}
