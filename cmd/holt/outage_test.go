package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

var outageTrials = flag.Int("outages", 2, "how many outages TestS6Outages makes of each sort")

// cable is a client's end of a connection that can be cut. A direction that is cut takes what is
// written to it, as the buffers of a system do, and brings nothing.
type cable struct {
	net.Conn
	up, down atomic.Bool   // cut: from the client, from the server
	closed   chan struct{} // by the client
	once     sync.Once
}

func (c *cable) Read(b []byte) (int, error) {
	for {
		n, err := c.Conn.Read(b)
		switch {
		case !c.down.Load():
			return n, err
		case err != nil: // the server's end has gone, and nobody says so
			<-c.closed
			return 0, net.ErrClosed
		}
	}
}

func (c *cable) Write(b []byte) (int, error) {
	if c.up.Load() {
		return len(b), nil
	}
	return c.Conn.Write(b)
}

// Close closes the connection. If the direction to the server is cut, the server does not hear of
// it.
func (c *cable) Close() error {
	c.once.Do(func() { close(c.closed) })
	if c.up.Load() {
		return nil
	}
	return c.Conn.Close()
}

// TestS6Outages measures how long after a WebSocket was cut each end notices it, and checks the
// bounds: 25 s at the server (S6.2, S6.3), 40 s at the client (S6.5). Everything is real except the
// time and the network. The server's notice is what another player sees (S11.4).
// Clauses: S6.1, S6.3, S11.4
func TestS6Outages(t *testing.T) {
	const (
		// A ping waits for a second while something is written.
		serverBound = 26 * time.Second
		clientBound = 40 * time.Second
		// Until others see it, a tick passes.
		publishing = 100 * time.Millisecond
	)
	for _, c := range []struct {
		name           string
		up, down       bool
		server, client time.Duration // bounds
	}{
		{"both ways", true, true, serverBound, clientBound},
		// The server says why it closes the stream, and the client hears that.
		{"from the client", true, false, serverBound, serverBound},
		// The client's own pings are answers (S6.4). At the latest the server hears that it closes.
		{"from the server", false, true, clientBound, clientBound},
	} {
		for _, busy := range []bool{false, true} {
			name := fmt.Sprintf("S6.2, S6.5 both ends notice a cut WebSocket: %s, busy %t", c.name, busy)
			t.Run(name, func(t *testing.T) {
				var server, client []time.Duration
				for i := range *outageTrials {
					dir := t.TempDir()
					synctest.Test(t, func(t *testing.T) {
						rnd := rand.New(rand.NewPCG(uint64(i), 6))
						after := time.Duration((float64(i) + rnd.Float64()) / float64(*outageTrials) *
							float64(30*time.Second))
						s, k := cutOff(t, dir, after, c.up, c.down, busy)
						server, client = append(server, s), append(client, k)
					})
				}
				for _, end := range []struct {
					name  string
					took  []time.Duration
					bound time.Duration
				}{{"server", server, c.server}, {"client", client, c.client}} {
					slices.Sort(end.took)
					if end.took[0] <= 0 || end.took[len(end.took)-1] > end.bound+publishing {
						t.Errorf("the %s notices it after %v, want %v at most", end.name, end.took, end.bound)
					}
					t.Logf("WebSocket, %s, busy %t: %s %.1f / %.1f / %.1f s", c.name, busy, end.name,
						end.took[0].Seconds(), end.took[len(end.took)/2].Seconds(),
						end.took[len(end.took)-1].Seconds())
				}
			})
		}
	}
}

// cutOff cuts the connections of one of two players after some time. It returns when the other one
// sees that, and when the player's own client notices it. At a busy table the other player moves
// something every half second.
func cutOff(t *testing.T, dir string, after time.Duration, up, down, busy bool,
) (server, own time.Duration) {
	p := &parlour{t: t, dir: dir, wires: &wires{dialled: make(chan net.Conn)}}
	p.open()
	defer p.close()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()

	type sign struct {
		at   time.Time
		seat id.Seat
	}
	lost := make(chan sign, 1000)
	seen := make(chan sign, 1000)
	var victim atomic.Uint32
	ada, host, invites := p.attend(ctx, &running, nil, "", nil)
	var mu sync.Mutex
	var cables []*cable
	var isCut atomic.Bool
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		if isCut.Load() {
			return nil, errors.New("no network")
		}
		near, err := p.wires.dial(ctx)
		if err != nil {
			return nil, err
		}
		c := &cable{Conn: near, closed: make(chan struct{})}
		mu.Lock()
		defer mu.Unlock()
		cables = append(cables, c)
		return c, nil
	}
	watching := func(e *client.Event) {
		if e.Kind == client.SeatChanged && uint32(e.By) == victim.Load() {
			seen <- sign{time.Now(), e.By}
		}
	}
	watcher := p.enter(ctx, &running, ada, host, watching)
	ben, seat, _ := p.attend(ctx, &running, dial, invites, &host)
	victim.Store(uint32(seat.Number))
	p.enter(ctx, &running, ben, seat, func(e *client.Event) {
		if e.Kind == client.Lost {
			select {
			case lost <- sign{at: time.Now()}:
			default:
			}
		}
	})
	quiet := make(chan struct{})
	running.Go(func() {
		all := watcher.View().Pieces
		free := slices.IndexFunc(all, func(p table.Shown) bool { return !p.Pinned && !p.Locked })
		for x := int32(0); busy; x++ {
			select {
			case <-time.After(500 * time.Millisecond):
				u := table.Update{Op: table.OpMove, Has: table.HasPiece | table.HasXY,
					Piece: all[free].Name, X: x}
				if _, err := watcher.Do(u); err != nil {
					t.Error(err)
				}
			case <-quiet:
				return
			}
		}
	})
	<-time.After(after)
	synctest.Wait()
	for len(seen) > 0 {
		<-seen
	}
	start := time.Now()
	isCut.Store(true)
	mu.Lock()
	for _, c := range cables {
		c.up.Store(up)
		c.down.Store(down)
	}
	mu.Unlock()
	defer close(quiet)
	tooLate := time.After(2 * time.Minute)
	for own == 0 || server == 0 {
		select {
		case <-tooLate:
			t.Errorf("after two minutes the server has noticed it after %v, the client after %v", server,
				own)
			return server, own
		case s := <-lost:
			if own == 0 {
				own = s.at.Sub(start)
			}
		case s := <-seen:
			for _, other := range watcher.View().Seats {
				if other.Seat == s.seat && other.Presence == holtpb.Presence_PRESENCE_LOST && server == 0 {
					server = s.at.Sub(start)
				}
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for _, c := range cables {
		_ = c.Conn.Close()
	}
	return server, own
}

// attend connects a program that has no stream yet, and gives it a seat: the host's of a new table,
// or one by an invitation.
func (p *parlour) attend(ctx context.Context, running *sync.WaitGroup,
	dial func(context.Context, string, string) (net.Conn, error), invite string, at *client.Seat,
) (server *client.Server, seat client.Seat, invites string) {
	p.t.Helper()
	if dial == nil {
		dial = func(ctx context.Context, _, _ string) (net.Conn, error) { return p.wires.dial(ctx) }
	}
	transport := &http.Transport{DialContext: dial, DisableKeepAlives: true}
	server, err := client.NewServer("http://table.example/", &http.Client{Transport: transport})
	if err != nil {
		p.t.Fatal(err)
	}
	if at != nil {
		seat, err = server.TakeSeat(ctx, at.Table, invite, client.Person{Nick: "Ben"})
	} else {
		var all client.Invites
		seat, all, err = server.CreateTable(ctx, "chess", "", client.Person{Nick: "Ada"})
		invites = all.Player
	}
	if err != nil {
		p.t.Fatal(err)
	}
	running.Go(func() {
		<-ctx.Done()
		transport.CloseIdleConnections()
	})
	return server, seat, invites
}

// enter runs a client with a WebSocket until ctx is done, and waits until it is synchronised.
func (p *parlour) enter(ctx context.Context, running *sync.WaitGroup, server *client.Server,
	seat client.Seat, handle func(*client.Event)) *client.Client {
	p.t.Helper()
	synchronised := make(chan struct{}, 100)
	c, err := client.New(client.Config{Server: server, Seat: seat, Handle: func(e *client.Event) {
		if e.Kind == client.Synchronised {
			synchronised <- struct{}{}
		}
		handle(e)
	}})
	if err != nil {
		p.t.Fatal(err)
	}
	running.Go(func() { _ = c.Run(ctx) })
	<-synchronised
	return c
}
