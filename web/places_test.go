package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

var placePattern = regexp.MustCompile(`<option value="(\d*)"( selected)?>([^<]*)</option>`)

// places returns the choices of places in a form; a star marks the one that is chosen.
func places(page string) (all []string) {
	for _, m := range placePattern.FindAllStringSubmatch(page, -1) {
		name := m[1] + " " + m[3]
		if m[2] != "" {
			name = "*" + name
		}
		all = append(all, name)
	}
	return all
}

// TestT98JoinForm shows how people choose a place on the page of an invite, and that they are let
// in when somebody else was faster.
// Clauses: T98.2, T98.3
func TestT98JoinForm(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	play, watch := "/join/"+secretOf(k.Invites.Player), "/join/"+secretOf(k.Invites.Spectator)
	ben, cara, dan := s.browser(), s.browser(), s.browser()
	for _, who := range []*browser{ben, cara} {
		if got := places(who.get(play).body); !reflect.DeepEqual(
			got, []string{" Any free place", "2 Black"}) {
			t.Errorf("T98.3 the places to choose are %q", got)
		}
	}
	if got := places(dan.get(watch).body); got != nil {
		t.Errorf("T98.3 who watches may choose %q", got)
	}
	if a := dan.get(play + "x"); a.StatusCode != http.StatusNotFound ||
		strings.Contains(a.body, "Black") {
		t.Errorf("T98.3 without an invite: %s %s", a.Status, a.body)
	}
	wrong := ben.submit(play, url.Values{"nick": {""}, "side": {"2"}})
	if got := places(wrong.body); wrong.StatusCode != http.StatusUnprocessableEntity ||
		!reflect.DeepEqual(got, []string{" Any free place", "*2 Black"}) {
		t.Errorf("the form with a mistake has the places %q: %s", got, wrong.Status)
	}
	for _, row := range []struct {
		who    *browser
		missed bool
	}{{ben, false}, {cara, true}} {
		a := row.who.submit(play, url.Values{"nick": {"Ben"}, "side": {"2"}})
		if a.StatusCode != http.StatusSeeOther {
			t.Fatalf("T98.2 the seat is refused: %s %s", a.Status, a.body)
		}
		page := row.who.get(a.Header.Get("Location"))
		if strings.Contains(page.body, `data-missed="2"`) != row.missed {
			t.Errorf("T98.2 the page says of a place that was taken: %v", !row.missed)
		}
		page = row.who.get(a.Header.Get("Location"))
		if strings.Contains(page.body, "data-missed") {
			t.Error("the page says it twice")
		}
	}
	if got := places(dan.get(play).body); got != nil {
		t.Errorf("no place is free, and the page offers %q", got)
	}
	for _, side := range []string{"-1", "9", "north"} {
		a := s.browser().submit(play, url.Values{"nick": {"Eve"}, "side": {side}})
		if a.StatusCode != http.StatusSeeOther {
			t.Errorf("T98.2 the place %q: %s", side, a.Status)
		}
	}
}

// TestT98SeatOfProgram shows which side a program gets that asks for one.
// Clauses: T98.1, T98.2
func TestT98SeatOfProgram(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	if a := s.post(k.api("/seats/me/side?side=2"), "", k.bearer()...); a.StatusCode !=
		http.StatusNoContent {
		t.Fatalf("Ada takes the other side: %s", a.Status)
	}
	for _, row := range []struct {
		role, link, side string
		got              uint32
	}{
		{"spectator", k.Invites.Spectator, "1", 0},
		{"player", k.Invites.Player, "2", 1},
		{"player", k.Invites.Player, "1", 0},
	} {
		a := s.post("/api/v1/seats",
			`{"invite":"`+secretOf(row.link)+`","nick":"Bot","side":`+row.side+`}`)
		var taken struct{ Side uint32 }
		if a.StatusCode != http.StatusCreated {
			t.Fatalf("T98.2 a %s asks for side %s: %s %s", row.role, row.side, a.Status, a.body)
		}
		a.json(s, &taken)
		if taken.Side != row.got {
			t.Errorf("T98.1 a %s gets side %d, want %d", row.role, taken.Side, row.got)
		}
	}
	a := s.post("/api/v1/seats",
		`{"invite":"`+secretOf(k.Invites.Player)+`","nick":"Bot","side":"Black"}`)
	if a.StatusCode != http.StatusUnprocessableEntity && a.StatusCode != http.StatusBadRequest {
		t.Errorf("a side that is no number: %s", a.Status)
	}
}

// TestT98HostGivesPlace shows which host gives which place to whom, and who learns of it.
// Clauses: T98.4, T98.5, T98.6
func TestT98HostGivesPlace(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	ben := s.join(k, k.Invites.Player, "Ben")
	cara := s.join(k, k.Invites.Player, "Cara")
	watcher := s.join(k, k.Invites.Spectator, "Dan")
	give := func(what string, by, to seat, side string, status int) {
		t.Helper()
		a := s.post(fmt.Sprintf("%s/%d/side?side=%s", k.api("/seats"), to.Seat, side), "",
			by.bearer()...)
		if a.StatusCode != status {
			t.Errorf("%s: %s %s", what, a.Status, a.body)
		}
	}
	want := func(sides ...uint32) {
		t.Helper()
		var doc struct{ Seats []struct{ Side uint32 } }
		s.get(k.api(""), cara.bearer()...).json(s, &doc)
		for i, side := range sides {
			if got := doc.Seats[i].Side; got != side {
				t.Errorf("seat %d has side %d, want %d", i+1, got, side)
			}
		}
	}
	give("T98.5 a place that somebody has", k, cara, "2", http.StatusForbidden)
	give("T98.5 a place that is not there", k, cara, "3", http.StatusForbidden)
	want(1, 2, 0, 0)
	a := s.post(ben.api("/seats/me/stand"), "", ben.bearer()...)
	if a.StatusCode != http.StatusNoContent {
		t.Fatalf("Ben does not stand up: %s %s", a.Status, a.body)
	}
	want(1, 0, 0, 0)
	give("T98.5 who is no host", cara, k, "2", http.StatusForbidden)
	give("T98.5 who watches", k, watcher, "2", http.StatusNotFound)
	give("T98.5 nobody", k, seat{Seat: 9}, "2", http.StatusNotFound)
	a = s.post(k.api(fmt.Sprintf("/seats/%d/role", cara.Seat)), `{"role":"co-host"}`, k.bearer()...)
	if a.StatusCode != http.StatusNoContent {
		t.Fatalf("Cara is no co-host: %s %s", a.Status, a.body)
	}
	give("T98.5 a co-host moves the host", cara, k, "2", http.StatusForbidden)
	want(1, 0, 0, 0)
	give("T98.4 the host moves the co-host", k, cara, "2", http.StatusNoContent)
	want(1, 0, 2, 0)
	give("the own number is the own seat", k, k, "2", http.StatusNoContent)
	want(2, 0, 1, 0)
	var doc struct {
		Entries []struct {
			Seat *struct{ ID, Side, PlacedBy uint32 }
		}
	}
	s.get(k.api("/log"), watcher.bearer()...).json(s, &doc)
	given := 0
	for _, e := range doc.Entries {
		if e.Seat != nil && e.Seat.PlacedBy == uint32(k.Seat) && e.Seat.Side == 2 {
			given++
		}
	}
	if given != 1 {
		t.Errorf("T98.6 the log says %d times who gave the place", given)
	}
}
