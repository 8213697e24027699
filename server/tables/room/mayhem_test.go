package room_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

var mayhemSeed = flag.Uint64("mayhemseed", 0, "seed of TestMayhem; 0: 1 and 2")

// TestMayhem plays random games of cards in which everybody does anything, to pieces that they see
// and to others. Each viewer has a recorder, and a checker that knows the truth reads all that is
// recorded.
func TestMayhem(t *testing.T) {
	seeds := []uint64{*mayhemSeed}
	if *mayhemSeed == 0 {
		seeds = []uint64{1, 2}
	}
	met, ran := map[string]int{}, 0
	for _, seed := range seeds {
		for _, guest := range []bool{false, true} {
			name := "T15, T21, T22, T23.10, T29, T31 nobody ever gets what is hidden from them"
			if guest {
				name = "T37, T38, T39, T40, T41 nor what a guest is, and neither does the server"
			}
			atCards(t).seeded(seed).Run(name, func(t *testing.T, r *rig) {
				ran++
				t.Logf("-run TestMayhem -mayhemseed %d", seed)
				g := newMayhem(r, seed)
				if g.guest = guest; guest {
					g.makeGuestSet(g.players[0], g.players[1:]...)
				}
				for range 1000 {
					g.act()
					g.check()
					if t.Failed() {
						t.FailNow()
					}
				}
				for what, n := range g.checker.met {
					met[what] += n
				}
			})
		}
	}
	t.Log(met)
	for _, what := range []string{
		"frames", "hidden", "whole", "parts", "gone", "holds", "notices", "faces", "revealed",
		"forgotten", "sets",
	} {
		if met[what] < 10 && len(seeds) > 1 && ran == 2*len(seeds) { // -run may leave some out
			t.Errorf("the games have %d of %s: too few", met[what], what)
		}
	}
}

// mayhem is such a game.
type mayhem struct {
	*rig
	rnd     *mathrand.Rand
	checker *checker
	players []*player
	records map[*player]*recorder
	checked map[*memoryCarrier]int // frames that the checker has read
	invited int
	notes   int
	guest   bool // the deck is a guest set
}

func newMayhem(r *rig, seed uint64) *mayhem {
	g := &mayhem{
		rig: r, rnd: mathrand.New(mathrand.NewPCG(seed, 7)), checker: newChecker(r),
		records: map[*player]*recorder{}, checked: map[*memoryCarrier]int{},
	}
	bob, eve := r.seat(r.invites.Player, "Bob").Session, r.seat(r.invites.Spectator, "Eve").Session
	for _, s := range []room.Session{r.host.Session, r.host.Session, bob, bob, eve} {
		g.join(s)
	}
	g.check()
	return g
}

func (g *mayhem) join(s room.Session) {
	p := g.open(s)
	p.frames()
	g.players = append(g.players, p)
	g.records[p] = &recorder{
		who: fmt.Sprintf("seat %v, page %d,", s.Seat, len(g.players)), seat: s.Seat,
		received: map[string]int{},
	}
}

// check lets the checker read what was sent.
func (g *mayhem) check() {
	g.t.Helper()
	synctest.Wait()
	g.checker.learn()
	for _, p := range g.players {
		p.line.mu.Lock()
		raw := p.line.raw[g.checked[p.line]:]
		p.line.mu.Unlock()
		for _, b := range raw {
			g.checker.checkFrame(g.records[p], b)
		}
		g.checked[p.line] += len(raw)
	}
}

// act makes one thing happen.
func (g *mayhem) act() {
	p := g.players[g.rnd.IntN(len(g.players))]
	if g.rnd.IntN(3) > 0 {
		p.frames()
	}
	switch n := g.rnd.IntN(100); {
	case n < 4:
		g.check()
		p.cut()
		if g.rnd.IntN(2) == 0 {
			<-time.After(time.Duration(g.rnd.IntN(40)) * time.Second)
		}
		h := room.Hello{Client: p.id, Epoch: p.epoch, Version: p.version}
		if g.rnd.IntN(2) == 0 {
			h.Version, h.Seq = 0, 1
		}
		p.come(h)
	case n < 7:
		g.look(p)
	case n < 8:
		g.check()
		g.stop()
		g.start()
		for _, p := range g.players {
			p.come(room.Hello{Client: p.id, Epoch: p.epoch, Version: p.version, Seq: 1})
		}
	case n < 9 && g.invited < 3:
		g.invited++
		g.join(g.seat(g.invites.Player, "Cid").Session)
	case n < 12:
		p.points(0, g.rnd.Int32N(9000), 0)
	case n < 14 && g.guest:
		g.host(p)
	case p.session.Role == table.RoleSpectator:
	case n < 16:
		g.notes++
		on := g.piece(p, func(*holtpb.Piece) bool { return true })
		p.operate(put(schema.EntityOfPiece(on), schema.Label, 1+g.rnd.Uint32N(200),
			text(fmt.Sprintf("label %d of somebody", g.notes))))
	case n < 25:
		if all := p.sight.all(func(q *holtpb.Piece) bool {
			return q.GetHolder() == uint32(p.session.Seat)
		}); len(all) > 0 {
			p.carries(0, g.rnd.Int32N(9000)-4500, g.rnd.Int32N(11000)-5500, names(all)...)
		}
	case n < 50:
		g.box(p)
	default:
		g.handle(p)
	}
}

// host makes the owner of a set unreachable or reachable again, or makes somebody take a set off
// the table or put it there.
func (g *mayhem) host(p *player) {
	all := g.owner.Sets()
	set := all[g.rnd.IntN(len(all))]
	switch g.rnd.IntN(6) {
	case 0:
		g.owner.SetUnreachable(set, &room.Unreachable{
			Reason: table.AwayOwner, Until: g.clock.now() + id.Millis(g.rnd.IntN(60_000)),
		})
	case 1, 2:
		g.owner.SetUnreachable(set, nil)
		if err := g.rooms.SetChanged(
			g.t.Context(), room.SetEvent{Table: g.rig.host.Table, Set: set},
		); err != nil {
			g.t.Error(err)
		}
	case 3:
		if p.session.Role != table.RoleSpectator {
			g.try(p, p.take(g.piece(p, func(q *holtpb.Piece) bool {
				return q.GetSet() != 0 || q.GetKind() == cardsBag
			})))
		}
	default:
		if p.session.Role != table.RoleSpectator {
			g.try(p, p.place(set, deckX, g.rnd.Int32N(2000)))
		}
	}
}

// look makes somebody read the table; the checker reads that, too.
func (g *mayhem) look(p *player) {
	f, err := g.rooms.Read(g.t.Context(), p.session)
	if err != nil {
		g.t.Fatal(err)
	}
	g.check()
	g.checker.wantTruth(g.records[p].who, p.session.Seat, f.GetEvents()[0].GetFull())
	for _, e := range f.GetEvents() {
		g.checker.event(g.records[p], g.checker.view(p.session.Seat), e)
	}
}

// piece returns the name of a piece that looks so to somebody, and sometimes of any piece at all.
func (g *mayhem) piece(p *player, is func(*holtpb.Piece) bool) id.Piece {
	if g.rnd.IntN(6) == 0 {
		all := slices.Sorted(maps.Values(g.checker.names))
		return all[g.rnd.IntN(len(all))]
	}
	all := p.sight.all(is)
	if len(all) == 0 {
		return tokenLeft
	}
	return id.Piece(all[g.rnd.IntN(len(all))].GetId())
}

// box makes somebody do something to a hand or a container, or show a card.
func (g *mayhem) box(p *player) {
	kinds := func(of ...uint32) func(*holtpb.Piece) bool {
		return func(q *holtpb.Piece) bool {
			return q.GetKind() == of[0] || q.GetKind() == of[len(of)-1]
		}
	}
	hideable := func(q *holtpb.Piece) bool { return isCard(q.GetKind()) || q.GetKind() >= cardsDie }
	box, hand := g.piece(p, kinds(cardsDeck, cardsBag)), g.piece(p, kinds(cardsHand, cardsPouch))
	seat := 1 + id.Seat(g.rnd.IntN(len(g.checker.seats)))
	var u table.Update
	switch n := g.rnd.IntN(16); {
	case n < 3:
		u = p.count(table.OpDraw, box, 1+g.rnd.Int32N(3))
	case n < 5:
		u = p.drawOut(g.rnd.Int32N(9000)-4500, g.rnd.Int32N(11000)-5500)
		u.Piece = box
	case n < 6:
		u = p.count([]table.Op{table.OpDeal, table.OpCut}[g.rnd.IntN(2)], box, 1+g.rnd.Int32N(2))
	case n < 7:
		u = p.blind([]table.Op{table.OpRecall, table.OpShuffle}[g.rnd.IntN(2)], box)
		if g.rnd.IntN(4) == 0 {
			u = p.blind(table.OpRun, dealer)
		}
	case n < 9:
		u = p.count(table.OpPeek, []id.Piece{deck, g.piece(p, hideable)}[g.rnd.IntN(2)], 1)
	case n < 11:
		u = p.show(g.piece(p, hideable), seat)
	case n < 13:
		u = p.stow(g.piece(p, hideable), box, g.rnd.Int32N(3)-1)
	case n < 14:
		u = p.blind([]table.Op{table.OpClaim, table.OpClaim, table.OpLeave}[g.rnd.IntN(3)], hand)
	default:
		u = p.share(
			[]table.Op{table.OpShare, table.OpShare, table.OpUnshare, table.OpGive}[g.rnd.IntN(4)],
			seat)
		u.Piece = hand
	}
	g.try(p, u)
}

// handle makes somebody do something to a piece.
func (g *mayhem) handle(p *player) {
	everything := func(*holtpb.Piece) bool { return true }
	light := func(q *holtpb.Piece) bool { return q.GetKind() >= cardsToken }
	c := g.piece(p, light)
	if g.rnd.IntN(10) == 0 {
		c = g.piece(p, everything)
	}
	x, y := g.rnd.Int32N(9000)-4500,
		[]int32{northY, 0, 0, southY}[g.rnd.IntN(4)]+g.rnd.Int32N(800)-400
	u := p.make(table.OpNone, c)
	switch n := g.rnd.IntN(24); {
	case n < 6:
		u = p.move(c, x, y)
	case n < 9:
		u.Op = table.OpGrab
	case n < 13:
		u = p.put(c, x, y)
	case n < 15:
		u = p.flip(c, g.rnd.Int32N(2))
	case n < 16:
		u = p.turn(c, g.rnd.Int32N(36_000))
		if g.rnd.IntN(2) == 0 {
			u = p.pivot(c, x, y, u.Angle)
		}
	case n < 17:
		u.Op = []table.Op{
			table.OpRaise, table.OpLower, table.OpPin, table.OpUnpin, table.OpWrest, table.OpTurn,
		}[g.rnd.IntN(6)]
	case n < 18:
		u.Op, u.Has, u.X, u.Y = table.OpCopy, u.Has|table.HasXY, x, y
	case n < 19 && len(g.checker.states) > 60:
		u.Op = table.OpDelete
	case n < 20:
		g.notes++
		u.Op, u.Has, u.Text = table.OpWrite, u.Has|table.HasText,
			fmt.Sprintf("note %d of somebody", g.notes)
	case n < 21:
		u = p.blind(table.OpRoll, c)
	case n < 22:
		u = p.blind(table.OpSplit, c)
		u.Has, u.N, u.X, u.Y = u.Has|table.HasN|table.HasXY, 1+g.rnd.Int32N(20), x, y
	default:
		all := p.sight.all(func(q *holtpb.Piece) bool { return isCard(q.GetKind()) })
		if len(all) < table.MinShuffle {
			return
		}
		from := g.rnd.IntN(len(all) - 1)
		u = p.shuffleOf(names(all[from : from+2+g.rnd.IntN(min(len(all)-from-1, 6))]))
	}
	if u.Op != table.OpNone {
		g.try(p, u)
	}
}

// try sends an update, which may be invalid.
func (g *mayhem) try(p *player, u table.Update) {
	g.t.Helper()
	var invalid *table.Invalid
	if err := p.send(u); err != nil && !errors.As(err, &invalid) {
		g.t.Errorf("%s is answered %v", u.Op, err)
	}
	if u.Op != table.OpShuffle && g.rnd.IntN(3) > 0 {
		p.frames()
	}
}
