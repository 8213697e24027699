//go:build unix

package storage

import (
	"errors"
	"syscall"
	"testing"
)

// A process that is being started has copies of all open files until it runs its own program. These
// copies must not keep the lock of a closed directory: a server that opens it at once would be
// refused by chance.
func TestClosedDirectoryIsFreeThoughACopyOfTheLockIsOpen(t *testing.T) {
	dir := t.TempDir()
	l, err := lockDirectory(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range []uintptr{l.file.Fd(), l.folder.Fd()} {
		copied, err := syscall.Dup(int(fd))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = syscall.Close(copied) })
	}
	if _, err := lockDirectory(dir); !errors.Is(err, ErrInUse) {
		t.Fatalf("locked twice: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := lockDirectory(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}
