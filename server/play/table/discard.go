package table

import "holt/server/id"

// Leaving returns the sets that go back to their owners when the table is deleted (T42), in the
// order of their identifiers. Each is as if it had been taken off the table as it lies: guests, and
// sets that have left and whose owners were not informed yet. Leaving reports false while pieces of
// the table become a set: the caller must wait for that. It does not change the table.
func (t *Table) Leaving() (all []SetInfo, ok bool) {
	of := map[id.OID]*piece{}
	for _, p := range t.sorted() {
		if !p.state.Set.IsZero() {
			of[p.state.Set] = p
		}
	}
	for _, s := range t.everySet() {
		switch s.Stage {
		case StageMake:
			return nil, false
		case StageHere:
			s.Stage, s.Away, s.Until, s.Parts = StageReturn, AwayNone, 0, nil
			if p := of[s.Set]; p != nil {
				s.Parts = t.partsOf(p)
			}
		case StageReturn, StageOver:
		}
		all = append(all, s)
	}
	return all, true
}

// partsOf returns the parts of the guest to which a piece belongs, as they lie.
func (t *Table) partsOf(p *piece) (parts []SetPart) {
	members := (&judging{t: t, p: p}).setMembers(&p.state)
	for _, m := range members {
		parts = append(parts, t.partOf(m, len(members)))
	}
	return parts
}

// partOf returns a piece as a part of a set of so many parts that leaves the table.
func (t *Table) partOf(p *piece, of int) SetPart {
	part := SetPart{Part: p.state.Part, Face: p.state.Face, Value: p.state.Value,
		Text: p.state.Text}
	switch {
	case t.kind(p).Secret && of > 1:
		part.Face = 1
	// While nobody knows its kind, it has one front (T38).
	case t.kind(p).Secret && !t.isBack(&p.state):
		part.Face = 0
	}
	return part
}
