package stream

// State is the state of a stream (S2):
//
//	NEW ──opened──▶ DESYNCED ──synchronised──▶ OK ──changes──▶ OK
//	 ▲                 │  ▲                    │
//	 │                 │  └───fallen behind────┤
//	 └────── carrier broke ────────────────────┘      DESYNCED, OK ──closed──▶ TEARDOWN
type State uint8

// The states (S2).
const (
	New      State = 1 // no carrier; nothing is sent
	Desynced State = 2 // the next frame must synchronise the client
	OK       State = 3 // frames have what has changed
	Teardown State = 4 // closed by the server; final
)

// event is what happens to a stream.
type event uint8

const (
	opened        event = iota + 1 // there is a carrier
	fullQueued                     // a frame that synchronises the client was queued
	changesQueued                  // a frame of changes was queued
	desynced                       // the outbox is full, or the client asks for the full state
	broke                          // the carrier has ended (network, keepalive, or the client)
	closed                         // the server ends it
)

// after returns the state after an event. It returns false if the event does not count in that
// state. A stream whose carrier broke is NEW, and over: the client comes back with another stream.
func (s State) after(e event) (State, bool) {
	switch {
	case s == New && e == opened:
		return Desynced, true
	case s == Desynced && e == fullQueued:
		return OK, true
	case s == OK && e == changesQueued:
		return OK, true
	case s == OK && e == desynced:
		return Desynced, true
	case (s == Desynced || s == OK) && e == broke:
		return New, true
	case (s == Desynced || s == OK) && e == closed:
		return Teardown, true
	default:
		return s, false
	}
}
