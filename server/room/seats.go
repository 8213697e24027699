package room

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"holt/server/game"
	"holt/server/id"
	"holt/server/table"
)

// Bounds of names, in characters.
const (
	maxNick  = 40
	maxTitle = 80
	maxHome  = 80
)

// check reports what is wrong with a person, as an error that wraps ErrPerson.
func (p Person) check() error {
	switch {
	case p.Nick == "":
		return fmt.Errorf("%w: a name is empty", ErrPerson)
	case p.Colour > 0xffffff:
		return fmt.Errorf("%w: a colour has 24 bits", ErrPerson)
	case strings.ContainsRune(p.Nick, table.HomeSign):
		return fmt.Errorf("%w: %c is for visitors from other servers", ErrPerson, table.HomeSign)
	}
	if err := checkName(p.Home, maxHome); err != nil {
		return err
	}
	return checkName(p.Nick, maxNick)
}

// checkTitle reports what is wrong with the title of a table, as an error that wraps ErrPerson. It may be empty.
func checkTitle(title string) error { return checkName(title, maxTitle) }

func checkName(name string, limit int) error {
	if err := game.CheckName(name, 0, limit); err != nil {
		return fmt.Errorf("%w: %w", ErrPerson, err)
	}
	return nil
}

// Authenticate returns the session of a seat token. ErrNoTable if there is no such table, ErrNoSeat if the token is
// of no seat there. A token that has been shown before costs no look-up.
func (rs *Rooms) Authenticate(ctx context.Context, t id.OID, token string) (Session, error) {
	hash := Hash(sha256.Sum256([]byte(token)))
	rs.mu.Lock()
	s, ok := rs.sessions[hash]
	rs.mu.Unlock()
	if ok && s.Table == t {
		return s, nil
	}
	row, err := rs.cfg.Store.SeatByToken(ctx, t, hash)
	if errors.Is(err, ErrNoSeat) { // at a table that does not exist there is no seat, either; the former says more
		if _, err := rs.About(ctx, t); err != nil {
			return Session{}, err
		}
	}
	if err != nil {
		return Session{}, failed(err)
	}
	s = Session{Table: t, Seat: row.Seat}
	r, release, err := rs.acquire(ctx, t)
	if err != nil {
		return Session{}, err
	}
	defer release()
	role := make(chan table.Role, 1) // the room answers once
	err = r.do(ctx, func() {
		who, _ := r.table.Seat(row.Seat)
		role <- who.Role
	})
	if err != nil {
		return Session{}, err
	}
	select {
	case s.Role = <-role:
	case <-r.gone:
		return Session{}, r.ending
	case <-ctx.Done():
		return Session{}, ctx.Err()
	}
	if s.Role == 0 {
		return Session{}, ErrNoSeat
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if len(rs.sessions) >= maxSessions {
		clear(rs.sessions)
	}
	rs.sessions[hash] = s
	return s, nil
}

// Seated returns what does not change of a table at which the token has a seat, without loading the table.
// ErrNoTable, ErrNoSeat.
func (rs *Rooms) Seated(ctx context.Context, t id.OID, token string) (TableRow, error) {
	row, err := rs.About(ctx, t)
	if err != nil {
		return TableRow{}, err
	}
	if _, err := rs.cfg.Store.SeatByToken(ctx, t, sha256.Sum256([]byte(token))); err != nil {
		return TableRow{}, failed(err)
	}
	return row, nil
}

// Invite says where an invite leads. ErrNoInvite.
func (rs *Rooms) Invite(ctx context.Context, secret string) (Invite, error) {
	row, err := rs.cfg.Store.InviteByToken(ctx, sha256.Sum256([]byte(secret)))
	if err != nil {
		return Invite{}, failed(err)
	}
	about, err := rs.About(ctx, row.Table)
	if err != nil {
		return Invite{}, err
	}
	inv := Invite{Table: row.Table, Role: table.Role(row.Role), Title: about.Title, Game: about.Game}
	r, release, err := rs.acquire(ctx, row.Table)
	if err != nil {
		return Invite{}, err
	}
	defer release()
	seats := make(chan []table.SeatInfo, 1) // the room answers once
	err = r.do(ctx, func() { seats <- slices.Clone(r.table.Seats()) })
	if err != nil {
		return Invite{}, err
	}
	select {
	case all := <-seats:
		for _, s := range all {
			inv.Seated = append(inv.Seated, Person{Nick: s.Name(), Colour: s.Colour})
			if s.Role == table.RoleHost {
				inv.Hosts = append(inv.Hosts, s.Name())
			}
		}
		return inv, nil
	case <-r.gone:
		return Invite{}, r.ending
	case <-ctx.Done():
		return Invite{}, ctx.Err()
	}
}

// TakeSeat takes a new seat by an invite. It returns when the seat is durable. ErrNoInvite, ErrPerson, ErrFull, ErrLogFull.
func (rs *Rooms) TakeSeat(ctx context.Context, invite string, p Person) (Taken, error) {
	if err := p.check(); err != nil {
		return Taken{}, err
	}
	row, err := rs.cfg.Store.InviteByToken(ctx, sha256.Sum256([]byte(invite)))
	if err != nil {
		return Taken{}, failed(err)
	}
	if err := rs.cfg.Store.Writable(); err != nil {
		return Taken{}, err
	}
	token, hash, err := newToken(rs.cfg.Random)
	if err != nil {
		return Taken{}, err
	}
	r, release, err := rs.acquire(ctx, row.Table)
	if err != nil {
		return Taken{}, err
	}
	defer release()
	taken := Taken{Session: Session{Table: row.Table, Role: table.Role(row.Role)}, Token: token}
	seat := make(chan id.Seat, 1) // the room answers once
	answer := make(chan error, 1) // the room answers once
	err = r.do(ctx, func() { r.sit(taken.Role, p, hash, seat, answer) })
	if err != nil {
		return Taken{}, err
	}
	if err := r.await(ctx, answer); err != nil {
		return Taken{}, err
	}
	taken.Seat = <-seat
	return taken, nil
}

// sit records a new seat, and its token with it.
func (r *room) sit(role table.Role, p Person, token Hash, seat chan<- id.Seat, answer chan<- error) {
	if r.space.spentUp() {
		answer <- ErrLogFull
		return
	}
	n, ok := r.table.Sit(table.SeatInfo{Nick: p.Nick, Colour: p.Colour, Role: role, Home: p.Home}, r.now())
	if !ok {
		answer <- ErrFull
		return
	}
	seat <- n
	r.record()
	r.next.seats = append(r.next.seats, SeatRow{Token: token, Seat: n})
	r.next.answers = append(r.next.answers, answer)
}

// About returns what does not change in play.
func (rs *Rooms) About(ctx context.Context, t id.OID) (TableRow, error) {
	row, err := rs.cfg.Store.Table(ctx, t)
	if err != nil {
		return TableRow{}, failed(err)
	}
	return row, nil
}

// Blob returns art or a catalogue that was stored with a table. ErrNoBlob.
func (rs *Rooms) Blob(ctx context.Context, hash Hash) (Blob, error) {
	b, err := rs.cfg.Store.Blob(ctx, hash)
	if err != nil {
		return Blob{}, failed(err)
	}
	return b, nil
}

// Invites returns the secrets of the invite links. ErrRole for spectators.
func (rs *Rooms) Invites(ctx context.Context, s Session) (Invites, error) {
	if s.Role == table.RoleSpectator {
		return Invites{}, ErrRole
	}
	row, err := rs.About(ctx, s.Table)
	if err != nil {
		return Invites{}, err
	}
	return rs.invites(row.Table, row.InviteVersion), nil
}

// RenewInvites makes new invites; the old links are void. ErrRole unless s is a host's.
func (rs *Rooms) RenewInvites(ctx context.Context, s Session) (Invites, error) {
	if s.Role != table.RoleHost {
		return Invites{}, ErrRole
	}
	if err := rs.cfg.Store.Writable(); err != nil {
		return Invites{}, err
	}
	row, err := rs.About(ctx, s.Table)
	if err != nil {
		return Invites{}, err
	}
	inv := rs.invites(row.Table, row.InviteVersion+1)
	if err := rs.cfg.Store.ReplaceInvites(ctx, row.Table, row.InviteVersion+1, inv.rows(row.Table)); err != nil {
		return Invites{}, failed(err)
	}
	return inv, nil
}

// invites derives the secrets of the invite links, so that they can be shown again though only their
// hashes are stored.
func (rs *Rooms) invites(t id.OID, version uint32) Invites {
	derive := func(role table.Role) string {
		m := hmac.New(sha256.New, rs.cfg.InviteKey)
		m.Write(t[:])
		m.Write(binary.BigEndian.AppendUint32([]byte{byte(role)}, version))
		return base64.RawURLEncoding.EncodeToString(m.Sum(nil)[:16])
	}
	return Invites{Player: derive(table.RolePlayer), Spectator: derive(table.RoleSpectator)}
}

func (i Invites) rows(t id.OID) []InviteRow {
	return []InviteRow{
		{Token: sha256.Sum256([]byte(i.Player)), Table: t, Role: uint8(table.RolePlayer)},
		{Token: sha256.Sum256([]byte(i.Spectator)), Table: t, Role: uint8(table.RoleSpectator)},
	}
}

// newToken draws a seat token of 128 bits and returns it with its hash, which is all that is kept.
func newToken(random io.Reader) (string, Hash, error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", Hash{}, fmt.Errorf("draw seat token: %w", err)
	}
	token := base64.RawURLEncoding.EncodeToString(b[:])
	return token, sha256.Sum256([]byte(token)), nil
}
