package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
	"holt/static"
	"holt/storage"
)

// evening is a table of the real rooms at which players play a game of the shelf, in virtual time.
type evening struct {
	// Set at construction.
	t       *testing.T
	db      *storage.DB
	rooms   *room.Rooms
	kinds   map[string]uint32
	players []*player

	playing sync.WaitGroup
	over    chan struct{}

	mu       sync.Mutex
	rejected int // updates whose batch was refused. Guarded by mu.
}

// player is a person at the table with a page: the page's stream, and its requests.
type player struct {
	*evening
	number  int
	session room.Session
	seat    id.Seat
	client  id.Client
	seq     id.ClientSeq
	rnd     *mathrand.Rand
}

// page is the carrier of a player's stream. It keeps what it gets if it records.
type page struct {
	begun   time.Time
	records bool

	mu     sync.Mutex
	frames []frame // guarded by mu
}

func (p *page) Write(_ context.Context, frames [][]byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.records {
		for _, f := range frames {
			p.frames = append(p.frames, frame{time.Since(p.begun), slices.Clone(f)})
		}
	}
	return nil
}

func (*page) Close(stream.Code, string) {}

// sit opens a table of a game with a number of players.
func sit(t *testing.T, dir, gameID string, players int, seed uint64) (*evening, *page) {
	t.Helper()
	shelf, err := game.LoadShelf(static.Files)
	if err != nil {
		t.Fatal(err)
	}
	g, ok := shelf.Game(gameID)
	if !ok {
		t.Fatalf("there is no game %q", gameID)
	}
	e := &evening{t: t, kinds: map[string]uint32{}, over: make(chan struct{})}
	for i := range g.Kinds {
		e.kinds[g.Kinds[i].Name] = uint32(i)
	}
	if e.db, err = storage.Open(context.Background(), dir, storage.Options{}); err != nil {
		t.Fatal(err)
	}
	now := func() id.Millis { return id.Millis(time.Now().UnixMilli()) }
	e.rooms = room.New(room.Config{
		Store: e.db, Minter: id.NewMinter(id.HostID{1}, now(), func(id.Millis) error { return nil }),
		Shelf: shelf, InviteKey: make([]byte, 32), Now: now, Random: rand.Reader,
		Log: slog.New(slog.DiscardHandler),
	})
	taken, invites, err := e.rooms.Create(t.Context(),
		room.NewTableRequest{Game: gameID, Host: room.Person{Nick: "Player 1"}})
	if err != nil {
		t.Fatal(err)
	}
	recorded := &page{begun: time.Now(), records: true}
	for i := range players {
		p := &player{evening: e, number: i, session: taken.Session, client: id.Client{14: 1, 15: byte(i)},
			rnd: mathrand.New(mathrand.NewPCG(seed, uint64(i)))}
		if i > 0 {
			s, err := e.rooms.TakeSeat(t.Context(), invites.Player,
				room.Person{Nick: fmt.Sprintf("Player %d", i+1)})
			if err != nil {
				t.Fatal(err)
			}
			p.session = s.Session
		}
		c := &page{}
		if i == players-1 { // a player who is not the host
			c = recorded
		}
		if _, err := e.rooms.Open(t.Context(), p.session, room.Hello{Client: p.client}, c); err != nil {
			t.Fatal(err)
		}
		p.seat = id.Seat(p.view().GetYou())
		e.players = append(e.players, p)
	}
	return e, recorded
}

// leave ends the evening.
func (e *evening) leave() {
	close(e.over)
	e.playing.Wait()
	if err := e.rooms.Shutdown(context.Background()); err != nil {
		e.t.Error(err)
	}
	if err := e.db.Close(); err != nil {
		e.t.Error(err)
	}
}

// view returns what the player sees.
func (p *player) view() *holtpb.Full {
	f, err := p.rooms.Read(context.Background(), p.session)
	if err != nil {
		p.t.Errorf("player %d: %v", p.number, err)
		return &holtpb.Full{}
	}
	return f.GetEvents()[0].GetFull()
}

// do sends updates in one batch, as a page does.
func (p *player) do(epoch uint64, us ...table.Update) {
	for i := range us {
		p.seq++
		us[i].Seq = p.seq
	}
	if err := p.rooms.Update(context.Background(), p.session,
		wire.Batch{Client: p.client, Epoch: id.Epoch(epoch), Updates: us}); err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.rejected++; p.rejected > 20 {
			p.t.Errorf("player %d: %v", p.number, err)
		}
	}
}

// wait waits for a time around d. It reports false if the evening is over.
func (p *player) wait(d time.Duration) bool {
	select {
	case <-time.After(d/2 + time.Duration(p.rnd.Int64N(int64(d)))):
		return true
	case <-p.over:
		return false
	}
}

// tagged and blind begin updates of a piece.
func tagged(op table.Op, piece *holtpb.Piece) table.Update {
	return table.Update{Op: op, Has: table.HasPiece | table.HasTag, Piece: id.Piece(piece.GetId()),
		Tag: id.Version(piece.GetMark())}
}

func blind(op table.Op, piece *holtpb.Piece) table.Update {
	return table.Update{Op: op, Has: table.HasPiece, Piece: id.Piece(piece.GetId())}
}

// find returns the visible pieces for which is holds.
func (p *player) find(v *holtpb.Full, is func(*holtpb.Piece) bool) (all []*holtpb.Piece) {
	for _, piece := range v.GetPieces() {
		if is(piece) {
			all = append(all, piece)
		}
	}
	return all
}

// of returns the visible pieces of a kind.
func (p *player) of(v *holtpb.Full, kind string) []*holtpb.Piece {
	return p.find(v, func(piece *holtpb.Piece) bool { return piece.GetKind() == p.kinds[kind] })
}

// drag grabs a piece, carries it for a while and puts it down near a place.
func (p *player) drag(piece *holtpb.Piece, x, y int32) bool {
	p.do(p.view().GetEpoch(), tagged(table.OpGrab, piece))
	if !p.wait(800 * time.Millisecond) {
		return false
	}
	v := p.view()
	held := p.find(v, func(o *holtpb.Piece) bool {
		return o.GetHolder() == uint32(p.seat) && o.GetKind() == piece.GetKind()
	})
	if len(held) == 0 {
		return true // somebody else was faster
	}
	u := tagged(table.OpRelease, held[0])
	u.Has |= table.HasXY
	u.X, u.Y = x+p.rnd.Int32N(200)-100, y+p.rnd.Int32N(200)-100
	p.do(v.GetEpoch(), u)
	return true
}

// pick returns one of some pieces.
func (p *player) pick(all []*holtpb.Piece) *holtpb.Piece { return all[p.rnd.IntN(len(all))] }

// inTurn makes each player play in turn, until the evening is over. What a function does ends when
// it returns false.
func (e *evening) inTurn(before func(p *player) bool, turn func(p *player) bool, turns int) {
	e.playing.Go(func() {
		for dealer := 0; ; dealer++ {
			if before != nil && !before(e.players[dealer%len(e.players)]) {
				return
			}
			for i := range turns {
				if !turn(e.players[(dealer+1+i)%len(e.players)]) {
					return
				}
			}
		}
	})
}

// besides makes each player do something now and then.
func (e *evening) besides(every time.Duration, act func(p *player) bool) {
	for _, q := range e.players {
		p := &player{evening: e, number: q.number, session: q.session, seat: q.seat,
			client: id.Client{13: 1, 15: byte(q.number)},
			rnd:    mathrand.New(mathrand.NewPCG(99, uint64(q.number)))}
		e.playing.Go(func() {
			isOn := true
			for isOn {
				isOn = p.wait(every) && act(p)
			}
		})
	}
}

// cards is a trick-taking game with bets: shuffle, deal, six tricks, write the score, recall.
func (e *evening) cards() {
	for _, p := range e.players {
		v := p.view()
		p.do(v.GetEpoch(), blind(table.OpClaim, p.of(v, "Hand")[0]))
		p.wait(3 * time.Second)
	}
	before := func(p *player) bool {
		v := p.view()
		deck := p.of(v, "Deck")[0]
		for _, op := range []table.Op{table.OpRecall, table.OpShuffle} {
			p.do(v.GetEpoch(), blind(op, deck))
			if !p.wait(3 * time.Second) {
				return false
			}
		}
		deal := blind(table.OpDeal, deck)
		deal.Has, deal.N = deal.Has|table.HasN, 6
		p.do(v.GetEpoch(), deal)
		if button := p.of(v, "Dealer button"); len(button) > 0 {
			p.drag(button[0], 2000, 2450)
		}
		if pad := p.of(p.view(), "Score pad"); len(pad) > 0 {
			u := tagged(table.OpWrite, pad[0])
			u.Has |= table.HasText
			u.Text = fmt.Sprintf("Ada %d\nBen %d", p.rnd.IntN(99), p.rnd.IntN(99))
			p.do(v.GetEpoch(), u)
		}
		return p.wait(8 * time.Second)
	}
	e.inTurn(before, func(p *player) bool {
		v := p.view()
		own := p.find(v, func(o *holtpb.Piece) bool {
			return o.GetOwner() == uint32(p.seat) && o.GetKind() != p.kinds["Hand"] &&
				o.GetKind() != p.kinds["Hand at the side"]
		})
		if len(own) > 0 && !p.drag(p.pick(own), int32(p.number)*700-1000, 900) {
			return false
		}
		if p.number == len(e.players)-1 { // the trick is full: one player takes it aside, at once
			var all []table.Update
			v = p.view()
			for _, o := range p.find(v, func(o *holtpb.Piece) bool {
				return o.GetY() > 700 && o.GetY() < 1200 && o.GetKind() > p.kinds["Card"] &&
					o.GetKind() <= p.kinds["Black joker"]
			}) {
				u := tagged(table.OpMove, o)
				u.Has, u.X, u.Y = u.Has|table.HasXY, 560, 0
				all = append(all, u)
			}
			if len(all) > 0 {
				p.do(v.GetEpoch(), all...)
			}
		}
		return p.wait(4 * time.Second)
	}, 24)
	e.besides(25*time.Second, func(p *player) bool {
		v := p.view()
		if chips := p.of(v, "Chips"); len(chips) > 0 {
			c := p.pick(chips)
			if c.GetValue() > 10 && len(chips) < 30 {
				u := blind(table.OpSplit, c)
				u.Has, u.N, u.X, u.Y = u.Has|table.HasN|table.HasXY, 5, p.rnd.Int32N(2000), -800
				p.do(v.GetEpoch(), u)
				return true
			}
			return p.drag(c, p.rnd.Int32N(2000), -800)
		}
		return true
	})
}

// board is chess or draughts: two players move, take, and press the clock.
func (e *evening) board() {
	e.inTurn(nil, func(p *player) bool {
		if !p.wait(12 * time.Second) {
			return false
		}
		v := p.view()
		men := p.find(v, func(o *holtpb.Piece) bool {
			return !o.GetPinned() && o.GetClock() == nil && o.GetX() > -2000 && o.GetX() < 2000
		})
		if len(men) < 6 { // another game: everything goes back, quickly
			for _, o := range p.find(v, func(o *holtpb.Piece) bool {
				return !o.GetPinned() && o.GetClock() == nil
			}) {
				u := tagged(table.OpMove, o)
				u.Has, u.X, u.Y = u.Has|table.HasXY, p.rnd.Int32N(3600)-1800, p.rnd.Int32N(3600)-1800
				p.do(v.GetEpoch(), u)
				if !p.wait(700 * time.Millisecond) {
					return false
				}
			}
			return true
		}
		mine := p.pick(men)
		if p.rnd.IntN(4) == 0 {
			if !p.drag(p.pick(men), 3000, p.rnd.Int32N(3600)-1800) {
				return false
			}
		}
		if !p.drag(mine, p.rnd.Int32N(3600)-1800, p.rnd.Int32N(3600)-1800) {
			return false
		}
		v = p.view()
		for _, clock := range p.of(v, "Chess clock") {
			u := tagged(table.OpPress, clock)
			u.Has, u.Side = u.Has|table.HasSide, uint8(p.number%2+1)
			p.do(v.GetEpoch(), u)
		}
		return true
	}, 2)
}

// tokens is a game with dice, counters and a bag.
func (e *evening) tokens() {
	e.inTurn(nil, func(p *player) bool {
		v := p.view()
		var all []table.Update
		for _, die := range p.of(v, "Six-sided die") {
			all = append(all, blind(table.OpRoll, die))
		}
		p.do(v.GetEpoch(), all...)
		if !p.wait(3 * time.Second) {
			return false
		}
		if bags := p.of(v, "Bag"); len(bags) > 0 && p.rnd.IntN(3) == 0 {
			u := blind(table.OpDraw, bags[0])
			u.Has, u.X, u.Y = u.Has|table.HasXY, p.rnd.Int32N(3000)-1500, 1500
			p.do(v.GetEpoch(), u)
		}
		stars := p.find(p.view(), func(o *holtpb.Piece) bool {
			return o.GetKind() >= p.kinds["Red star"] && o.GetKind() <= p.kinds["White cross"]
		})
		for range p.rnd.IntN(3) {
			if len(stars) > 0 && !p.drag(p.pick(stars), p.rnd.Int32N(3000)-1500, p.rnd.Int32N(2000)) {
				return false
			}
		}
		v = p.view()
		if counters := p.of(v, "Counter"); len(counters) > 0 {
			c := p.pick(counters)
			for range p.rnd.IntN(8) { // clicks
				u := blind(table.OpCount, c)
				u.Has, u.N = u.Has|table.HasN, 1
				p.do(v.GetEpoch(), u)
				if !p.wait(250 * time.Millisecond) {
					return false
				}
			}
		}
		for _, turn := range p.of(v, "Turn marker") {
			p.do(v.GetEpoch(), blind(table.OpPass, turn))
		}
		return p.wait(2 * time.Second)
	}, 4)
	e.besides(time.Minute, func(p *player) bool {
		v := p.view()
		if bags := p.of(v, "Bag"); len(bags) > 0 && p.number == 0 && p.rnd.IntN(4) == 0 {
			p.do(v.GetEpoch(), blind(table.OpRecall, bags[0]))
			return true
		}
		free := p.find(v, func(o *holtpb.Piece) bool { return !o.GetPinned() && o.GetHolder() == 0 })
		o := p.pick(free)
		u := tagged(table.OpRotate, o)
		u.Has, u.Angle = u.Has|table.HasAngle, p.rnd.Int32N(4)*9000
		p.do(v.GetEpoch(), u)
		return true
	})
}
