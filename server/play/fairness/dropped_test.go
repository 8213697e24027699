package fairness

import (
	"bytes"
	"errors"
	"testing"
)

// TestF14DroppedRounds shows how an export is checked whose first rounds were dropped (F14).
func TestF14DroppedRounds(t *testing.T) {
	p := evening(t)
	cut := func(dropped, missing Round) *Export {
		e, err := ReadExport(bytes.NewReader(p.file()))
		if err != nil {
			t.Fatal(err)
		}
		e.Rounds, e.Dropped = e.Rounds[missing:], dropped
		return e
	}
	fault := func(e *Export) error {
		var d *Difference
		if _, err := Verify(e); errors.As(err, &d) {
			return d.Fault
		}
		return nil
	}
	t.Run("F14.16, F14.48 a later start agrees, and earlier notes are absent", func(t *testing.T) {
		for dropped := range Round(3) {
			var b bytes.Buffer
			if err := cut(dropped, dropped).Write(&b); err != nil {
				t.Fatal(err)
			}
			report, found, unread, difference := judge(b.Bytes(), p.noteFile())
			if unread != "" || difference != nil || len(report.Rounds) != int(3-dropped) {
				t.Errorf("without %d rounds: %s, %v, %+v", dropped, unread, difference, report)
			}
			if found.Rounds != int(3-dropped) || dropped > 0 && found.Absent < 2 {
				t.Errorf("without %d rounds %+v was found", dropped, found)
			}
		}
	})
	t.Run("F14.15 unreported missing rounds are a difference", func(t *testing.T) {
		for _, e := range []*Export{cut(0, 1), cut(1, 0), cut(1, 2)} {
			if got := fault(e); !errors.Is(got, FaultRound) {
				t.Errorf("%d dropped, the first is %d: %v", e.Dropped, e.Rounds[0].Round, got)
			}
		}
	})
	t.Run("F14.18 the remaining rounds are followed as usual", func(t *testing.T) {
		e := cut(1, 1)
		e.Rounds[1].Before[0] ^= 1
		if got := fault(e); !errors.Is(got, FaultEnd) {
			t.Errorf("another end is %v", got)
		}
	})
	t.Run("F14 a log with a later start is exported, earlier seeds are skipped", func(t *testing.T) {
		whole := p.log.Export()
		x := NewExporter(whole.Table)
		for i := range whole.Rounds[1:] {
			r := &whole.Rounds[i+1]
			if err := x.Add(
				r.Opened, Opened{Round: r.Round, Commitment: r.Commitment, Before: r.Before},
			); err != nil {
				t.Fatal(err)
			}
			if err := x.Add(r.Opened, Published{Round: 1, Seed: *whole.Rounds[0].Seed}); err != nil {
				t.Fatal(err)
			}
		}
		if e := x.Export(); e.Dropped != 1 || len(e.Rounds) != 2 || fault(e) != nil {
			t.Errorf("%d dropped, %d rounds, %v", e.Dropped, len(e.Rounds), fault(e))
		}
		if err := x.Add(1, Published{Round: 9}); !errors.Is(err, ErrHistory) {
			t.Errorf("a round that was never opened is revealed: %v", err)
		}
	})
	t.Run("F14 the seed of an unopened round adds nothing to the open one", func(t *testing.T) {
		x := NewExporter(aTable)
		if err := x.Add(1, Opened{Round: 1, Bound: &Bound{}}); err != nil {
			t.Fatal(err)
		}
		version := x.Version()
		if err := x.Add(2, Published{Round: 9}); !errors.Is(err, ErrHistory) {
			t.Errorf("the error is %v", err)
		}
		if got := x.Export().Rounds[0]; len(got.Facts) != 0 || got.Seed != nil || x.Version() != version {
			t.Errorf("the round has changed: %+v", got)
		}
	})
}
