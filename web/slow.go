package web

import (
	"context"
	"net/http"
	"time"
)

// What bad batches cost their seat. A client in order makes none.
const (
	badBatch    = 20          // as so many updates it counts, beside itself
	lingerMost  = time.Second // so long an answer of 429 is held back, so that who does not heed Retry-After is slowed down
	lingerAtAll = 4           // for one seat; others are given at once
)

// slowDown lets a seat pay for a batch that was refused with an error.
func (s *Server) slowDown(ctx context.Context, key seatKey, err error) {
	switch p := problemOf(err); p.status() {
	case http.StatusTooManyRequests:
		s.linger(ctx, key, min(p.After, lingerMost))
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		s.limits.updates.owe(key, badBatch)
	}
}

// linger waits, unless as many requests of the seat wait as may, or the client goes.
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
