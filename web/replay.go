package web

import (
	"context"
	"net/http"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/server/tables/wire"
	"holt/templates"
)

// replayCost is how many updates a page of a replay counts as.
const replayCost = 100

// apiReplay answers with a page of the replay of the table, as the view of the seat was sent it
// (T73).
func (s *Server) apiReplay(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	return s.answerReplay(w, r, session, s.rooms.Replay)
}

// apiReplayMotion answers with a page of the motion that was recorded, as the view of the seat was
// sent it (T73.18).
func (s *Server) apiReplayMotion(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	return s.answerReplay(w, r, session, s.rooms.ReplayMotion)
}

// pageOfReplay returns the page of frames after a time.
type pageOfReplay func(
	ctx context.Context, s room.Session, after id.Millis, sight room.Sight,
) (room.ReplayPage, error)

// answerReplay answers with the page that the query asks for.
func (s *Server) answerReplay(
	w http.ResponseWriter, r *http.Request, session room.Session, pageOf pageOfReplay,
) error {
	if err := s.limits.updates.take(keyOf(session), replayCost); err != nil {
		return err
	}
	var after uint64
	if q := r.URL.Query(); q.Has("after") {
		var err error
		if after, err = numberOf(q, "after"); err != nil {
			return err
		}
	}
	sight := room.OwnSight
	switch hands := r.URL.Query().Get("hands"); hands {
	case "open":
		sight = room.OpenHands
	case "":
	default:
		return malformed("hands is open, or is left out")
	}
	page, err := pageOf(r.Context(), session, id.Millis(after), sight)
	if err != nil {
		return err
	}
	body := wire.EncodeReplay(page.Frames, page.Next, page.Dropped)
	noStore(w)
	w.Header().Set("Content-Type", typeComponents)
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // the client may have gone
	return nil
}

// apiOpenHands lets everybody watch the past with the hands of the seat, or not any more (T73).
func (s *Server) apiOpenHands(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	var open bool
	if err := readObject(r, []string{"open"}, map[string]any{"open": &open}); err != nil {
		return err
	}
	if err := s.limits.updates.take(keyOf(session), undoCost); err != nil {
		return err
	}
	if err := s.rooms.OpenHands(r.Context(), session, open); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// getReplay is the page that shows the replay of a table. The client of the table draws it.
func (s *Server) getReplay(
	w http.ResponseWriter, r *http.Request, session room.Session,
) error {
	about, err := s.rooms.About(r.Context(), session.Table)
	if err != nil {
		return err
	}
	head := s.head(templates.Msg("replay.head", "title", about.Title))
	head.Style = s.assets.url("css/table.css")
	scripts, styles := s.preloads(r.Context(), session, about.Catalog)
	supplement := s.supplement(r, session)
	s.page(w, r, http.StatusOK, templates.Table(head, templates.TableView{
		Table:   session.Table.String(),
		Seat:    session.Seat.String(),
		Role:    session.Role.String(),
		Catalog: hashText(about.Catalog),
		Album:   s.art.hasAlbum(about.Catalog),
		API:     "/api/v1/tables/" + session.Table.String(),
		Replay:  "/t/" + session.Table.String(),
		File: templates.ReplayFile{
			Script: s.assets.url(fileScript), Style: s.assets.url(fileStyle),
			Hash: s.assets.hashes[fileScript],
		},
		Script:  s.assets.url(mainScript),
		Scripts: append(scripts, s.assets.url(partScript(partReplay))),
		Styles:  append(styles, s.assets.url(partStyle(partReplay))),
		Assets:  assetsPath,
		Parts:   s.partNames(s.publicOrigin(r)),
		Words:   wordsFor(r, &supplement),
	}))
	return nil
}
