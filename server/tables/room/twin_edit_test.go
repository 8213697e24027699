package room_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// Twins that edit let bob and dan edit the game. These add kinds and pieces, fill the deck and the
// bag, take that back, and save the table as it lies. All answers are compared.

func (g *twin) editActs() []act {
	return []act{
		{"add kinds", g.addKindsSomehow}, {"add a piece", g.addSomething}, {"fill", g.fill},
		{"fill", g.fill}, {"fill what is hidden", g.fillHidden}, {"take back", g.takeBack},
		{"save", g.saveAsLies}, {"save", g.saveAsLies}, {"let edit", g.letSomebodyEdit},
	}
}

// answered notes what somebody got as an answer.
func (g *twin) answered(name, format string, with ...any) {
	text := fmt.Sprintf("after %v: ", time.Since(g.start)) + fmt.Sprintf(format, with...)
	g.answers[name] = append(g.answers[name], text)
}

// editor returns bob or dan.
func (g *twin) editor() (name string, p *player) {
	name = []string{"bob", "dan"}[g.rnd.IntN(2)]
	return name, g.ready(g.who[name])
}

// letSomebodyEdit lets somebody edit the game, or not any more.
func (g *twin) letSomebodyEdit() {
	name := []string{"ada", "bob", "dan", "bob", "dan"}[g.rnd.IntN(5)]
	edits := g.rnd.IntN(4) > 0
	g.ready(g.ada)
	err := g.rooms.LetEdit(g.t.Context(), g.host.Session, g.who[name].session.Seat, edits)
	if err != nil {
		g.t.Errorf("%s edits: %v, %v", name, edits, err)
	}
}

// addKindsSomehow makes somebody add one of a few kinds.
func (g *twin) addKindsSomehow() {
	name, p := g.editor()
	of := packedKind(g.t, fmt.Sprint("New ", g.rnd.IntN(5)), 1+g.rnd.IntN(2))
	numbers, err := g.rooms.AddKinds(g.t.Context(), p.session, of, room.ChangedKinds{})
	g.answered(name, "kinds %v, %v", numbers, err)
}

// addSomething makes somebody add a piece, perhaps one of a kind that the table did not have at
// first.
func (g *twin) addSomething() {
	name, p := g.editor()
	of := []uint32{cardsToken, cardsCount, cardsCount + 1}[g.rnd.IntN(3)]
	x, y := g.spot()
	u := table.Update{Op: table.OpAdd, Has: table.HasKind | table.HasXY, Kind: of, X: x, Y: y}
	g.tries(name, p, u)
}

// tries sends updates that may be refused as a whole, because there is no such kind. The answer is
// compared.
func (g *twin) tries(name string, p *player, updates ...table.Update) {
	for i := range updates {
		p.seq++
		updates[i].Seq = p.seq
	}
	g.added[name] = p.seq
	g.answered(name, "%v", p.send(updates...))
}

// fill makes somebody add plain cards into the deck, or tokens into the bag.
func (g *twin) fill() {
	name, p := g.editor()
	var all []table.Update
	for range 1 + g.rnd.IntN(3) {
		into, of := deck, cardsPlain+g.rnd.Uint32N(plains)
		if g.rnd.IntN(4) == 0 {
			into, of = bag, cardsToken
		}
		all = append(all, table.Update{Op: table.OpAdd, Has: table.HasKind | table.HasXY |
			table.HasInto, Kind: of, Into: p.name(into)})
	}
	g.tries(name, p, all...)
}

// fillHidden makes somebody add a card into what is none, or what they do not see. In one of the
// games such a piece may exist, in the other it does not.
func (g *twin) fillHidden() {
	name, p := g.editor()
	into := table.MinRandomName + id.Piece(g.rnd.IntN(1<<20))
	if g.other {
		if cards := g.ada.hand(anyCard); len(cards) > 0 {
			into = id.Piece(cards[0].GetId())
		}
	}
	if g.rnd.IntN(2) == 0 {
		into = []id.Piece{handNorth, handSouth, pouch, tokenLeft}[g.rnd.IntN(4)]
	}
	g.tries(name, p, table.Update{Op: table.OpAdd, Has: table.HasKind | table.HasXY | table.HasInto,
		Kind: cardsPlain, Into: into})
}

// takeBack makes somebody take back what they added last, if they have done nothing since. All
// others agree, if there is a question.
func (g *twin) takeBack() {
	name, p := g.editor()
	a, err := g.rooms.Undo(g.t.Context(), p.session, fmt.Sprint("token ", g.rnd.Uint64()),
		room.Meant{Client: p.id, Seq: g.added[name]})
	var no *room.NoUndo
	if errors.As(err, &no) {
		g.answered(name, "not undone: %d, a piece: %v", no.Why, no.Piece != 0)
	} else {
		g.answered(name, "undone %+v, %v", a, err)
		g.undone++
	}
	if a.Question == 0 {
		return
	}
	g.pause()
	for _, who := range []string{"ada", "bob", "dan"} {
		if who != name {
			g.answered(who, "%v", g.who[who].agree(a.Question, true))
		}
	}
}

// saveAsLies makes somebody save the table as it lies.
func (g *twin) saveAsLies() {
	name, p := g.editor()
	game, err := g.rooms.SaveGame(g.t.Context(), p.session, &room.Saving{Name: "As it lies"})
	if err != nil {
		g.answered(name, "not saved: %v", err)
		return
	}
	g.saved++
	file, err := game.Bytes()
	g.answered(name, "saved %x, %v", sha256.Sum256(file), err)
}

// TestT102TwinsEdit plays games in which people edit, as TestTwinsWide does.
func TestT102TwinsEdit(t *testing.T) {
	const what = "T21, T99.5, T100, T101, T102 who edits receives the same from twin games"
	seeds, first, games := []uint64{*twinSeed}, firstSeed("twingames"), *twinGames
	if *twinSeed == 0 {
		if seeds = nil; games == 0 {
			games = 8
		}
		for i := range uint64(games) {
			seeds = append(seeds, first+i)
		}
	}
	saved, undone := 0, 0
	for _, seed := range seeds {
		t.Run(what, func(t *testing.T) {
			t.Logf("-run TestT102TwinsEdit -twinseed %d", seed)
			var all [2]*played
			for i := range all {
				all[i] = playGame(t, seed, i == 1, seed%4 == 0, func(g *twin) {
					g.edits, g.wide = true, seed%2 == 0
					for _, name := range []string{"bob", "dan"} {
						err := g.rooms.LetEdit(g.t.Context(), g.host.Session, g.who[name].session.Seat,
							true)
						if err != nil {
							t.Fatal(err)
						}
					}
					g.pause()
					for range 200 {
						g.step()
					}
					saved, undone = saved+g.saved, undone+g.undone
				})
			}
			for _, who := range []string{"dan", "eve", "eva", "bob"} {
				one, other := all[0].answers[who], all[1].answers[who]
				for i := range one {
					if i >= len(other) || one[i] != other[i] {
						t.Errorf("answer %d to %s is %s\nand in the other game %s", i, who, one[i],
							slices.Concat(other, []string{"none"})[min(i, len(other))])
						break
					}
				}
				twinned(t, who, all[0], all[1], 50)
			}
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d times saved, %d undone", saved, undone)
	if saved < len(seeds) || undone < len(seeds)/2 {
		t.Errorf("in %d games the table was saved %d times, and %d additions undone: too few",
			len(seeds), saved, undone)
	}
}
