package main

import (
	"context"
	"encoding/base64"
	"sync/atomic"

	"holt/storage"
	"holt/web"
)

// createFlags say who may create tables.
type createFlags struct {
	WhoMayCreate string `default:"anyone" enum:"anyone,link,nobody" help:"Who may set up tables: anyone, whoever has the link that holt tables --create-link prints, or nobody but you with holt tables --create (${default})."`
}

// createLink is the secret of the creation link.
type createLink struct {
	// Set at construction.
	db *storage.DB

	secret atomic.Pointer[string]
}

// openCreateLink reads the secret.
func openCreateLink(ctx context.Context, db *storage.DB) (*createLink, error) {
	l := &createLink{db: db}
	if err := l.read(ctx, false); err != nil {
		return nil, err
	}
	return l, nil
}

// read reads the secret. If renew is true it generates another one, and the previous link stops
// working.
func (l *createLink) read(ctx context.Context, renew bool) error {
	key, err := l.db.CreateKey(ctx, renew)
	if err != nil {
		return err
	}
	l.secret.Store(new(base64.RawURLEncoding.EncodeToString(key[:16])))
	return nil
}

// now returns the secret.
func (l *createLink) now() string { return *l.secret.Load() }

// creation returns the rule that the edge applies.
func (f createFlags) creation(l *createLink) web.Creation {
	switch f.WhoMayCreate {
	case "nobody":
		return web.Creation{Nobody: true}
	case "link":
		return web.Creation{Secret: l.now}
	default:
		return web.Creation{}
	}
}
