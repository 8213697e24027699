package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/static"
	"holt/storage"
	"holt/web"
)

var clientSeed = flag.Uint64("clientseed", 0,
	"seed of the only run of TestCutClients; 0 plays several that are always the same")

// TestCutClients plays with clients of server/client at a server. Everything is real except the
// time and the network. Connections break, with or without an error, and the server restarts.
func TestCutClients(t *testing.T) {
	first, n := *clientSeed, 1
	if first == 0 {
		first, n = 1, 30
		if testing.Short() {
			n = 5
		}
	}
	t.Run("S5, S6, S8, T8 despite cuts all agree on one outcome per update", func(t *testing.T) {
		t.Logf("%d runs; of the first: -run TestCutClients -clientseed %d", n, first)
		var all met
		for i := range uint64(n) {
			seed, dir := first+i, t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				playAndCut(t, dir, mathrand.New(mathrand.NewPCG(seed, 0)), &all)
			})
			if t.Failed() {
				t.Fatalf("-run TestCutClients -clientseed %d", seed)
			}
		}
		t.Logf("%+v", &all)
		if all.resumed < 5*n || all.wholes < 8*n || all.acked < 40*n || all.others < 60*n ||
			all.moved < 5*n {
			t.Errorf("it covers little: %+v", &all)
		}
	})
}

// met counts what happened to the clients of all runs.
type met struct{ resumed, wholes, acked, others, moved, retried int }

// wires is a network in memory on which a server listens.
type wires struct {
	dialled chan net.Conn
	mu      sync.Mutex
	over    chan struct{} // of the current listener; closed when it ends
}

func (w *wires) Accept() (net.Conn, error) {
	select {
	case c := <-w.dialled:
		return c, nil
	case <-w.now():
		return nil, net.ErrClosed
	}
}

func (w *wires) now() chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}

// listening starts a new listener.
func (w *wires) listening() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = make(chan struct{})
}

// Close ends the listener. It may be called more than once.
func (w *wires) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.over:
	default:
		close(w.over)
	}
	return nil
}

func (w *wires) Addr() net.Addr { return address{} }

// dial connects to the server, if there is one.
func (w *wires) dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case w.dialled <- addressed{far}:
		return near, nil
	case <-w.now():
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type address struct{}

func (address) Network() string { return "tcp" }
func (address) String() string  { return "192.0.2.1:1" }

// addressed is a connection with a remote address.
type addressed struct{ net.Conn }

func (addressed) RemoteAddr() net.Addr { return address{} }

// half is a client's end of a connection that may get stuck: then nothing arrives any more in
// either direction, and neither end gets an error.
type half struct {
	net.Conn
	stuck  atomic.Bool
	closed chan struct{}
	once   sync.Once
}

func (h *half) Read(b []byte) (int, error) {
	n, err := h.Conn.Read(b)
	if h.stuck.Load() {
		<-h.closed
		return 0, net.ErrClosed
	}
	return n, err
}

func (h *half) Write(b []byte) (int, error) {
	if h.stuck.Load() {
		return len(b), nil
	}
	return h.Conn.Write(b)
}

func (h *half) Close() error {
	h.once.Do(func() { close(h.closed) })
	return h.Conn.Close()
}

// parlour is a server that can restart, in virtual time.
type parlour struct {
	t     *testing.T
	dir   string
	wires *wires
	db    *storage.DB
	host  *runningServer
	ended chan error
}

func (p *parlour) open() {
	p.t.Helper()
	ctx := context.Background()
	db, err := storage.Open(ctx, p.dir, storage.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	shelf, err := game.LoadShelf(static.Files)
	if err != nil {
		p.t.Fatal(err)
	}
	minter, key, err := openIdentity(ctx, db)
	if err != nil {
		p.t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	rooms := room.New(room.Config{Store: db, Minter: minter, Shelf: shelf, InviteKey: key,
		Now: newClock().now, Random: rand.Reader, Log: log})
	assets, err := web.RawAssets(static.Files)
	if err != nil {
		p.t.Fatal(err)
	}
	server := web.New(web.Config{Rooms: rooms, Shelf: shelf, Log: log, Assets: assets})
	p.wires.listening()
	p.db, p.host, p.ended = db, &runningServer{
		rooms: rooms, web: server, http: server.HTTP(), log: log, network: new(network),
	},
		make(chan error, 1)
	go func() { p.ended <- p.host.http.Serve(p.wires) }()
}

func (p *parlour) close() {
	p.t.Helper()
	if err := errors.Join(p.host.stop(context.Background()), p.db.Close()); err != nil {
		p.t.Error(err)
	}
	if err := <-p.ended; !errors.Is(err, http.ErrServerClosed) {
		p.t.Error(err)
	}
}

// passenger is a client whose connections break, with what happened to it.
type passenger struct {
	*client.Client
	t         *testing.T
	rand      *mathrand.Rand
	server    *client.Server
	seat      client.Seat
	transport *http.Transport
	ended     chan error

	made []id.ClientSeq // owned by the test

	mu sync.Mutex
	// Guarded by mu.
	lines    []*half
	outcomes map[id.ClientSeq][]client.EventKind
	log      []string
	met      met
}

// board makes a passenger that has no seat yet.
func (p *parlour) board(rnd *mathrand.Rand) *passenger {
	g := &passenger{
		t: p.t, rand: mathrand.New(mathrand.NewPCG(rnd.Uint64(), 0)), ended: make(chan error, 1),
		outcomes: map[id.ClientSeq][]client.EventKind{},
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		c, err := p.wires.dial(ctx)
		if err != nil {
			return nil, err
		}
		h := &half{Conn: c, closed: make(chan struct{})}
		g.mu.Lock()
		defer g.mu.Unlock()
		g.lines = append(g.lines, h)
		return h, nil
	}
	g.transport = &http.Transport{DialContext: dial}
	var err error
	if g.server, err = client.NewServer("http://table.example/",
		&http.Client{Transport: logging{g.transport, g}}); err != nil {
		p.t.Fatal(err)
	}
	return g
}

type logging struct {
	http.RoundTripper
	g *passenger
}

func (l logging) RoundTrip(r *http.Request) (*http.Response, error) {
	var text []byte
	if r.Method == http.MethodPost && r.GetBody != nil {
		b, _ := r.GetBody()
		text, _ = io.ReadAll(b)
	}
	l.g.logf("%s %s %s", r.Method, r.URL, text)
	a, err := l.RoundTripper.RoundTrip(r)
	if a != nil {
		l.g.logf("  answered %d", a.StatusCode)
	} else {
		l.g.logf("  failed %v", err)
	}
	return a, err
}

func (g *passenger) logf(f string, a ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.log = append(g.log, fmt.Sprintf(time.Now().Format("15:04:05.000 ")+f, a...))
}

// run runs the client until leave is called.
func (g *passenger) run(seat client.Seat) (leave func()) {
	g.seat = seat
	var err error
	if g.Client, err = client.New(client.Config{Server: g.server, Seat: seat,
		Handle: g.handle}); err != nil {
		g.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { g.ended <- g.Run(ctx) }()
	return func() {
		cancel()
		if err := <-g.ended; !errors.Is(err, context.Canceled) {
			g.t.Errorf("the client of seat %d ended: %v", seat.Number, err)
		}
		g.transport.CloseIdleConnections()
	}
}

// handle records an event.
func (g *passenger) handle(e *client.Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.log = append(g.log, fmt.Sprintf(time.Now().Format("15:04:05.000 ")+
		"%v seq %d piece %d mark %d %v", e.Kind, e.Seq, e.Piece.Name, e.Piece.Version, e.Err))
	switch e.Kind {
	case client.Synchronised:
		g.met.wholes++
	case client.Resumed:
		g.met.resumed++
	case client.Moved:
		g.met.moved++
	case client.Retried:
		g.met.retried++
	case client.Acked:
		g.met.acked++
		g.outcomes[e.Seq] = append(g.outcomes[e.Seq], e.Kind)
	case client.Rejected, client.Conflict, client.Dropped, client.Refused:
		g.met.others++
		g.outcomes[e.Seq] = append(g.outcomes[e.Seq], e.Kind)
		if e.Kind == client.Refused {
			g.t.Errorf("seat %d: update %d was refused: %v", g.seat.Number, e.Seq, e.Err)
		}
	default:
	}
}

// act makes a random update, or publishes the motion of a piece that the seat holds.
func (g *passenger) act() {
	pieces := g.View().Pieces
	if len(pieces) == 0 {
		return
	}
	p := pieces[g.rand.IntN(min(len(pieces), 30))] // few pieces, so that clients conflict
	x, y := g.rand.Int32N(8000)-4000, g.rand.Int32N(5000)-2500
	if p.Holder == g.seat.Number && g.rand.IntN(2) == 0 {
		// It may be lost.
		_ = g.Carry(context.Background(), 0, client.Place{Piece: p.Name, X: x, Y: y})
		return
	}
	u := table.Update{Piece: p.Name, Has: table.HasPiece}
	switch n := g.rand.IntN(20); {
	case n < 7:
		u.Op, u.Has, u.X, u.Y = table.OpMove, u.Has|table.HasXY, x, y
	case n < 10:
		u.Op = table.OpGrab
		if g.rand.IntN(3) == 0 {
			u.Has |= table.HasLoose
		}
	case n < 13:
		u.Op, u.Has, u.X, u.Y = table.OpRelease, u.Has|table.HasXY, x, y
	case n < 15:
		u.Op = table.OpWrest
	case n < 17:
		u.Op = table.OpRaise
	case n < 18:
		u.Op, u.Has, u.Angle = table.OpRotate, u.Has|table.HasAngle, g.rand.Int32N(4)*9000
		if g.rand.IntN(2) == 0 {
			u.Op, u.Has, u.X, u.Y = table.OpPivot, u.Has|table.HasXY, x, y
		}
	case n < 19:
		u.Op, u.Has, u.X, u.Y = table.OpCopy, u.Has|table.HasXY, x, y
	default:
		u.Op = table.OpDelete
	}
	if seq, err := g.Do(u); err == nil {
		g.made = append(g.made, seq)
	} else if !errors.Is(err, client.ErrLoose) && !errors.Is(err, client.ErrTooMany) {
		g.t.Errorf("seat %d: %v", g.seat.Number, err)
	}
}

// jam makes all connections of the client stuck.
func (g *passenger) jam() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, h := range g.lines {
		h.stuck.Store(true)
	}
	g.lines = nil
}

// sever breaks all connections of the client.
func (g *passenger) sever() {
	g.mu.Lock()
	lines := g.lines
	g.lines = nil
	g.mu.Unlock()
	for _, h := range lines {
		_ = h.Close()
	}
}

// check compares what the client displays with what the server shows its seat, and checks the
// outcomes.
func (g *passenger) check() {
	if g.t.Failed() {
		for _, l := range g.log {
			g.t.Log(l)
		}
	}
	for _, seq := range g.made {
		if n := len(g.outcomes[seq]); n != 1 {
			g.t.Errorf("seat %d: update %d has the outcomes %v", g.seat.Number, seq,
				g.outcomes[seq])
		}
	}
	if len(g.outcomes) != len(g.made) {
		g.t.Errorf("seat %d: %d updates were made, and %d have an outcome", g.seat.Number,
			len(g.made), len(g.outcomes))
	}
	g.transport.CloseIdleConnections() // some may be stuck
	want, err := g.server.Read(context.Background(), g.seat)
	if err != nil {
		g.t.Fatal(err)
	}
	got := g.View()
	for _, v := range []*client.View{&got, &want} {
		for i := range v.Pieces {
			v.Pieces[i].Version = 0 // a reject gives the client a version of its own (T14)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		g.t.Errorf("T8 seat %d differs from the server: %s", g.seat.Number, diff)
	}
}

// playAndCut is one run.
func playAndCut(t *testing.T, dir string, rnd *mathrand.Rand, all *met) {
	p := &parlour{t: t, dir: dir, wires: &wires{dialled: make(chan net.Conn)}}
	p.open()
	defer func() { p.close() }()
	guests := p.party(rnd)
	for range 800 {
		g := guests[rnd.IntN(len(guests))]
		switch n := rnd.IntN(200); {
		case n < 3:
			g.sever()
		case n < 5:
			g.jam()
		case n < 8:
			g.Cut(outage(rnd))
		case n < 10:
			g.ForceFull()
			g.Cut(0)
		case n < 11 && rnd.IntN(3) == 0:
			p.close()
			<-time.After(outage(rnd))
			p.open()
		case n < 90:
			g.act()
		default:
			<-time.After(time.Duration(rnd.Int64N(int64(100 * time.Millisecond))))
		}
	}
	<-time.After(5 * time.Minute) // by then every cut client has noticed it and is back
	synctest.Wait()
	for _, g := range guests {
		g.check()
		all.add(&g.met)
	}
}

// party seats four clients: two of the host's seat and two players.
func (p *parlour) party(rnd *mathrand.Rand) []*passenger {
	ctx := context.Background()
	ada := p.board(rnd)
	host, invites, err := ada.server.CreateTable(ctx, "cards", "", client.Person{Nick: "Ada"})
	if err != nil {
		p.t.Fatal(err)
	}
	guests := []*passenger{ada, p.board(rnd)}
	seats := []client.Seat{host, host}
	for _, nick := range []string{"Ben", "Cid"} {
		g := p.board(rnd)
		seat, err := g.server.TakeSeat(ctx, host.Table, invites.Player, client.Person{Nick: nick})
		if err != nil {
			p.t.Fatal(err)
		}
		guests, seats = append(guests, g), append(seats, seat)
	}
	for i, g := range guests {
		p.t.Cleanup(g.run(seats[i]))
	}
	synctest.Wait()
	return guests
}

func (m *met) add(o *met) {
	m.resumed += o.resumed
	m.wholes += o.wholes
	m.acked += o.acked
	m.others += o.others
	m.moved += o.moved
	m.retried += o.retried
}

// outage returns how long a network is down, from a tenth of a second to two minutes. Short and
// long outages are equally frequent.
func outage(rnd *mathrand.Rand) time.Duration {
	return time.Duration(float64(time.Second) * 0.1 * math.Pow(1200, rnd.Float64()))
}
