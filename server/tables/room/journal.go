package room

import (
	"container/list"
	"context"
	"fmt"
	"maps"
	"sync"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// Bounds on the cost of exports.
const (
	readAtOnce   = 4096     // entries; then others have their turn
	readers      = 2        // logs that are read at once, for all tables
	journalBytes = 64 << 20 // of all journals that are kept
	factCost     = 256      // bytes of a fact in memory, besides twice its encoding
)

// journals keep what exports have read of the logs of tables, so that the next export of a table
// reads only what has come since. The one that was not used for longest is forgotten first.
type journals struct {
	// places has one place for each reader. A reader that finds none waits.
	places chan struct{}

	mu sync.Mutex
	// Guarded by mu.
	byTable map[id.OID]*list.Element
	order   *list.List // of *journal, the one used last in front
	bytes   int        // of all of them
}

// journal is what the log of a table says of its rounds, up to the entry at.
type journal struct {
	// Set at construction.
	table id.OID
	turn  chan struct{} // a semaphore: one goroutine at a time reads

	kept int // bytes that are counted for it. Guarded by journals.mu.

	// Owned by the goroutine that has turn.
	epoch       id.Epoch
	base        Position // the log began after it
	at          Position
	facts       *fairness.Exporter
	kinds       map[uint32]string // those of catalog, never changed; nil before they were read
	catalog     Hash
	seats       map[uint32]string
	seatChanges uint64 // counts the changes of seats
	bytes       int    // in memory, estimated
}

func newJournals() *journals {
	return &journals{
		places:  make(chan struct{}, readers),
		byTable: map[id.OID]*list.Element{}, order: list.New(),
	}
}

// of returns the journal of a table.
func (js *journals) of(t id.OID) *journal {
	js.mu.Lock()
	defer js.mu.Unlock()
	if e, ok := js.byTable[t]; ok {
		js.order.MoveToFront(e)
		j, _ := e.Value.(*journal) // only these are in the list
		return j
	}
	j := &journal{table: t, turn: make(chan struct{}, 1)}
	js.byTable[t] = js.order.PushFront(j)
	return j
}

// keep counts how large j has become, and forgets other journals, or j itself, until the bound is
// kept. A goroutine that has the turn of a forgotten journal may go on with it.
func (js *journals) keep(j *journal) {
	js.mu.Lock()
	defer js.mu.Unlock()
	if e, ok := js.byTable[j.table]; !ok || e.Value != j {
		return
	}
	js.bytes += j.bytes - j.kept
	j.kept = j.bytes
	for js.bytes > journalBytes {
		last, _ := js.order.Remove(js.order.Back()).(*journal)
		delete(js.byTable, last.table)
		js.bytes -= last.kept
	}
}

// forget forgets the journal of a table.
func (js *journals) forget(t id.OID) {
	js.mu.Lock()
	defer js.mu.Unlock()
	if e, ok := js.byTable[t]; ok {
		j, _ := js.order.Remove(e).(*journal) // only these are in the list
		delete(js.byTable, t)
		js.bytes -= j.kept
	}
}

// begin forgets everything: the table now has the history of this row, and these seats before that
// begins.
func (j *journal) begin(row *TableRow, seats []table.SeatInfo) {
	j.epoch, j.base, j.at, j.facts, j.seats, j.seatChanges, j.bytes =
		row.Epoch, row.Base, row.Base,
		fairness.NewExporter(j.table), map[uint32]string{}, 0, factCost
	for i := range seats {
		j.seats[uint32(seats[i].Seat)] = seats[i].Name()
	}
}

// read reads on, to the end of the log. After an error, for example because the caller has gone,
// the next reader goes on from there.
func (j *journal) read(ctx context.Context, store Store, places chan struct{}) error {
	for {
		if err := offer(ctx, nil, places, struct{}{}, busyAfter); err != nil {
			return err
		}
		n, err := store.Entries(ctx, j.table, j.at, readAtOnce, j.add)
		<-places
		if err != nil || n < readAtOnce {
			return err
		}
	}
}

// add processes the next entry.
func (j *journal) add(body []byte) error {
	if wire.ForExport(body) {
		e, err := wire.DecodeEntry(body)
		if err != nil {
			return err
		}
		if e.Who != nil {
			j.seats[uint32(e.Who.Seat)] = e.Who.Name()
			j.seatChanges++
		}
		if e.Fact != nil {
			f, err := fairness.DecodeFact(e.Fact)
			if err != nil {
				return err
			}
			if err := j.facts.Add(e.At, f); err != nil {
				return err
			}
			j.bytes += 2*len(e.Fact) + factCost
		}
	}
	j.at++
	return nil
}

// export returns what was read, and its version. The version depends on what the export says and on
// nothing else: a position in the log would reveal what happens in hands (T21).
func (j *journal) export() (e *fairness.Export, version string) {
	e = j.facts.Export()
	e.Kinds, e.Seats = j.kinds, maps.Clone(j.seats)
	return e, fmt.Sprintf("%d-%d-%d-%d", j.epoch, e.Dropped, j.facts.Version(), j.seatChanges)
}
