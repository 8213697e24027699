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
	cut          wire.Cut
	floor        uint64           // all messages below have been executed
	ahead        map[uint64]bool  // those above floor that have been executed
	versions     []pendingVersion // that do not count yet, in the order of their numbers
	synchronised bool             // a message has synchronised the client
	before       id.Millis        // motion of an earlier time has been forgotten (D34)
}

// pendingVersion is a message with a version.
type pendingVersion struct {
	number  uint64
	time    id.Millis
	version id.Version
}

// Message returns the frame for a guaranteed message that was just executed, or nil if there is
// none. The frame may be msg itself. The error wraps wire.ErrFrame: the stream is unusable then.
func (j *Joiner) Message(number uint64, msg []byte) (frame []byte, err error) {
	if err := j.cut.Read(msg); err != nil {
		return nil, fmt.Errorf("read message %d: %w", number, err)
	}
	for _, p := range j.cut.Parts {
		if p.Synchronises {
			j.synchronised, j.before = true, max(j.before, j.cut.Time)
		}
	}
	if j.cut.Version != 0 {
		j.record(pendingVersion{number: number, time: j.cut.Time, version: j.cut.Version})
	}
	j.executed(number)
	last := j.due()
	switch {
	case last.version == j.cut.Version && (last.version != 0 || len(j.cut.Parts) > 0):
		return msg, nil
	case len(j.cut.Parts) > 0:
		return j.rebuilt(last.version), nil
	case last.version != 0:
		return wire.AppendHead(nil, last.time, last.version), nil
	default:
		return nil, nil
	}
}

// Unguaranteed returns the frame for an unguaranteed message. It returns nil if the client is not
// synchronised yet, or if the message has nothing but motion that has been forgotten since. It
// leaves out the version, and events that do not travel unguaranteed. The error wraps
// wire.ErrFrame.
func (j *Joiner) Unguaranteed(msg []byte) (frame []byte, err error) {
	if err := j.cut.Read(msg); err != nil {
		return nil, fmt.Errorf("read unguaranteed message: %w", err)
	}
	j.cut.Parts = slices.DeleteFunc(j.cut.Parts, func(p wire.Part) bool {
		return p.Travel != wire.Unordered
	})
	if !j.synchronised || j.cut.Time < j.before || len(j.cut.Parts) == 0 {
		return nil, nil
	}
	return j.rebuilt(0), nil
}

// record records a version, in the order of the message numbers.
func (j *Joiner) record(s pendingVersion) {
	i, _ := slices.BinarySearchFunc(j.versions, s.number, func(a pendingVersion, number uint64) int {
		if a.number < number {
			return -1
		}
		return 1
	})
	j.versions = slices.Insert(j.versions, i, s)
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
func (j *Joiner) due() (last pendingVersion) {
	n := 0
	for ; n < len(j.versions) && j.versions[n].number < j.floor; n++ {
		last = j.versions[n]
	}
	j.versions = slices.Delete(j.versions, 0, n)
	return last
}

// rebuilt returns a frame of the parts that were read, with another version.
func (j *Joiner) rebuilt(version id.Version) []byte {
	b := wire.AppendHead(nil, j.cut.Time, version)
	for _, p := range j.cut.Parts {
		b = append(b, p.Event...)
	}
	return b
}
