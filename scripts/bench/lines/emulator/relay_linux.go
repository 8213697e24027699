package emulator

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"holt/server/transport/simline"
)

// Link is a line between two hosts.
type Link struct {
	// Set at construction.
	Server, Client *Host
	relay          *relay
}

// New makes two hosts and the line between them. The error may be ErrUnsupported.
func New(c Config) (*Link, error) {
	server, err := newHost(netip.AddrFrom4([4]byte{192, 0, 2, 1}))
	if err != nil {
		return nil, err
	}
	client, err := newHost(netip.AddrFrom4([4]byte{192, 0, 2, 2}))
	if err != nil {
		server.close()
		return nil, err
	}
	relay, err := newRelay(c, server.tun, client.tun)
	if err != nil {
		client.close()
		server.close()
		return nil, err
	}
	processors(1)
	go relay.run()
	return &Link{Server: server, Client: client, relay: relay}, nil
}

// Close ends the line and both hosts, and waits for that. The error says why nothing came through
// any more, if that was so.
func (l *Link) Close() error {
	err := l.relay.stop()
	processors(-1)
	l.Client.close()
	l.Server.close()
	return err
}

// changing guards changes of the number of processors.
var changing sync.Mutex

// processors lets more goroutines run at a time. A relay that waits for packets takes one of these
// places, and the runtime needs up to 10 ms to notice that it could give the place to another
// goroutine. With few places all would wait.
func processors(more int) {
	changing.Lock()
	defer changing.Unlock()
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + more)
}

// Counts returns what has been carried so far.
func (l *Link) Counts() Counts {
	r := l.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	return Counts{Down: r.ways[0].line.Counts(), Up: r.ways[1].line.Counts(),
		Late: slices.Clone(r.late)}
}

// relay takes packets from each host, and gives them to the other when they are due. It is one
// thread, which waits for packets and times together, to a fraction of a millisecond: the timers of
// a Go program may be a millisecond late.
type relay struct {
	// Set at construction.
	ways      [2]way // down, up
	wake      int    // a file that becomes readable when it is time to end
	delivered func(down bool, packet []byte)
	start     time.Time

	ended chan struct{}
	err   error // why it ended; set before ended is closed

	mu sync.Mutex
	// Guarded by mu, like the lines of ways.
	late []time.Duration
}

// way is one direction.
type way struct {
	from, to int // files
	line     *simline.Line
}

func newRelay(c Config, server, client int) (*relay, error) {
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("open an event: %w", err)
	}
	line := func(v simline.Config, direction uint64) *simline.Line {
		//nolint:gosec // a run is a function of its seed
		return simline.New(v, rand.New(rand.NewPCG(c.Seed, direction)))
	}
	return &relay{
		ways: [2]way{{server, client, line(c.Down, 0)}, {client, server, line(c.Up, 1)}},
		wake: wake, delivered: c.Delivered, start: time.Now(), ended: make(chan struct{}),
	}, nil
}

// stop ends the relay and waits for it.
func (r *relay) stop() error {
	// Eight bytes that are not all zero, in either byte order.
	_, err := unix.Write(r.wake, []byte{7: 1})
	<-r.ended
	_ = unix.Close(r.wake)
	return errors.Join(r.err, err)
}

func (r *relay) run() {
	defer close(r.ended)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	//nolint:gosec // files
	files := []unix.PollFd{{Fd: int32(r.ways[0].from), Events: unix.POLLIN},
		{Fd: int32(r.ways[1].from), Events: unix.POLLIN}, {Fd: int32(r.wake), Events: unix.POLLIN}}
	buf := make([]byte, MTU)
	for {
		for i := range r.ways {
			if r.err = r.deliver(i, buf); r.err != nil {
				return
			}
		}
		_, err := unix.Ppoll(files, r.patience(), nil)
		if err != nil && !errors.Is(err, unix.EINTR) {
			r.err = fmt.Errorf("wait for packets: %w", err)
			return
		}
		if files[2].Revents != 0 {
			return
		}
		for i := range r.ways {
			if r.err = r.collect(&r.ways[i], buf); r.err != nil {
				return
			}
		}
	}
}

// patience returns how long nothing is due; nil means for ever.
func (r *relay) patience() *unix.Timespec {
	at, ok := r.ways[0].line.Arrival()
	if up, also := r.ways[1].line.Arrival(); also && (!ok || up < at) {
		at, ok = up, true
	}
	if !ok {
		return nil
	}
	t := unix.NsecToTimespec(max(0, at-time.Since(r.start)).Nanoseconds())
	return &t
}

// collect takes the packets that a host has sent.
func (r *relay) collect(w *way, buf []byte) error {
	for {
		n, err := unix.Read(w.from, buf)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return nil
		case err != nil:
			return fmt.Errorf("read from a host: %w", err)
		case n == 0 || buf[0]>>4 != 4:
			continue // the system announces itself by IPv6
		}
		r.mu.Lock()
		w.line.Send(time.Since(r.start), buf[:n])
		r.mu.Unlock()
	}
}

// deliver gives a host the packets that have arrived.
func (r *relay) deliver(i int, buf []byte) error {
	w := &r.ways[i]
	for {
		now := time.Since(r.start)
		at, _ := w.line.Arrival()
		packet, ok := w.line.Receive(now, buf[:0])
		if !ok {
			return nil
		}
		r.mu.Lock()
		r.late = append(r.late, now-at)
		r.mu.Unlock()
		if r.delivered != nil {
			r.delivered(i == 0, packet)
		}
		if _, err := unix.Write(w.to, packet); err != nil {
			return fmt.Errorf("write to a host: %w", err)
		}
	}
}
