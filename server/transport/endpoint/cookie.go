package endpoint

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"time"
)

// cookieLife is how long a cookie is good (D18).
const cookieLife = 10 * time.Second

// Bytes of a cookie: when it was made, in milliseconds since the server began, and the first half of an HMAC-SHA256.
const (
	cookieTime = 8
	cookieMAC  = 16
	cookieSize = cookieTime + cookieMAC
)

// cookies prove that a client is where it seems to be, without a memory of it (D18). It is safe for concurrent use.
type cookies struct {
	key [sha256.Size]byte
}

// newCookies draws a key: cookies of another run of the server are not good here.
func newCookies() *cookies {
	c := new(cookies)
	_, _ = rand.Read(c.key[:]) // it never fails
	return c
}

// bake returns the cookie of an address; at is the time since the server began.
func (c *cookies) bake(from netip.AddrPort, at time.Duration) []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, cookieSize), uint64(at.Milliseconds())) //nolint:gosec // not negative
	return append(b, c.sign(from, b)...)
}

// good reports whether a cookie was baked for an address within cookieLife before at.
func (c *cookies) good(cookie []byte, from netip.AddrPort, at time.Duration) bool {
	if len(cookie) != cookieSize || !hmac.Equal(cookie[cookieTime:], c.sign(from, cookie[:cookieTime])) {
		return false
	}
	baked := time.Duration(binary.BigEndian.Uint64(cookie)) * time.Millisecond //nolint:gosec // signed: it is ours
	return baked <= at && at-baked <= cookieLife
}

// sign returns the HMAC of an address and a time.
func (c *cookies) sign(from netip.AddrPort, at []byte) []byte {
	m := hmac.New(sha256.New, c.key[:])
	m.Write(at)
	a := from.Addr().As16()
	m.Write(a[:])
	m.Write(binary.BigEndian.AppendUint16(nil, from.Port()))
	return m.Sum(nil)[:cookieMAC]
}
