package framing

import (
	"fmt"
	"slices"

	"holt/server/id"
	"holt/server/tables/wire"
)

// Joiner makes frames for a client out of the messages of one connection as they are executed. A
// frame has a version only when the client has everything up to it (D35). The zero Joiner is ready
// for the first message. It is for one goroutine.
type Joiner struct {
	cut    wire.Cut
	floor  uint64          // all messages below have been executed
	ahead  map[uint64]bool // those above floor that have been executed
	marks  []saying        // that do not count yet, in the order of their numbers
	whole  bool            // a message has synchronised the client
	before id.Millis       // motion of an earlier time has been forgotten (D34)
}

// saying is a message with a version.
type saying struct {
	number uint64
	time   id.Millis
	mark   id.Mark
}

// Message returns the frame for a guaranteed message that was just executed, or nil if there is
// none. The frame may be msg itself. The error wraps wire.ErrFrame: the stream is unusable then.
func (j *Joiner) Message(number uint64, msg []byte) (frame []byte, err error) {
	if err := j.cut.Read(msg); err != nil {
		return nil, fmt.Errorf("read message %d: %w", number, err)
	}
	for _, p := range j.cut.Parts {
		if p.Whole {
			j.whole, j.before = true, max(j.before, j.cut.Time)
		}
	}
	if j.cut.Mark != 0 {
		j.say(saying{number: number, time: j.cut.Time, mark: j.cut.Mark})
	}
	j.executed(number)
	last := j.due()
	switch {
	case last.mark == j.cut.Mark && (last.mark != 0 || len(j.cut.Parts) > 0):
		return msg, nil
	case len(j.cut.Parts) > 0:
		return j.rebuilt(last.mark), nil
	case last.mark != 0:
		return wire.AppendHead(nil, last.time, last.mark), nil
	default:
		return nil, nil
	}
}

// Loose returns the frame for an unguaranteed message. It returns nil if the client is not
// synchronised yet, or if the message has nothing but motion that has been forgotten since. It
// leaves out the version, and events that do not travel unguaranteed. The error wraps
// wire.ErrFrame.
func (j *Joiner) Loose(msg []byte) (frame []byte, err error) {
	if err := j.cut.Read(msg); err != nil {
		return nil, fmt.Errorf("read unguaranteed message: %w", err)
	}
	j.cut.Parts = slices.DeleteFunc(j.cut.Parts, func(p wire.Part) bool {
		return p.Travel != wire.Loose
	})
	if !j.whole || j.cut.Time < j.before || len(j.cut.Parts) == 0 {
		return nil, nil
	}
	return j.rebuilt(0), nil
}

// say records a version, in the order of the message numbers.
func (j *Joiner) say(s saying) {
	i, _ := slices.BinarySearchFunc(j.marks, s.number, func(a saying, number uint64) int {
		if a.number < number {
			return -1
		}
		return 1
	})
	j.marks = slices.Insert(j.marks, i, s)
}

// executed records that a message has been executed.
func (j *Joiner) executed(number uint64) {
	if number != j.floor {
		if j.ahead == nil {
			j.ahead = map[uint64]bool{}
		}
		j.ahead[number] = true
		return
	}
	for j.floor++; j.ahead[j.floor]; j.floor++ {
		delete(j.ahead, j.floor)
	}
}

// due removes the versions that count now and returns the last of them, or the zero saying.
func (j *Joiner) due() (last saying) {
	n := 0
	for ; n < len(j.marks) && j.marks[n].number < j.floor; n++ {
		last = j.marks[n]
	}
	j.marks = slices.Delete(j.marks, 0, n)
	return last
}

// rebuilt returns a frame of the parts that were read, with another version.
func (j *Joiner) rebuilt(mark id.Mark) []byte {
	b := wire.AppendHead(nil, j.cut.Time, mark)
	for _, p := range j.cut.Parts {
		b = append(b, p.Event...)
	}
	return b
}
