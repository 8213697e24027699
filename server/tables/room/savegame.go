package room

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
)

// Who edits the game of a table saves it as the table lies (T102).

// asLies is what a table shows that becomes a game.
type asLies struct {
	row    TableRow
	kinds  []game.Kind
	rest   game.CatalogRest
	layout []table.Laid
	base   base
	who    string  // the name of who saves it
	at     *placed // where its pieces are in the game
}

// SaveGame returns the game of the table of s as the table lies (T102). Errors: ErrRole unless the
// person of s edits the game; ErrNoGame; ErrSecrets; an *Unsavable.
func (rs *Rooms) SaveGame(ctx context.Context, s Session, q *Saving) (*Saved, error) {
	row, err := rs.About(ctx, s.Table)
	if err != nil {
		return nil, err
	}
	of, err := rs.baseOf(ctx, &row, q.Of)
	if err != nil {
		return nil, err
	}
	// The steps of a set-up bring out again what was set up in a container.
	home := q.Setup == nil &&
		slices.ContainsFunc(of.game.AllSetups(), func(of game.Setup) bool { return len(of.Steps) > 0 })
	lies, err := inSession(ctx, rs, s, func(r *room) (*asLies, error) {
		if !r.table.Edits(s.Seat) {
			return nil, ErrRole
		}
		layout, known := r.table.Layout(home)
		if !known {
			return nil, ErrSecrets
		}
		return &asLies{row: r.row, kinds: r.kinds, rest: r.rest, layout: layout, base: of,
			who: r.nickOf(s.Seat)}, nil
	})
	if err != nil {
		return nil, err
	}
	g, err := lies.saved(q)
	if err != nil {
		return nil, err
	}
	if err := rs.supply(ctx, g, lies); err != nil {
		return nil, err
	}
	q.About.change(&g.About)
	if err := q.translate(g); err != nil {
		return nil, err
	}
	p, err := game.Compose(g)
	if err != nil && len(g.Languages) > 0 && q.Languages == nil {
		// A text for something that is not there any more.
		g.Languages = g.Fitting()
		p, err = game.Compose(g)
	}
	if err != nil {
		return nil, &Unsavable{err}
	}
	return &Saved{p, lies.who}, nil
}

// nickOf returns the name of a seat.
func (r *room) nickOf(seat id.Seat) string {
	for _, who := range r.table.Seats() {
		if who.Seat == seat {
			return who.Nick
		}
	}
	return ""
}

// Unsavable says why a table cannot be written as a game.
type Unsavable struct{ Err error }

func (u *Unsavable) Error() string { return u.Err.Error() }

// Unwrap returns what is wrong.
func (u *Unsavable) Unwrap() error { return u.Err }

// supply gives a game what its kinds refer to, the credits of its pictures, and the rules and
// languages of the game that it follows.
func (rs *Rooms) supply(ctx context.Context, g *game.Game, l *asLies) error {
	g.Art = map[[32]byte]game.Art{}
	for _, hash := range game.Pictures(g.Kinds) {
		if art, ok := l.base.game.Art[hash]; ok {
			g.Art[hash] = art
			continue
		}
		b, err := rs.Blob(ctx, hash)
		if err != nil {
			return fmt.Errorf("picture %x: %w", hash, err)
		}
		g.Art[hash] = game.Art{Data: b.Data, Type: b.Type}
	}
	var of game.Supplement
	if l.row.Supplement != (Hash{}) {
		var err error
		if of, err = rs.supplementOf(ctx, l.row.Supplement); err != nil {
			return err
		}
	}
	g.Credits = l.base.game.Credits.With(of.Credits).Of(g.Kinds)
	if !l.base.isOrigin {
		g.About.Rules, g.Languages = l.base.game.About.Rules, l.base.game.Languages
		return nil
	}
	if of.RulesName != "" {
		b, err := rs.Blob(ctx, of.Rules)
		if err != nil {
			return fmt.Errorf("rules: %w", err)
		}
		g.About.Rules = game.Rules{Name: of.RulesName, Data: b.Data}
	}
	for tag, hash := range of.Languages {
		b, err := rs.Blob(ctx, hash)
		if err != nil {
			return fmt.Errorf("language %s: %w", tag, err)
		}
		g.Languages = append(g.Languages, game.Language{Tag: tag, Data: b.Data})
	}
	slices.SortFunc(g.Languages, func(a, b game.Language) int { return strings.Compare(a.Tag, b.Tag) })
	return nil
}

// slugOf returns an id for a game of that name.
func slugOf(name string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(name) {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == maxSlug {
			break
		}
	}
	if slug := strings.Trim(b.String(), "-"); slug != "" {
		return slug
	}
	return "game"
}

const maxSlug = 40 // bytes of the id of a game

// game returns the game of a table, without what it refers to.
func (l *asLies) game() *game.Game {
	of := l.base.game
	g := &game.Game{
		Width: l.row.Width, Height: l.row.Height, Surface: l.row.Surface, Grid: of.Grid,
		Sheet: l.rest.Sheet, About: of.About, Script: of.Script,
	}
	g.About.Rules = game.Rules{}
	if l.base.isOrigin && !l.isOf(of) {
		of = &game.Game{}
	}
	number := l.keepKinds(g)
	of = addKinds(g, of)
	match := l.match(of)
	at := l.place(g, of, number, match)
	l.at = at
	seats := l.rest.Seats
	if !l.base.isOrigin {
		seats = match.seats(of.Seats)
	}
	for _, s := range seats {
		g.Seats = append(g.Seats, at.seat(s))
	}
	for _, a := range l.rest.Attached {
		piece, to := at.called(a.Piece), at.called(a.To)
		if piece != 0 && to != 0 {
			g.Attached = append(g.Attached, game.Attachment{Piece: piece, To: to})
		}
	}
	g.First = without(g, of.First)
	for _, s := range of.Setups {
		if s = without(g, s); s.Pieces != nil {
			s.Same = at.same(&s, match)
		}
		if len(s.Without) > 0 || len(s.Steps) > 0 || s.Pieces != nil {
			g.Setups = append(g.Setups, s)
		}
	}
	return g
}

// isOf reports whether the table was set up with a game as that is now.
func (l *asLies) isOf(origin *game.Game) bool {
	if len(origin.Kinds) > len(l.kinds) {
		return false
	}
	for i := range origin.Kinds {
		if origin.Kinds[i].Name != l.kinds[i].Name {
			return false
		}
	}
	return true
}

// absent returns the indices of those pieces of the origin of a table that a set-up of it lacks,
// and of whose kinds no piece is on the table: other set-ups need them.
func (l *asLies) absent(origin *game.Game, number []int) (all []int) {
	gone := map[int]bool{}
	for _, of := range origin.AllSetups() {
		for _, kind := range of.Without {
			gone[kind] = true
		}
	}
	for _, p := range l.layout {
		delete(gone, number[p.Kind])
	}
	for i, p := range origin.Pieces {
		if gone[p.Kind] && p.In == game.NotIn {
			all = append(all, i)
		}
	}
	return all
}

// keepKinds gives a game the kinds of the table, and returns their numbers there; -1 for one that
// is left out: the unknown ones of guest sets (T38), and those with the name of another one that no
// piece has. A second kind of the same name that has pieces gets another name.
func (l *asLies) keepKinds(g *game.Game) []int {
	kept, named := make([]bool, len(l.kinds)), map[string]bool{}
	for _, p := range l.layout {
		kept[p.Kind] = true
	}
	for i := range l.kinds {
		if to := refersTo(&l.kinds[i]); kept[i] && to >= 0 {
			kept[to] = true
		}
	}
	for i := range l.kinds {
		k := &l.kinds[i]
		kept[i] = kept[i] || !k.Unknown && !named[k.Name]
		named[k.Name] = true
	}
	number, names := make([]int, len(l.kinds)), map[string]bool{}
	for i := range l.kinds {
		k := l.kinds[i]
		if to := refersTo(&k); !kept[i] || to >= 0 && !kept[to] {
			number[i] = -1
			continue
		}
		for n := 2; names[k.Name]; n++ {
			k.Name = fmt.Sprintf("%s (%d)", l.kinds[i].Name, n)
		}
		names[k.Name] = true
		number[i], g.Kinds = len(g.Kinds), append(g.Kinds, k)
	}
	for i := range g.Kinds {
		k := &g.Kinds[i]
		if k.Secret {
			k.Mask = number[k.Mask]
		}
		if k.Container.Holds() && k.Container.Takes != game.AnyLight {
			k.Container.Takes = number[k.Container.Takes]
		}
	}
	return number
}

// refersTo returns the kind to which another one refers, -1 if to none.
func refersTo(k *game.Kind) int {
	switch {
	case k.Secret:
		return k.Mask
	case k.Container.Holds():
		return k.Container.Takes // AnyLight is below 0
	default:
		return -1
	}
}

// placed says where the pieces of a table are in the game that is saved, by their names.
type placed struct {
	at    map[id.Piece]int // their indices in Game.Pieces
	name  map[id.Piece]int // their names at a table of that game
	names int              // how many lie on the table
}

func (p *placed) called(name int) int { return p.name[id.Piece(name)] } //nolint:gosec // few

// seat returns a seat of the game.
func (p *placed) seat(s game.Seat) game.Seat {
	if s.Hand != game.NoHand {
		at, ok := p.at[id.Piece(s.Hand)+1] //nolint:gosec // see handsOf
		if s.Hand = game.NoHand; ok {
			s.Hand = at
		}
	}
	var pieces []int
	for _, name := range s.Pieces {
		if now := p.called(name); now != 0 {
			pieces = append(pieces, now)
		}
	}
	s.Pieces = pieces
	return s
}

// placing is the state of placing the pieces of a table in its game.
type placing struct {
	lies   *asLies
	game   *game.Game
	number []int // of the kinds
	boxes  []int // the indices of containers in Game.Pieces, by those in the layout
	placed
}

// place gives a game the pieces of the table: heavy ones, what they hold, and light ones. Below
// them lie those that are absent.
// match says which of the pieces of the table those of origin are, of which the kinds are those of
// g.
func (l *asLies) place(g, origin *game.Game, number []int, match matching) *placed {
	p := placing{
		lies: l, game: g, number: number, boxes: make([]int, len(l.layout)),
		placed: placed{at: map[id.Piece]int{}, name: map[id.Piece]int{}},
	}
	absent := l.absent(origin, number)
	for _, weight := range []string{"heavy", "light"} {
		for _, i := range absent {
			if of := origin.Pieces[i]; g.Kinds[of.Kind].Weight == weight {
				p.add(match.absent(i), of)
			}
		}
		for i := range l.layout {
			if l.layout[i].In < 0 && l.kinds[l.layout[i].Kind].Weight == weight {
				p.lay(i, game.NotIn, 0)
			}
		}
		if weight == "heavy" {
			p.fill()
		}
	}
	return &p.placed
}

// add adds a piece, with its name at the table; 0: nobody may know it.
func (p *placing) add(name id.Piece, of game.Placement) {
	at := len(p.game.Pieces)
	if p.game.Pieces = append(p.game.Pieces, of); of.In == game.NotIn {
		p.names++
	}
	if name != 0 {
		p.at[name], p.name[name] = at, p.names
	}
}

// lay adds a piece of the layout.
func (p *placing) lay(i, in, group int) {
	of := &p.lies.layout[i]
	p.boxes[i] = len(p.game.Pieces)
	p.add(of.Name, game.Placement{
		Kind: p.number[of.Kind], Angle: of.Angle, Face: int(of.Face), Pinned: of.Pinned,
		X: inside(of.X, p.game.Width), Y: inside(of.Y, p.game.Height), Locked: of.Locked,
		In: in, Group: group,
	})
}

// fill adds what containers hold.
func (p *placing) fill() {
	all, groups := p.lies.layout, 0
	for i := 0; i < len(all); {
		if all[i].In < 0 {
			i++
			continue
		}
		box, end := all[i].In, i
		for end < len(all) && all[end].In == box {
			end++
		}
		group := 0
		if p.lies.hasOrder(all[i:end]) {
			groups++
			group = groups
		}
		for ; i < end; i++ {
			p.lay(i, p.boxes[box], group)
		}
	}
}

// hasOrder reports whether the content of a container is shuffled: it draws from the top, and all
// that it holds looks the same.
func (l *asLies) hasOrder(in []table.Laid) bool {
	box, first := &l.kinds[l.layout[in[0].In].Kind], &l.kinds[in[0].Kind]
	return len(in) > 1 && box.Container.Draws != "random" &&
		!slices.ContainsFunc(in, func(p table.Laid) bool {
			k := &l.kinds[p.Kind]
			return k.Weight != first.Weight || k.Secret != first.Secret || k.Mask != first.Mask
		})
}

// inside returns a coordinate within a table of that length.
func inside(at, length int32) int32 { return min(max(at, -length/2), length/2) }

// without returns a set-up, of whose kinds some may have no pieces in the game now.
func without(g *game.Game, of game.Setup) game.Setup {
	var kinds []int
	for _, kind := range of.Without {
		if slices.ContainsFunc(g.Pieces, func(p game.Placement) bool { return p.Kind == kind }) {
			kinds = append(kinds, kind)
		}
	}
	of.Without = kinds
	return of
}
