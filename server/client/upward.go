package client

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
	"holt/server/transport/connection"
	"holt/server/transport/depgraph"
)

// Bounds of the requests by datagrams (D40).
const (
	// maxRequests is how many may be without an answer.
	maxRequests = 16
	// answerWithin is how long an answer may take. Then what is unanswered is posted.
	answerWithin = 3 * time.Second
	// maxSmallBatch is how many bytes a batch may have, so that it fits into a message (D14).
	maxSmallBatch = wire.MaxUp - 96
)

// upward has the requests by datagrams of the open stream (D39, D40). It is guarded by Client.mu.
type upward struct {
	last  uint64 // the number of the last request
	under []*upRequest
	// given are the numbers of requests that were given up. Their answers may still come.
	given map[uint64]bool
	// byHTTP says that updates are posted, because a request was not accepted or got no answer. It
	// ends when all answers are there and nothing waits.
	byHTTP bool
	// proved says that a request of this stream was answered. The first one goes alone, so that the
	// server knows with which sequence this client goes on (T10).
	proved bool
	wait   time.Duration // before something is posted, as the server has asked
}

// upRequest is a request that has no answer yet.
type upRequest struct {
	number  uint64
	updates []table.Update
	about   footprint
	handle  depgraph.Handle
	behind  []uint64 // the requests for which it waits, directly or not
	sent    time.Duration
}

// reset forgets the requests: the stream has ended.
func (u *upward) reset() {
	u.under, u.given, u.byHTTP, u.proved, u.wait = nil, nil, false, false, 0
}

// isFree reports whether a request by datagrams may be sent now.
func (u *upward) isFree() bool {
	return len(u.under) == 0 || u.proved && len(u.under) < maxRequests
}

// isOver reports whether all requests were answered.
func (u *upward) isOver() bool { return len(u.under) == 0 && len(u.given) == 0 }

// limit returns the sequence up to which updates may be sent: the server accepts no sequence that
// lies OutcomesKept below another one (T10).
func (u *upward) limit() id.ClientSeq {
	limit := id.ClientSeqMax
	for _, r := range u.under {
		limit = min(limit, r.updates[0].Seq+table.OutcomesKept-1)
	}
	return limit
}

// behind returns the handles on which a request about these things depends, and the numbers of all
// requests for which it waits. Of several that wait for each other it names the last one.
func (u *upward) behind(about *footprint) (deps []*depgraph.Handle, numbers []uint64) {
	for _, r := range slices.Backward(u.under) {
		if slices.Contains(numbers, r.number) || !about.meets(&r.about) {
			continue
		}
		deps = append(deps, &r.handle)
		numbers = append(append(numbers, r.number), r.behind...)
	}
	return deps, numbers
}

// take removes a request that was answered. It returns nil if it was given up, or never sent.
func (u *upward) take(number uint64) *upRequest {
	delete(u.given, number)
	i := slices.IndexFunc(u.under, func(r *upRequest) bool { return r.number == number })
	if i < 0 {
		return nil
	}
	r := u.under[i]
	u.under = slices.Delete(u.under, i, i+1)
	return r
}

// giveUp stops waiting for all answers.
func (u *upward) giveUp() {
	if u.given == nil {
		u.given = map[uint64]bool{}
	}
	for _, r := range u.under {
		u.given[r.number] = true
	}
	u.under, u.byHTTP = nil, true
}

// overdue returns how long to wait until the first answer is overdue, and false if none is awaited.
func (u *upward) overdue(now time.Duration) (time.Duration, bool) {
	if len(u.under) == 0 {
		return 0, false
	}
	return u.under[0].sent + answerWithin - now, true
}

// rename records that a piece has another name, by which later updates call it (T21).
func (u *upward) rename(old, name id.Piece) {
	for _, r := range u.under {
		if slices.Contains(r.about.pieces, old) {
			r.about.pieces = append(r.about.pieces, name)
		}
	}
}

// footprint is what the updates of a request are about (D39).
type footprint struct {
	fence  bool // it waits for everything, and everything waits for it
	pieces []id.Piece
	places [][2]int32 // where pieces are put
}

// footprintOf returns what updates are about. names are the present names of their pieces.
func footprintOf(us []table.Update, names []id.Piece) footprint {
	f := footprint{pieces: slices.Clone(names)}
	for i := range us {
		u := &us[i]
		f.fence = f.fence || u.Op.Fence()
		if u.Has&table.HasPiece != 0 {
			f.pieces = append(f.pieces, u.Piece)
		}
		if u.Has&table.HasInto != 0 {
			f.pieces = append(f.pieces, u.Into)
		}
		if u.Has&table.HasPiece != 0 && u.Has&table.HasXY != 0 {
			f.places = append(f.places, [2]int32{u.X, u.Y})
		}
	}
	return f
}

// meets reports whether two requests have to keep their order.
func (f *footprint) meets(o *footprint) bool {
	return f.fence || o.fence ||
		slices.ContainsFunc(f.pieces, func(p id.Piece) bool { return slices.Contains(o.pieces, p) }) ||
		slices.ContainsFunc(f.places, func(p [2]int32) bool { return slices.Contains(o.places, p) })
}

// upStream is a stream on which updates go up.
type upStream interface {
	// request sends updates behind those of deps, and fills h. The error is depgraph.ErrWindow if
	// there is no room for them now.
	request(m *holtpb.Updates, deps []*depgraph.Handle, h *depgraph.Handle) error
}

// takes returns the stream if updates may go up on it now.
func (c *Client) takes() upStream {
	if c.socket == nil || c.up.byHTTP {
		return nil
	}
	if d, ok := c.socket.transportStream.(*datagrams); ok && d.updates {
		return d
	}
	return nil
}

// nextRequest sends the next updates by datagrams, if they may go so. It reports false if there is
// nothing to send now, and whether updates have to be posted instead.
func (c *Client) nextRequest() (sent, post bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.up.byHTTP && c.up.isOver() && !c.state.waits() {
		c.up.byHTTP = false
	}
	line := c.takes()
	if line == nil {
		return false, len(c.up.under) == 0
	}
	if !c.up.isFree() {
		return false, false
	}
	us, names := c.state.small(c.up.limit())
	b := wire.Batch{Client: c.id, Epoch: c.state.epoch, Updates: us}
	body := wire.AppendBatch(nil, b)
	switch {
	case len(us) == 0:
		return false, false
	case len(body) > maxSmallBatch: // one large update goes by HTTP, behind all others
		return false, len(c.up.under) == 0
	}
	r := &upRequest{
		number: c.up.last + 1, updates: us, about: footprintOf(us, names), sent: c.ticks(),
	}
	var deps []*depgraph.Handle
	deps, r.behind = c.up.behind(&r.about)
	m := &holtpb.Updates{Request: r.number, Batch: body, Alone: c.up.isOver()}
	if life, err := hex.DecodeString(c.state.life); err == nil && len(life) > 0 &&
		c.state.version > 0 {
		m.Life, m.Mark = life, uint64(c.state.version)
	}
	switch err := line.request(m, deps, &r.handle); {
	case errors.Is(err, depgraph.ErrWindow) && len(c.up.under) > 0:
		return false, false // the next answer makes room
	case err != nil:
		c.up.byHTTP = true
		return false, len(c.up.under) == 0
	}
	c.up.last = r.number
	c.up.under = append(c.up.under, r)
	c.state.markSent(us)
	return true, false
}

// takeAnswers takes the answers of a frame (D40), and appends what has happened. It returns the
// batches that were refused, and an error if the seat is gone.
func (c *Client) takeAnswers(
	answers []*holtpb.Answer, to []Event,
) (events []Event, refused []refusedBatch, gone error) {
	for _, a := range answers {
		r := c.up.take(a.GetRequest())
		if r == nil {
			continue
		}
		c.up.proved = true
		if a.GetStatus() < http.StatusBadRequest {
			continue
		}
		p := problemIn(a)
		c.up.byHTTP = true
		c.up.wait = max(c.up.wait, p.RetryAfter)
		switch {
		case p.seatIsGone():
			gone = p
		case mayComeAgain(p.Status):
			c.state.unsend(r.updates)
			to = append(to, Event{Kind: Retried, Err: p})
		default:
			refused = append(refused, refusedBatch{r.updates, p})
		}
	}
	return to, refused, gone
}

// refusedBatch is a batch that the server will never take.
type refusedBatch struct {
	updates []table.Update
	why     *Problem
}

// mayComeAgain reports whether the server may take a batch later that it has refused now.
func mayComeAgain(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusFailedDependency ||
		status >= http.StatusInternalServerError
}

// lateAnswers returns how long to wait for the first answer; 0 if none is awaited. If that answer
// is late, it stops waiting for all of them, and reports that what they had has to be posted.
func (c *Client) lateAnswers() (wait time.Duration, gaveUp bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	wait, awaits := c.up.overdue(c.ticks())
	if !awaits || wait > 0 {
		return wait, false
	}
	for _, r := range c.up.under {
		c.state.unsend(r.updates)
	}
	c.up.giveUp()
	return 0, true
}

// pauseAsked waits as long as the server has asked for in an answer.
func (c *Client) pauseAsked(ctx context.Context) {
	c.mu.Lock()
	wait := c.up.wait
	c.up.wait = 0
	c.mu.Unlock()
	if wait > 0 {
		pause(ctx, wait)
	}
}

// request sends updates as a guaranteed message (D39).
func (d *datagrams) request(
	m *holtpb.Updates, deps []*depgraph.Handle, h *depgraph.Handle,
) error {
	return d.use(
		&holtpb.Up{Up: &holtpb.Up_Updates{Updates: m}},
		func(core *connection.Conn, now time.Duration, msg []byte) error {
			return core.Send(now, msg, deps, h)
		},
	)
}
