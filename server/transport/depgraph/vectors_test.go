package depgraph

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write the vectors in docs/protocol/vectors")

// vectorsFile is shared with server/transport/connection. Each package writes its own sections.
var vectorsFile = filepath.Join("..", "..", "..", "docs", "protocol", "vectors", "datagrams.json")

// headerVector is what ReadHeader or ReadDeps reads from bytes. Error is the close code if they are
// refused.
type headerVector struct {
	Name   string   `json:"name"`
	Floor  uint64   `json:"floor"`
	Bytes  string   `json:"bytes"`
	Number *uint64  `json:"number,omitempty"`
	Deps   []uint64 `json:"deps,omitzero"`
	Rest   string   `json:"rest,omitempty"`
	Error  int      `json:"error,omitempty"`
}

// graphVector is the life of a receiver.
type graphVector struct {
	Name   string         `json:"name"`
	Window int            `json:"window"`
	Steps  []receiverStep `json:"steps"`
}

// receiverStep adds a message, or has a part of one, or expires if both are missing; times are in
// milliseconds. The other fields are the result: what was executed (guaranteed messages by number)
// and the state, or the close code.
type receiverStep struct {
	At    int               `json:"at"`
	Add   *addition         `json:"add,omitempty"`
	Loose *unguaranteedStep `json:"loose,omitempty"`
	Part  *uint64           `json:"part,omitempty"` // its number

	Executed []string `json:"executed"`
	Floor    uint64   `json:"floor"`
	Waiting  int      `json:"waiting"`
	Deadline *int     `json:"deadline"`
	Error    int      `json:"error,omitempty"`
}

type addition struct {
	Number uint64   `json:"number"`
	Deps   []uint64 `json:"deps"`
	Size   int      `json:"size"`
}

type unguaranteedStep struct {
	Key     uint64   `json:"key"`
	Deps    []uint64 `json:"deps"`
	Message string   `json:"message"`
}

// senderVector is the life of a sender. Handles have names. A handle whose name is new was never
// filled.
type senderVector struct {
	Name   string       `json:"name"`
	Window int          `json:"window"`
	Steps  []senderStep `json:"steps"`
}

// senderStep is one of the first five fields. A burst is a number of empty messages without
// dependencies. The other fields are the result: the header of the message, or the dependencies of
// an unguaranteed one, or what is wrong; the handles that are executed; and the state.
type senderStep struct {
	Send             *sending `json:"send,omitempty"`
	Loose            *sending `json:"loose,omitempty"`
	Acknowledge      *uint64  `json:"acknowledge,omitempty"`
	Burst            int      `json:"burst,omitempty"`
	AcknowledgeBelow *uint64  `json:"acknowledgeBelow,omitempty"`

	Header   string   `json:"header,omitempty"`
	Deps     []uint64 `json:"deps,omitzero"`
	Error    string   `json:"error,omitempty"`
	Executed []string `json:"executed"`
	Floor    uint64   `json:"floor"`
	Messages int      `json:"messages"`
	Bytes    int      `json:"bytes"`
}

// sending is a message: the handles on which it depends, some of them null, and the handle that it
// fills, if any.
type sending struct {
	Deps   []*string `json:"deps"`
	Handle string    `json:"handle,omitempty"`
	Size   int       `json:"size"`
}

func TestVectors(t *testing.T) {
	want := map[string][]json.RawMessage{}
	text, err := os.ReadFile(vectorsFile)
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil && !(*update && errors.Is(err, os.ErrNotExist)) {
		t.Fatal(err)
	}
	got := map[string][]json.RawMessage{
		"headers": rows(t, headerVectors(t)), "dependencies": rows(t, depsVectors(t)),
		"graphs": rows(t, graphVectors()), "senders": rows(t, senderVectors()),
	}
	if *update {
		maps.Copy(want, got)
		writeVectors(t, want)
	}
	for section := range got {
		t.Run("D4 D6 D11 "+section, func(t *testing.T) {
			if !slices.EqualFunc(got[section], want[section],
				func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
				t.Error("the vectors have changed; if they should, run go test -update")
			}
		})
	}
}

func rows[R any](t *testing.T, vectors []R) (texts []json.RawMessage) {
	for _, v := range vectors {
		text, err := json.Marshal(v)
		must(t, err)
		texts = append(texts, text)
	}
	return texts
}

// writeVectors writes one row a line: the file is long, and people compare rows.
func writeVectors(t *testing.T, sections map[string][]json.RawMessage) {
	var text bytes.Buffer
	for i, name := range slices.Sorted(maps.Keys(sections)) {
		fmt.Fprintf(&text, "%s%q:[\n%s\n]", []string{"{", ",\n"}[min(i, 1)], name,
			bytes.Join(asBytes(sections[name]), []byte(",\n")))
	}
	text.WriteString("}\n")
	must(t, os.WriteFile(vectorsFile, text.Bytes(), 0o644))
}

func asBytes(rows []json.RawMessage) (texts [][]byte) {
	for _, row := range rows {
		texts = append(texts, row)
	}
	return texts
}

// closeCode returns the close code of a connection that ends by an error.
func closeCode(err error) int {
	switch {
	case errors.Is(err, ErrProtocol):
		return 1002
	case errors.Is(err, ErrBounds):
		return 1009
	case errors.Is(err, ErrExpired):
		return 4000
	default:
		return 0
	}
}

func headerVectors(t *testing.T) (vectors []headerVector) {
	for _, row := range headerRows {
		v := headerVector{Name: row.name, Floor: row.floor, Bytes: row.bytes}
		h, rest, err := ReadHeader(unhex(t, row.bytes), row.floor, nil)
		if v.Error = closeCode(err); err == nil {
			v.Number, v.Deps, v.Rest = &h.Number, append([]uint64{}, h.Deps...),
				hex.EncodeToString(rest)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

func depsVectors(t *testing.T) (vectors []headerVector) {
	for _, row := range depsRows {
		v := headerVector{Name: row.name, Floor: row.floor, Bytes: row.bytes}
		deps, rest, err := ReadDeps(unhex(t, row.bytes), row.floor, nil)
		if v.Error = closeCode(err); err == nil {
			v.Deps, v.Rest = deps, hex.EncodeToString(rest)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

// These functions return steps without their results.
func adds(at int, number uint64, deps ...uint64) receiverStep {
	return receiverStep{At: at, Add: &addition{number, append([]uint64{}, deps...), 10}}
}

func loosens(at int, key uint64, message string, deps ...uint64) receiverStep {
	return receiverStep{At: at, Loose: &unguaranteedStep{key, append([]uint64{}, deps...), message}}
}

func parts(at int, number uint64) receiverStep { return receiverStep{At: at, Part: &number} }

func expiresAt(at int) receiverStep { return receiverStep{At: at} }

func graphVectors() []graphVector {
	vectors := []graphVector{
		{"nothing waits", 1000, []receiverStep{adds(0, 0), adds(1, 1, 0), adds(2, 2)}},
		{"each dependency has its own place", 1000,
			[]receiverStep{adds(0, 2, 0, 1), adds(1, 1), adds(2, 0)}},
		{"a message that has not arrived is not executed", 1000,
			[]receiverStep{adds(0, 3, 2), adds(0, 4, 1, 2), adds(0, 1), adds(0, 2, 1), adds(0, 0)}},
		{"copies", 1000, []receiverStep{adds(0, 1), adds(0, 1), adds(0, 2, 0), adds(0, 2, 0),
			adds(0, 0), adds(0, 2, 0), adds(0, 1, 0)}},
		{"a duplicate dependency", 1000,
			[]receiverStep{adds(0, 3, 1, 0, 1, 1, 0), adds(1, 0), adds(2, 1)}},
		{"the lowest goes first", 1000, []receiverStep{
			adds(0, 9, 0), adds(0, 4, 0), adds(0, 7, 2), adds(0, 2, 0), adds(0, 8, 0), adds(0, 5),
			adds(0, 3, 0), adds(0, 0),
		}},
		{"the first to arrive counts", 1000,
			[]receiverStep{adds(0, 2, 1), adds(0, 2, 0, 3), adds(0, 1)}},
		{"a dependency that does not come", 1000, []receiverStep{
			adds(500, 0), adds(1000, 2, 1), adds(7000, 3, 1), expiresAt(11_999), expiresAt(12_000),
		}},
		{"a dependency that comes, and the next does not", 1000, []receiverStep{adds(1000, 1, 0),
			adds(2000, 3, 2), adds(3000, 0), expiresAt(13_999), expiresAt(14_000)}},
		{"a gap that nobody waits for", 1000,
			[]receiverStep{adds(0, 1), adds(9000, 2), expiresAt(10_999), expiresAt(11_000)}},
		{"nothing is missing", 1000, []receiverStep{adds(0, 0), expiresAt(60_000), adds(60_000, 2),
			expiresAt(70_999), adds(70_999, 1), expiresAt(600_000)}},
		{"slow progress", 1000, []receiverStep{
			adds(0, 4, 3), expiresAt(10_000), adds(10_000, 0), expiresAt(20_000), adds(20_000, 1),
			expiresAt(30_000), adds(30_000, 3, 2),
			expiresAt(30_999), parts(30_999, 2), parts(35_000, 5), parts(36_000, 4),
			expiresAt(41_998), expiresAt(41_999),
		}},
		{"parts", 1000, []receiverStep{
			parts(0, 0), parts(10_000, 0), parts(20_000, 1), adds(20_999, 0), expiresAt(31_998),
			parts(31_998, 1), adds(40_000, 1), expiresAt(90_000),
			parts(90_000, 0), expiresAt(200_000), parts(200_000, Window+1),
			parts(200_000, Window+2),
		}},
		{"a dependency on itself", 1000, []receiverStep{adds(0, 1, 1)}},
		{"a dependency on a later message", 1000, []receiverStep{adds(0, 3), adds(0, 2, 3)}},
		{"the last message of the window", 1000,
			[]receiverStep{adds(0, Window-1), adds(0, 0), adds(0, Window)}},
		{"beyond the window", 1000, []receiverStep{adds(0, Window)}},
		{"64 dependencies", 716, []receiverStep{adds(0, 64, upTo(0, 64)...)}},
		{"65 dependencies", 1000, []receiverStep{adds(0, 65, upTo(0, 65)...)}},
		{"as much waits as allowed", 172,
			[]receiverStep{adds(0, 1, 0), adds(0, 2, 0), adds(0, 5), adds(0, 0), adds(0, 4, 3)}},
		{"more waits", 171, []receiverStep{adds(0, 1, 0), adds(0, 2, 0)}},
		{"unguaranteed messages", 1000, []receiverStep{
			loosens(0, 0, "at once"), loosens(0, 1, "gives way", 1), loosens(0, 1, "newer", 1),
			loosens(0, 2, "of another key", 1),
			loosens(0, 0, "without a key", 0, 1), loosens(0, 0, "behind", 3), adds(0, 3, 1),
			adds(1, 0), loosens(2, 2, "now", 0), adds(3, 1),
		}},
		{"unguaranteed messages in time", 1000, []receiverStep{
			loosens(0, 0, "late", 0), loosens(1, 0, "just", 0), adds(10, 1, 0), expiresAt(249),
			expiresAt(250), adds(250, 0), expiresAt(20_000),
		}},
		{"an unguaranteed message beyond the window", 1000,
			[]receiverStep{loosens(0, 0, "a", Window-1), loosens(0, 0, "b", Window)}},
		{"an unguaranteed message with 65 dependencies", 1000,
			[]receiverStep{loosens(0, 0, "a", upTo(0, 65)...)}},
	}
	full := graphVector{Name: "64 unguaranteed messages wait", Window: 100}
	for i := range 66 {
		full.Steps = append(full.Steps, loosens(i, uint64(i), fmt.Sprint("m", i), 0))
	}
	full.Steps = append(full.Steps, adds(70, 0))
	vectors = append(vectors, full)
	r := rand.New(rand.NewPCG(20, 11))
	for i := range 25 {
		vectors = append(vectors, randomGraph(r, fmt.Sprint("random ", i)))
	}
	for i := range vectors {
		vectors[i].play()
	}
	return vectors
}

// randomGraph adds messages in any order, some more than once, with unguaranteed ones between them.
func randomGraph(r *rand.Rand, name string) graphVector {
	const messages = 24
	v := graphVector{Name: name, Window: 4000}
	deps := make([][]uint64, messages)
	for n := range deps {
		for range r.IntN(4) {
			if back := 1 + r.IntN(8); back <= n {
				deps[n] = append(deps[n], uint64(n-back))
			}
		}
	}
	order := append(r.Perm(messages), r.Perm(messages)[:messages/2]...)
	at := 0
	for i, n := range order {
		at += r.IntN(40)
		v.Steps = append(v.Steps, adds(at, uint64(n), deps[n]...))
		if r.IntN(2) == 0 {
			v.Steps = append(v.Steps, loosens(at, uint64(r.IntN(3)), fmt.Sprint("m", i),
				uint64(r.IntN(messages)), uint64(r.IntN(messages))))
		}
	}
	return v
}

// play executes the steps up to one that ends the connection, and records their results.
func (v *graphVector) play() {
	var executed []string
	r := NewReceiver(v.Window, func(number uint64, _ string) {
		executed = append(executed, fmt.Sprint(number))
	},
		func(_ uint64, m string) { executed = append(executed, m) })
	for i := range v.Steps {
		step := &v.Steps[i]
		executed = []string{}
		now := Instant(step.At) * millisecond
		var err error
		switch {
		case step.Add != nil:
			err = r.Add(now, Header{step.Add.Number, step.Add.Deps}, step.Add.Size, "")
		case step.Loose != nil:
			err = r.AddUnguaranteed(now, step.Loose.Key, step.Loose.Deps, step.Loose.Message)
		case step.Part != nil:
			err = r.Part(now, *step.Part)
		default:
			err = r.Expire(now)
		}
		step.Executed, step.Floor, step.Waiting, step.Error = executed, r.Floor(), r.Waiting(),
			closeCode(err)
		if at, ok := r.Deadline(); ok {
			ms := int(at / millisecond)
			step.Deadline = &ms
		}
		if err != nil {
			v.Steps = v.Steps[:i+1]
			return
		}
	}
}

// sends is a message of size bytes that fills a handle, if it has a name, and depends on others;
// "nil" stands for a null handle.
func sends(handle string, size int, deps ...string) senderStep {
	return senderStep{Send: &sending{named(deps), handle, size}}
}

func named(deps []string) []*string {
	names := []*string{}
	for _, d := range deps {
		if d == "nil" {
			names = append(names, nil)
		} else {
			names = append(names, &d)
		}
	}
	return names
}

func acknowledges(number uint64) senderStep { return senderStep{Acknowledge: &number} }

func acknowledgesBelow(floor uint64) senderStep { return senderStep{AcknowledgeBelow: &floor} }

func senderVectors() []senderVector {
	wrap := senderVector{Name: "a dependency from before a wrap", Window: 1_000_000,
		Steps: []senderStep{sends("old", 1), acknowledgesBelow(1)}}
	for n := range uint64(5) {
		wrap.Steps = append(wrap.Steps, senderStep{Burst: Window}, sends("", 0),
			acknowledgesBelow(1+(n+1)*Window))
	}
	wrap.Steps = append(wrap.Steps, sends("new", 1, "old"), sends("", 1, "old", "new"))
	deck := senderVector{Name: "more than 64 dependencies", Window: 10_000}
	var all []string
	for i := range 65 {
		all = append(all, fmt.Sprint("card ", i))
		deck.Steps = append(deck.Steps, sends(all[i], 5))
	}
	deck.Steps = append(deck.Steps, sends("", 5, all...), sends("join", 0, all[:64]...),
		sends("", 5, "join", all[64]))
	vectors := []senderVector{
		{"dependencies are named in order, each once", 1000, []senderStep{sends("a", 1),
			sends("b", 1), sends("c", 1, "b", "nil", "a", "b"), sends("", 1, "c")}},
		{"the acknowledgement of A does not execute B", 1000, []senderStep{sends("a", 1),
			sends("b", 1, "a"), acknowledges(0), sends("c", 1, "a", "b")}},
		{"an acknowledged message waits for one that is not", 1000, []senderStep{
			sends("a", 1), sends("b", 1, "a"), sends("c", 1, "b"), acknowledges(2), acknowledges(1),
			acknowledges(1), sends("d", 1, "a", "c"),
			acknowledges(0), sends("", 1, "a", "b", "c", "d"), acknowledges(3),
		}},
		{"a floor", 1000, []senderStep{
			sends("a", 1), sends("b", 1, "a"), sends("c", 1, "b"), sends("d", 1, "c"),
			acknowledges(2), acknowledgesBelow(1), acknowledgesBelow(0),
			acknowledgesBelow(2), acknowledgesBelow(5), acknowledgesBelow(4),
		}},
		{"an unsent message", 1000, []senderStep{acknowledges(0), sends("", 1), acknowledges(1),
			acknowledgesBelow(2), acknowledges(0)}},
		{"the bytes of the window", 200, []senderStep{
			sends("a", 134), sends("", 0), acknowledges(0), sends("b", 50), sends("c", 9, "b"),
			sends("d", 8, "b"), acknowledges(2), acknowledges(1),
		}},
		{"mistakes", 1000, []senderStep{sends("a", 1, "never"), sends("a", 1), sends("a", 1),
			acknowledges(0), sends("a", 1, "a"), sends("b", 1, "a")}},
		{"unguaranteed", 1000, []senderStep{
			sends("a", 1), sends("b", 1), {Loose: &sending{Deps: named([]string{"b", "nil", "a"})}},
			acknowledges(0),
			{Loose: &sending{Deps: named([]string{"b", "a"})}}, acknowledges(1),
			{Loose: &sending{Deps: named([]string{"b", "a"})}}, sends("", 1),
		}},
		deck, wrap,
	}
	r := rand.New(rand.NewPCG(20, 12))
	for i := range 20 {
		vectors = append(vectors, randomSender(r, fmt.Sprint("random ", i)))
	}
	for i := range vectors {
		vectors[i].play()
	}
	return vectors
}

// randomSender sends and acknowledges what may have been sent.
func randomSender(r *rand.Rand, name string) senderVector {
	v := senderVector{Name: name, Window: 1000}
	sent := 0
	for range 30 {
		switch what := r.IntN(5); {
		case what < 2 || sent == 0:
			var deps []string
			for range min(sent, r.IntN(5)) {
				deps = append(deps, fmt.Sprint("h", max(0, sent-1-r.IntN(6))))
			}
			v.Steps = append(v.Steps, sends(fmt.Sprint("h", sent), r.IntN(20), deps...))
			sent++
		case what < 4:
			v.Steps = append(v.Steps, acknowledges(uint64(max(0, sent-1-r.IntN(7)))))
		default:
			v.Steps = append(v.Steps, acknowledgesBelow(uint64(max(0, sent-3-r.IntN(9)))))
		}
	}
	return v
}

var senderErrors = map[error]string{
	ErrWindow: "window", ErrDependencies: "dependencies", ErrUnfilled: "unfilled",
	ErrUnderWay: "under way", ErrUnsent: "unsent",
}

// play executes the steps and records their results.
func (v *senderVector) play() {
	s := NewSender(v.Window)
	handles := map[string]*Handle{}
	for i := range v.Steps {
		step := &v.Steps[i]
		var err error
		switch {
		case step.Send != nil:
			err = step.send(s, handles)
		case step.Loose != nil:
			if err = depend(s, step.Loose.Deps, handles); err == nil {
				step.Deps = append([]uint64{}, s.EndUnguaranteed()...)
			}
		case step.Burst > 0:
			err = step.burst(s)
		case step.Acknowledge != nil:
			err = s.Acknowledge(*step.Acknowledge)
		default:
			err = s.AcknowledgeBelow(*step.AcknowledgeBelow)
		}
		step.Error = senderErrors[err]
		step.Executed = []string{}
		for _, name := range slices.Sorted(maps.Keys(handles)) {
			if handles[name].Executed() {
				step.Executed = append(step.Executed, name)
			}
		}
		step.Floor = s.Floor()
		step.Messages, step.Bytes = s.Room()
	}
}

func (step *senderStep) send(s *Sender, handles map[string]*Handle) error {
	if err := depend(s, step.Send.Deps, handles); err != nil {
		return err
	}
	var h *Handle
	if name := step.Send.Handle; name != "" {
		if handles[name] == nil {
			handles[name] = new(Handle)
		}
		h = handles[name]
	}
	header, err := s.End(h, step.Send.Size)
	if err == nil {
		step.Header = hex.EncodeToString(AppendHeader(nil, header))
	}
	return err
}

func (step *senderStep) burst(s *Sender) error {
	for range step.Burst {
		s.Begin()
		header, err := s.End(nil, 0)
		if err != nil {
			return err
		}
		step.Header = hex.EncodeToString(AppendHeader(nil, header))
	}
	return nil
}

// depend starts a message. It returns an error if the message cannot depend on one of deps.
func depend(s *Sender, deps []*string, handles map[string]*Handle) error {
	s.Begin()
	for _, name := range deps {
		var h *Handle
		if name != nil {
			if h = handles[*name]; h == nil {
				h = new(Handle)
			}
		}
		if err := s.Depend(h); err != nil {
			return err
		}
	}
	return nil
}
