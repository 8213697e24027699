package endpoint

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"

	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

const latency = 20 * time.Millisecond // one way

var (
	quicAddress  = netip.MustParseAddrPort("192.0.2.1:443")
	plainAddress = netip.MustParseAddrPort("192.0.2.1:444")
)

// world is a server and its clients on a network, in virtual time.
type world struct {
	*testing.T
	road     *road
	listener *Listener
	host     *host
	hashes   []string
	resetKey *[32]byte
	stopped  bool
	next     atomic.Uint32 // the last part of the latest client's address
	after    []func()      // closes browsers
}

// inWorld runs a test in a world of its own. It checks that all streams end gracefully, and that
// nothing of the world is left.
func inWorld(t *testing.T, b Bounds, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{T: t, road: newRoad(), host: &host{}, resetKey: &[32]byte{1}}
		w.next.Store(10)
		w.begin(b)
		defer w.stop()
		test(w)
	})
}

// begin starts the server, for the first time or again.
func (w *world) begin(b Bounds) {
	w.Helper()
	certificates, err := SelfSigned(time.Now)
	if err != nil {
		w.Fatal(err)
	}
	w.stopped = false
	w.listener = New(Config{
		QUIC: w.socket(quicAddress), Plain: w.socket(plainAddress),
		Certificates: certificates, Bounds: b,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if w.hashes, err = w.listener.Hashes(); err != nil {
		w.Fatal(err)
	}
	err = w.listener.Serve(Host{
		Open: w.host.open, Problem: func(err error) string { return err.Error() },
		Origin: func(r *http.Request) bool {
			return r.Header.Get("Origin") != "https://elsewhere.example"
		},
		ResetKey: w.resetKey,
	})
	if err != nil {
		w.Fatal(err)
	}
}

// kill ends the server without a message to anybody.
func (w *world) kill() {
	w.road.losing(0, func(p simnet.Packet) bool { return addressOf(p.From) == quicAddress })
	w.stop()
	w.road.losing(0, nil)
}

// stop stops the server as the program does: the streams first.
func (w *world) stop() {
	w.Helper()
	if w.stopped {
		return
	}
	w.stopped = true
	for _, s := range w.host.all() {
		s.client.Close(nil, stream.CodeGoingAway, "the server is stopping")
	}
	ctx, cancel := context.WithTimeout(w.Context(), 15*time.Second)
	defer cancel()
	if err := w.listener.Shutdown(ctx); err != nil {
		w.Errorf("shut down: %v", err)
	}
	for _, s := range w.host.all() {
		<-s.client.Done()
	}
	for _, f := range w.after {
		f()
	}
}

// socket returns a socket at an address of the network.
func (w *world) socket(at netip.AddrPort) net.PacketConn {
	return simnet.NewBlockingSimConn(net.UDPAddrFromAddrPort(at), w.road)
}

// dialer returns a Dialer whose sockets have an address each.
func (w *world) dialer() *Dialer {
	return &Dialer{Socket: func() (net.PacketConn, error) {
		last := byte(w.next.Add(1))
		return w.socket(netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, last}), 5000)), nil
	}}
}

// target returns the server's address on a network.
func (w *world) target(network string) Target {
	if network == Plain {
		return Target{Network: Plain, Address: plainAddress.String()}
	}
	return Target{Network: QUIC, Address: quicAddress.String(), Hashes: w.hashes}
}

// road carries packets between sockets, or loses them.
type road struct {
	simnet.PerfectRouter

	mu sync.Mutex
	// Guarded by mu.
	rand *rand.Rand
	loss float64                    // share of all packets
	lose func(p simnet.Packet) bool // nil: none
	echo time.Duration              // each packet comes again after that; 0: it does not
	sent map[string]int             // bytes, by sender
}

func newRoad() *road {
	return &road{rand: rand.New(rand.NewPCG(1, 2)), sent: map[string]int{}}
}

func (r *road) SendPacket(p simnet.Packet) error {
	r.mu.Lock()
	r.sent[p.From.String()] += len(p.Data)
	lost := r.rand.Float64() < r.loss || r.lose != nil && r.lose(p)
	echo := r.echo
	r.mu.Unlock()
	if !lost {
		// To an unknown address: lost.
		time.AfterFunc(latency, func() { _ = r.PerfectRouter.SendPacket(p) })
	}
	if echo > 0 {
		time.AfterFunc(latency+echo, func() { _ = r.PerfectRouter.SendPacket(p) })
	}
	return nil
}

// losing sets what is lost from now on.
func (r *road) losing(share float64, lose func(p simnet.Packet) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.loss, r.lose = share, lose
}

// bytesFrom returns how many bytes an address has sent.
func (r *road) bytesFrom(a netip.AddrPort) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent[a.String()]
}

// host has the streams of a server.
type host struct {
	mu sync.Mutex
	// Guarded by mu.
	streams []*hosted
}

// hosted is a stream that sends its client what it receives from it.
type hosted struct {
	request string
	client  *stream.Stream
	ended   chan error // capacity 1: it ends once
}

// open opens a stream, unless the request asks to be refused.
func (h *host) open(_ context.Context, request string, c stream.Carrier) (*stream.Stream, error) {
	if request == "refuse" {
		return nil, errors.New("role")
	}
	s := &hosted{request: request, ended: make(chan error, 1)}
	s.client = stream.Open(c, stream.Handlers{
		Receive: func(msg []byte) error {
			switch up, err := wire.DecodeUp(msg); {
			case err != nil:
				return err
			case up.GetPing() != nil:
				s.tell(up.GetPing().GetNonce())
			}
			return nil
		},
		Ready: func() {},
		Ended: func(err error) { s.ended <- err },
	})
	whole, err := wire.EncodeFrame(&holtpb.Frame{Time: 1, Mark: 1,
		Events: []*holtpb.Event{{Event: &holtpb.Event_Full{Full: &holtpb.Full{Epoch: 1}}}}})
	if err != nil {
		return nil, err
	}
	s.client.Synchronise(whole)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.streams = append(h.streams, s)
	return s.client, nil
}

// tell publishes to the client that piece n modulo 8, and piece 1, are at n.
func (s *hosted) tell(n uint64) {
	x := int32(n)
	update := &holtpb.Update{Piece: &holtpb.Piece{Id: uint32(n%8 + 1), Mark: n + 1, X: &x}}
	frame, err := wire.EncodeFrame(&holtpb.Frame{
		Time: 1, Mark: n + 1,
		Events: []*holtpb.Event{{Event: &holtpb.Event_Update{Update: update}}},
	})
	if err != nil {
		panic(err)
	}
	s.client.Push(frame)
}

func (h *host) all() []*hosted {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]*hosted(nil), h.streams...)
}

// last returns the stream that was opened last.
func (h *host) last(t testing.TB) *hosted {
	t.Helper()
	all := h.all()
	if len(all) == 0 {
		t.Fatal("no stream was opened")
	}
	return all[len(all)-1]
}
