package storage

import (
	"fmt"
	"os"

	"holt/server/tables/room"
)

// fileIdentity is where the database was when it was opened. A process can go on writing to files
// that were deleted or replaced meanwhile, and all that it writes is lost when it ends. So the
// place is checked before a commit is acknowledged.
type fileIdentity struct {
	names []string
	files []os.FileInfo
}

// fileIdentityOf records which files the database at path consists of. The database must be open.
func fileIdentityOf(path string) (*fileIdentity, error) {
	p := &fileIdentity{names: []string{path, path + "-wal"}}
	for _, name := range p.names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, fmt.Errorf("find the database: %w", err)
		}
		p.files = append(p.files, info)
	}
	return p, nil
}

// check returns a *room.Trouble if a file is not where it was, or is another file now. A nil place
// is always right.
func (p *fileIdentity) check() error {
	if p == nil {
		return nil
	}
	for i, name := range p.names {
		now, err := os.Stat(name)
		if err == nil && !os.SameFile(p.files[i], now) {
			err = fmt.Errorf("%s is another file now", name)
		}
		if err != nil {
			return &room.Trouble{Reason: "its data folder is gone", Err: err}
		}
	}
	return nil
}
