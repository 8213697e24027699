package room

import (
	"fmt"
	"time"

	"holt/server/id"
	"holt/server/play/table"
)

// Budgets of work (T49), in units of table.Weight. A full table can be recalled or shuffled once
// without a wait; a seat can make 2,000 moves a second.
const (
	MaxUnits     = 40_000 // of one request
	unitsOfSeat  = 4_000  // a second; and MaxUnits at once
	unitsOfTable = 60_000 // a second
	burstOfTable = 120_000
	// A request of so few units is admitted from a seat that has half of its own left, even if its
	// table has none.
	smallRequestUnits  = 256
	unitsPerReject     = 3 // of an update that cannot be applied, besides its work
	piecesPerUnit      = 4 // of a full state
	minUnitsOfRead     = 16
	bytesPerUnit       = 256 // of operations on components
	pieceChecksPerUnit = 64  // pieces that a question looks at
	statesAtOnce       = 8   // full states that the room makes for streams without a pause
)

// TooMuch is the error of a request that costs more than any may (T49).
type TooMuch struct{}

func (TooMuch) Error() string {
	return fmt.Sprintf("the request makes more work than %d units", MaxUnits)
}

// TooFast is the error of a request that costs more than its seat, or its table, has left (T49).
type TooFast struct{ After time.Duration }

func (e TooFast) Error() string { return fmt.Sprintf("too much work, wait %v", e.After) }

// budget is what may still be spent. It fills at a rate, up to a maximum, and may be overdrawn.
type budget struct {
	units float64
	at    time.Time
}

// refill returns what the budget has at a time. It fills at rate units a second, up to most.
func (p *budget) refill(now time.Time, rate, most float64) float64 {
	if p.at.IsZero() {
		p.units = most
	} else {
		p.units = min(most, p.units+now.Sub(p.at).Seconds()*rate)
	}
	p.at = now
	return p.units
}

// budgets are those of a table and of its seats.
type budgets struct {
	table budget
	seats map[id.Seat]*budget
	// Of the work that is being done now.
	looksBefore uint64
	cost        table.Weight
}

// of returns the budget of a seat.
func (b *budgets) of(seat id.Seat) *budget {
	p := b.seats[seat]
	if p == nil {
		p = &budget{}
		b.seats[seat] = p
	}
	return p
}

// admit returns why a request of a seat that costs so many units is refused; nil if it is not. It
// spends nothing.
func (b *budgets) admit(seat id.Seat, units int) error {
	if units > MaxUnits {
		return TooMuch{}
	}
	now := time.Now()
	own := b.of(seat).refill(now, unitsOfSeat, MaxUnits)
	if need := float64(units) - own; need > 0 {
		return TooFast{After: seconds(need / unitsOfSeat)}
	}
	if units <= smallRequestUnits && own > MaxUnits/2 {
		return nil
	}
	if need := float64(units) - b.table.refill(now, unitsOfTable, burstOfTable); need > 0 {
		return TooFast{After: seconds(need / unitsOfTable)}
	}
	return nil
}

// admitOwn is admit for requests that a seat may make whatever its table has left. A seat that
// floods a table must not keep others from coming, nor a host from putting it out.
func (b *budgets) admitOwn(seat id.Seat, units int) error {
	if wait := b.waitOwn(seat, units); wait > 0 {
		return TooFast{After: wait}
	}
	return nil
}

// waitOwn returns how long a seat has to wait until admitOwn admits a request. A request that costs
// more than any seat can have is admitted when the budget is full.
func (b *budgets) waitOwn(seat id.Seat, units int) time.Duration {
	need := float64(min(units, MaxUnits)) - b.of(seat).refill(time.Now(), unitsOfSeat, MaxUnits)
	return max(0, seconds(need/unitsOfSeat))
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// spend takes units from a seat and its table, even if they have fewer.
func (b *budgets) spend(seat id.Seat, units int) {
	now := time.Now()
	own := b.of(seat)
	own.refill(now, unitsOfSeat, MaxUnits)
	own.units -= float64(units)
	b.table.refill(now, unitsOfTable, burstOfTable)
	b.table.units -= float64(units)
}

// countEntries counts entries that were recorded.
func (b *budgets) countEntries(entries []table.Entry) {
	b.cost.Entries += len(entries)
	for i := range entries {
		b.cost.Bytes += entries[i].Size()
		if c := entries[i].Chat; c != nil {
			b.cost.Written += len(c.Text)
		}
		if entries[i].Op == table.OpWrite {
			b.cost.Written += len(entries[i].After.Text)
		}
	}
}

// chargeFor does something for a seat, which pays what it costs.
func (r *room) chargeFor(seat id.Seat, do func()) {
	r.budgets.begin(r.table)
	do()
	r.budgets.settle(r.table, seat)
}

// begin begins to count work.
func (b *budgets) begin(t *table.Table) { b.cost, b.looksBefore = table.Weight{}, t.Looks() }

// settle lets a seat pay for the work since begin.
func (b *budgets) settle(t *table.Table, seat id.Seat) {
	b.cost.Looks = int(t.Looks() - b.looksBefore) //nolint:gosec // of one request
	b.spend(seat, b.cost.Units())
}

// unitsOfState returns what a full state costs a seat. It does not count hidden data that others
// have written.
func (r *room) unitsOfState(seat id.Seat) int {
	own := &r.components.hiddenQuotas
	bytes := r.components.replica.Bytes() - own.total + own.spent[seat]
	return minUnitsOfRead + r.table.Pieces()/piecesPerUnit + bytes/bytesPerUnit
}
