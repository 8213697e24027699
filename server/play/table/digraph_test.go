package table_test

import (
	"cmp"
	"maps"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// node is one update of the digraph of T8, as one tab sees it.
type node struct {
	// client and seq name an update of a tab; client is nil for the server's.
	client *tab
	seq    id.ClientSeq
	parent *node
	base   *node // the latest server update among its ancestors; nil for a server update
	// stands is the number of recorded updates of the piece up to this one; only for server
	// updates.
	stands int
	entry  *table.Entry // if it is recorded
	mark   id.Version   // of a reject, or 0

	// Sets of tabs, as bits by number.
	children  uint32 // made an update on top of it
	displayed uint32 // have displayed it
}

// own returns the node of an update that c makes on top of what it displays.
func (c *tab) own(p id.Piece, u *table.Update) *node {
	c.server.t.Helper()
	parent := c.pieces[p].shows
	n := &node{client: c, seq: u.Seq, parent: parent, base: parent}
	if parent.client != nil {
		n.base = parent.base
	}
	bit := uint32(1) << c.number
	if parent.children&bit != 0 {
		c.server.fatalf("T8 forwards: an update of piece %d has two children by %s", p, c)
	}
	parent.children |= bit
	return n
}

// display makes n what c shows of piece p.
func (c *tab) display(p id.Piece, n *node) {
	c.server.t.Helper()
	bit := uint32(1) << c.number
	if n.displayed&bit != 0 {
		c.server.fatalf("T8 display: an update of piece %d is displayed a second time by %s", p, c)
	}
	n.displayed |= bit
	if was := c.pieces[p].shows; was != nil && n.client != nil && n.parent != was {
		c.server.fatalf(
			"T8 display: an own update of piece %d is displayed over what is not its parent by %s",
			p, c,
		)
	}
	c.pieces[p].shows = n
}

// record makes an entry the latest update of its piece. judged compares it with the node of the tab
// that sent it.
func (s *server) record(e *table.Entry) {
	s.t.Helper()
	if n := len(s.log); n > 0 && e.Gen <= s.log[n-1].Gen {
		s.fatalf("T2: generation %d after %d", e.Gen, s.log[n-1].Gen)
	}
	s.log = append(s.log, *e)
	if e.Who != nil || e.Set != nil || e.Rewound != nil {
		return
	}
	line := s.history[e.Piece]
	switch {
	case e.Made && len(line) > 0:
		s.fatalf("piece %d is made twice", e.Name)
	case !e.Made && len(line) == 0:
		s.fatalf("piece %d was never made", e.Name)
	case !e.Made && line[len(line)-1].entry.After != e.Before:
		s.fatalf("T8 linear: the update of generation %d of piece %d is not on top of the latest",
			e.Gen, e.Name)
	case !e.Made && line[len(line)-1].entry.After.Gone:
		s.fatalf("T20: piece %d changes after it was deleted", e.Name)
	}
	if zSet := e.After.ZGen == e.Gen; !zSet &&
		(e.After.Z != e.Before.Z || e.After.ZGen != e.Before.ZGen) {
		s.fatalf("T13: the Z generation of piece %d is %d in the update of generation %d",
			e.Name, e.After.ZGen, e.Gen)
	}
	s.name(e)
	copied := *e
	s.history[e.Piece] = append(line, &node{entry: &copied, stands: len(line) + 1})
	if e.Order != nil {
		s.reorder(e)
	}
}

// reorder makes an entry about the order of a container the latest update of all pieces in it (T3,
// T31).
func (s *server) reorder(e *table.Entry) {
	s.t.Helper()
	was := drawn(s.states(e.Name))
	if sorted := slices.Sorted(slices.Values(e.Order)); len(was) != len(sorted) || !e.Notice {
		s.fatalf("T31: %d pieces are brought into an order of %d", len(was), len(e.Order))
	}
	levels := zlevel.Spread(len(was))
	for i, at := range e.Order {
		oid := s.bearers[was[at]]
		line := s.history[oid]
		of := table.Entry{
			Gen: e.Gen, At: e.At, Op: e.Op, Seat: e.Seat, Server: true, Piece: oid, Name: was[at],
			Before: line[len(line)-1].entry.After,
		}
		of.After = of.Before
		of.After.Z, of.After.ZGen = levels[i], e.Gen
		if e.Owed != 0 && !kinds[of.After.Kind].Unknown {
			of.After.Since = e.Owed
		}
		s.history[oid] = append(line, &node{entry: &of, stands: len(line) + 1})
	}
}

// name records the names of pieces (T21).
func (s *server) name(e *table.Entry) {
	s.t.Helper()
	if of := s.names[e.Piece]; !e.Made && of != e.Name {
		s.fatalf("T21: the entry of generation %d calls the piece %d that is called %d",
			e.Gen, e.Name, of)
	}
	for _, name := range []id.Piece{e.Name, e.NewName} {
		if name == 0 || s.names[e.Piece] == name {
			continue
		}
		if _, used := s.bearers[name]; used && !namedAgain(e) {
			s.fatalf("T21: the identifier %d is given again, at generation %d", name, e.Gen)
		}
		s.names[e.Piece], s.bearers[name] = name, e.Piece
	}
}

// called returns the name now of a piece that has had the given name.
func (s *server) called(name id.Piece) id.Piece { return s.names[s.bearers[name]] }

// nodeOf returns the node of a recorded update.
func (s *server) nodeOf(e *table.Entry) *node {
	s.t.Helper()
	line := s.history[e.Piece]
	if i, ok := slices.BinarySearchFunc(line, e.Gen, func(n *node, g id.Generation) int {
		return cmp.Compare(n.entry.Gen, g)
	}); ok {
		return line[i]
	}
	s.fatalf("piece %d has no update of generation %d", e.Name, e.Gen)
	return nil
}

// visible reports whether c receives an update as a server update.
func (c *tab) visible(n *node) bool {
	if n.entry.Client == c.id && !n.entry.Server {
		return false
	}
	_, _, shown := c.server.table.Shows(n.entry, c.seat)
	return shown
}

// mine reports whether an update is an ordinary one of c, made on top of what c displayed.
func (c *tab) mine(n *node) bool {
	return n.entry.Client == c.id && !n.entry.Server && !blind(n.entry.Op)
}

// judged checks the outcome of an update (T5, T6, T8).
func (s *server) judged(
	c *tab, up upbound, out table.Outcome, entries []table.Entry, floor id.Version,
) {
	s.t.Helper()
	switch out.Verdict {
	case table.Recorded:
		if len(entries) == 0 {
			s.fatalf("T5: %+v is recorded, and there is no entry", up.u)
		}
		if up.node != nil && up.u.Op != table.OpCopy {
			s.checkRecorded(c, up, &entries[0])
		}
		s.checkAcknowledged(c, up, entries)
	case table.Discarded:
		if up.u.Has&table.HasTag == 0 {
			s.fatalf("T28: %+v of %s is discarded", up.u, c)
		}
		if !c.judged[up.u.Seq] {
			s.checkDiscarded(c, up)
		}
	case table.Rejected:
		if r := out.Reject.Piece; out.Reject.Reason != table.ReasonForgotten &&
			!c.judged[up.u.Seq] && r.Name != 0 && !r.Gone &&
			(r.Version <= s.table.VersionAt(c.seat, up.before) || r.Version <= floor ||
				r.Version <= up.u.Tag) {
			s.fatalf("T14: the version %d of a reject is not fresh for %s", r.Version, c)
		}
	case table.Repeated, table.Deferred:
	}
	renewed := out.Verdict == table.Rejected && len(entries) == 1 && entries[0].Op == table.OpRenew
	if out.Verdict != table.Recorded && len(entries) > 0 && !renewed && !hides(entries) {
		s.fatalf("%+v is not recorded, and there is an entry: %+v", up.u, entries[0])
	}
	c.judged[up.u.Seq] = out.Verdict != table.Deferred
	if up.oid != (id.OID{}) {
		c.checkRecord(up.oid)
	}
}

// checkAcknowledged checks that exactly one entry acknowledges a recorded update, and that no entry
// names another client or seat.
func (s *server) checkAcknowledged(c *tab, up upbound, entries []table.Entry) {
	s.t.Helper()
	acks := 0
	for i := range entries {
		e := &entries[i]
		if e.Client == c.id && e.Seq == up.u.Seq {
			acks++
		} else if e.Client != (id.Client{}) {
			s.fatalf("T10: after %+v of %s comes an update of another: %+v", up.u, c, e)
		}
		if e.Seat != 0 && e.Seat != c.seat {
			s.fatalf("%+v of %s leads to an update of seat %d: %+v", up.u, c, e.Seat, e)
		}
	}
	if acks != 1 {
		s.fatalf("T10: %+v of %s is acknowledged %d times", up.u, c, acks)
	}
}

// checkRecorded checks that an update was recorded on top of what its tab displayed when it made
// it.
func (s *server) checkRecorded(c *tab, up upbound, e *table.Entry) {
	s.t.Helper()
	line := s.history[up.oid]
	i := len(line) - 1
	for i >= 0 && line[i].entry.Gen >= e.Gen {
		i--
	}
	for i >= 0 && !c.visible(line[i]) && !c.mine(line[i]) {
		i--
	}
	if i < 0 {
		s.fatalf("T8 linear: nothing below %+v", up.u)
	}
	latest, parent := line[i], up.node.parent
	switch {
	case e.Server && up.u.Loose(): // the server's own decision (T17)
	case parent.client == nil && parent.stands > i:
	case parent.client != nil && c.mine(latest) && latest.entry.Seq == parent.seq:
	default:
		s.fatalf("T8 linear: %+v of %s is on top of generation %d (%s), not of its parent: %+v",
			up.u, c, latest.entry.Gen, latest.entry.Op, parent)
	}
}

// checkDiscarded looks for the server update, or the reject, that justifies a discard (T8).
func (s *server) checkDiscarded(c *tab, up upbound) {
	s.t.Helper()
	base := -1
	if up.node != nil {
		base = up.node.base.stands
	}
	line := s.history[up.oid]
	for i := len(line) - 1; i >= 0 && i >= base; i-- {
		if c.visible(line[i]) && s.table.VersionAt(c.seat, line[i].entry.Gen) > up.u.Tag {
			return
		}
	}
	if r := c.floors[up.oid]; r > up.u.Tag && (up.node == nil || up.node.base.mark < r) {
		return
	}
	s.fatalf("T8 discard: %+v of %s is discarded without an update or reject", up.u, c)
}

// checkRecord checks the order of the recorded updates of a piece as c sees them (T8): first
// superseded ones, then at most one displayed one, then those on their way to c. It looks at the
// last few.
func (c *tab) checkRecord(oid id.OID) {
	_, k := c.shown(oid)
	if k == nil || !c.online {
		return
	}
	base := k.shows
	if base.client != nil {
		base = base.base
	}
	line := c.server.history[oid]
	from := max(min(base.stands, len(line)), len(line)-64)
	downbound := false
	for _, n := range line[from:] {
		switch {
		case c.mine(n):
			if downbound {
				c.server.fatalf("T8 record: update of %s on piece %d despite a pending one", c, k.is.Name)
			}
		case c.visible(n):
			downbound = true
		}
	}
}

// checkAtRest checks liveness: with nothing in flight, what is displayed is the latest recorded
// state (T8).
func (c *tab) checkAtRest() {
	s := c.server
	s.t.Helper()
	if left := c.outstanding(); len(left) > 0 {
		s.fatalf("T8: nothing is in flight, and %s waits for %+v", c, left)
	}
	all := s.table.All(c.seat, c.id)
	if len(all) != len(c.pieces) {
		s.fatalf("T8: %s shows %d pieces of %d", c, len(c.pieces), len(all))
	}
	for _, want := range all {
		k := c.pieces[want.Name]
		if k == nil {
			s.fatalf("T8: %s does not show piece %d", c, want.Name)
		}
		got := c.displayed(want.Name)
		mark := k.mark
		got.Version = want.Version
		if got != want {
			s.fatalf("T8: at rest %s shows\n%+v, the server\n%+v", c, got, want)
		}
		if mark < want.Version {
			s.fatalf("T7: at rest %s has the version %d for piece %d, the server %d",
				c, mark, want.Name, want.Version)
		}
	}
	if want := counted(s.table.Counts()); !maps.Equal(c.holds, want) {
		s.fatalf("T29: at rest %s counts %v, the server %v", c, c.holds, want)
	}
}
