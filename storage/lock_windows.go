package storage

import (
	"errors"
	"os"
	"syscall"
)

const errSharingViolation = syscall.Errno(32)

// lockFile opens the file without sharing it, so that nobody else can open it until this process
// ends. held reports that another process, or another DB in this one, has it.
func lockFile(path string) (f *os.File, held bool, err error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, false, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, errSharingViolation) {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), false, nil
}

// syncDirectory does nothing: NTFS keeps names in its own journal, and directories cannot be
// flushed.
func syncDirectory(string) error { return nil }

// lockFolder does nothing: nobody can delete the lock file while it is open.
func lockFolder(string) (folder *os.File, held bool) { return nil, false }

// unlock closes the file, which is what held others off.
func unlock(f *os.File) error { return f.Close() }
