package fairness

import (
	"maps"
	"slices"
	"strconv"

	"holt/server/id"
)

// Rounds of version 2 bind names and times (F16). Each has a line: a running hash of its opening
// and of every public fact, except draws. The seals of draws and the end of the round include the
// value of the line at that moment.

// names are the names that the rounds of an export bind, as far as it was verified.
type names struct {
	seats map[id.Seat]string
	// kinds[n] is KindNames of the first n kinds of the file, as far as it was needed.
	kinds []Digest
}

// version verifies that no round of version 1 follows one of version 2.
func (v *verifier) version(i int) error {
	r := &v.export.Rounds[i]
	if r.Bound != nil {
		return nil
	}
	if v.before++; v.before != r.Round-v.export.Dropped {
		return &Error{FaultVersion, "2", "1"}
	}
	return nil
}

// binding verifies the opening of a round of version 2.
func (v *verifier) binding(i int) error {
	r := &v.export.Rounds[i]
	v.line = Digest{}
	if r.Bound == nil {
		return nil
	}
	if v.names.seats == nil {
		v.names.seats = map[id.Seat]string{}
	}
	for _, s := range r.Bound.Seats {
		v.names.seats[s.Seat] = s.Name
	}
	if err := v.checkKinds(r.Bound.Kinds, r.Bound.Names); err != nil {
		return err
	}
	opened := Opened{Round: r.Round, Commitment: r.Commitment, Before: r.Before, Bound: r.Bound}
	if v.line = opened.line(v.export.Table, r.Opened); v.line != r.Line {
		return &Error{FaultLine, r.Line.String(), v.line.String()}
	}
	return nil
}

// checkKinds returns a FaultName if want is not the hash of the names of the first n kinds of the
// file. It accepts a file without names of kinds.
func (v *verifier) checkKinds(n uint32, want Digest) error {
	if v.export.Kinds == nil {
		return nil
	}
	if v.names.kinds == nil {
		v.names.kinds = []Digest{KindNames(nil)}
	}
	for known := len(v.names.kinds); known <= int(n); known++ {
		name, ok := v.export.Kinds[uint32(known-1)] //nolint:gosec // at most n
		if !ok {
			return &Error{FaultName, "a name of kind " + strconv.Itoa(known-1), "none"}
		}
		v.names.kinds = append(v.names.kinds, v.names.kinds[known-1].kind(name))
	}
	if got := v.names.kinds[n]; got != want {
		return &Error{FaultName, want.String(), got.String()}
	}
	return nil
}

// bind verifies a fact that only rounds of version 2 have, except its line.
func (v *verifier) bind(d *Dated) error {
	if v.in.Bound == nil {
		return &Error{FaultPhase, "commit, close, reveal, mix, draw", d.Fact.Kind().String()}
	}
	switch f := d.Fact.(type) {
	case SeatNamed:
		v.names.seats[f.Seat] = f.Name
	case CatalogChanged:
		return v.checkKinds(f.Kinds, f.Names)
	case Published:
		return v.checkSeed(d.At, &f)
	case Undone:
		return f.check()
	case Rewound:
		return f.check()
	}
	return nil
}

// follow verifies the line after a fact, unless the fact is a draw or the round has no line.
func (v *verifier) follow(d *Dated) error {
	if v.in.Bound == nil {
		return nil
	}
	if v.line = v.line.follow(d.At, d.Fact); v.line != d.Line {
		return &Error{FaultLine, d.Line.String(), v.line.String()}
	}
	return nil
}

// checkSeed verifies that the seed in a fact is the one that the file gives for its round. It
// checks only the order for rounds that were dropped.
func (v *verifier) checkSeed(at id.Millis, f *Published) error {
	if f.Round == 0 || f.Round >= v.in.Round {
		return &Error{FaultRound, "before round " + strconv.Itoa(int(v.in.Round)),
			strconv.Itoa(int(f.Round))}
	}
	if v.lastPublished > 0 && f.Round != v.lastPublished+1 {
		return numbers(FaultRound, v.lastPublished+1, f.Round)
	}
	if v.lastPublished == 0 {
		v.firstPublished = f.Round
	}
	v.lastPublished = f.Round
	if f.Round <= v.export.Dropped {
		return nil
	}
	r := &v.export.Rounds[f.Round-v.export.Dropped-1]
	switch {
	case r.Seed == nil:
		return &Error{FaultPhase, "no seed of a round that is sealed", "a seed"}
	case *r.Seed != f.Seed:
		return &Error{FaultCommitment, Digest(*r.Seed).String(), Digest(f.Seed).String()}
	case r.Published != at:
		return numbers(FaultTime, r.Published, at)
	}
	return nil
}

// checkPublished verifies that each seed was published by a fact, if it was published in a round of
// version 2.
func (v *verifier) checkPublished() *Difference {
	rounds := v.export.Rounds
	first := int(v.before) // the first round of version 2
	if first == len(rounds) {
		return nil
	}
	for i := range rounds {
		r := &rounds[i]
		byFact := v.lastPublished > 0 && r.Round >= v.firstPublished && r.Round <= v.lastPublished
		if r.Seed != nil && !byFact && (i+1 >= first || r.Published > rounds[first].Opened) {
			return &Difference{Fault: FaultPhase, Round: r.Round,
				Want: "a fact that tells the seed", Got: "none", bound: true}
		}
	}
	return nil
}

// seats verifies that the names of seats in the file are those that the rounds have bound last.
func (v *verifier) seats() *Difference {
	for _, n := range slices.Sorted(maps.Keys(v.export.Seats)) {
		if want, bound := v.names.seats[id.Seat(n)]; bound && want != v.export.Seats[n] {
			return &Difference{Fault: FaultName, Want: want, Got: v.export.Seats[n], bound: true}
		}
	}
	return nil
}

// Unbound returns how many names of kinds and of seats no round binds. Whoever passes an export on
// can have changed these names.
func (e *Export) Unbound() (kinds, seats int) {
	bound, known := uint32(0), map[uint32]bool{}
	for i := range e.Rounds {
		r := &e.Rounds[i]
		if r.Bound == nil {
			continue
		}
		bound = max(bound, r.Bound.Kinds)
		for _, s := range r.Bound.Seats {
			known[uint32(s.Seat)] = true
		}
		for k := range r.Facts {
			switch f := r.Facts[k].Fact.(type) {
			case SeatNamed:
				known[uint32(f.Seat)] = true
			case CatalogChanged:
				bound = max(bound, f.Kinds)
			}
		}
	}
	for kind := range e.Kinds {
		if kind >= bound {
			kinds++
		}
	}
	for seat := range e.Seats {
		if !known[seat] {
			seats++
		}
	}
	return kinds, seats
}
