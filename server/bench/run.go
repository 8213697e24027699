package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
)

// run is one run: the table, the players, and the measurements of all of them.
type run struct {
	// Set at construction.
	cfg       Config
	server    *client.Server
	transport *http.Transport
	start     time.Time
	process   *process        // nil if it cannot be found
	ctx       context.Context //nolint:containedctx // of the clients; ended by leave
	stop      context.CancelFunc
	running   sync.WaitGroup // clients
	drags     atomic.Uint64  // number of drags begun
	texts     sync.Map       // text -> written, for all texts of players

	latency     histogram // of moves, or of points
	moveFrames  weights   // frames with others' moves
	pointFrames weights   // frames with others' points
	resumed     comebacks // streams that were resumed
	renewed     comebacks // streams that began with the full state again

	writeLatency histogram // of texts

	// Set by assemble, before anybody plays.
	host     client.Seat
	invite   string
	kinds    []game.Kind
	info     client.Info
	tracks   []*track // by seat number
	players  []*player
	joining  uint64 // bytes on all streams until the last player was in
	joinTook time.Duration

	// Set by play.
	before, after sample
	table         int // number of pieces on it

	// Set by settle and compare.
	unsettled   int
	divergences []string
	differing   int
	readBack    int

	mu sync.Mutex
	// Guarded by mu.
	complaints map[string]int
}

func newRun(cfg Config) (*run, error) {
	s, transport, err := newServer(cfg)
	if err != nil {
		return nil, err
	}
	p := &run{
		cfg: cfg, server: s, transport: transport, start: time.Now(), complaints: map[string]int{},
		tracks: make([]*track, table.MaxSeats+1),
	}
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.process = see(cfg)
	return p, nil
}

// see finds the server's process. It returns nil if it cannot.
func see(cfg Config) *process {
	if cfg.PID != 0 {
		return &process{pid: cfg.PID}
	}
	u, err := url.Parse(cfg.URL)
	if err != nil || !loopback(u.Hostname()) {
		return nil
	}
	return listener(u.Port())
}

// leave ends all clients and waits for them.
func (p *run) leave() {
	p.stop()
	p.running.Wait()
	p.transport.CloseIdleConnections()
}

// clock returns the time since the start of the run.
func (p *run) clock() time.Duration { return time.Since(p.start) }

// trackOf returns the track of a seat, nil if no player has the seat.
func (p *run) trackOf(seat id.Seat) *track {
	if int(seat) >= len(p.tracks) {
		return nil
	}
	return p.tracks[seat]
}

// fromCorner converts a place that counts from the middle of the table, as on the wire, to one that
// counts from its corner. fromMiddle converts it back.
func (p *run) fromCorner(x, y int32) (int32, int32) {
	return x + p.info.Width/2, y + p.info.Height/2
}
func (p *run) fromMiddle(x, y int32) (int32, int32) {
	return x - p.info.Width/2, y - p.info.Height/2
}

// light reports whether players drag pieces of this kind.
func (p *run) light(kind uint32) bool {
	return int(kind) < len(p.kinds) && p.kinds[kind].Weight == "light"
}

// recordError records an error that the client recovered from. It keeps at most 20 different texts.
func (p *run) recordError(err error) {
	const distinct = 20
	p.mu.Lock()
	defer p.mu.Unlock()
	if text := err.Error(); len(p.complaints) < distinct || p.complaints[text] > 0 {
		p.complaints[text]++
	}
}

// assemble creates the table, adds the pieces and lets the players in.
func (p *run) assemble(ctx context.Context) error {
	var invites client.Invites
	var err error
	p.host, invites, err = p.server.CreateTable(
		ctx, p.cfg.Game, "Measurement", client.Person{Nick: "Bench 1"},
	)
	if err != nil {
		return err
	}
	p.invite = invites.Player
	if err := p.furnish(ctx); err != nil {
		return err
	}
	began := time.Now()
	for i := range p.cfg.Players {
		if err := p.admit(ctx, i); err != nil {
			return fmt.Errorf("player %d: %w", i+1, err)
		}
	}
	p.joinTook = time.Since(began)
	for _, pl := range p.players {
		p.joining += pl.counts.bytes.Load()
	}
	for _, pl := range p.players {
		pl.prepare()
	}
	p.table = len(p.players[0].client.View().Pieces)
	return nil
}

// admit seats one player, opens its stream and waits for the full state. The first player has the
// host's seat. When all seats of the table are taken, players share them.
func (p *run) admit(ctx context.Context, i int) error {
	seat := p.host
	var err error
	switch {
	case i >= table.MaxInUse:
		seat = p.players[i%table.MaxInUse].seat
	case i > 0:
		seat, err = p.takeSeat(ctx, i)
	}
	if err != nil {
		return err
	}
	if p.tracks[seat.Number] == nil {
		p.tracks[seat.Number] = &track{}
	}
	pl := &player{
		run: p, index: i, seat: seat, track: p.tracks[seat.Number],
		rand:   rand.New(rand.NewPCG(p.cfg.Seed, uint64(i))),            //nolint:gosec // repeatable
		pen:    rand.New(rand.NewPCG(p.cfg.Seed, uint64(MaxPlayers+i))), //nolint:gosec // likewise
		joined: make(chan struct{}), ended: make(chan struct{}), got: map[id.Seat]numbers{},
		seqs:    map[id.ClientSeq]int{},
		writing: writing{pending: map[place]string{}, read: map[string]bool{}},
	}
	pl.client, err = client.New(
		client.Config{Server: p.server, Seat: seat, Transport: p.cfg.Transport, Handle: pl.handle},
	)
	if err != nil {
		return err
	}
	p.players = append(p.players, pl)
	p.running.Go(func() {
		if pl.err = pl.client.Run(p.ctx); p.ctx.Err() == nil {
			p.recordError(fmt.Errorf("player %d cannot go on: %w", i+1, pl.err))
		}
		close(pl.ended)
	})
	select {
	case <-pl.joined:
		return nil
	case <-pl.ended:
		return pl.err
	case <-ctx.Done():
		return fmt.Errorf("wait for the full state: %w", ctx.Err())
	}
}

// takeSeat takes a seat. It waits and retries when the server limits the rate for one address.
func (p *run) takeSeat(ctx context.Context, i int) (client.Seat, error) {
	return patiently(ctx, func() (client.Seat, error) {
		return p.server.TakeSeat(
			ctx, p.host.Table, p.invite, client.Person{Nick: fmt.Sprintf("Bench %d", i+1)},
		)
	})
}

// readCatalog fetches the kinds of the table.
func (p *run) readCatalog(ctx context.Context, hash string) error {
	b, err := p.server.Blob(ctx, hash)
	if err != nil {
		return err
	}
	p.kinds, err = game.ParseCatalog(b)
	return err
}

// MarshalJSON encodes the configuration without the fields that depend on the machine: URL, PID,
// Foreign and Dial.
func (c Config) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Game      string           `json:"game"`
		Players   int              `json:"players"`
		Pieces    int              `json:"pieces"`
		Rate      float64          `json:"rate"`
		Seconds   float64          `json:"seconds"`
		Conflict  float64          `json:"conflict"`
		Seed      uint64           `json:"seed"`
		Motion    bool             `json:"motion,omitempty"`
		Reconnect bool             `json:"reconnect,omitempty"`
		Writers   float64          `json:"writers,omitempty"`
		Transport client.Transport `json:"transport"`
	}{
		c.Game, c.Players, c.Pieces, c.Rate, c.Duration.Seconds(), c.Conflict, c.Seed, c.Motion,
		c.Reconnect, c.Writers, c.Transport,
	})
}
