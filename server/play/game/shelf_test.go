package game

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// shipped loads the shelf that the program carries.
func shipped(t *testing.T) *Shelf {
	t.Helper()
	s, err := LoadShelf(os.DirFS("../../../static"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func shippedGame(t *testing.T, id string) *Game {
	t.Helper()
	g, ok := shipped(t).Game(id)
	if !ok {
		t.Fatalf("no %s on the shelf", id)
	}
	return g
}

// TestShelfHasTheShippedGamesInOrder shows that each game file is on the shelf, and that the games
// have orders of their own and stand in that order.
func TestShelfHasTheShippedGamesInOrder(t *testing.T) {
	names, err := fs.Glob(os.DirFS("../../../static"), "games/*.json")
	games := shipped(t).Games()
	if err != nil || len(games) != len(names) {
		t.Fatalf("%d games of %d files are on the shelf, %v", len(games), len(names), err)
	}
	for i, g := range games[1:] {
		if before := games[i]; before.Order >= g.Order {
			t.Errorf("%s has the order %d and stands behind %s with %d", g.ID, g.Order, before.ID,
				before.Order)
		}
	}
}

// TestShelfGivesArtAndCataloguesByTheirHash shows that the shelf has each picture and catalogue
// under its hash, and nothing else.
func TestShelfGivesArtAndCataloguesByTheirHash(t *testing.T) {
	s := shipped(t)
	for _, g := range s.Games() {
		if a, ok := s.Art(g.CatalogHash); !ok || a.Type != "application/json" ||
			sha256.Sum256(a.Data) != g.CatalogHash {
			t.Errorf("%s: no catalogue under its hash", g.ID)
		}
		for _, k := range g.Kinds {
			for _, f := range k.Faces {
				art := [][sha256.Size]byte{f.Art}
				for i, l := range f.Layers {
					if i == 0 {
						art = nil
					}
					if l.What == "art" {
						art = append(art, l.Art)
					}
				}
				for _, hash := range art {
					if a, ok := s.Art(hash); !ok || a.Type != "image/svg+xml" ||
						sha256.Sum256(a.Data) != hash {
						t.Errorf("%s: no art of %q under its hash", g.ID, f.Name)
					}
				}
			}
		}
	}
	if _, ok := s.Art([sha256.Size]byte{}); ok {
		t.Error("there is art under a hash of nothing")
	}
	if _, ok := s.Game("nothing"); ok {
		t.Error("there is a game that nobody put on the shelf")
	}
}

// TestShelfIsRefusedWhole shows that one invalid game makes the shelf fail, with which error.
func TestShelfIsRefusedWhole(t *testing.T) {
	good := fstest.MapFS{
		"games/sample.json": {Data: []byte(sample)},
		"art/a.svg":         {Data: []byte(square)},
		"art/b.svg":         {Data: []byte(square)},
	}
	if _, err := LoadShelf(good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, file, doc, want string }{
		{
			"another name", "games/other.json", sample,
			`games/other.json: the id is "sample", not "other" like the file`,
		},
		{
			"a game that is out of order", "games/broken.json", "{}",
			`games/broken.json: line 1: format is missing`,
		},
		{
			"art outside the folder", "games/sample.json",
			strings.Replace(sample, "a.svg", "../a.svg", 1),
			`games/sample.json: line 5: kind 0: face 0: art: "../a.svg" is not a path in the folder art`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{c.file: {Data: []byte(c.doc)}}
			for name, file := range good {
				if _, ok := files[name]; !ok {
					files[name] = file
				}
			}
			if s, err := LoadShelf(files); err == nil || withoutColumn(err) != c.want || s != nil {
				t.Errorf("error is %v, want %s", err, c.want)
			}
		})
	}
}

// TestGuideShowsGamesThatCanBeRead shows that the examples of the guide to game files are valid.
func TestGuideShowsGamesThatCanBeRead(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/guides/games.md")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(guide)
	for _, want := range []struct{ id, pieces string }{
		{"high-card", "Ace of spades, King of hearts, Dealer button"},
		{"treasure", "Deck, Hand, Loot (in 0), Loot (in 0), Trap (in 0), Die, Gold"},
	} {
		var doc string
		var found bool
		_, rest, _ = strings.Cut(rest, "\n    {\n")
		doc, rest, found = strings.Cut(rest, "\n    }\n")
		if !found {
			t.Fatalf("there is no example %q in the guide", want.id)
		}
		g, err := Parse([]byte("{"+doc+"}"), func(name string) ([]byte, error) {
			return readArt(name, []fs.FS{os.DirFS("../../../static")})
		})
		if err != nil {
			t.Fatalf("the example %q: %v", want.id, err)
		}
		var pieces []string
		for _, p := range g.Pieces {
			name := g.Kinds[p.Kind].Name
			if p.In != NotIn {
				name += fmt.Sprintf(" (in %d)", p.In)
			}
			pieces = append(pieces, name)
		}
		if got := strings.Join(pieces, ", "); g.ID != want.id || got != want.pieces {
			t.Errorf("%s has %s, want %s with %s", g.ID, got, want.id, want.pieces)
		}
	}
}

// box is the room that a piece takes when it lies at an angle that is a multiple of 90 degrees.
type box struct{ left, top, right, bottom int32 }

func boxOf(t *testing.T, g *Game, p Placement) box {
	t.Helper()
	k := g.Kinds[p.Kind]
	w, h := k.Width/2, k.Height/2
	switch p.Angle {
	case 0, 18_000:
	case 9_000, 27_000:
		w, h = h, w
	default:
		if k.Weight == "heavy" {
			t.Fatalf("%s: %q is not aligned", g.ID, k.Name)
		}
		if k.Shape != "round" {
			sin, cos := math.Sincos(float64(p.Angle) * math.Pi / 18_000)
			sin, cos = math.Abs(sin), math.Abs(cos)
			w, h = int32(float64(w)*cos+float64(h)*sin), int32(float64(w)*sin+float64(h)*cos)
		}
	}
	return box{p.X - w, p.Y - h, p.X + w, p.Y + h}
}

func (a box) meets(b box) bool {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

// TestShippedPiecesLieWhollyOnTheTable shows that no shipped piece juts over the edge of its table.
func TestShippedPiecesLieWhollyOnTheTable(t *testing.T) {
	for _, g := range shipped(t).Games() {
		for _, p := range g.Pieces {
			b := boxOf(t, g, p)
			if b.left < -g.Width/2 || b.right > g.Width/2 || b.top < -g.Height/2 ||
				b.bottom > g.Height/2 {
				t.Errorf("%s: %q hangs over the edge", g.ID, g.Kinds[p.Kind].Name)
			}
		}
	}
}

// within reports whether a box lies wholly in another one.
func (a box) within(b box) bool {
	return b.left <= a.left && a.right <= b.right && b.top <= a.top && a.bottom <= b.bottom
}

// isRotated reports whether a button rotates pieces of a kind, which must not be pinned then.
func isRotated(g *Game, kind string) (is bool) {
	for i := range g.Kinds {
		eachStep(g.Kinds[i].Button.Steps, func(s *Step) {
			is = is || s.Do == "rotate" && s.Kind == kind
		})
	}
	return is
}

// TestShippedHeavyPiecesAreFixedAndApart shows that shipped heavy pieces are pinned, that those
// which serve as hands, containers or counters are not locked, and that none overlaps another one
// unless it lies wholly on it.
func TestShippedHeavyPiecesAreFixedAndApart(t *testing.T) {
	for _, g := range shipped(t).Games() {
		var heavy []box
		for _, p := range g.Pieces {
			k := &g.Kinds[p.Kind]
			if k.Weight != "heavy" {
				continue
			}
			// A locked hand cannot be claimed, and nobody can draw from a locked container.
			serves := k.Hand || k.Container.Holds() || k.Counter.Counts
			if !p.Pinned && !isRotated(g, k.Name) || p.Locked && serves {
				t.Errorf("%s: %q can be moved by mistake, or is useless: %+v", g.ID, k.Name, p)
			}
			b := boxOf(t, g, p)
			if slices.ContainsFunc(heavy, func(other box) bool {
				return b.meets(other) && !b.within(other) && !other.within(b)
			}) {
				t.Errorf("%s: %q at %d, %d overlaps another", g.ID, g.Kinds[p.Kind].Name, p.X, p.Y)
			}
			heavy = append(heavy, b)
		}
		if len(heavy) == 0 {
			t.Errorf("%s: no board and no hand", g.ID)
		}
	}
}

// TestShippedArtIsSmall shows the bounds on the size of shipped pictures.
func TestShippedArtIsSmall(t *testing.T) {
	for _, g := range shipped(t).Games() {
		for _, k := range g.Kinds {
			limit := 5_000
			if k.Weight == "heavy" {
				limit = 40_000
			}
			for _, f := range k.Faces {
				if n := len(g.Art[f.Art].Data); n > limit {
					t.Errorf("%s: the art of %q has %d bytes, more than %d", g.ID, f.Name, n, limit)
				}
			}
		}
	}
}

// TestShippedArtStylesNothingByCSS shows that shipped pictures need no style sheets and no fonts.
func TestShippedArtStylesNothingByCSS(t *testing.T) {
	for _, g := range shipped(t).Games() {
		for _, art := range g.Art {
			if strings.Contains(string(art.Data), "style") ||
				strings.Contains(string(art.Data), "<text") {
				t.Errorf("%s: a style or a font in %.300s", g.ID, art.Data)
			}
		}
	}
}

// TestShelfWithMoreGames shows that further folders add games, whose pictures are beside them or on
// the shelf, and what is wrong with a folder.
func TestShelfWithMoreGames(t *testing.T) {
	file := func(id, art string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.NewReplacer(`"id": "grid"`, `"id": "`+id+`"`,
			"a.svg", art).Replace(gridded(format2, "", "")))}
	}
	picture := func(size string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.Replace(square, "h1", size, 1))}
	}
	files := fstest.MapFS{
		"games/first.json": file("first", "a.svg"),
		"art/a.svg":        picture("h1"), "art/b.svg": picture("h2"),
	}
	own := fstest.MapFS{
		"second.json": file("second", "a.svg"), "third.json": file("third", "b.svg"),
		"art/a.svg": picture("h3"), "readme.txt": {Data: []byte("not a game")},
	}
	s, err := LoadShelf(files, own)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"first": "h1", "second": "h3", "third": "h2"} {
		g, ok := s.Game(id)
		if !ok || g.Kinds[0].Faces[0].Art != sha256.Sum256(picture(want).Data) {
			t.Errorf("%s: %v, with another picture", id, ok)
		}
	}
	for want, more := range map[string]fstest.MapFS{
		`first.json: there is another game "first" on the shelf`: {"first.json": file("first", "a.svg")},
		`x.json: the id is "y", not "x" like the file`:           {"x.json": file("y", "a.svg")},
		`x.json: line 5: kind 0: face 0: art: there is no file art/c.svg`: {
			"x.json": file("x", "c.svg")},
	} {
		if s, err := LoadShelf(files, more); s != nil || err == nil || withoutColumn(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// shippedFiles returns the files of the shelf that the program carries.
func shippedFiles(t testing.TB) fstest.MapFS {
	t.Helper()
	from := os.DirFS("../../../static")
	files := fstest.MapFS{}
	for _, folder := range []string{"games", "art"} {
		err := fs.WalkDir(from, folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(from, name)
			files[name] = &fstest.MapFile{Data: data}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func globbed(t testing.TB, files fs.FS, pattern string) []string {
	t.Helper()
	names, err := fs.Glob(files, pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v", pattern, names, err)
	}
	return names
}
