package storage

import (
	"context"
	"database/sql"
	"fmt"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

// ObjectValue returns the stored value of an object in a space, or nil if there is none.
func (db *DB) ObjectValue(ctx context.Context, space object.Space, oid id.OID) ([]byte, error) {
	const query = `SELECT value, sum FROM objects WHERE space = ? AND oid = ?`
	var value []byte
	var sum sql.NullInt64
	err := readFault(db.row(ctx, query, []any{space, oid[:]}, &value, &sum))
	if err != nil {
		return nil, finding(err, nil, "read object %s", oid)
	}
	if !agrees(sum, sumOfObject(int64(space), oid[:], value)) {
		return nil, damage("object %s does not have its checksum", oid)
	}
	return blob(value), nil // nil would mean that there is none
}

// ObjectValues returns up to limit values of a space, for the objects after behind, in ascending
// order.
func (db *DB) ObjectValues(
	ctx context.Context, space object.Space, behind id.OID, limit int,
) (page []object.Write, err error) {
	const query = `SELECT oid, value, sum FROM objects WHERE space = ? AND oid > ?
		ORDER BY oid LIMIT ?`
	page, err = list(ctx, db, query, []any{space, behind[:], limit},
		func(rows *sql.Rows) (w object.Write, err error) {
			var oid, value []byte
			var sum sql.NullInt64
			if err := rows.Scan(&oid, &value, &sum); err != nil {
				return w, err
			}
			if !agrees(sum, sumOfObject(int64(space), oid, value)) {
				return w, damage("object %x does not have its checksum", oid)
			}
			return object.Write{Space: space, OID: id.OID(oid), Value: blob(value)}, nil
		})
	return page, doing(readFault(err), "list objects")
}

// ObjectsMade returns the number and the bytes of the values of a space whose objects were made by
// a host.
func (db *DB) ObjectsMade(
	ctx context.Context, space object.Space, host id.HostID,
) (count int, bytes int64, err error) {
	const query = `SELECT count(*), coalesce(sum(length(value)), 0) FROM objects WHERE space = ?
		AND oid BETWEEN ? AND ?`
	var first, last id.OID
	copy(first[:], host[:])
	copy(last[:], host[:])
	for i := len(host); i < len(last); i++ {
		last[i] = 0xff
	}
	err = db.row(ctx, query, []any{space, first[:], last[:]}, &count, &bytes)
	return count, bytes, doing(err, "count objects of host %s", host)
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
	return db.write(ctx, size, func(t *tx) error {
		for i := range writes {
			if err := t.keepObject(&writes[i]); err != nil {
				return err
			}
		}
		return t.insertBlobs(blobs)
	})
}

func (t *tx) keepObject(w *object.Write) error {
	const replace = `INSERT INTO objects (space, oid, value, sum) VALUES (?, ?, ?, ?)
		ON CONFLICT (space, oid) DO UPDATE SET value = excluded.value, sum = excluded.sum`
	const remove = `DELETE FROM objects WHERE space = ? AND oid = ?`
	var err error
	t.sweep.noteValue(w)
	if w.Value == nil {
		err = t.exec(remove, w.Space, w.OID[:])
	} else {
		err = t.exec(replace, w.Space, w.OID[:], w.Value,
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
	err = db.row(ctx, `SELECT restored FROM meta`, nil, &restored)
	return restored, doing(err, "read whether this was restored")
}

// BeginObjects writes the first batch of a machine, and with it ends a restore (O11).
func (db *DB) BeginObjects(ctx context.Context, writes []object.Write) error {
	const update = `UPDATE meta SET restored = 0 WHERE restored <> 0`
	return db.write(ctx, 0, func(t *tx) error {
		for i := range writes {
			if err := t.keepObject(&writes[i]); err != nil {
				return err
			}
		}
		return doing(t.exec(update), "end a restore")
	})
}
