// Command lines compares how long messages of a table take on lines that lose packets, by each of a
// number of ways to carry them. It plays a recording in real time over a line that it emulates
// between two network namespaces, over the system's own TCP and UDP. It writes tables for
// docs/performance.md, which says how to read them. It is for development, and needs Linux and
// root.
//
//	go run ./scripts/bench/lines
//
// It takes as long as the recording for each line and way, and leaves nothing behind.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"holt/scripts/bench/lines/trace"
	"holt/scripts/bench/program"
)

func main() { program.Main("lines", run) }

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	g, err := parse(args, progress)
	if err != nil {
		return err
	}
	results, err := g.run(ctx)
	if err != nil {
		return err
	}
	return report(out, results)
}

// parse parses the command line.
func parse(args []string, progress io.Writer) (*grid, error) {
	f := flag.NewFlagSet("lines", flag.ContinueOnError)
	f.SetOutput(progress)
	recording := f.String("trace", trace.Table,
		"which recording to play: "+trace.Table+" or "+trace.Drags)
	seconds := f.Float64("seconds", 20, "how much of it")
	losses := f.String("loss", "0,1,2,5,10", "shares of packets that are lost, in percent")
	delays := f.String("delay", "10,50,100", "one-way delays, in milliseconds")
	burst := f.Duration("burst", 0, "lose packets in bursts of this length")
	rate := f.Int("rate", 0, "bytes a second that a line takes; 0: any number")
	queue := f.Int("queue", 0, "bytes that wait before such a line; 0: those of 200 ms")
	down := f.String("down", "", "further properties of the direction from the server, or others, "+
		"such as jitter=20ms,disorder,late=2%,lateness=30ms,duplicate=1%: those of simline.Config")
	up := f.String("up", "",
		"the same of the direction from the client, such as delay=80ms,rate=16000")
	chosen := f.String("ways", "all", "which ways: "+program.Names(ways, (*way).flag))
	g := &grid{settle: 2 * time.Second, progress: progress}
	f.IntVar(&g.bouts, "bouts", 1, "how often each way is tried on each line")
	f.IntVar(&g.parallel, "parallel", 4, "how many at a time")
	f.Uint64Var(&g.seed, "seed", 1, "of what is lost")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 || g.bouts < 1 || g.parallel < 1 || *seconds <= 0 || *rate < 0 || *queue < 0 {
		return nil, fmt.Errorf("%w: see -help", program.ErrUsage)
	}
	if *queue == 0 {
		*queue = *rate / 5
	}
	var err error
	if g.trace, err = trace.Open(*recording); err != nil {
		return nil, err
	}
	if g.trace = g.trace.Until(time.Duration(*seconds * float64(time.Second))); len(g.trace) == 0 {
		return nil, fmt.Errorf("%w: there are no messages in so short a time", program.ErrUsage)
	}
	if g.ways, err = program.Ways(*chosen, usual(), ways, (*way).flag); err != nil {
		return nil, err
	}
	g.lines, err = linesOf(*losses, *delays,
		line{Burst: *burst, Rate: *rate, Queue: *queue, Down: *down, Up: *up})
	for _, l := range g.lines {
		if _, _, err := l.configs(); err != nil {
			return nil, fmt.Errorf("%w: %w", program.ErrUsage, err)
		}
	}
	return g, err
}

// linesOf returns lines with each loss and delay.
func linesOf(losses, delays string, like line) (all []line, err error) {
	percent, err := program.Numbers(losses, 100)
	if err != nil {
		return nil, err
	}
	millis, err := program.Numbers(delays, 10_000)
	if err != nil {
		return nil, err
	}
	for _, d := range millis {
		for _, p := range percent {
			like.Loss, like.Delay = p/100, time.Duration(d*float64(time.Millisecond))
			all = append(all, like)
		}
	}
	return all, nil
}
