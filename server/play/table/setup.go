package table

import (
	"holt/server/id"
	"holt/server/play/zlevel"
)

// Place is a piece with which a table is set up. Z, ZGen, Owner, Holder, In and Home are not used of its
// state, nor, unless Kept, what its kind begins with.
type Place struct {
	OID   id.OID
	State State
	In    int  // the place of the container in which it lies, one more than its index; 0: none
	Kept  bool // its clock, its value and its text are those of State; else it has what its kind begins with
	Home  int  // the place of the container that is its home, if it does not lie there, one more than its index; 0: none
}

// SetUp records the pieces of a new table, the undermost first, and returns their names. The heavy ones are put below the others.
func (t *Table) SetUp(places []Place, now id.Millis) (names []id.Piece) {
	levels := zlevel.Spread(len(places))
	names = make([]id.Piece, len(places))
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
			names[at] = t.lastName + 1
			if p.Home != 0 {
				s.Home = names[p.Home-1]
			}
			if p.In != 0 {
				t.stow(&s, t.names[names[p.In-1]])
				s.Native = true
				names[at] = t.lot()
			}
			t.record(Entry{At: now, Op: OpAdd, Server: true, Made: true, Piece: p.OID, Name: names[at], After: s})
		}
	}
	return names
}
