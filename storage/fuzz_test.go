package storage

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzRestore restores files that are damaged or are not backups. Either the old database stays, or
// the file takes its place and opens.
func FuzzRestore(f *testing.F) {
	dir := f.TempDir()
	db, err := Open(f.Context(), dir, Options{})
	if err != nil {
		f.Fatal(err)
	}
	file := filepath.Join(dir, "seed.holt")
	if err := db.Backup(f.Context(), file); err != nil {
		f.Fatal(err)
	}
	if err := db.Close(); err != nil {
		f.Fatal(err)
	}
	backup, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{}, uint16(0))
	f.Add([]byte("SQLite format 3\x00 and rubbish"), uint16(1))
	f.Add([]byte{1, 2, 3, 4}, uint16(100))
	f.Add([]byte{0xff}, uint16(18))
	f.Add([]byte("\x00\x00\x00\x01\xce7"), uint16(8)) // the version is negative
	f.Add([]byte{0, 0, 0, 2}, uint16(8))              // the text is UTF-16
	f.Fuzz(func(t *testing.T, damage []byte, at uint16) {
		b := damage
		if at > 0 { // a backup with damage at one place
			b = append([]byte(nil), backup...)
			copy(b[int(at)*7%len(b):], damage)
		}
		dir := t.TempDir()
		bad := filepath.Join(dir, "bad.holt")
		if err := os.WriteFile(bad, b, 0o600); err != nil {
			t.Fatal(err)
		}
		data := filepath.Join(dir, "data")
		first, err := Open(t.Context(), data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		self, err := first.HostID(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		refused := restore(t.Context(), data, bad, "replaced-fuzz.db")
		again, err := Open(t.Context(), data, Options{})
		switch {
		case err != nil && refused == nil:
			t.Fatalf("the restored database does not open: %v", err)
		case err != nil:
			t.Fatalf("a backup was refused (%v), and what was there does not open: %v",
				refused, err)
		}
		if now, err := again.HostID(t.Context()); err == nil && refused != nil && now != self {
			t.Errorf("a backup was refused (%v), but it is another server", refused)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	})
}
