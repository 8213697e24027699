package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/logpb"
)

func TestSetsInTheLog(t *testing.T) {
	left := table.SetInfo{
		Set: id.OID{1, 15: 9}, Number: 3, Seat: 2, Shuffles: 1 << 60, Away: table.AwayLost,
		Until: 77, Stage: table.StageMake,
		Parts: []table.SetPart{
			{Part: 0, Kind: 4, Face: 1}, {Part: 4000, Kind: 5, Value: -7, Text: "é"},
		},
	}
	t.Run("T3, T37 a set is read back as stored", func(t *testing.T) {
		e := table.Entry{Gen: 7, At: 5, Op: table.OpErrand, Seat: 2, Server: true, Set: &left}
		b, err := EncodeEntry(&e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeEntry(b)
		if d := cmp.Diff(e, back); err != nil || d != "" {
			t.Errorf("%v %s", err, d)
		}
	})
	t.Run("T3, T37 a piece names its set", func(t *testing.T) {
		e := table.Entry{
			Gen: 7, Op: table.OpPlace, Made: true, Piece: id.OID{2}, Name: 5,
			After: table.State{Z: "0.5", Set: id.OID{1}, Part: 4000},
		}
		b, err := EncodeEntry(&e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeEntry(b)
		if err != nil || back.After != e.After {
			t.Errorf("%v, %+v", err, back.After)
		}
	})
	t.Run("T3, T37 a snapshot has the sets", func(t *testing.T) {
		im := table.Image{Gen: 7, Sets: []table.SetInfo{left}, LastSet: 9, Tracked: true,
			Blurred: []table.Look{{Mask: 3}, {Mask: 3, Heavy: true}}}
		b, err := EncodeImage(&im)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeImage(b)
		if err != nil || back.LastSet != 9 || !back.Tracked ||
			cmp.Diff(back.Blurred, im.Blurred) != "" || cmp.Diff(back.Sets, im.Sets) != "" {
			t.Errorf("%v, %+v", err, back)
		}
	})
	t.Run("T3, T102 the mark of a rewind says what was known", func(t *testing.T) {
		e := table.Entry{Gen: 7, Op: table.OpRewind, Rewound: &table.Rewound{
			Save: 3, Kind: table.SaveNamed, Tracked: true,
			Blurred: []table.Look{{Mask: 3}, {Mask: 3, Heavy: true}},
		}}
		b, err := EncodeEntry(&e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeEntry(b)
		if err != nil || cmp.Diff(back.Rewound, e.Rewound) != "" {
			t.Errorf("%v, %+v", err, back.Rewound)
		}
		if size := e.Size(); len(b) > size {
			t.Errorf("it has %d bytes, and Size says at most %d", len(b), size)
		}
	})
	for name, bad := range map[string]*logpb.Set{
		"without an identifier":  {Set: nil},
		"with half of one":       {Set: make([]byte, 8)},
		"with an unknown reason": {Set: make([]byte, 16), Away: 6},
		"at an unknown stage":    {Set: make([]byte, 16), Stage: 4},
		"with too many parts": {Set: make([]byte, 16), Parts: make([]*logpb.Part,
			table.MaxParts+1)},
		"with an endless text": {Set: make([]byte, 16), Parts: []*logpb.Part{
			{Text: string(make([]byte, table.MaxText+1))},
		}},
	} {
		t.Run("T37 a set is refused "+name, func(t *testing.T) {
			var d decoder
			if d.set(bad); d.err == nil {
				t.Error("it is read")
			}
		})
	}
}
