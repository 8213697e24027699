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

// linked is a server that the one under attack is linked with: it has a key, a link and rights, and says what it likes.
type linked struct {
	// Set at construction.
	attacker *attacker
	key      ed25519.PrivateKey
	store    *cellar
	host     id.GWID // whom it attacks
	up       chan struct{}

	// Set by prepareLargest.
	largest []byte

	mu sync.Mutex
	// Guarded by mu.
	links  *peer.Links
	number uint64
}

// linkedTimeout bounds how long a link takes to be there.
const linkedTimeout = 30 * time.Second

// linkedFor prepares a link, and does a step: an attack that is not answered does not reach the server.
func linkedFor(step func(context.Context, *attacker)) func(context.Context, *attacker) error {
	return func(ctx context.Context, t *attacker) error {
		if err := prepareLink(ctx, t); err != nil {
			return err
		}
		return t.firstStep(ctx, step)
	}
}

// firstStep does a step and waits until it is answered.
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

// prepareLink accepts an invitation, and waits until the link is there.
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
	_, key, _ := ed25519.GenerateKey(rand.Reader) // it never fails
	l := &linked{attacker: t, key: key, store: &cellar{links: map[id.GWID]peer.Link{}}, host: offer.Host(), up: make(chan struct{}, 1)}
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

// start begins a life of the process of this server.
func (l *linked) start(ctx context.Context) error {
	links, err := peer.New(ctx, peer.Config{
		Key: l.key, Name: "Mallory's", Store: l.store, Log: slog.New(slog.DiscardHandler), Dialer: &endpoint.Dialer{}, Private: true,
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

// stop ends a life of the process.
func (l *linked) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), attackerTimeout)
	defer cancel()
	_ = l.now().Shutdown(ctx) // it is left behind
}

func (l *linked) now() *peer.Links {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.links
}

// Up is one of the methods of a peer.Machine.
func (l *linked) Up(id.GWID) {
	select {
	case l.up <- struct{}{}:
	default:
	}
}

// Down is one of the methods of a peer.Machine.
func (l *linked) Down(id.GWID) {}

// What stands before messages between servers.
const (
	wordObject    = 0x01
	wordFetch     = 0x02
	wordFetched   = 0x03
	wordVisit     = 0x11
	wordOfVisitor = 0x12
)

// Receive counts what is answered, as the status that it would have by HTTP, and says that nothing is remembered (O47).
func (l *linked) Receive(host id.GWID, m peer.Message) {
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
		answer := object.Message{Process: msg.Process, Number: msg.Number, Body: &object.Remembered{}}
		_ = l.now().Send(host, peer.Message{Bytes: answer.Append([]byte{wordObject})}) // it is asked again
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

// word sends a message that asks for something. What cannot be sent, because too much waits or the link is paused, counts as 0.
func (t *attacker) word(b []byte) (sent bool) {
	if t.linked == nil {
		return false
	}
	if err := t.linked.now().Send(t.linked.host, peer.Message{Request: true, Bytes: b}); err != nil {
		t.answered(0)
		return false
	}
	return true
}

// ask sends a request about objects. It reports false if too much waits to be sent.
func (t *attacker) ask(b object.Body) (sent bool) {
	m := object.Message{Process: 1, Number: t.linkedNumber(), Body: b}
	return t.word(m.Append([]byte{wordObject}))
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

// unknown returns an identifier that the server under attack has never given out.
func (t *attacker) unknown() (oid id.OID) {
	_, _ = rand.Read(oid[:]) // it never fails
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
	t.ask(&object.Call{OID: t.unknown(), Number: t.linkedNumber(), Method: "shuffle", Args: make([]byte, 1000)})
}

// stepDeeds swaps by a deed that nobody has signed.
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

// prepareLargest makes what stepLargest sends: the attacker's own work must not slow the server's machine.
func prepareLargest(ctx context.Context, t *attacker) error {
	if err := prepareLink(ctx, t); err != nil {
		return err
	}
	t.linked.largest = make([]byte, object.MaxEnvelope)
	_, _ = rand.Read(t.linked.largest) // it never fails
	return t.firstStep(ctx, stepLargest)
}

// roomAgain is when an attacker tries again who has as much to send as they can hold.
const roomAgain = 20 * time.Millisecond

// stepLargest offers as much as a message may have, as often as the server takes it.
func stepLargest(ctx context.Context, t *attacker) {
	if t.linked == nil || t.ask(&object.Offer{Deed: t.badDeed(), Envelope: t.linked.largest}) {
		return
	}
	select {
	case <-time.After(roomAgain):
	case <-ctx.Done():
	}
}

// stepRelinks ends the process of the linked server, and begins another one, which connects.
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

// stepVisits asks for the bag of somebody who is not known.
func stepVisits(_ context.Context, t *attacker) {
	b := binary.BigEndian.AppendUint64([]byte{wordVisit}, t.linkedNumber())
	t.word(fmt.Appendf(b, `{"do":"bag","person":%q}`, t.unknown()))
}

// stepFetches asks for a picture that there is not.
func stepFetches(_ context.Context, t *attacker) {
	b := binary.BigEndian.AppendUint64([]byte{wordFetch}, t.linkedNumber())
	hash := make([]byte, 32)
	_, _ = rand.Read(hash) // it never fails
	t.word(append(append(b, hash...), make([]byte, 8)...))
}

// cellar keeps the links of a server in memory.
type cellar struct {
	mu sync.Mutex
	// Guarded by mu.
	links map[id.GWID]peer.Link
	cards [][]byte
}

// PeerLinks returns all links.
func (c *cellar) PeerLinks(context.Context) (links []peer.Link, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.links {
		links = append(links, l)
	}
	return links, nil
}

// PutPeerLink keeps a link.
func (c *cellar) PutPeerLink(_ context.Context, l peer.Link) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.links[l.Host()] = l
	return nil
}

// PeerCards returns the cards of hosts.
func (c *cellar) PeerCards(context.Context) ([][]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cards, nil
}

// PutPeerCard keeps a card.
func (c *cellar) PutPeerCard(_ context.Context, _ id.GWID, card []byte, _ ...id.GWID) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cards = append(c.cards, card)
	return nil
}

// RemovePeerLink does nothing: no link is removed here.
func (*cellar) RemovePeerLink(context.Context, id.GWID) error { return nil }

// AddPeerInvitation does nothing: nobody is invited here.
func (*cellar) AddPeerInvitation(context.Context, peer.Invitation, id.Millis) error { return nil }

// PeerInvitation knows none.
func (*cellar) PeerInvitation(context.Context, peer.Hash) (peer.Invitation, error) {
	return peer.Invitation{}, peer.ErrNoInvitation
}

// TakePeerInvitation knows none.
func (*cellar) TakePeerInvitation(context.Context, peer.Hash, peer.Link) error {
	return peer.ErrNoInvitation
}
