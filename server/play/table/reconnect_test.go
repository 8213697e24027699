package table_test

import (
	"cmp"
	"maps"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
)

// cut breaks the stream of a tab, which comes back at once, as S5 says. Updates on their way to the
// server still arrive if delivered is set. Otherwise they are lost, and the tab sends nothing until
// it has the full state.
func (c *tab) cut(delivered bool) {
	c.down, c.online = nil, false
	if !delivered {
		c.up, c.held = nil, true
	}
	c.connect()
}

// connect sends the full state, and after it the acks that the tab waits for (S5).
func (c *tab) connect() {
	s := c.server
	c.online, c.settled = true, false
	if len(c.pieces) > 0 {
		waits := c.lowest()
		if s.rnd.IntN(2) == 0 {
			waits = 0 // it does not say; then what was overtaken before a restart is forgotten
		}
		s.table.Return(c.id, c.seat, waits)
	}
	f := &full{
		pieces: s.table.All(c.seat, c.id), oids: map[id.Piece]id.OID{}, stands: map[id.OID]int{},
		floors: maps.Clone(c.floors), holds: s.table.Counts(),
	}
	for _, p := range f.pieces {
		oid := s.bearers[p.Name]
		f.oids[p.Name], f.stands[oid] = oid, len(s.history[oid])
	}
	frame := []event{{full: f}}
	if lowest := c.lowest(); lowest != 0 {
		for _, a := range s.table.Acks(c.id, lowest, s.table.Gen()) {
			frame = append(frame, event{ack: &a})
		}
	}
	c.down = append(c.down, frame)
}

// lowest returns the lowest sequence without an outcome, 0 if there is none.
func (c *tab) lowest() id.ClientSeq {
	lowest := id.ClientSeq(0)
	for _, n := range c.outstanding() {
		if lowest == 0 || n.u.Seq < lowest {
			lowest = n.u.Seq
		}
	}
	return lowest
}

// outstanding returns all pending updates in the order of their sequences.
func (c *tab) outstanding() []note {
	all := slices.Clone(c.adrift)
	for _, k := range c.pieces {
		all = append(all, k.notes...)
		if k.loose != nil {
			all = append(all, *k.loose)
		}
	}
	slices.SortFunc(all, func(a, b note) int { return cmp.Compare(a.u.Seq, b.u.Seq) })
	return all
}

// replace forgets everything and takes over a full state.
func (c *tab) replace(f *full) {
	c.pieces = make(map[id.Piece]*known, len(f.pieces))
	for _, p := range f.pieces {
		oid := f.oids[p.Name]
		c.pieces[p.Name] = &known{oid: oid, is: p, mark: p.Version}
		c.display(p.Name, &node{stands: f.stands[oid], mark: f.floors[oid]})
	}
	c.holds = counted(f.holds)
}

// decide decides about the pending updates when the full state and the acks after it are known
// (S5). An acknowledged update is done. An update of a piece that somebody else has changed is a
// conflict. The others are displayed again and sent again.
func (c *tab) decide(before map[id.Piece]*known, acked map[id.ClientSeq]bool) {
	c.adrift = slices.DeleteFunc(c.adrift, func(n note) bool { return acked[n.u.Seq] })
	for p, was := range before {
		notes, loose := was.notes, was.loose
		if loose != nil && acked[loose.u.Seq] {
			// The server has judged what was sent before it, too: what is not acknowledged was
			// rejected.
			notes, loose = nil, nil
		}
		for i := len(notes) - 1; i >= 0; i-- {
			if acked[notes[i].u.Seq] {
				notes = notes[i+1:]
				break
			}
		}
		k := c.pieces[p]
		if k == nil || (loose == nil && k.is.Version > was.mark) {
			if len(notes) > 0 || loose != nil {
				c.conflicts = append(c.conflicts, p)
			}
			continue
		}
		if loose != nil && k.is.Version > was.mark {
			notes = nil
		}
		k.mark = max(k.mark, was.mark)
		for i := range notes {
			if notes[i].u.Op != table.OpCopy {
				notes[i].node = c.own(p, notes[i].u)
				c.display(p, notes[i].node)
			}
		}
		k.notes, k.loose = notes, loose
		if loose != nil {
			c.replay(p)
		}
	}
	c.held = false
	for _, n := range c.outstanding() {
		c.send(*n.u, n.node)
	}
}

// meet learns from an ack after a full state the new name of a piece that the client's own update
// hid from others (T21).
func (c *tab) meet(before map[id.Piece]*known, a *table.Ack) {
	if a.Piece == 0 || a.Made != 0 || before[a.Piece] != nil {
		return
	}
	for p, k := range before {
		if slices.ContainsFunc(k.notes, func(n note) bool { return n.u.Seq == a.Seq }) {
			delete(before, p)
			before[a.Piece] = k
			return
		}
	}
}
