package framing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/tables/wire"
	"holt/server/transport/depgraph"
)

// Conn is what a Splitter needs of one end of a connection.
type Conn interface {
	// Send takes a guaranteed message that waits for those of deps, and fills h. The error is
	// depgraph.ErrWindow if there is no room for it now: then nothing has happened. The message
	// does not change afterwards.
	Send(now time.Duration, msg []byte, deps []*depgraph.Handle, h *depgraph.Handle) error
	// SendUnguaranteed takes an unguaranteed message of at most MaxUnguaranteed bytes.
	SendUnguaranteed(now time.Duration, key uint32, msg []byte, deps []*depgraph.Handle) error
	MaxUnguaranteed() int
}

// Splitter cuts the frames of one stream into messages of one connection. It belongs to the owner
// of the connection, because it asks which messages have been executed. It keeps messages until the
// connection takes them; of earlier ones it keeps only what later messages may have to wait for.
type Splitter struct {
	cutter

	count        uint64
	lastAbout    map[id.Piece]*sent // the last message about each piece, unless it is over
	full         int                // number of lanes at which those that are over are removed
	barrier      *sent              // the last barrier: everything later waits for it
	synchroniser *sent              // has synchronised the client; motion waits for it
	// All messages that are tips and not over, in order. There may be others among them.
	tips []*sent
	most int // number of tips at which the others are removed

	queue        []message // in order
	unguaranteed []unguaranteed
	bytes        int // of the queue

	handles []*depgraph.Handle // reusable memory
}

// cutter is what is needed to cut a frame: memory that is reused between frames.
type cutter struct {
	cut    wire.Cut
	groups grouping
	steady []wire.Part // of the frame that is cut: what is guaranteed
	moving []wire.Part // and what is not
}

// wipe drops references to the frame that was cut, and memory that few frames need.
func (s *cutter) wipe() {
	if len(s.cut.Parts) > fewest {
		*s = cutter{}
		return
	}
	clear(s.cut.Parts)
	clear(s.steady)
	clear(s.moving)
	for _, group := range s.groups.groups {
		clear(group)
	}
}

// message is a guaranteed message that waits until the connection takes it.
type message struct {
	bytes []byte
	deps  []*sent
	of    *sent
}

// unguaranteed is an unguaranteed message. ground is the message that synchronises the client, or
// nil if that one has been executed.
type unguaranteed struct {
	bytes        []byte
	synchroniser *sent
}

// fewest is the least number of lanes or tips at which those that are over are removed.
const fewest = 64

// NewSplitter returns the Splitter of a new stream.
func NewSplitter() *Splitter {
	return &Splitter{lastAbout: map[id.Piece]*sent{}, full: fewest, most: fewest}
}

// Add cuts a frame (D31) and queues its messages. The frame itself may become a message, so the
// caller must not change it any more. The error wraps wire.ErrFrame: then the stream cannot go on.
func (s *Splitter) Add(frame []byte) error {
	if err := s.cut.Read(frame); err != nil {
		return fmt.Errorf("cut a frame: %w", err)
	}
	defer s.wipe()
	travel := wire.Ordered
	s.steady, s.moving = s.steady[:0], s.moving[:0]
	for _, p := range s.cut.Parts {
		if p.Travel == wire.Unordered {
			s.moving = append(s.moving, p)
			continue
		}
		s.steady = append(s.steady, p)
		travel = max(travel, p.Travel)
	}
	switch {
	case travel != wire.Ordered:
		s.fence(frame, travel == wire.Barrier)
	case len(s.steady) > 0:
		s.queueGroups(frame)
	case s.cut.Version != 0:
		s.put(wire.AppendHead(nil, s.cut.Time, s.cut.Version), nil)
	}
	return s.queueUnguaranteed()
}

// fence queues what is guaranteed in a frame as one message that waits for all before it. With
// isWall all later ones wait for it, too: it is a barrier (D33).
func (s *Splitter) fence(frame []byte, isWall bool) {
	deps := slices.DeleteFunc(slices.Clone(s.tips), func(t *sent) bool {
		return !t.isTip || t.over()
	})
	of := s.put(s.guaranteedOf(frame), deps)
	clear(s.tips)
	s.tips = append(s.tips[:0], of)
	if slices.ContainsFunc(s.steady, func(p wire.Part) bool { return p.Synchronises }) {
		s.synchroniser = of
	}
	if isWall {
		s.barrier = of
		// Later messages wait for the barrier in any case.
		clear(s.lastAbout)
		return
	}
	s.occupy(s.steady, of)
}

// queueGroups queues a message for each group of parts that have pieces in common (D32). A frame
// that would make more than maxMessages is sent as one barrier: what it says was mostly done at
// once.
func (s *Splitter) queueGroups(frame []byte) {
	groups, few := s.groups.of(s.steady)
	switch {
	case !few:
		s.fence(frame, true)
		return
	case len(groups) == 1:
		s.occupy(s.steady, s.put(s.guaranteedOf(frame), s.behind(s.steady)))
		return
	}
	for i, group := range groups {
		version := id.Version(0)
		if i == len(groups)-1 {
			version = s.cut.Version
		}
		s.occupy(group, s.put(s.frame(group, version), s.behind(group)))
	}
}

// guaranteedOf returns what is guaranteed in a frame as one frame. That is the frame itself if it
// has nothing else, so that all who get it share its memory.
func (s *Splitter) guaranteedOf(frame []byte) []byte {
	if len(s.moving) == 0 {
		return frame
	}
	return s.frame(s.steady, s.cut.Version)
}

// frame returns a frame of parts.
func (s *Splitter) frame(parts []wire.Part, version id.Version) []byte {
	const head = 16 // bytes of time and version, at most
	size := head
	for _, p := range parts {
		size += len(p.Event)
	}
	b := wire.AppendHead(make([]byte, 0, size), s.cut.Time, version)
	for _, p := range parts {
		b = append(b, p.Event...)
	}
	return b
}

// behind returns the messages for which a message of parts has to wait: the last ones about its
// pieces. If there are none, it waits for the barrier; otherwise they wait for the barrier
// themselves.
func (s *Splitter) behind(parts []wire.Part) []*sent {
	var deps []*sent
	for _, p := range parts {
		for _, piece := range p.Pieces {
			if last := s.lastAbout[piece]; last != nil && !last.over() {
				deps = append(deps, last)
			}
		}
	}
	slices.SortFunc(deps, func(a, b *sent) int { return cmp.Compare(a.order, b.order) })
	deps = slices.Compact(deps)
	// The lanes have no message from before the barrier.
	if len(deps) == 0 && !s.barrier.over() {
		deps = append(deps, s.barrier)
	}
	return deps
}

// occupy records that a message is the last one about the pieces of parts.
func (s *Splitter) occupy(parts []wire.Part, of *sent) {
	for _, p := range parts {
		for _, piece := range p.Pieces {
			s.lastAbout[piece] = of
		}
	}
	if len(s.lastAbout) < s.full {
		return
	}
	left := map[id.Piece]*sent{}
	for piece, last := range s.lastAbout {
		if !last.over() {
			left[piece] = last
		}
	}
	// It is a new map, because a map that was large keeps its memory.
	s.lastAbout, s.full = left, max(fewest, 2*len(left))
}

// put queues a message that depends on deps, by way of joins if there are too many of them (D14).
func (s *Splitter) put(bytes []byte, deps []*sent) *sent {
	for len(deps) > depgraph.MaxDependencies {
		var joins []*sent
		for some := range slices.Chunk(deps, depgraph.MaxDependencies) {
			joins = append(joins, s.put(nil, some))
		}
		deps = joins
	}
	for _, d := range deps {
		d.isTip = false
	}
	of := &sent{order: s.count, isTip: true}
	s.count++
	s.queue = append(s.queue, message{bytes: bytes, deps: deps, of: of})
	s.bytes += len(bytes)
	if s.tips = append(s.tips, of); len(s.tips) >= s.most {
		s.tips = slices.DeleteFunc(s.tips, func(t *sent) bool { return !t.isTip || t.over() })
		s.most = max(fewest, 2*len(s.tips))
	}
	return of
}

// queueUnguaranteed queues what is unguaranteed in a frame, in messages of at most MaxUnguaranteed
// bytes (D34). A single path that is longer makes a longer message.
func (s *Splitter) queueUnguaranteed() error {
	head := wire.AppendHead(nil, s.cut.Time, 0)
	ground := s.synchroniser
	if ground.over() {
		ground = nil
	}
	var b []byte
	flush := func() {
		if len(b) > 0 {
			s.unguaranteed = append(s.unguaranteed, unguaranteed{bytes: b, synchroniser: ground})
		}
		b = nil
	}
	for _, p := range s.moving {
		events, err := wire.SplitPaths(p.Event, MaxUnguaranteed-len(head))
		if err != nil {
			return fmt.Errorf("cut motion: %w", err)
		}
		for _, e := range events {
			if len(b)+len(e) > MaxUnguaranteed {
				flush()
			}
			if b == nil {
				b = slices.Clone(head)
			}
			b = append(b, e...)
		}
	}
	flush()
	return nil
}

// Waiting returns how many messages the connection has not taken yet, and how many bytes they have.
func (s *Splitter) Waiting() (messages, bytes int) { return len(s.queue), s.bytes }

// Flush passes messages to the connection, in order, until it takes no more. It reports whether
// that was all of them. If not, call it again when something was acknowledged. Unguaranteed
// messages do not wait for room. An error comes from the connection.
func (s *Splitter) Flush(now time.Duration, to Conn) (all bool, err error) {
	n := 0
	for ; n < len(s.queue); n++ {
		m := &s.queue[n]
		s.handles = s.handles[:0]
		for _, d := range m.deps {
			s.handles = append(s.handles, &d.handle)
		}
		if err = to.Send(now, m.bytes, s.handles, &m.of.handle); err != nil {
			break
		}
		m.of.taken = true
		s.bytes -= len(m.bytes)
	}
	s.queue = slices.Delete(s.queue, 0, n)
	if err != nil && !errors.Is(err, depgraph.ErrWindow) {
		return false, fmt.Errorf("send message: %w", err)
	}
	return len(s.queue) == 0, s.flushUnguaranteed(now, to)
}

// flushUnguaranteed passes the unguaranteed messages to the connection. It drops a message whose
// ground the connection has not taken yet: it would be of no use any more by then.
func (s *Splitter) flushUnguaranteed(now time.Duration, to Conn) error {
	for _, l := range s.unguaranteed {
		if len(l.bytes) > to.MaxUnguaranteed() {
			// A message like it would be lost on a better path, too.
			continue
		}
		s.handles = s.handles[:0]
		if l.synchroniser != nil {
			if !l.synchroniser.taken {
				continue
			}
			s.handles = append(s.handles, &l.synchroniser.handle)
		}
		if err := to.SendUnguaranteed(now, 0, l.bytes, s.handles); err != nil {
			return fmt.Errorf("send unguaranteed message: %w", err)
		}
	}
	clear(s.unguaranteed)
	s.unguaranteed = s.unguaranteed[:0]
	return nil
}
