package room_test

import (
	"slices"
	"testing"
	"time"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// TestAckFields shows which fields of a piece an ack never has.
func TestAckFields(t *testing.T) {
	atCards(t).Run("T10.12 an ack does not repeat what its sender knows", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.move(pouchNote, 0, 0))
		p.ada.events()
		write := p.ada.make(table.OpWrite, pouchNote)
		write.Has, write.Text = write.Has|table.HasText, "mine"
		for _, u := range []table.Update{
			p.ada.move(tokenLeft, 40, 50), p.ada.make(table.OpGrab, tokenLeft),
			p.ada.put(tokenLeft, 60, 70), p.ada.make(table.OpPin, tokenLeft),
			p.ada.make(table.OpUnpin, tokenLeft), p.ada.make(table.OpLock, tokenLeft),
			p.ada.make(table.OpUnlock, tokenLeft), write,
			p.ada.stow(tokenRight, bag, 1), p.ada.blind(table.OpTake, openDie),
		} {
			u.Seq = p.ada.seq + 1
			p.ada.seq++
			if u.Has&table.HasTag != 0 {
				u.Tag = max(p.ada.versions[u.Piece], 1<<16)
			}
			p.ada.mustSend(u)
			acked := false
			for _, e := range p.ada.events() {
				a := e.GetAck()
				if a == nil {
					continue
				}
				acked = true
				if is := a.GetPiece(); is != nil && (is.X != nil || is.Y != nil ||
					is.Pinned != nil || is.Locked != nil || is.Holder != nil || is.Text != nil ||
					is.Set != nil) {
					t.Errorf("the ack of %v has %v", u.Op, is)
				}
			}
			if !acked {
				t.Errorf("%v is not acknowledged", u.Op)
			}
		}
	})
}

// TestBadUpdatesDelayNobody shows that bad updates of one client do not make others wait.
func TestBadUpdatesDelayNobody(t *testing.T) {
	in(t).Run("T16.2 bad updates of another client do not delay an ack", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		bob.frames()
		// took returns how long it takes until an update of ada's is acknowledged.
		took := func(x int32) time.Duration {
			<-time.After(time.Second - time.Duration(time.Now().UnixNano())%time.Second)
			start, seen := time.Now(), len(ada.line.raw)
			ada.mustSend(ada.move(tokenOne, x, x))
			<-time.After(tick)
			ada.line.mu.Lock()
			defer ada.line.mu.Unlock()
			for i, b := range ada.line.raw[seen:] {
				f, err := wire.DecodeFrame(b)
				if err != nil {
					t.Fatal(err)
				}
				if slices.ContainsFunc(f.GetEvents(), func(e *holtpb.Event) bool {
					return e.GetAck() != nil
				}) {
					return ada.line.at[seen+i].Sub(start)
				}
			}
			t.Fatal("it is not acknowledged")
			return 0
		}
		alone := took(1)
		ada.now()
		stop := make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for n := int32(0); ; n++ {
				select {
				case <-stop:
					return
				case <-time.After(time.Millisecond):
				}
				gone := bob.move(table.MaxRandomName, n, n) // no piece has that name
				invalid := bob.move(tokenTwo, n, n)
				invalid.Tag = 1 << 50
				stale := bob.move(tokenOne, n, n)
				stale.Tag = 1 << 16
				_ = bob.send(gone)
				_ = bob.send(invalid)
				_ = bob.send(stale)
			}
		}()
		<-time.After(100 * time.Millisecond)
		beside := took(2)
		close(stop)
		<-done
		if beside > alone {
			t.Errorf("it takes %v beside bad updates, %v without", beside, alone)
		}
	})
}
