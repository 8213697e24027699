package room_test

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// TestPlayShelf sets up each game of the shelf in each of its set-ups, with each number of players
// for which that is, presses each button and takes back what that did. Then the players move and
// turn pieces at random, and all must see the same table. With -short it plays the first set-up of
// every eighth game with the most players.
func TestPlayShelf(t *testing.T) {
	static := os.DirFS("../../../static")
	shelf, err := game.LoadShelf(static)
	if err != nil {
		t.Fatal(err)
	}
	with := bubble{t: t, game: gameFile, more: []fs.FS{shelfFolder(t, static)}, random: rand.Reader}
	for i, g := range shelf.Games() {
		setups := 1 + len(g.Setups)
		if testing.Short() { // a room plays all games with the same code
			if setups = 1; i%8 != 0 {
				continue
			}
		}
		for setup := range setups {
			of := playersOf(g, setup)
			if testing.Short() {
				of.Least = of.Most
			}
			for n := of.Least; n <= of.Most; n++ {
				with.Run(fmt.Sprint(g.ID, " ", setup, " for ", n), func(t *testing.T, r *rig) {
					s := r.sitAtSample(g, setup, n)
					s.everybodyHasAPlace(of.Least == of.Most && of != g.About.Players)
					for kind := range g.Kinds {
						if len(g.Kinds[kind].Button.Steps) > 0 {
							s.press(kind)
						}
					}
					rnd := mathrand.New(mathrand.NewPCG(uint64(len(g.Pieces)), uint64(setup)))
					gestures := 10
					if n < of.Most {
						gestures = 4
					}
					for i := range gestures {
						s.gesture(s.players[i%len(s.players)], rnd)
					}
					s.agree()
				})
			}
		}
	}
}

// everybodyHasAPlace checks that all players have a hand, if there are several, and that none is
// left where the set-up is exactly for them.
func (s *sampleTable) everybodyHasAPlace(exactly bool) {
	s.t.Helper()
	hands := s.players[0].sight.all(func(q *holtpb.Piece) bool {
		return s.game.Kinds[q.GetKind()].Hand
	})
	if len(hands) < 2 || slices.Contains(s.game.About.Genres, "tool") {
		return // there is none, or that of a narrator; or people share a box of pieces as they like
	}
	ownedBy := func(seat uint32) bool {
		return slices.ContainsFunc(hands, func(q *holtpb.Piece) bool { return q.GetOwner() == seat })
	}
	for i, p := range s.players {
		if !ownedBy(uint32(p.session.Seat)) {
			s.t.Errorf("player %d of %d has no hand", i+1, len(s.players))
		}
	}
	if exactly && ownedBy(0) {
		s.t.Errorf("of %d hands some are nobody's with %d players", len(hands), len(s.players))
	}
}

// shelfFolder returns the games of the shelf as a folder of an operator's own games.
func shelfFolder(t *testing.T, static fs.FS) fs.FS {
	t.Helper()
	folder := fstest.MapFS{}
	err := fs.WalkDir(static, ".", func(name string, entry fs.DirEntry, err error) error {
		own, isGame := strings.CutPrefix(name, "games/")
		if err != nil || entry.IsDir() || !isGame && !strings.HasPrefix(name, "art/") {
			return err
		}
		data, err := fs.ReadFile(static, name)
		folder[own] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// gesture lets a player move or turn one of the light pieces that they see, at random.
func (s *sampleTable) gesture(p *player, rnd *mathrand.Rand) {
	s.t.Helper()
	s.readAll()
	is := func(q *holtpb.Piece) bool {
		return s.game.Kinds[q.GetKind()].Weight == "light" && !q.GetPinned() &&
			(q.GetOwner() == 0 || q.GetOwner() == uint32(p.session.Seat))
	}
	all := p.sight.all(is)
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b *holtpb.Piece) int { return int(a.GetId()) - int(b.GetId()) })
	q := all[rnd.IntN(len(all))]
	piece := id.Piece(q.GetId())
	var u table.Update
	if faces := len(s.game.Kinds[q.GetKind()].Faces); faces > 1 && rnd.IntN(2) == 0 {
		u = p.flip(piece, (int32(q.GetFace())+1)%int32(faces))
	} else {
		u = p.move(piece, int32(rnd.IntN(4000)-2000), int32(rnd.IntN(4000)-2000))
	}
	p.mustSend(u)
	for _, e := range p.events() {
		if why := e.GetReject(); why != nil {
			s.t.Errorf("%s of a %s is rejected: %v", u.Op, s.game.Kinds[q.GetKind()].Name,
				why.GetReason())
		}
	}
}

// agree checks that all players see the same pieces that lie open on the table.
func (s *sampleTable) agree() {
	s.t.Helper()
	s.readAll()
	open := func(p *player) (all []string) {
		for _, q := range p.sight.pieces {
			if q.GetOwner() == 0 && !s.game.Kinds[q.GetKind()].Hand {
				all = append(all, fmt.Sprint(q.GetKind(), " ", q.GetX(), " ", q.GetY(), " ",
					q.GetFace(), " ", q.GetAngle(), " ", q.GetValue()))
			}
		}
		slices.Sort(all)
		return all
	}
	first := open(s.players[0])
	for i, p := range s.players[1:] {
		if now := open(p); !slices.Equal(now, first) {
			s.t.Errorf("player %d sees another table than the host:\n%v\nnot\n%v", i+2, now, first)
		}
	}
}
