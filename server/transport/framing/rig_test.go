package framing

import (
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
	"holt/server/transport/depgraph"
)

// post is a Conn that keeps what it accepts.
type post struct {
	sender       *depgraph.Sender
	messages     []posted
	unguaranteed []posted
	room         int // how many more messages it accepts
	most         int // bytes of an unguaranteed message
}

// posted is a message with its dependencies, as its header names them.
type posted struct {
	bytes []byte
	deps  []uint64
}

func newPost() *post {
	return &post{sender: depgraph.NewSender(1 << 30), room: 1 << 30, most: MaxUnguaranteed}
}

func (p *post) begin(deps []*depgraph.Handle) error {
	p.sender.Begin()
	for _, d := range deps {
		if err := p.sender.Depend(d); err != nil {
			return err
		}
	}
	return nil
}

func (p *post) Send(_ time.Duration, msg []byte, deps []*depgraph.Handle,
	h *depgraph.Handle) error {
	if err := p.begin(deps); err != nil {
		return err
	}
	if p.room == 0 {
		return depgraph.ErrWindow
	}
	header, err := p.sender.End(h, len(msg))
	if err == nil {
		p.room--
		p.messages = append(p.messages, posted{msg, slices.Clone(header.Deps)})
	}
	return err
}

func (p *post) SendUnguaranteed(
	_ time.Duration, _ uint32, msg []byte, deps []*depgraph.Handle,
) error {
	if err := p.begin(deps); err != nil {
		return err
	}
	p.unguaranteed = append(p.unguaranteed, posted{msg, slices.Clone(p.sender.EndUnguaranteed())})
	return nil
}

func (p *post) MaxUnguaranteed() int { return p.most }

// execute acknowledges messages.
func (p *post) execute(t testing.TB, numbers ...uint64) {
	t.Helper()
	for _, n := range numbers {
		if err := p.sender.Acknowledge(n); err != nil {
			t.Fatal(err)
		}
	}
}

// rig is a Splitter with its connection.
type rig struct {
	*Splitter
	*post
	t *testing.T
}

func newRig(t *testing.T) *rig { return &rig{NewSplitter(), newPost(), t} }

// say cuts a frame and returns the numbers of its messages.
func (r *rig) say(version id.Version, events ...*holtpb.Event) []uint64 {
	r.t.Helper()
	first := len(r.messages)
	if err := r.Add(frame(r.t, version, events...)); err != nil {
		r.t.Fatal(err)
	}
	if all, err := r.Flush(0, r.post); !all || err != nil {
		r.t.Fatalf("flushed: %v, %v", all, err)
	}
	var numbers []uint64
	for n := first; n < len(r.messages); n++ {
		numbers = append(numbers, uint64(n))
	}
	return numbers
}

// want checks the dependencies of a message.
func (r *rig) want(number uint64, deps ...uint64) {
	r.t.Helper()
	if got := r.messages[number].deps; !slices.Equal(got, deps) {
		r.t.Errorf("message %d depends on %v, want %v", number, got, deps)
	}
}

// wantEvents checks the events of a message.
func (r *rig) wantEvents(number uint64, version id.Version, events ...*holtpb.Event) {
	r.t.Helper()
	f := decoded(r.t, r.messages[number].bytes)
	if want := (&holtpb.Frame{Time: at,
		Mark: uint64(version), Events: events}); !proto.Equal(f, want) {
		r.t.Errorf("message %d is\n%v, want\n%v", number, f, want)
	}
}

// at is the time of all frames, unless a test uses another.
const at = 1780000000000

func frame(t testing.TB, version id.Version, events ...*holtpb.Event) []byte {
	t.Helper()
	b, err := wire.EncodeFrame(&holtpb.Frame{Time: at, Mark: uint64(version), Events: events})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func decoded(t testing.TB, b []byte) *holtpb.Frame {
	t.Helper()
	f, err := wire.DecodeFrame(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// These functions return events.

func moved(piece uint32, version uint64) *holtpb.Event {
	p := &holtpb.Piece{Id: piece, Mark: version, X: proto.Int32(int32(version))}
	return &holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{Piece: p, By: 2,
		Op: holtpb.Op_OP_MOVE}}}
}

func gone(piece uint32, version uint64) *holtpb.Event {
	p := &holtpb.Piece{Id: piece, Mark: version, Gone: proto.Bool(true)}
	return &holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{Piece: p}}}
}

func renamed(piece, name uint32, version uint64) *holtpb.Event {
	p := &holtpb.Piece{Id: piece, Mark: version, Renamed: &name}
	return &holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{Piece: p}}}
}

func acked(piece uint32, version uint64, made uint32) *holtpb.Event {
	a := &holtpb.Ack{Seq: version, Piece: &holtpb.Piece{Id: piece, Mark: version}, Made: made}
	return &holtpb.Event{Event: &holtpb.Event_Ack{Ack: a}}
}

func notice(piece uint32) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Notice{Notice: &holtpb.Notice{By: 2,
		Op: holtpb.Op_OP_DRAW, Piece: piece}}}
}

func seat(n uint32) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Seat{Seat: &holtpb.Seat{Id: n, Nick: "Ada"}}}
}

func holds(piece, count uint32) *holtpb.Event {
	return wire.HoldsEvent(&holtpb.Holds{Piece: piece, Kinds: []uint32{1}, Counts: []uint32{count}})
}

func full(pieces ...uint32) *holtpb.Event {
	f := &holtpb.Full{Epoch: 1, You: 1}
	for _, p := range pieces {
		f.Pieces = append(f.Pieces,
			&holtpb.Piece{Id: p, Mark: 1, Z: proto.String("0.5"), ZMark: proto.Uint64(1)})
	}
	return &holtpb.Event{Event: &holtpb.Event_Full{Full: f}}
}

// labelled writes labels on pieces. Without pieces it writes on the score sheet.
func labelled(pieces ...uint32) *holtpb.Event {
	op := func(e crdt.Entity) *crdt.Op {
		return &crdt.Op{Kind: crdt.Put, Entity: e, Component: schema.Label, Timestamp: 1,
			Data: []byte{10, 1, 'x'}}
	}
	var ops []byte
	for _, p := range pieces {
		ops = crdt.AppendOp(ops, op(schema.EntityOfPiece(id.Piece(p))))
	}
	if len(pieces) == 0 {
		ops = crdt.AppendOp(ops, op(schema.TheSheet))
	}
	return wire.ComponentsEvent(ops)
}

func moving(pieces ...uint32) *holtpb.Event {
	var s []wire.Segment
	for _, p := range pieces {
		s = append(s, wire.Segment{ID: p, From: at - 50, Span: 50, X0: 900_000, Y0: -900_000,
			X1: -900_000, Y1: 900_000})
	}
	return wire.MotionsEvents(at, s)[0]
}
