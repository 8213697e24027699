package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"holt/server/play/game"
	"holt/server/tables/library"
	"holt/server/tables/room"
)

// People edit the game of a table (T99 to T101).

// editCost is how many updates of a seat it counts as that somebody may edit: everybody learns of
// it.
const editCost = 20

// apiLetEdit lets the person of a seat edit the game, or not any more (T99).
func (s *Server) apiLetEdit(w http.ResponseWriter, r *http.Request, session room.Session) error {
	seat, err := seatIn(r, session)
	if err != nil {
		return err
	}
	var edits bool
	if err := readObject(r, []string{"edits"}, map[string]any{"edits": &edits}); err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), editCost); err != nil {
		return err
	}
	if err := s.rooms.LetEdit(r.Context(), session, seat, edits); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiAddKinds adds the kinds of a packed game to those of a table (T100).
func (s *Server) apiAddKinds(w http.ResponseWriter, r *http.Request, session room.Session) error {
	if err := checkGameType(r); err != nil {
		return err
	}
	if r.ContentLength > game.MaxPacked {
		return &http.MaxBytesError{Limit: game.MaxPacked}
	}
	c, err := changedKinds(r.URL.Query())
	if err != nil {
		return err
	}
	if _, err := s.rooms.BaseOf(r.Context(), session); err != nil {
		return err
	}
	if err := s.limits.kinds.take(keyOf(session), 1); err != nil {
		return err
	}
	end, err := s.receiveFile(w, r)
	if err != nil {
		return err
	}
	defer end()
	file, err := readUpload(r)
	if err != nil {
		return err
	}
	return s.addKinds(w, r, session, file, c)
}

// changedKinds returns which kinds are to change (T104): change has their numbers, with commas
// between, and was the hash of the catalogue of which they were thought to be.
func changedKinds(q url.Values) (c room.ChangedKinds, err error) {
	if q.Has("change") {
		for _, text := range strings.Split(q.Get("change"), ",") {
			n, err := strconv.ParseUint(text, 10, 32)
			if err != nil || len(c.Numbers) == game.MaxKinds {
				return c, newProblem("impossible-value", "change is no list of kinds")
			}
			c.Numbers = append(c.Numbers, uint32(n))
		}
	}
	if q.Has("was") {
		hash, err := game.ParseHash(q.Get("was"))
		if err != nil {
			return c, newProblem("impossible-value", "was is no hash of a catalogue")
		}
		was := room.Hash(hash)
		c.Was = &was
	}
	return c, nil
}

// apiSaveGame keeps the game of a table as the table lies (T102).
func (s *Server) apiSaveGame(w http.ResponseWriter, r *http.Request, session room.Session) error {
	q, err := readSaving(r)
	if err != nil {
		return err
	}
	if err := s.admitUpload(r); err != nil {
		return err
	}
	if err := s.limits.kinds.take(keyOf(session), 1); err != nil {
		return err
	}
	if err := s.checkMemory(seatsMemoryLimit); err != nil {
		return err
	}
	type about = library.About
	return s.keepGame(w, r, func(ctx context.Context, own library.Secret) (about, bool, error) {
		saved, err := s.rooms.SaveGame(ctx, session, q)
		if err != nil {
			return about{}, false, err
		}
		v := library.Version{Who: saved.Who, Note: q.Note}
		if v.Of, err = game.ParseHash(q.Of); err != nil {
			v.Of = room.Hash{} // it follows no game that somebody has brought
		}
		return s.library.KeepVersion(ctx, own, saved.Packed, v)
	})
}

// receiveFile admits a file that comes to this server, and gives the request time for that. The
// caller calls end when it is over.
func (s *Server) receiveFile(w http.ResponseWriter, r *http.Request) (end func(), err error) {
	if err := s.checkMemory(seatsMemoryLimit); err != nil {
		return nil, err
	}
	end, ok := s.uploads.begin(addressOf(r))
	if !ok {
		return nil, &problem{
			Code: "busy", Detail: "other files are coming at the moment", After: 10 * time.Second,
		}
	}
	// Without a deadline of its own the file would have that of every request.
	until := time.Now().Add(uploadTimeout)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(until)                     // a recorder in tests has none
	_ = control.SetWriteDeadline(until.Add(answerTimeout)) // as above
	return end, nil
}
