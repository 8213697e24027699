package room_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"io"
	"io/fs"
	"log/slog"
	mathrand "math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/room/settest"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The game of these tests: a hand, two tokens and a card that lies face down.
const gameFile = `{"format":"holt.game/1","id":"test","name":"Test","summary":"A test.","order":1,
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
   "faces":[{"name":"Ace","art":"a.svg"},{"name":"Back","art":"a.svg"}]}],
 "pieces":[{"kind":"Hand","x":0,"y":-4000},{"kind":"Token","x":0,"y":0},
  {"kind":"Token","x":1000,"y":0},{"kind":"Ace","x":2000,"y":0,"face":1}]}`

// Its pieces.
const (
	hand id.Piece = iota + 1
	tokenOne
	tokenTwo
	ace
)

// Its kinds.
const (
	kindBack uint32 = 2
	kindAce  uint32 = 3
)

// rig is a server's rooms over a store in memory, with one table.
type rig struct {
	t       *testing.T
	store   *memory
	random  io.Reader // crypto/rand's, unless a test needs to predict it
	game    string    // the file of the game on the shelf
	more    []fs.FS   // folders with further games
	clock   clock
	log     logged
	rooms   *room.Rooms
	owner   *settest.Owner // of the sets in bags
	line    slowOwner      // to the owner
	host    room.Taken
	invites room.Invites
	clients byte
	quota   room.Quota
	reads   func(*player, *holtpb.Frame) // called for each frame that a player reads; nil: nobody
}

// clock gives the (virtual) time. While it is stopped it makes its callers wait.
type clock struct {
	mu     sync.Mutex
	held   chan struct{} // nil: it is not stopped
	behind time.Duration
}

// back sets the clock back.
func (c *clock) back(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.behind += by
}

func (c *clock) now() id.Millis {
	c.mu.Lock()
	held, behind := c.held, c.behind
	c.mu.Unlock()
	if held != nil {
		<-held
	}
	return id.Millis(time.Now().Add(-behind).UnixMilli())
}

func (c *clock) stop() (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := make(chan struct{})
	c.held = held
	return sync.OnceFunc(func() {
		c.mu.Lock()
		c.held = nil
		c.mu.Unlock()
		close(held)
	})
}

// logged is what the rooms have logged.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
	each func(line string) // called for each line; nil: nothing is
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	n, err := l.text.Write(b)
	each := l.each
	l.mu.Unlock()
	if each != nil {
		each(string(b))
	}
	return n, err
}

// onLine lets a function be called for each line.
func (l *logged) onLine(each func(line string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.each = each
}

// count returns how often something was logged.
func (l *logged) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), what)
}

// bubble runs tests in virtual time.
type bubble struct {
	t      *testing.T
	game   string // its file
	more   []fs.FS
	random io.Reader
	quota  room.Quota
}

func in(t *testing.T) bubble { return bubble{t: t, game: gameFile, random: rand.Reader} }

// seeded returns the same tests with randomness that follows from a seed.
func (b bubble) seeded(seed uint64) bubble {
	b.random = chacha(seed)
	return b
}

// chacha returns bytes that follow from a seed.
func chacha(seed uint64) io.Reader {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	return mathrand.NewChaCha8(key)
}

// Run runs a test with rooms of its own, and shuts them down afterwards.
func (b bubble) Run(name string, f func(t *testing.T, r *rig)) {
	b.t.Helper()
	b.t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := &rig{t: t, store: newMemory(), random: b.random, game: b.game, more: b.more,
				quota: b.quota}
			r.start()
			defer r.stop()
			r.create()
			f(t, r)
		})
	})
}

// start makes rooms over the store, as a process does when it starts.
func (r *rig) start() {
	r.t.Helper()
	svg := []byte(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>`)
	shelf, err := game.LoadShelf(fstest.MapFS{
		"games/test.json": {Data: []byte(r.game)}, "art/a.svg": {Data: svg},
	}, r.more...)
	if err != nil {
		r.t.Fatal(err)
	}
	// The owner belongs to another server, and stays when this one is started again.
	if r.owner == nil {
		r.owner = settest.New(same{}, nil)
		r.line.Owner = r.owner
	}
	r.rooms = room.New(room.Config{
		SetOwners: &r.line,
		Store:     r.store,
		Minter:    id.NewMinter(id.HostID{1}, r.clock.now(), func(id.Millis) error { return nil }),
		Shelf:     shelf,
		InviteKey: make([]byte, 32), Now: r.clock.now, Random: r.random,
		Log: slog.New(slog.NewTextHandler(&r.log, nil)), Quota: r.quota,
	})
}

// same has an owner's random bytes. They are always the same, so what the owner draws depends on
// the table alone, and a game can be played twice.
type same struct{}

func (same) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// create makes the table.
func (r *rig) create() {
	r.t.Helper()
	var err error
	r.host, r.invites, err = r.rooms.Create(r.t.Context(), room.NewTableRequest{
		Game: "test", Host: room.Person{Nick: "Ada"},
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// stop shuts the rooms down; it may be called again.
func (r *rig) stop() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.rooms.Shutdown(ctx); err != nil {
		r.t.Errorf("shutdown: %v", err)
	}
}

// seat takes a new seat.
func (r *rig) seat(invite, nick string) room.Taken {
	r.t.Helper()
	taken, err := r.rooms.TakeSeat(r.t.Context(), invite, room.Person{Nick: nick})
	if err != nil {
		r.t.Fatal(err)
	}
	return taken
}

// memoryCarrier is a carrier in memory.
type memoryCarrier struct {
	mu     sync.Mutex
	raw    [][]byte
	at     []time.Time   // when each was written
	held   chan struct{} // Write waits for it; nil: it does not wait
	closed chan struct{}
	code   stream.Code
}

func (l *memoryCarrier) Write(ctx context.Context, frames [][]byte) error {
	l.mu.Lock()
	held := l.held
	l.mu.Unlock()
	if held != nil {
		select {
		case <-held:
		case <-l.closed:
			return context.Canceled
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range frames {
		l.raw, l.at = append(l.raw, f), append(l.at, time.Now())
	}
	return nil
}

func (l *memoryCarrier) Close(code stream.Code, _ string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.code == 0 {
		l.code = max(code, 1)
		close(l.closed)
	}
}

func (l *memoryCarrier) stall() (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := make(chan struct{})
	l.held = held
	return sync.OnceFunc(func() {
		l.mu.Lock()
		l.held = nil
		l.mu.Unlock()
		close(held)
	})
}

// tick is how long it may take until what happens is published (S10).
const tick = 25 * time.Millisecond

// crowd adds so many spectators that a tick has its full length.
func (r *rig) crowd() {
	r.t.Helper()
	for range 5 {
		eve := r.seat(r.invites.Spectator, "Eve")
		for range 13 {
			r.open(eve.Session)
		}
	}
}

// player is a client with a stream.
type player struct {
	*rig
	session  room.Session
	id       id.Client
	epoch    id.Epoch
	line     *memoryCarrier
	stream   *stream.Stream
	seq      id.ClientSeq
	versions map[id.Piece]id.Version
	// The present names of renamed pieces, by the names before (T21).
	renamed map[id.Piece]id.Piece
	sight   sight
	version id.Version // the version up to which the view is complete (S4)
	read    int        // frames that the test has read
}

// open opens a stream of a new client and reads the full state.
func (r *rig) open(s room.Session) *player {
	r.t.Helper()
	r.clients++
	p := &player{
		rig: r, session: s, id: id.Client{15: r.clients}, versions: map[id.Piece]id.Version{},
		renamed: map[id.Piece]id.Piece{},
	}
	p.reopen(0)
	return p
}

// reopen opens a stream of the same client.
func (p *player) reopen(seq id.ClientSeq) {
	p.t.Helper()
	p.come(room.Hello{Client: p.id, Seq: seq})
}

// come opens a stream.
func (p *player) come(h room.Hello) {
	p.t.Helper()
	l := &memoryCarrier{closed: make(chan struct{})}
	c, err := p.rooms.Open(p.t.Context(), p.session, h, l)
	if err != nil {
		p.t.Fatal(err)
	}
	p.line, p.stream, p.read = l, c, 0
	synctest.Wait()
}

// cut breaks the connection, as a network does.
func (p *player) cut() {
	p.stream.Closed(context.Canceled)
	<-p.stream.Done()
	synctest.Wait()
}

// reopenForFull breaks the connection, opens another stream and returns the full state.
func (p *player) reopenForFull() *holtpb.Full {
	p.t.Helper()
	p.events()
	p.cut()
	p.reopen(0)
	return p.events()[0].GetFull()
}

// frames waits until nothing moves and everything is published. It returns the frames that have
// come since the last call.
func (p *player) frames() []*holtpb.Frame {
	p.t.Helper()
	synctest.Wait()
	<-time.After(tick)
	return p.now()
}

// now returns the frames that have come since the last call, without waiting for the tick.
func (p *player) now() []*holtpb.Frame {
	p.t.Helper()
	synctest.Wait()
	p.line.mu.Lock()
	defer p.line.mu.Unlock()
	var all []*holtpb.Frame
	for _, b := range p.line.raw[p.read:] {
		f, err := wire.DecodeFrame(b)
		if err != nil {
			p.t.Fatal(err)
		}
		all = append(all, f)
		if p.reads != nil {
			p.reads(p, f)
		}
		if m := id.Version(f.GetMark()); m != 0 {
			p.version = m
		}
		for _, e := range f.GetEvents() {
			p.note(e)
		}
	}
	p.read = len(p.line.raw)
	return all
}

// note records the versions and the new names of an event.
func (p *player) note(e *holtpb.Event) {
	take := func(piece *holtpb.Piece) {
		if piece != nil {
			name := id.Piece(piece.GetId())
			p.versions[name] = max(p.versions[name], id.Version(piece.GetMark()))
			if !piece.GetGone() {
				delete(p.renamed, name) // the random name may have been used again
			}
			if to := id.Piece(piece.GetRenamed()); to != 0 {
				p.renamed[name], p.versions[to] = to, p.versions[name]
				delete(p.renamed, to)
			}
		}
	}
	if f := e.GetFull(); f != nil {
		p.epoch = id.Epoch(f.GetEpoch())
		clear(p.versions)
		for _, piece := range f.GetPieces() {
			take(piece)
		}
	}
	take(e.GetUpdate().GetPiece())
	take(e.GetAck().GetPiece())
	take(e.GetReject().GetPiece())
	p.sight.take(e)
}

// name returns the present name of a piece that the player knew by another name.
func (p *player) name(piece id.Piece) id.Piece {
	for p.renamed[piece] != 0 {
		piece = p.renamed[piece]
	}
	return piece
}

// events returns the events that have come since the last call.
func (p *player) events() []*holtpb.Event {
	p.t.Helper()
	var all []*holtpb.Event
	for _, f := range p.frames() {
		all = append(all, f.GetEvents()...)
	}
	return all
}

// acks returns the sequences that the events acknowledge.
func acks(events []*holtpb.Event) []uint64 {
	var all []uint64
	for _, e := range events {
		if a := e.GetAck(); a != nil {
			all = append(all, a.GetSeq())
		}
	}
	return all
}

// updates returns the pieces that the events update.
func updates(events []*holtpb.Event) []uint32 {
	var all []uint32
	for _, e := range events {
		if u := e.GetUpdate(); u != nil {
			all = append(all, u.GetPiece().GetId())
		}
	}
	return all
}

func (p *player) make(op table.Op, piece id.Piece) table.Update {
	p.seq++
	piece = p.name(piece)
	// A piece that the player does not see gets the first version that exists.
	return table.Update{
		Seq: p.seq, Op: op, Has: table.HasPiece | table.HasTag, Piece: piece,
		Tag: max(p.versions[piece], 1<<16),
	}
}

func (p *player) move(piece id.Piece, x, y int32) table.Update {
	u := p.make(table.OpMove, piece)
	u.X, u.Y, u.Has = x, y, u.Has|table.HasXY
	return u
}

// send posts a batch and waits for the answer.
func (p *player) send(updates ...table.Update) error {
	return p.rooms.Update(p.t.Context(), p.session, wire.Batch{
		Client: p.id, Epoch: p.epoch, Updates: updates,
	})
}

// post posts a batch and does not wait; the answer comes through the channel.
func (p *player) post(updates ...table.Update) <-chan error {
	answer := make(chan error, 1)
	go func() { answer <- p.send(updates...) }()
	synctest.Wait()
	return answer
}

func (p *player) mustSend(updates ...table.Update) {
	p.t.Helper()
	for i := range updates {
		p.sight.own(&updates[i])
	}
	if err := p.send(updates...); err != nil {
		p.t.Fatal(err)
	}
}

// unanswered checks that a batch has no answer yet.
func unanswered(t *testing.T, answer <-chan error) {
	t.Helper()
	select {
	case err := <-answer:
		t.Errorf("a batch was answered before it was durable: %v", err)
	default:
	}
}
