package storage

import (
	"context"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// Append adds entries to the log of a table, together with everything else that a brings, all or
// nothing. It returns when they are durable. It returns ErrFenced if the length of the log is not
// a.Expect, and ErrNoTable if there is no such table.
func (db *DB) Append(ctx context.Context, a room.Append) error {
	size := bytesOf(a.Entries)
	if a.Motion != nil {
		size += len(a.Motion.Body)
	}
	if a.Invites != nil {
		if err := checkInvites(a.Table, a.Invites.Rows); err != nil {
			return err
		}
	}
	for i := range a.Said {
		size += len(a.Said[i].Text)
	}
	size += bytesOfSaves(a.Saves)
	for i := range a.Open {
		size += len(a.Open[i].Body)
	}
	for _, b := range a.Blobs {
		if err := checkBlob(b); err != nil {
			return err
		}
		size += len(b.Data)
	}
	err := db.write(ctx, size, func(t *tx) error { return t.append(&a, true) })
	if errors.Is(err, errSpared) {
		// SQLite does nothing more in a transaction that has met a damaged page.
		why := err
		a.Said, a.SaidBefore, a.Saves, a.Unsaved, a.Open = nil, 0, nil, nil, nil
		err = db.write(ctx, size, func(t *tx) error {
			t.log.Error("texts of a chat, save points or what was open are lost: the file is damaged",
				"table", a.Table.String(), "error", why)
			return t.append(&a, false)
		})
	}
	return err
}

// errSpared says that texts of a chat, save points, or what is open cannot be stored or deleted
// because the file is damaged. The table goes on without them.
var errSpared = errors.New("it is not needed to go on")

// append is Append for what was checked. If chats is set, erasures delete texts of the chat.
func (t *tx) append(a *room.Append, chats bool) error {
	k, err := t.tableOfLength(a.Table, a.Expect)
	if err != nil {
		return err
	}
	if err := t.insertEntries(a.Table, k, a.Entries); err != nil {
		return err
	}
	if a.Motion != nil {
		if err := t.insertMotion(k.num, a.Motion); err != nil {
			return doing(err, "append to the recorded motion of table %s", a.Table)
		}
	}
	if err := t.changeChat(k.num, a); err != nil {
		return doing(err, "change the chat of table %s", a.Table)
	}
	for i := range a.Erasing {
		of, end := &a.Erasing[i], a.Expect+room.Position(len(a.Entries))
		if err := t.erase(k.num, of, end, chats); err != nil {
			return doing(err, "erase seat %s of table %s", of.Seat, a.Table)
		}
	}
	if err := t.changeSaves(k.num, a.Saves, a.Unsaved); err != nil {
		return doing(err, "change the save points of table %s", a.Table)
	}
	if err := t.changeOpenItems(k.num, a.Open); err != nil {
		return doing(err, "change what is open at table %s", a.Table)
	}
	if a.Epoch != nil {
		err := t.changeTable(k.num, `epoch = ?, renewed = ?`, *a.Epoch, t.life)
		if err != nil {
			return doing(err, "renew the epoch of table %s", a.Table)
		}
	}
	if a.Settings != nil {
		if err := t.updateSettings(a.Table, k.num, a.Settings); err != nil {
			return err
		}
	}
	if a.Password != nil {
		if err := t.setPassword(k.num, *a.Password); err != nil {
			return doing(err, "set the password of table %s", a.Table)
		}
	}
	if a.Catalog != nil {
		if err := t.updateCatalog(a.Table, k.num, *a.Catalog); err != nil {
			return err
		}
	}
	if a.Supplement != nil {
		if err := t.replaceSupplement(k.num, *a.Supplement); err != nil {
			return doing(err, "keep what the game of table %s has", a.Table)
		}
	}
	if err := t.insertBlobs(a.Blobs); err != nil {
		return err
	}
	return t.changeSeats(k.num, a)
}

func (t *tx) updateCatalog(table id.OID, num int64, catalog room.Hash) error {
	var old []byte
	err := t.scan(`SELECT catalog FROM tables WHERE num = ?`, []any{num}, &old)
	if err == nil {
		t.replacedCatalogs[room.Hash(old)] = table
		err = t.changeTable(num, `catalog = ?`, catalog[:])
	}
	return doing(err, "set the catalogue of table %s", table)
}

func (t *tx) updateSettings(table id.OID, num int64, s *room.Settings) error {
	err := t.changeTable(num, `title = ?, width = ?, height = ?, surface = ?`, s.Title, s.Width,
		s.Height, s.Surface)
	return doing(err, "set what table %s is like", table)
}

// insertEntries adds entries after the k.length existing ones. They go to the SQL table recent if
// they are few, counted together with those of the table that recent has already, and if the
// transaction has other changes, too. Otherwise they go to the SQL table entries.
func (t *tx) insertEntries(table id.OID, k known, entries [][]byte) error {
	insert := t.insertRecent
	if t.jobs <= t.limits.alone || len(entries)+t.recent.count(k.num) >= t.limits.few {
		insert = t.insertEntry
		if err := t.moveRecent(k.num); err != nil {
			return fmt.Errorf("append to table %s: %w", table, err)
		}
	}
	if !k.lifeRecorded && len(entries) > 0 {
		if err := t.recordLife(k.num, k.length+1); err != nil {
			return err
		}
		k.lifeRecorded = true
	}
	for _, e := range entries {
		k.length++
		if err := insert(k.num, k.length, e); err != nil {
			return fmt.Errorf("append entry %d of table %s: %w", k.length, table, err)
		}
	}
	t.known[table] = k
	if len(entries) > 0 {
		t.ends.record(k.num, k.length)
	}
	return nil
}

func (t *tx) insertEntry(
	num int64, position room.Position, body []byte,
) error {
	const insert = `INSERT INTO entries (table_num, position, body, sum) VALUES (?, ?, ?, ?)`
	at := int64(position) //nolint:gosec // no log is that long
	return t.exec(insert, num, at, blob(body), sumOf(body, num, at))
}

// blob returns b as a value that is not NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func bytesOf(entries [][]byte) int {
	n := 0
	for _, e := range entries {
		n += len(e)
	}
	return n
}
