// Command headers counts how many dependencies the headers of a table's messages name (D6), on
// lines that lose packets. It replays recordings of streams in virtual time:
//
//	go test ./scripts/bench/headers -run '^TestRecord$' -timeout 1h -args -record /tmp
//	go run ./scripts/bench/headers /tmp/*.frames
//
// The first command plays an evening at tables of the real rooms, in virtual time, too.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"holt/scripts/bench/lines/trace"
	"holt/scripts/bench/program"
	"holt/server/transport/simline"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "headers:", err)
		os.Exit(1)
	}
}

// recording is a recording with its name.
type recording struct {
	name   string
	frames []frame
}

func run(args []string, out, progress io.Writer) error {
	f := flag.NewFlagSet("headers", flag.ContinueOnError)
	f.SetOutput(progress)
	roundTrips := f.String("rtt", "30,100,300", "round-trip times of the lines, in milliseconds")
	losses := f.String("loss", "0,1,5", "shares of packets that are lost each way, in percent")
	seeds := f.Int("seeds", 5, "how often each recording is replayed on each line")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() == 0 || *seeds < 1 {
		return fmt.Errorf("%w: see -help", program.ErrUsage)
	}
	var all []recording
	for _, path := range f.Args() {
		r, err := open(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, r)
	}
	rtts, err := program.Numbers(*roundTrips, 10_000)
	if err != nil {
		return err
	}
	percents, err := program.Numbers(*losses, 90)
	if err != nil {
		return err
	}
	return report(out, all, rtts, percents, *seeds)
}

func open(path string) (recording, error) {
	f, err := os.Open(path)
	if err != nil {
		return recording{}, err
	}
	defer func() { _ = f.Close() }()
	frames, err := readRecording(f)
	if err == nil && len(frames) == 0 {
		err = fmt.Errorf("%w: it is empty", errRecording)
	}
	return recording{strings.TrimSuffix(filepath.Base(path), ".frames"), frames}, err
}

// bins are ranges of numbers of dependencies: from each to below the next.
var bins = []int{0, 1, 2, 3, 5, 9, 17, 65}

const columns = "0 | 1 | 2 | 3–4 | 5–8 | 9–16 | 17–64 | most | bytes of a header |"

// replays is how something is sent over a line again.
type replays func(line simline.Config, seed uint64) (*tally, error)

// report writes tables in Markdown: all recordings together by line, each by itself, and the two
// short recordings of scripts/bench/lines, in which much happens at once.
func report(out io.Writer, all []recording, rtts, percents []float64, seeds int) error {
	var b strings.Builder
	rows := map[string]*tally{}
	var evening []string
	sources := map[string]replays{}
	for _, r := range all {
		evening, rows[r.name] = append(evening, r.name), &tally{}
		sources[r.name] = func(line simline.Config, seed uint64) (*tally, error) {
			return replay(r.frames, line, seed)
		}
	}
	// byLine writes a table of some sources together.
	byLine := func(title string, names ...string) error {
		fmt.Fprintf(&b, "| %s | %s\n|%s\n", title, columns, strings.Repeat("---|", 10))
		for _, rtt := range rtts {
			for _, percent := range percents {
				line := simline.Config{Loss: percent / 100,
					Delay: time.Duration(rtt * float64(time.Millisecond) / 2)}
				sum := &tally{}
				for _, name := range names {
					for seed := range uint64(seeds) { //nolint:gosec // not negative
						t, err := sources[name](line, seed+1)
						if err != nil {
							return fmt.Errorf("%s, %g ms, %g %%, seed %d: %w", name, rtt, percent, seed+1, err)
						}
						sum.add(t)
						rows[name].add(t)
					}
				}
				fmt.Fprintf(&b, "| %g ms, %g %% | %s\n", rtt, percent, sum.row())
			}
		}
		b.WriteString("| one ordered channel | | | | | | | | | 2 |\n\n")
		return nil
	}
	if err := byLine("the evening: round trip, lost", evening...); err != nil {
		return err
	}
	b.WriteString("| game, on all lines | messages | bytes of one | " + columns + "\n|" +
		strings.Repeat("---|", 12) + "\n")
	for _, r := range all {
		t := rows[r.name]
		fmt.Fprintf(&b, "| %s, %s | %d | %.0f | %s\n", r.name,
			r.frames[len(r.frames)-1].at.Round(time.Minute), t.messages/(len(rtts)*len(percents)*seeds),
			float64(t.bytes)/float64(t.messages), t.row())
	}
	b.WriteByte('\n')
	for _, name := range []string{trace.Table, trace.Drags} {
		recorded, err := trace.Open(name)
		if err != nil {
			return err
		}
		rows[name] = &tally{}
		sources[name] = func(line simline.Config, seed uint64) (*tally, error) {
			return replayTrace(recorded, line, seed)
		}
		if err := byLine("recording \""+name+"\": round trip, lost", name); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// row returns the shares of the headers by their dependencies.
func (t *tally) row() string {
	var b strings.Builder
	for i, from := range bins[:len(bins)-1] {
		n := 0
		for _, count := range t.headers[from:bins[i+1]] {
			n += count
		}
		fmt.Fprintf(&b, "%.2f %% | ", 100*float64(n)/float64(t.messages))
	}
	fmt.Fprintf(&b, "%d | %.3f |", t.most(), 2+2*float64(t.named())/float64(t.messages))
	return b.String()
}
