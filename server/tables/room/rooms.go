// Package room runs tables: one goroutine owns each table that somebody uses. It stores what the
// table records before anybody learns of it (durable before visible), publishes it to the streams
// as each view may see it, and unloads tables that nobody uses. It does not decide what is allowed
// (package table does), how things are stored (its Store does), or how a stream is carried (package
// stream does).
package room

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	mathrand "math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// Games finds games that are not on the shelf, by their identities (G2).
type Games interface {
	// Game returns a game. ErrNoGame if there is none of that identity.
	Game(ctx context.Context, identity Hash) (*game.Game, error)
}

// Config is what Rooms need. All fields but Games, SetOwners and Quota are required.
type Config struct {
	Store     Store
	Minter    *id.Minter
	Shelf     *game.Shelf
	Games     Games  // may be nil: then there are only those of the shelf
	InviteKey []byte // 32 bytes; invites are derived from it
	Now       func() id.Millis
	Random    io.Reader // of cryptographic quality
	Log       *slog.Logger
	SetOwners SetOwners // may be nil: then no guest sets can be put on tables or taken off
	Quota     Quota     // the zero value sets no bounds
}

// Rooms are all tables of a server. Its methods are safe for concurrent use.
type Rooms struct {
	// Set at construction.
	cfg        Config
	began      time.Time
	clockCheck clockCheck
	journals   *journals
	logPlaces  chan struct{} // as many as pages of logs are made at once
	hashing    chan struct{} // as many as hashes of passwords are computed at once
	sweeper    sweeper
	withdrawn  atomic.Uint64 // how often a room has withdrawn tokens, counted when that is durable

	mu sync.Mutex
	// Guarded by mu.
	loaded   map[id.OID]*loadedRoom
	spent    map[id.OID]*tableSpending
	damaged  map[id.OID]damaged
	sessions map[Hash]Session // by tokens that were shown, so that each is looked up once
	stopping bool
	running  sync.WaitGroup
}

// loadedRoom is the place of one table among the loaded ones.
type loadedRoom struct {
	ready chan struct{} // closed when room or err is set
	room  *room
	err   error
	users int // calls and streams that need the room. Guarded by Rooms.mu.
}

// maxSessions bounds the memory of shown tokens. Beyond it they are looked up again.
const maxSessions = 10_000

// New returns the rooms of a server.
func New(cfg Config) *Rooms {
	return &Rooms{
		cfg: cfg, began: time.Now(), journals: newJournals(),
		logPlaces: make(chan struct{}, logsAtOnce), hashing: make(chan struct{}, hashesAtOnce),
		loaded: map[id.OID]*loadedRoom{}, spent: map[id.OID]*tableSpending{},
		damaged: map[id.OID]damaged{}, sessions: map[Hash]Session{},
		sweeper: sweeper{wake: make(chan struct{}, 1), halt: make(chan struct{})},
	}
}

// acquire returns the running room of a table, which stays until release is called. It loads the
// table if that is necessary.
func (rs *Rooms) acquire(ctx context.Context, t id.OID) (r *room, release func(), err error) {
	rs.mu.Lock()
	if rs.stopping {
		rs.mu.Unlock()
		return nil, nil, ErrStopping
	}
	if err := rs.damageOf(t); err != nil {
		rs.mu.Unlock()
		return nil, nil, err
	}
	s := rs.loaded[t]
	if s == nil {
		s = &loadedRoom{ready: make(chan struct{})}
		rs.loaded[t] = s
		// The first caller may leave before the others: the table is loaded for all of them.
		spent := rs.spendingOf(t)
		rs.running.Go(func() { rs.load(context.WithoutCancel(ctx), t, s, spent) })
	}
	s.users++
	rs.mu.Unlock()
	release = sync.OnceFunc(func() {
		rs.mu.Lock()
		s.users--
		rs.mu.Unlock()
	})
	select {
	case <-s.ready:
	case <-ctx.Done():
		release()
		return nil, nil, ctx.Err()
	}
	if s.err != nil {
		release()
		return nil, nil, s.err
	}
	return s.room, release, nil
}

// load brings a table back from the store and starts its room.
func (rs *Rooms) load(ctx context.Context, t id.OID, s *loadedRoom, spent *tableSpending) {
	defer close(s.ready)
	r, err := loadRoom(ctx, rs.cfg, t, spent)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if err == nil && rs.stopping {
		err = ErrStopping
	}
	rs.noteDamage(t, err)
	if err != nil {
		s.err = err
		delete(rs.loaded, t)
		return
	}
	r.leave = func() { rs.removeRoom(t, s) }
	s.room = r
	rs.running.Go(func() {
		r.run(func() bool { return rs.retire(t, s) })
		rs.removeRoom(t, s)
		r.callsRunning.Wait()
		if errors.Is(r.ending, ErrGone) { // no call for the table is under way any more
			rs.Sweep()
		}
	})
}

// retire takes a room that nobody uses out of the loaded ones.
func (rs *Rooms) retire(t id.OID, s *loadedRoom) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if s.users > 0 {
		return false
	}
	rs.forget(t, s)
	return true
}

// removeRoom takes a room that has ended out of the loaded ones, even if somebody uses it. The next
// caller loads the table again.
func (rs *Rooms) removeRoom(t id.OID, s *loadedRoom) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.forget(t, s)
}

func (rs *Rooms) forget(t id.OID, s *loadedRoom) {
	if rs.loaded[t] == s {
		delete(rs.loaded, t)
	}
}

// Update gives a batch to its table (T15). It returns when every update has been judged and what
// was recorded is durable. Errors: *table.Invalid, TooMuch, TooFast, ErrRole, ErrEpoch, ErrClient,
// ErrBusy, ErrStorage, ErrStopping. After any of them nothing of the batch was kept.
func (rs *Rooms) Update(ctx context.Context, s Session, b wire.Batch) error {
	return rs.UpdateInTurn(ctx, s, b, func(error) {})
}

// UpdateInTurn is Update for one of several batches of a stream (D40). When the table has judged
// the batch, or refused it, it calls judged with the error, from another goroutine: then the next
// batch may be given to the table. It does not call judged if the table never saw the batch.
func (rs *Rooms) UpdateInTurn(
	ctx context.Context, s Session, b wire.Batch, judged func(error),
) error {
	return rs.send(ctx, s, LastSent{b.Epoch, b.Life, b.Version}, func(r *room) error {
		oids := make([]id.OID, len(b.Updates))
		for i := range b.Updates {
			if !b.Updates[i].Makes() {
				continue
			}
			var err error
			if oids[i], err = rs.cfg.Minter.Mint(rs.cfg.Now()); err != nil {
				return inStorage(err)
			}
		}
		lines, err := rs.saidLines(ctx, s.Table, b.Updates)
		if err != nil {
			return err
		}
		_, err = do(ctx, r, func() (none, error) {
			err := r.update(s, b, oids, lines)
			judged(err)
			return none{}, err
		})
		return err
	})
}

// send calls do with the room of a seat that sends updates or operations, as soon as few enough of
// the seat's are under way.
func (rs *Rooms) send(
	ctx context.Context, s Session, last LastSent, do func(*room) error,
) error {
	if err := rs.cfg.Store.Writable(); err != nil {
		return err
	}
	r, release, err := rs.acquire(ctx, s.Table)
	if err != nil {
		return err
	}
	defer release()
	if err := rs.checkHistory(ctx, r, s, last); err != nil {
		return err
	}
	leave, err := r.enter(ctx, r.admissions.of(s.Seat), busyAfter)
	if err != nil {
		return err
	}
	defer leave()
	return do(r)
}

// Read returns a frame whose only event is the full state of the view of s. The error is a TooFast
// if the seat has read too much (T49).
func (rs *Rooms) Read(ctx context.Context, s Session) (*holtpb.Frame, error) {
	frame, err := inSession(ctx, rs, s, func(r *room) ([]byte, error) { return r.read(s) })
	if err != nil {
		return nil, err
	}
	return wire.DecodeFrame(frame)
}

// Open begins to send a client its stream over carrier (S1). The stream keeps the room loaded until
// it ends.
func (rs *Rooms) Open(
	ctx context.Context, s Session, h Hello, carrier stream.Carrier,
) (*stream.Stream, error) {
	r, release, err := rs.acquire(ctx, s.Table)
	if err != nil {
		return nil, err
	}
	if err := rs.checkHistory(ctx, r, s, LastSent{h.Epoch, h.Life, h.Version}); err != nil {
		release()
		if !errors.Is(err, ErrEpoch) {
			return nil, err
		}
		h.Life, h.Version = ServerLife{}, 0 // it gets the full state, of the new epoch if there is one
		return rs.Open(ctx, s, h, carrier)
	}
	type opened struct {
		c   *stream.Stream
		err error
	}
	leave, err := r.enter(ctx, r.admissions.openings, openingWait)
	if err != nil {
		release()
		return nil, err
	}
	answer := make(chan opened, 1) // the room answers once
	err = r.enqueue(ctx, func() {
		// Not before the requests of those who play were served, too.
		r.whenDurable(func(error) { leave() })
		if !r.isValid(s) {
			r.whenDurable(func(err error) { answer <- opened{nil, cmp.Or(err, ErrNoSeat)} })
			return
		}
		c, err := r.open(s, h, carrier, release)
		answer <- opened{c, err}
	})
	if err != nil {
		leave()
		release()
		return nil, err
	}
	select {
	case o := <-answer:
		if o.err != nil {
			release()
		}
		return o.c, o.err
	case <-r.gone:
		release()
		return nil, r.ending
	}
}

// Shutdown drains: it asks every stream to come back, makes durable what was recorded, and waits
// for every goroutine until ctx is done. It may be called again, to wait longer.
func (rs *Rooms) Shutdown(ctx context.Context) error {
	rs.mu.Lock()
	if !rs.stopping {
		close(rs.sweeper.halt)
	}
	rs.stopping = true
	var rooms []*loadedRoom
	for _, s := range rs.loaded {
		rooms = append(rooms, s)
	}
	rs.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		for _, s := range rooms {
			<-s.ready
			if s.room != nil {
				s.room.halt()
			}
		}
		rs.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stop tables: %w", ctx.Err())
	}
}

// seeded returns a random number generator for names and delays that nobody can predict.
func seeded(random io.Reader) (*mathrand.Rand, error) {
	var seed [32]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, fmt.Errorf("seed shuffles: %w", err)
	}
	//nolint:gosec // ChaCha8, seeded by the system's random source
	return mathrand.New(mathrand.NewChaCha8(seed)), nil
}

// newEpoch draws an epoch (T19).
func newEpoch(random io.Reader) (id.Epoch, error) {
	n, err := rand.Int(random, big.NewInt(1<<53-1))
	if err != nil {
		return 0, fmt.Errorf("draw epoch: %w", err)
	}
	return id.Epoch(n.Uint64() + 1), nil
}

// inStorage returns an ErrStorage.
func inStorage(err error) error { return fmt.Errorf("%w: %w", ErrStorage, err) }

// storeError turns an error of the store into one that Rooms returns.
func storeError(err error) error {
	if errors.Is(err, ErrNoTable) || errors.Is(err, ErrGone) || errors.Is(err, ErrNoSeat) ||
		errors.Is(err, ErrNoInvite) || errors.Is(err, ErrNoBlob) || errors.Is(err, ErrNoSave) ||
		errors.Is(err, ErrDamaged) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return inStorage(err)
}

// busyAfter is how long a call waits for a table that has too much to do.
const busyAfter = 2 * time.Second
