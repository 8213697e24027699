package room

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// Create makes a table from a game of the shelf, or from one that people have brought, and seats
// its host. It returns when both are
// durable. Errors: ErrNoGame, ErrPerson, ErrStorage.
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
	g, err := rs.gameOf(ctx, req.Game)
	if err != nil {
		return Taken{}, Invites{}, err
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
	t := table.New(table.Config{
		Kinds: kinds(g.Kinds), Width: g.Width, Height: g.Height, RandomNames: randomNames,
		Sides: handsOf(g.Seats),
	})
	c := newRandomness(rs.cfg.InviteKey, &row, t, nil)
	if err := c.open(row.Created, g.CatalogHash, g.Kinds); err != nil {
		return Taken{}, Invites{}, inStorage(err)
	}
	if !req.Bare {
		if err := rs.setUp(c, g, row.Created); err != nil {
			return Taken{}, Invites{}, err
		}
	}
	var setups []game.Setup
	var first []table.Step
	if !req.Bare {
		setups = append([]game.Setup{{Steps: g.Steps}}, g.Setups...)
		first = steps(g.Steps, g.Kinds)
	}
	return rs.keepTable(ctx, &row, c, req.Host, more, setups, first)
}

// gameOf returns a game by its id on the shelf, or by its identity in hexadecimal.
func (rs *Rooms) gameOf(ctx context.Context, name string) (*game.Game, error) {
	if g, ok := rs.cfg.Shelf.Game(name); ok {
		return g, nil
	}
	identity, err := game.ParseHash(name)
	if err != nil || rs.cfg.Games == nil {
		return nil, ErrNoGame
	}
	return rs.cfg.Games.Game(ctx, identity)
}

// keepTable seats the host of a new table, does the steps of its set-up, and stores it, all or
// nothing.
func (rs *Rooms) keepTable(
	ctx context.Context, row *TableRow, c *randomness, host Person, blobs []Blob,
	setups []game.Setup, first []table.Step,
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
	stored.Saves, err = firstSaves(c, Position(len(stored.Entries)), row.Created, setups)
	if err != nil {
		return Taken{}, Invites{}, err
	}
	if err := c.doSteps(table.By{Seat: seat, Role: table.RoleHost}, first, row.Created); err != nil {
		return Taken{}, Invites{}, inStorage(err)
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

// doSteps does the steps of the set-up of a new table, each with its draws (T88).
func (c *randomness) doSteps(by table.By, steps []table.Step, now id.Millis) error {
	c.table.BeginSteps(by, steps, table.Inputs{Now: now})
	for c.table.Pressing() {
		rnd := c.rand(0)
		out := c.table.PressOn(table.Inputs{Now: now, Rand: rnd, Round: uint32(c.round())})
		if out.Chance.What == 0 {
			continue
		}
		if err := c.recordDraw(rnd, by.Seat, 0, out.Chance, now); err != nil {
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

// setUp lays the pieces of a game on the table. It deals the kinds within a shuffled stack at
// random, in the first round of randomness: nobody can have contributed to that.
func (rs *Rooms) setUp(c *randomness, g *game.Game, now id.Millis) error {
	places := make([]table.Place, len(g.Pieces))
	for i, p := range g.Pieces {
		oid, err := rs.cfg.Minter.Mint(now)
		if err != nil {
			return inStorage(err)
		}
		places[i] = table.Place{OID: oid, In: p.In + 1, State: table.State{
			Kind: uint32(p.Kind), //nolint:gosec // game checks them
			X:    p.X, Y: p.Y, Angle: p.Angle,
			Face:   int32(p.Face), //nolint:gosec // game checks them
			Pinned: p.Pinned, Locked: p.Locked,
		}}
	}
	for _, group := range groups(g.Pieces) {
		if err := c.deal(places, group, now); err != nil {
			return fmt.Errorf("%w: shuffle a stack: %w", ErrStorage, err)
		}
	}
	c.table.SetUp(places, now)
	return nil
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
