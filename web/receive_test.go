package web

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/tables/stream"
)

// script is a connection on which a client has sent everything at once. Each read returns at most
// step bytes.
type script struct {
	net.Conn
	said  []byte
	step  int
	wrote []byte
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.said) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.step)], s.said)
	s.said = s.said[n:]
	return n, nil
}

func (s *script) Write(p []byte) (int, error) {
	s.wrote = append(s.wrote, p...)
	return len(p), nil
}

func (*script) SetWriteDeadline(time.Time) error { return nil }

// receive reads all of said. net/http has read the first early bytes already. It returns the
// messages, the bytes that were written in answer, and the error at the end.
func receive(said []byte, step, early int) (msgs [][]byte, wrote []byte, err error) {
	conn := &script{said: said[early:], step: step}
	l := newWSConn()
	l.connect(conn, said[:early])
	r := &receiver{conn: l}
	for {
		msg, err := r.next()
		if err != nil {
			return msgs, conn.wrote, err
		}
		msgs = append(msgs, msg)
	}
}

// clientFrame makes a masked frame, as clients must.
func clientFrame(first byte, payload []byte) []byte {
	mask := [4]byte{0xa1, 0, 0xff, 7}
	var f []byte
	switch n := len(payload); {
	case n < len16:
		f = []byte{first, bitMask | byte(n)}
	case n < 1<<16:
		f = binary.BigEndian.AppendUint16([]byte{first, bitMask | len16}, uint16(n))
	default:
		f = binary.BigEndian.AppendUint64([]byte{first, bitMask | len64}, uint64(n))
	}
	f = append(f, mask[:]...)
	for i, b := range payload {
		f = append(f, b^mask[i%4])
	}
	return f
}

func TestReceiverPutsMessagesTogether(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		var said, pongs []byte
		var want [][]byte
		for range random.IntN(4) + 1 {
			msg := make([]byte, random.IntN([]int{4, 130, maxMessage + 1}[random.IntN(3)]))
			for i := range msg {
				msg[i] = byte(random.Uint32())
			}
			want = append(want, msg)
			first, rest := byte(opBinary), msg
			for random.IntN(3) == 0 { // fragments, with control frames between them
				n := random.IntN(len(rest) + 1)
				said = append(said, clientFrame(first, rest[:n])...)
				first, rest = opContinue, rest[n:]
				ping := []byte(fmt.Sprint("ping", n))
				said = append(said, clientFrame(finPing, ping)...)
				said = append(said, clientFrame(finPong,
					make([]byte, random.IntN(maxControl+1)))...)
				pongs = append(append(append(pongs, finPong), byte(len(ping))), ping...)
			}
			said = append(said, clientFrame(bitFin|first, rest)...)
		}
		msgs, wrote, err := receive(said, 1+random.IntN(200), random.IntN(len(said)+1))
		if !errors.Is(err, io.EOF) || len(msgs) != len(want) || !bytes.Equal(wrote, pongs) {
			t.Fatalf("seed %d: %d messages of %d, answers % x, %v", seed, len(msgs),
				len(want), wrote, err)
		}
		for i := range want {
			if !bytes.Equal(msgs[i], want[i]) {
				t.Fatalf("seed %d: message %d differs", seed, i)
			}
		}
	}
}

// TestS9PingsAndFragmentsAreCounted sends frames that are no messages. If nobody counted them they
// would make the server work for nothing.
// Clauses: S9.11
func TestS9PingsAndFragmentsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, frame := range map[string][]byte{
			"pings": clientFrame(finPing, nil), "pongs": clientFrame(finPong, []byte("x")),
			"fragments": clientFrame(opContinue, nil),
		} {
			said := clientFrame(opBinary, nil) // the beginning of a message counts, too
			said = append(said, bytes.Repeat(frame, maxAside-1)...)
			if _, _, err := receive(said, 100, 0); !errors.Is(err, io.EOF) {
				t.Errorf("S9 a thousand %s in a second: %v", name, err)
			}
			var v *violation
			if _, _, err := receive(append(said, frame...), 100, 0); !errors.As(err, &v) ||
				v.code != stream.CodeFlood {
				t.Errorf("S9 one of the %s more: %v", name, err)
			}
		}
		r := &receiver{}
		for i := range 10 * maxAside {
			if err := r.count(); err != nil {
				t.Fatalf("S9 frame %d, five hundred a second: %v", i, err)
			}
			<-time.After(2 * time.Millisecond)
		}
	})
}

func TestReceiverRefuses(t *testing.T) {
	binaryFrame := clientFrame(finBinary, []byte("before"))
	for _, c := range []struct {
		name string
		said []byte
		code stream.Code
	}{
		{"S9.2 an unmasked frame", []byte{finBinary, 1, 0}, 1002},
		{"S9.2 a reserved bit", clientFrame(0x10|finBinary, nil), 1002},
		{"S9.2 a reserved opcode for data", clientFrame(bitFin|3, nil), 1002},
		{"S9.2 a reserved opcode for control", clientFrame(bitFin|0xb, nil), 1002},
		{"S9.2 a continuation of nothing", clientFrame(bitFin|opContinue, nil), 1002},
		{"S9.2 a message within a message",
			append(clientFrame(opBinary, nil), clientFrame(finBinary, nil)...), 1002},
		{"S9.2 a text within a message",
			append(clientFrame(opBinary, nil), clientFrame(bitFin|1, nil)...), 1002},
		{"S9.6 a text message", clientFrame(bitFin|1, []byte("hello")), 1003},
		{"S9.2 a ping in pieces", clientFrame(opPing, nil), 1002},
		{"S9.2 a pong of 126 bytes", clientFrame(finPong, make([]byte, 126)), 1002},
		{"S9.7 4,097 bytes", clientFrame(finBinary, make([]byte, maxMessage+1)), 1009},
		{"S9.7 4,097 bytes in two", append(clientFrame(opBinary, make([]byte, maxMessage)),
			clientFrame(bitFin, []byte{1})...), 1009},
		{"S9.7 the longest length",
			append([]byte{finBinary, bitMask | len64}, bytes.Repeat([]byte{0x7f}, 12)...), 1009},
		{"S9.2 a length with its highest bit",
			append([]byte{finBinary, bitMask | len64}, bytes.Repeat([]byte{0xff}, 12)...), 1002},
		{"S9.2 a length longer than it need be",
			[]byte{finBinary, bitMask | len16, 0, 5, 1, 2, 3, 4}, 1002},
		{"S9.2 a length much longer than it need be",
			append([]byte{finBinary, bitMask | len64}, 0, 0, 0, 0, 0, 0, 0, 5, 1, 2, 3, 4), 1002},
		{"S9.2 a close frame of one byte", clientFrame(finClose, []byte{3}), 1002},
		{"S9.2 a close code that is reserved",
			clientFrame(finClose, []byte{1005 >> 8, 1005 & 0xff}), 1002},
		{"S9.2 a close code below a thousand", clientFrame(finClose, []byte{0, 7}), 1002},
		{"S9.2 a reason that is not text",
			clientFrame(finClose, []byte{1000 >> 8, 1000 & 0xff, 0xff}), 1002},
	} {
		t.Run(c.name, func(t *testing.T) {
			msgs, wrote, err := receive(append(bytes.Clone(binaryFrame), c.said...), readBuffer, 0)
			var v *violation
			if !errors.As(err, &v) || v.code != c.code {
				t.Errorf("%v, want code %d", err, c.code)
			}
			if len(msgs) != 1 || len(wrote) != 0 {
				t.Errorf("%d messages, answered % x", len(msgs), wrote)
			}
		})
	}
}

func TestReceiverAnswersCloseFrames(t *testing.T) {
	for _, c := range []struct {
		payload, answer []byte
		left            bool
	}{
		{nil, []byte{finClose, 0}, true},
		{[]byte{1000 >> 8, 1000 & 0xff}, []byte{finClose, 2, 1000 >> 8, 1000 & 0xff}, true},
		{[]byte{1001 >> 8, 1001 & 0xff}, []byte{finClose, 2, 1001 >> 8, 1001 & 0xff}, true},
		{append([]byte{4321 >> 8, 4321 & 0xff}, "good bye"...),
			[]byte{finClose, 2, 4321 >> 8, 4321 & 0xff}, false},
	} {
		// Clauses: S11.7, S11.8
		t.Run(fmt.Sprintf("S11 close frame % x", c.payload), func(t *testing.T) {
			_, wrote, err := receive(clientFrame(finClose, c.payload), 1, 0)
			if errors.Is(err, stream.ErrLeft) != c.left ||
				errors.Is(err, errPeerClosed) == c.left || !bytes.Equal(wrote, c.answer) {
				t.Errorf("answered % x, %v", wrote, err)
			}
		})
	}
}

// outcome returns what an error of the receiver means: a network may end in several ways.
func outcome(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the network has ended"
	}
	return err.Error()
}

// FuzzReceiver: whatever arrives, no message is longer than allowed, and the sizes in which the
// network delivers it make no difference.
func FuzzReceiver(f *testing.F) {
	f.Add(clientFrame(finBinary, []byte("hello")), uint8(1), uint8(0))
	f.Add(append(clientFrame(opBinary, make([]byte, 200)), clientFrame(bitFin, nil)...),
		uint8(7), uint8(3))
	f.Add(append(clientFrame(finPing, []byte("x")), clientFrame(finClose, []byte{3, 0xe8})...),
		uint8(2), uint8(255))
	f.Add([]byte{finBinary, bitMask | len64, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4},
		uint8(1), uint8(0))
	f.Fuzz(func(t *testing.T, said []byte, step, early uint8) {
		msgs, wrote, err := receive(said, len(said)+1, 0)
		again, wroteAgain, errAgain := receive(said, int(step)+1, min(int(early), len(said)))
		if outcome(err) != outcome(errAgain) || !bytes.Equal(wrote, wroteAgain) ||
			len(msgs) != len(again) {
			t.Fatalf("whole: %d messages, % x, %v; in pieces: %d, % x, %v", len(msgs), wrote, err,
				len(again), wroteAgain, errAgain)
		}
		for i := range msgs {
			if len(msgs[i]) > maxMessage || !bytes.Equal(msgs[i], again[i]) {
				t.Fatalf("message %d: %d bytes whole, %d in pieces", i, len(msgs[i]), len(again[i]))
			}
		}
	})
}

func BenchmarkReceiver(b *testing.B) {
	said := clientFrame(finBinary, []byte{10, 0})
	conn := &script{step: readBuffer}
	l := newWSConn()
	l.connect(conn, nil)
	r := &receiver{conn: l}
	b.ReportAllocs()
	for b.Loop() {
		conn.said = said
		if _, err := r.next(); err != nil {
			b.Fatal(err)
		}
	}
}
