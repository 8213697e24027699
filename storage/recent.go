package storage

import (
	"bytes"
	"fmt"

	"holt/server/tables/room"
)

// The cost of a commit is the pages that it changes. Each page is written to the write-ahead log,
// summed, flushed, and later copied into the file. A hundred tables that record a move each would
// change a hundred pages of entries. So small appends go to the end of the SQL table recent,
// whatever table they belong to: four pages for the hundred. From there they move to entries,
// several of one table at a time, for some of the tables with each commit.

// limits say when entries move from recent.
type limits struct {
	rows  int // that recent should hold; it may hold twice as many
	bytes int // of entries that have not been moved; they are kept in memory
	few   int // of one table: so many go to entries at once, because they fill pages there
	alone int // changes in one transaction: so few share no pages, and go to entries at once
}

// Every load reads all of recent, which takes 0.1 ms for so many rows. With half of these limits a
// hundred tables write a quarter more.
var usual = limits{rows: 4096, bytes: 1 << 20, few: 64, alone: 1}

// recent is what the writer remembers of the SQL table recent: all rows that have not been moved,
// and no others. It stays correct because nobody else writes, and it is forgotten when a
// transaction fails.
type recent struct {
	tables map[int64]*unmoved
	queue  []*unmoved // the same by seq, and some that have been moved, without bodies
	bytes  int        // of all bodies

	first, next int64 // the seq of the first row, and of the next new one
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

// oldest returns the oldest entries that have not been moved, or nil if there are none.
func (r *recent) oldest() *unmoved {
	for len(r.queue) > 0 && len(r.queue[0].bodies) == 0 {
		r.queue = r.queue[1:]
	}
	if len(r.queue) == 0 {
		return nil
	}
	return r.queue[0]
}

// catchUp moves all entries of recent. Then there is nothing to remember.
//
// A damaged row may carry the number of another table. So the rows with correct checksums are moved
// first. Of the others, catchUp moves those that continue a log at its end: there they show that
// the entry is damaged. The statements say OR IGNORE because two rows may claim one place, and the
// first is the right one.
func (t *tx) catchUp() error {
	const move = `
		INSERT OR IGNORE INTO entries (table_num, position, body, sum)
		SELECT table_num, position, body, sum FROM recent AS r
		WHERE position > coalesce(
			(SELECT max(position) FROM entries AS e WHERE e.table_num = r.table_num), 0)
			AND (sum IS NULL OR sum = entry_sum(table_num, position, body))
		ORDER BY table_num, position`
	const unsound = `
		INSERT OR IGNORE INTO entries (table_num, position, body, sum)
		SELECT table_num, position, body, sum FROM recent AS r
		WHERE position = 1 + coalesce(
			(SELECT max(position) FROM entries AS e WHERE e.table_num = r.table_num), 0)
			AND sum <> entry_sum(table_num, position, body)
		ORDER BY table_num, position`
	const empty = `DELETE FROM recent`
	for _, query := range []string{move, unsound} {
		if err := t.exec(query); err != nil {
			return fmt.Errorf("move recent entries to their tables: %w", err)
		}
	}
	if err := t.exec(empty); err != nil {
		return fmt.Errorf("remove moved entries: %w", err)
	}
	t.recent = &recent{tables: make(map[int64]*unmoved), first: 1, next: 1}
	return t.foldEnds(t.carried)
}

// insertRecent adds an entry of table num.
func (t *tx) insertRecent(
	num int64, position room.Position, body []byte,
) error {
	const insert = `INSERT INTO recent (seq, table_num, position, body, sum) VALUES (?, ?, ?, ?, ?)`
	r, at := t.recent, int64(position) //nolint:gosec // no log is that long
	if err := t.exec(insert, r.next, num, at, blob(body), sumOf(body, num, at)); err != nil {
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

// moveRecent moves the entries of table num that are in recent only.
func (t *tx) moveRecent(num int64) error {
	u := t.recent.tables[num]
	if u == nil {
		return nil
	}
	for i, body := range u.bodies {
		if err := t.insertEntry(num, u.position+room.Position(i), body); err != nil {
			return fmt.Errorf("move entry %d: %w", u.position+room.Position(i), err)
		}
		t.recent.bytes -= len(body)
	}
	u.bodies = nil
	delete(t.recent.tables, num)
	return nil
}

// forgetRecent forgets the entries of table num in recent, so that they are never moved.
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

// trimRecent keeps recent within its limits. In each transaction it moves the oldest entries first,
// about twice as many as the transaction has added. To move all at once would make everybody wait.
func (t *tx) trimRecent() error {
	r := t.recent
	budget := 2 * r.added
	r.added = 0
	for u := r.oldest(); u != nil && budget > 0; u = r.oldest() {
		if r.next-u.seq <= int64(t.limits.rows) && r.bytes <= t.limits.bytes {
			break
		}
		budget -= len(u.bodies)
		if err := t.moveRecent(u.num); err != nil {
			return fmt.Errorf("tidy recent entries: %w", err)
		}
	}
	return t.removeMoved()
}

// removeMoved deletes the rows before the oldest one that has not been moved, once there are enough
// of them to fill some pages.
func (t *tx) removeMoved() error {
	const remove = `DELETE FROM recent WHERE seq < ?`
	first := t.recent.next
	if u := t.recent.oldest(); u != nil {
		first = u.seq
	}
	if first-t.recent.first < int64(t.limits.rows/8) {
		return nil
	}
	if err := t.exec(remove, first); err != nil {
		return fmt.Errorf("remove moved entries: %w", err)
	}
	t.recent.first = first
	return nil
}
