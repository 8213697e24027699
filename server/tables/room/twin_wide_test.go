package room_test

import (
	"fmt"
	"strings"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// Wide twins do more than others. Ada rolls, splits, merges and writes behind her screen, and stows
// her cards at another place in each game. The others carry the deck into hands, fill the space for
// components, and share hands and give them away.

func (g *twin) wideActs() []act {
	return []act{
		{"carry the deck", g.carryDeck}, {"stow", g.stowSomewhere}, {"label", g.label},
		{"share", g.share}, {"ask", g.ask},
		{"bag", g.bagged}, {"ping", g.ping}, {"commit", g.openRound}, {"peek at a card", g.peekAt},
	}
}

// carryDeck makes somebody carry the deck into bob's hand, or back.
func (g *twin) carryDeck() {
	p := g.ready([]*player{g.bob, g.dan}[g.rnd.IntN(2)])
	x, y := deckX, []int32{0, southY}[g.rnd.IntN(2)]
	p.mustSend(p.move(deck, x, y))
}

// stowSomewhere makes ada stow one of her plain cards, in each game at another place, before the
// deck is shuffled.
func (g *twin) stowSomewhere() {
	p := g.ready(g.ada)
	at := g.rnd.Int32N(3) - 1
	if g.other {
		at = g.secret.Int32N(3) - 1
	}
	for _, c := range p.hand(isPlain) {
		if pocketed(c) {
			continue
		}
		p.mustSend(p.stow(id.Piece(c.GetId()), deck, at))
		g.pause()
		g.bob.mustSend(g.bob.blind(table.OpShuffle, deck))
		return
	}
}

// label makes bob write long remarks on what everybody sees, or on a card of his hand, or delete
// them.
func (g *twin) label() {
	p := g.ready(g.bob)
	on := []id.Piece{tokenLeft, tokenRight, openDie, 0}[g.rnd.IntN(4)]
	long := strings.Repeat("x", g.rnd.IntN(1000))
	if cards := p.hand(anyCard); on == 0 && len(cards) > 0 {
		on = id.Piece(cards[0].GetId())
	}
	e, at := schema.EntityOfPiece(on), 1+g.rnd.Uint32N(200)
	switch {
	case on == 0:
	case g.rnd.IntN(4) == 0:
		p.operate(crdt.Op{Kind: crdt.Delete, Entity: e, Component: schema.Remark, Timestamp: at})
	default:
		p.operate(put(e, schema.Remark, at, text(long)),
			put(e, schema.Tint, at, &componentpb.Tint{Colour: g.rnd.Uint32N(1 << 24)}))
	}
}

// share makes bob share his hand with dan, or stop sharing it.
func (g *twin) share() {
	p := g.ready(g.bob)
	u := p.blind([]table.Op{table.OpShare, table.OpUnshare, table.OpUnshare}[g.rnd.IntN(3)],
		handSouth)
	u.Has, u.Seat = u.Has|table.HasSeat, g.dan.session.Seat
	p.mustSend(u)
}

// ask makes somebody ask what lies at a place. What is hidden there must not show.
func (g *twin) ask() {
	p := g.ready([]*player{g.bob, g.dan}[g.rnd.IntN(2)])
	x, y := []int32{0, pouchX, deckX}[g.rnd.IntN(3)], []int32{0, northY}[g.rnd.IntN(2)]
	self := schema.EntityOfSeat(p.session.Seat)
	at := 1 + g.rnd.Uint32N(200)
	p.operate(put(self, schema.HitTest, at, &componentpb.HitTest{X: x, Y: y}),
		put(schema.EntityOfPiece(openDie), schema.Roll, at, &componentpb.Roll{}))
}

// bagged makes somebody put a die into the bag, take a piece out, or recall all.
func (g *twin) bagged() {
	p := g.ready([]*player{g.bob, g.dan}[g.rnd.IntN(2)])
	switch g.rnd.IntN(3) {
	case 0:
		if p.sight.pieces[openDie] != nil && p.sight.pieces[openDie].GetHolder() == 0 {
			p.mustSend(p.stow(openDie, bag, g.rnd.Int32N(3)-1))
		}
	case 1:
		out := p.blind(table.OpDraw, bag)
		out.Has, out.X, out.Y = out.Has|table.HasXY, 0, 3500
		p.mustSend(out)
	default:
		p.mustSend(p.blind(table.OpRecall, bag))
	}
}

// ping makes somebody show a place to everybody.
func (g *twin) ping() {
	p := g.ready([]*player{g.bob, g.dan}[g.rnd.IntN(2)])
	ping := schema.Encode(&componentpb.Ping{
		Seat: uint32(p.session.Seat), X: 1, Y: 2, Time: uint64(g.clock.now()),
	})
	p.operate(crdt.Op{
		Kind: crdt.Append, Entity: schema.TheTable, Component: schema.Ping,
		Timestamp: g.rnd.Uint32N(100), Data: ping,
	})
}

// openRound makes ada open a round of randomness.
func (g *twin) openRound() {
	p := g.ready(g.ada)
	if _, err := g.rooms.OpenRound(g.t.Context(), p.session); err != nil {
		g.t.Errorf("no round is opened: %v", err)
	}
	<-time.After(2 * time.Second) // seeds are revealed at whole seconds
}

// peekAt makes ada look at a card that lies front down.
func (g *twin) peekAt() {
	p := g.ready(g.ada)
	if c := g.lies(p); c != 0 {
		p.mustSend(p.blind(table.OpPeek, c))
	}
}

// meddleWide makes ada do something that nobody else may notice.
func (g *twin) meddleWide(c id.Piece, others bool) {
	p, send := g.ada, g.ada.mustSend
	e, at := schema.EntityOfPiece(c), 1+g.secret.Uint32N(200)
	switch n := g.secret.IntN(8); {
	case n < 2: // much more than a frame has of other things
		p.operate(put(e, schema.Remark, at, text(strings.Repeat("y", g.secret.IntN(1000)))),
			put(e, schema.Label, at, text(fmt.Sprint("l", g.secret.IntN(9)))))
	case n < 3:
		p.operate(crdt.Op{Kind: crdt.Delete, Entity: e, Component: schema.Remark, Timestamp: at})
	case n < 5:
		g.splitChips()
	case n < 6:
		send(p.blind(table.OpRoll, pouchDie), p.flip(pouchDie, g.secret.Int32N(6)))
	case n < 7 && others:
		g.tab.now()
		stale := g.tab.make(table.OpLower, c)
		send(p.make(table.OpRaise, c))
		g.tab.mustSend(stale)
	default:
		send(p.make(table.OpLower, c), p.make(table.OpLower, c))
	}
}

// splitChips makes ada take some chips off a heap in her pouch, or put back what she has taken.
func (g *twin) splitChips() {
	p := g.ada
	mine := func(q *holtpb.Piece) bool {
		return q.GetKind() == cardsChips && q.GetOwner() == uint32(p.session.Seat)
	}
	all := p.sight.all(mine)
	for _, q := range all {
		if q.GetHolder() != 0 {
			p.mustSend(p.put(id.Piece(q.GetId()), q.GetX(), q.GetY()))
			return
		}
	}
	if len(all) > 0 {
		u := p.blind(table.OpSplit, id.Piece(all[0].GetId()))
		u.Has, u.N, u.X, u.Y = u.Has|table.HasN|table.HasXY|table.HasHold, 1, all[0].GetX(),
			all[0].GetY()
		p.mustSend(u)
	}
}
