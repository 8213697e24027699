package peer

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"holt/server/id"
)

// What operators do with links (O32, O34, O36).

// Info is a link as an operator sees it.
type Info struct {
	Host id.HostID
	Name string // from its card; "" if there is none
	Link
	Addresses []Address
	// Network is the network of the present connection, "" if there is none.
	Network string
	// Fault says why the last call failed, or why the host refuses to talk.
	Fault string
	// Here is how many objects of the host's making are here. There is how many of this host's
	// making are there. Both are 0 unless the machine is a Keeper.
	Here, There int
}

// List returns all links, by name and host.
func (l *Links) List() []Info {
	l.mu.Lock()
	m := l.machine
	l.mu.Unlock()
	list := []Info{}
	for _, p := range l.all() {
		i := l.info(p)
		if k, ok := m.(Keeper); ok {
			i.Here, i.There = k.Kept(i.Host)
		}
		list = append(list, i)
	}
	slices.SortFunc(list, func(a, b Info) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), slices.Compare(a.Host[:], b.Host[:]))
	})
	return list
}

func (l *Links) info(p *linkedHost) Info {
	c, _ := l.Card(p.host)
	p.mu.Lock()
	defer p.mu.Unlock()
	i := Info{Host: p.host, Name: c.Name, Link: p.row, Addresses: c.Addresses, Fault: p.fault}
	if p.now != nil {
		i.Network, i.Fault = p.now.network(), ""
	}
	return i
}

// Find returns the link that an operator names: by the host's identifier, by its first four or more
// digits, or by its name. The error says that no link fits, or several.
func (l *Links) Find(text string) (Info, error) {
	var found []Info
	if text == "" {
		return Info{}, errors.New("no linked server was named")
	}
	digits := strings.ToLower(strings.ReplaceAll(text, " ", ""))
	for _, i := range l.List() {
		if i.Name == text || len(digits) >= 4 && strings.HasPrefix(i.Host.String(), digits) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return Info{}, fmt.Errorf("no linked server is called %q", text)
	case 1:
		return found[0], nil
	default:
		return Info{}, fmt.Errorf(
			"%d linked servers are called %q: say which one by its number", len(found), text,
		)
	}
}

// Invite makes an invitation. gives is what the other host may do here. With confirm, this host's
// operator must confirm the link after the other one has accepted. The error says that this host
// has no address, that a limit is out of bounds, or that the store failed.
func (l *Links) Invite(
	ctx context.Context, gives Rights, limits Limits, confirm bool,
) (InvitationText, error) {
	if len(l.cfg.Addresses) == 0 {
		return InvitationText{}, errors.New(
			"nobody could find this server: give it an address with --peer-address",
		)
	}
	if err := limits.Check(); err != nil {
		return InvitationText{}, err
	}
	o := InvitationText{Addresses: l.cfg.Addresses[:min(len(l.cfg.Addresses), maxOffered)]}
	copy(o.KeyHash[:], printOf(l.self.public))
	_, _ = rand.Read(o.Secret[:]) // it never fails
	now := l.now()
	err := l.cfg.Store.AddPeerInvitation(ctx, Invitation{
		Hash: o.Secret.hash(), Gives: gives, Limits: limits, Confirm: confirm,
		Until: now + id.Millis(InvitationLife.Milliseconds()),
	}, now)
	if err != nil {
		return InvitationText{}, fmt.Errorf("keep the invitation: %w", err)
	}
	l.cfg.Log.Info("a server was invited", "gives", gives.String(), "confirm", confirm)
	return o, nil
}

// Terms are the terms of an invitation, as the invited operator sees them before accepting (O32).
type Terms struct {
	Host id.HostID
	Name string
	// Address is where the host was found.
	Address Address
	// Given is what this host may do there.
	Given Rights
	// Confirm says that the other operator must confirm.
	Confirm bool

	card []byte
}

// Look asks the inviting host for the terms of an invitation. It changes nothing.
func (l *Links) Look(ctx context.Context, o InvitationText) (Terms, error) {
	if err := l.check(o); err != nil {
		return Terms{}, err
	}
	t, _, err := l.askFor(ctx, o, lookFrame(o.Secret))
	return t, err
}

// Accept accepts an invitation. gives is what the inviting host may do here. The error says that
// the invitation cannot be used here, that a limit is out of bounds, that the host refused or could
// not be reached, or that the link could not be stored.
func (l *Links) Accept(
	ctx context.Context, o InvitationText, gives Rights, limits Limits,
) (Terms, error) {
	if err := errors.Join(l.check(o), limits.Check()); err != nil {
		return Terms{}, err
	}
	l.mu.Lock()
	card := l.card
	l.mu.Unlock()
	t, key, err := l.askFor(ctx, o, joinFrame(&ask{Secret: o.Secret, Gives: gives, Card: card}))
	if err != nil {
		return Terms{}, err
	}
	k := Link{
		Key: key, State: Active, Gives: gives, Given: t.Given, Limits: limits,
		Since: l.now(),
	}
	if err := l.cfg.Store.PutPeerLink(ctx, k); err != nil {
		return Terms{}, fmt.Errorf("keep the link: %w", err)
	}
	l.cfg.Log.Info(
		"linked with a server", "host", t.Host, "gives", gives.String(),
		"given", t.Given.String(),
	)
	return t, l.join(ctx, k, t.card)
}

// check returns why this host cannot use an invitation.
func (l *Links) check(o InvitationText) error {
	switch {
	case o.Host() == l.self.host:
		return errors.New(
			"this invitation was made by this server itself: send it to the operator of another one",
		)
	case l.linkedHost(o.Host()) != nil:
		return errors.New("there is a link to this server already: remove it first")
	}
	return nil
}

// askFor sends a look or a join to the inviting host, at one address after the other, and returns
// its terms and its key.
func (l *Links) askFor(
	ctx context.Context, o InvitationText, frame []byte,
) (Terms, ed25519.PublicKey, error) {
	var err error
	for _, a := range o.Addresses {
		var t terms
		var card Card
		c := &peerConn{links: l, host: o.Host(), dialled: true, answered: make(chan error, 1)}
		c.asked = func(frame []byte) (err error) {
			t, card, err = c.receiveTerms(frame)
			return err
		}
		if err = l.reach(ctx, a, o.proves, c); err != nil {
			continue
		}
		// wait returns the outcome: the answer may come before send returns.
		_ = c.line.send(id.OID{}, frame)
		err = c.wait(ctx)
		c.line.close("that is all")
		var why refusal
		switch {
		case err == nil && !o.proves(card.Key):
			return Terms{}, nil, errImpostor
		case err == nil:
			return Terms{
				Host: o.Host(), Name: card.Name, Address: a,
				Given: t.Gives, Confirm: t.Confirm, card: t.Card,
			}, card.Key, nil
		case errors.As(err, &why):
			return Terms{}, nil, why
		}
	}
	return Terms{}, nil, fmt.Errorf("the server that invites cannot be reached: %w", err)
}

// receiveTerms processes the answer to a look or a join.
func (c *peerConn) receiveTerms(frame []byte) (terms, Card, error) {
	switch kind(frame[0]) {
	case kindTerms:
	case kindRefuse:
		why, err := readRefuse(frame)
		if err != nil {
			return terms{}, Card{}, err
		}
		return terms{}, Card{}, why
	default:
		return terms{}, Card{}, errKind
	}
	t, err := readTerms(frame)
	if err != nil {
		return terms{}, Card{}, err
	}
	t.Card = slices.Clone(t.Card)
	card, err := ReadCard(t.Card)
	return t, card, err
}

// welcome answers a look or a join of an invited host. A host that is linked already and asks again
// gets the same answer again, because the first one may have been lost.
func (c *peerConn) welcome(join bool, a *ask) error {
	ctx, cancel := context.WithTimeout(context.Background(), handshakeStepTimeout)
	defer cancel()
	l := c.links
	l.mu.Lock()
	ours := l.card
	p := l.linkedHosts[c.host]
	l.mu.Unlock()
	if p != nil {
		if !p.key.Equal(c.key) {
			return refusedStranger
		}
		k := p.link()
		return c.finish(&terms{Gives: k.Gives, Confirm: k.State == Pending, Card: ours})
	}
	i, err := l.cfg.Store.PeerInvitation(ctx, a.Secret.hash())
	if err == nil && l.now() >= i.Until {
		err = ErrNoInvitation
	}
	if err == nil && join {
		err = c.takeIn(ctx, i, a)
	}
	switch {
	case errors.Is(err, ErrNoInvitation):
		l.cfg.Log.Warn("an invitation that is not good was shown", "host", c.host)
		return refusedInvitation
	case err != nil:
		return err
	}
	return c.finish(&terms{Gives: i.Gives, Confirm: i.Confirm, Card: ours})
}

// takeIn makes the link of an accepted invitation.
func (c *peerConn) takeIn(ctx context.Context, i Invitation, a *ask) error {
	card, err := ReadCard(a.Card)
	if err != nil {
		return err
	}
	if !card.Key.Equal(c.key) {
		return errImpostor
	}
	k := Link{
		Key: c.key, State: Active, Gives: i.Gives, Given: a.Gives, Limits: i.Limits,
		Since: c.links.now(),
	}
	if i.Confirm {
		k.State = Pending
	}
	if err := c.links.cfg.Store.TakePeerInvitation(ctx, i.Hash, k); err != nil {
		return err
	}
	c.links.cfg.Log.Info(
		"a server has accepted an invitation", "host", c.host, "name", card.Name,
		"state", k.State.String(),
	)
	return c.links.join(ctx, k, a.Card)
}

// errFinished ends a contact that has got its answer.
var errFinished = errors.New("that is all")

func (c *peerConn) finish(t *terms) error {
	if err := c.line.send(id.OID{}, termsFrame(t)); err != nil {
		return err
	}
	return errFinished
}

// join begins to use a new link, and stores the card of its host.
func (l *Links) join(ctx context.Context, k Link, card []byte) error {
	p := newLinkedHost(l, k)
	l.mu.Lock()
	if l.linkedHosts[p.host] != nil {
		l.mu.Unlock()
		return nil
	}
	l.linkedHosts[p.host] = p
	l.mu.Unlock()
	err := l.learn(ctx, p.host, 0, card) // if it cannot be stored, the host sends it again
	l.spawn(p.run)
	return err
}

// Confirm confirms a pending link (O32). The error says that the link is not pending, ErrStranger,
// or that the store failed.
func (l *Links) Confirm(ctx context.Context, host id.HostID) error {
	return l.shift(ctx, host, Active, Pending)
}

// Pause pauses an active link: the only answer is then that it is paused. The errors are those of
// Confirm.
func (l *Links) Pause(ctx context.Context, host id.HostID) error {
	return l.shift(ctx, host, Paused, Active)
}

// Resume ends a pause. The errors are those of Confirm.
func (l *Links) Resume(ctx context.Context, host id.HostID) error {
	return l.shift(ctx, host, Active, Paused)
}

// shift changes the state of a link if it is in the state from.
func (l *Links) shift(ctx context.Context, host id.HostID, to, from State) error {
	p := l.linkedHost(host)
	if p == nil {
		return ErrStranger
	}
	var is State
	err := p.change(ctx, func(k *Link) {
		if is = k.State; is == from {
			k.State, k.Why = to, ""
		}
	})
	if err == nil && is != from {
		err = fmt.Errorf("the link is %s, and not %s", is, from)
	}
	if err == nil {
		p.retry()
	}
	return err
}

// retry forgets how many calls of the host have failed.
func (p *linkedHost) retry() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dial.failures, p.dial.next, p.fault = 0, time.Time{}, ""
	signal(p.wake)
}

// SetRights changes what a host may do here.
func (l *Links) SetRights(ctx context.Context, host id.HostID, r Rights) error {
	p := l.linkedHost(host)
	if p == nil {
		return ErrStranger
	}
	return p.change(ctx, func(k *Link) { k.Gives = r })
}

// SetLimits changes what a host may cost.
func (l *Links) SetLimits(ctx context.Context, host id.HostID, limits Limits) error {
	p := l.linkedHost(host)
	if p == nil {
		return ErrStranger
	}
	if err := limits.Check(); err != nil {
		return err
	}
	return p.change(ctx, func(k *Link) { k.Limits = limits })
}

// Remove ends a link for good: the host is a stranger from then on. After Remove no method of the
// machine is called for it any more.
func (l *Links) Remove(ctx context.Context, host id.HostID) error {
	p := l.linkedHost(host)
	if p == nil {
		return ErrStranger
	}
	if err := p.remove(ctx); err != nil {
		return err
	}
	l.cfg.Log.Info("the link to a server was removed", "host", host)
	return nil
}

// remove deletes the link, ends its connection, and calls Down of the machine.
func (p *linkedHost) remove(ctx context.Context) error {
	p.writing <- struct{}{}
	defer func() { <-p.writing }()
	if p.isRemoved() {
		return ErrStranger
	}
	if err := p.links.forget(ctx, p.host); err != nil {
		return fmt.Errorf("forget the link: %w", err)
	}
	p.mu.Lock()
	p.removed = true
	p.mu.Unlock()
	close(p.gone)
	p.leave("the link was removed")
	return nil
}

// forget removes a host from the store and from memory.
func (l *Links) forget(ctx context.Context, host id.HostID) error {
	l.learning <- struct{}{}
	defer func() { <-l.learning }()
	if err := l.cfg.Store.RemovePeerLink(ctx, host); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.linkedHosts, host)
	delete(l.directory.cards, host)
	return nil
}

func (p *linkedHost) isRemoved() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.removed
}
