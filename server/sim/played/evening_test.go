// Package played plays games of the shelf to an end, over WebSockets and HTTP against a complete
// server. The players of a game are programs: they know its rules, and see of the table only what
// their seats see.
package played

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"flag"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/static"
	"holt/storage"
	"holt/web"
)

var (
	playSeed = flag.Uint64("playseed", 1, "what the players choose and the dice show; 0: at random")

	shelf = sync.OnceValues(func() (*game.Shelf, error) { return game.LoadShelf(static.Files) })
)

// patience bounds how long a test waits for what must happen. Nothing is measured with it.
const patience = 2 * time.Minute

// evening is a table at which people play a game of the shelf.
type evening struct {
	t       *testing.T
	game    *game.Game
	rnd     *mathrand.Rand // what players choose
	server  *client.Server
	players []*player
	turns   int          // how often everybody was found to agree
	clock   atomic.Int64 // the server's, in milliseconds (see pause)
}

// player is a person at the table. The first one is the host.
type player struct {
	*client.Client
	e    *evening
	nick string
	seat client.Seat

	mu sync.Mutex
	// Guarded by mu.
	ended   map[id.ClientSeq]outcome
	changed chan struct{} // closed when something has happened, and then replaced
}

// outcome is how an update ended.
type outcome struct {
	kind   client.EventKind
	reason table.Reason
	made   id.Piece
	err    error
}

// open lets people sit down at a new table with a set-up of a game of the shelf. Each of them takes
// one of the hands, if there are any.
func open(t *testing.T, name string, setup int, nicks ...string) *evening {
	t.Helper()
	seed := *playSeed
	if seed == 0 {
		seed = mathrand.Uint64()>>1 + 1
	}
	t.Logf("-run '^%s$' -playseed %d", t.Name(), seed)
	e := &evening{t: t, rnd: mathrand.New(mathrand.NewPCG(seed, 1))}
	games, err := shelf()
	e.must(err)
	g, ok := games.Game(name)
	if !ok {
		t.Fatalf("%s is not on the shelf", name)
	}
	e.game = g
	rooms := e.serve(seed, games)
	host, invites, err := rooms.Create(t.Context(), room.NewTableRequest{
		Game: name, Setup: setup, Host: room.Person{Nick: nicks[0]},
	})
	e.must(err)
	at := host.Table.String()
	e.seat(client.Seat{Table: at, Number: host.Seat, Token: host.Token}, nicks[0])
	for _, nick := range nicks[1:] {
		seat, err := e.server.TakeSeat(t.Context(), at, invites.Player, client.Person{Nick: nick})
		e.must(err)
		e.seat(seat, nick)
	}
	e.agree()
	for _, p := range e.players {
		p.claimHand()
	}
	e.agree()
	return e
}

func (e *evening) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// seeded gives the same bytes for the same seed. Several rooms may read it.
type seeded struct {
	mu     sync.Mutex
	source *mathrand.ChaCha8 // Guarded by mu.
}

func (s *seeded) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Read(p)
}

// serve starts a server, which ends with the test.
func (e *evening) serve(seed uint64, games *game.Shelf) *room.Rooms {
	e.t.Helper()
	db, err := storage.Open(e.t.Context(), e.t.TempDir(), storage.Options{})
	e.must(err)
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	e.clock.Store(1_800_000_000_000)
	now := func() id.Millis { return id.Millis(e.clock.Load()) }
	log := slog.New(slog.DiscardHandler)
	rooms := room.New(room.Config{
		Store: db, Shelf: games, InviteKey: make([]byte, 32), Now: now, Log: log,
		Minter: id.NewMinter(id.HostID{1}, now(), func(id.Millis) error { return nil }),
		Random: io.Reader(&seeded{source: mathrand.NewChaCha8(key)}),
	})
	assets, err := web.RawAssets(static.Files)
	e.must(err)
	pages := web.New(web.Config{Rooms: rooms, Shelf: games, Log: log, Assets: assets})
	at := httptest.NewUnstartedServer(pages)
	at.Config = pages.HTTP()
	at.Start()
	e.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		err := errors.Join(rooms.Shutdown(ctx), pages.Shutdown(ctx))
		at.Close()
		if err = errors.Join(err, db.Close()); err != nil {
			e.t.Error(err)
		}
	})
	e.server, err = client.NewServer(at.URL, &http.Client{})
	e.must(err)
	return rooms
}

// seat lets somebody's program watch the table from a seat, until the test ends.
func (e *evening) seat(seat client.Seat, nick string) {
	e.t.Helper()
	p := &player{
		e: e, nick: nick, seat: seat,
		ended: map[id.ClientSeq]outcome{}, changed: make(chan struct{}),
	}
	var name id.Client
	_, err := rand.Read(name[:])
	e.must(err)
	p.Client, err = client.New(client.Config{
		Server: e.server, Seat: seat, Client: name, Transport: client.WebSocket, Handle: p.handle,
	})
	e.must(err)
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- p.Run(ctx) }()
	e.t.Cleanup(func() {
		cancel()
		if err := <-over; !errors.Is(err, context.Canceled) {
			e.t.Errorf("%s: %v", nick, err)
		}
	})
	e.players = append(e.players, p)
	p.wait("the table", func() bool { return p.Version() != 0 })
}

func (p *player) handle(ev *client.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch ev.Kind {
	case client.Acked, client.Rejected, client.Conflict, client.Dropped, client.Refused:
		p.ended[ev.Seq] = outcome{kind: ev.Kind, reason: ev.Reason, made: ev.Made, err: ev.Err}
	default:
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// wait waits until something has become true.
func (p *player) wait(what string, is func() bool) {
	p.e.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		p.mu.Lock()
		changed := p.changed
		p.mu.Unlock()
		if is() {
			return
		}
		select {
		case <-changed:
		case <-limit.C:
			p.e.t.Fatalf("%s has waited for %s in vain", p.nick, what)
		}
	}
}

// begin asks for a change of the table, and does not wait for it.
func (p *player) begin(u table.Update) id.ClientSeq {
	p.e.t.Helper()
	seq, err := p.Do(u)
	if err != nil {
		p.e.t.Fatalf("%s cannot do %s: %v", p.nick, u.Op, err)
	}
	return seq
}

// outcome waits until a change has ended, and returns how.
func (p *player) outcome(seq id.ClientSeq) (o outcome) {
	p.e.t.Helper()
	p.wait("an outcome", func() (is bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		o, is = p.ended[seq]
		return is
	})
	return o
}

// check fails unless a change has succeeded.
func (p *player) check(u *table.Update, o outcome) {
	p.e.t.Helper()
	if o.kind != client.Acked {
		p.e.t.Fatalf("%s of %d by %s is %v: %v %v", u.Op, u.Piece, p.nick, o.kind, o.reason, o.err)
	}
}

// do changes the table, which must succeed. It returns the piece that it made, if any.
func (p *player) do(u table.Update) id.Piece {
	p.e.t.Helper()
	o := p.outcome(p.begin(u))
	p.check(&u, o)
	return o.made
}

// onceCool does something that cools down, as soon as that is over. It returns the outcome.
func (p *player) onceCool(u table.Update) outcome {
	p.e.t.Helper()
	o := p.outcome(p.begin(u))
	for i := 0; i < 1000 && o.reason == table.ReasonCooling; i++ {
		p.pause()
		o = p.outcome(p.begin(u))
	}
	return o
}

// drag picks a piece up and puts it down elsewhere.
func (p *player) drag(piece id.Piece, x, y int32) {
	p.e.t.Helper()
	p.do(table.Update{Op: table.OpGrab, Has: table.HasPiece, Piece: piece})
	p.do(table.Update{
		Op: table.OpRelease, Has: table.HasPiece | table.HasXY, Piece: piece, X: x, Y: y,
	})
}

// flip shows another face of a piece.
func (p *player) flip(piece id.Piece, face int32) {
	p.e.t.Helper()
	p.do(table.Update{
		Op: table.OpFlip, Has: table.HasPiece | table.HasFace, Piece: piece, Face: face,
	})
}

// take takes a new piece out of a supply and puts it down. It returns the piece.
func (p *player) take(supply id.Piece, x, y int32) id.Piece {
	p.e.t.Helper()
	return p.do(table.Update{
		Op: table.OpSplit, Has: table.HasPiece | table.HasXY | table.HasN, Piece: supply,
		X: x, Y: y, N: 1,
	})
}

// draw draws pieces from a container and puts them down, as they lie in it.
func (p *player) draw(from id.Piece, n, x, y int32) id.Piece {
	p.e.t.Helper()
	return p.do(table.Update{
		Op: table.OpDraw, Has: table.HasPiece | table.HasXY | table.HasN, Piece: from,
		X: x, Y: y, N: n,
	})
}

// roll rolls a die, and returns the face that it shows.
func (p *player) roll(die id.Piece) int32 {
	p.e.t.Helper()
	u := table.Update{Op: table.OpRoll, Has: table.HasPiece, Piece: die}
	p.check(&u, p.onceCool(u))
	s, _ := p.Piece(die)
	return s.Face
}

// press presses a button, or the first one of several that do the same, with answers to its
// questions. It waits while the button cools down.
func (p *player) press(button string, answers ...int32) {
	p.e.t.Helper()
	all := p.of(button)
	if len(all) == 0 {
		p.e.t.Fatalf("%s sees no button %s", p.nick, button)
	}
	u := table.Update{Op: table.OpRun, Has: table.HasPiece, Piece: all[0].Name}
	if len(answers) > 0 {
		u.Answers, u.Has = answers, u.Has|table.HasAnswers
	}
	p.check(&u, p.onceCool(u))
}

// pause lets half a second pass for the server, as a person does who has pressed a button too
// early. Otherwise the server's clock stands still. So nobody waits, and a seed gives the same
// table with the same dice again.
func (p *player) pause() { p.e.clock.Add(500) }

// claimHand takes a hand that is nobody's, if the player has none and there is one.
func (p *player) claimHand() {
	p.e.t.Helper()
	hands := p.all(func(s table.Shown) bool { return p.e.game.Kinds[s.Kind].Hand })
	owns := func(seat id.Seat) func(table.Shown) bool {
		return func(s table.Shown) bool { return s.Owner == seat }
	}
	free := slices.IndexFunc(hands, owns(0))
	if free >= 0 && !slices.ContainsFunc(hands, owns(p.seat.Number)) {
		p.do(table.Update{Op: table.OpClaim, Has: table.HasPiece, Piece: hands[free].Name})
		p.e.agree()
	}
}

// all returns the pieces in the player's view for which is holds, by their names. Names of the same
// piece may differ between views.
func (p *player) all(is func(table.Shown) bool) (all []table.Shown) {
	for _, s := range p.View().Pieces {
		if !s.Gone && is(s) {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b table.Shown) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// of returns the pieces of a kind, by their names.
func (p *player) of(kind string) []table.Shown {
	p.e.t.Helper()
	number := p.e.kind(kind)
	return p.all(func(s table.Shown) bool { return s.Kind == number })
}

// one returns the only piece of a kind.
func (p *player) one(kind string) table.Shown {
	p.e.t.Helper()
	all := p.of(kind)
	if len(all) != 1 {
		p.e.t.Fatalf("%s sees %d of %s, not one", p.nick, len(all), kind)
	}
	return all[0]
}

// at returns the light pieces that lie openly within r of a place, by their names.
func (p *player) at(x, y, r int32) []table.Shown {
	return p.all(func(s table.Shown) bool {
		return p.e.game.Kinds[s.Kind].Weight == "light" && s.Owner == 0 &&
			max(s.X-x, x-s.X, s.Y-y, y-s.Y) <= r
	})
}

// inHand returns the pieces that lie in the player's own hand, by their names.
func (p *player) inHand() []table.Shown {
	return p.all(func(s table.Shown) bool {
		k := &p.e.game.Kinds[s.Kind]
		return s.Owner == p.seat.Number && !k.Hand && k.Seat == ""
	})
}

// holds returns how many pieces lie in a container or a hand, as everybody knows.
func (p *player) holds(name id.Piece) (n int) {
	for _, tally := range p.View().Holds {
		if tally.Piece == name {
			n += tally.Count
		}
	}
	return n
}

// nameOf returns the name of the face that a piece shows.
func (e *evening) nameOf(s table.Shown) string { return e.game.Kinds[s.Kind].Faces[s.Face].Name }

// kind returns the number of a kind.
func (e *evening) kind(name string) uint32 {
	e.t.Helper()
	i := slices.IndexFunc(e.game.Kinds, func(k game.Kind) bool { return k.Name == name })
	if i < 0 {
		e.t.Fatalf("%s has no %s", e.game.ID, name)
	}
	return uint32(i)
}

// agree waits until each player's program shows what the server has for that seat, and checks that
// everybody sees the same pieces lie openly on the table.
func (e *evening) agree() {
	e.t.Helper()
	var first []table.Shown
	for i, p := range e.players {
		now, err := e.server.Read(e.t.Context(), p.seat)
		e.must(err)
		p.wait("the table that the server has", func() bool { return p.Version() >= now.Version })
		shown := p.View()
		if diff := differs(now.Pieces, shown.Pieces); diff != "" {
			e.t.Fatalf("%s sees another table than the server has: %s", p.nick, diff)
		}
		if diff := differs(now.Holds, shown.Holds); diff != "" {
			e.t.Fatalf("%s counts otherwise than the server: %s", p.nick, diff)
		}
		public := e.public(p)
		if i == 0 {
			first = public
		} else if diff := differs(first, public); diff != "" {
			e.t.Fatalf("%s sees another table than %s: %s", p.nick, e.players[0].nick, diff)
		}
	}
	e.turns++
}

// differs says how two lists differ. Most lists are the same, and it finds that out fast.
func differs[T comparable](a, b []T) string {
	if slices.Equal(a, b) {
		return ""
	}
	return gocmp.Diff(a, b)
}

// public returns what a player sees of the pieces that lie openly on the table, without what
// differs between views: names and versions.
func (e *evening) public(p *player) []table.Shown {
	all := p.all(func(s table.Shown) bool { return s.Owner == 0 })
	for i := range all {
		s := &all[i]
		s.Name, s.Version, s.ZVersion = 0, 0, 0
	}
	slices.SortFunc(all, func(a, b table.Shown) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Face, b.Face), cmp.Compare(a.Z, b.Z), cmp.Compare(a.Value, b.Value))
	})
	return all
}
