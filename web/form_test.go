package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// swatch is a colour that a form offers.
type swatch struct {
	value, name    string
	chosen, marked bool
}

var swatchPattern = regexp.MustCompile(`(?s)<label class="swatch" title="([^"]*)">\s*` +
	`<input type="radio" name="colour" value="(#[0-9a-f]{6})"( checked)?>` +
	`\s*<svg class="swatch-colour" \w+="(#[0-9a-f]{6})"[^>]*>(.*?)</svg>` +
	`\s*<span class="swatch-name">([^<]*)</span>`)

// swatches reads the colours of a form. Each is drawn as the shape that it stands for, and named
// for screen readers and on the page.
func swatches(t *testing.T, page string) []swatch {
	t.Helper()
	var all []swatch
	for _, m := range swatchPattern.FindAllStringSubmatch(page, -1) {
		if m[2] != m[4] || m[1] != m[6] {
			t.Errorf("%s is shown as %s, and %q is called %q", m[2], m[4], m[6], m[1])
		}
		all = append(all, swatch{value: m[2], name: m[1], chosen: m[3] != "",
			marked: strings.Contains(m[5], "swatch-figure")})
	}
	if len(all) != 12 {
		t.Fatalf("%d colours in %s", len(all), page)
	}
	return all
}

// chosen returns the only colour that is preset.
func chosen(t *testing.T, all []swatch) (c swatch) {
	t.Helper()
	n := 0
	for _, s := range all {
		if s.chosen {
			c, n = s, n+1
		}
	}
	if n != 1 {
		t.Fatalf("%d colours are preset", n)
	}
	return c
}

func TestColours(t *testing.T) {
	s := newStack(t)
	ada := s.browser()
	offered := swatches(t, ada.get("/").body)
	made := ada.submit("/tables",
		url.Values{"game": {"cards"}, "nick": {"Ada"}, "colour": {offered[0].value}})
	var links struct{ Player string }
	ada.get("/api/v1"+strings.Replace(made.Header.Get("Location"),
		"/t/", "/tables/", 1)+"/invites").json(t, &links)
	join := strings.TrimPrefix(links.Player, s.URL)
	sit := func(nick, colour string) {
		t.Helper()
		if a := s.browser().submit(join, url.Values{"nick": {nick},
			"colour": {colour}}); a.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: %s", nick, a.Status)
		}
	}

	t.Run("taken choices are marked, named and not preset", func(t *testing.T) {
		sit("Bob", offered[0].value)
		for range 40 { // the preset is random
			all := swatches(t, s.get(join).body)
			if c := chosen(t, all); c.value == offered[0].value {
				t.Fatal("the preset is taken by Ada and Bob")
			}
			for i, c := range all {
				if c.marked != (i == 0) {
					t.Errorf("%s: marked is %t", c.name, c.marked)
				}
			}
			if want := offered[0].name + ", taken by Ada and Bob"; all[0].name != want {
				t.Fatalf("it is called %q, want %q", all[0].name, want)
			}
		}
	})
	t.Run("a returning person gets another choice, and may insist", func(t *testing.T) {
		if c := chosen(t, swatches(t, ada.get(join).body)); c.value == offered[0].value {
			t.Error("the preset is taken")
		}
		if c := chosen(t, swatches(t, ada.get("/").body)); c.value != offered[0].value {
			t.Errorf("at a new table it is %s", c.name)
		}
		a := ada.submit(join, url.Values{"nick": {""}, "colour": {offered[0].value}})
		if c := chosen(t, swatches(t, a.body)); c.value != offered[0].value {
			t.Errorf("the choice became %s", c.name)
		}
	})
	t.Run("the only free choice is preset; with none free, any", func(t *testing.T) {
		for _, c := range offered[1:11] {
			sit("Cleo", c.value)
		}
		if c := chosen(t, swatches(t, s.get(join).body)); c.value != offered[11].value {
			t.Errorf("the preset is %s", c.name)
		}
		sit("Dora", offered[11].value)
		chosen(t, swatches(t, s.get(join).body))
		if c := chosen(t, swatches(t, ada.get(join).body)); c.value != offered[0].value {
			t.Errorf("a former owner of a colour is offered %s", c.name)
		}
	})
	t.Run("three owners of a choice are named", func(t *testing.T) {
		for _, nick := range []string{"Eve", "Fay"} {
			sit(nick, offered[0].value)
		}
		if got, want := swatches(t, s.get(join).body)[0].name, offered[0].name+
			", taken by Ada, Bob, Eve and others"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
