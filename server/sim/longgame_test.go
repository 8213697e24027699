package sim

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
	"holt/storage"
)

// gesturesOfAnEvening is how many gestures four people make in about two hours.
const gesturesOfAnEvening = 2000

// longGame is a game of cards from a shelf, over the real storage, with a clock of its own. Ada,
// Ben, Cid and Dan drag, draw, play, turn, roll, take back, shuffle and chat.
type longGame struct {
	testing.TB
	shelf   *game.Shelf
	dir     string
	db      *storage.DB
	kept    *kept
	rooms   *room.Rooms
	now     atomic.Int64 // milliseconds
	random  *mathrand.Rand
	players []*longPlayer
}

// theShelf returns the games on the shelf.
var theShelf = sync.OnceValues(func() (*game.Shelf, error) {
	return game.LoadShelf(os.DirFS("../../static"))
})

// longPlayer is one of them.
type longPlayer struct {
	room.Session
	client id.Client
	seq    id.ClientSeq
	hand   id.Piece
}

// kept is a store that counts what a table keeps.
type kept struct {
	room.Store

	mu sync.Mutex
	// Guarded by mu.
	entries, log int64 // of the log: how many, and their bytes with what a row costs
	chat         int64 // bytes of texts
	saves        map[uint32]int64
}

// rowOfSave is about what the columns of a save point take beside its texts and its pieces.
const rowOfSave = 64

func (k *kept) add(entries [][]byte, saves []room.NewSave, unsaved []uint32) {
	for _, body := range entries {
		k.entries++
		k.log += int64(len(body)) + room.EntryCost
	}
	for i := range saves {
		s := &saves[i]
		k.saves[s.ID] = int64(len(s.Body) + len(s.Name) + len(s.To.Name) + len(s.Token) + rowOfSave)
	}
	for _, number := range unsaved {
		delete(k.saves, number)
	}
}

func (k *kept) CreateTable(ctx context.Context, t room.NewTable) error {
	k.mu.Lock()
	k.add(t.Entries, t.Saves, nil)
	k.mu.Unlock()
	return k.Store.CreateTable(ctx, t)
}

func (k *kept) Append(ctx context.Context, a room.Append) error {
	k.mu.Lock()
	k.add(a.Entries, a.Saves, a.Unsaved)
	for i := range a.Said {
		k.chat += int64(len(a.Said[i].Text))
	}
	k.mu.Unlock()
	return k.Store.Append(ctx, a)
}

// beside returns the bytes of the log, and of the save points beside it.
func (k *kept) beside() (log, saves int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, n := range k.saves {
		saves += n
	}
	return k.log, saves
}

// newLongGame sets up the table of cards that comes with Holt, and seats everybody.
func newLongGame(tb testing.TB) *longGame {
	tb.Helper()
	shelf, err := theShelf()
	if err != nil {
		tb.Fatal(err)
	}
	return newGameOf(tb, shelf, "cards")
}

// newGameOf sets up a table of a game with a hand for each of four players, and seats them.
func newGameOf(tb testing.TB, shelf *game.Shelf, name string) *longGame {
	tb.Helper()
	g := &longGame{
		TB: tb, shelf: shelf, dir: tb.TempDir(), random: mathrand.New(mathrand.NewPCG(20, 0)),
		kept: &kept{saves: map[uint32]int64{}},
	}
	g.now.Store(1_780_000_000_000)
	g.start()
	taken, invites, err := g.rooms.Create(tb.Context(), room.NewTableRequest{
		Game: name, Host: room.Person{Nick: "Ada"},
	})
	if err != nil {
		tb.Fatal(err)
	}
	sessions := []room.Session{taken.Session}
	for _, nick := range []string{"Ben", "Cid", "Dan"} {
		seat, err := g.rooms.TakeSeat(tb.Context(), invites.Player, room.Person{Nick: nick})
		if err != nil {
			tb.Fatal(err)
		}
		sessions = append(sessions, seat.Session)
	}
	for i, s := range sessions {
		p := &longPlayer{Session: s, client: id.Client{15: byte(i + 1)}}
		for _, piece := range g.view(p).GetPieces() {
			if piece.GetOwner() == uint32(s.Seat) {
				p.hand = id.Piece(piece.GetId())
			}
		}
		if p.hand == 0 {
			tb.Fatalf("seat %v has no hand", s.Seat)
		}
		g.players = append(g.players, p)
	}
	return g
}

// start opens the database, with rooms over it.
func (g *longGame) start() {
	g.Helper()
	var err error
	if g.db, err = storage.Open(context.Background(), g.dir, storage.Options{}); err != nil {
		g.Fatal(err)
	}
	g.kept.Store = g.db
	g.now.Add(1000) // so that no identifier is given out twice
	now := func() id.Millis { return id.Millis(g.now.Load()) }
	g.rooms = room.New(room.Config{
		Store:  g.kept,
		Minter: id.NewMinter(id.HostID{1}, now(), func(id.Millis) error { return nil }),
		Shelf:  g.shelf, InviteKey: make([]byte, 32), Now: now, Random: rand.Reader,
		Log: slog.New(slog.DiscardHandler),
	})
}

// stop ends the rooms and closes the database.
func (g *longGame) stop() {
	g.Helper()
	if err := g.rooms.Shutdown(context.Background()); err != nil {
		g.Error(err)
	}
	if err := g.db.Close(); err != nil {
		g.Error(err)
	}
}

// silent is a line on which nobody listens.
type silent struct{}

func (silent) Write(context.Context, [][]byte) error { return nil }
func (silent) Close(stream.Code, string)             {}

// watch opens a stream for everybody, so that the table stays in memory. leave closes them.
func (g *longGame) watch() (leave func()) {
	g.Helper()
	var open []*stream.Stream
	for _, p := range g.players {
		s, err := g.rooms.Open(g.Context(), p.Session, room.Hello{Client: p.client}, silent{})
		if err != nil {
			g.Fatal(err)
		}
		open = append(open, s)
	}
	return func() {
		for _, s := range open {
			s.Closed(context.Canceled)
			<-s.Done()
		}
	}
}

// view returns what a player sees.
func (g *longGame) view(p *longPlayer) *holtpb.Full {
	g.Helper()
	f, err := g.rooms.Read(g.Context(), p.Session)
	if err != nil {
		g.Fatal(err)
	}
	return f.GetEvents()[0].GetFull()
}

// do makes a player do one thing, some seconds after the last one. The table may refuse it.
func (g *longGame) do(p *longPlayer, epoch uint64, u table.Update) {
	g.Helper()
	g.now.Add(500 + g.random.Int64N(3000))
	p.seq++
	u.Seq = p.seq
	b := wire.Batch{Client: p.client, Epoch: id.Epoch(epoch), Updates: []table.Update{u}}
	if err := g.rooms.Update(g.Context(), p.Session, b); err != nil {
		g.Fatalf("seat %v, %v: %v", p.Seat, u.Op, err)
	}
}

// Pieces of the game.
const (
	eveningDeck id.Piece = 10
	dieOne      id.Piece = 19
)

// The kinds of the cards as those see them who see their fronts.
const firstCard, lastCard = 5, 58

// play makes n gestures.
func (g *longGame) play(n int) {
	g.Helper()
	for i := range n {
		p := g.players[g.random.IntN(len(g.players))]
		v := g.view(p)
		on := func(op table.Op, piece *holtpb.Piece) table.Update {
			return table.Update{
				Op: op, Has: table.HasPiece | table.HasTag, Piece: id.Piece(piece.GetId()),
				Tag: id.Version(piece.GetMark()),
			}
		}
		to := func(u table.Update, x, y int32) table.Update {
			u.X, u.Y, u.Has = x, y, u.Has|table.HasXY
			return u
		}
		blind := func(op table.Op, piece id.Piece) table.Update {
			return table.Update{Op: op, Has: table.HasPiece, Piece: piece}
		}
		loose := slices.DeleteFunc(slices.Clone(v.GetPieces()), func(q *holtpb.Piece) bool {
			return q.GetPinned() || q.GetLocked() || q.GetHolder() != 0
		})
		open := slices.DeleteFunc(slices.Clone(loose), func(q *holtpb.Piece) bool {
			return q.GetKind() < firstCard || q.GetKind() > lastCard
		})
		inDeck := 0
		for _, h := range v.GetHolds() {
			for _, count := range h.GetCounts() {
				if id.Piece(h.GetPiece()) == eveningDeck {
					inDeck += int(count)
				}
			}
		}
		switch some := g.random.IntN(100); {
		case inDeck < 4:
			g.do(p, v.GetEpoch(), blind(table.OpRecall, eveningDeck))
		case some < 18:
			u := blind(table.OpDraw, eveningDeck)
			u.N, u.Has = 1+g.random.Int32N(3), u.Has|table.HasN
			g.do(p, v.GetEpoch(), u)
		case some < 22:
			g.do(p, v.GetEpoch(), blind(table.OpRoll, dieOne))
		case some < 24:
			g.do(p, v.GetEpoch(), blind(table.OpShuffle, eveningDeck))
		case some < 30:
			text := fmt.Sprintf("that was gesture %d, and I have no better idea", i)
			g.do(p, v.GetEpoch(), table.Update{Op: table.OpSay, Has: table.HasText, Text: text})
		case some < 40 && len(open) > 0:
			u := on(table.OpFlip, open[g.random.IntN(len(open))])
			u.Face, u.Has = int32(i%2), u.Has|table.HasFace
			g.do(p, v.GetEpoch(), u)
		case len(loose) > 0: // a drag
			piece := loose[g.random.IntN(len(loose))]
			name := id.Piece(piece.GetId())
			g.do(p, v.GetEpoch(), on(table.OpGrab, piece))
			v = g.view(p)
			at := slices.IndexFunc(v.GetPieces(), func(q *holtpb.Piece) bool {
				return id.Piece(q.GetId()) == name && q.GetHolder() == uint32(p.Seat)
			})
			if at < 0 {
				continue // the grab was refused, or the card got another name when it left the hand
			}
			x, y := g.random.Int32N(3000)-1500, g.random.Int32N(2400)-1200
			g.do(p, v.GetEpoch(), to(on(table.OpRelease, v.GetPieces()[at]), x, y))
		}
	}
}

// An evening of 2,000 gestures takes little beside its log: hosts may make all the save points that
// they can, the log that people read keeps nothing of its own, and the room keeps in memory what
// undo, resumption and views need.
// Clauses: T81.1
func TestEveningIsBounded(t *testing.T) {
	const (
		goal   = 20      // percent of the log that save points take
		memory = 8 << 20 // bytes that a room holds after it: most of them are 4,096 entries (S5)
	)
	g := newLongGame(t)
	defer func() { g.stop() }()
	leave := g.watch()
	before := reachable()
	for i := range room.MaxNamedSaves {
		g.play(gesturesOfAnEvening / room.MaxNamedSaves)
		if _, err := g.rooms.Save(t.Context(), g.players[0].Session, fmt.Sprintf("After part %d of %d",
			i+1, room.MaxNamedSaves), fmt.Sprint("token", i)); err != nil {
			t.Errorf("T70 save point %d: %v", i+1, err)
		}
	}
	held := int64(reachable()) - int64(before)
	log, saves := g.kept.beside()
	if saves*100 > log*goal {
		t.Errorf("T81.1 %d save points take %d bytes, and the log %d: more than %d %%",
			len(g.kept.saves), saves, log, goal)
	}
	// The named ones, those of the two set-ups of the game, and the last six of the server.
	if n := len(g.kept.saves); n != room.MaxNamedSaves+2+6 {
		t.Errorf("T81.1 %d save points are stored", n)
	}
	if g.kept.entries < 4000 {
		t.Errorf("the log has only %d entries: it covers little", g.kept.entries)
	}
	if held > memory {
		t.Errorf("the room holds %d bytes more than before, want %d at most", held, memory)
	}
	leave()
	g.stop()
	g.start()
	empty := reachable()
	leave = g.watch()
	loaded := int64(reachable()) - int64(empty)
	if loaded > memory {
		t.Errorf("loaded again, the room holds %d bytes, want %d at most", loaded, memory)
	}
	lines, pages := g.readLog(t.Context(), room.MaxLogPage, nil)
	leave()
	if lines < gesturesOfAnEvening {
		t.Errorf("T65 the log has %d lines", lines)
	}
	t.Logf("%d entries of %d bytes; %d save points of %d bytes; chat %d bytes; %d lines on %d pages; "+
		"the room holds %d bytes more than before, and %d when it was loaded again", g.kept.entries, log,
		len(g.kept.saves), saves, g.kept.chat, lines, pages, held, loaded)
}

// readLog reads the whole log of a table as its host does who scrolls up.
func (g *longGame) readLog(ctx context.Context, limit int, b *testing.B) (lines, pages int) {
	g.Helper()
	q := room.LogQuery{Limit: limit}
	for {
		page := g.pageOf(ctx, q, b)
		lines, pages = lines+len(page.Lines), pages+1
		if !page.More {
			return lines, pages
		}
		q.Before = page.Before
	}
}

// pageOf returns a page of the log. While the seat has spent its budget, the clock of b stands.
func (g *longGame) pageOf(ctx context.Context, q room.LogQuery, b *testing.B) room.LogPage {
	g.Helper()
	for {
		page, err := g.rooms.Log(ctx, g.players[0].Session, q)
		var early room.TooFast
		switch {
		case err == nil:
			return page
		case b == nil || !errors.As(err, &early):
			g.Fatal(err)
		}
		b.StopTimer()
		time.Sleep(early.After) //nolint:forbidigo // its budget fills with real time
		b.StartTimer()
	}
}

// BenchmarkLog opens the log of a game of 2,000 gestures, which is to make its newest page, and
// scrolls through it by pages to the beginning. A page of the client has 100 lines. What
// the budget of the seat makes it wait is not counted.
func BenchmarkLog(b *testing.B) {
	const pageOfClient = 100
	g := newLongGame(b)
	defer g.stop()
	defer g.watch()()
	g.play(gesturesOfAnEvening)
	newest := room.LogQuery{Limit: pageOfClient}
	b.Run("open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			g.pageOf(b.Context(), newest, b)
		}
	})
	for _, limit := range []int{pageOfClient, room.MaxLogPage} {
		b.Run(fmt.Sprintf("scroll/lines=%d", limit), func(b *testing.B) {
			b.ReportAllocs()
			pages, lines := 0, 0
			for b.Loop() {
				l, p := g.readLog(b.Context(), limit, b)
				pages, lines = pages+p, l
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(pages), "µs/page")
			b.ReportMetric(float64(lines), "lines")
		})
	}
}
