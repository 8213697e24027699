package bridge

import (
	"bytes"
	"slices"

	"holt/server/components/crdt"
)

// sent is an operation of the replica on its way through the room.
type sent struct {
	op   crdt.Op // as the room has it
	wire crdt.Op // as the replica has it, without data
	in   int     // in which message it came
}

// flights are the operations that have gone to the room and have neither come back, nor are overtaken or refused, by what they
// are of. What is under way for a key in one message stays together, for the room answers each key once for a message (C11).
// The deletion of an entity is under component 0.
type flights map[crdt.Entity]map[uint32][]sent

func (f flights) add(s sent) {
	of := f[s.op.Entity]
	if of == nil {
		of = map[uint32][]sent{}
		f[s.op.Entity] = of
	}
	of[s.op.Component] = append(of[s.op.Component], s)
}

// returns reports whether an operation that goes to the replica has come from it, just so.
func (f flights) returns(op, wire *crdt.Op) bool {
	return slices.ContainsFunc(f[op.Entity][op.Component], func(s sent) bool {
		same := s.op.Kind == op.Kind && s.op.Timestamp == op.Timestamp && bytes.Equal(s.op.Data, op.Data)
		return same && s.wire.Entity == wire.Entity && s.wire.Timestamp == wire.Timestamp
	})
}

// deletes reports whether the deletion of an entity is under way.
func (f flights) deletes(e crdt.Entity) bool {
	return slices.ContainsFunc(f[e][0], func(s sent) bool { return s.op.Kind == crdt.DeleteEntity })
}

// settle ends what is under way for a key, message by message, if all of it is covered.
func (f flights) settle(e crdt.Entity, component uint32, covers func(*crdt.Op) bool) {
	all := f[e][component]
	open := map[int]bool{}
	for i := range all {
		open[all[i].in] = open[all[i].in] || !covers(&all[i].op)
	}
	f.keep(e, component, func(s sent) bool { return open[s.in] })
}

// keep ends what is under way for a key but for what is wanted.
func (f flights) keep(e crdt.Entity, component uint32, wanted func(sent) bool) {
	of := f[e]
	if of == nil {
		return
	}
	if of[component] = slices.DeleteFunc(of[component], func(s sent) bool { return !wanted(s) }); len(of[component]) == 0 {
		delete(of, component)
	}
	if len(of) == 0 {
		delete(f, e)
	}
}

// end ends all that is under way for an entity.
func (f flights) end(e crdt.Entity) { delete(f, e) }

// refused ends what is under way for a key in the message of the operation with that timestamp: nothing more is heard of it.
// It returns that operation, and the greatest timestamp of these as the replica has it; not ok if there is no such one.
func (f flights) refused(e crdt.Entity, component, timestamp uint32) (s sent, last uint32, ok bool) {
	all := f[e][component]
	i := slices.IndexFunc(all, func(s sent) bool { return s.op.Timestamp == timestamp })
	if i < 0 {
		return sent{}, 0, false
	}
	s = all[i]
	for i := range all {
		if all[i].in == s.in {
			last = max(last, all[i].wire.Timestamp)
		}
	}
	f.keep(e, component, func(o sent) bool { return o.in != s.in })
	return s, last, true
}
