package room

import (
	"maps"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/play/table"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// foreignView is the view to which entries about foreign components go (C21). It is that of a seat
// that no table has, so no view has a version of them. publication.foreign takes them to bridges.
const foreignView = unknownSeat + 1

// foreignQuota counts foreign components (C21): ForeignKey for each key, and its data. The zero
// foreignQuota has none.
type foreignQuota struct {
	of    map[uint16]map[key]int // by the number of the entity
	keys  int
	total int
}

// count counts the key of an operation that the replica has merged, as it is now. After the
// deletion of an entity it counts none of its keys.
func (q *foreignQuota) count(r *crdt.Replica, op *crdt.Op) {
	if !schema.ForeignOp(op) {
		return
	}
	number := uint16(op.Entity & 0xffff)
	if op.Kind == crdt.DeleteEntity {
		maps.DeleteFunc(q.of[number], func(k key, counted int) bool {
			gone := r.Deleted(k.entity)
			if gone {
				q.keys, q.total = q.keys-1, q.total-counted
			}
			return gone
		})
		return
	}
	if q.of == nil {
		q.of = map[uint16]map[key]int{}
	}
	if q.of[number] == nil {
		q.of[number] = map[key]int{}
	}
	k := key{op.Entity, op.Component}
	was, known := q.of[number][k]
	if !known {
		q.keys++
	}
	n, _ := r.KeyBytes(op.Entity, op.Component)
	q.of[number][k] = schema.ForeignKey + n
	q.total += schema.ForeignKey + n - was
}

// counted returns what the key of an operation counts.
func (q *foreignQuota) counted(op *crdt.Op) int {
	return q.of[uint16(op.Entity&0xffff)][key{op.Entity, op.Component}]
}

// without returns what all other keys count.
func (q *foreignQuota) without(op *crdt.Op) int { return q.total - q.counted(op) }

// data returns how many bytes of data there are.
func (q *foreignQuota) data() int { return q.total - schema.ForeignKey*q.keys }

// readsForeign reports whether a bridge gets foreign components: that of a host or a player does,
// and that of a spectator if the host shares them.
func (r *room) readsForeign(role table.Role) bool {
	return role.Plays() || r.sharesForeign()
}

// endSpectatorBridges ends the bridges of spectators, who get other components from now on. They
// come back and begin with nothing.
func (r *room) endSpectatorBridges() {
	for _, a := range r.clients {
		if a.foreign && !a.role.Plays() {
			a.stream.Close(nil, stream.CodeResetRequired, "foreign components are shared otherwise")
		}
	}
}

// sharesForeign reports whether everybody may read foreign components.
func (r *room) sharesForeign() bool {
	_, shared := schema.ForeignAllowed(r.components.replica)
	return shared
}

// foreignEvents returns the foreign components of a tick, as events.
func (p *publication) foreignEvents() (events []byte, err error) {
	for i := range p.work.items {
		it := &p.work.items[i]
		if it.entry < 0 {
			continue
		}
		if e := &p.work.entries[it.entry]; e.Ops != nil && e.To == foreignView {
			if events, err = wire.AppendEvent(events, wire.ComponentsEvent(e.Ops)); err != nil {
				return nil, err
			}
		}
	}
	return events, nil
}

// pushForeign sends the stream of a bridge a frame, and behind it the foreign components of the
// tick.
func (p *publication) pushForeign(a *attached, frame []byte, head int) {
	if a.foreign && len(p.foreign) > 0 && p.room.readsForeign(a.role) {
		frame = append(frame[:len(frame):len(frame)], p.foreign...)
	}
	if len(frame) > head {
		a.stream.Push(frame)
	}
}

// lowerVersions deletes the lower versions of the number of a foreign entity that an operation uses
// (C21).
func (o *operation) lowerVersions(op *crdt.Op) {
	lower, ok := schema.LowerVersion(op.Entity)
	if !ok || o.room.components.replica.Deleted(lower) {
		return
	}
	deletion := crdt.Op{Kind: crdt.DeleteEntity, Entity: lower}
	if o.room.components.mergeOp(o.room.table, o.by.Seat, deletion) {
		o.add(deletion)
	}
}
