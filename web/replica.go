package web

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"holt/server/components/bridge"
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// Bounds of bridges (C19).
const (
	maxLinks       = 64        // of a table
	maxLinkMessage = 128 << 10 // bytes
	// maxDebt is how long a message may have to wait for the rate of updates. A longer wait closes
	// the bridge.
	maxDebt = 5 * time.Second
	// weightPerUpdate is how many entities and ended numbers of a digest count as one more update.
	weightPerUpdate = 100
	// operateTimeout bounds how long the room may take for a message.
	operateTimeout = 30 * time.Second
)

const linkSubprotocol = "holt.replica.v1"

// replica is one end of a bridge. Towards a bot or an engine it is a WebSocket. Towards the room it
// is the stream of a client of its own, whose frames it translates.
type replica struct {
	*carrier
	// Set at construction.
	server  *Server
	session room.Session
	client  id.Client
	feed    *stream.Client
	told    chan struct{} // capacity 1: a frame has come since until looked
	gone    chan struct{} // closed when the carrier is closed

	mu sync.Mutex
	// Guarded by mu.
	link *bridge.Link
}

var _ stream.Carrier = (*replica)(nil)

// apiReplica opens a bridge (C19). Whatever can fail is checked before the upgrade, as for a
// stream.
func (s *Server) apiReplica(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet {
		return &problem{Code: "method", Detail: "this address takes GET", Allow: http.MethodGet}
	}
	session, err := s.session(r)
	if err != nil {
		return err
	}
	if err := checkHandshake(r); err != nil {
		return err
	}
	form, err := formOf(r)
	if err != nil {
		return err
	}
	if err := s.roomFor(fullForStreams); err != nil {
		return err
	}
	if err := s.limits.streams.take(keyOf(session), 1); err != nil {
		return err
	}
	if !s.beginLink(session.Table) {
		return room.ErrBusy
	}
	p, err := s.newReplica(session, form)
	if err == nil {
		p.feed, err = s.rooms.Open(r.Context(), session, room.Hello{
			Client: p.client, Still: true,
		}, p)
	}
	if err != nil {
		s.endLink(session.Table)
		return err
	}
	if err := p.upgrade(w, r, linkSubprotocol); err != nil {
		p.Close(stream.CodeInternal, "no upgrade")
		p.Closed(err)
		return err
	}
	s.serve(p.carrier, p, maxLinkMessage)
	s.log.LogAttrs(r.Context(), slog.LevelDebug, "link opened",
		slog.String("table", session.Table.String()), slog.Any("seat", session.Seat),
		slog.String("client", p.client.String()))
	return nil
}

// formOf reads the query of a bridge.
func formOf(r *http.Request) (bridge.Form, error) {
	q := r.URL.Query()
	if !q.Has("form") || !q.Has("compare") {
		return 0, malformed("the query has not both form and compare")
	}
	form, ok := bridge.ParseForm(q.Get("form"))
	switch {
	case !ok:
		return 0, impossible("form is flat or protobuf")
	case q.Get("compare") != "bytes":
		return 0, impossible(
			"compare is bytes: replicas that order data otherwise do not agree with those here")
	}
	return form, nil
}

// beginLink counts a bridge of a table. It reports false if there are too many.
func (s *Server) beginLink(table id.OID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.links[table] >= maxLinks {
		return false
	}
	s.links[table]++
	return true
}

func (s *Server) endLink(table id.OID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.links[table]--; s.links[table] == 0 {
		delete(s.links, table)
	}
}

func (s *Server) newReplica(session room.Session, form bridge.Form) (*replica, error) {
	p := &replica{
		carrier: newCarrier(s.keepalive), server: s, session: session, told: make(chan struct{}, 1),
		gone: make(chan struct{}),
		link: bridge.New(bridge.Config{
			Form: form, ReadOnly: session.Role == table.RoleSpectator, Draw: draw,
		}),
	}
	p.closing = func() { close(p.gone) }
	if _, err := rand.Read(p.client[:]); err != nil {
		return nil, fmt.Errorf("draw client id: %w", err)
	}
	return p, nil
}

// draw returns a random number.
func draw() uint32 {
	var b [4]byte
	_, _ = rand.Read(b[:]) // it never fails
	return binary.BigEndian.Uint32(b[:])
}

// Write takes frames of the view's stream, and sends their content to the replica. Messages from
// here and from Receive may go out in any order: they are operations (C4).
func (p *replica) Write(ctx context.Context, frames [][]byte) error {
	var out [][]byte
	for _, b := range frames {
		f, err := wire.DecodeFrame(b)
		if err != nil {
			return fmt.Errorf("read a frame for a link: %w", err)
		}
		p.mu.Lock()
		messages, err := p.link.Tell(f)
		p.mu.Unlock()
		if err != nil {
			v := ending(err)
			p.Close(v.code, v.reason)
			return v
		}
		out = append(out, messages...)
	}
	select {
	case p.told <- struct{}{}:
	default:
	}
	return p.send(ctx, out)
}

// send sends messages, if there are any.
func (p *replica) send(ctx context.Context, messages [][]byte) error {
	if len(messages) == 0 {
		return nil
	}
	return p.carrier.Write(ctx, messages)
}

// Closed says that the WebSocket has ended.
func (p *replica) Closed(err error) {
	p.feed.Closed(err)
	p.server.endLink(p.session.Table)
}

// ending returns the close code with which a bridge ends.
func ending(err error) *violation {
	switch {
	case errors.Is(err, bridge.ErrAnew):
		return &violation{stream.CodeAnew, err.Error()}
	case errors.Is(err, bridge.ErrSpent):
		return &violation{stream.CodeFlood, err.Error()}
	case errors.Is(err, crdt.ErrFrame), errors.Is(err, crdt.ErrMalformed),
		errors.Is(err, crdt.ErrDigest), errors.Is(err, crdt.ErrOp):
		return &violation{stream.CodeProtocol, err.Error()}
	default:
		return &violation{stream.CodeInternal, "fault in the server"}
	}
}

var errGone = errors.New("the link has ended")

// Receive takes a message of the replica, in order. Before the next message is read, its operations
// are durable or had no effect. So the network slows down a replica that sends more than the server
// takes.
func (p *replica) Receive(msg []byte) error {
	if err := p.until(p.link.Whole); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), operateTimeout)
	defer cancel()
	now := schema.SecondAt(id.Millis(time.Now().UnixMilli()))
	p.mu.Lock()
	taken, err := p.link.Take(msg, now)
	p.mu.Unlock()
	if err != nil {
		return ending(err)
	}
	if err := p.pay(taken.Len - len(taken.Ops) + costOf(taken.Ops)); err != nil {
		return err
	}
	if err := p.send(ctx, taken.Answer); err != nil {
		return err
	}
	if err := p.operate(ctx, &taken); err != nil {
		return err
	}
	if taken.Digest == nil {
		return nil
	}
	return p.compare(ctx, &taken)
}

// operate passes operations to the room, at most maxComponentOps at a time. The stream reports
// those that are refused.
func (p *replica) operate(ctx context.Context, t *bridge.Taken) error {
	for ops := range slices.Chunk(t.Ops, maxComponentOps) {
		m := room.Operations{Client: p.client, Epoch: t.Epoch, Mark: t.Mark, Ops: ops}
		err := p.server.rooms.Operate(ctx, p.session, m)
		for fast := (room.TooFast{}); errors.As(err, &fast); {
			if waited := p.wait(fast.After); waited != nil {
				return waited
			}
			err = p.server.rooms.Operate(ctx, p.session, m)
		}
		switch {
		case errors.Is(err, room.TooMuch{}):
			return &violation{stream.CodeFlood, "far too much work"}
		case errors.Is(err, room.ErrBusy):
			return &violation{stream.CodeAnew, "the table has too much to do"}
		case errors.Is(err, room.ErrStopping):
			return &violation{stream.CodeGoingAway, "the server is stopping"}
		case err != nil:
			return &violation{stream.CodeInternal, "the server could not take the last message"}
		}
	}
	return nil
}

// compare answers a digest when everything that the replica sent before has an outcome (C20).
func (p *replica) compare(ctx context.Context, t *bridge.Taken) error {
	if err := p.until(p.link.Settled); err != nil {
		return err
	}
	p.mu.Lock()
	cost := componentsCost + p.link.Weight()/weightPerUpdate
	p.mu.Unlock()
	if err := p.pay(cost); err != nil {
		return err
	}
	p.mu.Lock()
	out, err := p.link.Differing(t.Digest, t.Asks)
	p.mu.Unlock()
	if err != nil {
		return ending(err)
	}
	return p.send(ctx, out)
}

// pay waits until the seat may do so many updates (http.md).
func (p *replica) pay(n int) error {
	return p.wait(p.server.limits.updates.owe(keyOf(p.session), n))
}

// wait waits so long. It returns an error if that is longer than maxDebt, or if the bridge ends
// meanwhile.
func (p *replica) wait(wait time.Duration) error {
	if wait > maxDebt {
		return &violation{stream.CodeFlood, "far too many operations"}
	}
	if wait <= 0 {
		return nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-p.gone:
		return errGone
	}
}

// until waits until a condition of the bridge is true. It checks it after each frame.
func (p *replica) until(is func() bool) error {
	for {
		p.mu.Lock()
		ok := is()
		p.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-p.told:
		case <-p.gone:
			return errGone
		}
	}
}
