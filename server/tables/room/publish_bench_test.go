package room

import (
	"context"
	"io"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/stream"
)

// BenchmarkPublish publishes one commit to 256 clients with a seat each, of which 100 have moved a
// piece. The streams take nothing, so the benchmark measures how the frames are made.
func BenchmarkPublish(b *testing.B) {
	const (
		clients = 256
		senders = 100
	)
	for _, c := range []struct {
		name    string
		kind    uint32
		private bool // every view was shown another number of entries
	}{
		{"one view", kindToken, false},
		{"a view for each", kindToken, true},
		{"a view for each, cards in hands", kindAce, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := newParlour(b, clients)
			for seat := range id.Seat(clients) {
				s := stream.Open(discardingCarrier{}, stream.Handlers{Ready: func() {}, Ended: func(error) {}})
				b.Cleanup(func() { s.Closed(io.EOF); <-s.Done() })
				r.attach(seat+1, s)
			}
			if c.private {
				r.part()
			}
			w := r.moves(b, senders, c.kind)
			b.ReportAllocs()
			for b.Loop() {
				(&publication{room: r.room, work: w, now: 1}).publish()
			}
		})
	}
}

// discardingCarrier is a carrier that ignores what is written to it.
type discardingCarrier struct{}

func (discardingCarrier) Write(context.Context, [][]byte) error { return nil }
func (discardingCarrier) Close(stream.Code, string)             {}

// apply makes a player do something to a piece of theirs.
func (r *bareRoom) apply(seat id.Seat, u table.Update) {
	r.seq++
	u.Seq, u.Has, u.Tag = r.seq, u.Has|table.HasPiece|table.HasTag,
		r.table.VersionAt(seat, r.table.Gen())
	r.table.Apply(table.By{Client: clientOf(seat), Seat: seat, Role: table.RolePlayer}, &u,
		table.Inputs{Now: 1, OID: id.OID{200, byte(r.seq >> 8), byte(r.seq)}})
}

// part makes each player turn the card in their hand over, each another number of times.
func (r *bareRoom) part() {
	for seat := range id.Seat(r.players) {
		for i := range seat + 1 {
			r.apply(seat+1, table.Update{
				Op: table.OpFlip, Piece: r.piece(kindAce, seat+1), Has: table.HasFace,
				Face: int32(i+1) % 2,
			})
		}
	}
	r.table.Take()
}

// moves returns a commit in which each of the first players has moved a piece of theirs by a
// little.
func (r *bareRoom) moves(b *testing.B, players int, kind uint32) *work {
	b.Helper()
	var w work
	for seat := range id.Seat(players) {
		x, y := int32(seat)*spacing+1, int32(0)
		if kind == kindToken {
			y = tokensY
		}
		r.apply(seat+1, table.Update{
			Op: table.OpMove, Piece: r.piece(kind, seat+1), Has: table.HasXY, X: x, Y: y,
		})
		w.record(r.table.Take())
	}
	if len(w.entries) != players {
		b.Fatalf("%d entries of %d moves", len(w.entries), players)
	}
	r.publishedGen = r.table.Gen()
	return &w
}
