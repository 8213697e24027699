package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/templates"
)

// The table of one's own to which people come whose table is gone (O39):
//
//	a visited server does not answer ──▶ home: /?away={server} ──▶ /own?away={server}
//	a table was deleted ──▶ home: /?gone=1 ──▶ /own?gone=1
//	/own ──▶ /t/{own table}, if there is one; else a form ──▶ POST /own ──303──▶ /t/{own table}
//
// Only the form makes a table: a page of another site can lead to /own, and change nothing.

// loss says why somebody comes home. The zero value says that they do not.
type loss struct {
	away id.HostID // the linked server that could not be reached
	gone bool      // their table was deleted
}

// lossOf returns why somebody comes home, as the address or the form says. It believes only what
// names a linked server.
func (s *Server) lossOf(q url.Values) loss {
	if q.Get("gone") != "" {
		return loss{gone: true}
	}
	from := q.Get("away")
	if s.visits == nil || from == "" {
		return loss{}
	}
	// an identifier begins with its host
	host, err := id.ParseOID(clip(from, 16) + "0000000000000000")
	if err != nil {
		return loss{}
	}
	if _, linked := s.visits.Linked(host.Creator()); !linked {
		return loss{}
	}
	return loss{away: host.Creator()}
}

// query is the loss in an address; empty if there is none.
func (l loss) query() string {
	switch {
	case l.gone:
		return "?gone=1"
	case l.away != id.HostID{}:
		return "?away=" + l.away.String()
	}
	return ""
}

// name is the loss as the page of a table gets it; empty if there is none.
func (l loss) name() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(l.query(), "?"), "=")
	return name
}

// serverOf returns the name of the server that could not be reached; empty if none is meant.
func (s *Server) serverOf(l loss) string {
	if l.gone || l == (loss{}) {
		return ""
	}
	return s.visits.Name(l.away)
}

// homewards returns where somebody goes whose home is at an origin; "" is this server.
func homewards(home string, l loss) string { return home + "/" + l.query() }

// ownCookie names the own table of a browser. It names the server, too: cookies do not distinguish
// ports.
func (s *Server) ownCookie() string {
	if s.visits == nil {
		return "holt_own"
	}
	return "holt_own_" + s.visits.Self().String()
}

// lossCookie is why a browser comes to its own table. The page of the table shows it once.
func lossCookie(t id.OID) string { return "holt_lost_" + t.String() }

// homeCookie is the origin of the home server of a visitor at a table. It is needed when the table
// is gone, because nothing of the seat is left then.
func homeCookie(t id.OID) string { return "holt_home_" + t.String() }

// lossAge is for how many seconds the own table may say why somebody comes.
const lossAge = 60

// findOwn returns the own table of this browser, if it still has its seat there.
func (s *Server) findOwn(r *http.Request) (t id.OID, ok bool) {
	text, ok := cookieOf(r, s.ownCookie())
	if !ok {
		return t, false
	}
	t, err := id.ParseOID(text)
	return t, err == nil && s.ownTable(r, t) != ""
}

// toOwn sends a browser to its own table, which says why.
func (s *Server) toOwn(w http.ResponseWriter, r *http.Request, t id.OID, l loss) error {
	if l != (loss{}) {
		s.setCookie(w, r, lossCookie(t), strings.TrimPrefix(l.query(), "?"), lossAge)
	}
	return seeOther(w, r, "/t/"+t.String())
}

// takeLoss returns why a browser has come to its own table, once.
func (s *Server) takeLoss(w http.ResponseWriter, r *http.Request, t id.OID) loss {
	text, ok := cookieOf(r, lossCookie(t))
	if !ok {
		return loss{}
	}
	s.setCookie(w, r, lossCookie(t), "", -1)
	q, err := url.ParseQuery(text)
	if err != nil {
		return loss{}
	}
	return s.lossOf(q)
}

// makingCookie tells apart the browsers that are shown the form for an own table. Several tabs of
// one browser have the same.
const makingCookie = "holt_making"

// ownMakings makes own tables, one for each browser, however many of its tabs ask at a time. It is
// safe for concurrent use.
type ownMakings struct {
	mu sync.Mutex
	// Guarded by mu.
	by  map[string]*ownMaking
	old []string // the keys in by, the oldest first
}

// ownMaking is the own table of a browser.
type ownMaking struct {
	turn  chan struct{} // a semaphore that guards taken
	taken room.Taken    // no token: none was made
}

// maxMakings is for how many browsers the own table is remembered that was made last. The cookies
// of a browser name it, too. So this is for requests that are sent before the cookies have come.
const maxMakings = 256

func newOwnMakings() *ownMakings { return &ownMakings{by: map[string]*ownMaking{}} }

// of returns what is remembered for the browser with a key.
func (m *ownMakings) of(key string) *ownMaking {
	m.mu.Lock()
	defer m.mu.Unlock()
	one := m.by[key]
	if one == nil {
		if len(m.old) >= maxMakings {
			delete(m.by, m.old[0])
			m.old = m.old[1:]
		}
		one = &ownMaking{turn: make(chan struct{}, 1)}
		m.by[key], m.old = one, append(m.old, key)
	}
	return one
}

// once returns the table that was made before, if is says that it is still good, or makes it.
// Meanwhile nobody else makes it. The error is that of ctx or of do.
func (m *ownMaking) once(
	ctx context.Context, is func(context.Context, room.Taken) bool,
	do func() (room.Taken, error),
) (room.Taken, error) {
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return room.Taken{}, ctx.Err()
	}
	defer func() { <-m.turn }()
	if m.taken.Token != "" && is(ctx, m.taken) {
		return m.taken, nil
	}
	taken, err := do()
	if err == nil {
		m.taken = taken
	}
	return taken, err
}

// getOwn brings a browser to its own table, or offers to make one.
func (s *Server) getOwn(w http.ResponseWriter, r *http.Request) error {
	l := s.lossOf(r.URL.Query())
	if t, ok := s.findOwn(r); ok {
		return s.toOwn(w, r, t, l)
	}
	if s.closedText(r) != "" {
		s.showHome(w, r, http.StatusOK, formState{}, l)
		return nil
	}
	return s.showOwn(w, r, http.StatusOK, formState{}, l)
}

func (s *Server) showOwn(
	w http.ResponseWriter, r *http.Request, status int, f formState, l loss,
) error {
	v := templates.OwnView{
		Server: s.serverOf(l), Gone: l.gone, Bag: s.visits != nil, Error: f.problem,
	}
	if v.Server != "" {
		v.Away = l.away.String()
	}
	if key, ok := cookieOf(r, makingCookie); !ok || len(key) != len(rand.Text()) {
		s.setCookie(w, r, makingCookie, rand.Text(), cookieAge)
	}
	p, known, err := s.ownPerson(r)
	if err != nil {
		return err
	}
	if known && !f.wrong() {
		v.Nick = p.Nick
	} else {
		v.Person = personView(r, f, nil)
	}
	s.formPage(w, r, status, templates.Own(s.head(templates.Msg("own.head")), v))
	return nil
}

// ownPerson returns as whom a browser sits at its own table: as the person of this server, or with
// the name and colour that it used last.
func (s *Server) ownPerson(r *http.Request) (p room.Person, known bool, err error) {
	is, known, err := s.personOf(r)
	if err != nil || known {
		return room.Person{Nick: is.Nick, Colour: is.Colour}, known, err
	}
	p, known = rememberedPerson(r)
	return p, known, nil
}

// postOwn makes the own table of a browser.
func (s *Server) postOwn(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r, true); err != nil {
		return err
	}
	if err := readForm(w, r); err != nil {
		return err
	}
	l := s.lossOf(r.PostForm)
	if t, ok := s.findOwn(r); ok {
		return s.toOwn(w, r, t, l)
	}
	p, known, err := s.ownPerson(r)
	if err != nil {
		return err
	}
	if !known || r.PostForm.Has("nick") {
		var f formState
		if f, p, err = s.readPerson(w, r); err != nil {
			return err
		}
		if f.wrong() {
			return s.showOwn(w, r, http.StatusUnprocessableEntity, f, l)
		}
	}
	taken, err := s.makeOwn(r, p)
	if errors.Is(err, room.ErrPerson) { // the browser remembered an invalid name
		f := formState{nickProblem: templates.Msg("person.badNick")}
		return s.showOwn(w, r, http.StatusUnprocessableEntity, f, l)
	}
	if err != nil {
		p := s.problemFor(r, err)
		p.setHeaders(w.Header())
		why := cmp.Or(adviceOf(p), titleOf(p.Code))
		f := formState{problem: templates.Msg("own.none", "why", why)}
		s.showHome(w, r, p.status(), f, l)
		return nil
	}
	s.remember(w, r, taken, p)
	s.setCookie(w, r, s.ownCookie(), taken.Table.String(), cookieAge)
	return s.toOwn(w, r, taken.Table, l)
}

// makeOwn makes the own table of a browser, or returns the one that another tab of it has made.
func (s *Server) makeOwn(r *http.Request, p room.Person) (room.Taken, error) {
	create := func() (room.Taken, error) {
		taken, err := s.createOwn(r, p)
		if err != nil {
			return taken, err
		}
		return taken, s.sitAtOwn(r, taken.Session)
	}
	key, ok := cookieOf(r, makingCookie)
	if !ok || len(key) != len(rand.Text()) {
		return create()
	}
	return s.makings.of(key).once(r.Context(), func(ctx context.Context, t room.Taken) bool {
		_, err := s.rooms.Authenticate(ctx, t.Table, t.Token)
		return err == nil
	}, create)
}

// createOwn makes an empty table for somebody.
func (s *Server) createOwn(r *http.Request, p room.Person) (room.Taken, error) {
	if err := s.admitTable(r); err != nil {
		return room.Taken{}, err
	}
	if len(s.previews) == 0 {
		return room.Taken{}, room.ErrNoGame
	}
	taken, _, err := s.rooms.Create(r.Context(), room.NewTableRequest{
		Game: s.previews[0].ID, Title: ownTitle(p.Nick), Host: p, Bare: true,
	})
	return taken, err
}

// sitAtOwn gives the host of an own table their bag, if they have one.
func (s *Server) sitAtOwn(r *http.Request, session room.Session) error {
	p, known, err := s.personOf(r)
	if err != nil || !known {
		return err
	}
	return s.visits.Sit(r.Context(), session, p)
}

// ownTitle is the title of somebody's own table.
func ownTitle(nick string) string { return templates.Msg("own.title", "nick", nick) }

// wayOwn returns where somebody goes who asked for a table that is gone: to their own server, from
// where they come to a table of their own. It is empty if another answer is given.
func (s *Server) wayOwn(r *http.Request, p *problem) string {
	l := loss{gone: true}
	if p.Code != "gone" {
		return ""
	}
	if t, err := tableOf(r); err == nil {
		home, visitor := cookieOf(r, homeCookie(t))
		if visitor && !isTableAddress(home+"/t/"+t.String()) {
			home = ""
		}
		return homewards(home, l)
	}
	if s.visits != nil && r.URL.Path == "/visit" {
		is, err := s.visits.Check(r.FormValue("voucher"))
		if err != nil {
			return ""
		}
		return homewards(is.Home, l)
	}
	return ""
}
