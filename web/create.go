package web

import (
	"context"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/room"
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
	return s.limits.takeTables(addressOf(r), 1)
}

// Made is a table that was set up.
type Made struct {
	room.Taken
	room.Invites
	Title string
}

// setUp is SetUp for a request. admitTable has counted the first table.
func (s *Server) setUp(r *http.Request, q room.NewTableRequest) (all []Made, err error) {
	if q.Loaded, err = s.rooms.GameOf(r.Context(), q.Game); err != nil {
		return nil, err
	}
	if err := s.limits.takeTables(addressOf(r), len(q.Loaded.Further)); err != nil {
		return nil, err
	}
	return s.SetUp(r.Context(), q)
}

// SetUp sets up all tables of a game, with the doors between them (G16). The first one comes first.
// After an error no table is left. Errors are those of room.Rooms.Create and of making doors.
func (s *Server) SetUp(ctx context.Context, q room.NewTableRequest) (all []Made, err error) {
	g := q.Loaded
	if g == nil {
		if g, err = s.rooms.GameOf(ctx, q.Game); err != nil {
			return nil, err
		}
		q.Loaded = g
	}
	if len(g.Further) > 0 && s.visits == nil {
		return nil, newProblem("refused", "This server has no doors, and the game has several tables.")
	}
	defer func() {
		if err != nil {
			s.takeBack(ctx, all)
			all = nil
		}
	}()
	tables := append([]*game.Game{g}, g.Further...)
	for n := range tables {
		if n > 0 {
			q = room.NewTableRequest{Game: q.Game, Loaded: g, Host: q.Host, Further: n}
		}
		m := Made{Title: tables[n].Name}
		if m.Taken, m.Invites, err = s.rooms.Create(ctx, q); err != nil {
			return all, err
		}
		all = append(all, m)
	}
	for n, of := range tables {
		for _, d := range of.Doors {
			piece := id.Piece(d.Piece) //nolint:gosec // at most game.MaxPieces
			if _, err := s.makeDoor(ctx, all[n].Session, piece, "", all[d.To].Player); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// takeBack deletes tables that were just set up.
func (s *Server) takeBack(ctx context.Context, all []Made) {
	for i := range all {
		ctx := context.WithoutCancel(ctx)
		if err := s.rooms.Delete(ctx, all[i].Session); err != nil {
			s.log.Warn("a table without doors is left", "table", all[i].Table, "error", err)
		}
	}
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
