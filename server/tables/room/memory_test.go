package room_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// memory is a Store in memory that keeps the promises of the interface. Tests can make it slow or
// make it fail.
type memory struct {
	mu sync.Mutex
	// Guarded by mu.
	tables        map[id.OID]*stored
	seats         map[seatKey]room.SeatRow
	invites       map[room.Hash]room.InviteRow
	blobs         map[room.Hash]room.Blob
	commits       []int // entries of each Append that succeeded
	snapshots     []room.Position
	loads         int
	hold          chan struct{} // Append waits until it is closed; nil: it does not wait
	holdLoad      chan struct{}
	holdSave      chan struct{}
	holdEntries   chan struct{}
	readers       int   // calls of Entries under way
	entries       int   // how many entries Entries has returned
	fail          error // of every Append
	trouble       error // the trouble that the store knows of
	serverLife    room.ServerLife
	lives         map[room.ServerLife]room.Lineage
	failSave      error // of every SaveSnapshot
	saves         int   // calls of SaveSnapshot
	touches       int   // calls of Touch
	deletedTables deletedTables
	motions       []storedMotion
	chats         map[id.OID][]room.ChatText // ascending
	erasures      []erasure
	seatFound     func() // called once, before SeatByToken returns a seat; nil: nothing is called
}

// erasure is what is left to erase, up to an entry.
type erasure struct {
	room.Erasure
	last room.Position
}

// storedMotion is recorded motion (K17), and how many entries were stored with it.
type storedMotion struct {
	room.RecordedMotion
	entries int
}

// seatKey is a token at a table.
type seatKey struct {
	table id.OID
	token room.Hash
}

type stored struct {
	row         room.TableRow
	log         [][]byte
	snapshot    []byte
	at          room.Position
	first       []byte // the snapshot with which the log begins
	logged      int64
	swept       room.Position // entries that were dropped and deleted
	unsweepable bool          // SweepHistory fails
	epochIsNew  bool          // its epoch was drawn in this server life
	saves       []room.NewSave
	open        []room.OpenItem
}

var errDisk = errors.New("the disk is full")

func newMemory() *memory {
	return &memory{
		tables: map[id.OID]*stored{}, seats: map[seatKey]room.SeatRow{},
		invites: map[room.Hash]room.InviteRow{}, blobs: map[room.Hash]room.Blob{},
		chats: map[id.OID][]room.ChatText{},
	}
}

func (m *memory) CreateTable(_ context.Context, n room.NewTable) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	m.tables[n.Row.Table] = &stored{row: n.Row, log: n.Entries, saves: n.Saves}
	m.tables[n.Row.Table].row.Used = n.Row.Created
	for _, s := range n.Seats {
		m.seats[seatKey{n.Row.Table, s.Token}] = s
	}
	for _, i := range n.Invites {
		m.invites[i.Token] = i
	}
	for _, b := range n.Blobs {
		m.blobs[b.Hash] = b
	}
	return nil
}

func (m *memory) Table(_ context.Context, t id.OID) (room.TableRow, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.tables[t]; s != nil {
		return s.row, nil
	}
	return room.TableRow{}, m.missing(t)
}

func (m *memory) Load(ctx context.Context, t id.OID, below room.Position) (room.Loaded, error) {
	m.mu.Lock()
	hold := m.holdLoad
	m.loads++
	m.mu.Unlock()
	if err := wait(ctx, hold); err != nil {
		return room.Loaded{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.tables[t]
	if s == nil {
		return room.Loaded{}, m.missing(t)
	}
	if below > 0 && below <= s.at { // it has no older snapshot
		return room.Loaded{
			Saves: s.saveRows(), Open: slices.Clone(s.open),
			Life: m.serverLife, EpochIsNew: s.epochIsNew, Row: s.row, Entries: slices.Clone(s.log),
		}, nil
	}
	return room.Loaded{
		Life: m.serverLife, EpochIsNew: s.epochIsNew, Row: s.row, Snapshot: s.snapshot, At: s.at,
		Logged: s.logged, Entries: slices.Clone(s.log[s.at:]), Saves: s.saveRows(),
		Open: slices.Clone(s.open),
	}, nil
}

func (m *memory) Entries(
	ctx context.Context, t id.OID, after room.Position, limit int, each func([]byte) error,
) (n int, err error) {
	m.mu.Lock()
	hold := m.holdEntries
	m.readers++
	m.mu.Unlock()
	err = wait(ctx, hold)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.readers--
	s := m.tables[t]
	switch {
	case err != nil:
		return 0, err
	case s == nil:
		return 0, room.ErrNoTable
	}
	if after < s.row.Base {
		return 0, room.ErrDropped
	}
	for _, body := range s.log[after:min(len(s.log), int(after)+limit)] {
		n++
		m.entries++
		if err := each(body); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (m *memory) Motion(
	_ context.Context, t id.OID, after id.Millis, each func([]byte) error,
) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tables[t] == nil {
		return m.missing(t)
	}
	for _, c := range m.motions {
		if c.At <= after {
			continue
		}
		if err := each(c.Body); err != nil {
			return err
		}
	}
	return nil
}

// holdReaders makes readers of logs wait until release is called.
func (m *memory) holdReaders() (release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	held := make(chan struct{})
	m.holdEntries = held
	return sync.OnceFunc(func() {
		m.mu.Lock()
		m.holdEntries = nil
		m.mu.Unlock()
		close(held)
	})
}

// reading returns how many readers read logs now.
func (m *memory) reading() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.readers
}

// size returns how many bytes the logs of all tables have.
func (m *memory) size() (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.tables {
		for _, body := range s.log {
			n += len(body)
		}
	}
	return n
}

// given returns how many entries Entries has returned.
func (m *memory) given() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entries
}

func wait(ctx context.Context, hold chan struct{}) error {
	if hold == nil {
		return nil
	}
	select {
	case <-hold:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *memory) Append(ctx context.Context, a room.Append) error {
	m.mu.Lock()
	hold := m.hold
	m.mu.Unlock()
	if err := wait(ctx, hold); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.tables[a.Table]
	switch {
	case m.fail != nil:
		return m.fail
	case s == nil:
		return m.missing(a.Table)
	case room.Position(len(s.log)) != a.Expect:
		return room.ErrFenced
	}
	s.log = append(s.log, a.Entries...)
	if a.Motion != nil {
		m.motions = append(m.motions, storedMotion{*a.Motion, len(a.Entries)})
	}
	m.changeChat(&a)
	s.saves = slices.DeleteFunc(append(s.saves, a.Saves...), func(n room.NewSave) bool {
		return slices.Contains(a.Unsaved, n.ID)
	})
	for _, item := range a.Open {
		s.open = slices.DeleteFunc(s.open, func(o room.OpenItem) bool { return o.Kind == item.Kind })
		if len(item.Body) > 0 {
			s.open = append(s.open, item)
		}
	}
	if a.Epoch != nil {
		s.row.Epoch, s.epochIsNew = *a.Epoch, true
	}
	if a.Settings != nil {
		s.row.Settings = *a.Settings
	}
	if a.Password != nil {
		s.row.Password = *a.Password
	}
	if a.Catalog != nil {
		s.row.Catalog = *a.Catalog
	}
	if a.Supplement != nil {
		s.row.Supplement = *a.Supplement
	}
	for _, b := range a.Blobs {
		m.blobs[b.Hash] = b
	}
	maps.DeleteFunc(m.seats, func(k seatKey, row room.SeatRow) bool {
		return k.table == a.Table && slices.Contains(a.Voided, row.Seat)
	})
	for _, row := range a.Seats {
		m.seats[seatKey{a.Table, row.Token}] = row
	}
	if a.Invites != nil {
		maps.DeleteFunc(m.invites, func(_ room.Hash, i room.InviteRow) bool {
			return i.Table == a.Table
		})
		for _, i := range a.Invites.Rows {
			m.invites[i.Token] = i
		}
		s.row.InviteVersion = a.Invites.Version
	}
	m.commits = append(m.commits, len(a.Entries))
	return nil
}

func (s *stored) saveRows() (rows []room.SaveRow) {
	for i := range s.saves {
		rows = append(rows, s.saves[i].SaveRow)
	}
	return rows
}

func (m *memory) SavedPosition(_ context.Context, t id.OID, number uint32) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.tables[t]; s != nil {
		for i := range s.saves {
			if s.saves[i].ID == number {
				return s.saves[i].Body, nil
			}
		}
	}
	return nil, room.ErrNoSave
}

func (m *memory) SaveSnapshot(
	ctx context.Context, t id.OID, at room.Position, b []byte, logged int64,
) error {
	m.mu.Lock()
	hold := m.holdSave
	m.saves++
	m.mu.Unlock()
	if err := wait(ctx, hold); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failSave != nil {
		return m.failSave
	}
	s := m.tables[t]
	if s == nil {
		return m.missing(t)
	}
	if at >= s.at {
		s.snapshot, s.at, s.logged = b, at, logged
	}
	m.snapshots = append(m.snapshots, at)
	return nil
}

func (m *memory) SnapshotAt(_ context.Context, t id.OID, at room.Position) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.tables[t]
	if s == nil {
		return nil, m.missing(t)
	}
	if at != s.row.Base {
		return nil, nil
	}
	return s.first, nil
}

func (m *memory) SeatByToken(_ context.Context, t id.OID, token room.Hash) (room.SeatRow, error) {
	m.mu.Lock()
	s, ok := m.seats[seatKey{t, token}]
	found := m.seatFound
	m.seatFound = nil
	m.mu.Unlock()
	if !ok {
		return s, room.ErrNoSeat
	}
	if found != nil {
		found()
	}
	return s, nil
}

func (m *memory) InviteByToken(_ context.Context, token room.Hash) (room.InviteRow, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i, ok := m.invites[token]; ok {
		return i, nil
	}
	if m.deletedTables.invites[token] {
		return room.InviteRow{}, room.ErrGone
	}
	return room.InviteRow{}, room.ErrNoInvite
}

func (m *memory) Blob(_ context.Context, h room.Hash) (room.Blob, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b, ok := m.blobs[h]; ok {
		return b, nil
	}
	return room.Blob{}, room.ErrNoBlob
}

func (m *memory) BlobSize(ctx context.Context, h room.Hash) (int64, error) {
	b, err := m.Blob(ctx, h)
	return int64(len(b.Data)), err
}

// block makes every Append wait until release is called.
func (m *memory) block() (release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	hold := make(chan struct{})
	m.hold = hold
	return sync.OnceFunc(func() {
		m.mu.Lock()
		m.hold = nil
		m.mu.Unlock()
		close(hold)
	})
}

// Lineage knows only the lives in lives.
func (m *memory) Lineage(_ context.Context, _ id.OID, life room.ServerLife) (room.Lineage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l, ok := m.lives[life]
	if !ok {
		return room.Lineage{Forged: life[0] == 0xff}, nil
	}
	return l, nil
}

// Renew gives a table another epoch.
func (m *memory) Renew(_ context.Context, t id.OID, epoch id.Epoch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tables[t].row.Epoch, m.tables[t].epochIsNew = epoch, true
	return nil
}

// Writable returns what haltWith has set.
func (m *memory) Writable() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.trouble
}

// haltWith makes every Append fail with a trouble that the store knows of; nil lets it work again.
func (m *memory) haltWith(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail, m.trouble = err, err
}

func (m *memory) failWith(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// read returns something of the store.
func read[T any](m *memory, f func() T) T {
	m.mu.Lock()
	defer m.mu.Unlock()
	return f()
}

// length returns how many entries the log of a table has.
func (m *memory) length(t id.OID) int { return read(m, func() int { return len(m.tables[t].log) }) }

// bytes returns how many bytes the log of a table takes.
func (m *memory) bytes(t id.OID) int64 {
	return read(m, func() int64 {
		return m.sum(t, len(m.tables[t].log)) - m.sum(t, int(m.tables[t].row.Base))
	})
}

// logged returns how many bytes are counted for the snapshot of a table and the entries after it.
func (m *memory) logged(t id.OID) int64 {
	return read(m, func() int64 {
		s := m.tables[t]
		return s.logged + m.sum(t, len(s.log)) - m.sum(t, int(s.at))
	})
}

func (m *memory) sum(t id.OID, n int) (bytes int64) {
	for _, body := range m.tables[t].log[:n] {
		bytes += int64(len(body)) + room.EntryCost
	}
	return bytes
}

func (m *memory) DropHistory(_ context.Context, d room.Dropping) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.tables[d.Table]
	if err := m.failing("drop"); err != nil {
		return err
	}
	if s == nil || room.Position(len(s.log)) != d.Expect || s.at > d.Base {
		return room.ErrFenced
	}
	s.row.Base, s.snapshot, s.at, s.logged = d.Base, d.Snapshot, d.Base, 0
	s.first = d.Snapshot
	m.motions = nil
	m.chats[d.Table] = slices.DeleteFunc(m.chats[d.Table],
		func(c room.ChatText) bool { return c.Position <= d.Base })
	return nil
}

func (m *memory) changeChat(a *room.Append) {
	all := slices.DeleteFunc(m.chats[a.Table], func(c room.ChatText) bool {
		return slices.Contains(a.Unsaid, c.Position) || c.At < a.SaidBefore
	})
	m.chats[a.Table] = append(all, a.Said...)
	for _, e := range a.Erasing {
		m.chats[a.Table] = slices.DeleteFunc(m.chats[a.Table], func(c room.ChatText) bool {
			return c.Seat == e.Seat
		})
		m.erasures = append(m.erasures, erasure{
			Erasure: room.Erasure{Table: a.Table, Erasing: e},
			last:    a.Expect + room.Position(len(a.Entries)),
		})
	}
}

func (m *memory) Erasures(context.Context) (all []room.Erasure, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.erasures {
		all = append(all, m.erasures[i].Erasure)
	}
	return all, m.failing("Erasures")
}

// SweepErasure rewrites everything at once.
func (m *memory) SweepErasure(
	_ context.Context, e room.Erasure, rewrite room.Rewriter,
) (more bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.failing("SweepErasure"); err != nil {
		return true, err
	}
	s := m.tables[e.Table]
	if s == nil {
		return false, m.missing(e.Table)
	}
	i := slices.IndexFunc(m.erasures, func(of erasure) bool { return of.Erasure == e })
	if i < 0 {
		return false, nil
	}
	for n := range s.log[:m.erasures[i].last] {
		body, err := rewrite(s.log[n], false)
		if err != nil {
			return false, err
		}
		if body != nil {
			s.log[n] = body
		}
	}
	if s.snapshot != nil {
		body, err := rewrite(s.snapshot, true)
		if err != nil {
			return false, err
		}
		if body != nil {
			s.snapshot = body
		}
	}
	m.erasures = slices.Delete(m.erasures, i, i+1)
	return false, nil
}

// forgetSaves deletes the save points of all tables.
func (m *memory) forgetSaves() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.tables {
		s.saves = nil
	}
}

// forgetSnapshots makes the next load replay the whole log.
func (m *memory) forgetSnapshots() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.tables {
		s.snapshot, s.at, s.logged = nil, 0, 0
	}
}

// entriesLogged returns how many entries the logs of all tables have.
func (m *memory) entriesLogged() (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.tables {
		n += len(s.log)
	}
	return n
}

// holds reports whether anything that is stored has some bytes, beside facts about randomness.
func (m *memory) holds(t *testing.T, text string) bool {
	t.Helper()
	return m.hasBytes(t, text, false)
}

func (m *memory) hasBytes(t *testing.T, text string, inFacts bool) bool {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	has := false
	for _, s := range m.tables {
		if snapshot := s.snapshot; snapshot != nil {
			image, err := wire.DecodeImage(snapshot)
			if err != nil {
				t.Fatal(err)
			}
			if !inFacts {
				image.Fair = nil
			}
			if snapshot, err = wire.EncodeImage(image); err != nil {
				t.Fatal(err)
			}
			has = has || bytes.Contains(snapshot, []byte(text))
		}
		for _, body := range s.log[s.swept:] {
			e, err := wire.DecodeEntry(body)
			if err != nil {
				t.Fatal(err)
			}
			has = has || bytes.Contains(body, []byte(text)) && (e.Fact == nil || inFacts)
		}
	}
	for _, all := range m.chats {
		for i := range all {
			has = has || strings.Contains(all[i].Text, text)
		}
	}
	return has
}

func (m *memory) Said(
	_ context.Context, t id.OID, positions []room.Position,
) (all []room.ChatText, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.chats[t] {
		if slices.Contains(positions, c.Position) {
			if c.Lost {
				c = room.ChatText{Position: c.Position, Lost: true}
			}
			all = append(all, c)
		}
	}
	return all, nil
}

func (m *memory) SaidAt(_ context.Context, t id.OID, line id.ChatLine) (room.Position, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.chats[t] {
		if c.Line == line {
			return c.Position, nil
		}
	}
	return 0, nil
}

func (m *memory) Dropped(context.Context) (all []id.OID, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for t, s := range m.tables {
		if s.row.Base > s.swept {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b id.OID) int { return bytes.Compare(a[:], b[:]) })
	return all, nil
}

func (m *memory) SweepHistory(_ context.Context, t id.OID) (more bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.tables[t]
	if s.unsweepable {
		return false, errDisk
	}
	s.swept = min(s.swept+100, s.row.Base)
	for i := range s.log[:s.swept] {
		s.log[i] = nil
	}
	return s.swept < s.row.Base, nil
}

func (m *memory) Touch(_ context.Context, t id.OID, at id.Millis) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.tables[t]; s != nil {
		s.row.Used = at
		m.touches++
		return nil
	}
	return m.missing(t)
}

func (m *memory) Unused(_ context.Context, before, _ id.Millis) (all []id.OID, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for t, s := range m.tables {
		if s.row.Used < before {
			all = append(all, t)
		}
	}
	return all, nil
}
