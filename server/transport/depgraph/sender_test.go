package depgraph

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"
)

// send sends a message of one byte that depends on the messages of the handles deps, and fails the
// test if it cannot.
func send(t testing.TB, s *Sender, h *Handle, deps ...*Handle) Header {
	t.Helper()
	s.Begin()
	for _, d := range deps {
		if err := s.Depend(d); err != nil {
			t.Fatal(err)
		}
	}
	header, err := s.End(h, 1)
	if err != nil {
		t.Fatal(err)
	}
	return Header{header.Number, slices.Clone(header.Deps)}
}

// ack acknowledges messages, and fails the test if it cannot.
func ack(t testing.TB, s *Sender, numbers ...uint64) {
	t.Helper()
	for _, n := range numbers {
		if err := s.Acknowledge(n); err != nil {
			t.Fatal(err)
		}
	}
}

// copyOf copies a handle, which go vet would report.
func copyOf(h *Handle) *Handle {
	c := reflect.New(reflect.TypeFor[Handle]())
	c.Elem().Set(reflect.ValueOf(h).Elem())
	h, _ = c.Interface().(*Handle)
	return h
}

func wantHeader(t testing.TB, got Header, number uint64, deps ...uint64) {
	t.Helper()
	if got.Number != number || !slices.Equal(got.Deps, deps) {
		t.Fatalf("header %+v, want number %d and dependencies %v", got, number, deps)
	}
}

func TestSender(t *testing.T) {
	t.Run("D1.1 numbers count from 0 and do not wrap", func(t *testing.T) {
		s := NewSender(math.MaxInt)
		for n := range uint64(100_000) {
			wantHeader(t, send(t, s, nil), n)
			ack(t, s, n)
		}
	})
	t.Run("D2.1, D2.7 dependencies are listed in order, each once", func(t *testing.T) {
		s := NewSender(1000)
		var a, b, c Handle
		send(t, s, &a)
		send(t, s, &b)
		wantHeader(t, send(t, s, &c, &b, nil, &a, &b), 2, 0, 1)
		wantHeader(t, send(t, s, nil, &c), 3, 2)
	})
	// Clauses: D2.2, D6.2
	t.Run("D2, D6 messages executed before the end of a message are not listed", func(t *testing.T) {
		s := NewSender(1000)
		var a, b Handle
		send(t, s, &a)
		send(t, s, &b)
		s.Begin()
		for _, h := range []*Handle{&a, &b} {
			if err := s.Depend(h); err != nil {
				t.Fatal(err)
			}
		}
		ack(t, s, 0)
		header, err := s.End(nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		wantHeader(t, header, 2, 1)
	})
	t.Run("D2 a new beginning drops the begun message", func(t *testing.T) {
		s := NewSender(1000)
		var a Handle
		send(t, s, &a)
		s.Begin()
		if err := s.Depend(&a); err != nil {
			t.Fatal(err)
		}
		wantHeader(t, send(t, s, nil), 1)
	})
	t.Run("D2.8 a copy of a handle is a mistake", func(t *testing.T) {
		s := NewSender(1000)
		var a Handle
		send(t, s, &a)
		b := copyOf(&a)
		s.Begin()
		if err := s.Depend(b); !errors.Is(err, ErrCopied) {
			t.Fatalf("a copy is a dependency: %v", err)
		}
		wantHeader(t, send(t, s, nil, &a), 1, 0)
		ack(t, s, 0)
		if err := s.Depend(b); !errors.Is(err, ErrCopied) {
			t.Fatalf("a copy of an executed message is a dependency: %v", err)
		}
		if _, err := s.End(b, 1); !errors.Is(err, ErrCopied) {
			t.Fatalf("a copy is filled: %v", err)
		}
		wantHeader(t, send(t, s, copyOf(new(Handle))), 2) // one that was never filled
	})
	t.Run("D2.5 an empty handle is a mistake", func(t *testing.T) {
		s := NewSender(1000)
		var h Handle
		s.Begin()
		if err := s.Depend(&h); !errors.Is(err, ErrUnfilled) {
			t.Fatal(err)
		}
		if h.Executed() {
			t.Fatal("an unsent message is executed")
		}
	})
	t.Run("D2.4 a handle of another live connection is a mistake", func(t *testing.T) {
		one, other := NewSender(1000), NewSender(1000)
		var h Handle
		send(t, one, &h)
		other.Begin()
		if err := other.Depend(&h); !errors.Is(err, ErrForeign) {
			t.Fatal(err)
		}
	})
	t.Run("D2.3 a handle of an ended connection is ignored and reusable", func(t *testing.T) {
		one, other := NewSender(1000), NewSender(1000)
		var h Handle
		send(t, one, &h)
		one.Close()
		wantHeader(t, send(t, other, &h, &h), 0)
		wantHeader(t, send(t, other, nil, &h), 1, 0)
		one.Begin()
		if _, err := one.End(nil, 1); !errors.Is(err, ErrClosed) {
			t.Fatalf("an ended connection sends: %v", err)
		}
	})
	t.Run("D2.6 reusing a handle during its message is a mistake", func(t *testing.T) {
		s := NewSender(1000)
		var h Handle
		send(t, s, &h)
		s.Begin()
		if _, err := s.End(&h, 1); !errors.Is(err, ErrUnderWay) {
			t.Fatal(err)
		}
		wantHeader(t, send(t, s, nil, &h), 1, 0) // nothing was sent, and the handle is unchanged
		ack(t, s, 0)
		wantHeader(t, send(t, s, &h), 2)
		wantHeader(t, send(t, s, nil, &h), 3, 2)
	})
	t.Run("D14.8 more than 64 dependencies go by joins", func(t *testing.T) {
		s := NewSender(10_000)
		handles := make([]Handle, 100)
		for i := range handles {
			send(t, s, &handles[i])
		}
		s.Begin()
		for i := range MaxDependencies {
			if err := s.Depend(&handles[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Depend(&handles[3]); err != nil {
			t.Fatalf("one that is listed already: %v", err)
		}
		if err := s.Depend(&handles[MaxDependencies]); !errors.Is(err, ErrDependencies) {
			t.Fatalf("the 65th: %v", err)
		}
		var join Handle
		header, err := s.End(&join, 0)
		if err != nil {
			t.Fatal(err)
		}
		wantHeader(t, header, 100, upTo(0, 64)...)
		rest := []*Handle{&join}
		for i := MaxDependencies; i < len(handles); i++ {
			rest = append(rest, &handles[i])
		}
		wantHeader(t, send(t, s, nil, rest...), 101, upTo(64, 101)...)
	})
	t.Run("D15.10 an unguaranteed message has dependencies and takes no number", func(t *testing.T) {
		s := NewSender(1000)
		var a, b Handle
		send(t, s, &a)
		send(t, s, &b)
		s.Begin()
		for _, h := range []*Handle{&b, &a} {
			if err := s.Depend(h); err != nil {
				t.Fatal(err)
			}
		}
		ack(t, s, 0)
		if deps := s.EndUnguaranteed(); !slices.Equal(deps, []uint64{1}) {
			t.Fatalf("dependencies %v", deps)
		}
		wantHeader(t, send(t, s, nil), 2)
	})
}

func TestSenderWindow(t *testing.T) {
	full := func(t *testing.T, s *Sender, size int) {
		t.Helper()
		s.Begin()
		if _, err := s.End(nil, size); !errors.Is(err, ErrWindow) {
			t.Fatalf("the window is not full: %v", err)
		}
	}
	t.Run("D3.1 at most 8,192 messages are under way from the lowest unacked", func(t *testing.T) {
		s := NewSender(math.MaxInt)
		for range Window {
			send(t, s, nil)
		}
		full(t, s, 1)
		for n := uint64(1); n < Window; n++ {
			ack(t, s, n)
		}
		full(t, s, 1)
		ack(t, s, 0)
		if s.Floor() != Window {
			t.Fatalf("floor %d", s.Floor())
		}
		for n := range uint64(Window) {
			wantHeader(t, send(t, s, nil), Window+n)
		}
		full(t, s, 1)
	})
	// Clauses: D3.2, D14.6
	t.Run("D3, D14 the bytes under way are bounded, with overhead per message", func(t *testing.T) {
		s := NewSender(200)
		var a Handle
		s.Begin()
		if _, err := s.End(nil, 134); err != nil {
			t.Fatal(err)
		}
		full(t, s, 0)
		ack(t, s, 0)
		s.Begin()
		if _, err := s.End(&a, 50); err != nil {
			t.Fatal(err)
		}
		if messages, bytes := s.Room(); messages != Window-1 || bytes != 84 {
			t.Fatalf("room for %d messages and %d bytes", messages, bytes)
		}
		s.Begin()
		if err := s.Depend(&a); err != nil {
			t.Fatal(err)
		}
		if _, err := s.End(nil, 9); !errors.Is(err, ErrWindow) {
			t.Fatalf("9 bytes, a header of 4, a message and a dependency go into 84: %v", err)
		}
		s.Begin()
		if err := s.Depend(&a); err != nil {
			t.Fatal(err)
		}
		header, err := s.End(nil, 8)
		if err != nil {
			t.Fatal(err)
		}
		wantHeader(t, header, 2, 1)
	})
	t.Run("D3.2 acknowledged waiting messages take room in the window", func(t *testing.T) {
		s := NewSender(200)
		var a Handle
		send(t, s, &a)
		send(t, s, nil, &a)
		ack(t, s, 1)
		if _, bytes := s.Room(); bytes != 56 {
			t.Fatalf("room for %d bytes", bytes)
		}
		ack(t, s, 0)
		if _, bytes := s.Room(); bytes != 200 {
			t.Fatalf("room for %d bytes", bytes)
		}
	})
	t.Run("D3 a failure leaves no trace", func(t *testing.T) {
		s := NewSender(150)
		var a, b Handle
		send(t, s, &a)
		s.Begin()
		if err := s.Depend(&a); err != nil {
			t.Fatal(err)
		}
		if _, err := s.End(&b, 100); !errors.Is(err, ErrWindow) {
			t.Fatal(err)
		}
		s.Begin()
		if err := s.Depend(&b); !errors.Is(err, ErrUnfilled) {
			t.Fatalf("the handle of an unsent message: %v", err)
		}
		wantHeader(t, send(t, s, &b, &a), 1, 0)
	})
}

func TestAcknowledge(t *testing.T) {
	// Clauses: D11.1, D11.2
	t.Run("D11 the ack of A does not execute B, which is not acknowledged", func(t *testing.T) {
		s := NewSender(1000)
		var a, b Handle
		send(t, s, &a)
		send(t, s, &b, &a)
		ack(t, s, 0)
		if !a.Executed() || b.Executed() {
			t.Fatalf("A executed: %t, B executed: %t", a.Executed(), b.Executed())
		}
		wantHeader(t, send(t, s, nil, &b), 2, 1)
	})
	t.Run("D11.1, D11.2 an acknowledged message waits for one that is not", func(t *testing.T) {
		s := NewSender(1000)
		var a, b, c Handle
		send(t, s, &a)
		send(t, s, &b, &a)
		send(t, s, &c, &b)
		ack(t, s, 2, 1)
		if b.Executed() || c.Executed() {
			t.Fatal("B and C count as executed before A has arrived")
		}
		if !s.Acknowledged(1) || s.Acknowledged(0) || s.Floor() != 0 {
			t.Fatalf("acknowledged: %t, %t; floor %d", s.Acknowledged(0),
				s.Acknowledged(1), s.Floor())
		}
		ack(t, s, 0)
		if !a.Executed() || !b.Executed() || !c.Executed() || s.Floor() != 3 {
			t.Fatalf("floor %d", s.Floor())
		}
	})
	t.Run("D11 a repeated acknowledgement changes nothing", func(t *testing.T) {
		s := NewSender(1000)
		var a, b Handle
		send(t, s, &a)
		send(t, s, &b, &a)
		ack(t, s, 1, 1, 1)
		if b.Executed() {
			t.Fatal("B no longer waits for A")
		}
		ack(t, s, 0, 0, 1)
		if _, bytes := s.Room(); !b.Executed() || bytes != 1000 {
			t.Fatalf("room for %d bytes", bytes)
		}
	})
	t.Run("D10.5 a floor acknowledges all below it", func(t *testing.T) {
		s := NewSender(1000)
		handles := make([]Handle, 10)
		send(t, s, &handles[0])
		for i := 1; i < len(handles); i++ {
			send(t, s, &handles[i], &handles[i-1])
		}
		ack(t, s, 8)
		if err := s.AcknowledgeBelow(7); err != nil {
			t.Fatal(err)
		}
		if !handles[6].Executed() || handles[7].Executed() || handles[8].Executed() ||
			s.Floor() != 7 {
			t.Fatalf("floor %d", s.Floor())
		}
		if err := s.AcknowledgeBelow(3); err != nil || s.Floor() != 7 {
			t.Fatalf("a late floor: %v, floor %d", err, s.Floor())
		}
		ack(t, s, 7)
		if !handles[8].Executed() || handles[9].Executed() || s.Floor() != 9 {
			t.Fatalf("floor %d", s.Floor())
		}
	})
	t.Run("D22 an unsent message cannot be acknowledged", func(t *testing.T) {
		s := NewSender(1000)
		send(t, s, nil)
		if err := s.Acknowledge(1); !errors.Is(err, ErrUnsent) {
			t.Fatal(err)
		}
		if err := s.AcknowledgeBelow(2); !errors.Is(err, ErrUnsent) || s.Floor() != 0 {
			t.Fatalf("%v, floor %d", err, s.Floor())
		}
		if err := s.AcknowledgeBelow(1); err != nil || s.Floor() != 1 {
			t.Fatalf("%v, floor %d", err, s.Floor())
		}
	})
	t.Run("D6.2, D12.1 a dependency from before a wrap costs nothing", func(t *testing.T) {
		s := NewSender(1000)
		var spawn, recent Handle
		send(t, s, &spawn)
		for n := range uint64(3 * modulus) {
			recent = Handle{}
			send(t, s, &recent)
			ack(t, s, n)
		}
		// The last message has the number 3 · 2¹⁵, which is 0 on the wire, like that of an old
		// message, and is under way.
		wantHeader(t, send(t, s, nil, &spawn, &recent), 3*modulus+1, 3*modulus)
		ack(t, s, 3*modulus)
		wantHeader(t, send(t, s, nil, &spawn, &recent), 3*modulus+2)
	})
}
