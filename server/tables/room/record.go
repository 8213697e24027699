package room

import (
	"holt/server/id"
	"holt/server/play/table"
)

// record queues what the table has recorded for one update. It lets the parts of the room follow
// the entries: the replica of components, what is held and moved (K12), and the errands for owners
// of guest sets.
func (r *room) record() {
	entries, err := r.randomness.take()
	if err != nil {
		r.broken = err // a name could not be bound to the round (F16)
	}
	r.budgets.countEntries(entries)
	var by id.Client // whose update it was
	for i := range entries {
		if entries[i].Client != (id.Client{}) {
			by = entries[i].Client
		}
	}
	for i := range entries {
		r.follow(&entries[i], by)
		r.saves.moves.follow(r.table, &entries[i])
	}
	r.recorded.record(entries)
	weight := estimateBytes(entries)
	r.recorded.estimatedBytes += weight
	r.space.pending += weight
	r.watchSpace()
	r.setReveal()
	r.checkQuestion()
}

// follow brings the parts of the room up to an entry that an update of by led to.
func (r *room) follow(e *table.Entry, by id.Client) {
	if err := r.components.follow(r.table, e); err != nil {
		r.broken = err // the recorded operations cannot be read
	}
	switch b, a := &e.Before, &e.After; {
	case e.Set != nil:
		if e.Set.Stage == table.StageReturn || e.Set.Stage == table.StageMake {
			r.errand(e.Set.Set)
		}
		return
	case !e.OfPiece():
		return
	case relocates(e):
		delete(r.motions.pieces, e.Name)
		r.grabs.follow(e, by, r.connected)
		r.setAbsence()
	// Other views see its motion now.
	case (a.Owner != b.Owner || a.Team != b.Team) && r.grabs[e.Name] != nil:
		r.grabs[e.Name].gen = e.Gen
	}
	if e.NewName != 0 {
		r.grabs.rename(e.Name, e.NewName)
		r.motions.rename(e.Name, e.NewName)
	}
	if e.Op == table.OpWrite && !e.After.Set.IsZero() {
		r.write(e)
	}
	if r.table.Unread(e) {
		r.askParts(e.After.Set, false)
	}
}
