package endpoint

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"time"

	"holt/server/transport/connection"
	"holt/server/transport/framing"
)

// Times of the handshake (D17).
const (
	helloTimeout = 4 * time.Second  // from the beginning of a path to the first Hello
	openTimeout  = 10 * time.Second // for opening the stream: a table may have to be loaded
)

// otherVersion refuses clients of another version: it lists the known ones (D19).
var otherVersion = &connection.CloseError{
	Code: connection.CodeVersion, Reason: strconv.Itoa(connection.Version),
}

// token resumes a connection (D21). It is random: a client that has it can take over the
// connection.
type token [connection.TokenSize]byte

// connEntry is a connection of a Listener.
type connEntry struct {
	// Set at construction.
	number uint64
	conn   *Conn

	// Guarded by Listener.mu.
	tokens []token // the valid ones
}

// serve does the handshake with a client on a path and processes what the client sends, until the
// path ends. It is the goroutine of the path.
func (l *Listener) serve(p path) {
	defer p.close(0, "")
	hello, err := firstHello(p)
	switch {
	case errors.Is(err, connection.ErrVersion):
		l.refuse(p, hello.Client, otherVersion)
		return
	case errors.Is(err, connection.ErrFormat):
		p.close(connection.CodeProtocol, err.Error())
		return
	case err != nil:
		return
	}
	m, refused := l.meet(p, &hello)
	if refused != nil {
		l.refuse(p, hello.Client, refused)
		return
	}
	w := connection.Welcome{
		Client: hello.Client, Connection: m.number, Takes: connection.FromClient,
		Token: l.newToken(m), Resumed: len(hello.Resume) > 0,
	}
	p.carries(m.number)
	m.carry(p, func() { l.confirm(m) }, w)
}

// carry answers the Hello on a path with w, and processes what comes on the path until it ends.
func (m *connEntry) carry(p path, confirmed func(), w connection.Welcome) {
	answer := connection.AppendWelcome(nil, w)
	_ = p.send(answer) // what cannot be sent is lost; the other end asks again
	if m.conn.attach(p, confirmed) {
		m.conn.read(p, func(b []byte) bool {
			return repeats(b, w.Client) && p.send(answer) == nil
		})
	}
}

// firstHello waits for the Hello of a client. The error wraps connection.ErrFormat or
// connection.ErrVersion, or it says that the path has ended.
func firstHello(p path) (connection.Hello, error) {
	late := closeAfter(p, helloTimeout)
	defer late.Stop()
	b, err := p.receive()
	if err != nil {
		return connection.Hello{}, err
	}
	return connection.ReadHello(b)
}

// repeats reports whether a packet is the same Hello, which the client repeats until it has read
// the answer (D17).
func repeats(b []byte, client uint64) bool {
	if k, ok := connection.KindOf(b); !ok || k != connection.KindHello {
		return false
	}
	h, err := connection.ReadHello(b)
	return err == nil && h.Client == client
}

// refuse answers a Hello with Close. Where the path does not prove who sends, it answers up to
// three repeated Hellos as well (D29).
func (l *Listener) refuse(p path, client uint64, why *connection.CloseError) {
	l.counts.refused.Add(1)
	answer := connection.AppendClose(nil, client, true, why.Code, why.Reason)
	_ = p.send(answer) // what cannot be sent is lost; the client asks again
	if p.proves() {
		p.close(why.Code, why.Reason)
		return
	}
	late := closeAfter(p, farewell)
	defer late.Stop()
	for said := 0; said < 3; {
		b, err := p.receive()
		if err != nil {
			return
		}
		if repeats(b, client) {
			_ = p.send(answer) // as above
			said++
		}
	}
}

// meet opens or resumes a connection, or returns why not.
func (l *Listener) meet(p path, h *connection.Hello) (*connEntry, *connection.CloseError) {
	if len(h.Resume) > 0 {
		return l.resume(token(h.Resume))
	}
	return l.open(p, h)
}

// resume finds the connection of a token.
func (l *Listener) resume(t token) (*connEntry, *connection.CloseError) {
	l.mu.Lock()
	m := l.tokens[t]
	l.mu.Unlock()
	if m == nil {
		return nil, &connection.CloseError{
			Code: connection.CodeNoConnection, Reason: "no connection has this token",
		}
	}
	l.counts.resumed.Add(1)
	return m, nil
}

// open opens a connection and the stream over it.
func (l *Listener) open(p path, h *connection.Hello) (*connEntry, *connection.CloseError) {
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	m, refused := l.admit(
		p, connection.FromClient, h.Takes,
		func(conn *Conn) (Handlers, *connection.CloseError) {
			c := &carrier{conn: conn, splitter: framing.NewSplitter()}
			var err error
			if c.client, err = l.host.Open(ctx, h.Request, c); err != nil {
				return Handlers{}, &connection.CloseError{
					Code: connection.CodeRefused, Reason: l.host.Problem(err),
				}
			}
			return Handlers{Execute: c.execute, Ended: c.ended}, nil
		},
	)
	if refused == nil {
		l.cfg.Log.Debug("connection by datagrams opened", "connection", m.number,
			"encrypted", p.proves(), "client", p.remote().Addr())
	}
	return m, refused
}

// admit makes a connection for a path. open says what becomes of it, or why it is refused.
func (l *Listener) admit(
	p path, takes, peer connection.Limits, open func(c *Conn) (Handlers, *connection.CloseError),
) (*connEntry, *connection.CloseError) {
	m := &connEntry{number: drawNumber()}
	m.conn = newConn(connection.Config{
		Number: m.number, Path: pathOf(p), Takes: takes, PeerLimits: peer, RepeatOverdue: true,
	}, Handlers{})
	m.conn.stopWaiting = l.stopWaiting
	if !l.join(m) {
		return nil, &connection.CloseError{
			Code: connection.CodeGoing, Reason: "the server is stopping",
		}
	}
	h, refused := open(m.conn)
	if refused != nil {
		l.leave(m)
		m.conn.abandon()
		return nil, refused
	}
	m.conn.handlers = Handlers{
		Execute: h.Execute,
		Ended:   func(err *connection.CloseError) { l.leave(m); h.Ended(err) },
	}
	l.conns.Go(m.conn.run)
	l.counts.opened.Add(1)
	return m, nil
}

// join adds a connection. It returns false if the server is stopping.
func (l *Listener) join(m *connEntry) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopping {
		return false
	}
	l.members[m] = struct{}{}
	return true
}

// leave removes a connection, so that it cannot be resumed any more.
func (l *Listener) leave(m *connEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.members, m)
	for _, t := range m.tokens {
		delete(l.tokens, t)
	}
	m.tokens = nil
}

// newToken gives a connection another token. Its earlier tokens stay valid until confirm, maxTokens
// in all.
func (l *Listener) newToken(m *connEntry) token {
	var t token
	_, _ = rand.Read(t[:]) // it never fails
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, there := l.members[m]; !there {
		return t // the connection is over, as the client will find out
	}
	if len(m.tokens) == maxTokens {
		delete(l.tokens, m.tokens[0])
		m.tokens = m.tokens[1:]
	}
	m.tokens = append(m.tokens, t)
	l.tokens[t] = m
	return t
}

// maxTokens is how many tokens of a connection are valid at once: the last confirmed one, and those
// of Welcomes that are not confirmed.
const maxTokens = 4

// confirm records that the client has read its last Welcome: from now on only the token in that
// Welcome is valid (D21).
func (l *Listener) confirm(m *connEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(m.tokens) > 1 {
		delete(l.tokens, m.tokens[0])
		m.tokens = m.tokens[1:]
	}
}
