package web

import (
	"net/http"
	"net/url"
	"strconv"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/room"
	"holt/templates"
)

// Whoever takes a seat to play may ask for a place of the game (T98).

// placeIn reads which place a form asks for; 0: any. What names no place asks for any.
func placeIn(form url.Values) uint32 {
	n, err := strconv.ParseUint(form.Get("side"), 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// placeViews returns the places of a table that nobody has, in the language of a request. chosen is
// the one for which somebody has asked.
func (s *Server) placeViews(
	r *http.Request, t id.OID, free []room.Place, chosen uint32,
) (all []templates.PlaceView) {
	if len(free) == 0 {
		return nil
	}
	var texts map[string]string
	if of, err := s.rooms.Supplement(r.Context(), t); err == nil {
		texts = s.textsFor(r, of.Written, of.Languages)
	}
	for _, p := range free {
		all = append(all, templates.PlaceView{
			Side: strconv.FormatUint(uint64(p.Side), 10), Name: game.InLanguage(texts, p.Name),
			Chosen: p.Side == chosen,
		})
	}
	return all
}

// missedCookie is the place for which somebody has asked who got another one, or none. The page of
// the table shows it once.
func missedCookie(t id.OID) string { return "holt_missed_" + t.String() }

// missedAge is for how many seconds the page may show it.
const missedAge = 60

// rememberMissed stores which place somebody has not got, if they asked for one.
func (s *Server) rememberMissed(
	w http.ResponseWriter, r *http.Request, taken room.Taken, wanted uint32,
) {
	if wanted != 0 && wanted != taken.Side && taken.Role.Plays() {
		s.setCookie(w, r, missedCookie(taken.Table), strconv.FormatUint(uint64(wanted), 10), missedAge)
	}
}

// takeMissed returns which place somebody has not got, once; empty if there is none.
func (s *Server) takeMissed(w http.ResponseWriter, r *http.Request, t id.OID) string {
	text, ok := cookieOf(r, missedCookie(t))
	if !ok {
		return ""
	}
	s.setCookie(w, r, missedCookie(t), "", -1)
	if _, err := strconv.ParseUint(text, 10, 32); err != nil {
		return ""
	}
	return text
}
