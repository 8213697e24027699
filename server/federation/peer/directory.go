package peer

import (
	"bytes"
	"cmp"

	"holt/server/id"
)

// maxStrangers is how many cards of hosts that are not linked are known at most. The oldest goes.
const maxStrangers = 4096

// directory is what is known of hosts: the newest card of each. It is a replicated set that merges as components do: the greater
// timestamp wins, of equal ones the greater bytes (C2, C3), in any order and any number of times (C4). It is no crdt.Replica: an entity there is a number below 2⁵³, so
// that JavaScript holds it, and a host has 64 bits of a hash; and there whoever wrote last is believed, here whoever has signed.
//
// It is not safe for concurrent use.
type directory struct {
	cards map[id.GWID]*known
}

// known is a card in the directory.
type known struct {
	card   Card
	signed []byte
}

func newDirectory() *directory { return &directory{cards: map[id.GWID]*known{}} }

// merge takes a signed card that has been read, and reports whether it is newer than what is known.
func (d *directory) merge(c Card, signed []byte) bool {
	host := c.Host()
	if k := d.cards[host]; k != nil && cmp.Or(cmp.Compare(c.Timestamp, k.card.Timestamp), bytes.Compare(signed, k.signed)) <= 0 {
		return false
	}
	d.cards[host] = &known{card: c, signed: bytes.Clone(signed)}
	return true
}

// card returns what is known of a host.
func (d *directory) card(host id.GWID) (Card, []byte, bool) {
	if k := d.cards[host]; k != nil {
		return k.card, k.signed, true
	}
	return Card{}, nil, false
}

// trim forgets the oldest cards of hosts that are not to be kept, beyond maxStrangers, and returns whose they were.
func (d *directory) trim(keep func(id.GWID) bool) (gone []id.GWID) {
	for {
		var oldest *known
		strangers := 0
		for host, k := range d.cards {
			if keep(host) {
				continue
			}
			strangers++
			if oldest == nil || cmp.Or(cmp.Compare(k.card.Timestamp, oldest.card.Timestamp), bytes.Compare(k.signed, oldest.signed)) < 0 {
				oldest = k
			}
		}
		if strangers <= maxStrangers {
			return gone
		}
		gone = append(gone, oldest.card.Host())
		delete(d.cards, oldest.card.Host())
	}
}
