package game

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bounds of templates and decks (docs/guides/games.md).
const (
	MaxTemplates = 200
	MaxDecks     = 200
	maxColumn    = 40 // characters of the name of a column
)

// The fields of a row that are not columns of the template. A template may use the name.
const (
	rowName  = "name"
	rowCount = "count"
)

// deck is a list of kinds that are made of a template, a row for each.
type deck struct {
	kinds  []string // their names
	counts []int    // how many pieces of each belong to the deck
	size   int      // the sum of counts
}

// template is what the kinds of a deck have in common, as it stands in the file.
type template struct {
	object  object
	columns map[string]columnUse
}

// columnUse says what a template does with a column.
type columnUse uint8

const (
	inTexts columnUse = 1 << iota // texts, names and colours
	inArt                         // the paths of pictures
)

// readDecks reads the templates and the decks of a game file. It returns the decks by their names,
// and for each row of each deck the object of a kind, as it could stand in kinds.
func readDecks(root object, kindFields []string) (map[string]*deck, []value) {
	templates := readTemplates(root, kindFields)
	if !root.has("decks") || root.r.err != nil {
		if len(templates) > 0 {
			root.fail(root.get("templates"), "templates: no deck uses them")
		}
		return nil, nil
	}
	decks := map[string]*deck{}
	used := map[string]bool{}
	var made []value
	for i, v := range root.list("decks", 1, MaxDecks) {
		o := root.r.object(v, fmt.Sprintf("deck %d", i), "name", "template", "rows")
		name, of := o.text("name", MaxName), o.text("template", MaxName)
		t, known := templates[of]
		switch {
		case decks[name] != nil:
			o.fail(o.get("name"), "another deck is called %q, too", name)
		case !known:
			o.fail(o.get("template"), "template: there is no %q", of)
		}
		used[of] = true
		d := &deck{}
		for n, row := range o.list("rows", 1, MaxKinds) {
			if root.r.err != nil {
				return nil, nil
			}
			made = append(made, t.fill(d, root.r, row, fmt.Sprintf("deck %q: row %d", name, n)))
		}
		decks[name] = d
	}
	for _, name := range slices.Sorted(maps.Keys(templates)) {
		if !used[name] {
			root.fail(templates[name].object.get("name"), "no deck uses the template %q", name)
		}
	}
	return decks, made
}

// readTemplates reads the templates of a game file, by their names.
func readTemplates(root object, kindFields []string) map[string]*template {
	all := map[string]*template{}
	if !root.has("templates") {
		return all
	}
	for i, v := range root.list("templates", 1, MaxTemplates) {
		o := root.r.object(v, fmt.Sprintf("template %d", i), kindFields...)
		name := o.text("name", MaxName)
		if all[name] != nil {
			o.fail(o.get("name"), "another template is called %q, too", name)
		}
		t := &template{object: o, columns: map[string]columnUse{}}
		for _, face := range o.get("faces").items {
			t.read(face, "name", inTexts)
			t.read(face, "art", inArt)
			for _, layer := range face.members["layers"].items {
				t.read(layer, "text", inTexts)
				t.read(layer, "art", inArt)
				t.read(layer, "colour", inTexts)
			}
		}
		all[name] = t
	}
	return all
}

// read notes which columns stand in a field of a face or a layer.
func (t *template) read(of value, field string, use columnUse) {
	v := of.members[field]
	if v.kind != aText {
		return // readKind finds the fault
	}
	parts, err := parsePlaceholders(v.text)
	if err != nil {
		t.object.fail(v, "%s: %w", field, err)
		return
	}
	for _, p := range parts {
		switch {
		case p.column == "":
		case p.column == rowCount:
			t.object.fail(v, "%s: {count} is not a column", field)
		case use == inArt && len(parts) > 1:
			t.object.fail(v, "%s: a column stands for the whole path of a picture", field)
		case t.columns[p.column]|use == inTexts|inArt:
			t.object.fail(v, "%s: {%s} is in one place a picture, and in another one a text", field,
				p.column)
		}
		if p.column != "" {
			t.columns[p.column] |= use
		}
	}
	if t.columns[rowName]&inArt != 0 {
		t.object.fail(v, "%s: {name} is a text", field)
	}
}

// placeholder is a piece of a text: the name of a column, or text as it stands.
type placeholder struct{ column, text string }

// parsePlaceholders divides a text at its columns, which stand in braces. {{ is a brace.
func parsePlaceholders(text string) (parts []placeholder, err error) {
	plain := ""
	for text != "" {
		before, rest, open := strings.Cut(text, "{")
		plain += before
		if !open {
			break
		}
		if after, ok := strings.CutPrefix(rest, "{"); ok {
			plain, text = plain+"{", after
			continue
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return nil, fmt.Errorf("%q has no } behind {; write {{ for a brace", text)
		}
		if err := CheckName(name, 1, maxColumn); err != nil {
			return nil, fmt.Errorf("the column in {%s}: %w", name, err)
		}
		if plain != "" {
			parts = append(parts, placeholder{text: plain})
		}
		parts, plain, text = append(parts, placeholder{column: name}), "", after
	}
	if plain != "" {
		parts = append(parts, placeholder{text: plain})
	}
	return parts, nil
}

// fill returns the object of the kind that a row makes of the template, and adds it to the deck.
func (t *template) fill(d *deck, r *reader, row value, where string) value {
	fields := append(slices.Collect(maps.Keys(t.columns)), rowName, rowCount)
	o := r.object(row, where, fields...)
	for name, v := range o.members {
		if name != rowCount && v.kind != aText {
			o.want(name, aText) // fails
		}
	}
	count := 1
	if o.has(rowCount) {
		count = int(o.integer(rowCount, 0, MaxPieces))
	}
	d.kinds, d.counts = append(d.kinds, o.text(rowName, MaxName)), append(d.counts, count)
	if d.size += count; d.size > MaxPieces {
		o.fail(o.get(rowCount), "the deck has more than %d pieces up to here", MaxPieces)
	}
	kind := value{at: row.at, key: row.key, kind: anObject, members: maps.Clone(t.object.members)}
	kind.members[rowName] = o.get(rowName)
	eachFace(kind, func(of value, fields ...string) value { return t.filled(o, of, fields...) })
	return kind
}

// filled returns an object with what a row has for the columns in its fields.
func (t *template) filled(row object, of value, fields ...string) value {
	if of.kind != anObject {
		return of
	}
	of.members = maps.Clone(of.members)
	for _, field := range fields {
		v := of.members[field]
		if v.kind != aText || !strings.Contains(v.text, "{") {
			continue
		}
		parts, err := parsePlaceholders(v.text)
		if err != nil {
			continue // it is in the error already
		}
		if len(parts) == 1 && parts[0].column != "" {
			// What is wrong with it is wrong in the row.
			in := row.get(parts[0].column)
			in.kind, in.key = aText, v.key
			of.members[field] = in
			continue
		}
		text := ""
		for _, p := range parts {
			text += p.text + row.get(p.column).text
		}
		v.text = text
		of.members[field] = v
	}
	return of
}
