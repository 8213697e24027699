package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// clientAddress finds the client's address: the other end of the connection, or the address that a
// trusted proxy names.
func (s *Server) clientAddress(next http.Handler) http.Handler {
	if len(s.trusted) == 0 {
		return middleware.ClientIPFromRemoteAddr(next)
	}
	prefixes := make([]string, len(s.trusted))
	for i, p := range s.trusted {
		prefixes[i] = p.String()
	}
	return middleware.ClientIPFromXFF(prefixes...)(next)
}

// clientOf returns the client's address. If a trusted proxy names none, or sends garbage, it is the
// proxy's address.
func clientOf(r *http.Request) netip.Addr {
	if a := middleware.GetClientIPAddr(r.Context()); a.IsValid() {
		return a.Unmap()
	}
	peer, _ := netip.ParseAddrPort(r.RemoteAddr) // otherwise invalid, and the same for all
	return peer.Addr().Unmap()
}

// addressOf returns the address by which rates are counted: an IPv4 address, or the /64 that an
// IPv6 customer gets.
func addressOf(r *http.Request) netip.Addr {
	a := clientOf(r)
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}

// fromTrustedProxy reports whether the other end of the connection is a trusted proxy.
func (s *Server) fromTrustedProxy(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	for _, p := range s.trusted {
		if p.Contains(peer.Addr().Unmap()) {
			return true
		}
	}
	return false
}

// observe logs every request, without its query and without the secrets in its path. It turns a
// panic into a 500.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			if fault := recover(); fault != nil {
				if fault == http.ErrAbortHandler { //nolint:errorlint // as net/http does
					panic(fault)
				}
				s.log.LogAttrs(r.Context(), slog.LevelError, "panic",
					slog.String("route", routeOf(r)), slog.Any("fault", fault),
					slog.String("stack", string(debug.Stack())))
				if ww.Status() == 0 {
					s.refuseFor(ww, r, newProblem("internal",
						"the fault is in the server and has been noted there"))
				}
			}
			s.access(r, ww, time.Since(start))
		}()
		next.ServeHTTP(ww, r)
	})
}

// quiet routes get many requests a minute from everybody. They are logged only when something is
// wrong.
var quiet = map[string]bool{
	"/api/v1/tables/{table}/updates": true,
	"/art/{hash}":                    true,
	"/art/{hash}/album":              true,
	"/assets/*":                      true,
	"/healthz":                       true,
}

func (s *Server) access(r *http.Request, w middleware.WrapResponseWriter, took time.Duration) {
	route, level := routeOf(r), slog.LevelInfo
	if quiet[route] && w.Status() < http.StatusBadRequest {
		level = slog.LevelDebug
	}
	if !s.log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", r.Method), slog.String("route", route),
		slog.Int("status", w.Status()),
		slog.Int("bytes", w.BytesWritten()), slog.Duration("took", took.Round(time.Microsecond)),
		slog.String("client", clientOf(r).String()),
	}
	if t := chi.URLParam(r, "table"); t != "" {
		attrs = append(attrs, slog.String("table", clip(t, 32)))
	}
	s.log.LogAttrs(context.WithoutCancel(r.Context()), level, "request", attrs...)
}

func clip(s string, n int) string { return s[:min(n, len(s))] }

// validHost is the form of a valid Host header, which ends up in links and in the content security
// policy.
var validHost = regexp.MustCompile(`^[A-Za-z0-9._~%:\[\]-]{1,261}$`)

// harden sets the headers that every answer has, and refuses a Host that could break out of them.
func (s *Server) harden(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		if !validHost.MatchString(r.Host) {
			s.refuseFor(w, r, malformed("the Host header is not one"))
			return
		}
		if s.publicURL != nil && s.publicURL.Scheme == "https" {
			h.Set("Strict-Transport-Security", "max-age="+strconv.Itoa(hstsAge))
		}
		if err := s.checkHost(r); err != nil {
			s.refuseFor(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// permissions denies pages the browser features that they do not need, so that injected code cannot
// use them either.
const permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), " +
	"gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"

// pagePolicy is the content security policy of pages. It names the WebSocket beside 'self', because
// older browsers do not take it for the same origin. sessions is the origin of WebTransport
// sessions, and forms is the origin to which forms may lead beside the server itself. Each may be
// "".
func pagePolicy(base *url.URL, sessions, forms string) string {
	socket := "ws://" + base.Host
	if base.Scheme == "https" {
		socket = "wss://" + base.Host
	}
	if sessions != "" {
		socket += " " + sessions
	}
	if forms != "" {
		forms = " " + forms
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; " +
		"img-src 'self' data: blob:; connect-src 'self' " + socket +
		"; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'" + forms +
		"; frame-ancestors 'none'"
}
