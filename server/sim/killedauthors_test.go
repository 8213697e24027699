package sim

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"holt/server/play/game"
)

var authorKills = flag.Int("authorkills", 4, "how often TestKilledAuthors kills the program")

// author edits the game of a table while others play and the program is killed. What they do not
// know to be done they send again. The tiles of each author have names of their own.
type author struct {
	*crashTable
	name, token, client string
	random              *rand.Rand
	first               int // their places are first+1, first+2, …
	epoch               uint64

	seq     uint64
	place   int
	pending []byte // the batch without an answer, nil if there is none
	then    func() // what to note when it is answered

	kinds map[string][]int // the numbers of kinds, by the name of the tile
	game  []byte           // the kinds that are being added
	tile  string           // what they are called
	tiles map[int]int      // numbers of the places of pieces that were added: the kind
	boxes map[int]int      // of these, boxes: how many tiles were put into each
	saved []string         // where the games lie that were saved since the last check
	sent  int              // how many requests were answered
}

// send makes one request, and waits if the server says so. It returns false if the program is gone.
func (a *author) send(
	ctx context.Context, t *testing.T, path, kind string, body []byte,
) (got answer, ok bool) {
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost,
			a.p.url+"/api/v1/tables/"+a.id+path, bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return got, false
		}
		req.Header.Set("Content-Type", kind)
		req.Header.Set("Authorization", "Bearer "+a.token)
		resp, err := a.p.client.Do(req)
		if err != nil {
			return got, false
		}
		got = answer{status: resp.StatusCode, header: resp.Header}
		got.body, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			return got, false
		}
		if got.status != http.StatusTooManyRequests && got.status != http.StatusServiceUnavailable {
			a.sent++
			return got, true
		}
		seconds, _ := strconv.Atoi(got.header.Get("Retry-After"))
		select {
		case <-time.After(time.Duration(seconds) * time.Second):
		case <-ctx.Done():
			return got, false
		}
	}
}

// work edits until the program dies, or until everything is answered if nothing new is to be done.
func (a *author) work(ctx context.Context, t *testing.T, more bool) {
	for {
		switch {
		case a.game != nil:
			if !a.addKinds(ctx, t) {
				return
			}
		case a.pending != nil:
			if !a.post(ctx, t) {
				return
			}
		case !more:
			return
		case len(a.kinds) == 0 || a.random.IntN(12) == 0:
			a.tile = fmt.Sprint(a.name, " ", a.random.IntN(6))
			file, err := madeGame(t, a.tile).Bytes()
			if err != nil {
				t.Error(err)
				return
			}
			a.game = file
		case a.random.IntN(12) == 0:
			if !a.save(ctx, t) {
				return
			}
		default:
			if !a.add(ctx, t) {
				return
			}
		}
	}
}

// addKinds sends kinds.
func (a *author) addKinds(ctx context.Context, t *testing.T) bool {
	got, ok := a.send(ctx, t, "/kinds", "application/zip", a.game)
	if !ok {
		return false
	}
	numbers, err := decode[struct{ Kinds []int }](got.body)
	if got.status != http.StatusOK || err != nil {
		t.Errorf("T100 kinds: %d %s", got.status, got.body)
		return false
	}
	if was := a.kinds[a.tile]; was != nil && !slices.Equal(was, numbers.Kinds) {
		t.Errorf("T100.3 %s has the numbers %v, and had %v", a.tile, numbers.Kinds, was)
	}
	a.kinds[a.tile], a.game = numbers.Kinds, nil
	return true
}

// save saves the game.
func (a *author) save(ctx context.Context, t *testing.T) bool {
	got, ok := a.send(ctx, t, "/game", "application/json", []byte(`{"name":"Saved"}`))
	if !ok {
		return false
	}
	made, err := decode[struct{ File string }](got.body)
	if got.status/100 != 2 || err != nil || made.File == "" {
		t.Errorf("T102 saved: %d %s", got.status, got.body)
		return false
	}
	a.saved = append(a.saved, made.File)
	return true
}

// add adds a tile or a box to the table, or tiles into a box.
func (a *author) add(ctx context.Context, t *testing.T) bool {
	names := make([]string, 0, len(a.kinds))
	for name := range a.kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	of := a.kinds[names[a.random.IntN(len(names))]]
	var box, into uint32
	n := 0
	if a.random.IntN(2) == 0 && len(a.boxes) > 0 {
		got, err := a.p.call(ctx, http.MethodGet, "/api/v1/tables/"+a.id, a.token, nil)
		if err != nil {
			return false
		}
		state, err := decode[tableJSON](got.body)
		if err != nil {
			t.Errorf("%d %s", got.status, got.body)
			return false
		}
		for _, p := range state.Pieces {
			if _, is := a.boxes[number(p.place())]; is && into == 0 {
				n, box, into = number(p.place()), p.Kind, p.ID
			}
		}
		for _, numbers := range a.kinds {
			if numbers[2] == int(box) {
				of = numbers
			}
		}
	}
	type addition struct {
		Seq  uint64 `json:"seq"`
		Op   string `json:"op"`
		Kind int    `json:"kind"`
		X    int32  `json:"x"`
		Y    int32  `json:"y"`
		Into uint32 `json:"into,omitempty"`
	}
	var all []addition
	if into != 0 {
		for range 1 + a.random.IntN(4) {
			a.seq++
			all = append(all, addition{Seq: a.seq, Op: "add", Kind: of[1], Into: into})
		}
		a.then = func() { a.boxes[n] += len(all) }
	} else {
		a.seq++
		a.place++
		at, kind, n := numbered(a.first+a.place), of[a.random.IntN(2)*2], a.first+a.place
		all = append(all, addition{Seq: a.seq, Op: "add", Kind: kind, X: at.x, Y: at.y})
		a.then = func() {
			a.tiles[n] = kind
			if kind == of[2] {
				a.boxes[n] = 0
			}
		}
	}
	body, err := json.Marshal(map[string]any{"client": a.client, "epoch": a.epoch, "updates": all})
	if err != nil {
		t.Error(err)
		return false
	}
	a.pending = body
	return true
}

// post sends the batch that has no answer yet.
func (a *author) post(ctx context.Context, t *testing.T) bool {
	got, ok := a.send(ctx, t, "/updates", "application/json", a.pending)
	if !ok {
		return false
	}
	if got.status != http.StatusAccepted {
		t.Errorf("T101 additions: %d %s", got.status, got.body)
		return false
	}
	a.then()
	a.pending = nil
	return true
}

// check compares the table with what was answered.
func (a *author) check(t *testing.T, settled bool) {
	t.Helper()
	type stateJSON struct {
		tableJSON
		Info  struct{ Catalog string } `json:"info"`
		Holds []struct {
			Piece  uint32
			Counts []int
		}
	}
	state, err := decode[stateJSON](a.p.must(http.StatusOK, http.MethodGet,
		"/api/v1/tables/"+a.id, a.token, ""))
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := game.ParseCatalog(a.p.must(http.StatusOK, http.MethodGet,
		"/art/"+state.Info.Catalog, "", ""))
	if err != nil {
		t.Fatalf("the catalogue: %v", err)
	}
	named := map[string]int{}
	for i := range kinds {
		named[kinds[i].Name]++
	}
	for name, n := range named {
		if n > 1 {
			t.Errorf("T100.3 %d kinds are called %q", n, name)
		}
	}
	for name, numbers := range a.kinds {
		if numbers[0] >= len(kinds) || kinds[numbers[0]].Name != name {
			t.Errorf("T100.2 %q was answered with %v, and is not there", name, numbers)
		}
	}
	holds := map[uint32]int{}
	for _, h := range state.Holds {
		for _, n := range h.Counts {
			holds[h.Piece] += n
		}
	}
	_, at := index(state.tableJSON)
	for _, p := range state.Pieces {
		n := number(p.place())
		if int(p.Kind) >= len(kinds) {
			t.Errorf("piece %d is of kind %d, and there are %d", p.ID, p.Kind, len(kinds))
		}
		if kind, is := a.tiles[n]; is && kind != int(p.Kind) {
			t.Errorf("the piece added as %d is of kind %d, not %d", n, p.Kind, kind)
		}
		if want, is := a.boxes[n]; is && (holds[p.ID] < want || holds[p.ID] > want+4 ||
			settled && holds[p.ID] != want) {
			t.Errorf("T101 %d tiles lie in the box added as %d, and %d were answered", holds[p.ID], n,
				want)
		}
	}
	for n := range a.tiles {
		if at[n] != 1 {
			t.Errorf("T10.18 the piece added as %d is there %d times", n, at[n])
		}
	}
	for _, file := range a.saved {
		packed := a.p.must(http.StatusOK, http.MethodGet, file, a.token, "")
		if _, err := game.ReadPacked(packed); err != nil {
			t.Errorf("T102.1 %s: %v", file, err)
		}
	}
	a.saved = nil
}

// TestKilledAuthors kills the real program with SIGKILL while two people play and two edit the
// game. After the next start everything that was answered is there, nothing twice, and no piece of
// a kind that the table does not have. Who plays loses nothing, either.
// Clauses: T99.1, T100.1, T100.2, T100.3, T101.1, T102.1
func TestKilledAuthors(t *testing.T) {
	seed := *crashSeed
	if seed == 0 {
		seed = firstSeed("authorkills")
	}
	t.Logf("seed %d (-args -crashseed %d)", seed, seed)
	random := rand.New(rand.NewPCG(seed, 0))
	p := newProgram(t)
	p.start()
	table := p.createTable("chess")
	players, witness := table.seatPlayers(t, random, 2), table.seatWitness()
	var authors []*author
	for i, name := range []string{"Cid", "Dan"} {
		token := table.seat(table.invite, name)
		state := p.read(table.id, token)
		p.must(http.StatusNoContent, http.MethodPost, fmt.Sprintf("/api/v1/tables/%s/seats/%d/edit",
			table.id, state.You), table.host, `{"edits":true}`)
		client := make([]byte, 16)
		for b := range client {
			client[b] = byte(random.Uint32())
		}
		authors = append(authors, &author{
			crashTable: table, name: name, token: token,
			client: base64.RawURLEncoding.EncodeToString(client),
			random: rand.New(rand.NewPCG(random.Uint64(), 0)), first: 1_000_000 + i*400_000,
			epoch: state.Epoch,
			kinds: map[string][]int{}, tiles: map[int]int{}, boxes: map[int]int{},
		})
	}
	edit := func(ctx context.Context, more bool) *sync.WaitGroup {
		var all sync.WaitGroup
		for _, a := range authors {
			all.Go(func() { a.work(ctx, t, more) })
		}
		return &all
	}
	for kill := range *authorKills {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		editing := edit(ctx, true)
		playUntilKill(t, p, random, players, witness)
		cancel()
		editing.Wait()
		p.start()
		for _, c := range players {
			c.checkAfterCrash(t, p.read(table.id, c.token))
		}
		witness.checkAfterCrash(t, p.read(table.id, witness.token))
		for _, a := range authors {
			a.check(t, false)
		}
		if t.Failed() {
			t.Fatalf("after kill %d", kill+1)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	edit(ctx, false).Wait()
	finish(t, p, players)
	for _, c := range players {
		c.checkAtRest(t, p.read(table.id, c.token))
	}
	requests, tiles := 0, 0
	for _, a := range authors {
		a.check(t, true)
		requests, tiles = requests+a.sent, tiles+len(a.tiles)
		for _, n := range a.boxes {
			tiles += n
		}
	}
	t.Logf("%d kills, %d requests of authors answered, %d pieces added", *authorKills, requests, tiles)
}
