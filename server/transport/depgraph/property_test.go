package depgraph

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// message is a sent message with all its declared dependencies, even if its header leaves them out.
type message struct {
	header Header
	size   int
	deps   []uint64
}

// drawGraph draws messages that depend on some of the last ones before them, with their headers.
func drawGraph(t *rapid.T) []Header {
	messages := make([]Header, rapid.IntRange(1, 40).Draw(t, "messages"))
	for n := range messages {
		h := Header{Number: uint64(n)}
		for _, back := range rapid.SliceOfN(rapid.IntRange(1, 12), 0, 4).Draw(t, "back") {
			if back <= n {
				h.Deps = append(h.Deps, uint64(n-back))
			}
		}
		messages[n] = h
	}
	return messages
}

// model executes messages as the rules say, and ignores cost: after each arrival it executes the
// lowest message that has arrived, was not executed and waits for nothing, and repeats that (D4).
type model struct {
	messages []Header
	arrived  map[uint64]bool
	done     map[uint64]bool
	log      []uint64
}

func (m *model) add(number uint64) {
	m.arrived[number] = true
	ready := func(h Header) bool {
		return m.arrived[h.Number] && !m.done[h.Number] &&
			!slices.ContainsFunc(h.Deps, func(d uint64) bool { return !m.done[d] })
	}
	for i := slices.IndexFunc(m.messages, ready); i >= 0; i = slices.IndexFunc(m.messages, ready) {
		m.done[uint64(i)] = true
		m.log = append(m.log, uint64(i))
	}
}

func (m *model) floor() uint64 {
	for n := uint64(0); ; n++ {
		if !m.done[n] {
			return n
		}
	}
}

func TestReceiverAgainstModel(t *testing.T) {
	// Clauses: D4.1, D4.2, D10.3
	t.Run("D5, D9 any order of arrival executes like the model", rapid.MakeCheck(func(t *rapid.T) {
		m := model{messages: drawGraph(t), arrived: map[uint64]bool{}, done: map[uint64]bool{}}
		var log []uint64
		r := NewReceiver(1<<20, func(number uint64, m uint64) {
			if m != number {
				t.Fatalf("message %d has the contents of %d", number, m)
			}
			log = append(log, number)
		}, nil)
		order := rapid.Permutation(m.messages).Draw(t, "order")
		order = append(order, rapid.SliceOf(rapid.SampledFrom(m.messages)).Draw(t, "copies")...)
		order = rapid.Permutation(order).Draw(t, "with copies")
		for _, h := range order {
			if err := r.Add(0, h, 1, h.Number); err != nil {
				t.Fatal(err)
			}
			m.add(h.Number)
			if !slices.Equal(log, m.log) || r.Floor() != m.floor() {
				t.Fatalf("after %d: executed %v, floor %d; want %v, floor %d", h.Number, log,
					r.Floor(), m.log, m.floor())
			}
		}
		if len(log) != len(m.messages) || r.Waiting() != 0 || len(r.graph.nodes) > idleNodes {
			t.Fatalf("executed %d of %d, %d bytes wait", len(log), len(m.messages), r.Waiting())
		}
		if _, ok := r.Deadline(); ok {
			t.Fatal("a deadline, and nothing waits")
		}
	}))
}

// TestSenderAgainstReceiver takes random steps, to find something that a sender believes and a
// receiver denies.
func TestSenderAgainstReceiver(t *testing.T) {
	t.Run("D2 D3 D4 D11 D12 handles only report executed messages", rapid.MakeCheck(func(t *rapid.T) {
		m := newMachine(t)
		t.Repeat(map[string]func(*rapid.T){
			"send":    m.send,
			"deliver": m.deliver,
			"acknowledge": func(t *rapid.T) {
				if n := rapid.Uint64Range(0, m.sender.next).Draw(
					t, "number"); m.receiver.Arrived(n) {
					must(t, m.sender.Acknowledge(n))
				}
			},
			"floor": func(t *rapid.T) {
				must(t, m.sender.AcknowledgeBelow(
					rapid.Uint64Range(0, m.receiver.Floor()).Draw(t, "floor")))
			},
			"": m.check,
		})
		for _, d := range m.sent { // in the end everything arrives
			m.enter(t, d)
		}
		must(t, m.sender.AcknowledgeBelow(m.receiver.Floor()))
		if len(m.executed) != len(m.sent) || m.sender.bytes != 0 ||
			m.sender.Floor() != m.sender.next {
			t.Fatalf("executed %d of %d, %d bytes are under way, floor %d", len(m.executed),
				len(m.sent), m.sender.bytes, m.sender.Floor())
		}
	}))
}

// machine is a sender, a receiver and everything that was ever sent between them.
type machine struct {
	sender   *Sender
	receiver *Receiver[uint64]
	handles  []*Handle // handles[i] is of message i
	sent     []message
	executed map[uint64]bool
}

func newMachine(t *rapid.T) *machine {
	m := &machine{sender: NewSender(rapid.IntRange(80, 1500).Draw(t, "window")),
		executed: map[uint64]bool{}}
	m.receiver = NewReceiver(m.sender.window, func(number uint64, _ uint64) {
		if m.executed[number] {
			t.Fatalf("%d is executed twice", number)
		}
		for _, d := range m.sent[number].deps {
			if !m.executed[d] {
				t.Fatalf("%d is executed before %d", number, d)
			}
		}
		m.executed[number] = true
	}, nil)
	return m
}

func (m *machine) send(t *rapid.T) {
	var deps []uint64
	m.sender.Begin()
	if len(m.handles) > 0 {
		last := len(m.handles) - 1
		for _, i := range rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, last),
			rapid.IntRange(max(0, last-5), last)), 0, 5).Draw(t, "deps") {
			must(t, m.sender.Depend(m.handles[i]))
			deps = append(deps, uint64(i))
		}
	}
	h := new(Handle)
	size := rapid.IntRange(0, 30).Draw(t, "size")
	header, err := m.sender.End(h, size)
	if errors.Is(err, ErrWindow) {
		return
	}
	must(t, err)
	m.handles = append(m.handles, h)
	m.sent = append(m.sent, message{Header{header.Number, slices.Clone(header.Deps)}, size, deps})
}

func (m *machine) deliver(t *rapid.T) {
	if len(m.sent) > 0 {
		m.enter(t, rapid.SampledFrom(m.sent).Draw(t, "message"))
	}
}

// enter passes a message to the receiver in wire form.
func (m *machine) enter(t *rapid.T, sent message) {
	h, rest, err := ReadHeader(AppendHeader(nil, sent.header), m.receiver.Floor(), nil)
	must(t, err)
	if h.Number != sent.header.Number || !slices.Equal(h.Deps, sent.header.Deps) || len(rest) > 0 {
		t.Fatalf("sent %+v, read %+v", sent.header, h)
	}
	must(t, m.receiver.Add(0, h, sent.size, h.Number))
}

// check compares what both sides know, after each step.
func (m *machine) check(t *rapid.T) {
	for n := range m.handles {
		if m.handles[n].Executed() && !m.executed[uint64(n)] {
			t.Fatalf("the handle of %d says executed", n)
		}
	}
	if m.sender.Floor() > m.receiver.Floor() {
		t.Fatalf("the sender's floor is %d, the receiver's %d", m.sender.Floor(),
			m.receiver.Floor())
	}
	if waiting := m.receiver.Waiting(); waiting > m.sender.bytes {
		t.Fatalf("%d bytes wait of %d that are under way", waiting, m.sender.bytes)
	}
}

func must(t interface{ Fatal(args ...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}
