// Package node runs the machine of the objects of this host (docs/protocol/object.md): one goroutine owns it, gives it what
// rooms, operators and linked hosts ask for, the time and random bytes, keeps what it says in the storage, and only then sends what
// it says and answers. It is the owner of sets for rooms, and brings the kinds and pictures of sets from where they are.
//
// What an object does when it is called package class says; how messages travel, package peer.
package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/tables/room"
)

// Errors of what is asked of a World.
var (
	// ErrClosed says that the world is shut down.
	ErrClosed = errors.New("the server is stopping")
	// ErrStorage says that what was asked for could not be kept: whether it was is not known.
	ErrStorage = errors.New("the objects of this server cannot be kept")
)

// Store keeps what the machine says. Its methods are safe for concurrent use.
type Store interface {
	// ObjectValue returns a value, nil for none.
	ObjectValue(ctx context.Context, space object.Space, oid id.OID) ([]byte, error)
	// ObjectValues returns up to limit values behind an object, in ascending order.
	ObjectValues(ctx context.Context, space object.Space, behind id.OID, limit int) ([]object.Write, error)
	// ObjectsMade counts the values of objects that a host has made, and their bytes.
	ObjectsMade(ctx context.Context, space object.Space, host id.GWID) (count int, bytes int64, err error)
	// KeepObjects writes all or nothing; when it returns it is durable.
	KeepObjects(ctx context.Context, writes []object.Write, blobs []room.Blob) error
	// ObjectsRestored reports whether the store is a backup with which no machine has begun.
	ObjectsRestored(ctx context.Context) (bool, error)
	// BeginObjects is KeepObjects, and ends the restore.
	BeginObjects(ctx context.Context, writes []object.Write) error
	// Blob returns content by its hash; room.ErrNoBlob if there is none.
	Blob(ctx context.Context, hash room.Hash) (room.Blob, error)
	// SweepBlobs deletes the blobs to which neither a catalogue of a table nor anything that refs knows refers, also not what is being
	// stored or referred to meanwhile. It is not called again before it has returned.
	SweepBlobs(ctx context.Context, refs BlobRefs) (Swept, error)
}

// Config is what a World needs. Whose and Tell may be nil.
type Config struct {
	Store  Store
	Links  *peer.Links
	Now    func() id.Millis
	Random io.Reader // of cryptographic quality
	Log    *slog.Logger
	// Quarantine is the folder for what nobody gets any more (O28). It is made when it is needed.
	Quarantine string
	// Person returns the person who sits at a seat; zero if that is not known. Nil: whose a set is, is not asked (T41).
	Person func(ctx context.Context, s room.Session) id.OID
	// Lazy is at how many calls in a row from one host a set moves to its table there; 0: 8 (O13).
	Lazy int
	// Cache is how many objects the machine has in memory; 0: as it likes.
	Cache int
}

// World is the objects of this host. Its methods are safe for concurrent use.
type World struct {
	// Set at construction.
	cfg   Config
	self  id.GWID
	inbox chan func() // full: whoever asks waits, and from a linked host nothing more is taken
	kept  chan error  // of one: there is one commit at a time
	tells chan room.SetEvent
	halt  chan struct{} // closed when Shutdown begins
	over  chan struct{} // closed when run has ended
	// Set by Start.
	tell func(ctx context.Context, e room.SetEvent) error

	running  sync.WaitGroup // run, and who tells rooms
	errands  sync.WaitGroup // goroutines for what the machine has said
	stopping sync.Once
	fetching *fetching
	sweeping sweeping
	damaged  atomic.Bool  // what is kept of the objects cannot be read
	wentBack atomic.Int64 // when it was noticed last that the folder went back, in milliseconds; 0: never
	machine               // Owned by run.
}

// Bounds of what waits.
const (
	maxInbox = 1024
	maxTells = 1024
)

// Damaged reports whether what is kept of the objects of this server cannot be read: nothing moves then between servers.
func (w *World) Damaged() bool { return w.damaged.Load() }

// New opens the objects of a host as they are kept. Nothing happens before Start.
func New(ctx context.Context, cfg Config) (*World, error) {
	w := &World{
		cfg: cfg, self: cfg.Links.Self(),
		inbox: make(chan func(), maxInbox), // full: senders wait
		kept:  make(chan error, 1),
		tells: make(chan room.SetEvent, maxTells), // full: it is not told; the room finds it out when it asks
		halt:  make(chan struct{}), over: make(chan struct{}),
	}
	w.sweeping.turn = make(chan struct{}, 1)
	w.fetching = newFetching()
	w.reset()
	err := w.open(ctx)
	if trouble := (*room.Trouble)(nil); err != nil && !errors.As(err, &trouble) && !w.Damaged() {
		return nil, err
	}
	return w, nil // without a machine, if nothing can be stored or read: it is opened when that is over
}

// Start begins to work, for rooms that are told of sets by tell.
func (w *World) Start(tell func(ctx context.Context, e room.SetEvent) error) {
	w.tell = tell
	w.running.Go(w.run)
	w.running.Go(w.tellRooms)
}

// Shutdown ends it. What was begun is kept, and what waits is answered ErrClosed. The links are shut down before.
func (w *World) Shutdown(ctx context.Context) error {
	w.stopping.Do(func() { close(w.halt) })
	done := make(chan struct{})
	go func() {
		w.running.Wait()
		w.errands.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stop the objects: %w", ctx.Err())
	}
}

// put lets run call f. It waits when there is too much to do.
func (w *World) put(ctx context.Context, f func()) error {
	select {
	case <-w.halt:
		return ErrClosed
	default:
	}
	select {
	case w.inbox <- f:
		return nil
	case <-w.halt:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errand does what may take a while for something that the machine has said. ctx is done when the world ends.
func (w *World) errand(f func(ctx context.Context)) {
	w.errands.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), errandTimeout)
		defer cancel()
		w.errands.Go(func() {
			select {
			case <-w.halt:
				cancel()
			case <-ctx.Done():
			}
		})
		f(ctx)
	})
}

const errandTimeout = time.Minute

// tellRooms tells rooms of sets, one after the other.
func (w *World) tellRooms() {
	for {
		select {
		case e := <-w.tells:
			if w.tell == nil {
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), tellTimeout)
			if err := w.tell(ctx, e); err != nil {
				w.cfg.Log.Debug("table was not told of a set", "table", e.Table.String(), "set", e.Set.String(), "error", err)
			}
			cancel()
		case <-w.halt:
			return
		}
	}
}

const tellTimeout = 10 * time.Second

// behaviour returns what objects of a class do here.
func (w *World) behaviour(c object.Class) object.Behaviour { return behaviour.Of(c, w.self) }
