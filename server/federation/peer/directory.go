package peer

import (
	"bytes"
	"cmp"

	"holt/server/id"
)

// maxStrangers is how many cards of hosts that are not linked a directory keeps. The oldest are
// dropped (O31).
const maxStrangers = 4096

// directory has the newest card of each host. It is a replicated set that merges as components do:
// the greater timestamp wins, of equal ones the greater bytes (C2, C3), in any order and any number
// of times (C4). It is not a crdt.Replica, for two reasons. An entity there is a number below 2⁵³,
// so that JavaScript can represent it, and a host has 64 bits of a hash. And there the last writer
// is believed, here the signer.
//
// It is not safe for concurrent use.
type directory struct {
	cards map[id.HostID]*known
}

// known is a card in the directory.
type known struct {
	card   Card
	signed []byte
}

func newDirectory() *directory { return &directory{cards: map[id.HostID]*known{}} }

// merge adds a signed card that has been read, and reports whether it is newer than the one that
// was known.
func (d *directory) merge(c Card, signed []byte) bool {
	host := c.Host()
	if k := d.cards[host]; k != nil &&
		cmp.Or(cmp.Compare(c.Timestamp, k.card.Timestamp), bytes.Compare(signed, k.signed)) <= 0 {
		return false
	}
	d.cards[host] = &known{card: c, signed: bytes.Clone(signed)}
	return true
}

// card returns the card of a host, and its signed form; false if none is known.
func (d *directory) card(host id.HostID) (Card, []byte, bool) {
	if k := d.cards[host]; k != nil {
		return k.card, k.signed, true
	}
	return Card{}, nil, false
}

// trim drops the oldest cards of hosts for which keep returns false, beyond maxStrangers, and
// returns these hosts. It does not drop the card of last, which has just come: an object needs it.
func (d *directory) trim(keep func(id.HostID) bool, last id.HostID) (gone []id.HostID) {
	for {
		var oldest *known
		strangers := 0
		for host, k := range d.cards {
			if keep(host) {
				continue
			}
			strangers++
			if host != last && (oldest == nil || cmp.Or(
				cmp.Compare(k.card.Timestamp, oldest.card.Timestamp),
				bytes.Compare(k.signed, oldest.signed)) < 0) {
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
