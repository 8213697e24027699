package room

import (
	"context"
	"sync"
	"time"

	"holt/server/id"
)

// Lanes keep those who ask for much from delaying others. A seat that has as much in the room's
// inbox as is allowed waits outside of it.
const (
	maxPerSeat  = 16               // batches and messages of operations of one seat
	maxOpening  = 2                // streams being opened, of all seats: each needs a full state
	openingWait = 10 * time.Second // how long the opening of a stream waits, then ErrBusy
)

// semaphore is a counting semaphore: its capacity is how many it lets in at once.
type semaphore chan struct{}

// admissions are those of a room. They are safe for concurrent use.
type admissions struct {
	openings semaphore
	mu       sync.Mutex
	// Guarded by mu.
	seats map[id.Seat]semaphore
}

func newAdmissions() *admissions {
	return &admissions{openings: make(semaphore, maxOpening), seats: map[id.Seat]semaphore{}}
}

// of returns the lane of a seat.
func (l *admissions) of(seat id.Seat) semaphore {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seats[seat] == nil {
		l.seats[seat] = make(semaphore, maxPerSeat)
	}
	return l.seats[seat]
}

// enter waits for a place in a lane. leave gives it back; any goroutine may call it, and more than
// once.
func (r *room) enter(
	ctx context.Context, l semaphore, wait time.Duration,
) (leave func(), err error) {
	leave = sync.OnceFunc(func() { <-l })
	if err := offer(ctx, r, l, struct{}{}, wait); err != nil {
		return nil, err
	}
	return leave, nil
}
