package web

import (
	"context"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"holt/server/game"
	"holt/server/room"
)

// Parts of the client that it loads when they are needed. The page of a table names those that its catalogue needs, so that they
// come with it and not after it; parts.js finds the same by the same rules.
const (
	partActing   = "js/acting.js"
	partCards    = "js/cards.js"
	partClocks   = "js/clocks.js"
	partFairness = "js/fairnessnews.js"
	partOthers   = "js/others.js"
	partShared   = "js/shared.js"
	partMarks    = "js/marks.js"
	partTabletop = "js/tabletop.js"
	partProfiles = "js/profiles.js"
	partSheet    = "js/sheet.js"
	partDrawing  = "js/drawing.js"
	partPings    = "js/pings.js"
	partRuler    = "js/ruler.js"
	partGuests   = "js/guests.js"
	partBag      = "js/bag.js"
	partDialogs  = "js/dialogs.js"
	partSpace    = "js/space.js"
	partDatagram = "js/datagrams.js"
	styleActing  = "css/acting.css"
	styleClocks  = "css/clocks.css"
	styleOthers  = "css/others.css"
	styleDialogs = "css/dialogs.css"
	styleMarks   = "css/marks.css"
	styleTable   = "css/tabletop.css"
	stylePeople  = "css/profiles.css"
	styleSheet   = "css/sheet.css"
	styleDrawing = "css/drawing.css"
	stylePings   = "css/pings.css"
	styleRuler   = "css/ruler.css"
	styleGuests  = "css/guests.css"
	styleBag     = "css/bag.css"
)

// parts are the files of all parts.
var parts = []string{
	partActing, partCards, partClocks, partFairness, partOthers, partShared, partMarks, partTabletop, partProfiles, partSheet, partDrawing,
	partPings, partRuler, partGuests, partBag, partDialogs, partSpace, partDatagram,
	styleActing, styleClocks, styleOthers, styleDialogs, styleMarks, styleTable, stylePeople, styleSheet, styleDrawing, stylePings, styleRuler, styleGuests, styleBag,
}

// patience is how long the page of a table waits to learn what lies there. It can do without.
const patience = 100 * time.Millisecond

// needs are what the tables of a game need of the client.
type needs struct {
	parts  []string            // in any case
	clocks map[uint32]struct{} // the kinds of which a piece on the table needs the clocks: each game has some in its box
}

// needsOf finds out what the tables of a game need.
func needsOf(g *game.Game) needs {
	n := needs{clocks: map[uint32]struct{}{}}
	var acting, cards, drawn bool
	for i := range g.Kinds {
		k := &g.Kinds[i]
		drawn = drawn || k.Secret || k.Container.Draws != "" || k.Die.Rolls
		cards = cards || k.Secret || k.Container.Draws != "" || k.Hand || k.Currency != 0
		valued := k.Counter.Counts || k.Currency != 0 || k.Text.Written
		acting = acting || len(k.Offers) > 0 || k.Hand || k.Secret || k.Die.Rolls || valued || k.Seat != ""
		if k.Clock.Sides() > 0 {
			n.clocks[uint32(i)] = struct{}{}
		}
	}
	if acting {
		n.parts = append(n.parts, partActing, styleActing)
	}
	if cards {
		n.parts = append(n.parts, partCards)
	}
	if drawn {
		n.parts = append(n.parts, partFairness)
	}
	return n
}

// needsByCatalog is what the games of the shelf need, by their catalogues.
func needsByCatalog(s *game.Shelf) map[room.Hash]needs {
	all := map[room.Hash]needs{}
	for _, g := range s.Games() {
		all[g.CatalogHash] = needsOf(g)
	}
	return all
}

// preloads returns the addresses of the parts that a table needs as the seat sees it: scripts, and styles. Of a catalogue that is not on
// the shelf any more nothing is known: the client asks for them when it has read it.
func (s *Server) preloads(ctx context.Context, session room.Session, catalog room.Hash) (scripts, styles []string) {
	n := s.needs[catalog]
	needed := n.parts
	if len(n.clocks) > 0 && s.showsClock(ctx, session, n.clocks) {
		needed = append(slices.Clone(needed), partClocks, styleClocks)
	}
	for _, p := range needed {
		if path.Ext(p) == ".css" {
			styles = append(styles, s.assets.url(p))
		} else {
			scripts = append(scripts, s.assets.url(p))
		}
	}
	return scripts, styles
}

// partNames returns the names of the files of all parts that a page may load which knows the server by base: where browsers find no
// datagrams, not what is for those.
func (s *Server) partNames(base *url.URL) string {
	if s.sessionOrigin(base) != "" {
		return s.assets.parts
	}
	needless := strings.TrimPrefix(s.assets.url(partDatagram), assetsPath)
	return strings.Join(slices.DeleteFunc(strings.Fields(s.assets.parts), func(name string) bool { return name == needless }), " ")
}

// showsClock reports whether the seat sees a piece of one of the kinds on the table. If the table does not say so at once it is not waited
// for: the client finds out a little later.
func (s *Server) showsClock(ctx context.Context, session room.Session, kinds map[uint32]struct{}) bool {
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
