package room

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// A link for a seat moves the seat to another device (T54). It holds what it is for, signed by the
// server, and how often the token of the seat was replaced before. So it works once, it ends with
// the token, and the server stores nothing for it.

// LinkLife is how long a link for a seat is valid.
const LinkLife id.Millis = 15 * 60_000

// seatLink is what a link for a seat says.
type seatLink struct {
	table  id.OID
	seat   id.Seat
	by     id.Seat // the seat that made it; 0: the operator
	tokens uint32  // as table.SeatInfo's when it was made
	until  id.Millis
}

const (
	linkBody = 16 + 4 + 4 + 4 + 8
	linkSize = linkBody + 16
)

// encode returns the last part of the link.
func (l *seatLink) encode(key []byte) string {
	b := slices.Clone(l.table[:])
	b = binary.BigEndian.AppendUint32(b, uint32(l.seat))
	b = binary.BigEndian.AppendUint32(b, uint32(l.by))
	b = binary.BigEndian.AppendUint32(b, l.tokens)
	b = binary.BigEndian.AppendUint64(b, uint64(l.until)) //nolint:gosec // after 1970
	return base64.RawURLEncoding.EncodeToString(append(b, linkSum(key, b)...))
}

// linkSum signs what a link says.
func linkSum(key, body []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("holt seat link"))
	m.Write(body)
	return m.Sum(nil)[:linkSize-linkBody]
}

// decodeLink reads a link. ErrNoLink unless this server made it.
func decodeLink(key []byte, text string) (seatLink, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) != linkSize || !hmac.Equal(b[linkBody:], linkSum(key, b[:linkBody])) {
		return seatLink{}, ErrNoLink
	}
	at := b[16:]
	return seatLink{
		table: id.OID(b[:16]),
		seat:  id.Seat(binary.BigEndian.Uint32(at)), by: id.Seat(binary.BigEndian.Uint32(at[4:])),
		tokens: binary.BigEndian.Uint32(at[8:]),
		until:  id.Millis(binary.BigEndian.Uint64(at[12:])), //nolint:gosec // as it was written
	}, nil
}

// MakeLink makes a link that moves a seat to another device: one's own seat, or, as a host,
// somebody else's. Everybody is informed of the latter before MakeLink returns (T55). until is when
// the link ends. ErrRole if s may not; ErrOver if that seat is not in use; ErrVisitor, for a
// referee, too; ErrLogFull.
func (rs *Rooms) MakeLink(
	ctx context.Context, s Session, seat id.Seat,
) (link string, until id.Millis, err error) {
	if seat != s.Seat && !s.Role.Hosts() {
		return "", 0, ErrRole
	}
	l, err := change(ctx, rs, s, func(r *room) (l seatLink, err error) {
		who, ok := r.table.Seat(seat)
		if !ok || who.Left != 0 {
			return l, ErrOver
		}
		if err := r.mayLink(s.Seat, &who); err != nil {
			return l, err
		}
		if seat != s.Seat && r.space.reserveUsed() {
			return l, ErrLogFull
		}
		if seat != s.Seat {
			before := r.recorded.estimatedBytes
			r.table.NoteLink(seat, s.Seat, r.now())
			r.record()
			r.charge(s.Seat, before)
		}
		return r.linkOf(&who, s.Seat), nil
	})
	if err != nil {
		return "", 0, err
	}
	return l.encode(rs.cfg.InviteKey), l.until, nil
}

// mayLink returns why a seat may neither make a link for a seat, nor have made one that is still
// valid: roles may have changed since.
func (r *room) mayLink(by id.Seat, who *table.SeatInfo) error {
	maker, _ := r.table.Seat(by)
	switch {
	case by == who.Seat:
		return nil
	case maker.Left != 0 || !maker.Role.Hosts(),
		maker.Role != table.RoleHost && who.Role == table.RoleHost: // T66
		return ErrRole
	// All have agreed to this person alone (T74).
	case who.Role == table.RoleReferee, who.Referee.Proposal != 0, who.Home != "":
		return ErrVisitor
	}
	return nil
}

// linkOf returns a link for a seat that another one makes now; 0: the operator.
func (r *room) linkOf(who *table.SeatInfo, by id.Seat) seatLink {
	return seatLink{
		table: r.row.Table, seat: who.Seat, by: by, tokens: who.Tokens, until: r.now() + LinkLife,
	}
}

// MakeHostLink makes a link for the operator. By it the first host of a table comes back who has
// lost their only device. The room announces the link to everybody before MakeHostLink returns.
// Errors: ErrNoHost, ErrNoTable, ErrGone, ErrDamaged.
func (rs *Rooms) MakeHostLink(ctx context.Context, t id.OID) (HostLink, error) {
	if err := rs.cfg.Store.Writable(); err != nil {
		return HostLink{}, err
	}
	made, err := inRoom(ctx, rs, t, func(r *room) (HostLink, error) {
		who, ok := r.firstHost()
		if !ok {
			return HostLink{}, ErrNoHost
		}
		l := r.linkOf(&who, 0)
		r.table.NoteLink(who.Seat, 0, r.now())
		r.record()
		return HostLink{
			Link: l.encode(rs.cfg.InviteKey), Title: r.row.Title, Name: who.Name(), Until: l.until,
		}, nil
	})
	if err != nil {
		return HostLink{}, err
	}
	rs.cfg.Log.Info("the operator made a link for a host", "table", t.String(), "seat", made.Name)
	return made, nil
}

// HostLink is a link that the operator made for the seat of a host.
type HostLink struct {
	Link  string
	Title string // of the table
	Name  string // of the seat
	Until id.Millis
}

// firstHost returns the host who came first. It reports false if there is none.
func (r *room) firstHost() (table.SeatInfo, bool) {
	for _, s := range r.table.Seats() {
		if s.Role == table.RoleHost && s.Left == 0 {
			return s, true
		}
	}
	return table.SeatInfo{}, false
}

// SeatLink says where a link for a seat leads.
type SeatLink struct {
	Table id.OID
	Title string
	Name  string // of the seat
	// The name of the host who made it for somebody else; empty if its own seat or the operator
	// made it.
	By       string
	Operator bool // the operator made it
}

// FindLink says where a link for a seat leads, and does not use it up. ErrNoLink if it is invalid,
// used or too old.
func (rs *Rooms) FindLink(ctx context.Context, link string) (SeatLink, error) {
	return followLink(ctx, rs, link,
		func(r *room, l seatLink, who table.SeatInfo) (SeatLink, error) {
			found := SeatLink{
				Table: l.table, Title: r.row.Title, Name: who.Name(), Operator: l.by == 0,
			}
			if by, _ := r.table.Seat(l.by); l.by != l.seat {
				found.By = by.Name()
			}
			return found, nil
		})
}

// UseLink moves a seat to the person that has a link for it. They get a new token; the old one is
// void everywhere (T54). It returns when that is durable. ErrNoLink; ErrBusy if pieces of the table
// are just becoming a set for the seat.
func (rs *Rooms) UseLink(ctx context.Context, link string) (Taken, error) {
	if err := rs.cfg.Store.Writable(); err != nil {
		return Taken{}, err
	}
	token, hash, err := newToken(rs.cfg.Random)
	if err != nil {
		return Taken{}, err
	}
	return followLink(ctx, rs, link, func(r *room, l seatLink, who table.SeatInfo) (Taken, error) {
		if r.table.MakesSet(l.seat) {
			return Taken{}, ErrBusy
		}
		r.table.Move(l.seat, l.by, r.now())
		r.record()
		rs.revokeSeat(r, l.seat, l.by, holtpb.Farewell_FAREWELL_MOVED)
		r.recorded.seats = append(r.recorded.seats, SeatRow{Token: hash, Seat: l.seat})
		if l.by == 0 {
			r.whenDurable(func(err error) {
				if err == nil {
					r.log.Info("the operator's link for a host was used", "seat", l.seat)
				}
			})
		}
		return Taken{
			Session: Session{
				Table: l.table, Seat: l.seat, Role: who.Role, Tokens: who.Tokens + 1,
			},
			Token: token,
		}, nil
	})
}

// followLink is inRoom with the seat to which a link leads. ErrNoLink.
func followLink[T any](
	ctx context.Context, rs *Rooms, link string,
	f func(*room, seatLink, table.SeatInfo) (T, error),
) (v T, err error) {
	l, err := decodeLink(rs.cfg.InviteKey, link)
	if err != nil {
		return v, err
	}
	return inRoom(ctx, rs, l.table, func(r *room) (v T, err error) {
		who, ok := r.table.Seat(l.seat)
		if !ok || who.Left != 0 || who.Tokens != l.tokens || r.now() >= l.until ||
			l.by != 0 && r.mayLink(l.by, &who) != nil {
			return v, ErrNoLink
		}
		return f(r, l, who)
	})
}
