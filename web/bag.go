package web

import (
	"errors"
	"net/http"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/tables/room"
	"holt/templates"
)

// The bag of the person at a seat. The page asks its own server only. That server asks the home
// server of a visitor, over the link (O38).

type (
	bagJSON struct {
		// whether it is known who has the seat: otherwise there is no bag yet
		Known bool          `json:"known"`
		Home  *homeJSON     `json:"home,omitempty"`
		Away  string        `json:"away,omitempty"` // why the bag is unreachable
		Sets  []bagItemJSON `json:"sets"`
	}
	homeJSON struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	bagItemJSON struct {
		Set    string    `json:"set"`
		Name   string    `json:"name"`
		Place  string    `json:"place"` // home, here, table, other, elsewhere or away
		Server string    `json:"server,omitempty"`
		Table  string    `json:"table,omitempty"` // its title, if the table is on this server
		Reason string    `json:"reason,omitempty"`
		Until  id.Millis `json:"until,omitempty"`
		Newer  bool      `json:"newer,omitempty"` // there are newer versions of its kinds (O30)
		// Sets of this bag that belong with it, and sets that did when they were thrown away (O53).
		With   []string     `json:"with,omitempty"`
		Thrown []thrownJSON `json:"thrown,omitempty"`
	}
	thrownJSON struct {
		Set  string `json:"set"`
		Name string `json:"name"`
	}
)

// bagSession returns the seat that asks for its bag, if it does not ask too fast.
func (s *Server) bagSession(r *http.Request) (room.Session, error) {
	session, err := s.session(r)
	if err == nil && s.visits == nil {
		err = notFound()
	}
	if err == nil {
		err = s.limits.bags.take(keyOf(session), 1)
	}
	return session, err
}

// apiBag lists the bag of the person at the seat.
func (s *Server) apiBag(w http.ResponseWriter, r *http.Request) error {
	session, err := s.bagSession(r)
	if err != nil {
		return err
	}
	at, err := s.visits.PersonAtSeat(r.Context(), session)
	if errors.Is(err, people.ErrNoPerson) {
		return writeJSON(w, http.StatusOK, bagJSON{Sets: []bagItemJSON{}})
	}
	if err != nil {
		return err
	}
	return s.writeBag(w, r, session, at)
}

func (s *Server) writeBag(
	w http.ResponseWriter, r *http.Request, session room.Session, at people.SeatedPerson,
) error {
	b := bagJSON{Known: true, Sets: []bagItemJSON{}}
	if name, address := s.homeOf(r, session); address != "" {
		b.Home = &homeJSON{name, address}
	}
	items, err := s.visits.Bag(r.Context(), at.Person)
	var absent *room.Unreachable
	var refused people.Refused
	switch {
	case errors.As(err, &absent):
		b.Away = templates.Msg("bag.unreachable")
		if at.Person.Creator() == s.visits.Self() {
			b.Away = templates.Msg("bag.closed", "why", s.visits.Why(absent.Reason, absent.Host))
		}
	case errors.As(err, &refused):
		b.Away = string(refused)
	case err != nil:
		return err
	}
	s.visits.Claim(r.Context(), session, at.Person, items)
	for i := range items {
		b.Sets = append(b.Sets, s.itemJSON(r, session, at.Person, &items[i]))
	}
	return writeJSON(w, http.StatusOK, b)
}

// itemJSON says where a set is, from the point of view of a person at a table here.
func (s *Server) itemJSON(
	r *http.Request, session room.Session, person id.OID, i *people.Item,
) bagItemJSON {
	j := bagItemJSON{Set: i.Set.String(), Name: i.Name, Newer: i.Newer}
	for _, set := range i.With {
		j.With = append(j.With, set.String())
	}
	for _, t := range i.Thrown {
		j.Thrown = append(j.Thrown, thrownJSON{t.Set.String(), t.Name})
	}
	switch i.Place {
	case people.InBag:
		j.Place = "home"
	case people.Elsewhere:
		j.Place, j.Server = "elsewhere", s.visits.Name(i.Host)
		if i.Host == s.visits.Self() {
			j.Place = "here"
		}
	case people.OnTable:
		j.Place, j.Server = "other", s.visits.Name(i.Host)
		if i.Table == session.Table {
			j.Place = "table"
		}
		if about, err := s.rooms.About(r.Context(), i.Table); err == nil {
			j.Table = about.Title
		}
	default:
		j.Place, j.Reason, j.Until = "away", s.visits.Why(i.Reason, i.Host), i.Until
	}
	if person.Creator() != s.visits.Self() && j.Place == "home" {
		j.Server = s.visits.Name(person.Creator())
	}
	return j
}

// apiChangeBag opens the bag of the person at the seat, or does something with a set in it.
func (s *Server) apiChangeBag(w http.ResponseWriter, r *http.Request) error {
	session, err := s.bagSession(r)
	if err != nil {
		return err
	}
	var do, text, other string
	if err := readObject(
		r, []string{"do"}, map[string]any{"do": &do, "set": &text, "with": &other},
	); err != nil {
		return err
	}
	at, err := s.visits.PersonAtSeat(r.Context(), session)
	if errors.Is(err, people.ErrNoPerson) {
		if at, err = s.seatPerson(w, r, session); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if do == "open" {
		return s.writeBag(w, r, session, at)
	}
	set, err := id.ParseOID(text)
	if err != nil {
		return impossible("the set is not an identifier")
	}
	switch do {
	case "bring":
		err = s.visits.Bring(r.Context(), at.Person, set)
	case "home":
		err = s.visits.TakeHome(r.Context(), at.Person, set)
	case "leave":
		err = s.visits.Leave(r.Context(), at.Person, set)
	case "adopt":
		err = s.visits.Adopt(r.Context(), at.Person, set)
	case "keep":
		err = s.visits.Keep(r.Context(), at.Person, set)
	case "tie":
		var with id.OID
		if with, err = id.ParseOID(other); err != nil {
			return impossible("what belongs with the set is not an identifier")
		}
		err = s.visits.Tie(r.Context(), at.Person, set, with)
	case "untie":
		err = s.visits.Untie(r.Context(), at.Person, set)
	case "throw":
		err = s.visits.Throw(r.Context(), at.Person, set)
	case "back":
		err = s.visits.TakeBack(r.Context(), at.Person, set)
	default:
		return impossible("what is to be done is not open, bring, home, leave, adopt, keep, tie, " +
			"untie, throw or back")
	}
	if err != nil {
		return err
	}
	return s.writeBag(w, r, session, at)
}

// seatPerson finds the person of a seat by their cookie. If there is none it makes a new person
// here, with the name and colour of the seat.
func (s *Server) seatPerson(
	w http.ResponseWriter, r *http.Request, session room.Session,
) (people.SeatedPerson, error) {
	p, known, err := s.personOf(r)
	if err == nil && !known {
		var is room.Person
		if is, err = s.appears(r, session); err == nil {
			p, err = s.newPerson(w, r, is)
		}
	}
	if err == nil {
		err = s.visits.Sit(r.Context(), session, p)
	}
	return people.SeatedPerson{Table: session.Table, Seat: session.Seat, Person: p.OID}, err
}

// appears returns the name and colour of a seat at its table.
func (s *Server) appears(r *http.Request, session room.Session) (room.Person, error) {
	frame, err := s.rooms.Read(r.Context(), session)
	if err != nil {
		return room.Person{}, err
	}
	for _, e := range frame.GetEvents() {
		for _, seat := range e.GetFull().GetSeats() {
			if id.Seat(seat.GetId()) == session.Seat {
				return room.Person{Nick: seat.GetNick(), Colour: seat.GetColour()}, nil
			}
		}
	}
	return room.Person{}, room.ErrNoSeat
}
