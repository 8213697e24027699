package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// rows writes one row of a text table.
type rows func(name, format string, args ...any)

// WriteTable writes the report as text for people.
func (r *Report) WriteTable(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	row := rows(func(name, format string, args ...any) {
		fmt.Fprintf(w, name+"\t"+format+"\n", args...)
	})
	r.whatWasPlayed(row)
	r.whatItCost(row)
	row("network", "%d reconnects, %d requests again", r.Reconnects, r.Retries)
	for _, text := range slices.Sorted(maps.Keys(r.Errors)) {
		row("  error", "%d times: %s", r.Errors[text], text)
	}
	row(
		"views", "%d compared, %d also with GET: %d divergences", r.Compared, r.ReadBack,
		r.Divergences,
	)
	for _, text := range r.Described {
		row("  divergence", "%s", text)
	}
	return w.Flush()
}

func (r *Report) whatWasPlayed(row rows) {
	c, m := &r.Config, &r.Moves
	pace := fmt.Sprintf("%g moves/s each", c.Rate)
	if c.Motion {
		pace = "drags by motion"
	}
	row(
		"run", "%s, %d players, %d pieces, %s, %.1f s, conflict %g, seed %d, by %v", c.Game,
		c.Players, r.Pieces, pace, r.Seconds, c.Conflict, c.Seed, c.Transport,
	)
	if p := r.Motion; p != nil {
		row("points", "%d planned, %d sent, %d received", p.Planned, p.Sent, p.Received)
	} else {
		row(
			"moves", "%d planned, %d sent, %d recorded, %d refused", m.Planned, m.Sent, m.Recorded,
			m.Refused,
		)
		row(
			"deliveries",
			"%d received, %d folded into a later one, %d covered by a full state, %d lost, %d doubled",
			m.Received, m.Folded, m.Covered, m.Lost, m.Doubled,
		)
	}
	if p := r.Writes; p != nil {
		row(
			"written",
			"%d sent, %d taken, %d overtaken, %d refused, %d held back, %d lost; %d received, %s",
			p.Sent, p.Taken, p.Overtaken, p.Refused, p.Held, p.Lost, p.Received, p.Latency,
		)
	}
	u := &r.Updates
	row(
		"updates",
		"%d acks, %d rejects, %d conflicts, %d dropped, %d refused, %d held back, %d without outcome",
		u.Acks, u.Rejects, u.Conflicts, u.Dropped, u.Refused, u.Held, u.Unsettled,
	)
}

func (r *Report) whatItCost(row rows) {
	row("latency to a receiver", "%s", r.Latency)
	d, j := &r.Down, &r.Join
	if m := r.Motion; m != nil {
		row(
			"down the streams", "%.1f bytes a point, %.0f for each second of a drag; %d bytes",
			m.PerPoint, m.PerDragSecond, d.Bytes,
		)
	} else {
		row(
			"down the streams",
			"%.1f bytes a move, %.1f with all else; %.2f moves a frame; %d bytes", d.PerMove,
			d.PerMoveAll, d.MovesPerFrame, d.Bytes,
		)
	}
	if c := r.Reconnect; c != nil {
		row("resumed", "%s", c.Resumed)
		row("full state again", "%s", c.Full)
	}
	row(
		"join", "%s; last %.2f ms, %d bytes of state, %.1f a piece", j.TimeMs, j.LastMs,
		j.FullBytes, j.PerPiece,
	)
	row("all joins", "%d bytes down all streams, %.2f s", j.Bytes, j.Seconds)
	if r.Server != nil {
		row("server", "%s", r.Server)
	}
	if m := r.Motion; m != nil && r.Server != nil {
		row("  for each client", "%.2f %% of one CPU", m.PerClient)
	}
	row("this program", "%s", r.Bench)
}

func (c Comeback) String() string {
	return fmt.Sprintf("%d times; %s; %.0f bytes", c.TimeMs.Count, c.TimeMs, c.Bytes)
}

func (q Quantiles) String() string {
	return fmt.Sprintf("p50 %.2f, p90 %.2f, p99 %.2f, max %.2f ms", q.P50, q.P90, q.P99, q.Max)
}

func (u Usage) String() string {
	const mb = 1 << 20
	return fmt.Sprintf(
		"%.2f s of CPU (%.0f %% of one), %.1f µs a delivery; %d MB resident, %d MB at most",
		u.CPUSeconds, u.CPUPercent, u.PerDelivery, u.RSS/mb, u.PeakRSS/mb,
	)
}
