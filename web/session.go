package web

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"holt/server/id"
	"holt/server/tables/room"
)

// Cookies. A browser has one for each table at which it has a seat, named by the table. So a seat
// is found by its table, and leaving one table affects no other.
const (
	cookiePrefix = "holt_"
	nickCookie   = "holt_nick"
	cookieAge    = 400 * 24 * 60 * 60 // seconds; browsers keep none for longer
	maxToken     = 256
	// maxTables and maxStrangers bound how many cookies the front page looks up, and how many of
	// them without success.
	maxTables    = 64
	maxStrangers = 8
	// hostPrefix makes browsers accept a cookie by TLS only, and from no other host of the same
	// domain.
	hostPrefix = "__Host-"
)

func seatCookie(table id.OID) string { return cookiePrefix + table.String() }

// tableOf returns the table that the path names.
func tableOf(r *http.Request) (id.OID, error) {
	table, err := id.ParseOID(chi.URLParam(r, "table"))
	if err != nil {
		return id.OID{}, newProblem("no-table", "the address names no table: "+err.Error())
	}
	return table, nil
}

// session returns the seat for which r speaks: by bearer token, or by cookie. A request with a
// cookie that changes something must come from a page of this server.
func (s *Server) session(r *http.Request) (room.Session, error) {
	table, err := tableOf(r)
	if err != nil {
		return room.Session{}, err
	}
	token, cookie, err := tokenOf(r, table)
	if err != nil {
		return room.Session{}, err
	}
	if cookie && changes(r) {
		if err := s.checkOrigin(r, true); err != nil {
			return room.Session{}, err
		}
	}
	session, err := s.rooms.Authenticate(r.Context(), table, token)
	if isAny(err, room.ErrNoSeat, room.ErrNoTable, room.ErrGone) {
		return session, s.failed(r, err)
	}
	return session, err
}

// failed counts a wrong token or invite against the address, and returns the error to answer with.
// Correct tokens are never refused because of wrong ones, so people who share an address with
// somebody who guesses can go on playing. Guesses find nothing. They only cost a look-up.
func (s *Server) failed(r *http.Request, err error) error {
	if tooFast := s.limits.failures.take(addressOf(r), 1); tooFast != nil {
		return tooFast
	}
	return err
}

// ownTable returns the page of a table if the browser has a seat there.
func (s *Server) ownTable(r *http.Request, table id.OID) string {
	if _, err := s.ownSession(r, table); err == nil {
		return "/t/" + table.String()
	}
	return ""
}

// ownSession returns the session of the cookie that this browser has for a table. ErrNoSeat.
func (s *Server) ownSession(r *http.Request, table id.OID) (room.Session, error) {
	token, cookie, err := tokenOf(r, table)
	if err != nil || !cookie {
		return room.Session{}, room.ErrNoSeat
	}
	return s.rooms.Authenticate(r.Context(), table, token)
}

// tokenOf returns the seat token that r carries for table, and whether it is in a cookie. The token
// may be empty: Rooms still say then whether the table exists.
func tokenOf(r *http.Request, table id.OID) (token string, cookie bool, err error) {
	if h := r.Header.Get("Authorization"); h != "" {
		scheme, token, ok := strings.Cut(h, " ")
		if !ok || !strings.EqualFold(scheme, "Bearer") || len(token) > maxToken {
			return "", false, newProblem("no-seat",
				"the Authorization header is not a bearer token")
		}
		return strings.TrimSpace(token), false, nil
	}
	value, ok := cookieOf(r, seatCookie(table))
	return value, ok, nil
}

// cookieOf returns a cookie that setCookie has set, by TLS or without. By TLS it also reads a
// cookie that was set without: that one is from before the server had a certificate, or from an
// older version.
func cookieOf(r *http.Request, name string) (string, bool) {
	for _, n := range []string{hostPrefix + name, name} {
		if c, err := r.Cookie(n); err == nil && len(c.Value) <= maxToken {
			return c.Value, true
		}
	}
	return "", false
}

// changes reports whether r does more than read. A request for a stream counts: a new stream takes
// over an older one.
func changes(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead ||
		r.Header.Get("Upgrade") != ""
}

// checkOrigin refuses requests that a page of another site has made. If strict is true it also
// refuses requests that do not say where they come from: browsers say it.
func (s *Server) checkOrigin(r *http.Request, strict bool) error {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	foreign := newProblem("origin", "the request did not come from a page of this server")
	switch {
	case site != "" && site != "same-origin" && site != "none":
		return foreign
	case origin != "":
		if !s.sameOrigin(r, origin) {
			return foreign
		}
		return nil
	case strict && site != "same-origin":
		return foreign
	}
	return nil
}

// sameOrigin reports whether origin is the public URL, or the address to which r went. The scheme
// must match: somebody who can change traffic without TLS must not act for a page that came by TLS.
func (s *Server) sameOrigin(r *http.Request, origin string) bool {
	o, err := url.Parse(origin)
	if err != nil || o.Host == "" {
		return false
	}
	for _, own := range []*url.URL{s.publicOrigin(r), s.requestOrigin(r)} {
		if strings.EqualFold(o.Scheme, own.Scheme) && sameHost(own, o.Host) {
			return true
		}
	}
	return false
}

// setCookie gives the browser a cookie that no script can read. A negative age removes it. By TLS
// the cookie has hostPrefix, and replaces the one without.
func (s *Server) setCookie(w http.ResponseWriter, r *http.Request, name, value string, age int) {
	set := func(name, value string, age int, secure bool) {
		http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever the browser speaks TLS
			Name: name, Value: value, Path: "/", MaxAge: age,
			HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: secure,
		})
	}
	if s.publicOrigin(r).Scheme != "https" {
		set(name, value, age, false)
		return
	}
	set(hostPrefix+name, value, age, true)
	if _, err := r.Cookie(name); err == nil {
		set(name, "", -1, true)
	}
}

// remember stores a seat in a cookie, and the name and colour of its person for the next time.
func (s *Server) remember(w http.ResponseWriter, r *http.Request, t room.Taken, p room.Person) {
	s.setCookie(w, r, seatCookie(t.Table), t.Token, cookieAge)
	nick := base64.RawURLEncoding.EncodeToString([]byte(p.Nick))
	s.setCookie(w, r, nickCookie, nick+"."+formatColour(p.Colour)[1:], cookieAge)
}

// rememberedPerson returns the name and colour that the person at this browser used last; ok is
// false if they are not known.
func rememberedPerson(r *http.Request) (p room.Person, ok bool) {
	value, ok := cookieOf(r, nickCookie)
	if !ok {
		return p, false
	}
	text, colour, _ := strings.Cut(value, ".")
	nick, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(nick) > 4*maxNick {
		return p, false
	}
	p.Nick = strings.ToValidUTF8(string(nick), "")
	p.Colour, err = parseColour("#" + colour)
	return p, err == nil
}

// ownSeat is a seat for which the browser has a cookie.
type ownSeat struct {
	table id.OID
	token string
}

// ownSeats returns the seats for which the browser has cookies, at most maxTables, the newest table
// first: identifiers rise with time. It reads the cookies once, because a browser may send
// hundreds.
func ownSeats(r *http.Request) []ownSeat {
	tokens := map[id.OID]string{}
	for _, c := range r.Cookies() {
		name, byTLS := strings.CutPrefix(c.Name, hostPrefix)
		text, ok := strings.CutPrefix(name, cookiePrefix)
		if !ok || len(c.Value) > maxToken {
			continue
		}
		t, err := id.ParseOID(text)
		if _, known := tokens[t]; err == nil && (byTLS || !known) {
			tokens[t] = c.Value
		}
	}
	seats := make([]ownSeat, 0, len(tokens))
	for t, token := range tokens {
		seats = append(seats, ownSeat{t, token})
	}
	slices.SortFunc(seats, func(a, b ownSeat) int {
		return bytes.Compare(b.table[8:], a.table[8:])
	})
	return seats[:min(len(seats), maxTables)]
}

// maxNick is the length of a name in characters. Rooms check it; here it bounds a cookie and a
// field.
const maxNick = 40

// parseColour reads #rrggbb.
func parseColour(text string) (uint32, error) {
	if len(text) != 7 || text[0] != '#' {
		return 0, impossible("a colour is # and six hexadecimal digits")
	}
	v, err := strconv.ParseUint(text[1:], 16, 24)
	if err != nil {
		return 0, impossible("a colour is # and six hexadecimal digits")
	}
	return uint32(v), nil
}

const hexDigits = "0123456789abcdef"

func formatColour(c uint32) string {
	b := [7]byte{0: '#'}
	for i := 6; i > 0; i-- {
		b[i] = hexDigits[c&0xf]
		c >>= 4
	}
	return string(b[:])
}
