package room

import (
	"testing"

	"holt/server/id"
)

func TestJournals(t *testing.T) {
	use := func(js *journals, n byte, bytes int) *journal {
		j := js.of(id.OID{15: n})
		j.bytes = bytes
		js.keep(j)
		return j
	}
	kept := func(t *testing.T, js *journals, bytes int, want ...byte) {
		t.Helper()
		if js.bytes != bytes || js.order.Len() != len(want) || len(js.byTable) != len(want) {
			t.Errorf("%d bytes of %d journals, want %d of %d", js.bytes, js.order.Len(), bytes,
				len(want))
		}
		for _, n := range want {
			if js.byTable[id.OID{15: n}] == nil {
				t.Errorf("journal %d was forgotten", n)
			}
		}
	}
	t.Run("F14 the least recently used journal is dropped when space is short", func(t *testing.T) {
		js := newJournals()
		use(js, 1, journalBytes/2)
		use(js, 2, journalBytes/4)
		use(js, 3, journalBytes/4)
		kept(t, js, journalBytes, 1, 2, 3)
		first := use(js, 1, journalBytes/2)
		use(js, 3, journalBytes/4+1)
		kept(t, js, journalBytes*3/4+1, 1, 3)
		if js.of(first.table) != first {
			t.Error("it is another one")
		}
	})
	t.Run("F14 an oversized journal is not kept, a dropped one not counted", func(t *testing.T) {
		js := newJournals()
		lost := use(js, 1, 100)
		use(js, 2, journalBytes+1)
		kept(t, js, 0)
		lost.bytes = 200
		js.keep(lost) // its reader was under way
		kept(t, js, 0)
		if js.of(lost.table) == lost {
			t.Error("it came back")
		}
	})
	t.Run("F14 a journal that is reset and grows is counted at its size", func(t *testing.T) {
		js := newJournals()
		j := use(js, 1, 300)
		use(js, 1, 500)
		kept(t, js, 500, 1)
		j.begin(&TableRow{Epoch: 2}, nil)
		js.keep(j)
		kept(t, js, factCost, 1)
	})
	t.Run("F14 an unreadable journal fails each time, and nothing is left out", func(t *testing.T) {
		j := newJournals().of(id.OID{1})
		j.begin(&TableRow{Epoch: 1}, nil)
		for range 2 {
			if err := j.add([]byte{0xff}); err == nil || j.at != 0 {
				t.Errorf("at %d: %v", j.at, err)
			}
		}
	})
}
