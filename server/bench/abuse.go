package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path/filepath"
	"sync"
	"time"
)

// AbuseConfig says which attacks to run, and for how long.
type AbuseConfig struct {
	// Play is what people do meanwhile at a table of their own. Its Duration is the duration of
	// each attack.
	Play Config
	// Only is the name of the only attack to run; empty: all.
	Only string
	// Data is the data folder of the server, whose growth is measured; empty: not measured.
	Data string
	// Invite returns an invitation of the server for a link; nil: the attacks by a linked server
	// are not prepared.
	Invite func(context.Context) (string, error) `json:"-"`
}

// AbuseReport says what people get while others attack the server.
type AbuseReport struct {
	Play    Config         `json:"play"`
	Quiet   Quantiles      `json:"quietMs"` // latency without an attack
	Attacks []AttackReport `json:"attacks"`
}

// AttackReport is the result of one attack.
type AttackReport struct {
	Name    string    `json:"name"`
	By      string    `json:"by"`
	Players Quantiles `json:"playersMs"` // from a move to its receivers
	Times   float64   `json:"times"`     // its p99 divided by that of the quiet run
	// Steps of the attack; the server may have refused all of them.
	Done    uint64         `json:"done"`
	Answers map[int]uint64 `json:"answers"` // by HTTP status, or a corresponding one; 0: no answer
	// The server's peak resident memory so far, in bytes.
	Memory  uint64   `json:"memory,omitempty"`
	Disk    int64    `json:"disk"`               // growth of the data folder in bytes
	Faults  []string `json:"faults,omitempty"`   // faults that no run may have
	Failed  string   `json:"failed,omitempty"`   // why there is no measurement
	Prepare string   `json:"prepared,omitempty"` // why the preparation of the attack failed
}

// Abuse lets people play, first alone and then during one attack after another. It ends by itself.
// It attacks only servers on this machine: what it creates there stays. The error is a ConfigError
// if the configuration is wrong.
func Abuse(ctx context.Context, cfg AbuseConfig) (*AbuseReport, error) {
	u, err := url.Parse(cfg.Play.URL)
	if err != nil || !loopback(u.Hostname()) {
		return nil, ConfigError{
			errors.New(
				"only a server of this machine can be attacked: " +
					"the URL has to name localhost or a loopback address",
			),
		}
	}
	cfg.Play.Foreign = false
	chosen := attacks
	if cfg.Only != "" {
		chosen = nil
		for _, a := range attacks {
			if a.name == cfg.Only {
				chosen = append(chosen, a)
			}
		}
		if chosen == nil {
			return nil, ConfigError{fmt.Errorf("no attack is called %q", cfg.Only)}
		}
	}
	quiet, err := Run(ctx, cfg.Play)
	if err != nil {
		return nil, err
	}
	r := &AbuseReport{Play: cfg.Play, Quiet: quiet.Latency}
	for i := range chosen {
		r.Attacks = append(r.Attacks, cfg.try(ctx, &chosen[i], byte(i), quiet.Latency.P99))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return r, nil
}

// try lets people play during one attack.
func (c *AbuseConfig) try(ctx context.Context, a *attack, number byte, quiet float64) AttackReport {
	r := AttackReport{Name: a.name, By: a.by, Answers: map[int]uint64{}}
	with, cancel := context.WithTimeout(ctx, setupTimeout)
	defer cancel()
	t, err := newAttacker(with, c.Play.URL, number)
	t.invite = c.Invite
	if err == nil {
		err = a.prepared(with, t)
	}
	if err != nil { // the server may refuse what the attack needs, which is a good result, too
		r.Prepare = err.Error()
	}
	defer t.leave(ctx)
	before := folderSize(c.Data)
	play := c.Play
	play.during = func(ctx context.Context, p *run) {
		if a.here {
			if err := t.join(ctx, p); err != nil {
				r.Prepare = err.Error()
				return
			}
		}
		t.attack(ctx, a)
	}
	played, err := Run(ctx, play)
	if r.Disk = folderSize(c.Data) - before; err != nil {
		r.Failed = err.Error()
	} else {
		r.Players, r.Faults = played.Latency, played.Faults()
		r.Times = ratioOf(played.Latency.P99, quiet)
		if played.Server != nil {
			r.Memory = played.Server.PeakRSS
		}
	}
	r.Done, r.Answers = t.counted()
	return r
}

func ratioOf(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// maxSteps is how many steps an attack makes in one second. Real attackers have machines of their
// own. Here they share one with the server, and must not slow it by their own work.
const maxSteps = 1000

// attack makes steps until ctx is done.
func (t *attacker) attack(ctx context.Context, a *attack) {
	var workers sync.WaitGroup
	n := max(a.workers, 1)
	for range n {
		workers.Go(func() {
			pace := time.NewTicker(time.Duration(n) * time.Second / maxSteps)
			defer pace.Stop()
			for ctx.Err() == nil {
				a.step(ctx, t)
				t.steps.Add(1)
				select {
				case <-pace.C:
				case <-ctx.Done():
				}
			}
		})
	}
	workers.Wait()
}

// folderSize returns the size of the files in a folder in bytes, 0 if folder is empty.
func folderSize(folder string) (size int64) {
	if folder == "" {
		return 0
	}
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // removed meanwhile
		}
		if about, err := d.Info(); err == nil && !d.IsDir() {
			size += about.Size()
		}
		return nil
	})
	return size
}

// WriteTable writes the report as text for people.
func (r *AbuseReport) WriteTable(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%d players, %.0f moves a second each, %.0f s for each attack; "+
		"alone: %s\n\n%-28s %-20s %9s %7s %9s %9s %9s  %s\n",
		r.Play.Players, r.Play.Rate, r.Play.Duration.Seconds(), r.Quiet,
		"attack", "by", "p99", "times", "steps", "memory", "disk", "answers")
	for i := range r.Attacks {
		a := &r.Attacks[i]
		if err != nil {
			return err
		}
		if a.Failed != "" {
			_, err = fmt.Fprintf(w, "%-28s %-20s %s\n", a.Name, a.By, a.Failed)
			continue
		}
		_, err = fmt.Fprintf(
			w, "%-28s %-20s %6.1f ms %6.2f× %9d %6d MB %6d kB  %v %v\n", a.Name, a.By,
			a.Players.P99, a.Times, a.Done, a.Memory>>20, a.Disk>>10, a.Answers, a.Faults,
		)
	}
	return err
}
