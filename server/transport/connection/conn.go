package connection

import (
	"errors"
	"time"

	"holt/server/transport/depgraph"
)

// ErrTooLarge is what Send says of a message that is larger than the other end takes (D14), and SendLoose of one that is larger than a
// packet. Errors of depgraph come as they are: ErrWindow means that there is no room before something is acknowledged (D3).
var ErrTooLarge = errors.New("message too large")

// Path is what a connection has to know of the path that it has at the moment (D16).
type Path struct {
	// Largest is how many bytes a packet may have (D28), from MinSize on; above MaxSize it counts as that.
	Largest int
	// UDP says that packets go by plain UDP: they name the connection (D22), and what cannot be read is dropped (D16).
	UDP bool
	// Free says that the connection has neither window nor pace of its own (D27): for an end that says little on a path that says
	// itself when it is full, though late.
	Free bool
}

// Config is what a connection begins with: what the handshake has said.
type Config struct {
	// Number is that of the connection, as the Welcome says (D19).
	Number uint64
	// Path is the first path.
	Path Path
	// Takes is what this end takes, TheyTake what the other says that it takes: above FromServer it counts as that (D14).
	Takes, TheyTake Limits
	// Keepalive is after how long without sending something is sent (D29); 0 stands for DefaultKeepalive.
	Keepalive time.Duration
	// Execute gets each guaranteed message once, after those on which it depends. It may send; msg is good until it returns.
	Execute func(number uint64, msg []byte)
	// Loose gets unguaranteed messages, with their key (D15), by the same rule.
	Loose func(key uint32, msg []byte)
}

// Conn is one end of a connection (D20). One goroutine uses it: it calls Receive with what comes; after that, after sending, and when
// it is time by Wake, it calls Next for as long as the path takes packets; of more than 64 that came before Next is called some are not
// acknowledged by themselves. Times are those since the connection began and do not
// go back; the two ends need not agree on them.
type Conn struct {
	// Set at construction.
	config Config // but for Path and Keepalive, which change

	path  Path
	heard time.Duration // when the last packet came
	spoke time.Duration // when the last was sent
	stats Stats

	doubts  bool          // it has asked since the last packet came
	doubted time.Duration // when it did so first

	// What comes.
	in     received
	reader reader
	parts  assemblies
	graph  *depgraph.Receiver[[]byte]

	// What is sent.
	sender *depgraph.Sender
	out    outbox
	loose  looseBox
	turn   bool          // what is not guaranteed goes first in the next packet
	ask    bool          // the next packet is to ask for an acknowledgement
	asked  time.Duration // when the last one did

	// What becomes of it.
	flight   flight
	began    uint64 // the first packet on this path
	trip     roundTrip
	flow     flow
	acked    uint64        // one above the highest packet that was acknowledged
	ackedBy  uint64        // one above the highest packet that has said so
	distance uint64        // by how many packets one may be overtaken before it counts as lost
	slack    time.Duration // how much later than the round trip packets have come
	lossAt   time.Duration // when the next packet counts as lost by time; 0 for none
	quiet    time.Duration // since when nothing was acknowledged
	probes   int           // probe time-outs since then
	probe    bool          // a packet may be sent though the window is full

	// The end.
	closing *CloseError   // what is going to be said
	closeBy time.Duration // when it is said at the latest
	err     *CloseError   // why the connection is over
	say     bool          // a Close is to be sent
	answers int           // how often it was sent as an answer
}

// What is taken at most (D14): from a client, and from a server.
var (
	FromClient = Limits{Message: 4 << 10, Window: 256 << 10}
	FromServer = Limits{Message: 16 << 20, Window: 24 << 20}
)

// DefaultKeepalive is the keepalive of an end at which nobody looks (D29).
const DefaultKeepalive = 5 * time.Second

// leastDistance is by how many packets one may be overtaken, before more is learned, and mostDistance what is believed (D26).
const (
	leastDistance = 3
	mostDistance  = 60
)

// NewConn returns the end of a connection that begins now, at time 0.
func NewConn(config Config) *Conn {
	if config.Keepalive <= 0 {
		config.Keepalive = DefaultKeepalive
	}
	config.TheyTake.Message = min(config.TheyTake.Message, FromServer.Message)
	config.TheyTake.Window = min(config.TheyTake.Window, FromServer.Window)
	c := &Conn{config: config, distance: leastDistance, ask: true}
	c.graph = depgraph.NewReceiver(int(config.Takes.Window), c.execute, c.executeLoose)
	c.sender = depgraph.NewSender(int(config.TheyTake.Window))
	c.out.sender = c.sender
	c.take(config.Path)
	return c
}

// take begins with a path: nothing is known of it.
func (c *Conn) take(p Path) {
	p.Largest = min(max(p.Largest, MinSize), MaxSize)
	c.path = p
	c.trip, c.flow = roundTrip{}, newFlow(p.Largest)
	c.distance, c.slack = leastDistance, 0
	c.began = c.flight.next
}

// Send sends a guaranteed message that is executed after those of deps (D2), and fills h, unless it is nil. The message is not copied: it
// must not be changed before it is acknowledged, but may be shared. The error is ErrTooLarge or one of depgraph's (ErrWindow: try
// again when something was acknowledged, D3); nothing was sent then.
func (c *Conn) Send(_ time.Duration, msg []byte, deps []*depgraph.Handle, h *depgraph.Handle) error {
	switch {
	case c.closing != nil || c.err != nil:
		return depgraph.ErrClosed
	case uint64(len(msg)) > uint64(c.config.TheyTake.Message):
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

// SendLoose sends an unguaranteed message once, or never: when a newer one of the same key waits behind it, or when it could not be
// sent in time (D15). Key 0 is none. The message is not copied. The error is ErrTooLarge if it does not fit into a packet, or one
// of depgraph's.
func (c *Conn) SendLoose(now time.Duration, key uint32, msg []byte, deps []*depgraph.Handle) error {
	if c.closing != nil || c.err != nil {
		return depgraph.ErrClosed
	}
	if err := c.begin(deps); err != nil {
		return err
	}
	m := looseMessage{key: key, at: now, msg: msg}
	if after := c.sender.EndLoose(); len(after) > 0 {
		m.deps = append(m.deps, after...)
	}
	if len(msg) > MaxSize || looseSize(key, m.deps, msg) > c.capacity() {
		return ErrTooLarge
	}
	c.loose.expire(now)
	c.loose.add(m)
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

// capacity is how many bytes of records there are room for in any packet.
func (c *Conn) capacity() int {
	n := c.path.Largest - startSize - ackSize
	if c.path.UDP {
		n -= nameSize
	}
	return n
}

// MaxLoose is how many bytes an unguaranteed message without dependencies may have for now; each dependency takes two of them.
func (c *Conn) MaxLoose() int {
	n := c.capacity() - (looseSize(1<<32-1, nil, nil) - varintLen(0))
	return n - varintLen(uint32(n)) //nolint:gosec // it is less than a packet
}

// Resume goes on with the connection on another path (D21). What was under way is sent again.
func (c *Conn) Resume(now time.Duration, p Path) {
	for n := c.flight.first; n < c.flight.next && c.flight.count > 0; n++ {
		if s := c.flight.find(n); s != nil && s.fate == flying {
			c.giveUp(s)
		}
	}
	c.take(p)
	c.heard, c.quiet, c.lossAt = now, now, 0
	c.probes, c.probe, c.ask = 0, false, true
}

// Resize says that the path takes packets of largest bytes from now on (D28), fewer or more than before. Larger ones that are under way
// are sent again.
func (c *Conn) Resize(largest int) {
	before := c.path.Largest
	c.path.Largest = min(max(largest, MinSize), MaxSize)
	c.flow.packet = c.path.Largest
	if c.path.Largest >= before {
		return
	}
	for n := c.flight.first; n < c.flight.next; n++ {
		if s := c.flight.find(n); s != nil && s.fate == flying && s.size > c.path.Largest {
			c.giveUp(s)
		}
	}
}

// giveUp sends again what is in a packet, without taking it for lost.
func (c *Conn) giveUp(s *sent) {
	c.flight.land(s, givenUp)
	for _, u := range s.units {
		c.out.lose(u)
	}
}

// SetKeepalive changes after how long without sending something is sent (D29).
func (c *Conn) SetKeepalive(d time.Duration) { c.config.Keepalive = d }

// Floor is the lowest number of a message from the other end that has not been executed: all below have (D10).
func (c *Conn) Floor() uint64 { return c.graph.Floor() }

// Sender is the graph of what was sent: for the room in its window, and its tips.
func (c *Conn) Sender() *depgraph.Sender { return c.sender }

// Heard is when the last packet came.
func (c *Conn) Heard() time.Duration { return c.heard }

// Stats is what a connection has measured and counted.
type Stats struct {
	RoundTrip time.Duration // smoothed (D26); 0 before the first measurement
	Variation time.Duration
	Sent      uint64 // packets
	Received  uint64 // packets that were not dropped
	Dropped   uint64 // packets that came before, were too old or not to be read
	Lost      uint64 // packets that count as lost
	Spurious  uint64 // packets that counted as lost and came after all
	Probes    uint64 // probe time-outs
	Window    int    // bytes that may be under way (D27)
	Flying    int    // bytes under way
	Waiting   int    // bytes that guaranteed messages cost that are not acknowledged (D14)
}

// Stats returns the counters as they are now.
func (c *Conn) Stats() Stats {
	s := c.stats
	s.RoundTrip, s.Variation = c.trip.smoothed, c.trip.variation
	s.Flying, s.Waiting = c.flight.bytes, c.out.cost
	if !c.path.Free {
		s.Window = c.flow.window
	}
	return s
}
