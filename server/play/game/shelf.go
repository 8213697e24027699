package game

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Shelf holds the games that a server offers. It does not change after it is loaded, so any number
// of goroutines may read it.
type Shelf struct {
	games []*Game
	byID  map[string]*Game
	art   map[[sha256.Size]byte]Art
	// The packed forms of the games: their identities, and everything that these name but art.
	identities map[*Game][sha256.Size]byte
	parts      map[[sha256.Size]byte][]byte
}

// LoadShelf reads the games games/*.json from files, with their art from the folder art. From each
// of more it reads the games *.json, and packed games *.holt. Their art is in the folder art beside
// them, or in files. The id of a game must be the name of its file, and no two games may have the
// same. If any game cannot be read, LoadShelf returns an error and no shelf.
func LoadShelf(files fs.FS, more ...fs.FS) (*Shelf, error) {
	s := &Shelf{
		byID: map[string]*Game{}, art: map[[sha256.Size]byte]Art{},
		identities: map[*Game][sha256.Size]byte{}, parts: map[[sha256.Size]byte][]byte{},
	}
	if err := s.load(files, "games", files); err != nil {
		return nil, err
	}
	for _, m := range more {
		if err := s.load(m, ".", m, files); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.games, func(a, b *Game) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), strings.Compare(a.Name, b.Name))
	})
	return s, nil
}

// load reads the games in a folder. A picture comes from the first of art that has it.
func (s *Shelf) load(files fs.FS, folder string, art ...fs.FS) error {
	var names []string
	for _, pattern := range []string{"*" + looseEnding, "*" + packedEnding} {
		found, err := fs.Glob(files, path.Join(folder, pattern))
		if err != nil {
			return fmt.Errorf("list games: %w", err)
		}
		names = append(names, found...)
	}
	for _, name := range names {
		p, err := readFile(files, name, art)
		if err != nil {
			return err
		}
		g := p.Game
		if want := strings.TrimSuffix(path.Base(name), path.Ext(name)); g.ID != want {
			return fmt.Errorf("%s: the id is %q, not %q like the file", name, g.ID, want)
		}
		if s.byID[g.ID] != nil {
			return fmt.Errorf("%s: there is another game %q on the shelf", name, g.ID)
		}
		s.add(p)
	}
	return nil
}

// The endings of the names of game files.
const (
	looseEnding  = ".json"
	packedEnding = ".holt"
)

// readFile reads a game file, loose or packed.
func readFile(files fs.FS, name string, art []fs.FS) (p *Packed, err error) {
	doc, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("read game: %w", err)
	}
	if path.Ext(name) == packedEnding {
		p, err = ReadPacked(doc)
	} else {
		p, err = ReadLoose(doc, FilesOf(files, path.Dir(name), art...))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// FilesOf returns the files to which a loose game file in a folder of files can refer. A picture
// comes from the first of art that has it in its folder art.
func FilesOf(files fs.FS, folder string, art ...fs.FS) Files {
	return Files{
		Art: func(name string) ([]byte, error) { return readArt(name, art) },
		Beside: func(name string) ([]byte, error) {
			if !fs.ValidPath(name) || name == "." {
				return nil, fmt.Errorf("%q is not a path in the folder of the game file", name)
			}
			data, err := fs.ReadFile(files, path.Join(folder, name))
			return data, inWords(err, name)
		},
	}
}

func readArt(name string, from []fs.FS) (data []byte, err error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, fmt.Errorf("%q is not a path in the folder art", name)
	}
	for _, files := range from {
		if data, err = fs.ReadFile(files, "art/"+name); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return data, inWords(err, "art/"+name)
}

// missing is the error that there is no such file, in words that are the same on all systems.
type missing string

func (m missing) Error() string { return "there is no file " + string(m) }
func (missing) Unwrap() error   { return fs.ErrNotExist }

// inWords returns missing if err says that there is no file with this name, and err otherwise.
func inWords(err error, name string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return missing(name)
	}
	return err
}

func (s *Shelf) add(p *Packed) {
	g := p.Game
	s.identities[g], s.parts[p.ID] = p.ID, p.Doc
	for _, ref := range p.refs {
		if ref.name != "" {
			s.parts[ref.hash] = ref.data
		}
	}
	s.games = append(s.games, g)
	s.byID[g.ID] = g
	s.art[g.CatalogHash] = Art{Data: g.Catalog, Type: "application/json"}
	for hash, art := range g.Art {
		s.art[hash] = art
	}
}

// Games returns all games in the order in which they are offered: by Order, then by name.
func (s *Shelf) Games() []*Game { return slices.Clone(s.games) }

// Game returns the game of that id, and false if there is none.
func (s *Shelf) Game(id string) (*Game, bool) {
	g, ok := s.byID[id]
	return g, ok
}

// Identity returns the identity of a game of the shelf (G2).
func (s *Shelf) Identity(g *Game) [sha256.Size]byte { return s.identities[g] }

// Part returns by its SHA-256 what the packed form of a game has beside art: its document, its
// rules or a language. It reports false if there is none.
func (s *Shelf) Part(hash [sha256.Size]byte) (data []byte, ok bool) {
	data, ok = s.parts[hash]
	return data, ok
}

// Art returns a picture of any game, or a catalogue, by its SHA-256. It reports false if there is
// none.
func (s *Shelf) Art(hash [sha256.Size]byte) (Art, bool) {
	a, ok := s.art[hash]
	return a, ok
}
