package connection

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"holt/server/transport/depgraph"
)

// pair is two ends whose packets arrive at once, unless they are lost.
type pair struct {
	ends     [2]*Conn
	now      time.Duration
	buf      []byte
	executed int
	bytes    int // of packets
	count    int // of packets
	lose     int // one of so many packets is lost; 0: none
}

func newPair(lose int) *pair {
	p := &pair{lose: lose}
	for i := range p.ends {
		p.ends[i] = NewConn(Config{
			Path: Path{Largest: UDPSize}, Takes: limits, PeerLimits: limits,
			Execute:      func(uint64, []byte) { p.executed++ },
			Unguaranteed: func(uint32, []byte) {},
		})
	}
	return p
}

// exchange makes both ends send what they have to send, until neither has anything left. The first
// end begins.
func (p *pair) exchange(b *testing.B) {
	for silent := 0; silent < 2; {
		for side, from := range p.ends {
			silent++
			for {
				packet, ok := from.Next(p.now, p.buf[:0])
				if !ok {
					break
				}
				silent, p.buf = 0, packet
				p.bytes += len(packet)
				if p.count++; p.lose > 0 && p.count%p.lose == 0 {
					continue
				}
				if err := p.ends[1-side].Receive(p.now, packet); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

// BenchmarkMessages sends messages of 40 bytes over fifty lanes, batch of them at a time, and lets
// the other end acknowledge them.
func BenchmarkMessages(b *testing.B) {
	for _, c := range []struct {
		name        string
		batch, lose int
	}{
		{"one to a packet", 1, 0}, {"twenty to a packet", 20, 0},
		{"twenty to a packet, one of 20 lost", 20, 20},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := newPair(c.lose)
			var handles [lanes]*depgraph.Handle
			msg := make([]byte, 40)
			deps := make([]*depgraph.Handle, 1)
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				lane := n * 7 % lanes
				deps[0] = handles[lane]
				h := new(depgraph.Handle)
				for {
					err := p.ends[0].Send(p.now, msg, deps, h)
					if err == nil {
						break
					}
					if !errors.Is(err, depgraph.ErrWindow) {
						b.Fatal(err)
					}
					p.now += 200 * time.Millisecond
					p.exchange(b)
				}
				handles[lane] = h
				if n%c.batch == c.batch-1 {
					p.now += time.Millisecond
					p.exchange(b)
				}
			}
			for p.ends[1].Floor() < uint64(b.N) {
				p.now += 200 * time.Millisecond
				p.exchange(b)
			}
			b.ReportMetric(float64(p.bytes)/float64(b.N)-40, "overhead-B/op")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}

// BenchmarkLarge sends messages of a mebibyte.
func BenchmarkLarge(b *testing.B) {
	p := newPair(50)
	msg := make([]byte, 1<<20)
	b.SetBytes(int64(len(msg)))
	b.ReportAllocs()
	for n := uint64(1); b.Loop(); n++ {
		if err := p.ends[0].Send(p.now, msg, nil, nil); err != nil {
			b.Fatal(err)
		}
		for p.ends[1].Floor() < n {
			p.exchange(b)
			p.now += time.Millisecond
		}
	}
}

// BenchmarkIdle measures the memory of a connection without anything under way.
func BenchmarkIdle(b *testing.B) {
	var pairs []*pair
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		p := newPair(0)
		for range 10 {
			for _, c := range p.ends {
				if err := c.Send(p.now, []byte("hello"), nil, nil); err != nil {
					b.Fatal(err)
				}
			}
			p.exchange(b)
			p.now += 50 * time.Millisecond
		}
		p.buf = nil
		pairs = append(pairs, p)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(2*b.N), "B/connection")
	runtime.KeepAlive(pairs)
}

// BenchmarkHostile reads packets that each hold as much as they may.
func BenchmarkHostile(b *testing.B) {
	var deps []uint64
	for d := range uint64(depgraph.MaxDependencies) {
		deps = append(deps, d)
	}
	k := &talk{conn: newPair(0).ends[0]}
	var packets [][]byte
	for n := range uint16(100) {
		var records []byte
		for i := range uint64(9) {
			records = append(records, whole(100+uint64(n)*9+i, nil, deps...)...)
		}
		packets = append(packets, k.packet(n, records))
	}
	for b.Loop() {
		c := newPair(0).ends[0]
		for _, p := range packets {
			if err := c.Receive(0, p); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N*len(packets))/b.Elapsed().Seconds(), "packets/s")
}
