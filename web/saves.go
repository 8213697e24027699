package web

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// How many updates of a seat the requests about save points count as.
const (
	listSavesCost = 2
	saveCost      = 20
	rewindCost    = 100 // everybody gets the full state
)

// savePoint is a save point as JSON.
type savePoint struct {
	ID    uint32    `json:"id"`
	Kind  string    `json:"kind"`
	Name  string    `json:"name,omitempty"`
	At    id.Millis `json:"at"`
	By    id.Seat   `json:"by,omitempty"`
	Moves *uint64   `json:"moves,omitempty"` // since
	Known bool      `json:"known,omitempty"`
	// Players says for how many players a set-up is.
	Players *[2]int32 `json:"players,omitempty"`
	// Of a state before a rewind: to where the table went.
	To *savePoint `json:"to,omitempty"`
}

// apiSaves lists the save points of the table (T70).
func (s *Server) apiSaves(w http.ResponseWriter, r *http.Request, session room.Session) error {
	if err := s.limits.updates.take(keyOf(session), listSavesCost); err != nil {
		return err
	}
	list, err := s.rooms.Saves(r.Context(), session)
	if err != nil {
		return err
	}
	texts, players := s.setupsOf(r, session, list)
	all := make([]savePoint, len(list.All))
	for i := range list.All {
		of := &list.All[i]
		all[i] = savePoint{
			ID: of.ID, Kind: client.SaveKinds[of.Kind], Name: of.Name, At: of.At, By: of.By,
			Moves: &of.Since, Known: of.Known,
		}
		if of.Kind == table.SaveSetUp {
			all[i].Name = game.InLanguage(texts, of.Name)
			if n := int(of.ID); n >= 1 && n <= len(players) && players[n-1].Most > 0 {
				all[i].Players = &[2]int32{players[n-1].Least, players[n-1].Most}
			}
		}
		if of.To.ID != 0 {
			all[i].To = &savePoint{
				ID: of.To.ID, Kind: client.SaveKinds[of.To.Kind], Name: of.To.Name, At: of.To.At, By: of.To.By,
			}
		}
	}
	return writeJSON(w, http.StatusOK, struct {
		Saves []savePoint `json:"saves"`
		Back  uint32      `json:"back,omitempty"`
	}{all, list.Back})
}

// setupsOf returns the texts of the game in the language of a request, and for how many players its
// set-ups are. A table that has only one, as a copy has, says neither.
func (s *Server) setupsOf(
	r *http.Request, session room.Session, list room.SaveList,
) (texts map[string]string, players []game.Range) {
	if !slices.ContainsFunc(list.All, func(of room.SaveInfo) bool {
		return of.Kind == table.SaveSetUp && of.Name != ""
	}) {
		return nil, nil
	}
	of := s.supplement(r, session)
	return s.textsFor(r, of.Written, of.Languages), of.Setups
}

// apiSave makes a save point (T70).
func (s *Server) apiSave(w http.ResponseWriter, r *http.Request, session room.Session) error {
	name, token := "", ""
	err := readObject(r, []string{"name", "token"}, map[string]any{"name": &name, "token": &token})
	if err != nil {
		return err
	}
	if err := checkSaveToken(token); err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), saveCost); err != nil {
		return err
	}
	number, err := s.rooms.Save(r.Context(), session, name, token)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, struct {
		ID uint32 `json:"id"`
	}{number})
}

// apiDeleteSave deletes a save point (T70).
func (s *Server) apiDeleteSave(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	number, err := strconv.ParseUint(chi.URLParam(r, "save"), 10, 32)
	if err != nil {
		return newProblem("not-found", "the address names no save point")
	}
	if err := s.limits.updates.take(keyOf(session), saveCost); err != nil {
		return err
	}
	if err := s.rooms.DeleteSave(r.Context(), session, uint32(number)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiRewind brings the table back to a save point (T71), or sets it up again (T72).
func (s *Server) apiRewind(w http.ResponseWriter, r *http.Request, session room.Session) error {
	var q room.Rewind
	err := readObject(r, []string{"token", "epoch"}, map[string]any{
		"save": &q.Save, "token": &q.Token, "epoch": &q.Epoch, "rematch": &q.Rematch, "swap": &q.Swap,
	})
	if err != nil {
		return err
	}
	if err := checkSaveToken(q.Token); err != nil {
		return err
	}
	switch {
	case q.Save == 0 && !q.Rematch:
		return impossible("save is the number of a save point, or rematch is true")
	case q.Swap && !q.Rematch:
		return impossible("sides are swapped only for a rematch")
	}
	if err := s.limits.updates.take(keyOf(session), rewindCost); err != nil {
		return err
	}
	back, err := s.rooms.Rewind(r.Context(), session, q)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Back uint32 `json:"back"`
	}{back})
}

func checkSaveToken(token string) error {
	if token == "" || len(token) > room.MaxSaveToken {
		return impossible("token has 1 to " + strconv.Itoa(room.MaxSaveToken) + " bytes")
	}
	return nil
}
