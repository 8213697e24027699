package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/templates"
)

// The way from the home server to another one and back (O37, O39):
//
//	home:  GET /go?link=… ──▶ POST /go ──303──▶ other: GET /visit?invite=…&voucher=…
//	other: GET /visit ──▶ POST /visit ──303──▶ /t/{table}
//	other: unreachable for 30 s ──▶ home: /?away={server} (own.go)

// timeView returns a time as pages show it.
func timeView(at id.Millis) string {
	return time.UnixMilli(int64(at)).UTC().Format("2006-01-02 15:04 UTC")
}

// getGo says where an invite link of a linked server leads, and offers to go there.
func (s *Server) getGo(w http.ResponseWriter, r *http.Request) error {
	link := strings.TrimSpace(r.URL.Query().Get("link"))
	if secret, ok := s.ownInvite(r, link); ok {
		return seeOther(w, r, "/join/"+secret)
	}
	return s.showGo(w, r, http.StatusOK, link, r.URL.Query().Get("carry"), formState{})
}

// ownInvite returns the secret of an invite link of this server: that link needs no visit to
// another server.
func (s *Server) ownInvite(r *http.Request, link string) (secret string, ok bool) {
	u, err := url.Parse(link)
	if err != nil || originOf(u) != originOf(s.publicOrigin(r)) {
		return "", false
	}
	secret, ok = strings.CutPrefix(u.Path, "/join/")
	return secret, ok && isSecret(secret)
}

// isSecret reports whether a text can be the secret of an invite, and needs no escapes in an
// address.
func isSecret(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return !strings.ContainsRune(
			"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", c)
	})
}

func (s *Server) showGo(
	w http.ResponseWriter, r *http.Request, status int, link, carry string, f formState,
) error {
	p, known, err := s.personOf(r)
	if err != nil {
		return err
	}
	v := templates.GoView{Link: link, Home: s.visits.Name(s.visits.Self()), Error: f.problem}
	to, err := s.visits.Find(link)
	var refused people.Refused
	switch {
	case errors.As(err, &refused):
		v.Error, status = string(refused), http.StatusUnprocessableEntity
	case err != nil:
		return err
	default:
		v.Server = to.Name
	}
	if known {
		v.Nick = p.Nick
		v.Carry, v.Carried = s.takesAlong(r, p, carry)
	} else {
		v.Person = personView(r, f, nil)
	}
	if v.Server == "" {
		v.Plain = plainInvite(to)
		to.Origin = "" // a header contains only what is on the card of a linked server
	}
	s.formPageTo(w, r, status, templates.Go(s.head(templates.Msg("go.title")), v), to.Origin)
	return nil
}

// takesAlong returns the set that a person of this server carries to another one, and its name.
// Both are empty if it is not in their bag: another server has named it (O51).
func (s *Server) takesAlong(r *http.Request, p people.Person, carry string) (set, name string) {
	o, err := id.ParseOID(carry)
	if err != nil {
		return "", ""
	}
	name, err = s.visits.Carried(r.Context(), p.OID, o)
	if err != nil {
		return "", ""
	}
	if name == "" {
		name = templates.Msg("bag.something")
	}
	return o.String(), name
}

// plainInvite returns an invite link of a server that is not linked with this one, so that people
// can follow it without a bag. Otherwise it returns "".
func plainInvite(to people.Destination) string {
	if to.Host != (id.HostID{}) || to.Origin == "" || !isSecret(to.Invite) {
		return ""
	}
	return to.Origin + "/join/" + to.Invite
}

// postGo sends a person to another server, with a voucher.
func (s *Server) postGo(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r, true); err != nil {
		return err
	}
	p, known, err := s.personOf(r)
	if err != nil {
		return err
	}
	if err := readForm(w, r); err != nil {
		return err
	}
	link, carry := r.PostForm.Get("link"), r.PostForm.Get("carry")
	to, err := s.visits.Find(link)
	if err != nil {
		var refused people.Refused
		if errors.As(err, &refused) {
			return s.showGo(w, r, http.StatusUnprocessableEntity, link, carry, formState{})
		}
		return err
	}
	if !known {
		var f formState
		if p, f, err = s.signUp(w, r); err != nil {
			return err
		}
		if f.wrong() {
			return s.showGo(w, r, http.StatusUnprocessableEntity, link, carry, f)
		}
	}
	voucher, err := s.visits.Vouch(r.Context(), p, to.Host, originOf(s.publicOrigin(r)))
	if err != nil {
		return err
	}
	q := url.Values{"invite": {to.Invite}, "voucher": {voucher}}
	if set, _ := s.takesAlong(r, p, carry); set != "" {
		q.Set("carry", set)
	}
	noStore(w)
	return seeOther(w, r, to.Origin+"/visit?"+q.Encode())
}

func originOf(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }

// getVisit shows people from a linked server under which name they would take a seat.
func (s *Server) getVisit(w http.ResponseWriter, r *http.Request) error {
	return s.showVisit(w, r, http.StatusOK, r.URL.Query(), formState{})
}

func (s *Server) showVisit(
	w http.ResponseWriter, r *http.Request, status int, q url.Values, f formState,
) error {
	secret, text := q.Get("invite"), q.Get("voucher")
	i, err := s.invite(r, secret)
	if err != nil {
		return err
	}
	v, err := s.visits.Check(text)
	if err != nil {
		return s.refuseVoucher(r, err)
	}
	view := templates.VisitView{
		Title: i.Title, Watch: i.Role == table.RoleSpectator, Name: v.Person.Nick,
		Home: s.visits.Name(v.From()), Invite: secret, Voucher: text, Locked: i.Locked,
		PasswordError: f.passwordProblem,
		Referees:      templates.List(i.Referees), ManyReferees: len(i.Referees) > 1,
	}
	view.Return = s.ownTable(r, i.Table)
	view.From, view.Carry = wayOf(v, q)
	if s.sitsAt(r, i.Table, v.Person.OID) {
		s.rememberWay(w, r, i.Table, view.From, view.Carry)
	}
	noStore(w)
	head := s.head(templates.Msg("visit.head", "title", i.Title))
	s.formPage(w, r, status, templates.Visit(head, view))
	return nil
}

// wayOf returns the table at a visitor's home from which they come by a door, and the set that they
// carry. Somebody who comes from a third server comes from no table of their home (O51).
func wayOf(v people.Voucher, q url.Values) (from, carry string) {
	from, carry = q.Get("from"), q.Get("carry")
	if !strings.HasPrefix(from, v.Home+"/t/") || !isTableAddress(from) {
		from = ""
	}
	if _, err := id.ParseOID(carry); err != nil {
		carry = ""
	}
	return from, carry
}

// sitsAt reports whether the seat of a browser at a table is that of a person.
func (s *Server) sitsAt(r *http.Request, t, person id.OID) bool {
	token, ok := cookieOf(r, seatCookie(t))
	if !ok {
		return false
	}
	own, err := s.rooms.Authenticate(r.Context(), t, token)
	if err != nil {
		return false
	}
	at, err := s.visits.PersonAtSeat(r.Context(), own)
	return err == nil && at.Person == person
}

// refuseVoucher counts invalid vouchers like wrong tokens.
func (s *Server) refuseVoucher(r *http.Request, err error) error {
	var refused people.Refused
	if errors.As(err, &refused) {
		return s.failed(r, err)
	}
	return err
}

// postVisit gives a seat to a person for whom another server vouches.
func (s *Server) postVisit(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r, true); err != nil {
		return err
	}
	if err := readForm(w, r); err != nil {
		return err
	}
	secret := r.PostForm.Get("invite")
	if err := s.admitSeat(r, secret, id.OID{}); err != nil {
		return err
	}
	v, err := s.visits.Check(r.PostForm.Get("voucher"))
	if err != nil {
		return s.refuseVoucher(r, err)
	}
	p := room.Person{Nick: v.Person.Nick, Colour: v.Person.Colour, Home: s.visits.Name(v.From())}
	p.Password = r.PostForm.Get("password")
	// A voucher is good for one seat: a mistyped password must not use it up.
	var f formState
	if err := s.admits(r, secret, p.Password); err != nil {
		if !f.explain(err) {
			return err
		}
		return s.showVisit(w, r, http.StatusUnprocessableEntity, r.PostForm, f)
	}
	if err := s.visits.Use(r.Context(), v); err != nil {
		return s.refuseVoucher(r, err)
	}
	taken, err := s.takeSeat(r, secret, p)
	if err != nil {
		return err
	}
	s.setCookie(w, r, homeCookie(taken.Table), v.Home, cookieAge)
	from, carry := wayOf(v, r.PostForm)
	s.rememberWay(w, r, taken.Table, from, carry)
	if err := s.visits.Arrive(r.Context(), taken.Session, v); err != nil {
		return err
	}
	s.setCookie(w, r, seatCookie(taken.Table), taken.Token, cookieAge)
	return seeOther(w, r, "/t/"+taken.Table.String())
}

// homeOf returns the name of a visitor's home server and the address of its front page. Both are
// empty for a seat without a visitor.
func (s *Server) homeOf(r *http.Request, session room.Session) (name, address string) {
	if s.visits == nil {
		return "", ""
	}
	at, err := s.visits.PersonAtSeat(r.Context(), session)
	if err != nil || at.Home == "" {
		return "", ""
	}
	return s.visits.Name(at.Person.Creator()), homewards(at.Home, loss{away: s.visits.Self()})
}

// homeVisit returns what the front page says about visits.
func (s *Server) homeVisit(r *http.Request, l loss) templates.HomeVisit {
	if s.visits == nil {
		return templates.HomeVisit{Gone: l.gone}
	}
	there, _ := s.visits.MayVisit()
	v := templates.HomeVisit{
		On: true, Home: s.visits.Name(s.visits.Self()), There: templates.List(there),
		ReturnedFrom: s.serverOf(l), Gone: l.gone,
	}
	if p, known, err := s.personOf(r); err == nil && known {
		v.Nick = p.Nick
	}
	return v
}
