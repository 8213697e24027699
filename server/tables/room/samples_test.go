package room_test

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// sampleTable is a table that was set up from a sample of the guide, with all its players.
type sampleTable struct {
	*rig
	game    *game.Game
	players []*player // the host is the first one
}

// sitAtSample makes a table with a set-up of a sample, and lets so many people sit down there. Each
// takes a hand, if there is one.
func (r *rig) sitAtSample(g *game.Game, setup int, players int32) *sampleTable {
	r.t.Helper()
	host, invites, err := r.rooms.Create(r.t.Context(), room.NewTableRequest{
		Game: g.ID, Setup: setup, Host: room.Person{Nick: "Ada"},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	s := &sampleTable{rig: r, game: g, players: []*player{r.open(host.Session)}}
	for n := range players - 1 {
		seat := r.seat(invites.Player, fmt.Sprint("Player ", n+2))
		s.players = append(s.players, r.open(seat.Session))
	}
	for _, p := range s.players {
		p.events()
		has := func(p *player, seat uint32) *holtpb.Piece {
			hands := p.sight.all(func(q *holtpb.Piece) bool {
				return g.Kinds[q.GetKind()].Hand && q.GetOwner() == seat
			})
			return slices.MinFunc(append(hands, &holtpb.Piece{}), func(a, b *holtpb.Piece) int {
				return cmp.Compare(b.GetId(), a.GetId())
			})
		}
		if free := has(p, 0); has(p, uint32(p.session.Seat)).GetId() == 0 && free.GetId() != 0 {
			p.mustSend(p.blind(table.OpClaim, id.Piece(free.GetId())))
		}
	}
	s.readAll()
	return s
}

// playersOf returns for how many players a set-up of a game is: 1 if nothing says it.
func playersOf(g *game.Game, setup int) game.Range {
	of := g.AllSetups()[setup].Players
	if of.Most == 0 {
		of = g.FirstPlayers()
		if setup > 0 {
			of = g.About.Players
		}
	}
	return game.Range{Least: max(1, of.Least), Most: max(1, of.Most)}
}

// readAll makes everybody read what has come. After a rewind they open new streams.
func (s *sampleTable) readAll() {
	s.t.Helper()
	synctest.Wait()
	for i, p := range s.players {
		if p.events(); p.line.code != 0 {
			s.players[i] = s.open(p.session)
			p = s.players[i]
		}
		p.reopenForFull()
	}
}

// state describes what a player sees, apart from the order of pieces, names and clocks.
func (p *player) state() string {
	var all []string
	for _, q := range p.sight.pieces {
		all = append(all, fmt.Sprint("kind ", q.GetKind(), " at ", q.GetX(), " ", q.GetY(), " ",
			q.GetAngle(), " face ", q.GetFace(), " value ", q.GetValue(), " of ", q.GetOwner()))
	}
	for name, h := range p.sight.holds {
		all = append(all, fmt.Sprint("in ", name, " ", h.GetKinds(), h.GetCounts()))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// lightPieces returns how many light pieces there are, and whether everybody knows that.
func (s *sampleTable) lightPieces() (n int, known bool) {
	known = !slices.ContainsFunc(s.game.Kinds, func(k game.Kind) bool { return k.Uncounted })
	p := s.players[0]
	for _, q := range p.sight.pieces {
		if s.game.Kinds[q.GetKind()].Weight == "light" && !s.isInOwnHand(p, q) {
			n++
		}
	}
	for _, h := range p.sight.holds {
		for _, count := range h.GetCounts() {
			n += int(count)
		}
	}
	return n, known
}

// isInOwnHand reports whether a piece lies in a hand of the player, which is counted, too. Hands
// of a game are all racks, which are not counted, or none is.
func (s *sampleTable) isInOwnHand(p *player, q *holtpb.Piece) bool {
	racks := slices.ContainsFunc(s.game.Kinds, func(k game.Kind) bool { return k.Rack })
	return !racks && q.GetOwner() == uint32(p.session.Seat) &&
		s.game.Kinds[q.GetKind()].Seat == ""
}

// answers returns what a player answers to the questions of a button (T95).
func (s *sampleTable) answers(who *player, b *game.Button) (all []int32) {
	for _, q := range b.Questions() {
		answer := q.Max // of a number
		switch q.For {
		case "choice":
			answer = int32(len(q.Choices) - 1)
		case "seat":
			answer = int32(who.session.Seat)
		case "piece":
			kind := q.KindOf(s.game.Kinds)
			is := func(p *holtpb.Piece) bool { return int(p.GetKind()) == kind }
			for _, p := range who.sight.all(is) {
				answer = int32(p.GetId())
			}
		}
		all = append(all, answer)
	}
	return all
}

// press presses a button, and undoes what it did. It returns whether the press did something.
func (s *sampleTable) press(kind int) (did bool) {
	s.t.Helper()
	k := &s.game.Kinds[kind]
	who := s.players[0]
	if k.Button.Who != "host" {
		who = s.players[len(s.players)-1]
	}
	<-time.After(time.Minute)
	s.readAll()
	buttons := who.sight.all(func(q *holtpb.Piece) bool { return q.GetKind() == uint32(kind) })
	if len(buttons) == 0 {
		return false // not in this set-up
	}
	was := slices.Collect(s.states())
	pieces, _ := s.lightPieces()
	u := who.blind(table.OpRun, id.Piece(buttons[0].GetId()))
	if u.Answers = s.answers(who, &k.Button); u.Answers != nil {
		u.Has |= table.HasAnswers
	}
	who.mustSend(u)
	for _, e := range who.events() {
		if why := e.GetReject(); why != nil {
			if why.GetReason() != holtpb.Reason_REASON_EMPTY {
				s.t.Errorf("%s: the press is rejected: %v", k.Name, why.GetReason())
			}
			return false
		}
	}
	s.readAll()
	if now, known := s.lightPieces(); known && now != pieces && !k.Button.SetsUp() {
		s.t.Errorf("%s: there were %d light pieces, and are %d", k.Name, pieces, now)
	}
	if k.Button.SetsUp() {
		return true
	}
	if !s.undo(who) && slices.Equal(slices.Collect(s.states()), was) {
		return true // clocks alone have changed
	}
	for i, p := range s.players {
		if now := p.state(); now != was[i] {
			s.t.Errorf("%s: player %d sees another table after the undo:\n%s\nwas\n%s", k.Name, i+1,
				now, was[i])
		}
	}
	return true
}

// states returns what each player sees.
func (s *sampleTable) states() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range s.players {
			if !yield(p.state()) {
				return
			}
		}
	}
}

// undo takes back the last press of a player, with the consent of all. It reports false if there is
// nothing that could be undone.
func (s *sampleTable) undo(who *player) bool {
	s.t.Helper()
	a, err := who.undo(fmt.Sprint("undo at ", time.Now()))
	var no *room.NoUndo
	if errors.As(err, &no) && no.Why == table.UndoNothing {
		return false
	}
	if err != nil {
		s.t.Errorf("the undo: %v", err)
	}
	for _, p := range s.players {
		if a.Undone || !slices.Contains(a.Asked, p.session.Seat) {
			continue
		}
		if err := p.agree(a.Question, true); err != nil {
			s.t.Error(err)
		}
	}
	s.readAll()
	return true
}

// TestPlaySamples sets up tables from the samples of the guide, in each set-up and with all
// players, presses each button, and takes back what that did.
func TestPlaySamples(t *testing.T) {
	folder := os.DirFS("../../../docs/guides/samples")
	shelf, err := game.LoadShelf(os.DirFS("../../../static"), folder)
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(folder, "*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("there are no samples: %v", err)
	}
	with := bubble{t: t, game: gameFile, more: []fs.FS{folder}, random: rand.Reader}
	for _, name := range names {
		g, ok := shelf.Game(strings.TrimSuffix(name, ".json"))
		if !ok {
			t.Fatalf("%s is not on the shelf", name)
		}
		for setup := range 1 + len(g.Setups) {
			with.Run(fmt.Sprint(g.ID, " ", setup), func(t *testing.T, r *rig) {
				s := r.sitAtSample(g, setup, playersOf(g, setup).Most)
				if got, known := s.lightPieces(); known && got != lightOf(g, setup) {
					t.Errorf("%d light pieces are set up, not %d", got, lightOf(g, setup))
				}
				for kind := range g.Kinds {
					if len(g.Kinds[kind].Button.Steps) > 0 && !s.press(kind) &&
						!mayDoNothing[g.Kinds[kind].Name] {
						t.Errorf("%s does nothing", g.Kinds[kind].Name)
					}
				}
			})
		}
	}
}

// mayDoNothing has the buttons of samples that do nothing at a table that has just been set up.
var mayDoNothing = map[string]bool{"Fill market": true, "Sort camps": true, "Start again": true}

// lightOf returns how many light pieces a set-up has.
func lightOf(g *game.Game, setup int) (n int) {
	for _, p := range g.PiecesOf(&g.AllSetups()[setup]) {
		if g.Kinds[p.Kind].Weight == "light" {
			n++
		}
	}
	return n
}
