package room

import (
	"context"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
)

// readCall asks what those parts of a set are that somebody may see (T38).
type readCall struct {
	set    id.OID
	values bool // also ask for what may have changed without the table
	sets   SetOwners
	table  id.OID
	parts  []uint32
	said   Revealed
	err    error
}

// askParts asks what those parts of a set are that somebody may see, unless such a call waits
// already. With values it also asks for what may have changed without the table.
func (r *room) askParts(set id.OID, values bool) {
	q := r.owners.queues[set]
	if s, ok := r.table.Set(set); q != nil && q.reads || !ok ||
		s.Stage != table.StageHere || s.IsAway(r.now()) {
		return
	}
	if r.call(set, &readCall{set: set, values: values}) {
		r.owners.of(set).reads = true
	}
}

func (c *readCall) begin(r *room) bool {
	r.owners.of(c.set).reads = false
	c.sets, c.table, c.parts = r.cfg.SetOwners, r.row.Table, r.table.Wanted(c.set, c.values)
	return len(c.parts) > 0
}

func (c *readCall) ask(ctx context.Context) {
	c.said, c.err = c.sets.Reveal(ctx, c.table, c.set, c.parts)
}

func (c *readCall) end(r *room) {
	if c.err != nil {
		r.failure(c.set, c.err)
		return
	}
	r.markReachable(c.set)
	r.recordParts(c.set, c.parts, c.said)
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

// writeCall informs an owner of what was written on a part. That is recorded already. Nobody else
// writes there while the set lies here, and the owner gets what it has missed when it gets the set
// back.
type writeCall struct {
	req  Request
	part uint32
	text string
	sets SetOwners
	err  error
}

// write informs the owner of a set of the text that an entry has.
func (r *room) write(e *table.Entry) {
	req := Request{Table: r.row.Table, Set: e.After.Set, Client: e.Client, Seq: e.Seq}
	r.call(req.Set, &writeCall{req: req, part: e.After.Part, text: e.After.Text})
}

func (c *writeCall) begin(r *room) bool {
	c.sets = r.cfg.SetOwners
	return true
}

func (c *writeCall) ask(ctx context.Context) { c.err = c.sets.Write(ctx, c.req, c.part, c.text) }

func (c *writeCall) end(r *room) {
	if c.err != nil {
		r.failure(c.req.Set, c.err)
	}
}
