package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/table"
)

// settle waits until nothing is under way: every player has a stream, every update its outcome,
// every move has reached every player, and no frame has come since the last look. It gives up when
// ctx is done.
func (p *run) settle(ctx context.Context) {
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for before := uint64(0); ; {
		p.unsettled = 0
		here, frames := true, uint64(0)
		for _, pl := range p.players {
			p.unsettled += pl.client.Pending() + pl.writing.outstanding()
			here = here && pl.here.Load()
			frames += pl.counts.frames.Load()
		}
		if here && p.unsettled == 0 && frames == before && p.deliveries().missing == 0 {
			return
		}
		before = frames
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

// deliveries counts what became of the moves that others were to receive.
type deliveries struct {
	missing uint64 // recorded and not received
	doubled uint64 // received twice, or without being recorded
	folded  uint64 // replaced by a later move of the same drag (S10)
	covered uint64 // not received, but older than a full state, which shows the result
}

func (p *run) deliveries() deliveries {
	var d deliveries
	for _, pl := range p.players {
		pl.mu.Lock()
		for seat, t := range p.tracks {
			if t != nil {
				d.count(t, pl.index, pl.got[id.Seat(seat)], pl.fullAt)
			}
		}
		d.doubled += pl.doubled
		pl.mu.Unlock()
	}
	return d
}

// count counts the moves of a track that one player should have received. got holds those that it
// received. wholeAt is when its last full state except the first came. A drag moves one piece, so a
// later move of it shows the result of the earlier ones.
func (d *deliveries) count(t *track, player int, got numbers, wholeAt time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	told := map[uint64]bool{} // drags of which a later move was received
	for n := len(t.moves) - 1; n >= 0; n-- {
		m := &t.moves[n]
		switch {
		case m.player == player:
		case got.has(n):
			told[m.drag] = true
			if !m.recorded {
				d.doubled++
			}
		case !m.recorded:
		case told[m.drag]:
			d.folded++
		case m.at < wholeAt:
			d.covered++
		default:
			d.missing++
		}
	}
}

// agree compares the players' views. While something differs, it compares again until ctx is done,
// because a change may still be under way: for example, the server releases the pieces of a player
// whose stream broke. The report contains what differs in the end.
func (p *run) agree(ctx context.Context) error {
	for {
		p.differing, p.divergences, p.readBack = 0, nil, 0
		told, err := p.catchUp(ctx)
		if err == nil {
			err = p.compare(ctx)
		}
		switch {
		case ctx.Err() != nil:
			p.note("some players were not told everything in time")
			return nil //nolint:nilerr // the report says it
		case err != nil:
			return err
		case told && p.differing == 0:
			return nil
		}
		pause(ctx, agreeAgain)
	}
}

// agreeAgain is the pause before the next comparison.
const agreeAgain = 250 * time.Millisecond

// read reads the table through a player's seat. It waits and retries when the server limits the
// rate.
func (p *run) read(ctx context.Context, pl *player) (client.View, error) {
	return patiently(ctx, func() (client.View, error) { return p.server.Read(ctx, pl.seat) })
}

// maxReadBack bounds how many players read the table back over HTTP. They are spread evenly.
const maxReadBack = 100

// maxDescribed bounds how many divergences are described.
const maxDescribed = 10

// compare compares the players' views when all is quiet: some with what GET returns for the same
// seat, and all with the view of the first player, as far as views may agree.
func (p *run) compare(ctx context.Context) error {
	views := make([]client.View, len(p.players))
	for i, pl := range p.players {
		views[i] = pl.client.View()
	}
	each := (len(views) + maxReadBack - 1) / maxReadBack
	for i := 0; i < len(views); i += each {
		v, err := p.read(ctx, p.players[i])
		if err != nil {
			return err
		}
		p.readBack++
		p.differ(fmt.Sprintf("player %d and GET", i+1), views[i].Pieces, v.Pieces)
	}
	first := p.common(&views[0], p.players[0].label)
	sheet := p.players[0].sheet()
	for i := 1; i < len(views); i++ {
		who := fmt.Sprintf("player %d and player 1", i+1)
		p.differ(who, p.common(&views[i], p.players[i].label), first)
		if p.players[i].sheet() != sheet {
			p.note(who + ": another score sheet")
		}
	}
	return nil
}

// common returns what all views of a table have in common, in drawing order. It removes what
// differs between views: names and versions (T21), the fronts of secret pieces (T22) and what lies
// in hands (T23). It adds the label of a piece to its text.
func (p *run) common(v *client.View, label func(id.Piece) string) []table.Shown {
	all := slices.DeleteFunc(slices.Clone(v.Pieces), p.inHand)
	slices.SortFunc(all, func(a, b table.Shown) int {
		return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.ZVersion, b.ZVersion))
	})
	for i := range all {
		s := &all[i]
		s.Text += label(s.Name)
		s.Name, s.Version, s.ZVersion = 0, 0, 0
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

// inHand reports whether a piece lies in an owned hand, where not everybody sees it.
func (p *run) inHand(s table.Shown) bool {
	if s.Owner == 0 || int(s.Kind) >= len(p.kinds) {
		return false
	}
	k := &p.kinds[s.Kind]
	return k.Private || k.Secret || p.isMask(s.Kind)
}

// isMask reports whether a kind is the mask of a secret kind.
func (p *run) isMask(kind uint32) bool {
	for i := range p.kinds {
		if p.kinds[i].Secret && p.kinds[i].Mask == int(kind) {
			return true
		}
	}
	return false
}

// differ notes each piece in which two lists differ.
func (p *run) differ(who string, a, b []table.Shown) {
	note := func(text string) { p.note(who + ": " + text) }
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

// note records a divergence.
func (p *run) note(text string) {
	p.differing++
	if len(p.divergences) < maxDescribed {
		p.divergences = append(p.divergences, text)
	}
}

// seatsOf returns the number of different seats that the players have.
func (p *run) seatsOf() int {
	seats := map[id.Seat]bool{}
	for _, pl := range p.players {
		seats[pl.seat.Number] = true
	}
	return len(seats)
}
