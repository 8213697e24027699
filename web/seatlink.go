package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/templates"
)

// A link moves a seat to another device (T54). Sending a form uses it up; opening it does not,
// because programs that show previews of links open it, too.

// apiLinkSeat makes a link for a seat.
func (s *Server) apiLinkSeat(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	seat, err := seatIn(r, session)
	if err != nil {
		return err
	}
	if err := s.limits.links.take(keyOf(session), 1); err != nil {
		return err
	}
	link, until, err := s.rooms.MakeLink(r.Context(), session, seat)
	if err != nil {
		return err
	}
	noStore(w)
	return writeJSON(w, http.StatusCreated, struct {
		URL   string    `json:"url"`
		Until id.Millis `json:"until"`
	}{s.shareOrigin(r).JoinPath("seat", link).String(), until})
}

// getSeatLink says whose seat this browser would get.
func (s *Server) getSeatLink(w http.ResponseWriter, r *http.Request) error {
	link := chi.URLParam(r, "link")
	l, err := s.rooms.FindLink(r.Context(), link)
	if err != nil {
		return s.refuseLink(r, err)
	}
	v := templates.SeatLinkView{
		Title: l.Title, Name: l.Name, By: l.By, Operator: l.Operator, Action: "/seat/" + link,
	}
	v.Back = s.ownTable(r, l.Table)
	noStore(w)
	head := s.head(templates.Msg("seatlink.head", "title", l.Title))
	s.formPage(w, r, http.StatusOK, templates.SeatLink(head, v))
	return nil
}

// postSeatLink gives this browser the seat.
func (s *Server) postSeatLink(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r, false); err != nil {
		return err
	}
	taken, err := s.rooms.UseLink(r.Context(), chi.URLParam(r, "link"))
	if err != nil {
		return s.refuseLink(r, err)
	}
	s.setCookie(w, r, seatCookie(taken.Table), taken.Token, cookieAge)
	noStore(w)
	return seeOther(w, r, "/t/"+taken.Table.String())
}

// refuseLink counts wrong links like wrong tokens.
func (s *Server) refuseLink(r *http.Request, err error) error {
	if isAny(err, room.ErrNoLink, room.ErrGone, room.ErrNoTable) {
		return s.failed(r, err)
	}
	return err
}
