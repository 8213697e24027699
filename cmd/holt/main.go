// Command holt serves shared tables for board and card games. The command holt help explains its
// use.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first signal the next one ends the process at once.
	context.AfterFunc(ctx, stop)
	status := run(ctx, os.Args[1:], streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
	}, os.Environ())
	stop()
	os.Exit(status)
}

// streams are the standard streams of the program.
type streams struct {
	In       io.Reader
	Out, Err io.Writer
}

func (s streams) printf(format string, args ...any) { fmt.Fprintf(s.Out, format, args...) }

// errorf prints what is for people alone, and not for programs that read the output.
func (s streams) errorf(format string, args ...any) { fmt.Fprintf(s.Err, format, args...) }

// printJSON prints v unless there is an error, which it returns.
func (s streams) printJSON(v any, err error) error {
	if err != nil {
		return err
	}
	e := json.NewEncoder(s.Out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// The exit statuses.
const (
	exitOK    = 0
	exitFault = 1 // it could not be done
	exitUsage = 2 // the command line was not understood; for check: the check was not possible
)

// commandLine has all commands of the program.
type commandLine struct {
	Serve   serveCommand   `cmd:"" default:"withargs" help:"Serve tables (this is what holt does if nothing else is asked)."`
	Backup  backupCommand  `cmd:"" help:"Write everything into one file, also while a server is running."`
	Restore restoreCommand `cmd:"" help:"Put a backup in the place of what is there. The server must not be running."`
	Check   checkCommand   `cmd:"" help:"Find what is damaged in the data or in a backup. Exits with 0 if nothing is, 1 if something is, 2 if it cannot be read."`
	Bench   benchCommand   `cmd:"" help:"Play at a running server as many people would, and measure what they get."`
	Watch   watchCommand   `cmd:"" help:"Print what happens at a table, as lines of JSON."`
	Peer    peerCommand    `cmd:"" help:"Link this server with others, so that people can bring their own pieces."`
	Objects objectsCommand `cmd:"" help:"Say what of this server's pieces is on other servers, and what is away; collect what nobody needs."`
	Tables  tablesCommand  `cmd:"" help:"List the tables of this server, and throw one away."`
	Bags    bagsCommand    `cmd:"" help:"List the people who have their home on this server, and open the bag of who has lost theirs."`
	Game    gameCommand    `cmd:"" help:"Check, pack, unpack and draw game files."`
	Verify  verifyCommand  `cmd:"" help:"Check that shuffles and rolls were fair, from a table's export."`
	Motion  motionCommand  `cmd:"" help:"Print the recorded motion of a table, as lines of JSON."`
	Version versionCommand `cmd:"" help:"Print the version."`
	Help    helpCommand    `cmd:"" help:"Say how to use holt, or one of its commands."`
}

// run does what args ask for until ctx is done, and returns the exit status. An environment
// variable (HOLT_LISTEN for --listen) replaces a flag that is not given.
func run(ctx context.Context, args []string, std streams, environ []string) (status int) {
	env := environment(environ)
	parser, err := newParser(&commandLine{}, std, env)
	if err != nil {
		return fail(std, err)
	}
	defer exited(&status)
	parsed, err := parser.Parse(args)
	if err != nil {
		text := noValue.ReplaceAllString(err.Error(), "its value is missing")
		std.errorf("holt: %s (holt help says more)\n", text)
		return exitUsage
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	if err := parsed.Run(std, env, parser); err != nil {
		return fail(std, err)
	}
	return exitOK
}

// noValue matches the message of kong for a flag without a value at the end of the line.
var noValue = regexp.MustCompile(`expected \w+ value but got "EOL" \(<EOL>\)`)

// fail says in one sentence what went wrong, and returns the exit status.
func fail(std streams, err error) int {
	std.errorf("holt: %v\n", err)
	var usage usageError
	var unchecked checkError
	if errors.As(err, &usage) || errors.As(err, &unchecked) {
		return exitUsage
	}
	return exitFault
}

// usageError is an error in the command line, not in its execution.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

func newParser(cli *commandLine, std streams, env environment) (*kong.Kong, error) {
	return kong.New(cli,
		kong.Name("holt"),
		kong.Description(
			"A shared table in the browser, for board and card games. Every flag can also be given as an "+
				"environment variable: HOLT_LISTEN for --listen. "+
				"It exits with 0 when all went well, with 1 when something could not be done, "+
				"and with 2 when it was not understood."),
		kong.Writers(std.Out, std.Err),
		kong.Exit(func(status int) { panic(exit(status)) }),
		kong.Resolvers(kong.ResolverFunc(env.resolve)),
		kong.Vars{"data": env.dataDir(), "rights": rightsHelp},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
}

// exit is the panic by which kong leaves after --help: only main ends the program.
type exit int

func exited(status *int) {
	switch e := recover().(type) {
	case nil:
	case exit:
		*status = int(e)
	default:
		panic(e)
	}
}

// environment is what os.Environ returns.
type environment []string

func (e environment) get(name string) string {
	for _, pair := range e {
		if v, ok := strings.CutPrefix(pair, name+"="); ok {
			return v
		}
	}
	return ""
}

// resolve gives a flag the value of its variable.
func (e environment) resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if v := e.get("HOLT_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))); v != "" {
		return v, nil
	}
	return nil, nil //nolint:nilnil // kong: no value here
}
