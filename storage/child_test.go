package storage

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
)

// Some tests need a process of their own: they kill it, or take its rights. They run this binary
// again with the name of a task in the environment.
const (
	childTask = "HOLT_STORAGE_TEST_TASK"
	childDir  = "HOLT_STORAGE_TEST_DIR"
)

// children are the tasks. Each works on a data directory and reports on out.
var children = map[string]func(dir string, out io.Writer) error{"load": loadChild}

// runChild runs a task and ends the process.
func runChild(task, dir string) {
	run, ok := children[task]
	if !ok {
		fmt.Fprintln(os.Stderr, "no such task:", task)
		os.Exit(2)
	}
	if err := run(dir, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0) // without Close: as abruptly as the task wants
}

func childCommand(t testing.TB, task, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), childTask+"="+task, childDir+"="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}
