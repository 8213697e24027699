package room_test

import (
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// someone returns one of the two players that have cards.
func (g *twin) someone() *player { return []*player{g.ada, g.bob}[g.rnd.IntN(2)] }

// spot is a place on the table between the deck and the bag.
func (g *twin) spot() (x, y int32) { return g.rnd.Int32N(1800) - 900, g.rnd.Int32N(3000) - 1500 }

func (g *twin) draw() {
	p := g.ready(g.someone())
	u := p.blind(table.OpDraw, deck)
	u.Has, u.N = u.Has|table.HasN, 1+g.rnd.Int32N(2)
	p.mustSend(u)
}

func (g *twin) deal() {
	p := g.ready([]*player{g.ada, g.bob, g.dan}[g.rnd.IntN(3)])
	p.mustSend(p.blind(table.OpDeal, deck))
}

// lay makes dan draw a card and lay it on the table without a look at it.
func (g *twin) lay() {
	p := g.ready(g.dan)
	u := p.blind(table.OpDraw, deck)
	u.X, u.Y = g.spot()
	u.Has |= table.HasXY
	if g.rnd.IntN(2) == 0 {
		u.Has |= table.HasHold
	}
	p.mustSend(u)
	p.frames()
	for _, q := range p.sight.all(func(q *holtpb.Piece) bool {
		return q.GetHolder() == uint32(p.session.Seat)
	}) {
		x, y := g.spot()
		p.mustSend(p.put(id.Piece(q.GetId()), x, y))
	}
}

// playHidden makes somebody play one of their plain cards front down. Ada plays another one in each
// game.
func (g *twin) playHidden() {
	p := g.ready(g.someone())
	cards := slices.DeleteFunc(p.hand(isPlain), pocketed)
	k := g.rnd.IntN(plains)
	x, y := g.spot()
	if len(cards) == 0 {
		return
	}
	if p == g.ada && g.other {
		k++
	}
	c := id.Piece(cards[k%len(cards)].GetId())
	p.mustSend(p.flip(c, 1), p.make(table.OpGrab, c))
	p.carries(0, x/2, y/2, c)
	down := p.put(c, x, y) // nobody knows how it lay in the hand
	down.Has, down.Angle = down.Has|table.HasAngle, 0
	p.mustSend(down)
	p.frames()
	g.plain[p.name(c)] = true
}

// playOpen makes somebody play a royal card front up.
func (g *twin) playOpen() {
	p := g.ready(g.someone())
	x, y := g.spot()
	if cards := p.hand(isRoyal); len(cards) > 0 {
		c := cards[0]
		for _, o := range cards {
			if o.GetKind() < c.GetKind() {
				c = o
			}
		}
		p.mustSend(p.flip(id.Piece(c.GetId()), 0), p.move(id.Piece(c.GetId()), x, y))
	}
}

// lies returns one of the cards that lie front down; 0 if there is none.
func (g *twin) lies(p *player) id.Piece {
	k, all := g.rnd.IntN(100), p.lying()
	if len(all) == 0 {
		return 0
	}
	return id.Piece(all[k%len(all)].GetId())
}

func (g *twin) rearrange() {
	p := g.ready([]*player{g.bob, g.dan}[g.rnd.IntN(2)])
	x, y := g.spot()
	if c := g.lies(p); c != 0 {
		p.mustSend(p.move(c, x, y), p.turn(c, g.rnd.Int32N(36_000)))
	}
}

// take makes somebody take a card that lies front down into their hand.
func (g *twin) take() {
	p, y := g.ready(g.ada), northY
	if g.rnd.IntN(2) == 0 {
		p, y = g.ready(g.bob), southY
	}
	x := g.rnd.Int32N(1000) - 500
	if c := g.lies(p); c != 0 {
		delete(g.plain, c)
		p.mustSend(p.move(c, x, y))
	}
}

// stowBack brings a card back into the deck.
func (g *twin) stowBack() {
	at := g.rnd.Int32N(3) - 1
	if g.rnd.IntN(2) == 0 {
		p := g.ready(g.dan)
		if c := g.lies(p); c != 0 {
			delete(g.plain, c)
			p.mustSend(p.stow(c, deck, at))
		}
		return
	}
	p := g.ready(g.ada)
	if cards := slices.DeleteFunc(p.hand(isPlain), pocketed); len(cards) > 0 {
		c := id.Piece(cards[0].GetId())
		// Her random numbers depend on what she has rolled in her pouch, so the deck is shuffled.
		if at == 0 {
			p.mustSend(p.stow(c, deck, at))
			g.pause()
			g.bob.mustSend(g.bob.blind(table.OpShuffle, deck))
			return
		}
		// Somebody has carried the deck away.
		if d := p.sight.pieces[p.name(deck)]; d.GetX() != deckX || d.GetY() != 0 {
			p.mustSend(p.stow(c, deck, at))
			return
		}
		p.mustSend(p.make(table.OpGrab, c), p.put(c, deckX, 0))
	}
}

// shuffleSomething makes somebody shuffle or cut the deck, or shuffle plain cards that lie on the
// table.
func (g *twin) shuffleSomething() {
	p := []*player{g.ada, g.bob, g.dan}[g.rnd.IntN(3)]
	// The randomness of a guest set's deck depends on the sequence of the update, and ada has other
	// sequences in each game.
	if g.guest && p == g.ada {
		p = g.bob
	}
	p = g.ready(p)
	var lying []id.Piece
	for _, c := range names(p.lying()) {
		if g.plain[c] {
			lying = append(lying, c)
		}
	}
	switch n := g.rnd.IntN(3); {
	case n == 0:
		p.mustSend(p.blind(table.OpShuffle, deck))
	case n == 1:
		p.mustSend(p.blind(table.OpCut, deck))
	case len(lying) >= table.MinShuffle:
		p.mustSend(p.shuffleOf(lying))
	}
}

// recall brings the cards back. Their order is hidden, so the deck is shuffled.
func (g *twin) recall() {
	if g.rnd.IntN(3) == 0 {
		p := g.someone()
		if g.guest && p == g.ada {
			p = g.bob
		}
		p = g.ready(p)
		p.mustSend(p.blind(table.OpRecall, deck), p.blind(table.OpShuffle, deck))
		clear(g.plain)
	}
}

// look makes ada look into the deck, or show bob a card.
func (g *twin) look() {
	p := g.ready(g.ada)
	if g.rnd.IntN(2) == 0 {
		u := p.blind(table.OpPeek, deck)
		u.Has, u.N = u.Has|table.HasN, 2
		p.mustSend(u)
		return
	}
	if cards := p.hand(isPlain); len(cards) > 0 {
		c := id.Piece(cards[0].GetId())
		p.mustSend(p.flip(c, 0))
		u := p.blind(table.OpShow, c)
		u.Has, u.Seat = u.Has|table.HasSeat, g.bob.session.Seat
		p.mustSend(u)
	}
}

// write makes somebody write on a token, or on a card that lies front down.
func (g *twin) write() {
	p := g.ready([]*player{g.ada, g.bob, g.dan}[g.rnd.IntN(3)])
	on := []id.Piece{tokenLeft, tokenRight, g.lies(p)}[g.rnd.IntN(3)]
	op := put(schema.EntityOfPiece(on), schema.Label, 1+g.rnd.Uint32N(200),
		text(fmt.Sprint("what ", g.rnd.IntN(100))))
	if on != 0 {
		p.operate(op)
	}
}

// drag makes somebody carry a token about.
func (g *twin) drag() {
	p := g.ready([]*player{g.ada, g.bob, g.dan}[g.rnd.IntN(3)])
	token := []id.Piece{tokenLeft, tokenRight}[g.rnd.IntN(2)]
	p.mustSend(p.make(table.OpGrab, token))
	for range 1 + g.rnd.IntN(3) {
		p.carries(0, g.rnd.Int32N(1000), 3000, token)
		<-time.After(time.Duration(g.rnd.IntN(50_000)) * time.Microsecond)
		if g.other {
			g.ada.now()
			g.meddle(true)
		}
	}
	p.mustSend(p.put(token, g.rnd.Int32N(1000), 3000))
	if g.rnd.IntN(4) == 0 {
		p.mustSend(p.pivot(token, g.rnd.Int32N(1000), 3000, 1500*g.rnd.Int32N(24)))
	}
}

func (g *twin) point() {
	p := []*player{g.ada, g.bob, g.dan, g.eve}[g.rnd.IntN(4)]
	for range 1 + g.rnd.IntN(3) {
		p.points(0, g.rnd.Int32N(1000), 3000)
		<-time.After(time.Duration(g.rnd.IntN(30_000)) * time.Microsecond)
	}
}

// comeBack makes somebody lose the connection and come back, with or without a resumed stream.
func (g *twin) comeBack() {
	name := []string{"bob", "dan", "eve", "eva"}[g.rnd.IntN(4)]
	p := g.who[name]
	p.now()
	p.cut()
	g.ready(g.ada)
	if g.rnd.IntN(2) == 0 {
		g.drag()
	}
	h := room.Hello{Client: p.id, Epoch: p.epoch, Version: p.version}
	if g.rnd.IntN(3) == 0 {
		h.Version, h.Seq = 0, 1
	}
	p.come(h)
	g.lines[name] = append(g.lines[name], p.line)
}

// read makes somebody read the table without a stream.
func (g *twin) read() {
	g.ready(g.ada)
	name := []string{"bob", "dan", "eve"}[g.rnd.IntN(3)]
	f, err := g.rooms.Read(g.t.Context(), g.who[name].session)
	if err != nil {
		g.t.Fatal(err)
	}
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(f)
	if err != nil {
		g.t.Fatal(err)
	}
	g.reads[name] = append(g.reads[name], receivedFrame{time.Since(g.start), raw})
}

// restart stops and starts the server; everybody comes back.
func (g *twin) restart() {
	if g.rnd.IntN(4) != 0 {
		return
	}
	g.ready(g.ada)
	g.stop()
	g.rig.start()
	for _, name := range []string{"ada", "tab", "bob", "dan", "eve", "eva"} {
		p := g.who[name]
		p.now()
		p.come(room.Hello{Client: p.id, Epoch: p.epoch, Version: p.version, Seq: 1})
		g.lines[name] = append(g.lines[name], p.line)
	}
}

// idle lets time pass.
func (g *twin) idle() {
	g.ready(g.ada)
	<-time.After(time.Duration(1+g.rnd.IntN(20)) * time.Second)
}

// forge makes somebody try what they may not do to a piece that they do not see, by a name that
// they can only guess. In one of the games such a piece may exist, in the other it does not.
func (g *twin) forge() {
	p := g.ready([]*player{g.bob, g.dan}[g.rnd.IntN(2)])
	name := table.MinRandomName + id.Piece(g.rnd.IntN(1<<20))
	if g.other {
		if cards := g.ada.hand(anyCard); len(cards) > 0 {
			name = id.Piece(cards[0].GetId())
		}
	}
	guess := [][]table.Update{
		{p.flip(name, 0)}, {p.make(table.OpGrab, name)}, {p.make(table.OpCopy, name)},
		{p.blind(table.OpPeek, name)},
		{p.blind(table.OpShow, name)}, {p.stow(name, deck, 1)},
		{p.shuffleOf([]id.Piece{name, tokenLeft})},
	}[g.rnd.IntN(7)]
	if guess[0].Op == table.OpCopy {
		guess[0].Has |= table.HasXY
	}
	if guess[0].Op == table.OpShow {
		guess[0].Has, guess[0].Seat = guess[0].Has|table.HasSeat, p.session.Seat
	}
	if err := p.send(guess...); err != nil {
		g.t.Errorf("a guess is refused: %v", err)
	}
	p.carries(0, 1, 1, name)
	if slices.ContainsFunc(p.frames(), func(f *holtpb.Frame) bool {
		return len(f.GetEvents()) == 0 && f.GetMark() == 0
	}) {
		g.t.Error("a frame without contents")
	}
}

// pocketed reports whether a card of ada's lies in her pouch.
func pocketed(q *holtpb.Piece) bool { return q.GetX() < pouchX/2 }

// shift makes ada move her hand a little.
func (g *twin) shift() {
	p := g.ready(g.ada)
	p.mustSend(p.move(handNorth, g.rnd.Int32N(200)-100, northY+g.rnd.Int32N(100)-50))
}

// pocket makes ada put a card from her hand into her pouch, or another one back.
func (g *twin) pocket() {
	p := g.ready(g.ada)
	cards := p.hand(isPlain)
	in, out := slices.IndexFunc(cards, pocketed),
		slices.IndexFunc(cards, func(q *holtpb.Piece) bool { return !pocketed(q) })
	switch {
	case g.rnd.IntN(2) == 0 && in >= 0:
		p.mustSend(p.move(id.Piece(cards[in].GetId()), 0, northY))
	case out >= 0:
		p.mustSend(p.move(id.Piece(cards[out].GetId()), pouchX, northY))
	}
}

func (g *twin) roll() {
	p := g.ready(g.bob)
	p.mustSend(p.blind(table.OpRoll, openDie))
}

func (g *twin) turnOver() {
	p := g.ready(g.bob)
	p.mustSend(p.make(table.OpTurn, openGlass))
}
