package web

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"holt/server/federation/people"
	"holt/templates"
)

// A person is known by several browsers. A link with a key adds one more. Sending a form uses the
// key up; opening the link does not, because programs that show previews of links open it, too.

// makeKey shows a link by which one more browser gets the bag.
func (s *Server) makeKey(w http.ResponseWriter, r *http.Request, p people.Person) error {
	key, _, err := s.visits.Key(r.Context(), p.OID)
	if err != nil {
		return err
	}
	noStore(w)
	v := templates.BagView{Key: s.publicOrigin(r).JoinPath("bag", key).String()}
	return s.showBag(w, r, http.StatusOK, formState{}, v)
}

// forgetBrowsers makes all other browsers of the person lose the bag.
func (s *Server) forgetBrowsers(w http.ResponseWriter, r *http.Request, p people.Person) error {
	c, err := r.Cookie(s.personCookie())
	if err == nil {
		err = s.visits.KeepBrowser(r.Context(), p.OID, c.Value)
	}
	if err != nil {
		return err
	}
	return s.showBag(w, r, http.StatusOK, formState{},
		templates.BagView{Result: templates.Msg("bag.forgotten")})
}

// errKey says that a key does not work any more.
var errKey = people.Refused(templates.Msg("key.old"))

// getKey says whose bag this browser would get.
func (s *Server) getKey(w http.ResponseWriter, r *http.Request) error {
	key := chi.URLParam(r, "key")
	p, err := s.visits.WhoseKey(r.Context(), key)
	if err != nil {
		return s.refuseKey(r, err)
	}
	v := templates.BagKeyView{Nick: p.Nick, Home: s.visits.Name(s.visits.Self()), Key: key}
	is, known, err := s.personOf(r)
	if err != nil {
		return err
	}
	if known && is.OID != p.OID {
		v.Instead = is.Nick
	}
	noStore(w)
	head := s.head(templates.Msg("key.title", "nick", p.Nick))
	s.formPage(w, r, http.StatusOK, templates.BagKey(head, v))
	return nil
}

// postKey gives this browser a bag.
func (s *Server) postKey(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r, true); err != nil {
		return err
	}
	token, err := s.visits.UseKey(r.Context(), chi.URLParam(r, "key"))
	if err != nil {
		return s.refuseKey(r, err)
	}
	s.setCookie(w, r, s.personCookie(), token, cookieAge)
	return seeOther(w, r, "/bag")
}

// refuseKey counts wrong keys like wrong tokens.
func (s *Server) refuseKey(r *http.Request, err error) error {
	if errors.Is(err, people.ErrNoPerson) {
		return s.failed(r, errKey)
	}
	return err
}
