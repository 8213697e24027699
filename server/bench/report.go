package bench

import "fmt"

// Quantiles are quantiles of times in milliseconds. All except the maximum are rounded up, by at
// most 1/64.
type Quantiles struct {
	Count uint64  `json:"count"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// Report is the result of a run. Sizes are in bytes. Times are in milliseconds if their name does
// not say otherwise.
type Report struct {
	Config  Config  `json:"config"`
	Seats   int     `json:"seats"`
	Pieces  int     `json:"pieces"` // on the table
	Seconds float64 `json:"seconds"`
	Moves   Moves   `json:"moves"`
	// Latency is the time from the call that makes a move, before its request, until the program of
	// another player has received the frame with the move. For a point of motion it is the same.
	// Moves and points that were delayed because one of the two players was disconnected do not
	// count.
	Latency   Quantiles  `json:"latencyMs"`
	Motion    *Motion    `json:"motion,omitempty"`    // if it was measured
	Reconnect *Reconnect `json:"reconnect,omitempty"` // if it was measured
	Writes    *Writes    `json:"writes,omitempty"`    // if anybody wrote
	Down      Down       `json:"down"`
	Join      Join       `json:"join"`
	Updates   Updates    `json:"updates"`
	Server    *Usage     `json:"server,omitempty"` // nil if the process cannot be seen
	Bench     Usage      `json:"bench"`

	Reconnects uint64         `json:"reconnects"`
	Retries    uint64         `json:"retries"`
	Errors     map[string]int `json:"errors,omitempty"` // error texts and their counts
	// Compared is how many views were compared with each other. ReadBack is how many of these were
	// also compared with GET.
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
	// Rejected, discarded by a conflict, dropped, or refused with their batch.
	Refused  uint64 `json:"refused"`
	Received uint64 `json:"received"` // deliveries to others
	Folded   uint64 `json:"folded"`   // deliveries replaced by a later move of the same drag (S10)
	Covered  uint64 `json:"covered"`  // deliveries replaced by a later full state
	Lost     uint64 `json:"lost"`     // sent and without an outcome, or recorded and not delivered
	Doubled  uint64 `json:"doubled"`  // delivered more than once, or without being recorded
}

// Down counts what came down the streams while the players played.
type Down struct {
	Bytes  uint64 `json:"bytes"` // WebSocket messages with their headers
	Frames uint64 `json:"frames"`
	// PerMove is the size of a move at a receiver, from frames that held only moves.
	PerMove float64 `json:"bytesPerMove"`
	// PerMoveAll is all bytes, also those of acks, grabs and releases, divided by the moves
	// received.
	PerMoveAll    float64 `json:"bytesPerMoveAll"`
	MovesPerFrame float64 `json:"movesPerFrame"`
}

// Join is the cost of joining. The players joined one after the other, at the full table.
type Join struct {
	TimeMs    Quantiles `json:"timeMs"` // from before dialling until the full state
	LastMs    float64   `json:"lastMs"`
	FullBytes int       `json:"fullBytes"` // of the last player's first frame
	// FullBytes divided by the pieces, although it also contains the seats
	PerPiece float64 `json:"bytesPerPiece"`
	Bytes    uint64  `json:"bytes"` // on all streams together until the last player was in
	Seconds  float64 `json:"seconds"`
}

// Updates counts the outcomes of all operations.
type Updates struct {
	Acks      uint64 `json:"acks"`
	Rejects   uint64 `json:"rejects"`
	Conflicts uint64 `json:"conflicts"`
	Dropped   uint64 `json:"dropped"`
	Refused   uint64 `json:"refused"`
	Held      uint64 `json:"held"`      // not made, because too many were pending or no piece was free
	Unsettled int    `json:"unsettled"` // without an outcome at the end
}

// Usage is what a process used while the players played.
type Usage struct {
	CPUSeconds float64 `json:"cpuSeconds"`
	CPUPercent float64 `json:"cpuPercent"` // of one processor
	// PerDelivery is processor time for each move or point received, in microseconds.
	PerDelivery float64 `json:"cpuPerDeliveryUs"`
	RSS         uint64  `json:"rss"`
	PeakRSS     uint64  `json:"peakRss"` // since the process began
}

// Faults returns one sentence for each fault that no run may have, or none.
func (r *Report) Faults() []string {
	var f []string
	if r.Divergences > 0 {
		f = append(
			f, fmt.Sprintf("%d pieces differ between views that should be the same", r.Divergences),
		)
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
