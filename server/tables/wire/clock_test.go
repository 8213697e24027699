package wire_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

func TestT27ClocksInFrames(t *testing.T) {
	stands := table.Shown{Name: 3, Version: 1, Z: "0.5", IsClock: true, Clock: table.Clock{
		Left: [2]int32{5, 6}, Initial: 7, Increment: 8,
	}}
	runs := stands
	runs.Version, runs.Clock.Running, runs.Clock.Since = 2, 1, 1_780_000_000_123
	zero := table.Shown{Name: 3, Version: 3, Z: "0.5", IsClock: true}
	whole := func(running uint32, since uint64) *holtpb.Clock {
		return &holtpb.Clock{
			Running: running, Since: since, Left1: 5, Left2: 6, Initial: 7, Increment: 8,
		}
	}
	token := table.Shown{Name: 3, Version: 3, Z: "0.5"}
	for _, c := range []struct {
		name string
		got  *holtpb.Piece
		want *holtpb.Clock
	}{
		{"T27.9 in a full state", wire.FullPiece(&stands), whole(0, 0)},
		{"T27 also one that shows only zeros", wire.FullPiece(&zero), &holtpb.Clock{}},
		{"T27 a piece that is not a clock has none", wire.FullPiece(&token), nil},
		{"T27.9 in an update, completely", wire.PieceChange(&stands, &runs), whole(1, 1_780_000_000_123)},
		{"T27 not when it is unchanged", wire.PieceChange(&runs, &runs), nil},
		{"T27 set to zeros", wire.PieceChange(&runs, &zero), &holtpb.Clock{}},
		{"T10.9, T27.7, T59.7 in an ack, as only the server knows the time", wire.PieceFilled(&stands,
			&runs), whole(1, 1_780_000_000_123)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !proto.Equal(c.got.GetClock(), c.want) || (c.got.Clock == nil) != (c.want == nil) {
				t.Errorf("the clock is %v, want %v", c.got.GetClock(), c.want)
			}
		})
	}
}

// TestCurvesInFrames shows how the curves of a piece are sent.
func TestCurvesInFrames(t *testing.T) {
	still := table.Shown{Name: 3, Version: 1, Z: "0.5"}
	cooling, later := still, still
	list := []table.Curve{{Property: table.PropertyCooldown, Start: 900, Rate: -1, Max: 900}}
	var ok [2]bool
	cooling.Curves, ok[0] = table.NewCurves(1_780_000_000_123, list)
	later.Curves, ok[1] = table.NewCurves(1_780_000_009_000, list)
	if !ok[0] || !ok[1] {
		t.Fatal("the curves are refused")
	}
	of := func(from uint64) *holtpb.Curves {
		return &holtpb.Curves{From: from, Curves: []*holtpb.Curve{{
			Property: holtpb.Property_PROPERTY_COOLDOWN, Start: 900, Rate: -1, Max: 900,
		}}}
	}
	for _, c := range []struct {
		name string
		got  *holtpb.Piece
		want *holtpb.Curves
	}{
		{"K16.1 in a full state", wire.FullPiece(&cooling), of(1_780_000_000_123)},
		{"K16.1 none of what stays as it is", wire.FullPiece(&still), nil},
		{"K16.2 in an update", wire.PieceChange(&cooling, &later), of(1_780_000_009_000)},
		{"K16.2 not when they are unchanged", wire.PieceChange(&cooling, &cooling), nil},
		{"K16.3 empty when they have ended", wire.PieceChange(&cooling, &still), &holtpb.Curves{}},
		{"T10.9, K16.2 in an ack", wire.PieceFilled(&still, &cooling), of(1_780_000_000_123)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !proto.Equal(c.got.GetCurves(), c.want) || (c.got.Curves == nil) != (c.want == nil) {
				t.Errorf("the curves are %v, want %v", c.got.GetCurves(), c.want)
			}
			if c.want == nil {
				return
			}
			if back, ok := wire.CurvesOf(c.got.GetCurves()); !ok || len(c.want.GetCurves()) > 0 &&
				back != cooling.Curves && back != later.Curves {
				t.Errorf("a client reads %+v", back)
			}
		})
	}
}
