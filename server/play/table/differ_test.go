package table

import (
	"maps"
	"reflect"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"holt/server/id"
)

// lasting is what a table keeps for ever: everything except rejects, floors and when clients were
// last used, which end with the process (T10, T14).
type lasting struct {
	Gen        id.Generation
	Last       id.Piece
	Pieces     map[id.OID]piece
	Names      map[id.Piece]id.OID
	Heavy      []id.Piece // from the bottom to the top
	Light      []id.Piece
	Hands      []id.Piece
	Containers []id.Piece
	// In hands and containers, from the bottom to the top.
	Within  map[id.Piece]map[group][]id.Piece
	Counts  map[id.Piece]map[uint32]int
	Seats   []SeatInfo
	Public  *view
	Views   []*view
	Clients map[id.Client][]outcome
	Sets    []SetInfo
	LastSet uint32
	Blurred map[Look]bool
	Tracked bool
}

// Differ returns how two tables differ, except in what ends with a process.
func Differ(a, b *Table) string {
	la, lb := lastingOf(a), lastingOf(b)
	if reflect.DeepEqual(la, lb) { // the fast path
		return ""
	}
	return cmp.Diff(la, lb,
		cmp.AllowUnexported(piece{}, slot{}, trace{}, OwnLineage{}, Lineage{}, view{}, Run{}, outcome{}),
		cmpopts.EquateEmpty())
}

func lastingOf(t *Table) lasting {
	l := lasting{
		Gen: t.gen, Last: t.lastName, Pieces: map[id.OID]piece{}, Names: map[id.Piece]id.OID{},
		Seats: t.seats, Public: unloaded(t.public), Clients: map[id.Client][]outcome{},
		Within: map[id.Piece]map[group][]id.Piece{}, Counts: map[id.Piece]map[uint32]int{},
		Heavy: t.heavy.names(), Light: t.light.names(), Sets: t.everySet(), LastSet: t.lastSet,
		Blurred: t.blurred, Tracked: t.tracked,
	}
	for _, v := range t.views {
		l.Views = append(l.Views, unloaded(v))
	}
	for oid, p := range t.pieces {
		of := *p
		// Amiss checks these.
		of.byHome, of.bySet, of.byCell, of.byRack, of.was = slot{}, slot{}, slot{}, slot{}, 0
		of.trace = trace{} // it ends with the process, too (T62)
		if len(of.views) == 0 {
			of.views = nil
		}
		if len(of.formers) == 0 {
			of.formers = nil
		}
		l.Pieces[oid] = of
	}
	for name, p := range t.names {
		l.Names[name] = p.oid
	}
	for _, h := range t.hands.all {
		l.Hands = append(l.Hands, h.name)
	}
	for _, c := range t.containers.all {
		l.Containers = append(l.Containers, c.name)
	}
	for in, h := range t.holds {
		l.Counts[in], l.Within[in] = h.counts, map[group][]id.Piece{}
		for g, o := range h.orders() {
			l.Within[in][g] = o.names()
		}
	}
	for c := range maps.Values(t.clients) {
		for _, o := range c.outcomes {
			if o.verdict == Recorded {
				l.Clients[c.id] = append(l.Clients[c.id], o)
			}
		}
	}
	return l
}

// unloaded returns a view without what ends with the process.
func unloaded(v *view) *view {
	if v == nil {
		return nil
	}
	of := *v
	of.loaded = 0
	return &of
}

// names returns the names of the pieces, from the bottom to the top.
func (o *order) names() (all []id.Piece) {
	for p := range o.upwards(nil) {
		all = append(all, p.name)
	}
	return all
}
