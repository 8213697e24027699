package peer

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"holt/server/id"
	"holt/server/transport/endpoint"
)

// DialFunc opens a connection to host:port.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Config is what Links need.
type Config struct {
	// Key is the host's key (O1).
	Key ed25519.PrivateKey
	// Name and Addresses are the fields of the host's card (O31).
	Name      string
	Addresses []Address
	Store     Store
	Log       *slog.Logger
	// Dialer opens connections by QUIC. If it is nil, this host opens none by QUIC.
	Dialer *endpoint.Dialer
	// Dial opens connections by TCP. If it is nil, the system's dialer does.
	Dial DialFunc
	// Private lets this host call linked hosts at addresses of its own machine and of private
	// networks, and by plain http, whatever its own addresses are (O44).
	Private bool
}

// Links are the links of this host. Their methods are safe for concurrent use.
type Links struct {
	// Set at construction.
	cfg   Config
	self  *identity
	life  life
	web   *http.Transport
	stop  func()          // closes halt
	halt  <-chan struct{} // closed when Shutdown begins
	clock func() time.Time
	// lookup finds the IP addresses of a name.
	lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)
	// Set by Start, before any connection can come.
	machine Machine

	running sync.WaitGroup // goroutines of partners and lines
	// Held by the goroutine that changes what is known and stored of hosts.
	learning chan struct{}
	proofs   addressLimit // of connections by streams on which nothing has been proved yet
	visitors addressLimit // of connections that have not said what they want

	mu sync.Mutex
	// Guarded by mu.
	linkedHosts map[id.HostID]*linkedHost
	directory   *directory
	card        []byte // this host's, signed
	stopping    bool
	started     bool
}

// maxContacts is how many connections there may be at once that belong to no link yet.
const maxContacts = 64

// New returns the links that the store knows. Before Start it calls no host and accepts no
// connection. The error says that the key is invalid or that the store failed.
func New(ctx context.Context, cfg Config) (*Links, error) {
	self, err := newIdentity(cfg.Key)
	if err != nil {
		return nil, err
	}
	l := &Links{
		cfg: cfg, self: self, web: newWebTransport(cfg.Dial), clock: time.Now,
		lookup:      net.DefaultResolver.LookupNetIP,
		learning:    make(chan struct{}, 1),
		linkedHosts: map[id.HostID]*linkedHost{}, directory: newDirectory(),
	}
	_, _ = rand.Read(l.life[:]) // it never fails
	halting, stop := context.WithCancel(context.WithoutCancel(ctx))
	l.halt, l.stop = halting.Done(), stop
	if err := l.load(ctx); err != nil {
		stop()
		return nil, err
	}
	return l, nil
}

// load reads what the store knows, and renews this host's card.
func (l *Links) load(ctx context.Context) error {
	cards, err := l.cfg.Store.PeerCards(ctx)
	if err != nil {
		return err
	}
	for _, signed := range cards {
		// An unreadable card is of another version. The host will send it again.
		if c, err := ReadCard(signed); err == nil {
			l.directory.merge(c, signed)
		}
	}
	links, err := l.cfg.Store.PeerLinks(ctx)
	if err != nil {
		return err
	}
	for _, k := range links {
		l.linkedHosts[k.Host()] = newLinkedHost(l, k)
	}
	return l.renewCard(ctx)
}

// renewCard signs a new card of this host, if the known one has another name or other addresses, or
// if a newer one is known than the one that was sent last.
func (l *Links) renewCard(ctx context.Context) error {
	c := Card{
		Key: l.self.public, Name: l.cfg.Name, Addresses: l.cfg.Addresses,
		Timestamp: l.now(),
	}
	l.mu.Lock()
	old, signed, ok := l.directory.card(l.self.host)
	if !ok || old.Name != c.Name || !slices.Equal(old.Addresses, c.Addresses) {
		if ok {
			c.Timestamp = max(c.Timestamp, old.Timestamp+1)
		}
		if err := c.Check(); err != nil {
			l.mu.Unlock()
			return fmt.Errorf("write the card of this server: %w", err)
		}
		signed = c.Sign(l.self.key)
		l.directory.merge(c, signed)
	}
	l.card = signed
	l.mu.Unlock()
	if err := l.cfg.Store.PutPeerCard(ctx, l.self.host, signed); err != nil {
		// As on a full disk. The next start makes another card.
		l.cfg.Log.Warn("the card of this server is not stored", "error", err)
	}
	return nil
}

func (l *Links) now() id.Millis { return id.Millis(l.clock().UnixMilli()) }

// Self returns the identifier of this host.
func (l *Links) Self() id.HostID { return l.self.host }

// Start begins to call linked hosts, and to pass their messages to m. Start returns at once;
// Shutdown ends what it has begun.
func (l *Links) Start(m Machine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.machine, l.started = m, true
	for _, p := range l.linkedHosts {
		l.running.Go(p.run)
	}
}

// Shutdown closes all connections. When it has returned without an error, no connection can come
// any more, no method of the machine is called, and no goroutine is left. The error is that of ctx,
// if ctx ended first.
func (l *Links) Shutdown(ctx context.Context) error {
	l.mu.Lock()
	l.stopping = true
	l.mu.Unlock()
	l.stop()
	done := make(chan struct{})
	go func() {
		l.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		l.web.CloseIdleConnections()
		return nil
	case <-ctx.Done():
		return fmt.Errorf("take leave of linked servers: %w", ctx.Err())
	}
}

// spawn runs f in a goroutine for which Shutdown waits. It reports false if Shutdown has begun, or
// Start has not.
func (l *Links) spawn(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopping || !l.started {
		return false
	}
	l.running.Go(f)
	return true
}

// Send sends a message to a linked host. It does not wait. It calls a host without a connection,
// and gives a message up that has waited for 10 s (O19). The error is ErrStranger, ErrPaused,
// ErrBusy, ErrTooLarge or ErrClosed; nothing was sent then.
func (l *Links) Send(to id.HostID, m Message) error {
	if len(m.Bytes) > MaxMessage {
		return ErrTooLarge
	}
	p := l.linkedHost(to)
	if p == nil {
		return ErrStranger
	}
	return p.put(m)
}

// Reached reports whether there is a connection to a host. A connection that has ended counts until
// that is noticed.
func (l *Links) Reached(host id.HostID) bool {
	p := l.linkedHost(host)
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now != nil
}

// Begin counts a request of a host that is carried out from now on. The caller must call end once.
// The error is ErrBusy if too many are being carried out (O36), or ErrStranger.
func (l *Links) Begin(host id.HostID) (end func(), err error) {
	p := l.linkedHost(host)
	if p == nil {
		return nil, ErrStranger
	}
	return p.guard.begin()
}

// Refused counts and logs a request of a host that no host in order could have made (O35). about is
// its object, and what describes it. A thousand within an hour pause the link.
func (l *Links) Refused(host id.HostID, about id.OID, what string) {
	if p := l.linkedHost(host); p != nil {
		p.refused(about, what)
	}
}

// Link returns the link to a host. ok is false if there is none.
func (l *Links) Link(host id.HostID) (k Link, ok bool) {
	if p := l.linkedHost(host); p != nil {
		return p.link(), true
	}
	return Link{}, false
}

// Card returns the newest known card of a host, and false if there is none.
func (l *Links) Card(host id.HostID) (Card, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, _, ok := l.directory.card(host)
	return c, ok
}

// Introduce sends a linked host the card of another one, because an object is passed to it that
// needs that host (O31). It does nothing if the linked host has not given this one linkup, or if
// the card is not known.
func (l *Links) Introduce(to, about id.HostID) {
	l.mu.Lock()
	_, signed, ok := l.directory.card(about)
	p := l.linkedHosts[to]
	l.mu.Unlock()
	if ok && p != nil && p.link().Given.Has(Linkup) {
		p.sendBeside(cardFrame(signed))
	}
}

// Linked returns all hosts to which there is a link, in any state.
func (l *Links) Linked() []id.HostID {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.linkedHosts))
}

// statement stands before what is signed for a machine, so that no signature can be used for
// something else.
const statement = "holt object 1\x00"

// Sign signs a statement of a machine.
func (l *Links) Sign(message []byte) []byte {
	return ed25519.Sign(l.self.key, append([]byte(statement), message...))
}

// Verify reports whether a host has signed a statement of its machine. It is false if the key of
// the host is not known from a link or a card.
func (l *Links) Verify(host id.HostID, message, signature []byte) bool {
	l.mu.Lock()
	var key ed25519.PublicKey
	if c, _, ok := l.directory.card(host); ok {
		key = c.Key
	}
	if p := l.linkedHosts[host]; p != nil {
		key = p.key
	}
	l.mu.Unlock()
	return key != nil && ed25519.Verify(key, append([]byte(statement), message...), signature)
}

func (l *Links) linkedHost(host id.HostID) *linkedHost {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.linkedHosts[host]
}

// learn processes a card from a linked host. It accepts the card of that host, and that of a third
// one if the host has linkup. If the card is an unknown newer one of this host itself, learn sends
// a newer one to all linked hosts.
func (l *Links) learn(ctx context.Context, from id.HostID, may Rights, signed []byte) error {
	c, err := ReadCard(signed)
	if err != nil {
		return err
	}
	host := c.Host()
	if host != from && host != l.self.host && !may.Has(Linkup) {
		return errLinkup
	}
	l.learning <- struct{}{}
	defer func() { <-l.learning }()
	l.mu.Lock()
	if l.linkedHosts[from] == nil {
		l.mu.Unlock()
		return nil // the host has just become a stranger
	}
	fresh := l.directory.merge(c, signed)
	gone := l.directory.trim(func(h id.HostID) bool {
		return h == l.self.host || l.linkedHosts[h] != nil
	}, host)
	l.mu.Unlock()
	switch {
	case !fresh:
		return nil
	case host == l.self.host:
		err := l.renewCard(ctx)
		l.sendCard()
		return err
	default:
		return l.cfg.Store.PutPeerCard(ctx, host, signed, gone...)
	}
}

// sendCard sends this host's card to all linked hosts.
func (l *Links) sendCard() {
	l.mu.Lock()
	frame := cardFrame(l.card)
	l.mu.Unlock()
	for _, p := range l.all() {
		p.sendBeside(frame)
	}
}

// all returns all linked hosts, in no order.
func (l *Links) all() []*linkedHost {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Values(l.linkedHosts))
}

var errLinkup = errors.New("a card of a third host, from one that may not send any")

// drawNumber returns a random number that is not 0.
func drawNumber() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return max(binary.BigEndian.Uint64(b[:]), 1)
}
