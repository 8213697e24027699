package endpoint

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"holt/server/tables/stream"
	"holt/server/transport/connection"
)

// Config is what a Listener needs.
type Config struct {
	// QUIC is the socket for QUIC and WebTransport, Plain the one for plain UDP. Either may be nil.
	// The Listener closes them.
	QUIC, Plain net.PacketConn
	// Certificates are for QUIC.
	Certificates *Certificates
	Bounds       Bounds
	Log          *slog.Logger
}

// Host is the owner of the streams.
type Host struct {
	// Open opens the stream of a request (D30) over a carrier. An error refuses the request.
	Open func(ctx context.Context, request string, c stream.Carrier) (*stream.Stream, error)
	// Problem returns the code of the problem for an error of Open (http.md).
	Problem func(err error) string
	// Origin reports whether the page that asks for a session of WebTransport may have one.
	Origin func(r *http.Request) bool
	// Servers takes the connections of other servers. Nil refuses them.
	Servers *Servers
	// ResetKey is the same after a restart of the server, and secret. With it the restarted server
	// informs QUIC clients that missed the end of the old one that their connections are gone
	// (D21). Without it (nil) they find out by silence.
	ResetKey *[32]byte
}

// Listener lets clients open streams by datagrams. Its methods may be called from any goroutine.
type Listener struct {
	// Set at construction.
	cfg       Config
	began     time.Time
	admission *admission
	cookies   *cookies
	quic      *quicServer  // nil: none
	plain     *plainServer // nil: none
	// Shutdown closes it. After that, closed connections do not wait to answer what still comes.
	stopWaiting chan struct{}
	// Set by Serve, before a client can come.
	host Host

	counts counts

	loops sync.WaitGroup // goroutines of sockets
	paths sync.WaitGroup // goroutines of paths
	conns sync.WaitGroup // goroutines of connections

	mu sync.Mutex
	// Guarded by mu.
	stopping bool
	members  map[*connEntry]struct{}
	tokens   map[token]*connEntry // tokens that resume connections (D21)
}

type counts struct {
	opened, resumed, refused, retried, dropped atomic.Uint64
}

// Counts is what a Listener has counted so far.
type Counts struct {
	Opened  uint64 // connections
	Resumed uint64 // connections, on other paths
	Refused uint64 // Hellos that were answered with Close
	Retried uint64 // Hellos that were answered with Retry
	// Packets by plain UDP of no path, and QUIC handshakes beyond the bounds.
	Dropped uint64
	Open    int // connections, now
	Paths   int // now
}

// New returns a Listener that nobody can reach before Serve.
func New(cfg Config) *Listener {
	l := &Listener{
		cfg: cfg, began: time.Now(), admission: newAdmission(cfg.Bounds), cookies: newCookies(),
		stopWaiting: make(chan struct{}), members: map[*connEntry]struct{}{},
		tokens: map[token]*connEntry{},
	}
	if cfg.QUIC != nil {
		l.quic = newQUICServer(l)
	}
	if cfg.Plain != nil {
		l.plain = newPlainServer(l)
	}
	return l
}

// Serve lets clients come. It returns at once. Shutdown ends what it starts.
func (l *Listener) Serve(h Host) error {
	l.host = h
	if l.quic != nil {
		if err := l.quic.serve(); err != nil {
			return err
		}
	}
	if l.plain != nil {
		l.loops.Go(l.plain.serve)
	}
	return nil
}

// Hashes returns the SHA-256 of the certificates that clients may get, in base64, for pinning.
func (l *Listener) Hashes() ([]string, error) { return l.cfg.Certificates.Hashes() }

// Addresses returns where clients that know the server by the name or address host find QUIC and
// plain UDP. It returns "" for a socket that they cannot reach: one for this machine alone is
// reached by the machine's own names only.
func (l *Listener) Addresses(host string) (quic, plain string) {
	return addressFor(host, l.cfg.QUIC), addressFor(host, l.cfg.Plain)
}

func addressFor(host string, c net.PacketConn) string {
	if c == nil {
		return ""
	}
	at := addressOf(c.LocalAddr())
	named, err := netip.ParseAddr(host)
	own := host == "localhost" || err == nil && named.IsLoopback()
	switch {
	case at.Addr().IsLoopback() && !own:
		return ""
	case at.Addr().IsLoopback():
		host = at.Addr().String()
	case host == "localhost":
		host = "127.0.0.1" // a client that tries ::1 first may have no second try
	}
	return net.JoinHostPort(host, strconv.Itoa(int(at.Port())))
}

// Counts returns the counters as they are now.
func (l *Listener) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Counts{
		Opened:  l.counts.opened.Load(),
		Resumed: l.counts.resumed.Load(),
		Refused: l.counts.refused.Load(),
		Retried: l.counts.retried.Load(),
		Dropped: l.counts.dropped.Load(),
		Open:    len(l.members),
		Paths:   l.admission.inside(),
	}
}

// lastWords is how long, when the server stops, clients may take to let go of connections that have
// been closed.
const lastWords = 500 * time.Millisecond

// Shutdown waits until all connections are over: the owner of the streams has closed them before.
// It cuts off those that remain when ctx is done, and returns the error of ctx then. Nobody can
// connect any more. When it returns, all sockets are closed and all goroutines have ended. Further
// calls do nothing.
func (l *Listener) Shutdown(ctx context.Context) error {
	l.mu.Lock()
	if l.stopping {
		l.mu.Unlock()
		return nil
	}
	l.stopping = true
	left := slices.Collect(maps.Keys(l.members))
	l.mu.Unlock()
	var err error
	for _, m := range left {
		select {
		case <-m.conn.Gone():
			continue
		case <-ctx.Done():
			err = ctx.Err()
		}
		m.conn.Close(connection.Code(stream.CodeInternal), "the server has stopped")
		<-m.conn.Gone()
	}
	hurry := time.AfterFunc(lastWords, func() { close(l.stopWaiting) })
	l.conns.Wait()
	hurry.Stop()
	if l.plain != nil {
		err = errors.Join(err, l.plain.close())
	}
	if l.quic != nil {
		err = errors.Join(err, l.quic.close())
	}
	l.loops.Wait()
	l.paths.Wait()
	return err
}
