package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"holt/server/federation/node"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

// Blobs are deleted when nothing refers to them (O30): no catalogue or supplement (G12) of a table,
// no version of a kind that an object has, and no game in a library (G11). A sweep reads all
// references while everything else goes on. Meanwhile the writer records every blob that is stored
// or referred to. It looks at that record before it deletes a slice of blobs itself. So it knows
// every reference that exists.

// ErrSweeping says that blobs are being swept already.
var ErrSweeping = errors.New("what nothing refers to is being deleted already")

const (
	sweepPage = 1024 // values, or hashes, that are read at once
	// that are deleted in one transaction, or fewer if they have more than sweepBytes
	sweepBlobs = 64
)

// sweep is one deletion of unused blobs that is under way.
type sweep struct {
	// Set at construction.
	db   *DB
	refs node.BlobRefs
	// Owned by SweepBlobs, and by the writer while it deletes a slice.
	needed map[room.Hash]bool
	// Owned by the writer.
	// stored or referred to since the sweep began; those that are not stored yet stay in it
	fresh map[room.Hash]bool
	fault error // while reading what a value refers to: then nothing is deleted
}

// SweepBlobs deletes the blobs to which nothing refers. It returns ErrSweeping if another sweep is
// under way.
func (db *DB) SweepBlobs(ctx context.Context, refs node.BlobRefs) (swept node.Swept, err error) {
	s := &sweep{db: db, refs: refs, needed: map[room.Hash]bool{}, fresh: map[room.Hash]bool{}}
	if err := db.write(ctx, 0, func(t *tx) error {
		return t.beginSweep(s)
	}); err != nil {
		return swept, err
	}
	defer func() {
		end := db.write(context.WithoutCancel(ctx), 0, func(t *tx) error {
			t.sweep = nil
			return nil
		})
		err = errors.Join(err, end)
	}()
	if err := s.mark(ctx); err != nil {
		return swept, fmt.Errorf("find out what refers to blobs: %w", err)
	}
	for behind := []byte{}; ; {
		page, err := db.hashes(ctx, `SELECT hash FROM blobs WHERE hash > ? ORDER BY hash LIMIT ?`,
			behind, sweepPage)
		if err != nil || len(page) == 0 {
			return swept, err
		}
		behind = slices.Clone(page[len(page)-1][:])
		idle := slices.DeleteFunc(page, func(h room.Hash) bool { return s.needed[h] })
		for len(idle) > 0 {
			n, err := s.deleteSome(ctx, idle[:min(len(idle), sweepBlobs)], &swept)
			if err != nil {
				return swept, err
			}
			idle = idle[n:]
		}
	}
}

func (t *tx) beginSweep(s *sweep) error {
	if t.sweep != nil && t.sweep != s {
		return refuse(ErrSweeping)
	}
	t.sweep = s
	for catalog := range t.replacedCatalogs {
		s.fresh[catalog] = true
	}
	return nil
}

// noteBlob records that a blob is stored, or was stored already and is needed. s may be nil.
func (s *sweep) noteBlob(h room.Hash) {
	if s != nil {
		s.fresh[h] = true
	}
}

// noteValue records the blobs to which a value refers that is being written. s may be nil.
func (s *sweep) noteValue(w *object.Write) {
	if s == nil || w.Value == nil || !slices.Contains(s.refs.Spaces, w.Space) {
		return
	}
	hashes, err := s.refs.Value(*w)
	if err != nil {
		s.fault = err
	}
	for _, h := range hashes {
		s.fresh[h] = true
	}
}

// mark reads everything that refers to blobs.
func (s *sweep) mark(ctx context.Context) error {
	roots, err := s.db.hashes(ctx, `SELECT catalog FROM tables UNION
		SELECT supplement FROM supplements UNION
		SELECT about FROM library_games`)
	if err == nil {
		err = s.follow(ctx, roots, s.db.read)
	}
	for _, space := range s.refs.Spaces {
		for behind, more := (id.OID{}), true; more && err == nil; {
			var page []object.Write
			page, err = s.db.ObjectValues(ctx, space, behind, sweepPage)
			more = len(page) == sweepPage
			for i := 0; i < len(page) && err == nil; i++ {
				var hashes []room.Hash
				behind = page[i].OID
				if hashes, err = s.refs.Value(page[i]); err == nil {
					err = s.follow(ctx, hashes, s.db.read)
				}
			}
		}
	}
	if err != nil {
		return err
	}
	roots, err = s.refs.Roots()
	if err != nil {
		return err
	}
	return s.follow(ctx, roots, s.db.read)
}

// follow records that blobs are needed, with all blobs to which they refer. It skips blobs that are
// not stored.
func (s *sweep) follow(ctx context.Context, hashes []room.Hash, q rowQuerier) error {
	for len(hashes) > 0 {
		h := hashes[len(hashes)-1]
		hashes = hashes[:len(hashes)-1]
		if s.needed[h] {
			continue
		}
		b := room.Blob{Hash: h}
		err := q.QueryRowContext(ctx, `SELECT type, data FROM blobs WHERE hash = ?`, h[:]).
			Scan(&b.Type, &b.Data)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read blob %x: %w", h, err)
		}
		if err := checkBlob(b); err != nil { // a damaged blob no longer says to what it refers
			return err
		}
		s.needed[h] = true
		hashes = append(hashes, s.refs.Blob(b)...)
	}
	return nil
}

// deleteSome deletes some blobs that were not needed, unless they are needed by now. It returns how
// many of idle it has looked at: the first ones, at least one.
func (s *sweep) deleteSome(
	ctx context.Context, idle []room.Hash, swept *node.Swept,
) (looked int, err error) {
	var now node.Swept
	err = s.db.write(ctx, sweepBytes, func(t *tx) error {
		looked, now = 0, node.Swept{}
		if err := t.followFresh(s); err != nil {
			return err
		}
		for _, h := range idle {
			if now.Bytes > sweepBytes {
				return nil
			}
			looked++
			if s.needed[h] {
				continue
			}
			var size int64
			if err := t.scan(`DELETE FROM blobs WHERE hash = ? RETURNING length(data)`,
				[]any{h[:]}, &size); err != nil {
				return fmt.Errorf("delete blob %x: %w", h, err)
			}
			now.Blobs++
			now.Bytes += size
		}
		return nil
	})
	if err != nil {
		return looked, err
	}
	swept.Blobs += now.Blobs
	swept.Bytes += now.Bytes
	return looked, nil
}

// followFresh follows what was stored or referred to since its previous call.
func (t *tx) followFresh(s *sweep) error {
	if s.fault != nil {
		return refuse(fmt.Errorf("find out what refers to blobs: %w", s.fault))
	}
	if err := s.follow(t.ctx, slices.Collect(maps.Keys(s.fresh)), t.conn); err != nil {
		return err
	}
	maps.DeleteFunc(s.fresh, func(h room.Hash, _ bool) bool { return s.needed[h] })
	return nil
}

// hashes returns the hashes that a query finds.
func (db *DB) hashes(ctx context.Context, query string, args ...any) ([]room.Hash, error) {
	all, err := list(ctx, db, query, args, func(rows *sql.Rows) (hash room.Hash, err error) {
		var h []byte
		if err := rows.Scan(&h); err != nil {
			return hash, err
		}
		return room.Hash(h), nil
	})
	return all, doing(err, "list blobs")
}
