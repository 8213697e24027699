package client

import (
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// pendingUpdate is an update of the client's own that has no outcome yet.
type pendingUpdate struct {
	update table.Update
	// The current identifier. An update that was posted once is posted again unchanged (T10, T21).
	piece  id.Piece
	sent   bool // posted on this stream; a new stream sends it again (S5)
	posted bool // posted on some stream
}

// tagged reports whether a server update of the piece is in conflict with it.
func (n *pendingUpdate) tagged() bool { return n.update.Has&table.HasTag != 0 && !n.update.Loose() }

// maxPending is how many updates of a client may be pending. The server remembers 512 outcomes
// (T10).
const maxPending = 256

// addPending numbers and tags an update and adds it to the pending ones.
func (r *viewState) addPending(u table.Update) (id.ClientSeq, error) {
	switch {
	case !r.hasFull:
		return 0, ErrNotSynchronised
	case len(r.pending) >= maxPending:
		return 0, ErrTooMany
	}
	if u.Has&table.HasPiece != 0 {
		p, ok := r.pieces[u.Piece]
		if !ok {
			return 0, ErrGone
		}
		if !u.Op.Blind() {
			if slices.ContainsFunc(r.pending, func(n pendingUpdate) bool {
				return n.piece == u.Piece && n.update.Loose()
			}) {
				return 0, ErrLoose
			}
			u.Tag, u.Has = p.Version, u.Has|table.HasTag
		}
	}
	r.last++
	u.Seq = r.last
	r.pending = append(r.pending, pendingUpdate{update: u, piece: u.Piece})
	return u.Seq, nil
}

// unsent returns the unsent updates that fit into one batch (http.md), by sequence, and marks them
// as sent.
func (r *viewState) unsent() []table.Update {
	var us []table.Update
	size := 0
	for i := range r.pending {
		n := &r.pending[i]
		if !r.open || n.sent {
			continue
		}
		if size += textBound(&n.update); len(us) == wire.MaxBatch ||
			size > wire.MaxBatchBytes-textBound(&table.Update{}) {
			break
		}
		n.sent, n.posted = true, true
		us = append(us, n.update)
	}
	return us
}

// small returns the unsent updates below limit that fit into one message (D14), and the present
// names of their pieces. If the first one alone does not fit, it returns that one.
func (r *viewState) small(limit id.ClientSeq) (us []table.Update, names []id.Piece) {
	size := 64 // what stands around the updates
	for i := range r.pending {
		n := &r.pending[i]
		if !r.open || n.sent {
			continue
		}
		size += wire.UpdateSize(&n.update) + 1
		if n.update.Seq > limit || len(us) > 0 && size > maxSmallBatch {
			break
		}
		us = append(us, n.update)
		if n.piece != 0 {
			names = append(names, n.piece)
		}
	}
	return us, names
}

// markSent marks updates as sent. They are those that small has returned.
func (r *viewState) markSent(us []table.Update) {
	r.eachOf(us, func(n *pendingUpdate) { n.sent, n.posted = true, true })
}

// unsend marks those of the updates that are still pending as unsent: the server has not judged
// them, as far as is known.
func (r *viewState) unsend(us []table.Update) {
	r.eachOf(us, func(n *pendingUpdate) { n.sent = false })
}

// eachOf calls f for those of the updates that are pending.
func (r *viewState) eachOf(us []table.Update, f func(*pendingUpdate)) {
	for i := range us {
		if at, ok := r.find(us[i].Seq); ok {
			f(&r.pending[at])
		}
	}
}

// waits reports whether an update waits to be sent.
func (r *viewState) waits() bool {
	return slices.ContainsFunc(r.pending, func(n pendingUpdate) bool { return !n.sent })
}

// textBound is an upper bound of an update's size in a batch, in bytes. The fields other than Z
// level, text and list take less than 256.
func textBound(u *table.Update) int { return 256 + len(u.Z) + 6*len(u.Text) + 11*len(u.Pieces) }

// lowest returns the lowest pending sequence, or 0 if there is none (S1).
func (r *viewState) lowest() id.ClientSeq {
	if len(r.pending) == 0 {
		return 0
	}
	return r.pending[0].update.Seq
}

// find returns the index of the pending update with a sequence. It reports false if there is none.
func (r *viewState) find(seq id.ClientSeq) (int, bool) {
	return slices.BinarySearchFunc(r.pending, seq, func(n pendingUpdate, seq id.ClientSeq) int {
		return int(n.update.Seq) - int(seq) //nolint:gosec // at most 2^53-1
	})
}

// take removes and returns the pending update with a sequence. It reports false if there is none.
func (r *viewState) take(seq id.ClientSeq) (pendingUpdate, bool) {
	i, ok := r.find(seq)
	if !ok {
		return pendingUpdate{}, false
	}
	n := r.pending[i]
	r.pending = slices.Delete(r.pending, i, i+1)
	return n, true
}

// drop removes and returns the updates that match.
func (r *viewState) drop(match func(*pendingUpdate) bool) []pendingUpdate {
	var dropped []pendingUpdate
	r.pending = slices.DeleteFunc(r.pending, func(n pendingUpdate) bool {
		if !match(&n) {
			return false
		}
		dropped = append(dropped, n)
		return true
	})
	return dropped
}
