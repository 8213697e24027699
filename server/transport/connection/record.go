package connection

import (
	"fmt"

	"holt/server/transport/depgraph"
)

// Records whose varint L is odd: L = 2k + 1 (D23).
const (
	recordAsk             = 0 // nothing; asks for an acknowledgement
	recordUnguaranteed    = 1 // key, length, bytes
	recordUnguaranteedDep = 2 // list of dependencies, key, length, bytes
	recordFragment        = 3 // header, size of the message, block, length, bytes
)

// recordWhole is a guaranteed message, for which L = 2·length: header, bytes.
const recordWhole = 4

// Sizes of fragments, in bytes (D25).
const (
	blockSize = 16  // the size of a block
	leastCut  = 256 // a smaller message is not cut, so few messages are unfinished at once
)

var (
	errRecord   = fmt.Errorf("%w: a record of no kind that is known here", ErrFormat)
	errFragment = fmt.Errorf(
		"%w: a fragment that is not part of a message, or does not end with a block", ErrFormat,
	)
	errRecords = fmt.Errorf("%w: more than %d guaranteed messages", ErrFormat, maxRecords)
)

// record is one record of a Data packet (D23). It shares the memory of the packet.
type record struct {
	kind   uint8
	header depgraph.Header // of a guaranteed message
	deps   []uint64        // of an unguaranteed message
	key    uint32          // of an unguaranteed message
	size   uint32          // of a fragment: the bytes of the whole message
	from   uint32          // of a fragment: the byte at which it begins
	data   []byte
}

// What a reader keeps between packets: most packets need less.
const (
	idleRecords = 64
	idleDeps    = 4 * depgraph.MaxDependencies
)

// reader reads records, and reuses its memory.
type reader struct {
	records []record
	deps    []uint64
}

// wipe gives back memory that few packets need.
func (r *reader) wipe() {
	if cap(r.records) > idleRecords {
		r.records = nil
	}
	if cap(r.deps) > idleDeps {
		r.deps = nil
	}
}

// read reads the records of a packet for a receiver with that floor. They are valid until the next
// call.
func (r *reader) read(p []byte, floor uint64) ([]record, error) {
	r.records, r.deps = r.records[:0], r.deps[:0]
	guaranteed := 0
	for len(p) > 0 {
		rec, rest, err := r.record(p, floor)
		if err != nil {
			return nil, err
		}
		if rec.kind == recordWhole || rec.kind == recordFragment {
			if guaranteed++; guaranteed > maxRecords {
				return nil, errRecords
			}
		}
		if rec.kind != recordAsk {
			r.records = append(r.records, rec)
		}
		p = rest
	}
	return r.records, nil
}

func (r *reader) record(p []byte, floor uint64) (rec record, rest []byte, err error) {
	l, p, err := readVarint(p)
	if err != nil {
		return rec, nil, err
	}
	if l%2 == 0 {
		if int64(l/2) > int64(len(p)) {
			return rec, nil, errShort
		}
		rec.kind = recordWhole
		rec.header, rec.data, err = r.header(p[:l/2], floor)
		return rec, p[l/2:], err
	}
	switch l / 2 {
	case recordAsk:
		return rec, p, nil
	case recordUnguaranteed, recordUnguaranteedDep:
		if rec.kind = uint8(l / 2); rec.kind == recordUnguaranteedDep {
			if rec.deps, p, err = depgraph.ReadDeps(p, floor, r.room()); err != nil {
				return rec, nil, fmt.Errorf("%w: %w", ErrFormat, err)
			}
			r.took(rec.deps)
		}
		if rec.key, p, err = readVarint(p); err == nil {
			rec.data, p, err = readField(p, len(p))
		}
		return rec, p, err
	case recordFragment:
		return r.fragment(p, floor)
	}
	return rec, nil, errRecord
}

func (r *reader) fragment(p []byte, floor uint64) (rec record, rest []byte, err error) {
	rec.kind = recordFragment
	if rec.header, p, err = r.header(p, floor); err != nil {
		return rec, nil, err
	}
	if rec.size, p, err = readVarint(p); err != nil {
		return rec, nil, err
	}
	block, p, err := readVarint(p)
	if err != nil {
		return rec, nil, err
	}
	if rec.data, p, err = readField(p, len(p)); err != nil {
		return rec, nil, err
	}
	from, end := uint64(block)*blockSize, uint64(block)*blockSize+uint64(len(rec.data))
	if rec.size < leastCut || len(rec.data) == 0 || end > uint64(rec.size) ||
		end%blockSize != 0 && end != uint64(rec.size) {
		return rec, nil, errFragment
	}
	rec.from = uint32(from) //nolint:gosec // below the size
	return rec, p, nil
}

// header reads the header of a guaranteed message.
func (r *reader) header(p []byte, floor uint64) (h depgraph.Header, rest []byte, err error) {
	if h, rest, err = depgraph.ReadHeader(p, floor, r.room()); err != nil {
		return h, nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	r.took(h.Deps)
	return h, rest, nil
}

// room returns an empty list with room for the dependencies of one message.
func (r *reader) room() []uint64 {
	if cap(r.deps)-len(r.deps) < depgraph.MaxDependencies {
		// Lists that were read before keep the memory in which they are.
		r.deps = make([]uint64, 0, max(2*depgraph.MaxDependencies, 2*cap(r.deps)))
	}
	return r.deps[len(r.deps):]
}

// took keeps the list that was read into room.
func (r *reader) took(deps []uint64) { r.deps = r.deps[:len(r.deps)+len(deps)] }

// appendWhole appends a whole guaranteed message.
func appendWhole(b, head, body []byte) []byte {
	b = appendVarint(b, uint32(2*(len(head)+len(body)))) //nolint:gosec // it fits into a packet
	b = append(b, head...)
	return append(b, body...)
}

// wholeSize returns how many bytes appendWhole takes.
func wholeSize(head, body []byte) int {
	n := len(head) + len(body)
	return varintLen(uint32(2*n)) + n //nolint:gosec // a message has at most 16 MiB
}

// appendFragment appends the bytes of body in [from, to). from is the beginning of a block.
func appendFragment(b, head, body []byte, from, to uint32) []byte {
	b = append(b, 2*recordFragment+1)
	b = append(b, head...)
	b = appendVarint(b, uint32(len(body))) //nolint:gosec // a message has at most 16 MiB
	b = appendVarint(b, from/blockSize)
	b = appendVarint(b, to-from)
	return append(b, body[from:to]...)
}

// fragmentEnd returns the end of a fragment that begins at from and may take room bytes. The end is
// at most to. It is from if a fragment would be too small to be worth while.
func fragmentEnd(head, body []byte, from, to uint32, room int) uint32 {
	const worthWhile = 256
	//nolint:gosec // at most 16 MiB
	room -= 1 + len(head) + varintLen(uint32(len(body))) + varintLen(from/blockSize) + 3
	if room >= int(to-from) {
		return to
	}
	if room < worthWhile {
		return from
	}
	return from + uint32(room)/blockSize*blockSize //nolint:gosec // less than the room in a packet
}

// appendUnguaranteed appends an unguaranteed message.
func appendUnguaranteed(b []byte, key uint32, deps []uint64, msg []byte) []byte {
	if len(deps) == 0 {
		b = append(b, 2*recordUnguaranteed+1)
	} else {
		b = append(b, 2*recordUnguaranteedDep+1)
		b = depgraph.AppendDeps(b, deps)
	}
	b = appendVarint(b, key)
	b = appendVarint(b, uint32(len(msg))) //nolint:gosec // it fits into a packet
	return append(b, msg...)
}

// unguaranteedSize returns how many bytes appendUnguaranteed takes.
func unguaranteedSize(key uint32, deps []uint64, msg []byte) int {
	//nolint:gosec // it fits into a packet
	return 1 + 2*len(deps) + varintLen(key) + varintLen(uint32(len(msg))) + len(msg)
}
