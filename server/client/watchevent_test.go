package client

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// telling lets a client process frames. It returns the lines that the client prints about the last
// frame.
func telling(t *testing.T, frames ...*holtpb.Frame) (lines []string) {
	t.Helper()
	c := &Client{wake: make(chan struct{}, 1), written: make(chan struct{}, 1)}
	c.cfg.Handle = func(e *Event) {
		for line := range c.Tell(e) {
			lines = append(lines, string(line))
		}
	}
	for i, f := range frames {
		if i == len(frames)-1 {
			lines = nil
		}
		if _, _, err := c.frame(f, 0); err != nil {
			t.Fatal(err)
		}
	}
	return lines
}

// TestTell shows the lines of JSON that a client writes for each event.
func TestTell(t *testing.T) {
	label := func(kind crdt.Kind, stamp uint32) *holtpb.Event {
		op := &crdt.Op{
			Kind: kind, Entity: schema.EntityOfPiece(1), Component: schema.Label, Timestamp: stamp,
		}
		if kind == crdt.Put {
			op.Data = schema.Encode(&componentpb.Text{Text: "x"})
		}
		return wire.ComponentsEvent(crdt.AppendOp(nil, op))
	}
	ping := func(at uint32) *holtpb.Event {
		return wire.ComponentsEvent(crdt.AppendOp(nil,
			&crdt.Op{Kind: crdt.Append, Component: schema.Ping, Timestamp: at, Data: []byte{8, 1}}))
	}
	ada := &holtpb.Seat{Id: 1, Nick: "Ada", Role: holtpb.Role_ROLE_HOST}
	cy := &holtpb.Seat{
		Id: 3, Nick: "Cy", Colour: 0xff00, Role: holtpb.Role_ROLE_PLAYER,
		Presence: holtpb.Presence_PRESENCE_HERE,
	}
	whole := frame(20, full(epoch, at(1, 10, 0, 0)))
	clock := at(4, 12, 0, 0)
	clock.Clock = &holtpb.Clock{Running: 1, Since: 5, Left1: 6, Left2: 7, Initial: 8, Increment: 9}
	rest := `"kind":0,"x":3,"y":0,"angle":0,"face":0,"z":"0.5","zMark":1,"pinned":false,` +
		`"locked":false,"holder":0,"owner":0`
	for _, w := range []struct {
		name   string
		frames []*holtpb.Frame
		want   []string
	}{
		{"a full state", []*holtpb.Frame{frame(20, full(epoch, at(1, 10, 3, 0), clock))}, []string{
			`{"event":"whole","table":{"epoch":77,"mark":20,"you":2,"info":{"title":"Test","width":1000,` +
				`"height":800,"surface":"","catalog":""},` +
				`"seats":[{"id":1,"nick":"Ada","colour":"#000000","role":"host","presence":"gone"}],` +
				`"pieces":[{"id":1,"mark":10,` + rest + `},{"id":4,"mark":12,` +
				strings.Replace(rest, `"x":3`, `"x":0`, 1) +
				`,"clock":{"running":1,"since":5,"left1":6,"left2":7,"initial":8,"increment":9}}]}}`,
		}},
		{"events about a piece", []*holtpb.Frame{whole, frame(20, resumed(ada, cy))}, []string{
			`{"event":"resumed"}`,
			`{"event":"seat","seat":{"id":3,"nick":"Cy","colour":"#00ff00","role":"player",` +
				`"presence":"here"}}`,
		}},
		{
			"an update", []*holtpb.Frame{whole, {Time: 5, Mark: 30, Events: []*holtpb.Event{update(
				1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 1, Mark: 30, X: new(int32(3))},
			)}}},
			[]string{`{"event":"updated","time":5,"by":1,"op":"move","piece":{"id":1,"mark":30,` +
				rest + `}}`},
		},
		{
			"a new identifier", []*holtpb.Frame{whole, frame(30, update(
				1, holtpb.Op_OP_MOVE,
				&holtpb.Piece{Id: 1, Mark: 30, X: new(int32(3)), Renamed: new(uint32(20_000))},
			))},
			[]string{`{"event":"updated","by":1,"op":"move","piece":{"id":20000,"mark":30,` + rest +
				`},"was":1}`},
		},
		{"a piece that goes", []*holtpb.Frame{whole, frame(
			30, update(1, holtpb.Op_OP_DELETE, &holtpb.Piece{Id: 1, Mark: 30, Gone: new(true)}),
		)}, []string{
			`{"event":"updated","by":1,"op":"delete","of":1,"gone":true}`,
		}},
		{
			"a shuffle", []*holtpb.Frame{whole, frame(30, wire.ShuffledEvent(1, []id.Piece{1, 9}))},
			[]string{`{"event":"shuffled","by":1,"pieces":[1]}`},
		},
		{
			"a notice", []*holtpb.Frame{whole, frame(30, &holtpb.Event{Event: &holtpb.Event_Notice{
				Notice: &holtpb.Notice{By: 1, Op: holtpb.Op_OP_DRAW, Piece: 3, Count: 2, Seat: 4},
			}})},
			[]string{`{"event":"noticed","by":1,"op":"draw","of":3,"count":2,"to":4}`},
		},
		{
			"faces", []*holtpb.Frame{whole, frame(30, &holtpb.Event{Event: &holtpb.Event_Faces{
				Faces: &holtpb.Faces{By: 1, Op: holtpb.Op_OP_SHOW, Piece: 3, Kinds: []uint32{7}},
			}})},
			[]string{`{"event":"saw","by":1,"op":"show","of":3,"kinds":[7],"face":0}`},
		},
		{"numbers", []*holtpb.Frame{whole, frame(
			30,
			wire.HoldsEvent(&holtpb.Holds{Piece: 3, Kinds: []uint32{1, 2}, Counts: []uint32{5, 6}}),
		)}, []string{
			`{"event":"counted","of":3,"kinds":[1,2],"counts":[5,6]}`,
		}},
		{"the table", []*holtpb.Frame{whole, frame(30, &holtpb.Event{Event: &holtpb.Event_Table{
			Table: &holtpb.TableInfo{Title: "New", Catalog: []byte{0xab}},
		}})}, []string{
			`{"event":"table","info":{"title":"New","width":0,"height":0,"surface":"","catalog":"ab"}}`,
		}},
		{
			"motion and a cursor", []*holtpb.Frame{whole, {Time: 100, Events: append(
				wire.MotionsEvents(100,
					[]wire.Segment{{ID: 1, From: 60, Span: 50, X0: 1, Y0: 2, X1: 3, Y1: 4}}),
				wire.CursorsEvents(100, []wire.Segment{{ID: 1, From: 70, Span: 30, X1: 9}})...)}},
			[]string{
				`{"event":"moved","time":100,"stretches":[{"id":1,"from":60,"span":50,"x0":1,"y0":2,"x1":3,` +
					`"y1":4}]}`,
				`{"event":"pointed","time":100,"stretches":[{"id":1,"from":70,"span":30,"x0":0,"y0":0,"x1":9,` +
					`"y1":0}]}`,
			},
		},
		{"a component", []*holtpb.Frame{whole, frame(30, label(crdt.Put, 1))}, []string{
			`{"event":"component","of":1,"entity":4294967297,"component":3020,"name":"Label",` +
				`"data":["CgF4"]}`,
		}},
		{"one that is deleted", []*holtpb.Frame{
			whole, frame(30, label(crdt.Put, 1)), frame(31, label(crdt.Delete, 2)),
		}, []string{
			`{"event":"component","of":1,"entity":4294967297,"component":3020,"name":"Label","data":[]}`,
		}},
		{"labels of a piece, deleted with it", []*holtpb.Frame{
			whole, frame(30, label(crdt.Put, 1)),
			frame(31,
				update(1, holtpb.Op_OP_DELETE, &holtpb.Piece{Id: 1, Mark: 30, Gone: new(true)})),
		}, []string{
			`{"event":"component","of":1,"entity":4294967297,"data":[]}`,
			`{"event":"updated","by":1,"op":"delete","of":1,"gone":true}`,
		}},
		{"components of a full state, a set among them", []*holtpb.Frame{whole, frame(
			30, label(crdt.Put, 1), ping(1), ping(2),
		), withComponents(full(epoch), label(crdt.Put, 1), ping(1), ping(2))}, []string{
			`{"event":"component","entity":0,"component":3050,"name":"Ping","data":["CAE=","CAE="]}`,
			`{"event":"component","of":1,"entity":4294967297,"component":3020,"name":"Label",` +
				`"data":["CgF4"]}`,
		}},
		{"events of no interest", []*holtpb.Frame{
			whole, frame(30, ack(9, &holtpb.Piece{Id: 1, Mark: 9}), wire.PongEvent(3)),
		}, nil},
	} {
		t.Run(w.name, func(t *testing.T) {
			got := telling(t, w.frames...)
			got = slices.DeleteFunc(got, func(line string) bool {
				return len(w.want) > 0 && strings.HasPrefix(line, `{"event":"whole"`) &&
					!strings.HasPrefix(w.want[0], `{"event":"whole"`)
			})
			if !slices.Equal(got, w.want) {
				t.Errorf("it reports\n%s\nwant\n%s",
					strings.Join(got, "\n"), strings.Join(w.want, "\n"))
			}
		})
	}
	t.Run("streams", func(t *testing.T) {
		c := &Client{}
		for want, e := range map[string]*Event{
			`{"event":"opened","transport":"datagrams"}`: {
				Kind: Opened, Transport: Datagrams,
			},
			`{"event":"lost","error":"the line has gone dead"}`: {
				Kind: Lost, Err: errors.New("the line has gone dead"),
			},
		} {
			if got := slices.Collect(c.Tell(e)); len(got) != 1 || string(got[0]) != want {
				t.Errorf("it reports %s, want %s", got, want)
			}
		}
		if got := slices.Collect(c.Tell(&Event{Kind: Received})); len(got) > 0 {
			t.Errorf("it reports %s", got)
		}
	})
}

// withComponents puts the operations of events into a full state.
func withComponents(f *holtpb.Event, events ...*holtpb.Event) *holtpb.Frame {
	for _, e := range events {
		f.GetFull().Components = append(f.GetFull().Components, e.GetComponents()...)
	}
	return frame(40, f)
}
