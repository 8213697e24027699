package room_test

import (
	"strings"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// clockInitial is how long a side of the clock has.
const clockInitial = 2 * time.Hour

// aClock is the clock on the table of atClock.
const aClock = ace + 1

// atClock runs tests at a table with a clock.
func atClock(t *testing.T) bubble {
	b := in(t)
	b.game = strings.NewReplacer(`"art":"a.svg"}]}],`, `"art":"a.svg"}]},
	 {"name":"Clock","width":1200,"height":600,"shape":"rect","weight":"light",
	  "clock":{"counts":"down","initial":7200000,"increment":0,
	   "displays":[{"x":10,"y":10,"width":500,"height":500},
	    {"x":600,"y":10,"width":500,"height":500}]},
	  "faces":[{"name":"Clock","art":"a.svg"}]}],`,
		`"face":1}]}`, `"face":1},{"kind":"Clock","x":3000,"y":3000}]}`).Replace(b.game)
	return b
}

// glassRuns is how long the sand of the hourglass of atGlass runs, in milliseconds.
const glassRuns = 180_000

// atGlass returns a bubble with an hourglass in the place of the clock of atClock.
func atGlass(t *testing.T) bubble {
	b := in(t)
	b.game = strings.NewReplacer(`"art":"a.svg"}]}],`, `"art":"a.svg"}]},
	 {"name":"Hourglass","width":500,"height":800,"shape":"rect","weight":"light",
	  "hourglass":{"duration":180000},"faces":[{"name":"Hourglass","art":"a.svg"}]}],`,
		`"face":1}]}`, `"face":1},{"kind":"Hourglass","x":3000,"y":3000}]}`).Replace(b.game)
	return b
}

// clockIn returns the clock as the last ack shows it; nil if none does.
func clockIn(events []*holtpb.Event) (c *holtpb.Clock) {
	for _, e := range events {
		if is := e.GetAck().GetPiece().GetClock(); is != nil {
			c = is
		}
	}
	return c
}

// TestRunningClock shows what the server does while a clock runs.
func TestRunningClock(t *testing.T) {
	atClock(t).Run("K13.2, T27.8 clocks run, and fall, without an update", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		ada.mustSend(ada.make(table.OpStart, aClock))
		if c := clockIn(ada.events()); c.GetRunning() != 1 {
			t.Fatalf("the clock is %v", c)
		}
		bob.frames()
		recorded := r.store.length(r.host.Table)
		<-time.After(clockInitial + time.Hour)
		for who, p := range map[string]*player{"ada": ada, "bob": bob} {
			if got := p.events(); len(got) != 0 {
				t.Errorf("%s is sent %v", who, got)
			}
		}
		if n := r.store.length(r.host.Table) - recorded; n != 0 {
			t.Errorf("%d entries were recorded", n)
		}
		ada.mustSend(ada.make(table.OpPause, aClock))
		if c := clockIn(ada.events()); c == nil || c.GetLeft1() != 0 || c.GetRunning() != 0 {
			t.Errorf("at the end the clock is %v", c)
		}
	})
	atGlass(t).Run("T59.4, T59.7 running sand sends nothing, nor its end", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		bob.frames()
		ada.mustSend(ada.make(table.OpTurn, aClock))
		if c := clockIn(ada.events()); c.GetRunning() != 2 || c.GetLeft2() != glassRuns {
			t.Fatalf("it is %v", c)
		}
		bob.frames()
		recorded := r.store.length(r.host.Table)
		<-time.After(time.Hour)
		for who, p := range map[string]*player{"ada": ada, "bob": bob} {
			if got := p.events(); len(got) != 0 {
				t.Errorf("%s is sent %v", who, got)
			}
		}
		if n := r.store.length(r.host.Table) - recorded; n != 0 {
			t.Errorf("%d entries were recorded", n)
		}
		ada.mustSend(ada.make(table.OpTurn, aClock))
		if c := clockIn(ada.events()); c.GetRunning() != 1 || c.GetLeft1() != glassRuns {
			t.Errorf("turned over again it is %v", c)
		}
	})
	atClock(t).Run("K13.15 a clock runs on while the server is stopped", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		ada.mustSend(ada.make(table.OpStart, aClock))
		began := clockIn(ada.events()).GetSince()
		r.stop()
		<-time.After(time.Hour)
		r.start()
		ada.reopen(0)
		ada.events()
		ada.mustSend(ada.make(table.OpPause, aClock))
		went := r.clock.now() - id.Millis(began)
		left := id.Millis(clockIn(ada.events()).GetLeft1())
		want := id.Millis(clockInitial.Milliseconds()) - went
		if off := left - want; went < id.Millis(time.Hour.Milliseconds()) || off > 1000 || off < -1000 {
			t.Errorf("after %d ms %d ms are left, want %d", went, left, want)
		}
	})
}
