package sim

import (
	"bytes"
	"slices"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/replica"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// onComponents applies what an event says of components, unless the guest ignores them (C15, C17).
func (g *simClient) onComponents(e *holtpb.Event) {
	if g.parts == nil {
		return
	}
	var err error
	switch {
	case e.GetFull() != nil:
		err = g.parts.Full(e.GetFull().GetComponents())
	case e.GetComponents() != nil:
		err = g.parts.Merge(e.GetComponents(), func(crdt.Op) {})
	case e.GetUpdate() != nil:
		g.dropLabels(e.GetUpdate().GetPiece(), table.Op(e.GetUpdate().GetOp()))
	case e.GetAck().GetPiece() != nil:
		g.dropLabels(e.GetAck().GetPiece(), g.ops[id.ClientSeq(e.GetAck().GetSeq())])
	}
	if err != nil {
		g.t.Error(err)
	}
}

func (g *simClient) dropLabels(p *holtpb.Piece, op table.Op) {
	if e, sheds := replica.DropsLabels(p, op); sheds {
		g.parts.Forget(e)
	}
}

// write writes on a piece or on the score sheet (C17). The guest knows everything up to its
// version.
func (g *simClient) write(h *host) {
	if g.parts == nil || !g.synchronised || g.version == 0 {
		return
	}
	var names []id.Piece
	for name := range g.pieces {
		names = append(names, name)
	}
	slices.Sort(names)
	r := g.parts.Replica()
	text := schema.Encode(&componentpb.Text{Text: string(rune('a' + g.rnd.IntN(26)))})
	op := crdt.Op{Kind: crdt.Put, Component: schema.Label, Data: text}
	switch n := g.rnd.IntN(10); {
	case n < 6 && len(names) > 0:
		op.Entity = schema.EntityOfPiece(names[g.rnd.IntN(len(names))])
	case n < 8:
		op.Entity, op.Component = schema.FirstRow+crdt.Entity(g.rnd.IntN(4)), schema.Row
	default:
		op.Entity, op.Component = schema.TheSheet, schema.Sheet
	}
	if g.rnd.IntN(4) == 0 {
		op.Kind, op.Data = crdt.Delete, nil
	}
	op.Timestamp = r.Timestamp(op.Entity, op.Component) + 1
	if err := h.rooms.Operate(
		g.t.Context(), g.session, room.Operations{Epoch: g.epoch, Version: g.version, Ops: []crdt.Op{op}},
	); err != nil {
		g.t.Errorf("seat %v writes: %v", g.session.Seat, err)
		return
	}
	g.written++
}

// compareParts compares the components that a guest got with those that its seat may see.
func compareParts(t *testing.T, h *host, g *simClient) {
	t.Helper()
	encoded, err := h.rooms.Components(t.Context(), g.session)
	if err != nil {
		t.Fatal(err)
	}
	want := replica.New()
	if err := want.Merge(encoded, func(crdt.Op) {}); err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Collect(g.parts.Replica().Ops()),
		slices.Collect(want.Replica().Ops()); !slices.EqualFunc(got, want, sameOp) {
		t.Errorf("C15, D35 seat %v has got\n%v, want\n%v", g.session.Seat, got, want)
	}
}

func sameOp(a, b crdt.Op) bool {
	return a.Kind == b.Kind && a.Entity == b.Entity && a.Component == b.Component &&
		a.Timestamp == b.Timestamp && bytes.Equal(a.Data, b.Data)
}
