package sim

import (
	"context"
	"crypto/rand"
	"flag"
	"log/slog"
	mathrand "math/rand/v2"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/storage"
)

var roomSeed = flag.Uint64("roomseed", 0, "seed of TestRooms; 0: 1 to 3")

// The name of the deck, which comes after two hands, and that of the first of three cards, which
// come after three tokens.
const (
	deck      id.Piece = 3
	cardFirst id.Piece = 7
	dealer    id.Piece = 10 // a button, behind the cards
)

const simGame = `{"format":"holt.game/2","id":"sim","name":"Sim","summary":"For simulations.",` +
	`"order":1,
 "table":{"width":10000,"height":10000,"surface":"felt"},
 "kinds":[
  {"name":"Hand","width":4000,"height":1000,"shape":"rect","weight":"heavy","hand":true,
   "faces":[{"name":"Hand","art":"a.svg"}]},
  {"name":"Token","width":400,"height":400,"shape":"round","weight":"light",
   "faces":[{"name":"Token","art":"a.svg"}]},
  {"name":"Back","width":635,"height":889,"shape":"card","weight":"light",
   "faces":[{"name":"Back","art":"a.svg"}]},
  {"name":"Ace","width":635,"height":889,"shape":"card","weight":"light",
   "secret":true,"mask":"Back",
   "faces":[{"name":"Ace","art":"a.svg"},{"name":"Back","art":"a.svg"}]},
  {"name":"King","width":635,"height":889,"shape":"card","weight":"light",
   "secret":true,"mask":"Back",
   "faces":[{"name":"King","art":"a.svg"},{"name":"Back","art":"a.svg"}]},
  {"name":"Deck","width":800,"height":1000,"shape":"rect","weight":"heavy",
   "container":{"draws":"top","takes":"Back"},"faces":[{"name":"Deck","art":"a.svg"}]},
  {"name":"Dealer","width":400,"height":400,"shape":"rect","weight":"light",
   "button":{"steps":[{"do":"recall","kind":"Deck"},{"do":"shuffle","kind":"Deck"},
    {"do":"deal","kind":"Deck","n":1},{"do":"move","kind":"Deck","n":1,"to":"Token","face":0},
    {"do":"rotate","kind":"Token","by":9000}]},
   "faces":[{"name":"Dealer","art":"a.svg"}]}],
 "steps":[{"do":"shuffle","kind":"Deck"},{"do":"rotate","kind":"Token","by":9000}],
 "pieces":[{"kind":"Hand","x":-2500,"y":-4000},{"kind":"Hand","x":2500,"y":-4000},
  {"kind":"Token","x":0,"y":0},{"kind":"Token","x":1000,"y":0},{"kind":"Token","x":2000,"y":0},
  {"kind":"Ace","x":0,"y":1000,"face":1},{"kind":"King","x":0,"y":1000,"face":1},
   {"kind":"King","x":0,"y":1000,"face":1},
  {"kind":"Deck","x":4000,"y":2000,"holds":["Ace","Ace","King","King"]},
  {"kind":"Dealer","x":-4000,"y":2000}]}`

// host is a server process: rooms over a database in a folder.
type host struct {
	t     *testing.T
	dir   string
	db    *storage.DB
	shelf *game.Shelf
	rooms *room.Rooms
	watch string // the invite to watch
}

func (h *host) start() {
	h.t.Helper()
	svg := []byte(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>`)
	shelf, err := game.LoadShelf(fstest.MapFS{
		"games/sim.json": {Data: []byte(simGame)}, "art/a.svg": {Data: svg},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	if h.db, err = storage.Open(context.Background(), h.dir, storage.Options{}); err != nil {
		h.t.Fatal(err)
	}
	h.shelf = shelf
	now := func() id.Millis { return id.Millis(time.Now().UnixMilli()) }
	h.rooms = room.New(room.Config{
		Store:  h.db,
		Minter: id.NewMinter(id.HostID{1}, now(), func(id.Millis) error { return nil }), Shelf: shelf,
		InviteKey: make([]byte, 32), Now: now, Random: rand.Reader,
		Log: slog.New(slog.DiscardHandler),
	})
}

func (h *host) stop() {
	h.t.Helper()
	h.stopRooms()
	h.closeStore()
}

func (h *host) stopRooms() {
	h.t.Helper()
	if err := h.rooms.Shutdown(context.Background()); err != nil {
		h.t.Error(err)
	}
}

func (h *host) closeStore() {
	h.t.Helper()
	if err := h.db.Close(); err != nil {
		h.t.Error(err)
	}
}

// TestRooms makes four clients play at a table over the real storage, in virtual time, with links
// that delay, streams that break and servers that are started again. In the end everybody shows
// what the server shows (T8).
func TestRooms(t *testing.T) {
	seeds := []uint64{*roomSeed}
	if *roomSeed == 0 {
		seeds = []uint64{1, 2, 3}
	}
	for _, seed := range seeds {
		t.Run("T8.7 all clients show the same in the end", func(t *testing.T) {
			t.Logf("-run TestRooms -roomseed %d", seed)
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				playRooms(t, &host{t: t, dir: dir}, mathrand.New(mathrand.NewPCG(seed, 0)))
			})
		})
	}
}

// party makes a table and seats four clients at it: two of the host, and two of players.
func (h *host) party(rnd *mathrand.Rand) []*simClient {
	t := h.t
	t.Helper()
	taken, invites, err := h.rooms.Create(t.Context(), room.NewTableRequest{
		Game: "sim", Host: room.Person{Nick: "Ada"},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.watch = invites.Spectator
	sessions := []room.Session{taken.Session, taken.Session}
	for _, nick := range []string{"Bob", "Cid"} {
		s, err := h.rooms.TakeSeat(t.Context(), invites.Player, room.Person{Nick: nick})
		if err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, s.Session)
	}
	var guests []*simClient
	for i, s := range sessions {
		g := &simClient{
			t: t, session: s, id: id.Client{15: byte(i + 1)},
			rnd: mathrand.New(mathrand.NewPCG(rnd.Uint64(), 0)),
		}
		g.connect(h.rooms)
		guests = append(guests, g)
	}
	return guests
}

func playRooms(t *testing.T, h *host, rnd *mathrand.Rand) {
	h.start()
	defer func() { h.stop() }()
	guests := h.party(rnd)
	for step := range 3000 {
		g := guests[rnd.IntN(len(guests))]
		switch n := rnd.IntN(1000); {
		case n < 3:
			g.cut()
		case n < 4, step%1000 == 500: // so that it happens in any case
			h.stop()
			h.start()
		case n < 60:
			g.carry()
		case n < 500:
			g.act()
		default:
			<-time.After(time.Duration(rnd.Int64N(int64(50 * time.Millisecond))))
		}
		synctest.Wait()
		for _, g := range guests {
			g.step(h.rooms)
		}
	}
	settle(t, h, guests)
	recorded, whole := 0, 0
	for _, g := range guests {
		compare(t, h, g)
		recorded += g.recorded
		whole += g.fulls + g.resumed
		t.Logf("seat %v: %d recorded, %d conflicts, %d rejects of %d", g.session.Seat, g.recorded,
			g.conflicts, g.rejects, g.seq)
	}
	if whole < 2*len(guests) {
		t.Errorf("%d guests got %d full states: it covers little", len(guests), whole)
	}
	if recorded < 200 {
		t.Errorf("only %d updates were recorded", recorded)
	}
}

// settle waits until everything has arrived. That this happens in a bounded time is liveness (T8).
func settle(t *testing.T, h *host, guests []*simClient) {
	t.Helper()
	for round, quiet := 0, 0; quiet < 10; round++ {
		if round > 2000 {
			for _, g := range guests {
				t.Logf("seat %v waits for %+v", g.session.Seat, g.pending)
			}
			t.Fatal("T8 it does not settle")
		}
		<-time.After(100 * time.Millisecond)
		synctest.Wait()
		quiet++
		for _, g := range guests {
			if g.step(h.rooms) {
				quiet = 0
			}
		}
	}
}

// compare compares what a client knows with what its seat may see.
func compare(t *testing.T, h *host, g *simClient) {
	t.Helper()
	f, err := h.rooms.Read(t.Context(), g.session)
	if err != nil {
		t.Fatal(err)
	}
	all := f.GetEvents()[0].GetFull().GetPieces()
	if len(all) != len(g.pieces) {
		t.Errorf("T8 seat %v shows %d pieces, the server %d", g.session.Seat, len(g.pieces),
			len(all))
	}
	for _, want := range all {
		got := g.pieces[id.Piece(want.GetId())]
		if a, b := plain(got), plain(want); !proto.Equal(a, b) {
			t.Errorf("T8 seat %v shows\n%v, the server\n%v", g.session.Seat, a, b)
		}
	}
	holds := f.GetEvents()[0].GetFull().GetHolds()
	if len(holds) != len(g.holds) {
		t.Errorf("T29 for seat %v %d hands and decks are not empty, for the server %d",
			g.session.Seat, len(g.holds), len(holds))
	}
	for _, want := range holds {
		if got := g.holds[id.Piece(want.GetPiece())]; !proto.Equal(got, want) {
			t.Errorf("T29 for seat %v it has\n%v, for the server\n%v", g.session.Seat, got, want)
		}
	}
}

// plain returns a piece with every field set and no version.
func plain(p *holtpb.Piece) *holtpb.Piece {
	return &holtpb.Piece{
		Id: p.GetId(), Kind: proto.Uint32(p.GetKind()), X: proto.Int32(p.GetX()),
		Y: proto.Int32(p.GetY()), Angle: proto.Uint32(p.GetAngle()),
		Face: proto.Uint32(p.GetFace()), Z: proto.String(p.GetZ()),
		ZMark: proto.Uint64(p.GetZMark()), Pinned: proto.Bool(p.GetPinned()),
		Locked: proto.Bool(p.GetLocked()), Holder: proto.Uint32(p.GetHolder()),
		Owner: proto.Uint32(p.GetOwner()),
	}
}
