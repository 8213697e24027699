package storage

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"holt/server/tables/room"
)

// The last entries of a log may vanish without a trace when a page is damaged in such a way that
// SQLite sees fewer rows in it. So the lengths of the logs are recorded, too, in another page. One
// more page in each commit would make commits a tenth slower, mostly because checkpoints come more
// often. So a commit records the lengths only if recordEvery has passed since they were last
// recorded. Lengths that no commit records are written that much later at the latest, and when the
// server stops. So only entries within recordEvery before a crash can vanish unnoticed.
//
// To change a row for each of a hundred tables would take a hundred statements. So one row of the
// SQL table ends holds endsInBlock tables, in the order in which they were first written to. When
// the server stops, and when it starts, the lengths move into the rows of the tables.

const (
	endsInBlock = 128
	recordEvery = 100 * time.Millisecond
	// tables in ends before their lengths move into their rows; each load reads all of ends
	maxEnds = 4096
)

// logLength is the length of the log of a table.
type logLength struct {
	num    int64
	length room.Position
}

// ends is what the writer remembers of the SQL table ends. It is complete, since foldEnds has
// emptied that table.
type ends struct {
	places     map[int64]int // by the number of a table: its place in the blocks
	blocks     [][]logLength
	changed    []bool      // blocks that are not written yet
	pending    bool        // some block has changed
	urgent     bool        // the next commit has to write the blocks: a table is deleted
	unwritable bool        // nothing can be written: the pages of ends are damaged
	undo       []logLength // earlier lengths of the logs that this transaction has made longer
}

func newEnds() *ends { return &ends{places: make(map[int64]int)} }

// record records the length of a log. 0 means that the table no longer exists.
func (e *ends) record(num int64, length room.Position) {
	if e.unwritable {
		return
	}
	place, known := e.places[num]
	if !known {
		place = len(e.places)
		e.places[num] = place
		if place%endsInBlock == 0 {
			e.blocks, e.changed = append(e.blocks, nil), append(e.changed, false)
		}
		e.blocks[place/endsInBlock] = append(e.blocks[place/endsInBlock], logLength{num: num})
	}
	at := &e.blocks[place/endsInBlock][place%endsInBlock]
	e.undo = append(e.undo, *at)
	at.length = length
	e.changed[place/endsInBlock], e.pending = true, true
}

// committed undoes what a failed transaction has recorded, and returns all lengths.
func (e *ends) committed() []logLength {
	for _, was := range slices.Backward(e.undo) {
		place := e.places[was.num]
		e.blocks[place/endsInBlock][place%endsInBlock] = was
	}
	return slices.Concat(e.blocks...)
}

// forget records that a table is deleted. The commit that deletes it says so, too: the next table
// may get its number, and must not seem to have lost entries.
func (e *ends) forget(num int64) {
	if _, known := e.places[num]; known {
		e.record(num, 0)
		e.urgent = true
	}
}

// writeEnds writes the changed blocks. It then moves the lengths into the rows of the tables if
// fold is true or if ends has maxEnds tables.
func (t *tx) writeEnds(fold bool) error {
	const write = `INSERT OR REPLACE INTO ends (block, body, sum) VALUES (?, ?, ?)`
	for i, changed := range t.ends.changed {
		if !changed || t.ends.unwritable {
			continue
		}
		body := encodeEnds(t.ends.blocks[i])
		if err := t.exec(write, i, body, sumOf(body, int64(i))); err != nil {
			return fmt.Errorf("note how long logs are: %w", err)
		}
		t.ends.changed[i] = false
	}
	t.ends.pending, t.ends.urgent = false, false
	if fold || len(t.ends.places) >= maxEnds {
		t.carried = t.ends.committed() // if this transaction fails
		return t.foldEnds(nil)
	}
	return nil
}

// foldEnds moves the lengths in the SQL table ends into the rows of the tables, and empties ends.
// Then it records kept, the lengths that an abandoned connection has left. It leaves out what
// cannot be read: the only cost is that further damage may go unnoticed.
func (t *tx) foldEnds(kept []logLength) error {
	folded := newEnds()
	all, err := readEnds(t.ctx, t.conn)
	if err != nil && !isDamage(err) {
		return fmt.Errorf("read how long logs are: %w", err)
	}
	if err != nil {
		t.log.Error(
			"the notes of how long logs are were damaged: "+
				"nobody knows whether last entries are lost, too",
			"error", err)
	}
	for _, e := range all {
		err := t.changeTable(e.num, `last = max(last, ?)`, e.length)
		if err != nil && !errors.Is(err, sql.ErrNoRows) && !isDamage(readFault(err)) {
			return fmt.Errorf("note how long logs are: %w", err)
		}
	}
	if err := t.exec(`DELETE FROM ends`); err != nil {
		if !isDamage(readFault(err)) {
			return fmt.Errorf("empty the notes of how long logs are: %w", err)
		}
		folded.unwritable = true
		t.log.Error("how long logs are cannot be noted any more: make a backup and restore it",
			"error", err)
	}
	for _, e := range kept {
		folded.record(e.num, e.length)
	}
	folded.undo = nil
	t.ends = folded
	return nil
}

func encodeEnds(block []logLength) []byte {
	b := make([]byte, 0, 8*len(block))
	for _, e := range block {
		if e.length == 0 {
			continue // a deleted table has no length
		}
		b = binary.AppendUvarint(b, uint64(e.num)) //nolint:gosec // its bits
		b = binary.AppendUvarint(b, uint64(e.length))
	}
	return b
}

// readEnds returns all lengths that can be read, and room.ErrDamaged if some cannot be read.
func readEnds(ctx context.Context, q querier) (all []logLength, err error) {
	rows, err := q.QueryContext(ctx, `SELECT block, body, sum FROM ends ORDER BY block`)
	if err != nil {
		return nil, readFault(err)
	}
	defer rows.Close() //nolint:errcheck // rows.Err returns the error
	var bad error
	for rows.Next() {
		var block, sum int64
		var body sql.RawBytes
		if err := rows.Scan(&block, &body, &sum); err != nil {
			return all, readFault(err)
		}
		if sum != sumOf(body, block) {
			bad = damage("the note of how long logs are, block %d, is not what was written", block)
			continue
		}
		for len(body) > 0 {
			num, n := binary.Uvarint(body)
			length, m := binary.Uvarint(body[max(n, 0):])
			if n <= 0 || m <= 0 {
				bad = damage("the note of how long logs are, block %d, ends too early", block)
				break
			}
			//nolint:gosec // its bits
			all = append(all, logLength{num: int64(num), length: room.Position(length)})
			body = body[n+m:]
		}
	}
	return all, errors.Join(bad, readFault(rows.Err()))
}

// recordedLength returns the recorded length of the log of table num. An undamaged log is at least
// as long.
func recordedLength(
	ctx context.Context, q fullQuerier, num int64,
) (least room.Position, err error) {
	if err := q.QueryRowContext(ctx, `SELECT last FROM tables WHERE num = ?`, num).
		Scan(&least); err != nil {
		return 0, err
	}
	all, err := readEnds(ctx, q)
	if err != nil && !isDamage(err) {
		return 0, err
	}
	for _, e := range all {
		if e.num == num {
			least = max(least, e.length)
		}
	}
	return least, nil
}
