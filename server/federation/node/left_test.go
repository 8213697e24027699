package node

import (
	"testing"

	"holt/server/id"
)

// TestLeft shows when another host has left for good.
func TestLeft(t *testing.T) {
	const days90 id.Millis = 90 * 24 * 60 * 60 * 1000
	host := id.HostID{7}
	// at returns a host at a time that the test sets.
	at := func(now *id.Millis) *Objects {
		w := &Objects{cfg: Config{Now: func() id.Millis { return *now }}}
		w.heard, w.met = map[id.HostID]id.Millis{}, map[id.HostID]id.Millis{}
		w.up, w.made = map[id.HostID]bool{}, map[id.HostID]*quota{}
		w.store = &overlay{fresh: map[place][]byte{}}
		return w
	}
	t.Run("O28.2 a linked host has left for good after 90 days of silence", func(t *testing.T) {
		now := id.Millis(1_000_000)
		w := at(&now)
		w.heardFrom(host)
		begun := now
		if now = begun + days90; w.left(host, true) {
			t.Error("it has left after 90 days to the millisecond")
		}
		if now = begun + days90 + 1; !w.left(host, true) {
			t.Error("it has not left after more than 90 days")
		}
		if w.up[host] = true; w.left(host, true) {
			t.Error("it has left, and has a connection")
		}
	})
	t.Run("O28.3 without a link the 90 days begin when a round meets the host", func(t *testing.T) {
		now := id.Millis(1_000_000)
		w := at(&now)
		if now += 2 * days90; w.left(host, false) {
			t.Error("a host that no round has met has left")
		}
		w.meet([]id.HostID{host})
		begun := now
		now = begun + days90/2
		w.meet([]id.HostID{host}) // a later round
		if now = begun + days90; w.left(host, false) {
			t.Error("it has left after 90 days to the millisecond")
		}
		if now = begun + days90 + 1; !w.left(host, false) {
			t.Error("it has not left after more than 90 days")
		}
	})
}
