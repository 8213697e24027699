package game

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// People translate the texts of a game in a spreadsheet: a table of the texts that stand in the
// game, and what they are in the other language.

// translationHead names the columns of such a table.
var translationHead = []string{"text", "translation"}

// Translation returns the texts of the game with what they are in a language, as CSV. What the game
// does not have in that language is empty.
func (g *Game) Translation(tag string) []byte {
	var in map[string]string
	for i := range g.Languages {
		if g.Languages[i].Tag == tag {
			in = g.Languages[i].Texts
		}
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	_ = w.Write(translationHead) // a buffer takes everything
	for _, text := range slices.Sorted(maps.Keys(g.texts())) {
		_ = w.Write([]string{text, in[text]})
	}
	w.Flush()
	return out.Bytes()
}

// ReadTranslation returns the file of a language in a game (G6) of a table as Translation writes
// it, or of such a file. Texts that the table leaves empty stay as they are.
func ReadTranslation(data []byte) ([]byte, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return data, nil
	}
	if !utf8.Valid(data) {
		return nil, errors.New("it is not UTF-8")
	}
	r := csv.NewReader(bytes.NewReader(data))
	if line, _, _ := strings.Cut(string(data), "\n"); !strings.Contains(line, ",") {
		r.Comma = ';'
	}
	lines, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 || !slices.Equal(lines[0], translationHead) {
		return nil, fmt.Errorf("its columns are not %s", strings.Join(translationHead, " and "))
	}
	texts := map[string]string{}
	for _, line := range lines[1:] {
		if line[1] != "" {
			texts[line[0]] = line[1]
		}
	}
	return writeTexts(texts)
}

// Fitting returns the languages of a game without texts for what does not stand there any more. One
// of which nothing is left, or that cannot be read, is left out.
func (g *Game) Fitting() (all []Language) {
	known := g.texts()
	for _, l := range g.Languages {
		var doc struct {
			Texts map[string]string `json:"texts"`
		}
		if json.Unmarshal(l.Data, &doc) != nil {
			continue
		}
		maps.DeleteFunc(doc.Texts, func(text, _ string) bool { _, ok := known[text]; return !ok })
		if data, err := writeTexts(doc.Texts); err == nil && len(doc.Texts) > 0 {
			all = append(all, Language{Tag: l.Tag, Data: data})
		}
	}
	return all
}

// writeTexts returns the file of a language.
func writeTexts(texts map[string]string) ([]byte, error) {
	var out bytes.Buffer
	w := json.NewEncoder(&out)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	err := w.Encode(map[string]map[string]string{"texts": texts})
	return out.Bytes(), err
}
