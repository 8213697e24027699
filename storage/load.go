package storage

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// Load returns the latest sound snapshot of a table before position below, and the entries after
// it, as they were at one moment. If below is 0 it may be any snapshot. It returns ErrNoTable if
// there is no such table, and ErrDamaged if something that it would have to return is damaged.
func (db *DB) Load(
	ctx context.Context, table id.OID, below room.Position,
) (l room.Loaded, err error) {
	done, err := db.use()
	if err != nil {
		return room.Loaded{}, err
	}
	defer done()
	if err := db.condition.readable(); err != nil {
		return room.Loaded{}, err
	}
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return room.Loaded{}, fmt.Errorf("load table %s: %w", table, err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	if l, err = db.load(ctx, tx, table, below); err != nil {
		return room.Loaded{}, fmt.Errorf("load table %s: %w", table, readFault(err))
	}
	return l, nil
}

func (db *DB) load(
	ctx context.Context, tx *sql.Tx, table id.OID, below room.Position,
) (l room.Loaded, err error) {
	row, num, err := selectTable(ctx, tx, table)
	if err != nil {
		return l, err
	}
	l.Row, l.Life = row, db.serverLife
	if err := tx.QueryRowContext(ctx, `SELECT renewed = ? FROM tables WHERE num = ?`, db.lifeNum,
		num).Scan(&l.EpochIsNew); err != nil {
		return l, fmt.Errorf("epoch: %w", err)
	}
	if l.Faults, err = damagedAccess(ctx, tx, num); err != nil {
		return l, fmt.Errorf("seats and invites: %w", err)
	}
	if l.Saves, err = selectSaves(ctx, tx, num); err != nil {
		return l, fmt.Errorf("save points: %w", err)
	}
	if l.Open, err = selectOpenItems(ctx, tx, num); err != nil {
		return l, fmt.Errorf("what is open: %w", err)
	}
	if below == 0 {
		below = noPosition
	}
	s, skipped, err := selectSnapshot(ctx, tx, num, below)
	if err != nil {
		return l, fmt.Errorf("snapshot: %w", err)
	}
	l.Skipped = skipped
	switch {
	case s != nil && s.at >= row.Base:
		l.Snapshot, l.At = s.body, s.at
		if l.Logged, err = loggedBy(ctx, tx, num, s); err != nil {
			return l, fmt.Errorf("count log: %w", err)
		}
	case row.Base > 0:
		return l, damage("no sound snapshot, and the log begins behind entry %d", row.Base)
	}
	if l.Entries, err = selectEntries(ctx, tx, num, l.At); err != nil {
		return l, fmt.Errorf("log: %w", err)
	}
	least, err := leastLength(ctx, tx, num)
	if err != nil {
		return l, fmt.Errorf("log: %w", err)
	}
	length := l.At + room.Position(len(l.Entries))
	if len(l.Entries) == 0 { // the snapshot does not say whether they are there
		if length, err = lastPosition(ctx, tx, num); err != nil {
			return l, fmt.Errorf("log: %w", err)
		}
		if length > l.At { // the index finds them, but reading from At on does not
			return l, damage("the entries from %d to %d are missing", l.At+1, length)
		}
	}
	if length < least {
		return l, damage("the log ends with entry %d, but it had %d", length, least)
	}
	return l, nil
}

// lastPosition returns the position of the last entry of table num.
func lastPosition(ctx context.Context, q rowQuerier, num int64) (length room.Position, err error) {
	const query = `
		SELECT max(coalesce((SELECT max(position) FROM entries WHERE table_num = ?1), 0),
			coalesce((SELECT max(position) FROM recent WHERE table_num = ?1), 0))`
	err = q.QueryRowContext(ctx, query, num).Scan(&length)
	return length, err
}

// leastLength returns a lower bound for the length of an undamaged log of table num. It takes it
// from the snapshots, the server lives and the recorded log lengths.
func leastLength(ctx context.Context, q fullQuerier, num int64) (least room.Position, err error) {
	const query = `
		SELECT max(coalesce((SELECT max(position) FROM snapshots WHERE table_num = ?1), 0),
			coalesce((SELECT max(first) FROM reigns WHERE table_num = ?1), 0))`
	if err := q.QueryRowContext(ctx, query, num).Scan(&least); err != nil {
		return 0, err
	}
	noted, err := recordedLength(ctx, q, num)
	return max(least, noted), err
}

// selectEntries returns the entries after position at.
func selectEntries(
	ctx context.Context, tx *sql.Tx, num int64, at room.Position,
) (entries [][]byte, err error) {
	err = eachEntry(ctx, tx, num, at, noLimit, func(body []byte) error {
		entries = append(entries, bytes.Clone(body))
		return nil
	})
	return entries, err
}

// loggedBy returns how many bytes the log of table num has up to a snapshot. It counts them now if
// the snapshot is from before the count was stored.
func loggedBy(ctx context.Context, q rowQuerier, num int64, s *snapshot) (logged int64, err error) {
	const query = `
		SELECT coalesce(sum(length(body) + ?), 0) FROM entries
		WHERE table_num = ? AND position <= ?
		AND position > (SELECT base FROM tables WHERE num = table_num)`
	if s.logged.Valid {
		return s.logged.Int64, nil
	}
	err = q.QueryRowContext(ctx, query, room.EntryCost, num, s.at).Scan(&logged)
	return logged, err
}

// isDamage reports whether an error says that something is damaged.
func isDamage(err error) bool { return errors.Is(err, room.ErrDamaged) }
