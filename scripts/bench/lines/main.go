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
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"holt/scripts/bench/lines/trace"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "lines:", err)
		os.Exit(1)
	}
}

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
	chosen := f.String("ways", "all", "which ways: "+wayNames())
	g := &grid{settle: 2 * time.Second, progress: progress}
	f.IntVar(&g.bouts, "bouts", 1, "how often each way is tried on each line")
	f.IntVar(&g.parallel, "parallel", 4, "how many at a time")
	f.Uint64Var(&g.seed, "seed", 1, "of what is lost")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 || g.bouts < 1 || g.parallel < 1 || *seconds <= 0 || *rate < 0 || *queue < 0 {
		return nil, fmt.Errorf("%w: see -help", errUsage)
	}
	if *queue == 0 {
		*queue = *rate / 5
	}
	var err error
	if g.trace, err = trace.Open(*recording); err != nil {
		return nil, err
	}
	if g.trace = g.trace.Until(time.Duration(*seconds * float64(time.Second))); len(g.trace) == 0 {
		return nil, fmt.Errorf("%w: there are no messages in so short a time", errUsage)
	}
	if g.ways, err = waysOf(*chosen); err != nil {
		return nil, err
	}
	g.lines, err = linesOf(*losses, *delays, line{Burst: *burst, Rate: *rate, Queue: *queue})
	return g, err
}

var errUsage = errors.New("not a way to call this program")

// linesOf returns lines with each loss and delay.
func linesOf(losses, delays string, like line) (all []line, err error) {
	percent, err := numbers(losses, 100)
	if err != nil {
		return nil, err
	}
	millis, err := numbers(delays, 10_000)
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

// numbers parses a list of numbers from 0 to most.
func numbers(list string, most float64) (all []float64, err error) {
	for one := range strings.SplitSeq(list, ",") {
		n, err := strconv.ParseFloat(one, 64)
		if err != nil || !(n >= 0 && n <= most) {
			return nil, fmt.Errorf("%w: %q is no number from 0 to %g", errUsage, one, most)
		}
		all = append(all, n)
	}
	return all, nil
}

func waysOf(list string) (all []way, err error) {
	if list == "all" {
		return usual(), nil
	}
	for one := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(ways, func(w way) bool { return w.id == one })
		if i < 0 {
			return nil, fmt.Errorf("%w: no way is called %q, but %s", errUsage, one, wayNames())
		}
		all = append(all, ways[i])
	}
	return all, nil
}

func wayNames() string {
	names := []string{"all"}
	for _, w := range ways {
		names = append(names, w.id)
	}
	return strings.Join(names, ", ")
}
