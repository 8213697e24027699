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

// ErrNoStream is why something was not said that is of no use later: no stream is open.
var ErrNoStream = errors.New("there is no stream")

// Place is where a piece is seen, in table units.
type Place struct {
	Piece id.Piece
	X, Y  int32
}

// Carry says where pieces are seen that this client carries, at a time of the server's; 0 is when it arrives (S12). What
// comes back of them is not told as Moved any more while the seat holds them. It may be lost: an error says that it was.
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

// Point says where this client points, at a time of the server's; 0 is when it arrives (S13). It may be lost: an error says
// that it was.
func (c *Client) Point(ctx context.Context, at id.Millis, x, y int32) error {
	return c.say(ctx, &holtpb.Up{Up: &holtpb.Up_Cursor{Cursor: &holtpb.Cursor{At: upTime(at), X: x, Y: y}}})
}

// SetAway says whether the person looks at something else (S11). It holds for the streams to come, too.
func (c *Client) SetAway(ctx context.Context, away bool) {
	c.mu.Lock()
	was, s := c.away, c.socket
	c.away = away
	open := c.state.open
	c.mu.Unlock()
	if s != nil && open && was != away {
		_ = s.say(ctx, awayUp(away)) // if the stream breaks, the next one says it
	}
}

// sayAway says on a new stream what SetAway has said before.
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

// upTime is a time as it goes up: none is 0.
func upTime(at id.Millis) uint64 { return uint64(max(at, 0)) }

// say says something on the stream that is open.
func (c *Client) say(ctx context.Context, up *holtpb.Up) error {
	c.mu.Lock()
	s, open := c.socket, c.state.open
	c.mu.Unlock()
	if s == nil || !open {
		return ErrNoStream
	}
	return s.say(ctx, up)
}

// pings are those that wait for their pong.
type pings struct {
	nonce uint64
	sent  map[uint64]time.Duration // on the client's clock, by nonce
}

// forget forgets them all: their pongs would be measured against a clock that has stood still, or never come.
func (p *pings) forget() { clear(p.sent) }

// ask returns the nonce of one that is sent now. Those that can tell nothing any more are forgotten.
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

// answer returns when the ping was sent that a pong answers, if it still waits.
func (p *pings) answer(nonce uint64) (time.Duration, bool) {
	sent, ok := p.sent[nonce]
	delete(p.sent, nonce)
	return sent, ok
}

// beat pings on a stream that has made the client whole until it ends, or ctx is done (S15).
func (c *Client) beat(ctx context.Context, s *socket) {
	ctx, cancel := s.during(ctx)
	defer cancel()
	for p := begin(c.ticks(), wall()); ; {
		ping, wait, asleep := p.look(c.ticks(), wall())
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

// wall returns what the clock of the day shows, which goes on while the machine sleeps.
func wall() time.Duration { return time.Duration(time.Now().UnixNano()) }

// ping asks for the server's time, if it is time for that. After a sleep nothing that was asked before counts.
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

// pong learns from an answer that has just come.
func (c *Client) pong(nonce uint64, server id.Millis) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if sent, ok := c.asked.answer(nonce); ok {
		c.time.learn(pingSample{sent: milliseconds(sent), received: milliseconds(c.ticks()), server: float64(server)})
	}
}
