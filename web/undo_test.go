package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestUndo shows the routes of undo. Clauses: T63.1, T63.20
func TestUndo(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	ben := s.join(k, k.Invites.Player, "Ben")
	watcher := s.join(k, k.Invites.Spectator, "Dan")
	undo := func(who seat, body string, status int, part string) {
		t.Helper()
		a := s.post(who.api("/undo"), body, append(who.bearer(), "Content-Type", "application/json")...)
		if a.StatusCode != status || !strings.Contains(a.body, part) {
			t.Errorf("%s: %s %s, want %d with %s", body, a.Status, a.body, status, part)
		}
	}
	undo(k, `{"token":"a"}`, http.StatusConflict, `"nothing-to-undo"`)
	undo(watcher, `{"token":"a"}`, http.StatusForbidden, `"role"`)
	undo(k, `{}`, http.StatusUnprocessableEntity, `"impossible-value"`)
	undo(k, fmt.Sprintf(`{"token":"%065d"}`, 1), http.StatusUnprocessableEntity, `"impossible-value"`)
	undo(k, `{"token":7}`, http.StatusBadRequest, `"malformed"`)
	for _, half := range []string{
		`{"token":"a","seq":1}`, `{"token":"a","client":"AQAAAAAAAAAAAAAAAAAAAA"}`,
		`{"token":"a","client":"x","seq":1}`,
	} {
		undo(k, half, http.StatusUnprocessableEntity, `"impossible-value"`)
	}
	undo(k, `{"token":"a","client":"AQAAAAAAAAAAAAAAAAAAAA","seq":1}`, http.StatusConflict,
		`"nothing-to-undo"`)
	undo(ben, `{"withdraw":true}`, http.StatusNotFound, `"not-found"`)
	for _, question := range []string{"7", "x"} {
		a := s.post(ben.api("/undo/"+question), `{"agree":true}`,
			append(ben.bearer(), "Content-Type", "application/json")...)
		if a.StatusCode != http.StatusNotFound {
			t.Errorf("question %s: %s %s", question, a.Status, a.body)
		}
	}
}
