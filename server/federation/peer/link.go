package peer

import (
	"crypto/ed25519"
	"errors"
	"fmt"

	"holt/server/id"
)

// State is how far a link has come:
//
//	Pending ──▶ Active ◀──▶ Paused
//	   └──────────────────────▲
//
// From each it may be removed.
type State uint8

// The states of a link. Their numbers are stored.
const (
	Pending State = 1 // its operator has accepted, ours has to confirm (O32)
	Active  State = 2
	Paused  State = 3 // nothing is answered but that it is paused
)

func (s State) String() string {
	switch s {
	case Pending:
		return "pending"
	case Active:
		return "active"
	case Paused:
		return "paused"
	default:
		return "unknown"
	}
}

// Link is the agreement with a host (O32, O34, O36), as it is kept.
type Link struct {
	Key   ed25519.PublicKey
	State State
	// Gives is what the host may do here, Given what we may do there, as it has said last.
	Gives, Given Rights
	Limits       Limits
	// Since is when the link was made.
	Since id.Millis
	// Refused counts the requests of the host that nobody in order could have made (O35).
	Refused int64
	// Why says why a paused link is, for the operator; it may be empty.
	Why string
}

// Host returns the identifier of the host.
func (l *Link) Host() id.GWID { return HostOf(l.Key) }

// Limits bound what a linked host may cost (O36).
type Limits struct {
	AtOnce    int   // requests that are carried out at the same time
	PerSecond int   // requests, on average
	Objects   int   // that it keeps here
	Bytes     int64 // that they have
}

// DefaultLimits are the limits of a new link.
var DefaultLimits = Limits{AtOnce: 64, PerSecond: 200, Objects: 100_000, Bytes: 1 << 30}

// Check reports what is wrong with limits.
func (l Limits) Check() error {
	switch {
	case l.AtOnce < 1 || l.AtOnce > 4096:
		return fmt.Errorf("%d requests at once are not from 1 to 4096", l.AtOnce)
	case l.PerSecond < 1 || l.PerSecond > 100_000:
		return fmt.Errorf("%d requests a second are not from 1 to 100000", l.PerSecond)
	case l.Objects < 0 || l.Bytes < 0:
		return errors.New("a quota is below zero")
	}
	return nil
}

// Room returns ErrQuota if a host that keeps so much here already may not keep as much more.
func (l Limits) Room(objects int, bytes int64, moreObjects int, moreBytes int64) error {
	if objects+moreObjects > l.Objects || bytes+moreBytes > l.Bytes {
		return ErrQuota
	}
	return nil
}
