package framing

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
	"holt/server/transport/depgraph"
)

func TestLanesOfPieces(t *testing.T) {
	// Clauses: D31.1, D31.2, D31.3, D32.2, D35.1
	t.Run("D31, D32 a frame is cut between unrelated events, its version is last", func(t *testing.T) {
		r := newRig(t)
		if got := r.say(9, moved(1, 4), moved(2, 5), acked(1, 6, 0), moved(3, 9)); len(got) != 3 {
			t.Fatalf("it makes the messages %v", got)
		}
		r.wantEvents(0, 0, moved(1, 4), acked(1, 6, 0))
		r.wantEvents(1, 0, moved(2, 5))
		r.wantEvents(2, 9, moved(3, 9))
		for n := range uint64(3) {
			r.want(n)
		}
	})
	t.Run("D32.4 an update depends on the last message about its piece", func(t *testing.T) {
		r := newRig(t)
		r.say(1, moved(1, 1))
		r.say(2, moved(2, 2))
		r.say(3, moved(1, 3))
		r.say(4, holds(1, 3))
		r.want(2, 0)
		r.want(3, 2)
	})
	t.Run("D12, D32 executed messages cost nothing", func(t *testing.T) {
		r := newRig(t)
		r.say(1, moved(1, 1))
		r.execute(t, 0)
		r.say(2, moved(1, 2))
		r.want(1)
	})
	t.Run("D32.3 events related through others are one message", func(t *testing.T) {
		r := newRig(t)
		r.say(1, moved(1, 1))
		r.say(2, moved(2, 2))
		r.say(3, moved(3, 3))
		if got := r.say(6, moved(3, 4), labelled(2, 3),
			moved(1, 5), acked(1, 6, 2)); len(got) != 1 {
			t.Fatalf("it makes the messages %v", got)
		}
		r.want(3, 0, 1, 2)
		r.wantEvents(3, 6, moved(3, 4), labelled(2, 3), moved(1, 5), acked(1, 6, 2))
	})
	t.Run("D32.3 a new piece and a new identifier count as related", func(t *testing.T) {
		r := newRig(t)
		r.say(1, acked(1, 1, 20_000))
		r.say(2, moved(20_000, 2))
		r.say(3, renamed(20_000, 30_000, 3))
		r.say(4, moved(30_000, 4))
		r.want(1, 0)
		r.want(2, 1)
		r.want(3, 2)
	})
	t.Run("D32.5, D32.6 events about no piece go together and wait for nothing", func(t *testing.T) {
		r := newRig(t)
		r.say(1, moved(1, 1))
		r.say(2, labelled())
		if got := r.say(3, labelled(), moved(1, 3), labelled()); len(got) != 2 {
			t.Fatalf("it makes the messages %v", got)
		}
		r.want(1)
		r.want(2)
		r.wantEvents(2, 0, labelled(), labelled())
		r.want(3, 0)
	})
	t.Run("D32.7 a frame makes at most 256 messages, or is one barrier", func(t *testing.T) {
		r := newRig(t)
		var events []*holtpb.Event
		for i := range uint32(256) {
			events = append(events, moved(i+1, uint64(i+1)))
		}
		if got := r.say(256, events...); len(got) != 256 {
			t.Fatalf("it makes %d messages", len(got))
		}
		for n := range uint64(256) {
			r.execute(t, n)
		}
		r.say(257, moved(300, 257))
		events = append(events, moved(257, 257))
		if got := r.say(258, events...); len(got) != 1 {
			t.Fatalf("it makes %d messages", len(got))
		}
		r.wantEvents(257, 258, events...)
		r.want(257, 256)
		r.say(259, moved(400, 259))
		r.want(258, 257)
	})
	t.Run("D31 a frame of one message is that message", func(t *testing.T) {
		for _, events := range [][]*holtpb.Event{{full(1, 2)}, {moved(1, 4)}} {
			s, p, f := NewSplitter(), newPost(), frame(t, 4, events...)
			if err := s.Add(f); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Flush(0, p); err != nil || len(p.messages) != 1 ||
				&p.messages[0].bytes[0] != &f[0] {
				t.Errorf("%x becomes %x: %v", f, p.messages, err)
			}
		}
	})
	t.Run("D31.4, D31.5 an empty frame is not sent, one with only a version is", func(t *testing.T) {
		r := newRig(t)
		if got := r.say(0); len(got) != 0 || len(r.post.unguaranteed) != 0 {
			t.Errorf("it makes the messages %v, %v", got, r.post.unguaranteed)
		}
		r.say(7)
		r.want(0)
		r.wantEvents(0, 7)
	})
	t.Run("D31.6 invalid frames are an error", func(t *testing.T) {
		s := NewSplitter()
		if err := s.Add([]byte{0x1a, 5}); !errors.Is(err, wire.ErrFrame) {
			t.Errorf("%v", err)
		}
		if n, size := s.Waiting(); n != 0 || size != 0 {
			t.Errorf("%d messages wait, of %d bytes", n, size)
		}
	})
}

func TestFences(t *testing.T) {
	t.Run("D33.2, D33.3 a fence waits for all that nothing else follows", func(t *testing.T) {
		r := newRig(t)
		r.say(1, moved(1, 1))
		r.say(2, moved(1, 2))
		r.say(4, moved(2, 3), moved(3, 4))
		r.execute(t, 3)
		if got := r.say(6, moved(4, 5), notice(2), moved(5, 6)); len(got) != 1 {
			t.Fatalf("it makes the messages %v", got)
		}
		r.want(4, 1, 2)
		r.wantEvents(4, 6, moved(4, 5), notice(2), moved(5, 6))
	})
	t.Run("D33.4 later messages follow a fence only by their pieces", func(t *testing.T) {
		r := newRig(t)
		r.say(1, moved(1, 1))
		r.say(2, gone(2, 2))
		r.say(5, moved(1, 3), moved(2, 4), moved(3, 5))
		r.want(1, 0)
		r.want(2, 0)
		r.want(3, 1)
		r.want(4)
	})
	t.Run("D33.3 a fence follows the one before", func(t *testing.T) {
		r := newRig(t)
		r.say(1, notice(1))
		r.say(2, notice(2))
		r.say(3, moved(7, 3))
		r.say(4, notice(3))
		r.want(1, 0)
		r.want(3, 1, 2)
	})
	for name, wall := range map[string]*holtpb.Event{
		"a full state": full(1), "a resume": wire.ResumedEvent(nil, nil, nil),
		"a seat":    seat(3),
		"the table": {Event: &holtpb.Event_Table{Table: &holtpb.TableInfo{Title: "x"}}},
	} {
		// Clauses: D33.5
		t.Run("D33 everything comes after "+name, func(t *testing.T) {
			r := newRig(t)
			r.say(1, moved(1, 1))
			r.say(2, wall)
			r.say(3, moved(1, 3))
			r.say(4, moved(1, 4))
			r.say(5, labelled())
			r.want(1, 0)
			r.want(2, 1)
			r.want(3, 2) // it waits for the message behind the barrier, too
			r.want(4, 1)
			r.execute(t, 0, 1)
			r.say(6, labelled())
			r.want(5)
		})
	}
	t.Run("D14.8, D33 a fence after more than 64 messages follows joins", func(t *testing.T) {
		r := newRig(t)
		const all = 5000
		for i := range uint32(all) {
			r.say(0, moved(i+1, uint64(i+1)))
		}
		got := r.say(0, notice(1))
		reached, size := map[uint64]bool{}, 0
		var follow func(n uint64)
		follow = func(n uint64) {
			if reached[n] {
				return
			}
			reached[n] = true
			size = max(size, len(r.messages[n].deps))
			for _, d := range r.messages[n].deps {
				follow(d)
			}
		}
		last := got[len(got)-1]
		follow(last)
		if len(reached) != len(r.messages) || size != depgraph.MaxDependencies ||
			len(got) != 1+79+2 {
			t.Errorf("it follows %d of %d messages, by %d joins of at most %d", len(reached),
				len(r.messages), len(got)-1, size)
		}
		for _, join := range got[:len(got)-1] {
			if len(r.messages[join].bytes) > 0 {
				t.Errorf("join %d is %x", join, r.messages[join].bytes)
			}
		}
		r.say(0, notice(1))
		r.want(last+1, last)
	})
	t.Run("D14.8, D32 so does a message about more than 64 pieces", func(t *testing.T) {
		r := newRig(t)
		var pieces []uint32
		for i := range uint32(100) {
			pieces = append(pieces, i+1)
			r.say(0, moved(i+1, uint64(i+1)))
		}
		if got := r.say(0, labelled(pieces...)); len(got) != 3 {
			t.Fatalf("it makes the messages %v", got)
		}
		r.want(102, 100, 101)
		r.say(0, notice(1)) // the joins are not tips
		r.want(103, 102)
	})
}

func TestUnguaranteed(t *testing.T) {
	t.Run("D34.1 motion, cursors and pongs are cut off, and wait for nothing", func(t *testing.T) {
		r := newRig(t)
		r.say(1, moved(1, 1))
		cursors := wire.CursorsEvents(at, []wire.Segment{{ID: 2, From: at - 50, Span: 50}})[0]
		r.say(2, moved(1, 2), moving(1, 2), wire.PongEvent(5), cursors)
		r.want(1, 0)
		r.wantEvents(1, 2, moved(1, 2))
		if len(r.post.unguaranteed) != 1 || len(r.post.unguaranteed[0].deps) > 0 {
			t.Fatalf("unguaranteed are %v", r.post.unguaranteed)
		}
		want := &holtpb.Frame{Time: at,
			Events: []*holtpb.Event{moving(1, 2), wire.PongEvent(5), cursors}}
		if f := decoded(t, r.post.unguaranteed[0].bytes); !proto.Equal(f, want) {
			t.Errorf("unguaranteed is %v, want %v", f, want)
		}
	})
	t.Run("D34.3 they follow the full state", func(t *testing.T) {
		r := newRig(t)
		r.say(1, full(1))
		r.say(2, seat(3))
		r.say(0, moving(1))
		r.execute(t, 0)
		r.say(0, moving(1))
		if len(r.post.unguaranteed) != 2 || !slices.Equal(r.post.unguaranteed[0].deps, []uint64{0}) ||
			len(r.post.unguaranteed[1].deps) > 0 {
			t.Errorf("they depend on %v", r.post.unguaranteed)
		}
	})
	t.Run("D34.2 many paths go in several messages of at most 1,000 bytes", func(t *testing.T) {
		largest := 0
		for n := uint32(100); n < 400; n += 7 {
			r := newRig(t)
			var pieces, told []uint32
			for i := range n {
				pieces = append(pieces, 16_384+i)
			}
			r.say(0, moving(pieces...), wire.PongEvent(1))
			for _, l := range r.post.unguaranteed {
				largest = max(largest, len(l.bytes))
				f := decoded(t, l.bytes)
				for _, e := range f.GetEvents() {
					all, err := wire.Segments(at, e.GetMotions())
					if e.GetPong() == nil && err != nil {
						t.Fatal(err)
					}
					for _, s := range all {
						told = append(told, s.ID)
					}
				}
			}
			if !slices.Equal(told, pieces) {
				t.Errorf("%d messages have %v", len(r.post.unguaranteed), told)
			}
		}
		if largest > 1000 || largest < 950 {
			t.Errorf("the largest has %d bytes", largest)
		}
	})
	t.Run("D34 what the path does not take is lost", func(t *testing.T) {
		r := newRig(t)
		r.post.most = 20
		r.say(0, moving(1, 2, 3))
		r.say(0, wire.PongEvent(1))
		if len(r.post.unguaranteed) != 1 {
			t.Errorf("%v are sent", r.post.unguaranteed)
		}
	})
}

func TestWindow(t *testing.T) {
	t.Run("D3 messages without room wait, and go in order", func(t *testing.T) {
		r := newRig(t)
		r.room = 2
		if err := r.Add(frame(t, 5, moved(1, 1), moved(2, 2), moved(3, 3), moving(9))); err != nil {
			t.Fatal(err)
		}
		if all, err := r.Flush(0, r.post); all || err != nil {
			t.Fatalf("flushed: %v, %v", all, err)
		}
		if n, size := r.Waiting(); n != 1 || size == 0 || len(r.post.unguaranteed) != 1 {
			t.Errorf("%d wait, of %d bytes; unguaranteed are %v", n, size, r.post.unguaranteed)
		}
		if err := r.Add(frame(t, 6, moved(3, 6))); err != nil {
			t.Fatal(err)
		}
		r.room = 1 << 30
		if all, err := r.Flush(0, r.post); !all || err != nil {
			t.Fatalf("flushed: %v, %v", all, err)
		}
		r.wantEvents(2, 5, moved(3, 3))
		r.want(3, 2)
		if n, size := r.Waiting(); n != 0 || size != 0 {
			t.Errorf("%d wait, of %d bytes", n, size)
		}
	})
	t.Run("D34 motion after a waiting full state is dropped", func(t *testing.T) {
		r := newRig(t)
		r.room = 0
		if err := errors.Join(r.Add(frame(t, 5, full(1))),
			r.Add(frame(t, 0, moving(1)))); err != nil {
			t.Fatal(err)
		}
		if all, err := r.Flush(0, r.post); all || err != nil || len(r.post.unguaranteed) > 0 {
			t.Fatalf("flushed: %v, %v; unguaranteed are %v", all, err, r.post.unguaranteed)
		}
	})
	t.Run("D3 another error ends the connection", func(t *testing.T) {
		r := newRig(t)
		r.sender.Close()
		if err := r.Add(frame(t, 5, moved(1, 1))); err != nil {
			t.Fatal(err)
		}
		if all, err := r.Flush(0, r.post); all || !errors.Is(err, depgraph.ErrClosed) {
			t.Errorf("flushed: %v, %v", all, err)
		}
	})
	t.Run("D14 memory is bounded by what is under way", func(t *testing.T) {
		r := newRig(t)
		for n := range uint64(20_000) {
			r.say(0, moved(uint32(n)+1, n+1))
			if n >= 100 {
				r.execute(t, n-100)
			}
			if len(r.lastAbout) > 300 || len(r.tips) > 300 {
				t.Fatalf("with 100 under way %d keys and %d tips are kept",
					len(r.lastAbout), len(r.tips))
			}
		}
	})
}

// BenchmarkSplitter cuts a frame of five moves, as on a busy table, with a round trip of 40 frames.
func BenchmarkSplitter(b *testing.B) {
	s, p := NewSplitter(), newPost()
	var frames [][]byte
	for i := range uint32(10) {
		frames = append(frames, frame(b, 1<<30, moved(5*i+1, 1<<30), moved(5*i+2, 1<<30),
			moved(5*i+3, 1<<30), moved(5*i+4, 1<<30), moved(5*i+5, 1<<30)))
	}
	b.ReportAllocs()
	size, n := 0, uint64(0)
	for i := 0; b.Loop(); i++ {
		if err := s.Add(frames[i%len(frames)]); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Flush(0, p); err != nil {
			b.Fatal(err)
		}
		for _, m := range p.messages {
			size += len(m.bytes) + 2 + 2*len(m.deps)
		}
		p.messages = p.messages[:0]
		if n += 5; n > 200 {
			p.execute(b, n-201, n-202, n-203, n-204, n-205)
		}
	}
	b.ReportMetric(float64(size)/float64(n), "B/message")
}

// TestShared shows that cutting does not change a frame, which other streams send, too (D31).
func TestShared(t *testing.T) {
	f := frame(t, 9, moved(1, 4), moving(1, 2), moved(2, 5), labelled(1), gone(3, 6), seat(4))
	was := bytes.Clone(f)
	r := newRig(t)
	if err := r.Add(f); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Flush(0, r.post); err != nil || !bytes.Equal(f, was) {
		t.Errorf("D31 the frame is now %x, was %x: %v", f, was, err)
	}
}
