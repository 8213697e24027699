package depgraph

import "fmt"

// Instant is a time of a connection, in nanoseconds since it began. It never goes back.
type Instant int64

const (
	millisecond Instant = 1_000_000
	// ExecuteTimeout is how long after it was declared a message has to be executed: the time-out of a connection,
	// 10 s, and one second of padding (D10).
	ExecuteTimeout = 11_000 * millisecond
	// LooseTimeout is how long an unguaranteed message waits for those on which it depends (D15).
	LooseTimeout = 250 * millisecond
	// MaxLoose is how many unguaranteed messages wait at most (D15).
	MaxLoose = 64
)

// Receiver executes the messages of one connection in one direction: each guaranteed one once, after all on
// which it depends (D4), in whatever order they come and however often. M is what is executed.
type Receiver[M any] struct {
	// Set at construction.
	window  int
	execute func(number uint64, m M)

	graph   graph[held[M]]
	bytes   int // of the messages that wait, with their headers
	overdue deadlines
	loose   loose[M]
}

// held is a message that has arrived, and how many bytes of it count while it waits.
type held[M any] struct {
	message M
	size    int
}

// NewReceiver returns the receiver of a new connection, which keeps at most window bytes of messages that wait,
// with their headers (D14). Guaranteed messages are given to execute, unguaranteed ones to executeLoose. These
// functions may add to the receiver; guaranteed messages that are ready by that are executed when they have
// returned, and then the floor rises.
func NewReceiver[M any](window int, execute func(number uint64, m M), executeLoose func(key uint64, m M)) *Receiver[M] {
	r := &Receiver[M]{window: window, execute: execute}
	r.graph.execute = r.run
	r.loose.execute = executeLoose
	return r
}

func (r *Receiver[M]) run(number uint64, h held[M]) {
	r.bytes -= h.size
	r.execute(number, h.message)
	r.loose.release(number, r.Executed)
}

// Add enters a guaranteed message of size bytes, without its header, into the graph, and executes whatever waits
// for nothing any more. One that was entered before is ignored, whatever it says now (D7). The error is
// ErrProtocol or ErrBounds: the connection has to end, and nothing was entered.
func (r *Receiver[M]) Add(now Instant, h Header, size int, m M) error {
	r.loose.expire(now)
	if r.Arrived(h.Number) {
		return nil
	}
	waits, err := r.check(h)
	if err != nil {
		return err
	}
	if size += h.Size(); !waits {
		size = 0
	} else if r.bytes+size > r.window {
		return fmt.Errorf("%w: more than %d bytes of messages wait", ErrBounds, r.window)
	}
	r.graph.hold(h.Number)
	for _, d := range h.Deps {
		if r.graph.state(d) != executed && r.graph.depend(h.Number, d) {
			r.overdue.add(d, now, r.Executed)
		}
	}
	r.bytes += size
	r.graph.arrive(h.Number, held[M]{m, size})
	return nil
}

// check reports whether the message has to wait, or what is wrong with it.
func (r *Receiver[M]) check(h Header) (waits bool, err error) {
	if h.Number >= r.graph.floor+Window {
		return false, fmt.Errorf("%w: message %d is too far above the floor %d", ErrProtocol, h.Number, r.graph.floor)
	}
	if len(h.Deps) > MaxDependencies {
		return false, fmt.Errorf("%w: message %d has %d dependencies", ErrBounds, h.Number, len(h.Deps))
	}
	for _, d := range h.Deps {
		if d >= h.Number {
			return false, fmt.Errorf("%w: message %d depends on %d", ErrProtocol, h.Number, d)
		}
		waits = waits || !r.Executed(d)
	}
	return waits, nil
}

// AddLoose executes an unguaranteed message if all in deps have been executed. Otherwise it keeps it, for
// LooseTimeout at most, in the place of one that waits with the same key, unless that is 0, and of the one that
// has waited longest when MaxLoose do (D15). The error is ErrProtocol or ErrBounds: the connection has to end.
func (r *Receiver[M]) AddLoose(now Instant, key uint64, deps []uint64, m M) error {
	if len(deps) > MaxDependencies {
		return fmt.Errorf("%w: an unguaranteed message has %d dependencies", ErrBounds, len(deps))
	}
	for _, d := range deps {
		if d >= r.graph.floor+Window {
			return fmt.Errorf("%w: an unguaranteed message depends on %d, floor %d", ErrProtocol, d, r.graph.floor)
		}
	}
	r.loose.expire(now)
	r.loose.add(now, key, deps, m, r.Executed)
	return nil
}

// Executed reports whether the message has been given to the function that executes.
func (r *Receiver[M]) Executed(number uint64) bool { return r.graph.state(number) == executed }

// Arrived reports whether the message has been entered: that and no more is to be acknowledged (D13).
func (r *Receiver[M]) Arrived(number uint64) bool { return r.graph.state(number) >= arrived }

// Floor is the lowest number that has not been executed. It acknowledges all messages below (D10).
func (r *Receiver[M]) Floor() uint64 { return r.graph.floor }

// Waiting is how many bytes of messages wait, with their headers.
func (r *Receiver[M]) Waiting() int { return r.bytes }

// Expire throws away unguaranteed messages that have waited for LooseTimeout. The error is ErrExpired when a
// message was declared, as itself or as a dependency, ExecuteTimeout ago and has not been executed: the
// connection has to end (D10).
func (r *Receiver[M]) Expire(now Instant) error {
	r.loose.expire(now)
	if number, since, ok := r.overdue.oldest(r.Executed); ok && now >= since+ExecuteTimeout {
		return fmt.Errorf("%w: message %d", ErrExpired, number)
	}
	return nil
}

// Deadline is when Expire has something to do if nothing comes before; never if it is not ok.
func (r *Receiver[M]) Deadline() (at Instant, ok bool) {
	_, since, ok := r.overdue.oldest(r.Executed)
	at = since + ExecuteTimeout
	if len(r.loose.waiting) > 0 && (!ok || r.loose.waiting[0].since+LooseTimeout < at) {
		return r.loose.waiting[0].since + LooseTimeout, true
	}
	return at, ok
}

// deadlines is a queue of the messages that others depended on before they had arrived. A message that waits
// needs no entry of its own: there is always one that was declared with it or before it, for which it waits. What
// is declared while the first of them has not been executed lies less than a window below or above that one: the
// queue has less than two windows.
type deadlines struct {
	queue []deadline
	first int
}

type deadline struct {
	number uint64
	since  Instant
}

// add puts a message behind the others, at a time that is not before theirs.
func (q *deadlines) add(number uint64, now Instant, executed func(uint64) bool) {
	q.oldest(executed)
	q.queue = append(q.queue, deadline{number, now})
}

// oldest forgets what has been executed before the first that has not, and returns that one.
func (q *deadlines) oldest(executed func(uint64) bool) (number uint64, since Instant, ok bool) {
	for q.first < len(q.queue) && executed(q.queue[q.first].number) {
		q.first++
	}
	if 2*q.first >= len(q.queue) {
		q.queue, q.first = append(q.queue[:0], q.queue[q.first:]...), 0
	}
	if len(q.queue) == 0 {
		return 0, 0, false
	}
	return q.queue[q.first].number, q.queue[q.first].since, true
}
