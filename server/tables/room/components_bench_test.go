package room

import (
	"fmt"
	"io"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/stream"
)

// BenchmarkComponents publishes a tick to 20 clients with a seat each. In that tick players have
// put a label of twelve bytes on a token each, or one of them has filled as many cells of the score
// sheet by one message. It reports how many bytes a receiver gets for each, with a share of the
// frame's time and version.
func BenchmarkComponents(b *testing.B) {
	const clients = 20
	for _, c := range []struct {
		changes int
		cells   bool
	}{{1, false}, {clients, false}, {clients, true}} {
		b.Run(fmt.Sprintf("%d changes, of cells %v", c.changes, c.cells), func(b *testing.B) {
			r := newParlour(b, clients)
			for seat := range id.Seat(clients) {
				s := stream.Open(discardingCarrier{}, stream.Handlers{Ready: func() {}, Ended: func(error) {}})
				b.Cleanup(func() { s.Closed(io.EOF); <-s.Done() })
				r.attach(seat+1, s)
			}
			w := r.labels(b, c.changes)
			if c.cells {
				w = r.cells(b, c.changes)
			}
			told := 0
			b.ReportAllocs()
			for b.Loop() {
				p := &publication{room: r.room, work: w, now: 1}
				p.publish()
				for _, t := range p.views {
					told = len(t.frame)
				}
			}
			b.ReportMetric(float64(told)/float64(c.changes), "B/component")
		})
	}
}

// labels returns a commit in which each of the first players has labelled their token.
func (r *bareRoom) labels(b *testing.B, players int) *work {
	b.Helper()
	return r.commitOf(b, players, func() {
		for seat := range id.Seat(players) {
			op := aText(schema.EntityOfPiece(r.piece(kindToken, seat+1)), schema.Label)
			_ = r.operate(Session{Seat: seat + 1, Role: table.RolePlayer},
				&Operations{Epoch: r.row.Epoch, Ops: []crdt.Op{op}})
		}
	})
}

// cells returns a commit in which a player has filled so many cells.
func (r *bareRoom) cells(b *testing.B, n int) *work {
	b.Helper()
	return r.commitOf(b, 1, func() {
		var ops []crdt.Op
		for i := range n {
			ops = append(ops, aText(schema.FirstRow+crdt.Entity(i), schema.FirstColumn))
		}
		_ = r.operate(Session{Seat: 1, Role: table.RolePlayer},
			&Operations{Epoch: r.row.Epoch, Ops: ops})
	})
}

func aText(e crdt.Entity, number uint32) crdt.Op {
	return crdt.Op{
		Kind: crdt.Put, Entity: e, Component: number, Timestamp: 3,
		Data: schema.Encode(&componentpb.Text{Text: "twelve bytes"}),
	}
}

// commitOf returns what operate has recorded, which must be so many entries.
func (r *bareRoom) commitOf(b *testing.B, entries int, operate func()) *work {
	b.Helper()
	r.recorded = work{} // drop the first round of randomness
	operate()
	w := r.recorded
	r.recorded = work{}
	if len(w.entries) != entries {
		b.Fatalf("%d entries, want %d", len(w.entries), entries)
	}
	r.publishedGen = r.table.Gen()
	return &w
}
