package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe" //nolint:depguard // the kernel takes a pointer to the filter

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"holt/server/tables/room"
)

func init() {
	children["size limit"] = sizeLimitChild
	children["no flush"] = noFlushChild
	children["read-only"] = readOnlyChild
	children["killed backup"] = killedBackupChild
}

// faulty are limits at which a few entries stay in recent, and move every few appends.
var faulty = limits{rows: 64, bytes: 20_000, few: 8}

func runFault(t *testing.T, task, dir string) {
	t.Helper()
	if out, err := childCommand(t, task, dir).Output(); err != nil {
		t.Fatalf("%s: %v\n%s", task, err, out)
	}
}

// appendBatches appends at most n whole batches to table 1, from position at on, until one fails.
func appendBatches(db *DB, at, n int) (int, error) {
	for i := range n {
		size := i%5 + 1
		if err := db.Append(context.Background(), batchOf(1, at+1, size)); err != nil {
			return at, err
		}
		at += size
	}
	return at, nil
}

// wantLength returns an error unless the log of table 1 ends with the last acknowledged append.
func wantLength(db *DB, length int) error {
	l, err := db.Load(context.Background(), tableID(1), 0)
	if err == nil && len(l.Entries) != length {
		err = fmt.Errorf("the log has %d entries, %d are acknowledged", len(l.Entries), length)
	}
	return err
}

// On a full disk whole appends fail and reads work. Appends work again when there is space.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("only root can mount a small disk: %v", err)
	}
	defer func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	data := filepath.Join(dir, "data")
	db := openDir(t, data)
	defer db.Close()
	if err := limit(db, faulty); err != nil {
		t.Fatal(err)
	}
	told := make(chan error, 10)
	db.Notify(func(err error) { told <- err })
	mustCreate(t, db, 1)
	length := 0
	for round := range 3 {
		ballast := filepath.Join(dir, "ballast")
		fillDisk(t, ballast)
		var err error
		if length, err = appendBatches(db, length, 10_000); err == nil {
			t.Fatal("the disk is never full")
		}
		for range 20 { // a smaller append may still fit
			length, _ = appendBatches(db, length, 1)
		}
		if err := wantLength(db, length); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		if length, err = appendBatches(db, length, 10); err != nil {
			t.Fatalf("round %d, with room again: %v", round, err)
		}
		checkBatches(t, db, 1, length)
		// While the server checks whether there is space again, it uses some of it for a moment. It
		// must not do so while the test fills the disk the next time.
		for err := <-told; err != nil; { // until the server reports that saving works again
			err = <-told
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openDir(t, data)
	defer db.Close()
	if n := checkBatches(t, db, 1, length); n != length {
		t.Errorf("%d entries after a restart, want %d", n, length)
	}
}

// A server starts on a disk without a free byte, whether it was stopped or killed. It can be read,
// and becomes writable by itself.
func TestFindingR7StartsOnFullDisk(t *testing.T) {
	for name, stop := range map[string]func(db *DB) error{
		"stopped": func(db *DB) error { return db.Close() },
		"killed":  func(*DB) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			disk, source := t.TempDir(), t.TempDir()
			if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=3m"); err != nil {
				t.Skipf("only root can mount a small disk: %v", err)
			}
			t.Cleanup(func() {
				if err := unix.Unmount(disk, 0); err != nil {
					t.Error(err)
				}
			})
			first := openDir(t, source)
			mustCreate(t, first, 1, "a", "b")
			host, err := first.HostID(t.Context())
			if err := errors.Join(err, stop(first)); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(disk, "data")
			if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
				t.Fatal(err)
			}
			// After a restart of the machine it does not exist.
			_ = os.Remove(filepath.Join(dir, fileName+"-shm"))
			ballast := filepath.Join(disk, "ballast")
			fillWhole(t, ballast)
			db := openDir(t, dir)
			defer db.Close()
			told := make(chan error, 10)
			db.Notify(func(err error) { told <- err })
			wantTrouble(t, db.Writable())
			wantTrouble(t, db.Healthy(t.Context()))
			wantTrouble(t, appendTo(t, db, 1, 2, "c"))
			if log, _ := mustLoad(t, db, 1); !cmp.Equal(log, []string{"a", "b"}) {
				t.Errorf("log is %q", log)
			}
			if again, err := db.HostID(t.Context()); err != nil || again != host {
				t.Errorf("host is %s, %v, want %s", again, err, host)
			}
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
			if err := <-told; err != nil {
				t.Errorf("got %v when there is room again", err)
			}
			if err := errors.Join(appendTo(t, db, 1, 2, "c"), db.Healthy(t.Context())); err != nil {
				t.Error(err)
			}
			if log, _ := mustLoad(t, reopen(t, db), 1); !cmp.Equal(log, []string{"a", "b", "c"}) {
				t.Errorf("log is %q", log)
			}
		})
	}
}

// fillWhole fills the disk to the last byte.
func fillWhole(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{1 << 16, 1 << 12, 1} {
		for b := make([]byte, size); err == nil; {
			_, err = f.Write(b)
		}
		err = nil
	}
}

// fillDisk leaves a little less space than a few appends need.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var room unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(path), &room); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, max(int64(room.Bavail)*room.Bsize-100<<10, 0))); err != nil {
		t.Fatal(err)
	}
}

// A size limit cuts a write short, also in the middle of a page.
func TestSizeLimit(t *testing.T) {
	dir := t.TempDir()
	runFault(t, "size limit", dir)
	if n := checkBatches(t, openDir(t, dir), 1, 1); n == 0 {
		t.Error("nothing was written")
	}
}

func sizeLimitChild(dir string, _ io.Writer) error {
	signal.Ignore(syscall.SIGXFSZ)
	db, err := Open(context.Background(), dir, Options{})
	if err != nil {
		return err
	}
	if err := errors.Join(limit(db, faulty),
		db.CreateTable(context.Background(), room.NewTable{Row: rowOf(1)})); err != nil {
		return err
	}
	var unlimited syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &unlimited); err != nil {
		return err
	}
	length := 0
	for limit := uint64(100_000); limit < 130_000; limit += 1_234 {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE,
			&syscall.Rlimit{Cur: limit, Max: unlimited.Max}); err != nil {
			return err
		}
		if length, err = appendBatches(db, length, 10_000); err == nil {
			return errors.New("the limit does nothing")
		}
		if err := wantLength(db, length); err != nil {
			return err
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &unlimited); err != nil {
			return err
		}
		if length, err = appendBatches(db, length, 3); err != nil {
			return fmt.Errorf("without the limit: %w", err)
		}
		if err := wantLength(db, length); err != nil {
			return err
		}
	}
	return nil
}

// When the disk accepts writes and fails to flush them, nothing is acknowledged or shown.
func TestFlushFails(t *testing.T) {
	dir := t.TempDir()
	runFault(t, "no flush", dir)
	// The last append was written and not flushed. It may have survived the process, but only as a
	// whole.
	if n := checkBatches(t, openDir(t, dir), 1, noFlushLength); n != noFlushLength &&
		n != noFlushLength+1 {
		t.Errorf("%d entries, %d were acknowledged", n, noFlushLength)
	}
}

const noFlushLength = 1 + 2 + 3 + 4 + 5

func noFlushChild(dir string, _ io.Writer) error {
	db, err := Open(context.Background(), dir, Options{})
	if err != nil {
		return err
	}
	if err := errors.Join(limit(db, faulty),
		db.CreateTable(context.Background(), room.NewTable{Row: rowOf(1)})); err != nil {
		return err
	}
	length, err := appendBatches(db, 0, 5)
	if err != nil || length != noFlushLength {
		return fmt.Errorf("%d entries: %w", length, err)
	}
	if err := forbidFlush(); err != nil {
		return err
	}
	for range 10 {
		if _, err := appendBatches(db, length, 1); err == nil {
			return errors.New("an append was acknowledged that was not flushed")
		}
		if err := wantLength(db, length); err != nil {
			return err
		}
	}
	return nil
}

// forbidFlush makes fsync and fdatasync fail with EIO in all threads of this process from now on.
func forbidFlush() error { return atFlush(uint32(unix.SECCOMP_RET_ERRNO | int(unix.EIO))) }

// atFlush installs a filter that returns what when a thread of this process flushes a file.
func atFlush(what uint32) error {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the number of the system call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 2, K: unix.SYS_FSYNC},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: unix.SYS_FDATASYNC},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		{Code: unix.BPF_RET | unix.BPF_K, K: what},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	if e != 0 {
		return e
	}
	return nil
}

// Open returns an error for a read-only directory or database, and does not change it.
func TestReadOnly(t *testing.T) {
	for name, lock := range map[string]func(dir string) error{
		"directory": func(dir string) error { return os.Chmod(dir, 0o500) },
		"database": func(dir string) error {
			return os.Chmod(filepath.Join(dir, fileName), 0o400)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			db := openDir(t, dir)
			mustCreate(t, db, 1)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			before := readDir(t, dir)
			if os.Getuid() == 0 { // root may write everything, so nobody becomes the owner
				if err := giveAway(dir); err != nil {
					t.Fatal(err)
				}
			}
			if err := lock(dir); err != nil {
				t.Fatal(err)
			}
			runFault(t, "read-only", dir)
			for file, content := range readDir(t, dir) {
				if was, ok := before[file]; (!ok && !strings.HasSuffix(file, "-shm") &&
					!strings.HasSuffix(file, "-wal")) || was != content && ok {
					t.Errorf("%s was changed", file)
				}
			}
			if err := os.Chmod(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		})
	}
}

const nobody = 65534

// giveAway makes the user nobody the owner of dir and of its content, and opens the path to it.
func giveAway(dir string) error {
	errs := []error{os.Chown(dir, nobody, nobody), os.Chmod(filepath.Dir(dir), 0o755)}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		errs = append(errs, os.Chown(filepath.Join(dir, e.Name()), nobody, nobody))
	}
	return errors.Join(append(errs, err)...)
}

func readOnlyChild(dir string, out io.Writer) error {
	if os.Getuid() == 0 {
		if err := errors.Join(syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
			return err
		}
	}
	if _, err := os.ReadFile(filepath.Join(dir, fileName)); err != nil {
		return fmt.Errorf("the test cannot be made here: %w", err)
	}
	db, err := Open(context.Background(), dir, Options{})
	if err == nil {
		return errors.Join(errors.New("no error"), db.Close())
	}
	_, err = fmt.Fprintln(out, err)
	return err
}

// A killed backup leaves nothing at its target, and the next backup of that name succeeds.
func TestFindingR10KilledBackup(t *testing.T) {
	dir, target := t.TempDir(), filepath.Join(t.TempDir(), "b.holt")
	db := openDir(t, dir)
	mustCreate(t, db, 1)
	if err := appendTo(t, db, 1, 0, strings.Repeat("x", 1<<20)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOLT_STORAGE_TEST_TARGET", target)
	cmd := childCommand(t, "killed backup", dir)
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() == 1 {
		t.Fatalf("the backup was not killed: %v", err)
	}
	if left := readDir(t, filepath.Dir(target)); len(left) == 0 || left["b.holt"] != "" {
		t.Fatalf("%d files are left", len(left))
	}
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the killed backup is there: %v", err)
	}
	if err := db.Backup(t.Context(), target); err != nil {
		t.Errorf("the next backup: %v", err)
	}
	if left := readDir(t, filepath.Dir(target)); len(left) != 1 {
		t.Errorf("%d files are there, want the backup alone", len(left))
	}
}

// killedBackupChild is killed when the backup is about to flush its file.
func killedBackupChild(dir string, _ io.Writer) error {
	if err := atFlush(unix.SECCOMP_RET_KILL_PROCESS); err != nil {
		return err
	}
	return errors.Join(errors.New("it went on"),
		backup(context.Background(), dir, os.Getenv("HOLT_STORAGE_TEST_TARGET")))
}
