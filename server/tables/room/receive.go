package room

import (
	"errors"
	"fmt"

	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// Bounds on the messages of one client in a second (S9).
const (
	maxUps   = 100  // beyond them they are ignored
	floodUps = 1000 // beyond them the stream is closed
	// Batches of updates have a rate of their own (http.md) and are never ignored. Beyond these,
	// which are more than that rate allows at once, the stream is closed.
	floodBatches = 5000
)

var errUpdatesHere = errors.New("updates come by datagrams or by HTTP")

// receive takes a message that a client has sent over its stream (S9). It runs on the carrier's
// goroutine.
func (r *room) receive(a *attached, msg []byte) error {
	if wire.HasUpdates(msg) {
		if !a.batches.take(floodBatches) {
			return stream.ErrFlood
		}
	} else if !a.ups.take(maxUps) {
		if a.ups.taken > floodUps {
			return stream.ErrFlood
		}
		return nil
	}
	up, err := wire.DecodeUp(msg)
	if err != nil {
		return err
	}
	switch m := up.GetUp().(type) {
	case *holtpb.Up_Resync: // the answer that is due also answers further requests
		if !a.fullRequested.Swap(true) {
			r.later(func() { r.resync(a) })
		}
	case *holtpb.Up_Ping:
		return r.pong(a, m.Ping.GetNonce())
	case *holtpb.Up_Motion:
		r.later(func() { r.carry(a, m.Motion) })
	case *holtpb.Up_Cursor:
		r.later(func() { r.point(a, m.Cursor) })
	case *holtpb.Up_Commit:
		r.later(func() { r.addCommitment(a, m.Commit) })
	case *holtpb.Up_Reveal:
		r.later(func() { r.revealShare(a, m.Reveal) })
	case *holtpb.Up_Updates:
		if a.updates == nil {
			return errUpdatesHere
		}
		a.updates(m.Updates, func(e *holtpb.Event) { r.answerOnStream(a, e) })
	case *holtpb.Up_Away:
		r.later(func() { r.setAway(a, m.Away.GetAway()) })
	}
	return nil
}

// answerOnStream answers a batch that came on a stream (D40). If the client reads so little that
// the outbox is full, the answer is lost with what else is there; then the client posts the batch.
func (r *room) answerOnStream(a *attached, e *holtpb.Event) {
	frame, err := wire.AppendEvent(wire.AppendHead(nil, r.now(), 0), e)
	if err != nil {
		r.log.Error("answer to updates not encoded", "error", err)
		return
	}
	a.stream.Push(frame)
}

// pong answers a ping at once (S15). It does not need the room's goroutine to know the time.
func (r *room) pong(a *attached, nonce uint64) error {
	frame, err := wire.AppendEvent(wire.AppendHead(nil, r.now(), 0), wire.PongEvent(nonce))
	if err != nil {
		return fmt.Errorf("answer a ping: %w", err)
	}
	a.stream.Push(frame)
	return nil
}
