package framing

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// joining is a Joiner with the frames that it made.
type joining struct {
	Joiner
	t *testing.T
}

// want gives it a message and checks the frame that it makes. A mark of -1 stands for no frame.
func (j *joining) want(number uint64, msg []byte, version int64, events ...*holtpb.Event) {
	j.t.Helper()
	b, err := j.Message(number, msg)
	if err != nil {
		j.t.Fatal(err)
	}
	if version < 0 {
		if b != nil {
			j.t.Errorf("message %d makes the frame %v", number, decoded(j.t, b))
		}
		return
	}
	if f, want := decoded(j.t, b), (&holtpb.Frame{Time: at,
		Mark: uint64(version), Events: events}); b == nil || !proto.Equal(f, want) {
		j.t.Errorf("message %d makes the frame\n%v, want\n%v", number, f, want)
	}
}

func TestJoiner(t *testing.T) {
	run := func(name string, f func(t *testing.T, j *joining)) {
		t.Run(name, func(t *testing.T) { f(t, &joining{t: t}) })
	}
	run("D35 in order, messages are the frames", func(t *testing.T, j *joining) {
		for n, msg := range [][]byte{frame(t, 1, full(1)), frame(t, 2, moved(1, 2)),
			frame(t, 0, moved(2, 3)), frame(t, 4, moved(1, 4))} {
			if b, err := j.Message(uint64(n), msg); err != nil || &b[0] != &msg[0] ||
				len(b) != len(msg) {
				t.Errorf("message %d makes %x: %v", n, b, err)
			}
		}
	})
	run("D35.2 a version counts when its messages are executed", func(t *testing.T, j *joining) {
		j.want(1, frame(t, 3, moved(1, 3)), 0, moved(1, 3))
		j.want(3, frame(t, 5, moved(1, 5)), 0, moved(1, 5))
		j.want(0, frame(t, 2, moved(2, 2)), 3, moved(2, 2))
		j.want(4, frame(t, 0, moved(1, 6)), 0, moved(1, 6))
		j.want(2, frame(t, 0, moved(2, 4)), 5, moved(2, 4))
		j.want(5, frame(t, 7, moved(1, 7)), 7, moved(1, 7))
	})
	run("D35 a version comes alone when there is nothing else", func(t *testing.T, j *joining) {
		j.want(1, frame(t, 3), -1)
		j.want(0, nil, 3)
		j.want(2, frame(t, 4), 4)
		j.want(3, nil, -1)
	})
	// Clauses: D34.4, D34.5
	run("D34 motion from before the last full state is dropped", func(t *testing.T, j *joining) {
		old, same := wire.AppendHead(nil, at-1, 0), frame(t, 0, moving(1), wire.PongEvent(4))
		old = append(old, frame(t, 0, moving(1))[len(old):]...) // the same a moment earlier
		loose := func(msg []byte) *holtpb.Frame {
			b, err := j.Unguaranteed(msg)
			if err != nil {
				t.Fatal(err)
			}
			if b == nil {
				return nil
			}
			return decoded(t, b)
		}
		if f := loose(same); f != nil {
			t.Errorf("a client without a full state gets %v", f)
		}
		j.want(0, frame(t, 1, full(1)), 1, full(1))
		if f := loose(old); f != nil {
			t.Errorf("earlier motion is sent as %v", f)
		}
		if f := loose(same); !proto.Equal(f, decoded(t, same)) {
			t.Errorf("motion is sent as %v", f)
		}
	})
	run("D34 guaranteed events are not accepted as unguaranteed", func(t *testing.T, j *joining) {
		j.want(0, frame(t, 1, wire.ResumedEvent(nil, nil, nil)), 1,
			wire.ResumedEvent(nil, nil, nil))
		if b, err := j.Unguaranteed(frame(t, 9, moved(1, 9), moving(1), gone(2, 9))); err != nil ||
			!proto.Equal(decoded(t, b), decoded(t, frame(t, 0, moving(1)))) {
			t.Errorf("it makes %v: %v", decoded(t, b), err)
		}
		if b, err := j.Unguaranteed(frame(t, 9, moved(1, 9))); b != nil || err != nil {
			t.Errorf("it makes %x: %v", b, err)
		}
	})
	run("D31.6 an invalid frame ends the stream", func(t *testing.T, j *joining) {
		if _, err := j.Message(0, []byte{0x1a, 5}); !errors.Is(err, wire.ErrFrame) {
			t.Error(err)
		}
		if _, err := j.Unguaranteed([]byte{0x1a, 5}); !errors.Is(err, wire.ErrFrame) {
			t.Error(err)
		}
	})
	run("D35 memory of what everybody knows is freed", func(t *testing.T, j *joining) {
		for n := uint64(0); n < 1000; n += 2 {
			j.want(n+1, frame(t, id.Version(n+2), moved(1, n)), 0, moved(1, n))
			j.want(n, frame(t, 0, moved(2, n)), int64(n+2), moved(2, n))
		}
		if len(j.ahead) > 0 || len(j.versions) > 0 || j.floor != 1000 {
			t.Errorf("%d messages and %d versions are kept below %d", len(j.ahead),
				len(j.versions), j.floor)
		}
	})
}
