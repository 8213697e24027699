package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Transport says how streams are carried.
type Transport uint8

// The transports.
const (
	// WebSocket works everywhere.
	WebSocket Transport = iota
	// Datagrams uses QUIC (datagram.md). What was lost about one piece does not delay the others.
	Datagrams
	// PlainUDP uses UDP without encryption, on a server whose operator has enabled it.
	PlainUDP
	// Auto uses QUIC or WebSocket, whichever reaches the server first. QUIC has a head start (D38).
	Auto
)

var transportNames = [...]string{
	WebSocket: "websocket", Datagrams: "datagrams", PlainUDP: "udp", Auto: "auto",
}

func (t Transport) String() string {
	if int(t) < len(transportNames) {
		return transportNames[t]
	}
	return "unknown"
}

// ParseTransport returns the transport with a name: websocket, datagrams, udp or auto.
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

// datagramsAgain is how long Auto uses WebSocket after datagrams failed (D38): after the first
// failure, and after the second. After a third failure it does not try datagrams again.
var datagramsAgain = [...]time.Duration{time.Minute, 5 * time.Minute}

// datagramsWorked is how long a datagram stream must last for its end to count as a first failure.
const datagramsWorked = time.Minute

// transportChoice decides for Auto which transport the next stream uses (D38). It reads no clock:
// times are those of the client's clock. The zero choosing begins with datagrams.
type transportChoice struct {
	failures int
	next     time.Duration // when to try datagrams again
	never    bool          // the server has no datagrams
}

// datagrams reports whether to try datagrams now.
func (h *transportChoice) datagrams(now time.Duration) bool {
	return !h.never && h.failures <= len(datagramsAgain) && now >= h.next
}

// failed records that datagrams failed after a stream that lasted for lasted.
func (h *transportChoice) failed(now, lasted time.Duration) {
	if lasted >= datagramsWorked {
		h.failures = 0
	}
	if h.failures < len(datagramsAgain) {
		h.next = now + datagramsAgain[h.failures]
	}
	h.failures++
}

// dial opens a stream as Config says. It returns the transport that it used, which is never Auto.
func (c *Client) dial(ctx context.Context) (l transportStream, by Transport, err error) {
	switch c.cfg.Transport {
	case Datagrams, PlainUDP:
		l, err = c.dialDatagrams(ctx)
		return l, c.cfg.Transport, err
	case Auto:
		if c.transportChoice.datagrams(c.ticks()) {
			return c.dialEither(ctx)
		}
	case WebSocket:
	}
	l, err = c.dialWebSocket(ctx, c.query())
	return l, WebSocket, err
}

// ErrNoDatagrams stops a client that may use datagrams only: the server does not offer the
// transport.
var ErrNoDatagrams = errors.New("the server has no streams by datagrams")

// offer says how to open a stream by datagrams (D30).
type offer struct {
	Ticket string   `json:"ticket"`
	Hashes []string `json:"hashes"`
	QUIC   string   `json:"quic"`
	UDP    string   `json:"udp"`
	// Updates says that the server takes updates by datagrams (D39).
	Updates bool `json:"updates"`
}

// ticket asks for a ticket. The error is ErrNoDatagrams if the server knows no datagrams.
func (s *Server) ticket(ctx context.Context, seat Seat) (offer, error) {
	var o offer
	err := s.call(
		ctx, http.MethodPost, "api/v1/tables/"+seat.Table+"/datagrams", seat.Token, nil, &o,
	)
	var p *Problem
	// A server without datagrams answers with one of these codes.
	if errors.As(err, &p) && p.Status == http.StatusNotFound &&
		(p.Code == "datagrams" || p.Code == "not-found") {
		err = ErrNoDatagrams
	}
	return o, err
}
