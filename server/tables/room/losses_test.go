package room_test

import (
	"errors"
	"testing"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
)

// TestC2LossesArePaidFor shows that a seat pays for what has won by its size, so that nobody reads
// large values again and again.
func TestC2LossesArePaidFor(t *testing.T) {
	in(t).Run("C2.6 one unit for each 256 bytes of what has won", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		ada.operate(put(schema.TheTable, schema.Foreign, 1, &componentpb.Foreign{Allowed: true}))
		const keys, size, all, perSecond = 20, 16_384, 40_000, 4000 // units, as T49 says
		var stale []crdt.Op
		for n := range uint32(keys) {
			op := crdt.Op{Kind: crdt.Put, Entity: 5, Component: 10 + n, Timestamp: 9,
				Data: make([]byte, size)}
			ada.operate(op)
			op.Kind, op.Timestamp, op.Data = crdt.Delete, 1, nil
			stale = append(stale, op)
		}
		ada.frames()
		<-time.After(time.Minute) // it may use up all its units at once again
		m := ada.message(stale...)
		m.Client = [16]byte{}
		from, spent, read := time.Now(), 0, 0
		m.Lost = func(won crdt.Op) { read += len(won.Data) }
		var err error
		for range 1000 {
			if err = r.rooms.Operate(t.Context(), ada.session, m); err != nil {
				break
			}
			spent += read / 256
			read = 0
		}
		var fast room.TooFast
		most := all + int(time.Since(from)*perSecond/time.Second)
		const each = keys * size / 256
		if !errors.As(err, &fast) || spent < all-each || spent > most+each {
			t.Errorf("it spent %d units of %d, and then %v", spent, most, err)
		}
	})
}
