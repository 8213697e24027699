package bridge

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// The seats of a world: the engine's, and that of a host, who may write everything.
const (
	engineSeat id.Seat = 2
	otherSeat  id.Seat = 1
)

// now is the second of a world. Time stands still there.
const now schema.Second = 200_000_000

// world is a room, a link and an engine, with queues between them. The room judges as rooms do, and
// now and then refuses what it could allow. The engine is a replica and nothing more.
type world struct {
	t    *testing.T
	name string // how to play it again
	rnd  *rand.Rand
	form Form
	by   schema.Writer

	room    *crdt.Replica
	pieces  []id.Piece            // that the view sees
	former  map[id.Piece]id.Piece // from a former name to the name now
	randoms uint32

	link   *Bridge
	frames []*holtpb.Frame // to the link
	down   [][]byte        // to the engine
	ups    [][]byte        // to the link
	cut    []byte          // the beginning of the next message to the link

	engine   *crdt.Replica
	decoder  crdt.FlatDecoder
	extra    map[string]bool // refused elements, which may stay at the engine
	refusals int
	passed   int
}

func newWorld(t *testing.T, seed uint64, form Form, role table.Role) *world {
	w := &world{
		t: t, rnd: rand.New(rand.NewPCG(seed, uint64(form))), form: form,
		by:     schema.Writer{Seat: engineSeat, Role: role},
		room:   crdt.New(crdt.Config{Sets: schema.Sets}),
		engine: crdt.New(crdt.Config{Sets: schema.Sets}),
		pieces: []id.Piece{1, 2, 3}, former: map[id.Piece]id.Piece{}, extra: map[string]bool{},
	}
	w.link = New(Config{Form: form, ReadOnly: role == table.RoleSpectator, Random: w.rnd.Uint32})
	for range 5 {
		w.other()
	}
	w.frames = nil
	var all []byte
	for op := range w.room.Ops() {
		all = crdt.AppendOp(all, &op)
	}
	full := &holtpb.Full{Components: all}
	for _, name := range w.pieces {
		full.Pieces = append(full.Pieces, &holtpb.Piece{Id: uint32(name)})
	}
	w.tell(&holtpb.Event{Event: &holtpb.Event_Full{Full: full}})
	return w
}

// step makes one random thing happen.
func (w *world) step() {
	switch w.rnd.IntN(9) {
	case 0:
		w.other()
	case 1:
		w.change()
	case 2, 3:
		w.write()
	default:
		w.carry()
	}
}

// carry delivers the first message of a random queue. It reports whether there was one.
func (w *world) carry() bool {
	for _, q := range w.rnd.Perm(4) {
		switch {
		case q == 0 && len(w.frames) > 0:
			f := w.frames[0]
			w.frames = w.frames[1:]
			out, err := w.link.FromView(f)
			w.must(err)
			w.down = append(w.down, out...)
		case q == 1 && len(w.down) > 0:
			w.read(w.down[0])
			w.down = w.down[1:]
		case q == 2 && len(w.ups) > 0 && w.link.Synchronised():
			taken, err := w.link.FromReplica(w.ups[0], now)
			w.must(err)
			w.ups = w.ups[1:]
			w.down = append(w.down, taken.Answer...)
			w.operate(taken.Ops)
		case q == 3 && len(w.ups) == 0 && len(w.cut) > 0:
			w.ups, w.cut = append(w.ups, w.cut), nil
		default:
			continue
		}
		return true
	}
	return false
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.fatalf("%v", err)
	}
}

func (w *world) fatalf(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf(w.name+": "+format, args...)
}

// read merges a message at the engine. The engine never answers: only a link corrects, and only its
// engine.
func (w *world) read(message []byte) {
	if w.form == Flat {
		w.must(w.decoder.Push(message, func(op crdt.Op) { w.engine.Merge(op) }))
		return
	}
	m, err := crdt.Decode(message)
	w.must(err)
	for op := range m.Ops() {
		w.engine.Merge(op)
	}
}

func (w *world) tell(events ...*holtpb.Event) {
	w.frames = append(w.frames, &holtpb.Frame{Events: events})
}

func (w *world) tellOps(ops ...crdt.Op) {
	var b []byte
	for i := range ops {
		b = crdt.AppendOp(b, &ops[i])
	}
	if len(ops) > 0 {
		w.tell(&holtpb.Event{Event: &holtpb.Event_Components{Components: b}})
	}
}

// found is what an operation finds in the room.
func (w *world) found(op *crdt.Op) schema.Found {
	f := schema.FoundIn(w.room, op)
	f.Now = now
	if name, ok := schema.PieceOf(op.Entity); ok {
		f.Visible = slices.Contains(w.pieces, name)
	}
	if seat, ok := schema.SeatOf(op.Entity); ok {
		f.Visible = seat <= engineSeat
	}
	return f
}

// operate handles a message as the room does.
func (w *world) operate(ops []crdt.Op) {
	var applied []crdt.Op
	var lost []*holtpb.Event
	type key struct {
		entity    crdt.Entity
		component uint32
	}
	told := map[key]bool{}
	for _, sent := range ops {
		op := sent
		if name, ok := schema.PieceOf(op.Entity); ok && w.former[name] != 0 {
			op.Entity = schema.EntityOfPiece(w.former[name])
		}
		found := w.found(&op)
		reason := schema.Judge(&op, w.by, found)
		if reason == schema.Allowed && w.rnd.IntN(6) == 0 {
			reason = schema.Full
		}
		if reason != schema.Allowed {
			w.refusals++
			if k := (key{sent.Entity, sent.Component}); !told[k] {
				told[k] = true
				lost = append(lost, &holtpb.Event{Event: &holtpb.Event_Refused{
					Refused: &holtpb.Refused{
						Entity: uint64(sent.Entity), Component: sent.Component,
						Timestamp: sent.Timestamp, Reason: holtpb.Refusal(reason),
					},
				}})
			}
			if op.Kind == crdt.Append {
				w.extra[string(op.Data)] = true
			}
			continue
		}
		if w.room.Merge(op).Outcome != crdt.Applied {
			continue
		}
		w.passed++
		applied = append(applied, op)
		if schema.ClassOf(op.Entity) == schema.ClassStroke && found.Author == 0 &&
			op.Kind == crdt.Put {
			author, err := w.room.Put(op.Entity, schema.Author,
				schema.Encode(&componentpb.Seat{Seat: uint32(engineSeat)}))
			w.must(err)
			applied = append(applied, author)
		}
	}
	w.tellOps(applied...)
	w.tell(lost...)
}

// other makes the other seat write something, delete a stroke, or clear the layer.
func (w *world) other() {
	stroke := schema.EntityOfStroke(now-schema.Second(w.rnd.IntN(3)), 1+w.rnd.Uint32N(3))
	switch n := w.rnd.IntN(12); {
	case n < 7:
		e, number := w.somewhere()
		w.put(e, number)
	case n < 8:
		ping := schema.Encode(&componentpb.Ping{Seat: uint32(otherSeat), X: w.rnd.Int32N(1000)})
		op, err := w.room.Append(schema.TheTable, schema.Ping, ping)
		w.must(err)
		w.tellOps(op)
	case n < 10 && !w.room.Deleted(stroke) && schema.AuthorOf(w.room, stroke) == 0:
		begun, err := w.room.Put(stroke, schema.Stroke, aStroke)
		w.must(err)
		author, err := w.room.Put(stroke, schema.Author,
			schema.Encode(&componentpb.Seat{Seat: uint32(otherSeat)}))
		w.must(err)
		w.tellOps(begun, author)
	case n < 11:
		if strokes := slices.Collect(w.room.Entities(
			crdt.FirstTimed, crdt.MaxEntity,
		)); len(strokes) > 0 {
			w.bury(strokes[w.rnd.IntN(len(strokes))])
		}
	case w.rnd.IntN(4) == 0:
		w.bury(schema.Clearing(now - schema.Second(w.rnd.IntN(3))))
	}
}

func (w *world) bury(e crdt.Entity) {
	op, err := w.room.DeleteEntity(e)
	w.must(err)
	w.tellOps(op)
}

// put sets a value in the room, or deletes it.
func (w *world) put(e crdt.Entity, number uint32) {
	op, err := w.room.Put(e, number, w.text())
	if w.rnd.IntN(5) == 0 {
		op, err = w.room.Delete(e, number)
	}
	w.must(err)
	w.tellOps(op)
}

var aStroke = schema.Encode(&componentpb.Stroke{Colour: 1, Width: 5})

func (w *world) text() []byte {
	return schema.Encode(&componentpb.Text{Text: string(rune('a' + w.rnd.IntN(4)))})
}

// somewhere draws a key that holds a text: of the table, which the engine may not write, of the
// sheet, or of a piece.
func (w *world) somewhere() (crdt.Entity, uint32) {
	switch n := w.rnd.IntN(10); {
	case n < 2:
		return schema.TheTable, schema.Title
	case n < 4 || len(w.pieces) == 0:
		return schema.TheSheet, schema.Sheet
	default:
		number := schema.Label
		if w.rnd.IntN(3) == 0 {
			number = schema.Remark
		}
		return schema.EntityOfPiece(w.pieces[w.rnd.IntN(len(w.pieces))]), number
	}
}

// change makes a piece appear, disappear, or change its name, owner or place (C15). Names are given
// again, as C15 allows.
func (w *world) change() {
	update := func(p *holtpb.Piece, op table.Op) {
		w.tell(&holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{
			Piece: p, Op: holtpb.Op(op),
		}}})
	}
	free := id.Piece(1)
	for slices.Contains(w.pieces, free) || w.former[free] != 0 {
		free++
	}
	if len(w.pieces) == 0 || w.rnd.IntN(4) == 0 {
		w.pieces = append(w.pieces, free)
		update(&holtpb.Piece{Id: uint32(free), Kind: new(uint32(1))}, table.OpAdd)
		return
	}
	i := w.rnd.IntN(len(w.pieces))
	name := w.pieces[i]
	p := &holtpb.Piece{Id: uint32(name)}
	e := schema.EntityOfPiece(name)
	switch w.rnd.IntN(5) {
	case 0:
		p.Gone = new(true)
		w.pieces = slices.Delete(w.pieces, i, i+1)
		w.forgetFormer(name)
	case 1:
		p.Renamed = new(uint32(free))
		w.pieces[i] = free
		w.forgetFormer(name)
		w.former[name] = free
	case 2:
		p.Owner = new(uint32(w.rnd.IntN(3)))
	case 3:
		p.X = new(w.rnd.Int32N(1000))
		update(p, table.OpMove)
		return
	case 4:
		p.Owner = new(uint32(w.rnd.IntN(3)))
		update(p, table.OpClaim)
		return
	}
	w.room.Forget(e)
	update(p, table.OpReveal)
}

func (w *world) forgetFormer(name id.Piece) {
	for old, now := range w.former {
		if now == name {
			delete(w.former, old)
		}
	}
}

// quiet delivers all messages.
func (w *world) quiet() {
	for range 100_000 {
		if !w.carry() {
			return
		}
	}
	w.fatalf("C19 it does not settle")
}

// check compares what the engine has with what the room has, by the numbers of the link.
func (w *world) check() {
	w.t.Helper()
	if !w.link.Settled() {
		w.fatalf("C19 neither back nor refused is %+v", w.link.sent)
	}
	want := w.checkIdentities()
	for e := range w.room.Entities(0, crdt.MaxEntity) {
		wire, ok := w.link.numbers.has(e)
		if !ok {
			w.fatalf("C19 entity %d has no number on the link", e)
		}
		identities := 0
		if want[wire] {
			identities = 1
		}
		want[wire] = true
		for op := range w.room.OpsOf(e) {
			w.checkOp(wire, &op)
		}
		if n, m := w.count(w.engine, wire), w.count(w.room, e)+identities; n > m &&
			!w.extras(wire) {
			w.fatalf("C19 entity %d has %d values in the room, and %d at the engine, as %d",
				e, m, n, wire)
		}
	}
	for wire := range w.engine.Entities(0, crdt.MaxEntity) {
		if !want[wire] && w.count(w.engine, wire) > 0 && !w.extras(wire) {
			w.fatalf("C19 the engine has entity %d, which the room does not have", wire)
		}
	}
}

// checkIdentities checks that an engine on a flat link knows all the pieces that the view sees. It
// returns their numbers on the link.
func (w *world) checkIdentities() map[crdt.Entity]bool {
	w.t.Helper()
	all := map[crdt.Entity]bool{}
	if w.form == Protobuf {
		return all
	}
	for _, name := range w.pieces {
		wire, ok := w.link.numbers.has(schema.EntityOfPiece(name))
		if !ok {
			w.fatalf("C19 piece %d has no number on the link", name)
		}
		all[wire] = true
		w.checkOp(wire, &crdt.Op{
			Kind: crdt.Put, Entity: schema.EntityOfPiece(name), Component: schema.Identity,
			Timestamp: 1,
			Data:      schema.Encode(&componentpb.Identity{Piece: uint32(name)}),
		})
	}
	return all
}

// checkDigest sends the digest of the engine. The engine has what the link expects it to have, so
// the link answers nothing.
func (w *world) checkDigest() {
	w.t.Helper()
	mine := w.engine.Digest()
	taken, err := w.link.FromReplica(crdt.AppendDigest(nil, &mine, true), now)
	w.must(err)
	out, err := w.link.Differing(taken.Digest, taken.Asks)
	w.must(err)
	m, err := crdt.Decode(bytes.Join(out, nil))
	w.must(err)
	for op := range m.Ops() {
		w.fatalf("C20 the engine gets %+v", op)
	}
	if m.Digest == nil || *m.Digest != mine || m.Asks {
		w.fatalf("C20 the digests differ")
	}
}

// checkOp checks that the engine has an operation that the room has.
func (w *world) checkOp(wire crdt.Entity, op *crdt.Op) {
	w.t.Helper()
	switch op.Kind {
	case crdt.Append:
		for e := range w.engine.Elements(wire, op.Component) {
			if e.Timestamp == op.Timestamp && bytes.Equal(e.Data, op.Data) {
				return
			}
		}
		if w.extras(wire) && w.engine.Len(wire, op.Component) >= 32 {
			return // refused elements pushed it out of the set
		}
		w.fatalf("C19 the engine lacks %+v as %d", *op, wire)
	default:
		data, ok := w.engine.Get(wire, op.Component)
		if ok != (op.Kind == crdt.Put) || !bytes.Equal(data, op.Data) {
			w.fatalf("C19 the room has %+v, and the engine, as %d, %q (%v)", *op, wire, data, ok)
		}
		if n := w.engine.Timestamp(wire, op.Component); int64(n) !=
			int64(op.Timestamp)+w.link.offset(op.Entity, op.Component) {
			w.fatalf("C19 the room has %+v, and the engine, as %d, the timestamp %d", *op, wire, n)
		}
	}
}

// count counts the values that an entity has.
func (w *world) count(r *crdt.Replica, e crdt.Entity) int {
	n := 0
	for op := range r.OpsOf(e) {
		if op.Kind != crdt.Delete {
			n++
		}
	}
	return n
}

// extras reports whether an entity of the engine has elements that the room refused: nothing
// removes them from the engine.
func (w *world) extras(wire crdt.Entity) bool {
	if w.by.Role == table.RoleSpectator {
		return true
	}
	for op := range w.engine.OpsOf(wire) {
		if op.Kind == crdt.Append && w.extra[string(op.Data)] {
			return true
		}
	}
	return false
}
