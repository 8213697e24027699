package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"holt/server/play/game"
	"holt/server/tables/library"
)

// ownHand is a packed game with one kind, a hand, and no pieces.
func ownHand(t *testing.T) []byte {
	t.Helper()
	return packedFolder(t, []byte(`{"format": "holt.game/2", "id": "one", "name": "One",
		"summary": "One kind.", "table": {"width": 6000, "height": 4400, "surface": "slate"},
		"kinds": [{"name": "Own hand", "width": 1200, "height": 600, "shape": "rect",
			"weight": "heavy", "hand": true,
			"faces": [{"name": "Front", "layers": [{"colour": "#336699"}]}]},
			{"name": "Note", "width": 400, "height": 400, "shape": "rect", "weight": "light",
			"private": true, "faces": [{"name": "Note", "layers": [{"colour": "#336699"}]}]}],
		"pieces": []}`), nil)
}

// prototype is an empty table at which Ada makes a game.
type prototype struct {
	editing
	seq int
}

func newPrototype(t *testing.T) *prototype {
	t.Helper()
	s := newServerFor(t, library.Quota{Library: 1 << 20, All: 1 << 20}).listen()
	var empty brought
	s.upload(ownHand(t)).json(t, &empty)
	k := s.open(empty.Game)
	p := &prototype{editing: editing{s, k, k, k}}
	p.letEdit("Ada edits", k, k, true, http.StatusNoContent)
	return p
}

// update sends an update of Ada.
func (p *prototype) update(update string) {
	p.Helper()
	var state struct{ Epoch int }
	p.get(p.ada.api(""), p.ada.bearer()...).json(p, &state)
	p.seq++
	a := p.post(p.ada.api("/updates"), fmt.Sprintf(
		`{"client":%q,"epoch":%d,"updates":[{"seq":%d,%s}]}`,
		clientID, state.Epoch, p.seq, update), p.ada.bearer()...)
	if a.StatusCode != http.StatusAccepted {
		p.Fatalf("%s: %s %s", update, a.Status, a.body)
	}
}

// putHand puts a hand on the table, and returns its name.
func (p *prototype) putHand(x, y, angle int) int {
	p.Helper()
	p.update(fmt.Sprintf(`"op":"add","kind":0,"x":%d,"y":%d,"angle":%d`, x, y, angle))
	var doc struct {
		Pieces []struct{ ID, X, Y int }
	}
	p.get(p.ada.api(""), p.ada.bearer()...).json(p, &doc)
	for _, is := range doc.Pieces {
		if is.X == x && is.Y == y {
			return is.ID
		}
	}
	p.Fatalf("no hand at %d, %d: %+v", x, y, doc)
	return 0
}

// save saves the game, and returns it as it is packed.
func (p *prototype) save(body string) (brought, *game.Game) {
	p.Helper()
	a := p.post(p.ada.api("/game"), body, p.ada.bearer()...)
	if a.StatusCode != http.StatusCreated && a.StatusCode != http.StatusOK {
		p.Fatalf("%s: %s %s", body, a.Status, a.body)
	}
	var g brought
	a.json(p, &g)
	read, err := game.ReadPacked([]byte(p.get(g.File).body))
	p.must(err)
	return g, read.Game
}

// draft is what the game says before it is saved.
type draft struct {
	Name, Summary string
	About         struct {
		Players, Minutes []int32
		Genres           []string
		Rules, File      string
	}
	Seats []struct {
		Name, Colour string
		Side, Hand   int
	}
	Setups []struct {
		Name    string
		Players []int32
		Own     bool
	}
}

func (p *prototype) draft(of string) (d draft) {
	p.Helper()
	p.get(p.ada.api("/game?of="+of), p.ada.bearer()...).json(p, &d)
	return d
}

// TestT105About shows that who saves a game says what it is, and which seats it has.
// Clauses: T105.1, T105.2, T105.3, T105.4
func TestT105About(t *testing.T) {
	p := newPrototype(t)
	south, north := p.putHand(0, 1500, 0), p.putHand(0, -1500, 18000)
	rules := "# Wolves\n\n" + strings.Repeat("Howl. ", 20_000)
	text, err := json.Marshal(rules)
	p.must(err)
	first, g := p.save(fmt.Sprintf(`{"name":"Wolves","summary":"Howling.","about":{"players":[2,4],
		"minutes":[20,30],"genres":["cards"],"rules":%s},"seats":[
		{"name":"Wolf","side":0,"colour":"#112233","hand":%d},
		{"name":"Moon","side":18000,"colour":"#445566","hand":%d},
		{"name":"Guest","side":9000,"colour":"#778899"}]}`, text, south, north))
	of := &g.About
	if of.Players != (game.Range{Least: 2, Most: 4}) || of.Minutes.Most != 30 ||
		!slices.Equal(of.Genres, []string{"cards"}) || string(of.Rules.Data) != rules {
		t.Errorf("T105.1 the game says %+v", of.Players)
	}
	hand := func(i int) [2]int32 {
		if g.Seats[i].Hand == game.NoHand {
			return [2]int32{}
		}
		return [2]int32{g.Pieces[g.Seats[i].Hand].X, g.Pieces[g.Seats[i].Hand].Y}
	}
	if len(g.Seats) != 3 || g.Seats[0].Name != "Wolf" || g.Seats[1].Angle != 18000 ||
		hand(0) != [2]int32{0, 1500} || hand(1) != [2]int32{0, -1500} || g.Seats[2].Hand != game.NoHand {
		t.Errorf("T105.1 the seats are %+v", g.Seats)
	}
	// What is not said again stays as the game has it that this one follows.
	d := p.draft(first.Game)
	if d.Name != "Wolves" || d.Summary != "Howling." || d.About.Rules != rules ||
		!slices.Equal(d.About.Players, []int32{2, 4}) || len(d.Seats) != 3 ||
		d.Seats[0].Hand != south || d.Seats[1].Hand != north || d.Seats[2].Hand != 0 {
		t.Errorf("T105.3 the draft is %+v", d.Seats)
	}
	_, g = p.save(fmt.Sprintf(`{"name":"Wolves","of":%q,"about":{"minutes":[],"rules":""}}`,
		first.Game))
	if g.Summary != "Howling." || g.About.Players.Most != 4 || g.About.Minutes.Most != 0 ||
		g.About.Rules.Data != nil || len(g.Seats) != 3 || hand(1) != [2]int32{0, -1500} {
		t.Errorf("T105.2 the next one says %+v, %+v", g.About, g.Seats)
	}
	for body, code := range map[string]string{
		`{"name":"W","about":{"players":[0,4]}}`:                                 "impossible-value",
		`{"name":"W","about":{"players":[5,4]}}`:                                 "impossible-value",
		`{"name":"W","about":{"players":[2,99]}}`:                                "impossible-value",
		`{"name":"W","about":{"genres":["war"]}}`:                                "impossible-value",
		`{"name":"W","about":{"rules":"\u0000"}}`:                                "impossible-value",
		`{"name":"W","about":{"colour":"red"}}`:                                  "malformed",
		`{"name":"W","of":"chess"}`:                                              "impossible-value",
		`{"name":"W","seats":[{"name":"A"}]}`:                                    "malformed",
		`{"name":"","seats":[]}`:                                                 "impossible-value",
		`{"name":"W","seats":[` + seatText(99999) + `]}`:                         "impossible-value",
		`{"name":"W","seats":[` + seatText(south) + `,` + seatText(south) + `]}`: "impossible-value",
		`{"name":"W","seats":[{"name":"A","side":0,"colour":"red"}]}`:            "impossible-value",
	} {
		a := p.post(p.ada.api("/game"), body, p.ada.bearer()...)
		var problem struct{ Code string }
		a.json(t, &problem)
		if problem.Code != code {
			t.Errorf("T105.4 %s: %s %s", body, a.Status, a.body)
		}
	}
	p.letEdit("Ada does not edit any more", p.ada, p.ada, false, http.StatusNoContent)
	wantProblem(t, "T105.3 who does not edit", p.get(p.ada.api("/game"), p.ada.bearer()...),
		http.StatusForbidden, "role")
}

func seatText(hand int) string {
	return fmt.Sprintf(`{"name":"A%d","side":0,"colour":"#112233","hand":%d}`, hand, hand)
}

// TestT106Setup shows that a table becomes one more set-up of its game.
// Clauses: T106.1, T106.2, T106.3, T106.4
func TestT106Setup(t *testing.T) {
	p := newPrototype(t)
	south, west, north := p.putHand(0, 1500, 0), p.putHand(-2000, 0, 9000), p.putHand(0, -1500, 18000)
	four, was := p.save(fmt.Sprintf(`{"name":"Wolves","about":{"players":[3,3]},"seats":[%s,%s,%s]}`,
		seatText(south), seatText(west), seatText(north)))
	var state struct {
		Pieces []struct{ ID, Mark int }
	}
	p.get(p.ada.api(""), p.ada.bearer()...).json(t, &state)
	for _, is := range state.Pieces {
		if is.ID == west {
			p.update(fmt.Sprintf(`"op":"delete","piece":%d,"tag":%d`, west, is.Mark))
		}
	}
	p.putHand(500, 500, 0)
	two, g := p.save(fmt.Sprintf(
		`{"name":"Wolves","of":%q,"setup":{"name":"For two","players":[2,2]}}`, four.Game))
	if !slices.Equal(g.Pieces, was.Pieces) || len(g.Seats) != 3 || len(g.Setups) != 1 {
		t.Fatalf("T106.1 the game has %+v, %+v", g.Pieces, g.Setups)
	}
	of := g.Setups[0]
	if of.Name != "For two" || of.Players.Most != 2 || len(of.Pieces) != 3 ||
		!slices.Equal(of.Same, []int{0, 2, 1}) { // the other hand that is left
		t.Errorf("T106.2 the set-up is %+v", of)
	}
	if d := p.draft(two.Game); len(d.Setups) != 2 || !d.Setups[1].Own ||
		d.Setups[1].Name != "For two" {
		t.Errorf("T105.3 the set-ups are %+v", d.Setups)
	}
	var other seat
	p.post("/api/v1/tables", fmt.Sprintf(`{"game":%q,"setup":1}`, two.Game)).json(t, &other)
	if got, want := p.lies(other), p.lies(p.ada); !slices.Equal(got, want) {
		t.Errorf("T106.2 on a table of it lie %v, want %v", got, want)
	}
	// A set-up of that name is another one then, and saving the table keeps it.
	p.putHand(600, 600, 0)
	again, g := p.save(fmt.Sprintf(`{"name":"Wolves","of":%q,"setup":{"name":"For two"}}`, two.Game))
	if len(g.Setups) != 1 || len(g.Setups[0].Pieces) != 4 || g.Setups[0].Players.Most != 0 {
		t.Errorf("T106.3 the set-ups are %+v", g.Setups)
	}
	_, g = p.save(fmt.Sprintf(`{"name":"Wolves","of":%q}`, again.Game))
	if len(g.Pieces) != 4 || len(g.Setups) != 1 || len(g.Setups[0].Pieces) != 4 ||
		!slices.Equal(g.Setups[0].Same, []int{0, 1, 2, game.Other}) || len(g.Seats) != 3 ||
		g.Seats[1].Hand != 2 || g.Seats[2].Hand != 1 {
		t.Errorf("T106.4 the game has %+v, %+v", g.Setups, g.Seats)
	}
	a := p.post(p.ada.api("/game"), fmt.Sprintf(`{"name":"W","of":%q,"setup":{"name":"X"},"seats":[]}`,
		again.Game), p.ada.bearer()...)
	wantProblem(t, "T106.1 seats of a set-up", a, http.StatusUnprocessableEntity, "impossible-value")
}

// TestT107Versions shows how the versions of a game are listed, brought back and dropped.
// Clauses: T107.1, T107.2, T107.3, T107.5
func TestT107Versions(t *testing.T) {
	p := newPrototype(t)
	p.putHand(0, 1500, 0)
	one, _ := p.save(`{"name":"Wolves","note":"The first try."}`)
	mine := []string{"Holt-Library", one.Library}
	p.putHand(0, -1500, 0)
	a := p.post(p.ada.api("/game"), fmt.Sprintf(`{"name":"Wolves!","of":%q}`, one.Game),
		append(p.ada.bearer(), mine...)...)
	var two brought
	a.json(t, &two)
	type version struct {
		Game, Name, File, By, Note string
		Saved                      int64
	}
	versions := func(of string) (all []version) {
		t.Helper()
		var answer struct{ Versions []version }
		p.get("/api/v1/games/"+of+"/versions", mine...).json(t, &answer)
		return answer.Versions
	}
	got := versions(one.Game)
	if len(got) != 2 || got[0].Game != two.Game || got[0].By != "Ada" || got[0].Note != "" ||
		got[1].Game != one.Game || got[1].Note != "The first try." || got[1].Saved == 0 ||
		got[0].Name != "Wolves!" {
		t.Errorf("T107.1 the versions are %+v", got)
	}
	for _, v := range got {
		if p.get(v.File).StatusCode != http.StatusOK {
			t.Errorf("T107.2 %s cannot be downloaded", v.Name)
		}
		if a := p.post("/api/v1/tables", fmt.Sprintf(`{"game":%q}`, v.Game)); a.StatusCode !=
			http.StatusCreated {
			t.Errorf("T107.2 a table of %s: %s", v.Name, a.Status)
		}
	}
	listed := func() string {
		t.Helper()
		var answer struct {
			Own []struct {
				Name     string
				Versions int
			}
		}
		p.get("/api/v1/games", mine...).json(t, &answer)
		return fmt.Sprint(answer.Own)
	}
	if got := listed(); got != "[{Wolves! 2}]" {
		t.Errorf("T107.1 the list is %s", got)
	}
	page := p.get("/?game="+one.Game, "Cookie", "holt_games="+one.Library).body
	if !strings.Contains(page, "The first try.") || !strings.Contains(page, got[0].File) ||
		!strings.Contains(page, `name="game" value="`+one.Game+`"`) {
		t.Errorf("T107.2 the front page is %s", page)
	}
	wantProblem(t, "T107.2 others", p.get("/api/v1/games/"+one.Game+"/versions"),
		http.StatusNotFound, "not-found")
	wantProblem(t, "T107.3 others", p.post("/api/v1/games/"+one.Game+"/newest", ""),
		http.StatusNotFound, "not-found")
	if a := p.post("/api/v1/games/"+one.Game+"/newest", "", mine...); a.StatusCode !=
		http.StatusNoContent {
		t.Errorf("T107.3 %s %s", a.Status, a.body)
	}
	if got := listed(); got != "[{Wolves 2}]" {
		t.Errorf("T107.3 the list is %s", got)
	}
	a = p.post(p.ada.api("/game"), `{"name":"W","note":"`+strings.Repeat("x", 201)+`"}`,
		p.ada.bearer()...)
	wantProblem(t, "a long sentence", a, http.StatusUnprocessableEntity, "impossible-value")
	r := p.request(http.MethodDelete, "/api/v1/games/"+two.Game, "", mine)
	if a := p.do(r, nil); a.StatusCode != http.StatusNoContent || listed() != "[]" {
		t.Errorf("T107.5 %s, the list is %s", a.Status, listed())
	}
}

// TestG26Upload shows that a game can be had as readable files, and brought as such.
// Clauses: G26.1, G26.4
func TestG26Upload(t *testing.T) {
	p := newPrototype(t)
	p.putHand(0, 1500, 0)
	g, _ := p.save(`{"name":"Wolves","about":{"rules":"# Howl"}}`)
	a := p.get(g.File + "?form=readable")
	if got := a.Header.Get("Content-Disposition"); got != `attachment; filename="wolves.zip"` {
		t.Errorf("G26.4 it is saved as %s", got)
	}
	other := newServerFor(t, library.Quota{Library: 1 << 20, All: 1 << 20}).listen()
	var again brought
	if other.upload([]byte(a.body)).json(t, &again); again.Game != g.Game || again.Rules == "" {
		t.Errorf("G26.1 it is %+v, was %+v", again, g)
	}
	wantProblem(t, "another form", p.get(g.File+"?form=nice"), http.StatusUnprocessableEntity,
		"impossible-value")
}

// TestT105Languages shows how the texts of a game are fetched and come back in another language.
// Clauses: T105.5
func TestT105Languages(t *testing.T) {
	p := newPrototype(t)
	p.putHand(0, 1500, 0)
	one, _ := p.save(`{"name":"Wolves","summary":"Howling."}`)
	a := p.get("/api/v1/games/" + one.Game + "/texts?tag=de")
	const want = "text,translation\nFront,\nHowling.,\nNote,\nOwn hand,\nWolves,\n"
	if a.body != want || !strings.Contains(a.Header.Get("Content-Disposition"), "wolves-de.csv") {
		t.Errorf("T105.5 the texts are %q", a.body)
	}
	wantProblem(t, "no language", p.get("/api/v1/games/"+one.Game+"/texts?tag=x"),
		http.StatusUnprocessableEntity, "impossible-value")
	table := strings.Replace(a.body, "Wolves,", "Wolves,Wölfe", 1)
	text, err := json.Marshal(table)
	p.must(err)
	two, g := p.save(fmt.Sprintf(`{"name":"Wolves","of":%q,"languages":{"de":%s,
		"fr":"{\"texts\":{\"Note\":\"Mot\"}}"}}`, one.Game, text))
	if len(g.Languages) != 2 || g.Languages[0].Texts["Wolves"] != "Wölfe" ||
		len(g.Languages[0].Texts) != 1 || g.Languages[1].Texts["Note"] != "Mot" {
		t.Errorf("T105.5 the languages are %+v", g.Languages)
	}
	if a := p.get("/api/v1/games/" + two.Game + "/texts?tag=de"); a.body != table {
		t.Errorf("T105.5 the texts are %q then", a.body)
	}
	// Another name: the text for the old one goes, and the other language stays.
	three, g := p.save(fmt.Sprintf(`{"name":"Foxes","of":%q}`, two.Game))
	if len(g.Languages) != 1 || g.Languages[0].Tag != "fr" {
		t.Errorf("T105.5 after another name the languages are %+v", g.Languages)
	}
	if _, g = p.save(fmt.Sprintf(`{"name":"Foxes","of":%q,"languages":{"fr":""}}`, three.Game)); len(
		g.Languages) != 0 {
		t.Errorf("T105.5 the languages are %+v", g.Languages)
	}
	for _, text := range []string{`a,b\nWolves,W\n`, `text,translation\nLions,L\n`, `{}`, `text\n`} {
		a := p.post(p.ada.api("/game"), `{"name":"Wolves","languages":{"de":"`+text+`"}}`,
			p.ada.bearer()...)
		wantProblem(t, text, a, http.StatusUnprocessableEntity, "impossible-value")
	}
}

// TestT106Hidden shows that a set-up is the same of tables that differ only in what is hidden: in
// the order of the deck, and in the cards of a hand.
// Clauses: T106.1
func TestT106Hidden(t *testing.T) {
	s := newServerFor(t, library.Quota{Library: 1 << 22, All: 1 << 22}).listen()
	made := map[string]bool{}
	for range 4 {
		k := s.open("cards")
		p := &prototype{editing: editing{s, k, k, k}}
		p.letEdit("Ada edits", k, k, true, http.StatusNoContent)
		p.update(`"op":"draw","piece":10,"n":3,"x":0,"y":2500`)
		g, is := p.save(`{"name":"Cards","setup":{"name":"Begun"}}`)
		made[g.Game] = true
		held := 0
		for _, piece := range is.Setups[len(is.Setups)-1].Pieces {
			if piece.In != game.NotIn {
				held++
			}
		}
		if held != 54 {
			t.Errorf("T106.1 the set-up has %d cards in the deck", held)
		}
	}
	if len(made) != 1 {
		t.Errorf("T106.1 there are %d games", len(made))
	}
}
