package fairness

import (
	"errors"
	"fmt"
	"slices"

	"holt/server/id"
)

// Export is what anybody may have of a table's rounds (F14): everything of revealed rounds, and of
// the others what is public. ReadExport and Write give it the form of a file.
type Export struct {
	Table id.OID
	// Kinds and Seats are names for people. Where a round of version 2 binds a name, it must be
	// that name.
	Kinds map[uint32]string
	Seats map[uint32]string
	// Dropped is the number of rounds that are missing before the first one, because the history of
	// the table was dropped.
	Dropped Round
	Rounds  []ExportedRound
}

// ExportedRound is one round of an export.
type ExportedRound struct {
	Round      Round
	Opened     id.Millis
	Commitment Digest
	Before     Digest
	Seed       *Seed     // nil while the round is sealed
	Published  id.Millis // when the seed was published; 0 while the round is sealed
	Facts      []Dated   // in order, without Opened; with Published only in rounds of version 2

	// Bound and Line are nil and zero for a round of version 1.
	Bound *Bound
	Line  Digest // at the beginning of the round
}

// Dated is a fact with the time at which it was recorded.
type Dated struct {
	At   id.Millis
	Fact Fact
	Line Digest // after the fact; zero for a draw, and in a round of version 1
}

// ErrHistory is wrapped by errors about facts that cannot be a history of rounds.
var ErrHistory = errors.New("fair: no history of rounds")

// Exporter collects the facts of a log for exports. Later additions do not change what Export has
// returned, so it may be read meanwhile.
type Exporter struct {
	table   id.OID
	version uint64
	dropped Round // the number of rounds before the first one of the log
	rounds  []exportedRound
}

// exportedRound is a round with all its facts, and with those that are public while it is sealed.
type exportedRound struct {
	ExportedRound
	sealed []Dated // nil when the seed was published
	line   Digest  // after the last fact
}

// NewExporter returns an exporter for a table without facts.
func NewExporter(table id.OID) *Exporter { return &Exporter{table: table} }

// Version counts the changes of the export: two exports of one log with the same version are equal.
// It reveals nothing that the export does not reveal.
func (x *Exporter) Version() uint64 { return x.version }

// Add adds the next fact of the log, recorded at server time at. The error wraps ErrHistory if the
// fact does not belong to a round of the log. Then nothing was added.
func (x *Exporter) Add(at id.Millis, f Fact) error {
	switch f := f.(type) {
	case Opened:
		if len(x.rounds) == 0 {
			x.dropped = f.Round - 1
		}
		r := exportedRound{
			ExportedRound: ExportedRound{Round: f.Round, Opened: at, Commitment: f.Commitment,
				Before: f.Before, Facts: []Dated{}, Bound: f.Bound},
			sealed: []Dated{},
		}
		if f.Bound != nil {
			r.Line = f.line(x.table, at)
			r.line = r.Line
		}
		x.rounds = append(x.rounds, r)
		x.version++
		return nil
	case Published:
		return x.publish(at, f)
	case Committed:
		f.Client = id.Client{}
		return x.add(at, f)
	default:
		return x.add(at, f)
	}
}

// publish adds that the seed of a round was published. An open round of version 2 binds this fact,
// too.
func (x *Exporter) publish(at id.Millis, f Published) error {
	of := slices.IndexFunc(x.rounds, func(r exportedRound) bool { return r.Round == f.Round })
	if of < 0 && f.Round > x.dropped {
		return fmt.Errorf("%w: round %d was not opened, and its seed is published", ErrHistory, f.Round)
	}
	if n := len(x.rounds); n > 0 && x.rounds[n-1].Bound != nil {
		if err := x.add(at, f); err != nil {
			return err
		}
	}
	if f.Round > x.dropped {
		x.rounds[of].Seed, x.rounds[of].Published, x.rounds[of].sealed = &f.Seed, at, nil
		x.version++
	}
	return nil
}

func (x *Exporter) add(at id.Millis, f Fact) error {
	if len(x.rounds) == 0 {
		return fmt.Errorf("%w: %s before a round was opened", ErrHistory, f.Kind())
	}
	r := &x.rounds[len(x.rounds)-1]
	d := Dated{At: at, Fact: f}
	if f.Kind() != KindDrawn && r.Bound != nil {
		r.line = r.line.follow(at, f)
		d.Line = r.line
	}
	r.Facts = append(r.Facts, d)
	if open := sealedFact(f); open != nil {
		r.sealed = append(r.sealed, Dated{At: at, Fact: open, Line: d.Line})
		x.version++
	}
	return nil
}

// Catalog returns the catalogue whose kinds the last facts are about. It reports false if the last
// round binds none.
func (x *Exporter) Catalog() (Digest, bool) {
	if len(x.rounds) == 0 || x.rounds[len(x.rounds)-1].Bound == nil {
		return Digest{}, false
	}
	r := &x.rounds[len(x.rounds)-1]
	for _, d := range slices.Backward(r.Facts) {
		if f, is := d.Fact.(CatalogChanged); is {
			return f.Catalog, true
		}
	}
	return r.Bound.Catalog, true
}

// Export returns what was added, without what is still sealed: of the draws of a sealed round it
// has only those of Everybody, with number, mix and seal alone. It shares memory with the exporter.
// Its cost is proportional to the number of rounds.
func (x *Exporter) Export() *Export {
	e := &Export{Table: x.table, Dropped: x.dropped, Rounds: make([]ExportedRound, len(x.rounds))}
	for i := range x.rounds {
		e.Rounds[i] = x.rounds[i].ExportedRound
		if e.Rounds[i].Seed == nil {
			e.Rounds[i].Facts = x.rounds[i].sealed
		}
	}
	return e
}

// sealedFact returns what is public of a fact while its round is sealed, nil if nothing is.
func sealedFact(f Fact) Fact {
	d, is := f.(Drawn)
	switch {
	case !is:
		return f
	case d.Record.Audience != Everybody:
		return nil
	}
	d.Record = Record{Number: d.Record.Number, Mix: d.Record.Mix}
	return d
}
