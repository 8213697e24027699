package room_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// Where the hand of the first seat lies, and a place without a hand.
const (
	handY    int32 = -4000
	outsideY int32 = 0
)

// shuffling is a table with two cards, and its players.
type shuffling struct {
	*rig
	ada, tab, bob, eve *player  // tab is another client of ada's
	second             id.Piece // the card that these tests lay beside the ace
}

// shuffling seats the players and lays the two cards somewhere.
func (r *rig) shuffling(one, two int32) *shuffling {
	r.t.Helper()
	s := &shuffling{
		rig: r, ada: r.open(r.host.Session), tab: r.open(r.host.Session),
		bob: r.open(r.seat(r.invites.Player, "Bob").Session),
		eve: r.open(r.seat(r.invites.Spectator, "Eve").Session),
	}
	s.ada.events()
	s.ada.mustSend(s.ada.move(ace, 0, one))
	s.second = s.lay(two)
	s.readAll()
	return s
}

// lay makes ada add a card.
func (s *shuffling) lay(y int32) (made id.Piece) {
	s.t.Helper()
	add := s.ada.make(table.OpAdd, 0)
	add.Has, add.Kind, add.X, add.Y, add.Face = table.HasKind|table.HasXY|table.HasFace, kindAce, 0,
		y, 1
	s.ada.mustSend(add)
	for _, e := range s.ada.events() {
		made = max(made, id.Piece(e.GetAck().GetMade()))
	}
	return made
}

// readAll makes everybody read what has come.
func (s *shuffling) readAll() {
	s.t.Helper()
	for _, p := range []*player{s.ada, s.tab, s.bob, s.eve} {
		p.frames()
	}
}

// shuffle makes ada shuffle both cards.
func (s *shuffling) shuffle() table.Update {
	s.t.Helper()
	u := s.ada.make(table.OpShuffle, 0)
	u.Has, u.Pieces = table.HasPieces, s.both()
	s.ada.mustSend(u)
	return u
}

// both returns the names of both cards, as ada knows them.
func (s *shuffling) both() []id.Piece { return []id.Piece{s.ada.name(s.second), s.ada.name(ace)} }

// shuffled matches an event that reports a shuffle of these pieces, in any order.
func shuffled(by uint32, pieces ...id.Piece) func(*holtpb.Event) bool {
	return func(e *holtpb.Event) bool {
		m := e.GetShuffled()
		return m != nil && m.GetBy() == by &&
			slices.Equal(slices.Sorted(slices.Values(m.GetPieces())), sorted(pieces))
	}
}

// sorted returns names as numbers, ascending.
func sorted(pieces []id.Piece) []uint32 {
	var all []uint32
	for _, p := range pieces {
		all = append(all, uint32(p))
	}
	slices.Sort(all)
	return all
}

// told matches that event.
func told(want *holtpb.Event) func(*holtpb.Event) bool {
	return func(e *holtpb.Event) bool { return proto.Equal(e, want) }
}

// acked matches the ack of an update.
func acked(u table.Update) func(*holtpb.Event) bool {
	return func(e *holtpb.Event) bool { return e.GetAck().GetSeq() == uint64(u.Seq) }
}

// want checks that a player gets updates of these pieces, in any order, then an event that matches,
// and nothing else but facts of randomness (docs/fairness.md).
func (s *shuffling) want(who string, p *player, last func(*holtpb.Event) bool, pieces ...id.Piece) {
	s.t.Helper()
	events := slices.DeleteFunc(p.events(), func(e *holtpb.Event) bool {
		return e.GetFair() != nil
	})
	got, want := updates(events), sorted(pieces)
	slices.Sort(got)
	if len(events) != len(want)+1 || !slices.Equal(got, want) || !last(events[len(want)]) {
		s.t.Errorf("T26 %s gets %v, want updates of %v and one event more", who, events, pieces)
	}
}

func TestShuffle(t *testing.T) {
	in(t).Run("T26.6, T26.8 a shuffle of face-down cards is published", func(t *testing.T, r *rig) {
		s := r.shuffling(outsideY, outsideY)
		version := s.bob.versions[ace]
		u := s.shuffle()
		s.want("its client", s.ada, acked(u))
		shuffled := shuffled(1, s.both()...)
		s.want("her other tab", s.tab, shuffled)
		s.want("bob", s.bob, shuffled)
		s.want("a spectator", s.eve, shuffled)
		s.ada.mustSend(u)
		s.want("its client, which has sent it again,", s.ada,
			told(wire.RepeatEvent(table.Ack{Seq: u.Seq})))
		for who, p := range map[string]*player{
			"her other tab": s.tab, "bob": s.bob, "a spectator": s.eve,
		} {
			if n := len(p.frames()); n != 0 {
				t.Errorf("T26 sent again, it makes %d frames for %s", n, who)
			}
		}
		s.bob.cut()
		s.bob.reopen(1)
		if events := s.bob.events(); len(events) != 1 || events[0].GetFull() == nil ||
			s.bob.versions[ace] != version {
			t.Errorf("T26 it is not part of the state: %v", events)
		}
	})
	in(t).Run("T21, T26.9 others learn nothing of a shuffle in a hand", func(t *testing.T, r *rig) {
		s := r.shuffling(handY, handY)
		s.shuffle()
		for who, p := range map[string]*player{"bob": s.bob, "a spectator": s.eve} {
			if frames := p.frames(); len(frames) != 0 {
				t.Errorf("%s gets %v", who, frames)
			}
		}
		// Both lay front up there (T23).
		s.want("her other tab", s.tab, shuffled(1, s.both()...), s.both()...)
	})
	in(t).Run("T26.9 only the part outside a hand is published", func(t *testing.T, r *rig) {
		s := r.shuffling(handY, outsideY)
		flip := s.bob.make(table.OpFlip, s.second)
		flip.Has, flip.Face = flip.Has|table.HasFace, 0
		s.bob.mustSend(flip)
		s.readAll()
		u := s.shuffle()
		s.want("its client", s.ada, acked(u), s.both()...)
		s.want("her other tab", s.tab, shuffled(1, s.both()...), s.both()...)
		s.want("bob", s.bob, shuffled(1, s.second), s.second)
		s.want("a spectator", s.eve, shuffled(1, s.second), s.second)
	})
	in(t).Run("T26.8 two shuffles in one commit are published separately", func(t *testing.T, r *rig) {
		s := r.shuffling(outsideY, outsideY)
		third := s.lay(outsideY)
		s.readAll()
		release := s.store.block()
		first := s.ada.post(s.ada.move(tokenOne, 5, 5))
		one, two := s.ada.make(table.OpShuffle, 0), s.tab.make(table.OpShuffle, 0)
		one.Has, one.Pieces = table.HasPieces, []id.Piece{ace, s.second}
		two.Has, two.Pieces = table.HasPieces, []id.Piece{s.second, ace, third}
		both := []<-chan error{s.ada.post(one), s.tab.post(two)}
		release()
		for _, answer := range append(both, first) {
			if err := <-answer; err != nil {
				t.Fatal(err)
			}
		}
		heard := func(p *player) (named [][]uint32) {
			for _, e := range p.events() {
				if m := e.GetShuffled(); m != nil {
					named = append(named, slices.Sorted(slices.Values(m.GetPieces())))
				}
			}
			return named
		}
		of, more := sorted(s.both()), sorted(append(s.both(), third))
		for who, c := range map[string]struct {
			p    *player
			want [][]uint32
		}{
			"the first one's client":  {s.ada, [][]uint32{more}},
			"the second one's client": {s.tab, [][]uint32{of}},
			"bob":                     {s.bob, [][]uint32{of, more}},
		} {
			if got := heard(c.p); !slices.EqualFunc(got, c.want, slices.Equal) {
				t.Errorf("T26 %s gets %v, want %v", who, got, c.want)
			}
		}
	})
}
