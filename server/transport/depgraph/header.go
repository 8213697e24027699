package depgraph

import (
	"encoding/binary"
	"fmt"
)

// Header is what a guaranteed message says of itself: its number, and those of the messages on which it
// depends, lower ones, ascending, none twice. Numbers do not wrap (D1).
type Header struct {
	Number uint64
	Deps   []uint64
}

const (
	another = 1 << 15     // the highest bit of a number on the wire: another follows
	modulus = 1 << 15     // of numbers on the wire
	within  = modulus - 1 // the bits of a number
)

// Size is how many bytes the header has on the wire: two, and two for each dependency.
func (h Header) Size() int { return 2 + 2*len(h.Deps) }

// Cost is how many bytes a message of size bytes counts while it waits: its own, those of its header, and what it takes to keep it
// and what it waits for (D14).
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

// AppendDeps appends the list of dependencies of an unguaranteed message, which has no number of its own
// (D23). It has at least one.
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

// ReadHeader reads the header at the beginning of b for a receiver with that floor, and returns what follows
// it. The dependencies are written over those in deps, which may be nil, as many as there are on the wire, in
// their order. The error is ErrProtocol or ErrBounds (D6, D14).
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
			return Header{}, nil, fmt.Errorf("%w: message %d has more than %d dependencies", ErrBounds, h.Number, MaxDependencies)
		}
		if w, b, err = readNumber(b); err != nil {
			return Header{}, nil, err
		}
		back := (h.Number - uint64(w)) & within
		if back == 0 || back >= Window || back > h.Number {
			return Header{}, nil, fmt.Errorf("%w: message %d depends on what is %d below", ErrProtocol, h.Number, back)
		}
		h.Deps = append(h.Deps, h.Number-back)
	}
	return h, b, nil
}

// ReadDeps reads a list of AppendDeps as ReadHeader does a header.
func ReadDeps(b []byte, floor uint64, deps []uint64) (list []uint64, rest []byte, err error) {
	list = deps[:0]
	for w := uint16(another); w&another != 0; {
		if len(list) == MaxDependencies {
			return nil, nil, fmt.Errorf("%w: an unguaranteed message has more than %d dependencies", ErrBounds, MaxDependencies)
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

// inWindow is unwrap for the number of a message that a sender may send.
func inWindow(w uint16, floor uint64) (uint64, error) {
	n, err := unwrap(w, floor)
	if err == nil && n >= floor+Window {
		return 0, fmt.Errorf("%w: message %d is too far above the floor %d", ErrProtocol, n, floor)
	}
	return n, err
}

// Wrap returns a number, of a message or a floor, as it is on the wire.
func Wrap(number uint64) uint16 { return uint16(number & within) }

// unwrap returns the number that is w on the wire, whose highest bit does not count, and lies from 16,384 below
// floor to 16,383 above it. There may be none: the error is then ErrProtocol.
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
