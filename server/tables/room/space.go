package room

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	mathrand "math/rand/v2"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// The log of a table only grows, so it is bounded, and so is what one seat adds to it (T44 to T47).
// This file counts. It decides what is still accepted from a level that everybody may know, and
// from the budgets of seats.

// Quota bounds what is logged. A zero field sets no bound.
type Quota struct {
	Table  int64 // bytes of the log of one table
	Seat   int64 // bytes that one seat may add to it within an hour
	Rounds int   // rounds of randomness that one table may open within an hour
}

// EntryCost is about how many bytes an entry takes on the disk besides its body.
const EntryCost = 24

// Parts of a quota.
const (
	lowAt   = 80 // percent: everybody is warned
	spentAt = 110
	// The edges of levels lie up to 1/blurOf of the quota below their nominal places (T47).
	blurOf = 32
	// Bytes that an update may add at most out of the reserve, as it is weighed.
	smallOnly = 96 << 10
	// The edge of a seat's budget lies up to 1/slackOf of it below its nominal place (T47).
	slackOf    = 16
	bucketSpan = time.Hour
)

// space counts the log of one table. Owned by the room's run.
type space struct {
	// Set at construction.
	quota Quota
	edges [3]int64 // from which on the log is low, full and spent

	logged  int64 // bytes of durable entries
	pending int64 // bytes of the entries that are not durable yet, estimated
	level   holtpb.SpaceLevel
	spent   *tableSpending
}

// newSpace returns the space of a table whose log has logged bytes. The edges depend on key and
// row.
func newSpace(q Quota, key []byte, row *TableRow, logged int64, spent *tableSpending) space {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("holt space"))
	m.Write(row.Table[:])
	m.Write(binary.BigEndian.AppendUint64(nil, uint64(row.Epoch)))
	m.Write(binary.BigEndian.AppendUint64(nil, uint64(row.Base)))
	edgeOffset := m.Sum(nil)
	s := space{quota: q, logged: logged, spent: spent}
	for i, percent := range [3]int64{lowAt, 100, spentAt} {
		width := q.Table/blurOf + 1
		//nolint:gosec // above 0
		s.edges[i] = q.Table*percent/100 - int64(binary.BigEndian.Uint64(edgeOffset[8*i:])%uint64(width))
	}
	s.level = s.now()
	return s
}

// now returns the level by what is counted now.
func (s *space) now() holtpb.SpaceLevel {
	level := holtpb.SpaceLevel_SPACE_LEVEL_AMPLE
	for _, edge := range s.edges {
		if s.quota.Table > 0 && s.logged+s.pending >= edge {
			level++
		}
	}
	return level
}

// full reports whether notes, pieces, components, rounds and sets are refused (T45).
func (s *space) full() bool { return s.level >= holtpb.SpaceLevel_SPACE_LEVEL_FULL }

// reserveUsed reports whether the reserve is used up, too.
func (s *space) reserveUsed() bool { return s.level >= holtpb.SpaceLevel_SPACE_LEVEL_SPENT }

// estimateBytes returns about how many bytes entries take in the log. It rather returns too few: a
// level that was published must hold after a restart, too.
func estimateBytes(entries []table.Entry) (n int64) {
	for i := range entries {
		e := &entries[i]
		n += EntryCost + 64 + int64(len(e.Ops)+len(e.Fact)+2*len(e.Faces)+
			len(e.Before.Text)+len(e.After.Text)+len(e.Before.Z)+len(e.After.Z))
		if e.Set != nil {
			for k := range e.Set.Parts {
				n += 16 + int64(len(e.Set.Parts[k].Text))
			}
		}
	}
	return n
}

// refusal returns why the update of a seat is not recorded (T45, T46, T67); 0 if it may be.
func (r *room) refusal(seat id.Seat, u *table.Update) table.Reason {
	s := &r.space
	switch {
	case r.refusedByFreeze(seat, u) != 0:
		return table.ReasonFrozen
	case u.Op == table.OpUnsay: // it makes room
	case s.reserveUsed() && u.Op != table.OpRelease && u.Op != table.OpTake:
		return table.ReasonLogFull
	case s.full() && !r.fromReserve(seat, u):
		return table.ReasonLogFull
	case u.Op == table.OpSay && !r.chat.mayWrite(seat):
		return table.ReasonCooling
	case u.Op != table.OpRelease && !s.spent.may(seat, s.quota.Seat, r.rand, time.Now()):
		return table.ReasonTooMuch
	}
	return 0
}

// fromReserve reports whether an update is a move, for which there is a reserve: it adds nothing to
// the table, and not much to the log.
func (r *room) fromReserve(seat id.Seat, u *table.Update) bool {
	switch u.Op {
	case table.OpAdd, table.OpCopy, table.OpPlace, table.OpWrite, table.OpSay:
		return false
	default:
		return r.table.Weigh(seat, []table.Update{*u}, MaxUnits).Bytes <= smallOnly
	}
}

// charge counts what was recorded for a seat since next had the weight before.
func (r *room) charge(seat id.Seat, before int64) {
	r.space.spent.charge(seat, r.recorded.estimatedBytes-before, r.space.quota.Seat, time.Now())
}

// watchSpace notifies everybody if the level has risen. It falls only when history is dropped.
func (r *room) watchSpace() {
	if level := r.space.now(); level > r.space.level {
		r.space.level = level
		r.recorded.queueEvent(id.Client{}, wire.SpaceEvent(level))
		r.log.Warn("the log of a table fills up", "level", level.String(), "bytes", r.space.logged)
	}
}

// tableSpending is what the seats of a table have logged lately, and how many rounds the table has
// opened. It outlives the room, so that nobody gets another budget by waiting until the table is
// unloaded. Owned by the run of the table's room: there is one at a time.
type tableSpending struct {
	seats  map[id.Seat]*bucket
	rounds bucket
}

// bucket has what was spent and is not forgiven yet. A whole budget is forgiven evenly within
// bucketSpan.
type bucket struct {
	spent int64
	at    time.Time
	// The budget is smaller by this, until it is used up and available again.
	slack   int64
	refused bool
}

// settle forgives what is due by now.
func (b *bucket) settle(budget int64, now time.Time) {
	if passed := min(now.Sub(b.at), bucketSpan); !b.at.IsZero() && passed > 0 {
		b.spent = max(0, b.spent-int64(float64(budget)*passed.Seconds()/bucketSpan.Seconds()))
	}
	b.at = now
}

// wait returns how long it takes until n more fit into the budget.
func (b *bucket) wait(n, budget int64) time.Duration {
	over := b.spent + n - budget
	return time.Duration(max(0, float64(over)/float64(budget)) * float64(bucketSpan))
}

// may reports whether a seat has some of its budget left; a budget of 0 sets no bound.
func (s *tableSpending) may(seat id.Seat, budget int64, rnd *mathrand.Rand, now time.Time) bool {
	b := s.seats[seat]
	if b == nil || budget == 0 {
		return true
	}
	b.settle(budget, now)
	refused := b.spent >= budget-b.slack
	if b.refused && !refused {
		b.slack = rnd.Int64N(budget/slackOf + 1)
	}
	b.refused = refused
	return !refused
}

// charge counts n bytes for a seat.
func (s *tableSpending) charge(seat id.Seat, n, budget int64, now time.Time) {
	if budget == 0 || n == 0 {
		return
	}
	b := s.seats[seat]
	if b == nil {
		b = &bucket{}
		s.seats[seat] = b
	}
	b.settle(budget, now)
	b.spent += n
}

// round counts a round of randomness, or returns how long to wait for it; a budget of 0 sets no
// bound.
func (s *tableSpending) round(budget int, now time.Time) time.Duration {
	if budget == 0 {
		return 0
	}
	s.rounds.settle(int64(budget), now)
	if wait := s.rounds.wait(1, int64(budget)); wait > 0 {
		return wait
	}
	s.rounds.spent++
	return 0
}

// maxSpending bounds for how many tables spending is kept in memory.
const maxSpending = 10_000

// spendingOf returns what was spent at a table. Rooms.mu is held.
func (rs *Rooms) spendingOf(t id.OID) *tableSpending {
	if s := rs.spent[t]; s != nil {
		return s
	}
	if len(rs.spent) >= maxSpending {
		rs.forgetSpending()
	}
	s := &tableSpending{seats: map[id.Seat]*bucket{}}
	rs.spent[t] = s
	return s
}

// forgetSpending forgets the spending of tables that are not loaded. After an hour all of it is
// forgiven anyhow.
func (rs *Rooms) forgetSpending() {
	for t := range rs.spent {
		if rs.loaded[t] == nil {
			delete(rs.spent, t)
		}
	}
}

// bytesOf returns how many bytes entries take in the log.
func bytesOf(entries [][]byte) (n int64) {
	for _, e := range entries {
		n += int64(len(e)) + EntryCost
	}
	return n
}
