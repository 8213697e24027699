package web_test

import (
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"holt/server/play/game"
	"holt/static"
	"holt/web"
)

// maxPicture is how many bytes the picture of a game of the shelf may have before it is compressed.
const maxPicture = 256 << 10

var (
	drawnArt = regexp.MustCompile(`<image id="i`)
	drawnUse = regexp.MustCompile(`<use href="#i`)
)

// TestPictureOfAGame shows what the pictures of the shelf show.
// Clauses: G19.7
func TestPictureOfAGame(t *testing.T) {
	shelf, err := game.LoadShelf(static.Files)
	if err != nil {
		t.Fatal(err)
	}
	s := newStack(t)
	page := s.get("/").body
	seen := map[string]string{} // the games by their pictures
	for _, g := range shelf.Games() {
		_, item, _ := strings.Cut(page, `name="game" value="`+g.ID+`"`)
		found := pictures.FindStringSubmatch(item)
		if found == nil {
			t.Fatalf("%s has no picture", g.ID)
		}
		a := s.get(found[1])
		if a.StatusCode != http.StatusOK || len(a.body) > maxPicture {
			t.Errorf("the picture of %s: %s, %d bytes", g.ID, a.Status, len(a.body))
		}
		if other, ok := seen[a.body]; ok {
			t.Errorf("%s and %s have the same picture", g.ID, other)
		}
		seen[a.body] = g.ID
		uses := len(drawnUse.FindAllString(a.body, -1))
		if n := len(drawnArt.FindAllString(a.body, -1)); n < 2 {
			t.Errorf("the picture of %s has %d different things on it", g.ID, n)
		}
		if of := len(g.Picture.Pieces); of > 0 && uses != of {
			t.Errorf("G19.7 the picture of %s shows %d of %d pieces", g.ID, uses, of)
		}
	}
}

// TestPictureWithoutBlanks shows that pieces of which nothing is seen take no room on a picture.
func TestPictureWithoutBlanks(t *testing.T) {
	files := fstest.MapFS{}
	for _, folder := range []string{"art", "games"} {
		err := fs.WalkDir(static.Files, folder, func(name string, e fs.DirEntry, err error) error {
			isOther := strings.HasSuffix(name, ".json") && name != "games/bingo.json"
			if err != nil || e.IsDir() || isOther {
				return err
			}
			data, err := fs.ReadFile(static.Files, name)
			files[name] = &fstest.MapFile{Data: data}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	doc := files["games/bingo.json"].Data
	bare := regexp.MustCompile(`,\n  "picture": .*`).ReplaceAll(doc, nil)
	if len(bare) == len(doc) {
		t.Fatal("bingo has no picture of its own")
	}
	files["games/bingo.json"].Data = bare
	shelf, err := game.LoadShelf(files)
	if err != nil {
		t.Fatal(err)
	}
	s := newLinkedWith(t, "Ben's", shelf, web.Limits{}).stack
	a := s.get(pictures.FindStringSubmatch(s.get("/").body)[1])
	if n := len(drawnUse.FindAllString(a.body, -1)); n < 10 {
		t.Errorf("the picture shows %d pieces", n)
	}
}
