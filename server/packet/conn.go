package packet

import (
	"errors"
	"time"

	"holt/server/depgraph"
)

// What Send and SendLoose say of a message that was not sent. Errors of depgraph come as they are: ErrWindow says that there is no
// room before something was acknowledged (D3).
var (
	// ErrTooLarge says that a message is larger than the other end takes (D14), or an unguaranteed one than a packet.
	ErrTooLarge = errors.New("message too large")
)

// Path is what a connection has to know of the path that it has at the moment (D16).
type Path struct {
	// Largest is how many bytes a packet may have, from MinSize on (D28).
	Largest int
	// UDP says that packets go by plain UDP: they name the connection (D22), what cannot be read is dropped (D16), and the connection
	// keeps a window and a pace of its own, because nobody else does (D27).
	UDP bool
}

// Config is what a connection begins with: what the handshake has said.
type Config struct {
	// Number is that of the connection, as the Welcome says (D19).
	Number uint64
	// Path is the first path.
	Path Path
	// Takes is what this end takes, TheyTake what the other takes (D14).
	Takes, TheyTake Limits
	// Keepalive is after how long without sending something is sent (D29).
	Keepalive time.Duration
	// Execute gets each guaranteed message once, after those on which it depends. It may send, but neither receive nor close; msg
	// is good until it returns.
	Execute func(number uint64, msg []byte)
	// Loose gets unguaranteed messages, with their key (D15), by the same rule.
	Loose func(key uint32, msg []byte)
}

// Conn is one end of a connection (D20). One goroutine uses it: it calls Receive with what comes; after that, after sending, and when
// it is time by Wake, it calls Next for as long as the path takes packets. Times are those since the connection began and do not
// go back; the two ends need not agree on them.
type Conn struct{}

// NewConn returns the end of a connection that begins now, at time 0.
func NewConn(c Config) *Conn { panic("not yet") }

// Send sends a guaranteed message that is executed after those of deps (D2), and fills h, unless it is nil. The message is not copied: it
// must not be changed before it is acknowledged, but may be shared. The error is ErrTooLarge or one of depgraph's (ErrWindow: try
// again when something was acknowledged, D3); nothing was sent then.
func (c *Conn) Send(now time.Duration, msg []byte, deps []*depgraph.Handle, h *depgraph.Handle) error { return errors.ErrUnsupported }

// SendLoose sends an unguaranteed message once, or never: when a newer one of the same key waits behind it, or when it could not be
// sent in time (D15). Key 0 is none. The message is not copied. The error is ErrTooLarge, above MaxLoose, or one of depgraph's.
func (c *Conn) SendLoose(now time.Duration, key uint32, msg []byte, deps []*depgraph.Handle) error { return errors.ErrUnsupported }

// MaxLoose is how many bytes an unguaranteed message may have for now, whatever it depends on.
func (c *Conn) MaxLoose() int { panic("not yet") }

// Receive takes a packet that has come on the path, and executes what it can. It keeps nothing of p. An error, always a *CloseError, is the end of the
// connection: Err returns it from now on, and Next what is to be said about it.
func (c *Conn) Receive(now time.Duration, p []byte) error { panic("not yet") }

// Next appends the next packet that may be sent now, and returns false if there is none. It is called until it returns false, or
// until the path is full.
func (c *Conn) Next(now time.Duration, to []byte) ([]byte, bool) { panic("not yet") }

// Wake returns when Next is to be called again though nothing comes and nothing is sent; it may be in the past, which means
// now. It returns false if the connection is over.
func (c *Conn) Wake() (at time.Duration, ok bool) { panic("not yet") }

// Resume goes on with the connection on another path (D21). What was under way counts as lost.
func (c *Conn) Resume(now time.Duration, p Path) { panic("not yet") }

// Resize says that the path takes packets of largest bytes from now on (D28).
func (c *Conn) Resize(now time.Duration, largest int) { panic("not yet") }

// SetKeepalive changes after how long without sending something is sent (D29).
func (c *Conn) SetKeepalive(d time.Duration) { panic("not yet") }

// Close ends the connection (D29). With a code that ends in good order what waits is sent and acknowledged before, for 1 s at most. The first call counts.
func (c *Conn) Close(now time.Duration, code Code, reason string) { panic("not yet") }

// Err returns why the connection is over, and nil while it is not. Even then Next may have a Close to send, and again as the answer to
// what still comes.
func (c *Conn) Err() *CloseError { panic("not yet") }

// Floor is the lowest number of a message from the other end that has not been executed: all below have (D10).
func (c *Conn) Floor() uint64 { panic("not yet") }

// Sender is the graph of what was sent: for the room in its window, and its tips.
func (c *Conn) Sender() *depgraph.Sender { panic("not yet") }

// Heard is when the last packet came.
func (c *Conn) Heard() time.Duration { panic("not yet") }

// Stats is what a connection has measured and counted.
type Stats struct {
	RoundTrip time.Duration // smoothed (D26); 0 before the first measurement
	Variation time.Duration
	Sent      uint64 // packets
	Received  uint64 // packets that were not dropped
	Dropped   uint64 // packets: came before, too old, not to be read
	Lost      uint64 // packets that asked for an acknowledgement and count as lost
	Probes    uint64 // probe time-outs
	Window    int    // bytes that may be under way, on UDP (D27)
	Flying    int    // bytes under way
	Waiting   int    // bytes of guaranteed messages that have not been acknowledged
}

// Stats returns the counters as they are now.
func (c *Conn) Stats() Stats { panic("not yet") }
