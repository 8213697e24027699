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

// room is one table with everybody who uses it. One goroutine, run, owns it; others reach it
// through do. Fields that belong together form a type of their own, which owns them and returns
// what is to be published or recorded.
type room struct {
	// Set at construction.
	cfg        Config
	row        TableRow
	serverLife ServerLife // the server life; zero: not stored
	epochIsNew bool       // the epoch was drawn in this server life
	log        *slog.Logger
	inbox      chan func()   // when full, senders wait up to busyAfter, then give up (ErrBusy)
	stop       chan struct{} // closed by halt
	halt       func()        // makes run drain and end; the second and later calls do nothing
	gone       chan struct{} // closed when run has ended
	done       chan error    // results of commits; capacity 1, one commit is in flight
	// How far the table's time is ahead of the machine's clock, if that was set back since the
	// table was last used (K1).
	ahead        id.Millis
	begun        time.Time
	admissions   *admissions
	leave        func()         // lets the next caller load the table again; any goroutine
	callsRunning sync.WaitGroup // calls under way; the caller of run waits for them
	latest       atomic.Int64   // the last time that now returned; any goroutine

	// Owned by run. Others read ending once gone is closed.
	table      *table.Table
	kinds      []game.Kind      // of its catalogue
	rest       game.CatalogRest // of its catalogue
	versions   map[Hash]uint32  // the kinds by their versions; nil until they are computed
	supplement *game.Supplement // what row.Supplement names; nil: it was not needed yet
	components *components      // its components
	randomness *randomness      // its randomness
	chat       chat             // its chat
	rand       *mathrand.Rand   // for delays
	budgets    budgets
	space      space // how full the log is
	timers     timers

	// From the log to the views: a recorded entry goes through next, inflight and ready.
	recorded     work  // recorded, not yet on its way to the store
	committing   *work // on its way to the store; nil if nothing is
	durable      work  // durable, not yet published
	position     Position
	publishedGen id.Generation // the latest published entry
	history      *recent       // the entries published last
	counts       pieceCounts   // how many pieces lie in hands and containers, as published
	tickState    tickState
	snapshots    snapshots

	// Everybody with a stream.
	clients     map[id.Client]*attached
	opened      uint64 // how many streams were opened so far
	seatStreams seatStreams
	grabs       grabs
	motions     motions
	recorder    recorder
	pieceCache  pieceCache
	states      stateQueue

	round      *round     // nil: none is open
	lastRound  uint32     // the last number of a round
	unstored   []OpenKind // what is open and has changed since it was stored
	undo       undoing    // what is asked and was done about undoing
	succession succession
	roles      map[id.Seat]table.Role // of all seats, as adoptRoles last knew them
	// How many commits that withdraw the tokens of a seat are not durable yet.
	withdrawing map[id.Seat]int
	access      access // who may come and who may move

	saves     saves // its save points
	rewinds   []rewindRequest
	rewinding bool // a rewind is being recorded

	owners    owners // calls about guest sets
	revealing bool   // the reveal timer is set

	// How it ends.
	used   bool  // the table was used since Touch last stored that
	broken error // why it ends early
	ending error // what callers get once gone is closed
	// Requests to drop the history, to delete the table, and those that showed that the table needs
	// another epoch.
	dropRequests, deleteRequests, epochRequests requests
}

// attached is a client with an open stream.
type attached struct {
	id      id.Client
	seat    id.Seat
	stream  *stream.Stream
	release func()
	order   uint64 // its place among the streams of the room, as they were opened

	attempt       uint64
	withoutMotion bool // it gets no motion
	// Takes batches that come on the stream; nil: none may come (D39).
	updates func(m *holtpb.Updates, answer func(*holtpb.Event))
	foreign bool // it gets foreign components, if its role may read them
	role    table.Role
	// The client has asked for a full state that the room has not made yet.
	fullRequested atomic.Bool
	// Messages, and those of them that are batches. Owned by the carrier's reader.
	ups, batches allowance

	// Owned by run.
	resynced   time.Time // when it last got the full state that it had asked for
	overflowed bool      // its outbox overflowed, and it waits for a full state
	away       bool
	motions    allowance // points of pieces
	points     allowance // points of the cursor
}

// newRoom returns the room of a table that was loaded.
func newRoom(cfg Config, l Loaded, o rebuilt, spent *tableSpending) (*room, error) {
	t, c := o.table, o.randomness
	rnd, err := seeded(cfg.Random)
	if err != nil {
		return nil, err
	}
	stop := make(chan struct{})
	r := &room{
		cfg: cfg, row: l.Row, serverLife: l.Life, epochIsNew: l.EpochIsNew,
		log:   cfg.Log.With("table", l.Row.Table.String()),
		inbox: make(chan func(), inboxLength), stop: stop,
		halt: sync.OnceFunc(func() { close(stop) }),
		gone: make(chan struct{}), done: make(chan error, 1),
		ahead: max(t.At()-cfg.Now(), 0), begun: time.Now(),
		admissions: newAdmissions(), table: t, kinds: o.kinds, rest: o.rest,
		components: o.components, randomness: c,
		rand:    rnd,
		budgets: budgets{seats: map[id.Seat]*budget{}}, timers: newTimers(),
		position: l.At + Position(len(l.Entries)), publishedGen: t.Gen(),
		history: newRecent(t, o.tail), counts: newPieceCounts(t),
		snapshots: newSnapshots(len(l.Entries) + sizeOf(o.tail)>>10),
		clients:   map[id.Client]*attached{}, seatStreams: newSeatStreams(),
		grabs: newGrabs(t, t.Gen()),
		saves: newSaves(l.Saves, o.moves),
		undo:  undoing{tokens: map[id.Seat][]undoToken{}},

		succession:  succession{votes: map[id.Seat]id.Seat{}},
		withdrawing: map[id.Seat]int{},
		motions:     newMotions(), owners: owners{queues: map[id.OID]*callQueue{}}, ending: ErrStorage,
	}
	r.space = newSpace(cfg.Quota, cfg.InviteKey, &l.Row, l.Logged+bytesOf(l.Entries), spent)
	r.latest.Store(int64(t.At()))
	r.recorder.load(o.components, r.now())
	t.SetRecall(o.components.playersRecall())
	r.adoptChatRules()
	r.undo.consent = o.components.undoConsent()
	r.roles = map[id.Seat]table.Role{}
	for i := range t.Seats() {
		r.roles[t.Seats()[i].Seat] = t.Seats()[i].Role
	}
	r.access = o.components.access()
	r.resumeQuestion(bodyOf(l.Open, OpenQuestion))
	r.resumeRound(bodyOf(l.Open, OpenRound))
	// A mix was under way when the table was last used.
	if _, shares := c.state.Phase(); shares > 0 {
		r.timers.mix.Reset(revealFor)
	}
	if c.stale() && !r.cannotSave() {
		if _, err := r.openRound(); err != nil {
			return nil, err
		}
	}
	r.addSetUp(o.setUp)
	r.setReveal() // a reveal that became due may not have been published
	r.setAbsence()
	r.checkSuccession()
	r.resumeOwnerCalls()
	return r, nil
}

// enqueue lets run call f. It returns when f is queued, or an error if run will not call f.
func (r *room) enqueue(ctx context.Context, f func()) error {
	return offer(ctx, r, r.inbox, f, busyAfter)
}

// run owns the room until nobody needs it (retire agrees), somebody stops it, or the store fails.
func (r *room) run(retire func() bool) {
	defer close(r.gone)
	defer r.timers.stop()
	r.timers.idle.Reset(idleAfter)
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	r.dispatch() // calls that have to be made because the table is in use again
	for {
		r.states.begin()
		select {
		case f := <-r.inbox:
			f()
			r.drain()
			r.dispatch()
		case err := <-r.done:
			r.committed(err)
			r.dispatch()
		case ok := <-r.snapshots.stored:
			r.snapshots.ended(ok)
		case <-beat.C:
			r.beat()
			r.dispatch()
		case <-r.timers.state.C:
			r.serveWaiting()
			r.dispatch()
		case <-r.timers.tick.C:
			r.flush()
			r.dispatch()
		case <-r.timers.absence.C:
			r.unlessHalted(r.timers.absence, r.endAbsences)
		case <-r.timers.mix.C:
			r.unlessHalted(r.timers.mix, r.mix)
		case <-r.timers.reveal.C:
			r.unlessHalted(r.timers.reveal, func() {
				r.revealing = false
				r.revealSeeds()
			})
		case <-r.timers.question.C:
			r.questionOver()
			r.dispatch()
		case <-r.timers.host.C:
			r.checkSuccession()
			r.dispatch()
		case <-r.timers.idle.C:
			r.touch()
			if r.retires(retire) {
				r.drain()
				r.settle()
				r.saveLast()
				return
			}
			r.timers.idle.Reset(idleAfter)
		case <-r.stop:
			r.ending = ErrStopping
			r.shutdown()
			return
		}
		if r.setsUp() && r.broken == nil && r.rewind() {
			return
		}
		if len(r.dropRequests) > 0 && r.broken == nil {
			r.dropHistory()
		}
		if len(r.deleteRequests) > 0 && r.broken == nil && r.deleteTable() {
			return
		}
		if len(r.epochRequests) > 0 && r.broken == nil {
			if r.renew(); r.broken == nil {
				return
			}
		}
		for len(r.rewinds) > 0 && r.broken == nil {
			if r.rewind() {
				return
			}
		}
		if r.broken != nil {
			r.fail()
			return
		}
	}
}

// retires reports whether nobody needs the room and retire agrees that it ends.
func (r *room) retires(retire func() bool) bool {
	return r.committing == nil && r.owners.calls == 0 && len(r.clients) == 0 &&
		!r.waitsForSomebody() && retire()
}

// unlessHalted calls the function of a timer. While nothing can be recorded it sets the timer again
// instead.
func (r *room) unlessHalted(t *time.Timer, f func()) {
	if r.cannotSave() {
		t.Reset(saveRetryDelay)
		return
	}
	f()
	r.dispatch()
}

// beatEvery is how often a client gets a frame, even if that has only the time (S6). Browsers do
// not show WebSocket pings to scripts, and a client must be able to notice that its connection is
// dead.
const beatEvery = 15 * time.Second

// beat sends an empty frame to every stream that is synchronised.
func (r *room) beat() {
	r.touch()
	r.pieceCache.forget()
	r.recorder.beat()
	now := r.now()
	for _, a := range r.clients {
		a.stream.Push(wire.AppendHead(nil,
			max(now, r.motions.sentTo[a.seat]), r.table.VersionAt(a.seat, r.publishedGen)))
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

// update judges a batch. There is one oid for each of its updates. After an error nothing of the
// batch was kept.
func (r *room) update(
	s Session, b wire.Batch, oids []id.OID, lines map[id.ChatLine]said,
) error {
	if err := r.checkSender(&s, b.Epoch, b.Client, !onlyChat(b.Updates)); err != nil {
		return err
	}
	if invalid := r.table.Check(b.Client, s.Seat, b.Updates); invalid != nil {
		return invalid
	}
	if err := r.budgets.admit(s.Seat,
		r.table.Weigh(s.Seat, b.Updates, MaxUnits).Units()); err != nil {
		return err
	}
	if r.randomness.stale() { // nothing could be recorded when the table was loaded
		if _, err := r.openRound(); err != nil {
			return err
		}
	}
	r.chargeFor(s.Seat, func() { r.judge(s, b, oids, lines) })
	return nil
}

// checkSender refuses a message of a void session, of another epoch, or of a client of another
// seat, and of who watches if it is for those who play alone. It gives the session the role that
// the seat has now (T66).
func (r *room) checkSender(s *Session, epoch id.Epoch, c id.Client, forPlayers bool) error {
	if !r.isValid(*s) {
		return ErrNoSeat
	}
	who, _ := r.table.Seat(s.Seat)
	s.Role = who.Role // a stream may be older than it
	if forPlayers && !s.Role.Plays() {
		return ErrRole
	}
	if epoch != r.row.Epoch {
		return ErrEpoch
	}
	if owner := r.owner(c); owner != 0 && owner != s.Seat {
		return ErrClient
	}
	return nil
}

// judge lets the table judge the updates of a batch.
func (r *room) judge(
	s Session, b wire.Batch, oids []id.OID, lines map[id.ChatLine]said,
) {
	by := table.By{Client: b.Client, Seat: s.Seat, Role: s.Role}
	now := r.now()
	for i, oid := range oids {
		before := r.recorded.estimatedBytes
		out := r.draw(by, &b.Updates[i],
			table.Inputs{Now: now, OID: oid, Refused: r.refusal(s.Seat, &b.Updates[i]),
				Said: lines[b.Updates[i].Line].chat})
		switch out.Verdict {
		case table.Rejected:
			r.budgets.cost.Entries += unitsPerReject
			r.recorded.queueEvent(b.Client, wire.RejectEvent(&out.Reject))
		case table.Repeated:
			r.recorded.queueEvent(b.Client, wire.RepeatEvent(out.Ack))
		case table.Deferred:
			if out.Ask != nil {
				r.ask(&waitingUpdate{
					by: by, u: b.Updates[i], ask: out.Ask,
					done: func(out *table.Outcome) { r.answer(b.Client, out) },
				})
			}
		case table.Recorded:
			r.recordedChat(s.Seat, &b.Updates[i], lines)
		case table.Discarded:
		}
		r.record() // an entry may follow a reject, too (T14)
		r.charge(s.Seat, before)
	}
}

// answer sends a client the outcome of an update that waited for the owner of a guest set.
func (r *room) answer(c id.Client, out *table.Outcome) {
	if out.Verdict == table.Rejected {
		r.recorded.queueEvent(c, wire.RejectEvent(&out.Reject))
	}
}

// owner returns the seat to which a client id belongs; 0 if to none.
func (r *room) owner(c id.Client) id.Seat {
	if isQuestionClient(c) {
		return unknownSeat
	}
	if a := r.clients[c]; a != nil {
		return a.seat
	}
	return r.table.SeatOf(c)
}

// read returns the full state, as a frame. The error is a TooFast or one of encoding.
func (r *room) read(s Session) ([]byte, error) {
	units := r.unitsOfState(s.Seat)
	if err := r.budgets.admit(s.Seat, units); err != nil {
		return nil, err
	}
	r.budgets.spend(s.Seat, units)
	return r.full(s.Seat, id.Client{}, nil, false)
}

func (r *room) info() *holtpb.TableInfo {
	return &holtpb.TableInfo{
		Title: r.row.Title,
		Width: uint32(r.row.Width), Height: uint32(r.row.Height), //nolint:gosec // game checks them
		Surface: r.row.Surface, Catalog: r.row.Catalog[:],
	}
}

// fail ends a room whose store has failed. It answers ErrStorage to what was not stored, closes the
// streams with a sentence that says so, and gives up the memory. The next caller finds what is
// durable.
func (r *room) fail() {
	r.log.Error("table stopped", "error", r.broken)
	r.recorded.answer(ErrStorage)
	r.deleteRequests.answer(ErrStorage)
	r.dropRequests.answer(ErrStorage)
	r.answerRewinds(ErrStorage)
	for _, a := range r.clients {
		r.end(a, stream.CodeInternal, "the server could not store the last moves",
			r.lastEvents()...)
	}
	r.waitStreams()
	r.snapshots.wait()
}

// stopWait is how long a room that ends waits for its streams to take what is queued.
const stopWait = 2 * time.Second

// shutdown drains the room (S2). What is recorded becomes durable and is published, then every
// client is asked to come back.
func (r *room) shutdown() {
	r.drain()
	if r.setsUp() && r.broken == nil && r.rewind() {
		return
	}
	r.settle()
	r.settleCalls()
	if r.broken != nil {
		r.fail()
		return
	}
	r.flush()
	r.settle() // what flush has recorded of motion
	if r.broken != nil {
		r.fail()
		return
	}
	for _, a := range r.clients {
		// Spread out, so that they do not all come back at once (S16).
		r.end(a, stream.CodeGoingAway, "the server is stopping",
			wire.GoingEvent(id.Millis(500+r.rand.IntN(1500)), false))
	}
	r.waitStreams()
	r.touch()
	r.saveLast()
}

// end closes a stream. If there are events, they are its last frame.
func (r *room) end(a *attached, code stream.Code, reason string, events ...*holtpb.Event) {
	var last []byte
	if len(events) > 0 {
		last = wire.AppendHead(nil, r.nowFor(a.seat), r.table.VersionAt(a.seat, r.publishedGen))
	}
	a.stream.Close(r.appendEvents(last, events), code, reason)
}

// settle waits until nothing is on its way to the store.
func (r *room) settle() {
	r.recorder.finish()
	r.dispatch()
	for r.committing != nil && r.broken == nil {
		r.committed(<-r.done)
		r.dispatch()
	}
}

// waitStreams waits for all streams to end, and cuts off those that do not end in time. It drops
// what comes into the inbox meanwhile: the senders see that the room is gone.
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
