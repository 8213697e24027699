package trace

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
	"holt/storage"
)

const (
	players = 12
	tokens  = 50
)

// lineGame has tokens and a deck of eight cards, which is the last piece.
func lineGame() string {
	return `{"format":"holt.game/1","id":"line","name":"Line","summary":"To be recorded.","order":1,
 "table":{"width":10000,"height":10000,"surface":"felt"},
 "kinds":[
  {"name":"Token","width":400,"height":400,"shape":"round","weight":"light",
   "faces":[{"name":"Token","art":"a.svg"}]},
  {"name":"Back","width":635,"height":889,"shape":"card","weight":"light",
   "faces":[{"name":"Back","art":"a.svg"}]},
  {"name":"Ace","width":635,"height":889,"shape":"card","weight":"light",
   "secret":true,"mask":"Back",
   "faces":[{"name":"Ace","art":"a.svg"},{"name":"Back","art":"a.svg"}]},
  {"name":"Deck","width":800,"height":1000,"shape":"rect","weight":"heavy",
   "container":{"draws":"top","takes":"Back"},"faces":[{"name":"Deck","art":"a.svg"}]}],
 "pieces":[` + strings.Repeat(`{"kind":"Token","x":0,"y":0},`, tokens) + `
  {"kind":"Deck","x":4000,"y":4000,"holds":["Ace","Ace","Ace","Ace","Ace","Ace","Ace","Ace"]}]}`
}

// party is a table with pieces and players, over the real rooms and storage.
type party struct {
	// Set at construction.
	t       *testing.T
	db      *storage.DB
	rooms   *room.Rooms
	watcher room.Session
	players []room.Session
	epoch   id.Epoch
	tokens  []token
	deck    id.Piece

	playing sync.WaitGroup
	over    chan struct{}
}

// token is a piece in its first state. Only one client moves it, so its version stays valid.
type token struct {
	name    id.Piece
	version id.Version
}

func newParty(t *testing.T, dir string) *party {
	svg := []byte(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>`)
	shelf, err := game.LoadShelf(fstest.MapFS{"games/line.json": {Data: []byte(lineGame())},
		"art/a.svg": {Data: svg}})
	if err != nil {
		t.Fatal(err)
	}
	p := &party{t: t, over: make(chan struct{})}
	if p.db, err = storage.Open(context.Background(), dir, storage.Options{}); err != nil {
		t.Fatal(err)
	}
	now := func() id.Millis { return id.Millis(time.Now().UnixMilli()) }
	p.rooms = room.New(room.Config{
		Store: p.db, Minter: id.NewMinter(id.HostID{1}, now(), func(id.Millis) error { return nil }),
		Shelf:     shelf,
		InviteKey: make([]byte, 32), Now: now, Random: rand.Reader,
		Log: slog.New(slog.DiscardHandler),
	})
	taken, invites, err := p.rooms.Create(t.Context(),
		room.NewTableRequest{Game: "line", Host: room.Person{Nick: "Ada"}})
	if err != nil {
		t.Fatal(err)
	}
	p.watcher = taken.Session
	for i := range players {
		s, err := p.rooms.TakeSeat(t.Context(), invites.Player,
			room.Person{Nick: fmt.Sprintf("Player %d", i+1)})
		if err == nil { // ticks are as long as when all players look on (S10)
			_, err = p.rooms.Open(t.Context(), s.Session,
				room.Hello{Client: id.Client{14: 1, 15: byte(i)}, WithoutMotion: true}, nobody{})
		}
		if err != nil {
			t.Fatal(err)
		}
		p.players = append(p.players, s.Session)
	}
	p.look()
	return p
}

// nobody is the carrier of a stream that nobody reads.
type nobody struct{}

func (nobody) Write(context.Context, [][]byte) error { return nil }
func (nobody) Close(stream.Code, string)             {}

// look finds the pieces.
func (p *party) look() {
	f, err := p.rooms.Read(p.t.Context(), p.watcher)
	if err != nil {
		p.t.Fatal(err)
	}
	full := f.GetEvents()[0].GetFull()
	p.epoch = id.Epoch(full.GetEpoch())
	for _, piece := range full.GetPieces() {
		if piece.GetX() == 4000 {
			p.deck = id.Piece(piece.GetId())
		} else {
			p.tokens = append(p.tokens, token{id.Piece(piece.GetId()), id.Version(piece.GetMark())})
		}
	}
	if len(p.tokens) != tokens || p.deck == 0 {
		p.t.Fatalf("there are %d tokens, and the deck is %d", len(p.tokens), p.deck)
	}
}

// stop makes everybody stop playing, and ends the table when they have left.
func (p *party) stop() {
	close(p.over)
	p.playing.Wait()
}

func (p *party) leave() {
	if err := p.rooms.Shutdown(context.Background()); err != nil {
		p.t.Error(err)
	}
	if err := p.db.Close(); err != nil {
		p.t.Error(err)
	}
}

// hand is a playing client of one player.
type hand struct {
	*party
	session room.Session
	client  id.Client
	seq     id.ClientSeq
	rnd     *mathrand.Rand
}

// play makes a client call next until it is over. Each call returns the time until the next one.
func (p *party) play(i int, next func(h *hand) time.Duration) {
	h := &hand{
		party: p, session: p.players[i%players], client: id.Client{14: 2, 15: byte(i)},
		rnd: mathrand.New(mathrand.NewPCG(1, uint64(i))),
	}
	p.playing.Go(func() {
		wait := time.Duration(h.rnd.Int64N(int64(400 * time.Millisecond)))
		for {
			select {
			case <-time.After(wait):
				wait = next(h)
			case <-p.over:
				return
			}
		}
	})
}

func (h *hand) do(u table.Update) {
	h.seq++
	u.Seq = h.seq
	if err := h.rooms.Update(context.Background(), h.session,
		wire.Batch{Client: h.client, Epoch: h.epoch, Updates: []table.Update{u}}); err != nil {
		h.t.Errorf("%v: %v", u.Op, err)
	}
}

// with does an operation on a token, at a place if the operation takes one.
func (h *hand) with(op table.Op, k token) {
	u := table.Update{Op: op, Has: table.HasPiece | table.HasTag, Piece: k.name, Tag: k.version}
	if op != table.OpGrab {
		u.Has |= table.HasXY
		u.X, u.Y = h.rnd.Int32N(9000)-4500, h.rnd.Int32N(9000)-4500
	}
	h.do(u)
}

// busy makes players grab each token and put it down again, four times a second, and use the deck.
func (p *party) busy() {
	for i, k := range p.tokens {
		op := table.OpGrab
		p.play(i, func(h *hand) time.Duration {
			h.with(op, k)
			op = table.OpGrab + table.OpRelease - op
			return 100*time.Millisecond + time.Duration(h.rnd.Int64N(int64(300*time.Millisecond)))
		})
	}
	n := 0
	p.play(len(p.tokens), func(h *hand) time.Duration {
		u := table.Update{Op: []table.Op{table.OpDraw, table.OpRecall, table.OpShuffle}[n%3],
			Has: table.HasPiece, Piece: h.deck}
		if u.Op == table.OpDraw {
			u.Has, u.X, u.Y = u.Has|table.HasXY, -4000, 4000
		}
		n++
		h.do(u)
		return 600*time.Millisecond + time.Duration(h.rnd.Int64N(int64(200*time.Millisecond)))
	})
}

// drag makes eight players drag a token each, for one to three seconds, and then another one.
func (p *party) drag() {
	const together, beat = 8, 40 * time.Millisecond
	for i := range together {
		k, left := 0, 0
		p.play(i, func(h *hand) time.Duration {
			mine := p.tokens[i+k%(tokens/together)*together]
			switch left {
			case 0:
				h.with(table.OpGrab, mine)
				left = 25 + h.rnd.IntN(50)
			case 1:
				h.with(table.OpRelease, mine)
				k, left = k+1, 0
			default:
				h.with(table.OpMove, mine)
				left--
			}
			return beat
		})
	}
}
