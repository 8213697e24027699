package endpoint

import (
	"errors"
	"time"

	"holt/server/transport/connection"
)

// This file drives a connection: it has the goroutine that sends, and those that receive, one for
// each path.

// Times of a connection (D21, D29).
const (
	pathless = 10 * time.Second // for how long a connection without a path is kept
	farewell = 3 * time.Second  // for how long a Close answers what comes after the end
	sayAgain = farewell / 6     // how often Close is repeated to an end that says nothing
	patience = 10 * time.Second // for how long a living path may take or bring nothing
	haste    = time.Second      // for how long it may take nothing when closing
	lastWord = haste / 2        // for how long a path that cannot send may say why
)

// attach gives the connection a path, its first or another one (D21). The caller then calls read
// for the packets of p. confirmed, which may be nil, is called when the first Data has come on p.
// attach returns false if the connection is over.
func (c *Conn) attach(p path, confirmed func()) bool {
	shape := pathOf(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.core.Err() != nil {
		return false
	}
	old := c.path
	c.path, c.stuck, c.confirmed = p, false, confirmed
	c.core.Resume(c.now(), shape)
	c.signal()
	if old != nil {
		old.close(0, "") // a send that is under way on old returns
	}
	return true
}

// read processes the packets of a path until the path ends. If meets returns true, the packet
// belongs to the handshake and not to the connection.
func (c *Conn) read(p path, meets func(b []byte) bool) {
	for {
		b, err := p.receive()
		if err != nil {
			c.lost(p, err)
			return
		}
		if !meets(b) {
			c.take(p, b)
		}
	}
}

// take passes a packet to the connection if the packet came on the present path, and passes on the
// messages that are executed.
func (c *Conn) take(p path, b []byte) {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	c.mu.Lock()
	if c.path != p {
		c.mu.Unlock()
		return
	}
	if k, _ := connection.KindOf(b); k == connection.KindClose && c.core.Err() != nil {
		c.known = true
	}
	before := c.core.Stats().Received
	if c.core.Receive(c.now(), b) != nil { // the sender sends the Close
		c.hasten()
	}
	var confirmed func()
	if c.core.Stats().Received != before {
		confirmed, c.confirmed = c.confirmed, nil
	}
	told := c.executed
	c.executed = nil
	c.notifyChanged()
	c.mu.Unlock()
	c.signal()
	if confirmed != nil {
		confirmed()
	}
	for _, m := range told {
		if err := c.handlers.Execute(m); err != nil {
			c.refuse(err)
			return
		}
	}
}

// refuse ends the connection because Execute returned an error for a message.
func (c *Conn) refuse(err error) {
	var said *connection.CloseError
	if errors.As(err, &said) {
		c.Close(said.Code, said.Reason)
		return
	}
	c.Close(connection.CodeProtocol, err.Error())
}

// lost gives up a path that has ended. If the other end closed it with a close code, that counts as
// a Close (D29).
func (c *Conn) lost(p path, err error) {
	p.close(0, "")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path != p {
		return
	}
	if !c.stuck {
		c.since = time.Now()
	}
	c.path, c.stuck = nil, false
	var said *connection.CloseError
	if errors.As(err, &said) {
		// The sender handles the error.
		_ = c.core.Receive(c.now(), connection.AppendClose(nil, 0, false, said.Code, said.Reason))
	}
	c.signal()
}

// run sends what there is to send until the connection is over. It is the goroutine of the
// connection.
func (c *Conn) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	buf := make([]byte, 0, connection.UDPSize)
	for {
		p, b, wait, err := c.next(buf)
		switch {
		case b != nil:
			c.send(p, b)
			buf = b
			continue
		case err != nil:
			c.finish(p, err, timer, buf)
			return
		}
		timer.Reset(wait)
		select {
		case <-c.wake:
		case <-timer.C:
		}
	}
}

// next returns the path and the next packet for it. If there is no packet, it returns how long to
// wait for one, or why the connection is over.
func (c *Conn) next(buf []byte) (p path, b []byte, wait time.Duration, err *connection.CloseError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if (c.path == nil || c.stuck) && !c.closing && c.core.Err() == nil {
		left := pathless - time.Since(c.since)
		if left > 0 {
			return nil, nil, left, nil
		}
		c.core.Close(now, connection.CodeSilent, "no path")
	}
	b, ok := c.core.Next(now, buf[:0])
	switch at, more := c.core.Wake(); {
	case ok && c.path != nil:
		return c.path, b, 0, nil
	case c.core.Err() != nil:
		return c.path, nil, 0, c.core.Err()
	case !more:
		return c.path, nil, 0, nil
	default:
		return c.path, nil, max(at-now, 0), nil
	}
}

// send sends a packet on a path. If the packet is too large for the path by now, packets become
// smaller. A path that takes less than connection.MinSize, or fails, is given up (D28).
func (c *Conn) send(p path, b []byte) {
	err := c.give(p, b)
	if err == nil {
		c.sent(p, len(b))
		return
	}
	largest := min(p.largest(), len(b)-1)
	switch {
	case errors.Is(err, errTooLarge) && largest >= connection.MinSize:
		c.mu.Lock()
		if c.path == p {
			c.core.Resize(largest)
		}
		c.mu.Unlock()
	default:
		closeAfter(p, lastWord)
		c.mu.Lock()
		if c.path == p && !c.stuck {
			c.stuck, c.since = true, time.Now()
		}
		c.mu.Unlock()
	}
}

// give passes a packet to a path. It waits while the path is full, and the path is closed if it
// takes nothing for too long.
func (c *Conn) give(p path, b []byte) error {
	c.mu.Lock()
	c.giving, c.giveBy = p, c.now()+patience
	if c.closing || c.core.Err() != nil {
		c.hasten()
	} else {
		c.stall.Reset(c.giveLeft())
	}
	c.mu.Unlock()
	err := p.send(b)
	c.mu.Lock()
	c.giving = nil
	c.stall.Stop()
	c.mu.Unlock()
	return err
}

// hasten shortens the wait of give to haste, because the connection is to end. The caller holds mu.
func (c *Conn) hasten() {
	if c.giving != nil {
		c.giveBy = min(c.giveBy, c.now()+haste)
		c.stall.Reset(c.giveLeft())
	}
}

// giveLeft returns how long give may still wait. It considers silence, too, as a goroutine that
// waits in give does not notice that the line is silent. The caller holds mu.
func (c *Conn) giveLeft() time.Duration {
	by := c.giveBy
	if c.core.Err() == nil {
		by = min(by, c.core.Heard()+patience)
	}
	return by - c.now()
}

// letGo closes a path that does not take the packet that it was given: the path is dead.
func (c *Conn) letGo() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.giving == nil {
		return // the path has taken it just now
	}
	if left := c.giveLeft(); left > 0 {
		c.stall.Reset(left)
		return
	}
	if c.path == c.giving && !c.stuck {
		c.stuck, c.since = true, time.Now().Add(-pathless)
	}
	c.giving.close(0, "")
}

// finish ends a connection that is over (D29). If this end has closed it, part waits until the
// other end has let go of the path. Meanwhile it repeats Close, now and then and as an answer to
// what still comes. If the other end has closed it, part answers once on a path that does not do so
// by itself.
func (c *Conn) finish(p path, err *connection.CloseError, timer *time.Timer, buf []byte) {
	c.mu.Lock()
	c.closing = true
	c.notifyChanged()
	c.mu.Unlock()
	c.handlers.Ended(err)
	close(c.gone)
	if p == nil {
		return
	}
	defer p.close(err.Code, err.Reason)
	if err.Remote && !p.proves() {
		// If the answer is lost, the other end waits longer.
		_ = c.give(p, connection.AppendClose(nil, c.number, true, err.Code, err.Reason))
	}
	over := time.NewTimer(farewell)
	defer over.Stop()
	for timer.Reset(sayAgain); !err.Remote; {
		at, b, _, _ := c.next(buf)
		if at != p || c.isKnown() {
			return
		}
		if b != nil {
			_ = c.give(p, b) // what cannot be sent is lost
			continue
		}
		select {
		case <-c.wake:
		case <-c.stopWaiting:
			return
		case <-timer.C:
			c.mu.Lock()
			c.core.RepeatClose()
			c.mu.Unlock()
			timer.Reset(sayAgain)
		case <-over.C:
			return
		}
	}
}

// isKnown reports whether the other end has shown that it knows of the end.
func (c *Conn) isKnown() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known
}
