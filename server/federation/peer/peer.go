// Package peer links servers (docs/protocol/object.md, O31 to O36, O44 and O45). It knows which
// hosts are linked, with which keys and rights. It makes links by invitations that operators send
// each other. It keeps one connection to each linked host, over QUIC, or over a WebSocket where UDP
// does not pass; both are authenticated and encrypted. It carries messages over the connection:
// each once, and those about one object in the order in which they were sent.
//
// The package does not know what these messages mean: a Machine does. It has the sockets, the clock
// and the goroutines of links. It stores what must outlast the process in a Store.
package peer

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"

	"holt/server/id"
)

// MaxMessage is how many bytes a message may have: an envelope (O3) with what is around it.
const MaxMessage = 1<<20 + 128<<10

// Message is what one linked host sends to another.
type Message struct {
	// About is the object that the message is about. Messages about the same object are received in
	// the order in which they were sent (O15). The zero OID means no object: such a message waits
	// for no other.
	About id.OID
	// Request says that the message is a request. Requests count against the rate of the link
	// (O36).
	Request bool
	// Bytes are the message, at most MaxMessage. They must not be changed after sending, and belong
	// to the receiver.
	Bytes []byte
}

// Machine processes the messages that links carry. Its methods are called one at a time for each
// host.
type Machine interface {
	// Receive processes a message of a linked host. The next message of that host waits until it
	// returns.
	Receive(host id.HostID, m Message)
	// Up says that a host can be reached. It has come, or has come again with a new server life, in
	// which it knows nothing of earlier requests (O18).
	Up(host id.HostID)
	// Down says that a host cannot be reached any more. Messages to it that it has not answered may
	// be lost.
	Down(host id.HostID)
}

// Keeper is a Machine that knows how many objects two hosts have of each other (O32).
type Keeper interface {
	// Kept returns how many objects of a host's making are here, and how many of this host's making
	// are there.
	Kept(host id.HostID) (here, there int)
}

// Errors of Send and of what operators do.
var (
	// ErrStranger says that there is no link to the host (O16).
	ErrStranger = errors.New("there is no link to this server")
	// ErrPaused says that the link is paused, or waits to be confirmed.
	ErrPaused = errors.New("the link to this server is paused")
	// ErrBusy says that too many messages wait already, or that too many requests are being carried
	// out (O36).
	ErrBusy = errors.New("too much at once")
	// ErrTooLarge says that a message has more than MaxMessage bytes.
	ErrTooLarge = errors.New("the message is too large")
	// ErrClosed says that the links are shut down.
	ErrClosed = errors.New("the server is stopping")
	// ErrNoInvitation says that an invitation is not known: it was never made, or is used, or is
	// too old (O32).
	ErrNoInvitation = errors.New(
		"the invitation is not good any more: it is good once, and for 24 hours",
	)
)

// Store stores what links need across restarts. When a method returns, what it has written survives
// a power failure.
type Store interface {
	// PeerLinks returns all links.
	PeerLinks(ctx context.Context) ([]Link, error)
	// PutPeerLink writes a link, new or known.
	PutPeerLink(ctx context.Context, l Link) error
	// RemovePeerLink deletes a link and the card of its host.
	RemovePeerLink(ctx context.Context, host id.HostID) error
	// PeerCards returns the signed cards of hosts (O31).
	PeerCards(ctx context.Context) ([][]byte, error)
	// PutPeerCard replaces the signed card of a host, and deletes the cards of the hosts in gone.
	PutPeerCard(ctx context.Context, host id.HostID, card []byte, gone ...id.HostID) error
	// AddPeerInvitation stores an invitation, and deletes those that are too old at now.
	AddPeerInvitation(ctx context.Context, i Invitation, now id.Millis) error
	// PeerInvitation returns the invitation with a hash. The error is ErrNoInvitation if there is
	// none.
	PeerInvitation(ctx context.Context, hash Hash) (Invitation, error)
	// TakePeerInvitation deletes an invitation and writes the link that was made by it, both or
	// nothing. The error is ErrNoInvitation if there is none.
	TakePeerInvitation(ctx context.Context, hash Hash, l Link) error
}

// Hash is the SHA-256 of a secret.
type Hash [sha256.Size]byte

// HostOf returns the identifier of the host that has a key (O1).
func HostOf(key ed25519.PublicKey) id.HostID {
	sum := sha256.Sum256(key)
	return id.HostID(sum[:8])
}

// Fingerprint returns the identifier of a host in groups that people can compare:
// "3f2a 91c4 08de 77b1".
func Fingerprint(host id.HostID) string {
	return fmt.Sprintf("%x %x %x %x", host[0:2], host[2:4], host[4:6], host[6:8])
}
