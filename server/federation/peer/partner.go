package peer

import (
	"context"
	"crypto/ed25519"
	"log/slog"
	"sync"
	"time"

	"holt/server/id"
)

// Times of a link that is not as it should be.
const (
	grace        = 2 * time.Second // so long a host may be without a connection before the machine is told
	goneAfter    = 4 * time.Second // so long a connection may say nothing that could not be replaced, before the host counts as gone
	stuckAfter   = 2 * time.Second // so long a connection may say nothing while something is on its way, before another one is tried
	ackWithin    = 50 * time.Millisecond
	storeWithin  = 30 * time.Second
	countedEvery = 100 // refused requests after which their count is written down
)

// partner is a linked host, with the connection to it, if there is one.
type partner struct {
	// Set at construction.
	links *Links
	host  id.GWID
	key   ed25519.PublicKey
	guard *guard
	wake  chan struct{} // of one: run has something to look at
	gone  chan struct{} // closed when the link is removed
	// turn is held by who calls the machine or gives the link another connection: a lock for which virtual time does not stop.
	turn chan struct{}
	// writing is held by who writes the link to the store.
	writing chan struct{}

	// Owned by who has turn.
	up     bool // the machine has been told
	upLife life

	mu sync.Mutex
	// Guarded by mu.
	row     Link
	removed bool
	now     *call // the connection; nil: none
	lostAt  time.Time
	out     outbox
	in      inbox
	dial    dialling
	fault   string // why the last call came to nothing
	heard   Rights // what the host has said last that it gives us
	nearby  nearby // where it was called in networks of their own
	coming  int    // connections of its that have not said hello yet
}

// call is a connection of a link that both ends have agreed on.
type call struct {
	line
	number  uint64
	dialled bool          // by us
	wake    chan struct{} // of one: the writer has something to look at
	words   [][]byte      // what is to be said beside messages: at most maxWords. Guarded by partner.mu
}

// maxWords is how many words may wait beside messages. What would be more is not said: it is said when the next connection begins, or of
// a third host when it is passed on again.
const maxWords = 64

// besideMessages is what words beside messages are about, so that they keep their order: no host has made an object like that.
var besideMessages = id.OID{15: 1}

func newPartner(l *Links, k Link) *partner {
	return &partner{
		links: l, host: k.Host(), key: k.Key, row: k, guard: newGuard(k.Limits), wake: make(chan struct{}, 1), gone: make(chan struct{}),
		turn: make(chan struct{}, 1), writing: make(chan struct{}, 1), nearby: nearby{},
	}
}

// link returns the link as it is now.
func (p *partner) link() Link {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.row
}

// put puts a message into the outbox, and calls the host if it is not there.
func (p *partner) put(m Message) error {
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
	if p.now == nil && p.dial.hurry(now) || len(p.out.entries) == 1 { // from now on the connection has to answer
		signal(p.wake)
	}
	return nil
}

// tell says a word beside messages, if there is a connection.
func (p *partner) tell(word []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now != nil && len(p.now.words) < maxWords {
		p.now.words = append(p.now.words, word)
		signal(p.now.wake)
	}
}

func (p *partner) begin() (end func(), err error) { return p.guard.begin() }

// refused counts and logs a request that nobody in order could have made (O35).
func (p *partner) refused(about id.OID, what string) {
	p.links.cfg.Log.Warn("a linked server asked for what it may not",
		"host", p.host.String(), "object", about.String(), "what", what)
	tooMany := p.guard.refuse(p.links.clock())
	p.mu.Lock()
	p.row.Refused++
	write := p.row.Refused%countedEvery == 0
	p.mu.Unlock()
	if tooMany {
		p.links.cfg.Log.Error("the link to a server is paused: too many of its requests were refused", "host", p.host.String())
	}
	if tooMany || write {
		p.links.goes(func() {
			_ = p.change(context.Background(), func(k *Link) { // the log has it
				if tooMany && k.State == Active {
					k.State, k.Why = Paused, "1000 of its requests were refused within an hour"
				}
			})
		})
	}
}

// change changes the link and writes it down; what follows from it is done by run. After an error it is as it was.
func (p *partner) change(ctx context.Context, f func(k *Link)) error {
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
		p.links.cfg.Log.Error("a link cannot be written down", "host", p.host.String(), "error", err)
		return err
	}
	p.mu.Lock()
	k.Refused = max(k.Refused, p.row.Refused) // it counts on meanwhile
	gives := p.row.Gives != k.Gives
	p.row = k
	p.mu.Unlock()
	p.guard.set(k.Limits)
	if gives {
		p.tell(rightsWord(k.Gives))
	}
	signal(p.wake)
	return nil
}

// greeting returns what is said when a connection begins.
func (p *partner) greeting(line, replaces uint64) []byte {
	p.links.mu.Lock()
	card := p.links.card
	p.links.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now == nil {
		p.out.expire(p.links.clock())
	}
	h := hello{
		Life: p.links.life, Line: line, Replaces: replaces, Gives: p.row.Gives, First: p.out.first(), Card: card,
	}
	h.Of, h.Floor, h.Above = p.in.report()
	return helloWord(&h)
}

// adopt makes a line the link's connection, in the place of the one that is there, and tells the machine that the host is there. The
// caller has turn. answer is called when nothing can come any more by the old one, and before anything is sent: to say our hello, if we have not. It returns nil if the link
// has no use for the line.
func (p *partner) adopt(l line, h *hello, dialled bool, answer func() error) (*call, error) {
	c := &call{line: l, number: h.Line, dialled: dialled, wake: make(chan struct{}, 1)}
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
	c.words = [][]byte{rightsWord(p.row.Gives)} // they may have changed since our hello
	p.dial.succeed(p.links.clock(), l.network())
	p.fault = ""
	p.heard = h.Gives
	p.mu.Unlock()
	if old != nil {
		old.close("another connection is better")
	}
	if !p.links.goes(func() { p.write(c) }) {
		l.close("the server is stopping")
	}
	p.links.goes(p.keepGiven)
	signal(p.wake)
	p.tellUp(h.Life)
	p.links.cfg.Log.LogAttrs(context.Background(), slog.LevelInfo, "a linked server is there",
		slog.String("host", p.host.String()), slog.String("network", l.network()), slog.Bool("dialled", dialled))
	return c, nil
}

// refuses says why a line that begins is of no use: of two the one stays that was opened by the host with the lower GWID. Who calls
// although it has opened the one that is there has lost that one, and so has who says which is to be replaced. The caller has mu.
func (p *partner) refuses(h *hello, dialled bool) refusal {
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

// weComeFirst reports whether of two connections the one that we have opened stays.
func (p *partner) weComeFirst() bool { return string(p.links.self.host[:]) < string(p.host[:]) }

// tellUp tells the machine that the host is there, if it does not know. The caller has turn.
func (p *partner) tellUp(l life) {
	if p.up && p.upLife == l {
		return
	}
	if p.up {
		p.links.machine.Down(p.host)
	}
	p.up, p.upLife = true, l
	p.links.machine.Up(p.host)
}

// tellDown tells the machine that the host is not there, if it still is not. It takes turn.
func (p *partner) tellDown() {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	p.mu.Lock()
	there := p.now != nil
	p.mu.Unlock()
	if p.up && !there {
		p.up = false
		p.links.machine.Down(p.host)
	}
}

// hear notes what the host gives us, as it says on the connection of now.
func (p *partner) hear(c *call, r Rights) {
	p.mu.Lock()
	if p.now == c {
		p.heard = r
	}
	p.mu.Unlock()
	p.links.goes(p.keepGiven)
}

// keepGiven writes down what the host has said last that it gives us. What cannot be written down is said again.
func (p *partner) keepGiven() {
	heard := func() Rights {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.heard
	}
	if p.link().Given != heard() {
		_ = p.change(context.Background(), func(k *Link) { k.Given = heard() }) // the log has it
	}
}

// lose lets go of a connection that has ended.
func (p *partner) lose(c *call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now != c {
		return
	}
	p.now, p.lostAt = nil, p.links.clock()
	p.dial.lose(p.lostAt, c.network(), c.silent() >= stuckAfter)
	signal(p.wake)
}

// write sends what there is to send until the connection has ended. It is the goroutine that writes on it.
func (p *partner) write(c *call) {
	defer p.lose(c)
	ack := time.NewTimer(ackWithin)
	ack.Stop()
	defer ack.Stop()
	waiting := false // ack runs
	for {
		about, word, owes := p.next(c)
		if word != nil {
			if c.send(about, word) != nil {
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
			c.whisper(p.acknowledgement())
		case <-c.ended():
			return
		}
	}
}

// next returns the next thing to say, and the object that it is about; nil if there is none: then whether something has been received that was not
// acknowledged.
func (p *partner) next(c *call) (about id.OID, word []byte, owes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now != c {
		c.close("another connection is better")
		return id.OID{}, nil, false
	}
	if len(c.words) > 0 {
		word, c.words = c.words[0], c.words[1:]
		return besideMessages, word, false
	}
	if p.in.news >= ackEvery {
		p.in.news = 0
		return id.OID{}, ackWord(p.in.floor), false
	}
	if e, ok := p.out.take(); ok {
		return e.About, appendEnvelope(make([]byte, 0, 64+len(e.Bytes)), &e), false
	}
	return id.OID{}, nil, p.in.news > 0
}

func (p *partner) acknowledgement() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in.news = 0
	return ackWord(p.in.floor)
}

// signal lets whoever waits for a channel of one look.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
