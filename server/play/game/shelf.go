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
}

// LoadShelf reads the games games/*.json from files, with their art from the folder art. From each
// of more it reads the games *.json. Their art is in the folder art beside them, or in files. The
// id of a game must be the name of its file, and no two games may have the same. If any game cannot
// be read, LoadShelf returns an error and no shelf.
func LoadShelf(files fs.FS, more ...fs.FS) (*Shelf, error) {
	s := &Shelf{byID: map[string]*Game{}, art: map[[sha256.Size]byte]Art{}}
	if err := s.load(files, "games/*.json", files); err != nil {
		return nil, err
	}
	for _, m := range more {
		if err := s.load(m, "*.json", m, files); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.games, func(a, b *Game) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), strings.Compare(a.Name, b.Name))
	})
	return s, nil
}

// load reads the games of some files. A picture comes from the first of art that has it.
func (s *Shelf) load(files fs.FS, pattern string, art ...fs.FS) error {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return fmt.Errorf("list games: %w", err)
	}
	for _, name := range names {
		doc, err := fs.ReadFile(files, name)
		if err != nil {
			return fmt.Errorf("read game: %w", err)
		}
		g, err := Parse(doc, func(name string) ([]byte, error) { return readArt(name, art) })
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if want := strings.TrimSuffix(path.Base(name), ".json"); g.ID != want {
			return fmt.Errorf("%s: the id is %q, not %q like the file", name, g.ID, want)
		}
		if s.byID[g.ID] != nil {
			return fmt.Errorf("%s: there is another game %q on the shelf", name, g.ID)
		}
		s.add(g)
	}
	return nil
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
	return data, err
}

func (s *Shelf) add(g *Game) {
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

// Art returns a picture of any game, or a catalogue, by its SHA-256. It reports false if there is
// none.
func (s *Shelf) Art(hash [sha256.Size]byte) (Art, bool) {
	a, ok := s.art[hash]
	return a, ok
}
