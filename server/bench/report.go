package bench

import "fmt"

// Quantiles are of times in milliseconds. Those below the maximum are rounded up by a 64th at most.
type Quantiles struct {
	Count uint64  `json:"count"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// Report is what a run has found. Sizes are in bytes, times in milliseconds unless they say otherwise.
type Report struct {
	Config  Config  `json:"config"`
	Seats   int     `json:"seats"`
	Pieces  int     `json:"pieces"` // on the table
	Seconds float64 `json:"seconds"`
	Moves   Moves   `json:"moves"`
	// Latency is from the moment in which a player makes a move, before the request that takes it up, to the moment
	// in which another player's program has the frame that tells it; or of a point of motion the same. What had to wait
	// because one of the two was cut off does not count.
	Latency   Quantiles  `json:"latencyMs"`
	Motion    *Motion    `json:"motion,omitempty"`    // present if it was measured
	Reconnect *Reconnect `json:"reconnect,omitempty"` // present if it was measured
	Writes    *Writes    `json:"writes,omitempty"`    // present if anybody wrote
	Down      Down       `json:"down"`
	Join      Join       `json:"join"`
	Updates   Updates    `json:"updates"`
	Server    *Usage     `json:"server,omitempty"` // absent if it cannot be seen
	Bench     Usage      `json:"bench"`

	Reconnects uint64         `json:"reconnects"`
	Retries    uint64         `json:"retries"`
	Errors     map[string]int `json:"errors,omitempty"` // texts of errors, and how often
	// Compared says how many views were compared with each other, and how many of them with GET as well.
	Compared    int      `json:"viewsCompared"`
	ReadBack    int      `json:"viewsReadBack"`
	Divergences int      `json:"divergences"` // pieces that differ between two views
	Described   []string `json:"described,omitempty"`
}

// Moves counts moves: only the operation move, not grab and release.
type Moves struct {
	Planned  uint64 `json:"planned"` // rate × seconds × players
	Sent     uint64 `json:"sent"`
	Recorded uint64 `json:"recorded"` // acknowledged as durable
	Refused  uint64 `json:"refused"`  // rejected, discarded by a conflict, or refused with their batch
	Received uint64 `json:"received"` // deliveries to others
	Folded   uint64 `json:"folded"`   // deliveries by a later move of the same drag (S10)
	Covered  uint64 `json:"covered"`  // deliveries that a later full state took the place of
	Lost     uint64 `json:"lost"`     // sent and without an outcome, or recorded and not delivered
	Doubled  uint64 `json:"doubled"`  // delivered more than once, or without being recorded
}

// Down is what came down the streams while they played.
type Down struct {
	Bytes  uint64 `json:"bytes"` // WebSocket messages with their headers
	Frames uint64 `json:"frames"`
	// PerMove is the size of a move at a receiver, from frames that held nothing but moves.
	PerMove float64 `json:"bytesPerMove"`
	// PerMoveAll is all that came down, acks, grabs and releases too, by the moves received.
	PerMoveAll    float64 `json:"bytesPerMoveAll"`
	MovesPerFrame float64 `json:"movesPerFrame"`
}

// Join is what the players' coming has cost; they came one after the other, to the full table.
type Join struct {
	TimeMs    Quantiles `json:"timeMs"` // from before the dialling to the full state
	LastMs    float64   `json:"lastMs"`
	FullBytes int       `json:"fullBytes"`     // of the last player's first frame
	PerPiece  float64   `json:"bytesPerPiece"` // the same by the pieces, though it holds the seats, too
	Bytes     uint64    `json:"bytes"`         // down all streams together until the last was in
	Seconds   float64   `json:"seconds"`
}

// Updates counts outcomes of all operations.
type Updates struct {
	Acks      uint64 `json:"acks"`
	Rejects   uint64 `json:"rejects"`
	Conflicts uint64 `json:"conflicts"`
	Dropped   uint64 `json:"dropped"`
	Refused   uint64 `json:"refused"`
	Held      uint64 `json:"held"`      // not made, because too many were outstanding or no piece was free
	Unsettled int    `json:"unsettled"` // without an outcome in the end
}

// Usage is what a process has used while they played.
type Usage struct {
	CPUSeconds float64 `json:"cpuSeconds"`
	CPUPercent float64 `json:"cpuPercent"` // of one processor
	// PerDelivery is processor time by moves, or points, received, in microseconds.
	PerDelivery float64 `json:"cpuPerDeliveryUs"`
	RSS         uint64  `json:"rss"`
	PeakRSS     uint64  `json:"peakRss"` // since the process began
}

// Faults returns what no run may find, one sentence each; none if all is well.
func (r *Report) Faults() []string {
	var f []string
	if r.Divergences > 0 {
		f = append(f, fmt.Sprintf("%d pieces differ between views that should be the same", r.Divergences))
	}
	if r.Moves.Lost > 0 {
		f = append(f, fmt.Sprintf("%d moves were lost", r.Moves.Lost))
	}
	if r.Moves.Doubled > 0 {
		f = append(f, fmt.Sprintf("%d moves were delivered twice", r.Moves.Doubled))
	}
	if r.Writes != nil && r.Writes.Lost > 0 {
		f = append(f, fmt.Sprintf("%d of what was written never had an outcome", r.Writes.Lost))
	}
	if r.Updates.Unsettled > 0 {
		f = append(f, fmt.Sprintf("%d updates never had an outcome", r.Updates.Unsettled))
	}
	return f
}
