package web

import (
	"bytes"
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
)

// TestT108Bounds shows when files that come in parts are forgotten, and how many there may be.
// Clauses: T108.5, T108.6
func TestT108Bounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all arrivals
		wait := func(d time.Duration) { <-time.After(d) }
		from := func(n int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, 0, byte(n)}) }
		who := func(n int) seatKey { return seatKey{seat: id.Seat(n)} }
		begin := func(seat, address int) (string, bool) {
			return all.begin(who(seat), from(address), blockSize*3)
		}
		is := func(seat int, name string) bool {
			return all.of(who(seat), name, func(*arrival) {})
		}
		one, _ := begin(1, 1)
		wait(arrivalIdle - time.Second)
		if err := all.read(who(1), one, 0, bytes.NewReader(make([]byte, blockSize))); err != nil {
			t.Error(err)
		}
		wait(arrivalIdle - time.Second)
		if !is(1, one) {
			t.Error("T108.5 it is forgotten though a part came")
		}
		wait(arrivalIdle + time.Second)
		if is(1, one) || len(all.byID) > 0 || all.came != 0 {
			t.Errorf("T108.5 it is kept: %d files, %d bytes", len(all.byID), all.came)
		}
		one, _ = begin(1, 1)
		for range int(arrivalLife/time.Minute) + 1 {
			wait(time.Minute)
			all.of(who(1), one, func(*arrival) {})
		}
		if is(1, one) || len(all.byID) > 0 {
			t.Error("T108.5 it is kept for ever")
		}
		n := 0
		for ; n < 100; n++ {
			if _, ok := begin(n, 1); !ok {
				break
			}
		}
		if n != arrivalsFrom {
			t.Errorf("T108.6 %d are taken from an address", n)
		}
		for ; n < 100; n++ {
			if _, ok := begin(n, n); !ok {
				break
			}
		}
		if n != arrivalsAll {
			t.Errorf("T108.6 %d are taken in all", n)
		}
		if _, ok := begin(5, 5); !ok {
			t.Error("T108.6 a seat cannot begin again")
		}
		last, _ := begin(5, 5)
		all.came = arrivalsBytes - 1
		two := bytes.NewReader(make([]byte, 2))
		if err := all.read(who(5), last, 0, two); !errors.Is(err, errNoRoom) {
			t.Errorf("T108.6 there is room for more: %v", err)
		}
		all.came = 0
		for _, a := range all.byID {
			a.idle.Stop()
		}
	})
}
