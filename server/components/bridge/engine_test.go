package bridge

import (
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
)

// write sends a message of a few operations of the engine. In flat form it is cut at a random
// place.
func (w *world) write() {
	var message []byte
	for range 1 + w.rnd.IntN(4) {
		op, ok := w.make()
		if !ok {
			continue
		}
		if w.form == Protobuf {
			message = crdt.AppendOp(message, &op)
			continue
		}
		var err error
		message, err = crdt.AppendFlat(message, &op)
		w.must(err)
	}
	message = append(w.cut, message...)
	w.cut = nil
	if w.form == Flat && len(message) > 0 {
		n := w.rnd.IntN(len(message) + 1)
		message, w.cut = message[:n], message[n:]
	}
	w.ups = append(w.ups, message)
}

// make makes an operation of the engine and merges it there.
func (w *world) make() (crdt.Op, bool) {
	e, number := w.known()
	var op crdt.Op
	var err error
	switch n := w.rnd.IntN(30); {
	case n < 1: // an entity that nobody may delete
		op, err = w.engine.DeleteEntity(e)
	case n < 14:
		op, err = w.engine.Put(e, number, w.text())
	case n < 16:
		op, err = w.engine.Delete(e, number)
	case n < 18: // a timestamp far ahead or behind, or the same one again
		op = crdt.Op{
			Kind: crdt.Put, Entity: e, Component: number, Timestamp: 1 + w.rnd.Uint32N(1000),
			Data: w.text(),
		}
		w.engine.Merge(op)
	// An unknown component, malformed data, or a component that an engine may not write.
	case n < 20:
		identity := schema.Encode(&componentpb.Identity{Piece: 9})
		i := w.rnd.IntN(3)
		op, err = w.engine.Put(e, []uint32{7, schema.Tint, schema.Identity}[i],
			[][]byte{{0xff}, {0xff}, identity}[i])
	case n < 22:
		ping := schema.Encode(&componentpb.Ping{
			Seat: uint32(engineSeat) + w.rnd.Uint32N(2), X: w.rnd.Int32N(1 << 18),
		})
		op, err = w.engine.Append(schema.TheTable, schema.Ping, ping)
	case n < 25:
		op, err = w.engine.Put(w.newStroke(), schema.Stroke, aStroke)
	case n < 27:
		return w.makePoints()
	case n < 29 || w.form == Flat:
		strokes := w.strokes()
		if len(strokes) == 0 {
			return op, false
		}
		op, err = w.engine.DeleteEntity(strokes[w.rnd.IntN(len(strokes))])
	default:
		op, err = w.engine.DeleteEntity(schema.Clearing(now - schema.Second(w.rnd.IntN(3))))
	}
	return op, err == nil
}

// makePoints adds points to a stroke, perhaps to somebody else's.
func (w *world) makePoints() (crdt.Op, bool) {
	strokes := w.strokes()
	if len(strokes) == 0 {
		return crdt.Op{}, false
	}
	e := strokes[w.rnd.IntN(len(strokes))]
	points := schema.Encode(&componentpb.Points{
		X: []int32{w.rnd.Int32N(1 << 18)}, Y: []int32{w.rnd.Int32N(1 << 18)},
	})
	op, err := w.engine.Append(e, schema.Points, points)
	return op, err == nil
}

// known draws a key that holds a text. Its entity is one that the engine has received, or one that
// exists by the rules.
func (w *world) known() (crdt.Entity, uint32) {
	var all []crdt.Entity
	for e := range w.engine.Entities(0, crdt.MaxEntity) {
		if !w.drawn(e) {
			all = append(all, e)
		}
	}
	all = append(all, schema.TheTable, schema.TheSheet)
	if w.form == Protobuf {
		all = append(all, schema.EntityOfPiece(1), schema.EntityOfPiece(2), schema.EntityOfPiece(9))
	}
	switch e := all[w.rnd.IntN(len(all))]; e & (1<<versionBits - 1) {
	case schema.TheTable:
		return e, schema.Title
	case schema.TheSheet:
		return e, schema.Sheet
	default:
		return e, schema.Label
	}
}

// strokes returns the strokes that the engine has.
func (w *world) strokes() []crdt.Entity {
	return slices.DeleteFunc(slices.Collect(w.engine.Entities(0, crdt.MaxEntity)),
		func(e crdt.Entity) bool { return !w.drawn(e) })
}

// drawn reports whether an entity of the engine is a stroke.
func (w *world) drawn(e crdt.Entity) bool { return w.engine.Timestamp(e, schema.Stroke) > 0 }

// newStroke returns the number that the engine gives to a new stroke.
func (w *world) newStroke() crdt.Entity {
	w.randoms++
	if w.form == Protobuf {
		return schema.EntityOfStroke(now-schema.Second(w.rnd.IntN(3)), 1000+w.randoms)
	}
	for number := firstMade + crdt.Entity(w.rnd.IntN(4)); ; number += 4 {
		e := number
		for w.engine.Deleted(e) {
			e += 1 << versionBits
		}
		if !w.drawn(e) { // not in use yet
			return e
		}
	}
}
