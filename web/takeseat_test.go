package web_test

import (
	"net/http"
	"testing"
)

// An invite link does not name its table. A program that has nothing else takes a seat with it.
func TestSeatWithInviteAlone(t *testing.T) {
	s := newStack(t)
	host := s.open("chess")
	for role, link := range map[string]string{
		"player": host.Invites.Player, "spectator": host.Invites.Spectator,
	} {
		t.Run(role, func(t *testing.T) {
			a := s.post("/api/v1/seats", `{"invite":"`+secretOf(link)+`","nick":"Ben"}`)
			if a.StatusCode != http.StatusCreated {
				t.Fatalf("%s %s", a.Status, a.body)
			}
			var taken seat
			a.json(s, &taken)
			if taken.Table != host.Table || taken.Role != role || taken.Seat == host.Seat {
				t.Errorf("seat %+v, want a %s at the table %s", taken, role, host.Table)
			}
			if a := s.get(taken.api(""), taken.bearer()...); a.StatusCode != http.StatusOK {
				t.Errorf("reading with the token of the seat: %s", a.Status)
			}
		})
	}
}
