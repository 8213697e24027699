package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"holt/server/play/game"
	"holt/server/tables/room"
)

// What people say of a game that they save of a table (T105 to T107).

// maxSaving bounds the request that saves a game, in bytes: the rules may be escaped.
const maxSaving = 2*game.MaxRulesText + maxSmallBody

// seatJSON is a seat of a game. Hand and Pieces are the names of pieces at the table.
type seatJSON struct {
	Name   string `json:"name"`
	Side   int32  `json:"side"`
	Colour string `json:"colour"`
	Hand   uint32 `json:"hand,omitempty"`
	Pieces []int  `json:"pieces,omitempty"`
}

// readSaving reads how a table is saved as a game.
func readSaving(r *http.Request) (*room.Saving, error) {
	q := &room.Saving{}
	var about, setup json.RawMessage
	var seats *[]json.RawMessage
	if err := readLargeObject(r, maxSaving, []string{"name"}, map[string]any{
		"name": &q.Name, "summary": &q.Summary, "of": &q.Of, "note": &q.Note, "about": &about,
		"seats": &seats, "setup": &setup, "languages": &q.Languages,
	}); err != nil {
		return nil, err
	}
	if q.Note != "" {
		if err := game.CheckName(q.Note, 1, game.MaxSummary); err != nil {
			return nil, newProblem("impossible-value", "note: "+err.Error())
		}
	}
	if about != nil {
		if err := readAboutChange(about, &q.About); err != nil {
			return nil, err
		}
	}
	if setup != nil {
		var players *[]int32
		q.Setup = &game.Setup{}
		err := decodeObject(setup, []string{"name"},
			map[string]any{"name": &q.Setup.Name, "players": &players})
		if err != nil {
			return nil, err
		}
		of, err := rangeOf("players", players)
		if err != nil {
			return nil, err
		}
		if of != nil {
			q.Setup.Players = *of
		}
	}
	if seats == nil {
		return q, nil
	}
	q.Seats = &[]game.Seat{}
	for _, text := range *seats {
		seat, err := readSeat(text)
		if err != nil {
			return nil, err
		}
		*q.Seats = append(*q.Seats, seat)
	}
	return q, nil
}

// readAboutChange reads what somebody changes of what a game says.
func readAboutChange(text []byte, to *room.AboutChange) (err error) {
	var players, minutes *[]int32
	if err := decodeObject(text, nil, map[string]any{
		"players": &players, "minutes": &minutes, "genres": &to.Genres, "rules": &to.Rules,
	}); err != nil {
		return err
	}
	if to.Players, err = rangeOf("players", players); err != nil {
		return err
	}
	to.Minutes, err = rangeOf("minutes", minutes)
	return err
}

// rangeOf returns the least and the most in a list of two numbers; zero for an empty list, nil for
// none.
func rangeOf(field string, pair *[]int32) (*game.Range, error) {
	switch {
	case pair == nil:
		return nil, nil //nolint:nilnil // nothing is said
	case len(*pair) == 0:
		return &game.Range{}, nil
	case len(*pair) != 2 || (*pair)[0] < 1 || (*pair)[0] > (*pair)[1]:
		return nil, newProblem("impossible-value", field+": want the least and the most")
	}
	return &game.Range{Least: (*pair)[0], Most: (*pair)[1]}, nil
}

// readSeat reads a seat of a game.
func readSeat(text []byte) (game.Seat, error) {
	of := seatJSON{}
	if err := decodeObject(text, []string{"name", "side", "colour"}, map[string]any{
		"name": &of.Name, "side": &of.Side, "colour": &of.Colour, "hand": &of.Hand, "pieces": &of.Pieces,
	}); err != nil {
		return game.Seat{}, err
	}
	colour, err := strconv.ParseUint(of.Colour[min(1, len(of.Colour)):], 16, 24)
	if err != nil || fmt.Sprintf("#%06x", colour) != of.Colour {
		return game.Seat{}, newProblem("impossible-value", `colour: want one such as "#1a2b3c"`)
	}
	return game.Seat{
		Name: of.Name, Angle: of.Side, Colour: uint32(colour), Hand: int(of.Hand) - 1, Pieces: of.Pieces,
	}, nil
}

// apiDraftGame says what somebody begins with who saves the game of a table (T105).
func (s *Server) apiDraftGame(w http.ResponseWriter, r *http.Request, session room.Session) error {
	if err := s.limits.updates.take(keyOf(session), listSavesCost); err != nil {
		return err
	}
	draft, err := s.rooms.Draft(r.Context(), session, r.URL.Query().Get("of"))
	if err != nil {
		return err
	}
	type aboutJSON struct {
		Players *[2]int32 `json:"players,omitempty"`
		Minutes *[2]int32 `json:"minutes,omitempty"`
		Genres  []string  `json:"genres,omitempty"`
		Rules   string    `json:"rules,omitempty"`
		// File is the name of rules that are no text.
		File string `json:"file,omitempty"`
	}
	type setupJSON struct {
		Name    string    `json:"name,omitempty"`
		Players *[2]int32 `json:"players,omitempty"`
		Own     bool      `json:"own,omitempty"` // it has pieces of its own
	}
	pairOf := func(of game.Range) *[2]int32 {
		if of.Most == 0 {
			return nil
		}
		return &[2]int32{of.Least, of.Most}
	}
	g := draft.Game
	of := g.About
	answer := struct {
		Name      string      `json:"name"`
		Summary   string      `json:"summary"`
		About     aboutJSON   `json:"about"`
		Seats     []seatJSON  `json:"seats"`
		Setups    []setupJSON `json:"setups"`
		Languages []string    `json:"languages,omitempty"`
	}{
		Name: g.Name, Summary: g.Summary, Seats: []seatJSON{},
		About: aboutJSON{Players: pairOf(of.Players), Minutes: pairOf(of.Minutes), Genres: of.Genres},
	}
	if answer.About.Rules = string(of.Rules.Data); of.Rules.Name != game.RulesText {
		answer.About.Rules, answer.About.File = "", of.Rules.Name
	}
	for _, seat := range draft.Seats {
		answer.Seats = append(answer.Seats, seatJSON{
			Name: seat.Name, Side: seat.Angle, Colour: fmt.Sprintf("#%06x", seat.Colour),
			Hand: uint32(seat.Hand + 1), Pieces: seat.Pieces, //nolint:gosec // a name of a piece
		})
	}
	for i, setup := range g.AllSetups() {
		players := setup.Players
		if i == 0 {
			players = g.FirstPlayers()
		}
		answer.Setups = append(answer.Setups,
			setupJSON{Name: setup.Name, Players: pairOf(players), Own: setup.Pieces != nil})
	}
	for _, l := range g.Languages {
		answer.Languages = append(answer.Languages, l.Tag)
	}
	noStore(w)
	return writeJSON(w, http.StatusOK, answer)
}
