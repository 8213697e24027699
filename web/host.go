package web

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// hstsAge is for how many seconds a browser must use TLS after it has seen the public URL by TLS:
// thirty days. It applies to all ports of the name, so it is not longer. It does not include other
// names.
const hstsAge = 30 * 24 * 60 * 60

// requestOrigin returns the origin to which r went, as the request and a trusted proxy say.
func (s *Server) requestOrigin(r *http.Request) *url.URL {
	u := &url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil || s.fromTrustedProxy(r) && r.Header.Get("X-Forwarded-Proto") == "https" {
		u.Scheme = "https"
	}
	return u
}

// publicOrigin returns the origin under which the browser of r knows the server.
func (s *Server) publicOrigin(r *http.Request) *url.URL {
	if s.publicURL != nil {
		return s.publicURL
	}
	return s.requestOrigin(r)
}

// checkHost refuses a request that went to another name than that of the public URL: a foreign name
// may lead here, and then its pages would count as ours. Trusted proxies check names themselves.
// Clients on this machine may use its local names. Other servers prove who they are, and health
// checks learn nothing.
func (s *Server) checkHost(r *http.Request) error {
	switch {
	case r.URL.Path == "/healthz", r.URL.Path == "/api/v1/peer":
		return nil
	case s.publicURL == nil:
		return s.checkOpened(r)
	case sameHost(s.publicURL, r.Host), s.fromTrustedProxy(r):
		return nil
	case isOwnMachine((&url.URL{Host: r.Host}).Hostname()) && fromHere(r):
		return nil
	}
	return newProblem("misdirected",
		"this server is at "+s.publicURL.String()+", and answers under no other name")
}

// sameHost reports whether a Host header names the host and port of u.
func sameHost(u *url.URL, host string) bool {
	standard := "80"
	if u.Scheme == "https" {
		standard = "443"
	}
	bare := func(h string) string { return strings.ToLower(strings.TrimSuffix(h, ":"+standard)) }
	return bare(u.Host) == bare(host)
}

// fromHere reports whether the other end of the connection is on the same machine.
func fromHere(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}
