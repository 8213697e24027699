package web_test

import (
	"encoding/json"
	"net/http"
	"testing"
)

func TestT48DropHistory(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	friend := s.join(k, k.Invites.Player, "Ben")
	drop := func(h ...string) answer { return s.do(s.request(http.MethodDelete, k.api("/history"), "", h), nil) }
	wantProblem(t, "a player", drop(friend.bearer()...), http.StatusForbidden, "role")
	wantProblem(t, "another site", drop("Cookie", "holt_"+k.Table+"="+k.Token, "Origin", "https://evil.example"), http.StatusForbidden, "origin")
	if a := drop(k.bearer()...); a.StatusCode != http.StatusNoContent || a.body != "" {
		t.Fatalf("%s %s", a.Status, a.body)
	}
	var e struct{ Dropped int }
	if a := s.get(k.api("/fairness"), friend.bearer()...); json.Unmarshal([]byte(a.body), &e) != nil || e.Dropped != 1 {
		t.Errorf("the export is %s %.200s", a.Status, a.body)
	}
	if a := s.get(k.api(""), friend.bearer()...); a.StatusCode != http.StatusOK {
		t.Errorf("the table is %s", a.Status)
	}
}
