package wire

import "google.golang.org/protobuf/encoding/protowire"

// Numbers of fields of an entry (log.proto): those of a seat and of a fact about randomness.
const (
	entryWho  protowire.Number = 14
	entryFact protowire.Number = 21
)

// ForExport reports whether a stored entry says something that an export of rounds has: it is about a seat or about randomness.
// It looks at what fields there are and at nothing in them, which costs a small part of DecodeEntry; of what is no entry it says
// yes, for DecodeEntry to refuse.
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
