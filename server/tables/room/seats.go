package room

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// Bounds of names, in characters.
const (
	maxNick  = 40
	maxTitle = 80
	maxHome  = 80
)

// check returns what is wrong with a person, as an error that wraps ErrPerson.
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

// checkTitle returns what is wrong with the title of a table, as an error that wraps ErrPerson. The
// title may be empty.
func checkTitle(title string) error { return checkName(title, maxTitle) }

func checkName(name string, limit int) error {
	if err := game.CheckName(name, 0, limit); err != nil {
		return fmt.Errorf("%w: %w", ErrPerson, err)
	}
	return nil
}

// Authenticate returns the session of a seat token. ErrNoTable if there is no such table, ErrNoSeat
// if no seat there has the token. A token that was shown before costs no look-up.
func (rs *Rooms) Authenticate(ctx context.Context, t id.OID, token string) (Session, error) {
	hash := Hash(sha256.Sum256([]byte(token)))
	rs.mu.Lock()
	s, ok := rs.sessions[hash]
	rs.mu.Unlock()
	if ok && s.Table == t {
		return s, nil
	}
	withdrawn := rs.withdrawn.Load()
	row, err := rs.cfg.Store.SeatByToken(ctx, t, hash)
	// A table that does not exist has no seat, either; but ErrNoTable says more.
	if errors.Is(err, ErrNoSeat) {
		if _, err := rs.About(ctx, t); err != nil {
			return Session{}, err
		}
	}
	if err != nil {
		return Session{}, storeError(err)
	}
	r, release, err := rs.acquire(ctx, t)
	if err != nil {
		return Session{}, err
	}
	defer release()
	s, err = ask(ctx, r, func(answer func(Session, error)) {
		if rs.withdrawn.Load() != withdrawn { // perhaps this one, after it was found
			answer(Session{}, errLookAgain)
			return
		}
		s, err := rs.keepSession(r, row)
		if err == nil {
			answer(s, nil)
			return
		}
		r.whenDurable(func(failed error) { answer(s, cmp.Or(failed, err)) })
	})
	if errors.Is(err, errLookAgain) {
		return rs.Authenticate(ctx, t, token)
	}
	return s, err
}

// errLookAgain says that tokens were withdrawn since a token was found.
var errLookAgain = errors.New("tokens were withdrawn meanwhile")

// keepSession returns the session of a seat whose token was found, and keeps it; ErrNoSeat if the
// seat has ended, or if its tokens are just being withdrawn. The goroutine of the room calls it,
// and forgetSessions too. So no session is kept that has just become void.
func (rs *Rooms) keepSession(r *room, row SeatRow) (Session, error) {
	who, ok := r.table.Seat(row.Seat)
	if !ok || who.Left != 0 || r.withdrawing[row.Seat] > 0 {
		return Session{}, ErrNoSeat
	}
	s := Session{Table: r.row.Table, Seat: row.Seat, Role: who.Role, Tokens: who.Tokens}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if len(rs.sessions) >= maxSessions {
		clear(rs.sessions)
	}
	rs.sessions[row.Token] = s
	return s, nil
}

// forgetSessions forgets the sessions of a seat.
func (rs *Rooms) forgetSessions(t id.OID, seat id.Seat) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	maps.DeleteFunc(rs.sessions, func(_ Hash, s Session) bool {
		return s.Table == t && s.Seat == seat
	})
}

// Seated returns what is known outside its log of a table at which the token has a seat. It does
// not load the table. ErrNoTable, ErrNoSeat.
func (rs *Rooms) Seated(ctx context.Context, t id.OID, token string) (TableRow, error) {
	row, err := rs.About(ctx, t)
	if err != nil {
		return TableRow{}, err
	}
	if _, err := rs.cfg.Store.SeatByToken(ctx, t, sha256.Sum256([]byte(token))); err != nil {
		return TableRow{}, storeError(err)
	}
	return row, nil
}

// Invite says where an invite leads. ErrNoInvite.
func (rs *Rooms) Invite(ctx context.Context, secret string) (Invite, error) {
	row, err := rs.cfg.Store.InviteByToken(ctx, sha256.Sum256([]byte(secret)))
	if err != nil {
		return Invite{}, storeError(err)
	}
	about, err := rs.About(ctx, row.Table)
	if err != nil {
		return Invite{}, err
	}
	inv := Invite{
		Table: row.Table, Role: table.Role(row.Role), Title: about.Title, Game: about.Game,
		Locked: about.Password != "",
	}
	r, release, err := rs.acquire(ctx, row.Table)
	if err != nil {
		return Invite{}, err
	}
	defer release()
	seats, err := ask(ctx, r, func(answer func([]table.SeatInfo, error)) {
		inv.Here, inv.Closed = r.glance(0).Here, r.access.closed
		if inv.Role == table.RolePlayer {
			inv.Places = r.freePlaces()
		}
		answer(slices.Clone(r.table.Seats()), nil)
	})
	if err != nil {
		return Invite{}, err
	}
	for _, s := range seats {
		if s.Left != 0 {
			continue
		}
		inv.Seated = append(inv.Seated, Person{Nick: s.Name(), Colour: s.Colour})
		if s.Role == table.RoleHost {
			inv.Hosts = append(inv.Hosts, s.Name())
		}
		if s.Role == table.RoleReferee {
			inv.Referees = append(inv.Referees, s.Name())
		}
	}
	return inv, nil
}

// Admits returns why nobody gets a seat by an invite who says that password, as far as is known
// before. It changes nothing. ErrNoInvite, ErrClosed, ErrPassword.
func (rs *Rooms) Admits(ctx context.Context, invite, password string) error {
	led, err := rs.Invite(ctx, invite)
	if err != nil {
		return err
	}
	if led.Closed {
		return ErrClosed
	}
	about, err := rs.About(ctx, led.Table)
	if err != nil {
		return err
	}
	return rs.checkPassword(ctx, about.Password, password)
}

// TakeSeat takes a new seat by an invite. It returns when the seat is durable. ErrNoInvite,
// ErrPerson, ErrFull, ErrLogFull, ErrClosed,
// ErrPassword.
func (rs *Rooms) TakeSeat(ctx context.Context, invite string, p Person) (Taken, error) {
	if err := p.check(); err != nil {
		return Taken{}, err
	}
	row, err := rs.cfg.Store.InviteByToken(ctx, sha256.Sum256([]byte(invite)))
	if err != nil {
		return Taken{}, storeError(err)
	}
	if err := rs.cfg.Store.Writable(); err != nil {
		return Taken{}, err
	}
	about, err := rs.About(ctx, row.Table)
	if err != nil {
		return Taken{}, err
	}
	if err := rs.checkPassword(ctx, about.Password, p.Password); err != nil {
		return Taken{}, err
	}
	token, hash, err := newToken(rs.cfg.Random)
	if err != nil {
		return Taken{}, err
	}
	role := table.Role(row.Role)
	who, err := inRoom(ctx, rs, row.Table, func(r *room) (table.SeatInfo, error) {
		if !rs.leads(r, invite, role) {
			return table.SeatInfo{}, ErrRenewed
		}
		if r.access.closed {
			return table.SeatInfo{}, ErrClosed
		}
		if r.row.Password != about.Password { // it has just been changed
			return table.SeatInfo{}, ErrPassword
		}
		if r.table.Full() {
			rs.freeSeat(r)
		}
		return r.sit(role, p, hash)
	})
	if err != nil {
		return Taken{}, err
	}
	return Taken{
		Session: Session{Table: row.Table, Seat: who.Seat, Role: role, Tokens: who.Tokens},
		Token:   token, Side: who.Side,
	}, nil
}

// freePlaces returns the places of the game that nobody has.
func (r *room) freePlaces() (all []Place) {
	for _, side := range r.table.FreeSides() {
		of := &r.rest.Seats[side-1]
		all = append(all, Place{Side: side, Name: of.Name, Colour: of.Colour})
	}
	return all
}

// sit records a new seat, and its token with it.
func (r *room) sit(role table.Role, p Person, token Hash) (table.SeatInfo, error) {
	if r.space.reserveUsed() {
		return table.SeatInfo{}, ErrLogFull
	}
	r.budgets.begin(r.table)
	n, ok := r.table.Sit(
		table.SeatInfo{Nick: p.Nick, Colour: p.Colour, Role: role, Home: p.Home, Side: p.Side},
		r.now())
	if !ok {
		return table.SeatInfo{}, ErrFull
	}
	who, _ := r.table.Seat(n)
	r.seatStreams.emptySince[n] = time.Now()
	r.record()
	r.budgets.settle(r.table, n) // for what its hand picks up
	r.recorded.seats = append(r.recorded.seats, SeatRow{Token: token, Seat: n})
	return who, nil
}

// TakeSide gives a side of the game to s (T61). Whoever has it gets the side of s. ErrRole if s
// does not play, if there is no such side, or if somebody has it and s has none to give;
// ErrLogFull; *TooSoon if s has used up its quota (T46).
func (rs *Rooms) TakeSide(ctx context.Context, s Session, side uint32) error {
	return rs.changeSeat(ctx, s, func(r *room) error {
		if !r.table.TakeSide(s.Seat, side, r.now()) {
			return ErrRole
		}
		return nil
	})
}

// GiveSide gives a free side of the game to another seat (T98). ErrRole unless s is a host's, if
// there is no such side, if somebody has it, and for the seat of the host if s is a co-host's;
// ErrOver if the seat does not play; ErrLogFull; *TooSoon if s has used up its quota (T46).
func (rs *Rooms) GiveSide(ctx context.Context, s Session, seat id.Seat, side uint32) error {
	if !s.Role.Hosts() || seat == s.Seat {
		return ErrRole
	}
	return rs.changeSeat(ctx, s, func(r *room) error {
		who, ok := r.table.Seat(seat)
		switch {
		case !ok || !who.Plays():
			return ErrOver
		case who.Role == table.RoleHost && s.Role != table.RoleHost:
			return ErrRole
		case !r.table.GiveSide(seat, side, s.Seat, r.now()):
			return ErrRole
		}
		return nil
	})
}

// changeSeat calls f, which changes a seat: its side, or that its person edits the game. s pays for
// that.
func (rs *Rooms) changeSeat(ctx context.Context, s Session, f func(*room) error) error {
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		if err := r.mayRecord(s.Seat); err != nil {
			return none{}, err
		}
		before := r.recorded.estimatedBytes
		if err := f(r); err != nil {
			return none{}, err
		}
		r.record()
		r.budgets.settle(r.table, s.Seat) // for what its hand picks up
		r.charge(s.Seat, before)
		return none{}, nil
	})
	return err
}

// freeAfter is how long a seat must have had no stream before it is freed (T56).
const freeAfter = 10 * time.Minute

// freeSeat frees a seat of a full table (T56): of the seats to which nothing refers, the one that
// has had no stream for longest.
func (rs *Rooms) freeSeat(r *room) {
	var free id.Seat
	var since time.Time
	for _, s := range r.table.Seats() {
		left, known := r.seatStreams.emptySince[s.Seat]
		if !known {
			// Nobody was there since the table was brought into memory, so for a minute at least.
			left = rs.began
		}
		if r.seatStreams.open(s.Seat) > 0 || time.Since(left) < freeAfter ||
			free != 0 && !left.Before(since) || !r.table.Unused(s.Seat) {
			continue
		}
		free, since = s.Seat, left
	}
	if free == 0 {
		return
	}
	r.table.Unseat(free, table.Ending{By: free}, r.now())
	rs.adoptRoles(r)
	rs.revokeSeat(r, free, free, holtpb.Farewell_FAREWELL_LEFT)
}

// About returns what is known of a table outside its log.
func (rs *Rooms) About(ctx context.Context, t id.OID) (TableRow, error) {
	row, err := rs.cfg.Store.Table(ctx, t)
	if err != nil {
		return TableRow{}, storeError(err)
	}
	return row, nil
}

// Blob returns art or a catalogue that was stored with a table. ErrNoBlob.
func (rs *Rooms) Blob(ctx context.Context, hash Hash) (Blob, error) {
	b, err := rs.cfg.Store.Blob(ctx, hash)
	if err != nil {
		return Blob{}, storeError(err)
	}
	return b, nil
}

// Invites returns the secrets of the invite links. ErrRole for spectators, ErrNoSeat if the seat
// has just ended.
func (rs *Rooms) Invites(ctx context.Context, s Session) (Invites, error) {
	if !s.Role.Plays() {
		return Invites{}, ErrRole
	}
	return inSession(ctx, rs, s, func(r *room) (Invites, error) {
		inv := rs.invites(s.Table, r.row.InviteVersion)
		inv.Password = r.row.Password != ""
		return inv, nil
	})
}

// RenewInvites makes new invites for players or spectators, or for both if it names neither; the
// old links are void (T75). ErrRole unless s is a host's.
func (rs *Rooms) RenewInvites(ctx context.Context, s Session, of ...table.Role) (Invites, error) {
	if !s.Role.Hosts() {
		return Invites{}, ErrRole
	}
	return change(ctx, rs, s, func(r *room) (Invites, error) { return rs.newInvites(r, of...), nil })
}

// newInvites makes new invites for roles, or for both if there are none. They become durable with
// what the room has recorded.
func (rs *Rooms) newInvites(r *room, of ...table.Role) Invites {
	if len(of) == 0 {
		of = []table.Role{table.RolePlayer, table.RoleSpectator}
	}
	v := versionsOf(r.row.InviteVersion)
	for _, role := range of {
		v[role]++
	}
	r.row.InviteVersion = v.join()
	inv := rs.invites(r.row.Table, r.row.InviteVersion)
	inv.Password = r.row.Password != ""
	r.recorded.invites = &NewInvites{r.row.InviteVersion, inv.rows(r.row.Table)}
	return inv
}

// inviteVersions says how often the link for a role was made.
type inviteVersions map[table.Role]uint16

// versionsOf reads TableRow.InviteVersion. The low half is the version of the link for players. The
// high half differs from zero where the two links were not renewed together. A link comes back
// after 65,536 renewals.
func versionsOf(joined uint32) inviteVersions {
	low, high := uint16(joined), uint16(joined>>16) //nolint:gosec // the halves
	return inviteVersions{table.RolePlayer: low, table.RoleSpectator: low ^ high}
}

// join is the inverse of versionsOf.
func (v inviteVersions) join() uint32 {
	low := v[table.RolePlayer]
	return uint32(low^v[table.RoleSpectator])<<16 | uint32(low)
}

// invites derives the secrets of the invite links. So the links can be shown again although only
// the hashes are stored.
func (rs *Rooms) invites(t id.OID, version uint32) Invites {
	versions := versionsOf(version)
	derive := func(role table.Role) string {
		m := hmac.New(sha256.New, rs.cfg.InviteKey)
		m.Write(t[:])
		m.Write(binary.BigEndian.AppendUint32([]byte{byte(role)}, uint32(versions[role])))
		return base64.RawURLEncoding.EncodeToString(m.Sum(nil)[:16])
	}
	return Invites{Player: derive(table.RolePlayer), Spectator: derive(table.RoleSpectator)}
}

// leads reports whether an invite for a role still leads to a table. It may have been renewed since
// it was found in the store.
func (rs *Rooms) leads(r *room, invite string, role table.Role) bool {
	now := rs.invites(r.row.Table, r.row.InviteVersion)
	if role == table.RolePlayer {
		return invite == now.Player
	}
	return invite == now.Spectator
}

func (i Invites) rows(t id.OID) []InviteRow {
	return []InviteRow{
		{Token: sha256.Sum256([]byte(i.Player)), Table: t, Role: uint8(table.RolePlayer)},
		{Token: sha256.Sum256([]byte(i.Spectator)), Table: t, Role: uint8(table.RoleSpectator)},
	}
}

// newToken draws a seat token of 128 bits and returns it with its hash. Only the hash is kept.
func newToken(random io.Reader) (string, Hash, error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", Hash{}, fmt.Errorf("draw seat token: %w", err)
	}
	token := base64.RawURLEncoding.EncodeToString(b[:])
	return token, sha256.Sum256([]byte(token)), nil
}
