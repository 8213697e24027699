package schema

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"holt/server/play/table"
	"holt/server/proto/componentpb"
)

// wantFault checks which field of a component's data is invalid; "-" means none, "" the message as
// a whole.
func wantFault(t *testing.T, component uint32, data []byte, field string) {
	t.Helper()
	err := Check(component, data)
	if field == "-" {
		if err != nil {
			t.Errorf("%x: %v", data, err)
		}
		return
	}
	var fault *Fault
	if !errors.As(err, &fault) {
		t.Fatalf("%x: the error is %v, want a fault", data, err)
	}
	if fault.Component != component || fault.Name == "" || fault.Field != field ||
		fault.Detail == "" {
		t.Errorf("%x: the fault is %+v, want one in %q", data, fault, field)
	}
}

func ptr(n uint32) *uint32 { return &n }

// schemaCase is a message and its invalid field.
type schemaCase struct {
	name      string
	component uint32
	message   proto.Message
	field     string
}

func text(s string) *componentpb.Text { return &componentpb.Text{Text: s} }

// TestTexts shows which titles, labels and other texts are valid (C14).
func TestTexts(t *testing.T) {
	for _, c := range []schemaCase{
		{"C14.5 a title", Title, text("Ada's table"), "-"},
		{"C14.5 a title has 80 characters", Title, text(strings.Repeat("é", 80)), "-"},
		{"C14.5 a title has no 81 characters", Title, text(strings.Repeat("é", 81)), "text"},
		{"C14.5 a title is not empty", Title, text(""), "text"},
		{"C14.6 a title has one line", Title, text("Ada's\ntable"), "text"},
		{"C14.7 a title has no spaces around it", Title, text(" Ada's table"), "text"},
		{"C14 a label may be empty", Label, text(""), "-"},
		{"C14 a label has 40 characters", Label, text(strings.Repeat("x", 40)), "-"},
		{"C14 a label has no 41 characters", Label, text(strings.Repeat("x", 41)), "text"},
		{
			"C14.6 a label has no direction marks for the text after it", Label, text("a\u202eb"),
			"text",
		},
		{"C14 a cell may be a number", FirstColumn, text("-12.5"), "-"},
		{"C14 a cell has no 41 characters", LastColumn, text(strings.Repeat("1", 41)), "text"},
		{"C14 a sheet has a title", Sheet, text(strings.Repeat("x", 80)), "-"},
		{"C14 a row has a name", Row, text("Ben"), "-"},
		{"C14.8 a remark has lines", Remark, text("poisoned:\n+1 each turn"), "-"},
		{
			"C14 a remark has 1,000 characters", Remark, text(strings.Repeat("\U0001d54f", 1000)),
			"-",
		},
		{"C14 a remark has no 1,001 characters", Remark, text(strings.Repeat("x", 1001)), "text"},
		{"C14.8 a remark has no tabs", Remark, text("a\tb"), "text"},
		{"C14.8 a remark has no escapes", Remark, text("a\x1b[31mb"), "text"},
		{"C14 a remark may be empty", Remark, text(""), "-"},
	} {
		t.Run(c.name, func(t *testing.T) { wantFault(t, c.component, Encode(c.message), c.field) })
	}
}

// TestSettings shows which surfaces and sizes of a table are valid (C14).
func TestSettings(t *testing.T) {
	surface := func(name string, colour *uint32) proto.Message {
		return &componentpb.Surface{Name: name, Colour: colour}
	}
	size := func(w, h uint32) proto.Message { return &componentpb.Size{Width: w, Height: h} }
	for _, c := range []schemaCase{
		{"C14 felt", Surface, surface("felt", nil), "-"},
		{"C14.5 paper", Surface, surface("paper", nil), "-"},
		{"C14.5 lava", Surface, surface("lava", nil), "name"},
		{"C14 black", Surface, surface("", ptr(0)), "-"},
		{"C14 white", Surface, surface("", ptr(0xffffff)), "-"},
		{"C14.9 whiter than white", Surface, surface("", ptr(0x1000000)), "colour"},
		{"C14.5 neither", Surface, surface("", nil), "name"},
		{"C14.5 both", Surface, surface("wood", ptr(3)), "name"},
		{"C14.5 the smallest table", Size, size(1000, 1000), "-"},
		{"C14.5 the largest table", Size, size(100_000, 100_000), "-"},
		{"C14.5 too narrow", Size, size(999, 1000), "width"},
		{"C14.5 too deep", Size, size(1000, 100_001), "height"},
		{"C14 no size", Size, size(0, 0), "width"},
		{"C14.5 a host decides on undos", Undo, &componentpb.Undo{Consent: 1}, "-"},
		{"C14.5 an unknown consent", Undo, &componentpb.Undo{Consent: 3}, "consent"},
		{"C14.5 players recall all", Recall, &componentpb.Recall{Players: true}, "-"},
		{"C14.5 motion is recorded", Recording, &componentpb.Recording{On: true}, "-"},
		{"C14.5 motion is not recorded", Recording, &componentpb.Recording{}, "-"},
		{"C14.5 spectators read the chat", Chat, &componentpb.Chat{Silent: true}, "-"},
		{"C14.5 chat is kept for a day", Chat, &componentpb.Chat{Days: 1}, "-"},
		{"C14.5 chat is kept for a month", Chat, &componentpb.Chat{Days: 30}, "-"},
		{"C14.5 chat is kept for a week", Chat, &componentpb.Chat{Days: 7}, "days"},
		{"C14.5 the table is closed", Access, &componentpb.Access{Closed: true}, "-"},
		{"C14.5 the table is frozen", Access, &componentpb.Access{Frozen: true}, "-"},
		{"C14.5 where to talk", Voice, &componentpb.Voice{Address: "https://v.example/a"}, "-"},
		{"C14.5 talk without TLS", Voice, &componentpb.Voice{Address: "http://v.example"}, "address"},
		{"C14.5 games won", Wins, &componentpb.Wins{Games: 3}, "-"},
		{"C14.5 too many games", Wins, &componentpb.Wins{Games: MaxWins + 1}, "games"},
		{"C14.5 talk nowhere", Voice, &componentpb.Voice{}, "address"},
		{"C14.5 no grid", Grid, &componentpb.Grid{}, "-"},
		{"C14.5 no grid, of a pitch", Grid, &componentpb.Grid{Pitch: 100}, "form"},
		{"C14.5 squares", Grid, &componentpb.Grid{Form: 1, Pitch: 10, X: -3, Y: 4, Snap: true}, "-"},
		{"C14.5 hexagons", Grid, &componentpb.Grid{Form: 2, Pitch: 20_000}, "-"},
		{"C14.5 triangles", Grid, &componentpb.Grid{Form: 3, Pitch: 100}, "form"},
		{"C14.5 a negative one", Grid, &componentpb.Grid{Form: -1, Pitch: 100}, "form"},
		{"C14.5 a grid too narrow", Grid, &componentpb.Grid{Form: 1, Pitch: 9}, "pitch"},
		{"C14.5 a grid too wide", Grid, &componentpb.Grid{Form: 1, Pitch: 20_001}, "pitch"},
		{
			"C14.10 a grid from beyond", Grid,
			&componentpb.Grid{Form: 1, Pitch: 100, X: table.MaxCoordinate + 1}, "x",
		},
	} {
		t.Run(c.name, func(t *testing.T) { wantFault(t, c.component, Encode(c.message), c.field) })
	}
}

// TestLinks shows which addresses are valid, and how long the list of links may be (C14).
func TestLinks(t *testing.T) {
	one := func(text, address string) *componentpb.Links {
		return &componentpb.Links{Links: []*componentpb.Link{{Text: text, Address: address}}}
	}
	for address, good := range map[string]bool{
		"https://example.org":                               true,
		"https://example.org/":                              true,
		"https://voice.example.org:8443/room/7?a=b&c=%20#x": true,
		"https://example.org?x":                             true,
		"https://192.0.2.1/":                                true,
		"https://xn--bcher-kva.example/a_(b)~c":             true,
		"https://" + strings.Repeat("a", 492):               true,
		"https://" + strings.Repeat("a", 493):               false,
		"":                                                  false,
		"https://":                                          false,
		"http://example.org":                                false,
		"HTTPS://example.org":                               false,
		"javascript:alert(1)":                               false,
		"https:example.org":                                 false,
		"https:///etc":                                      false,
		"https://user@example.org":                          false,
		"https://a:b@example.org":                           false,
		"https://example.org:/":                             false,
		"https://example.org:123456/":                       false,
		"https://-example.org":                              false,
		"https://example.org./":                             false,
		"https://bücher.example":                            false,
		"https://example.org/a b":                           false,
		"https://example.org/\n":                            false,
		"https://example.org\n":                             false,
		"https://example.org/<b>":                           false,
		"https://example.org/\"":                            false,
		"https://example.org\\a":                            false,
		"https://example.org/`":                             false,
		" https://example.org":                              false,
	} {
		t.Run(fmt.Sprintf("C14.5 an address: %q", address), func(t *testing.T) {
			field := "links[0].address"
			if good {
				field = "-"
			}
			wantFault(t, Links, Encode(one("", address)), field)
		})
	}
	many := func(n int) *componentpb.Links {
		all := &componentpb.Links{}
		for range n {
			all.Links = append(all.Links,
				&componentpb.Link{Text: "voice", Address: "https://example.org/"})
		}
		return all
	}
	for _, c := range []schemaCase{
		{"C14.5 no links", Links, many(0), "-"},
		{"C14.5 ten links", Links, many(10), "-"},
		{"C14.5 eleven links", Links, many(11), "links"},
		{
			"C14.5, C14.6 the text of a link has one line", Links, one("a\nb", "https://example.org/"),
			"links[0].text",
		},
		{
			"C14.5 the text of a link has 40 characters", Links,
			one(strings.Repeat("x", 41), "https://example.org/"), "links[0].text",
		},
		{
			"C14 the second link counts, too", Links,
			&componentpb.Links{Links: append(many(1).GetLinks(), &componentpb.Link{})},
			"links[1].address",
		},
	} {
		t.Run(c.name, func(t *testing.T) { wantFault(t, c.component, Encode(c.message), c.field) })
	}
}

// TestPeopleAndDrawings shows which profiles, tints, strokes and points are valid (C14).
func TestPeopleAndDrawings(t *testing.T) {
	profile := func(nick string, colour uint32, pronoun string) proto.Message {
		return &componentpb.Profile{Nick: nick, Colour: colour, Pronoun: pronoun}
	}
	points := func(x, y []int32) proto.Message { return &componentpb.Points{X: x, Y: y} }
	ping := func(seat uint32, x, y int32, at uint64) proto.Message {
		return &componentpb.Ping{Seat: seat, X: x, Y: y, Time: at}
	}
	saying := func(word string) proto.Message { return &componentpb.Ping{Seat: 1, Word: word} }
	const far = table.MaxCoordinate
	for _, c := range []schemaCase{
		{
			"C14.5 a profile", Profile,
			&componentpb.Profile{Nick: "Ada", Colour: 0xd1495b, Pronoun: "she", Away: true}, "-",
		},
		{"C14 a profile with the least", Profile, profile("A", 0, ""), "-"},
		{"C14.5 a profile without a nick", Profile, profile("", 0, ""), "nick"},
		{"C14.5 a nick of 41", Profile, profile(strings.Repeat("n", 41), 0, ""), "nick"},
		{"C14.7 a nick with a space after it", Profile, profile("Ada ", 0, ""), "nick"},
		{"C14.9 a profile with too much colour", Profile, profile("Ada", 1<<24, ""), "colour"},
		{"C14 a pronoun of 21", Profile, profile("Ada", 0, strings.Repeat("p", 21)), "pronoun"},
		{"C14 a tint", Tint, &componentpb.Tint{Colour: 0xffffff}, "-"},
		{"C14 a black tint", Tint, &componentpb.Tint{}, "-"},
		{"C14.9 too much tint", Tint, &componentpb.Tint{Colour: 0x1000000}, "colour"},
		{"C14.5 a stroke", Stroke, &componentpb.Stroke{Colour: 1, Width: 1}, "-"},
		{"C14.5 a stroke without width", Stroke, &componentpb.Stroke{}, "width"},
		{"C14.5 a stroke too wide", Stroke, &componentpb.Stroke{Width: 1001}, "width"},
		{"C14.5 points", Points, points([]int32{0, 5, -7}, []int32{9, 0, 1}), "-"},
		{"C14.5 no points", Points, points(nil, nil), ""},
		{"C14 columns of different lengths", Points, points([]int32{0, 5}, []int32{9}), ""},
		{
			"C14 points from edge to edge", Points,
			points([]int32{far, -2 * far}, []int32{-far, 2 * far}), "-",
		},
		{"C14.10 points beyond the edge", Points, points([]int32{far, 1}, []int32{0, 0}), ""},
		{
			"C14.10 points far beyond the edge", Points,
			points([]int32{-1 << 31, -1 << 31, -1 << 31}, []int32{0, 0, 0}), "",
		},
		{
			"C14.5, C14.10 points that leave and come back", Points,
			points([]int32{0, far + 1, -1}, []int32{0, 0, 0}), "",
		},
		{"C14.5 more points than fit", Points, points(make([]int32, 600), make([]int32, 600)), ""},
		{"C14 the name of a piece", Identity, &componentpb.Identity{Piece: 20_000}, "-"},
		{"C14 the name of no piece", Identity, &componentpb.Identity{}, "piece"},
		{"C14 an author", Author, &componentpb.Seat{Seat: 1}, "-"},
		{"C14 nobody as an author", Author, &componentpb.Seat{}, "seat"},
		{"C14 a ping", Ping, ping(1, -far, far, 1<<53-1), "-"},
		{"C14 a ping of nobody", Ping, ping(0, 0, 0, 0), "seat"},
		{"C14 a ping of no seat", Ping, ping(table.MaxSeats+1, 0, 0, 0), "seat"},
		{"C14.10 a ping beyond", Ping, ping(1, 0, far+1, 0), "y"},
		{"C14 a ping at no time", Ping, ping(1, 0, 0, 1<<53), "time"},
		{"C14 a ping with a word", Ping, saying(strings.Repeat("ü", MaxWord)), "-"},
		{"C14 a ping with more than a word", Ping, saying(strings.Repeat("ü", MaxWord+1)), "word"},
		{"C14.6 a ping with a word of two lines", Ping, saying("your\nturn"), "word"},
		{"C14.7 a ping with spaces around the word", Ping, saying("look "), "word"},
	} {
		t.Run(c.name, func(t *testing.T) { wantFault(t, c.component, Encode(c.message), c.field) })
	}
}

// TestQuestions shows which questions and answers are valid (C18).
func TestQuestions(t *testing.T) {
	const far = table.MaxCoordinate
	spot := func(piece uint32, x, y int32) *componentpb.Spot {
		return &componentpb.Spot{Piece: piece, X: x, Y: y}
	}
	measure := func(from, to *componentpb.Spot) proto.Message {
		return &componentpb.Measure{From: from, To: to}
	}
	for _, c := range []schemaCase{
		{"C18 a roll", Roll, &componentpb.Roll{}, "-"},
		{"C18 a roll with an argument", Roll, text("6"), ""},
		{
			"C18 a roll of the first face", RollResult,
			&componentpb.RollResult{Of: 1, Face: ptr(0)}, "-",
		},
		{"C18 a roll that was none", RollResult, &componentpb.RollResult{Of: 1, Reason: 17}, "-"},
		{
			"C18 a roll that was and was not", RollResult,
			&componentpb.RollResult{Of: 1, Face: ptr(0), Reason: 17}, "face",
		},
		{"C18 a roll without a face", RollResult, &componentpb.RollResult{Of: 1}, "face"},
		{
			"C18 a roll of a face above all dice", RollResult,
			&componentpb.RollResult{Of: 1, Face: ptr(64)}, "face",
		},
		{"C18 a roll for no question", RollResult, &componentpb.RollResult{Face: ptr(0)}, "of"},
		{"C18 a roll at a full table", RollResult, &componentpb.RollResult{Of: 1, Reason: 21}, "-"},
		{
			"C18 a roll for no reason", RollResult,
			&componentpb.RollResult{Of: 1, Reason: uint32(table.MaxReason) + 1}, "reason",
		},
		{"C18 a shuffle", Shuffle, &componentpb.Shuffle{}, "-"},
		{"C18 it was shuffled", ShuffleResult, &componentpb.ShuffleResult{Of: 7}, "-"},
		{
			"C18 it was not shuffled", ShuffleResult, &componentpb.ShuffleResult{Of: 7, Reason: 10},
			"-",
		},
		{"C18 shuffled for no question", ShuffleResult, &componentpb.ShuffleResult{}, "of"},
		{"C18 a place", HitTest, &componentpb.HitTest{X: far, Y: -far}, "-"},
		{"C14.10, C18 a place beyond", HitTest, &componentpb.HitTest{X: -far - 1}, "x"},
		{"C18 nothing lies there", HitTestResult, &componentpb.HitTestResult{Of: 1}, "-"},
		{
			"C18 something lies there", HitTestResult,
			&componentpb.HitTestResult{Of: 1, Pieces: []uint32{2, 1}}, "-",
		},
		{
			"C18 no piece lies there", HitTestResult,
			&componentpb.HitTestResult{Of: 1, Pieces: []uint32{2, 0}}, "pieces[1]",
		},
		{
			"C18 too much lies there", HitTestResult,
			&componentpb.HitTestResult{Of: 1, Pieces: make([]uint32, 101)}, "pieces",
		},
		{"C18 from piece to place", Measure, measure(spot(3, 0, 0), spot(0, far, -far)), "-"},
		{"C18 from the middle to itself", Measure, measure(spot(0, 0, 0), spot(0, 0, 0)), "-"},
		{"C18 from nowhere", Measure, measure(nil, spot(3, 0, 0)), "from"},
		{"C18 to nowhere", Measure, measure(spot(3, 0, 0), nil), "to"},
		{"C18 to a place beyond", Measure, measure(spot(3, 0, 0), spot(0, 0, far+1)), "to.y"},
		{"C18 to a piece at a place", Measure, measure(spot(3, 0, 0), spot(3, 0, 1)), "to.piece"},
		{
			"C18 to an invalid identifier", Measure, measure(spot(1<<21, 0, 0), spot(3, 0, 0)),
			"from.piece",
		},
		{"C18 a distance", MeasureResult, &componentpb.MeasureResult{Of: 1, Distance: ptr(0)}, "-"},
		{
			"C18 a distance too far", MeasureResult,
			&componentpb.MeasureResult{Of: 1, Distance: ptr(MaxDistance + 1)}, "distance",
		},
		{
			"C18 a piece that is gone", MeasureResult, &componentpb.MeasureResult{Of: 1, Reason: 5},
			"-",
		},
		{"C18 neither", MeasureResult, &componentpb.MeasureResult{Of: 1}, "distance"},
	} {
		t.Run(c.name, func(t *testing.T) { wantFault(t, c.component, Encode(c.message), c.field) })
	}
}

// TestEncodings shows that only one encoding of a component is accepted (C12).
func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		name      string
		component uint32
		hex       string
		field     string
	}{
		{"C12 a tint", Tint, "08ffff03", "-"},
		{"C12 a number with more bytes than it needs", Tint, "08ffff8300", ""},
		{"C12 a number of more than 32 bits", Tint, "0881808080f0ffffffff01", ""},
		{"C12 a number valid only in its lowest 32 bits", Tint, "0881808080f001", ""},
		{"C12.12 an explicit zero", Tint, "0800", ""},
		{"C12.12 an explicit black surface", Surface, "1000", "-"},
		{"C12.12 a field twice", Tint, "08010802", ""},
		{"C12.12 an unknown field", Tint, "08011001", ""},
		{"C12 a field of another type", Tint, "0a0101", ""},
		{"C12.12 fields in another order", Stroke, "10050801", ""},
		{"C12.12 columns that are not packed", Points, "080208021002", ""},
		{
			"C12.12 columns that are not packed, and as many unknown ones", Points,
			"08ff887a1071407a", "",
		},
		{"C12 cut short", Tint, "08ff", ""},
		{"C12 a text cut short", Label, "0a0541", ""},
		{"C12, C14.8 a text that is not UTF-8", Label, "0a02c328", ""},
		{"C12 an end of a group", Label, "0c", ""},
		{"C12.5, C14.3 more bytes than it may have", Tint, "0801080108010801ff", ""},
		{"C12 a message in parts", Measure, "0a0208030a0210021200", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, err := hex.DecodeString(c.hex)
			if err != nil {
				t.Fatal(err)
			}
			wantFault(t, c.component, data, c.field)
		})
	}
	t.Run("C12 an unregistered component is not invalid", func(t *testing.T) {
		wantFault(t, 1, []byte("whatever it is"), "-")
	})
	t.Run("C12.6 an error says what is wrong and where", func(t *testing.T) {
		err := Check(Profile, Encode(&componentpb.Profile{Nick: "Ada "}))
		if want := `component 3010 (Profile): nick: "Ada " has spaces around it`; err == nil ||
			err.Error() != want {
			t.Errorf("it says %v, want %s", err, want)
		}
		err = Check(Tint, make([]byte, 9))
		if want := `component 3021 (Tint): it has 9 bytes, more than 8`; err == nil ||
			err.Error() != want {
			t.Errorf("it says %v, want %s", err, want)
		}
	})
}

// FuzzC12Check shows that Check returns a Fault, or the data is a message within its bounds in its
// only encoding. Data of unknown components passes.
func FuzzC12Check(f *testing.F) {
	all := largest()
	for s := range Registry() {
		if m, ok := all[s.Number]; ok {
			f.Add(s.Number, Encode(m))
		}
	}
	f.Add(Points, Encode(&componentpb.Points{X: []int32{1, -2}, Y: []int32{3, 4}}))
	f.Add(Links,
		Encode(&componentpb.Links{Links: []*componentpb.Link{{Address: "https://example.org/"}}}))
	f.Fuzz(func(t *testing.T, component uint32, data []byte) {
		s := byNumber(component)
		err := Check(component, data)
		var fault *Fault
		switch {
		case err != nil && !errors.As(err, &fault):
			t.Fatalf("the error is %T", err)
		case err != nil && s.Name == "":
			t.Fatalf("component %d is not in the registry and invalid: %v", component, err)
		case err != nil || s.Name == "":
			return
		case len(data) > s.Size:
			t.Fatalf("%d bytes of %s are accepted", len(data), s.Name)
		}
		if again := reencoded(t, s, data); !bytes.Equal(again, data) {
			t.Fatalf("%s: %x is %x when it is encoded again", s.Name, data, again)
		}
	})
}

// reencoded returns data decoded and encoded again.
func reencoded(t *testing.T, s Spec, data []byte) []byte {
	t.Helper()
	kind, err := protoregistry.GlobalTypes.FindMessageByName(
		protoreflect.FullName("holt.component.v1." + s.Message()),
	)
	if err != nil {
		t.Fatal(err)
	}
	m := kind.New().Interface()
	if err := proto.Unmarshal(data, m); err != nil {
		t.Fatalf("%s: %x is accepted: %v", s.Name, data, err)
	}
	return Encode(m)
}
