package web_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"holt/web"
)

var (
	partsOfPage = regexp.MustCompile(`data-assets="(/assets/)" data-parts="([^"]*)"`)
	preloadsIn  = regexp.MustCompile(
		`<link rel="modulepreload" href="/assets/([a-z]+)-[0-9A-Z]{8}\.js">`)
	stylesIn = regexp.MustCompile(
		`<link rel="stylesheet" href="/assets/([a-z]+)-[0-9a-f]{16}\.css">`)
	importsIn     = regexp.MustCompile(`(?:^|[^".\w])(?:from|import)\s*"([^"]*)"`)
	importsOnCall = regexp.MustCompile(`import\("`)
)

// elsewhere is the address at which a server says that it has datagrams. Nobody connects to it in
// these tests.
type elsewhere string

func (e elsewhere) Hashes() ([]string, error)             { return nil, nil }
func (e elsewhere) Addresses(string) (quic, plain string) { return string(e), "" }

func withDatagrams(c *web.Config) { c.Datagrams = elsewhere("holt.example:444") }

func TestParts(t *testing.T) {
	s := newStack(t, withDatagrams)
	k := s.open("chess")
	page := s.get("/t/"+k.Table, k.bearer()...).body
	found := partsOfPage.FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("the page names no parts: %s", page)
	}
	script := regexp.MustCompile(`main-[0-9A-Z]{8}\.js`).FindString(page)
	names := strings.Split(found[2], " ")
	if len(names) != len(web.Parts()) {
		t.Errorf("%d parts are named, want %d", len(names), len(web.Parts()))
	}
	for i, name := range names {
		part := web.Parts()[i]
		base := strings.TrimSuffix(part[strings.LastIndex(part, "/")+1:], ".css")
		if !strings.HasPrefix(name, strings.TrimSuffix(base, ".js")+"-") {
			t.Errorf("%s is the name of %s", name, part)
		}
		a := s.get(found[1]+name, "Accept-Encoding", "br")
		if a.StatusCode != http.StatusOK ||
			a.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
			a.Header.Get("Content-Encoding") != "br" {
			t.Errorf("%s: %s %v", name, a.Status, a.Header)
		}
		text := unpack(t, a)
		for _, imported := range importsIn.FindAllStringSubmatch(text, -1) {
			if strings.HasSuffix(name, ".js") && imported[1] != "./"+script {
				t.Errorf("%s imports %s, which the page does not have", name, imported[1])
			}
		}
		if again := s.get(found[1]+name+"?again=1", "Accept-Encoding", "br"); again.body != a.body {
			t.Errorf("%s differs when it is asked for again: %s", name, again.Status)
		}
		if unknown := s.get(found[1] +
			strings.Replace(name, "-", "-0", 1)); unknown.StatusCode != http.StatusNotFound {
			t.Errorf("an unknown part: %s", unknown.Status)
		}
	}
	if text := s.get("/assets/" + script).body; importsOnCall.MatchString(text) ||
		importsIn.MatchString(text) {
		t.Errorf("%s imports something besides the parts that the page names", script)
	}
}

func TestPartForDatagrams(t *testing.T) {
	for name, row := range map[string]struct {
		options []func(*web.Config)
		want    bool
	}{
		"D30 a page knows the module for datagrams":     {[]func(*web.Config){withDatagrams}, true},
		"D30 a page without datagrams does not know it": {nil, false},
		"D30 nor one out of reach": {
			[]func(*web.Config){func(c *web.Config) { c.Datagrams = elsewhere("") }}, false,
		},
		"D30 in development, too": {[]func(*web.Config){unbundled}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStack(t, row.options...)
			k := s.open("chess")
			named := partsOfPage.FindStringSubmatch(s.get("/t/"+k.Table, k.bearer()...).body)[2]
			if strings.Contains(named, "datagrams") != row.want ||
				!strings.Contains(named, "marks") {
				t.Errorf("the page names %s", named)
			}
		})
	}
}

func TestPreloads(t *testing.T) {
	s := newStack(t)
	for game, want := range map[string]struct{ scripts, styles []string }{
		// a clock stands beside the board
		"chess": {[]string{"main", "clocks"}, []string{"table", "clocks"}},
		// there is a clock in the box
		"draughts": {[]string{"main"}, []string{"table"}},
		// its pits belong to seats
		"mancala": {[]string{"main", "abilities"}, []string{"table", "abilities"}},
		"cards":   {[]string{"main", "abilities", "cards"}, []string{"table", "abilities"}},
		"tokens":  {[]string{"main", "abilities", "cards"}, []string{"table", "abilities"}},
	} {
		k := s.open(game)
		page := s.get("/t/"+k.Table, k.bearer()...).body
		names := func(r *regexp.Regexp) (found []string) {
			for _, m := range r.FindAllStringSubmatch(page, -1) {
				found = append(found, m[1])
			}
			return found
		}
		if got := names(preloadsIn); !slices.Equal(got, want.scripts) {
			t.Errorf("%s: scripts %v, want %v", game, got, want.scripts)
		}
		if got := names(stylesIn); !slices.Equal(got, want.styles) {
			t.Errorf("%s: styles %v, want %v", game, got, want.styles)
		}
	}
}

func TestPartNames(t *testing.T) {
	namesOf := func(change func(main string) string) []string {
		s, err := serve(t,
			client(change(`import { answer } from './other.js'; console.log(answer);`)))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(s.PartNames(), " ")
	}
	first := namesOf(func(main string) string { return main })
	if again := namesOf(func(main string) string { return main }); !slices.Equal(first, again) {
		t.Errorf("the same files are %v and %v", first, again)
	}
	other := namesOf(func(main string) string { return main + ` console.log('more');` })
	for i, name := range first {
		if isScript := strings.HasSuffix(name, ".js"); isScript == (name == other[i]) {
			t.Errorf("%s is %s with another page: a part belongs to one page", name, other[i])
		}
	}
}

func TestPartsInDevelopment(t *testing.T) {
	s := newStack(t, unbundled, withDatagrams)
	k := s.open("cards")
	page := s.get("/t/"+k.Table, k.bearer()...).body
	found := partsOfPage.FindStringSubmatch(page)
	if len(found) != 3 || found[2] != strings.Join(web.Parts(), " ") {
		t.Fatalf("the page names %v", found)
	}
	for _, part := range web.Parts() {
		if a := s.get(found[1] + part); a.StatusCode != http.StatusOK ||
			a.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %s %v", part, a.Status, a.Header)
		}
	}
	if !strings.Contains(page,
		`<link rel="modulepreload" href="/assets/js/parts/cards/cards.js">`) {
		t.Error("the cards do not come with the page")
	}
}
