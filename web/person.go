package web

import (
	"errors"
	"net/http"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/tables/room"
	"holt/templates"
)

// personCookie is the name of the cookie of a person whose home is this server. It names the
// server: cookies do not distinguish ports, and two servers may be at one address.
func (s *Server) personCookie() string { return "holt_person_" + s.visits.Self().String() }

// personOf returns the person at this browser. It reports false if their home is not this server.
func (s *Server) personOf(r *http.Request) (people.Person, bool, error) {
	if s.visits == nil {
		return people.Person{}, false, nil
	}
	value, ok := cookieOf(r, s.personCookie())
	if !ok {
		return people.Person{}, false, nil
	}
	p, err := s.visits.Known(r.Context(), value)
	if errors.Is(err, people.ErrNoPerson) {
		return p, false, nil
	}
	return p, err == nil, err
}

// newPerson makes a new person whose home is this server, and gives their browser a cookie.
func (s *Server) newPerson(
	w http.ResponseWriter, r *http.Request, p room.Person,
) (people.Person, error) {
	if err := s.limits.tables.take(addressOf(r), 1); err != nil {
		return people.Person{}, err
	}
	is, token, err := s.visits.NewPerson(r.Context(), p.Nick, p.Colour)
	if err == nil {
		s.setCookie(w, r, s.personCookie(), token, cookieAge)
	}
	return is, err
}

// signUp makes a person of this server from a form. The form says what is wrong with it.
func (s *Server) signUp(
	w http.ResponseWriter, r *http.Request,
) (p people.Person, f formState, err error) {
	f, is, err := s.readPerson(w, r)
	if err == nil && !f.wrong() {
		p, err = s.newPerson(w, r, is)
	}
	if err != nil && f.explain(err) {
		err = nil
	}
	return p, f, err
}

// getBag is the page of a person's bag. A person who is not known yet gives their name there.
func (s *Server) getBag(w http.ResponseWriter, r *http.Request) error {
	return s.showBag(w, r, http.StatusOK, formState{}, templates.BagView{})
}

// showBag shows the bag. v has the result of a form already.
func (s *Server) showBag(
	w http.ResponseWriter, r *http.Request, status int, f formState, v templates.BagView,
) error {
	p, known, err := s.personOf(r)
	if err != nil {
		return err
	}
	v.Home, v.Error = s.visits.Name(s.visits.Self()), f.problem
	if !known {
		v.Person = personView(r, f, nil)
		s.formPage(w, r, status, templates.Bag(s.head(templates.Msg("bag.title")), v))
		return nil
	}
	v.Nick = p.Nick
	items, err := s.visits.Bag(r.Context(), p.OID)
	if err != nil {
		return err
	}
	names := map[id.OID]string{}
	for i := range items {
		item := s.bagItem(r, &items[i])
		names[items[i].Set] = item.Name
		v.Items = append(v.Items, item)
	}
	for i := range items {
		var with []string
		for _, set := range items[i].With {
			with = append(with, names[set])
		}
		if len(with) > 0 {
			v.Items[i].With = templates.List(with)
		}
	}
	s.formPage(w, r, status, templates.Bag(s.head(templates.Msg("bag.title")), v))
	return nil
}

// bagItem says where a set is.
func (s *Server) bagItem(r *http.Request, i *people.Item) templates.BagItem {
	v := templates.BagItem{Set: i.Set.String(), Name: i.Name, Newer: i.Newer}
	if v.Name == "" {
		v.Name = templates.Msg("bag.something")
	}
	switch i.Place {
	case people.InBag:
		v.Where = templates.Msg("bag.where.bag")
	case people.OnTable:
		v.Where = templates.Msg("bag.where.server", "server", s.visits.Name(i.Host))
		if i.Host == s.visits.Self() {
			v.Where = templates.Msg("bag.where.here")
			if about, err := s.rooms.About(r.Context(), i.Table); err == nil {
				v.Where = templates.Msg("bag.where.table", "table", about.Title)
			}
		} else {
			v.Home = true // that table may be gone for good
		}
	case people.Elsewhere:
		v.Where = templates.Msg("bag.where.elsewhere", "server", s.visits.Name(i.Host))
		v.Home = true
	default:
		v.Where = templates.Msg("bag.where.away", "why", s.visits.Why(i.Reason, i.Host))
		if i.Copy > 0 {
			v.Copy = timeView(i.Copy)
		}
		if i.Until > 0 {
			v.Again = timeView(i.Until)
		}
	}
	return v
}

// postBag makes a new person, does something with one of their sets, or changes which browsers know
// them.
func (s *Server) postBag(w http.ResponseWriter, r *http.Request) error {
	p, known, err := s.personOf(r)
	if err != nil {
		return err
	}
	if !known {
		_, f, err := s.signUp(w, r)
		if err != nil {
			return err
		}
		if f.wrong() {
			return s.showBag(w, r, http.StatusUnprocessableEntity, f, templates.BagView{})
		}
		return seeOther(w, r, "/bag")
	}
	if err := s.checkOrigin(r, true); err != nil {
		return err
	}
	if err := readForm(w, r); err != nil {
		return err
	}
	switch r.PostForm.Get("do") {
	case "key":
		return s.makeKey(w, r, p)
	case "forget":
		return s.forgetBrowsers(w, r, p)
	}
	set, err := id.ParseOID(r.PostForm.Get("set"))
	if err != nil {
		return malformed("the form names no set")
	}
	do := s.visits.TakeHome
	switch r.PostForm.Get("do") {
	case "thaw":
		do = s.visits.Thaw
	case "adopt":
		do = s.visits.Adopt
	case "keep":
		do = s.visits.Keep
	}
	err = do(r.Context(), p.OID, set)
	var refused people.Refused
	if errors.As(err, &refused) {
		return s.showBag(w, r, http.StatusConflict, formState{problem: string(refused)},
			templates.BagView{})
	}
	if err != nil {
		return err
	}
	return seeOther(w, r, "/bag")
}
