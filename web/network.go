package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"

	"holt/server/tables/room"
)

// Network is what the edge knows of the machine's place in its networks (http.md, "Where a link
// leads").
type Network interface {
	// Reachable returns where other machines find this server, the best address first. It is empty
	// while the server listens for this machine alone.
	Reachable() []netip.AddrPort
	// Closed returns the addresses of this machine at which the server could listen, too. It is
	// empty if the server has another way to be found.
	Closed() []netip.Addr
	// Listen starts to listen at one of the addresses of Closed, until the server ends.
	// ErrPortTaken, ErrNoAddress.
	Listen(ctx context.Context, at netip.Addr) error
	// ListensFor reports whether a connection came to an address that Listen has opened.
	ListensFor(local netip.AddrPort) bool
	// Flag returns what --listen has to be so that other machines find the server.
	Flag() string
}

// Errors of Network.Listen.
var (
	ErrPortTaken = errors.New("another program listens there")
	ErrNoAddress = errors.New("the server does not offer to listen there")
)

// A link works within one of these.
const (
	reachMachine = "machine" // the machine of the server
	reachNetwork = "network" // its local network
	reachPublic  = "public"  // wherever the name or address of the server is known
)

// sharingJSON is what a host or player needs to invite people.
type sharingJSON struct {
	invitesJSON
	Reach string `json:"reach"`
	// Addresses and Listen are there if Reach is "machine": the addresses at which whoever asks may
	// let the server listen, and the flag that does so at the next start.
	Addresses []netip.Addr `json:"addresses,omitempty"`
	Listen    string       `json:"listen,omitempty"`
	// Codes are QR codes of the links, if others can open them.
	Codes *codesJSON `json:"codes,omitempty"`
}

type codesJSON struct {
	Player    []string `json:"player"`
	Spectator []string `json:"spectator"`
}

// sharing returns the invite links, and what is to be known of where they lead.
func (s *Server) sharing(r *http.Request, session room.Session, i room.Invites) sharingJSON {
	j := sharingJSON{invitesJSON: s.invites(r, i)}
	j.Reach = reachOf(s.shareOrigin(r))
	if j.Reach != reachMachine {
		j.Codes = &codesJSON{QRCode(j.Player), QRCode(j.Spectator)}
		return j
	}
	if s.network != nil {
		j.Listen = s.network.Flag()
		if session.Role.Hosts() && s.atMachine(r) {
			j.Addresses = s.network.Closed()
		}
	}
	return j
}

// shareOrigin returns the origin for links that people send to others. A browser at the machine
// itself may have opened the page as localhost, which leads others to their own machines: then it
// is an address that others can reach, if there is one.
func (s *Server) shareOrigin(r *http.Request) *url.URL {
	o := s.publicOrigin(r)
	if s.network == nil || !s.atMachine(r) {
		return o
	}
	if at := s.network.Reachable(); len(at) > 0 {
		return &url.URL{Scheme: o.Scheme, Host: at[0].String()}
	}
	return o
}

// sharedNetwork are the addresses of Tailscale and of providers' networks (RFC 6598).
var sharedNetwork = netip.MustParsePrefix("100.64.0.0/10")

// IsOfLocalNetwork reports whether an address means nothing outside a local network.
func IsOfLocalNetwork(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsPrivate() || a.IsLinkLocalUnicast() || sharedNetwork.Contains(a)
}

// reachOf returns from where a link with this origin works.
func reachOf(o *url.URL) string {
	if isOwnMachine(o.Hostname()) {
		return reachMachine
	}
	if a, err := netip.ParseAddr(o.Hostname()); err == nil && IsOfLocalNetwork(a) {
		return reachNetwork
	}
	return reachPublic
}

// atMachine reports whether somebody at this machine has made r: without a proxy between, and with
// a name that means this machine. So a foreign name that leads here does not count.
func (s *Server) atMachine(r *http.Request) bool {
	for _, h := range []string{
		"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip",
	} {
		if r.Header.Get(h) != "" {
			return false
		}
	}
	return s.publicURL == nil && len(s.trusted) == 0 && fromHere(r) &&
		isOwnMachine((&url.URL{Host: r.Host}).Hostname())
}

// checkOpened refuses a request that came to an address that was opened from a page and names
// another one: nobody but who was sent the address has business there.
func (s *Server) checkOpened(r *http.Request) error {
	a, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok || s.network == nil {
		return nil
	}
	local := a.AddrPort()
	local = netip.AddrPortFrom(local.Addr().Unmap(), local.Port())
	own := &url.URL{Scheme: "http", Host: local.String()}
	if !s.network.ListensFor(local) || sameHost(own, r.Host) {
		return nil
	}
	return newProblem("misdirected",
		"this server is at "+own.String()+", and answers under no other name here")
}

// apiListen lets the server listen at an address of the local network, too. Only a host who sits at
// the machine may do so, and only from a page: this opens the server to others.
func (s *Server) apiListen(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	if err := s.checkOrigin(r, true); err != nil {
		return err
	}
	var text string
	if err := readObject(r, []string{"address"}, map[string]any{"address": &text}); err != nil {
		return err
	}
	switch {
	case !session.Role.Hosts():
		return room.ErrRole
	case s.network == nil, !s.atMachine(r):
		return newProblem("refused", "only a host at the machine of the server may open it")
	}
	at, err := netip.ParseAddr(text)
	if err != nil {
		return impossible("the address is not one")
	}
	if err := s.network.Listen(r.Context(), at); err != nil {
		return err
	}
	invites, err := s.rooms.Invites(r.Context(), session)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, s.sharing(r, session, invites))
}
