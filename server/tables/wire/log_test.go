package wire_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/proto/logpb"
	"holt/server/tables/wire"
)

func drawState(t *rapid.T, name string) table.State {
	return table.State{
		Kind: rapid.Uint32().Draw(t, name+" kind"), X: rapid.Int32().Draw(t, name+" x"),
		Y:      rapid.Int32().Draw(t, name+" y"),
		Angle:  rapid.Int32Range(0, table.FullTurn-1).Draw(t, name+" angle"),
		Face:   rapid.Int32Range(0, 64).Draw(t, name+" face"),
		Z:      zlevel.Level(rapid.StringMatching(`0\.[0-9]{0,20}[1-9]`).Draw(t, name+" z")),
		ZGen:   id.Generation(rapid.Uint64().Draw(t, name+" zgen")),
		Pinned: rapid.Bool().Draw(t, name+" pinned"),
		Locked: rapid.Bool().Draw(t, name+" locked"), Gone: rapid.Bool().Draw(t, name+" gone"),
		Holder: id.Seat(rapid.Uint32().Draw(t, name+" holder")),
		Owner:  id.Seat(rapid.Uint32().Draw(t, name+" owner")),
		Clock:  drawClock(t, name), Team: drawTeam(t, name),
		In:     id.Piece(rapid.Uint32().Draw(t, name+" in")),
		Home:   id.Piece(rapid.Uint32().Draw(t, name+" home")),
		Value:  rapid.Int32Range(-table.MaxValue, table.MaxValue).Draw(t, name+" value"),
		Text:   rapid.StringN(0, 500, table.MaxText).Draw(t, name+" text"),
		Rolled: id.Millis(rapid.Int64().Draw(t, name+" rolled")),
		Since:  rapid.Uint32().Draw(t, name+" since"),
	}
}

func drawTeam(t *rapid.T, name string) table.Team {
	seats := rapid.SliceOfNDistinct(rapid.Uint32Range(1,
		table.MaxSeats), 0, table.MaxTeam, rapid.ID).Draw(t, name+" team")
	slices.Sort(seats)
	ids := make([]id.Seat, len(seats))
	for i, s := range seats {
		ids[i] = id.Seat(s)
	}
	team, ok := table.NewTeam(ids)
	if !ok {
		t.Fatalf("%v are no team", ids)
	}
	return team
}

func drawClock(t *rapid.T, name string) table.Clock {
	if rapid.Bool().Draw(t, name+" is not a clock") {
		return table.Clock{}
	}
	time := rapid.Int32Range(0, curve.MaxValue)
	return table.Clock{
		Left:    [2]int32{time.Draw(t, name+" left"), time.Draw(t, name+" left of the other side")},
		Initial: time.Draw(t, name+" initial"), Increment: time.Draw(t, name+" increment"),
		Running: rapid.Uint8Range(0, 2).Draw(t, name+" running"),
		Since:   id.Millis(rapid.Int64().Draw(t, name+" since")),
	}
}

func drawBytes(t *rapid.T, name string) (b [16]byte) {
	copy(b[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, name))
	return b
}

func drawSeat(t *rapid.T) table.SeatInfo {
	return table.SeatInfo{
		Seat: id.Seat(rapid.Uint32().Draw(t, "seat")), Nick: rapid.String().Draw(t, "nick"),
		Colour: rapid.Uint32().Draw(t, "colour"),
		Role:   table.Role(rapid.IntRange(1, 3).Draw(t, "role")),
		Side:   rapid.Uint32().Draw(t, "side"),
	}
}

func drawEntry(t *rapid.T) table.Entry {
	e := table.Entry{
		Gen: id.Generation(rapid.Uint64().Draw(t, "gen")),
		At:  id.Millis(rapid.Int64().Draw(t, "at")),
		Op:  table.Op(rapid.Byte().Draw(t, "op")), Seat: id.Seat(rapid.Uint32().Draw(t, "by")),
		Client: drawBytes(t, "client"), Seq: id.ClientSeq(rapid.Uint64().Draw(t, "seq")),
		Digest: rapid.Uint64().Draw(t, "digest"), Server: rapid.Bool().Draw(t, "server"),
	}
	if rapid.Bool().Draw(t, "about a seat") {
		who := drawSeat(t)
		e.Who = &who
		return e
	}
	if fact := rapid.SliceOf(rapid.Byte()).Draw(t, "fact"); len(fact) > 0 {
		e.Fact, e.To = fact, id.Seat(rapid.Uint32().Draw(t, "to"))
		return e
	}
	e.Piece, e.Name = drawBytes(t, "piece"), id.Piece(rapid.Uint32().Draw(t, "name"))
	e.Made = rapid.Bool().Draw(t, "made")
	e.NewName, e.Brought = id.Piece(rapid.Uint32().Draw(t, "new name")),
		id.Piece(rapid.Uint32().Draw(t, "brought"))
	e.Notice, e.To = rapid.Bool().Draw(t, "notice"), id.Seat(rapid.Uint32().Draw(t, "to"))
	e.Whole = rapid.Bool().Draw(t, "whole")
	e.Count = rapid.Int32Range(0, table.MaxPieces).Draw(t, "count")
	if faces := rapid.SliceOf(rapid.Uint32()).Draw(t, "faces"); len(faces) > 0 {
		e.Faces = faces
	}
	if order := rapid.SliceOf(rapid.Uint32()).Draw(t, "order"); len(order) > 0 {
		e.Order, e.Owed = order, rapid.Uint32().Draw(t, "owed")
	}
	e.After = drawState(t, "after")
	if !e.Made {
		e.Before = drawState(t, "before")
	}
	return e
}

// TestT3EntriesAndImagesComeBack checks that every field of an entry and of an image survives the
// log. A field that is added to the table and forgotten here would be lost at a restart (T3, T19).
// Clauses: T3.1
func TestT3EntriesAndImagesComeBack(t *testing.T) {
	t.Run("T3 entries", rapid.MakeCheck(func(t *rapid.T) {
		want := drawEntry(t)
		b, err := wire.EncodeEntry(&want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := wire.DecodeEntry(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}))
	t.Run("T3 images, every field of them", func(t *testing.T) {
		want := table.Image{
			Seats: []table.SeatInfo{{Seat: 1, Nick: "Ada", Colour: 5, Role: table.RoleHost}},
		}
		fill(reflect.ValueOf(&want).Elem(), new(int64))
		b, err := wire.EncodeImage(&want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := wire.DecodeImage(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// TestT27ClocksInLogs checks what the log of a table may say of clocks.
func TestT27ClocksInLogs(t *testing.T) {
	t.Run("T27 a log older than clocks has none", func(t *testing.T) {
		old := &logpb.Entry{
			Gen: 1, Piece: make([]byte, 16), Name: 1, Made: true, After: &logpb.State{Z: "0.5"},
		}
		b, err := proto.Marshal(old)
		if err != nil {
			t.Fatal(err)
		}
		e, err := wire.DecodeEntry(b)
		if err != nil || e.After.Clock != (table.Clock{}) {
			t.Errorf("the clock is %+v, error %v", e.After.Clock, err)
		}
		again, err := wire.EncodeEntry(&e)
		if err != nil || !bytes.Equal(again, b) {
			t.Errorf("%x is written as %x, error %v", b, again, err)
		}
	})
	t.Run("T27 an impossible clock is not read", func(t *testing.T) {
		for _, c := range []*logpb.Clock{
			{Running: 3}, {Left1: 1<<30 + 1}, {Left2: 1 << 31}, {Initial: 1<<30 + 1},
			{Increment: 1<<32 - 1},
		} {
			b, err := proto.Marshal(&logpb.Entry{
				Gen: 1, Piece: make([]byte, 16), Name: 1, Made: true,
				After: &logpb.State{Z: "0.5", Clock: c},
			})
			if err != nil {
				t.Fatal(err)
			}
			if e, err := wire.DecodeEntry(b); err == nil {
				t.Errorf("%v is read as %+v", c, e.After.Clock)
			}
		}
	})
}

// TestUnknownRolesInLogs shows that no table has a seat with an unknown role: its log is not read.
func TestUnknownRolesInLogs(t *testing.T) {
	t.Run("a log with an unknown role is not read", func(t *testing.T) {
		for role, readable := range map[table.Role]bool{
			table.RoleHost: true, table.RolePlayer: true, table.RoleSpectator: true,
			table.RoleCohost: true, table.RoleReferee: true, table.RoleReferee + 1: false,
		} {
			b, err := wire.EncodeEntry(&table.Entry{
				Gen: 1, Op: table.OpSeat, Seat: 1,
				Who: &table.SeatInfo{Seat: 1, Nick: "Ada", Role: role},
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := wire.DecodeEntry(b); (err == nil) != readable {
				t.Errorf("role %d: %v", role, err)
			}
		}
	})
}

// fill gives every field a value that no other field has, by reflection, so that none is
// overlooked.
func fill(v reflect.Value, n *int64) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 { // an identifier
			v.Index(v.Len() - 1).SetUint(uint64(*n))
			return
		}
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("0.5")
		if v.Type() == reflect.TypeFor[table.Team]() {
			v.SetString("\x00\x05\x00\x09")
		}
	case reflect.Uint8:
		v.SetUint(2) // a role, the side of a clock
	case reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n))
	case reflect.Int32, reflect.Int64:
		v.SetInt(*n)
	default:
		panic("a field of kind " + v.Kind().String())
	}
}

// bounded checks that f needs no more memory than a multiple of the size of its input: f must not
// trust the lengths that the input claims.
func bounded(t *testing.T, input []byte, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if used, limit := after.TotalAlloc-before.TotalAlloc,
		uint64(1<<20+1000*len(input)); used > limit {
		t.Errorf("%d bytes of memory for an input of %d", used, len(input))
	}
}

// hostile are inputs that claim to be longer than they are, or nest.
var hostile = [][]byte{
	{}, {0x0a}, {0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f}, {0x1a, 0x80, 0x80, 0x80, 0x80, 0x08, 0x00},
	{0x2a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
	{0x1a, 0x02, 0x1a, 0x00, 0x1a, 0x00}, {0x0b, 0x0b, 0x0b, 0x0b},
}

func FuzzDecodeEntry(f *testing.F) {
	for _, b := range hostile {
		f.Add(b)
	}
	good := table.Entry{Gen: 1, Op: table.OpAdd, Made: true, Name: 1, After: table.State{Z: "0.5"}}
	if b, err := wire.EncodeEntry(&good); err == nil {
		f.Add(b)
	}
	good.After.Clock = table.Clock{
		Left: [2]int32{1, 2}, Initial: 3, Increment: 4, Running: 1, Since: 5,
	}
	if b, err := wire.EncodeEntry(&good); err == nil {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var e table.Entry
		var err error
		bounded(t, b, func() { e, err = wire.DecodeEntry(b) })
		if err != nil {
			return
		}
		again, err := wire.EncodeEntry(&e)
		if err != nil {
			t.Fatalf("%+v was read and cannot be written: %v", e, err)
		}
		if back, err := wire.DecodeEntry(again); err != nil || !cmp.Equal(e, back) {
			t.Fatalf("%+v comes back as %+v, %v", e, back, err)
		}
	})
}

func FuzzDecodeImage(f *testing.F) {
	for _, b := range hostile {
		f.Add(b)
	}
	im := table.New(table.Config{}).Image()
	if b, err := wire.EncodeImage(&im); err == nil {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var im *table.Image
		var err error
		bounded(t, b, func() { im, err = wire.DecodeImage(b) })
		if err != nil {
			return
		}
		cfg := table.Config{
			Kinds: []table.Kind{{Faces: 1}, {Faces: 2, Secret: true}}, Width: 1000, Height: 1000,
			RandomNames: rand.New(rand.NewPCG(1, 2)),
		}
		opened, err := table.Open(cfg, im)
		if err != nil {
			return
		}
		// Whatever the input was, the table works.
		opened.All(1, id.Client{})
		opened.Loaded()
		u := table.Update{Seq: 1, Op: table.OpAdd, Has: table.HasKind | table.HasXY, Kind: 1}
		if opened.Check(id.Client{1}, 1, []table.Update{u}) == nil {
			opened.Apply(table.By{Client: id.Client{1}, Seat: 1, Role: table.RolePlayer}, &u,
				table.Inputs{OID: id.OID{1}})
			opened.Take()
		}
	})
}

func FuzzDecodeFrame(f *testing.F) {
	for _, b := range hostile {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		bounded(t, b, func() {
			if frame, err := wire.DecodeFrame(b); (frame == nil) == (err == nil) {
				t.Errorf("frame %v, error %v", frame, err)
			}
		})
	})
}

func FuzzDecodeUp(f *testing.F) {
	for _, b := range hostile {
		f.Add(b)
	}
	f.Add([]byte{0x0a, 0x00})
	f.Add(make([]byte, wire.MaxUp+1))
	f.Fuzz(func(t *testing.T, b []byte) {
		bounded(t, b, func() {
			up, err := wire.DecodeUp(b)
			switch {
			case err == nil && up.GetUp() == nil:
				t.Error("an empty message is accepted")
			case err == nil && len(b) > wire.MaxUp:
				t.Errorf("S9 a message of %d bytes is accepted", len(b))
			}
		})
	})
}
