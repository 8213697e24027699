package stream_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"holt/server/tables/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// carrier is a Carrier in memory. While it is stalled, Write waits, as on a network that takes
// nothing.
type carrier struct {
	mu      sync.Mutex
	got     []string
	writes  int
	stalled chan struct{} // nil: it is not
	fail    error
	closed  chan struct{}
	codes   []stream.Code
}

func newCarrier() *carrier { return &carrier{closed: make(chan struct{})} }

var errBroken = errors.New("the connection is broken")

func (c *carrier) Write(ctx context.Context, frames [][]byte) error {
	c.mu.Lock()
	stalled, fail := c.stalled, c.fail
	c.mu.Unlock()
	if fail != nil {
		return fail
	}
	if stalled != nil {
		select {
		case <-stalled:
		case <-c.closed:
			return errBroken
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes++
	for _, f := range frames {
		c.got = append(c.got, string(f))
	}
	return nil
}

func (c *carrier) Close(code stream.Code, _ string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.codes) == 0 {
		close(c.closed)
	}
	c.codes = append(c.codes, code)
}

func (c *carrier) stall() (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := make(chan struct{})
	c.stalled = held
	return sync.OnceFunc(func() {
		c.mu.Lock()
		c.stalled = nil
		c.mu.Unlock()
		close(held)
	})
}

// rig is a stream, with what it reports to its owner.
type rig struct {
	*stream.Stream
	t       *testing.T
	carrier *carrier

	mu    sync.Mutex
	ready int
	ended []error
	msgs  []string
}

func open(t *testing.T) *rig {
	r := &rig{t: t, carrier: newCarrier()}
	r.Stream = stream.Open(r.carrier, stream.Handlers{
		Receive: func(msg []byte) error {
			if string(msg) == "bad" {
				return errBroken
			}
			r.msgs = append(r.msgs, string(msg))
			return nil
		},
		Ready: func() { r.mu.Lock(); defer r.mu.Unlock(); r.ready++ },
		Ended: func(err error) { r.mu.Lock(); defer r.mu.Unlock(); r.ended = append(r.ended, err) },
	})
	return r
}

func (r *rig) wantState(want stream.State) {
	r.t.Helper()
	if got := r.State(); got != want {
		r.t.Errorf("the stream is %v, want %v", got, want)
	}
}

// want waits until nothing moves and compares what was written.
func (r *rig) want(frames ...string) {
	r.t.Helper()
	synctest.Wait()
	r.carrier.mu.Lock()
	defer r.carrier.mu.Unlock()
	if !slices.Equal(r.carrier.got, frames) {
		r.t.Errorf("written %.200q, want %.200q", r.carrier.got, frames)
	}
}

// wantEnded checks that the stream has ended, once, and how.
func (r *rig) wantEnded(err error, code stream.Code) {
	r.t.Helper()
	synctest.Wait()
	select {
	case <-r.Done():
	default:
		r.t.Error("the stream has not ended")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.ended) != 1 || !errors.Is(r.ended[0], err) {
		r.t.Errorf("it ended with %v, want once with %v", r.ended, err)
	}
	r.carrier.mu.Lock()
	defer r.carrier.mu.Unlock()
	if len(r.carrier.codes) == 0 || r.carrier.codes[0] != code {
		r.t.Errorf("the carrier was closed with %v, want %d", r.carrier.codes, code)
	}
}

// bubble runs tests in virtual time.
type bubble struct{ t *testing.T }

func in(t *testing.T) bubble { return bubble{t} }

// Run runs a test with a stream of its own, which it ends.
func (b bubble) Run(name string, f func(t *testing.T, r *rig)) {
	b.t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := open(t)
			f(t, r)
			r.Abort(stream.CodeGoingAway, "end of the test")
			r.Closed(nil)
			<-r.Done()
		})
	})
}

func TestStates(t *testing.T) {
	in(t).Run("S2.2, S2.4 DESYNCED to OK by the full state, then deltas", func(_ *testing.T, r *rig) {
		r.wantState(stream.Desynced)
		r.Push([]byte("too early"))
		r.want()
		r.Synchronise([]byte("full"))
		r.wantState(stream.OK)
		r.Synchronise([]byte("again"))
		r.Push([]byte("a"))
		r.Push([]byte("b"))
		r.want("full", "a", "b")
		r.wantState(stream.OK)
	})
	in(t).Run("S2 OK to DESYNCED on request of the client", func(t *testing.T, r *rig) {
		if r.Desync() {
			t.Error("there is a full state to send before the first one")
		}
		r.Synchronise([]byte("full"))
		r.want("full")
		if !r.Desync() {
			t.Error("a stream that is OK needs a full state")
		}
		if r.Desync() {
			t.Error("it needs a full state twice")
		}
		r.wantState(stream.Desynced)
		r.Push([]byte("lost"))
		r.Synchronise([]byte("second"))
		r.want("full", "second")
	})
	for _, from := range []stream.State{stream.Desynced, stream.OK} {
		in(t).Run(fmt.Sprintf("S2.5 %v to NEW by a broken connection", from), func(t *testing.T, r *rig) {
			r.bring(from)
			r.Closed(errBroken)
			r.wantState(stream.New)
			r.wantEnded(errBroken, 0)
			r.nothingHappens(stream.New)
			r.Close([]byte("last"), stream.CodeGoingAway, "")
			r.wantState(stream.New)
		})
		in(t).Run(fmt.Sprintf("S2.5 %v to TEARDOWN by the server", from), func(t *testing.T, r *rig) {
			r.bring(from)
			r.Close(nil, stream.CodeGoingAway, "stopping")
			r.wantState(stream.Teardown)
			r.wantEnded(nil, stream.CodeGoingAway)
			r.nothingHappens(stream.Teardown)
		})
	}
	in(t).Run("S2.5 NEW ends by a failed write", func(_ *testing.T, r *rig) {
		r.carrier.fail = errBroken
		r.Synchronise([]byte("full"))
		r.wantEnded(errBroken, stream.CodeInternal)
		r.wantState(stream.New)
		r.nothingHappens(stream.New)
	})
	in(t).Run("S2 the last event comes after what waits", func(_ *testing.T, r *rig) {
		release := r.carrier.stall()
		r.Synchronise([]byte("full"))
		synctest.Wait()
		r.Push([]byte("a"))
		r.Close([]byte("going"), stream.CodeGoingAway, "stopping")
		r.Close([]byte("twice"), stream.CodeInternal, "twice")
		r.Push([]byte("late"))
		release()
		r.want("full", "a", "going")
		r.wantEnded(nil, stream.CodeGoingAway)
	})
	in(t).Run("S2 a broken connection after the server has closed", func(_ *testing.T, r *rig) {
		release := r.carrier.stall()
		defer release()
		r.Synchronise([]byte("full"))
		synctest.Wait()
		r.Close([]byte("going"), stream.CodeGoingAway, "stopping")
		r.Abort(stream.CodeTakenOver, "too slow")
		r.Closed(errBroken)
		r.wantState(stream.Teardown)
		r.wantEnded(nil, stream.CodeTakenOver)
	})
	t.Run("S2 states are named as in the specification", func(t *testing.T) {
		for s, want := range []string{"unknown", "NEW", "DESYNCED", "OK", "TEARDOWN", "unknown"} {
			if got := stream.State(s).String(); got != want {
				t.Errorf("state %d is %s, want %s", s, got, want)
			}
		}
	})
	in(t).Run("S9 messages from the client go to the owner", func(t *testing.T, r *rig) {
		if err := r.Receive([]byte("resync")); err != nil ||
			!slices.Equal(r.msgs, []string{"resync"}) {
			t.Errorf("received %v, %v", r.msgs, err)
		}
		if err := r.Receive([]byte("bad")); !errors.Is(err, errBroken) {
			t.Errorf("error %v", err)
		}
	})
}

func (r *rig) bring(to stream.State) {
	if to == stream.OK {
		r.Synchronise([]byte("full"))
		synctest.Wait()
	}
	r.wantState(to)
}

// nothingHappens checks that no edge leads out of an ended stream.
func (r *rig) nothingHappens(state stream.State) {
	r.t.Helper()
	was := slices.Clone(r.carrier.got)
	r.Synchronise([]byte("full"))
	r.Push([]byte("delta"))
	if r.Desync() {
		r.t.Error("an ended stream needs a full state")
	}
	r.Closed(errBroken)
	r.want(was...)
	r.wantState(state)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.ended) != 1 || r.ready != 0 {
		r.t.Errorf("ended %d times, ready %d times", len(r.ended), r.ready)
	}
}

func TestOverflow(t *testing.T) {
	// Clauses: S7.4, S7.5
	in(t).Run("S7 a client that does not read gets one full state", func(t *testing.T, r *rig) {
		release := r.carrier.stall()
		r.Synchronise([]byte("full"))
		synctest.Wait()
		big := strings.Repeat("x", stream.MaxOutbox/4)
		for range 4 {
			r.Push([]byte(big))
		}
		r.wantState(stream.OK) // just full
		r.Push([]byte("one too many"))
		r.wantState(stream.Desynced)
		r.Push([]byte("lost"))
		synctest.Wait()
		if r.ready != 0 {
			t.Error("it is ready while the client does not read")
		}
		release()
		r.want("full")
		if r.ready != 1 {
			t.Errorf("ready %d times, want once", r.ready)
		}
		r.Synchronise([]byte("whole"))
		r.Push([]byte("next"))
		r.want("full", "whole", "next")
		if r.ready != 1 {
			t.Errorf("ready %d times", r.ready)
		}
	})
	in(t).Run("S7.2 many tiny frames overflow, too", func(_ *testing.T, r *rig) {
		release := r.carrier.stall()
		defer release()
		r.Synchronise([]byte("full"))
		synctest.Wait()
		for range 4096 {
			r.Push(nil)
		}
		r.wantState(stream.OK)
		r.Push(nil)
		r.wantState(stream.Desynced)
	})
	in(t).Run("S7.3 a full state may be larger than the outbox", func(_ *testing.T, r *rig) {
		huge := strings.Repeat("f", 2*stream.MaxOutbox)
		r.Synchronise([]byte(huge))
		r.want(huge)
		r.wantState(stream.OK)
	})
	in(t).Run("S7.3 nor does a waiting one against later frames", func(_ *testing.T, r *rig) {
		huge := strings.Repeat("f", 2*stream.MaxOutbox)
		release := r.carrier.stall()
		r.Synchronise([]byte("full"))
		synctest.Wait()
		r.Desync()
		r.Synchronise([]byte(huge))
		r.Push([]byte("next"))
		r.wantState(stream.OK)
		release()
		r.want("full", huge, "next")
	})
	in(t).Run("S7, S9 only one full state waits for a slow reader", func(_ *testing.T, r *rig) {
		release := r.carrier.stall()
		r.Synchronise([]byte("full"))
		synctest.Wait()
		for i := range 30 {
			r.Push([]byte("old"))
			r.Desync()
			r.Synchronise(fmt.Append(nil, i))
		}
		r.Push([]byte("next"))
		release()
		r.want("full", "29", "next")
	})
	in(t).Run("S7 a stalled stream is cut without a full state", func(t *testing.T, r *rig) {
		release := r.carrier.stall()
		defer release()
		r.Synchronise([]byte("full"))
		synctest.Wait()
		for range 5 {
			r.Push(make([]byte, stream.MaxOutbox/2))
		}
		r.wantState(stream.Desynced)
		r.Close([]byte("going"), stream.CodeGoingAway, "stopping")
		r.Abort(stream.CodeGoingAway, "stopping")
		r.wantEnded(nil, stream.CodeGoingAway)
		if r.ready != 0 {
			t.Errorf("ready %d times", r.ready)
		}
	})
	in(t).Run("S7 what waits goes out in one write", func(t *testing.T, r *rig) {
		release := r.carrier.stall()
		r.Synchronise([]byte("full"))
		synctest.Wait()
		for i := range 100 {
			r.Push(fmt.Append(nil, i))
		}
		release()
		synctest.Wait()
		if r.carrier.writes != 2 {
			t.Errorf("%d writes, want 2", r.carrier.writes)
		}
	})
}

// TestS2AnyOrder makes everything that can happen to a stream happen at once, for the race
// detector. Whatever the order, the stream ends once.
func TestS2AnyOrder(t *testing.T) {
	for i := range 200 {
		synctest.Test(t, func(t *testing.T) {
			r := open(t)
			if i%3 == 0 {
				r.carrier.fail = errBroken
			}
			var all sync.WaitGroup
			for _, f := range []func(){
				func() { r.Synchronise([]byte("full")) },
				func() { r.Push([]byte("a")); r.Push(make([]byte, stream.MaxOutbox+1)) },
				func() { r.Desync() },
				func() { r.Close([]byte("last"), stream.CodeGoingAway, "") },
				func() { r.Abort(stream.CodeTakenOver, "") },
				func() { r.Closed(errBroken) },
				func() { r.Close(nil, stream.CodeInternal, "") },
				func() { _ = r.State() },
			} {
				all.Go(f)
			}
			all.Wait()
			<-r.Done()
			if len(r.ended) != 1 {
				t.Errorf("it ended %d times", len(r.ended))
			}
			if s := r.State(); s != stream.New && s != stream.Teardown {
				t.Errorf("it ended as %v", s)
			}
		})
	}
}
