package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"holt/server/components/schema"
	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
)

// What is moved onto a door lies on the other side, without its person (docs/protocol/object.md,
// O52). It comes into the bag of who sends it, and from there to the other table.

type sentJSON struct {
	Title  string `json:"title"`
	Server string `json:"server,omitempty"`
}

// apiSend sends a piece with all that belongs to it through a door.
func (s *Server) apiSend(w http.ResponseWriter, r *http.Request) error {
	session, err := s.doorSession(r)
	if err != nil {
		return err
	}
	name, err := doorPiece(r)
	if err != nil {
		return err
	}
	var piece uint32
	if err := readObject(r, []string{"piece"}, map[string]any{"piece": &piece}); err != nil {
		return err
	}
	data, err := s.rooms.Door(r.Context(), session, name)
	if err != nil {
		return err
	}
	door, ok := s.readDoor(session.Table, data)
	if !ok {
		return newProblem("refused", "This door was made on another server.")
	}
	whose, err := s.rooms.SenderOf(r.Context(), session, id.Piece(piece))
	if err != nil {
		return sendProblem(err)
	}
	own := whose == session.Seat
	at, err := s.visits.PersonAtSeat(r.Context(), room.Session{Table: session.Table, Seat: whose})
	if errors.Is(err, people.ErrNoPerson) && own {
		at, err = s.seatPerson(w, r, session)
	}
	if errors.Is(err, people.ErrNoPerson) {
		return newProblem("refused", "Nobody who has brought that sits at this table. "+
			"Only they can send it through a door.")
	}
	if err != nil {
		return err
	}
	err = s.visits.MaySend(r.Context(), door, at.Person)
	if err != nil {
		s.noteSend(r, session, name, data, err)
		return doorProblem(err)
	}
	// From here on the page may go: what has begun ends.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), sendTimeout)
	defer cancel()
	atHome := at.Person.Creator() == s.visits.Self()
	set, err := s.rooms.TakeToSend(ctx, session, name, id.Piece(piece), whose, atHome)
	if err != nil {
		return sendProblem(err)
	}
	err = s.visits.Send(ctx, session.Table, door, at.Person, set)
	s.noteSend(r.WithContext(ctx), session, name, data, err)
	if err != nil {
		return s.notSent(r, err, own)
	}
	is, err := schema.Decode[componentpb.Door](data)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, sentJSON{is.GetTitle(), is.GetServer()})
}

// sendTimeout bounds how long something may take that goes through a door. With the question before
// it, it is less than answerTimeout.
const sendTimeout = 40 * time.Second

// noteSend shows on a door whether something went through it.
func (s *Server) noteSend(
	r *http.Request, session room.Session, door id.Piece, data []byte, err error,
) {
	if state, known := doorState(err); known {
		s.noteDoor(r, session, door, data, state)
	}
}

// sendProblem says why something was not taken off the table to be sent.
func sendProblem(err error) error {
	var refusal *room.Refusal
	switch {
	case errors.As(err, &refusal):
		return newProblem("refused", whyNotTaken(refusal.Reason))
	case errors.Is(err, room.ErrNotYet):
		return &problem{Code: "away", Detail: people.Sentence(err.Error()), After: retryAfter}
	}
	return doorRefusal(err)
}

// notSent says why something that has left the table is not behind the door, and where it is. own
// says that it belongs to who has sent it.
func (s *Server) notSent(r *http.Request, err error, own bool) error {
	where := " Look for it in your bag."
	if !own {
		where = " It is in the bag of who has brought it."
	}
	if errors.Is(err, people.ErrInDoubt) {
		bag := "your bag"
		if !own {
			bag = "the bag of who has brought it"
		}
		return &problem{Code: "away", After: retryAfter, Detail: "It is not known whether that has " +
			"come through the door. It lies on the table behind it, or is in " + bag + "."}
	}
	p := *s.problemFor(r, doorProblem(err))
	if p.Code != "refused" && p.Code != "away" {
		p = problem{Code: "away", Detail: "That did not work.", After: retryAfter}
	}
	p.Detail = people.Sentence(trimStop(p.Detail)) + where
	return &p
}

func trimStop(text string) string {
	if n := len(text); n > 0 && text[n-1] == '.' {
		return text[:n-1]
	}
	return text
}

// whyNotTaken says why something stays where it is.
func whyNotTaken(why table.Reason) string {
	switch why {
	case table.ReasonNotAllowed:
		return "Only hosts, and whoever has brought it, can send that through a door."
	case table.ReasonHidden:
		return "A piece that lies face down cannot go through a door: nobody knows what it is."
	case table.ReasonHeld:
		return "Somebody else holds that."
	case table.ReasonPinned, table.ReasonLocked:
		return "That is fastened to the table."
	case table.ReasonTableFull:
		return "That is too much for a door."
	case table.ReasonGone:
		return "That is not on the table any more."
	case table.ReasonLogFull, table.ReasonTooMuch:
		return "This table has no space left to note that."
	default:
		return "Not all that belongs to it lies in it, or free and open on the table. " +
			"Call it back, or let others put down what they have of it."
	}
}
