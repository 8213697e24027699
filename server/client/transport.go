package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Transport is by what streams come.
type Transport uint8

// The transports.
const (
	// WebSocket works everywhere.
	WebSocket Transport = iota
	// Datagrams goes by QUIC (datagram.md): what was lost about one piece does not hold up the others.
	Datagrams
	// PlainUDP goes by UDP, without encryption, where the host has asked for that.
	PlainUDP
	// Auto goes by QUIC or by WebSocket, whichever is there first, QUIC having a head start (D38).
	Auto
)

var transportNames = [...]string{WebSocket: "websocket", Datagrams: "datagrams", PlainUDP: "udp", Auto: "auto"}

func (t Transport) String() string {
	if int(t) < len(transportNames) {
		return transportNames[t]
	}
	return "unknown"
}

// ParseTransport returns the transport of a name: websocket, datagrams, udp or auto.
func ParseTransport(name string) (Transport, error) {
	for t, n := range transportNames {
		if n == name {
			return Transport(t), nil
		}
	}
	return 0, fmt.Errorf("no transport is called %q", name)
}

// MarshalText returns the name.
func (t Transport) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a name as ParseTransport does.
func (t *Transport) UnmarshalText(name []byte) (err error) {
	*t, err = ParseTransport(string(name))
	return err
}

// How long a client that may go by WebSocket as well does so when datagrams have failed (D38): the first time, and the second. Then
// it does not try them any more.
var datagramsAgain = [...]time.Duration{time.Minute, 5 * time.Minute}

// datagramsWorked is how long a stream by datagrams has to last for its end to count as the first failure.
const datagramsWorked = time.Minute

// choosing decides, for Auto, by what the next stream is to come (D38). It has no clock: times are those of the client's. The zero one
// begins with datagrams.
type choosing struct {
	failures int
	next     time.Duration // when datagrams may be tried again
	never    bool          // the server has none
}

// datagrams reports whether to try datagrams now.
func (h *choosing) datagrams(now time.Duration) bool {
	return !h.never && h.failures <= len(datagramsAgain) && now >= h.next
}

// failed notes that datagrams have failed, after so long.
func (h *choosing) failed(now, lasted time.Duration) {
	if lasted >= datagramsWorked {
		h.failures = 0
	}
	if h.failures < len(datagramsAgain) {
		h.next = now + datagramsAgain[h.failures]
	}
	h.failures++
}

// dial opens a stream, by what Config says, and says by what it comes: never Auto.
func (c *Client) dial(ctx context.Context) (l line, by Transport, err error) {
	switch c.cfg.Transport {
	case Datagrams, PlainUDP:
		l, err = c.dialDatagrams(ctx)
		return l, c.cfg.Transport, err
	case Auto:
		if c.choosing.datagrams(c.ticks()) {
			return c.dialEither(ctx)
		}
	case WebSocket:
	}
	l, err = c.dialWebSocket(ctx, c.query())
	return l, WebSocket, err
}

// ErrNoDatagrams is why a client stops that is to have its stream by datagrams only: the server has no such path.
var ErrNoDatagrams = errors.New("the server has no streams by datagrams")

// offer is how a stream by datagrams is to be opened (D30).
type offer struct {
	Ticket string   `json:"ticket"`
	Hashes []string `json:"hashes"`
	QUIC   string   `json:"quic"`
	UDP    string   `json:"udp"`
}

// ticket asks for a ticket.
func (s *Server) ticket(ctx context.Context, seat Seat) (offer, error) {
	var o offer
	err := s.call(ctx, http.MethodPost, "api/v1/tables/"+seat.Table+"/datagrams", seat.Token, nil, &o)
	var p *Problem
	if errors.As(err, &p) && p.Status == http.StatusNotFound && (p.Code == "datagrams" || p.Code == "not-found") { // one that knows nothing of them
		err = ErrNoDatagrams
	}
	return o, err
}
