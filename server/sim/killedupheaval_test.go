package sim

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"
)

var upheavals = flag.Int("upheavals", 4, "how often TestKilledUpheavals kills the program")

// killedTable is a table of chess at which the program is killed.
type killedTable struct {
	*crashTable
	t      *testing.T
	random *rand.Rand
	batch  int
}

// places returns where pieces lie. Their names may change when the table goes back.
func (k *killedTable) places() (at []place, state tableJSON) {
	k.t.Helper()
	state = k.p.read(k.id, k.host)
	for _, piece := range state.Pieces {
		at = append(at, piece.place())
	}
	slices.SortFunc(at, func(a, b place) int { return int(a.x-b.x)*100_000 + int(a.y-b.y) })
	return at, state
}

// drag drags two pieces together, which is one gesture (T62.1). Afterwards they lie where nothing
// has lain before.
func (k *killedTable) drag() {
	k.t.Helper()
	_, state := k.places()
	free := slices.DeleteFunc(state.Pieces, func(p pieceJSON) bool { return p.Pinned || p.Locked })
	one := k.random.IntN(len(free) - 1)
	k.batch++
	client := make([]byte, 16)
	for i := range client {
		client[i] = byte(k.random.Uint32())
	}
	var updates []update
	for _, op := range []string{"grab", "release"} {
		for i, piece := range free[one : one+2] {
			u := update{Seq: uint64(len(updates) + 1), Piece: piece.ID, Tag: &piece.Mark, Op: op}
			if op == "release" {
				to := numbered(2*k.batch + i)
				u.X, u.Y = &to.x, &to.y
			}
			updates = append(updates, u)
		}
	}
	body, err := json.Marshal(map[string]any{
		"client": base64.RawURLEncoding.EncodeToString(client), "epoch": state.Epoch,
		"updates": updates,
	})
	if err != nil {
		k.t.Fatal(err)
	}
	k.p.must(http.StatusAccepted, http.MethodPost, "/api/v1/tables/"+k.id+"/updates", k.host,
		string(body))
}

// save makes a save point and returns its number.
func (k *killedTable) save() int {
	k.t.Helper()
	made, err := decode[struct{ ID int }](k.p.must(http.StatusCreated, http.MethodPost,
		"/api/v1/tables/"+k.id+"/saves", k.host, fmt.Sprintf(`{"name":"S","token":"%d"}`, k.batch)))
	if err != nil {
		k.t.Fatal(err)
	}
	return made.ID
}

// forget deletes a save point.
func (k *killedTable) forget(save int) {
	k.t.Helper()
	k.p.must(http.StatusNoContent, http.MethodDelete,
		fmt.Sprintf("/api/v1/tables/%s/saves/%d", k.id, save), k.host, "")
}

// killDuring sends a request and kills the program within the next milliseconds. It returns the
// status of the answer, or 0 if none came.
func (k *killedTable) killDuring(method, path, body string) int {
	k.t.Helper()
	answered := make(chan int, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		a, err := k.p.call(ctx, method, "/api/v1/tables/"+k.id+path, k.host, []byte(body))
		if err != nil {
			a.status = 0
		}
		answered <- a.status
	}()
	<-time.After(time.Duration(k.random.IntN(12_000)) * time.Microsecond)
	k.p.kill()
	status := <-answered
	k.p.start()
	return status
}

// renew reads the invite to play, which is another one after somebody was put out.
func (k *killedTable) renew() {
	k.t.Helper()
	now, err := decode[struct{ Player string }](
		k.p.must(http.StatusOK, http.MethodGet, "/api/v1/tables/"+k.id+"/invites", k.host, ""))
	if err != nil {
		k.t.Fatal(err)
	}
	k.invite = secret(now.Player)
}

// TestKilledUpheavals kills the real program while it undoes, goes back, sets the table up again,
// or puts somebody out. After the next start all of it is there or nothing, and all of it if it was
// answered. A request for a rewind may be repeated then, and is carried out once in all.
// Clauses: T71.8, T71.9, T72.1
func TestKilledUpheavals(t *testing.T) {
	seed := *crashSeed
	if seed == 0 {
		seed = firstSeed("upheavals")
	}
	t.Logf("seed %d (-args -crashseed %d)", seed, seed)
	p := newProgram(t)
	p.start()
	k := &killedTable{
		crashTable: p.createTable("chess"), t: t, random: rand.New(rand.NewPCG(seed, 0)),
	}
	fresh, _ := k.places()
	done := map[string]int{}
	for kill := range *upheavals {
		k.drag()
		saved, _ := k.places()
		save := k.save()
		k.drag()
		before, state := k.places()
		what := []string{"undo", "rewind", "rematch", "put out"}[kill%4]
		var wanted []place
		var status int
		var path, body string
		switch what {
		case "undo":
			wanted = saved
			status = k.killDuring(http.MethodPost, "/undo", `{"token":"u"}`)
		case "rewind":
			wanted, path = saved, "/rewind"
			body = fmt.Sprintf(`{"save":%d,"token":"r%d","epoch":%d}`, save, kill, state.Epoch)
		case "rematch":
			wanted, path = fresh, "/rewind"
			body = fmt.Sprintf(`{"rematch":true,"token":"r%d","epoch":%d}`, kill, state.Epoch)
		case "put out":
			wanted = before
			token := k.seat(k.invite, "Ben")
			ben := p.read(k.id, token).You
			status = k.killDuring(http.MethodDelete, fmt.Sprint("/seats/", ben), "")
			out := k.statusOf(http.MethodGet, "", token) == http.StatusUnauthorized
			if status == http.StatusOK && !out {
				t.Errorf("kill %d: Ben was put out, and is back", kill+1)
			}
			again := k.statusOf(http.MethodDelete, fmt.Sprint("/seats/", ben), k.host)
			if (again != http.StatusOK) != out {
				t.Errorf("kill %d: Ben is out: %v, and putting him out gets %d", kill+1, out, again)
			}
			if out {
				done[what]++
			}
			k.renew()
		}
		if path != "" {
			status = k.killDuring(http.MethodPost, path, body)
		}
		now, later := k.places()
		switch is := slices.Equal(now, wanted); {
		case !is && !slices.Equal(now, before):
			t.Errorf("kill %d: the %s is done in part: %v", kill+1, what, now)
		case status/100 == 2 && !is:
			t.Errorf("kill %d: the %s was answered with %d, and is not there", kill+1, what, status)
		case path != "" && is != (later.Epoch != state.Epoch):
			t.Errorf("kill %d: the %s is there: %v, but the epoch was %d and is %d", kill+1, what, is,
				state.Epoch, later.Epoch)
		case is && what != "put out":
			done[what]++
		}
		if path == "" {
			k.forget(save)
			continue
		}
		p.must(http.StatusOK, http.MethodPost, "/api/v1/tables/"+k.id+path, k.host, body)
		if again, last := k.places(); !slices.Equal(again, wanted) ||
			later.Epoch != state.Epoch && last.Epoch != later.Epoch {
			t.Errorf("kill %d: sent again, the %s leads from epoch %d to %d and to %v", kill+1, what,
				later.Epoch, last.Epoch, again)
		}
		k.forget(save)
	}
	t.Logf("%d kills, after which was done: %v", *upheavals, done)
}

// statusOf returns the status of the answer to a request.
func (k *killedTable) statusOf(method, path, token string) int {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(k.t.Context(), patience)
	defer cancel()
	a, err := k.p.call(ctx, method, "/api/v1/tables/"+k.id+path, token, nil)
	if err != nil {
		k.t.Fatal(err)
	}
	return a.status
}
