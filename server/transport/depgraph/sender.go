package depgraph

import (
	"errors"
	"slices"
)

// What a sender is told of mistakes of the program, and of a window that is full. Nothing was sent.
var (
	// ErrWindow says that there is no room before something is acknowledged (D3).
	ErrWindow = errors.New("window full")
	// ErrDependencies says that a message would have more than MaxDependencies: it needs joins (D14).
	ErrDependencies = errors.New("too many dependencies")
	// ErrUnfilled says that a handle stands for no message (D2).
	ErrUnfilled = errors.New("handle was never filled")
	// ErrForeign says that a handle is one of another connection (D2).
	ErrForeign = errors.New("handle of another connection")
	// ErrUnderWay says that a handle stands for a message that has not been executed (D2).
	ErrUnderWay = errors.New("handle stands for a message that is under way")
	// ErrUnsent says that there was no such message to acknowledge.
	ErrUnsent = errors.New("message was never sent")
	// ErrClosed says that the connection is over.
	ErrClosed = errors.New("connection is over")
)

// Handle stands for a message that was sent, so that later ones can depend on it (D2). The zero Handle stands
// for none and is ready to be filled. A copy stands for the same message.
type Handle struct {
	sender *Sender
	number uint64
}

// Executed reports whether depending on the message costs nothing: it has been executed as far as the sender
// knows (D11), or its connection is over. It is false for a Handle that was never filled.
func (h *Handle) Executed() bool {
	return h.sender != nil && h.sender.graph.state(h.number) == executed
}

// Sender numbers the guaranteed messages of one connection in one direction, says on which others each still has
// to wait, and learns by acknowledgements what the receiver has executed (D1 to D3, D11).
type Sender struct {
	// Set at construction.
	window int

	graph  graph[int] // of costs; what was acknowledged has arrived
	next   uint64     // the number of the next message
	bytes  int        // what the messages that have not been executed cost
	deps   []uint64   // of the message that was begun: ascending, none twice
	closed bool
}

// NewSender returns the sender of a new connection to a receiver for which the messages that it has not executed may cost
// window bytes (D3, D14, Header.Cost).
func NewSender(window int) *Sender {
	s := &Sender{window: window}
	s.graph.execute = func(_ uint64, cost int) { s.bytes -= cost }
	return s
}

// Begin begins a message that depends on nothing. One that was begun and not ended is given up.
func (s *Sender) Begin() { s.deps = s.deps[:0] }

// Depend makes the message that was begun depend on that of h. No handle (nil), one whose message has been
// executed, and one of a connection that is over are ignored, and one that is given twice counts once (D2). The
// error is ErrUnfilled, ErrForeign or ErrDependencies, and then the message does not depend on h.
func (s *Sender) Depend(h *Handle) error {
	switch {
	case h == nil || h.Executed():
		return nil
	case h.sender == nil:
		return ErrUnfilled
	case h.sender != s:
		return ErrForeign
	}
	i, known := slices.BinarySearch(s.deps, h.number)
	if known {
		return nil
	}
	if len(s.deps) == MaxDependencies {
		return ErrDependencies
	}
	s.deps = slices.Insert(s.deps, i, h.number)
	return nil
}

// End ends the message that was begun, of size bytes without its header, fills h, unless it is nil, and returns
// the header, whose dependencies are good until the next Begin. The error is ErrUnderWay, ErrWindow or
// ErrClosed: then nothing was sent, h is as it was, and the message is given up.
func (s *Sender) End(h *Handle, size int) (Header, error) {
	s.prune()
	header := Header{Number: s.next, Deps: s.deps}
	cost := header.Cost(size)
	switch {
	case s.closed:
		return Header{}, ErrClosed
	case h != nil && h.sender != nil && !h.Executed():
		return Header{}, ErrUnderWay
	case s.next >= s.graph.floor+Window || s.bytes+cost > s.window:
		return Header{}, ErrWindow
	}
	s.graph.hold(s.next)
	s.graph.enter(s.next, declared, cost, s.deps)
	s.bytes += cost
	s.next++
	if h != nil {
		*h = Handle{sender: s, number: header.Number}
	}
	return header, nil
}

// EndLoose ends the message that was begun as an unguaranteed one (D15), which has no number, no handle and no
// room in the window, and returns its dependencies, ascending, good until the next Begin.
func (s *Sender) EndLoose() []uint64 {
	s.prune()
	return s.deps
}

// prune takes off what has been executed since it was added.
func (s *Sender) prune() {
	s.deps = slices.DeleteFunc(s.deps, func(d uint64) bool { return s.graph.state(d) == executed })
}

// Acknowledge says that the message has entered the receiver's graph. It and what waits for it count as executed
// as soon as all on which they depend do (D11). To say it again changes nothing. The error is ErrUnsent.
func (s *Sender) Acknowledge(number uint64) error {
	if number >= s.next {
		return ErrUnsent
	}
	if s.graph.state(number) == declared {
		s.graph.arrive(number)
	}
	return nil
}

// AcknowledgeBelow says that all messages below floor have been executed (D10). The error is ErrUnsent, and then
// nothing was acknowledged.
func (s *Sender) AcknowledgeBelow(floor uint64) error {
	if floor > s.next {
		return ErrUnsent
	}
	for s.graph.floor < floor {
		if err := s.Acknowledge(s.graph.floor); err != nil {
			return err
		}
	}
	return nil
}

// Acknowledged reports whether the message need not be sent again.
func (s *Sender) Acknowledged(number uint64) bool { return s.graph.state(number) >= arrived }

// Floor is the lowest number that is not acknowledged, or that of the next message. All messages below it have
// been executed: their dependencies are lower.
func (s *Sender) Floor() uint64 { return s.graph.floor }

// Room is how many messages, and bytes of what they cost, the window has room for.
func (s *Sender) Room() (messages, bytes int) {
	return int(s.graph.floor + Window - s.next), s.window - s.bytes //nolint:gosec // at most Window
}

// Close says that the connection is over: all its handles are ignored from now on (D2), and End fails.
func (s *Sender) Close() {
	s.closed = true
	s.graph = graph[int]{floor: s.next, top: s.next}
}
