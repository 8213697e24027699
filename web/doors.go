package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"holt/server/components/schema"
	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
)

// Doors are pieces that lead to other tables (docs/protocol/object.md, O49 and O50). People carry
// sets through them (O51). The page says which piece; where it leads stays with this server.

// doorSession returns the seat that asks about doors, if it does not ask too fast.
func (s *Server) doorSession(r *http.Request) (room.Session, error) {
	session, err := s.session(r)
	if err == nil {
		err = s.limits.bags.take(keyOf(session), 1)
	}
	return session, err
}

// doorPiece returns the piece that the path names.
func doorPiece(r *http.Request) (id.Piece, error) {
	n, err := strconv.ParseUint(chi.URLParam(r, "piece"), 10, 32)
	if err != nil {
		return 0, room.ErrNoDoor
	}
	return id.Piece(n), nil
}

type (
	ownTablesJSON struct {
		Tables []ownTableJSON `json:"tables"`
	}
	ownTableJSON struct {
		Table string `json:"table"`
		Title string `json:"title"`
	}
)

// apiDoors lists the tables of this server to which the host of a table can make a door without a
// link: those that this browser hosts, too.
func (s *Server) apiDoors(w http.ResponseWriter, r *http.Request) error {
	session, err := s.doorSession(r)
	if err == nil && !session.Role.Hosts() {
		err = room.ErrRole
	}
	if err != nil {
		return err
	}
	list := ownTablesJSON{Tables: []ownTableJSON{}}
	for _, own := range ownSeats(r) {
		if own.table == session.Table {
			continue
		}
		at, err := s.rooms.Authenticate(r.Context(), own.table, own.token)
		if err != nil || !at.Role.Hosts() {
			continue
		}
		if about, err := s.rooms.About(r.Context(), own.table); err == nil {
			list.Tables = append(list.Tables, ownTableJSON{own.table.String(), about.Title})
		}
	}
	return writeJSON(w, http.StatusOK, list)
}

// apiMakeDoor makes a piece a door, by an invite link or to another table of this browser's host.
func (s *Server) apiMakeDoor(w http.ResponseWriter, r *http.Request) error {
	session, err := s.doorSession(r)
	if err == nil && !session.Role.Hosts() {
		err = room.ErrRole
	}
	if err != nil {
		return err
	}
	var link, to string
	var piece uint32
	if err := readObject(r, []string{"piece"},
		map[string]any{"piece": &piece, "link": &link, "table": &to}); err != nil {
		return err
	}
	if (link == "") == (to == "") {
		return impossible("a door has either a link or a table")
	}
	link = strings.TrimSpace(link)
	own, _ := s.ownInvite(r, link)
	if to != "" {
		if own, err = s.inviteOfOwn(r, to); err != nil {
			return err
		}
	}
	is, err := s.makeDoor(r.Context(), session, id.Piece(piece), link, own)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, struct {
		Title  string `json:"title"`
		Server string `json:"server,omitempty"`
	}{is.GetTitle(), is.GetServer()})
}

// makeDoor makes a piece a door by an invite link. own is the secret in it, if it is a link of this
// server.
func (s *Server) makeDoor(
	ctx context.Context, session room.Session, piece id.Piece, link, own string,
) (*componentpb.Door, error) {
	door, behind, err := s.visits.FindDoor(ctx, session.Table, link, own)
	if err != nil {
		return nil, err
	}
	seal, err := s.visits.Seal(session.Table, door)
	if err != nil {
		return nil, err
	}
	is := &componentpb.Door{Title: behind.Title, Server: behind.Server, Seal: seal}
	return is, s.setDoor(ctx, session, piece, door, schema.Encode(is))
}

// setDoor makes a piece a door. The table refers to the other one before it has the door.
func (s *Server) setDoor(
	ctx context.Context, session room.Session, piece id.Piece, door people.Door, data []byte,
) error {
	s.doors.Lock()
	defer s.doors.Unlock()
	if err := s.visits.HoldDoor(ctx, session.Table, door); err != nil {
		return err
	}
	before, err := s.rooms.SetDoor(ctx, session, piece, data)
	if err != nil {
		before = data
	}
	s.dropDoor(ctx, session, before)
	return doorRefusal(err)
}

// inviteOfOwn returns the players' invite of a table that this browser hosts.
func (s *Server) inviteOfOwn(r *http.Request, text string) (string, error) {
	to, err := id.ParseOID(text)
	if err != nil {
		return "", impossible("the table is not an identifier")
	}
	token, ok := cookieOf(r, seatCookie(to))
	if !ok {
		return "", room.ErrRole
	}
	at, err := s.rooms.Authenticate(r.Context(), to, token)
	switch {
	case isAny(err, room.ErrNoSeat, room.ErrNoTable, room.ErrGone):
		return "", s.failed(r, room.ErrRole)
	case err != nil:
		return "", err
	case !at.Role.Hosts():
		return "", room.ErrRole
	}
	invites, err := s.rooms.Invites(r.Context(), at)
	return invites.Player, err
}

// apiRemoveDoor makes a door an ordinary piece again.
func (s *Server) apiRemoveDoor(w http.ResponseWriter, r *http.Request) error {
	session, err := s.doorSession(r)
	if err != nil {
		return err
	}
	piece, err := doorPiece(r)
	if err != nil {
		return err
	}
	s.doors.Lock()
	defer s.doors.Unlock()
	before, err := s.rooms.RemoveDoor(r.Context(), session, piece)
	if err != nil {
		return err
	}
	s.dropDoor(r.Context(), session, before)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// dropDoor ends that the table refers to the table behind a door that it has no more, unless
// another door leads there. If that fails, the reference stays: it keeps what nobody needs.
func (s *Server) dropDoor(ctx context.Context, session room.Session, was []byte) {
	door, ok := s.readDoor(session.Table, was)
	if !ok {
		return
	}
	others, err := s.rooms.Doors(ctx, session.Table)
	if err != nil {
		s.log.Debug("it is not known where the doors of a table lead", "error", err)
		return
	}
	for _, other := range others {
		if is, ok := s.readDoor(session.Table, other); ok && is.Table == door.Table {
			return
		}
	}
	if err := s.visits.DropDoor(ctx, session.Table, door); err != nil {
		s.log.Warn("a table still refers to one to which it has no door", "error", err)
	}
}

// doorRefusal puts what rooms refuse into a sentence for people.
func doorRefusal(err error) error {
	if isAny(err, room.ErrDoors, room.ErrNotYours, room.ErrPart, room.ErrNoBag, room.ErrItself) {
		return newProblem("refused", people.Sentence(err.Error()))
	}
	return err
}

// readDoor returns where the door in a component leads.
func (s *Server) readDoor(from id.OID, data []byte) (people.Door, bool) {
	return s.visits.ReadDoor(from, data)
}

// openedJSON is where the page goes. A program that has no cookies gets the token of its seat.
type openedJSON struct {
	URL   string `json:"url"`
	Table string `json:"table,omitempty"`
	Token string `json:"token,omitempty"`
}

// apiOpenDoor takes somebody through a door.
func (s *Server) apiOpenDoor(w http.ResponseWriter, r *http.Request) error {
	session, err := s.doorSession(r)
	if err != nil {
		return err
	}
	piece, err := doorPiece(r)
	if err != nil {
		return err
	}
	data, err := s.rooms.Door(r.Context(), session, piece)
	if err != nil {
		return err
	}
	carried, err := s.carried(r, session)
	if err != nil {
		return err
	}
	door, ok := s.readDoor(session.Table, data)
	if !ok {
		return newProblem("refused", "This door was made on another server.")
	}
	to, err := s.goThrough(w, r, session, door, carried)
	if state, known := doorState(err); known {
		s.noteDoor(r, session, piece, data, state)
	}
	if err != nil {
		return doorProblem(err)
	}
	return writeJSON(w, http.StatusOK, to)
}

// doorState returns what a door shows after somebody has tried to open it. It reports false if that
// says nothing of the door, such as a failure that passes.
func doorState(err error) (uint32, bool) {
	var absent *room.Unreachable
	switch {
	case err == nil:
		return schema.DoorOpen, true
	case isAny(err, people.ErrTableGone, room.ErrGone):
		return schema.DoorGone, true
	case errors.As(err, &absent):
		return schema.DoorUnreachable, true
	case errors.Is(err, room.ErrNoInvite):
		return schema.DoorRefused, true
	default:
		return 0, false
	}
}

// doorProblem says of the other table what would else be taken for this one.
func doorProblem(err error) error {
	var absent *room.Unreachable
	switch {
	case errors.As(err, &absent):
		return &problem{
			Code: "away", Detail: "The server behind this door does not answer.", After: retryAfter,
		}
	case isAny(err, people.ErrTableGone, room.ErrGone):
		return newProblem("refused", "The table behind this door was thrown away.")
	case errors.Is(err, room.ErrNoInvite):
		return newProblem("refused", "The table behind this door does not let people in by it "+
			"any more: its links were replaced.")
	default:
		return err
	}
}

// noteDoor shows on a door what opening it has shown, for everybody.
func (s *Server) noteDoor(
	r *http.Request, session room.Session, piece id.Piece, data []byte, state uint32,
) {
	is, err := schema.Decode[componentpb.Door](data)
	if err != nil || is.GetState() == state {
		return
	}
	is.State = state
	if err := s.rooms.NoteDoor(
		r.Context(), session, piece, data, schema.Encode(is),
	); err != nil {
		s.log.Debug("the state of a door is not kept", "error", err)
	}
}

// goThrough returns where the page of somebody goes who opens a door.
func (s *Server) goThrough(
	w http.ResponseWriter, r *http.Request, session room.Session, door people.Door, carried string,
) (openedJSON, error) {
	if door.Origin == "" {
		return s.goHere(w, r, session, door, carried)
	}
	pass, err := s.visits.Pass(r.Context(), door)
	if err != nil {
		return openedJSON{}, err
	}
	at, err := s.visits.PersonAtSeat(r.Context(), session)
	if errors.Is(err, people.ErrNoPerson) {
		at, err = s.seatPerson(w, r, session)
	}
	if err != nil {
		return openedJSON{}, err
	}
	join := door.Origin + "/join/" + pass
	if at.Person.Creator() == door.Table.Creator() { // they are at home there
		if carried != "" {
			return openedJSON{}, newProblem("refused", "You are at home behind this door. "+
				"Put this one into your bag, and take it from there.")
		}
		return openedJSON{URL: join}, nil
	}
	if at.Home != "" { // only their own server vouches for them, and knows what is theirs
		q := url.Values{"link": {join}}
		if carried != "" {
			q.Set("carry", carried)
		}
		return openedJSON{URL: at.Home + "/go?" + q.Encode()}, nil
	}
	p, err := s.visits.PersonOf(r.Context(), at.Person)
	if err != nil {
		return openedJSON{}, err
	}
	home := originOf(s.publicOrigin(r))
	voucher, err := s.visits.Vouch(r.Context(), p, door.Table.Creator(), home)
	if err != nil {
		return openedJSON{}, err
	}
	q := url.Values{
		"invite": {pass}, "voucher": {voucher}, "from": {home + "/t/" + session.Table.String()},
	}
	if carried != "" {
		q.Set("carry", carried)
	}
	return openedJSON{URL: door.Origin + "/visit?" + q.Encode()}, nil
}

// goHere takes somebody to another table of this server: to the seat that they have there, else to
// a new one, as they are here and with the same bag.
func (s *Server) goHere(
	w http.ResponseWriter, r *http.Request, session room.Session, door people.Door, carried string,
) (openedJSON, error) {
	to := openedJSON{
		URL: s.publicOrigin(r).JoinPath("t", door.Table.String()).String(),
	}
	_, cookie, err := tokenOf(r, session.Table)
	if err != nil {
		return to, err
	}
	back := "/t/" + session.Table.String()
	if cookie && s.ownTable(r, door.Table) != "" { // it needs no invite
		s.rememberWay(w, r, door.Table, back, carried)
		return to, nil
	}
	i, err := s.rooms.Invite(r.Context(), door.Invite)
	if err == nil && i.Table != door.Table {
		err = room.ErrNoInvite
	}
	if err != nil {
		return to, err
	}
	if cookie {
		s.rememberWay(w, r, door.Table, back, carried)
	}
	if err := s.admitSeat(r, door.Invite, door.Table); err != nil {
		return to, err
	}
	p, err := s.appears(r, session)
	if err != nil {
		return to, err
	}
	at, err := s.visits.PersonAtSeat(r.Context(), session)
	known := err == nil
	if err != nil && !errors.Is(err, people.ErrNoPerson) {
		return to, err
	}
	if at.Home != "" {
		p.Home = s.visits.Name(at.Person.Creator())
	}
	taken, err := s.rooms.TakeSeat(r.Context(), door.Invite, p)
	if err != nil {
		return to, err
	}
	if known {
		at.Table, at.Seat = taken.Table, taken.Seat
		if err := s.visits.SitAs(r.Context(), at); err != nil {
			return to, err
		}
	}
	if cookie {
		s.setCookie(w, r, seatCookie(taken.Table), taken.Token, cookieAge)
	} else {
		to.Table, to.Token = taken.Table.String(), taken.Token
	}
	return to, nil
}

// The way back. A cookie for each table that somebody entered by a door names the table from which
// they came: a path of this server, or an address of the visitor's own server.

func wayCookie(t id.OID) string { return "holt_from_" + t.String() }

// wayAge is for how many seconds the way back is offered.
const wayAge = 24 * 60 * 60

// rememberWay stores the way back, if there is one, and the set that somebody carries, if any.
func (s *Server) rememberWay(
	w http.ResponseWriter, r *http.Request, t id.OID, back, carried string,
) {
	if back != "" {
		s.setCookie(w, r, wayCookie(t), back, wayAge)
	}
	if _, err := id.ParseOID(carried); err == nil {
		s.setCookie(w, r, carryCookie(t), carried, carryAge)
	} else if _, ok := cookieOf(r, carryCookie(t)); ok { // of a way that ended before that table
		s.setCookie(w, r, carryCookie(t), "", -1)
	}
}

func carryCookie(t id.OID) string { return "holt_carry_" + t.String() }

// carryAge is for how many seconds somebody may be on the way with a set.
const carryAge = 60

// carries returns the set that somebody has carried through a door to a table, once; empty if there
// is none.
func (s *Server) carries(w http.ResponseWriter, r *http.Request, t id.OID) string {
	text, ok := cookieOf(r, carryCookie(t))
	if !ok {
		return ""
	}
	s.setCookie(w, r, carryCookie(t), "", -1)
	if _, err := id.ParseOID(text); err != nil {
		return ""
	}
	return text
}

// carried returns the set that the page wants to carry through a door: that of a piece which its
// person has put on the table. It is empty if the request names none.
func (s *Server) carried(r *http.Request, session room.Session) (string, error) {
	if r.ContentLength == 0 {
		return "", nil
	}
	var piece uint32
	if err := readObject(r, nil, map[string]any{"carry": &piece}); err != nil || piece == 0 {
		return "", err
	}
	set, err := s.rooms.OwnGuest(r.Context(), session, id.Piece(piece))
	if err != nil {
		return "", doorRefusal(err)
	}
	return set.String(), nil
}

// wayBack returns the address of the table from which somebody came to a table by a door; empty if
// they came otherwise.
func (s *Server) wayBack(r *http.Request, t id.OID) string {
	back, ok := cookieOf(r, wayCookie(t))
	if !ok || !isTableAddress(back) {
		return ""
	}
	return back
}

// isTableAddress reports whether a text is the path of a table, or the address of one elsewhere.
func isTableAddress(text string) bool {
	u, err := url.Parse(text)
	if err != nil || len(text) > maxToken || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		(u.Host == "") != (u.Scheme == "") ||
		u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	name, ok := strings.CutPrefix(u.Path, "/t/")
	_, err = id.ParseOID(name)
	return ok && err == nil
}
