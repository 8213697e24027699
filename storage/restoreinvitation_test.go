package storage

import (
	"errors"
	"testing"

	"holt/server/federation/peer"
)

func TestRestoreForgetsInvitations(t *testing.T) {
	t.Run("O32.20 a restore deletes all invitations", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		hash := peer.Hash{2}
		invitation := peer.Invitation{Hash: hash, Limits: peer.DefaultLimits, Until: 1 << 50}
		if err := db.AddPeerInvitation(t.Context(), invitation, 0); err != nil {
			t.Fatal(err)
		}
		path := mustBackup(t, db)
		if _, err := db.PeerInvitation(t.Context(), hash); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := restore(t.Context(), dir, path, "old"); err != nil {
			t.Fatal(err)
		}
		again := openDir(t, dir)
		if _, err := again.PeerInvitation(t.Context(), hash); !errors.Is(err, peer.ErrNoInvitation) {
			t.Errorf("it is there: %v", err)
		}
	})
}
