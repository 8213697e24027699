package room

import (
	"context"
	"log/slog"
	mathrand "math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// room is one table with those who use it. One goroutine, run, owns it; others reach it through do.
type room struct {
	// Set at construction.
	cfg     Config
	row     TableRow
	life    Life // of the server; zero: not stored
	renewed bool // the epoch is of this life
	log     *slog.Logger
	inbox   chan func()   // when full, senders wait up to busyAfter, then give up (ErrBusy)
	stop    chan struct{} // closed by halt
	halt    func()        // tells run to drain and end; the second and later calls do nothing
	gone    chan struct{} // closed when run has ended
	done    chan error    // results of commits; capacity 1, one commit is in flight
	saved   chan bool     // whether a snapshot has been stored; capacity 1, one is on its way
	ahead   id.Millis     // of the machine's clock, if that was set back since the table was used last (K1)
	lanes   *lanes
	calling sync.WaitGroup // calls that are on their way; whoever has called run waits for them

	// Owned by run; ending is read by others once gone is closed.
	table   *table.Table
	kinds   []game.Kind // of its catalogue
	parts   *parts      // its components
	looks   looks
	budgets budgets
	rand    *mathrand.Rand // for delays
	chances *chances
	mixing  *time.Timer // fires when a mix has waited for long enough
	looking *time.Timer // fires when sealed rounds are to be looked at; seeking says that it will
	seeking bool
	at      Position      // durable length of the log
	shown   id.Generation // latest generation that has been told
	history *recent       // what has been told, the last of it

	space space // how full the log is

	since    int     // entries, and KiB of components, since the last attempt at a snapshot
	saving   bool    // a snapshot is on its way to the store
	unsaved  bool    // the last one could not be stored
	held     tallied // how many lie in hands and containers, as has been told
	clients  map[id.Client]*attached
	opened   uint64                // streams, so far
	online   map[id.Seat]int       // open streams of each seat
	aways    map[id.Seat]int       // those of them that say to be away
	lost     map[id.Seat]time.Time // when the last stream of a seat broke
	vacant   map[id.Seat]time.Time // when a seat was taken, or a stream of it ended last, since the table is in memory
	grips    map[id.Piece]*grip    // the pieces that are held
	moving   map[id.Piece]*path    // where those that are moved are seen
	pointers map[id.Seat]*path     // where seats point
	moved    id.Millis             // of the last frame that told everybody of any of these
	movedFor map[id.Seat]id.Millis // of the last one that told a seat of what others are not told of; only what is not before moved
	next     work                  // recorded, not yet on its way to the store
	inflight *work                 // on its way to the store; nil if nothing is
	ready    work                  // durable, not yet told
	begun    time.Time             // from when on the ticks of the clock are counted
	flushed  time.Time             // when everybody was told something last
	ticking  ticking               // tick will fire, and what is ready is told then
	tick     *time.Timer
	alarm    *time.Timer // fires when somebody has been away for too long
	broken   error       // why the room ends before its time
	ending   error       // what callers are told once gone is closed
	idle     *time.Timer
	lines    map[id.OID]*line // what is to be asked about sets
	calls    int              // that wait or are on their way
	used     bool             // since it was noted last
	dropping []dropping       // its history is to be dropped
	renewals []chan<- error   // who has shown that the table needs another epoch
	throwing *throwing        // it is to be thrown away; nil if not
	versions map[Hash]uint32  // the kinds by their versions; nil if that is not known yet
	states   int              // that were made for streams since the room paused
	due      time.Time        // when again fires, if somebody waits
	waiting  []*attached      // who need the full state and must wait; again fires when the first need not
	again    *time.Timer

	latest atomic.Int64 // the last time that now has returned
}

// attached is a client with an open stream.
type attached struct {
	id      id.Client
	seat    id.Seat
	stream  *stream.Client
	release func()
	order   uint64 // of the streams of the room, as they were opened

	attempt uint64
	still   bool        // it is not told of motion
	asking  atomic.Bool // the client has asked for the full state, and it has not been made
	ups     allowance   // messages. Owned by the carrier's reader.

	// Owned by run.
	resynced time.Time // when it was, because the client had asked
	behind   bool      // it has fallen behind, and waits for a full state
	away     bool
	motions  allowance // points of pieces
	points   allowance // of the cursor
}

// newRoom returns the room of a table that was loaded.
func newRoom(cfg Config, l Loaded, o opened, spent *spending) (*room, error) {
	t, c := o.table, o.chances
	rnd, err := seeded(cfg.Random)
	if err != nil {
		return nil, err
	}
	stop := make(chan struct{})
	r := &room{
		lanes: newLanes(), cfg: cfg, row: l.Row, life: l.Life, renewed: l.Renewed, log: cfg.Log.With("table", l.Row.Table.String()),
		inbox: make(chan func(), inboxLength), stop: stop, halt: sync.OnceFunc(func() { close(stop) }), gone: make(chan struct{}), done: make(chan error, 1), saved: make(chan bool, 1),
		table: t, kinds: o.kinds, parts: o.parts, rand: rnd, chances: c, mixing: time.NewTimer(0), looking: time.NewTimer(0), at: l.At + Position(len(l.Entries)), shown: t.Gen(), since: len(l.Entries) + sizeOf(o.told)>>10,
		clients: map[id.Client]*attached{}, online: map[id.Seat]int{}, aways: map[id.Seat]int{}, lost: map[id.Seat]time.Time{}, vacant: map[id.Seat]time.Time{},
		held: newTallied(t), grips: map[id.Piece]*grip{}, moving: map[id.Piece]*path{}, pointers: map[id.Seat]*path{}, movedFor: map[id.Seat]id.Millis{}, begun: time.Now(), history: newRecent(t, o.told), ending: ErrStorage,
		budgets: budgets{seats: map[id.Seat]*purse{}}, lines: map[id.OID]*line{}, tick: time.NewTimer(0), alarm: time.NewTimer(0), ahead: max(t.At()-cfg.Now(), 0),
	}
	r.space = newSpace(cfg.Quota, cfg.InviteKey, &l.Row, l.Logged+bytesOf(l.Entries), spent)
	r.latest.Store(int64(t.At()))
	r.tick.Stop()
	r.alarm.Stop()
	r.mixing.Stop()
	r.looking.Stop()
	if _, shares := c.state.Phase(); shares > 0 { // it was under way when the table was used last
		r.mixing.Reset(revealFor)
	}
	if c.stale() && !r.halted() {
		if _, err := r.openRound(); err != nil {
			return nil, err
		}
	}
	r.lookSoon() // what has become due may not have been told
	r.regrip()
	r.recall()
	return r, nil
}

// do lets run call f. It returns when f has been queued, or an error if it will not be called.
func (r *room) do(ctx context.Context, f func()) error {
	select {
	case r.inbox <- f:
		return nil
	case <-r.gone:
		return r.ending
	default:
	}
	full := time.NewTimer(busyAfter)
	defer full.Stop()
	select {
	case r.inbox <- f:
		return nil
	case <-r.gone:
		return r.ending
	case <-full.C:
		return ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

// await returns the answer to a batch.
func (r *room) await(ctx context.Context, answer <-chan error) error {
	select {
	case err := <-answer:
		return err
	case <-r.gone:
		// The room answers everything that it has taken before it ends.
		select {
		case err := <-answer:
			return err
		default:
			return r.ending
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run owns the room until nobody needs it (retire agrees), it is stopped, or the store fails.
func (r *room) run(retire func() bool) {
	defer close(r.gone)
	r.idle = time.NewTimer(idleAfter)
	defer r.idle.Stop()
	r.again = time.NewTimer(resyncEvery) // nobody waits yet
	defer r.again.Stop()
	defer r.tick.Stop()
	defer r.alarm.Stop()
	defer r.mixing.Stop()
	defer r.looking.Stop()
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	r.dispatch() // what is to be asked since the table is used again
	for {
		r.states = 0
		select {
		case f := <-r.inbox:
			f()
			r.drain()
			r.dispatch()
		case err := <-r.done:
			r.committed(err)
			r.dispatch()
		case ok := <-r.saved:
			r.saving, r.unsaved = false, !ok
		case <-beat.C:
			r.beat()
		case <-r.again.C:
			r.serveWaiting()
			r.dispatch()
		case <-r.tick.C:
			r.flush()
		case <-r.alarm.C:
			if r.halted() {
				r.alarm.Reset(saveAgain)
				continue
			}
			r.alarmed()
			r.dispatch()
		case <-r.mixing.C:
			if r.halted() {
				r.mixing.Reset(saveAgain)
				continue
			}
			r.mix()
			r.dispatch()
		case <-r.looking.C:
			if r.halted() {
				r.looking.Reset(saveAgain)
				continue
			}
			r.seeking = false
			r.tellSeeds()
			r.dispatch()
		case <-r.idle.C:
			r.touch()
			if r.inflight == nil && r.calls == 0 && len(r.clients) == 0 && !r.misses() && retire() {
				r.drain()
				r.settle()
				r.saveLast()
				return
			}
			r.idle.Reset(idleAfter)
		case <-r.stop:
			r.ending = ErrStopping
			r.shutdown()
			return
		}
		if len(r.dropping) > 0 && r.broken == nil {
			r.dropHistory()
		}
		if r.throwing != nil && r.broken == nil && r.throwAway() {
			return
		}
		if len(r.renewals) > 0 && r.broken == nil {
			if r.renew(); r.broken == nil {
				return
			}
		}
		if r.broken != nil {
			r.fail()
			return
		}
	}
}

// beatEvery is how often a client hears something, if only the time (S6): browsers do not show WebSocket
// pings to scripts, and a client must be able to notice that its line is dead.
const beatEvery = 15 * time.Second

// beat sends an empty frame to every stream that is whole.
func (r *room) beat() {
	r.touch()
	r.looks.forget()
	now := r.now()
	for _, a := range r.clients {
		a.stream.Push(wire.AppendHead(nil, max(now, r.movedFor[a.seat]), r.table.MarkAt(a.seat, r.shown)))
	}
}

// drain takes what waits in the inbox, so that it shares one commit.
func (r *room) drain() {
	for range inboxLength {
		select {
		case f := <-r.inbox:
			f()
		default:
			return
		}
	}
}

// update judges a batch; oids are as many as its updates. answer gets nil when what was recorded is durable.
func (r *room) update(s Session, b wire.Batch, oids []id.OID, answer chan<- error) {
	if r.turnAway(s, answer) {
		return
	}
	if b.Epoch != r.row.Epoch {
		answer <- ErrEpoch
		return
	}
	if owner := r.owner(b.Client); owner != 0 && owner != s.Seat {
		answer <- ErrClient
		return
	}
	if bogus := r.table.Check(b.Client, s.Seat, b.Updates); bogus != nil {
		answer <- bogus
		return
	}
	if err := r.budgets.admit(s.Seat, r.table.Weigh(s.Seat, b.Updates, MaxUnits).Units()); err != nil {
		answer <- err
		return
	}
	if r.chances.stale() { // nothing could be recorded when the table was loaded
		if _, err := r.openRound(); err != nil {
			answer <- err
			return
		}
	}
	r.pays(s.Seat, func() { r.judge(s, b, oids) })
	r.next.answers = append(r.next.answers, answer)
}

// judge lets the table judge the updates of a batch.
func (r *room) judge(s Session, b wire.Batch, oids []id.OID) {
	by := table.By{Client: b.Client, Seat: s.Seat, Role: s.Role}
	now := r.now()
	for i, oid := range oids {
		before := r.next.weight
		out := r.draw(by, &b.Updates[i], table.Inputs{Now: now, OID: oid, Refused: r.refusal(s.Seat, &b.Updates[i])})
		switch out.Verdict {
		case table.Rejected:
			r.budgets.cost.Entries += unitsOfReject
			r.next.tell(b.Client, wire.RejectEvent(&out.Reject))
		case table.Repeated:
			r.next.tell(b.Client, wire.RepeatEvent(out.Ack))
		case table.Deferred:
			if out.Ask != nil {
				r.ask(&asking{by: by, u: b.Updates[i], ask: out.Ask, done: func(out *table.Outcome) { r.answer(b.Client, out) }})
			}
		case table.Recorded, table.Discarded:
		}
		r.record() // a reject, too, may be followed by an entry (T14)
		r.charge(s.Seat, before)
	}
}

// answer tells a client what became of an update that had to wait.
func (r *room) answer(c id.Client, out *table.Outcome) {
	if out.Verdict == table.Rejected {
		r.next.tell(c, wire.RejectEvent(&out.Reject))
	}
}

// owner returns the seat that a client id belongs to, 0 if to none.
func (r *room) owner(c id.Client) id.Seat {
	if isAsking(c) {
		return nobody
	}
	if a := r.clients[c]; a != nil {
		return a.seat
	}
	return r.table.SeatOf(c)
}

// read answers with the full state, once what is in it is durable. The error is a TooFast; then it does not answer.
func (r *room) read(s Session, answer chan<- []byte) error {
	units := r.unitsOfState(s.Seat)
	if err := r.budgets.admit(s.Seat, units); err != nil {
		return err
	}
	r.budgets.spend(s.Seat, units)
	f, err := r.full(s.Seat, id.Client{}, nil)
	if err != nil {
		return err
	}
	r.next.after = append(r.next.after, func(err error) {
		if err == nil {
			answer <- f
		}
	})
	return nil
}

func (r *room) info() *holtpb.TableInfo {
	return &holtpb.TableInfo{
		Title: r.row.Title, Width: uint32(r.row.Width), Height: uint32(r.row.Height), //nolint:gosec // game checks them
		Surface: r.row.Surface, Catalog: r.row.Catalog[:],
	}
}

// fail ends a room whose store has failed: what was not stored is answered so, the streams are closed
// with an honest word, and memory is given up. Whoever comes next finds what is durable.
func (r *room) fail() {
	r.log.Error("table stopped", "error", r.broken)
	r.next.answer(ErrStorage)
	if r.throwing != nil {
		for _, a := range r.throwing.answers {
			a <- ErrStorage
		}
	}
	for _, d := range r.dropping {
		d.answer <- ErrStorage
	}
	for _, a := range r.clients {
		a.stream.Close(r.lastWord(a), stream.CodeInternal, "the server could not store the last moves")
	}
	r.waitStreams()
	r.waitSaved()
}

// stopWait is how long a room that ends waits for its streams to take what is queued.
const stopWait = 2 * time.Second

// shutdown drains the room (S2): what is recorded becomes durable and is shown, then every client is told
// to come back.
func (r *room) shutdown() {
	r.drain()
	r.settle()
	r.settleCalls()
	if r.broken != nil {
		r.fail()
		return
	}
	r.flush()
	for _, a := range r.clients {
		after := id.Millis(500 + r.rand.IntN(1500)) // spread out, so that they do not all come back at once (S16)
		last, err := wire.AppendEvent(wire.AppendHead(nil, r.nowFor(a.seat), r.table.MarkAt(a.seat, r.shown)), wire.GoingEvent(after, false))
		if err != nil {
			r.log.Error("frame not encoded", "error", err)
		}
		a.stream.Close(last, stream.CodeGoingAway, "the server is stopping")
	}
	r.waitStreams()
	r.touch()
	r.saveLast()
}

// settle waits until nothing is on its way to the store.
func (r *room) settle() {
	r.dispatch()
	for r.inflight != nil && r.broken == nil {
		r.committed(<-r.done)
		r.dispatch()
	}
}

// waitStreams waits for all streams to end; those that do not in time are cut. What comes into the inbox
// meanwhile is dropped: its senders see that the room is gone.
func (r *room) waitStreams() {
	timeout := time.NewTimer(stopWait)
	defer timeout.Stop()
	cut := false
	for _, a := range r.clients {
		for ended := false; !ended; {
			if cut {
				a.stream.Abort(stream.CodeGoingAway, "the server is stopping")
			}
			select {
			case <-a.stream.Done():
				ended = true
			case <-r.inbox:
			case <-timeout.C:
				cut = true
			}
		}
		a.release()
	}
	clear(r.clients)
}
