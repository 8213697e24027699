package room

import (
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// A room stores its state now and then, besides the log, so that the next room of the table need
// not replay all of the log (T3). A failure costs time later, not data: the next attempt comes when
// as much has been recorded again, or at the end.

// snapshotEvery is about how many entries, and KiB of operations on components, a restart replays
// at most.
const snapshotEvery = 1000

// snapshots says when the state is stored next.
type snapshots struct {
	stored chan bool // whether a snapshot was stored; capacity 1, one is on its way
	since  int       // entries, and KiB of components, since the last attempt
	saving bool      // one is on its way to the store
	failed bool      // the last one could not be stored
}

func newSnapshots(since int) snapshots {
	return snapshots{stored: make(chan bool, 1), since: since}
}

// due reports whether it is time for a snapshot, and counts it as begun.
func (s *snapshots) due() bool {
	if s.since < snapshotEvery || s.saving {
		return false
	}
	s.since, s.saving = 0, true
	return true
}

// ended notes whether the snapshot that was on its way is stored.
func (s *snapshots) ended(stored bool) { s.saving, s.failed = false, !stored }

// wait waits for a snapshot that is on its way.
func (s *snapshots) wait() {
	if s.saving {
		s.ended(<-s.stored)
	}
}

// dueImage returns the state as it is now if it is to be stored after the commit that is about to
// begin.
func (r *room) dueImage() *table.Image {
	if !r.snapshots.due() {
		return nil
	}
	r.table.Compact(r.history.floor)
	image := r.image()
	return &image
}

// image returns the state of the table, its randomness and its components.
func (r *room) image() table.Image {
	image := r.table.Image()
	image.Fair, image.Components, image.Epoch =
		r.randomness.state.Encode(), r.components.encode(nil, 0, true), r.row.Epoch
	image.Moves = r.saves.moves.n
	image.Writers = r.components.hiddenQuotas.writers()
	return image
}

// save stores the state after the entry at a position; the log has logged bytes up to there. It
// reports whether that succeeded.
func (r *room) save(image *table.Image, at Position, logged int64) bool {
	b, err := wire.EncodeImage(image)
	if err == nil {
		ctx, cancel := storeContext()
		defer cancel()
		err = r.cfg.Store.SaveSnapshot(ctx, r.row.Table, at, b, logged)
	}
	if err != nil {
		r.log.Warn("snapshot not stored", "error", err)
	}
	return err == nil
}

// saveLast stores the state of a room that is about to end, unless the store has it. It also stores
// the time, which clients may have got and which must not go back (K1).
func (r *room) saveLast() {
	r.snapshots.wait()
	if (r.snapshots.since > 0 || r.snapshots.failed || r.ahead > 0) && r.broken == nil {
		image := r.image()
		image.At = r.now()
		r.save(&image, r.position, r.space.logged)
	}
}
