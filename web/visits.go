package web

import (
	"context"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// Visits knows the people of this server and of linked ones (*people.Visits).
type Visits interface {
	Self() id.HostID
	Name(host id.HostID) string
	// Linked returns the name of a linked server, and whether there is a link.
	Linked(host id.HostID) (string, bool)
	MayVisit() (there, here []string)
	NewPerson(
		ctx context.Context, nick string, colour uint32,
	) (p people.Person, token string, err error)
	Known(ctx context.Context, token string) (people.Person, error)
	Key(ctx context.Context, person id.OID) (key string, until id.Millis, err error)
	WhoseKey(ctx context.Context, key string) (people.Person, error)
	UseKey(ctx context.Context, key string) (token string, err error)
	KeepBrowser(ctx context.Context, person id.OID, token string) error
	PersonAtSeat(ctx context.Context, s room.Session) (people.SeatedPerson, error)
	Sit(ctx context.Context, s room.Session, p people.Person) error

	Find(link string) (people.Destination, error)
	Vouch(ctx context.Context, p people.Person, host id.HostID, home string) (string, error)
	Check(voucher string) (people.Voucher, error)
	Use(ctx context.Context, v people.Voucher) error
	Arrive(ctx context.Context, s room.Session, v people.Voucher) error

	Bag(ctx context.Context, person id.OID) ([]people.Item, error)
	Bring(ctx context.Context, person, set id.OID) error
	TakeHome(ctx context.Context, person, set id.OID) error
	Leave(ctx context.Context, person, set id.OID) error
	// Thaw uses the frozen copy of a set again (O41).
	Thaw(ctx context.Context, person, set id.OID) error
	// Why says in words why something is unreachable, and which server it waits for.
	Why(a table.Away, host id.HostID) string
}
