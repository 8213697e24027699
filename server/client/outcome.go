package client

import (
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// ack takes an acknowledged update of the client's own (T10). It never lowers the version of a
// piece (S5).
func (r *viewState) ack(m *holtpb.Ack, to []Event) []Event {
	seq := id.ClientSeq(m.GetSeq())
	n, ok := r.take(seq)
	if i := slices.IndexFunc(
		r.dropped, func(d pendingUpdate) bool { return d.update.Seq == seq },
	); !ok && i >= 0 {
		n, ok = r.dropped[i], true
		r.dropped = slices.Delete(r.dropped, i, i+1)
	}
	name, version := id.Piece(m.GetPiece().GetId()), id.Version(m.GetPiece().GetMark())
	p, here := r.pieces[name]
	if r.renewal == nil {
		to = r.parts.piece(m.GetPiece(), n.update.Op, to)
	}
	if r.renewal != nil && n.update.Has&table.HasTag != 0 {
		r.settleAck(&n, name, id.Piece(m.GetMade()))
	}
	if here && r.renewal != nil {
		p.Version = max(p.Version, version) // the full state contains its effect
		r.pieces[name] = p
	} else if here && version > p.Version {
		if ok {
			effect(&p, &n.update, r.you)
		} else {
			r.requestFull() // recorded, but its content is unknown
		}
		p.Version = version
		overlay(&p, m.GetPiece())
		r.pieces[name] = p
		if now := id.Piece(m.GetPiece().GetRenamed()); now != 0 {
			r.rename(name, now)
			p = r.pieces[now]
		}
	}
	if !ok {
		return to
	}
	return append(
		to, Event{Kind: Acked, Seq: seq, Op: n.update.Op, Piece: p, Made: id.Piece(m.GetMade())},
	)
}

// settleAck records that a full state contains the effect of a tagged update. If that update
// renamed the piece (T21), meet learns the new identifier from the ack.
func (r *viewState) settleAck(n *pendingUpdate, name, made id.Piece) {
	was, old := r.renewal, n.piece
	if _, known := was.before[name]; name != 0 && made == 0 && !known {
		was.before[name] = was.before[old]
		n.piece = name
		for i := range r.pending {
			if r.pending[i].piece == old {
				r.pending[i].piece = name
			}
		}
	}
	was.done[n.piece] = max(was.done[n.piece], n.update.Seq)
}

// reject takes the server's state of the piece and drops the tagged updates that were sent before
// the client read the reject (T14). A reject that repeats what the client knows only answers its
// own sequence.
func (r *viewState) reject(m *holtpb.Reject, to []Event) []Event {
	seq := id.ClientSeq(m.GetSeq())
	n, ok := r.take(seq)
	name, version := id.Piece(m.GetPiece().GetId()), id.Version(m.GetPiece().GetMark())
	p, here := r.pieces[name]
	news := name != 0 && (!here || version > p.Version)
	if news {
		p = table.Shown{Name: name, Version: version}
		overlay(&p, m.GetPiece())
		if p.Gone {
			delete(r.pieces, name)
		} else {
			r.pieces[name] = p
		}
	}
	if ok {
		to = append(to, Event{
			Kind: Rejected, Seq: seq, Op: n.update.Op, Piece: p, By: id.Seat(m.GetBy()),
			Reason: table.Reason(m.GetReason()), //nolint:gosec // one of a few
		})
	}
	if !news {
		return to
	}
	for _, n := range r.drop(func(n *pendingUpdate) bool {
		return n.piece == name && n.update.Has&table.HasTag != 0
	}) {
		to = append(to, Event{Kind: Dropped, Seq: n.update.Seq, Op: n.update.Op, Piece: p})
	}
	return to
}

// refuse drops the updates of a batch that the server refused, and asks for the full state (T15).
func (r *viewState) refuse(batch []table.Update, why error, to []Event) []Event {
	r.requestFull()
	for i := range batch {
		if n, ok := r.take(batch[i].Seq); ok {
			to = append(to, Event{
				Kind: Refused, Seq: n.update.Seq, Op: n.update.Op, Piece: r.pieces[n.piece],
				Err: why,
			})
		}
	}
	return to
}
