package room

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// work is what one commit makes durable, and what is published then.
type work struct {
	entries      []table.Entry
	items        []item        // in the order in which they happened
	forEverybody bool          // everybody gets something of it; set when it is ready
	after        []func(error) // called when the commit has succeeded or failed
	seats        []SeatRow
	voided       []id.Seat
	invites      *NewInvites

	saves   []NewSave  // save points
	unsaved []uint32   // those that are deleted
	epoch   *id.Epoch  // from now on; nil: it stays
	open    []OpenItem // what has changed of what is open

	settings *Settings // from now on; nil: they stay
	password *string   // as that of Append
	catalog  *Hash     // from now on; nil: it stays
	blobs    []Blob

	supplement *Hash // from now on; nil: it stays

	motion *RecordedMotion // nil: none
	// The lines of the chat that the entries delete, with the positions of their entries; and the
	// time before which texts are deleted (0: none is).
	unsaid     map[id.ChatLine]Position
	saidBefore id.Millis

	erasing []Erasing // as those of Append

	estimatedBytes int64 // bytes that it logs, estimated
	logged         int64 // bytes that it has logged; set when it has been stored
}

// item is something to be sent: an entry to every view that is shown it, a shuffle to those who see
// its pieces, an event to one client or to all, or a full state to a stream that is not
// synchronised.
type item struct {
	entry int // index into work.entries; -1 if none
	// folded says that a later entry stands for this one, too (S10).
	folded bool
	// A shuffle is the entries from first on, shuffled of them; 0 if none.
	first, shuffled int
	// The only client that gets event or full, and the only one that does not get a shuffle; zero:
	// all.
	to    id.Client
	event *holtpb.Event // nil if none
	full  *attached     // the stream that gets frame
	frame []byte
}

// concerns returns the entries that an item publishes.
func (it *item) concerns(w *work) []table.Entry {
	switch {
	case it.shuffled > 0:
		return w.entries[it.first : it.first+it.shuffled]
	case it.entry >= 0:
		return w.entries[it.entry : it.entry+1]
	default:
		return nil
	}
}

// record queues what one update has recorded.
func (w *work) record(entries []table.Entry) {
	shuffle := item{entry: -1}
	w.items = slices.Grow(w.items, len(entries))
	first := len(w.entries)
	if first == 0 && cap(entries) > table.RoomKept { // they need not be copied
		w.entries = entries
	} else {
		w.entries = append(w.entries, entries...)
	}
	for i := range entries {
		e := &w.entries[first+i]
		w.items = append(w.items, item{entry: first + i})
		if e.Op != table.OpShuffle {
			continue
		}
		if shuffle.shuffled++; shuffle.shuffled == 1 {
			shuffle.first = first + i
		}
		// The last one acknowledges the update. For pieces in a container it is a notice, which
		// says all (T31).
		if e.Client != (id.Client{}) && !e.Notice {
			shuffle.to = e.Client
			w.items = append(w.items, shuffle)
		}
	}
}

// queueEvent queues an event for one client, or for all if to is zero.
func (w *work) queueEvent(to id.Client, event *holtpb.Event) {
	w.items = append(w.items, item{entry: -1, to: to, event: event})
}

// queueFull queues a full state.
func (w *work) queueFull(a *attached, frame []byte) {
	w.items = append(w.items, item{entry: -1, to: a.id, full: a, frame: frame})
}

// soFar returns what it would publish if nothing more were recorded.
func (w *work) soFar() work {
	n, m := len(w.entries), len(w.items)
	return work{entries: w.entries[:n:n], items: w.items[:m:m]}
}

func (w *work) empty() bool {
	return len(w.items) == 0 && len(w.after) == 0 && !w.changesSaves() && w.supplement == nil
}

// changesSaves reports whether it adds or deletes save points.
func (w *work) changesSaves() bool { return len(w.saves)+len(w.unsaved) > 0 }

func (w *work) answer(err error) {
	for _, f := range w.after {
		f(err)
	}
	w.after = nil
}

// dispatch gives what was recorded to the store, one commit at a time: what comes meanwhile shares
// the next one. Work that needs no commit is ready to be published, unless a commit is in flight
// that it would overtake. What a press has recorded that sets the table up waits for the rewind, so
// that both are one commit (T93).
func (r *room) dispatch() {
	if r.setsUp() {
		return
	}
	motion := r.recorder.isDue() && !r.cannotSave()
	sweep := r.chat.sweepDue() && !r.cannotSave()
	open := len(r.unstored) > 0 && !r.cannotSave()
	if r.committing != nil || r.recorded.empty() && !motion && !sweep && !open || r.broken != nil {
		return
	}
	r.autosave()
	w := r.recorded
	r.recorded = work{}
	if open {
		w.open = r.takeOpen()
	}
	if len(w.entries) == 0 && w.invites == nil && w.password == nil && !motion && !sweep &&
		!w.changesSaves() && len(w.open) == 0 && w.supplement == nil {
		r.publishSoon(&w)
		return
	}
	w.motion = r.recorder.take()
	if sweep {
		r.chat.swept, w.saidBefore = time.Now(), r.chat.forgottenBefore(r.now())
	}
	r.committing, r.used = &w, true
	r.snapshots.since += len(w.entries) + sizeOf(w.entries)>>10
	go r.store(&w, r.position, r.space.logged, r.dueImage())
}

// store makes w durable and reports that to run. At most two such goroutines run besides run: this
// one, and the one before it if that still stores a snapshot. run waits for both.
func (r *room) store(w *work, at Position, logged int64, image *table.Image) {
	at, err := r.append(w, at)
	logged += w.logged
	r.done <- err
	if image != nil {
		r.snapshots.stored <- err == nil && r.save(image, at, logged)
	}
}

// append makes w durable and returns the length of the log after it.
func (r *room) append(w *work, at Position) (Position, error) {
	a := Append{
		Table: r.row.Table, Expect: at, Voided: w.voided, Seats: w.seats,
		Invites: w.invites, Settings: w.settings, Password: w.password, Catalog: w.catalog,
		Supplement: w.supplement, Blobs: w.blobs,
		Motion: w.motion, SaidBefore: w.saidBefore,
		Saves: w.saves, Unsaved: w.unsaved, Epoch: w.epoch, Erasing: w.erasing, Open: w.open,
	}
	w.chatTexts(&a, at)
	for i := range w.entries {
		b, err := wire.EncodeEntry(&w.entries[i])
		if err != nil {
			return at, fmt.Errorf("%w: %w", errUnencodable, err)
		}
		a.Entries = append(a.Entries, b)
		w.logged += int64(len(b)) + EntryCost
	}
	ctx, cancel := storeContext()
	defer cancel()
	return at + Position(len(a.Entries)), r.cfg.Store.Append(ctx, a)
}

// storeTimeout bounds a call of the store. A store that does not answer has failed.
const storeTimeout = 30 * time.Second

func storeContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), storeTimeout)
}

var errUnencodable = errors.New("entry cannot be encoded")

// committed ends the commit in flight. On success its work may be published and acknowledged (T10);
// on failure the room ends.
func (r *room) committed(err error) {
	w := r.committing
	r.committing = nil
	if err != nil {
		r.broken = err
		// Whatever the store says, even if it took too long: to the callers the storage has failed.
		w.answer(inStorage(err))
		return
	}
	r.position += Position(len(w.entries))
	r.space.logged += w.logged
	if before := w.saidBefore; before != 0 {
		r.forgetTexts(func(e *table.Entry) bool { return e.At < before })
	}
	for _, of := range w.erasing {
		r.forgetTexts(func(e *table.Entry) bool { return e.Chat.By == of.Seat })
	}
	r.space.pending -= w.estimatedBytes
	r.watchSpace()
	r.publishSoon(w)
}
