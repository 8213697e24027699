package connection

import (
	"encoding/binary"
	"testing"
	"time"

	"holt/server/transport/depgraph"
)

func TestD13Acknowledging(t *testing.T) {
	t.Run("D11.2, D13.1 a waiting message is acknowledged, and not executed", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a, b := l.ends[0].conn, l.ends[1]
		b.onExecute = func(uint64, []byte) {}
		var first, second depgraph.Handle
		l.ends[0].told[0], l.ends[0].told[1] = declared{size: 8},
			declared{deps: []uint64{0}, size: 8}
		l.ends[0].sent = 2
		send := func(n uint64, deps []*depgraph.Handle, h *depgraph.Handle) {
			msg := make([]byte, 8)
			pattern(msg, n)
			if err := a.Send(l.now, msg, deps, h); err != nil {
				t.Fatal(err)
			}
		}
		send(0, nil, &first)
		l.lose(l.ends[0])
		send(1, []*depgraph.Handle{&first}, &second)
		l.ends[0].flush()
		l.run(l.now + 110*ms) // the second is acknowledged, the first not yet lost
		if !a.Sender().Acknowledged(1) || second.Executed() || first.Executed() || b.count != 0 {
			t.Errorf("acknowledged %v, executed %v and %v, there %d", a.Sender().Acknowledged(1),
				first.Executed(), second.Executed(), b.count)
		}
		l.settle(time.Second)
		if !second.Executed() || !first.Executed() || b.count != 2 {
			t.Errorf("executed %v and %v, there %d", first.Executed(), second.Executed(), b.count)
		}
	})
	t.Run("D10.4, D10.5 the floor acknowledges what no bit does any more", func(t *testing.T) {
		l := quietLink(t, quic, good, down)
		a, b := l.ends[0], l.ends[1]
		for range 100 {
			a.send(600, 0) // one in each packet
			a.flush()
			l.run(l.now + ms)
		}
		l.run(l.now + 60*ms)
		if b.count != 100 {
			t.Fatalf("%d are there", b.count)
		}
		l.lines[1].Set(good)
		p, ok := b.conn.Next(l.now, nil) // a keepalive or an acknowledgement
		for !ok {
			l.now += 10 * ms
			p, ok = b.conn.Next(l.now, nil)
		}
		d, _, err := readData(p, false)
		if err != nil {
			t.Fatal(err)
		}
		if !d.acks {
			l.settle(time.Second)
			return
		}
		if err := a.conn.Receive(l.now, p); err != nil || a.conn.Sender().Floor() != a.sent {
			t.Errorf("%v, floor %d of %d", err, a.conn.Sender().Floor(), a.sent)
		}
	})
}

func TestReentry(t *testing.T) {
	t.Run("D4 an executed message may send", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		a, b := l.ends[0], l.ends[1]
		b.onExecute = func(number uint64, msg []byte) {
			b.send(len(msg)%100, int(number)%lanes)
			b.sendUnguaranteed(uint32(binary.BigEndian.Uint16(append(msg, 0, 0))), -1)
		}
		for range 500 {
			a.send(int(a.sent*31)%1500, int(a.sent)%lanes, 0)
			a.flush()
			l.run(l.now + 3*ms)
		}
		l.settle(5 * time.Second)
		if b.sent != 500 || a.unguaranteed == 0 {
			t.Errorf("%d answers, %d unguaranteed", b.sent, a.unguaranteed)
		}
	})
}
