package web_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"holt/static"
)

// The dialog in which players say how they appear offers the colours of the page on which they took
// their seats.
func TestPalette(t *testing.T) {
	s := newStack(t)
	var want []string
	for _, m := range regexp.MustCompile(
		`<label class="swatch" title="(\w+)"><input type="radio" name="colour" value="#([0-9a-f]{6})"`,
	).FindAllStringSubmatch(s.get("/").body, -1) {
		// each form of the page has them
		if c := fmt.Sprintf("%s %s", strings.ToLower(m[1]), m[2]); !slices.Contains(want, c) {
			want = append(want, c)
		}
	}
	colours, err := static.Files.ReadFile("js/parts/profiles/colours.js")
	s.must(err)
	var got []string
	inPage := regexp.MustCompile(`id: '(\w+)', colour: 0x([0-9a-f]{6})`)
	for _, m := range inPage.FindAllStringSubmatch(string(colours), -1) {
		got = append(got, fmt.Sprintf("%s %s", m[1], m[2]))
	}
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("the dialog offers %v, the page %v", got, want)
	}
}
