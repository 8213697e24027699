package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// Join takes a seat by an invite link alone, which does not name its table. It posts the form
// behind the link, as a browser does (http.md). The seat that it returns has neither number nor
// role: the stream says them.
func (s *Server) Join(ctx context.Context, invite string, p Person) (Seat, error) {
	form := url.Values{"nick": {p.Nick}}
	if p.Colour != "" {
		form.Set("colour", p.Colour)
	}
	to := s.base.JoinPath("join", path.Base(invite))
	r, err := http.NewRequestWithContext(
		ctx, http.MethodPost, to.String(), strings.NewReader(form.Encode()),
	)
	if err != nil {
		return Seat{}, fmt.Errorf("take seat: %w", err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	direct := *s.http
	direct.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	answer, err := direct.Do(r)
	if err != nil {
		return Seat{}, fmt.Errorf("take seat: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		return Seat{}, fmt.Errorf("take seat: %w", readProblem(answer))
	}
	// Reading to the end lets the connection be reused.
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, maxProblem))
	return seatIn(answer)
}

// seatCookie begins the name of the cookie that holds the seat token. The table's identifier
// follows.
const seatCookie = "holt_"

// seatIn returns the seat to which an answer redirects.
func seatIn(answer *http.Response) (Seat, error) {
	to, err := answer.Location()
	if err != nil {
		return Seat{}, fmt.Errorf("take seat: %w", err)
	}
	table := path.Base(to.Path)
	for _, c := range answer.Cookies() {
		if c.Name == seatCookie+table && c.Value != "" {
			return Seat{Table: table, Token: c.Value}, nil
		}
	}
	return Seat{}, errors.New("take seat: the server has not given one")
}
