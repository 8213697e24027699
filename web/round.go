package web

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"holt/server/id"
	"holt/server/tables/room"
)

// roundCost is how many updates of a seat a request about a round counts as: everybody gets an
// event.
const roundCost = 10

// apiBeginRound begins a round in which everybody chooses something (T76).
func (s *Server) apiBeginRound(w http.ResponseWriter, r *http.Request, session room.Session) error {
	title, asked := "", []id.Seat(nil)
	err := readObject(r, nil, map[string]any{"title": &title, "asked": &asked})
	if err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), roundCost); err != nil {
		return err
	}
	number, err := s.rooms.BeginRound(r.Context(), session, title, asked)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, struct {
		Round uint32 `json:"round"`
	}{number})
}

// apiChoose says what a seat has chosen in a round, or that it is not ready any more (T76).
func (s *Server) apiChoose(w http.ResponseWriter, r *http.Request, session room.Session) error {
	ready, c := false, room.Choice{}
	return s.inRound(w, r, session, []string{"ready"}, map[string]any{
		"ready": &ready, "pieces": &c.Pieces, "text": &c.Text,
	}, func(number uint32) error {
		if ready {
			return s.rooms.Choose(r.Context(), session, number, c)
		}
		return s.rooms.Unchoose(r.Context(), session, number)
	})
}

// apiEndRound ends a round, and shows what was chosen, or nothing (T76).
func (s *Server) apiEndRound(w http.ResponseWriter, r *http.Request, session room.Session) error {
	show := false
	return s.inRound(w, r, session, []string{"show"}, map[string]any{"show": &show},
		func(number uint32) error {
			return s.rooms.EndRound(r.Context(), session, number, show)
		})
}

// inRound reads a request about the round that its path names, and calls do with that.
func (s *Server) inRound(
	w http.ResponseWriter, r *http.Request, session room.Session, required []string,
	fields map[string]any, do func(number uint32) error,
) error {
	number, err := strconv.ParseUint(chi.URLParam(r, "round"), 10, 32)
	if err != nil {
		return newProblem("not-found", "the address names no round")
	}
	if err := readObject(r, required, fields); err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), roundCost); err != nil {
		return err
	}
	if err := do(uint32(number)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
