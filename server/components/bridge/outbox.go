package bridge

import "holt/server/components/crdt"

// outbox collects operations for the replica into messages.
type outbox struct {
	form     Form
	edge     edge
	messages [][]byte
	last     []byte // not full yet
}

// add adds an operation. The error is crdt.ErrNotFlat.
func (o *outbox) add(op *crdt.Op) error {
	travels := o.edge.outward(*op)
	if o.form == Protobuf {
		o.last = crdt.AppendOp(o.last, &travels)
	} else {
		var err error
		if o.last, err = crdt.AppendFlat(o.last, &travels); err != nil {
			return err
		}
	}
	if len(o.last) >= messageSize {
		o.messages, o.last = append(o.messages, o.last), nil
	}
	return nil
}

// delete adds the deletion of an entity by its number on the bridge, which both forms can express.
func (o *outbox) delete(wire crdt.Entity) {
	_ = o.add(&crdt.Op{Kind: crdt.DeleteEntity, Entity: wire})
}

// digest adds a digest. Only the protobuf form has digests.
func (o *outbox) digest(d *crdt.Digest) {
	o.last = crdt.AppendDigest(o.last, d, false)
}

// take returns what has been added since the last call.
func (o *outbox) take() [][]byte {
	all := o.messages
	if len(o.last) > 0 {
		all = append(all, o.last)
	}
	o.messages, o.last = nil, nil
	return all
}
