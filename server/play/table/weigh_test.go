package table_test

import (
	"fmt"
	"math/bits"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// costOf returns the work that was done: what was recorded, and how many pieces were looked at.
func costOf(entries []table.Entry, looks uint64) table.Weight {
	w := table.Weight{Entries: len(entries), Looks: int(looks)}
	for i := range entries {
		w.Bytes += entries[i].Size()
	}
	return w
}

// checkWeight checks that an update has cost no more than it weighed (T49).
func (s *server) checkWeight(u *table.Update, weight, cost table.Weight) {
	s.t.Helper()
	if exceeds(cost, weight) {
		s.fatalf("T49: %s has cost %+v and weighed %+v: %+v", u.Op, cost, weight, u)
	}
}

// exceeds reports whether something cost more than it weighed.
func exceeds(cost, weight table.Weight) bool {
	return cost.Entries > weight.Entries || cost.Looks > weight.Looks || cost.Bytes > weight.Bytes
}

// unbounded lets a batch be weighed to its end.
const unbounded = 1 << 40

// loaded is a table of many pieces of one kind with everything that operations need, and a client
// that may do all of them.
type loaded struct {
	t   *testing.T
	tab *table.Table
	by  table.By
	// The names of its pieces: a container of all pieces, an empty one, a hand of the sender, and
	// others on the table.
	full, empty, hand, loose, die, clock, note, label, heap, counter, marker, glass, button id.Piece
	// Some that lie open, if all do.
	some []id.Piece
}

// load returns a table. Its pieces lie in a container, or open if that is 0.
func load(t *testing.T, n int, container, kind uint32) *loaded {
	t.Helper()
	l := &loaded{t: t, tab: table.New(configured(1))}
	at := func(kind uint32, x, y int32) table.Place {
		return table.Place{State: table.State{Kind: kind, X: x, Y: y}}
	}
	empty := container
	if container == 0 {
		empty = kindBag
	}
	places := []table.Place{
		at(empty, 0, 0), at(empty, 9000, 0), at(kindHand, 0, -8000), at(kindHand, 0, 8000),
		at(kind, 3000, 3000), at(kindDie, 4000, 3000), at(kindChessClock, 5000, 3000),
		at(kindNote, 6000, 3000), at(kindLabel, 7000, 3000), at(kindChip, 8000, 3000),
		at(kindCounter, 2000, 3000), at(kindMarker, 1000, 3000),
		at(kindGlass, 0, 3000), at(kindButton, 1000, 3000),
	}
	fixed := len(places)
	for i := range n - fixed {
		p := at(kind, int32(i%100)*58-2900, int32(i/100)*18-900)
		if container != 0 {
			p.In = 1
		}
		places = append(places, p)
	}
	for i := range places {
		places[i].OID = oid(uint64(i + 1))
	}
	l.tab.SetUp(places, 1)
	seat, _ := l.tab.Sit(table.SeatInfo{Role: table.RoleHost}, 1)
	l.tab.Sit(table.SeatInfo{Role: table.RolePlayer}, 1)
	l.by = table.By{Client: clientID(1), Seat: seat, Role: table.RoleHost}
	for _, e := range l.tab.Take() {
		name := e.Name
		if e.Made && e.After.Kind == kind && len(l.some) < 50 {
			l.some = append(l.some, name)
		}
		for i, to := range []*id.Piece{
			&l.full, &l.empty, &l.hand, nil, &l.loose, &l.die, &l.clock, &l.note, &l.label, &l.heap,
			&l.counter, &l.marker, &l.glass, &l.button,
		} {
			if to != nil && e.Made && e.Piece == oid(uint64(i+1)) {
				*to = name
			}
		}
	}
	return l
}

// do applies an update and returns what it cost, and what it weighed.
func (l *loaded) do(u table.Update, want table.Verdict) (cost, weight table.Weight) {
	l.t.Helper()
	u.Seq = l.tab.NextSeq(l.by.Client)
	if u.Has&table.HasTag != 0 {
		u.Tag = l.tab.VersionAt(l.by.Seat, l.tab.Gen())
	}
	batch := []table.Update{u}
	if bogus := l.tab.Check(l.by.Client, l.by.Seat, batch); bogus != nil {
		l.t.Fatal(bogus)
	}
	weight = l.tab.Weigh(l.by.Seat, batch, unbounded)
	before := l.tab.Looks()
	out := l.tab.Apply(l.by, &u,
		table.Inputs{Now: 5000, OID: oid(uint64(50_000 + u.Seq)), Rand: seeded(1), Round: 1})
	if out.Verdict != want {
		l.t.Errorf("%s: verdict %d for %d, want %d", u.Op, out.Verdict, out.Reject.Reason, want)
	}
	cost = costOf(l.tab.Take(), l.tab.Looks()-before)
	if exceeds(cost, weight) {
		l.t.Errorf("T49 %s cost %+v and weighed %+v", u.Op, cost, weight)
	}
	return cost, weight
}

// op is one operation at its heaviest on a loaded table.
type op struct {
	first []table.Update
	u     table.Update
	// all says that it touches all pieces, so that its cost may grow with them.
	all bool
	// open says that the pieces lie open beneath a hand, not in a container.
	open bool
	bag  bool // the container draws at random
	none bool // it is rejected
}

const (
	tagsOf  = table.HasPiece | table.HasTag
	blindOf = table.HasPiece
)

// operations returns every operation of clients at its heaviest.
func operations(l *loaded) map[table.Op][]op {
	of := func(p id.Piece, has table.Fields) table.Update {
		return table.Update{Has: has, Piece: p}
	}
	grab := table.Update{Op: table.OpGrab, Has: tagsOf, Piece: l.loose}
	share := table.Update{Op: table.OpShare, Has: blindOf | table.HasSeat, Piece: l.hand, Seat: 2}
	leave := table.Update{Op: table.OpLeave, Has: blindOf, Piece: l.hand}
	gather := table.Update{Op: table.OpMove, Has: tagsOf | table.HasXY, Piece: l.hand}
	outside := table.Update{
		Op: table.OpDraw, Has: blindOf | table.HasN | table.HasXY, Piece: l.full, N: 50, X: 500,
	}
	hand := func(u table.Update) op {
		return op{u: u, first: []table.Update{gather}, all: true, open: true}
	}
	one := func(u table.Update) []op { return []op{{u: u}} }
	start := table.Update{Op: table.OpStart, Has: tagsOf, Piece: l.clock}
	return map[table.Op][]op{
		table.OpGrab: one(grab), table.OpWrest: one(of(l.loose, tagsOf)),
		table.OpPin: one(of(l.loose, tagsOf)), table.OpUnpin: one(of(l.loose, tagsOf)),
		table.OpLock: one(of(l.loose, tagsOf)), table.OpUnlock: one(of(l.loose, tagsOf)),
		table.OpRelease: {{u: of(l.loose, tagsOf), first: []table.Update{grab}}},
		table.OpMove: {
			{u: table.Update{Has: tagsOf | table.HasXY, Piece: l.loose, Y: -8000}},
			{u: gather, all: true, open: true},
			hand(table.Update{Has: tagsOf | table.HasXY, Piece: l.hand, X: 9000}),
		},
		table.OpRotate: {
			{u: of(l.loose, tagsOf|table.HasAngle)},
			hand(table.Update{Has: tagsOf | table.HasAngle, Piece: l.hand, Angle: 9000}),
		},
		table.OpPivot: {
			{u: table.Update{Has: tagsOf | table.HasXY | table.HasAngle, Piece: l.loose, Y: -8000}},
			hand(table.Update{
				Has: tagsOf | table.HasXY | table.HasAngle, Piece: l.hand, X: 9000, Angle: 9000,
			}),
		},
		table.OpFlip:  one(of(l.loose, tagsOf|table.HasFace)),
		table.OpRaise: one(of(l.loose, tagsOf)), table.OpLower: one(of(l.loose, tagsOf)),
		table.OpSetZ:   one(table.Update{Has: tagsOf | table.HasZ, Piece: l.loose, Z: "0.95"}),
		table.OpCopy:   one(of(l.note, tagsOf|table.HasXY)),
		table.OpDelete: {{u: of(l.loose, tagsOf)}, hand(of(l.hand, tagsOf))},
		table.OpAdd:    one(table.Update{Has: table.HasKind | table.HasXY, Kind: kindNote}),
		table.OpStart:  one(start),
		table.OpPause:  {{u: of(l.clock, tagsOf), first: []table.Update{start}}},
		table.OpPress:  one(table.Update{Has: tagsOf | table.HasSide, Piece: l.clock, Side: 1}),
		table.OpSet:    one(table.Update{Has: tagsOf | table.HasMs, Piece: l.clock, Ms: 5}),
		table.OpReset:  one(of(l.clock, tagsOf)),
		table.OpShuffle: {
			{u: of(l.full, blindOf), all: true},
			{u: table.Update{Has: table.HasPieces, Pieces: l.some}, open: true},
		},
		table.OpCut: {{u: of(l.full, blindOf), all: true}},
		table.OpDraw: {
			{u: of(l.full, blindOf)},
			{u: table.Update{Has: blindOf | table.HasN, Piece: l.full, N: 10}},
			{u: table.Update{Has: blindOf | table.HasAt, Piece: l.full, At: 50}},
			{
				u:   table.Update{Has: blindOf | table.HasKind, Piece: l.full, Kind: kindKing},
				all: true, none: true,
			},
			{
				u: table.Update{Has: blindOf | table.HasN, Piece: l.full, N: 10}, all: true,
				bag: true,
			},
		},
		table.OpDeal: {
			{u: table.Update{Has: blindOf | table.HasN, Piece: l.full, N: 5}},
			{u: table.Update{Has: blindOf | table.HasN | table.HasPieces, Piece: l.full, N: 5,
				Pieces: []id.Piece{l.hand, l.empty}}},
		},
		table.OpRecall: {
			{u: of(l.full, blindOf), first: []table.Update{outside}, all: true},
			{u: of(l.empty, blindOf)},
		},
		table.OpPeek: one(table.Update{Has: blindOf | table.HasN, Piece: l.full, N: 20}),
		table.OpStow: one(table.Update{
			Has: tagsOf | table.HasInto | table.HasAt, Piece: l.loose, Into: l.full,
		}),
		table.OpShow: one(table.Update{Has: blindOf | table.HasSeat, Piece: l.note, Seat: 2}),
		table.OpClaim: {{
			u: of(l.hand, blindOf), first: []table.Update{gather, leave}, all: true, open: true,
		}},
		table.OpLeave: {hand(of(l.hand, blindOf))},
		table.OpGive:  {hand(table.Update{Has: blindOf | table.HasSeat, Piece: l.hand, Seat: 2})},
		table.OpShare: {hand(share)},
		table.OpUnshare: {{
			u:     table.Update{Has: blindOf | table.HasSeat, Piece: l.hand, Seat: 2},
			first: []table.Update{gather, share}, all: true, open: true,
		}},
		table.OpRoll:  one(of(l.die, blindOf)),
		table.OpCount: one(table.Update{Has: blindOf | table.HasN, Piece: l.counter, N: 1}),
		table.OpSplit: one(table.Update{
			Has: blindOf | table.HasN | table.HasXY, Piece: l.heap, N: 7, X: 8500, Y: 3000,
		}),
		table.OpWrite: one(table.Update{
			Has: tagsOf | table.HasText, Piece: l.note, Text: "a house rule",
		}),
		table.OpAssign: one(table.Update{Has: tagsOf | table.HasSeat, Piece: l.label, Seat: 1}),
		table.OpPass:   one(of(l.marker, blindOf)),
		table.OpTurn:   one(of(l.glass, tagsOf)),
		table.OpRun:    {{u: of(l.button, blindOf), all: true}},
		table.OpSay:    one(table.Update{Has: table.HasText, Text: "a line"}),
		table.OpUnsay: {{
			u: table.Update{Has: table.HasLine, Line: table.MinLine}, none: true,
		}},
		table.OpTake:  {{u: of(l.full, blindOf), all: true}},
		table.OpPlace: one(table.Update{Has: table.HasSet | table.HasXY, Set: oid(1 << 40)}),
	}
}

// TestT49EveryOperationCostsWhatItTouches counts the work of every operation on tables of 100,
// 1,000 and 10,000 pieces. It shows that operations on a few pieces cost the same on each, and that
// those on all pieces grow no faster than n log n.
// Clauses: T49.5, T49.6
func TestT49EveryOperationCostsWhatItTouches(t *testing.T) {
	sizes := []int{100, 1000, table.MaxPieces - 1}
	rows := operations(load(t, 100, kindDeck, kindAce))
	for o := range table.Op(255) {
		if _, ok := table.ParseOp(o.String()); ok && len(rows[o]) == 0 {
			t.Errorf("nothing counts the work of %s", o)
		}
	}
	for o, all := range rows {
		for i := range all {
			t.Run(fmt.Sprintf("%s %d", o, i), func(t *testing.T) {
				var costs [3]table.Weight
				for k, n := range sizes {
					costs[k] = costAt(t, o, i, n)
				}
				grows(t, sizes, costs, all[i].all)
			})
		}
	}
}

// costAt returns what an operation costs on a table of n pieces, and checks that it weighs little
// more.
func costAt(t *testing.T, o table.Op, row, n int) table.Weight {
	t.Helper()
	what := operations(load(t, 100, kindDeck, kindAce))[o][row]
	container := kindDeck
	switch {
	case what.open:
		container = 0
	case what.bag:
		container = kindBag
	}
	l := load(t, n, container, kindAce)
	what = operations(l)[o][row]
	for _, u := range what.first {
		l.do(u, table.Recorded)
	}
	what.u.Op = o
	want := table.Recorded
	switch {
	case o == table.OpPlace:
		want = table.Deferred
	case what.none, o == table.OpTake && n > table.MaxParts:
		want = table.Rejected
	}
	cost, weight := l.do(what.u, want)
	if most := 8*cost.Units() + 40; weight.Units() > most && want == table.Recorded {
		t.Errorf("T49 %s among %d costs %+v and weighs %+v", o, n, cost, weight)
	}
	return cost
}

// grows checks that costs do not grow with the size of the table, or no faster than n log n.
func grows(t *testing.T, sizes []int, costs [3]table.Weight, all bool) {
	t.Helper()
	first := costs[0]
	for k, n := range sizes {
		looks, each := first.Looks+40, 1
		if all {
			times := float64(n*bits.Len(uint(n))) / float64(sizes[0]*bits.Len(uint(sizes[0])))
			looks, each = int(2*times*float64(looks)), 2*n/sizes[0]
		}
		if costs[k].Looks > looks || costs[k].Entries > (first.Entries+1)*each+2 {
			t.Errorf("T49 among %d it costs %+v, among %d %+v", sizes[0], first, n, costs[k])
		}
	}
}
