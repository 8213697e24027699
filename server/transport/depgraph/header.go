package depgraph

import (
	"encoding/binary"
	"fmt"
)

// Header is the header of a guaranteed message: its number, and the numbers of the messages on
// which it depends. Those are lower, ascending and distinct. Numbers do not wrap here (D1).
type Header struct {
	Number uint64
	Deps   []uint64
}

const (
	another = 1 << 15     // the highest bit of a number on the wire: another one follows
	modulus = 1 << 15     // of numbers on the wire
	within  = modulus - 1 // the bits of a number
)

// Size returns how many bytes the header has on the wire: two, and two for each dependency.
func (h Header) Size() int { return 2 + 2*len(h.Deps) }

// Cost returns how many bytes a message of size bytes counts while it waits (D14): its own bytes,
// those of its header, 64, and 8 for each dependency.
func (h Header) Cost(size int) int {
	return size + h.Size() + messageCost + dependencyCost*len(h.Deps)
}

// AppendHeader appends a header as it is on the wire (D6).
func AppendHeader(b []byte, h Header) []byte {
	b = appendNumber(b, h.Number, len(h.Deps) > 0)
	if len(h.Deps) == 0 {
		return b
	}
	return AppendDeps(b, h.Deps)
}

// AppendDeps appends the dependencies of an unguaranteed message, which has no number of its own
// (D23). There must be at least one.
func AppendDeps(b []byte, deps []uint64) []byte {
	for i, d := range deps {
		b = appendNumber(b, d, i < len(deps)-1)
	}
	return b
}

func appendNumber(b []byte, number uint64, more bool) []byte {
	n := Wrap(number)
	if more {
		n |= another
	}
	return binary.BigEndian.AppendUint16(b, n)
}

// ReadHeader reads the header at the beginning of b for a receiver with that floor, and returns
// what follows it. It writes the dependencies over those in deps, which may be nil: all that are on
// the wire, in their order. The error wraps ErrProtocol or ErrBounds (D6, D14).
func ReadHeader(b []byte, floor uint64, deps []uint64) (h Header, rest []byte, err error) {
	w, b, err := readNumber(b)
	if err != nil {
		return Header{}, nil, err
	}
	h = Header{Deps: deps[:0]}
	if h.Number, err = inWindow(w, floor); err != nil {
		return Header{}, nil, err
	}
	for w&another != 0 {
		if len(h.Deps) == MaxDependencies {
			return Header{}, nil, fmt.Errorf("%w: message %d has more than %d dependencies",
				ErrBounds, h.Number, MaxDependencies)
		}
		if w, b, err = readNumber(b); err != nil {
			return Header{}, nil, err
		}
		back := (h.Number - uint64(w)) & within
		if back == 0 || back >= Window || back > h.Number {
			return Header{}, nil, fmt.Errorf("%w: message %d depends on what is %d below",
				ErrProtocol, h.Number, back)
		}
		h.Deps = append(h.Deps, h.Number-back)
	}
	return h, b, nil
}

// ReadDeps reads what AppendDeps has written. It uses deps, and fails, as ReadHeader does.
func ReadDeps(b []byte, floor uint64, deps []uint64) (list []uint64, rest []byte, err error) {
	list = deps[:0]
	for w := uint16(another); w&another != 0; {
		if len(list) == MaxDependencies {
			return nil, nil, fmt.Errorf("%w: an unguaranteed message has more than %d dependencies",
				ErrBounds, MaxDependencies)
		}
		if w, b, err = readNumber(b); err != nil {
			return nil, nil, err
		}
		d, err := inWindow(w, floor)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, d)
	}
	return list, b, nil
}

func readNumber(b []byte) (w uint16, rest []byte, err error) {
	if len(b) < 2 {
		return 0, nil, fmt.Errorf("%w: a header ends in the middle", ErrProtocol)
	}
	return binary.BigEndian.Uint16(b), b[2:], nil
}

// inWindow unwraps the number of a message, and fails for a number that no sender may use yet (D6).
func inWindow(w uint16, floor uint64) (uint64, error) {
	n, err := unwrap(w, floor)
	if err == nil && n >= floor+Window {
		return 0, fmt.Errorf("%w: message %d is too far above the floor %d", ErrProtocol, n, floor)
	}
	return n, err
}

// Wrap returns the number of a message, or a floor, as it is on the wire.
func Wrap(number uint64) uint16 { return uint16(number & within) }

// unwrap returns the number for w, a number on the wire whose highest bit is ignored: the one that
// lies from 16,384 below floor to 16,383 above it. The error wraps ErrProtocol if that one is below
// 0.
func unwrap(w uint16, floor uint64) (uint64, error) {
	ahead := (uint64(w) - floor) & within
	if ahead < modulus/2 {
		return floor + ahead, nil
	}
	if back := modulus - ahead; back <= floor {
		return floor - back, nil
	}
	return 0, fmt.Errorf("%w: number %d at floor %d", ErrProtocol, w&within, floor)
}
