package web_test

import (
	"net/http"
	"testing"

	"holt/web"
)

// TestMemoryIsShort makes the memory of a server short while somebody plays.
func TestMemoryIsShort(t *testing.T) {
	used := 0.0
	s := newStack(t, func(c *web.Config) { c.Memory = func() float64 { return used } })
	ada := s.open("chess")
	turnedAway := func(what string, a answer) {
		t.Helper()
		checkProblem(t, a, http.StatusServiceUnavailable, "busy")
		if a.Header.Get("Retry-After") == "" {
			t.Errorf("%s does not get the time to come back", what)
		}
	}
	used = 0.7
	turnedAway("a new table", s.post("/api/v1/tables", `{"game":"chess"}`))
	turnedAway("a new seat",
		s.post(ada.api("/seats"), `{"invite":"`+secretOf(ada.Invites.Player)+`","nick":"Bob"}`))
	used = 0.9
	turnedAway("a new stream",
		s.get(ada.api("/stream?client=q83vEjRWeJCrze8SNFZ4kA"), append(ada.bearer(),
			"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Protocol", "holt.v1",
			"Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")...))
	if a := s.get(ada.api(""), ada.bearer()...); a.StatusCode != http.StatusOK {
		t.Errorf("a player is answered by %s %s", a.Status, a.body)
	}
	used = 0.1
	if a := s.post("/api/v1/tables", `{"game":"chess"}`); a.StatusCode != http.StatusCreated {
		t.Errorf("with memory again: %s %s", a.Status, a.body)
	}
}
