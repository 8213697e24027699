package game

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MaxLanguage is the most bytes of a file with the texts of a game in one language.
const MaxLanguage = 256 << 10

// Language has texts of a game in one language, by what stands in the game. Those that it lacks
// stay as they are.
type Language struct {
	Tag   string
	Texts map[string]string
	Data  []byte // the file that has the texts
	Hash  [sha256.Size]byte
}

// readLanguages reads the languages of a game file, ordered by their tags. g must have all that has
// texts.
func readLanguages(root object, lib *library, g *Game) (all []Language) {
	if !root.has("languages") {
		return nil
	}
	v, ok := root.want("languages", anObject)
	if n := len(v.members); ok && (n < 1 || n > MaxLanguages) {
		root.fail(v, "languages has %d entries, not 1 to %d", n, MaxLanguages)
	}
	if root.r.err != nil {
		return nil
	}
	known := g.texts()
	o := object{r: root.r, where: "languages", at: v.at, members: v.members}
	for _, t := range slices.Sorted(maps.Keys(v.members)) {
		if err := checkTag(t); err != nil {
			o.fail(value{at: o.get(t).key}, "%w", err)
			return nil
		}
		path, want := languagePath(t), (*[sha256.Size]byte)(nil)
		if lib.packed {
			want = hashText(o, t)
		} else {
			path = o.text(t, maxPath)
		}
		data, hash := lib.beside(o, o.get(t), path, want)
		if root.r.err != nil {
			return nil
		}
		texts, err := readLanguage(data, known)
		if err != nil {
			o.fail(o.get(t), "%s: %w", path, err)
			return nil
		}
		lib.refer(o.get(t), reference{name: languagePath(t), data: data, hash: hash})
		all = append(all, Language{Tag: t, Texts: texts, Data: data, Hash: hash})
	}
	return all
}

// languagePath is the path of a language in a packed game.
func languagePath(tag string) string { return "lang/" + tag + ".json" }

// LanguageOf returns the tag of a language by its path in a packed game, and false if there is no
// language there.
func LanguageOf(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, "lang/")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, ".json")
}

// readLanguage reads the texts in one language. known has the most characters of each text of the
// game, as texts returns it.
func readLanguage(doc []byte, known map[string]int) (map[string]string, error) {
	if len(doc) > MaxLanguage {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(doc), MaxLanguage)
	}
	r, root := readDocument(doc)
	o := r.object(root, "", "texts")
	v, _ := o.want("texts", anObject)
	texts := make(map[string]string, len(v.members))
	for _, from := range slices.Sorted(maps.Keys(v.members)) {
		to := v.members[from]
		limit, ok := known[from]
		switch {
		case !ok:
			r.fail(to.key, "texts", "%q stands nowhere in the game", from)
		case to.kind != aText:
			r.fail(to.at, "texts", "%q: want %s, not %s", from, aText, to.kind)
		default:
			var err error
			switch limit {
			case ofNote:
				err = checkInitial(to.text)
			case ofLayer:
				err = checkLayerText(to.text)
			default:
				err = CheckName(to.text, 1, limit)
			}
			if err != nil {
				r.fail(to.at, "texts", "%q: %w", from, err)
			}
		}
		texts[from] = to.text
	}
	return texts, r.err
}

// ofNote and ofLayer stand for the bounds of the text of a note, and of a text on a face.
const (
	ofNote  = 0
	ofLayer = -1
)

// texts returns all texts of a game that people read, and how many characters a text in another
// language may have in their place. Those of notes and on faces have the bounds of these.
func (g *Game) texts() map[string]int {
	all := map[string]int{}
	for i := range g.Kinds {
		if text := g.Kinds[i].Text.Initial; text != "" {
			all[text] = ofNote
		}
	}
	for i := range g.Kinds {
		for _, f := range g.Kinds[i].Faces {
			for j := range f.Layers {
				if text := f.Layers[j].Text; text != "" {
					all[text] = ofLayer
				}
			}
		}
	}
	add := func(text string, limit int) {
		if old, ok := all[text]; text != "" && (!ok || old <= ofNote || limit < old) {
			all[text] = limit
		}
	}
	add(g.Name, MaxName)
	add(g.Summary, MaxSummary)
	for i := range g.Kinds {
		k := &g.Kinds[i]
		add(k.Name, MaxName)
		for _, f := range k.Faces {
			add(f.Name, MaxName)
		}
		for _, names := range [][]string{k.Grid.ColumnNames, k.Grid.RowNames, k.Grid.CellNames} {
			for _, name := range names {
				add(name, maxCellName)
			}
		}
		for _, p := range k.Snaps.Points {
			add(p.Name, maxCellName)
		}
		for _, q := range k.Button.Questions() {
			add(q.Name, MaxName)
			add(q.Text, MaxQuestion)
			for _, choice := range q.Choices {
				add(choice, MaxChoice)
			}
		}
	}
	add(g.Sheet.Title, MaxSheetTitle)
	for _, text := range slices.Concat(g.Sheet.Columns, g.Sheet.Rows) {
		add(text, MaxSheetText)
	}
	for _, s := range g.Seats {
		add(s.Name, MaxName)
	}
	for _, s := range g.AllSetups() {
		if s.Name != "" {
			add(s.Name, MaxSetupName)
		}
	}
	return all
}
