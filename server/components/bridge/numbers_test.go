package bridge

import (
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// life returns the number of piece 5 in its n-th life on a link of the given form.
func life(form Form, n crdt.Entity) crdt.Entity {
	if form == Flat {
		return n<<versionBits | firstGiven
	}
	return piece + n<<lifeBits
}

// unused is the first number that a new flat link has not given.
const unused crdt.Entity = firstGiven + 2

func stroke(e crdt.Entity) crdt.Op {
	return crdt.Op{Kind: crdt.Put, Entity: e, Component: schema.Stroke, Timestamp: 1, Data: aStroke}
}

func author(e crdt.Entity, seat id.Seat) crdt.Op {
	return crdt.Op{
		Kind: crdt.Put, Entity: e, Component: schema.Author, Timestamp: 1,
		Data: schema.Encode(&componentpb.Seat{Seat: uint32(seat)}),
	}
}

func called(e crdt.Entity, op crdt.Op) crdt.Op {
	op.Entity = e
	return op
}

// TestNumbers shows when an entity ends on a link and comes back under another number (C19).
func TestNumbers(t *testing.T) {
	// Clauses: C19.30, C19.31, C19.35, C19.36, C19.37
	each(t, "C15, C19 a hidden entity returns under another number", func(t *testing.T, form Form) {
		b := newBench(t, form, label(piece, 7, "a"))
		b.wants(b.told(gone(5)), burial(life(form, 0)))
		if unwritten := b.told(gone(6)); form == Flat {
			b.wants(unwritten, burial(firstGiven+1))
		} else {
			b.wants(unwritten) // the replica does not know the piece
		}
		room, answer := b.says(label(life(form, 0), 8, "late"))
		b.wants(room)
		b.wants(answer) // C5: ignored without a correction
		back := &holtpb.Event{Event: &holtpb.Event_Update{
			Update: &holtpb.Update{Piece: &holtpb.Piece{Id: 5, Kind: new(uint32(1))}},
		}}
		b.wants(b.told(back, components(label(piece, 1, "b"))), label(life(form, 1), 1, "b"))
		room, _ = b.says(label(life(form, 1), 2, "c"))
		b.wants(room, label(piece, 2, "c"))
	})
	// Clauses: C19.30, C19.31, C19.35
	each(t, "C15, T21 so is a renamed one, or one with another owner", func(t *testing.T, form Form) {
		b := newBench(t, form, label(piece, 7, "a"))
		sold := &holtpb.Event{Event: &holtpb.Event_Update{
			Update: &holtpb.Update{Piece: &holtpb.Piece{Id: 5, Owner: new(uint32(2))}},
		}}
		b.wants(b.told(sold), burial(life(form, 0)))
		b.wants(b.told(components(label(piece, 1, "b"))), label(life(form, 1), 1, "b"))
		renamed := &holtpb.Event{Event: &holtpb.Event_Update{
			Update: &holtpb.Update{Piece: &holtpb.Piece{Id: 5, Renamed: new(uint32(9))}},
		}}
		b.wants(b.told(renamed), burial(life(form, 1)))
		now := schema.EntityOfPiece(9)
		is := now
		if form == Flat {
			is = life(form, 2)
		}
		b.wants(b.told(components(label(now, 1, "c"))), label(is, 1, "c"))
	})
	each(t, "C15, C19.36 writes during a deletion return if taken", func(t *testing.T, form Form) {
		b := newBench(t, form, label(piece, 1, "a"))
		b.says(label(life(form, 0), 2, "b"))
		sold := &holtpb.Event{Event: &holtpb.Event_Update{
			Update: &holtpb.Update{Piece: &holtpb.Piece{Id: 5, Owner: new(uint32(2))}},
		}}
		b.wants(b.told(sold), burial(life(form, 0)))
		b.wants(b.told(components(label(piece, 2, "b"))), label(life(form, 1), 2, "b"))
	})
	// Clauses: C19.28, C19.29
	each(t, "C16, C19 an undeletable entity gets another number", func(t *testing.T, form Form) {
		b := newBench(t, form, title(3, "a"), label(piece, 1, "x"))
		_, answer := b.says(burial(schema.TheTable), burial(life(form, 0)))
		again := called(life(form, 1), label(piece, 1, "x"))
		b.wants(answer, called(1<<versionBits, title(3, "a")), again)
		room, _ := b.says(called(1<<versionBits, title(4, "b")))
		b.wants(room, title(4, "b"))
	})
	t.Run("C19 an unknown entity deleted on a flat link uses up no number", func(t *testing.T) {
		b := newBench(t, Flat)
		_, answer := b.says(label(unused, 9, "?"), label(unused, 10, "?"))
		b.wants(answer, burial(unused))
		is := schema.EntityOfStroke(now, 5)
		b.wants(b.told(components(stroke(is))), stroke(1<<versionBits|unused))
	})
	t.Run("C19.32 a stroke made on a flat link keeps its chosen number", func(t *testing.T) {
		b := newBench(t, Flat)
		mine := crdt.Entity(firstMade + 3)
		room, _ := b.says(stroke(mine))
		is := schema.EntityOfStroke(now, 77)
		b.wants(room, stroke(is))
		b.wants(b.told(components(stroke(is), author(is, engineSeat))), author(mine, engineSeat))
		other := schema.EntityOfStroke(now, 78)
		b.wants(b.told(components(stroke(other), author(other, otherSeat))), stroke(unused),
			author(unused, otherSeat))
		room, _ = b.says(burial(mine))
		b.wants(room, burial(is))
		b.wants(b.told(components(burial(is), burial(other))), burial(mine), burial(unused))
		_, answer := b.says(stroke(unused + 1)) // only the link gives this number
		b.wants(answer, burial(unused+1))
		room, _ = b.says(stroke(1<<versionBits | mine))
		if len(room) != 1 || room[0].Entity == is {
			t.Errorf("used again it is %v", room)
		}
	})
	// Clauses: C19.27, C19.28, C19.33
	each(t, "C16, C19 an unmade stroke is deleted", func(t *testing.T, form Form) {
		theirs := schema.EntityOfStroke(now, 5)
		b := newBench(t, form, stroke(theirs), author(theirs, otherSeat))
		mine, is := crdt.Entity(firstMade), schema.EntityOfStroke(now, 77)
		called := unused
		if form == Protobuf {
			mine, called = is, theirs
		}
		b.says(stroke(mine))
		b.wants(b.told(refusal(stroke(is))), burial(mine))
		b.says(burial(called))
		b.wants(b.told(components(crdt.Op{
			Kind: crdt.Append, Entity: theirs, Component: schema.Points, Timestamp: 1,
		})))
		again := b.told(refusal(crdt.Op{Entity: theirs}))
		if len(again) != 3 || again[0].Entity == called || again[0].Component != schema.Stroke ||
			again[2].Component != schema.Points {
			t.Fatalf("form %d: it gets %v", form, again)
		}
		room, _ := b.says(crdt.Op{
			Kind: crdt.Append, Entity: again[0].Entity, Component: schema.Points, Timestamp: 2,
			Data: schema.Encode(&componentpb.Points{X: []int32{1}, Y: []int32{1}}),
		})
		if len(room) != 1 || room[0].Entity != theirs {
			t.Errorf("its operation on that goes to %v", room)
		}
	})
	each(t, "C16, C19 clearing the layer deletes its strokes", func(t *testing.T, form Form) {
		old, young := schema.EntityOfStroke(now-5, 5), schema.EntityOfStroke(now, 5)
		b := newBench(t, form, stroke(old), author(old, 1), stroke(young), author(young, 1))
		clearing := burial(schema.Clearing(now - 1))
		want := clearing
		if form == Flat {
			want = burial(unused)
		}
		b.wants(b.told(components(clearing)), want)
	})
	// Clauses: C19.28, C19.33
	t.Run("C16, C19 a rejected clearing is corrected by sending what was there", func(t *testing.T) {
		old, young := schema.EntityOfStroke(now-5, 5), schema.EntityOfStroke(now, 5)
		b := newBench(t, Protobuf, stroke(old), author(old, 1), stroke(young), author(young, 1))
		clearing := burial(schema.Clearing(now))
		room, _ := b.says(clearing)
		b.wants(room, clearing)
		again := schema.EntityOfStroke(now, 77)
		b.wants(b.told(refusal(clearing)), called(again, stroke(old)),
			called(again, author(old, 1)))
		b.numbers.draw = func() uint32 { return 78 }
		late := schema.EntityOfStroke(now-1, 6)
		b.wants(b.told(components(stroke(late))),
			called(schema.EntityOfStroke(now, 78), stroke(late)))
	})
}

// TestNumbersOfMadeStrokes shows which numbers a replica of flat form may choose for a stroke.
// Clauses: C19.34
func TestNumbersOfMadeStrokes(t *testing.T) {
	for _, mine := range []crdt.Entity{32_768, 40_000, 65_535} {
		b := newBench(t, Flat)
		room, answer := b.says(stroke(mine))
		b.wants(room, stroke(schema.EntityOfStroke(now, 77)))
		b.wants(answer)
	}
	for _, taken := range []crdt.Entity{firstGiven + 2, 32_767} {
		b := newBench(t, Flat)
		room, answer := b.says(stroke(taken))
		b.wants(room)
		b.wants(answer, burial(taken))
	}
	b := newBench(t, Flat)
	is := schema.EntityOfStroke(now, 77)
	b.says(stroke(40_000))
	b.told(components(stroke(is), author(is, engineSeat)))
	b.says(burial(40_000))
	b.told(components(burial(is)))
	room, _ := b.says(stroke(40_000)) // in the version that it has deleted
	b.wants(room)
	if room, _ = b.says(stroke(1<<versionBits | 40_000)); len(room) != 1 {
		t.Errorf("in the next version the room gets %v", room)
	}
}

// TestUnpublishedDeletions shows what happens to a piece that was never on the replica, when the
// view does not see it any more.
// Clauses: C19.38
func TestUnpublishedDeletions(t *testing.T) {
	for what, event := range map[string]*holtpb.Event{
		"gone":    gone(6),
		"renamed": update(6, func(p *holtpb.Piece) { p.Renamed = new(uint32(20_000)) }),
	} {
		t.Run(what, func(t *testing.T) {
			b := newBench(t, Protobuf)
			b.wants(b.told(event)) // it is not published
			late := label(piece+1, 1, "late")
			room, answer := b.says(late)
			if len(room) > 0 {
				b.wants(room, late)
				answer = append(answer, b.told(refusal(late))...) // the room knows no such piece
			}
			b.wants(answer, deleted(at(2, late)))
		})
	}
}

// TestIdentities shows that a link tells a flat replica of each piece what it is (C19).
func TestIdentities(t *testing.T) {
	flat := func(name string, test func(t *testing.T, b *bench)) {
		t.Run(name, func(t *testing.T) { test(t, newBench(t, Flat)) })
	}
	// Clauses: C19.30, C19.39, C19.40
	flat("C19 a flat link sends what each piece is", func(t *testing.T, b *bench) {
		b.wants(b.identities, identity(firstGiven, 5), identity(firstGiven+1, 6))
		room, _ := b.says(label(firstGiven+1, 1, "mine"))
		b.wants(room, label(schema.EntityOfPiece(6), 1, "mine"))
		b.identities = nil
		b.wants(b.told(update(20_000, func(p *holtpb.Piece) { p.Kind = new(uint32(1)) })))
		b.wants(b.identities, identity(unused, 20_000))
		b.wants(b.told(update(20_000, func(p *holtpb.Piece) { p.X = new(int32(1)) })))
		if len(b.identities) > 1 {
			t.Errorf("when it moves it gets %v", b.identities[1:])
		}
	})
	// Clauses: C19.36, C19.41
	flat("C15, T21, C19 also after a rename or a new owner", func(t *testing.T, b *bench) {
		b.identities = nil
		b.wants(b.told(update(5, func(p *holtpb.Piece) { p.Owner = new(uint32(2)) })),
			burial(firstGiven))
		b.wants(b.told(update(5, func(p *holtpb.Piece) { p.Renamed = new(uint32(20_000)) })),
			burial(life(Flat, 1)))
		b.wants(b.identities, identity(life(Flat, 1), 5), identity(life(Flat, 2), 20_000))
		room, answer := b.says(label(life(Flat, 0), 1, "late"), label(life(Flat, 1), 1, "late"))
		b.wants(room)
		b.wants(answer)
	})
	// Clauses: C19.43
	flat("C19 writes of the replica there are corrected", func(t *testing.T, b *bench) {
		b.identities = nil
		forged := at(2, identity(firstGiven, 6))
		room, _ := b.says(forged)
		b.wants(room, called(piece, forged))
		b.told(refusal(called(piece, forged)))
		b.says(burial(firstGiven + 1))
		b.wants(b.identities, at(3, identity(firstGiven, 5)),
			identity(1<<versionBits|(firstGiven+1), 6))
	})
	// Clauses: C19.31, C19.36
	t.Run("C15, C19 a protobuf number ends with its piece, even unpublished", func(t *testing.T) {
		b := newBench(t, Protobuf)
		b.wants(b.told(update(5, func(p *holtpb.Piece) { p.Owner = new(uint32(0)) })),
			burial(piece))
		room, answer := b.says(label(piece, 1, "the ace"))
		b.wants(room)
		b.wants(answer)
		room, _ = b.says(label(life(Protobuf, 1), 1, "beaten"))
		b.wants(room, label(piece, 1, "beaten"))
	})
}

// TestBegun shows that a stroke keeps its number though the room refuses its first points.
func TestBegun(t *testing.T) {
	t.Run("C12, C19.26 a stroke keeps its number after early refused points", func(t *testing.T) {
		b := newBench(t, Flat)
		mine, is := crdt.Entity(firstMade), schema.EntityOfStroke(now, 77)
		points := crdt.Op{
			Kind: crdt.Append, Entity: mine, Component: schema.Points, Timestamp: 1,
			Data: []byte{0xff},
		}
		_, answer := b.says(stroke(mine), points)
		b.wants(answer)
		b.wants(b.told(components(stroke(is), author(is, engineSeat))), author(mine, engineSeat))
	})
}

// TestDigests shows how a link answers a digest (C20).
func TestDigests(t *testing.T) {
	// Clauses: C20.6, C20.7
	t.Run("C19 a digest is answered by differences, or by another on request", func(t *testing.T) {
		b := newBench(t, Protobuf, title(3, "a"), label(piece, 1, "x"))
		engine := crdt.New(crdt.Config{Sets: schema.Sets})
		engine.Merge(title(3, "a"))
		mine := engine.Digest()
		taken, err := b.FromReplica(crdt.AppendDigest(nil, &mine, true), now)
		if err != nil || taken.Digest == nil || !taken.Asks {
			t.Fatalf("%+v, %v", taken, err)
		}
		out, err := b.Differing(taken.Digest, taken.Asks)
		if err != nil {
			t.Fatal(err)
		}
		b.wants(b.read(out), label(piece, 1, "x"))
		engine.Merge(label(piece, 1, "x"))
		m, err := crdt.Decode(out[0])
		if all := engine.Digest(); err != nil || m.Digest == nil || *m.Digest != all {
			t.Errorf("the digest is another, %v", err)
		}
	})
}

// TestWeight shows what a digest costs, and that cleared strokes cost nothing.
func TestWeight(t *testing.T) {
	t.Run("C20 the cost of a digest grows with live and ended keys", func(t *testing.T) {
		b := newBench(t, Protobuf, burial(schema.EntityOfStroke(now, 6)), title(3, "a"),
			label(piece, 1, "x"), stroke(schema.EntityOfStroke(now, 5)))
		if n := b.DiffCost(); n != 4 {
			t.Errorf("it is %d, want that of three entities and a deletion", n)
		}
		b.says(burial(schema.TheSheet), burial(piece))
		if n := b.DiffCost(); n != 6 {
			t.Errorf("with two numbers that have ended it is %d", n)
		}
	})
	each(t, "C16, C19 clearing the layer keeps nothing of its strokes", func(t *testing.T, form Form) {
		is := schema.EntityOfStroke(now-5, 5)
		b := newBench(t, form, stroke(is), author(is, otherSeat))
		mine := at(2, stroke(is))
		if form == Flat {
			mine.Entity = unused
		}
		b.says(mine)
		b.told(refusal(at(2, stroke(is))))
		if b.refusals != 1 {
			t.Fatalf("%d keys are shifted: the test proves nothing", b.refusals)
		}
		b.told(components(burial(schema.Clearing(now))))
		if b.refusals != 0 || len(b.offsets) != 0 {
			t.Errorf("%d keys are shifted: %v", b.refusals, b.offsets)
		}
	})
}

// FuzzTake shows that Take returns an error or valid operations for any bytes of a replica (C10),
// and that nothing is under way once the room has refused them all (C19).
func FuzzTake(f *testing.F) {
	var flat []byte
	ops := []crdt.Op{
		title(4, "b"), label(firstGiven, 2, "c"), stroke(firstMade), burial(firstGiven),
		burial(1<<versionBits | schema.TheSheet),
	}
	for i := range ops {
		var err error
		if flat, err = crdt.AppendFlat(flat, &ops[i]); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(true, flat)
	f.Add(false, encoded(ops...))
	f.Fuzz(func(t *testing.T, flat bool, message []byte) {
		form := Protobuf
		if flat {
			form = Flat
		}
		l := New(Config{Form: form, Random: func() uint32 { return 77 }})
		is := schema.EntityOfStroke(now, 5)
		full := &holtpb.Full{
			Components: encoded(title(3, "a"), label(piece, 1, "x"), stroke(is), author(is, 1)),
			Pieces:     []*holtpb.Piece{{Id: 5}},
		}
		if _, err := l.FromView(&holtpb.Frame{
			Events: []*holtpb.Event{{Event: &holtpb.Event_Full{Full: full}}},
		}); err != nil {
			t.Fatal(err)
		}
		taken, err := l.FromReplica(message, now)
		if err != nil {
			return
		}
		for i := range taken.Ops {
			if err := taken.Ops[i].Check(); err != nil {
				t.Fatalf("C10 to the room goes %+v: %v", taken.Ops[i], err)
			}
			if _, err := l.FromView(&holtpb.Frame{
				Events: []*holtpb.Event{refusal(taken.Ops[i])},
			}); err != nil {
				return
			}
		}
		if !l.Settled() {
			t.Fatalf("C19 all was refused, and under way is %v", l.sent)
		}
	})
}
