package peer

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"holt/server/id"
	"holt/server/transport/endpoint"
)

// handshakeStepTimeout is how long each step to a link's connection may take: until the connection
// is open, until both ends have proved their keys, until they have said hello.
const handshakeStepTimeout = 5 * time.Second

// run keeps a connection to the host while the link is active. It is the goroutine of a partner.
func (p *linkedHost) run() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		wait := p.look(ctx)
		timer.Stop()
		if wait >= 0 {
			timer.Reset(wait)
		}
		select {
		case <-p.wake:
		case <-timer.C:
		case <-p.gone:
			p.leave("the link was removed")
			return
		case <-p.links.halt:
			p.leave("the server is stopping")
			return
		}
	}
}

// leave ends the connection and calls the machine's Down.
func (p *linkedHost) leave(why string) {
	p.mu.Lock()
	c := p.now
	p.now = nil
	p.mu.Unlock()
	if c != nil {
		c.close(why)
	}
	p.reportDown()
}

// look does what must be done now. It returns after how long to look again; negative: when
// something happens.
func (p *linkedHost) look(ctx context.Context) (wait time.Duration) {
	now := p.links.clock()
	p.mu.Lock()
	c, state, lostAt := p.now, p.row.State, p.lostAt
	var next plan
	stuckIn := time.Duration(-1)
	switch {
	case state != Active:
		next = plan{wait: -1}
	case c == nil:
		next = p.dial.without(now)
	default:
		silent, waiting := p.silent(c, now)
		stuck := waiting && silent >= stuckAfter
		switch {
		case stuck && p.dial.failedReplacing == c.number && silent >= goneAfter:
			p.abandon(now, silent)
			p.mu.Unlock()
			c.close("it has fallen silent, and nothing else gets through")
			return 0
		case stuck && p.dial.failedReplacing == c.number:
			stuckIn = goneAfter - silent
		case stuck:
			stuckIn = stuckAfter
		case waiting:
			stuckIn = stuckAfter - silent
		}
		next = p.dial.with(now, c, stuck)
	}
	if next.call != 0 {
		p.dial.begin(now)
	}
	p.mu.Unlock()
	if c != nil && state != Active {
		p.refuseOn(c, state)
	}
	// A call that lasts longer must not delay the report (O18).
	downIn := time.Duration(-1)
	if c == nil && !lostAt.IsZero() {
		if left := lostAt.Add(grace).Sub(now); left > 0 {
			downIn = left
		} else {
			p.reportDown()
		}
	}
	if next.call != 0 {
		p.links.spawn(func() { p.call(ctx, next) })
		return sooner(downIn, stuckIn)
	}
	return sooner(sooner(next.wait, downIn), stuckIn)
}

// abandon gives up the connection, on which nothing was heard for the time silent, because no other
// could be opened either: the host is gone. The caller has mu.
func (p *linkedHost) abandon(now time.Time, silent time.Duration) {
	network := p.now.network()
	p.now, p.lostAt = nil, now.Add(-silent)
	p.dial.lose(now, network, false)
}

// sooner returns the lesser of two times. A negative time means never.
func sooner(a, b time.Duration) time.Duration {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	default:
		return min(a, b)
	}
}

// silent returns for how long nothing was heard on a connection on which something is on its way.
// waiting is false if nothing is. The caller has mu.
func (p *linkedHost) silent(c *linkConn, now time.Time) (silent time.Duration, waiting bool) {
	since, waiting := p.out.oldest()
	if !waiting {
		return 0, false
	}
	return min(now.Sub(since), c.silent()), true
}

// refuseOn ends the connection of a link that is not active any more, and sends the reason.
func (p *linkedHost) refuseOn(c *linkConn, state State) {
	why := refusedPaused
	if state == Pending {
		why = refusedPending
	}
	p.mu.Lock()
	if p.now == c {
		p.now, p.lostAt = nil, p.links.clock()
	}
	p.mu.Unlock()
	c.sendUnreliable(refuseFrame(why))
	c.close("the link is " + state.String())
	p.reportDown()
}

// call calls the host at the addresses on its card until one answers.
func (p *linkedHost) call(ctx context.Context, what plan) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := errors.New("none of its addresses is of a kind that can be called")
	for _, a := range p.addresses(what) {
		if err = p.callAt(ctx, a, what.replaces); err == nil || ctx.Err() != nil {
			break
		}
		var why refusal
		if errors.As(err, &why) {
			break // the host is there, and refuses
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dial.busy = false
	if err != nil {
		p.dial.fail(p.links.clock(), what.call, p.now != nil)
		p.dial.failedReplacing = what.replaces
		p.fault = printable(err.Error())
		p.links.cfg.Log.Debug("a linked server was not reached",
			"host", p.host, "error", err, "failures", p.dial.failures)
	}
	signal(p.wake)
}

// printable returns a text in which characters that cannot be printed are replaced by "?". A part
// of it may have come from the other host.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != utf8.RuneError {
			return r
		}
		return '?'
	}, text[:min(500, len(text))])
}

// addresses returns the addresses on the host's card that must be tried, in their order.
func (p *linkedHost) addresses(what plan) []Address {
	c, _ := p.links.Card(p.host)
	var quic, web []Address
	for _, a := range c.Addresses {
		switch {
		case a.network() == networkQUIC && what.call&byQUIC != 0 && p.links.cfg.Dialer != nil:
			quic = append(quic, a)
		case a.network() == networkWeb && what.call&byWeb != 0:
			web = append(web, a)
		}
	}
	if what.webFirst {
		return append(web, quic...)
	}
	return append(quic, web...)
}

// callAt calls the host at an address, and waits for its hello.
func (p *linkedHost) callAt(ctx context.Context, a Address, replaces uint64) error {
	ctx, ip, err := p.lead(ctx, a)
	if err != nil {
		return err
	}
	if a.network() == networkQUIC {
		_, port, _ := net.SplitHostPort(a.endpoint()) // a valid address has a port
		a = Address(networkQUIC + "://" + net.JoinHostPort(ip.String(), port))
	}
	number := drawNumber()
	c := &peerConn{
		links: p.links, key: p.key, host: p.host, linkedHost: p, dialled: true, number: number,
		answered: make(chan error, 1),
	}
	err = p.links.reach(ctx, a, func(key ed25519.PublicKey) bool { return key.Equal(p.key) }, c)
	if err != nil {
		return err
	}
	// wait returns the outcome: the answer may come before send returns.
	_ = c.line.send(id.OID{}, p.greeting(number, replaces))
	return c.wait(ctx)
}

// reach opens a connection to a host at an address, if good accepts its key. c hears what comes on
// it.
func (l *Links) reach(
	ctx context.Context, a Address, good func(ed25519.PublicKey) bool, c *peerConn,
) error {
	ctx, cancel := context.WithTimeout(ctx, handshakeStepTimeout)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	if !l.spawn(func() {
		select {
		case <-l.halt:
			cancel()
		case <-stop:
		}
	}) {
		return ErrClosed
	}
	if a.network() == networkQUIC {
		return l.reachByQUIC(ctx, a, good, c)
	}
	return l.reachByWeb(ctx, a, good, c)
}

func (l *Links) reachByQUIC(
	ctx context.Context, a Address, good func(ed25519.PublicKey) bool, c *peerConn,
) error {
	if l.cfg.Dialer == nil {
		return errors.New("nothing is sent by QUIC here")
	}
	conn, err := l.cfg.Dialer.DialServer(
		ctx, a.endpoint(), l.self.client(good),
		func(conn *endpoint.Conn) endpoint.Handlers {
			q := newQUICLine(conn)
			c.line = q
			return q.handlers(c.receive)
		},
	)
	if err != nil {
		return err
	}
	if !l.spawn(conn.Wait) {
		c.line.close("the server is stopping")
		conn.Wait()
		return ErrClosed
	}
	return nil
}

func (l *Links) reachByWeb(
	ctx context.Context, a Address, good func(ed25519.PublicKey) bool, c *peerConn,
) error {
	stream, err := dialSocket(ctx, l.web, a)
	if err != nil {
		return err
	}
	abort := context.AfterFunc(ctx, func() { _ = stream.Close() }) // this ends the handshake
	defer abort()
	conn := tls.Client(stream, l.self.client(good))
	if _, err := secure(conn); err != nil {
		return err
	}
	s := newStreamLine(conn)
	c.line = s
	if !abort() || !l.spawn(func() { s.run(c.receive) }) {
		return errors.Join(ErrClosed, stream.Close())
	}
	return nil
}

// wait waits for the other host's answer to the first link frame.
func (c *peerConn) wait(ctx context.Context) error {
	late := time.NewTimer(handshakeStepTimeout)
	defer late.Stop()
	var err error
	select {
	case err = <-c.answered:
		if err == nil {
			return nil
		}
	case <-c.line.ended():
		select {
		case err = <-c.answered: // the host has said why
		default:
			err = errEnded
		}
	case <-late.C:
		err = errors.New("it does not answer")
	case <-ctx.Done():
		err = ctx.Err()
	case <-c.links.halt:
		err = ErrClosed
	}
	c.line.close("nothing came of it")
	if err == nil {
		return nil
	}
	return fmt.Errorf("talk to the server: %w", err)
}
