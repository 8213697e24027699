package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/transport/endpoint"
	"holt/web"
)

// endSeat requests the end of a seat: a number or "me".
func (s *stack) endSeat(k seat, which, query string, h ...string) answer {
	s.Helper()
	return s.do(s.request(http.MethodDelete, k.api("/seats/"+which+query), "", h), nil)
}

// mustPutOut makes a host put a seat out.
func (s *stack) mustPutOut(host, who seat, query string) (player, spectator string) {
	s.Helper()
	a := s.endSeat(host, fmt.Sprint(who.Seat), query, host.bearer()...)
	if a.StatusCode != http.StatusOK {
		s.Fatalf("put out: %s %s", a.Status, a.body)
	}
	var links struct{ Player, Spectator string }
	a.json(s, &links)
	return links.Player, links.Spectator
}

// wantShut tries every address that names the table with the token of an ended seat, and the
// tickets that the seat had.
func (s *stack) wantShut(t *testing.T, k seat, tickets ...offer) {
	t.Helper()
	tried := 0
	for _, r := range s.web.TableRoutes() {
		path := strings.NewReplacer("{table}", k.Table, "{seat}", "me").Replace(r[1])
		if r[0] == http.MethodPost && strings.HasSuffix(path, "/seats") {
			continue // it takes an invite and no token
		}
		tried++
		a := s.do(s.request(r[0], path, "", k.bearer()), nil)
		if a.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s %s: %s %s", r[0], r[1], a.Status, a.body)
		}
	}
	if tried < 15 {
		t.Errorf("only %d addresses were tried", tried)
	}
	for i, o := range tickets {
		if _, err := s.dialDatagrams(o, []string{endpoint.QUIC, endpoint.Plain}[i%2],
			"client="+clientID); err == nil || !strings.Contains(err.Error(), "no-seat") {
			t.Errorf("ticket %d: %v", i, err)
		}
	}
}

// wantFarewell reads a stream until it says that the seat has ended, and closes.
func wantFarewell(t *testing.T, frame func() *holtpb.Frame, want holtpb.Farewell, by int) {
	t.Helper()
	for {
		for _, e := range frame().GetEvents() {
			if g := e.GetGoing(); g != nil {
				if !g.GetFinal() || g.GetSeat() != want || g.GetBy() != uint32(by) {
					t.Errorf("got %v", g)
				}
				return
			}
		}
	}
}

func TestFindingS7NoDoorIsLeftOpen(t *testing.T) {
	// The limit of failures must not stop wantShut, which tries every address.
	s := newDatagramStack(t, func(c *web.Config) {
		c.Limits.Failures = web.Rate{PerSecond: 1000, Burst: 1000}
	})
	k := s.open("chess")
	for _, row := range []struct {
		name string
		why  holtpb.Farewell
		end  func(who seat) int // returns the number of the seat that did it
	}{
		{"put out", holtpb.Farewell_FAREWELL_PUT_OUT, func(who seat) int {
			k.Invites.Player, k.Invites.Spectator = s.mustPutOut(k, who, "?hand=stay")
			return k.Seat
		}},
		{"left", holtpb.Farewell_FAREWELL_LEFT, func(who seat) int {
			if a := s.endSeat(who, "me", "",
				who.bearer()...); a.StatusCode != http.StatusNoContent {
				t.Fatalf("leave: %s %s", a.Status, a.body)
			}
			return who.Seat
		}},
		{"logged out", holtpb.Farewell_FAREWELL_LOGGED_OUT, func(who seat) int {
			if a := s.post(who.api("/logout"), "",
				who.bearer()...); a.StatusCode != http.StatusNoContent {
				t.Fatalf("log out: %s %s", a.Status, a.body)
			}
			return who.Seat
		}},
	} {
		// Clauses: T51.3, T52.5
		t.Run("T51 the token of a player who is "+row.name+" is void everywhere", func(t *testing.T) {
			ben := s.join(k, k.Invites.Player, "Ben")
			ws, engine := s.stream(ben, clientID), s.link(ben, "flat")
			quic, err := s.dialDatagrams(s.offer(ben), endpoint.QUIC, "client="+otherClientID)
			s.must(err)
			plain, err := s.dialDatagrams(s.offer(ben), endpoint.Plain,
				"client=AAAAAAAAAAAAAAAAAAAAAQ")
			s.must(err)
			quic.frame()
			plain.frame()
			tickets := []offer{s.offer(ben), s.offer(ben)}
			by := row.end(ben)
			s.wantShut(t, ben, tickets...)
			for _, frame := range []func() *holtpb.Frame{ws.frame, quic.frame, plain.frame} {
				wantFarewell(t, frame, row.why, by)
			}
			if code := ws.closed(); code != int(stream.CodeNoSeat) {
				t.Errorf("the stream closed with %d", code)
			}
			if code := engine.closed(); code != int(stream.CodeNoSeat) {
				t.Errorf("the link closed with %d", code)
			}
			for _, c := range []*dgClient{quic, plain} {
				if err := <-c.ended; int(err.Code) != int(stream.CodeNoSeat) {
					t.Errorf("a stream by datagrams ended: %v", err)
				}
			}
		})
	}
}

func TestEndOfSeats(t *testing.T) {
	t.Run("T51.5 the host gets the new links, and the old ones are void", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		ben := s.join(k, k.Invites.Player, "Ben")
		player, _ := s.mustPutOut(k, ben, "")
		wantProblem(t, "the old link", s.post(k.api("/seats"), `{"invite":"`+
			secretOf(k.Invites.Player)+`","nick":"Ben"}`), http.StatusGone, "renewed-invite")
		again := s.join(k, player, "Ben")
		var view struct {
			Seats []struct {
				ID, Number, Left int
				Nick             string
			}
		}
		s.get(k.api(""), k.bearer()...).json(t, &view)
		if b, err := json.Marshal(view.Seats[1:]); err != nil || string(b) != fmt.Sprintf(
			`[{"ID":%d,"Number":0,"Left":%d,"Nick":"Ben"},{"ID":%d,"Number":2,"Left":0,"Nick":"Ben"}]`,
			ben.Seat, k.Seat, again.Seat) {
			t.Errorf("T53: the seats are %s, %v", b, err)
		}
	})
	t.Run("T51.1, T52.3 an impossible request is a problem", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		ben, eve := s.join(k, k.Invites.Player, "Ben"), s.join(k, k.Invites.Spectator, "Eve")
		for _, row := range []struct {
			what, seat, query string
			by                seat
			status            int
			code              string
		}{
			{"a player", fmt.Sprint(eve.Seat), "", ben, http.StatusForbidden, "role"},
			{"the last host", "me", "", k, http.StatusConflict, "last-host"},
			{"the last host by number", fmt.Sprint(k.Seat), "", k,
				http.StatusConflict, "last-host"},
			{"no seat", "99", "", k, http.StatusNotFound, "not-found"},
			{"no number", "x", "", k, http.StatusNotFound, "not-found"},
			{"an unknown way", "2", "?hand=burn", k, http.StatusUnprocessableEntity,
				"impossible-value"},
			{"to whom", "2", "?hand=give", k, http.StatusUnprocessableEntity, "impossible-value"},
			{"to a spectator", "2", "?hand=give&to=3", k, http.StatusUnprocessableEntity,
				"impossible-value"},
			{"to without give", "2", "?to=3", k, http.StatusUnprocessableEntity,
				"impossible-value"},
		} {
			wantProblem(t, row.what, s.endSeat(row.by, row.seat, row.query, row.by.bearer()...),
				row.status, row.code)
		}
		cookie := "holt_" + k.Table + "=" + ben.Token
		wantProblem(t, "another site", s.endSeat(ben, "me", "", "Cookie", cookie, "Origin",
			"https://evil.example"), http.StatusForbidden, "origin")
		wantProblem(t, "another site", s.post(ben.api("/logout"), "", "Cookie", cookie, "Origin",
			"https://evil.example"), http.StatusForbidden, "origin")
	})
	t.Run("T52 the cookie ends on leave and logout, else at the next visit", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		took := func(a answer) bool {
			return strings.Contains(a.Header.Get("Set-Cookie"),
				"holt_"+k.Table+"=; Path=/; Max-Age=0")
		}
		for name, end := range map[string]func(who seat) answer{
			"leaves": func(who seat) answer { return s.endSeat(who, "me", "", who.bearer()...) },
			"logs out": func(who seat) answer {
				return s.post(who.api("/logout"), "", who.bearer()...)
			},
			"is put out": func(who seat) answer {
				k.Invites.Player, _ = s.mustPutOut(k, who, "")
				return s.get("/t/"+k.Table, "Cookie", "holt_"+k.Table+"="+who.Token)
			},
		} {
			if a := end(s.join(k, k.Invites.Player, "Ben")); !took(a) {
				t.Errorf("a player who %s: %s, Set-Cookie: %q", name, a.Status, a.Header.Get("Set-Cookie"))
			}
		}
	})
	t.Run("one address has a bound of seats per table", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) {
			c.Limits.TableSeats = web.Rate{PerSecond: 0.001, Burst: 3}
		})
		k, other := s.open("chess"), s.open("chess")
		for range 3 {
			s.join(k, k.Invites.Player, "Ben")
		}
		a := s.post(k.api("/seats"), `{"invite":"`+secretOf(k.Invites.Player)+`","nick":"Ben"}`)
		wantProblem(t, "one more", a, http.StatusTooManyRequests, "too-fast")
		s.join(other, other.Invites.Player, "Ben")
	})
}

func TestLinksOfSeats(t *testing.T) {
	// linked requests a link for a seat: a number or "me".
	linked := func(s *stack, by seat, which string) answer {
		s.Helper()
		return s.post(by.api("/seats/"+which+"/link"), "", by.bearer()...)
	}
	// path returns the path of the link in an answer.
	path := func(s *stack, a answer) string {
		s.Helper()
		var made struct {
			URL   string
			Until int64
		}
		if a.StatusCode != http.StatusCreated {
			s.Fatalf("link: %s %s", a.Status, a.body)
		}
		a.json(s, &made)
		i := strings.Index(made.URL, "/seat/")
		if i < 0 || made.Until == 0 {
			s.Fatalf("made %+v", made)
		}
		return made.URL[i:]
	}
	t.Run("T54.7 the link's page sets the seat's cookie and voids the old token", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		ben := s.join(k, k.Invites.Player, "Ben")
		link := path(s, linked(s, ben, "me"))
		for range 2 { // previews of links do not use it up
			if a := s.get(link); a.StatusCode != http.StatusOK || !strings.Contains(a.body,
				"Play as Ben here") || a.Header.Get("Cache-Control") != "no-store" {
				t.Fatalf("the page: %s %s", a.Status, a.body)
			}
		}
		wantProblemPage := func(what string, a answer, status int) {
			if a.StatusCode != status {
				t.Errorf("%s: %s", what, a.Status)
			}
		}
		wantProblemPage("from another site", s.post(link, "", "Origin", "https://evil.example"),
			http.StatusForbidden)
		a := s.post(link, "")
		cookie := "holt_" + k.Table + "="
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/t/"+k.Table ||
			!strings.HasPrefix(a.Header.Get("Set-Cookie"), cookie) {
			t.Fatalf("used: %s to %q, %q", a.Status, a.Header.Get("Location"),
				a.Header.Get("Set-Cookie"))
		}
		s.wantShut(t, ben)
		moved := ben
		moved.Token, _, _ = strings.Cut(strings.TrimPrefix(a.Header.Get("Set-Cookie"), cookie), ";")
		if a := s.get(k.api(""), moved.bearer()...); a.StatusCode != http.StatusOK {
			t.Errorf("the new device: %s", a.Status)
		}
		wantProblemPage("a second time", s.post(link, ""), http.StatusNotFound)
		wantProblemPage("looked at again", s.get(link), http.StatusNotFound)
	})
	t.Run("T54 an impossible request is a problem", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		ben := s.join(k, k.Invites.Player, "Ben")
		wantProblem(t, "a player for the host", linked(s, ben, fmt.Sprint(k.Seat)),
			http.StatusForbidden, "role")
		wantProblem(t, "a seat that is not there", linked(s, k, "99"),
			http.StatusNotFound, "not-found")
		wantProblem(t, "no number", linked(s, k, "x"), http.StatusNotFound, "not-found")
	})
	t.Run("T54 links per seat are bounded, and guesses count as wrong tokens", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) {
			c.Limits.Links, c.Limits.Failures = web.Rate{PerSecond: 0.001, Burst: 3},
				web.Rate{PerSecond: 0.001, Burst: 5}
		})
		k := s.open("chess")
		link := ""
		for range 3 {
			link = path(s, linked(s, k, "me"))
		}
		wantProblem(t, "one more", linked(s, k, "me"), http.StatusTooManyRequests, "too-fast")
		for range 5 {
			if a := s.get("/seat/AAAA"); a.StatusCode != http.StatusNotFound {
				t.Fatalf("a guess: %s", a.Status)
			}
		}
		if a := s.post("/seat/AAAA", ""); a.StatusCode != http.StatusTooManyRequests {
			t.Errorf("one guess more: %s", a.Status)
		}
		if a := s.get(link); a.StatusCode != http.StatusOK {
			t.Errorf("the right link: %s", a.Status)
		}
	})
	t.Run("T55 the table as JSON says who made a link for somebody else", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		ben := s.join(k, k.Invites.Player, "Ben")
		link := path(s, linked(s, k, fmt.Sprint(ben.Seat)))
		if a := s.get(link); !strings.Contains(a.body,
			"Ada made it, and everybody at the table can see that.") {
			t.Errorf("the page: %s", a.body)
		}
		s.post(link, "")
		var view struct {
			Seats []struct {
				LinkBy           int
				LinkAt, LinkUsed int64
			}
		}
		s.get(k.api(""), k.bearer()...).json(t, &view)
		if b := view.Seats[ben.Seat-1]; b.LinkBy != k.Seat || b.LinkAt == 0 ||
			b.LinkUsed < b.LinkAt {
			t.Errorf("the seat is %+v", b)
		}
	})
}
