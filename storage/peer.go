package storage

import (
	"context"
	"database/sql"
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
	links, err = list(ctx, db, query, nil, func(rows *sql.Rows) (l peer.Link, err error) {
		m := &l.Limits
		err = rows.Scan((*[]byte)(&l.Key), &l.State, &l.Why, &l.Gives, &l.Given, &m.AtOnce,
			&m.PerSecond, &m.Objects, &m.Bytes, &l.Since, &l.Refused)
		return l, err
	})
	return links, doing(err, "read links")
}

// PutPeerLink writes a link. It may be new or known.
func (db *DB) PutPeerLink(ctx context.Context, l peer.Link) error {
	return db.write(ctx, 0, func(t *tx) error {
		return t.putPeerLink(&l)
	})
}

func (t *tx) putPeerLink(l *peer.Link) error {
	const replace = `
		INSERT OR REPLACE INTO peer_links (host, key, state, why, gives, given, at_once, per_second,
			objects, bytes, since, refused)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	host := l.Host()
	m := l.Limits
	err := t.exec(replace, host[:], []byte(l.Key), l.State, l.Why, l.Gives,
		l.Given, m.AtOnce, m.PerSecond, m.Objects, m.Bytes, l.Since, l.Refused)
	return doing(err, "write link to host %s", host)
}

// RemovePeerLink removes a link and the card of its host.
func (db *DB) RemovePeerLink(ctx context.Context, host id.HostID) error {
	const remove = `DELETE FROM peer_links WHERE host = ?`
	return db.write(ctx, 0, func(t *tx) error {
		if err := t.exec(remove, host[:]); err != nil {
			return fmt.Errorf("remove link to host %s: %w", host, err)
		}
		return t.removePeerCard(host)
	})
}

// PeerCards returns the signed cards of hosts.
func (db *DB) PeerCards(ctx context.Context) (cards [][]byte, err error) {
	const query = `SELECT card FROM peer_cards ORDER BY host`
	cards, err = list(ctx, db, query, nil, func(rows *sql.Rows) (card []byte, err error) {
		err = rows.Scan(&card)
		return card, err
	})
	return cards, doing(err, "read cards")
}

// PutPeerCard writes the card of a host, replaces an earlier one, and removes the cards of the
// hosts in gone.
func (db *DB) PutPeerCard(
	ctx context.Context, host id.HostID, card []byte, gone ...id.HostID,
) error {
	const replace = `INSERT OR REPLACE INTO peer_cards (host, card) VALUES (?, ?)`
	return db.write(ctx, len(card), func(t *tx) error {
		for _, g := range gone {
			if err := t.removePeerCard(g); err != nil {
				return err
			}
		}
		return doing(t.exec(replace, host[:], card), "write card of host %s", host)
	})
}

func (t *tx) removePeerCard(host id.HostID) error {
	const remove = `DELETE FROM peer_cards WHERE host = ?`
	return doing(t.exec(remove, host[:]), "remove card of host %s", host)
}

// AddPeerInvitation stores an invitation, and deletes those that have expired at now.
func (db *DB) AddPeerInvitation(ctx context.Context, i peer.Invitation, now id.Millis) error {
	const remove = `DELETE FROM peer_invitations WHERE until <= ?`
	const insert = `
		INSERT INTO peer_invitations (hash, gives, at_once, per_second, objects, bytes, confirm, until)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	return db.write(ctx, 0, func(t *tx) error {
		if err := t.exec(remove, now); err != nil {
			return fmt.Errorf("forget old invitations of servers: %w", err)
		}
		m := i.Limits
		err := t.exec(insert, i.Hash[:], i.Gives, m.AtOnce, m.PerSecond, m.Objects,
			m.Bytes, i.Confirm, i.Until)
		return doing(err, "add invitation of a server")
	})
}

// PeerInvitation returns the invitation with that hash, or peer.ErrNoInvitation if there is none.
func (db *DB) PeerInvitation(ctx context.Context, hash peer.Hash) (peer.Invitation, error) {
	const query = `SELECT gives, at_once, per_second, objects, bytes, confirm, until
		FROM peer_invitations WHERE hash = ?`
	i := peer.Invitation{Hash: hash}
	m := &i.Limits
	err := db.row(ctx, query, []any{hash[:]}, &i.Gives, &m.AtOnce, &m.PerSecond, &m.Objects,
		&m.Bytes, &i.Confirm, &i.Until)
	return i, finding(err, peer.ErrNoInvitation, "find invitation of a server")
}

// TakePeerInvitation deletes an invitation and writes the link that results from it. It returns
// peer.ErrNoInvitation if there is none. Of two simultaneous calls one succeeds.
func (db *DB) TakePeerInvitation(ctx context.Context, hash peer.Hash, l peer.Link) error {
	const remove = `DELETE FROM peer_invitations WHERE hash = ? RETURNING 1`
	return db.write(ctx, 0, func(t *tx) error {
		if err := t.scan(remove, []any{hash[:]}, new(int)); err != nil {
			return finding(err, refuse(peer.ErrNoInvitation), "take invitation of a server")
		}
		return t.putPeerLink(&l)
	})
}
