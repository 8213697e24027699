package table

import (
	"maps"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"holt/server/id"
)

// lasting is what a table keeps for ever: all but what ends with a process, which are refusals, floors and
// which client was used last (T10, T14).
type lasting struct {
	Gen     id.Generation
	Last    id.Piece
	Pieces  map[id.OID]piece
	Names   map[id.Piece]id.OID
	Heavy   []id.Piece // from the bottom to the top
	Light   []id.Piece
	Hands   []id.Piece
	Seats   []SeatInfo
	Public  *view
	Views   []*view
	Clients map[id.Client][]outcome
}

// Differ says in what two tables differ, apart from what ends with a process.
func Differ(a, b *Table) string {
	return cmp.Diff(lastingOf(a), lastingOf(b), cmp.AllowUnexported(piece{}, lineage{}, view{}, run{}, outcome{}), cmpopts.EquateEmpty())
}

func lastingOf(t *Table) lasting {
	l := lasting{
		Gen: t.gen, Last: t.lastName, Pieces: map[id.OID]piece{}, Names: map[id.Piece]id.OID{}, Seats: t.seats,
		Public: t.public, Views: t.views, Clients: map[id.Client][]outcome{},
	}
	for oid, p := range t.pieces {
		l.Pieces[oid] = *p
	}
	for name, p := range t.names {
		l.Names[name] = p.oid
	}
	for p := range t.heavy.upwards(nil) {
		l.Heavy = append(l.Heavy, p.name)
	}
	for p := range t.light.upwards(nil) {
		l.Light = append(l.Light, p.name)
	}
	for _, h := range t.hands {
		l.Hands = append(l.Hands, h.name)
	}
	slices.Sort(l.Hands)
	for c := range maps.Values(t.clients) {
		for _, o := range c.outcomes {
			if o.verdict == Recorded {
				l.Clients[c.id] = append(l.Clients[c.id], o)
			}
		}
	}
	return l
}
