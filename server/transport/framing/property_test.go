package framing

import (
	"fmt"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// sentEvent is an event of the stream that was cut. The whole stream is in order.
type sentEvent struct {
	event   *holtpb.Event
	version id.Version // of its frame
	travel  wire.Travel
	pieces  []id.Piece
}

// drawEvent draws an event for the entry with that version.
func drawEvent(t *rapid.T, version uint64) *holtpb.Event {
	piece := rapid.Uint32Range(1, 9)
	switch rapid.IntRange(0, 19).Draw(t, "event") {
	case 0:
		return notice(piece.Draw(t, "piece"))
	case 1:
		return gone(piece.Draw(t, "piece"), version)
	case 2:
		return renamed(piece.Draw(t, "piece"), piece.Draw(t, "name"), version)
	case 3:
		return seat(uint32(version))
	case 4:
		return full(uint32(version))
	case 5, 6:
		return labelled(rapid.SliceOfN(piece, 0, 3).Draw(t, "pieces")...)
	case 7, 8:
		return holds(piece.Draw(t, "piece"), uint32(version))
	case 9, 10, 11:
		return acked(piece.Draw(t, "piece"), version, rapid.Uint32Range(0, 9).Draw(t, "made"))
	default:
		return moved(piece.Draw(t, "piece"), version)
	}
}

// TestAnyOrder cuts random streams and executes the messages in any order that the graph allows,
// while some of them are acknowledged (D31, D32, D33, D35).
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, p := NewSplitter(), newPost()
		var stream []sentEvent
		var executed []uint64
		var done []bool
		j := &order{j: &Joiner{}, seen: map[string]int{}}
		version := uint64(0)
		for range rapid.IntRange(1, 30).Draw(t, "frames") {
			var events []*holtpb.Event
			for range rapid.IntRange(0, 6).Draw(t, "events") {
				version++
				events = append(events, drawEvent(t, version))
			}
			if version == 0 {
				continue
			}
			f := &holtpb.Frame{Time: at, Mark: version, Events: events}
			for _, e := range events {
				stream = append(stream, describe(t, e, id.Version(version)))
			}
			if err := s.Add(encode(t, f)); err != nil {
				t.Fatal(err)
			}
			p.room = rapid.IntRange(0, 8).Draw(t, "room")
			if _, err := s.Flush(0, p); err != nil {
				t.Fatal(err)
			}
			done = append(done, make([]bool, len(p.messages)-len(done))...)
			for range rapid.IntRange(0, 6).Draw(t, "executed") {
				if n, ok := p.next(t, done); ok {
					executed = append(executed, n)
					j.take(t, n, p.messages[n].bytes)
				}
			}
			for len(executed) > 0 && rapid.Bool().Draw(t, "acknowledged") {
				if err := p.sender.Acknowledge(executed[0]); err != nil {
					t.Fatal(err)
				}
				executed = executed[1:]
			}
		}
		p.room = 1 << 30
		if all, err := s.Flush(0, p); !all || err != nil {
			t.Fatalf("flushed: %v, %v", all, err)
		}
		done = append(done, make([]bool, len(p.messages)-len(done))...)
		for {
			n, ok := p.next(t, done)
			if !ok {
				break
			}
			j.take(t, n, p.messages[n].bytes)
		}
		j.check(t, stream)
	})
}

// next draws a message that may be executed.
func (p *post) next(t *rapid.T, done []bool) (uint64, bool) {
	var may []uint64
	for n, m := range p.messages {
		if !done[n] && !slices.ContainsFunc(m.deps, func(d uint64) bool { return !done[d] }) {
			may = append(may, uint64(n))
		}
	}
	if len(may) == 0 {
		return 0, false
	}
	n := rapid.SampledFrom(may).Draw(t, "message")
	done[n] = true
	return n, true
}

// order is what a client received.
type order struct {
	j        *Joiner
	seen     map[string]int // at which place, by the event's key
	versions []versionAfter
}

// versionAfter is a version, and how many events had been received before it.
type versionAfter struct {
	version id.Version
	events  int
}

func (o *order) take(t *rapid.T, number uint64, msg []byte) {
	b, err := o.j.Message(number, msg)
	if err != nil {
		t.Fatal(err)
	}
	var f holtpb.Frame
	if err := proto.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	for _, e := range f.GetEvents() {
		o.seen[key(t, e, o.seen)] = len(o.seen)
	}
	if f.GetMark() != 0 {
		o.versions = append(o.versions, versionAfter{id.Version(f.GetMark()), len(o.seen)})
	}
}

// key is the text of an event, and the number of earlier events with this text. Equal events do not
// have to be distinguished further.
func key(t *rapid.T, e *holtpb.Event, taken map[string]int) string {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		k := fmt.Sprintf("%x %d", b, i)
		if _, ok := taken[k]; !ok {
			return k
		}
	}
}

// check compares what was received with the stream.
func (o *order) check(t *rapid.T, stream []sentEvent) {
	if len(o.seen) != len(stream) {
		t.Fatalf("D31 of %d events %d arrive", len(o.seen), len(stream))
	}
	names := map[string]int{}
	place := make([]int, len(stream))
	for i, s := range stream {
		k := key(t, s.event, names)
		names[k] = i
		at, ok := o.seen[k]
		if !ok {
			t.Fatalf("D31 %v does not arrive", s.event)
		}
		place[i] = at
	}
	for i := range stream {
		for k := range i {
			if why := follows(&stream[k], &stream[i]); why != "" && place[k] > place[i] {
				t.Fatalf("%s %v arrives before %v", why, stream[i].event, stream[k].event)
			}
		}
	}
	last := id.Version(0)
	for _, m := range o.versions {
		if m.version < last {
			t.Errorf("D35 the version %d arrives after %d", m.version, last)
		}
		last = m.version
		for i := range stream {
			if stream[i].version <= m.version && place[i] >= m.events {
				t.Errorf("D35 the version %d arrives before %v", m.version, stream[i].event)
			}
		}
	}
	if n := len(stream); n > 0 && last < stream[n-1].version {
		t.Errorf("D35 the last version is %d, want %d", last, stream[n-1].version)
	}
}

// follows returns the rule by which b, which is later in the stream, has to be received after a.
func follows(a, b *sentEvent) string {
	switch {
	case b.travel != wire.Ordered:
		return "D33"
	case a.travel == wire.Barrier:
		return "D33"
	case slices.ContainsFunc(a.pieces,
		func(p id.Piece) bool { return slices.Contains(b.pieces, p) }):
		return "D32"
	default:
		return ""
	}
}

// describe says how an event travels. TestCut in package wire shows that this is right.
func describe(t *rapid.T, e *holtpb.Event, version id.Version) sentEvent {
	var c wire.Cut
	if err := c.Read(encode(t, &holtpb.Frame{Events: []*holtpb.Event{e}})); err != nil {
		t.Fatal(err)
	}
	return sentEvent{event: e, version: version, travel: c.Parts[0].Travel,
		pieces: slices.Clone(c.Parts[0].Pieces)}
}

// encode encodes a frame with its head before, behind or among the events.
func encode(t *rapid.T, f *holtpb.Frame) []byte {
	var events [][]byte
	for _, e := range f.GetEvents() {
		b, err := wire.AppendEvent(nil, e)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, b)
	}
	head := wire.AppendHead(nil, id.Millis(f.GetTime()), id.Version(f.GetMark()))
	where := rapid.IntRange(0, len(events)).Draw(t, "head")
	unknown := protowire.AppendVarint(protowire.AppendTag(nil, 9, protowire.VarintType), 1)
	return slices.Concat(slices.Concat(events[:where]...), head, unknown,
		slices.Concat(events[where:]...))
}
