package depgraph

import "fmt"

// Instant is a time of a connection, in nanoseconds since it began. It never goes back.
type Instant int64

const (
	millisecond Instant = 1_000_000
	// MissingTimeout is how long a message may be missing at the floor without anything new of it:
	// the timeout of a connection, 10 s, and one second of padding (D10).
	MissingTimeout = 11_000 * millisecond
	// UnguaranteedTimeout is how long an unguaranteed message waits for its dependencies (D15).
	UnguaranteedTimeout = 250 * millisecond
	// MaxUnguaranteed is how many unguaranteed messages wait at most (D15).
	MaxUnguaranteed = 64
)

// Receiver executes the messages of one connection in one direction. It executes each guaranteed
// message once, after all on which it depends (D4), in whatever order and however often messages
// come. M is what is executed.
type Receiver[M any] struct {
	// Set at construction.
	window  int
	execute func(number uint64, m M)

	graph graph[held[M]]
	bytes int // what the messages that wait cost
	// While a message is missing: when the floor last rose, something new of the missing message
	// last came, or no message was missing.
	since        Instant
	unguaranteed unguaranteed[M]
}

// held is a message that has arrived, and what it costs while it waits.
type held[M any] struct {
	message M
	cost    uint32
}

// NewReceiver returns the receiver of a new connection. The messages that wait cost at most window
// bytes (D14, Header.Cost). It calls execute with guaranteed messages and executeUnguaranteed with
// unguaranteed ones. These functions may add messages to the receiver. Guaranteed messages that
// become ready meanwhile are executed after the function has returned, and the floor rises then.
func NewReceiver[M any](
	window int, execute func(number uint64, m M), executeLoose func(key uint64, m M),
) *Receiver[M] {
	r := &Receiver[M]{window: window, execute: execute}
	r.graph.execute = r.run
	r.unguaranteed.execute = executeLoose
	return r
}

func (r *Receiver[M]) run(number uint64, h held[M]) {
	r.bytes -= int(h.cost)
	r.execute(number, h.message)
	r.unguaranteed.release(number, r.Executed)
}

// Add enters a guaranteed message of size bytes, without its header, into the graph, and executes
// whatever does not wait any more. It ignores a message that was entered before, whatever its
// content is now (D7). The error wraps ErrProtocol or ErrBounds: then the connection has to end,
// and nothing was entered.
func (r *Receiver[M]) Add(now Instant, h Header, size int, m M) error {
	r.unguaranteed.expire(now)
	if r.Arrived(h.Number) {
		return nil
	}
	waits, err := r.check(h)
	if err != nil {
		return err
	}
	cost := 0
	if waits {
		cost = h.Cost(size)
	}
	if r.bytes+cost > r.window {
		return fmt.Errorf("%w: more than %d bytes of messages wait", ErrBounds, r.window)
	}
	floor, missed := r.graph.floor, r.missing()
	r.graph.ensureNode(h.Number)
	r.bytes += cost
	r.graph.enter(h.Number, arrived, held[M]{m, uint32(cost)}, h.Deps)
	if !missed || r.graph.floor > floor {
		r.since = now
	}
	return nil
}

// Part records that something new has come of a guaranteed message that is not complete yet (D25).
// The error wraps ErrProtocol: the connection has to end.
func (r *Receiver[M]) Part(now Instant, number uint64) error {
	if r.Arrived(number) {
		return nil
	}
	if err := r.reach(number); err != nil {
		return err
	}
	if number == r.graph.floor || !r.missing() {
		r.since = now
	}
	r.graph.ensureNode(number)
	return nil
}

// missing reports whether a message is missing: something is known of the message at the floor or
// of one above it. The message at the floor cannot have arrived, as it waits for nothing and would
// have been executed.
func (r *Receiver[M]) missing() bool { return r.graph.top > r.graph.floor }

// reach returns an error for a number that no sender may use yet (D3).
func (r *Receiver[M]) reach(number uint64) error {
	if number >= r.graph.floor+Window {
		return fmt.Errorf("%w: message %d is too far above the floor %d",
			ErrProtocol, number, r.graph.floor)
	}
	return nil
}

// check reports whether the message has to wait. The error says what is wrong with it.
func (r *Receiver[M]) check(h Header) (waits bool, err error) {
	if err := r.reach(h.Number); err != nil {
		return false, err
	}
	if len(h.Deps) > MaxDependencies {
		return false, fmt.Errorf("%w: message %d has %d dependencies",
			ErrBounds, h.Number, len(h.Deps))
	}
	for _, d := range h.Deps {
		if d >= h.Number {
			return false, fmt.Errorf("%w: message %d depends on %d", ErrProtocol, h.Number, d)
		}
		waits = waits || !r.Executed(d)
	}
	return waits, nil
}

// AddUnguaranteed executes an unguaranteed message if all of deps have been executed. Otherwise it
// keeps the message for UnguaranteedTimeout at most (D15). The message replaces a waiting one of
// the same key, unless the key is 0, and the oldest one if MaxUnguaranteed wait. The error wraps
// ErrProtocol or ErrBounds: the connection has to end.
func (r *Receiver[M]) AddUnguaranteed(now Instant, key uint64, deps []uint64, m M) error {
	if len(deps) > MaxDependencies {
		return fmt.Errorf("%w: an unguaranteed message has %d dependencies", ErrBounds, len(deps))
	}
	for _, d := range deps {
		if d >= r.graph.floor+Window {
			return fmt.Errorf("%w: an unguaranteed message depends on %d, floor %d",
				ErrProtocol, d, r.graph.floor)
		}
	}
	r.unguaranteed.expire(now)
	r.unguaranteed.add(now, key, deps, m, r.Executed)
	return nil
}

// Executed reports whether the message was passed to the execute function.
func (r *Receiver[M]) Executed(number uint64) bool { return r.graph.state(number) == executed }

// Arrived reports whether the message was entered. Only then may it be acknowledged (D13).
func (r *Receiver[M]) Arrived(number uint64) bool { return r.graph.state(number) >= arrived }

// Floor returns the lowest number that has not been executed. It acknowledges all messages below it
// (D10).
func (r *Receiver[M]) Floor() uint64 { return r.graph.floor }

// Waiting returns how many bytes the messages that wait cost (D14).
func (r *Receiver[M]) Waiting() int { return r.bytes }

// Expire drops unguaranteed messages that have waited for UnguaranteedTimeout. The error wraps
// ErrExpired if a message is missing and for MissingTimeout neither the floor has risen nor
// anything new of that message has come: the connection has to end (D10).
func (r *Receiver[M]) Expire(now Instant) error {
	r.unguaranteed.expire(now)
	if r.missing() && now >= r.since+MissingTimeout {
		return fmt.Errorf("%w: message %d", ErrExpired, r.graph.floor)
	}
	return nil
}

// Deadline returns the time at which Expire must be called, unless a message arrives earlier. ok is
// false if there is no such time.
func (r *Receiver[M]) Deadline() (at Instant, ok bool) {
	at, ok = r.since+MissingTimeout, r.missing()
	if len(r.unguaranteed.waiting) > 0 &&
		(!ok || r.unguaranteed.waiting[0].since+UnguaranteedTimeout < at) {
		return r.unguaranteed.waiting[0].since + UnguaranteedTimeout, true
	}
	return at, ok
}
