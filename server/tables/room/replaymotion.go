package room

import (
	"context"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/wire"
)

// Beside a replay there is the motion that was recorded (K17), as frames with nothing else
// (T73.18). Both have the server's time. So a page shows where pieces were between two updates.

// ReplayMotion returns a page of the recorded motion of the table of s, as its view was sent it:
// the frames after a time, or the first ones if that is 0. With open hands it has what everybody
// was sent. Errors: ErrClosedHands, ErrBusy, ErrDamaged, a TooFast.
func (rs *Rooms) ReplayMotion(
	ctx context.Context, s Session, after id.Millis, sight Sight,
) (ReplayPage, error) {
	p, err := inSession(ctx, rs, s, func(r *room) (*motionPage, error) {
		p := &motionPage{
			seat: s.Seat, after: after, at: after, until: max(r.now(), r.motions.sentTo[s.Seat]),
		}
		if sight == OpenHands {
			p.seat = 0
			if p.until, _ = r.table.Opened(); p.until == 0 {
				return nil, ErrClosedHands
			}
		}
		if err := r.chargeReplay(s.Seat); err != nil {
			return nil, err
		}
		// What waits is stored before this is answered. So a page does not tell by its end how much
		// motion that others do not see waits with it.
		r.recorder.finish()
		return p, nil
	})
	if err != nil {
		return ReplayPage{}, err
	}
	if err := offer(ctx, nil, rs.logPlaces, struct{}{}, busyAfter); err != nil {
		return ReplayPage{}, err
	}
	defer func() { <-rs.logPlaces }()
	if err := p.make(ctx, rs.cfg.Store, s.Table); err != nil {
		return ReplayPage{}, storeError(fmt.Errorf("read recorded motion: %w", err))
	}
	return p.page, nil
}

// motionPage makes a page of recorded motion.
type motionPage struct {
	// Set at construction.
	seat  id.Seat // whose view it shows; 0: what everybody was sent
	after id.Millis
	until id.Millis // the last time that it may have

	page ReplayPage
	size int       // bytes of the page
	last id.Millis // the time of its last frame

	// The frame that is being made.
	at       id.Millis
	segments []wire.Segment
}

// errEnough ends the reading of recorded motion.
var errEnough = errors.New("there is enough")

func (p *motionPage) make(ctx context.Context, store Store, table id.OID) error {
	err := store.Motion(ctx, table, p.after, func(chunk []byte) error {
		frames, err := wire.DecodeRecording(chunk)
		for i := range frames {
			if err == nil {
				err = p.take(&frames[i])
			}
		}
		return err
	})
	switch {
	case err == nil:
		_, err = p.finishFrame()
		return err
	case errors.Is(err, errEnough):
		return nil
	default:
		return err
	}
}

// take adds what the view was sent of a recorded frame. The times of frames that only some seats
// were sent may be ahead of those that follow. A view gets them in order, as its stream did, so
// that no time comes back.
func (p *motionPage) take(f *wire.Recorded) error {
	if len(f.Segments) == 0 || !Sees(f, p.seat) {
		return nil
	}
	if at := max(f.At, p.at); at != p.at {
		full, err := p.finishFrame()
		switch {
		case err != nil:
			return err
		case full:
			p.page.Next = p.last
			return errEnough
		case at > p.until:
			return errEnough
		}
		p.at = at
	}
	p.segments = append(p.segments, f.Segments...)
	return nil
}

// finishFrame ends the frame that is being made. It reports, instead, that the page is full and the
// frame begins the next one.
func (p *motionPage) finishFrame() (full bool, err error) {
	segments := p.segments
	p.segments = p.segments[:0]
	switch {
	case len(segments) == 0 || p.at <= p.after: // an earlier page has it
		return false, nil
	case p.size >= MaxReplayPage:
		return true, nil
	}
	frame := wire.AppendHead(nil, p.at, 0)
	for _, e := range wire.MotionsEvents(p.at, segments) {
		if frame, err = wire.AppendEvent(frame, e); err != nil {
			return false, err
		}
	}
	p.page.Frames = append(p.page.Frames, frame)
	p.size += len(frame)
	p.last = p.at
	return false, nil
}
