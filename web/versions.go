package web

import (
	"net/http"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/library"
	"holt/templates"
)

// Versions of games in a library (T107).

// versionJSON is a version of a game.
type versionJSON struct {
	Game    string    `json:"game"`
	Name    string    `json:"name"`
	Summary string    `json:"summary"`
	File    string    `json:"file"`
	Bytes   int64     `json:"bytes"`
	Saved   id.Millis `json:"saved"`
	By      string    `json:"by,omitempty"`
	Note    string    `json:"note,omitempty"`
}

// apiVersions lists the versions of a game in the library of the request, the newest first.
func (s *Server) apiVersions(w http.ResponseWriter, r *http.Request) error {
	own, g, err := s.ownGame(r)
	if err != nil {
		return err
	}
	all, err := s.library.Versions(r.Context(), own, g)
	if err != nil {
		return orNoGame(err)
	}
	list := make([]versionJSON, len(all))
	for i := range all {
		a := &all[i]
		of := jsonOf(a)
		list[i] = versionJSON{
			Game: of.Game, Name: of.Name, Summary: of.Summary, File: of.File, Bytes: of.Bytes,
			Saved: a.Added, By: a.Who, Note: a.Note,
		}
	}
	noStore(w)
	return writeJSON(w, http.StatusOK, map[string]any{"versions": list})
}

// apiBringBack makes a version of a game the newest one in the library of the request.
func (s *Server) apiBringBack(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r, false); err != nil {
		return err
	}
	own, g, err := s.ownGame(r)
	if err != nil {
		return err
	}
	if err := s.library.BringBack(r.Context(), own, g); err != nil {
		return orNoGame(err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// versionsFor returns the versions of a game for the front page; nil if there is only one. It puts
// the version for which the address asks in the place of the newest one.
func (s *Server) versionsFor(
	r *http.Request, own library.Secret, newest *library.About,
) (views []templates.VersionView) {
	if newest.Versions < 2 {
		return nil
	}
	all, err := s.library.Versions(r.Context(), own, newest.Game)
	if err != nil {
		s.log.Warn("the versions of a game cannot be listed", "error", err)
	}
	wanted := r.URL.Query().Get("game")
	if wanted == "" {
		wanted = r.PostFormValue("game") // the form that is shown again
	}
	for i := range all {
		a := &all[i]
		when := time.UnixMilli(int64(a.Added)).UTC().Format("2006-01-02 15:04 UTC")
		if a.Who != "" {
			when = templates.Msg("home.versions.by", "time", when, "who", a.Who)
		}
		identity := hashText(a.Game)
		views = append(views, templates.VersionView{
			ID: identity, File: jsonOf(a).File, When: when, Note: a.Note,
		})
		if identity == wanted {
			*newest = *a
		}
	}
	return views
}

// apiTexts answers with the texts of a game, to be translated (T105).
func (s *Server) apiTexts(w http.ResponseWriter, r *http.Request) error {
	g, err := s.gameIn(r)
	if err != nil {
		return err
	}
	if err := s.limits.uploads.take(addressOf(r), 1); err != nil {
		return err
	}
	tag := r.URL.Query().Get("tag")
	if err := game.CheckTag(tag); err != nil {
		return newProblem("impossible-value", "tag: "+err.Error())
	}
	name, table, err := s.library.Translation(r.Context(), g, tag)
	if err != nil {
		return orNoGame(err)
	}
	h := w.Header()
	h.Set("Content-Disposition", `attachment; filename="`+name+"-"+tag+`.csv"`) // a slug and a tag
	h.Set("Content-Type", "text/csv; charset=utf-8")
	_, _ = w.Write(table) //nolint:gosec // no HTML, and nosniff; the client may have gone
	return nil
}
