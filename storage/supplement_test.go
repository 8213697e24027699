package storage

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
)

// TestSupplements shows what is stored of the rules and languages of the games of tables.
// Clauses: G12.1
func TestSupplements(t *testing.T) {
	dir := t.TempDir()
	db := openDir(t, dir)
	rules := room.Blob{Type: "application/octet-stream", Data: []byte("# Rules")}
	rules.Hash = sha256.Sum256(rules.Data)
	doc := room.Blob{Type: "application/json", Data: []byte("names the rules")}
	doc.Hash = sha256.Sum256(doc.Data)
	for i, supplement := range []room.Hash{doc.Hash, doc.Hash, {}} {
		n := room.NewTable{Row: rowOf(i + 1), Entries: raw("one")}
		n.Row.Supplement = supplement
		n.Blobs = append(n.Blobs, rules, doc)
		if err := db.CreateTable(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	want := func(what string, n int, want room.Hash) {
		t.Helper()
		row, err := db.Table(t.Context(), tableID(n))
		if err != nil || row.Supplement != want {
			t.Errorf("%s: table %d has %x, %v, want %x", what, n, row.Supplement, err, want)
		}
	}
	want("G12.1 as it was set up", 1, doc.Hash)
	want("G12.1 a game without any", 3, room.Hash{})
	names := refs()
	blob := names.Blob
	names.Blob = func(b room.Blob) []room.Hash {
		if b.Hash == doc.Hash {
			return []room.Hash{rules.Hash}
		}
		return blob(b)
	}
	if _, err := db.SweepBlobs(t.Context(), names); err != nil {
		t.Fatal(err)
	}
	for _, b := range []room.Blob{rules, doc} {
		if _, err := db.Blob(t.Context(), b.Hash); err != nil {
			t.Errorf("G12.1 %s is swept: %v", b.Data, err)
		}
	}
	harm(t, db, `UPDATE supplements SET supplement = zeroblob(32) WHERE table_num = 1`)
	want("a damaged one", 1, room.Hash{})
	r, err := Check(t.Context(), dir, nil)
	if err != nil || !slices.ContainsFunc(r.Damage, func(d Damage) bool {
		return d.Table == tableID(1) && strings.Contains(d.What, "which rules its game has")
	}) {
		t.Errorf("the check finds %v, %v", r.Damage, err)
	}
	for n := 1; n <= 2; n++ {
		if err := db.DeleteTable(t.Context(), room.Deletion{
			Table: tableID(n), Expect: 1, At: id.Millis(1),
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.SweepBlobs(t.Context(), names); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Blob(t.Context(), rules.Hash); err == nil {
		t.Error("rules that no table has are kept")
	}
}

// TestReplacedSupplement shows that a table can get another supplement, and that the one before is
// deleted then.
// Clauses: G27.2
func TestReplacedSupplement(t *testing.T) {
	dir := t.TempDir()
	db := openDir(t, dir)
	docs := []room.Blob{{Data: []byte("one")}, {Data: []byte("two")}}
	for i := range docs {
		docs[i].Type, docs[i].Hash = "application/json", sha256.Sum256(docs[i].Data)
	}
	n := room.NewTable{Row: rowOf(1), Entries: raw("one"), Blobs: docs[:1]}
	n.Row.Supplement = docs[0].Hash
	if err := db.CreateTable(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	if err := db.Append(t.Context(), room.Append{
		Table: tableID(1), Expect: 1, Supplement: &docs[1].Hash, Blobs: docs[1:],
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.SweepBlobs(t.Context(), refs()); err != nil {
		t.Fatal(err)
	}
	row, err := db.Table(t.Context(), tableID(1))
	if err != nil || row.Supplement != docs[1].Hash {
		t.Errorf("the table has %x, %v", row.Supplement, err)
	}
	if _, err := db.Blob(t.Context(), docs[1].Hash); err != nil {
		t.Errorf("the new one is swept: %v", err)
	}
	if _, err := db.Blob(t.Context(), docs[0].Hash); err == nil {
		t.Error("the old one is kept")
	}
	r, err := Check(t.Context(), dir, nil)
	if err != nil || slices.ContainsFunc(r.Damage, func(d Damage) bool {
		return strings.Contains(d.What, "which rules its game has")
	}) {
		t.Errorf("the check finds %v, %v", r.Damage, err)
	}
}
