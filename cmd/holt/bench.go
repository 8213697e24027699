package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"holt/server/bench"
	"holt/server/client"
	"holt/server/federation/peer"
)

type benchCommand struct {
	URL            string  `required:"" placeholder:"URL" help:"The server, like http://127.0.0.1:8080. It gets a new table and a heavy load."`
	Players        int     `default:"16" help:"Players, each with a stream of their own (${default})."`
	Pieces         int     `default:"100" help:"Pieces on the table (${default}); at least the game's own."`
	Rate           float64 `default:"30" placeholder:"HZ" help:"Moves a second of each player (${default})."`
	Seconds        float64 `default:"10" help:"How long they play (${default}), at most 600."`
	Game           string  `default:"chess" help:"The game, as the shelf names it (${default})."`
	Conflict       float64 `default:"0" placeholder:"P" help:"How probably the next piece of a player is anybody's, from 0 to 1 (${default})."`
	Motion         bool    `help:"Drag by points of motion, 20 a second, and record only grabs and releases; --rate does not count. Not with --reconnect: one at a time."`
	Reconnect      bool    `help:"Cut the players' streams again and again while they play, and measure how long it takes to come back."`
	Writers        float64 `default:"0" placeholder:"P" help:"Share of the players, from 0 to 1, who write labels and on the score sheet beside, once a second each (${default})."`
	Transport      string  `default:"websocket" enum:"websocket,datagrams,udp,auto" placeholder:"WAY" help:"By what the players' streams come: websocket, datagrams (QUIC), udp (not encrypted), or auto (${default})."`
	Seed           uint64  `default:"1" help:"What the players' choices follow from (${default})."`
	PID            int     `name:"pid" help:"The server's process, if it cannot be found by its port."`
	Abuse          bool    `help:"Attack the server in the cheapest ways that are known while the players play, one after the other, each for --seconds. Only on this machine."`
	Attack         string  `placeholder:"NAME" help:"With --abuse: only this attack."`
	DataDir        string  `placeholder:"DIR" help:"With --abuse: the folder of the server, to see how it grows, and to attack it as a linked server."`
	JSON           bool    `name:"json" help:"Print the report as JSON."`
	IOwnThisServer bool    `help:"Needed for a server that is not on this machine."`
}

// Run measures a running server. It fails, after the report, if views differed or moves were lost.
func (c *benchCommand) Run(ctx context.Context, std streams) error {
	if _, ok := parseOrigin(c.URL); !ok {
		return usageError{fmt.Errorf("--url %s is not like http://127.0.0.1:8080", c.URL)}
	}
	transport, err := client.ParseTransport(c.Transport)
	if err != nil {
		return usageError{err}
	}
	play := bench.Config{
		URL: c.URL, Game: c.Game, Players: c.Players, Pieces: c.Pieces, Rate: c.Rate,
		Duration: time.Duration(c.Seconds * float64(time.Second)), Conflict: c.Conflict,
		Seed: c.Seed, Motion: c.Motion, Reconnect: c.Reconnect, Writers: c.Writers,
		Transport: transport, PID: c.PID, Foreign: c.IOwnThisServer,
	}
	if c.Abuse {
		return c.abuse(ctx, std, play)
	}
	report, err := bench.Run(ctx, play)
	var wrong bench.ConfigError
	switch {
	case errors.As(err, &wrong):
		return usageError{err}
	case err != nil:
		return err
	}
	if err := c.print(std, report); err != nil {
		return err
	}
	if faults := report.Faults(); len(faults) > 0 {
		return errors.New(strings.Join(faults, "; "))
	}
	return nil
}

// abuse prints what players get while others attack the server.
func (c *benchCommand) abuse(ctx context.Context, std streams, play bench.Config) error {
	report, err := bench.Abuse(ctx, bench.AbuseConfig{
		Play: play, Only: c.Attack, Data: c.DataDir, Invite: c.invite(),
	})
	var wrong bench.ConfigError
	switch {
	case errors.As(err, &wrong):
		return usageError{err}
	case err != nil:
		return err
	}
	return c.print(std, report)
}

// invite returns a function that asks the server for an invitation, or nil if the folder of the
// server is not known.
func (c *benchCommand) invite() func(context.Context) (string, error) {
	if c.DataDir == "" {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		q := inviteQuestion{Rights: (peer.Visit | peer.Bring | peer.Keep | peer.Linkup).String()}
		a, err := askServer[inviteAnswer](ctx, c.DataDir, "/peer/invite", q)
		return a.Text, err
	}
}

// print prints a report as a table or as JSON.
func (c *benchCommand) print(std streams, report interface{ WriteTable(w io.Writer) error }) error {
	if !c.JSON {
		return report.WriteTable(std.Out)
	}
	return std.printJSON(report, nil)
}
