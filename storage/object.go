package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

// ObjectValue returns the stored value of an object in a space, or nil if there is none.
func (db *DB) ObjectValue(ctx context.Context, space object.Space, oid id.OID) ([]byte, error) {
	const query = `SELECT value, sum FROM objects WHERE space = ? AND oid = ?`
	done, err := db.use()
	if err != nil {
		return nil, err
	}
	defer done()
	var value []byte
	var sum sql.NullInt64
	err = readFault(db.read.QueryRowContext(ctx, query, int64(space), oid[:]).Scan(&value, &sum))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read object %s: %w", oid, err)
	}
	if !agrees(sum, sumOfObject(int64(space), oid[:], value)) {
		return nil, damage("object %s does not have its checksum", oid)
	}
	if value == nil {
		value = []byte{} // nil would mean that there is none
	}
	return value, nil
}

// ObjectValues returns up to limit values of a space, for the objects after behind, in ascending
// order.
func (db *DB) ObjectValues(
	ctx context.Context, space object.Space, behind id.OID, limit int,
) (page []object.Write, err error) {
	const query = `SELECT oid, value, sum FROM objects WHERE space = ? AND oid > ? ORDER BY oid LIMIT ?`
	done, err := db.use()
	if err != nil {
		return nil, err
	}
	defer done()
	rows, err := db.read.QueryContext(ctx, query, int64(space), behind[:], limit)
	if err != nil {
		return nil, fmt.Errorf("list objects: %w", readFault(err))
	}
	defer rows.Close() //nolint:errcheck // rows.Err returns the error
	for rows.Next() {
		var oid, value []byte
		var sum sql.NullInt64
		if err := rows.Scan(&oid, &value, &sum); err != nil {
			return nil, fmt.Errorf("list objects: %w", readFault(err))
		}
		if !agrees(sum, sumOfObject(int64(space), oid, value)) {
			return nil, damage("object %x does not have its checksum", oid)
		}
		if value == nil {
			value = []byte{} // as above
		}
		page = append(page, object.Write{Space: space, OID: id.OID(oid), Value: value})
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list objects: %w", readFault(err))
	}
	return page, nil
}

// ObjectsMade returns the number and the bytes of the values of a space whose objects were made by
// a host.
func (db *DB) ObjectsMade(
	ctx context.Context, space object.Space, host id.HostID,
) (count int, bytes int64, err error) {
	const query = `SELECT count(*), coalesce(sum(length(value)), 0) FROM objects WHERE space = ? AND oid BETWEEN ? AND ?`
	done, err := db.use()
	if err != nil {
		return 0, 0, err
	}
	defer done()
	var first, last id.OID
	copy(first[:], host[:])
	copy(last[:], host[:])
	for i := len(host); i < len(last); i++ {
		last[i] = 0xff
	}
	err = db.read.QueryRowContext(ctx, query, int64(space), first[:], last[:]).Scan(&count, &bytes)
	if err != nil {
		return 0, 0, fmt.Errorf("count objects of host %s: %w", host, err)
	}
	return count, bytes, nil
}

// KeepObjects writes a batch of the machine of objects, and blobs that it needs, all or nothing.
// When it returns they are durable.
func (db *DB) KeepObjects(ctx context.Context, writes []object.Write, blobs []room.Blob) error {
	size := 0
	for i := range writes {
		size += len(writes[i].Value)
	}
	for i := range blobs {
		if err := checkBlob(blobs[i]); err != nil {
			return err
		}
		size += len(blobs[i].Data)
	}
	return db.write(ctx, size, func(ctx context.Context, t *tx) error {
		for i := range writes {
			if err := t.keepObject(ctx, &writes[i]); err != nil {
				return err
			}
		}
		return t.insertBlobs(ctx, blobs)
	})
}

func (t *tx) keepObject(ctx context.Context, w *object.Write) error {
	const replace = `INSERT INTO objects (space, oid, value, sum) VALUES (?, ?, ?, ?)
		ON CONFLICT (space, oid) DO UPDATE SET value = excluded.value, sum = excluded.sum`
	const remove = `DELETE FROM objects WHERE space = ? AND oid = ?`
	var err error
	t.sweep.noteValue(w)
	if w.Value == nil {
		err = t.exec(ctx, remove, int64(w.Space), w.OID[:])
	} else {
		err = t.exec(ctx, replace, int64(w.Space), w.OID[:], blob(w.Value),
			sumOfObject(int64(w.Space), w.OID[:], w.Value))
	}
	if err != nil {
		return fmt.Errorf("keep object %s: %w", w.OID, err)
	}
	return nil
}

// ObjectsRestored reports whether the database is a restored backup whose machine of objects has
// not started yet (O11).
func (db *DB) ObjectsRestored(ctx context.Context) (restored bool, err error) {
	const query = `SELECT restored FROM meta`
	done, err := db.use()
	if err != nil {
		return false, err
	}
	defer done()
	if err := db.read.QueryRowContext(ctx, query).Scan(&restored); err != nil {
		return false, fmt.Errorf("read whether this was restored: %w", err)
	}
	return restored, nil
}

// BeginObjects writes the first batch of a machine, and with it ends a restore (O11).
func (db *DB) BeginObjects(ctx context.Context, writes []object.Write) error {
	const update = `UPDATE meta SET restored = 0 WHERE restored <> 0`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		for i := range writes {
			if err := t.keepObject(ctx, &writes[i]); err != nil {
				return err
			}
		}
		if err := t.exec(ctx, update); err != nil {
			return fmt.Errorf("end a restore: %w", err)
		}
		return nil
	})
}
