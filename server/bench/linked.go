package bench

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/transport/endpoint"
)

// linked is a server that is linked with the server under attack. It has a key, a link and rights,
// and sends whatever it likes.
type linked struct {
	// Set at construction.
	attacker *attacker
	key      ed25519.PrivateKey
	store    *memoryStore
	host     id.HostID // the server under attack
	up       chan struct{}

	// Set by prepareLargest.
	largest []byte

	mu sync.Mutex
	// Guarded by mu.
	links  *peer.Links
	number uint64
}

// linkedTimeout bounds how long a link may take to come up.
const linkedTimeout = 30 * time.Second

// firstStep does a step and waits until the server has answered it: an attack whose first step is
// not answered does not reach the server.
func (t *attacker) firstStep(ctx context.Context, step func(context.Context, *attacker)) error {
	step(ctx, t)
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		if t.reached() {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("the first step is not answered: %w", ctx.Err())
		}
	}
}

// reached reports whether the server has answered anything.
func (t *attacker) reached() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for status := range t.answers {
		if status != 0 {
			return true
		}
	}
	return false
}

// prepareLink accepts an invitation and waits until the link is up.
func prepareLink(ctx context.Context, t *attacker) error {
	if t.invite == nil {
		return errors.New("there is no invitation: the folder of the server is needed")
	}
	text, err := t.invite(ctx)
	if err != nil {
		return err
	}
	offer, err := peer.ParseOffer(text)
	if err != nil {
		return err
	}
	_, key, _ := ed25519.GenerateKey(rand.Reader) // never fails
	l := &linked{
		attacker: t, key: key, store: &memoryStore{links: map[id.HostID]peer.Link{}}, host: offer.Host(),
		up: make(chan struct{}, 1),
	}
	if err := l.start(ctx); err != nil {
		return err
	}
	t.linked = l
	const gives = peer.Visit | peer.Bring | peer.Keep | peer.Linkup
	if _, err := l.links.Accept(ctx, offer, gives, peer.DefaultLimits); err != nil {
		return fmt.Errorf("accept the invitation: %w", err)
	}
	return l.await(ctx)
}

// start starts the linked server, as a new process would.
func (l *linked) start(ctx context.Context) error {
	links, err := peer.New(ctx, peer.Config{
		Key: l.key, Name: "Mallory's", Store: l.store, Log: slog.New(slog.DiscardHandler),
		Dialer: &endpoint.Dialer{}, Private: true,
	})
	if err != nil {
		return err
	}
	links.Start(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.links = links
	return nil
}

func (l *linked) await(ctx context.Context) error {
	late := time.NewTimer(linkedTimeout)
	defer late.Stop()
	select {
	case <-l.up:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return errors.New("the link does not come up")
	}
}

// stop stops the linked server, as the end of its process would.
func (l *linked) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), attackerTimeout)
	defer cancel()
	_ = l.now().Shutdown(ctx) // the bench does not need it any more
}

func (l *linked) now() *peer.Links {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.links
}

// Up implements peer.Machine.
func (l *linked) Up(id.HostID) {
	select {
	case l.up <- struct{}{}:
	default:
	}
}

// Down implements peer.Machine.
func (l *linked) Down(id.HostID) {}

// The first byte of messages between servers.
const (
	wordObject    = 0x01
	wordFetch     = 0x02
	wordFetched   = 0x03
	wordVisit     = 0x11
	wordOfVisitor = 0x12
)

// Receive counts each answer under the HTTP status that it corresponds to. It answers a Recall with
// nothing remembered (O47).
func (l *linked) Receive(host id.HostID, m peer.Message) {
	if len(m.Bytes) == 0 {
		return
	}
	if m.Bytes[0] == wordFetched || m.Bytes[0] == wordOfVisitor {
		l.attacker.answered(200)
		return
	}
	msg, err := object.ReadMessage(m.Bytes[1:])
	if err != nil {
		return
	}
	switch b := msg.Body.(type) {
	case *object.Recall:
		answer := object.Message{
			Process: msg.Process, Number: msg.Number, Body: &object.Remembered{},
		}
		// The server asks again.
		_ = l.now().Send(host, peer.Message{Bytes: answer.Append([]byte{wordObject})})
	case *object.Refused:
		l.attacker.answered(statusOf(b.Why))
	default:
		l.attacker.answered(200)
	}
}

func statusOf(why object.Refusal) int {
	switch why {
	case object.Forbidden:
		return 403
	case object.Unknown:
		return 404
	case object.Busy, object.Quota:
		return 429
	default:
		return 400
	}
}

// request sends a request. If it cannot be sent, because too much is queued or the link is paused,
// it counts as status 0, and word reports false.
func (t *attacker) request(b []byte) (sent bool) {
	if t.linked == nil {
		return false
	}
	if err := t.linked.now().Send(
		t.linked.host, peer.Message{Request: true, Bytes: b},
	); err != nil {
		t.answered(0)
		return false
	}
	return true
}

// ask sends a request about objects. It reports false if the request cannot be sent.
func (t *attacker) ask(b object.Body) (sent bool) {
	m := object.Message{Process: 1, Number: t.linkedNumber(), Body: b}
	return t.request(m.Append([]byte{wordObject}))
}

func (t *attacker) linkedNumber() uint64 {
	if t.linked == nil {
		return 1
	}
	t.linked.mu.Lock()
	defer t.linked.mu.Unlock()
	t.linked.number++
	return t.linked.number
}

// unknown returns a random identifier of the server under attack, which that server never assigned.
func (t *attacker) unknown() (oid id.OID) {
	_, _ = rand.Read(oid[:]) // never fails
	if t.linked != nil {
		copy(oid[:], t.linked.host[:])
	}
	return oid
}

func stepSurveys(_ context.Context, t *attacker) {
	t.ask(&object.Survey{Part: uint8(1 + t.linkedNumber()%3)})
}

func stepFinds(_ context.Context, t *attacker) { t.ask(&object.Find{OID: t.unknown()}) }

func stepCalls(_ context.Context, t *attacker) {
	t.ask(&object.Call{
		OID: t.unknown(), Number: t.linkedNumber(), Method: "shuffle", Args: make([]byte, 1000),
	})
}

// stepDeeds sends a swap with a deed whose signature is invalid.
func stepDeeds(_ context.Context, t *attacker) {
	t.ask(&object.Swap{Deed: t.badDeed()})
}

func (t *attacker) badDeed() object.Deed {
	d := object.Deed{OID: t.unknown(), Term: 2, Signature: make([]byte, 64)}
	d.Signature[0] = 1
	if t.linked != nil {
		d.From, d.To = t.linked.host, t.linked.now().Self()
	}
	return d
}

// prepareLargest makes the message of stepLargest beforehand, so that the attacker's own work does
// not slow the server's machine.
func prepareLargest(ctx context.Context, t *attacker) error {
	if err := prepareLink(ctx, t); err != nil {
		return err
	}
	t.linked.largest = make([]byte, object.MaxEnvelope)
	_, _ = rand.Read(t.linked.largest) // never fails
	return t.firstStep(ctx, stepLargest)
}

// roomAgain is how long an attacker with a full queue waits before it retries.
const roomAgain = 20 * time.Millisecond

// stepLargest offers an envelope of the largest size as often as the server takes it.
func stepLargest(ctx context.Context, t *attacker) {
	if t.linked == nil || t.ask(&object.Offer{Deed: t.badDeed(), Envelope: t.linked.largest}) {
		return
	}
	pause(ctx, roomAgain)
}

// stepRelinks stops the linked server and starts it again, which connects again.
func stepRelinks(ctx context.Context, t *attacker) {
	if t.linked == nil {
		return
	}
	t.linked.stop(ctx)
	select {
	case <-t.linked.up:
	default:
	}
	if t.linked.start(ctx) != nil || t.linked.await(ctx) != nil {
		t.answered(0)
		return
	}
	t.answered(200)
}

// stepVisits asks for the bag of an unknown person.
func stepVisits(_ context.Context, t *attacker) {
	b := binary.BigEndian.AppendUint64([]byte{wordVisit}, t.linkedNumber())
	t.request(fmt.Appendf(b, `{"do":"bag","person":%q}`, t.unknown()))
}

// stepFetches asks for an unknown picture.
func stepFetches(_ context.Context, t *attacker) {
	b := binary.BigEndian.AppendUint64([]byte{wordFetch}, t.linkedNumber())
	hash := make([]byte, 32)
	_, _ = rand.Read(hash) // never fails
	t.request(append(append(b, hash...), make([]byte, 8)...))
}

// memoryStore stores the links of a server in memory.
type memoryStore struct {
	mu sync.Mutex
	// Guarded by mu.
	links map[id.HostID]peer.Link
	cards [][]byte
}

// PeerLinks returns all links.
func (c *memoryStore) PeerLinks(context.Context) (links []peer.Link, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.links {
		links = append(links, l)
	}
	return links, nil
}

// PutPeerLink stores a link.
func (c *memoryStore) PutPeerLink(_ context.Context, l peer.Link) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.links[l.Host()] = l
	return nil
}

// PeerCards returns the cards of hosts.
func (c *memoryStore) PeerCards(context.Context) ([][]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cards, nil
}

// PutPeerCard stores a card.
func (c *memoryStore) PutPeerCard(
	_ context.Context, _ id.HostID, card []byte, _ ...id.HostID,
) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cards = append(c.cards, card)
	return nil
}

// RemovePeerLink does nothing: no link is removed here.
func (*memoryStore) RemovePeerLink(context.Context, id.HostID) error { return nil }

// AddPeerInvitation does nothing: nobody is invited here.
func (*memoryStore) AddPeerInvitation(context.Context, peer.Invitation, id.Millis) error {
	return nil
}

// PeerInvitation always returns ErrNoInvitation.
func (*memoryStore) PeerInvitation(context.Context, peer.Hash) (peer.Invitation, error) {
	return peer.Invitation{}, peer.ErrNoInvitation
}

// TakePeerInvitation always returns ErrNoInvitation.
func (*memoryStore) TakePeerInvitation(context.Context, peer.Hash, peer.Link) error {
	return peer.ErrNoInvitation
}
