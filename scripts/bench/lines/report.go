package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"holt/scripts/bench/program"
)

func (l line) String() string {
	s := fmt.Sprintf("%g %%, %d ms", l.Loss*100, l.Delay.Milliseconds())
	if l.Burst > 0 {
		s += fmt.Sprintf(", bursts of %d ms", l.Burst.Milliseconds())
	}
	if l.Rate > 0 {
		s += fmt.Sprintf(", %d bytes/s", l.Rate)
	}
	if l.Down != "" {
		s += ", down " + l.Down
	}
	if l.Up != "" {
		s += ", up " + l.Up
	}
	return s
}

// summary returns one line about a result.
func (r *result) summary() string {
	return fmt.Sprintf("%-24s %s ms, held %.1f %%, %d violations, %.0f bytes, "+
		"lost %.1f %%, emulator late by %s ms",
		r.Way, latency(r), 100*r.held(), r.Violations, r.bytes(),
		100*float64(r.Lost)/float64(max(r.Packets, 1)), quantiles(r.Late))
}

// latency returns how long messages took, as quantiles in milliseconds.
func latency(r *result) string { return quantiles(r.Latency) }

func quantiles(times []time.Duration) string {
	return milliseconds(program.Quantile(times, 0.5)) + " / " +
		milliseconds(program.Quantile(times, 0.9)) + " / " +
		milliseconds(program.Quantile(times, 0.99))
}

// milliseconds formats a time with at least two significant digits.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 10 {
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return strconv.FormatFloat(ms, 'f', 0, 64)
}

// report writes tables, in Markdown, of the results by line and way.
func report(w io.Writer, results [][]result) error {
	var b strings.Builder
	table(&b, "p50 / p90 / p99, in milliseconds, from sending to execution", results, latency)
	table(&b, "messages that took more than the way and 10 ms", results,
		func(r *result) string { return fmt.Sprintf("%.1f %%", 100*r.late()) })
	table(&b, "messages that were held back after they had arrived", results,
		func(r *result) string { return fmt.Sprintf("%.1f %%", 100*r.held()) })
	table(&b, "messages executed before one for which they have to wait", results,
		func(r *result) string { return strconv.Itoa(r.Violations) })
	table(&b, "bytes for each message, with headers, both directions", results,
		func(r *result) string { return fmt.Sprintf("%.0f", r.bytes()) })
	total := result{}
	for _, row := range results {
		for i := range row {
			total.add(&row[i])
		}
	}
	fmt.Fprintf(&b, "%d bouts, %d messages; the emulator was late by %s ms (p50 / p90 / p99).\n",
		total.Bouts, total.Messages, quantiles(total.Late))
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes one table: a row for each line, a column for each way.
func table(b *strings.Builder, title string, results [][]result, cell func(r *result) string) {
	if len(results) == 0 {
		return
	}
	fmt.Fprintf(b, "**%s%s**\n\n| loss, one way |", strings.ToUpper(title[:1]), title[1:])
	for i := range results[0] {
		fmt.Fprintf(b, " %s |", results[0][i].Way)
	}
	b.WriteString("\n|" + strings.Repeat("---|", len(results[0])+1) + "\n")
	for _, row := range results {
		fmt.Fprintf(b, "| %s |", row[0].Line)
		for i := range row {
			fmt.Fprintf(b, " %s |", cell(&row[i]))
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}
