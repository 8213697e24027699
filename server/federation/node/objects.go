// Package node runs the state machine of the objects of this host (docs/protocol/object.md). One
// goroutine owns the machine. It gives the machine the requests of rooms, operators and linked
// hosts, with the time and random bytes. It stores what the machine writes, and only then sends its
// messages and answers. For rooms the package is the owner of sets. It also fetches the kinds and
// pictures of sets from other hosts.
//
// The package does not decide what an object does when it is called: package behaviour does. It
// does not carry messages: package peer does.
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
	"holt/server/play/game"
	"holt/server/tables/room"
)

// Errors of the methods of Objects.
var (
	// ErrClosed says that the world is shut down.
	ErrClosed = errors.New("the server is stopping")
	// ErrStorage says that a request could not be stored. It is not known whether it was.
	ErrStorage = errors.New("the objects of this server cannot be kept")
)

// Store stores what the machine writes. Its methods are safe for concurrent use.
type Store interface {
	// ObjectValue returns a value, or nil.
	ObjectValue(ctx context.Context, space object.Space, oid id.OID) ([]byte, error)
	// ObjectValues returns up to limit values behind an object, in ascending order.
	ObjectValues(
		ctx context.Context, space object.Space, behind id.OID, limit int,
	) ([]object.Write, error)
	// ObjectsMade counts the values of objects that a host has made, and their bytes.
	ObjectsMade(
		ctx context.Context, space object.Space, host id.HostID,
	) (count int, bytes int64, err error)
	// KeepObjects writes everything or nothing. When it returns without an error, the writes are
	// durable.
	KeepObjects(ctx context.Context, writes []object.Write, blobs []room.Blob) error
	// ObjectsRestored reports whether the store is a backup with which no machine has begun yet.
	ObjectsRestored(ctx context.Context) (bool, error)
	// BeginObjects is KeepObjects, and ends the restore.
	BeginObjects(ctx context.Context, writes []object.Write) error
	// Blob returns content by its hash. The error is room.ErrNoBlob if there is none.
	Blob(ctx context.Context, hash room.Hash) (room.Blob, error)
	// SweepBlobs deletes the blobs to which neither a catalogue of a table refers nor anything that
	// refs knows. It keeps blobs that are stored or referred to meanwhile. It must not be called
	// again before it has returned.
	SweepBlobs(ctx context.Context, refs BlobRefs) (Swept, error)
}

// Config is what Objects needs. Person may be nil.
type Config struct {
	Store  Store
	Links  *peer.Links
	Now    func() id.Millis
	Random io.Reader // of cryptographic quality
	Log    *slog.Logger
	// Quarantine is the folder for orphans and superseded copies (O28, O41). It is made when it is
	// needed.
	Quarantine string
	// Person returns the person who sits at a seat, zero if that is not known. If it is nil,
	// Objects does not check to whom a set belongs (T41).
	Person func(ctx context.Context, s room.Session) id.OID
	// Lazy is after how many calls in a row from one host a set moves to its table there (O13). 0
	// means 8.
	Lazy int
	// Shelf has the games of this host, of which sets are made. Nil: none.
	Shelf *game.Shelf
	// Cache is how many objects the machine keeps in memory. 0 means the machine's default.
	Cache int
}

// Objects owns the objects of this host. Its methods are safe for concurrent use.
type Objects struct {
	// Set at construction.
	cfg  Config
	self id.HostID
	// Full: callers wait, and the links take nothing more from a linked host.
	inbox     chan func()
	kept      chan error // capacity 1: there is one commit at a time
	setEvents chan room.SetEvent
	halt      chan struct{} // closed when Shutdown begins
	over      chan struct{} // closed when run has ended
	// Set by Start.
	notifyRoom func(ctx context.Context, e room.SetEvent) error

	running  sync.WaitGroup // run, and the goroutine that sends events to rooms
	errands  sync.WaitGroup // goroutines for what the machine has said
	stopping sync.Once
	fetching *fetching
	newer    *newerKinds
	shelves  peer.Questions // for the games of linked hosts (O54)
	sweeping sweeping
	damaged  atomic.Bool // the stored objects cannot be read
	// When it was last noticed that the folder went back, in milliseconds; 0: never.
	wentBack atomic.Int64
	runState // Owned by run.
}

// Bounds of the queues.
const (
	maxInbox     = 1024
	maxSetEvents = 1024
)

// Damaged reports whether the stored objects of this server cannot be read. Then nothing moves
// between servers.
func (w *Objects) Damaged() bool { return w.damaged.Load() }

// New opens the stored objects of a host. Nothing happens before Start. If the store cannot be read
// or written at the moment, New returns Objects without a machine, which opens the machine later.
func New(ctx context.Context, cfg Config) (*Objects, error) {
	w := &Objects{
		cfg: cfg, self: cfg.Links.Self(),
		inbox: make(chan func(), maxInbox), // full: senders wait
		kept:  make(chan error, 1),
		// Full: the event is dropped. The room learns of it when it asks.
		setEvents: make(chan room.SetEvent, maxSetEvents),
		halt:      make(chan struct{}), over: make(chan struct{}),
	}
	w.sweeping.turn = make(chan struct{}, 1)
	w.fetching, w.newer = newFetching(), newNewerKinds(cfg.Shelf)
	w.up, w.lost = map[id.HostID]bool{}, map[id.OID]bool{}
	w.reset()
	err := w.open(ctx)
	if trouble := (*room.Trouble)(nil); err != nil && !errors.As(err, &trouble) && !w.Damaged() {
		return nil, err
	}
	return w, nil // perhaps without a machine
}

// Start begins to work. tell sends an event about a set to the room of its table.
func (w *Objects) Start(tell func(ctx context.Context, e room.SetEvent) error) {
	w.notifyRoom = tell
	w.running.Go(w.run)
	w.running.Go(w.notifyRooms)
	w.errand(func(ctx context.Context) {
		defer close(w.newer.ready)
		if err := w.recordKinds(ctx); err != nil && ctx.Err() == nil {
			w.cfg.Log.Warn("the versions of the games' kinds are not recorded", "error", err)
		}
	})
}

// Shutdown ends the world. What was begun is stored, and requests that wait get ErrClosed. The
// links must be shut down before. The error says that ctx ended first.
func (w *Objects) Shutdown(ctx context.Context) error {
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

// put has run call f. It waits while the inbox is full.
func (w *Objects) put(ctx context.Context, f func()) error {
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

// errand runs f, which may take a while, in a goroutine of its own. ctx ends with the world, and
// after errandTimeout.
func (w *Objects) errand(f func(ctx context.Context)) {
	w.errands.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), errandTimeout)
		defer cancel()
		w.cancelAtHalt(ctx, cancel)
		f(ctx)
	})
}

// cancelAtHalt calls cancel, which ends ctx, when the world ends.
func (w *Objects) cancelAtHalt(ctx context.Context, cancel func()) {
	w.errands.Go(func() {
		select {
		case <-w.halt:
			cancel()
		case <-ctx.Done():
		}
	})
}

const errandTimeout = time.Minute

// notifyRooms sends events about sets to rooms, one after the other.
func (w *Objects) notifyRooms() {
	for {
		select {
		case e := <-w.setEvents:
			if w.notifyRoom == nil {
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), notifyTimeout)
			if err := w.notifyRoom(ctx, e); err != nil {
				w.cfg.Log.Debug(
					"table was not told of a set", "table", e.Table,
					"set", e.Set, "error", err,
				)
			}
			cancel()
		case <-w.halt:
			return
		}
	}
}

const notifyTimeout = 10 * time.Second

// behaviour returns the Behaviour of a class.
func (w *Objects) behaviour(c object.Class) object.Behaviour { return behaviour.Of(c, w.self) }
