package room

import (
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// access says who may come to a table, and who may change something on it (T67).
type access struct {
	closed bool // nobody takes a new seat
	frozen bool // only hosts change pieces
}

// access returns what the component Access says.
func (p *components) access() access {
	op, ok := p.replica.State(schema.TheTable, schema.Access)
	if !ok || op.Kind != crdt.Put {
		return access{}
	}
	m, err := schema.Decode[componentpb.Access](op.Data)
	if err != nil {
		return access{}
	}
	return access{closed: m.GetClosed(), frozen: m.GetFrozen()}
}

// setAccess notes who may come and who may move from now on. When a table is frozen, what others
// than hosts hold is laid down where it was last seen, and their question about an undo ends.
func (r *room) setAccess(now access) {
	freezes := now.frozen && !r.access.frozen
	r.access = now
	if !freezes {
		return
	}
	for i := range r.table.Seats() {
		who := r.table.Seats()[i]
		if who.Left != 0 || who.Role.Hosts() {
			continue
		}
		for _, name := range r.heldBy(who.Seat) {
			r.releasePiece(name)
		}
	}
	if q := r.undo.question; q != nil && !r.roleOf(q.by).Hosts() {
		r.endQuestion(holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE, 0)
	}
}

// refusedByFreeze returns ReasonFrozen if the table is frozen and the update of a seat would change
// a piece; 0 otherwise. What was written is no piece.
func (r *room) refusedByFreeze(seat id.Seat, u *table.Update) table.Reason {
	if !r.access.frozen || u.Op == table.OpSay || u.Op == table.OpUnsay || r.roleOf(seat).Hosts() {
		return 0
	}
	return table.ReasonFrozen
}
