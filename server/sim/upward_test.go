package sim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/table"
)

// adder is a program that sends updates by datagrams (D39). It adds pieces, each at a place of its
// own, many at a time.
type adder struct {
	t      *testing.T
	client *client.Client
	number int32 // its column
	// tokens are for updates without an outcome.
	tokens chan struct{}
	// acks has an element for each update that was acknowledged since it was last emptied, as far as
	// there is room.
	acks chan struct{}

	mu sync.Mutex
	// Guarded by mu.
	asked map[id.ClientSeq]int32 // the places of what it has asked for
	acked map[int32]bool         // of what was acknowledged
	made  int32
	other []string // outcomes that must not be
}

// underWay is how many updates of an adder may have no outcome. They go in several requests.
const underWay = 40

// newAdder returns a program with a seat of the table.
func newAdder(t *testing.T, p *program, of *crashTable, number int32) *adder {
	t.Helper()
	a := &adder{
		t: t, number: number, tokens: make(chan struct{}, underWay),
		acks: make(chan struct{}, 1024), asked: map[id.ClientSeq]int32{}, acked: map[int32]bool{},
	}
	server, err := client.NewServer(p.url, &http.Client{Transport: &http.Transport{}})
	if err != nil {
		t.Fatal(err)
	}
	a.client, err = client.New(client.Config{
		Server: server,
		Seat: client.Seat{
			Table: of.id, Token: of.seat(of.invite, fmt.Sprintf("Adder %d", number)),
		},
		Transport: client.Datagrams, Handle: a.handle,
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// handle takes the outcomes of updates.
func (a *adder) handle(e *client.Event) {
	switch e.Kind {
	case client.Acked:
		a.mu.Lock()
		if a.acked[a.asked[e.Seq]] {
			a.other = append(a.other, fmt.Sprintf("%d was acknowledged twice", e.Seq))
		}
		a.acked[a.asked[e.Seq]] = true
		a.mu.Unlock()
		select {
		case a.acks <- struct{}{}:
		default:
		}
	case client.Rejected, client.Conflict, client.Dropped, client.Refused:
		a.mu.Lock()
		a.other = append(a.other, fmt.Sprintf("%v of %d: %v %v", e.Kind, e.Seq, e.Reason, e.Err))
		a.mu.Unlock()
	default:
		return
	}
	<-a.tokens
}

// add asks for one more piece.
func (a *adder) add() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	seq, err := a.client.Do(table.Update{
		Op: table.OpAdd, X: -3000 + a.made, Y: a.number, Has: table.HasKind | table.HasXY,
	})
	if err == nil {
		a.asked[seq] = -3000 + a.made
		a.made++
	}
	return err
}

// atOnce is how many pieces an adder adds between two kills. A table with too many of them takes
// few updates at once (T49).
const atOnce = 120

// play adds pieces until ctx is done.
func (a *adder) play(ctx context.Context) {
	for n := 0; n < atOnce; n++ {
		select {
		case a.tokens <- struct{}{}:
		case <-ctx.Done():
			return
		}
		if err := a.add(); errors.Is(err, client.ErrNotSynchronised) {
			<-a.tokens
			n--
			select {
			case <-time.After(10 * time.Millisecond):
			case <-ctx.Done():
				return
			}
		} else if err != nil {
			a.t.Error(err)
			return
		}
	}
}

// settle waits until nothing is without an outcome.
func (a *adder) settle(ctx context.Context) {
	for range underWay {
		select {
		case a.tokens <- struct{}{}:
		case <-ctx.Done():
			a.t.Errorf("%d updates have no outcome", a.client.Pending())
			return
		}
	}
}

// forget empties acks of what was acknowledged before.
func (a *adder) forget() {
	for {
		select {
		case <-a.acks:
		default:
			return
		}
	}
}

// count returns how many updates were acknowledged.
func (a *adder) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.acked)
}

// acknowledged returns the places of the pieces that were acknowledged so far.
func (a *adder) acknowledged() map[int32]bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.acked)
}

// check compares what was acknowledged before a table was read with the table. atRest says that all
// has its outcome.
func (a *adder) check(state tableJSON, acked map[int32]bool, atRest bool) {
	a.t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	there := map[int32]int{}
	for _, p := range state.Pieces {
		if p.Y == a.number {
			there[p.X]++
		}
	}
	for x, n := range there {
		if n != 1 {
			a.t.Errorf("T10.18: %d pieces at %d of adder %d", n, x, a.number)
		}
		if atRest && !acked[x] {
			a.t.Errorf("T10.7: the piece at %d of adder %d was not acknowledged", x, a.number)
		}
	}
	for x := range acked {
		if there[x] == 0 {
			a.t.Errorf("T10.7: the piece at %d of adder %d was acknowledged and is gone", x, a.number)
		}
	}
	for _, what := range a.other {
		a.t.Errorf("adder %d: %s", a.number, what)
	}
}

// TestCrashByDatagrams kills the real program while programs send updates by datagrams, many
// requests at a time, and starts it again. What was acknowledged is there, all that was asked for
// is recorded once in the end, and nothing is rejected because a restart has forgotten it.
//
// Clauses: D39.3, D40.7, T10.7, T10.16, T10.18, T10.21, T19.1
func TestCrashByDatagrams(t *testing.T) {
	seed := *crashSeed
	if seed == 0 {
		seed = firstSeed("kills")
	}
	t.Logf("seed %d (-args -crashseed %d)", seed, seed)
	random := rand.New(rand.NewPCG(seed, 1))
	p := newProgram(t)
	p.start()
	of := p.createTable("chess")
	var adders [3]*adder
	ctx, leave := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for i := range adders {
		a := newAdder(t, p, of, int32(i+1))
		adders[i] = a
		running.Go(func() { _ = a.client.Run(ctx) })
	}
	defer running.Wait()
	defer leave()
	rounds := min(*kills, 8)
	if testing.Short() {
		rounds = 2
	}
	for kill := range rounds {
		adders[0].forget()
		playing, stop := context.WithTimeout(ctx, patience)
		var all sync.WaitGroup
		for _, a := range adders {
			all.Go(func() { a.play(playing) })
		}
		for range 20 + random.IntN(60) {
			select {
			case <-adders[0].acks:
			case <-playing.Done():
				t.Fatalf("too few updates were acknowledged\n%s", p.log())
			}
		}
		<-time.After(time.Duration(random.IntN(5000)) * time.Microsecond)
		p.kill()
		stop()
		all.Wait()
		var acked [len(adders)]map[int32]bool
		for i, a := range adders {
			acked[i] = a.acknowledged()
		}
		p.start()
		state := p.read(of.id, of.host)
		for i, a := range adders {
			a.check(state, acked[i], false)
		}
		if t.Failed() {
			t.Fatalf("after kill %d\n%s", kill+1, p.log())
		}
	}
	settling, done := context.WithTimeout(ctx, patience)
	defer done()
	acked := 0
	for _, a := range adders {
		a.settle(settling)
		acked += a.count()
	}
	state := p.read(of.id, of.host)
	for _, a := range adders {
		a.check(state, a.acknowledged(), true)
	}
	t.Logf("%d updates acknowledged", acked)
}
