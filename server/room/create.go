package room

import (
	"context"
	"fmt"
	mathrand "math/rand/v2"

	"holt/server/game"
	"holt/server/id"
	"holt/server/table"
	"holt/server/wire"
)

// Create makes a table from a game of the shelf and seats its host. It returns when both are durable.
// ErrNoGame, ErrPerson, ErrStorage.
func (rs *Rooms) Create(ctx context.Context, req NewTableRequest) (Taken, Invites, error) {
	if err := req.Host.check(); err != nil {
		return Taken{}, Invites{}, err
	}
	if err := checkTitle(req.Title); err != nil {
		return Taken{}, Invites{}, err
	}
	g, ok := rs.cfg.Shelf.Game(req.Game)
	if !ok {
		return Taken{}, Invites{}, ErrNoGame
	}
	row, err := rs.newRow(g, req.Title)
	if err != nil {
		return Taken{}, Invites{}, err
	}
	lots, err := seeded(rs.cfg.Random)
	if err != nil {
		return Taken{}, Invites{}, err
	}
	t := table.New(table.Config{Kinds: kinds(g.Kinds), Width: g.Width, Height: g.Height, Lots: lots})
	if err := rs.setUp(t, g, row.Created); err != nil {
		return Taken{}, Invites{}, err
	}
	seat, _ := t.Sit(table.SeatInfo{Nick: req.Host.Nick, Colour: req.Host.Colour, Role: table.RoleHost}, row.Created)
	token, hash, err := newToken(rs.cfg.Random)
	if err != nil {
		return Taken{}, Invites{}, err
	}
	inv := rs.invites(row.Table, row.InviteVersion)
	stored := NewTable{Row: row, Seats: []SeatRow{{Token: hash, Seat: seat}}, Invites: inv.rows(row.Table), Blobs: blobs(g)}
	for _, e := range t.Take() {
		b, err := wire.EncodeEntry(&e)
		if err != nil {
			return Taken{}, Invites{}, err
		}
		stored.Entries = append(stored.Entries, b)
	}
	if err := rs.cfg.Store.CreateTable(ctx, stored); err != nil {
		return Taken{}, Invites{}, failed(err)
	}
	return Taken{Session: Session{Table: row.Table, Seat: seat, Role: table.RoleHost}, Token: token}, inv, nil
}

func (rs *Rooms) newRow(g *game.Game, title string) (TableRow, error) {
	now := rs.cfg.Now()
	oid, err := rs.cfg.Minter.Mint(now)
	if err != nil {
		return TableRow{}, fmt.Errorf("%w: %w", ErrStorage, err)
	}
	epoch, err := newEpoch(rs.cfg.Random)
	if err != nil {
		return TableRow{}, err
	}
	if title == "" {
		title = g.Name
	}
	return TableRow{
		Table: oid, Epoch: epoch, Game: g.ID, Title: title, Width: g.Width, Height: g.Height, Surface: g.Surface,
		Catalog: g.CatalogHash, Created: now, InviteVersion: 1,
	}, nil
}

// setUp lays the pieces of a game on the table; the kinds within a shuffled stack are dealt at random.
func (rs *Rooms) setUp(t *table.Table, g *game.Game, now id.Millis) error {
	rnd, err := seeded(rs.cfg.Random)
	if err != nil {
		return err
	}
	dealt := shuffled(g.Pieces, rnd)
	places := make([]table.Place, len(g.Pieces))
	for i, p := range g.Pieces {
		oid, err := rs.cfg.Minter.Mint(now)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrStorage, err)
		}
		places[i] = table.Place{OID: oid, In: p.In + 1, State: table.State{
			Kind: uint32(dealt[i]), X: p.X, Y: p.Y, Angle: p.Angle, Face: int32(p.Face), Pinned: p.Pinned, Locked: p.Locked, //nolint:gosec // game checks them
		}}
	}
	t.SetUp(places, now)
	return nil
}

// shuffled returns the kind of each placement, the kinds of one group dealt out anew (Fisher-Yates).
func shuffled(pieces []game.Placement, rnd *mathrand.Rand) []int {
	dealt := make([]int, len(pieces))
	groups := map[int][]int{}
	order := []int{}
	for i, p := range pieces {
		dealt[i] = p.Kind
		if p.Group == 0 {
			continue
		}
		if groups[p.Group] == nil {
			order = append(order, p.Group)
		}
		groups[p.Group] = append(groups[p.Group], i)
	}
	for _, g := range order {
		at := groups[g]
		rnd.Shuffle(len(at), func(i, j int) { dealt[at[i]], dealt[at[j]] = dealt[at[j]], dealt[at[i]] })
	}
	return dealt
}

// blobs returns what must stay with a table when the shelf changes: its catalogue and its art.
func blobs(g *game.Game) []Blob {
	all := []Blob{{Hash: g.CatalogHash, Type: "application/json", Data: g.Catalog}}
	for hash, a := range g.Art {
		all = append(all, Blob{Hash: hash, Type: a.Type, Data: a.Data})
	}
	return all
}
