package wire

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/proto/logpb"
)

// Recorded is what one published frame had of motion (K17).
type Recorded struct {
	At       id.Millis // the time of the frame
	Seats    []id.Seat // those that it was sent to; nil: everybody
	Segments []Segment
	Ended    []id.Piece // pieces whose motion an update in the frame ended
	AllEnded bool       // all recorded motion before the frame has ended
}

// motionFrames is the number of the field of a chunk that has its frames (log.proto).
const motionFrames protowire.Number = 1

// AppendRecorded appends a frame to a chunk of recorded motion. It sorts the segments.
func AppendRecorded(chunk []byte, f *Recorded) ([]byte, error) {
	m := &logpb.MotionFrame{At: int64(f.At), AllEnded: f.AllEnded}
	for _, s := range f.Seats {
		m.Seats = append(m.Seats, uint32(s))
	}
	for _, p := range f.Ended {
		m.Ended = append(m.Ended, uint32(p))
	}
	for _, e := range MotionsEvents(f.At, f.Segments) {
		var err error
		if m.Events, err = AppendEvent(m.Events, e); err != nil {
			return chunk, fmt.Errorf("encode recorded motion: %w", err)
		}
	}
	return appendMessage(chunk, motionFrames, m)
}

// DecodeRecording reads a chunk of recorded motion. The error wraps ErrFrame.
func DecodeRecording(chunk []byte) ([]Recorded, error) {
	var m logpb.Motion
	if err := proto.Unmarshal(chunk, &m); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	all := make([]Recorded, 0, len(m.GetFrames()))
	for _, f := range m.GetFrames() {
		r, err := recordedOf(f)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

func recordedOf(m *logpb.MotionFrame) (r Recorded, err error) {
	r.At, r.AllEnded = id.Millis(m.GetAt()), m.GetAllEnded()
	if r.At < 1 || r.At > curve.MaxTime {
		return r, fmt.Errorf("%w: motion was recorded at %d", ErrFrame, r.At)
	}
	for _, s := range m.GetSeats() {
		if s > math.MaxUint16 {
			return r, fmt.Errorf("%w: there is no seat %d", ErrFrame, s)
		}
		r.Seats = append(r.Seats, id.Seat(s))
	}
	for _, p := range m.GetEnded() {
		r.Ended = append(r.Ended, id.Piece(p))
	}
	f, err := DecodeFrame(m.GetEvents())
	if err != nil {
		return r, err
	}
	for _, e := range f.GetEvents() {
		of, err := Segments(r.At, e.GetMotions())
		if err != nil {
			return r, err
		}
		r.Segments = append(r.Segments, of...)
	}
	return r, nil
}

// Curve returns a segment of a path that was published in a frame of a time, as a segment of a
// curve (S12).
func (s *Segment) Curve(at id.Millis) curve.Segment {
	return curve.Segment{
		Version: curve.Version{Tick: at}, From: s.From, To: s.From + s.Span, Kind: curve.Linear,
		Start: curve.Value{s.X0, s.Y0}, End: curve.Value{s.X1, s.Y1},
	}
}
