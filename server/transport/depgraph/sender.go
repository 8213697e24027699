package depgraph

import (
	"errors"
	"slices"
)

// Errors of a Sender: mistakes of the program, and a full window. Nothing was sent.
var (
	// ErrWindow says that there is no room until something is acknowledged (D3).
	ErrWindow = errors.New("window full")
	// ErrDependencies says that a message would have more than MaxDependencies: it needs joins
	// (D14).
	ErrDependencies = errors.New("too many dependencies")
	// ErrUnfilled says that a handle was never filled with a message (D2).
	ErrUnfilled = errors.New("handle was never filled")
	// ErrForeign says that a handle belongs to another connection (D2).
	ErrForeign = errors.New("handle of another connection")
	// ErrUnderWay says that the message of a handle has not been executed yet (D2).
	ErrUnderWay = errors.New("handle stands for a message that is under way")
	// ErrCopied says that a handle is a copy of one that was filled (D2).
	ErrCopied = errors.New("handle was copied")
	// ErrUnsent says that the acknowledged message was never sent.
	ErrUnsent = errors.New("message was never sent")
	// ErrClosed says that the connection is over.
	ErrClosed = errors.New("connection is over")
)

// Handle stands for a message that was sent, so that later ones can depend on it (D2). The zero
// Handle stands for no message and is ready to be filled. A Handle must not be copied once it was
// filled: go vet reports copies, and a Sender returns ErrCopied for one. Pass pointers.
type Handle struct {
	_      noCopy
	self   *Handle // itself, so that a copy is noticed; nil if it was never filled
	sender *Sender
	number uint64
}

// noCopy lets go vet report copies of what contains it.
type noCopy struct{}

// Lock does nothing: go vet looks for it.
func (*noCopy) Lock() {}

// Unlock does nothing: go vet looks for it.
func (*noCopy) Unlock() {}

// isCopy reports whether h was copied from a handle that had been filled.
func (h *Handle) isCopy() bool { return h.self != nil && h.self != h }

// Executed reports whether a dependency on the message costs nothing: it has been executed as far
// as the sender knows (D11), or its connection is over. It is false for a Handle that was never
// filled.
func (h *Handle) Executed() bool {
	return h.sender != nil && h.sender.graph.state(h.number) == executed
}

// Sender numbers the guaranteed messages of one connection in one direction. It decides which
// dependencies a message has to name, and learns from acknowledgements what the receiver has
// executed (D1 to D3, D11).
type Sender struct {
	// Set at construction.
	window int

	graph  graph[int] // of costs; acknowledged messages count as arrived
	next   uint64     // the number of the next message
	bytes  int        // cost of the messages that are not executed
	deps   []uint64   // of the message that was begun: ascending, distinct
	closed bool
}

// NewSender returns the sender of a new connection. The messages that the receiver has not executed
// may cost window bytes (D3, D14, Header.Cost).
func NewSender(window int) *Sender {
	s := &Sender{window: window}
	s.graph.execute = func(_ uint64, cost int) { s.bytes -= cost }
	return s
}

// Begin begins a message without dependencies. A message that was begun and not ended is dropped.
func (s *Sender) Begin() { s.deps = s.deps[:0] }

// Depend makes the message that was begun depend on that of h (D2). It ignores nil, a handle whose
// message has been executed, and a handle of a connection that is over. A handle that is given
// twice counts once. The error is ErrUnfilled, ErrForeign, ErrCopied or ErrDependencies, and then
// the message does not depend on h.
func (s *Sender) Depend(h *Handle) error {
	switch {
	case h != nil && h.isCopy():
		return ErrCopied
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

// End ends the message that was begun, of size bytes without its header. It fills h unless h is
// nil, and returns the header, whose dependencies are valid until the next Begin. The error is
// ErrCopied, ErrUnderWay, ErrWindow or ErrClosed: then nothing was sent and h is unchanged.
func (s *Sender) End(h *Handle, size int) (Header, error) {
	s.prune()
	header := Header{Number: s.next, Deps: s.deps}
	cost := header.Cost(size)
	switch {
	case h != nil && h.isCopy():
		return Header{}, ErrCopied
	case s.closed:
		return Header{}, ErrClosed
	case h != nil && h.sender != nil && !h.Executed():
		return Header{}, ErrUnderWay
	case s.next >= s.graph.floor+Window || s.bytes+cost > s.window:
		return Header{}, ErrWindow
	}
	s.graph.ensureNode(s.next)
	s.graph.enter(s.next, sent, cost, s.deps)
	s.bytes += cost
	s.next++
	if h != nil {
		h.self, h.sender, h.number = h, s, header.Number
	}
	return header, nil
}

// EndUnguaranteed ends the message that was begun as an unguaranteed one (D15), which has no number
// and no handle and takes no room in the window. It returns the dependencies, ascending, which are
// valid until the next Begin.
func (s *Sender) EndUnguaranteed() []uint64 {
	s.prune()
	return s.deps
}

// prune removes dependencies that have been executed since they were added.
func (s *Sender) prune() {
	s.deps = slices.DeleteFunc(s.deps, func(d uint64) bool { return s.graph.state(d) == executed })
}

// Acknowledge records that the message has entered the receiver's graph. A message counts as
// executed when it is acknowledged and all its dependencies are executed (D11). Further calls for
// the same message change nothing. The error is ErrUnsent.
func (s *Sender) Acknowledge(number uint64) error {
	if number >= s.next {
		return ErrUnsent
	}
	if s.graph.state(number) == sent {
		s.graph.arrive(number)
	}
	return nil
}

// AcknowledgeBelow records that all messages below floor have been executed (D10). The error is
// ErrUnsent, and then nothing was acknowledged.
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

// Floor returns the lowest number that is not acknowledged, or the number of the next message. All
// messages below it have been executed, as their dependencies are lower.
func (s *Sender) Floor() uint64 { return s.graph.floor }

// Room returns for how many messages, and for how many bytes of their cost, the window has room.
func (s *Sender) Room() (messages, bytes int) {
	return int(s.graph.floor + Window - s.next), s.window - s.bytes //nolint:gosec // at most Window
}

// Close records that the connection is over: from then on its handles are ignored (D2), and End
// fails.
func (s *Sender) Close() {
	s.closed = true
	s.graph = graph[int]{floor: s.next, top: s.next}
}
