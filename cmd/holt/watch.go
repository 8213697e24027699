package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/signal"
	"path"
	"strings"
	"syscall"

	"holt/server/client"
)

type watchCommand struct {
	URL       string `arg:"" help:"An invite link, of players or of spectators; or the table's own, with --token."`
	Token     string `placeholder:"TOKEN" help:"The seat token of a seat that has been taken already. Better given as HOLT_TOKEN: others see command lines."`
	Nick      string `default:"Watcher" placeholder:"NAME" help:"How to appear at the table when an invite is used (${default})."`
	Transport string `default:"auto" enum:"auto,websocket,datagrams,udp" placeholder:"WAY" help:"By what the stream comes: websocket, datagrams (QUIC), udp (not encrypted; only where the host has asked for it), or auto, which is datagrams where they can be had (${default})."`
	Motion    bool   `help:"Print what moves and where people point, too."`
	Lines     int    `placeholder:"N" help:"Stop after so many lines; 0: when told to (${default})." default:"0"`
}

// Run prints what happens at a table, as lines of JSON, until it is stopped.
func (c *watchCommand) Run(ctx context.Context, std streams) error {
	transport, err := client.ParseTransport(c.Transport)
	if err != nil {
		return usageError{err}
	}
	server, seat, err := c.join(ctx)
	if err != nil {
		return err
	}
	// If nobody reads the pipe any more, the process must not end at once: it leaves the seat
	// first.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &watcher{command: c, std: std, stop: cancel}
	if w.client, err = client.New(client.Config{
		Server: server, Seat: seat, Transport: transport, Handle: w.handle,
	}); err != nil {
		return err
	}
	switch err = w.client.Run(ctx); {
	// the user ends it by a signal
	case errors.Is(err, errEnough), errors.Is(err, context.Canceled):
		return nil
	default:
		return err
	}
}

// errEnough ends the command after the requested number of lines.
var errEnough = errors.New("enough lines")

// join finds the server and the seat, or takes one.
func (c *watchCommand) join(ctx context.Context) (*client.Server, client.Seat, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, client.Seat{}, usageError{fmt.Errorf("%s is not a link", c.URL)}
	}
	before, last := path.Split(strings.TrimSuffix(u.Path, "/"))
	before, kind := path.Split(strings.TrimSuffix(before, "/"))
	server, err := client.NewServer((&url.URL{
		Scheme: u.Scheme, Host: u.Host, Path: before,
	}).String(), nil)
	switch {
	case err != nil:
		return nil, client.Seat{}, usageError{err}
	case kind == "t" && c.Token == "":
		return nil, client.Seat{},
			usageError{errors.New(
				"the link of a table needs a seat token, --token or HOLT_TOKEN; an invite link does not")}
	case kind == "t":
		return server, client.Seat{Table: last, Token: c.Token}, nil
	case kind == "join":
		seat, err := server.Join(ctx, last, client.Person{Nick: c.Nick})
		return server, seat, err
	default:
		return nil, client.Seat{}, usageError{fmt.Errorf(
			"%s is neither an invite link (…/join/…) nor that of a table (…/t/…)", c.URL)}
	}
}

// watcher prints the events of a client.
type watcher struct {
	// Set at construction.
	command *watchCommand
	client  *client.Client
	std     streams
	stop    context.CancelCauseFunc

	// Owned by the client's Handle.
	lines int
	over  bool
}

// handle is the client's Handle. It stops the client when the output cannot be written any more.
func (w *watcher) handle(e *client.Event) {
	if !w.command.Motion && (e.Kind == client.Moved || e.Kind == client.Pointed) {
		return
	}
	for line := range w.client.Tell(e) {
		if w.over {
			return
		}
		_, err := w.std.Out.Write(append(line, '\n'))
		w.lines++
		switch {
		case err != nil:
			w.over = true
			w.stop(fmt.Errorf("write a line: %w", err))
		case w.lines == w.command.Lines:
			w.over = true
			w.stop(errEnough)
		}
	}
}
