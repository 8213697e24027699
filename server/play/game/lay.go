package game

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// How the pieces of a table become the entries of a game file (G24).

// The written form of a table (docs/guides/games.md).
type (
	tableDoc struct {
		Name   string     `json:"name"`
		Table  surfaceDoc `json:"table"`
		Pieces []pieceDoc `json:"pieces"`
		Doors  []doorDoc  `json:"doors,omitempty"`
	}
	surfaceDoc struct {
		Width   int32   `json:"width"`
		Height  int32   `json:"height"`
		Surface string  `json:"surface"`
		Grid    gridDoc `json:"grid,omitzero"`
	}
	gridDoc struct {
		Form  string `json:"form"`
		Pitch int32  `json:"pitch"`
		X     int32  `json:"x"`
		Y     int32  `json:"y"`
		Snap  bool   `json:"snap"`
	}
	// pieceDoc is an entry of pieces: a piece, a container and what it holds, or a stack.
	pieceDoc struct {
		Kind     string          `json:"kind,omitempty"`
		Stack    []string        `json:"stack,omitempty"`
		Step     stepDoc         `json:"step,omitzero"`
		Holds    []string        `json:"holds,omitempty"`
		Shuffled bool            `json:"shuffled,omitempty"`
		X        int32           `json:"x"`
		Y        int32           `json:"y"`
		Angle    int32           `json:"angle,omitempty"`
		Face     int             `json:"face,omitempty"`
		Pinned   bool            `json:"pinned,omitempty"`
		Locked   bool            `json:"locked,omitempty"`
		On       *int            `json:"on,omitempty"`
		Piece    *int            `json:"piece,omitempty"`
		Foreign  json.RawMessage `json:"foreign,omitempty"`
	}
	stepDoc struct {
		X int32 `json:"x"`
		Y int32 `json:"y"`
	}
	doorDoc struct {
		Piece int    `json:"piece"`
		To    string `json:"to"`
	}
)

// laid is a table whose pieces are written as entries.
type laid struct {
	*composer
	of      *Game // the table
	entries []pieceDoc
	begins  map[int]int   // the number of the entry that begins with a piece
	heavy   []int         // the heavy pieces: the first one has the name 1
	within  map[int][]int // what lies in a piece, from the bottom
}

// lay writes the pieces of a table.
func (c *composer) lay(of *Game) *laid {
	l := &laid{composer: c, of: of, entries: []pieceDoc{}, begins: map[int]int{},
		within: map[int][]int{}}
	var light []int // on the table
	for i, p := range of.Pieces {
		if p.Kind < 0 || p.Kind >= len(c.g.Kinds) {
			c.fail("%s: piece %d: there is no kind %d", of.Name, i, p.Kind)
			return l
		}
		heavy := c.g.Kinds[p.Kind].Weight == "heavy"
		if heavy {
			l.heavy = append(l.heavy, i)
		}
		if p.In != NotIn {
			l.within[p.In] = append(l.within[p.In], i)
		} else if !heavy {
			light = append(light, i)
		}
	}
	for order := l.order(light); len(order) > 0; {
		order = order[l.entry(order):]
	}
	l.attach()
	for _, i := range slices.Sorted(maps.Keys(of.Foreign.Pieces)) {
		if n, ok := l.entryOf(i); ok {
			l.entries[n].Foreign = of.Foreign.Pieces[i]
		}
	}
	return l
}

// order returns the pieces that lie on the table in the order of the file. Heavy ones come as early
// as they can: what a container holds stands with it, so light pieces that lie below that in the
// drawing order come before it.
func (l *laid) order(light []int) (all []int) {
	for _, i := range l.heavy {
		for len(l.within[i]) > 0 && len(light) > 0 && light[0] < l.within[i][0] {
			all, light = append(all, light[0]), light[1:]
		}
		if l.of.Pieces[i].In == NotIn {
			all = append(all, i)
		}
	}
	return append(all, light...)
}

// entry writes the first of these pieces with what lies in it, or with those behind it if they are
// a stack that is to be shuffled. It returns how many of the pieces the entry has.
func (l *laid) entry(pieces []int) int {
	p := l.of.Pieces[pieces[0]]
	doc := pieceDoc{X: p.X, Y: p.Y, Angle: p.Angle, Face: p.Face, Pinned: p.Pinned, Locked: p.Locked}
	size := 1
	if p.Group == 0 {
		within := l.within[pieces[0]]
		doc.Kind, doc.Holds = l.name(p.Kind), l.kindsOf(within)
		doc.Shuffled = len(within) > 0 && l.of.Pieces[within[0]].Group != 0
	} else {
		for size < len(pieces) && l.of.Pieces[pieces[size]].Group == p.Group {
			size++
		}
		doc.Stack, doc.Shuffled = l.kindsOf(pieces[:size]), true
		if size > 1 {
			above := l.of.Pieces[pieces[1]]
			doc.Step = stepDoc{above.X - p.X, above.Y - p.Y}
		}
	}
	l.begins[pieces[0]] = len(l.entries)
	l.entries = append(l.entries, doc)
	return size
}

// kindsOf returns the names of the kinds of pieces.
func (l *laid) kindsOf(pieces []int) (names []string) {
	for _, i := range pieces {
		names = append(names, l.name(l.of.Pieces[i].Kind))
	}
	return names
}

// attach writes which pieces are attached to others.
func (l *laid) attach() {
	for _, a := range l.of.Attached {
		piece, ok := l.named(a.Piece)
		to, also := l.named(a.To)
		if ok && also {
			l.entries[piece].On = &to
		}
	}
}

// named returns the number of the entry that begins with a heavy piece, by its name.
func (l *laid) named(name int) (n int, ok bool) {
	if name < 1 || name > len(l.heavy) {
		l.fail("%s: there is no heavy piece with the name %d", l.of.Name, name)
		return 0, false
	}
	return l.entryOf(l.heavy[name-1])
}

// entryOf returns the number of the entry that begins with a piece.
func (l *laid) entryOf(piece int) (n int, ok bool) {
	if n, ok = l.begins[piece]; !ok {
		l.fail("%s: nothing in a game file can refer to piece %d: it lies in a container or a stack, "+
			"or there is none", l.of.Name, piece)
	}
	return n, ok
}

// table returns the written form of the table.
func (l *laid) table() tableDoc {
	doc := tableDoc{
		Name: l.of.Name, Pieces: l.entries,
		Table: surfaceDoc{l.of.Width, l.of.Height, l.of.Surface, gridDoc(l.of.Grid)},
	}
	tables := l.g.tables()
	for _, d := range l.of.Doors {
		piece, ok := l.named(d.Piece)
		if d.To < 0 || d.To >= len(tables) {
			l.fail("%s: a door leads to table %d, which is none", l.of.Name, d.To)
		} else if ok {
			doc.Doors = append(doc.Doors, doorDoc{piece, tables[d.To].Name})
		}
	}
	return doc
}

// seat returns the written form of a seat of the game.
func (l *laid) seat(s Seat) seatDoc {
	doc := seatDoc{Name: s.Name, Side: s.Angle, Colour: fmt.Sprintf("#%06x", s.Colour)}
	if s.Hand != NoHand {
		if hand, ok := l.entryOf(s.Hand); ok {
			doc.Hand = &hand
		}
	}
	for _, name := range s.Pieces {
		if piece, ok := l.named(name); ok {
			doc.Pieces = append(doc.Pieces, piece)
		}
	}
	return doc
}

// setup returns the written form of the pieces of a set-up that has its own (G25); nil if it has
// none. l is the table of the game.
func (l *laid) setup(s *Setup) []pieceDoc {
	if s.Pieces == nil {
		return nil
	}
	own := l.lay(&Game{Name: l.of.Name, Pieces: s.Pieces})
	for i, same := range s.Same {
		if same == Other {
			continue
		}
		n, ok := own.entryOf(i)
		piece, also := l.entryOf(same)
		if ok && also {
			own.entries[n].Piece = &piece
		}
	}
	return own.entries
}
