//go:build unix

package storage

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes an exclusive flock. The kernel releases it when the process ends, however it ends.
// held reports that another process, or another DB in this one, has it.
func lockFile(path string) (f *os.File, held bool, err error) {
	f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		_ = f.Close() // nothing was written
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, true, nil
		}
		return nil, false, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return f, false, nil
}

// lockFolder takes an exclusive flock of the folder itself. held reports that somebody else has it.
// It returns nil where the file system does not lock folders.
func lockFolder(dir string) (folder *os.File, held bool) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, false
	}
	err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return d, false
	}
	_ = d.Close() // only opened
	return nil, errors.Is(err, syscall.EWOULDBLOCK)
}

// unlock gives up the lock of a file or folder and closes it. Closing alone does not suffice: a
// process that another goroutine is starting has a copy of every open file until it runs its own
// program, and keeps the lock as long.
func unlock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	return errors.Join(os.NewSyscallError("unlock", err), f.Close())
}

// syncDirectory makes the names in dir durable.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}
