package wire

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// MaxMotion is for how many pieces one message may have points (S12).
const MaxMotion = 200

// checkUp returns an error for a message from a client that protobuf accepts and S9 does not allow.
func checkUp(u *holtpb.Up) error {
	switch m := u.GetUp().(type) {
	case *holtpb.Up_Motion:
		return checkMotion(m.Motion)
	case *holtpb.Up_Cursor:
		if !onTable(m.Cursor.GetX()) || !onTable(m.Cursor.GetY()) {
			return errOffTable
		}
		return checkTime(m.Cursor.GetAt())
	case *holtpb.Up_Commit:
		return checkDigest(m.Commit.GetHash())
	case *holtpb.Up_Reveal:
		return checkDigest(m.Reveal.GetEntropy())
	case *holtpb.Up_Updates:
		if n := m.Updates.GetRequest(); n == 0 || n > uint64(id.VersionMax) {
			return fmt.Errorf("request %d is not from 1 to 2^53-1", n)
		}
		return nil
	case *holtpb.Up_Resync, *holtpb.Up_Ping, *holtpb.Up_Away:
		return nil
	default:
		return errors.New("nothing in it that is known")
	}
}

var errOffTable = fmt.Errorf("a place is beyond %d units", table.MaxCoordinate)

func checkMotion(m *holtpb.Motion) error {
	n := len(m.GetPieces())
	switch {
	case n == 0 || n > MaxMotion:
		return fmt.Errorf("%d pieces, not 1 to %d", n, MaxMotion)
	case len(m.GetX()) != n || len(m.GetY()) != n:
		return fmt.Errorf("columns of %d, %d and %d", n, len(m.GetX()), len(m.GetY()))
	case slices.Contains(m.GetPieces(), 0):
		return errors.New("no piece has the id 0")
	}
	for i := range n {
		if !onTable(m.GetX()[i]) || !onTable(m.GetY()[i]) {
			return errOffTable
		}
	}
	return checkTime(m.GetAt())
}

func onTable(x int32) bool { return x >= -table.MaxCoordinate && x <= table.MaxCoordinate }

func checkTime(at uint64) error {
	if at >= 1<<48 {
		return fmt.Errorf("time %d is not below 2^48", at)
	}
	return nil
}

// Segment is a linear segment of the path of a piece, or of a seat's cursor (S12, S13).
type Segment struct {
	ID   uint32
	From id.Millis
	Span id.Millis // at least 1
	// The two ends, in table units.
	X0, Y0, X1, Y1 int32
}

// MotionsEvents returns events for the segments of pieces in a frame made at now. Segments with the
// same time and span share an event. It sorts s.
func MotionsEvents(now id.Millis, s []Segment) []*holtpb.Event {
	return paths(now, s, func(p *holtpb.Paths) *holtpb.Event {
		return &holtpb.Event{Event: &holtpb.Event_Motions{Motions: p}}
	})
}

// CursorsEvents is MotionsEvents for cursors.
func CursorsEvents(now id.Millis, s []Segment) []*holtpb.Event {
	return paths(now, s, func(p *holtpb.Paths) *holtpb.Event {
		return &holtpb.Event{Event: &holtpb.Event_Cursors{Cursors: p}}
	})
}

func paths(
	now id.Millis, stretches []Segment, event func(*holtpb.Paths) *holtpb.Event,
) []*holtpb.Event {
	slices.SortFunc(stretches, func(a, b Segment) int {
		switch {
		case a.From != b.From:
			return int(a.From - b.From)
		case a.Span != b.Span:
			return int(a.Span - b.Span)
		default:
			return int(a.ID) - int(b.ID)
		}
	})
	var all []*holtpb.Event
	for len(stretches) > 0 {
		first := stretches[0]
		n := slices.IndexFunc(stretches, func(s Segment) bool {
			return s.From != first.From || s.Span != first.Span
		})
		if n < 0 {
			n = len(stretches)
		}
		all = append(all, event(columns(now, stretches[:n])))
		stretches = stretches[n:]
	}
	return all
}

func columns(now id.Millis, s []Segment) *holtpb.Paths {
	p := &holtpb.Paths{Lag: small(now - s[0].From), Span: small(s[0].Span)}
	last := uint32(0)
	for _, at := range s {
		p.Ids = append(p.Ids, at.ID-last)
		last = at.ID
		p.X, p.Y = append(p.X, at.X1), append(p.Y, at.Y1)
		p.Dx, p.Dy = append(p.Dx, at.X0-at.X1), append(p.Dy, at.Y0-at.Y1)
	}
	return p
}

// small returns a number of milliseconds within the bounds of the wire.
func small(ms id.Millis) uint32 {
	return uint32(min(max(ms, 0), math.MaxUint32))
}

// Segments reads motion or cursors from a frame that was made at now, as a client does. The error
// wraps ErrFrame.
func Segments(now id.Millis, p *holtpb.Paths) ([]Segment, error) {
	n := len(p.GetIds())
	if len(p.GetX()) != n || len(p.GetY()) != n ||
		len(p.GetDx()) != n || len(p.GetDy()) != n || p.GetSpan() == 0 {
		return nil, fmt.Errorf("%w: columns of paths do not fit", ErrFrame)
	}
	all := make([]Segment, n)
	name := uint32(0)
	for i := range all {
		name += p.GetIds()[i]
		x, y := p.GetX()[i], p.GetY()[i]
		all[i] = Segment{
			ID: name, From: now - id.Millis(p.GetLag()), Span: id.Millis(p.GetSpan()),
			X0: x + p.GetDx()[i], Y0: y + p.GetDy()[i], X1: x, Y1: y,
		}
	}
	return all, nil
}
