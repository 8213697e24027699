package fairness

// Comparison counts what of some notes was found in an export.
type Comparison struct {
	Rounds, Closings, Pools, Seals, Shares int
	// LeftOut counts own shares that the table names as withheld.
	LeftOut int
	// Absent counts notes that are later than the file, or whose content is not in the file because
	// the round is sealed or was dropped.
	Absent int
}

// Compare looks for the notes in an export that Verify has accepted. The error is a *Difference
// with Noted set: the first one in the order of the notes.
func Compare(e *Export, n *Notes) (Comparison, error) {
	c := comparison{export: e}
	if n.Table != e.Table {
		return c.found, &Difference{Fault: FaultTable, Noted: true, Want: n.Table.String(),
			Got: e.Table.String()}
	}
	for i := range n.Rounds {
		r := &n.Rounds[i]
		if r.Round <= e.Dropped || int(r.Round-e.Dropped) > len(e.Rounds) {
			c.found.Absent += 1 + len(r.Closings) + len(r.Pools) + len(r.Seals) + len(r.Shares)
			continue
		}
		c.index(&e.Rounds[r.Round-e.Dropped-1])
		if d := c.compare(r); d != nil {
			d.Noted, d.Round = true, r.Round
			return c.found, d
		}
	}
	return c.found, nil
}

// comparison is the state of one Compare.
type comparison struct {
	export *Export
	found  Comparison

	// For the round that is being compared.
	in       *ExportedRound
	closings map[Mix]place
	pools    map[Mix]place
	seals    map[seated]place
	hashes   map[promise]Share
	revealed map[portion]bool
}

// place is a digest, and the number of its fact, counted from 1.
type place struct {
	fact   int
	digest Digest
}

// seated names a draw in a round, promise a commitment, and portion a share.
type (
	seated struct {
		audience Audience
		number   Number
	}
	promise struct {
		mix  Mix
		hash Digest
	}
	portion struct {
		mix   Mix
		share Share
	}
)

// index collects the facts of a round, so that they can be found.
func (c *comparison) index(r *ExportedRound) {
	c.in = r
	c.closings, c.pools, c.seals = map[Mix]place{}, map[Mix]place{}, map[seated]place{}
	c.hashes, c.revealed = map[promise]Share{}, map[portion]bool{}
	share := Share(0) // the last share of the current mix
	for i := range r.Facts {
		switch f := r.Facts[i].Fact.(type) {
		case Committed:
			share++
			c.hashes[promise{f.Mix, f.Hash}] = share
		case Closed:
			c.closings[f.Mix] = place{i + 1, f.Closing}
		case Revealed:
			c.revealed[portion{f.Mix, f.Share}] = true
		case Mixed:
			c.pools[f.Mix] = place{i + 1, f.Pool}
			share = 0
		case Drawn:
			c.seals[seated{f.Record.Audience, f.Record.Number}] = place{i + 1, f.Seal}
		}
	}
}

// compare returns the first difference in a round, nil if there is none.
func (c *comparison) compare(n *NotedRound) *Difference {
	if n.Commitment != c.in.Commitment {
		return &Difference{Fault: FaultCommitment, Want: n.Commitment.String(),
			Got: c.in.Commitment.String()}
	}
	if n.Before != nil && *n.Before != c.in.Before {
		return &Difference{Fault: FaultEnd, Want: n.Before.String(), Got: c.in.Before.String()}
	}
	c.found.Rounds++
	for _, m := range n.Closings {
		if d := c.digest(FaultClosing, c.closings[m.Mix], m.Digest, &c.found.Closings); d != nil {
			return d
		}
	}
	for _, m := range n.Pools {
		if d := c.digest(FaultPool, c.pools[m.Mix], m.Digest, &c.found.Pools); d != nil {
			return d
		}
	}
	for _, s := range n.Seals {
		if c.in.Seed == nil && s.Audience != Everybody {
			c.found.Absent++
			continue
		}
		if d := c.digest(FaultSeal, c.seals[seated{s.Audience, s.Number}], s.Seal,
			&c.found.Seals); d != nil {
			d.Audience, d.Draw = s.Audience, s.Number
			return d
		}
	}
	for i := range n.Shares {
		if d := c.share(&n.Shares[i]); d != nil {
			return d
		}
	}
	return nil
}

// digest compares a noted digest with the found one. found is the zero place if there was none.
func (c *comparison) digest(fault Fault, found place, want Digest, count *int) *Difference {
	switch {
	case found.fact == 0:
		return c.missing(fault, want)
	case found.digest != want:
		return &Difference{Fault: fault, Fact: found.fact, Want: want.String(),
			Got: found.digest.String()}
	}
	*count++
	return nil
}

// missing returns the difference if something noted is not in the file. In the last round there is
// none, because the notes may be later than the file.
func (c *comparison) missing(f Fault, want Digest) *Difference {
	if int(c.in.Round-c.export.Dropped) == len(c.export.Rounds) {
		c.found.Absent++
		return nil
	}
	return &Difference{Fault: f, Want: want.String(), Got: "none"}
}

// share looks for the client's own contribution: its commitment, and whether it was revealed.
func (c *comparison) share(n *NotedShare) *Difference {
	hash := n.Entropy.Commitment(c.export.Table, c.in.Round, n.Mix, n.Seat)
	number := c.hashes[promise{n.Mix, hash}]
	_, mixed := c.pools[n.Mix]
	switch {
	case number == 0:
		return c.missing(FaultShare, hash)
	case !mixed:
		c.found.Absent++
	case c.revealed[portion{n.Mix, number}]:
		c.found.Shares++
	default:
		c.found.LeftOut++
	}
	return nil
}
