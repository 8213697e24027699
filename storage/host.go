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
	const query = `SELECT invite_key FROM meta`
	key, err := db.secret(ctx, update, query)
	if err != nil {
		return nil, fmt.Errorf("read invite key: %w", err)
	}
	return key, nil
}

// CreateKey returns the 32 bytes that people need to create tables, if the server asks for them.
// The first call generates them, and so does each call with renew.
func (db *DB) CreateKey(ctx context.Context, renew bool) ([]byte, error) {
	const query = `SELECT create_key FROM meta`
	var key []byte
	var err error
	if renew {
		key, err = db.generateSecret(ctx, `UPDATE meta SET create_key = ?`, query)
	} else {
		key, err = db.secret(ctx, `UPDATE meta SET create_key = ? WHERE create_key IS NULL`, query)
	}
	if err != nil {
		return nil, fmt.Errorf("read creation key: %w", err)
	}
	return key, nil
}

// secret returns the 32 bytes that query finds. If there are none, update sets them. If there are
// some, secret only reads, so that a server starts on a disk that is not writable.
func (db *DB) secret(ctx context.Context, update, query string) ([]byte, error) {
	var found []byte
	if err := db.readRow(ctx, query, &found); err != nil || found != nil {
		return found, err
	}
	return db.generateSecret(ctx, update, query)
}

// generateSecret generates 32 random bytes, stores them by update, and returns what query finds
// then.
func (db *DB) generateSecret(ctx context.Context, update, query string) ([]byte, error) {
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return nil, err
	}
	var secret []byte
	err := db.write(ctx, len(fresh), func(ctx context.Context, t *tx) error {
		if err := t.exec(ctx, update, fresh); err != nil {
			return err
		}
		return t.scan(ctx, query, nil, &secret)
	})
	if err != nil {
		return nil, err
	}
	return secret, nil
}

// readRow reads the only row that query finds.
func (db *DB) readRow(ctx context.Context, query string, dest ...any) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	return db.read.QueryRowContext(ctx, query).Scan(dest...)
}
