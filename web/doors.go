package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"slices"
	"sync"
)

// maxDoors is how many unused links to the operator's page there may be at once. A further one ends
// the oldest.
const maxDoors = 16

// Doors are the links that let the operator in to the operator's page. Each works once, so that a
// link in a terminal, a log or the history of a browser is useless later. It is safe for concurrent
// use.
type Doors struct {
	secret string // the value of the operator's cookie

	mu sync.Mutex
	// Guarded by mu.
	open [][sha256.Size]byte // hashes of tokens, the oldest first
}

// NewDoors returns doors without links. A browser that came in by them stays known until the
// program ends.
func NewDoors() *Doors { return &Doors{secret: drawToken()} }

// drawToken returns a random secret.
func drawToken() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // it never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Draw returns a new token that works once.
func (d *Doors) Draw() string {
	token := drawToken()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.open) >= maxDoors {
		d.open = slices.Delete(d.open, 0, 1)
	}
	d.open = append(d.open, sha256.Sum256([]byte(token)))
	return token
}

// enter uses a token up. It reports false if the token is not valid.
func (d *Doors) enter(token string) bool {
	hash := sha256.Sum256([]byte(token))
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.Index(d.open, hash)
	if i < 0 {
		return false
	}
	d.open = slices.Delete(d.open, i, i+1)
	return true
}

// knows reports whether a cookie is that of the operator.
func (d *Doors) knows(cookie string) bool {
	return subtle.ConstantTimeCompare([]byte(cookie), []byte(d.secret)) == 1
}

// operatorCookie is the name of the operator's cookie.
func (s *Server) operatorCookie() string {
	return "holt_operator_" + s.servers.Links.Self().String()
}

// operates reports whether a request comes from the operator.
func (s *Server) operates(r *http.Request) bool {
	for _, name := range []string{securePrefix + s.operatorCookie(), s.operatorCookie()} {
		if c, err := r.Cookie(name); err == nil && s.servers.Doors.knows(c.Value) {
			return true
		}
	}
	return false
}

// securePrefix makes browsers take a cookie by TLS only. Unlike hostPrefix it lets the server
// choose the path.
const securePrefix = "__Secure-"

// letIn answers a request with a token.
func (s *Server) letIn(w http.ResponseWriter, r *http.Request, token string) error {
	if !s.servers.Doors.enter(token) {
		return s.failed(r, &problem{
			Code: "operator", Detail: "the link was used already, or is not of this server",
		})
	}
	name, secure := s.operatorCookie(), s.base(r).Scheme == "https"
	if secure {
		name = securePrefix + name
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever the browser speaks TLS
		Name: name, Value: s.servers.Doors.secret, Path: "/servers",
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure,
	})
	http.Redirect(w, r, "/servers", http.StatusSeeOther)
	return nil
}
