package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"holt/server/tables/room"
	"holt/server/tables/stream"
)

// Datagrams is the other transport of streams (*endpoint.Listener).
type Datagrams interface {
	// Hashes returns the hashes of the certificates that clients may meet, for pinning.
	Hashes() ([]string, error)
	// Addresses returns where clients that know the server by the name host find QUIC and plain
	// UDP. An address is "" if they cannot reach it.
	Addresses(host string) (quic, plain string)
}

// offer is what a client needs to open its stream by datagrams (D30).
type offer struct {
	Ticket       string   `json:"ticket"`
	WebTransport string   `json:"webtransport,omitempty"`
	Hashes       []string `json:"hashes,omitempty"`
	QUIC         string   `json:"quic,omitempty"`
	UDP          string   `json:"udp,omitempty"`
	// Updates says that the server takes updates by datagrams (D39). Older servers do not.
	Updates bool `json:"updates"`
}

// apiDatagrams gives a seat a ticket (D30), and counts it as a stream.
func (s *Server) apiDatagrams(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	o, err := s.offerOf(r)
	if err != nil {
		return err
	}
	if err := s.admitStream(session); err != nil {
		return err
	}
	if o.Ticket, err = s.tickets.issue(session, time.Now()); err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, o)
}

// offerOf says where the client of a request finds datagrams.
func (s *Server) offerOf(r *http.Request) (offer, error) {
	var o offer
	if s.datagrams != nil {
		o.QUIC, o.UDP = s.datagrams.Addresses(s.publicOrigin(r).Hostname())
	}
	if o.QUIC != "" {
		var err error
		if o.Hashes, err = s.datagrams.Hashes(); err != nil {
			return o, fmt.Errorf("hashes of certificates: %w", err)
		}
		o.WebTransport = "https://" + o.QUIC + "/datagrams"
	}
	if o.QUIC == "" && o.UDP == "" {
		return o, newProblem("datagrams", "streams come by WebSocket here")
	}
	o.Updates = true
	return o, nil
}

// sessionOrigin returns the origin to which pages open WebTransport sessions, or "" if there is
// none.
func (s *Server) sessionOrigin(base *url.URL) string {
	if s.datagrams == nil {
		return ""
	}
	if quic, _ := s.datagrams.Addresses(base.Hostname()); quic != "" {
		return "https://" + quic
	}
	return ""
}

// OpenByDatagrams opens the stream of a request over a carrier (D30). ProblemCode gives the code of
// its errors.
func (s *Server) OpenByDatagrams(
	ctx context.Context, request string, c stream.Carrier,
) (*stream.Stream, error) {
	q, err := url.ParseQuery(request)
	if err != nil {
		return nil, malformed("the request is not a query")
	}
	session, ok := s.tickets.redeem(q.Get("ticket"), time.Now())
	if !ok {
		return nil, newProblem("no-seat", "the ticket is not one, was used, or is too old")
	}
	hello, err := helloOf(q)
	if err != nil {
		return nil, err
	}
	hello.Handover = q.Get("handover") == "1"
	hello.Updates = s.newUpward(session).receive
	client, err := s.rooms.Open(ctx, session, hello, c)
	if err != nil {
		return nil, err
	}
	s.logOpened(ctx, "stream opened by datagrams", session, hello.Client)
	return client, nil
}

// ProblemCode returns the problem code of an error of OpenByDatagrams. It logs unforeseen errors.
func (s *Server) ProblemCode(err error) string {
	p := problemOf(err)
	if p.status() >= http.StatusInternalServerError {
		s.log.LogAttrs(context.Background(), slog.LevelError, "stream by datagrams not opened",
			slog.Any("err", err))
	}
	return p.Code
}

// MayOpenSession reports whether the page that asks for a WebTransport session belongs to this
// server. It comes from another port, which browsers count as another origin. A request without an
// origin does not come from a browser. The ticket decides who may have a stream.
func (s *Server) MayOpenSession(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || s.sameOrigin(r, origin) {
		return true
	}
	o, err := url.Parse(origin)
	if err != nil || o.Host == "" {
		return false
	}
	page, server := o.Hostname(), (&url.URL{Host: r.Host}).Hostname()
	return strings.EqualFold(page, server) || isOwnMachine(page) && isOwnMachine(server)
}

// isOwnMachine reports whether a name means the machine that uses it.
func isOwnMachine(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}
