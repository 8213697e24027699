// Package table holds the authoritative histories of the pieces of one table and judges what clients want
// to do to them, by the rules T1 to T26 of docs/protocol/table.md. It makes the views that clients get.
// It is pure: it has no clock, no randomness, no goroutine, and neither stores nor sends anything. It knows
// nothing of the rules of any game.
package table

import (
	"fmt"
	"slices"

	"holt/server/id"
)

// Table is the state of one table. It is not safe for concurrent use: one goroutine owns it.
type Table struct {
	// Set at construction.
	kinds         []Kind
	width, height int32

	gen      id.Generation
	pieces   map[id.OID]*piece
	names    map[id.Piece]*piece
	lastName id.Piece
	heavies  []*piece   // the heavy pieces in the order of their coming; there are few
	seats    []SeatInfo // seat n is at n-1
	clients  map[id.Client]*client
	touched  uint64 // counts uses of clients, for forgetting the least recently used
	loaded   bool   // the table has been brought back from its log
	public   *view
	views    []*view // of players and hosts; nil for spectators, who share public; seat n is at n-1

	// pending are the entries recorded since the last Take.
	pending []Entry
}

// piece is one piece and what is needed of its history.
type piece struct {
	oid   id.OID
	name  id.Piece
	state State
	// public is its lineage in the public view; views has those of the views that were shown other updates
	// than the public one, which are few. A view is named by its seat.
	public   lineage
	views    map[id.Seat]lineage
	released id.Client // the last client to release it (T17)
}

// Config is what a table is made with. Kinds are the catalogue's; Width and Height its size in table units.
type Config struct {
	Kinds         []Kind
	Width, Height int32
}

// New returns an empty table.
func New(cfg Config) *Table {
	return &Table{
		kinds: cfg.Kinds, width: cfg.Width, height: cfg.Height,
		pieces: map[id.OID]*piece{}, names: map[id.Piece]*piece{}, clients: map[id.Client]*client{},
		public: newView(0),
	}
}

// Gen returns the generation of the latest entry.
func (t *Table) Gen() id.Generation { return t.gen }

// Pieces returns how many pieces lie on the table.
func (t *Table) Pieces() int { return len(t.pieces) }

// Take returns the entries recorded since the last call. The caller stores them, then tells the clients.
func (t *Table) Take() []Entry {
	e := t.pending
	t.pending = nil
	return e
}

// record appends an entry to the history: it gives it the next generation, applies it and keeps it for Take.
func (t *Table) record(e Entry) {
	e.Gen = t.gen + 1
	if e.After.Z != e.Before.Z || e.After.ZGen == zGenSelf {
		e.After.ZGen = e.Gen
	}
	t.apply(&e)
	t.pending = append(t.pending, e)
}

// zGenSelf marks a state whose Z was set by the entry being recorded; record replaces it (T13).
const zGenSelf = ^id.Generation(0)

// Replay applies an entry that was recorded earlier: a snapshot and the entries after it give the live
// table (T3). It fails if e does not continue the history.
func (t *Table) Replay(e *Entry) error {
	if e.Gen <= t.gen {
		return fmt.Errorf("replay entry of generation %d after %d", e.Gen, t.gen)
	}
	if e.Who == nil {
		if err := t.replayable(e); err != nil {
			return fmt.Errorf("replay entry of generation %d: %w", e.Gen, err)
		}
	} else if int(e.Who.Seat) < 1 || int(e.Who.Seat) > len(t.seats)+1 {
		return fmt.Errorf("replay entry of generation %d: seat %d out of turn", e.Gen, e.Who.Seat)
	}
	t.apply(e)
	return nil
}

func (t *Table) replayable(e *Entry) error {
	p := t.pieces[e.Piece]
	switch {
	case int(e.After.Kind) >= len(t.kinds) || int(e.Before.Kind) >= len(t.kinds):
		return fmt.Errorf("piece %v has an unknown kind", e.Piece)
	case e.Made && (p != nil || t.names[e.Name] != nil):
		return fmt.Errorf("piece %v is made twice", e.Piece)
	case !e.Made && p == nil:
		return fmt.Errorf("no piece %v", e.Piece)
	case !e.Made && p.state != e.Before:
		return fmt.Errorf("piece %v is not as the entry found it", e.Piece)
	}
	return nil
}

// apply makes e the latest entry. Live and replayed histories go the same way through it.
func (t *Table) apply(e *Entry) {
	t.gen = e.Gen
	var p *piece
	if e.Who != nil {
		t.applySeat(*e.Who)
	} else {
		p = t.applyPiece(e)
	}
	if e.Client != (id.Client{}) {
		t.client(e.Client, e.Seat).remember(outcome{
			seq: e.Seq, digest: e.Digest, verdict: Recorded, gen: e.Gen, piece: e.Name, made: e.Made,
			server: e.Server,
		})
	}
	t.count(e, p)
}

func (t *Table) applyPiece(e *Entry) *piece {
	p := t.pieces[e.Piece]
	if e.Made {
		p = &piece{oid: e.Piece, name: e.Name}
		t.pieces[e.Piece], t.names[e.Name] = p, p
		t.lastName = max(t.lastName, e.Name)
		if t.kinds[e.After.Kind].Heavy {
			t.heavies = append(t.heavies, p)
		}
	}
	if e.Op == OpRelease {
		p.released = e.Client
	}
	p.state = e.After
	if e.After.Gone {
		delete(t.pieces, e.Piece)
		delete(t.names, e.Name)
		t.heavies = slices.DeleteFunc(t.heavies, func(h *piece) bool { return h == p })
	}
	return p
}
