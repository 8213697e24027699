package web

import (
	"encoding/json"
	"strings"
	"testing"
)

// proseOf returns what stands in a text as JSON, without escapes for HTML.
func proseOf(t *testing.T, source string) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(prose([]byte(source))); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// TestProse shows which elements a page gets of a text in Markdown.
// Clauses: G12.2
func TestProse(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"headings and paragraphs", "# Cast\nOne\ntwo.\n\n## Draw",
			`[{"tag":"h1","in":["Cast"]},{"tag":"p","in":["One\ntwo."]},{"tag":"h2","in":["Draw"]}]`},
		{"emphasis and code", "*a* **b** ~~c~~ `d<e>`",
			`[{"tag":"p","in":[{"tag":"em","in":["a"]}," ",{"tag":"strong","in":["b"]}," ",` +
				`{"tag":"s","in":["c"]}," ",{"tag":"code","in":["d<e>"]}]}]`},
		{"lists", "3. x\n4. y\n\n- z",
			`[{"tag":"ol","start":3,"in":[{"tag":"li","in":["x"]},{"tag":"li","in":["y"]}]},` +
				`{"tag":"ul","in":[{"tag":"li","in":["z"]}]}]`},
		{"a table", "| a | b |\n|---|---|\n| 1 | 2 |",
			`[{"tag":"table","in":[{"tag":"thead","in":[{"tag":"tr","in":[{"tag":"th","in":["a"]},` +
				`{"tag":"th","in":["b"]}]}]},{"tag":"tr","in":[{"tag":"td","in":["1"]},` +
				`{"tag":"td","in":["2"]}]}]}]`},
		{"signs that Markdown needs", `\* &amp; &#65;`, `[{"tag":"p","in":["* & A"]}]`},
		{"lines that end", "a  \nb<br>c",
			`[{"tag":"p","in":["a",{"tag":"br"},"b",{"tag":"br"},"c"]}]`},
		{"a block of code", "```\n# <b>\n\nx\n```",
			`[{"tag":"pre","in":["# <b>\n\nx\n"]}]`},
		{"HTML is the text that it is", "a <b onclick=x>b</b>\n\n<script>alert(1)</script>\n\nc",
			`[{"tag":"p","in":["a <b onclick=x>b</b>"]},` +
				`{"tag":"p","in":["<script>alert(1)</script>"]},{"tag":"p","in":["c"]}]`},
		{"comments are left out", "<!-- a -->\n\nb<!-- c -->", `[{"tag":"p","in":["b"]}]`},
		{"links to other sites", "[a](https://a.example/?b&c) <mailto:d@e.example>",
			`[{"tag":"p","in":[{"tag":"a","href":"https://a.example/?b&c","in":["a"]}," ",` +
				`{"tag":"a","href":"mailto:d@e.example","in":["mailto:d@e.example"]}]}]`},
		{"other links are their texts",
			"[a](javascript:alert(1)) [b](/t) [c](data:text/html,x) [d](#e) [f](//g.example)",
			`[{"tag":"p","in":["a b c d f"]}]`},
		{"links that are written elsewhere", "# A\n[b][c]\n\n# D\n\n[c]: https://c.example\n",
			`[{"tag":"h1","in":["A"]},{"tag":"p","in":[{"tag":"a","href":"https://c.example",` +
				`"in":["b"]}]},{"tag":"h1","in":["D"]}]`},
		{"a picture is its text", "![A board](https://a.example/board.png)",
			`[{"tag":"p","in":["A board"]}]`},
	} {
		if got := proseOf(t, c.source); got != c.want {
			t.Errorf("G12.2 %s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestProseOfHostileTexts reads texts that would take the library minutes or more as a whole.
func TestProseOfHostileTexts(t *testing.T) {
	for _, part := range []string{
		">", "[", "![", "a*b_", "1. ", "[a](", "|\n", "**a ", "- ", "<", "~~", "[a]: b\n",
	} {
		for _, block := range []string{
			strings.Repeat(part, maxSection*9/10/len(part)) + "\n\n", strings.Repeat(part, 4*maxSection),
		} {
			source := strings.Repeat(block, (maxProse+maxSection)/len(block)+1)
			var walk func(in []any, depth int) int
			walk = func(in []any, depth int) (n int) {
				if depth > maxProseDepth+4 {
					t.Fatalf("%q: elements are %d deep", part, depth)
				}
				for _, e := range in {
					n++
					if e, ok := e.(*proseJSON); ok {
						n += walk(e.In, depth+1)
					}
				}
				return n
			}
			if n := walk(prose([]byte(source)), 0); n > 2*maxProseNodes {
				t.Errorf("%q: %d elements", part, n)
			}
		}
	}
}

// TestSections shows where a text is divided before it is read.
func TestSections(t *testing.T) {
	long := strings.Repeat(strings.Repeat("word ", 100)+"\n\n", 20)
	for _, c := range []struct {
		name, source string
		want         int
	}{
		{"before headings", "a\n# b\nc\n# d\n", 3},
		{"not in code", "a\n```\n# b\n```\n# c\n", 2},
		{"at empty lines, if it is long", long, 2},
		{"nothing", "", 0},
	} {
		all := sections([]byte(c.source))
		together := ""
		for _, s := range all {
			together += string(s)
			if len(s) > maxSection {
				t.Errorf("%s: a section has %d bytes", c.name, len(s))
			}
		}
		if len(all) != c.want || together != c.source {
			t.Errorf("%s: %d sections, not %d, of %d bytes", c.name, len(all), c.want, len(together))
		}
	}
}
