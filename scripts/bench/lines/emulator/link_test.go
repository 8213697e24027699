package emulator

import (
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"holt/server/transport/simline"
)

const ms = time.Millisecond

// connect returns a link, and a socket at each end of it.
func connect(t *testing.T, c Config) (l *Link, server, client *net.UDPConn) {
	t.Helper()
	l, err := New(c)
	if errors.Is(err, ErrUnsupported) {
		t.Skip("network namespaces take Linux and root: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	server, err = l.Server.ListenUDP()
	if err != nil {
		t.Fatal(err)
	}
	client, err = l.Client.ListenUDP()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Close()
		_ = client.Close()
	})
	return l, server, client
}

const last = 1 << 31 // the number that marks the end; it is sent more than once where some are lost

// receive reads numbers until the end.
func receive(t *testing.T, from *net.UDPConn) (numbers []uint32) {
	t.Helper()
	_ = from.SetReadDeadline(time.Now().Add(30 * time.Second))
	for {
		b := make([]byte, 100)
		n, err := from.Read(b)
		if err != nil || n != 4 {
			t.Fatalf("read %d bytes: %v", n, err)
		}
		number := binary.BigEndian.Uint32(b)
		if number == last {
			return numbers
		}
		numbers = append(numbers, number)
	}
}

func send(t *testing.T, from, to *net.UDPConn, number uint32) {
	t.Helper()
	if _, err := from.WriteTo(binary.BigEndian.AppendUint32(nil, number),
		to.LocalAddr()); err != nil {
		t.Fatal(err)
	}
}

func TestLink(t *testing.T) {
	t.Run("the seed decides which UDP packets arrive, in order", func(t *testing.T) {
		line := simline.Config{Delay: 2 * ms, Loss: 0.2}
		l, server, client := connect(t, Config{Down: line, Up: simline.Config{Loss: 1}, Seed: 11})
		const n, ends = 200, 20
		for i := range uint32(n) {
			send(t, server, client, i)
		}
		for range ends {
			send(t, server, client, last)
		}
		var want []uint32
		like := simline.New(line, rand.New(rand.NewPCG(11, 0)))
		for i := range uint32(n) {
			like.Send(0, binary.BigEndian.AppendUint32(nil, i))
		}
		for {
			b, ok := like.Receive(time.Hour, nil)
			if !ok {
				break
			}
			want = append(want, binary.BigEndian.Uint32(b))
		}
		if got := receive(t, client); !slices.Equal(got, want) {
			t.Errorf("%d of %d come through, want %d:\n%v\n%v", len(got), n, len(want), got, want)
		}
		if c := l.Counts(); c.Down.Sent > n+ends || c.Down.Lost < uint64(n-len(want)) ||
			c.Down.Bytes != 32*c.Down.Sent {
			t.Errorf("counted %+v", c.Down)
		}
	})
	t.Run("a packet takes its time, down and up", func(t *testing.T) {
		const delay = 20 * ms
		var down, up atomic.Int64
		l, server, client := connect(t, Config{
			Down: simline.Config{Delay: delay}, Up: simline.Config{Delay: delay},
			Delivered: func(isDown bool, packet []byte) {
				if isDown {
					down.Add(int64(len(packet)))
				} else {
					up.Add(int64(len(packet)))
				}
			},
		})
		begun := time.Now()
		send(t, server, client, 1)
		send(t, server, client, last)
		if got := receive(t, client); !slices.Equal(got, []uint32{1}) {
			t.Fatalf("got %v", got)
		}
		send(t, client, server, last)
		receive(t, server)
		if took := time.Since(begun); took < 2*delay {
			t.Errorf("there and back in %v, want %v at least", took, 2*delay)
		}
		c := l.Counts()
		if c.Down.Sent != 2 || c.Up.Sent != 1 || len(c.Late) != 3 || slices.Min(c.Late) < 0 {
			t.Errorf("counted %+v", c)
		}
		if down.Load() != 64 || up.Load() != 32 {
			t.Errorf("%d and %d bytes are reported, want 64 and 32", down.Load(), up.Load())
		}
	})
	t.Run("an unknown congestion control", func(t *testing.T) {
		l, _, _ := connect(t, Config{})
		if _, err := l.Server.ListenTCP(t.Context(), "none"); err == nil {
			t.Error("it listens")
		}
	})
	t.Run("TCP delivers everything all the same", func(t *testing.T) {
		l, _, _ := connect(t, Config{Down: simline.Config{Delay: ms, Loss: 0.05},
			Up: simline.Config{Delay: ms, Loss: 0.05}, Seed: 5})
		sent := make([]byte, 100_000)
		for i := range sent {
			sent[i] = byte(i * i >> 5)
		}
		if got := through(t, l, sent); !slices.Equal(got, sent) {
			t.Errorf("got %d bytes that were not sent", len(got))
		}
		if c := l.Counts(); c.Down.Lost == 0 || c.Down.Bytes < uint64(len(sent)) {
			t.Errorf("counted %+v", c.Down)
		}
	})
}

// through sends bytes from the server to the client by TCP, and returns what arrives.
func through(t *testing.T, l *Link, sent []byte) []byte {
	t.Helper()
	listener, err := l.Server.ListenTCP(t.Context(), "reno")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	writing := make(chan error, 1)
	go func() {
		c, err := listener.Accept()
		if err == nil {
			_, err = c.Write(sent)
			_ = c.Close()
		}
		writing <- err
	}()
	c, err := l.Client.DialTCP(t.Context(), listener.Addr(), "reno")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := <-writing; err != nil {
		t.Fatal(err)
	}
	return got
}
