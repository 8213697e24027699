package web_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
	"holt/web"
)

// encoded returns the bytes of a message that may be beyond the bounds.
func encoded(t *testing.T, u *holtpb.Up) []byte {
	t.Helper()
	b, err := proto.Marshal(u)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestUpBounds(t *testing.T) {
	s := newStack(t)
	const far, late = 1_000_000, 1 << 48
	motion := func(m *holtpb.Motion) *holtpb.Up { return &holtpb.Up{Up: &holtpb.Up_Motion{Motion: m}} }
	pieces := func(n int) *holtpb.Motion {
		m := &holtpb.Motion{X: make([]int32, n), Y: make([]int32, n)}
		for i := range n {
			m.Pieces = append(m.Pieces, uint32(i+1))
		}
		return m
	}
	one := func(x, y int32, at uint64) *holtpb.Up {
		return motion(&holtpb.Motion{At: at, Pieces: []uint32{1}, X: []int32{x}, Y: []int32{y}})
	}
	cursor := func(x, y int32, at uint64) *holtpb.Up {
		return &holtpb.Up{Up: &holtpb.Up_Cursor{Cursor: &holtpb.Cursor{At: at, X: x, Y: y}}}
	}
	commit := func(n int) *holtpb.Up {
		return &holtpb.Up{Up: &holtpb.Up_Commit{Commit: &holtpb.Commit{Hash: make([]byte, n)}}}
	}
	reveal := func(n int) *holtpb.Up {
		return &holtpb.Up{Up: &holtpb.Up_Reveal{Reveal: &holtpb.Reveal{Entropy: make([]byte, n)}}}
	}
	k := s.open("chess")
	for name, up := range map[string]*holtpb.Up{
		"motion of nothing": motion(pieces(0)), "motion of 201 pieces": motion(pieces(201)),
		"motion of the piece 0": motion(&holtpb.Motion{
			Pieces: []uint32{0}, X: []int32{0}, Y: []int32{0},
		}),
		"motion with more x": motion(&holtpb.Motion{
			Pieces: []uint32{1}, X: []int32{0, 0}, Y: []int32{0},
		}),
		"motion with fewer y":  motion(&holtpb.Motion{Pieces: []uint32{1}, X: []int32{0}}),
		"motion too far right": one(far+1, 0, 0), "motion too far up": one(0, -far-1, 0),
		"motion too late": one(0, 0, late), "a cursor too far left": cursor(-far-1, 0, 0),
		"a cursor too far down": cursor(0, far+1, 0), "a cursor too late": cursor(0, 0, late),
		"a commit of 31 bytes": commit(31), "a commit of 33 bytes": commit(33),
		"a reveal of 31 bytes": reveal(31), "a reveal of 33 bytes": reveal(33),
	} {
		// Clauses: S9.5
		t.Run("S9 "+name+" ends the stream", func(t *testing.T) {
			c := s.stream(k, clientID)
			c.write(masked(fin|opBinary, encoded(t, up)))
			if code := c.closed(); code != 1002 {
				t.Errorf("closed with %d", code)
			}
		})
	}
	t.Run("S9.5 what is just within the bounds is accepted", func(t *testing.T) {
		c := s.stream(k, clientID)
		for _, up := range []*holtpb.Up{
			motion(pieces(200)), one(far, -far, late-1), cursor(-far, far, late-1), commit(32), reveal(32),
		} {
			c.write(masked(fin|opBinary, encoded(t, up)))
		}
		c.write(masked(fin|opPing, []byte("still")))
		if op, payload := c.control(); op != opPong || string(payload) != "still" {
			t.Errorf("got opcode %d %q", op, payload)
		}
	})
	t.Run("S9.8 unknown fields beside a known member are ignored", func(t *testing.T) {
		c := s.stream(k, clientID)
		m := protowire.AppendTag(nil, 1000, protowire.BytesType)
		m = protowire.AppendBytes(m, []byte("news"))
		m = append(m, resync(t)...)
		m = protowire.AppendTag(m, 1001, protowire.VarintType)
		c.write(masked(fin|opBinary, protowire.AppendVarint(m, 7)))
		if full := c.frame().GetEvents()[0].GetFull(); full == nil {
			t.Error("no full state")
		}
	})
}

func TestAnythingAnswersAPing(t *testing.T) {
	ping, err := wire.EncodeUp(&holtpb.Up{Up: &holtpb.Up_Away{Away: &holtpb.Away{}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, answer := range map[string][]byte{
		"a message": masked(fin|opBinary, ping), "a ping": masked(fin|opPing, nil),
	} {
		// Clauses: S6.4
		t.Run("S6 a client that answers by "+name+" stays", func(t *testing.T) {
			virtual(t, func(t *testing.T, s *stack, p *pipes) {
				c := p.stream(t, p.host(t, s))
				begun := time.Now()
				for pings := 0; pings < 4; {
					switch op, _ := c.control(); op {
					case opPing:
						pings++
						c.write(answer)
					case opPong:
					default:
						t.Fatalf("opcode %d after %v", op, time.Since(begun))
					}
				}
			})
		})
	}
}

// damagedRooms has tables that cannot be rebuilt.
type damagedRooms struct{ web.Rooms }

func (damagedRooms) Read(context.Context, room.Session) (*holtpb.Frame, error) {
	return nil, room.ErrDamaged
}

func (damagedRooms) Components(context.Context, room.Session) ([]byte, error) {
	return nil, room.ErrDamaged
}

func (damagedRooms) Open(
	context.Context, room.Session, room.Hello, stream.Carrier,
) (*stream.Stream, error) {
	return nil, room.ErrDamaged
}

func TestDamagedTable(t *testing.T) {
	s := newStack(t, func(c *web.Config) { c.Rooms = damagedRooms{c.Rooms} })
	k := s.open("chess")
	t.Run("S22.1 a request for a damaged table is answered by 500 damaged", func(t *testing.T) {
		for _, path := range []string{"", "/components"} {
			checkProblem(t, s.get(k.api(path), k.bearer()...), http.StatusInternalServerError, "damaged")
		}
	})
	t.Run("S22.2 the stream of a damaged table is refused before the upgrade", func(t *testing.T) {
		checkProblem(t, s.get(k.api("/stream?client="+clientID), append(k.bearer(),
			"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Protocol", "holt.v1",
			"Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")...),
			http.StatusInternalServerError, "damaged")
	})
}
