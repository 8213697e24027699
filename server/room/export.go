package room

import (
	"context"
	"fmt"

	"holt/server/fair"
	"holt/server/game"
	"holt/server/table"
	"holt/server/wire"
)

// Fairness returns what anybody at a table may have of its rounds of randomness, for verification (F14).
func (rs *Rooms) Fairness(ctx context.Context, s Session) (*fair.Export, error) {
	row, err := rs.About(ctx, s.Table)
	if err != nil {
		return nil, err
	}
	x, seats := fair.NewExporter(s.Table), map[uint32]string{}
	err = rs.cfg.Store.Entries(ctx, s.Table, func(body []byte) error {
		e, err := wire.DecodeEntry(body)
		if err != nil {
			return err
		}
		switch {
		case e.Who != nil:
			seats[uint32(e.Who.Seat)] = e.Who.Nick
		case e.Fact != nil:
			f, err := fair.DecodeFact(e.Fact)
			if err != nil {
				return err
			}
			return x.Add(e.At, f)
		}
		return nil
	})
	if err != nil {
		return nil, failed(fmt.Errorf("export rounds: %w", err))
	}
	out := x.Export()
	out.Seats = seats
	out.Kinds, err = rs.kindNames(ctx, row.Catalog)
	return out, err
}

// kindNames returns the names of the kinds of a catalogue.
func (rs *Rooms) kindNames(ctx context.Context, catalog Hash) (map[uint32]string, error) {
	doc, err := rs.Blob(ctx, catalog)
	if err != nil {
		return nil, err
	}
	setting, err := game.ParseCatalog(doc.Data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStorage, err)
	}
	names := map[uint32]string{}
	for i := range setting {
		names[uint32(i)] = setting[i].Name
	}
	return names, nil
}

// OpenRound ends the round of randomness of a table and opens the next (F10). ErrRole unless s is a host's; ErrRounds if too
// many are sealed still.
func (rs *Rooms) OpenRound(ctx context.Context, s Session) (fair.Round, error) {
	if s.Role != table.RoleHost {
		return 0, ErrRole
	}
	r, release, err := rs.acquire(ctx, s.Table)
	if err != nil {
		return 0, err
	}
	defer release()
	round := make(chan fair.Round, 1) // the room answers once
	answer := make(chan error, 1)     // the room answers once
	err = r.do(ctx, func() {
		n, err := r.openRound()
		if err != nil {
			answer <- err
			return
		}
		round <- n
		r.next.answers = append(r.next.answers, answer)
	})
	if err != nil {
		return 0, err
	}
	if err := r.await(ctx, answer); err != nil {
		return 0, err
	}
	return <-round, nil
}
