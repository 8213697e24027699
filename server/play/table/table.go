// Package table holds the authoritative histories of the pieces of one table. It judges the updates
// of clients and makes the views that clients get, by the rules T1 to T63 of
// docs/protocol/table.md.
//
// The package is pure: it has no clock and no goroutine, uses only the randomness that its caller
// gives it, and neither stores nor sends anything. It does not know the rules of any game.
package table

import (
	"cmp"
	"fmt"
	"slices"

	"holt/server/id"
)

// Table is the state of one table. It is not safe for concurrent use: one goroutine owns it.
type Table struct {
	// playersRecall: see SetRecall.
	playersRecall bool
	chatRules     ChatRules // see SetChat

	// Set at construction, except that Resize sets the size and Extend adds kinds.
	kinds         []Kind
	width, height int32
	lots          interface{ IntN(n int) int }
	bring         bool // sets can be placed on the table and taken off

	alike      map[uint32]int // number of pieces by seenAs
	veiled     int            // pieces outside containers that rounds may reveal (F12)
	gen        id.Generation
	at         id.Millis // of the last entry, or of the image
	pieces     map[id.OID]*piece
	names      map[id.Piece]*piece
	lastName   id.Piece
	listed     []*piece // all pieces in the order of their names; nil if it must be made
	heavy      order    // all heavy pieces outside hands and containers
	light      order    // all light ones, which lie above the heavy ones (T25)
	hands      cover    // the hands that have an owner
	containers cover
	zones      cover                   // T86
	supplies   cover                   // T89
	zoned      bool                    // a kind of the table is a zone
	holds      map[id.Piece]*hold      // what lies in hands and containers, by their names
	homes      map[id.Piece]*bunch     // the pieces that have a home, by its name
	members    map[id.OID]*bunch       // the pieces of each set
	racked     bunch                   // what lies on racks (T96)
	natives    map[id.Piece]*natives   // what was set up in containers, by their names
	ground     map[cell]*bunch         // the grounded pieces of each cell
	lengths    lengths                 // lengths of the levels and texts of all pieces
	looks      uint64                  // pieces looked at, see Looks
	seats      []SeatInfo              // seat n is at n-1
	sides      []id.Piece              // the hand of each side of the game; 0: none (T61)
	owned      map[id.Piece]uint32     // the sides of other pieces that belong to one (T92)
	attached   map[id.Piece][]id.Piece // what is attached to a piece, by its name (T97)
	// blurred are the looks of which something was made or deleted while not everybody knew what it
	// was (T102), since the table is there. tracked says that this is known.
	blurred  map[Look]bool
	tracked  bool
	named    map[string]id.Seat // the seats by nameKey (T53)
	sets     map[id.OID]*guest  // sets on the table, or with something left to do (T37, T40)
	lastSet  uint32             // the highest number that a set has had
	clients  map[id.Client]*client
	recent   *client                // the last one that was looked for, or nil
	tabs     map[id.Seat][]*client  // the clients of each seat
	forgot   map[id.Seat]id.Version // version when a client of the seat was last forgotten
	touched  uint64                 // counts uses of clients, see client.used
	loaded   bool                   // the table has been rebuilt from its log
	public   *view
	referees []id.Seat // the seats of referees (T74)
	closed   []id.Seat // seats into whose hands no referee sees: in an open replay (T73)
	views    []*view   // seat n is at n-1; nil for a spectator who has the public view

	// pending are the entries recorded since the last Take. taken is the slice that the last Take
	// returned, for reuse.
	pending, taken []Entry

	judged  judging // the update that is judged; see begin
	rewinds bool    // whether Rewind runs
	// rewindCounted says that the first entry of a rewind was numbered, and its mark was not yet.
	rewindCounted bool
	pressed       pressed // what is left to do of a press
	steps         bool    // whether PressOn runs
	settingUp     *SettingUp

	gestures gestures // what can be undone (T62)
}

// piece is one piece, with what is needed of its history.
type piece struct {
	oid     id.OID
	name    id.Piece
	formers []FormerImage // the oldest first; a slice is replaced and never changed
	state   State
	// public is the lineage in the public view. views has the lineages of the few views that were
	// shown other updates. A view is named by its seat.
	public   Lineage
	views    []OwnLineage  // in the order of their seats
	released id.Client     // the last client that released it (T17)
	shed     id.Generation // the latest entry with which its labels were dropped (C15)

	byHome, bySet, byCell, byRack slot   // its slots in the bunches of the table
	was                           uint32 // its place in its container before a reordering
	// For a container (F12). loose: something came into it since its last recall, other than by a
	// recall. spoiled: something was deleted that could have belonged into it. touched: something
	// has come into it since it was set up or last shuffled.
	loose, spoiled, touched bool

	trace trace // of what can be undone (T62)
}

// Config is what New needs. Kinds are those of the catalogue. Width and Height are the size of the
// table, in table units. Lots is the source of random names (T21): nobody may be able to foresee
// it.
type Config struct {
	Kinds         []Kind
	Width, Height int32
	RandomNames   interface{ IntN(n int) int }
	Sets          bool // sets can be placed on the table and taken off (T40, T41)
	// Sides are the seats of the game, which people get as they come, each with the name of its
	// hand; 0: it has none (T61).
	Sides []id.Piece
	// Owned has, for each of them, the names of other heavy pieces that belong to it (T92).
	Owned [][]id.Piece
	// Attached are the pieces that move with others (T97): at most MaxAttached, none of them twice,
	// and none on itself.
	Attached []Attachment
}

// New returns an empty table.
func New(cfg Config) *Table {
	return &Table{
		zoned: slices.ContainsFunc(cfg.Kinds, func(k Kind) bool { return k.isZone() }),
		kinds: cfg.Kinds, width: cfg.Width, height: cfg.Height, lots: cfg.RandomNames, bring: cfg.Sets,
		sides: cfg.Sides, owned: ownedBy(cfg.Owned), attached: attachedTo(cfg.Attached),
		pieces: map[id.OID]*piece{}, names: map[id.Piece]*piece{}, public: newView(0),
		holds: map[id.Piece]*hold{}, sets: map[id.OID]*guest{}, alike: map[uint32]int{},
		homes: map[id.Piece]*bunch{}, members: map[id.OID]*bunch{},
		natives: map[id.Piece]*natives{}, ground: map[cell]*bunch{},
		clients: map[id.Client]*client{}, tabs: map[id.Seat][]*client{},
		forgot: map[id.Seat]id.Version{}, named: map[string]id.Seat{},
		blurred: map[Look]bool{}, tracked: true,
	}
}

// kind returns the kind of a piece.
func (t *Table) kind(p *piece) *Kind { return &t.kinds[p.state.Kind] }

// Resize sets the size of the table, in table units. Pieces stay where they are, even beyond its
// edges. Updates are judged by the new size from now on. The size is not part of the history:
// whoever opens the table again must give it.
func (t *Table) Resize(width, height int32) { t.width, t.height = width, height }

// Gen returns the generation of the latest entry.
func (t *Table) Gen() id.Generation { return t.gen }

// At returns the server's time of the latest entry, or of the image with which the table was
// opened.
func (t *Table) At() id.Millis { return t.at }

// Pieces returns how many pieces lie on the table.
func (t *Table) Pieces() int { return len(t.pieces) }

// Take returns the entries recorded since the last call. The caller stores them and then publishes
// them. It must copy what it keeps: after the next call the table writes over the slice. Only a
// slice with a capacity above RoomKept belongs to the caller.
func (t *Table) Take() []Entry {
	if len(t.pending) == 0 {
		return nil
	}
	e := t.pending
	t.pending, t.taken = t.taken[:0], e
	if cap(e) > RoomKept {
		t.taken = nil
	}
	return e
}

// RoomKept is the largest capacity, in entries, that a table keeps for reuse. A respread, or a hand
// that is moved over a pile, may need much more once.
const RoomKept = 256

// record appends an entry to the history: it gives e the next generation, applies it and keeps it
// for Take.
func (t *Table) record(e Entry) {
	d := t.draft()
	*d = e
	t.seal(d)
}

// draft returns room for the next entry, behind the pending ones. The caller must fill it in and
// seal it before anything else is recorded.
func (t *Table) draft() *Entry {
	t.pending = append(t.pending, Entry{})
	return &t.pending[len(t.pending)-1]
}

// seal is record for an entry that was filled in at the place that draft returned. Entries are
// large, and this copies none.
func (t *Table) seal(e *Entry) {
	e.Gen, e.Step = t.gen+1, t.steps
	if e.OfPiece() {
		t.complete(e)
	}
	t.apply(e)
}

// complete fills in the fields that follow from the states of an entry about a piece.
func (t *Table) complete(e *Entry) {
	if e.After.Z != e.Before.Z || e.After.ZGen == zGenSelf ||
		!e.Made && t.shows(&e.Before, &e.After) {
		e.After.ZGen = e.Gen
	}
	e.After.Since = t.hiddenSince(e)
	if !e.Made && t.hides(&e.Before, &e.After) {
		e.NewName = t.randomName()
	}
}

// zGenSelf is the ZGen of a state whose Z is set by the entry being recorded. complete replaces it
// (T13).
const zGenSelf = ^id.Generation(0)

// Replay applies an entry that was recorded earlier: a snapshot and the entries after it give the
// live table (T3). It fails if e does not continue the history.
func (t *Table) Replay(e *Entry) error {
	if e.Gen <= t.gen {
		return fmt.Errorf("replay entry of generation %d after %d", e.Gen, t.gen)
	}
	if err := t.continues(e); err != nil {
		return fmt.Errorf("replay entry of generation %d: %w", e.Gen, err)
	}
	t.apply(e)
	return nil
}

// continues returns an error if e does not follow from the current state.
func (t *Table) continues(e *Entry) error {
	switch {
	case e.OfPiece():
		return t.replayable(e)
	case e.Ops != nil && !e.Piece.IsZero():
		p := t.pieces[e.Piece]
		if p == nil {
			return fmt.Errorf("no piece %v", e.Piece)
		}
		e.Name = p.name
	case e.Set != nil:
		return t.setContinues(e.Set)
	case e.Who != nil && (int(e.Who.Seat) < 1 || int(e.Who.Seat) > len(t.seats)+1):
		return fmt.Errorf("seat %d out of turn", e.Who.Seat)
	}
	return nil
}

func (t *Table) replayable(e *Entry) error {
	p := t.pieces[e.Piece]
	switch {
	case int(e.After.Kind) >= len(t.kinds) || int(e.Before.Kind) >= len(t.kinds):
		return fmt.Errorf("piece %v has an unknown kind", e.Piece)
	case e.Made && (p != nil || t.names[e.Name] != nil):
		return fmt.Errorf("piece %v is made twice", e.Piece)
	case e.Made && e.Name == 0 || e.Name >= MinRandomName && !drawn(e.Name) ||
		e.NewName != 0 && !drawn(e.NewName):
		return fmt.Errorf("piece %v has no name", e.Piece)
	case !e.Made && p != nil && p.name != e.Name:
		return fmt.Errorf("piece %v has another name", e.Piece)
	case !e.Made && p == nil:
		return fmt.Errorf("no piece %v", e.Piece)
	case !e.Made && p.state != e.Before:
		return fmt.Errorf("piece %v is not as the entry found it", e.Piece)
	case !e.Made && t.kinds[e.After.Kind].Heavy != t.kinds[e.Before.Kind].Heavy:
		return fmt.Errorf("piece %v changes its weight", e.Piece)
	case !e.Made && (e.NewName != 0) != t.hides(&e.Before, &e.After) ||
		e.NewName != 0 && t.names[e.NewName] != nil:
		return fmt.Errorf("piece %v has a wrong name", e.Piece)
	case e.Order != nil && !e.Notice:
		return fmt.Errorf("piece %v is brought into an order", e.Piece)
	case e.Order != nil:
		return t.ordered(p, e)
	}
	return nil
}

// apply makes e the latest entry. Live and replayed entries both go through it.
func (t *Table) apply(e *Entry) {
	t.gen, t.at = e.Gen, max(t.at, e.At)
	var p *piece
	switch {
	// The table does not read facts, and does not remember the chat.
	case e.Fact != nil, e.Chat != nil:
	case e.Ops != nil:
		if of := t.pieces[e.Piece]; of != nil {
			e.Before, e.After = of.state, of.state
		}
	case e.Who != nil:
		t.applySeat(*e.Who)
	case e.Set != nil:
		t.applySet(*e.Set)
	case e.Rewound != nil:
		t.applyRewound(e.Rewound)
	default:
		p = t.applyPiece(e)
	}
	t.trace(e, p)
	t.refer(e)
	if e.Client != (id.Client{}) {
		t.client(e.Client, e.Seat).remember(outcome{
			seq: e.Seq, digest: e.Digest, verdict: Recorded, gen: e.Gen,
			piece: cmp.Or(e.Brought, e.Name), made: e.Brought != 0,
			server: e.Server || e.Op.blind(),
		})
	}
	t.count(e, p)
}

func (t *Table) applyPiece(e *Entry) *piece {
	t.disturb(e)
	t.blur(e)
	if e.Made {
		p := &piece{oid: e.Piece, name: e.Name, state: e.After}
		if e.Name < MinRandomName {
			t.lastName = max(t.lastName, e.Name)
		}
		e.Entered = t.place(p)
		return p
	}
	p := t.pieces[e.Piece]
	if e.Op == OpRelease {
		p.released = e.Client
	}
	if t.DropsLabels(e) {
		p.shed = e.Gen
	}
	covers := t.recovers(e)
	if covers {
		t.hands.take(t, p)
		t.containers.take(t, p)
		t.zones.take(t, p)
		t.supplies.take(t, p)
	}
	t.veil(&e.Before, -1)
	t.veil(&e.After, +1)
	switch {
	case e.After.Gone:
		e.Left = t.withdraw(p)
		p.state = e.After
	case t.reorders(e):
		t.unstack(p)
		if e.After.In != e.Before.In {
			e.Left, e.Entered = t.tally(&e.Before, -1), t.tally(&e.After, +1)
		}
		p.state = e.After
		if e.NewName != 0 {
			t.rename(p, &e.Before, e.NewName)
		}
		t.stackUp(p)
	default:
		p.state = e.After
	}
	if p.state.Gone {
		return p
	}
	if covers {
		t.cover(p)
	}
	t.reindex(p, &e.Before)
	if e.Order != nil {
		t.reorder(p, e)
	}
	return p
}

// reorders reports whether e changes the place of its piece in a drawing order, or the order
// itself.
func (t *Table) reorders(e *Entry) bool {
	a, b := &e.Before, &e.After
	return b.ZGen != a.ZGen || b.Z != a.Z || b.In != a.In ||
		b.In != 0 && groupOf(b) != groupOf(a) || e.NewName != 0
}

// place lays a new piece on the table and returns the number to publish for where it lies.
func (t *Table) place(p *piece) Tally {
	t.pieces[p.oid], t.names[p.name], t.listed = p, p, nil
	t.veil(&p.state, +1)
	tally := t.tally(&p.state, +1)
	t.stackUp(p)
	t.cover(p)
	t.index(p)
	return tally
}

// withdraw takes a piece off the table and returns the number to publish for where it lay.
func (t *Table) withdraw(p *piece) Tally {
	delete(t.pieces, p.oid)
	delete(t.names, p.name)
	t.listed = nil
	for _, f := range p.formers {
		delete(t.names, f.Name)
	}
	t.unstack(p)
	t.unindex(p)
	return t.tally(&p.state, -1)
}

// recovers reports whether an entry changes the place, the angle or the owner of a hand, a
// container, a zone or a supply, or deletes it.
func (t *Table) recovers(e *Entry) bool {
	k, b, a := &t.kinds[e.After.Kind], &e.Before, &e.After
	return (k.Hand || k.Container.Holds || k.isZone() || k.Supply.Gives) &&
		(a.X != b.X || a.Y != b.Y || a.Angle != b.Angle || a.Owner != b.Owner || a.Gone)
}

// cover enters p among the containers, the zones, the supplies, or the hands that have an owner, if
// it is one.
func (t *Table) cover(p *piece) {
	if t.ownedHand(p) {
		t.hands.put(t, p)
	}
	if t.kind(p).Container.Holds {
		t.containers.put(t, p)
	}
	if t.kind(p).isZone() {
		t.zones.put(t, p)
	}
	if t.kind(p).Supply.Gives {
		t.supplies.put(t, p)
	}
}
