package behaviour

import (
	"encoding/binary"
	"errors"

	"holt/server/id"
)

// errForm says that bytes are malformed.
var errForm = errors.New("read what a class keeps: it is not in its form")

// reader reads what the functions below have appended. After an error it reads zeros.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n < 0 || n > len(r.b) {
		r.bad = true
		return make([]byte, min(max(n, 0), 64))
	}
	var head []byte
	head, r.b = r.b[:n], r.b[n:]
	return head
}

// number reads a number up to most.
func (r *reader) number(most uint64) uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > most || n > 1 && r.b[n-1] == 0 { // each number has one form
		r.bad = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads how many values follow. Each has at least one byte.
func (r *reader) count(most int) int {
	n := int(r.number(uint64(most))) //nolint:gosec // up to most
	if n > len(r.b) {
		r.bad = true
		return 0
	}
	return n
}

func (r *reader) signed() int32 {
	v := r.number(1<<32 - 1)
	return int32(uint32(v)>>1) ^ -int32(v&1) //nolint:gosec // 32 bits
}

func (r *reader) flag() bool { return r.number(1) == 1 }

func (r *reader) text(most int) string { return string(r.take(r.count(most))) }

func (r *reader) oid() id.OID { return id.OID(r.take(len(id.OID{}))) }

// end returns an error if something was invalid, or is left.
func (r *reader) end() error {
	if r.bad || len(r.b) > 0 {
		return errForm
	}
	return nil
}

func appendNumber(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

func appendSigned(b []byte, v int32) []byte {
	return binary.AppendUvarint(b, uint64(uint32(v)<<1^uint32(v>>31))) //nolint:gosec // see signed
}

func appendFlag(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
