// Package bench plays at a table as many people would, through the real protocol, and measures what they get:
// how long a move takes to reach the others, what it weighs, what joining costs, and whether everybody saw the
// same table in the end. It measures from outside: it knows of the server what docs/protocol says, and reads
// its processor time and memory from the system where it can.
//
// Client and server share a clock only because both ends of every measurement are in this process.
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

// Bounds of a run. Two thousand streams are what one table takes.
const (
	MaxPlayers  = 2000
	MaxDuration = 600 * time.Second
	MaxRate     = 1000 // moves a second, a player
)

// Config says what to play. URL, Players, Pieces, Rate and Duration are required.
type Config struct {
	URL      string
	Game     string // of the shelf; empty: chess
	Players  int    // clients, each with a stream; beyond 1,024 several share a seat
	Pieces   int    // on the table in the end; the game's own count
	Rate     float64
	Duration time.Duration
	// Conflict is the probability, from 0 to 1, that the next piece of a player is any piece, not one of theirs.
	Conflict float64
	Seed     uint64
	// Motion lets players drag by points of motion (S12), 20 a second, and record only grab and release. Rate does not count.
	Motion bool
	// Reconnect cuts the players' streams again and again while they play. It does not go together with Motion.
	Reconnect bool
	// Writers is the share of the players, from 0 to 1, who write on pieces and on the score sheet beside, once a second each.
	Writers float64
	// Transport is by what the players' streams come.
	Transport client.Transport
	// PID is the server's process; 0 looks for whoever listens at URL on this machine.
	PID int
	// Foreign allows a server that is not on this machine's loopback.
	Foreign bool
	// Dial reaches the server; nil is TCP.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	during func(context.Context) // what is done beside the playing; nil: nothing
}

// ConfigError says what is wrong with a configuration.
type ConfigError struct{ error }

func (e ConfigError) Unwrap() error { return e.error }

// check reports what is wrong with a configuration.
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
	case !(c.Rate > 0 && c.Rate <= MaxRate): // so that NaN is wrong too
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
		return fmt.Errorf("%q is not this machine: a measurement is a heavy load, which only the owner of a server may put on it (--i-own-this-server)", u.Hostname())
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

// Bounds of the parts before and after the playing.
const (
	setupTimeout = 5 * time.Minute
	quietTimeout = 20 * time.Second
	agreeTimeout = time.Minute
)

// Run makes a table, seats the players, lets them play and measures. It ends by itself: after the duration, and
// some minutes at most before and after it. An error means that there is no measurement; what a measurement has
// found is in the report, also what is bad (Report.Faults).
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
	p, err := newParty(cfg)
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

// playDuring lets the players play, and does beside it what there is to be done.
func (p *party) playDuring(ctx context.Context) {
	if p.cfg.during == nil {
		p.play(ctx)
		return
	}
	beside, stop := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { p.cfg.during(beside) })
	p.play(ctx)
	stop()
	done.Wait()
}

// newServer returns the server under test. Each player has connections of their own, as in life.
func newServer(cfg Config) (*client.Server, *http.Transport, error) {
	t := &http.Transport{DialContext: cfg.Dial, MaxIdleConnsPerHost: MaxPlayers, IdleConnTimeout: 90 * time.Second}
	s, err := client.NewServer(cfg.URL, &http.Client{Transport: t})
	return s, t, err
}

var errNoKind = errors.New("the game has no kind of piece that can be added: light and not secret")
