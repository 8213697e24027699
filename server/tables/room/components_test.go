package room_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// put returns an operation that sets a component.
func put(e crdt.Entity, number, timestamp uint32, m proto.Message) crdt.Op {
	return crdt.Op{
		Kind: crdt.Put, Entity: e, Component: number, Timestamp: timestamp, Data: schema.Encode(m),
	}
}

func text(s string) *componentpb.Text { return &componentpb.Text{Text: s} }

// message returns a message with operations, with the version that the player has read.
func (p *player) message(ops ...crdt.Op) room.Operations {
	return room.Operations{Client: p.id, Epoch: p.epoch, Version: p.version, Ops: ops}
}

// operate sends operations, and fails the test if they are refused as a whole.
func (p *player) operate(ops ...crdt.Op) {
	p.t.Helper()
	if err := p.rooms.Operate(p.t.Context(), p.session, p.message(ops...)); err != nil {
		p.t.Fatal(err)
	}
}

// mayNot checks that operations are refused, and that their sender learns why.
func (p *player) mayNot(why holtpb.Refusal, ops ...crdt.Op) {
	p.t.Helper()
	p.operate(ops...)
	if got := refusals(p.events()); !slices.Equal(got, []holtpb.Refusal{why}) {
		p.t.Errorf("C11 seat %d is refused for %v, want %v", p.session.Seat, got, why)
	}
}

// operations returns the operations in events.
func operations(t *testing.T, events []*holtpb.Event) []crdt.Op {
	t.Helper()
	var all []crdt.Op
	for _, e := range events {
		all = append(all, opsOf(t, e.GetComponents())...)
	}
	return all
}

func opsOf(t *testing.T, encoded []byte) []crdt.Op {
	t.Helper()
	m, err := crdt.Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(m.Ops())
}

// refusals returns why operations of a client were refused, by the events of its stream.
func refusals(events []*holtpb.Event) []holtpb.Refusal {
	var all []holtpb.Refusal
	for _, e := range events {
		if r := e.GetRefused(); r != nil {
			all = append(all, r.GetReason())
		}
	}
	return all
}

// sameOps reports whether two lists have the same operations.
func sameOps(a, b []crdt.Op) bool {
	return slices.EqualFunc(a, b, func(x, y crdt.Op) bool {
		return x.Kind == y.Kind && x.Entity == y.Entity && x.Component == y.Component &&
			x.Timestamp == y.Timestamp && slices.Equal(x.Data, y.Data)
	})
}

// wantOps checks that a viewer gets these operations and no others.
func wantOps(t *testing.T, who string, events []*holtpb.Event, want ...crdt.Op) {
	t.Helper()
	if got := operations(t, events); !sameOps(got, want) {
		t.Errorf("C17 %s gets %v, want %v", who, got, want)
	}
}

func TestComponents(t *testing.T) {
	label := put(schema.EntityOfPiece(tokenLeft), schema.Label, 1, text("mine"))
	// Clauses: C17.2, C17.3, C17.4
	atCards(t).Run("C17 a durable operation is published to everybody", func(t *testing.T, r *rig) {
		p := r.party()
		release := r.store.block()
		done := make(chan bool)
		go func() {
			defer close(done)
			p.bob.operate(label)
		}()
		for who, one := range p.all() {
			wantOps(t, who, one.events())
		}
		release()
		<-done
		for who, one := range p.all() {
			wantOps(t, who, one.events(), label)
		}
	})
	// Clauses: C17.1, C17.5
	atCards(t).Run("C17, S5 a client gets what it missed, or everything", func(t *testing.T, r *rig) {
		p := r.party()
		for _, restarted := range []bool{false, true} {
			version := p.dan.version
			p.dan.cut()
			label.Timestamp++
			p.ada.operate(label)
			p.ada.frames()
			if restarted {
				r.store.mu.Lock()
				r.store.failSave = errDisk // no snapshot: he can resume from the log
				r.store.mu.Unlock()
				r.stop()
				r.start()
			}
			wantOps(t, "dan", p.dan.comeBack(room.Hello{Epoch: p.dan.epoch, Version: version}), label)
			eve := r.open(p.eve.session)
			if got := opsOf(
				t, eve.events()[0].GetFull().GetComponents(),
			); !sameOps(got, []crdt.Op{label}) {
				t.Errorf("restarted %v: the full state has %v", restarted, got)
			}
			p.ada.reopen(0)
			p.readAll()
		}
	})
	atCards(t).Run("C2, C3 the greater concurrent write corrects others", func(t *testing.T, r *rig) {
		p := r.party()
		mine, yours := label, put(label.Entity, schema.Label, label.Timestamp, text("yours"))
		p.ada.operate(yours)
		p.bob.operate(mine)
		for who, one := range p.all() {
			events := one.events()
			wantOps(t, who, events, yours)
			if got := refusals(events); len(got) > 0 {
				t.Errorf("%s is refused with %v, but a loss is not a refusal", who, got)
			}
		}
	})
	atCards(t).Run("C11.7 a lost and refused key is corrected", func(t *testing.T, r *rig) {
		p := r.party()
		stored := put(label.Entity, schema.Label, 9, text("yours"))
		p.ada.operate(stored)
		p.readAll()
		far := put(label.Entity, schema.Label, 1000, text("for ever"))
		p.bob.mayNot(holtpb.Refusal_REFUSAL_TIMESTAMP, label, far, label)
	})
	// Clauses: C11.2, C11.4, C11.5, C11.7, C12.4, C17.14, C17.19, C17.20
	atCards(t).Run("C11, C12 only the sender is corrected, once a key", func(t *testing.T, r *rig) {
		p := r.party()
		title := put(schema.TheTable, schema.Title, 1, text("Bob's"))
		far := put(schema.EntityOfPiece(tokenLeft), schema.Label, 1000, text("for ever"))
		nowhere := put(schema.EntityOfPiece(999), schema.Label, 1, text("?"))
		odd := crdt.Op{Kind: crdt.Put, Entity: 7, Component: 9, Timestamp: 1}
		p.bob.operate(title, title, far, nowhere, odd)
		want := []holtpb.Refusal{
			holtpb.Refusal_REFUSAL_NOT_ALLOWED, holtpb.Refusal_REFUSAL_TIMESTAMP,
			holtpb.Refusal_REFUSAL_GONE, holtpb.Refusal_REFUSAL_UNKNOWN,
		}
		for who, one := range p.all() {
			events := one.events()
			wantOps(t, who, events)
			if one != p.bob {
				if got := refusals(events); len(got) > 0 {
					t.Errorf("%s gets %v", who, got)
				}
			} else if got := refusals(events); !slices.Equal(got, want) {
				t.Errorf("bob gets %v, want %v", got, want)
			}
		}
		if err := r.rooms.Operate(
			t.Context(), p.eve.session, p.eve.message(label),
		); !errors.Is(err, room.ErrRole) {
			t.Errorf("a spectator gets %v", err)
		}
		var invalid *table.Invalid
		bad := label
		bad.Data = []byte{0xff}
		if err := r.rooms.Operate(
			t.Context(), p.bob.session, p.bob.message(label, bad),
		); !errors.As(err, &invalid) ||
			invalid.Index != 1 || invalid.Code != table.CodeImpossible {
			t.Errorf("C12 an invalid text gets %v", err)
		}
		if err := r.rooms.Operate(t.Context(), p.bob.session, room.Operations{
			Client: p.bob.id, Epoch: p.bob.epoch + 1, Version: p.bob.version, Ops: []crdt.Op{label},
		}); !errors.Is(err, room.ErrEpoch) {
			t.Errorf("C17, T19 an operation of another epoch gets %v", err)
		}
		if err := r.rooms.Operate(t.Context(), p.bob.session, room.Operations{
			Client: p.bob.id, Epoch: p.bob.epoch, Version: p.bob.version + 1, Ops: []crdt.Op{label},
		}); !errors.As(err, &invalid) ||
			invalid.Code != table.CodeFutureTag {
			t.Errorf("C17 a version that was never given gets %v", err)
		}
		if err := r.rooms.Operate(t.Context(), p.bob.session, room.Operations{
			Client: p.ada.id, Epoch: p.bob.epoch, Version: p.bob.version, Ops: []crdt.Op{label},
		}); !errors.Is(err, room.ErrClient) {
			t.Errorf("the client of another seat gets %v", err)
		}
		wantOps(t, "eve", p.eve.events())
	})
	atCards(t).Run("C18 nobody takes over the server's asking client", func(t *testing.T, r *rig) {
		p := r.party()
		asking := id.Client{
			'c', 'o', 'm', 'p', 'o', 'n', 'e', 'n', 't', 's', 15: byte(p.dan.session.Seat),
		}
		message := p.bob.message(label)
		message.Client = asking
		u := p.bob.move(tokenLeft, 0, 0)
		u.Seq = 1<<53 - 1
		_, opening := r.rooms.Open(t.Context(), p.bob.session, room.Hello{Client: asking}, &memoryCarrier{
			closed: make(chan struct{}),
		})
		for how, err := range map[string]error{
			"by a stream":   opening,
			"by operations": r.rooms.Operate(t.Context(), p.bob.session, message),
			"by a batch": r.rooms.Update(t.Context(), p.bob.session, wire.Batch{
				Client: asking, Epoch: p.bob.epoch, Updates: []table.Update{u},
			}),
			"by its own seat": r.rooms.Update(t.Context(), p.dan.session, wire.Batch{
				Client: asking, Epoch: p.bob.epoch, Updates: []table.Update{u},
			}),
		} {
			if !errors.Is(err, room.ErrClient) {
				t.Errorf("%s: %v", how, err)
			}
		}
		die := schema.EntityOfPiece(openDie)
		p.dan.operate(put(die, schema.Roll, 1, &componentpb.Roll{}))
		rolled := operations(t, p.dan.events())
		if len(rolled) != 2 ||
			!sameOps(rolled[1:], []crdt.Op{put(die, schema.RollResult, 1, &componentpb.RollResult{
				Of: 1, Face: new(p.dan.sight.pieces[openDie].GetFace()),
			})}) {
			t.Errorf("dan's question is answered by %+v", rolled)
		}
	})
}

func TestComponentsOfHidden(t *testing.T) {
	// Clauses: C15.1, C15.2, C15.5, C17.1
	atCards(t).Run("C15 labels of a card in a hand go to its viewers", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		card := id.Piece(p.ada.hand(anyCard)[0].GetId())
		label := put(schema.EntityOfPiece(card), schema.Label, 1, text("the ace"))
		p.ada.operate(label)
		for who, one := range p.all() {
			if one == p.ada || one == p.tab {
				wantOps(t, who, one.events(), label)
			} else {
				wantOps(t, who, one.events())
				if got := opsOf(t, one.reopenForFull().GetComponents()); len(got) > 0 {
					t.Errorf("the full state of %s has %v", who, got)
				}
			}
		}
		p.bob.operate(label)
		if got := refusals(
			p.bob.events(),
		); !slices.Equal(got, []holtpb.Refusal{holtpb.Refusal_REFUSAL_GONE}) {
			t.Errorf("bob, who does not see it, is refused with %v", got)
		}
		p.ada.mustSend(p.ada.move(card, 0, 0))
		for who, one := range p.all() {
			wantOps(t, who, one.events())
			if got := opsOf(t, one.reopenForFull().GetComponents()); len(got) > 0 {
				t.Errorf("after the play the full state of %s has %v", who, got)
			}
		}
	})
	for name, restart := range map[string]func(*rig, *party){
		"": func(*rig, *party) {},
		", also after a restart from a snapshot": func(r *rig, p *party) {
			r.stop()
			r.start()
			p.ada.reopen(0)
			p.bob.reopen(0)
		},
	} {
		// Clauses: C15.7, C17.14
		atCards(t).Run("C15, C17 a late label on a played card fails"+name, func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.draw(1))
			p.readAll()
			card := id.Piece(p.ada.hand(anyCard)[0].GetId())
			late := p.ada.message(put(schema.EntityOfPiece(card), schema.Label, 1, text("the ace")),
				put(schema.EntityOfPiece(tokenLeft), schema.Label, 1, text("mine")))
			p.tab.mustSend(p.tab.move(card, 0, 0))
			restart(r, p)
			if err := r.rooms.Operate(t.Context(), p.ada.session, late); err != nil {
				t.Fatal(err)
			}
			if got := refusals(
				p.ada.events(),
			); !slices.Equal(got, []holtpb.Refusal{holtpb.Refusal_REFUSAL_GONE}) {
				t.Errorf("ada is refused with %v, want gone", got)
			}
			wantOps(t, "bob", p.bob.events(), late.Ops[1])
		})
	}
	atCards(t).Run("C15.6, C17 a viewer of a played card can label it", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		card := id.Piece(p.ada.hand(anyCard)[0].GetId())
		p.ada.mustSend(p.ada.move(card, 0, 0))
		p.readAll()
		label := put(schema.EntityOfPiece(card), schema.Label, 1, text("beaten"))
		p.ada.operate(label)
		wantOps(t, "bob", p.bob.events(), label)
	})
	atCards(t).Run("C15.3 a card in a deck or deleted has no labels", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.operate(put(schema.EntityOfPiece(tokenLeft), schema.Label, 1, text("left")),
			put(schema.EntityOfPiece(tokenRight), schema.Tint, 1, &componentpb.Tint{Colour: 255}))
		p.readAll()
		p.ada.mustSend(p.ada.stow(tokenLeft, bag, 1), p.ada.make(table.OpDelete, tokenRight))
		if got := opsOf(t, p.eve.reopenForFull().GetComponents()); len(got) > 0 {
			t.Errorf("the full state has %v", got)
		}
	})
	// Clauses: C17.2, C18.2, C18.3, C18.4
	atCards(t).Run("C17 only the last of repeated questions is answered", func(t *testing.T, r *rig) {
		p := r.party()
		me := schema.EntityOfSeat(p.bob.session.Seat)
		ask := func(timestamp uint32, x int32) crdt.Op {
			return put(me, schema.HitTest, timestamp, &componentpb.HitTest{X: x, Y: 3000})
		}
		measure := put(me, schema.Measure, 1, &componentpb.Measure{
			From: &componentpb.Spot{X: 3}, To: &componentpb.Spot{Y: 4},
		})
		p.bob.operate(ask(1, 0), ask(3, -500), measure, ask(2, 0))
		wantOps(t, "bob", p.bob.events(), ask(1, 0), ask(3, -500), measure,
			put(me, schema.HitTestResult, 1, &componentpb.HitTestResult{
				Of: 3, Pieces: []uint32{uint32(tokenLeft)},
			}),
			put(me, schema.MeasureResult, 1, &componentpb.MeasureResult{
				Of: 1, Distance: new(uint32(5)),
			}))
	})
	atCards(t).Run("C18.7 questions about places are private", func(t *testing.T, r *rig) {
		p := r.party()
		ask := put(schema.EntityOfSeat(p.bob.session.Seat), schema.HitTest, 1, &componentpb.HitTest{
			X: -500, Y: 3000,
		})
		p.bob.operate(ask)
		answer := put(ask.Entity, schema.HitTestResult, 1, &componentpb.HitTestResult{
			Of: 1, Pieces: []uint32{uint32(tokenLeft)},
		})
		for who, one := range p.all() {
			if one == p.bob {
				wantOps(t, who, one.events(), ask, answer)
			} else {
				wantOps(t, who, one.events())
			}
		}
	})
}

func TestComponentEffects(t *testing.T) {
	atCards(t).Run("C14 the host sets title, surface and size", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.operate(
			put(schema.TheTable, schema.Title, 1, text("Thursday")),
			put(schema.TheTable, schema.Surface, 1, &componentpb.Surface{Name: "wood"}),
			put(schema.TheTable, schema.Size, 1, &componentpb.Size{Width: 8000, Height: 20_000}),
		)
		p.ada.mayNot(holtpb.Refusal_REFUSAL_NOT_ALLOWED, crdt.Op{
			Kind: crdt.Delete, Entity: schema.TheTable, Component: schema.Title, Timestamp: 2,
		})
		want := &holtpb.TableInfo{Title: "Thursday", Surface: "wood", Width: 8000, Height: 20_000}
		for range 2 {
			got := p.eve.reopenForFull().GetTable()
			want.Catalog = got.GetCatalog()
			if !proto.Equal(got, want) {
				t.Errorf("the full state says %v, want %v", got, want)
			}
			about, err := r.rooms.About(t.Context(), p.ada.session.Table)
			if err != nil || about.Title != "Thursday" {
				t.Errorf("the store says %+v, %v", about, err)
			}
			u := p.ada.move(tokenLeft, 3900, 9900)
			p.ada.mustSend(u)
			if events := p.ada.events(); !slices.Equal(acks(events), []uint64{uint64(u.Seq)}) {
				t.Errorf("T14 a move to a place beyond the old edge is answered by %v",
					events)
			}
			r.stop()
			r.start()
			for _, one := range p.all() {
				one.reopen(0)
			}
			p.readAll()
		}
	})
	atCards(t).Run("C14.12 a profile describes its seat", func(t *testing.T, r *rig) {
		p := r.party()
		op := put(schema.EntityOfSeat(p.bob.session.Seat), schema.Profile, 1, &componentpb.Profile{
			Nick: "Robert", Colour: 0x123456, Pronoun: "he",
		})
		p.bob.operate(op)
		for who, one := range p.all() {
			events := one.events()
			wantOps(t, who, events, op)
			i := slices.IndexFunc(events, func(e *holtpb.Event) bool { return e.GetSeat() != nil })
			if i < 0 || events[i].GetSeat().GetNick() != "Robert" ||
				events[i].GetSeat().GetColour() != 0x123456 {
				t.Errorf("%s gets %v", who, events)
			}
		}
		op.Timestamp++
		p.dan.mayNot(holtpb.Refusal_REFUSAL_NOT_ALLOWED, op)
	})
	// Clauses: C16.1, C16.2, C16.3, C16.4
	atCards(t).Run("C16 a stroke's author or a host may delete it", func(t *testing.T, r *rig) {
		p := r.party()
		now := schema.SecondAt(r.clock.now())
		for i, deletes := range []*player{p.bob, p.ada} {
			e := schema.EntityOfStroke(now, uint32(i+1))
			begun := put(e, schema.Stroke, 1, &componentpb.Stroke{Colour: 1, Width: 20})
			p.bob.operate(begun)
			wantOps(t, "eve", p.eve.events(), begun, put(e, schema.Author, 1, &componentpb.Seat{
				Seat: uint32(p.bob.session.Seat),
			}))
			points := crdt.Op{
				Kind: crdt.Append, Entity: e, Component: schema.Points, Timestamp: 1,
				Data: schema.Encode(&componentpb.Points{X: []int32{1}, Y: []int32{2}}),
			}
			p.dan.mayNot(holtpb.Refusal_REFUSAL_NOT_ALLOWED, points)
			p.bob.operate(points)
			wantOps(t, "eve", p.eve.events(), points)
			gone := crdt.Op{Kind: crdt.DeleteEntity, Entity: e}
			p.dan.mayNot(holtpb.Refusal_REFUSAL_NOT_ALLOWED, gone)
			deletes.operate(gone)
			wantOps(t, "eve", p.eve.events(), gone)
			p.readAll()
		}
	})
	// Clauses: C18.1, C18.2, C18.8
	atCards(t).Run("C18 a die rolls on request, or says why not", func(t *testing.T, r *rig) {
		p := r.party()
		die := schema.EntityOfPiece(openDie)
		p.bob.operate(put(die, schema.Roll, 1, &componentpb.Roll{}),
			put(die, schema.Roll, 2, &componentpb.Roll{}))
		var answers []*componentpb.RollResult
		for _, op := range operations(t, p.eve.events()) {
			if op.Component == schema.RollResult {
				m, err := schema.Decode[componentpb.RollResult](op.Data)
				if err != nil {
					t.Fatal(err)
				}
				answers = append(answers, m)
			}
		}
		if len(answers) != 2 || answers[0].GetOf() != 1 || answers[0].Face == nil ||
			answers[1].GetOf() != 2 || answers[1].GetReason() != uint32(table.ReasonCooling) {
			t.Fatalf("the answers are %v", answers)
		}
		if face := p.eve.sight.pieces[openDie].GetFace(); face != answers[0].GetFace() {
			t.Errorf("the die shows %d, the answer says %v", face, answers[0])
		}
	})
	atCards(t).Run("C18.9 a deck shuffles on request, others do not", func(t *testing.T, r *rig) {
		p := r.party()
		p.bob.operate(put(schema.EntityOfPiece(deck), schema.Shuffle, 1, &componentpb.Shuffle{}),
			put(schema.EntityOfPiece(tokenLeft), schema.Shuffle, 1, &componentpb.Shuffle{}))
		events := p.eve.events()
		if notices, _ := noticed(events); len(notices) != 1 ||
			notices[0].GetOp() != holtpb.Op_OP_SHUFFLE {
			t.Errorf("eve gets %v", events)
		}
		var reasons []uint32
		for _, op := range operations(t, events) {
			if op.Component == schema.ShuffleResult {
				m, err := schema.Decode[componentpb.ShuffleResult](op.Data)
				if err != nil {
					t.Fatal(err)
				}
				reasons = append(reasons, m.GetReason())
			}
		}
		if !slices.Equal(reasons, []uint32{0, uint32(table.ReasonNotAllowed)}) {
			t.Errorf("the answers have the reasons %v", reasons)
		}
	})
	atCards(t).Run("C7.4, T19 a new epoch keeps values but no tombstones", func(t *testing.T, r *rig) {
		p := r.party()
		now := schema.SecondAt(r.clock.now())
		first, second := schema.EntityOfStroke(now, 1), schema.EntityOfStroke(now, 2)
		look := &componentpb.Stroke{Width: 20}
		label, remark := put(schema.EntityOfPiece(tokenLeft), schema.Label, 5, text("mine")),
			put(schema.EntityOfPiece(tokenLeft), schema.Remark, 5, text("?"))
		unmark := crdt.Op{
			Kind: crdt.Delete, Entity: remark.Entity, Component: schema.Remark, Timestamp: 6,
		}
		begun, erased := put(second, schema.Stroke, 1, look),
			crdt.Op{Kind: crdt.DeleteEntity, Entity: first}
		p.ada.operate(label, remark, unmark, put(first, schema.Stroke, 1, look), begun, erased)
		author := put(second, schema.Author, 1, &componentpb.Seat{Seat: uint32(p.ada.session.Seat)})
		r.stop()
		r.start()
		eve := r.open(p.eve.session)
		if got := opsOf(
			t, eve.events()[0].GetFull().GetComponents(),
		); !sameOps(got, []crdt.Op{erased, label, unmark, begun, author}) {
			t.Errorf("after a restart there is %v", got)
		}
		r.stop()
		read(r.store, func() error { r.store.tables[p.ada.session.Table].row.Epoch++; return nil })
		r.start()
		eve = r.open(p.eve.session)
		if got := opsOf(
			t, eve.events()[0].GetFull().GetComponents(),
		); !sameOps(got, []crdt.Op{label, begun, author}) {
			t.Errorf("in another epoch there is %v", got)
		}
		p.ada.reopen(0)
		p.ada.events()
		again := put(remark.Entity, schema.Remark, 1, text("again"))
		p.ada.operate(again)
		wantOps(t, "eve", eve.events(), again)
	})
	atCards(t).Run("S5, C17 the bytes kept for resumes are bounded", func(t *testing.T, r *rig) {
		p := r.party()
		eve := p.eve
		version := eve.version
		eve.cut()
		remark := strings.Repeat("long ", 200)
		for n := range 9 << 20 / 1000 / 64 {
			var ops []crdt.Op
			for i := range 64 {
				ops = append(ops, put(schema.EntityOfPiece(tokenLeft), schema.Remark,
					uint32(64*n+i+1), text(remark[:1000-i%8])))
			}
			p.bob.operate(ops...)
			if n == 9 {
				p.bob.frames()
				if got := eve.comeBack(
					room.Hello{Epoch: eve.epoch, Version: version},
				); got[0].GetResumed() == nil {
					t.Fatalf("after some she gets %.200v", got)
				}
				version = eve.version
				eve.cut()
			}
			p.bob.frames()
		}
		if got := eve.comeBack(room.Hello{Epoch: eve.epoch, Version: version}); got[0].GetFull() == nil {
			t.Errorf("after nine million bytes she gets %.200v", got)
		}
	})
}
