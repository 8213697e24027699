package web_test

import (
	"context"
	"crypto/ed25519"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"holt/server/federation/peer"
	"holt/server/id"
	"holt/storage"
	"holt/web"
)

// ups is a machine that passes on the messages that arrive, and the hosts whose links come up.
type ups struct {
	come chan peer.Message
	up   chan id.HostID
}

func (u *ups) Receive(_ id.HostID, m peer.Message) { u.come <- m }
func (u *ups) Up(host id.HostID)                   { u.up <- host }
func (u *ups) Down(id.HostID)                      {}

// newPeer returns links over real storage, which end with the test.
func newPeer(t *testing.T, name string, addresses ...peer.Address) (*peer.Links, *ups) {
	t.Helper()
	db, err := storage.Open(t.Context(), t.TempDir(), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := peer.New(t.Context(), peer.Config{Key: key, Name: name, Addresses: addresses,
		Store: db, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	u := &ups{come: make(chan peer.Message, 16), up: make(chan id.HostID, 16)}
	l.Start(u)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		if err := l.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return l, u
}

// late are links that the server gets only when its address is known.
type late struct{ web.Peers }

func TestPeers(t *testing.T) {
	t.Run("O33.8 another server connects by WebSocket, through the whole edge", func(t *testing.T) {
		peers := &late{}
		s := newStack(t, func(c *web.Config) { c.Peers = peers })
		a, err := peer.ParseAddress(s.URL)
		s.must(err)
		here, come := newPeer(t, "here", a)
		peers.Peers = here
		// It calls this machine as a linked server only (O44).
		there, _ := newPeer(t, "there", "http://127.0.0.1:1")
		o, err := here.Invite(t.Context(), peer.Visit, peer.DefaultLimits, false)
		s.must(err)
		_, err = there.Accept(t.Context(), o, peer.Visit, peer.DefaultLimits)
		s.must(err)
		if host := <-come.up; host != there.Self() {
			t.Errorf("%s has come", host)
		}
		s.must(there.Send(here.Self(), peer.Message{Bytes: []byte("good evening")}))
		if m := <-come.come; string(m.Bytes) != "good evening" {
			t.Errorf("%q has come", m.Bytes)
		}
		if got := there.List()[0]; got.Network != "websocket" {
			t.Errorf("it came by %q", got.Network)
		}
	})
	t.Run("O33 pages and plain requests are refused", func(t *testing.T) {
		here, _ := newPeer(t, "here")
		s := newStack(t, func(c *web.Config) {
			c.Peers = here
			c.Limits.Servers = web.Rate{PerSecond: 0.001, Burst: 2}
		})
		ask := func(header http.Header) int {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
				s.URL+peer.WebPath, nil)
			s.must(err)
			r.Header = header
			res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
			s.must(err)
			s.must(res.Body.Close())
			return res.StatusCode
		}
		handshake := func(more ...string) http.Header {
			h := http.Header{}
			for i, pairs := 0, append([]string{
				"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13",
				"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==",
			}, more...); i < len(pairs); i += 2 {
				h.Set(pairs[i], pairs[i+1])
			}
			return h
		}
		if got := ask(http.Header{}); got != http.StatusBadRequest {
			t.Errorf("no handshake: %d", got)
		}
		if got := ask(handshake("Origin", s.URL)); got != http.StatusForbidden {
			t.Errorf("a page: %d", got)
		}
		for i, want := range []int{http.StatusSwitchingProtocols, http.StatusSwitchingProtocols,
			http.StatusTooManyRequests} {
			if got := ask(handshake()); got != want {
				t.Errorf("handshake %d: %d, want %d", i, got, want)
			}
		}
	})
	t.Run("O33 a server without links has no such address", func(t *testing.T) {
		s := newStack(t)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+peer.WebPath, nil)
		s.must(err)
		if got := s.do(r, nil).StatusCode; got != http.StatusNotFound {
			t.Errorf("%d", got)
		}
	})
	t.Run("O33.9 it is at /api/v1/peer", func(t *testing.T) {
		here, _ := newPeer(t, "here")
		s := newStack(t, func(c *web.Config) { c.Peers = here })
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/v1/peer", nil)
		s.must(err)
		for key, value := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket",
			"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="} {
			r.Header.Set(key, value)
		}
		res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
		s.must(err)
		s.must(res.Body.Close())
		if res.StatusCode != http.StatusSwitchingProtocols {
			t.Error(res.Status)
		}
	})
}
