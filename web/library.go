package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"holt/server/play/game"
	"holt/server/tables/library"
	"holt/server/tables/room"
	"holt/templates"
)

// Games that people bring (G11). A secret names the library of a browser or a program: browsers
// have it in a cookie, programs send it in a header.

const (
	libraryCookie = "holt_games"
	libraryHeader = "Holt-Library"
)

// Bounds of uploads, and of files that are fetched. One of the greatest size has that time.
const (
	uploadsAtOnce = 4 // of all addresses together; one from each
	uploadTimeout = 5 * time.Minute
)

// PreviewJSON draws a game from afar, for what a library keeps of it.
func PreviewJSON(g *game.Game) []byte {
	b, err := json.Marshal(preview(g))
	if err != nil {
		return nil // numbers and texts can always be encoded
	}
	return b
}

// uploads counts the files that are coming, or those that are being sent.
type uploads struct {
	mu sync.Mutex
	// Guarded by mu.
	from map[netip.Addr]bool
}

// begin admits an upload. The caller calls end when it is over.
func (u *uploads) begin(address netip.Addr) (end func(), ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.from[address] || len(u.from) >= uploadsAtOnce {
		return nil, false
	}
	u.from[address] = true
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.from, address)
	}, true
}

// libraryOf returns the secret of the library of a request, and false if it has none.
func libraryOf(r *http.Request) (s library.Secret, ok bool) {
	text, _ := cookieOf(r, libraryCookie)
	if given := r.Header.Get(libraryHeader); given != "" {
		text = given
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) != len(s) {
		return s, false
	}
	return library.Secret(b), true
}

// written returns a secret as libraryOf reads it.
func written(s library.Secret) string { return base64.RawURLEncoding.EncodeToString(s[:]) }

// gameJSON says what a game in a library is.
type gameJSON struct {
	Game        string    `json:"game"`
	Name        string    `json:"name"`
	Summary     string    `json:"summary"`
	Players     *[2]int32 `json:"players,omitempty"`
	Minutes     *[2]int32 `json:"minutes,omitempty"`
	Genres      []string  `json:"genres,omitempty"`
	Age         int32     `json:"age,omitempty"`
	Languages   []string  `json:"languages,omitempty"`
	Licence     string    `json:"licence,omitempty"`
	Attribution string    `json:"attribution,omitempty"`
	Authors     []string  `json:"authors,omitempty"`
	Bytes       int64     `json:"bytes"`
	Rules       string    `json:"rules,omitempty"`    // where they are
	Versions    int       `json:"versions,omitempty"` // how many there are, as listed
	File        string    `json:"file"`               // where it is
	// Library is the secret of a library that was just made.
	Library string `json:"library,omitempty"`
}

func jsonOf(a *library.About) gameJSON {
	g := gameJSON{
		Game: hashText(a.Game), Name: a.Name, Summary: a.Summary, Genres: a.Genres, Age: a.Age,
		Languages: a.Languages,
		Licence:   a.Licence, Attribution: a.Attribution, Authors: a.Authors, Bytes: a.Bytes,
	}
	g.File = "/api/v1/games/" + g.Game + "/file"
	if a.Rules != "" {
		g.Rules = "/api/v1/games/" + g.Game + "/rules"
	}
	if a.Players[1] > 0 {
		g.Players = &a.Players
	}
	if a.Minutes[1] > 0 {
		g.Minutes = &a.Minutes
	}
	return g
}

// apiGames lists the games of the shelf, and those in the library of the request.
func (s *Server) apiGames(w http.ResponseWriter, r *http.Request) error {
	answer := map[string]any{"games": s.games}
	if own, ok := libraryOf(r); ok && s.library != nil {
		all, err := s.library.List(r.Context(), own)
		if err != nil {
			return err
		}
		list := make([]gameJSON, len(all))
		for i := range all {
			list[i] = jsonOf(&all[i])
			list[i].Versions = all[i].Versions
		}
		answer["own"] = list
		noStore(w)
	}
	return writeJSON(w, http.StatusOK, answer)
}

// apiBringGame keeps a game in the library of the request, which gets one if it has none.
func (s *Server) apiBringGame(w http.ResponseWriter, r *http.Request) error {
	if err := s.admitUpload(r); err != nil {
		return err
	}
	if err := checkGameType(r); err != nil {
		return err
	}
	if r.ContentLength > game.MaxPacked {
		return &http.MaxBytesError{Limit: game.MaxPacked}
	}
	end, err := s.beginUpload(w, r)
	if err != nil {
		return err
	}
	defer end()
	file, err := readUpload(r)
	if err != nil {
		return err
	}
	type about = library.About
	return s.keepGame(w, r, func(ctx context.Context, own library.Secret) (about, bool, error) {
		return s.library.Keep(ctx, own, file)
	})
}

// beginUpload admits a game that comes to this server, and gives the request time for that. The
// caller calls end when it is over.
func (s *Server) beginUpload(w http.ResponseWriter, r *http.Request) (end func(), err error) {
	if err := s.limits.uploads.take(addressOf(r), 1); err != nil {
		return nil, err
	}
	return s.receiveFile(w, r)
}

// keepGame keeps a game in the library of the request, which gets one if it has none, and answers.
func (s *Server) keepGame(
	w http.ResponseWriter, r *http.Request,
	keep func(context.Context, library.Secret) (about library.About, added bool, err error),
) error {
	own, known := libraryOf(r)
	if !known {
		if r.Header.Get(libraryHeader) != "" {
			return malformed("the header " + libraryHeader + " is not the secret of a library")
		}
		if _, err := rand.Read(own[:]); err != nil {
			return fmt.Errorf("make a library: %w", err)
		}
	}
	about, added, err := keep(r.Context(), own)
	if err != nil {
		return err
	}
	answer := jsonOf(&about)
	if !known {
		answer.Library = written(own)
	}
	s.setCookie(w, r, libraryCookie, written(own), cookieAge)
	noStore(w)
	w.Header().Set("Location", "/api/v1/games/"+answer.Game)
	status := http.StatusOK
	if added {
		status = http.StatusCreated
	}
	return writeJSON(w, status, answer)
}

// admitUpload returns why a request may not bring a game.
func (s *Server) admitUpload(r *http.Request) error {
	if err := s.checkOrigin(r, false); err != nil {
		return err
	}
	if err := s.mayCreate(r); err != nil {
		return err
	}
	if s.library == nil || !s.bringing {
		return newProblem("upload", "who runs this server lets nobody bring games")
	}
	return nil
}

// checkGameType returns an error unless the body says that it is a packed game.
func checkGameType(r *http.Request) error {
	got, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch strings.TrimSpace(strings.ToLower(got)) {
	case "application/zip", "application/octet-stream":
		return nil
	}
	return newProblem("content-type", "the body has to be a packed game, as application/zip")
}

// readUpload reads the body, which has at most game.MaxPacked bytes.
func readUpload(r *http.Request) ([]byte, error) {
	var file bytes.Buffer
	file.Grow(int(max(0, min(r.ContentLength, game.MaxPacked))) + bytes.MinRead)
	n, err := file.ReadFrom(io.LimitReader(r.Body, game.MaxPacked+1))
	switch {
	case err != nil:
		return nil, malformed("the body broke off")
	case n > game.MaxPacked:
		return nil, &http.MaxBytesError{Limit: game.MaxPacked}
	case n == 0:
		return nil, malformed("the body is empty")
	}
	return file.Bytes(), nil
}

// apiForgetGame takes a game out of the library of the request.
func (s *Server) apiForgetGame(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r, false); err != nil {
		return err
	}
	own, g, err := s.ownGame(r)
	if err != nil {
		return err
	}
	was, err := s.library.Forget(r.Context(), own, g)
	if err != nil {
		return err
	}
	if !was {
		return noSuchGame()
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// apiGame says what a game is that somebody has brought. Whoever knows its identity may know that.
func (s *Server) apiGame(w http.ResponseWriter, r *http.Request) error {
	g, err := s.gameIn(r)
	if err != nil {
		return err
	}
	about, err := s.library.About(r.Context(), g)
	if err != nil {
		return orNoGame(err)
	}
	return writeJSON(w, http.StatusOK, jsonOf(&about))
}

// apiGameFile answers with a game as one file.
func (s *Server) apiGameFile(w http.ResponseWriter, r *http.Request) error {
	g, err := s.gameIn(r)
	if err != nil {
		return err
	}
	if err := s.limits.uploads.take(addressOf(r), 1); err != nil {
		return err
	}
	if err := s.checkMemory(seatsMemoryLimit); err != nil {
		return err
	}
	end, ok := s.fetches.begin(addressOf(r)) // the whole file is in memory until it has been sent
	if !ok {
		return &problem{
			Code: "busy", Detail: "other files are being sent at the moment", After: 10 * time.Second,
		}
	}
	defer end()
	// A recorder in tests has no deadline.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(uploadTimeout))
	get, ending := s.library.File, ".holt"
	switch form := r.URL.Query().Get("form"); form {
	case "":
	case "readable":
		get, ending = s.library.Readable, ".zip"
	default:
		return newProblem("impossible-value", "form: want readable, or nothing")
	}
	name, file, err := get(r.Context(), g)
	if err != nil {
		return orNoGame(err)
	}
	h := w.Header()
	h.Set("Content-Disposition", `attachment; filename="`+name+ending+`"`) // a slug
	h.Set("Content-Type", "application/zip")
	_, _ = w.Write(file) // no HTML, and nosniff; the client may have gone
	return nil
}

// apiGameRules answers with the rules of a game: text, or a PDF to be saved.
func (s *Server) apiGameRules(w http.ResponseWriter, r *http.Request) error {
	g, err := s.gameIn(r)
	if err != nil {
		return err
	}
	rules, err := s.library.Rules(r.Context(), g)
	if err != nil {
		return orNoGame(err)
	}
	name := game.RulesText
	if rules.Type == "application/pdf" {
		name = game.RulesPDF
	}
	sendRules(w, name, rules.Data)
	return nil
}

// ownGame returns the library of the request and the game in its path. The problem says that there
// is no such game if there is no library.
func (s *Server) ownGame(r *http.Request) (own library.Secret, g room.Hash, err error) {
	if g, err = s.gameIn(r); err != nil {
		return own, g, err
	}
	own, ok := libraryOf(r)
	if !ok {
		return own, g, noSuchGame()
	}
	return own, g, nil
}

// gameIn reads the identity in the path.
func (s *Server) gameIn(r *http.Request) (g room.Hash, err error) {
	if g, err = game.ParseHash(chi.URLParam(r, "game")); err != nil || s.library == nil {
		return g, noSuchGame()
	}
	return g, nil
}

func noSuchGame() *problem {
	return newProblem("not-found", "there is no such game, or it is not yours")
}

// orNoGame returns the problem of an address that leads to no game.
func orNoGame(err error) error {
	if errors.Is(err, room.ErrNoGame) || errors.Is(err, room.ErrNoBlob) {
		return noSuchGame()
	}
	return err
}

// setupViews returns the set-ups of a game as pages show them in a language, the first one first,
// with their players if their names do not say just that. nil if there is only one.
func setupViews(texts map[string]string, all []library.Setup) []templates.SetupView {
	if len(all) == 1 {
		return nil
	}
	views := make([]templates.SetupView, len(all))
	for i, of := range all {
		name := game.InLanguage(texts, of.Name)
		if name == "" {
			name = templates.Msg("home.setup.first")
		}
		if players := templates.Players(of.Players); of.Players[1] > 0 && name != players {
			name = templates.Msg("home.setup.for", "name", name, "players", players)
		}
		views[i] = templates.SetupView{Name: name, Players: of.Players}
	}
	return views
}

// span returns a range as a pair.
func span(of game.Range) [2]int32 { return [2]int32{of.Least, of.Most} }

// ownGames returns the games in the library of a browser, for the front page.
func (s *Server) ownGames(r *http.Request) (views []templates.GameView) {
	own, ok := libraryOf(r)
	if !ok || s.library == nil {
		return nil
	}
	all, err := s.library.List(r.Context(), own)
	if err != nil {
		s.log.Warn("the games of a browser cannot be listed", "error", err)
	}
	for i := range all {
		versions := s.versionsFor(r, own, &all[i])
		a := &all[i]
		texts := s.textsFor(r, a.Languages, a.Translations())
		setups := a.AllSetups()
		v := templates.GameView{
			ID: hashText(a.Game), Name: game.InLanguage(texts, a.Name),
			Summary: game.InLanguage(texts, a.Summary),
			Own:     true,
			Words:   strings.Join(a.Words, " "),
			Genres:  a.Genres, Fits: fits(a.Players, setups),
			Players: a.Players, Minutes: a.Minutes, Licence: a.Licence,
			Setups: setupViews(texts, setups), Versions: versions,
		}
		if a.Rules != "" {
			v.Rules = jsonOf(a).Rules
		}
		if err := json.Unmarshal(a.Preview, &v.Preview); err != nil {
			v.Preview = templates.Preview{Width: 3, Height: 2} // one of an older version
		}
		views = append(views, v)
	}
	return views
}
