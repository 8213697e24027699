package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// gameOnShelf is one game in the list of games.
type gameOnShelf struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

func gamesOn(shelf *game.Shelf) []gameOnShelf {
	list := []gameOnShelf{}
	for _, g := range shelf.Games() {
		list = append(list, gameOnShelf{g.ID, g.Name, g.Summary})
	}
	return list
}

// person reads a name and a colour. Both may be empty. Rooms check the name.
func person(nick, colour string) (room.Person, error) {
	p := room.Person{Nick: strings.TrimSpace(nick), Colour: randomColour()}
	if colour != "" {
		var err error
		if p.Colour, err = parseColour(colour); err != nil {
			return p, err
		}
	}
	return p, nil
}

type invitesJSON struct {
	Player    string `json:"player"`
	Spectator string `json:"spectator"`
	Password  bool   `json:"password,omitempty"` // whether the table has a password, too
}

func (s *Server) invites(r *http.Request, i room.Invites) invitesJSON {
	join := s.shareOrigin(r).JoinPath("join")
	return invitesJSON{
		join.JoinPath(i.Player).String(), join.JoinPath(i.Spectator).String(), i.Password,
	}
}

func (s *Server) tableURL(r *http.Request, t id.OID) string {
	return s.publicOrigin(r).JoinPath("t", t.String()).String()
}

func (s *Server) apiCreate(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r, false); err != nil {
		return err
	}
	game, nick, colour, title := "", "Host", "", ""
	setup := 0
	err := readObject(r, []string{"game"},
		map[string]any{"game": &game, "nick": &nick, "colour": &colour, "title": &title,
			"setup": &setup})
	if err != nil {
		return err
	}
	p, err := person(nick, colour)
	if err != nil {
		return err
	}
	if err := s.admitTable(r); err != nil {
		return err
	}
	all, err := s.setUp(r, room.NewTableRequest{
		Game: game, Title: strings.TrimSpace(title), Host: p, Setup: setup,
	})
	if err != nil {
		return err
	}
	return s.created(w, r, all)
}

// madeJSON is a further table of a game.
type madeJSON struct {
	Table string `json:"table"`
	Title string `json:"title"`
	Token string `json:"token"`
	URL   string `json:"url"`
}

// created answers with a new table, and the further ones of its game.
func (s *Server) created(w http.ResponseWriter, r *http.Request, all []Made) error {
	first := &all[0]
	var further []madeJSON
	for _, m := range all[1:] {
		further = append(further,
			madeJSON{m.Table.String(), m.Title, m.Token, s.tableURL(r, m.Table)})
	}
	w.Header().Set("Location", "/api/v1/tables/"+first.Table.String())
	return writeJSON(w, http.StatusCreated, struct {
		Table   string      `json:"table"`
		Seat    id.Seat     `json:"seat"`
		Token   string      `json:"token"`
		URL     string      `json:"url"`
		Invites invitesJSON `json:"invites"`
		Further []madeJSON  `json:"further,omitempty"`
	}{first.Table.String(), first.Seat, first.Token, s.tableURL(r, first.Table),
		s.invites(r, first.Invites), further})
}

// seatsPath is the address at which an invite alone is enough for a seat.
const seatsPath = "/api/v1/seats"

// apiTakeSeat gives somebody with an invite a seat. The address may name the table of the invite.
func (s *Server) apiTakeSeat(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r, false); err != nil {
		return err
	}
	var table id.OID // zero: whichever the invite leads to
	if r.URL.Path != seatsPath {
		var err error
		if table, err = tableOf(r); err != nil {
			return err
		}
		if table.IsZero() {
			return room.ErrNoInvite
		}
	}
	var invite, nick, colour, password string
	var side uint32
	err := readObject(r, []string{"invite", "nick"}, map[string]any{
		"invite": &invite, "nick": &nick, "colour": &colour, "password": &password,
		"side": &side,
	})
	if err != nil {
		return err
	}
	p, err := person(nick, colour)
	if err != nil {
		return err
	}
	p.Password, p.Side = password, side
	if err := s.admitSeat(r, invite, table); err != nil {
		return err
	}
	taken, err := s.takeSeat(r, invite, p)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, struct {
		Table string  `json:"table"`
		Seat  id.Seat `json:"seat"`
		Role  string  `json:"role"`
		Side  uint32  `json:"side,omitempty"`
		Token string  `json:"token"`
		URL   string  `json:"url"`
	}{taken.Table.String(), taken.Seat, taken.Role.String(), taken.Side, taken.Token,
		s.tableURL(r, taken.Table)})
}

func (s *Server) apiRead(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	frame, err := s.rooms.Read(r.Context(), session)
	if err != nil {
		return err
	}
	document, err := client.DocumentOf(session.Table, frame)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, document)
}

// apiUpdate takes a batch (T15). It slows down a seat that sends bad ones.
func (s *Server) apiUpdate(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	//nolint:contextcheck // it uses the context of the request
	if err := s.takeBatch(r, session); err != nil {
		s.slowDown(r.Context(), keyOf(session), err)
		return err
	}
	return writeJSON(w, http.StatusAccepted, struct{}{})
}

// takeBatch gives the batch of a request to its table.
func (s *Server) takeBatch(r *http.Request, session room.Session) error {
	return s.admitBatch(
		session,
		func(use func([]byte) error) error {
			if err := checkType(r, "application/json"); err != nil {
				return err
			}
			return withBody(r, wire.MaxBatchBytes, use)
		},
		func(b *wire.Batch) error { return lastReceived(r.URL.Query(), b) },
		func(b wire.Batch) error { return s.rooms.Update(r.Context(), session, b) },
	)
}

// admitBatch reads a batch, however it came, and gives it to its table. read calls its argument
// with the body. received reads what was sent beside the body. It counts one update before it reads
// the body, so that a malformed body counts, too. It counts the others when it knows how many there
// are.
func (s *Server) admitBatch(
	session room.Session, read func(use func(body []byte) error) error,
	received func(*wire.Batch) error, update func(wire.Batch) error,
) error {
	if err := s.limits.updates.take(keyOf(session), 1); err != nil {
		return err
	}
	var batch wire.Batch
	err := read(func(body []byte) (err error) {
		batch, err = wire.DecodeBatch(body)
		return err
	})
	if err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), len(batch.Updates)-1); err != nil {
		return err
	}
	if err := received(&batch); err != nil {
		return err
	}
	return update(batch)
}

// lastReceived reads the version of the last frame that a client had received when it sent a batch,
// and the server life of that version (S21).
func lastReceived(q url.Values, b *wire.Batch) error {
	if q.Has("life") != q.Has("mark") {
		return malformed("the query has one of life and mark, not both")
	}
	if !q.Has("life") {
		return nil
	}
	life, err := lifeOf(q)
	if err != nil {
		return err
	}
	mark, err := numberOf(q, "mark")
	b.Life, b.Version = life, id.Version(mark)
	return err
}

func (s *Server) apiInvites(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	invites, err := s.rooms.Invites(r.Context(), session)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, s.sharing(r, session, invites))
}

// renewable says which links a request renews (T75), by its parameter for.
var renewable = map[string][]table.Role{
	"":                           nil, // both
	table.RolePlayer.String():    {table.RolePlayer},
	table.RoleSpectator.String(): {table.RoleSpectator},
}

func (s *Server) apiRenewInvites(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	of, ok := renewable[r.URL.Query().Get("for")]
	if !ok {
		return impossible("for is player or spectator")
	}
	invites, err := s.rooms.RenewInvites(r.Context(), session, of...)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, s.sharing(r, session, invites))
}

// apiDelete deletes the table (T42).
func (s *Server) apiDelete(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	if err := s.rooms.Delete(r.Context(), session); err != nil {
		return err
	}
	s.setCookie(w, r, seatCookie(session.Table), "", -1)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiDropHistory drops the history of the table (T48).
func (s *Server) apiDropHistory(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	if err := s.rooms.DropHistory(r.Context(), session); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiCopy copies the state of the table into a new one (T57). The caller becomes its host. If
// creating a table needs a right, a cookie must show it: the token in the header belongs to the
// seat.
func (s *Server) apiCopy(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	asked := r.Clone(r.Context())
	asked.Header.Del("Authorization")
	if err := s.admitTable(asked); err != nil {
		return err
	}
	taken, invites, host, err := s.rooms.Copy(r.Context(), session)
	if err != nil {
		return err
	}
	if _, cookie, err := tokenOf(r, session.Table); err == nil && cookie {
		s.remember(w, r, taken, host)
	}
	return s.created(w, r, []Made{{Taken: taken, Invites: invites}})
}

// apiFairness exports the rounds of randomness (docs/fairness.md). A client that has the last
// version already gets 304.
func (s *Server) apiFairness(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	if err := s.limits.exports.take(keyOf(session), 1); err != nil {
		return err
	}
	export, version, err := s.rooms.Fairness(r.Context(), session)
	if err != nil {
		return err
	}
	tag := `"` + fairness.Format + " " + version + `"`
	h := w.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", "private, no-cache")
	if hasTag(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", "application/json")
	if r.Method == http.MethodHead {
		return nil
	}
	_ = export.Write(w) // the client may have gone
	return nil
}

// apiOpenRound opens the next round of randomness.
func (s *Server) apiOpenRound(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	round, err := s.rooms.OpenRound(r.Context(), session)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, struct {
		Round fairness.Round `json:"round"`
	}{round})
}

func (s *Server) getHealth(w http.ResponseWriter, r *http.Request) error {
	if s.health != nil {
		if err := s.health(r.Context()); err != nil {
			return err
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	noStore(w)
	text := "ok\n"
	if n := len(s.rooms.Damaged()); n > 0 {
		text = fmt.Sprintf("ok, but damaged tables: %d (holt check says more)\n", n)
	}
	if s.losses != nil && s.losses() > 0 {
		text = "ok, but a part of the data was lost on a damaged disk (holt check says more)\n"
	}
	if s.damaged != nil && s.damaged() {
		text = "ok, but the objects of this server are damaged: " +
			"nothing moves between servers (holt check says more)\n"
	}
	if s.wentBack() {
		text = "ok, but the data folder went back to an older state (holt objects says more)\n"
	}
	_, _ = w.Write([]byte(text))
	return nil
}

// wentBackSaid is how long /healthz reports that the data folder went back.
const wentBackSaid = 7 * 24 * time.Hour

// wentBack reports whether the server noticed within wentBackSaid that the data folder went back.
func (s *Server) wentBack() bool {
	if s.objects == nil {
		return false
	}
	at := s.objects()
	return at != 0 && time.Since(time.UnixMilli(int64(at))) < wentBackSaid
}
