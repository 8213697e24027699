package table

import "holt/server/id"

// A set is sent through a door (docs/protocol/object.md, O52): the server takes it off one table
// for somebody, and puts it on another one. Both are judged like the updates `take` and `place`
// (T40, T41). No client has sent them, so none gets an ack or a reject.

// TakeToSend takes a set off the table for a seat, or makes one of a piece of the table. in.OID is
// the identifier of a set that is made. The outcome says the reason if something is in the way.
// Then nothing is recorded.
func (t *Table) TakeToSend(by By, name id.Piece, in Inputs) (id.OID, Outcome) {
	by.Client = id.Client{}
	u := Update{Op: OpTake, Has: HasPiece, Piece: name}
	set := in.OID
	if p := t.find(name, t.ViewOf(by.Seat)); p != nil && !p.state.Set.IsZero() {
		set = p.state.Set
	}
	j := t.begin(by, &u, in, &client{seat: by.Seat})
	defer j.end()
	return set, j.judge()
}

// IsWholeSet reports whether a piece stands for its set: it is the container, or the only piece.
func (t *Table) IsWholeSet(name id.Piece) bool {
	p := t.names[name]
	if p == nil || p.state.Set.IsZero() {
		return false
	}
	return t.kind(p).Container.Holds || len(t.members[p.state.Set].all()) == 1
}

// Placeable returns the reason against putting a set on the table at a place, if there is one.
func (t *Table) Placeable(set id.OID, x, y int32) Reason {
	u := Update{Op: OpPlace, Has: HasSet | HasXY, Set: set, X: x, Y: y}
	j := t.begin(By{}, &u, Inputs{}, nil)
	defer j.end()
	return j.placeable(set, 1)
}

// PlaceSent puts a set on the table that its owner has given. by may have no seat: then nobody here
// has put it there. If something is in the way, the set goes back, and the outcome says the reason.
func (t *Table) PlaceSent(by By, set id.OID, x, y int32, a *Answer, in Inputs) Outcome {
	by.Client = id.Client{}
	u := Update{Op: OpPlace, Has: HasSet | HasXY, Set: set, X: x, Y: y}
	j := t.begin(by, &u, in, &client{seat: by.Seat})
	defer j.end()
	return j.placeGiven(set, a)
}

// ClaimSent records that a guest which nobody here has put on the table belongs to a seat. It
// reports false and records nothing if there is no such guest.
func (t *Table) ClaimSent(set id.OID, seat id.Seat, now id.Millis) bool {
	g := t.sets[set]
	if g == nil || g.info.Stage != StageHere || g.info.Seat != 0 {
		return false
	}
	info := g.info
	info.Seat = seat
	t.recordSet(OpGuest, info, 0, now)
	return true
}

// nearSteps is how many rings of places FreePlace looks at.
const nearSteps = 10

// FreePlace returns a place near x, y where nothing lies within a distance of far in both
// directions; if there is none, a place on the table near x, y. What it does depends only on what
// everybody sees.
func (t *Table) FreePlace(x, y, far int32) (int32, int32) {
	var taken [][2]int32
	for _, p := range t.pieces {
		if t.open(&p.state) {
			taken = append(taken, [2]int32{p.state.X, p.state.Y})
		}
	}
	t.looks += uint64(len(t.pieces))
	free := func(x, y int32) bool {
		t.looks += uint64(len(taken))
		for _, at := range taken {
			if max(at[0]-x, x-at[0]) < far && max(at[1]-y, y-at[1]) < far {
				return false
			}
		}
		return t.onTable(x, y)
	}
	x, y = t.Within(x, y)
	for ring := range int32(nearSteps) {
		for dy := -ring; dy <= ring; dy++ {
			for dx := -ring; dx <= ring; dx++ {
				if max(dx, -dx, dy, -dy) != ring {
					continue
				}
				if cx, cy := x+dx*far/2, y+dy*far/2; free(cx, cy) {
					return cx, cy
				}
			}
		}
	}
	return x, y
}
