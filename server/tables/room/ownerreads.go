package room

import (
	"context"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
)

// askParts asks what those parts of a set are that somebody may see, unless such a call waits
// already. With values it also asks for what may have changed without the table.
func (r *room) askParts(set id.OID, values bool) {
	q := r.owners.queues[set]
	if s, ok := r.table.Set(set); q != nil && q.reads || !ok ||
		s.Stage != table.StageHere || s.IsAway(r.now()) {
		return
	}
	var parts []uint32
	var said Revealed
	var err error
	if r.call(set, ownerCall{
		begin: func() bool {
			r.owners.of(set).reads = false
			parts = r.table.Wanted(set, values)
			return len(parts) > 0
		},
		ask: func(ctx context.Context) {
			said, err = r.cfg.SetOwners.Reveal(ctx, r.row.Table, set, parts)
		},
		end: func() {
			if err != nil {
				r.failure(set, err)
				return
			}
			r.markReachable(set)
			r.recordParts(set, parts, said)
		},
	}) {
		r.owners.of(set).reads = true
	}
}

// recordParts records what an owner has said of parts. The owner has lost parts that it left out,
// or of which it says what cannot be.
func (r *room) recordParts(set id.OID, parts []uint32, said Revealed) {
	known := make([]table.SetPart, len(said.Parts))
	for i := range said.Parts {
		p := &said.Parts[i]
		known[i] = table.SetPart{
			Part: p.Number, Kind: r.kindOf(p.Kind), Value: p.Value, Text: p.Text,
		}
	}
	fits := r.table.Learn(set, said.Shuffles, known, r.now())
	r.record()
	// What somebody has come to see meanwhile is asked next.
	for _, p := range r.table.Wanted(set, false) {
		fits = fits && !slices.Contains(parts, p)
	}
	if !fits {
		r.markUnreachable(set, &Unreachable{Reason: table.AwayLost})
	}
}

// write informs the owner of a set of the text that an entry has, which is recorded already. Nobody
// else writes there while the set lies here, and the owner gets what it has missed when it gets the
// set back.
func (r *room) write(e *table.Entry) {
	req := Request{Table: r.row.Table, Set: e.After.Set, Client: e.Client, Seq: e.Seq}
	part, text := e.After.Part, e.After.Text
	var err error
	r.call(req.Set, ownerCall{
		ask: func(ctx context.Context) { err = r.cfg.SetOwners.Write(ctx, req, part, text) },
		end: func() {
			if err != nil {
				r.failure(req.Set, err)
			}
		},
	})
}
