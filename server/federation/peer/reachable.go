package peer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// A card comes from another host, and says where that host must be called. This host must not be
// led to addresses of its own network by that. So it calls an address of a card only under the
// conditions of O44. It calls what an operator has pasted as an invitation in any case.

// Bounds of calls in local networks.
const (
	maxNear    = 8              // endpoints of one linked host within nearWithin
	nearWithin = 24 * time.Hour // as above
)

// Errors of addresses that are not called (O44).
var (
	errNear = errors.New(
		"its address is in a network of its own: " +
			"only servers that are there themselves call it, or --peer-private allows it",
	)
	errHTTP = errors.New("its address is plain http, which this server does not offer itself")
	errMany = errors.New("it has named too many addresses in networks of its own today")
)

// shared are the ranges that are routed nowhere, besides those that netip knows.
var shared = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("240.0.0.0/4"),
}

// isLocal reports whether an IP address is in a local network: of this machine, of a home, or of a
// link.
func isLocal(ip netip.Addr) bool {
	ip = ip.Unmap()
	return !ip.IsGlobalUnicast() || ip.IsPrivate() ||
		slices.ContainsFunc(shared, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// scope says from where an address of a host can be called.
type scope uint8

const (
	anywhere scope = iota
	network        // from its own network
	machine        // from its own machine
)

// scopeOf returns from where one of this host's addresses can be called. A name can be called from
// anywhere, unless it has an ending for local networks or no dot.
func (a Address) scopeOf() scope {
	name := a.parts().Hostname()
	ip, err := netip.ParseAddr(name)
	switch {
	case a.Local():
		return machine
	case err == nil && isLocal(ip):
		return network
	case err != nil && (!strings.Contains(name, ".") || slices.ContainsFunc(
		[]string{".local", ".lan", ".internal", ".home.arpa"},
		func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) },
	)):
		return network
	default:
		return anywhere
	}
}

// scope returns from where this host can be called: the widest scope of its addresses.
func (l *Links) scope() scope {
	widest := machine
	for _, a := range l.cfg.Addresses {
		widest = min(widest, a.scopeOf())
	}
	if len(l.cfg.Addresses) == 0 {
		return anywhere
	}
	return widest
}

// allows returns why an address of a card is not called at an IP address (O44), or nil.
func (l *Links) allows(a Address, ip netip.Addr) error {
	ip = ip.Unmap()
	is := anywhere
	switch {
	case ip.IsLoopback():
		is = machine
	case isLocal(ip):
		is = network
	}
	switch {
	case ip.IsUnspecified() || ip.IsMulticast():
		return errNear
	case !l.cfg.Private && is == machine && l.scope() != machine,
		!l.cfg.Private && is == network && l.scope() == anywhere:
		return errNear
	case strings.HasPrefix(string(a), "http://") && !l.cfg.Private &&
		!slices.ContainsFunc(l.cfg.Addresses, func(own Address) bool {
			return strings.HasPrefix(string(own), "http://")
		}):
		return errHTTP
	}
	return nil
}

// localCalls are the endpoints in local networks at which a linked host was called. It is guarded
// by partner.mu.
type localCalls map[string]time.Time

// admit reports whether an endpoint may be called: a known one, or one of at most maxNear.
func (n localCalls) admit(endpoint string, now time.Time) bool {
	if _, known := n[endpoint]; known {
		return true
	}
	for e, at := range n {
		if now.Sub(at) >= nearWithin {
			delete(n, e)
		}
	}
	if len(n) >= maxNear {
		return false
	}
	n[endpoint] = now
	return true
}

// pin is the IP address at which a host of an address is called: the one that was checked.
type pin struct {
	host string
	ip   netip.Addr
}

type pinned struct{}

// lead resolves an address of a card and checks it. It returns a context in which the host is
// called at the checked IP address, or why it is not called (O44).
func (p *linkedHost) lead(ctx context.Context, a Address) (context.Context, netip.Addr, error) {
	u := a.parts()
	ips, err := p.links.resolve(ctx, u.Hostname())
	if err != nil {
		return ctx, netip.Addr{}, err
	}
	for _, ip := range ips {
		if err := p.links.allows(a, ip); err != nil {
			// A name that leads to two networks is not trusted.
			return ctx, netip.Addr{}, err
		}
	}
	ip := ips[0]
	p.mu.Lock()
	defer p.mu.Unlock()
	if isLocal(ip) && !ip.IsLoopback() &&
		!p.localCalls.admit(ip.String()+" "+u.Port(), p.links.clock()) {
		return ctx, netip.Addr{}, errMany
	}
	return context.WithValue(ctx, pinned{}, pin{u.Hostname(), ip}), ip, nil
}

// resolve returns the IP addresses of a host, at least one.
func (l *Links) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	ips, err := l.lookup(ctx, "ip", host)
	if err == nil && len(ips) == 0 {
		err = errors.New("it has no address")
	}
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", host, err)
	}
	return ips, nil
}

// pinning wraps dial: it calls the IP address that the context names instead of the host. It does
// not change calls of a proxy.
func pinning(dial DialFunc) DialFunc {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if at, ok := ctx.Value(pinned{}).(pin); ok && err == nil && host == at.host {
			address = net.JoinHostPort(at.ip.String(), port)
		}
		return dial(ctx, network, address)
	}
}
