package web

import (
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"holt/templates"
)

// The operator chooses who may create tables: everybody, everybody with the creation link, or
// nobody. Opening the link gives the browser a cookie. Programs send the secret of the link as a
// bearer token.

// Creation says who may create tables.
type Creation struct {
	// Nobody may create tables, except the operator.
	Nobody bool
	// Secret returns the last part of the current creation link; nil: everybody may create tables.
	Secret func() string
}

const createCookie = "holt_create"

// mayCreate refuses clients that may not create tables. A wrong secret counts as a guess.
func (s *Server) mayCreate(r *http.Request) error {
	if !s.creation.Nobody && s.creation.Secret == nil {
		return nil
	}
	no := newProblem("create", "tables are set up by who runs this server")
	if s.creation.Nobody {
		return no
	}
	no.Detail = "only who has the creation link of this server may set a table up"
	given, _ := cookieOf(r, createCookie)
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok &&
		strings.EqualFold(scheme, "Bearer") {
		given = strings.TrimSpace(token)
	}
	switch {
	case given == "":
		return no
	case !s.isCreateSecret(given):
		return s.failed(r, no)
	}
	return nil
}

// admitTable returns why a request may not set up a table now, and counts it if it may.
func (s *Server) admitTable(r *http.Request) error {
	if err := s.mayCreate(r); err != nil {
		return err
	}
	if err := s.checkMemory(seatsMemoryLimit); err != nil {
		return err
	}
	return s.limits.takeTable(addressOf(r))
}

func (s *Server) isCreateSecret(given string) bool {
	return len(given) <= maxToken &&
		subtle.ConstantTimeCompare([]byte(given), []byte(s.creation.Secret())) == 1
}

// getCreate lets this browser create tables, if the link is the right one.
func (s *Server) getCreate(w http.ResponseWriter, r *http.Request) error {
	switch secret := chi.URLParam(r, "secret"); {
	case s.creation.Nobody:
		return s.mayCreate(r)
	case s.creation.Secret == nil: // everybody may
	case !s.isCreateSecret(secret):
		return s.failed(r, newProblem("create",
			"this creation link is not, or no more, the one of this server"))
	default:
		s.setCookie(w, r, createCookie, secret, cookieAge)
	}
	return seeOther(w, r, "/")
}

// closedText says on the front page who creates tables here, if this browser may not. Otherwise it
// is empty. It counts no guess: people with an old link have done nothing wrong.
func (s *Server) closedText(r *http.Request) string {
	given, known := cookieOf(r, createCookie)
	switch {
	case s.creation.Nobody:
		return templates.Msg("home.closed.nobody")
	case s.creation.Secret == nil, known && s.isCreateSecret(given):
		return ""
	case known:
		return templates.Msg("home.closed.old")
	}
	return templates.Msg("home.closed.link")
}
