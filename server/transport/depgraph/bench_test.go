package depgraph

import "testing"

// BenchmarkGraph passes messages about 40 pieces through a sender, the wire form of their headers
// and a receiver. Each depends on the last one of its piece. They arrive in blocks, each block in
// reverse order, and are acknowledged that many messages after they were sent. One operation is one
// message.
func BenchmarkGraph(b *testing.B) {
	for _, row := range []struct {
		name         string
		block, delay int
	}{
		{"in order, acknowledged at once", 1, 1},
		{"in order, acknowledged 20 later", 1, 20},
		{"in order, acknowledged 1,000 later", 1, 1000},
		{"blocks of 16 backwards, acknowledged 64 later", 16, 64},
		{"blocks of 1,000 backwards, acknowledged 4,000 later", 1000, 4000},
	} {
		b.Run(row.name, func(b *testing.B) {
			s := NewSender(1 << 30)
			executed := 0
			r := NewReceiver(1<<30, func(uint64, []byte) { executed++ }, nil)
			pieces := make([]*Handle, 40)
			block := make([][]byte, row.block)
			payload := make([]byte, 30)
			var deps []uint64
			bytes := 0
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				piece := n * 7 % len(pieces)
				s.Begin()
				must(b, s.Depend(pieces[piece]))
				h := new(Handle)
				header, err := s.End(h, len(payload))
				must(b, err)
				pieces[piece] = h
				i := n % row.block
				block[i] = AppendHeader(block[i][:0], header)
				bytes += len(block[i])
				for i := row.block - 1; (n+1)%row.block == 0 && i >= 0; i-- {
					header, _, err := ReadHeader(block[i], r.Floor(), deps)
					must(b, err)
					deps = header.Deps
					must(b, r.Add(0, header, len(payload), payload))
				}
				if n >= row.delay {
					must(b, s.Acknowledge(uint64(n-row.delay)))
				}
			}
			if executed != int(s.next)/row.block*row.block {
				b.Fatalf("executed %d of %d", executed, s.next)
			}
			b.ReportMetric(float64(bytes)/float64(s.next), "header-B/op")
			b.ReportMetric(float64(s.next)/b.Elapsed().Seconds()/1e6, "M/s")
		})
	}
}
