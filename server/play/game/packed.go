package game

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The names of the files in a packed game.
const (
	DocumentName = "game.json"
	artFolder    = "art/"
)

// IsRules reports whether the rules of a packed game have that name.
func IsRules(name string) bool { return name == RulesText || name == RulesPDF }

// Packed is a game with all to which it refers, as it stands in a packed file (G1).
type Packed struct {
	Game *Game
	// ID is the identity of the game: the SHA-256 of Doc, which names everything else by its
	// SHA-256.
	ID  [sha256.Size]byte
	Doc []byte // game.json: canonical JSON

	root value // of the file that was read
	refs map[int]reference
}

// File is a file with its path.
type File struct {
	Name string
	Data []byte
}

// ReadLoose reads a loose game file, and returns the game as it is packed.
func ReadLoose(doc []byte, from Files) (*Packed, error) {
	doc, err := withRows(doc, from.Beside)
	if err != nil {
		return nil, err
	}
	lib := newLibrary(from, false)
	g, root, err := parse(doc, lib)
	if err != nil {
		return nil, err
	}
	p := &Packed{Game: g, root: root, refs: lib.refs}
	swap := map[int]value{root.members["format"].at: textValue(format2)}
	for at, ref := range p.refs {
		swap[at] = ref.packed()
	}
	p.Doc = canonical(root, swap)
	p.ID = sha256.Sum256(p.Doc)
	return p, nil
}

// Bytes returns the packed file. Equal games give equal bytes. The error says that the game is too
// large for one file.
func (p *Packed) Bytes() ([]byte, error) {
	files := p.Files()
	if len(files) > MaxEntries {
		return nil, fmt.Errorf("packed it has %d entries, more than %d", len(files), MaxEntries)
	}
	data := appendZip(files)
	if _, err := ReadPacked(data); err != nil {
		return nil, fmt.Errorf("packed it cannot be read: %w", err)
	}
	return data, nil
}

// Files returns the files of the packed game, ordered by their names.
func (p *Packed) Files() []File {
	all := map[string][]byte{DocumentName: p.Doc}
	for _, ref := range p.refs {
		all[ref.entry()] = ref.data
	}
	files := make([]File, 0, len(all))
	for _, name := range sortedNames(all) {
		files = append(files, File{name, all[name]})
	}
	return files
}

// entry returns the name in a packed game of the file to which r refers.
func (r *reference) entry() string {
	if r.name != "" {
		return r.name
	}
	return artFolder + hex.EncodeToString(r.hash[:])
}

// packed returns how a packed game refers to the file.
func (r *reference) packed() value {
	hash := textValue(hex.EncodeToString(r.hash[:]))
	if r.name == RulesText || r.name == RulesPDF {
		return value{at: nowhere, kind: anObject,
			members: map[string]value{"name": textValue(r.name), "sha256": hash}}
	}
	return hash
}

// ReadPacked reads a packed game (G1 to G7). The error says which entry is wrong, and why. data
// must not change afterwards.
func ReadPacked(data []byte) (*Packed, error) { return ReadPackedAt(data, Base{}) }

// ReadPackedAt is ReadPacked for a file that may also refer to what base has (T103).
func ReadPackedAt(data []byte, base Base) (*Packed, error) {
	files, err := unzip(data)
	if err != nil {
		return nil, err
	}
	return readFiles(files, base)
}

// ErrLacking says that a packed game lacks a picture.
var ErrLacking = errors.New("it is not in the file")

// ReadFiles reads the files of a packed game, by their names. It is as strict as ReadPacked.
func ReadFiles(files map[string][]byte) (*Packed, error) { return readFiles(files, Base{}) }

// readFiles is ReadFiles with what is not in the files but in base.
func readFiles(files map[string][]byte, base Base) (*Packed, error) {
	doc, ok := files[DocumentName]
	if !ok {
		return nil, errors.New("it has no game.json")
	}
	used := map[string]bool{DocumentName: true}
	find := func(name string) ([]byte, error) {
		data, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("there is no entry %s", name)
		}
		used[name] = true
		return data, nil
	}
	p, err := readPacked(doc, Files{
		Art: func(name string) ([]byte, error) {
			hash, err := ParseHash(name)
			if err != nil {
				return nil, err
			}
			data, err := find(artFolder + name)
			if err == nil || base.Art == nil {
				return data, err
			}
			if data, other := base.Art(hash); !errors.Is(other, ErrLacking) {
				return data, other
			}
			return nil, err
		},
		Beside: find,
	}, base)
	if err != nil {
		return nil, err
	}
	for _, name := range sortedNames(files) {
		if !used[name] {
			return nil, fault(name, "the game does not refer to it")
		}
	}
	return p, nil
}

// ReadHashed reads game.json of a packed game. It gets everything to which the game refers by its
// SHA-256, once each, and stops at the first error of get. It is as strict as ReadPacked.
func ReadHashed(
	doc []byte, get func(hash [sha256.Size]byte) ([]byte, error),
) (*Packed, error) {
	hashed := func(hash [sha256.Size]byte) ([]byte, error) {
		data, err := get(hash)
		if err == nil && sha256.Sum256(data) != hash {
			err = fmt.Errorf("%x has another hash", hash)
		}
		return data, err
	}
	return readPacked(doc, Files{
		Art: func(name string) ([]byte, error) {
			hash, err := ParseHash(name)
			if err != nil {
				return nil, err
			}
			return hashed(hash)
		},
		Hashed: hashed,
	}, Base{})
}

// readPacked reads game.json of a packed game.
func readPacked(doc []byte, files Files, base Base) (*Packed, error) {
	lib := newLibrary(files, true)
	lib.base = base
	g, root, err := parse(doc, lib)
	if err != nil {
		return nil, fault(DocumentName, "%w", err)
	}
	p := &Packed{Game: g, ID: sha256.Sum256(doc), Doc: doc, root: root, refs: lib.refs}
	if format := root.members["format"].text; format != format2 {
		return nil, fault(DocumentName, "its format is %s, and that of a packed game is %s", format,
			format2)
	}
	if !bytes.Equal(doc, canonical(root, nil)) {
		return nil, fault(DocumentName, "it is not canonical JSON (RFC 8785)")
	}
	return p, nil
}

// unzip returns the files of a packed game by their names. Each is as large as it may be, and art
// is what its name says.
func unzip(data []byte) (map[string][]byte, error) {
	all, err := entries(data)
	if err != nil {
		return nil, err
	}
	art, total := 0, 0
	known := make(map[string]bool, len(all))
	for _, e := range all {
		if known[e.name] {
			return nil, fault(e.name, "it is there twice")
		}
		known[e.name] = true
		total += e.size
		if strings.HasPrefix(e.name, artFolder) {
			art += e.size
		}
	}
	switch most := MaxDocument + MaxArtTotal + MaxRules + MaxLanguages*MaxLanguage; {
	case art > MaxArtTotal:
		return nil, fmt.Errorf("its art has %d bytes, more than %d", art, MaxArtTotal)
	case total > most:
		return nil, fmt.Errorf("unpacked it has %d bytes, more than %d", total, most)
	}
	files := make(map[string][]byte, len(all))
	for i := range all {
		e := &all[i]
		data, err := e.data()
		if err != nil {
			return nil, err
		}
		if hash, ok := strings.CutPrefix(e.name, artFolder); ok {
			if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != hash {
				return nil, fault(e.name, "its name is not its hash")
			}
		}
		files[e.name] = data
	}
	return files, nil
}

func sortedNames(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// endings are the endings of the names of art, by its media type.
var endings = map[string]string{
	"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp",
}

// Loose returns the game as loose files: first the game file, which has the id of the game as its
// name, then what it refers to, ordered by their paths. Packed again, they are the same game.
func (p *Packed) Loose() []File {
	swap := map[int]value{p.root.members["format"].at: textValue(format2)}
	all := map[string][]byte{}
	for at, ref := range p.refs {
		path := ref.name
		if path == "" {
			name := hex.EncodeToString(ref.hash[:]) + endings[ref.art]
			swap[at] = textValue(name)
			path = artFolder + name
		} else {
			swap[at] = textValue(path)
		}
		all[path] = ref.data
	}
	files := []File{{p.Game.ID + ".json", pretty(p.root, swap)}}
	for _, name := range sortedNames(all) {
		files = append(files, File{name, all[name]})
	}
	return files
}
