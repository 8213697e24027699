package room

import (
	"errors"
	"time"

	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// A table whose store cannot store anything can still be looked at (S19). The room refuses in
// advance what would be recorded, and postpones what it does by itself.

// saveRetryDelay is how long the room postpones what it does by itself.
const saveRetryDelay = time.Second

// SavingChanged informs everybody at every table that nothing can be saved, because of err, or that
// saving works again, if err is nil. It returns at once.
func (rs *Rooms) SavingChanged(err error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.stopping {
		return
	}
	for _, s := range rs.loaded {
		rs.running.Go(func() {
			<-s.ready
			if s.room != nil {
				s.room.later(func() { s.room.publishSaving(err) })
			}
		})
	}
}

// publishSaving informs everybody whether what they do can be saved.
func (r *room) publishSaving(err error) {
	r.recorded.queueEvent(id.Client{}, wire.SavingEvent(troubleOf(err)))
}

// lastEvents returns the events that say why a stream ends, and that the client may come back after
// a moment; nil if nobody knows why the store has failed.
func (r *room) lastEvents() []*holtpb.Event {
	var trouble *Trouble
	if !errors.As(r.broken, &trouble) {
		return nil
	}
	return []*holtpb.Event{
		wire.SavingEvent(trouble.Reason), wire.GoingEvent(id.Millis(r.rand.IntN(500)), false),
	}
}

// cannotSave reports whether nothing can be recorded at the moment.
func (r *room) cannotSave() bool { return r.cfg.Store.Writable() != nil }

// appendSaving appends to the events that synchronise a stream that nothing can be saved, if that
// is so.
func (r *room) appendSaving(events []*holtpb.Event) []*holtpb.Event {
	if err := r.cfg.Store.Writable(); err != nil {
		return append(events, wire.SavingEvent(troubleOf(err)))
	}
	return events
}

// troubleOf returns why nothing can be saved, as people may read it; empty if err is nil.
func troubleOf(err error) string {
	var trouble *Trouble
	switch {
	case err == nil:
		return ""
	case errors.As(err, &trouble):
		return trouble.Reason
	default:
		return "its storage fails"
	}
}
