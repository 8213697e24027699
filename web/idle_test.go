package web_test

import (
	"encoding/base64"
	"encoding/binary"
	"runtime"
	"testing"
	"time"
)

// idle opens n streams at one table, sixteen for each seat, reads the full state from each and
// leaves them idle.
func (s *stack) idle(n int) {
	s.Helper()
	host := s.open("chess")
	k := host
	for i := range n {
		if i%16 == 15 {
			k = s.join(host, host.Invites.Player, "Guest")
		}
		var client [16]byte
		binary.BigEndian.PutUint64(client[:], uint64(i)+1)
		s.stream(k, base64.RawURLEncoding.EncodeToString(client[:]))
	}
}

// TestIdleStreamsHaveFewGoroutines counts goroutines: each costs a stack of 2 KB at least.
// BenchmarkIdle in cmd/holt measures the whole cost of a stream.
func TestIdleStreamsHaveFewGoroutines(t *testing.T) {
	s := newStack(t)
	s.idle(1) // starts what the server starts only once
	before := runtime.NumGoroutine()
	s.idle(40)
	// A second table has a goroutine, too. Requests may not all have ended: on a busy machine that
	// takes a while.
	const most = 2*40 + 8
	more := func() int { return runtime.NumGoroutine() - before }
	for end := time.Now().Add(time.Minute); more() > most && time.Now().Before(end); {
		<-time.After(10 * time.Millisecond)
	}
	if n := more(); n > most {
		t.Errorf("40 streams have %d goroutines, want at most two each", n)
	}
}
