package connection

import (
	"math/rand/v2"
	"testing"
	"time"

	"holt/server/transport/depgraph"
	"holt/server/transport/simline"
)

// connectionVector is the life of one end of a connection over a path that proves who sends. The
// other end is one of this package.
type connectionVector struct {
	Name      string        `json:"name"`
	Largest   int           `json:"largest"`
	Keepalive int64         `json:"keepalive"` // in milliseconds
	Repeats   bool          `json:"repeatsOverdue,omitempty"`
	Takes     [2]uint32     `json:"takes"` // message and window
	TheyTake  [2]uint32     `json:"theyTake"`
	Steps     []*scriptStep `json:"steps"`
}

// scriptStep is what happens at a millisecond, in this order: packets arrive, the path narrows,
// messages are sent, the connection is closed. Then come the results.
type scriptStep struct {
	At      int64                `json:"at"`
	Receive []hexadecimal        `json:"receive,omitempty"`
	Resize  int                  `json:"resize,omitempty"`
	Send    []scriptSend         `json:"send,omitempty"`
	Loose   []scriptUnguaranteed `json:"loose,omitempty"`
	Close   *closeVector         `json:"close,omitempty"`

	Executed []scriptMessage      `json:"executed,omitempty"`
	Came     []scriptUnguaranteed `json:"came,omitempty"` // unguaranteed
	Packets  []hexadecimal        `json:"packets,omitempty"`
	Ended    *closeVector         `json:"ended,omitempty"`
}

// scriptSend is a guaranteed message that depends on some of those sent before, counted from 0.
type scriptSend struct {
	Deps []int       `json:"deps"`
	Body hexadecimal `json:"body"`
}

type scriptMessage struct {
	Number uint64      `json:"number"`
	Body   hexadecimal `json:"body"`
}

type scriptUnguaranteed struct {
	Key  uint32      `json:"key"`
	Body hexadecimal `json:"body"`
}

// script records what happens to the first end of a pair while both ends send at random.
type script struct {
	t       *testing.T
	r       *rand.Rand
	now     time.Duration
	ends    [2]*Conn
	lines   [2]*simline.Line
	handles [2][]*depgraph.Handle
	step    *scriptStep
	largest int
	sending bool
	pause   time.Duration // between two moments at which the ends send; 0: they always do
}

// grid is the time between two steps. It is a whole number of milliseconds, so that implementations
// that compute times differently get the same packets.
const grid = 5 * ms

func newScript(t *testing.T, seed uint64, line simline.Config,
	limits Limits) (*script, *connectionVector) {
	s := &script{t: t, r: rand.New(rand.NewPCG(seed, 0)), largest: 700, sending: true}
	for side := range s.ends {
		s.lines[side] = simline.New(line, s.r)
		s.ends[side] = NewConn(Config{
			Path: Path{Largest: s.largest, Free: true}, Takes: limits, PeerLimits: limits,
			Keepalive: 300 * ms,
			Execute: func(number uint64, msg []byte) {
				if side == 0 {
					s.step.Executed = append(s.step.Executed,
						scriptMessage{number, append([]byte{}, msg...)})
				}
			},
			Unguaranteed: func(key uint32, msg []byte) {
				if side == 0 {
					s.step.Came = append(s.step.Came, scriptUnguaranteed{key, append([]byte{}, msg...)})
				}
			},
		})
	}
	takes := [2]uint32{limits.Message, limits.Window}
	return s, &connectionVector{Largest: s.largest, Keepalive: 300, Takes: takes, TheyTake: takes}
}

// run advances to until, and returns the steps in which something happens.
func (s *script) run(until time.Duration, extra func(step *scriptStep)) (steps []*scriptStep) {
	for ; s.now < until; s.now += grid {
		s.step = &scriptStep{At: s.now.Milliseconds()}
		s.receive()
		if extra != nil {
			extra(s.step)
		}
		if s.sending && (s.pause == 0 || s.now%s.pause == 0) {
			s.send()
		}
		s.flush()
		if c := s.ends[0].Err(); c != nil && s.step.Ended == nil {
			s.step.Ended = &closeVector{Code: c.Code, Reason: c.Reason}
		}
		if s.step.happens() {
			steps = append(steps, s.step)
		}
	}
	return steps
}

func (s *scriptStep) happens() bool {
	return len(s.Receive)+len(s.Send)+len(s.Loose)+len(s.Packets) > 0 || s.Resize > 0 ||
		s.Close != nil
}

func (s *script) receive() {
	for side, line := range s.lines {
		for {
			p, ok := line.Receive(s.now, nil)
			if !ok {
				break
			}
			if side == 1 {
				s.step.Receive = append(s.step.Receive, p)
			}
			_ = s.ends[1-side].Receive(s.now, p) // the connection may have ended
		}
	}
}

// send makes both ends send some messages.
func (s *script) send() {
	for side, c := range s.ends {
		for range s.r.IntN(3) {
			m := scriptSend{Deps: []int{}, Body: make([]byte, s.r.IntN(40))}
			if s.r.IntN(40) == 0 {
				m.Body = make([]byte, s.r.IntN(2500))
			}
			pattern(m.Body, uint64(len(s.handles[side])))
			var deps []*depgraph.Handle
			for range min(s.r.IntN(4), len(s.handles[side])) {
				d := len(s.handles[side]) - 1 - s.r.IntN(min(len(s.handles[side]), 20))
				m.Deps, deps = append(m.Deps, d), append(deps, s.handles[side][d])
			}
			h := new(depgraph.Handle)
			if err := c.Send(s.now, m.Body, deps, h); err != nil {
				continue // its window is full, or the connection has ended
			}
			s.handles[side] = append(s.handles[side], h)
			if side == 0 {
				s.step.Send = append(s.step.Send, m)
			}
		}
		if s.r.IntN(3) == 0 {
			m := scriptUnguaranteed{uint32(s.r.IntN(3)), []byte{byte(s.now / grid)}}
			var deps []*depgraph.Handle
			if n := len(s.handles[side]); side == 1 && n > 0 { // a page has none
				deps = append(deps, s.handles[side][n-1])
			}
			if err := c.SendUnguaranteed(s.now, m.Key, m.Body, deps); err == nil && side == 0 {
				s.step.Loose = append(s.step.Loose, m)
			}
		}
	}
}

func (s *script) flush() {
	for side, c := range s.ends {
		for {
			p, ok := c.Next(s.now, nil)
			if !ok {
				break
			}
			if side == 0 {
				s.step.Packets = append(s.step.Packets, p)
			}
			s.lines[side].Send(s.now, p)
		}
	}
}

func connectionVectors(t *testing.T) (vectors []*connectionVector) {
	limits := Limits{Message: 4 << 10, Window: 16 << 10}
	line := simline.Config{Delay: 25 * ms}

	s, v := newScript(t, 1, line, limits)
	v.Name = "a line that loses nothing"
	v.Steps = s.run(300*ms, nil)
	vectors = append(vectors, v)

	line = simline.Config{Delay: 25 * ms, Loss: 0.2, Duplicate: 0.1, Late: 0.1, Lateness: 30 * ms}
	s, v = newScript(t, 2, line, limits)
	v.Name = "a line that loses, duplicates and reorders, until all has arrived"
	v.Steps = s.run(500*ms, nil)
	s.sending = false
	v.Steps = append(v.Steps, s.run(2500*ms, nil)...)
	for side, c := range s.ends {
		if sent := uint64(len(s.handles[side])); c.Sender().Floor() != sent ||
			s.ends[1-side].Floor() != sent {
			t.Errorf("of %d messages %d are known to have come", sent, c.Sender().Floor())
		}
	}
	vectors = append(vectors, v)

	line = simline.Config{Delay: 25 * ms}
	s, v = newScript(t, 3, line, limits)
	v.Name = "a path that takes less, and a graceful close"
	v.Steps = s.run(150*ms, nil)
	for _, l := range s.lines {
		l.Set(simline.Config{Delay: 25 * ms, Largest: 550})
	}
	v.Steps = append(v.Steps, s.run(200*ms, nil)...)
	v.Steps = append(v.Steps, s.run(205*ms, func(step *scriptStep) {
		step.Resize = 550
		s.ends[0].Resize(550)
		s.ends[1].Resize(550)
	})...)
	v.Steps = append(v.Steps, s.run(255*ms, nil)...)
	s.sending = false
	v.Steps = append(v.Steps, s.run(260*ms, func(step *scriptStep) {
		step.Close = &closeVector{Code: CodeDone, Reason: "done"}
		s.ends[0].Close(s.now, CodeDone, "done")
	})...)
	v.Steps = append(v.Steps, s.run(1000*ms, nil)...)
	if err := s.ends[1].Err(); err == nil || err.Code != CodeDone ||
		s.ends[1].Floor() != uint64(len(s.handles[0])) {
		t.Errorf("the other end: %v, %d of %d messages", err, s.ends[1].Floor(), len(s.handles[0]))
	}
	vectors = append(vectors, v)

	s, v = newScript(t, 4, simline.Config{Delay: 25 * ms}, limits)
	v.Name = "nothing gets through for a second, then everything"
	v.Steps = s.run(150*ms, nil)
	for _, l := range s.lines {
		l.Set(simline.Config{Delay: 25 * ms, Down: true})
	}
	v.Steps = append(v.Steps, s.run(300*ms, nil)...)
	s.sending = false
	v.Steps = append(v.Steps, s.run(1150*ms, nil)...)
	for _, l := range s.lines {
		l.Set(simline.Config{Delay: 25 * ms})
	}
	vectors = append(vectors, v.with(s.run(2500*ms, nil)))

	line = simline.Config{Delay: 25 * ms, Loss: 0.2}
	s, v = newScript(t, 5, line, limits)
	s.pause = 35 * ms
	v.Name = "a line that loses, with few messages, of which the overdue are sent again"
	v.Repeats = true
	for _, c := range s.ends {
		c.config.RepeatOverdue = true
	}
	overdue := 0
	v.Steps = s.run(1500*ms, func(*scriptStep) {
		f := &s.ends[0].flight
		for n := f.first; n < f.next; n++ {
			if sent := f.find(n); sent != nil && sent.repeated {
				overdue++
			}
		}
	})
	s.sending = false
	v.Steps = append(v.Steps, s.run(2500*ms, nil)...)
	if overdue == 0 {
		t.Error("nothing was overdue")
	}
	return append(vectors, v)
}

func (v *connectionVector) with(steps []*scriptStep) *connectionVector {
	v.Steps = append(v.Steps, steps...)
	return v
}
