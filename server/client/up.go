package client

import (
	"context"
	"errors"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// ErrNoStream says that a message was not sent because no stream is open. Sending it later is
// useless.
var ErrNoStream = errors.New("there is no stream")

// Place is a place at which a piece is seen, in table units.
type Place struct {
	Piece id.Piece
	X, Y  int32
}

// Carry sends where this client's dragged pieces are seen, at the server's time at; 0 means on
// arrival (S12). While the seat holds these pieces, Moved does not report their motion back. The
// message may be lost. An error says that it was not sent.
func (c *Client) Carry(ctx context.Context, at id.Millis, where ...Place) error {
	c.mu.Lock()
	for _, p := range where {
		c.state.carries(p.Piece)
	}
	c.mu.Unlock()
	for some := range slices.Chunk(where, wire.MaxMotion) {
		m := &holtpb.Motion{At: upTime(at)}
		for _, p := range some {
			m.Pieces, m.X, m.Y = append(m.Pieces, uint32(p.Piece)), append(m.X, p.X), append(m.Y, p.Y)
		}
		if err := c.say(ctx, &holtpb.Up{Up: &holtpb.Up_Motion{Motion: m}}); err != nil {
			return err
		}
	}
	return nil
}

// Point sends where this client points, in table units, at the server's time at; 0 means on arrival
// (S13). The message may be lost. An error says that it was not sent.
func (c *Client) Point(ctx context.Context, at id.Millis, x, y int32) error {
	return c.say(
		ctx, &holtpb.Up{Up: &holtpb.Up_Cursor{Cursor: &holtpb.Cursor{At: upTime(at), X: x, Y: y}}},
	)
}

// SetAway says whether the person looks at something else (S11). It applies to later streams, too.
func (c *Client) SetAway(ctx context.Context, away bool) {
	c.mu.Lock()
	was, s := c.away, c.socket
	c.away = away
	open := c.state.open
	c.mu.Unlock()
	if s != nil && open && was != away {
		_ = s.say(ctx, awayUp(away)) // if the stream breaks, the next one sends it
	}
}

// sayAway sends on a new stream what SetAway said before.
func (c *Client) sayAway(ctx context.Context, s *socket) {
	c.mu.Lock()
	away := c.away
	c.mu.Unlock()
	if away {
		_ = s.say(ctx, awayUp(away)) // as in SetAway
	}
}

func awayUp(away bool) *holtpb.Up {
	return &holtpb.Up{Up: &holtpb.Up_Away{Away: &holtpb.Away{Away: away}}}
}

// upTime returns a time in the form of the wire: 0 if there is none.
func upTime(at id.Millis) uint64 { return uint64(max(at, 0)) }

// say sends a message on the open stream. The error is ErrNoStream if there is none.
func (c *Client) say(ctx context.Context, up *holtpb.Up) error {
	c.mu.Lock()
	s, open := c.socket, c.state.open
	c.mu.Unlock()
	if s == nil || !open {
		return ErrNoStream
	}
	return s.say(ctx, up)
}

// pings holds the pings that wait for their pongs.
type pings struct {
	nonce uint64
	sent  map[uint64]time.Duration // on the client's clock, by nonce
}

// forget drops all pings. Their pongs would be measured against a clock that has stood still, or
// never come.
func (p *pings) forget() { clear(p.sent) }

// ask returns the nonce of a ping that is sent now. It drops pings that are too old to be of use.
func (p *pings) ask(now time.Duration) uint64 {
	for nonce, sent := range p.sent {
		if now-sent > maxRoundTrip*time.Millisecond {
			delete(p.sent, nonce)
		}
	}
	if p.sent == nil {
		p.sent = map[uint64]time.Duration{}
	}
	p.nonce++
	p.sent[p.nonce] = now
	return p.nonce
}

// answer removes a ping, and returns when it was sent. It reports false if it no longer waits.
func (p *pings) answer(nonce uint64) (time.Duration, bool) {
	sent, ok := p.sent[nonce]
	delete(p.sent, nonce)
	return sent, ok
}

// beat pings on a synchronised stream until the stream ends or ctx is done (S15).
func (c *Client) beat(ctx context.Context, s *socket) {
	ctx, cancel := s.during(ctx)
	defer cancel()
	for p := begin(c.ticks(), wallClock()); ; {
		ping, wait, asleep := p.look(c.ticks(), wallClock())
		if asleep || ping {
			if err := c.ping(ctx, s, asleep, ping); err != nil {
				return
			}
		}
		if !pause(ctx, wait) {
			return
		}
	}
}

// wallClock returns the wall clock, which goes on while the machine sleeps.
func wallClock() time.Duration { return time.Duration(time.Now().UnixNano()) }

// ping sends a ping if now is true. After a sleep it first drops the pings that were sent before.
func (c *Client) ping(ctx context.Context, s *socket, asleep, now bool) error {
	c.mu.Lock()
	if asleep {
		c.asked.forget()
	}
	if !now {
		c.mu.Unlock()
		return nil
	}
	nonce := c.asked.ask(c.ticks())
	c.mu.Unlock()
	return s.say(ctx, &holtpb.Up{Up: &holtpb.Up_Ping{Ping: &holtpb.Ping{Nonce: nonce}}})
}

// pong records the pong that has just come as a sample of the server's clock.
func (c *Client) pong(nonce uint64, server id.Millis) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if sent, ok := c.asked.answer(nonce); ok {
		c.time.learn(pingSample{
			sent: milliseconds(sent), received: milliseconds(c.ticks()), server: float64(server),
		})
	}
}
