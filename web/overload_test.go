package web

import (
	"net/http"
	"testing"
)

// TestMemoryRunsOut reduces the memory step by step, and requests what the server then refuses.
func TestMemoryRunsOut(t *testing.T) {
	for _, c := range []struct {
		name           string
		used           float64
		table, streams bool
	}{
		{"with free memory everything is accepted", seatsMemoryLimit - 0.01, true, true},
		{"with little memory there are no new tables and seats", seatsMemoryLimit, false, true},
		{"with hardly any memory there are no new streams", streamsMemoryLimit, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &Server{memory: func() float64 { return c.used }}
			for share, want := range map[float64]bool{seatsMemoryLimit: c.table,
				streamsMemoryLimit: c.streams} {
				err := s.checkMemory(share)
				if (err == nil) != want {
					t.Errorf("for %v: %v", share, err)
				}
				if err == nil {
					continue
				}
				if p := problemOf(err); p.status() != http.StatusServiceUnavailable ||
					p.After <= 0 {
					t.Errorf("answered %d, to come back after %v", p.status(), p.After)
				}
			}
		})
	}
	t.Run("a server that does not measure accepts everything", func(t *testing.T) {
		if err := (&Server{}).checkMemory(0); err != nil {
			t.Error(err)
		}
	})
}
