package room

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// A rewind (T71) brings the pieces back to a save point, by entries of the server, in a new epoch.
// These entries, what they draw, the epoch, and the save point of the state before are one commit.
// Then the room ends, and the next one goes on from there, as after a restart: nothing of the old
// epoch is left in memory. Rematch is a rewind to the set-up (T72).

// Rewind asks for a rewind.
type Rewind struct {
	Save  uint32 // 0: the first set-up, for a rematch
	Token string // names the request: another one with the same does nothing more
	Epoch id.Epoch
	// Rematch keeps hands whose they are. Swap gives the sides of the game on to the next seat.
	Rematch, Swap bool
}

// rewindRequest is a rewind that run carries out when the inbox has had its turn.
type rewindRequest struct {
	Rewind
	s      Session
	to     SaveRow
	image  *table.Image // nil: it is still to be read
	oids   []id.OID     // for the pieces that are made again
	answer func(uint32, error)
	// A press asks for it, which is recorded and not on its way to the store (T93).
	pressed bool
}

// errRewound ends a room whose table went back to a save point.
var errRewound = fmt.Errorf("%w this table: it goes on from a save point", ErrStopping)

// Rewind brings the table of s back to a save point (T71). It returns when that is durable, with
// the save point of the state before, with which the rewind can be taken back. Errors: ErrRole,
// ErrEpoch, ErrNoSave, ErrGuests, ErrRounds, ErrLogFull, *TooSoon, a TooFast, ErrDamaged.
func (rs *Rooms) Rewind(ctx context.Context, s Session, q Rewind) (back uint32, err error) {
	if !s.Role.Hosts() {
		return 0, ErrRole
	}
	if err := rs.cfg.Store.Writable(); err != nil {
		return 0, err
	}
	r, release, err := rs.acquire(ctx, s.Table)
	if err != nil {
		return 0, err
	}
	defer release()
	type found struct {
		to   SaveRow
		done uint32
	}
	f, err := do(ctx, r, func() (f found, err error) {
		if err := r.admitSession(s); err != nil {
			return f, err
		}
		f.to, f.done, err = r.mayRewind(s, &q)
		return f, err
	})
	if err != nil || f.done != 0 {
		return f.done, err
	}
	image, err := readSave(ctx, rs.cfg.Store, s.Table, f.to.ID)
	if err != nil {
		return 0, err
	}
	return ask(ctx, r, func(answer func(uint32, error)) {
		r.rewinds = append(r.rewinds, rewindRequest{
			Rewind: q, s: s, to: f.to, image: image, answer: answer,
		})
	})
}

// readSave returns the pieces of a save point.
func readSave(ctx context.Context, from Store, t id.OID, number uint32) (*table.Image, error) {
	body, err := from.SavedPosition(ctx, t, number)
	if err != nil {
		return nil, storeError(err)
	}
	return decodePosition(body)
}

// mayRewind returns the save point that a request is about, or, if the request was carried out
// already, the state before that.
func (r *room) mayRewind(s Session, q *Rewind) (to SaveRow, done uint32, err error) {
	if row := r.saves.byToken(q.Token, s.Seat); row != nil {
		return to, row.ID, nil
	}
	if q.Epoch != r.row.Epoch {
		return to, 0, ErrEpoch
	}
	row := r.saves.find(q.Save)
	if q.Save == 0 {
		row = r.saves.setUp()
	}
	if row == nil || q.Rematch && row.Kind != table.SaveSetUp {
		return to, 0, ErrNoSave
	}
	return *row, 0, nil
}

// rewind carries out the first request and ends the room. It reports false if that was not
// possible. The other requests were made in the epoch that is over.
func (r *room) rewind() bool {
	r.drain()
	r.settle()
	r.settleCalls()
	if r.broken != nil {
		r.answerRewinds(ErrStorage)
		return false
	}
	q := r.rewinds[0]
	back, err := r.goBack(&q)
	if err != nil || back == 0 {
		r.rewinds = r.rewinds[1:]
		q.answer(back, err)
		if r.broken != nil {
			r.answerRewinds(ErrStorage)
		}
		return false
	}
	r.log.Info("the table went back to a save point", "save", q.to.ID, "by", q.s.Seat.String())
	q.answer(back, nil)
	r.rewinds = r.rewinds[1:]
	r.answerRewinds(ErrEpoch)
	r.recorded.answer(errRewound)
	for _, a := range r.clients {
		r.end(a, stream.CodeGoingAway, "the table goes on from a save point",
			wire.GoingEvent(id.Millis(r.rand.IntN(100)), false))
	}
	r.waitStreams()
	return true
}

func (r *room) answerRewinds(err error) {
	for i := range r.rewinds {
		r.rewinds[i].answer(0, err)
	}
	r.rewinds = nil
}

// goBack records a rewind and makes it durable. It returns 0 and no error if the request was
// carried out before.
func (r *room) goBack(q *rewindRequest) (back uint32, err error) {
	to, done, err := r.mayRewind(q.s, &q.Rewind)
	if err == nil && done == 0 {
		err = r.admitSession(q.s) // it may have ended, or be no host's any more
	}
	switch {
	case err != nil:
		return 0, err
	case done != 0:
		q.answer(done, nil)
		return 0, nil
	case to.ID != q.to.ID:
		return 0, ErrNoSave
	case r.space.full():
		return 0, ErrLogFull
	}
	if q.image == nil {
		ctx, cancel := storeContext()
		defer cancel()
		if q.image, err = readSave(ctx, r.cfg.Store, r.row.Table, to.ID); err != nil {
			return 0, err
		}
	}
	makes, ok := r.table.Rewindable(q.image)
	if !ok {
		return 0, ErrGuests
	}
	for range makes {
		oid, err := r.cfg.Minter.Mint(r.cfg.Now())
		if err != nil {
			return 0, inStorage(err)
		}
		q.oids = append(q.oids, oid)
	}
	pieces := r.table.Pieces() + len(q.image.Pieces)
	if err := r.budgets.admit(q.s.Seat, min(unitsOfSave+pieces, MaxUnits)); err != nil {
		return 0, err
	}
	if wait := r.space.spent.round(r.space.quota.Rounds, time.Now()); wait > 0 {
		return 0, &TooSoon{After: wait}
	}
	epoch, err := newEpoch(r.cfg.Random)
	if err != nil {
		return 0, inStorage(err)
	}
	return r.recordRewind(q, to, epoch)
}

// recordRewind records the state before, a new round of randomness, the rewind and its shuffles,
// and appends all of that to the log with the new epoch, behind what was recorded before. It
// publishes no seeds, because only now it is known whether something is hidden. If the append
// fails, the room ends.
func (r *room) recordRewind(
	q *rewindRequest, to SaveRow, epoch id.Epoch,
) (back uint32, err error) {
	pressed := r.recorded.soFar()
	target := Target{ID: to.ID, Kind: to.Kind, Name: to.Name, At: to.At, By: to.By}
	before, ok := r.saveNow(SaveRow{
		Kind: table.SaveBefore, By: q.s.Seat, Token: q.Token, To: target,
	})
	if !ok {
		return 0, cmp.Or(r.broken, ErrGuests)
	}
	was := r.randomness.epoch
	r.randomness.epoch = epoch
	if err := r.randomness.open(r.now(), r.row.Catalog, r.kinds); err != nil {
		r.randomness.epoch = was
		r.forgetSave(before.ID)
		return 0, ErrRounds
	}
	r.timers.mix.Stop()
	weight := r.recorded.estimatedBytes
	r.undo.busy, r.rewinding = true, true
	r.chargeFor(q.s.Seat, func() { r.bringBack(q, to) })
	r.charge(q.s.Seat, weight)
	if r.broken != nil {
		return 0, ErrStorage
	}
	r.undo.question = nil // its gesture is forgotten
	r.noteOpen(OpenQuestion)
	r.round = nil
	r.noteOpen(OpenRound)
	w := r.recorded
	r.recorded = work{}
	w.epoch, w.open, w.motion = &epoch, r.takeOpen(), r.recorder.take()
	_, err = r.append(&w, r.position)
	if err != nil {
		r.broken = err
		w.answer(inStorage(err))
		return 0, inStorage(err)
	}
	r.publishSoon(&pressed)
	r.flush()
	r.ending = errRewound
	r.leave() // from now on callers get the next room: also who hears by w that all is done
	w.answer(nil)
	return before.ID, nil
}

// bringBack records the entries of a rewind, with its draws.
func (r *room) bringBack(q *rewindRequest, to SaveRow) {
	now := r.now()
	rewinding := table.Rewinding{
		To: q.image, By: q.s.Seat, OIDs: q.oids,
		Mark: table.Rewound{Save: to.ID, Kind: to.Kind, Name: to.Name, Made: to.At},
	}
	if q.Rematch {
		rewinding.Hands = table.HandsKept
	}
	if q.Swap {
		r.table.SwapSides(q.s.Seat, now)
	}
	shuffles := r.table.Rewind(&rewinding, now)
	f := fairness.Rewound{
		Round: r.randomness.round(), Of: fairness.Round(max(to.Round, 1)), Seat: q.s.Seat,
	}
	if err := r.randomness.enact(f, 0, now); err != nil {
		r.broken = err
	}
	for i := range shuffles {
		again := table.Update{Op: table.OpShuffle}
		by := table.By{Seat: q.s.Seat}
		r.drawWith(by, &again, table.Inputs{Now: now, Unproved: &unprovedRandom{room: r}},
			func(in table.Inputs) table.Outcome {
				return r.table.Reshuffle(&shuffles[i], q.s.Seat, in)
			})
	}
	if q.Rematch {
		r.doSteps(table.By{Seat: q.s.Seat, Role: table.RoleHost}, q.image.Steps, now)
	}
	r.record()
}

// doSteps does the steps of the set-up with which the table begins again (T88).
func (r *room) doSteps(by table.By, doc []byte, now id.Millis) {
	all, err := game.ReadSteps(doc)
	if err != nil {
		r.broken = fmt.Errorf("%w: %w", ErrDamaged, err)
		return
	}
	in := table.Inputs{Now: now, Unproved: &unprovedRandom{room: r}}
	r.table.BeginSteps(by, steps(all, r.kinds), in)
	for r.table.Pressing() {
		r.drawWith(by, &table.Update{}, in, r.table.PressOn)
	}
}

// forgetSave takes back a save point that was made just now and is not stored yet.
func (r *room) forgetSave(number uint32) {
	is := func(row SaveRow) bool { return row.ID == number }
	r.saves.all = slices.DeleteFunc(r.saves.all, is)
	r.recorded.saves = slices.DeleteFunc(r.recorded.saves, func(n NewSave) bool {
		return is(n.SaveRow)
	})
}
