package web

import (
	"net/http"
	"strconv"

	"holt/server/tables/room"
)

// sideCost is how many updates of a seat a change of sides counts as: everybody's table turns.
const sideCost = 20

// apiTakeSide gives a side of the game to the seat (T61), or to somebody else, for a host (T98).
func (s *Server) apiTakeSide(w http.ResponseWriter, r *http.Request, session room.Session) error {
	seat, err := seatIn(r, session)
	if err != nil {
		return err
	}
	side, err := strconv.ParseUint(r.URL.Query().Get("side"), 10, 32)
	if err != nil || side == 0 {
		return impossible("side is a number from 1")
	}
	if err := s.limits.updates.take(keyOf(session), sideCost); err != nil {
		return err
	}
	if seat == session.Seat {
		err = s.rooms.TakeSide(r.Context(), session, uint32(side))
	} else {
		err = s.rooms.GiveSide(r.Context(), session, seat, uint32(side))
	}
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
