package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"holt/server/play/game"
	"holt/server/tables/library"
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

// atRandom are the games of which the set-up rolls, or deals face up, or of which the host has
// pieces in a hand at once: these lie elsewhere on a table of the saved game.
var atRandom = map[string]bool{
	"chess960": true, "solitaire": true, "liars-dice": true, "sea-battle": true,
}

// TestT102SaveGame shows that who edits saves a table as a game with which another one is set up.
// Clauses: T102.1, T102.2, T102.3, T102.7
func TestT102SaveGame(t *testing.T) {
	shelf, err := shippedGames()
	if err != nil {
		t.Fatal(err)
	}
	for i, of := range shelf.Games() {
		if testing.Short() && i%5 != 0 {
			continue
		}
		name := of.ID
		t.Run(name, func(t *testing.T) {
			s := newServerFor(t, library.Quota{Library: 1 << 20, All: 1 << 20}).listen()
			k := s.open(name)
			e := editing{s, k, k, k}
			save := func(body string) answer {
				return s.post(k.api("/game"), body, k.bearer()...)
			}
			wantProblem(t, "T102.7", save(`{"name":"Mine"}`), http.StatusForbidden, "role")
			e.letEdit("Ada edits", k, k, true, http.StatusNoContent)
			card := packedFolder(t, []byte(`{"format": "holt.game/2", "id": "one", "name": "One",
				"summary": "One kind.", "table": {"width": 6000, "height": 4400, "surface": "slate"},
				"kinds": [{"name": "Quite new", "width": 635, "height": 889, "shape": "card",
					"weight": "light", "faces": [{"name": "Front", "layers": [{"colour": "#336699"}]}]}],
				"pieces": []}`), nil)
			if a := e.addKinds(k, card); a.StatusCode != http.StatusOK {
				t.Fatalf("a kind: %s %s", a.Status, a.body)
			}
			a := save(`{"name":"Mine & yours","summary":"A try."}`)
			if a.StatusCode != http.StatusCreated {
				t.Fatalf("T102.1 %s %s", a.Status, a.body)
			}
			var g brought
			if a.json(t, &g); g.Name != "Mine & yours" {
				t.Errorf("T102.1 it is called %q", g.Name)
			}
			p, err := game.ReadPacked([]byte(s.get(g.File).body))
			s.must(err)
			was, ok := s.cfg.Shelf.Game(name)
			if !ok || p.Game.ID != "mine-yours" || p.Game.Summary != "A try." {
				t.Errorf("T102.1 it is %s: %s", p.Game.ID, p.Game.Summary)
			}
			if n := len(p.Game.Kinds); n != len(was.Kinds)+1 || p.Game.Kinds[n-1].Name != "Quite new" {
				t.Errorf("T102.1 there are %d kinds, want %d", n, len(was.Kinds)+1)
			}
			if n, want := len(p.Game.Seats), len(was.Seats); n != want ||
				len(p.Game.Setups) != len(was.Setups) {
				t.Errorf("T102.1 there are %d seats, %d set-ups", n, len(p.Game.Setups))
			}
			if !bytes.Equal(p.Game.About.Rules.Data, was.About.Rules.Data) {
				t.Error("T102.1 the rules are others")
			}
			for i, of := range p.Game.Seats {
				if (of.Hand == game.NoHand) != (was.Seats[i].Hand == game.NoHand) ||
					len(of.Pieces) != len(was.Seats[i].Pieces) {
					t.Errorf("T102.1 seat %d is %+v, was %+v", i, of, was.Seats[i])
				}
			}
			for i, piece := range p.Game.Pieces {
				if piece.In == game.NotIn {
					continue
				}
				box := &p.Game.Kinds[p.Game.Pieces[piece.In].Kind]
				if alone := i+1 == len(p.Game.Pieces) || p.Game.Pieces[i+1].In != piece.In; !alone &&
					box.Container.Draws == "top" && p.Game.Kinds[piece.Kind].Secret && piece.Group == 0 {
					t.Errorf("T102.3 what %s holds is not shuffled", box.Name)
				}
			}
			made := s.post("/api/v1/tables", fmt.Sprintf(`{"game":%q}`, g.Game))
			if made.StatusCode != http.StatusCreated {
				t.Fatalf("a table of it: %s %s", made.Status, made.body)
			}
			var other seat
			made.json(t, &other)
			one, two := e.lies(k), e.lies(other)
			if len(one) != len(two) || !atRandom[name] && !slices.Equal(one, two) {
				t.Errorf("T102.2 on the new table lie %v, and here %v", two, one)
			}
		})
	}
}

// lies returns what lies on a table, in the order of its places.
func (e editing) lies(at seat) (all []string) {
	e.Helper()
	var doc struct {
		Pieces []struct{ Kind, X, Y, Angle, Face int }
	}
	e.get(at.api(""), at.bearer()...).json(e, &doc)
	for _, p := range doc.Pieces {
		all = append(all, fmt.Sprint(p))
	}
	slices.Sort(all)
	return all
}
