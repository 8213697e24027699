package storage

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"holt/server/id"
)

func TestHostKeys(t *testing.T) {
	db := openDir(t, t.TempDir())
	ctx := t.Context()
	type keys struct{ host, invite, id string }
	read := func(db *DB) keys {
		t.Helper()
		host, err := db.HostKey(ctx)
		if err != nil {
			t.Fatal(err)
		}
		invite, err := db.InviteKey(ctx)
		if err != nil || len(invite) != 32 {
			t.Fatal(invite, err)
		}
		hostID, err := db.HostID(ctx)
		if err != nil {
			t.Fatal(err)
		}
		message := []byte("message")
		if !ed25519.Verify(host.Public().(ed25519.PublicKey), message,
			ed25519.Sign(host, message)) {
			t.Error("the key does not sign")
		}
		return keys{hex.EncodeToString(host), hex.EncodeToString(invite), hostID.String()}
	}
	first := read(db)
	t.Run("O1.2 the host is named by the SHA-256 of its public key", func(t *testing.T) {
		key, _ := hex.DecodeString(first.host)
		sum := sha256.Sum256(ed25519.PrivateKey(key).Public().(ed25519.PublicKey))
		if want := hex.EncodeToString(sum[:8]); first.id != want {
			t.Errorf("host is %s, want %s", first.id, want)
		}
	})
	if again := read(db); again != first {
		t.Error("the keys change")
	}
	if again := read(reopen(t, db)); again != first {
		t.Error("the keys change with a restart")
	}
	if other := read(openDir(t, t.TempDir())); other.host == first.host ||
		other.invite == first.invite {
		t.Error("two hosts have the same keys")
	}
}

func TestReservation(t *testing.T) {
	db := openDir(t, t.TempDir())
	for _, step := range []struct{ reserve, floor id.Millis }{{0, 0},
		{1_700_000_000_000, 1_700_000_000_000}, {5, 1_700_000_000_000}, {1<<44 - 1, 1<<44 - 1}} {
		if err := db.ReserveOIDs(t.Context(), step.reserve); err != nil {
			t.Fatal(err)
		}
		db = reopen(t, db)
		if got, err := db.OIDFloor(t.Context()); err != nil || got != step.floor {
			t.Errorf("after %d the floor is %d, %v, want %d", step.reserve, got, err, step.floor)
		}
	}
}
