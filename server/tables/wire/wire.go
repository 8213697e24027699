// Package wire has the messages of the client protocol holt.v1 and their encodings: batches of
// updates (JSON, http.md), frames (protobuf, stream.md), and the entries and snapshots of the log.
// It makes no decisions.
package wire

// Bounds of a batch (http.md): updates, and bytes.
const (
	MaxBatch      = 256
	MaxBatchBytes = 256 << 10
)
