package endpoint

import (
	"net/netip"
	"testing"
	"time"
)

func TestCookies(t *testing.T) {
	c, from := newCookies(), netip.MustParseAddrPort("192.0.2.7:4711")
	const at = 3 * time.Minute
	cookie := c.bake(from, at)
	t.Run("D18.6 a cookie is valid for its address for 10 s", func(t *testing.T) {
		for _, after := range []time.Duration{0, time.Second, 10 * time.Second} {
			if !c.good(cookie, from, at+after) {
				t.Errorf("not valid after %v", after)
			}
		}
		if c.good(cookie, from, at+10*time.Second+time.Millisecond) {
			t.Error("valid after its time")
		}
		if c.good(cookie, from, at-time.Millisecond) {
			t.Error("valid before its time")
		}
	})
	t.Run("D18.5 but not for another address, port or server", func(t *testing.T) {
		for _, other := range []string{"192.0.2.7:4712", "192.0.2.8:4711", "[2001:db8::1]:4711"} {
			if c.good(cookie, netip.MustParseAddrPort(other), at) {
				t.Errorf("valid for %s", other)
			}
		}
		if newCookies().good(cookie, from, at) {
			t.Error("valid for another server")
		}
	})
	t.Run("D18.5 a changed or truncated cookie is invalid", func(t *testing.T) {
		for bit := range 8 * len(cookie) {
			forged := append([]byte(nil), cookie...)
			forged[bit/8] ^= 1 << (bit % 8)
			if c.good(forged, from, at) {
				t.Errorf("valid with bit %d flipped", bit)
			}
		}
		for n := range cookie {
			if c.good(cookie[:n], from, at) {
				t.Errorf("valid with %d bytes", n)
			}
		}
	})
}

func TestDoor(t *testing.T) {
	a, b := netip.MustParseAddr("192.0.2.7"), netip.MustParseAddr("192.0.2.8")
	t.Run("D18.11 an address has its bound, and does not keep others out", func(t *testing.T) {
		d := newAdmission(Bounds{Connections: 5, PerAddress: 3, PerSecond: 100})
		for i := range 5 {
			if d.enter(a) != (i < 3) {
				t.Errorf("entry %d", i)
			}
		}
		if !d.enter(b) {
			t.Error("another address is kept out")
		}
		d.leave(a)
		if !d.enter(a) {
			t.Error("there is room again, and nobody may enter")
		}
	})
	t.Run("D18 all addresses together have a bound", func(t *testing.T) {
		d := newAdmission(Bounds{Connections: 2, PerSecond: 100})
		if !d.enter(a) || !d.enter(b) || d.enter(b) || d.inside() != 2 {
			t.Errorf("%d are inside", d.inside())
		}
	})
	t.Run("D18.11 a rate is per IPv6 customer, not per address", func(t *testing.T) {
		d := newAdmission(Bounds{PerSecond: 1})
		in := 0
		for i := range 100 {
			if d.enter(netip.AddrFrom16([16]byte{0x20, 0x01, 0x0d, 0xb8, 15: byte(i)})) {
				in++
			}
		}
		if in < burstOf || in > burstOf+2 {
			t.Errorf("%d of 100 have entered at once", in)
		}
	})
	t.Run("D18 addresses that have left are forgotten when there are too many", func(t *testing.T) {
		d := newAdmission(Bounds{Connections: 10})
		for i := range 3 * maxIdleAddresses {
			from := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
			if d.enter(from) && i%1000 > 0 {
				d.leave(from)
			}
		}
		if n := len(d.addresses); n > maxIdleAddresses+20 {
			t.Errorf("%d addresses are remembered", n)
		}
	})
}
