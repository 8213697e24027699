package emulator

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Host is one end of a Link: a network namespace with one interface. It is one thread of this
// process. Sockets belong to the namespace of the thread that opens them, so nothing has to be
// deleted at the end. Its methods are safe for concurrent use until the Link is closed.
type Host struct {
	// Set at construction.
	addr netip.Addr
	// packets that the host sends can be read from this file, and packets written to it arrive at
	// the host
	tun int

	calls chan func() // unbuffered: for the thread
	ended chan struct{}
}

// newHost makes a host with an address in a network of 24 bits.
func newHost(addr netip.Addr) (*Host, error) {
	h := &Host{addr: addr, calls: make(chan func()), ended: make(chan struct{})}
	made := make(chan error, 1) // one answer
	go func() {
		defer close(h.ended)
		runtime.LockOSThread() // for good: a thread that was in a namespace ends with its goroutine
		err := h.enter()
		made <- err
		if err != nil {
			return
		}
		for call := range h.calls {
			call()
		}
	}()
	if err := <-made; err != nil {
		<-h.ended
		return nil, err
	}
	return h, nil
}

// enter moves the thread to a new namespace and gives that its interface.
func (h *Host) enter() error {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("%w: unshare: %w", ErrUnsupported, err)
	}
	tun, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("%w: open /dev/net/tun: %w", ErrUnsupported, err)
	}
	if err := h.configure(tun); err != nil {
		_ = unix.Close(tun)
		return err
	}
	h.tun = tun
	return nil
}

// configure makes tun an interface that is up, with the address of the host.
func (h *Host) configure(tun int) error {
	const name = "line"
	control, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open a socket: %w", err)
	}
	defer func() { _ = unix.Close(control) }()
	addr := h.addr.As4()
	for _, step := range []struct {
		file    int
		request uint
		set     func(*unix.Ifreq) error
	}{
		{tun, unix.TUNSETIFF,
			func(r *unix.Ifreq) error { r.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI); return nil }},
		{control, unix.SIOCSIFADDR, func(r *unix.Ifreq) error { return r.SetInet4Addr(addr[:]) }},
		{control, unix.SIOCSIFNETMASK,
			func(r *unix.Ifreq) error { return r.SetInet4Addr([]byte{255, 255, 255, 0}) }},
		{control, unix.SIOCSIFMTU, func(r *unix.Ifreq) error { r.SetUint32(MTU); return nil }},
		{control, unix.SIOCSIFFLAGS,
			func(r *unix.Ifreq) error { r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING); return nil }},
	} {
		r, err := unix.NewIfreq(name)
		if err == nil {
			err = step.set(r)
		}
		if err == nil {
			err = unix.IoctlIfreq(step.file, step.request, r)
		}
		if err != nil {
			return fmt.Errorf("%w: set up an interface (%#x): %w", ErrUnsupported,
				step.request, err)
		}
	}
	return nil
}

// close ends the thread and the interface. Sockets that are still open become useless.
func (h *Host) close() {
	close(h.calls)
	<-h.ended
	_ = unix.Close(h.tun)
}

// do runs f on the thread.
func (h *Host) do(f func()) {
	done := make(chan struct{})
	h.calls <- func() {
		defer close(done)
		f()
	}
	<-done
}

// Addr is the address of the host.
func (h *Host) Addr() netip.Addr { return h.addr }

// ListenUDP opens a socket at a free port.
func (h *Host) ListenUDP() (conn *net.UDPConn, err error) {
	h.do(func() {
		conn, err = net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(h.addr, 0)))
	})
	return conn, err
}

// ListenTCP listens at a free port. congestion names a congestion control of this system, such as
// "cubic", which the server's end uses when packets are lost. Nagle's delay is off, as usual in Go.
func (h *Host) ListenTCP(ctx context.Context, congestion string) (l net.Listener, err error) {
	h.do(func() {
		c := net.ListenConfig{Control: controlled(congestion)}
		c.SetMultipathTCP(false)
		l, err = c.Listen(ctx, "tcp4", netip.AddrPortFrom(h.addr, 0).String())
	})
	return l, err
}

// DialTCP connects to an address, in the same way.
func (h *Host) DialTCP(ctx context.Context, to net.Addr,
	congestion string) (conn net.Conn, err error) {
	h.do(func() {
		d := net.Dialer{Control: controlled(congestion)}
		conn, err = d.DialContext(ctx, "tcp4", to.String())
	})
	return conn, err
}

// controlled sets the congestion control of a socket, whatever the machine's default is.
func controlled(congestion string) func(_, _ string, c syscall.RawConn) error {
	return func(_, _ string, c syscall.RawConn) error {
		var err error
		if e := c.Control(func(fd uintptr) {
			err = unix.SetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION, congestion)
		}); e != nil {
			return e
		}
		if err != nil {
			return fmt.Errorf("let TCP be %q: %w", congestion, err)
		}
		return nil
	}
}
