package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	fileName = "holt.db"
	lockName = "holt.lock"
	newName  = "holt.db.new" // a database that is being made; worthless after a crash

	// applicationID is in the header of every Holt database: "Holt".
	applicationID = 0x486f6c74
)

// sidecarSuffixes are the suffixes of the files that SQLite puts beside a database.
var sidecarSuffixes = []string{"-wal", "-shm", "-journal"}

// isOwnName reports whether a copy of the database must not have this name in the data directory. A
// file of that name would be taken for a log, and overwritten, or for what a crash has left, and
// removed.
func isOwnName(name string) bool {
	own, isOwn := strings.CutPrefix(name, fileName)
	return name == lockName || name == newName || name == probeName ||
		isOwn && (own == "" || slices.Contains(sidecarSuffixes, own))
}

// Errors of Open and Restore.
var (
	ErrInUse   = errors.New("the data directory is in use")
	ErrForeign = errors.New("not a Holt database")
	ErrNewer   = errors.New("written by a newer Holt")
)

// lock holds a data directory for this process alone.
type lock struct {
	file   *os.File
	folder *os.File // nil where folders cannot be locked
}

// Close releases the directory.
func (l *lock) Close() error {
	if l.folder == nil {
		return unlock(l.file)
	}
	return errors.Join(unlock(l.folder), unlock(l.file))
}

// lockDirectory takes the directory for this process alone. SQLite's own exclusive mode would shut
// out our readers as well, and its other locks are free between two transactions. So the lock is on
// a file beside the database. Holt never deletes that file: if a name is deleted and created again,
// two processes can lock it. Somebody else may still delete it. So the folder itself is locked,
// too, where the system can.
func lockDirectory(dir string) (*lock, error) {
	f, held, err := lockFile(filepath.Join(dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("lock data directory: %w", err)
	}
	l := &lock{file: f}
	if !held {
		l.folder, held = lockFolder(dir)
	}
	if !held {
		return l, nil
	}
	if f != nil {
		err = unlock(f)
	}
	return nil, errors.Join(fmt.Errorf("%w: is another holt serving %s?", ErrInUse, dir), err)
}

// prepareFile makes sure that path is a Holt database, and creates it if there is none. It reads
// the bytes of the file itself: SQLite could leave a log beside a foreign file, or move one into
// it.
func prepareFile(ctx context.Context, path string) error {
	err := checkHeader(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return createFile(ctx, path)
	case err != nil:
		return fmt.Errorf("open database: %w", err)
	}
	return checkSize(path)
}

// checkSize returns an error if the file at path is shorter than its header says. SQLite would
// notice only when it reads what is missing, which may be much later. With a log beside the file
// nothing is wrong: a process that was killed while it copied the log into the file leaves it so,
// and the log has what is missing.
func checkSize(path string) error {
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return nil
	}
	b, size, err := headerBytes(path)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	page := int64(binary.BigEndian.Uint16(b[16:]))
	if page == 1 {
		page = 1 << 16
	}
	if want := page * int64(binary.BigEndian.Uint32(b[28:])); size < want {
		return fmt.Errorf("open database: %s is cut off: it has %d of %d bytes", path, size, want)
	}
	return nil
}

// readHeader returns the version in the header of the database at path, ErrForeign if it is not a
// Holt database, or ErrBroken if its text is not UTF-8, the only encoding that Holt writes. The
// version may be older than one that is still in the write-ahead log. The application id and the
// encoding cannot be older, because a database gets its name only when it is complete.
func readHeader(path string) (version int, err error) {
	h, _, err := headerBytes(path)
	if err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(h[:], []byte("SQLite format 3\x00")) ||
		binary.BigEndian.Uint32(h[68:]) != applicationID {
		return 0, fmt.Errorf("%s: %w", path, ErrForeign)
	}
	// SQLite believes any value here, and cannot attach a database of another encoding later.
	if encoding := binary.BigEndian.Uint32(h[56:]); encoding != 1 {
		return 0, fmt.Errorf("%s: %w: its text has encoding %d, want 1, UTF-8", path, ErrBroken,
			encoding)
	}
	//nolint:gosec // the field is a signed number
	return int(int32(binary.BigEndian.Uint32(h[60:]))), nil
}

// headerBytes returns the header of the file at path (https://www.sqlite.org/fileformat.html,
// section 1.3) and the size of the file. It returns ErrForeign if the file is shorter than a
// header.
func headerBytes(path string) (h [100]byte, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return h, 0, err
	}
	defer f.Close() //nolint:errcheck // only read
	if _, err := io.ReadFull(f, h[:]); err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return h, 0, fmt.Errorf("%s: %w: it is empty or cut off", path, ErrForeign)
	} else if err != nil {
		return h, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return h, 0, err
	}
	return h, info.Size(), nil
}

// createFile makes an empty database under another name, and renames it when it is on the disk. So
// every file called holt.db is complete.
func createFile(ctx context.Context, path string) error {
	if _, err := os.Lstat(path + "-wal"); err == nil {
		return fmt.Errorf(
			"create database: %s is missing, but its write-ahead log is there: put both back", path)
	}
	fresh := filepath.Join(filepath.Dir(path), newName)
	err := newFile(fresh)
	if err == nil {
		err = initialise(ctx, fresh)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("create database: %w", err), removeFile(fresh))
	}
	return moveIn(fresh, path)
}

// newFile creates an empty file that only its owner can read. It replaces one that a crash has
// left.
func newFile(path string) error {
	if err := removeFile(path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// removeFile removes a database that nobody has open, with the files that SQLite puts beside it.
func removeFile(path string) error {
	var errs []error
	for _, suffix := range append([]string{""}, sidecarSuffixes...) {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// moveIn gives a finished database its name, durably.
func moveIn(fresh, path string) error {
	if err := syncFile(fresh); err != nil {
		return fmt.Errorf("flush database: %w", err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return fmt.Errorf("name database: %w", err)
	}
	return doing(syncDirectory(filepath.Dir(path)), "flush directory")
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	return errors.Join(err, f.Close())
}
