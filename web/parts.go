package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"time"

	"holt/server/play/game"
	"holt/server/tables/room"
)

// A part of the client is a folder in js/parts: the page loads it when it needs it. Its script is
// the file in that folder with the same name. A part with a style has a file of its name in
// css/parts. The page of a table names the parts without which its catalogue cannot be shown, so
// that they load with the page and not after it. parts.js finds the same parts by the same rules.
const (
	partAbilities = "abilities"
	partCards     = "cards"
	partClocks    = "clocks"
	partDatagrams = "datagrams"
	partLayers    = "layers"
	partReplay    = "replay"
)

func partScript(name string) string { return "js/parts/" + name + "/" + name + ".js" }
func partStyle(name string) string  { return "css/parts/" + name + ".css" }

// partFiles returns the scripts of all parts, followed by the styles of those that have one.
func partFiles(files fs.FS) ([]string, error) {
	folders, err := fs.ReadDir(files, "js/parts")
	if err != nil {
		return nil, fmt.Errorf("list the parts of the client: %w", err)
	}
	var scripts, styles []string
	for _, f := range folders {
		scripts = append(scripts, partScript(f.Name()))
		style := partStyle(f.Name())
		switch _, err := fs.Stat(files, style); {
		case err == nil:
			styles = append(styles, style)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return slices.Concat(scripts, styles), nil
}

// patience is how long the page of a table waits to learn which pieces are on it. It works without.
const patience = 100 * time.Millisecond

// needs are the parts of the client that are needed to show the tables of a game. What is needed to
// play at them comes when a table has been shown.
type needs struct {
	parts []string // in any case, by their names
	// the kinds for which a piece on the table needs the part clocks: each game has some in its box
	clocks map[uint32]struct{}
}

// needsOf finds out which parts the tables of a game need.
func needsOf(g *game.Game) needs {
	n := needs{clocks: map[uint32]struct{}{}}
	var cards, layers bool
	abilities := slices.ContainsFunc(g.Seats, func(s game.Seat) bool { return len(s.Pieces) > 0 })
	for i := range g.Kinds {
		k := &g.Kinds[i]
		cards = cards || k.Secret || k.Container.Draws != "" || k.Hand || k.Currency != 0 ||
			k.Supply != ""
		valued := k.Counter.Counts || k.Currency != 0 || k.Text.Written
		abilities = abilities || len(k.Offers) > 0 || k.Hand || k.Secret || k.Die.Rolls || valued ||
			k.Seat != "" || k.Hourglass.Duration != 0 || k.Supply != ""
		layers = layers || slices.ContainsFunc(k.Faces, func(f game.Face) bool { return f.Layers != nil })
		if k.Clock.Sides() > 0 {
			n.clocks[uint32(i)] = struct{}{}
		}
	}
	if abilities {
		n.parts = append(n.parts, partAbilities)
	}
	if cards {
		n.parts = append(n.parts, partCards)
	}
	if layers {
		n.parts = append(n.parts, partLayers)
	}
	return n
}

// needsByCatalog returns the needs of the games of the shelf, by their catalogues.
func needsByCatalog(s *game.Shelf) map[room.Hash]needs {
	all := map[room.Hash]needs{}
	for _, g := range s.Games() {
		all[g.CatalogHash] = needsOf(g)
	}
	return all
}

// preloads returns the addresses of the parts that a table needs as the seat sees it: scripts, and
// styles. For a catalogue that is no longer on the shelf it returns none: the client loads the
// parts when it has read the catalogue.
func (s *Server) preloads(
	ctx context.Context, session room.Session, catalog room.Hash,
) (scripts, styles []string) {
	n := s.needs[catalog]
	needed := n.parts
	if len(n.clocks) > 0 && s.showsClock(ctx, session, n.clocks) {
		needed = append(slices.Clone(needed), partClocks)
	}
	for _, p := range needed {
		scripts = append(scripts, s.assets.url(partScript(p)))
		if style, ok := s.assets.urls[partStyle(p)]; ok {
			styles = append(styles, style)
		}
	}
	return scripts, styles
}

// partNames returns the names of the files of all parts that a page may load. base is the address
// under which its browser knows the server. If browsers find no datagrams there, the part for
// datagrams is left out.
func (s *Server) partNames(base *url.URL) string {
	if s.sessionOrigin(base) != "" {
		return s.assets.parts
	}
	needless := strings.TrimPrefix(s.assets.url(partScript(partDatagrams)), assetsPath)
	return strings.Join(slices.DeleteFunc(strings.Fields(s.assets.parts), func(name string) bool {
		return name == needless
	}), " ")
}

// showsClock reports whether the seat sees a piece of one of the kinds on the table. If the table
// does not answer within patience it reports false: the client finds out a little later.
func (s *Server) showsClock(
	ctx context.Context, session room.Session, kinds map[uint32]struct{},
) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	frame, err := s.rooms.Read(ctx, session)
	if err != nil {
		return false
	}
	for _, e := range frame.GetEvents() {
		for _, p := range e.GetFull().GetPieces() {
			if _, ok := kinds[p.GetKind()]; ok {
				return true
			}
		}
	}
	return false
}
