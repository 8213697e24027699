package web_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// held are the objects of a server. They cannot say where they are while unreachable is set. After
// refers references, if that is not 0, none can be made any more.
type held struct {
	people.Objects
	unreachable atomic.Pointer[room.Unreachable]
	refers      atomic.Int64
}

func (h *held) Put(ctx context.Context, owner, oid id.OID) error {
	if h.refers.Load() != 0 && h.refers.Add(-1) == 0 {
		return room.ErrStorage
	}
	return h.Objects.Put(ctx, owner, oid)
}

func (h *held) Where(ctx context.Context, oid id.OID) (id.HostID, error) {
	if a := h.unreachable.Load(); a != nil {
		return id.HostID{}, a
	}
	return h.Objects.Where(ctx, oid)
}

// TestFindingR6WhatIsAnswered asks for a set at a server that waits for another one since a
// restore.
func TestFindingR6WhatIsAnswered(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	away.linkWith(home, everyRight, everyRight)
	ada, at, _ := home.hosted()
	ada.submit("/bag", url.Values{"nick": {"Ada"}, "colour": {"#c0392b"}})
	set := home.carried()
	home.objects.unreachable.Store(&room.Unreachable{
		Reason: table.AwayFrozen, Host: away.links.Self(),
	})
	const why = "it waits for Ben's: it comes back when Ben's answers"
	t.Run("O43.4 the page says for whom it waits, and what ends that", func(t *testing.T) {
		a := ada.submit("/bag", url.Values{"do": {"home"}, "set": {set.String()}})
		if a.StatusCode != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" ||
			!strings.Contains(strings.ToLower(says(a.body)), strings.ToLower(why)) {
			t.Errorf("%s %s %s", a.Status, a.Header, says(a.body))
		}
	})
	t.Run("O43.6 so does the body of the 503", func(t *testing.T) {
		r := ada.request(http.MethodPost, "/api/v1/tables/"+at+"/bag",
			`{"do":"home","set":"`+set.String()+`"}`, nil)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", ada.URL)
		a := ada.do(r, ada.jar)
		var p struct{ Code, Detail string }
		if err := json.Unmarshal([]byte(a.body), &p); err != nil ||
			a.StatusCode != http.StatusServiceUnavailable || p.Code != "away" || p.Detail != why {
			t.Errorf("%s %s %v", a.Status, a.body, err)
		}
	})
	t.Run("O43 so does the operator's log", func(t *testing.T) {
		if l := home.log.String(); !strings.Contains(l, "request turned away") ||
			!strings.Contains(l, why) {
			t.Error(l)
		}
	})
}
