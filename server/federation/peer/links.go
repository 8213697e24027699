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
	"slices"
	"sync"
	"time"

	"holt/server/id"
	"holt/server/transport/endpoint"
)

// Config is what Links need.
type Config struct {
	// Key is the host's (O1).
	Key ed25519.PrivateKey
	// Name and Addresses are what its card says of it (O31).
	Name      string
	Addresses []Address
	Store     Store
	Log       *slog.Logger
	// Dialer opens connections by QUIC; nil: none are opened by it.
	Dialer *endpoint.Dialer
	// Dial opens connections by TCP; nil: as the system does.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Private lets linked hosts be called at addresses of this machine and of private networks, and by plain http, wherever this one is (O44).
	Private bool
}

// Links are the links of this host. Their methods may be called from any goroutine.
type Links struct {
	// Set at construction.
	cfg   Config
	self  *identity
	life  life
	web   *http.Transport
	stop  func()          // ends halt
	halt  <-chan struct{} // closed when Shutdown begins
	clock func() time.Time
	// Set by Start, before anybody can come.
	machine Machine

	running  sync.WaitGroup // goroutines of partners and lines
	learning chan struct{}  // held by who changes what is known of hosts, and what is kept of that
	proving  chan struct{}  // of as many as may be there at once that have not proved any key
	proofs   crowd          // of those, by where they come from
	visitors crowd          // of those below, by where they come from
	contacts chan struct{}  // of as many as may be there at once of whom nobody knows yet what they want

	mu sync.Mutex
	// Guarded by mu.
	partners  map[id.GWID]*partner
	directory *directory
	card      []byte // our own, signed
	stopping  bool
	started   bool
}

// maxContacts is how many connections there may be at once that belong to no link yet.
const maxContacts = 64

// New returns the links that the store knows. Nobody is called, and nobody can come, before Start.
func New(ctx context.Context, cfg Config) (*Links, error) {
	self, err := newIdentity(cfg.Key)
	if err != nil {
		return nil, err
	}
	l := &Links{
		cfg: cfg, self: self, web: newWebTransport(cfg.Dial), clock: time.Now,
		learning: make(chan struct{}, 1),
		proving:  make(chan struct{}, maxContacts), // when it is full, whoever comes is sent away
		contacts: make(chan struct{}, maxContacts), // when it is full, whoever comes is sent away
		partners: map[id.GWID]*partner{}, directory: newDirectory(),
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

// load reads what the store knows, and renews our card.
func (l *Links) load(ctx context.Context) error {
	cards, err := l.cfg.Store.PeerCards(ctx)
	if err != nil {
		return err
	}
	for _, signed := range cards {
		if c, err := ReadCard(signed); err == nil { // else it is of another version, and comes again
			l.directory.merge(c, signed)
		}
	}
	links, err := l.cfg.Store.PeerLinks(ctx)
	if err != nil {
		return err
	}
	for _, k := range links {
		l.partners[k.Host()] = newPartner(l, k)
	}
	return l.renewCard(ctx)
}

// renewCard signs a new card of ours, if what is known of us says something else, or is newer than what we know to have said.
func (l *Links) renewCard(ctx context.Context) error {
	c := Card{Key: l.self.public, Name: l.cfg.Name, Addresses: l.cfg.Addresses, Timestamp: id.Millis(l.clock().UnixMilli())}
	l.mu.Lock()
	old, signed, ok := l.directory.card(l.self.host)
	if ok && old.Name == c.Name && slices.Equal(old.Addresses, c.Addresses) {
		l.card = signed
		l.mu.Unlock()
		l.keepCard(ctx, signed)
		return nil
	}
	if ok {
		c.Timestamp = max(c.Timestamp, old.Timestamp+1)
	}
	if err := c.Check(); err != nil {
		l.mu.Unlock()
		return fmt.Errorf("write the card of this server: %w", err)
	}
	signed = c.Sign(l.self.key)
	l.directory.merge(c, signed)
	l.card = signed
	l.mu.Unlock()
	l.keepCard(ctx, signed)
	return nil
}

// keepCard stores our card. If it cannot, as on a full disk, the next start makes another one.
func (l *Links) keepCard(ctx context.Context, signed []byte) {
	if err := l.cfg.Store.PutPeerCard(ctx, l.self.host, signed); err != nil {
		l.cfg.Log.Warn("the card of this server is not stored", "error", err)
	}
}

// Self returns who this host is.
func (l *Links) Self() id.GWID { return l.self.host }

// Start begins to call linked hosts, and to take what they say, for a machine; nil is one that does nothing. It returns at once;
// Shutdown ends what it starts.
func (l *Links) Start(m Machine) {
	if m == nil {
		m = nobody{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.machine, l.started = m, true
	for _, p := range l.partners {
		l.running.Go(p.run)
	}
}

// Shutdown takes leave of all hosts. Nobody can come any more, no method of the machine is called and no goroutine is left when it has returned.
// The error is that of ctx, if that was done before.
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

// goes runs f in a goroutine for which Shutdown waits. It reports false if it is too late.
func (l *Links) goes(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopping || !l.started {
		return false
	}
	l.running.Go(f)
	return true
}

// Send sends a message to a linked host. It does not wait; a host that is not there is called, and what has waited for 10 s is given up (O19). The error is
// ErrStranger, ErrPaused, ErrBusy, ErrTooLarge or ErrClosed: nothing was sent then.
func (l *Links) Send(to id.GWID, m Message) error {
	if len(m.Bytes) > MaxMessage {
		return ErrTooLarge
	}
	p := l.partner(to)
	if p == nil {
		return ErrStranger
	}
	return p.put(m)
}

// Reached reports whether there is a connection to a host. One that has ended unnoticed counts until it is.
func (l *Links) Reached(host id.GWID) bool {
	p := l.partner(host)
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now != nil
}

// Begin counts a request of a host that begins to be carried out; it ends when end is called, once. The error is ErrBusy if there are
// too many at once (O36), or ErrStranger.
func (l *Links) Begin(host id.GWID) (end func(), err error) {
	p := l.partner(host)
	if p == nil {
		return nil, ErrStranger
	}
	return p.begin()
}

// Refused counts a request of a host that nobody in order could have made, and logs it (O35): what it was, and about which object. A
// thousand in an hour pause the link.
func (l *Links) Refused(host id.GWID, about id.OID, what string) {
	if p := l.partner(host); p != nil {
		p.refused(about, what)
	}
}

// Rights returns what a host may do here; none if it is not linked, or the link is not active.
func (l *Links) Rights(host id.GWID) Rights {
	if p := l.partner(host); p != nil {
		if k := p.link(); k.State == Active {
			return k.Gives
		}
	}
	return 0
}

// Link returns the link to a host; not ok if there is none.
func (l *Links) Link(host id.GWID) (k Link, ok bool) {
	if p := l.partner(host); p != nil {
		return p.link(), true
	}
	return Link{}, false
}

// Card returns the newest card that is known of a host.
func (l *Links) Card(host id.GWID) (Card, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, _, ok := l.directory.card(host)
	return c, ok
}

// Introduce tells a linked host the card of another one, of an object that is passed on to it (O31). It takes it if it has given us the
// right to. Nothing is told of whom nothing is known.
func (l *Links) Introduce(to, about id.GWID) {
	l.mu.Lock()
	_, signed, ok := l.directory.card(about)
	p := l.partners[to]
	l.mu.Unlock()
	if ok && p != nil && p.link().Given.Has(Linkup) {
		p.tell(cardWord(signed))
	}
}

// Linked returns all hosts to which there is a link, in whatever state.
func (l *Links) Linked() []id.GWID {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.partners))
}

// statement stands before what is signed for a machine, so that a signature is good for nothing else.
const statement = "holt object 1\x00"

// Sign signs what a machine states.
func (l *Links) Sign(message []byte) []byte {
	return ed25519.Sign(l.self.key, append([]byte(statement), message...))
}

// Verify reports whether a host has signed what a machine states. It is false of a host whose key is not known, by a link or a card.
func (l *Links) Verify(host id.GWID, message, signature []byte) bool {
	l.mu.Lock()
	var key ed25519.PublicKey
	if c, _, ok := l.directory.card(host); ok {
		key = c.Key
	}
	if p := l.partners[host]; p != nil {
		key = p.key
	}
	l.mu.Unlock()
	return key != nil && ed25519.Verify(key, append([]byte(statement), message...), signature)
}

func (l *Links) partner(host id.GWID) *partner {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.partners[host]
}

// learn takes a card from a linked host. Its own is always taken, that of a third one if the host has the right; ours, if it is of a life of which
// we know nothing, is answered by a newer one.
func (l *Links) learn(ctx context.Context, from id.GWID, may Rights, signed []byte) error {
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
	if l.partners[from] == nil {
		l.mu.Unlock()
		return nil // just now it has become a stranger
	}
	fresh := l.directory.merge(c, signed)
	gone := l.directory.trim(func(h id.GWID) bool { return h == l.self.host || l.partners[h] != nil || h == host })
	l.mu.Unlock()
	switch {
	case !fresh:
		return nil
	case host == l.self.host:
		err := l.renewCard(ctx)
		l.tellCard()
		return err
	default:
		return l.cfg.Store.PutPeerCard(ctx, host, signed, gone...)
	}
}

// tellCard tells all linked hosts our card.
func (l *Links) tellCard() {
	l.mu.Lock()
	word, partners := cardWord(l.card), slices.Collect(maps.Values(l.partners))
	l.mu.Unlock()
	for _, p := range partners {
		p.tell(word)
	}
}

var errLinkup = errors.New("a card of a third host, from one that may not send any")

// drawNumber draws a number that is not 0.
func drawNumber() uint64 {
	var b [8]byte
	for {
		_, _ = rand.Read(b[:]) // it never fails
		if n := binary.BigEndian.Uint64(b[:]); n != 0 {
			return n
		}
	}
}
