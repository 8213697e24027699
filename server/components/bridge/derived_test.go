package bridge

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// shelf are the kinds of the tests of C23: two cards and their mask, a hand, and a clock.
var shelf = []game.Kind{
	{Name: "Ace", Secret: true, Mask: 2, Faces: []game.Face{{Name: "Ace of spades"}, {Name: "Back"}}},
	{Name: "King", Secret: true, Mask: 2, Faces: []game.Face{{Name: "King"}, {Name: "Back"}}},
	{Name: "Card", Mask: game.NoMask, Faces: []game.Face{{Name: "Hidden"}, {Name: "Back"}}},
	{Name: "Hand", Hand: true, Mask: game.NoMask, Faces: []game.Face{{Name: "Mat"}}},
	{
		Name: "Chess clock", Mask: game.NoMask, Faces: []game.Face{{Name: "Dial"}},
		Clock: game.Clock{CountsUp: true, Displays: make([]game.Display, 2)},
	},
}

// show is a link that shows its view, and the replica at its end.
type show struct {
	t      *testing.T
	link   *Bridge
	engine *bench
	has    *crdt.Replica
	sent   int // operations in all
}

func newShow(t *testing.T, form Form) *show {
	t.Helper()
	w := &show{t: t, link: New(Config{
		Form: form, Derived: true, Random: func() uint32 { return 77 },
	})}
	w.link.SetKinds(shelf)
	w.engine = &bench{t: t, form: form, Bridge: w.link}
	w.has = crdt.New(crdt.Config{Sets: schema.Sets, Both: schema.Both})
	return w
}

// frame sends the link a frame, and merges what comes.
func (w *show) frame(events ...*holtpb.Event) []crdt.Op {
	w.t.Helper()
	out, err := w.link.FromView(&holtpb.Frame{Events: events})
	if err != nil {
		w.t.Fatal(err)
	}
	ops := w.merge(out)
	return ops
}

func (w *show) merge(out [][]byte) []crdt.Op {
	before := len(w.engine.identities)
	ops := w.engine.read(out)
	for _, op := range slices.Concat(ops, w.engine.identities[before:]) {
		w.has.Merge(w.link.edge.inward(op))
	}
	w.sent += len(ops)
	return ops
}

// wants compares what the replica has of an entity with messages by component. nil: nothing.
func (w *show) wants(e crdt.Entity, want map[uint32]proto.Message) {
	w.t.Helper()
	wire, ok := w.link.numbers.has(e)
	if !ok {
		w.t.Fatalf("entity %d has no number", e)
	}
	got := map[uint32]string{}
	for op := range w.has.OpsOf(wire) {
		if op.Kind == crdt.Put && schema.Derived(op.Component) {
			got[op.Component] = string(op.Data)
		}
	}
	encoded := map[uint32]string{}
	for number, m := range want {
		encoded[number] = string(schema.Encode(m))
	}
	if !maps.Equal(got, encoded) {
		w.t.Fatalf("C23 entity %d, as %d, has %v, want %v", e, wire, got, encoded)
	}
}

func full(f *holtpb.Full) *holtpb.Event { return &holtpb.Event{Event: &holtpb.Event_Full{Full: f}} }

func held(name uint32, counts ...uint32) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Holds{Holds: &holtpb.Holds{
		Piece: name, Kinds: make([]uint32, len(counts)), Counts: counts,
	}}}
}

func seated(s *holtpb.Seat) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Seat{Seat: s}}
}

func TestDerivedWithoutCatalogue(t *testing.T) {
	t.Run("C23.10 numbers come without names, and names once known", func(t *testing.T) {
		w := newShow(t, Flat)
		w.link = New(Config{Form: Flat, Derived: true, Random: func() uint32 { return 77 }})
		w.engine.Bridge = w.link
		w.frame(full(&holtpb.Full{Pieces: []*holtpb.Piece{{Id: 5, Kind: new(uint32(1))}}}))
		card := schema.EntityOfPiece(5)
		w.wants(card, parts23{
			schema.Kind: &componentpb.Kind{Number: 1}, schema.Place: &componentpb.Place{},
			schema.Face: &componentpb.Face{},
		})
		w.link.SetKinds(shelf)
		w.frame()
		w.wants(card, parts23{
			schema.Kind: &componentpb.Kind{Number: 1, Name: "King"}, schema.Place: &componentpb.Place{},
			schema.Face: &componentpb.Face{Name: "King"},
		})
	})
}

type parts23 = map[uint32]proto.Message

func TestDerived(t *testing.T) {
	for _, form := range []Form{Flat, Protobuf} {
		// Clauses: C23.1, C23.4, C23.6
		t.Run(fmt.Sprint("C23.1 the table and its people, form ", form), func(t *testing.T) {
			w := newShow(t, form)
			w.frame(full(&holtpb.Full{
				Table: &holtpb.TableInfo{Title: "Chess", Width: 9000, Height: 8000, Surface: "wood"},
				Seats: []*holtpb.Seat{
					{Id: 1, Nick: "Ada", Colour: 0xd1495b, Role: holtpb.Role_ROLE_HOST, Presence: 1},
					{Id: 2, Nick: "Ben", Role: holtpb.Role_ROLE_PLAYER, Left: 2},
				},
			}))
			about := &componentpb.About{Title: "Chess", Width: 9000, Height: 8000, Surface: "wood"}
			ada := &componentpb.Person{Name: "Ada", Colour: 0xd1495b, Role: 1, Presence: 1}
			w.wants(schema.TheTable, parts23{schema.About: about})
			w.wants(schema.EntityOfSeat(1), parts23{schema.Person: ada})
			w.wants(schema.EntityOfSeat(2), parts23{})

			about.Title, ada.Presence, ada.Name = "Rapid chess", 2, "Ada L."
			got := w.frame(
				&holtpb.Event{Event: &holtpb.Event_Table{Table: &holtpb.TableInfo{
					Title: "Rapid chess", Width: 9000, Height: 8000, Surface: "wood",
				}}},
				seated(&holtpb.Seat{Id: 1, Nick: "Ada", Colour: 0xd1495b, Role: 1, Presence: 3}),
				seated(&holtpb.Seat{Id: 1, Nick: "Ada L.", Colour: 0xd1495b, Role: 1, Presence: 2}),
			)
			if len(got) != 2 {
				t.Errorf("C23.4 one frame sends %+v", got)
			}
			w.wants(schema.TheTable, parts23{schema.About: about})
			w.wants(schema.EntityOfSeat(1), parts23{schema.Person: ada})
			w.frame(seated(&holtpb.Seat{Id: 1, Nick: "Ada L.", Role: 1, Left: 1}))
			w.wants(schema.EntityOfSeat(1), parts23{})
		})
		// Clauses: C23.2, C23.3, C23.4, C23.5, C23.6, C23.9
		t.Run(fmt.Sprint("C23.2 a card is turned up, held, and drawn, form ", form),
			func(t *testing.T) { testCard(t, form) })
		t.Run(fmt.Sprint("C23.7 what the replica writes there is corrected, form ", form),
			func(t *testing.T) { testDerivedCorrections(t, form) })
	}
}

func testCard(t *testing.T, form Form) {
	w := newShow(t, form)
	w.frame(full(&holtpb.Full{
		Pieces: []*holtpb.Piece{
			{Id: 5, Kind: new(uint32(2)), Face: new(uint32(1)), X: new(int32(-40)), Z: new("5")},
			{Id: 6, Kind: new(uint32(3)), Owner: new(uint32(2))},
			{
				Id: 7, Kind: new(uint32(4)),
				Clock: &holtpb.Clock{Running: 2, Since: 99, Left1: 4, Left2: 5, Initial: 6},
			},
		},
		Holds: []*holtpb.Holds{{Piece: 6, Kinds: []uint32{0, 3}, Counts: []uint32{1, 2}}},
	}))
	card := schema.EntityOfPiece(5)
	back := &componentpb.Kind{Number: 2, Name: "Card"}
	place := &componentpb.Place{X: -40, Z: "5"}
	down := &componentpb.Face{Face: 1, Name: "Back"}
	w.wants(card, parts23{schema.Kind: back, schema.Place: place, schema.Face: down})
	w.wants(schema.EntityOfPiece(6), parts23{
		schema.Kind:  &componentpb.Kind{Number: 3, Name: "Hand", Ability: "hand"},
		schema.Place: &componentpb.Place{Owner: 2}, schema.Face: &componentpb.Face{Name: "Mat"},
		schema.Contents: &componentpb.Contents{Count: 3},
	})
	w.wants(schema.EntityOfPiece(7), parts23{
		schema.Kind:  &componentpb.Kind{Number: 4, Name: "Chess clock", Ability: "clock"},
		schema.Place: &componentpb.Place{}, schema.Face: &componentpb.Face{Name: "Dial"},
		schema.Clock: &componentpb.Clock{
			Running: 2, Since: 99, Left1: 4, Left2: 5, Up: true, Sides: 2,
		},
	})

	w.frame(update(5, func(p *holtpb.Piece) { p.Holder = new(uint32(2)) }), held(6))
	w.wants(card, parts23{
		schema.Kind: back, schema.Place: place, schema.Face: down,
		schema.Holder: &componentpb.Seat{Seat: 2},
	})
	if _, ok := w.has.Get(mustNumber(t, w.link, 6), schema.Contents); ok {
		t.Error("C23.6 the empty hand has Contents")
	}
	w.frame(update(5, func(p *holtpb.Piece) {
		p.Holder, p.X, p.Face, p.Kind = new(uint32(0)), new(int32(7)), new(uint32(0)), new(uint32(0))
	}))
	place.X = 7
	ace := parts23{
		schema.Kind: &componentpb.Kind{Name: "Ace"}, schema.Place: place,
		schema.Face: &componentpb.Face{Name: "Ace of spades"},
	}
	w.wants(card, ace)

	// It comes into a hand that the view sees: its labels are dropped, and it keeps its name.
	before := mustNumber(t, w.link, 5)
	place.Owner = 1
	w.frame(update(5, func(p *holtpb.Piece) { p.Owner = new(uint32(1)) }))
	if after := mustNumber(t, w.link, 5); after == before {
		t.Error("C23.9 its number stays")
	}
	w.wants(card, ace)
	// It is renamed, and concealed again.
	w.frame(update(5, func(p *holtpb.Piece) {
		p.Renamed, p.Kind, p.Face = new(uint32(9)), new(uint32(2)), new(uint32(1))
	}))
	w.wants(schema.EntityOfPiece(9), parts23{
		schema.Kind: back, schema.Place: place, schema.Face: down,
	})
	for wire := range w.has.Entities(0, crdt.MaxEntity) {
		if data, ok := w.has.Get(wire, schema.Kind); ok && bytes.Contains(data, []byte("Ace")) {
			t.Errorf("C23.3 entity %d is still the ace", wire)
		}
	}
	sent := w.sent
	w.frame(&holtpb.Event{Event: &holtpb.Event_Motions{Motions: &holtpb.Paths{
		Span: 50, Ids: []uint32{9}, X: []int32{1}, Y: []int32{1}, Dx: []int32{0}, Dy: []int32{0},
	}}})
	if w.sent != sent {
		t.Error("C23.5 motion has gone to the replica")
	}
	number := mustNumber(t, w.link, 9)
	w.frame(update(9, func(p *holtpb.Piece) { p.Gone = new(true) }))
	if n := len(w.link.derived.pieces) + len(w.link.derived.changed); n != 2 {
		t.Errorf("%d pieces are remembered, want 2", n)
	}
	if _, ok := w.has.Get(number, schema.Kind); ok {
		t.Error("C23.9 the replica has a piece that is gone")
	}
}

func mustNumber(t *testing.T, l *Bridge, name id.Piece) crdt.Entity {
	t.Helper()
	wire, ok := l.numbers.has(schema.EntityOfPiece(name))
	if !ok {
		t.Fatalf("piece %d has no number", name)
	}
	return wire
}

// Clauses: C23.7
func testDerivedCorrections(t *testing.T, form Form) {
	w := newShow(t, form)
	w.frame(full(&holtpb.Full{
		Table:  &holtpb.TableInfo{Title: "Chess"},
		Pieces: []*holtpb.Piece{{Id: 5, Kind: new(uint32(1))}},
	}))
	wire := mustNumber(t, w.link, 5)
	king := parts23{
		schema.Kind: &componentpb.Kind{Number: 1, Name: "King"}, schema.Place: &componentpb.Place{},
		schema.Face: &componentpb.Face{Name: "King"},
	}
	for round := range uint32(3) {
		written := []crdt.Op{
			{
				Kind: crdt.Put, Entity: wire, Component: schema.Place, Timestamp: 100*round + 50,
				Data: schema.Encode(&componentpb.Place{X: 1}),
			},
			{
				Kind: crdt.Put, Entity: wire, Component: schema.Holder, Timestamp: 100*round + 50,
				Data: schema.Encode(&componentpb.Seat{Seat: 1}),
			},
			{Kind: crdt.Delete, Entity: 0, Component: schema.About, Timestamp: 100*round + 50},
		}
		for _, op := range written {
			w.has.Merge(op)
		}
		taken, err := w.link.FromReplica(w.engine.message(written...), now)
		if err != nil {
			t.Fatal(err)
		}
		if len(taken.Ops) > 0 {
			t.Errorf("C23.7 the room gets %+v", taken.Ops)
		}
		w.merge(taken.Answer)
		w.wants(schema.EntityOfPiece(5), king)
		w.wants(schema.TheTable, parts23{schema.About: &componentpb.About{Title: "Chess"}})
	}
	// It is still the server's: what changes comes above what was written.
	w.frame(update(5, func(p *holtpb.Piece) { p.Holder, p.X = new(uint32(2)), new(int32(3)) }))
	king[schema.Holder], king[schema.Place] = &componentpb.Seat{Seat: 2}, &componentpb.Place{X: 3}
	w.wants(schema.EntityOfPiece(5), king)
}

// TestDerivedHistories shows that a replica has of random histories of a view what the view shows,
// whatever it deletes (C23).
// Clauses: C23.2, C23.3, C23.6, C23.9
func TestDerivedHistories(t *testing.T) {
	runs := uint64(2000)
	if testing.Short() {
		runs = 200
	}
	for seed := range runs {
		for _, terms := range []Config{
			{Form: Flat}, {Form: Protobuf}, {Form: Flat, Offset: 32_768, CRC: false, Length: true},
		} {
			rnd := rand.New(rand.NewPCG(seed, uint64(terms.Offset)+uint64(terms.Form)))
			terms.Derived, terms.Random = true, rnd.Uint32
			w := newShow(t, terms.Form)
			w.link = New(terms)
			w.link.SetKinds(shelf)
			w.engine.Bridge = w.link
			playDerived(w, rnd)
			if t.Failed() {
				t.Fatalf("seed %d, %+v", seed, terms)
			}
		}
	}
}

// playDerived plays a random history of a view, and compares what the replica has.
func playDerived(w *show, rnd *rand.Rand) {
	type state struct{ kind, face, holder, owner uint32 }
	view := map[uint32]*state{}
	next := uint32(1)
	appear := func() *holtpb.Piece {
		s := &state{kind: rnd.Uint32N(3), face: rnd.Uint32N(2), owner: rnd.Uint32N(2)}
		p := &holtpb.Piece{
			Id: next, Kind: new(s.kind), Face: new(s.face), Holder: new(uint32(0)), Owner: new(s.owner),
		}
		view[next] = s
		next++
		return p
	}
	begin := &holtpb.Full{}
	for range 4 {
		begin.Pieces = append(begin.Pieces, appear())
	}
	w.frame(full(begin))
	for range 30 {
		names := slices.Sorted(maps.Keys(view))
		if len(names) == 0 || rnd.IntN(6) == 0 {
			w.frame(&holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{
				Piece: appear(), Op: holtpb.Op(table.OpAdd),
			}}})
			continue
		}
		name := names[rnd.IntN(len(names))]
		s := view[name]
		p := &holtpb.Piece{Id: name}
		switch rnd.IntN(6) {
		case 0:
			p.Gone = new(true)
			delete(view, name)
		case 1:
			p.Renamed, s.kind = new(next), 2
			p.Kind = new(s.kind)
			delete(view, name)
			view[next] = s
			next++
		case 2:
			s.holder = rnd.Uint32N(3)
			p.Holder = new(s.holder)
		case 3:
			s.owner = rnd.Uint32N(3)
			p.Owner = new(s.owner)
		case 4:
			s.kind, s.face = rnd.Uint32N(3), rnd.Uint32N(2)
			p.Kind, p.Face = new(s.kind), new(s.face)
		case 5: // the replica deletes the piece, and gets it again
			wire, _ := w.link.numbers.has(schema.EntityOfPiece(id.Piece(name)))
			op := crdt.Op{Kind: crdt.DeleteEntity, Entity: wire}
			w.has.Merge(op)
			op = w.link.edge.outward(op)
			taken, err := w.link.FromReplica(w.engine.message(op), now)
			if err != nil {
				w.t.Fatal(err)
			}
			w.merge(taken.Answer)
			continue
		}
		out, err := w.link.FromView(&holtpb.Frame{Events: []*holtpb.Event{{
			Event: &holtpb.Event_Update{Update: &holtpb.Update{Piece: p, Op: holtpb.Op(table.OpReveal)}},
		}}})
		if err != nil {
			w.t.Fatal(err)
		}
		w.merge(out)
	}
	pieces := 0
	for e := range w.has.Entities(0, crdt.MaxEntity) {
		if _, ok := w.has.Get(e, schema.Kind); ok {
			pieces++
		}
	}
	if pieces != len(view) {
		w.t.Errorf("C23.9 the replica has %d pieces, and the view %d", pieces, len(view))
	}
	for name, s := range view {
		k := shelf[s.kind]
		want := parts23{
			schema.Kind:  &componentpb.Kind{Number: s.kind, Name: k.Name},
			schema.Place: &componentpb.Place{Owner: s.owner},
			schema.Face:  &componentpb.Face{Face: s.face, Name: k.Faces[s.face].Name},
		}
		if s.holder != 0 {
			want[schema.Holder] = &componentpb.Seat{Seat: s.holder}
		}
		w.wants(schema.EntityOfPiece(id.Piece(name)), want)
	}
}
