package wire

import (
	"bytes"
	"errors"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/proto/holtpb"
)

// spliced makes a frame from its parts.
func spliced(t testing.TB, f *holtpb.Frame) []byte {
	t.Helper()
	b := AppendHead(nil, id.Millis(f.GetTime()), id.Version(f.GetMark()))
	for _, e := range f.GetEvents() {
		var err error
		if b, err = AppendEvent(b, e); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// FuzzSplice shows that a frame that is made from its parts has the same bytes as one that is
// encoded as a whole (S3).
func FuzzSplice(f *testing.F) {
	for _, c := range frameCases() {
		b, err := EncodeFrame(c.frame)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, c := range oddEncodings() {
		f.Add(unhex(f, c.hex))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		frame, err := DecodeFrame(b)
		if err != nil {
			return
		}
		frame.ProtoReflect().SetUnknown(nil)
		want, err := EncodeFrame(frame)
		if err != nil {
			t.Fatal(err)
		}
		if got := spliced(t, frame); !bytes.Equal(got, want) {
			t.Errorf("S3 spliced\n%x, encoded\n%x", got, want)
		}
	})
}

// cools returns the curves of a die that was rolled at a time.
func cools(rolled id.Millis) table.Curves {
	c, _ := table.NewCurves(rolled, []table.Curve{
		{Property: table.PropertyCooldown, Start: 1200, Rate: -1, Max: 1200},
	})
	return c
}

func drawShown(t *rapid.T, name string) table.Shown {
	return table.Shown{
		Kind: rapid.Uint32Max(2).Draw(t, name+" kind"), X: rapid.Int32().Draw(t, name+" x"),
		Y:        rapid.Int32Range(-1, 1).Draw(t, name+" y"),
		Angle:    rapid.Int32Range(0, table.FullTurn-1).Draw(t, name+" angle"),
		Face:     rapid.Int32Range(0, 1).Draw(t, name+" face"),
		Z:        zlevel.Level(rapid.StringMatching(`0\.[0-9]{0,200}[1-9]`).Draw(t, name+" z")),
		ZVersion: id.Version(rapid.Uint64Range(0, 99).Draw(t, name+" z mark")),
		Pinned:   rapid.Bool().Draw(t, name+" pinned"),
		Locked:   rapid.Bool().Draw(t, name+" locked"), Gone: rapid.Bool().Draw(t, name+" gone"),
		Holder: id.Seat(rapid.Uint32Max(1).Draw(t, name+" holder")),
		Owner:  id.Seat(rapid.Uint32Max(1).Draw(t, name+" owner")),
		Value:  rapid.Int32().Draw(t, name+" value"),
		Text:   rapid.SampledFrom([]string{"", "a", "a note"}).Draw(t, name+" text"),
		Team: rapid.SampledFrom([]table.Team{"", "\x00\x02", "\x00\x02\x01\x00"}).Draw(t,
			name+" team"),
		Set:     rapid.Uint32Max(2).Draw(t, name+" set"),
		IsClock: rapid.Bool().Draw(t, name+" is a clock"),
		Clock:   table.Clock{Left: [2]int32{rapid.Int32Range(0, 1).Draw(t, name+" clock")}},
		Renamed: id.Piece(rapid.Uint32Max(1).Draw(t, name+" renamed")),
		Curves: rapid.SampledFrom([]table.Curves{{}, cools(1), cools(1 << 41)}).Draw(t,
			name+" curves"),
	}
}

// TestUpdate shows that an update which is encoded once says the same to each view, with the view's
// own version, as an event made for that view (T21).
func TestUpdate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := table.Entry{
			Op:   table.Op(rapid.Uint8().Draw(t, "op")),
			Seat: id.Seat(rapid.Uint32Max(3).Draw(t, "seat")),
		}
		before, after := drawShown(t, "before"), drawShown(t, "after")
		before.Name = id.Piece(rapid.Uint32().Draw(t, "piece"))
		after.Name = before.Name
		if rapid.Bool().Draw(t, "new") {
			before = table.Shown{}
		}
		levelled := rapid.Bool().Draw(t, "levelled")
		number := func(version id.Version) { // as in a view in which the entry has that version
			if after.Version = version; levelled {
				after.ZVersion = version
			} else {
				after.ZVersion = before.ZVersion
			}
		}
		versions := rapid.SliceOfN(rapid.Uint64Range(100, uint64(id.VersionMax)), 2, 3).Draw(t, "marks")
		number(id.Version(versions[0]))
		u, err := EncodeUpdate(&e, &before, &after)
		if err != nil {
			t.Fatal(err)
		}
		frame, want := AppendHead(nil, 1, 2), &holtpb.Frame{Time: 1, Mark: 2}
		for _, m := range versions {
			number(id.Version(m))
			frame = u.Append(frame, id.Version(m))
			want.Events = append(want.Events, updateEvent(&e, &before, &after))
			again := u.Append(nil, id.Version(versions[0])) // this measures u for other versions
			same := protowire.SizeVarint(versions[0]) == protowire.SizeVarint(m)
			if u.VersionAt(len(again)).Renumber(again, id.Version(m)) != same ||
				same && !bytes.HasSuffix(frame, again) {
				t.Errorf("T21 %d is replaced by %d in\n%x", versions[0], m, again)
			}
		}
		got, err := DecodeFrame(frame)
		if err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(got, want) {
			t.Errorf("T21 spliced\n%v, made for the views\n%v", got, want)
		}
		whole, err := EncodeFrame(want)
		if err != nil {
			t.Fatal(err)
		}
		if len(frame) != len(whole) {
			t.Errorf("T21 %d bytes spliced, %d as a whole", len(frame), len(whole))
		}
	})
}

func TestUnencodable(t *testing.T) {
	bad := SeatEvent(&table.SeatInfo{Seat: 1, Nick: "\xff"}, holtpb.Presence_PRESENCE_LOST)
	head := AppendHead(nil, 1, 2)
	if got, err := AppendEvent(head, bad); err == nil || !bytes.Equal(got, head) {
		t.Errorf("S3 a text that is not UTF-8 gives %x, %v", got, err)
	}
	e := table.Entry{}
	if _, err := EncodeUpdate(&e, &table.Shown{}, &table.Shown{Z: "\xff"}); err == nil {
		t.Error("S3 a level that is not UTF-8 is encoded")
	}
}

func TestUps(t *testing.T) {
	b, err := EncodeUp(ResyncUp())
	if err != nil {
		t.Fatal(err)
	}
	up, err := DecodeUp(b)
	if err != nil || up.GetResync() == nil {
		t.Errorf("S9 a request for the full state is read as %v, %v", up, err)
	}
	large := ResyncUp()
	// Field 15.
	large.ProtoReflect().SetUnknown(append([]byte{0x7a, 0x80, 0x20}, make([]byte, MaxUp)...))
	for name, up := range map[string]*holtpb.Up{"nothing": {}, "too much": large} {
		if b, err := EncodeUp(up); !errors.Is(err, ErrFrame) {
			t.Errorf("S9 %s is encoded as %d bytes, %v", name, len(b), err)
		}
	}
}

// updateEvent returns the event that EncodeUpdate encodes, as a message.
func updateEvent(e *table.Entry, before, after *table.Shown) *holtpb.Event {
	p := PieceChange(before, after)
	if before.Name == 0 {
		p.Kind = proto.Uint32(after.Kind)
	}
	return &holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{
		Piece: p, By: uint32(e.Seat), Op: holtpb.Op(e.Op),
	}}}
}

// What a view is shown of an entry stays on the stack of whoever encodes it: a tick encodes
// thousands of entries.
func TestEncodingTakesMemoryForItsBytesOnly(t *testing.T) {
	e := table.Entry{Seat: 3, Op: table.OpMove}
	allocs := testing.AllocsPerRun(100, func() {
		before := table.Shown{Name: 7, X: 1, Curves: table.Curves{From: 5}}
		after := before
		after.X = 2
		if _, err := EncodeUpdate(&e, &before, &after); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 1 {
		t.Errorf("encoding an update took memory %v times, want once", allocs)
	}
}
