// Package bench plays at a table as many people would, through the real protocol, and measures what
// they get: how long a move takes to reach the others, how many bytes it takes, what joining costs,
// and whether all views agree in the end. It measures from outside. It knows of the server what
// docs/protocol says, and reads the server's processor time and memory from the system where it
// can. It does not look inside the server.
//
// Latencies compare two times of one clock: both ends of every measurement are in this process.
package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"holt/server/client"
	"holt/server/play/table"
)

// Bounds of a run. One table takes two thousand streams.
const (
	MaxPlayers  = 2000
	MaxDuration = 600 * time.Second
	MaxRate     = 1000 // moves a second for each player
)

// Config describes a run. URL, Players, Pieces, Rate and Duration are required.
type Config struct {
	URL      string
	Game     string // a game of the shelf; empty: chess
	Players  int    // clients, each with a stream; beyond 1,024 several share a seat
	Pieces   int    // on the table after setup, including those of the game
	Rate     float64
	Duration time.Duration
	// Conflict is the probability, from 0 to 1, that a player grabs any piece instead of one of its
	// own.
	Conflict float64
	Seed     uint64
	// Motion lets players drag by points of motion (S12), 20 a second. Only grab and release are
	// recorded. Rate has no effect.
	Motion bool
	// Reconnect cuts the players' streams repeatedly while they play. It excludes Motion.
	Reconnect bool
	// Writers is the share of the players, from 0 to 1, who also write on pieces and on the score
	// sheet, once a second each.
	Writers float64
	// Transport says how the players' streams are carried.
	Transport client.Transport
	// PID is the server's process; 0 looks for the process that listens at URL on this machine.
	PID int
	// Foreign allows a server outside this machine's loopback.
	Foreign bool
	// Dial connects to the server; nil means TCP.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	during func(context.Context, *run) // runs while the players play; nil: nothing
}

// ConfigError says what is wrong with a configuration.
type ConfigError struct{ error }

func (e ConfigError) Unwrap() error { return e.error }

// check returns a ConfigError if the configuration is wrong.
func (c *Config) check() error {
	if err := c.fault(); err != nil {
		return ConfigError{err}
	}
	return nil
}

func (c *Config) fault() error {
	switch {
	case c.Players < 1 || c.Players > MaxPlayers:
		return fmt.Errorf("players: %d is not from 1 to %d", c.Players, MaxPlayers)
	case c.Pieces < 0 || c.Pieces > table.MaxPieces:
		return fmt.Errorf("pieces: %d is not from 0 to %d", c.Pieces, table.MaxPieces)
	case !(c.Rate > 0 && c.Rate <= MaxRate): // the negation rejects NaN, too
		return fmt.Errorf("rate: %v is not above 0 and up to %d", c.Rate, MaxRate)
	case c.Duration <= 0 || c.Duration > MaxDuration:
		return fmt.Errorf("seconds: %v is not above 0 and up to %v", c.Duration, MaxDuration)
	case !(c.Conflict >= 0 && c.Conflict <= 1):
		return fmt.Errorf("conflict: %v is not from 0 to 1", c.Conflict)
	case !(c.Writers >= 0 && c.Writers <= 1):
		return fmt.Errorf("writers: %v is not from 0 to 1", c.Writers)
	case c.Motion && c.Reconnect:
		return errors.New("motion and reconnect are measured one at a time")
	}
	u, err := url.Parse(c.URL)
	if err != nil {
		return fmt.Errorf("url: %w", err)
	}
	if !c.Foreign && !loopback(u.Hostname()) {
		return fmt.Errorf(
			"%q is not this machine: a measurement is a heavy load, "+
				"which only the owner of a server may put on it (--i-own-this-server)",
			u.Hostname(),
		)
	}
	return nil
}

// loopback reports whether a host can only be this machine.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// Bounds of the phases before and after the playing.
const (
	setupTimeout = 5 * time.Minute
	quietTimeout = 20 * time.Second
	agreeTimeout = time.Minute
)

// Run creates a table, seats the players, lets them play and measures. It ends by itself: after the
// duration, plus a few minutes at most for the other phases. An error means that there is no
// measurement. The report holds whatever a measurement found, including faults (Report.Faults).
func Run(ctx context.Context, cfg Config) (*Report, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.Game == "" {
		cfg.Game = "chess"
	}
	if cfg.Dial == nil {
		cfg.Dial = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	}
	p, err := newRun(cfg)
	if err != nil {
		return nil, err
	}
	defer p.leave()
	setup, cancel := context.WithTimeout(ctx, setupTimeout)
	defer cancel()
	if err := p.assemble(setup); err != nil {
		return nil, err
	}
	p.playDuring(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	quiet, cancel := context.WithTimeout(ctx, quietTimeout)
	defer cancel()
	p.settle(quiet)
	agreeing, cancel := context.WithTimeout(ctx, agreeTimeout)
	defer cancel()
	if err := p.agree(agreeing); err != nil {
		return nil, err
	}
	return p.report(), nil
}

// playDuring lets the players play, and runs cfg.during at the same time.
func (p *run) playDuring(ctx context.Context) {
	if p.cfg.during == nil {
		p.play(ctx)
		return
	}
	beside, stop := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { p.cfg.during(beside, p) })
	p.play(ctx)
	stop()
	done.Wait()
}

// newServer returns the server under test. The transport keeps enough connections for all players.
func newServer(cfg Config) (*client.Server, *http.Transport, error) {
	t := &http.Transport{
		DialContext: cfg.Dial, MaxIdleConnsPerHost: MaxPlayers, IdleConnTimeout: 90 * time.Second,
	}
	s, err := client.NewServer(cfg.URL, &http.Client{Transport: t})
	return s, t, err
}

var errNoKind = errors.New("the game has no kind of piece that can be added: light and not secret")
