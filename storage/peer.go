package storage

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/federation/peer"
	"holt/server/id"
)

var _ peer.Store = (*DB)(nil)

// PeerLinks returns all links, ordered by host.
func (db *DB) PeerLinks(ctx context.Context) (links []peer.Link, err error) {
	const query = `
		SELECT key, state, why, gives, given, at_once, per_second, objects, bytes, since, refused
		FROM peer_links ORDER BY host`
	err = db.each(ctx, query, func(rows *sql.Rows) error {
		var l peer.Link
		var key []byte
		m := &l.Limits
		err := rows.Scan(&key, &l.State, &l.Why, &l.Gives, &l.Given, &m.AtOnce, &m.PerSecond,
			&m.Objects, &m.Bytes, &l.Since, &l.Refused)
		l.Key = ed25519.PublicKey(bytes.Clone(key))
		links = append(links, l)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read links: %w", err)
	}
	return links, nil
}

// PutPeerLink writes a link. It may be new or known.
func (db *DB) PutPeerLink(ctx context.Context, l peer.Link) error {
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		return t.putPeerLink(ctx, &l)
	})
}

func (t *tx) putPeerLink(ctx context.Context, l *peer.Link) error {
	const replace = `
		INSERT OR REPLACE INTO peer_links (host, key, state, why, gives, given, at_once, per_second, objects, bytes, since, refused)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	host := l.Host()
	m := l.Limits
	err := t.exec(ctx, replace, host[:], []byte(l.Key), int64(l.State), l.Why, int64(l.Gives),
		int64(l.Given), m.AtOnce, m.PerSecond, m.Objects, m.Bytes, int64(l.Since), l.Refused)
	if err != nil {
		return fmt.Errorf("write link to host %s: %w", host, err)
	}
	return nil
}

// RemovePeerLink removes a link and the card of its host.
func (db *DB) RemovePeerLink(ctx context.Context, host id.HostID) error {
	const remove = `DELETE FROM peer_links WHERE host = ?`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		if err := t.exec(ctx, remove, host[:]); err != nil {
			return fmt.Errorf("remove link to host %s: %w", host, err)
		}
		return t.removePeerCard(ctx, host)
	})
}

// PeerCards returns the signed cards of hosts.
func (db *DB) PeerCards(ctx context.Context) (cards [][]byte, err error) {
	const query = `SELECT card FROM peer_cards ORDER BY host`
	err = db.each(ctx, query, func(rows *sql.Rows) error {
		var card []byte
		err := rows.Scan(&card)
		cards = append(cards, card)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	return cards, nil
}

// PutPeerCard writes the card of a host, replaces an earlier one, and removes the cards of the
// hosts in gone.
func (db *DB) PutPeerCard(ctx context.Context, host id.HostID, card []byte, gone ...id.HostID) error {
	const replace = `INSERT OR REPLACE INTO peer_cards (host, card) VALUES (?, ?)`
	return db.write(ctx, len(card), func(ctx context.Context, t *tx) error {
		for _, g := range gone {
			if err := t.removePeerCard(ctx, g); err != nil {
				return err
			}
		}
		if err := t.exec(ctx, replace, host[:], card); err != nil {
			return fmt.Errorf("write card of host %s: %w", host, err)
		}
		return nil
	})
}

func (t *tx) removePeerCard(ctx context.Context, host id.HostID) error {
	const remove = `DELETE FROM peer_cards WHERE host = ?`
	if err := t.exec(ctx, remove, host[:]); err != nil {
		return fmt.Errorf("remove card of host %s: %w", host, err)
	}
	return nil
}

// each calls take for each row of a query.
func (db *DB) each(ctx context.Context, query string, take func(*sql.Rows) error) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	return eachOf(ctx, db.read, query, nil, take)
}

// AddPeerInvitation stores an invitation, and deletes those that have expired at now.
func (db *DB) AddPeerInvitation(ctx context.Context, i peer.Invitation, now id.Millis) error {
	const remove = `DELETE FROM peer_invitations WHERE until <= ?`
	const insert = `
		INSERT INTO peer_invitations (hash, gives, at_once, per_second, objects, bytes, confirm, until)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		if err := t.exec(ctx, remove, int64(now)); err != nil {
			return fmt.Errorf("forget old invitations of servers: %w", err)
		}
		m := i.Limits
		err := t.exec(ctx, insert, i.Hash[:], int64(i.Gives), m.AtOnce, m.PerSecond, m.Objects,
			m.Bytes, i.Confirm, int64(i.Until))
		if err != nil {
			return fmt.Errorf("add invitation of a server: %w", err)
		}
		return nil
	})
}

// PeerInvitation returns the invitation with that hash, or peer.ErrNoInvitation if there is none.
func (db *DB) PeerInvitation(ctx context.Context, hash peer.Hash) (peer.Invitation, error) {
	const query = `SELECT gives, at_once, per_second, objects, bytes, confirm, until FROM peer_invitations WHERE hash = ?`
	done, err := db.use()
	if err != nil {
		return peer.Invitation{}, err
	}
	defer done()
	i := peer.Invitation{Hash: hash}
	m := &i.Limits
	err = db.read.QueryRowContext(ctx, query, hash[:]).
		Scan(&i.Gives, &m.AtOnce, &m.PerSecond, &m.Objects, &m.Bytes, &i.Confirm, &i.Until)
	if errors.Is(err, sql.ErrNoRows) {
		return peer.Invitation{}, peer.ErrNoInvitation
	}
	if err != nil {
		return peer.Invitation{}, fmt.Errorf("find invitation of a server: %w", err)
	}
	return i, nil
}

// TakePeerInvitation deletes an invitation and writes the link that results from it. It returns
// peer.ErrNoInvitation if there is none. Of two simultaneous calls one succeeds.
func (db *DB) TakePeerInvitation(ctx context.Context, hash peer.Hash, l peer.Link) error {
	const remove = `DELETE FROM peer_invitations WHERE hash = ? RETURNING 1`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		var one int
		err := t.scan(ctx, remove, []any{hash[:]}, &one)
		if errors.Is(err, sql.ErrNoRows) {
			return refuse(peer.ErrNoInvitation)
		}
		if err != nil {
			return fmt.Errorf("take invitation of a server: %w", err)
		}
		return t.putPeerLink(ctx, &l)
	})
}
