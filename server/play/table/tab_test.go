package table_test

import (
	"fmt"
	"maps"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
)

// tab is a client as docs/protocol/table.md and stream.md describe it. It displays its own updates
// at once, remembers those that are pending, and believes the server.
type tab struct {
	// Set at construction.
	server *server
	id     id.Client
	seat   id.Seat
	role   table.Role
	number int // among the tabs of the server

	seq    id.ClientSeq
	pieces map[id.Piece]*known
	holds  map[counting]int
	adrift []note // updates whose piece does not exist yet, and blind ones (T28)
	up     []upbound
	down   [][]event
	online bool
	// Updates wait for the full state, because those that were in flight are lost.
	held bool
	// One of its updates was judged since its stream was opened, and since the last restart.
	settled bool

	conflicts []id.Piece // shown to the player, in order
	rejects   []table.Reject
	made      []id.Piece
	acked     []id.ClientSeq
	notices   []notice
	faces     []faces

	// Owned by the server: what it knows of the tab.
	judged map[id.ClientSeq]bool
	floors map[id.OID]id.Version
}

// known is what a tab knows of a piece.
type known struct {
	oid   id.OID      // which piece it is; only the server knows
	is    table.Shown // as the server sent it, with the client's own acknowledged updates
	mark  id.Version  // the next tag (T7)
	notes []note      // pending ordinary updates; the last is the main one (T11)
	loose *note
	shows *node // what is displayed
}

// note is a pending update. Its node is nil if it changes nothing on its piece (copy).
type note struct {
	u    *table.Update
	node *node
}

type upbound struct {
	u      table.Update
	oid    id.OID // of the piece, zero if there is none
	node   *node
	before id.Generation // of the latest entry when it was judged
}

// event is one event of a frame.
type event struct {
	full   *full
	update *update
	ack    *table.Ack
	filled *update // of an ack: what the server has added to the update
	reject *table.Reject
	// What a reject or a recorded update shows, or a Loose grab that the server recorded and that
	// changed nothing.
	node   *node
	tally  *table.Tally
	notice *notice
	faces  *faces
}

type full struct {
	pieces []table.Shown
	oids   map[id.Piece]id.OID
	stands map[id.OID]int // how many updates of each piece are in it
	floors map[id.OID]id.Version
	holds  []table.Tally
}

// counting says what is counted (T29).
type counting struct {
	in   id.Piece
	sort uint32
}

func counted(tallies []table.Tally) map[counting]int {
	all := map[counting]int{}
	for _, t := range tallies {
		all[counting{t.Piece, t.Sort}] = t.Count
	}
	return all
}

// notice is what a tab receives of what no change of a piece shows (T28).
type notice struct {
	by    id.Seat
	op    table.Op
	piece id.Piece
	count int32
	to    id.Seat
}

// faces are what is shown to one seat (T31).
type faces struct {
	by    id.Seat
	op    table.Op
	piece id.Piece
	kinds string // as text, so that faces can be compared
}

type update struct {
	entry         *table.Entry
	before, after table.Shown
}

func (c *tab) String() string { return fmt.Sprintf("tab %d of seat %d", c.number, c.seat) }

func (c *tab) by() table.By { return table.By{Client: c.id, Seat: c.seat, Role: c.role} }

// blind reports whether an operation on a piece has no tag (T28).
func blind(op table.Op) bool {
	switch op {
	case table.OpClaim, table.OpLeave, table.OpGive, table.OpShare, table.OpUnshare,
		table.OpDraw, table.OpDeal, table.OpRecall, table.OpCut, table.OpPeek, table.OpShow,
		table.OpShuffle,
		table.OpRoll, table.OpCount, table.OpSplit, table.OpPass, table.OpTake, table.OpPlace,
		table.OpRun:
		return true
	default:
		return false
	}
}

// shown returns the name and the state that a tab has of a piece; nil if it does not see it.
func (c *tab) shown(oid id.OID) (id.Piece, *known) {
	for name, k := range c.pieces {
		if k.oid == oid {
			return name, k
		}
	}
	return 0, nil
}

// call returns the tab's name of the piece that has or had a name; the name itself if the tab does
// not see the piece.
func (c *tab) call(p id.Piece) id.Piece {
	if oid, ok := c.server.bearers[p]; ok && c.pieces[p] == nil {
		if name, k := c.shown(oid); k != nil {
			return name
		}
	}
	return p
}

// known returns what a tab knows of the piece that has or had a name; nil if it does not see it.
func (c *tab) known(p id.Piece) *known { return c.pieces[c.call(p)] }

// make returns the next update of a tab, tagged as T7 says, without sending it. A test may give any
// name that a piece has had.
func (c *tab) make(op table.Op, p id.Piece, with ...args) table.Update {
	c.seq++
	u := table.Update{Seq: c.seq, Op: op, Piece: c.call(p)}
	if p != 0 {
		u.Has = table.HasPiece
	}
	if p != 0 && !blind(op) {
		u.Has |= table.HasTag
		// The first version of all, for a piece that the tab does not see.
		u.Tag = markRejects + 1
		if k := c.pieces[u.Piece]; k != nil {
			u.Tag = k.mark
		}
	}
	for _, a := range with {
		a(&u)
	}
	u.Into = c.call(u.Into)
	for i, listed := range u.Pieces {
		if i == 0 {
			u.Pieces = slices.Clone(u.Pieces)
		}
		u.Pieces[i] = c.call(listed)
	}
	return u
}

// act makes an update, displays its effect and sends it (T9). It returns its sequence.
func (c *tab) act(op table.Op, p id.Piece, with ...args) id.ClientSeq {
	u := c.make(op, p, with...)
	p = u.Piece
	k := c.pieces[p]
	switch {
	case k == nil || blind(op):
		c.adrift = append(c.adrift, note{u: &u})
		c.send(u, nil)
	case op == table.OpCopy:
		k.notes = append(k.notes, note{u: &u})
		c.send(u, nil)
	default:
		n := c.own(p, &u)
		if u.Loose() {
			k.loose = &note{u: &u, node: n}
		} else {
			k.notes = append(k.notes, note{u: &u, node: n})
		}
		c.display(p, n)
		c.send(u, n)
	}
	return u.Seq
}

func (c *tab) send(u table.Update, n *node) {
	if !c.held {
		c.up = append(c.up, upbound{u: u, oid: c.server.bearers[u.Piece], node: n})
	}
}

// displayed returns a piece as the tab displays it: its confirmed state with the effects of the
// pending updates.
func (c *tab) displayed(p id.Piece) table.Shown {
	k := c.known(p)
	if k == nil {
		c.server.fatalf("%s shows no piece %d", c, p)
	}
	s := k.is
	for i := range k.notes {
		c.predict(&s, k.notes[i].u)
	}
	if k.loose != nil {
		c.predict(&s, k.loose.u)
	}
	return s
}

// predict does to s what a client can foresee of u (T24).
func (c *tab) predict(s *table.Shown, u *table.Update) {
	if u.Op == table.OpCopy {
		return
	}
	if u.Has&table.HasXY != 0 {
		s.X, s.Y = u.X, u.Y
	}
	if u.Has&table.HasAngle != 0 {
		s.Angle = u.Angle
	}
	if u.Has&table.HasZ != 0 {
		s.Z = u.Z
	}
	switch u.Op {
	case table.OpGrab, table.OpWrest:
		s.Holder = c.seat
	case table.OpRelease:
		s.Holder = 0
	case table.OpFlip:
		// Only the server knows the front behind a mask.
		if s.Kind != kindBack && s.Kind != kindBlueBack {
			s.Face = u.Face
		}
	case table.OpPin, table.OpUnpin:
		s.Pinned = u.Op == table.OpPin
	case table.OpLock, table.OpUnlock:
		s.Locked = u.Op == table.OpLock
	case table.OpDelete, table.OpStow:
		s.Gone = true
	case table.OpWrite:
		s.Text = u.Text
	case table.OpAssign:
		s.Owner = u.Seat
	case table.OpStart, table.OpPause, table.OpPress, table.OpSet, table.OpReset:
		c.predictClock(&s.Clock, u)
	case table.OpTurn:
		s.Clock.Running, s.Clock.Since = 3-max(s.Clock.Running, 1), 0
	default: // the others do what their arguments say
	}
}

// predictClock does what u does to a clock, as far as a client without a time can foresee it.
func (c *tab) predictClock(s *table.Clock, u *table.Update) {
	s.Running, s.Since = 0, 0
	switch u.Op {
	case table.OpStart:
		s.Running = max(u.Side, 1)
	case table.OpPress:
		s.Running = 3 - u.Side
	case table.OpSet, table.OpReset:
		if u.Op == table.OpSet {
			s.Initial = u.Ms
		}
		if u.Has&table.HasIncrement != 0 {
			s.Increment = u.Increment
		}
		s.Left = [2]int32{s.Initial, s.Initial}
		if kinds[c.pieces[c.call(u.Piece)].is.Kind].Clock.Sides == 1 {
			s.Left[1] = 0
		}
	default: // a pause
	}
}

// drain reads all frames that have come.
func (c *tab) drain() {
	for len(c.down) > 0 {
		c.read()
	}
}

// read processes the first frame that is on its way to the tab.
func (c *tab) read() {
	c.server.t.Helper()
	frame := c.down[0]
	c.down = c.down[1:]
	acked := map[id.ClientSeq]bool{}
	for _, e := range frame {
		if e.ack != nil {
			acked[e.ack.Seq] = true
		}
	}
	var before map[id.Piece]*known // set by a full state
	for _, e := range frame {
		switch {
		case e.full != nil:
			before = c.pieces
			c.replace(e.full)
		case e.update != nil:
			c.onUpdate(e.update, acked)
		case e.ack != nil && before != nil:
			c.meet(before, e.ack)
			c.acked = append(c.acked, e.ack.Seq)
		case e.ack != nil:
			c.onAck(e.ack, e.filled, e.node)
		case e.reject != nil:
			c.onReject(e.reject, e.node)
		case e.tally != nil:
			c.onTally(e.tally)
		case e.notice != nil:
			c.notices = append(c.notices, *e.notice)
		case e.faces != nil:
			c.faces = append(c.faces, *e.faces)
		}
	}
	if before != nil {
		c.decide(before, acked)
	}
}

// onTally records how many lie in a hand or a container (T29).
func (c *tab) onTally(t *table.Tally) {
	of := counting{t.Piece, t.Sort}
	if c.holds[of] == t.Count {
		c.server.fatalf("T29: %s gets again that %d of %d lie in %d",
			c, t.Count, t.Sort, t.Piece)
	}
	if c.holds[of] = t.Count; t.Count == 0 {
		delete(c.holds, of)
	}
}

// onUpdate displays a server update over whatever is displayed (T9, T11). An update of a piece that
// the tab does not know is complete: the piece has come into sight (T21).
func (c *tab) onUpdate(u *update, acked map[id.ClientSeq]bool) {
	c.server.t.Helper()
	p := u.after.Name
	k := c.pieces[p]
	switch {
	case k == nil && (u.before != table.Shown{} || u.after.Gone):
		c.server.fatalf("%s gets an update of piece %d, which it is not shown: %+v",
			c, p, u.entry)
	case k == nil:
		k = &known{oid: u.entry.Piece}
		c.pieces[p] = k
	default:
		was := u.before
		was.Version, was.ZVersion = k.is.Version, k.is.ZVersion
		if was != k.is || k.oid != u.entry.Piece {
			c.server.fatalf("T3: an update of piece %d changes\n%+v, but %s was shown\n%+v",
				p, was, c, k.is)
		}
	}
	// All of a rewind is one version. These tabs are sent its entries; clients get a full state.
	rises := u.after.Version > k.mark || u.entry.Op == table.OpRewind && u.after.Version == k.mark
	if !rises {
		c.server.fatalf("T21: version %d of an update of piece %d is not above %d, which %s had",
			u.after.Version, p, k.mark, c)
	}
	k.is, k.mark = u.after, u.after.Version
	main := len(k.notes) > 0 && !acked[k.notes[len(k.notes)-1].u.Seq]
	if main && k.loose == nil {
		c.conflicts = append(c.conflicts, p)
	}
	k.notes = slices.DeleteFunc(k.notes, func(n note) bool { return !acked[n.u.Seq] })
	c.display(p, c.server.nodeOf(u.entry))
	if u.after.Gone {
		delete(c.pieces, p)
		maps.DeleteFunc(c.holds, func(of counting, _ int) bool { return of.in == p })
		return
	}
	p = c.rename(p, u.after.Renamed)
	if k.loose != nil && !acked[k.loose.u.Seq] {
		c.replay(p)
	}
}

// rename gives a piece its new name, and returns that (T21).
func (c *tab) rename(p, name id.Piece) id.Piece {
	if name == 0 {
		return p
	}
	k := c.pieces[p]
	if c.pieces[name] != nil {
		c.server.fatalf("T21: piece %d of %s gets the identifier of piece %d", p, c, name)
	}
	delete(c.pieces, p)
	k.is.Name, k.is.Renamed = name, 0
	c.pieces[name] = k
	return name
}

// onAck takes over what the server has added (T10).
func (c *tab) onAck(a *table.Ack, filled *update, shows *node) {
	c.acked = append(c.acked, a.Seq)
	if a.Made != 0 {
		c.made = append(c.made, a.Made)
	}
	p, n := c.clear(a.Seq)
	if p == 0 && filled != nil {
		p = a.Piece // a blind update (T28)
	}
	k := c.pieces[p]
	if k == nil || n.u.Op == table.OpCopy {
		return
	}
	k.mark = max(k.mark, a.Version)
	if n.u.Seq == 0 {
		return // acknowledged again
	}
	if !blind(n.u.Op) {
		c.predict(&k.is, n.u)
	}
	switch aside := blind(n.u.Op); {
	case shows == nil || shows.entry != nil && !aside: // it is displayed already
	case !aside || len(k.notes) == 0 && k.loose == nil:
		c.display(p, shows)
	}
	if filled != nil {
		c.fill(p, filled, n.u)
	}
}

// fill takes over what the server has added to an own update.
func (c *tab) fill(p id.Piece, filled *update, u *table.Update) {
	c.server.t.Helper()
	k := c.pieces[p]
	b, f := filled.before, filled.after
	if b.Kind != f.Kind {
		k.is.Kind, k.is.Face = f.Kind, f.Face
	}
	if b.Face != f.Face {
		k.is.Face = f.Face
	}
	if e := filled.entry; b.Angle != f.Angle || e.Before.In != e.After.In { // T10.10
		k.is.Angle = f.Angle
	}
	if b.Z != f.Z {
		k.is.Z = f.Z
	}
	if b.ZVersion != f.ZVersion {
		k.is.ZVersion = f.ZVersion
	}
	if b.Curves != f.Curves {
		k.is.Curves = f.Curves
	}
	if b.Clock != f.Clock {
		k.is.Clock = f.Clock
	}
	if b.Owner != f.Owner {
		k.is.Owner = f.Owner
	}
	if b.Team != f.Team {
		k.is.Team = f.Team
	}
	if b.Value != f.Value {
		k.is.Value = f.Value
	}
	want := f
	want.Version, want.Renamed = k.is.Version, 0
	if k.is != want {
		c.server.fatalf("T10: after the ack of %+v, %s has\n%+v, the server\n%+v",
			*u, c, k.is, want)
	}
	c.rename(p, f.Renamed)
}

// onReject displays the server's state again and forgets what was sent after the update (T14). A
// reject whose version is not above that of the piece is a repetition: the updates that the client
// made after the first reject remain.
func (c *tab) onReject(r *table.Reject, shows *node) {
	c.rejects = append(c.rejects, *r)
	p, n := c.clear(r.Seq)
	if n.u.Seq != 0 && r.Piece.Name != p && !r.Piece.Gone {
		c.server.fatalf("T14: the reject of an update of piece %d is about %d", p, r.Piece.Name)
	}
	k := c.pieces[r.Piece.Name]
	if k == nil {
		return
	}
	if r.Piece.Gone {
		c.server.fatalf("T20: %s still has piece %d when a reject says that it is gone",
			c, r.Piece.Name)
	}
	fresh := r.Piece.Version > k.mark
	if !fresh && n.u.Seq == 0 {
		return
	}
	k.is, k.mark = r.Piece, max(k.mark, r.Piece.Version)
	if fresh {
		k.notes = nil
	}
	c.display(r.Piece.Name, shows)
	for i := range k.notes {
		k.notes[i].node = c.own(r.Piece.Name, k.notes[i].u)
		c.display(r.Piece.Name, k.notes[i].node)
	}
	if k.loose != nil {
		c.replay(r.Piece.Name)
	}
}

// replay displays the effect of a Loose grab on top of what has come (T17).
func (c *tab) replay(p id.Piece) {
	k := c.pieces[p]
	n := c.own(p, k.loose.u)
	k.loose.node = n
	c.display(p, n)
}

// clear removes the pending update of a sequence and returns it, with its piece; an empty one if
// there is none.
func (c *tab) clear(seq id.ClientSeq) (id.Piece, note) {
	is := func(n note) bool { return n.u.Seq == seq }
	if i := slices.IndexFunc(c.adrift, is); i >= 0 {
		n := c.adrift[i]
		c.adrift = slices.Delete(c.adrift, i, i+1)
		return 0, n
	}
	for p, k := range c.pieces {
		if k.loose != nil && k.loose.u.Seq == seq {
			n := *k.loose
			k.loose = nil
			return p, n
		}
		if i := slices.IndexFunc(k.notes, is); i >= 0 {
			n := k.notes[i]
			k.notes = slices.Delete(k.notes, i, i+1)
			return p, n
		}
	}
	return 0, note{u: &table.Update{}}
}
