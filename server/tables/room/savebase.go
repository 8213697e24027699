package room

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"holt/server/id"
	"holt/server/play/game"
)

// What somebody says of a game that is saved (T105), of which game it is the next version (T107),
// and how a table becomes one more set-up of that (T106).

// Saving says how the table of a seat is saved as a game.
type Saving struct {
	Name    string // 1 to game.MaxName characters
	Summary string // may be empty: that of Of, or else the name
	// Of is the game that this one follows, as GameOf finds it; empty: that of the table.
	Of    string
	Note  string // what somebody says of this version
	About AboutChange
	// Seats are those of the game, with the names that their pieces have at the table: Hand is one
	// less, as in a catalogue. nil: those of the game that this one follows.
	Seats *[]game.Seat
	// Languages are translations as game.ReadTranslation reads them, by their tags; "" takes one away.
	Languages map[string]string
	// Setup has the name of a set-up, and for how many players it is. If it is not nil, the table is
	// saved as that set-up of Of, of which all else stays as it is.
	Setup *game.Setup
}

// Saved is a game that was saved of a table.
type Saved struct {
	*game.Packed
	Who string // the name of who has saved it
}

// AboutChange is what somebody changes of what a game says. What is nil stays as it is.
type AboutChange struct {
	Players, Minutes *game.Range
	Genres           *[]string
	Rules            *string // Markdown; empty: there are none
}

// change changes what a game says of itself.
func (c *AboutChange) change(a *game.About) {
	if c.Players != nil {
		a.Players = *c.Players
	}
	if c.Minutes != nil {
		a.Minutes = *c.Minutes
	}
	if c.Genres != nil {
		a.Genres = *c.Genres
	}
	if c.Rules == nil {
		return
	}
	if a.Rules = (game.Rules{}); *c.Rules != "" {
		a.Rules = game.Rules{Name: game.RulesText, Data: []byte(*c.Rules)}
	}
}

// base is the game that a saved one follows.
type base struct {
	game     *game.Game
	isOrigin bool // the table was set up with it
}

// baseOf returns the game that a saved one follows: that of the table, which may be gone, unless
// name says something else. ErrNoGame.
func (rs *Rooms) baseOf(ctx context.Context, row *TableRow, name string) (base, error) {
	if name == "" || name == row.Game {
		of, err := rs.GameOf(ctx, row.Game)
		if errors.Is(err, ErrNoGame) && name == "" {
			of, err = &game.Game{}, nil
		}
		return base{of, true}, err
	}
	if _, err := game.ParseHash(name); err != nil {
		return base{}, ErrNoGame
	}
	of, err := rs.GameOf(ctx, name)
	return base{of, false}, err
}

// Draft is what the game of a table says of itself: what somebody begins with who saves it.
type Draft struct {
	Game *game.Game // what it follows; it has neither name nor pieces if that is gone
	// Seats have the names that their pieces have at the table, as in Saving.
	Seats []game.Seat
}

// Draft returns what a game says that is saved of the table of s, and follows the game of. Errors:
// ErrRole unless the person of s edits the game; ErrNoGame.
func (rs *Rooms) Draft(ctx context.Context, s Session, of string) (*Draft, error) {
	row, err := rs.About(ctx, s.Table)
	if err != nil {
		return nil, err
	}
	is, err := rs.baseOf(ctx, &row, of)
	if err != nil {
		return nil, err
	}
	l, err := inSession(ctx, rs, s, func(r *room) (*asLies, error) {
		if !r.table.Edits(s.Seat) {
			return nil, ErrRole
		}
		l := &asLies{row: r.row, kinds: r.kinds, rest: r.rest, base: is}
		if !is.isOrigin {
			l.layout, _ = r.table.Layout(false)
		}
		return l, nil
	})
	if err != nil {
		return nil, err
	}
	if is.isOrigin {
		return &Draft{is.game, l.rest.Seats}, nil
	}
	return &Draft{is.game, l.match(is.game).seats(is.game.Seats)}, nil
}

// saved returns the game that is saved, without what it refers to.
func (l *asLies) saved(q *Saving) (g *game.Game, err error) {
	if q.Setup != nil {
		g, err = l.withSetup(q.Setup)
	} else {
		g = l.game()
	}
	if err != nil {
		return nil, err
	}
	g.ID, g.Name, g.Summary = slugOf(q.Name), q.Name, q.Summary
	if g.Summary == "" && (q.Of != "" || q.Setup != nil) {
		g.Summary = l.base.game.Summary
	}
	if g.Summary == "" {
		g.Summary = q.Name
	}
	return g, l.giveSeats(g, q)
}

// giveSeats gives a game the seats that somebody has chosen.
func (l *asLies) giveSeats(g *game.Game, q *Saving) error {
	if q.Seats == nil {
		return nil
	}
	if q.Setup != nil {
		return &Unsavable{errors.New("the seats of a game are not those of one set-up")}
	}
	at := l.at
	g.Seats = nil
	for n, s := range *q.Seats {
		is := at.seat(s)
		if s.Hand != game.NoHand && (is.Hand == game.NoHand || !g.Kinds[g.Pieces[is.Hand].Kind].Hand) {
			return &Unsavable{fmt.Errorf("seat %d: no hand %d lies on the table", n, s.Hand+1)}
		}
		if len(is.Pieces) != len(s.Pieces) {
			return &Unsavable{fmt.Errorf("seat %d: one of its pieces does not lie on the table", n)}
		}
		g.Seats = append(g.Seats, is)
	}
	return nil
}

// addKinds adds those kinds of another game to g that it does not have, by their names. It returns
// the other game with the kinds of g.
func addKinds(g, of *game.Game) *game.Game {
	now, added := make([]int, len(of.Kinds)), len(g.Kinds)
	for i := range of.Kinds {
		now[i] = slices.IndexFunc(g.Kinds, func(k game.Kind) bool { return k.Name == of.Kinds[i].Name })
		if now[i] < 0 {
			now[i], g.Kinds = len(g.Kinds), append(g.Kinds, of.Kinds[i])
		}
	}
	for i := added; i < len(g.Kinds); i++ {
		k := &g.Kinds[i]
		if k.Secret {
			k.Mask = now[k.Mask]
		}
		if k.Container.Holds() && k.Container.Takes != game.AnyLight {
			k.Container.Takes = now[k.Container.Takes]
		}
	}
	with := *of
	with.Kinds = g.Kinds
	with.Pieces = renumbered(of.Pieces, now)
	with.Picture.Pieces = renumbered(of.Picture.Pieces, now)
	with.First, with.Setups = renumberedSetup(of.First, now), nil
	for _, s := range of.Setups {
		with.Setups = append(with.Setups, renumberedSetup(s, now))
	}
	with.Further = nil
	for _, f := range of.Further {
		further := *f
		further.Kinds, further.Pieces = g.Kinds, renumbered(f.Pieces, now)
		with.Further = append(with.Further, &further)
	}
	return &with
}

// renumbered returns pieces whose kinds have other numbers.
func renumbered(pieces []game.Placement, now []int) []game.Placement {
	pieces = slices.Clone(pieces)
	for i := range pieces {
		pieces[i].Kind = now[pieces[i].Kind]
	}
	return pieces
}

func renumberedSetup(s game.Setup, now []int) game.Setup {
	s.Pieces, s.Without = renumbered(s.Pieces, now), slices.Clone(s.Without)
	for i, kind := range s.Without {
		s.Without[i] = now[kind]
	}
	return s
}

// matching says which piece of the table a heavy piece of a game is, by the names that they have:
// at a table of the game the first heavy piece has the name 1.
type matching map[id.Piece]id.Piece

// absentNames are names in a matching of pieces that are not on the table.
const absentNames id.Piece = 1 << 31

// absent returns the name of a piece of the game, by its index, that is not on the table.
func (m matching) absent(i int) id.Piece {
	name := id.Piece(i) + 1 //nolint:gosec // see handsOf
	if now, ok := m[name]; ok {
		return now
	}
	return name | absentNames
}

// called returns the name at the table of a piece of the game.
func (m matching) called(name id.Piece) id.Piece {
	if now, ok := m[name]; ok {
		return now
	}
	return name | absentNames
}

// seats returns the seats of the game, with the names that their pieces have at the table.
func (m matching) seats(of []game.Seat) (all []game.Seat) {
	for _, s := range of {
		if s.Hand != game.NoHand {
			s.Hand = int(m.called(id.Piece(s.Hand)+1)) - 1 //nolint:gosec // see handsOf
		}
		var pieces []int
		for _, name := range s.Pieces {
			pieces = append(pieces, int(m.called(id.Piece(name)))) //nolint:gosec // few
		}
		s.Pieces = pieces
		all = append(all, s)
	}
	return all
}

// match finds out which pieces of the table the heavy pieces of a game are: of the game with which
// it was set up those with their names; otherwise those of the same kind that lie where they lie,
// and then the others of that kind, in their order.
func (l *asLies) match(of *game.Game) matching {
	m := matching{}
	for i, p := range of.Pieces {
		if l.base.isOrigin && of.Kinds[p.Kind].Weight == "heavy" {
			m[id.Piece(i)+1] = id.Piece(i) + 1
		}
	}
	if l.base.isOrigin {
		return m
	}
	used := map[id.Piece]bool{}
	for _, inPlace := range []bool{true, false} {
		for i, p := range of.Pieces {
			name := id.Piece(i) + 1
			if _, found := m[name]; found || of.Kinds[p.Kind].Weight != "heavy" {
				continue
			}
			for _, on := range l.layout {
				if on.Name != 0 && !used[on.Name] && l.kinds[on.Kind].Name == of.Kinds[p.Kind].Name &&
					(!inPlace || on.X == p.X && on.Y == p.Y) {
					m[name], used[on.Name] = on.Name, true
					break
				}
			}
		}
	}
	return m
}

// same returns what Setup.Same is in the game in which the pieces are placed, of a set-up of
// another game.
func (p *placed) same(s *game.Setup, m matching) []int {
	now := slices.Clone(s.Same)
	for i, at := range now {
		if at == game.Other {
			continue
		}
		to, ok := p.at[m.called(id.Piece(at)+1)] //nolint:gosec // as in match
		if now[i] = game.Other; ok {
			now[i] = to
		}
	}
	return now
}

// withSetup returns the game that this one follows with one more set-up, or another one of that
// name: the table as it lies (T106).
func (l *asLies) withSetup(s *game.Setup) (*game.Game, error) {
	of := l.base.game
	if len(of.Kinds) == 0 {
		return nil, ErrNoGame
	}
	kinds := &game.Game{}
	number := l.keepKinds(kinds)
	with := addKinds(kinds, of)
	g := &game.Game{
		Width: of.Width, Height: of.Height, Surface: of.Surface, Grid: of.Grid, Sheet: of.Sheet,
		About: of.About, Script: of.Script, Kinds: kinds.Kinds, Pieces: with.Pieces,
		Attached: of.Attached, Seats: of.Seats, First: with.First, Further: with.Further,
		Doors: of.Doors, Picture: with.Picture,
	}
	g.About.Rules = game.Rules{}
	own := &game.Game{Width: of.Width, Height: of.Height, Kinds: kinds.Kinds}
	match := l.match(with)
	at := l.place(own, &game.Game{}, number, match)
	made := game.Setup{
		Name: s.Name, Players: s.Players, Pieces: own.Pieces,
		Same: slices.Repeat([]int{game.Other}, len(own.Pieces)),
	}
	for name, now := range match {
		if i, ok := at.at[now]; ok {
			made.Same[i] = int(name) - 1
		}
	}
	replaced := false
	for _, other := range with.Setups {
		if other.Name == s.Name {
			other, replaced = made, true
		}
		g.Setups = append(g.Setups, other)
	}
	if !replaced {
		g.Setups = append(g.Setups, made)
	}
	return g, nil
}

// translate gives a game the translations that somebody has sent.
func (q *Saving) translate(g *game.Game) error {
	if len(q.Languages) == 0 {
		return nil
	}
	all := slices.DeleteFunc(g.Fitting(), func(l game.Language) bool {
		_, given := q.Languages[l.Tag]
		return given
	})
	for tag, text := range q.Languages {
		if text == "" {
			continue
		}
		data, err := game.ReadTranslation([]byte(text))
		if err != nil {
			return &Unsavable{fmt.Errorf("the translation %q: %w", tag, err)}
		}
		all = append(all, game.Language{Tag: tag, Data: data})
	}
	slices.SortFunc(all, func(a, b game.Language) int { return cmp.Compare(a.Tag, b.Tag) })
	g.Languages = all
	return nil
}
