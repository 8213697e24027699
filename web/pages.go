package web

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/templates"
)

// head returns what stands above the content of a page.
func (s *Server) head(title string) templates.Head {
	return templates.Head{
		Title: title, Style: s.assets.url("css/pages.css"), Icon: s.assets.url("art/logo.svg"),
	}
}

// page answers with a page.
func (s *Server) page(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	s.pageTo(w, r, status, c, "")
}

// pageTo answers with a page whose forms may also lead to origin, unless that is "".
func (s *Server) pageTo(
	w http.ResponseWriter, r *http.Request, status int, c templ.Component, origin string,
) {
	var body bytes.Buffer
	if err := c.Render(r.Context(), &body); err != nil {
		s.refuse(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set(
		"Content-Security-Policy",
		pagePolicy(s.publicOrigin(r), s.sessionOrigin(s.publicOrigin(r)), origin),
	)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", permissions)
	h.Set("Vary", "Accept-Encoding, Accept-Language")
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "private, no-cache")
	}
	text := body.Bytes()
	// A page with a secret contains nothing that another site could choose, so its compressed size
	// reveals nothing. A page that fits into one packet is not compressed, so that an error costs
	// as little as possible.
	if len(text) > onePacket && acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		text = compress(text, gzip.DefaultCompression)
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may have gone
}

func noStore(w http.ResponseWriter) { w.Header().Set("Cache-Control", "no-store") }

// seeOther sends a browser to a page with GET. The caller has checked what of the address comes
// from the request: a table's name is 32 digits, and isSecret has seen a secret.
func seeOther(w http.ResponseWriter, r *http.Request, to string) error {
	http.Redirect(w, r, to, http.StatusSeeOther) //nolint:gosec // as above
	return nil
}

// onePacket is how many bytes of a page fit into one packet together with the headers.
const onePacket = 1000

// formPage answers with a page that has a form. Under no-referrer a browser would post the form
// with Origin: null. Under strict-origin it sends the origin, but not the path, which contains an
// invite.
func (s *Server) formPage(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	w.Header().Set("Referrer-Policy", "strict-origin")
	s.page(w, r, status, c)
}

// formPageTo is formPage for a form whose answer redirects to another origin.
func (s *Server) formPageTo(
	w http.ResponseWriter, r *http.Request, status int, c templ.Component, origin string,
) {
	w.Header().Set("Referrer-Policy", "strict-origin")
	s.pageTo(w, r, status, c, origin)
}

func (s *Server) getHome(w http.ResponseWriter, r *http.Request) error {
	if err := s.limits.seatLookups.take(addressOf(r), len(ownSeats(r))); err != nil {
		return err
	}
	l := s.lossOf(r.URL.Query())
	if l != (loss{}) {
		if _, own := s.findOwn(r); own || s.closedText(r) == "" {
			return seeOther(w, r, "/own"+l.query())
		}
	}
	s.showHome(w, r, http.StatusOK, formState{}, l)
	return nil
}

func (s *Server) showHome(
	w http.ResponseWriter, r *http.Request, status int, f formState, l loss,
) {
	v := templates.HomeView{
		Tables: s.tablesOf(w, r), Genres: game.Genres, Game: f.game,
		Person: personView(r, f, nil), Error: f.problem, Closed: s.closedText(r),
		Script: s.assets.url("js/homepage/homepage.js"),
	}
	v.Recent, v.Games = recentFirst(v.Tables, slices.Concat(s.ownGames(r), s.shelfViews(r)))
	if v.Brings = s.library != nil && s.bringing; s.library != nil {
		v.Linked = s.servers != nil && len(s.servers.Links.Linked()) > 0
	}
	v.Visit = s.homeVisit(r, l)
	if v.Game == "" {
		v.Game = r.URL.Query().Get("game")
	}
	if all := v.All(); len(all) > 0 && !slices.ContainsFunc(all, func(g templates.GameView) bool {
		return g.ID == v.Game
	}) {
		v.Game = all[0].ID
	}
	s.formPage(w, r, status, templates.Home(s.head(templates.Msg("home.head")), v))
}

// maxRecent is how many games stand first because this browser has played them recently: a row.
const maxRecent = 4

// recentFirst divides games into those of the newest of tables, and the others (G19.4).
func recentFirst(
	tables []templates.TableLink, games []templates.GameView,
) (recent, others []templates.GameView) {
	for _, t := range tables {
		i := slices.IndexFunc(games, func(g templates.GameView) bool { return g.ID == t.GameID })
		if i >= 0 && len(recent) < maxRecent {
			recent = append(recent, games[i])
			games = slices.Delete(games, i, i+1)
		}
	}
	return recent, games
}

// tablesOf returns the tables at which this browser has a seat, and removes the cookies of seats
// that no longer exist. It keeps those of another server with the same name: browsers do not
// distinguish ports, and people visit that server from here. It counts wrong tokens against the
// address as everywhere, and stops after maxStrangers of them.
func (s *Server) tablesOf(w http.ResponseWriter, r *http.Request) []templates.TableLink {
	var links []templates.TableLink
	strangers := 0
	for _, own := range ownSeats(r) {
		if strangers >= maxStrangers {
			break
		}
		t := own.table
		about, err := s.rooms.Seated(r.Context(), t, own.token)
		gone := isAny(err, room.ErrNoSeat, room.ErrNoTable, room.ErrGone)
		if gone {
			strangers++
			if s.failed(r, nil) != nil {
				strangers = maxStrangers
			}
		}
		if gone && (s.visits == nil || t.Creator() == s.visits.Self()) {
			s.setCookie(w, r, seatCookie(t), "", -1)
		}
		if err != nil {
			continue
		}
		link := templates.TableLink{
			URL: "/t/" + t.String(), Title: about.Title, Game: s.gameName(r, about.Game), GameID: about.Game,
			Day: time.UnixMilli(int64(about.Created)).UTC().Format(time.DateOnly),
		}
		if g, err := s.rooms.Glance(r.Context(), t, own.token); err == nil {
			link.Here, link.Yours, link.ToMove = g.Here, g.Yours, templates.List(g.ToMove)
		}
		links = append(links, link)
	}
	return links
}

// gameName returns the name of a game in the language of a request, or an empty string if it is no
// longer on the shelf.
func (s *Server) gameName(r *http.Request, id string) string {
	if g, ok := s.shelf.Game(id); ok {
		return game.InLanguage(shelfTexts(r, g), g.Name)
	}
	return ""
}

func (s *Server) postTables(w http.ResponseWriter, r *http.Request) error {
	f, p, err := s.readPerson(w, r)
	if err != nil {
		return err
	}
	f.game = r.PostForm.Get("game")
	if f.wrong() {
		s.showHome(w, r, http.StatusUnprocessableEntity, f, loss{})
		return nil
	}
	if err := s.admitTable(r); err != nil {
		return err
	}
	setup := 0
	if text := r.PostForm.Get("setup-" + f.game); text != "" {
		if setup, err = strconv.Atoi(text); err != nil {
			setup = -1 // there is none
		}
	}
	all, err := s.setUp(r, room.NewTableRequest{Game: f.game, Host: p, Setup: setup})
	if err != nil {
		if !f.explain(err) {
			return err
		}
		s.showHome(w, r, http.StatusUnprocessableEntity, f, loss{})
		return nil
	}
	s.remember(w, r, all[0].Taken, p)
	for i := range all[1:] {
		s.setCookie(w, r, seatCookie(all[i+1].Table), all[i+1].Token, cookieAge)
	}
	return seeOther(w, r, "/t/"+all[0].Table.String())
}

// invite looks up an invite. It counts guesses against the address.
func (s *Server) invite(r *http.Request, secret string) (room.Invite, error) {
	if len(secret) > maxToken {
		return room.Invite{}, room.ErrNoInvite
	}
	if s.visits != nil {
		secret = s.visits.InviteOf(secret)
	}
	i, err := s.rooms.Invite(r.Context(), secret)
	if isAny(err, room.ErrNoInvite, room.ErrGone) {
		return i, s.failed(r, err)
	}
	return i, err
}

// takeSeat takes a seat by an invite, or by a pass, which is void then.
func (s *Server) takeSeat(
	r *http.Request, secret string, p room.Person,
) (room.Taken, error) {
	undo := func() {}
	if s.visits != nil {
		secret, undo = s.visits.UsePass(secret)
	}
	taken, err := s.letIn(r, secret, p)
	if err != nil {
		undo()
	}
	return taken, err
}

// letIn takes a seat by an invite. It counts wrong passwords (T68).
func (s *Server) letIn(
	r *http.Request, invite string, p room.Person,
) (taken room.Taken, err error) {
	err = s.countPassword(r, invite, p.Password, func() (err error) {
		taken, err = s.rooms.TakeSeat(r.Context(), invite, p)
		return err
	})
	return taken, err
}

// admits returns why nobody gets a seat by an invite who says that password. It counts wrong ones.
func (s *Server) admits(r *http.Request, secret, password string) error {
	if s.visits != nil {
		secret = s.visits.InviteOf(secret)
	}
	return s.countPassword(r, secret, password, func() error {
		return s.rooms.Admits(r.Context(), secret, password)
	})
}

// countPassword calls f, which compares a password with that of a table. It counts the password
// unless it was right (T68), and refuses it if there were too many wrong ones.
func (s *Server) countPassword(r *http.Request, invite, password string, f func() error) error {
	if password == "" {
		return f()
	}
	led, err := s.rooms.Invite(r.Context(), invite)
	if err != nil {
		return err
	}
	right, err := s.limits.takePassword(addressOf(r), led.Table)
	if err != nil {
		return err
	}
	err = f()
	if !errors.Is(err, room.ErrPassword) {
		right()
	}
	return err
}

// admitSeat returns why a request may not take a seat by an invite now, and counts it if it may.
// The invite has to be one of the table, unless that is zero.
func (s *Server) admitSeat(r *http.Request, secret string, table id.OID) error {
	if err := s.checkMemory(seatsMemoryLimit); err != nil {
		return err
	}
	if err := s.limits.seats.take(addressOf(r), 1); err != nil {
		return err
	}
	led, err := s.invite(r, secret)
	switch {
	case err != nil:
		return err
	case table != id.OID{} && led.Table != table:
		return room.ErrNoInvite
	}
	return s.limits.tableSeats.take(tableSeatKey{addressOf(r), led.Table}, 1)
}

func (s *Server) getJoin(w http.ResponseWriter, r *http.Request) error {
	return s.showJoin(w, r, http.StatusOK, formState{})
}

func (s *Server) showJoin(w http.ResponseWriter, r *http.Request, status int, f formState) error {
	secret := chi.URLParam(r, "invite")
	i, err := s.invite(r, secret)
	if err != nil {
		return err
	}
	v := templates.JoinView{
		Title: i.Title, Game: s.gameName(r, i.Game), Hosts: templates.List(i.Hosts),
		ManyHosts: len(i.Hosts) > 1, Here: i.Here,
		Watch: i.Role == table.RoleSpectator, Person: personView(r, f, i.Seated),
		Error: f.problem, Action: "/join/" + secret, Closed: i.Closed, Locked: i.Locked,
		PasswordError: f.passwordProblem,
		Places:        s.placeViews(r, i.Table, i.Places, f.side),
	}
	if s.visits != nil {
		_, come := s.visits.MayVisit()
		v.Visitors = len(come) > 0
	}
	for n := range s.previews {
		if s.previews[n].ID == i.Game {
			v.Picture = s.previews[n].Picture
		}
	}
	v.Referees, v.ManyReferees = templates.List(i.Referees), len(i.Referees) > 1
	v.Return = s.ownTable(r, i.Table)
	if own, err := s.ownSession(r, i.Table); err == nil {
		v.SitDown = own.Role == table.RoleSpectator && i.Role == table.RolePlayer
	}
	head := s.head(templates.Msg("join.head", "title", i.Title))
	s.formPage(w, r, status, templates.Join(head, v))
	return nil
}

// sitDown lets the spectator of this browser play, by an invite for players (T75).
func (s *Server) sitDown(w http.ResponseWriter, r *http.Request, secret string) error {
	if err := s.checkOrigin(r, true); err != nil {
		return err
	}
	i, err := s.invite(r, secret)
	if err != nil {
		return err
	}
	own, err := s.ownSession(r, i.Table)
	if err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(own), roleCost); err != nil {
		return err
	}
	if s.visits != nil {
		secret = s.visits.InviteOf(secret)
	}
	if err := s.rooms.SitDown(r.Context(), own, secret); err != nil {
		return err
	}
	return seeOther(w, r, "/t/"+i.Table.String())
}

func (s *Server) postJoin(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Has("sit") {
		return s.sitDown(w, r, chi.URLParam(r, "invite"))
	}
	f, p, err := s.readPerson(w, r)
	if err != nil {
		return err
	}
	f.side = placeIn(r.PostForm)
	p.Side = f.side
	if f.wrong() {
		return s.showJoin(w, r, http.StatusUnprocessableEntity, f)
	}
	secret := chi.URLParam(r, "invite")
	if err := s.admitSeat(r, secret, id.OID{}); err != nil {
		return err
	}
	taken, err := s.takeSeat(r, secret, p)
	if err != nil {
		if !f.explain(err) {
			return err
		}
		return s.showJoin(w, r, http.StatusUnprocessableEntity, f)
	}
	s.remember(w, r, taken, p)
	s.rememberMissed(w, r, taken, p.Side)
	return seeOther(w, r, "/t/"+taken.Table.String())
}

// takeHostLink gives this browser the seat of a token in the address, which holt tables --create
// has printed. Then it redirects to the table, without the token.
func (s *Server) takeHostLink(w http.ResponseWriter, r *http.Request, token string) error {
	table, err := tableOf(r)
	if err != nil {
		return err
	}
	if len(token) > maxToken {
		return room.ErrNoSeat
	}
	if _, err := s.rooms.Authenticate(r.Context(), table, token); err != nil {
		if errors.Is(err, room.ErrNoSeat) {
			return s.failed(r, err)
		}
		return err
	}
	s.setCookie(w, r, seatCookie(table), token, cookieAge)
	return seeOther(w, r, "/t/"+table.String())
}

// getTable is the page in which the client draws the table. It renews the cookie: a browser that
// returns within cookieAge keeps the seat.
func (s *Server) getTable(w http.ResponseWriter, r *http.Request) error {
	if token := r.URL.Query().Get("token"); token != "" {
		return s.takeHostLink(w, r, token)
	}
	session, err := s.session(r)
	if table, known := tableOf(r); known == nil &&
		isAny(err, room.ErrGone, room.ErrNoSeat) {
		s.setCookie(w, r, seatCookie(table), "", -1)
	}
	if err != nil {
		return err
	}
	about, err := s.rooms.About(r.Context(), session.Table)
	if err == nil {
		err = s.rooms.Sound(r.Context(), session.Table)
	}
	if err != nil {
		return err
	}
	if token, cookie, err := tokenOf(r, session.Table); err == nil && cookie {
		s.setCookie(w, r, seatCookie(session.Table), token, cookieAge)
	}
	head := s.head(templates.Msg("table.head", "title", about.Title))
	head.Style = s.assets.url("css/table.css")
	lost := s.takeLoss(w, r, session.Table)
	homeName, home := s.homeOf(r, session)
	scripts, styles := s.preloads(r.Context(), session, about.Catalog)
	supplement := s.supplement(r, session)
	s.page(w, r, http.StatusOK, templates.Table(head, templates.TableView{
		Table:   session.Table.String(),
		Seat:    session.Seat.String(),
		Role:    session.Role.String(),
		Catalog: hashText(about.Catalog),
		Album:   s.art.hasAlbum(about.Catalog),
		API:     "/api/v1/tables/" + session.Table.String(),
		Home:    home, HomeName: homeName, Bags: s.visits != nil,
		Back: s.wayBack(r, session.Table), Carry: s.carries(w, r, session.Table),
		Lost: lost.name(), LostName: s.serverOf(lost),
		Missed:  s.takeMissed(w, r, session.Table),
		Script:  s.assets.url(mainScript),
		Scripts: scripts,
		Styles:  styles,
		Assets:  assetsPath,
		Parts:   s.partNames(s.publicOrigin(r)),
		Rules:   supplement.RulesName != "",
		Words:   wordsFor(r, &supplement),
	}))
	return nil
}

// getFairness is the page that checks the shuffles and rolls of a table, for everybody who has a
// seat there.
func (s *Server) getFairness(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	about, err := s.rooms.About(r.Context(), session.Table)
	if err != nil {
		return err
	}
	head := s.head(templates.Msg("fairness.head", "title", about.Title))
	head.Style = s.assets.url("css/fairness.css")
	s.page(w, r, http.StatusOK, templates.Fairness(head, templates.FairnessView{
		Table:  session.Table.String(),
		Title:  about.Title,
		Host:   session.Role.Hosts(),
		API:    "/api/v1/tables/" + session.Table.String(),
		Back:   "/t/" + session.Table.String(),
		Script: s.assets.url("js/fairnesspage/fairnesspage.js"),
	}))
	return nil
}

// getProblem explains the code of a problem: the type of a problem is the address of this page.
func (s *Server) getProblem(w http.ResponseWriter, r *http.Request) error {
	code := chi.URLParam(r, "code")
	c, ok := codes[code]
	if !ok {
		return notFound()
	}
	title := titleOf(code)
	s.page(w, r, http.StatusOK, templates.Error(s.head(title), templates.ErrorView{
		Status: c.status, Title: title, Text: adviceFor(code),
	}))
	return nil
}
