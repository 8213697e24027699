package web_test

import (
	"net/http"
	"testing"
)

// TestT61TakeSide shows how players of chess swap their sides, and who may not.
// Clauses: T61.1, T61.3, T61.4
func TestT61TakeSide(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	ben := s.join(k, k.Invites.Player, "Ben")
	cara := s.join(k, k.Invites.Player, "Cara")
	watcher := s.join(k, k.Invites.Spectator, "Dan")
	want := func(what string, sides ...uint32) {
		t.Helper()
		var doc struct {
			Seats []struct{ Side uint32 }
		}
		s.get(k.api(""), k.bearer()...).json(s, &doc)
		for i, side := range sides {
			if got := doc.Seats[i].Side; got != side {
				t.Errorf("%s: seat %d has side %d, want %d", what, i+1, got, side)
			}
		}
	}
	take := func(who seat, side string, status int) {
		t.Helper()
		a := s.post(who.api("/seats/me/side?side="+side), "", who.bearer()...)
		if a.StatusCode != status {
			t.Errorf("%s takes side %s: %s %s", who.Token, side, a.Status, a.body)
		}
	}
	want("T61.1 the second player sits opposite", 1, 2, 0, 0)
	take(ben, "1", http.StatusNoContent)
	want("T61.3 they have swapped", 2, 1, 0, 0)
	// T61.4
	take(watcher, "1", http.StatusForbidden)
	take(cara, "1", http.StatusForbidden)
	take(ben, "3", http.StatusForbidden)
	for _, impossible := range []string{"0", "-1", "white", ""} {
		take(ben, impossible, http.StatusUnprocessableEntity)
	}
	want("T61.4 nothing has changed", 2, 1, 0, 0)
}
