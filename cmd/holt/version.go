package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(std streams) error {
	_, err := fmt.Fprintf(std.Out, "holt %s (%s, %s/%s)\n", version(), runtime.Version(),
		runtime.GOOS, runtime.GOARCH)
	return err
}

// version returns what the build knows about itself: a release, or the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	version := "development"
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			version += " " + s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			version += " with changes"
		}
	}
	return version
}

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command."`
}

// Run prints how to use a command.
func (h *helpCommand) Run(parser *kong.Kong) error {
	if _, err := parser.Parse(append(h.Command, "--help")); err != nil {
		return usageError{fmt.Errorf("there is no command %s (holt help lists them)",
			strings.Join(h.Command, " "))}
	}
	return nil
}
