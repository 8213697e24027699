package bench

import (
	"context"
	"time"

	"holt/server/id"
)

// catchUpPoll is how often catchUp looks at a player's version.
const catchUpPoll = 20 * time.Millisecond

// catchUp waits until each player has received all that the server had for it when asked. On a bad
// line, silence does not mean that nothing is under way. It asks once for each seat, because a seat
// is a view. It reports false if ctx ends first.
func (p *run) catchUp(ctx context.Context) (bool, error) {
	versions := map[id.Seat]id.Version{}
	for _, pl := range p.players {
		if pl.over() {
			continue
		}
		version, known := versions[pl.seat.Number]
		if !known {
			v, err := p.read(ctx, pl)
			if err != nil {
				return false, err
			}
			version = v.Version
			versions[pl.seat.Number] = version
		}
		if !pl.reaches(ctx, version) {
			return false, nil
		}
	}
	return true, nil
}

// over reports whether the client has ended and receives nothing any more.
func (p *player) over() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// reaches waits until the player's view is complete up to a version, or its client has ended. It
// reports false if ctx ends first.
func (p *player) reaches(ctx context.Context, version id.Version) bool {
	for p.client.Version() < version {
		select {
		case <-time.After(catchUpPoll):
		case <-p.ended:
			return true
		case <-ctx.Done():
			return false
		}
	}
	return true
}
