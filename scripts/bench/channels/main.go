// Command channels compares the dependency graph with ordered channels and with a protocol like
// ENet's, over simulated lines and in virtual time: its figures are the same on each machine,
// however busy it is. It writes tables for docs/performance.md, which says how to read them.
//
//	go run ./scripts/bench/channels
//
// Another line is named, too: -line 'mine: delay=30ms,loss=3% / delay=90ms'. The properties are
// those of simline.Config; what stands after the slash is the way back.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"

	"holt/scripts/bench/program"
)

func main() { program.Main("channels", run) }

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	g, err := parse(args, progress)
	if err != nil {
		return err
	}
	cells, err := g.run(ctx)
	if err != nil {
		return err
	}
	return g.report(out, cells)
}

// parse parses the command line.
func parse(args []string, progress io.Writer) (*grid, error) {
	f := flag.NewFlagSet("channels", flag.ContinueOnError)
	f.SetOutput(progress)
	g := &grid{progress: progress}
	rates := f.String("rates", "30,200,1000", "messages a second")
	chosen := f.String("ways", "all", "which ways, the first being that with which the others are "+
		"compared: "+program.Names(ways, (*way).flag))
	f.Func("line", "a line instead of the usual ones; may be given more than once",
		func(text string) error {
			p, err := parseProfile(text)
			g.lines = append(g.lines, p)
			return err
		})
	f.IntVar(&g.seeds, "seeds", 20, "how often each way is tried on each line")
	f.Uint64Var(&g.first, "seed", 1, "the first seed")
	f.IntVar(&g.parallel, "parallel", runtime.GOMAXPROCS(0), "how many at a time")
	f.IntVar(&g.table.pieces, "pieces", 50, "how many pieces the messages are about")
	f.IntVar(&g.table.size, "size", 33, "bytes of a message")
	f.Float64Var(&g.table.fence, "fences", 0, "the share of messages that wait for all before")
	f.DurationVar(&g.table.length, "length", time.Minute, "how long messages are made")
	f.DurationVar(&g.table.warm, "warm", 5*time.Second, "how long before any are measured")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	t := &g.table
	if f.NArg() > 0 || g.seeds < 2 || g.parallel < 1 || t.pieces < 1 || t.pieces > 250 ||
		t.size < 4 || t.size > 1000 || !(t.fence >= 0 && t.fence < 1) || t.length <= 0 ||
		t.length+t.warm > 20*time.Minute || t.warm < 0 {
		return nil, fmt.Errorf("%w: see -help", program.ErrUsage)
	}
	for one := range strings.SplitSeq(*rates, ",") {
		r, err := strconv.ParseFloat(one, 64)
		if err != nil || !(r > 0 && r <= 100_000) {
			return nil, fmt.Errorf("%w: %q messages a second", program.ErrUsage, one)
		}
		g.rates = append(g.rates, r)
	}
	if len(g.lines) == 0 {
		for _, text := range profiles {
			p, err := parseProfile(text)
			if err != nil {
				return nil, err
			}
			g.lines = append(g.lines, p)
		}
	}
	var err error
	g.ways, err = program.Ways(*chosen, ways, ways, (*way).flag)
	return g, err
}
