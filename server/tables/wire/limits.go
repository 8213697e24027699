// Package wire holds the messages of the client protocol holt.v1 and their encodings: batches of updates
// (JSON, http.md), frames (protobuf, stream.md), and the entries and snapshots of the log. It decides nothing.
package wire

// Bounds of a batch (http.md).
const (
	MaxBatch      = 256
	MaxBatchBytes = 256 << 10
)
