package storage_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/federation/peer"
	"holt/server/id"
	"holt/storage"
)

func newPeerKey(t *testing.T) ed25519.PublicKey {
	t.Helper()
	key, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestPeers(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	db, err := storage.Open(ctx, dir, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	link := peer.Link{
		Key: newPeerKey(t), State: peer.Active, Gives: peer.Visit | peer.Linkup, Given: peer.Keep,
		Limits: peer.DefaultLimits,
		Since:  12345, Refused: 7, Why: "",
	}
	t.Run("O32.16, O34.7 links and cards outlast the process", func(t *testing.T) {
		must(db.PutPeerLink(ctx, link))
		must(db.PutPeerCard(ctx, link.Host(), []byte("first")))
		must(db.PutPeerCard(ctx, id.HostID{1}, []byte("another")))
		must(db.PutPeerCard(ctx, link.Host(), []byte("second"), id.HostID{1}, id.HostID{2}))
		paused := link
		paused.State, paused.Why = peer.Paused, "1000 requests"
		must(db.PutPeerLink(ctx, paused))
		must(db.Close())
		db, err = storage.Open(ctx, dir, storage.Options{})
		must(err)
		links, err := db.PeerLinks(ctx)
		must(err)
		if diff := cmp.Diff([]peer.Link{paused}, links); diff != "" {
			t.Error(diff)
		}
		cards, err := db.PeerCards(ctx)
		must(err)
		if len(cards) != 1 || string(cards[0]) != "second" {
			t.Errorf("the cards are %q", cards)
		}
	})
	t.Run("O32.18 a removed link goes with its card", func(t *testing.T) {
		must(db.RemovePeerLink(ctx, link.Host()))
		links, err := db.PeerLinks(ctx)
		must(err)
		cards, err := db.PeerCards(ctx)
		must(err)
		if len(links) != 0 || len(cards) != 0 {
			t.Errorf("%d links and %d cards are left", len(links), len(cards))
		}
	})
	t.Run("O32.1 of many concurrent uses of an invitation one succeeds", func(t *testing.T) {
		i := peer.Invitation{Hash: peer.Hash{1}, Gives: peer.Bring, Limits: peer.DefaultLimits,
			Confirm: true, Until: 1000}
		must(db.AddPeerInvitation(ctx, i, 0))
		found, err := db.PeerInvitation(ctx, i.Hash)
		if diff := cmp.Diff(i, found); err != nil || diff != "" {
			t.Fatal(err, diff)
		}
		var all sync.WaitGroup
		var took atomic.Int32
		for range 8 {
			l := link
			l.Key = newPeerKey(t)
			all.Go(func() {
				switch err := db.TakePeerInvitation(ctx, i.Hash, l); {
				case err == nil:
					took.Add(1)
				case !errors.Is(err, peer.ErrNoInvitation):
					t.Error(err)
				}
			})
		}
		all.Wait()
		links, err := db.PeerLinks(ctx)
		must(err)
		if took.Load() != 1 || len(links) != 1 {
			t.Errorf("%d took it, and %d links have come of it", took.Load(), len(links))
		}
		if _, err := db.PeerInvitation(ctx, i.Hash); !errors.Is(err, peer.ErrNoInvitation) {
			t.Errorf("it is still there: %v", err)
		}
	})
	t.Run("O32 old invitations are forgotten", func(t *testing.T) {
		must(db.AddPeerInvitation(ctx, peer.Invitation{Hash: peer.Hash{2}, Until: 1000}, 0))
		must(db.AddPeerInvitation(ctx, peer.Invitation{Hash: peer.Hash{3}, Until: 2000}, 1000))
		if _, err := db.PeerInvitation(ctx, peer.Hash{2}); !errors.Is(err, peer.ErrNoInvitation) {
			t.Errorf("the old one is there: %v", err)
		}
		if _, err := db.PeerInvitation(ctx, peer.Hash{3}); err != nil {
			t.Error(err)
		}
	})
}
