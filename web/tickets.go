package web

import (
	"crypto/rand"
	"encoding/base64"
	"slices"
	"sync"
	"time"

	"holt/server/tables/room"
)

// Bounds of tickets (D30).
const (
	ticketLife    = 30 * time.Second
	seatTickets   = 8       // of a seat; a further one replaces the oldest one
	maxTickets    = 1 << 16 // of some 200 bytes each
	ticketDrawing = 16      // bytes of a ticket, 22 characters
)

// tickets let seats open streams by datagrams: such a connection does not carry the cookies of a
// browser. It is safe for concurrent use.
type tickets struct {
	mu sync.Mutex
	// Guarded by mu.
	byText map[string]ticket
	bySeat map[seatKey][]string // the oldest first
	swept  time.Time
}

// ticket is a ticket that was not used yet.
type ticket struct {
	session room.Session
	until   time.Time
}

func newTickets() *tickets {
	return &tickets{byText: map[string]ticket{}, bySeat: map[seatKey][]string{}}
}

// issue returns a new ticket of a session. It returns ErrBusy if there are too many.
func (t *tickets) issue(s room.Session, now time.Time) (string, error) {
	var b [ticketDrawing]byte
	_, _ = rand.Read(b[:]) // it never fails
	text := base64.RawURLEncoding.EncodeToString(b[:])
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep(now)
	if of := t.bySeat[keyOf(s)]; len(of) >= seatTickets {
		t.remove(of[0])
	}
	if len(t.byText) >= maxTickets {
		return "", room.ErrBusy
	}
	t.byText[text] = ticket{s, now.Add(ticketLife)}
	t.bySeat[keyOf(s)] = append(t.bySeat[keyOf(s)], text)
	return text, nil
}

// redeem returns the session of a ticket, and ends the ticket. It reports false if there is no such
// ticket, or if it was used or is too old.
func (t *tickets) redeem(text string, now time.Time) (room.Session, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	found, ok := t.byText[text]
	t.remove(text)
	return found.session, ok && now.Before(found.until)
}

// remove forgets a ticket. The caller has mu.
func (t *tickets) remove(text string) {
	found, ok := t.byText[text]
	if !ok {
		return
	}
	delete(t.byText, text)
	key := keyOf(found.session)
	left := slices.DeleteFunc(t.bySeat[key], func(other string) bool { return other == text })
	if t.bySeat[key] = left; len(left) == 0 {
		delete(t.bySeat, key)
	}
}

// sweep forgets expired tickets, at most once within ticketLife. The caller has mu.
func (t *tickets) sweep(now time.Time) {
	if now.Sub(t.swept) < ticketLife {
		return
	}
	t.swept = now
	for text, found := range t.byText {
		if !now.Before(found.until) {
			t.remove(text)
		}
	}
}
