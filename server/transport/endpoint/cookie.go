package endpoint

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"time"
)

// cookieLife is how long a cookie is valid (D18).
const cookieLife = 10 * time.Second

// Sizes of the parts of a cookie, in bytes: when it was made, in milliseconds since the server
// began, and the first half of an HMAC-SHA256.
const (
	cookieTime = 8
	cookieMAC  = 16
	cookieSize = cookieTime + cookieMAC
)

// cookies proves that a client receives at its address, without keeping anything about it (D18). It
// is safe for concurrent use.
type cookies struct {
	key [sha256.Size]byte
}

// newCookies makes a random key, so cookies of another run of the server are not valid here.
func newCookies() *cookies {
	c := new(cookies)
	_, _ = rand.Read(c.key[:]) // it never fails
	return c
}

// bake returns the cookie of an address. at is the time since the server began.
func (c *cookies) bake(from netip.AddrPort, at time.Duration) []byte {
	//nolint:gosec // not negative
	b := binary.BigEndian.AppendUint64(make([]byte, 0, cookieSize), uint64(at.Milliseconds()))
	return append(b, c.sign(from, b)...)
}

// good reports whether a cookie was made for an address, at most cookieLife before at.
func (c *cookies) good(cookie []byte, from netip.AddrPort, at time.Duration) bool {
	if len(cookie) != cookieSize ||
		!hmac.Equal(cookie[cookieTime:], c.sign(from, cookie[:cookieTime])) {
		return false
	}
	//nolint:gosec // it is signed, so we made it
	baked := time.Duration(binary.BigEndian.Uint64(cookie)) * time.Millisecond
	return baked <= at && at-baked <= cookieLife
}

// sign returns the HMAC of an address and a time, of cookieMAC bytes.
func (c *cookies) sign(from netip.AddrPort, at []byte) []byte {
	m := hmac.New(sha256.New, c.key[:])
	m.Write(at)
	a := from.Addr().As16()
	m.Write(a[:])
	m.Write(binary.BigEndian.AppendUint16(nil, from.Port()))
	return m.Sum(nil)[:cookieMAC]
}
