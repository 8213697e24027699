package room

import (
	mathrand "math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// stateOf returns the full state that a seat gets, decoded and encoded.
func stateOf(t *testing.T, r *room, seat id.Seat) (*holtpb.Full, []byte) {
	t.Helper()
	b, err := r.full(seat, id.Client{}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	f, err := wire.DecodeFrame(b)
	if err != nil {
		t.Fatal(err)
	}
	return f.GetEvents()[0].GetFull(), b
}

// TestT49StatesShareTheirEncoding makes the states of all views, one after the other, in a game in
// which cards are turned, dealt and deleted. Each state is byte for byte what it would be if nobody
// had asked before, and every field of its pieces is right.
func TestT49StatesShareTheirEncoding(t *testing.T) {
	const players = 6
	seed := uint64(20261122)
	t.Logf("seed %d", seed)
	rnd := mathrand.New(mathrand.NewPCG(seed, 1))
	r := newParlour(t, players)
	for step := range 400 {
		seat := id.Seat(1 + rnd.IntN(players))
		of := r.table.All(seat, id.Client{})
		s := of[rnd.IntN(len(of))]
		switch rnd.IntN(4) {
		case 0:
			r.apply(seat, table.Update{
				Op: table.OpFlip, Piece: s.Name, Has: table.HasFace, Face: int32(rnd.IntN(2)),
			})
		case 1: // into somebody's hand
			r.apply(seat, table.Update{
				Op: table.OpMove, Piece: s.Name, Has: table.HasXY,
				X: int32(rnd.IntN(players)) * spacing,
			})
		case 2:
			r.apply(seat, table.Update{
				Op: table.OpMove, Piece: s.Name, Has: table.HasXY, X: int32(rnd.IntN(5000)),
				Y: tokensY,
			})
		case 3:
			r.apply(seat, table.Update{
				Op: table.OpCopy, Piece: s.Name, Has: table.HasXY, X: int32(rnd.IntN(5000)),
				Y: boxesY,
			})
		}
		r.table.Take()
		view := id.Seat(rnd.IntN(players + 1)) // 0: spectators
		full, warm := stateOf(t, r.room, view)
		known := r.pieceCache
		r.pieceCache = pieceCache{}
		if _, cold := stateOf(t, r.room, view); !slices.Equal(warm, cold) {
			t.Fatalf("step %d: the state of seat %d differs after frames for others",
				step, view)
		}
		r.pieceCache = known
		want := r.table.All(view, id.Client{})
		if len(want) != len(full.GetPieces()) {
			t.Fatalf("step %d: seat %d gets %d pieces and sees %d", step, view,
				len(full.GetPieces()), len(want))
		}
		for i, p := range full.GetPieces() {
			if w := wire.FullPiece(&want[i]); p.String() != w.String() {
				t.Fatalf("step %d: seat %d gets %v, want %v", step, view, p, w)
			}
		}
	}
	if n := len(r.pieceCache.all); n == 0 || n > 2*r.table.Pieces()+64 {
		t.Errorf("%d pieces are kept, there are %d", n, r.table.Pieces())
	}
	r.beat()
	r.beat()
	if len(r.pieceCache.all) != 0 {
		t.Error("unused pieces are kept")
	}
}
