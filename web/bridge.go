package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"holt/server/components/bridge"
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// Bounds of bridges (C19).
const (
	maxBridges       = 64        // of a table
	maxBridgeMessage = 128 << 10 // bytes
	// maxDebt is how long a message may have to wait for the rate of updates. A longer wait closes
	// the bridge.
	maxDebt = 5 * time.Second
	// itemsPerUpdate is how many entities and ended numbers of a digest count as one more update.
	itemsPerUpdate = 100
	// operateTimeout bounds how long the room may take for a message.
	operateTimeout = 30 * time.Second
)

const linkSubprotocol = "holt.replica.v1"

// bridgeCarrier is one end of a bridge. Towards a bot or an engine it is a WebSocket. Towards the
// room it is the stream of a client of its own, whose frames it translates.
type bridgeCarrier struct {
	*carrier
	// Set at construction.
	server  *Server
	session room.Session
	client  id.Client
	feed    *stream.Stream
	changed chan struct{} // capacity 1: a frame has come since until looked
	gone    chan struct{} // closed when the carrier is closed
	// catalog is the hash of the catalogue whose kinds the bridge has. Only Write uses it.
	catalog room.Hash

	mu sync.Mutex
	// Guarded by mu.
	bridge *bridge.Bridge
}

var _ stream.Carrier = (*bridgeCarrier)(nil)

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
	terms, err := termsOf(r)
	if err != nil {
		return err
	}
	if err := s.admitStream(session); err != nil {
		return err
	}
	if !s.beginBridge(session.Table) {
		return room.ErrBusy
	}
	p, err := s.newBridgeCarrier(session, terms)
	if err == nil {
		p.feed, err = s.rooms.Open(r.Context(), session, room.Hello{
			Client: p.client, WithoutMotion: true, Foreign: true,
		}, p)
	}
	if err != nil {
		s.endBridge(session.Table)
		return err
	}
	if err := p.upgrade(w, r, linkSubprotocol); err != nil {
		p.Close(stream.CodeInternal, "no upgrade")
		p.Closed(err)
		return err
	}
	s.serve(p.carrier, p, maxBridgeMessage)
	s.logOpened(r.Context(), "link opened", session, p.client)
	return nil
}

// termsOf reads the query of a bridge.
func termsOf(r *http.Request) (bridge.Config, error) {
	q := r.URL.Query()
	if !q.Has("form") || !q.Has("compare") {
		return bridge.Config{}, malformed("the query has not both form and compare")
	}
	c := bridge.Config{}
	var ok bool
	switch c.Form, ok = bridge.ParseForm(q.Get("form")); {
	case !ok:
		return c, impossible("form is flat or protobuf")
	case q.Get("compare") != "bytes" && q.Get("compare") != "length":
		return c, impossible("compare is bytes or length")
	case c.Form != bridge.Flat && (q.Has("offset") || q.Has("components")):
		return c, impossible("only the form flat has an offset and other numbers of components")
	case q.Has("components") && q.Get("components") != "crc32":
		return c, impossible("components is crc32, or missing")
	}
	c.Length, c.CRC = q.Get("compare") == "length", q.Has("components")
	if q.Has("offset") {
		offset, err := numberOf(q, "offset")
		switch {
		case err != nil:
			return c, err
		case offset < 1 || offset > bridge.MaxOffset:
			return c, impossible("offset is from 1 to 32768")
		}
		c.Offset = uint16(offset)
	}
	return c, nil
}

// beginBridge counts a bridge of a table. It reports false if there are too many.
func (s *Server) beginBridge(table id.OID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bridges[table] >= maxBridges {
		return false
	}
	s.bridges[table]++
	return true
}

func (s *Server) endBridge(table id.OID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bridges[table]--; s.bridges[table] == 0 {
		delete(s.bridges, table)
	}
}

func (s *Server) newBridgeCarrier(
	session room.Session, terms bridge.Config,
) (*bridgeCarrier, error) {
	terms.Derived = true
	terms.ReadOnly, terms.Random = !session.Role.Plays(), draw
	p := &bridgeCarrier{
		carrier: newCarrier(s.keepalive), server: s, session: session, changed: make(chan struct{}, 1),
		gone:   make(chan struct{}),
		bridge: bridge.New(terms),
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
func (p *bridgeCarrier) Write(ctx context.Context, frames [][]byte) error {
	var out [][]byte
	for _, b := range frames {
		f, err := wire.DecodeFrame(b)
		if err != nil {
			return fmt.Errorf("read a frame for a link: %w", err)
		}
		kinds, changed := p.kindsFor(ctx, f)
		p.mu.Lock()
		if changed {
			p.bridge.SetKinds(kinds)
		}
		messages, err := p.bridge.FromView(f)
		p.mu.Unlock()
		if err != nil {
			v := ending(err)
			p.Close(v.code, v.reason)
			return v
		}
		out = append(out, messages...)
	}
	select {
	case p.changed <- struct{}{}:
	default:
	}
	return p.send(ctx, out)
}

// kindsFor returns the kinds of the catalogue that a frame names. It returns false if the frame
// names none, or the one of the frames before. If the catalogue cannot be read the bridge does
// without the names of kinds.
func (p *bridgeCarrier) kindsFor(ctx context.Context, f *holtpb.Frame) ([]game.Kind, bool) {
	var named []byte
	for _, e := range f.GetEvents() {
		for _, b := range [][]byte{
			e.GetFull().GetTable().GetCatalog(), e.GetTable().GetCatalog(),
		} {
			if len(b) > 0 {
				named = b
			}
		}
	}
	var hash room.Hash
	if len(named) != len(hash) || bytes.Equal(named, p.catalog[:]) {
		return nil, false
	}
	copy(hash[:], named)
	kinds, err := p.server.kindsOf(ctx, hash)
	if err != nil {
		p.server.log.WarnContext(ctx, "a link cannot read the kinds of its table", "error", err)
		return nil, false
	}
	p.catalog = hash
	return kinds, true
}

// kindsOf returns the kinds of a catalogue: of the shelf, or of one that is stored with a table.
func (s *Server) kindsOf(ctx context.Context, hash room.Hash) ([]game.Kind, error) {
	for _, g := range s.art.shelf.Games() {
		if g.CatalogHash == hash {
			return g.Kinds, nil
		}
	}
	blob, err := s.rooms.Blob(ctx, hash)
	if err != nil {
		return nil, err
	}
	kinds, err := game.ParseCatalog(blob.Data)
	if err != nil {
		return nil, fmt.Errorf("read a catalogue: %w", err)
	}
	return kinds, nil
}

// send sends messages, if there are any.
func (p *bridgeCarrier) send(ctx context.Context, messages [][]byte) error {
	if len(messages) == 0 {
		return nil
	}
	return p.carrier.Write(ctx, messages)
}

// Closed says that the WebSocket has ended.
func (p *bridgeCarrier) Closed(err error) {
	p.feed.Closed(err)
	p.server.endBridge(p.session.Table)
}

// ending returns the close code with which a bridge ends.
func ending(err error) *violation {
	switch {
	case errors.Is(err, bridge.ErrResetRequired):
		return &violation{stream.CodeResetRequired, err.Error()}
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
func (p *bridgeCarrier) Receive(msg []byte) error {
	if err := p.until(p.bridge.Synchronised); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), operateTimeout)
	defer cancel()
	now := schema.SecondAt(id.Millis(time.Now().UnixMilli()))
	p.mu.Lock()
	taken, err := p.bridge.FromReplica(msg, now)
	p.mu.Unlock()
	if err != nil {
		return ending(err)
	}
	if err := p.waitForRate(taken.Len - len(taken.Ops) + costOf(taken.Ops)); err != nil {
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
func (p *bridgeCarrier) operate(ctx context.Context, t *bridge.Taken) error {
	for ops := range slices.Chunk(t.Ops, maxComponentOps) {
		m := room.Operations{Client: p.client, Epoch: t.Epoch, Version: t.Version, Ops: ops}
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
			return &violation{stream.CodeResetRequired, "the table has too much to do"}
		case errors.Is(err, room.ErrStopping):
			return &violation{stream.CodeGoingAway, "the server is stopping"}
		case err != nil:
			return &violation{stream.CodeInternal, "the server could not take the last message"}
		}
	}
	return nil
}

// compare answers a digest when everything that the replica sent before has an outcome (C20).
func (p *bridgeCarrier) compare(ctx context.Context, t *bridge.Taken) error {
	if err := p.until(p.bridge.Settled); err != nil {
		return err
	}
	p.mu.Lock()
	cost := componentsCost + p.bridge.DiffCost()/itemsPerUpdate
	p.mu.Unlock()
	if err := p.waitForRate(cost); err != nil {
		return err
	}
	p.mu.Lock()
	out, err := p.bridge.Differing(t.Digest, t.Asks)
	p.mu.Unlock()
	if err != nil {
		return ending(err)
	}
	return p.send(ctx, out)
}

// waitForRate waits until the seat may do so many updates (http.md).
func (p *bridgeCarrier) waitForRate(n int) error {
	return p.wait(p.server.limits.updates.charge(keyOf(p.session), n))
}

// wait waits so long. It returns an error if that is longer than maxDebt, or if the bridge ends
// meanwhile.
func (p *bridgeCarrier) wait(wait time.Duration) error {
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
func (p *bridgeCarrier) until(is func() bool) error {
	for {
		p.mu.Lock()
		ok := is()
		p.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-p.changed:
		case <-p.gone:
			return errGone
		}
	}
}
