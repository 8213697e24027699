package bench

import (
	"context"
	"time"

	"holt/server/id"
)

// barrierLook is how often catchUp looks at a player's version.
const barrierLook = 20 * time.Millisecond

// catchUp waits until each player has received all that the server had for it when asked. On a bad
// line, silence does not mean that nothing is under way. It asks once for each seat, because a seat
// is a view. It reports false if ctx ends first.
func (p *party) catchUp(ctx context.Context) (bool, error) {
	marks := map[id.Seat]id.Mark{}
	for _, pl := range p.players {
		if pl.over() {
			continue
		}
		mark, known := marks[pl.seat.Number]
		if !known {
			v, err := p.read(ctx, pl)
			if err != nil {
				return false, err
			}
			mark = v.Mark
			marks[pl.seat.Number] = mark
		}
		if !pl.reaches(ctx, mark) {
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
func (p *player) reaches(ctx context.Context, mark id.Mark) bool {
	for p.client.Mark() < mark {
		select {
		case <-time.After(barrierLook):
		case <-p.ended:
			return true
		case <-ctx.Done():
			return false
		}
	}
	return true
}
