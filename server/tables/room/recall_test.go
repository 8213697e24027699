package room_test

import (
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// inDeck returns how many cards lie in the deck.
func (p *player) inDeck() uint32 {
	p.t.Helper()
	for _, h := range p.reopenForFull().GetHolds() {
		if id.Piece(h.GetPiece()) == deck {
			var n uint32
			for _, count := range h.GetCounts() {
				n += count
			}
			return n
		}
	}
	return 0
}

func TestRecall(t *testing.T) {
	allow := func(players bool, timestamp uint32) crdt.Op {
		return put(schema.TheTable, schema.Recall, timestamp, &componentpb.Recall{Players: players})
	}
	atCards(t).Run("T30.33 a host lets players recall from all hands, also after a restart",
		func(t *testing.T, r *rig) {
			p := r.party()
			all := p.bob.inDeck()
			lie := func(want uint32, why string) {
				t.Helper()
				if n := p.bob.inDeck(); n != want {
					t.Errorf("%s: %d cards lie in the deck, want %d", why, n, want)
				}
			}
			p.ada.mustSend(p.ada.draw(2))
			p.bob.mustSend(p.bob.blind(table.OpRecall, deck))
			lie(all-2, "only hosts may")
			p.bob.mayNot(holtpb.Refusal_REFUSAL_NOT_ALLOWED, allow(true, 1))
			p.bob.mustSend(p.bob.blind(table.OpRecall, deck))
			lie(all-2, "a player cannot allow it")

			p.ada.operate(allow(true, 1))
			p.bob.mustSend(p.bob.blind(table.OpRecall, deck))
			lie(all, "allowed")
			p.ada.mustSend(p.ada.draw(2))
			lie(all-2, "drawn again")
			r.stop()
			r.start()
			ada, bob := r.open(r.host.Session), r.open(p.bob.session)
			bob.events()
			bob.mustSend(bob.blind(table.OpRecall, deck))
			if n := bob.inDeck(); n != all {
				t.Errorf("after a restart %d cards lie in the deck, want %d", n, all)
			}
			ada.events()
			ada.operate(allow(false, 2))
			ada.mustSend(ada.draw(2))
			bob.mustSend(bob.blind(table.OpRecall, deck))
			if n := bob.inDeck(); n != all-2 {
				t.Errorf("no longer allowed: %d cards lie in the deck, want %d", n, all-2)
			}
		})
}
