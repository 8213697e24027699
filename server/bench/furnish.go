package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"holt/server/client"
	"holt/server/play/table"
)

// furnish adds pieces until there are as many as the run wants. The host adds them with a client
// that leaves before the players join.
func (p *run) furnish(ctx context.Context) error {
	b := &builder{
		full: make(chan struct{}), added: make(chan error, atOnce), ended: make(chan struct{}),
	}
	var err error
	b.client, err = client.New(client.Config{Server: p.server, Seat: p.host, Handle: b.handle})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		b.err = b.client.Run(ctx)
		close(b.ended)
	}()
	defer func() {
		cancel()
		<-b.ended
	}()
	select {
	case <-b.full:
	case <-b.ended:
		return b.err
	}
	v := b.client.View()
	p.info = v.Info
	if err := p.readCatalog(ctx, v.Info.Catalog); err != nil {
		return err
	}
	additions, err := p.additions(p.cfg.Pieces - len(v.Pieces))
	if err != nil {
		return err
	}
	return b.add(additions)
}

// builder is the client that adds pieces.
type builder struct {
	// Set at construction.
	client *client.Client
	full   chan struct{} // closed after the first full state
	added  chan error    // an outcome for each piece; has room for all that are under way
	ended  chan struct{} // closed when the client has ended
	err    error         // why it ended; set before ended is closed

	// Owned by handle.
	once bool
}

// atOnce is how many pieces are under way at a time.
const atOnce = 128

func (b *builder) handle(e *client.Event) {
	switch e.Kind {
	case client.Synchronised:
		if !b.once {
			b.once = true
			close(b.full)
		}
	case client.Acked:
		b.added <- nil
	case client.Rejected, client.Conflict, client.Dropped, client.Refused:
		b.added <- fmt.Errorf(
			"add piece: %s (reason %d): %w", e.Kind, e.Reason, errors.Join(e.Err, errNotAdded),
		)
	default:
	}
}

var errNotAdded = errors.New("not added")

func (b *builder) add(all []table.Update) error {
	for under := 0; len(all) > 0 || under > 0; {
		if len(all) > 0 && under < atOnce {
			if _, err := b.client.Do(all[0]); err != nil {
				return fmt.Errorf("add piece: %w", err)
			}
			all, under = all[1:], under+1
			continue
		}
		select {
		case err := <-b.added:
			if err != nil {
				return err
			}
			under--
		case <-b.ended:
			return b.err
		}
	}
	return nil
}

// additions returns updates that add n pieces, of all kinds that can be added, spread over the
// table.
func (p *run) additions(n int) ([]table.Update, error) {
	if n <= 0 {
		return nil, nil
	}
	var kinds []uint32
	for i, k := range p.kinds {
		if k.Weight == "light" && !k.Secret {
			kinds = append(kinds, uint32(i))
		}
	}
	if len(kinds) == 0 {
		return nil, errNoKind
	}
	columns := int32(
		math.Ceil(math.Sqrt(float64(n) * float64(p.info.Width) / float64(p.info.Height))),
	)
	rows := (int32(n) + columns - 1) / columns //nolint:gosec // at most 10,000
	us := make([]table.Update, n)
	for i := range us {
		column, row := int32(i)%columns, int32(i)/columns
		x, y := p.fromMiddle(
			p.info.Width*(2*column+1)/(2*columns), p.info.Height*(2*row+1)/(2*rows),
		)
		us[i] = table.Update{
			Op: table.OpAdd, Has: table.HasKind | table.HasXY, Kind: kinds[i%len(kinds)], X: x,
			Y: y,
		}
	}
	return us, nil
}

// patience returns how long to wait before retrying a request, 0 if it must not be retried.
func patience(err error) time.Duration {
	var p *client.Problem
	if !errors.As(err, &p) || p.Status != http.StatusTooManyRequests {
		return 0
	}
	return max(p.RetryAfter, 100*time.Millisecond)
}

// patiently repeats a request while the server limits the rate.
func patiently[T any](ctx context.Context, request func() (T, error)) (T, error) {
	for {
		v, err := request()
		wait := patience(err)
		if wait == 0 {
			return v, err
		}
		if !pause(ctx, wait) {
			return v, fmt.Errorf("%w, waiting because of: %w", ctx.Err(), err)
		}
	}
}

// pause waits for d. It returns false if ctx ends before that.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
