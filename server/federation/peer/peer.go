// Package peer links servers (docs/protocol/object.md, O31 to O36): it knows who is linked, by which key and with which rights; how
// links come about, by invitations that people send each other; keeps one connection to each linked host, over QUIC or, where UDP does not
// pass, over a WebSocket, authenticated and encrypted either way; and carries messages over it, each once and those about one object in their order.
//
// It does not know what these messages mean: that is the business of whoever is its Machine. It has the sockets, the clock and the
// goroutines for links, and keeps what has to outlast the process in a Store.
package peer

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"

	"holt/server/id"
)

// MaxMessage is how many bytes a message has at most: an envelope (O3) with what is around it.
const MaxMessage = 1<<20 + 128<<10

// Message is what linked hosts say to each other about objects.
type Message struct {
	// About is the object that it is about: those about the same object are received in the order in which they were sent (O15). The zero
	// OID is none: such a message waits for no other.
	About id.OID
	// Request says that it asks for something: such messages are counted against the link's rate (O36).
	Request bool
	// Bytes are the message, at most MaxMessage. They must not be changed once they were sent, and belong to whoever receives them.
	Bytes []byte
}

// Machine is whom links carry messages for. Of each host one method at a time is called.
type Machine interface {
	// Receive takes a message of a linked host. Nothing more is taken from that host before it returns.
	Receive(host id.GWID, m Message)
	// Up says that a host can be reached: it has come, or has come again with a new life, in which it knows nothing of what it was asked (O18).
	Up(host id.GWID)
	// Down says that it cannot be reached any more. What it was sent and has not answered may be lost.
	Down(host id.GWID)
}

// Keeper is a Machine that knows what each of two hosts has of the other (O32).
type Keeper interface {
	// Kept returns how many objects of a host's making are here, and how many of ours are there.
	Kept(host id.GWID) (here, there int)
}

// nobody is the machine of a host without objects.
type nobody struct{}

// Receive does nothing.
func (nobody) Receive(id.GWID, Message) {}

// Up does nothing.
func (nobody) Up(id.GWID) {}

// Down does nothing.
func (nobody) Down(id.GWID) {}

// Errors of Send and of what operators ask for.
var (
	// ErrStranger says that there is no link to the host (O16).
	ErrStranger = errors.New("there is no link to this server")
	// ErrPaused says that the link is paused, or waits to be confirmed.
	ErrPaused = errors.New("the link to this server is paused")
	// ErrBusy says that there is too much on its way already, or at once (O36).
	ErrBusy = errors.New("too much at once")
	// ErrQuota says that the link keeps as much here as it may (O36).
	ErrQuota = errors.New("the link keeps as much here as it may")
	// ErrTooLarge says that a message has more than MaxMessage bytes.
	ErrTooLarge = errors.New("the message is too large")
	// ErrClosed says that the links are shut down.
	ErrClosed = errors.New("the server is stopping")
	// ErrNoInvitation says that an invitation is not known: never made, used, or too old (O32).
	ErrNoInvitation = errors.New("the invitation is not good any more: it is good once, and for 24 hours")
)

// Store keeps what links need across restarts. What a method has written survives a power failure when it returns.
type Store interface {
	// PeerLinks returns all links.
	PeerLinks(ctx context.Context) ([]Link, error)
	// PutPeerLink writes a link, new or known.
	PutPeerLink(ctx context.Context, l Link) error
	// RemovePeerLink forgets a link and the card of its host.
	RemovePeerLink(ctx context.Context, host id.GWID) error
	// PeerCards returns the signed cards of hosts (O31).
	PeerCards(ctx context.Context) ([][]byte, error)
	// PutPeerCard writes the signed card of a host in the place of the one that is there, and forgets those of the hosts in gone.
	PutPeerCard(ctx context.Context, host id.GWID, card []byte, gone ...id.GWID) error
	// AddPeerInvitation keeps an invitation, and forgets those that are too old at now.
	AddPeerInvitation(ctx context.Context, i Invitation, now id.Millis) error
	// PeerInvitation returns the invitation with a hash; ErrNoInvitation if there is none.
	PeerInvitation(ctx context.Context, hash Hash) (Invitation, error)
	// TakePeerInvitation takes an invitation away and writes the link that has come of it, both or nothing; ErrNoInvitation if there is none.
	TakePeerInvitation(ctx context.Context, hash Hash, l Link) error
}

// Hash is the SHA-256 of a secret.
type Hash [sha256.Size]byte

// HostOf returns the identifier of the host that has a key (O1).
func HostOf(key ed25519.PublicKey) id.GWID {
	sum := sha256.Sum256(key)
	return id.GWID(sum[:8])
}

// Fingerprint returns the identifier of a host in groups that people can compare: "3f2a 91c4 08de 77b1".
func Fingerprint(host id.GWID) string {
	return fmt.Sprintf("%x %x %x %x", host[0:2], host[2:4], host[4:6], host[6:8])
}
