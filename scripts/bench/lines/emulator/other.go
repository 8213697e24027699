//go:build !linux

package emulator

import (
	"context"
	"net"
	"net/netip"
)

// Link is a line between two hosts. This system has none.
type Link struct{ Server, Client *Host }

// Host is one end of a Link.
type Host struct{}

// New returns ErrUnsupported.
func New(Config) (*Link, error) { return nil, ErrUnsupported }

// Close does nothing.
func (*Link) Close() error { return nil }

// Counts returns nothing.
func (*Link) Counts() Counts { return Counts{} }

// Addr returns no address.
func (*Host) Addr() netip.Addr { return netip.Addr{} }

// ListenUDP returns ErrUnsupported.
func (*Host) ListenUDP() (*net.UDPConn, error) { return nil, ErrUnsupported }

// ListenTCP returns ErrUnsupported.
func (*Host) ListenTCP(context.Context, string) (net.Listener, error) { return nil, ErrUnsupported }

// DialTCP returns ErrUnsupported.
func (*Host) DialTCP(context.Context, net.Addr, string) (net.Conn, error) {
	return nil, ErrUnsupported
}
