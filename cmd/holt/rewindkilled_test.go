package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"strings"
	"sync"
	"testing"
)

// keeper is a table of cards with Ada, its host, and Ben, at which one request changes much at
// once. The program is killed around the answer to it.
type keeper struct {
	p          *program
	table      string
	ada, ben   string // their tokens
	epoch      uint64
	save       uint32 // a save point from before Ben drew cards
	path, body string // the request
	by         string // the token of who makes it
	status     int    // of the answer; 0: there was none
	answer     string
}

// newKeeper sets up the table. Ada makes a save point, and then Ben draws three cards.
func newKeeper(p *program) *keeper {
	p.Helper()
	k := &keeper{p: p}
	var made struct {
		Table, Token string
		Invites      linksJSON
	}
	if status := ask(p.T, p.address+"api/v1/tables", "",
		`{"game":"cards","nick":"Ada"}`, &made); status != http.StatusCreated {
		p.Fatalf("create: %d", status)
	}
	k.table, k.ada = made.Table, made.Token
	var taken struct{ Token string }
	k.must(http.StatusCreated, "/seats", "",
		fmt.Sprintf(`{"invite":%q,"nick":"Ben"}`, lastOf(made.Invites.Player)), &taken)
	k.ben = taken.Token
	var point struct{ ID uint32 }
	k.must(http.StatusCreated, "/saves", k.ada, `{"name":"Start","token":"start"}`, &point)
	k.save, k.epoch = point.ID, k.view().Epoch
	draw := `{"client":"q83vEjRWeJCrze8SNFZ4kA","epoch":%d,` +
		`"updates":[{"seq":1,"piece":%d,"op":"draw","n":3}]}`
	k.must(http.StatusAccepted, "/updates", k.ben, fmt.Sprintf(draw, k.epoch, cardsDeck), nil)
	return k
}

func (k *keeper) address(rest string) string {
	return k.p.address + "api/v1/tables/" + k.table + rest
}

func (k *keeper) must(want int, path, token, body string, to any) {
	k.p.Helper()
	if status := ask(k.p.T, k.address(path), token, body, to); status != want {
		k.p.Fatalf("%s: %d, want %d", path, status, want)
	}
}

func (k *keeper) view() (v cardsView) {
	k.p.Helper()
	k.must(http.StatusOK, "", k.ada, "", &v)
	return v
}

// request makes the request. It calls written when the whole of it is on its way.
func (k *keeper) request(written func()) {
	trace := &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { written() }}
	r, err := http.NewRequestWithContext(httptrace.WithClientTrace(k.p.Context(), trace),
		http.MethodPost, k.address(k.path), strings.NewReader(k.body))
	if err != nil {
		k.p.Error(err)
		return
	}
	r.GetBody = nil // it is not sent again by itself
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+k.by)
	res, err := new(http.Transport).RoundTrip(r) // a connection of its own
	if err != nil {
		return // the server was killed before
	}
	defer res.Body.Close()
	if answer, err := io.ReadAll(res.Body); err == nil {
		k.status, k.answer = res.StatusCode, string(answer)
	}
}

// cards returns how many cards lie in the deck and in Ben's hand.
func (k *keeper) cards() (deck, hand int, epoch uint64) {
	k.p.Helper()
	v := k.view()
	deck, _ = v.held(cardsDeck)
	hand, _ = v.held(cardsSecondHand)
	return deck, hand, v.Epoch
}

// whole checks that the request was carried out completely or not at all, and completely if it was
// answered. It returns whether it was.
func (k *keeper) whole(newEpoch bool) bool {
	k.p.Helper()
	deck, hand, epoch := k.cards()
	done := deck == cardsInDeck
	switch {
	case deck+hand != cardsInDeck || !done && hand != 3:
		k.p.Errorf("%s: %d cards lie in the deck and %d in the hand", k.path, deck, hand)
	case (epoch != k.epoch) != (done && newEpoch):
		k.p.Errorf("%s: it is done: %v, and the epoch was %d and is %d", k.path, done, k.epoch, epoch)
	case k.status != 0 && k.status != http.StatusOK:
		k.p.Errorf("%s: %d %s", k.path, k.status, k.answer)
	case k.status != 0 && !done:
		k.p.Errorf("%s: it was answered by %s, and is not done", k.path, k.answer)
	}
	return done
}

// undone checks an undo. Who asks again after the restart undoes nothing more.
func (k *keeper) undone() {
	k.p.Helper()
	done := k.whole(false)
	k.must(http.StatusConflict, k.path, k.by, k.body, nil)
	if again := k.whole(false); again != done {
		k.p.Errorf("the undo was carried out: %v, and after a repetition: %v", done, again)
	}
}

// rewound checks a rewind. Who asks again brings the table back once in all, and gets the state
// before, with which the rewind can be taken back.
func (k *keeper) rewound() {
	k.p.Helper()
	done := k.whole(true)
	_, _, epoch := k.cards()
	var again, more struct{ Back uint32 }
	k.must(http.StatusOK, k.path, k.by, k.body, &again)
	_, _, then := k.cards()
	if done && then != epoch {
		k.p.Errorf("%s: it was done, and the repetition made another epoch", k.path)
	}
	var first struct{ Back uint32 }
	if k.status == http.StatusOK {
		if err := json.Unmarshal([]byte(k.answer), &first); err != nil || first != again {
			k.p.Errorf("%s: the first answer is %s (%v), the second one %d", k.path, k.answer, err,
				again.Back)
		}
	}
	k.must(http.StatusOK, k.path, k.by, k.body, &more)
	if !k.whole(true) || more != again {
		k.p.Errorf("%s: the table did not go back, or the answers are %d and %d", k.path, again.Back,
			more.Back)
	}
	_, _, epoch = k.cards()
	k.must(http.StatusOK, "/rewind", k.ada,
		fmt.Sprintf(`{"save":%d,"token":"taken back","epoch":%d}`, again.Back, epoch), nil)
	if deck, hand, _ := k.cards(); deck != cardsInDeck-3 || hand != 3 {
		k.p.Errorf("%s: taken back, %d cards lie in the deck and %d in the hand", k.path, deck, hand)
	}
}

// TestChangesAndKilled kills the program when it has answered none, one, … all of five hosts and
// players who each change a whole table: by an undo, a rewind, a rewind that is taken back, a
// rematch, and by putting somebody out. After the next start an answered request holds completely,
// an unanswered one completely or not at all, and a repeated one changes nothing more.
// Clauses: T51.2, T62.9, T63.1, T71.8, T71.9, T72.1
func TestChangesAndKilled(t *testing.T) {
	p := serving(t, t.TempDir(), "--listen", "127.0.0.1:0", "--limit-scale", "100",
		"--log-level", "error")
	whole := t
	for _, answers := range []int{0, 1, 3, 5} {
		t.Run(fmt.Sprintf("T71 killed behind %d answers", answers), func(t *testing.T) {
			p.T = t
			defer func() { p.T = whole }()
			undo, rewind, rematch, late := newKeeper(p), newKeeper(p), newKeeper(p), newKeeper(p)
			out := newEvicted(p, "back", 0)
			undo.path, undo.by, undo.body = "/undo", undo.ben, `{"token":"undo"}`
			again := `{"save":%d,"token":"again","epoch":%d}`
			rewind.path, rewind.by = "/rewind", rewind.ada
			rewind.body = fmt.Sprintf(again, rewind.save, rewind.epoch)
			rematch.path, rematch.by = "/rewind", rematch.ada
			rematch.body = fmt.Sprintf(`{"rematch":true,"token":"again","epoch":%d}`, rematch.epoch)
			// This one was at the save point before, and goes there again.
			late.must(http.StatusOK, "/rewind", late.ada,
				fmt.Sprintf(`{"save":%d,"token":"first","epoch":%d}`, late.save, late.epoch), nil)
			late.epoch = late.view().Epoch
			draw := `{"client":"q83vEjRWeJCrze8SNFZ4kQ","epoch":%d,` +
				`"updates":[{"seq":1,"piece":%d,"op":"draw","n":3}]}`
			late.must(http.StatusAccepted, "/updates", late.ben,
				fmt.Sprintf(draw, late.epoch, cardsDeck), nil)
			late.path, late.by = "/rewind", late.ada
			late.body = fmt.Sprintf(again, late.save, late.epoch)

			var all, onTheWay sync.WaitGroup
			answered := make(chan struct{}, 5)
			for _, k := range []*keeper{undo, rewind, rematch, late} {
				onTheWay.Add(1)
				all.Go(func() {
					var once sync.Once
					k.request(func() { once.Do(onTheWay.Done) })
					answered <- struct{}{}
				})
			}
			all.Go(func() {
				out.putOut()
				answered <- struct{}{}
			})
			onTheWay.Wait()
			for range answers {
				<-answered
			}
			p.end(os.Kill)
			all.Wait()
			p.start()
			undo.undone()
			for _, k := range []*keeper{rewind, rematch, late} {
				k.rewound()
			}
			out.check()
			t.Logf("undo %d, rewind %d, rematch %d, another %d, put out %v", undo.status,
				rewind.status, rematch.status, late.status, out.answered)
		})
	}
	p.end(os.Interrupt)
	if out, err := command(t.Context(), t, "check", "--data", p.dir).CombinedOutput(); err != nil {
		t.Errorf("holt check: %v; %s", err, out)
	}
}
