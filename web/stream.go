package web

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/server/tables/stream"
)

// apiStream opens a stream (S1). Whatever can fail is checked before the upgrade, and answered as a
// problem, before the room lets the new stream take over an older one. The handler returns once the
// stream runs in a goroutine of its own. So the buffers of net/http are not kept with the stream.
func (s *Server) apiStream(w http.ResponseWriter, r *http.Request) error {
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
	if err := checkSubprotocol(r); err != nil {
		return err
	}
	hello, err := helloOf(r.URL.Query())
	if err != nil {
		return err
	}
	if err := s.admitStream(session); err != nil {
		return err
	}
	c := newCarrier(s.keepalive)
	client, err := s.rooms.Open(r.Context(), session, hello, c)
	if err != nil {
		return err
	}
	if err := c.upgrade(w, r, subprotocol); err != nil {
		c.Close(stream.CodeInternal, "no upgrade")
		client.Closed(err)
		return err
	}
	s.serve(c, client, maxMessage)
	s.logOpened(r.Context(), "stream opened", session, hello.Client)
	return nil
}

// serve runs a carrier to its end, in a goroutine that outlives the request. Shutdown ends it.
func (s *Server) serve(c *carrier, p peer, most int) {
	if !s.begin(c) {
		c.Close(stream.CodeGoingAway, "the server is stopping")
		c.run(p, most) // this is short, and Shutdown may no longer wait for a goroutine
		return
	}
	go func() {
		defer s.end(c)
		c.run(p, most)
	}()
}

func (s *Server) logOpened(
	ctx context.Context, what string, session room.Session, client id.Client,
) {
	s.log.LogAttrs(ctx, slog.LevelDebug, what,
		slog.String("table", session.Table.String()), slog.Any("seat", session.Seat),
		slog.String("client", client.String()))
}

// helloOf reads the query of a stream.
func helloOf(q url.Values) (h room.Hello, err error) {
	if !q.Has("client") {
		return h, malformed("the query has no client")
	}
	if h.Client, err = id.ParseClient(q.Get("client")); err != nil {
		return h, impossible(err.Error())
	}
	if q.Has("epoch") != q.Has("mark") {
		return h, malformed("the query has one of epoch and mark, not both")
	}
	for _, f := range []struct {
		name string
		to   func(uint64)
	}{
		{"seq", func(n uint64) { h.Seq = id.ClientSeq(n) }},
		{"attempt", func(n uint64) { h.Attempt = n }},
		{"epoch", func(n uint64) { h.Epoch = id.Epoch(n) }},
		{"mark", func(n uint64) { h.Version = id.Version(n) }},
	} {
		if !q.Has(f.name) {
			continue
		}
		n, err := numberOf(q, f.name)
		if err != nil {
			return h, err
		}
		f.to(n)
	}
	h.Life, err = lifeOf(q)
	return h, err
}

// lifeOf reads the server life of the version in a query (S21); zero if the query does not say.
func lifeOf(q url.Values) (life room.ServerLife, err error) {
	if !q.Has("life") {
		return life, nil
	}
	if b, err := hex.DecodeString(q.Get("life")); err != nil || copy(life[:], b) != len(life) ||
		len(b) != len(life) {
		return life, malformed("life has not 32 hexadecimal digits")
	}
	return life, nil
}

// numberOf reads a number of a query.
func numberOf(q url.Values, name string) (uint64, error) {
	n, err := strconv.ParseUint(q.Get(name), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, malformed(name + " is not a number")
	case err != nil, n < 1, n > maxNumber:
		return 0, impossible(name + " is not from 1 to 2^53-1")
	}
	return n, nil
}

// maxNumber is the greatest number on the wire: JavaScript has no exact integers beyond it.
const maxNumber = 1<<53 - 1
