package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

// runState is the state of the goroutine that owns the object.Host.
type runState struct {
	// nil: it could not be opened, and run tries again.
	host    *object.Host
	store   *overlay
	next    batch // what the machine has written since the commit under way began
	commit  batch // the one under way
	keeping bool
	at      time.Time // of the last input, or of the last attempt to open

	ticket  object.Ticket
	tickets map[object.Ticket]func(object.Answered, error)
	begun   map[request]func() // requests of linked hosts without an answer
	up      map[id.HostID]bool
	heard   map[id.HostID]id.Millis // when hosts were last heard of
	// When hosts that were never linked were first met.
	met    map[id.HostID]id.Millis
	made   map[id.HostID]*quota
	given  map[id.OID]id.HostID // which host has given a reference to this program
	lost   map[id.OID]bool      // what was logged as lost, at most maxLost
	inHand inHand
	rounds
}

// batch is what becomes durable together, and what happens then.
type batch struct {
	writes []object.Write
	at     map[place]int
	blobs  []room.Blob
	after  []func(err error)
}

// inHand is the message that is being processed, for the log.
type inHand struct {
	about id.OID
	what  string
}

// reopenAfter is after how long a machine whose store has failed is opened again. mendedAfter is
// that time if the stored objects are damaged.
const (
	reopenAfter = time.Second
	mendedAfter = time.Minute
)

// hearFor is for how many milliseconds a host that starts waits until the linked hosts have said
// what they remember of it (O48).
const hearFor id.Millis = 3000

func (w *Objects) reset() {
	w.host, w.next, w.commit, w.at = nil, batch{}, batch{}, time.Now()
	w.store = &overlay{store: w.cfg.Store, fresh: map[place][]byte{}}
	w.tickets, w.begun = map[object.Ticket]func(object.Answered, error){}, map[request]func(){}
	w.heard, w.met = map[id.HostID]id.Millis{}, map[id.HostID]id.Millis{}
	w.made, w.given = map[id.HostID]*quota{}, map[id.OID]id.HostID{}
}

// open makes the machine from what is stored, and sets whether that is damaged.
func (w *Objects) open(ctx context.Context) error {
	err := w.openKept(ctx)
	damaged := errors.Is(err, room.ErrDamaged)
	if w.damaged.Swap(damaged) != damaged && damaged {
		w.cfg.Log.Error(
			"the objects of this server are damaged: nothing moves between servers", "error", err,
		)
	}
	return err
}

// openKept makes the machine from what is stored.
func (w *Objects) openKept(ctx context.Context) error {
	w.at = time.Now()
	restored, err := w.cfg.Store.ObjectsRestored(ctx)
	if err != nil {
		return err
	}
	if err := w.loadHosts(ctx); err != nil {
		return err
	}
	h, step, err := object.Open(object.Config{
		Self: w.self, Store: w.store, Sign: w.cfg.Links.Sign, Verify: w.cfg.Links.Verify,
		Link: w.link, Linked: w.cfg.Links.Linked,
		Class: w.behaviour, Wants: w.wants, Restored: restored,
		Cache: w.cfg.Cache, Lazy: w.cfg.Lazy, Hear: hearFor,
	}, w.moment())
	if err != nil {
		return err
	}
	if err := w.cfg.Store.BeginObjects(ctx, step.Writes); err != nil {
		return fmt.Errorf("keep that the objects are open: %w", err)
	}
	w.host = h
	at, _ := h.WentBack()
	w.wentBack.Store(int64(at))
	if restored {
		w.cfg.Log.Warn(
			"objects were restored from a backup: linked servers are asked what has become of them since",
		)
	}
	step.Writes = nil
	w.apply(step)
	return w.loadRounds(ctx)
}

// moment returns the time of an input, and random bytes for it.
func (w *Objects) moment() object.Moment {
	m := object.Moment{Now: w.cfg.Now()}
	if _, err := io.ReadFull(w.cfg.Random, m.Random[:]); err != nil {
		panic(err) // without randomness nothing can continue
	}
	return m
}

// run owns the machine until halt is closed.
func (w *Objects) run() {
	defer close(w.over)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		w.flush()
		timer.Reset(w.idle())
		select {
		case f := <-w.inbox:
			f()
		case err := <-w.kept:
			w.durable(err)
		case <-timer.C:
			w.due()
		case <-w.halt:
			w.finish()
			return
		}
	}
}

// idle returns for how long there is nothing to do.
func (w *Objects) idle() time.Duration {
	since := time.Since(w.at)
	switch {
	case w.host == nil && w.Damaged():
		return max(0, mendedAfter-since)
	case w.host == nil:
		return max(0, reopenAfter-since)
	}
	wait := w.untilRound()
	if w.host.Collecting() && !w.keeping {
		wait = max(0, w.rest-time.Since(w.sliced))
	}
	if after, ok := w.host.Wake(); ok {
		wait = min(wait, max(0, time.Duration(after)*time.Millisecond-since))
	}
	return wait
}

// due does what is due.
func (w *Objects) due() {
	switch {
	case w.host == nil:
		w.reopen()
	case w.host.Collecting() && !w.keeping:
		begun := time.Now()
		_ = w.work(w.host.Collect) // work has handled a store that fails
		w.sliced = time.Now()
		w.rest = w.sliced.Sub(begun)
	default:
		_ = w.work(w.host.Tick)
		if w.host != nil && w.untilRound() <= 0 {
			w.collect()
		}
	}
}

// work gives the machine an input. The step is stored before anybody learns of it. An error is
// about the input; nothing has happened then.
func (w *Objects) work(input func(m object.Moment) (object.Step, error)) error {
	if w.host == nil {
		return ErrStorage
	}
	w.at = time.Now()
	step, err := input(w.moment())
	if err == nil {
		w.apply(step)
		return nil
	}
	if errors.Is(err, object.ErrWentBack) {
		return errors.Join(ErrStorage, err) // it is opened again when that is stored
	}
	// Whatever is wrong with the input, what is due at this moment is done.
	step, fault := w.host.Tick(w.moment())
	if fault != nil {
		w.fail(fault)
		return errors.Join(ErrStorage, fault)
	}
	w.apply(step)
	return err
}

// apply takes a step of the machine: it stores the writes, and then sends the messages and handles
// the events.
func (w *Objects) apply(s object.Step) {
	for i := range s.Writes {
		w.write(s.Writes[i])
	}
	about := w.inHand
	for _, send := range s.Sends {
		w.after(func(err error) {
			if err == nil {
				w.send(send)
			}
		})
	}
	for _, e := range s.Events {
		w.after(func(err error) { w.handleEvent(e, about, err) })
	}
}

// write puts a value into the batch that is stored next.
func (w *Objects) write(x object.Write) {
	p := place{x.Space, x.OID}
	w.weigh(x)
	w.store.fresh[p] = x.Value
	if i, ok := w.next.at[p]; ok {
		w.next.writes[i] = x
		return
	}
	if w.next.at == nil {
		w.next.at = map[place]int{}
	}
	w.next.at[p] = len(w.next.writes)
	w.next.writes = append(w.next.writes, x)
}

// after has f called when everything written up to now is durable. err is not nil if that could not
// be stored.
func (w *Objects) after(f func(err error)) { w.next.after = append(w.next.after, f) }

// flush begins to store the next batch, if no batch is being stored. What follows a batch without
// writes happens at once.
func (w *Objects) flush() {
	for !w.keeping && len(w.next.after)+len(w.next.writes)+len(w.next.blobs) > 0 {
		b := w.next
		w.next = batch{}
		if len(b.writes)+len(b.blobs) == 0 {
			b.done(nil)
			continue
		}
		w.commit, w.keeping = b, true
		go func() { w.kept <- w.cfg.Store.KeepObjects(context.Background(), b.writes, b.blobs) }()
	}
}

func (b *batch) done(err error) {
	for _, f := range b.after {
		f(err)
	}
}

// durable continues when a batch is stored, or could not be.
func (w *Objects) durable(err error) {
	b := w.commit
	w.keeping, w.commit = false, batch{}
	if err != nil {
		w.fail(err)
		b.done(err)
		return
	}
	for p := range b.at {
		if _, again := w.next.at[p]; !again {
			delete(w.store.fresh, p)
		}
	}
	b.done(nil)
}

// fail ends a machine whose state may differ from what is stored. It is opened again with what is
// stored.
func (w *Objects) fail(err error) {
	if w.host == nil {
		return
	}
	w.cfg.Log.Error("the objects of this server cannot be kept, and are read again", "error", err)
	w.closeHost()
}

// closeHost ends a machine. It is opened again with what is stored.
func (w *Objects) closeHost() {
	next, tickets, begun := w.next, w.tickets, w.begun
	// The batch under way may still become durable: wait for it.
	if w.keeping {
		w.durableLate()
	}
	w.reset()
	for _, end := range begun {
		end()
	}
	next.done(ErrStorage)
	for _, answer := range tickets {
		answer(object.Answered{}, ErrStorage)
	}
	w.endRound(object.Rounded{}, ErrStorage)
}

// durableLate waits for the commit under way. Whatever its outcome, callers get an error that
// includes ErrStorage.
func (w *Objects) durableLate() {
	err := <-w.kept
	b := w.commit
	w.keeping, w.commit = false, batch{}
	b.done(errors.Join(ErrStorage, err))
}

// reopen opens the machine again.
func (w *Objects) reopen() {
	if err := w.open(context.Background()); err != nil {
		w.reset()
		w.cfg.Log.Debug("the objects of this server cannot be read", "error", err)
		return
	}
	for host := range w.up {
		_ = w.work(with(w.host.Up, host))
	}
	w.cfg.Log.Info("the objects of this server are read again")
}

// finish stores what is left, and answers the requests that wait.
func (w *Objects) finish() {
	settle := func() {
		for w.flush(); w.keeping; w.flush() {
			w.durable(<-w.kept)
		}
	}
	settle()
	for len(w.inbox) > 0 {
		(<-w.inbox)()
	}
	settle()
	for _, answer := range w.tickets {
		answer(object.Answered{}, ErrClosed)
	}
	w.tickets = map[object.Ticket]func(object.Answered, error){}
	w.endRound(object.Rounded{}, ErrClosed)
}

// ask gives the machine a request of the program, and waits until it ends. The error says, too, why
// the machine could not do it.
func (w *Objects) ask(
	ctx context.Context, begin func(m object.Moment, t object.Ticket) (object.Step, error),
) (object.Answered, error) {
	a, err := await(ctx, w, func(end func(object.Answered, error)) {
		w.ticket++
		t := w.ticket
		w.tickets[t] = end
		if err := w.work(func(m object.Moment) (object.Step, error) {
			return begin(m, t)
		}); err != nil {
			w.answer(t, object.Answered{}, err)
		}
	})
	if err == nil {
		err = errorOf(&a)
	}
	return a, err
}

func (w *Objects) answer(t object.Ticket, a object.Answered, err error) {
	if f := w.tickets[t]; f != nil {
		delete(w.tickets, t)
		f(a, err)
	}
}

// do has run call f, and waits until everything written up to then is durable.
func (w *Objects) do(ctx context.Context, f func() error) error {
	_, err := await(ctx, w, func(end func(struct{}, error)) {
		done := func(err error) { end(struct{}{}, err) }
		if err := f(); err != nil {
			done(err)
			return
		}
		w.after(done)
	})
	return err
}

// await has run call begin, and waits until that or what it has begun calls end, once.
func await[T any](ctx context.Context, w *Objects, begin func(end func(T, error))) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1) // it is answered once
	var o outcome
	err := w.put(ctx, func() { begin(func(x T, err error) { done <- outcome{x, err} }) })
	if err != nil {
		return o.value, err
	}
	select {
	case o = <-done:
		return o.value, o.err
	case <-ctx.Done():
		return o.value, ctx.Err()
	case <-w.over:
	}
	select {
	case o = <-done:
		return o.value, o.err
	default:
		return o.value, ErrClosed
	}
}

// with is an input of the machine about a host or an object.
func with[T any](
	input func(m object.Moment, about T) (object.Step, error), about T,
) func(object.Moment) (object.Step, error) {
	return func(m object.Moment) (object.Step, error) { return input(m, about) }
}
