package game

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// Bounds of what is attached to other pieces (T97).
const (
	MaxAttached      = 64 // pieces of a table
	MaxAttachedDepth = 8  // pieces on which one lies, each on the next
)

// Attachment says that a piece moves with another one (T97), by the names that both get on the
// table: the first heavy piece of the game is 1. The fields are those of catalogues
// (docs/protocol/http.md): their order must never change.
type Attachment struct {
	Piece int `json:"piece"`
	To    int `json:"to"`
}

// readAttached reads what the entries of a game file say in on. list has the entries, and entries
// the index of the first piece of each in placed. The result has these indices; see nameAttached.
func readAttached(
	r *reader, g *Game, list []value, placed []Placement, entries []int,
) (all []Attachment) {
	to := map[int]int{}
	for i, v := range list {
		o := object{r: r, where: fmt.Sprintf("piece %d", i), at: v.at, members: v.members}
		if !o.has("on") {
			continue
		}
		n := int(o.integer("on", 0, MaxPieces-1))
		kind := &g.Kinds[placed[entries[i]].Kind]
		switch {
		case r.err != nil:
			return nil
		case kind.isAttached() != "":
			o.fail(o.get("on"), "on: %q %s, so it is not attached to anything", kind.Name,
				kind.isAttached())
		case n >= len(list):
			o.fail(o.get("on"), "on: no piece %d", n)
		case list[n].members["stack"].kind != absent:
			o.fail(o.get("on"), "on: piece %d is a stack: nothing is attached to that", n)
		case g.Kinds[placed[entries[n]].Kind].bears() != "":
			is := &g.Kinds[placed[entries[n]].Kind]
			o.fail(o.get("on"), "on: piece %d, %q, %s: nothing is attached to it", n, is.Name,
				is.bears())
		case len(all) == MaxAttached:
			o.fail(o.get("on"), "on: more than %d pieces are attached to others", MaxAttached)
		default:
			to[i] = n
			all = append(all, Attachment{Piece: entries[i], To: entries[n]})
		}
		if r.err != nil {
			return nil
		}
	}
	for i, v := range list {
		if _, ok := to[i]; !ok {
			continue
		}
		o := object{r: r, where: fmt.Sprintf("piece %d", i), at: v.at, members: v.members}
		if why := chain(to, i); why != "" {
			o.fail(o.get("on"), "on: %s", why)
			return nil
		}
	}
	return all
}

// chain says what is wrong with the pieces on which one lies, each on the next; empty if nothing.
func chain(to map[int]int, piece int) string {
	at, seen := piece, []int{piece}
	for range MaxAttachedDepth {
		next, ok := to[at]
		switch {
		case !ok:
			return ""
		case slices.Contains(seen, next):
			return "piece " + strconv.Itoa(next) + " would lie on itself"
		}
		at, seen = next, append(seen, next)
	}
	if _, ok := to[at]; !ok {
		return ""
	}
	return "more than " + strconv.Itoa(MaxAttachedDepth) + " pieces would lie on each other"
}

// bears says why nothing can be attached to pieces of a kind; empty if something can.
func (k *Kind) bears() string {
	switch {
	case k.Weight != "heavy":
		return "is light"
	case k.Secret:
		return "is secret"
	default:
		return ""
	}
}

// isAttached says why pieces of a kind cannot be attached to others; empty if they can.
func (k *Kind) isAttached() string {
	switch {
	case k.bears() != "":
		return k.bears()
	case k.Hand:
		return "is a hand, which would leave behind what lies in it"
	case k.Zone.Lay != "":
		return "is a zone, which would leave behind what lies there"
	default:
		return ""
	}
}

// nameAttached gives what is attached the names that the pieces get on the table. now has the index
// in g.Pieces of each piece by its place in the file.
func (g *Game) nameAttached(now []int) {
	for i := range g.Attached {
		a := &g.Attached[i]
		a.Piece, a.To = heavyName(g, now[a.Piece]), heavyName(g, now[a.To])
	}
	slices.SortFunc(g.Attached, func(a, b Attachment) int { return cmp.Compare(a.Piece, b.Piece) })
}

// readCatalogAttached reads what is attached from a catalogue, if anything is.
func readCatalogAttached(root object) (all []Attachment) {
	if !root.has("attached") || root.r.err != nil {
		return nil
	}
	to := map[int]int{}
	for i, v := range root.list("attached", 1, MaxAttached) {
		o := root.r.object(v, fmt.Sprintf("attached %d", i), "piece", "to")
		a := Attachment{
			Piece: int(o.integer("piece", 1, MaxPieces)), To: int(o.integer("to", 1, MaxPieces)),
		}
		if o.r.err != nil {
			return nil
		}
		if i > 0 && a.Piece <= all[i-1].Piece {
			o.fail(o.get("piece"), "piece: %d does not lie behind the one before", a.Piece)
			return nil
		}
		to[a.Piece] = a.To
		all = append(all, a)
	}
	for i, a := range all {
		if why := chain(to, a.Piece); why != "" {
			root.fail(root.get("attached").items[i], "attached: %s", why)
			return nil
		}
	}
	return all
}
