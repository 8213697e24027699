package id

import (
	"encoding/binary"
	"fmt"
	"sync"
)

const (
	counterBits = 20
	millisMax   = 1<<44 - 1
	// reserveAhead is the time, in milliseconds, that one call of reserve covers: at most one call
	// a minute.
	reserveAhead Millis = 60_000
)

// Minter makes object identifiers that never repeat, even after restarts and when the clock was set
// back (O1). It is safe for concurrent use.
type Minter struct {
	// Set at construction.
	host    HostID
	reserve func(Millis) error

	mu sync.Mutex
	// Guarded by mu.
	last    Millis
	counter uint32
	ceiling Millis
}

// NewMinter returns a minter for host. floor is the last time that an earlier minter reserved, or
// zero. reserve must store its argument durably: the time below which the minter may mint without
// another reservation.
func NewMinter(host HostID, floor Millis, reserve func(Millis) error) *Minter {
	return &Minter{host: host, reserve: reserve, last: floor, ceiling: floor}
}

// Mint returns an identifier that no other call has returned or will return. now is the time by the
// caller's clock, which may run backwards. Mint fails if the reservation cannot be stored, or if
// the time does not fit in 44 bits.
func (m *Minter) Mint(now Millis) (OID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, counter := m.last, m.counter+1
	if now > at {
		at, counter = now, 0
	} else if counter >= 1<<counterBits {
		at, counter = at+1, 0
	}
	if at >= m.ceiling {
		if at > millisMax-reserveAhead {
			return OID{}, fmt.Errorf("mint object id: time %d does not fit in 44 bits", at)
		}
		ceiling := at + reserveAhead
		if err := m.reserve(ceiling); err != nil {
			return OID{}, fmt.Errorf("reserve object ids: %w", err)
		}
		m.ceiling = ceiling
	}
	m.last, m.counter = at, counter
	var o OID
	copy(o[:8], m.host[:])
	binary.BigEndian.PutUint64(o[8:],
		uint64(at)<<counterBits|uint64(counter)) //nolint:gosec // at is below 2^44
	return o, nil
}
