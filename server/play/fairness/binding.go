package fairness

import (
	"maps"
	"slices"
	"strconv"

	"holt/server/id"
)

// Rounds of version 2 bind names and times (F16): each has a line, a running hash of its opening and of every fact that
// everybody is told, draws excepted. The seals of draws and the end of the round are about the line as it is then.

// names are those that the rounds of an export bind, as far as it was verified.
type names struct {
	seats map[id.Seat]string
	kinds []Digest // KindNames of no kind of the file, of the first one, of the first two, as far as they were needed
}

// version verifies that no round of version 1 is behind one of version 2.
func (v *verifier) version(r *ExportedRound) *Difference {
	if r.Bound != nil {
		return nil
	}
	if v.before++; v.before != r.Round-v.export.Dropped {
		return &Difference{Fault: FaultVersion, Round: r.Round, Want: "2", Got: "1"}
	}
	return nil
}

// binding verifies the opening of a round of version 2.
func (v *verifier) binding(r *ExportedRound) *Difference {
	v.line = Digest{}
	wrong := func(err error) *Difference {
		d := difference(err)
		d.Round = r.Round
		return d
	}
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
		return wrong(err)
	}
	opened := Opened{Round: r.Round, Commitment: r.Commitment, Before: r.Before, Bound: r.Bound}
	if v.line = opened.line(v.export.Table, r.Opened); v.line != r.Line {
		return wrong(&Error{FaultLine, r.Line.String(), v.line.String()})
	}
	return nil
}

// checkKinds returns a FaultName if the first kinds of the file, if it has names of kinds, are not called so.
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

// bind verifies a fact that only rounds of version 2 have, but for the line.
func (v *verifier) bind(d *Dated) error {
	if v.in.Bound == nil {
		return &Error{FaultPhase, "commit, close, reveal, mix, draw", d.Fact.Kind().String()}
	}
	switch f := d.Fact.(type) {
	case Named:
		v.names.seats[f.Seat] = f.Name
	case Grown:
		return v.checkKinds(f.Kinds, f.Names)
	case Told:
		return v.checkTell(d.At, &f)
	}
	return nil
}

// follow verifies the line behind a fact, unless it is a draw or the round has none.
func (v *verifier) follow(d *Dated) error {
	if v.in.Bound == nil {
		return nil
	}
	if v.line = v.line.follow(d.At, d.Fact); v.line != d.Line {
		return &Error{FaultLine, d.Line.String(), v.line.String()}
	}
	return nil
}

// checkTell verifies that the seed of a round was told as the round says. What was dropped says nothing.
func (v *verifier) checkTell(at id.Millis, f *Told) error {
	if f.Round == 0 || f.Round >= v.in.Round {
		return &Error{FaultRound, "before round " + strconv.Itoa(int(v.in.Round)), strconv.Itoa(int(f.Round))}
	}
	if v.tell > 0 && f.Round != v.tell+1 {
		return numbers(FaultRound, v.tell+1, f.Round)
	}
	if v.tell == 0 {
		v.firstTell = f.Round
	}
	v.tell = f.Round
	if f.Round <= v.export.Dropped {
		return nil
	}
	r := &v.export.Rounds[f.Round-v.export.Dropped-1]
	switch {
	case r.Seed == nil:
		return &Error{FaultPhase, "no seed of a round that is sealed", "a seed"}
	case *r.Seed != f.Seed:
		return &Error{FaultCommitment, Digest(*r.Seed).String(), Digest(f.Seed).String()}
	case r.Told != at:
		return numbers(FaultTime, r.Told, at)
	}
	return nil
}

// tells verifies that each seed was told by a fact, if it was told in a round of version 2.
func (v *verifier) tells() *Difference {
	rounds := v.export.Rounds
	first := int(v.before) // of version 2
	if first == len(rounds) {
		return nil
	}
	for i := range rounds {
		r := &rounds[i]
		byFact := v.tell > 0 && r.Round >= v.firstTell && r.Round <= v.tell
		if r.Seed != nil && !byFact && (i+1 >= first || r.Told > rounds[first].Opened) {
			return &Difference{Fault: FaultPhase, Round: r.Round, Want: "a fact that tells the seed", Got: "none", bound: true}
		}
	}
	return nil
}

// seats verifies that the seats have the names in the file that the rounds have bound last.
func (v *verifier) seats() *Difference {
	for _, n := range slices.Sorted(maps.Keys(v.export.Seats)) {
		if want, bound := v.names.seats[id.Seat(n)]; bound && want != v.export.Seats[n] {
			return &Difference{Fault: FaultName, Want: want, Got: v.export.Seats[n], bound: true}
		}
	}
	return nil
}

// Unbound returns how many names of kinds and of seats an export has that no round binds: whoever hands it on can
// have changed them.
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
			case Named:
				known[uint32(f.Seat)] = true
			case Grown:
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
