package room_test

import (
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// curvesIn returns the curves of a piece that events bring last; nil if none do.
func curvesIn(events []*holtpb.Event, name id.Piece) (c *holtpb.Curves) {
	for _, e := range events {
		all := append(e.GetFull().GetPieces(), e.GetUpdate().GetPiece(), e.GetAck().GetPiece())
		for _, p := range all {
			if p.GetId() == uint32(name) && p.GetCurves() != nil {
				c = p.GetCurves()
			}
		}
	}
	return c
}

// TestLateComers shows that whoever comes late gets what is left, and that nothing is sent when it
// has run out.
func TestLateComers(t *testing.T) {
	atCards(t).Run("K16.1, K16.6 a die that cools down", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		bob.frames()
		ada.mustSend(ada.blind(table.OpRoll, openDie))
		own, told := curvesIn(ada.events(), openDie), curvesIn(bob.events(), openDie)
		if len(own.GetCurves()) != 1 || own.GetFrom() != told.GetFrom() || own.GetFrom() == 0 {
			t.Fatalf("ada gets %v, and bob %v", own, told)
		}
		<-time.After(100 * time.Millisecond)
		late := r.open(r.seat(r.invites.Spectator, "Eve").Session)
		if got := curvesIn(late.events(), openDie); got.GetFrom() != own.GetFrom() ||
			got.GetCurves()[0].GetMax() != own.GetCurves()[0].GetMax() {
			t.Errorf("whoever comes later gets %v, want %v", got, own)
		}
		for _, p := range []*player{ada, bob} {
			p.events() // that somebody came
		}
		<-time.After(time.Duration(own.GetCurves()[0].GetMax()) * 3 * time.Millisecond)
		for _, p := range []*player{ada, bob, late} {
			if got := p.events(); len(got) != 0 {
				t.Errorf("when it has cooled down %v is sent", got)
			}
		}
		r.stop()
		r.start()
		back := r.open(r.host.Session)
		if got := curvesIn(back.events(), openDie); got.GetFrom() != own.GetFrom() {
			t.Errorf("K16.1 after a restart it is %v, want %v", got, own)
		}
	})
	atClock(t).Run("K13.2, K16.1, K16.6 a running clock", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		ada.mustSend(ada.make(table.OpStart, aClock))
		own := curvesIn(ada.events(), aClock)
		<-time.After(time.Hour)
		late := r.open(r.seat(r.invites.Player, "Bob").Session)
		got := curvesIn(late.events(), aClock)
		if own.GetFrom() == 0 || got.GetFrom() != own.GetFrom() || len(got.GetCurves()) != 3 ||
			got.GetCurves()[0].GetRate() != -1 ||
			int64(got.GetCurves()[0].GetStart()) != clockInitial.Milliseconds() {
			t.Errorf("whoever comes later gets %v, its player %v", got, own)
		}
	})
}
