package room_test

import (
	"bytes"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/fair"
	"holt/server/id"
	"holt/server/room"
	"holt/server/table"
	"holt/server/wire"
	"holt/server/wire/holtpb"
)

// witness is a player who contributes entropy.
type witness struct {
	*player
	entropy fair.Entropy
}

// contribute promises entropy to a mix.
func (w *witness) contribute(round fair.Round, mix fair.Mix, first byte) {
	w.t.Helper()
	w.entropy = fair.Entropy{first, byte(w.session.Seat)}
	hash := w.entropy.Commitment(w.session.Table, round, mix, w.session.Seat)
	w.up(&holtpb.Up{Up: &holtpb.Up_Commit{Commit: &holtpb.Commit{Round: uint32(round), Mix: uint32(mix), Hash: hash[:]}}})
}

// reveal tells it.
func (w *witness) reveal(round fair.Round, mix fair.Mix) {
	w.t.Helper()
	w.up(&holtpb.Up{Up: &holtpb.Up_Reveal{Reveal: &holtpb.Reveal{Round: uint32(round), Mix: uint32(mix), Entropy: w.entropy[:]}}})
}

// fairs returns the names of the facts that have come since the last call, in order.
func (p *player) fairs() (names []string) {
	p.t.Helper()
	for _, e := range p.events() {
		f := e.GetFair()
		switch {
		case f == nil:
		case f.GetOpened() != nil:
			names = append(names, "opened")
		case f.GetCommitted() != nil:
			names = append(names, "committed")
		case f.GetClosed() != nil:
			names = append(names, "closed")
		case f.GetRevealed() != nil:
			names = append(names, "revealed")
		case f.GetMixed() != nil:
			names = append(names, "mixed")
		case f.GetDrawn() != nil:
			names = append(names, "drawn")
		case f.GetTold() != nil:
			names = append(names, "told")
		}
	}
	return names
}
