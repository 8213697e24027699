package storage

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"fmt"

	"holt/server/id"
)

// HostKey returns the key that names this server (O1). The first call generates it.
func (db *DB) HostKey(ctx context.Context) (ed25519.PrivateKey, error) {
	const update = `UPDATE meta SET host_key = ? WHERE host_key IS NULL`
	const query = `SELECT host_key FROM meta`
	seed, err := db.secret(ctx, update, query)
	if err != nil {
		return nil, fmt.Errorf("read host key: %w", err)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// HostID returns the first eight bytes of the SHA-256 of the public host key (O1).
func (db *DB) HostID(ctx context.Context) (id.HostID, error) {
	key, err := db.HostKey(ctx)
	if err != nil {
		return id.HostID{}, err
	}
	sum := sha256.Sum256(key[ed25519.SeedSize:]) // the public half
	return id.HostID(sum[:8]), nil
}

// InviteKey returns the 32 bytes from which invites are derived. The first call generates them.
func (db *DB) InviteKey(ctx context.Context) ([]byte, error) {
	const update = `UPDATE meta SET invite_key = ? WHERE invite_key IS NULL`
	key, err := db.secret(ctx, update, `SELECT invite_key FROM meta`)
	return key, doing(err, "read invite key")
}

// CreateKey returns the 32 bytes that people need to create tables, if the server asks for them.
// The first call generates them, and so does each call with renew.
func (db *DB) CreateKey(ctx context.Context, renew bool) (key []byte, err error) {
	const query = `SELECT create_key FROM meta`
	if renew {
		key, err = db.generateSecret(ctx, `UPDATE meta SET create_key = ?`, query)
	} else {
		key, err = db.secret(ctx, `UPDATE meta SET create_key = ? WHERE create_key IS NULL`, query)
	}
	return key, doing(err, "read creation key")
}

// secret returns the 32 bytes that query finds. If there are none, update sets them. If there are
// some, secret only reads, so that a server starts on a disk that is not writable.
func (db *DB) secret(ctx context.Context, update, query string) ([]byte, error) {
	var found []byte
	if err := db.row(ctx, query, nil, &found); err != nil || found != nil {
		return found, err
	}
	return db.generateSecret(ctx, update, query)
}

// generateSecret generates 32 random bytes, stores them by update, and returns what query finds
// then.
func (db *DB) generateSecret(ctx context.Context, update, query string) (secret []byte, err error) {
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never fails
	err = db.write(ctx, len(fresh), func(t *tx) error {
		if err := t.exec(update, fresh); err != nil {
			return err
		}
		return t.scan(query, nil, &secret)
	})
	return secret, err
}
