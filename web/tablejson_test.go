package web

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"holt/server/client"
	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// TestT27ClocksInTheTableAsJSON checks what http.md says of clocks: only they have the field, and
// it is complete.
func TestT27ClocksInTheTableAsJSON(t *testing.T) {
	pieces := []*holtpb.Piece{
		{Id: 12, Mark: 512, Kind: proto.Uint32(3), Z: proto.String("0.5"),
			ZMark: proto.Uint64(512)},
		{Id: 40, Mark: 640, Kind: proto.Uint32(9), X: proto.Int32(3100), Z: proto.String("0.6"),
			ZMark: proto.Uint64(640), Pinned: proto.Bool(true), Clock: &holtpb.Clock{
				Running: 2, Since: 1_780_000_000_123, Left1: 299_000, Left2: 300_000,
				Initial: 300_000, Increment: 2000,
			}},
		{Id: 41, Mark: 641, Kind: proto.Uint32(10), Z: proto.String("0.7"),
			ZMark: proto.Uint64(641), Clock: &holtpb.Clock{}},
	}
	f := &holtpb.Frame{Events: []*holtpb.Event{{Event: &holtpb.Event_Full{
		Full: &holtpb.Full{Pieces: pieces},
	}}}}
	b, err := json.Marshal(documentOf(t, f).Pieces)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"id":12,"mark":512,"kind":3,"x":0,"y":0,"angle":0,"face":0,` +
		`"z":"0.5","zMark":512,"pinned":false,"locked":false,"holder":0,"owner":0},` +
		`{"id":40,"mark":640,"kind":9,"x":3100,"y":0,"angle":0,"face":0,` +
		`"z":"0.6","zMark":640,"pinned":true,"locked":false,"holder":0,"owner":0,` +
		`"clock":{"running":2,"since":1780000000123,"left1":299000,"left2":300000,` +
		`"initial":300000,"increment":2000}},` +
		`{"id":41,"mark":641,"kind":10,"x":0,"y":0,"angle":0,"face":0,` +
		`"z":"0.7","zMark":641,"pinned":false,"locked":false,"holder":0,"owner":0,` +
		`"clock":{"running":0,"since":0,"left1":0,"left2":0,"initial":0,"increment":0}}]`
	if string(b) != want {
		t.Errorf("the pieces are\n%s\nwant\n%s", b, want)
	}
}

func TestT37SetsInTheTableAsJSON(t *testing.T) {
	f := &holtpb.Frame{Events: []*holtpb.Event{{Event: &holtpb.Event_Full{Full: &holtpb.Full{
		Pieces: []*holtpb.Piece{{Id: 4, Set: new(uint32(1))}},
		Sets: []*holtpb.GuestSet{{Id: 1, By: 2, Away: holtpb.Absence_ABSENCE_FROZEN, Until: 77},
			{Id: 2, By: 2}},
	}}}}}
	v := documentOf(t, f)
	b, err := json.Marshal(v.Sets)
	if want := `[{"id":1,"by":2,"away":"frozen","until":77},{"id":2,"by":2}]`; err != nil ||
		string(b) != want || v.Pieces[0].Set != 1 {
		t.Errorf("the sets are %s, want %s; %v", b, want, err)
	}
}

func TestT44SpaceInTheTableAsJSON(t *testing.T) {
	for level, want := range map[holtpb.SpaceLevel]string{0: "", 1: "low", 2: "full", 3: "spent"} {
		f := &holtpb.Frame{Events: []*holtpb.Event{
			{Event: &holtpb.Event_Full{Full: &holtpb.Full{}}},
			{Event: &holtpb.Event_Space{Space: &holtpb.Space{Level: level}}},
		}}
		if v := documentOf(t, f); v.Space != want {
			t.Errorf("level %v is %q, want %q", level, v.Space, want)
		}
	}
}

// Clauses: T45.5, T46.5
func TestT45T46ProblemsOfQuotas(t *testing.T) {
	if p := problemOf(fmt.Errorf("x: %w", room.ErrLogFull)); p.Code != "log-full" ||
		p.status() != 507 {
		t.Errorf("T45 a full log is %v, %d", p, p.status())
	}
	if p := problemOf(&room.TooSoon{After: time.Minute}); p.Code != "too-fast" ||
		p.status() != 429 || p.After != time.Minute {
		t.Errorf("T46 too many rounds are %v", p)
	}
}

func documentOf(t *testing.T, f *holtpb.Frame) *client.Document {
	t.Helper()
	d, err := client.DocumentOf(id.OID{}, f)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
