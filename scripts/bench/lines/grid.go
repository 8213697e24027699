package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"holt/scripts/bench/lines/emulator"
	"holt/scripts/bench/lines/trace"
)

// grid is a number of lines. On each of them each of a number of ways carries the same recording.
type grid struct {
	trace    trace.Trace
	lines    []line
	ways     []way
	bouts    int    // of each way on each line, each with another seed
	seed     uint64 // of the first
	parallel int    // bouts at a time
	// settle is how long a connection rests before the first message, so that the work of its start
	// is over. QUIC, for example, probes how large packets may be.
	settle   time.Duration
	progress io.Writer
}

// job is one bout. Bouts of different ways on one line run next to each other in time, so other
// work of the machine affects them alike.
type job struct {
	line, way, bout int
}

// run plays all bouts, and returns results by line and way. The first error ends it.
func (g *grid) run(ctx context.Context) ([][]result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all := make([][]result, len(g.lines))
	for i := range all {
		all[i] = make([]result, len(g.ways))
	}
	jobs := make(chan job) // unbuffered: workers take them
	var mu sync.Mutex
	var working sync.WaitGroup
	for range g.parallel {
		working.Go(func() {
			for j := range jobs {
				r, err := g.bout(ctx, j)
				if err != nil {
					cancel(fmt.Errorf("%s, %v, seed %d: %w", g.ways[j.way].name, g.lines[j.line],
						g.seedOf(j), err))
					continue
				}
				mu.Lock()
				all[j.line][j.way].add(&r)
				_, _ = fmt.Fprintf(g.progress, "%s: %s\n", g.lines[j.line], r.summary())
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
	for b := range g.bouts {
		for l := range g.lines {
			for w := range g.ways {
				select {
				case jobs <- job{l, w, b}:
				case <-ctx.Done():
					return
				}
			}
		}
	}
}

// seedOf returns the seed of a bout's line, which is the same for all ways.
//
//nolint:gosec // not negative
func (g *grid) seedOf(j job) uint64 { return g.seed + uint64(j.bout) }

// bout plays one bout, on a link of its own.
func (g *grid) bout(ctx context.Context, j job) (r result, err error) {
	w := g.ways[j.way]
	b := newBout(g.trace)
	down, up, err := g.lines[j.line].configs()
	if err != nil {
		return r, err
	}
	c := emulator.Config{Down: down, Up: up, Seed: g.seedOf(j)}
	var watching *watcher
	if w.watch != nil {
		watching = w.watch(b)
		c.Delivered = watching.delivered
	}
	l, err := emulator.New(c)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	opening, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	carries, err := w.open(opening, l, b, watching)
	if err != nil {
		return r, err
	}
	defer carries.close()
	select {
	case <-time.After(g.settle):
	case <-ctx.Done():
		return r, ctx.Err()
	}
	before := l.Counts()
	if err := b.play(ctx, carries); err != nil {
		return r, err
	}
	r = b.result(before, l.Counts())
	r.Way, r.Line = w.name, g.lines[j.line]
	return r, nil
}
