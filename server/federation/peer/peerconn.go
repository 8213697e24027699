package peer

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"time"

	"holt/server/id"
	"holt/server/transport/endpoint"
)

// peerConn is a connection to a host that has proved a key, from its first link frame on.
type peerConn struct {
	// Set at construction.
	links *Links
	// The other host's key. It is empty if this host called because of an invitation.
	key     ed25519.PublicKey
	host    id.HostID
	dialled bool
	from    netip.Addr // where it comes from, if the other host opened it
	number  uint64     // drawn by this host for it
	// The outcome of the first link frame. Capacity 1.
	answered chan error
	// Set before anything comes.
	line line

	// Owned by hear.
	linkedHost *linkedHost // of the link to this host; nil until that is known
	conn       *linkConn   // nil before both have said hello
	asked      func(frame []byte) error
	over       bool // it has been refused
}

// QUICServers returns what accepts connections of other servers on the socket for datagrams.
func (l *Links) QUICServers() *endpoint.Servers {
	return &endpoint.Servers{TLS: l.self.server(), Open: l.open}
}

// open accepts a connection by QUIC.
func (l *Links) open(
	state tls.ConnectionState, from netip.Addr, conn *endpoint.Conn,
) (endpoint.Handlers, error) {
	key, err := keyOf(state)
	if err != nil {
		return endpoint.Handlers{}, err
	}
	q := newQUICLine(conn)
	c := &peerConn{links: l, key: key, host: HostOf(key), from: from, line: q}
	if !l.attend(c) {
		return endpoint.Handlers{}, ErrBusy
	}
	return q.handlers(c.receive), nil
}

// ServeStream accepts a connection by a stream of bytes, such as a WebSocket, and serves it until
// it ends. Nothing has been proved on the stream yet. from is its address.
func (l *Links) ServeStream(stream net.Conn, from netip.Addr) {
	defer func() { _ = stream.Close() }() // if this fails, it is closed already
	served := make(chan struct{})
	if l.spawn(func() {
		defer close(served)
		l.serveStream(stream, from)
	}) {
		<-served
	}
}

func (l *Links) serveStream(stream net.Conn, from netip.Addr) {
	done := make(chan struct{})
	defer close(done)
	conn := tls.Server(stream, l.self.server())
	if !l.spawn(func() { l.cut(stream, done) }) {
		return
	}
	leave, ok := l.proofs.enter(from)
	if !ok {
		return
	}
	state, err := secure(conn)
	leave()
	if err != nil {
		return
	}
	key, err := keyOf(state)
	if err != nil {
		return
	}
	s := newStreamLine(conn)
	c := &peerConn{links: l, key: key, host: HostOf(key), from: from, line: s}
	if l.attend(c) {
		s.run(c.receive)
	}
}

// cut closes a stream some time after the server has begun to stop, unless it is done before.
func (l *Links) cut(stream net.Conn, done <-chan struct{}) {
	select {
	case <-done:
		return
	case <-l.halt:
	}
	late := time.NewTimer(closeWithin)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
		_ = stream.Close()
	}
}

// attend ends a contact that does not become the connection of a link in time, and one that remains
// when the server stops. It reports false if there are too many, either of strangers or of the same
// linked host. Strangers do not take the places of linked hosts.
func (l *Links) attend(c *peerConn) bool {
	leave, ok := l.enter(c)
	if !ok {
		return false
	}
	c.answered = make(chan error, 1)
	ok = l.spawn(func() {
		defer leave()
		late := time.NewTimer(handshakeStepTimeout)
		defer late.Stop()
		select {
		case err := <-c.answered:
			if err == nil {
				return // the link has it now
			}
			// The close comes after what was sent to the other host.
		case <-late.C:
		case <-l.halt:
		case <-c.line.ended():
		}
		c.line.close("nothing came of it")
	})
	if !ok {
		leave()
	}
	return ok
}

// enter counts a contact that has not said what it wants. It reports false if there are too many.
func (l *Links) enter(c *peerConn) (leave func(), ok bool) {
	if p := l.linkedHost(c.host); p != nil && p.key.Equal(c.key) {
		return p.enter()
	}
	return l.visitors.enter(c.from)
}

// maxComing is how many connections of a linked host there may be at once that have not said hello.
const maxComing = 8

func (p *linkedHost) enter() (leave func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.coming >= maxComing {
		return nil, false
	}
	p.coming++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.coming--
	}, true
}

// answer reports the outcome of the first link frame.
func (c *peerConn) answer(err error) {
	select {
	case c.answered <- err:
	default:
	}
}

// receive processes a link frame. It is the listener of its line.
func (c *peerConn) receive(frame []byte) error {
	switch {
	case c.over:
		return nil
	case c.conn != nil:
		return c.receiveLinked(frame)
	}
	err := c.receiveFirst(frame)
	var why refusal
	if errors.As(err, &why) && !c.dialled {
		c.over = true
		_ = c.line.send(id.OID{}, refuseFrame(why)) // if this fails, the host has gone
		c.answer(why)
		return nil
	}
	c.over = c.conn == nil
	c.answer(err)
	if errors.Is(err, errFinished) {
		return nil // attend closes the line after the answer has gone out
	}
	return err
}

// receiveFirst processes the first link frame. It makes the contact the connection of a link, or
// ends it.
func (c *peerConn) receiveFirst(frame []byte) error {
	if c.asked != nil {
		return c.asked(frame)
	}
	switch kind(frame[0]) {
	case kindHello:
		h, err := readHello(frame)
		if err != nil {
			return err
		}
		return c.meet(&h)
	case kindRefuse:
		if !c.dialled {
			return errKind
		}
		why, err := readRefuse(frame)
		if err != nil {
			return err
		}
		return why
	case kindLook, kindJoin:
		if c.dialled {
			return errKind
		}
		a, err := readAsk(frame)
		if err != nil {
			return err
		}
		return c.welcome(kind(frame[0]) == kindJoin, &a)
	default:
		return errKind
	}
}

// meet makes the contact the connection of its link.
func (c *peerConn) meet(h *hello) error {
	if c.linkedHost == nil {
		c.linkedHost = c.links.linkedHost(c.host)
	}
	p := c.linkedHost
	if p == nil || !p.key.Equal(c.key) {
		return refusedStranger
	}
	if c.dialled && h.Line != c.number {
		return errValue
	}
	if err := c.links.learn(context.Background(), c.host, p.link().Gives, h.Card); err != nil {
		return err
	}
	answer := func() error { return nil }
	if !c.dialled {
		answer = func() error { return c.line.send(id.OID{}, p.greeting(h.Line, 0)) }
	}
	p.machineLock <- struct{}{}
	defer func() { <-p.machineLock }()
	call, err := p.adopt(c.line, h, c.dialled, answer)
	c.conn = call
	return err
}

// receiveLinked processes a link frame on the connection of a link.
func (c *peerConn) receiveLinked(frame []byte) error {
	err := c.take(frame)
	if errors.Is(err, ErrFormat) {
		c.linkedHost.refused(id.OID{}, err.Error())
	}
	return err
}

func (c *peerConn) take(frame []byte) error {
	p := c.linkedHost
	switch kind(frame[0]) {
	case kindMessage:
		return c.deliver(frame)
	case kindAck:
		floor, err := readAck(frame)
		if err != nil {
			return err
		}
		return p.acknowledged(c.conn, floor)
	case kindCard:
		err := c.links.learn(context.Background(), c.host, p.link().Gives, frame[1:])
		if errors.Is(err, errLinkup) {
			p.refused(id.OID{}, err.Error())
			return nil
		}
		return err
	case kindRights:
		r, err := readRights(frame)
		if err != nil {
			return err
		}
		p.recordRights(c.conn, r)
		return nil
	case kindRefuse:
		why, err := readRefuse(frame)
		if err != nil {
			return err
		}
		p.note(why)
		c.line.close("it is not wanted")
		return nil
	default:
		return errKind
	}
}

// deliver gives a message to the machine, unless it was received before or another connection has
// replaced this one. A request that comes faster than it may waits, with all that comes behind it
// (O36).
func (c *peerConn) deliver(frame []byte) error {
	e, err := readEnvelope(frame)
	if err != nil {
		return err
	}
	p := c.linkedHost
	if e.Request {
		p.links.pause(p.guard.wait(p.links.clock(), len(e.Message.Bytes)), c.line)
	}
	p.machineLock <- struct{}{}
	defer func() { <-p.machineLock }()
	p.mu.Lock()
	if p.now != c.conn {
		p.mu.Unlock()
		return nil
	}
	fresh, err := p.in.receive(&e)
	signal(c.conn.wake)
	p.mu.Unlock()
	if err == nil && fresh {
		p.links.machine.Receive(p.host, e.Message)
	}
	return err
}

// acknowledged records what the other host has received.
func (p *linkedHost) acknowledged(c *linkConn, floor number) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now != c {
		return nil
	}
	return p.out.acknowledge(floor)
}

// note records for the operator why the other host refuses to talk. The host is called more rarely
// from then on.
func (p *linkedHost) note(why refusal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = why.Error()
	p.dial.failures = max(p.dial.failures, 5)
	p.dial.next = p.links.clock().Add(again(p.dial.failures))
}

// pause waits for d, or until the line or the server ends.
func (l *Links) pause(d time.Duration, on line) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-on.ended():
	case <-l.halt:
	}
}
