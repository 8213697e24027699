// Package people lets the people of this host sit down at tables of linked ones, and theirs here (docs/protocol/object.md, O37 to
// O39): it knows who has their home here, vouches for them, takes the vouchers of others, and asks a visitor's own host for what is in
// their bag. It speaks over the links beside the machine of objects, whose messages it passes on.
//
// It knows no pages and no rooms: package web does, and tells it who has sat down where.
package people

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// Errors of a Store.
var (
	// ErrNoPerson says that nobody is known by that token or at that seat.
	ErrNoPerson = errors.New("nobody is known by that")
	// ErrUsed says that a voucher was used before.
	ErrUsed = errors.New("the voucher was used before")
)

// Refused says in a sentence for people why something is not done.
type Refused string

func (r Refused) Error() string { return string(r) }

// Person is somebody who has their home here, or is vouched for.
type Person struct {
	OID    id.OID
	Nick   string
	Colour uint32 // 0xRRGGBB
}

// Sitter says who sits at a seat.
type Sitter struct {
	Table  id.OID
	Seat   id.Seat
	Person id.OID
	// Home is where a visitor's pages find their own server, an origin; empty for who has their home here.
	Home string
}

// Store keeps who is who. What a method has written survives a power failure when it returns. Safe for concurrent use.
type Store interface {
	// AddPerson keeps a new person, known by the hash of a token; if that is zero, by none.
	AddPerson(ctx context.Context, p Person, token room.Hash, now id.Millis) error
	// PersonByToken returns who has that token; ErrNoPerson.
	PersonByToken(ctx context.Context, token room.Hash) (Person, error)
	// Person returns a person of this host; ErrNoPerson.
	Person(ctx context.Context, oid id.OID) (Person, error)
	// Persons returns all who have their home here, in the order of their identifiers.
	Persons(ctx context.Context) ([]Person, error)
	// SetKey lets a person be known to one more browser by the hash of a key until then. An older key is good no more.
	SetKey(ctx context.Context, person id.OID, key room.Hash, until id.Millis) error
	// PersonByKey returns whose key that is; ErrNoPerson if it is nobody's, or too old.
	PersonByKey(ctx context.Context, key room.Hash, now id.Millis) (Person, error)
	// UseKey uses a key up, and lets its person be known by the hash of a token; ErrNoPerson. Of two at the same time one gets it.
	UseKey(ctx context.Context, key, token room.Hash, now id.Millis) error
	// KeepToken forgets all tokens of a person but one, and their key.
	KeepToken(ctx context.Context, person id.OID, token room.Hash) error
	// PutSitter says who sits at a seat.
	PutSitter(ctx context.Context, s Sitter) error
	// Sitter returns who sits at a seat; ErrNoPerson.
	Sitter(ctx context.Context, table id.OID, seat id.Seat) (Sitter, error)
	// UseVoucher notes that a voucher was used; ErrUsed if it was before. Of two at the same time one gets it.
	UseVoucher(ctx context.Context, hash room.Hash, until, now id.Millis) error
	// AddVisit notes that a person of this host goes to another one, and Visited returns when they last did; 0: never.
	AddVisit(ctx context.Context, person id.OID, host id.GWID, now id.Millis) error
	Visited(ctx context.Context, person id.OID, host id.GWID) (last id.Millis, err error)
	// NameSet notes what a set is called, and SetName returns it, empty if it never was.
	NameSet(ctx context.Context, set id.OID, name string) error
	SetName(ctx context.Context, set id.OID) (string, error)
}

// Objects are the objects of this host (*world.World). Of what cannot be reached they return a *room.Absent.
type Objects interface {
	Found(ctx context.Context, oid id.OID, c object.Class) error
	List(ctx context.Context, owner id.OID) ([]id.OID, error)
	Has(ctx context.Context, owner, oid id.OID) (bool, error)
	Give(ctx context.Context, oid id.OID, to id.GWID) error
	Move(ctx context.Context, oid id.OID, to id.GWID) error
	Bring(ctx context.Context, oid id.OID) error
	Where(ctx context.Context, oid id.OID) (id.GWID, error)
	// Recall takes a set that is here off a table elsewhere.
	Recall(ctx context.Context, set id.OID) error
	// About returns what a set that is here is called, and on which table it lies, zero for none.
	About(ctx context.Context, set id.OID) (name string, on id.OID, err error)
	// Copy returns of when the frozen copy of a set is that can be used again, 0 for none (O41), and Thaw uses it.
	Copy(ctx context.Context, set id.OID) (at id.Millis, err error)
	Thaw(ctx context.Context, set id.OID) error
}

// Links are the links of this host (*peer.Links).
type Links interface {
	Self() id.GWID
	Link(host id.GWID) (peer.Link, bool)
	Linked() []id.GWID
	Card(host id.GWID) (peer.Card, bool)
	Sign(message []byte) []byte
	Verify(host id.GWID, message, signature []byte) bool
	Send(to id.GWID, m peer.Message) error
	// Reached reports whether there is a connection to a host.
	Reached(host id.GWID) bool
	Begin(host id.GWID) (end func(), err error)
	Refused(host id.GWID, about id.OID, what string)
}

// Config is what Visits need.
type Config struct {
	Store   Store
	Objects Objects
	Links   Links
	Mint    func() (id.OID, error)
	Now     func() id.Millis
	Log     *slog.Logger
}

// Visits are the visits from and to this host. Its methods are safe for concurrent use.
type Visits struct {
	// Set at construction.
	cfg     Config
	asking  asking
	running sync.WaitGroup // answers to other hosts
}

// New returns the visits of a host.
func New(cfg Config) *Visits {
	return &Visits{cfg: cfg, asking: asking{waiting: map[uint64]*question{}}}
}

// Shutdown waits until those who have asked are answered. The links are shut down before.
func (v *Visits) Shutdown(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		v.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("stop the visits: %w", ctx.Err())
	}
}

// Self returns which host this is.
func (v *Visits) Self() id.GWID { return v.cfg.Links.Self() }

// Name returns how a host is called: as its card says, and if another one that is known is called the same, with its number.
func (v *Visits) Name(host id.GWID) string {
	c, ok := v.cfg.Links.Card(host)
	if !ok {
		return peer.Fingerprint(host)
	}
	for _, other := range append(v.cfg.Links.Linked(), v.Self()) {
		if o, ok := v.cfg.Links.Card(other); ok && other != host && strings.EqualFold(o.Name, c.Name) {
			return c.Name + " (" + peer.Fingerprint(host)[:9] + ")"
		}
	}
	return c.Name
}

// Bounds of what a person is called, in characters.
const maxNick = 40

func check(p Person) error {
	err := game.CheckName(p.Nick, 1, maxNick)
	if err == nil && (p.Colour > 0xffffff || strings.ContainsRune(p.Nick, table.HomeSign)) {
		err = errors.New("not a nick or a colour")
	}
	return err
}

// NewPerson makes a person whose home is here, and the only copy of the token by which they are known.
func (v *Visits) NewPerson(ctx context.Context, nick string, colour uint32) (p Person, token string, err error) {
	p = Person{Nick: nick, Colour: colour}
	if err := check(p); err != nil {
		return p, "", fmt.Errorf("%w: %w", room.ErrPerson, err)
	}
	if p.OID, err = v.cfg.Mint(); err != nil {
		return p, "", fmt.Errorf("%w: %w", room.ErrStorage, err)
	}
	token = secret()
	if err := v.cfg.Store.AddPerson(ctx, p, sha256.Sum256([]byte(token)), v.cfg.Now()); err != nil {
		return p, "", fmt.Errorf("%w: %w", room.ErrStorage, err)
	}
	return p, token, v.cfg.Objects.Found(ctx, p.OID, object.Person)
}

// Known returns who has a token; ErrNoPerson.
func (v *Visits) Known(ctx context.Context, token string) (Person, error) {
	return v.cfg.Store.PersonByToken(ctx, sha256.Sum256([]byte(token)))
}

// PersonAt returns how a store is asked who sits at a seat: zero if that is not known.
func PersonAt(store Store) func(ctx context.Context, s room.Session) id.OID {
	return func(ctx context.Context, s room.Session) id.OID {
		at, err := store.Sitter(ctx, s.Table, s.Seat)
		if err != nil {
			return id.OID{}
		}
		return at.Person
	}
}

// SitterAt returns who sits at a seat; ErrNoPerson.
func (v *Visits) SitterAt(ctx context.Context, s room.Session) (Sitter, error) {
	return v.cfg.Store.Sitter(ctx, s.Table, s.Seat)
}

// Sit says who sits at a seat whose person was not known.
func (v *Visits) Sit(ctx context.Context, s room.Session, p Person) error {
	return v.cfg.Store.PutSitter(ctx, Sitter{Table: s.Table, Seat: s.Seat, Person: p.OID})
}

// Linked returns what a linked host is called, and whether there is a link to it.
func (v *Visits) Linked(host id.GWID) (string, bool) {
	if _, ok := v.cfg.Links.Link(host); !ok {
		return "", false
	}
	return v.Name(host), true
}
