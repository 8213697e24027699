package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"holt/scripts/bench/program"
)

// grid is a number of rates and lines. On each line each way carries the same messages.
type grid struct {
	table    table // but for the rate
	rates    []float64
	lines    []*profile
	ways     []way
	seeds    int
	first    uint64
	parallel int
	progress io.Writer
}

// cell is what was measured of one way on one line at one rate: a value for each seed, times in
// milliseconds.
type cell struct {
	p50, p99, most, overhead []float64
	violations, messages     int
	gaveUp                   int // seeds with which the way ended the connection: they have no values
}

// job is all seeds of one cell.
type job struct{ rate, line, way int }

// run plays all bouts. The first error ends it.
func (g *grid) run(ctx context.Context) (map[job]*cell, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all := map[job]*cell{}
	jobs := make(chan job) // unbuffered: workers take them
	var mu sync.Mutex
	var working sync.WaitGroup
	for range g.parallel {
		working.Go(func() {
			for j := range jobs {
				c, err := g.cell(ctx, j)
				if err != nil {
					cancel(err)
					continue
				}
				mu.Lock()
				all[j] = c
				_, _ = fmt.Fprintf(g.progress, "%g/s, %s, %s: %s\n", g.rates[j.rate],
					g.lines[j.line].name, g.ways[j.way].name, c)
				mu.Unlock()
			}
		})
	}
	g.deal(ctx, jobs)
	working.Wait()
	return all, context.Cause(ctx)
}

// deal hands out the jobs until there are none, or ctx is done.
func (g *grid) deal(ctx context.Context, jobs chan<- job) {
	defer close(jobs)
	for r := range g.rates {
		for l := range g.lines {
			for w := range g.ways {
				select {
				case jobs <- job{r, l, w}:
				case <-ctx.Done():
					return
				}
			}
		}
	}
}

// cell plays all seeds of one cell.
func (g *grid) cell(ctx context.Context, j job) (*cell, error) {
	t, c := g.table, &cell{}
	t.rate = g.rates[j.rate]
	w, l := &g.ways[j.way], g.lines[j.line]
	for i := range g.seeds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		seed := g.first + uint64(i)
		o, err := play(w, l, t, seed)
		if errors.Is(err, errGivenUp) {
			c.gaveUp++
			o, err = &outcome{overhead: math.NaN()}, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %s, %g/s, seed %d: %w", w.name, l.name, t.rate, seed, err)
		}
		c.p50 = append(c.p50, millis(o.latency, 0.5))
		c.p99 = append(c.p99, millis(o.latency, 0.99))
		c.most = append(c.most, millis(o.latency, 1))
		c.overhead = append(c.overhead, o.overhead)
		c.violations += o.violations
		c.messages += len(o.latency)
	}
	return c, nil
}

// millis returns a quantile of ascending times in milliseconds, or NaN if there are none.
func millis(times []time.Duration, q float64) float64 {
	if len(times) == 0 {
		return math.NaN()
	}
	return float64(program.Quantile(times, q)) / float64(time.Millisecond)
}

// String returns one line about a cell.
func (c *cell) String() string {
	return fmt.Sprintf("%s / %s / %s ms, %s bytes, %d of %d too early, gave up %d times",
		estimated(c.p50), estimated(c.p99), estimated(c.most), estimated(c.overhead), c.violations,
		c.messages, c.gaveUp)
}

// report writes tables, in Markdown.
func (g *grid) report(w io.Writer, cells map[job]*cell) error {
	var b strings.Builder
	for r, rate := range g.rates {
		g.section(&b, rate, func(l, w int) *cell { return cells[job{r, l, w}] })
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// section writes the tables of one rate.
func (g *grid) section(b *strings.Builder, rate float64, at func(l, w int) *cell) {
	fmt.Fprintf(b, "**%g messages a second**\n\n", rate)
	table := func(title string, ways int, cell func(l, w int) string) {
		fmt.Fprintf(b, "%s\n\n| line |", title)
		for _, w := range g.ways[ways:] {
			fmt.Fprintf(b, " %s |", w.name)
		}
		b.WriteString("\n|" + strings.Repeat("---|", 1+len(g.ways)-ways) + "\n")
		for l, line := range g.lines {
			fmt.Fprintf(b, "| %s |", line.name)
			for w := range g.ways[ways:] {
				fmt.Fprintf(b, " %s |", cell(l, w+ways))
			}
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	table("p50 / p99 / longest, in milliseconds.", 0, func(l, w int) string {
		c := at(l, w)
		if c.gaveUp == g.seeds {
			return "gives up"
		}
		times := fmt.Sprintf("%s / %s / %s", digits(estimated(c.p50).mean), estimated(c.p99),
			estimated(c.most))
		if c.gaveUp > 0 {
			times += fmt.Sprintf("; gives up in %d of %d", c.gaveUp, g.seeds)
		}
		return times
	})
	table("p99 and longest, divided by those of "+g.ways[0].name+".", 1, func(l, w int) string {
		c, base := at(l, w), at(l, 0)
		return ratioOf(c.p99, base.p99).between() + "; " + ratioOf(c.most, base.most).between()
	})
	table("Bytes for each message beside the message, in both directions.", 0,
		func(l, w int) string { return estimated(at(l, w).overhead).String() })
	if g.table.fence == 0 {
		return
	}
	table("Messages that were executed too early, of all.", 0, func(l, w int) string {
		c := at(l, w)
		return fmt.Sprintf("%d of %d", c.violations, c.messages)
	})
}
