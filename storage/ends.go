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

// The last entries of a log may vanish without a trace, when a page is damaged in such a way that SQLite sees fewer rows
// in it. So it is also noted, in another page, how long the logs are. A page more in each commit would make commits a
// tenth slower, mostly because checkpoints come more often. So a commit brings the notes if notesEvery has passed since
// the last notes; what others would have brought is written that much later at the latest, and when the server stops.
// So what can vanish unnoticed is what was recorded within notesEvery before a crash.
//
// To change a row for each of a hundred tables would be a hundred statements: so one row of ends stands for endsInBlock
// tables, those that were first written to after each other. When the server stops, and when it starts, the notes go to
// the rows of the tables.

const (
	endsInBlock = 128
	notesEvery  = 100 * time.Millisecond
	maxEnds     = 4096 // tables that are noted before the notes are put into their rows; each load reads them
)

// end is the length of the log of a table.
type end struct {
	num    int64
	length room.Position
}

// ends is what the writer remembers of the rows of that name: all of it, since foldEnds has emptied them.
type ends struct {
	places  map[int64]int // of tables, by their number: the place among all notes
	blocks  [][]end
	changed []bool // blocks that are not written yet
	pending bool   // there is one
	lame    bool   // nothing can be written: the pages of ends are damaged
	undo    []end  // what was noted before this transaction of the logs that it has made longer
}

func newEnds() *ends { return &ends{places: make(map[int64]int)} }

// note notes the length of a log. 0: there is no such table any more.
func (e *ends) note(num int64, length room.Position) {
	if e.lame {
		return
	}
	place, known := e.places[num]
	if !known {
		place = len(e.places)
		e.places[num] = place
		if place%endsInBlock == 0 {
			e.blocks, e.changed = append(e.blocks, nil), append(e.changed, false)
		}
		e.blocks[place/endsInBlock] = append(e.blocks[place/endsInBlock], end{num: num})
	}
	at := &e.blocks[place/endsInBlock][place%endsInBlock]
	e.undo = append(e.undo, *at)
	at.length = length
	e.changed[place/endsInBlock], e.pending = true, true
}

// committed undoes what was noted in a transaction that has failed, and returns all notes.
func (e *ends) committed() []end {
	for _, was := range slices.Backward(e.undo) {
		place := e.places[was.num]
		e.blocks[place/endsInBlock][place%endsInBlock] = was
	}
	return slices.Concat(e.blocks...)
}

// forget is note for a table that is thrown away.
func (e *ends) forget(num int64) {
	if _, known := e.places[num]; known {
		e.note(num, 0)
	}
}

// writeEnds writes what was noted, and puts it into the rows of the tables if fold is true or there is a lot.
func (t *tx) writeEnds(ctx context.Context, fold bool) error {
	const write = `INSERT OR REPLACE INTO ends (block, body, sum) VALUES (?, ?, ?)`
	for i, changed := range t.ends.changed {
		if !changed || t.ends.lame {
			continue
		}
		body := encodeEnds(t.ends.blocks[i])
		if err := t.exec(ctx, write, i, body, sumOf(body, int64(i))); err != nil {
			return fmt.Errorf("note how long logs are: %w", err)
		}
		t.ends.changed[i] = false
	}
	t.ends.pending = false
	if fold || len(t.ends.places) >= maxEnds {
		t.kept = t.ends.committed() // if this transaction fails
		return t.foldEnds(ctx, nil)
	}
	return nil
}

// foldEnds puts what ends says into the rows of the tables, and empties it. Then it notes what is kept of a connection
// that was given up. What cannot be read is left out: that costs no more than that a second damage may go unnoticed.
func (t *tx) foldEnds(ctx context.Context, kept []end) error {
	folded := newEnds()
	all, err := readEnds(ctx, t.conn)
	if err != nil && !isDamage(err) {
		return fmt.Errorf("read how long logs are: %w", err)
	}
	if err != nil {
		t.log.Error("the notes of how long logs are were damaged: if last entries are lost, too, that cannot be told", "error", err)
	}
	for _, e := range all {
		err := t.changeTable(ctx, e.num, `last = max(last, ?)`, int64(e.length)) //nolint:gosec // no log is that long
		if err != nil && !errors.Is(err, sql.ErrNoRows) && !isDamage(readFault(err)) {
			return fmt.Errorf("note how long logs are: %w", err)
		}
	}
	if err := t.exec(ctx, `DELETE FROM ends`); err != nil {
		if !isDamage(readFault(err)) {
			return fmt.Errorf("empty the notes of how long logs are: %w", err)
		}
		folded.lame = true
		t.log.Error("how long logs are cannot be noted any more: make a backup and restore it", "error", err)
	}
	for _, e := range kept {
		folded.note(e.num, e.length)
	}
	folded.undo = nil
	t.ends = folded
	return nil
}

func encodeEnds(block []end) []byte {
	b := make([]byte, 0, 8*len(block))
	for _, e := range block {
		if e.length == 0 {
			continue // nothing is left of a table that was thrown away
		}
		b = binary.AppendUvarint(b, uint64(e.num)) //nolint:gosec // its bits
		b = binary.AppendUvarint(b, uint64(e.length))
	}
	return b
}

// readEnds returns all notes that can be read, and room.ErrDamaged if there are others.
func readEnds(ctx context.Context, q querier) (all []end, err error) {
	rows, err := q.QueryContext(ctx, `SELECT block, body, sum FROM ends ORDER BY block`)
	if err != nil {
		return nil, readFault(err)
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells
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
			all = append(all, end{num: int64(num), length: room.Position(length)}) //nolint:gosec // its bits
			body = body[n+m:]
		}
	}
	return all, errors.Join(bad, readFault(rows.Err()))
}

// queries is what reads.
type queries interface {
	querier
	rowQuerier
}

// notedLength returns how long the log of table num is at least, as it was noted with its last entries.
func notedLength(ctx context.Context, q queries, num int64) (least room.Position, err error) {
	if err := q.QueryRowContext(ctx, `SELECT last FROM tables WHERE num = ?`, num).Scan(&least); err != nil {
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
