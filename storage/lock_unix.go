//go:build unix

package storage

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes an exclusive flock, which the kernel gives up when the process ends, however it ends.
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

// syncDirectory makes the names in dir survive a power failure.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}
