package table

import (
	"holt/server/id"
	"holt/server/play/zlevel"
)

// Place is a piece with which a table is set up. Of its state Z, ZGen, Owner, Holder, In and Home
// are ignored. Unless Kept is set, Clock, Value and Text are ignored, too.
type Place struct {
	OID   id.OID
	State State
	In    int  // one more than the index of the place of the container in which it lies; 0: none
	Kept  bool // clock, value and text are those of State; otherwise those of its kind
	Home  int  // like In, for the container that is its home if it does not lie there; 0: none
	// Name is the name that the piece gets, below MinRandomName, by which others refer to it. 0: the
	// next one.
	Name id.Piece
}

// SetUp records the pieces of a new table, the undermost first, and returns their names. It puts
// the heavy ones below the others.
func (t *Table) SetUp(places []Place, now id.Millis) (names []id.Piece) {
	levels := zlevel.Spread(len(places))
	names = make([]id.Piece, len(places))
	next := t.lastName + 1
	for _, p := range places {
		next = max(next, p.Name+1)
	}
	i := 0
	for _, heavy := range []bool{true, false} {
		for at, p := range places {
			if t.kinds[p.State.Kind].Heavy != heavy {
				continue
			}
			s := p.State
			s.Z, s.ZGen, s.Owner, s.Holder, s.In, s.Home = levels[i], zGenSelf, 0, 0, 0, 0
			if !p.Kept {
				t.kinds[s.Kind].equip(&s, now)
			}
			i++
			if p.Home != 0 {
				s.Home = names[p.Home-1]
			}
			switch {
			case p.In != 0:
				t.stow(&s, t.names[names[p.In-1]])
				s.Native = true
				names[at] = t.randomName()
			case p.Name != 0:
				names[at] = p.Name
			default:
				names[at], next = next, next+1
			}
			t.record(Entry{At: now, Op: OpAdd, Server: true, Made: true, Piece: p.OID,
				Name: names[at], After: s})
		}
	}
	return names
}
