package web

import (
	"context"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// maxUpward is how many batches of one stream may wait for their table. An honest client has no
// more than 16 requests under way (D40).
const maxUpward = 64

// upward takes the batches of a seat that come on one stream by datagrams (D39). The table judges
// them in the order in which the graph has executed them, and makes several of them durable at
// once. After one that was not accepted it refuses all others, because they may have been made on
// top of it, until the client has all answers (D40).
type upward struct {
	// Set at construction.
	server  *Server
	session room.Session

	mu sync.Mutex
	// Guarded by mu.
	waiting []request
	running bool // serve runs
	refuses bool
	refused uint64 // the highest number of a request that was refused
}

// request is a batch with its answer.
type request struct {
	m      *holtpb.Updates
	answer func(*holtpb.Event)
}

func (s *Server) newUpward(session room.Session) *upward {
	return &upward{server: s, session: session}
}

// receive takes a batch. It is a room.Hello.Updates.
func (u *upward) receive(m *holtpb.Updates, answer func(*holtpb.Event)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	// One that was made before a refusal, and came late, says nothing of what was made after it.
	if m.GetAlone() && m.GetRequest() > u.refused {
		u.refuses = false
	}
	r := request{m, answer}
	switch {
	case u.refuses:
		u.refuse(m)
		u.reply(r, errDependency)
	case len(u.waiting) >= maxUpward:
		u.refuse(m)
		u.reply(r, room.ErrBusy)
	case u.running:
		u.waiting = append(u.waiting, r)
	case !u.server.enter():
		u.refuse(m)
		u.reply(r, room.ErrStopping)
	default:
		u.waiting, u.running = append(u.waiting, r), true
		go u.serve()
	}
}

// errDependency answers a batch that was sent behind one that was not accepted.
var errDependency = newProblem("dependency", "an earlier request of this stream was not accepted")

// serve gives the batches that wait to the table, the next one when the one before it was judged.
// It ends when none waits.
func (u *upward) serve() {
	defer u.server.running.Done()
	for {
		r, refused, ok := u.next()
		switch {
		case !ok:
			return
		case refused:
			u.reply(r, errDependency)
		default:
			u.submit(r)
		}
	}
}

// next returns the first batch that waits, and whether it has to be refused.
func (u *upward) next() (r request, refused, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.waiting) == 0 {
		u.waiting, u.running = nil, false
		return r, false, false
	}
	r = u.waiting[0]
	u.waiting = u.waiting[1:]
	if u.refuses {
		u.refuse(r.m)
	}
	return r, u.refuses, true
}

// refuse notes that a batch is refused, and refuses what follows, until a later one comes alone. It
// is called with mu held.
func (u *upward) refuse(m *holtpb.Updates) {
	u.refuses, u.refused = true, max(u.refused, m.GetRequest())
}

// submit gives a batch to the table. It returns when the table has judged it. The answer follows
// when what was recorded is durable. Before a refusal is answered it is recorded, so that a client
// that has read the answer can go on.
func (u *upward) submit(r request) {
	judged := make(chan struct{})
	done := sync.OnceFunc(func() { close(judged) })
	say := func(err error) {
		if err != nil {
			u.mu.Lock()
			u.refuse(r.m)
			u.mu.Unlock()
		}
		done()
	}
	u.server.running.Add(1) // serve runs, so nobody waits for the last to end yet
	go func() {
		defer u.server.running.Done()
		err := u.take(r.m, say)
		say(err)
		if err != nil {
			u.server.slowDown(context.Background(), keyOf(u.session), err)
		}
		u.reply(r, err)
	}()
	<-judged
}

// take gives a batch to the table by the same way as apiUpdate.
func (u *upward) take(m *holtpb.Updates, judged func(error)) error {
	return u.server.admitBatch(
		u.session,
		func(use func([]byte) error) error { return use(m.GetBatch()) },
		func(b *wire.Batch) error { return lastReceived(receivedOf(m), b) },
		func(b wire.Batch) error {
			return u.server.rooms.UpdateInTurn(context.Background(), u.session, b, judged)
		},
	)
}

// receivedOf returns what a request by HTTP would have as its query (S21).
func receivedOf(m *holtpb.Updates) url.Values {
	q := url.Values{}
	if len(m.GetLife()) > 0 {
		q.Set("life", hex.EncodeToString(m.GetLife()))
	}
	if m.GetMark() != 0 {
		q.Set("mark", strconv.FormatUint(m.GetMark(), 10))
	}
	return q
}

// reply answers a batch as HTTP would (D40).
func (u *upward) reply(r request, err error) {
	if err == nil {
		r.answer(wire.AnswerEvent(r.m.GetRequest(), http.StatusAccepted, 0, ""))
		return
	}
	ctx := context.Background()
	p := u.server.problemAt(ctx, func() string { return "updates by datagrams" }, err)
	r.answer(wire.AnswerEvent(
		r.m.GetRequest(), p.status(), p.retryAfter(), string(u.server.document(ctx, p)),
	))
}

// enter counts a goroutine that Shutdown waits for. It reports false if the server is stopping.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		return false
	}
	s.running.Add(1)
	return true
}
