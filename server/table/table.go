// Package table holds the authoritative histories of the pieces of one table and judges what clients want
// to do to them, by the rules T1 to T27 of docs/protocol/table.md. It makes the views that clients get.
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
	at       id.Millis // of the last entry, or of the image
	pieces   map[id.OID]*piece
	names    map[id.Piece]*piece
	lastName id.Piece
	heavy    order      // all heavy pieces lie below
	light    order      // all light ones (T25)
	hands    []*piece   // those that have an owner; once one, they keep it
	seats    []SeatInfo // seat n is at n-1
	clients  map[id.Client]*client
	tabs     map[id.Seat][]*client // the clients of each seat
	touched  uint64                // counts uses of clients, for forgetting the least recently used
	loaded   bool                  // the table has been brought back from its log
	public   *view
	views    []*view // of players and hosts; nil for spectators, who share public; seat n is at n-1

	// pending are the entries recorded since the last Take, and taken is the room of those before.
	pending, taken []Entry
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
		pieces: map[id.OID]*piece{}, names: map[id.Piece]*piece{}, public: newView(0),
		clients: map[id.Client]*client{}, tabs: map[id.Seat][]*client{},
	}
}

// Gen returns the generation of the latest entry.
func (t *Table) Gen() id.Generation { return t.gen }

// At returns the server's time of the latest entry, or of the image that the table was opened with.
func (t *Table) At() id.Millis { return t.at }

// Pieces returns how many pieces lie on the table.
func (t *Table) Pieces() int { return len(t.pieces) }

// Take returns the entries recorded since the last call. The caller stores them, then tells the clients. It
// copies what it keeps: from the next call on, the table writes over the slice.
func (t *Table) Take() []Entry {
	if len(t.pending) == 0 {
		return nil
	}
	e := t.pending
	t.pending, t.taken = t.taken[:0], e
	if cap(e) > roomKept {
		t.taken = nil
	}
	return e
}

// roomKept is how many entries of room a table keeps for what it records next. A respread or a hand that is
// moved over a pile may need much more for once.
const roomKept = 256

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
	case !e.Made && t.kinds[e.After.Kind].Heavy != t.kinds[e.Before.Kind].Heavy:
		return fmt.Errorf("piece %v changes its weight", e.Piece)
	}
	return nil
}

// apply makes e the latest entry. Live and replayed histories go the same way through it.
func (t *Table) apply(e *Entry) {
	t.gen, t.at = e.Gen, max(t.at, e.At)
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
	if e.Made {
		p := &piece{oid: e.Piece, name: e.Name, state: e.After}
		t.lastName = max(t.lastName, e.Name)
		t.place(p)
		return p
	}
	p := t.pieces[e.Piece]
	if e.Op == OpRelease {
		p.released = e.Client
	}
	switch {
	case e.After.Gone:
		t.withdraw(p)
		p.state = e.After
	case e.After.ZGen != p.state.ZGen || e.After.Z != p.state.Z:
		t.stack(p).remove(p)
		p.state = e.After
		t.stack(p).insert(p)
	default:
		p.state = e.After
	}
	if e.Before.Owner == 0 && t.ownedHand(p) {
		t.hands = append(t.hands, p)
	}
	return p
}

// place lays a new piece on the table.
func (t *Table) place(p *piece) {
	t.pieces[p.oid], t.names[p.name] = p, p
	t.stack(p).insert(p)
	if t.ownedHand(p) {
		t.hands = append(t.hands, p)
	}
}

// withdraw takes a piece off the table.
func (t *Table) withdraw(p *piece) {
	delete(t.pieces, p.oid)
	delete(t.names, p.name)
	t.stack(p).remove(p)
	t.hands = slices.DeleteFunc(t.hands, func(h *piece) bool { return h == p })
}

// stack returns the pieces of p's weight.
func (t *Table) stack(p *piece) *order {
	if t.kinds[p.state.Kind].Heavy {
		return &t.heavy
	}
	return &t.light
}

// ownedHand reports whether p is a hand that has an owner.
func (t *Table) ownedHand(p *piece) bool { return t.kinds[p.state.Kind].Hand && p.state.Owner != 0 }
