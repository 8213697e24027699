package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"holt/server/play/game"
)

// samplesFolder has the samples of the guide.
const samplesFolder = "../../docs/guides/samples"

// runGame runs holt game with these arguments, and returns what it prints and its exit status.
func runGame(t *testing.T, in string, args ...string) (out, errs string, status int) {
	t.Helper()
	var printed, said bytes.Buffer
	std := streams{In: strings.NewReader(in), Out: &printed, Err: &said}
	status = run(t.Context(), append([]string{"game"}, args...), std, nil)
	return printed.String(), said.String(), status
}

// sampleGames returns the samples by the paths of their files.
func sampleGames(t *testing.T) map[string]*game.Packed {
	t.Helper()
	files := os.DirFS(samplesFolder)
	names, err := fs.Glob(files, "*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("there are no samples: %v", err)
	}
	all := map[string]*game.Packed{}
	for _, name := range names {
		doc, err := fs.ReadFile(files, name)
		must(t, err)
		p, err := game.ReadLoose(doc, game.FilesOf(files, ".", files))
		must(t, err)
		all[filepath.Join(samplesFolder, name)] = p
	}
	return all
}

// TestCheckSamples shows what holt game check says of the samples. testdata/samples.golden has it
// without the identities.
func TestCheckSamples(t *testing.T) {
	var all strings.Builder
	games := sampleGames(t)
	for _, file := range slices.Sorted(maps.Keys(games)) {
		out, errs, status := runGame(t, "", "check", file)
		if status != exitOK || errs != "" {
			t.Errorf("%s: the exit status is %d: %s", file, status, errs)
		}
		identity := fmt.Sprintf("Its identity is %x\n", games[file].ID)
		if !strings.Contains(out, identity) {
			t.Errorf("%s: %s has not %s", file, out, identity)
		}
		out = strings.ReplaceAll(out, identity, "")
		all.WriteString(strings.ReplaceAll(out, samplesFolder+string(filepath.Separator), ""))
	}
	want, err := os.ReadFile("testdata/samples.golden")
	must(t, err)
	if all.String() != string(want) {
		t.Errorf("it says\n%s\nwant\n%s", all.String(), want)
	}
}

// TestCheckFaults shows that holt game check names the line and the column of a fault, and exits
// with 1. Each is one change of a sample.
// Clauses: G4.1
func TestCheckFaults(t *testing.T) {
	folder := t.TempDir()
	must(t, os.CopyFS(folder, os.DirFS(samplesFolder)))
	doc, err := os.ReadFile(filepath.Join(folder, "caravan.json"))
	must(t, err)
	for _, f := range []struct {
		name, old, now string // now has the place of the fault behind »
		says           string // … is the rest of it
	}{
		{"a word", `"surface": "felt"`, `"surface": »"sand"`,
			`table: surface: "sand" is not felt or wood or slate or paper`},
		{"a number", `"width": 8000`, `"width": »800`,
			`table: width: 800 is not a whole number from 1000 to 100000`},
		{"a field", `"setups":`, `»"layouts":`,
			`unknown field "layouts"`},
		{"a field that is there twice", `"setups":`, `"setups": [], »"setups":`,
			`"setups" stands here a second time`},
		{"a comma", `"seats": [`, `"seats": [»,`,
			`the value is not a number`},
		{"the end", "  ]\n}\n", "  ]\n»",
			`it ends too early`},
		{"the kind of a step", `"kind": "Leader"}]}`, `"kind": »"Leadr"}]}`,
			`kind 13: button: step 2: no kind "Leadr"`},
		{"a step", `"do": "sort", "kind": "Camp"`, `"do": "sort", "kind": »"Purse"`,
			`kind 15: button: step 0: "Purse" is no zone`},
		{"a verb", `"do": "sort"`, `"do": »"tidy"`,
			`kind 15: button: step 0: do: "tidy" is not …`},
		{"a comparison", `"is": ">=", "n": 8`, `"is": »"=>", "n": 8`,
			`kind 13: button: step 0: is: "=>" is not = or < or <= or > or >=`},
		{"a set-up", `"do": "set up", "name": "2 players"`, `"do": "set up", "name": »"3 players"`,
			`kind 16: button: step 0: no set-up is called "3 players"`},
		{"who sets up", `"button": {"who": "host", "steps": [
       {"do": "set up",`, `"button": {"steps": »[
       {"do": "set up",`,
			`kind 16: button: steps: only a button of the host sets up, with "who": "host"`},
		{"a picture", `"art": "caravan/camel.svg"`, `"art": »"caravan/mule.svg"`,
			`kind 9: face 0: art: there is no file art/caravan/mule.svg`},
		{"a mask", `"mask": "Sack"`, `"mask": »"Camel"`,
			`the kind "Silk" of a deck: the mask "Camel" differs in size, shape or weight`},
		{"a column of a deck", `"worth": "3", "fine"`, `"worth": "3", »"price"`,
			`deck "Goods": row 3: unknown field "price"`},
		{"a piece of a seat", `"hand": 0, "pieces": [1, 2]`, `"hand": 0, "pieces": [1, »0]`,
			`seat 0: pieces: piece 0 is a hand, which belongs into hand`},
		{"a kind of a piece", `{"kind": "Tip", "x"`, `{"kind": »"Tap", "x"`,
			`piece 14: no kind "Tap"`},
		{"rules", `"rules": "caravan.md"`, `"rules": »"how.md"`,
			`about: there is no file how.md`},
	} {
		t.Run(f.name, func(t *testing.T) {
			if strings.Count(string(doc), f.old) == 0 {
				t.Fatalf("the sample has not %s", f.old)
			}
			wrong := strings.Replace(string(doc), f.old, f.now, 1)
			before, after, _ := strings.Cut(wrong, "»")
			line := 1 + strings.Count(before, "\n")
			column := len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
			file := filepath.Join(folder, "wrong.json")
			must(t, os.WriteFile(file, []byte(before+after), 0o600))
			want := fmt.Sprintf("holt: %s: line %d, column %d: %s\n", file, line, column, f.says)
			for _, args := range [][]string{
				{"check", file}, {"render", file, "-o", filepath.Join(folder, "out")}, {"pack", file},
			} {
				out, errs, status := runGame(t, "", args...)
				head, _, isHead := strings.Cut(want, "…")
				if status != exitFault || out != "" || isHead && !strings.HasPrefix(errs, head) ||
					!isHead && errs != want {
					t.Errorf("%s: %d, %q and %q, want %q", args[0], status, out, errs, want)
				}
			}
			if _, err := os.Stat(filepath.Join(folder, "out")); err == nil {
				t.Error("something was drawn")
			}
		})
	}
}

// TestCheckWithoutFile shows that holt game exits with 2 if it cannot read the file.
func TestCheckWithoutFile(t *testing.T) {
	for _, verb := range []string{"check", "render", "pack", "unpack"} {
		out, errs, status := runGame(t, "", verb, "nowhere.json")
		if status != exitUsage || out != "" || errs != "holt: there is no file nowhere.json\n" {
			t.Errorf("%s: %d, %q and %q", verb, status, out, errs)
		}
		if _, _, status := runGame(t, "", verb); status != exitUsage {
			t.Errorf("%s without a file: %d", verb, status)
		}
	}
	out, errs, status := runGame(t, `{"format": "holt.game/3"}`, "check", "-")
	want := "holt: -: line 1, column 12: format: \"holt.game/3\" is not holt.game/1 or holt.game/2\n"
	if status != exitFault || out != "" || errs != want {
		t.Errorf("%d, %q and %q", status, out, errs)
	}
}

// TestRenderSamples shows that holt game render draws each set-up of the samples, each with the
// pieces that it has, in their places.
// Clauses: G8.2
func TestRenderSamples(t *testing.T) {
	for file, p := range sampleGames(t) {
		folder := t.TempDir()
		out, errs, status := runGame(t, "", "render", file, "-o", folder)
		if status != exitOK || errs != "" {
			t.Fatalf("%s: %d, %s", file, status, errs)
		}
		files, err := os.ReadDir(folder)
		must(t, err)
		want := 1 + len(p.Game.Setups) + len(p.Game.Further)
		if len(files) != want || strings.Count(out, "\n") != want {
			t.Errorf("%s: there are %d drawings, and it says %s", file, len(files), out)
		}
		for i, name := range append([]string{p.Game.ID + ".svg"}, further(p.Game)...) {
			data, err := os.ReadFile(filepath.Join(folder, name))
			must(t, err)
			if got, want := drawn(t, data), wanted(p.Game, i); !slices.Equal(got, want) {
				t.Errorf("%s shows\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if !strings.Contains(out, filepath.Join(folder, name)+" shows "+p.Game.Name) {
				t.Errorf("%s is not in %s", name, out)
			}
		}
		for i, of := range p.Game.Further {
			name := fmt.Sprintf("%s-table-%d.svg", of.ID, i+2)
			data, err := os.ReadFile(filepath.Join(folder, name))
			must(t, err)
			if got, want := drawn(t, data), wanted(of, 0); !slices.Equal(got, want) {
				t.Errorf("%s shows\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// further returns the names of the drawings of further set-ups.
func further(g *game.Game) (names []string) {
	for i := range g.Setups {
		names = append(names, fmt.Sprintf("%s-%d.svg", g.ID, i+2))
	}
	return names
}

// drawn returns the pieces of a drawing, each with its place and its face.
func drawn(t *testing.T, svg []byte) (all []string) {
	t.Helper()
	var root struct {
		Groups []struct {
			Transform string `xml:"transform,attr"`
			Title     string `xml:"title"`
		} `xml:"g"`
	}
	must(t, xml.Unmarshal(svg, &root))
	for _, g := range root.Groups {
		place, _, _ := strings.Cut(g.Transform, " rotate")
		if g.Title != "" {
			all = append(all, place+" "+g.Title)
		}
	}
	return all
}

// wanted returns the pieces that lie on the table in a set-up, in drawing order.
func wanted(g *game.Game, setup int) (all []string) {
	for _, p := range g.PiecesOf(&g.AllSetups()[setup]) {
		if p.In != game.NotIn {
			continue
		}
		face := g.Kinds[p.Kind].Faces[p.Face].Name
		all = append(all, fmt.Sprintf("translate(%d %d) %s", p.X, p.Y, face))
	}
	return all
}
