package bridge

import (
	"bytes"
	"slices"

	"holt/server/components/crdt"
)

// sent is a pending operation of the replica: it was passed to the room and has no outcome yet.
type sent struct {
	op   crdt.Op // as the room has it
	wire crdt.Op // as the replica has it, without data
	in   int     // the message in which it came
}

// pendingOps has, by entity and component, the pending operations: those that have not come back,
// are not overtaken and were not refused. Operations of one message for one key end together,
// because the room answers each key once for a message (C11). The deletion of an entity is under
// component 0.
type pendingOps map[crdt.Entity]map[uint32][]sent

func (f pendingOps) add(s sent) {
	of := f[s.op.Entity]
	if of == nil {
		of = map[uint32][]sent{}
		f[s.op.Entity] = of
	}
	of[s.op.Component] = append(of[s.op.Component], s)
}

// returns reports whether an operation for the replica is exactly one that the replica has sent.
func (f pendingOps) returns(op, wire *crdt.Op) bool {
	return slices.ContainsFunc(f[op.Entity][op.Component], func(s sent) bool {
		same := s.op.Kind == op.Kind && s.op.Timestamp == op.Timestamp &&
			bytes.Equal(s.op.Data, op.Data)
		return same && s.wire.Entity == wire.Entity && s.wire.Timestamp == wire.Timestamp
	})
}

// deletes reports whether the deletion of an entity is pending.
func (f pendingOps) deletes(e crdt.Entity) bool {
	return slices.ContainsFunc(f[e][0], func(s sent) bool { return s.op.Kind == crdt.DeleteEntity })
}

// settle ends the pending operations of a key, message by message, if all of a message are covered.
func (f pendingOps) settle(e crdt.Entity, component uint32, covers func(*crdt.Op) bool) {
	all := f[e][component]
	open := map[int]bool{}
	for i := range all {
		open[all[i].in] = open[all[i].in] || !covers(&all[i].op)
	}
	f.keep(e, component, func(s sent) bool { return open[s.in] })
}

// keep ends the pending operations of a key, except those that are wanted.
func (f pendingOps) keep(e crdt.Entity, component uint32, wanted func(sent) bool) {
	of := f[e]
	if of == nil {
		return
	}
	if of[component] = slices.DeleteFunc(of[component], func(s sent) bool {
		return !wanted(s)
	}); len(of[component]) == 0 {
		delete(of, component)
	}
	if len(of) == 0 {
		delete(f, e)
	}
}

// end ends all pending operations of an entity.
func (f pendingOps) end(e crdt.Entity) { delete(f, e) }

// refused ends the pending operations of a key that came in the same message as the one with that
// timestamp: the room says nothing more about them. It returns that operation, or one on the value
// of the key if that one is an append and the message had both, and the greatest timestamp of those
// on the value as the replica has it. ok is false if there is no such operation.
func (f pendingOps) refused(
	e crdt.Entity, component, timestamp uint32,
) (s sent, last uint32, ok bool) {
	all := f[e][component]
	i := slices.IndexFunc(all, func(s sent) bool { return s.op.Timestamp == timestamp })
	if i < 0 {
		return sent{}, 0, false
	}
	s = all[i]
	for i := range all {
		if all[i].in != s.in || all[i].op.Kind == crdt.Append {
			continue
		}
		last = max(last, all[i].wire.Timestamp)
		if s.op.Kind == crdt.Append {
			s = all[i]
		}
	}
	f.keep(e, component, func(o sent) bool { return o.in != s.in })
	return s, last, true
}
