package endpoint

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"sync"
	"time"

	"holt/server/transport/connection"
)

// Times of a client's handshake (D17).
const (
	repeatFirst = 250 * time.Millisecond // the first repetition; each later wait is twice as long
	repeatMost  = time.Second
	giveUp      = 4 * time.Second
)

// maxEarly is how many packets are kept that have overtaken the Welcome.
const maxEarly = 64

// handshakeResult is what a client has got from a server in the handshake.
type handshakeResult struct {
	connection.Welcome
	early [][]byte // packets that have overtaken the Welcome
}

// errUnanswered gives up a path on which nothing answers.
var errUnanswered = errors.New("nobody answers")

// handshake sends Hello on a path until the server answers. After an error the path is closed. The
// error wraps a *connection.CloseError if that was the answer.
func handshake(ctx context.Context, p path, h connection.Hello) (*handshakeResult, error) {
	h.Client = drawNumber()
	s := &helloSender{path: p, hello: h}
	late := closeAfter(p, giveUp)
	defer late.Stop()
	stop := context.AfterFunc(ctx, func() { p.close(0, "") })
	defer stop()
	s.say()
	defer s.stop()
	g, err := s.listen()
	if err == nil && (!late.Stop() || !stop()) { // the path is being closed
		err = errUnanswered
	}
	if err != nil {
		p.close(0, "")
		return nil, errors.Join(err, ctx.Err())
	}
	return g, nil
}

// helloSender sends Hello repeatedly.
type helloSender struct {
	// Set at construction.
	path path

	mu sync.Mutex
	// Guarded by mu.
	hello connection.Hello
	wait  time.Duration // before the next repetition
	timer *time.Timer   // nil before the first Hello
	over  bool
}

// say sends Hello and schedules the next one.
func (s *helloSender) say() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	size := 0
	if !s.path.proves() {
		size = connection.UDPSize
	}
	_ = s.path.send(connection.AppendHello(nil, s.hello, size)) // what cannot be sent is lost
	s.wait = min(max(2*s.wait, repeatFirst), repeatMost)
	if s.timer != nil {
		s.timer.Stop()
	}
	s.timer = time.AfterFunc(s.wait, s.say)
}

func (s *helloSender) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.timer.Stop()
}

// listen waits for the answer.
func (s *helloSender) listen() (*handshakeResult, error) {
	g := &handshakeResult{}
	for {
		b, err := s.path.receive()
		if err != nil {
			var said *connection.CloseError
			if errors.As(err, &said) {
				return nil, said
			}
			return nil, errUnanswered
		}
		done, err := s.hear(b, g)
		if done || err != nil {
			return g, err
		}
	}
}

// hear processes a packet, and reports whether it was the Welcome. It ignores what it cannot read:
// anybody may have sent it.
func (s *helloSender) hear(b []byte, g *handshakeResult) (done bool, err error) {
	kind, ok := connection.KindOf(b)
	if !ok {
		return false, nil
	}
	switch kind {
	case connection.KindRetry:
		if client, cookie, err := connection.ReadRetry(b); err == nil && client == s.hello.Client {
			s.prove(cookie)
		}
	case connection.KindWelcome:
		w, err := connection.ReadWelcome(b)
		g.Welcome = w
		return err == nil && w.Client == s.hello.Client, nil
	case connection.KindClose:
		client, code, reason, err := connection.ReadClose(b, true)
		if err == nil && client == s.hello.Client {
			return false, &connection.CloseError{Code: code, Reason: reason, Remote: true}
		}
	case connection.KindData:
		if len(g.early) < maxEarly {
			g.early = append(g.early, b)
		}
	default:
	}
	return false, nil
}

// prove sends Hello with a cookie, at once.
func (s *helloSender) prove(cookie []byte) {
	s.mu.Lock()
	same := bytes.Equal(s.hello.Cookie, cookie)
	s.hello.Cookie, s.wait = cookie, 0
	s.mu.Unlock()
	if !same {
		s.say()
	}
}

// drawNumber returns a random number for a connection or for a client's Hello.
func drawNumber() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return binary.BigEndian.Uint64(b[:])
}
