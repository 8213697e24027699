package web

import (
	"net/http"

	"holt/server/id"
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
	g, err := s.gameIn(r)
	if err != nil {
		return err
	}
	own, ok := libraryOf(r)
	if !ok {
		return noSuchGame()
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
	g, err := s.gameIn(r)
	if err != nil {
		return err
	}
	own, ok := libraryOf(r)
	if !ok {
		return noSuchGame()
	}
	if err := s.library.BringBack(r.Context(), own, g); err != nil {
		return orNoGame(err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
