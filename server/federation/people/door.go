package people

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"holt/server/components/schema"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
)

// Doors lead from a table of this host to another table, here or at a linked host (O49, O50). The
// host of a table makes one with an invite of the other table. The invite is sealed: the page has
// the sealed text, and only this host can read it. Whoever opens a door to a linked host gets a
// pass there, which is good for one seat, and never the invite.

// Tables are the tables of this host (*room.Rooms).
type Tables interface {
	// Invite returns where an invite leads. The error is room.ErrNoInvite if it leads nowhere, and
	// room.ErrGone if its table was deleted.
	Invite(ctx context.Context, secret string) (room.Invite, error)
	// Deliver puts a set on a table that comes through a door.
	Deliver(ctx context.Context, table id.OID, d room.Delivery) error
	// SeatsInPlay returns the seats of a table whose people play.
	SeatsInPlay(ctx context.Context, table id.OID) ([]id.Seat, error)
	// Claim gives a set to a seat that came through a door when its person had none.
	Claim(ctx context.Context, s room.Session, set id.OID) error
}

// ErrTableGone says that the table behind a door was deleted.
var ErrTableGone = errors.New("the table behind the door was deleted")

// Door is where a door leads.
type Door struct {
	Table  id.OID
	Invite string
	// Origin is where browsers find the other host. It is empty for a table of this one.
	Origin string
}

// Behind is what people may know of the table behind a door.
type Behind struct {
	Title  string
	Server string // the name of its host; empty: this one
}

// FindDoor returns the door from a table of this host to the table to which an invite link leads,
// whose host agrees. own is the secret in the link, if it is a link of this host. The error is a
// Refused if there can be no such door.
func (v *Visits) FindDoor(
	ctx context.Context, from id.OID, link, own string,
) (Door, Behind, error) {
	d, b := Door{Invite: own}, Behind{}
	if own == "" {
		to, err := v.Find(link)
		if err != nil {
			return d, b, err
		}
		d.Invite, d.Origin = to.Invite, to.Origin
		a, err := v.askDoor(ctx, to.Host, request{Do: doDoor, Invite: to.Invite})
		if err != nil {
			return d, b, sentenceOfDoor(err)
		}
		if d.Table, err = id.ParseOID(a.Table); err != nil || d.Table.Creator() != to.Host {
			v.cfg.Links.Refused(to.Host, id.OID{}, "a door to a table that is not its own")
			return d, b, &room.Unreachable{Reason: table.AwayOwner, Host: to.Host}
		}
		b = Behind{Title: titleOf(a.Title), Server: to.Name}
	} else {
		i, err := v.cfg.Tables.Invite(ctx, own)
		if err != nil {
			return d, b, sentenceOfDoor(err)
		}
		d.Table, b.Title = i.Table, titleOf(i.Title)
		if err := v.cfg.Objects.Found(ctx, d.Table, object.Table); err != nil {
			return d, b, err
		}
	}
	if d.Table == from {
		return d, b, Refused("That link leads to this very table.")
	}
	return d, b, nil
}

// HoldDoor lets a table of this host refer to the table behind a door.
func (v *Visits) HoldDoor(ctx context.Context, from id.OID, d Door) error {
	if err := v.cfg.Objects.Found(ctx, from, object.Table); err != nil {
		return err
	}
	return v.cfg.Objects.Put(ctx, from, d.Table)
}

// sentenceOfDoor puts into words why there can be no door.
func sentenceOfDoor(err error) error {
	switch {
	case errors.Is(err, ErrTableGone), errors.Is(err, room.ErrGone):
		return Refused("The table to which that link leads was thrown away.")
	case errors.Is(err, room.ErrNoInvite):
		return Refused("That link leads to no table: it may have been replaced by a new one.")
	default:
		return err
	}
}

// titleOf returns a title that a door can have.
func titleOf(title string) string {
	title = strings.TrimSpace(plain(title))
	if game.CheckName(title, 1, maxDoorTitle) != nil {
		return "?"
	}
	return title
}

const maxDoorTitle = 80

// DropDoor ends that a table refers to the table behind a door.
func (v *Visits) DropDoor(ctx context.Context, from id.OID, d Door) error {
	return v.cfg.Objects.Take(ctx, from, d.Table)
}

// Pass asks the host of the table behind a door for a pass, by which one person may sit down there.
// The error is ErrTableGone, room.ErrNoInvite, a *room.Unreachable, or a Refused, which says
// nothing of the door.
func (v *Visits) Pass(ctx context.Context, d Door) (string, error) {
	host := d.Table.Creator()
	// The host has moved since the door was made. The pass is not for whoever is there now.
	if v.mayGo(host) == nil && !v.isAt(host, d.Origin) {
		return "", &room.Unreachable{Reason: table.AwayOwner, Host: host}
	}
	a, err := v.askDoor(ctx, host, request{Do: doPass, Invite: d.Invite})
	switch {
	case err != nil:
		return "", err
	case a.Table == "" || a.Pass == "":
		return "", Refused(v.Name(host) + " has not understood this one.")
	case a.Table != d.Table.String():
		return "", Refused("The link behind this door leads to another table.")
	}
	return a.Pass, nil
}

// askDoor asks a linked host about a table of its own.
func (v *Visits) askDoor(ctx context.Context, host id.HostID, q request) (response, error) {
	if err := v.mayGo(host); err != nil {
		return response{}, err
	}
	a, err := v.ask(ctx, host, q)
	switch {
	case errors.Is(err, errFull):
		err = Refused("This server has too much to do. Try again in a moment.")
	case a.Gone:
		err = ErrTableGone
	case a.Void:
		err = room.ErrNoInvite
	}
	return a, err
}

// answerDoor answers a host that wants a door to a table of this one, or a pass for it, or asks
// whether sets may come there. All need an invite that is good (O49.7).
func (v *Visits) answerDoor(ctx context.Context, host id.HostID, q request) response {
	if !v.mayCome(host) {
		return response{Refuse: "This server does not let people of yours visit its tables."}
	}
	i, err := v.cfg.Tables.Invite(ctx, q.Invite)
	switch {
	case errors.Is(err, room.ErrGone):
		return response{Gone: true}
	case errors.Is(err, room.ErrNoInvite):
		return response{
			Void: true,
			// for hosts that do not know Void
			Refuse: "The table there does not let people in by this link any more: " +
				"its links were replaced.",
		}
	case err != nil:
		return response{Refuse: "That did not work there. Try again in a moment."}
	}
	switch q.Do {
	case doPass:
		return response{Table: i.Table.String(), Pass: v.passes.issue(host, q.Invite, v.cfg.Now())}
	case doMay:
		if i.Role != table.RolePlayer {
			return response{Refuse: string(errWatches)}
		}
		return response{Table: i.Table.String()}
	}
	err = v.cfg.Objects.Found(ctx, i.Table, object.Table)
	if err == nil {
		err = v.cfg.Objects.Give(ctx, i.Table, host)
	}
	if err != nil {
		v.cfg.Log.Warn("a door to a table was not given", "table", i.Table, "error", err)
		return response{Refuse: "That did not work there. Try again in a moment."}
	}
	return response{Table: i.Table.String(), Title: i.Title}
}

// doorPurpose separates the key of doors from what else follows from the same key.
const doorPurpose = "doors of tables"

func (v *Visits) doorCipher() cipher.AEAD {
	m := hmac.New(sha256.New, v.cfg.Key)
	m.Write([]byte(doorPurpose))            // it never fails
	block, err := aes.NewCipher(m.Sum(nil)) // 32 bytes
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}

type sealedDoor struct {
	Table  string `json:"table"`
	Invite string `json:"invite"`
	Origin string `json:"origin,omitempty"`
}

// Seal returns a door of a table as a text that only this host can read.
func (v *Visits) Seal(from id.OID, d Door) (string, error) {
	text, err := json.Marshal(sealedDoor{d.Table.String(), d.Invite, d.Origin})
	if err != nil {
		return "", err
	}
	aead := v.doorCipher()
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce) // it never fails
	sealed := base64.RawURLEncoding.EncodeToString(aead.Seal(nonce, nonce, text, from[:]))
	if len(sealed) > maxSealed {
		return "", Refused("That link is too long for a door.")
	}
	return sealed, nil
}

// maxSealed is how long a sealed door may be, in bytes (C14).
const maxSealed = 640

// ReadDoor returns where the door in a component leads, as Unseal does.
func (v *Visits) ReadDoor(from id.OID, data []byte) (Door, bool) {
	is, err := schema.Decode[componentpb.Door](data)
	if len(data) == 0 || err != nil {
		return Door{}, false
	}
	return v.Unseal(from, is.GetSeal())
}

// Unseal reads a door of a table. It reports false if this host did not seal it for that table.
func (v *Visits) Unseal(from id.OID, text string) (Door, bool) {
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	aead := v.doorCipher()
	if err != nil || len(sealed) < aead.NonceSize() {
		return Door{}, false
	}
	plain, err := aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], from[:])
	if err != nil {
		return Door{}, false
	}
	var s sealedDoor
	if json.Unmarshal(plain, &s) != nil {
		return Door{}, false
	}
	t, err := id.ParseOID(s.Table)
	return Door{Table: t, Invite: s.Invite, Origin: s.Origin}, err == nil
}
