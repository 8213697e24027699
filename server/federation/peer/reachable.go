package peer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A card comes from another host, and says where that is to be called. So that nobody makes this host knock at doors of its own network, an
// address of a card is called only under the conditions of O44. What an operator has pasted as an invitation is called in any case.

// Bounds of what is called in networks of one's own.
const (
	maxNear    = 8              // endpoints of one linked host within nearWithin
	nearWithin = 24 * time.Hour // as above
)

// Errors of addresses that are not called (O44).
var (
	errNear = errors.New("its address is in a network of its own: only servers that are there themselves call it, or --peer-private allows it")
	errHTTP = errors.New("its address is plain http, which this server does not offer itself")
	errMany = errors.New("it has named too many addresses in networks of its own today")
)

// shared are the ranges that are routed nowhere, beside those that netip knows.
var shared = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("240.0.0.0/4"),
}

// near reports whether an address is in a network of its own: of this machine, of a home, or of a link.
func near(ip netip.Addr) bool {
	ip = ip.Unmap()
	return !ip.IsGlobalUnicast() || ip.IsPrivate() || slices.ContainsFunc(shared, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// scope is from where a host of an address can be called.
type scope uint8

const (
	anywhere scope = iota
	network        // from its own network
	machine        // from its own machine
)

// scopeOf returns from where one of our own addresses can be called. A name is one of the whole world, unless it is of a kind that is not.
func (a Address) scopeOf() scope {
	u, err := url.Parse(string(a))
	if err != nil {
		return anywhere
	}
	name := u.Hostname()
	ip, err := netip.ParseAddr(name)
	switch {
	case a.Local():
		return machine
	case err == nil && near(ip):
		return network
	case err != nil && (!strings.Contains(name, ".") || slices.ContainsFunc([]string{".local", ".lan", ".internal", ".home.arpa"}, func(end string) bool {
		return strings.HasSuffix(strings.ToLower(name), end)
	})):
		return network
	default:
		return anywhere
	}
}

// scope is from where this host can be called: from as far as one of its addresses.
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

// allows reports why an address of a card is not called at an IP address (O44).
func (l *Links) allows(a Address, ip netip.Addr) error {
	ip = ip.Unmap()
	is := anywhere
	switch {
	case ip.IsLoopback():
		is = machine
	case near(ip):
		is = network
	}
	switch {
	case ip.IsUnspecified() || ip.IsMulticast():
		return errNear
	case !l.cfg.Private && is == machine && l.scope() != machine, !l.cfg.Private && is == network && l.scope() == anywhere:
		return errNear
	case strings.HasPrefix(string(a), "http://") && !l.cfg.Private && !slices.ContainsFunc(l.cfg.Addresses, func(own Address) bool {
		return strings.HasPrefix(string(own), "http://")
	}):
		return errHTTP
	}
	return nil
}

// nearby are the endpoints in networks of their own at which a linked host was called. It is guarded by partner.mu.
type nearby map[string]time.Time

// admit reports whether an endpoint may be called: one that is known, or one of maxNear.
func (n nearby) admit(endpoint string, now time.Time) bool {
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

// pin is where a host of an address is called, so that what was looked at is what is called.
type pin struct {
	host string
	ip   netip.Addr
}

type pinned struct{}

// lead finds out where an address of a card leads, and returns a context in which it is called there, or why it is not called (O44).
func (p *partner) lead(ctx context.Context, a Address) (context.Context, netip.Addr, error) {
	u, err := url.Parse(string(a))
	if err != nil {
		return ctx, netip.Addr{}, err
	}
	ips, err := p.links.resolve(ctx, u.Hostname())
	if err != nil {
		return ctx, netip.Addr{}, err
	}
	for _, ip := range ips {
		if err := p.links.allows(a, ip); err != nil {
			return ctx, netip.Addr{}, err // one that leads to two networks is not to be trusted
		}
	}
	ip := ips[0]
	p.mu.Lock()
	defer p.mu.Unlock()
	if near(ip) && !ip.IsLoopback() && !p.nearby.admit(ip.String()+" "+u.Port(), p.links.clock()) {
		return ctx, netip.Addr{}, errMany
	}
	return context.WithValue(ctx, pinned{}, pin{u.Hostname(), ip}), ip, nil
}

// resolve returns the IP addresses of a host, one at least.
func (l *Links) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(ips) == 0 {
		err = errors.New("it has no address")
	}
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", host, err)
	}
	return ips, nil
}

// pinning has what a context says called in the place of a name. What leads to a proxy is called as it is.
func pinning(dial func(ctx context.Context, network, address string) (net.Conn, error)) func(ctx context.Context, network, address string) (net.Conn, error) {
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
