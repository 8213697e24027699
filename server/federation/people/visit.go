// Package people lets the people of this host sit down at tables of linked hosts, and their people
// sit down here (docs/protocol/object.md, O37 to O39). It knows who has their home here and vouches
// for them. It checks the vouchers of other hosts. It asks a visitor's own host for what is in
// their bag. Its messages use the same links as those of the machine of objects, and it passes on
// the messages of that machine.
//
// The package knows no pages and no rooms: package web does, and reports who has sat down where.
package people

import (
	"context"
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
	// ErrNoPerson says that no person belongs to a token, a key or a seat.
	ErrNoPerson = errors.New("nobody is known by that")
	// ErrUsed says that a voucher was used before.
	ErrUsed = errors.New("the voucher was used before")
)

// Refused is a sentence for people: why something is not done.
type Refused string

func (r Refused) Error() string { return string(r) }

// Person is somebody who has their home here, or for whom another host vouches.
type Person struct {
	OID    id.OID
	Nick   string
	Colour uint32 // 0xRRGGBB
}

// SeatedPerson is the person at a seat.
type SeatedPerson struct {
	Table  id.OID
	Seat   id.Seat
	Person id.OID
	// Home is the origin of a visitor's own server. It is empty for people who have their home
	// here.
	Home string
}

// Store stores who is who. When a method returns, what it has written survives a power failure. It
// is safe for concurrent use.
type Store interface {
	// AddPerson adds a person with the hash of a token. A zero hash means no token.
	AddPerson(ctx context.Context, p Person, token room.Hash, now id.Millis) error
	// PersonByToken returns the person who has a token. The error is ErrNoPerson if there is none.
	PersonByToken(ctx context.Context, token room.Hash) (Person, error)
	// Person returns a person of this host. The error is ErrNoPerson if there is none.
	Person(ctx context.Context, oid id.OID) (Person, error)
	// Persons returns all people who have their home here, in the order of their identifiers.
	Persons(ctx context.Context) ([]Person, error)
	// SetKey stores the hash of a key, by which one more browser gets a token of the person until
	// the given time. It replaces an older key.
	SetKey(ctx context.Context, person id.OID, key room.Hash, until id.Millis) error
	// PersonByKey returns the person of a key. The error is ErrNoPerson if there is none, or if the
	// key is too old.
	PersonByKey(ctx context.Context, key room.Hash, now id.Millis) (Person, error)
	// UseKey deletes a key, and adds the hash of a token to its person. The error is ErrNoPerson if
	// the key is not valid. Of two calls at the same time one succeeds.
	UseKey(ctx context.Context, key, token room.Hash, now id.Millis) error
	// KeepToken deletes all tokens of a person but one, and their key.
	KeepToken(ctx context.Context, person id.OID, token room.Hash) error
	// PutSeatedPerson stores who sits at a seat.
	PutSeatedPerson(ctx context.Context, s SeatedPerson) error
	// SeatedPerson returns who sits at a seat. The error is ErrNoPerson if that is not known.
	SeatedPerson(ctx context.Context, table id.OID, seat id.Seat) (SeatedPerson, error)
	// UseVoucher stores until the given time that a voucher was used. The error is ErrUsed if it
	// was used before. Of two calls at the same time one succeeds.
	UseVoucher(ctx context.Context, hash room.Hash, until, now id.Millis) error
	// AddVisit stores that a person of this host goes to another one. Visited returns when they
	// last did; 0: never.
	AddVisit(ctx context.Context, person id.OID, host id.HostID, now id.Millis) error
	Visited(ctx context.Context, person id.OID, host id.HostID) (last id.Millis, err error)
	// NameSet stores the name of a set. SetName returns it, empty if there is none.
	NameSet(ctx context.Context, set id.OID, name string) error
	SetName(ctx context.Context, set id.OID) (string, error)
}

// Objects are the objects of this host (*node.Objects). The error is a *room.Unreachable if an
// object cannot be reached.
type Objects interface {
	Found(ctx context.Context, oid id.OID, c object.Class) error
	List(ctx context.Context, owner id.OID) ([]id.OID, error)
	Has(ctx context.Context, owner, oid id.OID) (bool, error)
	Give(ctx context.Context, oid id.OID, to id.HostID) error
	// Put makes a person, table or box refer to an object, and Take ends that, for all objects or
	// for none.
	Put(ctx context.Context, owner, oid id.OID) error
	Take(ctx context.Context, owner id.OID, oids ...id.OID) error
	// Boxes returns which objects are boxes (O53). Tie lets a set refer to a box, and a zero box ends
	// that.
	Boxes(ctx context.Context, oids []id.OID) ([]id.OID, error)
	Tie(ctx context.Context, set, box id.OID) error
	Move(ctx context.Context, oid id.OID, to id.HostID) error
	Bring(ctx context.Context, oid id.OID) error
	Where(ctx context.Context, oid id.OID) (id.HostID, error)
	// Recall takes a set that is here off a table elsewhere.
	Recall(ctx context.Context, set id.OID) error
	// About returns the name of a set that is here, and the table on which it lies, zero for none.
	About(ctx context.Context, set id.OID) (name string, on id.OID, err error)
	// Copy returns the time of the frozen copy of a set, if it can be used again, else 0 (O41).
	// Thaw uses it.
	Copy(ctx context.Context, set id.OID) (at id.Millis, err error)
	Thaw(ctx context.Context, set id.OID) error
	// Newer reports whether there are newer versions of the kinds of a set that is here and lies on
	// no table, and they were not declined (O30). Adopt gives them to the set. Decline remembers that
	// the set keeps its kinds: those that Newer found last are not newer any more.
	Newer(ctx context.Context, set id.OID) (bool, error)
	Adopt(ctx context.Context, set id.OID) error
	Decline(ctx context.Context, set id.OID) error
}

// Links are the links of this host (*peer.Links).
type Links interface {
	Self() id.HostID
	Link(host id.HostID) (peer.Link, bool)
	Linked() []id.HostID
	Card(host id.HostID) (peer.Card, bool)
	Sign(message []byte) []byte
	Verify(host id.HostID, message, signature []byte) bool
	Send(to id.HostID, m peer.Message) error
	// Reached reports whether there is a connection to a host.
	Reached(host id.HostID) bool
	Begin(host id.HostID) (end func(), err error)
	Refused(host id.HostID, about id.OID, what string)
}

// Config is what Visits need.
type Config struct {
	Store   Store
	Objects Objects
	Links   Links
	Tables  Tables
	Key     []byte // lasts as long as the data; the key of doors is derived from it
	Mint    func() (id.OID, error)
	Now     func() id.Millis
	Log     *slog.Logger
}

// Visits are the visits from and to this host. Their methods are safe for concurrent use.
type Visits struct {
	// Set at construction.
	cfg       Config
	questions peer.Questions
	passes    passes
	boxing    boxing
	// what has come through doors
	deliveries deliveries
	running    sync.WaitGroup // answers to other hosts
}

// New returns the visits of a host.
func New(cfg Config) *Visits {
	return &Visits{cfg: cfg}
}

// Shutdown waits until all requests of other hosts are answered. The links must be shut down
// before. The error is that of ctx, if ctx ended first.
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

// Self returns the identifier of this host.
func (v *Visits) Self() id.HostID { return v.cfg.Links.Self() }

// Name returns the name of a host for people: the one on its card. If another known host has the
// same name, the beginning of the identifier follows. A host without a card has its identifier as
// name.
func (v *Visits) Name(host id.HostID) string {
	c, ok := v.cfg.Links.Card(host)
	if !ok {
		return peer.Fingerprint(host)
	}
	for _, other := range append(v.cfg.Links.Linked(), v.Self()) {
		if o, ok := v.cfg.Links.Card(other); ok && other != host &&
			strings.EqualFold(o.Name, c.Name) {
			return c.Name + " (" + peer.Fingerprint(host)[:9] + ")"
		}
	}
	return c.Name
}

// maxNick is how many characters a nick may have.
const maxNick = 40

func check(p Person) error {
	err := game.CheckName(p.Nick, 1, maxNick)
	if err == nil && (p.Colour > 0xffffff || strings.ContainsRune(p.Nick, table.HomeSign)) {
		err = errors.New("not a nick or a colour")
	}
	return err
}

// NewPerson makes a person whose home is here. It returns the only copy of the person's token. The
// error wraps room.ErrPerson if the nick or the colour is invalid, and room.ErrStorage if the
// person could not be stored.
func (v *Visits) NewPerson(
	ctx context.Context, nick string, colour uint32,
) (p Person, token string, err error) {
	p = Person{Nick: nick, Colour: colour}
	if err := check(p); err != nil {
		return p, "", fmt.Errorf("%w: %w", room.ErrPerson, err)
	}
	if p.OID, err = v.cfg.Mint(); err != nil {
		return p, "", fmt.Errorf("%w: %w", room.ErrStorage, err)
	}
	token = secret()
	if err := v.cfg.Store.AddPerson(ctx, p, hashOf(token), v.cfg.Now()); err != nil {
		return p, "", fmt.Errorf("%w: %w", room.ErrStorage, err)
	}
	return p, token, v.cfg.Objects.Found(ctx, p.OID, object.Person)
}

// Known returns the person who has a token. The error is ErrNoPerson if there is none.
func (v *Visits) Known(ctx context.Context, token string) (Person, error) {
	return v.cfg.Store.PersonByToken(ctx, hashOf(token))
}

// PersonLookup returns a function that asks a store who sits at a seat. It returns zero if that is
// not known.
func PersonLookup(store Store) func(ctx context.Context, s room.Session) id.OID {
	return func(ctx context.Context, s room.Session) id.OID {
		at, err := store.SeatedPerson(ctx, s.Table, s.Seat)
		if err != nil {
			return id.OID{}
		}
		return at.Person
	}
}

// PersonAtSeat returns who sits at a seat. The error is ErrNoPerson if that is not known.
func (v *Visits) PersonAtSeat(ctx context.Context, s room.Session) (SeatedPerson, error) {
	return v.cfg.Store.SeatedPerson(ctx, s.Table, s.Seat)
}

// Sit stores who sits at a seat whose person was not known.
func (v *Visits) Sit(ctx context.Context, s room.Session, p Person) error {
	return v.cfg.Store.PutSeatedPerson(ctx, SeatedPerson{Table: s.Table, Seat: s.Seat, Person: p.OID})
}

// SitAs stores who sits at a seat, as they sit at another one.
func (v *Visits) SitAs(ctx context.Context, is SeatedPerson) error {
	return v.cfg.Store.PutSeatedPerson(ctx, is)
}

// PersonOf returns a person of this host. The error is ErrNoPerson if there is none.
func (v *Visits) PersonOf(ctx context.Context, oid id.OID) (Person, error) {
	return v.cfg.Store.Person(ctx, oid)
}

// Linked returns the name of a linked host, and whether there is a link to it.
func (v *Visits) Linked(host id.HostID) (string, bool) {
	if _, ok := v.cfg.Links.Link(host); !ok {
		return "", false
	}
	return v.Name(host), true
}
