package connection

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"holt/server/transport/depgraph"
)

// FuzzD16Read reads any bytes as a packet of any kind. Whatever it reads is written as the same
// bytes again.
func FuzzD16Read(f *testing.F) {
	f.Add(AppendHello(nil, Hello{Client: 1, Cookie: []byte("c"), Takes: limits, Resume: token[:],
		Request: "ticket=1"}, 100))
	f.Add(AppendRetry(nil, 1, []byte("cookie")))
	f.Add(AppendWelcome(nil, Welcome{Client: 1, Connection: 2, Takes: limits, Token: token}))
	f.Add(AppendClose(nil, 1, true, CodeDone, "why"))
	f.Add(appendData(nil, data{number: 1, acks: true,
		ack: ack{latest: 5, floor: 3, size: 8, bits: 1 << 60}}, false))
	f.Add(append(appendData(nil, data{number: 9}, true), whole(3, []byte("abc"), 1, 2)...))
	f.Add(append(appendData(nil, data{quiet: true}, false),
		appendUnguaranteed(fragment(2, make([]byte, 400), 0, 48), 3, []uint64{1}, nil)...))
	f.Fuzz(func(t *testing.T, p []byte) {
		same := func(err error, write func() []byte) {
			if err == nil {
				if got := write(); !bytes.Equal(got, p) {
					t.Errorf("%x is written as %x", p, got)
				}
			} else if !errors.Is(err, ErrFormat) {
				t.Error(err)
			}
		}
		h, err := ReadHello(p)
		same(err, func() []byte { return AppendHello(nil, h, len(p)) })
		client, cookie, err := ReadRetry(p)
		same(err, func() []byte { return AppendRetry(nil, client, cookie) })
		w, err := ReadWelcome(p)
		same(err, func() []byte { return AppendWelcome(nil, w) })
		for _, named := range []bool{false, true} {
			number, code, reason, err := ReadClose(p, named)
			same(err, func() []byte { return AppendClose(nil, number, named, code, reason) })
			d, rest, err := readData(p, named)
			if err != nil {
				same(err, nil)
				continue
			}
			const floor = 20_000
			records, err := readAllAt(rest, floor)
			same(err, func() []byte {
				return writeRecords(appendData(nil, d, named), records, rest)
			})
		}
	})
}

// writeRecords writes the records that were read. It takes records that only ask from was.
func writeRecords(b []byte, records []record, was []byte) []byte {
	for len(was) > 0 {
		before := len(b)
		if was[0] == 2*recordAsk+1 {
			b = append(b, was[0])
		} else {
			b, records = writeRecord(b, &records[0]), records[1:]
		}
		was = was[min(len(was), len(b)-before):]
	}
	return b
}

func writeRecord(b []byte, r *record) []byte {
	head := depgraph.AppendHeader(nil, r.header)
	switch r.kind {
	case recordWhole:
		return appendWhole(b, head, r.data)
	case recordFragment:
		// Not appendFragment: it needs the whole message, and a message may only claim to be large.
		b = append(append(b, 2*recordFragment+1), head...)
		b = appendVarint(appendVarint(appendVarint(b, r.size), r.from/blockSize),
			uint32(len(r.data)))
		return append(b, r.data...)
	default:
		return appendUnguaranteed(b, r.key, r.deps, r.data)
	}
}

// FuzzD14Conn gives a connection any bytes as packets, at any times. It does not fail, it stays
// within its bounds, and it comes to rest.
func FuzzD14Conn(f *testing.F) {
	packets := func(all ...[]byte) (b []byte) {
		for _, p := range all {
			b = append(append(b, byte(len(p)), 3), p...)
		}
		return b
	}
	k := talk{conn: NewConn(Config{Path: quic, Takes: limits, PeerLimits: limits})}
	f.Add(packets(k.packet(0, whole(0, []byte("a"))), k.packet(1, whole(2, nil, 0, 1)),
		k.packet(2, whole(1, nil))))
	f.Add(packets(k.packet(7, fragment(0, make([]byte, 300), 0, 48)),
		k.packet(1, fragment(0, make([]byte, 300), 48, 112))))
	f.Add(packets(appendData(nil, data{acks: true, ack: ack{latest: 1, size: 1, bits: 1}}, false),
		appendUnguaranteed(k.packet(1), 3, []uint64{0}, []byte("x"))))
	f.Add(packets(k.packet(0), AppendClose(nil, 0, false, CodeGoing, "")))
	f.Fuzz(func(t *testing.T, b []byte) {
		takes := Limits{Message: 1000, Window: 5000}
		executed := map[uint64]bool{}
		var c *Conn
		c = NewConn(Config{
			Path: quic, Takes: takes, PeerLimits: takes,
			Execute: func(number uint64, msg []byte) {
				if executed[number] || len(msg) > int(takes.Message) {
					t.Fatalf("message %d of %d bytes, executed before: %v", number, len(msg),
						executed[number])
				}
				executed[number] = true
				_ = c.Send(0, msg[:min(len(msg), 10)], nil, nil) // the window may be full
			},
			Unguaranteed: func(uint32, []byte) {},
		})
		var now time.Duration
		var buf []byte
		for len(b) >= 2 {
			size, wait := min(int(b[0]), len(b)-2), time.Duration(b[1])*time.Duration(b[1])*ms/4
			now += wait
			_ = c.Receive(now, b[2:2+size]) // it may end the connection
			b = b[2+size:]
			for n := 0; ; n++ {
				var ok bool
				if buf, ok = c.Next(now, buf[:0]); !ok {
					break
				}
				if n > 100 || len(buf) > quic.Largest {
					t.Fatalf("packet %d of %d bytes", n, len(buf))
				}
			}
			if waiting := c.graph.Waiting() + c.parts.cost; waiting > int(takes.Window) {
				t.Fatalf("%d bytes wait", waiting)
			}
			if at, ok := c.Wake(); ok && c.Err() == nil && at < now-ms {
				t.Fatalf("it is %v, and it still wants to wake at %v", now, at)
			}
		}
	})
}
