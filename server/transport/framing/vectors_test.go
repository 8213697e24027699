package framing

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

var updateVectors = flag.Bool("update", false,
	"write the sections cuts and joins of docs/protocol/vectors/datagrams.json")

// vectorsFile is shared with server/transport/depgraph and server/transport/connection. Each
// package writes its own sections.
var vectorsFile = filepath.Join("..", "..", "..", "docs", "protocol", "vectors", "datagrams.json")

// cutVector is a stream that is cut into messages, in steps.
type cutVector struct {
	Name  string    `json:"name"`
	Steps []cutStep `json:"steps"`
}

// cutStep is a frame and its messages, or messages that have been acknowledged.
type cutStep struct {
	Frame    *string         `json:"frame,omitempty"`
	Messages []vectorMessage `json:"messages,omitempty"`
	Loose    []vectorMessage `json:"loose,omitempty"`

	Acknowledged []uint64 `json:"acknowledged,omitempty"`
}

// vectorMessage is a message, in hexadecimal, with the numbers of the messages on which it depends.
// Guaranteed ones are numbered from 0.
type vectorMessage struct {
	Bytes string   `json:"bytes"`
	Deps  []uint64 `json:"deps"`
}

// joinVector is what messages make when they are executed in some order.
type joinVector struct {
	Name  string     `json:"name"`
	Steps []joinStep `json:"steps"`
}

// joinStep is a message with its number, or an unguaranteed one, and the frame that it makes, or
// null. Another encoding of the same frame is as good.
type joinStep struct {
	Number *uint64 `json:"number,omitempty"`
	Bytes  string  `json:"bytes"`
	Frame  *string `json:"frame"`
}

func TestVectors(t *testing.T) {
	sections := map[string][]json.RawMessage{}
	text, err := os.ReadFile(vectorsFile)
	if err == nil {
		err = json.Unmarshal(text, &sections)
	}
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]json.RawMessage{"cuts": rows(t, cutVectors(t)),
		"joins": rows(t, joinVectors(t))}
	if *updateVectors {
		maps.Copy(sections, got)
		writeVectors(t, sections)
	}
	for section := range got {
		t.Run("D32 D33 D35 "+section, func(t *testing.T) {
			if !slices.EqualFunc(got[section], sections[section],
				func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
				t.Error("the vectors have changed; if they should, run go test -update")
			}
		})
	}
}

func rows[R any](t *testing.T, vectors []R) (texts []json.RawMessage) {
	for _, v := range vectors {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// writeVectors writes one row a line, as the other packages do.
func writeVectors(t *testing.T, sections map[string][]json.RawMessage) {
	var text bytes.Buffer
	for i, name := range slices.Sorted(maps.Keys(sections)) {
		fmt.Fprintf(&text, "%s%q:[\n", []string{"{", ",\n"}[min(i, 1)], name)
		for k, row := range sections[name] {
			fmt.Fprintf(&text, "%s%s", []string{"", ",\n"}[min(k, 1)], row)
		}
		text.WriteString("\n]")
	}
	text.WriteString("}\n")
	if err := os.WriteFile(vectorsFile, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// cutRows are streams: frames, and numbers of messages that are acknowledged in between.
func cutRows(t *testing.T) []struct {
	name  string
	steps []any
} {
	f := func(version id.Version, events ...*holtpb.Event) []byte {
		return frame(t, version, events...)
	}
	var many []*holtpb.Event
	for i := range uint32(257) {
		many = append(many, moved(i+1, uint64(i+1)))
	}
	return []struct {
		name  string
		steps []any
	}{
		{"pieces, each after its earlier messages", []any{f(1, full(1, 2)), f(4, moved(1, 2),
			moved(2, 3), acked(1, 4, 0)), []uint64{0}, f(5, moved(1, 5)), f(6, moved(3, 6))}},
		{"executed messages cost nothing",
			[]any{f(1, moved(1, 1)), []uint64{0}, f(2, moved(1, 2)), f(3, moved(1, 3))}},
		{"events about common pieces stay together", []any{f(1, moved(1, 1)), f(2, moved(2, 2)),
			f(5, moved(3, 3), labelled(1, 2), moved(2, 5))}},
		{"an added piece and a new identifier", []any{f(1, acked(1, 1, 20_000)),
			f(2, moved(20_000, 2)), f(3, renamed(20_000, 30_000, 3)), f(4, moved(30_000, 4))}},
		{"events about no piece",
			[]any{f(1, full(1)), f(2, labelled()), []uint64{0, 1}, f(3, labelled(), moved(1, 3))}},
		{"fences", []any{f(2, moved(1, 1), moved(2, 2)), f(4, moved(3, 3), notice(3)),
			f(6, moved(3, 5), moved(1, 6)), f(7, gone(2, 7)), f(8, moved(4, 8))}},
		{"walls", []any{f(1, moved(1, 1)), f(2, seat(2)), f(4, moved(1, 3), moved(2, 4)),
			f(5, moved(1, 5)), f(6, labelled())}},
		{"motion", []any{f(1, full(1)), f(0, moving(1)), []uint64{0},
			f(2, moving(1, 2), wire.PongEvent(9), moved(1, 2)), f(0, wire.PongEvent(10))}},
		{"nothing, and a version alone", []any{f(0), f(5)}},
		{"more than 256", []any{f(1, moved(300, 1)), f(257, many...), f(258, moved(400, 258))}},
	}
}

func cutVectors(t *testing.T) (vectors []cutVector) {
	for _, row := range cutRows(t) {
		v, s, p := cutVector{Name: row.name}, NewSplitter(), newPost()
		for _, step := range row.steps {
			if numbers, ok := step.([]uint64); ok {
				p.execute(t, numbers...)
				v.Steps = append(v.Steps, cutStep{Acknowledged: numbers})
				continue
			}
			text := hex.EncodeToString(step.([]byte))
			if err := s.Add(step.([]byte)); err != nil {
				t.Fatal(err)
			}
			messages, loose := len(p.messages), len(p.unguaranteed)
			if all, err := s.Flush(0, p); !all || err != nil {
				t.Fatal(all, err)
			}
			v.Steps = append(v.Steps, cutStep{
				Frame: &text, Messages: vectorMessages(p.messages[messages:]),
				Loose: vectorMessages(p.unguaranteed[loose:]),
			})
		}
		vectors = append(vectors, v)
	}
	return vectors
}

func vectorMessages(all []posted) (vectors []vectorMessage) {
	for _, m := range all {
		vectors = append(vectors,
			vectorMessage{hex.EncodeToString(m.bytes), append([]uint64{}, m.deps...)})
	}
	return vectors
}

// numbered is a guaranteed message of a row of joinRows. An unguaranteed one is bytes alone.
type numbered struct {
	number uint64
	bytes  []byte
}

func joinRows(t *testing.T) []struct {
	name  string
	steps []any
} {
	f := func(version id.Version, events ...*holtpb.Event) []byte {
		return frame(t, version, events...)
	}
	earlier := append(wire.AppendHead(nil, at-1, 0),
		f(0, moving(1))[len(wire.AppendHead(nil, at, 0)):]...)
	behind := append(f(0, moved(1, 4)), wire.AppendHead(nil, 0, 4)...)
	return []struct {
		name  string
		steps []any
	}{
		{"in order", []any{numbered{0, f(1, full(1))}, numbered{1, f(0, moved(1, 2))},
			numbered{2, f(3, moved(2, 3))}}},
		{"a version waits for all before", []any{
			numbered{1, f(3, moved(1, 3))}, numbered{3, f(5, moved(1, 5))}, numbered{0,
				f(2, moved(2, 2))}, numbered{4, f(0, moved(1, 6))}, numbered{2, f(0, moved(2, 4))},
		}},
		{"a version alone",
			[]any{numbered{1, f(3)}, numbered{0, nil}, numbered{2, f(4)}, numbered{3, nil}}},
		{"a version after the events",
			[]any{numbered{0, behind}, numbered{2, behind}, numbered{1, f(0)}}},
		{"motion before anything else",
			[]any{f(0, moving(1)), numbered{0, f(1, full(1))}, f(0, moving(1))}},
		{"motion from before a resume", []any{numbered{0, f(1, wire.ResumedEvent(nil, nil, nil))},
			earlier, f(0, moving(1), wire.PongEvent(3))}},
		{"an unguaranteed message of the largest size",
			[]any{numbered{0, f(1, full(1))}, f(9, moved(1, 9), moving(1)), f(9, moved(1, 9))}},
	}
}

func joinVectors(t *testing.T) (vectors []joinVector) {
	for _, row := range joinRows(t) {
		v, j := joinVector{Name: row.name}, &Joiner{}
		for _, step := range row.steps {
			var made []byte
			var err error
			s := joinStep{}
			if m, ok := step.(numbered); ok {
				s.Number, s.Bytes = &m.number, hex.EncodeToString(m.bytes)
				made, err = j.Message(m.number, m.bytes)
			} else {
				s.Bytes = hex.EncodeToString(step.([]byte))
				made, err = j.Unguaranteed(step.([]byte))
			}
			if err != nil {
				t.Fatal(err)
			}
			if made != nil {
				text := hex.EncodeToString(made)
				s.Frame = &text
			}
			v.Steps = append(v.Steps, s)
		}
		vectors = append(vectors, v)
	}
	return vectors
}
