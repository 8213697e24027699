package sim

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"

	"holt/server/client"
	"holt/server/transport/endpoint"
)

// serverAddress is the address of a house's datagrams.
var serverAddress = netip.MustParseAddrPort("192.0.2.1:443")

// packetNetwork carries packets between a house and programs, late and in any order, and loses
// some. Nothing reaches a program whose road leads nowhere.
type packetNetwork struct {
	simnet.PerfectRouter

	mu sync.Mutex
	// Guarded by mu.
	rnd     *rand.Rand
	clients map[netip.Addr]*clientNetwork
	next    byte
	lost    int
}

func newSea(seed uint64) *packetNetwork {
	return &packetNetwork{
		rnd: rand.New(rand.NewPCG(seed, 2)), clients: map[netip.Addr]*clientNetwork{},
	}
}

// SendPacket loses one packet in twenty.
func (s *packetNetwork) SendPacket(p simnet.Packet) error {
	s.mu.Lock()
	delay := time.Duration(s.rnd.Int64N(int64(40 * time.Millisecond)))
	lost := s.rnd.IntN(20) == 0 || s.parted(p.To) || s.parted(p.From)
	if lost {
		s.lost++
	}
	s.mu.Unlock()
	if !lost {
		// A packet to nobody is lost.
		time.AfterFunc(delay, func() { _ = s.PerfectRouter.SendPacket(p) })
	}
	return nil
}

// parted reports whether an address is that of a program whose road leads nowhere. The caller holds
// mu.
func (s *packetNetwork) parted(a net.Addr) bool {
	udp, ok := a.(*net.UDPAddr)
	if !ok {
		return false
	}
	r := s.clients[udp.AddrPort().Addr().Unmap()]
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.away
}

// socket makes a socket for a program with a road.
func (s *packetNetwork) socket(r *clientNetwork) (net.PacketConn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next++; s.next == 250 {
		s.next = 1
	}
	at := netip.AddrFrom4([4]byte{198, 51, 100, s.next})
	s.clients[at] = r
	return simnet.NewBlockingSimConn(net.UDPAddrFromAddrPort(netip.AddrPortFrom(at, 5000)), s), nil
}

// listen opens the house's end.
func (s *packetNetwork) listen(t *testing.T) *endpoint.Listener {
	t.Helper()
	certificates, err := endpoint.SelfSigned(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint.New(endpoint.Config{
		QUIC:         simnet.NewBlockingSimConn(net.UDPAddrFromAddrPort(serverAddress), s),
		Certificates: certificates, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
}

// TestReplicasByDatagrams is TestReplicas where most programs have their streams by datagrams, over
// a network that loses and reorders packets.
func TestReplicasByDatagrams(t *testing.T) {
	first, n := *partSeed, 1
	if first == 0 {
		if first, n = firstSeed("parts"), *parts/4; testing.Short() {
			n = min(n, 1)
		}
	}
	t.Run("D31, D35, D38, C17 after any loss all replicas agree in two rounds", func(t *testing.T) {
		t.Logf("%d runs; of the first: -run TestReplicasByDatagrams -partseed %d", n, first)
		var all replicaCounts
		for i := range uint64(n) {
			seed, dir := first+i, t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				h := &serverWithHTTP{host: host{t: t, dir: dir}, network: new(network), packets: newSea(seed)}
				all.play(h, rand.New(rand.NewPCG(seed, 0)), seed%2 == 0)
			})
			if t.Failed() {
				t.Fatalf("-run TestReplicasByDatagrams -partseed %d", seed)
			}
		}
		t.Logf("%+v", all)
		if all.byDatagrams < 10*n || all.byWebSocket < n {
			t.Errorf("it covers little: %+v", all)
		}
	})
}

// transports are the transports that programs use in turn, where there is a sea.
var transports = [...]client.Transport{
	client.Datagrams, client.Auto, client.Datagrams, client.WebSocket,
}

// shutListener ends the streams by datagrams of a house that stops.
func (h *serverWithHTTP) shutListener() {
	if h.listener == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := h.listener.Shutdown(ctx); err != nil {
		h.t.Errorf("shut down: %v", err)
	}
}
