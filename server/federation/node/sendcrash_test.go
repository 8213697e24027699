package node_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// doorFile is the game with a card outside the deck. The card becomes a door.
var doorFile = strings.Replace(gameFile,
	`"pieces":[`, `"pieces":[{"kind":"Back","x":3000,"y":0},`, 1)

// send takes a piece off a table and puts it on one of another server.
func send(
	t *testing.T, from *room.Rooms, world interface {
		Give(set id.OID) error
	}, to *room.Rooms, at, behind room.Session, door, piece id.Piece,
) error {
	t.Helper()
	set, err := from.TakeToSend(t.Context(), at, door, piece, at.Seat, true)
	if err != nil {
		return err
	}
	if err := world.Give(set); err != nil {
		return err
	}
	return to.Deliver(t.Context(), behind.Table, room.Delivery{Set: set})
}

type giving func(set id.OID) error

func (g giving) Give(set id.OID) error { return g(set) }

// Clauses: O52.18
func TestSendCrash(t *testing.T) {
	batches := [2]int{14, 9}
	if testing.Short() {
		batches = [2]int{4, 3}
	}
	for who, last := range batches {
		for after := range last {
			t.Run(fmt.Sprintf("server %d, batch %d", who, after), func(t *testing.T) {
				sendAndCrash(t, who, after)
			})
		}
	}
}

// sendAndCrash sends a deck between two servers, and cuts the power of one of them after some
// batches.
func sendAndCrash(t *testing.T, who, after int) {
	t.Helper()
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	victim := p.servers[who]
	for i, s := range p.servers {
		s.stop()
		s.game = []string{doorFile, otherGame}[i]
		if s == victim {
			s.dies = &cord{left: 1 << 30}
		}
		s.start()
	}
	p.together(ada, ben)
	at, behind := ada.sit(), ben.sit()
	door := at.piece(func(q *holtpb.Piece) bool { return q.GetX() == 3000 })
	box := at.piece(func(q *holtpb.Piece) bool { return q.GetX() == 0 })
	before := len(at.sees().GetPieces())
	_, err := ada.rooms.SetDoor(t.Context(), at.session, id.Piece(door.GetId()),
		schema.Encode(&componentpb.Door{Title: "Ben's", Seal: "x"}))
	p.must(err)
	victim.dies.mu.Lock()
	victim.dies.left = after
	victim.dies.mu.Unlock()
	from, world, to, host := ada.rooms, ada.world, ben.rooms, ben.self()
	give := giving(func(set id.OID) error { return world.Give(t.Context(), set, host) })
	sent := make(chan error, 1)
	go func() {
		sent <- send(t, from, give, to, at.session, behind.session,
			id.Piece(door.GetId()), id.Piece(box.GetId()))
	}()
	p.await("the deck to be sent, or the end of the server",
		func() bool { return len(sent) > 0 || victim.dies.isDead() })
	victim.stop()
	victim.dies = nil
	victim.start()
	p.together(ada, ben)
	<-sent

	// Who opens the tables again does not find the deck twice, and it is not lost.
	here := func() bool {
		return at.piece(func(q *holtpb.Piece) bool { return q.GetId() == box.GetId() }) != nil
	}
	there := func() bool {
		return behind.piece(func(q *holtpb.Piece) bool { return q.GetSet() != 0 }) != nil
	}
	switch onFirst, onSecond := here(), there(); {
	case onFirst && onSecond:
		t.Fatal("O52.18 the deck lies on both tables")
	case onFirst:
		if n := len(at.sees().GetPieces()); n != before {
			t.Errorf("O52.18 %d pieces lie on the first table, not %d", n, before)
		}
		return
	}
	set := ada.onlySet()
	third := room.Session{Table: ada.mint(), Seat: 1}
	var refusal *room.Refusal
	if there() {
		if _, err := ada.world.Hold(t.Context(), third, set); !errors.As(err, &refusal) {
			t.Errorf("O52.18 it can be put on another table, too: %v", err)
		}
		if said, err := ben.world.Reveal(t.Context(), behind.session.Table, set,
			[]uint32{1, 2, 3}); err != nil || len(said.Parts) != 3 {
			t.Errorf("O52.18 on the second table are %d cards, %v", len(said.Parts), err)
		}
		return
	}
	p.await("the deck in the bag", func() bool {
		g, err := ada.world.Hold(t.Context(), third, set)
		return err == nil && len(g.Parts) == 4
	})
	if there() {
		t.Error("O52.18 it is on the second table, too")
	}
}
