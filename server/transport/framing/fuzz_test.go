package framing

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// FuzzSplitAndJoin shows that any bytes that are a frame are cut into messages that give all its
// events again, and that other bytes give an error (D31). The second half of the bytes is a message
// of its own, which may be anything.
func FuzzSplitAndJoin(f *testing.F) {
	for _, events := range [][]*holtpb.Event{
		{full(1, 2)}, {moved(1, 4), moved(2, 5), acked(1, 6, 3), moving(1, 2)},
		{notice(1), gone(2, 3)}, {labelled(), labelled(1, 2), holds(1, 2)},
		{renamed(1, 2, 3), seat(4), wire.PongEvent(5)},
	} {
		b := frame(f, 9, events...)
		f.Add(b, frame(f, 3, moved(1, 2)))
	}
	f.Fuzz(func(t *testing.T, b, other []byte) {
		s, p := NewSplitter(), newPost()
		whole, undecodable := wire.DecodeFrame(b)
		err := s.Add(b)
		if err != nil && !errors.Is(err, wire.ErrFrame) {
			t.Fatal(err)
		}
		if _, err := s.Flush(0, p); err != nil {
			t.Fatal(err)
		}
		var j Joiner
		_, _ = j.Unguaranteed(other)
		count := 0
		for n, m := range p.messages {
			made, failed := j.Message(uint64(n), m.bytes)
			if failed != nil {
				t.Fatalf("message %d: %v", n, failed)
			}
			var got holtpb.Frame
			if undecodable == nil && proto.Unmarshal(made, &got) != nil {
				t.Fatalf("D31 message %d of %x makes %x", n, b, made)
			}
			count += len(got.GetEvents())
		}
		for _, l := range p.unguaranteed {
			var got holtpb.Frame
			if undecodable == nil && proto.Unmarshal(l.bytes, &got) != nil {
				t.Fatalf("D34 %x makes %x", b, l.bytes)
			}
			if undecodable == nil && len(got.GetEvents()) == 0 {
				t.Errorf("D34 %x makes the empty %x", b, l.bytes)
			}
		}
		guaranteed := 0
		for _, e := range whole.GetEvents() {
			if e.GetMotions() == nil && e.GetCursors() == nil && e.GetPong() == nil {
				guaranteed++
			}
		}
		if undecodable == nil && err == nil && count < guaranteed {
			t.Errorf("D31 of %d events %d come out again", guaranteed, count)
		}
		_, _ = j.Message(1<<20, other) // from anybody: no panic
		_, _ = j.Message(0, other)
	})
}
