package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
)

// clock returns the state of a clock after the latest entry.
func (s *server) clock(p id.Piece) table.Clock { return s.state(p).Clock }

// at sets the server's clock so that the next update comes at t.
func (s *server) at(t id.Millis) { s.now = t - 1 }

// minutes is what both sides of the clock of these tests have at first, and gain what a press adds,
// in milliseconds.
const (
	minutes int32 = 300_000
	gain    int32 = 2000
)

// TestT27Clocks shows what each operation does to clocks of each kind, over time (T27).
// Clauses: T24.6, T27.7
func TestT27Clocks(t *testing.T) {
	type step struct {
		at   id.Millis
		op   table.Op
		with []args
		want table.Clock // the clock afterwards; the initial time and the increment stay
		no   bool        // rejected, and the clock does not change
	}
	const t0 = 2_000_000
	press := func(at id.Millis, n uint8, want table.Clock) step {
		return step{at: at, op: table.OpPress, with: []args{side(n)}, want: want}
	}
	left := func(one, two int32, running uint8, since id.Millis) table.Clock {
		return table.Clock{Left: [2]int32{one, two}, Running: running, Since: since}
	}
	rows := []struct {
		name  string
		piece id.Piece
		steps []step
	}{
		{"T27.1 a press starts the clock of the other side", chessClock, []step{
			press(t0, 2, left(minutes, minutes, 1, t0)),
			press(t0+4000, 1, left(minutes-4000+gain, minutes, 2, t0+4000)),
			press(t0+4500, 2, left(minutes-4000+gain, minutes-500+gain, 1, t0+4500)),
		}},
		{"T14.13, T27.1 the side that is not to move cannot press", chessClock, []step{
			press(t0, 1, left(minutes, minutes, 2, t0)),
			{at: t0 + 1000, op: table.OpPress, with: []args{side(1)}, no: true},
			press(t0+2000, 2, left(minutes, minutes-2000+gain, 1, t0+2000)),
		}},
		{"T27.1 a fallen flag gets no increment", chessClock, []step{
			press(t0, 2, left(minutes, minutes, 1, t0)),
			press(t0+id.Millis(minutes), 1, left(0, minutes, 2, t0+id.Millis(minutes))),
			press(t0+id.Millis(2*minutes)-1, 2, left(0, 1+gain, 1, t0+id.Millis(2*minutes)-1)),
		}},
		{"T27.1 start takes the turn from the other side, without increment", chessClock, []step{
			{at: t0, op: table.OpStart, want: left(minutes, minutes, 1, t0)},
			{at: t0 + 1000, op: table.OpStart, with: []args{side(1)}, no: true},
			{
				at: t0 + 1000, op: table.OpStart, with: []args{side(2)},
				want: left(minutes-1000, minutes, 2, t0+1000),
			},
		}},
		{"T27.1 pause, and go on", chessClock, []step{
			{at: t0, op: table.OpPause, no: true},
			{at: t0, op: table.OpStart, with: []args{side(2)}, want: left(minutes, minutes, 2, t0)},
			{at: t0 + 700, op: table.OpPause, want: left(minutes, minutes-700, 0, t0+700)},
			{
				at: t0 + 9000, op: table.OpStart, with: []args{side(2)},
				want: left(minutes, minutes-700, 2, t0+9000),
			},
			{at: t0 + 9300, op: table.OpPause, want: left(minutes, minutes-1000, 0, t0+9300)},
		}},
		{"T27.1 set and reset stop it", chessClock, []step{
			press(t0, 2, left(minutes, minutes, 1, t0)),
			{
				at: t0 + 10, op: table.OpSet, with: []args{ms(60_000), increment(0)},
				want: table.Clock{Left: [2]int32{60_000, 60_000}, Initial: 60_000, Since: t0 + 10},
			},
			{at: t0 + 20, op: table.OpStart, want: table.Clock{
				Left: [2]int32{60_000, 60_000}, Initial: 60_000, Running: 1, Since: t0 + 20,
			}},
			{
				at: t0 + 30, op: table.OpReset,
				want: table.Clock{Left: [2]int32{60_000, 60_000}, Initial: 60_000, Since: t0 + 30},
			},
			{
				at: t0 + 40, op: table.OpSet, with: []args{ms(curve.MaxValue)},
				want: table.Clock{
					Left: [2]int32{curve.MaxValue, curve.MaxValue}, Initial: curve.MaxValue,
					Since: t0 + 40,
				},
			},
			{at: t0 + 50, op: table.OpSet, with: []args{ms(0)}, want: table.Clock{Since: t0 + 50}},
		}},
		{"T27.1 a stopwatch counts up", stopwatch, []step{
			{at: t0, op: table.OpStart, want: left(0, 0, 1, t0)},
			{at: t0 + 1500, op: table.OpPause, want: left(1500, 0, 0, t0+1500)},
			{
				at: t0 + 2000, op: table.OpStart, with: []args{side(1)},
				want: left(1500, 0, 1, t0+2000),
			},
			{at: t0 + 2100, op: table.OpPause, want: left(1600, 0, 0, t0+2100)},
			{
				at: t0 + 3000, op: table.OpSet, with: []args{ms(curve.MaxValue - 5), increment(0)},
				want: table.Clock{
					Left: [2]int32{curve.MaxValue - 5}, Initial: curve.MaxValue - 5,
					Since: t0 + 3000,
				},
			},
			{
				at: t0 + 3000, op: table.OpStart,
				want: table.Clock{
					Left: [2]int32{curve.MaxValue - 5}, Initial: curve.MaxValue - 5, Running: 1,
					Since: t0 + 3000,
				},
			},
			{
				at: t0 + 3010, op: table.OpPause,
				want: table.Clock{
					Left: [2]int32{curve.MaxValue}, Initial: curve.MaxValue - 5, Since: t0 + 3010,
				},
			},
		}},
		{"T27.6 a server clock that is set back gives nobody time", chessClock, []step{
			press(t0, 2, left(minutes, minutes, 1, t0)),
			press(t0-50_000, 1, left(minutes+gain, minutes, 2, t0)),
			{at: t0 - 40_000, op: table.OpPause, want: left(minutes+gain, minutes, 0, t0)},
			{at: t0 - 30_000, op: table.OpReset, want: left(minutes, minutes, 0, t0)},
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, ada, bob, _ := sit(t)
			initial, gains := s.clock(row.piece).Initial, s.clock(row.piece).Increment
			for i, step := range row.steps {
				was := s.clock(row.piece)
				c := []*tab{ada, bob}[i%2]
				c.act(step.op, row.piece, step.with...)
				s.at(step.at)
				out := s.receive(c)
				s.settle() // compares what both show, too
				if step.no {
					if out.Verdict != table.Rejected || out.Reject.Reason != table.ReasonClock ||
						s.clock(row.piece) != was {
						t.Errorf("step %d: verdict %d for %d, the clock is %+v",
							i, out.Verdict, out.Reject.Reason, s.clock(row.piece))
					}
					continue
				}
				wantVerdict(t, out, table.Recorded)
				if step.op == table.OpSet {
					initial, gains = step.want.Initial, step.want.Increment
				}
				step.want.Initial, step.want.Increment = initial, gains
				if got := s.clock(row.piece); got != step.want {
					t.Errorf("step %d, %s: the clock is\n%+v, want\n%+v",
						i, step.op, got, step.want)
				}
			}
		})
	}
}

// TestT27ClocksAsPieces shows that clocks are pieces: they are added, copied, locked, deleted and
// restarted, and conflict (T27).
func TestT27ClocksAsPieces(t *testing.T) {
	started := func(t *testing.T) (s *server, ada, bob, cid *tab) {
		s, ada, bob, cid = sit(t)
		ada.act(table.OpStart, chessClock)
		s.at(2_000_000)
		s.receive(ada)
		s.settle()
		return s, ada, bob, cid
	}
	t.Run("T27.10 a new clock has the settings of its kind", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.act(table.OpAdd, 0, kind(kindChessClock), at(0, 0))
		s.settle()
		want := table.Clock{
			Left: [2]int32{minutes, minutes}, Initial: minutes, Increment: gain, Since: s.now,
		}
		if got := s.clock(ada.made[0]); got != want {
			t.Errorf("it is %+v, want %+v", got, want)
		}
	})
	t.Run("T27.6, T27.11 a copy has the displayed time, and is stopped", func(t *testing.T) {
		s, ada, _, _ := started(t)
		was := s.clock(chessClock)
		ada.act(table.OpCopy, chessClock, at(0, 0))
		s.at(2_001_234)
		s.receive(ada)
		s.settle()
		want := table.Clock{
			Left: [2]int32{minutes - 1234, minutes}, Initial: minutes, Increment: gain,
			Since: 2_001_234,
		}
		if got := s.clock(ada.made[0]); got != want {
			t.Errorf("it is %+v, want %+v", got, want)
		}
		if s.clock(chessClock) != was {
			t.Error("the original has changed")
		}
	})
	t.Run("T27.5 a lock blocks a clock, a holder or a pin does not", func(t *testing.T) {
		s, ada, bob, cid := started(t)
		bob.do(table.OpGrab, chessClock)
		cid.do(table.OpPress, chessClock, side(1))
		bob.do(table.OpPin, chessClock)
		cid.do(table.OpPress, chessClock, side(2))
		if got := s.state(chessClock); got.Clock.Running != 1 || got.Holder != 2 || !got.Pinned {
			t.Errorf("it is %+v", got)
		}
		ada.do(table.OpLock, chessClock)
		for op, with := range map[table.Op][]args{
			table.OpStart: {side(2)}, table.OpPause: nil, table.OpPress: {side(1)},
			table.OpSet: {ms(1)}, table.OpReset: nil,
		} {
			if out := s.must(
				t, ada, ada.make(op, chessClock, with...), table.Rejected,
			); out.Reject.Reason != table.ReasonLocked {
				t.Errorf("%s: reason %d", op, out.Reject.Reason)
			}
			ada.renew()
		}
	})
	t.Run("T27 a deleted clock cannot be changed", func(t *testing.T) {
		s, ada, bob, _ := started(t)
		bob.act(table.OpDelete, chessClock)
		s.receive(bob)
		if out := s.must(
			t, ada, ada.make(table.OpPress, chessClock, side(1)), table.Rejected,
		); out.Reject.Reason != table.ReasonGone {
			t.Errorf("reason %d", out.Reject.Reason)
		}
	})
	t.Run("T27 of two concurrent presses one counts", func(t *testing.T) {
		s, ada, bob, _ := started(t)
		ada.act(table.OpPress, chessClock, side(1))
		bob.act(table.OpPause, chessClock)
		wantVerdict(t, s.receive(ada), table.Recorded)
		wantVerdict(t, s.receive(bob), table.Discarded)
		s.settle()
		if len(bob.conflicts) != 1 || s.clock(chessClock).Running != 2 {
			t.Errorf("conflicts on %v, the clock is %+v", bob.conflicts, s.clock(chessClock))
		}
	})
	t.Run("T27.9 a stopped clock publishes no start time", func(t *testing.T) {
		s, ada, bob, _ := started(t)
		if got := bob.displayed(chessClock).Clock; got.Since != 2_000_000 || got.Running != 1 {
			t.Errorf("it is displayed as %+v", got)
		}
		ada.do(table.OpPause, chessClock)
		got := bob.displayed(chessClock)
		if !got.IsClock || got.Clock.Since != 0 || got.Clock.Running != 0 ||
			s.clock(chessClock).Since == 0 {
			t.Errorf("it is displayed as %+v", got)
		}
		if token := bob.displayed(tokenOne); token.IsClock || token.Clock != (table.Clock{}) {
			t.Errorf("a token is displayed as %+v", token)
		}
	})
	t.Run("T3, T27 it runs on over a restart", func(t *testing.T) {
		s, ada, _, _ := started(t)
		was := s.clock(chessClock)
		s.keep()
		ada.do(table.OpPress, chessClock, side(1))
		ada.do(table.OpPress, chessClock, side(2))
		now := s.clock(chessClock)
		s.restart() // compares
		s.settle()
		if was == now || now.Running != 1 {
			t.Errorf("it was %+v and is %+v", was, now)
		}
	})
}
