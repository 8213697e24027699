package storage

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/id"
	"holt/server/tables/room"
)

func TestCreateTable(t *testing.T) {
	db := openDir(t, t.TempDir())
	full := room.NewTable{
		Row:     rowOf(1),
		Entries: [][]byte{[]byte("first"), {}, []byte("third")},
		Seats:   []room.SeatRow{{Token: token("host"), Seat: 1}},
		Invites: []room.InviteRow{{Token: token("p"), Table: tableID(1), Role: 2},
			{Token: token("s"), Table: tableID(1), Role: 3}},
		Blobs: []room.Blob{blobOf("catalogue"), blobOf("")},
	}
	if err := db.CreateTable(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"at once", "after a restart"} {
		t.Run("everything comes back "+when, func(t *testing.T) { checkFullTable(t, db, full) })
		db = reopen(t, db)
	}
	t.Run("a blob may repeat, a table may not", func(t *testing.T) {
		second := room.NewTable{Row: rowOf(2), Blobs: full.Blobs}
		if err := db.CreateTable(t.Context(), second); err != nil {
			t.Error(err)
		}
		if err := db.CreateTable(t.Context(), second); err == nil {
			t.Error("a table was created twice")
		}
	})
	t.Run("what cannot be stored completely is not stored at all", func(t *testing.T) {
		for name, spoil := range map[string]func(*room.NewTable){
			"invite token taken":      func(n *room.NewTable) { n.Invites[1].Token = token("p") },
			"invite of another table": func(n *room.NewTable) { n.Invites[0].Table = tableID(1) },
			"seat token twice": func(n *room.NewTable) {
				n.Seats = append(n.Seats, n.Seats[0])
			},
			"seat zero":              func(n *room.NewTable) { n.Seats[0].Seat = 0 },
			"epoch zero":             func(n *room.NewTable) { n.Row.Epoch = 0 },
			"epoch too large":        func(n *room.NewTable) { n.Row.Epoch = 1 << 53 },
			"blob with a wrong hash": func(n *room.NewTable) { n.Blobs[0].Data = []byte("other") },
		} {
			bad := room.NewTable{
				Row: rowOf(3), Entries: raw("e"),
				Seats: []room.SeatRow{{Token: token("host3"), Seat: 1}},
				Invites: []room.InviteRow{{Token: token("p3"), Table: tableID(3)},
					{Token: token("s3"), Table: tableID(3)}},
				Blobs: []room.Blob{blobOf("new")},
			}
			spoil(&bad)
			if err := db.CreateTable(t.Context(), bad); err == nil {
				t.Errorf("%s: no error", name)
			}
			_, errTable := db.Table(t.Context(), tableID(3))
			wantErr(t, errTable, room.ErrNoTable)
			_, errSeat := db.SeatByToken(t.Context(), tableID(3), token("host3"))
			wantErr(t, errSeat, room.ErrNoSeat)
			_, errInvite := db.InviteByToken(t.Context(), token("p3"))
			wantErr(t, errInvite, room.ErrNoInvite)
			_, errBlob := db.Blob(t.Context(), blobOf("new").Hash)
			wantErr(t, errBlob, room.ErrNoBlob)
		}
	})
}

func checkFullTable(t *testing.T, db *DB, want room.NewTable) {
	t.Helper()
	_, l := mustLoad(t, db, 1)
	l.Life, l.EpochIsNew = room.ServerLife{}, false // TestLives checks them
	if d := cmp.Diff(room.Loaded{Row: want.Row, Entries: want.Entries}, l,
		cmp.Transformer("text", func(b []byte) string { return string(b) })); d != "" {
		t.Error(d)
	}
	row, err := db.Table(t.Context(), want.Row.Table)
	if err != nil || row != want.Row {
		t.Errorf("table is %+v, %v", row, err)
	}
	for _, s := range want.Seats {
		if got, err := db.SeatByToken(t.Context(), want.Row.Table, s.Token); err != nil ||
			got != s {
			t.Errorf("seat is %+v, %v", got, err)
		}
	}
	for _, i := range want.Invites {
		if got, err := db.InviteByToken(t.Context(), i.Token); err != nil || got != i {
			t.Errorf("invite is %+v, %v", got, err)
		}
	}
	for _, b := range want.Blobs {
		if got, err := db.Blob(t.Context(), b.Hash); err != nil || !bytes.Equal(got.Data, b.Data) ||
			got.Type != b.Type {
			t.Errorf("blob is %+v, %v", got, err)
		}
		if got, err := db.BlobSize(t.Context(), b.Hash); err != nil || got != int64(len(b.Data)) {
			t.Errorf("blob has %d bytes, %v", got, err)
		}
	}
}

func TestNothingThere(t *testing.T) {
	db := openDir(t, t.TempDir())
	ctx := t.Context()
	_, err := db.Table(ctx, tableID(9))
	wantErr(t, err, room.ErrNoTable)
	_, err = db.Load(ctx, tableID(9), 0)
	wantErr(t, err, room.ErrNoTable)
	wantErr(t, appendTo(t, db, 9, 0, "x"), room.ErrNoTable)
	wantErr(t, db.SaveSnapshot(ctx, tableID(9), 1, nil, 0), room.ErrNoTable)
	wantErr(t, renewInvites(ctx, db, tableID(9), 1, nil), room.ErrNoTable)
	_, err = db.SeatByToken(ctx, tableID(9), token("t"))
	wantErr(t, err, room.ErrNoSeat)
	_, err = db.InviteByToken(ctx, token("t"))
	wantErr(t, err, room.ErrNoInvite)
	_, err = db.Blob(ctx, token("t"))
	wantErr(t, err, room.ErrNoBlob)
	_, err = db.BlobSize(ctx, token("t"))
	wantErr(t, err, room.ErrNoBlob)
}

func TestAppend(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1, "a")
	mustCreate(t, db, 2)
	if err := errors.Join(appendTo(t, db, 1, 1, "b", "c"), appendTo(t, db, 2, 0, "z"),
		appendTo(t, db, 1, 3, "d")); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"that is remembered", "a snapshot is read back"} {
		t.Run("a writer that knows less or more of a log "+when+" is fenced", func(t *testing.T) {
			wantErr(t, appendTo(t, db, 1, 3, "x"), room.ErrFenced)
			wantErr(t, appendTo(t, db, 1, 5, "x"), room.ErrFenced)
			wantErr(t, appendTo(t, db, 1, 0), room.ErrFenced)
		})
		db = reopen(t, db)
	}
	if err := appendTo(t, db, 1, 4, "e"); err != nil {
		t.Error(err)
	}
	t.Run("entries are read back in order, for each table", func(t *testing.T) {
		one, _ := mustLoad(t, db, 1)
		two, _ := mustLoad(t, db, 2)
		if d := cmp.Diff([][]string{{"a", "b", "c", "d", "e"}, {"z"}},
			[][]string{one, two}); d != "" {
			t.Error(d)
		}
	})
	t.Run("seats are stored with the entries or not at all", func(t *testing.T) {
		a := room.Append{Table: tableID(2), Expect: 1, Entries: raw("sit"),
			Seats: []room.SeatRow{{Token: token("s"), Seat: 7}}}
		if err := db.Append(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		if s, err := db.SeatByToken(t.Context(), tableID(2), token("s")); err != nil ||
			s.Seat != 7 {
			t.Errorf("seat is %+v, %v", s, err)
		}
		_, err := db.SeatByToken(t.Context(), tableID(1), token("s"))
		wantErr(t, err, room.ErrNoSeat)
		a.Expect = 2 // the token is in use
		if err := db.Append(t.Context(), a); err == nil {
			t.Error("a token was given to two seats")
		}
		if got, _ := mustLoad(t, db, 2); !cmp.Equal(got, []string{"z", "sit"}) {
			t.Errorf("log is %q", got)
		}
	})
	t.Run("T37 a catalogue and art are stored with the entries or not at all", func(t *testing.T) {
		grown, art := blobOf("grown"), blobOf("art")
		a := room.Append{Table: tableID(1), Expect: 9, Entries: raw("new"), Catalog: &grown.Hash,
			Blobs: []room.Blob{grown, art}}
		wantErr(t, db.Append(t.Context(), a), room.ErrFenced)
		_, err := db.Blob(t.Context(), art.Hash)
		wantErr(t, err, room.ErrNoBlob)
		a.Expect = 5
		if err := db.Append(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		row, err := db.Table(t.Context(), tableID(1))
		if b, found := db.Blob(t.Context(), art.Hash); err != nil || found != nil ||
			row.Catalog != grown.Hash || string(b.Data) != "art" {
			t.Errorf("the catalogue is %x, the art %q; %v, %v", row.Catalog, b.Data, err, found)
		}
		a.Expect, a.Blobs[0].Data = 6, []byte("forged")
		if err := db.Append(t.Context(), a); err == nil {
			t.Error("a blob with a false hash was stored")
		}
	})
}

func TestSnapshot(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1, "a", "b", "c")
	save := func(at room.Position, body string) {
		t.Helper()
		if err := db.SaveSnapshot(t.Context(), tableID(1), at, []byte(body), 0); err != nil {
			t.Fatal(err)
		}
	}
	want := func(at room.Position, body string, entries ...string) {
		t.Helper()
		got, l := mustLoad(t, db, 1)
		if l.At != at || string(l.Snapshot) != body || (l.Snapshot == nil) != (at == 0) ||
			!cmp.Equal(got, entries) {
			t.Errorf("loaded %q at %d, then %q", l.Snapshot, l.At, got)
		}
	}
	want(0, "", "a", "b", "c")
	save(2, "")
	want(2, "", "c")
	save(3, "S3")
	want(3, "S3")
	save(3, "S3 again")
	save(2, "late")
	want(3, "S3 again")
	for _, at := range []room.Position{0, 4, 1<<64 - 1} {
		if err := db.SaveSnapshot(t.Context(), tableID(1), at, []byte("x"), 0); err == nil {
			t.Errorf("a snapshot at %d of a log of 3 was stored", at)
		}
	}
	if err := appendTo(t, db, 1, 3, "d"); err != nil {
		t.Fatal(err)
	}
	want(3, "S3 again", "d")
	var rows int
	if err := db.read.QueryRow(`SELECT count(*) FROM (` + logRows + `)`).Scan(&rows); err != nil ||
		rows != 4 {
		t.Errorf("the log has %d rows, %v: a snapshot must not delete any", rows, err)
	}
}

func TestRenewedInvites(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1)
	mustCreate(t, db, 2)
	invite := func(n int, name string) room.InviteRow {
		return room.InviteRow{Token: token(name), Table: tableID(n), Role: 2}
	}
	ctx := t.Context()
	if err := errors.Join(
		renewInvites(ctx, db, tableID(1), 1, []room.InviteRow{invite(1, "a"), invite(1, "b")}),
		renewInvites(ctx, db, tableID(2), 1, []room.InviteRow{invite(2, "z")}),
		renewInvites(ctx, db, tableID(1), 2, []room.InviteRow{invite(1, "b"), invite(1, "c")}),
	); err != nil {
		t.Fatal(err)
	}
	if err := renewInvites(ctx, db, tableID(1), 3, []room.InviteRow{invite(1, "z")}); err == nil {
		t.Error("an invite leads to two tables")
	}
	if err := renewInvites(ctx, db, tableID(1), 3, []room.InviteRow{invite(2, "y")}); err == nil {
		t.Error("the invites of one table were replaced by those of another")
	}
	_, err := db.InviteByToken(ctx, token("a"))
	wantErr(t, err, room.ErrRenewed)
	for name, n := range map[string]int{"b": 1, "c": 1, "z": 2} {
		if got, err := db.InviteByToken(ctx, token(name)); err != nil || got != invite(n, name) {
			t.Errorf("invite %s is %+v, %v", name, got, err)
		}
	}
	if row, err := db.Table(ctx, tableID(1)); err != nil || row.InviteVersion != 2 {
		t.Errorf("version is %d, %v", row.InviteVersion, err)
	}
}

// renewInvites replaces the invites of a table without adding anything to its log.
func renewInvites(ctx context.Context, db *DB, table id.OID, version uint32,
	invites []room.InviteRow) error {
	loaded, err := db.Load(ctx, table, 0)
	if err != nil {
		return err
	}
	length := loaded.At + room.Position(len(loaded.Entries))
	return db.Append(ctx, room.Append{Table: table, Expect: length,
		Invites: &room.NewInvites{Version: version, Rows: invites}})
}
