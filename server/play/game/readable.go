package game

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A readable game is a zip of loose files that people read and keep in version control (G26): the
// game file, its decks as CSV, and its pictures by the names of what they show.

// The folder and the ending of the decks of a readable game.
const (
	deckFolder = "decks/"
	deckEnding = ".csv"
)

// Readable returns the game as readable files, the game file first.
func (p *Packed) Readable() []File {
	swap := map[int]value{p.root.members["format"].at: textValue(format2)}
	all, names := map[string][]byte{}, p.pictureNames()
	for at, ref := range p.refs {
		file := ref.name
		if file == "" {
			swap[at] = textValue(names[ref.hash])
			file = artFolder + names[ref.hash]
		} else {
			swap[at] = textValue(file)
		}
		all[file] = ref.data
	}
	taken := map[string]bool{}
	for _, deck := range p.root.members["decks"].items {
		rows := deck.members["rows"]
		table, empty, ok := writeRows(rows, swap)
		if !ok {
			continue
		}
		file := deckFolder + freeName(slug(deck.members["name"].text, "deck"), deckEnding, taken)
		of := map[string]value{"csv": textValue(file)}
		if len(empty) > 0 {
			list := value{at: nowhere, kind: anArray}
			for _, column := range empty {
				list.items = append(list.items, textValue(column))
			}
			of["empty"] = list
		}
		swap[rows.at] = value{at: nowhere, kind: anObject, members: of}
		all[file] = table
	}
	files := []File{{p.Game.ID + ".json", pretty(p.root, swap)}}
	for _, name := range sortedNames(all) {
		files = append(files, File{name, all[name]})
	}
	return files
}

// ReadableBytes returns the readable files as one zip.
func (p *Packed) ReadableBytes() ([]byte, error) {
	data := appendZip(p.Readable())
	again, err := ReadReadable(data)
	if err == nil && again.ID != p.ID {
		err = errors.New("it is another game then")
	}
	if err != nil {
		return nil, fmt.Errorf("as readable files it cannot be read: %w", err)
	}
	return data, nil
}

// pictureNames returns a name for each picture of the game: that of the kind, and of the face.
func (p *Packed) pictureNames() map[[32]byte]string {
	names, taken := map[[32]byte]string{}, map[string]bool{}
	add := func(hash [32]byte, parts ...string) {
		art, ok := p.Game.Art[hash]
		if _, named := names[hash]; ok && !named {
			names[hash] = freeName(slug(strings.Join(parts, " "), "picture"), endings[art.Type], taken)
		}
	}
	for i := range p.Game.Kinds {
		k := &p.Game.Kinds[i]
		for _, f := range k.Faces {
			parts := []string{k.Name}
			if f.Name != k.Name && len(k.Faces) > 1 {
				parts = append(parts, f.Name)
			}
			add(f.Art, parts...)
			for j := range f.Layers {
				add(f.Layers[j].Art, parts...)
			}
		}
	}
	for _, ref := range p.refs { // of a column that no face shows
		if _, named := names[ref.hash]; ref.name == "" && !named {
			names[ref.hash] = hex.EncodeToString(ref.hash[:]) + endings[ref.art]
		}
	}
	return names
}

// maxFileName is the most characters of a name before its ending.
const maxFileName = 48

// slug returns a name of small letters, digits and hyphens; or other if there is none.
func slug(text, other string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(text) {
		switch {
		case b.Len() >= maxFileName:
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if name := strings.Trim(b.String(), "-"); name != "" {
		return name
	}
	return other
}

// freeName returns a name that is not taken, and takes it.
func freeName(name, ending string, taken map[string]bool) string {
	free := name + ending
	for n := 2; taken[free]; n++ {
		free = fmt.Sprint(name, "-", n, ending)
	}
	taken[free] = true
	return free
}

// writeRows returns the rows of a deck as CSV, and in which columns an empty cell is an empty text,
// and not a missing one. It reports false if CSV would not give the same rows back.
func writeRows(rows value, swap map[int]value) (table []byte, empty []string, ok bool) {
	var columns []string
	for _, row := range rows.items {
		for name, v := range row.members {
			if !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
			if v.kind == aText && v.text == "" && !slices.Contains(empty, name) {
				empty = append(empty, name)
			}
		}
	}
	slices.Sort(empty)
	first := func(name string) int { return slices.Index([]string{rowName, rowCount, name}, name) }
	slices.SortFunc(columns, func(a, b string) int {
		if d := first(a) - first(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	err := w.Write(columns)
	for _, row := range rows.items {
		cells := make([]string, len(columns))
		for i, name := range columns {
			v := row.members[name]
			if other, swapped := swap[v.at]; swapped && v.kind == aText {
				v = other
			}
			cells[i] = v.text
		}
		if err == nil {
			err = w.Write(cells)
		}
	}
	w.Flush()
	if err != nil || w.Error() != nil {
		return nil, nil, false
	}
	again, err := readRows(out.Bytes(), empty)
	if err != nil || !bytes.Equal(canonical(again, nil), canonical(rows, swap)) {
		return nil, nil, false
	}
	return out.Bytes(), empty, true
}

// readRows reads the rows of a deck from CSV. The first line has the names of the columns. An empty
// cell is missing, but an empty text in the columns of empty.
func readRows(table []byte, empty []string) (rows value, err error) {
	table = bytes.TrimPrefix(table, []byte("\ufeff"))
	if len(table) > MaxDocument || !utf8.Valid(table) {
		return rows, fmt.Errorf("it is not UTF-8, or has more than %d bytes", MaxDocument)
	}
	r := csv.NewReader(bytes.NewReader(table))
	if line, _, _ := bytes.Cut(table, []byte("\n")); !bytes.Contains(line, []byte(",")) &&
		bytes.Contains(line, []byte(";")) {
		r.Comma = ';' // as spreadsheets write it where a comma is that of numbers
	}
	lines, err := r.ReadAll()
	if err != nil {
		return rows, err
	}
	if len(lines) < 2 || len(lines) > 1+MaxKinds {
		return rows, fmt.Errorf("it has %d rows, not 1 to %d", max(0, len(lines)-1), MaxKinds)
	}
	rows = value{at: nowhere, kind: anArray}
	for n, cells := range lines[1:] {
		row := value{at: nowhere, kind: anObject, members: map[string]value{}}
		for i, text := range cells {
			column := lines[0][i]
			if slices.Contains(lines[0][:i], column) {
				return rows, fmt.Errorf("it has two columns %q", column)
			}
			switch {
			case text == "" && (column == rowCount || !slices.Contains(empty, column)):
			case column == rowCount:
				if _, err := strconv.ParseUint(text, 10, 32); err != nil {
					return rows, fmt.Errorf("row %d: count: %q is no number", n+1, text)
				}
				row.members[column] = value{at: nowhere, kind: aNumber, text: text}
			default:
				row.members[column] = textValue(text)
			}
		}
		rows.items = append(rows.items, row)
	}
	return rows, nil
}

// withRows returns a game file in which the rows of decks stand that are in CSV files beside it. It
// is doc itself if there are none.
func withRows(doc []byte, beside func(string) ([]byte, error)) ([]byte, error) {
	if !bytes.Contains(doc, []byte(`"csv"`)) {
		return doc, nil
	}
	r, root := readDocument(doc)
	if r.err != nil {
		return doc, nil //nolint:nilerr // parse says what is wrong
	}
	swap := map[int]value{}
	for i, deck := range root.members["decks"].items {
		rows := deck.members["rows"]
		if rows.kind != anObject {
			continue
		}
		o := r.object(rows, fmt.Sprintf("deck %d: rows", i), "csv", "empty")
		name := o.text("csv", maxPath)
		empty := o.names("empty", MaxKinds,
			func(name string) error { return CheckName(name, 1, maxColumn) })
		if r.err != nil {
			return nil, r.err
		}
		table, err := beside(name)
		if err == nil {
			swap[rows.at], err = readRows(table, empty)
		}
		if err != nil {
			o.fail(o.get("csv"), "csv: %s: %w", name, err)
			return nil, r.err
		}
	}
	if len(swap) == 0 {
		return doc, nil
	}
	return pretty(root, swap), nil
}

// ReadUpload reads a game that somebody has sent as one file: packed, or as readable files.
func ReadUpload(data []byte) (*Packed, error) {
	all, err := entriesOf(data, limitOfReadable)
	if err != nil || slices.ContainsFunc(all, func(e zipped) bool { return e.name == DocumentName }) {
		return ReadPacked(data)
	}
	return ReadReadable(data)
}

// ReadReadable reads a game that was written by ReadableBytes, and perhaps changed since. All of it
// may be in one folder.
func ReadReadable(data []byte) (*Packed, error) {
	all, err := entriesOf(data, limitOfReadable)
	if err != nil {
		return nil, err
	}
	files, total, folder := map[string][]byte{}, 0, ""
	for i := range all {
		if i == 0 {
			folder, _, _ = strings.Cut(all[i].name, "/")
		}
		if !strings.HasPrefix(all[i].name, folder+"/") {
			folder = ""
		}
	}
	for i := range all {
		e := &all[i]
		name := e.name
		if folder != "" {
			name = strings.TrimPrefix(name, folder+"/")
		}
		if strings.HasSuffix(e.name, "/") && e.size == 0 {
			continue // a folder
		}
		if _, twice := files[name]; twice {
			return nil, fault(e.name, "it is there twice")
		}
		if total += e.size; total > MaxPacked {
			return nil, fmt.Errorf("unpacked it has more than %d bytes", MaxPacked)
		}
		if files[name], err = e.data(); err != nil {
			return nil, err
		}
	}
	return readLooseFiles(files)
}

// readLooseFiles reads a game of files by their paths, of which one is the game file.
func readLooseFiles(files map[string][]byte) (*Packed, error) {
	game := ""
	for name := range files {
		if path.Ext(name) != ".json" || strings.Contains(name, "/") {
			continue
		}
		if game != "" {
			return nil, fmt.Errorf("it has two game files, %s and %s", min(game, name), max(game, name))
		}
		game = name
	}
	if game == "" {
		return nil, errors.New("it has neither game.json nor a game file")
	}
	used := map[string]bool{game: true}
	beside := func(name string) ([]byte, error) {
		data, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
		}
		used[name] = true
		return data, nil
	}
	p, err := ReadLoose(files[game], Files{
		Art:    func(name string) ([]byte, error) { return beside(artFolder + name) },
		Beside: beside,
	})
	if err != nil {
		return nil, fault(game, "%w", err)
	}
	for _, name := range sortedNames(files) {
		if !used[name] {
			return nil, fault(name, "the game does not refer to it")
		}
	}
	return p, nil
}

// limitOfReadable returns how many bytes a file of a readable game may have.
func limitOfReadable(name string) int {
	switch path.Ext(name) {
	case ".json", deckEnding:
		return MaxDocument
	case ".md":
		return MaxRulesText
	case ".pdf":
		return MaxRules
	default:
		return MaxArt
	}
}
