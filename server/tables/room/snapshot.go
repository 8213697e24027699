package room

import (
	"context"

	"holt/server/play/table"
	"holt/server/tables/wire"
)

// A room stores its state now and then, beside the log, so that the next one need not replay all of it (T3). A
// failure costs time later, not data: the next attempt comes when as much has been recorded again, or at the end.

// snapshotEvery is how many entries, and KiB of operations on components, a restart replays at most, about.
const snapshotEvery = 1000

// dueImage returns the state as it is now if it is to be stored behind the commit that is about to begin.
func (r *room) dueImage() *table.Image {
	if r.since < snapshotEvery || r.saving {
		return nil
	}
	r.since, r.saving = 0, true
	r.table.Compact(r.history.floor)
	image := r.image()
	return &image
}

// image returns the state of the table, its randomness and its components.
func (r *room) image() table.Image {
	image := r.table.Image()
	image.Fair, image.Components, image.Epoch = r.chances.state.Encode(), r.parts.encode(nil, 0), r.row.Epoch
	image.Writers = r.parts.allotments.writers()
	return image
}

// save stores the state behind the entry at a position, up to which the log has so many bytes. It reports whether that has succeeded.
func (r *room) save(image *table.Image, at Position, logged int64) bool {
	b, err := wire.EncodeImage(image)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
		defer cancel()
		err = r.cfg.Store.SaveSnapshot(ctx, r.row.Table, at, b, logged)
	}
	if err != nil {
		r.log.Warn("snapshot not stored", "error", err)
	}
	return err == nil
}

// waitSaved waits for a snapshot that is on its way.
func (r *room) waitSaved() {
	if r.saving {
		r.saving, r.unsaved = false, !<-r.saved
	}
}

// saveLast stores the state of a room that is about to end, unless the store has it, and what time it is, which may
// have been told: it must not go back (K1).
func (r *room) saveLast() {
	r.waitSaved()
	if (r.since > 0 || r.unsaved || r.ahead > 0) && r.broken == nil {
		image := r.image()
		image.At = r.now()
		r.save(&image, r.at, r.space.logged)
	}
}
