package table_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// server is a room without its shell. It judges updates one by one and sends each tab, in a frame
// of its own, what its view is shown. It builds the digraph of T8 and checks its invariants with
// every step.
type server struct {
	t   testing.TB
	run string // its seed, for messages
	rnd *rand.Rand

	config  table.Config
	table   *table.Table
	tabs    []*tab
	log     []table.Entry
	oids    uint64
	clients uint64
	now     id.Millis
	step    int

	// A restart takes the image and replays the entries of the log from cut on.
	image table.Image
	cut   int

	history map[id.OID][]*node
	names   map[id.OID]id.Piece // the name of each piece
	bearers map[id.Piece]id.OID // of every name that a piece has had

	viewers []*viewer        // the public one first
	seats   int              // that the viewers know of
	left    map[id.Seat]bool // those of them that have ended
	truth   truth
	variety variety
	drawn   []table.Chance // by the steps of the last update, if it was a press

	guests guests // what their owner knows of them, and what it is asked

	judgements int  // how many updates were judged
	closed     bool // nothing is added, copied or deleted
	remakes    bool // what was added, copied or deleted is undone
	still      bool // time stands still: the updates are of one batch

	onUpdate func() // called before each update is judged
}

// newServer returns a server with the pieces of setUp and seats: a host, two players, a spectator.
func newServer(t testing.TB, seed uint64) *server { return serve(t, seed, setUp()) }

func serve(t testing.TB, seed uint64, places []table.Place) *server {
	s := &server{
		t: t, run: fmt.Sprintf("seed %d", seed), rnd: seeded(seed), config: configured(seed),
		oids: 1000, now: 1_000_000, history: map[id.OID][]*node{}, names: map[id.OID]id.Piece{},
		bearers: map[id.Piece]id.OID{},
		left:    map[id.Seat]bool{},
	}
	s.table = table.New(s.config)
	s.viewers = []*viewer{{
		server: s, pieces: map[id.Piece]table.Shown{}, past: map[id.Piece]bool{},
		holds: map[counting]int{},
	}}
	s.truth = truth{states: map[id.OID]table.State{}, counts: map[counting]int{}}
	s.invite(places)
	s.image = s.table.Image()
	s.table.SetUp(places, s.now)
	for i, role := range []table.Role{
		table.RoleHost, table.RolePlayer, table.RolePlayer, table.RoleSpectator,
	} {
		if _, ok := s.table.Sit(
			table.SeatInfo{Nick: fmt.Sprint("seat ", i+1), Role: role}, s.now,
		); !ok {
			t.Fatalf("no seat for number %d", i+1)
		}
	}
	s.publish(nil)
	return s
}

func (s *server) fatalf(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("%s, step %d: %s", s.run, s.step, fmt.Sprintf(format, args...))
}

// join returns a new tab of a seat, with the full state.
func (s *server) join(seat id.Seat) *tab {
	who, ok := s.table.Seat(seat)
	if !ok {
		s.fatalf("no seat %d", seat)
	}
	s.clients++
	c := &tab{
		server: s, id: clientID(s.clients), seat: seat, role: who.Role, number: int(s.clients) - 1,
		pieces: map[id.Piece]*known{}, holds: map[counting]int{}, judged: map[id.ClientSeq]bool{},
		floors: map[id.OID]id.Version{},
	}
	s.tabs = append(s.tabs, c)
	c.connect()
	c.drain()
	return c
}

func (s *server) mint() id.OID {
	s.oids++
	return oid(s.oids)
}

// receive judges the first update that is on its way from c, and returns the outcome.
func (s *server) receive(c *tab) table.Outcome { return s.receiveAt(c, 0) }

// overtake judges an update that is on its way from c and may overtake others (D39): none of them
// is about the same pieces, and c has had an answer since its stream was opened. It judges the
// first one if there is no such update.
func (s *server) overtake(c *tab) table.Outcome {
	i := 0
	if c.settled {
		i = s.rnd.IntN(len(c.up))
	}
	for i > 0 && slices.ContainsFunc(c.up[:i], func(before upbound) bool {
		return s.keepOrder(&before, &c.up[i])
	}) {
		i--
	}
	return s.receiveAt(c, i)
}

// keepOrder reports whether two updates of a client are judged in the order in which it made them.
func (s *server) keepOrder(a, b *upbound) bool {
	about := s.about(a)
	return fence(&a.u) || fence(&b.u) ||
		slices.ContainsFunc(s.about(b), func(p id.OID) bool { return slices.Contains(about, p) })
}

// fence reports whether an update changes pieces that it does not name (D39).
func fence(u *table.Update) bool {
	switch u.Op {
	case table.OpRecall, table.OpDeal, table.OpDraw, table.OpCut, table.OpPeek, table.OpShuffle,
		table.OpClaim, table.OpLeave, table.OpGive, table.OpShare, table.OpUnshare, table.OpTake:
		return true
	default:
		return false
	}
}

// about returns the pieces that an update names.
func (s *server) about(up *upbound) (all []id.OID) {
	for _, name := range []id.Piece{up.u.Piece, up.u.Into} {
		if name != 0 {
			all = append(all, s.bearers[name])
		}
	}
	return all
}

// receiveAt judges an update that is on its way from c, and returns the outcome.
func (s *server) receiveAt(c *tab, i int) table.Outcome {
	s.t.Helper()
	up := c.up[i]
	c.up = slices.Delete(c.up, i, i+1)
	c.settled = true
	if bogus := s.table.Check(c.id, c.seat, []table.Update{up.u}); bogus != nil {
		s.fatalf("update %+v of %s is invalid: %v", up.u, c, bogus)
	}
	if s.onUpdate != nil {
		s.onUpdate()
	}
	if !s.still {
		s.now++
	}
	up.before = s.table.Gen()
	weight, looks := s.table.Weigh(c.seat, []table.Update{up.u}, unbounded), s.table.Looks()
	in := table.Inputs{Now: s.now, OID: s.mint(), Rand: s.rnd, Unproved: s.rnd}
	out := s.table.Apply(c.by(), &up.u, in)
	s.drawn = s.drawn[:0]
	for s.table.Pressing() {
		if of := s.table.PressOn(in).Chance; of.What != 0 {
			s.drawn = append(s.drawn, of)
		}
	}
	s.variety.reasons[out.Reject.Reason]++
	s.judgements++
	refusal := &node{stands: len(s.history[up.oid]), mark: out.Reject.Piece.Version}
	floor := c.floors[up.oid]
	if out.Verdict == table.Rejected && out.Reject.Piece.Name != 0 {
		c.floors[up.oid] = refusal.mark
	}
	entries := s.publish(func(to *tab) []event {
		switch {
		case to != c:
			return nil
		case out.Verdict == table.Rejected:
			return []event{{reject: &out.Reject, node: refusal}}
		case out.Verdict == table.Repeated:
			return []event{{ack: &out.Ack}}
		}
		return nil
	})
	s.checkWeight(&up.u, weight, costOf(entries, s.table.Looks()-looks))
	s.judged(c, up, out, entries, floor)
	if out.Verdict == table.Deferred && out.Ask != nil {
		s.guests.asked = append(s.guests.asked, asked{c, up, out.Ask})
	}
	return out
}

// publish takes what the table has recorded and sends it to every tab. only returns what a tab
// receives besides.
func (s *server) publish(only func(*tab) []event) []table.Entry {
	entries := slices.Clone(s.table.Take()) // frames in flight keep them
	for i := range entries {
		if entries[i].Op == table.OpRespread && (i == 0 || entries[i-1].Op != table.OpRespread) {
			s.checkRespread(entries[i:])
		}
		s.record(&entries[i])
		s.variety.ops[entries[i].Op]++
	}
	s.watch(entries)
	s.checkConserved(entries)
	for _, c := range s.tabs {
		if !c.online {
			continue
		}
		var frame []event
		if only != nil {
			frame = only(c)
		}
		for i := range entries {
			frame = c.tell(frame, &entries[i])
		}
		if len(frame) > 0 {
			c.down = append(c.down, frame)
		}
	}
	return entries
}

// tell appends what a tab receives for an entry: an update, the ack of its own, or both (T10, T17).
func (c *tab) tell(frame []event, e *table.Entry) []event {
	if e.Who != nil || e.Set != nil || e.Rewound != nil {
		return frame
	}
	before, after, shown := c.server.table.Shows(e, c.seat)
	own := e.Client == c.id
	if shown && (!own || e.Server) {
		frame = append(frame, event{update: &update{entry: e, before: before, after: after}})
	}
	frame = c.tellAside(frame, e)
	if !own {
		return frame
	}
	ev := event{ack: &table.Ack{
		Seq: e.Seq, Piece: e.Name, Version: c.server.table.VersionAt(c.seat, e.Gen), Made: e.Brought,
	}}
	if !e.Server || !shown && !e.Made && e.Op == table.OpGrab {
		ev.node = &node{stands: c.server.nodeOf(e).stands}
		if !e.Server {
			ev.node.entry = e
		}
	}
	if shown && !e.Server {
		ev.filled = &update{entry: e, before: before, after: after}
	}
	return append(frame, ev)
}

// tellAside appends what a tab receives for an entry beside the piece itself: counts, and notices
// (T28, T29, T31).
func (c *tab) tellAside(frame []event, e *table.Entry) []event {
	for _, t := range []*table.Tally{&e.Left, &e.Entered} {
		if t.Piece != 0 {
			frame = append(frame, event{tally: t})
		}
	}
	if !e.Notice {
		return frame
	}
	piece, count, shown := c.server.table.Notice(e, c.seat)
	frame = append(frame,
		event{notice: &notice{by: e.Seat, op: e.Op, piece: piece, count: count, to: e.To}})
	if shown {
		frame = append(frame,
			event{faces: &faces{by: e.Seat, op: e.Op, piece: piece, kinds: fmt.Sprint(e.Faces)}})
	}
	return frame
}

// restart replaces the table by one that is rebuilt from an image and the entries after it (T3,
// T19).
func (s *server) restart() {
	s.t.Helper()
	back, err := table.Open(s.config, &s.image)
	if err != nil {
		s.fatalf("open: %v", err)
	}
	for i := s.cut; i < len(s.log); i++ {
		if err := back.Replay(&s.log[i]); err != nil {
			s.fatalf("replay: %v", err)
		}
	}
	if diff := table.Differ(s.table, back); diff != "" {
		s.fatalf(
			"T3: image at entry %d of %d and replay differ (-live +back):\n%s", s.cut, len(s.log), diff,
		)
	}
	back.Loaded()
	s.table = back
	s.guests.asked = nil // the tabs ask again
	for _, c := range s.tabs {
		clear(c.floors) // they end with the process (T14)
		if c.online {
			// Updates in flight are sent again when the state is known, in order and from the
			// lowest sequence: the new process does not know what the old one rejected.
			c.cut(false)
		}
	}
}

// keep takes an image, from which the next restart starts.
func (s *server) keep() {
	s.table.Compact(s.table.Gen())
	s.image, s.cut = s.table.Image(), len(s.log)
}

// settle delivers everything that is in flight, and checks liveness: every tab displays the latest
// state (T8), and every view has exactly what it may have.
func (s *server) settle() {
	s.t.Helper()
	s.deliver()
	s.checkViewers()
	s.checkHands()
}

// deliver is settle without the checks of views and hands.
func (s *server) deliver() {
	s.t.Helper()
	for busy := true; busy; {
		busy = s.answerAll()
		for _, c := range s.tabs {
			for c.online && (len(c.up) > 0 || len(c.down) > 0) {
				busy = true
				if len(c.up) > 0 {
					s.receive(c)
				}
				c.drain()
			}
		}
	}
	for _, c := range s.tabs {
		if c.online {
			c.checkAtRest()
		}
	}
}
