package room

import (
	"io"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// BenchmarkMotion measures what 20 players who drag a piece each cost a table with so many clients.
// A tick has a point of each. The streams take nothing, so the benchmark measures how the frames
// are made.
func BenchmarkMotion(b *testing.B) {
	const draggers = 20
	for name, clients := range map[string]int{
		"20 clients": 20, "64 clients": 64, "256 clients": 256,
	} {
		b.Run(name, func(b *testing.B) {
			r := newParlour(b, clients)
			var dragging []*attached
			for seat := range id.Seat(clients) {
				s := stream.Open(discardingCarrier{}, stream.Handlers{Ready: func() {}, Ended: func(error) {}})
				b.Cleanup(func() { s.Closed(io.EOF); <-s.Done() })
				a := r.attach(seat+1, s)
				if seat < draggers {
					dragging = append(dragging, a)
					r.apply(a.seat, table.Update{
						Op: table.OpGrab, Piece: r.piece(kindToken, a.seat),
					})
				}
			}
			r.record()
			r.publishedGen = r.table.Gen()
			now := id.Millis(1_700_000_000_000)
			r.cfg.Now = func() id.Millis { return now }
			bytes, points := 0, 0
			for b.Loop() {
				now += 50
				for _, a := range dragging {
					a.motions = allowance{}
					x := int32(now%6000) - 3000
					r.tickState.timerFor = forAll // so that the points share a tick
					r.carry(a, &holtpb.Motion{
						At: uint64(now - 20), Pieces: []uint32{uint32(r.piece(kindToken, a.seat))},
						X: []int32{x}, Y: []int32{x / 2},
					})
				}
				p := publication{room: r.room, work: &work{}, now: r.now()}
				p.gatherMotion()
				p.publish()
				bytes += len(wire.AppendHead(nil, p.now, 0)) + len(p.motion)
				points += draggers
			}
			b.ReportMetric(float64(bytes)/float64(points), "B/point")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(clients),
				"ns/client")
		})
	}
}
