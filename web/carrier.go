package web

import (
	"cmp"
	"context"
	"net"
	"sync"
	"time"

	"holt/server/tables/stream"
)

// Keepalive says how dead connections are noticed (S6): within the sum of both times. A zero means
// the default.
type Keepalive struct {
	Every   time.Duration // from ping to ping; default 15 s
	Timeout time.Duration // for the answer; default 10 s
}

// withDefaults returns k with its defaults filled in.
func (k Keepalive) withDefaults() Keepalive {
	return Keepalive{
		Every: cmp.Or(k.Every, 15*time.Second), Timeout: cmp.Or(k.Timeout, 10*time.Second),
	}
}

const pingAgain = time.Second // retry while data is being written

// carrier is a WebSocket as stream.Carrier. It writes data frames straight to the connection, many
// messages in one write: that costs a sixteenth of a library call for each message.
type carrier struct {
	// Set at construction.
	conn    *wsConn
	alive   Keepalive
	closing func() // called once, when the carrier is closed; nil: nothing is called

	closeOnce sync.Once
	// Set once, before the line is wound up; then read by the reader.
	code   stream.Code
	reason string

	keep sync.Mutex
	// Guarded by keep.
	timer   *time.Timer // nil before the first ping and after the last
	pinging bool        // a ping is out, and keepalive has not seen an answer yet
	pinged  time.Time   // when it went out
}

var _ stream.Carrier = (*carrier)(nil)

// newCarrier returns a carrier whose connection comes later. Write waits for it.
func newCarrier(k Keepalive) *carrier {
	return &carrier{conn: newWSConn(), alive: k.withDefaults()}
}

// buffers holds the write buffers of all carriers: an idle stream has none.
var buffers = sync.Pool{New: func() any { return new(make([]byte, 0, 4<<10)) }}

// Write sends frames, each as one message, all in one write unless they are longer than chunkSize.
// It fails if a chunk has not gone into the network after stallTimeout (S7).
func (c *carrier) Write(ctx context.Context, frames [][]byte) error {
	l := c.conn
	l.writeLock.lock()
	defer l.done()
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case l.Conn == nil:
		return errNoConnection
	case l.broken || l.closeSent:
		return net.ErrClosed
	}
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, func() { _ = l.SetWriteDeadline(past) })
		defer stop()
	}
	pooled, _ := buffers.Get().(*[]byte) // only *[]byte goes in
	buf := (*pooled)[:0]
	defer func() {
		*pooled = buf[:0]
		buffers.Put(pooled)
	}()
	for _, frame := range frames {
		if len(buf)+maxFrameHeader+len(frame) > chunkSize && len(buf) > 0 {
			if err := l.send(buf, stallTimeout); err != nil {
				return err
			}
			buf = buf[:0]
		}
		buf = appendDataHeader(buf, len(frame))
		for len(buf)+len(frame) > chunkSize {
			n := chunkSize - len(buf)
			buf = append(buf, frame[:n]...)
			if err := l.send(buf, stallTimeout); err != nil {
				return err
			}
			buf, frame = buf[:0], frame[n:]
		}
		buf = append(buf, frame...)
	}
	if len(buf) == 0 {
		return nil
	}
	return l.send(buf, stallTimeout)
}

// Close ends the carrier. A write in progress ends within closeGrace (1 s), and the reader sends
// the close frame. Close does not wait.
func (c *carrier) Close(code stream.Code, reason string) {
	c.closeOnce.Do(func() {
		c.code, c.reason = code, reason
		c.conn.beginClose()
		if c.closing != nil {
			c.closing()
		}
	})
}

// startKeepalive begins to ping.
func (c *carrier) startKeepalive() {
	c.keep.Lock()
	defer c.keep.Unlock()
	c.timer = time.AfterFunc(c.alive.Every, c.keepalive)
}

// stopKeepalive stops the pings. When it returns, no ping is being written and none will be.
func (c *carrier) stopKeepalive() {
	c.keep.Lock()
	defer c.keep.Unlock()
	c.timer.Stop()
	c.timer = nil
}

// keepalive runs when the timer fires. It checks the answer to a ping, or sends a ping (S6).
// Whatever the client sends counts as an answer: it shows that the client is alive.
func (c *carrier) keepalive() {
	c.keep.Lock()
	defer c.keep.Unlock()
	if c.timer == nil {
		return
	}
	since := time.Since(c.pinged)
	switch {
	case c.pinging && !c.conn.alive.Load() && since >= c.alive.Timeout:
		c.Close(stream.CodeKeepalive, "no answer to a ping")
	case c.pinging && !c.conn.alive.Load():
		c.timer.Reset(min(c.alive.Every, c.alive.Timeout-since))
	case c.pinging && since < c.alive.Every:
		c.pinging = false
		c.timer.Reset(c.alive.Every - since)
	case !c.ping():
		c.timer.Reset(pingAgain)
	default:
		c.pinging, c.pinged = true, time.Now()
		c.timer.Reset(min(c.alive.Every, c.alive.Timeout))
	}
}

// ping writes a ping. It reports false if data is being written: that write has its own bound.
func (c *carrier) ping() bool {
	l := c.conn
	if !l.writeLock.tryLock() {
		return false
	}
	defer l.done()
	l.alive.Store(false)
	l.sendControl([]byte{finPing, 0}, controlTimeout)
	return true
}
