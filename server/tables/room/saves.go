package room

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// Save points (T70). Each is stored beside the log: its position there, and the pieces as they were
// then. What is in the list, and when one is made or dropped, depends only on what everybody at the
// table knows.

// Bounds of save points.
const (
	MaxNamedSaves = 16 // that hosts have made
	maxAutoSaves  = 6
	maxBefore     = 2 // states before a rewind
	// After how many moves the server makes one, and drops the states before rewinds.
	saveEvery      = 64
	MaxSaveName    = 60 // characters
	MaxSaveToken   = 64 // bytes
	maxSavedPieces = 32 << 20
	// What they may take: a part of what the log takes about, at least savesAlways bytes.
	savesShare   = 5
	savesAlways  = 64 << 10
	savedPiece   = 24  // bytes of a piece in a save point, about
	loggedPiece  = 150 // of one that was set up, in the log
	loggedMove   = 300 // of a move
	unitsOfSave  = 16  // what it costs a seat (T49), besides its pieces
	unitsOfSaves = 4   // the list
)

// Errors of save points.
var (
	// 404 not-found
	ErrNoSave = errors.New("there is no such save point")
	// 409 saves-full
	ErrSavesFull = errors.New("the table has as many save points as it can keep")
	// 409 save-stays
	ErrSaveStays = errors.New("the save point of the set-up stays")
)

// SaveRow is a save point without its pieces.
type SaveRow struct {
	ID       uint32 // from 1, rising
	Kind     table.SaveKind
	Name     string // of a named one
	At       id.Millis
	By       id.Seat // 0: the server
	Position Position
	Moves    uint64 // how many moves everybody had seen
	Round    uint32 // the round of randomness that was open
	// Sealed is the first round whose seed was not published then, if anything was hidden; else 0.
	Sealed uint32
	Token  string // of the request that made it
	To     Target // of a state before a rewind
}

// Target is the save point to which a rewind went.
type Target struct {
	ID   uint32
	Kind table.SaveKind
	Name string
	At   id.Millis
	By   id.Seat
}

// NewSave is a save point to be stored.
type NewSave struct {
	SaveRow
	Body []byte // as encodePosition returns it
}

// saves are the save points of a table. Owned by the room's run.
type saves struct {
	all   []SaveRow // ascending
	last  uint32    // the highest number that one has had
	moves moves
	auto  uint64 // the count of moves at the last one
}

// moves counts what everybody has seen people do: a drag, a deal or a roll is one move.
type moves struct {
	n      uint64
	client id.Client
	op     table.Op
	at     id.Millis
}

// follow counts an entry. Successive updates of a client with the same operation and time are one
// move (T62), and so are a grab and the release that follows.
func (m *moves) follow(t *table.Table, e *table.Entry) {
	if e.Client == (id.Client{}) || !e.OfPiece() || e.Op == table.OpGrab || e.Op == table.OpWrest ||
		t.VersionAt(0, e.Gen) == t.VersionAt(0, e.Gen-1) {
		return
	}
	if e.Client != m.client || e.Op != m.op || e.At != m.at {
		m.n++
	}
	m.client, m.op, m.at = e.Client, e.Op, e.At
}

func newSaves(all []SaveRow, moves moves) saves {
	s := saves{all: all, moves: moves}
	for i := range all {
		s.last, s.auto = max(s.last, all[i].ID), max(s.auto, all[i].Moves)
	}
	return s
}

// find returns a save point; nil if there is none.
func (s *saves) find(number uint32) *SaveRow {
	i := slices.IndexFunc(s.all, func(r SaveRow) bool { return r.ID == number })
	if i < 0 {
		return nil
	}
	return &s.all[i]
}

// byToken returns the save point that a request has made; nil if it has made none.
func (s *saves) byToken(token string, by id.Seat) *SaveRow {
	i := slices.IndexFunc(s.all, func(r SaveRow) bool { return r.Token == token && r.By == by })
	if i < 0 || token == "" {
		return nil
	}
	return &s.all[i]
}

// setUp returns the save point of the set-up; nil if there is none.
func (s *saves) setUp() *SaveRow {
	i := slices.IndexFunc(s.all, func(r SaveRow) bool { return r.Kind == table.SaveSetUp })
	if i < 0 {
		return nil
	}
	return &s.all[i]
}

// setUpNamed returns the save point of the set-up with a name; nil if there is none.
func (s *saves) setUpNamed(name string) *SaveRow {
	i := slices.IndexFunc(s.all, func(r SaveRow) bool {
		return r.Kind == table.SaveSetUp && r.Name == name
	})
	if i < 0 {
		return nil
	}
	return &s.all[i]
}

// lastBefore returns the state before the last rewind; nil if it is not kept.
func (s *saves) lastBefore() *SaveRow {
	for i := len(s.all) - 1; i >= 0; i-- {
		if s.all[i].Kind == table.SaveBefore {
			return &s.all[i]
		}
	}
	return nil
}

// count returns how many save points there are of a kind.
func (s *saves) count(kind table.SaveKind) (n int) {
	for i := range s.all {
		if s.all[i].Kind == kind {
			n++
		}
	}
	return n
}

// room returns how many save points a table with so many pieces may have in all: what they take is
// estimated, so that the number says nothing of what is hidden.
func (s *saves) room(pieces int) int {
	logged := pieces*loggedPiece + int(min(s.moves.n, 1<<32))*loggedMove
	return max(savesAlways, logged/savesShare) / max(pieces*savedPiece, 1)
}

// drop takes save points out of the list that have to go when one of a kind is added, and returns
// their numbers: the oldest ones that the server has made.
func (s *saves) drop(adding table.SaveKind, pieces int) (gone []uint32) {
	remove := func(kind table.SaveKind) bool {
		i := slices.IndexFunc(s.all, func(r SaveRow) bool { return r.Kind == kind })
		if i < 0 {
			return false
		}
		gone = append(gone, s.all[i].ID)
		s.all = slices.Delete(s.all, i, i+1)
		return true
	}
	for adding == table.SaveAuto && s.count(adding) >= maxAutoSaves ||
		adding == table.SaveBefore && s.count(adding) >= maxBefore {
		remove(adding)
	}
	for len(s.all) >= s.room(pieces) {
		if !remove(table.SaveAuto) {
			break
		}
	}
	return gone
}

// hides reports whether a state before a rewind is kept that hides something. While it is, a rewind
// can be taken back, so no seed may tell what is hidden there.
func (s *saves) hides() bool {
	return slices.ContainsFunc(s.all, func(r SaveRow) bool {
		return r.Kind == table.SaveBefore && r.Sealed != 0
	})
}

// encodePosition returns what is stored of the pieces of a save point.
func encodePosition(im *table.Image) ([]byte, error) {
	plain, err := wire.EncodeImage(im)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(plain)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// decodePosition reads what encodePosition has returned.
func decodePosition(b []byte) (*table.Image, error) {
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), maxSavedPieces+1))
	if err == nil && len(plain) > maxSavedPieces {
		err = errors.New("too large")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: save point: %w", ErrDamaged, err)
	}
	im, err := wire.DecodeImage(plain)
	if err != nil {
		return nil, fmt.Errorf("%w: save point: %w", ErrDamaged, err)
	}
	return im, nil
}

// firstSaves returns the save points of a table that was just set up: that of its set-up, and those
// of the other set-ups of its game, which lack some kinds (T78) or have pieces of their own (G25).
// begin may have no set-ups: there is one, without steps.
func firstSaves(
	c *randomness, at Position, now id.Millis, begin *beginning,
) (all []NewSave, err error) {
	whole, ok := c.table.Position()
	if !ok {
		return nil, nil
	}
	setups := begin.setups
	if setups == nil {
		setups = []game.Setup{{}}
	}
	for i, of := range setups {
		im := whole
		im.Steps = game.EncodeSteps(of.Steps)
		var is position
		if begin.positions != nil {
			is = begin.positions[i]
		}
		im.Pieces = slices.DeleteFunc(slices.Clone(whole.Pieces), func(p table.PieceImage) bool {
			return slices.Contains(of.Without, int(p.State.Kind)) || is.lacks[p.OID]
		})
		if is.pieces != nil {
			im.Pieces = is.pieces
		}
		body, err := encodePosition(&im)
		if err != nil {
			return nil, err
		}
		all = append(all, NewSave{SaveRow: SaveRow{
			ID: uint32(i) + 1, Kind: table.SaveSetUp, Name: of.Name, At: now, Position: at,
			Round: uint32(c.round()), Sealed: c.sealed(),
		}, Body: body})
	}
	return all, nil
}

// sealed returns the first round whose seed is not published, if anything is hidden at the table;
// otherwise 0.
func (c *randomness) sealed() uint32 {
	if _, hidden := c.table.OldestHidden(); !hidden {
		return 0
	}
	return c.firstSealed()
}

// firstSealed returns the first round whose seed is not published.
func (c *randomness) firstSealed() uint32 {
	for _, s := range c.state.Sealed() {
		return uint32(s.Round)
	}
	return uint32(c.round())
}

// save makes a save point of the state with everything that was recorded until now, which it is
// stored with. It reports false if the pieces of somebody's own set lie there.
func (r *room) saveNow(row SaveRow) (made SaveRow, ok bool) {
	im, ok := r.table.Position()
	if !ok {
		return SaveRow{}, false
	}
	body, err := encodePosition(&im)
	if err != nil {
		r.broken = err
		return SaveRow{}, false
	}
	s := &r.saves
	s.last++
	row.ID, row.At, row.Moves = s.last, r.now(), s.moves.n
	row.Position = Position(r.table.Gen()) // the entry at a position has its number
	row.Round, row.Sealed = uint32(r.randomness.round()), r.randomness.sealed()
	s.auto = s.moves.n
	r.recorded.unsaved = append(r.recorded.unsaved, s.drop(row.Kind, r.table.Pieces())...)
	s.all = append(s.all, row)
	r.recorded.saves = append(r.recorded.saves, NewSave{SaveRow: row, Body: body})
	r.recorded.queueEvent(id.Client{}, wire.SavesEvent(row.shown()))
	return row, true
}

// autosave makes a save point if there were enough moves since the last one, and drops the states
// before rewinds that are too old to go back to.
func (r *room) autosave() {
	s := &r.saves
	if s.moves.n < s.auto+saveEvery || r.cannotSave() || r.space.reserveUsed() {
		return
	}
	n := len(s.all)
	s.all = slices.DeleteFunc(s.all, func(row SaveRow) bool {
		old := row.Kind == table.SaveBefore && s.moves.n >= row.Moves+saveEvery
		if old {
			r.recorded.unsaved = append(r.recorded.unsaved, row.ID)
		}
		return old
	})
	if len(s.all) < n {
		r.revealSeeds()
	}
	if _, ok := r.saveNow(SaveRow{Kind: table.SaveAuto}); !ok {
		s.auto = s.moves.n
	}
}

// shown returns a save point as everybody gets it.
func (r *SaveRow) shown() *holtpb.SavePoint {
	//nolint:gosec // after 1970
	return &holtpb.SavePoint{
		Id: r.ID, Kind: holtpb.SaveKind(r.Kind), Name: r.Name, At: uint64(r.At), By: uint32(r.By),
	}
}

// rewound returns the last rewind as everybody gets it; nil if there was none lately.
func (s *saves) rewound() *holtpb.Rewound {
	b := s.lastBefore()
	if b == nil {
		return nil
	}
	to := SaveRow{ID: b.To.ID, Kind: b.To.Kind, Name: b.To.Name, At: b.To.At, By: b.To.By}
	//nolint:gosec // after 1970
	return &holtpb.Rewound{By: uint32(b.By), To: to.shown(), At: uint64(b.At), Back: b.ID}
}

// SaveInfo is a save point as the list has it.
type SaveInfo struct {
	SaveRow
	Since uint64 // how many moves everybody has seen since
	// Known says that seeds were published since that tell what was hidden then.
	Known bool
}

// SaveList is what a table says of its save points.
type SaveList struct {
	All  []SaveInfo // the oldest first
	Back uint32     // the state before the last rewind; 0: none
}

// Saves returns the save points of the table of s (T70). Errors: ErrBusy, a TooFast.
func (rs *Rooms) Saves(ctx context.Context, s Session) (SaveList, error) {
	return inSession(ctx, rs, s, func(r *room) (l SaveList, err error) {
		if err := r.budgets.admitOwn(s.Seat, unitsOfSaves); err != nil {
			return l, err
		}
		r.budgets.spend(s.Seat, unitsOfSaves)
		for _, row := range r.saves.all {
			l.All = append(l.All, SaveInfo{
				SaveRow: row, Since: r.saves.moves.n - row.Moves,
				Known: row.Sealed != 0 && r.randomness.firstSealed() > row.Sealed,
			})
		}
		if b := r.saves.lastBefore(); b != nil {
			l.Back = b.ID
		}
		return l, nil
	})
}

// Save makes a save point with a name (T70). A request with the token of an earlier one makes no
// other. It returns when it is durable. Errors: ErrRole, ErrPerson, ErrSavesFull, ErrGuests, a
// TooFast.
func (rs *Rooms) Save(ctx context.Context, s Session, name, token string) (uint32, error) {
	if !s.Role.Hosts() {
		return 0, ErrRole
	}
	if err := checkName(name, MaxSaveName); err != nil {
		return 0, err
	}
	return change(ctx, rs, s, func(r *room) (uint32, error) {
		if row := r.saves.byToken(token, s.Seat); row != nil {
			return row.ID, nil
		}
		units := unitsOfSave + r.table.Pieces()/pieceChecksPerUnit
		if err := r.budgets.admit(s.Seat, min(units, MaxUnits)); err != nil {
			return 0, err
		}
		r.budgets.spend(s.Seat, units)
		kept := len(r.saves.all) - r.saves.count(table.SaveAuto)
		switch {
		case r.saves.count(table.SaveNamed) >= MaxNamedSaves, kept >= r.saves.room(r.table.Pieces()):
			return 0, ErrSavesFull
		case r.space.reserveUsed():
			return 0, ErrLogFull
		}
		row, ok := r.saveNow(SaveRow{Kind: table.SaveNamed, Name: name, By: s.Seat, Token: token})
		if !ok {
			return 0, cmp.Or(r.broken, ErrGuests)
		}
		return row.ID, nil
	})
}

// DeleteSave deletes a save point for good (T70). Errors: ErrRole, ErrNoSave, ErrSaveStays.
func (rs *Rooms) DeleteSave(ctx context.Context, s Session, number uint32) error {
	if !s.Role.Hosts() {
		return ErrRole
	}
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		row := r.saves.find(number)
		switch {
		case row == nil:
			return none{}, ErrNoSave
		case row.Kind == table.SaveSetUp:
			return none{}, ErrSaveStays
		}
		r.saves.all = slices.DeleteFunc(r.saves.all, func(row SaveRow) bool { return row.ID == number })
		r.recorded.unsaved = append(r.recorded.unsaved, number)
		r.recorded.queueEvent(id.Client{}, wire.SavesEvent(nil))
		r.revealSeeds()
		return none{}, nil
	})
	return err
}
