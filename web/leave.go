package web

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// endingCost is how many updates of a seat the end of a seat counts as: every piece is looked at.
const endingCost = 50

// apiEndSeat ends a seat: a host may end somebody else's (T51), and everybody their own (T52).
func (s *Server) apiEndSeat(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	seat, p, err := s.ending(r, session)
	if err != nil {
		return err
	}
	if seat == session.Seat {
		if err := s.rooms.Leave(r.Context(), session, p); err != nil {
			return err
		}
		return s.forgotten(w, r, session)
	}
	invites, err := s.rooms.PutOut(r.Context(), session, seat, p)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, s.invites(r, invites))
}

// ending returns which seat a request ends, and what happens to its hands. It takes what that costs
// from the rate of session.
func (s *Server) ending(
	r *http.Request, session room.Session,
) (seat id.Seat, hands room.HandsOnLeaving, err error) {
	if seat, err = seatIn(r, session); err != nil {
		return 0, hands, err
	}
	if hands, err = handsOnLeaving(r.URL.Query()); err != nil {
		return 0, hands, err
	}
	return seat, hands, s.limits.updates.take(keyOf(session), endingCost)
}

// apiLogOut ends the token of the seat, and removes the cookie of this browser (T52).
func (s *Server) apiLogOut(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	if err := s.rooms.LogOut(r.Context(), session); err != nil {
		return err
	}
	return s.forgotten(w, r, session)
}

// forgotten answers a browser that has no longer a seat at a table.
func (s *Server) forgotten(w http.ResponseWriter, r *http.Request, session room.Session) error {
	s.setCookie(w, r, seatCookie(session.Table), "", -1)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// seatIn returns the seat that the path names: a number, or "me".
func seatIn(r *http.Request, session room.Session) (id.Seat, error) {
	text := chi.URLParam(r, "seat")
	if text == "me" {
		return session.Seat, nil
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0, newProblem("not-found", "the address names no seat")
	}
	return id.Seat(n), nil
}

// handsOnLeaving reads what happens to the hands of a seat: hand is back (the default), stay, or
// give, with to.
func handsOnLeaving(q url.Values) (p room.HandsOnLeaving, err error) {
	switch q.Get("hand") {
	case "", "back":
		p.Hands = table.HandsBack
	case "stay":
		p.Hands = table.HandsStay
	case "give":
		p.Hands = table.HandsGiven
		n, err := strconv.ParseUint(q.Get("to"), 10, 32)
		if err != nil {
			return p, impossible("to is the number of a seat")
		}
		p.To = id.Seat(n)
	default:
		return p, impossible("hand is back, stay or give")
	}
	if p.Hands != table.HandsGiven && q.Has("to") {
		return p, impossible("to goes with hand=give only")
	}
	return p, nil
}
