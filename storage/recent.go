package storage

import (
	"bytes"
	"context"
	"fmt"

	"holt/server/tables/room"
)

// What a commit costs is the pages that it changes: each is written to the write-ahead log, summed, flushed, and
// later copied into the file. A hundred tables that record a move each would change a hundred pages of entries.
// So small appends go to the end of the table recent, whatever table they belong to, four pages for the hundred;
// and from there to entries, several of one table at a time, some of the tables with each commit.

// limits say when entries move from recent.
type limits struct {
	rows  int // that recent should hold; it may come to twice as many
	bytes int // of entries that have not been moved; they are kept in memory
	few   int // so many of one table are not few: with their neighbours they fill pages of entries
	alone int // so many changes in one transaction have no company to share pages with
}

// Every load looks through recent: 0.1 ms for so many rows. With half of all that, a hundred tables write a
// quarter more.
var usual = limits{rows: 4096, bytes: 1 << 20, few: 64, alone: 1}

// recent is what the writer remembers of the table of that name: of every row that has not been moved, and
// nothing of the others. It is true because nobody else writes, and forgotten when a transaction fails.
type recent struct {
	tables map[int64]*unmoved
	queue  []*unmoved // the same, by seq; and some that have been moved, without bodies
	bytes  int        // of all bodies

	first, next int64 // rows have a seq from first on, below next
	added       int   // rows since the last tidy
}

// unmoved are the entries of one table that are in recent only.
type unmoved struct {
	num      int64
	seq      int64         // of the first of them
	position room.Position // of the first of them
	bodies   [][]byte
}

// count returns how many entries of table num have not been moved.
func (r *recent) count(num int64) int {
	if u := r.tables[num]; u != nil {
		return len(u.bodies)
	}
	return 0
}

// oldest returns the first that have not been moved, nil if there are none.
func (r *recent) oldest() *unmoved {
	for len(r.queue) > 0 && len(r.queue[0].bodies) == 0 {
		r.queue = r.queue[1:]
	}
	if len(r.queue) == 0 {
		return nil
	}
	return r.queue[0]
}

// catchUp moves all that is in recent, after which there is nothing to remember.
//
// The number of the table in a damaged row may be another table's. So those that have their
// checksums come first, and of the others those that go on where a log ends: there they make known
// that the entry is damaged. OR IGNORE, because two rows may claim one place, and the first is the
// right one.
func (t *tx) catchUp(ctx context.Context) error {
	const move = `
		INSERT OR IGNORE INTO entries (table_num, position, body, sum)
		SELECT table_num, position, body, sum FROM recent AS r
		WHERE position > coalesce((SELECT max(position) FROM entries AS e WHERE e.table_num = r.table_num), 0)
			AND (sum IS NULL OR sum = entry_sum(table_num, position, body))
		ORDER BY table_num, position`
	const unsound = `
		INSERT OR IGNORE INTO entries (table_num, position, body, sum)
		SELECT table_num, position, body, sum FROM recent AS r
		WHERE position = 1 + coalesce((SELECT max(position) FROM entries AS e WHERE e.table_num = r.table_num), 0)
			AND sum <> entry_sum(table_num, position, body)
		ORDER BY table_num, position`
	const empty = `DELETE FROM recent`
	for _, query := range []string{move, unsound} {
		if err := t.exec(ctx, query); err != nil {
			return fmt.Errorf("move recent entries to their tables: %w", err)
		}
	}
	if err := t.exec(ctx, empty); err != nil {
		return fmt.Errorf("remove moved entries: %w", err)
	}
	t.recent = &recent{tables: make(map[int64]*unmoved), first: 1, next: 1}
	return t.foldEnds(ctx, t.kept)
}

// insertRecent adds an entry of table num.
func (t *tx) insertRecent(ctx context.Context, num int64, position room.Position, body []byte) error {
	const insert = `INSERT INTO recent (seq, table_num, position, body, sum) VALUES (?, ?, ?, ?, ?)`
	r, at := t.recent, int64(position) //nolint:gosec // no log is that long
	if err := t.exec(ctx, insert, r.next, num, at, blob(body), sumOf(body, num, at)); err != nil {
		return err
	}
	u := r.tables[num]
	if u == nil {
		u = &unmoved{num: num, seq: r.next, position: position}
		r.tables[num] = u
		r.queue = append(r.queue, u)
	}
	u.bodies = append(u.bodies, bytes.Clone(body)) // the caller may use it again
	r.bytes += len(body)
	r.next++
	r.added++
	return nil
}

// moveRecent moves what recent has of table num and nobody has moved yet.
func (t *tx) moveRecent(ctx context.Context, num int64) error {
	u := t.recent.tables[num]
	if u == nil {
		return nil
	}
	for i, body := range u.bodies {
		if err := t.insertEntry(ctx, num, u.position+room.Position(i), body); err != nil {
			return fmt.Errorf("move entry %d: %w", u.position+room.Position(i), err)
		}
		t.recent.bytes -= len(body)
	}
	u.bodies = nil
	delete(t.recent.tables, num)
	return nil
}

// forgetRecent forgets what recent has of table num: nobody is to move it any more.
func (t *tx) forgetRecent(num int64) {
	u := t.recent.tables[num]
	if u == nil {
		return
	}
	for _, body := range u.bodies {
		t.recent.bytes -= len(body)
	}
	u.bodies = nil
	delete(t.recent.tables, num)
}

// tidy keeps recent within its limits. With each transaction it moves about twice as many entries as that has
// added, the oldest first: to move all at once would make everybody wait.
func (t *tx) tidy(ctx context.Context) error {
	r := t.recent
	budget := 2 * r.added
	r.added = 0
	for u := r.oldest(); u != nil && budget > 0; u = r.oldest() {
		if r.next-u.seq <= int64(t.limits.rows) && r.bytes <= t.limits.bytes {
			break
		}
		budget -= len(u.bodies)
		if err := t.moveRecent(ctx, u.num); err != nil {
			return fmt.Errorf("tidy recent entries: %w", err)
		}
	}
	return t.removeMoved(ctx)
}

// removeMoved removes the rows that lie before all that have not been moved, when they fill some pages.
func (t *tx) removeMoved(ctx context.Context) error {
	const remove = `DELETE FROM recent WHERE seq < ?`
	first := t.recent.next
	if u := t.recent.oldest(); u != nil {
		first = u.seq
	}
	if first-t.recent.first < int64(t.limits.rows/8) {
		return nil
	}
	if err := t.exec(ctx, remove, first); err != nil {
		return fmt.Errorf("remove moved entries: %w", err)
	}
	t.recent.first = first
	return nil
}
