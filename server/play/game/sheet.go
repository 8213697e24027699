package game

import "slices"

// Bounds of the score sheet of a game file. They are within those of the components that it becomes
// (C14).
const (
	MaxSheetTitle   = 80 // characters
	MaxSheetText    = 40 // characters of a heading, and of the name of a row
	MaxSheetColumns = 32
	MaxSheetRows    = 64
)

// Sheet is the score sheet with which a new table begins. Without columns there is none.
type Sheet struct {
	Title   string   // "" for none
	Columns []string // headings
	Rows    []string // names of rows, if there are any
}

// catalogSheet is the form of a score sheet in catalogues (docs/protocol/http.md).
type catalogSheet struct {
	Title   string   `json:"title,omitempty"`
	Columns []string `json:"columns"`
	Rows    []string `json:"rows,omitempty"`
}

// equal reports whether two score sheets say the same.
func (s *Sheet) equal(other *Sheet) bool {
	return s.Title == other.Title && slices.Equal(s.Columns, other.Columns) &&
		slices.Equal(s.Rows, other.Rows)
}

// catalog returns the form of the sheet in a catalogue, nil if there is none.
func (s *Sheet) catalog() *catalogSheet {
	if len(s.Columns) == 0 {
		return nil
	}
	return &catalogSheet{s.Title, s.Columns, s.Rows}
}

// in returns the sheet in a language.
func (s *Sheet) in(texts map[string]string) Sheet {
	all := func(written []string) (to []string) {
		for _, text := range written {
			to = append(to, InLanguage(texts, text))
		}
		return to
	}
	return Sheet{Title: InLanguage(texts, s.Title), Columns: all(s.Columns), Rows: all(s.Rows)}
}

// readSheet reads a score sheet, in game files and catalogues alike.
func readSheet(root object, field string) (s Sheet) {
	if !root.has(field) {
		return s
	}
	o := root.r.object(root.get(field), field, "title", "columns", "rows")
	if o.has("title") {
		s.Title = o.text("title", MaxSheetTitle)
	}
	s.Columns = o.texts("columns", 1, MaxSheetColumns, MaxSheetText)
	if o.has("rows") {
		s.Rows = o.texts("rows", 1, MaxSheetRows, MaxSheetText)
	}
	return s
}

// texts returns a list of low to high texts of up to most characters.
func (o object) texts(name string, low, high, most int) (all []string) {
	for i, v := range o.list(name, low, high) {
		if err := CheckName(v.text, 1, most); v.kind != aText || err != nil {
			o.fail(v, "%s: entry %d is not a text of 1 to %d printable characters in one line", name, i,
				most)
			return nil
		}
		all = append(all, v.text)
	}
	return all
}
