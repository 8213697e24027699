package storage

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"holt/server/tables/room"
)

// vanishings are ways in which the files of an open database may disappear.
var vanishings = map[string]func(dir string) error{
	"the folder is deleted": os.RemoveAll,
	"the folder is moved":   func(dir string) error { return os.Rename(dir, dir+" moved") },
	"the database is deleted": func(dir string) error {
		return os.Remove(filepath.Join(dir, fileName))
	},
	"its log is deleted": func(dir string) error {
		return os.Remove(filepath.Join(dir, fileName+"-wal"))
	},
	"the database is replaced": func(dir string) error {
		return replace(filepath.Join(dir, fileName))
	},
	"the folder is replaced by one": replaceFolder,
}

// Whatever happens to the files of an open database, it acknowledges nothing that the next start
// would not find.
func TestFindingR5FolderVanishes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not let go of files that are open")
	}
	for name, vanish := range vanishings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			dir := filepath.Join(t.TempDir(), "data")
			db, err := Open(t.Context(), dir,
				Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
			if err != nil {
				t.Fatal(err)
			}
			told := make(chan error, 10)
			db.Notify(func(err error) { told <- err })
			mustCreate(t, db, 1, "a")
			if err := db.Healthy(t.Context()); err != nil {
				t.Errorf("before: %v", err)
			}
			if err := vanish(dir); err != nil {
				t.Fatal(err)
			}
			at := room.Position(1)
			for appendTo(t, db, 1, at, "lost") == nil { // for checkFor at most
				at++
			}
			if checkFor > time.Second {
				t.Errorf("it is noticed after %v", checkFor)
			}
			for range 3 {
				wantTrouble(t, appendTo(t, db, 1, 1, "lost"))
			}
			wantTrouble(t, db.Writable())
			wantTrouble(t, db.Healthy(t.Context()))
			wantTrouble(t, <-told)
			// Whatever it cannot bring into the file is lost, and was never acknowledged.
			_ = db.Close()
			if n := bytes.Count(log.Bytes(), []byte("nothing can be saved")); n != 1 {
				t.Errorf("it is in the log %d times:\n%s", n, &log)
			}
		})
	}
	t.Run("it is noticed within a second without writes", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "data")
		db := openDir(t, dir)
		told := make(chan error, 10)
		db.Notify(func(err error) { told <- err })
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		wantTrouble(t, <-told)
		if lookEvery > time.Second {
			t.Errorf("it is looked every %v", lookEvery)
		}
	})
	t.Run("a folder that comes back works again", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "data")
		db := openDir(t, dir)
		mustCreate(t, db, 1, "a")
		told := make(chan error, 10)
		db.Notify(func(err error) { told <- err })
		if err := os.Rename(dir, dir+" moved"); err != nil {
			t.Fatal(err)
		}
		wantTrouble(t, <-told)
		if err := os.Rename(dir+" moved", dir); err != nil {
			t.Fatal(err)
		}
		if err := <-told; err != nil {
			t.Errorf("it gets %v", err)
		}
		if err := appendTo(t, db, 1, 1, "b"); err != nil {
			t.Error(err)
		}
	})
}

// The check of every second may find the files missing shortly after the writer has. Later writes
// fail with that reason, not with one that follows from it.
func TestFindingR5FolderVanishesBetweenLooks(t *testing.T) {
	for name, vanish := range vanishings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			dir := filepath.Join(t.TempDir(), "data")
			clock := newSetClock() // the writer's clock stands still
			o := Options{Log: slog.New(slog.NewTextHandler(&log, nil)), clock: clock}
			db, err := Open(t.Context(), dir, o)
			if err != nil {
				t.Fatal(err)
			}
			mustCreate(t, db, 1, "a")
			if err := vanish(dir); err != nil {
				t.Fatal(err)
			}
			if !db.gone() {
				t.Error("the look sees nothing")
			}
			for range 3 {
				err := appendTo(t, db, 1, 1, "lost")
				var trouble *room.Trouble
				if !errors.As(err, &trouble) || trouble.Reason != "its data folder is gone" {
					t.Errorf("error is %v", err)
				}
			}
			_ = db.Close() // as above
			if n := bytes.Count(log.Bytes(), []byte("nothing can be saved")); n != 1 {
				t.Errorf("it is in the log %d times:\n%s", n, &log)
			}
		})
	}
}

func wantTrouble(t *testing.T, err error) {
	t.Helper()
	var trouble *room.Trouble
	if !errors.As(err, &trouble) || !errors.Is(err, room.ErrStorage) {
		t.Errorf("error is %v, want that nothing can be saved", err)
	}
}

// replace replaces a file by a copy.
func replace(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(path+" copy", b, 0o600), os.Rename(path+" copy", path))
}

// replaceFolder replaces a folder by a copy.
func replaceFolder(dir string) error {
	return errors.Join(os.Rename(dir, dir+" old"), os.CopyFS(dir, os.DirFS(dir+" old")))
}
