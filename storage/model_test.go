package storage

import (
	"bytes"
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"holt/server/id"
	"holt/server/tables/room"
)

// model keeps in memory what a Store promises.
type model struct {
	tables map[id.OID]*modelTable
	blobs  map[room.Hash]room.Blob
	// The invites that were replaced.
	renewed map[room.Hash]bool
}

type modelTable struct {
	row      room.TableRow
	log      [][]byte
	snapshot []byte
	at       room.Position
	seats    map[room.Hash]id.Seat
	invites  map[room.Hash]uint8
}

// machine makes the same changes to a DB and to the model.
type machine struct {
	model
	dir string
	db  *DB
}

// After any sequence of changes, restarts and restored backups the database agrees with the model.
func TestModel(t *testing.T) {
	t.Parallel()
	checks := flag.Lookup("rapid.checks")
	if testing.Short() && checks.Value.String() == checks.DefValue {
		// With -short rapid runs a fifth of them: ten.
		if err := checks.Value.Set("50"); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		m := &machine{dir: t.TempDir(), model: model{tables: make(map[id.OID]*modelTable),
			blobs: make(map[room.Hash]room.Blob), renewed: make(map[room.Hash]bool)}}
		layDatabase(t, m.dir)
		m.open(rt)
		defer func() {
			if err := m.db.Close(); err != nil {
				rt.Error(err)
			}
		}()
		rt.Repeat(map[string]func(*rapid.T){
			"create": m.create, "append": m.append, "snapshot": m.snapshot,
			"invites": m.invites, "restart": m.restart, "": m.check,
		})
	})
}

func (m *machine) open(t *rapid.T) {
	db, err := Open(t.Context(), m.dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m.db = db
	if err := limit(db, limits{rows: 8, bytes: 4_000, few: 4}); err != nil {
		t.Fatal(err)
	}
}

// restart opens the directory again. Now and then it restores a backup before.
func (m *machine) restart(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "restore") == 4 {
		m.restore(t)
		return
	}
	if err := m.db.Close(); err != nil {
		t.Fatal(err)
	}
	m.open(t)
}

// restore restores a backup into the model, too: all but the epochs.
func (m *machine) restore(t *rapid.T) {
	path := filepath.Join(m.dir, "backup")
	if err := errors.Join(m.db.Backup(t.Context(), path), m.db.Close(),
		restore(t.Context(), m.dir, path, "old")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(path), os.Remove(filepath.Join(m.dir, "old"))); err != nil {
		t.Fatal(err)
	}
	m.open(t)
	for oid, table := range m.tables {
		row, err := m.db.Table(t.Context(), oid)
		if err != nil || row.Epoch == table.row.Epoch {
			t.Fatalf("epoch %d is followed by %d, %v", table.row.Epoch, row.Epoch, err)
		}
		table.row.Epoch = row.Epoch
	}
}

var (
	drawTable = rapid.Custom(func(t *rapid.T) id.OID {
		return tableID(rapid.IntRange(1, 3).Draw(t, "table"))
	})
	drawToken = rapid.Custom(func(t *rapid.T) room.Hash {
		return token(rapid.IntRange(1, 12).Draw(t, "token"))
	})
	drawEntries = rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 2000), 0, 4)
)

func drawSeats(t *rapid.T) (seats []room.SeatRow) {
	for _, h := range rapid.SliceOfN(drawToken, 0, 2).Draw(t, "seats") {
		seats = append(seats,
			room.SeatRow{Token: h, Seat: id.Seat(rapid.Uint32Range(1, 1<<32-1).Draw(t, "seat"))})
	}
	return seats
}

func drawInvites(t *rapid.T, table id.OID) (invites []room.InviteRow) {
	for _, h := range rapid.SliceOfN(drawToken, 0, 3).Draw(t, "invites") {
		invites = append(invites,
			room.InviteRow{Token: h, Table: table, Role: rapid.Uint8Range(1, 255).Draw(t, "role")})
	}
	return invites
}

func (m *machine) create(t *rapid.T) {
	n := room.NewTable{Row: rowOf(0), Entries: drawEntries.Draw(t, "entries"), Seats: drawSeats(t)}
	n.Row.Table = drawTable.Draw(t, "id")
	n.Row.Title = rapid.String().Draw(t, "title")
	n.Row.Epoch = id.Epoch(rapid.Uint64Range(1, 1<<53-1).Draw(t, "epoch"))
	n.Invites = drawInvites(t, n.Row.Table)
	n.Blobs = []room.Blob{blobOf(rapid.StringN(0, 2, -1).Draw(t, "blob"))}
	fresh := &modelTable{row: n.Row, log: n.Entries, seats: make(map[room.Hash]id.Seat),
		invites: make(map[room.Hash]uint8)}
	possible := m.tables[n.Row.Table] == nil && fresh.sit(n.Seats) && m.canInvite(fresh, n.Invites)
	m.want(t, m.db.CreateTable(t.Context(), n), possible)
	if possible {
		m.tables[n.Row.Table] = fresh
		for _, b := range n.Blobs {
			m.blobs[b.Hash] = b
		}
	}
}

func (m *machine) append(t *rapid.T) {
	a := room.Append{Table: drawTable.Draw(t, "id"), Entries: drawEntries.Draw(t, "entries"),
		Seats: drawSeats(t)}
	table := m.tables[a.Table]
	if table == nil {
		wantErr(t, m.db.Append(t.Context(), a), room.ErrNoTable)
		return
	}
	length := len(table.log)
	if rapid.IntRange(0, 3).Draw(t, "set") == 3 {
		a.Settings = &room.Settings{Title: rapid.String().Draw(t, "title"),
			Width: rapid.Int32Range(1, 9).Draw(t, "width"), Height: 5, Surface: "paper"}
	}
	if rapid.IntRange(0, 3).Draw(t, "grow") == 3 {
		b := blobOf(rapid.StringN(0, 2, -1).Draw(t, "catalog"))
		a.Catalog, a.Blobs = &b.Hash, []room.Blob{b}
	}
	a.Expect = room.Position(rapid.SampledFrom([]int{length, length, length, 0, length + 1,
		max(length-1, 0)}).Draw(t, "expect"))
	err := m.db.Append(t.Context(), a)
	if a.Expect != room.Position(length) {
		wantErr(t, err, room.ErrFenced)
		return
	}
	possible := table.sit(a.Seats)
	m.want(t, err, possible)
	if possible {
		table.log = append(table.log, a.Entries...)
		if a.Settings != nil {
			table.row.Settings = *a.Settings
		}
		if a.Catalog != nil {
			table.row.Catalog, m.blobs[*a.Catalog] = *a.Catalog, a.Blobs[0]
		}
	}
}

func (m *machine) snapshot(t *rapid.T) {
	oid, body := drawTable.Draw(t, "id"), rapid.SliceOfN(rapid.Byte(), 0, 9000).Draw(t, "body")
	at := room.Position(rapid.IntRange(0, 12).Draw(t, "at"))
	err := m.db.SaveSnapshot(t.Context(), oid, at, body, 0)
	table := m.tables[oid]
	if table == nil {
		wantErr(t, err, room.ErrNoTable)
		return
	}
	possible := at > 0 && int(at) <= len(table.log)
	m.want(t, err, possible)
	if possible && at >= table.at {
		table.at, table.snapshot = at, body
	}
}

func (m *machine) invites(t *rapid.T) {
	oid, version := drawTable.Draw(t, "id"), rapid.Uint32().Draw(t, "version")
	invites := drawInvites(t, oid)
	err := renewInvites(t.Context(), m.db, oid, version, invites)
	table := m.tables[oid]
	if table == nil {
		wantErr(t, err, room.ErrNoTable)
		return
	}
	before := table.invites
	table.invites = make(map[room.Hash]uint8)
	possible := m.canInvite(table, invites)
	m.want(t, err, possible)
	if possible {
		table.row.InviteVersion = version
		for h := range before {
			m.renewed[h] = true
		}
	} else {
		table.invites = before
	}
}

// sit adds all seats. If a token is in use it adds none and returns false.
func (table *modelTable) sit(seats []room.SeatRow) bool {
	all := maps.Clone(table.seats)
	for _, s := range seats {
		if _, taken := all[s.Token]; taken {
			return false
		}
		all[s.Token] = s.Seat
	}
	table.seats = all
	return true
}

// canInvite adds the invites. If a token is in use it adds an unspecified part of them and returns
// false.
func (m *machine) canInvite(table *modelTable, invites []room.InviteRow) bool {
	for _, i := range invites {
		for _, other := range append(slices.Collect(maps.Values(m.tables)), table) {
			if _, taken := other.invites[i.Token]; taken {
				return false
			}
		}
		table.invites[i.Token] = i.Role
	}
	return true
}

func (m *machine) want(t *rapid.T, err error, possible bool) {
	t.Helper()
	if possible != (err == nil) {
		t.Fatalf("error is %v, possible is %v", err, possible)
	}
}

func (m *machine) check(t *rapid.T) {
	for oid, table := range m.tables {
		want := room.Loaded{Row: table.row, Snapshot: table.snapshot, At: table.at,
			Entries: table.log[table.at:]}
		got, err := m.db.Load(t.Context(), oid, 0)
		got.Life, got.EpochIsNew = room.ServerLife{}, false // TestLives checks them
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" || err != nil {
			t.Fatalf("%v %s", err, d)
		}
	}
	for n := range 12 {
		m.checkToken(t, token(n+1))
	}
	for hash, b := range m.blobs {
		if got, err := m.db.Blob(t.Context(), hash); err != nil || !bytes.Equal(got.Data, b.Data) {
			t.Fatalf("blob is %+v, %v", got, err)
		}
	}
}

func (m *machine) checkToken(t *rapid.T, h room.Hash) {
	wantInvite, errInvite := room.InviteRow{}, room.ErrNoInvite
	if m.renewed[h] {
		errInvite = room.ErrRenewed
	}
	for oid, table := range m.tables {
		if role, ok := table.invites[h]; ok {
			wantInvite, errInvite = room.InviteRow{Token: h, Table: oid, Role: role}, nil
		}
		seat, ok := table.seats[h]
		got, err := m.db.SeatByToken(t.Context(), oid, h)
		if ok != (err == nil) || got.Seat != seat {
			t.Fatalf("seat is %+v, %v, want %d", got, err, seat)
		}
	}
	if got, err := m.db.InviteByToken(t.Context(), h); got != wantInvite ||
		!errors.Is(err, errInvite) {
		t.Fatalf("invite is %+v, %v, want %+v", got, err, wantInvite)
	}
}
