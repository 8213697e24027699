// Package client is a client of Holt's protocol: the base for bots, tools and measurements. It
// takes seats over HTTP (Server). A Client is one life of a program at a table: it holds the view,
// numbers and tags updates, sends them again after failures, and keeps a stream open across broken
// networks and restarts.
//
// It decides nothing about the game and draws nothing. It implements docs/protocol alone: it was
// written from those documents and does not depend on how the server works.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"holt/server/id"
	"holt/server/proto/holtpb"
)

// Bounds on what the client reads from a server, so that a broken one cannot use up all memory.
const (
	maxAnswer  = 64 << 20
	maxProblem = 64 << 10
)

// Server is the HTTP interface of a Holt server (http.md). It is safe for concurrent use.
type Server struct {
	// Set at construction.
	base *url.URL
	http *http.Client
}

// NewServer returns the server at base, such as "https://table.example.org/". Requests use hc, and
// WebSockets use its transport. A nil hc means http.DefaultClient. It fails if base is not an http
// or https URL.
func NewServer(base string, hc *http.Client) (*Server, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("address of the server: %w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("address of the server: %q is not an http or https URL", base)
	}
	if hc == nil {
		hc = http.DefaultClient
	}
	return &Server{base: u, http: hc}, nil
}

// Person is how somebody wants to appear. Colour is "#rrggbb"; if it is empty, the server chooses
// one.
type Person struct {
	Nick   string `json:"nick"`
	Colour string `json:"colour,omitempty"`
}

// Seat is a seat at a table, and the secret that gives access to it.
type Seat struct {
	Table  string  `json:"table"`
	Number id.Seat `json:"seat"`
	Role   string  `json:"role"` // empty for the host who created the table
	Token  string  `json:"token"`
}

// Invites are the links with which others can join a table.
type Invites struct {
	Player    string `json:"player"`
	Spectator string `json:"spectator"`
}

// CreateTable creates a table with a game of the shelf, and returns its host's seat and its
// invites. Title may be empty.
func (s *Server) CreateTable(
	ctx context.Context, game, title string, host Person,
) (Seat, Invites, error) {
	ask := struct {
		Game  string `json:"game"`
		Title string `json:"title,omitempty"`
		Person
	}{game, title, host}
	var made struct {
		Seat
		URL     string  `json:"url"`
		Invites Invites `json:"invites"`
	}
	if err := s.call(ctx, http.MethodPost, "api/v1/tables", "", ask, &made); err != nil {
		return Seat{}, Invites{}, fmt.Errorf("create table: %w", err)
	}
	return made.Seat, made.Invites, nil
}

// TakeSeat takes a seat with an invite: its link, or only the secret at the end of the link.
func (s *Server) TakeSeat(ctx context.Context, table, invite string, p Person) (Seat, error) {
	ask := struct {
		Invite string `json:"invite"`
		Person
	}{invite[strings.LastIndexByte(invite, '/')+1:], p}
	var taken Seat
	if err := s.call(
		ctx, http.MethodPost, "api/v1/tables/"+table+"/seats", "", ask, &taken,
	); err != nil {
		return Seat{}, fmt.Errorf("take seat: %w", err)
	}
	return taken, nil
}

// Read returns the view of a seat, from GET /api/v1/tables/{table}.
func (s *Server) Read(ctx context.Context, seat Seat) (View, error) {
	var doc Document
	if err := s.call(
		ctx, http.MethodGet, "api/v1/tables/"+seat.Table, seat.Token, nil, &doc,
	); err != nil {
		return View{}, fmt.Errorf("read table: %w", err)
	}
	return doc.view()
}

// Blob returns art or a catalogue by its hash, in hexadecimal.
func (s *Server) Blob(ctx context.Context, hash string) ([]byte, error) {
	r, err := s.request(ctx, http.MethodGet, "art/"+hash, "", nil)
	if err != nil {
		return nil, fmt.Errorf("read blob: %w", err)
	}
	b, err := s.do(r)
	if err != nil {
		return nil, fmt.Errorf("read blob: %w", err)
	}
	return b, nil
}

// call sends ask as JSON, if it is not nil, and decodes the answer into answer. It ignores unknown
// fields, which a newer server may send.
func (s *Server) call(ctx context.Context, method, path, token string, ask, answer any) error {
	var body []byte
	if ask != nil {
		var err error
		if body, err = json.Marshal(ask); err != nil {
			return err
		}
	}
	r, err := s.request(ctx, method, path, token, body)
	if err != nil {
		return err
	}
	b, err := s.do(r)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, answer); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	return nil
}

func (s *Server) request(
	ctx context.Context, method, path, token string, body []byte,
) (*http.Request, error) {
	r, err := http.NewRequestWithContext(
		ctx, method, s.base.JoinPath(path).String(), bytes.NewReader(body),
	)
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r, nil
}

// do returns the body of a 2xx answer. For any other status the error is a *Problem.
func (s *Server) do(r *http.Request) ([]byte, error) {
	answer, err := s.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return nil, readProblem(answer)
	}
	b, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err == nil && len(b) > maxAnswer {
		err = errors.New("the answer is too large")
	}
	return b, err
}

// Problem is an answer of the server with a status other than 2xx (RFC 9457, http.md).
type Problem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	// Update is the index of the invalid update in the batch, nil if there is none (T15).
	Update *int `json:"update"`
	// RetryAfter is how long the server asks to wait, at most 1 min. It is 0 if the server does not
	// say.
	RetryAfter time.Duration `json:"-"`
}

func (p *Problem) Error() string {
	text := fmt.Sprintf("%d %s", p.Status, p.Code)
	if p.Detail != "" {
		text += ": " + p.Detail
	}
	if p.Update != nil {
		text += fmt.Sprintf(" (update %d)", *p.Update)
	}
	return text
}

// seatIsGone reports whether the server no longer knows the seat or its table, or the table was
// deleted (T42).
func (p *Problem) seatIsGone() bool {
	return p.Status == http.StatusUnauthorized || p.Status == http.StatusNotFound ||
		p.Status == http.StatusGone
}

// longestRetryAfter bounds how long a server can make a client wait.
const longestRetryAfter = time.Minute

// problemIn reads an answer that came on the stream (D40).
func problemIn(a *holtpb.Answer) *Problem {
	p := &Problem{}
	if json.Unmarshal([]byte(a.GetProblem()), p) != nil {
		p = &Problem{}
	}
	p.Status = int(a.GetStatus())
	p.RetryAfter = min(time.Duration(a.GetRetryAfter())*time.Second, longestRetryAfter)
	return p
}

// readProblem reads an answer that is not 2xx. If a proxy made the answer, there may be only a
// status.
func readProblem(answer *http.Response) error {
	p := &Problem{}
	b, err := io.ReadAll(io.LimitReader(answer.Body, maxProblem))
	if err != nil || json.Unmarshal(b, p) != nil {
		p = &Problem{}
	}
	p.Status = answer.StatusCode
	if p.Code == "" {
		p.Code = strings.ToLower(strings.ReplaceAll(http.StatusText(p.Status), " ", "-"))
	}
	if wait, err := time.ParseDuration(
		answer.Header.Get("Retry-After") + "s",
	); err == nil && wait > 0 {
		p.RetryAfter = min(wait, longestRetryAfter)
	}
	return p
}
