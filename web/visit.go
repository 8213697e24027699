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
//	other: unreachable for 30 s ──▶ home: /?away={server}

// timeView returns a time as pages show it.
func timeView(at id.Millis) string {
	return time.UnixMilli(int64(at)).UTC().Format("2006-01-02 15:04 UTC")
}

// getGo says where an invite link of a linked server leads, and offers to go there.
func (s *Server) getGo(w http.ResponseWriter, r *http.Request) error {
	if s.visits == nil {
		return notFound()
	}
	link := strings.TrimSpace(r.URL.Query().Get("link"))
	if secret, ok := s.ownInvite(r, link); ok {
		//nolint:gosec // a path of this server, and isSecret has seen the rest
		http.Redirect(w, r, "/join/"+secret, http.StatusSeeOther)
		return nil
	}
	return s.showGo(w, r, http.StatusOK, link, formState{})
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
	w http.ResponseWriter, r *http.Request, status int, link string, f formState,
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
	if s.visits == nil {
		return notFound()
	}
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
	link := r.PostForm.Get("link")
	to, err := s.visits.Find(link)
	if err != nil {
		var refused people.Refused
		if errors.As(err, &refused) {
			return s.showGo(w, r, http.StatusUnprocessableEntity, link, formState{})
		}
		return err
	}
	if !known {
		f, is, err := s.readPerson(w, r)
		if err == nil && !f.wrong() {
			p, err = s.newPerson(w, r, is)
		}
		if err != nil && !f.explain(err) {
			return err
		}
		if f.wrong() {
			return s.showGo(w, r, http.StatusUnprocessableEntity, link, f)
		}
	}
	voucher, err := s.visits.Vouch(r.Context(), p, to.Host, originOf(s.publicOrigin(r)))
	if err != nil {
		return err
	}
	q := url.Values{"invite": {to.Invite}, "voucher": {voucher}}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.Origin+"/visit?"+q.Encode(), http.StatusSeeOther)
	return nil
}

func originOf(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }

// getVisit shows people from a linked server under which name they would take a seat.
func (s *Server) getVisit(w http.ResponseWriter, r *http.Request) error {
	if s.visits == nil {
		return notFound()
	}
	q := r.URL.Query()
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
		Home: s.visits.Name(v.From()), Invite: secret, Voucher: text,
	}
	if token, cookie, err := tokenOf(r, i.Table); err == nil && cookie {
		if _, err := s.rooms.Authenticate(r.Context(), i.Table, token); err == nil {
			view.Return = "/t/" + i.Table.String()
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	head := s.head(templates.Msg("visit.head", "title", i.Title))
	s.formPage(w, r, http.StatusOK, templates.Visit(head, view))
	return nil
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
	if s.visits == nil {
		return notFound()
	}
	if err := s.checkOrigin(r, true); err != nil {
		return err
	}
	if err := readForm(w, r); err != nil {
		return err
	}
	if err := s.checkMemory(seatsMemoryLimit); err != nil {
		return err
	}
	if err := s.limits.seats.take(addressOf(r), 1); err != nil {
		return err
	}
	secret := r.PostForm.Get("invite")
	led, err := s.invite(r, secret)
	if err != nil {
		return err
	}
	if err := s.limits.tableSeats.take(tableSeatKey{addressOf(r), led.Table}, 1); err != nil {
		return err
	}
	v, err := s.visits.Check(r.PostForm.Get("voucher"))
	if err == nil {
		err = s.visits.Use(r.Context(), v)
	}
	if err != nil {
		return s.refuseVoucher(r, err)
	}
	p := room.Person{Nick: v.Person.Nick, Colour: v.Person.Colour, Home: s.visits.Name(v.From())}
	taken, err := s.rooms.TakeSeat(r.Context(), secret, p)
	if err != nil {
		return err
	}
	if err := s.visits.Arrive(r.Context(), taken.Session, v); err != nil {
		return err
	}
	s.setCookie(w, r, seatCookie(taken.Table), taken.Token, cookieAge)
	http.Redirect(w, r, "/t/"+taken.Table.String(), http.StatusSeeOther)
	return nil
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
	return s.visits.Name(at.Person.Creator()), at.Home + "/?away=" + s.visits.Self().String()
}

// returnedFrom returns the name of the linked server from which somebody comes home because it was
// unreachable (O39), for the front page. Otherwise it returns an empty string.
func (s *Server) returnedFrom(r *http.Request) string {
	from := r.URL.Query().Get("away")
	if s.visits == nil || from == "" {
		return ""
	}
	// an identifier begins with its host
	host, err := id.ParseOID(clip(from, 16) + "0000000000000000")
	if err != nil {
		return ""
	}
	name, _ := s.visits.Linked(host.Creator())
	return name
}

// homeVisit returns what the front page says about visits.
func (s *Server) homeVisit(r *http.Request) templates.HomeVisit {
	if s.visits == nil {
		return templates.HomeVisit{}
	}
	there, _ := s.visits.MayVisit()
	v := templates.HomeVisit{
		On: true, Home: s.visits.Name(s.visits.Self()), There: templates.List(there),
		ReturnedFrom: s.returnedFrom(r),
	}
	if p, known, err := s.personOf(r); err == nil && known {
		v.Nick = p.Nick
	}
	return v
}
