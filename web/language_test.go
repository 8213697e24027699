package web_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// spellsInGerman returns the sample of the guide as a packed game with German texts.
func spellsInGerman(t *testing.T) []byte {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("../docs/guides/samples")); err != nil {
		t.Fatal(err)
	}
	texts := `{"texts": {"Spells": "Zauber", "Spark": "Funke"}}`
	if err := os.WriteFile(filepath.Join(folder, "de.json"), []byte(texts), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile(filepath.Join(folder, "spells.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(doc), `"name": "Spells"`,
		`"name": "Spells", "languages": {"de": "de.json"}`, 1)
	return packedGame(t, []byte(text), os.DirFS(folder))
}

// TestG13Languages shows in which language people read the texts of a game.
// Clauses: G13.1, G13.2, G13.3
func TestG13Languages(t *testing.T) {
	s := newStack(t)
	var g brought
	s.upload(spellsInGerman(t)).json(t, &g)
	var made struct{ Table, Token string }
	s.post("/api/v1/tables", fmt.Sprintf(`{"game":%q}`, g.Game)).json(t, &made)
	words := regexp.MustCompile(`data-words="([^"]*)"`)
	catalog := regexp.MustCompile(`data-catalog="([^"]*)"`)
	for wanted, german := range map[string]bool{
		"de": true, "de-AT, en;q=0.5": true, "fr, de;q=0.9": true,
		"": false, "en": false, "en, de;q=0.5": false, "fr": false, "de;q=0": false, ";;q=x": false,
	} {
		own := []string{"Accept-Language", wanted, "Cookie", "holt_games=" + g.Library}
		if a := s.get("/", own...); strings.Contains(a.body, ">Zauber<") != german {
			t.Errorf("G13.2 for %q the front page has the name in German: %v", wanted, !german)
		}
		for _, at := range []string{"", "/replay"} {
			a := s.get("/t/"+made.Table+at, "Accept-Language", wanted,
				"Authorization", "Bearer "+made.Token)
			found := words.FindStringSubmatch(a.body)
			if (found != nil) != german || !strings.Contains(a.Header.Get("Vary"), "Accept-Language") {
				t.Errorf("G13.2 for %q the page %s shows German: %v, %s", wanted, at, found != nil,
					a.Header.Get("Vary"))
			}
			address := "/art/" + catalog.FindStringSubmatch(a.body)[1]
			if found != nil {
				address += found[1]
			}
			if !strings.Contains(a.body, `href="`+address+`"`) {
				t.Errorf("the page does not load %s in advance", address)
			}
			kinds := s.get(address)
			if strings.Contains(kinds.body, `"Funke"`) != german ||
				strings.Contains(kinds.body, `"Spark"`) == german ||
				!strings.Contains(kinds.body, `"Blaze"`) {
				t.Errorf("G13.1 for %q the catalogue is %.300s", wanted, kinds.body)
			}
			if !strings.Contains(kinds.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("G13.3 the catalogue is kept as %q", kinds.Header.Get("Cache-Control"))
			}
		}
	}
	page := s.get("/t/"+made.Table, "Authorization", "Bearer "+made.Token).body
	hash := catalog.FindStringSubmatch(page)[1]
	for _, address := range []string{
		"/art/" + hash + "/in/" + strings.Repeat("0", 64), "/art/" + hash + "/in/x",
		"/art/" + hash + "/in/" + hash, "/art/" + strings.Repeat("0", 64) + "/in/" + hash,
	} {
		if a := s.get(address); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s is %s", address, a.Status)
		}
	}
}

// TestG14Setups shows what is said of for how many players set-ups are.
// Clauses: G14.1
func TestG14Setups(t *testing.T) {
	doc, err := os.ReadFile("../docs/guides/samples/spells.json")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(doc), `"name": "Spells"`, `"name": "Spells", "setups": [`+
		`{"name": "Large", "players": [3, 6], "without": ["Spark"]},`+
		`{"name": "Any", "without": ["Spark"]}]`, 1)
	says := strings.Replace(text, `"setups":`, `"setup": "5 players", "players": [5, 5], "setups":`, 1)
	s := newStack(t)
	for _, c := range []struct{ doc, saves, page string }{
		{text, "[{ [2 4]} {Large [3 6]} {Any []}]", "2-4 Standard (2–4 players), " +
			"3-6 Large (3–6 players),  Any"},
		{says, "[{5 players [5 5]} {Large [3 6]} {Any []}]", "5-5 5 players, " +
			"3-6 Large (3–6 players),  Any"},
	} {
		var g brought
		a := s.upload(packedGame(t, []byte(c.doc), os.DirFS("../docs/guides/samples")))
		a.json(t, &g)
		var made struct{ Table, Token string }
		s.post("/api/v1/tables", fmt.Sprintf(`{"game":%q}`, g.Game)).json(t, &made)
		var list struct {
			Saves []struct {
				Name    string
				Players []int
			}
		}
		s.get("/api/v1/tables/"+made.Table+"/saves", "Authorization", "Bearer "+made.Token).
			json(t, &list)
		if got := fmt.Sprint(list.Saves); got != c.saves {
			t.Errorf("G14.1 the set-ups are %s", got)
		}
		var options []string
		page := s.get("/", "Cookie", a.Header.Get("Set-Cookie")).body
		_, of, _ := strings.Cut(page, `name="setup-`+g.Game+`">`)
		of, _, _ = strings.Cut(of, "</select>")
		for _, option := range strings.SplitAfter(of, "</option>") {
			_, span, _ := strings.Cut(option, `data-span="`)
			if span, name, ok := strings.Cut(span, `">`); ok {
				options = append(options, span+" "+strings.TrimSuffix(name, "</option>"))
			}
		}
		if got := strings.Join(options, ", "); got != c.page {
			t.Errorf("the front page offers %s", got)
		}
	}
}
