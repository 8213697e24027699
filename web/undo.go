package web

import (
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// undoCost is how many updates of a seat a request to undo, or an answer to one, counts as:
// everybody may have to be asked.
const undoCost = 10

// apiUndo undoes the last gesture of the seat, asks the others, or withdraws the question (T63).
func (s *Server) apiUndo(w http.ResponseWriter, r *http.Request, session room.Session) error {
	token, withdraw, client := "", false, ""
	var of room.Meant
	err := readObject(r, nil, map[string]any{
		"token": &token, "withdraw": &withdraw, "client": &client, "seq": &of.Seq,
	})
	if err != nil {
		return err
	}
	if client != "" || of.Seq != 0 {
		if of.Client, err = id.ParseClient(client); err != nil || of.Seq == 0 {
			return impossible("client and seq name an update together")
		}
	}
	if err := s.limits.updates.take(keyOf(session), undoCost); err != nil {
		return err
	}
	if withdraw {
		if err := s.rooms.WithdrawUndo(r.Context(), session); err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if token == "" || len(token) > room.MaxUndoToken {
		return impossible("token has 1 to " + strconv.Itoa(room.MaxUndoToken) + " bytes")
	}
	a, err := s.rooms.Undo(r.Context(), session, token, of)
	if err != nil {
		return err
	}
	if !a.Undone {
		return writeJSON(w, http.StatusAccepted, struct {
			Question uint32    `json:"question"`
			Op       string    `json:"op"`
			Asked    []id.Seat `json:"asked"`
		}{a.Question, a.Op.String(), a.Asked})
	}
	if a.Pieces == nil {
		a.Pieces = []id.Piece{}
	}
	return writeJSON(w, http.StatusOK, struct {
		Undone bool       `json:"undone"`
		Op     string     `json:"op"`
		Pieces []id.Piece `json:"pieces"`
	}{true, a.Op.String(), a.Pieces})
}

// apiAnswerUndo answers the question whether somebody may undo a gesture (T63).
func (s *Server) apiAnswerUndo(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	question, err := strconv.ParseUint(chi.URLParam(r, "question"), 10, 32)
	if err != nil {
		return newProblem("not-found", "the address names no question")
	}
	agree := false
	if err := readObject(r, []string{"agree"}, map[string]any{"agree": &agree}); err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), undoCost); err != nil {
		return err
	}
	if err := s.rooms.AnswerUndo(r.Context(), session, uint32(question), agree); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// noUndo returns the problem of an undo that is not possible.
func noUndo(err *room.NoUndo) *problem {
	p := &problem{Code: "changed-since", Detail: err.Error()}
	switch err.Why {
	case table.UndoNothing:
		p.Code = "nothing-to-undo"
	case table.UndoNotMeant:
		p.Code = "not-last"
	case table.UndoStays, table.UndoTableFull:
		p.Code = "cannot-undo"
	case table.UndoChanged, table.UndoHeld:
	}
	if err.Piece != 0 {
		p.Piece = &err.Piece
	}
	return p
}
