package wire

import (
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"holt/server/proto/holtpb"
)

// TestFences goes through the table of D33, and shows what is next to each row.
func TestFences(t *testing.T) {
	update := func(p *holtpb.Piece) *holtpb.Event {
		return &holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{Piece: p}}}
	}
	ack := func(p *holtpb.Piece) *holtpb.Event {
		return &holtpb.Event{Event: &holtpb.Event_Ack{Ack: &holtpb.Ack{Seq: 1, Piece: p}}}
	}
	reject := func(p *holtpb.Piece) *holtpb.Event {
		return &holtpb.Event{Event: &holtpb.Event_Reject{Reject: &holtpb.Reject{Seq: 1, Piece: p}}}
	}
	type row struct {
		name   string
		travel Travel
		event  *holtpb.Event
	}
	rows := []row{
		{"Full", Barrier, &holtpb.Event{Event: &holtpb.Event_Full{Full: &holtpb.Full{}}}},
		{"Resumed", Barrier, &holtpb.Event{Event: &holtpb.Event_Resumed{Resumed: &holtpb.Resumed{}}}},
		{"TableInfo", Barrier, &holtpb.Event{Event: &holtpb.Event_Table{Table: &holtpb.TableInfo{}}}},
		{"Seat", Barrier, &holtpb.Event{Event: &holtpb.Event_Seat{Seat: &holtpb.Seat{Id: 1}}}},
		{"Set", Barrier, &holtpb.Event{Event: &holtpb.Event_Set{Set: &holtpb.GuestSet{}}}},
		{"Shuffled", Fence, &holtpb.Event{Event: &holtpb.Event_Shuffled{Shuffled: &holtpb.Shuffled{}}}},
		{"Notice", Fence, &holtpb.Event{Event: &holtpb.Event_Notice{Notice: &holtpb.Notice{}}}},
		{"Faces", Fence, &holtpb.Event{Event: &holtpb.Event_Faces{Faces: &holtpb.Faces{}}}},
		{"Fair", Fence, &holtpb.Event{Event: &holtpb.Event_Fair{Fair: &holtpb.Fair{}}}},
		{"Going", Fence, &holtpb.Event{Event: &holtpb.Event_Going{Going: &holtpb.Going{}}}},
		{"an update without a piece", Fence, update(nil)},
		{"an ack without a piece", Fence, ack(nil)},
		{"a reject without a piece", Ordered, reject(nil)},
	}
	for name, about := range map[string]func(*holtpb.Piece) *holtpb.Event{
		"an update": update, "an ack": ack, "a reject": reject,
	} {
		brings := Fence
		if name == "a reject" {
			brings = Ordered // it has the whole piece, which is known in any case
		}
		rows = append(rows,
			row{
				name + " of a piece that is gone", Fence, about(&holtpb.Piece{Id: 7, Gone: proto.Bool(true)}),
			},
			row{
				name + " of a piece that is renamed", Fence,
				about(&holtpb.Piece{Id: 7, Renamed: proto.Uint32(8)}),
			},
			row{name + " with an owner", Fence, about(&holtpb.Piece{Id: 7, Owner: proto.Uint32(2)})},
			row{name + " with a team", Fence, about(&holtpb.Piece{Id: 7, Team: &holtpb.Team{}})},
			row{name + " with kind and z_mark", brings, about(
				&holtpb.Piece{Id: 7, Kind: proto.Uint32(2), ZMark: proto.Uint64(4)})},
			row{name + " with a kind", Ordered, about(&holtpb.Piece{Id: 7, Kind: proto.Uint32(2)})},
			row{name + " with a z_mark", Ordered, about(&holtpb.Piece{Id: 7, ZMark: proto.Uint64(4)})},
		)
	}
	travelOf := func(t *testing.T, frame []byte) Travel {
		t.Helper()
		var c Cut
		if err := c.Read(frame); err != nil || len(c.Parts) != 1 {
			t.Fatalf("%x is cut into %+v: %v", frame, c, err)
		}
		return c.Parts[0].Travel
	}
	for _, r := range rows {
		// Clauses: D33.1
		t.Run("D33 "+r.name, func(t *testing.T) {
			frame, err := EncodeFrame(&holtpb.Frame{Events: []*holtpb.Event{r.event}})
			if err != nil {
				t.Fatal(err)
			}
			if got := travelOf(t, frame); got != r.travel {
				t.Errorf("it travels as %d, want %d", got, r.travel)
			}
		})
	}
	t.Run("D33.1 an event that is not known is a fence", func(t *testing.T) {
		event := protowire.AppendBytes(protowire.AppendTag(nil, 1000, protowire.BytesType), []byte{8, 7})
		frame := protowire.AppendBytes(protowire.AppendTag(nil, frameEvents, protowire.BytesType), event)
		if got := travelOf(t, frame); got != Fence {
			t.Errorf("it travels as %d", got)
		}
	})
}
