package room

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// Create makes a table from a game of the shelf, or from one that people have brought, and seats
// its host. It returns when both are
// durable. Errors: ErrNoGame, ErrNoSetup, ErrPerson, ErrStorage.
func (rs *Rooms) Create(ctx context.Context, req NewTableRequest) (Taken, Invites, error) {
	if err := req.Host.check(); err != nil {
		return Taken{}, Invites{}, err
	}
	if err := checkTitle(req.Title); err != nil {
		return Taken{}, Invites{}, err
	}
	if err := rs.cfg.Store.Writable(); err != nil {
		return Taken{}, Invites{}, err
	}
	g, err := req.Loaded, error(nil)
	if g == nil {
		g, err = rs.GameOf(ctx, req.Game)
	}
	if err != nil {
		return Taken{}, Invites{}, err
	}
	if req.Further < 0 || req.Further > len(g.Further) {
		return Taken{}, Invites{}, ErrNoSetup
	}
	switch {
	case req.Further > 0:
		g = g.Further[req.Further-1]
	case req.Bare && len(g.Attached) > 0: // the pieces to come have the same names
		g = g.Detached()
	}
	if most := len(g.Setups); req.Setup < 0 || req.Setup > most || req.Bare && req.Setup > 0 {
		return Taken{}, Invites{}, ErrNoSetup
	}
	row := TableRow{
		Game: req.Game,
		Settings: Settings{
			Title: cmp.Or(req.Title, g.Name), Width: g.Width, Height: g.Height, Surface: g.Surface,
		},
		Catalog: g.CatalogHash,
	}
	more, supplement := blobs(g)
	row.Supplement = supplement
	if err := rs.nameTable(&row); err != nil {
		return Taken{}, Invites{}, err
	}
	randomNames, err := seeded(rs.cfg.Random)
	if err != nil {
		return Taken{}, Invites{}, err
	}
	tc := table.Config{
		Kinds: kinds(g.Kinds), Width: g.Width, Height: g.Height, RandomNames: randomNames,
		Sides: handsOf(g.Seats), Owned: ownedOf(g.Seats),
		Attached: attachedOf(g.Attached),
	}
	t := table.New(tc)
	c := newRandomness(rs.cfg.InviteKey, &row, t, nil)
	if err := c.open(row.Created, g.CatalogHash, g.Kinds); err != nil {
		return Taken{}, Invites{}, inStorage(err)
	}
	begin := beginning{kinds: g.Kinds, chosen: req.Setup}
	if !req.Bare {
		setups, pieces := g.Union()
		laid, err := rs.setUp(c, pieces, row.Created)
		if err != nil {
			return Taken{}, Invites{}, err
		}
		writeOn(t, append(gridOf(&g.Grid), sheetOf(&g.Sheet)...), nil, row.Created)
		begin.setups = g.AllSetups()
		begin.lie(tc, setups, laid, row.Created)
	}
	return rs.keepTable(ctx, &row, c, req.Host, more, begin)
}

// beginning is how a new table is set up. The zero beginning leaves it as it is.
type beginning struct {
	kinds  []game.Kind
	setups []game.Setup // the first one, then the others of the game
	chosen int
	// positions are how the pieces lie in each set-up, if one of them has its own (G25); else nil.
	positions []position
}

// position is how the pieces lie in a set-up.
type position struct {
	lacks  map[id.OID]bool
	pieces []table.PieceImage // nil: as when the table was set up
}

// lie notes how the pieces lie in each set-up of a game, if one of them has its own.
func (b *beginning) lie(tc table.Config, setups []game.Lying, laid []laidPiece, now id.Millis) {
	for i, lying := range setups {
		p := position{lacks: map[id.OID]bool{}}
		for n, at := range lying {
			if at == nil {
				p.lacks[laid[n].oid] = true
			}
		}
		if b.setups[i].Pieces != nil {
			p.pieces = lieAlone(tc, lying, laid, now)
		}
		b.positions = append(b.positions, p)
	}
}

// lieAlone returns the pieces of a set-up as they lie on a table of their own, with the names that
// they have on the table of the game.
func lieAlone(
	tc table.Config, lying game.Lying, laid []laidPiece, now id.Millis,
) []table.PieceImage {
	places, number, names := []table.Place{}, make([]int, len(lying)), map[id.OID]id.Piece{}
	for i, p := range lying {
		if p == nil {
			continue
		}
		place := placeOf(p, laid[i].oid)
		if p.In != game.NotIn {
			place.In = number[p.In]
		}
		if name := laid[i].name; tc.Kinds[p.Kind].Heavy {
			place.Name = name
		}
		names[place.OID] = laid[i].name
		places = append(places, place)
		number[i] = len(places)
	}
	t := table.New(tc)
	t.SetUp(places, now)
	im, _ := t.Position() // no guest set lies there
	for i := range im.Pieces {
		im.Pieces[i].Name = names[im.Pieces[i].OID]
	}
	return im.Pieces
}

// GameOf returns a game by its id on the shelf, or by its identity in hexadecimal.
func (rs *Rooms) GameOf(ctx context.Context, name string) (*game.Game, error) {
	if g, ok := rs.cfg.Shelf.Game(name); ok {
		return g, nil
	}
	identity, err := game.ParseHash(name)
	if err != nil || rs.cfg.Games == nil {
		return nil, ErrNoGame
	}
	return rs.cfg.Games.Game(ctx, identity)
}

// keepTable seats the host of a new table, sets it up as was chosen, and stores it, all or nothing.
func (rs *Rooms) keepTable(
	ctx context.Context, row *TableRow, c *randomness, host Person, blobs []Blob,
	begin beginning,
) (Taken, Invites, error) {
	seat, _ := c.table.Sit(
		table.SeatInfo{Nick: host.Nick, Colour: host.Colour, Role: table.RoleHost}, row.Created)
	token, hash, err := newToken(rs.cfg.Random)
	if err != nil {
		return Taken{}, Invites{}, err
	}
	inv := rs.invites(row.Table, row.InviteVersion)
	stored := NewTable{
		Row: *row, Seats: []SeatRow{{Token: hash, Seat: seat}},
		Invites: inv.rows(row.Table), Blobs: blobs,
	}
	if err := stored.takeFrom(c); err != nil {
		return Taken{}, Invites{}, err
	}
	stored.Saves, err = firstSaves(c, Position(len(stored.Entries)), row.Created, &begin)
	if err != nil {
		return Taken{}, Invites{}, err
	}
	if len(begin.setups) > 0 {
		if err := c.choose(begin, stored.Saves, seat, row.Created); err != nil {
			return Taken{}, Invites{}, inStorage(err)
		}
	}
	if err := stored.takeFrom(c); err != nil {
		return Taken{}, Invites{}, err
	}
	if err := rs.cfg.Store.CreateTable(ctx, stored); err != nil {
		return Taken{}, Invites{}, storeError(err)
	}
	return Taken{
		Session: Session{Table: row.Table, Seat: seat, Role: table.RoleHost}, Token: token,
	}, inv, nil
}

// takeFrom adds the entries that a new table has recorded since the last call.
func (n *NewTable) takeFrom(c *randomness) error {
	entries, err := c.take()
	if err != nil {
		return inStorage(err)
	}
	for i := range entries {
		b, err := wire.EncodeEntry(&entries[i])
		if err != nil {
			return err
		}
		n.Entries = append(n.Entries, b)
	}
	return nil
}

// choose sets a new table up as one of its set-ups says, and does the steps of that (T78, T88).
func (c *randomness) choose(
	begin beginning, saves []NewSave, host id.Seat, now id.Millis,
) error {
	if begin.chosen > 0 || len(begin.setups[0].Without) > 0 || begin.positions != nil {
		if err := c.goTo(&saves[begin.chosen], host, now); err != nil {
			return err
		}
	}
	by := table.By{Seat: host, Role: table.RoleHost}
	return c.doSteps(by, steps(begin.setups[begin.chosen].Steps, begin.kinds), now)
}

// goTo brings a new table to a save point of a set-up, and shuffles what has an order (T71). All
// pieces of the set-up lie there as it has them, so that none has to be made.
func (c *randomness) goTo(to *NewSave, host id.Seat, now id.Millis) error {
	im, err := decodePosition(to.Body)
	if err != nil {
		return err
	}
	shuffles := c.table.Rewind(&table.Rewinding{
		To: im, By: host, Hands: table.HandsKept,
		Mark: table.Rewound{Save: to.ID, Kind: to.Kind, Name: to.Name, Made: to.At},
	}, now)
	round := c.round()
	if err := c.enact(fairness.Rewound{Round: round, Of: round, Seat: host}, 0, now); err != nil {
		return err
	}
	for i := range shuffles {
		if err := c.drawOnce(host, now, func(in table.Inputs) table.Outcome {
			return c.table.Reshuffle(&shuffles[i], host, in)
		}); err != nil {
			return err
		}
	}
	return nil
}

// drawOnce does something with a new table that may draw, and records the draw.
func (c *randomness) drawOnce(
	by id.Seat, now id.Millis, do func(table.Inputs) table.Outcome,
) error {
	rnd := c.rand(0)
	out := do(table.Inputs{Now: now, Rand: rnd, Round: uint32(c.round())})
	if out.Chance.What == 0 {
		return nil
	}
	return c.recordDraw(rnd, by, 0, out.Chance, now)
}

// doSteps does the steps of the set-up of a new table, each with its draws (T88).
func (c *randomness) doSteps(by table.By, steps []table.Step, now id.Millis) error {
	c.table.BeginSteps(by, steps, table.Inputs{Now: now})
	for c.table.Pressing() {
		if err := c.drawOnce(by.Seat, now, c.table.PressOn); err != nil {
			return err
		}
	}
	return nil
}

// nameTable gives a new table its identifier, its epoch and its first invites.
func (rs *Rooms) nameTable(row *TableRow) (err error) {
	row.Created, row.InviteVersion = rs.cfg.Now(), 1
	if row.Table, err = rs.cfg.Minter.Mint(row.Created); err != nil {
		return inStorage(err)
	}
	row.Epoch, err = newEpoch(rs.cfg.Random)
	return err
}

// laidPiece is a piece that was laid on a new table.
type laidPiece struct {
	oid  id.OID
	name id.Piece
}

// placeOf returns where a piece of a game lies on a new table.
func placeOf(p *game.Placement, oid id.OID) table.Place {
	return table.Place{OID: oid, In: p.In + 1, State: table.State{
		Kind: uint32(p.Kind), //nolint:gosec // game checks them
		X:    p.X, Y: p.Y, Angle: p.Angle,
		Face:   int32(p.Face), //nolint:gosec // game checks them
		Pinned: p.Pinned, Locked: p.Locked,
	}}
}

// setUp lays the pieces of a game on the table. It deals the kinds within a shuffled stack at
// random, in the first round of randomness: nobody can have contributed to that.
func (rs *Rooms) setUp(
	c *randomness, pieces []game.Placement, now id.Millis,
) (laid []laidPiece, err error) {
	places := make([]table.Place, len(pieces))
	for i := range pieces {
		oid, err := rs.cfg.Minter.Mint(now)
		if err != nil {
			return nil, inStorage(err)
		}
		places[i] = placeOf(&pieces[i], oid)
	}
	for _, group := range groups(pieces) {
		if err := c.deal(places, group, now); err != nil {
			return nil, fmt.Errorf("%w: shuffle a stack: %w", ErrStorage, err)
		}
	}
	for i, name := range c.table.SetUp(places, now) {
		laid = append(laid, laidPiece{places[i].OID, name})
	}
	return laid, nil
}

// groups returns the indices of the pieces of each stack that is to be shuffled, from the bottom
// up, in the order of the stacks.
func groups(pieces []game.Placement) [][]int {
	var all [][]int
	of := map[int]int{}
	for i, p := range pieces {
		if p.Group == 0 {
			continue
		}
		at, ok := of[p.Group]
		if !ok {
			at = len(all)
			of[p.Group], all = at, append(all, nil)
		}
		all[at] = append(all[at], i)
	}
	return all
}

// deal deals the kinds of a stack among its pieces at random, and records that. The pieces are
// minted one after the other, so the order of their places is that of their identifiers.
func (c *randomness) deal(places []table.Place, group []int, now id.Millis) error {
	if len(group) < table.MinShuffle {
		return nil
	}
	inputs := make([]uint32, len(group))
	oids := make([]id.OID, len(group))
	for i, at := range group {
		inputs[i], oids[i] = places[at].State.Kind, places[at].OID
	}
	slices.Sort(inputs)
	rnd := c.rand(0)
	outputs := slices.Clone(inputs)
	for i := len(outputs) - 1; i > 0; i-- {
		k := rnd.IntN(i + 1)
		outputs[i], outputs[k] = outputs[k], outputs[i]
	}
	for i, at := range group {
		places[at].State.Kind, places[at].State.Since = outputs[i], uint32(c.round())
	}
	if in := places[group[0]].In; in > 0 {
		oids = []id.OID{places[in-1].OID}
	}
	return c.recordDraw(rnd, 0, 0, table.Chance{
		What: table.ChanceShuffle, Pieces: oids, Inputs: inputs, Outputs: outputs,
	}, now)
}

// blobs returns what a table must keep when the shelf changes: its catalogue and its art, and the
// supplement of the game with all that it names (G12). The hash of the supplement is zero if there
// is none.
func blobs(g *game.Game) (all []Blob, supplement Hash) {
	all = []Blob{{Hash: g.CatalogHash, Type: "application/json", Data: g.Catalog}}
	for hash, a := range g.Art {
		all = append(all, Blob{Hash: hash, Type: a.Type, Data: a.Data})
	}
	doc, files := g.Supplement()
	if doc == nil {
		return all, Hash{}
	}
	for _, data := range append(files, doc) {
		all = append(all, Blob{Hash: sha256.Sum256(data), Type: game.TypeOf(data), Data: data})
	}
	return all, sha256.Sum256(doc)
}
