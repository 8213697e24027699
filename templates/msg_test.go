package templates

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	templparser "github.com/a-h/templ/parser/v2"
)

func TestMsg(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Msg("home.title"), "Board and card games with friends, at one table"},
		{Msg("home.you", "nick", "{home}", "home", "Holt"), "You are {home} of Holt"},
		{Msg("servers.count.set", "n", 1), "1 set of pieces"},
		{Msg("servers.count.set", "n", 0), "0 sets of pieces"},
		{Msg("home.you", "nick", "Ada"), "You are Ada of home"},
		{Msg("no.such"), "no.such"},
		{List(nil), ""},
		{List([]string{"Ann"}), "Ann"},
		{List([]string{"Ann", "Ben"}), "Ann and Ben"},
		{List([]string{"Ann", "Ben", "Cy"}), "Ann, Ben and Cy"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestAMessageWithMarkupEscapesItsText(t *testing.T) {
	var page strings.Builder
	c := msgWith("key.instead", withText("nick", "<Ada>"), with("page", link("/bag", "a & b")))
	if err := c.Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"the bag of &lt;Ada&gt; and", `on <a href="/bag">a &amp; b</a>.`,
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%s lacks %s", page.String(), want)
		}
	}
}

func TestMessagesHaveAFormForAllOtherNumbers(t *testing.T) {
	category := regexp.MustCompile(`^(=\d+|zero|one|two|few|many|other)$`)
	for id, m := range messages {
		if m["other"] == "" {
			t.Errorf("%s has no form for other numbers", id)
		}
		for form := range m {
			if !category.MatchString(form) {
				t.Errorf("%s has an unknown form %s", id, form)
			}
		}
	}
}

// use is a call that gives a message. In its id, * stands for what the source does not say.
type use struct {
	at, id string
	args   []string
}

// TestUses holds the messages against the sources: every message is used, every one that is used
// exists, and the arguments agree.
func TestUses(t *testing.T) {
	used := map[string]bool{}
	uses := append(usesIn(t, "."), usesIn(t, "../web")...)
	if len(uses) < 200 {
		t.Errorf("found %d uses only", len(uses))
	}
	for _, u := range uses {
		pattern := regexp.MustCompile(
			"^" + strings.ReplaceAll(regexp.QuoteMeta(u.id), `\*`, `[\w.-]+`) + "$")
		found := false
		for id, m := range messages {
			if !pattern.MatchString(id) {
				continue
			}
			found, used[id] = true, true
			want := argumentsOf(m)
			if !strings.HasSuffix(u.id, "*") && !slices.Equal(want, u.args) {
				t.Errorf("%s: the arguments of %s are %v, want %v", u.at, id, u.args, want)
			}
		}
		if !found {
			t.Errorf("%s: there is no message %s", u.at, u.id)
		}
	}
	for id := range messages {
		if !used[id] {
			t.Errorf("nothing uses %s", id)
		}
	}
}

// argumentsOf returns the names of a message's arguments in order.
func argumentsOf(m message) []string {
	var names []string
	if len(m) > 1 {
		names = append(names, "n")
	}
	for _, text := range m {
		for _, in := range placeholder.FindAllString(text, -1) {
			names = append(names, strings.Trim(in, "{}"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// usesIn finds the uses of messages in the Go files of a folder, those of the pages included.
func usesIn(t *testing.T, folder string) []use {
	t.Helper()
	var uses []use
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || filepath.Base(file) == "msg.go" {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch nameOf(call.Fun) {
			case "Msg", "HasMsg":
				u := use{at: set.Position(n.Pos()).String(), id: patternOf(call.Args[0])}
				for i := 1; i < len(call.Args); i += 2 {
					u.args = append(u.args, patternOf(call.Args[i]))
				}
				uses = append(uses, u.sorted())
			case "msgWith":
				u := use{at: set.Position(n.Pos()).String(), id: patternOf(call.Args[0])}
				for _, arg := range call.Args[1:] {
					if slot, ok := arg.(*ast.CallExpr); ok {
						u.args = append(u.args, patternOf(slot.Args[0]))
					}
				}
				uses = append(uses, u.sorted())
			}
			return true
		})
	}
	// msg.go itself forms lists.
	if folder == "." {
		uses = append(uses, use{"List", "list.middle", []string{"first", "second"}},
			use{"List", "list.end", []string{"first", "last"}})
	}
	return uses
}

func (u use) sorted() use {
	slices.Sort(u.args)
	return u
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// patternOf returns what the source says of a text. * stands for all else.
func patternOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return text
		}
	case *ast.BinaryExpr:
		return patternOf(e.X) + patternOf(e.Y)
	}
	return "*"
}

// TestNoTextStandsInPages finds texts in pages that are not messages.
func TestNoTextStandsInPages(t *testing.T) {
	// The name of the program, and commands, are the same in all languages.
	allowed := []string{"Holt", "holt verify", "holt verify export.json --noted notes.json"}
	spoken := []string{"aria-label", "title", "placeholder", "alt", "aria-description"}
	files, err := fs.Glob(os.DirFS("."), "*.templ")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		tree, err := templparser.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		check := func(text string) {
			text = strings.TrimSpace(text)
			if regexp.MustCompile(`\pL`).MatchString(text) && !slices.Contains(allowed, text) {
				t.Errorf("%s: %q is not a message", name, text)
			}
		}
		for _, node := range tree.Nodes {
			if page, ok := node.(*templparser.HTMLTemplate); ok {
				walk(page.Children, check, spoken)
			}
		}
	}
}

// walk calls check with every text below some nodes, and with every constant attribute that people
// read or hear.
func walk(nodes []templparser.Node, check func(string), spoken []string) {
	for _, node := range nodes {
		switch n := node.(type) {
		case *templparser.Text:
			check(n.Value)
		case *templparser.StringExpression:
			if text, err := strconv.Unquote(strings.TrimSpace(n.Expression.Value)); err == nil {
				check(text)
			}
		case *templparser.Element:
			for _, a := range n.Attributes {
				constant, ok := a.(*templparser.ConstantAttribute)
				if ok && slices.Contains(spoken, constant.Key.String()) {
					check(constant.Value)
				}
			}
		}
		if parent, ok := node.(interface{ ChildNodes() []templparser.Node }); ok {
			walk(parent.ChildNodes(), check, spoken)
		}
	}
}

// TestNoTextStandsInHandlers finds texts that handlers of web hand to pages and that are not
// messages: in views, and in titles.
func TestNoTextStandsInHandlers(t *testing.T) {
	shown := []string{"Away", "Error", "Name", "Said", "State", "Text", "Title", "Where", "Why"}
	files, err := filepath.Glob("../web/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		check := func(e ast.Expr) {
			if text := patternOf(e); strings.Contains(text, " ") {
				t.Errorf("%s: %q is not a message", set.Position(e.Pos()), text)
			}
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if nameOf(n.Fun) == "head" && len(n.Args) == 1 {
					check(n.Args[0])
				}
			case *ast.CompositeLit:
				of, ok := n.Type.(*ast.SelectorExpr)
				if !ok || nameOf(of.X) != "templates" {
					return true
				}
				for _, e := range n.Elts {
					if pair, ok := e.(*ast.KeyValueExpr); ok {
						check(pair.Value)
					}
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					field, ok := left.(*ast.SelectorExpr)
					if ok && i < len(n.Rhs) && slices.Contains(shown, field.Sel.Name) {
						check(n.Rhs[i])
					}
				}
			}
			return true
		})
	}
}
