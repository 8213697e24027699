package peer

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"
	"nhooyr.io/websocket"

	"holt/server/id"
	"holt/server/tables/stream"
	"holt/server/testport"
	"holt/server/transport/endpoint"
)

// ground is the network of the hosts.
type ground interface {
	// udp opens a socket for a host. Port 0 stands for any.
	udp(h *host, port uint16) net.PacketConn
	// tcp opens a listener for HTTP.
	tcp(h *host) net.Listener
	dial(ctx context.Context, h *host, address string) (net.Conn, error)
}

// world is some hosts on a network.
type world struct {
	*testing.T
	ground
	hosts []*host
	// onStreams is called with each stream that comes by WebSocket, if it is set.
	onStreams func(h *host, c net.Conn) net.Conn
}

// host is a server with links. A test may start it more than once.
type host struct {
	*world
	index    int
	key      ed25519.PrivateKey
	store    *memory
	log      *journal
	machine  *recorder
	noUDP    bool
	address  netip.AddrPort // of UDP and of HTTP
	links    *Links
	listener *endpoint.Listener
	http     *http.Server
	serving  sync.WaitGroup
	running  bool
}

// inWorld runs a test in virtual time.
func inWorld(t *testing.T, hosts int, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, newMap(), hosts)
		defer w.stop()
		test(w)
	})
}

// onLoopback runs a test with real sockets.
func onLoopback(t *testing.T, hosts int, test func(w *world)) {
	t.Helper()
	w := newWorld(t, loopback{t}, hosts)
	defer w.stop()
	test(w)
}

func newWorld(t *testing.T, g ground, hosts int) *world {
	t.Helper()
	w := &world{T: t, ground: g}
	for i := range hosts {
		seed := make([]byte, ed25519.SeedSize)
		seed[0], seed[1] = byte(i), 7
		h := &host{world: w, index: i, key: ed25519.NewKeyFromSeed(seed), store: newMemory(),
			log: &journal{}, machine: newRecorder()}
		w.hosts = append(w.hosts, h)
		h.start()
	}
	return w
}

func (w *world) stop() {
	for _, h := range w.hosts {
		h.stop()
	}
}

// must fails the test if there is an error.
func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// start starts a host, in a new life.
func (h *host) start() {
	h.Helper()
	web := h.tcp(h)
	h.address = web.Addr().(*net.TCPAddr).AddrPort()
	addresses := []Address{Address("http://" + h.address.String())}
	certificates, err := endpoint.SelfSigned(time.Now)
	h.must(err)
	cfg := endpoint.Config{Certificates: certificates, Log: slog.New(slog.DiscardHandler)}
	if !h.noUDP {
		addresses = append([]Address{Address("quic://" + h.address.String())}, addresses...)
		cfg.QUIC = h.udp(h, h.address.Port())
	}
	h.links, err = New(h.Context(), Config{
		Key: h.key, Name: fmt.Sprintf("host %d", h.index), Addresses: addresses, Store: h.store,
		Log: slog.New(slog.NewTextHandler(h.log, nil)),
		Dialer: &endpoint.Dialer{Socket: func() (net.PacketConn, error) {
			return h.udp(h, 0), nil
		}},
		Dial: func(ctx context.Context, _, address string) (net.Conn, error) {
			return h.dial(ctx, h, address)
		},
	})
	h.must(err)
	h.links.Start(h.machine)
	h.listener = endpoint.New(cfg)
	h.must(h.listener.Serve(endpoint.Host{
		Open: func(context.Context, string, stream.Carrier) (*stream.Stream, error) {
			return nil, errors.New("no streams here")
		},
		Problem: func(error) string { return "none" },
		Origin:  func(*http.Request) bool { return false }, Servers: h.links.QUICServers(),
	}))
	h.http = &http.Server{Handler: http.HandlerFunc(h.serveSocket),
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)}
	h.serving.Go(func() { _ = h.http.Serve(web) })
	h.running = true
}

func (h *host) serveSocket(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != WebPath {
		http.NotFound(w, r)
		return
	}
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	var c net.Conn = &socketConn{Conn: websocket.NetConn(context.Background(), ws,
		websocket.MessageBinary), ws: ws}
	if h.onStreams != nil {
		c = h.onStreams(h, c)
	}
	h.serving.Add(1)
	defer h.serving.Done()
	from, _ := netip.ParseAddrPort(r.RemoteAddr) // otherwise it stays unknown
	h.links.ServeStream(c, from.Addr())
}

// stop stops a host gracefully.
func (h *host) stop() {
	h.Helper()
	if !h.running {
		return
	}
	h.running = false
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	h.must(h.links.Shutdown(ctx))
	h.must(h.listener.Shutdown(ctx))
	h.must(h.http.Close())
	h.serving.Wait()
	h.machine.gone()
}

// restartWithoutUDP starts the host again, without an address for UDP.
func (h *host) restartWithoutUDP() {
	h.Helper()
	h.stop()
	h.noUDP = true
	h.start()
}

// refuse has the host refuse n requests of another one, one every so often.
func (h *host) refuse(other *host, n int, every time.Duration) {
	for range n {
		h.links.Refused(other.self(), object(1), "a call by a host that is not a holder")
		if every > 0 {
			pass(every)
		}
	}
}

// link links two hosts. The first has invited the second.
func (w *world) link(a, b *host, rights Rights) {
	w.Helper()
	offer, err := a.links.Invite(w.Context(), rights, DefaultLimits, false)
	w.must(err)
	offer, err = ParseOffer(offer.String())
	w.must(err)
	_, err = b.links.Accept(w.Context(), offer, rights, DefaultLimits)
	w.must(err)
	a.machine.await(w, "up", func(m *recorder) bool { return m.up[b.self()] })
	b.machine.await(w, "up", func(m *recorder) bool { return m.up[a.self()] })
}

func (h *host) self() id.HostID { return h.links.Self() }

// network returns the network by which a host reaches another one.
func (h *host) network(other *host) string {
	for _, i := range h.links.List() {
		if i.Host == other.self() {
			return i.Network
		}
	}
	return "none"
}

// recorder is a machine that records what arrives.
type recorder struct {
	mu sync.Mutex
	// Guarded by mu.
	up       map[id.HostID]bool
	ups      int
	downs    int
	got      map[id.HostID][]Message
	changed  chan struct{}
	receive  func(host id.HostID, m Message) // called before a message is recorded; nil: nobody
	busy     map[id.HostID]bool
	overlaps int
}

func newRecorder() *recorder {
	return &recorder{up: map[id.HostID]bool{}, got: map[id.HostID][]Message{},
		changed: make(chan struct{}), busy: map[id.HostID]bool{}}
}

func (r *recorder) note(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *recorder) Receive(host id.HostID, m Message) {
	r.mu.Lock()
	hook := r.receive
	if r.busy[host] {
		r.overlaps++
	}
	r.busy[host] = true
	r.mu.Unlock()
	if hook != nil {
		hook(host, m)
	}
	r.note(func() {
		r.busy[host] = false
		r.got[host] = append(r.got[host], m)
	})
}

func (r *recorder) Up(host id.HostID)   { r.note(func() { r.up[host] = true; r.ups++ }) }
func (r *recorder) Down(host id.HostID) { r.note(func() { r.up[host] = false; r.downs++ }) }

// gone forgets which hosts were up, like a process that ends.
func (r *recorder) gone() { r.note(func() { clear(r.up) }) }

// await waits until so is true.
func (r *recorder) await(w *world, what string, so func(*recorder) bool) {
	w.Helper()
	late := time.NewTimer(2 * time.Minute)
	defer late.Stop()
	for {
		r.mu.Lock()
		ok, changed := so(r), r.changed
		r.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-late.C:
			for _, h := range w.hosts {
				w.Logf("host %d (%s): %s\n%+v", h.index, h.self(), h.log, h.links.List())
			}
			w.Fatalf("it never happened: %s", what)
		}
	}
}

// texts returns what has arrived from a host, about one object or, if about is zero, about all.
func (r *recorder) texts(from id.HostID, about id.OID) (all []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.got[from] {
		if about.IsZero() || m.About == about {
			all = append(all, string(m.Bytes))
		}
	}
	return all
}

// journal is a log that tests can read.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// memory is a Store in memory.
type memory struct {
	mu          sync.Mutex
	links       map[id.HostID]Link
	cards       map[id.HostID][]byte
	invitations map[Hash]Invitation
	fault       error
}

func newMemory() *memory {
	return &memory{links: map[id.HostID]Link{}, cards: map[id.HostID][]byte{},
		invitations: map[Hash]Invitation{}}
}

func (m *memory) PeerLinks(context.Context) ([]Link, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.links)), m.fault
}

func (m *memory) PutPeerLink(_ context.Context, l Link) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fault == nil {
		m.links[l.Host()] = l
	}
	return m.fault
}

func (m *memory) RemovePeerLink(_ context.Context, host id.HostID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fault == nil {
		delete(m.links, host)
		delete(m.cards, host)
	}
	return m.fault
}

func (m *memory) PeerCards(context.Context) ([][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.cards)), m.fault
}

func (m *memory) PutPeerCard(
	_ context.Context, host id.HostID, card []byte, gone ...id.HostID,
) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fault == nil {
		for _, g := range gone {
			delete(m.cards, g)
		}
		m.cards[host] = slices.Clone(card)
	}
	return m.fault
}

func (m *memory) AddPeerInvitation(_ context.Context, i Invitation, _ id.Millis) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.invitations[i.Hash] = i
	return m.fault
}

func (m *memory) PeerInvitation(_ context.Context, hash Hash) (Invitation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, ok := m.invitations[hash]
	if !ok {
		return i, ErrNoInvitation
	}
	return i, m.fault
}

func (m *memory) TakePeerInvitation(_ context.Context, hash Hash, l Link) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.invitations[hash]; !ok {
		return ErrNoInvitation
	}
	if m.fault == nil {
		delete(m.invitations, hash)
		m.links[l.Host()] = l
	}
	return m.fault
}

// loopback is the network of real sockets.
type loopback struct{ *testing.T }

func (l loopback) udp(_ *host, port uint16) net.PacketConn {
	c, err := net.ListenUDP("udp",
		net.UDPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port)))
	if err != nil {
		l.Fatal(err)
	}
	return c
}

func (l loopback) tcp(h *host) net.Listener {
	if h.address.IsValid() { // it has started before
		c, err := net.Listen("tcp", h.address.String())
		if err != nil {
			l.Fatal(err)
		}
		return c
	}
	c, probe, err := testport.Listen() // the host needs the same port for UDP
	if err == nil {
		err = probe.Close()
	}
	if err != nil {
		l.Fatal(err)
	}
	return c
}

func (l loopback) dial(ctx context.Context, _ *host, address string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp", address)
}

// streets is a network in memory, for virtual time. Host i is at 192.0.2.(10+i):80.
type streets struct {
	simnet.PerfectRouter

	mu sync.Mutex
	// Guarded by mu.
	shut      map[netip.Addr]bool // no UDP passes
	cut       map[netip.Addr]bool // nothing passes
	listeners map[string]*shop
	conns     []net.Conn
	next      uint16
	// loses a fifth of all UDP packets and reorders the rest; nil: does nothing
	rand *rand.Rand
}

func newMap() *streets {
	return &streets{shut: map[netip.Addr]bool{}, cut: map[netip.Addr]bool{},
		listeners: map[string]*shop{}, next: 5000}
}

func addressOf(h *host) netip.Addr {
	return netip.AddrFrom4([4]byte{192, 0, 2, byte(10 + h.index)})
}

// SendPacket delivers a packet after some time, or loses it.
func (s *streets) SendPacket(p simnet.Packet) error {
	from, to := p.From.(*net.UDPAddr).AddrPort().Addr(), p.To.(*net.UDPAddr).AddrPort().Addr()
	p.Data = slices.Clone(p.Data)
	s.mu.Lock()
	delay, chance := 10*time.Millisecond, false
	if s.rand != nil {
		delay, chance = time.Duration(10+s.rand.IntN(40))*time.Millisecond, s.rand.IntN(5) == 0
	}
	s.mu.Unlock()
	time.AfterFunc(delay, func() {
		s.mu.Lock()
		lost := chance || s.shut[from] || s.shut[to] || s.cut[from] || s.cut[to]
		s.mu.Unlock()
		if !lost {
			_ = s.PerfectRouter.SendPacket(p)
		}
	})
	return nil
}

func (s *streets) udp(h *host, port uint16) net.PacketConn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if port == 0 {
		s.next++
		port = s.next
	}
	return simnet.NewBlockingSimConn(&net.UDPAddr{IP: addressOf(h).AsSlice(), Port: int(port)}, s)
}

// shop is a listener of the streets.
type shop struct {
	at     *net.TCPAddr
	queue  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (s *shop) Accept() (net.Conn, error) {
	select {
	case c := <-s.queue:
		return c, nil
	case <-s.closed:
		return nil, net.ErrClosed
	}
}

func (s *shop) Close() error   { s.once.Do(func() { close(s.closed) }); return nil }
func (s *shop) Addr() net.Addr { return s.at }

func (s *streets) tcp(h *host) net.Listener {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &shop{at: &net.TCPAddr{IP: addressOf(h).AsSlice(), Port: 80}, queue: make(chan net.Conn),
		closed: make(chan struct{})}
	s.listeners[l.at.String()] = l
	return l
}

func (s *streets) dial(ctx context.Context, h *host, address string) (net.Conn, error) {
	s.mu.Lock()
	l := s.listeners[address]
	at := netip.MustParseAddrPort(address).Addr()
	cut := s.cut[at] || s.cut[addressOf(h)]
	s.mu.Unlock()
	if l == nil || cut {
		return nil, errors.New("connection refused")
	}
	here, there := net.Pipe()
	select {
	case l.queue <- there:
		s.mu.Lock()
		s.conns = append(s.conns, here, there)
		s.mu.Unlock()
		return here, nil
	case <-l.closed:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// shutUDP blocks all UDP to and from a host, or allows it again.
func (w *world) shutUDP(h *host, shut bool) {
	s := w.ground.(*streets)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut[addressOf(h)] = shut
}

// lossy loses and reorders UDP packets from now on.
func (w *world) lossy(r *rand.Rand) {
	s := w.ground.(*streets)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rand = r
}

// cut blocks everything to and from a host and ends its TCP connections, or allows everything
// again.
func (w *world) cut(h *host, cut bool) {
	s := w.ground.(*streets)
	s.mu.Lock()
	s.cut[addressOf(h)] = cut
	conns := s.conns
	s.conns = nil
	s.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
}

var _ io.Writer = (*journal)(nil)

// Rights returns what a host may do here. It returns none if the host is not linked, or the link is
// not active.
func (l *Links) Rights(host id.HostID) Rights {
	if p := l.linkedHost(host); p != nil {
		if k := p.link(); k.State == Active {
			return k.Gives
		}
	}
	return 0
}
