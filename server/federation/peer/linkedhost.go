package peer

import (
	"context"
	"crypto/ed25519"
	"sync"
	"time"

	"holt/server/id"
)

// Times of a link that does not work as it should.
const (
	// How long a host may be without a connection before the machine's Down is called.
	grace = 2 * time.Second
	// How long a connection that could not be replaced may be silent before the host counts as
	// gone.
	goneAfter = 4 * time.Second
	// How long a connection may be silent while something is on its way, before another one is
	// tried.
	stuckAfter  = 2 * time.Second
	ackWithin   = 50 * time.Millisecond // how long received messages may wait for their ack
	storeWithin = 30 * time.Second      // for one write to the store
	// How many refused requests there are between two writes of their count.
	countedEvery = 100
)

// linkedHost is a linked host, with the connection to it, if there is one.
type linkedHost struct {
	// Set at construction.
	links *Links
	host  id.HostID
	key   ed25519.PublicKey
	guard *guard
	wake  chan struct{} // capacity 1: run must look at something
	gone  chan struct{} // closed when the link is removed
	// machineLock is held by the goroutine that calls the machine or gives the link another
	// connection. It is a lock for which virtual time does not stop.
	machineLock chan struct{}
	// writing is held by the goroutine that writes the link to the store.
	writing chan struct{}

	// Owned by the holder of turn.
	up     bool // the machine's Up was called last
	upLife life

	mu sync.Mutex
	// Guarded by mu.
	row        Link
	removed    bool
	now        *linkConn // the connection; nil: none
	lostAt     time.Time
	out        outbox
	in         inbox
	dial       dialling
	fault      string     // why the last call failed
	heard      Rights     // the rights that the host said last that it gives
	localCalls localCalls // where it was called in local networks
	coming     int        // its connections that have not said hello yet
}

// linkConn is a connection of a link on which both ends have agreed.
type linkConn struct {
	line
	number  uint64
	dialled bool          // by this host
	wake    chan struct{} // capacity 1: the writer must look at something
	// Link frames to send besides messages: at most maxFrames. Guarded by partner.mu.
	frames [][]byte
}

// maxFrames is how many link frames may wait besides messages. Further ones are dropped. This
// host's card and rights are sent again when the next connection begins, the card of a third host
// when an object of it is passed on again.
const maxFrames = 64

// besideMessages is the object of the link frames besides messages, so that they keep their order.
// No host has made an object with this OID.
var besideMessages = id.OID{15: 1}

func newLinkedHost(l *Links, k Link) *linkedHost {
	return &linkedHost{
		links: l, host: k.Host(), key: k.Key, row: k, guard: newGuard(k.Limits),
		wake: make(chan struct{}, 1), gone: make(chan struct{}),
		machineLock: make(chan struct{}, 1), writing: make(chan struct{}, 1), localCalls: localCalls{},
	}
}

// link returns the link as it is now.
func (p *linkedHost) link() Link {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.row
}

// put puts a message into the outbox, and has the host called if there is no connection.
func (p *linkedHost) put(m Message) error {
	now := p.links.clock()
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.row.State != Active:
		return ErrPaused
	case p.removed:
		return ErrStranger
	case p.now == nil:
		p.out.expire(now)
	}
	select {
	case <-p.links.halt:
		return ErrClosed
	default:
	}
	if err := p.out.put(m, now); err != nil {
		return err
	}
	if p.now != nil {
		signal(p.now.wake)
	}
	// From now on the connection must answer.
	if p.now == nil && p.dial.hurry(now) || len(p.out.entries) == 1 {
		signal(p.wake)
	}
	return nil
}

// sendBeside sends a link frame besides messages, if there is a connection.
func (p *linkedHost) sendBeside(frame []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now != nil && len(p.now.frames) < maxFrames {
		p.now.frames = append(p.now.frames, frame)
		signal(p.now.wake)
	}
}

// refused counts and logs a request that no host in order could have made (O35).
func (p *linkedHost) refused(about id.OID, what string) {
	p.links.cfg.Log.Warn("a linked server asked for what it may not",
		"host", p.host, "object", about, "what", what)
	tooMany := p.guard.refuse(p.links.clock())
	p.mu.Lock()
	p.row.Refused++
	write := p.row.Refused%countedEvery == 0
	p.mu.Unlock()
	if tooMany {
		p.links.cfg.Log.Error(
			"the link to a server is paused: too many of its requests were refused",
			"host", p.host,
		)
	}
	if tooMany || write {
		p.links.spawn(func() {
			_ = p.change(context.Background(), func(k *Link) { // change has logged the error
				if tooMany && k.State == Active {
					k.State, k.Why = Paused, "1000 of its requests were refused within an hour"
				}
			})
		})
	}
}

// change changes the link and stores it. run does what follows from it. After an error the link is
// as it was.
func (p *linkedHost) change(ctx context.Context, f func(k *Link)) error {
	p.writing <- struct{}{}
	defer func() { <-p.writing }()
	p.mu.Lock()
	k := p.row
	removed := p.removed
	p.mu.Unlock()
	if removed {
		return ErrStranger
	}
	f(&k)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
	defer cancel()
	if err := p.links.cfg.Store.PutPeerLink(ctx, k); err != nil {
		p.links.cfg.Log.Error(
			"a link cannot be written down", "host", p.host, "error", err,
		)
		return err
	}
	p.mu.Lock()
	k.Refused = max(k.Refused, p.row.Refused) // it counts on meanwhile
	gives := p.row.Gives != k.Gives
	p.row = k
	p.mu.Unlock()
	p.guard.set(k.Limits)
	if gives {
		p.sendBeside(rightsFrame(k.Gives))
	}
	signal(p.wake)
	return nil
}

// greeting returns the hello of this host for a new connection.
func (p *linkedHost) greeting(line, replaces uint64) []byte {
	p.links.mu.Lock()
	card := p.links.card
	p.links.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now == nil {
		p.out.expire(p.links.clock())
	}
	h := hello{
		Life: p.links.life, Line: line, Replaces: replaces, Gives: p.row.Gives,
		First: p.out.first(), Card: card,
	}
	h.Of, h.Floor, h.Above = p.in.report()
	return helloFrame(&h)
}

// adopt makes a line the link's connection, in place of the present one, and calls the machine's
// Up. The caller has turn. answer is called when nothing can come any more on the old line, and
// before anything is sent: it sends this host's hello if that has not been sent. adopt returns an
// error if the link does not need the line.
func (p *linkedHost) adopt(l line, h *hello, dialled bool, answer func() error) (*linkConn, error) {
	c := &linkConn{line: l, number: h.Line, dialled: dialled, wake: make(chan struct{}, 1)}
	p.mu.Lock()
	if why := p.refuses(h, dialled); why != 0 {
		p.mu.Unlock()
		return nil, why
	}
	p.in.begin(h)
	p.mu.Unlock()
	if err := answer(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	if err := p.out.begin(h, p.links.life); err != nil {
		p.mu.Unlock()
		return nil, err
	}
	old := p.now
	p.now = c
	c.frames = [][]byte{rightsFrame(p.row.Gives)} // they may have changed since the hello
	p.dial.succeed(p.links.clock(), l.network())
	p.fault = ""
	p.heard = h.Gives
	p.mu.Unlock()
	if old != nil {
		old.close("another connection is better")
	}
	if !p.links.spawn(func() { p.write(c) }) {
		l.close("the server is stopping")
	}
	p.links.spawn(p.keepGiven)
	signal(p.wake)
	p.reportUp(h.Life)
	p.links.cfg.Log.Info("a linked server is there",
		"host", p.host, "network", l.network(), "dialled", dialled)
	return c, nil
}

// refuses returns why the link does not need a new line, or 0. Of two lines the one stays that the
// host with the lower GWID opened. But a host that opens a line although it opened the present one
// has lost that one, and so has a host that names the present one as the one to replace. The caller
// has mu.
func (p *linkedHost) refuses(h *hello, dialled bool) refusal {
	switch {
	case p.removed:
		return refusedStranger
	case p.row.State == Paused:
		return refusedPaused
	case p.row.State == Pending:
		return refusedPending
	case p.now == nil || p.now.number == h.Replaces || p.now.dialled == dialled:
		return 0
	case dialled == p.weComeFirst():
		return 0
	default:
		return refusedDuplicate
	}
}

// weComeFirst reports whether of two connections the one stays that this host opened.
func (p *linkedHost) weComeFirst() bool { return string(p.links.self.host[:]) < string(p.host[:]) }

// reportUp calls the machine's Up, if it has not been called for this server life. The caller has
// turn.
func (p *linkedHost) reportUp(l life) {
	if p.up && p.upLife == l {
		return
	}
	if p.up {
		p.links.machine.Down(p.host)
	}
	p.up, p.upLife = true, l
	p.links.machine.Up(p.host)
}

// reportDown calls the machine's Down, if there still is no connection. It takes turn.
func (p *linkedHost) reportDown() {
	p.machineLock <- struct{}{}
	defer func() { <-p.machineLock }()
	p.mu.Lock()
	there := p.now != nil
	p.mu.Unlock()
	if p.up && !there {
		p.up = false
		p.links.machine.Down(p.host)
	}
}

// recordRights records the rights that the host says it gives, if it says so on the present
// connection.
func (p *linkedHost) recordRights(c *linkConn, r Rights) {
	p.mu.Lock()
	if p.now == c {
		p.heard = r
	}
	p.mu.Unlock()
	p.links.spawn(p.keepGiven)
}

// keepGiven stores the rights that the host last said it gives. If that fails, the host says them
// again at the next connection.
func (p *linkedHost) keepGiven() {
	heard := func() Rights {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.heard
	}
	if p.link().Given != heard() {
		// change has logged an error.
		_ = p.change(context.Background(), func(k *Link) { k.Given = heard() })
	}
}

// lose records that a connection has ended.
func (p *linkedHost) lose(c *linkConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now != c {
		return
	}
	p.now, p.lostAt = nil, p.links.clock()
	p.dial.lose(p.lostAt, c.network(), c.silent() >= stuckAfter)
	signal(p.wake)
}

// write sends what there is to send until the connection has ended. It is the goroutine that writes
// on it.
func (p *linkedHost) write(c *linkConn) {
	defer p.lose(c)
	ack := time.NewTimer(ackWithin)
	ack.Stop()
	defer ack.Stop()
	waiting := false // ack is running
	for {
		about, frame, owes := p.next(c)
		if frame != nil {
			if c.send(about, frame) != nil {
				return
			}
			continue
		}
		if owes && !waiting {
			waiting = true
			ack.Reset(ackWithin)
		}
		select {
		case <-c.wake:
		case <-ack.C:
			waiting = false
			c.sendUnreliable(p.acknowledgement())
		case <-c.ended():
			return
		}
	}
}

// next returns the next link frame to send, and the object that it is about. word is nil if there
// is none. owes then says whether something was received that was not acknowledged.
func (p *linkedHost) next(c *linkConn) (about id.OID, frame []byte, owes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now != c {
		c.close("another connection is better")
		return id.OID{}, nil, false
	}
	if len(c.frames) > 0 {
		frame, c.frames = c.frames[0], c.frames[1:]
		return besideMessages, frame, false
	}
	if p.in.news >= ackEvery {
		p.in.news = 0
		return id.OID{}, ackFrame(p.in.floor), false
	}
	if e, ok := p.out.take(); ok {
		return e.About, appendEnvelope(make([]byte, 0, 64+len(e.Bytes)), &e), false
	}
	return id.OID{}, nil, p.in.news > 0
}

func (p *linkedHost) acknowledgement() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in.news = 0
	return ackFrame(p.in.floor)
}

// signal wakes the goroutine that waits for a channel of one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
