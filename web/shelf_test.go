package web_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"holt/server/play/game"
	"holt/static"
	"holt/web"
)

var (
	radios    = regexp.MustCompile(`(?s)<input type="radio" name="game" value="([^"]*)"`)
	pictures  = regexp.MustCompile(`<img class="preview" src="(/art/[0-9a-f]{64})"([^>]*)>`)
	summaries = regexp.MustCompile(`"summary": "[^"]*"`)
	refers    = regexp.MustCompile(`(?:href|src)="([^"]{0,9})|url\(`)
)

// gamesIn returns the games of a front page in their order.
func gamesIn(page string) (all []string) {
	for _, found := range radios.FindAllStringSubmatch(page, -1) {
		all = append(all, found[1])
	}
	return all
}

// TestG19Shelf shows what the front page has of the games on the shelf, before a script runs.
// Clauses: G19.1, G19.3, G19.4, G19.6
func TestG19Shelf(t *testing.T) {
	shelf, err := game.LoadShelf(static.Files, os.DirFS("../docs/guides/samples"))
	if err != nil {
		t.Fatal(err)
	}
	s := newLinkedWith(t, "Ben's", shelf, web.Limits{}).stack
	ada := s.browser()
	page := ada.get("/").body

	t.Run("G19.1 all games can be chosen and started without a script", func(t *testing.T) {
		var want []string
		for _, g := range shelf.Games() {
			want = append(want, g.ID)
		}
		if got := gamesIn(page); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the page has %v, want %v", got, want)
		}
		if strings.Contains(page, "Played recently") {
			t.Error("a newcomer has played something")
		}
	})

	t.Run("G19.3 the page says for how many a game and its set-ups are", func(t *testing.T) {
		for _, want := range []string{
			`data-spans="2-2" data-minutes="60" data-genres="board"`,           // chess
			`data-spans="2-4 2-2" data-minutes="30" data-genres="cards board"`, // caravan
			`data-spans="1-8" data-minutes="0" data-genres="cards tool"`,       // cards
			`<span class="shelf-fact">2–4 players</span>`,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("the page has no %s", want)
			}
		}
	})

	t.Run("G19.6 each game has a picture of its own that needs nothing else", func(t *testing.T) {
		found := pictures.FindAllStringSubmatch(page, -1)
		if len(found) != len(shelf.Games()) || strings.Contains(page, "<image") {
			t.Fatalf("there are %d pictures", len(found))
		}
		for _, f := range found {
			if !strings.Contains(f[2], `loading="lazy"`) ||
				!strings.Contains(f[2], `width="300" height="200"`) {
				t.Errorf("a picture has %s", f[2])
			}
			a := s.get(f[1])
			if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != "image/svg+xml" ||
				!strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: %s, %v", f[1], a.Status, a.Header)
			}
			for _, ref := range refers.FindAllStringSubmatch(a.body, -1) {
				if !strings.HasPrefix(ref[1], "#i") && !strings.HasPrefix(ref[1], "data:imag") &&
					ref[0] != "url(" {
					t.Errorf("a picture refers to %s", ref[0])
				}
			}
		}
	})

	t.Run("G19.4 what was played at the newest tables stands first, once", func(t *testing.T) {
		for _, id := range []string{"chess", "draughts", "chess", "cards", "turns", "tokens"} {
			made := ada.submit("/tables",
				url.Values{"game": {id}, "nick": {"Ada"}, "colour": {"#c0392b"}})
			if made.StatusCode != http.StatusSeeOther {
				t.Fatalf("%s: %s", id, made.Status)
			}
		}
		page := ada.get("/").body
		got := gamesIn(page)
		if want := "[tokens turns cards chess]"; fmt.Sprint(got[:4]) != want {
			t.Errorf("first stand %v, want %s", got[:4], want)
		}
		if len(got) != len(shelf.Games()) {
			t.Errorf("there are %d games", len(got))
		}
		first, second := strings.Index(page, "Played recently"), strings.Index(page, "More games")
		if last := strings.Index(page, `value="draughts"`); first < 0 || second < first || last < second {
			t.Errorf("the headings stand at %d and %d, draughts at %d", first, second, last)
		}
		if !regexp.MustCompile(`value="tokens" required checked`).MatchString(page) {
			t.Error("the game that was played last is not chosen")
		}
	})
}

// most is how many bytes the front page with forty games may have when it is compressed. Nothing
// else is needed for its text but the style sheet.
const most = 10 << 10

// TestFortyGamesAreALightPage shows how heavy the front page is with forty games.
func TestFortyGamesAreALightPage(t *testing.T) {
	files := fstest.MapFS{}
	for _, folder := range []string{"art", "games/rules"} {
		err := fs.WalkDir(static.Files, folder, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
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
	names := []string{"chess", "draughts", "cards", "tokens", "reversi"}
	for i := range 40 {
		name := names[i%len(names)]
		doc, err := fs.ReadFile(static.Files, "games/"+name+".json")
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("%s-%d", name, i)
		doc = bytes.Replace(doc, []byte(`"id": "`+name+`"`), []byte(`"id": "`+id+`"`), 1)
		// Each has a summary that cannot be compressed below 64 bytes. That stands for a sentence,
		// and for the address of its picture, which several of these games share.
		text := sha512.Sum512([]byte(id))
		doc = summaries.ReplaceAll(doc, fmt.Appendf(nil, `"summary": "%x"`, text))
		files["games/"+id+".json"] = &fstest.MapFile{Data: doc}
	}
	shelf, err := game.LoadShelf(files)
	if err != nil {
		t.Fatal(err)
	}
	s := newLinkedWith(t, "Ben's", shelf, web.Limits{}).stack
	a := s.get("/", "Accept-Encoding", "gzip")
	if got := len(a.body); got > most || a.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("the page has %d bytes, want at most %d", got, most)
	}
	z, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(gamesIn(string(page))); n != 40 {
		t.Fatalf("there are %d games", n)
	}
	sizes := map[string]int{}
	for _, f := range pictures.FindAllStringSubmatch(string(page), -1) {
		sizes[f[1]] = len(s.get(f[1], "Accept-Encoding", "br").body)
	}
	t.Logf("the page has %d bytes, %d compressed; the pictures %v", len(page), len(a.body), sizes)
}
