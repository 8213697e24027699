package web

import (
	"net/netip"
	"testing"
)

// TestUploadsAtOnce shows how many files go one way at a time: one for each address, and four for
// all of them. Uploads and fetched files are counted in the same way, each for themselves.
func TestUploadsAtOnce(t *testing.T) {
	u := uploads{from: map[netip.Addr]bool{}}
	address := func(n byte) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, n}) }
	ends := make([]func(), uploadsAtOnce)
	for i := range ends {
		end, ok := u.begin(address(byte(i)))
		if !ok {
			t.Fatalf("file %d is refused", i)
		}
		ends[i] = end
		if _, ok := u.begin(address(byte(i))); ok {
			t.Errorf("a second file of address %d is admitted", i)
		}
	}
	if _, ok := u.begin(address(100)); ok {
		t.Error("one file too many is admitted")
	}
	ends[0]()
	if _, ok := u.begin(address(100)); !ok {
		t.Error("there is room again, but a file is refused")
	}
}
