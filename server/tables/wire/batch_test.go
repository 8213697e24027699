package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/tables/wire"
)

const clientText = "q83vEjRWeJCrze8SNFZ4kA"

// example is the batch that http.md shows.
const example = `{"client":"q83vEjRWeJCrze8SNFZ4kA","epoch":5839201347112,"updates":[
  {"seq":17,"piece":12,"tag":88064,"op":"grab","z":"0.5003"},
  {"seq":18,"piece":12,"tag":88064,"op":"release","x":-1250,"y":400},
  {"seq":19,"op":"add","kind":7,"x":0,"y":0}]}`

func level(t testing.TB, text string) zlevel.Level {
	t.Helper()
	z, err := zlevel.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestDecodeBatch(t *testing.T) {
	client, err := id.ParseClient(clientText)
	if err != nil {
		t.Fatal(err)
	}
	got, err := wire.DecodeBatch([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	want := wire.Batch{Client: client, Epoch: 5839201347112, Updates: []table.Update{
		{
			Seq: 17, Op: table.OpGrab, Has: table.HasPiece | table.HasTag | table.HasZ,
			Piece: 12, Tag: 88064, Z: level(t, "0.5003"),
		},
		{
			Seq: 18, Op: table.OpRelease, Has: table.HasPiece | table.HasTag | table.HasXY,
			Piece: 12, Tag: 88064, X: -1250, Y: 400,
		},
		{Seq: 19, Op: table.OpAdd, Has: table.HasKind | table.HasXY, Kind: 7},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the example of http.md (-want +got):\n%s", diff)
	}
}

// one wraps an update into a batch whose first update is valid.
func one(update string) string {
	return `{"client":"` + clientText +
		`","epoch":1,"updates":[{"seq":1,"op":"pin","piece":1,"tag":1},` + update + `]}`
}

func TestDecodeBatchAccepts(t *testing.T) {
	for name, update := range map[string]string{
		"members in any order": `{"tag":0,"piece":2147483647,"op":"pin","seq":9007199254740991}`,
		"white space":          " {\t\"seq\" : 2 ,\r\n\"op\":\"pin\" } ",
		"escapes":              `{"s\u0065q":2,"op":"\u0070in"}`,
		"bounds of numbers": `{"seq":2,"op":"add","x":-1000000,"y":1000000,"angle":35999,"face":0,` +
			`"kind":4294967295}`,
		"the bounds of a clock": `{"seq":2,"op":"set","ms":1073741824,"increment":1073741824,"side":2}`,
		"loose, false":          `{"seq":2,"op":"pin","loose":false}`,
		"a list":                `{"seq":2,"op":"shuffle","pieces":[ 1 , 2 ]}`,
		"an empty list":         `{"seq":2,"op":"shuffle","pieces":[]}`,
		"answers":               `{"seq":2,"op":"run","piece":1,"answers":[3,-1,2147483647,0]}`,
		"an argument too many":  `{"seq":2,"op":"pin","kind":1}`, // for table.Check to refuse
		"a Z level of 1024 digit": `{"seq":2,"op":"setz","z":"0.` + strings.Repeat("1", 1024) +
			`"}`,
	} {
		t.Run(name, func(t *testing.T) {
			b, err := wire.DecodeBatch([]byte(one(update)))
			if err != nil || len(b.Updates) != 2 {
				t.Errorf("got %d updates and %v", len(b.Updates), err)
			}
		})
	}
}

func TestDecodeBatchRefuses(t *testing.T) {
	batch := func(members string) string { return `{` + members + `}` }
	head := `"client":"` + clientText + `","epoch":1,`
	many := func(n int) string {
		return batch(head + `"updates":[` + strings.Repeat(`{"seq":1,"op":"pin"},`,
			n-1) + `{"seq":1,"op":"pin"}]`)
	}
	for _, c := range []struct {
		name  string
		body  string
		code  string
		index int
	}{
		{"T15 nothing", ``, table.CodeMalformed, -1},
		{"T15 not an object", `[]`, table.CodeMalformed, -1},
		{"T15 null", `null`, table.CodeMalformed, -1},
		{"T15 cut short", example[:len(example)-1], table.CodeMalformed, -1},
		{"T15 something after it", example + `{}`, table.CodeMalformed, -1},
		{"T15 a byte order mark", "\ufeff" + example, table.CodeMalformed, -1},
		{"T15 no client", batch(
			`"epoch":1,"updates":[{"seq":1,"op":"pin"}]`), table.CodeMalformed, -1},
		{"T15 no epoch", batch(
			`"client":"` + clientText +
				`","updates":[{"seq":1,"op":"pin"}]`), table.CodeMalformed, -1},
		{"T15 no updates", batch(
			`"client":"` + clientText + `","epoch":1`), table.CodeMalformed, -1},
		{"T15 an empty list of updates", batch(head + `"updates":[]`), table.CodeMalformed, -1},
		{"T15 updates is null", batch(head + `"updates":null`), table.CodeMalformed, -1},
		{"T15 epoch twice", batch(
			head + `"epoch":1,"updates":[{"seq":1,"op":"pin"}]`), table.CodeMalformed, -1},
		{"T15 unknown field outside", batch(
			head + `"extra":1,"updates":[{"seq":1,"op":"pin"}]`), table.CodeMalformed, -1},
		{"T15 a comma at the end", batch(
			head + `"updates":[{"seq":1,"op":"pin"}],`), table.CodeMalformed, -1},
		{"T15 a comma too many", batch(
			head + `"updates":[{"seq":1,"op":"pin"},]`), table.CodeMalformed, 1},
		{"T15 epoch zero", batch(
			`"client":"` + clientText +
				`","epoch":0,"updates":[{"seq":1,"op":"pin"}]`), table.CodeImpossible, -1},
		{
			"T15 epoch over 2^53-1",
			batch(`"client":"` + clientText + `","epoch":9007199254740992,"updates":[{"seq":1,"op":"pin"}]`),
			table.CodeImpossible, -1,
		},
		{
			"T15 a client id cut short", batch(`"client":"q83v","epoch":1,"updates":[{"seq":1,"op":"pin"}]`),
			table.CodeImpossible, -1,
		},
		{"T15 too many updates", many(wire.MaxBatch + 1), table.CodeTooLarge, -1},
		{"T15 too many bytes", example + strings.Repeat(" ",
			wire.MaxBatchBytes), table.CodeTooLarge, -1},

		{"T15 an update is a number", one(`7`), table.CodeMalformed, 1},
		{"T15 no sequence", one(`{"op":"pin"}`), table.CodeMalformed, 1},
		{"T15 no operation", one(`{"seq":2}`), table.CodeMalformed, 1},
		{"T15 unknown field", one(`{"seq":2,"op":"pin","colour":1}`), table.CodeMalformed, 1},
		{"T15 fields in capitals", one(`{"Seq":2,"op":"pin"}`), table.CodeMalformed, 1},
		{"T15 a field twice", one(`{"seq":2,"op":"pin","seq":2}`), table.CodeMalformed, 1},
		{"T15 a field twice, once with escapes", one(
			`{"seq":2,"op":"pin","s\u0065q":2}`), table.CodeMalformed, 1},
		{"T15 x without y", one(`{"seq":2,"op":"move","x":1}`), table.CodeMalformed, 1},
		{"T15 a fraction", one(`{"seq":2,"op":"move","x":1.5,"y":1}`), table.CodeMalformed, 1},
		{"T15 an exponent", one(`{"seq":2,"op":"move","x":1e3,"y":1}`), table.CodeMalformed, 1},
		{"T15 a leading zero", one(`{"seq":2,"op":"move","x":01,"y":1}`), table.CodeMalformed, 1},
		{"T15 a plus sign", one(`{"seq":2,"op":"move","x":+1,"y":1}`), table.CodeMalformed, 1},
		{"T15 only a minus sign", one(`{"seq":2,"op":"move","x":-,"y":1}`), table.CodeMalformed, 1},
		{"T15 a number as text", one(`{"seq":"2","op":"pin"}`), table.CodeMalformed, 1},
		{"T15 null for a number", one(`{"seq":2,"op":"pin","tag":null}`), table.CodeMalformed, 1},
		{"T15 a level as number", one(`{"seq":2,"op":"setz","z":0.5}`), table.CodeMalformed, 1},
		{"T15 loose as number", one(`{"seq":2,"op":"grab","loose":1}`), table.CodeMalformed, 1},
		{"T15 pieces as number", one(
			`{"seq":2,"op":"shuffle","pieces":1}`), table.CodeMalformed, 1},
		{"T15 an unknown escape", one(`{"seq":2,"op":"p\in"}`), table.CodeMalformed, 1},
		{"T15 a line break in text", one("{\"seq\":2,\"op\":\"p\nin\"}"), table.CodeMalformed, 1},
		{"T15 text that does not end", one(`{"seq":2,"op":"pin`), table.CodeMalformed, 1},
		{"T15 zero with a sign", one(
			`{"seq":2,"op":"rotate","piece":1,"tag":65536,"angle":-0}`), table.CodeMalformed, 1},
		{"T15 malformed before impossible", one(`{"seq":0,"op":"pin"},{`), table.CodeMalformed, 2},

		{"T24.3 an unknown operation", one(`{"seq":2,"op":"explode"}`), table.CodeUnknownOp, 1},
		{"T24 an operation of the server", one(`{"seq":2,"op":"reveal"}`), table.CodeUnknownOp, 1},
		{"T10 sequence zero", one(`{"seq":0,"op":"pin"}`), table.CodeImpossible, 1},
		{"T10 sequence over 2^53-1", one(
			`{"seq":9007199254740992,"op":"pin"}`), table.CodeImpossible, 1},
		{"T10 sequence of a hundred digits", one(
			`{"seq":1` + strings.Repeat("0", 100) + `,"op":"pin"}`), table.CodeImpossible, 1},
		{"T21 piece zero", one(`{"seq":2,"op":"pin","piece":0}`), table.CodeImpossible, 1},
		{"T21 an identifier of 32 bits", one(
			`{"seq":2,"op":"pin","piece":2147483648}`), table.CodeImpossible, 1},
		{"T24 a negative tag", one(`{"seq":2,"op":"pin","tag":-1}`), table.CodeImpossible, 1},
		{"T24.2 x out of range", one(
			`{"seq":2,"op":"move","x":1000001,"y":0}`), table.CodeImpossible, 1},
		{"T24 y out of range", one(
			`{"seq":2,"op":"move","x":0,"y":-1000001}`), table.CodeImpossible, 1},
		{"T24.2 a full turn", one(`{"seq":2,"op":"rotate","angle":36000}`), table.CodeImpossible, 1},
		{"T24 a negative face", one(`{"seq":2,"op":"flip","face":-1}`), table.CodeImpossible, 1},
		{"T24 a kind of 33 bits", one(
			`{"seq":2,"op":"add","kind":4294967296}`), table.CodeImpossible, 1},
		{"T13.1 a level of one", one(`{"seq":2,"op":"setz","z":"1"}`), table.CodeImpossible, 1},
		{"T13.1 a level with a zero at the end", one(
			`{"seq":2,"op":"setz","z":"0.50"}`), table.CodeImpossible, 1},
		{"T13.1 a level of 1025 digits", one(
			`{"seq":2,"op":"setz","z":"0.` + strings.Repeat("1", 1025) +
				`"}`), table.CodeImpossible, 1},
		{"T41 a set that is not an identifier", one(
			`{"seq":2,"op":"place","set":"12","x":0,"y":0}`), table.CodeImpossible, 1},
		{
			"T41 no set", one(`{"seq":2,"op":"place","set":"00000000000000000000000000000000","x":0,"y":0}`),
			table.CodeImpossible, 1,
		},
		{"T41 a set that is a number", one(
			`{"seq":2,"op":"place","set":12,"x":0,"y":0}`), table.CodeMalformed, 1},
		{"T27 side zero", one(`{"seq":2,"op":"press","side":0}`), table.CodeImpossible, 1},
		{"T27 a third side", one(`{"seq":2,"op":"press","side":3}`), table.CodeImpossible, 1},
		{"T27 a negative time", one(`{"seq":2,"op":"set","ms":-1}`), table.CodeImpossible, 1},
		{"T27 more than 2^30 ms", one(
			`{"seq":2,"op":"set","ms":1073741825}`), table.CodeImpossible, 1},
		{"T27 a negative increment", one(
			`{"seq":2,"op":"set","ms":0,"increment":-1}`), table.CodeImpossible, 1},
		{"T27 half a millisecond", one(`{"seq":2,"op":"set","ms":0.5}`), table.CodeMalformed, 1},
		{"T27 ms twice", one(`{"seq":2,"op":"set","ms":1,"ms":1}`), table.CodeMalformed, 1},
		{"T95.1 five answers", one(`{"seq":2,"op":"run","piece":1,"answers":[1,2,3,4,5]}`),
			table.CodeImpossible, 1},
		{"T95.1 an answer too great", one(`{"seq":2,"op":"run","piece":1,"answers":[2147483648]}`),
			table.CodeImpossible, 1},
		{"T95.1 an answer as text", one(`{"seq":2,"op":"run","piece":1,"answers":["1"]}`),
			table.CodeMalformed, 1},
		{"T26.1 too long a list", one(`{"seq":2,"op":"shuffle","pieces":[` + strings.Repeat("1,",
			table.MaxShuffle) + `1]}`), table.CodeImpossible, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := wire.DecodeBatch([]byte(c.body))
			var invalid *table.Invalid
			if !errors.As(err, &invalid) {
				t.Fatalf("got %v and %v, want a Bogus", b, err)
			}
			if invalid.Code != c.code || invalid.Index != c.index || invalid.Detail == "" {
				t.Errorf("got %s at %d (%s), want %s at %d", invalid.Code, invalid.Index, invalid.Detail,
					c.code, c.index)
			}
		})
	}
}

// TestDecodeBatchKeepsNothing shows that a batch does not point into the body, which is a pooled
// buffer.
func TestDecodeBatchKeepsNothing(t *testing.T) {
	body := []byte(example)
	b, err := wire.DecodeBatch(body)
	if err != nil {
		t.Fatal(err)
	}
	clear(body)
	if got := string(b.Updates[0].Z); got != "0.5003" {
		t.Errorf("after the body was overwritten the level is %q", got)
	}
}

func genUpdate() *rapid.Generator[table.Update] {
	return rapid.Custom(func(t *rapid.T) table.Update {
		u := table.Update{
			Seq: id.ClientSeq(rapid.Uint64Range(1, uint64(id.ClientSeqMax)).Draw(t, "seq")),
			Op: table.Op(
				rapid.Uint8Range(uint8(table.OpGrab), uint8(table.OpReset)).Draw(t, "op")),
			Has: table.Fields(rapid.Uint16Range(0, 1<<12-1).Draw(t, "has")) |
				rapid.SampledFrom([]table.Fields{0, table.HasSet}).Draw(t, "set"),
		}
		if u.Has&table.HasPiece != 0 {
			u.Piece = id.Piece(rapid.Uint32Range(1, 1<<31-1).Draw(t, "piece"))
		}
		if u.Has&table.HasTag != 0 {
			u.Tag = id.Version(rapid.Uint64Range(0, uint64(id.VersionMax)).Draw(t, "tag"))
		}
		if u.Has&table.HasXY != 0 {
			u.X = rapid.Int32Range(-table.MaxCoordinate, table.MaxCoordinate).Draw(t, "x")
			u.Y = rapid.Int32Range(-table.MaxCoordinate, table.MaxCoordinate).Draw(t, "y")
		}
		if u.Has&table.HasAngle != 0 {
			u.Angle = rapid.Int32Range(0, table.FullTurn-1).Draw(t, "angle")
		}
		if u.Has&table.HasFace != 0 {
			u.Face = rapid.Int32Range(0, 1<<31-1).Draw(t, "face")
		}
		if u.Has&table.HasSet != 0 {
			u.Set = id.OID(rapid.SliceOfN(rapid.ByteRange(1, 255), 16, 16).Draw(t, "oid"))
		}
		if u.Has&table.HasSide != 0 {
			u.Side = rapid.Uint8Range(1, 2).Draw(t, "side")
		}
		if u.Has&table.HasMs != 0 {
			u.Ms = rapid.Int32Range(0, curve.MaxValue).Draw(t, "ms")
		}
		if u.Has&table.HasIncrement != 0 {
			u.Increment = rapid.Int32Range(0, curve.MaxValue).Draw(t, "increment")
		}
		if u.Has&table.HasKind != 0 {
			u.Kind = rapid.Uint32().Draw(t, "kind")
		}
		if u.Has&table.HasZ != 0 {
			u.Z = zlevel.Level(rapid.StringMatching(`0\.[0-9]{0,30}[1-9]`).Draw(t, "z"))
		}
		if u.Has&table.HasPieces != 0 {
			u.Pieces = rapid.SliceOfN(rapid.Map(rapid.Uint32Range(1, 1<<31-1),
				func(n uint32) id.Piece { return id.Piece(n) }), 0, 60).Draw(t, "pieces")
		}
		if u.Has&table.HasAnswers != 0 {
			u.Answers = rapid.SliceOfN(rapid.Int32Range(-table.MaxValue, 1<<31-1), 1,
				table.MaxQuestions).Draw(t, "answers")
		}
		return u
	})
}

func TestAppendBatchIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := wire.Batch{
			Client:  id.Client(rapid.SliceOfN(rapid.ByteRange(1, 255), 16, 16).Draw(t, "client")),
			Epoch:   id.Epoch(rapid.Uint64Range(1, uint64(id.VersionMax)).Draw(t, "epoch")),
			Updates: rapid.SliceOfN(genUpdate(), 1, 20).Draw(t, "updates"),
		}
		text := wire.AppendBatch(nil, b)
		got, err := wire.DecodeBatch(text)
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if diff := cmp.Diff(b, got); diff != "" {
			t.Fatalf("%s is read as (-want +got):\n%s", text, diff)
		}
	})
}

// plainBatch is how encoding/json reads a batch: the reference for what the decoder accepts.
type plainBatch struct {
	Client  string
	Epoch   uint64
	Updates []struct {
		Seq    uint64
		Op     string
		Piece  uint32
		Tag    uint64
		X, Y   int32
		Angle  int32
		Face   int32
		Z      string
		Kind   uint32
		Pieces []uint32
		Loose  bool
		Side   uint8
		Ms     int32

		Increment int32
		Answers   []int32
	}
}

func FuzzDecodeBatch(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte(one(`{"seq":2,"op":"shuffle","pieces":[1,2,3]}`)))
	f.Add([]byte(one(`{"s\u0065q":2,"op":"grab","piece":1,"tag":0,"loose":true,"z":"0.1"}`)))
	f.Add([]byte(one(`{"seq":2,"op":"set","piece":1,"tag":0,"ms":300000,"increment":2000}`)))
	f.Add([]byte(one(`{"seq":2,"op":"press","piece":1,"tag":0,"side":2}`)))
	f.Add([]byte(one(`{"seq":2,"op":"rotate","angle":-0,"face":1e1}`)))
	f.Add([]byte(one(`{"seq":2,"op":"run","piece":1,"answers":[-3,0,2147483647]}`)))
	f.Fuzz(func(t *testing.T, body []byte) {
		b, err := wire.DecodeBatch(body)
		if err != nil {
			var invalid *table.Invalid
			if !errors.As(err, &invalid) || invalid.Code == "" || invalid.Detail == "" ||
				invalid.Index < -1 || invalid.Index >= wire.MaxBatch {
				t.Fatalf("refused without a reason: %#v", err)
			}
			return
		}
		var plain plainBatch
		d := json.NewDecoder(bytes.NewReader(body))
		d.DisallowUnknownFields()
		if err := d.Decode(&plain); err != nil || !json.Valid(body) {
			t.Fatalf("accepted although encoding/json refuses it: %v", err)
		}
		if plain.Client != b.Client.String() || id.Epoch(plain.Epoch) != b.Epoch ||
			len(plain.Updates) != len(b.Updates) {
			t.Fatalf("read %+v, encoding/json reads %+v", b, plain)
		}
		for i, u := range b.Updates {
			p := plain.Updates[i]
			if fmt.Sprint(p.Seq, p.Op, p.Piece, p.Tag, p.X, p.Y, p.Angle, p.Face, p.Z, p.Kind,
				len(p.Pieces), p.Loose, p.Side, p.Ms, p.Increment, p.Answers) !=
				fmt.Sprint(uint64(u.Seq), u.Op.String(), uint32(u.Piece), uint64(u.Tag), u.X, u.Y,
					u.Angle, u.Face, string(u.Z), u.Kind, len(u.Pieces), u.Loose(), u.Side, u.Ms,
					u.Increment, u.Answers) {
				t.Fatalf("update %d is %+v, encoding/json reads %+v", i, u, p)
			}
		}
		again, err := wire.DecodeBatch(wire.AppendBatch(nil, b))
		if err != nil || !cmp.Equal(b, again) {
			t.Fatalf("written and read again: %v, %s", err, cmp.Diff(b, again))
		}
	})
}

func BenchmarkDecodeBatch(b *testing.B) {
	for _, n := range []int{1, 16, 256} {
		batch := wire.Batch{Client: id.Client{1}, Epoch: 5839201347112}
		for i := range n {
			batch.Updates = append(batch.Updates, table.Update{
				Seq: id.ClientSeq(1000 + i), Op: table.OpMove,
				Has:   table.HasPiece | table.HasTag | table.HasXY | table.HasZ,
				Piece: id.Piece(1 + i), Tag: 88064, X: -1250, Y: 400, Z: level(b, "0.5003"),
			})
		}
		body := wire.AppendBatch(nil, batch)
		b.Run(fmt.Sprintf("updates=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := wire.DecodeBatch(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
