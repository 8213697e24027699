package room

import (
	"cmp"
	"context"
	"errors"
	"time"

	"holt/server/id"
)

// none is the value of a request that asks for none.
type none struct{}

// ask lets the goroutine of the room call f, and returns what f answers, at once or later. f
// answers once.
func ask[T any](ctx context.Context, r *room, f func(answer func(T, error))) (T, error) {
	type answered struct {
		value T
		err   error
	}
	answers := make(chan answered, 1)
	err := r.enqueue(ctx, func() { f(func(v T, err error) { answers <- answered{v, err} }) })
	var nothing T
	if err != nil {
		return nothing, err
	}
	select {
	case a := <-answers:
		return a.value, a.err
	case <-r.gone:
		// The room answers everything that it has taken before it ends.
		select {
		case a := <-answers:
			return a.value, a.err
		default:
			return nothing, r.ending
		}
	case <-ctx.Done():
		return nothing, ctx.Err()
	}
}

// do lets the goroutine of the room call f, and returns what f returns once everything that was
// recorded until then is durable. It returns an error of f at once, except ErrNoSeat: the entry
// that made a session void may not be durable yet.
func do[T any](ctx context.Context, r *room, f func() (T, error)) (T, error) {
	return ask(ctx, r, func(answer func(T, error)) {
		v, err := f()
		if err != nil && !errors.Is(err, ErrNoSeat) {
			answer(v, err)
			return
		}
		r.whenDurable(func(failed error) { answer(v, cmp.Or(failed, err)) })
	})
}

// inRoom is do with the room of a table.
func inRoom[T any](
	ctx context.Context, rs *Rooms, t id.OID, f func(*room) (T, error),
) (v T, err error) {
	r, release, err := rs.acquire(ctx, t)
	if err != nil {
		return v, err
	}
	defer release()
	return do(ctx, r, func() (T, error) { return f(r) })
}

// inSession is inRoom for a session. The error is ErrNoSeat if the session is void,
// and ErrBusy if the seat has another role by now.
func inSession[T any](
	ctx context.Context, rs *Rooms, s Session, f func(*room) (T, error),
) (T, error) {
	return inRoom(ctx, rs, s.Table, func(r *room) (v T, err error) {
		if err := r.admitSession(s); err != nil {
			return v, err
		}
		return f(r)
	})
}

// change is inSession for requests that change something.
func change[T any](
	ctx context.Context, rs *Rooms, s Session, f func(*room) (T, error),
) (v T, err error) {
	if err := rs.cfg.Store.Writable(); err != nil {
		return v, err
	}
	return inSession(ctx, rs, s, f)
}

// whenDurable calls f once everything that was recorded until now is durable, with nil, or when
// that has failed.
func (r *room) whenDurable(f func(error)) { r.recorded.after = append(r.recorded.after, f) }

// request is a request that run carries out when the inbox has had its turn.
type request struct {
	by     id.Seat // 0: the operator, or a client that does not matter
	answer func(none, error)
}

type requests []request

// answer answers all requests.
func (q *requests) answer(err error) {
	for _, w := range *q {
		w.answer(none{}, err)
	}
	*q = nil
}

// offer sends v to a channel. When the channel is full it waits, but not longer than wait: then the
// error is ErrBusy. With a room it gives up when the room ends.
func offer[T any](ctx context.Context, r *room, to chan<- T, v T, wait time.Duration) error {
	var gone chan struct{}
	if r != nil {
		gone = r.gone
	}
	select {
	case to <- v:
		return nil
	case <-gone:
		return r.ending
	default:
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case to <- v:
		return nil
	case <-gone:
		return r.ending
	case <-late.C:
		return ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}
