package storage

import (
	"context"
	"crypto/sha256"
	"fmt"

	"holt/server/tables/room"
)

// Blob returns art or a catalogue. It returns ErrNoBlob if it is not stored. If its content has
// changed on the disk, Blob returns an error: clients cache it for ever under this hash.
func (db *DB) Blob(ctx context.Context, hash room.Hash) (room.Blob, error) {
	const query = `SELECT type, data FROM blobs WHERE hash = ?`
	b := room.Blob{Hash: hash}
	err := readFault(db.row(ctx, query, []any{hash[:]}, &b.Type, &b.Data))
	if err != nil {
		return room.Blob{}, finding(err, room.ErrNoBlob, "read blob %x", hash)
	}
	if err := checkBlob(b); err != nil {
		return room.Blob{}, err
	}
	return b, nil
}

// BlobSize returns how many bytes a blob has. It returns ErrNoBlob if it is not stored.
func (db *DB) BlobSize(ctx context.Context, hash room.Hash) (size int64, err error) {
	const query = `SELECT length(data) FROM blobs WHERE hash = ?`
	if err := readFault(db.row(ctx, query, []any{hash[:]}, &size)); err != nil {
		return 0, finding(err, room.ErrNoBlob, "measure blob %x", hash)
	}
	return size, nil
}

// insertBlobs stores the blobs that are not stored yet. Every table of a game may bring the same
// content.
func (t *tx) insertBlobs(blobs []room.Blob) error {
	const insert = `INSERT INTO blobs (hash, type, data) VALUES (?, ?, ?)
		ON CONFLICT (hash) DO NOTHING`
	for _, b := range blobs {
		t.sweep.noteBlob(b.Hash)
		if err := t.exec(insert, b.Hash[:], b.Type, blob(b.Data)); err != nil {
			return fmt.Errorf("store blob %x: %w", b.Hash, err)
		}
	}
	return nil
}

func checkBlob(b room.Blob) error {
	if room.Hash(sha256.Sum256(b.Data)) != b.Hash {
		return damage("blob %x has other content than its hash says", b.Hash)
	}
	return nil
}
