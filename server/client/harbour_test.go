package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"

	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
	"holt/server/transport/endpoint"
)

// The addresses of the harbour: for QUIC, and for plain UDP.
var (
	quayAddress  = netip.MustParseAddrPort("192.0.2.1:443")
	plainAddress = netip.MustParseAddrPort("192.0.2.1:444")
)

// harbour is a booth that offers datagrams, too, over a network in memory.
type harbour struct {
	*booth
	*water
	listener *endpoint.Listener
	hashes   []string
	arrived  chan *crossing
	tickets  int
	old      bool // it does not take updates by datagrams
}

// crossing is one stream by datagrams at the harbour.
type crossing struct {
	t      *testing.T
	query  url.Values
	client *stream.Stream
	ups    chan *holtpb.Up
	ended  chan error // capacity 1: it ends once
}

// water is the network: it delivers packets, or loses all of them.
type water struct {
	simnet.PerfectRouter

	mu sync.Mutex
	// Guarded by mu.
	frozen bool
	late   time.Duration // the delay of a packet; 0: 10 ms
	ports  uint16
}

func (w *water) SendPacket(p simnet.Packet) error {
	w.mu.Lock()
	frozen, late := w.frozen, cmp.Or(w.late, 10*time.Millisecond)
	w.mu.Unlock()
	if !frozen {
		// An error means that nobody listens: the packet is lost.
		time.AfterFunc(late, func() { _ = w.PerfectRouter.SendPacket(p) })
	}
	return nil
}

func (w *water) freeze(frozen bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.frozen = frozen
}

func (w *water) delay(late time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.late = late
}

func (w *water) socket(at netip.AddrPort) net.PacketConn {
	return simnet.NewBlockingSimConn(net.UDPAddrFromAddrPort(at), w)
}

// put opens a socket for a client.
func (w *water) put() (net.PacketConn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ports++
	return w.socket(netip.AddrPortFrom(netip.MustParseAddr("192.0.2.9"), 5000+w.ports)), nil
}

// atHarbour runs a test at a harbour, in virtual time.
func atHarbour(t *testing.T, name string, f func(t *testing.T, h *harbour)) {
	in(t, name, func(t *testing.T, b *booth) {
		h := &harbour{booth: b, water: &water{}, arrived: make(chan *crossing, 100)}
		h.begin()
		t.Cleanup(func() { h.end(time.Minute) })
		b.offer = h.ticket
		f(t, h)
	})
}

// begin starts to accept clients, for the first time or again.
func (h *harbour) begin() {
	h.t.Helper()
	certificates, err := endpoint.SelfSigned(time.Now)
	if err != nil {
		h.t.Fatal(err)
	}
	h.listener = endpoint.New(endpoint.Config{
		QUIC: h.socket(quayAddress), Plain: h.socket(plainAddress), Certificates: certificates,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if h.hashes, err = h.listener.Hashes(); err != nil {
		h.t.Fatal(err)
	}
	err = h.listener.Serve(endpoint.Host{
		Open: h.open, Problem: func(err error) string { return err.Error() },
		Origin: func(*http.Request) bool { return false }, ResetKey: &[32]byte{1},
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// end stops accepting clients. It cuts off streams that have not ended by themselves in time.
func (h *harbour) end(patience time.Duration) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := h.listener.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		h.t.Errorf("shut down: %v", err)
	}
}

// ticket is the answer to a request for datagrams (D30).
func (h *harbour) ticket() []byte {
	h.tickets++
	b, err := json.Marshal(map[string]any{
		"ticket": fmt.Sprintf("ticket%d", h.tickets), "webtransport": "https://192.0.2.1/datagrams",
		"hashes": h.hashes, "quic": quayAddress.String(), "udp": plainAddress.String(),
		"updates": !h.old,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}

// open opens a stream for the latest ticket. It refuses the seventh attempt.
func (h *harbour) open(
	_ context.Context, request string, carrier stream.Carrier,
) (*stream.Stream, error) {
	q, err := url.ParseQuery(request)
	if err != nil || q.Get("ticket") != fmt.Sprintf("ticket%d", h.tickets) {
		h.t.Errorf("a stream is asked for by %q: %v", request, err)
	}
	if q.Get("attempt") == "7" {
		return nil, errors.New("role")
	}
	c := &crossing{t: h.t, query: q, ups: make(chan *holtpb.Up, 100), ended: make(chan error, 1)}
	c.client = stream.Open(carrier, stream.Handlers{
		Receive: func(msg []byte) error {
			up, err := wire.DecodeUp(msg)
			if err == nil {
				c.ups <- up
			}
			return err
		},
		Ready: func() {}, Ended: func(err error) { c.ended <- err },
	})
	h.arrived <- c
	return c.client, nil
}

// says sends a frame. The first one synchronises the client.
func (c *crossing) says(f *holtpb.Frame) {
	c.t.Helper()
	b, err := wire.EncodeFrame(f)
	if err != nil {
		c.t.Fatal(err)
	}
	if len(f.GetEvents()) > 0 &&
		(f.GetEvents()[0].GetFull() != nil || f.GetEvents()[0].GetResumed() != nil) {
		c.client.Synchronise(b)
	} else {
		c.client.Push(b)
	}
	<-time.After(50 * time.Millisecond)
}

// heard returns the messages that have arrived from the client.
func (c *crossing) heard() (ups []*holtpb.Up) {
	<-time.After(50 * time.Millisecond)
	for len(c.ups) > 0 {
		ups = append(ups, <-c.ups)
	}
	return ups
}

// travels runs a client at the harbour. events collects the client's events; leave stops it.
func (h *harbour) travels(
	t *testing.T, by Transport,
) (c *Client, events *heardEvents, leave func() error) {
	t.Helper()
	events = &heardEvents{}
	c, err := New(Config{
		Server: h.server, Seat: Seat{Table: "ab", Token: "T"}, Client: id.Client{1}, Transport: by,
		Socket: h.put, Handle: events.note,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- c.Run(ctx) }()
	leave = sync.OnceValue(func() error {
		cancel()
		return <-over
	})
	t.Cleanup(func() { _ = leave() })
	return c, events, leave
}

// heardEvents collects the events of a client.
type heardEvents struct {
	mu  sync.Mutex
	all []Event
}

func (h *heardEvents) note(e *Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, *e)
}

// opened returns the transports of the streams that were opened, in order.
func (h *heardEvents) opened() (by []Transport) {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.all {
		if h.all[i].Kind == Opened {
			by = append(by, h.all[i].Transport)
		}
	}
	return by
}
