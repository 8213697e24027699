package peer

import (
	"crypto/ed25519"
	"errors"
	"fmt"

	"holt/server/id"
)

// State is the state of a link:
//
//	Pending ──▶ Active ◀──▶ Paused
//	   └──────────────────────▲
//
// A link can be removed in each state.
type State uint8

// The states of a link. Their numbers are stored.
const (
	Pending State = 1 // its operator has accepted, this one must confirm (O32)
	Active  State = 2
	Paused  State = 3 // the only answer is that the link is paused
)

func (s State) String() string {
	if s > Paused {
		s = 0
	}
	return [...]string{"unknown", "pending", "active", "paused"}[s]
}

// Link is the agreement with a host (O32, O34, O36), as it is stored.
type Link struct {
	Key   ed25519.PublicKey
	State State
	// Gives is what the host may do here. Given is what this host may do there, as the other one
	// said last.
	Gives, Given Rights
	Limits       Limits
	// Since is when the link was made.
	Since id.Millis
	// Refused counts the requests of the host that no host in order could have made (O35).
	Refused int64
	// Why says for the operator why a link is paused. It may be empty.
	Why string
}

// Host returns the identifier of the host.
func (l *Link) Host() id.HostID { return HostOf(l.Key) }

// Limits bound what a linked host may cost (O36).
type Limits struct {
	AtOnce    int   // requests that are carried out at the same time
	PerSecond int   // requests, on average
	Objects   int   // that it keeps here
	Bytes     int64 // of these objects
}

// DefaultLimits are the limits of a new link.
var DefaultLimits = Limits{AtOnce: 64, PerSecond: 200, Objects: 100_000, Bytes: 1 << 30}

// Check returns an error if a limit is out of bounds.
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
