package emulator

import (
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Link is a line between two hosts.
type Link struct {
	// Set at construction.
	Server, Client *Host
	relay          *relay
	counter        *counter
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
	l := &Link{Server: server, Client: client, counter: &counter{}}
	l.relay, err = newRelay(c, server.tun, client.tun, l.counter)
	if err != nil {
		client.close()
		server.close()
		return nil, err
	}
	go l.relay.run()
	return l, nil
}

// Close ends the line and both hosts, and waits for that. The error is why nothing came through any more, if that was so.
func (l *Link) Close() error {
	err := l.relay.stop()
	l.Client.close()
	l.Server.close()
	return err
}

// Counts returns what has been carried so far.
func (l *Link) Counts() Counts { return l.counter.read() }

// relay takes packets from each host, and gives them to the other when it is time. It is one thread, which waits for packets and
// times at once, to a fraction of a millisecond: the timers of a Go program may be one late.
type relay struct {
	// Set at construction.
	ways      [2]way // down, up
	wake      int    // a file that can be read when it is time to end
	counter   *counter
	delivered func(down bool, packet []byte)
	start     time.Time

	ended chan struct{}
	err   error // why it ended; set before ended is closed
}

// way is one direction.
type way struct {
	from, to int // files
	pipe     *pipe
	flying   []flight // in the order in which they arrive
}

// flight is a packet under way.
type flight struct {
	at     time.Duration
	packet []byte
}

func newRelay(c Config, server, client int, count *counter) (*relay, error) {
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("open an event: %w", err)
	}
	return &relay{
		ways: [2]way{{from: server, to: client, pipe: newPipe(c.Down)}, {from: client, to: server, pipe: newPipe(c.Up)}},
		wake: wake, counter: count, delivered: c.Delivered, start: time.Now(), ended: make(chan struct{}),
	}, nil
}

// stop ends the relay and waits for it.
func (r *relay) stop() error {
	_, err := unix.Write(r.wake, []byte{7: 1}) // eight bytes that are not all zero, in either byte order
	<-r.ended
	_ = unix.Close(r.wake)
	return errors.Join(r.err, err)
}

func (r *relay) run() {
	defer close(r.ended)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	files := []unix.PollFd{{Fd: int32(r.ways[0].from), Events: unix.POLLIN}, {Fd: int32(r.ways[1].from), Events: unix.POLLIN}, {Fd: int32(r.wake), Events: unix.POLLIN}} //nolint:gosec // files
	for {
		for i := range r.ways {
			if r.err = r.deliver(i); r.err != nil {
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
			if r.err = r.collect(i); r.err != nil {
				return
			}
		}
	}
}

// patience is how long nothing has to be delivered; nil is for ever.
func (r *relay) patience() *unix.Timespec {
	var at time.Duration
	for _, w := range r.ways {
		if len(w.flying) > 0 && (at == 0 || w.flying[0].at < at) {
			at = w.flying[0].at
		}
	}
	if at == 0 {
		return nil
	}
	t := unix.NsecToTimespec(max(0, at-time.Since(r.start)).Nanoseconds())
	return &t
}

// collect takes what a host has sent.
func (r *relay) collect(i int) error {
	w := &r.ways[i]
	for {
		packet := make([]byte, MTU)
		n, err := unix.Read(w.from, packet)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return nil
		case err != nil:
			return fmt.Errorf("read from a host: %w", err)
		case n == 0 || packet[0]>>4 != 4:
			continue // the system says hello by IPv6
		}
		at, f := w.pipe.enter(time.Since(r.start), n)
		r.counter.entered(i == 0, n, f)
		if f == passed {
			w.flying = append(w.flying, flight{at, packet[:n]})
		}
	}
}

// deliver gives a host what has arrived.
func (r *relay) deliver(i int) error {
	w := &r.ways[i]
	n := 0
	for ; n < len(w.flying); n++ {
		f := &w.flying[n]
		late := time.Since(r.start) - f.at
		if late < 0 {
			break
		}
		if r.delivered != nil {
			r.delivered(i == 0, f.packet)
		}
		r.counter.delivered(late)
		if _, err := unix.Write(w.to, f.packet); err != nil {
			return fmt.Errorf("write to a host: %w", err)
		}
	}
	w.flying = append(w.flying[:0], w.flying[n:]...)
	return nil
}
