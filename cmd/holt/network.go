package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"holt/web"
)

// network knows where other machines find this server. It lets the server listen at further
// addresses when somebody at this machine asks for it (docs/security.md).
type network struct {
	// Set at construction.
	main    netip.AddrPort // where the server listens from the start
	mayOpen bool           // whether further addresses are offered
	plain   bool           // browsers need no certificate
	machine func() []netip.Addr
	isLocal func(netip.Addr) bool // whether an address means nothing outside a local network
	log     *slog.Logger

	// Set before the first request.
	http *http.Server

	mu sync.Mutex
	// Guarded by mu.
	opened   []netip.AddrPort
	stopping bool
	// running counts the goroutines that accept connections at opened addresses.
	running sync.WaitGroup
}

// newNetwork returns the network of a server that listens at l. The server may open further
// addresses only if it listens for this machine alone and nothing stands in front of it.
func (c *serveCommand) newNetwork(l net.Listener, log *slog.Logger) *network {
	n := &network{log: log, plain: c.TLSCert == "",
		machine: machineAddresses, isLocal: web.IsOfLocalNetwork}
	if a, ok := l.Addr().(*net.TCPAddr); ok {
		at := a.AddrPort()
		n.main = netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
	}
	n.mayOpen = n.main.Addr().IsLoopback() && c.PublicURL == "" && n.plain &&
		len(c.TrustedProxy) == 0
	return n
}

// Reachable returns where other machines find this server, the best address first. A server with a
// certificate is found by the name in it, which is not known here.
func (n *network) Reachable() []netip.AddrPort {
	switch at := n.main.Addr(); {
	case !n.plain:
		return nil
	case at.IsLoopback():
		return n.there()
	case !at.IsUnspecified():
		return []netip.AddrPort{n.main}
	}
	var all []netip.AddrPort
	for _, a := range n.machine() {
		if a.Is4() || n.main.Addr().Is6() {
			all = append(all, netip.AddrPortFrom(a, n.main.Port()))
		}
	}
	return all
}

// there returns the opened addresses that the machine still has, the last one opened first. A
// machine that goes to another network loses its address, and may get it back.
func (n *network) there() []netip.AddrPort {
	own := n.machine()
	n.mu.Lock()
	defer n.mu.Unlock()
	var all []netip.AddrPort
	for _, a := range slices.Backward(n.opened) {
		if slices.Contains(own, a.Addr()) {
			all = append(all, a)
		}
	}
	return all
}

// Closed returns the addresses in local networks at which the server could listen, too. It never
// offers an address that the whole internet can reach.
func (n *network) Closed() []netip.Addr {
	if !n.mayOpen {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	var all []netip.Addr
	for _, a := range n.machine() {
		if n.isLocal(a) &&
			!slices.Contains(n.opened, netip.AddrPortFrom(a, n.main.Port())) {
			all = append(all, a)
		}
	}
	return all
}

// Listen listens at one of the addresses of Closed, too, at the port of the server. It stays open
// until the server ends.
func (n *network) Listen(ctx context.Context, at netip.Addr) error {
	address := netip.AddrPortFrom(at, n.main.Port())
	if slices.Contains(n.Reachable(), address) {
		return nil
	}
	if !slices.Contains(n.Closed(), at) {
		return fmt.Errorf("%s: %w", at, web.ErrNoAddress)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.stopping || slices.Contains(n.opened, address) {
		return nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address.String())
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%s: %w", address, web.ErrPortTaken)
	case err != nil:
		return fmt.Errorf("listen at %s: %w: %w", address, web.ErrNoAddress, err)
	}
	n.opened = append(n.opened, address)
	n.log.Warn(
		"a host has let the local network in, until the server stops: what is exchanged there is "+
			"not encrypted", "address", "http://"+address.String()+"/")
	n.running.Go(func() {
		if err := n.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			n.log.Error("listening for the local network has ended",
				"address", address.String(), "err", err)
			n.mu.Lock()
			defer n.mu.Unlock()
			n.opened = slices.DeleteFunc(n.opened,
				func(a netip.AddrPort) bool { return a == address })
		}
	})
	return nil
}

// ListensFor reports whether a connection came to an address that Listen has opened.
func (n *network) ListensFor(local netip.AddrPort) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Contains(n.opened, local)
}

// Flag returns what --listen has to be so that other machines find the server; "" if that would not
// help.
func (n *network) Flag() string {
	if !n.main.Addr().IsLoopback() || !n.plain {
		return ""
	}
	all := "0.0.0.0"
	if own := n.machine(); len(own) > 0 && !own[0].Is4() {
		all = "::"
	}
	return net.JoinHostPort(all, strconv.Itoa(int(n.main.Port())))
}

// refuse opens no more addresses. The caller closes http, and then waits.
func (n *network) refuse() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stopping = true
}

// wait returns when nothing is accepted at opened addresses any more.
func (n *network) wait() { n.running.Wait() }

// machineAddresses returns the addresses of this machine that others may reach: first the one from
// which it would call others, then those of IPv4, and last those of bridges to containers.
func machineAddresses() []netip.Addr {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil
	}
	first := callingAddress()
	rank := map[netip.Addr]int{}
	var all []netip.Addr
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		own, err := i.Addrs()
		if err != nil {
			continue
		}
		for _, o := range own {
			p, err := netip.ParsePrefix(o.String())
			if err != nil || !p.Addr().IsGlobalUnicast() {
				continue
			}
			a := p.Addr().Unmap()
			switch {
			case a == first:
				rank[a] = 0
			case isBridge(i.Name):
				rank[a] = 3
			case a.Is4():
				rank[a] = 1
			default:
				rank[a] = 2
			}
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b netip.Addr) int {
		return cmp.Or(rank[a]-rank[b], a.Compare(b)) // so that equal ones are neighbours
	})
	return slices.Compact(all)
}

// isBridge reports whether an interface leads to containers or virtual machines.
func isBridge(name string) bool {
	return slices.ContainsFunc([]string{"docker", "br-", "veth", "virbr", "podman", "cni"},
		func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// callingAddress returns the address from which this machine would call the internet. It sends
// nothing: a UDP socket only chooses its address.
func callingAddress() netip.Addr {
	c, err := net.Dial("udp4", "192.0.2.1:9") //nolint:noctx // it waits for nothing
	if err != nil {
		return netip.Addr{}
	}
	defer func() { _ = c.Close() }()
	a, ok := c.LocalAddr().(*net.UDPAddr)
	if !ok {
		return netip.Addr{}
	}
	return a.AddrPort().Addr().Unmap()
}

// codeMargin is how many light cells a QR code needs around it.
const codeMargin = 2

// codeForTerminal draws a QR code with half blocks, two rows in a line. It sets both colours, so
// that the code is dark on light in every terminal.
func codeForTerminal(text string) string {
	rows := web.QRCode(text)
	dark := func(x, y int) bool {
		return y >= 0 && y < len(rows) && x >= 0 && x < len(rows) && rows[y][x] == '1'
	}
	var all strings.Builder
	for y := -codeMargin; y < len(rows)+codeMargin; y += 2 {
		all.WriteString("  \x1b[30;107m")
		for x := -codeMargin; x < len(rows)+codeMargin; x++ {
			switch {
			case dark(x, y) && dark(x, y+1):
				all.WriteRune('█')
			case dark(x, y):
				all.WriteRune('▀')
			case dark(x, y+1):
				all.WriteRune('▄')
			default:
				all.WriteByte(' ')
			}
		}
		all.WriteString("\x1b[0m\n")
	}
	return all.String()
}
