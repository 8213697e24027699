package room

import (
	"crypto/rand"
	"log/slog"
	mathrand "math/rand/v2"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/stream"
)

// The kinds of pieces in a parlour.
const (
	kindHand uint32 = iota
	kindToken
	kindBack
	kindAce
	kindKing
	kindDeck
	kindBag
	kindPouch
	kindDie
)

// Where they lie: each kind side by side, the tokens in a row of their own, the aces and kings in
// the hands. Pieces that a test adds may lie in another row.
const (
	spacing = 100
	tokensY = 1000
	boxesY  = 2000
)

// bareRoom is a room without store and goroutine, to see what it publishes. Each player has a hand,
// with an ace and a king in it, and a token.
type bareRoom struct {
	*room
	players int
	seq     id.ClientSeq
}

func newParlour(tb testing.TB, players int) *bareRoom {
	tb.Helper()
	return newBareRoom(tb, players, nil)
}

// newBareRoom returns a parlour with more pieces, at their places.
func newBareRoom(tb testing.TB, players int, more []table.Place) *bareRoom {
	tb.Helper()
	t := table.New(table.Config{Width: 100_000, Height: 100_000,
		RandomNames: mathrand.New(mathrand.NewPCG(1, 2)), Kinds: []table.Kind{
			kindHand:  {Width: spacing, Height: spacing, Faces: 1, Hand: true, Heavy: true},
			kindToken: {Width: 40, Height: 40, Faces: 1},
			kindBack:  {Width: 60, Height: 90, Faces: 1},
			kindAce:   {Width: 60, Height: 90, Faces: 2, Secret: true, Mask: kindBack},
			kindKing:  {Width: 60, Height: 90, Faces: 2, Secret: true, Mask: kindBack},
			kindDeck: {
				Width: spacing, Height: spacing, Faces: 1, Heavy: true, Peek: table.RightPlayers,
				Container: table.ContainerKind{Holds: true, Masked: true, Takes: kindBack},
			},
			kindBag: {
				Width: spacing, Height: spacing, Faces: 1, Heavy: true, Uncounted: true,
				Container: table.ContainerKind{Holds: true, Random: true},
			},
			kindPouch: {
				Width: spacing, Height: spacing, Faces: 1, Hand: true, Heavy: true, Uncounted: true,
			},
			kindDie: {Width: 40, Height: 40, Faces: 6, Private: true, Die: table.DieKind{
				Rolls: true,
			}},
		}})
	var places []table.Place
	for _, kind := range []uint32{kindHand, kindToken, kindAce, kindKing} {
		for i := range players {
			p := table.Place{OID: id.OID{byte(kind), byte(i >> 8), byte(i)}, State: table.State{
				Kind: kind, X: int32(i) * spacing,
			}}
			if kind == kindToken {
				p.State.Y = tokensY
			}
			places = append(places, p)
		}
	}
	first := len(places)
	for _, p := range more {
		if p.In != 0 { // an index within more
			p.In += first
		}
		places = append(places, p)
	}
	t.SetUp(places, 1)
	for range players {
		if _, ok := t.Sit(table.SeatInfo{Nick: "player", Role: table.RolePlayer}, 1); !ok {
			tb.Fatal("no seat")
		}
	}
	t.Take()
	p, err := openParts(t, nil, nil)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := newRoom(Config{Store: noStore{}, Now: func() id.Millis {
		return 1_700_000_000_000
	}, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}, Loaded{}, rebuilt{
		table: t, randomness: newRandomness(make([]byte, 32), &TableRow{Epoch: 1}, t, nil), components: p,
	}, &tableSpending{seats: map[id.Seat]*bucket{}})
	if err != nil {
		tb.Fatal(err)
	}
	return &bareRoom{room: r, players: players}
}

// attach gives the room a client.
func (r *bareRoom) attach(seat id.Seat, s *stream.Stream) *attached {
	a := &attached{id: clientOf(seat), seat: seat, stream: s}
	r.clients[a.id] = a
	r.seatStreams.opened(seat, false)
	return a
}

func clientOf(seat id.Seat) id.Client { return id.Client{1, byte(seat >> 8), byte(seat)} }

// piece returns the name of the hand, token, ace or king of a player.
func (r *bareRoom) piece(kind uint32, seat id.Seat) id.Piece {
	row := map[uint32]int{kindHand: 0, kindToken: 1, kindAce: 2, kindKing: 3}[kind]
	return id.Piece(row*r.players) + id.Piece(seat)
}

// noStore is a store for rooms that are not run.
type noStore struct{ Store }

// Writable says that the store is sound.
func (noStore) Writable() error { return nil }
