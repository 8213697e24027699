package wire

import "google.golang.org/protobuf/encoding/protowire"

// Numbers of fields of an entry (log.proto): a seat, and a fact about randomness.
const (
	entryWho  protowire.Number = 14
	entryFact protowire.Number = 21
)

// ForExport reports whether a stored entry has something for an export of rounds: a seat or a fact
// about randomness. It only looks which fields there are, at a small part of the cost of
// DecodeEntry. It returns true for bytes that are not an entry, so that DecodeEntry can refuse
// them.
func ForExport(b []byte) bool {
	for len(b) > 0 {
		field, _, n := protowire.ConsumeField(b)
		if n < 0 || field == entryWho || field == entryFact {
			return true
		}
		b = b[n:]
	}
	return false
}
