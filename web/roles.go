package web

import (
	"net/http"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// roleCost is how many updates of a seat a change of roles or a vote counts as: everybody learns of
// it.
const roleCost = 20

// givenRoles are the roles that a host can give.
var givenRoles = map[string]table.Role{
	table.RoleHost.String():   table.RoleHost,
	table.RoleCohost.String(): table.RoleCohost,
	table.RolePlayer.String(): table.RolePlayer,
}

// apiGiveRole gives a seat another role (T66).
func (s *Server) apiGiveRole(w http.ResponseWriter, r *http.Request, session room.Session) error {
	seat, err := seatIn(r, session)
	if err != nil {
		return err
	}
	name := ""
	if err := readObject(r, []string{"role"}, map[string]any{"role": &name}); err != nil {
		return err
	}
	role, ok := givenRoles[name]
	if !ok {
		return impossible("role is host, co-host or player")
	}
	if err := s.limits.updates.take(keyOf(session), roleCost); err != nil {
		return err
	}
	if err := s.rooms.GiveRole(r.Context(), session, seat, role); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiVoteHost votes for a seat to become the host, while no host is there (T66).
func (s *Server) apiVoteHost(w http.ResponseWriter, r *http.Request, session room.Session) error {
	var seat uint32
	if err := readObject(r, []string{"seat"}, map[string]any{"seat": &seat}); err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), roleCost); err != nil {
		return err
	}
	elected, err := s.rooms.VoteHost(r.Context(), session, id.Seat(seat))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Elected bool `json:"elected"`
	}{elected})
}

// apiPropose asks all who play whether a spectator becomes a referee (T74).
func (s *Server) apiPropose(w http.ResponseWriter, r *http.Request, session room.Session) error {
	seat, err := seatIn(r, session)
	if err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), roleCost); err != nil {
		return err
	}
	if err := s.rooms.ProposeReferee(r.Context(), session, seat); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiAnswerProposal agrees to a referee, or refuses (T74).
func (s *Server) apiAnswerProposal(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	var proposal uint32
	var agree bool
	if err := readObject(r, []string{"proposal", "agree"},
		map[string]any{"proposal": &proposal, "agree": &agree}); err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), roleCost); err != nil {
		return err
	}
	if err := s.rooms.AnswerReferee(r.Context(), session, proposal, agree); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiStandUp lets a player watch (T75).
func (s *Server) apiStandUp(w http.ResponseWriter, r *http.Request, session room.Session) error {
	p, err := handsOnLeaving(r.URL.Query())
	if err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), endingCost); err != nil {
		return err
	}
	if err := s.rooms.StandUp(r.Context(), session, p); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiSitDown lets a spectator play who has played before (T75).
func (s *Server) apiSitDown(w http.ResponseWriter, r *http.Request, session room.Session) error {
	if err := s.limits.updates.take(keyOf(session), roleCost); err != nil {
		return err
	}
	if err := s.rooms.SitDown(r.Context(), session, ""); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiPassword sets the password of the table, or removes it (T68).
func (s *Server) apiPassword(w http.ResponseWriter, r *http.Request, session room.Session) error {
	text := ""
	if err := readObject(r, []string{"password"}, map[string]any{"password": &text}); err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), passwordCost); err != nil {
		return err
	}
	if err := s.rooms.SetPassword(r.Context(), session, text); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// passwordCost is how many updates of a seat a new password counts as: its hash is slow to compute.
const passwordCost = 400
