package client

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// canned is a transport that gives every request the same answer and remembers the last request.
type canned struct {
	status int
	header http.Header
	body   string

	asked string // method, path and body
	token string
}

func (c *canned) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	c.asked, c.token = r.Method+" "+r.URL.Path+" "+string(body), r.Header.Get("Authorization")
	return &http.Response{
		StatusCode: c.status, Header: c.header, Body: io.NopCloser(strings.NewReader(c.body)),
		Request: r,
	}, nil
}

func (c *canned) server(t *testing.T) *Server {
	t.Helper()
	s, err := NewServer("http://table.example/holt/", &http.Client{Transport: c})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestServer shows the requests that make a table, take a seat and read a table, and how the
// answers are read.
func TestServer(t *testing.T) {
	t.Run("a table is made", func(t *testing.T) {
		c := &canned{
			status: 201,
			body: `{"table":"ab","seat":1,"token":"T","url":"u","invites":{"player":"P",` +
				`"spectator":"S"},"more":1}`,
		}
		seat, invites, err := c.server(t).CreateTable(t.Context(), "chess", "", Person{Nick: "Ada"})
		if err != nil {
			t.Fatal(err)
		}
		if want := (Seat{Table: "ab", Number: 1, Token: "T"}); seat != want {
			t.Error(cmp.Diff(want, seat))
		}
		if want := (Invites{Player: "P", Spectator: "S"}); invites != want {
			t.Error(cmp.Diff(want, invites))
		}
		if want := `POST /holt/api/v1/tables {"game":"chess","nick":"Ada"}`; c.asked != want {
			t.Errorf("asked %s, want %s", c.asked, want)
		}
	})
	t.Run("a seat is taken by the secret of a link", func(t *testing.T) {
		c := &canned{status: 201, body: `{"table":"ab","seat":2,"role":"player","token":"T"}`}
		seat, err := c.server(t).TakeSeat(t.Context(), "ab", "http://table.example/join/sesame",
			Person{Nick: "Ben", Colour: "#112233"})
		if err != nil || seat != (Seat{Table: "ab", Number: 2, Role: "player", Token: "T"}) {
			t.Fatalf("%+v, %v", seat, err)
		}
		if want := `POST /holt/api/v1/tables/ab/seats {"invite":"sesame","nick":"Ben",` +
			`"colour":"#112233"}`; c.asked != want {
			t.Errorf("asked %s, want %s", c.asked, want)
		}
	})
	t.Run("a table is read", func(t *testing.T) {
		c := &canned{status: 200, body: `{"table":"ab","epoch":9007199254740991,"mark":512,"you":2,
			"info":{"title":"Chess","width":12000,"height":9000,"surface":"felt","catalog":"00ff"},
			"seats":[{"id":1,"nick":"Ada","colour":"#d1495b","role":"host","presence":"here"}],
			"pieces":[{"id":12,"mark":512,"kind":3,"x":-1,"y":2,"angle":90,"face":1,"z":"0.5","zMark":512,
			           "pinned":true,"locked":true,"holder":1,"owner":2,
			           "clock":{"running":2,"since":1780000000123,"left1":299000,"left2":300000,` +
			`"initial":300000,"increment":2000}}]}`}
		v, err := c.server(t).Read(t.Context(), Seat{Table: "ab", Token: "T"})
		if err != nil {
			t.Fatal(err)
		}
		want := View{
			Epoch: 1<<53 - 1, Version: 512, You: 2,
			Info: Info{
				Title: "Chess", Width: 12000, Height: 9000, Surface: "felt", Catalog: "00ff",
			},
			Seats: []SeatInfo{{SeatInfo: table.SeatInfo{
				Seat: 1, Nick: "Ada", Colour: 0xd1495b, Role: table.RoleHost,
			}, Presence: holtpb.Presence_PRESENCE_HERE}},
			Pieces: []table.Shown{{
				Name: 12, Version: 512, Kind: 3, X: -1, Y: 2, Angle: 90, Face: 1, Z: "0.5", ZVersion: 512,
				Pinned: true, Locked: true, Holder: 1, Owner: 2, IsClock: true,
				Clock: table.Clock{
					Left: [2]int32{299_000, 300_000}, Initial: 300_000, Increment: 2000, Running: 2,
					Since: 1_780_000_000_123,
				},
			}},
		}
		if diff := cmp.Diff(want, v); diff != "" {
			t.Error(diff)
		}
		if c.token != "Bearer T" {
			t.Errorf("spoke as %q", c.token)
		}
	})
}

// TestProblems shows how problem documents and other errors are read, and after which of them a
// stream comes back.
func TestProblems(t *testing.T) {
	read := func(t *testing.T, c *canned) *Problem {
		t.Helper()
		_, err := c.server(t).Read(t.Context(), Seat{})
		var p *Problem
		if !errors.As(err, &p) {
			t.Fatalf("%v is not a problem", err)
		}
		return p
	}
	t.Run("T15.1 a problem names the update and the reason", func(t *testing.T) {
		p := read(t, &canned{
			status: 422,
			body: `{"type":"/problems/impossible-value","status":422,"code":"impossible-value",` +
				`"detail":"z","update":3}`,
		})
		if p.Status != 422 || p.Code != "impossible-value" || p.Detail != "z" || p.Update == nil ||
			*p.Update != 3 {
			t.Errorf("%+v", p)
		}
		if want := "422 impossible-value: z (update 3)"; p.Error() != want {
			t.Errorf("%q, want %q", p.Error(), want)
		}
	})
	t.Run("a Retry-After gives the delay, within bounds", func(t *testing.T) {
		for text, want := range map[string]time.Duration{
			"2": 2 * time.Second, "86400": time.Minute, "-1": 0, "soon": 0, "": 0,
		} {
			p := read(t, &canned{
				status: 429, header: http.Header{"Retry-After": {text}},
				body: `{"code":"too-fast"}`,
			})
			if p.RetryAfter != want {
				t.Errorf("Retry-After %q: %v, want %v", text, p.RetryAfter, want)
			}
		}
	})
	t.Run("a proxy's error is a problem too", func(t *testing.T) {
		p := read(t, &canned{status: 502, body: "<h1>no</h1>"})
		if p.Status != 502 || p.Code != "bad-gateway" || !comesBack(p) {
			t.Errorf("%+v", p)
		}
	})
	t.Run("close codes after which a stream comes back", func(t *testing.T) {
		for status, want := range map[int]bool{
			401: false, 403: false, 404: false, 409: false, 429: true, 500: true, 503: true,
		} {
			if got := comesBack(&Problem{Status: status}); got != want {
				t.Errorf("%d: %v, want %v", status, got, want)
			}
		}
	})
}

// TestNewServerRefusesWhatIsNoAddress shows that only http and https addresses with a host are
// accepted.
func TestNewServerRefusesWhatIsNoAddress(t *testing.T) {
	for _, base := range []string{"", "localhost:8080", "ftp://host/", "http://", "http://a b/"} {
		if _, err := NewServer(base, nil); err == nil {
			t.Errorf("%q was taken", base)
		}
	}
}

// TestS6Delays shows that a delay lies between half of its value and all of it (S6).
func TestS6Delays(t *testing.T) {
	for range 1000 {
		if d := drawn(firstDelay); d < firstDelay/2 || d > firstDelay {
			t.Fatalf("drew %v, want between half of %v and all of it", d, firstDelay)
		}
	}
}
