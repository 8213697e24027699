package connection

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"holt/server/transport/depgraph"
)

func TestCloseError(t *testing.T) {
	t.Run("D29 the reason for the end of a connection is readable", func(t *testing.T) {
		for want, e := range map[string]CloseError{
			"closed: 1000":                       {Code: CodeDone},
			"closed by the other end: 4003 full": {Code: CodeRefused, Reason: "full", Remote: true},
			"closed: 1002 something in between here": {
				Code: CodeProtocol, Reason: "something in between here",
			},
		} {
			if got := e.Error(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
}

// talk gives an end packets, as another end would send them.
type talk struct {
	t      *testing.T
	conn   *Conn
	number uint16
	got    []uint64 // what the end executed
	now    time.Duration
}

func newTalk(t *testing.T, path Path, takes Limits) *talk {
	k := &talk{t: t}
	k.conn = NewConn(Config{
		Number: 5, Path: path, Takes: takes, PeerLimits: takes, Keepalive: time.Second,
		Execute:      func(number uint64, _ []byte) { k.got = append(k.got, number) },
		Unguaranteed: func(uint32, []byte) {},
	})
	return k
}

// say gives the end a packet with the next number and these records.
func (k *talk) say(records ...[]byte) error {
	k.number++
	return k.conn.Receive(k.now, k.packet(k.number-1, records...))
}

func (k *talk) packet(number uint16, records ...[]byte) []byte {
	return append(appendData(nil, data{connection: 5, number: number}, k.conn.path.UDP),
		bytes.Join(records, nil)...)
}

// ends fails unless err is the end of the connection with this code, and the end sends that code to
// the other one.
func (k *talk) ends(err error, code Code) {
	k.t.Helper()
	var why *CloseError
	if !errors.As(err, &why) || why.Code != code || why.Remote || k.conn.Err() != why {
		k.t.Errorf("the connection ends with %v, want %d", err, code)
		return
	}
	p, ok := k.conn.Next(k.now, nil)
	number, said, reason, err := ReadClose(p, k.conn.path.UDP)
	if !ok || err != nil || said != code || reason != why.Reason || k.conn.path.UDP && number != 5 {
		k.t.Errorf("it says %d %d %q %v", number, said, reason, err)
	}
}

func whole(number uint64, body []byte, deps ...uint64) []byte {
	return appendWhole(nil,
		depgraph.AppendHeader(nil, depgraph.Header{Number: number, Deps: deps}), body)
}

func fragment(number uint64, body []byte, from, to uint32, deps ...uint64) []byte {
	return appendFragment(nil,
		depgraph.AppendHeader(nil, depgraph.Header{Number: number, Deps: deps}), body, from, to)
}

func TestHostile(t *testing.T) {
	small := FromClient
	// Clauses: D16.1, D16.2
	t.Run("D16 an unreadable packet is dropped on UDP, fatal on proven paths", func(t *testing.T) {
		for name, p := range map[string][]byte{
			"nothing": {}, "another kind": {0x7f, 1, 2}, "a beginning": {0x40}, "a record": {0x40, 0, 0, 9},
			"a close":              {4},
			"another connection's": {0x40, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 9},
		} {
			if err := newTalk(t, quic, small).conn.Receive(0, p); err == nil {
				t.Errorf("%s is accepted", name)
			} else {
				k := newTalk(t, quic, small)
				k.ends(k.conn.Receive(0, p), CodeProtocol)
			}
			k := newTalk(t, udp, small)
			if err := k.conn.Receive(0, p); err != nil || k.conn.Err() != nil ||
				k.conn.Stats().Dropped != 1 {
				t.Errorf("%s: %v", name, err)
			}
			if err := k.say(whole(0, nil)); err != nil || !equal(k.got, []uint64{0}) {
				t.Errorf("%s: the connection does not go on: %v, %v", name, err, k.got)
			}
		}
	})
	t.Run("D16 late packets of the handshake change nothing", func(t *testing.T) {
		for _, p := range [][]byte{AppendHello(nil, Hello{}, 0), AppendRetry(nil, 1, []byte{1}),
			AppendWelcome(nil, Welcome{})} {
			k := newTalk(t, quic, small)
			if err := k.conn.Receive(0, p); err != nil || k.conn.Stats().Dropped != 1 {
				t.Error(err)
			}
		}
	})
	t.Run("D20 a packet of another connection is dropped", func(t *testing.T) {
		k := newTalk(t, udp, small)
		p := append(appendData(nil, data{connection: 4}, true), whole(0, nil)...)
		if err := k.conn.Receive(0, p); err != nil || len(k.got) > 0 {
			t.Errorf("%v, %v", err, k.got)
		}
		if err := k.conn.Receive(0, AppendClose(nil, 4, true, CodeDone, "")); err != nil {
			t.Error(err)
		}
	})
	// Clauses: D22.3, D22.4
	t.Run("D22 a repeated packet or one far below the highest is dropped", func(t *testing.T) {
		k := newTalk(t, quic, small)
		for _, step := range []struct {
			number uint16
			taken  bool
		}{
			{5, true}, {5, false}, {4, true}, {4, false}, {0, true}, {300, true}, {172, true},
			{171, false}, {172, false}, {299, true}, {236, true}, {237, true}, {236, false},
			{301, true}, {172, false}, {173, true}, {364, true}, {301, false}, {300, false},
			{302, true}, {237, false}, {32_000, true}, {64_000, true}, {40_000, false},
			{1, true}, {65_535, true}, {0, true}, {64_000, false}, {2, true}, {1, false},
		} {
			before := k.conn.Stats().Received
			if err := k.conn.Receive(0, k.packet(step.number,
				[]byte{2*recordAsk + 1})); err != nil {
				t.Fatal(err)
			}
			if got := k.conn.Stats().Received > before; got != step.taken {
				t.Errorf("packet %d is accepted: %v", step.number, got)
			}
		}
	})
	t.Run("D22.7 an acknowledgement of an unsent packet ends the connection", func(t *testing.T) {
		for name, a := range map[string]ack{
			"the next packet":    {latest: 2},
			"one long before":    {latest: 1000},
			"below the first":    {latest: 1, size: 1, bits: 2},
			"a message unsent":   {latest: 1, floor: 3},
			"a message far away": {latest: 1, floor: 0x7fff},
		} {
			k := newTalk(t, quic, small)
			for range 2 { // packets 0 and 1, messages 0 and 1
				if err := k.conn.Send(0, nil, nil, nil); err != nil {
					t.Fatal(err)
				}
				if _, ok := k.conn.Next(0, nil); !ok {
					t.Fatal("nothing is sent")
				}
			}
			// Message 2 was started. It has not been sent.
			if err := k.conn.Send(0, nil, nil, nil); err != nil {
				t.Fatal(err)
			}
			good := appendData(nil, data{number: 0, acks: true,
				ack: ack{latest: 1, size: 1, bits: 1}}, false)
			if err := k.conn.Receive(0, good); err != nil || k.conn.Sender().Floor() != 2 {
				t.Fatalf("%s: %v", name, err)
			}
			if a.floor == 0 {
				a.floor = 2
			}
			k.ends(k.conn.Receive(0, appendData(nil, data{number: 1, acks: true, ack: a}, false)),
				CodeProtocol)
		}
		k := newTalk(t, quic, small)
		// nothing was sent
		k.ends(k.conn.Receive(0, appendData(nil, data{acks: true}, false)), CodeProtocol)
	})
	t.Run("D22.6 acknowledgements are read unless newer ones came", func(t *testing.T) {
		k := newTalk(t, quic, small)
		if err := k.conn.Send(0, nil, nil, nil); err != nil {
			t.Fatal(err)
		}
		if _, ok := k.conn.Next(0, nil); !ok {
			t.Fatal("nothing is sent")
		}
		for _, p := range [][]byte{
			k.packet(7), // it has no records, and changes nothing
			appendData(nil, data{number: 6, acks: true}, false),
			// this would end the connection
			appendData(nil, data{number: 5, acks: true, ack: ack{latest: 9}}, false),
		} {
			if err := k.conn.Receive(0, p); err != nil {
				t.Fatal(err)
			}
		}
		if floor := k.conn.Sender().Floor(); floor != 1 {
			t.Errorf("%d messages are acknowledged", floor)
		}
		k.ends(k.conn.Receive(0,
			appendData(nil, data{number: 8, acks: true, ack: ack{latest: 9}}, false)), CodeProtocol)
	})
	t.Run("D7.1 a message that depends on itself ends the connection", func(t *testing.T) {
		k := newTalk(t, quic, small)
		k.ends(k.say(appendWhole(nil, []byte{0x80, 3, 0, 3}, nil)), CodeProtocol)
	})
	// Clauses: D14.1
	t.Run("D14 a message above the limit of an end ends the connection with 1009", func(t *testing.T) {
		k := newTalk(t, Path{Largest: MaxSize}, small)
		if err := k.say(whole(0, make([]byte, small.Message))); err != nil {
			t.Error(err)
		}
		k.ends(k.say(whole(1, make([]byte, small.Message+1))), CodeTooLarge)

		k = newTalk(t, quic, small)
		k.ends(k.say(fragment(0, make([]byte, small.Message+1), 0, 16)), CodeTooLarge)
	})
	t.Run("D14.3, D16 more than 64 dependencies are unreadable", func(t *testing.T) {
		var deps []uint64
		for d := range uint64(depgraph.MaxDependencies + 1) {
			deps = append(deps, d)
		}
		k := newTalk(t, quic, small)
		if err := k.say(whole(100, nil, deps[1:]...)); err != nil {
			t.Error(err)
		}
		k.ends(k.say(whole(101, nil, deps...)), CodeProtocol)
		k = newTalk(t, quic, small)
		k.ends(k.say(appendUnguaranteed(nil, 0, deps, nil)), CodeProtocol)
	})
	t.Run("D14.2, D14.5 unfinished and waiting messages share one bound", func(t *testing.T) {
		for odd := range uint64(2) {
			k := newTalk(t, Path{Largest: MaxSize}, small)
			body := make([]byte, small.Message)
			var err error
			n := uint64(1)
			for ; err == nil && n < 200; n++ {
				if n%2 == odd {
					err = k.say(fragment(n, body, 0, 16))
				} else {
					err = k.say(whole(n, body, 0))
				}
				if got := k.conn.graph.Waiting() + k.conn.parts.cost; got > int(small.Window) {
					t.Fatalf("%d bytes wait", got)
				}
			}
			if n != 64 { // 62 of them cost 4,162 or 4,172 each
				t.Errorf("message %d is too many", n-1)
			}
			k.ends(err, CodeTooLarge)
		}
	})
	t.Run("D14.5, D25 a last fragment with more dependencies gets no extra room", func(t *testing.T) {
		body := make([]byte, 4096)
		bare := Limits{Message: 4096,
			Window: 2 * uint32(depgraph.Header{Number: 1}.Cost(len(body)))}
		for _, deps := range [][]uint64{nil, {0}} {
			k := newTalk(t, Path{Largest: MaxSize}, bare)
			if err := k.say(fragment(1, body, 0, 2048), fragment(2, body, 0, 2048)); err != nil {
				t.Fatal(err)
			}
			switch err := k.say(fragment(1, body, 2048, 4096, deps...)); {
			case len(deps) > 0:
				k.ends(err, CodeTooLarge)
			case err != nil || !equal(k.got, []uint64{1}):
				t.Errorf("%v, %v", k.got, err)
			}
		}
	})
	t.Run("D25.7 fragments that contradict each other end the connection", func(t *testing.T) {
		k := newTalk(t, quic, small)
		body := make([]byte, 1000)
		if err := k.say(fragment(0, body, 0, 160)); err != nil {
			t.Fatal(err)
		}
		k.ends(k.say(fragment(0, body[:999], 160, 320)), CodeProtocol)
	})
	t.Run("D25.5 a message is complete with all blocks, once, for any cuts", func(t *testing.T) {
		k := newTalk(t, quic, small)
		body := make([]byte, 1000)
		for _, part := range [][2]uint32{{160, 480}, {0, 320}, {480, 992}, {160, 320},
			{992, 1000}, {0, 320}} {
			if err := k.say(fragment(0, body, part[0], part[1])); err != nil {
				t.Fatal(err)
			}
			if part[1] < 1000 && part[0] > 0 && len(k.got) > 0 {
				t.Fatal("it was executed before it arrived")
			}
		}
		if !equal(k.got, []uint64{0}) || k.conn.parts.cost != 0 || len(k.conn.parts.open) != 0 {
			t.Errorf("%v, %d bytes", k.got, k.conn.parts.cost)
		}
		for k.now < 30*time.Second { // nobody misses it later
			k.now += time.Second
			if err := k.say([]byte{2*recordAsk + 1}); err != nil {
				t.Fatal(err)
			}
			k.drain()
		}
	})
	t.Run("D25.6 a message may come complete after some fragments", func(t *testing.T) {
		k := newTalk(t, quic, small)
		body := make([]byte, 1000)
		for _, r := range [][]byte{fragment(0, body, 0, 320), whole(0, body),
			fragment(0, body, 320, 1000)} {
			if err := k.say(r); err != nil {
				t.Fatal(err)
			}
		}
		if !equal(k.got, []uint64{0}) || k.conn.parts.cost != 0 {
			t.Errorf("%v, %d bytes", k.got, k.conn.parts.cost)
		}
	})
	// Clauses: D10.6, D25.11
	t.Run("D10, D25 a message that stays incomplete for 11 s ends the connection", func(t *testing.T) {
		k := newTalk(t, quic, small)
		body := make([]byte, 1000)
		for at := range uint32(40) { // one block each second is slow and allowed
			k.now = time.Duration(at) * time.Second
			if err := k.say(fragment(0, body, 16*at, 16*at+16)); err != nil {
				t.Fatal(err)
			}
			k.drain()
		}
		last := k.now
		for k.conn.Err() == nil && k.now < last+time.Minute {
			k.now += time.Second
			if err := k.say([]byte{2*recordAsk + 1}, fragment(0, body, 0, 16)); err != nil {
				break
			}
			k.drain()
		}
		if k.conn.Err() == nil || k.conn.Err().Code != CodeSilent || k.now-last != 11*time.Second {
			t.Errorf("after %v: %v", k.now-last, k.conn.Err())
		}
	})
	t.Run("D10.6 a message that waits for another for 11 s ends the connection", func(t *testing.T) {
		k := newTalk(t, quic, small)
		if err := k.say(whole(1, nil, 0)); err != nil {
			t.Fatal(err)
		}
		for k.conn.Err() == nil && k.now < time.Minute {
			k.now += time.Second
			_ = k.say([]byte{2*recordAsk + 1})
			k.drain()
		}
		if k.conn.Err() == nil || k.conn.Err().Code != CodeSilent || k.now != 11*time.Second {
			t.Errorf("after %v: %v", k.now, k.conn.Err())
		}
	})
	t.Run("D22 an end that never acknowledges costs no memory", func(t *testing.T) {
		k := newTalk(t, quic, small)
		if err := k.conn.Send(0, nil, nil, nil); err != nil {
			t.Fatal(err)
		}
		for range 100_000 {
			k.now += ms
			if err := k.say([]byte{2*recordAsk + 1}); err != nil {
				t.Fatal(err)
			}
			k.drain()
		}
		if n := len(k.conn.flight.ring); n > 2*maxFlying {
			t.Errorf("there is room for %d packets", n)
		}
	})
}

// drain lets the end send what it has to send.
func (k *talk) drain() {
	var buf []byte
	for range 10_000 {
		var ok bool
		if buf, ok = k.conn.Next(k.now, buf[:0]); !ok {
			return
		}
	}
	k.t.Fatal("it sends forever")
}
