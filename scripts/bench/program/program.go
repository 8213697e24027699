// Package program has what the benchmark programs beside it have in common: how they start and read
// their command lines, and quantiles.
package program

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
)

// ErrUsage means that a command line cannot be understood.
var ErrUsage = errors.New("not a way to call this program")

// Main runs a program until it ends or is interrupted, and ends the process if it fails.
func Main(
	name string, run func(ctx context.Context, args []string, out, progress io.Writer) error,
) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Ways returns those of all that a list names, in its order; those that are usual for "all".
func Ways[T any](list string, usual, all []T, id func(*T) string) (ways []T, err error) {
	if list == "all" {
		return usual, nil
	}
	for one := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(all, func(w T) bool { return id(&w) == one })
		if i < 0 {
			return nil, fmt.Errorf("%w: no way is called %q, but %s", ErrUsage, one, Names(all, id))
		}
		ways = append(ways, all[i])
	}
	return ways, nil
}

// Names lists what a command line may name, after "all".
func Names[T any](all []T, id func(*T) string) string {
	names := []string{"all"}
	for i := range all {
		names = append(names, id(&all[i]))
	}
	return strings.Join(names, ", ")
}

// Numbers parses a list of numbers from 0 to most.
func Numbers(list string, most float64) (all []float64, err error) {
	for one := range strings.SplitSeq(list, ",") {
		n, err := strconv.ParseFloat(one, 64)
		if err != nil || !(n >= 0 && n <= most) {
			return nil, fmt.Errorf("%w: %q is not a number from 0 to %g", ErrUsage, one, most)
		}
		all = append(all, n)
	}
	return all, nil
}

// Quantile returns the lowest of the ascending times that a share q of them do not exceed, or 0 if
// there are none.
func Quantile(times []time.Duration, q float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	n := int(q*float64(len(times)) + 0.999999)
	return times[min(max(n, 1), len(times))-1]
}
