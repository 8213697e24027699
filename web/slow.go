package web

import (
	"context"
	"net/http"
	"time"
)

// The cost of bad batches for their seat. A correct client sends none.
const (
	badBatch = 20 // updates as which it counts, in addition to its own
	// how long an answer of 429 is held back at most, to slow down clients that ignore Retry-After
	lingerMost  = time.Second
	lingerAtAll = 4 // answers held back for one seat; further ones are sent at once
)

// slowDown makes a seat pay for a batch that was refused with an error.
func (s *Server) slowDown(ctx context.Context, key seatKey, err error) {
	switch p := problemOf(err); p.status() {
	case http.StatusTooManyRequests:
		s.linger(ctx, key, min(p.After, lingerMost))
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity:
		s.limits.updates.charge(key, badBatch)
	}
}

// linger waits, unless lingerAtAll requests of the seat wait already. It ends when the client goes.
func (s *Server) linger(ctx context.Context, key seatKey, wait time.Duration) {
	s.mu.Lock()
	if s.lingering[key] >= lingerAtAll {
		s.mu.Unlock()
		return
	}
	s.lingering[key]++
	s.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lingering[key]--; s.lingering[key] == 0 {
		delete(s.lingering, key)
	}
}
