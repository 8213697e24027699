package web_test

import (
	"encoding/base64"
	"encoding/binary"
	"runtime"
	"testing"
	"time"
)

// idle opens n streams at one table, sixteen to a seat, reads the full state from each and leaves them alone.
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

// TestIdleStreamsHaveFewGoroutines: each costs a stack of 2 KB at least, at every stream. What a stream costs
// in all is measured by BenchmarkIdle in cmd/holt.
func TestIdleStreamsHaveFewGoroutines(t *testing.T) {
	s := newStack(t)
	s.idle(1) // what is there once is there now
	before := runtime.NumGoroutine()
	s.idle(40)
	// A second table has a goroutine too. Requests may not all have ended: on a busy machine that
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
