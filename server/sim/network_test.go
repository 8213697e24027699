package sim

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"holt/server/transport/endpoint"
	"holt/static"
	"holt/web"
)

// serverWithHTTP is a host with its HTTP server. Programs reach it over a network inside the
// process.
type serverWithHTTP struct {
	host
	network *network
	web     *web.Server
	http    *http.Server
	served  chan error

	packets  *packetNetwork // where its datagrams go; nil: it has none
	listener *endpoint.Listener
}

func (h *serverWithHTTP) start() {
	h.t.Helper()
	h.host.start()
	var err error
	// Nothing is bundled: that would take a while and leave goroutines behind.
	assets, err := web.RawAssets(static.Files)
	if err != nil {
		h.t.Fatal(err)
	}
	cfg := web.Config{
		Rooms: h.rooms, Shelf: h.shelf, Log: slog.New(slog.DiscardHandler), Assets: assets,
	}
	if h.packets != nil {
		h.listener = h.packets.listen(h.t)
		cfg.Datagrams = h.listener
	}
	h.web = web.New(cfg)
	if h.listener != nil {
		err := h.listener.Serve(endpoint.Host{
			Open: h.web.OpenByDatagrams, Problem: h.web.ProblemCode, Origin: h.web.MayOpenSession,
		})
		if err != nil {
			h.t.Fatal(err)
		}
	}
	h.http = h.web.HTTP()
	h.served = make(chan error, 1) // Serve returns once
	l := h.network.open()
	go func() { h.served <- h.http.Serve(l) }()
}

func (h *serverWithHTTP) stop() {
	h.t.Helper()
	h.host.stopRooms()
	if err := h.web.Shutdown(context.Background()); err != nil {
		h.t.Error(err)
	}
	h.shutListener()
	if err := h.http.Close(); err != nil {
		h.t.Error(err)
	}
	if err := <-h.served; !errors.Is(err, http.ErrServerClosed) {
		h.t.Error(err)
	}
	h.host.closeStore()
}

// network leads to the server that runs at the moment, if one does.
type network struct {
	mu     sync.Mutex
	server *gate // Guarded by mu.
}

// gate is where connections arrive.
type gate struct {
	arriving chan net.Conn // unbuffered
	closed   chan struct{}
	once     sync.Once
}

func (n *network) open() *gate {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.server = &gate{arriving: make(chan net.Conn), closed: make(chan struct{})}
	return n.server
}

func (g *gate) Accept() (net.Conn, error) {
	select {
	case c := <-g.arriving:
		return c, nil
	case <-g.closed:
		return nil, net.ErrClosed
	}
}

func (g *gate) Close() error {
	g.once.Do(func() { close(g.closed) })
	return nil
}

func (*gate) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// addressed gives an end of a pipe an address, as net/http reports it.
type addressed struct{ net.Conn }

func (addressed) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }

var errLost = errors.New("the network has lost it")

// clientNetwork is the connection of one program to a network. It loses requests, and answers to
// requests that have arrived. At times it leads nowhere.
type clientNetwork struct {
	network   *network
	transport *http.Transport

	mu sync.Mutex
	// Guarded by mu.
	rnd    *rand.Rand
	losing bool
	away   bool
	conns  map[*conn]struct{}
}

func newClientNetwork(n *network, seed uint64) *clientNetwork {
	r := &clientNetwork{network: n, rnd: rand.New(rand.NewPCG(seed, 1)), conns: map[*conn]struct{}{}}
	r.transport = &http.Transport{DisableKeepAlives: true, DialContext: r.dial}
	return r
}

func (r *clientNetwork) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	r.network.mu.Lock()
	g := r.network.server
	r.network.mu.Unlock()
	r.mu.Lock()
	away := r.away
	r.mu.Unlock()
	if away {
		return nil, errLost
	}
	near, far := net.Pipe()
	select {
	case g.arriving <- addressed{far}:
	case <-g.closed:
		return nil, errLost
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c := &conn{Conn: near, network: r, closed: make(chan struct{})}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conns[c] = struct{}{}
	return c, nil
}

// RoundTrip loses one request in six before it arrives, and the answer to another one. It does not
// lose requests that open streams.
func (r *clientNetwork) RoundTrip(req *http.Request) (*http.Response, error) {
	r.mu.Lock()
	fate := 5
	if r.losing && req.Method == http.MethodPost {
		fate = r.rnd.IntN(6)
	}
	r.mu.Unlock()
	if fate == 0 {
		return nil, errLost
	}
	res, err := r.transport.RoundTrip(req)
	if err == nil && fate == 1 {
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		return nil, errLost
	}
	return res, err
}

// lose makes the road lose requests and answers from now on.
func (r *clientNetwork) lose() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.losing = true
}

// disconnect makes the road lead nowhere until it is mended. Both ends notice that, or only find
// out that nothing comes any more.
func (r *clientNetwork) disconnect(told bool) {
	r.mu.Lock()
	r.away = true
	var all []*conn
	for c := range r.conns {
		all = append(all, c)
	}
	r.mu.Unlock()
	for _, c := range all {
		if told {
			_ = c.Close()
		} else {
			c.dead()
		}
	}
}

// reconnect makes the road lead to the server again. With forGood it also stops losing requests.
func (r *clientNetwork) reconnect(forGood bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.away = false
	r.losing = r.losing && !forGood
}

// conn is the near end of a connection.
type conn struct {
	net.Conn
	network *clientNetwork
	closed  chan struct{}
	once    sync.Once

	mu   sync.Mutex
	lost bool // nothing passes any more. Guarded by mu.
}

func (c *conn) dead() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost = true
}

func (c *conn) isDead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.isDead() {
		<-c.closed
		return 0, net.ErrClosed
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	if c.isDead() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

func (c *conn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.network.mu.Lock()
		delete(c.network.conns, c)
		c.network.mu.Unlock()
	})
	return c.Conn.Close()
}

// SetDeadline does nothing: callers that wait find out what is lost.
func (*conn) SetDeadline(time.Time) error { return nil }
