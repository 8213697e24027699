package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/table"
)

// settle waits until nothing is under way: every update has its outcome, every move is with everybody.
func (p *party) settle(ctx context.Context) {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		p.unsettled = 0
		for _, pl := range p.players {
			p.unsettled += pl.client.Outstanding()
		}
		missing, _, _, _ := p.deliveries()
		if p.unsettled == 0 && missing == 0 {
			return
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

// deliveries returns how many moves have not reached somebody whom they should have reached, how many reached
// somebody twice, how many were told with a later one of the same drag (S10), and how many may have come within a full
// state instead: those of players who got a second one.
func (p *party) deliveries() (missing, doubled, folded, covered uint64) {
	all := uint64(0)
	for _, pl := range p.players {
		all += pl.counts.recorded.Load()
	}
	for _, pl := range p.players {
		due, got := all-pl.counts.recorded.Load(), pl.counts.received.Load()
		if got > due {
			doubled += got - due
			continue
		}
		together := min(pl.counts.folded.Load(), due-got) // of the others there are some that were refused
		folded += together
		if left := due - got - together; pl.counts.wholes.Load() > 1 {
			covered += left
		} else {
			missing += left
		}
	}
	return missing, doubled, folded, covered
}

// maxReadBack bounds how many players read the table back over HTTP: every one, or so many spread evenly.
const maxReadBack = 100

// maxDescribed bounds how many divergences are described.
const maxDescribed = 10

// compare looks at what the players see when all is quiet: each the same as it reads back over HTTP, and all the
// same as each other, as far as views may.
func (p *party) compare(ctx context.Context) error {
	views := make([]client.View, len(p.players))
	for i, pl := range p.players {
		views[i] = pl.client.View()
	}
	each := (len(views) + maxReadBack - 1) / maxReadBack
	for i := 0; i < len(views); i += each {
		v, err := p.server.Read(ctx, p.players[i].seat)
		if err != nil {
			return err
		}
		p.readBack++
		p.differ(fmt.Sprintf("player %d and GET", i+1), views[i].Pieces, v.Pieces)
	}
	first := p.common(&views[0])
	for i := 1; i < len(views); i++ {
		p.differ(fmt.Sprintf("player %d and player 1", i+1), p.common(&views[i]), first)
	}
	return nil
}

// common returns what all views of a table have in common, in the order in which pieces are drawn: names and
// marks are a view's own (T21), and so are the fronts of secret pieces (T22).
func (p *party) common(v *client.View) []table.Shown {
	all := slices.Clone(v.Pieces)
	slices.SortFunc(all, func(a, b table.Shown) int { return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.ZMark, b.ZMark)) })
	for i := range all {
		s := &all[i]
		s.Name, s.Mark, s.ZMark = 0, 0, 0
		if int(s.Kind) >= len(p.kinds) {
			continue
		}
		if k := p.kinds[s.Kind]; k.Secret {
			s.Kind = uint32(k.Mask) //nolint:gosec // a kind
		}
		if p.isMask(s.Kind) {
			s.Face = 0
		}
	}
	return all
}

// isMask reports whether a kind is shown in place of a secret one.
func (p *party) isMask(kind uint32) bool {
	for i := range p.kinds {
		if p.kinds[i].Secret && p.kinds[i].Mask == int(kind) {
			return true
		}
	}
	return false
}

// differ counts the pieces in which two lists differ.
func (p *party) differ(who string, a, b []table.Shown) {
	note := func(text string) {
		p.differing++
		if len(p.divergences) < maxDescribed {
			p.divergences = append(p.divergences, who+": "+text)
		}
	}
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			note(fmt.Sprintf("lacks %+v", b[i]))
		case i >= len(b):
			note(fmt.Sprintf("has beyond it %+v", a[i]))
		case a[i] != b[i]:
			note(fmt.Sprintf("%+v is %+v", a[i], b[i]))
		}
	}
}

// seatsOf returns how many seats the players have.
func (p *party) seatsOf() int {
	seats := map[id.Seat]bool{}
	for _, pl := range p.players {
		seats[pl.seat.Number] = true
	}
	return len(seats)
}
