package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

func madeBy(host byte, n int) id.OID {
	o := id.OID{host}
	binary.BigEndian.PutUint64(o[8:], uint64(n))
	return o
}

func TestObjects(t *testing.T) {
	t.Run("O24 a batch is complete after a restart, also its deletions", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		ctx := t.Context()
		art := blobOf("art")
		writes := []object.Write{
			{Space: object.Heads, OID: madeBy(1, 1), Value: []byte("one")},
			{Space: object.Heads, OID: madeBy(1, 2), Value: []byte{}},
			{Space: object.Bodies, OID: madeBy(1, 1), Value: []byte("body")},
			{Space: object.Heads, OID: madeBy(2, 1), Value: []byte("another")},
		}
		if err := db.KeepObjects(ctx, writes, []room.Blob{art}); err != nil {
			t.Fatal(err)
		}
		if err := db.KeepObjects(ctx, []object.Write{
			{Space: object.Heads, OID: madeBy(1, 1), Value: []byte("newer")},
			{Space: object.Bodies, OID: madeBy(1, 1)},
			{Space: object.Bodies, OID: madeBy(1, 9)}, // did not exist
		}, nil); err != nil {
			t.Fatal(err)
		}
		db = reopen(t, db)
		writes[0].Value = []byte("newer")
		page, err := db.ObjectValues(ctx, object.Heads, id.OID{}, 2)
		if diff := cmp.Diff(writes[:2], page); err != nil || diff != "" {
			t.Fatalf("%v\n%s", err, diff)
		}
		page, err = db.ObjectValues(ctx, object.Heads, page[1].OID, 2)
		if diff := cmp.Diff(writes[3:], page); err != nil || diff != "" {
			t.Fatalf("%v\n%s", err, diff)
		}
		for oid, want := range map[id.OID][]byte{madeBy(1, 1): []byte("newer"), madeBy(1, 2): {},
			madeBy(1, 3): nil} {
			got, err := db.ObjectValue(ctx, object.Heads, oid)
			if err != nil || !bytes.Equal(got, want) || (got == nil) != (want == nil) {
				t.Errorf("%s: %q, %v, want %q", oid, got, err, want)
			}
		}
		if got, err := db.ObjectValue(ctx, object.Bodies, madeBy(1, 1)); got != nil || err != nil {
			t.Errorf("the removed one: %q, %v", got, err)
		}
		if got, err := db.Blob(ctx, art.Hash); err != nil || !bytes.Equal(got.Data, art.Data) {
			t.Errorf("blob %q, %v", got.Data, err)
		}
	})
	t.Run("O36.5 objects are counted for their maker", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		var writes []object.Write
		for n := range 10 {
			writes = append(writes, object.Write{Space: object.Heads, OID: madeBy(byte(n%2+1), n+1),
				Value: make([]byte, n)})
		}
		if err := db.KeepObjects(t.Context(), writes, nil); err != nil {
			t.Fatal(err)
		}
		count, size, err := db.ObjectsMade(t.Context(), object.Heads, id.HostID{1})
		if count != 5 || size != 0+2+4+6+8 || err != nil {
			t.Errorf("%d objects, %d bytes, %v", count, size, err)
		}
		if count, size, err = db.ObjectsMade(t.Context(), object.Heads, id.HostID{7}); count != 0 ||
			size != 0 || err != nil {
			t.Errorf("of a host without objects: %d objects, %d bytes, %v", count, size, err)
		}
	})
	t.Run("O24 nothing of a batch is kept when one of its blobs differs", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		wrong := blobOf("art")
		wrong.Data = []byte("something else")
		err := db.KeepObjects(t.Context(), []object.Write{{Space: object.Heads, OID: madeBy(1, 1),
			Value: []byte("x")}}, []room.Blob{wrong})
		got, errRead := db.ObjectValue(t.Context(), object.Heads, madeBy(1, 1))
		if err == nil || got != nil || errRead != nil {
			t.Errorf("%v, %q, %v", err, got, errRead)
		}
		if _, err := db.Blob(t.Context(), wrong.Hash); !errors.Is(err, room.ErrNoBlob) {
			t.Errorf("the blob: %v", err)
		}
	})
	t.Run("O11.1 a restored store says so until the machine has begun", func(t *testing.T) {
		dir, ctx := t.TempDir(), t.Context()
		db := openDir(t, dir)
		written := object.Write{Space: object.Selves, OID: madeBy(1, 1), Value: []byte("life 1")}
		if err := db.BeginObjects(ctx, []object.Write{written}); err != nil {
			t.Fatal(err)
		}
		if restored, err := db.ObjectsRestored(ctx); restored || err != nil {
			t.Fatalf("before: %v, %v", restored, err)
		}
		backup := filepath.Join(t.TempDir(), "backup.db")
		if err := errors.Join(db.Backup(ctx, backup), db.Close(),
			restore(ctx, dir, backup, "before.db")); err != nil {
			t.Fatal(err)
		}
		for range 2 { // also after a restart before it has begun
			db = openDir(t, dir)
			if restored, err := db.ObjectsRestored(ctx); !restored || err != nil {
				t.Fatalf("after: %v, %v", restored, err)
			}
			if got, err := db.ObjectValue(ctx,
				object.Selves, written.OID); string(got) != "life 1" || err != nil {
				t.Errorf("%q, %v", got, err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}
		db = openDir(t, dir)
		written.Value = []byte("life 2")
		if err := db.BeginObjects(ctx, []object.Write{written}); err != nil {
			t.Fatal(err)
		}
		if restored, err := reopen(t, db).ObjectsRestored(ctx); restored || err != nil {
			t.Errorf("begun: %v, %v", restored, err)
		}
	})
}

var manyObjects = flag.Int("objects", 100_000, "how many objects BenchmarkObjects has")

// BenchmarkObjects reads and writes single objects among many, and reads all of them like a round
// of the collection.
func BenchmarkObjects(b *testing.B) {
	db, err := Open(b.Context(), b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	value := make([]byte, 120) // about the size of a head with two references and a holder
	for n := 0; n < *manyObjects; {
		var writes []object.Write
		for ; n < *manyObjects && len(writes) < 10_000; n++ {
			writes = append(writes,
				object.Write{Space: object.Heads, OID: madeBy(1, n), Value: value})
		}
		if err := db.KeepObjects(b.Context(), writes, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("get", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n = (n + 7919) % *manyObjects
			if got, err := db.ObjectValue(b.Context(), object.Heads, madeBy(1, n)); err != nil ||
				len(got) != len(value) {
				b.Fatal(len(got), err)
			}
		}
	})
	b.Run("keep", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n = (n + 7919) % *manyObjects
			if err := db.KeepObjects(b.Context(), []object.Write{{Space: object.Heads,
				OID: madeBy(1, n), Value: value}}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("scan", func(b *testing.B) {
		for b.Loop() {
			n, behind := 0, id.OID{}
			for {
				page, err := db.ObjectValues(b.Context(), object.Heads, behind, 1024)
				if err != nil {
					b.Fatal(err)
				}
				if n += len(page); len(page) < 1024 {
					break
				}
				behind = page[len(page)-1].OID
			}
			if n < *manyObjects-1 {
				b.Fatal(n)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(*manyObjects),
			"ns/object")
	})
}
