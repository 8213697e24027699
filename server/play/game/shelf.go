package game

import (
	"cmp"
	"crypto/sha256"
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

// LoadShelf reads the games games/*.json from files, with their art from the folder art. The id of
// a game must be the name of its file. If any game cannot be read, LoadShelf returns an error and
// no shelf.
func LoadShelf(files fs.FS) (*Shelf, error) {
	names, err := fs.Glob(files, "games/*.json")
	if err != nil {
		return nil, fmt.Errorf("list games: %w", err)
	}
	s := &Shelf{byID: map[string]*Game{}, art: map[[sha256.Size]byte]Art{}}
	for _, name := range names {
		doc, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read game: %w", err)
		}
		g, err := Parse(doc, func(name string) ([]byte, error) { return readArt(files, name) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if want := strings.TrimSuffix(path.Base(name), ".json"); g.ID != want {
			return nil, fmt.Errorf("%s: the id is %q, not %q like the file", name, g.ID, want)
		}
		s.add(g)
	}
	slices.SortFunc(s.games, func(a, b *Game) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), strings.Compare(a.Name, b.Name))
	})
	return s, nil
}

func readArt(files fs.FS, name string) ([]byte, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, fmt.Errorf("%q is not a path in the folder art", name)
	}
	return fs.ReadFile(files, "art/"+name)
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
