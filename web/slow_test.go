package web

import (
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
)

// TestFindingR9BadBatchesAreSlow: one seat posts nothing but bad batches over many connections,
// each as soon as the last one was answered.
func TestFindingR9BadBatchesAreSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{limits: newLimiters(Limits{}), lingering: map[seatKey]int{}}
		bad, good := seatKey{id.OID{1}, 1}, seatKey{id.OID{1}, 2}
		const lines = lingerAtAll
		done := make(chan int, lines)
		began := time.Now()
		for range lines {
			go func() {
				judged := 0
				for time.Since(began) < 20*time.Second {
					err := s.limits.updates.take(bad, 1)
					if err == nil {
						judged, err = judged+1, malformed("bad")
					}
					s.slowDown(t.Context(), bad, err)
				}
				done <- judged
			}()
		}
		judged := 0
		for range lines {
			judged += <-done
		}
		if most := (4096 + 21*2000) / badBatch; judged > most {
			t.Errorf("%d bad batches were judged in 20 s, %d are the most", judged, most)
		}
		now := time.Now()
		if err := s.limits.updates.take(good, 256); err != nil {
			t.Errorf("somebody else: %v", err)
		}
		s.slowDown(t.Context(), good, nil)
		if waited := time.Since(now); waited != 0 {
			t.Errorf("somebody else waits for %v", waited)
		}
		if len(s.lingering) != 0 {
			t.Errorf("%d seats still wait", len(s.lingering))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := &Server{limits: newLimiters(Limits{}), lingering: map[seatKey]int{}}
		key, began := seatKey{id.OID{1}, 1}, time.Now()
		s.slowDown(t.Context(), key, tooFast(time.Minute))
		if waited := time.Since(began); waited != lingerMost {
			t.Errorf("an answer of 429 is held back for %v", waited)
		}
	})
}
