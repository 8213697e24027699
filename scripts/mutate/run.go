package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// outcome is what the tests say of a breakage.
type outcome int

const (
	caught       outcome = iota // a test failed
	survived                    // all tests passed
	doesNotBuild                // the broken file does not compile
)

func (o outcome) String() string {
	return [...]string{"caught", "SURVIVED", "does not build"}[o]
}

// runner runs tests over broken files. It never writes into the repository.
type runner struct {
	top  string // of the repository
	work string // a directory of its own
}

// test runs tests with one file replaced. An empty file means that nothing is broken.
func (r *runner) test(
	ctx context.Context, file string, content []byte, where, tests string, flags []string,
) (outcome, string, error) {
	if strings.HasSuffix(where, ".js") {
		return r.node(ctx, file, content, where, tests)
	}
	return r.goTest(ctx, file, content, where, tests, flags)
}

// goTest runs Go tests. The go command reads the broken file instead of the true one.
func (r *runner) goTest(
	ctx context.Context, file string, content []byte, where, tests string, flags []string,
) (outcome, string, error) {
	args := []string{"test", "-count=1", "-vet=off", "-timeout=20m", "-short"}
	if tests != "" {
		args = append(args, "-run", tests)
	}
	if file != "" {
		overlay, err := r.overlay(file, content)
		if err != nil {
			return 0, "", err
		}
		args = append(args, "-overlay", overlay)
	}
	args = append(append(args, where), flags...)
	out, err := r.command(ctx, r.top, "go", args...)
	if err == nil {
		if strings.Contains(out, "[no tests to run]") {
			return 0, out, fmt.Errorf("no test of %s is called %s", where, tests)
		}
		return survived, out, nil
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, out, err
	}
	if strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]") {
		return doesNotBuild, out, nil
	}
	return caught, out, nil
}

// overlay writes the broken file and says where it belongs, in the form of go help build.
func (r *runner) overlay(file string, content []byte) (string, error) {
	broken := filepath.Join(r.work, "broken.go")
	list, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(r.top, file): broken},
	})
	if err != nil {
		return "", fmt.Errorf("write the overlay: %w", err)
	}
	name := filepath.Join(r.work, "overlay.json")
	err = errors.Join(os.WriteFile(broken, content, 0o600), os.WriteFile(name, list, 0o600))
	if err != nil {
		return "", fmt.Errorf("write the overlay: %w", err)
	}
	return name, nil
}

// node runs JavaScript tests in a copy of what they read.
func (r *runner) node(
	ctx context.Context, file string, content []byte, where, tests string,
) (outcome, string, error) {
	dir := filepath.Join(r.work, "copy")
	if err := os.RemoveAll(dir); err != nil {
		return 0, "", fmt.Errorf("remove the last copy: %w", err)
	}
	for _, part := range []string{"static", "docs", "server", "scripts/tablestates"} {
		if err := os.CopyFS(filepath.Join(dir, part), filesOf(r.top, part)); err != nil {
			return 0, "", fmt.Errorf("copy what is tested: %w", err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} { // some tests build programs
		content, err := os.ReadFile(filepath.Join(r.top, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), content, 0o600)
		}
		if err != nil {
			return 0, "", fmt.Errorf("copy what is tested: %w", err)
		}
	}
	if file != "" {
		if err := os.WriteFile(filepath.Join(dir, file), content, 0o600); err != nil {
			return 0, "", fmt.Errorf("write the broken file: %w", err)
		}
	}
	args := []string{"--test"}
	if tests != "" {
		args = append(args, "--test-name-pattern", tests)
	}
	out, err := r.command(ctx, dir, "node", append(args, where)...)
	var exit *exec.ExitError
	switch {
	case err == nil && strings.Contains(out, "# pass 0\n"):
		return 0, out, fmt.Errorf("no test of %s is called %s", where, tests)
	case err == nil:
		return survived, out, nil
	case !errors.As(err, &exit):
		return 0, out, err
	case strings.Contains(out, "SyntaxError"):
		return doesNotBuild, out, nil
	}
	return caught, out, nil
}

func filesOf(top, part string) fs.FS { return os.DirFS(filepath.Join(top, part)) }

func (r *runner) command(ctx context.Context, dir, name string, args ...string) (string, error) {
	var out bytes.Buffer
	//nolint:gosec // go and node, with the table's arguments
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	err := cmd.Run()
	return out.String(), err
}
