package crdt

import (
	"errors"
)

// Errors of local writes, beside those of Op.Check.
var (
	// ErrDeleted says that the entity has been deleted (C5).
	ErrDeleted = errors.New("the entity has been deleted")
	// ErrSet says that the component is a set and not a value, or the reverse (C6).
	ErrSet = errors.New("the component is of the other sort: a set or a value")
	// ErrSpent says that the key has the greatest timestamp, so it cannot be written any more (C1).
	ErrSpent = errors.New("the key has the greatest timestamp")
)

// Put sets a value, and returns the operation to send (C1). After an error nothing has changed.
func (r *Replica) Put(e Entity, component uint32, data []byte) (Op, error) {
	return r.write(Op{Kind: Put, Entity: e, Component: component, Data: data})
}

// Delete deletes a value, and returns the operation to send (C1). After an error nothing has
// changed.
func (r *Replica) Delete(e Entity, component uint32) (Op, error) {
	return r.write(Op{Kind: Delete, Entity: e, Component: component})
}

// Append adds an element to a set, with a timestamp above all in the set, and returns the operation
// to send (C1, C6). After an error nothing has changed.
func (r *Replica) Append(e Entity, component uint32, data []byte) (Op, error) {
	return r.write(Op{Kind: Append, Entity: e, Component: component, Data: data})
}

// DeleteEntity deletes an entity for good, and returns the operation to send (C5). The error is
// ErrEntity.
func (r *Replica) DeleteEntity(e Entity) (Op, error) {
	op := Op{Kind: DeleteEntity, Entity: e}
	if err := op.Check(); err != nil {
		return Op{}, err
	}
	r.deleteEntity(e)
	return op, nil
}

// write gives op its timestamp, and merges it.
func (r *Replica) write(op Op) (Op, error) {
	last := r.Timestamp(op.Entity, op.Component)
	if last == MaxTimestamp {
		return Op{}, ErrSpent
	}
	op.Timestamp = last + 1
	if err := op.Check(); err != nil {
		return Op{}, err
	}
	if r.Deleted(op.Entity) {
		return Op{}, ErrDeleted
	}
	if r.Merge(op).Outcome != Applied {
		return Op{}, ErrSet
	}
	return op, nil
}
