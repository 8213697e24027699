package table_test

import (
	"encoding/binary"
	"maps"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// FuzzApply reads updates of three clients from bytes. It shows that Check or Apply judges any
// update, that nothing hidden is shown, that nothing is lost, and that the table rebuilt from its
// log is the same (T3, T15, T22, T34).
func FuzzApply(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{
		0, byte(table.OpGrab), 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1, byte(table.OpMove), 0, 4, 0, 0, 0,
		0, 1, 2, 3, 4,
	})
	f.Add([]byte{
		2, byte(table.OpShuffle), 0, 7, 8, 9, 10, 0, 0, 0, 0, 0, 0, byte(table.OpCopy), 1, 7, 0, 0,
		1, 1, 1, 1, 1, 1,
	})
	f.Add([]byte{
		0, byte(table.OpMove), 0, 7, 0, 0, 0, 0, 0, 80, 0, 0, 0, byte(table.OpGrab), 8, 7, 0, 0, 0,
		0, 0, 0, 0, 0,
	})
	f.Add([]byte{
		0, byte(table.OpPress), 0, 12, 0, 0, 0, 0, 0, 0, 1, 0, 1, byte(table.OpPress), 0, 12, 0, 0,
		0, 0, 0, 0, 0, 0, 2, byte(table.OpSet), 0, 13, 9, 9, 9, 0, 0, 0, 0, 0,
	})
	f.Add([]byte{
		0, byte(table.OpDraw), 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 1, byte(table.OpDeal), 0, 5, 0, 0, 0,
		0, 0, 0, 0, 0, 2, byte(table.OpLeave), 0, 4, 0, 0, 0, 0, 0, 0, 0, 0,
	})
	f.Add([]byte{
		1, byte(table.OpSplit), 0, 12, 0, 0, 0, 0, 30, 4, 0, 0, 1, byte(table.OpStow), 0, 18, 0, 0,
		0, 5, 0, 0, 0, 0, 0, byte(table.OpRecall), 0, 5, 0, 0, 0, 0, 0, 0, 0, 0,
	})
	f.Add([]byte{
		1, byte(table.OpGive), 0, 3, 0, 0, 0, 3, 0, 0, 0, 0, 2, byte(table.OpShuffle), 0, 5, 0, 0,
		0, 0, 0, 0, 0, 0, 0xf1, byte(table.OpPeek), 0, 40, 0, 0, 0, 0, 0, 0, 0, 0,
	})
	f.Add([]byte{
		0, byte(table.OpRun), 128, byte(worldAsker), 0, 0, 0, 2, 1, 1, byte(worldChips), 0,
		1, byte(table.OpRun), 128, byte(worldAsker), 0, 0, 1, 2, 1, 1, byte(worldChips), 0,
	})
	f.Add([]byte{ // somebody edits, and adds into the deck
		0xe1, byte(table.OpAdd), 128, 0, 0, 0, 0, byte(worldDeck), 0, 0, byte(kindKing), 0,
		1, byte(table.OpAdd), 128, 0, 0, 0, 0, byte(worldBag), 0, 0, byte(kindDie), 0,
		0, byte(table.OpDraw), 0, byte(worldDeck), 0, 0, 0, 0, 0, 0, 0, 0,
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newWorld(t, 1)
		s.run = "fuzz"
		tabs := []*tab{s.join(1), s.join(2), s.join(3)}
		for len(data) >= chunk {
			c := tabs[int(data[0])%len(tabs)]
			if data[0] >= 0xf0 {
				s.keep()
			}
			if data[0]>>4 == 0xe {
				s.table.LetEdit(c.seat, data[0]&8 == 0, 1, s.now)
				s.publish(nil)
			}
			u := c.readUpdate(data[1:chunk])
			data = data[chunk:]
			before := s.table.Gen()
			out, bogus := s.apply(c, u)
			recorded := s.table.Gen() > before
			if recorded != (bogus == nil && out.Verdict == table.Recorded) {
				t.Fatalf("%+v: outcome %+v, invalid %v, generation %d after %d",
					u, out, bogus, s.table.Gen(), before)
			}
			if out.Verdict == table.Rejected && out.Reject.Reason == 0 {
				t.Fatalf("%+v is rejected without a reason", u)
			}
		}
		s.checkViewers()
		s.checkHands()
		for _, c := range tabs {
			c.renew()
			c.checkAtRest()
			c.checkWeights(t)
		}
		s.restart()
	})
}

// chunk is the size of an update in bytes: the client, the operation, flags, the piece, and eight
// bytes of arguments.
const chunk = 12

// readUpdate makes an update from bytes. It is valid more often than not.
func (c *tab) readUpdate(b []byte) table.Update {
	flags := b[1]
	// Also names that the tab does not see, and former names.
	names := slices.Sorted(maps.Keys(c.server.bearers))
	named := func(i int) id.Piece { return names[int(b[i])%len(names)] }
	op := table.Op(b[0]) % (table.OpPass + 5)
	if op > table.OpPass+1 { // without take and place, which need an owner
		op = [...]table.Op{table.OpPivot, table.OpTurn, table.OpRun}[op-table.OpPass-2]
	}
	u := c.make(op, id.Piece(b[2]))
	if u.Piece > worldOpen {
		u.Piece = named(2)
	}
	word := func(i int) int32 { return int32(binary.LittleEndian.Uint32(b[i:])) }
	small := func(i int) int32 { return int32(int8(b[i])) * 100 }
	switch u.Op {
	case table.OpMove, table.OpCopy, table.OpAdd:
		u.Has |= table.HasXY
	case table.OpRotate:
		u.Has |= table.HasAngle
	case table.OpPivot:
		u.Has |= table.HasXY | table.HasAngle
	case table.OpFlip:
		u.Has |= table.HasFace
	case table.OpSetZ:
		u.Has |= table.HasZ
	case table.OpShuffle:
		if flags&128 != 0 {
			u.Pieces, u.Has = []id.Piece{named(2), named(3), named(4)}, table.HasPieces
		}
	case table.OpSplit:
		u.Has |= table.HasN | table.HasXY
	case table.OpCount:
		u.Has |= table.HasN
	case table.OpStow:
		u.Has |= table.HasInto
	case table.OpGive, table.OpShare, table.OpUnshare, table.OpShow, table.OpAssign:
		u.Has |= table.HasSeat
	case table.OpWrite:
		u.Has |= table.HasText
	case table.OpPress:
		u.Has |= table.HasSide
	case table.OpRun:
		if flags&128 != 0 {
			u.Has |= table.HasAnswers
			u.Answers = []int32{int32(b[7]) % 5, int32(b[8]) % 4, int32(b[9]) % 5, int32(b[10])}
			u.Answers = u.Answers[:len(u.Answers)-int(b[6])%2]
		}
	case table.OpSet:
		u.Has |= table.HasMs
	default:
	}
	if u.Op == table.OpAdd {
		u.Has = u.Has&^(table.HasPiece|table.HasTag) | table.HasKind
		if flags&128 != 0 {
			u.Has |= table.HasInto
		}
	}
	if flags&1 != 0 {
		u.Has |= table.HasXY
	}
	if flags&2 != 0 {
		u.Has |= table.HasZ
	}
	if flags&4 != 0 {
		u.Tag = id.Version(word(3))
	}
	if flags&8 != 0 {
		u.Has |= table.HasLoose
	}
	if flags&16 != 0 {
		u.Has ^= table.Fields(b[10]) << (b[9] % 11)
	}
	if flags&32 != 0 {
		u.Seq = id.ClientSeq(b[10])
	}
	u.X, u.Y, u.Angle, u.Face, u.Kind = small(7), small(8), int32(b[9])*141, int32(int8(b[9])),
		uint32(b[9])
	u.N, u.At, u.Into, u.Seat, u.Text = int32(int8(b[7])), int32(int8(b[8]))%4, id.Piece(b[6]),
		id.Seat(b[6])%6, string(b[5:9])
	u.Side, u.Ms, u.Increment = 1+b[9]%2, word(3)&0x7fffff, int32(b[7])
	if flags&64 != 0 {
		u.Side, u.Ms, u.Increment = b[8], word(4), word(6)
		u.X, u.Y, u.Angle = word(3), word(7), word(5)
	}
	if u.Has&table.HasZ != 0 {
		digits := "0."
		for i := range 1 + int(b[4]) {
			digits += string(rune('1' + b[5+i%5]%9))
		}
		if z, err := zlevel.Parse(digits); err == nil {
			u.Z = z
		}
	}
	return u
}
