package connection

import (
	"errors"
	"time"

	"holt/server/transport/depgraph"
)

// ErrTooLarge is the error of Send for a message that is larger than the other end takes (D14), and
// of SendUnguaranteed for a message that is larger than a packet. Errors of depgraph are returned
// unchanged: ErrWindow means that there is no room until something is acknowledged (D3).
var ErrTooLarge = errors.New("message too large")

// Path is what a connection has to know of its present path (D16).
type Path struct {
	// Largest is the size of the largest packet, in bytes (D28). Values below MinSize and above
	// MaxSize count as these bounds.
	Largest int
	// UDP says that packets go by plain UDP: they name the connection (D22), and packets that
	// cannot be read are dropped (D16).
	UDP bool
	// Free says that the connection has neither a window nor a pace of its own (D27). It is for an
	// end that sends little, on a path that reports when it is full, though late.
	Free bool
}

// Config is what a connection starts with: the results of the handshake.
type Config struct {
	// Number is the number of the connection, as the Welcome says (D19).
	Number uint64
	// Path is the first path.
	Path Path
	// Takes has the bounds of this end, PeerLimits those that the other end has sent. Bounds in
	// PeerLimits that are above FromServer count as FromServer (D14).
	Takes, PeerLimits Limits
	// Keepalive is the time without sending after which something is sent (D29). 0 stands for
	// DefaultKeepalive.
	Keepalive time.Duration
	// RepeatOverdue says that what is not acknowledged for the probe timeout is sent again, although
	// acknowledgements of earlier packets come (D26.12). All ends but those of older vectors do that.
	RepeatOverdue bool
	// Execute gets each guaranteed message once, after those on which it depends. It may send. msg
	// is valid until Execute returns.
	Execute func(number uint64, msg []byte)
	// Unguaranteed gets unguaranteed messages, with their key (D15). It follows the same rules.
	Unguaranteed func(key uint32, msg []byte)
}

// Conn is one end of a connection (D20). It has no lock: one goroutine uses it.
//
// That goroutine calls Receive with each packet that comes. After that, after sending, and at the
// time that Wake returns, it calls Next until Next has no packet or the path is full. If more than
// 64 packets come before Next is called, some of them are not acknowledged one by one.
//
// Times are durations since the connection began and never go back. The clocks of the two ends need
// not agree.
type Conn struct {
	// Set at construction.
	config Config // except Path and Keepalive, which change

	path  Path
	heard time.Duration // when the last packet came
	spoke time.Duration // when the last packet was sent
	stats Stats

	unanswered bool          // it has asked since the last packet came
	askedSince time.Duration // when it asked first

	// Receiving.
	in     received
	reader reader
	parts  assemblies
	graph  *depgraph.Receiver[[]byte]

	// Sending.
	sender       *depgraph.Sender
	out          outbox
	unguaranteed unguaranteedBox
	turn         bool          // unguaranteed messages go first in the next packet
	ask          bool          // the next packet is to ask for an acknowledgement
	asked        time.Duration // when the last packet asked for one

	// What becomes of the packets that were sent.
	flight   flight
	began    uint64 // the first packet on this path
	rtt      roundTrip
	flow     flow
	acked    uint64        // one above the highest packet that was acknowledged
	ackedBy  uint64        // one above the highest packet that has said so
	distance uint64        // a packet that so many later ones overtake counts as lost
	slack    time.Duration // how much later than the round-trip time packets have come
	lossAt   time.Duration // when the next packet counts as lost by time; 0 for none
	quiet    time.Duration // since when nothing was acknowledged
	probes   int           // probe timeouts since then
	probe    bool          // a packet may be sent although the window is full

	// The end.
	closing  *CloseError   // the Close that will be sent
	closeBy  time.Duration // when it is sent at the latest
	err      *CloseError   // why the connection is over
	closeDue bool          // a Close is to be sent
	answers  int           // how often a Close was sent as an answer
}

// FromClient and FromServer are the bounds of what is taken from a client and from a server (D14).
var (
	FromClient = Limits{Message: 4 << 10, Window: 256 << 10}
	FromServer = Limits{Message: 16 << 20, Window: 24 << 20}
)

// DefaultKeepalive is the keepalive of every end except a page that is visible and in use (D29).
const DefaultKeepalive = 5 * time.Second

// A packet counts as lost when so many later ones were acknowledged: leastDistance at first, and
// mostDistance at most, whatever is learned (D26).
const (
	leastDistance = 3
	mostDistance  = 60
)

// NewConn returns one end of a connection that begins now, at time 0.
func NewConn(config Config) *Conn {
	if config.Keepalive <= 0 {
		config.Keepalive = DefaultKeepalive
	}
	config.PeerLimits.Message = min(config.PeerLimits.Message, FromServer.Message)
	config.PeerLimits.Window = min(config.PeerLimits.Window, FromServer.Window)
	c := &Conn{config: config, distance: leastDistance, ask: true}
	c.graph = depgraph.NewReceiver(int(config.Takes.Window), c.execute, c.executeUnguaranteed)
	c.sender = depgraph.NewSender(int(config.PeerLimits.Window))
	c.out.sender = c.sender
	c.usePath(config.Path)
	return c
}

// usePath begins to use a path, of which nothing is known yet.
func (c *Conn) usePath(p Path) {
	p.Largest = min(max(p.Largest, MinSize), MaxSize)
	c.path = p
	c.rtt, c.flow = roundTrip{}, newFlow(p.Largest)
	c.distance, c.slack = leastDistance, 0
	c.began = c.flight.next
}

// Send sends a guaranteed message that is executed after those of deps (D2), and fills h unless it
// is nil. The message is not copied: the caller must not change it before it is acknowledged, but
// may share it. The error is ErrTooLarge or one of depgraph's; then nothing was sent. After
// depgraph.ErrWindow the caller may try again when something was acknowledged (D3).
func (c *Conn) Send(
	_ time.Duration, msg []byte, deps []*depgraph.Handle, h *depgraph.Handle,
) error {
	switch {
	case c.closing != nil || c.err != nil:
		return depgraph.ErrClosed
	case uint64(len(msg)) > uint64(c.config.PeerLimits.Message):
		return ErrTooLarge
	}
	if err := c.begin(deps); err != nil {
		return err
	}
	header, err := c.sender.End(h, len(msg))
	if err != nil {
		return err
	}
	c.out.add(header, msg)
	return nil
}

// SendUnguaranteed sends an unguaranteed message once at most (D15). It is never sent if a newer
// one of the same key replaces it while it waits, or if it cannot be sent within 100 ms. Key 0 is
// no key. The message is not copied. The error is ErrTooLarge if the message does not fit into a
// packet, or one of depgraph's.
func (c *Conn) SendUnguaranteed(
	now time.Duration, key uint32, msg []byte, deps []*depgraph.Handle,
) error {
	if c.closing != nil || c.err != nil {
		return depgraph.ErrClosed
	}
	if err := c.begin(deps); err != nil {
		return err
	}
	m := unguaranteedMessage{key: key, at: now, msg: msg}
	if after := c.sender.EndUnguaranteed(); len(after) > 0 {
		m.deps = append(m.deps, after...)
	}
	if len(msg) > MaxSize || unguaranteedSize(key, m.deps, msg) > c.capacity() {
		return ErrTooLarge
	}
	c.unguaranteed.expire(now)
	c.unguaranteed.add(m)
	return nil
}

// begin begins a message that depends on those of deps.
func (c *Conn) begin(deps []*depgraph.Handle) error {
	c.sender.Begin()
	for _, d := range deps {
		if err := c.sender.Depend(d); err != nil {
			return err
		}
	}
	return nil
}

// capacity returns for how many bytes of records any packet has room.
func (c *Conn) capacity() int {
	n := c.path.Largest - startSize - ackSize
	if c.path.UDP {
		n -= nameSize
	}
	return n
}

// MaxUnguaranteed returns how many bytes an unguaranteed message without dependencies may have at
// the moment. Each dependency takes two of them.
func (c *Conn) MaxUnguaranteed() int {
	n := c.capacity() - (unguaranteedSize(1<<32-1, nil, nil) - varintLen(0))
	return n - varintLen(uint32(n)) //nolint:gosec // less than a packet
}

// Resume goes on with the connection on another path (D21). It sends again what was under way.
func (c *Conn) Resume(now time.Duration, p Path) {
	c.giveUpAbove(0)
	c.usePath(p)
	c.heard, c.quiet, c.lossAt = now, now, 0
	c.probes, c.probe, c.ask = 0, false, true
}

// Resize sets the largest packet of the path, in bytes, from now on (D28): fewer or more than
// before. Larger packets that are under way are sent again.
func (c *Conn) Resize(largest int) {
	before := c.path.Largest
	c.path.Largest = min(max(largest, MinSize), MaxSize)
	c.flow.packet = c.path.Largest
	if c.path.Largest >= before {
		return
	}
	c.giveUpAbove(c.path.Largest)
}

// giveUpAbove gives up all flying packets that have more than size bytes.
func (c *Conn) giveUpAbove(size int) {
	for n := c.flight.first; n < c.flight.next && c.flight.count > 0; n++ {
		if s := c.flight.find(n); s != nil && s.fate == flying && s.size > size {
			c.giveUp(s)
		}
	}
}

// giveUp sends again what is in a packet, without counting the packet as lost.
func (c *Conn) giveUp(s *sent) {
	c.flight.land(s, givenUp)
	for _, u := range s.units {
		c.out.lose(u)
	}
}

// SetKeepalive changes the time without sending after which something is sent (D29).
func (c *Conn) SetKeepalive(d time.Duration) { c.config.Keepalive = d }

// Floor returns the lowest number of a message from the other end that has not been executed: all
// below it have been (D10).
func (c *Conn) Floor() uint64 { return c.graph.Floor() }

// Sender returns the graph of the messages that were sent: for the room in its window, and its
// tips.
func (c *Conn) Sender() *depgraph.Sender { return c.sender }

// Heard returns when the last packet came.
func (c *Conn) Heard() time.Duration { return c.heard }

// Stats is what a connection has measured and counted.
type Stats struct {
	RoundTrip time.Duration // smoothed (D26); 0 before the first measurement
	Variation time.Duration
	Sent      uint64 // packets
	Received  uint64 // packets that were not dropped
	Dropped   uint64 // packets that were duplicates, too old or unreadable
	Lost      uint64 // packets that counted as lost
	Spurious  uint64 // packets that counted as lost and were acknowledged after all
	Probes    uint64 // probe timeouts
	Window    int    // bytes that may be under way (D27); 0 on a free path
	Flying    int    // bytes under way
	Waiting   int    // bytes that the unacknowledged guaranteed messages cost (D14)
}

// Stats returns the counters as they are now.
func (c *Conn) Stats() Stats {
	s := c.stats
	s.RoundTrip, s.Variation = c.rtt.smoothed, c.rtt.variation
	s.Flying, s.Waiting = c.flight.bytes, c.out.cost
	if !c.path.Free {
		s.Window = c.flow.window
	}
	return s
}
