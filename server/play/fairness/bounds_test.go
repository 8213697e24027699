package fairness

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"holt/server/id"
)

// spaces reads as any number of spaces.
type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// TestBoundsOfFiles shows the bounds that a verifier has.
func TestBoundsOfFiles(t *testing.T) {
	t.Run("F14.2 a file of more than 64 MiB is refused", func(t *testing.T) {
		p := firstEvening(t)
		for what, read := range map[string]func(r io.Reader) error{
			"an export": func(r io.Reader) error { _, err := ReadExport(r); return err },
			"notes":     func(r io.Reader) error { _, err := ReadNotes(r); return err },
		} {
			doc := p.file()
			if what == "notes" {
				doc = p.noteFile()
			}
			for _, over := range []int64{0, 1} {
				padded := io.MultiReader(bytes.NewReader(doc),
					io.LimitReader(spaces{}, 64<<20-int64(len(doc))+over))
				if err := read(padded); errors.Is(err, ErrFile) != (over > 0) {
					t.Errorf("%s of %d bytes more than 64 MiB: %v", what, over, err)
				}
			}
		}
	})
	t.Run("F15.2, F15.5 a mix has 64 shares at most, of whichever seats", func(t *testing.T) {
		for _, shares := range []int{5, 33, 64, 65} {
			e := &Export{Table: aTable, Rounds: []ExportedRound{{Round: 1, Opened: 1}}}
			for i := range shares {
				e.Rounds[0].Facts = append(e.Rounds[0].Facts, Dated{At: 2, Fact: Committed{
					Round: 1, Mix: 1, Seat: 3, Client: id.Client{1}, Hash: Digest{byte(i), 1},
				}})
			}
			_, err := Verify(e)
			var d *Difference
			if found := errors.As(err, &d); found != (shares > 64) {
				t.Errorf("a seat has %d shares: %v", shares, err)
			} else if found && (d.Fault != FaultFull || d.Fact != 65) {
				t.Errorf("a seat has %d shares: %+v", shares, d)
			}
		}
	})
	t.Run("F14.20 a seed behind a round that has none is a difference", func(t *testing.T) {
		seed := Seed{1, 2, 3}
		sealed := ExportedRound{Round: 1, Opened: 1, Commitment: Digest{9}}
		revealed := ExportedRound{
			Round: 2, Opened: 2, Commitment: seed.Commitment(aTable, 2), Seed: &seed, Published: 4,
		}
		last := ExportedRound{Round: 3, Opened: 3, Commitment: Digest{8}}
		last.Before = end(aTable, 2, begin(aTable, 2, revealed.Commitment).pool, nil)
		_, err := Verify(&Export{Table: aTable, Rounds: []ExportedRound{sealed, revealed, last}})
		var d *Difference
		if !errors.As(err, &d) || d.Fault != FaultPhase || d.Round != 2 {
			t.Errorf("behind a round without a seed: %v", err)
		}
		// The first round is not in the file: then nobody knows whether it has a seed.
		if _, err := Verify(&Export{
			Table: aTable, Dropped: 1, Rounds: []ExportedRound{revealed, last},
		}); err != nil {
			t.Errorf("without the round before: %v", err)
		}
	})
}
