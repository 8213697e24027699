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

// maxOperatorLinks is how many unused links to the operator's page there may be at once. A further
// one ends the oldest.
const maxOperatorLinks = 16

// OperatorLinks are the links that let the operator in to the operator's page. Each works once, so
// that a link in a terminal, a log or the history of a browser is useless later. It is safe for
// concurrent use.
type OperatorLinks struct {
	secret string // the value of the operator's cookie

	mu sync.Mutex
	// Guarded by mu.
	unused [][sha256.Size]byte // hashes of tokens, the oldest first
}

// NewOperatorLinks returns doors without links. A browser that came in by them stays known until
// the program ends.
func NewOperatorLinks() *OperatorLinks { return &OperatorLinks{secret: drawToken()} }

// drawToken returns a random secret.
func drawToken() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // it never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// New returns a new token that works once.
func (d *OperatorLinks) New() string {
	token := drawToken()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.unused) >= maxOperatorLinks {
		d.unused = slices.Delete(d.unused, 0, 1)
	}
	d.unused = append(d.unused, sha256.Sum256([]byte(token)))
	return token
}

// redeem uses a token up. It reports false if the token is not valid.
func (d *OperatorLinks) redeem(token string) bool {
	hash := sha256.Sum256([]byte(token))
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.Index(d.unused, hash)
	if i < 0 {
		return false
	}
	d.unused = slices.Delete(d.unused, i, i+1)
	return true
}

// isOperator reports whether a cookie is that of the operator.
func (d *OperatorLinks) isOperator(cookie string) bool {
	return subtle.ConstantTimeCompare([]byte(cookie), []byte(d.secret)) == 1
}

// operatorCookie is the name of the operator's cookie.
func (s *Server) operatorCookie() string {
	return "holt_operator_" + s.servers.Links.Self().String()
}

// operates reports whether a request comes from the operator.
func (s *Server) operates(r *http.Request) bool {
	for _, name := range []string{securePrefix + s.operatorCookie(), s.operatorCookie()} {
		if c, err := r.Cookie(name); err == nil && s.servers.OperatorLinks.isOperator(c.Value) {
			return true
		}
	}
	return false
}

// securePrefix makes browsers take a cookie by TLS only. Unlike hostPrefix it lets the server
// choose the path.
const securePrefix = "__Secure-"

// signIn answers a request with a token.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request, token string) error {
	if !s.servers.OperatorLinks.redeem(token) {
		return s.failed(r, newProblem("operator",
			"the link was used already, or is not of this server"))
	}
	name, secure := s.operatorCookie(), s.publicOrigin(r).Scheme == "https"
	if secure {
		name = securePrefix + name
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever the browser speaks TLS
		Name: name, Value: s.servers.OperatorLinks.secret, Path: "/servers",
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure,
	})
	return seeOther(w, r, "/servers")
}
