package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"holt/server/play/game"
)

// editing is a table of draughts on which Ada is the host and Ben plays.
type editing struct {
	*stack
	ada, ben, watcher seat
}

func newEditing(t *testing.T) editing {
	t.Helper()
	s := newStack(t)
	k := s.open("draughts")
	return editing{s, k, s.join(k, k.Invites.Player, "Ben"), s.join(k, k.Invites.Spectator, "Cara")}
}

// letEdit asks, as one seat, that another one edits, and checks the answer.
func (e editing) letEdit(what string, as, who seat, edits bool, status int) {
	e.Helper()
	a := e.post(as.api(fmt.Sprintf("/seats/%d/edit", who.Seat)), fmt.Sprintf(`{"edits":%t}`, edits),
		as.bearer()...)
	if a.StatusCode != status {
		e.Errorf("%s: %s %s", what, a.Status, a.body)
	}
}

// addKinds sends a packed game.
func (e editing) addKinds(as seat, file []byte) answer {
	e.Helper()
	r := e.request(http.MethodPost, as.api("/kinds"), string(file), as.bearer())
	r.Header.Set("Content-Type", "application/zip")
	return e.do(r, nil)
}

// kinds returns the kinds of the catalogue.
func (e editing) kinds() []game.Kind {
	e.Helper()
	var doc struct{ Info struct{ Catalog string } }
	e.get(e.ada.api(""), e.ada.bearer()...).json(e, &doc)
	kinds, err := game.ParseCatalog([]byte(e.get("/art/" + doc.Info.Catalog).body))
	e.must(err)
	return kinds
}

// TestT99Edit shows whom hosts let edit the game, and that everybody reads of it.
// Clauses: T99.1, T99.2, T99.3
func TestT99Edit(t *testing.T) {
	e := newEditing(t)
	want := func(what string, by ...int) {
		t.Helper()
		var doc struct {
			Seats []struct{ EditsBy int }
		}
		e.get(e.ada.api(""), e.watcher.bearer()...).json(e, &doc)
		for i, by := range by {
			if got := doc.Seats[i].EditsBy; got != by {
				t.Errorf("%s: seat %d edits by %d, want %d", what, i+1, got, by)
			}
		}
	}
	e.letEdit("T99.2 who is no host", e.ben, e.ben, true, http.StatusForbidden)
	e.letEdit("T99.2 who is no host, for somebody else", e.ben, e.ada, true, http.StatusForbidden)
	e.letEdit("T99.2 who watches", e.ada, e.watcher, true, http.StatusNotFound)
	e.letEdit("T99.2 nobody", e.ada, seat{Seat: 9}, true, http.StatusNotFound)
	want("T99.2 nobody edits", 0, 0, 0)
	e.letEdit("T99.1 the host", e.ada, e.ada, true, http.StatusNoContent)
	e.letEdit("T99.1 Ben", e.ada, e.ben, true, http.StatusNoContent)
	want("T99.3 both edit", 1, 1, 0)
	e.letEdit("T99.2 Ben ends it for Ada", e.ben, e.ada, false, http.StatusForbidden)
	e.letEdit("T99.1 Ben ends it", e.ben, e.ben, false, http.StatusNoContent)
	want("T99.3 Ada edits", 1, 0, 0)
	a := e.post(e.ada.api("/seats/2/edit"), `{"edits":"yes"}`, e.ada.bearer()...)
	wantProblem(t, "a text", a, http.StatusBadRequest, "malformed")
}

// TestT100AddKinds shows how who edits adds kinds, and who may not.
// Clauses: T100.1, T100.3, T100.4, T100.5
func TestT100AddKinds(t *testing.T) {
	e := newEditing(t)
	card := packedWith(t, `"layers": [{"colour": "#336699"}]`, "", nil)
	before := e.kinds()
	wantProblem(t, "T100.4 nobody lets Ada", e.addKinds(e.ada, card), http.StatusForbidden, "role")
	e.letEdit("Ada edits", e.ada, e.ada, true, http.StatusNoContent)
	wantProblem(t, "T100.4 nobody lets Ben", e.addKinds(e.ben, card), http.StatusForbidden, "role")
	add := func(what string, file []byte, want ...int) {
		t.Helper()
		var got struct{ Kinds []int }
		a := e.addKinds(e.ada, file)
		if a.json(t, &got); a.StatusCode != http.StatusOK || !slices.Equal(got.Kinds, want) {
			t.Fatalf("%s: %s %s, want %v", what, a.Status, a.body, want)
		}
	}
	n := len(before)
	add("T100.1 a new kind", card, n)
	add("T100.3 the same again", card, n)
	after := e.kinds()
	if len(after) != n+1 || after[n].Name != "Card" || after[n].Faces[0].Layers == nil {
		t.Errorf("T100.1 the catalogue has %d kinds: %+v", len(after), after[n:])
	}
	for i := range before {
		if after[i].Name != before[i].Name {
			t.Errorf("T37.9 kind %d was %q and is %q", i, before[i].Name, after[i].Name)
		}
	}
	other := packedWith(t, `"layers": [{"colour": "#993366"}]`, "", nil)
	wantProblem(t, "T100.5 another Card", e.addKinds(e.ada, other), http.StatusConflict, "kind-taken")
	wantProblem(t, "T100.5 no game", e.addKinds(e.ada, []byte("PK")),
		http.StatusUnprocessableEntity, "game")
	a := e.post(e.ada.api("/kinds"), `{"kinds":[]}`, e.ada.bearer()...)
	wantProblem(t, "T100.5 JSON", a, http.StatusUnsupportedMediaType, "content-type")
	if got := len(e.kinds()); got != n+1 {
		t.Errorf("T100.5 there are %d kinds, want %d", got, n+1)
	}
	var state struct{ Epoch int }
	e.get(e.ada.api(""), e.ada.bearer()...).json(t, &state)
	a = e.post(e.ada.api("/updates"), fmt.Sprintf(`{"client":%q,"epoch":%d,"updates":[`+
		`{"seq":1,"op":"add","kind":%d,"x":0,"y":0}]}`, clientID, state.Epoch, n), e.ada.bearer()...)
	if a.StatusCode != http.StatusAccepted {
		t.Errorf("T100.1 a piece of the new kind: %s %s", a.Status, a.body)
	}
}

// TestT100Pictures shows that pictures come with kinds, and that a table has room for so many.
// Clauses: T100.1, T100.5
func TestT100Pictures(t *testing.T) {
	e := newEditing(t)
	e.letEdit("Ada edits", e.ada, e.ada, true, http.StatusNoContent)
	const one = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 14">` +
		`<rect width="10" height="14" fill="#336699"/></svg>`
	file := packedWith(t, `"art": "one.svg"`, "", map[string]string{"art/one.svg": one})
	if a := e.addKinds(e.ada, file); a.StatusCode != http.StatusOK {
		t.Fatalf("a picture: %s %s", a.Status, a.body)
	}
	kinds := e.kinds()
	hash := fmt.Sprintf("%x", kinds[len(kinds)-1].Faces[0].Art)
	if a := e.get("/art/" + hash); a.StatusCode != http.StatusOK || a.body != one {
		t.Errorf("T100.1 the picture: %s %.100s", a.Status, a.body)
	}
	// Pictures of just under 1 MiB each, until there is no room.
	for i := range 40 {
		name := fmt.Sprintf("Card %d", i)
		large := strings.Replace(one, "</svg>",
			fmt.Sprintf("<desc>%d%s</desc></svg>", i, strings.Repeat("x", game.MaxArt-400)), 1)
		doc := fmt.Appendf(nil, `{"format": "holt.game/2", "id": "plain", "name": "Plain",
			"summary": "One kind.", "table": {"width": 6000, "height": 4400, "surface": "slate"},
			"kinds": [{"name": %q, "width": 635, "height": 889, "shape": "card", "weight": "light",
				"faces": [{"name": "Front", "art": "one.svg"}]}], "pieces": []}`, name)
		a := e.addKinds(e.ada, packedFolder(t, doc, map[string]string{"art/one.svg": large}))
		if a.StatusCode == http.StatusOK {
			continue
		}
		wantProblem(t, "T100.5 the last one", a, http.StatusInsufficientStorage, "kinds-full")
		if i < 28 || i > 31 {
			t.Errorf("T100.5 there is room for %d pictures", i)
		}
		return
	}
	t.Error("T100.5 there is room for 40 MiB of pictures")
}
