package schema

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"holt/server/components/crdt"
	"holt/server/proto/componentpb"
)

var updateVectors = flag.Bool("update", false, "write docs/protocol/vectors/components.json")

// vectors are the registry, and entities and components as bytes and as what they mean. The tables
// of the page (registry.js and entities.js in static/js/parts/components) must agree with them.
type vectors struct {
	Registry []registryVector `json:"registry"`
	Entities []entityVector   `json:"entities"`
	Data     []dataVector     `json:"data"`
}

type registryVector struct {
	Number  uint32 `json:"number"`
	Last    uint32 `json:"last"`
	Name    string `json:"name"`
	Of      string `json:"of"`
	Who     string `json:"who"`
	Size    int    `json:"size"`
	Set     int    `json:"set"`
	Answer  uint32 `json:"answer"`
	Private bool   `json:"private"`
	Message string `json:"message"`
}

// entityVector is an entity and its class. Is is the number of the seat, the name of the piece, or
// the second of the stroke.
type entityVector struct {
	Entity crdt.Entity `json:"entity"`
	Class  string      `json:"class"`
	Is     uint64      `json:"is"`
}

type dataVector struct {
	Name  string         `json:"name"`
	Hex   string         `json:"hex"`
	Value map[string]any `json:"value"`
}

// TestC14Vectors shows that the vectors agree with the registry and with the encoding of messages.
func TestC14Vectors(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "protocol", "vectors", "components.json")
	got, err := json.MarshalIndent(computedVectors(t), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *updateVectors {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the vectors have changed; if they should, run go test -update")
	}
}

func computedVectors(t *testing.T) vectors {
	var v vectors
	for s := range Registry() {
		v.Registry = append(v.Registry, registryVector{
			Number: s.Number, Last: max(s.Number, s.Last), Name: s.Name, Of: s.Of.String(),
			Who: s.Who.String(), Size: s.Size, Set: s.Set, Answer: s.Answer, Private: s.Private,
			Message: s.Message(),
		})
	}
	for _, e := range []crdt.Entity{
		0, 1, 511, 512, 513, 768, 769, 1024, 1025, 2048, 2049, 3072, 3073, 65_536, 1<<32 - 1,
		1 << 32, 1<<32 + 1, 1<<32 + 1<<21 - 1, 1<<32 + 1<<21,
		1<<52 - 1, 1 << 52, 1<<52 + 1, 1<<52 + 1<<20 - 1, 1<<52 + 1<<20,
		EntityOfStroke(194_529_600, 77), crdt.MaxEntity,
	} {
		v.Entities = append(v.Entities, entityVectorOf(e))
	}
	for _, c := range dataCases() {
		data := Encode(c.message)
		if err := Check(c.component, data); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		v.Data = append(v.Data, dataVector{
			Name: nameOf(t, c.component), Hex: hex.EncodeToString(data),
			Value: value(c.message.ProtoReflect()),
		})
	}
	return v
}

// nameOf returns the name of a component as the page has it: with a small first letter.
func nameOf(t *testing.T, component uint32) string {
	t.Helper()
	s := byNumber(component)
	if s.Name == "" {
		t.Fatalf("there is no component %d", component)
	}
	return strings.ToLower(s.Name[:1]) + s.Name[1:]
}

func entityVectorOf(e crdt.Entity) entityVector {
	v := entityVector{Entity: e, Class: ClassOf(e).String()}
	if seat, ok := SeatOf(e); ok {
		v.Is = uint64(seat)
	}
	if piece, ok := PieceOf(e); ok {
		v.Is = uint64(piece)
	}
	if second, ok := SecondOf(e); ok {
		v.Is = uint64(second)
	}
	return v
}

// value returns what a message means to the page: all its fields, except missing ones whose absence
// has a meaning.
func value(m protoreflect.Message) map[string]any {
	all := map[string]any{}
	for i := range m.Descriptor().Fields().Len() {
		f := m.Descriptor().Fields().Get(i)
		switch is := m.Get(f); {
		case f.HasPresence() && !m.Has(f):
		case f.IsList():
			items := make([]any, is.List().Len())
			for j := range items {
				items[j] = single(f, is.List().Get(j))
			}
			all[string(f.Name())] = items
		default:
			all[string(f.Name())] = single(f, is)
		}
	}
	return all
}

func single(f protoreflect.FieldDescriptor, is protoreflect.Value) any {
	switch f.Kind() {
	case protoreflect.MessageKind:
		return value(is.Message())
	case protoreflect.EnumKind:
		return is.Enum()
	default:
		return is.Interface()
	}
}

// dataCases are components with data, at least one of each in the registry.
func dataCases() []schemaCase {
	var all []schemaCase
	add := func(component uint32, m proto.Message) {
		all = append(all, schemaCase{component: component, message: m})
	}
	bounds := largest()
	for _, component := range sortedKeys(bounds) {
		add(component, bounds[component])
	}
	add(Title, text("Ada's table"))
	add(Label, text(""))
	add(Remark, text("zwölf\nPunkte \U0001f9a6"))
	add(Surface, &componentpb.Surface{Name: "slate"})
	add(Surface, &componentpb.Surface{Colour: ptr(0)})
	add(Size, &componentpb.Size{Width: 12_000, Height: 9000})
	add(Recall, &componentpb.Recall{Players: true})
	add(Recall, &componentpb.Recall{})
	add(Undo, &componentpb.Undo{Consent: componentpb.Undo_CONSENT_HOST})
	add(Recording, &componentpb.Recording{On: true})
	add(Recording, &componentpb.Recording{})
	add(Chat, &componentpb.Chat{Silent: true, Days: 30})
	add(Chat, &componentpb.Chat{Days: 1})
	add(Access, &componentpb.Access{})
	add(Access, &componentpb.Access{Closed: true})
	add(Access, &componentpb.Access{Frozen: true})
	add(Voice, &componentpb.Voice{Address: "https://voice.example.org/room/7"})
	add(Wins, &componentpb.Wins{})
	add(Wins, &componentpb.Wins{Games: 3})
	add(Grid, &componentpb.Grid{})
	add(Grid, &componentpb.Grid{Form: componentpb.Grid_FORM_SQUARES, Pitch: 500, X: 250, Y: -250})
	add(Foreign, &componentpb.Foreign{})
	add(Foreign, &componentpb.Foreign{Allowed: true, Shared: true})
	add(Links, &componentpb.Links{})
	add(Links, &componentpb.Links{Links: []*componentpb.Link{
		{Text: "Voice", Address: "https://voice.example.org/room/7?quiet#a"},
		{Address: "https://example.org"},
	}})
	add(Profile, &componentpb.Profile{Nick: "Zoë", Colour: 0x2f72c4, Pronoun: "they"})
	add(Tint, &componentpb.Tint{})
	add(Stroke, &componentpb.Stroke{Colour: 0xd1495b, Width: 20})
	add(Points, &componentpb.Points{X: []int32{-1000, 64, 0, -65}, Y: []int32{500, 0, -64, 63}})
	add(Points, &componentpb.Points{X: []int32{0}, Y: []int32{0}})
	add(Ping, &componentpb.Ping{Seat: 2, X: -3, Y: 4, Time: 1_780_000_000_123})
	add(Ping, &componentpb.Ping{Seat: 2, X: -3, Y: 4, Time: 1_780_000_000_123, Word: "your turn"})
	add(RollResult, &componentpb.RollResult{Of: 3, Face: ptr(0)})
	add(RollResult, &componentpb.RollResult{Of: 3, Reason: 17})
	add(ShuffleResult, &componentpb.ShuffleResult{Of: 4})
	add(HitTest, &componentpb.HitTest{})
	add(HitTestResult, &componentpb.HitTestResult{Of: 1})
	add(Measure,
		&componentpb.Measure{From: &componentpb.Spot{Piece: 20_000}, To: &componentpb.Spot{}})
	add(MeasureResult, &componentpb.MeasureResult{Of: 9, Distance: ptr(0)})
	add(MeasureResult, &componentpb.MeasureResult{Of: 9, Reason: 5})
	add(Door, &componentpb.Door{Title: "Ben’s table", Seal: "kg_7-Q"})
	return all
}

func sortedKeys(all map[uint32]proto.Message) []uint32 {
	var keys []uint32
	for s := range Registry() {
		for _, n := range []uint32{s.Number, s.Last} {
			if _, ok := all[n]; ok && !slices.Contains(keys, n) && n != LastColumn {
				keys = append(keys, n)
			}
		}
	}
	slices.Sort(keys)
	return keys
}
