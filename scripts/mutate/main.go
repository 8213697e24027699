// Command mutate breaks the code on purpose and sees whether a test notices.
//
//	go run ./scripts/mutate                       every breakage of scripts/mutate/breakages.txt
//	go run ./scripts/mutate T14 C15.2             those of these rules and clauses
//	go run ./scripts/mutate -random 50 server/play/table   50 random ones in a package
//
// A random run prints its seed, and -seed repeats it. The exit status is 1 if a breakage survives:
// then a test is missing, or the code that was broken is not needed, or the change has no effect.
// It never writes into the repository. Before it breaks something from the table, it runs the tests
// on the code as it is, where they must pass.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

var errSurvivors = errors.New("some breakages were not caught")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	random := flag.Int("random", 0, "break the packages given in `N` random places")
	seed := flag.Uint64("seed", 0, "the seed of the random places; 0: a new one")
	verbose := flag.Bool("v", false, "print what the tests print")
	flag.Parse()
	top, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the repository: %w", err)
	}
	if _, err := os.Stat(filepath.Join(top, tableName)); err != nil {
		return fmt.Errorf("run it at the top of the repository: %w", err)
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }() // only copies
	s := session{runner: runner{top: top, work: work}, verbose: *verbose}
	if *random > 0 {
		if *seed == 0 {
			*seed = rand.Uint64() //nolint:gosec // it only chooses places
		}
		err = s.random(ctx, flag.Args(), *random, *seed)
	} else {
		err = s.table(ctx, flag.Args())
	}
	fmt.Fprintf(os.Stdout, "%d caught, %d survived, %d did not build\n",
		s.counts[caught], s.counts[survived], s.counts[doesNotBuild])
	if err == nil && s.counts[survived] > 0 {
		err = errSurvivors
	}
	return err
}

// tableName is the file of the breakages that were written by hand.
const tableName = "scripts/mutate/breakages.txt"

// session is one run of the program.
type session struct {
	runner

	verbose bool
	counts  [3]int
}

// table runs the breakages of the table whose clauses are wanted. No names mean all.
func (s *session) table(ctx context.Context, names []string) error {
	text, err := os.ReadFile(filepath.Join(s.top, tableName))
	if err != nil {
		return fmt.Errorf("read the breakages: %w", err)
	}
	all, err := parse(string(text))
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(b Breakage) bool { return !wanted(b.Clause, names) })
	if len(all) == 0 {
		return fmt.Errorf("the table has no breakage of %s", strings.Join(names, ", "))
	}
	sound := map[string]bool{}
	for i := range all {
		b := &all[i]
		content, err := b.apply(s.top)
		if err != nil {
			return err
		}
		if key := b.Where + " " + b.Tests; !sound[key] {
			o, out, err := s.test(ctx, "", nil, b.Where, b.Tests, b.Flags)
			if err != nil {
				return fmt.Errorf("%s: %w", b.Clause, err)
			}
			if o != survived {
				return fmt.Errorf("%s: the tests fail although nothing is broken:\n%s", b.Clause, out)
			}
			sound[key] = true
		}
		o, out, err := s.test(ctx, b.File, content, b.Where, b.Tests, b.Flags)
		if err != nil {
			return fmt.Errorf("%s: %w", b.Clause, err)
		}
		s.report(b.Clause+" "+b.File, o, out)
		if o == doesNotBuild {
			return fmt.Errorf("the breakage of %s does not build", b.Clause)
		}
	}
	return nil
}

// wanted reports whether a clause is one of the names, or a clause of one of them.
func wanted(clause string, names []string) bool {
	return len(names) == 0 || slices.ContainsFunc(names, func(name string) bool {
		return clause == name || strings.HasPrefix(clause, name+".")
	})
}

// random breaks packages in n places.
func (s *session) random(ctx context.Context, packages []string, n int, seed uint64) error {
	fmt.Fprintf(os.Stdout, "seed %d\n", seed)
	all, err := randomBreakages(s.top, packages, n, seed)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New("there is nothing to break: name packages, such as server/play/table")
	}
	for _, r := range all {
		where := "./" + filepath.ToSlash(filepath.Dir(r.File))
		o, out, err := s.test(ctx, r.File, r.Content, where, "", nil)
		if err != nil {
			return err
		}
		s.report(r.Place+": "+r.What, o, out)
	}
	return nil
}

func (s *session) report(what string, o outcome, out string) {
	s.counts[o]++
	fmt.Fprintf(os.Stdout, "%-14s %s\n", o, what)
	if s.verbose {
		fmt.Fprintln(os.Stdout, out)
	}
}
