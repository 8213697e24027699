package table

import (
	"holt/server/id"
	"holt/server/zlevel"
)

// Place is a piece with which a table is set up. Z, ZGen, Owner, Holder and Clock of its state are not used.
type Place struct {
	OID   id.OID
	State State
}

// SetUp records the pieces of a new table, the undermost first. The heavy ones are put below the others.
func (t *Table) SetUp(places []Place, now id.Millis) {
	levels := zlevel.Spread(len(places))
	i := 0
	for _, heavy := range []bool{true, false} {
		for _, p := range places {
			if t.kinds[p.State.Kind].Heavy != heavy {
				continue
			}
			s := p.State
			s.Z, s.ZGen, s.Owner, s.Holder = levels[i], zGenSelf, 0, 0
			s.Clock = t.kinds[s.Kind].Clock.made(now)
			i++
			t.record(Entry{At: now, Op: OpAdd, Server: true, Made: true, Piece: p.OID, Name: t.lastName + 1, After: s})
		}
	}
}
