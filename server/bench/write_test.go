package bench

import (
	"testing"

	"holt/server/client"
	"holt/server/components/schema"
)

// TestWriters shows which players write, and how the outcomes and latencies of writes are counted.
func TestWriters(t *testing.T) {
	t.Run("a share of the players writes, spread evenly", func(t *testing.T) {
		for share, want := range map[float64][]bool{
			0: {false, false, false, false}, 1: {true, true, true, true},
			0.5: {false, true, false, true}, 0.25: {false, false, false, true},
		} {
			c := Config{Writers: share}
			for i, writes := range want {
				if c.writes(i) != writes {
					t.Errorf("of a share of %v player %d writes: %v", share, i, !writes)
				}
			}
		}
	})
	t.Run("a write without an outcome is lost", func(t *testing.T) {
		a, _ := pair(t)
		at := func(n uint32) place { return place{schema.FirstRow, schema.FirstColumn + n} }
		a.writing.pending = map[place]string{at(0): "0.1", at(1): "0.2", at(2): "0.3", at(3): "0.4"}
		a.writing.counts.sent = 4
		for n, kind := range []client.EventKind{
			client.WriteTaken, client.WriteOvertaken, client.WriteRefused, client.WriteTaken,
		} {
			e := client.Event{
				Kind: kind, Entity: schema.FirstRow, Component: schema.FirstColumn + uint32(n),
				Refusal: schema.Full,
			}
			if n == 3 {
				e.Entity++ // of another key
			}
			a.handle(&e)
		}
		if w := a.run.writesReport(); w.Taken != 1 || w.Overtaken != 1 || w.Refused != 1 ||
			w.Lost != 1 || a.writing.outstanding() != 1 {
			t.Errorf("%+v, %d pending", w, a.writing.outstanding())
		}
		if len(a.run.complaints) != 1 {
			t.Errorf("%v", a.run.complaints)
		}
	})
	t.Run("a write from before the cut has no latency", func(t *testing.T) {
		a, _ := pair(t)
		a.writing.pending = map[place]string{{schema.FirstRow, schema.FirstColumn}: "0.1"}
		a.run.texts.Store("0.1", written{})
		a.run.texts.Store("1.1", written{player: 1})
		a.cut.Store(true)
		a.handle(&client.Event{Kind: client.Lost})
		_, mine := a.run.texts.Load("0.1")
		if _, theirs := a.run.texts.Load("1.1"); mine || !theirs {
			t.Errorf("mine is measured: %v, theirs: %v", mine, theirs)
		}
	})
}
