package game

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Compose writes a game as a packed one, of the format holt.game/2 (G24). g is as Parse returns it,
// but need not come from a file. Compose reads neither its catalogue nor the hashes and texts of
// rules and languages, which follow from their bytes; offers of kinds, which follow from all kinds;
// nor Art of which no kind has a picture. All tables of the game have the kinds of g. Each kind is
// written out, whether a piece needs it or not: the result has neither decks nor templates, and an
// ordered stack is a piece above another one.
//
// The result is read before it is returned, as strictly as any packed game, and has the kinds and
// the pieces of g in the same order. The error says what cannot be written, or not be read.
func Compose(g *Game) (*Packed, error) {
	c := composer{g: g, files: map[[sha256.Size]byte][]byte{}}
	doc := c.game()
	if c.err != nil {
		return nil, c.err
	}
	written, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("write the game: %w", err)
	}
	r, root := readDocument(written)
	if r.err != nil {
		return nil, r.err
	}
	p, err := ReadHashed(canonical(root, nil), c.file)
	if err != nil {
		return nil, err
	}
	for i, is := range p.Game.tables() {
		if err := is.checkSame(g.tables()[i]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// The written form of a composed game (docs/guides/games.md). Kinds, steps, seats and sheets are
// much as in a catalogue.
type (
	gameDoc struct {
		Format  string `json:"format"`
		ID      string `json:"id"`
		Summary string `json:"summary"`
		Order   int32  `json:"order,omitempty"`
		tableDoc
		Kinds     []kindDoc         `json:"kinds"`
		Seats     []seatDoc         `json:"seats,omitempty"`
		Setup     string            `json:"setup,omitempty"`
		Players   []int32           `json:"players,omitempty"`
		Without   []string          `json:"without,omitempty"`
		Steps     []catalogStep     `json:"steps,omitempty"`
		Setups    []setupDoc        `json:"setups,omitempty"`
		Sheet     *catalogSheet     `json:"sheet,omitempty"`
		Tables    []tableDoc        `json:"tables,omitempty"`
		Picture   *pictureDoc       `json:"picture,omitempty"`
		About     aboutDoc          `json:"about,omitzero"`
		Languages map[string]string `json:"languages,omitempty"`
		Credits   []creditDoc       `json:"credits,omitempty"`
		Script    string            `json:"script,omitempty"`
		Foreign   json.RawMessage   `json:"foreign,omitempty"`
	}
	// kindDoc is a kind. What refers to other kinds is here; the rest is as in a catalogue.
	kindDoc struct {
		catalogKind
		Mask      string            `json:"mask,omitempty"`
		Container *versionContainer `json:"container,omitempty"`
		Unknown   *struct{}         `json:"unknown,omitempty"`
		Offers    *struct{}         `json:"offers,omitempty"`
		Foreign   json.RawMessage   `json:"foreign,omitempty"`
	}
	// seatDoc is a seat. Hand and Pieces are the numbers of entries of pieces.
	seatDoc struct {
		Name   string `json:"name"`
		Side   int32  `json:"side"`
		Colour string `json:"colour"`
		Hand   *int   `json:"hand,omitempty"`
		Pieces []int  `json:"pieces,omitempty"`
	}
	setupDoc struct {
		Name    string        `json:"name"`
		Players []int32       `json:"players,omitempty"`
		Without []string      `json:"without,omitempty"`
		Pieces  []pieceDoc    `json:"pieces,omitempty"`
		Steps   []catalogStep `json:"steps,omitempty"`
	}
	pictureDoc struct {
		Width  int32         `json:"width"`
		Pieces []picturedDoc `json:"pieces"`
	}
	picturedDoc struct {
		Kind  string `json:"kind"`
		X     int32  `json:"x"`
		Y     int32  `json:"y"`
		Angle int32  `json:"angle,omitempty"`
		Face  int    `json:"face,omitempty"`
	}
	aboutDoc struct {
		Players     []int32          `json:"players,omitempty"`
		Minutes     []int32          `json:"minutes,omitempty"`
		Genres      []string         `json:"genres,omitempty"`
		Words       []string         `json:"words,omitempty"`
		Age         int32            `json:"age,omitempty"`
		Languages   []string         `json:"languages,omitempty"`
		Licence     string           `json:"licence,omitempty"`
		Attribution string           `json:"attribution,omitempty"`
		Authors     []string         `json:"authors,omitempty"`
		Rules       *supplementRules `json:"rules,omitempty"`
	}
)

// composer is the state of composing a game. It keeps the first error.
type composer struct {
	g     *Game
	files map[[sha256.Size]byte][]byte // to which the document refers
	err   error
}

func (c *composer) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// file returns a file of the game by its hash.
func (c *composer) file(hash [sha256.Size]byte) ([]byte, error) {
	data, ok := c.files[hash]
	if !ok {
		return nil, fmt.Errorf("the game lacks the file %x", hash)
	}
	return data, nil
}

// refer notes a file, and returns how a packed game refers to it.
func (c *composer) refer(data []byte) string {
	hash := sha256.Sum256(data)
	c.files[hash] = data
	return hex.EncodeToString(hash[:])
}

// game returns the written form of the whole game.
func (c *composer) game() *gameDoc {
	g := c.g
	doc := &gameDoc{
		Format: format2, ID: g.ID, Summary: g.Summary, Order: g.Order,
		Setup: g.First.Name, Players: g.First.Players.pair(), Without: c.names(g.First.Without),
		Steps: catalogSteps(g.First.Steps), Picture: c.picture(),
		Sheet: g.Sheet.catalog(), About: c.about(), Credits: g.Credits.docs(), Script: g.Script,
		Foreign: g.Foreign.Game,
	}
	for i := range g.Kinds {
		doc.Kinds = append(doc.Kinds, c.kind(i))
	}
	own := c.lay(g)
	doc.tableDoc = own.table()
	for _, s := range g.Seats {
		doc.Seats = append(doc.Seats, own.seat(s))
	}
	for _, further := range g.Further {
		doc.Tables = append(doc.Tables, c.lay(further).table())
	}
	for _, s := range g.Setups {
		doc.Setups = append(doc.Setups, setupDoc{
			Name: s.Name, Players: s.Players.pair(), Without: c.names(s.Without),
			Pieces: own.setup(&s), Steps: catalogSteps(s.Steps),
		})
	}
	for _, hash := range Pictures(g.Kinds) {
		if art, ok := g.Art[hash]; ok {
			c.files[hash] = art.Data
		}
	}
	for _, l := range g.Languages {
		if doc.Languages == nil {
			doc.Languages = map[string]string{}
		}
		doc.Languages[l.Tag] = c.refer(l.Data)
	}
	return doc
}

// kind returns the written form of a kind.
func (c *composer) kind(i int) kindDoc {
	k := &c.g.Kinds[i]
	if k.Unknown {
		c.fail("kind %d, %q, stands for kinds that the table does not know: no game has it", i, k.Name)
	}
	doc := kindDoc{
		catalogKind: catalogOf(k), Mask: c.name(k.Mask), Foreign: c.g.Foreign.Kinds[i],
	}
	if of := k.Container; of.Holds() {
		doc.Container = &versionContainer{Draws: of.Draws, Takes: c.name(of.Takes)}
	}
	return doc
}

// name returns the name of a kind, "" if it is NoMask or AnyLight.
func (c *composer) name(kind int) string {
	if kind == NoMask {
		return ""
	}
	if kind < 0 || kind >= len(c.g.Kinds) {
		c.fail("there is no kind %d", kind)
		return ""
	}
	return c.g.Kinds[kind].Name
}

func (c *composer) names(kinds []int) (all []string) {
	for _, kind := range kinds {
		all = append(all, c.name(kind))
	}
	return all
}

// picture returns what the picture of the game shows; nil if the game does not say.
func (c *composer) picture() *pictureDoc {
	of := &c.g.Picture
	if len(of.Pieces) == 0 {
		return nil
	}
	doc := &pictureDoc{Width: of.Width}
	for _, p := range of.Pieces {
		doc.Pieces = append(doc.Pieces, picturedDoc{
			Kind: c.name(p.Kind), X: p.X, Y: p.Y, Angle: p.Angle, Face: p.Face,
		})
	}
	return doc
}

// about returns what the game says about itself.
func (c *composer) about() aboutDoc {
	a := &c.g.About
	doc := aboutDoc{
		Genres: a.Genres, Words: a.Words, Age: a.Age, Languages: a.Languages, Licence: a.Licence,
		Attribution: a.Attribution, Authors: a.Authors,
	}
	if a.Players.Most > 0 {
		doc.Players = a.Players.pair()
	}
	if a.Minutes.Most > 0 {
		doc.Minutes = a.Minutes.pair()
	}
	if a.Rules.Data != nil {
		doc.Rules = &supplementRules{Name: a.Rules.Name, Hash: c.refer(a.Rules.Data)}
	}
	return doc
}

// tables returns all tables of a game, its own one first.
func (g *Game) tables() []*Game { return append([]*Game{g}, g.Further...) }

// checkSame returns an error unless a table, as it was read, has the pieces and what is kept of
// another one, of which it was written.
func (g *Game) checkSame(given *Game) error {
	is, was := regrouped(g.Pieces), regrouped(given.Pieces)
	for i, p := range was {
		if i >= len(is) || is[i] != p {
			return fmt.Errorf("%s: a game file cannot say how piece %d lies, a %q", given.Name, i,
				g.Kinds[p.Kind].Name)
		}
	}
	for n := range given.Setups {
		if err := g.checkSetup(n, &given.Setups[n]); err != nil {
			return err
		}
	}
	if !g.Foreign.equal(&given.Foreign) {
		return fmt.Errorf("%s: what is kept in foreign is not canonical JSON, or of no kind",
			given.Name)
	}
	return nil
}

// checkSetup returns an error unless a set-up, as it was read, has the pieces of another one, of
// which it was written.
func (g *Game) checkSetup(n int, given *Setup) error {
	is := g.Setups[n]
	if slices.Equal(regrouped(is.Pieces), regrouped(given.Pieces)) &&
		slices.Equal(is.Same, given.Same) {
		return nil
	}
	return fmt.Errorf("%s: a game file cannot say how the pieces of the set-up %q lie", given.Name,
		given.Name)
}

// regrouped returns pieces whose groups are numbered in the order in which they begin.
func regrouped(pieces []Placement) []Placement {
	pieces = slices.Clone(pieces)
	numbers := map[int]int{0: 0}
	for i := range pieces {
		group := pieces[i].Group
		if _, ok := numbers[group]; !ok {
			numbers[group] = len(numbers)
		}
		pieces[i].Group = numbers[group]
	}
	return pieces
}

// equal reports whether the same is kept.
func (f *Foreign) equal(other *Foreign) bool {
	return bytes.Equal(f.Game, other.Game) &&
		maps.EqualFunc(f.Kinds, other.Kinds, bytes.Equal) &&
		maps.EqualFunc(f.Pieces, other.Pieces, bytes.Equal)
}
