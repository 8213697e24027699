package room

import (
	"context"
	"fmt"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
)

// A host copies the state of a table into a new table (T57). Whatever is hidden could be found out
// by opening it in the copy. So there is no copy while anything is hidden except in containers
// whose contents everybody knows as a whole. In the copy these contents are shuffled again, in its
// own first round.

// original is what a copy takes from a table.
type original struct {
	row        TableRow
	kinds      []game.Kind
	rest       game.CatalogRest
	state      *table.Copy
	host       Person
	components []crdt.Op // components that everybody sees
}

// Copy makes a new table from the state of the table of s, whose host is the host there, too. The
// first table does not change. It returns when the new one is durable, and returns its host's name
// and colour, too. ErrRole unless s is a host's; ErrCards, ErrDecks or ErrGuests if something is in
// the way; TooFast if the seat has done too much.
func (rs *Rooms) Copy(ctx context.Context, s Session) (Taken, Invites, Person, error) {
	no := func(err error) (Taken, Invites, Person, error) {
		return Taken{}, Invites{}, Person{}, err
	}
	if !s.Role.Hosts() {
		return no(ErrRole)
	}
	o, err := change(ctx, rs, s, func(r *room) (original, error) { return r.original(s.Seat) })
	if err != nil {
		return no(err)
	}
	blobs, err := rs.blobsOf(ctx, &o)
	if err != nil {
		return no(err)
	}
	row := TableRow{
		Game: o.row.Game, Settings: o.row.Settings, Catalog: o.row.Catalog,
		Supplement: o.row.Supplement,
	}
	if err := rs.nameTable(&row); err != nil {
		return no(err)
	}
	c, err := rs.setUpCopy(&row, &o)
	if err != nil {
		return no(err)
	}
	taken, inv, err := rs.keepTable(ctx, &row, c, o.host, blobs, beginning{})
	return taken, inv, o.host, err
}

// original returns what a copy takes over, if nothing is in the way.
func (r *room) original(host id.Seat) (original, error) {
	units := r.table.Pieces() + r.unitsOfState(host)
	if err := r.budgets.admit(host, units); err != nil {
		return original{}, err
	}
	r.budgets.spend(host, units)
	state, way := r.table.Copy(r.now())
	switch way {
	case table.SetInTheWay:
		return original{}, ErrGuests
	case table.CardInTheWay:
		return original{}, ErrCards
	case table.ContainerInTheWay:
		return original{}, ErrDecks
	case table.NothingInTheWay:
	}
	who, _ := r.table.Seat(host)
	o := original{
		row: r.row, kinds: r.kinds, rest: r.rest, state: state,
		host: Person{Nick: who.Nick, Colour: who.Colour},
	}
	for op := range r.components.withoutTombstones().replica.Ops() {
		if goesAlong(&op) {
			o.components = append(o.components, op)
		}
	}
	return o, nil
}

// goesAlong reports whether a copy takes over an operation: one about settings, the score sheet,
// drawings, or what is written on pieces. It does not take over components of seats, or questions.
func goesAlong(op *crdt.Op) bool {
	switch schema.AnyClassOf(op.Entity) {
	case schema.ClassForeign:
		return true
	case schema.ClassTable, schema.ClassSheet, schema.ClassRow:
		return !schema.Private(op.Component) && op.Component != schema.Recording // K17
	case schema.ClassStroke:
		return op.Component != schema.Author
	case schema.ClassPiece:
		return op.Component == schema.Label || op.Component == schema.Tint ||
			op.Component == schema.Remark
	default:
		return false
	}
}

// blobsOf returns the catalogue and the art of a table, and what is beside them. So the copy has
// them whatever happens to the table meanwhile.
func (rs *Rooms) blobsOf(ctx context.Context, o *original) (all []Blob, err error) {
	needed := append(game.Pictures(o.kinds), o.row.Catalog)
	if o.row.Supplement != (Hash{}) {
		supplement, err := rs.supplementOf(ctx, o.row.Supplement)
		if err != nil {
			return nil, err
		}
		needed = append(append(needed, o.row.Supplement), supplement.Files()...)
	}
	for _, hash := range needed {
		b, err := rs.Blob(ctx, hash)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// setUpCopy lays the pieces of a copy on its table, shuffles what lies in containers, and writes
// the components.
func (rs *Rooms) setUpCopy(row *TableRow, o *original) (*randomness, error) {
	randomNames, err := seeded(rs.cfg.Random)
	if err != nil {
		return nil, err
	}
	t := table.New(table.Config{
		Kinds: kinds(o.kinds), Width: row.Width, Height: row.Height,
		RandomNames: randomNames, Sets: rs.cfg.SetOwners != nil, Sides: handsOf(o.rest.Seats),
		Owned: ownedOf(o.rest.Seats), Attached: attachedOf(o.rest.Attached),
	})
	c := newRandomness(rs.cfg.InviteKey, row, t, nil)
	if err := c.open(row.Created, o.row.Catalog, o.kinds); err != nil {
		return nil, inStorage(err)
	}
	places := o.state.Places
	for i := range places {
		if places[i].OID, err = rs.cfg.Minter.Mint(row.Created); err != nil {
			return nil, inStorage(err)
		}
	}
	for _, stack := range o.state.Stacks {
		if err := c.deal(places, stack, row.Created); err != nil {
			return nil, fmt.Errorf("%w: shuffle a stack: %w", ErrStorage, err)
		}
	}
	called := map[id.Piece]id.Piece{}
	for i, name := range t.SetUp(places, row.Created) {
		called[o.state.Names[i]] = name
	}
	writeOn(t, o.components, called, row.Created)
	return c, nil
}

// maxWritten is about how many bytes of components one entry of a copy has at most.
const maxWritten = 64 << 10

// writeOn records components at a new table, under the names that its pieces have there.
func writeOn(t *table.Table, parts []crdt.Op, called map[id.Piece]id.Piece, now id.Millis) {
	var of table.Component
	var ops []byte
	record := func() {
		if ops != nil {
			t.RecordComponents(of, 0, ops, now)
		}
		ops = nil
	}
	for _, op := range parts {
		if name, ok := schema.PieceOf(op.Entity); ok {
			now, there := called[name]
			if !there {
				continue
			}
			op.Entity = schema.EntityOfPiece(now)
		}
		if next := about(&op); next != of || len(ops) > maxWritten {
			record()
			of = next
		}
		ops = crdt.AppendOp(ops, &op)
	}
	record()
}
