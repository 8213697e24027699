package game

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Games that are composed (G24).

// undecked leaves the decks of the file out of a comparison: a composed game has none.
var undecked = cmpopts.IgnoreUnexported(Game{})

// anyGroups compares pieces whatever numbers their groups have: a file does not say these.
var anyGroups = cmp.FilterValues(func(a, b []Placement) bool { return len(a)+len(b) > 0 },
	cmp.Comparer(func(a, b []Placement) bool {
		return slices.Equal(regrouped(a), regrouped(b))
	}))

// composed returns a game as it is composed. It checks that this can be packed, and is the same
// game when it is composed again.
func composed(t *testing.T, g *Game) *Packed {
	t.Helper()
	p, err := Compose(g)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Bytes(); err != nil {
		t.Fatal(err)
	}
	again, err := Compose(p.Game)
	if err != nil || again.ID != p.ID {
		t.Fatalf("composed again it is %+v and not %x: %v", again, p.ID, err)
	}
	return p
}

// TestG24GamesOfFiles composes all games that there are: those of the shelf, of the guide, and of
// tests.
// Clauses: G24.1, G24.2
func TestG24GamesOfFiles(t *testing.T) {
	games := map[string]*Game{}
	shelf := shippedFiles(t)
	for _, name := range globbed(t, shelf, "games/*.json") {
		p, err := ReadLoose(shelf[name].Data, FilesOf(shelf, "games", shelf))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		games[name] = p.Game
	}
	for name, p := range samples(t) {
		games["sample "+name] = p.Game
	}
	docs := map[string]string{
		"sample": sample, "clock": withClock(t, clocked), "acting": acting, "asking": asking,
		"pressing": pressing, "spells": spells, "supplied": supplied, "zoned": zoned,
		"large":    large(),
		"attached": attaching(format2, chained(3)...),
		"gridded":  gridded(format2, `, "grid": {`+boardGrid+`, "captures": true}`, `, "upright": true`),
	}
	for i, doc := range guideGames(t) {
		docs[fmt.Sprint("guide ", i)] = doc
	}
	for name, doc := range docs {
		p, err := readFull(doc)
		if err != nil {
			p, err = ReadLoose([]byte(doc), FilesOf(shelf, ".", shelf))
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		games["test "+name] = p.Game
	}
	kept, _ := packedFull(t)
	games["test full"] = kept.Game
	for name, g := range games {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(g, composed(t, g).Game, undecked); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// built returns a game that stands in no file, with a kind of each ability, a secret kind, a mask,
// a private kind that no piece has, and a further table. Offers and hashes are not set.
func built() *Game {
	art, back := []byte(square), []byte(strings.Replace(square, "h1", "h2", 1))
	kind := func(name, weight string, change func(k *Kind)) Kind {
		k := Kind{
			Name: name, Width: 600, Height: 600, Shape: "rect", Weight: weight, Mask: NoMask,
			Faces: []Face{{Name: name, Art: sha256.Sum256(art)}},
		}
		change(&k)
		return k
	}
	both := func(k *Kind) {
		k.Faces = append(k.Faces, Face{Name: "Back", Art: sha256.Sum256(back)})
	}
	display := Display{X: 10, Y: 10, Width: 400, Height: 100}
	g := &Game{
		ID: "built", Name: "Built", Summary: "By hand.", Order: 7, Width: 8000, Height: 6000,
		Surface: "wood", Grid: TableGrid{Form: GridSquares, Pitch: 500, X: 1, Y: -2, Snap: true},
		Kinds: []Kind{
			kind("Card", "light", func(k *Kind) { both(k); k.Secret, k.Mask, k.Peek = true, 1, "host" }),
			kind("Back", "light", func(k *Kind) { k.Faces[0] = Face{"Back", sha256.Sum256(back), nil} }),
			kind("Hand", "heavy", func(k *Kind) { k.Hand, k.Uncounted = true, true }),
			kind("Deck", "heavy", func(k *Kind) { k.Container = Container{drawsTop, 1} }),
			kind("Bag", "heavy", func(k *Kind) { k.Container = Container{drawsRandom, AnyLight} }),
			kind("Clock", "heavy", func(k *Kind) {
				k.Clock = Clock{CountsUp: true, Displays: []Display{display}}
			}),
			kind("Coin", "light", func(k *Kind) { both(k); k.Die = Die{Rolls: true, Cooldown: 900} }),
			kind("Points", "heavy", func(k *Kind) {
				k.Counter, k.Display = Counter{true, -5, 5, 1, 2}, display
			}),
			kind("Money", "light", func(k *Kind) { k.Currency, k.Display = 20, display }),
			kind("Note", "light", func(k *Kind) { k.Text, k.Display = Text{true, "<One>\n&"}, display }),
			kind("Turn", "light", func(k *Kind) { k.Seat, k.Display = seatTurn, display }),
			kind("Sand", "light", func(k *Kind) { k.Hourglass.Duration = 60_000 }),
			kind("Button", "heavy", func(k *Kind) {
				k.Button = Button{Who: "host", Cooldown: 5, Steps: []Step{
					{Do: doAsk, Ask: Question{Name: "N", Text: "How many?", For: forNumber, Min: 1, Max: 3,
						Initial: 2}},
					{Do: doDeal, Kind: "Deck", N: 1, Answers: Answers{N: "N", Most: 3}},
					{Do: doIf, If: Condition{Of: ofHolds, Kind: "Deck", Is: "<", N: 3},
						Then: []Step{{Do: doRoll, Kind: "Coin"}}},
					{Do: doSetUp, SetUp: "Without money"},
				}}
			}),
			kind("Row", "heavy", func(k *Kind) {
				k.Zone = Zone{Lay: "row", Gap: 100, Takes: []string{"Coin"}, Turns: "keep"}
			}),
			kind("Mint", "heavy", func(k *Kind) { k.Supply = "Money" }),
			kind("Secret note", "light", func(k *Kind) { k.Private = true }),
			kind("Layers", "heavy", func(k *Kind) {
				k.Faces[0] = Face{Name: "Layers", Layers: []Layer{
					{What: "colour", Colour: "#123456"}, {What: "art", Art: sha256.Sum256(back)},
					{What: "text", Text: "Two\nlines", Serif: true},
				}}
				k.Snaps = Snaps{50, []SnapPoint{{10, 20, "a"}, {30, 40, ""}}}
			}),
		},
		Seats: []Seat{
			{Name: "South", Colour: 0x0a0b0c, Hand: 0, Pieces: []int{4, 6}},
			{Name: "Corner", Angle: 4500, Hand: NoHand},
		},
		First: Setup{Name: "All", Players: Range{1, 4}, Steps: []Step{{Do: doShuffle, Kind: "Deck"}}},
		Setups: []Setup{{Name: "Without money", Players: Range{1, 2}, Without: []int{8},
			Steps: []Step{{Do: doCount, Kind: "Points", Sets: true, N: 3}}}},
		Sheet:    Sheet{Title: "Points", Columns: []string{"A", "B"}, Rows: []string{"1", "2"}},
		Attached: []Attachment{{Piece: 6, To: 10}, {Piece: 7, To: 6}},
		Doors:    []Door{{Piece: 10, To: 1}},
		About: About{
			Players: Range{2, 4}, Genres: []string{"board"}, Words: []string{"patience"},
			Languages: []string{"en"}, Authors: []string{"A. Author"},
			Rules: Rules{Name: RulesText, Data: []byte("# Rules\n")},
		},
		Languages: []Language{{Tag: "de", Data: []byte(`{"texts": {"Coin": "Münze"}}`)}},
		Script:    "let a = '<é>';\n",
		Picture: Picture{Width: 2000, Pieces: []Placement{
			{Kind: 8, X: 10, Y: -20, In: NotIn}, {Kind: 6, Angle: 9000, Face: 1, In: NotIn},
		}},
		Foreign: Foreign{Game: []byte(`{"a":"<\u001f>"}`), Kinds: map[int][]byte{6: []byte("1.5")},
			Pieces: map[int][]byte{1: []byte("[]"), 11: []byte(`"stack"`), 16: []byte("null")}},
		Art: map[[sha256.Size]byte]Art{
			sha256.Sum256(art): {Data: art}, sha256.Sum256(back): {Data: back},
			sha256.Sum256([]byte(UnknownArt)): {Data: []byte(UnknownArt)}, // of no kind
		},
	}
	at := func(kind, group, in int, change ...func(p *Placement)) {
		n := int32(len(g.Pieces))
		p := Placement{Kind: kind, X: 100 * n, Y: -10 * n, Group: group, In: in}
		for _, f := range change {
			f(&p)
		}
		g.Pieces = append(g.Pieces, p)
	}
	for _, kind := range []int{2, 3, 4, 5, 5, 7, 12, 13, 14, 16} { // the clocks are a stack
		at(kind, map[int]int{5: 9}[kind], NotIn, func(p *Placement) { p.Locked = kind == 7 })
	}
	at(6, 0, NotIn, func(p *Placement) { p.Face, p.Angle, p.Pinned = 1, 9000, true })
	at(0, 4, NotIn)
	at(0, 4, NotIn)
	deck, bag := g.Pieces[1], g.Pieces[2]
	at(0, 2, 1, func(p *Placement) { p.X, p.Y, p.Face = deck.X, deck.Y, 1 })
	at(0, 2, 1, func(p *Placement) { p.X, p.Y, p.Face = deck.X, deck.Y, 1 })
	at(11, 0, NotIn)
	at(9, 0, NotIn)
	at(8, 0, 2, func(p *Placement) { p.X, p.Y = bag.X, bag.Y })
	at(10, 0, NotIn)
	at(6, 0, NotIn)
	g.Further = []*Game{{
		Name: "Cellar", Width: 2000, Height: 1000, Surface: "slate", Doors: []Door{{Piece: 1, To: 0}},
		Pieces:  []Placement{{Kind: 16, In: NotIn}, {Kind: 6, X: 1, In: NotIn}},
		Foreign: Foreign{Pieces: map[int][]byte{1: []byte("true")}},
	}}
	return g
}

// TestG24BuiltGame composes a game that stands in no file, with a kind of each ability.
// Clauses: G24.1
func TestG24BuiltGame(t *testing.T) {
	g := built()
	for _, a := range abilities {
		if !slices.ContainsFunc(g.Kinds, func(k Kind) bool { return a.has(&k) }) {
			t.Errorf("no kind is %s", a.called)
		}
	}
	p := composed(t, g)
	// What the rest implies is left out.
	follow := cmp.Options{
		undecked, anyGroups, cmpopts.IgnoreFields(Game{}, "Catalog", "CatalogHash", "Art", "Further"),
		cmpopts.IgnoreFields(Kind{}, "Offers"), cmpopts.IgnoreFields(Rules{}, "Hash"),
		cmpopts.IgnoreFields(Language{}, "Hash", "Texts"), cmpopts.EquateEmpty(),
	}
	if diff := cmp.Diff(g, p.Game, follow); diff != "" {
		t.Error(diff)
	}
	follow = append(follow, cmpopts.IgnoreFields(Game{}, "ID", "Summary", "Order", "Kinds", "About",
		"Languages", "Picture"))
	if diff := cmp.Diff(g.Further, p.Game.Further, follow); diff != "" {
		t.Error(diff)
	}
	if len(p.Game.Art) != 2 || len(p.Files()) != 5 {
		t.Errorf("it has %d pictures and %d files", len(p.Game.Art), len(p.Files()))
	}
	if err := valid(t, schema(t), string(p.Loose()[0].Data)); err != nil {
		t.Error(err)
	}
}

// TestG24AnyPieces composes tables with random pieces in a random order.
// Clauses: G24.1
func TestG24AnyPieces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(23, 23))
	some := func(of ...string) string { return of[rnd.IntN(len(of))] }
	list := func(kind string) string {
		return `["` + kind + strings.Repeat(`", "`+kind, rnd.IntN(3)) + `"]`
	}
	kind := func(name, more string) string {
		return `{"name": "` + name + `", "width": 60, "height": 90, "shape": "rect", ` + more +
			`, "faces": [{"name": "` + name + `", "art": "a.svg"}]}`
	}
	for range 300 {
		var pieces []string
		for n := 1 + rnd.IntN(12); len(pieces) < n; {
			piece := `"kind": ` + some(`"Token"`, `"Board"`, `"Board", "on": 0`,
				`"Box", "holds": `+list("Token")+some(``, `, "shuffled": true`))
			if rnd.IntN(2) == 0 {
				piece = `"stack": ` + list(some("Token", "Board")) + `, "step": {"x": ` + some("0", "-7") +
					`}, "shuffled": ` + some("false", "true")
			}
			if len(pieces) == 0 {
				piece = `"kind": "Board"`
			}
			pieces = append(pieces, fmt.Sprintf(`{%s, "x": %d, "y": 0%s}`, piece, rnd.IntN(1000),
				some(``, `, "foreign": `+fmt.Sprint(rnd.IntN(9)))))
		}
		p, err := readFull(`{"format": "holt.game/2", "id": "any", "name": "Any", "summary": "Any.",
  "table": {"width": 4000, "height": 3000, "surface": "felt"}, "kinds": [` +
			kind("Token", `"weight": "light"`) + `, ` + kind("Board", `"weight": "heavy"`) + `, ` +
			kind("Box", `"weight": "heavy", "container": {"draws": "top"}`) + `],
  "pieces": [` + strings.Join(pieces, ",\n") + `]}`)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p.Game, composed(t, p.Game).Game, undecked, anyGroups); diff != "" {
			t.Fatalf("%s: %s", pieces, diff)
		}
	}
}

// TestG24OneWayToWrite shows that a game is written in one way, whatever names its file gives to
// pictures, in which order its entries stand, and whether it has decks.
// Clauses: G24.2
func TestG24OneWayToWrite(t *testing.T) {
	const of = `{"format": "holt.game/2", "id": "one", "name": "One", "summary": "One way.",
  "table": {"width": 4000, "height": 3000, "surface": "felt"}, `
	card := func(name, faces string) string {
		return `{"name": "` + name + `", "width": 600, "height": 900, "shape": "card", "faces": ` + faces
	}
	box := card("Box", `[{"name": "Box", "art": "a.svg"}]`) +
		`, "weight": "heavy", "container": {"draws": "top"}}`
	board := card("Board", `[{"name": "Board", "art": "a.svg"}]`) + `, "weight": "heavy"}`
	short := of + `"templates": [` + card("T", `[{"name": "{name}", "art": "{picture}"}]`) +
		`, "weight": "light"}], "decks": [{"name": "D", "template": "T", "rows": [
      {"name": "One", "picture": "a.svg"}, {"name": "Two", "picture": "b.svg", "count": 2}]}],
  "kinds": [` + box + `, ` + board + `], "pieces": [
    {"stack": [{"deck": "D"}], "x": 0, "y": 0, "step": {"x": 5}, "foreign": {"n": 1.0}},
    {"kind": "Box", "x": 9, "y": 9, "angle": 0, "holds": [{"deck": "D"}]},
    {"kind": "Board", "x": 0, "y": 0}, {"stack": ["One"], "x": 1, "y": 1}]}`
	long := of + `"kinds": [` + box + `, ` + board + `, ` +
		card("One", `[{"name": "One", "art": "other.svg"}]`) + `, "weight": "light"}, ` +
		card("Two", `[{"name": "Two", "art": "b.svg"}]`) + `, "weight": "light"}], "pieces": [
    {"kind": "One", "x": 0, "y": 0, "foreign": {"n": 1}}, {"kind": "Two", "x": 5, "y": 0},
    {"kind": "Two", "x": 10, "y": 0},
    {"kind": "Box", "x": 9, "y": 9, "holds": ["One", "Two", "Two"]},
    {"kind": "One", "x": 1, "y": 1}, {"kind": "Board", "x": 0, "y": 0}]}`
	files := besideFull()
	files["art/other.svg"] = files["art/a.svg"]
	var ids [][sha256.Size]byte
	for _, doc := range []string{short, long} {
		p, err := ReadLoose([]byte(doc), FilesOf(files, ".", files))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, p.ID, composed(t, p.Game).ID)
	}
	if ids[0] == ids[2] || ids[1] != ids[3] {
		t.Errorf("the identities are %x", ids)
	}
}

// TestG24ForeignOfPieces shows that what is kept of a piece is known by the place of the piece in
// the drawing order, and of a stack by its first piece.
// Clauses: G24.1
func TestG24ForeignOfPieces(t *testing.T) {
	for _, further := range []bool{false, true} {
		pieces := []string{
			`{"stack": ["Token", "Token"], "x": 0, "y": 0}`,
			`{"stack": ["Token", "Token"], "x": 0, "y": 0, "foreign": "stack"}`,
			`{"kind": "Board", "x": 0, "y": 0, "foreign": "board"}`,
		}
		doc := attaching(format2, pieces...)
		if further {
			doc = strings.TrimSuffix(attaching(format2), "}") + `, "tables": [{"name": "Further",
  "table": {"width": 4000, "height": 3000, "surface": "paper"},
  "pieces": [` + strings.Join(pieces, ",") + `]}]}`
		}
		g, err := Parse([]byte(doc), pictures)
		if err != nil {
			t.Fatal(err)
		}
		want := map[int][]byte{0: []byte(`"board"`), 3: []byte(`"stack"`)}
		for _, from := range []*Game{g, composed(t, g).Game} {
			tables := from.tables()
			if diff := cmp.Diff(want, tables[len(tables)-1].Foreign.Pieces); diff != "" {
				t.Error(diff)
			}
		}
	}
}

// TestG24Refused shows what is not composed, and why.
// Clauses: G24.3, G24.4, G24.5
func TestG24Refused(t *testing.T) {
	if _, err := Compose(built()); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256([]byte(square))
	for want, change := range map[string]func(g *Game){
		// What a table does not know.
		`kind 0, "Card", stands for kinds that the table does not know`: func(g *Game) {
			g.Kinds[0].Unknown = true
		},
		// What cannot be read.
		`"Card" is the name of kind 0`:                       func(g *Game) { g.Kinds[6].Name = "Card" },
		"the game lacks the file " + fmt.Sprintf("%x", hash): func(g *Game) { delete(g.Art, hash) },
		"has another hash": func(g *Game) {
			g.Art[hash] = Art{Data: []byte(square + " ")}
		},
		`rules.md has a control character`: func(g *Game) {
			g.About.Rules.Data = []byte("\x00")
		},
		`"Nothing" stands nowhere in the game`: func(g *Game) {
			g.Languages[0].Data = []byte(`{"texts": {"Nothing": "Nichts"}}`)
		},
		`private: the game has no hand`: func(g *Game) {
			g.Kinds[2].Hand, g.Kinds[2].Uncounted, g.Seats = false, false, nil
		},
		`supply: of: no kind "Gold"`:      func(g *Game) { g.Kinds[14].Supply = "Gold" },
		`"Points" is not a container`:     func(g *Game) { g.Pieces[13].In, g.Pieces[14].In = 5, 5 },
		`unknown field "on"`:              func(g *Game) { g.Attached[0].Piece = 4 },
		`there is no kind 99`:             func(g *Game) { g.Kinds[0].Mask = 99 },
		`there is no kind -2`:             func(g *Game) { g.Setups[0].Without[0] = -2 },
		`piece 3: there is no kind 17`:    func(g *Game) { g.Pieces[3].Kind = 17 },
		`piece 0: there is no kind -1`:    func(g *Game) { g.Further[0].Pieces[0].Kind = -1 },
		`no heavy piece with the name 0`:  func(g *Game) { g.Doors[0].Piece = 0 },
		`no heavy piece with the name 11`: func(g *Game) { g.Attached[1].To = 11 },
		`no heavy piece with the name 12`: func(g *Game) { g.Seats[0].Pieces[0] = 12 },
		`a door leads to table 2`:         func(g *Game) { g.Doors[0].To = 2 },
		// What a game file cannot say.
		`how piece 4 lies, a "Clock"`:  func(g *Game) { g.Pieces[4].Locked = true },
		`how piece 13 lies`:            func(g *Game) { g.Pieces[12].Group = 2 },
		`how piece 13 lies, a "Card"`:  func(g *Game) { g.Pieces[13].Face = 0 },
		`how piece 14 lies, a "Card"`:  func(g *Game) { g.Pieces[14].Group = 0 },
		`how piece 15 lies, a "Sand"`:  func(g *Game) { g.Pieces[15].In = -2 },
		`how piece 16 lies, a "Note"`:  func(g *Game) { g.Pieces[16].Group = 9 },
		`how piece 17 lies, a "Money"`: func(g *Game) { g.Pieces[17].X++ },
		`how piece 18 lies, a "Turn"`:  func(g *Game) { g.Pieces[18].In = 40 },
		`how piece 10 lies, a "Coin"`:  func(g *Game) { g.Pieces = append(g.Pieces, g.Pieces[9]) },
		`Cellar: a game file cannot say how piece 0`: func(g *Game) {
			slices.Reverse(g.Further[0].Pieces)
			g.Further[0].Foreign = Foreign{}
		},
		`refer to piece 4:`:              func(g *Game) { g.Seats[0].Hand = 4 },
		`refer to piece 13:`:             func(g *Game) { g.Foreign.Pieces[13] = []byte("1") },
		`Cellar: nothing in a game file`: func(g *Game) { g.Further[0].Foreign.Pieces[2] = []byte("1") },
		`foreign is not canonical`:       func(g *Game) { g.Foreign.Kinds[6] = []byte("1.50") },
		`or of no kind`:                  func(g *Game) { g.Foreign.Kinds[17] = []byte("1") },
		`write the game`:                 func(g *Game) { g.Foreign.Game = []byte("{") },
		`Built: what is kept in foreign`: func(g *Game) { g.Foreign.Game = []byte(`"\ud800"`) },
	} {
		g := built()
		change(g)
		if p, err := Compose(g); err == nil || !strings.Contains(err.Error(), want) || p != nil {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
}
