// Command rules runs the tests that show rules or clauses of the protocols.
//
//	go run ./scripts/rules T14 C15.2          run them
//	go run ./scripts/rules -list T14.3        only say where they are
//
// It runs each Go function that has such a test as a whole, and each JavaScript file. Tests in a
// browser (scripts/e2e) are listed and not run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"slices"
	"strings"

	"holt/scripts/rules/testnames"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	list := flag.Bool("list", false, "print where the tests are, and do not run them")
	flag.Parse()
	if flag.NArg() == 0 {
		return errors.New("name rules or clauses, such as T14 or T14.3")
	}
	named, err := testnames.Find(".")
	if err != nil {
		return err
	}
	var tests []testnames.Test
	for _, name := range flag.Args() {
		if len(named[name]) == 0 {
			return fmt.Errorf("no test names %s; is the command run at the top of the repository?", name)
		}
		tests = append(tests, named[name]...)
	}
	goFuncs, files := map[string]map[string]bool{}, map[string]bool{}
	for _, t := range tests {
		switch dir := path.Dir(t.File); {
		case *list || strings.HasPrefix(t.File, "scripts/e2e/"):
			fmt.Fprintln(os.Stdout, t)
		case t.Func == "":
			files[t.File] = true
		default:
			if goFuncs[dir] == nil {
				goFuncs[dir] = map[string]bool{}
			}
			goFuncs[dir][t.Func] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(goFuncs)) {
		funcs := strings.Join(slices.Sorted(maps.Keys(goFuncs[dir])), "|")
		err = errors.Join(err, command(ctx, "go", "test", "-run", "^("+funcs+")$", "./"+dir))
	}
	if len(files) > 0 {
		args := append([]string{"--test"}, slices.Sorted(maps.Keys(files))...)
		err = errors.Join(err, command(ctx, "node", args...))
	}
	return err
}

// command runs a program and prints what it prints.
func command(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // go and node, with names of tests
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}
